"""SubmitAction: exactly once, in order, on disk."""
from __future__ import annotations

import asyncio

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc import StatusCode
from sqlalchemy.exc import OperationalError

from playing import GAMES, House, play_on, refused
from seatmate.client import connect, error_reason, read_detail
from seatmate.server.config import ServerConfig
from seatmate.server.service import running_server
from seatmate.server.storage import Storage
from seatmate.v1 import table_service_pb2 as pb

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("game", GAMES)
async def test_people_play_a_whole_game(house, game):
    table = await house.table(game, seats=2)
    players = await table.claim_all()
    decisions = await play_on(players, choose=max)
    record = (await table.finished()).record
    assert len(record.actions) == decisions


async def test_the_answer_tells_what_the_seat_saw(house):
    table = await house.table("kuhn")
    first, _ = await table.claim_all()
    before = (await first.observe()).sequence
    answer = await first.submit(1, before)
    assert [event.sequence for event in answer.events] == list(range(before + 1, answer.sequence + 1))
    assert [event.key for event in answer.events] == ["CHOICE", "ACTED", "BUSY"]
    assert answer.sequence == (await first.observe()).sequence


async def test_a_repeat_gets_the_first_answer_and_changes_nothing(house):
    table = await house.table("kuhn")
    first, second = await table.claim_all()
    sequence = (await first.observe()).sequence
    answer = await first.submit(1, sequence, "one")
    await second.act()      # the game goes on meanwhile
    assert await first.submit(1, sequence, "one") == answer
    assert len((await table.finished()).actions) == 2


async def test_a_request_id_is_for_one_request_of_one_seat(house):
    table = await house.table("kuhn")
    first, second = await table.claim_all()
    sequence = (await first.observe()).sequence
    await first.submit(0, sequence, "id")
    async with refused(StatusCode.INVALID_ARGUMENT, "REQUEST_ID_REUSED", "'id'", field="request_id"):
        await first.submit(1, sequence, "id")
    await second.submit(1, (await second.observe()).sequence, "id")
    for bad in ("x" * 65, "a b", "tab\t", "ümlaut"):
        async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", "request_id", field="request_id"):
            await first.submit(0, sequence, bad)


async def test_a_repeat_after_a_restart_gets_the_first_answer(tmp_path):
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=1)
    async with running_server(config) as address, connect(address) as client:
        table = await House(client, address).table("kuhn")
        first, second = await table.claim_all()
        sequence = (await first.observe()).sequence
        answer = await first.submit(1, sequence, "one")
    async with running_server(config) as address, connect(address) as client:
        house = House(client, address)
        assert await house.of(first).submit(1, sequence, "one") == answer
        await house.of(second).act()
        assert await house.of(first).submit(1, sequence, "one") == answer
        assert len((await house.at(table).finished()).actions) == 2


async def test_a_stale_sequence_is_aborted_with_the_present_one(house):
    table = await house.table("kuhn")
    first, second = await table.claim_all()
    sequence = (await first.observe()).sequence
    await first.submit(0, sequence)
    await second.submit(1, (await second.observe()).sequence)
    now = (await first.observe()).sequence
    async with refused(StatusCode.ABORTED, "STALE_SEQUENCE", str(now)) as caught:
        await first.submit(0, sequence)
    info = error_details_pb2.ErrorInfo()
    assert read_detail(caught.value, info)
    assert info.metadata["sequence"] == str(now)
    async with refused(StatusCode.INVALID_ARGUMENT, "FUTURE_SEQUENCE", field="expected_sequence"):
        await first.submit(0, now + 1)
    await first.submit(0, now)


async def test_wrong_actions_are_refused_and_change_nothing(house):
    table = await house.table("kuhn")
    first, second = await table.claim_all()
    sequence = (await first.observe()).sequence
    for action in (2, -1, 2**31 - 1):
        async with refused(StatusCode.INVALID_ARGUMENT, "ILLEGAL_ACTION", "ACT", field="action_id"):
            await first.submit(action, sequence)
    async with refused(StatusCode.FAILED_PRECONDITION, "SEAT_NOT_ASKED", "seat 1"):
        await second.submit(0, (await second.observe()).sequence)
    assert (await first.observe()).sequence == sequence
    await play_on([first, second])
    async with refused(StatusCode.FAILED_PRECONDITION, "GAME_OVER"):
        await first.submit(0, (await first.observe()).sequence)
    assert not (await first.legal()).actions


@pytest.mark.parametrize("ids", [("", ""), ("a", "b"), ("same", "same")])
async def test_racing_submits_cannot_both_win(house, ids):
    for _ in range(5):
        table = await house.table("kuhn")
        first, second = await table.claim_all()
        sequence = (await first.observe()).sequence
        answers = await asyncio.gather(*[first.submit(action, sequence, name)
                                         for action, name in ((0, ids[0]), (1, ids[1])) for _ in range(4)],
                                       return_exceptions=True)
        won = [answer for answer in answers if isinstance(answer, pb.SubmitActionResponse)]
        reasons = {error_reason(answer) for answer in answers if isinstance(answer, grpc.aio.AioRpcError)}
        acted = {event.args[1].value for answer in won for event in answer.events if event.key == "ACTED"}
        assert len(acted) == 1
        assert len(won) == (4 if ids[0] else 1)     # repeats of the winner get its answer
        assert reasons <= {"STALE_SEQUENCE", "REQUEST_ID_REUSED"}
        await play_on([second, first])
        assert (await table.finished()).actions[0] == (0, acted.pop())


async def test_a_caller_who_hangs_up_does_not_tear_the_table(house):
    for wait_s in (0.0, 0.001, 0.003, 0.01):
        table = await house.table("kuhn")
        first, second = await table.claim_all()
        legal = await first.legal()
        call = first.client.tables.SubmitAction(
            pb.SubmitActionRequest(seat=first.seat, action_id=1, expected_sequence=legal.sequence, request_id="once"),
            metadata=first.auth)
        await asyncio.sleep(wait_s)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        answer = await first.submit(1, legal.sequence, "once")      # whether or not the first one was taken
        assert [event.key for event in answer.events] == ["CHOICE", "ACTED", "BUSY"]
        await second.act()
        assert len((await table.finished()).actions) == 2


async def test_a_write_that_fails_is_not_seen_by_anybody(tmp_path, monkeypatch):
    """The database fails before or after it has stored the action; the caller repeats, and it counts once."""
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=1)
    append = Storage.append
    async with running_server(config) as address, connect(address) as client:
        for stored in (False, True):
            table = await House(client, address).table("kuhn")
            first, second = await table.claim_all()
            sequence = (await first.observe()).sequence

            async def fail(self, *args, stored=stored, **options):
                if stored:
                    await append(self, *args, **options)
                raise OperationalError("insert", {}, OSError("disk I/O error"))

            monkeypatch.setattr(Storage, "append", fail)
            async with refused(StatusCode.UNAVAILABLE, "STORAGE_UNAVAILABLE", "request_id"):
                await first.submit(1, sequence, "once")
            assert (await first.observe()).sequence == sequence     # nobody sees what may not be on disk
            monkeypatch.setattr(Storage, "append", append)
            answer = await first.submit(1, sequence, "once")
            assert answer.events[1].key == "ACTED"
            await second.act()
            assert len((await table.finished()).actions) == 2
