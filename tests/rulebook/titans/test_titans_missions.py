"""The rulings about GO! cards and what they ask for (RULES.md, section 9)."""
from __future__ import annotations

from pathlib import Path

from titans_table import Table, changed_pack

# ---- Missions ----

def test_r34_what_a_ko_leaves() -> None:
    table = Table("Ra@4(I,P,d7,f2,*,E,G,L) Cy@0", "Ro@4 St@9", turn=1, step="ability", active="Ro", slot=0, dice_b=(1, 1),
                  go=("G01", ""))
    table.run("B ABILITY use")
    assert table.says("Ra@-(P,K)") and table.piece("Ra")["innate_spent"]
    assert table.values["supplies"]["fire"] == 10 and table.values["supplies"]["traps"] == [8, 8]
    assert not table.piece("Ra")["ghost"] and not table.piece("Ra")["locked"]


def test_r35_clues_at_once_pizza_and_gifts_in_the_own_turn() -> None:
    table = Table("Ro@4 Ra@0", "St@4 Cy@9", turn=1, die="3*", step="ability", active="St", slot=1, dice_b=(1, 3), go=("G11", ""),
                  clues="8 7", clues_of=(1, 0))
    table.run("B ABILITY use; B VICTIM Ro; B DEST 8")
    assert table.values["clues"] == [7] and table.values["teams"][0]["clues"] == 2
    table = Table("Ro@4 Ra@0", "St@4 Cy@9", turn=1, die="3*", step="ability", active="St", slot=1, dice_b=(1, 3), go=("G09", ""),
                  gifts=(2, 0))
    table.run("B ABILITY use; B VICTIM Ro; B DEST 8")
    assert table.values["teams"][0]["gifts"] == 2
    table = Table("Ro@8 Ra@0", step="present", active="Ro", go=("G09", ""), gifts=(2, 0))
    assert table.values["teams"][0]["gifts"] == 1 and table.values["teams"][0]["delivered"] == ["GEAR"]


def test_r36_the_next_card_comes_before_the_windows() -> None:
    table = Table("Ro@4 Ra@1", "St@0 Cy@9", step="move", active="Ro", go=("G05", ""), go_deck="G07", hands=("", "M15"))
    table.run("A MOVE 1")
    keys = [event.key for event in table.events]
    assert keys.index("GO_REVEAL") < keys.index("WINDOW") and table.vp == (1, 0)


def test_r37_only_rolls_made_while_the_card_is_in_play() -> None:
    table = Table(die="3*", step="go_cards", go=("", "G12"), go_deck="G07")
    assert table.vp == (0, 0)


def test_r38_the_place_is_where_the_ability_began() -> None:
    def start(traps: str = "") -> Table:
        return Table("Ra@4(d4) Cy@0", "Ro@9 St@2", step="ability", active="Ra", slot=1, go=("G06", ""), go_deck="G07", traps=traps)
    table = start().run("A ABILITY use; A TRAP_PLACE 4")
    assert table.vp == (0, 0)
    table.run("A DEST 8")
    assert table.vp == (1, 0) and table.says("Ra@8(d4)")
    table = start(traps="B:8=4").run("A ABILITY use; A TRAP_PLACE 4; A DEST 8")
    assert table.vp == (0, 1) and table.go[0] == "G06", "she has not finished it"
    table = Table("Ra@4 Cy@0", "Ro@9 St@2", step="ability", active="Ra", slot=1, placed=0, go=("G06", "")).run("A ABILITY use")
    table.run("A TRAP_PLACE 4")
    assert table.vp == (0, 0), "without the special tier it does not count"


def test_r39_an_empty_deck_is_made_of_the_completed_cards() -> None:
    table = Table(step="go_cards", go=("", "G12"), go_deck=" ", go_done="G07")
    assert table.go == ("G07", "G12") and table.values["go_done"] == []
    table = Table(step="go_cards", go=("", "G12"), go_deck=" ")
    assert table.go == (None, "G12")


