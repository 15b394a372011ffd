"""Tables and seats: create, list, claim, leave, fill, delete."""
from __future__ import annotations

import base64
import json
import time

import pytest
from grpc import StatusCode

from playing import GAMES, play_on, refused
from seatmate.client import bearer
from seatmate.v1 import analysis_pb2, settings_pb2, table_pb2
from seatmate.v1 import table_service_pb2 as pb

pytestmark = pytest.mark.asyncio
Seat = table_pb2.Seat


async def test_a_new_table_seats_nobody_and_waits(house):
    table = await house.table("kuhn", display_name="Friday")
    found = await table.get()
    assert found.name == table.name
    assert found.display_name == "Friday"
    assert found.state == table_pb2.Table.STATE_PLAYING
    assert [seat.holder for seat in found.seats] == [Seat.HOLDER_OPEN, Seat.HOLDER_OPEN]
    assert [seat.name for seat in found.seats] == [f"{table.name}/seats/0", f"{table.name}/seats/1"]
    assert list(found.asked) == [0]
    assert (found.settings.game, found.settings.seat_count, found.settings.rules_version) == ("games/kuhn", 2, 1)
    assert found.create_time.seconds > 1_700_000_000


async def test_the_seed_decides_the_deal_and_is_told_to_nobody(house):
    views = []
    for _ in range(2):
        table = await house.table("kuhn", seed=7)
        players = await table.claim_all()
        views.append([(await player.observe()).kuhn for player in players])
        assert "7" not in [str((await table.get()).settings.options)]
    assert views[0] == views[1]


async def test_claimed_seats_have_their_own_tokens(house):
    table = await house.table("kuhn")
    first, second = await table.claim_all()
    assert first.token != second.token != table.token
    assert len(first.token) >= 43       # 256 bits in base64
    assert (await first.observe()).observer == first.seat
    for token in (second.token, table.token, "x" * 43):
        async with refused(StatusCode.PERMISSION_DENIED, "WRONG_TOKEN", "seat 0"):
            await house.client.tables.GetObservation(pb.GetObservationRequest(observer=first.seat),
                                                     metadata=bearer(token))
    async with refused(StatusCode.UNAUTHENTICATED, "TOKEN_MISSING", "authorization"):
        await house.client.tables.GetObservation(pb.GetObservationRequest(observer=first.seat))
    async with refused(StatusCode.UNAUTHENTICATED, "BAD_TOKEN", "Bearer"):
        await house.client.tables.GetObservation(pb.GetObservationRequest(observer=first.seat),
                                                 metadata=(("authorization", first.token),))


async def test_a_taken_seat_is_not_given_away(house):
    table = await house.table("kuhn")
    await table.claim(0, display_name="Ada")
    async with refused(StatusCode.FAILED_PRECONDITION, "SEAT_TAKEN", "seat 0"):
        await table.claim(0)
    async with refused(StatusCode.FAILED_PRECONDITION, "SEAT_TAKEN", "seat 0"):
        await table.claim(0, token=table.token)
    assert [seat.display_name for seat in (await table.get()).seats] == ["Ada", ""]


async def test_a_seat_goes_to_a_bot_and_back_in_mid_game(house):
    table = await house.table("kuhn", bots={1: "heuristic"})
    player = await table.claim(0)
    answer = await player.leave(bot="random", pace_ms=60_000)      # so slow that it never moves in this test
    assert (answer.seat.holder, answer.seat.bot) == (Seat.HOLDER_BOT, "random")
    async with refused(StatusCode.PERMISSION_DENIED, "SEAT_LOST"):
        await player.observe()
    async with refused(StatusCode.UNAUTHENTICATED, "TOKEN_MISSING"):
        await table.claim(0, token="")
    back = await table.claim(0, token=answer.return_token)
    assert back.token != player.token
    await back.act(choose=max)      # a bet, and the bot answers it
    assert (await table.finished()).is_over
    assert (await table.get()).seats[0].holder == Seat.HOLDER_PLAYER


async def test_the_bot_that_takes_over_plays_on(house):
    table = await house.table("kuhn", bots={1: "heuristic"})
    player = await table.claim(0)
    await player.leave(bot="search:iterations=20")
    assert (await table.finished()).is_over


