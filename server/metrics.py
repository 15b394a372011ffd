"""Figures for Prometheus: what the service does and how long it takes. Labels hold methods, status codes and kinds of bots,
and nothing of a table or of who plays there.
"""
from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, make_wsgi_app
from prometheus_client.exposition import ThreadingWSGIServer

from seatmate.server.options import StartupError

_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60)


Observe = Callable[[str, float], None]
"""Hears what was measured, such as the queue that was waited in, and the seconds. It is called from any thread."""


def unobserved(what: str, seconds: float) -> None:
    """Nobody measures."""


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:     # the log has JSON lines
        pass


class Metrics:
    """The figures of one server. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)       # memory, processor, open files
        self._calls = Counter("seatmate_calls", "Finished calls by method and status code.", ["method", "code"],
                              registry=self._registry)
        self._seconds = Histogram("seatmate_call_seconds", "Time from a call's arrival to its end; streams last as long as they "
                                  "are watched.", ["method"], buckets=_SECONDS, registry=self._registry)
        self._moves = Counter("seatmate_bot_moves", "Decisions of bots at tables, by kind of bot.", ["bot"],
                              registry=self._registry)
        self._simulations = Counter("seatmate_search_simulations", "Simulations of all searches, by whom they were for.", ["lane"],
                                    registry=self._registry)
        self._refusals = Counter("seatmate_refusals", "Calls that were refused for want of room, by reason.", ["reason"],
                                 registry=self._registry)
        self._waits = Histogram("seatmate_queue_seconds", "Time that work waited for its turn: hints, bots, reads and writes of "
                                "the database.", ["queue"], buckets=_SECONDS, registry=self._registry)
        self._storage = Histogram("seatmate_storage_seconds", "Time that the database took for one read, or for one transaction of "
                                  "all writes that waited.", ["operation"], buckets=_SECONDS, registry=self._registry)
        for queue in ("hint", "bot", "read", "write"):      # those that were never used are 0, not missing
            self._waits.labels(queue)
        for operation in ("read", "write"):
            self._storage.labels(operation)
        self._http: tuple[WSGIServer, threading.Thread] | None = None

    def call(self, method: str, code: str, seconds: float) -> None:
        """A call has ended."""
        self._calls.labels(method, code).inc()
        self._seconds.labels(method).observe(seconds)

    def refusal(self, reason: str, method: str) -> None:
        """A call of this method has been refused for want of room."""
        self._refusals.labels(reason).inc()

    def waited(self, queue: str, seconds: float) -> None:
        """A piece of work has waited so long in this queue."""
        self._waits.labels(queue).observe(seconds)

    def stored(self, operation: str, seconds: float) -> None:
        """The database has taken so long."""
        self._storage.labels(operation).observe(seconds)

    def bot_move(self, kind: str) -> None:
        """A bot of this kind has acted."""
        self._moves.labels(kind).inc()

    def simulations(self, lane: str, count: int) -> None:
        """A search has done so many simulations."""
        self._simulations.labels(lane).inc(count)

    def gauge(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """A figure that is looked up when it is asked for."""
        Gauge(name, meaning, registry=self._registry).set_function(value)

    def listen(self, host: str, port: int, is_healthy: Callable[[], bool]) -> int:
        """Answer http://host:port/metrics, and /health with 200 or 503, in threads of their own (port 0: any free one); the port.

        Raises StartupError.
        """
        figures = make_wsgi_app(self._registry)

        def answer(environ: dict[str, Any], start_response: Any) -> Any:
            if environ["PATH_INFO"] != "/health":
                return figures(environ, start_response)
            healthy = is_healthy()
            start_response("200 OK" if healthy else "503 Service Unavailable", [("Content-Type", "text/plain")])
            return [b"serving\n" if healthy else b"not serving\n"]

        class Listener(ThreadingWSGIServer):
            address_family = socket.AF_INET6 if ":" in host else socket.AF_INET

        try:
            server = make_server(host, port, answer, Listener, handler_class=_Quiet)
        except (OSError, OverflowError) as error:
            raise StartupError(f"can't offer metrics on {host}:{port}: {getattr(error, 'strerror', None) or error}") from None
        thread = threading.Thread(target=server.serve_forever, name="metrics", daemon=True)
        thread.start()
        self._http = server, thread
        return int(server.server_port)

    def close(self) -> None:
        """Stop answering."""
        if self._http is not None:
            server, thread = self._http
            server.shutdown()
            server.server_close()
            thread.join()
            self._http = None
