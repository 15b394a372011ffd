"""A circuit as a picture: its tiles as they lie on the table, every square with what is printed on it.

Needs matplotlib, the extra `draw`.
"""
from __future__ import annotations

from math import atan2, cos, degrees, pi, sin
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.errors import SettingsError
from seatmate.engine.monster_chase.content.circuits import Cell, Squares, laid, squares
from seatmate.engine.monster_chase.content.pack import Tile, read
from seatmate.engine.monster_chase.content.track import entries_of
from seatmate.engine.monster_chase.content.vocabulary import LENGTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KINDS = (".png", ".svg", ".pdf")
"""Files that can be written."""
MARGIN, LANE = 60, 100
"""Ground beside the road, and the width of a lane."""
GROUND, ROAD, EDGE, INK = "#dfe8d2", "#f4f1e8", "#8d8775", "#2b2b2b"
FILLS = {"lightning": "#ffe680", "sand": "#e3c58a", "water": "#a9d3ee", "void": "#55504a", "portal_in": "#dcc6ec",
         "slide": "#e6d6c3"}
"""Colours of squares that are special as they are."""
MARKS = {"boulders": ("#b9b2a6", "o"), "ice": ("#cfeaf5", "h"), "mirrors": ("#e6e0f0", "s"), "portals": ("#d3b6ea", "o"),
         "paws": ("#d8b08c", "o"), "craters": ("#f0a58f", "o"), "snow": ("#ffffff", "h"), "arch": ("#b8d8e8", "p"),
         "boost": ("#f7a34b", ">")}
"""Colour and shape of what is printed on a square; numbered things show their number, a boost points along the road."""
LEGEND = {"boulders": "boulder", "ice": "ice slab", "boost": "boost", "mirrors": "mirror", "portals": "portal",
          "paws": "paw of Ugly-Snout", "craters": "crater", "snow": "snow", "arch": "arch", "slide": "landslide",
          "lightning": "lightning", "sand": "quicksand", "water": "water", "void": "void", "portal_in": "way into the portal"}

STYLE: Any = {"svg.hashsalt": "seatmate", "svg.fonttype": "none", "font.size": 6.5}
"""The same circuit is the same file, and its words stay words."""
Point = tuple[float, float]


class _Road:
    """Points of a tile: lane and way along it to places in the picture. A bend to the left has the lanes of its side mirrored."""

    def __init__(self, cell: Cell, turn: str, mirrored: bool) -> None:
        self.cell, self.turn, self.mirrored = cell, turn, mirrored

    def at(self, across: float, along: float) -> Point:
        """across: 0 at the left edge of the lanes, 3 at the right one; along: 0..LENGTH."""
        side = MARGIN + (3 - across if self.mirrored else across) * LANE
        if self.turn == "S":
            x, y = along, side
        else:
            radius = LENGTH - side if self.turn == "R" else side
            angle = along / LENGTH * pi / 2
            x = radius * sin(angle)
            y = LENGTH - radius * cos(angle) if self.turn == "R" else radius * cos(angle)
        x, y = x - LENGTH / 2, y - LENGTH / 2
        dx, dy = self.cell.dx, self.cell.dy
        return self.cell.x * LENGTH + x * dx - y * dy, self.cell.y * LENGTH + x * dy + y * dx

    def free(self) -> tuple[int, int, int]:
        """An edge of the cell that the road doesn't cross, for the name of the tile, and how the name is turned."""
        leads = self.cell.after(self.turn)
        crossed = {(-self.cell.dx, -self.cell.dy), (leads.dx, leads.dy)}
        return next((*edge, 90 if edge[0] else 0) for edge in ((0, -1), (0, 1), (-1, 0)) if edge not in crossed)

    def area(self, lane: int, start: float, end: float) -> list[Point]:
        """The outline of a square."""
        steps = [start + (end - start) * step / 6 for step in range(7)]
        return [self.at(lane, along) for along in steps] + [self.at(lane + 1, along) for along in reversed(steps)]

    def heading(self, lane: int, start: float, end: float) -> float:
        """The direction of the road on a square, in degrees."""
        (x, y), (to_x, to_y) = self.at(lane + 0.5, start), self.at(lane + 0.5, end)
        return degrees(atan2(y - to_y, to_x - x))

    def middle(self, lane: int, start: float, end: float) -> Point:
        """Of a square."""
        return self.at(lane + 0.5, (start + end) / 2)


