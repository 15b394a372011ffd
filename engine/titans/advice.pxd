# What answers are worth.
from seatmate.engine.core.contract cimport action_t
from seatmate.engine.core.rng cimport Rng

cdef void score_actions(const void* tables, const void* state, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil
cdef action_t quick_action(const void* tables, const void* state, int seat, const action_t* actions, int n,
                           Rng* rng) noexcept nogil
