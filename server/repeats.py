"""Calls that answer with tokens, made safe to repeat: tokens are stored as hashes, so that answers stay in memory for a while."""
from __future__ import annotations

import asyncio
import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from seatmate.server.errors import bad_field, reused
from seatmate.v1 import table_service_pb2 as pb
from seatmate.v1.tournament_service_pb2 import CreateTournamentRequest

T = TypeVar("T")

KEPT_S = 600.0
"""Seconds for which a repeat gets the first answer."""

MOST_KEPT = 10_000
"""Answers that are kept; beyond that the oldest go earlier."""

LEAST_RANDOM, LONGEST = 32, 64
"""Characters of a request_id: who repeats a request gets its tokens, so that nobody may guess it."""


@dataclass(frozen=True, slots=True)
class _First:
    """The first call of a request: what it asked for, as a hash, and when it began."""

    content: bytes
    answer: asyncio.Task[Any]
    began: float


class Repeats:
    """What the calls of the last minutes were answered, by request_id."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._known: OrderedDict[bytes, _First] = OrderedDict()     # oldest first

    def __len__(self) -> int:
        return len(self._known)

    async def once(self, request: CreateTournamentRequest | pb.CreateTableRequest | pb.ClaimSeatRequest, token: str | None,
                   work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What `work` makes of the request, or has made of it before. A failure is not kept: the next call tries again.

        Raises ApiError: the request_id is none, or was used for another request or with another token.
        """
        if not request.request_id:
            return await work()
        check_request_id(request.request_id, LEAST_RANDOM)
        key = _hash(request.DESCRIPTOR.name.encode(), request.request_id.encode())
        content = _hash(request.SerializeToString(deterministic=True), (token or "").encode())
        now = asyncio.get_running_loop().time()
        while self._known and next(iter(self._known.values())).began < now - KEPT_S:
            self._known.popitem(last=False)
        first = self._known.get(key)
        if first is None:
            if len(self._known) >= self._most:
                self._known.popitem(last=False)
            first = self._known[key] = _First(content, asyncio.create_task(work()), now)
            first.answer.add_done_callback(lambda task: self._done(key, task))
        elif first.content != content:
            raise reused(request.request_id)
        answer: T = await asyncio.shield(first.answer)
        return answer

    def _done(self, key: bytes, task: asyncio.Task[Any]) -> None:
        if (task.cancelled() or task.exception() is not None) and key in self._known and self._known[key].answer is task:
            del self._known[key]


def check_request_id(text: str, least: int = 1) -> None:
    """Raises ApiError unless this can be a request_id of so many characters at least."""
    if not re.fullmatch(rf"[!-~]{{{least},{LONGEST}}}", text):
        raise bad_field("request_id", f"{least} to {LONGEST} {'random ' if least > 1 else ''}printable ASCII characters without "
                        "spaces are allowed, such as a UUID")


def _hash(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).digest()
