"""Decks: reading, writing, checking, ready-made and random ones, and as options of a table."""
from __future__ import annotations

import pytest

from seatmate.engine.core.errors import SettingsError
from seatmate.engine.core.registry import new_game
from seatmate.engine.mythos import decks, pack
from seatmate.engine.mythos.game import DECKS

PACK = pack.read("standard").content
REST = "\n".join(f"2 KS-{number:03d}" for number in range(20, 35)) + "\nMSS-01\nMSS-02\nMSS-03"


@pytest.mark.parametrize("key", DECKS)
def test_the_ready_decks_are_legal_and_survive_a_list(key: str) -> None:
    deck = decks.ready_deck(key, PACK)
    assert len(deck.cards) == 30 and len(deck.missions) == 3
    assert decks.problems(deck, PACK) == []
    assert decks.read_list(decks.write_list(deck, PACK), PACK) == deck
    assert decks.deck_of_option(decks.write_list(deck, PACK), PACK) == deck


def test_a_list_may_be_written_in_many_ways() -> None:
    one = decks.read_list("2 KS-009, 1 KS-010; MSS-04\n# a comment\nKS-086  # another\n\n2x ks-011", PACK)
    assert one.cards == (8, 8, 9, 10, 10, 85) and one.missions == (3,)


@pytest.mark.parametrize(("text", "problem"), [
    ("2 Naruto", "'2 Naruto' is not a card"),
    ("2 KS-999", "there is no card KS-999"),
    ("KS-0009", "there is no card KS-0009; did you mean 'KS-009'"),
    ("1000 KS-009", "is not a card"),
    ("0 KS-009", "asks for no card"),
    ("999 KS-009, 999 KS-010", "the list is endless"),
])
def test_what_cannot_be_read_is_quoted(text: str, problem: str) -> None:
    with pytest.raises(decks.DeckError) as caught:
        decks.read_list(text, PACK)
    assert problem in str(caught.value)


@pytest.mark.parametrize(("change", "problem"), [
    ("3 KS-009", "it has 3 x KS-009 (Naruto Uzumaki, Genin of the Leaf Village); at most 2 of a version are allowed"),
    ("1 MSS-01", "it has 2 x MSS-01 (Call for Support); the missions must be different"),
    ("MSS-04", "it has 4 missions; it must have 3"),
    ("2 KS-001, 2 KS-002, 2 KS-003, 2 KS-004, 2 KS-005, 1 KS-006", "it has 41 characters; 30 to 40 are allowed"),
])
def test_what_is_not_legal_is_named(change: str, problem: str) -> None:
    assert decks.problems(decks.read_list(REST, PACK), PACK) == []
    wrong = decks.problems(decks.read_list(f"{REST}\n{change}", PACK), PACK)
    assert problem in wrong
    with pytest.raises(SettingsError) as caught:
        new_game("mythos", options={"deck1": f"{REST}\n{change}"})
    assert caught.value.field == "options.deck1" and problem in str(caught.value)


def test_too_few_cards() -> None:
    small = decks.read_list(REST.replace("2 KS-020\n", ""), PACK)
    assert decks.problems(small, PACK) == ["it has 28 characters; 30 to 40 are allowed"]


def test_random_decks_are_legal_and_the_same_for_a_seed() -> None:
    seen = set()
    for seed in range(50):
        deck = decks.random_deck(PACK, seed)
        assert decks.problems(deck, PACK) == []
        assert deck == decks.random_deck(PACK, seed) == decks.deck_of_option(f"random:{seed}", PACK)
        seen.add(deck)
    assert len(seen) == 50
    assert decks.deck_of_option("random", PACK) == decks.random_deck(PACK, 0)


@pytest.mark.parametrize("value", ["random:x", "leef", "random:-1", "random:" + "9" * 5000, "unknown:" + "3" * 5000])
def test_options_that_mean_no_deck(value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        new_game("mythos", options={"deck0": value})
    assert caught.value.field == "options.deck0"


def test_each_seat_plays_its_own_deck() -> None:
    game = new_game("mythos", options={"deck0": "rogue", "deck1": REST, "open_decklists": False})
    state = game.new_state(3)
    for seat, deck in enumerate((decks.ready_deck("rogue", PACK), decks.read_list(REST, PACK))):
        seen = state.observation(seat)
        ids = sorted(seen["hands"][seat] + seen["unseen"][seat])
        assert ids == [PACK.character[kind].id for kind in deck.cards]
        assert seen["triples"][seat] == [PACK.mission[number].id for number in deck.missions]
        assert seen["unseen"][1 - seat] is None and seen["triples"][1 - seat] is None
    assert new_game("mythos", options=state.record.settings["options"]).new_state(3) == state


def test_a_deck_of_forty() -> None:
    text = REST.replace("2 KS-020", "2 KS-001, 2 KS-002, 2 KS-003, 2 KS-004, 2 KS-005, 2 KS-020")
    game = new_game("mythos", options={"deck0": text})
    state = game.new_state(1)
    assert state.observation(0)["deck"] == [35, 25]
