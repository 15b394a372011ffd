"""From tile sides to the squares of a circuit, with their links (RULES.md, 3.10 and 4.1).

Squares are numbered slot by slot, lane by lane, from the rear; squares that a side has not are left out.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from seatmate.engine.core.errors import SettingsError
from seatmate.engine.monster_chase.content import vocabulary as v
from seatmate.engine.monster_chase.content.pack import SPECIALS, ChasePack, Tile

FLAGS = {"lightning": v.SQ_LIGHTNING, "sand": v.SQ_SAND, "water": v.SQ_WATER, "void": v.SQ_VOID, "portal_in": v.SQ_PORTAL_IN,
         "slide": v.SQ_SLIDE, "arch": v.SQ_ARCH}
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

    entries: tuple[tuple[str, str], ...]
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


def entries_of(pack: ChasePack, circuit: str) -> tuple[tuple[str, str], ...]:
    """The sides and turns of a circuit by its id, or of a list such as 01A:S,05A:R,... Raises SettingsError."""
    named = {row.id: row.tiles for row in pack.circuit}
    texts = named.get(circuit) or tuple(part.strip() for part in circuit.split(","))
    entries = tuple((text[:-2], text[-1:]) for text in texts if len(text) > 2 and text[-2] == ":")
    if len(entries) < len(texts) or not 6 <= len(entries) <= v.SLOTS:
        raise SettingsError("options.circuit", f"{circuit!r} is neither a circuit nor 6 to 12 entries such as 01A:S; "
                                               f"there are {', '.join(name for name in named)}")
    if circuit not in named:
        problem = _problem(pack, entries)
        if problem:
            raise SettingsError("options.circuit", problem)
    return entries


def _problem(pack: ChasePack, entries: Sequence[tuple[str, str]]) -> str:
    """What keeps these sides from being a circuit; empty if nothing does."""
    tiles = {tile.id: tile for tile in pack.tile}
    shapes = {row.id: row.shape for row in pack.geometry}
    for name, turn in entries:
        if name not in tiles:
            return f"there is no tile side {name!r}"
        if turn not in ("S" if shapes[tiles[name].geo] == "S" else "LR"):
            return f"the side {name} does not turn {turn!r}"
    found = [tiles[name] for name, _ in entries]
    if not found[0].start or any(tile.start for tile in found[1:]):
        return "a circuit begins with a start side and has no other"
    if not found[0].test and len({tile.id[:2] for tile in found}) < len(found):
        return "a tile is used twice"
    if sum(tile.special == "crossing" for tile in found) > 1:
        return "there is one Ugly-Snout for one crossing"
    return ""


def needs_winter(pack: ChasePack, entries: Sequence[tuple[str, str]]) -> bool:
    """Does a side need the Winter module (R62)?"""
    return any(tile.needs == "winter" for tile in pack.tile if tile.id in {name for name, _ in entries})


def track_of(pack: ChasePack, entries: Sequence[tuple[str, str]]) -> Track:
    """Compile a circuit. A left turn mirrors the lanes."""
    by_id = {tile.id: tile for tile in pack.tile}
    tiles = tuple(by_id[name] for name, _ in entries)
    cuts = {row.id: row.cuts for row in pack.geometry}
    track = Track(tuple(entries), tiles, [], {}, [])
    for slot, (tile, (_, turn)) in enumerate(zip(tiles, entries, strict=True)):
        _lay(track, slot, tile, cuts[tile.geo], turn == "L")
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
    return track


def _lay(track: Track, slot: int, tile: Tile, cuts: Sequence[Sequence[int]], mirrored: bool) -> None:
    lanes = [2 - lane if mirrored else lane for lane in range(v.LANES)]
    spots: Mapping[str, dict[tuple[int, int], int]] = {
        key: {(spot[0], spot[1]): spot[2] if len(spot) > 2 else 1 for spot in getattr(tile, key)}
        for key in ("removed", "boost", "boulders", "ice", *FLAGS, *NUMBERED)}
    track.checkpoints.append([tile.checkpoint[lane] for lane in lanes])
    for lane, printed in enumerate(lanes):
        for idx, (a, b) in enumerate(zip(cuts[printed], cuts[printed][1:], strict=False)):
            spot = printed, idx
            if spot in spots["removed"]:
                continue
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
