"""What an observer sees as things in places, so that one page and one terminal board (board.py) can draw every game.

A Scene is a function of the observation: it shows nothing that the observation does not say. Ids are stable from one observation
to the next; a thing that moves keeps its id where people can follow it with their eyes, and no longer.
"""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

Shape = Literal["card", "token", "cell", "die", "fact", "counter"]
Layout = Literal["row", "pile", "grid", "map", "facts"]
Prominence = Literal["", "primary", "pass", "irreversible"]

_MARKUP = re.compile(r"(?<!\\)\[/?[a-z ]+\]")


class Face(NamedTuple):
    """What a thing shows when it lies open: an entry of `Game.faces`, by its key.

    kind: what it is, such as `mission` · text: its rules, one line per effect · colour: a plain CSS name or #rrggbb · cost: as
    printed, empty for none.
    """

    title: str
    kind: str = ""
    text: tuple[str, ...] = ()
    colour: str = ""
    cost: str = ""


class Thing(NamedTuple):
    """A card, token, cell, die, fact or counter.

    id: unique in the scene · face: a key of `Game.faces`, empty if it is not known · label: short words beside or instead of it,
    `#3` first if answers call it so · seat: whose it is · amount: a pile of so many · value, maximum: points of damage, dice,
    tracks · tags: states and kinds, words of the glossary with _ for a space · note: a sentence for whoever points at it.
    """

    id: str
    face: str = ""
    label: str = ""
    shape: Shape = "card"
    seat: int | None = None
    amount: int = 1
    value: int | None = None
    maximum: int | None = None
    tags: tuple[str, ...] = ()
    note: str = ""


class Zone(NamedTuple):
    """A place for things. columns: of a grid · parent: the zone it lies in · x, y: on a map, in halves of a zone · seat: whose ·
    aside: to be looked up, such as cards not seen yet, rather than lying on the table.
    """

    id: str
    title: str
    layout: Layout = "row"
    things: tuple[Thing, ...] = ()
    columns: int = 0
    parent: str = ""
    x: int = 0
    y: int = 0
    seat: int | None = None
    note: str = ""
    aside: bool = False


class Link(NamedTuple):
    """Two things or zones that belong together. tag: how, a word of the glossary; empty: the way goes on from one to the other."""

    start: str
    end: str
    tag: str = ""


class Scene(NamedTuple):
    """Everything an observer sees."""

    zones: tuple[Zone, ...] = ()
    links: tuple[Link, ...] = ()

    def ids(self) -> list[str]:
        """Of all zones and things, in their order."""
        return [name for zone in self.zones for name in (zone.id, *(thing.id for thing in zone.things))]


class Touch(NamedTuple):
    """How an answer is given by hand.

    targets: ids of the scene in the order in which a person would touch them · group: the verb that several answers share ·
    prominence: how its button looks. `primary`: the usual answer, with which one goes on (play a card, use the effect, call); one
    at most, and none where people choose among equals · `pass`: does without, and loses little · `irreversible`: gives up for good
    what costs much (a hand, a turn with actions left, the pot), so that a front end asks once more; never the only answer.
    """

    targets: tuple[str, ...] = ()
    group: str = ""
    prominence: Prominence = ""


def facts(id: str, title: str, values: Mapping[str, Any], seat: int | None = None) -> Zone:
    """Plain values in words, one after the other."""
    return Zone(id, title, "facts", tuple(Thing(f"{id}/{key}", label=f"{key}: {_said(value)}", shape="fact", seat=seat)
                                          for key, value in values.items()), seat=seat)


def grid(id: str, title: str, columns: int, labels: Sequence[str], seats: Sequence[int | None], names: Sequence[str]) -> Zone:
    """Cells `id/0`, `id/1` ... by rows: what stands in each, whose it is, and what answers call it."""
    return Zone(id, title, "grid", tuple(
        Thing(f"{id}/{number}", label=label, shape="cell", seat=seat, note=name)
        for number, (label, seat, name) in enumerate(zip(labels, seats, names, strict=True))), columns)


def cards(id: str, title: str, faces: Iterable[str], seat: int) -> Zone:
    """A seat's cards `id/0`, `id/1` ... side by side; hidden ones have no face."""
    return Zone(id, title, "row", tuple(Thing(f"{id}/{number}", face, seat=seat) for number, face in enumerate(faces)), seat=seat)


def known_to(seats: Iterable[int], *obvious: int | None) -> str:
    """The note of a hidden card: who knows it beside the observer and whoever must, such as the one who played it."""
    others = [f"seat {seat}" for seat in seats if seat not in obvious]
    return f"known to {', '.join(others)}" if others else ""


def heap(id: str, title: str, cards: Iterable[str], *, aside: bool = False) -> Zone:
    """Cards of which only how many of each there are matters; `cards` are faces."""
    things = tuple(Thing(f"{id}/{card}", card, amount=amount) for card, amount in Counter(cards).items())
    return Zone(id, title, "row", things, aside=aside)


def unmarked(lines: Iterable[str]) -> tuple[str, ...]:
    """Lines of rich markup as a Face says them."""
    return tuple(_MARKUP.sub("", line).replace("\\[", "[").strip() for line in lines)


def plain(observation: Mapping[str, Any]) -> Scene:
    """The scene of a game that draws none: what its observation says, in words."""
    return Scene((facts("table", "Table", observation),))


def _said(value: Any) -> str:
    """A plain value in words."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_said(item)}" for key, item in value.items())
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(_said(item) for item in value)
    return "none" if value is None else str(value)
