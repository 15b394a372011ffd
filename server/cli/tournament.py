"""`seatmate tournament`: bots against each other on the same deals."""
from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from seatmate.engine.core.registry import game_spec
from seatmate.server.cli.arguments import (
    GameId,
    Json,
    ModeKey,
    NoColor,
    Options,
    Pack,
    Seats,
    Seed,
    choose_seed,
    example,
    parse_options,
)
from seatmate.server.cli.console import out, plain, print_json, progress, say

if TYPE_CHECKING:
    from seatmate.ai.arena import TournamentResult


def tournament(
    game: GameId,
    bots: Annotated[str, typer.Option("--bots", metavar="A,B,...", show_default=False, help=(
        "The bots, separated by commas: random, heuristic, search:iterations=1000, search:time_ms=100. "
        "search:iterations=100,time_ms=50 is one bot: what reads name=value belongs to the bot before it."))],
    seats: Seats = None,
    deals: Annotated[int, typer.Option("--deals", min=2, metavar="N",
                                       help="Deals; every bot plays each of them.")] = 100,
    seed: Seed = None,
    mode: ModeKey = None,
    option: Options = None,
    pack: Pack = None,
    workers: Annotated[int | None, typer.Option("--workers", min=1, metavar="N", show_default=False,
                                                help="Worker processes. Default: one per core.")] = None,
    json: Json = False,
    no_color: NoColor = False,
) -> None:
    """Let bots play the same deals and compare them, with honest error bars."""
    from seatmate.ai.arena import run_tournament
    from seatmate.ai.bots import parse_bots

    seed = choose_seed(seed)
    title = game_spec(game).title
    with progress(f"{title}, games") as done:
        result = run_tournament(game, seats=seats, bots=parse_bots(bots), deals=deals, seed=seed, mode=mode,
                                options=parse_options(option), pack=pack, workers=workers, progress=done)
    if json:
        print_json(result.to_json())
    else:
        _show(result, title)


def _show(result: TournamentResult, title: str) -> None:
    say(f"[bold]{plain(title)}[/bold], {result.seats} seats, {result.deals:,} deals, {result.games:,} games, "
        f"seed {result.seed}")
    standings = Table(box=None, pad_edge=False, header_style="dim")
    standings.add_column("Bot")
    for heading in ("Mean utility", "± 95 %", "Wins", "Games"):
        standings.add_column(heading, justify="right")
    for row in result.standings:
        standings.add_row(f"[cyan]{plain(row.bot)}[/cyan]", f"{row.mean_utility:.4f}", f"{row.ci95:.4f}",
                          f"{row.win_rate:.1%}", f"{row.games:,}")
    out().print(standings)
    say()
    for pair in result.pairs:
        low, high = pair.mean - pair.ci95, pair.mean + pair.ci95
        verdict = "clearly better" if low > 0 else "clearly worse" if high < 0 else "no clear difference"
        say(f"{plain(pair.a)} - {plain(pair.b)}: [bold]{pair.mean:+.4f}[/bold] "
            f"(95 % interval {low:+.4f} .. {high:+.4f}, paired on {pair.deals:,} deals): {verdict}")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=example("seatmate tournament kuhn --bots random,heuristic --deals 200 --seed 1"))(tournament)
