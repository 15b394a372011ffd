# The flow of the game, in the order of the rulebook.
from seatmate.engine.core.contract cimport action_t
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport uint32_t, uint64_t
from seatmate.engine.titans.model cimport Tables, Titans

cdef void init(const void* tables, void* state, Rng* rng, Sink* sink) noexcept nogil
cdef uint32_t pending(const void* tables, const void* state) noexcept nogil
cdef uint32_t asked(const void* tables, const void* state) noexcept nogil
cdef int prompt(const void* tables, const void* state, int seat) noexcept nogil
cdef int legal_actions(const void* tables, const void* state, int seat, action_t* out) noexcept nogil
cdef void advance(const void* tables, void* state, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil
cdef void returns(const void* tables, const void* state, double* out) noexcept nogil
cdef uint64_t options_of(const Tables* t, const Titans* h) noexcept nogil
cdef void go_on(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil
