"""Who has the processor first: calls, then hints, then the bots of tables, then tournaments.

Calls have what the server was started with; all else that computes puts itself behind them, and has what is left. Linux has a
priority for each thread. Where all want a processor

calls         leave hints three and a half percent
hints         leave a bot two fifths of what they take: nice 15 against 19
bots          leave a tournament a fifth of what they take: nice 19 against SCHED_IDLE, which gives way to all others at once

Threads of the server are not of that class: one that holds the interpreter's lock would let calls wait while another program has
the processor.

Elsewhere a thread has the priority of its process: hints and bots have that of calls, and tournaments nice 19. Where the system
refuses, priorities stay as they are.
"""
from __future__ import annotations

import contextlib
import os
import sys
import threading
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Priority:
    """nice: 0 to 19, the lowest · is_idle: behind all that is not idle, where there is such a class (Linux)."""

    nice: int
    is_idle: bool = False


HINTS = Priority(15)
BOTS = Priority(19)
TOURNAMENTS = Priority(19, is_idle=True)


def lower_thread(priority: Priority) -> None:
    """Put this thread there, and those it starts."""
    if sys.platform == "linux":     # elsewhere it would be the whole process
        _lower(threading.get_native_id(), priority)


def lower_process(priority: Priority) -> None:
    """Put this process there, with all threads it has (those of numpy, which the import has started), and those it starts."""
    if sys.platform == "linux":
        for thread in os.listdir("/proc/self/task"):
            _lower(int(thread), priority)
    elif hasattr(os, "setpriority"):
        _lower(os.getpid(), priority)


def _lower(number: int, priority: Priority) -> None:
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, number, priority.nice)
    if priority.is_idle and hasattr(os, "SCHED_IDLE"):
        with contextlib.suppress(OSError):
            os.sched_setscheduler(number, os.SCHED_IDLE, os.sched_param(0))
