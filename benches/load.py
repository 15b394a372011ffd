"""A server under load: people at tables with bots, watchers, and callers of hints who never rest. What each call takes them.

The load is open: every call is sent at its planned time, exponentially spread, whether or not others have been answered, and its
latency counts from the planned time until the client has the answer. p50, p99 and max are of the calls that were answered;
"dropped" are the others, by their status. WatchTable counts until the first message of the stream, SuggestActions and Analyze
until the whole hint is there, their budget included. Clients and server share this machine: "lag" is what the clients' own event
loop was late by, and no part of it is the server's.

--soak watches the memory for long · --actions: how many actions in all a server stores where bots play among themselves and
nobody looks · --writes: how many the storage takes by itself, from tasks that write to a table each without pause.
"""
from __future__ import annotations

import argparse
import contextlib
import random
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import command_line
import load_limits
import load_work
import machine
from load_work import Deal, Plan, Result
from seatmate.engine.core.registry import game_spec, list_games
from server_process import Running, server

AIMS = {"SubmitAction": (10.0, 100.0), "ListLegalActions": (None, 10.0), "Check": (None, 20.0)}
"""p50 and p99, milliseconds."""

ORDER = ("SubmitAction", *load_work.STEADY, "WatchTable", "CreateTable", "ClaimSeat", "SuggestActions", "Analyze")

_QUICK = {"kuhn", "leduc", "tic_tac_toe"}    # games of a few moves are dealt again and again: fewer tables of them
_LEAD_S = 1.0       # from the setting up of the last table to the beginning
_SET_UP_S = 600.0   # until all tables are there, at most


@dataclass(slots=True)
class Watch:
    """The server's process over the time: (seconds since the beginning, MB) and the CPU it used."""

    memory: list[tuple[float, float]] = field(default_factory=list)
    cpu_s: float = 0.0

    def growth_mb_per_minute(self) -> float:
        """The slope of a line through the second half of the samples: tables and caches have filled by then."""
        half = self.memory[len(self.memory) // 2:]
        if len(half) < 2:
            return 0.0
        times, sizes = zip(*half, strict=True)
        return float(60 * np.polyfit(times, sizes, 1)[0])

    def to_json(self, seconds: float) -> dict[str, Any]:
        """Plain values."""
        sizes = [size for _, size in self.memory]
        return {"memory_start_mb": sizes[0], "memory_end_mb": sizes[-1], "memory_max_mb": max(sizes),
                "growth_mb_per_minute": self.growth_mb_per_minute(), "cpu_percent": 100 * self.cpu_s / seconds,
                "memory": self.memory}


def deals(games: Sequence[str], tables: int, watch: float, seed: int) -> list[Deal]:
    """What is played at so many tables: every game by its weight, in every mode and number of seats it has."""
    chance = random.Random(seed)
    weights = [1 if game in _QUICK else 3 for game in games]
    made = list(games[:tables]) + chance.choices(games, weights, k=max(0, tables - len(games)))
    chance.shuffle(made)
    found = []
    for game in made:
        mode = chance.choice(game_spec(game).modes)
        seats = chance.choice(mode.seats)
        found.append(Deal(f"games/{game}", mode.key, seats, chance.randrange(seats), "heuristic", chance.random() < watch))
    return found


@contextlib.contextmanager
def clients(plans: Sequence[Plan]) -> Iterator[list[Connection]]:
    """A process for each plan. What they say comes through the pipes."""
    context = get_context("spawn")      # gRPC does not live through a fork
    pipes, processes = [], []
    for plan in plans:
        ours, theirs = context.Pipe()
        processes.append(context.Process(target=load_work.work, args=(plan, theirs), daemon=True))
        processes[-1].start()
        theirs.close()
        pipes.append(ours)
    try:
        yield pipes
    finally:
        for process in processes:
            process.join(5)
            process.terminate()


def heard(pipe: Connection, seconds: float) -> Any:
    """The next word of a client. Raises its exception; RuntimeError when it says nothing."""
    if not pipe.poll(seconds):
        raise RuntimeError(f"a client has said nothing for {seconds:g} s")
    said = pipe.recv()
    if isinstance(said, Exception):
        raise said
    return said


@dataclass(frozen=True, slots=True)
class Measured:
    """All clients' results joined, each one's own, the server's process, and when it began (microseconds since 1970)."""

    joined: Result
    each: list[Result]
    watch: Watch
    began_us: int


def measure(plans: Sequence[Plan], running: Running | None, sample_s: float, console: Console | None) -> Measured:
    """Run all clients. The memory of a server of ours is sampled, and told to the console."""
    watch, seconds = Watch(), plans[0].seconds
    with clients(plans) as pipes:
        for pipe in pipes:
            heard(pipe, _SET_UP_S)
        begin = time.monotonic() + _LEAD_S
        for pipe in pipes:
            pipe.send(begin)
        time.sleep(_LEAD_S)
        began_us = time.time_ns() // 1000
        if running is not None:
            _sample(watch, running, begin, seconds, sample_s, console)
        results = [heard(pipe, seconds + 3 * load_work.DEADLINE_S) for pipe in pipes]
    return Measured(_joined(results), results, watch, began_us)


def _joined(results: Sequence[Result]) -> Result:
    joined = Result()
    for one in results:
        for rpc, times in one.ms.items():
            joined.ms[rpc] += times
        for rpc, codes in one.errors.items():
            joined.errors[rpc] += codes
        joined.acknowledged += one.acknowledged
        joined.lag_ms += one.lag_ms
        joined.steps_seen += one.steps_seen
        joined.finished += one.finished
        joined.cpu_s += one.cpu_s
    return joined


def _sample(watch: Watch, running: Running, begin: float, seconds: float, every_s: float, console: Console | None) -> None:
    used = running.cpu_s
    while True:
        passed = time.monotonic() - begin
        watch.memory.append((passed, running.memory_mb))
        if console is not None:
            console.print(f"{passed:6.0f} s  {watch.memory[-1][1]:8.1f} MB", highlight=False)
        if passed >= seconds:
            break
        time.sleep(max(0.0, min(every_s, seconds - passed)))
    watch.cpu_s = running.cpu_s - used


def stored(database: Path, since_us: int, until_us: int, acknowledged: Sequence[str]) -> dict[str, int]:
    """What the database holds: actions of that time, those of people among them, and acknowledged ones that are missing."""
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        actions, people = connection.execute("SELECT count(*), count(request_id) FROM actions WHERE written_us BETWEEN ? AND ?",
                                             (since_us, until_us)).fetchone()
        known = {row[0] for row in connection.execute("SELECT request_id FROM actions WHERE request_id IS NOT NULL")}
    return {"actions": actions, "people": people, "bots": actions - people, "lost": len(set(acknowledged) - known)}


def rows(result: Result, seconds: float) -> list[dict[str, Any]]:
    """One row for every kind of call that was made."""
    found = []
    for rpc in ORDER:
        times, errors = result.ms.get(rpc, []), dict(result.errors.get(rpc, Counter()))
        if not times and not errors:
            continue
        p50, p99, most = np.percentile(times, [50, 99, 100]).tolist() if times else (None, None, None)
        calls = len(times) + sum(errors.values())
        found.append({"rpc": rpc, "calls": calls, "per_second": calls / seconds, "p50": p50, "p99": p99, "max": most,
                      "dropped": errors, "met": _met(rpc, p50, p99)})
    return found


def _met(rpc: str, *percentiles: float | None) -> bool | None:
    if rpc not in AIMS:
        return None
    return all(aim is None or (found is not None and found <= aim) for found, aim in zip(percentiles, AIMS[rpc], strict=True))


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}" if value < 1000 else f"{value:,.0f}"


