"""Settings: what a caller may ask for, and one clear sentence about everything else."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatmate.engine.core.errors import BrokenGameError, RecordError, SettingsError, UnknownGameError
from seatmate.engine.core.registry import game_from_settings, game_spec, list_games, new_game, register
from seatmate.engine.core.spec import EventType, GameSpec, Mode, Option, OptionValue, Prompt, make_settings, words

FLAG = Option(key="signals", title="Signals", kind="flag", default=False, doc="")
LIMIT = Option(key="limit", title="Limit", kind="int", default=3, minimum=3, maximum=4, doc="")
LEVEL = Option(key="level", title="Level", kind="choice", default="easy", choices=("easy", "hard"), doc="")
HEROES = Option(key="heroes", title="Heroes", kind="ids", default="draft", choices=("draft", "random"),
                ids=("ann", "bob", "cy"), doc="")
TWINS = Option(key="twins", title="Twins", kind="ids", default="draft", choices=("draft",), ids=("ann", "bob"), distinct=False,
               doc="")
DECK = Option(key="deck", title="Deck", kind="text", default="leaf", choices=("leaf", "sand"), maximum=20, doc="")

TOY = GameSpec(
    id="toy", title="Toy", summary="A spec without a game.", rules_version=1,
    modes=(Mode(key="duel", title="Duel", seats=(2,), doc=""), Mode(key="party", title="Party", seats=(3, 4), doc="")),
    options=(FLAG, LIMIT, LEVEL, HEROES, TWINS, DECK), prompts=(Prompt("ASKED", "?"), Prompt("SECRET", "?", public="ASKED")),
    events=(EventType("SAID", ("word",)),), max_decisions=1, create=lambda settings: pytest.fail("never created"),
)


@pytest.mark.parametrize(("option", "value", "parsed"), [
    (FLAG, True, True), (FLAG, "yes", True), (FLAG, "0", False), (FLAG, "False", False), (FLAG, 1, True),
    (LIMIT, 4, 4), (LIMIT, "3", 3), (LIMIT, " 4 ", 4),
    (LEVEL, "hard", "hard"),
    (HEROES, "random", "random"), (HEROES, "ann,bob", ("ann", "bob")), (HEROES, ["cy", "ann"], ("cy", "ann")),
    (HEROES, " cy , bob ", ("cy", "bob")), (TWINS, ["ann", "ann"], ("ann", "ann")),
    (DECK, "sand", "sand"), (DECK, " 2 KS-009\n", "2 KS-009"), (DECK, 7, "7"),
])
def test_good_values(option: Option, value: Any, parsed: OptionValue) -> None:
    assert option.parse(value, 2) == parsed
    assert option.parse(parsed, 2) == parsed, "the canonical form is not accepted"


@pytest.mark.parametrize(("option", "value", "complaint"), [
    (FLAG, "maybe", "neither true nor false"), (FLAG, None, "neither true nor false"), (FLAG, 2, "neither true nor false"),
    (LIMIT, 5, "outside 3..4"), (LIMIT, "2", "outside 3..4"), (LIMIT, "many", "not a whole number"),
    (LIMIT, 3.5, "not a whole number"), (LIMIT, None, "not a whole number"), (LIMIT, True, "not a whole number"),
    (LEVEL, "easier", "not one of easy, hard"), (LEVEL, True, "not text"), (LEVEL, None, "not text"), (LEVEL, {}, "not text"),
    (HEROES, "dan,ann", "'dan' is not one of draft, random, ann, bob, cy"), (HEROES, "ann", "1 id for 2 seats"),
    (HEROES, ["ann", "bob", "cy"], "3 ids for 2 seats"), (HEROES, ["ann", "ann"], "named twice"), (HEROES, [], "0 ids"),
    (HEROES, "", "not one of"), (HEROES, [["ann"]], "not one of"), (HEROES, 7, "not one of"), (TWINS, "draft,ann", "not one of"),
    (DECK, " ", "text of at most 20 characters"), (DECK, "2 KS-009, 2 KS-010, 2 KS-011", "one of leaf, sand, or text"),
    (DECK, ["leaf"], "text of at most"), (DECK, True, "not text"), (DECK, None, "not text"),
])
def test_bad_values(option: Option, value: Any, complaint: str) -> None:
    with pytest.raises(SettingsError) as caught:
        option.parse(value, 2)
    assert complaint in str(caught.value)
    assert caught.value.field == f"options.{option.key}"
    assert str(caught.value).startswith(f"options.{option.key}: ")


anything = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
                        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=6)


@given(st.sampled_from(TOY.options), anything, st.integers(1, 8))
def test_any_value_is_parsed_or_refused_in_words(option: Option, value: Any, seats: int) -> None:
    try:
        parsed = option.parse(value, seats)
    except SettingsError as error:
        assert str(error).startswith(f"options.{option.key}: ")
    else:
        assert option.parse(parsed, seats) == parsed


def test_defaults() -> None:
    settings = make_settings(TOY)
    assert (settings.mode, settings.seats) == ("duel", 2)
    assert settings.options == {"signals": False, "limit": 3, "level": "easy", "heroes": "draft", "twins": "draft", "deck": "leaf"}
    assert make_settings(TOY, mode="party").seats == 4
    assert make_settings(TOY, mode="").mode == "duel"
    assert (make_settings(TOY, seats=3).mode, make_settings(TOY, seats=2).mode) == ("party", "duel")


@pytest.mark.parametrize(("wishes", "field", "complaint"), [
    ({"mode": "solo"}, "mode", "'solo' is not a mode of toy; it has duel, party"),
    ({"seats": 5}, "seats", "5 is not possible in toy (duel); it takes 2"),
    ({"mode": "party", "seats": 2}, "seats", "2 is not possible in toy (party); it takes 3, 4; with 2 there is duel"),
    ({"seats": -1}, "seats", "-1 is not possible"),
    ({"options": {"colour": 1}}, "options.colour", "toy has no such option; it has signals, limit"),
    ({"options": {"limit": 9}}, "options.limit", "outside"),
    ({"pack": "house"}, "pack", "toy has no content packs"),
])
def test_bad_wishes(wishes: dict[str, Any], field: str, complaint: str) -> None:
    with pytest.raises(SettingsError) as caught:
        make_settings(TOY, **wishes)
    assert caught.value.field == field
    assert complaint in str(caught.value)


def test_a_prompt_may_hide_behind_another() -> None:
    assert [TOY.public_key(prompt) for prompt in range(2)] == ["ASKED", "ASKED"]


def test_games_are_listed_by_id() -> None:
    ids = [spec.id for spec in list_games()]
    assert ids == sorted(ids)
    assert "kuhn" in ids
    assert all(game_spec(game_id).id == game_id for game_id in ids)


@pytest.mark.parametrize(("name", "hint"), [("kuhm", "did you mean 'kuhn'?"), ("", "games: "), ("zzz", "kuhn")])
def test_an_unknown_game_is_named_with_the_nearest(name: str, hint: str) -> None:
    with pytest.raises(UnknownGameError, match="no game is called") as caught:
        new_game(name)
    assert hint in str(caught.value)


def test_an_id_can_be_registered_once() -> None:
    with pytest.raises(BrokenGameError, match="registered twice"):
        register(replace(game_spec("kuhn")))
    assert register(game_spec("kuhn")) is game_spec("kuhn")


def test_every_spec_is_complete() -> None:
    for spec in list_games():
        assert spec.title.strip(), spec.id
        assert spec.summary.strip(), spec.id
        for mode in spec.modes:
            assert list(mode.seats) == sorted(set(mode.seats)), f"{spec.id} {mode.key}"
            assert set(mode.seats) <= set(range(1, 9)), f"{spec.id} {mode.key}"
        for keys in ([mode.key for mode in spec.modes], [option.key for option in spec.options],
                     [prompt.key for prompt in spec.prompts], [event.key for event in spec.events]):
            assert len(set(keys)) == len(keys), f"{spec.id}: {keys}"
        for option in spec.options:
            assert option.doc.strip(), f"{spec.id} {option.key}"
            assert option.parse(option.default, spec.modes[0].seats[-1]) == option.default, f"{spec.id} {option.key}"
        assert {spec.public_key(number) for number in range(len(spec.prompts))} <= {prompt.key for prompt in spec.prompts}


@pytest.mark.parametrize("change", [
    {"game": "no such game"}, {"mode": 7}, {"seats": "2"}, {"seats": None}, {"options": [1]}, {"options": {"x": 1}},
    {"pack": "other"}, {"pack_hash": "0"}, {"seats": 2.5},
])
def test_stored_settings_that_do_not_fit_are_refused(change: dict[str, Any]) -> None:
    stored = new_game("kuhn").settings.to_json()
    with pytest.raises((RecordError, SettingsError, UnknownGameError)):
        game_from_settings({**stored, **change})
    for key in stored:
        if key != "pack_hash":
            with pytest.raises(RecordError):
                game_from_settings({name: value for name, value in stored.items() if name != key})


@pytest.mark.parametrize(("items", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")])
def test_lists_in_words(items: list[str], text: str) -> None:
    assert words(items) == text
