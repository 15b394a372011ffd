"""The examples of the rulebook, T1-T14: what is written there is what the engine does.

Where an example doesn't name the outcasts, they are ones whose powers have no part in it.
"""
from __future__ import annotations

import pytest

from hyde_table import Table, under_attack
from seatmate.engine.core.game import SPECTATORS


@pytest.mark.parametrize(("target", "symbol"), [
    ("bat_target", "BAT"), ("gorgon_target", "MEDUSA"), ("eye_target", "EYE")])
def test_t1_shed_zeroes_bees_and_the_target_adds_one_to_its_symbol(target: str, symbol: str) -> None:
    """T1, R49 (a)."""
    table = under_attack("painting_shed", target, f"{symbol}-1 {symbol}-4 BEE-5 SIREN-2")
    assert table.score() == (2 + 5 + 0 + 2, 14, False)
    assert table.told(SPECTATORS, "ZERO") == [{"slot": 2}]
    heard = [key for key, _ in table.heard(SPECTATORS)]
    assert heard.index("ZERO") < heard.index("SCORE"), "zero cards are thrown away before the sum"
    assert sorted(table.discard) == sorted([f"{symbol}-1", f"{symbol}-4", "BEE-5", "SIREN-2"])


def test_t2_a_4_at_jericho_is_thrown_away() -> None:
    """T2."""
    table = under_attack("jericho", "eye_target", "SIREN-4 SIREN-5")
    assert table.score() == (5, 14, False)
    assert table.told(SPECTATORS, "ZERO") == [{"slot": 0}]


def test_t3_wednesday_takes_the_4_away_from_jericho() -> None:
    """T3: the swap comes before the zero cards are thrown away (R24), and all know what she took (R25)."""
    table = under_attack("jericho", "eye_target", "SIREN-4 SIREN-5", "wednesday", "enid",
                         hands={0: "SIREN-3 BEE-1 BAT-2"})
    assert table.asked == 0 and table.prompt == "WED_TAKE"
    table.take("SIREN-4").swap_for("SIREN-3")
    assert table.score() == (3 + 5, 14, False)
    assert table.told(SPECTATORS, "ZERO") == []
    assert table.hand(0) == ["SIREN-4", "BEE-1", "BAT-2"]
    for observer in (0, 1, SPECTATORS):
        assert table.told(observer, "WED_SWAP") == [{"seat": 0, "slot": 0, "taken": "SIREN-4", "given": "SIREN-3"}]
    assert table.tracked(1) == [("SIREN-4", {"hand 0"})]
    assert all("SIREN-4" in world["hands"][0] for world in table.worlds(1, 40))


def test_t4_the_gorgon_target_adds_one_to_a_medusa() -> None:
    """T4, R49 (b)."""
    assert under_attack("forest", "gorgon_target", "MEDUSA-2 BAT-2").score() == (3 + 2, 14, False)


@pytest.mark.parametrize(("seats", "level", "need", "saved"), [
    (4, "beginner", 28, True), (3, "beginner", 21, True), (4, "nightmare", 32, False)])
def test_t5_the_long_sum_of_the_scoring_example(seats: int, level: str, need: int, saved: bool) -> None:
    """T5, R6, R49 (d)."""
    cards = "BAT-2 BAT-2 BAT-3 BAT-5 SIREN-1 BEE-1 EYE-1 SIREN-3 WEREWOLF-3 BEE-5"
    table = under_attack("forest", "bat_target", cards, *("enid", "bianca", "ajax", "eugene")[:seats], level=level)
    assert table.score() == (3 + 3 + 4 + 6 + 3 * 1 + 2 * 3 + 5, need, saved)


@pytest.mark.parametrize(("place", "counts"), [("forest", 4), ("crypt", 4), ("pilgrim_world", 4), ("jericho", 4),
                                               ("painting_shed", 0)])
def test_t6_thing_carries_a_2_to_the_seat_next_to_the_twin_target(place: str, counts: int) -> None:
    """T6, R49 (c). A sits two steps away; B stands next to the place."""
    ring = ["crypt", "jericho", "pilgrim_world", "painting_shed", "forest"]
    at = ring.index(place)
    beside, away = ring[(at + 1) % 5], ring[(at + 2) % 5]
    table = Table("enid", "bianca", targets={place: "twin_target"}, pawns={0: away, 1: beside},
                  hands={0: "BEE-2 BAT-3 BAT-4", 1: "SIREN-1 SIREN-2 SIREN-3"}, thing="EYE-1", thing_at=0,
                  attacked="", bag=place, turn=0)
    table.move("academy").give("BEE-2").send(1)
    table.move(place).play("thing")
    (entry,) = table.pile(place)
    assert (entry["card"], entry["source"], entry["known_by"]) == ("BEE-2", "thing", [0, 1])
    table.give("SIREN-1").send(1)
    assert table.score() == (counts, 14, False)


def test_t7_wednesday_swaps_by_number() -> None:
    """T7: a card that counts nothing goes, one that counts comes (the rulebook's first example for her)."""
    table = under_attack("pilgrim_world", "lone_target", "WEREWOLF-4 BEE-3", "wednesday", "enid",
                         hands={0: "BEE-4 EYE-2 EYE-5"})
    before = table.state.clone()
    before.apply_action(0, 40)
    assert table.game.everything(before)["last_score"] == 0 + 3
    table.take("WEREWOLF-4").swap_for("BEE-4")
    assert table.score() == (4 + 3, 14, False)


