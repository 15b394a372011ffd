"""Memory that nobody can take: requests that are larger than they need be, and answers that nobody takes."""
from __future__ import annotations

import asyncio
import contextlib
import gc
import re
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest

import seatmate.engine
from figures import measured, scrape
from playing import House, refused
from seatmate.client import connect, error_reason
from seatmate.server.config import ServerConfig
from seatmate.server.convert import MAX_ARGS
from seatmate.server.errors import ApiError
from seatmate.server.interceptors import Bounds, Call, rebuild
from seatmate.server.options import StartupError
from seatmate.server.room import LargeRequests, Shared
from seatmate.v1 import advisor_service_pb2, analysis_pb2, event_pb2, settings_pb2
from seatmate.v1 import catalog_service_pb2 as catalog

ALLOWED_MB = 300
"""Of growth: what 16 MB of such messages take when they are read, and what gRPC holds of the others until they are refused."""


def huge_position(values: int) -> analysis_pb2.Position:
    """One event with so many values, in four bytes each."""
    value = event_pb2.EventArgument(value=1)
    return analysis_pb2.Position(settings=settings_pb2.GameSettings(game="games/kuhn"), events=[
        event_pb2.Event(sequence=1, key="DEAL", args=[value] * values)])


def peak_mb(pid: int) -> float:
    """Most memory that the process has had."""
    found = re.search(r"VmHWM:\s*(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return int(found[1]) / 1000


@pytest.mark.asyncio
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_eighty_huge_positions_at_once(tmp_path):
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "seatmate.server.service", "--database", str(tmp_path / "t.sqlite3"),
        stdout=asyncio.subprocess.PIPE)
    try:
        assert server.stdout is not None
        address = (await server.stdout.readline()).decode().strip()
        own = [("grpc.use_local_subchannel_pool", 1)]
        async with connect(address, options=own) as client, connect(address, options=own) as other:
            suggest: Any = client.channel.unary_unary("/seatmate.v1.AdvisorService/SuggestActions")
            player = await (await House(other, address).table("kuhn")).claim(0)
            request = advisor_service_pb2.SuggestActionsRequest(position=huge_position(900_000)).SerializeToString()
            before, done, took = peak_mb(server.pid), asyncio.Event(), []

            async def go_on_playing() -> None:
                while not done.is_set():
                    began = time.monotonic()
                    await player.legal()
                    took.append(time.monotonic() - began)
                    await asyncio.sleep(0.005)

            playing = asyncio.create_task(go_on_playing())
            answers = await asyncio.gather(*(suggest(request, timeout=60) for _ in range(80)), return_exceptions=True)
            done.set()
            await playing
            reasons = Counter(error_reason(one) for one in answers if isinstance(one, grpc.aio.AioRpcError))
            assert reasons.total() == 80 and set(reasons) <= {"BAD_FIELD", "TOO_MANY_BYTES"} and reasons["BAD_FIELD"], reasons
            assert peak_mb(server.pid) - before < ALLOWED_MB
            assert sorted(took)[9 * len(took) // 10] < 2.0, took      # and not as long as all of them take
    finally:
        server.terminate()
        await server.wait()


@pytest.mark.asyncio
async def test_an_event_has_as_many_values_as_an_event_can_have(house):
    core = (Path(seatmate.engine.__file__).parent / "core" / "types.pxd").read_text()
    assert re.search(rf"MAX_EVENT_ARGS = {MAX_ARGS}\b", core)
    async with refused(grpc.StatusCode.INVALID_ARGUMENT, "BAD_FIELD", f"more than {MAX_ARGS}", field="position.events[0].args"):
        await house.suggest(huge_position(MAX_ARGS + 1))


@pytest.mark.asyncio
async def test_large_requests_are_read_one_by_one_and_only_so_many():
    requests = LargeRequests(300_000)
    read: list[int] = []
    turns = 0

    async def handle(number: int) -> None:
        async with requests.admit(100_000):
            read.append(turns)
            await asyncio.sleep(0.05)

    async def count_turns() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    counting = asyncio.create_task(count_turns())
    answers = await asyncio.gather(*(handle(number) for number in range(5)), return_exceptions=True)
    assert [type(one) for one in answers] == [type(None)] * 3 + [ApiError] * 2
    assert len(set(read)) == 3      # others had a turn in between
    async with requests.admit(300_000), requests.admit(1000):       # small ones need no room
        pass
    counting.cancel()


class _Deaf:
    """The context of a caller who takes no answer."""

    async def write(self, answer: Any) -> None:
        await asyncio.Event().wait()


@pytest.mark.asyncio
async def test_a_stream_that_nobody_reads_ends_and_gives_back_what_it_holds():
    ended = asyncio.Event()

    async def stream(request: Any, context: Any) -> AsyncIterator[bytes]:
        try:
            while True:
                yield b""
        finally:
            ended.set()

    @contextlib.asynccontextmanager
    async def around(call: Call) -> AsyncIterator[None]:
        yield

    handler = rebuild(grpc.unary_stream_rpc_method_handler(stream, request_deserializer=bytes), "/x", [around],
                      Bounds(LargeRequests(1000), patience_s=0.05))
    with pytest.raises(ApiError) as caught:
        await handler.unary_stream(b"", _Deaf())
    assert caught.value.reason == "UNREAD_ANSWERS" and ended.is_set()


@contextlib.asynccontextmanager
async def deaf(address: str) -> AsyncIterator[tuple[str, asyncio.Event]]:
    """An address that leads there, and lets answers through while the event is set."""
    hears = asyncio.Event()
    hears.set()
    tasks: set[asyncio.Task[None]] = set()

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, wait: bool) -> None:
        while data := await reader.read(65_536):
            if wait:
                await hears.wait()
            writer.write(data)
            await writer.drain()

    async def join(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, _, port = address.rpartition(":")
        inner_reader, inner_writer = await asyncio.open_connection(host, int(port))
        tasks.add(asyncio.create_task(pump(reader, inner_writer, False)))
        tasks.add(asyncio.create_task(pump(inner_reader, writer, True)))

    proxy = await asyncio.start_server(join, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{proxy.sockets[0].getsockname()[1]}", hears
    finally:
        proxy.close()
        for task in tasks:
            task.cancel()


@pytest.mark.asyncio
async def test_answers_to_calls_that_nobody_reads_are_bounded(tmp_path):
    """All that a deaf caller makes the server hold is what it is allowed, and what the sockets between them take."""
    async with measured(tmp_path, unread_bytes=1_000_000) as (server, _), deaf(server.address) as (address, hears):
        async with connect(address) as client:
            request = catalog.GetGameRequest(name="games/mythos")
            size = (await client.catalog.GetGame(request)).ByteSize()
            hears.clear()
            asked = 20_000_000 // size
            calls = [asyncio.ensure_future(client.catalog.GetGame(request)) for _ in range(asked)]
            refusals = 0.0
            for _ in range(100):
                await asyncio.sleep(0.1)
                before, refusals = refusals, (await scrape(server))[0].get(
                    ("seatmate_refusals_total", (("reason", "UNREAD_ANSWERS"),)), 0.0)
                if refusals and refusals == before:
                    break
            assert 0 < refusals < asked
            hears.set()
            ended = await asyncio.gather(*calls, return_exceptions=True)
            reasons = Counter("OK" if not isinstance(one, grpc.aio.AioRpcError) else error_reason(one) for one in ended)
            assert set(reasons) == {"OK", "UNREAD_ANSWERS"} and reasons["UNREAD_ANSWERS"] == refusals
            await client.catalog.GetGame(request)


@pytest.mark.asyncio
async def test_a_call_that_has_ended_waits_for_no_garbage_collection(house):
    """Those that last outlive the young generations, and the one of all that there is comes seldom."""
    table = await house.table("kuhn")
    player = await table.claim(0)
    gc.collect()
    gc.disable()
    try:
        for _ in range(20):
            await player.legal()
            async with refused(grpc.StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"):
                await replace(player, token="x" * 20).legal()
            async with refused(grpc.StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"):
                await replace(player, token="x" * 20).watch().read()
            async with refused(grpc.StatusCode.INVALID_ARGUMENT, "ILLEGAL_ACTION"):     # which a task of its own keeps
                await player.submit(99, (await player.legal()).sequence)
        await asyncio.sleep(0.1)
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        kept = Counter(type(one).__name__ for one in gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert kept["_HandlerCallDetails"] >= 80, "what gRPC itself leaves of a call"
    assert not kept["_ServicerContext"] and not kept["RPCState"]


def test_what_is_shared_leaves_the_others_room():
    shared = Shared(12)
    for caller, most in (("a", 6), ("b", 3), ("c", 2), ("d", 1)):
        taken = 0
        while not shared.is_full_for(caller):
            shared.take(caller)
            taken += 1
        assert (caller, taken) == (caller, most)
    shared.give("a", 6)
    assert shared.of("a") == 0 and shared.free == 6 and not shared.is_full_for("b")
    assert Shared(12, each=2).is_full_for("a") is False


@pytest.mark.parametrize("wrong", [{"large_bytes": 1000}, {"unread_bytes": 0}, {"unread_s": 0.0}, {"unread_s": float("inf")}])
def test_bounds_that_are_none(wrong):
    with pytest.raises(StartupError):
        ServerConfig(**wrong)
