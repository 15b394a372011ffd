"""What the seats know of hidden cards (K1 to K10), and that sampled worlds respect it with the right frequencies."""
from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import checks
from mythos_table import Table, card_ids, number
from seatmate.engine.core.game import SPECTATORS, State
from seatmate.engine.core.registry import new_game
from seatmate.engine.mythos.content import decks
from seatmate.engine.mythos.game import DECKS, MythosGame
from statistics_checks import check_frequencies


def tracked(table: Table, seat: str) -> list[str]:
    """What a seat keeps track of: "009:hand,slot3". The other one knows it, and samples worlds in which it is so."""
    number_of = "AB".index(seat)
    tracks = table.state.observation(number_of)["tracked"]
    assert table.state.observation(1 - number_of)["shown"] == tracks
    for seed in range(3):
        assert table.state.resample_from_infostate(1 - number_of, seed).observation(number_of)["tracked"] == tracks
    found = []
    for track in tracks:
        where = ["hand"] * track["hand"] + ["top"] * track["top"] + [f"slot{slot}" for slot in track["slots"]]
        found.append(f"{number(track['card'])}:{','.join(where)}")
    return sorted(found)


def faces(world: State, slot: int) -> str:
    """The card of a unit in a world, whoever sees it."""
    assert isinstance(world.game, MythosGame)
    return number(next(unit["card"] for unit in world.game.everything(world)["units"] if unit["slot"] == slot))


# ---- Tracks ----

SHOWING = "\n".join(f"2 KS-{card:03d}" for card in (4, 14, 26, 28, 52, 53, 65, 67, 73, 88, 91, 95, 131, 135, 143))
"""Cards that look at hands, decks and hidden characters, put cards on the deck, and return characters."""


@pytest.mark.parametrize("seed", range(12))
def test_a_seat_can_tell_from_what_it_sees_what_the_other_one_tracks(seed: int) -> None:
    """In random games: its events alone give its view with the tracks of the other, and the view alone the same sampled worlds."""
    game = new_game("mythos", options={"deck0": f"{SHOWING}\nMSS-05, MSS-06, MSS-08", "deck1": f"{SHOWING}\nMSS-03, MSS-07, MSS-08",
                                       "open_decklists": seed % 3 > 0})
    state, choice = game.new_state(seed), random.Random(seed)
    views = [game.new_view(seat) for seat in range(2)]
    shown = 0
    while not state.is_over:
        for seat, view in enumerate(views):
            view.feed(state.events(seat, view.sequence))
            seen = state.observation(seat)
            assert view.snapshot() == seen
            assert seen["shown"] == state.observation(1 - seat)["tracked"]
            shown += len(seen["shown"])
            if choice.random() < 0.1:
                rebuilt = game.state_from_view(seen, seat, 0)
                assert rebuilt.resample_from_infostate(seat, seed) == state.resample_from_infostate(seat, seed)
        seat = state.pending[0]
        state.apply_action(seat, choice.choice([action for action in state.legal_actions(seat) if action] or [0]))
    assert shown > 20 and state.observation(SPECTATORS)["shown"] == []


def test_k1_a_known_card_goes_to_the_hand() -> None:
    table = Table(a="009", missions="MSS-05").run("pass; pass")
    assert tracked(table, "B") == ["009:hand"] and tracked(table, "A") == []
    table = Table(a="003", hand_a="004", discard_a="086").run("play 004 0 on 003; MAY yes")
    assert tracked(table, "B") == ["086:hand"]
    table = Table(a="025", hand_a="026", deck_a="027 086 028").run("play 026 0 on 025; MAY yes")
    assert tracked(table, "B") == ["027:hand", "028:hand"]


def test_k2_a_seen_hand_is_remembered() -> None:
    table = Table(a="h:014", hand_b="009 009 086").run("reveal h:014; MAY yes")
    assert tracked(table, "A") == ["009:hand", "009:hand", "086:hand"] and tracked(table, "B") == []


