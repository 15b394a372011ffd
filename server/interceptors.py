"""What happens around every call: one helper that rebuilds a handler for each kind of call, and its uses."""
from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import grpc
import grpc.aio
from google.protobuf.message import DecodeError
from sqlalchemy.exc import SQLAlchemyError

from seatmate.engine.core.errors import SeatmateError
from seatmate.server.database_file import is_damage
from seatmate.server.errors import ApiError, Code, abort, from_engine
from seatmate.server.now_and_then import NowAndThen
from seatmate.server.room import LargeRequests, Shared, too_many

log = logging.getLogger(__name__)

_OURS = "/seatmate."


@dataclass(frozen=True, slots=True)
class Call:
    """One running call."""

    method: str     # /package.Service/Method
    context: grpc.aio.ServicerContext[Any, Any]


Around = Callable[[Call], AbstractAsyncContextManager[None]]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one call may take. patience_s: for one answer of a stream to be taken."""

    large: LargeRequests
    patience_s: float


def rebuild(handler: Any, method: str, arounds: Sequence[Around], bounds: Bounds) -> Any:
    """The same handler with all `arounds` entered for each call, the first outermost, whatever its kind."""
    parse = handler.request_deserializer

    def read(request: Any) -> Any:
        """The request of its bytes: read here, so that a broken one is answered like any other mistake."""
        try:
            return request if parse is None else parse(request)
        except DecodeError:
            raise ApiError(Code.INVALID_ARGUMENT, "BROKEN_MESSAGE",
                           "the request is not a message of the right type") from None

    async def read_each(requests: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for request in requests:
            yield read(request)

    read_all = read_each if handler.request_streaming else read

    def admit(request: Any) -> AbstractAsyncContextManager[None]:
        return nullcontext() if parse is None or handler.request_streaming else bounds.large.admit(len(request))

    async def write(context: Any, answer: Any) -> None:
        try:
            async with asyncio.timeout(bounds.patience_s):
                await context.write(answer)
        except TimeoutError:
            raise too_many("UNREAD_ANSWERS", f"an answer was not taken within {bounds.patience_s:g} s") from None

    def wrap(behaviour: Callable[[Any, Any], Any], streams: bool) -> Callable[[Any, Any], Awaitable[Any]]:
        async def answer(request: Any, context: Any) -> Any:
            async with admit(request):
                return await behaviour(read_all(request), context)

        async def answer_each(request: Any, context: Any) -> None:
            async with admit(request):
                answers = behaviour(read_all(request), context)
                if not hasattr(answers, "__aiter__"):
                    await answers       # a handler that writes by itself
                    return
                try:
                    async for one in answers:
                        await write(context, one)
                finally:
                    await answers.aclose()

        work = answer_each if streams else answer

        async def within(left: Sequence[Around], call: Call, request: Any) -> Any:
            if not left:
                return await work(request, call.context)
            async with left[0](call):
                return await within(left[1:], call, request)

        async def wrapped(request: Any, context: Any) -> Any:
            return await within(arounds, Call(method, context), request)

        return wrapped

    kinds: dict[tuple[bool, bool], tuple[str, Callable[..., Any]]] = {
        (False, False): ("unary_unary", grpc.unary_unary_rpc_method_handler),
        (False, True): ("unary_stream", grpc.unary_stream_rpc_method_handler),
        (True, False): ("stream_unary", grpc.stream_unary_rpc_method_handler),
        (True, True): ("stream_stream", grpc.stream_stream_rpc_method_handler),
    }
    name, make = kinds[handler.request_streaming, handler.response_streaming]
    return make(wrap(getattr(handler, name), handler.response_streaming), request_deserializer=None,
                response_serializer=handler.response_serializer)


Rebuild = Callable[[Any, str], Any]
"""What is served instead of a handler of the method /package.Service/Method."""


class Interceptor(grpc.aio.ServerInterceptor):
    """Rebuilds the handlers of this API, or those of others that are served beside it (health and reflection): each once."""

    def __init__(self, instead: Rebuild, *, of_others: bool = False) -> None:
        self._instead = instead
        self._of_others = of_others
        self._rebuilt: dict[str, tuple[Any, Any]] = {}      # by method: its handler, before and after

    async def intercept_service(self, continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
                                handler_call_details: grpc.HandlerCallDetails) -> Any:
        """Called by gRPC for every call."""
        handler = await continuation(handler_call_details)
        method = str(handler_call_details.method)
        if handler is None or method.startswith(_OURS) == self._of_others:
            return handler
        before, rebuilt = self._rebuilt.get(method, (None, None))
        if before is not handler:
            rebuilt = self._instead(handler, method)
            self._rebuilt[method] = handler, rebuilt
        return rebuilt


@asynccontextmanager
async def answer_errors(call: Call) -> AsyncIterator[None]:
    """Every failure becomes a status with details; an unexpected one tells the caller nothing but that it happened."""
    try:
        yield
    except ApiError as error:
        await abort(call.context, error)
    except SeatmateError as error:
        await abort(call.context, from_engine(error))
    except SQLAlchemyError as error:
        log.exception("storage failed", extra={"method": call.method})
        if is_damage(error):
            await abort(call.context, ApiError(Code.DATA_LOSS, "STORAGE_DAMAGED", "the database is damaged there; tables that it "
                                               "can still read go on"))
        await abort(call.context, ApiError(
            Code.UNAVAILABLE, "STORAGE_UNAVAILABLE",
            "the database did not answer; it is safe to repeat the call with the same request_id", retry_s=1.0))
    except grpc.aio.BaseError:
        raise       # the call was ended on purpose
    except Exception:
        log.exception("unexpected error", extra={"method": call.method})
        await abort(call.context, ApiError(
            Code.INTERNAL, "INTERNAL", "something went wrong inside the service; it has been noted"))


def limit_calls(calls: Shared, answers: Shared, caller_of: Callable[[Any], str]) -> Around:
    """An `around` that refuses a call when too many run already, open streams included, by whatever protocol they came; and one
    of a caller who has not taken the answers to those before.
    """
    @asynccontextmanager
    async def limit(call: Call) -> AsyncIterator[None]:
        caller = caller_of(call.context)
        if calls.free <= 0:
            raise too_many("TOO_MANY_CALLS", f"{calls.most} calls run already, and this service takes no more")
        if calls.is_full_for(caller):
            raise too_many("TOO_MANY_CALLS_OF_CALLER", f"{calls.of(caller)} calls from {caller} run already, and others need "
                           "room, too")
        if answers.is_full_for(caller):
            raise too_many("UNREAD_ANSWERS", f"{answers.of(caller)} bytes of answers wait for {caller} to take them")
        calls.take(caller)
        try:
            yield
        finally:
            calls.give(caller)

    return limit


def count_answers(answers: Shared, caller_of: Callable[[Any], str]) -> Rebuild:
    """Handlers that count the bytes of answers to unary calls until they have left; of those to streams gRPC sends one after the
    other.
    """
    def instead(handler: Any, _: str) -> Any:
        if handler.response_streaming:
            return handler

        async def unary(request: Any, context: Any) -> bytes:
            data: bytes = handler.response_serializer(await handler.unary_unary(request, context))
            call = asyncio.current_task()       # it ends with the answer; a callback of the context would be in a cycle with it
            if call is not None and not context.done():
                caller, size = caller_of(context), len(data)
                answers.take(caller, size)
                call.add_done_callback(lambda _: answers.give(caller, size))
            return data

        return grpc.unary_unary_rpc_method_handler(unary, request_deserializer=handler.request_deserializer)

    return instead


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

    def __init__(self) -> None:
        self._told = NowAndThen()

    def __call__(self, reason: str, method: str) -> None:
        if calls := self._told.count(reason):
            log.warning("calls are refused", extra={"reason": reason, "method": method, "calls": calls})


Listener = Callable[[str, str, float], None]
"""Hears of every call that has ended: method, status, seconds. No request, no metadata: nothing secret can be in it."""


class Outcome:
    """How a call has ended, once it has."""

    status = "CANCELLED"    # the name of a gRPC status

    @contextmanager
    def of(self, call: Call) -> Iterator[None]:
        """Learn it from what happens inside."""
        try:
            yield
            self.status = "OK"
        except grpc.aio.BaseError:
            self.status = _status_name(call.context.code())
            raise


def report_calls(*listeners: Listener) -> Around:
    """An `around` that tells all listeners."""
    @asynccontextmanager
    async def report(call: Call) -> AsyncIterator[None]:
        began = time.monotonic()
        ended = Outcome()
        try:
            with ended.of(call):
                yield
        finally:
            seconds = time.monotonic() - began
            for listener in listeners:
                listener(call.method, ended.status, seconds)

    return report


def log_call(method: str, status: str, seconds: float) -> None:
    """One line per call."""
    log.info("call", extra={"method": method, "status": status, "ms": round(seconds * 1000, 2)})


def _status_name(code: Any) -> str:
    if isinstance(code, grpc.StatusCode):
        return code.name
    return next((known.name for known in grpc.StatusCode if known.value[0] == code), "CANCELLED")     # it broke off without one
