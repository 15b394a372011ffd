"""The rulings about the start of a round, recovery and activations (RULES.md, section 9)."""
from __future__ import annotations

from pathlib import Path
from typing import Any

from titans_table import Table, changed_pack

# ---- Start of the round ----

def test_r6_changed_dice_do_not_change_the_initiative() -> None:
    table = Table(step="start_cards", dice_a=(6, 6), dice_b=(1, 6), init="B", hands=("M02", ""))
    table.run("A WINDOW M02; A DICE_MASK 3")
    assert table.values["initiative"] == 1 and len(table.happened("DIE_CHANGE")) == 2


def test_r7_one_offer_of_a_round_start_card_per_seat_after_the_go_cards() -> None:
    table = Table(step="start_cards", init="B", hands=("M04", "M01")).run("B WINDOW pass; A WINDOW pass")
    assert [args[0] for args in table.happened("WINDOW")] == [1, 0] and table.asked == "B PIECE"
    table = Table(step="go_cards", go=("", "G12"), go_deck="G07", hands=("M04", ""))
    assert table.asked == "A WINDOW" and table.happened("GO_REVEAL") == [(0, 6)]


def test_r8_the_captain_alternates() -> None:
    for round_, captains in ((2, "CD"), (3, "AB")):
        table = Table(mode="team4", round_=round_)
        assert table.asked == f"{captains[0]} PIECE"
        table = Table(mode="team4", round_=round_, turn=1)
        assert table.asked == f"{captains[1]} PIECE"
    table = Table("Ro@4 Ra@0", mode="team3", b="Cy@5 St@9", step="go_cards", go=("", "G12"), go_deck="G06", round_=3)
    assert table.asked == "B GO_PIECE"


def test_r10_who_has_a_card_draws_none() -> None:
    table = Table(step="go_cards", go=("G07", "G12"), round_=4)
    assert not table.happened("GO_REVEAL")
    table = Table(step="go_cards", go=("G07", ""), round_=4, go_deck="G12")
    assert table.happened("GO_REVEAL") == [(1, 11)]


def test_r16_a_ko_in_the_round_start_returns_at_once() -> None:
    table = Table("Cy@-(K) Ra@7", "Ro@2 St@9", step="return").run("A REPLACE 0")
    assert table.says("Cy@0(K)") and table.options == ["Cy", "Ra"]
    for mark, winners, vp in (("(K)", [1], (0, 1)), ("", None, (0, 1))):
        table = Table(f"Cy@-{mark} Ra@4(d7)", "Ro@4 St@9", step="return", init="B")
        table.run("A REPLACE 0; B PIECE Ro; B DIE_SLOT 0/0; B MOVE stay; B ABILITY use")
        assert (table.winners, table.vp) == (winners, vp), "with the mate's KO in the same round it is a double KO"


def test_r10_r17_the_initiative_comes_first(tmp_path: Path) -> None:
    for init, order in (("A", [0, 1]), ("B", [1, 0])):
        table = Table(step="go_cards", init=init, go_deck="G11 G12", round_=1)
        assert [team for team, _ in table.happened("GO_REVEAL")] == order
        assert Table("Cy@- Ra@7", "Ro@- St@9", step="return", init=init).asked == f"{init} REPLACE"
        file = changed_pack(tmp_path, ('title = "Movie Night"\nfamily = "go_and_do"', 'title = "Movie Night"\nfamily = "fight"'),
                            ("BOTH_AT(TV)", "KO_OPPONENT()"))
        table = Table("Ra@0(d7,f1) Cy@5", "Ro@4(d8,f1) St@9", step="burn", init=init, go=("G05", "G12"), go_deck="G07 G11",
                      pack=file)
        assert table.vp == (2, 2) and [team for team, _ in table.happened("GO_DONE")] == order, "fire: what the KOs pay"


def test_r59_what_lasts_for_the_round_ends_with_it() -> None:
    table = Table("Cy@0(a1,G) Ra@7(a1,L)", "Ro@2(a1,s0=3) St@9(G,L)", turn=3, step="ability", active="St", go=("G05", "G12"),
                  marks="A:ATK1 B:TRAPSTUN")
    table.run("B ABILITY end")
    assert table.values["round"] == 3
    assert not any(piece[mark] for piece in table.values["pieces"] for mark in ("ghost", "locked", "acts"))
    assert not any(any(piece["slots"]) for piece in table.values["pieces"])
    assert not any(team["attack_bonus"] or team["trap_stun"] for team in table.values["teams"])


