"""Ranked suggestions with their reasons, for a person in a terminal."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from seatmate.server.cli.console import out

if TYPE_CHECKING:
    from seatmate.ai.search import Analysis, Candidate, Limits

DEFAULT_TIME_MS = 1000.0
"""Budget of a hint nobody has set a budget for."""

TOP = 5
"""Suggestions that are shown."""

FOLLOWING = 3
"""Moves of the expected continuation that are shown."""


def limits(iterations: int | None, time_ms: float | None) -> Limits:
    """The budget of the command line, or the default when there is none."""
    from seatmate.ai.search import Limits

    if iterations is None and time_ms is None:
        time_ms = DEFAULT_TIME_MS
    return Limits(iterations=iterations, time_ms=time_ms)


def show(analysis: Analysis, *, top: int = TOP, numbers: Sequence[int] | None = None) -> None:
    """Print the best candidates. `numbers`: the seat's legal actions in the order they were numbered for the person,
    so that the hint names the number to type."""
    wins = any(candidate.win_probability is not None for candidate in analysis.candidates)
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("", justify="right")
    table.add_column("Suggestion")
    table.add_column("Value", justify="right")
    table.add_column("±", justify="right", style="dim")
    if wins:
        table.add_column("Wins", justify="right")
    table.add_column("Looked at", justify="right")
    for rank, candidate in enumerate(analysis.candidates[:top]):
        number = numbers.index(candidate.action) + 1 if numbers is not None else rank + 1
        row: list[RenderableType] = [Text(str(number), "cyan"), _reasoned(candidate, best=rank == 0),
               *(("-", "-") if candidate.value is None else (f"{candidate.value:.3f}", f"{1.96 * candidate.standard_error:.3f}"))]
        if wins:
            row.append("-" if candidate.win_probability is None else f"{candidate.win_probability:.0%}")
        table.add_row(*row, f"{candidate.visit_share:.0%}")
    out().print(table)


def _reasoned(candidate: Candidate, *, best: bool) -> Group:
    """The label, below it the reasons, and for the best one what is expected to follow."""
    lines: list[RenderableType] = [Text(candidate.label, "bold" if best else "")]
    lines += [Padding(Text(reason, "green"), (0, 0, 0, 2)) for reason in candidate.reasons]
    if best and len(candidate.principal_variation) > 1:
        following = "; ".join(candidate.principal_variation[1:1 + FOLLOWING])
        lines.append(Padding(Text(f"then {following}", "dim"), (0, 0, 0, 2)))
    return Group(*lines)
