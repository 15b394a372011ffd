"""The rulings about Mayhem cards: when they can be played, on whom, and single ones in detail (RULES.md, section 9)."""
from __future__ import annotations

from pathlib import Path

import pytest

from seatmate.engine.core.errors import PackError
from seatmate.engine.titans import pack
from seatmate.engine.titans.compiled import compile_pack
from seatmate.engine.titans.invariants import random_games
from titans_table import Table, a_game, changed_pack

# ---- When ----

def test_r13_one_card_per_team_and_round() -> None:
    table = Table("Cy@4 Ra@0", "Ro@2 St@9", step="move", active="Cy", hands=("M08 M09 M11", ""))
    table.run("A MOVE M08")
    assert not [word for word in table.options if word.startswith("M")]


def test_r14_windows_where_the_position_has_changed() -> None:
    table = Table("Cy@4 Ra@0", "Ro@2 St@9", turn=1, init="A", step="hostile_cards", active="Ro", hands=("M15 M16", "M08"))
    table.run("A WINDOW pass; B MOVE stay")
    assert [args[1] for args in table.happened("WINDOW")] == [1], "declining a move brings no window"
    table = Table("Cy@4 Ra@0", "Ro@2 St@9", turn=1, init="A", step="hostile_cards", active="Ro", hands=("M15 M16", "M08"))
    table.run("A WINDOW pass; B MOVE 5; A WINDOW pass; B ABILITY use")
    assert [args[1] for args in table.happened("WINDOW")] == [1, 3]
    assert table.asked == "B ABILITY" and "M08" in table.options, "the last chance"


def test_r15_hostile_cards_hit_the_active_opponent_only() -> None:
    table = Table("Cy@4 Ra@0", "Ro@5 St@9", step="move", active="Cy", hands=("M15 M16 M17", ""))
    assert not [word for word in table.options if word.startswith("M")]
    table = Table("Cy@3 Ra@6", "Ro@5(E) St@9", step="move", active="Cy", hands=("M15 M16 M17 M20 M21", ""))
    table.run("A MOVE 4; B ESCAPE 6; ? pass M20; A WINDOW M20")
    assert table.says("Ro@6(f1)"), "Robin moves, but Cyborg is active: Shock Pizza, Heavy Load and Banana Peel don't apply"


def test_r15_hold_it_for_me_hits_pieces_that_are_not_active() -> None:
    table = Table("St@4(f2) Cy@0", "Ro@5 Ra@9", step="ability", active="St", slot=1, placed=0, hands=("M20 M21", ""))
    table.run("A ABILITY use; A VICTIM Ro; ? pass M20; A WINDOW M20")
    assert table.says("Ro@4(f3) St@4"), "pulled (and then burned by the ability)"
    table = Table("St@4 Cy@5(f1)", "Ro@4 Ra@9", die="3*", step="ability", active="St", slot=1, dice_a=(1, 3), hands=("M20 M21", ""))
    table.run("A ABILITY use; A VICTIM Ro; A DEST 5; ? pass M20; A WINDOW M20")
    assert table.says("Ro@5(d3,f2) Cy@5"), "pushed"
    table = Table("Cy@3 Ra@6(f2)", "Ro@5(E) St@9", step="move", active="Cy", hands=("M20 M21", ""))
    table.run("A MOVE 4; B ESCAPE 6; A WINDOW M20")
    assert table.says("Ro@6(f2) Ra@6"), "escaping"


def test_r15_banana_peel_needs_the_active_mover() -> None:
    table = Table("Cy@3 Ra@0(E)", "Ro@2 St@1", turn=1, step="move", active="Ro", hands=("", "M20 M21"))
    table.run("B MOVE 5; A ESCAPE 1; ? pass M20")
    table = Table("Cy@3 Ra@0", "Ro@2 St@1", step="move", active="Cy", hands=("", "M20 M21"))
    table.run("A MOVE 4; ? pass M21")
    table = Table("Cy@6 Ro@0", "Ra@4 St@9", turn=1, step="ability", active="Ra", slot=1, hands=("M15 M21", ""))
    table.run("B ABILITY use; B TRAP_PLACE 4; B DEST 5; ? pass M15")
    assert table.says("Ra@5"), "a teleport is no move"


