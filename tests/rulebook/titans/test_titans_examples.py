"""The examples of the rulebook (X) and the further cases (T) of RULES.md, section 10: a test each, named by its number."""
from __future__ import annotations

from titans_table import Table, a_game

# ---- X: the rulebook's own ----

def test_x1_staff_meeting_with_a_six_and_a_star() -> None:
    table = Table("Ro@5 Ra@0", "Cy@5 St@9", die="3*", step="ability", active="Ro", slot=0).run("A ABILITY use")
    assert table.says("Cy@5(d5,*)")
    assert table.happened("DAMAGE") == [(2, 5, 0, 0, 5)]
    assert table.piece("Cy")["stun_team"] == 0
    assert table.happened("ABILITY")[0][2] == 2


def test_x2_pizza_time() -> None:
    for damage, left in ((4, 1), (2, 0)):
        table = Table(f"Cy@3(d{damage}) Ra@7", step="move", active="Cy", hands=("M07 M08", "")).run("A MOVE M07")
        assert table.piece("Cy")["damage"] == left
        assert table.asked == "A ABILITY" and "M08" not in table.options, "no destination, and no second card"
        assert table.piece("Cy")["place"] == 3
        assert table.values["teams"][0]["played"] == "M07"
        assert table.values["turn_state"]["forfeited"] and not table.values["turn_state"]["moved"]


def test_x2_the_card_is_discarded_at_the_end_of_the_round() -> None:
    table = Table("Cy@3(d4,a0) Ra@7(a1)", "Ro@2(a1) St@9(a1)", turn=3, init="B", step="move", active="Cy", hands=("M07", ""))
    table.run("A MOVE M07; A ABILITY end")
    assert table.values["round"] == 3 and table.values["teams"][0]["played"] is None and table.values["used"][0] == ["M07"]


def test_x3_every_attack_deals_the_value() -> None:
    table = Table("Cy@4 Ra@6", "Ro@5 St@2", die="2", step="ability", active="Cy", slot=1, placed=0).run("A ABILITY use")
    assert table.says("Ro@5(d2)")
    table.run("B PIECE St; B DIE_SLOT 0/0; B MOVE stay; B ABILITY use")
    assert table.says("Ra@6(d2)")


def test_x4_deliver_the_pizza() -> None:
    table = Table("Cy@3 Ra@0", step="go_cards", round_=1, go_deck="G01", go=("", "G07"), icons="SLICE@7 TV@2")
    assert table.values["pizza"] == 7 and table.asked == "B OBST_SRC"
    assert table.options == ["new", "decline"]
    table.run("B OBST_SRC new")
    assert len(table.options) == 19
    table.run("B OBST_EDGE e0; A PIECE Cy; A DIE_SLOT 0/0; A MOVE 7")
    assert table.says("Cy@7(P)") and table.values["pizza"] is None
    table = Table("Cy@5(P) Ra@0", step="move", active="Cy", go=("G01", ""), go_deck="G07", icons="SLICE@7 TV@2").run("A MOVE 2")
    assert table.vp == (1, 0) and table.go == ("G07", None) and table.says("Cy@2")
    assert table.values["pizza"] is None and table.values["go_done"] == ["G01"]


def test_x5_the_lowest_sum_has_the_initiative() -> None:
    """White's 4 and 6 against black's 2 and 5: whatever is rolled, the lower sum begins."""
    ties = set()
    for seed in range(200):
        table = Table(step="round", seed=seed, round_=3)
        (_, *black), (_, *white) = table.happened("ROLL_ACT")
        winner = table.values["initiative"]
        if sum(black) != sum(white):
            assert winner == (0 if sum(black) < sum(white) else 1)
        else:
            ties.add(winner)
    assert ties == {0, 1}


def test_x6_value_and_star_hold_for_both_teams() -> None:
    table = Table("Ro@4 Ra@0", "St@4 Cy@9", die="3*", dice_a=(6, 6), dice_b=(3, 6))
    table.run("A PIECE Ro; A DIE_SLOT 0/0; A MOVE stay; A ABILITY use")
    assert table.says("St@4(d5,*)") and table.asked == "B PIECE"
    table = Table("Ro@4 Ra@0", "St@4 Cy@9", die="3*", turn=1, step="ability", active="St", slot=1, dice_b=(6, 3))
    table.run("B ABILITY use")
    assert table.happened("ABILITY") == [(4 * 3 + 2, 1, 2)] and table.says("Ro@4(d3,f1)")