def test_r17_a_base_with_opponents_and_the_mate() -> None:
    table = Table("Cy@- Ra@0", "Ro@0 St@9", step="return")
    assert table.says("Cy@7"), "the full base is not offered"


def test_r17_a_return_is_no_entry() -> None:
    table = Table("Cy@- Ra@7", "Ro@0 St@9", step="return", traps="B:0=2", hands=("", "M20")).run("A REPLACE 0")
    assert table.holds("Cy@0 B.traps=0:2 asked=A_PIECE"), "neither traps nor cards"


def test_r18_no_recovery_in_round_one() -> None:
    table = Table("Cy@0(f2) Ra@7", step="start_cards", round_=1)
    assert table.says("Cy@0(f2)") and table.asked == "A PIECE"


def test_r19_all_burn_at_the_same_moment_and_lose_one_token() -> None:
    table = Table("Cy@0(f2) Ra@7", "Ro@2(f1) St@9", step="burn", die="3")
    assert table.says("Cy@0(d3,f1) Ro@2(d3)") and table.values["supplies"]["fire"] == 9

# ---- Activation ----

def test_r20_no_free_move_after_an_ability() -> None:
    table = Table("Cy@4(d1) Ra@0", step="move", active="Cy").run("A MOVE stay; A ABILITY innate")
    assert table.options == ["end", "use"]


def test_r21_what_can_be_declined() -> None:
    table = Table("Ro@4 Ra@0", "Cy@5 St@9", step="ability", active="Ro", slot=1, placed=0).run("A ABILITY use")
    assert "decline" in table.options and table.asked == "A DEST"
    table = Table("St@4 Ra@0", "Cy@4 Ro@9", step="ability", active="St", slot=1, placed=0)
    table.run("A ABILITY use")
    assert table.says("Cy@4(f1)"), "fire is not declined"


def test_r22_r48_one_attack_is_one_source() -> None:
    table = Table("Ro@4 Ra@0", "Cy@4(S) St@9", step="ability", active="Ro", slot=0).run("A ABILITY use")
    assert table.says("Cy@4(d2)") and table.happened("DAMAGE")[0][1:3] == (4, 2)


def test_r23_the_star_needs_the_special_tier() -> None:
    table = Table("Ro@4 Ra@0", "Cy@4 St@9", die="3*", step="ability", active="Ro", slot=0, placed=0).run("A ABILITY use")
    assert table.says("Cy@4(d3)")


def test_r24_tiers_are_read_at_the_activation(tmp_path: Path) -> None:
    table = Table("Ro@3 Ra@0", "Cy@5 St@9", step="ability", active="Ro", slot=1, hands=("", "M15 M17"))
    table.run("A ABILITY use; A DEST 4; ? pass M15; B WINDOW M15")
    assert table.says("Cy@5(d2)") and table.happened("ABILITY")[0][2] == 1, "the ability finishes"
    file = changed_pack(tmp_path, ("hostile when(!slot_used): FLAG(SPECIAL_OFF)", "hostile: FLAG(SPECIAL_OFF)"))
    table = Table("Ro@3 Ra@0", "Cy@5 St@9", step="ability", active="Ro", slot=1, hands=("", "M17"), pack=file)
    table.run("A ABILITY use; A DEST 4; B WINDOW M17")
    assert table.says("Cy@5(d2)"), "a prohibition in the midst of it is too late"
    stars = set()
    file = changed_pack(tmp_path, ("attacked: SHIELD(@tgt); after DAMAGE(1, @atk) if same_place", "attacked: REROLL_MAYHEM()"))
    for die in ("3*", "2"):
        for seed in range(12):
            table = Table("Ro@4 Ra@0", "Cy@4 St@9", die=die, step="ability", active="Ro", slot=0, hands=("", "M18"), pack=file,
                          seed=seed)
            table.run("A ABILITY use; B WINDOW M18")
            rolled = table.values["mayhem"]
            stars.add((die, rolled["star"]))
            assert table.says(f"Cy@4(d{rolled['value'] + 2}{',*' if die == '3*' else ''})"), "a new value, but the same tiers"
    assert len(stars) == 4


def test_r24_a_die_rolled_again_before_counts() -> None:
    seen = set()
    for seed in range(12):
        table = Table("Ro@4 Ra@0", "Cy@4 St@9", step="ability", active="Ro", slot=0, placed=0, seed=seed)
        table.run("A ABILITY innate; A ABILITY use")
        rolled = table.piece("Ro")["slots"][0]
        assert table.values["teams"][0]["dice"] == [rolled, 6] and table.says(f"Cy@4(d{4 if rolled >= 4 else 2})")
        seen.add(rolled >= 4)
    assert seen == {False, True}


