"""Sequential probability ratio test: stop a tournament of two bots as soon as the answer is known.

The test (Wald 1945) decides between H0, the first bot's expected score is score0, and H1, it is score1. The score of a deal
is 1/2 + (mean utility of the first bot - mean utility of the second) / 2, over all games on that deal: for two seats and
utilities of 0, 1/2 and 1 the points per game of the pair of games with exchanged seats. The deals are independent of each
other; the games of one deal are not, so that the deal is the unit, and a pair of games has five outcomes ("pentanomial").

How a deal's scores are distributed is not known, only how they were seen to be. So the likelihoods are generalised: each
hypothesis gets the distribution on the seen scores that makes them most likely among those with its mean. This is the test
of Stockfish's fishtest with logistic Elo (Van den Bergh, "The generalized sequential probability ratio test for a
multinomial distribution", support_MLE_multinomial.pdf, Proposition 1.1), and for scores that are not five values it is
Owen's empirical likelihood ratio (Owen, "Empirical Likelihood", 2001, section 2.9) in the same formula.
The error rates hold for long tests; in simulations that stopped after 50 deals on average 0.05 was up to 0.06 in fact.
"""
from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Self

from seatmate.ai.arena.plans import TournamentError

PENTANOMIAL = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Scores of a pair of games with exchanged seats, per game."""

UNSEEN = 1e-3      # count of an outcome that was not seen yet (the ends always, and all five of a pentanomial)

_LEAST_DEALS = 2    # one deal has no interval, and no tournament is reported without

Verdict = Literal["H0", "H1"]


def elo_to_score(elo: float) -> float:
    """Expected score, 0..1, of a player who is `elo` points stronger: 1 / (1 + 10^(-elo/400))."""
    grown = 10 ** (-abs(elo) / 400)     # at most 1, so that no number is too large
    return 1 / (1 + grown) if elo >= 0 else grown / (1 + grown)


def score_to_elo(score: float) -> float:
    """The inverse of `elo_to_score`; infinite at 0 and 1."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


