"""Two servers on one PostgreSQL serve the same tables: nothing is lost, told twice or decided twice."""
from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import grpc
import pytest
from grpc import StatusCode
from sqlalchemy.exc import OperationalError

from playing import House, Player, drain, refused
from processes import kill, process
from seatmate.client import connect, error_reason
from seatmate.server.config import Pacing, ServerConfig
from seatmate.server.replicas import first_of
from seatmate.server.rows import StoredTable
from seatmate.server.service import running_server
from seatmate.server.storage import Storage
from seatmate.server.tables_in_memory import TablesInMemory
from seatmate.v1 import table_pb2
from seatmate.v1 import table_service_pb2 as pb

pytestmark = pytest.mark.asyncio

SOON_S = 10.0


@asynccontextmanager
async def servers(url: str, count: int = 2) -> AsyncIterator[list[House]]:
    """So many servers on one database, and a client of each."""
    async with AsyncExitStack() as stack:
        houses = []
        for _ in range(count):
            config = ServerConfig(address="127.0.0.1:0", database=url, workers=1, web=False, pacing=Pacing(answer_ms=0))
            address = await stack.enter_async_context(running_server(config))
            houses.append(House(await stack.enter_async_context(connect(address)), address))
        yield houses


async def test_a_table_of_one_server_is_played_at_both(postgres: Callable[[], str]) -> None:
    async with servers(postgres()) as (here, there):
        table = await here.table("connect_four", seed=3)
        watching = [asyncio.create_task(drain(house.at(table).watch())) for house in (here, there)]
        first, second = await table.claim(0), await there.at(table).claim(1)      # the seat was free there, too
        for number in range(300):
            player = (here, there)[number % 2].of((first, second)[number // 2 % 2])
            legal = await player.legal()
            try:
                if legal.actions:       # of a server that may not have heard yet; then the log says so
                    await player.submit(max(action.id for action in legal.actions), legal.sequence)
            except grpc.aio.AioRpcError as error:
                assert error_reason(error) in ("RACE_LOST", "SEAT_NOT_ASKED", "STALE_SEQUENCE", "GAME_OVER"), error
            if (await here.at(table).get()).result.returns:
                break
        async with asyncio.timeout(SOON_S):
            seen = await asyncio.gather(*watching)
        assert seen[0] == seen[1]
        assert [event.sequence for event in seen[0]] == list(range(1, len(seen[0]) + 1))
        assert (await here.at(table).export()).record == (await there.at(table).export()).record


async def test_racing_submits_and_claims_have_one_winner(postgres: Callable[[], str]) -> None:
    async with servers(postgres()) as (here, there):
        tables = [await here.table("connect_four", seed=number) for number in range(6)]

        async def claim(house: House, number: int) -> Player | None:
            try:
                return await house.at(tables[number]).claim(0)
            except grpc.aio.AioRpcError as error:
                assert error_reason(error) in ("RACE_LOST", "SEAT_TAKEN"), error
                return None

        for number in range(len(tables)):
            found = [player for player in await asyncio.gather(*(claim(house, number) for house in (here, there) * 2)) if player]
            assert len(found) == 1
            player = found[0]
            legal = await player.legal()

            async def submit(house: House, action: int, player: Player = player, sequence: int = legal.sequence) -> bool:
                try:
                    await house.of(player).submit(action, sequence, f"request-{action}")
                except grpc.aio.AioRpcError as error:
                    assert error_reason(error) in ("RACE_LOST", "STALE_SEQUENCE", "UNAUTHENTICATED", "BAD_TOKEN"), error
                    return False
                return True

            won = await asyncio.gather(*(submit((here, there)[action % 2], action) for action in range(4)))
            assert sum(won) == 1
            action = won.index(True)
            for house in (here, there):         # a repeat gets its answer wherever it is asked
                answer = await house.of(player).submit(action, legal.sequence, f"request-{action}")
                assert answer.sequence > legal.sequence
            async with refused(StatusCode.INVALID_ARGUMENT, "REQUEST_ID_REUSED"):
                await there.of(player).submit((action + 1) % 4, legal.sequence, f"request-{action}")


async def test_what_one_server_has_told_the_other_knows(postgres: Callable[[], str]) -> None:
    """A client that changes servers is never told that it is ahead of its time."""
    async with servers(postgres()) as (here, there):
        table = await here.table("connect_four")
        players = await table.claim_all()
        await there.at(table).get()             # in its memory, as it was
        for number in range(6):
            answer = await players[number % 2].act()
            seen = await there.of(players[number % 2]).observe(at=answer.sequence)
            assert seen.sequence == answer.sequence
            await there.of(players[number % 2]).watch(since=answer.sequence - 1).read()


async def test_a_deleted_table_and_new_seats_are_heard_of(postgres: Callable[[], str]) -> None:
    async with servers(postgres()) as (here, there):
        table = await here.table("kuhn")
        stream = there.at(table).watch(include_table=True)
        assert (await stream.read()).table.seats[0].display_name == ""
        await table.claim(0, display_name="Ada")
        async with asyncio.timeout(SOON_S):
            while not any(seat.display_name == "Ada" for seat in (await stream.read()).table.seats):
                pass
            await table.delete()
            with pytest.raises(grpc.aio.AioRpcError) as gone:
                while True:
                    step = await stream.read()
                    assert step is not grpc.aio.EOF
        assert error_reason(gone.value) == "TABLE_DELETED"


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], Awaitable[None]]]:
    """What each next reading of a table does between its answer and who asked; as many readings as are put here."""
    first: list[Callable[[], Awaitable[None]]] = []
    load = Storage.load

    async def read(self: Storage, table_id: str, *, skip: int = 0) -> StoredTable | None:
        stored = await load(self, table_id, skip=skip)
        if first:
            await first.pop(0)()
        return stored

    monkeypatch.setattr(Storage, "load", read)
    return first


