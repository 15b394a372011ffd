"""The knobs of the search are rows, and what is said of one follows from its row."""
from __future__ import annotations

import math
import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from seatmate.ai.bots import list_bots, parse_bot
from seatmate.ai.search.params import KNOBS, SearchParams, numbers, place
from seatmate.engine.core.errors import BrokenGameError
from seatmate.engine.core.registry import game_spec

ROOT = Path(__file__).parents[2]


def with_knob(name: str, value: Any) -> SearchParams:
    """Of this value, all others as they are."""
    return SearchParams(**{name: value})


def test_every_knob_has_a_row_that_says_what_it_means() -> None:
    assert list(KNOBS) == [one.name for one in fields(SearchParams)]
    for name, knob in KNOBS.items():
        assert len(knob.meaning) > 20 and knob.meaning.endswith((".", ")")), name
        assert (isinstance(knob.default, str)) == bool(knob.words), name
        assert f"{name}: {knob.doc}" in str(SearchParams.__doc__)
        for value in (*knob.tries, *knob.words, knob.default):
            assert getattr(with_knob(name, value), name) == value


def test_a_bot_takes_every_knob_and_says_what_it_is() -> None:
    search = next(info for info in list_bots() if info.id == "search")
    said = {one.key: one.doc for one in search.parameters}
    for name, knob in KNOBS.items():
        assert said[name] == knob.doc
        value = knob.words[-1] if isinstance(knob.default, str) else str(knob.default).lower()
        assert dict(parse_bot(f"search:{name}={value}").parameters)[name] == (value if knob.words else knob.default)


@pytest.mark.parametrize("name", KNOBS)
def test_a_value_outside_its_row_is_refused_by_name(name: str) -> None:
    row = KNOBS[name]
    wrong: list[object] = [None, [1]]
    if isinstance(row.default, bool):
        wrong += [1, "true"]
    elif isinstance(row.default, str):
        wrong += ["none of them", 1]
    else:
        wrong += [True, "1", math.nan, row.least - 1]
        wrong += [row.most * 2 + 1] if row.most < math.inf else []
    for value in wrong:
        with pytest.raises(ValueError, match=name):
            with_knob(name, value)


def test_the_search_has_every_knob_where_it_looks_for_it() -> None:
    """A name in C is the name of the row: place(...) is all that binds them."""
    params = SearchParams(exploration=2.0, tree_key="open", split_private=True, rollout_depth=-1)
    values = numbers(params)
    assert [values[place(name)] for name in ("exploration", "tree_key", "split_private", "rollout_depth")] == [2.0, 2.0, 1.0, -1.0]
    asked = {found for path in (ROOT / "ai").rglob("*.pyx")
             for found in re.findall(r"cdef int ([A-Z_]+ = place\(\"\w+\"\))", path.read_text(encoding="utf-8"))}
    assert asked and all(left.lower() == right for left, right in
                         (re.fullmatch(r"(\w+) = place\(\"(\w+)\"\)", one).groups() for one in asked))     # type: ignore[union-attr]
    with pytest.raises(KeyError):
        place("explorations")


@pytest.mark.parametrize(("hints", "why"), [
    ({"explorations": 1.0}, "did you mean 'exploration'"), ({"exploration": "1"}, "exploration must be"),
    ({"selection": "best"}, "selection must be one of puct, regret"), ({"mast": 2.0}, "mast must be in 0..1"),
])
def test_wrong_hints_of_a_game_are_named(hints: dict[str, object], why: str) -> None:
    with pytest.raises(BrokenGameError, match=rf"the search of kuhn: .*{why}"):
        SearchParams.for_game(replace(game_spec("kuhn"), search=hints))     # type: ignore[arg-type]
