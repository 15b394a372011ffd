"""Search and policies: simulations per second at the opening, a bot's answer, a whole heuristic game.

Every benchmark states its work in `extra_info`, so that per-second figures can be read off the report.
"""
from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from seatmate.ai.arena.match import play_game
from seatmate.ai.bench import heuristic_playouts
from seatmate.ai.bots import make_bot, make_policy, parse_bot
from seatmate.ai.search import Limits, Search, SearchParams
from seatmate.engine.core.registry import new_game

TABLES = [("kuhn", 2), ("hyde", 2), ("hyde", 4)]


@pytest.fixture(params=TABLES, ids=lambda table: f"{table[0]}-{table[1]}")
def table(request: pytest.FixtureRequest) -> tuple[str, int]:
    table: tuple[str, int] = request.param
    return table


@pytest.mark.parametrize("iterations", [1000, 20_000])
@pytest.mark.parametrize("kind", ["default", "plain"])
def test_search(benchmark: BenchmarkFixture, table: tuple[str, int], iterations: int, kind: str) -> None:
    """One search from nothing; `plain` has uniform priors and random rollouts to the end, as in the literature."""
    state = new_game(table[0], seats=table[1]).new_state(1)
    params = SearchParams.plain() if kind == "plain" else SearchParams.for_game(state.game.spec)
    benchmark.extra_info["simulations"] = iterations
    rounds = 3 if table[0] == "hyde" else 10

    def search() -> int:
        return Search(state, state.pending[0], seed=1, params=params).simulate(Limits(iterations=iterations))

    assert benchmark.pedantic(search, rounds=rounds, warmup_rounds=1) == iterations


def test_analysis(benchmark: BenchmarkFixture, table: tuple[str, int]) -> None:
    """Turning a finished search into words: candidates, principal variations, reasons."""
    state = new_game(table[0], seats=table[1]).new_state(1)
    search = Search(state, state.pending[0], seed=1)
    search.simulate(Limits(iterations=1000))
    assert benchmark(search.analysis).iterations == 1000


@pytest.mark.parametrize("bot", ["random", "heuristic", "search:iterations=1"])
def test_choose(benchmark: BenchmarkFixture, table: tuple[str, int], bot: str) -> None:
    """One answer of a bot from Python."""
    state = new_game(table[0], seats=table[1]).new_state(1)
    chooser = make_bot(bot, 1)
    seat = state.pending[0]
    assert benchmark(chooser.choose, state, seat) in state.legal_actions(seat)


def test_heuristic_playouts(benchmark: BenchmarkFixture, table: tuple[str, int]) -> None:
    """Whole games by score_actions alone, in one C loop."""
    game = new_game(table[0], seats=table[1])
    games = 100
    benchmark.extra_info["games"] = games
    decisions, _ = benchmark(heuristic_playouts, game, games, 1)
    benchmark.extra_info["decisions"] = decisions


def test_tournament_game(benchmark: BenchmarkFixture, table: tuple[str, int]) -> None:
    """A tournament's game between random bots: the cost of dealing and seating around the C loop."""
    game = new_game(table[0], seats=table[1])
    handles = [make_policy(game, parse_bot("random").resolve(game.spec))] * game.seats
    utilities = benchmark(play_game, game, handles, 1, list(range(game.seats)))
    assert len(utilities) == game.seats
