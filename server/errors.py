"""What a failing call returns: a gRPC status, one clear sentence, and details that programs can read."""
from __future__ import annotations

import asyncio
import functools
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import grpc
import grpc.aio
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from seatmate.ai.bots import BotError
from seatmate.engine.core.errors import (
    BrokenGameError,
    GameOverError,
    IllegalActionError,
    PackError,
    RecordError,
    SeatmateError,
    SeatNotPendingError,
    SettingsError,
    UnknownGameError,
)

DOMAIN = "seatmate.v1"
"""Domain of every ErrorInfo this service sends."""

Code = grpc.StatusCode


class ApiError(Exception):
    """A call's failure.

    `reason` is an UPPER_CASE word for programs, `metadata` what belongs to it, `fields` (path, what is wrong) of a bad
    request, `retry_s` the seconds after which a repeat may work.
    """

    def __init__(self, code: grpc.StatusCode, reason: str, message: str, *,
                 metadata: Mapping[str, object] | None = None, fields: Sequence[tuple[str, str]] = (),
                 retry_s: float | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message
        self.metadata = {key: str(value) for key, value in (metadata or {}).items()}
        self.fields = tuple(fields)
        self.retry_s = retry_s

    def to_status(self) -> status_pb2.Status:
        """The google.rpc.Status that travels in the trailers."""
        info = error_details_pb2.ErrorInfo(reason=self.reason, domain=DOMAIN, metadata=self.metadata)
        details: list[Message] = [info]
        if self.fields:
            violation = error_details_pb2.BadRequest.FieldViolation
            details.append(error_details_pb2.BadRequest(
                field_violations=[violation(field=field, description=text) for field, text in self.fields]))
        if self.retry_s is not None:
            retry = error_details_pb2.RetryInfo()
            retry.retry_delay.FromMilliseconds(round(self.retry_s * 1000))
            details.append(retry)
        status = status_pb2.Status(code=code_pb2.Code.Value(self.code.name), message=self.message)
        for detail in details:
            packed = AnyMessage()
            packed.Pack(detail)
            status.details.append(packed)
        return status


async def abort(context: grpc.aio.ServicerContext[Any, Any], error: ApiError) -> NoReturn:
    """End the call with this failure, and with the trailing metadata it has already."""
    status: Any = rpc_status.to_status(error.to_status())
    try:
        await context.abort_with_status(status._replace(
            trailing_metadata=(*(context.trailing_metadata() or ()), *status.trailing_metadata)))
    except grpc.aio.BaseError as ended:
        if (call := asyncio.current_task()) is not None:
            call.add_done_callback(functools.partial(_forget_frames, ended))
        raise
    raise AssertionError("abort_with_status returned")


def _forget_frames(ended: BaseException | None, _: asyncio.Task[Any]) -> None:
    """gRPC keeps how a call was ended with the call, and a task the error it failed with; the frames they came through hold the
    call, its request and the task: circles that would live until the garbage collector comes by, which is seldom.
    """
    while ended is not None:
        before, ended.__traceback__, ended.__context__ = ended.__context__, None, None
        ended = before


def bad_field(field: str, message: str, reason: str = "BAD_FIELD") -> ApiError:
    """A field of the request is wrong."""
    return ApiError(Code.INVALID_ARGUMENT, reason, f"{field}: {message}", fields=[(field, message)])


def reused(request_id: str) -> ApiError:
    """The id of one request was given to another."""
    return bad_field("request_id", f"{request_id!r} was used before for another request", "REQUEST_ID_REUSED")


def closing(text: str = "try again shortly") -> ApiError:
    """The service goes down; `text` says what the caller is to do."""
    return ApiError(Code.UNAVAILABLE, "SHUTTING_DOWN", f"the service is shutting down; {text}", retry_s=1.0)


def from_engine(error: SeatmateError, prefix: str = "") -> ApiError:
    """The answer to an error of the engine or a bot; `prefix` is the path of the settings in the request."""
    text = str(error)
    match error:
        case UnknownGameError():
            return ApiError(Code.NOT_FOUND, "UNKNOWN_GAME", text, fields=[(f"{prefix}game", text)] if prefix else [])
        case BrokenGameError():
            return ApiError(Code.FAILED_PRECONDITION, "BROKEN_GAME", text)
        case SettingsError():
            field = "seat_count" if error.field == "seats" else error.field
            sentence = text.removeprefix(f"{error.field}: ")
            return ApiError(Code.INVALID_ARGUMENT, "BAD_SETTING", f"{prefix}{field}: {sentence}",
                            fields=[(f"{prefix}{field}", sentence)])
        case BotError():
            return ApiError(Code.INVALID_ARGUMENT, "UNKNOWN_BOT", text)
        case IllegalActionError():
            return ApiError(Code.INVALID_ARGUMENT, "ILLEGAL_ACTION", text, fields=[("action_id", text)])
        case SeatNotPendingError():
            return ApiError(Code.FAILED_PRECONDITION, "SEAT_NOT_ASKED", text)
        case GameOverError():
            return ApiError(Code.FAILED_PRECONDITION, "GAME_OVER", text)
        case RecordError() | PackError():
            return ApiError(Code.FAILED_PRECONDITION, "OTHER_RULES_OR_CONTENT", text)
        case _:
            return ApiError(Code.INVALID_ARGUMENT, "BAD_REQUEST", text)
