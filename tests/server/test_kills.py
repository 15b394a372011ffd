"""A hundred kill -9 at any moment in the life of a busy server: what was acknowledged is there, once, and everybody goes on."""
from __future__ import annotations

import asyncio
import itertools
import random
import sqlite3
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import grpc
import pytest
from grpc import StatusCode

from playing import House, Player, TableAt, drain
from processes import SOON, born, die, mother
from seatmate.client import connect, error_reason

pytestmark = pytest.mark.asyncio

T = TypeVar("T")

KILLS = 100
LIFE_S = 0.3        # of a server at most, from the moment it serves
PACE_MS = 20


@dataclass
class Ledger:
    """What the clients know: requests that were sent and acknowledged, tables they were given, and what watchers were told."""

    sent: dict[str, tuple[str, int]] = field(default_factory=dict)      # seat and action, by request_id
    acknowledged: set[str] = field(default_factory=set)
    tables: list[TableAt] = field(default_factory=list)
    told: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))

    def check(self, database: Path) -> int:
        """Is all this on disk, as the dead server left it? Returns how many actions there are."""
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as found:
            rows = found.execute("select table_id, number, seat, action, request_id from actions order by 1, 2").fetchall()
            stored = {f"tables/{table}" for table, in found.execute("select id from tables")}
            seats = dict(found.execute("select table_id, count(*) from seats group by table_id"))
        assert {table.name for table in self.tables} <= stored
        assert {f"tables/{table}" for table in seats} == stored and set(seats.values()) <= {2}
        for _, log in itertools.groupby(rows, key=lambda row: row[0]):
            numbers = [number for _, number, *_ in log]
            assert numbers == list(range(len(numbers)))
        requests = [(request, (f"tables/{table}/seats/{seat}", action)) for table, _, seat, action, request in rows if request]
        assert len(requests) == len({request for request, _ in requests})               # none twice
        assert all(self.sent[request] == what for request, what in requests)            # none but as somebody sent it
        assert self.acknowledged <= {request for request, _ in requests}                # none lost
        return len(rows)


async def until_answered(call: Callable[[], Awaitable[T]]) -> T:
    """The answer, from whichever life of the server it comes."""
    while True:
        try:
            return await call()
        except grpc.aio.AioRpcError as error:
            if error.code() not in (StatusCode.UNAVAILABLE, StatusCode.CANCELLED):
                raise
            await asyncio.sleep(0.01)


class Crowd:
    """People who play, watch, and deal the next table when a game is over."""

    def __init__(self, house: House, ledger: Ledger) -> None:
        self._house = house
        self._ledger = ledger
        self._numbers = itertools.count()
        self.tasks: list[asyncio.Task[None]] = []
        self.going_home = False

    def come(self) -> None:
        for number in range(8):
            self.tasks.append(asyncio.create_task(self._play(number)))

    async def _play(self, number: int) -> None:
        """At one table after the other: two people, one and a bot, or bots alone."""
        bots = {0: {}, 1: {1: "heuristic"}, 2: {0: "random", 1: "random"}}[number % 3]
        game = ("connect_four", "hyde")[number // 3 % 2]
        while not self.going_home:
            table = await until_answered(lambda: self._house.table(game, seats=2, bots=bots, pace_ms=PACE_MS))
            self._ledger.tables.append(table)
            self.tasks.append(asyncio.create_task(self._watch(table)))
            players = [await self._sit(table, seat) for seat in range(2) if seat not in bots]
            while not self.going_home and not (await until_answered(table.get)).HasField("result"):
                for player in players:
                    await self._act(player)
                await asyncio.sleep(0.02)

    async def _sit(self, table: TableAt, seat: int) -> Player:
        """A claim whose answer got lost is taken back by the table's owner, and made again."""
        while True:
            try:
                return await table.claim(seat)
            except grpc.aio.AioRpcError as error:
                if error_reason(error) == "SEAT_TAKEN":     # by the lost one
                    await self._clear(table, seat)
                elif error.code() not in (StatusCode.UNAVAILABLE, StatusCode.CANCELLED):
                    raise
                await asyncio.sleep(0.01)

    async def _clear(self, table: TableAt, seat: int) -> None:
        """The owner takes somebody off the seat; the answer to the call that did it may have been lost."""
        try:
            await until_answered(lambda: Player(table.client, f"{table.name}/seats/{seat}", table.token).leave())
        except grpc.aio.AioRpcError as error:
            if error_reason(error) != "SEAT_OPEN":
                raise

    async def _act(self, player: Player) -> None:
        """Once; who hears nothing says the same again."""
        legal = await until_answered(player.legal)
        if not legal.actions:
            return
        action, request = random.choice(legal.actions).id, f"request-{next(self._numbers)}"
        self._ledger.sent[request] = player.seat, action
        await until_answered(lambda: player.submit(action, legal.sequence, request))
        self._ledger.acknowledged.add(request)

    async def _watch(self, table: TableAt) -> None:
        """From where the last stream broke off."""
        told = self._ledger.told[table.name]

        async def follow() -> None:
            stream = table.watch(len(told))
            while (step := await stream.read()) is not grpc.aio.EOF:
                assert [event.sequence for event in step.events] == [len(told) + 1 + at for at in range(len(step.events))]
                told.extend(step.events)

        await until_answered(follow)


async def test_nothing_is_lost_in_a_hundred_kills(tmp_path: Path) -> None:
    database, address = tmp_path / "t.sqlite3", f"unix:{tmp_path}/socket"
    chance, ledger = random.Random(7), Ledger()
    async with mother(database, address) as process, connect(address, options=SOON) as client:
        crowd = Crowd(House(client, address), ledger)
        stored = 0
        for kill in range(KILLS):
            child = await born(process)
            if kill == 0:
                crowd.come()
            await asyncio.sleep(chance.uniform(0.0, LIFE_S))
            await die(process, child)
            now = ledger.check(database)
            assert now >= stored
            stored = now
            for task in crowd.tasks:
                if task.done():
                    task.result()
        await born(process)
        crowd.going_home = True
        house = crowd._house
        async with asyncio.timeout(60):
            await asyncio.gather(*crowd.tasks[:8])
            for table in ledger.tables:             # the bots of the last tables play to the end, people's go on waiting
                seen = await table.get()
                if all(seat.bot for seat in seen.seats):
                    assert await drain(house.at(table).watch())
                else:
                    while len(ledger.told[table.name]) < seen.sequence:
                        await asyncio.sleep(0.05)
        for table in ledger.tables:
            record = await table.export()
            assert list(record.events)[:len(ledger.told[table.name])] == ledger.told[table.name]
        for task in crowd.tasks:
            task.cancel()
        await asyncio.gather(*crowd.tasks, return_exceptions=True)
    assert len(ledger.acknowledged) > KILLS
    assert len(ledger.tables) > 10
    assert stored > len(ledger.acknowledged)        # bots played, too
