"""Bots of your own in Python: a function of a Question, and the files that hold such functions.

`load_bots(FILE)` makes the bots of a file known in this process, and in all that it starts: workers of a tournament find the files
in the environment (SEATMATE_LOAD_BOTS). Nobody else can name a file: a bot's text names what was loaded.
"""
from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import inspect
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

from seatmate.ai.bots import registry
from seatmate.ai.bots.guarded import GuardedPolicy
from seatmate.ai.bots.question import Question
from seatmate.ai.bots.registry import BotError, BotInfo, register_bot
from seatmate.ai.bots.settings import PolicySettings
from seatmate.ai.search.stop import StopFlag
from seatmate.engine.core.game import Game

FILES = "SEATMATE_LOAD_BOTS"
"""Environment variable: files of bots, separated as in PATH, which every process loads that is asked for a bot."""

Choose = Callable[[Question], int]
_Made = TypeVar("_Made", bound=Callable[..., Any])
_NAME = r"[a-z][a-z0-9_]*"


@dataclass(frozen=True, slots=True)
class OwnSettings(PolicySettings):
    """A bot in Python. source: SHA-256 of the file it stands in, since another text is another bot; "" where there is no file."""

    source: str = ""


class PythonPolicy(GuardedPolicy):
    """Asks a function, or an object that is made once for a game."""

    made: Callable[..., Any]
    _choose: Choose | None = None   # once it has been asked

    def ask(self, question: Question, stop: StopFlag | None) -> object:
        if self._choose is None:
            self._choose = cast(Any, self.made)().choose if inspect.isclass(self.made) else self.made
        assert self._choose is not None
        return self._choose(question)


TIME_MS = 1000
"""Milliseconds for a decision where nothing is said."""


def bot(name: str, summary: str = "", *, time_ms: float = TIME_MS) -> Callable[[_Made], _Made]:
    """Decorator that registers a bot: a function of a Question that returns one of its actions, or a class whose `choose` does.

    A class is made without arguments, once for every table; both are asked for any seat, and need no memory to play. summary: a
    sentence for people, by default the first line of the docstring · time_ms: what it needs for a decision, at most. At tables
    where somebody watches it answers after so long, whatever it was asked; a decision that takes longer there is the heuristic's.
    Raises BotError for a name that is none or is taken, and a time that is none.
    """
    check_name(name)
    if not 0 < time_ms < float("inf"):
        raise BotError(f"time_ms of the bot {name} are milliseconds above 0, not {time_ms!r}")

    def register(made: _Made) -> _Made:
        about = summary or (inspect.getdoc(made) or "A bot in Python.").partition("\n")[0]
        settings = OwnSettings(name, source=_source(made))

        def make(game: Game, settings: PolicySettings) -> PythonPolicy:
            policy = PythonPolicy(game, settings)
            policy.made = made
            return policy

        register_bot(BotInfo(name, title_of(name), about, make=make, thinks=True, time_ms=float(time_ms),
                             resolve=lambda parameters, game: settings))
        return made

    return register


def check_name(name: str) -> None:
    """Raises BotError unless a bot can be called so, and none is yet."""
    if not re.fullmatch(_NAME, name):
        raise BotError(f"a bot can't be called {name!r}: small letters, digits and _ are allowed, and a letter comes first")
    if any(info.id == name for info in registry.list_bots()):
        raise BotError(f"the bot {name!r} exists already; take another name")


def title_of(name: str) -> str:
    """What people call a bot of this name."""
    return name.replace("_", " ").capitalize()


def _source(made: Callable[..., Any]) -> str:
    try:
        file = inspect.getsourcefile(made)
        return hashlib.sha256(Path(file).read_bytes()).hexdigest() if file is not None else ""
    except (OSError, TypeError):
        return ""


_loaded: set[Path] = set()


def load_bots(file: str | os.PathLike[str]) -> list[BotInfo]:
    """Make the bots of a file known: a Python file that uses `bot`, or a TOML file of external bots. The new ones.

    A file that was loaded before is not loaded again. A Python file is run: load what you trust. Raises BotError.
    """
    path = Path(file).resolve()
    if path in _loaded:
        return []
    before = {info.id for info in registry.list_bots()}
    if path.suffix == ".toml":
        from seatmate.ai.bots.external import register_external

        register_external(path)
    else:
        _run(path)
    found = [info for info in registry.list_bots() if info.id not in before]
    if not found:
        raise BotError(f"{file} registers no bot; a function becomes one with @bot(\"its_name\")")
    _loaded.add(path)
    files = [one for one in os.environ.get(FILES, "").split(os.pathsep) if one]
    if str(path) not in files:
        os.environ[FILES] = os.pathsep.join([*files, str(path)])
    return found


def load_named_files() -> None:
    """Load what the environment names. Raises BotError."""
    for file in os.environ.get(FILES, "").split(os.pathsep):
        if file:
            load_bots(file)


def _run(path: Path) -> None:
    """Import a Python file under a name of its own; what it imports from its own folder is found."""
    if path.is_dir():
        raise BotError(f"{path} is a folder; name a file of it")
    if not path.exists():
        raise BotError(f"{path} does not exist")
    name = f"seatmate_bots_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BotError(f"{path} is neither a Python file (.py) nor a TOML file (.toml)")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    try:
        with contextlib.redirect_stdout(sys.stderr):        # results alone go to stdout
            spec.loader.exec_module(module)
    except BotError:
        raise
    except BaseException as error:      # SyntaxError, SystemExit and all that a file can do
        if isinstance(error, KeyboardInterrupt):
            raise
        raise BotError(f"{path} can't be loaded: {type(error).__name__}: {error}") from error
