"""Who may know a table and take its seats: strangers, guests with an invitation, players, those who were removed, the owner.
And who may know a tournament.
"""
from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc import StatusCode

from figures import started
from played_tournaments import played
from playing import House, Player, TableAt, play_on, refused
from seatmate.client import Tournament, bearer, connect, error_reason
from seatmate.server.config import ServerConfig
from seatmate.server.service import running_server
from seatmate.v1 import analysis_pb2, table_pb2
from seatmate.v1 import table_service_pb2 as pb
from seatmate.v1 import tournament_service_pb2 as tpb

pytestmark = pytest.mark.asyncio
OPEN = table_pb2.ACCESS_OPEN
BUDGET = analysis_pb2.Budget(iterations=5)


@dataclass
class Scene:
    """A private table: players on seats 0 and 1, seat 2 free, a bot on seat 3 that never moves; and another table."""

    house: House
    table: TableAt
    players: list[Player]
    other: TableAt

    def token(self, who: str) -> str:
        return {"nobody": "", "owner of another": self.other.token, "guest of another": self.other.invitation,
                "guest": self.table.invitation, "seat 0": self.players[0].token, "seat 1": self.players[1].token,
                "owner": self.table.token}[who]


async def scene(house: House) -> Scene:
    table = await house.table("liars_dice", seats=4, bots={3: "random"}, pace_ms=60_000)
    players = [await table.claim(seat) for seat in range(2)]
    return Scene(house, table, players, await house.table("kuhn"))


async def first(stream: Any) -> None:
    assert await stream.read() is not grpc.aio.EOF
    stream.cancel()


Call = Callable[[TableAt, Player], Coroutine[Any, Any, Any]]
VIEWS: dict[str, Call] = {
    "GetTable": lambda table, seat: table.get(),
    "GetObservation": lambda table, seat: table.observe(),
    "WatchTable": lambda table, seat: first(table.watch()),
    "ExportRecord": lambda table, seat: table.export(),
}
OF_SEAT: dict[str, Call] = {
    "GetObservation of seat 0": lambda table, seat: seat.observe(),
    "WatchTable of seat 0": lambda table, seat: first(seat.watch()),
    "ExportRecord of seat 0": lambda table, seat: seat.export(),
    "ListLegalActions": lambda table, seat: seat.legal(),
    "SuggestActions": lambda table, seat: seat.suggest(budget=BUDGET),
    "Analyze": lambda table, seat: first(seat.analyze(budget=BUDGET)),
    "ReviewGame": lambda table, seat: first(seat.review(budget=BUDGET)),
    "ExplainBotMove": lambda table, seat: seat.explain(),
    "SubmitAction": lambda table, seat: seat.act(),
}
CHANGES: dict[str, Call] = {
    "ClaimSeat, free": lambda table, seat: table.claim(2),
    "ClaimSeat, a bot's": lambda table, seat: table.claim(3),
    "ClaimSeat, taken": lambda table, seat: table.claim(1),
    "ClaimSeat, none": lambda table, seat: table.claim(7),
    "LeaveSeat": lambda table, seat: seat.leave(),
    "ResignSeat": lambda table, seat: seat.resign(),
    "TakeBack": lambda table, seat: seat.take_back(),
    "Rematch": lambda table, seat: table.rematch(),
    "FillSeats": lambda table, seat: table.fill({2: "random"}),
    "DeleteTable": lambda table, seat: table.delete(),
}
CALLS = VIEWS | OF_SEAT | CHANGES

TOLD = {"ClaimSeat, taken": "SEAT_TAKEN", "ClaimSeat, none": "SEAT_NOT_FOUND"}
"""What who may see the table is told instead."""
TOO_EARLY = {"TakeBack": "TAKE_BACK_OFF", "Rematch": "GAME_NOT_OVER", "ExplainBotMove": "GAME_NOT_OVER"}
"""What who may do it hears of this table."""

MAY: dict[str, set[str]] = {
    "nobody": set(), "owner of another": set(), "guest of another": set(),
    "guest": {*VIEWS, "ClaimSeat, free"},
    "seat 0": {*VIEWS, *OF_SEAT, "LeaveSeat", "ResignSeat", *TOO_EARLY},
    "seat 1": {*VIEWS, "Rematch"},
    "owner": {*VIEWS, "ClaimSeat, free", "ClaimSeat, a bot's", "LeaveSeat", "FillSeats", "DeleteTable", "Rematch"},
}


