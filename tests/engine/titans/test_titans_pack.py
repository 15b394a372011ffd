"""Titans's content: what ships, what a pack of one's own can do without code, and what its errors say."""
from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from seatmate.engine.core.errors import PackError
from seatmate.engine.core.packs import provenance
from seatmate.engine.core.registry import game_spec, new_game
from seatmate.engine.titans.content import pack
from seatmate.engine.titans.content.link import compile_pack
from titans_table import Table, changed_pack

# ---- The shipped pack ----

def test_the_box_is_complete() -> None:
    content = pack.read("standard").content
    assert [card.id for card in content.mayhem] == [f"M{number:02d}" for number in range(1, 23)]
    assert [go.id for go in content.go] == [f"G{number:02d}" for number in range(1, 13)]
    assert sum(card.arena for card in content.mayhem) == 16
    assert Counter(go.family for go in content.go) == {"monster": 3, "go_and_do": 4, "gifts": 2, "pizza": 1, "clues": 1, "fight": 1}
    assert Counter(tile.icon for tile in content.tile) == {"BASE_B": 2, "BASE_W": 2, "TV": 1, "SLICE": 1, "JOY": 1, "ANCHOR": 1,
                                                           "MASK": 1, "GEAR": 1}
    assert [(board.key, board.health, board.icons) for board in content.board] == [
        ("cyborg", 10, 2), ("raven", 7, 2), ("robin", 7, 2), ("starfire", 8, 2)]
    assert provenance(pack.read("standard")) == {"rulebook": 3, "public": 0, "house": 55}


def test_what_is_attested_is_marked() -> None:
    """Effects that the rulebook prints, and names it mentions, are told apart from ours."""
    content = pack.read("standard").content
    assert {card.id for card in content.mayhem if card.source == "rulebook"} == {"M07"}
    assert {go.id for go in content.go if go.source == "rulebook"} == {"G01"}
    named = {card.id for card in content.mayhem if card.source == "rulebook" or "rulebook" in (card.source_note or "")}
    assert named == {"M07", "M08", "M09", "M10", "M15", "M16", "M18", "M20"}
    first = {card for board in content.board for card in board.first_game}
    assert first == named, "the cards of the first game are those the rulebook names"


def test_limits_are_the_printed_numbers() -> None:
    limits = pack.read("standard").content.limits
    assert (limits.obstacles, limits.fire, limits.shields, limits.escapes, limits.gifts, limits.clues) == (4, 10, 4, 4, 4, 3)
    assert (limits.traps, limits.arena_traps, limits.points, limits.draw, limits.draw_one) == (8, 16, 5, 7, 4)


def test_damage_bonuses_are_bound_to_their_attack() -> None:
    _, compiled = compile_pack("standard")
    assert [site.args for site in compiled.sites[("slot", 2, 0)].values() if site.name == "MELEE"] == [(0,), (2,), (2,)]
    assert [site.args for site in compiled.sites[("slot", 0, 0)].values() if site.name == "MELEE"] == [(0,), (2,)]


@pytest.mark.parametrize(("old", "new", "where"), [
    ('effect = "start: REROLL_MAYHEM()"', 'effect = ""', r'\[\[mayhem\]\] #1 \("M01"\), effect: '),
    ('effect = "HEAL(1, @self)"', 'effect = ""', r'\[\[board\]\] #1 \("cyborg"\), effect: '),
    ('mission = "PIZZA_TO(TV)"', 'mission = ""', r'\[\[go\]\] #1 \("G01"\), mission: '),
    ('title = "Arcade"', 'title = "Arc\\nade"', r'\[\[tile\]\] #7 \("arcade"\), title: must be printable text on one line'),
    ('title = "Robin"', 'title = "\\u001b[31mRobin"', r'\[\[board\]\] #3 \("robin"\), title: must be printable text'),
    ('title = "Movie Night"', 'title = "  "', r'\[\[go\]\] #5 \("G05"\), title: must not be empty'),
])
def test_errors_name_the_place_and_nothing_else(tmp_path: Path, old: str, new: str, where: str) -> None:
    file = changed_pack(tmp_path, (old, new))
    with pytest.raises(PackError, match=rf"^{file}:\d+:\d+: {where}") as caught:
        compile_pack(file)
    assert "\n" not in str(caught.value)


