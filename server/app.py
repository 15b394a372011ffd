"""The `seatmate` command."""
from __future__ import annotations

import sys

from seatmate.server.cli.main import run


def main() -> None:
    """Entry point: run the command line and leave with its exit code."""
    sys.exit(run(sys.argv[1:]))
