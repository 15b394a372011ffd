"""A server that can't start says why in one sentence."""
from __future__ import annotations

import asyncio
import json
import logging
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
from pathlib import Path
from unittest.mock import ANY

import grpc
import pytest
from grpc._cython.cygrpc import ExecuteBatchError  # type: ignore[import-not-found]

from certificates import new_certificate
from playing import House
from processes import process
from seatmate.client import connect
from seatmate.server import logs
from seatmate.server.config import ServerConfig, Tls
from seatmate.server.options import StartupError
from seatmate.server.service import Server, running_server
from seatmate.v1 import catalog_service_pb2

pytestmark = pytest.mark.asyncio


async def start(tmp_path: Path, **more) -> str:
    settings = {"address": "127.0.0.1:0", "database": str(tmp_path / "t.sqlite3"), **more}
    async with running_server(ServerConfig(**settings)) as address:
        return address


@pytest.mark.parametrize(("database", "words"), [
    ("nowhere/t.sqlite3", "No such file"),
    (".", "can't be used"),
    ("garbage.sqlite3", "not a database"),
    ("sqlite+nodriver:///x", "can't be used"),
    ("sqlite+pysqlcipher:///x", "module pysqlcipher3 is not installed"),
    ("no such scheme://x", "can't be used"),
    ("mysql://ada:secret@host/x", r"mysql://ada:\*\*\*@host/x can't be used: it has to be a file of SQLite or postgresql://"),
    ("layout.sqlite3", "layout 99"),
])
async def test_an_unusable_database(tmp_path, monkeypatch, database, words):
    monkeypatch.chdir(tmp_path)
    Path("garbage.sqlite3").write_bytes(b"these are not the tables you are looking for" * 100)
    async with running_server(ServerConfig(address="127.0.0.1:0", database="layout.sqlite3")):
        pass
    with sqlite3.connect("layout.sqlite3") as db:
        db.execute("update seatmate_meta set value = '99'")
    db.close()
    with pytest.raises(StartupError, match=words) as caught:
        await start(tmp_path, database=database)
    assert "\n" not in str(caught.value)


async def test_an_unwritable_database(tmp_path, monkeypatch):
    await start(tmp_path)
    with sqlite3.connect(tmp_path / "t.sqlite3") as db:
        db.execute("pragma journal_mode = delete")
    db.close()
    with pytest.raises(StartupError, match="readonly"):
        await start(tmp_path, database=f"sqlite:///file:{tmp_path}/t.sqlite3?mode=ro&uri=true")


async def test_a_database_in_use_by_another_server(tmp_path):
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"))
    async with running_server(config):
        with pytest.raises(StartupError, match="in use by another"):
            await start(tmp_path)
    await start(tmp_path)


async def test_a_database_in_use_by_another_of_its_names(tmp_path):
    (tmp_path / "folder").symlink_to(".")
    (tmp_path / "link").symlink_to("t.sqlite3")
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "link"))      # of a file that is not there yet
    async with running_server(config):
        for name in ("t.sqlite3", "folder/t.sqlite3", "folder/link"):
            with pytest.raises(StartupError, match="in use by another"):
                await start(tmp_path, database=str(tmp_path / name))
        (tmp_path / "hard").hardlink_to(tmp_path / "t.sqlite3")
        with pytest.raises(StartupError, match="another name, too"):
            await start(tmp_path, database=str(tmp_path / "hard"))
    (tmp_path / "hard").unlink()
    await start(tmp_path)


async def test_somebody_elses_lock_file_keeps_its_content(tmp_path):
    (tmp_path / "poetry.lock").write_text("precious")
    await start(tmp_path, database=str(tmp_path / "poetry"))
    assert (tmp_path / "poetry.lock").read_text() == "precious"


async def test_a_port_in_use(tmp_path):
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "a.sqlite3"))
    async with running_server(config) as address:
        with pytest.raises(StartupError, match="port is in use"):
            await start(tmp_path, address=address)


