"""What every benchmark of the rules and the search runs on: each registered game at its largest seat count."""
from __future__ import annotations

import pytest

from seatmate.engine.core.game import Game, State
from seatmate.engine.core.registry import list_games, new_game


@pytest.fixture(params=[spec.id for spec in list_games()])
def game(request: pytest.FixtureRequest) -> Game:
    """The first mode with the most seats and the default options."""
    return new_game(request.param)


@pytest.fixture
def opening(game: Game) -> State:
    """The first position in which somebody has a choice and somebody holds private information, or the deal."""
    state = game.new_state(1, record_events=False)
    keys = {state.private_key(seat) for seat in range(game.seats)}
    while not state.is_over and {state.private_key(seat) for seat in range(game.seats)} <= keys and len(state.actions) < 20:
        seat = state.pending[0]
        state.apply_action(seat, state.legal_actions(seat)[0])
    return state if not state.is_over else game.new_state(1, record_events=False)
