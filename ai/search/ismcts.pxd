# MO-ISMCTS: one search of one seat (core.pxd), driven from Cython without the GIL.
from seatmate.ai.search.core cimport Config, Core
from seatmate.engine.core.contract cimport Rules
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.types cimport action_t, uint32_t, uint64_t

cdef void core_sample_world(Core* core, Rng* rng) noexcept nogil
cdef uint64_t core_node_key(Core* core, int seat) noexcept nogil
cdef void core_act(Core* core, int seat, action_t action, Rng* rng) noexcept nogil
cdef int legal_at_root(const Core* core, action_t* legal) noexcept nogil
cdef bint match_edges(Core* core, uint32_t slot, int seat, const action_t* legal, int n, uint32_t* edges) noexcept nogil
cdef uint32_t expand(Core* core, uint64_t key, int seat, const action_t* legal, int n) noexcept nogil
cdef int best_score(const double* scores, int n) noexcept nogil
cdef bint rollout(Core* core, double* utilities) noexcept nogil
cdef int deciding_seat(const Core* core, uint32_t pending) noexcept nogil
cdef action_t heuristic_action(const Rules* rules, const void* tables, const void* state, int seat,
                               const action_t* actions, int n) noexcept nogil
cdef action_t rollout_action(const Rules* rules, const void* tables, const void* state, int seat,
                             const action_t* actions, int n, Rng* rng) noexcept nogil
cdef void fill_policy(const Config* config, const double* scores, int n, float* priors, float* biases) noexcept nogil
cdef void write_edges(Core* core, uint32_t slot, const action_t* legal, int n,
                      const float* priors, const float* biases) noexcept nogil
cdef void start_baseline(Core* core) noexcept nogil
cdef void iterate(Core* core) noexcept nogil
cdef double win_share(const double* utilities, int seats, int seat) noexcept nogil
