"""`seatmate demo`: a whole game over gRPC, to watch."""
from __future__ import annotations

import asyncio
import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from seatmate.server.cli import bench
from seatmate.server.cli.arguments import (
    ModeKey,
    NoColor,
    Options,
    Seed,
    between,
    check_seat,
    choose_seed,
    example,
    make_game,
)
from seatmate.server.cli.console import interruptible
from seatmate.server.cli.transcript import facts, heading

if TYPE_CHECKING:
    from seatmate.engine.core.game import Game

BOTS = "heuristic,search:iterations=200,search:time_ms=50"
FAVOURITES = ("hyde", "kuhn")
SEATS = 4
MOST_SEED = 2**64 - 1       # of CreateTable
TERMINAL_PACE_S = 0.04


def demo(
    game: Annotated[str | None, typer.Option("--game", metavar="GAME", show_default=False,
                                             help="Play another game instead of Hyde.")] = None,
    seats: Annotated[int | None, typer.Option("--seats", metavar="N", show_default=False, help=(
        "Number of seats. Default: 4, or as many as the game allows."))] = None,
    seat: Annotated[int, typer.Option("--seat", metavar="N", min=0, help="The seat that follows hints.")] = 0,
    bots: Annotated[str, typer.Option("--bots", metavar="A,B,...",
                                      help="The bots of the other seats, in turn.")] = BOTS,
    mode: ModeKey = None,
    option: Options = None,
    hint_ms: Annotated[int, typer.Option("--hint-ms", min=1, max=60_000, metavar="MS",
                                         help="Thinking time for a hint.")] = 100,
    pace: Annotated[float | None, typer.Option("--pace", callback=between(0, 60), metavar="S", show_default=False, help=(
        f"Pause after each line, in seconds. Default: {TERMINAL_PACE_S} on a terminal, otherwise none."))] = None,
    fast: Annotated[bool, typer.Option("--fast", help="No pauses.")] = False,
    seed: Seed = None,
    no_color: NoColor = False,
) -> None:
    """Watch a game: a real server, bots in all seats but one, and hints for that one.

    Starts the gRPC service on a free loopback port, with a database in a temporary folder, and does everything through gRPC,
    as your front end would. At a terminal the server then stays open for your browser until you press Enter.
    """
    from seatmate.ai.bots import parse_bots
    from seatmate.server.cli.demo_client import Plan, serve_and_play

    table_game = _choose_game(game, mode, seats, option)
    check_seat(seat, table_game.seats)
    if seed is not None and seed > MOST_SEED:
        raise typer.BadParameter(f"the service takes seeds up to {MOST_SEED}")
    if pace is None:
        pace = TERMINAL_PACE_S if sys.stdout.isatty() else 0.0
    plan = Plan(game=table_game, seat=seat, bots=[str(bot) for bot in parse_bots(bots)], hint_ms=hint_ms,
                pace_s=0.0 if fast else pace, seed=choose_seed(seed))
    with interruptible(f"nothing is kept after a demonstration. The same game again: --seed {plan.seed}. "
                       f"Play yourself: seatmate play {table_game.spec.id}"):
        asyncio.run(serve_and_play(plan, partial(_show_speed, table_game)))


def _choose_game(game: str | None, mode: str | None, seats: int | None, options: list[str] | None) -> Game:
    from seatmate.engine.core.registry import game_spec, list_games

    if game is None:
        known = {spec.id for spec in list_games()}
        game = next(name for name in FAVOURITES if name in known)
    if seats is None and SEATS in game_spec(game).mode(mode).seats:
        seats = SEATS
    return make_game(game, mode, seats, options, None)


def _show_speed(game: Game) -> None:
    heading("Speed on this machine, one thread")
    figures = bench.measure(game, repeats=3, slice_s=0.1, seed=1)
    facts([(bench.FIGURES[key], f"{figures[key]:,.0f}") for key in (
        "playouts_per_s", "decisions_per_s", "heuristic_playouts_per_s", "search_simulations_per_s")])


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=example("seatmate demo", "seatmate demo --game kuhn --fast --seed 1"))(demo)