def test_x7_fire_burns_with_the_value_of_the_round() -> None:
    table = Table("Ro@4(f3) Ra@0", "St@5 Cy@9", die="2", step="burn")
    assert table.says("Ro@4(d2,f2)")
    table = Table("Ro@4(d2,f2) Ra@0", "St@5 Cy@9", die="3", step="burn")
    assert table.says("Ro@4(d5,f1)")


def test_x8_double_activation() -> None:
    table = Table("Cy@4 St@8", "Ro@6 Ra@5(d7)", init="B", dice_b=(6, 4), dice_a=(1, 2))
    table.run("B PIECE Ro; B DIE_SLOT 0/0; B MOVE stay; B ABILITY end")
    table.run("A PIECE St; A DIE_SLOT 0/0; A MOVE stay; A ABILITY use")
    assert table.says("Ra@-(K)") and table.vp == (1, 0)
    assert table.asked == "B MOVE", "piece, die and slot are forced"
    assert table.piece("Ro")["slots"] == [6, 4] and table.piece("Ro")["acts"] == 2


def test_x9_armour() -> None:
    table = Table("Cy@4 Ra@0", "Ro@4 St@9", step="ability", active="Cy", slot=0, dice_a=(4, 4)).run("A ABILITY use")
    assert table.says("Cy@4(S) Ro@4(d2)")


def test_x10_telekinesis_needs_an_open_border() -> None:
    table = Table("Ra@4 Cy@0", "St@5 Ro@9", step="ability", active="Ra", slot=0, placed=0).run("A ABILITY use")
    assert table.says("St@5(d2)")
    table = Table("Ra@4 Cy@0", "St@5 Ro@9", step="ability", active="Ra", slot=0, placed=0, obstacles="e9").run("A ABILITY use")
    assert table.says("St@5") and not table.happened("ATTACK")

# ---- T: further cases ----

def test_t1_a_shield_takes_two_of_five() -> None:
    table = Table("Ro@5 Ra@0", "Cy@5(S) St@9", die="3*", step="ability", active="Ro", slot=0).run("A ABILITY use")
    assert table.says("Cy@5(d3,*)")


def test_t2_a_shield_against_traps() -> None:
    table = Table("Cy@0 Ra@7", "Ro@5(S) St@9", turn=1, step="move", active="Ro", traps="A:4=2").run("B MOVE 4")
    assert table.says("Ro@4") and table.traps(4) == (0, 0) and table.values["supplies"]["traps"] == [8, 8]


def test_t3_a_shield_is_used_up_by_one_damage() -> None:
    table = Table("Cy@0(S,f2) Ra@7", die="1*", step="burn")
    assert table.says("Cy@0(f1)")


def test_t4_immune_and_ignoring() -> None:
    table = Table("Cy@0 Ra@7", "St@5(S) Ro@9", turn=1, step="move", active="St", traps="A:4=3").run("B MOVE 4")
    assert table.says("St@4(S)") and table.traps(4) == (0, 0)
    table = Table("Cy@0 Ra@7", "Ro@5(S,G) St@9", turn=1, step="move", active="Ro", traps="A:4=3").run("B MOVE 4")
    assert table.says("Ro@4(S)") and table.traps(4) == (3, 0)


def test_t5_no_escape_from_a_push() -> None:
    table = Table("St@4(d1) Cy@0", "Ro@4 Ra@8(E)", die="3*", step="ability", active="St", slot=1, dice_a=(1, 3), traps="A:5=1")
    table.run("A ABILITY use; A VICTIM Ro; A DEST 5")
    assert table.says("Ro@5(d4,f1) Ra@8(E)") and table.asked == "B PIECE"


