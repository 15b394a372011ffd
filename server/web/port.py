"""One port for gRPC and the web: a connection goes to the gRPC server or to the web application by its first bytes.

A gRPC client opens with HTTP/2's preface, a browser with an HTTP/1.1 request. With TLS the same holds after the handshake:
`http/1.1` is offered first, which every browser takes, and gRPC clients know `h2` alone. The web is answered in this loop by
uvicorn's protocol; gRPC stays on grpcio, which listens on a unix socket in a folder that nobody else can open.
"""
from __future__ import annotations

import asyncio
import itertools
import os
import socket
import ssl
from collections.abc import Callable
from typing import Any, cast

import uvicorn
from uvicorn.server import ServerState

from seatmate.server.callers import Callers

_PREFACE = b"PRI * HTTP/2.0\r\n"
_PATIENCE_S = 20.0
"""For the first bytes: whoever says nothing is sent away."""
_KEEP_ALIVE_S = 75
_HURRY_S = 0.1
_AGAIN_S = 0.01
_BACKLOG = 1024
_PROBES = (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 20), ("TCP_KEEPCNT", 3))
"""Seconds until a silent connection is asked whether it still stands, between such questions, and how many go unanswered."""


class OnePort:
    """Listens, and hands connections on."""

    def __init__(self, application: Any, grpc_path: str, callers: Callers, tls: ssl.SSLContext | None = None) -> None:
        """`application` is ASGI; `grpc_path` the unix socket of the gRPC server; `tls` offers both protocols."""
        self._grpc_path = grpc_path
        self._callers = callers
        self._joined = itertools.count()
        self._joining: set[asyncio.Task[None]] = set()
        self._tls = tls
        self._config = uvicorn.Config(application, http="h11", ws="none", lifespan="off", interface="asgi3", log_config=None,
                                      log_level="error", access_log=False, proxy_headers=False, timeout_keep_alive=_KEEP_ALIVE_S)
        self._config.load()
        self._state = ServerState()
        self._servers: list[asyncio.Server] = []

    def web_protocol(self) -> asyncio.Protocol:
        """For one connection of a browser."""
        make: Callable[..., asyncio.Protocol] = self._config.http_protocol_class
        return make(config=self._config, server_state=self._state, app_state={}, _loop=asyncio.get_running_loop())

    async def bind(self, host: str, port: int) -> int:
        """Returns the port, which is chosen when 0 is asked for. Raises OSError."""
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for one in _bind([(family, address) for family, _, _, _, address in found]):
            self._servers.append(await loop.create_server(lambda: _FirstBytes(self), sock=one, ssl=self._tls, backlog=_BACKLOG,
                                                          start_serving=False))
        return int(self._servers[0].sockets[0].getsockname()[1])

    async def start(self) -> None:
        """Take connections. Raises OSError."""
        for server in self._servers:
            await server.start_serving()

    async def stop(self, grace_s: float, hurry: Callable[[], None]) -> None:
        """Let the requests that run end within this time; shortly before, those that are left are told to hurry."""
        self.close()
        for connection in list(self._state.connections):
            connection.shutdown()
        await self._settle(max(0.0, grace_s - _HURRY_S))
        hurry()
        await self._settle(_HURRY_S)
        for connection in list(self._state.connections):
            connection.transport.abort()
        await self._settle(_HURRY_S)

    async def _settle(self, seconds: float) -> None:
        """Until no request runs, so long at most."""
        if self._state.tasks:
            await asyncio.wait(set(self._state.tasks), timeout=seconds)

    def close(self) -> None:
        """Take no more connections."""
        for server in self._servers:
            server.close()

    def join(self, client: asyncio.Transport, read: bytes) -> None:
        """The rest of this connection is the gRPC server's. It ends when that server ends it."""
        task = asyncio.get_running_loop().create_task(self._join(client, read))
        self._joining.add(task)
        task.add_done_callback(self._joining.discard)

    async def _join(self, client: asyncio.Transport, read: bytes) -> None:
        """Connect a client with the gRPC server, which gets what has been read already and knows the connection by its own name."""
        name = f"{self._grpc_path}-{next(self._joined)}"
        client.pause_reading()
        inner = _Pipe(lambda: self._callers.forget(name))
        outer = _Pipe()
        outer.other, inner.other = inner, outer
        outer.connection_made(client)
        client.set_protocol(outer)
        try:
            line = await _reach(self._grpc_path, name)
            peer = client.get_extra_info("peername")
            self._callers.pass_on(name, peer[0] if peer else "")
            await asyncio.get_running_loop().create_unix_connection(lambda: inner, sock=line)
        except OSError:
            client.close()
            return
        assert inner.transport is not None
        inner.transport.write(read)
        if client.is_closing():
            inner.transport.close()
        else:
            client.resume_reading()


