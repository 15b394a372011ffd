"""Fixtures of the AI tests: a test that takes `any_game` runs for every registered game at its extreme seat counts."""
from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from seatmate.engine.core.game import Game, State
from seatmate.engine.core.playout import play_randomly
from seatmate.engine.core.registry import list_games, new_game

Positions = Callable[..., Iterator[tuple[State, int]]]


def game_cases() -> list[tuple[str, int]]:
    """(game, seats) with the fewest and the most seats of each game."""
    return [(spec.id, seats) for spec in list_games()
            for seats in sorted({spec.modes[0].seats[0], spec.modes[0].seats[-1]})]


@pytest.fixture(params=game_cases(), ids=lambda case: f"{case[0]}-{case[1]}")
def any_game(request: pytest.FixtureRequest) -> Game:
    """One game of each registered kind and extreme seat count, with its default options."""
    return new_game(request.param[0], seats=request.param[1])


@pytest.fixture
def positions(any_game: Game) -> Positions:
    """positions(count): undecided positions of random games with a pending seat that has a choice."""
    def generate(count: int) -> Iterator[tuple[State, int]]:
        for seed in range(1, 1000):
            depth = (seed * 7) % min(any_game.spec.max_decisions, 120)
            state = any_game.new_state(seed, record_events=False)
            play_randomly(state, depth, seed)
            while state.is_over:                # some games are short however long they may be
                depth //= 2
                state = any_game.new_state(seed, record_events=False)
                play_randomly(state, depth, seed)
            for seat in state.pending:
                if count and len(state.legal_actions(seat)) > 1:
                    count -= 1
                    yield state, seat
            if not count:
                return
        raise AssertionError(f"{any_game.spec.id} offers too few positions")
    return generate


@pytest.fixture
def kuhn() -> Game:
    """Kuhn poker: small enough to know every answer."""
    return new_game("kuhn")


@pytest.fixture
def kuhn_position(kuhn: Game) -> Callable[[str, str], tuple[State, int]]:
    """kuhn_position("KJ", "pb"): seat 0 holds K, seat 1 J, and seat 0 passed, seat 1 bet."""
    def build(cards: str, moves: str) -> tuple[State, int]:
        for seed in range(1000):
            state = kuhn.new_state(seed)
            if all(state.observation(seat)["cards"][seat] == cards[seat] for seat in range(2)):
                for move in moves:
                    state.apply_action(state.pending[0], "pb".index(move))
                return state, state.pending[0]
        raise AssertionError(f"no seed deals {cards}")
    return build
