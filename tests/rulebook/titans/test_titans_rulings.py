"""The rulings of RULES.md, section 9: each is named by a test here or in the neighbouring files (test_titans_numbers)."""
from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from seatmate.engine.core.errors import PackError
from seatmate.engine.core.game import SPECTATORS, State
from seatmate.engine.core.registry import new_game
from seatmate.engine.titans import pack
from seatmate.engine.titans.compiled import compile_pack
from seatmate.engine.titans.invariants import random_games
from seatmate.engine.titans.maps import ARENA, ARENA_CENTRE, ARENA_CORNERS, STANDARD
from titans_table import Table, a_game

STANDARD_PACK = (Path(pack.__file__).parent / "packs" / "standard.toml").read_text()


def game_of(mode: str, seed: int, stop: str | None = None) -> Iterator[State]:
    """The states of a random game, or only up to the first question of a kind."""
    state = a_game(mode).new_state(seed)
    chooser = random.Random(seed)
    while not state.is_over and state.prompt(state.pending[0]) != stop:
        yield state
        seat = chooser.choice(state.pending)
        state.apply_action(seat, chooser.choice(state.legal_actions(seat)))
    yield state


def changed_pack(tmp_path: Path, *changes: tuple[str, str]) -> str:
    """The shipped pack with some texts replaced, as a file."""
    text = STANDARD_PACK
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    file = tmp_path / "changed.toml"
    file.write_text(text.replace('name = "standard"', 'name = "changed"', 1))
    return str(file)

# ---- Setup and start of the round ----

def test_r1_r2_a_random_team_drafts_first_and_teams_alternate() -> None:
    orders = set()
    for seed in range(12):
        state = a_game("duel").new_state(seed)
        order = []
        while state.prompt(state.pending[0]) == "DRAFT":
            order.append(state.pending[0])
            state.apply_action(state.pending[0], state.legal_actions(state.pending[0])[0])
        orders.add(tuple(order))
    assert orders == {(0, 1, 0), (1, 0, 1)}, "the last pick is forced"
    drafts = [event.args[0] for event in list(game_of("team4", 3, "SETASIDE"))[-1].events(SPECTATORS) if event.key == "DRAFT"]
    assert drafts in ([0, 1, 2, 3], [1, 0, 3, 2])


def test_r3_hexagons_in_rows_of_three_four_and_three() -> None:
    def neighbours(which: tuple[int, ...]) -> list[str]:
        return ["".join(str(place) for place in range(10) if mask >> place & 1) for mask in which]
    assert neighbours(STANDARD.adjacent) == ["134", "0245", "156", "047", "013578", "124689", "259", "348", "4579", "568"]
    assert STANDARD.edges == ((0, 1), (1, 2), (0, 3), (0, 4), (1, 4), (1, 5), (2, 5), (2, 6), (3, 4), (4, 5), (5, 6),
                              (3, 7), (4, 7),
                              (4, 8), (5, 8), (5, 9), (6, 9), (7, 8), (8, 9))
    assert neighbours(ARENA.adjacent) == ["12", "0234", "0145", "1467", "123578", "2489", "37", "3468", "4579", "58"]
    assert len(ARENA.edges) == 18 and ARENA.edges[:5] == ((0, 1), (0, 2), (1, 2), (1, 3), (1, 4))


def test_r4_characters_then_map_then_hands_and_set_aside_cards_are_out() -> None:
    state = list(game_of("duel", 5))[-1]
    keys = [event.key for event in state.events(0)]
    assert keys.index("DRAFT") < keys.index("TILES") < keys.index("MAYHEM_DRAW") < keys.index("SETASIDE")
    values = a_game("duel").everything(state)
    assert all(len(aside) == 3 for aside in values["aside"])
    aside = {card for cards in values["aside"] for card in cards}
    assert not aside & {card for cards in (*values["used"], *values["hands"]) for card in cards}


def test_r5_first_on_two_different_bases() -> None:
    table = Table("Cy@- Ra@-", "Ro@- St@-", step="first_place", round_=1, init="B", go=("G07", "G12"))
    table.run("B FIRST_PLACE 9; A FIRST_PLACE 0")
    assert table.says("Ro@9 St@2 Cy@0 Ra@7"), "the second piece has the other base"
    table = Table("Cy@- Ra@0", "Ro@2 St@9", step="return").run("A REPLACE 0")
    assert table.says("Cy@0 Ra@0"), "later mates may share one"


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


def test_r9_places_have_an_icon_and_nothing_else() -> None:
    assert set(pack.Tile.model_fields) == {"key", "title", "icon", "source", "source_note", "address"}


def test_r10_who_has_a_card_draws_none() -> None:
    table = Table(step="go_cards", go=("G07", "G12"), round_=4)
    assert not table.happened("GO_REVEAL")
    table = Table(step="go_cards", go=("G07", ""), round_=4, go_deck="G12")
    assert table.happened("GO_REVEAL") == [(1, 11)]


def test_r11_r12_what_of_the_die_and_the_boards_is_attested() -> None:
    content = pack.read("standard").content
    assert content.die.value == (1, 2, 2, 2, 3, 3) and content.die.star == (True, False, False, False, False, True)
    assert "rulebook" in (content.die.source_note or "")
    for board in content.board:
        assert board.icons == len(board.first_game) == 2
    table = a_game("duel", first_game=True).new_state(1)
    while table.prompt(table.pending[0]) == "DRAFT":
        table.apply_action(table.pending[0], table.legal_actions(table.pending[0])[0])
    values = table.observation(SPECTATORS)
    assert sorted(map(len, values["hands"])) == [4, 4], "everybody knows the hands of the first game"

# ---- Mayhem cards ----

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


def test_r16_a_ko_in_the_round_start_returns_at_once() -> None:
    table = Table("Cy@-(K) Ra@7", "Ro@2 St@9", step="return").run("A REPLACE 0")
    assert table.says("Cy@0(K)") and table.options == ["Cy", "Ra"]

# ---- Recovery ----

def test_r17_a_base_with_opponents_and_the_mate() -> None:
    table = Table("Cy@- Ra@0", "Ro@0 St@9", step="return")
    assert table.says("Cy@7"), "the full base is not offered"


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


def test_r24_tiers_are_read_at_the_activation() -> None:
    table = Table("Ro@3 Ra@0", "Cy@5 St@9", step="ability", active="Ro", slot=1, hands=("", "M15 M17"))
    table.run("A ABILITY use; A DEST 4")
    assert table.asked == "B WINDOW" and "M17" not in table.options, "too late to forbid it"
    table.run("B WINDOW M15")
    assert table.says("Cy@5(d2)") and table.happened("ABILITY")[0][2] == 1, "the ability finishes"


def test_r25_one_target_chosen_by_the_attacker() -> None:
    table = Table("Ra@4 Cy@2", "Ro@5 St@8", step="ability", active="Ra", slot=0, placed=0).run("A ABILITY use")
    assert table.options == ["Ro", "St"]
    table.run("A TARGET St")
    assert table.says("St@8(d2) Ro@5")


def test_r26_what_is_bound_to_an_attack_hits_at_a_distance() -> None:
    table = Table("Ra@4 Cy@2", "Ro@5(S) St@9", die="1*", step="ability", active="Ra", slot=0).run("A ABILITY use")
    table.run("A OBST_SRC decline")
    assert table.says("Ro@5(*)"), "even if the shield took all damage"


def test_r27_a_failed_attack_is_not_aimed_again() -> None:
    table = Table("Ro@5 Cy@6", "Ra@4 St@9", turn=1, step="ability", active="Ra", slot=0, dice_b=(1, 1), hands=("M19", ""))
    table.run("B ABILITY use; A WINDOW M19; A DEST 2")
    assert table.happened("ATTACK_FAILED") and table.says("Ro@2 Cy@6")


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
    table = Table("Ro@4(d7) Ra@0", "Cy@5 St@8", step="ability", active="Ro", slot=1, traps="B:3=2").run("A ABILITY use; A DEST 3")
    assert table.says("Ro@-(K)") and not table.happened("ATTACK")