@pytest.mark.parametrize(("cards", "after", "saved"), [
    ("SIREN-5 BEE-5 EYE-5 WEREWOLF-4", 16, True),      # T8: 19 before, 14 needed
    ("SIREN-5 BEE-5 EYE-5 WEREWOLF-1", 13, False)])    # T9: 16 before
def test_t8_t9_wednesday_takes_a_5_and_gives_a_2(cards: str, after: int, saved: bool) -> None:
    """T8 (her second example) and T9 (its note): the swap may even cost the target; that is her choice (R25)."""
    table = under_attack("forest", "bat_target", cards, "wednesday", "enid", hands={0: "SIREN-2 MEDUSA-1 MEDUSA-3"})
    table.take("SIREN-5").swap_for("SIREN-2")
    assert table.score() == (after, 14, saved)
    assert table.hand(0) == ["SIREN-5", "MEDUSA-1", "MEDUSA-3"]
    assert ("forest" in table.everything["saved"]) == saved


def test_t10_enid_adds_two_on_the_attacked_place() -> None:
    """T10."""
    table = under_attack("forest", "bat_target", "SIREN-4 SIREN-5 EYE-3", pawns={0: "forest"})
    assert table.score() == (12 + 2, 14, True)
    elsewhere = under_attack("forest", "bat_target", "SIREN-4 SIREN-5 EYE-3", pawns={0: "crypt"})
    assert elsewhere.score() == (12, 14, False)


def test_t11_bianca_pays_a_card_and_plays_a_six() -> None:
    """T11, R28, R29."""
    table = Table("bianca", "enid", targets={"crypt": "lone_target"}, pawns={0: "crypt"},
                  hands={0: "SIREN-3 BEE-3 BAT-1"}, bag="crypt")
    table.stay().play("SIX").pay("BEE-3")
    (entry,) = table.pile("crypt")
    assert (entry["card"], entry["source"], entry["known_by"], entry["open"]) == ("SIX", "reserve", [0, 1], True)
    for observer in (0, 1, SPECTATORS):
        assert table.told(observer, "DISCARD") == [{"seat": 0, "card": "BEE-3"}]
        (played,) = table.told(observer, "PLAYED_CARD")
        assert (played["place"], played["card"], played["source"]) == ("crypt", "SIX", "reserve")
    assert table.told(1, "DRAW") == [{"seat": 0, "count": 1}]
    assert table.everything["sixes_left"] == 1 and table.discard == ["BEE-3"]
    table.strike()
    assert table.score() == (6, 14, False)
    assert table.everything["sixes_removed"] == 1 and table.discard == ["BEE-3"]


@pytest.mark.parametrize(("place", "counts"), [("jericho", 3 + 3), ("pilgrim_world", 0 + 3)])
def test_t12_ajax_plays_both_1s_on_the_lone_target(place: str, counts: int) -> None:
    """T12."""
    table = Table("enid", "ajax", targets={place: "lone_target"}, hands={1: "SIREN-1 EYE-1 BAT-4"},
                  thing_at=0, bag=place, turn=1)
    table.move(place).play("SIREN-1").more("EYE-1")
    assert sorted(event["card"] for event in table.told(1, "PLAYED_CARD")) == ["EYE-1", "SIREN-1"]
    assert [event["one"] for event in table.told(0, "PLAYED")] == [True, True]
    assert table.told(0, "DRAW") == [{"seat": 1, "count": 2}]
    assert len(table.hand(1)) == 3 and "BAT-4" in table.hand(1)
    assert table.score() == (counts, 14, False)


def test_t13_eugene_plays_next_door() -> None:
    """T13, R17."""
    table = Table("eugene", "enid", ring="jericho crypt pilgrim_world painting_shed forest", pawns={0: "pilgrim_world"},
                  hands={0: "SIREN-2 WEREWOLF-3 SIREN-5"})
    table.stay()
    assert table.prompt == "PLACE"
    assert set(table.offers()) == {"pilgrim_world", "crypt", "painting_shed"}
    table.at("painting_shed").play("SIREN-5")
    assert table.cards_on("painting_shed") == ["SIREN-5"]
    assert table.everything["pawns"][0] == "pilgrim_world"
    assert table.told(1, "PLAYED") == [
        {"seat": 0, "place": "painting_shed", "slot": 0, "source": "hand", "one": False}]


@pytest.mark.parametrize("thrown", ["BAT-2", "BAT-4"])
def test_t14_yoko_draws_to_four_and_discards_any_card(thrown: str) -> None:
    """T14, R34: even a card that was in her hand before."""
    table = Table("yoko", "enid", hands={0: "BAT-2 BAT-4 BEE-5"})
    table.move("forest").play("BEE-5")
    assert table.told(1, "DRAW") == [{"seat": 0, "count": 2}]
    assert len(table.hand(0)) == 4
    assert table.prompt == "YOKO" and set(table.offers()) == set(table.hand(0))
    kept = table.hand(0)
    kept.remove(thrown)
    table.throw(thrown)
    assert table.hand(0) == kept and table.discard == [thrown]
