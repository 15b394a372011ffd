"""A server's address that is a file: which one it is, and that nobody else listens there."""
from __future__ import annotations

import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import unquote, urlsplit

from seatmate.server.options import StartupError

_ANSWER_S = 1.0
"""Within which whoever listens takes a connection."""


def path_of(address: str) -> str:
    """The file of `unix:path` or `unix:///path`, as gRPC reads it; empty when that names none."""
    parts = urlsplit(address)
    return "" if parts.netloc else unquote(parts.path)


@contextmanager
def claimed(address: str) -> Iterator[None]:
    """Listen at this address until gRPC does, which takes it from whoever is there and does not say why it can't.

    The file of a server that has died is replaced. Raises StartupError when the address can't be had.
    """
    path = path_of(address)
    try:
        with socket.socket(socket.AF_UNIX) as ours:
            if os.path.lexists(path):
                _check_dead(path)
                os.unlink(path)
            ours.bind(path)
            ours.listen()
            yield
    except OSError as error:
        raise StartupError(f"can't listen on {address}: {error.strerror or error}") from None


def _check_dead(path: str) -> None:
    """Raises OSError unless this is a socket where nobody listens."""
    if not stat.S_ISSOCK(os.lstat(path).st_mode):
        raise FileExistsError(0, "there is a file of that name which is no socket")
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(_ANSWER_S)
        try:
            line.connect(path)
        except ConnectionRefusedError:
            return
        except (BlockingIOError, TimeoutError):     # somebody who is too busy
            pass
    raise FileExistsError(0, "the address is in use by another server")
