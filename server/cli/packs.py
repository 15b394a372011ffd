"""`seatmate packs`: is a content pack well formed, and which words are there to write one with?"""
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from seatmate.engine.core.errors import PackError, SettingsError
from seatmate.engine.core.registry import game_of_pack, game_spec
from seatmate.server.cli.arguments import GameId, Json, NoColor, Pack, Seed, choose_seed, example, game_ids
from seatmate.server.cli.console import out, plain, print_json, say

if TYPE_CHECKING:
    from seatmate.engine.core.packs import LoadedPack
    from seatmate.engine.core.spec import GameSpec

packs = typer.Typer(help="Content packs: the cards, boards and numbers of a game.", rich_markup_mode="rich")

FORM_WIDTH = 36
"""Columns of a word's form in the list of words; a longer one is folded."""


@packs.callback(invoke_without_command=True)
def _packs(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@packs.command(epilog=example("seatmate packs check my_pack.toml", "seatmate packs check my_pack.toml --game hyde"))
def check(
    pack: Annotated[str, typer.Argument(metavar="FILE", show_default=False,
                                        help="A TOML file, or the name of a shipped pack with --game.")],
    game: Annotated[str | None, typer.Option("--game", metavar="GAME", show_default=False, autocompletion=game_ids,
                                             help="The game of the pack. Default: the one the file names.")] = None,
    json: Json = False,
    no_color: NoColor = False,
) -> None:
    """Check a content pack against its game: every table, every field, every effect."""
    from seatmate.engine.core.packs import provenance

    spec = game_of_pack(Path(pack), "; name the game with --game") if game is None else game_spec(game)
    loaded = _load(spec, pack)
    changes = loaded.changes
    counts = {str(source): number for source, number in provenance(loaded).items()}
    if json:
        extends = None if changes is None else {
            "base": changes.base, "added": changes.added, "changed": changes.changed, "removed": changes.removed}
        print_json({"game": spec.id, "name": loaded.name, "version": loaded.version, "hash": loaded.hash,
                    "provenance": counts, "extends": extends})
        return
    sources = ", ".join(f"{number} {source}" for source, number in counts.items())
    say(f"[green]ok[/green]  [bold]{plain(loaded.name)}[/bold], version {plain(loaded.version)}, "
        f"a pack of {plain(spec.title)}")
    say(f"    hash     {plain(loaded.hash)}")
    say(f"    sources  {plain(sources)}")
    if changes is not None:
        say(f"    extends  {plain(changes.base)}")
        for label, rows in (("added", changes.added), ("changed", changes.changed), ("removed", changes.removed)):
            if rows:
                say(f"    {label:<7}  {plain(', '.join(rows))}")


@packs.command(epilog=example("seatmate packs words mythos", "seatmate packs words hyde --json"))
def words(game: GameId, json: Json = False, no_color: NoColor = False) -> None:
    """List the words of a game's effects, with their meanings: verbs, selectors, amounts, conditions and more."""
    spec = game_spec(game)
    vocabulary = _load(spec, spec.packs[0] if spec.packs else "").vocabulary
    if vocabulary is None:
        raise PackError(f"the packs of {spec.id} have no effects")
    glossary = vocabulary.glossary()
    if json:
        print_json({"game": spec.id, "words": {kind: dict(rows) for kind, rows in glossary.items()}})
        return
    for kind, rows in glossary.items():
        table = Table(box=None, pad_edge=False, show_header=False, title=plain(kind), title_justify="left", title_style="bold")
        table.add_column(overflow="fold", max_width=FORM_WIDTH)
        table.add_column(overflow="fold")
        for form, doc in rows:
            table.add_row(f"[cyan]{plain(form)}[/cyan]", plain(doc))
        out().print(table)
        say()
    say("[dim]In parentheses: the arguments. \\[x] may be left out; x=1 means 1 if left out. A name after a colon says which "
        "kind of word is needed: zones:zone. The notation itself: docs/effects.md[/dim]")


@packs.command(epilog=example("seatmate packs circuit monster_chase --tiles 8 --seed 7 --draw ring.svg",
                              "seatmate packs circuit monster_chase jungle_loop --draw loop.png"))
def circuit(
    game: GameId,
    circuit: Annotated[str | None, typer.Argument(metavar="CIRCUIT", show_default=False, help=(
        "One to check: a name, or its tiles as 01A:S,05A:R,... Default: a random one is built."))] = None,
    tiles: Annotated[int | None, typer.Option("--tiles", metavar="N", show_default=False,
                                              help="Tiles of a random one. Default: the fewest that close to a ring.")] = None,
    box: Annotated[list[str] | None, typer.Option("--box", metavar="BOX", show_default=False, help=(
        "A box whose tiles a random one may use; may be given several times. Default: all."))] = None,
    seed: Seed = None,
    draw: Annotated[Path | None, typer.Option("--draw", metavar="FILE", show_default=False,
                                              help="Draw it: a file that ends in .svg, .png or .pdf.")] = None,
    pack: Pack = None, json: Json = False, no_color: NoColor = False,
) -> None:
    """Build a random circuit that closes on the table, or check one, and draw it."""
    spec = game_spec(game)
    kit = spec.circuits
    if kit is None:
        raise SettingsError("game", f"the board of {spec.id} is not put together from tiles")
    chosen, name = None, pack or spec.packs[0]
    if circuit is None:
        chosen = choose_seed(seed)
        circuit = kit.build(chosen, kit.tiles[0] if tiles is None else tiles, tuple(box or kit.boxes), name)
    elif seed is not None or tiles is not None or box:
        raise typer.BadParameter("--seed, --tiles and --box are for a random circuit, and one is given")
    facts = {**kit.facts(circuit, name), **({} if chosen is None else {"seed": chosen})}
    command = f"seatmate play {spec.id} --option {kit.option}={circuit}{'' if pack is None else f' --pack {pack}'}"
    if draw is not None:
        kit.draw(circuit, name, draw)
    if json:
        print_json({"game": spec.id, "value": circuit, **facts, "drawn": None if draw is None else str(draw)})
        return
    for key, value in ({**facts, "play it": command} | ({} if draw is None else {"drawn": draw})).items():
        text = "yes" if value is True else "no" if value is False else value
        text = (", ".join(map(str, value)) or "none") if isinstance(value, list) else text
        say(f"{key:<9}  {plain(str(text))}", fold=False)


def _load(spec: GameSpec, pack: str) -> LoadedPack[Any]:
    """A pack of the game. Raises PackError."""
    if spec.load_pack is None:
        raise PackError(f"{spec.id} has no content packs")
    return spec.load_pack(pack)


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(packs, name="packs")