def test_t6_a_teleport_into_traps() -> None:
    table = Table("Ra@0(d6,f1) Cy@7", "Ro@5 St@9", die="3*", step="ability", active="Ra", slot=1, traps="B:5=2", go=("G07", ""))
    table.run("A ABILITY use; A TRAP_PLACE 0; A DEST 5")
    assert table.says("Ra@-(K) Ro@5") and table.vp == (0, 1)
    assert table.holds("-ATTACK -HEAL asked=B_PIECE"), "melee and heal are dropped, her turn is over"
    assert [args[1] for args in table.happened("KO")] == [0] and len(table.happened("TURN_END")) == 1
    table.run("B PIECE Ro; B DIE_SLOT 0/0; B MOVE stay; B ABILITY end; A DIE_SLOT 0/0; A MOVE stay; A ABILITY end; B DIE_SLOT 1/0; "
              "B MOVE stay; B ABILITY end")
    assert table.values["round"] == 3, "she counts as activated: Cyborg acts once only"


def test_t7_an_escape_into_traps() -> None:
    table = Table("Cy@3 Ra@0", "Ro@5(E) St@6", step="move", active="Cy", traps="A:9=2").run("A MOVE 4")
    assert table.asked == "B ESCAPE" and table.says("Cy@4")
    table.run("B ESCAPE 9")
    assert table.says("Ro@9(d2)") and table.asked == "A ABILITY"
    assert table.values["supplies"]["escapes"] == 4 and table.traps(9) == (0, 0)


def test_t8_the_active_piece_does_not_escape() -> None:
    table = Table("Cy@3 Ra@0(E)", "Ro@5(E) St@6(E)", turn=1, step="move", active="Ro").run("B MOVE 4")
    table.run("A ESCAPE 1")
    assert table.asked == "B ESCAPE" and table.says("Ro@4(E) Ra@1"), "only the mate is offered"
    table.run("B ESCAPE decline; B ESCAPE decline")
    assert table.asked == "B ABILITY"


def test_t9_chains_of_escapes() -> None:
    table = Table("Cy@3 Ra@0(E)", "Ro@5(E) St@9(E)", step="move", active="Cy").run("A MOVE 4; B ESCAPE 6")
    assert table.says("Ro@6") and table.asked == "B ESCAPE", "Starfire, about Robin's move"
    table.run("B ESCAPE decline; A ESCAPE decline")
    assert table.asked == "B ESCAPE", "Starfire, about Cyborg's move"
    table.run("B ESCAPE decline; A ESCAPE decline")
    assert table.asked == "A ABILITY" and table.says("St@9(E) Ra@0(E)")


def test_t10_the_last_open_border_stays_open() -> None:
    table = Table(step="start_cards", obstacles="e0 e2", hands=("M05", "")).run("A WINDOW M05; A OBST_SRC new")
    assert "e3" not in table.options and "e4" in table.options


def test_t11_relocation() -> None:
    table = Table("Ra@4 Cy@7", "Ro@5 St@2", step="ability", active="Ra", slot=0, obstacles="e0 e2 e10 e18")
    table.run("A ABILITY use")
    assert table.options == ["e0", "e2", "e10", "e18", "decline"]
    table.run("A OBST_SRC e0")
    assert "e3" in table.options and "e0" not in table.options
    near = {"e1", "e3", "e4", "e5", "e6", "e8", "e9", "e11", "e12", "e13", "e14", "e15", "e17"}
    assert set(table.options) <= near, "borders of the neighbours of 4"


def test_t12_two_places_may_be_cut_off_together() -> None:
    table = Table(step="start_cards", obstacles="e3 e8 e0", hands=("M05", "")).run("A WINDOW M05; A OBST_SRC new")
    assert "e11" in table.options
    table.run("A OBST_EDGE e11; A OBST_SRC decline")
    assert sorted(table.values["obstacles"]) == [0, 3, 8, 11]


def test_t13_shock_pizza_after_the_move() -> None:
    table = Table("Cy@4 Ra@7", "Ro@2 St@9", turn=1, step="move", active="Ro", hands=("M15", "")).run("B MOVE 5; A WINDOW M15")
    assert table.happened("TURN_END") == [(4 * 2 + 2,)], "nothing is left to do"
    assert not table.piece("Ro")["stunned"] and table.piece("Ro")["slots"][0] == 5


