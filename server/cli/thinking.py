"""Running a bot or a search so that Ctrl-C is answered at once and a person sees that somebody thinks."""
from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, TypeVar

from seatmate.server.cli.console import err

if TYPE_CHECKING:
    from seatmate.ai.search import StopFlag

T = TypeVar("T")

SPINNER_AFTER_S = 0.3
"""Quick answers get no spinner."""

LOOK_S = 0.2
"""How often the waiting thread looks for Ctrl-C: a signal that the system gives to another thread wakes nobody."""


def think(work: Callable[[StopFlag], T], what: str) -> T:
    """Run `work` in a thread and wait for its answer; on Ctrl-C its flag is set, so that the search stops.

    A spinner with the text `what` appears on stderr when that is a terminal and the work takes longer than a moment.
    Raises what `work` raises.
    """
    from seatmate.ai.search import StopFlag

    stop = StopFlag()
    answers: list[T] = []
    errors: list[BaseException] = []
    done = threading.Event()        # and not a join, which after Ctrl-C may return too early

    def body() -> None:
        try:
            answers.append(work(stop))
        except BaseException as error:
            errors.append(error)
        finally:
            done.set()

    threading.Thread(target=body, name="thinking", daemon=True).start()
    try:
        if not done.wait(SPINNER_AFTER_S):
            with err().status(what) if err().is_terminal else nullcontext():
                while not done.wait(LOOK_S):
                    pass
    except KeyboardInterrupt:
        stop.set()
        done.wait()
        raise
    if errors:
        raise errors[0]
    return answers[0]
