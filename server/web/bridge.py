"""The handlers of the gRPC server for browsers and curl: gRPC-Web and the Connect protocol, as an ASGI application.

No method is named here: handlers are those that `add_XServicer_to_server` registers, with the same things around them (errors, log,
metrics). So there is one API, and a new method needs no line here. Protocols: https://connectrpc.com/docs/protocol and
https://grpc.io/docs/platforms/web (binary; not the base64 text of very old browsers).
"""
from __future__ import annotations

import asyncio
import base64
import json
import re
import struct
import time
import urllib.parse
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NoReturn

import grpc
import grpc.aio
from google.protobuf import descriptor_pool, json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import status_pb2
from grpc_status import rpc_status

from seatmate.server.errors import ApiError, Code, closing
from seatmate.server.interceptors import Around, Bounds, rebuild
from seatmate.server.web.refused import Header, Refused, answer, begin

_DETAILS = "grpc-status-details-bin"
_UNITS = {"H": 3600.0, "M": 60.0, "S": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9}
_ENCODINGS = ("content-encoding", "connect-content-encoding", "grpc-encoding")
_LAST_GRPC, _LAST_CONNECT = 0x80, 0x02
"""Flags of the last frame of a stream, which has no message but how it ended."""
_BODY_S = 30.0
"""For a request to arrive as a whole."""

_MOST_DIGITS = 400
"""Of a number of JSON: no field holds a longer one."""

_WHOLE = (FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT32,
          FieldDescriptor.CPPTYPE_UINT64)
_NUMBER = (int | float | str, "a number")
_SCALARS = {FieldDescriptor.CPPTYPE_STRING: (str, "text"), FieldDescriptor.CPPTYPE_BOOL: (bool, "true or false"),
            FieldDescriptor.CPPTYPE_ENUM: (int | float | str, "the name of a value")}
"""What stands in JSON for a field, by its type, and how that is called; for all others a number, also as text."""

_HTTP_STATUS = {Code.INVALID_ARGUMENT: 400, Code.FAILED_PRECONDITION: 400, Code.OUT_OF_RANGE: 400, Code.UNAUTHENTICATED: 401,
                Code.PERMISSION_DENIED: 403, Code.NOT_FOUND: 404, Code.ALREADY_EXISTS: 409, Code.ABORTED: 409,
                Code.RESOURCE_EXHAUSTED: 429, Code.CANCELLED: 499, Code.UNIMPLEMENTED: 501, Code.UNAVAILABLE: 503,
                Code.DEADLINE_EXCEEDED: 504}
"""Of a Connect answer to a unary call; others are 500."""


Trailing = tuple[tuple[str, str], ...]
"""Metadata in ASCII that ends a call."""


class Handlers:
    """Stands in for a grpc.aio.Server where handlers are registered: `add_TableServiceServicer_to_server(service, handlers)`."""

    def __init__(self) -> None:
        self.by_path: dict[str, grpc.RpcMethodHandler[Any, Any]] = {}

    def add_generic_rpc_handlers(self, handlers: object) -> None:
        """The same handlers again, in the older form."""

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Any]) -> None:
        """Called by the generated code."""
        self.by_path.update({f"/{service}/{method}": handler for method, handler in handlers.items()})


class _Ended(grpc.aio.AbortError):
    """The call was ended on purpose, with this."""

    def __init__(self, status: grpc.Status) -> None:
        super().__init__()
        self.status = status


