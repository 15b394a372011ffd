"""Files of bots that travel: to machines that don't have them."""
from __future__ import annotations

import atexit
import os
import shutil
import stat
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from seatmate.ai.bots.own import FILES, load_bots


@dataclass(frozen=True, slots=True)
class CarriedFile:
    """A file beside others. path: below their folder · is_program: may it be executed?"""

    path: str
    content: bytes
    is_program: bool


@dataclass(frozen=True, slots=True)
class CarriedBots:
    """A file of bots (see `load_bots`), which is the first of `files`, and what it needs of its own folder."""

    files: tuple[CarriedFile, ...]


def carried_bots() -> tuple[CarriedBots, ...]:
    """What this process has loaded, with the modules of the same folder that were imported, and with the files that the commands of
    external bots name. Programs that lie elsewhere are not carried. Raises OSError.
    """
    paths = [Path(file) for file in os.environ.get(FILES, "").split(os.pathsep) if file]
    return tuple(CarriedBots(tuple(_read(path.parent, needed) for needed in (path, *_needed(path)))) for path in paths)


def load_carried(bots: tuple[CarriedBots, ...]) -> None:
    """Make them known in this process, and in all that it starts, in place of what its environment names; what it has loaded
    before stays as it is. Their files lie in a folder that is gone with the process. Raises BotError, OSError.
    """
    os.environ[FILES] = os.pathsep.join(map(str, _loaded.values()))
    for one in bots:
        if one in _loaded:
            continue
        folder = Path(tempfile.mkdtemp(prefix="seatmate-bots-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        for file in one.files:
            path = folder / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
            if file.is_program:
                path.chmod(path.stat().st_mode | stat.S_IXUSR)
        _loaded[one] = folder / one.files[0].path
        load_bots(_loaded[one])


_loaded: dict[CarriedBots, Path] = {}


def _read(folder: Path, path: Path) -> CarriedFile:
    return CarriedFile(str(path.relative_to(folder)), path.read_bytes(), os.access(path, os.X_OK))


def _needed(bots: Path) -> Iterator[Path]:
    """Other files of the folder that a file of bots needs."""
    folder = bots.parent
    if bots.suffix == ".toml":
        commands = (table["command"] for table in tomllib.loads(bots.read_text(encoding="utf-8")).values())
        named = dict.fromkeys((folder / word).resolve() for command in commands for word in command)
        yield from (path for path in named if path.is_file() and path.is_relative_to(folder))
        return
    for name, module in list(sys.modules.items()):
        place = folder.joinpath(*name.split("."))
        if getattr(module, "__file__", None) in (str(place.with_name(f"{place.name}.py")), str(place / "__init__.py")):
            yield Path(str(module.__file__))
