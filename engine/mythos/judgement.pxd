# What positions and answers are worth.
from seatmate.engine.core.types cimport action_t

cdef void evaluate(const void* tables, const void* state, int seat, double* out) noexcept nogil
cdef void score_actions(const void* tables, const void* state, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil
