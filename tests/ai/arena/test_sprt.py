"""The sequential test: published log-likelihood ratios, limits of the method, and its error rates by simulation."""
from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from seatmate.ai.arena import Sprt, SprtRun, TournamentError, elo_to_score, score_to_elo
from seatmate.ai.arena.sprt import PENTANOMIAL

Sampler = Callable[[np.random.Generator, float], float]


@pytest.mark.parametrize(("pull_request", "counts", "elo0", "elo1", "llr"), [
    # What fishtest printed for tests of Stockfish: "LLR: 2.96 ... {-0.25,1.25} ... Ptnml(0-2): 491, 7345, ..."
    (2971, (17, 253, 1042, 337, 39), -0.5, 1.5, 2.96),
    (2971, (11, 407, 3238, 513, 11), 0.25, 1.75, 2.93),
    (2950, (133, 1751, 5094, 1849, 165), -0.5, 1.5, 2.94),
    (2950, (149, 4748, 32785, 5063, 159), 0.25, 1.75, 2.95),
    (3098, (491, 7345, 29693, 7670, 465), -0.25, 1.25, 2.96),
    (3098, (53, 2220, 21459, 2445, 47), 0.25, 1.25, 2.97),
    (3209, (253, 4282, 17604, 4431, 286), -0.25, 1.25, 2.94),
    (3209, (58, 3302, 33130, 3518, 84), 0.25, 1.25, 2.97),
    (3331, (115, 2196, 11328, 2317, 136), -0.25, 1.25, 2.94),
    (3331, (14, 1030, 14318, 1163, 19), 0.25, 1.25, 2.93),
])
def test_published_ratios_of_fishtest(pull_request: int, counts: tuple[int, ...], elo0: float, elo1: float, llr: float) -> None:
    seen = dict(zip(PENTANOMIAL, counts, strict=True))
    assert round(Sprt.from_elo(elo0, elo1).llr(seen), 2) == llr


def test_the_bounds_are_walds() -> None:
    assert (round(Sprt(0.5, 0.6).lower, 2), round(Sprt(0.5, 0.6).upper, 2)) == (-2.94, 2.94)    # as fishtest prints them
    lopsided = Sprt(0.5, 0.6, alpha=0.01, beta=0.1)
    assert math.exp(lopsided.lower) == pytest.approx(0.1 / 0.99) and math.exp(lopsided.upper) == pytest.approx(0.9 / 0.01)


def test_elo_and_score() -> None:
    assert elo_to_score(0) == 0.5 and elo_to_score(400) == pytest.approx(10 / 11)
    assert score_to_elo(elo_to_score(-123)) == pytest.approx(-123)
    assert elo_to_score(-1e9) == 0 and elo_to_score(1e9) == 1 and elo_to_score(-math.inf) == 0
    assert score_to_elo(1.0) == math.inf and score_to_elo(0.0) == -math.inf
    assert Sprt.from_difference(0, 0.02) == Sprt(0.5, 0.51)
    assert Sprt.from_elo(0, 10).score1 == elo_to_score(10)


def test_the_ratio_is_antisymmetric() -> None:
    """Seen from the other bot, with the hypotheses exchanged, the evidence is the same with the other sign."""
    seen = {0.0: 3, 0.25: 10, 0.5: 40, 0.75: 22, 1.0: 7}
    mirrored = {1 - score: count for score, count in seen.items()}
    assert Sprt(0.45, 0.53).llr(seen) == pytest.approx(-Sprt(0.47, 0.55).llr(mirrored))
    graded = {0.31: 3, 0.5: 10, 0.62: 4, 0.97: 1}
    mirrored = {1 - score: count for score, count in graded.items()}
    assert Sprt(0.45, 0.53).llr(graded) == pytest.approx(-Sprt(0.47, 0.55).llr(mirrored))


