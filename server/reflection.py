"""Server reflection, of both versions: clients ask the server for its API."""
from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from importlib import import_module
from typing import Any

import grpc
import grpc.aio
from google.protobuf import descriptor_pb2, descriptor_pool, text_format
from google.protobuf.descriptor import FileDescriptor
from grpc_reflection.v1alpha import reflection, reflection_pb2, reflection_pb2_grpc
from grpc_reflection.v1alpha._async import ReflectionServicer

import seatmate.v1

NEW_SERVICE = "grpc.reflection.v1.ServerReflection"


def add_reflection(services: Iterable[str], server: grpc.aio.Server) -> None:
    """Let the server answer which of these services it has, and what their messages are: all files of the API.

    grpcio-reflection has v1alpha alone. v1 has the same messages byte for byte and only another name, which is all it gets here.
    """
    _load_api()
    _describe_new()
    servicer = ReflectionServicer((*services, reflection.SERVICE_NAME, NEW_SERVICE), _Described())
    add: Any = reflection_pb2_grpc.add_ServerReflectionServicer_to_server     # it has no types
    add(servicer, server)
    request, response = reflection_pb2.ServerReflectionRequest, reflection_pb2.ServerReflectionResponse
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(NEW_SERVICE, {
        "ServerReflectionInfo": grpc.stream_stream_rpc_method_handler(
            servicer.ServerReflectionInfo, request_deserializer=request.FromString, response_serializer=response.SerializeToString),
    }),))


class _Described:
    """All that is described, as reflection looks it up: methods by their names too, which the pool does not find."""

    def __init__(self) -> None:
        self._pool = descriptor_pool.Default()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pool, name)

    def FindFileContainingSymbol(self, symbol: str) -> FileDescriptor:
        """Raises KeyError."""
        try:
            return self._pool.FindFileContainingSymbol(symbol)
        except KeyError:
            service, _, method = symbol.rpartition(".")
            described = self._pool.FindServiceByName(service)
            if method not in described.methods_by_name:
                raise
            return described.file


def _load_api() -> None:
    """Every file of the API describes itself when it is loaded; some, such as that of the reasons of errors, nothing else needs."""
    for module in pkgutil.iter_modules(seatmate.v1.__path__):
        if module.name.endswith("_pb2"):
            import_module(f"{seatmate.v1.__name__}.{module.name}")


def _describe_new() -> None:
    """Put v1 where reflection finds it."""
    pool = descriptor_pool.Default()
    file = descriptor_pb2.FileDescriptorProto()
    reflection_pb2.DESCRIPTOR.CopyToProto(file)
    new = text_format.Parse(text_format.MessageToString(file).replace("v1alpha", "v1"), descriptor_pb2.FileDescriptorProto())
    new.ClearField("options")       # they say that v1alpha is deprecated, and where its generated sources go
    try:
        pool.FindFileByName(new.name)
    except KeyError:
        pool.Add(new)
