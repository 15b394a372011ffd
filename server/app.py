"""The `seatmate` command."""


def main() -> None:
    """Entry point."""