def test_k2_what_is_not_in_the_hand_is_elsewhere() -> None:
    """A saw 009 and 086, B put one of them down, and A sees that the hand is 086: it was 009."""
    table = Table(a="h:014 h:016", hand_b="009 086", hand_a="091").run("reveal h:014; MAY yes; put 009 1; play 091 2; MAY yes")
    assert tracked(table, "A") == ["009:slot2", "086:hand"]


def test_k3_a_hand_card_put_down_may_be_any_of_those_seen() -> None:
    table = Table(a="h:014", hand_b="009 086").run("reveal h:014; MAY yes; put 009 1")
    assert tracked(table, "A") == ["009:hand,slot1", "086:hand,slot1"]
    table.run("pass; put 086 1")
    assert tracked(table, "A") == ["009:slot1,slot2", "086:slot1,slot2"]


def test_k4_k5_on_the_deck_and_back_into_the_hand() -> None:
    table = Table(a="h:014", hand_b="088 009", deck_b="086 094").run("reveal h:014; MAY yes; play 088 0; MAY yes; CARD 009")
    assert tracked(table, "A") == ["009:hand,top"]
    table = Table(a="h:014", hand_b="088 009 061", b="057", deck_b="086")
    table.run("reveal h:014; MAY yes; play 088 0; MAY yes; CARD 009; pass; play 061 1; MAY yes")
    assert tracked(table, "A") == ["009:hand"]


def test_k6_x68_a_hidden_card_that_goes_to_the_hand_unseen() -> None:
    table = Table(a="h:014 h:045", b="004", hand_b="009 086")
    table.run("reveal h:014; MAY yes; put 009 1; reveal h:045; TARGET Bh:009")
    assert table.says("B1= B.hand=009,086")
    assert tracked(table, "A") == ["009:hand", "086:hand"]
    seen = table.state.observation(0)
    assert seen["hands"][1] is None and seen["discards"][1] == []


def test_k6_r91_a_condition_shows_the_card() -> None:
    """118 looks at the power of what it defeated, so its controller sees the card even if it goes to the hand."""
    table = Table(a="h:118", b="004 h:009").run("reveal h:118; TARGET Bh:009")
    assert table.says("B.hand=009") and tracked(table, "A") == ["009:hand"]


def test_k7_the_top_card_is_put_hidden() -> None:
    table = Table(a="h:014", b="072", hand_b="088 009 073", deck_b="086", hand_a="")
    table.run("reveal h:014; MAY yes; play 088 1; MAY yes; CARD 009; pass; play 073 0 on 072; MAY yes; CARD 086; MAY yes")
    assert table.says("B0=073<072,h:009")
    assert tracked(table, "A") == ["009:slot3"]


def test_k8_what_comes_to_light_is_not_tracked_any_more() -> None:
    table = Table(a="h:014", hand_b="009 086 011").run("reveal h:014; MAY yes; put 009 1; pass; reveal h:009")
    assert tracked(table, "A") == ["011:hand", "086:hand"]
    table.run("play 086 1")
    assert tracked(table, "A") == ["011:hand"]


def test_k9_a_revealed_upgrade_is_public() -> None:
    table = Table(a="h:014", b="009", hand_b="010 086").run("reveal h:014; MAY yes; put 010 0; pass; reveal h:010 0 on 009; MAY no")
    assert tracked(table, "A") == ["086:hand"]


def test_k10_the_oldest_track_is_forgotten() -> None:
    hand = " ".join(f"{n:03d}" for n in range(1, 26))
    table = Table(a="h:014", hand_b=hand).run("reveal h:014; MAY yes")
    assert len(tracked(table, "A")) == 20 and tracked(table, "A")[0] == "006:hand"


# ---- Who sees what ----

def test_hidden_characters_are_known_to_those_who_saw_them() -> None:
    table = Table(a="h:009", b="h:086", hand_a="068", hand_b="020").run("play 068 1; TARGET Bh:086")
    for seat, cards in ((0, ["009", "086"]), (1, [None, "086"]), (SPECTATORS, [None, None])):
        units = table.state.observation(seat)["units"]
        assert [unit["card"] and number(unit["card"]) for unit in units if not unit["up"]] == cards, seat
    table.run("play 020 0; TARGET Ah:009")
    assert table.state.observation(1)["units"][0]["card"] == "KS-009", "the new controller sees the card"
    table = Table(a="009", hand_b="029", turn="B").run("play 029 0")
    assert table.says("A0=009"), "as a new character 029 hides nobody"
    table = Table(a="009", b="025", hand_b="029", turn="B").run("play 029 0 on 025; TARGET A009")
    assert table.state.observation(SPECTATORS)["units"][0]["card"] == "KS-009", "everybody saw it before it was hidden"


