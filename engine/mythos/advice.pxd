# What the answers to a question are worth.
from seatmate.engine.core.types cimport action_t

cdef void score_actions(const void* tables, const void* state, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil
