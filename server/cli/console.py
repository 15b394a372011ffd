"""Where text goes: results to stdout, progress and errors to stderr, colours only on a terminal."""
from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.errors import MarkupError
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

PIPE_WIDTH = 80
"""Columns when nobody's terminal says how wide it is."""

HANG = 2
"""How far the rest of a folded line stands to the right of its beginning."""

PROGRESS_AFTER_S = 1.0
"""A progress bar appears only for work that takes longer than this."""

_consoles: dict[bool, Console] = {}
_plain = False


def use_plain_text(plain: bool = True) -> None:
    """Print no colours and no other escape codes, terminal or not."""
    global _plain
    _plain = plain
    _consoles.clear()


def _console(stderr: bool) -> Console:
    if stderr not in _consoles:
        stream = sys.stderr if stderr else sys.stdout
        width = None if "COLUMNS" in os.environ or stream.isatty() else PIPE_WIDTH
        _consoles[stderr] = Console(stderr=stderr, highlight=False, emoji=False, width=width,
                                    color_system=None if _plain else "auto", no_color=_plain or None)
    return _consoles[stderr]


def out() -> Console:
    """The console of results (stdout)."""
    return _console(False)


def err() -> Console:
    """The console of progress and errors (stderr)."""
    return _console(True)


def say(markup: str = "", *, indent: int = 0, mark: str = "", hang: int = HANG, fold: bool = True) -> None:
    """Print a line of rich markup, folded to the width of the terminal; the rest of it hangs below its beginning.

    `indent` blanks and the markup `mark` stand before every line. Words are never cut: a path stays whole. What other commands
    read, such as a deck list, is not to be folded.
    """
    text, margin = _text(markup), Text(" " * indent) + _text(mark)
    body = text[len(text) - len(text.plain.lstrip()):]
    margin += Text(" " * (len(text) - len(body)))
    room = out().width - margin.cell_len
    for number, line in enumerate(_folded(body, room, hang) if fold else [body]):
        line.rstrip()
        out().print(margin + Text(" " * (hang if number else 0)) + line, soft_wrap=True)


def _folded(text: Text, room: int, hang: int) -> list[Text]:
    """The text in lines of so many columns, after the first of `hang` fewer; a word that is longer has a line of its own."""
    breaks: list[int] = []
    used = 0
    for word in re.finditer(r"\S+\s*", text.plain):
        if used and used + cell_len(word[0].rstrip()) > room - (hang if breaks else 0):
            breaks.append(word.start())
            used = 0
        used += cell_len(word[0])
    return list(text.divide(breaks))


def _text(markup: str) -> Text:
    try:
        return Text.from_markup(markup, emoji=False)
    except MarkupError:
        return Text(markup)


def plain(text: str) -> str:
    """Text that is no markup, ready to be put into markup."""
    return escape(text)


def print_json(result: dict[str, Any]) -> None:
    """Print one JSON object on one line of stdout."""
    sys.stdout.write(json.dumps(result, ensure_ascii=False) + "\n")
    sys.stdout.flush()


@contextmanager
def interruptible(kept: str | Callable[[], str]) -> Iterator[None]:
    """On Ctrl-C, and on SIGTERM, say on stderr what is kept of the work and how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        text = Text(f"Interrupted; {kept if isinstance(kept, str) else kept()}")
        if err().is_terminal:
            err().print()       # ^C stands in the line of the question
        for line in _folded(text, err().width, 0) if err().is_terminal else [text]:
            line.rstrip()
            err().print(line, soft_wrap=True)
        raise


@contextmanager
def progress(what: str) -> Iterator[Callable[..., None]]:
    """Count long work. The block gets a function that takes how much is done, of how much, and if it changes, what.

    The bar is drawn on stderr, only on a terminal and only once the work has taken more than a second.
    """
    bar = Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
                   console=err(), transient=True, disable=not err().is_terminal)
    task = bar.add_task(what, total=None)
    started = time.monotonic()
    running = False

    def done(count: int, total: int, now: str = what) -> None:
        nonlocal running
        if not running and time.monotonic() - started > PROGRESS_AFTER_S:
            bar.start()
            running = True
        bar.update(task, completed=count, total=total, description=now)

    try:
        yield done
    finally:
        if running:
            bar.stop()
