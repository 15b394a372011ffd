"""Spans of calls for OpenTelemetry: whose they are, how they ended, that nothing secret is in them, and where they are sent."""
from __future__ import annotations

import asyncio
import http.server
import importlib.util
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import grpc
import pytest

from playing import House
from seatmate.client import connect
from seatmate.server import tracing
from seatmate.server.config import ServerConfig
from seatmate.server.service import Server
from seatmate.v1 import catalog_service_pb2 as catalog

pytestmark = pytest.mark.asyncio

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
INSTALLED = importlib.util.find_spec("opentelemetry") is not None
if os.environ.get("SEATMATE_NEEDS_OTEL"):
    assert INSTALLED, "the extra `otel` is not installed"
NEEDED = pytest.mark.skipif(not INSTALLED, reason="the extra `otel` is not installed")


@NEEDED
async def test_each_call_is_a_span_below_its_callers(tmp_path):
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    server = Server(ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=1), traces=provider)
    await server.start()
    try:
        async with connect(server.address) as client:
            await client.catalog.ListGames(catalog.ListGamesRequest(), metadata=(
                ("traceparent", f"00-{TRACE}-{PARENT}-01"), ("x-request-id", "mine")))
            with pytest.raises(grpc.aio.AioRpcError):
                await client.catalog.GetGame(catalog.GetGameRequest(name="games/chess"))
            table = await House(client, server.address).table("kuhn", bots={1: "random"})
            player = await table.claim(0)
            await player.act()
            stream = table.watch()
            await stream.read()
            stream.cancel()
            await asyncio.sleep(0.1)
    finally:
        await server.stop()
    spans = {span.name: span for span in kept.get_finished_spans()}
    assert list(spans)[:2] == ["seatmate.v1.CatalogService/ListGames", "seatmate.v1.CatalogService/GetGame"]
    first, second, *_ = spans.values()
    assert (f"{first.context.trace_id:032x}", f"{first.parent.span_id:016x}") == (TRACE, PARENT)
    assert dict(first.attributes) == {
        "rpc.system": "grpc", "rpc.service": "seatmate.v1.CatalogService", "rpc.method": "ListGames", "seatmate.request_id": "mine",
        "client.address": "127.0.0.1", "rpc.response.status_code": "OK"}
    assert second.parent is None and second.context.trace_id != first.context.trace_id
    assert second.attributes["rpc.response.status_code"] == "NOT_FOUND" and second.status.is_unset
    assert spans["seatmate.v1.TableService/WatchTable"].attributes["rpc.response.status_code"] == "CANCELLED"
    told = "".join(span.to_json() for span in spans.values())
    assert "SubmitAction" in told
    for secret in (table.token, table.invitation, player.token, table.name.removeprefix("tables/")):
        assert len(secret) > 8 and secret not in told


@contextmanager
def collector() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """What takes spans by OTLP over HTTP: where, and what has come."""
    found: list[tuple[str, bytes]] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            found.append((self.path, self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", found
        server.shutdown()


@NEEDED
async def test_a_server_sends_them_where_the_environment_says(tmp_path):
    with collector() as (endpoint, found):
        environment = {**os.environ, "OTEL_EXPORTER_OTLP_ENDPOINT": endpoint, "OTEL_SERVICE_NAME": "friday-evening"}
        server = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "seatmate.server.service", "--database", str(tmp_path / "t.sqlite3"), "--workers", "1",
            "--log", "INFO", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, env=environment)
        try:
            assert server.stdout is not None
            address = (await asyncio.wait_for(server.stdout.readline(), 60)).decode().strip()
            async with connect(address) as client:
                await client.catalog.ListGames(catalog.ListGamesRequest())
            server.send_signal(signal.SIGTERM)
            _, said = await asyncio.wait_for(server.communicate(), 60)      # what waits is sent at the end
            assert server.returncode == 0
        finally:
            if server.returncode is None:
                server.kill()
                await server.wait()
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    ((path, body),) = found
    (of_server,) = ExportTraceServiceRequest.FromString(body).resource_spans
    attributes = {one.key: one.value.string_value for one in of_server.resource.attributes}
    (span,) = of_server.scope_spans[0].spans
    assert path == "/v1/traces" and attributes["service.name"] == "friday-evening" and span.name.endswith("/ListGames")
    (line,) = [line for line in map(json.loads, said.splitlines()) if line["message"] == "call"]
    assert line["trace_id"] == span.trace_id.hex()      # of a trace that begins here


@pytest.mark.parametrize(("environment", "exporters"), [
    ({}, []), ({"OTEL_TRACES_EXPORTER": "none"}, []), ({"OTEL_TRACES_EXPORTER": "otlp"}, ["otlp_proto_http"]),
    ({"OTEL_TRACES_EXPORTER": "otlp, console", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, ["otlp_proto_grpc", "console"]),
    ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://localhost:4318"}, ["otlp_proto_http"]),
    ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318", "OTEL_SDK_DISABLED": "true"}, []),
    ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318", "OTEL_TRACES_EXPORTER": "none"}, []),
])
async def test_the_environment_names_the_exporters(monkeypatch, environment, exporters):
    for key in [key for key in os.environ if key.startswith("OTEL_")]:
        monkeypatch.delenv(key)
    for key, value in environment.items():
        monkeypatch.setenv(key, value)
    assert tracing._exporters() == exporters


async def test_a_server_without_the_library_serves_and_says_so(monkeypatch, caplog):
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "otlp")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.resources", None)
    assert tracing.provider_from_environment() is None
    assert "seatmate[otel]" in caplog.text


@NEEDED
async def test_an_exporter_that_is_not_installed_is_named(monkeypatch, caplog):
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "carrier-pigeon")
    provider = tracing.provider_from_environment()
    assert provider is not None and caplog.records[-1].exporter == "carrier-pigeon"
    provider.shutdown()
