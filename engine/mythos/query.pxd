# Questions about a position: selectors, power, protection, and what effects count.
from seatmate.engine.core.machine cimport Machine
from seatmate.engine.core.types cimport int16_t, int32_t, uint64_t
from seatmate.engine.mythos.model cimport Frame, Mythos, Static, Tables

cdef struct Context:
    # From where a line looks at the position. `machine` is the first member: the machine hands it back to us.
    Machine machine
    const Tables* t
    const Mythos* h
    const Frame* registers  # NULL: none
    int you
    int source              # slot; NONE: a mission, or a card that is not in play
    int here                # mission
    bint upg

cdef void look_from(Context* c, const Tables* t, const Mythos* h, int you, int source, int here) noexcept nogil
cdef void look_from_frame(Context* c, const Tables* t, const Mythos* h, const Frame* f) noexcept nogil
cdef uint64_t select(const Context* c, int selector) noexcept nogil
cdef bint matches(const Context* c, int selector, int slot) noexcept nogil
cdef bint card_matches(const Tables* t, int kind, int selector) noexcept nogil
cdef int power(const Tables* t, const Mythos* h, int slot) noexcept nogil
cdef void powers(const Tables* t, const Mythos* h, int16_t* out) noexcept nogil
cdef int free_power(const Tables* t, const Mythos* h, int slot) noexcept nogil
cdef int total_power(const Tables* t, const Mythos* h, int mission, int seat) noexcept nogil
cdef int winner_of(const Tables* t, const Mythos* h, int mission) noexcept nogil
cdef bint shielded(const Tables* t, const Mythos* h, int slot, int verb, int by) noexcept nogil
cdef bint has_static(const Tables* t, const Mythos* h, int slot, int verb) noexcept nogil
cdef bint under_static(const Tables* t, const Mythos* h, int slot, int verb) noexcept nogil
cdef int tax_on(const Tables* t, const Mythos* h, int slot, int by) noexcept nogil
cdef int income(const Tables* t, const Mythos* h, int seat) noexcept nogil
cdef const Static* next_static(const Tables* t, const Mythos* h, int slot, int verb, int* line) noexcept nogil
