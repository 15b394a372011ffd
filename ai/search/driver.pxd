# Driving a Core from Cython without the GIL.
#
# Lifetimes: core_init once; core_begin for each decision to search (it may go on with the tree of the one before);
# core_run any number of times after it (the tree goes on growing); core_free at the end. A core is used by one thread at a time.
from libc.stdint cimport int64_t

from seatmate.ai.search.core cimport Config, Core
from seatmate.ai.search.stop cimport flag_t
from seatmate.engine.core.contract cimport Rules
from seatmate.engine.core.past cimport Past
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t, uint32_t

cdef bint core_init(Core* core, const Rules* rules, const void* tables, int seats, const Config* config,
                    uint32_t max_nodes) noexcept nogil
cdef void core_free(Core* core) noexcept nogil
cdef bint core_begin(Core* core, const void* state, int seat, const Rng* rng, uint32_t max_nodes, const Past* past,
                     const Sink* seen, bint follow, const action_t* only, int n_only) noexcept nogil
cdef void core_forget(Core* core) noexcept nogil
cdef bint core_full(const Core* core) noexcept nogil
cdef int64_t core_run(Core* core, int64_t iterations, int64_t pause_ns, int64_t deadline_ns, flag_t* stop) noexcept nogil
cdef int64_t now_ns() noexcept nogil
