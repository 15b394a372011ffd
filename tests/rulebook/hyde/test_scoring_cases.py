"""Further cases of attack and end: X1-X7, X9, X21-X24, X31, X32, X34, and the rulings about them."""
from __future__ import annotations

from typing import Any

import pytest

from hyde_table import OUTER, TARGETS, Down, Table, under_attack
from seatmate.engine.core.game import SPECTATORS

# ---- What cards count ----

@pytest.mark.parametrize(("place", "target", "cards", "total", "strict"), [
    pytest.param("crypt", "lone_target", "BEE-1 BAT-1 EYE-1 EYE-3", 3 + 3 + 3 + 0, 0, id="X1"),
    pytest.param("jericho", "twin_target", "BEE-2 BAT-2 EYE-4 EYE-5", 4 + 4 + 0 + 5, 5, id="X2"),
    pytest.param("crypt", "gorgon_target", "MEDUSA-3 MEDUSA-2", 0 + 3, 3, id="X3"),
    pytest.param("pilgrim_world", "lone_target", "SIREN-1 BEE-1", 0 + 3, 3, id="X4")])
def test_x1_x4_places_look_at_the_printed_face(place: str, target: str, cards: str, total: int, strict: int) -> None:
    """X1-X4, R19; and with strict_transform R20: only a transformed *number* is looked at again."""
    assert under_attack(place, target, cards).score()[0] == total
    assert under_attack(place, target, cards, strict_transform=True).score()[0] == strict


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("place", OUTER)
def test_x5_a_six_is_always_six(place: str, target: str) -> None:
    """X5, R26; with strict_transform, too."""
    for strict in (False, True):
        table = under_attack(place, target, "SIX", "bianca", "eugene", strict_transform=strict)
        assert table.score()[0] == 6
        assert table.told(SPECTATORS, "ZERO") == []


def points(cards: str) -> dict[str, Any]:
    """A forest with plain cards on it: the target boosts none of them."""
    return {"place": "forest", "target": "bat_target", "cards": cards}


@pytest.mark.parametrize(("cards", "total", "saved"), [
    ("BEE-5 EYE-5 SIREN-4", 14, True), ("BEE-5 EYE-5 SIREN-3", 13, False), ("BEE-5 EYE-5 MEDUSA-5", 15, True)])
def test_x6_need_met_is_saved(cards: str, total: int, saved: bool) -> None:
    """X6, R21."""
    table = under_attack(**points(cards))
    assert table.score() == (total, 14, saved)
    assert table.everything["saved"] == (["forest"] if saved else [])
    assert table.everything["lost"] == (not saved)


def test_x7_enid_counts_even_where_no_card_lies() -> None:
    """X7, R22: total 2, and no question to Wednesday, since no card was revealed."""
    table = under_attack("forest", "bat_target", "", "enid", "wednesday", pawns={0: "forest"}, thing_at=0)
    assert table.score() == (2, 14, False)
    assert table.prompt == "MOVE" and table.told(SPECTATORS, "WED_PASS", "WED_SWAP") == []


def test_r22_enid_only_where_she_stands_at_the_attack() -> None:
    """R22: her last move counts, not where she played."""
    table = Table("enid", "bianca", targets={"crypt": "twin_target"}, pawns={0: "crypt"}, thing_at=1, bag="crypt",
                  hands={0: "EYE-5 EYE-4 EYE-1"}, piles={"crypt": "BEE-5"})
    table.move("academy").idle()
    assert table.score()[0] == 5


def test_x9_all_pawns_go_back_to_the_academy() -> None:
    """X9, R10, R51: nobody has to leave the forest in the new round; all tokens but one are back in the bag."""
    table = under_attack("crypt", "twin_target", "BEE-5", "enid", "eugene", pawns={0: "forest"})
    assert table.everything["pawns"] == ["academy", "academy"]
    assert table.asked == 0 and table.prompt == "MOVE"
    assert len(table.offers()) == 6
    assert set(table.everything["bag"]) == set(OUTER) - {"crypt"} and table.everything["shown"] == []
    assert table.told(SPECTATORS, "NEWROUND") == [{"attack": 2}]


