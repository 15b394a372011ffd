"""Every wrong request has its own status and one clear sentence."""
from __future__ import annotations

import grpc
import pytest
from grpc import StatusCode

from playing import refused
from seatmate.v1 import catalog_service_pb2, settings_pb2, table_pb2
from seatmate.v1 import table_service_pb2 as pb

pytestmark = pytest.mark.asyncio
Settings = settings_pb2.GameSettings
Value = settings_pb2.OptionValue
INVALID = StatusCode.INVALID_ARGUMENT


@pytest.mark.parametrize(("settings", "code", "reason", "field", "words"), [
    (Settings(), INVALID, "BAD_FIELD", "settings.game", "games/hyde"),
    (Settings(game="kuhn"), INVALID, "BAD_NAME", "settings.game", "games/{game}; did you mean 'games/kuhn'?"),
    (Settings(game="Hyde"), INVALID, "BAD_NAME", "settings.game", "did you mean 'games/hyde'?"),
    (Settings(game="/games/titan"), INVALID, "BAD_NAME", "settings.game", "did you mean 'games/titans'?"),
    (Settings(game="titans", mode="duel"), INVALID, "BAD_NAME", "settings.game", "did you mean 'games/titans'?"),
    (Settings(game="games/titans", mode="dual"), INVALID, "BAD_SETTING", "settings.mode", "did you mean 'duel'?"),
    (Settings(game="games/hyde", options={"levl": Value(text="expert")}), INVALID, "BAD_SETTING", "settings.options.levl",
     "did you mean 'level'?"),
    (Settings(game="games/hyde", options={"level": Value(text="nightmair")}), INVALID, "BAD_SETTING", "settings.options.level",
     "did you mean 'nightmare'?"),
    (Settings(game="games/hyde", options={"outcasts": Value(text="wednesdy,enid")}, seat_count=2), INVALID, "BAD_SETTING",
     "settings.options.outcasts", "did you mean 'wednesday'?"),
    (Settings(game="games/titans", options={"team0": Value(text="robn+raven"), "team1": Value(text="cyborg+starfire")}), INVALID,
     "BAD_SETTING", "settings.options.team0", "did you mean 'robin'?"),
    (Settings(game="games/mythos", options={"deck0": Value(text="leef")}), INVALID, "BAD_SETTING", "settings.options.deck0",
     "did you mean 'leaf'?"),
    (Settings(game="games/hyde", pack="standart"), INVALID, "BAD_SETTING", "settings.pack", "did you mean 'standard'?"),
    (Settings(game="games/chess"), StatusCode.NOT_FOUND, "UNKNOWN_GAME", "settings.game", "kuhn"),
    (Settings(game="games/khun"), StatusCode.NOT_FOUND, "UNKNOWN_GAME", "settings.game", "did you mean 'kuhn'"),
    (Settings(game="games/" + "x" * 100), INVALID, "BAD_NAME", "settings.game", "games/{game}"),
    (Settings(game="games/kuhn", mode="blitz"), INVALID, "BAD_SETTING", "settings.mode", "standard"),
    (Settings(game="games/kuhn", mode="x" * 300), INVALID, "BAD_FIELD", "settings.mode", "200"),
    (Settings(game="games/kuhn", seat_count=3), INVALID, "BAD_SETTING", "settings.seat_count", "2"),
    (Settings(game="games/kuhn", seat_count=-1), INVALID, "BAD_FIELD", "settings.seat_count", "1..8"),
    (Settings(game="games/kuhn", seat_count=1000), INVALID, "BAD_FIELD", "settings.seat_count", "1..8"),
    (Settings(game="games/kuhn", options={"color": Value(text="red")}), INVALID, "BAD_SETTING",
     "settings.options.color", "no such option"),
    (Settings(game="games/kuhn", options={"color": Value()}), INVALID, "BAD_FIELD",
     "settings.options.color", "no value"),
    (Settings(game="games/kuhn", options={f"o{n}": Value(number=n) for n in range(40)}), INVALID,
     "BAD_FIELD", "settings.options", "40"),
    (Settings(game="games/kuhn", options={"line\nbreak": Value()}), INVALID, "BAD_FIELD", "settings.options", r"'line\nbreak'"),
    (Settings(game="games/kuhn", pack="/etc/passwd"), INVALID, "BAD_SETTING", "settings.pack", "none"),
])
async def test_bad_settings(house, settings, code, reason, field, words):
    async with refused(code, reason, words, field=field):
        await house.client.tables.CreateTable(pb.CreateTableRequest(settings=settings))


