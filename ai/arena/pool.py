"""The local pool: plays deals in this machine's processes and hands them out in order."""
from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import queue
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Generator, Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from types import FrameType

from seatmate.ai.arena.deal import Deal
from seatmate.ai.arena.forecasts import counted_by_bin
from seatmate.ai.arena.match import play_game, play_recorded
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.arena.times import DecisionTimes, late_after_ns
from seatmate.ai.bots.guarded import Faults, GuardedPolicy, end_at_once
from seatmate.ai.bots.policy import PolicyHandle
from seatmate.ai.bots.registry import bot_kind, make_policy, parse_bot
from seatmate.ai.bots.settings import PolicySettings
from seatmate.ai.bots.watch import Stopwatch
from seatmate.engine.core.errors import SeatmateError
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.rng import Stream, random_words

_BATCH_S = 0.25         # a batch of deals should last so long: short for progress and safety, long for throughput
_MAX_BATCH = 1024       # deals
MAX_TABLES = 256        # games with an option of their own a worker keeps
_AHEAD = 2              # batches per worker that are handed out at once
LOOK_S = 0.2           # how often who waits looks for Ctrl-C: a signal that the system gives to another thread wakes nobody
_GOODBYE_S = 5.0        # a worker that has not ended by itself after so long is stuck, and nobody reads from it any more

Batches = Generator[list[Deal], None, None]


_NEVER_STARTED = ("the worker processes of the tournament could not start; in a script the call belongs under "
                  "`if __name__ == \"__main__\":`, because every worker imports the script anew")
_DIED = ("a worker process of the tournament died (out of memory, or killed); what is saved stays saved, and with fewer workers "
         "less memory is needed")


class WorkerError(SeatmateError):
    """A worker process has died; the message says what can be done."""


def table_seed(spec: TournamentSpec, deal: int) -> int:
    """The seed of the table on a deal."""
    return random_words(spec.seed, (int(Stream.DEALS), deal), 1)[0]


class DealPlayer:
    """Plays deals of one tournament; keeps the game and the bots between them."""

    def __init__(self, spec: TournamentSpec, forecasts: bool = False) -> None:
        """forecasts: also keep what searches expected."""
        self.spec = spec
        self._forecasts = forecasts
        self._tables: dict[tuple[tuple[str, str], ...], tuple[Game, list[list[PolicyHandle]]]] = {}
        self._watches = [Stopwatch(late_after_ns(policy)) for policy in spec.policies]
        self._kept = 1 if _thinks(spec) else MAX_TABLES
        self._may_fail: set[int] = set()        # bots whose faults are counted

    def play(self, deal: int) -> Deal:
        """What is played on a deal, which fixes all randomness: the table's and each seat's own."""
        chance = self._chance(deal)
        played = Deal(actions=[] if self.spec.keeps_games else None)
        decisions, before = [], self._decisions()
        for number, lineup in enumerate(self.spec.lineups):
            _, handles = self._table(number)
            if played.actions is None and not self._forecasts:
                played.append(play_game(*self._seated(number, *chance), self.spec.early))
            else:
                said: list[tuple[int, float]] = []
                state, utilities = play_recorded(*self._seated(number, *chance), self.spec.early, said)
                played.append(utilities)
                if played.actions is not None:
                    played.actions.append([list(action) for action in state.actions])
                if self._forecasts:
                    for bot in dict.fromkeys(lineup):
                        counted_by_bin((one for one in said if lineup[one[0]] == bot), utilities,
                                       played.forecasts.setdefault(bot, {}))
            decisions.append(self._decisions() - before)
            before += decisions[-1]
            for bot in self._may_fail.intersection(lineup):
                handle = handles[bot][0]    # of all seats, since one that may fail remembers nothing
                if isinstance(handle, GuardedPolicy) and (faults := handle.take_faults()):
                    played.faults.setdefault(bot, Faults()).add(faults)
        played.decisions = decisions
        for bot, watch in enumerate(self._watches):
            played.times[bot] = DecisionTimes(*watch.take())
        return played

    def _decisions(self) -> int:
        """How many decisions with a choice there ever were."""
        return sum(watch.decisions for watch in self._watches)

    def play_again(self, deal: int, lineup: int) -> tuple[State, list[float]]:
        """One game of a deal at its end with all its actions, and the utilities."""
        return play_recorded(*self._seated(lineup, *self._chance(deal)), self.spec.early)

    def _chance(self, deal: int) -> tuple[int, list[list[int]]]:
        """(seed of the table, seeds of each bot by seat) of a deal."""
        table, *words = random_words(self.spec.seed, (int(Stream.DEALS), deal), 1 + self.spec.seats)
        counts = [self.spec.occurrence(bot) for bot in range(len(self.spec.bots))]
        return table, [words if count == 1 else random_words(self.spec.seed, (int(Stream.DEALS), deal, count), self.spec.seats)
                       for count in counts]

    def _seated(self, number: int, table: int, own: list[list[int]]) -> tuple[Game, list[PolicyHandle], int, list[int]]:
        """What `play_game` takes of one game: the game, policies by seat, seed of the table, seed of each seat."""
        game, handles = self._table(number)
        lineup = self.spec.lineups[number]
        return (game, [handles[bot][seat] for seat, bot in enumerate(lineup)], table,
                [own[bot][seat] for seat, bot in enumerate(lineup)])

    def play_all(self, batch: range) -> tuple[list[Deal], float]:
        """The deals, and the seconds they took."""
        began = time.monotonic()
        return [self.play(deal) for deal in batch], time.monotonic() - began

    def _table(self, lineup: int) -> tuple[Game, list[list[PolicyHandle]]]:
        """The game of a lineup and its bots by seat; searches need memory, so that only those of one game are kept."""
        key = self.spec.overrides(lineup)
        if key not in self._tables:
            game = self.spec.game_of(lineup)
            handles = [_for_seats(game, parse_bot(bot).resolve(game.spec)) for bot in self.spec.bots]
            for watch, seated in zip(self._watches, handles, strict=True):
                for handle in seated:
                    handle.timed_by(watch)
            self._may_fail.update(bot for bot, (handle, *_) in enumerate(handles) if isinstance(handle, GuardedPolicy))
            while len(self._tables) >= self._kept:
                del self._tables[next(iter(self._tables))]
            self._tables[key] = game, handles
        return self._tables[key]


