class Stopwatch:
    """The times of one bot's decisions. late_ns: longer ones are late; 0: none is."""

    decisions: int
    def __init__(self, late_ns: int = 0) -> None: ...
    def note(self, ns: int) -> None:
        """Count a decision that took so long."""
    def take(self) -> tuple[dict[int, int], int, int]:
        """(decisions by size, longest in ns, how many were late) since this was called last; see `bin_edges`."""

def bin_edges(size: int) -> tuple[int, int]:
    """(least, most) time of a size in ns, the latter excluded."""
