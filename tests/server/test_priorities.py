"""Calls come first, then hints, then the bots of tables, then tournaments: by what the scheduler says of them."""
from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest

from figures import started
from seatmate.client import Tournament
from seatmate.server import priorities
from seatmate.server.search_pool import Lane

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities of threads")


def weight(thread: int) -> float:
    """How much of a processor it gets beside others, as Linux reckons it: a fifth less with each step of nice."""
    policy = os.sched_getscheduler(thread)
    assert policy in (os.SCHED_OTHER, os.SCHED_BATCH, os.SCHED_IDLE)
    return 3.0 if policy == os.SCHED_IDLE else 1024 * 0.8 ** os.getpriority(os.PRIO_PROCESS, thread)


@linux
@pytest.mark.asyncio
async def test_calls_come_before_hints_before_bots_before_tournaments(tmp_path: Path) -> None:
    async with started(tmp_path, workers=2, tournaments=tmp_path / "kept") as (server, house):
        made = await house.client.create_tournament("connect_four", ["search:iterations=3000", "heuristic"], 5_000)
        async for step in Tournament(house.client, made.name, made.token).watch():
            if step.tournament.games_played:
                break
        children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
        (process,) = [child for child in children if made.name.removeprefix("tournaments/") in
                      Path(f"/proc/{child}/cmdline").read_text()]
        hint, bot = [await server._pool.run(lambda _: weight(threading.get_native_id()), lane) for lane in (Lane.HINT, Lane.BOT)]
        others = {weight(one.native_id) for one in threading.enumerate()       # the loop, the one that writes, and what reads
                  if one.native_id is not None and not one.name.startswith(tuple(lane.value for lane in Lane))}
        (calls,) = others
        (tournament,) = {weight(int(task.name)) for task in Path(f"/proc/{process}/task").iterdir()}
        assert calls > 20 * hint and hint > 2 * bot and bot > 3 * tournament


@pytest.mark.parametrize("idle", [True, False])
def test_where_the_system_refuses_priorities_stay(monkeypatch: pytest.MonkeyPatch, idle: bool) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "setpriority", refuse, raising=False)
    if idle:
        monkeypatch.setattr(os, "SCHED_IDLE", 5, raising=False)
        monkeypatch.setattr(os, "sched_setscheduler", refuse, raising=False)
    else:
        monkeypatch.delattr(os, "SCHED_IDLE", raising=False)
    priorities.lower_thread(priorities.TOURNAMENTS)
    priorities.lower_process(priorities.TOURNAMENTS)


def test_elsewhere_a_process_is_lowered_and_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, ...]] = []
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.delattr(os, "SCHED_IDLE", raising=False)
    monkeypatch.setattr(os, "setpriority", lambda *one: asked.append(one), raising=False)
    priorities.lower_thread(priorities.HINTS)
    assert asked == []
    priorities.lower_process(priorities.TOURNAMENTS)
    assert asked == [(os.PRIO_PROCESS, os.getpid(), 19)]
    monkeypatch.delattr(os, "setpriority")
    priorities.lower_process(priorities.TOURNAMENTS)
