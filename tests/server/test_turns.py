"""Messages of streams are built in turns: one in each pass of the event loop, of what is true then and for who may see it then."""
from __future__ import annotations

import asyncio

import pytest
from grpc import StatusCode

from playing import play_on, refused
from seatmate.server.turns import Turns

pytestmark = pytest.mark.asyncio


async def test_one_goes_on_in_each_pass_the_first_first():
    turns, loop, passes = Turns(), asyncio.get_running_loop(), 0
    went: list[tuple[int, int]] = []

    async def wait(number: int) -> None:
        await turns.next()
        went.append((number, passes))

    def count() -> None:
        nonlocal passes
        passes += 1
        loop.call_soon(count)

    loop.call_soon(count)
    await asyncio.gather(*[wait(number) for number in range(20)])
    assert [number for number, _ in went] == list(range(20))
    assert len({when for _, when in went}) == 20


async def test_who_has_gone_takes_no_turn_and_the_next_ones_get_theirs():
    turns = Turns()
    waiting = [asyncio.create_task(turns.next()) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    waiting[1].cancel()
    async with asyncio.timeout(5):
        await waiting[2]
        await turns.next()


@pytest.fixture
def hold(monkeypatch):
    """Lets nobody have a turn until it is set."""
    free, wait = asyncio.Event(), Turns.next
    free.set()

    async def held(self: Turns) -> None:
        await free.wait()
        await wait(self)

    monkeypatch.setattr(Turns, "next", held)
    return free


async def test_who_loses_the_seat_while_waiting_for_the_turn_is_shown_nothing_more(house, hold):
    table = await house.table("kuhn")
    players = await table.claim_all()
    stream = players[0].watch(include_observation=True)
    await stream.read()
    hold.clear()
    await play_on(players, decisions=1)
    await players[0].leave()
    hold.set()
    async with refused(StatusCode.PERMISSION_DENIED, "SEAT_LOST"):
        await stream.read()


async def test_what_happens_while_a_stream_waits_for_its_turn_is_told_in_one_message(house, hold):
    table = await house.table("hyde", seats=2, seed=3)
    players = await table.claim_all()
    stream = players[0].watch(include_observation=True)
    last = (await stream.read()).events[-1].sequence
    hold.clear()
    await play_on(players, decisions=6)
    hold.set()
    step = await stream.read()
    present = await players[0].observe()
    assert [event.sequence for event in step.events] == list(range(last + 1, present.sequence + 1))
    assert step.observation == present
    stream.cancel()
