"""One port for browsers and gRPC: TLS, limits, slow and silent clients, stopping and starting again."""
from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import struct
import subprocess
import threading
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from certificates import new_certificate
from playing import plans
from seatmate.client import bearer
from seatmate.client.blocking import connect
from seatmate.server.callers import Callers
from seatmate.server.config import Pacing, ServerConfig, Tls
from seatmate.server.interceptors import Bounds, answer_errors
from seatmate.server.room import LargeRequests
from seatmate.server.web import port as one_port
from seatmate.server.web.bridge import Bridge, Handlers
from seatmate.server.web.port import OnePort
from seatmate.server.web.site import Web
from seatmate.v1 import advisor_service_pb2, analysis_pb2, event_pb2, settings_pb2, table_pb2
from seatmate.v1 import table_service_pb2 as pb
from web import ADVISOR, KINDS, TABLES, Call, Failure, ask, call, frame, serving


def config(folder, **more) -> ServerConfig:
    given = {"address": "127.0.0.1:0", "database": str(folder / "t.sqlite3"), "workers": 1, "grace_s": 2.0, **more}
    return ServerConfig(pacing=Pacing(answer_ms=None), **given)


def seat_of(address: str, **more) -> pb.ClaimSeatResponse:
    """A seat of Hyde that has to act."""
    settings = settings_pb2.GameSettings(game="games/hyde", seat_count=2)
    request = pb.CreateTableRequest(settings=settings, bots=plans({1: "random"}, 0), access=table_pb2.ACCESS_OPEN)
    table = call(address, f"{TABLES}CreateTable", request, **more).table
    claimed: pb.ClaimSeatResponse = call(address, f"{TABLES}ClaimSeat", pb.ClaimSeatRequest(name=f"{table.name}/seats/0"), **more)
    return claimed


def watch(address: str, claimed: pb.ClaimSeatResponse, kind: str, **more) -> Call:
    return Call(address, f"{TABLES}WatchTable", pb.WatchTableRequest(observer=claimed.seat.name), kind, claimed.seat_token, **more)


# ---- TLS ----

@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """Of a server, and of an authority with one client."""
    folder = tmp_path_factory.mktemp("tls")
    new_certificate(folder)
    for line in ("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca-key.pem -out ca.pem",
                 "req -newkey rsa:2048 -nodes -subj /CN=client -keyout client-key.pem -out client.csr",
                 "x509 -req -in client.csr -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 2 -out client.pem"):
        subprocess.run(["openssl", *line.split()], cwd=folder, capture_output=True, check=True)
    return folder


def chosen(address: str, tls: ssl.SSLContext, offered: list[str]) -> str | None:
    """The protocol that the server picks of those."""
    tls.set_alpn_protocols(offered)
    host, _, port = address.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=30) as line, tls.wrap_socket(line, server_hostname=host) as secure:
        return secure.selected_alpn_protocol()


@pytest.mark.parametrize("mutual", [False, True])
def test_tls_for_browsers_and_native_grpc(tmp_path, certificates, mutual):
    tls = Tls(certificate=certificates / "cert.pem", key=certificates / "key.pem",
              client_ca=certificates / "ca.pem" if mutual else None)
    browser = ssl.create_default_context(cafile=certificates / "cert.pem")
    browser.set_alpn_protocols(["h2", "http/1.1"])
    stranger = ssl.create_default_context(cafile=certificates / "cert.pem")
    mine = [(certificates / name).read_bytes() for name in ("client-key.pem", "client.pem")] if mutual else []
    if mutual:
        browser.load_cert_chain(certificates / "client.pem", certificates / "client-key.pem")
    with serving(config(tmp_path, tls=tls)) as server:
        assert server.link == f"https://{server.address}"
        claimed = seat_of(server.address, tls=browser)
        for kind in KINDS:
            steps = watch(server.address, claimed, kind, tls=browser)
            assert next(iter(steps)).events
        assert ask(server.address, "/nothing", tls=browser).status == 404
        assert [chosen(server.address, browser, offered) for offered in (["h2", "http/1.1"], ["http/1.1"], ["h2"])] == [
            "http/1.1", "http/1.1", "h2"]
        root = (certificates / "cert.pem").read_bytes()
        with connect(server.address, credentials=grpc.ssl_channel_credentials(root, *mine)) as client:
            assert len(client.list_tables()) == 1
        if mutual:
            with pytest.raises((ssl.SSLError, ConnectionError)):
                ask(server.address, "/", tls=stranger)
            with connect(server.address, credentials=grpc.ssl_channel_credentials(root)) as client:
                with pytest.raises(grpc.RpcError):
                    client.tables.ListTables(pb.ListTablesRequest(), timeout=30)
        with pytest.raises((OSError, EOFError)):        # clear text
            ask(server.address, "/")