def test_r23_a_flipped_target_and_a_saved_one_have_no_effect_elsewhere() -> None:
    """R23: after an attack the target counts nowhere; other piles stay where they are (5.9 step 7)."""
    table = Table("enid", "eugene", targets={"crypt": "bat_target", "forest": "twin_target"},
                  piles={"crypt": "EYE-1", "forest": "BAT-3"}, last="crypt").strike()
    assert table.everything["attacked"] == ["crypt"] and table.cards_on("forest") == ["BAT-3"]
    assert table.cards_on("crypt") == []
    later = Table("enid", "eugene", targets={"crypt": "bat_target", "forest": "twin_target"},
                  piles={"forest": "BAT-3"}, attacked="crypt", last="forest").strike()
    assert later.score()[0] == 3


def test_r47_a_revealed_card_keeps_its_player() -> None:
    """R47: reveals are in the order of the slots, and each slot was announced with its player."""
    table = Table("wednesday", "enid", last="jericho", hands={0: "EYE-1 EYE-2 EYE-3"},
                  piles={"jericho": [Down("BEE-5", by=1, turn=1), Down("BAT-3", by=0, turn=2)]}).strike()
    assert table.told(SPECTATORS, "REVEAL") == [{"slot": 0, "card": "BEE-5"}, {"slot": 1, "card": "BAT-3"}]
    pile = table.state.observation(SPECTATORS)["piles"]["jericho"]
    assert [(entry["by"], entry["turn"], entry["card"]) for entry in pile] == [(1, 1, "BEE-5"), (0, 2, "BAT-3")]


# ---- Wednesday ----

NO_MATCH = "BEE-1 BEE-2 BAT-2"


def test_x21_wednesday_without_a_match_is_asked_all_the_same() -> None:
    """X21: the others can't tell it from a voluntary pass."""
    heard = []
    for hand in (NO_MATCH, "EYE-5 BEE-2 BAT-2"):
        table = under_attack("forest", "bat_target", "EYE-4 SIREN-3", "wednesday", "enid", hands={0: hand})
        assert table.prompt == "WED_TAKE"
        assert table.offers() == (["pass"] if hand == NO_MATCH else ["EYE-4", "pass"])
        table.take("pass")
        assert table.score()[0] == 7
        heard.append((table.heard(1), table.heard(SPECTATORS)))
    assert heard[0] == heard[1]


@pytest.mark.parametrize("case", ["only sixes", "empty hand"])
def test_x22_wednesday_is_not_asked_without_a_card_to_swap(case: str) -> None:
    """X22, R27: what makes the question needless is open to all."""
    if case == "only sixes":
        table = under_attack("forest", "bat_target", "SIX SIX", "wednesday", "bianca")
    else:
        table = Table("wednesday", "enid", hands={0: "", 1: "EYE-5"}, piles={"forest": "SIREN-5"}, last="forest",
                      deck="", discard="", rest="crypt", prompt="MOVE").strike()
    assert table.told(SPECTATORS, "WED_PASS") == [] and table.told(SPECTATORS, "SCORE")
    assert table.prompt == "MOVE"


def test_r27_a_six_is_never_offered() -> None:
    """R27."""
    table = under_attack("forest", "bat_target", "SIX EYE-4", "wednesday", "bianca", hands={0: "EYE-1 EYE-2 BEE-4"})
    assert table.offers() == ["EYE-4", "pass"]


def test_r24_a_match_is_symbol_or_number_of_the_printed_face() -> None:
    """R24: neither the place nor the target changes what matches."""
    table = under_attack("jericho", "twin_target", "BEE-2 BAT-4 SIREN-3 EYE-5", "wednesday", "enid",
                         hands={0: "MEDUSA-4 SIREN-1 SIREN-2"})
    assert table.offers() == ["SIREN-3", "BEE-2", "BAT-4", "pass"]
    table.take("BEE-2")
    assert table.prompt == "WED_GIVE" and table.offers() == ["SIREN-2"]


def test_r24_her_pawn_may_be_anywhere_and_things_card_is_not_hers() -> None:
    """R24, R40: Thing's card is no card to swap."""
    table = Table("wednesday", "enid", pawns={0: "painting_shed"}, hands={0: NO_MATCH}, thing="EYE-5", thing_at=0,
                  thing_known=[0], piles={"forest": "EYE-4"}, last="forest").strike()
    assert table.offers() == ["pass"]


def test_r24_she_swaps_at_the_last_attack_and_at_the_third_loss() -> None:
    """R24, R2: the attack that ends the game is resolved completely."""
    hand = {0: "EYE-5 MEDUSA-1 MEDUSA-2"}
    last = Table("wednesday", "enid", hands=hand, attacked="crypt jericho pilgrim_world painting_shed",
                 saved="crypt jericho pilgrim_world", piles={"forest": "EYE-4"}, last="forest").strike()
    last.take("EYE-4").swap_for("EYE-5")
    assert last.state.is_over and last.score() == (5 + 1, 22, False)
    third = Table("wednesday", "enid", hands=hand, attacked="crypt jericho", piles={"forest": "EYE-4"},
                  last="forest").strike()
    third.take("EYE-4").swap_for("EYE-5")
    assert third.state.is_over and third.told(SPECTATORS, "END") == [{"lost": 3, "grade": -1}]


def test_r25_a_given_card_is_scored_and_discarded_like_any_other() -> None:
    """R25: a bee given at the shed counts nothing and is announced as zero."""
    table = under_attack("painting_shed", "twin_target", "EYE-5", "wednesday", "enid",
                         hands={0: "BEE-5 MEDUSA-1 MEDUSA-2"})
    table.take("EYE-5").swap_for("BEE-5")
    assert table.score() == (0, 14, False)
    assert table.told(1, "ZERO") == [{"slot": 0}] and table.discard == ["BEE-5"]


def test_x23_the_lowest_slot_of_the_wanted_kind_is_exchanged() -> None:
    """X23."""
    table = under_attack("forest", "bat_target", "BEE-2 EYE-4 EYE-4", "wednesday", "enid",
                         hands={0: "EYE-1 MEDUSA-1 MEDUSA-2"})
    table.take("EYE-4").swap_for("EYE-1")
    assert table.told(1, "WED_SWAP") == [{"seat": 0, "slot": 1, "taken": "EYE-4", "given": "EYE-1"}]
    assert table.score()[0] == 2 + 1 + 4


def test_x24_the_taken_card_is_followed_into_her_hand_and_out_of_it() -> None:
    """X24: when she has played a hidden card, EYE-5 is in her hand or in that slot, in every sampled world."""
    table = under_attack("forest", "bat_target", "BEE-2 EYE-5", "wednesday", "enid", "eugene",
                         hands={0: "EYE-1 MEDUSA-1 MEDUSA-2"}, thing_at=1)
    table.take("EYE-5").swap_for("EYE-1")
    table.move("crypt").play("MEDUSA-1")
    for observer in (1, 2):
        assert table.tracked(observer) == [("EYE-5", {"hand 0", "slot 0"})]
        where = set()
        for world in table.worlds(observer, 200):
            slot = world["piles"]["crypt"][0]["card"]
            assert (slot == "EYE-5") + world["hands"][0].count("EYE-5") == 1
            where.add(slot == "EYE-5")
        assert where == {True, False}
    assert table.tracked(0) == []


# ---- The end ----

@pytest.mark.parametrize(("attacked", "saved", "utility"), [
    ("crypt jericho", "", 0.00), ("crypt jericho pilgrim_world", "crypt", 0.08),
    ("crypt jericho pilgrim_world painting_shed", "crypt jericho", 0.16)])
def test_x31_the_third_loss_ends_the_game_at_once(attacked: str, saved: str, utility: float) -> None:
    """X31, R1, R2, R52: nothing of a next round happens after a defeat."""
    table = Table("enid", "eugene", "ajax", attacked=attacked, saved=saved, last="forest").strike()
    assert table.state.is_over and table.prompt is None
    assert table.told(SPECTATORS, "END") == [{"lost": 3, "grade": -1}]
    assert table.told(SPECTATORS, "NEWROUND") == []
    assert table.state.returns() == pytest.approx([utility] * 3)
    assert table.everything["result"] == "defeat"


BEFORE_LAST = "crypt jericho pilgrim_world painting_shed"
ENOUGH = "EYE-5 BEE-5 SIREN-5 MEDUSA-5 WEREWOLF-4"
"""24 points in the forest; 22 are needed at attack 5."""


