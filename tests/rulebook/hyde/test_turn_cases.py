"""Further cases of a turn: X8, X10-X20, X28-X30, X33, X35, and the rulings about setup, moving, playing and drawing."""
from __future__ import annotations

import itertools
from collections import Counter

import pytest

from hyde_table import OUTER, TARGETS, Down, Table, a_game
from seatmate.engine.core.game import SPECTATORS, State
from seatmate.engine.core.registry import new_game

RING = "crypt jericho pilgrim_world painting_shed forest"
ACADEMY_AND_RING = {"academy", *OUTER}


def fresh_events(state: State, observer: int, *keys: str) -> list[tuple[str, tuple[int, ...]]]:
    """The events of these types since the deal."""
    return [(event.key, event.args) for event in state.events(observer) if event.key in keys]


# ---- Setup ----

def test_r4_r5_the_draft_goes_in_turn_order_after_the_open_setup() -> None:
    """R4, R5: ring, targets and start seat are known before the first choice; each outcast once."""
    game = new_game("hyde", seats=3, options={"start_seat": "1"})
    state = game.new_state(7)
    assert [key for key, _ in fresh_events(state, SPECTATORS, "RING", "TARGETS", "START", "PICK", "DEAL")] == [
        "RING", "TARGETS", "START"]
    picked = []
    for seat, outcast in ((1, 5), (2, 0), (0, 3)):
        assert state.pending == (seat,) and state.prompt(seat) == "DRAFT"
        assert state.legal_actions(seat) == [free for free in range(6) if free not in picked]
        state.apply_action(seat, outcast)
        picked.append(outcast)
    assert state.observation(0)["outcasts"] == ["ajax", "yoko", "wednesday"]
    assert state.pending == (1,) and state.prompt(1) == "MOVE"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_setup_deals_three_cards_each_and_one_to_thing(seats: int) -> None:
    """R9 and setup steps 1-8: the seat that plays last has Thing and alone sees its card."""
    for seed, start in itertools.product(range(5), range(seats)):
        game = new_game("hyde", seats=seats, options={"outcasts": "random", "start_seat": str(start)})
        state = game.new_state(seed)
        last = (start + seats - 1) % seats
        for observer in (*range(seats), SPECTATORS):
            seen = state.observation(observer)
            assert sorted(seen["ring"]) == sorted(OUTER) and sorted(seen["targets"].values()) == sorted(TARGETS)
            assert seen["pawns"] == ["academy"] * seats and set(seen["bag"]) == set(OUTER)
            assert seen["hand_counts"] == [3] * seats and seen["deck"] == 60 - 3 * seats - 1
            assert seen["discard"] == [] and seen["attack"] == 1
            assert seen["thing"]["seat"] == last and seen["thing"]["known_by"] == [last]
            assert (seen["thing"]["card"] is not None) == (observer == last)
            assert seen["sixes_left"] == (2 if "bianca" in seen["outcasts"] else 0)
            assert [hand is not None for hand in seen["hands"]] == [seat == observer for seat in range(seats)]
        assert state.pending == (start,)


def test_setup_is_random_where_the_rulebook_says_so() -> None:
    """R4, setup steps 1, 2: every place takes every position, every target every place, every seat begins."""
    game = new_game("hyde", seats=4, options={"outcasts": "random"})
    seen = [game.new_state(seed).observation(SPECTATORS) for seed in range(400)]
    for position in range(5):
        assert set(Counter(view["ring"][position] for view in seen)) == set(OUTER)
    for place in OUTER:
        assert set(Counter(view["targets"][place] for view in seen)) == set(TARGETS)
    assert {view["start_seat"] for view in seen} == {0, 1, 2, 3}
    assert {view["outcasts"][2] for view in seen} == {"wednesday", "enid", "bianca", "ajax", "eugene", "yoko"}


