"""Everything a server can be told, in one place. Light to import: the command line is made of it."""
from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field
from pathlib import Path

from seatmate.server.options import StartupError, check_ranges, option
from seatmate.server.unix_socket import path_of

DEFAULT_ADDRESS = "127.0.0.1:50051"
DEFAULT_DATABASE = "seatmate.sqlite3"

_UNIX = "unix:"
_MOST_CALLS = 1_000_000
_MOST_MS = 3_600_000
_MOST_MB = 1_000_000
_MB = 1 << 20

_LISTENING = "Where it listens"
_TABLES = "Tables"
_SEARCHES = "Searches and bots"
_TOURNAMENTS = "Tournaments"
_ROOM = "Limits"
_RUNNING = "Operation"


def is_address(text: str) -> bool:
    """Can a server listen on such a one: host:port, or unix:path?"""
    if text.startswith(_UNIX):
        return path_of(text) not in ("", "/")
    host, _, port = text.rpartition(":")
    return bool(host) and port.isdecimal() and len(port) <= 5 and int(port) < 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class Tls:
    """PEM files of a TLS server; with `client_ca` callers need a certificate of that authority (mutual TLS)."""

    certificate: Path = option(_LISTENING, help_="Certificate chain, PEM; with --tls-key.",
        flag="tls-cert", metavar="FILE", words="no TLS")
    key: Path = option(_LISTENING, help_="Private key, PEM.", flag="tls-key", metavar="FILE", words="no TLS")
    client_ca: Path | None = option(_LISTENING, None, (
        "Certificate authority of the clients, PEM: only clients with its certificates are served (mutual TLS)."),
        flag="client-ca", metavar="FILE", words="any client")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchLimits:
    """What one call, or one bot, may ask of a search."""

    default_time_ms: int = option(_SEARCHES, 1_000, "A search takes so long when nothing is said of its length.",
        flag="search-ms", metavar="MS", least=1, most=_MOST_MS)
    max_time_ms: int = option(_SEARCHES, 60_000, "The longest search.",
        flag="max-search-ms", metavar="MS", least=1, most=_MOST_MS)
    review_time_ms: int = option(_SEARCHES, 100, "In the review of a game a decision takes so long when nothing is said of it.",
        flag="review-ms", metavar="MS", least=1, most=_MOST_MS)
    max_review_ms: int = option(_SEARCHES, 600_000, "The longest thinking about one review of a game.",
        flag="max-review-ms", metavar="MS", least=1, most=10 * _MOST_MS)
    max_iterations: int = option(_SEARCHES, 10_000_000, "The most simulations of one search.",
        flag="max-iterations", metavar="N", least=1, most=1_000_000_000)
    nodes: int = option(_SEARCHES, 200_000, "Hard cap of the nodes of one search's tree.",
        flag="max-nodes", metavar="N", least=1_000, most=100_000_000)
    least_margin_ms: float = option(_SEARCHES, 15.0, (
        "Least time that is kept free before a call's deadline for the answer to travel."),
        flag="least-margin-ms", metavar="MS", least=0, most=60_000)
    most_margin_ms: float = option(_SEARCHES, 250.0, "Most of the time that is kept free before a deadline.",
        flag="most-margin-ms", metavar="MS", least=0, most=60_000)
    margin_share: float = option(_SEARCHES, 0.05, "Its share of the time until the deadline, within these bounds.",
        flag="margin-share", metavar="X", least=0, most=0.9)

    def __post_init__(self) -> None:
        check_ranges(self)
        if self.least_margin_ms > self.most_margin_ms:
            raise StartupError(f"the least time before a deadline, {self.least_margin_ms:g} ms, is above the most, "
                               f"{self.most_margin_ms:g} ms")
        if self.default_time_ms > self.max_time_ms:
            raise StartupError(f"a search of which nothing is said takes {self.default_time_ms} ms, and the longest may take "
                               f"{self.max_time_ms} ms")

    def margin_ms(self, remaining_s: float) -> float:
        """Milliseconds to keep free when the deadline is so many seconds away."""
        return min(max(remaining_s * 1000 * self.margin_share, self.least_margin_ms), self.most_margin_ms)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pacing:
    """When bots answer, so that their timing says nothing of what they were asked; see seatmate.server.schedule.

    answer_ms: from the last thing that could be seen to a bot's answer, besides its search; None: no schedule.
    """

    answer_ms: int | None = option(_SEARCHES, 50, (
        "If somebody watches, bots answer this long after the last visible event, and a search this long after its time "
        "limit, so their thinking time gives nothing away."), flag="answer-ms", metavar="MS", least=0, most=60_000)
    simulation_us: int = option(_SEARCHES, 500, (
        "Time allowed per simulation to a bot with search:iterations=N; after N times this many microseconds it plays the "
        "best action it has found."), flag="simulation-us", metavar="US", least=1, most=1_000_000)
    look_s: float = option(_SEARCHES, 60.0, "A table of bots counts as watched for so long after somebody looked.",
        flag="look-s", metavar="S", least=0, most=86_400)

    def __post_init__(self) -> None:
        check_ranges(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerConfig:
    """Settings of one server process."""

    address: str = option(_LISTENING, DEFAULT_ADDRESS, (
        "Where to listen; port 0 picks a free one and prints it. Or unix:/path, for gRPC alone."),
        flag="address", metavar="HOST:PORT")
    tls: Tls | None = None
    allow_insecure_public: bool = option(_LISTENING, False, "Listen on a public address without TLS.",
        flag="allow-insecure-public")
    web: bool = option(_LISTENING, True, "Serve browsers on the same port: the page, gRPC-Web, and calls with JSON.",
        flag="web")
    host_names: tuple[str, ...] = option(_LISTENING, (), (
        "A name by which browsers know this server, besides localhost and the host in --address. Requests for another name "
        "are refused. May be given several times."), flag="host-name", metavar="NAME", words="none")
    database: str = option(_TABLES, DEFAULT_DATABASE, (
        "Where tables are kept: a SQLite file (made if it is missing) or, for several servers, postgresql://..."),
        flag="database", metavar="FILE|URL")
    packs: tuple[Path, ...] = option(_TABLES, (), (
        "A content pack of your own. Tables ask for it by name, and they need it at every start of the server. May be given "
        "several times."), flag="pack", metavar="FILE", words="none")
    bot_files: tuple[Path, ...] = option(_TABLES, (), (
        "Bots of your own, which tables may then seat by name: a Python file, or a TOML file that names programs "
        "(docs/writing-a-bot.md). May be given several times."), flag="bot-file", metavar="FILE", words="none")
    cached_tables: int = option(_TABLES, 1_000, (
        "Tables that are held in memory; others are read again when somebody asks for them."),
        flag="cached-tables", metavar="N", least=1, most=1_000_000)
    delete_finished_days: float = option(_TABLES, 0.0, (
        "Finished tables are deleted so many days after their last action, with all that is known of their games; 0: never."),
        flag="delete-finished-days", metavar="DAYS", least=0, most=36_500)
    delete_idle_days: float = option(_TABLES, 0.0, (
        "Tables whose games are not over are deleted when nobody has acted at them for so many days and nobody looks; 0: never."),
        flag="delete-idle-days", metavar="DAYS", least=0, most=36_500)
    workers: int = option(_SEARCHES, factory=lambda: os.cpu_count() or 1, help_=(
        "Hints that are searched at once, and as many bots, at lower priority."),
        flag="workers", metavar="N", least=1, most=1_024, words="one per core")
    queue: int = option(_SEARCHES, 0, "Hints that may wait for a worker.",
        flag="queue", metavar="N", least=0, most=1_000_000, words="four per worker")
    bot_turn_ms: int = option(_SEARCHES, 1_000, (
        "A bot's search ends after so long if bots of another table wait that have used less time lately."),
        flag="bot-turn-ms", metavar="MS", least=1, most=_MOST_MS)
    search: SearchLimits = field(default_factory=SearchLimits)
    pacing: Pacing = field(default_factory=Pacing)
    tournaments: Path | None = option(_TOURNAMENTS, None, (
        "Play tournaments of bots for callers, and keep them in this folder. They are played in processes of the lowest priority."),
        flag="tournaments", metavar="FOLDER", words="no tournaments")
    tournaments_at_once: int = option(_TOURNAMENTS, 1, "Tournaments that are played at the same time, each in one process.",
        flag="tournaments-at-once", metavar="N", least=1, most=1_024, words="one")
    tournaments_waiting: int = option(_TOURNAMENTS, 20, "Tournaments that may wait for their turn; of one address half as many.",
        flag="tournaments-waiting", metavar="N", least=2, most=100_000)
    tournaments_kept: int = option(_TOURNAMENTS, 1_000, "Tournaments that are over and kept; beyond that the oldest go.",
        flag="tournaments-kept", metavar="N", least=1, most=1_000_000)
    tournament_games: int = option(_TOURNAMENTS, 100_000, "The most games of one tournament.",
        flag="tournament-games", metavar="N", least=2, most=1_000_000_000)
    tournament_minutes: float = option(_TOURNAMENTS, 60.0, (
        "A tournament that is played for so long ends, with what it has; a restart of the server begins the time anew."),
        flag="tournament-minutes", metavar="MIN", least=0.01, most=100_000)
    max_calls: int = option(_ROOM, 10_000, (
        "Calls that run at the same time, open streams included; others are refused and told when to come back."),
        flag="max-calls", metavar="N", least=1, most=_MOST_CALLS)
    caller_calls: int = option(_ROOM, 0, (
        "The same for each address. 0: as many as are still free, which is half of all for one caller alone."),
        flag="caller-calls", metavar="N", least=0, most=_MOST_CALLS)
    connection_calls: int = option(_ROOM, 10_000, (
        "Calls that are open on one connection of gRPC; its client lets further ones wait."),
        flag="connection-calls", metavar="N", least=1, most=_MOST_CALLS)
    waiting_calls: int = option(_ROOM, 20_000, (
        "Calls that have arrived and have not begun, as in a burst; more than these are cut off."),
        flag="waiting-calls", metavar="N", least=1, most=_MOST_CALLS)
    wrong_tokens: int = option(_ROOM, 600, "Calls with a wrong token that one address may make in a minute; 0: any number.",
        flag="wrong-tokens", metavar="N", least=0, most=_MOST_CALLS)
    max_message_bytes: int = option(_ROOM, 4 * _MB, "The largest request, and the largest answer.",
        flag="message-mb", metavar="MB", least=1, most=1_024 * _MB, unit=_MB)
    large_bytes: int = option(_ROOM, 16 * _MB, (
        "Of requests above 64 kB, such as long positions, that are handled at the same time."),
        flag="large-mb", metavar="MB", least=1, most=_MOST_MB * _MB, unit=_MB)
    unread_bytes: int = option(_ROOM, 128 * _MB, "Of answers that callers have not taken; one caller alone gets half.",
        flag="unread-mb", metavar="MB", least=2, most=_MOST_MB * _MB, unit=_MB)
    unread_s: float = option(_ROOM, 60.0, "A stream whose next answer is not taken for so long ends.",
        flag="unread-s", metavar="S", least=0.1, most=86_400)
    keepalive_ms: int = option(_ROOM, 60_000, "A connection that was silent for so long is asked whether it still stands.",
        flag="keepalive-ms", metavar="MS", least=1, most=86_400_000)
    keepalive_timeout_ms: int = option(_ROOM, 20_000, "A connection that was asked ends when there is no answer within this.",
        flag="keepalive-timeout-ms", metavar="MS", least=1, most=86_400_000)
    least_ping_ms: int = option(_ROOM, 5_000, "Clients that ping more often are thrown out.",
        flag="least-ping-ms", metavar="MS", least=0, most=86_400_000)
    grace_s: float = option(_RUNNING, 5.0, "Time that running calls get at shutdown.",
        flag="grace-s", metavar="S", least=0, most=86_400)
    admin_token_file: Path | None = option(_RUNNING, None, (
        "A file with a token of 32 characters or more, whose holder can survey, stop and remove all tables."),
        flag="admin-token-file", metavar="FILE", words="no administration")
    metrics_port: int | None = option(_RUNNING, None, (
        "Offer figures for Prometheus at http://127.0.0.1:PORT/metrics, and /health for probes; 0 picks a free port."),
        flag="metrics-port", metavar="PORT", least=0, most=65_535, words="no metrics")
    metrics_host: str = option(_RUNNING, "127.0.0.1", (
        "Where the metrics are served. There is no TLS for them: they say nothing about any table."),
        flag="metrics-host", metavar="HOST")

    def __post_init__(self) -> None:
        check_ranges(self)
        if self.large_bytes < self.max_message_bytes:
            raise StartupError(f"large requests of {self.large_bytes} bytes at the same time have no room for one of "
                               f"{self.max_message_bytes}")
        if not self.database.strip():
            raise StartupError("a database is needed, a SQLite file or a URL, and not an empty text")
        if not is_address(self.address):
            raise StartupError(f"an address is host:port with a port from 0 to 65535, or unix:/path, and not {self.address!r}")

    @property
    def queue_limit(self) -> int:
        """Hints that may wait."""
        return self.queue or 4 * self.workers

    @property
    def is_unix(self) -> bool:
        """Is the address a file?"""
        return self.address.startswith(_UNIX)

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
