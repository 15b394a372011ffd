"""Clients that know nothing of the API ask for it: by both versions of reflection."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool
from google.rpc import error_details_pb2
from grpc_reflection.v1alpha import reflection_pb2

from figures import started

pytestmark = pytest.mark.asyncio

PROTOS = Path(__file__).parents[2] / "proto"

VERSIONS = pytest.mark.parametrize("version", ["v1alpha", "v1"])


async def answers(channel, version, requests):
    stream = channel.stream_stream(f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
                                   request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
                                   response_deserializer=reflection_pb2.ServerReflectionResponse.FromString)
    asked = iter([reflection_pb2.ServerReflectionRequest(**request) for request in requests])
    return [answer async for answer in stream(asked, timeout=60)]


async def ask(channel, version, **request):
    (answer,) = await answers(channel, version, [request])
    return answer


async def files(channel, version, requests):
    """The first file of each answer; the error where there is none."""
    return [descriptor_pb2.FileDescriptorProto.FromString(answer.file_descriptor_response.file_descriptor_proto[0]).name
            if answer.HasField("file_descriptor_response") else answer.error_response.error_message
            for answer in await answers(channel, version, requests)]


def symbols(scope: str, described: Any) -> Iterator[str]:
    """All names that a file, a message, an enum or a service gives."""
    name = f"{scope}.{described.name}"
    yield name
    for field in ("field", "extension", "oneof_decl", "method"):
        yield from (f"{name}.{one.name}" for one in getattr(described, field, ()))
    yield from (f"{scope}.{one.name}" for one in getattr(described, "value", ()))     # of an enum: they stand beside it
    for field in ("nested_type", "enum_type"):
        for one in getattr(described, field, ()):
            yield from symbols(name, one)


@VERSIONS
async def test_it_serves_every_file_and_every_name_of_the_api(tmp_path, version):
    names = sorted(str(path.relative_to(PROTOS)) for path in PROTOS.rglob("*.proto"))
    async with started(tmp_path) as (_, house):
        assert await files(house.client.channel, version, [{"file_by_filename": name} for name in names]) == names
        pool = descriptor_pool.Default()
        wanted: dict[str, str] = {}
        for name in names:
            file = descriptor_pb2.FileDescriptorProto()
            pool.FindFileByName(name).CopyToProto(file)
            wanted |= {symbol: name for one in (*file.message_type, *file.enum_type, *file.service)
                       for symbol in symbols(file.package, one)}
        found = await files(house.client.channel, version, [{"file_containing_symbol": symbol} for symbol in wanted])
        assert dict(zip(wanted, found, strict=True)) == wanted
        assert {"seatmate.v1.ErrorReason", "seatmate.v1.TableService.CreateTable"} <= wanted.keys()
        missing = await files(house.client.channel, version, [{"file_containing_symbol": name} for name in (
            "seatmate.v1.TableService.Nothing", "seatmate.v1.Table.Nothing", "Nothing", "")])
        assert missing == ["not found"] * 4


@VERSIONS
async def test_it_lists_all_services_and_describes_each(tmp_path, version):
    async with started(tmp_path) as (_, house):
        listed = await ask(house.client.channel, version, list_services="")
        names = {service.name for service in listed.list_services_response.service}
        assert {"seatmate.v1.TableService", "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection",
                "grpc.reflection.v1.ServerReflection"} <= names
        for name in names:
            answer = await ask(house.client.channel, version, file_containing_symbol=name)
            pool = descriptor_pool.DescriptorPool()
            for data in reversed(answer.file_descriptor_response.file_descriptor_proto):
                file = descriptor_pb2.FileDescriptorProto.FromString(data)
                try:
                    pool.Add(file)
                except TypeError:       # one it needs comes later
                    continue
            described = descriptor_pb2.FileDescriptorProto.FromString(answer.file_descriptor_response.file_descriptor_proto[0])
            assert name in {f"{described.package}.{service.name}" for service in described.service}


@VERSIONS
async def test_it_knows_the_types_of_error_details(tmp_path, version):
    async with started(tmp_path) as (_, house):
        for asked in ({"file_containing_symbol": "google.rpc.ErrorInfo"}, {"file_by_filename": "google/rpc/error_details.proto"},
                      {"file_containing_symbol": "google.rpc.Status"}):
            answer = await ask(house.client.channel, version, **asked)
            files = [descriptor_pb2.FileDescriptorProto.FromString(data).name
                     for data in answer.file_descriptor_response.file_descriptor_proto]
            assert files[0] == ("google/rpc/status.proto" if "Status" in str(asked) else error_details_pb2.DESCRIPTOR.name)
        missing = await ask(house.client.channel, version, file_containing_symbol="google.rpc.Nothing")
        assert missing.error_response.error_code == grpc.StatusCode.NOT_FOUND.value[0]
