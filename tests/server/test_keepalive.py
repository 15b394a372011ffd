"""Clients that ping to keep their connection open are welcome, idle or with a running call."""
from __future__ import annotations

import asyncio
import re
from pathlib import Path

import grpc
import pytest
from grpc._cython import cygrpc

import seatmate.server
from playing import House
from seatmate.client import connect
from seatmate.server.config import ServerConfig
from seatmate.server.service import channel_options, running_server
from seatmate.v1 import analysis_pb2

pytestmark = pytest.mark.asyncio

PINGS = [("grpc.keepalive_time_ms", 100), ("grpc.keepalive_timeout_ms", 5_000), ("grpc.keepalive_permit_without_calls", 1),
         ("grpc.http2.max_pings_without_data", 0)]
"""Of a client that pings ten times a second, whether there is data or not."""


async def test_every_channel_option_is_one_that_grpc_knows():
    core = Path(cygrpc.__file__).read_bytes()
    told = {name for name, _ in channel_options(ServerConfig())}
    assert "grpc.keepalive_time_ms" in told
    for file in Path(seatmate.server.__file__).parent.rglob("*.py"):
        told.update(re.findall(r'"(grpc\.[a-z0-9_.]*_[a-z0-9_]*)"', file.read_text(encoding="utf-8")))
    for name in [*told, *(name for name, _ in PINGS)]:
        assert f"{name}\0".encode() in core, name
    assert b"grpc.http2.min_recv_ping_interval_without_data_ms" not in core     # what it was called here once


@pytest.mark.parametrize("welcome", [True, False])
async def test_a_client_that_pings_keeps_its_streams_and_hints(tmp_path, welcome):
    least = {"least_ping_ms": 10} if welcome else {}
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=1, **least)
    async with running_server(config) as address, connect(address, options=PINGS) as client:
        house = House(client, address)
        player = await (await house.table("kuhn")).claim(0)
        stream = player.watch()
        await stream.read()
        await asyncio.sleep(1)      # the stream is silent
        hint = asyncio.create_task(player.suggest(budget=analysis_pb2.Budget(time_ms=1_500)))
        more = asyncio.create_task(stream.read())
        if welcome:
            assert (await hint).elapsed_ms > 1_000
            await player.act()
            assert (await more).events
        else:       # faster than the server allows: the test can see the difference
            with pytest.raises(grpc.aio.AioRpcError, match=r"too_many_pings|ENHANCE_YOUR_CALM|Too many pings"):
                await more
            await asyncio.gather(hint, return_exceptions=True)