@pytest.mark.parametrize("who", MAY)
async def test_at_a_private_table_each_token_opens_what_it_is_for(house, who):
    here = await scene(house)
    for name, call in CALLS.items():
        token = here.token(who)
        try:
            await call(here.table.as_seen_with(token), Player(house.client, here.players[0].seat, token))
            answer = "OK"
        except grpc.aio.AioRpcError as error:
            answer = error_reason(error)
            assert error.code() in (StatusCode.UNAUTHENTICATED, StatusCode.PERMISSION_DENIED) or (
                MAY[who] if name in TOLD else name in MAY[who])
        no = "TOKEN_MISSING" if who == "nobody" else "WRONG_TOKEN"
        assert answer == (TOLD[name] if MAY[who] and name in TOLD else
                          TOO_EARLY.get(name, "OK") if name in MAY[who] else no), name
        if name in CHANGES and answer == "OK":
            here = await scene(house)


async def test_all_calls_that_name_a_table_are_tried_here():
    methods = {method.name for method in pb.DESCRIPTOR.services_by_name["TableService"].methods}
    assert methods - {"CreateTable", "ListTables", "WatchTables"} <= {name.split()[0].strip(",") for name in CALLS}


OF_TOURNAMENT: dict[str, Callable[[Tournament], Awaitable[Any]]] = {
    "GetTournament": lambda one: one.get(),
    "WatchTournament": lambda one: anext(one.watch()),
    "GetTournamentReport": lambda one: one.report(),
    "CancelTournament": lambda one: one.cancel(),
    "ListTournaments": lambda one: one.client.tournaments.ListTournaments(tpb.ListTournamentsRequest(), metadata=one.metadata),
    "CreateTournament": lambda one: one.client.create_tournament("kuhn", ["random", "heuristic"], 2, token=one.token),
}
MAY_WITH_TOURNAMENTS: dict[str, set[str]] = {
    "nobody": {"CreateTournament"}, "wrong": set(), "owner of a table": set(), "player": set(),
    "owner of another": {"ListTournaments", "CreateTournament"}, "owner": set(OF_TOURNAMENT)}


async def test_a_tournament_is_known_to_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    tokens = {"nobody": "", "wrong": "wrong", "owner": "o" * 43, "owner of another": "a" * 43}
    name, other = played(folder, tokens["owner"]), played(folder, tokens["owner of another"])
    async with started(tmp_path, workers=1, wrong_tokens=0, tournaments=folder, tournament_games=4) as (_, house):
        table = await house.table("kuhn")
        tokens |= {"owner of a table": table.token, "player": (await table.claim(0)).token}
        assert tokens.keys() == MAY_WITH_TOURNAMENTS.keys()
        for who, token in tokens.items():
            for call, make in OF_TOURNAMENT.items():
                try:
                    found = await make(Tournament(house.client, name, token))
                    answer = "OK"
                except grpc.aio.AioRpcError as error:
                    answer = error_reason(error)
                no = "WRONG_TOKEN" if token else "TOKEN_MISSING"
                assert answer == ("OK" if call in MAY_WITH_TOURNAMENTS[who] else no), (who, call)
                if call == "ListTournaments" and answer == "OK":
                    assert [one.name for one in found.tournaments] == [name if who == "owner" else other]


async def test_all_calls_of_tournaments_are_tried_here() -> None:
    assert {method.name for method in tpb.DESCRIPTOR.services_by_name["TournamentService"].methods} == set(OF_TOURNAMENT)


async def test_private_tables_stand_in_no_list_and_no_news(house):
    lobby = house.client.tables.WatchTables(pb.WatchTablesRequest())
    assert not (await lobby.read()).tables
    here = await scene(house)
    shown = await house.table("kuhn", access=OPEN)
    for player in here.players:
        await player.leave()
    await here.table.delete()
    await shown.claim(0)
    listed = (await house.client.tables.ListTables(pb.ListTablesRequest(), metadata=here.other.auth)).tables
    assert [table.name for table in listed] == [shown.name]
    heard = await asyncio.wait_for(lobby.read(), 20)
    assert ({table.name for table in heard.tables}, list(heard.removed)) == ({shown.name}, [])
    assert (await here.other.get()).access == table_pb2.ACCESS_PRIVATE
    assert (await shown.as_seen_with("").get()).access == OPEN
    async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", field="access"):
        await house.table("kuhn", access=7)


async def test_who_has_a_token_of_a_private_table_sees_all_of_its_finished_game_and_nobody_else_any(house):
    table = await house.table("kuhn")
    players = await table.claim_all()
    await play_on(players)
    for token in (table.invitation, players[1].token):
        assert (await Player(house.client, players[0].seat, token).observe()).result.text
    for token, reason, code in (("", "TOKEN_MISSING", StatusCode.UNAUTHENTICATED),
                                ("x", "WRONG_TOKEN", StatusCode.PERMISSION_DENIED)):
        for call in (table.as_seen_with(token).export(), Player(house.client, players[0].seat, token).observe()):
            async with refused(code, reason):
                await call


