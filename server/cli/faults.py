"""What bots of somebody else did wrong, for a person."""
from __future__ import annotations

from collections.abc import Mapping

from seatmate.engine.core.spec import counted
from seatmate.server.cli.console import plain, say

_WORDS = {"crashes": "failure", "timeouts": "timeout", "illegal": "illegal answer", "overshoots": "late answer"}


def show_faults(faults: Mapping[str, Mapping[str, int]]) -> None:
    """One line for each bot that did something wrong."""
    for bot, counts in faults.items():
        said = ", ".join(counted(count, _WORDS[kind]) for kind, count in counts.items())
        missed = any(kind != "overshoots" for kind in counts)
        say(f"[yellow]{plain(bot)}: {said}[/yellow]"
            + (": the heuristic played the decisions it did not take" if missed else ""))