async def test_a_socket_file_in_use(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config = ServerConfig(address="unix:socket", database="a.sqlite3")
    async with running_server(config) as address, connect(address) as client:
        for same in ("unix:socket", f"unix:{tmp_path}/socket", f"unix://{tmp_path}/so%63ket"):
            with pytest.raises(StartupError, match="in use by another server"):
                await start(tmp_path, address=same)
        assert (await (await House(client, address).table("kuhn")).get()).name      # whose it still is


async def test_a_socket_file_whose_server_is_too_busy_is_in_use(tmp_path, monkeypatch):
    with socket.socket(socket.AF_UNIX) as busy, socket.socket(socket.AF_UNIX) as first:
        busy.bind(str(tmp_path / "socket"))
        busy.listen(0)
        first.connect(str(tmp_path / "socket"))
        with pytest.raises(StartupError, match="in use by another server"):
            await start(tmp_path, address=f"unix:{tmp_path}/socket")


async def test_the_socket_file_of_a_server_that_died_is_replaced(tmp_path):
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(tmp_path / "socket"))
    async with running_server(ServerConfig(address=f"unix:{tmp_path}/socket", database=str(tmp_path / "t.sqlite3"))) as address:
        async with connect(address) as client:
            assert (await (await House(client, address).table("kuhn")).get()).name
    assert not (tmp_path / "socket").exists()


@pytest.mark.parametrize(("path", "words"), [
    ("nowhere/socket", "No such file"), ("notes.txt", "no socket"), ("folder", "no socket"),
    ("notes.txt/socket", "Not a directory"), ("x" * 200, "too long")])
async def test_where_no_socket_can_be(tmp_path, path, words):
    (tmp_path / "folder").mkdir()
    (tmp_path / "notes.txt").write_text("precious")
    with pytest.raises(StartupError, match=f"can't listen on unix:.*{words}") as caught:
        await start(tmp_path, address=f"unix:{tmp_path}/{path}")
    assert "port" not in str(caught.value)
    assert (tmp_path / "notes.txt").read_text() == "precious" and (tmp_path / "folder").is_dir()


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "example.org:0", "10.0.0.1:0", "localhost.example.org:0"])
async def test_a_public_address_needs_tls(tmp_path, address):
    with pytest.raises(StartupError, match="TLS"):
        await start(tmp_path, address=address)


async def test_a_public_address_without_tls_can_be_allowed(tmp_path):
    assert (await start(tmp_path, address="0.0.0.0:0", allow_insecure_public=True)).startswith("0.0.0.0:")


async def test_loopback_in_its_spellings(tmp_path):
    for address in ("localhost:0", "127.0.0.1:0", f"unix:{tmp_path}/socket"):
        assert await start(tmp_path, address=address)


@pytest.fixture
def certificate(tmp_path):
    return new_certificate(tmp_path)


async def test_tls(tmp_path, certificate):
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), tls=certificate)
    credentials = grpc.ssl_channel_credentials(certificate.certificate.read_bytes())
    async with running_server(config) as address:
        async with connect(address, credentials=credentials) as client:
            assert (await (await House(client, address).table("kuhn")).get()).name
        async with connect(address) as client:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await House(client, address).table("kuhn")
            assert caught.value.code() == grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize("web", [True, False])
async def test_renewed_certificates_are_read_again(tmp_path, certificate, web):
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), tls=certificate, web=web)
    server = Server(config)
    await server.start()
    host, _, port = server.address.rpartition(":")

    async def shown() -> str:
        return await asyncio.to_thread(ssl.get_server_certificate, (host, int(port)))

    try:
        old = certificate.certificate.read_text()
        assert await shown() == old
        certificate.certificate.write_text("nonsense")
        server.reload()
        assert await shown() == old             # a mistake harms nobody
        new_certificate(tmp_path)
        server.reload()
        assert await shown() == certificate.certificate.read_text() != old
    finally:
        await server.stop()


async def with_authority(tmp_path: Path, certificate: Tls, *, web: bool) -> tuple[Server, Path, Tls, Tls]:
    """A server that runs, the file of its clients' authority, who is one by that, and who is by another."""
    clients = []
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        clients.append(new_certificate(tmp_path / name))
    live = tmp_path / "live.pem"
    live.write_bytes(clients[0].certificate.read_bytes())
    tls = Tls(certificate=certificate.certificate, key=certificate.key, client_ca=live)
    server = Server(ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), tls=tls, web=web))
    await server.start()
    old, new = clients
    return server, live, old, new


