"""External bots: programs in any language, asked over stdin and stdout with one JSON object a line (docs/writing-a-bot.md).

A program is started when it is needed and asked one decision after another; each says all that the seat knows, so that it doesn't
matter which process is asked. It never sees more: what it reads is made of a Question.
"""
from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import threading
import time
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seatmate.ai.bots.guarded import GuardedPolicy, NoAnswer, at_abrupt_end
from seatmate.ai.bots.own import TIME_MS, check_name, title_of
from seatmate.ai.bots.question import Question
from seatmate.ai.bots.registry import BotError, BotInfo, BotParameter, register_bot
from seatmate.ai.bots.settings import PolicySettings
from seatmate.ai.bots.values import Value, milliseconds
from seatmate.ai.search.limits import Limits
from seatmate.ai.search.stop import StopFlag
from seatmate.engine.core.errors import nearest
from seatmate.engine.core.spec import GameSpec

PROTOCOL = 1
"""Version of the messages; a program says in its answer to `hello` which one it speaks."""

START_S = 20.0
"""How long a program may take to say hello."""

LONGEST_LINE = 1_000_000
"""Bytes of an answer; who says more is not understood."""

_WATCH = """
trap '' HUP INT TERM
read -r _
kill -s KILL -- "-$1"
"""
"""What a watcher runs: its standard input ends with the process that has started it, however that ends, SIGKILL included. (Linux
could end a program with its parent, too: but with the thread that has started it, and without what the program has started.)"""

_PAUSE_S = 60.0         # until a program that did not start is tried again
_MOST_LINES = 100       # that a program may say without being asked
_GOODBYE_S = 0.5        # until a program that was told goodbye, or has closed its output, is killed
_LOOK_S = 0.05          # how often a stop is looked for


@dataclass(frozen=True, slots=True)
class ExternalSettings(PolicySettings):
    """A program. command: its words · folder: where it runs, that of the file that names it · reproducible: it says that it plays
    the same for the same question, whatever the time.
    """

    command: tuple[str, ...] = ()
    folder: str = ""
    reproducible: bool = False

    @property
    def time_ms(self) -> float:
        """What it has for a decision, in milliseconds."""
        assert self.limits is not None and self.limits.time_ms is not None
        return self.limits.time_ms

    @property
    def patience_s(self) -> float:
        """After so long a program that has not answered hangs."""
        return 2 * self.time_ms / 1000 + 1


class Program:
    """A running program and its watcher, a process that ends it if this one is gone. Used by one thread at a time."""

    def __init__(self, settings: ExternalSettings) -> None:
        """Start it and wait for its hello. Raises NoAnswer."""
        try:
            self._process = subprocess.Popen(
                settings.command, cwd=settings.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        except OSError as error:
            raise NoAnswer(f"{settings.command[0]} can't be started: {(error.strerror or str(error)).lower()}") from None
        self._watcher = subprocess.Popen(
            ["/bin/sh", "-c", _WATCH, "sh", str(self._process.pid)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        _running.add(self)
        self._lines: queue.Queue[bytes] = queue.Queue(_MOST_LINES)      # b"" is the end
        threading.Thread(target=self._read, name="external bot", daemon=True).start()
        try:
            said = self.ask({"type": "hello", "protocol": PROTOCOL}, START_S, None)
            if said.get("type") != "hello" or said.get("protocol") != PROTOCOL:
                raise NoAnswer(f"it answered hello with {said!r}; {{\"type\": \"hello\", \"protocol\": {PROTOCOL}}} was expected")
        except BaseException:
            self.kill()
            raise

    @property
    def is_running(self) -> bool:
        """Has it not ended?"""
        return self._process.poll() is None

    def ask(self, message: Mapping[str, Any], patience_s: float, stop: StopFlag | None) -> dict[str, Any]:
        """Send a message and wait for the next line. Raises NoAnswer."""
        if not self._lines.empty() and self.is_running:
            raise NoAnswer("it spoke without being asked", "illegal")
        self.tell(message)
        end = time.monotonic() + patience_s
        while True:
            if stop is not None and stop.is_set:
                raise NoAnswer("nobody waits for its answer any more", "timeouts")
            left = end - time.monotonic()
            if left <= 0:
                raise NoAnswer(f"no answer within {patience_s:g} s", "timeouts")
            with contextlib.suppress(queue.Empty):
                line = self._lines.get(timeout=min(left, _LOOK_S if stop is not None else left))
                break
        if not line:
            raise NoAnswer(self._silenced())
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict):
            raise NoAnswer(f"{line[:80]!r} is not a JSON object in one line", "illegal")
        return said

    def _silenced(self) -> str:
        """Why nothing more will come from it."""
        try:
            return f"it ended (exit code {self._process.wait(_GOODBYE_S)})"
        except subprocess.TimeoutExpired:
            return "it closed its output"

    def tell(self, message: Mapping[str, Any]) -> None:
        """Send a message. Raises NoAnswer."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise NoAnswer(f"it ended (exit code {self._process.poll()})") from None

    def kill(self) -> None:
        """End it and what it has started."""
        _running.discard(self)
        self._watcher.kill()        # first: once the program is waited for its number may be another's
        self._watcher.communicate()
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        with contextlib.suppress(queue.Empty):
            while True:     # its reader may wait for room
                self._lines.get_nowait()

    def bye(self) -> None:
        """Let it end by itself, or end it."""
        with contextlib.suppress(NoAnswer):
            self.tell({"type": "bye"})
        with contextlib.suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GOODBYE_S)
        self.kill()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while line := self._process.stdout.readline(LONGEST_LINE):
                self._lines.put(line)
        self._lines.put(b"")


_running: set[Program] = set()
_failed: dict[ExternalSettings, float] = {}     # when a start failed
_idle: dict[ExternalSettings, list[Program]] = {}
_idle_lock = threading.Lock()


@contextlib.contextmanager
def borrowed(settings: ExternalSettings) -> Iterator[Program]:
    """A program that nobody else asks meanwhile, started if there is none. One that fails is ended. Raises NoAnswer."""
    with _idle_lock:
        waiting = _idle.setdefault(settings, [])
        program = waiting.pop() if waiting else None
    if program is not None and not program.is_running:
        program.kill()      # its watcher, and what it has left behind
        program = None
    if program is None:
        program = _started(settings)
    try:
        yield program
    except BaseException:
        program.kill()
        raise
    with _idle_lock:
        _idle[settings].append(program)


def _started(settings: ExternalSettings) -> Program:
    """A new program. One that can't be started is not tried again for a while: each try may take START_S. Raises NoAnswer."""
    if time.monotonic() - _failed.get(settings, -_PAUSE_S) < _PAUSE_S:
        raise NoAnswer("it could not be started a moment ago")
    try:
        return Program(settings)
    except NoAnswer:
        _failed[settings] = time.monotonic()
        raise


def kill_programs() -> None:
    """End all programs at once, those that think included."""
    for program in list(_running):
        program.kill()


at_abrupt_end.append(kill_programs)


@atexit.register
def end_programs() -> None:
    """Say goodbye to all programs that wait for work."""
    with _idle_lock:
        programs = [program for waiting in _idle.values() for program in waiting]
        _idle.clear()
    for program in programs:
        program.bye()


class ExternalPolicy(GuardedPolicy):
    """Asks a program."""

    def ask(self, question: Question, stop: StopFlag | None) -> object:
        assert isinstance(self.settings, ExternalSettings)
        with borrowed(self.settings) as program:
            began = time.monotonic()
            said = program.ask(message_of(question, self.settings.time_ms), self.settings.patience_s, stop)
            if 1000 * (time.monotonic() - began) > self.settings.time_ms:
                self.faults.overshoots += 1
            if said.get("type") != "answer" or "action" not in said:
                raise NoAnswer(f"it answered {str(said)[:80]}; {{\"type\": \"answer\", \"action\": ...}} was expected", "illegal")
        return said["action"]


def message_of(question: Question, time_ms: float) -> dict[str, Any]:
    """What a program reads of a decision."""
    return {
        "type": "decision", "game": question.game, "settings": question.settings, "seats": question.seats, "seat": question.seat,
        "prompt": question.prompt, "question": question.text, "actions": list(question.actions), "labels": list(question.labels),
        "scores": list(question.scores), "observation": question.observation, "seed": question.seed, "time_ms": time_ms,
    }


# ---- The file that names programs ----

_KEYS = {"command": list, "summary": str, "time_ms": (int, float), "reproducible": bool}


def register_external(path: Path) -> None:
    """Register the bots of a TOML file, one table each: `[my_bot]` with `command = ["./my_bot", "--fast"]`. Raises BotError."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BotError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BotError(f"{path} is not TOML: {error}") from None
    for name, values in tables.items():
        check_name(name)
        _register(name, _checked(name, values, path), path)


def _checked(name: str, values: object, path: Path) -> dict[str, Any]:
    if not isinstance(values, dict):
        raise BotError(f"{path}: {name} is no table; a bot is [{name}] with its command")
    for key, value in values.items():
        if key not in _KEYS:
            raise BotError(f"{path}: the bot {name} has no {key!r}{nearest(key, _KEYS)} (known: {', '.join(_KEYS)})")
        if not isinstance(value, _KEYS[key]) or (isinstance(value, bool) and key != "reproducible"):   # type: ignore[arg-type]
            raise BotError(f"{path}: {key} of the bot {name} can't be {value!r}")
    command = values.get("command")
    if not command or not all(isinstance(word, str) and word for word in command):
        raise BotError(f"{path}: the bot {name} needs a command, a list of words such as [\"./{name}\", \"--fast\"]")
    return values


def _register(name: str, values: Mapping[str, Any], path: Path) -> None:
    command = tuple(values["command"])
    if shutil.which(command[0], path=None if os.sep not in command[0] else str(path.parent)) is None \
            and not os.access(path.parent / command[0], os.X_OK):
        raise BotError(f"{path}: the bot {name} needs {command[0]}, which is no program here")
    try:
        usual = float(milliseconds(str(values.get("time_ms", TIME_MS))))
    except ValueError as error:
        raise BotError(f"{path}: time_ms of the bot {name}: {error}") from None
    repeats = bool(values.get("reproducible", False))

    def resolve(parameters: Mapping[str, Value], game: GameSpec) -> ExternalSettings:
        return ExternalSettings(name, limits=Limits(time_ms=float(parameters.get("time_ms", usual))), command=command,
                                folder=str(path.parent), reproducible=repeats)

    register_bot(BotInfo(
        name, title_of(name), values.get("summary", "An external program."), make=ExternalPolicy, thinks=True, resolve=resolve,
        parameters=(BotParameter("time_ms", milliseconds, "Milliseconds per decision, which the program is told.", f"{usual:g}"),)))
