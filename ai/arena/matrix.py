"""Matrices: a table option that differs between the two seats (a deck), every value against every value, itself included."""
from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seatmate.ai.arena.backends import BackendName
from seatmate.ai.arena.deal import Deal, total_faults
from seatmate.ai.arena.match import win_shares
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.arena.statistics import bounded, mean_and_interval
from seatmate.ai.arena.tournament import Progress, check_amounts, check_free, play_spec
from seatmate.ai.bots.registry import BotSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixCell:
    """How one value did against another.

    win_rate: of `row`, 0..1 · ci95: half width of its 95 % t-interval over deals · low, high: that interval, cut to 0..1 ·
    seat_rates: win rate of `row` in seat 0 and in seat 1. Two bots: the first has `row`, the second `column`. One bot against
    itself with the same value: the win rate of seat 0, which is what the seat is worth.
    """

    row: str
    column: str
    win_rate: float
    ci95: float
    low: float
    high: float
    seat_rates: tuple[float, float]
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixTotal:
    """How one value did against all others, itself excepted; ci95 is 0 where there are none. The numbers are those of a cell."""

    value: str
    win_rate: float
    ci95: float
    low: float
    high: float
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixResult:
    """A finished matrix. game .. sides reproduce it where `reproducible` is true.

    varied: name of the option, `deck` for deck0 and deck1 · values: in the order they were given · cells: row by row ·
    totals: in the order of the values · faults: as in a TournamentResult.
    """

    game: str
    mode: str
    options: dict[str, Any]
    pack: str
    pack_hash: str
    rules_version: int
    varied: str
    values: tuple[str, ...]
    bots: tuple[str, ...]
    deals: int
    games: int
    seed: int
    reproducible: bool
    cells: tuple[MatrixCell, ...]
    totals: tuple[MatrixTotal, ...]
    faults: dict[str, dict[str, int]]

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)

    def cell(self, row: str, column: str) -> MatrixCell:
        """The cell of two values. Raises KeyError."""
        found = next((cell for cell in self.cells if (cell.row, cell.column) == (row, column)), None)
        if found is None:
            raise KeyError((row, column))
        return found


def run_matrix(
    game_id: str, *, varied: str, values: Sequence[str], bots: Sequence[str | BotSpec], deals: int, seed: int,
    mode: str | None = None, options: Mapping[str, Any] | None = None, pack: str | None = None,
    results: str | os.PathLike[str] | None = None, workers: int | None = None, backend: BackendName = "local",
    progress: Callable[[Progress], None] | None = None,
) -> MatrixResult:
    """Play every value of an option against every value on the same `deals` deals, in both seats. Blocks.

    varied: the option without the seat's number, "deck" for deck0 and deck1 · bots: one that plays both seats, or two, of which
    the first has the row's value. The rest is as in `run_tournament`, as are the errors.
    """
    check_amounts(deals, workers)
    check_free(options, (f"{varied}0", f"{varied}1"), f"the values {', '.join(map(_short, values))}")
    spec = TournamentSpec.create(game_id, seats=2, bots=bots, seed=seed, mode=mode, options=options, pack=pack, varied=varied,
                                 values=values)
    played = play_spec(spec, deals, results=results, workers=workers, backend=backend, progress=progress).deals
    return summarise_matrix(spec, played)


def _short(value: str) -> str:
    """A value as an error can quote it: a list of cards may be long."""
    line = " ".join(value.split())
    return line if len(line) <= 20 else f"{line[:17]}..."


def summarise_matrix(spec: TournamentSpec, deals: Sequence[Deal]) -> MatrixResult:
    """The matrix of at least two deals of a spec with a varied option."""
    shares = np.array([[win_shares(game) for game in deal] for deal in deals])      # deals, lineups, seats
    values = tuple(dict.fromkeys(side[0] for side in spec.sides))
    scores: dict[tuple[str, str], NDArray[np.float64]] = {}
    cells = []
    for row in values:
        for column in values:
            seats = [_row_in_seat(spec, shares, seat, row, column) for seat in range(2)]
            mirror = len(spec.bots) == 1 and row == column
            scores[row, column] = seats[0] if mirror else (seats[0] + seats[1]) / 2
            mean, half = mean_and_interval(scores[row, column].tolist())
            games = len(deals) * (1 if mirror else 2)
            low, high = bounded(mean, half)
            cells.append(MatrixCell(row=row, column=column, win_rate=mean, ci95=half, low=low, high=high, games=games,
                                    seat_rates=(float(seats[0].mean()), float(seats[1].mean()))))
    totals = []
    for row in values:
        others = [scores[row, column] for column in values if column != row]
        mean, half = mean_and_interval(np.mean(others, axis=0).tolist()) if others else (0.5, 0.0)
        low, high = bounded(mean, half)
        totals.append(MatrixTotal(value=row, win_rate=mean, ci95=half, low=low, high=high, games=2 * len(deals) * len(others)))
    settings = spec.settings
    plain = {key: value for key, value in settings["options"].items() if key not in (f"{spec.varied}0", f"{spec.varied}1")}
    return MatrixResult(
        game=settings["game"], mode=settings["mode"], options=plain, pack=settings["pack"], pack_hash=settings["pack_hash"],
        rules_version=spec.rules_version, varied=spec.varied, values=values, bots=spec.bots, deals=len(deals),
        games=len(deals) * len(spec.lineups), seed=spec.seed, reproducible=spec.reproducible, cells=tuple(cells),
        totals=tuple(totals), faults=total_faults(spec.labels, deals))


def _row_in_seat(spec: TournamentSpec, shares: NDArray[np.float64], seat: int, row: str, column: str) -> NDArray[np.float64]:
    """Per deal: what the first bot won with `row` in this seat against `column`."""
    side = (row, column) if seat == 0 else (column, row)
    wanted = [number for number, lineup in enumerate(spec.lineups) if spec.sides[number] == side and lineup[seat] == 0]
    picked: NDArray[np.float64] = shares[:, wanted, seat].mean(axis=1)
    return picked