def test_the_box_has_the_printed_cards() -> None:
    """RULES 2: 60 cards, per symbol three 1s, two of 2, 3, 4 and one 5; two sixes only with Bianca (R29)."""
    table = Table("enid", "bianca")
    values = table.everything
    cards = [*values["deck_cards"], *values["hands"][0], *values["hands"][1], values["thing"]["card"]]
    symbols = ("SIREN", "WEREWOLF", "BEE", "MEDUSA", "BAT", "EYE")
    copies = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}
    assert Counter(cards) == {f"{symbol}-{number}": count for symbol in symbols for number, count in copies.items()}
    assert values["sixes_left"] == 2
    assert Table("enid", "ajax").everything["sixes_left"] == 0


def test_x33_the_order_of_every_cycle() -> None:
    """X33, R8: with start seat 2 of 4 the order is 2, 3, 0, 1 in every cycle and round; Thing begins at seat 1."""
    table = Table("enid", "bianca", "ajax", "eugene", start_seat="2")
    assert table.everything["thing"]["seat"] == 1
    order = []
    while table.everything["attack"] < 3:
        order.append(table.asked)
        table.idle()
    assert order == [2, 3, 0, 1] * (5 + 4)
    assert table.everything["thing"]["seat"] == 1, "Thing stays where it is between rounds"


# ---- Moving ----

@pytest.mark.parametrize("place", ["academy", *OUTER])
def test_r10_where_a_pawn_can_go(place: str) -> None:
    """X8, R10: 6 answers on the Academy, 4 on an outer place, 3 in the forest, where nobody stays."""
    table = Table("enid", "eugene", ring=RING, pawns={0: place})
    ring = RING.split()
    at = ring.index(place) if place != "academy" else 0
    beside = set(ring) if place == "academy" else {"academy", ring[(at + 1) % 5], ring[at - 1]}
    assert set(table.offers()) == beside | (set() if place == "forest" else {place})
    assert len(table.offers()) == {"academy": 6, "forest": 3}.get(place, 4)


def test_r11_attacked_places_can_be_entered_and_shared() -> None:
    """R11, X12: no card there; the forest keeps its duty even when it was attacked."""
    table = Table("enid", "ajax", attacked="forest", pawns={1: "forest"})
    assert set(table.offers()) == ACADEMY_AND_RING
    table.move("forest")
    assert table.told(1, "NOPLAY") == [{"seat": 0}]
    assert table.everything["pawns"] == ["forest", "forest"]
    assert table.asked == 1 and table.prompt == "MOVE" and "forest" not in table.offers()


@pytest.mark.parametrize("outcast", ["enid", "ajax", "bianca", "yoko"])
def test_x12_no_card_on_an_attacked_place(outcast: str) -> None:
    """X12, R12: whoever doesn't want to play goes there or to the Academy."""
    table = Table(outcast, "wednesday", attacked="crypt")
    table.move("crypt")
    assert table.told(1, "NOPLAY") == [{"seat": 0}] and table.prompt != "PLAY"


@pytest.mark.parametrize("outcast", ["wednesday", "enid", "bianca", "ajax", "eugene", "yoko"])
def test_r12_on_an_open_place_a_card_must_be_played(outcast: str) -> None:
    """R12: no answer to PLAY (or to Eugene's PLACE) is a refusal."""
    table = Table(outcast, "wednesday" if outcast != "wednesday" else "enid", hands={0: "BAT-2 BAT-4 BEE-5"})
    table.move("crypt")
    if outcast == "eugene":
        assert "play_nothing" not in table.offers()
        table.at("crypt")
    assert table.offers() == ["BEE-5", "BAT-2", "BAT-4", *(["SIX"] if outcast == "bianca" else [])]


# ---- Playing ----

