"""Thing and what the seats know because of it: X25-X27, K1-K9 of the knowledge rules, and the rulings about Thing.

Candidates of a followed card are written "hand 1", "thing", "slot 0".
"""
from __future__ import annotations

from typing import Any

import pytest

from hyde_table import Down, Table
from seatmate.engine.core.game import SPECTATORS


def four(**more: Any) -> Table:
    """Four seats whose powers play no part here; Thing stands in front of seat 0."""
    return Table("enid", "bianca", "ajax", "wednesday", **{"thing_at": 0, **more})


def track(card: str, *candidates: str) -> dict[str, Any]:
    """An entry of what a seat follows."""
    hands, slots = ([int(where[5:]) for where in candidates if where[:4] == kind] for kind in ("hand", "slot"))
    return {"card": card, "hands": hands, "thing": "thing" in candidates, "slots": slots}


# ---- Rulings ----

def test_r37_r39_r41_the_swap_is_part_of_the_last_step() -> None:
    """R37, R39, R41: after the refill; not against an equal card; then Thing goes anywhere, at any distance."""
    table = four(hands={0: "BAT-2 BAT-2 BAT-4"}, thing="BAT-4", pawns={2: "forest"})
    table.move("crypt").play("BAT-2")
    assert "BAT-4" not in table.offers()
    table.give("BAT-2")
    assert "BAT-4" in table.hand(0) and table.everything["thing"]["card"] == "BAT-2"
    assert table.offers() == [0, 1, 2, 3]
    table.send(2)
    assert table.told(SPECTATORS, "THING_SET") == [{"seat": 0, "mode": "swap"}]
    assert table.told(SPECTATORS, "THING_TO") == [{"seat": 0, "to": 2}]
    assert table.told(2, "THING_SEEN") == [{"seat": 2, "card": "BAT-2"}]
    assert table.told(0, "THING_SET_CARD") == [{"seat": 0, "mode": "swap", "card_in": "BAT-2", "card_out": "BAT-4"}]


def test_r37_yoko_swaps_and_plays_things_old_card() -> None:
    """R37: A B C in the hand, T with Thing, D and E next: swap T for A, play T, draw D and E, discard E."""
    table = Table("yoko", "ajax", "enid", hands={0: "BAT-2 BAT-3 BAT-4", 1: "SIREN-1"}, thing="EYE-5", thing_at=0,
                  thing_known=[0, 1], deck="BEE-1 BEE-2", rest="jericho",
                  tracks={2: [track("BAT-2", "hand 0"), track("SIREN-1", "thing", "hand 1")]})
    table.move("crypt")
    assert [offer for offer in table.offers() if offer[0] == "swap"] == [("swap", f"BAT-{n}") for n in (2, 3, 4)]
    table.swap("BAT-2")
    (entry,) = table.pile("crypt")
    assert (entry["card"], entry["source"], entry["known_by"]) == ("EYE-5", "thing", [0, 1])
    assert table.everything["thing"]["card"] == "BAT-2" and table.everything["thing"]["known_by"] == [0]
    assert table.told(1, "PLAYED_CARD")[0]["card"] == "EYE-5" and table.told(2, "PLAYED_CARD") == []
    assert table.told(2, "THING_SET") == [{"seat": 0, "mode": "refill"}] and table.told(2, "DRAW") == [{"seat": 0, "count": 2}]
    assert table.tracked(2) == [("BAT-2", {"hand 0", "thing"}), ("SIREN-1", {"hand 1", f"slot {entry['slot']}"})]
    assert table.prompt == "YOKO" and table.offers() == ["BEE-1", "BEE-2", "BAT-3", "BAT-4"], "no second swap"
    table.throw("BEE-2")
    assert table.hand(0) == ["BEE-1", "BAT-3", "BAT-4"] and table.prompt == "SEND", "nor a third"
    assert not table.everything["thing"]["swapped"]