def test_r54_a_monster_takes_the_attacks_of_its_team_in_full() -> None:
    table = Table("Ro@5 Ra@7", "Cy@0 St@9", step="ability", active="Ro", slot=0, go=("G03", ""), monsters="A@5(d0)", marks="A:ATK1")
    table.run("A ABILITY use")
    assert table.holds("A.monster=5:5 A.vp=0 Ro@5"), "2, 2 more of the ability and 1 of Cranked to Eleven"
    table = Table("Ra@4 Ro@7", "Cy@2 St@9", step="ability", active="Ra", slot=0, placed=0, go=("G03", ""), monsters="A@5(d1)")
    table.run("A ABILITY use")
    assert table.holds("A.monster=5:3"), "from a distance, too"
    table = Table("Ro@4 Ra@7", "Cy@4 St@9", step="ability", active="Ro", slot=0, placed=0, go=("G03", ""), monsters="A@4(d1)")
    table.run("A ABILITY use; ? Cy monster; A TARGET Cy")
    assert table.holds("Cy@4(d2) A.monster=4:1"), "one attack, one target"


def test_r54_excess_damage_on_a_monster_is_lost_and_damage_stays() -> None:
    table = Table("Ro@5 Ra@7", "Cy@0 St@9", step="ability", active="Ro", slot=0, placed=0, go=("G03", ""), monsters="A@5(d3)")
    table.run("A ABILITY use")
    assert table.fact("A.monster") == "5:5"
    table = Table("Ro@5(a1) Ra@7(a1)", "Cy@0(a1) St@9", turn=3, step="ability", active="St", slot=0, go=("G03", "G12"),
                  monsters="A@5(d3)")
    table.run("B ABILITY end")
    assert table.values["round"] == 3 and table.fact("A.monster") == "5:3", "in the next round as well"
    table = Table("Ro@5 Ra@7", "Cy@0 St@9", step="ability", active="Ro", slot=0, go=("G03", ""), monsters="A@5(d5)", go_deck="G02")
    table.run("A ABILITY use; B TRAP_PLACE decline")
    assert table.happened("MONSTER_DAMAGE") == [(0, 4,
                                                 6)] and table.holds("A.vp=1 A.go=G02 A.monster=8:0"), "what was too much is lost"


def test_r54_a_monster_takes_no_slot_and_triggers_nothing() -> None:
    table = Table("Ro@4 Ra@7", "Cy@5 St@9", step="move", active="Ro", go=("G03", ""), monsters="A@5(d0)").run("A MOVE 5")
    assert table.says("Ro@5 Cy@5"), "two pieces beside it"
    table = Table(step="go_cards", go=("", "G12"), go_deck="G02", traps="B:8=2", round_=1)
    assert table.holds("A.monster=8:0 B.traps=8:2 -TRAP_TRIGGER"), "it lies on traps"
    table = Table("Ro@8 Ra@7", "Cy@0 St@9", die="3*", step="ability", active="Ro", slot=0, placed=1, go=("G03", ""),
                  monsters="A@8(d0)")
    table.run("A ABILITY use")
    assert table.holds("A.monster=8:5 -TOKEN"), "nor can it be stunned"


def test_r55_the_other_teams_tokens_are_ignored() -> None:
    table = Table("Ro@4 Ra@0", "Cy@2 St@9", turn=1, step="move", active="Cy", go=("G01", "G11"), pizza=5, clues="6")
    table.run("B MOVE 5")
    assert table.values["pizza"] == 5 and table.says("Cy@5")
    for card, more in (("G01", {"pizza": 5}), ("G10", {"gifts": (2, 0)})):
        table = Table("Ro@8(E) Ra@0", "Cy@2 St@9", turn=1, step="move", active="Cy", go=(card, ""),
                      **more)
        table.run("B MOVE 5; A ESCAPE 7")
        assert table.holds("Cy@5 Ro@7") and table.values["teams"][0]["delivered"] == [], "not even when A's piece comes somewhere"


def test_r87_a_mission_revealed_while_the_ability_runs() -> None:
    table = Table("Ro@4 Ra@0", "Cy@4(d8) St@9", step="ability", active="Ro", slot=0, go=("G12", ""), go_deck="G06")
    table.run("A ABILITY use")
    assert table.vp == (3, 0), "the KO, the fight, and the ability used in the Arcade"


def test_gifts_of_several_steps_add_up(tmp_path: Path) -> None:
    file = changed_pack(tmp_path, ('"GIFTS(2); opp: ESCAPE(@own.one)"', '"GIFTS(1); GIFTS(1)"'))
    table = Table(step="go_cards", go=("", "G12"), go_deck="G09", pack=file)
    assert table.holds("A.go=G09 A.gifts=2")
