"""Ratings: one number per bot, on the Elo scale, with intervals that know that the games of one deal belong together.

Model. Every bot has a strength w; it finishes ahead of another with probability w / (w + w'). For two seats that is the
Bradley-Terry model, for more the Plackett-Luce model of rankings (Luce 1959, Plackett 1975), under which this holds for every
two entrants whoever else plays. A rating is 400 log10(w / w of the anchor): 400 points are odds of ten to one.

Two seats. A game is one comparison, of which each bot wins its score, 1/2 + (own utility - the other's) / 2: a win, a draw,
or a share where utilities are graded. So a rating is about expected scores, as in the sequential test.

More seats. A game ranks its seats by utility, and every two seats with different bots are one comparison. Fitting
Bradley-Terry to all comparisons of the rankings ("full breaking") estimates Plackett-Luce consistently (Azari Soufiani, Chen,
Parkes, Xia: Generalized method-of-moments for rank aggregation, NIPS 2013), and so does fitting it to the comparisons of the
winners with the rest. Only the order counts: where utilities are graded the best rating may not be the best mean utility.
Ties: equal utilities are half a comparison won by each side. The exception are the last places of a game with a better
place: a game that names its winner says nothing of the others' order, so that they are not compared.

Cooperative games have no opponents; there the bots are compared deal by deal: whose table had the higher utility, or half.

Bots that won or lost everything have no finite maximum-likelihood rating. So each two bots that met get one drawn comparison
on top (`PRIOR_DRAWS`), as in BayesElo; it pulls a little, and vanishes among hundreds of games. The intervals of such bots are
open on the side that the games don't bound.

Intervals resample whole deals with replacement (cluster bootstrap), because the games of a deal share their luck.
"""
from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seatmate.ai.arena.plans import Lineup, TournamentError
from seatmate.ai.arena.statistics import student_t
from seatmate.ai.bots.registry import parse_bot

ELO = 400 / math.log(10)
"""Points of one unit of log strength."""

PRIOR_DRAWS = 1.0
"""Drawn comparisons added between each two bots that met."""

REPLICATES = 1000
"""Resampled tournaments behind the intervals."""

_UNSEEN_DEALS = -math.log(0.025)

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """elo: points above the anchor · low, high: its 95 % interval; None where the games set no bound on that side."""

    bot: str
    elo: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """Best first. anchor: the bot whose rating is 0 by definition · model: see the module."""

    model: str
    anchor: str
    ratings: tuple[Rating, ...]


def comparisons(utilities: Array, lineups: Sequence[Lineup], bots: int, cooperative: bool) -> Array:
    """How often each bot finished ahead of each other on each deal; shape (deals, bots, bots), [deal, ahead, behind].

    utilities: shape (deals, lineups, seats).
    """
    wins = np.zeros((len(utilities), bots, bots))
    if cooperative:
        means = np.stack([utilities[:, lineups.index((bot,) * len(lineups[0]))].mean(axis=1) for bot in range(bots)], axis=1)
        for a, b in itertools.permutations(range(bots), 2):
            wins[:, a, b] = _ahead(means[:, a], means[:, b])
        return wins
    for number, lineup in enumerate(lineups):
        game = utilities[:, number]
        if len(lineup) == 2:
            for seat, other in ((0, 1), (1, 0)):
                wins[:, lineup[seat], lineup[other]] += 0.5 + (game[:, seat] - game[:, other]) / 2
            continue
        last, first = game.min(axis=1), game.max(axis=1)
        for seat, other in itertools.permutations(range(len(lineup)), 2):
            if lineup[seat] != lineup[other]:
                both_last = (game[:, seat] == last) & (game[:, other] == last) & (first > last)
                wins[:, lineup[seat], lineup[other]] += np.where(both_last, 0.0, _ahead(game[:, seat], game[:, other]))
    return wins


def _ahead(a: Array, b: Array) -> Array:
    """1 where a is better than b, 1/2 where they are equal."""
    return (np.sign(a - b) + 1) / 2


def rate(wins: Array, bots: Sequence[str], *, anchor: str | None = None, model: str = "Bradley-Terry",
         replicates: int = REPLICATES) -> Ratings:
    """Ratings of the bots from `comparisons`, shape (deals, bots, bots). anchor: rated 0; by default the first bot.

    Raises TournamentError for an anchor that does not play, and below two deals.
    """
    if len(wins) < 2:
        raise TournamentError(f"{len(wins)} deals are too few for intervals; at least 2 are needed")
    zero = anchor_index(anchor, bots)
    deals, total = len(wins), wins.sum(axis=0)
    prior = _prior(total)
    strength = _fit(total + prior)
    elo = ELO * (strength - strength[zero])
    half = _half_widths(wins, prior, strength, zero, replicates)
    low, high = elo - half, elo + half
    # Where the deals show no spread, resampling shows none either: then the interval allows for deals that were not seen.
    everyone = set(range(len(bots)))
    for bot in everyone - {zero}:
        if half[bot] < 1e-6:
            low[bot] = _with_unseen_deals(total, prior, deals, {bot}, zero, won=False)[bot]
            high[bot] = _with_unseen_deals(total, prior, deals, {bot}, zero, won=True)[bot]
    no_high, no_low = everyone - _beaten(total, zero), everyone - _beaten(total.T, zero)
    if no_high:
        worst = _with_unseen_deals(total, prior, deals, no_high, zero, won=False)
        for bot in no_high:
            low[bot] = worst[bot] - half[bot]
    if no_low:
        best = _with_unseen_deals(total, prior, deals, no_low, zero, won=True)
        for bot in no_low:
            high[bot] = best[bot] + half[bot]
    ratings = [Rating(bot=name, elo=float(elo[bot]), low=None if bot in no_low else float(low[bot]),
                      high=None if bot in no_high else float(high[bot])) for bot, name in enumerate(bots)]
    return Ratings(model=model, anchor=bots[zero], ratings=tuple(sorted(ratings, key=lambda rating: -rating.elo)))


