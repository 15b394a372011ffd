"""The report in all its formats: the same figures everywhere, nothing of a name becomes markup, and no network."""
from __future__ import annotations

import csv
import io
import json
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from seatmate.ai.arena import REPORT_KINDS, Sprt, TournamentError, TournamentResult, report_text, run_tournament
from seatmate.ai.arena.plots import COLOURS, pictures
from seatmate.ai.arena.writing import NO_PICTURES

BOTS = ["random", "search:iterations=5", "search:iterations=40"]


@pytest.fixture(scope="module")
def result() -> TournamentResult:
    return run_tournament("kuhn", seats=2, bots=BOTS, deals=40, seed=3, workers=1, ratings=True, anchor="random")


def test_csv_has_every_figure_with_its_ends(result: TournamentResult) -> None:
    rows = list(csv.DictReader(io.StringIO(report_text(result, "csv"))))
    found = {(row["section"], row["name"], row["against"], row["figure"]): row for row in rows}
    assert len(found) == len(rows)
    for standing in result.standings:
        row = found["standings", standing.bot, "", "mean_utility"]
        assert float(row["value"]) == standing.mean_utility
        assert float(row["high"]) == pytest.approx(min(1, standing.mean_utility + standing.ci95))
    for pair in result.pairs:
        assert float(found["pairs", pair.a, pair.b, "superiority"]["value"]) == pair.superiority
        low, high = pair.interval
        row = found["pairs", pair.a, pair.b, "difference"]
        assert (float(row["low"]), float(row["high"])) == (low, high)
    assert float(found["ratings", "random", "random", "elo"]["value"]) == 0
    assert {row["name"] for row in rows if row["section"] == "seats"} == {"0", "1"}
    assert {row["against"] for row in rows if row["section"] == "budgets"} == {"iterations=5", "iterations=40"}


def test_json_is_the_result(result: TournamentResult) -> None:
    assert json.loads(report_text(result, "json")) == json.loads(json.dumps(result.to_json()))


def test_tables_are_those_of_the_page(result: TournamentResult) -> None:
    told = json.loads(report_text(result, "tables"))
    html = report_text(result, "html")
    assert told["title"] in html and len(told["sections"]) == html.count("<table>")
    for section in told["sections"]:
        assert f"<h2>{section['title']}</h2>" in html and 0 < section["names"] < len(section["columns"])
        assert {len(row) for row in section["rows"]} == {len(section["columns"])}
    assert told["sections"][0]["rows"][0][0] == result.standings[0].bot


def test_markdown_has_tables_that_fit(result: TournamentResult) -> None:
    text = report_text(result, "markdown")
    for heading in ("Standings", "Cross table", "Each two", "Ratings", "Seats", "Game length", "Strength against budget"):
        assert f"\n## {heading}\n" in text
    assert "## Sequential test" not in text
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(widths) == 1
    first = result.standings[0]
    assert f"| {first.bot} | {first.rank} | {first.mean_utility:.4f} ± {first.ci95:.4f} |" in text


def test_a_sequential_test_is_told() -> None:
    tested = run_tournament("kuhn", seats=2, bots=BOTS[:2], deals=60, seed=3, workers=1, sprt=Sprt.from_elo(0, 50))
    assert tested.sprt is not None
    for kind in ("markdown", "html"):
        text = report_text(tested, kind)
        assert "Sequential test" in text and f"{tested.sprt.llr:+.2f}" in text


def test_faults_are_told(result: TournamentResult) -> None:
    failed = replace(result, faults={"mine": {"crashes": 3, "overshoots": 1200}})
    assert "| mine | 3 | 0 | 0 | 1,200 |" in report_text(failed, "markdown")
    assert "faults,mine,,overshoots,1200,," in report_text(failed, "csv")
    assert "did wrong" not in report_text(result, "markdown")


class Page(HTMLParser):
    """What a page loads, its ids, and whether its elements are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for key, value in attrs if key == "id" and value]
        self.links += [value for key, value in attrs if key in ("src", "href", "xlink:href") and value]
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_one_whole_page_that_loads_nothing(result: TournamentResult) -> None:
    text = report_text(result, "html")
    page = Page(text)
    assert not page.open and len(set(page.ids)) == len(page.ids)
    assert all(link.startswith("#") for link in page.links)
    assert "@import" not in text and re.findall(r"url\((?!#)", text) == [] and "<script" not in text
    assert "prefers-color-scheme: dark" in text and NO_PICTURES not in text
    assert text.count("<svg") == 4 and text == report_text(result, "html")


def test_pictures_take_the_colours_of_the_page(result: TournamentResult) -> None:
    drawn = pictures(result, {})
    assert drawn is not None and set(drawn) == {"standings", "ratings", "seats", "budgets"}
    for svg in drawn.values():
        ElementTree.fromstring(svg)
        assert "var(--mark)" in svg and not any(colour in svg for colour in COLOURS)
        assert set(re.findall(r"#[0-9a-f]{6}\b", svg)) == set()     # any other would be invisible on one of the two grounds


def test_names_are_no_markup(result: TournamentResult) -> None:
    evil = "<b>a|b</b>$x$`*"
    named = replace(result, standings=(replace(result.standings[0], bot=evil), *result.standings[1:]))
    text = report_text(named, "html")
    assert "<b>" not in text and "&lt;b&gt;a|b&lt;/b&gt;$x$`*" in text
    assert not Page(text).open
    row = next(line for line in report_text(named, "markdown").splitlines() if line.startswith(r"| \<b\>a\|b\</b\>"))
    assert len(re.findall(r"(?<!\\)\|", row)) == 6
    assert next(csv.DictReader(io.StringIO(report_text(named, "csv"))))["name"] == evil


def test_without_matplotlib_one_sentence_says_so(result: TournamentResult, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    text = report_text(result, "html")
    assert text.count(NO_PICTURES) == 1 and "<svg" not in text and text.count("<table>") == 7


def test_other_formats_are_refused(result: TournamentResult) -> None:
    assert set(REPORT_KINDS) == {"json", "csv", "markdown", "html", "tables"}
    with pytest.raises(TournamentError, match="'htm' is not one of"):
        report_text(result, "htm")
