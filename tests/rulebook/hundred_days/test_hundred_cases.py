"""Tricky cases (RULES.md, 10.2)."""
from __future__ import annotations

from hundred_table import Table
from seatmate.engine.hundred_days.content import vocabulary as v

TWENTY = "t20 t06 t07 t08 t09 t10"


def test_t1_r16_r17_a_tax_in_the_middle_of_a_take() -> None:
    table = Table(3, tiles=TWENTY, ricks=(1, 0, 0), tokens={0: "4T", 1: "6T", 2: "3T"}, die=1, phase="resources")
    assert table.told("TAX") == [(2, 3, 3, 2)]
    assert [table.tokens(seat) for seat in range(3)] == ["4T", "3T", "1T"] and table.raw["federation"][2] == 7


def test_t2_the_taker_is_taxed() -> None:
    table = Table(hands={0: "A11"}, tokens={0: "4S", 1: "10S"}).say(0, "play A11", "0", "S")
    assert table.tokens(0) == "2S" and table.tokens(1) == "5S" and table.raw["federation"][1] == 8


def test_t3_r23_a_single_token_and_who_protects_it() -> None:
    for play, left in (("", ""), ("C18", "1T"), ("C12", "")):
        table = Table(3, hands={0: "A11"}, tokens={0: "10T", 1: "3T", 2: "1T"}, play={2: play}).say(0, "play A11")
        table.say(0, "1", "0", "T")
        assert table.tokens(2) == left and table.tokens(1) == "1T"


def test_t4_r8_r9_presence() -> None:
    for a, b, play, first in (((7, 1), (1, 0), "", 1), ((7, 1), (7, 0), "", 0), ((1, 0), (1, 0), "C15", 0), ((7, 0), (0, 1), "", 0),
                              ((1, 0), (7, 1), "", 0), ((1, 1), (1, 0), "", 0)):
        table = Table(ricks=(a[0], b[0]), morties=(a[1], b[1]), play={0: play}, die=1, phase="initiative")
        assert table.told("FIRST") == [(first, 1)] and not table.told("ROLL")
    assert len(Table(ricks=(1, 1), die=1, phase="initiative").told("ROLL")) >= 2


def test_t5_the_harvest_starts_at_the_die() -> None:
    table = Table(3, ricks=(0, 0, 13), morties=(0, 2, 0), die=5, phase="initiative")
    assert table.told("FIRST") == [(2, 1)] and table.raw["die"] == 5
    harvest = Table(3, ricks=(0, 0, 13), morties=(0, 2, 0), die=5, phase="resources", first=2)
    assert [args[0] for args in harvest.told("TOKENS")] == [2] * 3 + [1] * 3       # place 1 before place 2


def test_t6_four_colours() -> None:
    for play in ("", "C16"):
        table = Table(4, tiles="t09 t06 t07 t08 t05 t10", ricks=(1, 1, 1, 1), morties=(1, 0, 0, 0), play={0: play},
                      phase="resources")
        if play:
            table.say(0, "S", "S")
            assert table.tokens(0) == "2S"
        assert all(table.tokens(seat) == "" for seat in (1, 2, 3))


def test_t7_r42_r5_a_negative_draw() -> None:
    table = Table(tiles="t04 t07 t08 t09 t10 t05", ricks=(7, 0), morties=(3, 0), hands={0: "C19 A01"}, phase="cards")
    assert table.asked() == "0 HAND_DROP" and table.say(0, "C19").cards("general") == "C19"
    empty = Table(tiles="t04 t07 t08 t09 t10 t05", ricks=(7, 0), morties=(3, 0), phase="cards")
    assert empty.count("hand", 0) == 0 and empty.count("hand", 1) == 3 + 1           # R5: the Smith house


def test_t8_r15_t41_rick_between_closes_twice() -> None:
    table = Table(ricks=(9, 0), tokens={0: "6M 6S 6T 6D"}).say(0, "close 3")
    assert "close 3" in table.answers(0) and table.raw["ricks"][0] == 9         # on the new tile, too
    table.say(0, "close 4")
    assert table.raw["stack"] == 12