def test_r31_the_second_activation_takes_the_other_ability_and_starts_afresh() -> None:
    table = Table("Cy@4(d3,a1,s0=6) Ra@-(K)", "Ro@5(a1) St@9", turn=2, dice_a=(6, 1))
    assert table.asked == "A DIE_SLOT", "which die is left is not told by a position with both"
    table.run("A DIE_SLOT 0/1; A MOVE stay")
    assert table.options == ["end", "use", "innate"]


def test_r32_who_falls_in_its_own_turn_was_activated() -> None:
    table = Table("Cy@0(d7) Ra@7", "Ro@2 St@9", step="move", active="Cy", traps="B:3=3").run("A MOVE 3")
    assert table.piece("Cy")["acts"] == 1 and table.asked == "B PIECE"


def test_r33_any_ko_is_a_point_for_the_other_team() -> None:
    table = Table("Cy@3 Ra@0", "Ro@5(E,d8) St@6", step="move", active="Cy", traps="A:9=1").run("A MOVE 4; B ESCAPE 9")
    assert table.vp == (1, 0)


def test_r34_what_a_ko_leaves() -> None:
    table = Table("Ra@4(I,P,d7,f2,*,E) Cy@0", "Ro@4 St@9", turn=1, step="ability", active="Ro", slot=0, dice_b=(1, 1),
                  go=("G01", ""))
    table.run("B ABILITY use")
    assert table.says("Ra@-(P,K)") and table.piece("Ra")["innate_spent"]
    assert table.values["supplies"]["fire"] == 10 and table.values["supplies"]["traps"] == [8, 8]

# ---- Missions ----

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


def test_r54_excess_damage_on_a_monster_is_lost_and_damage_stays() -> None:
    table = Table("Ro@5 Ra@7", "Cy@0 St@9", step="ability", active="Ro", slot=0, placed=0, go=("G03", ""), monsters="A@5(d3)")
    table.run("A ABILITY use")
    assert table.values["teams"][0]["monster"] == {"place": 5, "damage": 5}


def test_r55_the_other_teams_tokens_are_ignored() -> None:
    table = Table("Ro@4 Ra@0", "Cy@2 St@9", turn=1, step="move", active="Cy", go=("G01", "G11"), pizza=5, clues="6")
    table.run("B MOVE 5")
    assert table.values["pizza"] == 5 and table.says("Cy@5")

# ---- Traps, tokens, obstacles ----

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


def test_r44_there_is_always_enough_damage() -> None:
    assert "damage" not in pack.Limits.model_fields
    assert Table("Cy@0(d8) Ra@7(d7)", "Ro@2(d8) St@9(d7)").asked == "A PIECE"


def test_r45_an_obstacle_near_includes_borders_of_the_own_place() -> None:
    table = Table("Ra@0 Cy@6", "Ro@1 St@9", step="ability", active="Ra", slot=0).run("A ABILITY use; A OBST_SRC new")
    assert {"e0", "e2", "e3"} <= set(table.options) and "e15" not in table.options


def test_r46_an_arena_corner_takes_one_obstacle() -> None:
    table = Table("Ra@0", "Ro@9", "St@6 Cy@4", mode="ffa3", step="start_cards", dice_a=(1,), dice_b=(3,), hands=("M05", "", ""))
    table.run("A WINDOW M05; A OBST_SRC new; A OBST_EDGE e0; A OBST_SRC new")
    assert "e1" not in table.options


