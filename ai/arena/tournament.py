"""Paired tournaments: every bot on the same deals, seats exchanged, intervals over deals."""
from __future__ import annotations

import contextlib
import itertools
import math
import multiprocessing
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass
from typing import Any

from seatmate.ai.arena.match import play_game, win_shares
from seatmate.ai.arena.statistics import mean_and_interval, paired_difference
from seatmate.ai.bots.policy import PolicyHandle
from seatmate.ai.bots.registry import BotSpec, parse_bot
from seatmate.engine.core.errors import SeatmateError
from seatmate.engine.core.game import Game
from seatmate.engine.core.registry import new_game
from seatmate.engine.core.rng import Stream, random_words

COOPERATIVE_WIN = 0.5
"""A cooperative game counts as won from this utility on."""

_ALL_PERMUTATIONS = 3       # up to so many seats every order is played, beyond it every rotation
_MAX_CHUNK = 64             # deals of one task of a worker


_Deal = list[list[float]]      # utilities of one deal by lineup and seat


class TournamentError(SeatmateError):
    """A tournament can't be run as asked; the message says what would be right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one bot did.

    mean_utility: over its seats and deals, 0..1 · ci95: half width of the 95 % t-interval over deals ·
    win_rate: competitive games: mean share of the win; cooperative games: share of games with utility >= 0.5 ·
    games: games it sat in.
    """

    bot: str
    mean_utility: float
    ci95: float
    win_rate: float
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedDifference:
    """mean: mean over common deals of (utility of a - utility of b) · ci95: half width of its 95 % t-interval."""

    a: str
    b: str
    mean: float
    ci95: float
    deals: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentResult:
    """A finished tournament. The first six fields reproduce it, whatever the number of workers.

    standings: best first · pairs: each two bots once, in the order of the standings.
    """

    game: str
    mode: str
    seats: int
    options: dict[str, Any]
    deals: int
    seed: int
    cooperative: bool
    games: int
    standings: tuple[Standing, ...]
    pairs: tuple[PairedDifference, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Plan:
    """All a worker needs to play any deal."""

    game_id: str
    mode: str | None
    seats: int
    options: dict[str, Any]
    pack: str | None
    bots: tuple[BotSpec, ...]
    lineups: tuple[tuple[int, ...], ...]
    seed: int


def seat_plans(bots: int, seats: int, cooperative: bool) -> tuple[tuple[int, ...], ...]:
    """Who sits where (bot index per seat) in the games played on each deal.

    Cooperative: each bot fills all seats. Else every selection of bots that fits the table, repeated round the table
    where there are fewer bots than seats, in all orders (up to 3 seats) or all rotations.
    """
    if cooperative:
        return tuple((bot,) * seats for bot in range(bots))
    plans: dict[tuple[int, ...], None] = {}
    for chosen in itertools.combinations(range(bots), min(bots, seats)):
        for shift in range(len(chosen)):
            base = [chosen[(seat + shift) % len(chosen)] for seat in range(seats)]
            if seats <= _ALL_PERMUTATIONS:
                plans.update(dict.fromkeys(itertools.permutations(base)))
            else:
                plans.update(dict.fromkeys(tuple(base[turn:] + base[:turn]) for turn in range(seats)))
    return tuple(sorted(plans))


class _Worker:
    """Plays deals of one plan; keeps the game and the policies between tasks."""

    def __init__(self, plan: _Plan) -> None:
        self.plan = plan
        self.game: Game = new_game(plan.game_id, mode=plan.mode, seats=plan.seats, options=plan.options, pack=plan.pack)
        self.handles = [PolicyHandle(self.game, bot.resolve(self.game.spec)) for bot in plan.bots]

    def play(self, deal: int) -> _Deal:
        """Utilities by lineup and seat. The deal fixes all randomness: the table's and each seat's own."""
        table, *words = random_words(self.plan.seed, (int(Stream.DEALS), deal), 1 + self.plan.seats)
        return [play_game(self.game, [self.handles[bot] for bot in lineup], table, words)
                for lineup in self.plan.lineups]


_worker: _Worker | None = None


def _start_worker(plan: _Plan, parent: int) -> None:
    global _worker
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    _worker = _Worker(plan)


def _end_with(parent: int) -> None:
    """End this process when its parent is gone: a killed tournament must not leave workers that play on."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _play_deals(deals: range) -> list[_Deal]:
    assert _worker is not None
    return [_worker.play(deal) for deal in deals]


def _chunks(deals: int, workers: int) -> list[range]:
    size = max(1, min(_MAX_CHUNK, deals // (4 * workers)))
    return [range(start, min(start + size, deals)) for start in range(0, deals, size)]


def _play_all(plan: _Plan, deals: int, workers: int, progress: Callable[[int, int], None]) -> list[_Deal]:
    """The results of all deals in order."""
    chunks = _chunks(deals, workers)
    games = len(plan.lineups)
    results: dict[int, list[_Deal]] = {}
    done = 0
    play = _play_in_thread(plan, chunks) if workers == 1 else _play_in_processes(plan, chunks, workers)
    with contextlib.closing(play):
        for chunk, played in play:
            results[chunk.start] = played
            done += len(chunk)
            progress(done * games, deals * games)
    return [deal for chunk in chunks for deal in results[chunk.start]]


_Played = Generator[tuple[range, list[_Deal]], None, None]


# A game in C can't be interrupted, but waiting for it can: so that Ctrl-C ends a tournament at once, nothing is played
# in the caller's thread.

def _play_in_thread(plan: _Plan, chunks: list[range]) -> _Played:
    """Each chunk with its deals, from one thread; when it is closed early the thread ends after its game."""
    results: queue.SimpleQueue[tuple[range, list[_Deal]] | BaseException] = queue.SimpleQueue()
    closed = threading.Event()

    def work() -> None:
        try:
            worker = _Worker(plan)
            for chunk in chunks:
                played = []
                for deal in chunk:
                    if closed.is_set():
                        return
                    played.append(worker.play(deal))
                results.put((chunk, played))
        except BaseException as error:
            results.put(error)

    threading.Thread(target=work, name="tournament", daemon=True).start()
    try:
        for _ in chunks:
            result = results.get()
            if isinstance(result, BaseException):
                raise result
            yield result
    finally:
        closed.set()


def _play_in_processes(plan: _Plan, chunks: list[range], workers: int) -> _Played:
    """Each chunk with its deals, as they are finished; when it is closed early the processes are ended."""
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"),
                               initializer=_start_worker, initargs=(plan, os.getpid()))
    try:
        with _interrupts_ignored():     # the processes inherit it: Ctrl-C in a terminal is for this process alone
            waiting: dict[Future[list[_Deal]], range] = {pool.submit(_play_deals, chunk): chunk for chunk in chunks}
        while waiting:
            finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                yield waiting.pop(future), future.result()
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


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


def _silent(done: int, total: int) -> None:
    """Nobody listens to the progress."""


def _default_workers(plan: _Plan, deals: int) -> int:
    """One per core; a tournament without searches on few deals is over before a second process has started."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if all(bot.id != "search" for bot in plan.bots) and deals <= 200:
        return 1
    return max(1, min(cores, deals))


def run_tournament(
    game_id: str, *, seats: int | None, bots: Sequence[str | BotSpec], deals: int, seed: int, mode: str | None = None,
    options: Mapping[str, Any] | None = None, pack: str | None = None, workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> TournamentResult:
    """Play every bot on the same `deals` deals with the seats exchanged (see `seat_plans`). Blocks.

    The result depends on the arguments and not on `workers` (None: one process per core), as long as no bot has a
    time budget. `progress(games done, games in all)` is called from this thread. Raises TournamentError, BotError,
    UnknownGameError, SettingsError, PackError.
    """
    specs = tuple(parse_bot(bot) for bot in bots)
    names = [str(spec) for spec in specs]
    if not names:
        raise TournamentError("a tournament needs at least one bot")
    for name in names:
        if names.count(name) > 1:
            raise TournamentError(f"the bot {name!r} is named twice; a bot can't be compared with itself")
    if deals < 2:
        raise TournamentError(f"{deals} deals are too few for an interval; at least 2 are needed")
    if workers is not None and workers < 1:
        raise TournamentError(f"{workers} workers can't play; at least 1 is needed")
    if seed < 0:
        raise TournamentError(f"the seed {seed} is negative")
    game = new_game(game_id, mode=mode, seats=seats, options=options, pack=pack)
    cooperative = game.spec.cooperative
    if len(specs) < 2 and not cooperative:
        raise TournamentError(f"{game_id} is competitive: at least two bots are needed")
    lineups = seat_plans(len(specs), game.seats, cooperative)
    plan = _Plan(game_id, game.settings.mode, game.seats, dict(options or {}), pack, specs, lineups, seed)
    played = _play_all(plan, deals, workers or _default_workers(plan, deals), progress or _silent)
    return _summary(game, plan, played)


def _summary(game: Game, plan: _Plan, played: list[_Deal]) -> TournamentResult:
    """Per bot and deal one number, the mean over its seats in all games on that deal; then intervals over deals."""
    cooperative = game.spec.cooperative
    names = [str(bot) for bot in plan.bots]
    means: list[list[float]] = [[] for _ in names]
    wins: list[list[float]] = [[] for _ in names]
    for deal in played:
        utilities: list[list[float]] = [[] for _ in names]
        for lineup, result in zip(plan.lineups, deal, strict=True):
            shares = [float(value >= COOPERATIVE_WIN) for value in result] if cooperative else win_shares(result)
            for bot, utility, share in zip(lineup, result, shares, strict=True):
                utilities[bot].append(utility)
                wins[bot].append(share)
        for bot, values in enumerate(utilities):
            means[bot].append(math.fsum(values) / len(values))
    games = [len(played) * sum(bot in lineup for lineup in plan.lineups) for bot in range(len(names))]
    standings = []
    for bot, name in enumerate(names):
        mean, half = mean_and_interval(means[bot])
        win_rate = math.fsum(wins[bot]) / len(wins[bot])
        standings.append(Standing(bot=name, mean_utility=mean, ci95=half, win_rate=win_rate, games=games[bot]))
    order = sorted(range(len(names)), key=lambda bot: -standings[bot].mean_utility)
    pairs = []
    for a, b in itertools.combinations(order, 2):
        mean, half = paired_difference(means[a], means[b])
        pairs.append(PairedDifference(a=names[a], b=names[b], mean=mean, ci95=half, deals=len(played)))
    settings = game.settings
    return TournamentResult(
        game=settings.game, mode=settings.mode, seats=settings.seats, options=settings.to_json()["options"],
        deals=len(played), seed=plan.seed, cooperative=cooperative, games=len(played) * len(plan.lineups),
        standings=tuple(standings[bot] for bot in order), pairs=tuple(pairs))
