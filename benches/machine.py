"""Where and with what a measurement was made: versions, processor, load; and how it is written down."""
from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich.console import Console

ROOT = Path(__file__).parents[1]


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor())


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _commit() -> str | None:
    """The commit of the working copy, with a plus when something in it has changed; None outside a working copy."""
    try:
        return subprocess.run(["git", "describe", "--always", "--dirty=+", "--abbrev=10"], cwd=ROOT, capture_output=True,
                              text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def facts() -> dict[str, Any]:
    """Plain values; `load_average` is that of the last 1, 5 and 15 minutes, `affinity` the cores this process may use."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": _commit(),
        "versions": {"python": platform.python_version(),
                     **{package: _version(package) for package in ("seatmate", "open_spiel", "numpy", "cython")}},
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "affinity": sorted(os.sched_getaffinity(0)),
        "load_average": [round(load, 2) for load in os.getloadavg()],
        "system": platform.platform(),
    }


def sentence(machine: dict[str, Any]) -> str:
    """One line for people."""
    versions = ", ".join(f"{name} {number}" for name, number in machine["versions"].items() if number)
    return f"{machine['cpu']}, {machine['cores']} cores, load {machine['load_average'][0]:g}; {versions}"


def write_json(path: str | None, result: dict[str, Any]) -> None:
    """Write a result; `-` is standard output, None nowhere. What can't be written to its file is printed, and exit code 1."""
    if path is None:
        return
    text = json.dumps(result, indent=1, allow_nan=False) + "\n"
    if path == "-":
        print(text, end="")
        return
    try:
        Path(path).write_text(text)
    except OSError as error:
        print(text, end="")
        sys.exit(f"error: {path} can't be written: {error.strerror}")


def console(path: str | None) -> Console:
    """Where people look: standard error when the JSON goes to standard output; wide enough for a table in a pipe."""
    found = Console(stderr=path == "-")
    if not found.is_terminal:
        found.width = 120
    return found