def test_r47_an_obstacle_ends_adjacency() -> None:
    table = Table("St@4 Cy@6", "Ro@5 Ra@2", step="move", active="St", slot=1, obstacles="e9")
    assert "5" not in table.options
    table.run("A MOVE stay; A ABILITY use")
    assert table.asked == "B PIECE" and not table.happened("ATTACK"), "no pull across it"
    table = Table("Ra@4 Cy@0", "Ro@5 St@2", step="ability", active="Ra", slot=1, obstacles="e9")
    table.run("A ABILITY use; A TRAP_PLACE 4; A DEST 5")
    assert table.says("Ro@5(d2)"), "teleport and melee don't mind"


def test_r49_r51_escape_answers_moves_of_others_in_turns_only() -> None:
    table = Table("Ro@5 Cy@2(E)", "Ra@4 St@9(E)", turn=1, step="ability", active="Ra", slot=0, dice_b=(1, 1), hands=("M19", ""))
    table.run("B ABILITY use; A WINDOW M19; A DEST 6")
    assert table.asked == "A ESCAPE", "Not Today is a move; opponents of the active piece first"
    table.run("A ESCAPE decline; B ESCAPE decline")
    table = Table("Cy@- Ra@4(E)", "Ro@2(E) St@9", step="return").run("A REPLACE 0")
    assert not table.happened("ESCAPE") and table.asked == "A PIECE"


def test_r49_a_mover_that_falls_can_be_answered_all_the_same() -> None:
    table = Table("Cy@3(d8) Ra@0", "Ro@5(E) St@9", step="move", active="Cy", traps="B:4=1").run("A MOVE 4")
    assert table.says("Cy@-(K)") and table.asked == "B ESCAPE"
    table.run("B ESCAPE 4")
    assert table.says("Ro@4") and table.asked == "B PIECE"


def test_r50_every_token_is_asked_once_per_move() -> None:
    table = Table("Cy@3 Ra@0", "Ro@5(E) St@9(E)", step="move", active="Cy").run("A MOVE 4; B ESCAPE decline; B ESCAPE decline")
    assert table.asked == "A ABILITY"


def test_r52_the_mate_can_be_shifted() -> None:
    table = Table("St@4 Cy@4", "Ro@2 Ra@9", die="3*", step="ability", active="St", slot=1, traps="B:8=2 A:8=1")
    table.run("A ABILITY use; A VICTIM Cy; A DEST 8")
    assert table.says("Cy@8(d2)") and table.traps(8) == (1, 0), "traps hostile to its team hurt it"


def test_r53_a_teleport_changes_the_place() -> None:
    table = Table("Ra@4 Cy@0", step="ability", active="Ra", slot=1).run("A ABILITY use; A TRAP_PLACE 4")
    assert "4" not in table.options and len(table.options) == 10


def test_r56_tokens_pass_only_where_a_card_says_so() -> None:
    cards = [card.id for card in pack.read("standard").content.mayhem if "XFERFIRE" in card.effect]
    assert cards == ["M20"]


def test_r57_heal_and_noheal() -> None:
    table = Table("Cy@5(d1) Ra@0", step="move", active="Cy", hands=("M07", ""), go=("G11", ""), clues="3 6")
    assert "M07" not in table.options
    table.run("A MOVE stay")
    assert "innate" not in table.options
    table = Table("Cy@5(d1) Ra@0", step="move", active="Cy", hands=("M07", "")).run("A MOVE M07")
    assert table.says("Cy@5")

# ---- Cards in detail ----

def test_r58_cards_are_neither_move_nor_ability() -> None:
    table = Table("Cy@4(*) Ra@0", step="move", active="Cy", slot=0, hands=("M09", "")).run("A MOVE M09; A DEST 8")
    assert "5" in table.options or "9" in table.options
    table.run("A MOVE stay")
    assert table.options == ["end", "use"]


def test_r59_a_locked_piece_can_be_shifted() -> None:
    table = Table("St@4 Cy@0", "Ro@5(L) Ra@2", step="ability", active="St", slot=1, placed=0).run("A ABILITY use; A VICTIM Ro")
    assert table.says("Ro@4(f1)")
    table = Table("Ro@5(L) Cy@2", "Ra@4 St@9", turn=1, step="ability", active="Ra", slot=0, dice_b=(1, 1), hands=("M19", ""))
    table.run("B ABILITY use; A WINDOW pass")
    assert table.says("Ro@5(d2)"), "Not Today is a move"


