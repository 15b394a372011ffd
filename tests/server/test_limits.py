"""Too much at once: who asks is served or told when to come back, one caller leaves the others room, health always answers."""
from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc

from figures import measured, scrape
from playing import House
from seatmate.client import connect, error_reason, read_detail
from seatmate.server import now_and_then
from seatmate.server.callers import Callers
from seatmate.server.config import ServerConfig
from seatmate.server.interceptors import RefusalLog
from seatmate.server.options import StartupError
from seatmate.server.service import running_server
from seatmate.v1 import catalog_service_pb2 as catalog
from web import OTHER_HOST, by_web

AT_ONCE = 2000
HOST = "127.0.0.1"


def config(tmp_path, **more) -> ServerConfig:
    return ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=1, grace_s=0.5, **more)


def outcome(answer: Any) -> str:
    """OK, or the reason of a refusal that says when to come back."""
    if not isinstance(answer, BaseException):
        return "OK"
    assert isinstance(answer, grpc.aio.AioRpcError), answer
    retry = error_details_pb2.RetryInfo()
    assert (answer.code(), read_detail(answer, retry)) == (grpc.StatusCode.RESOURCE_EXHAUSTED, True), answer
    assert 0 < retry.retry_delay.ToMilliseconds() < 5_000
    return error_reason(answer)


async def healthy(address: str) -> float:
    """Seconds until health has answered, on a connection of its own."""
    began = asyncio.get_running_loop().time()
    async with connect(address, options=[("grpc.use_local_subchannel_pool", 1)]) as client:
        answer = await health_pb2_grpc.HealthStub(client.channel).Check(health_pb2.HealthCheckRequest(), timeout=20)
        listed = await health_pb2_grpc.HealthStub(client.channel).List(health_pb2.HealthListRequest(), timeout=20)
    assert answer.status == health_pb2.HealthCheckResponse.SERVING
    assert dict(listed.statuses)[""] == answer
    return asyncio.get_running_loop().time() - began


@pytest.mark.asyncio
@pytest.mark.parametrize("web", [True, False])
async def test_a_burst_is_served(tmp_path, web):
    async with running_server(config(tmp_path, web=web)) as address, connect(address) as client:
        answers = await asyncio.gather(*(client.catalog.GetGame(catalog.GetGameRequest(name="games/kuhn")) for _ in range(AT_ONCE)),
                                       return_exceptions=True)
        assert Counter(map(outcome, answers)) == {"OK": AT_ONCE}


@pytest.mark.asyncio
async def test_streams_beyond_the_limit_are_refused_and_others_have_room(tmp_path):
    """One connection wants 2,000 streams where 400 calls may run: it gets half."""
    async with measured(tmp_path, max_calls=400) as (server, house):
        table = await house.table("kuhn")
        streams = [table.watch() for _ in range(AT_ONCE)]
        answers = await asyncio.gather(*(stream.read() for stream in streams), return_exceptions=True)
        assert Counter(map(outcome, answers)) == {"OK": 200, "TOO_MANY_CALLS_OF_CALLER": AT_ONCE - 200}
        assert await asyncio.to_thread(by_web, server.address, OTHER_HOST) == 200
        assert await asyncio.to_thread(by_web, server.address, HOST) == 429    # by whatever protocol
        assert await healthy(server.address) < 5
        figures, _ = await scrape(server)
        assert figures["seatmate_refusals_total", (("reason", "TOO_MANY_CALLS_OF_CALLER"),)] == AT_ONCE - 199
        for stream in streams:
            stream.cancel()
        await asyncio.sleep(0.3)
        assert (await table.get()).name == table.name      # what has ended is no longer counted


@pytest.mark.asyncio
async def test_health_answers_when_nothing_else_does(tmp_path):
    async with running_server(config(tmp_path, max_calls=3, caller_calls=3)) as address, connect(address) as client:
        table = await House(client, address).table("kuhn")
        streams = [table.watch() for _ in range(3)]
        await asyncio.gather(*(stream.read() for stream in streams))
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await table.get()
        assert outcome(caught.value) == "TOO_MANY_CALLS"
        assert await asyncio.to_thread(by_web, address, OTHER_HOST) == 429
        assert await healthy(address) < 5


@pytest.mark.asyncio
async def test_a_client_lets_calls_wait_that_a_connection_has_no_room_for(tmp_path):
    """Not refused by anybody: the third stream begins when one has ended."""
    async with running_server(config(tmp_path, connection_calls=2)) as address, connect(address) as client:
        table = await House(client, address).table("kuhn")
        first, second = table.watch(), table.watch()
        await asyncio.gather(first.read(), second.read())
        waiting = asyncio.ensure_future(table.get())
        await asyncio.sleep(0.3)
        assert not waiting.done()
        first.cancel()
        assert (await waiting).name == table.name


class _From:
    def __init__(self, peer: str) -> None:
        self._peer = peer

    def peer(self) -> str:
        return self._peer


def test_a_caller_is_an_address():
    callers = Callers()
    callers.pass_on("/tmp/x/grpc-1", "10.0.0.9")
    for peer, caller in (("ipv4:10.1.2.3:4567", "10.1.2.3"), ("ipv6:[::1]:4567", "::/64"),
                         ("ipv6:%5B::ffff:10.1.2.3%5D:1", "10.1.2.3"),
                         ("ipv6:[2001:db8:0:1:2::3]:1", "2001:db8:0:1::/64"), ("ipv6:[fe80::1%25eth0]:1", "fe80::/64"),
                         ("unix:/tmp/x/grpc-1", "10.0.0.9"), ("unix:/tmp/x/grpc-2", "unix"), ("unix:", "unix")):
        assert callers.of(_From(peer)) == caller, peer
    callers.forget("/tmp/x/grpc-1")
    assert callers.of(_From("unix:/tmp/x/grpc-1")) == "unix"


def test_refusals_are_logged_now_and_then(monkeypatch, caplog):
    now = 100.0
    monkeypatch.setattr(now_and_then.time, "monotonic", lambda: now)
    told = RefusalLog()
    with caplog.at_level(logging.WARNING):
        for now in (100.0, 101.0, 109.0, 110.5, 111.0):    # noqa: B007  read by the clock above
            told("TOO_MANY_CALLS", "/x")
        told("ANOTHER", "/x")
    told_of = [(record.reason, record.calls) for record in caplog.records]
    assert told_of == [("TOO_MANY_CALLS", 1), ("TOO_MANY_CALLS", 3), ("ANOTHER", 1)]


@pytest.mark.parametrize("wrong", [{"max_calls": 0}, {"caller_calls": -1}, {"connection_calls": 0}, {"waiting_calls": 0},
                                   {"waiting_calls": 2**31}])
def test_limits_that_are_none(wrong):
    with pytest.raises(StartupError, match=r"-calls is outside"):
        ServerConfig(**wrong)