def test_r25_one_target_chosen_by_the_attacker() -> None:
    table = Table("Ra@4 Cy@2", "Ro@5 St@8", step="ability", active="Ra", slot=0, placed=0).run("A ABILITY use")
    assert table.options == ["Ro", "St"]
    table.run("A TARGET St")
    assert table.says("St@8(d2) Ro@5")


def test_r26_what_is_bound_to_an_attack_hits_at_a_distance() -> None:
    table = Table("Ra@4 Cy@2", "Ro@5(S) St@9", die="1*", step="ability", active="Ra", slot=0).run("A ABILITY use")
    table.run("A OBST_SRC decline")
    assert table.says("Ro@5(*)"), "even if the shield took all damage"


def test_r26_what_is_bound_to_an_attack_needs_a_target_that_was_hit_and_stands() -> None:
    def shoots(black: str, white: str, answers: str = "", **more: Any) -> Table:
        return Table(black, white, step="ability", active="St", slot=0, **more).run(f"A ABILITY use; {answers}")

    table = shoots("St@4 Cy@0", "Ro@5(d8) Ra@9")
    assert table.holds("Ro@-(K) Ra@9 fire=10 -TOKEN"), "a target that is KO'd"
    table = shoots("St@4 Cy@0", "Ro@5 Ra@9", "B WINDOW M19; B DEST 6", hands=("", "M19"))
    assert table.holds("Ro@6 Ra@9 fire=10 -TOKEN +ATTACK_FAILED"), "a failed attack"
    table = shoots("St@4 Cy@0", "Ro@2 Ra@9", go=("G03", ""), monsters="A@5(d0)")
    assert table.holds("A.monster=5:2 St@4 Cy@0 fire=10 -TOKEN"), "a monster"
    for die, face, token in ((5, "2", "fire"), (3, "3*", "stunned")):
        active = "St" if token == "fire" else "Ra"
        table = Table(f"{active}@1", "Ro@9", f"{'Ra' if active == 'St' else 'St'}@6 Cy@4", mode="ffa3", step="ability",
                      active=active,
                      slot=0, dice_a=(die,), dice_b=(3,), die=face)
        table.run("A ABILITY use; A TARGET Cy; A CYBORG 5; A CYBORG decline")
        table.run("A OBST_SRC decline" if active == "Ra" else "")
        assert not table.piece("Cy")[token] and not any(piece["stunned"] for piece in table.values["pieces"]), "Cyborg of the arena"
        assert table.happened("ABILITY")[0][2] == (1 if active == "St" else 2)


def test_r27_a_failed_attack_is_not_aimed_again() -> None:
    table = Table("Ro@5 Cy@8", "Ra@4 St@9", turn=1, step="ability", active="Ra", slot=0, dice_b=(1, 1), hands=("M19", ""))
    table.run("B ABILITY use; ? Ro Cy; B TARGET Ro; A WINDOW M19; A DEST 2; ? end innate")
    assert table.holds("Ro@2 Cy@8 -DAMAGE +ATTACK_FAILED") and len(table.happened("ATTACK")) == 1, "Cyborg was always in reach"


def test_r28_a_stunned_piece_gets_one_of_three() -> None:
    table = Table("Cy@4(d2,*) Ra@0", step="move", active="Cy").run("A MOVE stay")
    assert table.options == ["end", "use", "innate"]
    table.run("A ABILITY innate")
    assert table.asked == "B PIECE" and table.says("Cy@4(d1)"), "the stun ends with the turn"


def test_r29_one_stun_until_the_end_of_the_own_turn() -> None:
    table = Table("Cy@4 Ra@0", "Ro@5(*) St@9", turn=1, init="A", step="hostile_cards", active="Ro", hands=("M15", ""))
    assert table.options == ["pass"], "a second stun does nothing: the card cannot be played"
    table.run("A WINDOW pass; B MOVE 6; A WINDOW pass")
    assert table.says("Ro@6") and table.happened("TURN_END")


def test_r30_a_program_ends_with_its_actor() -> None:
    table = Table("Ro@4(d7) Ra@0", "Cy@6 St@8", die="3*", step="ability", active="Ro", slot=1, traps="B:5=2")
    table.run("A ABILITY use; A DEST 5")
    assert table.holds("Ro@-(K) Cy@6 St@8 -ATTACK A.traps=- asked=B_PIECE"), "nothing is shot at from the place where it fell"
    table = Table("Ro@4(d8) Ra@0", "Cy@4 St@9", die="1*", step="ability", active="Ro", slot=0, hands=("", "M18"))
    table.run("A ABILITY use; B WINDOW M18")
    assert table.holds("Ro@-(K) Cy@4(d1) B.vp=1"), "who fell by the answer to its attack stuns nobody"


