"""Messages of streams are built in turns: one in each pass of the event loop, of what is true then and for who may see it then."""
from __future__ import annotations

import asyncio

import pytest
from grpc import StatusCode

from playing import play_on, refused
from seatmate.server.turns import Turns

pytestmark = pytest.mark.asyncio


def work(loop: asyncio.AbstractEventLoop, seconds: float) -> None:
    """Hold the event loop up."""
    end = loop.time() + seconds
    while loop.time() < end:
        pass


async def passes_of(turns: Turns, count: int, seconds: float) -> list[int]:
    """The pass of the event loop in which each went on that has so much to do, in their order."""
    loop, passes = asyncio.get_running_loop(), 0
    went: list[tuple[int, int]] = []

    async def wait(number: int) -> None:
        await turns.next()
        went.append((number, passes))
        work(loop, seconds)

    def go_on() -> None:
        nonlocal passes
        passes += 1
        loop.call_soon(go_on)

    loop.call_soon(go_on)
    await asyncio.gather(*[wait(number) for number in range(count)])
    assert [number for number, _ in went] == list(range(count))
    return [when for _, when in went]


async def test_those_who_have_much_to_do_go_on_one_in_a_pass():
    passes = await passes_of(Turns(), 20, 0.0006)
    assert len(set(passes)) == 20


async def test_those_who_have_next_to_nothing_to_do_go_on_together():
    passes = await passes_of(Turns(), 400, 0.0)
    assert len(set(passes)) < 200


async def test_who_has_gone_takes_no_turn_and_the_next_ones_get_theirs():
    turns = Turns()
    waiting = [asyncio.create_task(turns.next()) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    waiting[1].cancel()
    async with asyncio.timeout(5):
        await waiting[2]
        await turns.next()


async def test_after_some_work_there_is_a_rest():
    turns, loop, rests = Turns(), asyncio.get_running_loop(), 0
    last = 0.0

    async def wait() -> None:
        nonlocal rests, last
        await turns.next()
        rests += loop.time() - last > 0.0009
        work(loop, 0.001)
        last = loop.time()

    await asyncio.gather(*[wait() for _ in range(40)])
    assert rests >= 40 // 3


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
