# Questions about a position: whom a selector means, what an effect could do, which cards could be played.
from seatmate.engine.core.machine cimport Machine
from seatmate.engine.core.types cimport uint16_t, uint32_t, uint64_t
from seatmate.engine.titans.rules.model cimport Frame, Row, Tables, Titans

cdef struct Context:
    # From where an effect looks at the position. `machine` is the first member: the machine hands it back to us.
    Machine machine
    const Tables* t
    const Titans* h
    int team                # own
    int actor
    int tgt
    int other               # attacker or host

cdef void look(Context* c, const Tables* t, const Titans* h, int team, int actor, int tgt, int other) noexcept nogil
cdef int members(const Tables* t, const Titans* h, const Frame* f, const Row* row) noexcept nogil
cdef uint16_t trap_places(const Tables* t, const Titans* h, int team, uint16_t scope) noexcept nogil
cdef uint32_t new_edges(const Tables* t, const Titans* h, int actor, const Row* row, int source) noexcept nogil
cdef int attack_targets(const Tables* t, const Titans* h, int actor, bint ranged) noexcept nogil
cdef uint64_t choices(const Tables* t, const Titans* h, const Frame* f) noexcept nogil
cdef uint32_t possible_cards(const Tables* t, const Titans* h, int seat) noexcept nogil
cdef uint32_t playable(const Tables* t, const Titans* h, uint32_t cards, int team, int actor, int tgt, int other,
                       bint first_is_enough) noexcept nogil
cdef bint can_run(const Tables* t, const Titans* h, int piece) noexcept nogil
cdef int window_other(const Tables* t, const Titans* h, const Frame* f, int seat) noexcept nogil
cdef uint32_t answers_to_window(const Tables* t, const Titans* h, const Frame* f, int seat, uint32_t cards,
                                bint first_is_enough) noexcept nogil
cdef bint might_play(const Tables* t, const Titans* h, int seat, int triggers, int tgt, int other) noexcept nogil
