"""Records: broken ones are refused in words, whatever is broken."""
from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seatmate.engine.core.errors import RecordError
from seatmate.engine.core.game import State
from seatmate.engine.core.record import Record
from seatmate.engine.core.registry import new_game


def played() -> State:
    """A finished hand of Kuhn poker."""
    state = new_game("kuhn").new_state(2**100 + 7)
    for seat, action in ((0, 0), (1, 1), (0, 1)):
        state.apply_action(seat, action)
    return state


TEXT = played().record.to_json()


def test_a_record_is_one_line_of_json_and_replays() -> None:
    assert "\n" not in TEXT
    again = Record.from_json(TEXT.encode()).replay()
    assert again == played()
    assert again.actions == [(0, 0), (1, 1), (0, 1)]
    assert again.seed == 2**100 + 7, "seeds wider than a double lose digits"
    assert again.events(0) == played().events(0)


def test_a_part_of_a_game_can_be_replayed() -> None:
    half = Record.from_json(TEXT).replay(actions=1, record_events=False)
    assert half.actions == [(0, 0)]
    with pytest.raises(ValueError, match="does not record"):
        half.events(0)


def test_a_record_of_a_game_that_goes_on_replays_too() -> None:
    state = new_game("kuhn").new_state(5)
    assert Record.from_json(state.record.to_json()).replay() == state
    state.apply_action(0, 1)
    assert Record.from_json(state.record.to_json()).replay() == state


def test_a_sampled_world_has_no_record() -> None:
    with pytest.raises(ValueError, match="sampled world"):
        _ = played().resample_from_infostate(0, 1).record


def changed(**fields: Any) -> str:
    """The record with other fields."""
    return json.dumps({**json.loads(TEXT), **fields})


@pytest.mark.parametrize(("text", "complaint"), [
    ("", "not JSON"), ("{", "not JSON"), (b"\xff\xfe\x00", "not JSON"), ("[" * 100_000, "nested too deeply"),
    ("[]", "not a game record of format 1"), ("{}", "not a game record"), (changed(format=2), "not a game record of format 1"),
    (changed(seed="x"), "broken"), (changed(seed=None), "broken"), (changed(seed="-3"), "its seed is not a whole number from 0 on"),
    (changed(actions=None), "broken"), (changed(actions=[[0]]), "broken"), (changed(actions=[[0, 0, 0]]), "broken"),
    (changed(actions=[["0", 0]]), "not a whole number"), (changed(actions=[[0, True]]), "not a whole number"),
    (changed(actions=[[0, 1.0]]), "not a whole number"), (changed(actions="ab"), "broken"),
    (changed(settings=[]), "settings is not an object"), (changed(rules_version="1"), "not a whole number"),
])
def test_what_is_no_record_is_not_read(text: str | bytes, complaint: str) -> None:
    with pytest.raises(RecordError, match=complaint):
        Record.from_json(text)


@pytest.mark.parametrize(("text", "complaint"), [
    (changed(rules_version=99), "rules version 99 of kuhn; this is version 1"),
    (changed(digest="00"), "does not replay to the position"),
    (changed(actions=[[0, 0], [1, 1]]), "does not replay to the position"),
    (changed(actions=[[0, 0], [1, 1], [0, 1], [1, 1]]), "action 4 of the record does not fit: the game is over"),
    (changed(actions=[[1, 0]]), "action 1 of the record does not fit: seat 1 is not asked"),
    (changed(actions=[[0, 5]]), "action 1 of the record does not fit: 5 is not a legal answer to ACT"),
    (changed(actions=[[5, 0]]), "there is no seat 5"), (changed(actions=[[2**70, 0]]), "action 1"),
    (changed(actions=[[0, 2**70]]), "action 1"),
    (changed(settings={}), "its settings name no game"), (changed(settings={"game": "chess"}), "no game is called 'chess'"),
    (changed(settings={"game": "kuhn"}), "settings are broken"),
    (changed(seed="1"), "does not"),
])
def test_a_record_that_does_not_fit_is_not_replayed(text: str, complaint: str) -> None:
    with pytest.raises(RecordError, match=complaint):
        Record.from_json(text).replay()


values = st.recursive(st.none() | st.booleans() | st.integers(-3, 2**70) | st.floats(allow_nan=False) | st.text(max_size=5),
                      lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
                      max_leaves=8)


@settings(max_examples=300)
@given(st.sampled_from([*json.loads(TEXT)]), values)
def test_whatever_stands_in_a_field_the_answer_is_a_record_error(key: str, value: Any) -> None:
    original = json.loads(TEXT)
    try:
        state = Record.from_json(json.dumps({**original, key: value})).replay()
    except RecordError as error:
        assert str(error).strip()
    else:
        assert state == played() or str(value) == original[key]


@given(st.integers(0, len(TEXT) - 1), st.characters(min_codepoint=32, max_codepoint=126))
def test_one_changed_character_is_a_record_error_or_changes_nothing_that_counts(at: int, character: str) -> None:
    try:
        state = Record.from_json(TEXT[:at] + character + TEXT[at + 1:]).replay()
    except RecordError:
        return
    assert state.to_bytes() == played().to_bytes()
