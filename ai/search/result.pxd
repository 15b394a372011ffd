# The answer of one search, or of several that ran side by side.
from seatmate.ai.search.core cimport Core, Root
from seatmate.ai.search.tree cimport Node
from seatmate.engine.core.rng cimport Rng

cdef const Node* core_root(const Core* core) noexcept nogil
cdef void add_root(const Core* core, Root* root) noexcept nogil
cdef double standard_error(const Root* root, int i) noexcept nogil
cdef bint root_open(const Core* core, const Root* root, int i) noexcept nogil
cdef int root_best(const Core* core, const Root* root) noexcept nogil
cdef bint plays_average(const Core* core) noexcept nogil
cdef void weigh_by_worth(const Core* core, const Root* root, double noise, double* weights) noexcept nogil
cdef void root_policy(const Core* core, const Root* root, double* shares) noexcept nogil
cdef int core_choose(const Core* core, Rng* rng) noexcept nogil
