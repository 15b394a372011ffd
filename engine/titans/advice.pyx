"""What answers are worth."""


cdef void score_actions(const void* tables, const void* state, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil:
    cdef int i
    for i in range(n):
        out[i] = 0


cdef action_t quick_action(const void* tables, const void* state, int seat, const action_t* actions, int n,
                           Rng* rng) noexcept nogil:
    return actions[0]
