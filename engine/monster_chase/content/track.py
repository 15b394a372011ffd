"""From tile sides to the squares of a circuit, with their links (RULES.md, 3.10 and 4.1).

Squares are numbered slot by slot, lane by lane, from the rear; squares that a side has not are left out.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from seatmate.engine.core.errors import unlisted
from seatmate.engine.monster_chase.content import circuits
from seatmate.engine.monster_chase.content import vocabulary as v
from seatmate.engine.monster_chase.content.circuits import Entry
from seatmate.engine.monster_chase.content.pack import SPECIALS, WAYS, ChasePack, Tile, read

FLAGS = {"lightning": v.SQ_LIGHTNING, "sand": v.SQ_SAND, "water": v.SQ_WATER, "void": v.SQ_VOID, "portal_in": v.SQ_PORTAL_IN,
         "slide": v.SQ_SLIDE, "arch": v.SQ_ARCH}
SIDES = 4
"""Squares beside a square, at most; see Square in model.pxd."""
NUMBERED = ("mirrors", "portals", "paws", "craters", "snow", "arch")


@dataclass(slots=True)
class Square:
    """A square; links are numbers of squares. `number`: of a mirror, portal, paw, crater, snow or arch square."""

    slot: int
    lane: int
    idx: int
    a: int
    b: int
    ahead: list[int] = field(default_factory=list)
    back: int = v.NONE
    side: list[int] = field(default_factory=list)
    flags: int = 0
    boulder: int = 0
    ice: int = 0
    number: int = 0
    boost: bool = False


@dataclass(slots=True)
class Track:
    """A circuit, compiled."""

    entries: tuple[Entry, ...]
    tiles: tuple[Tile, ...]
    squares: list[Square]
    number: dict[tuple[int, int, int], int]     # of (slot, lane, idx)
    checkpoints: list[list[int]]                # per slot and lane the first index past the line

    def neighbours(self, dry: bool = True) -> list[set[int]]:
        """Squares joined by a link in either direction; `dry`: none that is water or void."""
        wet = v.SQ_WATER | v.SQ_VOID
        found: list[set[int]] = [set() for _ in self.squares]
        for here, square in enumerate(self.squares):
            for there in square.ahead + square.side:
                if not dry or not (square.flags | self.squares[there].flags) & wet:
                    found[here].add(there)
                    found[there].add(here)
        return found

    def distances(self) -> list[list[int]]:
        """Steps between squares on dry land, at most FAR."""
        joined = self.neighbours()
        rows = []
        for start in range(len(self.squares)):
            row = [v.FAR] * len(self.squares)
            row[start] = 0
            queue = deque([start])
            while queue:
                here = queue.popleft()
                for there in joined[here]:
                    if row[there] == v.FAR and row[here] + 1 < v.FAR:
                        row[there] = row[here] + 1
                        queue.append(there)
            rows.append(row)
        return rows


def entries_of(pack: ChasePack, circuit: str) -> tuple[Entry, ...]:
    """The entries of a circuit by its id, or of a list such as 01A:S,05A:R,... Raises SettingsError."""
    named = {row.id: row.tiles for row in pack.circuit}
    if circuit not in named and ":" not in circuit:
        raise circuits.wrong(f"no tiles such as 01A:S,05A:R,... and {unlisted(circuit, named)}")
    entries = circuits.read(named.get(circuit) or circuit.split(","))
    circuits.check(entries, pack.sides, pack.geometries)
    return entries


def needs_winter(pack: ChasePack, entries: Sequence[Entry]) -> bool:
    """Does a side need the Winter module (R62)?"""
    return any(pack.sides[entry.side].needs == "winter" for entry in entries)


def track_of(pack: ChasePack, entries: Sequence[Entry]) -> Track:
    """Compile a circuit. A left turn mirrors the lanes. Raises SettingsError for one that can't be driven around."""
    tiles = tuple(pack.sides[entry.side] for entry in entries)
    track = Track(tuple(entries), tiles, [], {}, [])
    for slot, (tile, (_, turn)) in enumerate(zip(tiles, entries, strict=True)):
        _lay(track, slot, tile, circuits.squares(tile, pack.geometries), turn == "L")
    for slot, (tile, (_, turn)) in enumerate(zip(tiles, entries, strict=True)):
        _link(track, slot, tile, turn == "L")
    for here, square in enumerate(track.squares):
        before = [other for other, one in enumerate(track.squares) if here in one.ahead]
        straight = [other for other in before if track.squares[other].lane == square.lane]
        same = [other for other in straight
                if track.squares[other].slot != square.slot or track.squares[other].idx == square.idx - 1]
        square.back = (same or before or [v.NONE])[0]
    boosts = [square for square in track.squares if square.boost]
    for square in boosts[next(row.count for row in pack.supply if row.name == "boost"):]:
        square.boost = False
    _check_sizes(track)
    _check_ways(track)
    return track


