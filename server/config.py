"""Everything a server can be told, in one place."""
from __future__ import annotations

import ipaddress
import math
import os
from dataclasses import dataclass, field
from pathlib import Path

from seatmate.server.errors import StartupError

DEFAULT_ADDRESS = "127.0.0.1:50051"
DEFAULT_DATABASE = "seatmate.sqlite3"

_MOST_CALLS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Tls:
    """PEM files of a TLS server; with `client_ca` callers need a certificate of that authority (mutual TLS)."""

    certificate: Path
    key: Path
    client_ca: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchLimits:
    """What one call may ask of a search."""

    default_time_ms: int = 1_000            # when a request names no limit
    max_time_ms: int = 60_000
    max_iterations: int = 10_000_000
    nodes: int = 200_000                    # hard cap of one search's tree
    deadline_margin_ms: tuple[float, float] = (15.0, 250.0)
    """Least and most milliseconds kept free before a call's deadline for the answer to travel."""
    deadline_margin_share: float = 0.05     # of the time until the deadline, within those bounds

    def margin_ms(self, remaining_s: float) -> float:
        """Milliseconds to keep free when the deadline is so many seconds away."""
        least, most = self.deadline_margin_ms
        return min(max(remaining_s * 1000 * self.deadline_margin_share, least), most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pacing:
    """When bots answer, so that their timing says nothing of what they were asked; see seatmate.server.schedule."""

    answer_ms: int | None = 50  # from the last thing that could be seen to a bot's answer, besides its search; None: no schedule
    simulation_us: int = 500    # what a search that is limited by iterations is given for each of them
    look_s: float = 60.0        # a table of bots counts as watched for so long after somebody looked

    def __post_init__(self) -> None:
        if self.answer_ms is not None and not 0 <= self.answer_ms <= 60_000:
            raise StartupError(f"the time of an answer is outside 0..60000 ms: {self.answer_ms}")
        if not 1 <= self.simulation_us <= 1_000_000:
            raise StartupError(f"the time of a simulation is outside 1..1000000 microseconds: {self.simulation_us}")
        if not 0 <= self.look_s < math.inf:
            raise StartupError(f"a table can't count as watched for {self.look_s} s")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerConfig:
    """Settings of one server process."""

    address: str = DEFAULT_ADDRESS          # host:port (port 0: any free one) or unix:/path
    database: str = DEFAULT_DATABASE        # SQLite file, or an SQLAlchemy URL
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)   # searches at the same time
    queue: int = 0                          # hints that may wait for a worker; 0: four per worker
    bot_turn_ms: int = 1_000                # after so long a bot's search ends if a table waits that has used less
    search: SearchLimits = field(default_factory=SearchLimits)
    pacing: Pacing = field(default_factory=Pacing)
    packs: tuple[Path, ...] = ()            # your own content packs, by file; tables may use them
    web: bool = True                        # gRPC-Web, Connect and the page on the same port; unix: addresses are gRPC alone
    host_names: tuple[str, ...] = ()        # by which browsers know this server, besides its address and localhost
    tls: Tls | None = None
    allow_insecure_public: bool = False     # listen without TLS on an address others can reach
    grace_s: float = 5.0                    # time running calls get at shutdown
    cached_tables: int = 1_000              # tables held in memory
    max_message_bytes: int = 4 * 1024 * 1024
    large_bytes: int = 16 * 1024 * 1024     # of requests above 64 kB that are handled at the same time
    unread_bytes: int = 128 * 1024 * 1024   # of answers that callers have not taken; one caller alone gets half
    unread_s: float = 60.0                  # for one answer of a stream to be taken; then the stream ends
    max_calls: int = 10_000                 # running at the same time, open streams included
    caller_calls: int = 0                   # of one address at the same time; 0: as many as are still free
    connection_calls: int = 10_000          # open on one connection; its client lets further ones wait
    waiting_calls: int = 20_000             # of all connections, arrived and not yet begun; more than these are cut off
    keepalive_ms: int = 60_000              # a connection that was silent for so long is asked whether it still stands,
    keepalive_timeout_ms: int = 20_000      # and ends when there is no answer within this
    least_ping_ms: int = 5_000              # clients that ping more often are thrown out
    metrics_port: int | None = None         # of http://metrics_host:port/metrics for Prometheus (0: any free one); None: nowhere
    metrics_host: str = "127.0.0.1"

    def __post_init__(self) -> None:
        if self.metrics_port is not None and not 0 <= self.metrics_port < 65_536:
            raise StartupError(f"the metrics' port is outside 0..65535: {self.metrics_port}")
        if self.workers < 1:
            raise StartupError(f"a server needs at least 1 worker, not {self.workers}")
        for what, value, least in (("calls at the same time", self.max_calls, 1), ("calls of one caller", self.caller_calls, 0),
                                   ("calls of one connection", self.connection_calls, 1),
                                   ("calls that wait", self.waiting_calls, 1)):
            if not least <= value <= _MOST_CALLS:
                raise StartupError(f"the number of {what} is outside {least}..{_MOST_CALLS}: {value}")
        if self.keepalive_ms < 1 or self.keepalive_timeout_ms < 1:
            raise StartupError("a connection can't be asked all the time whether it still stands: "
                               f"{self.keepalive_ms} ms, {self.keepalive_timeout_ms} ms for the answer")
        if self.large_bytes < self.max_message_bytes:
            raise StartupError(f"large requests of {self.large_bytes} bytes at the same time have no room for one of "
                               f"{self.max_message_bytes}")
        if self.unread_bytes < 2:
            raise StartupError(f"answers of {self.unread_bytes} bytes are none")
        if not 0 < self.unread_s < math.inf:
            raise StartupError(f"an answer can't be taken within {self.unread_s} s")
        if not 1 <= self.bot_turn_ms <= 3_600_000:
            raise StartupError(f"a bot's turn is outside 1..3600000 ms: {self.bot_turn_ms}")
        if not 0 <= self.grace_s < math.inf:
            raise StartupError(f"the grace time can't be {self.grace_s} s")
        if not self.database.strip():
            raise StartupError("a database is needed, a SQLite file or a URL, and not an empty text")
        host, _, port = self.address.rpartition(":")
        if not self.is_unix and not (host and port.isdecimal() and len(port) <= 5 and int(port) < 65_536):
            raise StartupError(f"an address is host:port with a port from 0 to 65535, or unix:/path, and not {self.address!r}")

    @property
    def queue_limit(self) -> int:
        """Hints that may wait."""
        return self.queue or 4 * self.workers

    @property
    def is_unix(self) -> bool:
        """Is the address a file?"""
        return self.address.startswith("unix:")

    @property
    def serves_web(self) -> bool:
        """Is there anything for browsers?"""
        return self.web and not self.is_unix

    @property
    def is_loopback(self) -> bool:
        """Can only this machine reach the address?"""
        host = self.address.rpartition(":")[0].strip("[]").lower()
        try:
            return self.is_unix or host == "localhost" or ipaddress.ip_address(host).is_loopback
        except ValueError:      # a name, and who knows whose
            return False

    @property
    def database_url(self) -> str:
        """The database as a URL that names the driver."""
        if "://" not in self.database:
            return f"sqlite:///{self.database}"
        scheme, _, rest = self.database.partition("://")
        driver = {"postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
        return f"{driver.get(scheme, scheme)}://{rest}"