def test_x10_a_turn_on_the_academy() -> None:
    """X10, R41: no card, no draw, but Thing's step."""
    table = Table("enid", "ajax", hands={0: "BAT-2 BAT-4 BEE-5"}, thing="BAT-4", thing_at=0)
    table.stay()
    assert table.told(1, "NOPLAY") == [{"seat": 0}] and table.told(1, "DRAW") == []
    assert table.prompt == "THING" and table.offers() == ["BEE-5", "BAT-2", "keep"], "R39: not against the same card"
    table.give("keep")
    assert table.prompt == "SEND" and table.offers() == [0, 1]
    table.send(0)
    assert table.asked == 1


def test_x11_yoko_on_the_academy() -> None:
    """X11, R34."""
    table = Table("yoko", "ajax", hands={0: "BAT-2 BAT-4 BEE-5"})
    table.stay()
    assert table.told(1, "DRAW") == [{"seat": 0, "count": 1}]
    assert table.prompt == "YOKO" and len(table.hand(0)) == 4
    table.throw("BAT-2")
    assert table.told(1, "DISCARD") == [{"seat": 0, "card": "BAT-2"}] and len(table.hand(0)) == 3


@pytest.mark.parametrize("start", ["academy", *OUTER])
def test_x13_eugene_reaches_every_place(start: str) -> None:
    """X13, R15, R17."""
    reached = set()
    for to in Table("eugene", "ajax", ring=RING, pawns={0: start}).offers():
        table = Table("eugene", "ajax", ring=RING, pawns={0: start})
        table.move(to)
        if to == "academy":
            assert table.told(1, "NOPLAY") == [{"seat": 0}], "X15: not from the Academy"
            continue
        assert table.prompt == "PLACE"
        ring = RING.split()
        at = ring.index(to)
        assert set(table.offers()) == {to, ring[at - 1], ring[(at + 1) % 5]}
        reached |= set(table.offers())
    assert reached == set(OUTER)


def test_x14_eugene_on_an_attacked_place() -> None:
    """X14, R16: next door is a choice there; where his own place is open he must play."""
    table = Table("eugene", "ajax", ring=RING, attacked="crypt forest", pawns={0: "crypt"})
    table.stay()
    assert table.offers() == ["play_nothing", "jericho"]
    declined = Table("eugene", "ajax", ring=RING, attacked="crypt forest", pawns={0: "crypt"})
    declined.stay().at("play_nothing")
    assert declined.told(1, "NOPLAY") == [{"seat": 0}]
    table.at("jericho").play(table.offers()[0])
    assert len(table.cards_on("jericho")) == 1
    beside = Table("eugene", "ajax", ring=RING, attacked="crypt forest", pawns={0: "crypt"})
    assert beside.move("jericho").offers() == ["jericho", "pilgrim_world"]


def test_x14_eugene_far_from_any_open_place() -> None:
    """R16: no candidate, no question; with only his own place open none about the place either."""
    table = Table("eugene", "ajax", ring=RING, attacked="crypt jericho forest", pawns={0: "crypt"})
    table.stay()
    assert table.told(1, "NOPLAY") == [{"seat": 0}]
    alone = Table("eugene", "ajax", ring=RING, attacked="crypt pilgrim_world", pawns={0: "crypt"})
    alone.move("jericho")
    assert alone.prompt == "PLAY"


def test_r17_eugene_plays_things_card_next_door() -> None:
    """R17, R18: it is open to all that the card came from Thing."""
    table = Table("eugene", "ajax", ring=RING, thing="BAT-5", thing_at=0)
    table.move("crypt").at("forest").play("thing")
    assert table.cards_on("forest") == ["BAT-5"]
    assert table.told(1, "PLAYED") == [{"seat": 0, "place": "forest", "slot": 0, "source": "thing", "one": False}]


def test_r13_r33_nothing_to_play_is_no_card() -> None:
    """R13, X30: hand, deck and discard are empty; Thing's card couldn't be replaced, so it can't be played."""
    table = Table("enid", "ajax", hands={0: ""}, thing="BAT-5", thing_at=0, deck="", rest="crypt")
    table.move("forest")
    assert table.told(1, "NOPLAY") == [{"seat": 0}]
    assert table.prompt == "THING" and table.offers() == ["keep"]
    table.give("keep").send(1)


