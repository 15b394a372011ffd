"""Ratings: agreement with choix on raw data, ties, bots without a finite rating, and coverage of the intervals."""
from __future__ import annotations

import math
import random
from typing import Any

import choix
import numpy as np
import pytest

from seatmate.ai.arena import Rating, Ratings, TournamentError, comparisons, rate, run_tournament, score_to_elo
from seatmate.ai.arena.ratings import ELO

NAMES = ("a", "b", "c", "d")


def by_name(ratings: Ratings) -> dict[str, Rating]:
    return {rating.bot: rating for rating in ratings.ratings}


def elos(ratings: Ratings) -> list[float]:
    """In the order of the names."""
    return [by_name(ratings)[name].elo for name in NAMES if name in by_name(ratings)]


# ---- From games to comparisons ----

@pytest.mark.parametrize(("lineup", "utilities", "expected"), [
    # expected[i][j]: what bot i won against bot j
    ((0, 1), (1, 0), [[0, 1], [0, 0]]),                                     # a win
    ((1, 0), (1, 0), [[0, 0], [1, 0]]),                                     # ... of the other bot
    ((0, 1), (0.5, 0.5), [[0, 0.5], [0.5, 0]]),                             # a draw
    ((0, 1), (0.75, 0.25), [[0, 0.75], [0.25, 0]]),                         # a share
    ((0, 1, 2), (1, 0, 0), [[0, 1, 1], [0, 0, 0], [0, 0, 0]]),              # one winner: the others are not compared
    ((0, 1, 2), (0.5, 0.5, 0), [[0, 0.5, 1], [0.5, 0, 1], [0, 0, 0]]),      # a shared win
    ((0, 1, 2), (0.2, 0.7, 0.1), [[0, 0, 1], [1, 0, 1], [0, 0, 0]]),        # a ranking
    ((0, 1, 2), (0.3, 0.3, 0.3), [[0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]]),    # nobody is better
    ((0, 1, 0), (0.2, 0.7, 1), [[0, 1], [1, 0]]),                           # a bot does not play against itself
    ((0, 1, 0, 1), (1, 0, 1, 0), [[0, 4], [0, 0]]),                         # two seats each: four comparisons
])
def test_comparisons_of_one_game(lineup: tuple[int, ...], utilities: tuple[float, ...], expected: list[list[float]]) -> None:
    wins = comparisons(np.array([[utilities]]), [lineup], len(expected), False)
    assert wins.shape == (1, len(expected), len(expected))
    assert wins[0].tolist() == expected


def test_comparisons_are_per_deal_and_add_up_over_its_games() -> None:
    wins = comparisons(np.array([[[1, 0], [1, 0]], [[1, 0], [0.5, 0.5]]]), [(0, 1), (1, 0)], 2, False)
    assert wins.tolist() == [[[0, 1], [1, 0]], [[0, 1.5], [0.5, 0]]]


def test_in_a_cooperative_game_tables_of_the_same_deal_are_compared() -> None:
    utilities = np.array([[[0.8, 0.8], [0.6, 0.6], [0.8, 0.8]]])
    wins = comparisons(utilities, [(0, 0), (1, 1), (2, 2)], 3, True)
    assert wins[0].tolist() == [[0, 1, 0.5], [0, 0, 0], [0.5, 1, 0]]


# ---- The fit ----

def test_bradley_terry_is_that_of_choix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seatmate.ai.arena.ratings.PRIOR_DRAWS", 0)
    strengths = np.array([0.0, 0.4, 1.0, -0.7])
    random.seed(3)          # choix draws from both
    np.random.seed(3)
    games = choix.generate_pairwise(strengths, 500)
    wins = np.zeros((len(games), 4, 4))
    for deal, (winner, loser) in enumerate(games):
        wins[deal, winner, loser] = 1
    expected = choix.opt_pairwise(4, games)
    assert elos(rate(wins, NAMES, replicates=20)) == pytest.approx(ELO * (expected - expected[0]), abs=0.05)