@pytest.mark.parametrize(("plans", "reason", "field", "words"), [
    ([(2, "random", 0)], "BAD_FIELD", "bots[0].seat", "0..1"),
    ([(-1, "random", 0)], "BAD_FIELD", "bots[0].seat", "0..1"),
    ([(0, "random", 0), (0, "random", 0)], "BAD_FIELD", "bots[1].seat", "twice"),
    ([(0, "", 0)], "UNKNOWN_BOT", "bots[0].bot", "heuristic"),
    ([(0, "serch", 0)], "UNKNOWN_BOT", "bots[0].bot", "did you mean 'search'?"),
    ([(0, "search:tree_key=publik", 0)], "UNKNOWN_BOT", "bots[0].bot", "did you mean 'public'?"),
    ([(0, "alphazero", 0)], "UNKNOWN_BOT", "bots[0].bot", "alphazero"),
    ([(0, "search:iterations=many", 0)], "UNKNOWN_BOT", "bots[0].bot", "many"),
    ([(0, "search:iterations=10:reuse=true", 0)], "UNKNOWN_BOT", "bots[0].bot", "remembers no search"),
    ([(0, "search:iterations=999999999", 0)], "UNKNOWN_BOT", "bots[0].bot", "999999999"),
    ([(0, "search:nodes=100000000", 0)], "UNKNOWN_BOT", "bots[0].bot", "nodes"),
    ([(0, "search:" + "x" * 300, 0)], "UNKNOWN_BOT", "bots[0].bot", "200"),
    ([(0, "random", -1)], "BAD_FIELD", "bots[0].pace_ms", "60000"),
    ([(0, "random", 60_001)], "BAD_FIELD", "bots[0].pace_ms", "60000"),
])
async def test_bad_bots(house, plans, reason, field, words):
    bots = [table_pb2.SeatPlan(seat=seat, bot=bot, pace_ms=pace) for seat, bot, pace in plans]
    async with refused(INVALID, reason, words, field=field):
        await house.client.tables.CreateTable(pb.CreateTableRequest(settings=Settings(game="games/kuhn"), bots=bots))
    table = await house.table("kuhn")
    async with refused(INVALID, reason, words, field=field):
        await house.client.tables.FillSeats(pb.FillSeatsRequest(name=table.name, bots=bots), metadata=table.auth)


async def test_bad_names(house):
    table = await house.table("kuhn")
    tables = house.client.tables
    for name in ("", "x", "tables/", "tables/UPPER", "tables/a/seats/0", "tables/" + "a" * 5000, "tables/a\nb"):
        async with refused(INVALID, "BAD_NAME", "tables/{table}", field="name"):
            await tables.GetTable(pb.GetTableRequest(name=name))
    for name in ("", table.name, f"{table.name}/seats/", f"{table.name}/seats/x", f"{table.name}/seats/10"):
        async with refused(INVALID, "BAD_NAME", "seats/{seat}", field="seat"):
            await tables.ListLegalActions(pb.ListLegalActionsRequest(seat=name))
    bare = table.name.removeprefix("tables/")
    async with refused(INVALID, "BAD_NAME", f"did you mean '{table.name}'?", field="name"):
        await tables.GetTable(pb.GetTableRequest(name=bare))
    for name in (table.name, bare):
        async with refused(INVALID, "BAD_NAME", f"did you mean '{table.name}/seats/0'?", field="seat"):
            await tables.ListLegalActions(pb.ListLegalActionsRequest(seat=name))
    async with refused(INVALID, "BAD_NAME", f"did you mean '{table.name}/seats/1'?", field="observer"):
        await tables.GetObservation(pb.GetObservationRequest(observer=f"{bare}/seats/1"))
    async with refused(INVALID, "BAD_NAME", "observer", field="observer"):
        await tables.GetObservation(pb.GetObservationRequest(observer="seats/1"))
    async with refused(StatusCode.NOT_FOUND, "TABLE_NOT_FOUND", "tables/abc"):
        await tables.GetTable(pb.GetTableRequest(name="tables/abc"))
    async with refused(StatusCode.NOT_FOUND, "SEAT_NOT_FOUND", "0..1"):
        await table.claim(5)
    async with refused(INVALID, "BAD_FIELD", "at least one", field="bots"):
        await tables.FillSeats(pb.FillSeatsRequest(name=table.name), metadata=table.auth)
    for name in ("x" * 81, "line\nbreak", "\x1b[31mred"):
        async with refused(INVALID, "BAD_FIELD", field="display_name"):
            await table.claim(0, display_name=name)
    async with refused(INVALID, "BAD_FIELD", field="page_size"):
        await tables.ListTables(pb.ListTablesRequest(page_size=-1))


