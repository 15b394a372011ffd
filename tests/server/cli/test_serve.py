"""`seatmate serve`: starting, stopping, and the ways it can't start."""
from __future__ import annotations

import re
import signal
import socket
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from grpc_health.v1 import health_pb2

from seatmate.client.blocking import connect
from seatmate.server.config import ServerConfig

from .conftest import CommandLine, command, environment, process

Start = Callable[..., tuple[subprocess.Popen[str], str, str]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a server on a free port; answers the process, its address and what it said."""
    running: list[subprocess.Popen[str]] = []

    def begin(*arguments: str) -> tuple[subprocess.Popen[str], str, str]:
        server = subprocess.Popen(command("serve", "--address", "127.0.0.1:0", *arguments), cwd=tmp_path, text=True,
                                  env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        running.append(server)
        assert server.stdout is not None
        line = server.stdout.readline()
        found = re.search(r"127\.0\.0\.1:([1-9]\d*)", line)
        assert found is not None, (line, server.communicate(timeout=60))
        return server, found[0], line

    yield begin
    for server in running:
        server.kill()
        server.communicate()


def healthy(address: str) -> bool:
    """Does the server say that it serves?"""
    with connect(address) as client:
        check = client.channel.unary_unary("/grpc.health.v1.Health/Check",
                                           request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
                                           response_deserializer=health_pb2.HealthCheckResponse.FromString)
        answer = check(health_pb2.HealthCheckRequest(), timeout=60)
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_until_it_is_told_to_stop(start: Start, tmp_path: Path, number: signal.Signals) -> None:
    server, address, _ = start()
    assert healthy(address)
    with connect(address) as client:
        assert client.game("kuhn").name == "games/kuhn"
    assert (tmp_path / "seatmate.sqlite3").exists()
    server.send_signal(number)
    stdout, stderr = server.communicate(timeout=60)
    assert server.returncode == 0 and stdout == "" and stderr == ""


def test_the_database_can_be_chosen_and_used_again(start: Start, tmp_path: Path) -> None:
    for _ in range(2):
        server, address, _ = start("--database", "mine.sqlite3", "--workers", "1")
        assert healthy(address)
        server.terminate()
        assert server.wait(60) == 0
    assert (tmp_path / "mine.sqlite3").exists() and not (tmp_path / "seatmate.sqlite3").exists()


def test_logs_are_json_lines_on_stderr(start: Start) -> None:
    server, *_ = start("--log-level", "info")
    server.terminate()
    _, stderr = server.communicate(timeout=60)
    assert '"message": "serving"' in stderr.splitlines()[0]


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        shown = process(["serve", "--address", address], cwd=tmp_path)
    shown.refused(1, address, "in use")
    assert shown.stdout == ""


def test_a_database_in_use(start: Start, tmp_path: Path) -> None:
    start("--database", "mine.sqlite3")
    second = process(["serve", "--address", "127.0.0.1:0", "--database", "mine.sqlite3"], cwd=tmp_path)
    second.refused(1, "mine.sqlite3")


def test_metrics_are_offered_where_it_says(start: Start, tmp_path: Path) -> None:
    *_, said = start("--metrics-port", "0")
    found = re.search(r"http://127\.0\.0\.1:[1-9]\d*/metrics", said)
    assert found is not None, said
    with urllib.request.urlopen(found[0], timeout=60) as answer:
        assert b"seatmate_tables_in_memory 0.0" in answer.read()


@pytest.mark.parametrize("database", ["missing/folder/tables.sqlite3", "/proc/tables.sqlite3", "nosuch://host/name"])
def test_an_unusable_database(tmp_path: Path, database: str) -> None:
    process(["serve", "--address", "127.0.0.1:0", "--database", database], cwd=tmp_path).refused(1, database.split("://")[-1][:6])


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("This is not a database. " * 100)
    process(["serve", "--address", "127.0.0.1:0", "--database", "notes.txt"], cwd=tmp_path).refused(1, "notes.txt")
    assert (tmp_path / "notes.txt").read_text().startswith("This is not")


@pytest.mark.parametrize(("arguments", "parts"), [
    (["--address", "0.0.0.0:0"], ["0.0.0.0:0", "TLS"]),
    (["--address", "[::]:0"], ["[::]:0", "TLS"]),
    (["--address", "no.such.host.invalid:0", "--allow-insecure-public"], ["no.such.host.invalid"]),
    (["--tls-cert", "cert.pem", "--tls-key", "key.pem"], [".pem", "o such file"]),
])
def test_other_ways_not_to_start(tmp_path: Path, arguments: list[str], parts: list[str]) -> None:
    process(["serve", *arguments], cwd=tmp_path).refused(1, *parts)


@pytest.mark.parametrize(("arguments", "parts"), [
    (["--address", "pizza"], ["HOST:PORT", "'pizza'"]),
    (["--address", ":50051"], ["HOST:PORT"]),
    (["--address", "unix:"], ["unix:PATH", "'unix:'"]),
    (["--address", "127.0.0.1:99999"], ["65535", "127.0.0.1:99999"]),
    (["--address", "127.0.0.1:-1"], ["65535"]),
    (["--tls-cert", "cert.pem"], ["--tls-key"]),
    (["--tls-key", "key.pem"], ["--tls-cert"]),
    (["--client-ca", "ca.pem"], ["--client-ca needs"]),
    (["--address", "127.0.0.1:" + "9" * 5000], ["65535"]),
    (["--database", ""], ["'--database'", "a file or a URL is needed"]),
    (["--workers", "0"], ["--workers"]),
    (["--metrics-port", "65536"], ["--metrics-port"]),
    (["--log-level", "loud"], ["--log-level"]),
])
def test_bad_command_lines(seatmate: CommandLine, arguments: list[str], parts: list[str]) -> None:
    seatmate("serve", *arguments).refused(2, *parts)


def test_a_variable_of_the_environment_that_is_no_option_is_told(
        seatmate: CommandLine, configured: list[ServerConfig], monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setenv("SEATMATE_TOURNAMENT_TOKEN", "known")
    monkeypatch.setenv("SEATMATE_WORKERS", "1")
    assert seatmate("serve").code == 0
    before = set(caplog.messages)       # of where the tests run
    monkeypatch.setenv("SEATMATE_MAX_CALL", "7")
    assert seatmate("serve").code == 0 and configured[1].max_calls == ServerConfig().max_calls
    assert set(caplog.messages) - before == {"seatmate serve takes no notice of the environment variable SEATMATE_MAX_CALL; "
                                             "did you mean 'SEATMATE_MAX_CALLS'?"}
    assert not any("TOKEN" in line or "WORKERS" in line for line in caplog.messages)


@pytest.mark.parametrize(("name", "value"), [("workers", "many"), ("workers", "0"), ("address", "pizza"), ("database", " "),
                                             ("web", "maybe"), ("log-level", "loud"), ("config", "none.toml")])
def test_a_wrong_value_of_the_environment_is_called_by_its_variable(
        seatmate: CommandLine, configured: list[ServerConfig], monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    variable = f"SEATMATE_{name.replace('-', '_').upper()}"
    monkeypatch.setenv(variable, value)
    seatmate("serve").refused(2, f"for {variable} in the environment: ")
    assert configured == []


def test_flags_count_before_the_environment_and_that_before_the_file(
        seatmate: CommandLine, configured: list[ServerConfig], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "seatmate.toml"
    file.write_text('address = "127.0.0.1:1"\nworkers = 3\nmax-calls = 77\nhost-name = ["a.example", "b.example"]\nweb = false\n')
    assert seatmate("serve", "--config", str(file)).code == 0
    monkeypatch.setenv("SEATMATE_ADDRESS", "127.0.0.1:2")
    monkeypatch.setenv("SEATMATE_WORKERS", "4")
    monkeypatch.setenv("SEATMATE_HOST_NAME", "c.example d.example")
    assert seatmate("serve", "--config", str(file)).code == 0
    assert seatmate("serve", "--config", str(file), "--address", "127.0.0.1:3", "--web").code == 0
    monkeypatch.setenv("SEATMATE_CONFIG", str(file))
    monkeypatch.delenv("SEATMATE_WORKERS")
    assert seatmate("serve").code == 0
    by_file, by_environment, by_flag, from_environment = configured
    assert (by_file.address, by_file.workers, by_file.max_calls, by_file.web) == ("127.0.0.1:1", 3, 77, False)
    assert by_file.host_names == ("a.example", "b.example")
    assert (by_environment.address, by_environment.workers, by_environment.max_calls) == ("127.0.0.1:2", 4, 77)
    assert by_environment.host_names == ("c.example", "d.example")
    assert (by_flag.address, by_flag.workers, by_flag.web) == ("127.0.0.1:3", 4, True)
    assert from_environment.workers == 3


@pytest.mark.parametrize(("text", "parts"), [
    ('adress = "127.0.0.1:1"', ["adress", "address"]), ("workers = 0", ["workers", "at least 1"]),
    ('workers = "many"', ["whole number"]), ("max-calls = true", ["max-calls takes a value"]),
    ("web = 1", ["web is true or false"]),
    ('host-name = "a.example"', ["host-name takes a list"]), ('database = ["a"]', ["database takes one value"]),
    ("workers = ", ["not TOML"]), ("[address]\nhost = 1", ["address is a table"]), ('address = "nowhere"', ["HOST:PORT"])])
def test_a_file_that_is_wrong_says_where(seatmate: CommandLine, configured: list[ServerConfig], tmp_path: Path, text: str,
                                         parts: list[str]) -> None:
    file = tmp_path / "seatmate.toml"
    file.write_text(text)
    seatmate("serve", "--config", str(file)).refused(2, *parts, str(file))
    seatmate("serve", "--config", str(tmp_path / "none.toml")).refused(2, "none.toml")
    assert configured == []
