"""The rulings about traps, obstacles, tokens and shifted pieces (RULES.md, section 9)."""
from __future__ import annotations

from pathlib import Path

from seatmate.engine.titans.content import pack
from titans_table import Table, changed_pack

# ---- Traps and supplies ----

def test_r40_traps_trigger_on_every_way_but_placement() -> None:
    table = Table("Cy@4(d2) Ra@0", "Ro@9 St@2", step="move", active="Cy", hands=("M13", ""), traps="B:4=2").run("A MOVE M13")
    assert table.says("Ra@4(d2)"), "fetched"
    table = Table("Ra@4 Cy@0", "Ro@9 St@2", step="ability", active="Ra", slot=1, traps="B:8=2")
    table.run("A ABILITY use; A TRAP_PLACE 4; A DEST 8")
    assert table.says("Ra@8(d2)"), "teleported"
    table = Table("St@4 Cy@7", "Ro@5 Ra@2", step="ability", active="St", slot=1, placed=0, traps="A:4=2")
    table.run("A ABILITY use; A VICTIM Ro")
    assert table.says("Ro@4(d2,f1)"), "pulled"
    table = Table("Cy@- Ra@4", step="return", traps="B:0=3").run("A REPLACE 0")
    assert table.says("Cy@0"), "placed"


def test_r41_immune_or_ignoring() -> None:
    for piece, rest in (("St@5", 0), ("Ro@5(G)", 2)):
        other = "Ro@9" if piece[0] == "S" else "St@9"
        table = Table("Cy@0 Ra@7", f"{piece} {other}", turn=1, step="move", active=piece[:2], traps="A:4=2").run("B MOVE 4")
        assert table.traps(4) == (rest, 0) and table.piece(piece[:2])["damage"] == 0


def test_r42_traps_of_both_colours_on_one_place() -> None:
    table = Table("Cy@0 Ra@7", "Ro@5 St@9", turn=1, step="move", active="Ro", traps="A:4=2 B:4=3").run("B MOVE 4")
    assert table.says("Ro@4(d2)") and table.traps(4) == (0, 3)


def test_r43_as_many_tokens_as_are_left() -> None:
    table = Table("Cy@4(d8) Ra@2(f5)", "Ro@4 St@9(f4)", turn=1, step="ability", active="Ro", slot=0, dice_b=(1, 1),
                  hands=("M22", ""))
    table.run("B ABILITY use; A WINDOW pass; A WINDOW M22")
    assert table.says("Ro@4(f1)"), "one of two tokens was left"


def test_r43_of_each_as_far_as_tokens_go(tmp_path: Path) -> None:
    table = Table(step="go_cards", go=("", "G07"), go_deck="G12", pack=changed_pack(tmp_path, ("shields = 4", "shields = 1")))
    assert table.holds("A.go=G12 Ro@2(S) St@9 shields=0"), "one shield for two pieces"


def test_r44_there_is_always_enough_damage() -> None:
    assert "damage" not in pack.Limits.model_fields
    assert Table("Cy@0(d8) Ra@7(d7)", "Ro@2(d8) St@9(d7)").asked == "A PIECE"

# ---- Obstacles ----

def test_r45_an_obstacle_near_includes_borders_of_the_own_place() -> None:
    table = Table("Ra@0 Cy@6", "Ro@1 St@9", step="ability", active="Ra", slot=0).run("A ABILITY use; A OBST_SRC new")
    assert {"e0", "e2", "e3"} <= set(table.options) and "e15" not in table.options
    table = Table("Ra@0 Cy@6", "Ro@1 St@9", step="ability", active="Ra", slot=0,
                  obstacles="e16").run("A ABILITY use; A OBST_SRC e16")
    assert {"e0", "e2", "e3"} <= set(table.options) and "e15" not in table.options, "from anywhere, but not to anywhere"


def test_r91_a_relocated_obstacle_is_taken_up_first() -> None:
    """Raven on 0, an obstacle between her and 1: only once it is up, 1 is adjacent and its borders are near."""
    def start(obstacles: str) -> Table:
        return Table("Ra@0 Cy@6", "Ro@3 St@9", step="ability", active="Ra", slot=0, obstacles=obstacles).run("A ABILITY use")

    behind_one = {"e1", "e5"}                               # 1-2 and 1-5; those of 3 and 4 are near anyway
    table = start("e0").run("A OBST_SRC new")
    assert not behind_one & set(table.options)
    table = start("e0").run("A OBST_SRC e0")
    assert behind_one <= set(table.options) and "e0" not in table.options, "it goes somewhere else"
    table.run("A OBST_EDGE e5")
    assert table.holds("obstacles=e5")
    table = start("e0 e16").run("A OBST_SRC e16")
    assert not behind_one & set(table.options), "another one leaves 1 where it is"
    table = start("e0 e2 e16 e18")
    table.run("A OBST_SRC e0")
    assert "e3" in table.options, "2 of her 3 borders are blocked, but not while one of the obstacles is up"
    table = start("e0 e2 e16").run("A OBST_SRC new")
    assert "e3" not in table.options


