"""Circuits: which tile sides make one, where each tile lies on the table, and random ones from a seed.

A circuit is written `side:turn` per tile, `S` straight on, `R` and `L` a bend to the right and left: `01A:S,05A:R,06A:R,...`.
"""
from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from seatmate.engine.core.errors import SettingsError, nearest, unlisted
from seatmate.engine.core.rng import Stream, random_words

if TYPE_CHECKING:
    from seatmate.engine.monster_chase.content.pack import Geometry
    from seatmate.engine.monster_chase.content.pack import Tile as Side

LEAST, MOST = 6, 12
"""Tiles of a circuit."""
RINGS = (6, 8, 10, 12)
"""So many can close to a ring on the table."""
Squares = dict[tuple[int, int], tuple[int, int]]
"""(lane, index) to where a square begins and ends."""
BOXES = ("base", "winter", "mc")
"""Boxes that tiles come from: the base game, its Winter module, Monster Chase."""


class Entry(NamedTuple):
    """A tile of a circuit: its side, and which way the road turns on it."""

    side: str
    turn: str

    def __str__(self) -> str:
        return f"{self.side}:{self.turn}"

    @property
    def tile(self) -> str:
        """The tile that both sides are printed on."""
        return self.side[:-1]


class Cell(NamedTuple):
    """Where a tile lies: the column and row of its cell, and the direction in which it is entered. Rows count downwards."""

    x: int
    y: int
    dx: int
    dy: int

    def after(self, turn: str) -> Cell:
        """The cell of the next tile."""
        dx, dy = {"S": (self.dx, self.dy), "R": (-self.dy, self.dx), "L": (self.dy, -self.dx)}[turn]
        return Cell(self.x + dx, self.y + dy, dx, dy)


START = Cell(0, 0, 1, 0)


def squares(side: Side, geometries: Mapping[str, Geometry]) -> Squares:
    """The squares printed on a side."""
    removed = {tuple(spot) for spot in side.removed}
    return {(lane, idx): ends for lane, cuts in enumerate(geometries[side.geo].cuts)
            for idx, ends in enumerate(itertools.pairwise(cuts)) if (lane, idx) not in removed}


def wrong(problem: str) -> SettingsError:
    """The error of what is no circuit."""
    return SettingsError("options.circuit", problem)


def read(words: Iterable[str]) -> tuple[Entry, ...]:
    """The entries of 01A:S, 05A:R and so on. Raises SettingsError."""
    entries = []
    for place, word in enumerate(words, 1):
        side, colon, turn = word.strip().partition(":")
        if not colon or turn not in ("S", "R", "L"):
            raise wrong(f"tile {place} is {word.strip()!r}; a tile is written side:turn, for example 05A:R, and turns S, R or L")
        entries.append(Entry(side, turn))
    return tuple(entries)


def cells(entries: Iterable[Entry]) -> tuple[Cell, ...]:
    """Where the tiles lie, and behind the last one the cell to which the road leads."""
    found = [START]
    for entry in entries:
        found.append(found[-1].after(entry.turn))
    return tuple(found)


def closed(entries: Sequence[Entry]) -> bool:
    """Do the tiles close to a ring on the table, none on another?"""
    *places, behind = cells(entries)
    return behind == START and len({(cell.x, cell.y) for cell in places}) == len(places)


