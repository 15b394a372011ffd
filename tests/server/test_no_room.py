"""A full disk, a file that nobody may write or that is locked: callers hear so, nothing else is harmed, it goes on by itself."""
from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
import sqlalchemy as sa
from google.rpc import error_details_pb2
from grpc import StatusCode
from grpc_health.v1 import health_pb2, health_pb2_grpc

from figures import started
from playing import House, Player, TableAt
from processes import kill, process
from seatmate.client import connect, error_reason, read_detail
from seatmate.server import database_file
from seatmate.server.config import ServerConfig
from seatmate.server.service import running_server
from seatmate.v1 import table_service_pb2 as pb

pytestmark = pytest.mark.asyncio

DAC_OVERRIDE, DAC_READ_SEARCH, DROP = 1, 2, 24
"""Capabilities with which root writes where nobody may, and the option of prctl that gives one up."""


async def unavailable(call: Awaitable[Any]) -> None:
    """The call is refused for now, in words, with a time after which it may be repeated."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await asyncio.wait_for(call, 20)
    assert (caught.value.code(), error_reason(caught.value)) == (StatusCode.UNAVAILABLE, "STORAGE_UNAVAILABLE"), caught.value
    retry = error_details_pb2.RetryInfo()
    assert read_detail(caught.value, retry) and retry.retry_delay.ToMilliseconds() > 0
    assert "\n" not in str(caught.value.details())


class Company:
    """A table with two people, one on which bots play slowly, and all that can be written."""

    def __init__(self, house: House, table: TableAt, players: list[Player], bots: TableAt) -> None:
        self.house, self.table, self.players, self.bots = house, table, players, bots
        self.before = 0

    @classmethod
    async def sit_down(cls, house: House) -> Company:
        table = await house.table("kuhn", seed=5)
        players = await table.claim_all()
        bots = await house.table("leduc", bots={0: "random", 1: "random"}, pace_ms=200)
        found = cls(house, table, players, bots)
        found.before = (await players[0].legal()).sequence
        return found

    async def can_only_look(self) -> None:
        """Whatever writes is refused, and has changed nothing; whatever reads is answered."""
        player, other = self.players
        for _ in range(2):
            await unavailable(player.submit(0, self.before, "first"))
            await unavailable(self.house.table("kuhn", request_id="x" * 32))
            await unavailable(other.leave())
            await unavailable(self.table.delete())
        assert (await player.legal()).sequence == self.before
        assert (await player.observe()).sequence == self.before
        assert [seat.holder for seat in (await self.table.get()).seats] == [2, 2]
        stream = player.watch()
        assert (await stream.read()).events
        stream.cancel()
        await self.house.client.tables.ListTables(pb.ListTablesRequest())
        health = await health_pb2_grpc.HealthStub(self.house.client.channel).Check(health_pb2.HealthCheckRequest())
        assert health.status == health.SERVING
        await asyncio.sleep(0.5)        # the bots have tried to act, too

    async def goes_on(self) -> None:
        """As if nothing had been; the bots by themselves."""
        answer = await self.players[0].submit(0, self.before, "first")
        assert answer.sequence > self.before
        assert (await self.house.table("kuhn", request_id="x" * 32)).name
        assert (await self.bots.finished(60)).is_over


@contextlib.contextmanager
def file_limit(folder: Path, pid: int) -> Iterator[None]:
    """No file may grow: the process is told that it is too large."""
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    largest = max(file.stat().st_size for file in folder.glob("t.sqlite3-wal"))
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (largest, before[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


@contextlib.contextmanager
def full_disk(folder: Path, _pid: int) -> Iterator[None]:
    """There is no room at all."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))
    try:
        yield
    finally:
        filler.unlink()


@contextlib.contextmanager
def disk(folder: Path) -> Iterator[None]:
    """A disk of 8 MB is mounted there; skips where that can't be done."""
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)], capture_output=True, check=False) \
        if shutil.which("mount") and sys.platform == "linux" else None
    if made is None or made.returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="sets limits of another process")
