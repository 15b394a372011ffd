# After every step: the state check, then the reactions (section 5.8).
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t, uint8_t
from seatmate.engine.mythos.rules.model cimport Mythos, Book, Waiting

cdef bint needs_settling(const Mythos* state) noexcept nogil
cdef int check_state(const Book* t, Mythos* state, Sink* sink) noexcept nogil
cdef bint still_waits(const Book* t, const Mythos* state, const Waiting* w) noexcept nogil
cdef bint run_automatic(const Book* t, Mythos* state, Sink* sink) noexcept nogil
cdef void forget_gone(const Book* t, Mythos* state, Waiting* waiting, uint8_t* n) noexcept nogil
cdef void remove_waiting(Waiting* waiting, uint8_t* n, int i) noexcept nogil
cdef int choices(const Waiting* waiting, int n, action_t* out) noexcept nogil
cdef int lock_options(const Book* t, const Mythos* state, int source, action_t* out) noexcept nogil
cdef void set_lock(Mythos* state, int source, int target, Sink* sink) noexcept nogil
