"""What the server tells gRPC, by what it does: gRPC takes no notice of a name or value that it does not know.

Of the other options test_keepalive.py has the least interval of pings, test_limits.py those of calls.
"""
from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import grpc
import pytest

from playing import House
from seatmate.client import connect
from seatmate.server.config import ServerConfig
from seatmate.server.options import StartupError
from seatmate.server.service import Server, running_server
from seatmate.v1 import catalog_service_pb2 as catalog
from seatmate.v1 import table_service_pb2 as tables

pytestmark = pytest.mark.asyncio

WEB = pytest.mark.parametrize("web", [True, False], ids=["web", "grpc alone"])


def config(tmp_path, **more) -> ServerConfig:
    return ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=1, grace_s=0.5, **more)


@WEB
async def test_a_port_has_one_server(tmp_path, web):
    async with running_server(config(tmp_path, web=web)) as address:
        with pytest.raises(StartupError, match="port is in use"):
            await Server(ServerConfig(address=address, database=str(tmp_path / "other.sqlite3"), web=web)).start()


@WEB
async def test_a_request_has_so_many_bytes_and_not_more(tmp_path, web):
    async with running_server(config(tmp_path, web=web, max_message_bytes=50_000)) as address, connect(address) as client:
        for length, code, word in ((49_900, grpc.StatusCode.INVALID_ARGUMENT, "name"),
                                   (50_100, grpc.StatusCode.RESOURCE_EXHAUSTED, "larger than max")):
            with pytest.raises(grpc.aio.AioRpcError, match=word) as caught:
                await client.tables.GetTable(tables.GetTableRequest(name="x" * length))
            assert caught.value.code() is code


@WEB
async def test_an_answer_has_so_many_bytes_and_not_more(tmp_path, web):
    request = catalog.GetGameRequest(name="games/mythos")
    async with running_server(config(tmp_path, web=web)) as address, connect(address) as client:
        size = (await client.catalog.GetGame(request)).ByteSize()
    for most in (size, size - 1):
        async with running_server(config(tmp_path, web=web, max_message_bytes=most)) as address, connect(address) as client:
            if most == size:
                await client.catalog.GetGame(request)
            else:
                with pytest.raises(grpc.aio.AioRpcError, match="larger than max") as caught:
                    await client.catalog.GetGame(request)
                assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


@dataclass
class Line:
    """A connection through us, of which the server hears nothing more once it is cut, as when a cable is pulled."""

    address: str = ""
    cut: bool = False
    ended: asyncio.Event = field(default_factory=asyncio.Event)     # by the server


@contextlib.asynccontextmanager
async def line_to(address: str) -> AsyncIterator[Line]:
    line = Line()
    tasks: set[asyncio.Task[None]] = set()

    async def up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            if not line.cut:
                writer.write(data)

    async def down(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65_536):
                writer.write(data)
        line.ended.set()

    async def join(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, _, port = address.rpartition(":")
        inner_reader, inner_writer = await asyncio.open_connection(host, int(port))
        tasks.update((asyncio.create_task(up(reader, inner_writer)), asyncio.create_task(down(inner_reader, writer))))

    proxy = await asyncio.start_server(join, "127.0.0.1", 0)
    line.address = f"127.0.0.1:{proxy.sockets[0].getsockname()[1]}"
    try:
        yield line
    finally:
        proxy.close()
        for task in tasks:
            task.cancel()


@WEB
@pytest.mark.parametrize("busy", [True, False], ids=["with a stream", "without calls"])
async def test_a_silent_connection_is_asked_and_ended(tmp_path, web, busy):
    for asked in (True, False):
        keepalive = {"keepalive_ms": 300, "keepalive_timeout_ms": 200} if asked else {}
        async with running_server(config(tmp_path, web=web, **keepalive)) as address, line_to(address) as line:
            async with connect(line.address) as client:
                stream = (await House(client, address).table("kuhn")).watch()
                await stream.read()
                if not busy:
                    stream.cancel()
                    await asyncio.sleep(0.1)
                await asyncio.sleep(1)
                assert not line.ended.is_set()      # it has answered
                line.cut = True
                try:
                    await asyncio.wait_for(line.ended.wait(), 20 if asked else 1.5)
                except TimeoutError:
                    assert not asked
                else:
                    assert asked
                stream.cancel()


@pytest.mark.parametrize("wrong", [{"keepalive_ms": 0}, {"keepalive_timeout_ms": 0}])
async def test_keepalive_that_is_none(wrong):
    with pytest.raises(StartupError, match=r"is outside 1\.\."):
        ServerConfig(**wrong)