def test_t9_r20_a_closing_undone_by_a_tax() -> None:
    table = Table(ricks=(1, 0), tokens={0: "3T 2D", 1: "11T"}, hands={1: "O09"}).say(0, "close 1")
    table.say(1, "react O09", "M", "T")
    assert table.tokens(0) == "1T 2D" and table.tokens(1) == "1M 6T" and table.owner("t05") == 254


def test_t10_a_cancelled_closing() -> None:
    table = Table(ricks=(1, 0), tokens={0: "3T 2D"}, hands={0: "C19", 1: "O08 C18"}, discounts=[2, 0])
    table.say(0, "close 1").say(1, "react O08")
    table.decline()
    assert table.tokens(0) == "3T 2D" and table.raw["discounts"][0] == 2 and table.owner("t05") == 254
    assert table.asked() == "1 TURN"


def test_t11_r19_a_cancelled_card_with_a_cost() -> None:
    table = Table(hands={0: "A15 C19", 1: "O01"}, tokens={0: "2S"}, play={1: "I02"}).say(0, "play A15")
    table.say(1, "react O01").decline()
    assert table.cards("play", 1) == "I02" and table.tokens(0) == "" and table.cards("general") == "A15 O01"


def test_t12_r21_a_cancelled_green_card() -> None:
    table = Table(ricks=(10, 0), morties=(6, 0), hands={0: "C19", 1: "O04"}, play={1: "C01"}).say(0, "play C19")
    table.say(1, "react O04").decline()
    assert table.cards("hand", 0) == "C19" and table.cards("shown") == "C19" and table.cards("play", 1) == "C01"


def test_t13_r22_a_cancelled_item() -> None:
    table = Table(hands={1: "O06"}, tokens={0: "1M"}, play={0: "I17", 1: "C01"}).say(0, "use I17").say(1, "react O06").decline()
    assert table.cards("play", 1) == "C01" and table.cards("pile", 0) == "I17" and table.tokens(0) == ""


def test_t14_r54_a_chain_of_counters() -> None:
    table = Table(hands={0: "A13 O10", 1: "O01"}, play={1: "C11"}, guarded="C11").say(0, "play A13").say(1, "react O01")
    table.say(0, "react O10")
    assert table.cards("pile", 1) == "C11" and table.raw["garage_supply"] == 20
    order = [args[0] for args in table.told("CARD") if args[2] == 1]
    assert [table.game.names.cards[card] for card in order] == ["O10", "O01", "A13"]


def test_t15_r52_r53_two_committed_cancels() -> None:
    table = Table(3, hands={0: "A05", 1: "O01", 2: "O02"}).say(0, "play A05")
    assert table.asked() == "1 2 REACT"
    table.say(2, "react O02")
    assert table.asked() == "1 2 REACT"                 # nobody sees who has answered
    table.say(1, "react O01").decline()
    assert table.cards("hand", 2) == "O02" and "O01" in table.cards("general")
    assert not any("O02" in str(event) for event in table.told("REACT"))
    assert table.state.observation(1)["answers"] == [None, None, None]


def test_t16_the_mirror() -> None:
    table = Table(hands={0: "A01", 1: "O12"}, tokens={0: "2M", 1: "1S"}).say(0, "play A01").say(1, "react O12").decline()
    assert table.tokens(1) == "2M 1S" and table.tokens(0) == ""
    swap = Table(ricks=(1, 2), hands={0: "A17 C19", 1: "O12 C18"}).say(0, "play A17").say(1, "react O12").decline()
    assert swap.raw["ricks"][:2] == [2, 1] and swap.raw["current"] == 1


def test_t17_r61_the_mirror_of_everyone() -> None:
    table = Table(3, hands={0: "A03", 1: "O12"}, tokens={0: "1M", 1: "1S", 2: "1T"}).say(0, "play A03")
    table.say(1, "react O12").decline()
    assert [table.tokens(seat) for seat in range(3)] == ["", "1M 1S", "1T"]


