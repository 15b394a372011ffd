"""How punctual is the search? Overshoot of a time budget, and the time from a stop flag to the return.

overshoot: wall time from the making of the Search to the end of `simulate`, minus the budget · answer: the same to the end of
`analysis`, which puts the candidates into words · cancel: from StopFlag.set() in another thread to the return of
`simulate`, after a random part of the budget. The aims, on an idle machine: overshoot at most 5 ms at the 99th percentile,
cancel always within 5 ms.
"""
from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rich.progress import track
from rich.table import Table

import command_line
import machine
from seatmate.ai.search import Limits, Search, StopFlag
from seatmate.engine.core.game import State
from seatmate.engine.core.playout import play_randomly
from seatmate.engine.core.registry import game_spec, list_games, new_game

AIM_MS = 5.0


@dataclass
class Delays:
    """Milliseconds, one per search."""

    game_id: str
    seats: int
    overshoot: list[float] = field(default_factory=list)
    answer: list[float] = field(default_factory=list)
    cancel: list[float] = field(default_factory=list)

    @property
    def met(self) -> bool:
        return bool(np.percentile(self.overshoot, 99) <= AIM_MS and max(self.cancel) <= AIM_MS)

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"game": self.game_id, "seats": self.seats, "met": self.met, **{
            name: {"p50": float(np.percentile(delays, 50)), "p99": float(np.percentile(delays, 99)), "max": max(delays),
                   "samples": len(delays)}
            for name, delays in (("overshoot", self.overshoot), ("answer", self.answer), ("cancel", self.cancel))}}


def positions(game_id: str, seats: int, count: int) -> list[tuple[State, int]]:
    """Undecided positions of random games, openings among them, with a seat that has a choice."""
    found: list[tuple[State, int]] = []
    most = game_spec(game_id).max_decisions
    for seed in range(1, 100 * count):
        state = new_game(game_id, seats=seats).new_state(seed, record_events=False)
        play_randomly(state, random.Random(seed).randrange(min(most, 60)) if seed % 2 else 0, seed)
        found += [(state, seat) for seat in state.pending[:1] if len(state.legal_actions(seat)) > 1]
        if len(found) == count:
            return found
    raise ValueError(f"{game_id} offers too few positions")


def overshoot(state: State, seat: int, seed: int, budget_ms: float) -> tuple[float, float]:
    """(overshoot, answer) of one search in milliseconds."""
    started = time.perf_counter()
    search = Search(state, seat, seed=seed)
    search.simulate(Limits(time_ms=budget_ms))
    ended = time.perf_counter()
    search.analysis()
    return 1000 * (ended - started) - budget_ms, 1000 * (time.perf_counter() - started) - budget_ms


def cancel(state: State, seat: int, seed: int, after_ms: float) -> float:
    """Milliseconds from the flag to the return."""
    stop, ended = StopFlag(), []
    search = Search(state, seat, seed=seed)

    def work() -> None:
        search.simulate(Limits(time_ms=60_000), stop)
        ended.append(time.perf_counter())

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(after_ms / 1000)
    started = time.perf_counter()
    stop.set()
    thread.join()
    return 1000 * (ended[0] - started)


def measure(game_id: str, seats: int, searches: int, budget_ms: float) -> Delays:
    """All three delays of so many searches each, from many positions."""
    delays = Delays(game_id, seats)
    chance = random.Random(1)
    for seed, (state, seat) in enumerate(positions(game_id, seats, searches)):
        late, answered = overshoot(state, seat, seed, budget_ms)
        delays.overshoot.append(late)
        delays.answer.append(answered)
        delays.cancel.append(cancel(state, seat, seed, budget_ms * chance.random()))
    return delays


def main(arguments: Sequence[str] | None = None) -> int:
    games = [spec.id for spec in list_games()]
    parser = command_line.command(__doc__ or "", [
        "python benches/responsiveness.py",
        "python benches/responsiveness.py --games hyde kuhn --searches 500 --budget-ms 100 --check"])
    parser.add_argument("--games", nargs="+", choices=games, metavar="GAME", default=games)
    parser.add_argument("--searches", type=command_line.whole(1), default=200, metavar="N", help="per game (default 200)")
    parser.add_argument("--budget-ms", type=command_line.above_zero(60_000), default=100.0, metavar="MS")
    parser.add_argument("--check", action="store_true", help="exit with 1 when an aim is missed")
    options = parser.parse_args(arguments)
    where, console = machine.facts(), machine.console(options.json)
    table = Table(title=f"Milliseconds beyond a budget of {options.budget_ms:g} ms, and to stop: p50 / p99 / max of "
                        f"{options.searches} searches", caption=machine.sentence(where))
    for column in ("game", "seats", "overshoot", "answer", "cancel", ""):
        table.add_column(column, justify="right" if column not in ("game", "") else "left")
    rows = []
    for game_id in track(options.games, "searching", console=console, transient=True):
        delays = measure(game_id, game_spec(game_id).modes[0].seats[-1], options.searches, options.budget_ms)
        rows.append(delays.to_json())
        table.add_row(game_id, str(delays.seats), *[
            f"{rows[-1][name]['p50']:.2f} / {rows[-1][name]['p99']:.2f} / {rows[-1][name]['max']:.2f}"
            for name in ("overshoot", "answer", "cancel")], "[green]met" if delays.met else "[red]not met")
    console.print(table)
    machine.write_json(options.json, {"machine": where, "budget_ms": options.budget_ms, "rows": rows})
    return 1 if options.check and not all(row["met"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
