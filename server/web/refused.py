"""Plain HTTP answers, and what is refused in words."""
from __future__ import annotations

from collections.abc import Iterable
from email.utils import formatdate
from typing import Any

Header = tuple[bytes, bytes]

SECURITY: tuple[Header, ...] = (
    (b"content-security-policy", b"default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
                                 b"form-action 'self'; frame-ancestors 'none'"),
    (b"cross-origin-opener-policy", b"same-origin"), (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"), (b"x-content-type-options", b"nosniff"))
"""Of every answer: what a page uses comes from here, no script or style stands in the page itself, and nobody may frame it."""


class Refused(Exception):
    """A request that is answered with a status and one sentence."""

    def __init__(self, status: int, sentence: str, *headers: Header) -> None:
        super().__init__(sentence)
        self.status, self.sentence, self.headers = status, sentence, headers


async def begin(send: Any, status: int, headers: Iterable[Header]) -> None:
    """The head of an answer (ASGI)."""
    date = (b"date", formatdate(usegmt=True).encode())
    await send({"type": "http.response.start", "status": status, "headers": [date, *headers, *SECURITY]})


async def answer(send: Any, status: int, headers: Iterable[Header], body: bytes) -> None:
    """A whole answer (ASGI)."""
    await begin(send, status, (*headers, (b"content-length", str(len(body)).encode())))
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def refuse(send: Any, refused: Refused, *, close: bool) -> None:
    """Say it, and end the connection where the rest of the request is not worth reading."""
    headers = ((b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store"), *refused.headers,
               *([(b"connection", b"close")] if close else []))
    await answer(send, refused.status, headers, f"{refused.sentence}\n".encode())