def test_a_card_of_the_enemys_deck_is_hidden_from_its_owner() -> None:
    table = Table(a="h:052", deck_b="129 009").run("reveal h:052; MAY yes; MISSION 2")
    assert [unit["card"] for unit in table.state.observation(0)["units"]] == ["KS-052", "KS-129"]
    seen = table.state.observation(1)
    assert [unit["card"] for unit in seen["units"]] == ["KS-052", None]
    assert "KS-129" in seen["unseen"][1]
    worlds = Counter(faces(table.state.resample_from_infostate(1, seed), 1) for seed in range(200))
    assert set(worlds) == {"129", "009"}, "neither the face nor the top of the own deck is known"


def test_looked_at_cards_are_private() -> None:
    table = Table(a="011", hand_a="135", deck_a="086 094 129").run("play 135 0 on 011; MAY yes")
    assert table.state.observation(0)["looked"] == [{"seat": 0, "cards": card_ids("086 094 129")}]
    assert table.state.observation(1)["looked"] == [{"seat": 0, "cards": None}]


# ---- Frequencies ----

def test_an_unknown_hidden_card_is_any_of_the_unseen_ones() -> None:
    table = Table(a="", b="h:009", hand_b="009 086 011", deck_b="013 013")
    check_frequencies(table.state, 0, lambda world: faces(world, 0), {"009": 2 / 6, "086": 1 / 6, "011": 1 / 6, "013": 2 / 6})
    assert table.state.resample_from_infostate(1, 1).observation(1) == table.state.observation(1)


def test_a_card_put_down_from_a_seen_hand() -> None:
    """A saw 009, 086, 011, one of them is down now: each is as likely."""
    table = Table(a="h:014", hand_b="009 086 011", b="").run("reveal h:014; MAY yes; put 009 1")
    check_frequencies(table.state, 0, lambda world: faces(world, 1), {"009": 1 / 3, "086": 1 / 3, "011": 1 / 3})


def test_a_drawn_card_may_be_the_one_put_down() -> None:
    table = Table(a="h:014 032", hand_b="009 086 032", deck_a="", deck_b="013")
    table.run("reveal h:014; MAY yes; play 032 1; MAY yes; pass; put 013 0")
    # B's hand was 009, 086 and the card drawn; one of these three was put down, 013 is the only card A never saw.
    check_frequencies(table.state, 0, lambda world: faces(world, 3), {"009": 1 / 3, "086": 1 / 3, "013": 1 / 3})


def test_two_tracked_cards_in_two_places() -> None:
    """Both cards of a seen hand lie hidden: they are one of two arrangements."""
    table = Table(a="h:014", hand_b="009 086").run("reveal h:014; MAY yes; put 009 1; pass; put 086 2")
    check_frequencies(table.state, 0, lambda world: (faces(world, 1), faces(world, 2)), {("009", "086"): 0.5, ("086", "009"): 0.5})


def test_what_was_put_back_does_not_match() -> None:
    """026 found no Akamaru on top: the cards put back are none, wherever the Akamarus are."""
    table = Table(b="025", hand_b="026 027 028", deck_b="086 094 009", turn="B").run("play 026 0 on 025; MAY yes")

    def tops(world: State) -> tuple[Any, ...]:
        assert isinstance(world.game, MythosGame)
        return tuple(number(top["card"]) for top in world.game.everything(world)["tops"][1])

    three = ("086", "094", "009")
    orders = {(a, b, c): 1 / 6 for a in three for b in three for c in three if len({a, b, c}) == 3}
    check_frequencies(table.state, 0, tops, orders)


# ---- Hidden lists ----

