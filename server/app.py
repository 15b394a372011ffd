"""The `seatmate` command."""
from __future__ import annotations

import sys


def main() -> None:
    """Entry point: run the command line and leave with its exit code."""
    try:
        from seatmate.server.cli.main import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:       # Ctrl-C while Python is still loading
        code = 130
    sys.exit(code)