def test_r37_only_who_discards_after_the_refill_swaps_before_it() -> None:
    """R37: for all others playing Thing's card comes to the same; nor is there a swap without Thing, or with an empty one."""
    assert not any(offer[0] == "swap" for offer in four().move("crypt").offers())
    far = Table("yoko", "ajax", thing_at=1).move("crypt")
    assert not any(offer[0] == "swap" for offer in far.offers())
    played = Table("yoko", "ajax", thing_at=0).move("crypt").play("thing")
    assert played.prompt == "YOKO" and not any(offer[0] == "swap" for offer in played.offers())


def test_r37_yoko_discards_things_old_card() -> None:
    """R37: all see which card it was; whoever followed a card to Thing knows that it was this one or is elsewhere."""
    table = Table("yoko", "ajax", "enid", hands={0: "BAT-2 BAT-3 BAT-4", 2: "SIREN-1"}, thing="EYE-5", thing_at=0, deck="BEE-1",
                  rest="jericho", tracks={1: [track("EYE-5", "thing", "hand 2"), track("SIREN-1", "thing", "hand 2")],
                                          2: [track("BAT-3", "hand 0")]})
    table.move("academy")
    assert table.offers()[-4:] == [("swap", "BEE-1"), ("swap", "BAT-2"), ("swap", "BAT-3"), ("swap", "BAT-4")]
    table.swap("BAT-3")
    assert table.discard == ["EYE-5"] and table.hand(0) == ["BEE-1", "BAT-2", "BAT-4"] and table.prompt == "SEND"
    assert table.told(SPECTATORS, "THING_DISCARD") == [{"seat": 0, "card": "EYE-5"}] and table.told(1, "DISCARD") == []
    assert table.told(1, "THING_SET") == [{"seat": 0, "mode": "refill"}]
    assert table.told(0, "THING_SET_CARD") == [{"seat": 0, "mode": "refill", "card_in": "BAT-3", "card_out": "SIREN-1"}]
    assert table.tracked(1) == [("SIREN-1", {"hand 2"})] and table.tracked(2) == [("BAT-3", {"hand 0", "thing"})]
    assert table.everything["thing"]["known_by"] == [0]


def test_r37_the_others_cannot_tell_which_card_went_to_thing() -> None:
    """R37, RULES 7.5: in none of the three early swaps."""
    for outcast, place, prompts in (("yoko", "crypt", ()), ("yoko", "academy", ()), ("bianca", "crypt", ("SIX",))):
        heard = []
        for given in ("BAT-2", "BAT-4"):
            table = Table(outcast, "ajax", hands={0: "BAT-2 BAT-3 BAT-4"}, thing="EYE-4", thing_at=0, deck="EYE-1 EYE-1",
                          rest="jericho").move(place)
            for card in prompts:
                table.play(card)
            heard.append((table.swap(given).heard(1), table.heard(SPECTATORS)))
        assert heard[0] == heard[1]


def test_r37_bianca_pays_with_things_old_card() -> None:
    """R28, R37, R39: the card taken from Thing is paid; not against an equal card; no other swap in this turn."""
    table = four(hands={1: "BAT-2 BAT-4 EYE-3"}, thing="BAT-4", thing_at=1, turn=1, tracks={0: [track("BAT-4", "thing", "hand 1")]})
    table.move("forest").play("SIX")
    assert table.offers()[-2:] == [("swap", "BAT-2"), ("swap", "EYE-3")]
    table.swap("EYE-3")
    assert table.cards_on("forest") == ["SIX"] and table.discard == ["BAT-4"] and table.prompt == "SEND"
    assert len(table.hand(1)) == 3 and table.everything["thing"]["card"] == "EYE-3"
    assert [key for key, _ in table.heard(2) if key in ("THING_DISCARD", "THING_SET", "PLAYED_CARD", "DRAW")] == [
        "THING_DISCARD", "THING_SET", "PLAYED_CARD", "DRAW"]
    assert table.tracked(0) == []
    last = four(hands={1: "EYE-3"}, thing="BAT-4", thing_at=1, turn=1, tracks={0: [track("EYE-3", "hand 1")]})
    last.move("forest").play("SIX").swap("EYE-3")
    assert last.tracked(0) == [("EYE-3", {"thing"})], "the hand was empty before the refill"


