"""The backend for a Ray cluster: each batch of deals is a task, and one whose worker or machine has died is played again."""
from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from importlib import metadata
from typing import Any

from seatmate.ai.arena.deal import Deal
from seatmate.ai.arena.plans import TournamentError
from seatmate.ai.arena.pool import LOOK_S, Batches, DealPlayer, Handout, WorkerError, portable, threads_of
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.bots.carried import CarriedBots, carried_bots, load_carried

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")   # or Ray would tell its makers

import ray

_BATCH_S = 1.0          # longer than on one machine, since each batch travels
_TRIES_AGAIN = 3        # of a batch whose worker has died: deals that need too much memory must not kill one after the other

_DIED = (f"workers of the Ray cluster died again and again over the same deals, {_TRIES_AGAIN + 1} times (out of memory, "
         "or killed); what is saved stays saved")

_player: tuple[str, DealPlayer] | None = None   # of a worker: the tournament it plays for, and its bots


def play_on_ray(spec: TournamentSpec, deals: range, workers: int | None, forecasts: bool = False) -> Batches:
    """A Backend (see seatmate.ai.arena.backends): on the cluster that RAY_ADDRESS names, or that runs on this machine, or on one
    that is started here and ends with the tournament. workers: tasks at the same time, by default as many as have processors.
    """
    threads = threads_of(spec)
    with _cluster():
        workers = workers or max(1, int(ray.cluster_resources().get("CPU", 1)) // threads)
        handout = Handout(deals, workers, _BATCH_S)
        shared = ray.put((spec, forecasts, carried_bots()))
        play = ray.remote(_play).options(num_cpus=threads, max_retries=_TRIES_AGAIN)
        running: dict[Any, range] = {}
        try:
            while not handout.is_over:
                while len(running) < workers and (batch := handout.next_batch()) is not None:
                    running[play.remote(shared.hex(), shared, batch)] = batch
                for task in ray.wait(list(running), timeout=LOOK_S)[0]:
                    handout.take(running.pop(task), *_result(task))
                yield from handout.in_order()
        finally:
            for task in running:
                ray.cancel(task, force=True)


@contextlib.contextmanager
def _cluster() -> Iterator[None]:
    """Be connected; who was before stays so."""
    if ray.is_initialized():
        yield
        return
    try:
        ray.init(log_to_driver=False, logging_level="error")
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise WorkerError(f"the Ray cluster can't be reached: {error}") from error
    try:
        yield
    finally:
        ray.shutdown()


def _result(task: Any) -> tuple[list[Deal], float]:
    """The deals of a task that has ended and the seconds they took. Raises WorkerError, and what the task has raised."""
    try:
        result = ray.get(task)
    except (ray.exceptions.RayError, OSError) as error:
        raise WorkerError(_DIED) from error
    if isinstance(result, BaseException):
        raise result
    found: tuple[list[Deal], float] = result
    return found


def _play(tournament: str, work: tuple[TournamentSpec, bool, tuple[CarriedBots, ...]],
          batch: range) -> tuple[list[Deal], float] | BaseException:
    """What a worker does; it keeps the bots of the tournament it has played for last."""
    global _player
    spec, forecasts, bots = work
    try:
        if (ours := metadata.version("seatmate")) != spec.seatmate:
            raise TournamentError(f"a machine of the Ray cluster has Seatmate {ours}, whose bots may play otherwise than those of "
                                  f"{spec.seatmate}")
        if _player is None or _player[0] != tournament:
            load_carried(bots)
            _player = tournament, DealPlayer(spec, forecasts)
        return _player[1].play_all(batch)
    except Exception as error:
        return portable(error)
