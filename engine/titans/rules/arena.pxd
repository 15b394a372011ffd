# What the free-for-all does in its own way.
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.titans.rules.model cimport Book, Hooks, Titans

cdef Hooks HOOKS

cdef void run_move_cyborg(const Book* t, Titans* state) noexcept nogil
cdef void burn_around(const Book* t, Titans* state, Sink* sink) noexcept nogil
cdef void run_remove(const Book* t, Titans* state, Sink* sink) noexcept nogil
