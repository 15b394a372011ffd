"""Code and tests cite sections and rulings of RULES.md: what they cite must be there. What its tables name must be in the game."""
from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seatmate.engine.hundred_days.content import vocabulary as days
from seatmate.engine.hundred_days.content.pack import read
from seatmate.engine.hundred_days.words import events as days_events
from seatmate.engine.monster_chase.content import vocabulary as chase
from seatmate.engine.monster_chase.words import events as chase_events

ROOT = Path(__file__).parents[1]
GAMES = sorted(path.parent.name for path in (ROOT / "engine").glob("*/RULES.md"))

PROSE = re.compile(r'#[^\n]*|"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
"""Comments, docstrings and texts."""

SECTIONS = re.compile(r"(?:\bsections? |[(])(?P<numbers>[1-9]\d*(?:\.\d+)?(?:(?:, | and | to |, and )\d+\.\d+)*)"
                      r"(?=[),:;.]? |[),:;.]?$|[),:;])", re.MULTILINE)


def cited_sections(text: str) -> Iterator[str]:
    """`section 5.7`, `sections 5.6 to 5.8`, and numbers with a dot that open a bracket: `(6.4, R3)`."""
    for prose in PROSE.findall(text):
        for found in SECTIONS.finditer(prose):
            if found[0][0] != "(" or "." in found["numbers"]:
                yield from re.findall(r"\d+(?:\.\d+)?", found["numbers"])


def cited_rulings(text: str) -> Iterator[str]:
    for prose in PROSE.findall(text):
        for first, last in re.findall(r"\bR([1-9]\d*)\b(?:(?: to |-)R?([1-9]\d*)\b)?", prose):
            yield first
            yield last or first


def files_of(game: str) -> list[Path]:
    """The game and the tests that are only about it."""
    folders = [ROOT / "engine" / game, ROOT / "tests" / "engine" / game, ROOT / "tests" / "rulebook" / game]
    return sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".pyi", ".pyx", ".pxd"))


def sections(rules: str) -> set[str]:
    return set(re.findall(r"^#+ (\d+(?:\.\d+)?)\b", rules, re.MULTILINE))


def rulings(rules: str) -> set[str]:
    """Those that open a line, a cell of a table or a sentence below the heading `Rulings`."""
    below = re.split(r"^## \d+\.? Rulings$", rules, flags=re.MULTILINE)[1].split("\n## ")[0]
    opening = re.compile(r"(?:^ *(?:[*|-] )?|[.:;)] |\| )\*{0,2}(R[1-9]\d*(?:, R[1-9]\d*)*)\b", re.MULTILINE)
    return {number for found in opening.findall(below)
            for number in re.findall(r"\d+", found)}


@pytest.mark.parametrize("game", GAMES)
def test_cited_sections_and_rulings_exist(game: str) -> None:
    rules = (ROOT / "engine" / game / "RULES.md").read_text()
    known, ruled = sections(rules), rulings(rules)
    assert len(known) > 20 and len(ruled) > 40
    for path in files_of(game):
        text = path.read_text()
        assert (missing := set(cited_sections(text)) - known) == set(), f"{path.relative_to(ROOT)} cites sections {missing}"
        assert (missing := set(cited_rulings(text)) - ruled) == set(), f"{path.relative_to(ROOT)} cites rulings {missing}"


def test_citations_are_found() -> None:
    text = '"""Costs (spec section 4.9), as sections 5.6 to 5.8 say (R19 to R29)."""\n# (6.4, R3): why\nx = (0.5)\n# (0.5 of it)'
    assert list(cited_sections(text)) == ["4.9", "5.6", "5.8", "6.4"]
    assert list(cited_rulings(text)) == ["19", "29", "3", "3"]


def listed(rules: str, heading: str, pattern: str) -> list[Any]:
    """What the pattern finds in a section of the rules."""
    return re.findall(pattern, re.split(r"^##+ ", rules.split(f"\n### {heading}")[1], flags=re.MULTILINE)[0], re.MULTILINE)


def test_monster_chase_lists_its_questions_and_events() -> None:
    rules = (ROOT / "engine" / "monster_chase" / "RULES.md").read_text()
    questions = [name for cell in listed(rules, "5.14", r"^\| \d+ \| ([^|]+) \|") for name in re.findall(r"[A-Z_]+\d?", cell)]
    assert sorted(questions) == sorted(name[2:] for name in vars(chase) if name.startswith("Q_") and name != "Q_NOTHING")
    events = {key: tuple(re.findall(r"\w+", args)) for key, args in listed(rules, "5.15", r"`([A-Z_]+)\(([^)]*)\)`")}
    assert events == {row.key: row.args for row in chase_events.EVENTS.rows.values()}


def test_hundred_days_lists_its_constants_questions_and_events() -> None:
    rules = (ROOT / "engine" / "hundred_days" / "RULES.md").read_text()
    said = dict(listed(rules, "3.1", r"^\| `(\w+)` \| `?(\w+)"))
    limits = read("standard").content.limits.model_dump(exclude={"source", "source_note", "address"})
    assert said == {key: str(value) for key, value in limits.items()}
    questions = re.findall(r"^\| \d+ \| P_([A-Z_]+\d?) \|", rules, re.MULTILINE)
    assert set(questions) == {name[2:] for name in vars(days) if name.startswith("Q_") and name != "Q_NOTHING"}
    events = {name for cell in listed(rules, "5.6", r"^\| ([^|]+) \|") for name in re.findall(r"E_([A-Z_]+)", cell)}
    assert events == set(days_events.EVENTS.rows) - {"FLOW", "FRAME"}
