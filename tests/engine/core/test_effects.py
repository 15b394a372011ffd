"""The effect notation: what parses, what does not, and a tree as text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from seatmate.engine.core.effects import (
    Argument,
    Atom,
    Compare,
    EffectError,
    Head,
    Line,
    Name,
    Number,
    Selector,
    Step,
    Store,
    Sum,
    Test,
)
from seatmate.engine.core.effects_parse import parse_line, parse_value
from seatmate.engine.core.errors import PackError

from .effects_games import DUEL_LINES, HYDE_LINES, OTHER_LINES
from .effects_text import format_line


@pytest.mark.parametrize("text", HYDE_LINES + DUEL_LINES + OTHER_LINES)
def test_lines_of_the_games_are_canonical(text: str) -> None:
    assert format_line(parse_line(text)) == text


def test_examples_of_the_manual_are_canonical() -> None:
    manual = (Path(__file__).parents[3] / "docs" / "effects.md").read_text(encoding="utf-8")
    lines = [line for block in re.findall(r"```effects\n(.*?)```", manual, re.DOTALL) for line in block.splitlines()]
    assert len(lines) >= 12
    assert [format_line(parse_line(line)) for line in lines] == lines


def test_spaces_do_not_matter() -> None:
    tight = "on MOVED(@self)by=you may:A=@item.opp,HIDE(@enemy.pow<=3,@b)>X.done->if!a&b<3{C()}else{D(k=1)}"
    wide = re.sub(r"(->|<=|>|[()@=:,.!&{}<])", r" \t\1 ", tight).replace("- \t>", "->").replace("< \t=", "<=")
    assert parse_line(wide) == parse_line(tight)


def test_syntax_tree_of_a_line() -> None:
    line = parse_line("on MOVED(@self) must: may HIDE(@enemy.pow<3.one)>X.done -> opp: after B(k=-X+2) if !edge")
    assert line == Line(
        head=Head("on", (Name("MOVED"),), Selector("self"), flags=("must",)),
        targets=(),
        pay=(),
        body=(
            Step(
                "HIDE",
                (Argument(Selector("enemy", (), (Compare("pow", "<", (Number(3),)), Atom("one")))),),
                may=True,
                stores=(Store("X", "done"),),
            ),
            Step(
                "B",
                (Argument(Sum(True, Name("X"), 2), "k"),),
                who="opp",
                after=True,
                condition=(Test(Name("edge"), negated=True),),
                chained=True,
            ),
        ),
    )


def test_a_who_word_before_the_colon_is_not_a_trigger() -> None:
    assert parse_line("opp: DRAW(1)").head is None
    assert parse_line("start: opp: DRAW(1)").head == Head("start")


SYNTAX_ERRORS = {
    "": (0, "expected a step"),
    "MAIN:": (5, "expected a step"),
    "MAIN: HIDE(@self": (16, "expected ',' or ')', found the end"),
    "MAIN: HIDE @self": (11, "expected '(' after HIDE"),
    "MAIN: HIDE(@self) ->": (20, "expected a step"),
    "MAIN: HIDE(@self) HIDE(@self)": (18, "expected ';', '->', '>' or 'if'"),
    "MAIN must may: PUSH()": (10, "repeats or contradicts"),
    "MAIN when(edge) when(edge): PUSH()": (16, "repeats or contradicts"),
    "MAIN: foo: PUSH()": (6, "expected one of own, opp, both"),
    "MAIN: HIDE(@card.sym in SIREN)": (21, "attribute=A|B"),
    "MAIN: PUSH() if !count(@self)=1": (29, "comparison without '!'"),
    "MAIN: PUSH() if 3": (17, "a comparison such as"),
    "MAIN: TOK(1234567890)": (10, "at most 9 digits"),
    "MAIN: F(a=1, a=2)": (13, "given twice"),
    "MAIN: PUSH();\nPUSH()": (13, "one line"),
    "MAIN: PUSH() § PUSH()": (13, "unexpected '§'"),
    "MAIN: if edge PUSH()": (14, "expected '{'"),
    "A=@item PUSH()": (8, "expected '.' or ','"),
    "if(edge) {PUSH()}": (2, "expected a condition"),
    "MAIN: F(" + "count(" * 20: (80, "nested more than"),
    "if a {" * 40 + "F()": (78, "nested more than"),
}


@pytest.mark.parametrize("text", SYNTAX_ERRORS)
def test_syntax_errors_show_the_column_and_what_was_expected(text: str) -> None:
    position, problem = SYNTAX_ERRORS[text]
    with pytest.raises(EffectError) as caught:
        parse_line(text)
    error = caught.value
    assert problem in error.problem
    assert (error.position, error.column) == (position, position + 1)
    assert isinstance(error, PackError)
    assert isinstance(error, ValueError)


def test_a_card_without_a_symbol_matches_no_comparison_of_symbols() -> None:
    for text, expected in {"@card.sym=BEE": False, "@card.sym!=BEE": False, "@card.num>=6": True}.items():
        selector = parse_value(text)
        assert isinstance(selector, Selector)
        assert selector.matches({"num": 6}) is expected


@pytest.mark.parametrize("text", ["@card.up", "@card.num<X+1", "@card.sym<BEE"])
def test_filters_that_need_a_position_do_not_match(text: str) -> None:
    selector = parse_value(text)
    assert isinstance(selector, Selector)
    with pytest.raises(ValueError, match="filter"):
        selector.matches({"num": 3, "sym": "BEE"})
