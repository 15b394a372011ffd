"""Random games and positions: the material of the conformance checks."""
from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from typing import Any

from seatmate.engine.core.game import Game, State


class Player:
    """Picks a pending seat and one of its actions: half of the games uniformly, half mostly by score_actions.

    Random play alone seldom gets far in games that punish it, so both kinds are needed to reach the rules' corners.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.greed = 0.0 if seed % 2 == 0 else 0.8

    def choose(self, state: State) -> tuple[int, int]:
        """(seat, action) for a game that is not over."""
        seat = self.random.choice(state.pending)
        return seat, self.action(state, seat)

    def action(self, state: State, seat: int) -> int:
        """An action for a pending seat; depends on nothing the seat can't see."""
        legal = state.legal_actions(seat)
        if self.random.random() < self.greed:
            scores = state.score_actions(seat)
            best = max(scores)
            legal = [action for action, score in zip(legal, scores, strict=True) if score == best]
        return self.random.choice(legal)


def random_game(game: Game, seed: int, limit: int | None = None) -> Iterator[State]:
    """The same State before every decision and at the end; `limit` guards against games that do not end."""
    state = game.new_state(seed)
    player = Player(seed)
    limit = game.spec.max_decisions if limit is None else limit
    yield state
    for _ in range(limit):
        if state.is_over:
            return
        seat, action = player.choose(state)
        state.apply_action(seat, action)
        yield state


def play_random_game(game: Game, seed: int) -> State:
    """The end of the random game of this seed."""
    return deque(random_game(game, seed), maxlen=1).pop()


def play_out(state: State, seed: int, limit: int) -> int:
    """Play on to the end in place, at most `limit` decisions. Returns how many there were."""
    player = Player(seed)
    done = 0
    while done < limit and not state.is_over:
        seat, action = player.choose(state)
        state.apply_action(seat, action)
        done += 1
    return done


def positions(game: Game, seed: int, count: int) -> Iterator[State]:
    """The opening, `count` positions spread over one game at random, and the end: the live State, do not play on it."""
    length = sum(1 for _ in random_game(game, seed)) - 1
    chooser = random.Random(seed + 1)
    wanted = {0, length, *chooser.sample(range(length + 1), min(count, length + 1))}
    for step, state in enumerate(random_game(game, seed)):
        if step in wanted:
            yield state


def real(state: Any) -> State:
    """The State itself where a test wraps one (see test_suite_catches)."""
    while hasattr(state, "wrapped"):
        state = state.wrapped
    assert isinstance(state, State)
    return state
