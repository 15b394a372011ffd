"""Running command lines in this process and as real processes."""
from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from seatmate.server import logs, service
from seatmate.server.cli.main import run
from seatmate.server.config import ServerConfig


@dataclass(frozen=True)
class Outcome:
    """What a command line did."""

    code: int
    stdout: str
    stderr: str

    def json(self) -> dict[str, Any]:
        """The one JSON object on stdout. Fails when there is anything else."""
        result = json.loads(self.stdout)
        assert isinstance(result, dict)
        return result

    def refused(self, code: int, *parts: str) -> None:
        """The command failed with this code and one sentence on stderr that contains the parts."""
        assert self.code == code, self
        lines = self.stderr.splitlines()
        assert len(lines) == 1 and lines[0].startswith("seatmate: "), self.stderr
        for part in parts:
            assert part in lines[0], lines[0]
        assert "internal error" not in lines[0] or "internal error" in parts[0], lines[0]
        assert "Traceback" not in self.stdout


CommandLine = Callable[..., Outcome]


@pytest.fixture
def seatmate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> CommandLine:
    """Run a command line in this process, in an empty folder, with `stdin` as its input."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "110")

    def call(*arguments: str, stdin: str = "") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        capsys.readouterr()
        code = run(arguments)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call


def command(*arguments: str) -> list[str]:
    """The installed command as a real process would be started."""
    return [str(Path(sys.executable).with_name("seatmate")), *arguments]


def prepared(code: str, *arguments: str) -> list[str]:
    """The command as a process that runs some Python before it begins.

    A preexec_fn would run it in a fork of this process, which threads of gRPC may not survive.
    """
    return [sys.executable, "-I", "-S", "-c", f"import os, sys; {code}; os.execv(sys.argv[1], sys.argv[1:])", *command(*arguments)]


def environment(**extra: str) -> dict[str, str]:
    """The environment of a process without a terminal's settings."""
    hidden = ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE")
    return {key: value for key, value in os.environ.items() if key not in hidden and not key.startswith("SEATMATE_")} | extra


def process(arguments: Sequence[str], *, cwd: Path, stdin: str = "", timeout: float = 120, **extra: str) -> Outcome:
    """Run the installed command in its own process."""
    done = subprocess.run(command(*arguments), cwd=cwd, input=stdin, capture_output=True, text=True, timeout=timeout,
                          env=environment(**extra), check=False)
    return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def configured(monkeypatch: pytest.MonkeyPatch) -> list[ServerConfig]:
    """What a server would be started with."""
    found: list[ServerConfig] = []

    async def note(config: ServerConfig, **_: object) -> None:
        found.append(config)

    monkeypatch.setattr(service, "serve", note)
    monkeypatch.setattr(logs, "setup", lambda level: None)
    return found
