"""StopFlag: how another thread ends a running search."""


cdef class StopFlag:
    """Set it from any thread and every search that was given it stops at its next iteration."""

    def __cinit__(self):
        self.raised = 0

    def set(self) -> None:
        """Stop, now and for good."""
        self.raised = 1

    @property
    def is_set(self) -> bool:
        """Has somebody set it?"""
        return self.raised != 0
