"""The local pool: plays deals in this machine's processes and hands them out in order."""
from __future__ import annotations

import contextlib
import multiprocessing
import os
import queue
import signal
import threading
import time
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from seatmate.ai.arena.match import play_game
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.bots.policy import PolicyHandle
from seatmate.ai.bots.registry import parse_bot
from seatmate.ai.bots.settings import PolicySettings
from seatmate.engine.core.errors import SeatmateError
from seatmate.engine.core.game import Game
from seatmate.engine.core.rng import Stream, random_words

_BATCH_S = 0.25         # a batch of deals should last so long: short for progress and safety, long for throughput
_MAX_BATCH = 1024       # deals
MAX_TABLES = 256        # games with an option of their own a worker keeps
_AHEAD = 2              # batches per worker that are handed out at once
_LOOK_S = 0.2           # how often who waits looks for Ctrl-C: a signal that the system gives to another thread wakes nobody

Deal = list[list[float]]    # utilities of one deal by lineup and seat
Batches = Generator[list[Deal], None, None]


class WorkerError(SeatmateError):
    """A worker process has died; the message says what can be done."""


class DealPlayer:
    """Plays deals of one tournament; keeps the game and the bots between them."""

    def __init__(self, spec: TournamentSpec) -> None:
        self.spec = spec
        self._tables: dict[tuple[tuple[str, str], ...], tuple[Game, list[list[PolicyHandle]]]] = {}
        self._kept = 1 if any(policy["kind"] == "search" for policy in spec.policies) else MAX_TABLES

    def play(self, deal: int) -> Deal:
        """Utilities by lineup and seat. The deal fixes all randomness: the table's and each seat's own."""
        table, *words = random_words(self.spec.seed, (int(Stream.DEALS), deal), 1 + self.spec.seats)
        played = []
        for number, lineup in enumerate(self.spec.lineups):
            game, handles = self._table(number)
            played.append(play_game(game, [handles[bot][seat] for seat, bot in enumerate(lineup)], table, words))
        return played

    def _table(self, lineup: int) -> tuple[Game, list[list[PolicyHandle]]]:
        """The game of a lineup and its bots by seat; searches need memory, so that only those of one game are kept."""
        key = self.spec.overrides(lineup)
        if key not in self._tables:
            game = self.spec.game_of(lineup)
            handles = [_for_seats(game, parse_bot(bot).resolve(game.spec)) for bot in self.spec.bots]
            while len(self._tables) >= self._kept:
                del self._tables[next(iter(self._tables))]
            self._tables[key] = game, handles
        return self._tables[key]


def _for_seats(game: Game, settings: PolicySettings) -> list[PolicyHandle]:
    """A policy for each seat: one for all of them, unless it remembers what it has searched."""
    first = PolicyHandle(game, settings)
    return [PolicyHandle(game, settings) if seat and first.reuses else first for seat in range(game.seats)]


def default_workers(spec: TournamentSpec, deals: int) -> int:
    """One per core, or per as many cores as a bot's search has threads.

    A tournament without searches on few deals is over before a second process has started.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if all(policy["kind"] != "search" for policy in spec.policies) and deals <= 200:
        return 1
    threads = max(int(policy.get("threads", 1)) for policy in spec.policies)
    return max(1, min(cores // threads, deals))


def play_deals(spec: TournamentSpec, deals: range, workers: int) -> Batches:
    """The deals in order, in batches of one or more as they are finished. What is played depends on the spec alone.

    Blocks while it waits; closing it early ends the workers at once. Raises WorkerError.
    """
    return _play_in_thread(spec, deals) if workers == 1 else _play_in_processes(spec, deals, workers)


# A game in C can't be interrupted, but waiting for it can: so that Ctrl-C ends a tournament at once, nothing is played
# in the caller's thread.

def _play_in_thread(spec: TournamentSpec, deals: range) -> Batches:
    """From one thread of this process; when it is closed early the thread ends after its game."""
    results: queue.SimpleQueue[list[Deal] | BaseException] = queue.SimpleQueue()
    closed = threading.Event()

    def work() -> None:
        try:
            player = DealPlayer(spec)
            batch: list[Deal] = []
            began = time.monotonic()
            for deal in deals:
                if closed.is_set():
                    return
                batch.append(player.play(deal))
                if time.monotonic() - began > _BATCH_S or len(batch) >= _MAX_BATCH or deal == deals[-1]:
                    results.put(batch)
                    batch, began = [], time.monotonic()
        except BaseException as error:
            results.put(error)

    threading.Thread(target=work, name="tournament", daemon=True).start()
    missing = len(deals)
    try:
        while missing:
            result = _next_of(results)
            if isinstance(result, BaseException):
                raise result
            missing -= len(result)
            yield result
    finally:
        closed.set()


def _next_of(results: queue.SimpleQueue[list[Deal] | BaseException]) -> list[Deal] | BaseException:
    """Wait for it, and for Ctrl-C."""
    while True:
        with contextlib.suppress(queue.Empty):
            return results.get(timeout=_LOOK_S)


def _play_in_processes(spec: TournamentSpec, deals: range, workers: int) -> Batches:
    """From several processes. Batches start small and grow to _BATCH_S, so that slow bots lose little when killed."""
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"),
                               initializer=_start_worker, initargs=(spec, os.getpid()))
    waiting: dict[Future[tuple[list[Deal], float]], range] = {}
    ready: dict[int, list[Deal]] = {}
    handed_out = wanted = deals.start
    size = 1

    def hand_out() -> None:
        nonlocal handed_out
        # A slow deal at the front must not let the others run ahead without end.
        while len(waiting) < _AHEAD * workers and len(ready) < 100 * workers and handed_out < deals.stop:
            batch = range(handed_out, min(handed_out + size, deals.stop))
            waiting[pool.submit(_play_batch, batch)] = batch
            handed_out = batch.stop

    try:
        with _interrupts_ignored():     # the processes inherit it: Ctrl-C in a terminal is for this process alone
            hand_out()
        while waiting:
            finished, _ = wait(waiting, timeout=_LOOK_S, return_when=FIRST_COMPLETED)
            for future in finished:
                batch = waiting.pop(future)
                ready[batch.start], seconds = future.result()
                fair_share = (deals.stop - handed_out) // (2 * workers)
                size = max(1, min(int(_BATCH_S * len(batch) / max(seconds, 1e-9)), _MAX_BATCH, fair_share))
            hand_out()
            while wanted in ready:
                played = ready.pop(wanted)
                wanted += len(played)
                yield played
            hand_out()
    except BrokenProcessPool:
        if wanted == deals.start:
            raise WorkerError("the worker processes of the tournament could not start; in a script the call belongs under "
                              "`if __name__ == \"__main__\":`, because every worker imports the script anew") from None
        raise WorkerError("a worker process of the tournament died (out of memory, or killed); what is saved stays saved, "
                          "and with fewer workers less memory is needed") from None
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_player: DealPlayer | None = None


def _start_worker(spec: TournamentSpec, parent: int) -> None:
    global _player
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    _player = DealPlayer(spec)


def _end_with(parent: int) -> None:
    """End this process when its parent is gone: a killed tournament must not leave workers that play on."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _play_batch(deals: range) -> tuple[list[Deal], float]:
    """The played deals and the seconds they took."""
    assert _player is not None
    began = time.monotonic()
    return [_player.play(deal) for deal in deals], time.monotonic() - began


@contextlib.contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Ignore SIGINT for a moment; does nothing outside the main thread, where signals can't be set."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
