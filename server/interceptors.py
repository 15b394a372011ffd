"""What happens around every call: one helper that rebuilds a handler for each kind of call, and its uses."""
from __future__ import annotations

import logging
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import grpc
import grpc.aio
from google.protobuf.message import DecodeError
from sqlalchemy.exc import SQLAlchemyError

from seatmate.engine.core.errors import SeatmateError
from seatmate.server.errors import ApiError, Code, abort, from_engine

log = logging.getLogger(__name__)

_OURS = "/seatmate."
_RETRY_S = (0.5, 1.5)
"""When a refused caller may come back."""


@dataclass(frozen=True, slots=True)
class Call:
    """One running call."""

    method: str     # /package.Service/Method
    context: grpc.aio.ServicerContext[Any, Any]


Around = Callable[[Call], AbstractAsyncContextManager[None]]


def rebuild(handler: Any, method: str, around: Around) -> Any:
    """The same handler with `around` entered for each call, whatever its kind."""
    parse = None if handler.request_streaming else handler.request_deserializer

    def read(request: Any) -> Any:
        """The request of its bytes: read here, so that a broken one is answered like any other mistake."""
        try:
            return request if parse is None else parse(request)
        except DecodeError:
            raise ApiError(Code.INVALID_ARGUMENT, "BROKEN_MESSAGE",
                           "the request is not a message of the right type") from None

    def wrap(behaviour: Callable[[Any, Any], Any], streams: bool) -> Callable[[Any, Any], Awaitable[Any]]:
        async def unary(request: Any, context: Any) -> Any:
            async with around(Call(method, context)):
                return await behaviour(read(request), context)

        async def stream(request: Any, context: Any) -> None:
            async with around(Call(method, context)):
                answers = behaviour(read(request), context)
                if not hasattr(answers, "__aiter__"):
                    await answers       # a handler that writes by itself
                    return
                try:
                    async for answer in answers:
                        await context.write(answer)
                finally:
                    await answers.aclose()

        return stream if streams else unary

    kinds: dict[tuple[bool, bool], tuple[str, Callable[..., Any]]] = {
        (False, False): ("unary_unary", grpc.unary_unary_rpc_method_handler),
        (False, True): ("unary_stream", grpc.unary_stream_rpc_method_handler),
        (True, False): ("stream_unary", grpc.stream_unary_rpc_method_handler),
        (True, True): ("stream_stream", grpc.stream_stream_rpc_method_handler),
    }
    name, make = kinds[handler.request_streaming, handler.response_streaming]
    return make(wrap(getattr(handler, name), handler.response_streaming),
                request_deserializer=None if parse is not None else handler.request_deserializer,
                response_serializer=handler.response_serializer)


class Interceptor(grpc.aio.ServerInterceptor):
    """Hangs an `around` on every method of this API (health and reflection stay as they are)."""

    def __init__(self, around: Around) -> None:
        self._around = around

    async def intercept_service(self, continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
                                handler_call_details: grpc.HandlerCallDetails) -> Any:
        """Called by gRPC for every call."""
        handler = await continuation(handler_call_details)
        method = str(handler_call_details.method)
        if handler is None or not method.startswith(_OURS):
            return handler
        return rebuild(handler, method, self._around)


@asynccontextmanager
async def answer_errors(call: Call) -> AsyncIterator[None]:
    """Every failure becomes a status with details; an unexpected one tells the caller nothing but that it happened."""
    try:
        yield
    except ApiError as error:
        await abort(call.context, error)
    except SeatmateError as error:
        await abort(call.context, from_engine(error))
    except SQLAlchemyError:
        log.exception("storage failed", extra={"method": call.method})
        await abort(call.context, ApiError(
            Code.UNAVAILABLE, "STORAGE_UNAVAILABLE",
            "the database did not answer; it is safe to repeat the call with the same request_id", retry_s=1.0))
    except grpc.aio.BaseError:
        raise       # the call was ended on purpose
    except Exception:
        log.exception("unexpected error", extra={"method": call.method})
        await abort(call.context, ApiError(
            Code.INTERNAL, "INTERNAL", "something went wrong inside the service; it has been noted"))


def limit_calls(most: int, each: int, caller_of: Callable[[Any], str]) -> Around:
    """An `around` that refuses a call when `most` run already, open streams included, by whatever protocol they came, or
    `each` of the same caller. each=0: as many as are still free, so that one alone takes half of all and leaves the others room.
    """
    running: Counter[str] = Counter()

    @asynccontextmanager
    async def limit(call: Call) -> AsyncIterator[None]:
        free = most - running.total()
        caller = caller_of(call.context)
        if free <= 0:
            raise _too_many("TOO_MANY_CALLS", f"{most} calls run already, and this service takes no more")
        if running[caller] >= (each or free):
            raise _too_many("TOO_MANY_CALLS_OF_CALLER", f"{running[caller]} calls from {caller} run already, and others need "
                            "room, too")
        running[caller] += 1
        try:
            yield
        finally:
            running[caller] -= 1
            if not running[caller]:
                del running[caller]

    return limit


def _too_many(reason: str, sentence: str) -> ApiError:
    retry_s = random.uniform(*_RETRY_S)     # not all at the same moment
    return ApiError(Code.RESOURCE_EXHAUSTED, reason, f"{sentence}; try again shortly", retry_s=retry_s)


def report_refusals(*listeners: Callable[[str, str], None]) -> Around:
    """An `around` that tells all listeners of each call that is refused for want of room: the reason and the method."""
    @asynccontextmanager
    async def report(call: Call) -> AsyncIterator[None]:
        try:
            yield
        except ApiError as error:
            if error.code is Code.RESOURCE_EXHAUSTED:
                for listener in listeners:
                    listener(error.reason, call.method)
            raise

    return report


class RefusalLog:
    """Tells the log of refusals: of each reason the first, and then how many there were, now and then."""

    def __init__(self, pause_s: float = 10.0) -> None:
        self._pause_s = pause_s
        self._next: dict[str, float] = {}
        self._untold: Counter[str] = Counter()

    def __call__(self, reason: str, method: str) -> None:
        now = time.monotonic()
        self._untold[reason] += 1
        if now >= self._next.get(reason, now):
            self._next[reason] = now + self._pause_s
            log.warning("calls are refused", extra={"reason": reason, "method": method, "calls": self._untold.pop(reason)})


Listener = Callable[[str, str, float], None]
"""Hears of every call that has ended: method, status, seconds. No request, no metadata: nothing secret can be in it."""


def report_calls(*listeners: Listener) -> Around:
    """An `around` that tells all listeners."""
    @asynccontextmanager
    async def report(call: Call) -> AsyncIterator[None]:
        began = time.monotonic()
        status = "CANCELLED"
        try:
            yield
            status = "OK"
        except grpc.aio.BaseError:
            status = _status_name(call.context.code())
            raise
        finally:
            seconds = time.monotonic() - began
            for listener in listeners:
                listener(call.method, status, seconds)

    return report


def log_call(method: str, status: str, seconds: float) -> None:
    """One line per call."""
    log.info("call", extra={"method": method, "status": status, "ms": round(seconds * 1000, 2)})


def _status_name(code: Any) -> str:
    if isinstance(code, grpc.StatusCode):
        return code.name
    return next((known.name for known in grpc.StatusCode if known.value[0] == code), "CANCELLED")     # it broke off without one
