"""The benchmarks' C loops do the work they claim."""
from __future__ import annotations

from typing import Any

import pytest

from seatmate.ai.bench import heuristic_playouts, search_simulations_per_s
from seatmate.engine.core.game import Game


def test_heuristic_playouts_count_decisions(any_game: Game) -> None:
    for quick in (False, True):
        decisions, seconds = heuristic_playouts(any_game, 5, 1, quick=quick)
        assert 5 <= decisions <= 5 * any_game.spec.max_decisions and seconds > 0
        assert heuristic_playouts(any_game, 5, 1, quick=quick)[0] == decisions


def test_search_simulations_per_s(any_game: Game) -> None:
    assert search_simulations_per_s(any_game.new_state(1), 50) > 0


def test_nothing_to_measure_is_no_crash() -> None:
    nothing: Any = None
    with pytest.raises(TypeError, match="None"):
        heuristic_playouts(nothing, 1, 1)
    with pytest.raises(TypeError, match="None"):
        search_simulations_per_s(nothing, 50)
