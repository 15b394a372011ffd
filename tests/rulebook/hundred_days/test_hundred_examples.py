"""The rulebook's examples (RULES.md, 10.1)."""
from __future__ import annotations

from typing import Any

from hundred_table import Table, a_game
from seatmate.engine.hundred_days.secrets.fields import BOARD, UNSEEN

HARVEST: dict[str, Any] = {"seats": 3, "tiles": "t01 t05 t06 t02 t03 t04", "ricks": (11, 18, 1), "morties": (4, 6, 0), "die": 4}
"""PINK, GREEN, BLUE of the harvest example."""


def test_e1_a_sole_pawn_has_the_initiative_without_dice() -> None:
    table = Table(ricks=(1, 14), morties=(5, 0), die=1, phase="initiative", first=1)
    assert table.told("FIRST") == [(0, 1)] and not table.told("ROLL")


def test_e2_r30_the_garage_counts_pawns() -> None:
    table = Table(ricks=(1, 14), morties=(5, 0), die=1, hands={0: "C19"}, phase="initiative")
    assert table.asked() == "1 TYPE_GAIN"
    table.say(1, "M", "T")
    assert table.raw["garage"][:2] == [0, 2] and table.tokens(1) == "1M 1T"


def test_e3_e4_initiative_and_garage_of_the_harvest_example() -> None:
    table = Table(**HARVEST, phase="initiative")
    assert table.told("FIRST") == [(0, 4)]
    table.say(1, "D").say(2, "D")
    assert table.raw["garage"][:3] == [0, 1, 1]


def test_e5_e6_e7_e8_e9_r18_r40_r41_r43_the_harvest_example() -> None:
    table = Table(**HARVEST, phase="resources", first=0)
    assert table.tokens(0) == "1M 1S 3T 1D"         # E5, E6: places 4 and 5, with nothing to choose
    table.say(0, "T")                               # E7: place 6
    assert table.tokens(0) == "1M 2S 4T 1D"
    table.say(1, "T", "S")
    assert table.tokens(1) == "1S 3T" and table.tokens(0) == "1M 2S 4T 1D"
    assert table.tokens(2) == "1M 2D"               # E8: place 1
    assert [table.count("hand", seat) for seat in range(3)] == [1, 2, 5]        # E9


def test_r39_two_pawns_choose_twice_from_the_whole_list() -> None:
    table = Table(**HARVEST, phase="resources", first=0).say(0, "T").say(1, "S")
    assert table.answers(1) == ["S", "T"]
    assert table.say(1, "S").tokens(1) == "4T"


def test_e10_r28_two_places_may_be_covered_in_any_way() -> None:
    for rick, morty, play, works in ((11, 0, "", True), (5, 6, "", True), (5, 4, "", False), (5, 4, "C03", True)):
        table = Table(ricks=(rick, 0), morties=(morty, 0), hands={0: "I16", 1: ""}, play={0: play})
        assert ("play I16" in table.answers(0)) == works


def test_e11_r10_an_empty_place_passes_the_decision_on() -> None:
    table = Table(ricks=(2, 3), morties=(2, 3), die=6, hands={0: "C19"}, phase="initiative")
    assert table.told("FIRST") == [(0, 2)] and table.raw["die"] == 6


def test_e12_r11_all_on_the_smith_house_roll() -> None:
    table = Table(3, play={0: "C15"}, phase="initiative", seed=3)
    rolls = table.told("ROLL")
    assert {seat for seat, _ in rolls[:3]} == {0, 1, 2}
    assert table.told("FIRST")[0][0] == max(rolls[:3], key=lambda roll: roll[1])[0] or len(rolls) > 3
    assert table.told("FIRST")[0][1] == 255


def test_e13_r33_r34_a_garage_token_saves_from_destruction() -> None:
    table = Table(hands={0: "A13"}, play={1: "I02"}, guarded="I02").say(0, "play A13")
    assert table.cards("pile", 1) == "I02" and table.raw["garage_supply"] == 20 and table.cards("general") == "A13"
    unguarded = Table(hands={0: "A13"}, play={1: "I02"}).say(0, "play A13")
    assert unguarded.cards("general") == "A13 I02"


def test_e14_an_item_is_used_once() -> None:
    table = Table(play={0: "I02"}).say(0, "use I02", "M", "S")
    assert table.tokens(0) == "1M 1S" and table.cards("pile", 0) == "I02" and not table.cards("play", 0)


def test_e15_r44_hands_are_limited_in_the_discard_phase() -> None:
    table = Table(hands={0: "A01 A02 A03 A04 A05 A06 A07 A08 A09"}, phase="discard")
    assert table.asked() == "0 OVERFLOW"
    table.say(0, "A01")
    assert "A01" not in table.answers(0) and not table.cards("general")
    table.say(0, "A05")
    assert table.cards("general") == "A01 A05" and table.count("hand", 0) == 7
    assert table.asked().endswith("PLACE_RICK") and table.raw["round"] == 2


def test_e16_r2_r3_setup() -> None:
    for seats, tiles, stack in ((2, "auto", 6), (2, "20", 14), (3, "auto", 14), (4, "12", 6)):
        state = a_game(seats, tiles).new_state(3)
        seen = state.observation(0)
        assert seen["stack"] == stack and seen["hand_counts"] == [4] * seats and None not in seen["places"][1:]
        assert seen["federation"] == [15] * 4 and seen["garage_supply"] == 20 and sum(len(row) for row in seen["held"]) == seats
        assert set(seen["owners"]) == {BOARD, UNSEEN}


def test_e17_r12_a_pass_does_not_bind() -> None:
    table = Table(ricks=(1, 2), tokens={0: "3T 2D", 1: "2S 1T 2D"}).say(0, "end")
    table.say(1, "close 2").say(0, "close 1")
    assert table.owner("t05") == 0 and table.owner("t06") == 1


def test_e18_r47_r48_r49_r50_the_end() -> None:
    table = Table(ricks=(3, 5), morties=(3, 5), tokens={0: "4M 4S 4T 4D", 1: "5M 5S 5T 5D"}, stack=0).say(0, "close 3")
    assert table.tile(3) is None and table.raw["ending"] == 1 and not table.state.is_over
    table.say(1, "close 5")
    assert table.tile(5) is None
    before = table.tokens(0)
    table.to_end()
    assert table.state.is_over and table.tokens(0) == before and table.raw["round"] == 1
    last = Table(ricks=(3, 5), tokens={0: "4M 4S 4T 4D"}, stack=1).say(0, "close 3")
    assert last.raw["ending"] == 0 and last.raw["stack"] == 0        # drawing the last tile does not end it


def test_e19_r51_r57_scoring() -> None:
    table = Table(closed={0: "t01 t04"}, play={0: "I16 C12"}, pile={0: "I03"}, guarded="I16", hands={0: "A01 A02 A03 A04"},
                  tokens={0: "6M"}, garage=(2, 0), tiles="- t06 t07 t08 t09 t10", stack=0, ending=True, phase="over", at=0)
    assert table.scores()[0] == 8 + 4 + 1 + 1 and table.state.returns() == [1.0, 0.0]


def test_e20_r26_blue_cards_last_as_long_as_they_say() -> None:
    table = Table(hands={0: "L04 A05"}).say(0, "play L04")
    assert table.cards("play", 0) == "L04" and table.count("hand", 0) == 2
    table.say(0, "play A05", "M")
    assert table.cards("general") == "A05" and table.tokens(0) == "3M"
    table.to_round(2)
    assert "L04" in table.cards("general") and not table.cards("play", 0)
