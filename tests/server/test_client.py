"""The client: a game in a few lines, over deaths of the server, and nothing repeated that must not be."""
from __future__ import annotations

import asyncio
import functools
from pathlib import Path

import grpc
import pytest
from grpc import StatusCode

from playing import House
from processes import SOON, born, die, mother
from seatmate.client import Client, Seat, connect, error_reason, patiently
from seatmate.v1 import table_pb2, table_service_pb2

pytestmark = pytest.mark.asyncio


async def test_a_game_in_a_few_lines(house: House) -> None:
    client = house.client
    told: list[str] = []
    table = await client.create_table("hyde", seats=3, bots={1: "heuristic", 2: "random"}, options={"outcasts": "random"}, seed=5)
    me = await table.claim(0, "Ada")
    turns = 0
    async for turn in me.turns(tell=told.append):
        assert turn.question
        assert await turn.act(turn.actions[0])
        turns += 1
    after = await table.get()
    assert after.state == table_pb2.Table.STATE_FINISHED and after.seats[0].display_name == "Ada"
    assert turns > 5 and len(told) > turns
    assert '"seed"' in await table.record()
    everything = [event async for step in me.watch() for event in step.events]
    assert [event.text for event in everything if event.text] == told       # none left out, none twice
    await table.delete()
    with pytest.raises(grpc.aio.AioRpcError) as gone:
        await table.get()
    assert gone.value.code() is StatusCode.NOT_FOUND


async def test_hints_seats_and_an_answer_that_comes_too_late(house: House) -> None:
    table = await house.client.create_table("kuhn", is_open=True)
    first, second = await table.claim(0), await table.claim(1)
    hint = await first.hint(time_ms=20)
    assert hint.candidates[0].action.label
    async for turn in first.turns():
        assert await turn.act(turn.actions[0])
        assert not await turn.act(turn.actions[0])          # the position has moved on
        break
    token = await second.leave(bot="random")
    assert (await table.get()).seats[1].bot == "random" and token
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await Seat(house.client, second.name, "wrong").act(0, 1)
    assert refused.value.code() is StatusCode.PERMISSION_DENIED


async def test_a_game_goes_on_over_deaths_of_the_server(tmp_path: Path) -> None:
    address = f"unix:{tmp_path}/socket"
    async with mother(tmp_path / "t.sqlite3", address) as process, connect(address, options=SOON) as client:
        child = await born(process)
        table = await client.create_table("hyde", seats=2, bots={1: "random"}, pace_ms=5, seed=3)
        me = await table.claim(0)

        async def play() -> list[int]:
            seen = []
            async for turn in me.turns():
                await asyncio.sleep(0.02)
                await turn.act(turn.actions[-1])
                seen.append(turn.sequence)
            return seen

        playing = asyncio.create_task(play())
        for _ in range(5):
            await asyncio.sleep(0.25)
            await die(process, child)
            child = await born(process)
        async with asyncio.timeout(90):
            seen = await playing
        assert seen == sorted(set(seen))
        assert (await table.get()).state == table_pb2.Table.STATE_FINISHED


async def test_a_server_that_was_away_is_tried_as_often_as_calls_are_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    came = 0

    def refuse(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal came
        came += 1
        writer.close()

    monkeypatch.setattr("seatmate.client.asynchronous.LONGEST_PAUSE_S", 0.2)
    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        async with connect(f"127.0.0.1:{server.sockets[0].getsockname()[1]}") as client:
            with pytest.raises(grpc.aio.AioRpcError):
                await patiently(lambda: client.tables.ListTables(table_service_pb2.ListTablesRequest()), patience_s=4)
    assert came >= 7       # gRPC by itself: 3


async def test_only_what_may_be_repeated_is(house: House) -> None:
    calls = []

    async def fail(code: StatusCode) -> None:
        calls.append(code)
        raise grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata())

    for code, most in ((StatusCode.UNAVAILABLE, 10), (StatusCode.INTERNAL, 1), (StatusCode.RESOURCE_EXHAUSTED, 1),
                       (StatusCode.ABORTED, 1)):
        calls.clear()
        with pytest.raises(grpc.aio.AioRpcError):
            await patiently(functools.partial(fail, code), patience_s=0.35)
        assert 1 <= len(calls) <= most and (len(calls) > 1) == (code is StatusCode.UNAVAILABLE)
    with pytest.raises(grpc.aio.AioRpcError) as wrong:
        await Client.create_table(house.client, "hide")
    assert error_reason(wrong.value) == "UNKNOWN_GAME"
