"""The pool of workers ends early, is interrupted, and loses workers, and never hangs nor leaves a process behind."""
from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from pathlib import Path
from typing import Any

import pytest

from seatmate.ai.arena import TournamentSpec, WorkerError, pool
from seatmate.ai.arena.pool import DealPlayer
from seatmate.engine.core.errors import SettingsError

QUICK = """
import multiprocessing, random, signal, sys, threading, time
from seatmate.ai.arena import TournamentSpec, pool, run_tournament
from seatmate.engine.core.registry import list_games

if __name__ == "__main__":
    list_games()
    quick = multiprocessing.get_context("forkserver")       # as "spawn", but a worker starts in milliseconds
    quick.set_forkserver_preload([name for name in sys.modules if name.startswith("seatmate.")])
    multiprocessing.get_context = lambda kind: quick
"""

EARLY_ENDS = """
from seatmate.ai.arena import pool

# In workers too: more than a pipe holds.
pool.DealPlayer.play = lambda player, deal: [[float(number)] for number in range(10_000)]
""" + QUICK + """
    pool._BATCH_S = 0.0     # every deal is a message, so that somebody is always writing one
    spec = TournamentSpec.create("kuhn", seats=2, bots=["heuristic", "random"], seed=1)
    slowest = 0.0
    for run in range(200):
        played = pool.play_deals(spec, range(10**6), 2)
        for _ in range(run % 4 + 1):
            next(played)
        began = time.monotonic()
        played.close()
        slowest = max(slowest, time.monotonic() - began)
        assert not multiprocessing.active_children(), run
    print(slowest)
"""

INTERRUPTED = QUICK + """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    chance, main = random.Random(1), threading.main_thread().ident

    def swallowed(problem):
        # Python drops an interrupt that comes within a callback of the garbage collector: then somebody presses Ctrl-C once more.
        if problem.exc_type is KeyboardInterrupt:
            threading.Timer(0.01, signal.pthread_kill, [main, signal.SIGINT]).start()
        else:
            sys.__unraisablehook__(problem)

    sys.unraisablehook = swallowed
    for run in range(60):
        # From the first moment on; to the thread that waits, which a terminal's Ctrl-C may miss, or to the process.
        alarm = threading.Timer(chance.uniform(0, 0.15), signal.raise_signal if run % 2 else
                                lambda number: signal.pthread_kill(main, number), [signal.SIGINT])
        try:
            alarm.start()
            run_tournament("kuhn", seats=2, bots=["heuristic", "random"], deals=10**6, seed=run, workers=2)
        except KeyboardInterrupt:
            pass
        else:
            raise AssertionError("the interrupt was lost")
        assert not multiprocessing.active_children(), run
    print("done")
"""


def script(code: str, folder: Path) -> str:
    """What the script prints. Fails when it hangs, fails, or writes to stderr."""
    file = folder / "script.py"
    file.write_text(code)
    done = subprocess.run([sys.executable, "-P", str(file)], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture
def spec() -> TournamentSpec:
    return TournamentSpec.create("kuhn", seats=2, bots=["heuristic", "random"], seed=1)


def test_a_pool_that_is_closed_early_is_gone_at_once_200_times(tmp_path: Path) -> None:
    # Workers that were ended in the middle of a message took the lock of a shared queue with them, once in some ten runs.
    assert float(script(EARLY_ENDS, tmp_path)) < pool._GOODBYE_S     # no worker had to be killed


def test_an_interrupt_at_any_moment_ends_a_fast_tournament(tmp_path: Path) -> None:
    assert script(INTERRUPTED, tmp_path) == "done\n"


@pytest.mark.parametrize("workers", [1, 2])
def test_what_a_worker_raises_reaches_the_caller(spec: TournamentSpec, workers: int) -> None:
    broken: Any = spec.__class__(**{**{name: getattr(spec, name) for name in spec.__dataclass_fields__}, "bots": ("nobody",) * 2})
    with pytest.raises(Exception, match="nobody"):
        list(pool.play_deals(broken, range(10), workers))


def test_an_error_travels_with_its_traceback_and_one_that_cannot_travel_as_a_sentence() -> None:
    def fail(error: Exception) -> BaseException:
        try:
            raise error
        except Exception as caught:
            return pool.portable(caught)

    assert "in fail" in pickle.loads(pickle.dumps(fail(ValueError("what")))).__notes__[0]
    unportable = fail(SettingsError("deck", "is none"))       # pickle would call it with its text alone
    assert isinstance(unportable, WorkerError) and str(unportable) == "SettingsError: deck: is none"


def test_an_interrupt_while_processes_start_comes_after_that() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    steps: list[Any] = []
    gc.disable()        # Python drops an interrupt that comes within one of its callbacks
    try:
        with pytest.raises(KeyboardInterrupt), pool._interrupts_later():
            steps.append("first")
            signal.raise_signal(signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)     # to any thread
            time.sleep(0.1)
            started = subprocess.run([sys.executable, "-c", (
                "import os, signal; os.kill(os.getpid(), signal.SIGINT); print('lives')")], capture_output=True, check=False)
            steps.append(started.stdout)
        assert steps == ["first", b"lives\n"]
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
        with pool._interrupts_later():
            pass        # and none comes where there was none
    finally:
        gc.enable()
        signal.signal(signal.SIGINT, before)


def test_slow_deals_are_not_queued_behind_each_other(spec: TournamentSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow:
        """A worker of this process whose batches take a second each, it says."""

        def __init__(self, spec: TournamentSpec, forecasts: bool) -> None:
            self.connection, self.other = multiprocessing.Pipe()
            self.waiting: Any = deque()
            self.process: Any = threading.Thread()
            self.most = 0
            workers.append(self)

        def give(self, batch: range) -> None:
            self.waiting.append(batch)
            if answered:
                self.most = max(self.most, len(self.waiting))
            self.other.send(None)

        def take(self) -> tuple[range, list[Any], float]:
            self.connection.recv()
            answered.append(self)
            batch = self.waiting.popleft()
            return batch, [[[0.5, 0.5]] * 2] * len(batch), 1.0

    workers: list[Slow] = []
    answered: list[Slow] = []
    monkeypatch.setattr(pool, "_Worker", Slow)
    monkeypatch.setattr(pool, "_end", lambda workers: None)
    assert sum(map(len, pool.play_deals(spec, range(40), 2))) == 40
    assert [worker.most for worker in workers] == [1, 1]


def test_deals_keep_their_order_and_none_is_lost(spec: TournamentSpec) -> None:
    player = DealPlayer(spec)
    assert [deal for batch in pool.play_deals(spec, range(5, 300), 3) for deal in batch] == [player.play(n) for n in range(5, 300)]


def test_what_a_worker_loads_is_quick() -> None:
    """Half a second of statistics is not for it, nor for commands that compute none."""
    code = "import sys, seatmate.ai.arena.pool, seatmate.server.cli.main; sys.exit({'scipy', 'choix'} & {*sys.modules} != set())"
    assert subprocess.run([sys.executable, "-I", "-c", code], check=False).returncode == 0
