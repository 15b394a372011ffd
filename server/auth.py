"""Tokens: 256 random bits, shown once, stored as a hash, compared in constant time."""
from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Any

import grpc.aio

from seatmate.server.errors import ApiError, Code

METADATA_KEY = "authorization"
_SCHEME = "bearer "


def new_token() -> str:
    """A fresh token."""
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> bytes:
    """What is stored of a token. A plain hash is enough: there is nothing to guess in 256 random bits."""
    return hashlib.sha256(token.encode()).digest()


def token_of(context: grpc.aio.ServicerContext[Any, Any]) -> str | None:
    """The token a call came with; None when it has none. Raises ApiError when the header is malformed."""
    for key, value in context.invocation_metadata() or ():
        if key == METADATA_KEY:
            text = value.decode("ascii", "replace") if isinstance(value, bytes) else value
            if not text.lower().startswith(_SCHEME) or not text[len(_SCHEME):].strip():
                raise ApiError(Code.UNAUTHENTICATED, "BAD_TOKEN", f"{METADATA_KEY} must read 'Bearer <token>'")
            return text[len(_SCHEME):].strip()
    return None


def opens(token: str | None, *hashes: bytes | None) -> bool:
    """Does the token fit one of the stored hashes?"""
    if token is None:
        return False
    mine = hash_token(token)
    fits = [hmac.compare_digest(mine, stored) for stored in hashes if stored is not None]
    return any(fits)


def require(token: str | None, what: str, *hashes: bytes | None) -> None:
    """Raises ApiError unless the token fits one of the hashes; `what` names what it has to open."""
    if token is None:
        raise ApiError(Code.UNAUTHENTICATED, "TOKEN_MISSING",
                       f"this needs the token of {what} in the metadata: {METADATA_KEY}: Bearer <token>")
    if not opens(token, *hashes):
        raise ApiError(Code.PERMISSION_DENIED, "WRONG_TOKEN", f"the token does not open {what}")
