# One decision by search, for other kinds that look ahead.
from libc.stdint cimport int64_t

from seatmate.ai.bots.policy cimport PolicyHandle
from seatmate.ai.search.core cimport Core
from seatmate.ai.search.stop cimport flag_t
from seatmate.engine.core.past cimport Past
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport uint32_t


cdef struct Thinking:
    Core core
    bint reuse
    int64_t iterations      # -1: no limit
    int64_t time_ns         # 0: no limit
    uint32_t nodes
    int depth               # decisions of the longest path in the trees; 0: no limit
    int chosen              # index of the last choice among the root's actions; -1: it was taken without a search


cdef class SearchPolicy(PolicyHandle):
    """A search per decision; in several threads only Python's `choose` answers."""

    cdef Thinking* thinking     # NULL: in several threads
    cdef object calibration     # of what it says; None: none


cdef bint think(Thinking* thinking, const void* state, int seat, Rng* rng, const Past* past, const Sink* seen,
                flag_t* stop) noexcept nogil
