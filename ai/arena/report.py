"""TournamentResult: what a finished tournament says about its bots."""
from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seatmate.ai.arena.deal import Deal, total_faults
from seatmate.ai.arena.figures import (
    BudgetCurve,
    BudgetPoint,
    GameLength,
    SeatFigure,
    budget_curves,
    game_length,
    seat_figures,
)
from seatmate.ai.arena.match import win_shares
from seatmate.ai.arena.plans import TournamentError
from seatmate.ai.arena.ratings import Rating, Ratings, anchor_label, comparisons, rate
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.arena.sprt import Sprt, SprtReport, SprtRun
from seatmate.ai.arena.statistics import bounded, mean_and_interval, paired_difference, ratio_and_interval, superiority
from seatmate.ai.arena.store import load_results

COOPERATIVE_WIN = 0.5
"""A cooperative game counts as won from this utility on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one bot did.

    mean_utility: over its seats and deals, 0..1 · ci95: half width of the 95 % t-interval over deals ·
    win_rate: competitive games: mean share of the win; cooperative games: share of games with utility >= 0.5 ·
    games: games it sat in · rank: 1 + the number of bots that are clearly better, so that bots which the deals can't tell apart
    share a rank.
    """

    bot: str
    mean_utility: float
    ci95: float
    win_rate: float
    games: int
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedDifference:
    """mean: mean over common deals of (utility of a - utility of b), where not everybody meets everybody only of games in which
    both sit · ci95: half width of its 95 % t-interval ·

    superiority: likelihood that a is truly the better one, 0..1 · score: share of its comparisons with b that a won, 0..1 (see
    `ratings`), None where they never met · score_ci95: half width of its 95 % interval over deals.
    """

    a: str
    b: str
    mean: float
    ci95: float
    deals: int
    superiority: float
    score: float | None
    score_ci95: float | None

    @property
    def interval(self) -> tuple[float, float]:
        """Ends of the 95 % interval of the mean, inside -1..1."""
        return bounded(self.mean, self.ci95, -1.0, 1.0)

    @property
    def verdict(self) -> str:
        """Of a, in words."""
        low, high = self.interval
        return "clearly better" if low > 0 else "clearly worse" if high < 0 else "no clear difference"


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentResult:
    """A finished tournament. game .. permutations reproduce it, whatever the number of workers, where `reproducible` is true.

    reproducible: no bot has a time budget · lineups: games on each deal · standings: best first · pairs: each two bots that meet
    once, in the order of the standings · seat_figures: see the function of this name · budgets: bots that differ only in how much
    they may think · length: None where the results don't say it · sprt, ratings: None where not asked for · faults: what bots of
    somebody else did wrong, by bot and kind (see Faults).
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
    seat_figures: tuple[SeatFigure, ...] = ()
    budgets: tuple[BudgetCurve, ...] = ()
    length: GameLength | None = None
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


def everybody_meets(spec: TournamentSpec) -> bool:
    """Do any two bots sit together, or does each play alone? Else means of two bots say little of each other."""
    return spec.cooperative or all(any({a, b} <= set(lineup) for lineup in spec.lineups)
                                   for a, b in itertools.combinations(range(len(spec.bots)), 2))


def against(spec: TournamentSpec, utilities: NDArray[np.float64], a: int,
            b: int) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Utilities of bot a and bot b, one number per deal each: of all their games where everybody meets everybody, else of those in
    which both sit; None where there are none. utilities: shape (deals, lineups, seats).
    """
    seats = np.array(spec.lineups)
    all_games = everybody_meets(spec)
    together = [number for number, lineup in enumerate(spec.lineups) if all_games or {a, b} <= set(lineup)]
    if not together:
        return None
    own, other = (utilities[:, together][:, seats[together] == bot].mean(axis=1) for bot in (a, b))
    return own, other


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
    measured = [mean_and_interval(means[:, bot].tolist()) for bot in range(len(spec.bots))]
    order = sorted(range(len(spec.bots)), key=lambda bot: -measured[bot][0])
    met = comparisons(utilities, spec.lineups, len(spec.bots), spec.cooperative)
    pairs = [pair for a, b in itertools.combinations(order, 2) if (pair := _pair(spec, utilities, met, a, b)) is not None]
    beaten = [pair.b if pair.verdict == "clearly better" else pair.a for pair in pairs if pair.verdict != "no clear difference"]
    standings = [Standing(bot=spec.labels[bot], mean_utility=measured[bot][0], ci95=measured[bot][1],
                          win_rate=float(wins[:, seats == bot].mean()), rank=1 + beaten.count(spec.labels[bot]),
                          games=len(deals) * sum(bot in lineup for lineup in spec.lineups)) for bot in order]
    rated = None
    if ratings:
        model = "Plackett-Luce" if spec.seats > 2 and not spec.cooperative else "Bradley-Terry"
        rated = rate(met, spec.labels, anchor=anchor, model=model)
    settings = spec.settings
    return TournamentResult(
        game=settings["game"], mode=settings["mode"], seats=spec.seats, options=dict(settings["options"]),
        pack=settings["pack"], pack_hash=settings["pack_hash"], rules_version=spec.rules_version, deals=len(deals),
        seed=spec.seed, permutations=spec.permutations, reproducible=spec.reproducible, cooperative=spec.cooperative,
        lineups=len(spec.lineups), games=len(deals) * len(spec.lineups),
        standings=tuple(standings), pairs=tuple(pairs), seat_figures=seat_figures(spec, utilities, wins),
        budgets=budget_curves(spec.bots, measured), length=game_length(deals), sprt=sprt, ratings=rated,
        faults=total_faults(spec.labels, deals))