def test_plackett_luce_agrees_with_the_full_likelihood_and_with_the_truth() -> None:
    strengths = np.array([0.0, 0.5, 1.0, -0.8])
    random.seed(5)          # choix draws the items of a ranking from the one, their order from the other
    np.random.seed(5)
    rankings = choix.generate_rankings(strengths, 1500, size=3)
    utilities = np.tile((1.0, 0.6, 0.1), (1, 1))
    wins = np.concatenate([comparisons(utilities[None], [tuple(int(bot) for bot in ranking)], 4, False)
                           for ranking in rankings])
    rated = rate(wins, NAMES, replicates=100)
    likelihood = choix.opt_rankings(4, rankings)
    assert elos(rated) == pytest.approx(ELO * (likelihood - likelihood[0]), abs=9)
    for name, truth in zip(NAMES[1:], ELO * (strengths[1:] - strengths[0]), strict=True):
        rating = by_name(rated)[name]
        assert rating.low is not None and rating.high is not None
        half = (rating.high - rating.low) / 2
        assert half < 40 and abs(rating.elo - truth) < 1.5 * half       # three standard errors


def test_games_that_only_name_the_winner_give_the_same_scale() -> None:
    """A bot with three times the strength wins three times as often: that is what its rating says, losers' ties or not."""
    rng = np.random.default_rng(2)
    strengths = np.array([1.0, 3.0, 2.0])
    winners = rng.choice(3, 6000, p=strengths / strengths.sum())
    utilities = np.eye(3)[winners][:, None, :]
    rated = elos(rate(comparisons(utilities, [(0, 1, 2)], 3, False), NAMES[:3], replicates=20))
    assert rated == pytest.approx([0, 400 * math.log10(3), 400 * math.log10(2)], abs=20)


def test_the_rating_of_two_bots_is_the_elo_of_the_score() -> None:
    result = run_tournament("kuhn", seats=2, bots=["random", "heuristic"], deals=2000, seed=1, workers=1, ratings=True)
    assert result.ratings is not None and result.ratings.model == "Bradley-Terry"
    score = next(row.mean_utility for row in result.standings if row.bot == "heuristic")
    heuristic = by_name(result.ratings)["heuristic"]
    assert heuristic.elo == pytest.approx(score_to_elo(score), abs=0.1)
    half = next(row.ci95 for row in result.standings if row.bot == "heuristic")
    assert heuristic.low == pytest.approx(score_to_elo(score - half), abs=1.5)
    assert heuristic.high == pytest.approx(score_to_elo(score + half), abs=1.5)


def test_the_anchor_only_moves_the_zero() -> None:
    wins = np.random.default_rng(1).binomial(2, 0.5, (100, 3, 3)) * (1 - np.eye(3))
    first, second = rate(wins, NAMES[:3]), rate(wins, NAMES[:3], anchor="b")
    assert (first.anchor, second.anchor) == ("a", "b")
    shift = by_name(first)["b"].elo
    for name in NAMES[:3]:
        assert by_name(second)[name].elo == pytest.approx(by_name(first)[name].elo - shift, abs=1e-4)
    assert by_name(second)["b"] == Rating(bot="b", elo=0.0, low=0.0, high=0.0)
    assert [rating.elo for rating in first.ratings] == sorted((rating.elo for rating in first.ratings), reverse=True)
    with pytest.raises(TournamentError, match="'z' is none of the bots"):
        rate(wins, NAMES[:3], anchor="z")


def test_equal_games_get_equal_intervals() -> None:
    wins = np.random.default_rng(1).binomial(2, 0.5, (50, 3, 3)) * (1 - np.eye(3))
    assert rate(wins, NAMES[:3]) == rate(wins, NAMES[:3])


# ---- Bots without a finite rating ----

def matrix(*results: tuple[int, int, float], bots: int = 2, deals: int = 100) -> Any:
    """Equal deals with (winner, loser, comparisons)."""
    wins = np.zeros((deals, bots, bots))
    for winner, loser, count in results:
        wins[:, winner, loser] += count
    return wins


def test_a_bot_that_won_everything_has_a_lower_bound_only() -> None:
    winner = by_name(rate(matrix((1, 0, 2)), NAMES[:2]))["b"]
    assert winner.elo == pytest.approx(400 * math.log10(200.5 / 0.5))       # one drawn comparison was added
    assert winner.high is None
    # 97.5 % bound on the chance to lose both games of a deal when that did not happen in 100: 1 - 0.025^(1/100)
    assert winner.low == pytest.approx(score_to_elo(0.025 ** (1 / 100)), abs=20)
    loser = by_name(rate(matrix((0, 1, 2)), NAMES[:2]))["b"]
    assert loser.low is None and loser.elo == pytest.approx(-winner.elo)
    assert winner.low is not None and loser.high == pytest.approx(-winner.low)