@pytest.mark.parametrize("outcast", ["enid", "eugene", "bianca"])
def test_x30_for_every_outcast(outcast: str) -> None:
    """X30, R28: no six without a card of the hand either."""
    table = Table(outcast, "ajax", hands={0: ""}, thing="BAT-5", thing_at=0, deck="", rest="crypt")
    table.move("forest")
    assert table.told(1, "NOPLAY") == [{"seat": 0}] and table.prompt == "THING"


def test_r33_things_card_can_be_played_when_a_card_can_be_drawn_or_is_left() -> None:
    """R33: the replacement may come from the deck, from the discard pile or from the hand."""
    for hand, deck, discard in (("", "BEE-1", ""), ("", "", "BEE-1"), ("BEE-1", "", "")):
        table = Table("enid", "ajax", hands={0: hand}, thing="BAT-5", thing_at=0, deck=deck, discard=discard,
                      rest="crypt")
        table.move("forest").play("thing")
        assert table.prompt == "THING" and table.offers() == ["BEE-1"], "no KEEP: Thing must carry a card"
        table.give("BEE-1")
        assert table.everything["thing"]["card"].startswith("BEE-1") and table.hand(0) == []


def test_x35_a_hand_of_three_equal_cards_is_asked_like_any_other() -> None:
    """X35, R46: PLAY is asked with one answer, and the others notice nothing."""
    heard = []
    for hand in ("BAT-1 BAT-1 BAT-1", "BAT-1 EYE-3 SIREN-5"):
        table = Table("enid", "ajax", hands={0: hand}, seed=3)
        table.move("forest")
        assert table.prompt == "PLAY" and len(table.offers()) == len(set(hand.split()))
        table.play("BAT-1")
        heard.append((table.heard(1), table.heard(SPECTATORS)))
    assert heard[0] == heard[1]


# ---- Bianca ----

def test_r28_the_six_is_paid_with_a_card_of_the_hand() -> None:
    """R28, R40: with Thing's card only after a swap; only where she could play; one card a turn."""
    table = Table("bianca", "ajax", hands={0: "BAT-2 BAT-2 EYE-3"}, thing="SIREN-5", thing_at=0)
    table.move("forest")
    assert table.offers() == ["BAT-2", "EYE-3", "SIX", "thing"]
    table.play("SIX")
    assert table.prompt == "COST" and table.offers() == ["BAT-2", "EYE-3", ("swap", "BAT-2"), ("swap", "EYE-3")]
    table.pay("BAT-2")
    assert table.cards_on("forest") == ["SIX"] and table.discard == ["BAT-2"] and len(table.hand(0)) == 3
    assert table.prompt == "THING" and "SIX" not in table.offers(), "R29: a six can't be put on Thing"


def test_r29_two_sixes_and_no_more() -> None:
    """R29: played sixes leave the game, they never come back."""
    table = Table("bianca", "ajax", piles={"crypt": "SIX"}, sixes_left=0)
    assert table.everything["sixes_removed"] == 1
    assert "SIX" not in table.move("crypt").offers()


# ---- Ajax ----

def test_x18_ajax_plays_all_his_1s_and_things() -> None:
    """X18, R35, R36, R38: every slot is known to hold a 1; who knew Thing's card knows that slot's."""
    table = Table("enid", "ajax", "bianca", hands={1: "BAT-1 BEE-1 BEE-5"}, thing="SIREN-1", thing_at=1,
                  thing_known=[0, 1], turn=1)
    table.move("forest").play("BEE-1").more("BAT-1").more("thing")
    pile = table.pile("forest")
    assert sorted(entry["card"] for entry in pile) == ["BAT-1", "BEE-1", "SIREN-1"]
    assert all(entry["one"] for entry in pile)
    assert [entry["known_by"] for entry in pile] == [[1], [1], [0, 1]]
    assert [event["card"] for event in table.told(0, "PLAYED_CARD")] == ["SIREN-1"]
    assert len(table.told(0, "PLAYED")) == 2 and len(table.told(2, "PLAYED")) == 3
    assert [event["count"] for event in table.told(2, "DRAW")] == [2, 1]
    assert table.prompt == "THING" and "keep" not in table.offers() and len(table.hand(1)) == 4
    assert len(table.give("BEE-5").hand(1)) == 3


