"""A table in the terminal: one person, the other seats bots, everything in this process."""
from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.text import Text

from seatmate.engine.core.spec import counted
from seatmate.server.cli import advice
from seatmate.server.cli.console import out, plain, say
from seatmate.server.cli.narrator import Narrator
from seatmate.server.cli.thinking import think

if TYPE_CHECKING:
    from seatmate.ai.bots import Bot
    from seatmate.engine.core.game import State

COLUMNS_FROM = 9
"""From so many answers on they are set in columns, if at least two fit."""

LONGEST_NUMBER = 9
"""Digits of an answer that is read as a number; no game has so many."""

SHORTEST_TEXT = 3
"""A slip of the finger is no answer: a part of a label counts from this length on."""

HELP = (
    ("a number", "choose that answer"),
    ("some text", "choose the only answer that contains it"),
    ("?", "a hint, with reasons; it uses only what you may know"),
    ("b", "show the table again"),
    ("i NAME", "what a word means, or what a card does (by its name, or by its place, such as #3)"),
    ("l", "how to read the table, and where the rules are"),
    ("u", "why there is no undo"),
    ("q", "quit"),
)

NO_UNDO = ("There is no undo: your answer may have shown you a hidden card, and the others have seen it and played on. "
           "What has been seen can't be unseen, so the game only goes forward.")


class Quit(Exception):
    """The person leaves the table."""


