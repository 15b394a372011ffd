"""GameResult: what everybody has at the end, in words, in the game's own unit and as a ranking."""
from __future__ import annotations

import random

import pytest

from seatmate.engine.core.registry import list_games, new_game
from seatmate.server.convert import result_to_message
from seatmate.v1 import observation_pb2


def result(game: str, *, seed: int = 1, **settings: object) -> observation_pb2.GameResult:
    """Of a game that is played at random to its end."""
    state, draw = new_game(game, **settings).new_state(seed), random.Random(seed)
    while not state.is_over:
        seat = state.pending[0]
        state.apply_action(seat, draw.choice(state.legal_actions(seat)))
    return result_to_message(state)


@pytest.mark.parametrize("game", [spec.id for spec in list_games()])
def test_whoever_has_more_is_ranked_better(game):
    for seed in range(2):
        end = result(game, seed=seed)
        seats = range(len(end.returns))
        assert len(end.scores) == (len(seats) if end.score_name else 0)
        if new_game(game).cooperative:
            assert not end.ranks
            assert len(set(end.scores)) <= 1
            continue
        assert min(end.ranks) == 1
        assert all(end.returns[seat] == max(end.returns) for seat in seats if end.ranks[seat] == 1)
        for one in seats:
            better = sum((end.returns[other], *end.scores[other:other + 1]) > (end.returns[one], *end.scores[one:one + 1])
                         for other in seats)
            assert end.ranks[one] == 1 + better


@pytest.mark.parametrize(("game", "name"), [
    ("kuhn", "chips won"), ("hanabi", "points at the end"), ("goofspiel", "points"), ("hundred_days", "points"),
    ("mythos", "points"), ("titans", "points"), ("tic_tac_toe", "")])
def test_scores_are_those_of_the_words(game, name):
    end = result(game)
    assert end.score_name == name
    if name:
        assert f"{max(end.scores):.0f}" in end.text
    if game == "kuhn":
        assert sum(end.scores) == 0
