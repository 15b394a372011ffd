"""Every character and every mission: what it does in a real position, and what it does not do.

The tests of completeness look at what really happens in the examples: which lines run, and what fails without a line.
"""
from __future__ import annotations

import re
import zlib
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import cards_crowd
import cards_leaf
import cards_others
import cards_rare
from mythos_table import Case, a_game, does, number
from seatmate.engine.core.errors import PackError
from seatmate.engine.mythos.content import pack
from seatmate.engine.mythos.content.vocabulary import MISSION_LINE

CASES: list[Case] = [*cards_leaf.CASES, *cards_others.CASES, *cards_rare.CASES, *cards_crowd.CASES]
IDS = [*(number(card.id) for card in a_game().pack.character), *(mission.id for mission in a_game().pack.mission)]
LINES = {number(card.id): card.effects for card in a_game().pack.character} | {
    mission.id: mission.effects for mission in a_game().pack.mission}
"""The effect lines of each card, in printed order."""


def examples(card: str, acts: bool) -> list[Case]:
    """A card's examples of what it does, or does not do."""
    return [case for case in CASES if case.card == card and case.acts is acts]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.card}-{case.what.replace(' ', '_')}")
def test_card(case: Case) -> None:
    case.check()


def test_every_card_has_its_examples() -> None:
    """All 148 characters and 10 missions: one example at least of what it does, and one of what it does not do."""
    assert len(IDS) == 158
    for acts in (True, False):
        assert not [card for card in IDS if not examples(card, acts)], "cards without an example"
    assert {case.card for case in CASES} == set(IDS)
    names = Counter((case.card, case.what) for case in CASES)
    assert max(names.values()) == 1, "two examples with one name"


def test_examples_are_about_their_card_and_can_fail() -> None:
    for case in CASES:
        assert case.is_telling(), f"{case.card}: {case.what}"
        values = [case.script, *(str(value) for value in case.table.values())]
        assert any(case.card in value for value in values), f"{case.card}: {case.what}: the card is not there"
    assert not does("009", "nothing", "", "").is_telling()
    assert not does("009", "nothing is said", "pass", "").is_telling()
    assert not does("009", "nothing is done", "", "A0=009 A.chakra=20", a="009").is_telling()


# ---- Lines that run ----

@cache
def lines_run(acts: bool) -> dict[str, list[set[int]]]:
    """By card: for each of its examples the lines, by their place on the card, that ran in it."""
    game = a_game()
    found: dict[str, list[set[int]]] = {}
    for case in CASES:
        if case.acts is acts:
            ran = case.check().lines_run()
            if case.card.startswith("MSS"):
                kind = MISSION_LINE + game.names.mission_number[case.card]
            else:
                kind = game.names.card_number[f"KS-{case.card}"]
            first = game.compiled.first[kind]
            found.setdefault(case.card, []).append({line - first for line in ran} & set(range(game.compiled.count[kind])))
    return found


def starts_by_itself(line: str) -> bool:
    """Is the line carried out at some moment (and told)? Lasting ones and replacements are not."""
    return not re.match(r"(while|replace)\b", line)


@pytest.mark.parametrize("card", [card for card in IDS if any(starts_by_itself(str(line)) for line in LINES[card])])
def test_every_line_runs_and_stays_quiet(card: str) -> None:
    """Each line that is carried out at some moment runs in an example of what its card does, and does not run in one of
    what it does not do, where the card could have run it: it was played, or is on the table."""
    for place, line in enumerate(LINES[card]):
        if starts_by_itself(str(line)):
            assert any(place in ran for ran in lines_run(True)[card]), f"{line}: never runs"
            assert any(place not in ran for ran in lines_run(False)[card]), f"{line}: there is no example where it does not run"


# ---- Lines that matter ----

def with_line(card: str, line: str, other: str, folder: Path) -> str:
    """The standard pack with another line in the place of one of a card's ("": none), as a file."""
    text = (Path(pack.__file__).parents[1] / "packs" / "standard.toml").read_text()
    key = card if card.startswith("MSS") else f"KS-{card}"
    start = text.index(f'id = "{key}"')
    end = text.index("\nsource", start)
    entry = text[start:end]
    changed = entry.replace(f'"{line}"', f'"{other}"', 1)
    assert changed != entry, f"{key} has no such line"
    changed = re.sub(r'"",?', "", changed)
    name = f"{card}-{zlib.crc32(f'{line} {other}'.encode())}"
    file = folder / f"{name}.toml"
    file.write_text((text[:start] + changed + text[end:]).replace('name = "standard"', f'name = "{name}"', 1))
    return str(file)


def fails(case: Case, changed: str) -> bool:
    """Is the example wrong where another pack is played?"""
    try:
        replace(case, table={**case.table, "pack": changed}).check()
    except AssertionError:
        return True
    return False


@pytest.mark.parametrize("card", [card for card in IDS if LINES[card]])
def test_no_line_can_be_left_out(card: str, tmp_path: Path) -> None:
    """If one line of a card were missing, one of the card's examples of what it does would fail."""
    for line in map(str, LINES[card]):
        changed = with_line(card, line, "", tmp_path)
        assert any(fails(case, changed) for case in examples(card, True)), f"{line}: nobody would miss it"


# ---- Restrictions that matter ----

_ATOM = re.compile(r"\.(?:up|hidden|here|elsewhere|other|notA|stacked|lastturn|atM|grp=\w+|kw!?=[\w|]+|name!?=[\w|]+|tok>=1"
                   r"|min\(\w+\)|max\(\w+\)|(?:pow|p?cost)(?:<=|<|>=|=)(?:count\([^)]*\)|cost\(K\)|\w+))(?![\w(])")
_WHEN = re.compile(r" when\((?:[^()]|\([^()]*\))*\)")


def loosened(line: str) -> list[str]:
    """The line with one restriction less: a condition, a part of a selector, a side, who must cause it, "if upg"."""
    found = [line[:match.start()] + line[match.end():] for pattern in (_WHEN, _ATOM) for match in pattern.finditer(line)]
    found += [line[:match.start()] + "@any" + line[match.end():] for match in re.finditer("@(?:enemy|friendly)", line)]
    found += [line.replace(words, "", 1) for words in (" if upg", " by=enemy", " by=you") if words in line]
    return list(dict.fromkeys(found))


IMPLIED = {
    "MAIN: LOOK(@any.hidden)": "only hidden ones can be looked at",
    "UPGRADE: LOOK(@any.hidden)": "the same",
    "UPGRADE: HIDE(@any.up.sum(6))": "only up ones can be hidden",
    "MAIN when(edge): EDGE(opp) -> TOK(3)": "who does not hold the Edge cannot give it away",
}
"""Lines whose only restriction says what holds anyway: without it nothing would change."""


@pytest.mark.parametrize("card", [card for card in IDS if LINES[card]])
def test_restrictions_are_shown(card: str, tmp_path: Path) -> None:
    """Each line that is restricted has an example which fails if it were less so: where it must not act is shown."""
    for line in map(str, LINES[card]):
        variants = [] if line in IMPLIED else [with_line(card, line, other, tmp_path) for other in loosened(line)]
        variants = [variant for variant in variants if is_pack(variant)]
        cases = examples(card, False) + examples(card, True)
        noticed = any(fails(case, variant) for variant in variants for case in cases)
        assert noticed or not variants, f"{line}: its limits are not shown"


@cache
def is_pack(file: str) -> bool:
    """Does the notation allow the changed line?"""
    try:
        a_game(pack=file)
    except PackError:
        return False
    return True