def test_t14_shock_pizza_before_the_move() -> None:
    def start() -> Table:
        table = Table("Cy@4 Ra@7", "Ro@5 St@9", turn=1, init="A", step="hostile_cards", active="Ro", hands=("M15", ""))
        return table.run("A WINDOW M15")
    assert str(start().run("B MOVE 2").asked).startswith("A "), "the move is all"
    table = start().run("B MOVE stay")
    assert table.options == ["end", "use", "innate"]
    table.run("B ABILITY use")
    assert str(table.asked).startswith("A ")
    table = start().run("B MOVE stay; B ABILITY innate")
    assert not table.happened("ABILITY") and str(table.asked).startswith("A ")


def test_t15_soul_self_ends_a_stun() -> None:
    table = Table("Ra@4(*,f2) Cy@0", "Ro@5 St@9", step="move", active="Ra", slot=0, placed=0)
    table.run("A MOVE stay; A ABILITY innate; A DEST 8")
    assert table.says("Ra@8") and table.options == ["end", "use"] and table.piece("Ra")["innate_spent"]
    table.run("A ABILITY use")
    assert table.happened("ABILITY")


def test_t16_a_stunned_piece_gives_up_its_move() -> None:
    table = Table("Cy@4(*,d5) Ra@0", step="move", active="Cy", hands=("M07", "")).run("A MOVE M07; A ABILITY use")
    assert table.says("Cy@4(d2,S)") and str(table.asked).startswith("B "), "not Auto-Repair as well"


def test_t17_a_ko_in_the_own_turn() -> None:
    table = Table("Cy@0(d7) Ra@7", "Ro@2 St@9", step="move", active="Cy", dice_a=(3, 6), traps="B:3=3").run("A MOVE 3")
    assert table.vp == (0, 1) and table.says("Cy@-(K)") and table.piece("Cy")["slots"] == [6, 0]
    table.run("B PIECE Ro; B DIE_SLOT 0/0; B MOVE stay; B ABILITY end")
    assert table.asked == "A DIE_SLOT" and table.options == ["0/0", "0/1"]
    table.run("A DIE_SLOT 0/0; A MOVE stay; A ABILITY end; B DIE_SLOT 1/0; B MOVE stay; B ABILITY end")
    assert table.values["round"] == 3, "Raven was not activated twice"


def test_t18_a_ko_by_fire() -> None:
    table = Table("Ra@0(d7,f1) Cy@5(d8)", "Ro@5 St@9", step="burn", die="2", dice_a=(4, 2), dice_b=(6, 5))
    assert table.vp == (0, 1) and table.says("Ra@-(K) Cy@5(d8)")
    assert table.asked == "A DIE_SLOT"
    table.run("A DIE_SLOT 1/1; A MOVE stay; A ABILITY end; B PIECE St; B DIE_SLOT 0/0; B MOVE stay; B ABILITY end")
    assert table.asked == "A MOVE" and table.piece("Cy")["slots"] == [4, 2], "the other die, the other ability"
    table.run("A MOVE stay; A ABILITY end; B DIE_SLOT 1/0; B MOVE stay; B ABILITY use")
    assert table.winners == [1], "both fell in one round"


def test_t18_the_mate_falls_in_the_same_round() -> None:
    table = Table("Ra@-(K) Cy@5(d8)", "Ro@5 St@9", turn=1, step="ability", active="Ro", slot=0, dice_b=(6, 6)).run("B ABILITY use")
    assert table.winners == [1] and table.state.returns() == [0.0, 1.0]


def test_t19_five_to_five_is_a_draw() -> None:
    table = Table("Ra@0(d7,f1) Cy@5", "Ro@4(d8,f1) St@9", step="burn", vp=(4, 4))
    assert table.vp == (5, 5) and table.winners == [0, 1] and table.state.returns() == [0.5, 0.5]


def test_t20_both_pieces_of_one_team() -> None:
    table = Table("Ra@0(d7,f1) Cy@5", "Ro@4(d8,f1) St@9(d7,f1)", step="burn", vp=(1, 1))
    assert table.winners == [0]


