"""Resource names: `games/{game}`, `bots/{bot}`, `tables/{table}`, `tables/{table}/seats/{seat}`, `tournaments/{tournament}`."""
from __future__ import annotations

import hashlib
import re
import secrets

from seatmate.engine.core.errors import nearest
from seatmate.engine.core.game import SPECTATORS
from seatmate.engine.core.registry import list_games
from seatmate.server.errors import ApiError, bad_field

_TABLE = re.compile(r"tables/([a-z0-9]{1,32})")
_SEAT = re.compile(r"tables/([a-z0-9]{1,32})/seats/([0-9])")
_TOURNAMENT = re.compile(r"tournaments/([a-z0-9]{1,32})")
_ID = re.compile(r"[a-z][a-z0-9_]{0,62}")
_LONGEST_ECHO = 80
_ID_BYTES = 10


def _quote(name: str) -> str:
    return repr(name if len(name) <= _LONGEST_ECHO else name[:_LONGEST_ECHO] + "...")


def _wrong(field: str, name: str, pattern: str, meant: str = "") -> ApiError:
    return bad_field(field, f"{_quote(name)} is not a name of the form {pattern}{meant}", "BAD_NAME")


def _meant(name: str, form: re.Pattern[str]) -> str:
    """The end of an error message where something was left out of a table's or a seat's name."""
    near = next((near for near in (f"tables/{name}", f"{name}/seats/0", f"tables/{name}/seats/0") if form.fullmatch(near)), "")
    return f"; did you mean '{near}'?" if near else ""


def new_table_id(request_id: str | None = None) -> str:
    """An id nobody can guess; of a request that has an id always the same one."""
    return _new_id("table", request_id)


def new_tournament_id(request_id: str | None = None) -> str:
    """As `new_table_id`."""
    return _new_id("tournament", request_id)


def _new_id(kind: str, request_id: str | None) -> str:
    if request_id is None:
        return secrets.token_hex(_ID_BYTES)
    return hashlib.sha256(f"{kind} of {request_id}".encode()).hexdigest()[:2 * _ID_BYTES]


def descendant_id(seed: int, parent_id: str, kind: str, request: str) -> str:
    """The id of a table that descends from another: of the same request always the same one, and nobody guesses it who has not
    the parent's secret.
    """
    return hashlib.sha256(f"{kind} of {parent_id} {seed} {request}".encode()).hexdigest()[:2 * _ID_BYTES]


def table_name(table_id: str) -> str:
    """`tables/{table}`."""
    return f"tables/{table_id}"


def seat_name(table_id: str, seat: int) -> str:
    """`tables/{table}/seats/{seat}`."""
    return f"tables/{table_id}/seats/{seat}"


def observer_name(table_id: str, observer: int) -> str:
    """The name of a seat, or of the table for everybody without a seat."""
    return table_name(table_id) if observer == SPECTATORS else seat_name(table_id, observer)


def parse_table(name: str, field: str = "name") -> str:
    """The table's id. Raises ApiError."""
    found = _TABLE.fullmatch(name)
    if found is None:
        raise _wrong(field, name, "tables/{table}", _meant(name, _TABLE))
    return found[1]


def tournament_name(tournament_id: str) -> str:
    """`tournaments/{tournament}`."""
    return f"tournaments/{tournament_id}"


def parse_tournament(name: str) -> str:
    """The tournament's id. Raises ApiError."""
    found = _TOURNAMENT.fullmatch(name)
    if found is None:
        raise _wrong("name", name, "tournaments/{tournament}")
    return found[1]


def parse_seat(name: str, field: str = "name") -> tuple[str, int]:
    """The table's id and the seat. Raises ApiError."""
    found = _SEAT.fullmatch(name)
    if found is None:
        raise _wrong(field, name, "tables/{table}/seats/{seat}", _meant(name, _SEAT))
    return found[1], int(found[2])


def parse_observer(name: str, field: str = "observer") -> tuple[str, int]:
    """The table's id and the seat, or SPECTATORS for the name of a table. Raises ApiError."""
    found = _TABLE.fullmatch(name)
    if found is not None:
        return found[1], SPECTATORS
    if _SEAT.fullmatch(name) is None:
        raise _wrong(field, name, "tables/{table} or tables/{table}/seats/{seat}", _meant(name, _TABLE) or _meant(name, _SEAT))
    return parse_seat(name, field)


def parse_game(name: str, field: str = "name") -> str:
    """The game's id. Raises ApiError."""
    prefix, _, game = name.partition("/")
    if prefix != "games" or _ID.fullmatch(game) is None:
        known = [spec.id for spec in list_games()]
        raise _wrong(field, name, "games/{game}", nearest(name.strip("/").rpartition("/")[2].lower(), known, "games/"))
    return game
