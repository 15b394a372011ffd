"""Times of decisions, by size: sixteen sizes between a time and twice the time, so that quantiles are right within 3 %."""


cdef int watch_bin(int64_t ns) noexcept nogil:
    """The size of a time: the time itself below 16 ns, then the four bits behind the first one, octave by octave."""
    cdef int shift = 0
    while ns >> shift >= 32:
        shift += 1
    return <int> (ns >> shift) + 16 * shift if ns >= 0 else 0


cdef void watch_note(Watch* watch, int64_t ns) noexcept nogil:
    """Count a decision."""
    watch.counts[watch_bin(ns)] += 1
    watch.decisions += 1
    if ns > watch.longest_ns:
        watch.longest_ns = ns
    if watch.late_ns and ns > watch.late_ns:
        watch.late += 1


cdef class Stopwatch:
    """The times of one bot's decisions. late_ns: longer ones are late; 0: none is."""

    def __cinit__(self, late_ns: int = 0):
        self.watch.late_ns = late_ns

    @property
    def decisions(self) -> int:
        """How many were ever counted."""
        return self.watch.decisions

    def note(self, ns: int) -> None:
        """Count a decision that took so long."""
        watch_note(&self.watch, ns)

    def take(self) -> tuple[dict[int, int], int, int]:
        """(decisions by size, longest in ns, how many were late) since this was called last; see `bin_edges`."""
        cdef int size
        counts = {size: self.watch.counts[size] for size in range(WATCH_BINS) if self.watch.counts[size]}
        found = counts, self.watch.longest_ns, self.watch.late
        for size in range(WATCH_BINS):
            self.watch.counts[size] = 0
        self.watch.longest_ns = self.watch.late = 0
        return found


def bin_edges(size: int) -> tuple[int, int]:
    """(least, most) time of a size in ns, the latter excluded."""
    shift = max(size // 16 - 1, 0)
    return (size - 16 * shift) << shift, (size - 16 * shift + 1) << shift