@dataclass
class Table:
    """A running game. `run` plays it to its end or raises Quit."""

    state: State
    you: int
    names: dict[int, str]       # bot of each other seat
    bots: dict[int, Bot]
    hint_ms: float
    hint_seed: int
    seed: int
    kept: bool = False      # is the game written to a file, from which it can go on?
    _seen: int = field(default=0, init=False)       # events already shown
    _hints: int = field(default=0, init=False)
    _changed: bool = field(default=True, init=False)    # has another seat acted since the board was shown?
    _narrator: Narrator = field(default_factory=lambda: Narrator(lambda text: say(plain(text), indent=2)), init=False)

    def run(self) -> None:
        """Play until the game is over. Raises Quit."""
        game = self.state.game
        others = ", ".join(f"seat {seat} {name}" for seat, name in self.names.items())
        say(f"[bold]{plain(game.spec.title)}[/bold] · you are [bold]seat {self.you}[/bold] of {game.seats} · "
            f"{plain(others)}")
        say("[dim]h lists the commands[/dim]")
        if self.state.actions:
            say(f"The game goes on after {counted(len(self.state.actions), 'action')}.")
            self._seen = self.state.events(self.you)[-1].sequence
        self._tell_events()
        while not self.state.is_over:
            pending = self.state.pending
            bot_seat = next((seat for seat in pending if seat != self.you), None)
            if bot_seat is not None:
                self._bot_acts(bot_seat)
            else:
                self._you_act()
        self._narrator.flush()
        say()
        self._show_board()
        say()
        say(f"[bold]{plain(game.result_text(self.state))}[/bold]")
        say(f"[dim]The same deal again: --seed {self.seed}[/dim]")

    def _bot_acts(self, seat: int) -> None:
        bot = self.bots[seat]
        text = f"Seat {seat} ({self.names[seat]}) is thinking ..."
        action = think(lambda stop: bot.choose(self.state, seat, stop=stop), text)
        if bot.fault:
            say(f"[yellow]{plain(self.names[seat])} failed ({plain(bot.fault)}); the heuristic answers for it[/yellow]", indent=2)
        self.state.apply_action(seat, action)
        self._tell_events()
        self._changed = True

    def _you_act(self) -> None:
        legal = self.state.legal_actions(self.you)
        labels = [self.state.action_label(self.you, action) for action in legal]
        if len(legal) == 1:     # nothing to decide; the events tell what happened
            self._answer(legal[0])
            return
        self._narrator.flush()
        if self._changed:
            say()
            self._show_board()
        self._show_question(labels)
        while True:
            answer = self._ask(len(legal))
            if answer == "?":
                self._hint(legal)
            elif answer in ("b", "board"):
                self._show_board()
                self._show_question(labels)
            elif answer == "i" or answer.startswith("i "):
                self._describe(answer[1:].strip())
            elif answer in ("h", "help"):
                for key, meaning in HELP:
                    say(f"  [cyan]{key:<10}[/cyan] {meaning}", hang=11)
            elif answer in ("l", "legend"):
                self._explain()
            elif answer in ("u", "undo"):
                say(NO_UNDO)
            elif answer in ("q", "quit"):
                if self._really_quit():
                    raise Quit
            else:
                choice = self._match(answer, labels)
                if choice is not None:
                    self._answer(legal[choice])
                    return

    def _answer(self, action: int) -> None:
        self.state.apply_action(self.you, action)
        self._tell_events()

    def _match(self, answer: str, labels: list[str]) -> int | None:
        """The index of the answer, or None after saying what is wrong with it."""
        if answer.isascii() and answer.lstrip("+-").isdecimal():
            if len(answer) <= LONGEST_NUMBER and 1 <= int(answer) <= len(labels):
                return int(answer) - 1
            shown = answer if len(answer) <= LONGEST_NUMBER else f"{answer[:LONGEST_NUMBER]}..."
            say(f"There is no answer {plain(shown)}; the answers are 1 to {len(labels)}.")
            return None
        if not answer:
            return None
        exact = [index for index, label in enumerate(labels) if label.lower() == answer]
        found = [index for index, label in enumerate(labels) if answer in label.lower()]
        if len(answer) < SHORTEST_TEXT:
            found = exact
        if len(found) == 1 or exact:
            return (exact or found)[0]
        if found:
            say(f"{plain(repr(answer))} fits {len(found)} answers; type more of it, or the number.")
        else:
            say(f"No answer contains {plain(repr(answer))}; type a number from 1 to {len(labels)}, or h for help.")
        return None

    def _ask(self, answers: int) -> str:
        return read_line(f"Your answer (1-{answers}, ? for a hint, h for help): ").lower()

    def _describe(self, text: str) -> None:
        """Look up a word or a card; only what the person may know is looked up by place."""
        lines = self.state.game.describe(self.state.observation(self.you), self.you, text)
        for line in lines:
            say(line)
        if not lines:
            say(f"There is nothing to look up for {plain(repr(text))}." if text else "Say what to look up: i NAME.")

    def _explain(self) -> None:
        game = self.state.game
        for line in game.legend():
            say(line, indent=2)
        say(f"The rules: seatmate games {plain(game.spec.id)} --rules")

    def _really_quit(self) -> bool:
        how = "The same command goes on with it." if self.kept else "It can't be resumed."
        return read_line(f"Leave the game? {how} (y/n) ").lower() in ("y", "yes")

    def _hint(self, legal: list[int]) -> None:
        from seatmate.ai.search import Limits, Search

        self._hints += 1
        search = Search(self.state, self.you, seed=self.hint_seed + self._hints)
        analysis = think(lambda stop: search.run(Limits(time_ms=self.hint_ms), stop), "Looking for a hint ...")
        advice.show(analysis, top=3, numbers=legal, explained=self._hints == 1)

    def _tell_events(self) -> None:
        for event in self.state.events(self.you, self._seen):
            self._seen = event.sequence
            text = self.state.game.event_text(event, self.you)
            if text:
                self._narrator.tell(text)

    def _show_board(self) -> None:
        self._changed = False
        for line in self.state.game.board_lines(self.state.observation(self.you), self.you):
            say(line)

    def _show_question(self, labels: list[str]) -> None:
        say()
        say(f"[bold]{plain(self.state.question_text(self.you))}[/bold]")
        width = len(str(len(labels)))
        if len(labels) >= COLUMNS_FROM and 2 * (max(map(len, labels)) + width + 6) <= out().width:
            out().print(Columns([Text.assemble((f"  {number:>{width}}", "cyan"), f"  {label}")
                                 for number, label in enumerate(labels, start=1)], padding=(0, 2), column_first=True))
        else:
            for number, label in enumerate(labels, start=1):
                say(f"[cyan]{number:>{width}}[/cyan]  {plain(label)}", indent=2, hang=width + 2)

    def say_saved(self, path: Path) -> None:
        """Tell where the record went."""
        length = len(self.state.actions)
        say(f"[dim]Record with {length} action{'' if length == 1 else 's'}: {plain(str(path))}[/dim]")


def read_line(question: str) -> str:
    """One line of stdin without surrounding blanks. Raises Quit at its end.

    From a pipe the line is repeated on stdout, so that a transcript shows what was answered.
    """
    sys.stdout.write(question)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        say()
        raise Quit
    if not sys.stdin.isatty():
        say(plain(line.strip()))
    return line.strip()