def _for_seats(game: Game, settings: PolicySettings) -> list[PolicyHandle]:
    """A policy for each seat: one for all of them, unless it remembers what it has searched."""
    first = make_policy(game, settings)
    return [make_policy(game, settings) if seat and first.reuses else first for seat in range(game.seats)]


def _thinks(spec: TournamentSpec) -> bool:
    """Does one of the bots take its time?"""
    return any(bot_kind(policy["kind"]).thinks for policy in spec.policies)


def default_workers(spec: TournamentSpec, deals: int) -> int:
    """One per core, or per as many cores as a bot's search has threads.

    A tournament of few deals in which no bot thinks is over before a second process has started.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not _thinks(spec) and deals <= 200:
        return 1
    return max(1, min(cores // threads_of(spec), deals))


def threads_of(spec: TournamentSpec) -> int:
    """Processors that one game keeps busy."""
    return max(int(policy.get("threads", 1)) for policy in spec.policies)


def play_deals(spec: TournamentSpec, deals: range, workers: int | None, forecasts: bool = False) -> Batches:
    """A Backend (see seatmate.ai.arena.backends): on this machine, a single worker in this process."""
    workers = workers or default_workers(spec, len(deals))
    return _play_in_thread(spec, deals, forecasts) if workers == 1 else _play_in_processes(spec, deals, workers, forecasts)


class Handout:
    """Which deals are handed out next, and what has come back, put in order again.

    Batches start small and grow until one lasts `batch_s` seconds, so that slow bots lose little when they are killed.
    """

    def __init__(self, deals: range, workers: int, batch_s: float) -> None:
        self._stop = deals.stop
        self._handed_out = self._wanted = deals.start
        self._workers = workers
        self._batch_s = batch_s
        self._size = 1
        self._ready: dict[int, list[Deal]] = {}

    @property
    def is_over(self) -> bool:
        """Have all deals been given back by `in_order`?"""
        return self._wanted >= self._stop

    def next_batch(self) -> range | None:
        """The next deals for somebody; None where there are none, or none now."""
        # A slow deal at the front must not let the others run ahead without end.
        if self._handed_out >= self._stop or len(self._ready) >= 100 * self._workers:
            return None
        batch = range(self._handed_out, min(self._handed_out + self._size, self._stop))
        self._handed_out = batch.stop
        return batch

    def take(self, batch: range, played: list[Deal], seconds: float) -> None:
        """A batch that was handed out is played, which took so long."""
        self._ready[batch.start] = played
        fair_share = (self._stop - self._handed_out) // (2 * self._workers)
        self._size = max(1, min(int(self._batch_s * len(batch) / max(seconds, 1e-9)), _MAX_BATCH, fair_share))

    def in_order(self) -> Iterator[list[Deal]]:
        """The batches up to the first that is still missing, each once."""
        while self._wanted in self._ready:
            played = self._ready.pop(self._wanted)
            self._wanted += len(played)
            yield played


# A game in C can't be interrupted, but waiting for it can: so that Ctrl-C ends a tournament at once, nothing is played
# in the caller's thread.

def _play_in_thread(spec: TournamentSpec, deals: range, forecasts: bool) -> Batches:
    """From one thread of this process; when it is closed early the thread ends after its game."""
    results: queue.SimpleQueue[list[Deal] | BaseException] = queue.SimpleQueue()
    closed = threading.Event()

    def work() -> None:
        try:
            player = DealPlayer(spec, forecasts)
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
            return results.get(timeout=LOOK_S)


def _play_in_processes(spec: TournamentSpec, deals: range, workers: int, forecasts: bool) -> Batches:
    """From several processes."""
    staff: dict[Connection, _Worker] = {}
    handout = Handout(deals, workers, _BATCH_S)
    ahead = _AHEAD

    def hand_out() -> None:
        for queued in range(ahead):
            for worker in staff.values():
                if len(worker.waiting) == queued and (batch := handout.next_batch()) is not None:
                    worker.give(batch)

    try:
        with _interrupts_later():
            for _ in range(workers):
                worker = _Worker(spec, forecasts)
                staff[worker.connection] = worker
        hand_out()
        while not handout.is_over:
            for connection in wait(list(staff), timeout=LOOK_S):
                assert isinstance(connection, Connection)
                message = staff[connection].take()
                if message is not None:
                    handout.take(*message)
                    ahead = 1 if message[2] > 2 * _BATCH_S else _AHEAD  # no slow deal waits behind another while somebody is free
            hand_out()
            yield from handout.in_order()
            hand_out()
    finally:
        _end(list(staff.values()))


class _Worker:
    """A process that plays batches of deals, as its owner sees it.

    It has a pipe of its own and shares no lock and no queue with others. It ends by itself when its owner's end of the pipe is
    closed, also because the owner was killed: so nobody ends a process that may be writing to somebody who listens.
    """

    def __init__(self, spec: TournamentSpec, forecasts: bool) -> None:
        """Start it. Raises WorkerError, OSError."""
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.waiting: deque[range] = deque()    # batches it was given that have not come back
        self.has_begun = False
        self.process = context.Process(target=_work, args=(theirs, spec, forecasts), daemon=True)
        try:
            self.process.start()
        except BaseException as error:
            self.connection.close()
            if isinstance(error, BrokenPipeError):
                raise WorkerError(_NEVER_STARTED) from None
            raise
        finally:
            theirs.close()

    def give(self, batch: range) -> None:
        """Hand it a batch. When it has died `take` will say so."""
        self.waiting.append(batch)
        with contextlib.suppress(OSError):
            self.connection.send(batch)

    def take(self) -> tuple[range, list[Deal], float] | None:
        """The next finished batch, its deals and the seconds they took; None for its greeting. Waits for the message.

        Raises WorkerError when it has died, and what it has raised.
        """
        try:
            message = self.connection.recv()
        except (EOFError, OSError):
            raise WorkerError(_DIED if self.has_begun else _NEVER_STARTED) from None
        self.has_begun = True
        if isinstance(message, BaseException):
            raise message
        return message and (self.waiting.popleft(), *message)


def _end(workers: list[_Worker]) -> None:
    """Let them go, and wait until they are gone."""
    for worker in workers:
        worker.connection.close()
        if not worker.has_begun:
            worker.process.kill()       # it may take a second of imports until it sees that
    end = time.monotonic() + _GOODBYE_S
    for worker in workers:
        worker.process.join(max(0.0, end - time.monotonic()))
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
        worker.process.close()


def _work(connection: Connection, spec: TournamentSpec, forecasts: bool) -> None:
    """What a worker does."""
    ignore_ends()
    sys.stdout = sys.stderr     # what bots print is none of the owner's results
    batches: queue.SimpleQueue[range] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(connection, batches), daemon=True).start()
    try:
        connection.send(None)
        player = DealPlayer(spec, forecasts)
        while True:
            connection.send(player.play_all(batches.get()))
    except BaseException as error:
        with contextlib.suppress(OSError):      # nobody listens any more
            connection.send(portable(error))


def ignore_ends() -> None:
    """Ctrl-C in a terminal, and SIGTERM to a whole group of processes, are for the owner of this one, which ends with it.

    A handler, unlike SIG_IGN, is not inherited by the programs of bots and what these start.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, frame: None)


