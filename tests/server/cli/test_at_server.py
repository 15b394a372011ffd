"""Commands that talk to a server: nobody there is said at once, and who has answered before is waited for."""
from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import grpc
import pytest
import typer

from certificates import new_certificate
from seatmate.server.cli import at_server
from seatmate.server.cli.main import app
from seatmate.server.config import ServerConfig
from web import serving

from .conftest import CommandLine

TOKEN = ("--token", "secret")
ADMIN = ("--token-file", "admin.token")
LINES = {
    "tournament": ("kuhn", "--bots", "heuristic,random"),
    "tournaments list": TOKEN, "tournaments watch": ("tournaments/0123", *TOKEN),
    "tournaments report": ("tournaments/0123", *TOKEN), "tournaments cancel": ("tournaments/0123", *TOKEN),
    "admin tables": ADMIN, "admin stop": ("tables/0123", *ADMIN), "admin remove": ("tables/0123", *ADMIN),
}


def at_servers(command: click.Command, name: str = "") -> Iterator[str]:
    """The commands that take the address of a server."""
    for part, inner in getattr(command, "commands", {}).items():
        yield from at_servers(inner, f"{name} {part}".strip())
    if any("--server" in parameter.opts for parameter in command.params):
        yield name


def test_every_command_that_talks_to_a_server_is_here() -> None:
    assert set(at_servers(typer.main.get_command(app))) == set(LINES)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server without tournaments and administration."""
    database = tmp_path_factory.mktemp("bare") / "t.sqlite3"
    with serving(ServerConfig(address="127.0.0.1:0", database=str(database), workers=1)) as server:
        yield server.address


@pytest.fixture
def mutual(tmp_path: Path) -> Iterator[str]:
    """The same, for who has cert.pem and key.pem."""
    own = new_certificate(tmp_path)
    tls = replace(own, client_ca=own.certificate)
    with serving(ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=1, tls=tls)) as server:
        yield server.address


@pytest.mark.parametrize("name", LINES)
def test_nobody_there_is_said_at_once(seatmate: CommandLine, name: str) -> None:
    Path("admin.token").write_text("secret")
    began = time.monotonic()
    seatmate(*name.split(), *LINES[name], "--server", "127.0.0.1:1").refused(
        1, "seatmate: nothing answers at 127.0.0.1:1: connection refused")
    assert time.monotonic() - began < at_server.REACH_S


@pytest.mark.parametrize("name", LINES)
def test_a_server_without_that_says_what_it_was_started_without(seatmate: CommandLine, bare: str, name: str) -> None:
    Path("admin.token").write_text("secret")
    seatmate(*name.split(), *LINES[name], "--server", bare).refused(
        1, f"seatmate: the server at {bare} ", f"started without --{'admin-token-file' if 'admin' in name else 'tournaments'}")


def test_another_server_is_not_taken_for_ours(seatmate: CommandLine) -> None:
    other = grpc.server(ThreadPoolExecutor(1))
    address = f"127.0.0.1:{other.add_insecure_port('127.0.0.1:0')}"
    other.start()
    try:
        seatmate("tournaments", "list", *TOKEN, "--server", address).refused(1, f"{address} is no Seatmate server")
    finally:
        other.stop(None)


@pytest.mark.parametrize("name", LINES)
def test_a_server_that_asks_for_certificates_is_shown_one(seatmate: CommandLine, tmp_path: Path, mutual: str, name: str) -> None:
    """... and has no tournaments and no administration, but says so."""
    Path("admin.token").write_text("secret")
    place = ("--server", mutual, "--ca", "cert.pem")
    seatmate(*name.split(), *LINES[name], *place, "--cert", "cert.pem", "--key", "key.pem").refused(1, "it was started without")
    seatmate(*name.split(), *LINES[name], *place).refused(1, f"nothing answers at {mutual}")
    seatmate(*name.split(), *LINES[name], *place, "--key", "key.pem").refused(2, "--cert and --key belong together")


def test_a_place_is_named_as_it_was_given() -> None:
    place = at_server.Place("host:1", Path("a b.pem"), Path("c.pem"), Path("k.pem"))
    assert place.options == "--server host:1 --ca 'a b.pem' --cert c.pem --key k.pem"
    assert at_server.Place("host:1").options == "--server host:1"
    with pytest.raises(typer.BadParameter, match="need --ca"):
        at_server.Place("host:1", cert=Path("c.pem"), key=Path("k.pem"))


def test_who_takes_calls_and_never_answers_is_not_waited_for(seatmate: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_server, "REACH_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        seatmate("tournaments", "list", *TOKEN, "--server", address).refused(
            1, f"nothing answers at {address}: no word within 0.5 s")


def test_a_name_that_nobody_has_and_another_certificate_are_told(seatmate: CommandLine, tmp_path: Path) -> None:
    seatmate("tournaments", "list", *TOKEN, "--server", "nobody.invalid:1").refused(1, "nothing answers at nobody.invalid:1: ")
    with serving(ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=1)) as server:
        Path("ca.pem").write_text("nothing")
        seatmate("tournaments", "list", *TOKEN, "--ca", "ca.pem", "--server", server.address).refused(
            1, f"nothing answers at {server.address}: ")


def test_a_server_that_has_answered_is_waited_for_and_a_line_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def config(address: str) -> ServerConfig:
        return ServerConfig(address=address, database=str(tmp_path / "t.sqlite3"), workers=1)

    answers: list[Any] = []
    with serving(config("127.0.0.1:0")) as first:
        reached = at_server.connected(at_server.Place(first.address), "")
        client = reached.__enter__()
    try:
        calling = threading.Thread(target=lambda: answers.append(client.list_tables()))
        calling.start()
        said = ""
        while not said:
            said = capsys.readouterr().err
            time.sleep(0.01)
        with serving(config(first.address)):
            calling.join(30)
    finally:
        reached.__exit__(None, None, None)
    assert answers == [[]] and said + capsys.readouterr().err == f"{first.address}: no answer; waiting for it\n"
