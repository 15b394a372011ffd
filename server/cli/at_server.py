"""A running server, as commands that talk to one reach it."""
from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seatmate.engine.core.errors import SeatmateError
from seatmate.server.cli.console import err

if TYPE_CHECKING:
    import grpc

    from seatmate.client.blocking import Client

REACH_S = 5.0
"""How long a server may take to answer for the first time."""

USUAL = "127.0.0.1:50051"

Address = Annotated[str, typer.Option("--server", metavar="HOST:PORT", help="The server.")]
Ca = Annotated[Path | None, typer.Option("--ca", metavar="FILE", show_default=False, help=(
    "Speak TLS; who has signed the server's certificate, PEM. Default: no TLS."))]


class NobodyThere(SeatmateError):
    """Nothing answers at the address of a server; the message says why, where that is known."""


@contextmanager
def connected(server: str, ca: Path | None) -> Iterator[Client]:
    """A client of a server that has answered; while it is away later on its calls wait for it, and a line on stderr says so.

    Raises NobodyThere, OSError, and the calls grpc.RpcError.
    """
    certificate = None if ca is None else ca.read_bytes()
    import grpc

    from seatmate.client.blocking import connect

    with connect(server, credentials=None if certificate is None else grpc.ssl_channel_credentials(certificate)) as client:
        _reach(client, server)
        with _waits_told(server):
            yield client


def _reach(client: Client, server: str) -> None:
    """Call it once, and not patiently: an address that was never right is not waited for. Raises NobodyThere."""
    import grpc

    from seatmate.v1 import catalog_service_pb2 as pb

    try:
        client.catalog.ListGames(pb.ListGamesRequest(page_size=1), timeout=REACH_S)
    except grpc.RpcError as error:
        if error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
            raise NobodyThere(f"nothing answers at {server}: {_why(error)}") from None
        # Whatever else is said, somebody says it; the calls that follow will hear it again.


def _why(error: grpc.RpcError) -> str:
    """The end of gRPC's chain of reasons, which is the one that a person can do something about."""
    import grpc

    if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
        return f"no word within {REACH_S:g} s"
    return (error.details() or "").rpartition(": ")[2].strip().lower() or "no connection"


class _Teller(logging.Handler):
    """Says on stderr what the client says of waiting: once, until the server has answered again."""

    def __init__(self, server: str) -> None:
        super().__init__(logging.INFO)
        self._server = server

    def emit(self, record: logging.LogRecord) -> None:
        err().print(f"{self._server}: {record.getMessage()}", markup=False, soft_wrap=True)


@contextmanager
def _waits_told(server: str) -> Iterator[None]:
    """What the client's log tells of waiting is told here, and not to other handlers."""
    log, teller = logging.getLogger("seatmate.client"), _Teller(server)
    before, passed_on = log.level, log.propagate
    log.setLevel(logging.INFO)
    log.propagate = False
    log.addHandler(teller)
    try:
        yield
    finally:
        log.removeHandler(teller)
        log.setLevel(before)
        log.propagate = passed_on
