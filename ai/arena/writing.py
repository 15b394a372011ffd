"""A report as a text: JSON, CSV, Markdown, one HTML file that needs nothing else, or its tables alone as JSON."""
from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from seatmate.ai.arena.forecasts import Forecasts
from seatmate.ai.arena.plans import TournamentError
from seatmate.ai.arena.plots import pictures
from seatmate.ai.arena.report import TournamentResult
from seatmate.ai.arena.sections import Section, facts, sections
from seatmate.ai.arena.statistics import bounded
from seatmate.ai.arena.times import Times
from seatmate.engine.core.errors import unlisted
from seatmate.engine.core.registry import game_spec

NO_PICTURES = "The pictures need matplotlib: make install EXTRAS=draw, or pip install matplotlib."
"""What an HTML report says without it."""

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2430; --soft: #5c6675; --line: #d5dae2; --page: #ffffff; --band: #f3f5f8;
  --mark: #2f6fb3; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --soft: #9aa5b4; --line: #39424f; --page: #14181e; --band: #1c222b;
  --mark: #7ab3ea; } }
body { margin: 2rem auto; max-width: 84rem; padding: 0 1rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
p { color: var(--soft); max-width: 46rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .8rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
thead th { color: var(--soft); font-weight: 500; }
tbody tr:nth-child(even) { background: var(--band); }
.name { text-align: left; font-weight: 500; }
svg { max-width: 100%; height: auto; margin: 1rem 0; }
"""


def report_text(result: TournamentResult, kind: str, times: Times | None = None, forecasts: Forecasts | None = None) -> str:
    """The report as a text of one of REPORT_KINDS, ending in a line break. Raises TournamentError for another kind.

    times: how long the bots thought, where that is known (`report_times`) · forecasts: what searches expected (`report_forecasts`).
    """
    if kind not in _KINDS:
        raise TournamentError(f"a report's format {unlisted(kind, _KINDS)}")
    return _KINDS[kind](result, times or {}, forecasts or {})


def report_json(result: TournamentResult, times: Times, forecasts: Forecasts) -> dict[str, Any]:
    """Plain values for JSON; `times` and `calibration` by bot where they are known."""
    known: dict[str, Mapping[str, Any]] = {"times": times, "calibration": forecasts}
    return result.to_json() | {key: {bot: one.to_json() for bot, one in bots.items()} for key, bots in known.items() if bots}


def _json(result: TournamentResult, times: Times, forecasts: Forecasts) -> str:
    return json.dumps(report_json(result, times, forecasts), ensure_ascii=False, allow_nan=False) + "\n"


def _tables(result: TournamentResult, times: Times, forecasts: Forecasts) -> str:
    """The words of the other reports, for a program that draws them."""
    return json.dumps({"title": _title(result), "facts": facts(result), "sections": [
        asdict(section) for section in sections(result, times, forecasts)]}, ensure_ascii=False) + "\n"


# ---- CSV ----

def _csv(result: TournamentResult, times: Times, forecasts: Forecasts) -> str:
    """One figure a line, so that every table has the same columns."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(("section", "name", "against", "figure", "value", "low", "high"))
    lines.writerows(_figures(result, times, forecasts))
    return text.getvalue()


def _figures(result: TournamentResult, times: Times, forecasts: Forecasts) -> Iterator[tuple[object, ...]]:
    for row in result.standings:
        yield "standings", row.bot, "", "rank", row.rank, "", ""
        yield "standings", row.bot, "", "mean_utility", *_ends(row.mean_utility, row.ci95)
        yield "standings", row.bot, "", "win_rate", row.win_rate, "", ""
        yield "standings", row.bot, "", "games", row.games, "", ""
    for pair in result.pairs:
        yield "pairs", pair.a, pair.b, "difference", pair.mean, *pair.interval
        if pair.score is not None and pair.score_ci95 is not None:
            yield "pairs", pair.a, pair.b, "score", *_ends(pair.score, pair.score_ci95)
        yield "pairs", pair.a, pair.b, "superiority", pair.superiority, "", ""
    for rating in result.ratings.ratings if result.ratings else ():
        yield ("ratings", rating.bot, result.ratings.anchor if result.ratings else "", "elo", rating.elo,
               "" if rating.low is None else rating.low, "" if rating.high is None else rating.high)
    for seat in result.seat_figures:
        yield "seats", seat.seat, "", "mean_utility", *_ends(seat.mean_utility, seat.ci95)
        yield "seats", seat.seat, "", "win_rate", seat.win_rate, "", ""
    if (length := result.length) is not None:
        yield "length", "", "", "mean", length.mean, length.mean - length.ci95, length.mean + length.ci95
        for figure in ("shortest", "median", "p95", "longest", "games"):
            yield "length", "", "", figure, getattr(length, figure), "", ""
    for curve in result.budgets:
        for point in curve.points:
            yield "budgets", curve.bot, f"{curve.budget}={point.amount:g}", "mean_utility", *_ends(point.mean_utility, point.ci95)
    for bot, counts in result.faults.items():
        for kind, count in counts.items():
            yield "faults", bot, "", kind, count, "", ""
    for bot, one in times.items():
        for figure, value in one.to_json().items():
            yield "times", bot, "", figure, value, "", ""
    for bot, expected in forecasts.items():
        yield "calibration", bot, "", "decisions", expected.decisions, "", ""
        yield "calibration", bot, "", "error", expected.error, "", ""
        for low, high, bin in expected.in_order():
            where = f"{low:.1f}..{high:.1f}"
            yield "calibration", bot, where, "decisions", bin.decisions, "", ""
            yield "calibration", bot, where, "expected", bin.mean_expected, "", ""
            yield "calibration", bot, where, "came", bin.mean_came, *(("", "") if bin.ci95 is None else
                                                                      bounded(bin.mean_came, bin.ci95))


def _ends(mean: float, half: float) -> tuple[float, float, float]:
    """(value, low, high) of a figure in 0..1."""
    return mean, *bounded(mean, half)


# ---- Markdown ----

def _markdown(result: TournamentResult, times: Times, forecasts: Forecasts) -> str:
    parts = [f"# {_title(result)}", _cell(facts(result))]
    for section in sections(result, times, forecasts):
        marks = [":--" if column < section.names else "--:" for column in range(len(section.columns))]
        table = "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in (section.columns, *section.rows))
        head, _, rest = table.partition("\n")
        parts += [f"## {section.title}", _cell(section.text), f"{head}\n| {' | '.join(marks)} |\n{rest}"]
    return "\n\n".join(parts) + "\n"


def _cell(text: str) -> str:
    """Text that is no markup: names of bots and options come from outside."""
    for character in "\\`*_<>[]|":
        text = text.replace(character, f"\\{character}")
    return " ".join(text.split())


# ---- HTML ----

def _html(result: TournamentResult, times: Times, forecasts: Forecasts) -> str:
    title = html.escape(_title(result))
    drawn = pictures(result, forecasts)
    body = "\n".join(_html_section(section, "" if drawn is None else drawn.get(section.key, ""))
                     for section in sections(result, times, forecasts))
    missing = f"<p>{html.escape(NO_PICTURES)}</p>\n" if drawn is None else ""
    return ('<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width">\n'
            f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
            f"<p>{html.escape(facts(result))}</p>\n{missing}{body}\n</body>\n</html>\n")


def _html_section(section: Section, picture: str) -> str:
    def row(cells: tuple[str, ...], tag: str) -> str:
        classes = (' class="name"' if column < section.names else "" for column in range(len(cells)))
        return "".join(f"<{tag}{named}>{html.escape(cell)}</{tag}>" for named, cell in zip(classes, cells, strict=True))

    rows = "\n".join(f"<tr>{row(cells, 'td')}</tr>" for cells in section.rows)
    return (f'<section id="{section.key}">\n<h2>{html.escape(section.title)}</h2>\n<p>{html.escape(section.text)}</p>\n{picture}'
            f'<div class="wide"><table>\n<thead><tr>{row(section.columns, "th")}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n'
            "</table></div>\n</section>")


def _title(result: TournamentResult) -> str:
    return f"{game_spec(result.game).title}: tournament of {len(result.standings)} bots"


_KINDS: dict[str, Callable[[TournamentResult, Times, Forecasts], str]] = {
    "json": _json, "csv": _csv, "markdown": _markdown, "html": _html, "tables": _tables}

REPORT_KINDS = tuple(_KINDS)
"""The formats of `report_text`."""