def _check_sizes(track: Track) -> None:
    """Raises SettingsError for what the rules have no room for."""
    if len(track.squares) > v.SQUARES:
        raise circuits.wrong(f"a circuit has at most {v.SQUARES} squares, not {len(track.squares)}")
    for square, around in zip(track.squares, track.neighbours(False), strict=True):
        where = f"lane {square.lane}, square {square.idx} of {track.tiles[square.slot].id}"
        if len(set(square.ahead)) < len(square.ahead):
            raise circuits.wrong(f"two ways from {where} lead to the same square")
        if len(square.ahead) > WAYS or len(square.side) > SIDES or len(around) > v.ROUND:
            raise circuits.wrong(f"{where} has too many neighbours")


def _check_ways(track: Track) -> None:
    """On land every square leads across the finish line forward, and is reached from the first one, forward and sideways.

    Raises SettingsError.
    """
    land = {here for here, square in enumerate(track.squares) if not square.flags & v.SQ_VOID}

    def reached(found: set[int], links: Mapping[int, list[int]]) -> set[int]:
        rest = list(found)
        while rest:
            rest += (new := land.intersection(links[rest.pop()]) - found)
            found |= new
        return found

    around = {here: square.ahead + square.side for here, square in enumerate(track.squares)}
    behind = {here: [other for other, square in enumerate(track.squares) if here in square.ahead] for here in around}
    finish = {here for here in land for there in track.squares[here].ahead if track.squares[there].slot < track.squares[here].slot}
    for start, links in ((finish, behind), ({min(land)}, around)):
        if lost := land - reached(start, links):
            square = track.squares[max(lost)]
            raise circuits.wrong(f"no way around by lane {square.lane}, square {square.idx} of {track.tiles[square.slot].id}")


def built(seed: int, tiles: int, boxes: tuple[str, ...], pack: str) -> str:
    """A random circuit as a value of the option. Raises SettingsError, PackError."""
    content = read(pack).content
    return ",".join(map(str, circuits.build(content.sides, content.geometries, seed, tiles, boxes)))


def facts(circuit: str, pack: str) -> dict[str, Any]:
    """What a circuit is. Raises SettingsError for one that can't be driven around, PackError."""
    content = read(pack).content
    entries = entries_of(content, circuit)
    squares = track_of(content, entries).squares
    return {"entries": [str(entry) for entry in entries], "names": [content.sides[entry.side].name for entry in entries],
            "tiles": len(entries), "squares": len(squares),
            "lanes": [sum(square.lane == lane for square in squares) for lane in range(v.LANES)],
            "closed": circuits.closed(entries), "winter": needs_winter(content, entries),
            "reserves": [row.tile for row in content.reserve if len(entries) >= row.min_tiles]}


def _lay(track: Track, slot: int, tile: Tile, found: circuits.Squares, mirrored: bool) -> None:
    lanes = [2 - lane if mirrored else lane for lane in range(v.LANES)]
    spots: Mapping[str, dict[tuple[int, int], int]] = {
        key: {(spot[0], spot[1]): spot[2] if len(spot) > 2 else 1 for spot in getattr(tile, key)}
        for key in ("boost", "boulders", "ice", *FLAGS, *NUMBERED)}
    track.checkpoints.append([tile.checkpoint[lane] for lane in lanes])
    for lane, printed in enumerate(lanes):
        for idx, (a, b) in [(idx, ends) for (where, idx), ends in found.items() if where == printed]:
            spot = printed, idx
            square = Square(slot, lane, idx, a, b)
            square.flags = sum(flag for key, flag in FLAGS.items() if spot in spots[key])
            square.flags |= v.SQ_PAST if idx >= tile.checkpoint[printed] else 0
            square.boulder, square.ice = spots["boulders"].get(spot, 0), spots["ice"].get(spot, 0)
            square.number = next((spots[key][spot] for key in NUMBERED if spot in spots[key]), 0)
            square.boost = spot in spots["boost"]
            track.number[slot, lane, idx] = len(track.squares)
            track.squares.append(square)


def _link(track: Track, slot: int, tile: Tile, mirrored: bool) -> None:
    def at(lane: int, idx: int) -> int:
        return track.number[slot, 2 - lane if mirrored else lane, idx]

    arrows = {at(*arrow[:2]): at(*arrow[2:]) for arrow in tile.arrows}
    following = (slot + 1) % len(track.tiles)
    mine = [(here, square) for here, square in enumerate(track.squares) if square.slot == slot]
    for here, square in mine:
        last = max(one.idx for _, one in mine if one.lane == square.lane)
        if here in arrows:
            square.ahead = [arrows[here]]
        elif square.idx == last:
            square.ahead = [track.number[following, square.lane, 0]]
        elif (slot, square.lane, square.idx + 1) in track.number:
            square.ahead = [track.number[slot, square.lane, square.idx + 1]]
        square.side = [there for there, one in mine
                       if abs(one.lane - square.lane) == 1 and min(one.b, square.b) > max(one.a, square.a)]
    for fork in tile.forks:
        track.squares[at(*fork[:2])].ahead.append(at(*fork[2:]))


def special_of(tile: Tile) -> int:
    """The number of the side's special."""
    return v.TILE_PLAIN if tile.special == "none" else SPECIALS.index(tile.special)