# ---- Limits, metrics, logs ----

def test_the_most_calls_at_the_same_time_are_counted_over_all_protocols(tmp_path):
    with serving(config(tmp_path, max_calls=3, caller_calls=3)) as server, connect(server.address) as client:
        claimed = seat_of(server.address)
        stub = client.tables
        streams = [watch(server.address, claimed, kind) for kind in KINDS[:2]]
        steps = [iter(stream) for stream in streams]
        assert all(next(one).events for one in steps)
        native = stub.WatchTable(pb.WatchTableRequest(observer=claimed.seat.name), metadata=bearer(claimed.seat_token))
        assert next(native).events
        for kind in KINDS:
            with pytest.raises(Failure) as failed:
                call(server.address, f"{TABLES}GetTable", pb.GetTableRequest(name="tables/x"), kind)
            assert failed.value.code == "RESOURCE_EXHAUSTED" and failed.value.reason == "TOO_MANY_CALLS"
        with pytest.raises(grpc.RpcError) as refused:
            stub.GetTable(pb.GetTableRequest(name="tables/x"))
        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED and "3 calls" in refused.value.details()
        native.cancel()
        for stream in streams:
            stream.close()
        for _ in range(1000):
            if not server._bridge._running:
                break
            time.sleep(0.01)
        assert call(server.address, f"{TABLES}GetTable", pb.GetTableRequest(name=claimed.seat.name.partition("/seats")[0])).name


def test_calls_from_browsers_are_in_the_metrics_and_the_log(tmp_path, caplog):
    caplog.set_level(logging.INFO, logger="seatmate.server.interceptors")
    with serving(config(tmp_path, metrics_port=0)) as server:
        for kind in KINDS:
            with pytest.raises(Failure):
                call(server.address, f"{TABLES}GetTable", pb.GetTableRequest(name="tables/x"), kind)
            with pytest.raises(Failure):
                call(server.address, f"{TABLES}GetTable", b"\xff" if kind != "grpc-web" else frame(b"\xff"), kind)
        with urllib.request.urlopen(f"http://{server.metrics_address}/metrics", timeout=30) as answer:
            text = answer.read().decode()
    for status in ("NOT_FOUND", "INVALID_ARGUMENT"):
        assert f'seatmate_calls_total{{code="{status}",method="{TABLES}GetTable"}} 3.0\n' in text
    logged = [record.__dict__ for record in caplog.records if record.getMessage() == "call"]
    assert [one["status"] for one in logged] == ["NOT_FOUND", "INVALID_ARGUMENT"] * 3
    assert {one["method"] for one in logged} == {f"{TABLES}GetTable"}


# ---- Stopping and starting ----

