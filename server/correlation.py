"""Which call something belongs to: a line of the log, an answer, work that the call has set going."""
from __future__ import annotations

import re
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from seatmate.server.interceptors import Around, Call

REQUEST_ID_KEY = "x-request-id"
TRACE_KEY = "traceparent"

_WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}")
_TRACE = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?")


@dataclass(frozen=True, slots=True)
class CallId:
    """A call's own id, where it comes from, and the trace it is part of (W3C Trace Context), if its caller has one."""

    request_id: str
    peer: str
    trace_id: str | None

    def fields(self) -> dict[str, str]:
        """As a line of the log has them."""
        found = {"request_id": self.request_id, "peer": self.peer}
        return found if self.trace_id is None else {**found, "trace_id": self.trace_id}


_current: ContextVar[CallId | None] = ContextVar("call", default=None)


def current_call() -> CallId | None:
    """The call that this is part of."""
    return _current.get()


@contextmanager
def in_trace(trace_id: str) -> Iterator[None]:
    """What happens inside is part of this trace."""
    known = _current.get()
    before = _current.set(None if known is None else replace(known, trace_id=trace_id))
    try:
        yield
    finally:
        _current.reset(before)


def identify(peer_of: Callable[[Any], str]) -> Around:
    """An `around` that gives each call its id, which its caller may have chosen, and tells it with the answer."""
    @asynccontextmanager
    async def identified(call: Call) -> AsyncIterator[None]:
        metadata = call.context.invocation_metadata() or ()
        asked = next(_texts(metadata, REQUEST_ID_KEY), "")
        request_id = asked if _WELL_FORMED.fullmatch(asked) else secrets.token_hex(8)
        trace = _TRACE.fullmatch(next(_texts(metadata, TRACE_KEY), ""))
        call.context.set_trailing_metadata(((REQUEST_ID_KEY, request_id),))
        before = _current.set(CallId(request_id, peer_of(call.context), None if trace is None else trace[1]))
        try:
            yield
        finally:
            _current.reset(before)

    return identified


def _texts(metadata: Any, key: str) -> Iterator[str]:
    return (value for name, value in metadata if name == key and isinstance(value, str))
