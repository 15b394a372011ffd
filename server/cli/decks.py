"""`seatmate decks`: the decks of a trading-card game as text lists."""
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seatmate.engine.core.errors import SettingsError
from seatmate.engine.core.registry import game_spec
from seatmate.server.cli.arguments import GameId, Json, NoColor, Pack, example, file_or_text, read_text
from seatmate.server.cli.console import plain, print_json, say

if TYPE_CHECKING:
    from seatmate.engine.core.spec import DeckList, GameSpec

decks = typer.Typer(help="Decks of a trading-card game, as text lists that players exchange.", rich_markup_mode="rich")

Deck = Annotated[str, typer.Argument(metavar="DECK", show_default=False, help=(
    "A ready-made deck, random:SEED, a list such as \"2 KS-009, MSS-02\", or @FILE to read a list from a file."))]


@decks.callback(invoke_without_command=True)
def _decks(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@decks.command("list", epilog=example("seatmate decks list mythos"))
def list_decks(game: GameId, pack: Pack = None, json: Json = False, no_color: NoColor = False) -> None:
    """List the ready-made decks of a game."""
    spec = _with_decks(game)
    names = ready_decks(spec)
    found = {name: _read(spec, name, pack) for name in names}
    if json:
        print_json({"game": spec.id, "decks": names})
        return
    for name in names:
        say(f"[cyan]{plain(name)}[/cyan]  {plain(found[name].summary)}")


@decks.command(epilog=example("seatmate decks export mythos leaf > leaf.txt", "seatmate decks export mythos random:17"))
def export(game: GameId, deck: Deck, pack: Pack = None, json: Json = False, no_color: NoColor = False) -> None:
    """Print a deck as a text list, one card per line."""
    found = _read(_with_decks(game), file_or_text(deck), pack)
    if json:
        print_json(_plain(game, found))
        return
    say(plain(found.text), fold=False)


@decks.command(name="import", epilog=example("seatmate decks import mythos leaf.txt", "seatmate decks import mythos - < leaf.txt"))
def import_deck(
    game: GameId,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A text list, one card per line; - reads stdin.",
                                         show_default=False, allow_dash=True)],
    pack: Pack = None, json: Json = False, no_color: NoColor = False,
) -> None:
    """Check a text list against the rules, and print it as the value of a deck option."""
    found = _read(_with_decks(game), read_text(str(file)), pack)
    if json:
        print_json(_plain(game, found))
        return
    say(plain(found.text.replace("\n", ", ")), fold=False)


@decks.command(epilog=example("seatmate decks check mythos @my_deck.txt", "seatmate decks check mythos leaf"))
def check(game: GameId, deck: Deck, pack: Pack = None, json: Json = False, no_color: NoColor = False) -> None:
    """Check that a deck is legal, and show its cards by name. Every mistake is named."""
    found = _read(_with_decks(game), file_or_text(deck), pack)
    if json:
        print_json(_plain(game, found))
        return
    say(f"# [green]ok[/green]  {plain(found.summary)}")       # what is printed can be read as a list again
    for count, card, title in found.entries:
        say(f"{count} [cyan]{plain(card)}[/cyan]  # {plain(title)}", fold=False)


def _with_decks(game: str) -> GameSpec:
    spec = game_spec(game)
    ready_decks(spec)
    return spec


def ready_decks(spec: GameSpec) -> list[str]:
    """The ready-made decks: what the options of decks offer, random ones aside. Raises SettingsError."""
    if spec.read_deck is None:
        raise SettingsError("game", f"{spec.id} has no decks to choose from")
    option = next(option for option in spec.options if option.kind == "text")
    return [name for name in option.choices if name != "random"]


def _read(spec: GameSpec, text: str, pack: str | None) -> DeckList:
    assert spec.read_deck is not None
    return spec.read_deck(text, pack or spec.packs[0])


def _plain(game: str, found: DeckList) -> dict[str, object]:
    return {"game": game, "summary": found.summary, "option": found.text.replace("\n", ", "),
            "cards": [{"count": count, "card": card, "title": title} for count, card, title in found.entries]}


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(decks, name="decks")
