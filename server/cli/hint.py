"""`seatmate hint`: what would be good here, and why?"""
from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from seatmate.engine.core.errors import nearest
from seatmate.server.cli import advice
from seatmate.server.cli.arguments import Json, NoColor, Seed, between, choose_seed, example, read_text
from seatmate.server.cli.console import interruptible, plain, print_json, say
from seatmate.server.cli.positions import SeatPosition, read_position
from seatmate.server.cli.thinking import think


def hint(
    source: Annotated[str, typer.Argument(metavar="FILE",
                                          help="A game record or a position, as JSON; - reads stdin.")] = "-",
    seat: Annotated[int | None, typer.Option("--seat", metavar="N", show_default=False,
                                             help="The seat to advise. Default: the one to move.")] = None,
    iterations: Annotated[int | None, typer.Option("--iterations", min=1, max=10**15, metavar="N", show_default=False,
                                                   help="Stop after so many iterations of the search.")] = None,
    time_ms: Annotated[float | None, typer.Option("--time-ms", callback=between(1, 1e9), metavar="MS", show_default=False, help=(
        "Stop after so many milliseconds; with --iterations, whichever comes first. "
        f"Default: {advice.DEFAULT_TIME_MS:.0f}."))] = None,
    top: Annotated[int | None, typer.Option("--top", min=1, metavar="N", show_default=False, help=(
        f"How many suggestions to print. Default: {advice.TOP}; with --json all."))] = None,
    at: Annotated[int | None, typer.Option("--at", min=0, metavar="N", show_default=False,
                                           help="Look at the record after its first N actions.")] = None,
    only: Annotated[list[str] | None, typer.Option("--only", metavar="ANSWER", show_default=False, help=(
        "Look at this answer alone, by its id (as --json shows it) or in its words. May be given several times."))] = None,
    except_: Annotated[list[str] | None, typer.Option("--except", metavar="ANSWER", show_default=False, help=(
        "Look at all answers but this one. May be given several times."))] = None,
    seed: Seed = None,
    json: Json = False,
    no_color: NoColor = False,
) -> None:
    """Rank the possible actions of a position, with reasons.

    FILE is a game record (as written by `play --record`) or a position (a seatmate.v1.Position as JSON: the settings and
    the events one seat has seen). Either way the advice uses only what that seat may know.
    """
    from seatmate.ai.search import Search

    if source == "-" and sys.stdin.isatty():
        raise typer.BadParameter("give a FILE, or pipe a record or a position into the command")
    position = read_position(read_text(source), seat=seat, at=at)
    search = Search(position.state, position.seat, seed=choose_seed(seed), only=_looked_at(position, only or (), except_ or ()))
    budget = advice.limits(iterations, time_ms)
    with interruptible("there is no hint yet; --time-ms or --iterations ask for a quicker one. "
                       f"The same search again: --seed {search.seed}"):
        analysis = think(lambda stop: search.run(budget, stop), "Thinking ...")
    if json:
        result = analysis.to_json()
        print_json({**result, "candidates": result["candidates"][:top]})
        return
    title, question = plain(position.game.spec.title), plain(position.question)
    say(f"[bold]{title}[/bold], seat {position.seat} to move: [bold]{question}[/bold]")
    advice.show(analysis, top=top or advice.TOP)
    say(f"[dim]{analysis.iterations:,} iterations, {analysis.nodes:,} nodes, {analysis.elapsed_s:.2f} s, "
        f"seed {analysis.seed}[/dim]")


def _looked_at(position: SeatPosition, only: Sequence[str], without: Sequence[str]) -> list[int]:
    """The actions to look at, of the answers that the command line names. Raises BadParameter."""
    legal = position.state.legal_actions(position.seat)
    named = {position.state.action_label(position.seat, action).casefold(): action for action in legal}

    def find(answer: str) -> int:
        action = int(answer) if answer.lstrip("-").isdecimal() else named.get(answer.casefold())
        if action not in legal:
            raise typer.BadParameter(f"{answer!r} is no possible answer{nearest(answer.casefold(), named)}")
        return action

    wanted = [find(answer) for answer in only] or legal
    left_out = {find(answer) for answer in without}
    if left_out.issuperset(wanted):
        raise typer.BadParameter("--except leaves no answer to look at")
    return [action for action in wanted if action not in left_out]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=example("seatmate hint game.json --iterations 1000 --seed 1"))(hint)