def test_r14_the_mates_seat_may_play_a_card_for_the_active_piece() -> None:
    """Once in its turn, before the move; where the card moves the piece, its owner decides."""
    table = Table("Ro@4 Ra@0", "Cy@4 St@9", mode="team4", step="hostile_cards", active="Ro", placed=0, hands=("M08", "", "M12", ""))
    table.run("? pass M12; C WINDOW M12; A MOVE stay; A ABILITY use")
    assert table.says("Cy@4(d4)"), "Double Dare of seat 2; seat 0 has played its team's card with it"
    table = Table("Ro@4 Ra@0", "Cy@2 St@9", mode="team4", step="hostile_cards", active="Ro", placed=0, hands=("M08", "", "M11 M15",
                                                                                                              ""))
    table.run("? pass M11; C WINDOW M11; A DEST 5; A DEST 8; A MOVE stay; A ABILITY end")
    table = Table("Ro@4 Ra@0", "Cy@2 St@9", mode="team4", step="hostile_cards", active="Ro", placed=0, hands=("M08", "", "M11", ""))
    table.run("C WINDOW pass; A MOVE M08")
    table = Table("Ro@4 Ra@0", "Cy@2 St@9", mode="team3", step="hostile_cards", active="Ro", placed=0, hands=("M08", "M12", "M11"))
    assert table.asked in ("B WINDOW", "C WINDOW"), "the solo seat has no mate"
    table.run("B WINDOW pass; C WINDOW pass; A MOVE stay")


def test_r15_parting_gift_needs_an_opposing_turn() -> None:
    table = Table("Cy@3 Ra@0(E,d7)", "Ro@2 St@9", step="move", active="Cy", traps="B:1=1", hands=("M22",
                                                                                                  "")).run("A MOVE 4; A ESCAPE 1")
    assert table.holds("Ra@-(K) asked=A_ABILITY B.vp=1"), "its own piece was active"
    table = Table("Cy@3 Ra@0(E,d7)", "Ro@2 St@9", turn=1, step="move", active="Ro", traps="B:1=1", hands=("M22", ""))
    table.run("B MOVE 5; A WINDOW pass; A ESCAPE 1; A WINDOW M22")
    assert table.says("Ra@-(K) Ro@5(f2)")


def test_r14_of_two_seats_the_owner_of_the_piece_is_asked_first() -> None:
    """Seats 0 and 2 are the black team, with one piece each; both could hold a card for this."""
    for target, order in (("Ro", "AC"), ("Cy", "CA")):
        table = Table("Ro@5 Cy@1", "Ra@4 St@9", mode="team4", turn=1, step="ability", active="Ra", slot=0, dice_b=(1, 1),
                      hands=("M19", "", "M18", ""))
        table.run(f"B ABILITY use; B TARGET {target}; {order[0]} WINDOW pass; {order[1]} WINDOW pass")
        assert table.says(f"{target}@{5 if target == 'Ro' else 1}(d2)"), "attacked"


def test_r88_nothing_hurts_before_recovery(tmp_path: Path) -> None:
    for old, new in (("start: REROLL_MAYHEM()", "start: DAMAGE(1, @enemy.one)"),
                     ("opp: HEAL(2, @own.each)", "opp: MOVE(@own.one)")):
        with pytest.raises(PackError, match="cannot stand in this line"):
            compile_pack(changed_pack(tmp_path, (old, new)))


def test_r90_the_stack_never_gets_near_its_end() -> None:
    assert max(random_games(a_game(mode), 300, 7)["frames"] for mode in ("duel", "team4", "ffa3")) <= 16

# ---- Cards in detail ----

def test_r56_tokens_pass_only_where_a_card_says_so() -> None:
    cards = [card.id for card in pack.read("standard").content.mayhem if "XFERFIRE" in card.effect]
    assert cards == ["M20"]


