"""Ranks, scores of pairs, seats and budgets of a result: hand-made deals."""
from __future__ import annotations

import numpy as np
import pytest

from seatmate.ai.arena import TournamentSpec, run_tournament
from seatmate.ai.arena.deal import Deal
from seatmate.ai.arena.figures import budget_curves, game_length, seat_figures
from seatmate.ai.arena.report import summarise


def spec(*bots: str, **change: object) -> TournamentSpec:
    return TournamentSpec.create("kuhn", seats=2, bots=bots, seed=1, **change)  # type: ignore[arg-type]


def test_who_can_not_be_told_apart_shares_a_rank() -> None:
    three = spec("random", "heuristic", "search:iterations=10")
    deals = []
    for deal in range(40):      # the third wins all; of the other two either wins on every second deal
        games = [[1.0, 0.0] if seats[0] == 2 or (2 not in seats and (seats[0] == 0) == (deal % 2 == 0)) else [0.0, 1.0]
                 for seats in three.lineups]
        deals.append(Deal(games))
    result = summarise(three, deals)
    assert (result.standings[0].bot, result.standings[0].rank) == ("search:iterations=10", 1)
    assert {row.rank for row in result.standings[1:]} == {2}
    even = next(pair for pair in result.pairs if "search:iterations=10" not in (pair.a, pair.b))
    assert even.verdict == "no clear difference" and even.superiority == pytest.approx(0.5) and even.score == 0.5
    for pair in result.pairs:
        if pair.a == "search:iterations=10":
            assert (pair.score, pair.verdict) == (1.0, "clearly better") and pair.superiority > 0.999
            assert pair.score_ci95 == pytest.approx(0.0722, abs=1e-4)       # the rule of three for 40 deals


def test_the_score_of_a_pair_is_that_of_its_own_games() -> None:
    three = spec("random", "heuristic", "search:iterations=10")
    rng = np.random.default_rng(2)
    wins = rng.integers(0, 2, (30, len(three.lineups))).astype(float)
    result = summarise(three, [Deal(games) for games in np.stack([wins, 1 - wins], axis=2).tolist()])
    for pair in result.pairs:
        a, b = three.labels.index(pair.a), three.labels.index(pair.b)
        first, second = three.lineups.index((a, b)), three.lineups.index((b, a))
        scores = (wins[:, first] + 1 - wins[:, second]) / 2
        assert pair.score == pytest.approx(scores.mean())
        assert pair.score_ci95 == pytest.approx(2.0452 * scores.std(ddof=1) / np.sqrt(30), rel=1e-4)


def test_seats_are_measured_where_all_sit_everywhere() -> None:
    two = spec("random", "heuristic")
    utilities = np.array([[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [1.0, 0.0]]])     # the first seat wins three of four
    first, second = seat_figures(two, utilities, utilities)
    assert (first.seat, first.mean_utility, first.win_rate) == (0, 0.75, 0.75) and second.mean_utility == 0.25
    assert first.ci95 == pytest.approx(12.7062 * 0.25, rel=1e-4)
    assert seat_figures(spec("random", "heuristic", lineups=((0, 1),)), utilities[:, :1], utilities[:, :1]) == ()
    tables = TournamentSpec.create("hanabi", seats=2, bots=["random"], seed=1)
    assert seat_figures(tables, utilities[:, :1], utilities[:, :1]) == ()


def test_bots_that_differ_only_in_a_budget_are_a_curve() -> None:
    bots = ("search:iterations=100", "heuristic", "search:iterations=20", "search:exploration=0.5:iterations=20",
            "search:time_ms=5", "search:exploration=0.5:iterations=40", "search:iterations=20:time_ms=5",
            "somebodys:iterations=5")
    curves = budget_curves(bots, [(number / 10, 0.01) for number in range(len(bots))])
    assert [(curve.bot, curve.budget, [(point.amount, point.mean_utility) for point in curve.points]) for curve in curves] == [
        ("search", "iterations", [(20, 0.2), (100, 0.0)]), ("search:exploration=0.5", "iterations", [(20, 0.3), (40, 0.5)])]


def test_lengths_are_of_all_games_and_their_mean_is_over_deals() -> None:
    deals = [Deal([[1.0, 0.0]] * 2, decisions=counts) for counts in ([2, 4], [3, 9], [2, 4])]
    length = game_length([*deals, Deal([[1.0, 0.0]] * 2)])
    assert length is not None
    assert (length.mean, length.shortest, length.median, length.longest, length.games) == (4, 2, 3.5, 9, 6)
    assert length.ci95 == pytest.approx(4.3027, rel=1e-4)       # means 3, 6, 3: s = sqrt(3); t(2 df) = 4.3027
    assert game_length(deals[:1]) is None


def test_the_decisions_of_a_game_are_those_with_a_choice() -> None:
    """Nine moves fill the board of tic-tac-toe; the last of them is no choice."""
    result = run_tournament("tic_tac_toe", seats=2, bots=["random", "heuristic"], deals=60, seed=1, workers=1)
    assert result.length is not None and (result.length.shortest, result.length.longest) == (5, 8) and result.length.games == 120
    slowly = run_tournament("kuhn", seats=2, bots=["search:iterations=20:threads=2", "random"], deals=30, seed=1, workers=1)
    assert slowly.length is not None and (slowly.length.shortest, slowly.length.longest) == (2, 3)
