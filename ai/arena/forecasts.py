"""What searches expected of their decisions, against what came: are the values right that hints show?

A forecast is the value that a hint would show for the answer a bot gave, with the game's own correction (GameSpec.calibration).
What came is the utility its seat had at the end of the game, so bots that play well should play it on. Forecasts change nothing of
what is played and are no part of the results.
"""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from seatmate.ai.arena.beside import load_beside, save_beside
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.arena.statistics import ratio_interval

BINS = 10
"""Tenths of the values, which are told apart."""

Counted = tuple[int, float, float]
"""(decisions, sum of what was expected, sum of what came) of one deal."""


@dataclass(slots=True)
class ForecastBin:
    """The decisions of a bot whose forecast lies in one tenth.

    deals: those with such decisions · expected, came: sums over decisions, in utility · the others: sums over deals of
    came * came, came * decisions and decisions * decisions, for the interval.
    """

    deals: int = 0
    decisions: int = 0
    expected: float = 0.0
    came: float = 0.0
    came_squared: float = 0.0
    came_by_decisions: float = 0.0
    decisions_squared: int = 0

    def add(self, deal: Counted) -> None:
        """Count the decisions of one deal."""
        decisions, expected, came = deal
        self.deals += 1
        self.decisions += decisions
        self.expected += expected
        self.came += came
        self.came_squared += came * came
        self.came_by_decisions += came * decisions
        self.decisions_squared += decisions * decisions

    @property
    def mean_expected(self) -> float:
        """The mean forecast, 0..1."""
        return self.expected / self.decisions

    @property
    def mean_came(self) -> float:
        """The mean utility that came, 0..1."""
        return self.came / self.decisions

    @property
    def ci95(self) -> float | None:
        """Half width of the 95 % interval of what came, over deals, as decisions of one deal are akin; None below two deals."""
        if self.deals < 2:
            return None
        scatter = (self.came_squared - 2 * self.mean_came * self.came_by_decisions + self.mean_came**2 * self.decisions_squared)
        return ratio_interval(self.deals, self.decisions, scatter)


class BotForecasts(dict[int, ForecastBin]):
    """The bins of one bot that are not empty, by number: bin n holds forecasts from n / BINS on."""

    def add(self, deal: Mapping[int, Counted]) -> None:
        """Count the decisions of one deal, by bin."""
        for number, counted in deal.items():
            self.setdefault(number, ForecastBin()).add(counted)

    @property
    def decisions(self) -> int:
        """How many there are."""
        return sum(one.decisions for one in self.values())

    @property
    def error(self) -> float:
        """How far forecasts are from what came, by bin: the mean over decisions."""
        return sum(abs(one.expected - one.came) for _, _, one in self.in_order()) / self.decisions

    def in_order(self) -> list[tuple[float, float, ForecastBin]]:
        """(from, to, bin), lowest first."""
        return [(number / BINS, (number + 1) / BINS, self[number]) for number in sorted(self)]

    def to_json(self) -> dict[str, Any]:
        """For a report: decisions, error, and of each bin from, to, decisions, deals, expected, came, ci95."""
        return {"decisions": self.decisions, "error": self.error, "bins": [
            {"from": low, "to": high, "decisions": one.decisions, "deals": one.deals, "expected": one.mean_expected,
             "came": one.mean_came, "ci95": one.ci95} for low, high, one in self.in_order()]}


Forecasts = dict[str, BotForecasts]     # by label of the bot


def counted_by_bin(said: Iterable[tuple[int, float]], utilities: Sequence[float], counted: dict[int, Counted]) -> None:
    """Add the forecasts (seat, value) of a game that ended with these utilities."""
    for seat, value in said:
        number = min(int(value * BINS), BINS - 1)
        decisions, expected, came = counted.get(number, (0, 0.0, 0.0))
        counted[number] = decisions + 1, expected + value, came + utilities[seat]


def save_forecasts(results: str | os.PathLike[str], spec: TournamentSpec, forecasts: Forecasts) -> None:
    """Write `FILE.values`."""
    save_beside(results, "values", spec, {
        bot: [[number, *astuple(one[number])] for number in sorted(one)] for bot, one in forecasts.items()})


def load_forecasts(results: str | os.PathLike[str], spec: TournamentSpec) -> Forecasts:
    """What the file says of this tournament; nothing where there is none or another one."""
    def read(bins: Any) -> BotForecasts:
        found = BotForecasts({int(number): ForecastBin(*sums) for number, *sums in bins})
        for number, one in found.items():
            if not (0 <= number < BINS and one.decisions >= one.deals > 0 and all(value >= 0 for value in astuple(one))):
                raise ValueError(f"bin {number}: {one}")
        return found

    return load_beside(results, "values", spec, read)


def report_forecasts(results: str | os.PathLike[str]) -> Forecasts:
    """The forecasts of a results file, as far as they are known. Raises ResultsError, OSError for the results file."""
    from seatmate.ai.arena.store import load_spec  # whose deals have forecasts

    spec = load_spec(results)
    return {} if spec is None else load_forecasts(results, spec)