def test_r57_heal_and_noheal() -> None:
    for aura, cards, innate in (("G07", {"M07"}, {"innate"}), ("G11", set(), set())):
        table = Table("Cy@5(d1) Ra@0", step="move", active="Cy", hands=("M07", ""), go=(aura, ""),
                      clues="3 6" if aura == "G11" else "",
                      clues_of=(1, 0) if aura == "G11" else (0, 0))
        assert {word for word in table.options if word[0] == "M"} == cards
        table.run("A MOVE stay")
        assert set(table.options) == {"end", "use"} | innate
        table = Table("Ra@4(d5) Cy@0", "Ro@2 St@9", die="3*", step="ability", active="Ra", slot=1, go=(aura, ""),
                      clues="3 6" if aura == "G11" else "", clues_of=(1, 0) if aura == "G11" else (0, 0))
        table.run("A ABILITY use; A TRAP_PLACE 4; A DEST decline")
        assert table.says("Ra@4(d3)" if aura == "G07" else "Ra@4(d5)"), "a heal in an ability does nothing"
        table = Table("Cy@5(d3) Ra@0", "Ro@2 St@9", step="go_cards", go=(aura, ""), go_deck="G07" if aura == "G11" else "G08",
                      clues="3 6"
                      if aura == "G11" else "", clues_of=(1, 0) if aura == "G11" else (0, 0))
        assert table.says("Cy@5(d3)"), "... nor one in the opponents' card"
    table = Table("Cy@5(d1) Ra@0", step="move", active="Cy", hands=("M07", "")).run("A MOVE M07")
    assert table.holds("Cy@5") and table.happened("HEAL") == [(0, 1, 0)], "three, but there was one"


def test_r58_cards_are_neither_move_nor_ability() -> None:
    table = Table("Cy@4(*) Ra@0", step="move", active="Cy", slot=0, hands=("M09", "")).run("A MOVE M09; A DEST 8")
    assert "5" in table.options or "9" in table.options
    table.run("A MOVE stay")
    assert table.options == ["end", "use"]


def test_r59_a_locked_piece_cannot_move() -> None:
    table = Table("Ro@5(L) Cy@2", "Ra@4 St@9", turn=1, step="ability", active="Ra", slot=0, dice_b=(1, 1), hands=("M19", ""))
    table.run("B ABILITY use; ? pass; A WINDOW pass")
    assert table.says("Ro@5(d2)"), "Not Today is a move"
    table = Table("Ro@5 Cy@2", "Ra@4 St@9", turn=1, step="ability", active="Ra", slot=0, dice_b=(1, 1), hands=("M19", ""))
    table.run("B ABILITY use; ? pass M19")
    for mark, asked in (("", "B_ESCAPE"), (",L", "A_ABILITY")):
        table = Table("Cy@3 Ra@0", f"Ro@5(E{mark}) St@9", step="move", active="Cy").run("A MOVE 4")
        assert table.fact("asked") == asked, "nor does it escape"


def test_r59_a_locked_piece_can_be_shifted() -> None:
    table = Table("St@4 Cy@0", "Ro@5(L) Ra@2", step="ability", active="St", slot=1, placed=0).run("A ABILITY use; A VICTIM Ro")
    assert table.says("Ro@4(f1)"), "pulled"
    table = Table("St@4 Cy@0", "Ro@4(L) Ra@2", die="3*", step="ability", active="St",
                  slot=1).run("A ABILITY use; A VICTIM Ro; A DEST 5")
    assert table.says("Ro@5(d3,f1)"), "pushed"
    table = Table("Ra@4(L) Cy@0", "Ro@5 St@2", step="ability", active="Ra", slot=1).run("A ABILITY use; A TRAP_PLACE 4; A DEST 5")
    assert table.says("Ra@5 Ro@5(d2)"), "teleported"
    table = Table("Cy@4 Ra@0(L)", "Ro@5 St@2", step="move", active="Cy", hands=("M13", "")).run("A MOVE M13")
    assert table.says("Ra@4"), "fetched"


def test_r60_off_beats_on() -> None:
    table = Table("Ro@4 Ra@0", "Cy@4 St@9", step="ability", active="Ro", slot=0, flags="special_on special_off")
    table.run("A ABILITY use")
    assert table.says("Cy@4(d2)")


def test_r78_component_text_beats_the_rules() -> None:
    table = Table("Cy@4 Ra@0", step="move", active="Cy", hands=("M08", ""), obstacles="e9 e13").run("A MOVE M08")
    assert {"5", "8"} <= set(table.options), "Ghost Powers walks through obstacles"