def test_x19_a_single_1_looks_like_any_other_card() -> None:
    """X19, R36: though he holds another 1, nobody is told."""
    heard = []
    for hand, card in (("BAT-1 BEE-1 BEE-5", "BAT-1"), ("BAT-3 BEE-1 BEE-5", "BAT-3")):
        table = Table("enid", "ajax", hands={1: hand}, thing_at=0, turn=1, seed=4)
        table.move("forest").play(card)
        assert table.asked == 0 and table.prompt == "MOVE", "BEE-1 stands before BAT-1 in the order of a multiple play"
        heard.append(table.heard(0))
        assert [entry["one"] for entry in table.pile("forest")] == [False]
    assert heard[0] == heard[1]


def test_x19_stopping_after_one_card() -> None:
    """X19: MORE is asked, and STOP there looks to the others like any single card."""
    heard = []
    for hand in ("BAT-1 BEE-1 BEE-5", "BAT-3 BEE-1 BEE-5"):
        table = Table("enid", "ajax", hands={1: hand}, thing_at=0, turn=1, seed=4)
        table.move("forest").play("BEE-1")
        if "BAT-1" in hand:
            assert table.offers() == ["BAT-1", "stop"]
            assert table.heard(0)[-1] == ("BUSY", (2, 3)), "the further question is not announced"
            table.more("stop")
        heard.append((table.heard(0), table.heard(SPECTATORS)))
    assert heard[0] == heard[1]


def test_x20_things_card_is_the_last_of_the_canonical_order() -> None:
    """X20: chosen first it ends the chain; the sets with hand cards are reached from the hand."""
    table = Table("enid", "ajax", hands={1: "BAT-1 BEE-1 BEE-5"}, thing="SIREN-1", thing_at=1, turn=1)
    table.move("forest").play("thing")
    assert table.prompt == "THING" and [entry["one"] for entry in table.pile("forest")] == [False]


def test_r35_ajax_reaches_every_set_of_1s_once() -> None:
    """R35: any non-empty set of his 1s, Thing's included, or any single other card, each by one chain of answers."""
    sets: list[tuple[str, ...]] = []
    chains = [("BAT-1",), ("BAT-1", "stop"), ("BAT-1", "BAT-1"), ("BAT-1", "BAT-1", "stop"),
              ("BAT-1", "BAT-1", "thing"), ("BAT-1", "thing"), ("thing",), ("EYE-4",)]
    for chain in chains:
        table = Table("enid", "ajax", hands={1: "BAT-1 BAT-1 EYE-4"}, thing="SIREN-1", thing_at=1, turn=1)
        table.move("forest").play(chain[0])
        for answer in chain[1:]:
            table.more(answer)
        if table.prompt != "MORE":
            sets.append(tuple(sorted(table.cards_on("forest"))))
    assert len(set(sets)) == len(sets)
    assert set(sets) == {("BAT-1",), ("BAT-1", "BAT-1"), ("BAT-1", "BAT-1", "SIREN-1"), ("BAT-1", "SIREN-1"),
                         ("SIREN-1",), ("EYE-4",)}


