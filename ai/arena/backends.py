"""Where deals are played: on this machine, or on a Ray cluster. What is played is the same everywhere."""
from __future__ import annotations

from importlib.util import find_spec
from typing import Literal, Protocol, get_args

from seatmate.ai.arena.plans import TournamentError
from seatmate.ai.arena.pool import Batches, play_deals
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.engine.core.errors import unlisted

BackendName = Literal["local", "ray"]
BACKENDS: tuple[BackendName, ...] = get_args(BackendName)


class Backend(Protocol):
    """Where deals are played."""

    def __call__(self, spec: TournamentSpec, deals: range, workers: int | None, forecasts: bool = False, /) -> Batches:
        """The deals in order, in batches of one or more as they are finished.

        workers: None for as many as are there · forecasts: keep what searches expected, too. What is played depends on the spec
        and the deals alone. It blocks while it waits; closing it early ends the workers at once. It raises WorkerError, and what a
        worker raises.
        """
        ...


def backend_of(name: BackendName) -> Backend:
    """The backend of this name. Raises TournamentError where there is none, or where what it needs is not installed."""
    if name not in BACKENDS:
        raise TournamentError(f"backend {unlisted(name, BACKENDS)}")
    if name == "local":
        return play_deals
    if find_spec("ray") is None:
        raise TournamentError("the backend ray needs the extra 'ray': pip install 'seatmate[ray]'")
    from seatmate.ai.arena.on_ray import play_on_ray

    return play_on_ray
