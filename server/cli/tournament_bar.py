"""The progress bar of a tournament: games, speed, time left, and what the result looks like so far."""
from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from seatmate.server.cli.console import PROGRESS_AFTER_S, err, plain

if TYPE_CHECKING:
    from seatmate.ai.arena import Progress as TournamentProgress


class _TwoLines(Progress):
    """The result so far has a line of its own, so that 80 columns don't cut it."""

    def get_renderables(self) -> Iterable[RenderableType]:
        """The bar, and below it the state of each task."""
        yield self.make_tasks_table(self.tasks)
        for task in self.tasks:
            yield Text.from_markup(f"  {task.fields['state']}", overflow="fold")


@contextmanager
def tournament_bar(title: str) -> Iterator[Callable[[TournamentProgress], None]]:
    """Show how a tournament goes. The block gets the function that `run_tournament` calls.

    The bar is drawn on stderr, only on a terminal and only once the work has taken more than a second. What bots of files print
    meanwhile goes to stderr, too: stdout is for results.
    """
    bar = _TwoLines(
        TextColumn("{task.description}"), BarColumn(bar_width=16), MofNCompleteColumn(), TextColumn("games"),
        TextColumn("{task.fields[speed]}"), TimeRemainingColumn(compact=True),
        console=err(), transient=True, disable=not err().is_terminal)
    task = bar.add_task(plain(title), total=None, speed="", state="")
    began = time.monotonic()
    running = False

    def show(now: TournamentProgress) -> None:
        nonlocal running
        seconds = time.monotonic() - began
        if not running and seconds > PROGRESS_AFTER_S:
            bar.start()
            running = True
        speed = (now.games - now.games_resumed) / max(seconds, 1e-9)
        bar.update(task, completed=now.games, total=now.games_total, speed=f"{speed:,.0f}/s" if speed >= 10 else f"{speed:.2g}/s",
                   state=plain(state_text(now)))

    try:
        with redirect_stdout(sys.stderr):
            yield show
    finally:
        if running:
            bar.stop()


def state_text(now: TournamentProgress) -> str:
    """`heuristic - random +0.412 ± 0.031, LLR 1.20 (-2.94, 2.94)`."""
    text = f"{now.a} {now.mean:.3f}" if now.b is None else f"{now.a} - {now.b} {now.mean:+.3f}"
    if now.ci95 is not None:
        text += f" ± {now.ci95:.3f}"
    if now.llr is not None and now.llr_bounds is not None:
        text += f", LLR {now.llr:.2f} ({now.llr_bounds[0]:.2f}, {now.llr_bounds[1]:.2f})"
    return text