async def test_a_message_that_is_too_large_is_refused(house):
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await house.client.tables.GetTable(pb.GetTableRequest(name="x" * 5_000_000))
    assert caught.value.code() == StatusCode.RESOURCE_EXHAUSTED
    assert "larger than max" in str(caught.value.details())


async def test_an_unknown_method_and_a_broken_message(house):
    call = house.client.channel.unary_unary("/seatmate.v1.TableService/Cheat")
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(b"")
    assert caught.value.code() == StatusCode.UNIMPLEMENTED
    call = house.client.channel.unary_unary("/seatmate.v1.TableService/GetTable")
    async with refused(INVALID, "BROKEN_MESSAGE"):
        await call(b"\xff\xff\xff")
    call = house.client.channel.unary_stream("/seatmate.v1.TableService/WatchTable")
    async with refused(INVALID, "BROKEN_MESSAGE"):
        await call(b"\xff\xff\xff").read()


@pytest.mark.parametrize(("method", "kind"), [
    ("grpc.health.v1.Health/Check", "unary_unary"), ("grpc.health.v1.Health/Watch", "unary_stream"),
    ("grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", "stream_stream")])
async def test_a_broken_message_to_what_is_served_beside_the_api(house, method, kind):
    call = getattr(house.client.channel, kind)(f"/{method}")
    async with refused(INVALID, "BROKEN_MESSAGE"):
        match kind:
            case "unary_unary":
                await call(b"\xff\xff\xff")
            case "unary_stream":
                await call(b"\xff\xff\xff").read()
            case _:
                await call(iter([b"", b"\xff\xff\xff"])).read()
                await call(iter([b"\xff\xff\xff"])).read()


async def test_an_unexpected_error_tells_the_caller_nothing(house, monkeypatch, caplog):
    from seatmate.server import table_service

    def fail(*_: object) -> None:
        raise RuntimeError("the cards are under the carpet")

    table = await house.table("kuhn")
    monkeypatch.setattr(table_service, "table_to_message", fail)
    async with refused(StatusCode.INTERNAL, "INTERNAL") as caught:
        await table.get()
    assert "carpet" not in str(caught.value.details())
    assert "carpet" in caplog.text      # it is for whoever runs the server
    monkeypatch.undo()
    assert await table.get()


async def test_unknown_games_are_not_found(house):
    async with refused(StatusCode.NOT_FOUND, "UNKNOWN_GAME", "kuhn"):
        await house.client.catalog.GetGame(catalog_service_pb2.GetGameRequest(name="games/chess"))
    async with refused(INVALID, "BAD_NAME", "games/{game}", field="name"):
        await house.client.catalog.GetGame(catalog_service_pb2.GetGameRequest(name="chess"))
    async with refused(INVALID, "BAD_PAGE_TOKEN", field="page_token"):
        await house.client.catalog.ListGames(catalog_service_pb2.ListGamesRequest(page_token="x"))
    async with refused(INVALID, "BAD_PAGE_TOKEN", field="page_token"):
        await house.client.catalog.ListBots(catalog_service_pb2.ListBotsRequest(page_token="x"))
