"""Ranked suggestions with their reasons, for a person in a terminal."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from seatmate.engine.core.spec import Unit, words
from seatmate.server.cli.console import out, plain, say

if TYPE_CHECKING:
    from seatmate.ai.search import Analysis, Candidate, Limits

DEFAULT_TIME_MS = 1000.0
"""Budget of a hint nobody has set a budget for."""

TOP = 5
"""Suggestions that are shown."""

FOLLOWING = 3
"""Moves of the expected continuation that are shown."""

NO_VALUE = "-"
"""The value of a suggestion that was never looked at."""

LEGEND = {
    "leads to:": "\"leads to\": after everybody has played on until nothing is under way.",
    "at first sight": "\"at first sight\": how the position looks before anybody plays on.",
    "perhaps": "\"perhaps\": it depends on what you can't see.",
    "unlike": "\"unlike\": compared with another suggestion than usual.",
}
"""What words of a hint mean."""


def limits(iterations: int | None, time_ms: float | None) -> Limits:
    """The budget of the command line, or the default when there is none."""
    from seatmate.ai.search import Limits

    if iterations is None and time_ms is None:
        time_ms = DEFAULT_TIME_MS
    return Limits(iterations=iterations, time_ms=time_ms)


def show(analysis: Analysis, *, top: int = TOP, numbers: Sequence[int] | None = None, explained: bool = True) -> None:
    """Print the best candidates. `numbers`: the seat's legal actions in the order they were numbered for the person,
    so that the hint names the number to type. explained: say what the columns and words mean."""
    unit = analysis.unit
    shown = analysis.candidates[:top]
    named = [numbers.index(one.action) + 1 if numbers is not None else rank for rank, one in enumerate(shown, start=1)]
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("", justify="right")
    table.add_column("Suggestion")
    table.add_column(unit.heading, justify="right")
    table.add_column("Looked at", justify="right")
    mixed = any(0 < one.policy < 1 for one in shown)
    if mixed:
        table.add_column("Played", justify="right")
    for rank, (number, candidate) in enumerate(zip(named, shown, strict=True)):
        table.add_row(Text(str(number), "cyan"), _reasoned(candidate, best=rank == 0), candidate.value_text(unit) or NO_VALUE,
                      f"{candidate.visit_share:.0%}", *([f"{candidate.policy:.0%}"] if mixed else []))
    out().print(table)
    tied = [str(number) for number, candidate in zip(named, shown, strict=True) if candidate.tied]
    if len(tied) > 1:
        say(f"{words(tied)}: this search can't tell them apart.")
    if explained:
        say(f"[dim]{plain(explanation(shown, unit))}[/dim]")


def explanation(shown: Sequence[Candidate], unit: Unit) -> str:
    """What the columns mean, and those words of the suggestions that need it."""
    texts = [text for candidate in shown for text in candidate.reasons] + list(shown[0].principal_variation[1:1 + FOLLOWING])
    told = [f"{unit.heading}: {unit.doc or unit.name}, ± for 95 of 100 cases. The first suggestion is compared with the second, "
            "all others with the first; + speaks for a suggestion, - against it."]
    told += [sentence for word, sentence in LEGEND.items() if any(word in text for text in texts)]
    if any(0 < candidate.policy < 1 for candidate in shown):
        told.append("Played: how often a bot would play it; the best play is a mixture.")
    if any(candidate.value_text(unit).endswith("?") for candidate in shown):
        told.append("?: looked at too rarely to say.")
    if any(candidate.value is None for candidate in shown):
        told.append(f"{NO_VALUE}: never looked at.")
    return " ".join(told)


def _reasoned(candidate: Candidate, *, best: bool) -> Group:
    """The label, below it the reasons, and for the best one what is expected to follow."""
    lines: list[RenderableType] = [Text(candidate.label, "bold" if best else "")]
    lines += [Padding(Text(f"{'+' if reason.favourable else '-'} {reason.text}", "green" if reason.favourable else "yellow"),
                      (0, 0, 0, 2)) for reason in candidate.why]
    if best and len(candidate.principal_variation) > 1:
        following = "; ".join(candidate.principal_variation[1:1 + FOLLOWING])
        lines.append(Padding(Text(f"then {following}", "dim"), (0, 0, 0, 2)))
    return Group(*lines)
