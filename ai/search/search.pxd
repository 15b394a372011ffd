# Search as Python sees it, and SearchParams compiled for the loop.
from libc.stdint cimport int64_t

from seatmate.ai.search.core cimport Config, Core, Root
from seatmate.engine.core.game cimport Game, State
from seatmate.engine.core.types cimport uint64_t

cdef int fill_config(Config* config, object params) except -1


cdef class Search:
    cdef Core* cores            # one per thread
    cdef Core* core             # the first of them
    cdef readonly int threads
    cdef int64_t wanted         # iterations asked for so far
    cdef bint halted            # the workers shall end
    cdef bint finished          # the first worker has come to its end
    cdef readonly Game game
    cdef readonly int seat
    cdef readonly object seed
    cdef readonly object params
    cdef public object calibration  # of the values that are shown, for these settings and the game's own params; None: none
    cdef str prompt
    cdef list labels
    cdef list args
    cdef int64_t elapsed_ns
    cdef list counted           # simulations of each thread where the sharing out of `wanted` began
    cdef uint64_t words[3]      # streams of the explanations and of the choice
    cdef bint running

    cdef int64_t decisions      # followed after the first

    cdef int64_t done_since(self, int worker) except -1
    cdef int begin(self, State state, int worker, tuple stream, list only, object word) except -1
    cdef int draw_words(self, tuple stream) except -1
    cdef int read_root(self) except -1
    cdef int check_idle(self) except -1
    cdef void add_up(self, Root* root) noexcept
    cdef tuple candidates(self)
    cdef int calibrate(self, dict row) except -1
    cdef uint64_t opening(self) except? 0
    cdef list reasons(self, list rows)