async def test_what_is_written_while_a_server_reads_the_table_is_heard_of(postgres: Callable[[], str], reading) -> None:
    async with servers(postgres()) as (here, there):
        table = await here.table("connect_four")
        players = await table.claim_all()
        read, written = asyncio.Event(), asyncio.Event()

        async def be_slow() -> None:
            read.set()
            await written.wait()

        reading.append(be_slow)
        asked = asyncio.create_task(there.at(table).get())
        await read.wait()
        await players[0].act()
        await asyncio.sleep(1.0)        # the other server has heard of it
        written.set()
        await asked
        async with asyncio.timeout(SOON_S):
            while not (await there.of(players[1]).legal()).actions:
                await asyncio.sleep(0.05)


async def test_what_could_not_be_read_once_is_read_again(postgres: Callable[[], str], reading) -> None:
    async with servers(postgres()) as (here, there):
        table = await here.table("connect_four")
        players = await table.claim_all()
        await there.at(table).get()
        await asyncio.sleep(1.0)        # it has heard of both claims

        async def fail() -> None:
            raise OperationalError("select", {}, Exception("the connection is gone"))

        reading.append(fail)
        await players[0].act()
        async with asyncio.timeout(SOON_S):
            while not (await there.of(players[1]).legal()).actions:
                await asyncio.sleep(0.05)
        assert not reading


@pytest.fixture
def deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """No server hears what others write."""
    monkeypatch.setattr(TablesInMemory, "others_wrote", lambda self, table_id: None)


async def test_who_answers_in_secret_does_not_hear_that_another_has(postgres: Callable[[], str], deaf) -> None:
    """Two seats are asked at once, and each answers at a server of its own, which does not know of the other answer yet."""
    async with servers(postgres()) as (here, there):
        table = await here.table("goofspiel", seed=5, seats=2)
        players = await table.claim_all()
        for _ in range(6):
            asked = [await house.of(player).legal() for house, player in zip((here, there), players, strict=True)]
            for house, player, legal in zip((here, there), players, asked, strict=True):
                assert (await house.of(player).submit(legal.actions[0].id, legal.sequence)).sequence > legal.sequence
            await here.of(players[0]).observe(at=(await there.of(players[0]).observe()).sequence)
        asked = [await house.of(player).legal() for house, player in zip((here, there), players, strict=True)]
        await players[0].resign()
        async with refused(StatusCode.FAILED_PRECONDITION, "GAME_OVER"):
            await there.of(players[1]).submit(asked[1].actions[0].id, asked[1].sequence)


async def test_who_gives_up_while_another_acts_has_given_up(postgres: Callable[[], str], deaf) -> None:
    async with servers(postgres()) as (here, there):
        table = await here.table("connect_four")
        players = await table.claim_all()
        await there.at(table).get()
        await players[0].act()
        assert (await there.of(players[1]).resign()).state == table_pb2.Table.STATE_FINISHED


async def test_a_token_that_has_ended_plays_nowhere_and_one_that_opens_does_everywhere(postgres: Callable[[], str], deaf) -> None:
    async with servers(postgres()) as (here, there):
        table = await here.table("connect_four")
        players = await table.claim_all()
        legal = await there.of(players[0]).legal()
        left = await players[0].leave()
        async with refused(StatusCode.PERMISSION_DENIED, "SEAT_LOST"):
            await there.of(players[0]).submit(legal.actions[0].id, legal.sequence)
        back = await there.at(table).claim(0, left.return_token)
        async with refused(StatusCode.FAILED_PRECONDITION, "SEAT_TAKEN"):
            await table.claim(0)
        await there.of(back).act()


async def test_a_list_of_tables_hears_of_those_of_other_servers(postgres: Callable[[], str]) -> None:
    async with servers(postgres()) as (here, there):
        lobby = there.client.tables.WatchTables(pb.WatchTablesRequest())
        await lobby.read()
        table = await here.table("kuhn", access=table_pb2.ACCESS_OPEN)
        async with asyncio.timeout(SOON_S):
            assert [one.name for one in (await lobby.read()).tables] == [table.name]


async def test_bots_are_played_by_one_server_and_by_another_when_it_dies(postgres: Callable[[], str], tmp_path) -> None:
    url = postgres()
    async with process(url, tmp_path) as (first, one), process(url, tmp_path) as (_, other), connect(one) as at_one, \
            connect(other) as at_other:
        here, there = House(at_one, one), House(at_other, other)
        await asyncio.sleep(2.5)                # both know of each other
        bots = {0: "random", 1: "random"}
        tables = [await here.table("connect_four", bots=bots, seed=number, pace_ms=150) for number in range(8)]
        streams = [asyncio.create_task(drain(there.at(table).watch())) for table in tables]
        await asyncio.sleep(1.5)
        assert not any(stream.done() for stream in streams)
        await kill(first)
        async with asyncio.timeout(40):
            seen = await asyncio.gather(*streams)
        for events in seen:
            assert [event.sequence for event in events] == list(range(1, len(events) + 1))
        for table in tables:
            assert (await there.at(table).get()).result.returns


async def test_tables_are_shared_out_evenly_and_few_of_them_move() -> None:
    tables = [f"table{number}" for number in range(3000)]
    three = {table: first_of(["a", "b", "c"], table) for table in tables}
    assert all(900 < count < 1100 for count in Counter(three.values()).values())
    two = {table: first_of(["a", "c"], table) for table in tables}
    assert all(two[table] == three[table] for table in tables if three[table] != "b")