def test_r46_either_end_keeps_an_open_border() -> None:
    for blocked, last in (("e0 e2", "e3"), ("e15 e16", "e18"), ("e7 e10", "e16")):      # around 0, 9 and 6
        table = Table(step="start_cards", obstacles=blocked, hands=("M05", "")).run("A WINDOW M05; A OBST_SRC new")
        assert last not in table.options and len(table.options) == 16


def test_r46_an_arena_corner_takes_one_obstacle() -> None:
    table = Table("Ra@0", "Ro@9", "St@6 Cy@4", mode="ffa3", step="start_cards", dice_a=(1,), dice_b=(3,), hands=("M05", "", ""))
    table.run("A WINDOW M05; A OBST_SRC new; A OBST_EDGE e0; A OBST_SRC new")
    assert "e1" not in table.options


def test_r47_an_obstacle_ends_adjacency() -> None:
    """Each with the obstacle e9 between 4 and 5, and without."""
    for obstacles, open_ in (("e9", False), ("", True)):
        table = Table("St@4 Cy@6", "Ro@5 Ra@2", step="move", active="St", slot=1, placed=0, obstacles=obstacles)
        assert ("5" in table.options) == open_, "free move"
        table.run("A MOVE stay; A ABILITY use")
        assert (table.asked == "A VICTIM") == open_, "pull"
        table = Table("Ro@4 Ra@0", "Cy@6 St@9", step="ability", active="Ro", slot=1, placed=0,
                      obstacles=obstacles).run("A ABILITY use")
        assert ("5" in table.options) == open_, "step of an ability"
        table = Table("Ra@4 Cy@0", "Ro@5 St@2", step="ability", active="Ra", slot=0, placed=0,
                      obstacles=obstacles).run("A ABILITY use")
        assert bool(table.happened("ATTACK")) == open_, "shot"
        table = Table("St@4 Cy@0", "Ro@4 Ra@2", die="3*", step="ability", active="St", slot=1, obstacles=obstacles)
        table.run("A ABILITY use; A VICTIM Ro")
        assert ("5" in table.options) == open_, "push"
        table = Table("Ra@4 Cy@0", "Ro@9 St@2", step="ability", active="Ra", slot=1, obstacles=obstacles).run("A ABILITY use")
        assert ("5" in table.options) == open_, "trap"
        table = Table("Cy@3 Ra@0", "Ro@5(E) St@9", step="move", active="Cy", obstacles=obstacles).run("A MOVE 7")
        assert ("4" in table.options) == open_, "escape"
        table = Table("Ra@6 Cy@8", "Ro@1 St@0", turn=1, step="move", active="Ro", hands=("M21", ""), obstacles=obstacles)
        table.run("B MOVE 5; A WINDOW M21")
        assert ("4" in table.options) == open_, "displacement"
        table = Table("Cy@4 Ra@0", "Ro@5 St@9", turn=1, step="hostile_cards", active="Ro", hands=("M15", ""), obstacles=obstacles)
        assert ("M15" in table.options) == open_, "next to an own piece"
    for obstacles, fire in (("f4", 0), ("", 1)):
        table = Table("Ra@1", "Ro@9", "St@6 Cy@4", mode="ffa3", step="ability", active="Ra", slot=1, dice_a=(1,), dice_b=(3,),
                      flags="flame", obstacles=obstacles).run("A ABILITY end")
        assert table.piece("Ra")["fire"] == fire, "flamethrower"


def test_r47_what_an_obstacle_does_not_end() -> None:
    table = Table("Ra@4 Cy@0", "Ro@5 St@2", step="ability", active="Ra", slot=1, obstacles="e9")
    table.run("A ABILITY use; A TRAP_PLACE 4; A DEST 5")
    assert table.says("Ro@5(d2)"), "teleport and melee"
    table = Table("St@4 Cy@0", "Ro@4 Ra@9", step="ability", active="St", slot=1, placed=0,
                  obstacles="e9 e13 e12").run("A ABILITY use")
    assert table.says("Ro@4(f1)"), "fire in the own place"
    table = Table("Cy@4 Ra@5", step="move", active="Cy", hands=("M13", ""), obstacles="e9").run("A MOVE M13")
    assert table.says("Ra@4"), "fetching"

# ---- Escape tokens ----

