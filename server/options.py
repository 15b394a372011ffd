"""How a setting of the server is declared: once, where its field stands, with its range and what the command line says of it.

`seatmate serve`, its environment variables, its file, the checks at the start and the table in docs/serving.md all come from it.
"""
from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, get_args, get_type_hints

from seatmate.engine.core.errors import SeatmateError

_KEY = "option"


class StartupError(SeatmateError):
    """The server can't start as it was told to; one sentence for the person who started it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """What the command line says of a field, and which values it takes."""

    flag: str       # without dashes
    help: str
    group: str      # of the help
    metavar: str | None
    least: float | None
    most: float | None
    unit: int       # the flag's value times this is the field's
    default: str | None     # in words, where the value says nothing


def option(group: str, default: Any = dataclasses.MISSING, help_: str = "", *, flag: str, metavar: str | None = None,
           least: float | None = None, most: float | None = None, unit: int = 1, words: str | None = None,
           factory: Callable[[], Any] | None = None) -> Any:
    """A field that can be set by `--flag`, in this group of the help.

    least, most: what the field takes · unit: the flag's value times this is the field's · words: what the default is, where its
    value does not say it.
    """
    metadata = {_KEY: Option(flag=flag, help=help_, group=group, metavar=metavar, least=least, most=most, unit=unit,
                             default=words)}
    if factory is not None:
        return dataclasses.field(default_factory=factory, metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Setting:
    """A declared field. path: of names from the outermost dataclass · type: of the field, without its `| None`."""

    path: tuple[str, ...]
    option: Option
    type: Any
    default: Any    # None where it is made anew each time

    @property
    def parameter(self) -> str:
        """Its name in Python, and in capital letters behind SEATMATE_ in the environment."""
        return self.option.flag.replace("-", "_")


def settings(kind: type, path: tuple[str, ...] = ()) -> Iterator[Setting]:
    """Those of a dataclass and of the dataclasses in it. Raises TypeError for a field that nobody could set."""
    hints = get_type_hints(kind)
    for field in fields(kind):
        where = (*path, field.name)
        known = [one for one in get_args(hints[field.name]) if one is not type(None)]
        type_ = known[0] if type(None) in get_args(hints[field.name]) else hints[field.name]
        if is_dataclass(type_):
            yield from settings(type_, where)   # type: ignore[arg-type]
        elif _KEY in field.metadata:
            default = None if field.default is dataclasses.MISSING else field.default
            yield Setting(where, field.metadata[_KEY], type_, default)
        else:
            raise TypeError(f"{kind.__name__}.{field.name} has no option")


def check_ranges(instance: Any) -> None:
    """Raises StartupError unless each number of this dataclass is within its range."""
    for field in fields(instance):
        found: Option | None = field.metadata.get(_KEY)
        value = getattr(instance, field.name)
        if found is None or not isinstance(value, int | float) or (found.least, found.most) == (None, None):
            continue
        least = -math.inf if found.least is None else found.least
        most = math.inf if found.most is None else found.most
        if not (least <= value <= most and math.isfinite(value)):
            raise StartupError(f"{found.flag} is outside {least:.15g}..{most:.15g}{' bytes' * (found.unit != 1)}: {value}")


def build(kind: Any, values: dict[tuple[str, ...], Any], path: tuple[str, ...] = ()) -> Any:
    """The dataclass with these values by path, and its defaults for all others. Raises StartupError."""
    given: dict[str, Any] = {}
    hints = get_type_hints(kind)
    for field in fields(kind):
        where = (*path, field.name)
        if where in values:
            given[field.name] = values[where]
        elif any(known[:len(where)] == where for known in values):
            inner = next(one for one in (hints[field.name], *get_args(hints[field.name])) if is_dataclass(one))
            given[field.name] = build(inner, values, where)
    return kind(**given)