def test_r30_so_do_cards_about_it() -> None:
    table = Table("Cy@4(d8) Ra@0", "Ro@2 St@9", step="move", active="Cy", hands=("M11", ""), traps="B:3=1")
    table.run("A MOVE M11; A DEST 3")
    assert table.holds("Cy@-(K) asked=B_PIECE") and len(table.happened("ENTER")) == 1, "Rocket Boots: no second step"
    table = Table("Cy@4(d8) Ra@0", "Ro@2 St@9", step="move", active="Cy", hands=("M09", ""), traps="B:3=1")
    table.run("A MOVE M09; A DEST 3")
    assert table.holds("Cy@-(K) asked=B_PIECE escapes=4"), "Magic Cloak: no escape token"


def test_r31_the_second_activation_takes_the_other_ability_and_starts_afresh() -> None:
    table = Table("Cy@5(d5) Ra@9(d7)", "Ro@2 St@8", dice_a=(6, 5), icons="BASE_W2@0")
    table.run("A PIECE Cy; A DIE_SLOT 0/0; A MOVE 4; A ABILITY innate; A ABILITY use")
    assert table.holds("Cy@4(d4,S) asked=B_PIECE"), "one of each, and no more"
    table.run("B PIECE St; B DIE_SLOT 0/0; B MOVE stay; B ABILITY use; B TARGET Ra")
    assert table.holds("Ra@-(K) asked=A_MOVE"), "piece, die and ability are forced"
    assert table.piece("Cy")["slots"] == [6, 5] and table.piece("Cy")["acts"] == 2
    table.run("A MOVE 5; ? end use innate; A ABILITY innate; ? end use; A ABILITY use; A TARGET St")
    assert table.holds("Cy@5(d3,S) St@8(d3)"), "move, innate ability and the other ability"
    table.run("B DIE_SLOT 1/0; B MOVE stay; B ABILITY end")
    assert table.values["round"] == 3, "there is no third time"


def test_r31_only_for_a_mate_that_has_not_acted() -> None:
    for acts, asked in ((",a1", "B_PIECE"), ("", "A_DIE_SLOT")):
        table = Table(f"Cy@4(a1) Ra@-(K{acts})", "Ro@2 St@9", turn=2, init="A")
        assert table.fact("asked") == asked
    assert Table("Cy@4(a1) Ra@0(a1)", "Ro@2 St@9", turn=2).fact("asked") == "B_PIECE", "nor while the mate stands"


def test_r32_who_falls_in_its_own_turn_was_activated() -> None:
    table = Table("Cy@0(d7) Ra@7", "Ro@2 St@9", step="move", active="Cy", traps="B:3=3").run("A MOVE 3")
    assert table.piece("Cy")["acts"] == 1 and table.asked == "B PIECE"


def test_r33_any_ko_is_a_point_for_the_other_team() -> None:
    table = Table("Cy@3 Ra@0", "Ro@5(E,d8) St@6", step="move", active="Cy", traps="A:9=1").run("A MOVE 4; B ESCAPE 9")
    assert table.vp == (1, 0)


def test_r63_who_decides_in_pairs() -> None:
    table = Table("Ro@4 Ra@0", "Cy@5 St@9", mode="team4", step="die", active="Ra")
    assert table.asked == "C DIE_SLOT"
    table = Table("Ro@5 Cy@2", "Ra@4 St@9", mode="team4", turn=1, step="ability", active="Ra", dice_b=(1, 1),
                  hands=("", "", "M19", ""))
    table.run("B ABILITY use; C WINDOW M19")
    assert table.asked == "A DEST", "the card is seat 2's, the piece seat 0's"


def test_r80_equal_dice_are_one() -> None:
    table = Table(step="die", active="Cy", dice_a=(4, 4))
    assert table.options == ["0/0", "0/1"]
    table = Table(step="start_cards", dice_a=(3, 3), hands=("M02", "")).run("A WINDOW M02")
    assert table.options == ["1", "3"]


def test_r81_a_slot_ability_without_effect_is_legal() -> None:
    table = Table("Ra@4 Cy@0", "Ro@9 St@2", step="ability", active="Ra", slot=0, placed=0)
    assert table.options == ["end", "use", "innate"]
    table = Table("Cy@4 Ra@0", "Ro@9 St@2", step="ability", active="Cy", slot=1, placed=0)
    assert "innate" not in table.options, "nothing to repair"
