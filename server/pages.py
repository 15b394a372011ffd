"""Page tokens: opaque, tied to the request they continue."""
from __future__ import annotations

import base64
import binascii
import json
from typing import Any

from seatmate.server.errors import ApiError, bad_field

DEFAULT_SIZE = 50
MAX_SIZE = 100
_MAX_TOKEN = 512


def page_size(wanted: int) -> int:
    """The size of a page. Raises ApiError."""
    if wanted < 0:
        raise bad_field("page_size", f"{wanted} is negative")
    return min(wanted or DEFAULT_SIZE, MAX_SIZE)


def make_token(scope: str, position: list[Any]) -> str:
    """A token for what follows `position` in the listing `scope`."""
    return base64.urlsafe_b64encode(json.dumps([scope, position]).encode()).decode().rstrip("=")


def read_token(token: str, scope: str, kinds: tuple[type, ...]) -> list[Any] | None:
    """The position of a token, one value per kind; None for the first page. Raises ApiError."""
    if not token:
        return None
    try:
        if len(token) > _MAX_TOKEN:
            raise ValueError("too long")
        found = json.loads(base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True))
        made_for, position = found
        fits = ([type(value) for value in position] == list(kinds)
                and all(0 <= value < 2**63 for value in position if type(value) is int))    # what a database can compare
    except (ValueError, TypeError, binascii.Error, RecursionError):
        raise _bad() from None
    if made_for != scope or not fits:
        raise _bad()
    return list(position)


def _bad() -> ApiError:
    return bad_field("page_token", "this is not the next_page_token of the same request; leave it empty to start again",
                     "BAD_PAGE_TOKEN")