def test_the_catalog_compiles_packs(tmp_path: Path) -> None:
    load = game_spec("titans").load_pack
    assert load is not None and load("standard").content.board[0].key == "cyborg"
    with pytest.raises(PackError, match=r"\[\[mayhem\]\] #1 \(\"M01\"\), effect: @act means nobody"):
        load(changed_pack(tmp_path, ("start: REROLL_MAYHEM()", "start: STUN(@act)")))

# ---- A pack of one's own ----

def test_a_card_with_known_verbs_needs_no_code(tmp_path: Path) -> None:
    file = changed_pack(tmp_path, ('effect = "self when(!ghost(act)): FLAG(GHOST, @act)"',
                              'effect = "self when(fire(act)): CLEANSE(@act) -> SHIELD(@act); IGNITE(2, @enemy.close(TV).each)"'))
    table = Table("Cy@4(f2) Ra@0", "Ro@1 St@9", step="move", active="Cy", hands=("M08", ""), pack=file).run("A MOVE M08")
    assert table.says("Cy@4(S) Ro@1(f2) St@9")


def test_other_numbers_need_no_code_either(tmp_path: Path) -> None:
    file = changed_pack(tmp_path, ("value = [1, 2, 2, 2, 3, 3]", "value = [1, 2, 2, 2, 3, 6]"),
                   ("slot = 4\nstd = \"MELEE()\"", "slot = 6\nstd = \"MELEE()\""),
                   ('health = 9\nicons = 2\ninnate = "Contingency', 'health = 12\nicons = 2\ninnate = "Contingency'))
    table = Table("Cy@4 Ra@0", "Ro@4 St@9", die="3*", step="ability", active="Cy", slot=0, dice_a=(1, 4), pack=file)
    table.run("A ABILITY use")
    assert table.says("Ro@4(d8)")


def test_a_game_with_a_pack_of_ones_own_plays_to_the_end(tmp_path: Path) -> None:
    game = new_game("titans", pack=changed_pack(tmp_path, ('title = "Armour"', 'title = "Plates"')))
    state = game.new_state(1)
    while not state.is_over:
        seat = state.pending[0]
        state.apply_action(seat, state.legal_actions(seat)[-1])
    assert state.record.replay() == state