def _pair(spec: TournamentSpec, utilities: NDArray[np.float64], met: NDArray[np.float64], a: int,
          b: int) -> PairedDifference | None:
    """Two bots by their utilities and `comparisons`; None where they never meet."""
    compared = against(spec, utilities, a, b)
    if compared is None:
        return None
    ours, theirs = (own.tolist() for own in compared)
    mean, half = paired_difference(ours, theirs)
    both = met[:, a, b] + met[:, b, a]
    score, score_half = ratio_and_interval(met[:, a, b], both) if both.any() else (None, None)
    return PairedDifference(a=spec.labels[a], b=spec.labels[b], mean=mean, ci95=half, deals=len(utilities),
                            superiority=superiority(ours, theirs), score=score, score_ci95=score_half)


def report(path: str | os.PathLike[str], *, sprt: Sprt | None = None, ratings: bool = False,
           anchor: str | None = None) -> TournamentResult:
    """The result of the deals in a results file, without playing any. Raises ResultsError, TournamentError, OSError."""
    spec, deals = load_results(path)
    if spec.varied:
        raise TournamentError(f"{path} compares the values of {spec.varied!r} and not bots; the command that made it prints them")
    run = None
    if sprt is not None:
        run = start_sprt(spec, sprt)
        for means in bot_means(spec, np.array(deals, dtype=np.float64)) if deals else ():
            run.add(deal_score(means))
    if ratings and len(spec.bots) < 2:
        raise TournamentError("ratings compare bots; at least two are needed")
    if anchor is not None:
        anchor = anchor_label(anchor, spec.labels)
    return summarise(spec, deals, sprt=run.report(*spec.labels) if run else None, ratings=ratings, anchor=anchor)


def result_from_json(data: Mapping[str, Any]) -> TournamentResult:
    """Read what TournamentResult.to_json wrote; what a report has beside that is left out. Raises KeyError, TypeError."""
    def each(kind: type[Any], rows: Iterable[Mapping[str, Any]]) -> tuple[Any, ...]:
        return tuple(kind(**row) for row in rows)

    known = {one.name: data[one.name] for one in fields(TournamentResult)}
    length, test, rated = known["length"], known["sprt"], known["ratings"]
    return TournamentResult(**known | {
        "standings": each(Standing, known["standings"]), "pairs": each(PairedDifference, known["pairs"]),
        "seat_figures": each(SeatFigure, known["seat_figures"]),
        "budgets": tuple(BudgetCurve(**curve | {"points": each(BudgetPoint, curve["points"])}) for curve in known["budgets"]),
        "length": length and GameLength(**length),
        "sprt": test and SprtReport(**test | {"pentanomial": test["pentanomial"] and tuple(test["pentanomial"])}),
        "ratings": rated and Ratings(**rated | {"ratings": each(Rating, rated["ratings"])})})


def start_sprt(spec: TournamentSpec, sprt: Sprt) -> SprtRun:
    """The test of the two bots. Raises TournamentError where there are not two."""
    if len(spec.bots) != 2:
        raise TournamentError(f"a sequential test compares two bots, not {len(spec.bots)}")
    return SprtRun(sprt)