def test_many_graded_deals_are_as_good_as_normal_ones() -> None:
    """For large numbers the generalised ratio is that of normal deals: n (s1 - s0) (2 mean - s0 - s1) / (2 variance)."""
    scores = np.random.default_rng(3).beta(5, 5, 4000).round(9)
    run = SprtRun(Sprt(0.5, 0.51, 1e-6, 1e-6))
    run.counts.update(scores.tolist())
    expected = 4000 * 0.01 * (2 * scores.mean() - 1.01) / (2 * scores.var())
    assert run.sprt.llr(run.counts) == pytest.approx(expected, rel=0.02, abs=0.02)


def test_few_equal_deals_decide_nothing() -> None:
    """Without any spread a variance would be 0 and the evidence infinite."""
    for score in (0.0, 0.25, 0.5, 0.6, 1.0):
        run = SprtRun(Sprt.from_elo(0, 20))
        for _ in range(10):
            assert run.add(score) is None
        assert math.isfinite(run.llr)
    run = SprtRun(Sprt(0.45, 0.55, 0.49, 0.49))
    assert run.add(1.0) is None     # one deal has no interval, so that no tournament may end with it
    assert run.add(1.0) == "H1"


def test_a_verdict_is_final() -> None:
    run = SprtRun(Sprt.from_elo(0, 100))
    while run.add(1.0) is None:
        assert run.counts.total() < 50
    assert run.verdict == "H1" and run.llr >= run.sprt.upper
    deals = run.counts.total()
    for _ in range(1000):
        run.add(0.0)
    report = run.report("a", "b")
    assert (report.verdict, report.deals, report.pentanomial) == ("H1", deals, (0, 0, 0, 0, deals))
    assert (report.first, report.second, report.score) == ("a", "b", 1.0)


def test_a_report_without_deals_or_with_graded_ones() -> None:
    run = SprtRun(Sprt(0.5, 0.6))
    empty = run.report("a", "b")
    assert (empty.deals, empty.score, empty.llr, empty.verdict) == (0, None, 0.0, None)
    run.add(0.1 + 0.2)      # equals 0.3 but for rounding
    run.add(0.3)
    assert run.counts == {0.3: 2} and run.report("a", "b").pentanomial is None


def pair_of_games(rng: np.random.Generator, mean: float) -> float:
    """Two games with draws, and a deal that favours one seat."""
    luck = rng.choice((-0.15, 0.15))
    points = 0.0
    for favour in (luck, -luck):
        win = mean + favour - 0.15
        points += rng.choice((1, 0.5, 0), p=(win, 0.3, 0.7 - win))
    return points / 2


def graded(rng: np.random.Generator, mean: float) -> float:
    """Scores in a thousand steps, skewed for means away from 1/2."""
    return round(float(rng.beta(4 * mean, 4 * (1 - mean))), 3)


@pytest.mark.parametrize("sample", [pair_of_games, graded])
@pytest.mark.parametrize("truth", ["H0", "H1"])
def test_error_rates(sample: Sampler, truth: str) -> None:
    """The wrong verdict comes up in 5 % of the tests: 15 of 300, with 3 standard deviations (11) of room."""
    plan = Sprt.from_elo(0, 60)
    rng = np.random.default_rng(1)
    wrong = 0
    for _ in range(300):
        run = SprtRun(plan)
        while run.add(sample(rng, plan.score0 if truth == "H0" else plan.score1)) is None:
            assert run.counts.total() < 5000
        wrong += run.verdict != truth
    assert wrong <= 15 + 11


@pytest.mark.parametrize(("make", "message"), [
    (lambda: Sprt(0.6, 0.5), "ascending"), (lambda: Sprt(0.0, 0.5), "ascending"), (lambda: Sprt(0.5, math.nan), "ascending"),
    (lambda: Sprt(0.5, 0.6, alpha=0), "alpha"), (lambda: Sprt(0.5, 0.6, beta=0.5), "beta"),
    (lambda: Sprt.from_elo(5, 5), "below elo1"), (lambda: Sprt.from_elo(0, math.inf), "outside"),
    (lambda: Sprt.from_difference(0.1, 0), "ascending"), (lambda: Sprt.from_difference(0, 1), "inside -1..1"),
])
def test_impossible_plans_say_why(make: Callable[[], Sprt], message: str) -> None:
    with pytest.raises(TournamentError, match=message):
        make()