def fit(wins: Array) -> Array:
    """Log strengths (times ELO: points), mean 0, of bots that met as wins[ahead, behind] says, shape (bots, bots)."""
    return _fit(wins + _prior(wins))


def anchor_label(anchor: str, labels: Sequence[str]) -> str:
    """The anchor as results name it, whose names are `labels`: one of them (`heuristic (2)`), or any text of a bot.

    Raises BotError for a text that is neither.
    """
    return anchor if anchor in labels else str(parse_bot(anchor))   # a label may be of a bot file that is not loaded here


def anchor_index(anchor: str | None, bots: Sequence[str]) -> int:
    """Which bot is the anchor; the first by default. Raises TournamentError for one that does not play."""
    if anchor is None:
        return 0
    if anchor not in bots:
        raise TournamentError(f"the anchor {anchor!r} is none of the bots ({', '.join(bots)})")
    return bots.index(anchor)


def _prior(total: Array) -> Array:
    """The drawn comparisons of the bots that met; of all where otherwise nothing would link them. Shape (bots, bots)."""
    met = total + total.T > 0
    if len(_reached(met, 0)) < len(met):
        met = ~np.eye(len(total), dtype=bool)
    return PRIOR_DRAWS / 2 * met.astype(np.float64)


def _fit(wins: Array, start: Array | None = None) -> Array:
    """Maximum-likelihood log strengths, mean 0; wins[i, j]: comparisons i won against j, shape (bots, bots)."""
    import choix  # it takes most of a second, which no worker and no tournament without ratings should wait for

    fitted: Array = choix.ilsr_pairwise_dense(wins, initial_params=start, max_iter=10_000)
    return fitted


def _half_widths(wins: Array, prior: Array, strength: Array, zero: int, replicates: int) -> Array:
    """Half widths of the 95 % intervals, in Elo: t quantile * standard error by resampling the deals.

    The t factor and n / (n - 1) matter for few deals, where percentiles of the replicates give intervals that are too short.
    """
    deals, bots = len(wins), len(strength)
    # Equal deals are drawn together: two bots at two seats have no more than a handful of different deals.
    kinds, counts = np.unique(wins.reshape(deals, -1), axis=0, return_counts=True)
    rng = np.random.default_rng(0)      # equal games get equal intervals
    sampled = np.empty((replicates, bots))
    for replicate in sampled:
        drawn = rng.multinomial(deals, counts / deals) @ kinds
        fitted = _fit(drawn.reshape(bots, bots) + prior, strength)
        replicate[:] = ELO * (fitted - fitted[zero])
    error = sampled.std(axis=0, ddof=1) * math.sqrt(deals / (deals - 1))
    widths: Array = student_t(deals - 1, 0.975) * error
    return widths


def _beaten(wins: Array, bot: int) -> set[int]:
    """The bot and all that it, or one it has beaten, or one that one has beaten ..., has beaten: its wins bound them above."""
    return _reached(wins > 0, bot)


def _reached(links: NDArray[np.bool_], start: int) -> set[int]:
    """Where links[i, j] leads, one after the other, from the start; that too. Shape (bots, bots)."""
    found, last = {start}, [start]
    while last:
        last = [int(other) for other in np.flatnonzero(links[last.pop()]) if other not in found] + last
        found.update(last)
    return found


def _with_unseen_deals(total: Array, prior: Array, deals: int, some: set[int], zero: int, *, won: bool) -> Array:
    """Elo if `some` had won (or lost) every comparison with the rest on _UNSEEN_DEALS more deals.

    An outcome that did not come up in n deals has, with 97.5 % confidence, a share below 1 - 0.025^(1/n), about that of
    _UNSEEN_DEALS in n (Clopper and Pearson 1934).
    """
    more = (total + total.T) / deals * _UNSEEN_DEALS
    inside = np.isin(np.arange(len(total)), list(some))
    ahead = inside if won else ~inside
    added = np.where(ahead[:, None] & (inside[:, None] != inside[None, :]), more, 0.0)
    fitted = _fit(total + prior + added)
    elo: Array = ELO * (fitted - fitted[zero])
    return elo
