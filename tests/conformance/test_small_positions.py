"""The right frequencies, against enumeration by hand in positions small enough for it."""
from __future__ import annotations

import itertools

import pytest

from seatmate.engine.core.game import State
from seatmate.engine.core.registry import new_game
from statistics_checks import check_frequencies

MOVES = [(), ("pass",), ("bet",), ("pass", "bet"), ("pass", "pass"), ("bet", "pass"), ("bet", "bet")]


def kuhn_position(own: str, seat: int, moves: tuple[str, ...]) -> State:
    """A Kuhn position in which the seat holds this card."""
    for seed in itertools.count():
        state = new_game("kuhn").new_state(seed)
        if state.observation(seat)["cards"][seat] == own:
            for move in moves:
                state.apply_action(state.pending[0], ["pass", "bet"].index(move))
            return state
    raise AssertionError("unreachable")


@pytest.mark.parametrize("moves", MOVES, ids="-".join)
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("own", "JQK")
def test_kuhn_gives_the_other_seat_each_other_card_as_often(own: str, seat: int, moves: tuple[str, ...]) -> None:
    state = kuhn_position(own, seat, moves)
    shown = moves in (("pass", "pass"), ("bet", "bet"))
    theirs = state.observation(1 - seat)["cards"][1 - seat]
    expected = {theirs: 1.0} if shown else {card: 0.5 for card in "JQK" if card != own}
    check_frequencies(state, seat, lambda world: world.observation(1 - seat)["cards"][1 - seat], expected, samples=1000)
