"""What a report says beyond standings: what a seat is worth, and what more thinking brings."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seatmate.ai.arena.deal import Deal
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.arena.statistics import mean_and_interval
from seatmate.ai.bots.registry import BotError, BotSpec, parse_bot

BUDGETS = ("iterations", "time_ms")
"""Parameters of a bot that say how much it may think."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatFigure:
    """mean_utility: of whoever sat there, 0..1 · ci95: half width of its 95 % interval · win_rate: mean share of the win."""

    seat: int
    mean_utility: float
    ci95: float
    win_rate: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetPoint:
    """A bot of a curve: how much it may think, and its standing."""

    amount: float
    bot: str
    mean_utility: float
    ci95: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetCurve:
    """Bots that are alike but for one budget, in ascending order of it. bot: what they have in common · budget: one of BUDGETS."""

    bot: str
    budget: str
    points: tuple[BudgetPoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLength:
    """Decisions with a choice of a game, of all seats together. mean, ci95: over deals · the others: over all `games`."""

    mean: float
    ci95: float
    shortest: int
    median: float
    p95: float
    longest: int
    games: int


def game_length(deals: Sequence[Deal]) -> GameLength | None:
    """How long games are; None where fewer than two deals say so."""
    counted = [deal.decisions for deal in deals if deal.decisions is not None]
    if len(counted) < 2:
        return None
    lengths = np.array(counted)
    means = lengths.mean(axis=1)
    mean, half = mean_and_interval(means.tolist(), span=float(means.mean()))
    return GameLength(mean=mean, ci95=half, shortest=int(lengths.min()), median=float(np.median(lengths)),
                      p95=float(np.quantile(lengths, 0.95)), longest=int(lengths.max()), games=lengths.size)


def seat_figures(spec: TournamentSpec, utilities: Array, wins: Array) -> tuple[SeatFigure, ...]:
    """What each seat is worth; both arrays have the shape (deals, lineups, seats).

    Nothing in cooperative games, where all seats share a result, nor where bots don't sit in all seats equally often: there a
    difference between seats might be one between bots.
    """
    seats = np.array(spec.lineups)
    counts = np.array([(seats == bot).sum(axis=0) for bot in range(len(spec.bots))])
    if spec.cooperative or (counts != counts[:, :1]).any():
        return ()
    found = []
    for seat in range(spec.seats):
        mean, half = mean_and_interval(utilities[:, :, seat].mean(axis=1).tolist())
        found.append(SeatFigure(seat=seat, mean_utility=mean, ci95=half, win_rate=float(wins[:, :, seat].mean())))
    return tuple(found)


def budget_curves(bots: Sequence[str], means: Sequence[tuple[float, float]]) -> tuple[BudgetCurve, ...]:
    """The curves among bots of these canonical texts, with the (mean utility, ci95) of each; a curve has at least two points."""
    curves: dict[tuple[str, str], dict[float, BudgetPoint]] = {}
    for bot, (mean, half) in zip(bots, means, strict=True):
        try:
            spec = parse_bot(bot)
        except BotError:    # of a file that is not loaded where somebody only reads the results
            continue
        for key, value in spec.parameters:
            if key in BUDGETS:
                rest = BotSpec(spec.id, tuple(pair for pair in spec.parameters if pair[0] != key))
                point = BudgetPoint(amount=float(value), bot=bot, mean_utility=mean, ci95=half)
                curves.setdefault((str(rest), key), {}).setdefault(point.amount, point)
    return tuple(BudgetCurve(bot=bot, budget=budget, points=tuple(points[amount] for amount in sorted(points)))
                 for (bot, budget), points in curves.items() if len(points) > 1)
