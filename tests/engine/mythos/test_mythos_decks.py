"""Decks: reading, writing, checking, ready-made and random ones, and as options of a table."""
from __future__ import annotations

import itertools

import pytest

from seatmate.engine.core.errors import SettingsError
from seatmate.engine.core.registry import new_game
from seatmate.engine.mythos.content import decks, pack
from seatmate.engine.mythos.game import DECKS, MythosGame

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
    one = decks.read_list("2 KS-009, 1 KS-010; MSS-04\n# a comment, of two parts\nKS-086  # another, too\n\n2x ks-011", PACK)
    assert one.cards == (8, 8, 9, 10, 10, 85) and one.missions == (3,)
    for text in ("2 KS-009", "2xKS-009", "2x KS-009", "2 x KS-009", "2XKS-009", "KS-009, KS-009", "2 KS-009  # Naruto; Uzumaki",
                 "2KS-009", "2ks-009", "02KS-009", "1KS-009;1KS-009"):
        assert decks.read_list(text, PACK).cards == (8, 8), text


def test_a_count_that_sticks_to_a_card_is_a_count_only_where_that_is_the_one_reading() -> None:
    def named(*ids: str) -> pack.MythosPack:
        """The shipped pack with other ids for its first cards."""
        cards = [card.model_copy(update={"id": name}) if name else card
                 for card, name in itertools.zip_longest(PACK.character, ids)]
        return PACK.model_copy(update={"character": cards})

    assert decks.read_list("2KS-009 , 3MSS-04", PACK) == decks.Deck((8, 8), (3, 3, 3))
    assert decks.read_list("2A-1", named("2A-1", "A-1")).cards == (0,)
    assert decks.read_list("2A-1, 22A-1", named("2A-1")).cards == (0, 0, 0)
    for text, content in (("22A-1", named("2A-1", "A-1")), ("2222KS-009", PACK), ("2KS-999", PACK), ("22KS-0", PACK)):
        with pytest.raises(decks.DeckError, match=f"there is no card {text}"):
            decks.read_list(text, content)
    with pytest.raises(decks.DeckError, match="'0KS-009' asks for no card at all"):
        decks.read_list("0KS-009", PACK)


def test_all_that_cannot_be_read_is_named() -> None:
    with pytest.raises(decks.DeckError) as caught:
        decks.read_list("2 KS-999, 2 Naruto, 3 KS-009, 0 KS-010, MSS-77", PACK)
    for words in ("KS-999", "'2 Naruto'", "'0 KS-010'", "MSS-77"):
        assert words in str(caught.value)
    with pytest.raises(decks.DeckError) as caught:
        decks.deck_of_option("2 KS-999, 3 KS-009", PACK)
    assert "KS-999" in str(caught.value) and "3 x KS-009" in str(caught.value) and "characters" not in str(caught.value)
    many = ", ".join(f"KS-{number}" for number in range(900, 920))
    with pytest.raises(decks.DeckError, match="and 15 problems more"):
        decks.deck_of_option(many, PACK)
    with pytest.raises(decks.DeckError) as caught:
        decks.deck_of_option(many, PACK, most=999)
    assert str(caught.value).count("there is no card") == 20


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


def test_a_plain_random_is_another_deck_for_each_seat() -> None:
    game = new_game("mythos", options={"deck0": "random", "deck1": "random"})
    assert isinstance(game, MythosGame)
    assert game.decks == (decks.random_deck(PACK, 0), decks.random_deck(PACK, 1)) and game.decks[0] != game.decks[1]
    assert game.decks == tuple(decks.deck_of_option(f"random:{seat}", PACK) for seat in (0, 1)), "the same in every game"


@pytest.mark.parametrize("value", ["random:x", "leef", "random:-1", "random:" + "9" * 5000, "unknown:" + "3" * 5000])
def test_options_that_mean_no_deck(value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        new_game("mythos", options={"deck0": value})
    assert caught.value.field == "options.deck0"


@pytest.mark.parametrize("value", ["unknown:30", " unknown : 30"])
def test_a_deck_one_has_not_been_told_is_described_but_not_dealt(value: str) -> None:
    options = {"deck1": value, "open_decklists": False}
    with pytest.raises(SettingsError, match="cannot be played") as caught:
        new_game("mythos", options=options)
    assert caught.value.field == "options.deck1"
    true = new_game("mythos", options={"open_decklists": False, "first": "0"}).new_state(3)
    for seat in (0, 1):
        true.apply_action(seat, 0)
    described = new_game("mythos", options={**options, "first": "0"}, described=True)
    assert described.state_from_view(true.observation(0), 0, 1).observation(0) == true.observation(0)
    with pytest.raises(ValueError, match="knows its own deck"):
        described.state_from_view(true.observation(1), 1, 1)
    with pytest.raises(SettingsError, match="with closed lists only"):
        new_game("mythos", options={"deck1": value}, described=True)


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
