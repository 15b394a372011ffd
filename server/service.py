"""The server: `serve` runs it until it is told to stop, `running_server` inside a program or a test.

`python -m seatmate.server.service --database FILE --address HOST:PORT` runs a bare one and prints its address.
"""
from __future__ import annotations

import argparse
import asyncio
import contextlib
import functools
import gc
import logging
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import grpc
import grpc.aio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from seatmate.ai.bots import load_bots
from seatmate.engine.core.errors import SeatmateError
from seatmate.engine.core.registry import add_pack, broken_games, remove_pack
from seatmate.server import logs
from seatmate.server.admin_service import AdminService, read_admin_token
from seatmate.server.advisor_service import AdvisorService
from seatmate.server.bots_runner import BotChecker, BotsRunner
from seatmate.server.callers import Callers
from seatmate.server.catalog_service import CatalogService
from seatmate.server.config import ServerConfig
from seatmate.server.correlation import identify
from seatmate.server.expiry import Expiry
from seatmate.server.health import Health
from seatmate.server.interceptors import (
    Bounds,
    Interceptor,
    RefusalLog,
    answer_errors,
    count_answers,
    limit_calls,
    log_call,
    rebuild,
    report_calls,
    report_refusals,
)
from seatmate.server.metrics import Metrics
from seatmate.server.options import StartupError
from seatmate.server.reflection import add_reflection
from seatmate.server.replicas import Replicas
from seatmate.server.room import LargeRequests, Shared
from seatmate.server.schedule import Schedule
from seatmate.server.search_pool import Lane, SearchPool
from seatmate.server.storage import Storage
from seatmate.server.table_service import TableService
from seatmate.server.tables import Tables
from seatmate.server.tls import Certificates
from seatmate.server.tournament_service import TournamentService
from seatmate.server.tournaments import Tournaments
from seatmate.server.tracing import provider_from_environment, trace_calls
from seatmate.server.unix_socket import claimed
from seatmate.server.web.bridge import Bridge, Handlers
from seatmate.server.web.port import OnePort
from seatmate.server.web.site import FOLDER, Web, read_site
from seatmate.server.wrong_tokens import WrongTokens, limit_wrong_tokens
from seatmate.v1 import (
    admin_service_pb2,
    admin_service_pb2_grpc,
    advisor_service_pb2,
    advisor_service_pb2_grpc,
    catalog_service_pb2,
    catalog_service_pb2_grpc,
    table_service_pb2,
    table_service_pb2_grpc,
    tournament_service_pb2,
    tournament_service_pb2_grpc,
)

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

log = logging.getLogger(__name__)

_DESCRIPTORS = tuple(service for module in (catalog_service_pb2, table_service_pb2, advisor_service_pb2)
                     for service in module.DESCRIPTOR.services_by_name.values())
SERVICES = tuple(service.full_name for service in _DESCRIPTORS)
"""Full names of the services of this API."""

_GARBAGE = (1_000, 4, 20_000)
"""Thresholds of the garbage collector's generations in a process that only serves. gRPC leaves a few objects of every call in a
cycle; all calls wait while they are collected, with a second generation of 50 for 60 ms. The third is looked through every hour or
so, which takes a third of a second: what lives long is not in cycles.
"""

_HEALTHY_S = 2.0
"""Within which the event loop of a healthy server answers."""

_LONGEST_WAIT_S = 600
"""For the calls of a burst until they begin; then gRPC ends them without a word."""

_SWEEP_S = 15.0
"""After which tables that nobody uses are looked for."""

_SWITCH_S = 0.0005
"""After which a thread that runs Python lets another have its turn, if one waits."""

_WIND_UP_S = 0.2
"""Searches are stopped so long before the grace time ends, so that their calls can still answer."""


def channel_options(config: ServerConfig) -> list[tuple[str, int]]:
    """What the server tells gRPC, which takes no notice of a name it does not know."""
    return [("grpc.so_reuseport", 0), ("grpc.max_receive_message_length", config.max_message_bytes),
            ("grpc.max_send_message_length", config.max_message_bytes), ("grpc.keepalive_time_ms", config.keepalive_ms),
            ("grpc.http2.ping_timeout_ms", config.keepalive_timeout_ms),  # grpc.keepalive_timeout_ms does nothing
            ("grpc.keepalive_permit_without_calls", 1),
            ("grpc.http2.min_ping_interval_without_data_ms", config.least_ping_ms),
            ("grpc.max_concurrent_streams", config.connection_calls),
            # Beyond the first of these gRPC begins to end calls without a word, at random, and 1,000 would be its own choice.
            ("grpc.server.max_pending_requests", config.waiting_calls),
            ("grpc.server.max_pending_requests_hard_limit", config.waiting_calls),
            ("grpc.server_max_unrequested_time_in_server", _LONGEST_WAIT_S)]


