"""Leduc poker: the published tree, the equilibrium value, and the rules case by case."""
from __future__ import annotations

from typing import Any

import pytest

from seatmate.engine.core.game import State
from seatmate.engine.core.registry import new_game
from statistics_checks import check_frequencies
from trees import Tree, best_response, cfr_plus, deals, expected_value, grow

FOLD, CALL, RAISE = range(3)
VALUE = -0.0856     # chips, for the first seat (Heinrich, Lanctot and Silver 2015; OpenSpiel)


def play(state: State, moves: str) -> State:
    """Apply moves given by their letters."""
    for move in moves:
        state.apply_action(state.pending[0], "fcr".index(move))
    return state


def cards(state: State) -> tuple[Any, ...]:
    """Both private cards and the public one of a fresh deal."""
    later = play(state.clone(), "cc").observation(0)["public_card"]
    return tuple(state.observation(seat)["cards"][seat] for seat in range(2)) + (later,)


def deal(*wanted: str) -> State:
    """A fresh deal of these cards: seat 0, seat 1, public."""
    return next(state for state in map(new_game("leduc").new_state, range(10_000)) if cards(state) == wanted)


def chips(state: State) -> list[float]:
    return [26 * value - 13 for value in state.returns()]


@pytest.fixture(scope="module")
def tree() -> Tree:
    return grow(deals(new_game("leduc"), cards, 120))


def test_the_published_counts(tree: Tree) -> None:
    assert len(tree.keys) == 936
    first_round, second_round = 6, 5 * 6
    assert tree.decisions == 120 * (first_round + second_round)
    assert tree.terminals == 120 * (4 + 5 * 9)


def test_the_equilibrium_value(tree: Tree) -> None:
    policy = cfr_plus(tree, 500)
    upper = 26 * best_response(tree, policy, 0) - 13
    lower = -(26 * best_response(tree, policy, 1) - 13)
    assert lower <= VALUE <= upper
    assert upper - lower < 0.005
    assert 26 * expected_value(tree, policy, 0) - 13 == pytest.approx(VALUE, abs=0.001)


@pytest.mark.parametrize(("hand", "moves", "expected"), [
    (("K1", "J1", "Q1"), "cccc", 1),
    (("K1", "J1", "J2"), "cccc", -1),           # a pair beats the king
    (("K1", "K2", "J1"), "crrcrrc", 0),         # equal ranks split
    (("Q1", "J1", "K1"), "rcrc", 1 + 2 + 4),
    (("Q1", "J1", "K1"), "rrcrrc", 13),
    (("Q1", "J1", "K1"), "rf", 1),              # a fold loses what is in the pot, whatever the cards
    (("Q1", "J1", "K1"), "crf", -1),
    (("Q1", "J1", "K1"), "crrf", 3),
    (("Q1", "J1", "K1"), "rccrf", -3),
    (("Q1", "J1", "K1"), "rcrrf", -7),
])
def test_what_the_endings_pay(hand: tuple[str, ...], moves: str, expected: int) -> None:
    state = play(deal(*hand), moves)
    assert chips(state) == pytest.approx([expected, -expected])


@pytest.mark.parametrize(("moves", "legal"), [
    ("", [CALL, RAISE]), ("c", [CALL, RAISE]), ("r", [FOLD, CALL, RAISE]), ("rr", [FOLD, CALL]), ("crr", [FOLD, CALL]),
    ("cc", [CALL, RAISE]), ("rrc", [CALL, RAISE]), ("ccr", [FOLD, CALL, RAISE]), ("ccrr", [FOLD, CALL]),
])
def test_when_one_can_fold_and_raise(moves: str, legal: list[int]) -> None:
    state = play(new_game("leduc").new_state(1), moves)
    assert state.legal_actions(state.pending[0]) == legal


def test_seat_0_opens_both_rounds() -> None:
    for moves in ("", "cc", "rc", "crc", "rrc", "crrc"):
        assert play(new_game("leduc").new_state(1), moves).pending == (0,)


@pytest.mark.parametrize(("moves", "others"), [("r", 5), ("ccr", 4), ("rf", 5)])
def test_every_card_the_other_may_hold_is_as_likely(moves: str, others: int) -> None:
    state = play(deal("Q1", "K2", "J1"), moves)
    hidden = [card for card in ("J1", "J2", "Q1", "Q2", "K1", "K2") if card != "Q1" and (card != "J1" or others == 5)]
    check_frequencies(state, 0, lambda world: world.observation(1)["cards"][1], dict.fromkeys(hidden, 1 / others))


def test_after_a_showdown_nothing_is_hidden() -> None:
    state = play(deal("Q1", "K2", "J1"), "cccc")
    check_frequencies(state, 0, lambda world: world.observation(1)["cards"][1], {"K2": 1.0}, samples=100)


def test_a_view_that_no_hand_gives_is_refused() -> None:
    state = play(deal("Q1", "K2", "J1"), "ccr")
    view = state.observation(1)
    for change in ({"rounds": [["call", "call", "call", "call"], []]}, {"rounds": [["raise", "raise", "raise"], []]},
                   {"public_card": "K2"}, {"cards": [None, None]}, {"rounds": [["call", "call"]]}):
        with pytest.raises(ValueError, match="no hand of Leduc poker looks like this"):
            state.game.state_from_view({**view, **change}, 1, 0)


def test_a_call_of_nothing_is_a_check() -> None:
    """... in the question, the answer, the event and on the board."""
    state = new_game("leduc").new_state(1)
    assert state.question_text(0) == "Check or raise?" and state.action_label(0, CALL) == "Check"
    play(state, "cr")
    assert state.question_text(0) == "Fold, call or raise?" and state.action_label(0, CALL) == "Call"
    play(state, "ccr")
    texts = [state.game.event_text(event, 1) for event in state.events(1) if event.key == "ACTED"]
    assert texts == ["Seat 0 checks.", "You raise.", "Seat 0 calls.", "Seat 0 checks.", "You raise."]
    board = state.game.board_lines(state.observation(1), 1)
    assert board[0] == "[bold]Moves[/bold]: round 1: check, raise, call; round 2: check, raise"
