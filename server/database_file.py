"""The file of a SQLite database: held by one server, the same as long as it is open, and what its errors mean."""
from __future__ import annotations

import contextlib
import functools
import logging
import os
import stat
from pathlib import Path
from typing import IO, Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from seatmate.server.options import StartupError

try:
    import fcntl
except ImportError:     # not a POSIX system
    fcntl = None    # type: ignore[assignment]

log = logging.getLogger(__name__)

_SYNCHRONOUS = "FULL"    # a commit returns when it is on disk
_BUSY_MS = 5_000
"""How long a write waits for another program that has locked the file."""
_MAGIC = b"SQLite format 3\0"
_DAMAGE = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_ERROR")
"""How the errors begin that do not pass; the last is of statements, and ours fail only where a table or a column has gone."""


_BESIDE = ("-wal", "-shm")
"""What SQLite lays beside the file while it is open: the newest commits, and where they stand."""

_Identity = tuple[int, int]
"""Device and inode of a file."""


class FileReplaced(SQLAlchemyError):
    """The file that was opened, or one of those beside it, is no longer the one of its name: what is written would be lost."""


class DatabaseFile:
    """Refuses what is no SQLite file, and one that another server has, by whatever path: each would trust its own memory.

    The file, and with it what SQLite lays beside it, is for this user alone: it holds the seeds of all deals.
    """

    def __init__(self, name: str) -> None:
        """Take the file. Raises StartupError."""
        self._name = name
        self._real = os.path.realpath(name)     # beside this SQLite lays its own files, too
        self._lock: IO[str] | None = None
        self._beside: dict[str, _Identity] = {}     # of those that are open here
        if not name or name == ":memory:":
            raise StartupError("the database has to be a file: one in memory would lose every move")
        try:
            with contextlib.suppress(FileNotFoundError):
                if not stat.S_ISREG(os.stat(name).st_mode):     # reading a pipe would wait for ever
                    raise StartupError(f"the database {name} can't be used: it is not a file")
            os.close(os.open(name, os.O_RDWR | os.O_CREAT, 0o600))
            with Path(name).open("rb") as file:
                if file.read(len(_MAGIC)) not in (b"", _MAGIC):
                    raise StartupError(f"the database {name} can't be used: the file is not a database")
            self._identity = _found(name)
            if os.stat(name).st_nlink > 1:
                raise StartupError(f"the database {name} can't be used: the file has another name, too (a hard link), under which "
                                   "it would be damaged; remove that, or make a copy")
            if fcntl is None:
                return
            self._lock = os.fdopen(os.open(f"{self._real}.lock", os.O_RDWR | os.O_CREAT, 0o600), "a")
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for ending in ("", *_BESIDE, "-journal"):
                _take_from_others(self._real + ending)
        except BlockingIOError:
            self.release()
            raise StartupError(f"the database {name} is in use by another seatmate server") from None
        except OSError as error:
            self.release()
            raise StartupError(f"the database {name} can't be used: {error.strerror or error}") from None

    def release(self) -> None:
        """Another server may have it."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def check(self) -> None:
        """Raises FileReplaced when the file, or one beside it, was moved away, or another has come in its place."""
        if _found(self._name) != self._identity:
            raise FileReplaced(f"{self._name} is not the file that was opened")
        found = {ending: _found(self._real + ending) for ending in _BESIDE}
        for ending, now in found.items():
            known = self._beside.get(ending)
            if now == known:
                continue
            held = _open_here()
            if known in held - set(found.values()):     # the number of a file that is gone may be that of the other one now
                raise FileReplaced(f"{self._name}{ending} is not the file that was opened")
            if now is not None and now in held:     # SQLite makes them anew when nobody has had the database open
                self._beside[ending] = now


def _found(name: str) -> _Identity | None:
    """Which file has the name now; None: there is none, or it can't be told."""
    try:
        found = os.stat(name)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _take_from_others(file: str) -> None:
    """Nobody but this user shall read it: the log says what was changed, or why it could not be. Raises OSError."""
    try:
        found = os.lstat(file)
    except FileNotFoundError:
        return
    mode = stat.S_IMODE(found.st_mode)
    if not mode & 0o077:
        return
    told = {"file": file, "mode": f"{mode:04o}"}
    try:
        if found.st_uid != os.geteuid():
            raise PermissionError(0, "it belongs to another user")
        os.chmod(file, 0o600)
    except OSError as error:
        log.warning("other users can read the database, with the seeds of all deals", extra={**told, "why": error.strerror})
    else:
        log.warning("other users could read the database; it is for its own user alone now", extra=told)


def _open_here() -> set[_Identity | None]:
    """The files that this process has open; none where the system does not tell."""
    try:
        numbers = os.listdir("/dev/fd")
    except OSError:
        return set()
    return {_found(f"/dev/fd/{number}") for number in numbers} - {None}


def prepare(engine: sa.Engine, file: DatabaseFile | None) -> None:
    """Write-ahead log; a commit returns when it is on disk; transactions begin where we say so, and in no other file."""

    @sa.event.listens_for(engine, "connect")
    def connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None       # the driver must not begin transactions by itself
        # Text that is not UTF-8 must not fail the whole query.
        connection.text_factory = functools.partial(str, encoding="utf-8", errors="surrogateescape")
        cursor = connection.cursor()
        try:
            if file is not None:
                file.check()            # before SQLite opens, or makes, what lies beside it
            for pragma in (f"busy_timeout = {_BUSY_MS}", "journal_mode = WAL", f"synchronous = {_SYNCHRONOUS}",
                           "foreign_keys = ON"):
                cursor.execute(f"PRAGMA {pragma}")
        except BaseException:
            connection.close()      # the pool has not taken it yet, and its thread would live on
            raise
        cursor.close()

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        if file is not None:
            file.check()
        writes = connection.get_execution_options().get("seatmate_write", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def is_damage(error: SQLAlchemyError) -> bool:
    """Does the error say that the file does not hold what it should? It is no use to try again then."""
    code = getattr(error.orig, "sqlite_errorname", "") if isinstance(error, DBAPIError) else ""
    return code.startswith(_DAMAGE)
