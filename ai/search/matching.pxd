from seatmate.ai.search.core cimport Core, Step
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.types cimport uint32_t

cdef void regret_policy(const Core* core, const uint32_t* edges, int n, double* policy) noexcept nogil
cdef int draw(const double* policy, int n, Rng* rng) noexcept nogil
cdef bint is_joint(const Core* core, uint32_t pending) noexcept nogil
cdef int select_joint(Core* core, const uint32_t* edges, int n) noexcept nogil
cdef void update_regrets(Core* core, const Step* step, double utility) noexcept nogil
