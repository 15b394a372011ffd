"""How many calls with a wrong token an address may make."""
from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from seatmate.server.errors import ApiError, Code
from seatmate.server.interceptors import Around, Call

_WRONG = frozenset({"WRONG_TOKEN", "BAD_TOKEN"})
"""Reasons of errors that a guess would get. Who has had a seat and lost it does not guess."""

_MINUTE_S = 60.0
_MOST_ADDRESSES = 10_000
"""Of which it is known how many they made: beyond them, the one that has made none for longest is forgotten."""


class WrongTokens:
    """A bucket for each address: `most` in it at first, and as many more each minute."""

    def __init__(self, most: int) -> None:
        """most: 0: any number."""
        self._most = most
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()      # and when that was so

    def take(self, caller: str) -> float:
        """The address has made one more: 0.0, or the seconds after which it may make another if it has made too many."""
        if not self._most:
            return 0.0
        now = time.monotonic()
        left, since = self._left.pop(caller, (float(self._most), now))
        left = min(float(self._most), left + (now - since) * self._most / _MINUTE_S)
        allowed = left >= 1.0
        self._left[caller] = (left - allowed, now)
        if len(self._left) > _MOST_ADDRESSES:
            self._left.popitem(last=False)
        return 0.0 if allowed else (1.0 - left) * _MINUTE_S / self._most


def limit_wrong_tokens(wrong: WrongTokens, caller_of: Callable[[Any], str]) -> Around:
    """An `around` that answers the wrong tokens of an address that has made too many alike, whatever they were meant for.

    A token that fits is never refused: nobody can keep out others behind the same address, and 256 random bits can't be guessed.
    """
    @asynccontextmanager
    async def limit(call: Call) -> AsyncIterator[None]:
        try:
            yield
        except ApiError as error:
            if error.reason in _WRONG and (wait_s := wrong.take(caller_of(call.context))):
                raise ApiError(Code.RESOURCE_EXHAUSTED, "TOO_MANY_WRONG_TOKENS", "too many calls from this address came with a "
                               f"token that opens nothing; try again in {wait_s:.2f} s, with the right one at once",
                               retry_s=wait_s) from None
            raise

    return limit
