"""A small asynchronous client: one channel, the stubs, and calls that carry a token."""
from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import grpc
import grpc.aio
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from seatmate.server.auth import METADATA_KEY
from seatmate.v1 import advisor_service_pb2_grpc, catalog_service_pb2_grpc, table_service_pb2_grpc

_DETAILS_KEY = "grpc-status-details-bin"

Metadata = tuple[tuple[str, str], ...]


def bearer(token: str) -> Metadata:
    """The metadata of a call that needs a token."""
    return ((METADATA_KEY, f"Bearer {token}"),)


@dataclass(frozen=True, slots=True)
class Client:
    """The stubs of all services on one channel."""

    channel: grpc.aio.Channel
    catalog: catalog_service_pb2_grpc.CatalogServiceAsyncStub
    tables: table_service_pb2_grpc.TableServiceAsyncStub
    advisor: advisor_service_pb2_grpc.AdvisorServiceAsyncStub


@asynccontextmanager
async def connect(address: str, *, credentials: grpc.ChannelCredentials | None = None,
                  options: Sequence[tuple[str, int | str]] = ()) -> AsyncIterator[Client]:
    """A client of the server at `address`; plaintext unless there are credentials. `options` are gRPC's, of the channel."""
    if credentials is None:
        made = grpc.aio.insecure_channel(address, options)
    else:
        made = grpc.aio.secure_channel(address, credentials, options)
    async with made as channel:
        yield Client(channel, catalog_service_pb2_grpc.CatalogServiceStub(channel),
                     table_service_pb2_grpc.TableServiceStub(channel),
                     advisor_service_pb2_grpc.AdvisorServiceStub(channel))


def error_reason(error: grpc.aio.AioRpcError) -> str:
    """The machine-readable reason of a failed call; empty when it has none."""
    info = error_details_pb2.ErrorInfo()
    return str(info.reason) if read_detail(error, info) else ""


def read_detail(error: grpc.aio.AioRpcError, into: Message) -> bool:
    """Read a failed call's detail of `into`'s type (ErrorInfo, BadRequest, RetryInfo); False when it carries none."""
    for key, value in error.trailing_metadata() or ():
        if key == _DETAILS_KEY:
            return any(detail.Unpack(into) for detail in status_pb2.Status.FromString(value).details)
    return False