def test_r35_thing_joins_only_with_a_1_that_can_be_replaced() -> None:
    """R33, R35: with deck and discard empty and no card left in the hand Thing must keep its card."""
    table = Table("enid", "ajax", hands={1: "BAT-1 BEE-1"}, thing="SIREN-1", thing_at=1, turn=1, deck="", rest="crypt")
    table.move("forest").play("BEE-1")
    assert table.offers() == ["BAT-1", "thing", "stop"]
    table.more("BAT-1")
    assert table.prompt == "THING" and table.offers() == ["keep"], "the chain ended by itself"
    other = Table("enid", "ajax", hands={1: "BAT-1 BEE-1 EYE-3"}, thing="SIREN-2", thing_at=1, turn=1)
    assert other.move("forest").play("BEE-1").offers() == ["BAT-1", "stop"]


def test_r36_the_order_of_the_slots_tells_nothing_about_symbols() -> None:
    """RULES 5.5 step 5: several hand cards get their slots in random order."""
    first: Counter[str] = Counter()
    for seed in range(200):
        table = Table("enid", "ajax", hands={1: "BAT-1 BEE-1 BEE-5"}, thing_at=0, turn=1, seed=seed)
        table.move("forest").play("BEE-1").more("BAT-1")
        first[table.cards_on("forest")[0]] += 1
    assert set(first) == {"BAT-1", "BEE-1"} and min(first.values()) > 60


# ---- Drawing ----

def test_x16_things_card_played_with_a_full_hand() -> None:
    """X16, R38: no refill, one draw for Thing, then any of the four cards."""
    table = Table("enid", "ajax", hands={0: "BAT-2 BAT-4 BEE-5"}, thing="EYE-4", thing_at=0, deck="EYE-1",
                  rest="crypt")
    table.move("forest").play("thing")
    assert table.told(1, "DRAW") == [{"seat": 0, "count": 1}]
    assert table.prompt == "THING" and table.offers() == ["BEE-5", "BAT-2", "BAT-4", "EYE-1"]
    table.give("BAT-4")
    assert table.hand(0) == ["BEE-5", "BAT-2", "EYE-1"]
    assert table.told(1, "THING_SET") == [{"seat": 0, "mode": "refill"}]


def test_r38_the_others_cannot_tell_whether_the_drawn_card_went_onto_thing() -> None:
    """R38, RULES 7.5."""
    heard = []
    for given in ("EYE-1", "BAT-4"):
        table = Table("enid", "ajax", hands={0: "BAT-2 BAT-4 BEE-5"}, thing="EYE-4", thing_at=0, deck="EYE-1",
                      rest="crypt")
        heard.append((table.move("forest").play("thing").give(given).heard(1), table.heard(SPECTATORS)))
    assert heard[0] == heard[1]


def test_x17_yoko_plays_things_card() -> None:
    """X17."""
    table = Table("yoko", "ajax", hands={0: "BAT-2 BAT-4 BEE-5"}, thing="EYE-4", thing_at=0)
    table.move("forest").play("thing")
    assert table.prompt == "YOKO" and len(table.hand(0)) == 4
    assert not table.everything["thing"]["filled"]
    table.throw("BAT-2")
    assert table.prompt == "THING" and len(table.hand(0)) == 4
    assert [event["count"] for event in table.told(1, "DRAW")] == [1, 1]
    assert len(table.give("BAT-4").hand(0)) == 3


SEVEN = "SIREN-1 WEREWOLF-2 BEE-3 MEDUSA-4 BAT-5 EYE-1 EYE-2"


def test_x28_the_discard_pile_becomes_the_deck_in_the_middle_of_a_refill() -> None:
    """X28, R31: deck 1 and discard 7, Yoko needs two cards. E1, E2: what that tells about every hidden card."""
    table = Table("yoko", "ajax", hands={0: "BAT-2 BAT-4 BEE-5"}, deck="BAT-1", discard=SEVEN, rest="jericho",
                  piles={"crypt": [Down("EYE-4", by=1), Down("SIREN-4", by=1)]})
    table.move("forest").play("BEE-5")
    assert table.told(1, "DRAW", "RESHUFFLE") == [{"seat": 0, "count": 1}, {"count": 7}, {"seat": 0, "count": 1}]
    assert table.everything["shuffles"] == 1 and table.discard == [] and table.everything["deck"] == 6
    drawn = [card for card in table.hand(0) if card not in ("BAT-2", "BAT-4")]
    assert "BAT-1" in drawn and len([card for card in drawn if card.endswith("@1")]) == 1
    renewed = {f"{card}@1" for card in SEVEN.split()}
    for seat in (0, 1):
        for world in table.worlds(seat, 100):
            assert set(world["deck_cards"]) <= renewed and len(world["deck_cards"]) == 6
            old = [entry["card"] for place in OUTER for entry in world["piles"][place]]
            assert not set(old) & renewed


