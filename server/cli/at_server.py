"""A running server, as commands that talk to one reach it."""
from __future__ import annotations

import logging
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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


def tls_options(panel: str | None = None) -> tuple[Any, Any, Any]:
    """--ca, --cert and --key, in this part of the help."""
    def file(flag: str, about: str) -> Any:
        return typer.Option(flag, metavar="FILE", show_default=False, rich_help_panel=panel, help=about)
    return (file("--ca", "Speak TLS; who has signed the server's certificate, PEM. Default: no TLS."),
            file("--cert", "Your own certificate, PEM, for a server with --client-ca; with --key."),
            file("--key", "The private key of --cert, PEM."))


_CA, _CERT, _KEY = tls_options()
Ca = Annotated[Path | None, _CA]
Cert = Annotated[Path | None, _CERT]
Key = Annotated[Path | None, _KEY]


class NobodyThere(SeatmateError):
    """Nothing answers at the address of a server; the message says why, where that is known."""


class NotOffered(SeatmateError):
    """The server was started without what is asked of it."""


@dataclass(frozen=True, slots=True)
class Place:
    """A server, and how it is reached: without `ca` there is no TLS; cert and key are what a server with --client-ca asks for."""

    server: str
    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None

    def __post_init__(self) -> None:
        if (self.cert is None) != (self.key is None):
            raise typer.BadParameter("--cert and --key belong together; one of them is missing")
        if self.cert is not None and self.ca is None:
            raise typer.BadParameter("--cert and --key need --ca")

    @property
    def options(self) -> str:
        """As a command line names it."""
        given = {"--server": self.server, "--ca": self.ca, "--cert": self.cert, "--key": self.key}
        return shlex.join(str(part) for name, value in given.items() if value is not None for part in (name, value))

    def credentials(self) -> grpc.ChannelCredentials | None:
        """Raises OSError."""
        if self.ca is None:
            return None
        root, key, cert = (None if file is None else file.read_bytes() for file in (self.ca, self.key, self.cert))
        import grpc

        return grpc.ssl_channel_credentials(root, key, cert)


@contextmanager
def connected(place: Place, lacking: str) -> Iterator[Client]:
    """A client of a server that has answered; while it is away later on its calls wait for it, and a line on stderr says so.

    lacking: what is said of a server that does not know the calls. Raises NobodyThere, NotOffered, OSError, and the calls
    grpc.RpcError.
    """
    credentials = place.credentials()
    import grpc

    from seatmate.client.blocking import connect

    with connect(place.server, credentials=credentials) as client:
        _reach(client, place.server)
        with _waits_told(place.server):
            try:
                yield client
            except grpc.RpcError as error:
                if error.code() is grpc.StatusCode.UNIMPLEMENTED:
                    raise NotOffered(f"the server at {place.server} {lacking}") from None
                raise


def _reach(client: Client, server: str) -> None:
    """Call it once, and not patiently: an address that was never right is not waited for. Raises NobodyThere."""
    import grpc

    from seatmate.v1 import catalog_service_pb2 as pb

    try:
        client.catalog.ListGames(pb.ListGamesRequest(page_size=1), timeout=REACH_S)
    except grpc.RpcError as error:
        if error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
            raise NobodyThere(f"nothing answers at {server}: {_why(error)}") from None
        if error.code() is grpc.StatusCode.UNIMPLEMENTED:
            raise NobodyThere(f"what answers at {server} is no Seatmate server") from None
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
