"""Tables that descend from others: branches where a move is taken back, and rematches."""
from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import grpc
import pytest
from grpc import StatusCode

from playing import House, Player, TableAt, play_on, refused, two_houses
from seatmate.client import Seat as ClientSeat
from seatmate.client import connect
from seatmate.engine.core.record import Record
from seatmate.server.config import Pacing, ServerConfig
from seatmate.server.rows import MOST_CHILDREN
from seatmate.server.service import running_server
from seatmate.server.tables import _rotated
from seatmate.v1.table_pb2 import Clock, Seat, Table

pytestmark = pytest.mark.asyncio


async def until_asked(player: Player) -> int:
    """The seat's sequence."""
    async with asyncio.timeout(20):
        while not (legal := await player.legal()).actions:
            await asyncio.sleep(0.02)
    return legal.sequence


def there(player: Player, table: Table) -> Player:
    return replace(player, seat=f"{table.name}/seats/{player.number}")


# ---- Taking back ----

async def test_a_decision_is_taken_back_in_a_branch_and_the_old_table_stays(database: str) -> None:
    config = ServerConfig(address="127.0.0.1:0", database=database, web=False, pacing=Pacing(answer_ms=0))
    async with running_server(config) as address, connect(address) as client:
        house = House(client, address)
        table = await house.table("connect_four", seed=4, bots={1: "heuristic"}, take_back=True,
                                  clock=Clock(move_ms=60_000, increment_ms=7))
        player = await table.claim(0)
        asked = []
        for _ in range(3):
            asked.append(await until_asked(player))
            await player.act(max)
        await until_asked(player)
        before = await table.export()
        made = await player.take_back(asked[1], "once")
        assert await player.take_back(asked[1], "once") == made
        async with refused(StatusCode.INVALID_ARGUMENT, "REQUEST_ID_REUSED"):
            await player.take_back(asked[2], "once")
        branch, again = TableAt(client, made.name, table.token), there(player, made)
        assert (made.taken_back_from, made.take_back, list((await table.get()).branches)) == (table.name, True, [made.name])
        assert made.seats[0].time.reserve_ms == 21
        assert (await again.legal()).sequence == asked[1]
        assert list((await again.export()).events) == list((await player.export()).events)[:asked[1]]
        await again.act(min)
        await until_asked(again)
        assert await table.export() == before
        last = await player.take_back()
        assert (await there(player, last).legal()).sequence == asked[2]
        assert list((await table.get()).branches) == [last.name, made.name]
    async with running_server(config) as address, connect(address) as client:
        house = House(client, address)
        old, new = house.at(table), house.at(branch)
        assert list((await old.get()).branches) == [last.name, made.name]
        assert (await new.get()).taken_back_from == table.name
        assert (await house.of(player).take_back(asked[1], "once")).name == made.name
        await old.delete()
        assert (await new.get()).taken_back_from == table.name
        while (await new.get()).state == Table.STATE_PLAYING:
            if (await house.of(again).legal()).actions:
                await house.of(again).act()
        assert Record.from_json((await new.export()).record).replay().seed == 4
        seat = await ClientSeat(client, again.seat, again.token).take_back()       # after the end, too
        assert (await seat.legal()).actions


