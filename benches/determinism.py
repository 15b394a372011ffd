"""The same seed and iteration budget give the same analysis: every repeat, every process, every game, bit for bit.

Each repeat is a search from nothing. Repeats are shared out among processes with different hash seeds, each of which deals
its positions itself. Everything an analysis says counts, to the last bit of every number, except the time it took.
"""
from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from rich.progress import track
from rich.table import Table

import command_line
import machine
from seatmate.ai.search import Analysis, Limits, Search
from seatmate.engine.core.game import State
from seatmate.engine.core.playout import play_randomly
from seatmate.engine.core.registry import game_spec, list_games, new_game


@dataclass(frozen=True)
class Task:
    """Repeats of one search, at most `depth` random decisions after a deal (fewer where games tend to be over by then)."""

    game_id: str
    seats: int
    seed: int
    depth: int
    iterations: int
    repeats: int


def digest(analysis: Analysis) -> str:
    """A hash of everything the analysis says but the time."""
    plain: dict[str, Any] = analysis.to_json()
    del plain["elapsed_s"]
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def position(task: Task) -> tuple[State, int]:
    """A state and a seat in it that has a choice."""
    game, depth = new_game(task.game_id, seats=task.seats), task.depth
    for seed in range(task.seed, task.seed + 1000):
        state = game.new_state(seed, record_events=False)
        play_randomly(state, depth, seed)
        for seat in state.pending:
            if len(state.legal_actions(seat)) > 1:
                return state, seat
        depth = depth * 3 // 4
    raise ValueError(f"{task.game_id} offers no choice")


def digests(task: Task) -> set[str]:
    """What the repeats found: one digest when all is well."""
    state, seat = position(task)
    return {digest(Search(state, seat, seed=task.seed).run(Limits(iterations=task.iterations))) for _ in range(task.repeats)}


def tasks(game_ids: Sequence[str], repeats: int, iterations: int, seed: int = 1) -> Iterator[Task]:
    """For each game the opening with the most seats and a later position with the fewest."""
    for game_id in game_ids:
        spec = game_spec(game_id)
        counts = spec.modes[0].seats
        yield Task(game_id, counts[-1], seed, 0, iterations, repeats)
        yield Task(game_id, counts[0], seed + 1, max(1, min(spec.max_decisions // 4, 30)), iterations, repeats)


def start_pool(processes: int) -> ProcessPoolExecutor:
    """Fresh processes; Python's own hashes differ from each to each."""
    os.environ.pop("PYTHONHASHSEED", None)
    return ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = command_line.command(__doc__ or "", [
        "python benches/determinism.py --repeats 1000",
        "python benches/determinism.py --games hyde goofspiel --repeats 50 --iterations 2000"])
    games = [spec.id for spec in list_games()]
    parser.add_argument("--games", nargs="+", choices=games, default=games, metavar="GAME")
    parser.add_argument("--repeats", type=command_line.whole(1), default=1000, metavar="N",
                        help="searches per position (default 1000)")
    parser.add_argument("--iterations", type=command_line.whole(1, 10**12), default=200, metavar="N",
                        help="simulations per search (default 200)")
    parser.add_argument("--processes", type=command_line.processes, default=2, metavar="N",
                        help="that share the repeats (default 2)")
    options = parser.parse_args(arguments)
    where, console = machine.facts(), machine.console(options.json)
    share = -(-options.repeats // options.processes)
    table = Table(title=f"{share * options.processes:,} searches of {options.iterations:,} simulations per position, "
                        f"in {options.processes} processes", caption=machine.sentence(where))
    for column in ("game", "seats", "decisions before", "different analyses", "seconds"):
        table.add_column(column, justify="left" if column == "game" else "right")
    rows = []
    with start_pool(options.processes) as pool:
        for task in track(list(tasks(options.games, share, options.iterations)), "searching", console=console, transient=True):
            started = time.perf_counter()
            found = set().union(*pool.map(digests, [task] * options.processes))
            before = len(position(task)[0].actions)
            rows.append({"game": task.game_id, "seats": task.seats, "decisions": before, "different": len(found),
                         "digest": min(found), "repeats": share * options.processes})
            table.add_row(task.game_id, str(task.seats), str(before), str(len(found)), f"{time.perf_counter() - started:.1f}")
    console.print(table)
    machine.write_json(options.json, {"machine": where, "iterations": options.iterations, "rows": rows})
    return 0 if all(row["different"] == 1 for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
