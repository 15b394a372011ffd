"""`seatmate replay`: what happened in a game of a tournament."""
from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated

import typer

from seatmate.engine.core.registry import game_from_settings
from seatmate.server.cli.arguments import BotFiles, Json, NoColor, check_apart, example
from seatmate.server.cli.console import plain, print_json, say


def replay(
    results: Annotated[Path, typer.Argument(metavar="RESULTS", dir_okay=False, show_default=False,
                                            help="The results file of a tournament (--results).")],
    deal: Annotated[int, typer.Option("--deal", min=0, metavar="N", help="The deal; deals count from 0.")] = 0,
    game: Annotated[int, typer.Option("--game", min=0, metavar="N", help=(
        "The game of this deal: each seating is one, and they count from 0."))] = 0,
    record: Annotated[Path | None, typer.Option("--record", metavar="FILE", dir_okay=False, show_default=False, help=(
        "Write the record of the game here, for `seatmate review` and `seatmate hint`."))] = None,
    bot_file: BotFiles = None,
    json: Json = False,
    no_color: NoColor = False,
) -> None:
    """Show a game of a tournament again, with every decision of every bot.

    The game is played once more by its deal and seating, and must come out as in the file. Games of bots that watch the clock need
    `seatmate tournament --keep-games`.
    """
    from seatmate.ai.arena import replay as play_again

    check_apart(RESULTS=results, record=record)
    with redirect_stdout(sys.stderr):       # for what bots of files print
        found = play_again(results, deal, game)
    if record is not None:
        record.write_text(found.record.to_json() + "\n", encoding="utf-8")
    state = game_from_settings(found.record.settings).new_state(found.record.seed)
    told = []
    for seat, action in found.record.actions:
        told.append((seat, state.action_label(seat, action), len(state.legal_actions(seat))))
        state.apply_action(seat, action)
    if json:
        print_json({"deal": deal, "game": game, "bots": found.bots, "utilities": found.utilities,
                    "decisions": [{"seat": seat, "label": label, "answers": answers} for seat, label, answers in told],
                    "record": found.record.to_json()})
        return
    say(f"[bold]{plain(state.game.spec.title)}[/bold], deal {deal}, game {game}: "
        + ", ".join(f"seat {seat} [cyan]{plain(bot)}[/cyan]" for seat, bot in enumerate(found.bots)))
    for seat, label, answers in told:
        if answers > 1:
            say(f"seat {seat}: {plain(label)}", indent=2)
    say(f"[bold]{plain(state.game.result_text(state))}[/bold]")
    if record is not None:
        say(f"[dim]The record is in {plain(str(record))}[/dim]")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=example("seatmate replay night.jsonl --deal 3 --game 1 --record game.json"))(replay)
