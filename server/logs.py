"""Structured logs: one JSON object per line."""
from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from collections.abc import Hashable
from datetime import UTC, datetime
from typing import Any

from grpc._cython.cygrpc import ExecuteBatchError  # type: ignore[import-not-found]
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from seatmate.server.correlation import current_call
from seatmate.server.errors import ApiError
from seatmate.server.now_and_then import NowAndThen

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


log = logging.getLogger(__name__)


class JsonFormatter(logging.Formatter):
    """Time, level, logger, message, which call it belongs to, and whatever `extra` holds."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(), "logger": record.name, "message": record.getMessage()}
        if (call := current_call()) is not None:
            line.update(call.fields())
        line.update({key: value for key, value in vars(record).items() if key not in _STANDARD})
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


_OLD_S = 600.0      # after which a failure is news again


class FailuresOfStorage(logging.Filter):
    """Every call fails while the database is away: of each kind the first is told with its traceback, and then their number."""

    def __init__(self) -> None:
        super().__init__()
        self._told = NowAndThen()
        self._latest: dict[Hashable, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Is the record told? Its traceback may be left out."""
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, SQLAlchemyError):
            return True
        cause = error.orig if isinstance(error, DBAPIError) else None
        kind = record.name, record.msg, type(error), type(cause)
        is_news = time.monotonic() - self._latest.get(kind, float("-inf")) > _OLD_S
        self._latest[kind] = time.monotonic()
        count = self._told.count(kind)
        if not is_news:
            record.exc_info = record.exc_text = None
            vars(record).update(error=str(cause or error), failures=count)
        return count > 0


def log_lost(work: asyncio.Future[Any]) -> None:
    """For work whose caller has gone: when it fails nobody else would say so."""
    error = None if work.cancelled() else work.exception()
    if error is not None and not isinstance(error, ApiError):
        log.error("work failed after its caller had gone", exc_info=error)


def _is_news(record: logging.LogRecord) -> bool:
    """gRPC calls it an error, with a traceback, when a caller has gone before its answer: that is nothing to be told."""
    return not (record.exc_info and isinstance(record.exc_info[1], ExecuteBatchError))


def setup(level: str = "INFO") -> None:
    """Send the logs of this package, and the warnings of all others, to standard error, a line of JSON each."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(FailuresOfStorage())
    for name, least in (("seatmate", level), ("", "WARNING")):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(least)
    logging.getLogger("seatmate").propagate = False
    logging.getLogger("grpc._cython.cygrpc").addFilter(_is_news)
    logging.captureWarnings(True)
