"""Tables whose questions can be answered by the clock, over gRPC."""
from __future__ import annotations

import sqlite3

import pytest
from grpc import StatusCode

from playing import House, refused
from seatmate.client import connect
from seatmate.engine.core.registry import list_games
from seatmate.server.config import ServerConfig
from seatmate.server.service import running_server
from seatmate.v1 import catalog_service_pb2 as catalog
from seatmate.v1.table_pb2 import PassWindow, Table

pytestmark = pytest.mark.asyncio

HALF = PassWindow(least_ms=100, most_ms=100)


@pytest.mark.parametrize(("game", "window", "field", "words"), [
    ("kuhn", HALF, "pass_window", "no question of kuhn"),
    ("titans", PassWindow(), "pass_window.least_ms", "0 is outside 100..60000"),
    ("titans", PassWindow(least_ms=99, most_ms=100), "pass_window.least_ms", "99 is outside"),
    ("titans", PassWindow(least_ms=100, most_ms=60_001), "pass_window.most_ms", "60001 is outside"),
    ("hundred_days", PassWindow(least_ms=-5, most_ms=100), "pass_window.least_ms", "-5 is outside"),
    ("hundred_days", PassWindow(least_ms=500, most_ms=400), "pass_window.most_ms", "400 is less than least_ms, 500")])
async def test_wrong_windows_are_refused(house, game, window, field, words):
    async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", words, field=field):
        await house.table(game, seats=2, pass_window=window)


async def test_the_catalog_says_what_can_be_passed(house):
    for spec in list_games():
        game = await house.client.catalog.GetGame(catalog.GetGameRequest(name=f"games/{spec.id}"))
        assert [prompt.passing_action if prompt.HasField("passing_action") else None for prompt in game.prompts] == [
            prompt.passing for prompt in spec.prompts]


async def test_people_who_say_nothing_pass_and_the_game_goes_on(house):
    """In whole: every other question is answered by hand, windows by nobody."""
    table = await house.table("hundred_days", seats=2, seed=3, pass_window=HALF)
    assert (await table.get()).pass_window == HALF
    players = await table.claim_all()
    spec = next(spec for spec in list_games() if spec.id == "hundred_days")
    passed = 0
    while passed < 4:
        for player in players:
            legal = await player.legal()
            if legal.prompt and spec.prompt_named(legal.prompt).passing is None:
                await player.submit(legal.actions[-1].id, legal.sequence)
            elif legal.prompt:
                stream = player.watch(since=legal.sequence)
                assert (await stream.read()).events[0].key == "CHOICE"
                stream.cancel()
                passed += 1


async def test_windows_outlive_the_server_and_damage_is_told(tmp_path):
    database = tmp_path / "t.sqlite3"
    config = ServerConfig(address="127.0.0.1:0", database=str(database))
    async with running_server(config) as address, connect(address) as client:
        tables = [await House(client, address).table("titans", seats=2, pass_window=PassWindow(least_ms=200, most_ms=900))
                  for _ in range(2)]
        gone = await House(client, address).table("titans", seats=2, pass_window=HALF)
        await gone.delete()
    with sqlite3.connect(database) as db:
        assert db.execute("select count(*) from pass_windows").fetchone() == (2,)
        db.execute("update pass_windows set most_ms = 'x' where table_id = ?", [tables[1].name.removeprefix("tables/")])
    db.close()
    async with running_server(config) as address, connect(address) as client:
        kept, damaged = [await House(client, address).at(table).get() for table in tables]
        assert kept.pass_window == PassWindow(least_ms=200, most_ms=900)
        assert damaged.state == Table.STATE_DAMAGED and "pass window" in damaged.unreadable_reason
