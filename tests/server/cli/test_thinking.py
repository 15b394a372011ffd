"""Waiting for a search: Ctrl-C stops it, whichever thread the system gives the signal to."""
from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from seatmate.ai.search import StopFlag
from seatmate.server.cli.thinking import think


@pytest.fixture
def interruptible() -> Iterator[None]:
    """SIGINT is KeyboardInterrupt, also where the tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_answers_and_errors_come_through() -> None:
    assert think(lambda stop: 7, "") == 7
    with pytest.raises(ZeroDivisionError):
        think(lambda stop: 1 // 0, "")


def test_ctrl_c_that_reaches_the_thinking_thread_stops_it(interruptible: None, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = []
    waits = threading.Event()       # the other thread, for good

    @contextmanager
    def without_spinner() -> Iterator[None]:
        waits.set()
        yield

    monkeypatch.setattr("seatmate.server.cli.thinking.nullcontext", without_spinner)

    def work(stop: StopFlag) -> None:
        waits.wait(20)
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        end = time.monotonic() + 20
        while not stop.is_set and time.monotonic() < end:
            time.sleep(0.01)
        stopped.append(stop.is_set)

    with pytest.raises(KeyboardInterrupt):
        think(work, "")
    assert stopped == [True]
