"""Arguments and options that several commands share, and how their texts are read."""
from __future__ import annotations

import secrets
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seatmate.server.cli.console import use_plain_text

if TYPE_CHECKING:
    from typer.core import TyperOption

    from seatmate.engine.core.game import Game


def game_ids() -> list[str]:
    """The registered games, for completion on the command line."""
    from seatmate.engine.core.registry import list_games

    return [spec.id for spec in list_games()]


def _no_color(value: bool) -> bool:
    use_plain_text(value)
    return value


def _load_bots(files: list[Path] | None) -> list[Path] | None:
    """Make the bots of these files known. Raises BotError."""
    for file in files or ():
        from seatmate.ai.bots import load_bots  # the heavy part, where there is something to load

        load_bots(file)
    return files


GameId = Annotated[str, typer.Argument(metavar="GAME", help="Id of the game; `seatmate games` lists them.",
                                       show_default=False, autocompletion=game_ids)]
Seats = Annotated[int | None, typer.Option("--seats", metavar="N", show_default=False,
                                           help="Number of seats. Default: as many as the mode allows.")]
ModeKey = Annotated[str | None, typer.Option("--mode", metavar="MODE", show_default=False,
                                             help="Mode of the game. Default: the first that allows so many seats.")]
Options = Annotated[list[str] | None, typer.Option("--option", "-o", metavar="KEY=VALUE", show_default=False,
                                                   help="An option of the game; may be given several times. "
                                                        "KEY=@FILE reads the value from a file. `seatmate games GAME` lists them.")]
Pack = Annotated[str | None, typer.Option("--pack", metavar="PACK", show_default=False,
                                          help="Content pack: the name of a shipped one, or a TOML file.")]
Seed = Annotated[int | None, typer.Option("--seed", metavar="SEED", min=0, show_default=False,
                                          help="Random seed. Default: a fresh one, which is printed.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout and nothing else.")]
TRACEBACK = "SEATMATE_TRACEBACK"
"""Environment variable for developers: set it to see where an unexpected error came from."""

MOST_WORKERS = 1024
"""The most processes or threads anybody can want; more is a slip of the finger."""

HOW = "How it is run"
"""A part of the help."""


class BackendKey(StrEnum):
    """The words of seatmate.ai.arena.BACKENDS, which is not imported for every command."""

    LOCAL = "local"
    RAY = "ray"


Workers = Annotated[int | None, typer.Option("--workers", min=1, max=MOST_WORKERS, metavar="N", show_default=False,
                                             rich_help_panel=HOW, help="Worker processes. Default: one per core.")]
BACKEND = typer.Option("--backend", rich_help_panel=HOW, help=(
    "Where the games are played: in processes of this machine, or on the Ray cluster that RAY_ADDRESS names (extra 'ray'), "
    "with the same result."))
Backend = Annotated[BackendKey, BACKEND]
BotFiles = Annotated[list[Path] | None, typer.Option(
    "--bot-file", metavar="FILE", is_eager=True, callback=_load_bots, show_default=False, help=(
        "A file with bots of your own: Python, or TOML that names programs. They play by their names. May be given several times."
    ))]
NoColor = Annotated[bool, typer.Option("--no-color", is_eager=True, callback=_no_color,
                                       help="No colours, even on a terminal.")]



def between(least: float, most: float) -> Callable[[float | None], float | None]:
    """A callback that refuses numbers outside of a range. (typer's own `min` lets "nan" through, and infinity.)"""
    def check(value: float | None) -> float | None:
        if value is not None and not least <= value <= most:
            raise typer.BadParameter(f"{value:g} is not in the range {least:g}<=x<={most:g}")
        return value
    return check


def variable_of(option: TyperOption, prefix: str | None) -> str | None:
    """The environment variable that gives this option of a command with this prefix; None: there is none."""
    if isinstance(option.envvar, str):
        return option.envvar
    return None if prefix is None else f"{prefix}_{option.name}".upper()


def example(*lines: str) -> str:
    """The epilog of a command's help: command lines that can be copied."""
    head = "Example" if len(lines) == 1 else "Examples"
    return "\n\n".join([f"[bold]{head}[/bold]", *(f"  {line}".replace("[", r"\[") for line in lines)])


def parse_options(texts: list[str] | None) -> dict[str, str]:
    """`key=value` texts as a dictionary. Raises typer.BadParameter."""
    values: dict[str, str] = {}
    for text in texts or []:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise typer.BadParameter(f"--option wants KEY=VALUE, not {text!r}")
        if key.strip() in values:
            raise typer.BadParameter(f"--option {key.strip()} is given twice")
        values[key.strip()] = file_or_text(value.strip())
    return values


def file_or_text(value: str) -> str:
    """The value itself, or for @FILE the text of that file (a deck list). Raises OSError, UnicodeDecodeError."""
    return Path(value[1:]).read_text(encoding="utf-8-sig").strip() if value.startswith("@") else value


def choose_seed(seed: int | None) -> int:
    """The given seed, or a fresh one short enough to be typed again."""
    return secrets.randbits(32) if seed is None else seed


def make_game(game: str, mode: str | None, seats: int | None, options: list[str] | None, pack: str | None) -> Game:
    """The game with the settings of the command line. Raises UnknownGameError, SettingsError, PackError."""
    from seatmate.engine.core.registry import new_game

    return new_game(game, mode=mode, seats=seats, options=parse_options(options), pack=pack)


def check_seat(seat: int, seats: int) -> int:
    """The seat if the table has it. Raises typer.BadParameter."""
    if not 0 <= seat < seats:
        raise typer.BadParameter(f"there is no seat {seat}; the seats are 0..{seats - 1}")
    return seat


def read_text(source: str) -> str:
    """The text of a file, or of stdin for `-`. Raises OSError, UnicodeDecodeError."""
    if source == "-":
        import sys

        return sys.stdin.read()
    return Path(source).read_text(encoding="utf-8-sig")


def check_apart(**files: Path | None) -> None:
    """Two options that write or read one file would spoil it; by their names. Raises typer.BadParameter."""
    found: dict[Path, str] = {}
    for name, file in files.items():
        if file is not None and (other := found.setdefault(file.resolve(), name)) != name:
            raise typer.BadParameter(f"{file} is named twice, as {other} and as {name}; it would be overwritten")
