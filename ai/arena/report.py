"""TournamentResult: what a finished tournament says about its bots."""
from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seatmate.ai.arena.deal import Deal, total_faults
from seatmate.ai.arena.match import win_shares
from seatmate.ai.arena.plans import TournamentError
from seatmate.ai.arena.ratings import Ratings, comparisons, rate
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.arena.sprt import Sprt, SprtReport, SprtRun
from seatmate.ai.arena.statistics import mean_and_interval, paired_difference
from seatmate.ai.arena.store import load_results
from seatmate.ai.bots.registry import parse_bot

COOPERATIVE_WIN = 0.5
"""A cooperative game counts as won from this utility on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one bot did.

    mean_utility: over its seats and deals, 0..1 · ci95: half width of the 95 % t-interval over deals ·
    win_rate: competitive games: mean share of the win; cooperative games: share of games with utility >= 0.5 ·
    games: games it sat in.
    """

    bot: str
    mean_utility: float
    ci95: float
    win_rate: float
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedDifference:
    """mean: mean over common deals of (utility of a - utility of b) · ci95: half width of its 95 % t-interval."""

    a: str
    b: str
    mean: float
    ci95: float
    deals: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentResult:
    """A finished tournament. game .. permutations reproduce it, whatever the number of workers, where `reproducible` is true.

    reproducible: no bot has a time budget · lineups: games on each deal · standings: best first · pairs: each two bots once,
    in the order of the standings · sprt, ratings: None where not asked for · faults: what bots of somebody else did wrong, by
    bot and kind (see Faults).
    """

    game: str
    mode: str
    seats: int
    options: dict[str, Any]
    pack: str
    pack_hash: str
    rules_version: int
    deals: int
    seed: int
    permutations: str
    reproducible: bool
    cooperative: bool
    lineups: int
    games: int
    standings: tuple[Standing, ...]
    pairs: tuple[PairedDifference, ...]
    sprt: SprtReport | None = None
    ratings: Ratings | None = None
    faults: dict[str, dict[str, int]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def bot_means(spec: TournamentSpec, utilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """One number per deal and bot, shape (deals, bots): the mean over its seats in all games on that deal.

    utilities: shape (deals, lineups, seats).
    """
    seats = np.array(spec.lineups)
    return np.stack([utilities[:, seats == bot].mean(axis=1) for bot in range(len(spec.bots))], axis=1)


def deal_score(means: Sequence[float] | NDArray[np.float64]) -> float:
    """Score of the first of two bots on a deal, 0..1, for the sequential test."""
    return 0.5 + float(means[0] - means[1]) / 2


def summarise(spec: TournamentSpec, deals: Sequence[Deal], *, sprt: SprtReport | None = None, ratings: bool = False,
              anchor: str | None = None) -> TournamentResult:
    """Standings, paired differences and, on request, ratings of at least two deals. Raises TournamentError."""
    if len(deals) < 2:
        raise TournamentError(f"{len(deals)} deals are too few for an interval; at least 2 are needed")
    utilities = np.array(deals, dtype=np.float64)
    means = bot_means(spec, utilities)
    seats = np.array(spec.lineups)
    if spec.cooperative:
        wins = (utilities >= COOPERATIVE_WIN).astype(np.float64)
    else:
        wins = np.array([[win_shares(game) for game in deal] for deal in deals])
    standings = []
    for bot, name in enumerate(spec.labels):
        mean, half = mean_and_interval(means[:, bot].tolist())
        games = len(deals) * sum(bot in lineup for lineup in spec.lineups)
        standings.append(Standing(bot=name, mean_utility=mean, ci95=half, win_rate=float(wins[:, seats == bot].mean()),
                                  games=games))
    order = sorted(range(len(spec.bots)), key=lambda bot: -standings[bot].mean_utility)
    pairs = []
    for a, b in itertools.combinations(order, 2):
        mean, half = paired_difference(means[:, a].tolist(), means[:, b].tolist())
        pairs.append(PairedDifference(a=spec.labels[a], b=spec.labels[b], mean=mean, ci95=half, deals=len(deals)))
    rated = None
    if ratings:
        model = "Plackett-Luce" if spec.seats > 2 and not spec.cooperative else "Bradley-Terry"
        rated = rate(comparisons(utilities, spec.lineups, len(spec.bots), spec.cooperative), spec.labels, anchor=anchor,
                     model=model)
    settings = spec.settings
    return TournamentResult(
        game=settings["game"], mode=settings["mode"], seats=spec.seats, options=dict(settings["options"]),
        pack=settings["pack"], pack_hash=settings["pack_hash"], rules_version=spec.rules_version, deals=len(deals),
        seed=spec.seed, permutations=spec.permutations, reproducible=spec.reproducible, cooperative=spec.cooperative,
        lineups=len(spec.lineups), games=len(deals) * len(spec.lineups),
        standings=tuple(standings[bot] for bot in order), pairs=tuple(pairs), sprt=sprt, ratings=rated,
        faults=total_faults(spec.labels, deals))


def report(path: str | os.PathLike[str], *, sprt: Sprt | None = None, ratings: bool = False,
           anchor: str | None = None) -> TournamentResult:
    """The result of the deals in a results file, without playing any. Raises ResultsError, TournamentError, OSError."""
    spec, deals = load_results(path)
    run = None
    if sprt is not None:
        run = start_sprt(spec, sprt)
        for means in bot_means(spec, np.array(deals, dtype=np.float64)) if deals else ():
            run.add(deal_score(means))
    if ratings and len(spec.bots) < 2:
        raise TournamentError("ratings compare bots; at least two are needed")
    anchor = None if anchor is None else str(parse_bot(anchor))
    return summarise(spec, deals, sprt=run.report(*spec.labels) if run else None, ratings=ratings, anchor=anchor)


def start_sprt(spec: TournamentSpec, sprt: Sprt) -> SprtRun:
    """The test of the two bots. Raises TournamentError where there are not two."""
    if len(spec.bots) != 2:
        raise TournamentError(f"a sequential test compares two bots, not {len(spec.bots)}")
    return SprtRun(sprt)
