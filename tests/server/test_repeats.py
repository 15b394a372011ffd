"""CreateTable and ClaimSeat by request_id: a repeat gets the same tokens, and nothing is made twice."""
from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import grpc
import pytest
from grpc import StatusCode

import clockwork
from playing import House, Player, TableAt, refused, two_houses
from seatmate.client import bearer, connect
from seatmate.server.config import Pacing, ServerConfig
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


# ---- Whatever has happened in between ----

@dataclass
class Asked:
    """One call of each kind that a request_id makes safe to repeat, with all that belongs to it, and what was answered."""

    house: House
    move_ms: int = 600_000
    once: str = field(default_factory=lambda: str(uuid.uuid4()))
    answers: dict[str, object] = field(default_factory=dict)

    async def all(self) -> None:
        settings = settings_pb2.GameSettings(game="games/connect_four")
        self.request = pb.CreateTableRequest(
            settings=settings, take_back=True, clock=table_pb2.Clock(move_ms=self.move_ms, hands_over=True), request_id=self.once,
            bots=[table_pb2.SeatPlan(seat=1, bot="random")])
        self.answers["create"] = made = await self.house.client.tables.CreateTable(self.request)
        self.table = TableAt(self.house.client, made.table.name, made.table_token)
        self.answers["claim"] = self.player = await self.table.claim(0, request_id=self.once)
        self.at = (await self.player.legal()).sequence
        await self.repeat("submit", "take_back")

    async def repeat(self, *calls: str, player: Player | None = None) -> dict[str, object]:
        player = player or self.player
        made: dict[str, Callable[[], Awaitable[object]]] = {
            "create": lambda: self.house.client.tables.CreateTable(self.request),
            "claim": lambda: self.table.claim(0, request_id=self.once),
            "submit": lambda: player.submit(3, self.at, self.once),
            "take_back": lambda: self.name_of_branch(player)}
        found = {call: await made[call]() for call in calls}
        for call, answer in found.items():
            self.answers.setdefault(call, answer)
        return found

    async def name_of_branch(self, player: Player) -> str:
        return (await player.take_back(self.at, self.once)).name


async def left(asked: Asked) -> None:
    await asked.player.leave()


async def left_to_a_bot(asked: Asked) -> None:
    await asked.player.leave(bot="random")


async def freed_by_the_owner(asked: Asked) -> None:
    await replace(asked.player, token=asked.table.token).leave()


async def lost_to_the_clock(asked: Asked) -> None:
    async with asyncio.timeout(20):
        while (await asked.table.get()).seats[0].holder != table_pb2.Seat.HOLDER_BOT:
            await asyncio.sleep(0.05)


async def resigned(asked: Asked) -> None:
    await asked.player.resign()


async def played_to_the_end_by_bots(asked: Asked) -> None:
    await left_to_a_bot(asked)
    await asked.table.finished()


async def come_back(asked: Asked) -> None:
    back = (await asked.player.leave()).return_token
    player = await asked.table.claim(0, back)
    assert (await asked.repeat("submit", player=player))["submit"] == asked.answers["submit"]       # the new token, too


async def lost_twice(asked: Asked) -> None:
    await left(asked)
    other = await asked.table.claim(0)
    async with refused(StatusCode.INVALID_ARGUMENT, "REQUEST_ID_REUSED"):
        await replace(asked.player, token=other.token).submit(4, asked.at, asked.once)
    while not (legal := await other.legal()).actions:
        await asyncio.sleep(0.02)
    await other.submit(legal.actions[0].id, legal.sequence, "mine")
    await other.leave()
    for request_id, player in (("mine", asked.player), (asked.once, other)):       # what another player had asked is his
        async with refused(StatusCode.PERMISSION_DENIED, "SEAT_LOST"):
            await player.submit(legal.actions[0].id, legal.sequence, request_id)


async def nothing(_: Asked) -> None:
    pass


HAPPENS = [nothing, left, left_to_a_bot, freed_by_the_owner, lost_to_the_clock, resigned, played_to_the_end_by_bots, come_back,
           lost_twice]


@pytest.mark.asyncio
@pytest.mark.parametrize("happens", HAPPENS, ids=lambda one: one.__name__)
async def test_whatever_has_happened_a_repeat_gets_the_first_answer(happens, database: str) -> None:
    """Also when the table is no longer in memory; and after a restart, of what is on disk."""
    config = ServerConfig(address="127.0.0.1:0", database=database, workers=1, web=False, cached_tables=1,
                          pacing=Pacing(answer_ms=0))
    async with running_server(config) as address, connect(address) as client:
        asked = Asked(House(client, address), **({"move_ms": 2_000} if happens is lost_to_the_clock else {}))
        await asked.all()
        await happens(asked)
        actions = (await asked.table.export()).events
        await asked.house.table("kuhn")         # takes the place in memory
        assert await asked.repeat("create", "claim", "submit", "take_back") == asked.answers
        if happens not in (lost_to_the_clock, left_to_a_bot):       # there the bots play on
            assert (await asked.table.export()).events == actions
        for call in ("submit", "take_back"):
            async with refused(StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"):
                await asked.repeat(call, player=replace(asked.player, token="nobody's"))
    async with running_server(config) as address, connect(address) as client:
        house = House(client, address)
        for call in ("submit", "take_back"):
            assert (await asked.repeat(call, player=house.of(asked.player)))[call] == asked.answers[call]


@pytest.mark.asyncio
async def test_at_another_server_a_repeat_gets_the_first_answer_after_the_seat_is_lost(postgres: Callable[[], str]) -> None:
    async with two_houses(postgres()) as houses:
        asked = Asked(houses[0])
        await asked.all()
        await left(asked)
        for call in ("submit", "take_back"):
            assert (await asked.repeat(call, player=houses[1].of(asked.player)))[call] == asked.answers[call]


def test_answers_are_kept_for_ten_minutes_and_not_more_than_so_many() -> None:
    made: list[int] = []

    async def work(size: int = 0) -> pb.CreateTableResponse:
        made.append(len(made))
        return pb.CreateTableResponse(table_token=str(made[-1]), invitation="x" * size)

    async def fail() -> pb.CreateTableResponse:
        made.append(-1)
        raise ApiError(grpc.StatusCode.ABORTED, "NOT_NOW", "try again")

    async def play() -> None:
        repeats = Repeats(most=3, most_bytes=1000)

        async def ask(request_id: str, size: int = 0) -> int:
            return int((await repeats.once(a_table(request_id), None, lambda: work(size))).table_token)

        ids = [f"{number:040}" for number in range(5)]
        assert [await ask(ids[0]) for _ in range(2)] == [0, 0]
        await asyncio.sleep(KEPT_S - 1)
        assert await ask(ids[0]) == 0
        await asyncio.sleep(2)
        assert await ask(ids[0]) == 1
        assert [await ask(one) for one in ids] == [1, 2, 3, 4, 5]
        assert len(repeats) == 3
        assert [await ask(one) for one in reversed(ids)] == [5, 4, 3, 6, 7]
        for _ in range(2):
            with pytest.raises(ApiError, match="try again"):
                await repeats.once(a_table("f" * 40), None, fail)
        assert made[-2:] == [-1, -1]
        first = await ask("a" * 40, 600)
        assert await ask("a" * 40, 600) == first
        assert await ask("b" * 40, 600) == first + 1      # there is no room for both
        assert await ask("a" * 40, 600) == first + 2
        for number in range(1000):                          # what was dropped is counted no more
            await ask(f"{number:040}", 100)
        assert len(repeats) == 3

    clockwork.run(play())