def test_streams_and_hints_are_answered_before_the_server_stops(tmp_path):
    with ThreadPoolExecutor() as pool:
        with serving(config(tmp_path)) as server:
            address, claimed = server.address, seat_of(server.address)
            idle = socket.create_connection(address.split(":"))      # says nothing
            streams = [iter(watch(address, claimed, kind)) for kind in KINDS]
            assert all(next(steps).events for steps in streams)
            hint = pool.submit(call, address, f"{ADVISOR}SuggestActions", advisor_service_pb2.SuggestActionsRequest(
                seat=claimed.seat.name, budget=analysis_pb2.Budget(time_ms=30_000)), "json", claimed.seat_token)
            while not server._pool.running:
                time.sleep(0.01)
            began = time.monotonic()
        assert time.monotonic() - began < 2.0 + 5       # the grace time, and what a slow machine needs
        for steps in streams:
            with pytest.raises(Failure) as failed:
                next(steps)
            assert failed.value.code == "UNAVAILABLE" and failed.value.reason == "SHUTTING_DOWN"
        assert hint.result(30).analysis.candidates
        with pytest.raises(ConnectionError):
            ask(address, "/")
        idle.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_watcher_comes_back_after_a_restart_on_the_same_port(tmp_path, kind):
    with serving(config(tmp_path)) as server:
        address, claimed = server.address, seat_of(server.address)
        steps = iter(watch(address, claimed, kind))
        since = next(steps).events[-1].sequence
    with serving(config(tmp_path, address=address)):
        request = pb.WatchTableRequest(observer=claimed.seat.name, since_sequence=since - 1)
        again = Call(address, f"{TABLES}WatchTable", request, kind, claimed.seat_token)
        assert [event.sequence for event in next(iter(again)).events] == [since]
        with connect(address) as client:
            assert client.list_tables()


