"""A game as a person likes to read it: events in words, the board from time to time, hints with their reasons."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.rule import Rule
from rich.text import Text

from seatmate.server.cli.console import out, plain, say
from seatmate.server.cli.narrator import Narrator

if TYPE_CHECKING:
    from seatmate.engine.core.game import Game, SeenEvent
    from seatmate.v1.analysis_pb2 import Analysis

BOARD_AFTER_LINES = 25
"""The board is shown again at the observer's next turn when so many lines have been printed since."""

CLEAR_LEAD = 0.01
"""A suggestion that leads by more than this (utility, two standard errors aside) is worth its reasons."""

SUGGESTIONS = 3

SEAT_STYLES = ("cyan", "green", "yellow", "magenta", "blue", "red", "bright_cyan", "bright_green")


class Transcript:
    """Prints what one seat sees. The board is rebuilt from the seat's events alone, as any client could."""

    def __init__(self, game: Game, seat: int) -> None:
        self.game = game
        self.seat = seat
        self.view = game.new_view(seat)
        self.lines = 0
        self._narrator = Narrator(self._show)
        self._arguments = {event.key: event.args for event in game.spec.events}
        self._board_at: int | None = None
        self._actor: int | None = None      # whose event is being told; None: the table's
        self._ours = False                  # are the lines being printed those of our own turn?
        self._note = ""                     # the figures behind our own next line

    def event(self, event: SeenEvent) -> None:
        """Take the next event of the seat."""
        self.view.feed([event])
        text = self.game.event_text(event, self.seat)
        if not text:
            return
        actor = event.args[0] if self._arguments[event.key][:1] == ("seat",) else None
        if actor != self._actor:
            self._narrator.flush()
        self._actor = actor
        self._narrator.tell(text)

    def decision(self, question: str, analysis: Analysis, count: int) -> None:
        """Our seat decides: `count` actions were legal and the best candidate will be played."""
        self.flush()
        if not self._ours:
            say()
        self._ours = True
        if count == 1:
            return
        best, *others = analysis.candidates[:SUGGESTIONS]
        leads = not others or best.value - others[0].value > CLEAR_LEAD
        if not (leads and best.reasons):
            self._note = f"hint: {_figures(analysis, 0)}"
            return
        self._line(self.seat, f"[bold]?[/bold] {plain(question)}  [dim]hint of {analysis.elapsed_ms:.0f} ms, "
                              f"{analysis.iterations:,} iterations, {count} answers[/dim]")
        width = max(len(candidate.action.label) for candidate in (best, *others))
        for rank, candidate in enumerate((best, *others)):
            label = plain(f"{candidate.action.label:<{width}}")
            self._line(self.seat, f"  {rank + 1}. {f'[bold]{label}[/bold]' if rank == 0 else label}  "
                                  f"[dim]{_figures(analysis, rank)}[/dim]")
            if rank == 0:
                for reason in candidate.why:
                    mark, style = ("+", "green") if reason.favourable else ("-", "yellow")
                    self._line(self.seat, f"     [{style}]{mark} {plain(reason.text)}[/{style}]")

    def board(self, *, always: bool = False) -> None:
        """Show the board if our turn begins and it has not been shown for a while."""
        self.flush()
        stale = self._board_at is None or self.lines - self._board_at >= BOARD_AFTER_LINES
        if always or (stale and not self._ours):
            say()
            for line in self.game.board_lines(self.view.snapshot(), self.seat):
                say(line)
            self._board_at = self.lines

    def flush(self) -> None:
        """Print what has been held back."""
        self._narrator.flush()

    def _show(self, text: str) -> None:
        if self._ours and self._actor != self.seat:
            say()
            self._ours = False
        note = ""
        if self._actor == self.seat and self._note:
            note, self._note = f"  [dim]{self._note}[/dim]", ""
        self._line(self._actor, plain(text) + note)

    def _line(self, actor: int | None, markup: str) -> None:
        style = "bold" if actor is None else SEAT_STYLES[actor % len(SEAT_STYLES)]
        say(markup, mark=f"[{style}]{'◆' if actor is None else '│'}[/{style}] ")
        self.lines += 1


def _figures(analysis: Analysis, rank: int) -> str:
    candidate = analysis.candidates[rank]
    told = f"{analysis.value_name} {candidate.value_text}" if candidate.HasField("value") else "never looked at"
    return f"{told}, looked at {candidate.visit_share:.0%}"


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