def draw(circuit: str, pack: str, path: Path) -> None:
    """Write the picture of a circuit to a file. Circuits that don't close on the table are drawn as a strip.

    Raises SettingsError for what is no circuit, other endings of the file, and without matplotlib; PackError; OSError.
    """
    if path.suffix.lower() not in KINDS:
        raise SettingsError("draw", f"{path.name} does not end in {', '.join(KINDS)}")
    content = read(pack).content
    entries = entries_of(content, circuit)
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise SettingsError("draw", "pictures need matplotlib: make install EXTRAS=draw, or pip install matplotlib") from error
    roads = [_Road(cell, turn, entry.turn == "L") for entry, (cell, turn) in zip(entries, laid(entries), strict=True)]
    width = max(road.cell.x for road in roads) - min(road.cell.x for road in roads) + 1
    height = max(road.cell.y for road in roads) - min(road.cell.y for road in roads) + 1
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(2.1 * width, 2.1 * height + 0.9), layout="constrained")
        axes = figure.subplots()
        axes.set_aspect("equal")
        axes.invert_yaxis()
        axes.axis("off")
        axes.set_title(circuit, fontsize=9, wrap=True)
        seen: set[str] = set()
        for number, (entry, road) in enumerate(zip(entries, roads, strict=True), 1):
            side = content.sides[entry.side]
            _tile(axes, road, side, squares(side, content.geometries), f"{number}  {side.id} {side.name}", seen)
        grid = squares(content.sides[entries[0].side], content.geometries)
        for position, (lane, index) in enumerate(content.grid[0].positions, 1):
            _write(axes, roads[0].middle(lane, *grid[lane, index]), position, weight="bold")
        _legend(axes, seen)
        metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix.lower(), {})
        figure.savefig(path, dpi=110, metadata=metadata)


def _tile(axes: Axes, road: _Road, side: Tile, found: Squares, name: str, seen: set[str]) -> None:
    """A tile: ground, squares, marks, ways, the checkpoint line, its name."""
    x, y = road.cell.x * LENGTH, road.cell.y * LENGTH
    half = LENGTH / 2
    axes.fill(*zip(*((x + dx * half, y + dy * half) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))), strict=True),
              facecolor=GROUND, edgecolor="white", linewidth=2)
    marked = {key: {(spot[0], spot[1]): spot[2] if len(spot) > 2 else "" for spot in getattr(side, key)} for key in LEGEND}
    for (lane, index), (start, end) in found.items():
        fill = next((color for key, color in FILLS.items() if (lane, index) in marked[key]), ROAD)
        axes.fill(*zip(*road.area(lane, start, end), strict=True), facecolor=fill, edgecolor=EDGE, linewidth=0.6)
        for key, (color, shape) in MARKS.items():
            if (lane, index) in marked[key]:
                at = road.middle(lane, start, end)
                marker = (3, 0, road.heading(lane, start, end) - 90) if key == "boost" else shape
                axes.plot(*at, marker=marker, markersize=9.5, markerfacecolor=color, markeredgecolor=INK, markeredgewidth=0.5)
                _write(axes, at, marked[key][lane, index])
    seen |= {key for key, places in marked.items() if places}
    for kind, style in (("arrows", "-"), ("forks", "--")):
        for lane, index, to_lane, to_index in getattr(side, kind):
            axes.annotate("", road.middle(to_lane, *found[to_lane, to_index]), road.middle(lane, *found[lane, index]),
                          arrowprops={"arrowstyle": "->", "linestyle": style, "color": INK, "linewidth": 0.9,
                                      "shrinkA": 4, "shrinkB": 6})
    for lane, index in enumerate(side.checkpoint):
        start = found[lane, index][0]
        axes.plot(*zip(road.at(lane, start), road.at(lane + 1, start), strict=True), color="#c0392b", linewidth=1.6)
    if side.start:
        axes.plot(*zip(road.at(0, LENGTH), road.at(3, LENGTH), strict=True), color=INK, linewidth=4, linestyle=(0, (1, 1)))
        axes.annotate("", road.at(3.3, 0.7 * LENGTH), road.at(3.3, 0.3 * LENGTH), arrowprops={"arrowstyle": "-|>", "color": INK})
    name_x, name_y, rotation = road.free()
    _write(axes, (x + name_x * (half - 26), y + name_y * (half - 26)), name, rotation=rotation)


def _write(axes: Axes, at: Point, text: object, **style: Any) -> None:
    axes.text(*at, str(text), ha="center", va="center", color=INK, **style)


def _legend(axes: Axes, seen: set[str]) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = [Patch(facecolor=FILLS[key], edgecolor=EDGE, label=LEGEND[key]) for key in FILLS if key in seen]
    handles += [Line2D([], [], linestyle="none", marker=shape, markerfacecolor=color, markeredgecolor=INK, label=LEGEND[key])
                for key, (color, shape) in MARKS.items() if key in seen]
    handles += [Line2D([], [], color="#c0392b", label="checkpoint"),
                Line2D([], [], color=INK, linewidth=4, linestyle=(0, (1, 1)), label="finish line")]
    axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0), ncols=5, frameon=False)
