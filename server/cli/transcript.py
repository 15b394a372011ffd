"""A game as a person likes to read it: events in words, the board from time to time, hints with their reasons."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.rule import Rule
from rich.text import Text

from seatmate.server.cli.console import out, plain, say

if TYPE_CHECKING:
    from seatmate.engine.core.game import Game, SeenEvent
    from seatmate.v1.analysis_pb2 import Analysis

BOARD_AFTER_LINES = 40
"""The board is shown again when so many lines have been printed since, at the observer's next decision."""

CLEAR_LEAD = 0.005
"""A hint whose best answer leads by more than this (utility) is worth its reasons."""

SEAT_STYLES = ("cyan", "green", "yellow", "magenta", "blue", "red", "bright_cyan", "bright_green")


class Transcript:
    """Prints what one seat sees. The board is rebuilt from the seat's events alone, as any client could."""

    def __init__(self, game: Game, seat: int) -> None:
        self.game = game
        self.seat = seat
        self.view = game.new_view(seat)
        self.lines = 0
        self._board_at: int | None = None
        self._actor: int | None = None
        self._headed: int | None = None

    def event(self, event: SeenEvent) -> bool:
        """Take the next event. True when a line was printed."""
        self.view.feed([event])
        if event.key == "BUSY":
            self._actor = self.view.asked[0] if len(self.view.asked) == 1 else None
        text = self.game.event_text(event, self.seat)
        if not text:
            return False
        if self._headed != self._actor:
            say()
        self._headed = self._actor
        style = "dim" if self._actor is None else SEAT_STYLES[self._actor % len(SEAT_STYLES)]
        self.line(f"[{style}]│[/{style}] {plain(text)}")
        return True

    def line(self, markup: str) -> None:
        """Print a line that counts."""
        say(markup)
        self.lines += 1

    def board(self, *, always: bool = False) -> None:
        """Show the board if it has not been shown for a while."""
        if always or self._board_at is None or self.lines - self._board_at >= BOARD_AFTER_LINES:
            say()
            for line in self.game.board_lines(self.view.snapshot(), self.seat):
                say(f"    {line}")
            self._board_at = self.lines

    def decision(self, question: str, analysis: Analysis, count: int) -> None:
        """A decision of the seat: its question and what the hint says; `count` actions were legal."""
        best, *others = analysis.candidates
        style = SEAT_STYLES[self.seat % len(SEAT_STYLES)]
        if count == 1:
            self.line(f"[{style}]│ ▸[/{style}] {plain(best.action.label)} [dim](nothing else is possible)[/dim]")
            return
        told = best.reasons and (not others or best.value - others[0].value > CLEAR_LEAD)
        if not told:
            self.line(f"[{style}]│ ▸[/{style}] {plain(question)} [bold]{plain(best.action.label)}[/bold] "
                      f"[dim]{_numbers(analysis, 0)}[/dim]")
            return
        say(f"[{style}]│ ▸[/{style}] {plain(question)} [dim]hint after {analysis.iterations:,} iterations, "
            f"{analysis.elapsed_ms:.0f} ms, {count} answers[/dim]")
        width = max(len(candidate.action.label) for candidate in analysis.candidates[:3])
        for rank, candidate in enumerate(analysis.candidates[:3]):
            label = f"{candidate.action.label:<{width}}"
            label = f"[bold]{plain(label)}[/bold]" if rank == 0 else plain(label)
            self.line(f"[{style}]│[/{style}]     {rank + 1}. {label}  [dim]{_numbers(analysis, rank)}[/dim]")
            if rank == 0:
                for reason in candidate.reasons:
                    self.line(f"[{style}]│[/{style}]          [green]{plain(reason)}[/green]")


def _numbers(analysis: Analysis, rank: int) -> str:
    candidate = analysis.candidates[rank]
    wins = f", wins {candidate.win_probability:.0%}" if candidate.HasField("win_probability") else ""
    return f"value {candidate.value:.3f} ± {1.96 * candidate.standard_error:.3f}{wins}, {candidate.visit_share:.0%} of visits"


def heading(text: str) -> None:
    """A heading over the full width of a terminal, a plain line elsewhere."""
    say()
    if out().is_terminal:
        out().print(Rule(Text(text, "bold"), align="left", style="dim"))
    else:
        say(f"== {plain(text)} ==")


def facts(rows: Sequence[tuple[str, str]]) -> None:
    """Names and values, one pair per line."""
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        say(f"  [dim]{plain(name):<{width}}[/dim]  {plain(value)}")
