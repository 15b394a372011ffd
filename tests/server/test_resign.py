"""Giving up: of two players the other wins, for all who watch and for ever; in every other game a bot plays on."""
from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import grpc
import pytest
from grpc import StatusCode

from playing import House, TableAt, drain, play_on, refused, two_houses
from seatmate.client import Seat as ClientSeat
from seatmate.client import connect
from seatmate.engine.core.record import Record
from seatmate.server.config import Pacing, ServerConfig
from seatmate.server.service import running_server
from seatmate.v1.table_pb2 import Clock, Seat, Table

pytestmark = pytest.mark.asyncio


async def seen_to_the_end(stream: Any) -> list[Any]:
    out: list[Any] = []
    while (step := await stream.read()) is not grpc.aio.EOF:
        out.append(step)
    return out


def check_end(found: Table) -> None:
    assert found.state == Table.STATE_FINISHED
    assert (list(found.result.returns), list(found.result.ranks), found.result.resigned_seat) == ([0.0, 1.0], [2, 1], 0)
    assert found.result.text == "Seat 0 gives up; Seat 1 wins."
    assert not found.asked and not found.result.scores


async def test_of_two_players_the_other_wins_and_everybody_is_told(database: str) -> None:
    config = ServerConfig(address="127.0.0.1:0", database=database, web=False, pacing=Pacing(answer_ms=0))
    async with running_server(config) as address, connect(address) as client:
        house = House(client, address)
        table = await house.table("kuhn", seed=3, clock=Clock(move_ms=60_000))
        players = await table.claim_all()
        await play_on(players, decisions=1)
        watching = [asyncio.create_task(seen_to_the_end(one.watch(**wishes))) for one, wishes in (
            (table, {}), (players[0], {"include_observation": True, "include_actions": True}),
            (players[1], {"include_table": True}))]
        await asyncio.sleep(0.2)
        async with refused(StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"):
            await replace(players[1], token=players[0].token).observe()
        check_end(await ClientSeat(client, players[0].seat, players[0].token).resign())
        check_end(await players[0].resign())      # again: nothing more happens
        plain, mine, theirs = await asyncio.gather(*watching)
        assert not any(step.HasField("observation") or step.HasField("table") for step in plain)
        assert mine[-1].observation.result.resigned_seat == 0 and not mine[-1].events
        assert not mine[-1].observation.prompt and not mine[-1].observation.asked
        check_end(theirs[-1].table)
        assert (await replace(players[1], token=players[0].token).observe()).result.resigned_seat == 0      # all may see all now
        for player in players:
            assert not (await player.legal()).actions
            async with refused(StatusCode.FAILED_PRECONDITION, "GAME_OVER"):
                await player.submit(0, (await player.observe()).sequence)
        async with refused(StatusCode.FAILED_PRECONDITION, "GAME_OVER"):
            await players[1].resign()
        async with refused(StatusCode.FAILED_PRECONDITION, "GAME_OVER"):
            await players[1].suggest(budget={"iterations": 5})
        before = await table.get(), await table.export()
    async with running_server(config) as address, connect(address) as client:
        again = House(client, address).at(table)
        assert (await again.get(), await again.export()) == before
        found = await again.export()
        assert found.complete
        record = Record.from_json(found.record)
        assert (record.resigned, len(record.actions)) == (0, 1)
        assert Record.from_json(record.to_json()) == record and not record.replay().is_over
        late = await seen_to_the_end(again.watch(include_observation=True))
        assert [step.observation.HasField("result") for step in late] == [True]
        check_end(await again.get())


async def test_a_bot_does_not_play_on_against_nobody(house: House) -> None:
    table = await house.table("connect_four", bots={1: "random"}, pace_ms=300)
    player = await table.claim(0)
    await player.act()
    await player.resign()
    before = (await table.get()).sequence
    await asyncio.sleep(0.5)
    assert (await table.get()).sequence == before


@pytest.mark.parametrize(("game", "seats"), [("hyde", 2), ("goofspiel", 3)])
async def test_where_others_play_on_a_bot_does_for_who_gives_up(house: House, game: str, seats: int) -> None:
    """They play together, or against each other."""
    table = await house.table(game, seats=seats, bots=dict.fromkeys(range(1, seats), "random"))
    player = await table.claim(0)
    async with refused(StatusCode.INVALID_ARGUMENT, "UNKNOWN_BOT"):
        await player.resign("genius")
    found = await player.resign("random")
    assert (found.state, found.seats[0].holder, found.seats[0].bot) == (Table.STATE_PLAYING, Seat.HOLDER_BOT, "random")
    async with refused(StatusCode.PERMISSION_DENIED, "SEAT_LOST"):
        await player.observe()
    async with refused(StatusCode.PERMISSION_DENIED, "SEAT_LOST"):
        await table.claim(0, player.token)
    assert (await table.finished()).is_over
    assert not (await table.get()).result.HasField("resigned_seat")


async def test_only_who_sits_there_gives_up(house: House) -> None:
    table = await house.table("kuhn")
    players = await table.claim_all()
    for token in (table.token, players[1].token, table.invitation):
        async with refused(StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"):
            await replace(players[0], token=token).resign()
    assert (await table.get()).state == Table.STATE_PLAYING


async def test_giving_up_at_one_server_ends_the_game_at_the_other(postgres: Callable[[], str]) -> None:
    async with two_houses(postgres()) as houses:
        tables: list[TableAt] = [await houses[0].table("connect_four") for _ in range(6)]
        for table in tables:
            player = await table.claim(0)
            watching = asyncio.create_task(drain(houses[1].at(table).watch()))
            other = houses[1].of(await table.claim(1))
            await player.act()

            async def race(other=other) -> None:
                while not (legal := await other.legal()).actions and (await other.observe()).HasField("result") is False:
                    await asyncio.sleep(0.01)
                try:
                    await other.submit(0, legal.sequence)
                except grpc.aio.AioRpcError as error:
                    assert error.code() in (StatusCode.ABORTED, StatusCode.FAILED_PRECONDITION), error

            async def give_up(player=player) -> None:
                for _ in range(5):
                    try:
                        await player.resign()
                        return
                    except grpc.aio.AioRpcError as error:
                        assert error.code() is StatusCode.ABORTED, error

            await asyncio.gather(race(), give_up())
            async with asyncio.timeout(20):
                await watching
            check_end(await houses[1].at(table).get())
            assert (await houses[0].at(table).export()).record == (await houses[1].at(table).export()).record
