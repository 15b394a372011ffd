"""By-products of a tournament, each in a file beside its results file: `FILE.times` beside FILE.

It is one JSON object, written anew after every batch of deals, so that a run that is killed loses little of it. Without it, or with
that of another tournament, a report just says nothing of it.
"""
from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

from seatmate.ai.arena.spec import TournamentSpec

VERSION = 1

Kind = Literal["times", "values"]
_Read = TypeVar("_Read")


def save_beside(results: str | os.PathLike[str], kind: Kind, spec: TournamentSpec, bots: Mapping[str, Any]) -> None:
    """Write what there is of each bot. Where it can't be written the tournament goes on without."""
    path = _path(results, kind)
    text = json.dumps({"format": f"seatmate-{kind}", "version": VERSION, "tournament": _mark(spec), "bots": bots})
    with contextlib.suppress(OSError):
        path.with_name(path.name + "~").write_text(text + "\n", encoding="utf-8")
        os.replace(path.with_name(path.name + "~"), path)


def load_beside(results: str | os.PathLike[str], kind: Kind, spec: TournamentSpec,
                read: Callable[[Any], _Read]) -> dict[str, _Read]:
    """What the file says of each bot of this tournament, as `read` understands it (KeyError, TypeError and ValueError: it does
    not); nothing where there is no file, or that of another tournament.
    """
    try:
        data = json.loads(_path(results, kind).read_text(encoding="utf-8"))
        if (data["format"], data["version"], data["tournament"]) != (f"seatmate-{kind}", VERSION, _mark(spec)):
            return {}
        return {bot: read(one) for bot, one in data["bots"].items() if bot in spec.labels}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _path(results: str | os.PathLike[str], kind: Kind) -> Path:
    path = Path(results)
    return path.with_name(f"{path.name}.{kind}")


def _mark(spec: TournamentSpec) -> int:
    """Tells one tournament from another."""
    return zlib.crc32(json.dumps(spec.to_json(), sort_keys=True).encode())