def show(console: Console, title: str, found: list[dict[str, Any]]) -> None:
    """The table that people read."""
    table = Table(title=title)
    for column in ("call", "calls", "calls/s", "p50", "p99", "max", "dropped", "aim"):
        table.add_column(column, justify="left" if column in ("call", "dropped", "aim") else "right")
    for row in found:
        dropped = ", ".join(f"{count:,} {code}" for code, count in sorted(row["dropped"].items()))
        aim = "" if row["met"] is None else "[green]met" if row["met"] else "[red]not met"
        table.add_row(row["rpc"], f"{row['calls']:,}", f"{row['per_second']:.1f}", _number(row["p50"]), _number(row["p99"]),
                      _number(row["max"]), dropped, aim)
    console.print(table)


def loaded(options: argparse.Namespace, console: Console) -> dict[str, Any]:
    """People, bots, watchers and hints: measured, shown, as plain values."""
    made = deals(options.games, options.tables, options.watch, options.seed)
    seconds, count = options.seconds, options.processes
    with contextlib.nullcontext() if options.server else server() as running:
        plans = [Plan(running.address if running else options.server, tuple(made[number::count]), options.think, seconds,
                      len(range(number, options.hints, count)), (min(options.hint_ms), max(options.hint_ms)), options.rate / count,
                      options.seed + number) for number in range(count)]
        measured = measure(plans, running, 10.0 if options.soak else 0.5, console if options.soak else None)
        joined = measured.joined
        kept = None if running is None else stored(running.database, measured.began_us, round(measured.began_us + 1e6 * seconds),
                                                   joined.acknowledged)
    found = rows(joined, seconds)
    result = {"rows": found, "server": measured.watch.to_json(seconds) if running else None, "stored": kept,
              "acknowledged": len(joined.acknowledged), "steps_seen": joined.steps_seen, "finished": joined.finished,
              "clients": [{"lag_p99_ms": float(np.percentile(one.lag_ms, 99)), "cpu_percent": 100 * one.cpu_s / seconds}
                          for one in measured.each]}
    show(console, f"Milliseconds: {options.tables} tables, {options.think:g} s to think, {options.hints} callers of hints, "
                  f"{seconds:g} s", found)
    for line in sentences(result, seconds):
        console.print(line, highlight=False)
    return result