def laid(entries: Sequence[Entry]) -> list[tuple[Cell, str]]:
    """Where each tile lies and how the road runs there. Circuits that don't close on the table are a strip of six in a row."""
    if closed(entries):
        return [(cell, entry.turn) for entry, cell in zip(entries, cells(entries), strict=False)]
    return [(Cell(place % 6, place // 6, START.dx, START.dy), "S") for place in range(len(entries))]


def check(entries: Sequence[Entry], sides: Mapping[str, Side], geometries: Mapping[str, Geometry]) -> None:
    """Raises SettingsError for what is no circuit. sides, geometries: by their ids."""
    def need(fact: object, what: str) -> None:
        if not fact:
            raise wrong(what)

    need(LEAST <= len(entries) <= MOST, f"a circuit has {LEAST} to {MOST} tiles, not {len(entries)}")
    for entry in entries:
        if entry.side not in sides:
            raise wrong(f"there is no tile side {entry.side!r}{nearest(entry.side, sides)}")
        bend = geometries[sides[entry.side].geo].shape == "C"
        need(bend != (entry.turn == "S"), f"{entry}: {entry.side} is {'a bend: turn R or L' if bend else 'straight: turn S'}")
    need(sides[entries[0].side].start, f"the first tile is a starting grid, not {entries[0].side}")
    for entry in entries[1:]:
        need(not sides[entry.side].start, f"{entry.side} is a second starting grid")
    for tile, count in Counter(entry.tile for entry in entries if sides[entry.side].needs != "test").items():
        need(count == 1, f"tile {tile} is there {count} times; both of its sides are one tile")
    crossings = [entry.side for entry in entries if sides[entry.side].special == "crossing"]
    need(len(crossings) < 2, f"{' and '.join(crossings)} are both crossings, and there is one Ugly-Snout")


@functools.cache
def rings(tiles: int) -> tuple[str, ...]:
    """All ways in which so many tiles close to a ring, the first one straight: strings of S, R and L."""
    found = []

    def go(turns: str, cell: Cell, taken: frozenset[tuple[int, int]]) -> None:
        left = tiles - len(turns)
        if left == 0:
            found.extend([turns] if cell == START else [])
        elif (cell.x, cell.y) not in taken and abs(cell.x) + abs(cell.y) <= left:
            for turn in "SRL":
                go(turns + turn, cell.after(turn), taken | {(cell.x, cell.y)})

    go("S", START.after("S"), frozenset({(0, 0)}))
    return tuple(found)


def build(sides: Mapping[str, Side], geometries: Mapping[str, Geometry], seed: int, tiles: int,
          boxes: Sequence[str] = BOXES) -> tuple[Entry, ...]:
    """A random legal circuit that closes on the table: each ring of this length that the tiles allow is equally likely.

    So is each side that fits, tile by tile. The same arguments give the same circuit. boxes: whose tiles may be used.
    Raises SettingsError.
    """
    for box in boxes:
        if box not in BOXES:
            raise SettingsError("box", unlisted(box, BOXES))
    if tiles not in RINGS:
        raise SettingsError("tiles", f"{tiles} can't close to a ring; {', '.join(map(str, RINGS))} can")
    few = SettingsError("tiles", f"the tiles of {', '.join(boxes)} are too few for a ring of {tiles}")
    kinds: dict[str, list[Side]] = {"start": [], "S": [], "C": []}
    for side in sides.values():
        if side.needs in boxes:
            kinds["start" if side.start else geometries[side.geo].shape].append(side)
    have = {kind: len({side.id[:-1] for side in rows}) for kind, rows in kinds.items()}
    possible = [turns for turns in rings(tiles) if turns.count("S") <= have["S"] + 1 and tiles - turns.count("S") <= have["C"]]
    if not possible:
        raise few
    draws = iter(random_words(seed, (Stream.DEALS,), tiles + 1))
    turns = possible[next(draws) % len(possible)]
    chosen: list[Side] = []
    for turn in turns:
        taken = {side.id[:-1] for side in chosen}
        crossed = any(side.special == "crossing" for side in chosen)
        rows = [side for side in kinds["start" if not chosen else "S" if turn == "S" else "C"]
                if side.id[:-1] not in taken and not (crossed and side.special == "crossing")]
        if not rows:
            raise few
        chosen.append(rows[next(draws) % len(rows)])
    return tuple(Entry(side.id, turn) for side, turn in zip(chosen, turns, strict=True))