def test_nothing_is_left_of_a_server_that_could_not_start(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", None)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(Exception, match="in use"), serving(config(tmp_path, address=f"127.0.0.1:{taken.getsockname()[1]}")):
            pass
    with serving(config(tmp_path)):
        assert len(list((tmp_path / "tmp").iterdir())) == 1
    assert not list((tmp_path / "tmp").iterdir())


def test_localhost_is_both_of_its_addresses(tmp_path):
    with serving(config(tmp_path, address="localhost:0")) as server:
        port = server.address.rpartition(":")[2]
        for family, _, _, _, address in socket.getaddrinfo("localhost", int(port), type=socket.SOCK_STREAM):
            with socket.socket(family) as line:
                line.connect(address)
                line.sendall(b"GET /nothing HTTP/1.1\r\nhost: localhost\r\n\r\n")
                assert line.recv(100).startswith(b"HTTP/1.1 404")


# ---- Slow and silent clients ----

class Endless:
    """A stream that never ends, and how much of it was taken."""

    def __init__(self, pause_s: float | None = None) -> None:
        self.pause_s = pause_s
        self.taken = 0
        self.ended = threading.Event()

    async def watch(self, request, context):
        try:
            while True:
                self.taken += 1
                yield pb.WatchTableResponse(events=[event_pb2.Event(text="x" * 50_000)])
                if self.pause_s is not None:
                    await asyncio.sleep(self.pause_s)
        finally:
            self.ended.set()


async def served(application, grpc_path=""):
    port = OnePort(application, grpc_path, Callers())
    number = await port.bind("127.0.0.1", 0)
    await port.start()
    return port, number


async def settled(count: Callable[[], int]) -> int:
    """Its value once it stops growing."""
    before = -1
    while (now := count()) != before or now == 0:
        before = now
        await asyncio.sleep(0.3)
    return now


def endless_api(endless: Endless, patience_s: float = 60.0) -> Bridge:
    """An API whose every call is this stream."""
    handlers, service = Handlers(), pb.DESCRIPTOR.services_by_name["TableService"]
    handlers.add_registered_method_handlers(service.full_name, {
        method.name: grpc.unary_stream_rpc_method_handler(endless.watch) for method in service.methods})
    return Bridge([service], handlers, [answer_errors], Bounds(LargeRequests(1000), patience_s), 1000)


@pytest.mark.asyncio
async def test_calls_that_outlive_the_grace_time_are_told_so():
    endless = Endless(pause_s=0.01)
    bridge = endless_api(endless)
    port, number = await served(Web(bridge, {}, "127.0.0.1"))

    def read() -> str:
        with pytest.raises(Failure) as failed:
            list(Call(f"127.0.0.1:{number}", f"{TABLES}WatchTable", pb.WatchTableRequest()))
        return failed.value.reason

    reading = asyncio.create_task(asyncio.to_thread(read))
    async with asyncio.timeout(60):
        while not endless.taken:
            await asyncio.sleep(0.01)
        (connection,) = port._state.connections     # uvicorn has it now: nothing waits for an acknowledgement
        assert connection.transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        await port.stop(0.3, bridge.close)
        assert endless.ended.is_set() and await reading == "SHUTTING_DOWN"


@pytest.mark.asyncio
async def test_who_reads_slowly_slows_the_handler_and_who_leaves_ends_it():
    endless = Endless()
    bridge = endless_api(endless)
    port, number = await served(Web(bridge, {}, "127.0.0.1"))
    reader, writer = await asyncio.open_connection("127.0.0.1", number, limit=1000)
    writer.write(f"POST {TABLES}WatchTable HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/grpc-web\r\n"
                 "content-length: 5\r\n\r\n".encode() + struct.pack(">BI", 0, 0))
    async with asyncio.timeout(60):
        most = await settled(lambda: endless.taken)
        assert most < 1000      # 50 MB: what buffers of the kernel hold, and no more
        while endless.taken == most:
            await reader.read(1 << 20)      # goes on when there is room
        writer.close()
        await asyncio.to_thread(endless.ended.wait)
        await port.stop(0.0, bridge.close)


@pytest.mark.asyncio
async def test_who_reads_native_grpc_slowly_slows_the_server(tmp_path):
    sent = 0

    async def flood(reader, writer):
        nonlocal sent
        assert await reader.readexactly(24) == b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        try:
            while True:
                writer.write(bytes(50_000))
                await writer.drain()
                sent += 1
        except ConnectionError:
            gone.set()

    gone = asyncio.Event()
    inner = await asyncio.start_unix_server(flood, tmp_path / "grpc")
    port, number = await served(None, str(tmp_path / "grpc"))
    reader, writer = await asyncio.open_connection("127.0.0.1", number, limit=1000)
    async with asyncio.timeout(60):
        for part in (b"PRI ", b"* HTTP/2.", b"0\r\n\r\nSM\r\n\r\n"):      # as it may arrive
            writer.write(part)
            await asyncio.sleep(0.02)
        most = await settled(lambda: sent)
        assert most < 1000
        while sent == most:
            await reader.read(1 << 20)
        writer.close()
        await gone.wait()
    inner.close()
    port.close()


@pytest.mark.asyncio
async def test_who_says_nothing_is_sent_away(monkeypatch):
    monkeypatch.setattr(one_port, "_PATIENCE_S", 0.2)
    port, number = await served(None)
    for said in (b"", b"PRI *"):
        reader, writer = await asyncio.open_connection("127.0.0.1", number)
        writer.write(said)
        async with asyncio.timeout(30):
            assert await reader.read() == b""
        writer.close()
    port.close()


@pytest.mark.asyncio
async def test_a_grpc_client_is_sent_away_when_there_is_no_grpc(tmp_path):
    port, number = await served(None, str(tmp_path / "nobody"))
    reader, writer = await asyncio.open_connection("127.0.0.1", number)
    writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    async with asyncio.timeout(30):
        assert await reader.read() == b""
    writer.close()
    port.close()


class OtherTransport:
    """That of another event loop, such as uvloop: no asyncio.Transport, with the same methods."""

    def __init__(self, real):
        self._real = real

    def __getattr__(self, name):
        return getattr(self._real, name)


@pytest.mark.asyncio
async def test_the_transport_may_be_that_of_another_event_loop(monkeypatch):
    async def application(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"served"})

    real = one_port._FirstBytes.connection_made
    monkeypatch.setattr(one_port._FirstBytes, "connection_made", lambda self, made: real(self, OtherTransport(made)))
    port, number = await served(application)
    reader, writer = await asyncio.open_connection("127.0.0.1", number)
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    async with asyncio.timeout(30):
        assert (await reader.read()).endswith(b"served\r\n0\r\n\r\n")
    writer.close()
    port.close()
