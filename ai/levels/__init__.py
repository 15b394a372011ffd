"""Levels: for each game eight bots by name, from `novice` to `master`, with measured ratings.

A game's levels stand in GAME.toml beside this file, which `seatmate levels GAME --calibrate --write FILE` makes
(seatmate.ai.arena.levels says how). A game without one has those of default.toml, whose strength nobody has measured.
"""
from __future__ import annotations

import functools
import json
import tomllib
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from seatmate.engine.core.errors import SeatmateError, nearest

NAMES = ("novice", "beginner", "casual", "regular", "skilled", "advanced", "expert", "master")
"""The levels of every game, weakest first."""

ELO_UNIT, UTILITY_UNIT = "Elo above random", "mean utility"
"""Of ratings: where players meet, and in cooperative games."""

LEAST_STEP, MOST_STEP = 0.60, 0.65
"""Between which a level should score against the one below."""

_DEFAULT = "default"


class LevelsError(SeatmateError):
    """A game has no level of this name, or its file of levels is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """How a level does against the one below it: mean utility on the same deals (cooperative: its gain), and the half width of its
    95 % interval."""

    mean: float
    ci95: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One level of a game.

    bot: what plays it, as text · rating: where measured (points, low, high), 95 %, above `random`; in cooperative games mean
    utility · step: against the level below; None for the lowest · ms: milliseconds of half and of 99 % of its moves, and the most ·
    choices: what it answered in some positions when it was measured (seatmate.ai.arena.choices).
    """

    name: str
    bot: str
    rating: tuple[float, float, float] | None = None
    step: Step | None = None
    ms: tuple[float, float, float] | None = None
    choices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """The levels of a game, weakest first, and of what they were measured in (empty where nobody has).

    measured: game, mode, seats, pack, rules_version, seatmate, deals, seed of the measurement · unit: of ratings · graded: whether
    a game is won by more or less, so that a score is no share of games won.
    """

    levels: tuple[Level, ...]
    unit: str = ""
    graded: bool = False
    measured: dict[str, Any]

    @property
    def cramped(self) -> bool:
        """Are neighbours nearer to each other than 60 %, because a game has no room for more?"""
        steps = [level.step.mean for level in self.levels if level.step is not None]
        return self.unit == ELO_UNIT and bool(steps) and sum(steps) / len(steps) < LEAST_STEP

    def named(self, name: str) -> Level:
        """Raises LevelsError."""
        found = next((level for level in self.levels if level.name == name), None)
        if found is None:
            raise LevelsError(f"no level is called {name!r}{nearest(name, NAMES)} (levels: {', '.join(NAMES)})")
        return found

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"measured": self.measured, "unit": self.unit, "graded": self.graded, "cramped": self.cramped, "levels": [
            {"name": level.name, "bot": level.bot, "rating": level.rating and list(level.rating),
             "step": level.step and {"mean": level.step.mean, "ci95": level.step.ci95}, "ms": level.ms and list(level.ms)}
            for level in self.levels]}


@functools.lru_cache(256)
def levels_of(game_id: str) -> Levels:
    """The levels of a game. Raises LevelsError for a file that is wrong."""
    folder = resources.files(__name__)
    file = folder / f"{game_id}.toml"
    return read_levels(file if file.is_file() else folder / f"{_DEFAULT}.toml")


def read_levels(file: Traversable) -> Levels:
    """Read a file of levels. Raises LevelsError."""
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        levels = tuple(Level(name=str(row["name"]), bot=str(row["bot"]), rating=_three(row.get("rating")), ms=_three(row.get("ms")),
                             choices=tuple(map(int, row.get("choices", ()))),
                             step=Step(mean=float(row["step"][0]), ci95=float(row["step"][1])) if "step" in row else None)
                       for row in data["levels"])
        found = Levels(levels=levels, unit=str(data.get("unit", "")), graded=bool(data.get("graded", False)),
                       measured=dict(data.get("measured", {})))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError, IndexError) as error:
        raise LevelsError(f"{file.name}: {error}") from None
    if tuple(level.name for level in levels) != NAMES:
        raise LevelsError(f"{file.name}: its levels must be {', '.join(NAMES)}, in this order")
    return found


def write_levels(levels: Levels) -> str:
    """The text of a file that `read_levels` reads."""
    lines = [f"unit = {_quoted(levels.unit)}", *(["graded = true"] if levels.graded else []), "", "[measured]"]
    lines += [f"{key} = {_quoted(value) if isinstance(value, str) else value}" for key, value in levels.measured.items()]
    for level in levels.levels:
        lines += ["", "[[levels]]", f"name = {_quoted(level.name)}", f"bot = {_quoted(level.bot)}"]
        if level.rating is not None:
            lines.append(f"rating = {_numbers(level.rating)}")
        if level.step is not None:
            lines.append(f"step = {_numbers((level.step.mean, level.step.ci95))}")
        if level.ms is not None:
            lines.append(f"ms = {_numbers(level.ms)}")
        if level.choices:
            lines.append(f"choices = {list(level.choices)}")
    return "\n".join(lines) + "\n"


def _three(values: Any) -> tuple[float, float, float] | None:
    if values is None:
        return None
    first, second, third = map(float, values)
    return first, second, third


def _numbers(values: tuple[float, ...]) -> str:
    return f"[{', '.join(f'{value:.4g}' if abs(value) < 1000 else f'{value:.0f}' for value in values)}]"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
