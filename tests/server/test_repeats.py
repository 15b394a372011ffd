"""CreateTable and ClaimSeat by request_id: a repeat gets the same tokens, and nothing is made twice."""
from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import uuid
from pathlib import Path

import grpc
import pytest
from grpc import StatusCode

import clockwork
from playing import House, Player, refused
from seatmate.client import bearer, connect
from seatmate.server.config import ServerConfig
from seatmate.server.errors import ApiError
from seatmate.server.repeats import KEPT_S, Repeats
from seatmate.server.service import running_server
from seatmate.v1 import settings_pb2, table_pb2
from seatmate.v1 import table_service_pb2 as pb


def a_table(request_id: str, **more) -> pb.CreateTableRequest:
    texts = {key: settings_pb2.OptionValue(text=text) for key, text in (("level", "expert"), ("outcasts", "random"))}
    return pb.CreateTableRequest(settings=settings_pb2.GameSettings(game="games/hyde", seat_count=2, options=texts),
                                 request_id=request_id, **more)


@pytest.mark.asyncio
async def test_a_repeated_table_is_the_same_and_other_wishes_are_refused(house):
    once = str(uuid.uuid4())
    create = house.client.tables.CreateTable
    made = await create(a_table(once, access=table_pb2.ACCESS_OPEN))
    for _ in range(3):
        assert await create(a_table(once, access=table_pb2.ACCESS_OPEN)) == made
    async with refused(StatusCode.INVALID_ARGUMENT, "REQUEST_ID_REUSED", field="request_id"):
        await create(a_table(once))
    async with refused(StatusCode.INVALID_ARGUMENT, "REQUEST_ID_REUSED", field="request_id"):
        await create(a_table(once, access=table_pb2.ACCESS_OPEN), metadata=bearer("somebody else's"))
    assert len((await house.client.tables.ListTables(pb.ListTablesRequest())).tables) == 1
    assert (await create(a_table(""))).table_token != (await create(a_table(""))).table_token


@pytest.mark.asyncio
@pytest.mark.parametrize("request_id", ["1", "x" * 31, "x" * 65, " " * 36])
async def test_an_id_that_could_be_guessed_is_none(house, request_id):
    table = await house.table("kuhn")
    for call in (house.client.tables.CreateTable(a_table(request_id)), table.claim(0, request_id=request_id)):
        async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", "32 to 64 random", field="request_id"):
            await call


@pytest.mark.asyncio
async def test_repeats_at_the_same_time_are_carried_out_once(house):
    once = str(uuid.uuid4())
    made = await asyncio.gather(*[house.client.tables.CreateTable(a_table(once, access=table_pb2.ACCESS_OPEN)) for _ in range(20)])
    assert made == made[:1] * 20
    assert len((await house.client.tables.ListTables(pb.ListTablesRequest())).tables) == 1
    table = await house.table("kuhn")
    claimed = await asyncio.gather(*[table.claim(0, table.invitation, request_id=once) for _ in range(20)])
    assert claimed == claimed[:1] * 20
    await claimed[0].act()


@pytest.mark.asyncio
async def test_who_was_cut_off_gets_the_seat_by_asking_again(house):
    table = await house.table("kuhn")
    once = str(uuid.uuid4())
    for delay_s in (0.0, 0.001, 0.003):
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(delay_s):
                await table.claim(0, request_id=once)
    player = await table.claim(0, request_id=once)
    assert (await player.legal()).actions


@pytest.mark.asyncio
async def test_a_repeated_claim_is_the_same_and_a_refused_one_is_tried_again(house):
    table = await house.table("kuhn")
    once, later = str(uuid.uuid4()), str(uuid.uuid4())
    player = await table.claim(0, table.invitation, display_name="Ada", request_id=once)
    assert await table.claim(0, table.invitation, display_name="Ada", request_id=once) == player
    for change in ({"token": table.token}, {"display_name": "Eve"}):
        async with refused(StatusCode.INVALID_ARGUMENT, "REQUEST_ID_REUSED", field="request_id"):
            await table.claim(0, **{"token": table.invitation, "display_name": "Ada", "request_id": once, **change})
    for _ in range(2):
        async with refused(StatusCode.FAILED_PRECONDITION, "SEAT_TAKEN"):
            await table.claim(0, request_id=later)
    await Player(house.client, player.seat, table.token).leave()
    assert await table.claim(0, request_id=later) == await table.claim(0, request_id=later)


@pytest.mark.asyncio
async def test_after_a_restart_a_repeat_makes_nothing_and_is_told_so(tmp_path: Path) -> None:
    once = str(uuid.uuid4())
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=1)
    async with running_server(config) as address, connect(address) as client:
        made = await client.tables.CreateTable(a_table(once))
        table = await House(client, address).table("kuhn")
        await table.claim(0, request_id=once)
    async with running_server(config) as address, connect(address) as client:
        for request in (a_table(once), a_table(once, display_name="another")):
            async with refused(StatusCode.ALREADY_EXISTS, "REQUEST_CARRIED_OUT", made.table.name):
                await client.tables.CreateTable(request)
        async with refused(StatusCode.FAILED_PRECONDITION, "SEAT_TAKEN"):
            await House(client, address).at(table).claim(0, request_id=once)
    with contextlib.closing(sqlite3.connect(tmp_path / "t.sqlite3")) as database:
        assert database.execute("select count(*) from tables").fetchone() == (2,)
        assert all(once not in line for line in database.iterdump())     # whoever knew it could have had the tokens


def test_answers_are_kept_for_ten_minutes_and_not_more_than_so_many() -> None:
    made: list[int] = []

    async def work() -> int:
        made.append(len(made))
        return made[-1]

    async def fail() -> int:
        made.append(-1)
        raise ApiError(grpc.StatusCode.ABORTED, "NOT_NOW", "try again")

    async def play() -> None:
        repeats = Repeats(most=3)
        ids = [f"{number:040}" for number in range(5)]
        assert [await repeats.once(a_table(ids[0]), None, work) for _ in range(2)] == [0, 0]
        await asyncio.sleep(KEPT_S - 1)
        assert await repeats.once(a_table(ids[0]), None, work) == 0
        await asyncio.sleep(2)
        assert await repeats.once(a_table(ids[0]), None, work) == 1
        assert [await repeats.once(a_table(one), None, work) for one in ids] == [1, 2, 3, 4, 5]
        assert len(repeats) == 3
        assert [await repeats.once(a_table(one), None, work) for one in reversed(ids)] == [5, 4, 3, 6, 7]
        for _ in range(2):
            with pytest.raises(ApiError, match="try again"):
                await repeats.once(a_table("f" * 40), None, fail)
        assert made[-2:] == [-1, -1]

    clockwork.run(play())
