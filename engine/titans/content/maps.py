"""The two maps: hexagons in rows; every pair of touching hexagons shares one border (R3)."""
from __future__ import annotations

from dataclasses import dataclass

STANDARD_ROWS = (3, 4, 3)
ARENA_ROWS = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Map:
    """Places are numbered row by row, borders by their ends. `adjacent[p]` is a mask of places; `rows` their numbers.

    positions: per place its row and its left edge, in steps of half a hexagon.
    """

    rows: tuple[tuple[int, ...], ...]
    adjacent: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]
    positions: tuple[tuple[int, int], ...]


def _lay(lengths: tuple[int, ...]) -> Map:
    rows: list[tuple[int, ...]] = []
    for length in lengths:
        first = sum(map(len, rows))
        rows.append(tuple(range(first, first + length)))
    width = max(lengths)
    at = {place: (2 * column + width - len(row), number)        # half a hexagon is one step to the side
          for number, row in enumerate(rows) for column, place in enumerate(row)}
    edges = [(a, b) for a in at for b in at if a < b and _touch(at[a], at[b])]
    edges.sort(key=lambda edge: (at[edge[0]][1], at[edge[1]][1], edge))     # along a row, then down from it
    adjacent = [0] * len(at)
    for a, b in edges:
        adjacent[a] |= 1 << b
        adjacent[b] |= 1 << a
    return Map(tuple(rows), tuple(adjacent), tuple(edges), tuple((row, left) for left, row in at.values()))


def _touch(a: tuple[int, int], b: tuple[int, int]) -> bool:
    sideways, down = abs(a[0] - b[0]), abs(a[1] - b[1])
    return (down == 0 and sideways == 2) or (down == 1 and sideways == 1)


STANDARD = _lay(STANDARD_ROWS)
ARENA = _lay(ARENA_ROWS)
"""The triangle of the free-for-all."""

ARENA_CORNERS = (0, 9, 6)
"""Where the pieces of seats 0, 1 and 2 begin, clockwise (R66)."""

ARENA_CENTRE = 4
