"""All stored tables from outside: how old they are and how busy, for who runs the server."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from seatmate.server.rows import LATEST_US, is_table_id

EARLIEST_US = 1_577_836_800_000_000
"""2020: what is said to be older is damaged, and stays."""


@dataclass(frozen=True, slots=True)
class Surveyed:
    """A table from outside. active_us: of the last action, else when it was made; times are 0 where they can't be read."""

    id: str
    game: str
    display_name: str
    is_open: bool
    finished: bool
    created_us: int
    active_us: int
    actions: int
    bots: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which tables: at most `count` in the order of their ids, behind `after`. idle_since_us: nobody has acted there since."""

    count: int
    after: str = ""
    finished: bool | None = None
    idle_since_us: int | None = None


def survey_query(tables: sa.Table, seats: sa.Table, actions: sa.Table, wanted: Wanted) -> sa.Select[Any]:
    """What `surveyed` reads. A value of the wrong type must not fail the whole query."""
    def raw(value: sa.ColumnElement[Any], name: str) -> sa.Label[Any]:
        return sa.type_coerce(value, sa.types.NullType()).label(name)

    def last(column: sa.Column[Any]) -> sa.ColumnElement[Any]:
        return (sa.select(column).where(actions.c.table_id == tables.c.id).order_by(actions.c.number.desc()).limit(1)
                .scalar_subquery())

    active = sa.func.coalesce(last(actions.c.written_us), tables.c.created_us)
    bots = (sa.select(sa.func.count()).where(seats.c.table_id == tables.c.id, seats.c.holder == "bot").scalar_subquery())
    named = {name: tables.c[name] for name in ("id", "game", "display_name", "invite_only", "finished", "created_us")}
    query = sa.select(*(raw(value, name) for name, value in named.items()), raw(active, "active_us"),
                      raw(last(actions.c.number), "last"), raw(bots, "bots"))
    if wanted.finished is not None:
        query = query.where(tables.c.finished.is_(sa.true() if wanted.finished else sa.false()))
    if wanted.idle_since_us is not None:
        query = query.where(active.between(EARLIEST_US, wanted.idle_since_us))
    return query.where(tables.c.id > wanted.after).order_by(tables.c.id).limit(wanted.count)


def surveyed(rows: sa.MappingResult) -> Iterator[Surveyed]:
    """What the rows of `survey_query` say, those without a readable id left out."""
    for row in rows:
        if is_table_id(row["id"]):
            yield Surveyed(id=row["id"], game=_text(row, "game"), display_name=_text(row, "display_name"),
                           is_open=row["invite_only"] in (0, False), finished=row["finished"] in (1, True),
                           created_us=_number(row, "created_us"), active_us=_number(row, "active_us"),
                           actions=0 if row["last"] is None else _number(row, "last", 2**31 - 2) + 1, bots=_number(row, "bots"))


def _text(row: sa.RowMapping, name: str) -> str:
    value = row[name]
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _number(row: sa.RowMapping, name: str, most: int = LATEST_US) -> int:
    value = row[name]
    return value if isinstance(value, int) and 0 <= value <= most else 0