class Server:
    """All parts of one server, wired together."""

    def __init__(self, config: ServerConfig, *, traces: TracerProvider | None = None) -> None:
        """traces: where a span of each call goes; it is shut down with the server."""
        self.config = config
        self._traces = traces
        self.address = ""
        self.metrics_address = ""       # host:port, empty without metrics
        self._metrics = Metrics()
        self._storage = Storage(config.database_url, waited=self._metrics.waited, took=self._metrics.stored)
        self._tables = Tables(self._storage, Schedule(config.pacing, config.search.max_time_ms), cached=config.cached_tables)
        self._pool = SearchPool(config.workers, config.queue_limit, config.bot_turn_ms / 1000, waited=self._metrics.waited)
        self._callers = Callers()
        self._bots = BotsRunner(self._tables, self._pool, config.search, self._metrics)
        self._tournaments = None if config.tournaments is None else Tournaments(config.tournaments, config)
        self._health = Health()
        self._own_packs: list[tuple[str, str]] = []     # of which game, and the name
        self._grpc: grpc.aio.Server | None = None
        self._bridge: Bridge
        self._port: OnePort | None = None       # where the web is served, too
        self._folder: tempfile.TemporaryDirectory[str] | None = None    # of the socket of gRPC behind it
        self._resuming: asyncio.Task[None] | None = None
        self._sweeping: asyncio.Task[None] | None = None
        self._expiring: asyncio.Task[None] | None = None
        self._replicas: Replicas | None = None
        self._certificates: Certificates | None = None

    @property
    def link(self) -> str:
        """For a browser on this machine; empty when there is nothing for browsers."""
        if not self.config.serves_web:
            return ""
        host, _, port = self.address.rpartition(":")
        return f"http{'s' * (self.config.tls is not None)}://{'localhost' if host in ('0.0.0.0', '[::]') else host}:{port}"

    async def start(self) -> None:
        """Open the database, listen, wake the bots. Raises StartupError with one sentence."""
        for game, error in (await asyncio.to_thread(broken_games)).items():
            log.error("a game can't be played", extra={"game": game, "why": str(error)})
        try:
            self._add_packs()
            self._load_bots()
            await self._storage.open()
            if self._tournaments is not None:
                await asyncio.to_thread(self._tournaments.open)
            self._grpc = self._build()
            if self.config.metrics_port is not None:
                self.metrics_address = self._offer_metrics(self.config.metrics_host, self.config.metrics_port)
            self.address = await self._listen(self._grpc)
            await self._grpc.start()
            if self._port is not None:
                await self._port.start()
        except BaseException:
            self._close_port()
            self._remove_packs()
            if self._tournaments is not None:
                await self._tournaments.stop()
            self._metrics.close()
            self._pool.close()
            await self._storage.close()
            raise
        await self._set_health(health_pb2.HealthCheckResponse.SERVING)
        if self._storage.shared:
            self._replicas = self._storage.join(self._tables.others_wrote, self._share_out)
            self._tables.drives = self._replicas.drives
        self._resuming = asyncio.create_task(self._tables.resume())
        self._sweeping = asyncio.create_task(self._sweep())
        self._expiring = asyncio.create_task(Expiry(self._storage, self._tables, self.config).run())
        if self._tournaments is not None:
            self._tournaments.start()
        log.info("serving", extra={"address": self.address, "workers": self.config.workers})

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP_S)
            self._tables.sweep()

    def _share_out(self) -> None:
        """Other servers on this database play other tables' bots now."""
        self._tables.share_out()
        if self._resuming is not None and not self._tables.stopping:
            self._resuming.cancel()
            self._resuming = asyncio.create_task(self._tables.resume())

    def _add_packs(self) -> None:
        for file in self.config.packs:
            try:
                self._own_packs.append(add_pack(file))
            except SeatmateError as error:
                raise StartupError(str(error)) from None

    def _load_bots(self) -> None:
        for file in self.config.bot_files:
            try:
                load_bots(file)
            except SeatmateError as error:
                raise StartupError(str(error)) from None

    def _close_port(self) -> None:
        if self._port is not None:
            self._port.close()
        if self._folder is not None:
            self._folder.cleanup()

    def _remove_packs(self) -> None:
        while self._own_packs:
            remove_pack(*self._own_packs.pop())

    def _build(self) -> grpc.aio.Server:
        config = self.config
        answers = Shared(config.unread_bytes)
        traced = [] if self._traces is None else [trace_calls(self._traces)]
        arounds = [identify(self._callers.host_of), *traced, report_calls(log_call, self._metrics.call), answer_errors,
                   report_refusals(self._metrics.refusal, RefusalLog()),
                   limit_calls(Shared(config.max_calls, config.caller_calls), answers, self._callers.of),
                   limit_wrong_tokens(WrongTokens(config.wrong_tokens), self._callers.of)]
        bounds = Bounds(LargeRequests(config.large_bytes), config.unread_s)
        server = grpc.aio.server(options=channel_options(config), interceptors=[
            Interceptor(count_answers(answers, self._callers.of)),
            Interceptor(functools.partial(rebuild, arounds=arounds, bounds=bounds)),
            Interceptor(functools.partial(rebuild, arounds=[answer_errors], bounds=bounds), of_others=True)])
        handlers = Handlers()
        catalog, tables = CatalogService(), TableService(self._tables, BotChecker(config.search))
        advisor = AdvisorService(self._tables, self._pool, config.search, self._metrics, self._callers)
        targets: tuple[Any, ...] = (server, handlers)
        for target in targets:
            catalog_service_pb2_grpc.add_CatalogServiceServicer_to_server(catalog, target)
            table_service_pb2_grpc.add_TableServiceServicer_to_server(tables, target)
            advisor_service_pb2_grpc.add_AdvisorServiceServicer_to_server(advisor, target)
        bridged = [*_DESCRIPTORS]
        if self._tournaments is not None:
            tournaments = TournamentService(self._tournaments, config, self._callers)
            for target in targets:
                tournament_service_pb2_grpc.add_TournamentServiceServicer_to_server(tournaments, target)
            bridged += tournament_service_pb2.DESCRIPTOR.services_by_name.values()
        more: list[Any] = []        # not for browsers
        if config.admin_token_file is not None:
            admin = AdminService(self._storage, self._tables, read_admin_token(config.admin_token_file))
            admin_service_pb2_grpc.add_AdminServiceServicer_to_server(admin, server)
            more += admin_service_pb2.DESCRIPTOR.services_by_name.values()
        self._bridge = Bridge(bridged, handlers, arounds, bounds, config.max_message_bytes)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        more += health_pb2.DESCRIPTOR.services_by_name.values()
        add_reflection([service.full_name for service in (*bridged, *more)], server)
        return server

    async def _listen(self, server: grpc.aio.Server) -> str:
        """Bind; returns the address with the port that was chosen."""
        config = self.config
        if config.tls is None and not config.is_loopback and not config.allow_insecure_public:
            raise StartupError(f"{config.address} can be reached by others, and without TLS they could read the "
                               "tokens: give --tls-cert and --tls-key, or --allow-insecure-public")
        self._certificates = None if config.tls is None else Certificates(config.tls)
        host = config.address.rpartition(":")[0]
        with claimed(config.address) if config.is_unix else contextlib.nullcontext():
            port = await self._bind_both(server) if config.serves_web else self._bind_grpc(server)
        if port == 0:
            raise StartupError(f"can't listen on {config.address}: the port is in use, or the address is not one of "
                               "this machine")
        return config.address if config.is_unix else f"{host}:{port}"

    def _bind_grpc(self, server: grpc.aio.Server) -> int:
        """The port for gRPC alone; 0 if it can't be had."""
        address, tls = self.config.address, self._certificates
        try:
            return server.add_insecure_port(address) if tls is None else server.add_secure_port(address, tls.credentials())
        except RuntimeError:
            return 0

    async def _bind_both(self, server: grpc.aio.Server) -> int:
        """The port for gRPC and the web; 0 if it can't be had. gRPC itself gets a socket that only this process knows."""
        config = self.config
        host, _, port = config.address.rpartition(":")
        tls = None if self._certificates is None else self._certificates.context
        self._folder = tempfile.TemporaryDirectory(prefix="seatmate-")
        path = f"{self._folder.name}/grpc"
        server.add_insecure_port(f"unix:{path}")
        self._port = OnePort(Web(self._bridge, read_site(FOLDER), host, config.host_names), path, self._callers, tls)
        try:
            return await self._port.bind(host.strip("[]"), int(port))
        except OSError:
            return 0

    def _offer_metrics(self, host: str, port: int) -> str:
        """Listen for Prometheus; returns the address with the port that was chosen."""
        metrics = self._metrics
        metrics.gauge("seatmate_tables_in_memory", "Tables that are held in memory.", lambda: self._tables.in_memory)
        metrics.gauge("seatmate_tables_damaged", "Tables that were found damaged in the database.", lambda: self._tables.damaged)
        metrics.gauge("seatmate_searches_running", "Searches that run now.", lambda: self._pool.running)
        metrics.gauge("seatmate_hints_waiting", "Hints that wait for a worker.", lambda: self._pool.waiting(Lane.HINT))
        metrics.gauge("seatmate_bots_waiting", "Bots that wait for a worker.", lambda: self._pool.waiting(Lane.BOT))
        loop = asyncio.get_running_loop()

        async def serves() -> bool:
            return not self._tables.stopping

        def is_healthy() -> bool:       # asked in another thread
            try:
                return asyncio.run_coroutine_threadsafe(serves(), loop).result(_HEALTHY_S)
            except TimeoutError:
                return False

        return f"{host}:{metrics.listen(host, port, is_healthy)}"

    async def _set_health(self, status: int) -> None:
        for service in ("", *SERVICES):
            await self._health.set(service, status)

    async def stop(self, grace_s: float | None = None) -> None:
        """Stop taking work, end the streams, let running calls finish within the grace time, then close everything."""
        grace = self.config.grace_s if grace_s is None else grace_s
        assert self._grpc is not None and self._resuming is not None
        assert self._sweeping is not None and self._expiring is not None
        await self._health.enter_graceful_shutdown()
        if self._port is not None:
            self._port.close()
        self._tables.stop()
        self._pool.drain()
        own = (self._resuming, self._sweeping, self._expiring)
        for task in own:
            task.cancel()
        await asyncio.gather(*own, return_exceptions=True)
        await self._bots.stop()
        if self._tournaments is not None:
            await self._tournaments.stop()
        if self._replicas is not None:
            await self._replicas.stop()
        alarm = asyncio.get_running_loop().call_later(max(0.0, grace - _WIND_UP_S), self._pool.close)
        web = [] if self._port is None else [self._port.stop(grace, self._bridge.close)]
        await asyncio.gather(self._grpc.stop(grace), *web)
        self._close_port()
        alarm.cancel()
        self._pool.close()
        await self._tables.settle()
        await self._storage.close()
        self._metrics.close()
        self._remove_packs()
        if self._traces is not None:
            await asyncio.to_thread(self._traces.shutdown)
        log.info("stopped")

    def reload(self) -> None:
        """Read the certificates again; if they can't be used the old ones stay, and the log says so."""
        try:
            if self._certificates is not None:
                self._certificates.reload()
        except StartupError as error:
            log.error("the certificates stay as they were", extra={"why": str(error)})
        else:
            log.info("reloaded", extra={"certificates": self._certificates is not None})

    async def wait(self) -> None:
        """Until the server has stopped."""
        assert self._grpc is not None
        await self._grpc.wait_for_termination()


@asynccontextmanager
async def running_server(config: ServerConfig) -> AsyncIterator[str]:
    """A running server; yields its address, host:port. Raises StartupError."""
    server = Server(config)
    await server.start()
    try:
        yield server.address
    finally:
        await server.stop()


async def serve(config: ServerConfig, *, on_start: Callable[[Server], None] | None = None) -> None:
    """Serve until SIGTERM or SIGINT, then stop gracefully; SIGHUP reads the certificates again. Raises StartupError.

    `on_start` gets the running server.
    """
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    server = Server(config, traces=provider_from_environment())
    await server.start()
    _wait_for_nobody()
    with contextlib.suppress(NotImplementedError, AttributeError):      # not on Windows
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        loop.add_signal_handler(signal.SIGHUP, server.reload)
    try:
        if on_start is not None:
            on_start(server)
        await stop.wait()
    finally:
        await server.stop()


def _wait_for_nobody() -> None:
    """What makes all calls wait in a process that only serves: garbage collections and other threads that run Python.

    What lives long is looked through as good as never, for hardly anything of it is in cycles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GARBAGE)
    sys.setswitchinterval(_SWITCH_S)


def main(arguments: Sequence[str] | None = None) -> int:
    """A bare server for tests and supervisors."""
    parser = argparse.ArgumentParser(prog="python -m seatmate.server.service",
                                     description="Run a bare Seatmate server.")
    parser.add_argument("--address", default="127.0.0.1:0", help="host:port (port 0: any free one)")
    parser.add_argument("--database", required=True, help="SQLite file or database URL")
    parser.add_argument("--workers", type=int, default=None, help="searches at the same time (default: one per core)")
    parser.add_argument("--no-web", action="store_true", help="gRPC alone")
    parser.add_argument("--log", default="WARNING", help="log level")
    wishes = parser.parse_args(arguments)
    logs.setup(wishes.log)
    try:
        workers = {} if wishes.workers is None else {"workers": wishes.workers}
        config = ServerConfig(address=wishes.address, database=wishes.database, web=not wishes.no_web, **workers)
        asyncio.run(serve(config, on_start=lambda server: print(server.address, flush=True)))
    except StartupError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
