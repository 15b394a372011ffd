"""`seatmate cards`: which cards go with winning?"""
from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table

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
    make_game,
)
from seatmate.server.cli.console import interruptible, out, plain, print_json, progress, say


def cards(
    game: GameId,
    bot: Annotated[str, typer.Option("--bot", metavar="BOT", help="Who plays, in all seats.")] = "heuristic",
    games: Annotated[int, typer.Option("--games", min=2, max=10**6, metavar="N", help="Games to play.")] = 200,
    least: Annotated[int, typer.Option("--least", min=1, metavar="N", help=(
        "Leave out cards that came to fewer seats in all games together."))] = 20,
    seats: Seats = None, seed: Seed = None, mode: ModeKey = None, option: Options = None, pack: Pack = None,
    json: Json = False, no_color: NoColor = False,
) -> None:
    """Win rates of who draws, plays or loses each card, by kind of event, with 95 % intervals over games.

    They say what goes together, and not why: a card of long games goes with whatever wins long games.
    """
    from seatmate.ai.arena.cards import card_rates
    from seatmate.ai.bots import parse_bot

    table_game, chosen, player = make_game(game, mode, seats, option, pack), choose_seed(seed), str(parse_bot(bot))
    kept = f"nothing is kept; fewer --games take less time. The same again: seatmate cards {game} --seed {chosen}"
    with interruptible(kept), progress("Playing") as done:
        rates = [rate for rate in card_rates(table_game, player, games, chosen, done) if rate.seats >= least]
    if json:
        print_json({"game": table_game.spec.id, "mode": table_game.settings.mode, "seats": table_game.seats, "bot": player,
                    "games": games, "seed": chosen, "cards": [asdict(rate) for rate in rates]})
        return
    say(f"[bold]{plain(table_game.spec.title)}[/bold], {table_game.seats} seats, {plain(player)}, {games:,} games, seed {chosen}; "
        f"an equal share is {1 / table_game.seats:.1%}")
    for event in dict.fromkeys(rate.event for rate in rates):
        table = Table(box=None, pad_edge=False, header_style="dim", title=plain(event), title_justify="left", title_style="bold")
        table.add_column("Card")
        for heading in ("Wins %", "± 95 %", "Seats"):
            table.add_column(heading, justify="right")
        for rate in rates:
            if rate.event == event:
                table.add_row(f"[cyan]{plain(rate.card)}[/cyan]", f"{100 * rate.win_rate:.1f}", f"{100 * rate.ci95:.1f}",
                              f"{rate.seats:,}")
        say()
        out().print(table)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=example("seatmate cards mythos --games 40 --seed 1",
                               "seatmate cards titans --mode duel --bot search:iterations=100 --json"))(cards)
