# The flow of the game, in the order of the rulebook.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t
from seatmate.engine.titans.rules.model cimport Book, Titans

cdef void clear(const Book* t, Titans* state) noexcept nogil
cdef void init(const void* tables, void* data, Rng* rng, Sink* sink) noexcept nogil
cdef void advance(const void* tables, void* data, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil
cdef void go_on(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil
