# The choice of a rollout: the heuristic's, but cheap where a seat has its turn.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.types cimport action_t

cdef action_t quick_action(const void* tables, const void* data, int seat, const action_t* actions, int n,
                           Rng* rng) noexcept nogil