def test_r31_r37_what_is_paid_from_thing_may_be_drawn_at_once() -> None:
    """R31, R37: nothing else is discarded and the deck is empty."""
    table = four(hands={1: "BAT-2 BAT-4 EYE-3"}, thing="EYE-5", thing_at=1, turn=1, deck="", rest="crypt")
    table.move("forest").play("SIX").swap("BAT-2")
    assert table.hand(1) == ["BAT-4", "EYE-3", "EYE-5@1"] and table.discard == [] and table.prompt == "SEND"
    assert [key for key, _ in table.heard(2) if key not in ("ASK", "BUSY", "CHOICE", "MOVE")] == [
        "THING_DISCARD", "THING_SET", "PLAYED_CARD", "RESHUFFLE", "DRAW"]


def test_r38_no_swap_after_things_card_was_played() -> None:
    """R38: then it's a refill, and KEEP is no answer."""
    table = four(hands={0: "BAT-2 BAT-3 BAT-4"}, thing="EYE-5")
    table.move("crypt").play("thing")
    assert table.prompt == "THING" and "keep" not in table.offers() and len(table.offers()) >= 3


def test_r40_things_card_does_not_count_for_the_hand() -> None:
    """R40: three cards and Thing's are no four."""
    table = four(hands={0: "BAT-2 BAT-3 BAT-4"})
    table.move("crypt").play("BAT-3")
    assert len(table.hand(0)) == 3 and table.told(1, "DRAW") == [{"seat": 0, "count": 1}]


def test_r41_only_the_seat_with_thing_is_asked_about_it() -> None:
    """R41: and once, at the end of its own turn."""
    table = four()
    table.idle()
    for seat in (1, 2, 3):
        assert table.asked == seat
        table.move("academy")
        assert table.prompt == "MOVE"


def test_r42_two_players_and_thing() -> None:
    """R42: the partner or oneself."""
    table = Table("enid", "ajax", thing_at=0)
    table.move("academy").give("keep")
    assert table.offers() == [0, 1]


def test_who_knows_things_card() -> None:
    """RULES 7.1: the seat that put it there and every seat that has held Thing since; keeping changes nothing."""
    table = four(hands={0: "BAT-2 BAT-3 BAT-4"})
    table.move("academy").give("BAT-3").send(1)
    assert table.everything["thing"]["known_by"] == [0, 1]
    table.move("academy").give("keep").send(0)
    assert table.told(0, "THING_SEEN") == [], "it has seen the card already"
    assert table.told(SPECTATORS, "THING_KEEP") == [{"seat": 1}]
    for observer in (2, 3, SPECTATORS):
        assert table.state.observation(observer)["thing"]["card"] is None
    for observer in (0, 1):
        assert table.state.observation(observer)["thing"]["card"] == "BAT-3"


# ---- X25-X27 ----

def test_x25_everybody_who_held_thing_knows_its_card_when_it_is_played() -> None:
    """X25: A puts X on Thing, B keeps it there, C plays it; D sees a card without a face."""
    table = four(hands={0: "BAT-2 BAT-3 BAT-4"})
    table.move("academy").give("BAT-3").send(1)
    table.move("academy").give("keep").send(2)
    assert table.everything["thing"]["known_by"] == [0, 1, 2]
    table.move("forest").play("thing")
    for observer in (0, 1, 2):
        assert [event["card"] for event in table.told(observer, "PLAYED_CARD")] == ["BAT-3"]
        assert table.told(observer, "PLAYED") == []
    for observer in (3, SPECTATORS):
        assert table.told(observer, "PLAYED_CARD") == []
        assert [event["source"] for event in table.told(observer, "PLAYED")] == ["thing"]
    assert table.pile("forest")[0]["known_by"] == [0, 1, 2]


def test_x26_the_card_taken_from_thing_is_followed() -> None:
    """X26: A puts X on Thing, B swaps X for Y and sends Thing back: A follows X into B's hand and sees Y."""
    table = four(hands={0: "BAT-2 BAT-3 BAT-4", 1: "EYE-1 EYE-2 EYE-3"})
    table.move("academy").give("BAT-3").send(1)
    table.move("academy").give("EYE-2").send(0)
    assert table.tracked(0) == [("BAT-3", {"hand 1"})]
    assert table.everything["thing"]["known_by"] == [0, 1]
    assert table.state.observation(0)["thing"]["card"] == "EYE-2"
    assert [table.tracked(seat) for seat in (1, 2, 3)] == [[], [], []]