def list_of(world: State, seat: int) -> tuple[str, ...]:
    """All cards of a seat in a world."""
    assert isinstance(world.game, MythosGame)
    values = world.game.everything(world)
    cards = [*values["hands"][seat], *values["unseen"][seat], *values["discards"][seat]]
    cards += [top["card"] for top in values["tops"][seat]]
    cards += [unit["card"] for unit in values["units"] if unit["owner"] == seat]
    return tuple(sorted(cards))


def a_ready_deck(key: str) -> tuple[str, ...]:
    """The ids of a ready-made deck."""
    game = new_game("mythos")
    assert isinstance(game, MythosGame)
    return tuple(game.names.cards[kind] for kind in decks.ready_deck(key, game.pack).cards)


def test_at_first_a_hidden_list_is_any_ready_deck() -> None:
    state = new_game("mythos", options={"open_decklists": False, "deck1": "random:5"}).new_state(1)
    check_frequencies(state, 0, lambda world: list_of(world, 1), {a_ready_deck(key): 1 / 6 for key in DECKS}, samples=1200)


def test_the_open_missions_say_which_decks_fit() -> None:
    """Whose mission is open nobody is told: a deck without it fits if the own one can have brought it."""
    game = new_game("mythos", options={"open_decklists": False, "deck0": "leaf", "deck1": "sand"})
    assert isinstance(game, MythosGame)
    ready = {key: [game.names.missions[number] for number in decks.ready_deck(key, game.pack).missions] for key in DECKS}
    for seed in range(12):
        state = game.new_state(seed)
        for seat in (0, 1):
            state.apply_action(seat, 0)
        (mission,) = [row["id"] for row in state.observation(0)["missions"]]
        fitting = [key for key in DECKS if mission in ready["leaf"] or mission in ready[key]]
        found = {list_of(state.resample_from_infostate(0, sample), 1) for sample in range(150)}
        assert found == {a_ready_deck(key) for key in fitting}


def test_a_list_like_no_ready_deck_is_built_around_what_was_seen() -> None:
    odd = "\n".join(f"2 KS-{n:03d}" for n in (1, 50, 74, 86, 90, 94, 2, 51, 75, 87, 91, 95, 3, 52, 76)) + "\nMSS-01\nMSS-02\nMSS-03"
    game = new_game("mythos", options={"open_decklists": False, "deck0": odd, "deck1": odd})
    state = game.new_state(2)
    for _ in range(12):         # the first play that is possible, face-up if there is one
        legal = state.legal_actions(state.pending[0])
        state.apply_action(state.pending[0], legal[1] if state.prompt(state.pending[0]) == "TURN" and len(legal) > 1 else legal[0])
    played = {unit["card"] for unit in state.observation(0)["units"] if unit["owner"] == 1 and unit["up"]}
    assert len({card for card in played if card > "KS-073"}) < len(played), "cards of several decks were played"
    lists = {list_of(state.resample_from_infostate(0, seed), 1) for seed in range(20)}
    assert len(lists) > 10
    for cards in lists:
        assert len(cards) == 30 and max(Counter(cards).values()) <= 2 and played <= set(cards)


def test_closed_lists_are_never_looked_at() -> None:
    """Two tables that differ in the other seat's deck only look the same until a card of it is seen."""
    seen = []
    for deck in ("sand", "rogue"):
        state = new_game("mythos", options={"open_decklists": False, "deck1": deck, "first": "0"}).new_state(7)
        world = state.resample_from_infostate(0, 3)
        seen.append((state.observation(0), state.observation_key(0), world.to_bytes()))
    assert seen[0] == seen[1]


@pytest.mark.parametrize("lists", [True, False])
def test_secrets_of_random_decks(lists: bool) -> None:
    """What the conformance suite checks with the default decks, with cards of the whole set."""
    for seed in range(30):
        game = new_game("mythos", options={"deck0": f"random:{2 * seed}", "deck1": f"random:{2 * seed + 1}",
                                           "open_decklists": lists})
        for check in (checks.check_view, checks.check_same_information, checks.check_resample_is_function_of_view,
                      checks.check_private_key):
            check(game, seed)
