"""What a game adds to the effect notation: tables that fit together."""

from __future__ import annotations

import re
from typing import Any

import pytest

from seatmate.engine.core.effects import EffectError
from seatmate.engine.core.effects_compile import compile_line
from seatmate.engine.core.effects_vocabulary import Attribute, Param, Register, Signature, Trigger, Vocabulary

from .effects_games import DUEL, enum


@pytest.mark.parametrize(
    ("tables", "problem"),
    [
        ({"verbs": {"A": Signature(0), "B": Signature(0)}}, "verbs: numbers must be distinct"),
        ({"verbs": {"may": Signature(0)}}, "'may' is a word of the notation"),
        ({"triggers": {"opp": Trigger(0)}}, "'opp' is a word of the notation"),
        ({"who": {"me": 0}}, "who must be among"),
        ({"bases": {"A": Signature(0)}, "registers": {"A": Register(0)}}, "'A' has two meanings"),
        ({"atoms": {"min": Signature(0)}}, "'min' is built in"),
        ({"amounts": {"all": Signature(0)}}, "'all' is built in"),
        ({"attributes": {"sym": Attribute(0, "symbol")}}, "no enumeration 'symbol'"),
        ({"atoms": {"near": Signature(0, (Param.amount("n"),))}}, "inside a selector"),
        ({"verbs": {"A": Signature(0, (Param.number("a", 1), Param.number("b")))}}, "required parameters come first"),
        ({"verbs": {"A": Signature(0, (Param.word_set("a", "w"),))}, "words": {"w": {"x": 31}}}, "numbers 0..30"),
        (
            {"verbs": {"A": Signature(0, (Param.word("a", "w"), Param.flag("x")))}, "words": {"w": {"x": 1}}},
            "a flag has",
        ),
    ],
)
def test_a_contradictory_vocabulary_is_refused(tables: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        Vocabulary("bad", **tables)


def test_a_wrong_default_is_refused() -> None:
    bad = Vocabulary("bad", verbs={"HIDE": Signature(0, (Param.selector("target", "@self"),))})
    with pytest.raises(ValueError, match=r"default of HIDE\.target"):
        compile_line("HIDE()", bad)


def test_words_of_a_pack_extend_the_vocabulary() -> None:
    line = "MAIN: HIDE(@enemy.name=pakkun)"
    with pytest.raises(EffectError):
        compile_line(line, DUEL)
    assert compile_line(line, DUEL.with_words(name=enum("pakkun"))).entries[0].trigger == 0
