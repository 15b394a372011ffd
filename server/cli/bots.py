"""`seatmate bots`: who can fill a seat."""
from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from seatmate.server.cli.arguments import BotFiles, Json, NoColor, example
from seatmate.server.cli.console import out, plain, print_json, say


def bots(
    bot: Annotated[str | None, typer.Argument(metavar="[BOT]", help="Show this bot with its parameters.",
                                              show_default=False)] = None,
    bot_file: BotFiles = None,
    json: Json = False,
    no_color: NoColor = False,
) -> None:
    """List the bots, or show one with all its parameters; for the search, these are its knobs with their meanings."""
    from seatmate.ai.bots import bot_kind, list_bots

    infos = list_bots() if bot is None else [bot_kind(bot)]
    if json:
        print_json({"bots": [{"id": info.id, "title": info.title, "summary": info.summary, "thinks": info.thinks, "parameters": [
            {"key": one.key, "doc": one.doc, "default": one.default} for one in info.parameters]} for info in infos]})
        return
    if bot is not None:
        say(f"[bold]{plain(infos[0].title)}[/bold] [cyan]{plain(bot)}[/cyan] · {plain(infos[0].summary)}")
        say()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("Bot", "", "Parameters") if bot is None else ("Parameter", "Default", ""):
        table.add_column(heading, overflow="fold")
    for info in infos:
        if bot is None:
            table.add_row(f"[cyan]{plain(info.id)}[/cyan]", plain(info.summary),
                          f"seatmate bots {plain(info.id)}" if info.parameters else "none")
        for one in info.parameters if bot is not None else ():
            table.add_row(f"[cyan]{plain(one.key)}[/cyan]", plain(one.default), plain(one.doc))
    out().print(table)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=example("seatmate bots search"))(bots)
