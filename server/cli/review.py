"""`seatmate review`: where was it lost?"""
from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from seatmate.engine.core.spec import counted
from seatmate.server.cli.arguments import Json, NoColor, Seed, between, choose_seed, example, read_text
from seatmate.server.cli.console import interruptible, plain, print_json, say
from seatmate.server.cli.positions import read_history
from seatmate.server.cli.thinking import think

if TYPE_CHECKING:
    from seatmate.ai.search.review import Judged

DEFAULT_TIME_MS = 100.0


def review(
    source: Annotated[str, typer.Argument(metavar="FILE",
                                          help="A game record or a position, as JSON; - reads stdin.")] = "-",
    seat: Annotated[int | None, typer.Option("--seat", metavar="N", show_default=False,
                                             help="The seat whose decisions are looked back on. Default: 0.")] = None,
    iterations: Annotated[int | None, typer.Option("--iterations", min=1, max=10**15, metavar="N", show_default=False,
                                                   help="Search each decision with so many iterations.")] = None,
    time_ms: Annotated[float | None, typer.Option("--time-ms", callback=between(1, 1e9), metavar="MS", show_default=False, help=(
        f"Search each decision for so many milliseconds. Default: {DEFAULT_TIME_MS:.0f}."))] = None,
    top: Annotated[int, typer.Option("--top", min=1, metavar="N", help="How many mistakes to print.")] = 5,
    seed: Seed = None,
    json: Json = False,
    no_color: NoColor = False,
) -> None:
    """Look back on a seat's decisions: what they were worth, and the largest mistakes.

    FILE is as for `seatmate hint`. Each decision is judged by what the seat knew then. Where the answer seems worse than the best
    one, the two are searched once more alone. --json tells all decisions.
    """
    from seatmate.ai.search import Limits
    from seatmate.ai.search.review import largest_mistakes
    from seatmate.ai.search.review import review as look_back

    if source == "-" and sys.stdin.isatty():
        raise typer.BadParameter("give a FILE, or pipe a record or a position into the command")
    game, whose, events = read_history(read_text(source), seat=seat)
    limits = Limits(iterations=iterations, time_ms=DEFAULT_TIME_MS if iterations is None and time_ms is None else time_ms)
    chosen = choose_seed(seed)
    with interruptible(f"--time-ms or --iterations ask for a quicker one. The same again: --seed {chosen}"):
        judged = think(lambda stop: list(look_back(game, whose, events, seed=chosen, limits=limits, stop=stop)), "Looking back ...")
    if json:
        print_json({"game": game.spec.id, "seat": whose, "seed": chosen, "decisions": [
            {"number": one.decision.number, "at_sequence": one.decision.sequence, "played": asdict(one.played),
             "best": asdict(one.best), "loss": one.loss, "loss_standard_error": one.standard_error, "loss_text": one.loss_text,
             "mistake": one.is_mistake, "compared": one.compared} for one in judged]})
        return
    worst = largest_mistakes(judged, top)
    mistakes = sum(one.is_mistake for one in judged)
    say(f"[bold]{plain(game.spec.title)}[/bold], seat {whose}: {counted(len(judged), 'decision')} with a choice, "
        f"{counted(mistakes, 'mistake') if mistakes else 'no mistake'}")
    for one in worst:
        _show(one)
    say(f"[dim]seed {chosen}[/dim]")


def _show(one: Judged) -> None:
    unit = one.analysis.unit
    say(f"decision {one.decision.number}: [bold]{plain(one.played.label)}[/bold], {plain(one.played.value_text(unit))} "
        f"[yellow]({plain(one.loss_text)})[/yellow]")
    say(f"  better: [bold]{plain(one.best.label)}[/bold], {plain(one.best.value_text(unit))}")
    for reason in one.best.why:
        say(f"  [{'green' if reason.favourable else 'yellow'}]{'+' if reason.favourable else '-'} {plain(reason.text)}[/]")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=example("seatmate review game.json --seat 1 --iterations 500 --seed 1"))(review)