def test_t18_extra_actions() -> None:
    table = Table(ricks=(1, 0), hands={0: "A07 C19"}, tokens={0: "1M 3T 2D"}).say(0, "play A07", "M")
    assert table.raw["actions_left"] == 2
    table.say(0, "close 1")
    assert table.raw["passes"] == 0 and table.raw["actions_left"] == 1


def test_t19_the_count_of_passes() -> None:
    table = Table(3, hands={0: "A05 C19", 1: "C18", 2: "L02 C17"})
    for seat, answer, passes in ((0, "end", 1), (1, "end", 2), (2, "play L02", 0), (0, "play A05", 0), (1, "end", 1),
                                 (2, "end", 2)):
        table.say(seat, answer).decline()
        if answer == "play A05":
            table.say(0, "M")
        assert table.raw["passes"] == passes and table.raw["phase"] == v.S_TURN
    table.say(0, "end")
    assert table.raw["phase"] != v.S_TURN


def test_t20_r13_free_activities_are_no_actions() -> None:
    table = Table(play={1: "I02"}, tokens={0: "2M"}).say(0, "end")
    assert table.raw["passes"] == 1
    table.say(1, "use I02", "M", "M").say(1, "end")
    assert table.raw["round"] == 2


def test_t21_r37_r63_black_holes() -> None:
    table = Table(tiles="t05 t06 - t08 t09 t10", ricks=(9, 3), morties=(4, 0), tokens={0: "4M 4T 4D"}, hands={0: "C03 A17"},
                  stack=0, ending=True)
    assert "play C03" in table.answers(0) and "close 4" in table.answers(0) and "close 3" not in table.answers(0)
    table.say(0, "move")
    assert not {"3", "8", "9", "15"} & set(table.answers(0)) and "10" in table.answers(0)
    swap = Table(tiles="t05 t06 - t08 t09 t10", ricks=(1, 3), hands={0: "A17"}, stack=0, ending=True).say(0, "play A17")
    assert swap.raw["ricks"][:2] == [3, 1]


def test_t22_banish_at_the_end() -> None:
    table = Table(hands={0: "A14"}, tokens={0: "2M"}, stack=0)
    assert "play A14" not in table.answers(0)
    table = Table(hands={0: "A14"}, stack=1).say(0, "play A14", "2")
    assert table.raw["stack"] == 0 and not table.raw["ending"] and table.owner("t06") == 253


def test_t23_fire_sale() -> None:
    table = Table(ricks=(1, 0), hands={0: "A19 C19", 1: "O08"}, tokens={0: "3T"}).say(0, "play A19")
    assert table.told("WINDOW")[-1][0] == 1
    table.say(1, "decline")
    assert table.told("WINDOW")[-1][0] == 5
    table.say(1, "react O08").decline()
    assert "A19" in table.cards("general") and table.tokens(0) == "3T" and table.raw["discounts"][0] == 0
    done = Table(ricks=(1, 0), hands={0: "A19 C19"}, tokens={0: "3T"}).say(0, "play A19")
    assert done.owner("t05") == 0 and done.tokens(0) == ""


def test_t24_r25_substitutes() -> None:
    table = Table(tiles="t16 t06 t07 t08 t09 t10", ricks=(1, 0), tokens={0: "1T 1D"}, play={0: "I14 C13"}).say(0, "close 1")
    assert table.tokens(0) == "" and table.told("CLOSE") == [(0, 1, 15, 0, 0, 1, 1)] and table.cards("play", 0) == "I14 C13"
    table = Table(tiles="t16 t06 t07 t08 t09 t10", ricks=(1, 0), tokens={0: "2T"}, play={0: "I14 C13"}).say(0, "close 1")
    assert table.tokens(0) == "" and table.told("CLOSE")[0][3:] == (0, 0, 0, 2)