@dataclass(frozen=True, slots=True)
class Sprt:
    """The plan of a test. score0 < score1, inside 0..1 · alpha: chance to accept H1 where H0 is true · beta: the reverse.

    Raises TournamentError.
    """

    score0: float
    score1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.score0 < self.score1 < 1:
            raise TournamentError(f"a sequential test needs two hypotheses in ascending order, not scores of "
                                  f"{self.score0:g} and {self.score1:g}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise TournamentError(f"{name} of a sequential test must be above 0 and below 0.5, not {value:g}")

    @classmethod
    def from_elo(cls, elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> Self:
        """H0: the first bot is elo0 stronger than the second; H1: elo1 (logistic Elo of the expected score)."""
        for elo in (elo0, elo1):
            if not abs(elo) <= 4000:
                raise TournamentError(f"{elo:g} Elo is outside -4000..4000")
        if not elo0 < elo1:
            raise TournamentError(f"elo0 of a sequential test must be below elo1, not {elo0:g} and {elo1:g}")
        return cls(elo_to_score(elo0), elo_to_score(elo1), alpha, beta)

    @classmethod
    def from_difference(cls, difference0: float, difference1: float, alpha: float = 0.05, beta: float = 0.05) -> Self:
        """The hypotheses as differences in mean utility, first bot - second bot, inside -1..1."""
        if not -1 < difference0 < difference1 < 1:
            raise TournamentError(f"a sequential test needs two differences in ascending order inside -1..1, not "
                                  f"{difference0:g} and {difference1:g}")
        return cls((1 + difference0) / 2, (1 + difference1) / 2, alpha, beta)

    @property
    def lower(self) -> float:
        """H0 is accepted when the log-likelihood ratio falls to this (Wald's bound)."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """H1 is accepted when the log-likelihood ratio rises to this."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Mapping[float, float]) -> float:
        """Generalised log-likelihood ratio of H1 against H0 for how often each score, 0..1, was seen."""
        if not counts:
            return 0.0
        seen = {0.0: UNSEEN, 1.0: UNSEEN}
        if all(score in PENTANOMIAL for score in counts):
            seen = dict.fromkeys(PENTANOMIAL, UNSEEN)
        seen |= counts
        scores = sorted(seen)
        total = math.fsum(seen.values())
        shares = [seen[score] / total for score in scores]
        tilt0 = _tilt(scores, shares, self.score0)
        tilt1 = _tilt(scores, shares, self.score1)
        return total * math.fsum(
            share * (math.log1p(tilt0 * (score - self.score0)) - math.log1p(tilt1 * (score - self.score1)))
            for score, share in zip(scores, shares, strict=True))


def _tilt(scores: Sequence[float], shares: Sequence[float], mean: float) -> float:
    """x for which share / (1 + x (score - mean)) is a distribution with this mean: the most likely one of those.

    scores ascend from 0 to 1, every share is above 0. No share of the answer exceeds 1, which brackets x.
    """
    from scipy.optimize import brentq  # not before a test is wanted: see statistics.student_t

    distances = [score - mean for score in scores]
    pairs = list(zip(shares, distances, strict=True))

    def moment(x: float) -> float:
        return math.fsum(share * distance / (1 + x * distance) for share, distance in pairs)

    low, high = (shares[-1] - 1) / distances[-1], (shares[0] - 1) / distances[0]
    return float(brentq(moment, low, high, xtol=1e-14, rtol=1e-14))


@dataclass(frozen=True, slots=True, kw_only=True)
class SprtReport:
    """How far a test is. llr: log-likelihood ratio, between the bounds lower and upper while undecided ·

    verdict: "H0", "H1", or None while undecided · score: mean score of the first bot · pentanomial: how many pairs of games
    gave the first bot 0, 1/2, 1, 3/2, 2 points; None where deals have other scores.
    After a test that has stopped the mean is biased away from 1/2: the verdict stands, the size of the effect does not.
    """

    first: str
    second: str
    score0: float
    score1: float
    alpha: float
    beta: float
    lower: float
    upper: float
    llr: float
    verdict: Verdict | None
    deals: int
    score: float | None
    pentanomial: tuple[int, int, int, int, int] | None


class SprtRun:
    """A running test: feed it the scores of the deals in their order until it has a verdict."""

    def __init__(self, sprt: Sprt) -> None:
        self.sprt = sprt
        self.counts: Counter[float] = Counter()
        self.llr = 0.0
        self.verdict: Verdict | None = None

    def add(self, score: float) -> Verdict | None:
        """Count one deal. A verdict is final: later deals are not counted."""
        if self.verdict is None:
            self.counts[_rounded(score)] += 1
            self.llr = self.sprt.llr(self.counts)
            if self.counts.total() < _LEAST_DEALS:
                return None
            if self.llr <= self.sprt.lower:
                self.verdict = "H0"
            elif self.llr >= self.sprt.upper:
                self.verdict = "H1"
        return self.verdict

    def report(self, first: str, second: str) -> SprtReport:
        """How far the test is, with the names of the bots."""
        deals = self.counts.total()
        score = math.fsum(score * count for score, count in self.counts.items()) / deals if deals else None
        pentanomial = None
        if all(score in PENTANOMIAL for score in self.counts):
            none, half, one, more, two = (self.counts[score] for score in PENTANOMIAL)
            pentanomial = (none, half, one, more, two)
        plan = self.sprt
        return SprtReport(
            first=first, second=second, score0=plan.score0, score1=plan.score1, alpha=plan.alpha, beta=plan.beta,
            lower=plan.lower, upper=plan.upper, llr=self.llr, verdict=self.verdict, deals=deals, score=score,
            pentanomial=pentanomial)


def _rounded(score: float) -> float:
    """The score without the noise of floating point, so that equal scores count as equal."""
    return round(score, 9)
