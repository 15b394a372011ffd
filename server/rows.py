"""Rows of the database: what a table consists of on disk, and the checks that what is read is what was written.

A database can be damaged: by a disk, by hand, by a restored half. Whatever a column holds, reading it harms one table at most.
"""
from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from seatmate.engine.core.errors import SeatmateError

MAX_PACE_MS = 60_000
WINDOW_MS = (100, 60_000)
"""Least and most milliseconds of a pass window."""

KINDS = ("branch", "rematch")
"""How a table can descend from another."""

MOST_CHILDREN = 50
"""Of the tables that descend from one so many are known with it: its rematch, and the newest branches."""

RESIGNS = -1
"""In a log, the action of a seat that gives its game up: the rules know no such thing, and number their own from 0."""

CLOCK_MS = 7 * 24 * 3_600_000
"""Most milliseconds of each part of a clock: a week."""

LATEST_US = 253_402_300_799_999_999
"""The end of the year 9999, the last that a timestamp of the API can hold."""

_ID = re.compile(r"[a-z0-9]{1,32}")
_GAME = re.compile(r"[a-z][a-z0-9_]{0,62}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_HASH_BYTES = 32
_LONGEST_TEXT, _LONGEST_SETTINGS = 1_000, 100_000
"""Characters: more than any call lets in. A row that is larger must not make a whole list too large to be sent."""
_SETTINGS = {"game": str, "mode": str, "seats": int, "options": dict, "pack": str, "pack_hash": str}
_NO_SETTINGS = {name: kind() for name, kind in _SETTINGS.items()}

Row = Mapping[Any, Any]
"""A row as the driver gives it, by column."""


class Damage(SeatmateError):
    """A stored row is not what was written. The sentence quotes nothing of it, for that may be secret; `detail` is for the log."""

    def __init__(self, text: str, detail: str = "") -> None:
        super().__init__(text)
        self.detail = detail or text


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRow:
    """Who plays a seat. `holder` is open, player or bot."""

    seat: int
    holder: str = "open"
    display_name: str = ""
    bot: str = ""
    pace_ms: int = 0
    token_hash: bytes | None = None
    return_hash: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRow:
    """One acknowledged action. `written_us`: microseconds since 1970; 0 where that is not known."""

    seat: int
    action: int
    request_id: str | None = None
    written_us: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockRow:
    """How long people may think: `move_ms` in each step in which they are asked, beyond that from a reserve of `reserve_ms`, which
    grows by `increment_ms` with each such step. When both are used up, `bot` answers, and with `hands_over` plays on.
    """

    move_ms: int
    reserve_ms: int
    increment_ms: int
    bot: str
    hands_over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRow:
    """What a seat has left of its reserve, and since when its clock runs: microseconds since 1970; 0: nobody has sat there yet."""

    seat: int
    left_ms: int
    since_us: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginRow:
    """The table that this one descends from.

    kind: branch (after `steps` actions of its log) or rematch (everybody has moved on by `steps` seats).
    """

    parent_id: str
    kind: str
    steps: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """What never changes about a table, and whether it was seen to be finished.

    is_open: anybody may know it · invitation_hash: of the token that claims a free seat; None where a table has none, as those of
    earlier versions · pass_window: least and most milliseconds that a question which can be passed stays open; None: until it is
    answered · clock: how long people may think; None: as long as they like · take_back: may a
    player among bots take back what he did? · origin: the table it descends from · a page of tables says nothing of these five ·
    damage: what is wrong with the row, "" for nothing; columns that can't be read hold an empty value then.
    """

    id: str
    settings: dict[str, Any]
    rules_version: int
    seed: int
    display_name: str
    is_open: bool
    token_hash: bytes
    created_us: int
    finished: bool = False
    invitation_hash: bytes | None = None
    pass_window: tuple[int, int] | None = None
    clock: ClockRow | None = None
    take_back: bool = False
    origin: OriginRow | None = None
    damage: str = ""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A whole table. `damage` says what is wrong with any of its rows, "" for nothing; then there are no others.

    times: of each seat where the table has a clock, else none · children: (id, kind) of tables that descend
    from it: the rematch, then the newest branches.
    """

    table: TableRow
    seats: tuple[SeatRow, ...] = ()
    actions: tuple[ActionRow, ...] = ()
    times: tuple[TimeRow, ...] = ()
    children: tuple[tuple[str, str], ...] = ()
    damage: str = ""


def is_table_id(value: object) -> bool:
    """Can this be the id of a table?"""
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def stored_table(table: Row, seats: Iterable[Row], actions: Iterable[Row], times: Iterable[Row], parts: Mapping[str, Row | None],
                 children: Iterable[Row] = (), skip: int = 0) -> StoredTable:
    """A table of its rows; the actions are those from number `skip` on.

    parts: its rows in those tables of the database that have one for some (see _PARTS); None: it has none.
    """
    head = table_row(table)
    try:
        if head.damage:
            raise Damage(head.damage)
        for name, (field, read) in _PARTS.items():
            row = parts[name]
            if row is not None:
                head = replace(head, **{field: read(row)})
        return StoredTable(head, tuple(_seat(row, number) for number, row in enumerate(seats)),
                           tuple(_action(row, number) for number, row in enumerate(actions, start=skip)),
                           tuple(_time(row, number) for number, row in enumerate(times)),
                           tuple((row["table_id"], row["kind"]) for row in children
                                 if is_table_id(row["table_id"]) and row["kind"] in KINDS))
    except Damage as damage:
        return StoredTable(head, damage=str(damage))


def table_row(row: Row) -> TableRow:
    """A row of `tables`; never fails."""
    damage: list[str] = []

    def read(column: str, wanted: str, good: bool, value: Any, empty: Any) -> Any:
        if not good:
            damage.append(f"its {column} is not {wanted}")
        return value if good else empty

    settings = _settings(row["settings"])
    game = row["game"]
    known = isinstance(game, str) and _GAME.fullmatch(game) is not None
    seed = row["seed"]
    digits = isinstance(seed, str) and re.fullmatch(r"[0-9]{1,100}", seed) is not None
    values = {
        "id": read("id", "an id", is_table_id(row["id"]), row["id"], ""),
        "settings": read("settings", "JSON with all keys", settings is not None, settings,
                         {**_NO_SETTINGS, "game": game if known else ""}),
        "rules_version": read("rules_version", "a version", _is_int(row["rules_version"], 0, 2**31 - 1), row["rules_version"], 0),
        "seed": read("seed", "a number", digits, int(seed) if digits else 0, 0),
        "display_name": read("display_name", "text", _is_text(row["display_name"]), row["display_name"], ""),
        "is_open": not read("invite_only", "a truth value", _is_int(row["invite_only"], 0, 1), row["invite_only"], True),
        "token_hash": read("token_hash", "a hash", _is_hash(row["token_hash"]), row["token_hash"], b""),
        "created_us": read("created_us", "a time", _is_int(row["created_us"], 1, LATEST_US), row["created_us"], 0),
        "finished": bool(read("finished", "a truth value", _is_int(row["finished"], 0, 1), row["finished"], False))}
    read("game", "that of its settings", settings is None or game == settings["game"], None, None)
    return TableRow(**values, damage="; ".join(damage))


def _settings(text: Any) -> dict[str, Any] | None:
    """Settings.to_json of its text; None when it is not."""
    if not isinstance(text, str) or len(text) > _LONGEST_SETTINGS:
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or any(type(found.get(name)) is not kind for name, kind in _SETTINGS.items()):
        return None
    texts = [found[name] for name, kind in _SETTINGS.items() if kind is str] + list(found["options"])
    for value in found["options"].values():
        texts += value if isinstance(value, list) else ["" if isinstance(value, bool | int) else value]
    return found if 1 <= found["seats"] <= 8 and all(_is_text(text, _LONGEST_SETTINGS) for text in texts) else None


def _seat(row: Row, number: int) -> SeatRow:
    """A row of `seats`. Raises Damage."""
    if not _is_int(row["seat"], number, number):
        raise Damage(f"the row of seat {number} is missing, or is there twice")
    wrong = next((column for column, good in (
        ("holder", row["holder"] in ("open", "player", "bot")),
        ("display_name", _is_text(row["display_name"])),
        ("bot", _is_text(row["bot"]) and bool(row["bot"]) == (row["holder"] == "bot")),
        ("pace_ms", _is_int(row["pace_ms"], 0, MAX_PACE_MS)),
        ("token_hash", _is_hash(row["token_hash"]) if row["holder"] == "player" else row["token_hash"] is None),
        ("return_hash", row["return_hash"] is None or _is_hash(row["return_hash"]))) if not good), None)
    if wrong is not None:
        raise Damage(f"the {wrong} of seat {number} can't be right")
    return SeatRow(**{name: row[name] for name in SeatRow.__slots__})


def _action(row: Row, number: int) -> ActionRow:
    """A row of `actions`, which has to be the one of this number. Raises Damage."""
    if not _is_int(row["number"], number, number):
        raise Damage(f"action {number} of its log is missing, or is there twice")
    if not _is_int(row["seat"], 0, 7):
        raise Damage(f"the seat of action {number} of its log is none")
    if not _is_int(row["action"], -2**63, 2**63 - 1):
        raise Damage(f"action {number} of its log is no number")
    if not (row["request_id"] is None or _is_text(row["request_id"])):
        raise Damage(f"the request_id of action {number} of its log is no text")
    written = row["written_us"] if _is_int(row["written_us"], 1, LATEST_US) else 0      # a game can be played on without it
    return ActionRow(**{**{name: row[name] for name in ActionRow.__slots__}, "written_us": written})


def _window(row: Row) -> tuple[int, int]:
    """A row of `pass_windows`. Raises Damage."""
    least, most = row["least_ms"], row["most_ms"]
    if not (_is_int(least, *WINDOW_MS) and _is_int(most, *WINDOW_MS) and least <= most):
        raise Damage("its pass window can't be right")
    return least, most


def _invitation(row: Row) -> bytes:
    """A row of `invitations`. Raises Damage."""
    if not _is_hash(row["token_hash"]):
        raise Damage("its invitation can't be right")
    return bytes(row["token_hash"])


def _clock(row: Row) -> ClockRow:
    """A row of `clocks`. Raises Damage."""
    times = [row[name] for name in ("move_ms", "reserve_ms", "increment_ms")]
    if not (all(_is_int(value, 0, CLOCK_MS) for value in times) and _is_text(row["bot"]) and row["bot"]
            and _is_int(row["hands_over"], 0, 1)):
        raise Damage("its clock can't be right")
    return ClockRow(**{**{name: row[name] for name in ClockRow.__slots__}, "hands_over": bool(row["hands_over"])})


def _time(row: Row, number: int) -> TimeRow:
    """A row of `seat_times`. Raises Damage."""
    if not (_is_int(row["seat"], number, number) and _is_int(row["left_ms"], 0, 2**62) and _is_int(row["since_us"], 0, LATEST_US)):
        raise Damage(f"the time of seat {number} can't be right")
    return TimeRow(**{name: row[name] for name in TimeRow.__slots__})


def _take_back(row: Row) -> bool:
    """A row of `take_backs`. Raises Damage."""
    if not _is_int(row["allowed"], 0, 1):
        raise Damage("whether moves may be taken back can't be told")
    return bool(row["allowed"])


def _origin(row: Row) -> OriginRow:
    """A row of `origins`. Raises Damage."""
    if not (is_table_id(row["parent_id"]) and row["kind"] in KINDS and _is_int(row["steps"], 0, 2**31 - 1)):
        raise Damage("the table it comes from can't be right")
    return OriginRow(**{name: row[name] for name in OriginRow.__slots__})


_PARTS: Mapping[str, tuple[str, Callable[[Row], Any]]] = {
    "pass_windows": ("pass_window", _window), "invitations": ("invitation_hash", _invitation), "clocks": ("clock", _clock),
    "take_backs": ("take_back", _take_back), "origins": ("origin", _origin)}
"""By table of the database: the field of TableRow that it holds, and how its row is read."""


def _is_int(value: Any, least: int, most: int) -> bool:
    """A whole number within these bounds? (A database without truth values stores them as 0 and 1.)"""
    return isinstance(value, int) and least <= value <= most


def _is_text(value: Any, most: int = _LONGEST_TEXT) -> bool:
    """Text of at most so many characters that was UTF-8 (see Storage: other bytes are read as surrogates)?"""
    return isinstance(value, str) and len(value) <= most and not _SURROGATE.search(value)


def _is_hash(value: Any) -> bool:
    return isinstance(value, bytes) and len(value) == _HASH_BYTES
