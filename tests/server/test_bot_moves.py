"""Why a bot did what it did: its own search, done again after the game."""
from __future__ import annotations

import asyncio
from typing import Any

import pytest
from grpc import StatusCode

from playing import House, TableAt, refused
from seatmate.ai.bots import parse_bot
from seatmate.engine.core.registry import game_spec
from seatmate.v1 import advisor_service_pb2 as pb
from seatmate.v1.table_pb2 import Table
from seatmate.v1.table_service_pb2 import ExportRecordRequest

pytestmark = pytest.mark.asyncio

MOST = 12       # decisions looked at of a game


async def played_out(house: House, game: str, *bots: str, **wishes: Any) -> TableAt:
    """A finished table of these bots."""
    table = await house.table(game, bots=dict(enumerate(bots)), seats=len(bots), seed=5, **wishes)
    async with asyncio.timeout(60):
        while (await table.get()).state != Table.STATE_FINISHED:
            await asyncio.sleep(0.02)
    return table


async def decisions(house: House, table: TableAt, seat: int) -> list[tuple[int, int]]:
    """(event right after which it was decided, action) of a seat, from its own log."""
    request = ExportRecordRequest(observer=f"{table.name}/seats/{seat}")
    events = (await house.client.tables.ExportRecord(request, metadata=table.auth)).events
    return [(event.sequence - 1, next(arg.value for arg in event.args if arg.name == "action"))
            for event in events if event.key == "CHOICE"]


def explain(house: House, table: TableAt, seat: int, at: int, **more: Any) -> Any:
    request = pb.ExplainBotMoveRequest(seat=f"{table.name}/seats/{seat}", at_sequence=at, **more)
    return house.client.advisor.ExplainBotMove(request, metadata=table.auth)


@pytest.mark.parametrize("game", ["connect_four", "hyde", "titans", "kuhn", "goofspiel", "leduc"])
async def test_a_search_is_repeated_to_the_last_visit_and_says_what_was_played(house: House, game: str) -> None:
    bot = "search:iterations=40"
    table = await played_out(house, game, bot, bot)
    seen = said = 0
    for at, action in (await decisions(house, table, 1))[:MOST]:
        found = await explain(house, table, 1, at)
        assert (found.played, found.bot) == (action, bot)
        assert action in {one.action.id for one in found.analysis.candidates}
        if len(found.analysis.candidates) == 1:
            continue
        seen += 1
        assert found.same_search
        assert found.analysis.iterations >= 40
        likely = {one.action.id for one in found.analysis.candidates if one.policy > 0}
        assert action in likely
        if len(likely) == 1:
            assert found.analysis.candidates[0].action.id == action
            said += len(found.analysis.candidates[0].reasons)
    assert seen
    assert said or game in ("kuhn", "goofspiel", "leduc")       # which have no features, or are played mixed


async def test_a_level_is_looked_into_with_its_depth_and_a_bot_without_a_search_gets_one(house: House) -> None:
    level = "player:noise=0.02:iterations=30:depth=2"
    table = await played_out(house, "connect_four", level, "heuristic")
    at, action = (await decisions(house, table, 0))[0]
    found = await explain(house, table, 0, at)
    assert found.same_search and found.played == action and found.analysis.iterations == 30 and found.analysis.depth <= 2
    at, action = (await decisions(house, table, 1))[0]
    found = await explain(house, table, 1, at, max_candidates=2)
    assert not found.same_search and found.played == action and found.analysis.iterations == 1000
    assert len(found.analysis.candidates) == 2


async def test_bots_that_think_for_a_time_are_no_same_search(house: House) -> None:
    table = await played_out(house, "tic_tac_toe", "search:time_ms=5", "random")
    found = await explain(house, table, 0, (await decisions(house, table, 0))[0][0])
    assert not found.same_search and found.analysis.iterations > 0


async def test_what_cannot_be_explained_is_refused(house: House) -> None:
    going = await house.table("connect_four", bots={1: "heuristic"})
    mine = await going.claim(0)
    async with refused(StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"):
        await explain(house, going, 1, 1)
    async with refused(StatusCode.FAILED_PRECONDITION, "GAME_NOT_OVER"):
        await mine.explain()
    table = await played_out(house, "tic_tac_toe", "random", "heuristic")
    for at in (0, 10_000, -1):
        async with refused(StatusCode.FAILED_PRECONDITION, "SEAT_NOT_ASKED"):
            await explain(house, table, 0, at)
    async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD"):
        await explain(house, table, 0, 1, max_candidates=-1)
    assert parse_bot("random").resolve(game_spec("tic_tac_toe")).limits is None