def test_a_ladder_of_bots_that_always_beat_the_next() -> None:
    rated = by_name(rate(matrix((0, 1, 2), (0, 2, 2), (1, 2, 2), bots=3), NAMES[:3], anchor="b"))
    assert rated["a"].high is None and rated["a"].low is not None and 200 < rated["a"].low < rated["a"].elo
    assert rated["c"].low is None and rated["c"].high is not None and rated["c"].elo < rated["c"].high < -200


def test_a_bound_may_come_through_a_third_bot() -> None:
    # c never lost to a, but it lost to b, and b lost to a.
    rated = by_name(rate(matrix((2, 0, 2), (2, 1, 1), (1, 2, 1), (1, 0, 1), (0, 1, 1), bots=3), NAMES[:3]))
    for name in ("b", "c"):
        assert rated[name].low is not None and rated[name].high is not None


def test_bots_that_never_met_are_not_compared() -> None:
    rated = by_name(rate(matrix((0, 1, 1), (1, 0, 1), (2, 3, 1), (3, 2, 1), bots=4), NAMES))
    assert (rated["c"].low, rated["c"].high) == (None, None)
    assert rated["b"].low is not None and rated["b"].high is not None


def test_deals_without_any_spread_are_no_certainty() -> None:
    """Whoever moves first wins: 100 pairs of 1 - 1."""
    even = by_name(rate(matrix((0, 1, 1), (1, 0, 1)), NAMES[:2]))["b"]
    assert even.elo == pytest.approx(0, abs=1e-9) and even.low is not None and even.high is not None
    assert even.high == pytest.approx(-even.low)
    assert 5 < even.high < 40       # 3.7 further deals of 100 won: 12.6 Elo


def test_the_drawn_comparison_only_links_bots_that_met() -> None:
    """A chain in which everybody plays the neighbours only: each step is 2,000 wins to 2, whatever the chain's length."""
    rng = np.random.default_rng(1)
    steps = [(i, i + 1, 2) for i in range(3)]
    wins = matrix(*steps, bots=4, deals=1000)
    for i, deal in enumerate(rng.choice(1000, 3, replace=False)):
        wins[deal, i, i + 1], wins[deal, i + 1, i] = 0, 2
    rated = elos(rate(wins, NAMES, replicates=20))
    step = 400 * math.log10(1998.5 / 2.5)
    assert rated == pytest.approx([0, -step, -2 * step, -3 * step], abs=0.1)


# ---- Coverage ----

def coverage(deals: int, tournaments: int, spread: float) -> tuple[float, float]:
    """How often the interval, and one that takes games for independent, holds the truth, which is 0 Elo.

    A deal gives the first bot a chance of winning both its games: 1/2 on average, different by the deal.
    """
    rng = np.random.default_rng(4)
    held = naive = 0
    for _ in range(tournaments):
        chances = rng.beta(spread, spread, deals)
        points = rng.binomial(2, chances)
        wins = np.zeros((deals, 2, 2))
        wins[:, 0, 1], wins[:, 1, 0] = 2 - points, points
        rating = by_name(rate(wins, NAMES[:2], replicates=100))["b"]
        held += (rating.low is None or rating.low <= 0) and (rating.high is None or rating.high >= 0)
        score = points.mean() / 2
        naive += abs(score - 0.5) <= 1.96 * math.sqrt(score * (1 - score) / (2 * deals))
    return held / tournaments, naive / tournaments


@pytest.mark.parametrize("deals", [15, 60])
def test_intervals_cover_the_truth_though_the_games_of_a_deal_depend_on_each_other(deals: int) -> None:
    held, naive = coverage(deals, 200, spread=0.3)
    allowed = 3 * math.sqrt(0.95 * 0.05 / 200)
    assert held >= 0.95 - allowed
    assert held <= 0.95 + allowed or deals < 30     # of few deals the intervals are on the safe side
    assert naive < 0.95 - allowed       # else the test would not notice intervals over games


@pytest.mark.parametrize("deals", [0, 1])
def test_ratings_need_two_deals(deals: int) -> None:
    with pytest.raises(TournamentError, match="at least 2"):
        rate(np.ones((deals, 2, 2)), NAMES[:2])