@pytest.mark.parametrize("second", ["BAT-5", "EYE-1"])
def test_x27_followed_through_two_more_swaps(second: str) -> None:
    """X27: B swaps again (perhaps X itself), C swaps again: X is in B's hand or in C's, as far as A can tell."""
    table = four(hands={0: "BAT-2 BAT-5 BAT-4", 1: "EYE-1 EYE-2 EYE-3", 2: "SIREN-1 SIREN-2 SIREN-3"})
    table.move("academy").give("BAT-5").send(1)
    table.move("academy").give("EYE-2").send(1)             # B takes X, puts Y, keeps Thing
    for seat in (2, 3, 0):
        assert table.asked == seat
        table.idle()
    table.move("academy").give(second).send(2)              # B takes Y back
    assert table.tracked(0) == [("BAT-5", {"hand 1", "thing"})]
    assert table.tracked(2) == [] and table.state.observation(2)["thing"]["card"] == second
    table.move("academy").give("SIREN-2").send(2)           # C takes what B put there
    assert table.tracked(0) == [("BAT-5", {"hand 1", "hand 2"})]
    assert table.tracked(1) == [(second, {"hand 2"})], "B's knowledge is exact"
    assert table.tracked(3) == []
    where = {(world["hands"][1].count("BAT-5"), world["hands"][2].count("BAT-5")) for world in table.worlds(0, 200)}
    assert where == {(1, 0), (0, 1)}


# ---- K1-K9 ----

def test_k1_a_swap_exchanges_hand_and_thing_in_every_entry() -> None:
    """K1: what was on Thing is in the hand now; what was in the hand may be on Thing."""
    table = four(hands={0: "BAT-2 BAT-3 BAT-4", 1: "EYE-4"}, thing="EYE-5", tracks={
        3: [track("EYE-5", "thing", "hand 1"), track("BAT-3", "hand 0"), track("EYE-4", "hand 1")]})
    table.move("academy").give("BAT-2").send(0)
    assert table.tracked(3) == [("EYE-5", {"hand 0", "hand 1"}), ("BAT-3", {"hand 0", "thing"}), ("EYE-4", {"hand 1"})]


def test_k1_both_ways_at_once() -> None:
    """K1: an entry with both candidates keeps both."""
    table = four(hands={0: "BAT-2 BAT-3 BAT-4"}, tracks={3: [track("BAT-3", "thing", "hand 0")]})
    table.move("academy").give("BAT-2").send(0)
    assert table.tracked(3) == [("BAT-3", {"hand 0", "thing"})]


def test_k2_a_refill_may_put_the_card_on_thing() -> None:
    """K2: and when the hand is empty afterwards, it must have."""
    table = four(hands={0: "BAT-3 BAT-4 BAT-5"}, tracks={2: [track("BAT-3", "hand 0")]})
    table.move("forest").play("thing").give("BAT-4")
    assert table.tracked(2) == [("BAT-3", {"hand 0", "thing"})]
    last = four(hands={0: "BAT-3"}, deck="", rest="crypt", tracks={2: [track("BAT-3", "hand 0")]})
    last.move("forest").play("thing").give("BAT-3")
    assert last.tracked(2) == [("BAT-3", {"thing"})]


def test_k3_a_card_played_from_the_hand_may_be_it() -> None:
    """K3: and when the hand is empty at that moment, it must be."""
    table = four(hands={0: "BAT-3 BAT-4 BAT-5"}, tracks={2: [track("BAT-3", "hand 0")]})
    table.move("forest").play("BAT-4")
    assert table.tracked(2) == [("BAT-3", {"hand 0", "slot 0"})]
    last = four(hands={0: "BAT-3"}, tracks={2: [track("BAT-3", "hand 0")]})
    last.move("forest").play("BAT-3")
    assert last.tracked(2) == [("BAT-3", {"slot 0"})], "before the refill the hand was empty"


