class StopFlag:
    """Set it from any thread and every search that was given it stops at its next iteration."""

    def set(self) -> None:
        """Stop, now and for good."""

    @property
    def is_set(self) -> bool:
        """Has somebody set it?"""
