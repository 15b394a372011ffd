"""Bots that somebody else wrote: asked by what their seat sees, and what goes wrong is counted and never ends a game.

A decision that such a bot does not take is played by the game's heuristic, in tournaments and at tables.
"""
from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Literal, NoReturn

from seatmate.ai.bots.policy import PolicyHandle
from seatmate.ai.bots.question import Question
from seatmate.ai.bots.settings import PolicySettings
from seatmate.ai.search.stop import StopFlag
from seatmate.engine.core.game import Game, State


@dataclass(slots=True)
class Faults:
    """What a bot did wrong, in decisions.

    crashes: it raised an error, ended or did not start · timeouts: no answer came · illegal: no legal answer · overshoots: the
    answer came later than its time, and was played. All but overshoots were played by the heuristic.
    """

    crashes: int = 0
    timeouts: int = 0
    illegal: int = 0
    overshoots: int = 0

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))

    def add(self, other: Faults) -> None:
        """Count these, too."""
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    def to_json(self) -> dict[str, int]:
        """Those that are not 0."""
        return {field.name: getattr(self, field.name) for field in fields(self) if getattr(self, field.name)}

    @classmethod
    def from_json(cls, values: object) -> Faults:
        """Read what `to_json` wrote. Raises ValueError for anything else."""
        names = {field.name for field in fields(cls)}
        if not isinstance(values, dict) or not names.issuperset(values) or not all(
                type(count) is int and count > 0 for count in values.values()):
            raise ValueError(f"{values!r} are no faults of a bot")
        return cls(**values)


class NoAnswer(Exception):
    """A bot took no decision; `kind` is the field of Faults that counts it."""

    def __init__(self, why: str, kind: Literal["crashes", "timeouts", "illegal"] = "crashes") -> None:
        super().__init__(why)
        self.kind = kind


at_abrupt_end: list[Callable[[], None]] = []
"""Called by a process that ends at once and runs nothing else: what bots have started is to end, too."""


def end_at_once() -> NoReturn:
    """End this process, in the middle of a search too, and what its bots have started."""
    for end in at_abrupt_end:
        end()
    os._exit(0)


class GuardedPolicy(PolicyHandle):
    """Asks a bot that may fail. A kind of it overrides `ask`."""

    fault: str = ""

    def __init__(self, game: Game, settings: PolicySettings) -> None:
        self.faults = Faults()

    def ask(self, question: Question, stop: StopFlag | None) -> object:
        """The bot's answer, which may be anything. Raises NoAnswer, and what the bot raises."""
        raise NotImplementedError

    def take_faults(self) -> Faults:
        """What went wrong since this was called last."""
        found, self.faults = self.faults, Faults()
        return found

    def answer(self, state: State, seat: int, seed: int, stop: StopFlag | None) -> int:
        self.fault = ""
        legal = state.legal_actions(seat)
        if len(legal) == 1:
            return legal[0]
        question = Question(state, seat, seed)
        del state       # whoever climbs up from the bot finds a sampled world
        try:
            action = self.ask(question, stop)
            if isinstance(action, int) and not isinstance(action, bool) and action in legal:
                return legal[legal.index(action)]       # a plain int, whatever the bot's own kind of int is
            raise NoAnswer(f"{str(action)[:80]!r} is no legal action", "illegal")
        except NoAnswer as fault:
            self.fault = str(fault)
            setattr(self.faults, fault.kind, getattr(self.faults, fault.kind) + 1)
        except BaseException as error:      # SystemExit and all that a bot can raise
            if isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread():
                raise       # a person's
            self.fault = _in_words(error)
            self.faults.crashes += 1
        return _best(question, legal)


def _in_words(error: BaseException) -> str:
    """What is said of an error, whose own words may fail, too."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:
        return type(error).__name__


def _best(question: Question, legal: Sequence[int]) -> int:
    """The heuristic's answer. The bot had the question in its hands: where it has spoiled it the first answer is taken."""
    try:
        scores = tuple(question.scores)
        return legal[scores.index(max(scores))]
    except Exception:
        return legal[0]
