"""Behind nginx, as docs/serving.md describes it: TLS, HTTP/2, streams that are not held back, native gRPC."""
from __future__ import annotations

import re
import shutil
import socket
import ssl
import subprocess
import time
from pathlib import Path

import grpc
import pytest

from seatmate.client import error_reason
from seatmate.client.blocking import Seat, Table, connect
from seatmate.server.config import Pacing, ServerConfig
from seatmate.v1 import settings_pb2, table_pb2
from seatmate.v1 import table_service_pb2 as pb
from web import KINDS, TABLES, Call, Failure, ask, call, serving

DOCUMENT = Path(__file__).parents[2] / "docs" / "serving.md"
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
HOST = "play.example.org"


@pytest.fixture(scope="module")
def proxy(tmp_path_factory):
    """The address of nginx before a server, with the configuration of the document, and a TLS context of its clients."""
    if NGINX is None or shutil.which("openssl") is None:
        pytest.skip("nginx or openssl is not here")
    folder = tmp_path_factory.mktemp("nginx")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={HOST}", "-addext",
                    f"subjectAltName=DNS:{HOST},IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"], cwd=folder, check=True,
                   capture_output=True)
    found = re.search(r"```nginx\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    config = ServerConfig(address="127.0.0.1:0", database=str(folder / "t.sqlite3"), workers=1, host_names=(HOST,),
                          pacing=Pacing(answer_ms=None))
    with serving(config) as server:
        text = found[1].replace("127.0.0.1:50051", server.address).replace("/etc/nginx", str(folder))
        text = text.replace("listen 443", f"listen {address}")
        temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (folder / "nginx.conf").write_text("daemon off; master_process off; error_log stderr;" + text.replace(
            "http {", f"http {{\n access_log {folder}/access.log; {temporary}", 1))
        with subprocess.Popen([NGINX, "-p", folder, "-c", folder / "nginx.conf", "-g", f"pid {folder}/pid;"],
                              stderr=subprocess.PIPE, text=True) as nginx:
            try:
                for _ in range(200):
                    assert nginx.poll() is None, nginx.communicate()
                    with socket.socket() as line:
                        if line.connect_ex(("127.0.0.1", int(address.rpartition(":")[2]))) == 0:
                            break
                    time.sleep(0.05)
                yield address, ssl.create_default_context(cafile=folder / "cert.pem"), folder / "cert.pem"
            finally:
                nginx.terminate()
                nginx.wait(30)


@pytest.fixture(scope="module")
def table(proxy):
    """A table whose seats are claimed, and their tokens."""
    request = pb.CreateTableRequest(settings=settings_pb2.GameSettings(game="games/connect_four"), access=table_pb2.ACCESS_OPEN)
    made = call(proxy[0], f"{TABLES}CreateTable", request, "json", tls=proxy[1]).table
    return made, [call(proxy[0], f"{TABLES}ClaimSeat", pb.ClaimSeatRequest(name=seat.name), tls=proxy[1]).seat_token
                  for seat in made.seats]


def test_streams_come_through_at_once_in_every_protocol(proxy, table):
    (address, tls, cert), (made, tokens) = proxy, table
    request = pb.WatchTableRequest(observer=made.name)
    streams = [iter(Call(address, f"{TABLES}WatchTable", request, kind, tls=tls)) for kind in KINDS]
    credentials = grpc.ssl_channel_credentials(cert.read_bytes())
    with connect(address, credentials=credentials, options=[("grpc.ssl_target_name_override", HOST)]) as client:
        streams.append(client.tables.WatchTable(request, timeout=60))
        assert all(next(stream).events for stream in streams)
        for seat, token in zip(made.seats, tokens, strict=True):      # they have heard nothing since: what comes is one move
            legal = Seat(client, seat.name, token).legal()
            action = pb.SubmitActionRequest(seat=seat.name, action_id=legal.actions[0].id, expected_sequence=legal.sequence)
            call(address, f"{TABLES}SubmitAction", action, token=token, tls=tls)
            heard = [[event.sequence for event in next(stream).events] for stream in streams]
            assert heard == [heard[0]] * 4
        for stream in streams[:3]:
            stream.close()


def test_failures_come_through_in_every_protocol(proxy):
    address, tls, cert = proxy
    for kind in KINDS:
        with pytest.raises(Failure) as failed:
            call(address, f"{TABLES}GetTable", pb.GetTableRequest(name="tables/x"), kind, tls=tls)
        assert failed.value.code == "NOT_FOUND" and failed.value.reason == "TABLE_NOT_FOUND"
    with connect(address, credentials=grpc.ssl_channel_credentials(cert.read_bytes())) as client:
        with pytest.raises(grpc.RpcError) as refused:
            Table(client, "tables/x").get()
        assert refused.value.code() is grpc.StatusCode.NOT_FOUND and error_reason(refused.value) == "TABLE_NOT_FOUND"


@pytest.mark.parametrize(("host", "origin", "status"), [
    (HOST, f"https://{HOST}", 200), (f"{HOST}:8443", f"https://{HOST}:8443", 200), (HOST, "https://evil.example", 403),
    ("evil.example", "https://evil.example", 421),
])
def test_names_and_origins_are_those_of_the_browser(proxy, host, origin, status):
    answer = ask(proxy[0], f"{TABLES}ListTables", method="POST", body=b"{}", content_type="application/json", host=host,
                 origin=origin, tls=proxy[1])
    assert answer.status == status


def test_http_2(proxy):
    address, _, cert = proxy
    if (curl := shutil.which("curl")) is None:
        pytest.skip("curl is not here")
    done = subprocess.run([curl, "-s", "--http2", "--cacert", cert, "-w", "%{http_version} %{http_code}", "-H",
                           "content-type: application/json", "-d", "{}", f"https://{address}{TABLES}ListTables"],
                          capture_output=True, text=True, check=True, timeout=60)
    assert '"tables"' in done.stdout and done.stdout.endswith("2 200")
