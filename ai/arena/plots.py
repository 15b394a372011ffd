"""Pictures of a report: SVG that follows the colours of the page around it, light or dark."""
from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from seatmate.ai.arena.forecasts import Forecasts
from seatmate.ai.arena.report import TournamentResult
from seatmate.ai.arena.statistics import bounded

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {"#010203": "--ink", "#040506": "--soft", "#070809": "--line", "#0a0b0c": "--mark"}
"""What is drawn with, and the variable of the page's style that takes its place."""

_INK, _SOFT, _LINE, _MARK = COLOURS
_STYLE: Any = {
    "svg.hashsalt": "seatmate", "svg.fonttype": "none", "font.size": 10, "font.family": "sans-serif", "text.parse_math": False,
    "text.color": _INK,
    "axes.edgecolor": _LINE, "axes.labelcolor": _SOFT, "xtick.color": _SOFT, "ytick.color": _SOFT, "ytick.labelcolor": _INK,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": _LINE, "grid.linewidth": 0.6,
    "axes.axisbelow": True, "legend.frameon": False,
}
"""The same result is the same picture, and its words stay words."""

Bar = tuple[str, float, float, float]       # name, value, low end, high end


def pictures(result: TournamentResult, forecasts: Forecasts) -> dict[str, str] | None:
    """SVG by the key of the section it belongs to; None without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        return None
    drawn = {}
    with matplotlib.rc_context(_STYLE):
        if result.standings:
            drawn["standings"] = _intervals("standings", "mean utility", [
                (row.bot, row.mean_utility, *bounded(row.mean_utility, row.ci95)) for row in result.standings])
        if result.ratings is not None:
            drawn["ratings"] = _intervals("ratings", f"rating, {result.ratings.anchor} = 0", [
                (row.bot, row.elo, row.elo if row.low is None else row.low, row.elo if row.high is None else row.high)
                for row in result.ratings.ratings])
        if result.seat_figures:
            drawn["seats"] = _intervals("seats", "mean utility", [
                (f"seat {row.seat}", row.mean_utility, *bounded(row.mean_utility, row.ci95))
                for row in result.seat_figures])
        if result.budgets:
            drawn["budgets"] = _picture("budgets", 3.4, lambda axes: _curves(axes, result))
        if forecasts:
            drawn["calibration"] = _picture("calibration", 4.6, lambda axes: _reliability(axes, forecasts))
    return drawn


def _intervals(key: str, label: str, bars: Sequence[Bar]) -> str:
    """A dot and its interval a line, from the top."""
    def draw(axes: Axes) -> None:
        places = range(len(bars))
        axes.errorbar([bar[1] for bar in bars], places, fmt="o", color=_MARK, capsize=3, xerr=(
            [bar[1] - bar[2] for bar in bars], [bar[3] - bar[1] for bar in bars]))
        axes.set_yticks(places, [bar[0] for bar in bars])
        axes.set_ylim(len(bars) - 0.5, -0.5)
        axes.set_xlabel(label)

    return _picture(key, 0.9 + 0.32 * len(bars), draw)


def _curves(axes: Axes, result: TournamentResult) -> None:
    """Strength against budget."""
    for number, curve in enumerate(result.budgets):
        axes.errorbar([point.amount for point in curve.points], [point.mean_utility for point in curve.points],
                      yerr=[point.ci95 for point in curve.points], **_look(number),
                      label=f"{curve.bot}, {curve.budget}")
    amounts = sorted({point.amount for curve in result.budgets for point in curve.points})
    axes.set_xscale("log")
    axes.set_xticks(amounts, [f"{amount:g}" for amount in amounts])
    axes.set_xticks([], minor=True)
    axes.set_xlabel("budget (" + ", ".join(dict.fromkeys(curve.budget for curve in result.budgets)) + ")")
    axes.set_ylabel("mean utility")
    axes.legend()


def _reliability(axes: Axes, forecasts: Forecasts) -> None:
    """What came against what was expected; right forecasts lie on the diagonal."""
    axes.plot([0, 1], [0, 1], color=_SOFT, linestyle=":", linewidth=1)
    for number, (bot, bins) in enumerate(forecasts.items()):
        found = [one for _, _, one in bins.in_order()]
        ends = [(0.0, 0.0) if one.ci95 is None else bounded(one.mean_came, one.ci95) for one in found]
        axes.errorbar([one.mean_expected for one in found], [one.mean_came for one in found], yerr=(
            [0.0 if one.ci95 is None else one.mean_came - low for one, (low, _) in zip(found, ends, strict=True)],
            [0.0 if one.ci95 is None else high - one.mean_came for one, (_, high) in zip(found, ends, strict=True)]),
            **_look(number), label=bot)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.set_xlabel("expected utility")
    axes.set_ylabel("utility that came")
    axes.legend(loc="upper left")


def _look(number: int) -> dict[str, Any]:
    """Of one curve among several: shape and dashes tell them apart, as there is one colour."""
    return {"color": (_MARK, _INK, _SOFT)[number % 3], "marker": "osD^v"[number % 5], "capsize": 3,
            "linestyle": ("-", "--", ":")[number // 3 % 3]}


def _picture(key: str, height: float, draw: Callable[[Axes], None]) -> str:
    """One picture as an element of a page. Ids are made its own, because several stand in one page."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, height), layout="constrained")
    draw(figure.subplots())
    file = io.StringIO()
    figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    svg = file.getvalue()
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>picture-{key}-", svg)
    return re.sub("|".join(COLOURS), lambda found: f"var({COLOURS[found[0]]})", svg)