def test_k3_several_1s_at_once() -> None:
    """K3: any of the slots may hold a followed 1, also when Ajax plays all his cards; another number can't be there."""
    ajax = {"hands": {2: "BAT-1 BEE-1 EYE-1"}, "turn": 2}
    table = four(**ajax, tracks={0: [track("BEE-1", "hand 2")]})
    table.move("forest").play("BEE-1").more("BAT-1").more("EYE-1")
    slots = {"slot 0", "slot 1", "slot 2"}
    assert table.tracked(0) == [("BEE-1", slots)]
    where = [[entry["card"] for entry in world["piles"]["forest"]].index("BEE-1") for world in table.worlds(0, 100)
             if [entry["card"] for entry in world["piles"]["forest"]].count("BEE-1") == 1]
    assert set(where) == {0, 1, 2}
    part = four(hands={2: "BAT-1 BEE-1 EYE-5"}, turn=2,
                tracks={0: [track("EYE-5", "hand 2"), track("BAT-1", "hand 2")]})
    part.move("forest").play("BEE-1").more("BAT-1")
    assert part.tracked(0) == [("EYE-5", {"hand 2"}), ("BAT-1", {"hand 2", "slot 0", "slot 1"})]


def test_k4_things_card_is_played() -> None:
    """K4: a candidate of Thing is a candidate of the slot now; among several 1s only if it is a 1."""
    table = four(hands={1: "BAT-5"}, thing="EYE-4",
                 tracks={3: [track("EYE-4", "thing"), track("BAT-5", "thing", "hand 1")]})
    table.move("forest").play("thing")
    assert table.tracked(3) == [("EYE-4", {"slot 0"}), ("BAT-5", {"hand 1", "slot 0"})]
    ones = four(hands={2: "BAT-1 EYE-2 EYE-3", 1: "BAT-5"}, thing="SIREN-1", thing_at=2, turn=2, tracks={
        0: [track("SIREN-1", "thing", "hand 2"), track("BAT-5", "thing", "hand 1")]})
    ones.move("forest").play("BAT-1").more("thing")
    assert ones.tracked(0) == [("SIREN-1", {"hand 2", "slot 0", "slot 1"}), ("BAT-5", {"hand 1"})]


def test_k4_who_knows_things_card_knows_the_slot() -> None:
    """K4."""
    table = four(thing="EYE-4", thing_known=[0, 3])
    table.move("forest").play("thing")
    assert table.tracked(3) == [] and table.state.observation(3)["piles"]["forest"][0]["card"] == "EYE-4"


def test_k5_thing_comes_to_the_observer() -> None:
    """K5: the card it sees is followed no longer, and nothing else can be on Thing."""
    table = four(hands={1: "BAT-5"}, thing="EYE-4", tracks={3: [track("EYE-4", "thing", "hand 1"),
                                                                track("BAT-5", "thing", "hand 1")]})
    table.move("academy").give("keep").send(3)
    assert table.tracked(3) == [("BAT-5", {"hand 1"})]


def test_k6_a_discarded_card_is_followed_no_longer() -> None:
    """K6: Bianca's payment and Yoko's discard are open."""
    table = four(hands={1: "BAT-3 BAT-4 BAT-5"}, turn=1,
                 tracks={0: [track("BAT-3", "hand 1"), track("BAT-4", "hand 1")]})
    table.move("forest").play("SIX").pay("BAT-3")
    assert table.tracked(0) == [("BAT-4", {"hand 1"})]
    last = four(hands={1: "BAT-3"}, piles={"crypt": [Down("BAT-4", by=2)]}, turn=1,
                tracks={0: [track("BAT-4", "hand 1", "slot 0")]})
    last.move("forest").play("SIX").pay("BAT-3")
    assert last.tracked(0) == [("BAT-4", {"slot 0"})], "the emptied hand is out of the question"


def test_k6_a_revealed_slot_is_out_of_the_question() -> None:
    """K6: the revealed card's entry ends, other entries lose the slot."""
    table = Table("enid", "bianca", "ajax", hands={1: "BAT-3"}, last="crypt",
                  piles={"crypt": [Down("EYE-4", by=1), Down("EYE-3", by=1)]}, thing_at=0,
                  tracks={0: [track("EYE-4", "hand 1", "slot 0"), track("BAT-3", "hand 1", "slot 0", "slot 1")]})
    table.strike()
    assert table.tracked(0) == [("BAT-3", {"hand 1"})]


