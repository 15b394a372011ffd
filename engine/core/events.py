"""Rows that say what an event is: its integers, its sentence, and that a View takes it.

    EVENTS = EventRows((
        Row("DIE", ("face",), lambda say: f"The die shows {say.face}."),
        Row("FLOW", ("words",), bookkeeping=STATE),     # it has no sentence; why
    ))

`Say` hands the arguments to the sentence by name. `FoldingView` calls `on_<event>` with the arguments; it refuses to exist with
an event that it neither folds nor names as one that changes nothing.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from seatmate.engine.core.game import SeenEvent
from seatmate.engine.core.spec import EventType, GameSpec, acts
from seatmate.engine.core.view import View


class Say:
    """An event as a sentence sees it: its arguments by name, `all` of them, the `rest` beyond names, and who listens."""

    def __init__(self, names: Any, keys: tuple[str, ...], args: tuple[int, ...], observer: int) -> None:
        self.names = names
        self.observer = observer
        self.all, self.rest = args, args[len(keys):]
        self.__dict__.update(zip(keys, args, strict=False))

    def __getattr__(self, name: str) -> int:
        raise AttributeError(f"the event has no argument {name}")

    def does(self, verb: str) -> str:
        """`You pass`, `Seat 1 passes`: the event's seat does something."""
        return acts(self.seat, self.observer, verb)


@dataclass(frozen=True, slots=True)
class Row:
    """An event. args: names of its integers · text: its sentence · most: integers it can have, if more than it names; or more: what
    those are called · turn: it says what somebody decided · optional: so many of the args may be missing · bookkeeping: why people
    need no sentence, where there is none."""

    key: str
    args: tuple[str, ...]
    text: Callable[[Any], str] | None = None
    most: int = 0
    more: tuple[str, ...] = ()
    turn: bool = False
    optional: int = 0
    bookkeeping: str = ""


STATE = "parts of the state, for programs that fold events into positions"
"""Why most events without a sentence have none."""


class EventRows:
    """The events of a game in the order of their numbers, from `first` on."""

    def __init__(self, rows: Iterable[Row], numbers: dict[str, int], first: int) -> None:
        """`numbers`: those of the rules. Raises ValueError where the rows are others, or one has neither sentence nor reason."""
        self.rows = {row.key: row for row in rows}
        unsaid = [row.key for row in self.rows.values() if (row.text is None) != bool(row.bookkeeping)]
        if unsaid:
            raise ValueError(f"an event has either a sentence or a reason to have none: {', '.join(unsaid)}")
        wanted = {key: first + place for place, key in enumerate(self.rows)}
        if wanted != numbers:
            raise ValueError(f"the rows of events are not those of the rules: {sorted(wanted.items() ^ numbers.items())}")

    @property
    def types(self) -> tuple[EventType, ...]:
        """For GameSpec.events."""
        more = {row.key: row.more or tuple(f"more{n}" for n in range(len(row.args), row.most)) for row in self.rows.values()}
        return tuple(EventType(row.key, row.args + more[row.key], row.turn, row.optional + len(more[row.key]), row.bookkeeping)
                     for row in self.rows.values())

    def named(self, event: SeenEvent) -> dict[str, int]:
        """The event's integers by name."""
        row = self.rows.get(event.key)
        return {} if row is None else dict(zip(row.args, event.args, strict=False))

    def text(self, names: Any, event: SeenEvent, observer: int) -> str:
        """The event's sentence; empty for bookkeeping and events of core."""
        row = self.rows.get(event.key)
        if row is None or row.text is None:
            return ""
        return row.text(Say(names, row.args, event.args, observer))


class FoldingView(View):
    """A View with a method `on_<event>` for every event that changes what is seen; `SAYS_ONLY` names the others."""

    SAYS_ONLY: frozenset[str] = frozenset()

    def __init__(self, spec: GameSpec, seats: int, observer: int) -> None:
        super().__init__(spec, seats, observer)
        self.handlers: dict[str, Callable[..., None] | None] = dict.fromkeys(self.SAYS_ONLY)
        for event in spec.events:
            if event.key not in self.handlers:
                self.handlers[event.key] = getattr(self, f"on_{event.key.lower()}")

    def apply(self, key: str, args: tuple[int, ...]) -> None:
        """Hand an event to its method."""
        handler = self.handlers[key]
        if handler is not None:
            handler(*args)
