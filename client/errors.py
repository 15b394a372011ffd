"""What a failed call says, and whether it may be repeated."""
from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 2.0
"""Between two attempts; each pause is twice as long as the one before."""

_DETAILS_KEY = "grpc-status-details-bin"


def error_reason(error: grpc.RpcError) -> str:
    """The machine-readable reason of a failed call, one of ErrorReason; empty when it has none."""
    info = error_details_pb2.ErrorInfo()
    return str(info.reason) if read_detail(error, info) else ""


def read_detail(error: grpc.RpcError, into: Message) -> bool:
    """Read a failed call's detail of `into`'s type (ErrorInfo, BadRequest, RetryInfo); False when it carries none."""
    pairs = cast("Iterable[tuple[str, bytes]]", error.trailing_metadata() or ())     # its types know nothing of pairs
    for key, value in pairs:
        if key == _DETAILS_KEY:
            return any(detail.Unpack(into) for detail in status_pb2.Status.FromString(value).details)
    return False


def waiting_for(error: grpc.RpcError) -> str:
    """What is told of a call or a stream that will be made again after this error."""
    return "no answer; waiting for it" if error.code() is grpc.StatusCode.UNAVAILABLE else "it has no room; waiting for some"


def asked_pause_s(error: grpc.RpcError) -> float | None:
    """How long to wait before the call is made again, at least; None when that wouldn't help.

    It helps while the server can't be reached (UNAVAILABLE), and when it has no room and says for how long (RESOURCE_EXHAUSTED with
    RetryInfo).
    """
    if error.code() is grpc.StatusCode.UNAVAILABLE:
        return 0.0
    retry = error_details_pb2.RetryInfo()
    if error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED and read_detail(error, retry):
        return float(retry.retry_delay.ToTimedelta().total_seconds()) or None
    return None