def test_t21_settle_it_outside() -> None:
    table = Table("Ro@4 Ra@0", "Cy@4(d8) St@9", step="ability", active="Ro", slot=0, go=("G12", ""), vp=(3, 0)).run("A ABILITY use")
    assert table.vp == (5, 0) and table.winners == [0] and table.go == (None, None) and not table.happened("GO_REVEAL")
    table = Table("Ro@4 Ra@0", "Cy@4(d8) St@9", step="ability", active="Ro", slot=0, go=("G12", ""), vp=(4, 0)).run("A ABILITY use")
    assert table.vp == (5, 0) and table.winners == [0] and not table.happened("GO_DONE")


def test_t22_no_pick_up_in_the_opponents_turn() -> None:
    table = Table("Ro@3 Ra@7", "Cy@0(d8) St@9", turn=1, step="move", active="Cy", go=("G12", ""), go_deck="G01", traps="A:1=1",
                  dice_a=(1, 6))
    table.run("B MOVE 1; B OBST_SRC decline")
    assert table.go == ("G01", None) and table.values["pizza"] == 3 and table.says("Ro@3")
    table.run("A PIECE Ro; A DIE_SLOT 0/0")
    assert table.says("Ro@3(P)") and table.asked == "A MOVE", "taken before anything else"


def test_t23_a_clue_is_collected_when_it_is_revealed() -> None:
    table = Table("Ro@6 Ra@0", "Cy@2 St@9", step="go_cards", go=("", "G07"), go_deck="G11", round_=1)
    assert sorted(table.values["clues"]) == [3, 4] and table.values["teams"][0]["clues"] == 1
    table = Table("Ro@6 Ra@4", "Cy@2 St@9", step="go_cards", go=("", "G07"), go_deck="G11", round_=1)
    assert table.values["clues"] == [3] and table.values["teams"][0]["clues"] == 2, "by each piece that stands on one"


def test_t24_the_pizza_stays_with_its_carrier() -> None:
    table = Table("Ro@4(d8,P) Ra@0", "Cy@4 St@9", turn=1, step="ability", active="Cy", slot=0, dice_b=(4, 4), go=("G01", ""))
    table.run("B ABILITY use")
    assert table.says("Ro@-(P,K)")
    table = Table("Ro@-(P) Ra@4", "Cy@4 St@9", step="return", go=("G01", "")).run("A REPLACE 0")
    assert table.says("Ro@0(P)")
    table = Table("Ro@0(P) Ra@4", "Cy@4 St@9", step="move", active="Ro", go=("G01", ""), go_deck="G07").run("A MOVE 1")
    assert table.vp == (1, 0)


def test_t25_too_few_trap_tokens() -> None:
    table = Table("Ro@4(E) Ra@0", "Cy@5 St@9", die="3*", step="ability", active="Ro", slot=1, traps="A:8=7")
    table.run("A ABILITY use; A DEST decline; A TRAP_PLACE 4")
    assert table.traps(4) == (1, 0)
    table = Table("Ro@4(E) Ra@0", "Cy@5 St@9", die="3*", step="ability", active="Ro", slot=1, traps="A:8=8")
    table.run("A ABILITY use; A DEST decline")
    assert table.asked == "B PIECE" and table.says("Cy@5(d3)"), "the step is skipped"
    table = Table("Ro@5 Ra@0", "Cy@5 St@9", die="3*", step="ability", active="Ro", slot=0, traps="A:8=8").run("A ABILITY use")
    assert table.says("Cy@5(d5)"), "nor is there a token to stun with"


def test_t26_no_fire_left() -> None:
    table = Table("St@4(f5) Ra@0(f5)", "Cy@5 Ro@9", step="ability", active="St", slot=0).run("A ABILITY use")
    assert table.says("Cy@5(d2)")


def test_t27_where_a_trap_can_go() -> None:
    table = Table("Ra@4 Cy@6", "Ro@1 St@9", step="ability", active="Ra", slot=1, placed=0, traps="A:8=1", obstacles="e9")
    table.run("A ABILITY use")
    assert table.options == ["0", "3", "4", "7"]


def test_t28_a_pull_into_a_trap() -> None:
    table = Table("Cy@0 Ra@7", "St@5 Ro@4", turn=1, step="ability", active="St", slot=1, dice_b=(1, 2), traps="A:5=2",
                  icons="BASE_W@5")
    table.run("B ABILITY use; B VICTIM Ro")
    assert table.says("St@5 Ro@5(d2)") and table.traps(5) == (0, 0)