async def _reach(path: str, name: str) -> socket.socket:
    """A connection with the unix socket at `path` from one of this name, of which no file is left. Raises OSError."""
    line = socket.socket(socket.AF_UNIX)
    try:
        line.setblocking(False)
        line.bind(name)
        os.unlink(name)
        while True:
            try:
                line.connect(path)
                return line
            except BlockingIOError:     # too many at once: there is nothing to wait on
                await asyncio.sleep(_AGAIN_S)
    except BaseException:
        line.close()
        raise


def _bind(addresses: list[tuple[int, Any]]) -> list[socket.socket]:
    """Sockets of one port on all of these addresses. Raises OSError."""
    made: list[socket.socket] = []
    try:
        for family, address in dict.fromkeys(addresses):
            # With this protocol number, asyncio sets TCP_NODELAY; without it, every call would take 40 ms longer.
            one = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
            made.append(one)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for option, value in _PROBES:
                if hasattr(socket, option):
                    one.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
            if family == socket.AF_INET6:
                one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, int(address[0] != "::"))
            port = made[0].getsockname()[1] or address[1]
            one.bind((address[0], port, *address[2:]))
    except OSError:
        for one in made:
            one.close()
        raise
    return made


def _transport(made: asyncio.BaseTransport) -> asyncio.Transport:
    """What a connection reads and writes by; that of other event loops (uvloop) has its methods and is no such class."""
    return cast("asyncio.Transport", made)


class _FirstBytes(asyncio.Protocol):
    """A connection that has not said yet what it is."""

    def __init__(self, port: OnePort) -> None:
        self._port = port
        self._read = b""
        self._transport: asyncio.Transport
        self._alarm: asyncio.TimerHandle

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = _transport(transport)
        self._alarm = asyncio.get_running_loop().call_later(_PATIENCE_S, transport.close)

    def connection_lost(self, reason: Exception | None) -> None:
        self._alarm.cancel()

    def data_received(self, data: bytes) -> None:
        self._read += data
        if len(self._read) < len(_PREFACE) and _PREFACE.startswith(self._read):
            return
        self._alarm.cancel()
        if self._read.startswith(_PREFACE):
            self._port.join(self._transport, self._read)
            return
        protocol = self._port.web_protocol()
        protocol.connection_made(self._transport)
        self._transport.set_protocol(protocol)
        protocol.data_received(self._read)


class _Pipe(asyncio.BufferedProtocol):
    """One end of a joint connection: passes on what it reads, no faster than the other end takes it.

    All read into one buffer, which takes half of the time of bytes of their own: nothing comes between reading and passing on.
    """

    _buffer = memoryview(bytearray(65_536))

    def __init__(self, on_end: Callable[[], None] = lambda: None) -> None:
        self._on_end = on_end
        self.transport: asyncio.Transport | None = None
        self.other: _Pipe = self

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = _transport(transport)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        assert self.other.transport is not None     # nothing is read before
        self.other.transport.write(bytes(self._buffer[:nbytes]))

    def pause_writing(self) -> None:
        if self.other.transport is not None:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other.transport is not None and not self.other.transport.is_closing():
            self.other.transport.resume_reading()

    def connection_lost(self, reason: Exception | None) -> None:
        self._on_end()
        if self.other.transport is not None:
            self.other.transport.close()
