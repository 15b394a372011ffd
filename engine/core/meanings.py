"""What the integers of events stand for, for programs that know no game: seats, cards by their faces, things of the scene ..."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from seatmate.engine.core.events import STATE
from seatmate.engine.core.spec import EventType, GameSpec

Kind = Literal["number", "flag", "seat", "seats", "card", "thing", "word", "state"]


class Meaning(NamedTuple):
    """kind: what an integer is; `seats` is a mask, bit s for seat s · ids: by the integer, of a card the key of its face, of a
    thing the id of a zone or thing of the scene, of a word the word itself · mask: the bits that count."""

    kind: Kind = "number"
    ids: tuple[str, ...] = ()
    mask: int = -1

    def id(self, value: int) -> str:
        """Of this integer; empty for none, unknown, and kinds without ids."""
        number = value & self.mask
        return self.ids[number] if value >= 0 and number < len(self.ids) else ""


FLAG, SEAT, SEATS = Meaning("flag"), Meaning("seat"), Meaning("seats")
_NUMBER, _STATE = Meaning(), Meaning("state")


def things(kind: str, count: int) -> Meaning:
    """Things or zones `kind/0` to `kind/(count - 1)`."""
    return Meaning("thing", tuple(f"{kind}/{number}" for number in range(count)))


class Meanings:
    """Of a game's events, by `argument` or `EVENT.argument`; a number at the end of an argument counts only where it is named."""

    def __init__(self, spec: GameSpec, own: Mapping[str, Meaning]) -> None:
        """own: what the game says; `seat` goes without saying."""
        prompt = Meaning("word", tuple(prompt.key for prompt in spec.prompts))
        question = Meaning("word", tuple(spec.public_key(number) for number in range(len(spec.prompts))))
        known = {"seat": SEAT, "CHOICE.prompt": prompt, "ASK.prompt": prompt, "BUSY.seats": SEATS, "BUSY.question": question, **own}
        self._of = {event.key: tuple(_find(known, event, argument) for argument in event.args)
                    for event in spec.kinds().values()}

    def __getitem__(self, event: str) -> tuple[Meaning, ...]:
        """Of an event's arguments, in their order."""
        return self._of[event]


def _find(known: Mapping[str, Meaning], event: EventType, argument: str) -> Meaning:
    stem = argument.rstrip("0123456789")
    for name in (f"{event.key}.{argument}", f"{event.key}.{stem}", argument, stem):
        if name in known:
            return known[name]
    return _STATE if event.bookkeeping == STATE else _NUMBER
