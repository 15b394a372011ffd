"""What positions and answers are worth."""
from seatmate.engine.mythos.model cimport P_OVER, Mythos
from seatmate.engine.mythos.rules cimport returns


cdef void evaluate(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    cdef const Mythos* h = <const Mythos*> state
    if h.phase == P_OVER:
        returns(tables, state, out)
        return
    out[0] = 0.5 + 0.01 * (h.points[0] - h.points[1])
    if out[0] < 0:
        out[0] = 0
    if out[0] > 1:
        out[0] = 1
    out[1] = 1 - out[0]


cdef void score_actions(const void* tables, const void* state, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil:
    cdef int i
    for i in range(n):
        out[i] = 0
