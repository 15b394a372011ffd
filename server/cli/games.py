"""`seatmate games`: what can be played."""
from __future__ import annotations

import importlib.resources
import sys
import textwrap
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from seatmate.server.cli.arguments import Json, NoColor, example, game_ids
from seatmate.server.cli.console import out, plain, print_json, say

if TYPE_CHECKING:
    from seatmate.engine.core.spec import GameSpec, Option


def games(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Show this game in detail.", show_default=False,
                                               autocompletion=game_ids)] = None,
    rules: Annotated[bool, typer.Option("--rules", help="Print the complete rules of the game.")] = False,
    json: Json = False,
    no_color: NoColor = False,
) -> None:
    """List the games, or show one: its rules in short, its modes, options and content packs."""
    from seatmate.engine.core.registry import broken_games, game_spec, list_games, new_game

    if game is not None:
        spec = game_spec(game)
        new_game(game)      # one that can't be made says why
        if rules:
            sys.stdout.write(full_rules(spec) + "\n")
        elif json:
            print_json(describe(spec))
        else:
            _show(spec)
        return
    if rules:
        raise typer.BadParameter("--rules needs a game: seatmate games hyde --rules")
    broken = broken_games()
    specs = [spec for spec in list_games() if spec.id not in broken]
    if json:
        print_json({"games": [describe(spec) for spec in specs],
                    **({"broken": {key: str(error) for key, error in broken.items()}} if broken else {})})
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("Game", "Title", "Seats", "Modes", "Packs", "Summary"):
        table.add_column(heading, overflow="fold")
    for spec in specs:
        table.add_row(f"[cyan]{plain(spec.id)}[/cyan]", plain(spec.title), seat_range(spec),
                      ", ".join(mode.key for mode in spec.modes), ", ".join(spec.packs) or "-", plain(spec.summary))
    out().print(table)
    for error in broken.values():
        say(f"[red]{plain(str(error))}[/red]")


def describe(spec: GameSpec) -> dict[str, Any]:
    """The static facts of a game as plain values for JSON."""
    return {
        "id": spec.id, "title": spec.title, "summary": spec.summary, "rules": spec.rules, "rules_version": spec.rules_version,
        "cooperative": spec.cooperative, "max_decisions": spec.max_decisions,
        "modes": [{"key": mode.key, "title": mode.title, "seats": list(mode.seats), "doc": mode.doc,
                   "cooperative": mode.cooperative}
                  for mode in spec.modes],
        "options": [{"key": option.key, "title": option.title, "kind": option.kind, "doc": option.doc,
                     "values": option_values(option), "titles": option.called(),
                     "default": list(option.default) if isinstance(option.default, tuple) else option.default}
                    for option in spec.options],
        "packs": list(spec.packs),
        "prompts": [{"key": prompt.key, "question": prompt.question} for prompt in spec.prompts],
    }


def full_rules(spec: GameSpec) -> str:
    """The game's RULES.md, or for a small game the rules in short."""
    folder = importlib.resources.files("seatmate.engine") / spec.id / "RULES.md"
    text = folder.read_text(encoding="utf-8") if folder.is_file() else spec.rules
    return "\n".join(part for line in text.splitlines() for part in ([line] if line.startswith("|") else _folded(line)))


def _folded(line: str) -> list[str]:
    hang = " " * (len(line) - len(line.lstrip(" *0123456789.")))
    return textwrap.wrap(line, out().width, subsequent_indent=hang, break_long_words=False, break_on_hyphens=False) or [""]


def seat_range(spec: GameSpec) -> str:
    """The seat counts of all modes: `2-4`, or `2, 4` when one in between is missing."""
    counts = sorted({count for mode in spec.modes for count in mode.seats})
    if counts[-1] - counts[0] + 1 == len(counts) > 1:
        return f"{counts[0]}-{counts[-1]}"
    return ", ".join(map(str, counts))


def option_values(option: Option) -> str:
    """What may be written for the option."""
    if option.kind == "int":
        return f"{option.minimum}..{option.maximum}"
    if option.kind == "flag":
        return "true, false"
    if option.kind == "choice":
        return ", ".join(option.choices)
    if option.kind == "text":
        return f"{', '.join(option.choices)}, or text"
    ids = f"one per seat of {', '.join(option.ids)}"
    return f"{', '.join(option.choices)}, or {ids}" if option.choices else ids


def _explained(option: Option) -> str:
    """What the option is, and what those of its values mean that are no words."""
    return "; ".join([option.doc, *(f"{key} = {title}" for key, title in option.titles.items() if title.lower() != key)])


def _show(spec: GameSpec) -> None:
    say(f"[bold]{plain(spec.title)}[/bold] [cyan]{plain(spec.id)}[/cyan] · {seat_range(spec)} seats"
        f"{' · cooperative' if spec.cooperative else ''} · rules version {spec.rules_version}")
    say(plain(spec.summary))
    if spec.rules:
        say()
        say(f"[bold]Rules[/bold] {plain(spec.rules)}")
    modes = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("Mode", "Seats", ""):
        modes.add_column(heading, overflow="fold")
    for mode in spec.modes:
        modes.add_row(f"[cyan]{plain(mode.key)}[/cyan]", ", ".join(map(str, mode.seats)), plain(mode.doc))
    say()
    out().print(modes)
    if spec.options:
        options = Table(box=None, pad_edge=False, header_style="bold")
        for heading in ("Option", "Default", "Values", ""):
            options.add_column(heading, overflow="fold")
        for option in spec.options:
            default = ",".join(option.default) if isinstance(option.default, tuple) else str(option.default).lower()
            options.add_row(f"[cyan]{plain(option.key)}[/cyan]", plain(default), plain(option_values(option)),
                            f"[bold]{plain(option.title)}[/bold]: {plain(_explained(option))}")
        say()
        out().print(options)
    say()
    say(f"[bold]Content packs[/bold]  {plain(', '.join(spec.packs)) or 'none'}")
    say(f"[bold]Play it[/bold]        seatmate play {plain(spec.id)}")
    for mode in spec.modes[1:]:
        say(f"               seatmate play {plain(spec.id)} --mode {plain(mode.key)}  [dim]{plain(mode.title)}[/dim]")
    say(f"[bold]All rules[/bold]      seatmate games {plain(spec.id)} --rules")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=example("seatmate games kuhn"))(games)