def test_t29_not_today() -> None:
    def start() -> Table:
        table = Table("Ro@5 Cy@2", "Ra@4 St@9", turn=1, die="3*", step="ability", active="Ra", slot=0, hands=("M19", ""))
        return table.run("B ABILITY use; A WINDOW M19")
    table = start().run("A DEST 4; B OBST_SRC decline")
    assert table.says("Ro@4") and table.happened("ATTACK_FAILED")
    table = start().run("A DEST 8; B OBST_SRC decline")
    assert table.says("Ro@8(d4,*)")


def test_t30_hold_it_for_me() -> None:
    table = Table("Cy@5(f2) Ra@0", "Ro@2 St@9", turn=1, step="move", active="Ro", hands=("M20", "")).run("B MOVE 5; A WINDOW M20")
    assert table.says("Ro@5(f2) Cy@5")
    table = Table("Cy@5 Ra@0", "Ro@2 St@9", turn=1, step="move", active="Ro", hands=("M20", "")).run("B MOVE 5; A WINDOW M20")
    assert table.says("Ro@5(f1) Cy@5")


def test_t31_banana_peel() -> None:
    table = Table("Ra@6 Cy@7(E)", "Ro@2 St@0", turn=1, step="move", active="Ro", hands=("M21", ""), traps="A:9=1")
    table.run("B MOVE 5; A WINDOW M21; A DEST 9")
    assert table.says("Ro@9(d1)") and table.asked == "A ESCAPE", "the window of the original move"
    table.run("A ESCAPE decline")
    assert table.asked == "B ABILITY"


def test_t32_one_card_for_both_seats_of_a_team() -> None:
    table = Table("Ro@4 Cy@0", "Ra@5 St@9", mode="team4", step="start_cards", hands=("M01", "M02", "M04", "M06"))
    table.run("A WINDOW M01")
    asked = [args[0] for args in table.happened("WINDOW")]
    assert asked == [0, 1], "seat 2 is not asked any more"
    table.run("B WINDOW pass; D WINDOW pass")
    assert [args[0] for args in table.happened("WINDOW")] == [0, 1, 3]


def test_t33_a_prohibition_beats_a_permission() -> None:
    table = Table("Ro@4 Ra@0", "Cy@5 St@9", step="move", active="Ro", slot=0, placed=0, hands=("M12", "M17"))
    table.run("A MOVE M12; B WINDOW pass; A MOVE 5; B WINDOW M17; A ABILITY use")
    assert table.happened("ABILITY")[0][2] == 0 and table.says("Cy@5(d2)")


def test_t34_a_changed_die_leaves_the_initiative() -> None:
    table = Table(step="start_cards", dice_a=(2, 3), dice_b=(4, 4), hands=("M03", "")).run("A WINDOW M03; A DIE 0")
    assert table.values["teams"][0]["dice"] == [6, 3] and table.values["initiative"] == 0


def test_t35_a_star_that_was_there_does_not_count() -> None:
    table = Table(die="3*", step="go_cards", go=("", "G12"), go_deck="G07", round_=1)
    assert table.go == ("G07", "G12") and table.vp == (0, 0)
    seen = set()
    for seed in range(12):
        table = Table(die="3*", step="start_cards", go=("G07", "G12"), hands=("", "M01"), seed=seed).run("B WINDOW M01")
        star = table.values["mayhem"]["star"]
        seen.add(star)
        assert (table.vp == (1, 0)) == star and (table.go[0] != "G07") == star
    assert seen == {False, True}


def test_t36_a_mission_that_is_fulfilled_at_once() -> None:
    table = Table("Ro@1 Ra@1", "Cy@2 St@9", step="go_cards", go=("", "G12"), go_deck="G05 G07", round_=1)
    tries = 0
    while table.go[0] != "G05":
        tries += 1
        table = Table("Ro@1 Ra@1", "Cy@2 St@9", step="go_cards", go=("", "G12"), go_deck="G05 G07", round_=1, seed=tries)
    assert table.asked == "B OBST_SRC"
    table.run("B OBST_SRC decline")
    assert table.vp == (1, 0) and table.go == ("G07", "G12")


