"""The attack of benches/fuzz.py, a small part of it: that the service stands it, and that it would notice what does not."""
from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

import fuzz
import fuzz_files
from fuzz_attacks import _ENDED_BADLY
from fuzz_messages import Words, broken, request_bytes
from seatmate.client import connect
from seatmate.engine.core.record import Record
from seatmate.server import names, table_service
from seatmate.server.config import ServerConfig
from seatmate.server.service import SERVICES, running_server
from seatmate.v1 import table_service_pb2


def test_a_small_attack(capsys: pytest.CaptureFixture[str]) -> None:
    found = fuzz.main(["--calls", "2000", "--seed", "15", "--before-s", "1.5", "--pause-s", "0.05", "--at-once", "32"])
    said = capsys.readouterr().out
    assert found == 0, said
    assert "2000 hostile calls" in said and said.rstrip().endswith("0 findings of 0 kinds")


def attacked(tmp_path: Path, calls: int = 400) -> fuzz.Tally:
    """What comes of a few calls to a server in this process."""
    async def run() -> fuzz.Tally:
        tally = fuzz.Tally()
        config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=1, grace_s=0.2)
        async with running_server(config) as address, connect(address) as client:
            methods = await fuzz.methods_of(client.channel)
            assert {f"/{service}" for service in SERVICES} <= {path.rpartition("/")[0] for path in methods}
            fuzzer = fuzz.Fuzzer(client.channel, methods, await fuzz.make_world(client), 1, tally)
            await fuzzer.run(fuzzer.hostile, calls, 16)
        return tally

    return asyncio.run(run())


def test_a_call_that_fails_inside_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(table_service, "observation_to_message", fail)
    tally = attacked(tmp_path)
    assert {what for what, _ in tally.kinds} == {"/seatmate.v1.TableService/GetObservation"}
    assert "INTERNAL" in tally.findings[0]


def test_another_caller_whose_calls_take_too_long_is_found() -> None:
    tally = fuzz.Tally()
    fuzz.compare(0.5, 2 * fuzz._NOISE_MS, "at an idle server", tally)       # less than can be told
    fuzz.compare(10.0, 19.9, "at an idle server", tally)
    assert not tally.findings
    fuzz.compare(10.0, 20.1, "at an idle server", tally)
    assert "20.1 ms, 2.0 times as long as at an idle server" in tally.findings[0]


def test_a_sentence_of_several_lines_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "_quote", lambda name: f"{name}\n")
    assert attacked(tmp_path).findings


def test_a_traceback_in_the_log_is_found() -> None:
    tally = fuzz.Tally()
    fuzz.read_log('{"message": "call"}\n', tally.report)
    assert not tally.findings
    fuzz.read_log('{"message": "unexpected", "exception": "..."}\nTraceback (most recent call last):\n', tally.report)
    assert tally.kinds.total() == 2


def test_web_answers_that_are_bad() -> None:
    good = b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 503 x\r\n", b"grpc-status: 3\r\n", b"grpc-status: 0\r\n"
    assert not any(map(_ENDED_BADLY.search, good))
    assert all(map(_ENDED_BADLY.search, (b"HTTP/1.1 500 x\r\n", b"a\r\ngrpc-status: 2\r\n", b'{"code": "internal"}', b"Traceback")))


def test_files_that_fail_without_a_sentence_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tally = fuzz.Tally()
    for number in range(30):
        fuzz_files.break_record(random.Random(number), tmp_path, tally.report)
        fuzz_files.break_pack(random.Random(number), tmp_path, tally.report)
    assert not tally.findings
    monkeypatch.setattr(Record, "from_json", lambda _: int("no"))
    fuzz_files.break_record(random.Random(1), tmp_path, tally.report)
    assert tally.findings


def test_the_same_seed_makes_the_same_requests() -> None:
    method = table_service_pb2.DESCRIPTOR.services_by_name["TableService"].methods_by_name["CreateTable"]
    words = Words(["tables/a", "games/kuhn"], {method.input_type.full_name: [b"\n\0"]})
    made = [[request_bytes(method, random.Random(seed), words) for seed in range(200)] for _ in range(2)]
    assert made[0] == made[1]
    assert len(set(made[0])) > 120
    assert broken(b"abc", random.Random(1)) != b"abc"
