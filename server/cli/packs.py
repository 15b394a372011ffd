"""`seatmate packs check`: is a content pack well formed?"""
from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seatmate.engine.core.errors import PackError
from seatmate.server.cli.arguments import Json, NoColor, _game_ids, example
from seatmate.server.cli.console import plain, print_json, say

if TYPE_CHECKING:
    from seatmate.engine.core.spec import GameSpec

packs = typer.Typer(help="Content packs: the cards, boards and numbers of a game.", rich_markup_mode="rich")


@packs.callback(invoke_without_command=True)
def _packs(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@packs.command(epilog=example("seatmate packs check my_hyde.toml --game hyde"))
def check(
    pack: Annotated[str, typer.Argument(metavar="FILE", show_default=False, help="A TOML file, or the name of a shipped pack.")],
    game: Annotated[str | None, typer.Option("--game", metavar="GAME", show_default=False, autocompletion=_game_ids,
                                             help="The game it is for. Default: what the file says.")] = None,
    json: Json = False,
    no_color: NoColor = False,
) -> None:
    """Check a content pack against its game: every table, every field, every effect."""
    spec = _game_of(pack, game)
    if spec.load_pack is None:
        raise PackError(f"{spec.id} has no content packs")
    loaded = spec.load_pack(pack)
    counts = _counts(loaded)
    if json:
        print_json({"game": spec.id, "name": loaded.name, "version": loaded.version, "hash": loaded.hash, "provenance": counts})
        return
    say(f"[green]ok[/green]  [bold]{plain(loaded.name)}[/bold] version {plain(str(loaded.version))}, a pack of {plain(spec.title)}")
    say(f"    hash {plain(loaded.hash)}")
    say(f"    sources: {plain(', '.join(f'{number} {source}' for source, number in counts.items())) or 'none stated'}")


def _game_of(pack: str, game: str | None) -> GameSpec:
    """The game named on the command line or in the file's `game`, or the one that ships a pack of this name."""
    from seatmate.engine.core.registry import game_spec, list_games

    if game is not None:
        return game_spec(game)
    shipped = [spec for spec in list_games() if pack in spec.packs]
    if len(shipped) == 1:
        return shipped[0]
    try:
        content = tomllib.loads(Path(pack).read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise PackError(f"{pack}: not TOML: {error}") from None
    named = content.get("game") or next((table["game"] for table in content.values()
                                         if isinstance(table, dict) and isinstance(table.get("game"), str)), None)
    if not isinstance(named, str):
        raise typer.BadParameter(f"{pack} does not say which game it is for; name it with --game")
    return game_spec(named)


def _counts(loaded: Any) -> dict[str, int]:
    """How many components come from the rulebook, from a public source, from us (`house`)."""
    from seatmate.engine.core.packs import provenance

    return dict(sorted(Counter(provenance(loaded)).items()))


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(packs, name="packs")
