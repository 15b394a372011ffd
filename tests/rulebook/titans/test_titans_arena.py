"""The rulings about the free-for-all (RULES.md, section 9)."""
from __future__ import annotations

from typing import Any

import pytest

from seatmate.engine.titans.content.maps import ARENA_CENTRE, ARENA_CORNERS
from titans_table import Table, a_game, game_of


def test_r66_corners_by_seat() -> None:
    state = list(game_of("ffa3", 1, "SETASIDE"))[-1]
    assert [piece["place"] for piece in state.observation(0)["pieces"]] == [*ARENA_CORNERS, ARENA_CENTRE] == [0, 9, 6, 4]


def test_r66_everything_goes_clockwise_and_skips_who_is_out() -> None:
    orders = set()
    for seed in range(20):
        state = a_game("ffa3").new_state(seed)
        first = state.pending[0]
        state.apply_action(first, state.legal_actions(first)[0])
        orders.add((first, state.pending[0]))
    assert orders == {(0, 1), (1, 2), (2, 0)}, "the draft; the last pick is forced"
    table = Table("Ra@0", "Ro@9", "St@6 Cy@4", mode="ffa3", step="start_cards", init="C", dice_a=(1,), dice_b=(3,),
                  hands=("M01", "M04", "M02"))
    table.run("C WINDOW pass; A WINDOW pass; B WINDOW pass; C CYBORG decline")
    for raven, then in (("Ra@0", "A"), ("Ra@-(X)", "B")):
        table = Table(raven, "Ro@9", "St@6 Cy@4", mode="ffa3", step="turn", init="C", dice_a=(1,) if then == "A" else (), dice_b=(3,
                                                                                                                                  ))
        table.run(f"C CYBORG decline; C DIE_SLOT 0/0; C MOVE stay; C ABILITY end; {then} DIE_SLOT 0/0")
    table = Table("Ra@1(f5)", "Ro@2(f4)", "St@6 Cy@4", mode="ffa3", step="ability", init="B", active="Ro", dice_a=(1,), dice_b=(3,),
                  flags="flame").run("B ABILITY end")
    assert table.says("Ra@1(f5) Ro@2(f5)"), "the flamethrower: the last token goes to the active seat, not to seat 0"
    table = Table("Ra@1(f5)", "Ro@9", "St@2(f4) Cy@4", mode="ffa3", step="ability", init="B", active="Ro", dice_a=(1,), dice_b=(3,),
                  flags="flame").run("B ABILITY end")
    assert table.says("Ra@1(f5) St@2(f5)"), "... or to the next one"


def test_r67_the_token_of_a_piece_that_is_out_passes_on() -> None:
    table = Table("Ra@0(d7,f1)", "Ro@9", "St@6 Cy@4", mode="ffa3", step="burn", dice_a=(1,), dice_b=(3,))
    assert table.values["initiative"] == 1 and table.asked == "B CYBORG"


def test_r68_dice_do_not_decide_the_order() -> None:
    table = Table("Ra@0", "Ro@9", "St@6 Cy@4", mode="ffa3", step="turn", init="B", dice_a=(1,), dice_b=(6,), dice_c=(1,))
    assert table.asked == "B CYBORG"


@pytest.mark.parametrize(("out", "init", "remover", "after"), [
    ("", "A", "C", "B"), ("", "B", "A", "C"), ("", "C", "B", "A"),
    ("A", "B", "C", "C"), ("A", "C", "B", "B"), ("B", "A", "C", "C"), ("B", "C", "A", "A"), ("C", "A", "B", "B"),
    ("C", "B", "A", "A"),
    ("A", "A", "C", "B"), ("B", "B", "A", "C"), ("C", "C", "B", "A"),
])
def test_r68_r72_t46_the_token_goes_on_every_round_and_who_removes(out: str, init: str, remover: str, after: str) -> None:
    """To the next seat clockwise that plays, also from a holder that fell; the last seat of the turn order that plays removes."""
    places = {"A": "Ra@0", "B": "Ro@9", "C": "St@6"}
    if out:
        places[out] = places[out].split("@")[0] + ("@-(X,K,a1)" if out == init else "@-(X)")
    dice: dict[str, Any] = {f"dice_{seat.lower()}": () if seat == out and out != init else (2,) for seat in "ABC"}
    table = Table(places["A"], places["B"], f"{places['C']} Cy@4", mode="ffa3", step="remove", init=init, **dice)
    assert table.asked == f"{remover} REMOVE"
    table.run(f"{remover} REMOVE 1")
    assert table.happened("INITIATIVE") == [("ABC".index(after),)] and table.asked == f"{after} CYBORG"


def test_r69_cyborg_takes_a_slot_and_his_steps_are_moves() -> None:
    table = Table("Ra@0", "Ro@1(E)", "St@1 Cy@4", mode="ffa3", step="move_cyborg", active="Ra", dice_a=(1,), dice_b=(3,))
    assert "1" not in table.options, "two pieces are there"
    table.run("A CYBORG 3")
    assert table.asked == "B ESCAPE"


def test_r69_cyborg_cannot_be_shifted() -> None:
    table = Table("St@1", "Ro@9", "Ra@6 Cy@4", mode="ffa3", step="ability", active="St", slot=1, dice_a=(1,), dice_b=(3,))
    table.run("A ABILITY use")
    assert table.holds("Cy@4 asked=B_DIE_SLOT"), "nor pulled"
    table = Table("St@4", "Ro@9", "Ra@6 Cy@4", mode="ffa3", step="ability", active="St", slot=1, dice_a=(3,), dice_b=(3,), die="1*")
    table.run("A ABILITY use; A TARGET Cy; A CYBORG decline")
    assert table.holds("Cy@4 asked=B_DIE_SLOT"), "nor pushed"


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


def test_r72_no_place_is_left_without_an_open_border() -> None:
    for obstacles, offered in (("", True), ("f9", False)):
        table = Table("Ra@0", "Ro@9", "St@6 Cy@4", mode="ffa3", step="remove", dice_a=(1,), dice_b=(3,), obstacles=obstacles)
        assert ("7" in table.options) == offered, "with an obstacle between 3 and 6, 7 is the only way out of 6"


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


def test_r82_cranked_to_eleven_in_the_arena() -> None:
    table = Table("Ra@3", "Ro@9", "St@6 Cy@4", mode="ffa3", step="move", active="Ra", dice_a=(1,), dice_b=(3,), traps="A:1=1",
                  marks="A:ATK1 B:ATK1 C:ATK1")
    table.run("A MOVE 1")
    assert table.says("Ra@1(d1)"), "traps are nobody's"
    for marks, damage in (("A:ATK1", 3), ("B:ATK1 C:ATK1", 2)):
        table = Table("Ra@1", "Ro@2", "St@6 Cy@8", mode="ffa3", step="ability", active="Ra", slot=0, dice_a=(1,), dice_b=(3,),
                      marks=marks)
        table.run("A ABILITY use")
        assert table.says(f"Ro@2(d{damage})"), "the attacks of the seat that played it"
    table = Table("Ra@1", "Ro@2", "St@6 Cy@8", mode="ffa3", step="start_cards", init="B", dice_a=(1,), dice_b=(1,),
                  hands=("", "M04", ""))
    table.run("B WINDOW M04")
    assert [team["attack_bonus"] for team in table.values["teams"]] == [False, True, False]


def test_r82_other_cards_in_the_arena() -> None:
    table = Table("Ra@1(d3)", "Ro@9(d3)", "St@6(d3) Cy@8", mode="ffa3", step="start_cards", dice_a=(1,), dice_b=(3,),
                  hands=("M06", "", ""))
    table.run("A WINDOW M06")
    assert table.says("Ra@1(d1) Ro@9(d3) St@6(d3)"), "Snack Run: the one piece of the seat"
    table = Table("Ra@1", "Ro@9", "St@6 Cy@8", mode="ffa3", step="start_cards", dice_a=(1,), dice_b=(3,), hands=("M02", "", ""))
    table.run("A WINDOW M02")
    assert [args[:2] for args in table.happened("DIE_CHANGE")] == [(0, 0)] and table.asked == "A CYBORG", "Lucky Socks: its one die"


def test_r83_the_holder_of_the_token_is_active_when_cyborg_steps() -> None:
    table = Table("Ra@1(E)", "Ro@9", "St@6 Cy@4", mode="ffa3", step="turn", dice_a=(1,), dice_b=(3,)).run("A CYBORG 3")
    assert table.asked == "A DIE_SLOT", "its own token does not answer"


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
