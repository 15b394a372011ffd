"""The errors of the engine: each one a clear sentence that says what was wrong and what is right."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class SeatmateError(Exception):
    """Base of every error a caller can cause."""


class UnknownGameError(SeatmateError):
    """No registered game has this id."""


class BrokenGameError(SeatmateError):
    """A game's own code or spec is wrong, so it can't be played; the message names the game and what to mend."""


class SettingsError(SeatmateError):
    """A mode, seat count, option or pack of a new game is wrong; `field` names it."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field


class PackError(SeatmateError):
    """A content pack is malformed; the message names the file, the table and the field."""


class RecordError(SeatmateError):
    """A stored game record is broken, or was written under other rules or content."""


class ActionError(SeatmateError):
    """An action was refused; the position is unchanged."""


class IllegalActionError(ActionError):
    """The action is not in the seat's legal list."""


class SeatNotPendingError(ActionError):
    """The seat is not asked anything now."""


class GameOverError(ActionError):
    """Nobody is asked anything any more."""


def nearest(name: str, known: Iterable[str], before: str = "") -> str:
    """The end of an error message: "; did you mean 'x'?", or nothing. `before` is put before the known name."""
    names = sorted(known)
    near = get_close_matches(name[:60], names, n=1) or [other for other in names if other.lower() == name.lower()]
    return f"; did you mean '{before}{near[0]}'?" if near else ""


def unlisted(value: object, known: Iterable[str]) -> str:
    """`'x' is not one of a, b, c`, with the nearest one."""
    names = tuple(known)
    return f"{value!r} is not one of {', '.join(names)}{nearest(str(value), names)}"


def suggest(name: str, known: Iterable[str]) -> str:
    """As `nearest`; if nothing is near, the known names if they are few."""
    names = sorted(known)
    if near := nearest(name, names):
        return near
    return f"; known: {', '.join(names)}" if 0 < len(names) <= 16 else ""