@pytest.mark.parametrize(("old", "new", "problem"), [
    ('std = "SHIELD(@self)"', 'std = "SHEILD(@self)"', r'\[\[board.ability\]\] #1.*std: unknown verb .SHEILD.'),
    ('std = "SHIELD(@self)"', 'std = "PLACE(pizza, @at(TV))"', r"cyborg\W+board.ability\W+1, std: PLACE cannot stand in this line"),
    ('std = "SHIELD(@self)"', 'std = ""', r"cyborg\W+board.ability\W+1, std: the standard tier must do something"),
    ('std = "SHIELD(@self)"', 'std = "SHIELD(@self.one)"', r"only @own and @enemy can be filtered"),
    ('std = "SHIELD(@self)"', 'std = "opp: SHIELD(@own.one)"', r"who decides can be said in GO! cards only"),
    ('std = "SHIELD(@self)"', 'std = "MOVE(@enemy.one)"', r"MOVE needs one certain piece"),
    ('std = "SHIELD(@self)"', 'std = "TRAP(1, @any)"', r"TRAP cannot use @any"),
    ('star = "DMG(2)"', 'star = "DMG(2) if wounded"', r"cyborg\W+board.ability\W+1, star: DMG is part of the attack"),
    ('star = "DMG(2)"', 'star = "may DMG(2)"', r"cyborg\W+board.ability\W+1, star: DMG is part of the attack"),
    ('effect = "TRAP_IMMUNE()"', 'effect = "TRAP_IMMUNE() if wounded"', r"a passive innate ability is TRAP_IMMUNE"),
    ('aura = "NOHEAL()"', 'aura = "NOHEAL() if wounded"', r"must be empty or NOHEAL"),
    ('mission = "ROLL_STAR()"', 'mission = "ROLL_STAR() if wounded"', r"G07\W+\w+: must be one of"),
    ('effect = "TRAP_IMMUNE()"', 'effect = "HEAL(1, @self)"', r"starfire\W+\w+: a passive innate ability is TRAP_IMMUNE"),
    ("slot = 4", "slot = 7", r"slot"),
    ('std = "SHIELD(@self)"', 'std = "SHIELD(@self); PUSH(); PUSH(); PUSH(); PUSH(); PUSH(); PUSH()"',
     r"7 steps; a program has at most 6"),
    ('effect = "start: FLAG(ATK1)"', 'effect = "FLAG(ATK1)"', r"M04\W+\w+: the line begins with when it can be played"),
    ('effect = "start: FLAG(ATK1)"', 'effect = "start: SHIELD(@tgt)"', r"M04\W+\w+: @tgt means nobody in this line"),
    ('effect = "start: FLAG(ATK1)"', 'effect = "start: TRAP(1, @near)"', r"M04\W+\w+: nobody acts in this line"),
    ("hostile when(!locked(act))", "hostile when(!locked(tgt))", r"M16\W+\w+: locked\(tgt\) asks about nobody certain"),
    ("after DAMAGE(1, @atk)", "after DAMAGE(1, @tgt)", r"M18\W+\w+: 'after' is possible"),
    ('id = "M02"', 'id = "M01"', r"\[\[mayhem\]\] #2 \(\"M01\"\): \"M01\" is used twice"),
    ('icon = "GEAR"', 'icon = "TV"', r"2 tiles show TV"),
    ('first_game = ["M08", "M07"]', 'first_game = ["M08"]', r"cyborg\W+first_game: must list 2 cards"),
    ('first_game = ["M08", "M07"]', 'first_game = ["M08", "M99"]', r"cyborg\W+first_game #2: there is no"),
    ('mission = "PIZZA_TO(TV)"', 'mission = "CLUES(1)"', r"G01\W+\w+: CLUES belongs to the family 'clues'"),
    ('mission = "PIZZA_TO(TV)"', 'mission = "PIZZA_TO(BASE_B)"', r"G01\W+\w+: unknown icon word 'BASE_B'"),
    ('mission = "GIFTS_TO(GEAR|MASK)"', 'mission = "GIFTS_TO(GEAR)"',
     r"G09\W+\w+: GIFTS_TO needs 1 gift tokens; reveal brings 2"),
    ('aura = "NOHEAL()"', 'aura = "TRAP_IMMUNE()"', r"G11\W+\w+: must be empty or NOHEAL"),
    ("gifts = 4", "gifts = 0", r"G09\W+\w+: it needs 2 gift tokens; there are 0"),
    ("gifts = 4", "gifts = 3", r"\[\[go\]\] #\d+ \(\"G10\"\), mission: together with G09 it needs 4 gift tokens; there are 3"),
    ('key = "cyborg"', 'key = "cyborgs"', r"one character must have the key cyborg"),
    ("arena = true", "arena = 1", r"arena"),
    ("source = \"house\"\nsource_note = \"a plain 2", "source = \"mine\"\nsource_note = \"a plain 2", r"\[die\], source"),
])
def test_errors_name_the_row_and_the_trouble(tmp_path: Path, old: str, new: str, problem: str) -> None:
    with pytest.raises(PackError, match=problem):
        compile_pack(changed_pack(tmp_path, (old, new)))


def test_too_few_cards_for_the_free_for_all(tmp_path: Path) -> None:
    file = changed_pack(tmp_path, *[("arena = true", "arena = false")] * 5)
    with pytest.raises(PackError, match=r"11 cards have arena = true; the free-for-all needs 12"):
        compile_pack(file)
