"""Seatmate beside OpenSpiel's C++, on the same machine in the same run.

Ours and theirs take turns in short slices, so that whatever else the machine does meets both; each round gives one ratio, and
the medians over the rounds are quoted. Work of one thread runs on one core (the process is pinned to it) and is timed by the
processor time of the process, which other programs on that core do not count into; work of two threads runs on all cores by
wall time, one search of about 0.1 s a round in many rounds, and needs an otherwise idle machine. What that machine can give at
best is measured beside it: the same work in two processes, which share nothing.

What exactly is measured, and why that is the fastest way into their C++: see the top of benches/peers_work.py.
"""
from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any

from rich import box
from rich.progress import track
from rich.table import Table

import command_line
import machine
from peers_work import WORKS, Run, Work

WARM_UP = 0.2       # part of a slice that is run before the first round
THREADS_SLICE_S = 0.1       # two cores are seldom both undisturbed for longer


@dataclass(frozen=True)
class Result:
    """Rates per second, round by round: ours[i] and theirs[i] were measured right after each other."""

    work: Work
    ours: list[float]
    theirs: list[float]

    @property
    def ratios(self) -> list[float]:
        return [mine / other for mine, other in zip(self.ours, self.theirs, strict=True)]

    @property
    def ratio(self) -> float:
        return statistics.median(self.ratios)

    @property
    def met(self) -> bool:
        return self.work.bar is None or self.ratio >= self.work.bar

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"name": self.work.name, "work": self.work.group, "game": self.work.game, "bar": self.work.bar,
                "sides": list(self.work.sides), "ratio": self.ratio, "met": self.met,
                "medians": [statistics.median(self.ours), statistics.median(self.theirs)],
                "rates": [self.ours, self.theirs], "ratios": self.ratios}


@contextmanager
def pinned(cores: set[int]) -> Iterator[None]:
    """Run on these cores only."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def rate(run: Run, amount: int, clock: Callable[[], float]) -> float:
    """Done per second."""
    started = clock()
    done = run(amount)
    return done / max(clock() - started, 1e-9)


def amount_for(run: Run, seconds: float, clock: Callable[[], float]) -> int:
    """The amount that takes about so long; also the warm-up."""
    amount = 1
    while True:
        started = clock()
        run(amount)
        taken = clock() - started
        if taken >= WARM_UP * seconds:
            return max(1, round(amount * seconds / taken))
        amount = amount * 4 if taken < 0.01 * seconds else max(amount + 1, round(amount * 1.5 * WARM_UP * seconds / taken))


def measure(work: Work, rounds: int, seconds: float) -> Result:
    """Let the two sides take turns; who begins changes with every round."""
    clock = time.process_time
    if work.threads > 1:
        clock = time.perf_counter
        rounds, seconds = round(rounds * seconds / THREADS_SLICE_S), THREADS_SLICE_S
    work.check()
    amounts = [amount_for(run, seconds, clock) for run in (work.ours, work.theirs)]
    rates: list[list[float]] = [[], []]
    for turn in range(rounds):
        for side in (0, 1) if turn % 2 == 0 else (1, 0):
            rates[side].append(rate((work.ours, work.theirs)[side], amounts[side], clock))
    return Result(work, rates[0], rates[1])


def short(number: float) -> str:
    """1,234,567 as 1.23 M, 12,345 as 12.3 k."""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.3g} {unit}"
    return f"{number:.3g}"


def table_of(results: Sequence[Result], caption: str) -> Table:
    """For people."""
    table = Table(title="Seatmate beside OpenSpiel (medians)", caption=caption, caption_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("work", no_wrap=True)
    for column in ("ours", "theirs", "ratio", "(rounds)", "bar"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("")
    for result in results:
        table.add_row(f"{result.work.group}, {result.work.game}", short(statistics.median(result.ours)),
                      short(statistics.median(result.theirs)), f"{result.ratio:.2f}",
                      f"{min(result.ratios):.2f}-{max(result.ratios):.2f}",
                      *(("-", "") if result.work.bar is None else
                        (f"{result.work.bar:g}", "[green]met" if result.met else "[red]not met")))
    return table


def main(arguments: Sequence[str] | None = None) -> int:
    parser = command_line.command(__doc__ or "", [
        "python benches/peers.py",
        "python benches/peers.py --quick --only 'playouts-*' --only ismcts-leduc",
        "python benches/peers.py --json peers.json --check"])
    parser.add_argument("--quick", action="store_true", help="3 rounds of 0.1 s instead of 9 of 0.5 s: noisy")
    parser.add_argument("--only", action="append", metavar="NAME", help="only this work (several: repeat; * matches anything)")
    parser.add_argument("--core", type=command_line.whole(0), metavar="N",
                        help="the core for work of one thread (default: the last one we may use)")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a bar is missed, or nothing could be measured")
    parser.add_argument("--list", action="store_true", help="name what can be measured, and stop")
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(WORKS))
        return 0
    patterns = options.only or ["*"]
    unknown = [pattern for pattern in patterns if not any(fnmatch(name, pattern) for name in WORKS)]
    if unknown:
        parser.error(f"nothing is called {' or '.join(unknown)}; there are {', '.join(WORKS)}")
    names = [name for name in WORKS if any(fnmatch(name, pattern) for pattern in patterns)]
    usable = os.sched_getaffinity(0)
    core = max(usable) if options.core is None else options.core
    if core not in usable:
        parser.error(f"this process may not use core {core}; it may use {sorted(usable)}")
    rounds, seconds = (3, 0.1) if options.quick else (9, 0.5)
    console = machine.console(options.json)
    where = machine.facts()
    results = []
    for name in track(names, "measuring", console=console, transient=True):
        work = WORKS[name]()
        if work.threads > len(usable):
            console.print(f"{name}: needs {work.threads} cores, there is {len(usable)}: left out")
            continue
        with pinned({core} if work.threads == 1 else usable):
            results.append(measure(work, rounds, seconds))
    console.print(table_of(results, f"{machine.sentence(where)}; {rounds} rounds of {seconds:g} s a side"))
    machine.write_json(options.json, {
        "machine": {**where, "core": core, "load_average_after": [round(load, 2) for load in os.getloadavg()]},
        "rounds": rounds, "seconds": seconds, "results": [result.to_json() for result in results]})
    return 1 if options.check and not (results and all(result.met for result in results)) else 0


if __name__ == "__main__":
    sys.exit(main())