@pytest.mark.parametrize("removed", [False, True])
async def test_a_seat_that_was_left_is_not_for_strangers_even_at_an_open_table(house, removed):
    table = await house.table("kuhn", access=OPEN)
    stranger = table.as_seen_with("")
    leaves = await stranger.claim(0)
    way_back = (await Player(house.client, leaves.seat, table.token if removed else leaves.token).leave()).return_token
    for at, token, reason, code in (
            (stranger, "", "TOKEN_MISSING", StatusCode.UNAUTHENTICATED),
            (stranger, (await stranger.claim(1)).token, "WRONG_TOKEN", StatusCode.PERMISSION_DENIED)):
        async with refused(code, reason, "seat 0"):
            await at.claim(0, token)
    for token in (way_back, table.invitation, table.token):
        back = await table.claim(0, token)
        assert (await back.legal()).actions
        await back.leave()


async def test_a_return_token_watches_a_private_table(house):
    table = await house.table("kuhn")
    player = await table.claim(0, table.invitation)
    way_back = (await player.leave(bot="random", pace_ms=60_000)).return_token
    assert (await table.as_seen_with(way_back).get()).seats[0].holder == table_pb2.Seat.HOLDER_BOT
    async with refused(StatusCode.PERMISSION_DENIED, "WRONG_TOKEN", "seat 0"):
        await Player(house.client, player.seat, way_back).observe()
    async with refused(StatusCode.PERMISSION_DENIED, "WRONG_TOKEN", "bot"):
        await table.claim(0, table.invitation)


async def test_a_player_who_is_removed_hears_so(house):
    table = await house.table("kuhn")
    players = await table.claim_all()
    streams = [players[0].watch(), table.as_seen_with(players[0].token).watch(), players[1].watch()]
    for stream in streams:
        await stream.read()
    await Player(house.client, players[0].seat, table.token).leave()
    other = await table.claim(0)
    for stream in streams[:2]:
        async with refused(StatusCode.PERMISSION_DENIED, "SEAT_LOST"):
            while await asyncio.wait_for(stream.read(), 20) is not grpc.aio.EOF:
                pass
    for call in (players[0].observe(), players[0].legal(), players[0].submit(0, 3), players[0].leave(),
                 players[0].suggest(budget=BUDGET), table.as_seen_with(players[0].token).get()):
        async with refused(StatusCode.PERMISSION_DENIED, "SEAT_LOST"):
            await call
    await other.act()
    assert (await asyncio.wait_for(streams[2].read(), 20)).events


async def test_tokens_and_left_seats_outlast_a_restart(tmp_path: Path) -> None:
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=1)
    async with running_server(config) as address, connect(address) as client:
        table, shown = [await House(client, address).table("kuhn", access=access) for access in (0, OPEN)]
        await (await shown.claim(0)).leave()
    async with running_server(config) as address, connect(address) as client:
        house = House(client, address)
        async with refused(StatusCode.UNAUTHENTICATED, "TOKEN_MISSING", "seat 0"):
            await house.at(shown).claim(0, "")
        await house.at(shown).claim(1, "")
        async with refused(StatusCode.UNAUTHENTICATED, "TOKEN_MISSING"):
            await house.at(table).as_seen_with("").get()
        await house.at(table).claim(0, table.invitation)


async def test_of_a_private_table_that_can_not_be_read_strangers_hear_only_that(tmp_path: Path) -> None:
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=1)
    async with running_server(config) as address, connect(address) as client:
        table = await House(client, address).table("kuhn", display_name="Ours")
    with contextlib.closing(sqlite3.connect(tmp_path / "t.sqlite3")) as database:
        stored = database.execute("select quote(token_hash) from invitations").fetchall()
        assert len(stored) == 1 and table.invitation not in stored[0][0]
        database.execute("update tables set rules_version = 99")
        database.commit()
    async with running_server(config) as address, connect(address) as client:
        found = await House(client, address).at(table).get()
        assert (found.display_name, found.state) == ("Ours", table_pb2.Table.STATE_UNREADABLE)
        for metadata in (None, bearer(table.invitation)):
            async with refused(StatusCode.FAILED_PRECONDITION, "OTHER_RULES_OR_CONTENT") as caught:
                await client.tables.GetTable(pb.GetTableRequest(name=table.name), metadata=metadata)
            assert "Ours" not in str(caught.value)
