"""A small asynchronous client: one channel, the stubs, and calls that carry a token."""
from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import grpc
import grpc.aio
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from seatmate.server.auth import METADATA_KEY
from seatmate.v1 import advisor_service_pb2_grpc, catalog_service_pb2_grpc, table_service_pb2_grpc

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
async def connect(address: str, *, credentials: grpc.ChannelCredentials | None = None) -> AsyncIterator[Client]:
    """A client of the server at `address`; plaintext unless there are credentials."""
    made = grpc.aio.insecure_channel(address) if credentials is None else grpc.aio.secure_channel(address, credentials)
    async with made as channel:
        yield Client(channel, catalog_service_pb2_grpc.CatalogServiceStub(channel),
                     table_service_pb2_grpc.TableServiceStub(channel), advisor_service_pb2_grpc.AdvisorServiceStub(channel))


def error_reason(error: grpc.RpcError) -> str:
    """The machine-readable reason of a failed call; empty when it has none."""
    info = error_detail(error, error_details_pb2.ErrorInfo())
    return info.reason if isinstance(info, error_details_pb2.ErrorInfo) else ""


def error_detail(error: grpc.RpcError, kind: Message) -> Message | None:
    """The detail of this kind (an empty message of it) that a failed call carries; None when it has none."""
    status = rpc_status.from_call(error)
    for detail in status.details if status is not None else ():
        if detail.Unpack(kind):
            return kind
    return None
