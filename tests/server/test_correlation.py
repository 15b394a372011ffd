"""Each call can be found again: its id in the log, in the answer, and in what it sets going; its caller may have chosen it."""
from __future__ import annotations

import asyncio
import io
import json
import logging

import grpc
import pytest

from figures import started
from seatmate.server import logs
from seatmate.v1 import catalog_service_pb2 as catalog
from seatmate.v1 import table_service_pb2 as pb
from web import Call, ask

pytestmark = pytest.mark.asyncio

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = f"00-{TRACE}-00f067aa0ba902b7-01"


@pytest.fixture
def lines(monkeypatch):
    """The log as it is written; call it for what came since."""
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(logs.JsonFormatter())
    logger = logging.getLogger("seatmate")
    monkeypatch.setattr(logger, "handlers", [handler])
    monkeypatch.setattr(logger, "level", logging.INFO)

    def read():
        found = [json.loads(line) for line in out.getvalue().splitlines()]
        out.seek(0)
        out.truncate()
        return found

    return read


def of_calls(lines) -> list[dict[str, object]]:
    return [line for line in lines() if line["message"] == "call"]


async def test_a_call_says_its_id_in_the_answer_and_in_the_log(tmp_path, lines):
    async with started(tmp_path) as (_, house):
        for metadata in ((), (("x-request-id", "order-66.a:b_c"), ("traceparent", PARENT))):
            call = house.client.catalog.ListGames(catalog.ListGamesRequest(), metadata=metadata)
            await call
            told = dict(await call.trailing_metadata())["x-request-id"]
            (line,) = of_calls(lines)
            assert (line["request_id"], line["peer"]) == (told, "127.0.0.1")
            assert line.get("trace_id") == (TRACE if metadata else None)
            assert told == "order-66.a:b_c" if metadata else len(told) == 16


@pytest.mark.parametrize("asked", ["", "x" * 65, "two words", "-a", 'a"b', "a,b"])
async def test_an_id_that_is_not_well_formed_is_replaced(tmp_path, lines, asked):
    async with started(tmp_path) as (_, house):
        call = house.client.catalog.ListGames(catalog.ListGamesRequest(), metadata=(
            ("x-request-id", asked), ("traceparent", f"00-{'0' * 32}-00f067aa0ba902b7-01")))
        await call
        (line,) = of_calls(lines)
        assert line["request_id"] == dict(await call.trailing_metadata())["x-request-id"] != asked
        assert "trace_id" not in line


async def test_a_failed_call_and_a_stream_say_it_too(tmp_path, lines):
    async with started(tmp_path) as (_, house):
        table = await house.table("kuhn")
        lines()
        failed = house.client.tables.GetTable(pb.GetTableRequest(name="tables/none"), metadata=(("x-request-id", "f"),))
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await failed
        told = dict(caught.value.trailing_metadata())
        assert told["x-request-id"] == "f" and "grpc-status-details-bin" in told
        stream = house.client.tables.WatchTable(pb.WatchTableRequest(observer=table.name),
                                                metadata=(*(table.auth or ()), ("x-request-id", "s")))
        await stream.read()
        stream.cancel()
        await asyncio.sleep(0.1)
        assert [line["request_id"] for line in of_calls(lines)] == ["f", "s"]


async def test_browsers_are_told_as_their_protocol_says(tmp_path):
    path = "/seatmate.v1.CatalogService/ListGames"
    async with started(tmp_path) as (server, _):
        def by_json(body: bytes) -> object:
            return ask(server.address, path, method="POST", body=body, content_type="application/json", x_request_id="w-1")

        for body, status in ((b"{}", 200), (b"nonsense", 400)):
            reply = await asyncio.to_thread(by_json, body)
            assert (reply.status, reply.headers["trailer-x-request-id"]) == (status, "w-1")

        def by_grpc_web() -> bytes:
            call = Call(server.address, path, catalog.ListGamesRequest(), x_request_id="w-2")
            try:
                return call.answer.read()
            finally:
                call.close()

        assert b"x-request-id: w-2\r\n" in await asyncio.to_thread(by_grpc_web)


async def test_what_a_call_sets_going_belongs_to_it_and_bots_to_nobody(tmp_path, lines, monkeypatch):
    async with started(tmp_path) as (server, house):
        def fail(*_: object, **__: object) -> None:
            raise RuntimeError("on purpose")

        with monkeypatch.context() as broken, pytest.raises(grpc.aio.AioRpcError, match="went wrong"):
            broken.setattr(server._tables._storage, "create", fail)
            await house.client.tables.CreateTable(pb.CreateTableRequest(settings={"game": "games/kuhn"}),
                                                  metadata=(("x-request-id", "mine"),))
        assert {line["message"]: line.get("request_id") for line in lines()}["unexpected error"] == "mine"
        monkeypatch.setattr(server._tables, "submit_for", fail)
        await house.table("kuhn", bots={0: "random", 1: "random"})
        await asyncio.sleep(0.2)
        (said, *_) = [line for line in lines() if line["message"].startswith("a bot could not act")]
        assert "request_id" not in said
