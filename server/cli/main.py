"""All commands in one application, and the one place where errors become sentences and exit codes."""
from __future__ import annotations

import inspect
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import metadata
from types import FrameType
from typing import Annotated

import typer
from typer.core import TyperOption

from seatmate.engine.core.errors import SeatmateError, SettingsError, UnknownGameError
from seatmate.server.cli import (
    admin,
    bench,
    bots,
    cards,
    decks,
    demo,
    games,
    hint,
    levels,
    packs,
    play,
    replay,
    report,
    review,
    serve,
    tournament,
    tournaments,
    tune,
)
from seatmate.server.cli.arguments import TRACEBACK, variable_of
from seatmate.server.cli.console import err, use_plain_text

OK, FAILURE, USAGE, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143

PLAIN_WORDS = {
    "Input should be a valid integer, unable to parse string as an integer": "a whole number is needed",
    "Input should be a valid number, unable to parse string as a number": "a number is needed",
    "Input should be greater than or equal to": "it must be at least",
    "Input should be less than or equal to": "it must be at most",
    "Value error, ": "",
}
"""What the library that reads the command line says, and how a person says it."""

app = typer.Typer(
    name="seatmate",
    help="AI opponents for tabletop games: fill seats, give hints, run tournaments.",
    epilog="Start with [bold]seatmate demo[/bold], or play yourself: [bold]seatmate play kuhn[/bold]",
    rich_markup_mode="rich", add_completion=True, pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"seatmate {metadata.version('seatmate')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(context: typer.Context,
          version: Annotated[bool, typer.Option("--version", is_eager=True, callback=_version,
                                                help="Print the version.")] = False) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


for _module in (demo, play, hint, review, tournament, tournaments, report, replay, tune, levels, bench, games, bots, decks, cards,
                packs, serve, admin):
    _module.register(app)


def _one_line_a_paragraph(commands: typer.Typer) -> None:
    """Let the terminal break the lines of every help text: those of a docstring are longer than 80 columns."""
    for group in commands.registered_groups:
        if group.typer_instance is not None:
            _one_line_a_paragraph(group.typer_instance)
    for command in commands.registered_commands:
        text = command.help or inspect.getdoc(command.callback) or ""
        command.help = "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


_one_line_a_paragraph(app)


def run(arguments: Sequence[str]) -> int:
    """Run one command line. Returns the exit code; prints at most one sentence about an error, on stderr."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")     # the C core's own log lines; errors reach us as exceptions
    use_plain_text(False)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")    # a terminal without Unicode must not end a game
    with _terminable() as terminated:
        code = _run(arguments)
    return TERMINATED if terminated else code


@contextmanager
def _terminable() -> Iterator[list[int]]:
    """SIGTERM meanwhile is as Ctrl-C: work that is given up says what is kept of it. The list gets the signals that have come."""
    seen: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        seen.append(number)
        if not callable(signal.getsignal(signal.SIGINT)):       # ignored, as in jobs that a script starts in the background
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGINT)      # to whoever handles that now: asyncio, or a block that holds it back

    ours = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if ours:
        signal.signal(signal.SIGTERM, interrupt)
    try:
        yield seen
    finally:
        if ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _run(arguments: Sequence[str]) -> int:
    try:
        code = typer.main.get_command(app).main(list(arguments), prog_name="seatmate", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else OK
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe has gone (`seatmate games | head -1`): nothing more to say to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return FAILURE
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        sentence, code = explain(error)
        err().print(f"seatmate: {sentence}", style="red", markup=False, soft_wrap=True)
        return code


def explain(error: Exception) -> tuple[str, int]:
    """One sentence for a person, and the exit code."""
    if isinstance(error, typer.TyperException):
        return _usage_sentence(error), error.exit_code
    if isinstance(error, SeatmateError):
        return str(error), USAGE if _typed_wrong(error) else FAILURE
    if isinstance(error, OSError):
        reason = (error.strerror or str(error)).lower()
        return f"{error.filename}: {reason}" if error.filename else reason, FAILURE
    if isinstance(error, UnicodeDecodeError):
        return "the input is not UTF-8 text", FAILURE
    if type(error).__module__.startswith("grpc"):
        return _rpc_sentence(error), FAILURE
    return (f"internal error: {type(error).__name__}: {error} (set {TRACEBACK}=1 to see where it came from)", FAILURE)


def _typed_wrong(error: SeatmateError) -> bool:
    """Is the error about a word of the command line, and not about a file or a server?"""
    if isinstance(error, UnknownGameError | SettingsError):
        return True
    # By name: importing seatmate.ai here would slow every command down.
    return type(error).__name__ in ("BotError", "TournamentError")


def _usage_sentence(error: typer.TyperException) -> str:
    if isinstance(error, typer.BadParameter):
        error.param_hint = error.param_hint or _origin(error)
    message = error.format_message().replace("\n", " ").strip().rstrip(".")
    for said, plain in PLAIN_WORDS.items():
        message = message.replace(said, plain)
    context = getattr(error, "ctx", None)
    return f"{message} (try `{context.command_path} --help`)" if context is not None else message


def _origin(error: typer.BadParameter) -> str | None:
    """Where the wrong value stands; None: on the command line."""
    context, option = error.ctx, error.param
    if context is None or not isinstance(option, TyperOption) or option.name is None:
        return None
    source = context.get_parameter_source(option.name)
    if source is not None and source.name == "ENVIRONMENT":
        return f"{variable_of(option, context.auto_envvar_prefix)} in the environment"
    if source is not None and source.name == "DEFAULT_MAP":
        return f"{option.opts[0].removeprefix('--')} in {context.params['config_file']}"
    return None


def _rpc_sentence(error: Exception) -> str:
    """What a failed call says. (grpc is loaded: the error comes from there.)"""
    code, details = getattr(error, "code", None), getattr(error, "details", None)
    if code is None or details is None:
        return f"the server failed: {error}"
    return f"the server answered {code().name}: {details()}"