@pytest.mark.parametrize("web", [True, False])
async def test_an_authority_that_is_gone_is_trusted_no_more(tmp_path, certificate, web):
    server, live, old, new = await with_authority(tmp_path, certificate, web=web)
    root = certificate.certificate.read_bytes()

    async def is_served(client: Tls) -> bool:
        credentials = grpc.ssl_channel_credentials(root, client.key.read_bytes(), client.certificate.read_bytes())
        async with connect(server.address, credentials=credentials) as known:
            try:
                await known.catalog.ListGames(catalog_service_pb2.ListGamesRequest(), timeout=30)
            except grpc.aio.AioRpcError as error:
                assert error.code() is grpc.StatusCode.UNAVAILABLE
                return False
            return True

    try:
        assert (await is_served(old), await is_served(new)) == (True, False)
        live.write_bytes(new.certificate.read_bytes())
        server.reload()
        assert (await is_served(old), await is_served(new)) == (False, True)
    finally:
        await server.stop()


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
async def test_no_session_outlives_the_authority_of_its_client(tmp_path, certificate, version):
    """... whose certificate would not be looked at again."""
    server, live, old, new = await with_authority(tmp_path, certificate, web=True)
    context = ssl.create_default_context(cafile=certificate.certificate)
    context.minimum_version = context.maximum_version = version
    context.load_cert_chain(old.certificate, old.key)

    def visit(session: ssl.SSLSession | None) -> tuple[bytes, ssl.SSLSession | None, bool | None]:
        """What is answered (nothing: sent away), the session for the next time, and whether this was one's."""
        try:
            with socket.create_connection(server.address.split(":"), timeout=30) as line, context.wrap_socket(
                    line, server_hostname="127.0.0.1", session=session) as secure:
                secure.sendall(b"GET /nothing HTTP/1.1\r\nhost: localhost\r\n\r\n")
                return secure.recv(12), secure.session, secure.session_reused
        except (ssl.SSLError, ConnectionError):
            return b"", None, None

    try:
        _, session, _ = await asyncio.to_thread(visit, None)
        assert await asyncio.to_thread(visit, session) == (b"HTTP/1.1 404", ANY, True)
        live.write_bytes(new.certificate.read_bytes())
        server.reload()
        answer, *_ = await asyncio.to_thread(visit, session)
        assert not answer
    finally:
        await server.stop()


async def test_a_hangup_ends_nothing(tmp_path):
    async with process(tmp_path / "t.sqlite3", tmp_path) as (server, address), connect(address) as client:
        table = await House(client, address).table("kuhn")
        server.send_signal(signal.SIGHUP)
        await asyncio.sleep(0.2)
        assert (await table.get()).name == table.name
        server.terminate()
        assert await server.wait() == 0


@pytest.mark.parametrize(("address", "ours"), [
    ("127.0.0.1:0", True), ("127.9.9.9:0", True), ("localhost:0", True), ("[::1]:0", True), ("unix:/tmp/socket", True),
    ("0.0.0.0:0", False), ("[::]:0", False), ("127.attacker.example:0", False), ("127.0.0.1.attacker.example:0", False),
    ("127.1:0", False), ("localhost.attacker.example:0", False), ("192.0.2.1:0", False)])
async def test_what_only_this_machine_reaches(address, ours):
    assert ServerConfig(address=address).is_loopback is ours


async def test_all_that_is_logged_is_json(capsys):
    levels = {name: logging.getLogger(name).level for name in ("", "seatmate")}
    handlers = {name: list(logging.getLogger(name).handlers) for name in levels}
    try:
        logs.setup("INFO")
        logging.getLogger("asyncio").error("elsewhere", exc_info=ValueError("of theirs"))
        logging.getLogger("seatmate.server").info("here", extra={"table": "t"})
        logging.getLogger("grpc").info("too much")
        logging.getLogger("grpc._cython.cygrpc").error("a caller has gone", exc_info=ExecuteBatchError())
        lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
        assert [(line["logger"], line["message"]) for line in lines] == [("asyncio", "elsewhere"), ("seatmate.server", "here")]
        assert "ValueError: of theirs" in lines[0]["exception"]
    finally:
        logging.captureWarnings(False)
        logging.getLogger("seatmate").propagate = True
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
            logging.getLogger(name).handlers = handlers[name]