def test_t37_monsters_are_hit_by_their_team_only() -> None:
    table = Table("Ro@0 Ra@7", "Cy@5 St@9", turn=1, step="ability", active="Cy", slot=0, dice_b=(4, 4), go=("G04", ""),
                  monsters="A@5(d3)")
    table.run("B ABILITY use")
    assert not table.happened("ATTACK") and table.values["teams"][0]["monster"]["damage"] == 3
    table = Table("Ro@5 Ra@7", "Cy@0 St@9", die="3*", step="ability", active="Ro", slot=0, go=("G04", ""), monsters="A@5(d3)",
                  go_deck="G07")
    table.run("A ABILITY use")
    assert table.happened("MONSTER_DAMAGE") == [(0, 5, 4)] and table.vp == (1, 0) and table.go[0] == "G07"
    assert not table.happened("TOKEN"), "a monster cannot be stunned"
    table = Table("St@5 Ra@7", "Cy@0 Ro@3", step="ability", active="St", slot=1, placed=0, go=("G04", ""), monsters="A@4(d0)")
    table.run("A ABILITY use")
    assert table.asked == "B PIECE", "there is nobody to pull"
    table = Table("St@5 Ra@7", "Cy@0 Ro@3", die="3*", step="ability", active="St", slot=1, go=("G04", ""), monsters="A@5(d0)")
    table.run("A ABILITY use")
    assert table.values["teams"][0]["monster"] == {"place": 5, "damage": 3} and table.asked == "B PIECE", "... nor to push"


def test_t38_no_traps_for_those_who_return() -> None:
    table = Table("Ro@- Ra@4", "Cy@5 St@6", step="return", traps="B:0=2").run("A REPLACE 0")
    assert table.says("Ro@0") and table.traps(0) == (0, 2)


def test_t39_a_full_base_is_not_offered() -> None:
    table = Table("Ro@- Ra@4", "Cy@0 St@0", step="return")
    assert table.says("Ro@7"), "the other one is forced"


def test_t40_heavy_load() -> None:
    table = Table("Cy@0 Ra@7", "Ro@4(E) St@9", turn=1, step="hostile_cards", active="Ro", slot=1, dice_b=(1, 3), hands=("M16", ""))
    table.run("A WINDOW M16")
    assert table.asked == "B ABILITY", "no free move"
    table = Table("Cy@5 Ra@2", "Ro@4(E,L) St@9", turn=1, step="ability", active="Ro", slot=1, dice_b=(1, 3)).run("B ABILITY use")
    assert table.says("Cy@5(d2) Ro@4(E)"), "the escape and its move are skipped"
    table = Table("Cy@5 Ra@7", "Ro@4(E,L) St@9", step="move", active="Cy").run("A MOVE 8")
    assert table.asked == "A ABILITY"


def test_t41_two_boxes_in_the_competitive_mode() -> None:
    state = a_game("comp").new_state(3)
    for seat in range(2):
        assert state.prompt(seat) == "COMP_CHAR"
        state.apply_action(seat, 2)
        assert 2 not in state.legal_actions(seat)
        state.apply_action(seat, 1)
        state.apply_action(seat, 14)
        assert state.prompt(seat) == "COMP_CARD" and 14 not in state.legal_actions(seat)
        for card in range(3):
            state.apply_action(seat, card)
    values = a_game("comp").everything(state)
    assert [piece["character"] for piece in values["pieces"]] == ["robin", "raven"] * 2
    assert values["hands"] == [["M01", "M02", "M03", "M15"]] * 2


def test_t42_spinning_shield() -> None:
    table = Table("Ro@4 Cy@0", "St@4(d7) Ra@9", turn=1, die="1*", step="ability", active="St", slot=1, dice_b=(1, 3),
                  hands=("M18", ""))
    table.run("B ABILITY use; A WINDOW M18")
    assert table.says("Ro@4(f1) St@-(K)") and table.vp == (1, 0) and str(table.asked).startswith("A ")
    table = Table("Ro@4 St@0", "Cy@4(d8) Ra@9", turn=1, die="1*", step="ability", active="Cy", slot=0, dice_b=(1, 4),
                  hands=("M18", ""))
    table.run("B ABILITY use; A WINDOW M18")
    assert table.says("Cy@4(d8)") and table.vp == (0, 0), "its own fresh shield takes it"

