"""Calls that answer with tokens, made safe to repeat: tokens are stored as hashes, so that answers stay in memory for a while."""
from __future__ import annotations

import asyncio
import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TypeVar

from google.protobuf.message import Message

from seatmate.server.errors import bad_field, reused
from seatmate.v1 import table_service_pb2 as pb
from seatmate.v1.tournament_service_pb2 import CreateTournamentRequest

M = TypeVar("M", bound=Message)

KEPT_S = 600.0
"""Seconds for which a repeat gets the first answer."""

MOST_KEPT = 10_000
"""Answers that are kept; beyond that the oldest go earlier."""

MOST_BYTES = 32_000_000
"""Of all of them together."""

LEAST_RANDOM, LONGEST = 32, 64
"""Characters of a request_id: who repeats a request gets its tokens, so that nobody may guess it."""


@dataclass(slots=True)
class _First:
    """The first call of a request: what it asked for, as a hash, when it began, and the bytes of its answer once it is there."""

    content: bytes
    answer: asyncio.Task[Message]
    began: float
    size: int = 0


class Repeats:
    """What the calls of the last minutes were answered, by request_id."""

    def __init__(self, most: int = MOST_KEPT, most_bytes: int = MOST_BYTES) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._bytes = 0
        self._known: OrderedDict[bytes, _First] = OrderedDict()     # oldest first

    def __len__(self) -> int:
        return len(self._known)

    async def once(self, request: CreateTournamentRequest | pb.CreateTableRequest | pb.ClaimSeatRequest, token: str | None,
                   work: Callable[[], Coroutine[object, object, M]]) -> M:
        """What `work` answers to the request, or has answered before: the same, whatever has happened since; not to be changed.

        A failure is not kept: the next call tries again.

        Raises ApiError: the request_id is none, or was used for another request or with another token.
        """
        if not request.request_id:
            return await work()
        check_request_id(request.request_id, LEAST_RANDOM)
        key = _hash(request.DESCRIPTOR.name.encode(), request.request_id.encode())
        content = _hash(request.SerializeToString(deterministic=True), (token or "").encode())
        now = asyncio.get_running_loop().time()
        while self._known and next(iter(self._known.values())).began < now - KEPT_S:
            self._drop_oldest()
        first = self._known.get(key)
        if first is None:
            if len(self._known) >= self._most:
                self._drop_oldest()
            first = self._known[key] = _First(content, asyncio.create_task(work()), now)
            first.answer.add_done_callback(lambda task: self._done(key, task))
        elif first.content != content:
            raise reused(request.request_id)
        answer: M = await asyncio.shield(first.answer)      # type: ignore[arg-type]     # of the same request, so of its kind
        return answer

    def _done(self, key: bytes, task: asyncio.Task[Message]) -> None:
        first = self._known.get(key)
        failed = task.cancelled() or task.exception() is not None       # seen, also when the callers are gone
        if first is None or first.answer is not task:
            return
        if failed:
            del self._known[key]
            return
        first.size = task.result().ByteSize()
        self._bytes += first.size
        while self._bytes > self._most_bytes:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        _, oldest = self._known.popitem(last=False)
        self._bytes -= oldest.size


def check_request_id(text: str, least: int = 1) -> None:
    """Raises ApiError unless this can be a request_id of so many characters at least."""
    if not re.fullmatch(rf"[!-~]{{{least},{LONGEST}}}", text):
        raise bad_field("request_id", f"{least} to {LONGEST} {'random ' if least > 1 else ''}printable ASCII characters without "
                        "spaces are allowed, such as a UUID")


def _hash(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).digest()
