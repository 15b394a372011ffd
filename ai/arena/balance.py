"""Balance: are the values of an option (pairs of characters) equally strong, and does it matter who begins?

On every deal each pair of values that may meet is played in both seats, and each of these games with either seat beginning, by one
bot that has all seats. So the values meet on equal terms, and who begins is compared on the same deals and values.
"""
from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from seatmate.ai.arena.backends import BackendName
from seatmate.ai.arena.deal import Deal, total_faults
from seatmate.ai.arena.match import win_shares
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.arena.statistics import mean_and_interval
from seatmate.ai.arena.tournament import Progress, check_amounts, check_free, play_spec
from seatmate.ai.bots.registry import BotSpec
from seatmate.engine.core.registry import game_spec

Verdict = Literal["met", "missed", "open"]
"""met: the whole interval is within the bar · missed: all of it is outside · open: more deals are needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A win rate, 0..1, with the half width of its 95 % t-interval over deals, and what that says of its bar."""

    win_rate: float
    ci95: float
    games: int
    bar: tuple[float, float]
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRate:
    """How one value did against another: win rate of `a`, and of `a` in seat 0 and in seat 1."""

    a: str
    b: str
    win_rate: float
    ci95: float
    seat_rates: tuple[float, float]
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BalanceResult:
    """A finished measurement. game .. seed reproduce it where `reproducible` is true.

    values: by value, against all it may meet · first: of who begins · matches: every two values that may meet, once ·
    faults: as in a TournamentResult.
    """

    game: str
    mode: str
    options: dict[str, Any]
    pack: str
    pack_hash: str
    rules_version: int
    bot: str
    deals: int
    games: int
    seed: int
    reproducible: bool
    values: dict[str, Rate]
    first: Rate
    matches: tuple[MatchRate, ...]
    faults: dict[str, dict[str, int]]

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def run_balance(
    game_id: str, *, bot: str | BotSpec, deals: int, seed: int, mode: str | None = None, options: Mapping[str, Any] | None = None,
    pack: str | None = None, results: str | os.PathLike[str] | None = None, workers: int | None = None,
    backend: BackendName = "local", progress: Callable[[Progress], None] | None = None,
) -> BalanceResult:
    """Play what the game's `Balance` names on `deals` deals. Blocks. The rest is as in `run_tournament`, as are the errors."""
    check_amounts(deals, workers)
    balance = game_spec(game_id).balance
    if balance is not None:
        check_free(options, (f"{balance.varied}0", f"{balance.varied}1", balance.first), "all its values")
    spec = TournamentSpec.create(game_id, seats=2, bots=[bot], seed=seed, mode=mode, options=options, pack=pack, balance=True)
    played = play_spec(spec, deals, results=results, workers=workers, backend=backend, progress=progress).deals
    return summarise_balance(spec, played)


def summarise_balance(spec: TournamentSpec, deals: Sequence[Deal]) -> BalanceResult:
    """The balance from at least two deals of such a spec."""
    balance = game_spec(spec.settings["game"]).balance
    assert balance is not None
    shares = np.array([[win_shares(game) for game in deal] for deal in deals])      # deals, games, seats
    values = tuple(dict.fromkeys(side[0] for side in spec.sides))
    rates = {}
    for value in values:
        places = [(game, seat) for game, side in enumerate(spec.sides) for seat in range(2) if side[seat] == value]
        rates[value] = _rate(shares, places, balance.bar)
    matches = []
    for number, a in enumerate(values):
        for b in values[number + 1:]:
            games = [[game for game, side in enumerate(spec.sides) if side == pair] for pair in ((a, b), (b, a))]
            if not all(games):
                continue
            seats = [shares[:, games[seat], seat].mean(axis=1) for seat in range(2)]
            mean, half = mean_and_interval(((seats[0] + seats[1]) / 2).tolist())
            matches.append(MatchRate(a=a, b=b, win_rate=mean, ci95=half, games=len(deals) * (len(games[0]) + len(games[1])),
                                     seat_rates=(float(seats[0].mean()), float(seats[1].mean()))))
    settings = spec.settings
    varied = {f"{spec.varied}0", f"{spec.varied}1", spec.first}
    return BalanceResult(
        game=settings["game"], mode=settings["mode"],
        options={key: value for key, value in settings["options"].items() if key not in varied}, pack=settings["pack"],
        pack_hash=settings["pack_hash"], rules_version=spec.rules_version, bot=spec.bots[0], deals=len(deals),
        games=len(deals) * len(spec.lineups), seed=spec.seed, reproducible=spec.reproducible, values=rates,
        first=_rate(shares, [(game, int(first)) for game, first in enumerate(spec.firsts)], balance.first_bar),
        matches=tuple(matches), faults=total_faults(spec.labels, deals))


def _rate(shares: NDArray[np.float64], places: Sequence[tuple[int, int]], bar: tuple[float, float]) -> Rate:
    """What was won in these (game, seat) of every deal."""
    games, seats = zip(*places, strict=True)
    mean, half = mean_and_interval(shares[:, list(games), list(seats)].mean(axis=1).tolist())
    return Rate(win_rate=mean, ci95=half, games=len(shares) * len(places), bar=bar, verdict=verdict(mean, half, bar))


def verdict(mean: float, half: float, bar: tuple[float, float]) -> Verdict:
    """What an interval says of a bar."""
    low, high = mean - half, mean + half
    if bar[0] <= low and high <= bar[1]:
        return "met"
    return "missed" if high < bar[0] or low > bar[1] else "open"
