"""The client for programs without a loop: a game in a few lines, a server that comes back, and nothing that waits unasked."""
from __future__ import annotations

import contextlib
import inspect
import threading
from pathlib import Path

import grpc
import pytest

import seatmate.client
from processes import SOON
from seatmate.client import asynchronous, blocking, error_reason
from seatmate.server.config import Pacing, ServerConfig
from seatmate.v1 import table_pb2
from stated import script
from web import serving


def config(folder: Path, address: str = "127.0.0.1:0") -> ServerConfig:
    return ServerConfig(address=address, database=str(folder / "t.sqlite3"), workers=1, grace_s=1.0, pacing=Pacing(answer_ms=None))


def test_a_game_in_a_few_lines(tmp_path: Path) -> None:
    told: list[str] = []
    with serving(config(tmp_path)) as server, blocking.connect(server.address) as client:
        table = client.create_table("hyde", seats=3, options={"outcasts": "random"}, bots={1: "heuristic", 2: "random"},
                                    is_open=True)
        me = table.claim(0, "Ada")
        for turn in me.turns(tell=told.append, names=True):
            first = not told[20:]
            assert not first or me.hint(time_ms=5).candidates[0].action.label
            assert turn.act(turn.actions[0])
            assert not first or not turn.act(turn.actions[0])       # the position has moved on
        assert table.get().state == table_pb2.Table.STATE_FINISHED and len(told) > 5
        assert any(text.startswith("heuristic ") for text in told)
        everything = [event for step in me.watch(use_display_names=True) for event in step.events]
        assert [event.text for event in everything if event.text] == told
        assert me.observe().result.text == table.observe().result.text and '"seed"' in me.record()
        assert [one.name for one in client.list_tables("hyde")] == [table.name] and client.list_tables("kuhn") == []
        with pytest.raises(grpc.RpcError) as wrong:
            client.create_table("hide")
        assert error_reason(wrong.value) == "UNKNOWN_GAME"


def test_streams_and_calls_go_on_when_the_server_comes_back(tmp_path: Path) -> None:
    with contextlib.ExitStack() as line:
        with serving(config(tmp_path)) as server:
            address = server.address
            client = line.enter_context(blocking.connect(address, options=SOON))
            me = client.create_table("connect_four", seats=2).claim(0)
            steps = me.watch()
            seen = [event.sequence for event in next(steps).events]
        again: list[int] = []
        reader = threading.Thread(target=lambda: again.extend(event.sequence for event in next(steps).events))
        reader.start()
        with serving(config(tmp_path, address)):
            legal = me.legal()
            me.act(legal.actions[0].id, legal.sequence)
            reader.join(30)
            assert again[0] == seen[-1] + 1


def test_both_clients_have_the_same_methods() -> None:
    """What is awaited in the one is called in the other, with the same arguments."""
    for name in ("Client", "Table", "Seat", "Tournament", "Turn"):
        waiting, plain = vars(getattr(asynchronous, name)), vars(getattr(blocking, name))
        methods = {key for key, value in waiting.items() if inspect.isfunction(value) and not key.startswith("_")}
        assert methods == {key for key, value in plain.items() if inspect.isfunction(value) and not key.startswith("_")} and methods
        for key in methods:
            assert [*inspect.signature(waiting[key]).parameters] == [*inspect.signature(plain[key]).parameters]
            assert not inspect.iscoroutinefunction(plain[key]) and not inspect.isasyncgenfunction(plain[key])
    assert all(hasattr(blocking, name) for name in seatmate.client.__all__)


def test_what_would_wait_is_not_made() -> None:
    made = script("unasync.py").blocking("async def f():\n    await asyncio.sleep(1)\n")
    assert made == "def f():\n    time.sleep(1)\n"
    with pytest.raises(ValueError, match="asyncio"):
        script("unasync.py").blocking("asyncio.gather(f())")