async def test_certificates_that_are_none_are_what_is_wrong(tmp_path, certificate):
    """... and not the port."""
    (tmp_path / "nonsense.pem").write_text("-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n")
    (tmp_path / "empty.pem").touch()
    good, key = certificate.certificate, certificate.key
    for wrong, named in [(Tls(certificate=tmp_path / "nonsense.pem", key=key), "nonsense.pem and the key"),
                         (Tls(certificate=good, key=tmp_path / "empty.pem"), "key .*empty.pem can't be used"),
                         (Tls(certificate=key, key=good), "belong together"),
                         (Tls(certificate=good, key=good), "belong together"),
                         (Tls(certificate=good, key=key, client_ca=tmp_path / "empty.pem"), "authority .*empty.pem"),
                         (Tls(certificate=good, key=key, client_ca=tmp_path / "nonsense.pem"), "authority .*nonsense.pem")]:
        with pytest.raises(StartupError, match=named) as caught:
            await start(tmp_path, tls=wrong)
        assert "port" not in str(caught.value)


async def test_a_key_of_another_certificate_and_one_with_a_password(tmp_path, certificate):
    for name, options in (("other.pem", []), ("locked.pem", ["-aes256", "-pass", "pass:secret"])):
        subprocess.run(["openssl", "genpkey", "-algorithm", "RSA", "-out", name, *options], cwd=tmp_path, check=True,
                       capture_output=True)
        with pytest.raises(StartupError, match=f"{name} can't be used"):
            await start(tmp_path, tls=Tls(certificate=certificate.certificate, key=tmp_path / name))


@pytest.mark.parametrize(("change", "named"), [
    ({"database": ""}, "a database is needed"), ({"database": "  "}, "a database is needed"),
    ({"address": "127.0.0.1:65536"}, "0 to 65535"), ({"address": "127.0.0.1:-1"}, "0 to 65535"),
    ({"address": f"127.0.0.1:{'9' * 5000}"}, "0 to 65535"), ({"address": "127.0.0.1"}, "0 to 65535"),
    ({"address": ":0"}, "host:port"), ({"address": "unix:"}, "unix:/path"), ({"address": "unix://"}, "unix:/path"),
    ({"address": "unix://host/path"}, "unix:/path"),
    ({"grace_s": float("nan")}, "grace-s is outside"), ({"grace_s": float("inf")}, "grace-s is outside"),
    ({"workers": 0}, "workers is outside"),
])
async def test_settings_no_server_can_have(change, named):
    with pytest.raises(StartupError, match=named):
        ServerConfig(**change)


async def test_mutual_tls(tmp_path, certificate):
    tls = Tls(certificate=certificate.certificate, key=certificate.key, client_ca=certificate.certificate)
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), tls=tls)
    ca, key = certificate.certificate.read_bytes(), certificate.key.read_bytes()
    async with running_server(config) as address:
        async with connect(address, credentials=grpc.ssl_channel_credentials(ca, key, ca)) as client:
            assert (await (await House(client, address).table("kuhn")).get()).name
        async with connect(address, credentials=grpc.ssl_channel_credentials(ca)) as client:
            with pytest.raises(grpc.aio.AioRpcError):
                await House(client, address).table("kuhn")


async def test_missing_and_broken_certificates(tmp_path):
    tls = Tls(certificate=tmp_path / "none.pem", key=tmp_path / "none.key")
    with pytest.raises(StartupError, match=r"none\.(pem|key).*No such file"):
        await start(tmp_path, tls=tls)
    (tmp_path / "none.pem").write_text("not a certificate")
    (tmp_path / "none.key").write_text("not a key")
    with pytest.raises(StartupError):
        await start(tmp_path, tls=tls)


async def test_the_bare_server_exits_with_1_and_one_sentence(tmp_path):
    command = [sys.executable, "-P", "-m", "seatmate.server.service", "--database", str(tmp_path / "no" / "t.db")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("error: the database")
    assert len(done.stderr.splitlines()) == 1


