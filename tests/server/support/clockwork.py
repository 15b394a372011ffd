"""Tables without a network, a disk or a real clock: time passes when everybody waits, and not otherwise."""
from __future__ import annotations

import asyncio
import random
import selectors
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest

from seatmate.ai.search import StopFlag
from seatmate.engine.core.game import SPECTATORS, Game, SeenEvent
from seatmate.server import live, storage, tables
from seatmate.server.bots_runner import BotsRunner
from seatmate.server.config import Pacing, SearchLimits
from seatmate.server.live import LiveTable
from seatmate.server.metrics import Metrics
from seatmate.server.rows import ActionRow, ClockRow, SeatRow, StoredTable, TableRow, TimeRow
from seatmate.server.schedule import Schedule
from seatmate.server.tables import Tables

WRITE_S = 0.004
"""Seconds an action takes to be stored."""

YEAR_2026_US = 1_767_225_600_000_000

T = TypeVar("T")


class _Jump(selectors.SelectSelector):
    def __init__(self) -> None:
        super().__init__()
        self.jumped = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        self.jumped += timeout or 0.0
        return super().select(0)


class ManualLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock goes on to the next timer as soon as there is nothing else to do."""

    def __init__(self) -> None:
        self._jump = _Jump()
        super().__init__(self._jump)

    def time(self) -> float:
        return self._jump.jumped


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run it on a clock of its own."""
    with asyncio.Runner(loop_factory=ManualLoop) as runner:
        return runner.run(work)


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The wall clock follows the loop's; `away_us` is how long no loop has run."""
    clock = SimpleNamespace(away_us=0)

    def now_us() -> int:
        return YEAR_2026_US + int(clock.away_us) + round(asyncio.get_running_loop().time() * 1e6)

    for module in (live, tables, storage):
        monkeypatch.setattr(module, "now_us", now_us)
    return clock


class Memory:
    """A Storage in memory; every action takes WRITE_S."""

    shared = False

    def __init__(self) -> None:
        self.table: TableRow | None = None
        self.seats: list[SeatRow] = []
        self.actions: list[ActionRow] = []
        self.times: list[TimeRow] = []

    async def create(self, table: TableRow, seats: list[SeatRow]) -> None:
        self.table, self.seats = table, list(seats)
        if table.clock is not None:
            self.times = [TimeRow(seat=seat.seat, left_ms=table.clock.reserve_ms) for seat in seats]

    async def load(self, table_id: str, *, skip: int = 0) -> StoredTable | None:
        assert self.table is not None
        return StoredTable(self.table, tuple(self.seats), tuple(self.actions[skip:]), tuple(self.times))

    async def append(self, table_id: str, number: int, row: ActionRow, times: Sequence[TimeRow] = (), *,
                     holder: SeatRow | None = None, of_bot: bool = False) -> None:
        await asyncio.sleep(WRITE_S)
        assert number == len(self.actions)
        self._keep(times)
        self.actions.append(replace(row, written_us=storage.now_us()))

    def _keep(self, times: Sequence[TimeRow]) -> None:
        for row in times:
            self.times[row.seat] = row

    async def put_seats(self, table_id: str, seats: list[tuple[SeatRow, SeatRow]], times: Sequence[TimeRow] = ()) -> None:
        self._keep(times)
        for _, row in seats:
            self.seats[row.seat] = row

    async def finish(self, table_id: str) -> None:
        pass

    async def tables_with_bots(self) -> list[str]:
        return [] if self.table is None else [self.table.id]


class Thinkers:
    """A SearchPool without threads: a search takes what `takes` says, and ends when it has to, unless it is `deaf`."""

    def __init__(self, takes: Callable[[], float], deaf: bool = False) -> None:
        self.takes = takes
        self.deaf = deaf

    async def run(self, work: Callable[[StopFlag], Any], lane: object, claims: tuple[str, ...], *,
                  wait_s: float | None = None, at_most_s: float | None = None, until: float | None = None, weight: float) -> Any:
        now = asyncio.get_running_loop().time()
        ends = [now + self.takes()]
        if not self.deaf:
            ends += [end for end in (None if at_most_s is None else now + at_most_s, until) if end is not None]
        await asyncio.sleep(max(0.0, min(ends) - now))
        return work(StopFlag())


@dataclass
class Room:
    """A server's tables, as far as they have to do with time."""

    memory: Memory
    takes: Callable[[], float] = lambda: 0.0
    pacing: Pacing = field(default_factory=Pacing)
    deaf: bool = False

    def __post_init__(self) -> None:
        limits = SearchLimits()
        self.tables = Tables(self.memory, Schedule(self.pacing, limits.max_time_ms), cached=9)  # type: ignore[arg-type]
        self.runner = BotsRunner(self.tables, Thinkers(self.takes, self.deaf), limits, Metrics())  # type: ignore[arg-type]

    async def open(self, game: Game, bots: dict[int, str], *, seed: int = 1, window: tuple[int, int] | None = None,
                   clock: ClockRow | None = None, watched: bool = True) -> LiveTable:
        """A table that somebody looks at before its bots begin, or nobody."""
        table = (await self.tables.create(game, seed=seed, display_name="", bots=[], is_open=True, pass_window=window,
                                          clock=clock)).table
        if watched:
            table.look(60.0)
        await self.tables._seat(table, [SeatRow(seat=seat, holder="bot", bot=bot) for seat, bot in bots.items()])
        return table

    async def stop(self) -> None:
        self.tables.stop()
        await self.runner.stop()
        await self.tables.settle()


@dataclass
class Seen:
    """What an observer was told, and when: one entry for every moment with events."""

    at: list[float]
    events: list[list[SeenEvent]]


async def watch(table: LiveTable, observer: int = SPECTATORS, steps: int = 10**9) -> Seen:
    """What the observer sees, until the game is over or so many changes have come."""
    seen = Seen([], [])
    with table.watched(60.0):
        since = 0
        while len(seen.at) <= steps:
            changed = table.changed
            events = table.state.events(observer, since)
            if events:
                since = events[-1].sequence
                seen.at.append(asyncio.get_running_loop().time())
                seen.events.append(events)
            if table.state.is_over:
                break
            if not events:
                await changed.wait()
    return seen


def any_time(seed: int, most_s: float) -> Callable[[], float]:
    """Searches that take any time."""
    chance = random.Random(seed)
    return lambda: chance.uniform(0.0, most_s)

