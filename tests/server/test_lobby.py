"""What a page needs to keep up to date: WatchTables, and what WatchTable brings besides events."""
from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import grpc
import pytest
from grpc import StatusCode

from clockwork import Memory, Room, run, wall  # noqa: F401
from playing import House, play_on, refused
from seatmate.engine.core.registry import new_game
from seatmate.server.table_service import LOBBY_PAUSE_S
from seatmate.v1 import table_pb2
from seatmate.v1 import table_service_pb2 as pb


def lobby(house: House, **more: Any) -> Any:
    return house.client.tables.WatchTables(pb.WatchTablesRequest(**more))


async def listed(house: House) -> dict[str, table_pb2.Table]:
    return {table.name: table for table in (await house.client.tables.ListTables(pb.ListTablesRequest())).tables}


@pytest.mark.asyncio
async def test_the_lobby_is_what_list_tables_shows(house):
    """First, and after all messages that changes bring."""
    first = await house.table("kuhn", seed=1, access=table_pb2.ACCESS_OPEN)
    stream = lobby(house)
    shown: dict[str, table_pb2.Table] = {}

    async def step() -> pb.WatchTablesResponse:
        """The message after which nothing is left to tell."""
        while True:
            answer: pb.WatchTablesResponse = await asyncio.wait_for(stream.read(), 20)
            shown.update((table.name, table) for table in answer.tables)
            for name in answer.removed:
                del shown[name]
            if shown == await listed(house):
                return answer

    assert [table.name for table in (await step()).tables] == [first.name]
    second = await house.table("hyde", seats=2, display_name="New", access=table_pb2.ACCESS_OPEN)
    assert [table.display_name for table in (await step()).tables] == ["New"]
    players = await first.claim_all()
    assert [seat.holder for table in (await step()).tables for seat in table.seats] == 2 * [table_pb2.Seat.HOLDER_PLAYER]
    await play_on(players)
    ended, = (await step()).tables
    assert ended.state == table_pb2.Table.STATE_FINISHED
    assert ended.result == (await players[0].observe()).result
    await second.delete()
    assert list((await step()).removed) == [second.name]
    assert shown[first.name].result.text


@pytest.mark.asyncio
async def test_the_lobby_of_a_game_hears_of_that_game_alone(house):
    stream = lobby(house, game="games/hyde", page_size=1)
    assert not (await stream.read()).tables
    await house.table("kuhn", access=table_pb2.ACCESS_OPEN)
    table = await house.table("hyde", access=table_pb2.ACCESS_OPEN)
    assert [table.name for table in (await asyncio.wait_for(stream.read(), 20)).tables] == [table.name]
    for wrong in ({"page_size": -1}, {"game": "hyde"}):
        async with refused(StatusCode.INVALID_ARGUMENT, "BAD_NAME" if "game" in wrong else "BAD_FIELD"):
            await lobby(house, **wrong).read()


@pytest.mark.asyncio
async def test_many_changes_are_one_message_and_closed_lists_stay_closed(house):
    stream = lobby(house)
    await stream.read()
    options = {"deck0": "leaf", "deck1": "sand", "open_decklists": "no"}
    table = await house.table("mythos", seed=3, options=options, access=table_pb2.ACCESS_OPEN)
    players = await table.claim_all()
    told: list[pb.WatchTablesResponse] = []
    began = time.monotonic()
    for _ in range(6):
        await play_on(players, decisions=1)
    await asyncio.sleep(0.6)
    await table.delete()
    while not (told and told[-1].removed):
        told.append(await asyncio.wait_for(stream.read(), 20))
    assert len(told) <= 3 + (time.monotonic() - began) / LOBBY_PAUSE_S
    assert len(told) > 1
    for message in told[:-1]:
        decks = [message.tables[0].settings.options[f"deck{seat}"].text for seat in range(2)]
        assert decks == ["unknown:30", "unknown:30"]


@pytest.mark.parametrize("looks", [False, True])
def test_who_is_shown_a_table_of_bots_goes_on_looking(wall: SimpleNamespace, looks: bool) -> None:  # noqa: F811
    async def play() -> bool:
        room = Room(Memory())
        table = await room.open(new_game("kuhn"), {0: "heuristic", 1: "heuristic"})
        for _ in range(4):
            await asyncio.sleep(40)
            if looks:
                room.tables.keep_looking([table.id, "gone"])
        await room.stop()
        return table.observed

    assert run(play()) is looks


@pytest.mark.asyncio
async def test_legal_actions_come_with_the_present(house):
    table = await house.table("hyde", seats=2)
    players = await table.claim_all()
    streams = [player.watch(include_actions=True) for player in players]
    public = table.watch(include_actions=True)
    assert not (await public.read()).HasField("legal")
    brought, reached = 0, [0, 0]
    for _ in range(12):
        for seat, player in enumerate(players):
            now = await player.legal()
            while reached[seat] < now.sequence:
                step = await asyncio.wait_for(streams[seat].read(), 20)
                reached[seat] = step.events[-1].sequence
                if step.HasField("legal"):
                    assert step.legal.sequence == reached[seat]
                if reached[seat] == now.sequence:
                    assert step.legal == now
                    brought += len(now.actions) > 0
        await play_on(players, decisions=1)
    assert brought > 3


@pytest.mark.asyncio
async def test_the_stream_of_a_table_says_who_sits_there(house):
    table = await house.table("kuhn", seed=4)
    stream, plain = table.watch(include_table=True), table.watch()
    first = await stream.read()
    assert not first.events
    assert first.table == await table.get()
    assert (await stream.read()).events
    players = [await table.claim(0, display_name="Ada")]
    for expected in ("Ada", "heuristic"):
        while not (step := await asyncio.wait_for(stream.read(), 20)).HasField("table"):
            pass
        assert not step.events
        assert step.table.seats == (await table.get()).seats
        assert step.table.seats[0].display_name == expected
        if expected == "Ada":
            await players[0].leave("heuristic")
    other = await table.claim(1)
    last = None
    while (await table.get()).state == table_pb2.Table.STATE_PLAYING:
        await play_on([other], decisions=1)
    while (step := await asyncio.wait_for(stream.read(), 20)) is not grpc.aio.EOF:
        last = step.table if step.HasField("table") else last
    assert last is not None
    assert last == await table.get()
    assert last.result.text
    while (step := await plain.read()) is not grpc.aio.EOF:
        assert step.events
        assert not step.HasField("table")
        assert not step.HasField("legal")
