"""Small tournaments with fixed seeds: the order of the bots' strength, with room for noise. TUNING.md has the big ones."""
from __future__ import annotations

import pytest

from seatmate.ai.arena import TournamentResult, run_tournament


def difference(result: TournamentResult, a: str, b: str) -> tuple[float, float]:
    """(mean, half width) of a - b."""
    for pair in result.pairs:
        if (pair.a, pair.b) == (a, b):
            return pair.mean, pair.ci95
        if (pair.a, pair.b) == (b, a):
            return -pair.mean, pair.ci95
    raise AssertionError(f"{a} never met {b}")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_hyde_heuristic_beats_random_by_far(seats: int) -> None:
    result = run_tournament("hyde", seats=seats, bots=["random", "heuristic"], deals=100, seed=5, workers=1)
    mean, half = difference(result, "heuristic", "random")
    assert mean - half > 0.5


def test_hyde_search_beats_its_heuristic() -> None:
    search = "search:iterations=100"
    result = run_tournament("hyde", seats=2, bots=["heuristic", search], deals=60, seed=5)
    mean, half = difference(result, search, "heuristic")
    assert mean - half > 0


def test_kuhn_bots_beat_random() -> None:
    search = "search:iterations=100:split_private=true"
    result = run_tournament("kuhn", seats=2, bots=["random", "heuristic", search], deals=2000, seed=5, workers=1)
    for bot in ("heuristic", search):
        mean, half = difference(result, bot, "random")
        assert mean - half > 0


@pytest.mark.parametrize(("game_id", "iterations", "deals"), [
    ("connect_four", 100, 30), ("tic_tac_toe", 50, 40), ("hanabi", 100, 20), ("goofspiel", 100, 300), ("mythos", 50, 10),
    ("titans", 60, 16), ("hundred_days", 60, 16),
])
def test_search_beats_its_heuristic(game_id: str, iterations: int, deals: int) -> None:
    search = f"search:iterations={iterations}"
    result = run_tournament(game_id, seats=2, bots=["heuristic", search], deals=deals, seed=5)
    mean, half = difference(result, search, "heuristic")
    assert mean - half > 0