def test_r49_r51_escape_answers_moves_of_others_in_turns_only() -> None:
    table = Table("Ro@5 Cy@2(E)", "Ra@4 St@9(E)", turn=1, step="ability", active="Ra", slot=0, dice_b=(1, 1), hands=("M19", ""))
    table.run("B ABILITY use; A WINDOW M19; A DEST 6")
    assert table.asked == "A ESCAPE", "Not Today is a move; opponents of the active piece first"
    table.run("A ESCAPE decline; B ESCAPE decline; ? end innate")
    table = Table("Cy@- Ra@4(E)", "Ro@2(E) St@9(E)", step="return").run("A REPLACE 0")
    assert table.holds("asked=A_PIECE Cy@0 Ra@4(E) Ro@2(E) St@9(E)"), "nobody answers in the Recovery"
    table = Table("Cy@- Ra@-", "Ro@- St@-", step="first_place", round_=1, init="B", go=("G07", "G12"))
    table.run("B FIRST_PLACE 9; A FIRST_PLACE 0")
    assert table.asked == "A PIECE" or table.asked == "B PIECE"


def test_r49_shifts_are_no_moves() -> None:
    """Holders next to it all, and nobody is asked."""
    table = Table("St@4 Cy@0(E)", "Ro@5 Ra@8(E)", step="ability", active="St", slot=1, placed=0).run("A ABILITY use; A VICTIM Ro")
    assert table.holds("Ro@4(f1) asked=B_PIECE"), "pull"
    table = Table("St@4 Cy@0(E)", "Ro@4 Ra@8(E)", die="3*", step="ability", active="St", slot=1)
    table.run("A ABILITY use; A VICTIM Ro; A DEST 5")
    assert table.holds("Ro@5(d3,f1) asked=B_PIECE"), "push"
    table = Table("Ra@4 Cy@0(E)", "Ro@9(E) St@2", step="ability", active="Ra",
                  slot=1).run("A ABILITY use; A TRAP_PLACE 4; A DEST 8")
    assert table.holds("Ra@8 asked=A_ABILITY"), "teleport"
    table = Table("Cy@4 Ra@0", "Ro@5(E) St@9(E)", step="move", active="Cy", hands=("M13", "")).run("A MOVE M13")
    assert table.holds("Ra@4 asked=A_MOVE"), "fetching"


def test_r51_never_by_the_active_piece() -> None:
    table = Table("Ro@5 Cy@2", "Ra@4(E) St@9", turn=1, step="ability", active="Ra", slot=0, dice_b=(1, 1), hands=("M19", ""))
    table.run("B ABILITY use; A WINDOW M19; A DEST 6; ? end innate")
    assert table.says("Ra@4(E) Ro@6")


def test_r92_who_cannot_step_is_passed_over() -> None:
    """Robin on 0 could only go to 4, which is full until Starfire escapes from there."""
    table = Table("Cy@3 Ra@7", "Ro@0(E) St@4(E)", step="move", active="Cy",
                  obstacles="e0 e2").run("A MOVE 4; ? 0 1 3 5 7 8 decline")
    assert table.asked == "B ESCAPE", "Starfire; Robin had no step"
    table.run("B ESCAPE 5; ? 4 decline; B ESCAPE decline")
    assert table.holds("asked=A_ABILITY Ro@0(E) St@5"), "Robin was asked about her move, and not about Cyborg's again"
    table = Table("Cy@3 Ra@7", "Ro@0(E) St@4(E)", step="move", active="Cy", obstacles="e0 e2")
    table.run("A MOVE 4; B ESCAPE decline")
    assert table.asked == "A ABILITY", "without her move nothing has changed for him"


def test_r49_a_mover_that_falls_can_be_answered_all_the_same() -> None:
    table = Table("Cy@3(d8) Ra@0", "Ro@5(E) St@9", step="move", active="Cy", traps="B:4=1").run("A MOVE 4")
    assert table.says("Cy@-(K)") and table.asked == "B ESCAPE"
    table.run("B ESCAPE 4")
    assert table.says("Ro@4") and table.asked == "B PIECE"


def test_r50_every_token_is_asked_once_per_move() -> None:
    table = Table("Cy@3 Ra@0", "Ro@5(E) St@9(E)", step="move", active="Cy").run("A MOVE 4; B ESCAPE decline; B ESCAPE decline")
    assert table.asked == "A ABILITY"

# ---- Shifted pieces ----

def test_r52_the_mate_can_be_shifted() -> None:
    table = Table("St@4 Cy@4", "Ro@2 Ra@9", die="3*", step="ability", active="St", slot=1, traps="B:8=2 A:8=1")
    table.run("A ABILITY use; A VICTIM Cy; A DEST 8")
    assert table.says("Cy@8(d2)") and table.traps(8) == (1, 0), "traps hostile to its team hurt it"


def test_r53_a_teleport_changes_the_place() -> None:
    table = Table("Ra@4 Cy@0", step="ability", active="Ra", slot=1).run("A ABILITY use; A TRAP_PLACE 4")
    assert "4" not in table.options and len(table.options) == 10
