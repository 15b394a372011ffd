"""What a browser is given of the page, and what it is refused, in words."""
from __future__ import annotations

import gzip
import http.client
import shutil
import socket

import pytest

import seatmate.server.service as service
from seatmate.server.config import ServerConfig
from web import TABLES, ask, serving

SCRIPT = b"console.log('seatmate');\n" * 100


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A server with a small page."""
    folder = tmp_path_factory.mktemp("web")
    site = folder / "site"
    (site / "assets").mkdir(parents=True)
    (site / "index.html").write_text("<!doctype html><title>Seatmate</title>")
    (site / "assets" / "index-B2cd.js").write_bytes(SCRIPT)
    (site / "assets" / "image-1.png").write_bytes(bytes(1000))
    (folder / "secret.txt").write_text("secret")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service, "FOLDER", site)
        config = ServerConfig(address="127.0.0.1:0", database=str(folder / "t.sqlite3"), workers=1, host_names=("Table.example",))
        with serving(config) as server:
            shutil.rmtree(site)     # what was read at the start is served
            yield server.address


def test_the_page(address):
    for path in ("/", "/index.html"):
        page = ask(address, path)
        assert page.status == 200 and b"<title>Seatmate</title>" in page.body
        assert page.headers["content-type"] == "text/html; charset=utf-8" and page.headers["cache-control"] == "no-cache"
    again = ask(address, "/", if_none_match=page.headers["etag"])
    assert again.status == 304 and again.body == b""
    head = ask(address, "/", method="HEAD")
    assert head.status == 200 and head.body == b"" and head.headers["content-length"] == str(len(page.body))


@pytest.mark.parametrize(("accepted", "packed"), [
    ("gzip, deflate, br", True), ("br;q=1.0, gzip;q=0.8", True), ("GZIP", True), ("gzip;q=0", False),
    ("identity", False), ("br", False),
])
def test_assets_are_kept_for_good_and_sent_packed_to_who_can_unpack_them(address, accepted, packed):
    script = ask(address, "/assets/index-B2cd.js", accept_encoding=accepted)
    assert script.status == 200 and "immutable" in script.headers["cache-control"] and script.headers["vary"] == "accept-encoding"
    assert script.headers["content-type"].startswith("text/javascript")
    assert ("content-encoding" in script.headers) is packed
    assert (gzip.decompress(script.body) if packed else script.body) == SCRIPT
    image = ask(address, "/assets/image-1.png", accept_encoding=accepted)
    assert image.body == bytes(1000) and image.headers["content-type"] == "image/png"


def test_every_answer_forbids_what_the_page_does_not_do(address):
    call = {"method": "POST", "body": b"{}", "content_type": "application/json"}
    for answer in (ask(address, "/"), ask(address, "/nothing"), ask(address, f"{TABLES}ListTables", **call),
                   ask(address, f"{TABLES}GetTable", **call), ask(address, "/", host="evil.example")):
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'self'") and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff" and answer.headers["referrer-policy"] == "no-referrer"


POST = {"method": "POST", "body": b"{}"}
JSON = {**POST, "content_type": "application/json"}
LIST = f"{TABLES}ListTables"


@pytest.mark.parametrize(("path", "request_", "status", "words"), [
    ("/nothing", {}, 404, "no page /nothing"), ("/assets/index-old.js", {}, 404, "no page"), ("/assets/", {}, 404, "no page"),
    ("/assets", {}, 404, "no page"), ("/tables/x", {}, 404, "the page is at /"),
    ("/../secret.txt", {}, 400, "out of the page"), ("/assets/../../secret.txt", {}, 400, "out of the page"),
    ("/%2e%2e/secret.txt", {}, 400, "out of the page"), ("/assets/%2E%2E%2f..%2fsecret.txt", {}, 400, "out of the page"),
    ("/..%5csecret.txt", {}, 400, "out of the page"), ("/index.html%00.png", {}, 400, "out of the page"),
    ("//etc/passwd", {}, 404, "no page"), ("/%252e%252e/secret.txt", {}, 404, "no page"),
    ("http://127.0.0.1/../secret.txt", {}, 400, "out of the page"),
    ("/", POST, 405, "read by GET"), ("/", {"method": "PUT"}, 405, "read by GET"), ("/", {"method": "OPTIONS"}, 405, "read by GET"),
    (LIST, {}, 405, "called by POST"), (LIST, {**JSON, "method": "PUT"}, 405, "called by POST"),
    (LIST, {**JSON, "method": "OPTIONS"}, 405, "called by POST"),
    (f"{TABLES}Nothing", JSON, 404, "no call"), ("/seatmate.v2.TableService/GetTable", JSON, 404, "no call"),
    (LIST, POST, 415, "application/json"), (LIST, {**POST, "content_type": "text/plain"}, 415, "application/json"),
    (LIST, {**POST, "content_type": "application/connect+json"}, 415, "application/json"),
    (f"{TABLES}WatchTable", JSON, 415, "application/connect+json"),
    (LIST, {**POST, "content_type": "application/grpc"}, 415, "grpc-web"),
    (LIST, {**JSON, "content_encoding": "gzip"}, 415, "not compressed"),
    (LIST, {**JSON, "grpc_encoding": "gzip"}, 415, "not compressed"),
    (LIST, {**JSON, "body": b" " * (4 * 1024 * 1024 + 1)}, 413, "at most 4194304 bytes"),
    (LIST, {**JSON, "connect_timeout_ms": "soon"}, 400, "ten digits"), (LIST, {**JSON, "grpc_timeout": "1"}, 400, "a unit"),
    ("/", {"host": "evil.example"}, 421, "evil.example"), (LIST, {**JSON, "host": "evil.example:80"}, 421, "--host-name"),
    ("/", {"host": "localhost.evil.example"}, 421, "not known"), ("/", {"host": ""}, 421, "not known"),
    ("/", {"host": "127.0.0.1.evil.example"}, 421, "not known"), ("/", {"host": "x@localhost"}, 421, "not known"),
    (LIST, {**JSON, "sec_fetch_site": "cross-site"}, 403, "somewhere else"),
    (LIST, {**JSON, "sec_fetch_site": "same-site"}, 403, "somewhere else"),     # another port of this machine
    (LIST, {**JSON, "origin": "https://evil.example"}, 403, "somewhere else"),
    (LIST, {**JSON, "origin": "null"}, 403, "somewhere else"),
    (LIST, {**JSON, "origin": "http://localhost:1"}, 403, "somewhere else"),
])
def test_refusals(address, path, request_, status, words):
    refused = ask(address, path, **request_)
    assert refused.status == status and words in refused.text, refused
    assert refused.headers["content-type"] == "text/plain; charset=utf-8" and refused.headers["cache-control"] == "no-store"
    assert refused.text.endswith("\n") and refused.text.count("\n") == 1 and "secret\n" not in refused.text
    if status == 405:
        assert "allow" in refused.headers


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "127.0.0.1", "[::1]:99", "table.example", "table.EXAMPLE.:8080",
                                  "10.1.2.3"])
def test_names_of_this_server(address, host):
    assert ask(address, "/", host=host).status == 200
    assert ask(address, LIST, **JSON, host=host, origin=f"http://{host}").status == 200


@pytest.mark.parametrize("headers", [{}, {"sec_fetch_site": "same-origin"}, {"sec_fetch_site": "none"}])
def test_our_own_page_and_no_page_at_all_may_call(address, headers):
    assert ask(address, LIST, **JSON, **headers).status == 200


@pytest.mark.parametrize("sent", [b"nonsense\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n", b"PRI * HTTP/1.1\r\n\r\n",
                                  b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03"])
def test_what_is_no_request_ends_its_connection_and_no_other(address, sent):
    host, _, port = address.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=30) as line:
        line.sendall(sent)
        line.shutdown(socket.SHUT_WR)
        said = b"".join(iter(lambda: line.recv(4096), b""))
        assert not said or said.startswith((b"HTTP/1.1 400", b"HTTP/1.1 404")), said
    assert ask(address, "/").status == 200


def test_a_server_without_a_page_says_how_to_build_it(tmp_path, monkeypatch):
    monkeypatch.setattr(service, "FOLDER", tmp_path / "nowhere")
    with serving(ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=1)) as server:
        page = ask(server.address, "/")
        assert page.status == 404 and "npm run build" in page.text
        assert ask(server.address, LIST, **JSON).status == 200


def test_without_the_web_there_is_grpc_alone(tmp_path):
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=1, web=False)
    with serving(config) as server:
        assert server.link == ""
        with pytest.raises((OSError, http.client.HTTPException)):
            ask(server.address, "/")
