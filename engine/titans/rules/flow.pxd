# The flow of the game, in the order of the rulebook.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t
from seatmate.engine.titans.rules.model cimport Tables, Titans

cdef void init(const void* tables, void* state, Rng* rng, Sink* sink) noexcept nogil
cdef void advance(const void* tables, void* state, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil
cdef void go_on(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil
