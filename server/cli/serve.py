"""`seatmate serve`: run the service until it is told to stop."""
from __future__ import annotations

import asyncio
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from seatmate.engine.core.errors import nearest
from seatmate.server.cli.arguments import MOST_WORKERS, example

if TYPE_CHECKING:
    from seatmate.server.service import Server

DEFAULT_ADDRESS = "127.0.0.1:50051"
DEFAULT_DATABASE = "seatmate.sqlite3"
ANSWER_MS, SIMULATION_US, BOT_TURN_MS = 50, 500, 1_000
MAX_CALLS, CALLER_CALLS, CONNECTION_CALLS, WAITING_CALLS = 10_000, 0, 10_000, 20_000
LARGE_MB, UNREAD_MB, UNREAD_S = 16, 128, 60.0
"""As in seatmate.server.config, which is too heavy to import before it is known that this command runs."""


def _read_config(context: typer.Context, file: Path | None) -> Path | None:
    """Take the options of a file for those that neither the command line nor the environment gives."""
    if file is None:
        return None
    try:
        found = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise typer.BadParameter(f"can't read {file}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"{file} is not TOML: {error}") from None
    names = {option.removeprefix("--"): parameter.name for parameter in context.command.params
             for option in parameter.opts if parameter.name not in ("config_file", "help")}
    for key, value in found.items():
        if key not in names:
            raise typer.BadParameter(f"{file}: seatmate serve has no option {key!r}{nearest(key, names)}")
        if isinstance(value, dict):
            raise typer.BadParameter(f"{file}: {key} is a table; a value is needed")
    context.default_map = {str(names[key]): value for key, value in found.items()}
    return file


def serve(
    address: Annotated[str, typer.Option("--address", metavar="HOST:PORT", help=(
        "Where to listen; port 0 picks a free one and prints it."))] = DEFAULT_ADDRESS,
    database: Annotated[str, typer.Option("--database", metavar="FILE|URL", help=(
        "Where tables are kept: a SQLite file (made if it is missing) or, for several servers, postgresql://..."))
        ] = DEFAULT_DATABASE,
    workers: Annotated[int | None, typer.Option("--workers", min=1, max=MOST_WORKERS, metavar="N", show_default=False,
                                                help=(
        "Hints that are searched at once, and as many bots, at lower priority. Default: one per core."))] = None,
    pack: Annotated[list[Path] | None, typer.Option("--pack", metavar="FILE", show_default=False, help=(
        "A content pack of your own. Tables ask for it by name, and they need it at every start of the server. May be given "
        "several times."))] = None,
    tls_cert: Annotated[Path | None, typer.Option("--tls-cert", metavar="FILE", show_default=False,
                                                  help="Certificate chain, PEM; with --tls-key.")] = None,
    tls_key: Annotated[Path | None, typer.Option("--tls-key", metavar="FILE", show_default=False,
                                                 help="Private key, PEM.")] = None,
    client_ca: Annotated[Path | None, typer.Option("--client-ca", metavar="FILE", show_default=False, help=(
        "Certificate authority of the clients, PEM: only clients with its certificates are served (mutual TLS)."))] = None,
    allow_insecure_public: Annotated[bool, typer.Option("--allow-insecure-public", help=(
        "Listen on a public address without TLS."))] = False,
    web: Annotated[bool, typer.Option("--web/--no-web", help=(
        "Serve browsers on the same port: the page, gRPC-Web, and calls with JSON."))] = True,
    host_name: Annotated[list[str] | None, typer.Option("--host-name", metavar="NAME", show_default=False, help=(
        "A name by which browsers know this server, besides localhost and the host in --address. Requests for another name are "
        "refused. May be given several times."))] = None,
    metrics_port: Annotated[int | None, typer.Option("--metrics-port", min=0, max=65_535, metavar="PORT", show_default=False, help=(
        "Offer figures for Prometheus at http://127.0.0.1:PORT/metrics; 0 picks a free port. Default: no metrics."))] = None,
    metrics_host: Annotated[str, typer.Option("--metrics-host", metavar="HOST", help=(
        "Where the metrics are served. There is no TLS for them: they say nothing about any table."))] = "127.0.0.1",
    answer_ms: Annotated[int, typer.Option("--answer-ms", min=0, max=60_000, metavar="MS", help=(
        "If somebody watches, bots answer this long after the last visible event, and a search this long after its time limit, so "
        "their thinking time gives nothing away."))] = ANSWER_MS,
    simulation_us: Annotated[int, typer.Option("--simulation-us", min=1, max=1_000_000, metavar="US", help=(
        "Time allowed per simulation to a bot with search:iterations=N; after N times this many microseconds it plays the best "
        "action it has found."))] = SIMULATION_US,
    bot_turn_ms: Annotated[int, typer.Option("--bot-turn-ms", min=1, max=3_600_000, metavar="MS", help=(
        "A bot's search ends after so long if bots of another table wait that have used less time lately."))] = BOT_TURN_MS,
    max_calls: Annotated[int, typer.Option("--max-calls", min=1, max=1_000_000, metavar="N", help=(
        "Calls that run at the same time, open streams included; others are refused and told when to come back."))] = MAX_CALLS,
    caller_calls: Annotated[int, typer.Option("--caller-calls", min=0, max=1_000_000, metavar="N", help=(
        "The same for each address. 0: as many as are still free, which is half of all for one caller alone."))] = CALLER_CALLS,
    connection_calls: Annotated[int, typer.Option("--connection-calls", min=1, max=1_000_000, metavar="N", help=(
        "Calls that are open on one connection of gRPC; its client lets further ones wait."))] = CONNECTION_CALLS,
    waiting_calls: Annotated[int, typer.Option("--waiting-calls", min=1, max=1_000_000, metavar="N", help=(
        "Calls that have arrived and have not begun, as in a burst; more than these are cut off."))] = WAITING_CALLS,
    large_mb: Annotated[int, typer.Option("--large-mb", min=4, max=1_000_000, metavar="MB", help=(
        "Of requests above 64 kB, such as long positions, that are handled at the same time. One may have 4 MB."))] = LARGE_MB,
    unread_mb: Annotated[int, typer.Option("--unread-mb", min=1, max=1_000_000, metavar="MB", help=(
        "Of answers that callers have not taken; one caller alone gets half."))] = UNREAD_MB,
    unread_s: Annotated[float, typer.Option("--unread-s", min=0.1, max=86_400, metavar="S", help=(
        "A stream whose next answer is not taken for so long ends."))] = UNREAD_S,
    log_level: Annotated[Literal["debug", "info", "warning", "error"], typer.Option("--log-level", help=(
        "Logs go to stderr, one JSON object per line."))] = "warning",
    config_file: Annotated[Path | None, typer.Option("--config", metavar="FILE", envvar="SEATMATE_CONFIG", is_eager=True,
                                                     callback=_read_config, show_default=False, help=(
        "A TOML file with options, written as here without the dashes: address = \"0.0.0.0:443\"."))] = None,
) -> None:
    """Run the service: gRPC, and a page to play in the browser.

    Tables are on disk: stop the server at any time, start it again with the same database, and the games go on.

    An option on the command line counts before the environment (SEATMATE_ADDRESS and so on), and that before the file of --config.
    """
    from seatmate.server.config import Pacing, ServerConfig, Tls
    from seatmate.server.logs import setup
    from seatmate.server.service import serve as serve_until_stopped

    check_address(address)
    if not database.strip():
        raise typer.BadParameter("--database takes a file or a URL, not an empty text")
    if (tls_cert is None) != (tls_key is None):
        raise typer.BadParameter("--tls-cert and --tls-key belong together; one of them is missing")
    if client_ca is not None and tls_cert is None:
        raise typer.BadParameter("--client-ca needs --tls-cert and --tls-key")
    tls = Tls(certificate=tls_cert, key=tls_key, client_ca=client_ca) if tls_cert and tls_key else None
    config = ServerConfig(address=address, database=database, tls=tls, allow_insecure_public=allow_insecure_public,
                          web=web, host_names=tuple(host_name or ()), metrics_port=metrics_port, metrics_host=metrics_host,
                          packs=tuple(pack or ()), pacing=Pacing(answer_ms=answer_ms, simulation_us=simulation_us),
                          bot_turn_ms=bot_turn_ms, max_calls=max_calls, caller_calls=caller_calls,
                          connection_calls=connection_calls, waiting_calls=waiting_calls,
                          large_bytes=large_mb << 20, unread_bytes=unread_mb << 20, unread_s=unread_s)
    if workers is not None:
        config = replace(config, workers=workers)
    setup(log_level.upper())

    def announce(server: Server) -> None:
        where = database if "://" not in database else f"a database ({database.partition('://')[0]})"    # no passwords
        metrics = f"metrics at http://{server.metrics_address}/metrics; " if server.metrics_address else ""
        link = f"open {server.link} in a browser; " if server.link else ""
        print(f"Seatmate listens on {server.address}; tables are kept in {where}; {link}{metrics}Ctrl-C stops it.", flush=True)

    asyncio.run(serve_until_stopped(config, on_start=announce))


def check_address(address: str) -> None:
    """Raises typer.BadParameter unless it is HOST:PORT (or unix:PATH)."""
    host, _, port = address.rpartition(":")
    if not address.startswith("unix:") and not (host and port.isdecimal() and len(port) <= 5 and int(port) < 65_536):
        raise typer.BadParameter(f"--address wants HOST:PORT with a port from 0 to 65535, not {address!r}")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=example("seatmate serve --address 127.0.0.1:7171 --database tables.sqlite3"),
                context_settings={"auto_envvar_prefix": "SEATMATE"})(serve)