def test_r31_not_before_a_card_is_needed() -> None:
    """R31: with the last card drawn the pile stays a pile."""
    table = Table("enid", "ajax", hands={0: "BAT-2 BAT-4 BEE-5"}, deck="BAT-1", discard="EYE-1 EYE-2", rest="crypt")
    table.move("forest").play("BEE-5")
    assert table.everything["deck"] == 0 and table.discard == ["EYE-1", "EYE-2"] and table.everything["shuffles"] == 0


def test_x29_a_refill_stops_when_no_card_is_left() -> None:
    """X29, R32: the hand is short until its owner's next refill."""
    table = Table("enid", "ajax", hands={0: "BAT-2 BAT-4 BEE-5", 1: "EYE-1 EYE-2 EYE-3"}, thing="EYE-4", deck="",
                  rest="crypt", pawns={1: "forest"})
    table.move("jericho").play("BEE-5")
    assert len(table.hand(0)) == 2 and table.told(1, "DRAW", "RESHUFFLE") == []
    table.idle()
    # An attack brings cards into the discard pile; then the hand is topped up.
    again = Table("enid", "ajax", hands={0: "BAT-2 BAT-4"}, deck="", discard="EYE-1 EYE-2 EYE-3", rest="crypt")
    again.move("academy")
    assert len(again.hand(0)) == 3


@pytest.mark.parametrize(("hand", "deck", "asked"), [("BAT-2 BAT-4 BEE-5", "", False), ("BAT-2 BAT-4", "EYE-1", False),
                                                      ("BAT-2 BAT-4", "EYE-1 EYE-2", True)])
def test_x29_yoko_discards_only_from_four_cards(hand: str, deck: str, asked: bool) -> None:
    """X29, R34."""
    table = Table("yoko", "ajax", hands={0: hand}, deck=deck, rest="crypt")
    table.move("academy")
    assert (table.prompt == "YOKO") == asked
    if not asked:
        assert table.discard == [] and table.asked == 1


def test_r30_discards_are_open() -> None:
    """R30: the pile can be inspected by everybody."""
    table = Table("yoko", "ajax", discard="EYE-1 BAT-4")
    for observer in (0, 1, SPECTATORS):
        assert table.state.observation(observer)["discard"] == ["EYE-1", "BAT-4"]


def test_r14_r43_face_down_cards_stay_secret_after_the_end() -> None:
    """R14, R43, RULES 7.5: nobody may look at other seats' cards, not even when the game is over."""
    table = Table("enid", "ajax", attacked="crypt jericho", piles={"forest": [Down("EYE-4", by=0)]},
                  last="pilgrim_world").strike()
    assert table.state.is_over
    assert table.state.observation(0)["piles"]["forest"][0]["card"] == "EYE-4"
    for observer in (1, SPECTATORS):
        seen = table.state.observation(observer)
        assert seen["piles"]["forest"][0]["card"] is None and seen["hands"][0] is None


def test_a_game_can_be_set_up_with_any_seat_first() -> None:
    """R4: the start seat as an option."""
    for start in range(4):
        state = a_game("enid", "ajax", "bianca", "yoko", start_seat=str(start)).new_state(1)
        assert state.observation(SPECTATORS)["start_seat"] == start and state.pending == (start,)