def test_t25_the_toll() -> None:
    for held, left, toll in (("3T 2D", "", ""), ("3T 3D 1M", "1D", "1M")):
        table = Table(ricks=(1, 0), tokens={0: held}, play={1: "L07"}, hands={0: "C19", 1: ""}).say(0, "close 1")
        if toll:
            assert table.asked() == "0 TYPE_GIVE"
            table.say(0, "M")
        assert table.tokens(0) == left and table.tokens(1) == toll
    table = Table(ricks=(1, 0), tokens={0: "3T 3D 1M"}, discounts=[2, 0], play={1: "L07"}, hands={0: "C19", 1: ""})
    table.say(0, "close 1", "stop")
    assert table.asked() == "0 TYPE_GIVE" and table.raw["discounts"][0] == 2        # used up when all is settled (5.3)
    assert table.say(0, "M").raw["discounts"][0] == 0


def test_t26_protected_tokens() -> None:
    table = Table(3, hands={0: "A01 A03"}, tokens={0: "1S", 1: "2M", 2: "2T"}, play={1: "C12"}).say(0, "play A01")
    assert table.tokens(1) == "2M" and table.tokens(0) == "1S 2T" and "play A03" not in table.answers(0)


def test_t27_r24_icons_do_not_close() -> None:
    table = Table(ricks=(1, 0), tokens={0: "5M 5S 5T 5D"}, play={0: "C03"}, hands={0: "C06"})
    assert "close 6" not in table.answers(0) and "play C06" in table.answers(0)


def test_t28_r29_r33_a_stolen_item() -> None:
    table = Table(hands={0: "A15"}, tokens={0: "2S"}, play={1: "I14"}).say(0, "play A15")
    assert table.cards("play", 0) == "I14" and table.asked() == "0 AFTER" and "use I14" in table.answers(0)
    assert "play A15" not in Table(hands={0: "A15"}, tokens={0: "2S"}, play={1: "I14"}, guarded="I14").answers(0)


def test_t29_r32_a_token_lost_by_use() -> None:
    table = Table(play={0: "I03"}, guarded="I03").say(0, "use I03")
    assert table.raw["garage_supply"] == 20 and table.cards("pile", 0) == "I03" and not table.cards("guarded")


def test_t30_r45_r46_t31_a_reshuffle() -> None:
    table = Table(hands={0: "A09", 1: "C01 C02 C03"}, general="A01 A02 A03 A04 L01", deck="O01").say(0, "play A09").decline()
    seen = table.state.observation(0)
    assert seen["epoch"] == 1 and table.cards("general") == "A09" and seen["held"] == [[1, 2], [3, 0]]
    fresh = {"A01", "A02", "A03", "A04", "L01"}
    for seed in range(30):
        world = table.state.resample_from_infostate(0, seed)
        assert not fresh & set(world.observation(1)["hands"][1])


def test_t32_the_hand_limit_is_higher() -> None:
    cards = "A01 A02 A03 A04 A05 A06 A07 A08 A09"
    assert Table(hands={0: cards}, play={0: "C11"}, phase="discard").raw["round"] == 2
    assert Table(hands={0: cards}, phase="discard").asked() == "0 OVERFLOW"
    table = Table(play={0: "C11"}, phase="cards")
    assert table.count("hand", 0) == 3 + 1 + 1 and table.count("hand", 1) == 3 + 1


def test_t33_r36_looking() -> None:
    table = Table(3, hands={0: "A10", 1: "C01 C02 C03"}).say(0, "play A10").decline()
    assert table.told("LOOK", 2) == [(0, 1)] and not table.told("LOOK_ID", 2) and table.told("LOOK_ID", 0)
    assert table.state.observation(1)["seen_by"] == {"C01": [0], "C02": [0], "C03": [0]}
    table.say(0, "C02")
    assert table.state.observation(2)["open_cards"] == [["C02"], [], []]
    hands = [table.state.resample_from_infostate(0, seed).observation(1)["hands"][1] for seed in range(9)]
    assert all(hand == ["C01", "C03"] for hand in hands)
    other = [tuple(table.state.resample_from_infostate(2, seed).observation(1)["hands"][1]) for seed in range(9)]
    assert len(set(other)) > 1