def test_r60_off_beats_on() -> None:
    table = Table("Ro@4 Ra@0", "Cy@4 St@9", step="ability", active="Ro", slot=0, flags="special_on special_off")
    table.run("A ABILITY use")
    assert table.says("Cy@4(d2)")


def test_r61_the_fifth_point_ends_the_game() -> None:
    table = Table("Ro@4 Ra@0", "Cy@4(d8) St@9", step="ability", active="Ro", slot=0, vp=(4, 0)).run("A ABILITY use")
    assert table.winners == [0] and table.asked is None


def test_r62_a_simultaneous_result_is_shared() -> None:
    table = Table("Ra@0(d7,f1) Cy@5(d8,f1)", "Ro@4(d8,f1) St@9(d7,f1)", step="burn")
    assert table.winners == [0, 1] and table.state.returns() == [0.5, 0.5]


def test_r78_component_text_beats_the_rules() -> None:
    table = Table("Cy@4 Ra@0", step="move", active="Cy", hands=("M08", ""), obstacles="e9 e13").run("A MOVE M08")
    assert {"5", "8"} <= set(table.options), "Ghost Powers walks through obstacles"

# ---- Team, arena and competitive modes ----

def test_r63_who_decides_in_pairs() -> None:
    table = Table("Ro@4 Ra@0", "Cy@5 St@9", mode="team4", step="die", active="Ra")
    assert table.asked == "C DIE_SLOT"
    table = Table("Ro@5 Cy@2", "Ra@4 St@9", mode="team4", turn=1, step="ability", active="Ra", dice_b=(1, 1),
                  hands=("", "", "M19", ""))
    table.run("B ABILITY use; C WINDOW M19")
    assert table.asked == "A DEST", "the card is seat 2's, the piece seat 0's"


def test_r64_the_solo_seat_draws_seven() -> None:
    state = list(game_of("team3", 2, "SETASIDE"))[-1]
    assert state.observation(SPECTATORS)["hand_counts"] == [7, 4, 4]


def test_r65_round_caps() -> None:
    for vp, winners in (((2, 1), [0]), ((1, 1), [0, 1])):
        table = Table("Cy@0(a1) Ra@7(a1)", "Ro@2(a1) St@9", turn=3, step="ability", active="St", slot=0, round_=40, vp=vp)
        table.run("B ABILITY end")
        assert table.winners == winners
    table = Table("Ra@0", "Ro@9", "St@-(X) Cy@4", mode="ffa3", step="round_end", round_=30, dice_a=(1,), dice_b=(1,), dice_c=())
    assert table.winners == [0, 1]


def test_r66_corners_by_seat() -> None:
    state = list(game_of("ffa3", 1, "SETASIDE"))[-1]
    assert [piece["place"] for piece in state.observation(0)["pieces"]] == [*ARENA_CORNERS, ARENA_CENTRE] == [0, 9, 6, 4]


def test_r67_the_token_of_a_piece_that_is_out_passes_on() -> None:
    table = Table("Ra@0(d7,f1)", "Ro@9", "St@6 Cy@4", mode="ffa3", step="burn", dice_a=(1,), dice_b=(3,))
    assert table.values["initiative"] == 1 and table.asked == "B CYBORG"


def test_r68_dice_do_not_decide_the_order() -> None:
    table = Table("Ra@0", "Ro@9", "St@6 Cy@4", mode="ffa3", step="turn", init="B", dice_a=(1,), dice_b=(6,), dice_c=(1,))
    assert table.asked == "B CYBORG"


def test_r69_cyborg_takes_a_slot_and_his_steps_are_moves() -> None:
    table = Table("Ra@0", "Ro@1(E)", "St@1 Cy@4", mode="ffa3", step="move_cyborg", active="Ra", dice_a=(1,), dice_b=(3,))
    assert "1" not in table.options, "two pieces are there"
    table.run("A CYBORG 3")
    assert table.asked == "B ESCAPE"


def test_r70_when_the_flamethrower_burns() -> None:
    for option, fire in ((False, 0), (True, 1)):
        table = Table("Ra@1", "Ro@9", "St@6 Cy@4", mode="ffa3", step="ability", active="Ra", slot=1, dice_a=(1,), dice_b=(3,),
                      flame_every_turn=option)
        table.run("A ABILITY end")
        assert table.piece("Ra")["fire"] == fire


def test_r71_shooting_cyborg_alone_may_be_declined() -> None:
    table = Table("Ra@1", "Ro@9", "St@6 Cy@4", mode="ffa3", step="ability", active="Ra", slot=0, dice_a=(1,), dice_b=(3,))
    table.run("A ABILITY use")
    assert table.options == ["Cy", "decline"]
    table = Table("Ra@1", "Ro@0", "St@6 Cy@4", mode="ffa3", step="ability", active="Ra", slot=0, dice_a=(1,), dice_b=(3,))
    table.run("A ABILITY use")
    assert table.options == ["Ro", "Cy"]


def test_r72_r79_only_an_empty_place_is_removed() -> None:
    table = Table("Ra@0", "Ro@9", "St@6 Cy@4", mode="ffa3", step="remove", dice_a=(1,), dice_b=(3,), traps="A:3=1", obstacles="e8")
    assert table.asked == "C REMOVE" and table.options == ["1", "2", "7", "8"], "no piece, trap or obstacle (4-5)"


def test_r73_traps_of_the_free_for_all_are_nobodys() -> None:
    table = Table("Ra@1", "Ro@3", "St@6 Cy@4", mode="ffa3", step="ability", active="Ra", slot=1, dice_a=(1,), dice_b=(3,),
                  traps="A:1=1")
    table.run("A ABILITY use")
    assert table.options == ["0", "1", "2", "4"], "Robin's place is out, an old trap and Cyborg don't matter"


def test_r74_the_last_ones_share() -> None:
    table = Table("Ra@1(d7,f1)", "Ro@9(d8,f1)", "St@5(d7,f1) Cy@4", mode="ffa3", step="burn", dice_a=(1,), dice_b=(3,))
    assert table.winners == [0, 1, 2]


def test_r75_an_eliminated_seat_plays_no_card() -> None:
    table = Table("Ra@1", "Ro@9", "St@-(X) Cy@4", mode="ffa3", step="start_cards", dice_a=(1,), dice_b=(3,), dice_c=(),
                  hands=("", "M04", "M01"))
    assert table.asked == "B WINDOW"
    table.run("B WINDOW pass")
    assert [args[0] for args in table.happened("WINDOW")] == [1] and table.values["hand_counts"][2] == 1


def test_r76_each_seat_of_the_competitive_mode_has_a_box_of_its_own() -> None:
    table = Table("Ro@4 Ra@0", "Ro@5 St@9", mode="comp", step="start_cards", hands=("M01 M04", "M01 M04"))
    table.run("A WINDOW M01; B WINDOW M01")
    assert table.values["used"] == [["M01"], ["M01"]]


def test_r77_r89_secret_picks_show_nothing() -> None:
    state = a_game("comp").new_state(3)
    before = state.observation(1), state.observation(SPECTATORS)
    for pick in (0, 1, 4, 5, 6, 7):
        state.apply_action(0, pick)
        assert (state.observation(1), state.observation(SPECTATORS)) == before
    for pick in (0, 1, 4, 5, 6, 7):
        state.apply_action(1, pick)
    seen = state.observation(1)
    assert [piece["character"] for piece in seen["pieces"]] == ["cyborg", "raven"] * 2 and seen["hands"][0] is None
    assert seen["hand_counts"] == [4, 4]


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


def test_r82_cranked_to_eleven_in_the_arena() -> None:
    table = Table("Ra@3", "Ro@9", "St@6 Cy@4", mode="ffa3", step="move", active="Ra", dice_a=(1,), dice_b=(3,), traps="A:1=1",
                  marks="A:ATK1 B:ATK1")
    table.run("A MOVE 1")
    assert table.says("Ra@1(d1)")
    table = Table("Ra@4 Cy@0", "Ro@5 St@2", step="ability", active="Ra", slot=0, placed=0, marks="A:ATK1").run("A ABILITY use")
    assert table.says("Ro@5(d3)")


def test_r83_the_holder_of_the_token_is_active_when_cyborg_steps() -> None:
    table = Table("Ra@1(E)", "Ro@9", "St@6 Cy@4", mode="ffa3", step="turn", dice_a=(1,), dice_b=(3,)).run("A CYBORG 3")
    assert table.asked == "A DIE_SLOT", "its own token does not answer"


def test_r84_unequal_icons_reveal_the_characters_first(tmp_path: Path) -> None:
    file = changed_pack(tmp_path, ('icons = 2\ninnate = "Auto-Repair"', 'icons = 1\ninnate = "Auto-Repair"'),
                        ('first_game = ["M08", "M07"]', 'first_game = ["M08"]'))
    state = new_game("titans", mode="comp", pack=file).new_state(1)
    state.apply_action(0, 0)
    state.apply_action(0, 1)
    assert state.pending == (1,) and state.asked == (0, 1)
    state.apply_action(1, 2)
    state.apply_action(1, 3)
    assert list(state.pending) == [0, 1] and state.prompt(0) == "COMP_CARD"
    assert [piece["character"] for piece in state.observation(1)["pieces"]] == ["cyborg", "raven", "robin", "starfire"]
    for seat, count in ((0, 3), (1, 4)):
        for card in range(count):
            state.apply_action(seat, card)
    assert state.observation(SPECTATORS)["hand_counts"] == [3, 4] and state.observation(0)["round"] == 1

# ---- Added by us ----

def test_r85_a_piece_that_has_gone_on_meets_no_host() -> None:
    table = Table("Ra@1", "Ro@3", "St@4 Cy@9", mode="ffa3", step="move", active="Ra", dice_a=(1,), dice_b=(3,),
                  hands=("", "M21", "M20 M15"))
    table.run("A MOVE 4; B WINDOW M21; B DEST 8; C WINDOW pass")
    assert table.says("Ra@8") and table.asked == "C WINDOW" and table.options == ["pass", "M15"], "the window of the move to 4"


def test_r86_clockwise_from_the_active_seat() -> None:
    table = Table("Ra@5", "Ro@1", "St@4 Cy@9", mode="ffa3", step="hostile_cards", init="B", active="Ro", dice_a=(1,), dice_b=(3,),
                  hands=("M15", "", "M16"))
    assert table.asked == "C WINDOW"
    table.run("C WINDOW pass")
    assert table.asked == "A WINDOW"


def test_r87_a_mission_revealed_while_the_ability_runs() -> None:
    table = Table("Ro@4 Ra@0", "Cy@4(d8) St@9", step="ability", active="Ro", slot=0, go=("G12", ""), go_deck="G06")
    table.run("A ABILITY use")
    assert table.vp == (3, 0), "the KO, the fight, and the ability used in the Arcade"


def test_r88_nothing_hurts_before_recovery(tmp_path: Path) -> None:
    for old, new in (("start: REROLL_MAYHEM()", "start: DAMAGE(1, @enemy.one)"),
                     ("opp: HEAL(2, @own.each)", "opp: MOVE(@own.one)")):
        with pytest.raises(PackError, match="cannot stand in this line"):
            compile_pack(changed_pack(tmp_path, (old, new)))


def test_r90_the_stack_never_gets_near_its_end() -> None:
    assert max(random_games(a_game(mode), 300, 7)["frames"] for mode in ("duel", "team4", "ffa3")) <= 16