def _listen(connection: Connection, batches: queue.SimpleQueue[range]) -> None:
    """Take what the owner sends. When it has closed the pipe or is gone, end this process, in the middle of a search too."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            batches.put(connection.recv())
    end_at_once()


def portable(error: BaseException) -> BaseException:
    """The error, with its traceback as a note, if it can travel to another process; else a WorkerError of its text."""
    error.add_note("".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return WorkerError(f"{type(error).__name__}: {error}")
    return error


@contextlib.contextmanager
def _interrupts_later() -> Iterator[None]:
    """Hold SIGINT back for a moment: processes started meanwhile never see one, and this one sees it afterwards."""
    seen: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        seen.append(number)

    before = signal.getsignal(signal.SIGINT)
    ours = threading.current_thread() is threading.main_thread() and before is not None    # others can't set a handler
    blocks = hasattr(signal, "pthread_sigmask")
    if ours:
        signal.signal(signal.SIGINT, note)      # it may reach a thread that does not block it
    try:
        if blocks:
            resource_tracker.ensure_running()   # its start would unblock the signal
            mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])    # inherited by processes, which a handler is not
        try:
            yield
        finally:
            if blocks:
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    finally:
        if ours:
            signal.signal(signal.SIGINT, before)
        if seen:
            signal.raise_signal(signal.SIGINT)