async def test_it_is_for_tables_that_allow_it_and_for_who_plays_among_bots(house: House) -> None:
    off = await (await house.table("kuhn", bots={1: "random"})).claim(0)
    async with refused(StatusCode.FAILED_PRECONDITION, "TAKE_BACK_OFF"):
        await off.take_back()
    table = await house.table("kuhn", take_back=True)
    player = await table.claim(0)
    async with refused(StatusCode.FAILED_PRECONDITION, "NOT_AMONG_BOTS"):
        await player.take_back()
    await table.claim(1)
    async with refused(StatusCode.FAILED_PRECONDITION, "NOT_AMONG_BOTS"):
        await player.take_back()
    assert not (await table.get()).branches
    alone = await house.table("kuhn", bots={1: "random"}, take_back=True)
    player = await alone.claim(0)
    for at in (0, 1):
        async with refused(StatusCode.FAILED_PRECONDITION, "NOTHING_TO_TAKE_BACK"):
            await player.take_back(at)
    async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", field="at_sequence"):
        await player.take_back(-1)
    async with refused(StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"):
        await replace(player, token=alone.token).take_back()
    assert not (await alone.get()).branches


@pytest.mark.parametrize("by_clock", [False, True])
async def test_who_plays_with_a_player_that_is_away_can_not_look_into_his_hand_in_a_branch(house: House, by_clock: bool) -> None:
    clock = Clock(move_ms=1000, bot="heuristic", hands_over=True) if by_clock else None
    table = await house.table("leduc", take_back=True, clock=clock)
    first, other = [await table.claim(seat) for seat in range(2)]
    if (await other.legal()).actions:
        first, other = other, first
    if by_clock:
        async with asyncio.timeout(20):
            while (await table.get()).seats[first.number].holder != Seat.HOLDER_BOT:
                await asyncio.sleep(0.05)
        first, other = other, first
    else:
        await first.act()
        await other.leave(bot="heuristic", pace_ms=60_000)
    async with refused(StatusCode.FAILED_PRECONDITION, "NOT_AMONG_BOTS"):
        await first.take_back()     # a branch tells all as soon as it is given up


async def test_a_descendant_that_is_deleted_is_named_no_more_and_can_be_made_again(house: House) -> None:
    table = await house.table("kuhn", bots={1: "random"}, take_back=True)
    player = await table.claim(0)
    await until_asked(player)
    await player.act()
    for _ in range(2):
        made = await player.take_back(request_id="once")
        assert list((await table.get()).branches) == [made.name]
        await TableAt(house.client, made.name, table.token).delete()
        assert not (await table.get()).branches
    if (await table.get()).state == Table.STATE_PLAYING:
        await player.resign()
    for _ in range(2):
        made = await table.rematch()
        assert (await table.get()).rematch == made.name
        await TableAt(house.client, made.name, table.token).delete()
        assert not (await table.get()).rematch


async def test_of_many_branches_the_newest_are_named_and_the_rematch_always(tmp_path: Path) -> None:
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), web=False)
    async with running_server(config) as address, connect(address) as client:
        table = await House(client, address).table("kuhn", bots={1: "random"}, take_back=True)
        player = await table.claim(0)
        await until_asked(player)
        await player.act()
        await player.resign()
        again = (await table.rematch()).name
        made = [(await player.take_back()).name for _ in range(MOST_CHILDREN)]
        found = await table.get()
        assert (found.rematch, list(found.branches)) == (again, made[:0:-1])
    async with running_server(config) as address, connect(address) as client:
        assert await House(client, address).at(table).get() == found


# ---- Rematch ----