def test_t34_any_time_on_the_own_turn() -> None:
    table = Table(ricks=(1, 0), hands={0: "O13", 1: "O10"}).say(0, "react O13")
    assert "react O10" in table.answers(1)
    table.say(1, "decline").say(0, "5")
    assert table.raw["ricks"][0] == 5 and table.raw["actions_left"] == 1 and table.cards("general") == "O13"


def test_t35_a_late_jump() -> None:
    table = Table(ricks=(1, 1), morties=(1, 1), hands={1: "O16"}, phase="harvest", first=1)
    assert table.asked() == "1 REACT"
    table.say(1, "react O16", "4")
    assert table.raw["morties"][1] == 4
    table.to_round(2)
    assert sum(args[0] == 1 for args in table.told("TOKENS")) == 2 + 3      # two left with the other colour, three alone
    final = Table(hands={1: "O16"}, ending=True, passes=1, current=1, stack=0).say(1, "end")
    assert final.state.is_over and not final.told("WINDOW")


def test_t36_tiles_change_places() -> None:
    table = Table(ricks=(5, 0), play={0: "I16"}, tokens={0: "2S 1T 2D"}).say(0, "use I16", "2", "5")
    assert table.tile(5) == "t06" and table.tile(2) == "t09" and table.raw["ricks"][0] == 5 and "close 5" in table.answers(0)


def test_t37_r31_no_garage_tokens_left() -> None:
    table = Table(ricks=(1, 0), morties=(1, 1), garage=(20, 0), phase="garage", first=1)
    table.say(1, "M")
    assert table.raw["garage"][1] == 0 and table.tokens(1) == "1M"
    guard = Table(ricks=(10, 0), morties=(1, 0), hands={0: "C20"}, garage=(0, 20)).say(0, "play C20")
    assert not guard.cards("guarded")


def test_t38_an_effect_on_an_own_guarded_card() -> None:
    table = Table(ricks=(4, 0), hands={0: "C10", 1: "O03"}, play={0: "C04"}, guarded="C04").say(0, "play C10", "C04")
    assert "react O03" not in table.answers(1)
    table.decline()
    assert table.cards("pile", 0) == "C04" and table.raw["garage_supply"] == 20


def test_t39_a_shared_win() -> None:
    table = Table(3, closed={0: "t14", 1: "t17", 2: "t19"},
                  pile={1: "I01"}, ending=True, stack=0, phase="over", at=0)
    assert table.scores() == [7, 7, 2] and table.state.returns() == [0.5, 0.5, 0.0]


def test_t40_a_forced_question() -> None:
    table = Table(3, hands={0: "A05", 1: "C01 C02 C03 C04 C05"}).say(0, "play A05")
    assert table.asked() == "1 REACT" and table.answers(1) == ["decline"]


def test_t42_quarantine() -> None:
    table = Table(ricks=(2, 2), hands={1: "L08"}, tokens={0: "2S 1T 2D", 1: "2S 1T 2D"}, current=1)
    table.say(1, "play L08", "2").decline()
    assert "close 2" not in table.answers(0)
    table.say(0, "end")
    assert "close 2" in table.answers(1)
    assert table.to_round(2).raw["barred"][1] == 255


def test_t43_r59_a_free_closing() -> None:
    table = Table(tiles=TWENTY, ricks=(1, 0), play={0: "I10 I14 C13 L01"}).say(0, "close 1")
    assert table.owner("t20") == 0
    table = Table(tiles=TWENTY, ricks=(1, 0), tokens={0: "1M 2S 1D"}, play={0: "C13"}, hands={0: "C19"}).say(0, "close 1")
    assert table.answers(0) == ["M", "S", "D", "stop"]
    assert table.say(0, "stop").tokens(0) == ""