@pytest.mark.parametrize(("saved", "cards", "limit", "grade", "utility"), [
    pytest.param(BEFORE_LAST, ENOUGH, 3, "master", 1.00, id="0 lost"),
    pytest.param(BEFORE_LAST, "", 3, "intermediate", 0.85, id="1 lost"),
    pytest.param("crypt jericho pilgrim_world", ENOUGH, 3, "intermediate", 0.85, id="1 lost before"),
    pytest.param("crypt jericho", ENOUGH, 3, "novice", 0.70, id="X32 2 lost"),
    pytest.param("crypt jericho", "", 3, "defeat", 0.16, id="X32 third lost"),
    pytest.param("crypt jericho", "", 4, "barely", 0.50, id="X32 third lost, limit 4"),
    pytest.param("crypt", ENOUGH, 4, "barely", 0.50, id="limit 4"),
    pytest.param("crypt", "", 4, "defeat", 0.08, id="fourth lost, limit 4")])
def test_x32_grades(saved: str, cards: str, limit: int, grade: str, utility: float) -> None:
    """X32, R1, R3: all five attacks are played, and the grade counts the lost targets."""
    table = Table("enid", "eugene", attacked=BEFORE_LAST, saved=saved, piles={"forest": cards}, last="forest",
                  targets={"forest": "bat_target"}, loss_limit=limit).strike()
    assert table.state.is_over
    assert table.everything["result"] == grade
    assert table.state.returns() == pytest.approx([utility] * 2) == table.state.evaluate()


def test_evaluate_counts_enid_while_wednesday_ponders() -> None:
    """R22: in the middle of the attack the estimate already knows whether the target is saved as it lies."""
    table = Table("wednesday", "enid", attacked=BEFORE_LAST, saved=BEFORE_LAST, pawns={1: "forest"}, turn=0, thing_at=1,
                  bag="forest", piles={"forest": "EYE-5 BEE-5 SIREN-5 MEDUSA-5"}, targets={"forest": "bat_target"})
    table.idle().move("academy").give("keep").send(1)
    assert table.prompt == "WED_TAKE" and table.state.evaluate() == pytest.approx([0.85] * 2)
    beside = Table("wednesday", "enid", attacked=BEFORE_LAST, saved=BEFORE_LAST, pawns={1: "crypt"}, turn=0, thing_at=0,
                   bag="forest", piles={"forest": "EYE-5 BEE-5 SIREN-5 MEDUSA-2"}, targets={"forest": "gorgon_target"},
                   hands={1: "BAT-2 BAT-2 BAT-3"})
    beside.idle().move("forest").play("BAT-2")
    assert beside.prompt == "WED_TAKE" and beside.state.evaluate() == pytest.approx([1.0] * 2)
    assert beside.take("pass").score() == (5 + 5 + 5 + 3 + 2 + 2, 22, True)


def test_r3_three_saved_targets_do_not_end_the_game() -> None:
    """R3."""
    table = Table("enid", "eugene", attacked="crypt jericho", saved="crypt jericho", piles={"forest": ENOUGH},
                  targets={"forest": "bat_target"}, last="forest").strike()
    assert table.everything["saved"] == ["crypt", "jericho", "forest"]
    assert not table.state.is_over and table.everything["attack"] == 4


def test_x34_before_the_last_cycle_everybody_knows_the_place() -> None:
    """X34, R48, R51: one token is left in the bag, and it is the one that comes."""
    for seed in range(5):
        table = Table("enid", "eugene", attacked="forest", bag="crypt", turn=1, seed=seed)
        for observer in (0, 1, SPECTATORS):
            assert table.state.observation(observer)["bag"] == ["crypt"]
        table.strike()
        assert table.told(1, "TOKEN") == [{"place": "crypt"}]
        assert table.told(1, "ATTACK") == [{"place": "crypt", "attack": 2, "need": 16}]


@pytest.mark.parametrize(("level", "row"), [("beginner", (7, 8, 9, 10, 11)), ("expert", (7, 9, 11, 13, 15)),
                                            ("nightmare", (8, 11, 13, 15, 17))])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_r6_r7_points_needed(level: str, row: tuple[int, ...], seats: int) -> None:
    """R6, R7: the printed side is the beginner side, its columns are 2, 3, 4 players; every need is per seat."""
    outcasts = ("enid", "eugene", "ajax", "yoko")[:seats]
    for attack, per_seat in enumerate(row, start=1):
        attacked = " ".join(OUTER[:attack - 1])
        table = Table(*outcasts, level=level, attacked=attacked, saved=attacked, last="forest").strike()
        assert table.told(SPECTATORS, "ATTACK") == [{"place": "forest", "attack": attack, "need": seats * per_seat}]
