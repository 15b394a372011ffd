# Domain knowledge of Hyde (section 11) as contract functions.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.types cimport action_t
from seatmate.engine.hyde.rules.model cimport Book

cdef void prepare(Book* t) noexcept nogil
cdef void evaluate(const void* tables, const void* data, int seat, double* out) noexcept nogil
cdef void score_actions(const void* tables, const void* data, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil
cdef action_t quick_action(const void* tables, const void* data, int seat, const action_t* actions, int n,
                           Rng* rng) noexcept nogil
cdef bint quiet(const void* tables, const void* data) noexcept nogil
cdef int features(const void* tables, const void* data, int seat, double* out) noexcept nogil
