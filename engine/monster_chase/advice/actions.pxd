from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.types cimport action_t

cdef void score_actions(const void* tables, const void* state, int seat, const action_t* actions, int n, double* out) noexcept nogil
cdef action_t quick_action(const void* tables, const void* state, int seat, const action_t* actions, int n, Rng* rng) noexcept nogil
