"""What is no call at all, or one that is not ended as calls are: broken HTTP, resets, floods, answers that nobody takes."""
from __future__ import annotations

import asyncio
import contextlib
import random
import re
import struct
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import grpc.aio

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_WEB = ("application/json", "application/proto", "application/connect+json", "application/connect+proto",
        "application/grpc-web+proto", "application/grpc", "text/html", "")
_ENDED_BADLY = re.compile(rb"^HTTP/1.1 5(?!03|04)|grpc-status: (2|13)\r|\"code\": ?\"(unknown|internal)\"|Traceback", re.MULTILINE)

Report = Callable[[str, str], None]
"""Hears of what should not be: (what was done, what came of it)."""


def frame(kind: int, flags: int, stream: int, data: bytes) -> bytes:
    """One frame of HTTP/2."""
    return struct.pack(">I", len(data))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + data


class Attacks:
    """Each method is one attack on the server; it answers how many calls it was."""

    def __init__(self, address: str, channel: grpc.aio.Channel, methods: list[str], request: Callable[[str, random.Random], bytes],
                 report: Report) -> None:
        self._address = address
        self._channel: Any = channel    # bytes go and come
        self._methods = methods
        self._request = request
        self._report = report
        self.all: list[Callable[[random.Random], Awaitable[int]]] = [
            self.oversized, self.unread, self.resets, self.flood, self.garbage, self.frames, self.web, self.web, self.web]

    async def oversized(self, rng: random.Random) -> int:
        """A request of more than the server takes, or just not."""
        size = rng.choice((65_537, 1_000_000, 4 * 2**20 - 10, 4 * 2**20 + 1, 9_000_000))
        method = rng.choice(self._methods)
        with contextlib.suppress(grpc.aio.AioRpcError):
            await self._channel.unary_unary(method)(rng.choice((b"\n", b"\xff")) * size, timeout=20)
        return 1

    async def unread(self, rng: random.Random) -> int:
        """Streams whose answers nobody takes."""
        streams = [self._channel.unary_stream(rng.choice(self._methods)) for _ in range(20)]
        calls = [make(self._request(str(number), rng)) for number, make in enumerate(streams)]
        await asyncio.sleep(rng.choice((0.01, 0.3)))
        for call in calls:
            call.cancel()
        return len(calls)

    async def resets(self, rng: random.Random) -> int:
        """Calls that are taken back at once, or as soon as they have been sent."""
        for _ in range(100):
            call = self._channel.unary_unary(rng.choice(self._methods))(self._request("reset", rng))
            if rng.random() < 0.5:
                await asyncio.sleep(0)
            call.cancel()
        return 100

    async def flood(self, rng: random.Random) -> int:
        """Many calls at once on one connection."""
        method = rng.choice(self._methods)
        calls = [self._channel.unary_unary(method)(self._request(method, rng), timeout=20) for _ in range(300)]
        for answer in await asyncio.gather(*calls, return_exceptions=True):
            if isinstance(answer, grpc.aio.AioRpcError) and answer.code() in (grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL):
                self._report(f"flood of {method}", str(answer))
        return len(calls)

    async def garbage(self, rng: random.Random) -> int:
        """Bytes that are no protocol."""
        begin = rng.choice((b"", b"GET / HTTP/1.1\r\n", b"\x16\x03\x01", PREFACE))
        await self._send(begin + rng.randbytes(rng.choice((1, 60, 3000))))
        return 1

    async def frames(self, rng: random.Random) -> int:
        """Frames of HTTP/2 that belong to nothing, and many resets."""
        data = PREFACE + frame(4, 0, 0, b"")
        for _ in range(rng.randint(1, 60)):
            stream = rng.randrange(1, 99, 2)
            data += rng.choice((
                frame(rng.randrange(12), rng.randrange(256), rng.randrange(2**31), rng.randbytes(rng.randrange(40))),
                frame(1, 4, stream, rng.randbytes(rng.randrange(60))), frame(3, 0, stream, bytes(4)),
                frame(8, 0, stream, b"\x7f\xff\xff\xff"), frame(0, 1, stream, rng.randbytes(20)),
                frame(6, 0, 0, bytes(8)), frame(9, 0, stream, rng.randbytes(20))))
        await self._send(data)
        return 1

    async def web(self, rng: random.Random) -> int:
        """A call over HTTP/1.1 as browsers make it, not quite."""
        method, media = rng.choice(self._methods), rng.choice(_WEB)
        body = self._request(method, rng)
        if "json" in media:
            body = rng.choice((b"{}", b"[]", b'{"name": 1}', b'{"name": "tables/x", "nothing": null}', b'{"page_size": 1e999}',
                               b"{" * 3000, b'{"settings": {"game": "games/kuhn"}}', body))
        if "connect+" in media or "grpc" in media:
            body = struct.pack(">BI", rng.choice((0, 0, 0, 1, 255)), rng.choice((len(body), len(body), 0, 2**32 - 1))) + body
        extra = rng.choice(("", "grpc-timeout: 1x\r\n", "connect-timeout-ms: 5\r\n", "content-encoding: gzip\r\n",
                            "authorization: Bearer \xff\r\n"))
        head = (f"{rng.choice(('POST', 'POST', 'POST', 'GET', 'PUT'))} {method} HTTP/1.1\r\nhost: {self._address}\r\n"
                f"content-type: {media}\r\ncontent-length: {len(body)}\r\nconnection: close\r\n{extra}\r\n")
        said = await self._send(head.encode("latin-1") + body)
        if _ENDED_BADLY.search(said):
            self._report(f"web {method} {media} {extra!r} {body.hex()}", said.decode("latin-1")[:2000])
        return 1

    async def _send(self, data: bytes) -> bytes:
        """What the server says to these bytes, its first 64 kB within half a second."""
        host, _, port = self._address.rpartition(":")
        said = b""
        with contextlib.suppress(OSError, TimeoutError):
            reader, writer = await asyncio.open_connection(host, int(port))
            try:
                async with asyncio.timeout(0.5):
                    writer.write(data)
                    await writer.drain()
                    while len(said) < 65_536 and (more := await reader.read(4096)):
                        said += more
            finally:
                writer.transport.abort()
        return said