def sentences(result: dict[str, Any], seconds: float) -> Iterator[str]:
    """What stands below the table."""
    kept, process = result["stored"], result["server"]
    if kept is not None:
        yield (f"stored: {kept['actions'] / seconds:,.1f} actions/s in all, {kept['bots'] / seconds:,.1f} of them by bots; of "
               f"{result['acknowledged']:,} that were acknowledged {kept['lost']} are lost")
        yield (f"server: {process['cpu_percent']:.0f} % CPU, memory {process['memory_start_mb']:.0f} MB at the beginning, "
               f"{process['memory_end_mb']:.0f} at the end, {process['memory_max_mb']:.0f} at most; "
               f"{process['growth_mb_per_minute']:+.1f} MB a minute in the second half")
    yield f"tables: {result['finished']:,} games ended, {result['steps_seen'] / seconds:,.1f} messages/s on streams"
    yield "clients: lag p99 " + ", ".join(f"{one['lag_p99_ms']:.1f} ms at {one['cpu_percent']:.0f} % CPU"
                                          for one in result["clients"])


def main(arguments: Sequence[str] | None = None) -> int:
    games = [spec.id for spec in list_games()]
    parser = command_line.command(__doc__ or "", [
        "python benches/load.py", "python benches/load.py --tables 300 --hints 0 --seconds 20 --check",
        "python benches/load.py --soak --json soak.json", "python benches/load.py --server 127.0.0.1:50051 --tables 50",
        "python benches/load.py --actions --games connect_four", "python benches/load.py --writes --tables 100"])
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--soak", action="store_true", help="for 600 s unless --seconds says otherwise; memory every 10 s")
    mode.add_argument("--actions", action="store_true", help="tables of bots alone: stored actions in all")
    mode.add_argument("--writes", action="store_true", help="the storage alone")
    parser.add_argument("--server", metavar="ADDRESS", help="one that runs already (default: one of its own, with a new database)")
    parser.add_argument("--games", nargs="+", choices=games, metavar="GAME", help="default: all; with --actions goofspiel")
    parser.add_argument("--tables", type=command_line.whole(1, 100_000), default=500, metavar="N", help="at any time (default 500)")
    parser.add_argument("--seconds", type=command_line.above_zero(86_400), metavar="S", help="measured (default 30)")
    parser.add_argument("--think", type=command_line.above_zero(3_600), default=5.0, metavar="S",
                        help="mean time from a question to a person's answer (default 5)")
    parser.add_argument("--watch", type=command_line.share, default=0.2, metavar="SHARE",
                        help="of tables with a spectator (default 0.2)")
    parser.add_argument("--hints", type=command_line.whole(0, 10_000), default=20, metavar="N",
                        help="callers that ask for hint after hint (default 20)")
    parser.add_argument("--hint-ms", type=command_line.whole(1, 60_000), nargs=2, default=[100, 300], metavar="MS",
                        help="least and most time of a hint (default 100 300)")
    parser.add_argument("--rate", type=command_line.above_zero(10_000), default=1.0, metavar="X",
                        help="of the steady calls: " + ", ".join(f"{rate:g} {rpc}" for rpc, rate in load_work.STEADY.items())
                        + " a second, times this")
    parser.add_argument("--bot", type=command_line.bot, default="random", help="of --actions (default random)")
    parser.add_argument("--processes", type=command_line.processes, default=2, metavar="N", help="of clients (default 2)")
    parser.add_argument("--seed", type=command_line.seed, default=1, metavar="N", help="of the clients' choices (default 1)")
    parser.add_argument("--check", action="store_true", help="exit with 1 when an aim is missed")
    options = parser.parse_args(arguments)
    if options.server and (options.actions or options.writes):
        parser.error("--actions and --writes count in a database of their own; they take no --server")
    options.games = options.games or (["goofspiel"] if options.actions else games)
    options.seconds = options.seconds or (600.0 if options.soak else 30.0)
    options.processes = min(options.processes, options.tables)
    where, console = machine.facts(), machine.console(options.json)
    result = (load_limits.actions if options.actions else load_limits.writes if options.writes else loaded)(options, console)
    where["load_average_after"] = machine.facts()["load_average"]
    console.print(machine.sentence(where), highlight=False)
    chosen = {name: value for name, value in vars(options).items() if name != "json"}
    machine.write_json(options.json, {"machine": where, "options": chosen, **result})
    met = all(row["met"] is not False for row in result["rows"]) and not (result.get("stored") or {}).get("lost")
    return 1 if options.check and not met else 0


if __name__ == "__main__":
    sys.exit(main())
