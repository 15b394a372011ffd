"""One thread writes. Whatever waits when it is free goes to disk together: a commit costs the same for one action and for fifty."""
from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from seatmate.server.metrics import Observe, unobserved

_MOST_TOGETHER = 500
"""Writes of one transaction: those that come later wait no longer than these take."""


class Conflict(Exception):
    """Somebody else has written this first."""


@dataclass(frozen=True, slots=True)
class Change:
    """One statement and its parameters, once for each row. An update has to find each of its rows, and so has an insertion of what
    is selected; text answers nothing.
    """

    statement: sa.Insert | sa.Update | sa.Delete | sa.TextClause
    rows: Sequence[Mapping[str, Any]]

    @property
    def counts(self) -> bool:
        """Is it a conflict when a row has no effect?"""
        statement = self.statement
        return isinstance(statement, sa.Update) or (isinstance(statement, sa.Insert) and statement.select is not None)


@dataclass(slots=True)
class _Write:
    """What one caller wants written, all or nothing, and where the outcome goes."""

    changes: Sequence[Change]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[None]
    error: BaseException | None = field(default=None)
    since: float = field(default_factory=time.monotonic)

    def tell(self) -> None:
        if self.done.done():    # nobody waits any more
            return
        if self.error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(self.error)


class Writer:
    """The writing thread of one database. Writes that wait at the same time must not depend on each other's order."""

    def __init__(self, engine: sa.Engine, *, waited: Observe = unobserved, took: Observe = unobserved) -> None:
        """waited, took: hear how long each "write" stood in line, and how long each transaction of all that waited lasted."""
        self._engine = engine
        self._waited = waited
        self._took = took
        self._wake = threading.Condition()
        self._people: deque[_Write] = deque()
        self._bots: deque[_Write] = deque()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    async def write(self, changes: Sequence[Change], *, of_bot: bool = False) -> None:
        """Make these changes in one transaction; they are on disk when this returns. People's go before bots'.

        Who stops waiting does not stop the write. Raises Conflict when a row is there already or an updated one is another,
        SQLAlchemyError for whatever else the database says; then nothing of it was written, unless the commit itself failed.
        """
        loop = asyncio.get_running_loop()
        wanted = _Write(changes, loop, loop.create_future())
        with self._wake:
            if self._closed:
                raise RuntimeError("the database is closed")
            (self._bots if of_bot else self._people).append(wanted)
            self._wake.notify()
        await wanted.done

    def close(self) -> None:
        """Write what waits, then end the thread."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        self._thread.join()

    def _run(self) -> None:
        while group := self._next():
            began = time.monotonic()
            for write in group:
                self._waited("write", began - write.since)
            self._store(group)
            self._took("write", time.monotonic() - began)
            by_loop: dict[asyncio.AbstractEventLoop, list[_Write]] = {}
            for write in group:
                by_loop.setdefault(write.loop, []).append(write)
            for loop, writes in by_loop.items():
                with contextlib.suppress(RuntimeError):     # the loop is closed: nobody waits any more
                    loop.call_soon_threadsafe(_tell, writes)

    def _next(self) -> list[_Write]:
        """What waits, once anything does; empty when all is written and nothing more will come."""
        with self._wake:
            while not (self._people or self._bots or self._closed):
                self._wake.wait()
            group: list[_Write] = []
            for queue in (self._people, self._bots):
                while queue and len(group) < _MOST_TOGETHER:
                    group.append(queue.popleft())
            return group

    def _store(self, group: list[_Write]) -> None:
        """All in one transaction; where one of them fails, each in one of its own."""
        try:
            if not self._commit(group) and len(group) > 1:
                for write in group:
                    self._commit([write])
        except BaseException as error:      # the database could not be reached at all, or the commit failed
            for write in group:
                write.error = error

    def _commit(self, group: list[_Write]) -> bool:
        """Was the group written? A single write is told why not; for an error of beginning or committing this raises it."""
        with self._engine.connect() as connection:
            connection = connection.execution_options(seatmate_write=True, preserve_rowcount=True)
            with connection.begin() as transaction:
                try:
                    for change in _merged(group):
                        found = connection.execute(change.statement, change.rows).rowcount
                        if change.counts and found != len(change.rows):
                            raise Conflict
                except IntegrityError:
                    group[0].error = Conflict()
                except Exception as error:      # one row must not take the others' with it
                    group[0].error = error
                else:
                    group[0].error = None
                    return True
                transaction.rollback()
                return False


def _tell(writes: Sequence[_Write]) -> None:
    for write in writes:
        write.tell()


def _merged(group: Sequence[_Write]) -> list[Change]:
    """The same statement is sent once, with the rows of all who wait."""
    rows: dict[Any, list[Mapping[str, Any]]] = {}
    for write in group:
        for change in write.changes:
            rows.setdefault(change.statement, []).extend(change.rows)
    return [Change(statement, together) for statement, together in rows.items()]
