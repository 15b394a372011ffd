# What the answers to a question are worth.
from seatmate.engine.core.types cimport action_t
from seatmate.engine.mythos.advice.judgement cimport Judge

cdef float edge_value(const Judge* j, int holder, int seat) noexcept nogil
cdef float hide_value(const Judge* j, int seat, int kind) noexcept nogil
cdef void score_actions(const void* tables, const void* data, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil
