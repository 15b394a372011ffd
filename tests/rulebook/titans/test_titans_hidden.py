"""Hidden information and the engine: the checks H1 to H8 of RULES.md, section 10.3."""
from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from seatmate.engine.core.game import State
from statistics_checks import check_frequencies
from titans_table import Table, a_game

MODES = ("duel", "team3", "team4", "ffa3", "comp")


def some_positions(mode: str, seed: int, every: int = 25) -> list[State]:
    """Clones of the positions of a random game."""
    state = a_game(mode).new_state(seed)
    chooser = random.Random(seed)
    found = []
    while not state.is_over:
        if len(state.actions) % every == 0:
            found.append(state.clone(record_events=True))
        seat = chooser.choice(state.pending)
        state.apply_action(seat, chooser.choice(state.legal_actions(seat)))
    return found


def with_hand(state: State, seat: int, hand: list[str]) -> State:
    """The same position with another hand of a seat."""
    game: Any = state.game
    values = game.everything(state)
    values["hands"][seat] = sorted(hand)
    values["hand_counts"][seat] = len(hand)
    changed: State = game.position(values, seed=5, record_events=True)
    return changed


def test_h1_what_a_seat_holds_does_not_show_before_it_is_played() -> None:
    """Two worlds that differ in seat 1's hand: seat 0 sees the same events as long as seat 1 passes."""
    for seed in range(6):
        table = Table("Cy@4 Ra@0", "Ro@5 St@9", step="start_cards", hands=("M01 M09", "M15 M17 M18 M20"), seed=seed)
        one = with_hand(table.state, 1, ["M15", "M17", "M18", "M20"])
        other = with_hand(table.state, 1, ["M02", "M03", "M06", "M22"])
        chooser = random.Random(seed)
        for _ in range(60):
            if one.is_over:
                break
            assert (one.pending, one.asked) == (other.pending, other.asked)
            seat = one.pending[0]
            assert one.prompt(seat) == other.prompt(seat)
            answers = one.legal_actions(seat)
            if seat == 1:
                answers = [action for action in answers if action in other.legal_actions(seat)]
                if one.prompt(seat) in ("MOVE", "ABILITY"):
                    answers = [action for action in answers if action < 32]
                if one.prompt(seat) == "WINDOW":
                    answers = [0]
            else:
                assert answers == other.legal_actions(seat)
            action = chooser.choice(answers)
            one.apply_action(seat, action)
            other.apply_action(seat, action)
            assert one.events(0) == other.events(0)
            assert one.observation(0) == other.observation(0)


@pytest.mark.parametrize("mode", MODES)
def test_h1_worlds_that_a_seat_cannot_tell_apart_play_on_alike(mode: str) -> None:
    """The same chance and the same answers: windows open for the same seats, and the seat sees the same, in every mode."""
    game = a_game(mode)
    asked = 0
    for seed in range(2):
        for number, state in enumerate(some_positions(mode, seed, every=31)[1:]):
            seat = number % game.seats
            values = [game.everything(state), game.everything(state.resample_from_infostate(seat, number))]
            if state.prompt(state.pending[0]) in ("SETASIDE", "COMP_CHAR", "COMP_CARD"):
                continue        # what has been set aside so far is forgotten in the sampled world
            one, other = (game.position(world, seed=5, record_events=True) for world in values)
            chooser = random.Random(number)
            for _ in range(40):
                assert (one.pending, one.asked, one.is_over) == (other.pending, other.asked, other.is_over)
                if one.is_over:
                    break
                acting = one.pending[0]
                answers, others = one.legal_actions(acting), other.legal_actions(acting)
                assert one.prompt(acting) == other.prompt(acting) and (acting != seat or answers == others)
                action = chooser.choice([answer for answer in answers if answer in others])
                for world in (one, other):
                    world.apply_action(acting, action)
                assert one.events(seat) == other.events(seat) and one.observation(seat) == other.observation(seat)
            asked += sum(event.key == "WINDOW" for event in one.events(seat))
    assert asked > 20


def test_h2_sampling_depends_on_the_view_only() -> None:
    table = Table(step="start_cards", hands=("M01 M09", "M15 M17"), used=("M04", "M05"))
    one = table.state
    other = with_hand(one, 1, ["M02", "M22"])
    for seed in range(30):
        first, second = one.resample_from_infostate(0, seed), other.resample_from_infostate(0, seed)
        assert first.to_bytes() == second.to_bytes()
        values = table.game.everything(first)
        assert values["hands"][0] == ["M01", "M09"] and values["used"] == [["M04"], ["M05"]]
        assert len(values["hands"][1]) == 2 and not set(values["hands"][1]) & {"M01", "M09", "M04", "M05"}
    state = next(iter(some_positions("duel", 3)))
    while state.prompt(state.pending[0]) != "WINDOW":
        state.apply_action(state.pending[0], state.legal_actions(state.pending[0])[0])
    own = a_game("duel").everything(state)["aside"][0]
    for seed in range(30):
        assert not set(own) & set(a_game("duel").everything(state.resample_from_infostate(0, seed))["hands"][1])


def test_h3_the_mates_hand_is_hidden_too() -> None:
    state = some_positions("team4", 2, every=40)[1]
    view = state.observation(0)
    assert view["hands"][0] is not None and view["hands"][1:] == [None] * 3 and view["aside"][2] is None
    hands = {tuple(a_game("team4").everything(state.resample_from_infostate(0, seed))["hands"][2]) for seed in range(20)}
    assert len(hands) > 1


@pytest.mark.parametrize("mode", MODES)
def test_h4_who_has_played_or_holds_nothing_is_not_asked(mode: str) -> None:
    for seed in range(8):
        state = a_game(mode).new_state(seed)
        chooser = random.Random(seed)
        while not state.is_over:
            seat = chooser.choice(state.pending)
            prompt, legal = state.prompt(seat), state.legal_actions(seat)
            values = a_game(mode).everything(state)
            team = a_game(mode).seat_team(seat)
            if prompt in ("WINDOW", "MOVE", "ABILITY") and (values["teams"][team]["played"] or not values["hands"][seat]):
                assert prompt != "WINDOW" and len(legal) > 1
            state.apply_action(seat, chooser.choice(legal))


def test_h5_the_public_test_of_the_round_start() -> None:
    starts = "M01 M02 M03 M04 M05 M06"
    table = Table("Cy@0(d1) Ra@7", step="start_cards", used=(starts, ""), hands=("M15", "M16"))
    assert not table.happened("WINDOW")
    table = Table("Cy@0(d1) Ra@7", step="start_cards", used=(starts.replace(" M05", ""), ""), hands=("M15", "M16"))
    assert table.asked == "A WINDOW" and table.options == ["pass"]
    arena = starts.replace(" M03", "")
    pieces: dict[str, Any] = {"a": "Ra@0", "b": "Ro@1", "c": "St@3 Cy@4", "mode": "ffa3", "dice_a": (1,), "dice_b": (3,),
                              "step": "start_cards"}
    table = Table(**pieces, used=(arena, "", ""), hands=("M15", "M16", "M08"))
    assert not table.happened("WINDOW")
    table = Table(**pieces, used=(arena.replace(" M05", ""), "", ""), hands=("M15", "M16", "M08"))
    assert table.asked == "A WINDOW"
    table = Table(**{**pieces, "a": "Ra@0", "b": "Ro@1", "c": "St@1 Cy@0"}, used=(arena.replace(" M05", ""), "", ""),
                  hands=("M15", "M16", "M08"), removed="2 3 4 5 6 7 8 9")
    assert not table.happened("WINDOW"), "on two places no obstacle is legal"


def test_h6_a_card_played_from_one_box_may_be_in_the_other() -> None:
    hands = set()
    table = Table(mode="comp", step="start_cards", hands=("M01 M04", "M02 M03")).run("A WINDOW M01; B WINDOW pass")
    for seed in range(60):
        hands |= set(table.game.everything(table.state.resample_from_infostate(0, seed))["hands"][1])
    assert "M01" in hands and "M04" in hands and len(hands) == 22
    table = Table(mode="comp", step="start_cards", hands=("M01 M04", "M01 M03")).run("A WINDOW M01; B WINDOW M01")
    for seed in range(60):
        assert "M01" not in table.game.everything(table.state.resample_from_infostate(0, seed))["hands"][1]


def test_h6_the_public_test_asks_each_box_by_itself() -> None:
    table = Table("Cy@0(d1) Ra@7", mode="comp", step="start_cards", used=("M01 M02 M03 M04 M05 M06", ""), hands=("M15", "M16"))
    assert table.asked == "B WINDOW" and table.options == ["pass"] and [args[0] for args in table.happened("WINDOW")] == [1]


def test_h7_clones_in_the_middle_of_nested_effects() -> None:
    """A clone at every question of such a chain goes on exactly as the position it was taken from, whatever others do meanwhile."""
    table = Table("Cy@1 Ra@4", "St@5 Ro@8(E)", turn=1, step="ability", active="St", slot=0, go=("G05", ""), go_deck="G01",
                  hands=("M19", ""), dice_b=(5, 5))
    table.run("B ABILITY use; B TARGET Ra; A WINDOW M19; A DEST 1; B OBST_SRC new")
    kinds = [frame["kind"] for frame in table.values["progress"]["frames"]]
    assert kinds == ["program", "attack", "window", "program", "entry", "quest", "program"]
    rest = [table.state]                        # the position itself and all its clones
    chooser = random.Random(1)
    for turn in range(60):
        state = table.state
        if state.is_over:
            break
        rest.append(state.clone(record_events=True))
        disturbed = state.clone()
        for _ in range(10):                     # another line of play, which must not be noticed
            if not disturbed.is_over:
                disturbed.apply_action(disturbed.pending[0], disturbed.legal_actions(disturbed.pending[0])[0])
        seat = state.pending[0]
        action = chooser.choice(state.legal_actions(seat))
        for copy in rest:
            copy.apply_action(seat, action)
            assert copy.to_bytes() == table.state.to_bytes() and copy.pending == table.state.pending
        if turn == 0:
            assert table.asked == "B ESCAPE", "Robin answers the move in which all this happened"
        assert len({tuple((event.key, event.args) for event in copy.events(0)[-3:]) for copy in rest}) == 1


@pytest.mark.parametrize("mode", MODES)
def test_h8_tokens_are_conserved(mode: str) -> None:
    """Boards, map and supplies are together what the box holds, after every decision."""
    game = a_game(mode)
    limits = game.pack.limits
    for state in some_positions(mode, 4, every=1):
        values = game.everything(state)
        pieces, supplies = values["pieces"], values["supplies"]
        assert supplies["fire"] + sum(piece["fire"] for piece in pieces) == limits.fire
        assert supplies["shields"] + sum(piece["shield"] for piece in pieces) == limits.shields
        assert supplies["escapes"] + sum(piece["escape"] for piece in pieces) == limits.escapes
        assert supplies["obstacles"] + len(values["obstacles"]) == limits.obstacles
        for team, left in enumerate(supplies["traps"]):
            stuns = sum(piece["stunned"] and piece["stun_team"] == team for piece in pieces)
            placed = sum(place[team] for place in values["traps"])
            assert left + placed + stuns == (limits.arena_traps if mode == "ffa3" else limits.traps)
        assert supplies["fire"] >= 0 and min(supplies["traps"]) >= 0 and supplies["gifts"] >= 0 and supplies["clues"] >= 0
        game.check_invariants(state)


def test_h2_all_hands_that_fit_are_equally_likely() -> None:
    """Four cards have not been seen by seat 0; seat 1 holds two of them."""
    used = (" ".join(f"M{card:02d}" for card in range(2, 10)), " ".join(f"M{card:02d}" for card in range(10, 19)))
    table = Table(hands=("M01", "M19 M20"), used=used)
    expected = dict.fromkeys(itertools.combinations(("M19", "M20", "M21", "M22"), 2), 1 / 6)
    check_frequencies(table.state, 0, lambda world: tuple(table.game.everything(world)["hands"][1]), expected, samples=3000)


def test_h6_in_the_competitive_mode_all_cards_that_were_not_played() -> None:
    used = ("", " ".join(f"M{card:02d}" for card in range(4, 23)))
    table = Table(mode="comp", hands=("M01 M02", "M01 M03"), used=used)
    expected = dict.fromkeys(itertools.combinations(("M01", "M02", "M03"), 2), 1 / 3)
    check_frequencies(table.state, 0, lambda world: tuple(table.game.everything(world)["hands"][1]), expected, samples=2000)
