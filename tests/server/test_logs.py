"""What the log says while the database is away: enough to find the cause, and no more."""
from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
from sqlalchemy.exc import OperationalError

from playing import House
from seatmate.client import connect
from seatmate.server import logs, now_and_then
from seatmate.server.config import ServerConfig
from seatmate.server.service import running_server
from seatmate.server.storage import Storage


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """The log as a server writes it."""
    out = io.StringIO()
    known = {name: (logging.getLogger(name).handlers, logging.getLogger(name).level) for name in ("", "seatmate")}
    monkeypatch.setattr(logs.sys, "stderr", out)
    logs.setup()
    yield out
    for name, (handlers, level) in known.items():
        logging.getLogger(name).handlers = handlers
        logging.getLogger(name).setLevel(level)
    logging.getLogger("seatmate").propagate = True


class DiskError(Exception):
    """A driver's."""


class LockError(Exception):
    """Another one."""


def test_the_first_failure_of_a_kind_is_told_whole_and_then_their_number(lines: io.StringIO,
                                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(now_and_then.time, "monotonic", lambda: now)
    log = logging.getLogger("seatmate.test")

    def fail(cause: Exception, message: str = "storage failed") -> None:
        try:
            raise OperationalError("select 1", None, cause)
        except OperationalError:
            log.exception(message)

    for now in (1.0, 2.0, 3.0, 12.0, 13.0, 700.0):      # noqa: B007  read by the clock above
        fail(DiskError("disk full"))
    fail(LockError("locked"))
    fail(DiskError("disk full"), "a bot's action could not be stored")
    for _ in range(2):
        try:
            raise ZeroDivisionError
        except ZeroDivisionError:
            log.exception("unexpected error")
    told = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert [(one["message"], "exception" in one, one.get("failures")) for one in told] == [
        ("storage failed", True, None), ("storage failed", False, 3), ("storage failed", True, None),
        ("storage failed", True, None),     # after ten minutes, and of another kind
        ("a bot's action could not be stored", True, None), ("unexpected error", True, None), ("unexpected error", True, None)]
    assert told[1]["error"] == "disk full"


@pytest.mark.asyncio
async def test_a_server_whose_database_is_away_says_so_once(tmp_path, lines: io.StringIO, monkeypatch) -> None:
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=1)
    async with running_server(config) as address, connect(address) as client:
        async def away(*_: object, **__: object) -> None:
            raise OperationalError("insert", None, DiskError("disk full"))

        monkeypatch.setattr(Storage, "_write", away)
        for _ in range(20):
            with pytest.raises(Exception, match="did not answer"):
                await House(client, address).table("kuhn")
    assert lines.getvalue().count("storage failed") == lines.getvalue().count("Traceback") == 1
