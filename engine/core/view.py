"""View: what one observer knows, folded from its events alone."""
from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from math import inf
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.errors import BrokenGameError
from seatmate.engine.core.spec import GameSpec

if TYPE_CHECKING:
    from seatmate.engine.core.game import SeenEvent

NOBODY = 255
"""Stands where an event is about no seat."""


def without_question(observation: Mapping[str, Any]) -> dict[str, Any]:
    """The game's own part of an observation: all but who is asked what."""
    return {key: value for key, value in observation.items() if key not in ("asked", "question", "prompt")}


def _where(event: SeenEvent) -> str:
    return f"event {event.sequence}, {event.key},"


class View:
    """Folds an observer's events; `snapshot()` equals `State.observation(observer)` at any time.

    A game subclasses it: `apply(key, args)` takes one of the game's own events, `body()` answers its part of the
    snapshot.
    """

    def __init__(self, spec: GameSpec, seats: int, observer: int) -> None:
        self.spec = spec
        self.seats = seats
        self.observer = observer
        self.sequence = 0
        self.asked: list[int] = []
        self.question: str | None = None
        self.prompt: str | None = None
        self.kinds = spec.kinds()
        self._known = (*range(seats), NOBODY)
        self._wanted: dict[str, tuple[int, float, list[int]]] = {}      # by kinds that have come

    def feed(self, events: Iterable[SeenEvent]) -> None:
        """Take the next events. Raises ValueError when one is missing or out of order, or has numbers that no game tells."""
        for event in events:
            if event.sequence != self.sequence + 1:
                raise ValueError(f"event {event.sequence} does not follow event {self.sequence}")
            self._check(event)
            self.sequence = event.sequence
            try:
                self._take(event)
            except (ArithmeticError, AttributeError, BrokenGameError, LookupError, TypeError, struct.error) as error:
                raise ValueError(f"event {event.sequence}, {event.key}, has numbers that no game tells: {event.args}") from error

    def _check(self, event: SeenEvent) -> None:
        """As many numbers as its kind has, and seats of the table. Raises ValueError."""
        least, most, seats = self._wanted.get(event.key) or self._wants(event)
        args = event.args
        if not least <= len(args) <= most:
            raise ValueError(f"{_where(event)} has {len(args)} numbers, not {least}{' or more' if most > least else ''}")
        for place in seats:
            if place < len(args) and args[place] not in self._known:
                raise ValueError(f"{_where(event)} is about seat {args[place]}; the seats are 0..{self.seats - 1}")
        if event.key == "BUSY" and args[0] >> self.seats:
            raise ValueError(f"{_where(event)} asks seats that are not there: {args[0]}")

    def _wants(self, event: SeenEvent) -> tuple[int, float, list[int]]:
        """The fewest and the most numbers of the event's kind, and which of them are seats. Raises ValueError."""
        kind = self.kinds.get(event.key)
        if kind is None:
            raise ValueError(f"{_where(event)} is no event of {self.spec.id}")
        least = len(kind.args) - kind.optional
        wanted = least, inf if kind.optional else least, [place for place, name in enumerate(kind.args) if name == "seat"]
        self._wanted[event.key] = wanted
        return wanted

    def _take(self, event: SeenEvent) -> None:
        if event.key == "ASK":
            self.prompt = self.spec.prompt(event.args[0]).key
            self.on_prompt()
        elif event.key == "BUSY":
            self.asked = [seat for seat in range(self.seats) if event.args[0] >> seat & 1]
            self.question = self.spec.public_key(event.args[1]) if self.asked else None
            self.prompt = None
            self.on_asked()
        elif event.key == "CHOICE":
            self.prompt = None
            self.choose(self.spec.prompt(event.args[0]).key, event.args[1])
        else:
            self.apply(event.key, event.args)

    def on_asked(self) -> None:
        """Called after `asked` and `question` have changed."""

    def on_prompt(self) -> None:
        """Called after the observer's own `prompt` is known."""

    def choose(self, prompt: str, action: int) -> None:
        """The observer's own answer; most games learn nothing from it that their events do not say."""

    def apply(self, key: str, args: tuple[int, ...]) -> None:
        """One event of the game."""
        raise NotImplementedError

    def body(self) -> dict[str, Any]:
        """The game's part of the observation."""
        raise NotImplementedError

    def snapshot(self) -> dict[str, Any]:
        """The whole observation as State.observation gives it."""
        return {"asked": self.asked, "question": self.question, "prompt": self.prompt, **self.body()}