async def test_a_return_token_ends_with_the_next_player(house):
    table = await house.table("kuhn")
    player = await table.claim(0)
    answer = await player.leave()
    assert answer.seat.holder == Seat.HOLDER_OPEN
    other = await table.claim(0)
    async with refused(StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"):
        await table.claim(0, token=answer.return_token)
    await house.client.tables.LeaveSeat(pb.LeaveSeatRequest(name=other.seat, bot="random", pace_ms=60_000),
                                        metadata=table.auth)
    async with refused(StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"):
        await table.claim(0, token=answer.return_token)
    await table.claim(0, token=table.token)


async def test_nobody_leaves_an_open_seat(house):
    table = await house.table("kuhn")
    async with refused(StatusCode.FAILED_PRECONDITION, "SEAT_OPEN", "seat 1"):
        await house.client.tables.LeaveSeat(pb.LeaveSeatRequest(name=f"{table.name}/seats/1"), metadata=table.auth)


async def test_seats_are_filled_only_when_asked_and_all_or_none(house):
    table = await house.table("kuhn")
    await table.claim(0)
    async with refused(StatusCode.FAILED_PRECONDITION, "SEAT_TAKEN", "seat 0"):
        await table.fill({1: "random", 0: "random"})
    assert [seat.holder for seat in (await table.get()).seats] == [Seat.HOLDER_PLAYER, Seat.HOLDER_OPEN]
    async with refused(StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"):
        await table.fill({1: "random"}, token="wrong")
    filled = (await table.fill({1: "search:iterations=100"}, pace_ms=5)).table.seats[1]
    assert (filled.holder, filled.bot, filled.pace_ms) == (Seat.HOLDER_BOT, "search:iterations=100", 5)
    assert (await table.fill({1: "heuristic"})).table.seats[1].bot == "heuristic"


@pytest.mark.parametrize("game", GAMES)
async def test_bots_alone_play_a_whole_game(house, game):
    seats = 2
    table = await house.table(game, seed=3, seats=seats, bots={0: "heuristic", 1: "random"})
    state = await table.finished()
    assert state.is_over
    found = await table.get()
    assert found.state == table_pb2.Table.STATE_FINISHED
    assert not found.asked


@pytest.mark.parametrize("game", GAMES)
async def test_a_seeded_table_of_bots_is_repeatable(house, game):
    records = []
    for _ in range(2):
        table = await house.table(game, seed=11, seats=2, bots={0: "search:iterations=20", 1: "random"})
        records.append((await table.finished()).record)
    assert records[0] == records[1]


async def test_a_bot_keeps_its_pace(house):
    table = await house.table("kuhn", bots={0: "random", 1: "random"}, pace_ms=150)
    began = time.monotonic()
    state = await table.finished()
    assert time.monotonic() - began >= 0.15 * len(state.actions) - 0.1


async def test_a_deleted_table_is_gone(house):
    table = await house.table("kuhn")
    player = await table.claim(0)
    stream = player.watch()
    await stream.read()
    async with refused(StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"):
        await house.client.tables.DeleteTable(pb.DeleteTableRequest(name=table.name), metadata=player.auth)
    await table.delete()
    async with refused(StatusCode.NOT_FOUND, "TABLE_DELETED"):
        while True:
            await stream.read()
    for call in (table.get(), player.legal(), player.submit(0, 3), table.claim(1), table.delete()):
        async with refused(StatusCode.NOT_FOUND, "TABLE_NOT_FOUND", table.name):
            await call


async def test_tables_are_listed_newest_first_page_by_page(house):
    made = [(await house.table("kuhn", access=table_pb2.ACCESS_OPEN)).name for _ in range(7)]
    seen, token = [], ""
    while True:
        request = pb.ListTablesRequest(page_size=3, page_token=token, game="games/kuhn")
        answer = await house.client.tables.ListTables(request)
        seen += [table.name for table in answer.tables]
        token = answer.next_page_token
        if not token:
            break
        assert len(answer.tables) == 3
    assert seen == made[::-1]
    empty = await house.client.tables.ListTables(pb.ListTablesRequest(game="games/tictactoe"))
    assert not empty.tables


async def test_a_page_token_belongs_to_its_request(house):
    for _ in range(2):
        await house.table("kuhn", access=table_pb2.ACCESS_OPEN)
    token = (await house.client.tables.ListTables(pb.ListTablesRequest(page_size=1))).next_page_token
    scope, (created, name) = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    forged = [base64.urlsafe_b64encode(json.dumps([scope, [number, name]]).encode()).decode() for number in (2**70, -1)]
    assert created > 0
    for request in (pb.ListTablesRequest(page_token=token, game="games/kuhn"),
                    *(pb.ListTablesRequest(page_token=bad) for bad in (token[:-3], "nonsense", "x" * 5000, "W" * 500, *forged))):
        async with refused(StatusCode.INVALID_ARGUMENT, "BAD_PAGE_TOKEN", "page_token", field="page_token"):
            await house.client.tables.ListTables(request)


async def test_everybody_is_told_how_a_game_ended(house):
    table = await house.table("kuhn")
    players = await table.claim_all()
    await play_on(players)
    for view in [await players[0].observe(),
                 await table.observe()]:
        assert sum(view.result.returns) == pytest.approx(1.0)
        assert view.result.text
        assert not view.asked


async def test_options_are_checked_by_the_game(house):
    options = {"level": settings_pb2.OptionValue(text="expert"), "signals": settings_pb2.OptionValue(flag=True)}
    made = await house.client.tables.CreateTable(pb.CreateTableRequest(
        settings=settings_pb2.GameSettings(game="games/hyde", seat_count=3, options=options)))
    assert made.table.settings.options["level"].text == "expert"
    assert made.table.settings.pack_hash


async def test_a_deleted_table_gives_its_workers_back_at_once(house):
    busy = [await house.table("hyde", bots=dict.fromkeys(range(4), "search:time_ms=60000")) for _ in range(3)]
    player = await (await house.table("kuhn")).claim(0)
    for table in busy:
        await table.delete()
    hint = await player.suggest(budget=analysis_pb2.Budget(iterations=10), timeout=30)
    assert hint.candidates
