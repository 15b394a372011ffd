"""Several servers on one PostgreSQL: who of them plays a table's bots, and what the others have written.

Each server beats every second in the table `replicas`. A table's bots are played by that living one of them that comes first in an
order of the table's own (rendezvous hashing): no table has to be handed over one by one, and when a server dies its tables fall to
all others alike. For a moment two may believe that a table is theirs; the log takes the action of one of them.
"""
from __future__ import annotations

import asyncio
import hashlib
import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import sqlalchemy as sa

log = logging.getLogger(__name__)

CHANNEL = "seatmate"
"""Of NOTIFY: `REPLICA TABLE` when a table has changed, `REPLICA` alone when a server comes or goes."""

_BEAT_S = 1.0
_DEAD_S = 4.0       # without a beat
_PAUSE_S = 0.5      # before the database is asked again that could not be reached

_BEAT = sa.text("insert into replicas (id, seen) values (:me, clock_timestamp()) "
                "on conflict (id) do update set seen = excluded.seen")
_ALIVE = sa.text("select id from replicas where seen > clock_timestamp() - make_interval(secs => :dead) order by id")
_FORGET = sa.text("delete from replicas where id = :me or seen < clock_timestamp() - interval '1 hour'")
NOTIFY = sa.text(f"select pg_notify('{CHANNEL}', :payload)")


def first_of(replicas: Sequence[str], table_id: str) -> str:
    """The server that plays the bots of this table. `replicas`: at least one."""
    return max(replicas, key=lambda replica: hashlib.blake2b(f"{replica} {table_id}".encode()).digest())


class Replicas:
    """This server among the others. `heard` and `changed` are called on the event loop."""

    def __init__(self, engine: sa.Engine, me: str, heard: Callable[[str | None], None], changed: Callable[[], None]) -> None:
        """me: this server's id · heard: with the id of a table that another server has changed, None: any may have changed ·
        changed: other servers play other tables' bots now.
        """
        self._engine = engine
        self._me = me
        self._heard = heard
        self._changed = changed
        self._alive: Sequence[str] = (me,)
        self._loop = asyncio.get_running_loop()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="replicas", daemon=True)
        self._thread.start()

    def drives(self, table_id: str) -> bool:
        """Does this server play the table's bots?"""
        return first_of(self._alive, table_id) == self._me

    async def stop(self) -> None:
        """Tell the others that this server goes."""
        self._stop.set()
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                    self._follow(connection)
            except sa.exc.SQLAlchemyError:
                log.exception("the other servers can't be heard; this is tried again")
                self._stop.wait(_PAUSE_S)
            except Exception as error:      # the driver's own, from waiting
                log.warning("the other servers can't be heard; this is tried again", exc_info=error)
                self._stop.wait(_PAUSE_S)

    def _follow(self, connection: sa.Connection) -> None:
        driver: Any = connection.connection.driver_connection
        connection.execute(sa.text(f"listen {CHANNEL}"))
        self._tell(self._heard, None)       # whatever was told while nobody listened
        connection.execute(_BEAT, {"me": self._me})
        connection.execute(NOTIFY, {"payload": self._me})
        beaten = 0.0
        while not self._stop.is_set():
            if time.monotonic() - beaten >= _BEAT_S:
                connection.execute(_BEAT, {"me": self._me})
                beaten = time.monotonic()
                self._count(connection)
            for note in list(driver.notifies(timeout=_BEAT_S / 4, stop_after=1)):     # it holds the connection meanwhile
                replica, _, table_id = note.payload.partition(" ")
                if replica == self._me:
                    continue
                if table_id:
                    self._tell(self._heard, table_id)
                else:
                    self._count(connection)
        connection.execute(_FORGET, {"me": self._me})
        connection.execute(NOTIFY, {"payload": self._me})

    def _count(self, connection: sa.Connection) -> None:
        alive = list(connection.execute(_ALIVE, {"dead": _DEAD_S}).scalars()) or [self._me]
        if alive != self._alive:
            self._alive = alive
            log.info("servers on this database", extra={"count": len(alive)})
            self._tell(self._changed)

    def _tell(self, what: Callable[..., None], *arguments: Any) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(what, *arguments)