def test_k7_wednesdays_swap_is_open() -> None:
    """K7: all follow the card she took; the card she gave is followed no longer."""
    table = Table("wednesday", "bianca", "ajax", hands={0: "EYE-3 BAT-1 BAT-2"}, last="crypt", thing_at=0,
                  piles={"crypt": [Down("EYE-4", by=1)]}, tracks={1: [track("EYE-3", "hand 0")]})
    table.strike().take("EYE-4").swap_for("EYE-3")
    assert [table.tracked(seat) for seat in range(3)] == [[], [("EYE-4", {"hand 0"})], [("EYE-4", {"hand 0"})]]


def test_k8_one_candidate_left_stays_private() -> None:
    """K8: as good as known, but the open mask of who knows the slot says nothing of it."""
    table = four(hands={0: "BAT-3"}, tracks={2: [track("BAT-3", "hand 0")]})
    table.move("forest").play("BAT-3")
    assert table.tracked(2) == [("BAT-3", {"slot 0"})]
    assert table.pile("forest")[0]["known_by"] == [0]
    assert all(world["piles"]["forest"][0]["card"] == "BAT-3" for world in table.worlds(2, 50))


def test_k9_the_seventeenth_entry_drops_the_oldest() -> None:
    """K9: its card floats again."""
    cards = [f"{symbol}-{number}" for symbol in ("SIREN", "WEREWOLF", "BEE", "MEDUSA") for number in (1, 2, 3, 4)]
    full = [track(card, f"slot {slot}") for slot, card in enumerate(cards)]
    table = Table("wednesday", "bianca", hands={0: "EYE-3 BAT-1 BAT-2"}, last="forest", thing_at=0, tracks={1: full},
                  piles={"crypt": [Down(card) for card in cards], "forest": [Down("EYE-4")]})
    table.strike().take("EYE-4").swap_for("EYE-3")
    assert table.tracked(1) == [(card, {f"slot {slot}"}) for slot, card in enumerate(cards) if slot > 0] + [
        ("EYE-4", {"hand 0"})]


# ---- Equal cards ---- (cards are kind and shuffle; copies are not told apart)

def test_entries_of_equal_cards_merge_when_one_comes_to_light() -> None:
    """Either may be the revealed one, so the other may be wherever one of the two could be."""
    table = Table("enid", "bianca", "ajax", hands={1: "EYE-4 BAT-1"}, last="crypt", thing_at=0,
                  piles={"crypt": [Down("EYE-4", by=1)], "forest": [Down("BAT-2", by=2)]},
                  tracks={0: [track("EYE-4", "hand 1", "slot 0"), track("EYE-4", "slot 0", "slot 1", "hand 1")]})
    table.strike()
    assert table.tracked(0) == [("EYE-4", {"hand 1", "slot 1"})]


def test_a_revealed_copy_of_another_shuffle_ends_no_entry() -> None:
    """A card of the second shuffle is not the one that was seen before it."""
    table = Table("enid", "bianca", "ajax", hands={1: "EYE-4 BAT-1"}, last="crypt", thing_at=0, shuffles=1,
                  piles={"crypt": [Down("EYE-4@1", by=1, shuffle=1)]}, discard="SIREN-1",
                  tracks={0: [track("EYE-4", "hand 1", "slot 0")]})
    table.strike()
    assert table.tracked(0) == [("EYE-4", {"hand 1"})]
    assert all("EYE-4" in world["hands"][1] for world in table.worlds(0, 30))


def test_a_second_copy_in_sight_leaves_the_followed_one_alone() -> None:
    """A reveal outside an entry's candidates is another copy."""
    table = Table("enid", "bianca", "ajax", hands={1: "EYE-4 BAT-1"}, last="crypt", thing_at=0,
                  piles={"crypt": [Down("EYE-4", by=2)]}, tracks={0: [track("EYE-4", "hand 1")]})
    table.strike()
    assert table.tracked(0) == [("EYE-4", {"hand 1"})]
