# How long a bot's decisions take, counted by size as they come.
from libc.stdint cimport int64_t

cdef enum:
    WATCH_BINS = 960        # sizes that are told apart: see watch_bin


cdef struct Watch:
    int64_t counts[WATCH_BINS]
    int64_t decisions       # ever
    int64_t longest_ns
    int64_t late            # decisions that took longer than late_ns
    int64_t late_ns         # 0: none is late


cdef class Stopwatch:
    cdef Watch watch


cdef void watch_note(Watch* watch, int64_t ns) noexcept nogil