# ---- The free-for-all ----

def test_t43_an_own_trap_in_the_free_for_all() -> None:
    table = Table("Ro@3", "Ra@9", "St@6 Cy@4", mode="ffa3", step="move", active="Ro", dice_a=(5,), dice_b=(3,), traps="A:1=2")
    table.run("A MOVE 1")
    assert table.says("Ro@1(d2)") and table.traps(1) == (0, 0)


def test_t44_the_flamethrower() -> None:
    table = Table("Ra@1", "Ro@9", "St@0 Cy@4", mode="ffa3", step="ability", active="Ra", slot=0, dice_a=(1,), dice_b=(3,),
                  traps="A:3=2")
    table.run("A ABILITY use; A TARGET Cy; A CYBORG 3; A CYBORG 1; A ABILITY end")
    assert table.piece("Cy")["place"] == 1 and table.traps(3) == (0, 0) and table.piece("Cy")["damage"] == 0
    assert table.says("Ra@1(f1) St@0(f1) Ro@9")


def test_t45_which_place_can_be_removed() -> None:
    table = Table("Ra@1", "Ro@9", "St@0 Cy@4", mode="ffa3", step="remove", dice_a=(1,), dice_b=(3,))
    assert table.asked == "C REMOVE" and "6" in table.options
    table.run("C REMOVE 6")
    assert table.values["removed"] == [6]
    table = Table("Ra@0", "Ro@1", "St@8 Cy@7", mode="ffa3", step="remove", dice_a=(1,), dice_b=(3,), removed="2 3 5 6 9")
    assert table.values["removed"] == [2, 3, 5, 6, 9], "4 is the only link, and all other places are taken"


def test_t46_the_one_before_removes() -> None:
    table = Table("Ra@1", "Ro@9", "St@-(X,K) Cy@4", mode="ffa3", step="remove", dice_a=(1,), dice_b=(3,), dice_c=())
    assert table.asked == "B REMOVE"


def test_t47_the_last_two_fall_together() -> None:
    table = Table("Ra@1(d7,f1)", "Ro@9(d8,f1)", "St@-(X) Cy@4", mode="ffa3", step="burn", dice_a=(1,), dice_b=(3,), dice_c=())
    assert table.winners == [0, 1] and table.state.returns() == [0.5, 0.5, 0.0]

# ---- More of the standard game ----

def test_t48_a_mate_that_has_acted() -> None:
    table = Table("Cy@4 Ra@5(d7,a1)", "Ro@5 St@9", init="B", turn=2, step="ability", active="Ro", slot=0, dice_b=(6, 6))
    table.run("B ABILITY use")
    assert table.says("Ra@-(K)")
    table = Table("Cy@4 Ra@-(a1,K)", "Ro@5(a1) St@9(a1)", init="B", turn=3, step="ability", active="Cy").run("A ABILITY end")
    assert table.values["round"] == 3, "Cyborg has acted once, that was all"


def test_t49_a_mission_in_the_opponents_turn() -> None:
    table = Table("Ro@1 Ra@4", "St@4 Cy@9", turn=1, die="3*", step="ability", active="St", slot=1, dice_b=(1, 3), go=("G05", ""),
                  go_deck="G07", hands=("", "M08"))
    table.run("B ABILITY use; B VICTIM Ra; B DEST 1")
    assert table.vp == (1, 0) and table.go == ("G07", None) and table.asked == "B ABILITY", "the turn goes on"


def test_t50_traps_that_stun() -> None:
    table = Table("Cy@0 Ra@7", "Ro@5 St@9", turn=1, step="move", active="Ro", traps="A:4=2 A:8=6", marks="A:TRAPSTUN")
    table.run("B MOVE 4")
    assert table.piece("Ro")["damage"] == 2 and table.happened("TURN_END"), "stunned after its move: no ability"
    assert next(args for args in table.happened("TOKEN") if args[1] == 1) == (4 * 2 + 2, 1, 1, 0)
