"""Clients that know nothing of the API ask for it: by both versions of reflection."""
from __future__ import annotations

import grpc
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool
from google.rpc import error_details_pb2
from grpc_reflection.v1alpha import reflection_pb2

from figures import started

pytestmark = pytest.mark.asyncio

VERSIONS = pytest.mark.parametrize("version", ["v1alpha", "v1"])


async def ask(channel, version, **request):
    stream = channel.stream_stream(f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
                                   request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
                                   response_deserializer=reflection_pb2.ServerReflectionResponse.FromString)
    (answer,) = [answer async for answer in stream(iter([reflection_pb2.ServerReflectionRequest(**request)]), timeout=20)]
    return answer


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