class _Wire:
    """How the messages of one call travel."""

    def __init__(self, *, as_json: bool, framed: bool, streaming: bool) -> None:
        self.as_json, self.framed, self.streaming = as_json, framed, streaming

    media = ""
    """Of the answers."""

    def read(self, kind: type[Message], body: bytes) -> Message:
        """The request. Raises ApiError."""
        if self.framed:
            if len(body) < 5 or body[0] & 1 or struct.unpack(">I", body[1:5])[0] != len(body) - 5:
                raise _broken("the body is not one uncompressed message in a frame")
            body = body[5:]
        try:
            return _from_json(body, kind()) if self.as_json else kind.FromString(body)
        except (DecodeError, ValueError, RecursionError):
            raise _broken("the request is not a message of the right type") from None

    def write(self, message: Message) -> bytes:
        """An answer, in a frame where there may be several."""
        data = (json_format.MessageToJson(message, indent=None, always_print_fields_with_no_presence=True).encode() if self.as_json
                else message.SerializeToString())
        return frame(0, data) if self.framed else data

    def ended(self, status: grpc.Status | None, trailing: Trailing) -> bytes:
        """The last frame, which says how the call ended; `trailing` is what the handler tells with it."""
        raise NotImplementedError


class _GrpcWeb(_Wire):
    """Every call has frames and ends with trailers in one."""

    media = "application/grpc-web+proto"

    def ended(self, status: grpc.Status | None, trailing: Trailing) -> bytes:
        code = 0 if status is None else status.code.value[0]
        trailers = f"grpc-status: {code}\r\ngrpc-message: {urllib.parse.quote('' if status is None else status.details)}\r\n"
        trailers += "".join(f"{key}: {value}\r\n" for key, value in trailing)
        if details := _details(status):
            trailers += f"{_DETAILS}: {base64.b64encode(details).decode().rstrip('=')}\r\n"
        return frame(_LAST_GRPC, trailers.encode())


class _Connect(_Wire):
    """Plain bodies for unary calls, frames for streams."""

    @property
    def media(self) -> str:     # type: ignore[override]
        return f"application/{'connect+' * self.streaming}{'json' if self.as_json else 'proto'}"

    def ended(self, status: grpc.Status | None, trailing: Trailing) -> bytes:
        metadata = {"metadata": {key: [value] for key, value in trailing}} if trailing else {}
        return frame(_LAST_CONNECT, json.dumps(metadata if status is None else {"error": error_json(status), **metadata}).encode())


def frame(flags: int, data: bytes) -> bytes:
    """One byte of flags, four of length, the data."""
    return struct.pack(">BI", flags, len(data)) + data


def error_json(status: grpc.Status) -> dict[str, Any]:
    """A failure as Connect says it; `debug` has each detail in words where its type is known."""
    details = []
    for one in status_pb2.Status.FromString(_details(status)).details:
        name = one.type_url.rpartition("/")[2]
        kind = GetMessageClass(descriptor_pool.Default().FindMessageTypeByName(name))   # it was made of this here
        details.append({"type": name, "value": base64.b64encode(one.value).decode().rstrip("="),
                        "debug": json_format.MessageToDict(kind.FromString(one.value))})
    code = {"CANCELLED": "canceled"}.get(status.code.name, status.code.name.lower())
    return {"code": code, "message": status.details, "details": details}


def _details(status: grpc.Status | None) -> bytes:
    """The google.rpc.Status of a failure."""
    metadata: Mapping[str, Any] = {} if status is None else dict(status.trailing_metadata or ())
    details: bytes = metadata.get(_DETAILS, b"")
    return details