async def test_all_who_ask_get_the_same_rematch_and_their_tokens_claim_their_seats(database: str) -> None:
    config = ServerConfig(address="127.0.0.1:0", database=database, web=False, pacing=Pacing(answer_ms=0))
    async with running_server(config) as address, connect(address) as client:
        house = House(client, address)
        table = await house.table("liars_dice", seats=3, bots={2: "random"}, seed=5, options={"dice": "1"}, display_name="Friday")
        players = [await table.claim(seat) for seat in range(2)]
        async with refused(StatusCode.FAILED_PRECONDITION, "GAME_NOT_OVER"):
            await table.rematch()
        while (await table.get()).state == Table.STATE_PLAYING:
            await play_on(players, decisions=1)
            await asyncio.sleep(0.02)
        async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", field="rotation"):
            await table.rematch(3)
        async with refused(StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"):
            await table.as_seen_with(table.invitation).rematch()
        asked = await asyncio.gather(*(table.as_seen_with(player.token).rematch(1) for player in players), table.rematch(2))
        assert len({one.name for one in asked}) == 1
        made = asked[0]
        assert (made.rematch_of, (await table.get()).rematch) == (table.name, made.name)
        assert (made.display_name, made.settings) == ("Friday", (await table.get()).settings)
        assert [seat.holder for seat in made.seats] in (
            [Seat.HOLDER_BOT, Seat.HOLDER_OPEN, Seat.HOLDER_OPEN], [Seat.HOLDER_OPEN, Seat.HOLDER_BOT, Seat.HOLDER_OPEN])
        moved = 1 if made.seats[0].holder == Seat.HOLDER_BOT else 2
        new = TableAt(client, made.name, table.token)
        async with refused(StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"):
            await new.claim((1 + moved) % 3, players[0].token)       # the other's
        for player in players:
            mine = await new.claim((player.number + moved) % 3, player.token)
            assert mine.token != player.token
    async with running_server(config) as address, connect(address) as client:
        assert (await House(client, address).at(table).rematch()).name == made.name
        assert (await House(client, address).at(table).get()).rematch == made.name


async def test_the_client_sits_down_at_the_rematch(house: House) -> None:
    table = await house.table("kuhn", bots={1: "random"})
    old = await table.claim(0)
    await old.resign()
    seat = await ClientSeat(house.client, old.seat, old.token).rematch(1, "Ada")
    assert seat.name.endswith("/seats/1")
    found = await TableAt(house.client, seat.name[:-8], seat.token).get()
    assert [(one.holder, one.display_name) for one in found.seats] == [(Seat.HOLDER_BOT, "random"), (Seat.HOLDER_PLAYER, "Ada")]


async def test_who_asks_second_is_told_by_how_many_seats_everybody_has_moved_on(house: House) -> None:
    table = await house.table("kuhn")
    players = [await table.claim(seat) for seat in range(2)]
    await players[0].resign()
    for wished, player, seat in ((1, players[1], 0), (0, players[0], 1)):
        mine = await ClientSeat(house.client, player.seat, player.token).rematch(wished)
        assert mine.name.endswith(f"/seats/{seat}")


@pytest.mark.parametrize("who", ["a watcher", "the other player"])
async def test_who_watches_the_ended_table_hears_of_the_rematch(house: House, who: str) -> None:
    table = await house.table("kuhn")
    players = [await table.claim(seat) for seat in range(2)]
    watched = table if who == "a watcher" else players[1]
    plain, stream = watched.watch(include_observation=True), watched.watch(include_observation=True, until_rematch=True)
    steps = [await stream.read()]
    await players[0].resign()
    while not steps[-1].observation.HasField("result"):
        steps.append(await stream.read())
    async for _ in plain:       # ends with the game
        pass
    waiting = asyncio.ensure_future(stream.read())
    await asyncio.sleep(0.1)
    assert not waiting.done()
    made = await table.as_seen_with(players[0].token).rematch()
    assert (await waiting).table.rematch == made.name
    assert await stream.read() is grpc.aio.EOF
    late = [step async for step in watched.watch(until_rematch=True)]      # it is there already
    assert [step.table.rematch for step in late if step.HasField("table")] == [made.name]


async def test_who_watches_at_the_other_server_hears_of_the_rematch_and_of_its_end(postgres: Callable[[], str]) -> None:
    async with two_houses(postgres()) as houses:
        table = await houses[0].table("kuhn", bots={1: "random"})
        player = await table.claim(0)
        await player.resign()
        stream = houses[1].at(table).watch(until_rematch=True)
        while not (step := await stream.read()).table.result.text:
            pass
        assert not step.table.rematch
        made = await table.rematch()
        async with asyncio.timeout(10):
            while not (step := await stream.read()).table.rematch:
                pass
        assert step.table.rematch == made.name
        assert await stream.read() is grpc.aio.EOF


async def test_options_that_each_seat_has_of_its_own_go_along() -> None:
    old = {"seats": 2, "options": {"deck0": "leaf", "deck1": "sand", "first": "0", "only0": 1}}
    assert _rotated(old, 1)["options"] == {"deck0": "sand", "deck1": "leaf", "first": "0", "only0": 1}
    assert _rotated(old, 0) == old


async def test_both_servers_make_one_rematch_and_know_the_branches(postgres: Callable[[], str]) -> None:
    async with two_houses(postgres()) as houses:
        for number in range(4):
            table = await houses[0].table("kuhn", seed=number, bots={1: "random"}, take_back=True)
            player = await table.claim(0)
            await player.act()
            branches = await asyncio.gather(*(house.of(player).take_back(0, "both") for house in houses))
            assert len({one.name for one in branches}) == 1
            while (await table.get()).state == Table.STATE_PLAYING:
                await play_on([player], decisions=1)
            made = await asyncio.gather(*(house.at(table).rematch() for house in houses))
            assert len({one.name for one in made}) == 1
            async with asyncio.timeout(30):
                for house in houses:
                    while (found := await house.at(table).get()).rematch != made[0].name or found.branches != [branches[0].name]:
                        await asyncio.sleep(0.05)
                await TableAt(houses[0].client, made[0].name, table.token).delete()
                for house in houses:
                    while (await house.at(table).get()).rematch:
                        await asyncio.sleep(0.05)
