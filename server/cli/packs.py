"""`seatmate packs check`: is a content pack well formed?"""
from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seatmate.engine.core.errors import PackError
from seatmate.engine.core.registry import game_spec
from seatmate.server.cli.arguments import Json, NoColor, example, game_ids
from seatmate.server.cli.console import plain, print_json, say

if TYPE_CHECKING:
    from seatmate.engine.core.spec import GameSpec

packs = typer.Typer(help="Content packs: the cards, boards and numbers of a game.", rich_markup_mode="rich")


@packs.callback(invoke_without_command=True)
def _packs(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@packs.command(epilog=example("seatmate packs check my_pack.toml", "seatmate packs check my_pack.toml --game hyde"))
def check(
    pack: Annotated[str, typer.Argument(metavar="FILE", show_default=False,
                                        help="A TOML file, or the name of a shipped pack with --game.")],
    game: Annotated[str | None, typer.Option("--game", metavar="GAME", show_default=False, autocompletion=game_ids,
                                             help="The game it is for. Default: what the file says.")] = None,
    json: Json = False,
    no_color: NoColor = False,
) -> None:
    """Check a content pack against its game: every table, every field, every effect."""
    from seatmate.engine.core.packs import provenance

    spec = _game_of(pack) if game is None else game_spec(game)
    if spec.load_pack is None:
        raise PackError(f"{spec.id} has no content packs")
    loaded = spec.load_pack(pack)
    counts = {str(source): number for source, number in provenance(loaded).items()}
    if json:
        print_json({"game": spec.id, "name": loaded.name, "version": loaded.version, "hash": loaded.hash,
                    "provenance": counts})
        return
    sources = ", ".join(f"{number} {source}" for source, number in counts.items())
    say(f"[green]ok[/green]  [bold]{plain(loaded.name)}[/bold], version {plain(loaded.version)}, "
        f"a pack of {plain(spec.title)}")
    say(f"    hash     {plain(loaded.hash)}")
    say(f"    sources  {plain(sources)}")


def _game_of(pack: str) -> GameSpec:
    """The game a pack file names in its `[pack]` table."""
    try:
        content = tomllib.loads(Path(pack).read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise PackError(f"{pack}: not TOML: {error}") from None
    header = content.get("pack")
    game = header.get("game") if isinstance(header, dict) else None
    if not isinstance(game, str):
        raise PackError(f"{pack}: its [pack] table does not say for which game it is; name the game with --game")
    return game_spec(game)


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(packs, name="packs")