def _from_json(body: bytes, message: Message) -> Message:
    """The message that the body fills. Raises ApiError."""
    try:
        value = json.loads(body.decode(), object_pairs_hook=_object, parse_int=_whole)
    except UnicodeDecodeError:
        raise _broken("the request is not text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise _broken(f"the request is no JSON: {error}") from None
    except RecursionError:
        raise _broken("the request is nested too deeply") from None
    form: Any = message.DESCRIPTOR      # of two types, of which one is declared everywhere else
    if wrong := _misfit(form, value, "request"):
        raise _broken(wrong)
    try:
        return json_format.ParseDict(value, message)
    except json_format.ParseError as error:
        raise _broken(f"the request is not a message of the right type: {' '.join(str(error).split())}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Raises ApiError for a name that comes twice."""
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        raise _broken(f"the request has {next(name for name in names if names.count(name) > 1)!r} twice in one object")
    return made


def _whole(digits: str) -> int:
    """Raises ApiError."""
    if len(digits) > _MOST_DIGITS:
        raise _broken(f"the request has a number of {len(digits)} digits")
    return int(digits)


def _misfit(message: Descriptor, value: object, where: str) -> str:
    """What in the JSON of a message is of the wrong kind, as a sentence; empty: nothing is. Names that it has not are left out."""
    if message.file.package == "google.protobuf":       # these have forms of their own
        return ""
    if not isinstance(value, dict):
        return _other_than(value, "an object", where)
    fields = _fields(message)
    for name, given in value.items():
        if name in fields and given is not None and (wrong := _misfit_of(*fields[name], given, f"{where}.{name}")):
            return wrong
    return ""


@cache
def _fields(message: Descriptor) -> dict[str, tuple[FieldDescriptor, FieldDescriptor | None]]:
    """Its fields by both of their names, each with that of the values where it is a map."""
    return {name: (field, field.message_type.fields_by_name["value"]
                   if field.message_type is not None and field.message_type.GetOptions().map_entry else None)
            for field in message.fields for name in (field.name, field.json_name)}


def _misfit_of(field: FieldDescriptor, mapped: FieldDescriptor | None, value: object, where: str) -> str:
    """The same of one field, with all of its values. mapped: see _fields."""
    if mapped is not None:
        if not isinstance(value, dict):
            return _other_than(value, "an object", where)
        return next(filter(None, (_misfit_one(mapped, one, f"{where}.{key}") for key, one in value.items())), "")
    if field.is_repeated:
        if not isinstance(value, list):
            return _other_than(value, "a list", where)
        return next(filter(None, (_misfit_one(field, one, f"{where}[{place}]") for place, one in enumerate(value))), "")
    return _misfit_one(field, value, where)


def _misfit_one(field: FieldDescriptor, value: object, where: str) -> str:
    if field.message_type is not None:
        return _misfit(field.message_type, value, where)
    kinds, called = _SCALARS.get(field.cpp_type, _NUMBER)
    if not isinstance(value, kinds) or isinstance(value, bool) is not (kinds is bool):
        return _other_than(value, called, where)
    if isinstance(value, str) and field.cpp_type in _WHOLE and not re.fullmatch(r"-?[0-9]{1,20}", value):
        return f"{where} is {value[:40]!r}, not a whole number"
    if isinstance(value, str) and re.search("[\ud800-\udfff]", value):
        return f"{where} has half a character"
    return ""


def _other_than(value: object, called: str, where: str) -> str:
    is_ = {type(None): "null", bool: "true or false", str: "text", list: "a list", dict: "an object"}.get(type(value), "a number")
    return f"{where} is {is_}, not {called}"


def _broken(sentence: str) -> ApiError:
    return ApiError(Code.INVALID_ARGUMENT, "BROKEN_MESSAGE", sentence)


class _Context:
    """What our handlers and interceptors use of a grpc.aio.ServicerContext."""

    def __init__(self, headers: Mapping[str, str], client: tuple[str, int], write: Any) -> None:
        self._client = client
        self.write = write      # one answer of a stream; a slow reader slows the handler
        self._headers = headers
        self._code: grpc.StatusCode | None = None
        self._trailing: Trailing = ()
        seconds = _seconds(headers)
        self._end = None if seconds is None else time.monotonic() + seconds

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        """The headers."""
        return tuple(self._headers.items())

    def set_trailing_metadata(self, metadata: Trailing) -> None:
        """What is told with the end."""
        self._trailing = metadata

    def trailing_metadata(self) -> Trailing:
        """What is told with the end."""
        return self._trailing

    def peer(self) -> str:
        """Where the call comes from, as gRPC says it."""
        host, port = self._client
        return f"ipv6:[{host}]:{port}" if ":" in host else f"ipv4:{host}:{port}"

    def time_remaining(self) -> float | None:
        """Seconds to the caller's deadline."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def code(self) -> grpc.StatusCode | None:
        """How the call was ended."""
        return self._code

    async def abort_with_status(self, status: grpc.Status) -> NoReturn:
        """End the call."""
        self._code = status.code
        raise _Ended(status)


def _seconds(headers: Mapping[str, str]) -> float | None:
    """The time a caller gives. Raises Refused."""
    if (text := headers.get("grpc-timeout")) is not None:
        if known := re.fullmatch(r"([0-9]{1,8})([HMSmun])", text):
            return int(known[1]) * _UNITS[known[2]]
        raise Refused(400, "grpc-timeout wants up to eight digits and a unit (H, M, S, m, u or n), such as 1500m")
    if (text := headers.get("connect-timeout-ms")) is not None:
        if re.fullmatch(r"[0-9]{1,10}", text):
            return int(text) / 1000
        raise Refused(400, "connect-timeout-ms wants up to ten digits, such as 1500")
    return None


class Bridge:
    """The ASGI application of all services."""

    def __init__(self, services: Iterable[ServiceDescriptor], handlers: Handlers, arounds: Sequence[Around],
                 bounds: Bounds, most_bytes: int) -> None:
        """`arounds` are those of the gRPC server, outermost first; `most_bytes` a request may have."""
        self._most_bytes = most_bytes
        self._methods: dict[str, tuple[MethodDescriptor, Any]] = {}
        self._running: set[asyncio.Task[None]] = set()
        self._closed = False
        for service in services:
            for method in service.methods:
                path = f"/{service.full_name}/{method.name}"
                handler = _reading(handlers.by_path[path], GetMessageClass(method.input_type))
                self._methods[path] = (method, rebuild(handler, path, arounds, bounds))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """One call. Raises Refused when it is none."""
        if scope["path"] not in self._methods:
            raise Refused(404, f"there is no call {scope['path']}")
        method, handler = self._methods[scope["path"]]
        if scope["method"] != "POST":
            raise Refused(405, f"{method.name} is called by POST", (b"allow", b"POST"))
        headers: dict[str, str] = {}
        for key, value in scope["headers"]:
            headers.setdefault(key.decode("latin-1").lower(), value.decode("latin-1"))
        call = _Call(_wire(headers, method), headers, scope["client"], send)
        body = await _body(receive, self._most_bytes)
        answering = asyncio.create_task(self._answer(call, handler, body))
        leaving = asyncio.create_task(_left(receive))
        self._running.add(answering)
        try:
            await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._running.discard(answering)
            leaving.cancel()
            answering.cancel()      # the reader has gone: the handler hears of it where it waits
            await asyncio.wait((answering,))
        if not answering.cancelled():
            answering.result()

    def close(self) -> None:
        """End the calls that still run: they answer that the service is shutting down."""
        self._closed = True
        for call in self._running:
            call.cancel()

    async def _answer(self, call: _Call, handler: Any, body: bytes) -> None:
        ended: grpc.Status | None = None
        last = b""
        come = _Come(call.wire, body)
        try:
            async with asyncio.timeout(call.context.time_remaining()):
                if handler.response_streaming:
                    await handler.unary_stream(come, call.context)
                else:
                    last = call.wire.write(await handler.unary_unary(come, call.context))
        except _Ended as how:
            ended = how.status
        except TimeoutError:
            ended = _status(ApiError(Code.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED", "the deadline of the call has passed"))
        except asyncio.CancelledError:
            if not self._closed:
                raise
            ended = _status(closing())
        await call.end(last, ended)


class _Call:
    """One running call and what has been sent of its answer."""

    def __init__(self, wire: _Wire, headers: Mapping[str, str], client: tuple[str, int], send: Any) -> None:
        self.wire = wire
        self.context = _Context(headers, client, self.write)
        self._send = send
        self._begun = False

    def _head(self) -> tuple[Header, ...]:
        return (b"content-type", self.wire.media.encode()), (b"cache-control", b"no-store"), (b"x-accel-buffering", b"no")

    async def write(self, message: Message) -> None:
        """One answer of a stream."""
        await self._put(self.wire.write(message), more=True)
        await asyncio.sleep(0)      # nothing here waits once the reader has gone, of which the loop has to hear

    async def _put(self, data: bytes, *, more: bool) -> None:
        if not self._begun:
            self._begun = True
            await begin(self._send, 200, self._head())
        await self._send({"type": "http.response.body", "body": data, "more_body": more})

    async def end(self, last: bytes, status: grpc.Status | None) -> None:
        """The answer of a unary call, or how it failed; the end of a stream."""
        trailing = self.context.trailing_metadata()
        trailers = tuple((f"trailer-{key}".encode(), value.encode()) for key, value in trailing)      # of a Connect answer
        if self.wire.streaming:
            await self._put(self.wire.ended(status, trailing), more=False)
        elif self.wire.framed:
            await answer(self._send, 200, self._head(), last + self.wire.ended(status, trailing))
        elif status is None:
            await answer(self._send, 200, (*self._head(), *trailers), last)
        else:
            head = ((b"content-type", b"application/json"), *self._head()[1:], *trailers)
            await answer(self._send, _HTTP_STATUS.get(status.code, 500), head, json.dumps(error_json(status)).encode())


class _Come:
    """A request as it came, as long as its bytes."""

    def __init__(self, wire: _Wire, body: bytes) -> None:
        self.wire, self.body = wire, body

    def __len__(self) -> int:
        return len(self.body)


def _reading(handler: Any, kind: type[Message]) -> Any:
    """The handler for a wire and the bytes that came by it."""
    make = grpc.unary_stream_rpc_method_handler if handler.response_streaming else grpc.unary_unary_rpc_method_handler

    def read(come: Any) -> Message:
        message: Message = come.wire.read(kind, come.body)
        return message

    return make(handler.unary_stream if handler.response_streaming else handler.unary_unary, request_deserializer=read)


def _wire(headers: Mapping[str, str], method: MethodDescriptor) -> _Wire:
    """Raises Refused."""
    streaming = method.server_streaming
    for encoding in _ENCODINGS:
        if headers.get(encoding, "identity") != "identity":
            raise Refused(415, "a request is sent as it is, not compressed")
    media = headers.get("content-type", "").partition(";")[0].strip().lower()
    connect = "application/connect+" if streaming else "application/"
    match media:
        case "application/grpc-web" | "application/grpc-web+proto":
            return _GrpcWeb(as_json=False, framed=True, streaming=streaming)
        case "application/proto" | "application/json" | "application/connect+proto" | "application/connect+json" if media in (
                f"{connect}proto", f"{connect}json"):
            return _Connect(as_json=media.endswith("json"), framed=streaming, streaming=streaming)
    raise Refused(415, f"{method.name} is called with the content type {connect}json, {connect}proto or application/grpc-web+proto")


def _status(error: ApiError) -> grpc.Status:
    status: grpc.Status = rpc_status.to_status(error.to_status())
    return status


async def _body(receive: Any, most: int) -> bytes:
    """The whole request. Raises Refused."""
    parts, size, more = [], 0, True
    try:
        async with asyncio.timeout(_BODY_S):
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Refused(400, "the request broke off")
                parts.append(message.get("body", b""))
                more = message.get("more_body", False)
                size += len(parts[-1])
                if size > most:
                    raise Refused(413, f"a request has at most {most} bytes")
    except TimeoutError:
        raise Refused(408, f"the request did not arrive within {_BODY_S:.0f} s") from None
    return b"".join(parts)


async def _left(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
