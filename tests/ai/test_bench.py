"""The benchmarks' C loops do the work they claim."""
from __future__ import annotations

from seatmate.ai.bench import heuristic_playouts, search_simulations_per_s
from seatmate.engine.core.game import Game


def test_heuristic_playouts_count_decisions(any_game: Game) -> None:
    for quick in (False, True):
        decisions, seconds = heuristic_playouts(any_game, 5, 1, quick=quick)
        assert 5 <= decisions <= 5 * any_game.spec.max_decisions and seconds > 0
        assert heuristic_playouts(any_game, 5, 1, quick=quick)[0] == decisions


def test_search_simulations_per_s(any_game: Game) -> None:
    assert search_simulations_per_s(any_game.new_state(1), 50) > 0