@pytest.mark.parametrize("scarce", [file_limit, full_disk])
async def test_a_full_disk(tmp_path: Path, scarce: Callable[[Path, int], contextlib.AbstractContextManager[None]]) -> None:
    with disk(tmp_path) if scarce is full_disk else contextlib.nullcontext():
        async with process(tmp_path / "t.sqlite3", tmp_path) as (server, address), connect(address) as client:
            company = await Company.sit_down(House(client, address))
            with scarce(tmp_path, server.pid):
                await company.can_only_look()
            await company.goes_on()
            await kill(server)
        async with process(tmp_path / "t.sqlite3", tmp_path) as (server, address), connect(address) as client:
            player = House(client, address).of(company.players[0])
            assert (await player.observe()).sequence > company.before


@contextlib.asynccontextmanager
async def locked(tmp_path: Path, _engine: sa.Engine) -> AsyncIterator[None]:
    """Another program writes, and does not come to an end."""
    with contextlib.closing(sqlite3.connect(tmp_path / "t.sqlite3", isolation_level=None)) as other:
        other.execute("begin exclusive")
        yield
        other.execute("rollback")


@contextlib.asynccontextmanager
async def read_only(_tmp_path: Path, engine: sa.Engine) -> AsyncIterator[None]:
    """As on a disk that has been mounted again for reading alone."""
    def check_out(connection: Any, *_: object) -> None:
        connection.execute("pragma query_only = on")

    sa.event.listen(engine, "checkout", check_out)
    yield
    sa.event.remove(engine, "checkout", check_out)
    engine.dispose()


@pytest.mark.parametrize("hindered", [locked, read_only])
async def test_a_database_that_lets_nobody_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hindered: Any) -> None:
    monkeypatch.setattr(database_file, "_BUSY_MS", 100)
    async with started(tmp_path, workers=1) as (server, house):
        company = await Company.sit_down(house)
        async with hindered(tmp_path, server._storage._engine):
            await company.can_only_look()
        await company.goes_on()


def as_anybody() -> None:
    """Root gives up the right to write where nobody may."""
    libc = ctypes.CDLL(None)
    for capability in (DAC_OVERRIDE, DAC_READ_SEARCH):
        if libc.prctl(DROP, capability, 0, 0, 0) and os.geteuid() == 0:
            os._exit(77)


def no_growth() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


@pytest.mark.skipif(sys.platform != "linux", reason="gives up capabilities")
@pytest.mark.parametrize(("modes", "before", "words"), [
    ({"t.sqlite3": 0o444}, as_anybody, "Permission denied"), ({".": 0o555}, as_anybody, "can't be used"),
    ({"t.sqlite3": 0o000}, as_anybody, "Permission denied"), ({}, no_growth, "can't be used"),
])
async def test_a_start_without_the_right_or_the_room_to_write(
        tmp_path: Path, modes: dict[str, int], before: Callable[[], None], words: str) -> None:
    """The server says so in one sentence, and starts when that has been mended."""
    database = tmp_path / "t.sqlite3"
    if modes:
        async with running_server(ServerConfig(address="127.0.0.1:0", database=str(database))):
            pass
        for beside in ("-wal", "-shm", ".lock"):
            Path(f"{database}{beside}").unlink(missing_ok=True)
    for name, mode in modes.items():
        (tmp_path / name).chmod(mode)
    try:
        done = await asyncio.to_thread(
            subprocess.run, [sys.executable, "-P", "-m", "seatmate.server.service", "--database", str(database)],
            capture_output=True, text=True, timeout=60, check=False, preexec_fn=before, stdin=subprocess.DEVNULL)
    finally:
        for name in modes:
            (tmp_path / name).chmod(0o755)
    if done.returncode == 77:
        pytest.skip("root can't give up its rights here")
    assert (done.returncode, done.stdout) == (1, ""), done
    assert done.stderr.startswith(f"error: the database {database} can't be used: ") and words in done.stderr
    assert len(done.stderr.splitlines()) == 1
    async with running_server(ServerConfig(address="127.0.0.1:0", database=str(database))):
        pass
