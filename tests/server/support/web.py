"""Helpers of the web tests: a server in a thread of its own, and requests as a browser or curl sends them."""
from __future__ import annotations

import asyncio
import base64
import contextlib
import http.client
import json
import ssl
import struct
import threading
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from google.protobuf import json_format
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import code_pb2, error_details_pb2, status_pb2

from seatmate.server.config import ServerConfig
from seatmate.server.service import Server
from seatmate.v1 import advisor_service_pb2, catalog_service_pb2, table_service_pb2

METHODS: dict[str, MethodDescriptor] = {
    f"/{service.full_name}/{method.name}": method
    for module in (catalog_service_pb2, table_service_pb2, advisor_service_pb2)
    for service in module.DESCRIPTOR.services_by_name.values() for method in service.methods}
"""All calls by their paths."""

KINDS = ("grpc-web", "proto", "json")
"""Protocols: gRPC-Web, and Connect with messages of these two kinds."""

TABLES, ADVISOR, CATALOG = (f"/seatmate.v1.{name}Service/" for name in ("Table", "Advisor", "Catalog"))


@contextlib.contextmanager
def serving(config: ServerConfig) -> Iterator[Server]:
    """A running server, in a thread and loop of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    server = Server(config)
    try:
        asyncio.run_coroutine_threadsafe(server.start(), loop).result(60)
        try:
            yield server
        finally:
            asyncio.run_coroutine_threadsafe(server.stop(), loop).result(60)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def connection(address: str, tls: ssl.SSLContext | None = None) -> http.client.HTTPConnection:
    host, _, port = address.rpartition(":")
    if tls is None:
        return http.client.HTTPConnection(host, int(port), timeout=30)
    return http.client.HTTPSConnection(host, int(port), timeout=30, context=tls)


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


def ask(address: str, path: str, *, method: str = "GET", body: bytes | None = None, tls: ssl.SSLContext | None = None,
        **headers: str) -> Reply:
    """One request; `accept_encoding=...` is the header accept-encoding. http.client sends no Host of ours if there is one here."""
    with contextlib.closing(connection(address, tls)) as line:
        line.request(method, path, body, {key.replace("_", "-"): value for key, value in headers.items()})
        answer = line.getresponse()
        return Reply(answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read())


def frame(data: bytes, flags: int = 0) -> bytes:
    return struct.pack(">BI", flags, len(data)) + data


def media(kind: str, streaming: bool) -> str:
    return "application/grpc-web+proto" if kind == "grpc-web" else f"application/{'connect+' * streaming}{kind}"


def encode(kind: str, request: Message, streaming: bool) -> bytes:
    data = json_format.MessageToJson(request).encode() if kind == "json" else request.SerializeToString()
    return frame(data) if kind == "grpc-web" or streaming else data


@dataclass
class Failure(Exception):
    """How a call failed."""

    code: str
    message: str
    details: list[Message]

    def detail(self, kind: type[Message]) -> Any:
        """The detail of a type; an empty one if there is none."""
        return next((one for one in self.details if isinstance(one, kind)), kind())

    @property
    def reason(self) -> str:
        return str(self.detail(error_details_pb2.ErrorInfo).reason)


class Call:
    """A call in one of the protocols, whose answers are read one after the other. Raises Failure when it has failed."""

    def __init__(self, address: str, path: str, request: Message | bytes, kind: str = "grpc-web", token: str = "",
                 tls: ssl.SSLContext | None = None, **headers: str) -> None:
        self.method = METHODS[path]
        self.kind, self.streaming = kind, self.method.server_streaming
        body = request if isinstance(request, bytes) else encode(kind, request, self.streaming)
        more = {"authorization": f"Bearer {token}"} if token else {}
        self.line = connection(address, tls)
        self.line.request("POST", path, body, {"content-type": media(kind, self.streaming), **more, **{
            key.replace("_", "-"): value for key, value in headers.items()}})
        self.answer = self.line.getresponse()

    def close(self) -> None:
        """As a browser does whose tab is closed."""
        self.answer.close()
        self.line.close()

    def message(self, data: bytes) -> Any:
        made = GetMessageClass(self.method.output_type)()
        return json_format.Parse(data, made) if self.kind == "json" else type(made).FromString(data)

    def __iter__(self) -> Iterator[Any]:
        try:
            if self.kind != "grpc-web" and not self.streaming:
                yield self._plain()
                return
            assert self.answer.status == 200 and self.answer.headers["content-type"] == media(self.kind, self.streaming)
            while True:
                flags, size = struct.unpack(">BI", self._read(5))
                data = self._read(size)
                if flags:
                    assert self.answer.read() == b""
                    (_check_trailers if self.kind == "grpc-web" else _check_end)(data)
                    return
                yield self.message(data)
        finally:
            self.close()

    def _plain(self) -> Any:
        data = self.answer.read()
        if self.answer.status != 200:
            raise connect_failure(json.loads(data))
        assert self.answer.headers["content-type"] == media(self.kind, False)
        return self.message(data)

    def _read(self, size: int) -> bytes:
        data = self.answer.read(size) if size else b""      # else it waits for the next chunk
        if len(data) != size:
            raise EOFError("the stream broke off")
        return data


def call(address: str, path: str, request: Message | bytes, kind: str = "grpc-web", token: str = "", **more: Any) -> Any:
    """The answer of a unary call. Raises Failure."""
    answers = list(Call(address, path, request, kind, token, **more))
    assert len(answers) == 1
    return answers[0]


def _check_trailers(data: bytes) -> None:
    trailers = dict(line.split(": ", 1) for line in data.decode().split("\r\n") if line)
    if (code := int(trailers["grpc-status"])) != 0:
        status = status_pb2.Status.FromString(_unpadded(trailers.get("grpc-status-details-bin", "")))
        assert not status.details or (status.code == code and status.message == urllib.parse.unquote(trailers["grpc-message"]))
        details = [_known(one.type_url, one.value) for one in status.details]
        raise Failure(code_pb2.Code.Name(code), urllib.parse.unquote(trailers["grpc-message"]), details)


def _check_end(data: bytes) -> None:
    if error := json.loads(data).get("error"):
        raise connect_failure(error)


def connect_failure(error: dict[str, Any]) -> Failure:
    """As Connect says it."""
    details = []
    for one in error["details"]:
        details.append(_known(one["type"], _unpadded(one["value"])))
        assert json_format.MessageToDict(details[-1]) == one["debug"]
    return Failure({"canceled": "CANCELLED"}.get(error["code"], error["code"].upper()), error["message"], details)


def _unpadded(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4))


def _known(name: str, value: bytes) -> Message:
    kind: type[Message] = getattr(error_details_pb2, name.rpartition(".")[2])
    return kind.FromString(value)


OTHER_HOST = "127.0.0.2"
"""Another address of this machine to call from."""


def by_web(address: str, source: str) -> int:
    """The HTTP status of a call from this address of this machine."""
    host, _, port = address.rpartition(":")
    line = http.client.HTTPConnection(host, int(port), timeout=20, source_address=(source, 0))
    line.request("POST", "/seatmate.v1.CatalogService/ListGames", b"{}", {"content-type": "application/json"})
    answer = line.getresponse()
    json.loads(answer.read())
    line.close()
    return answer.status
