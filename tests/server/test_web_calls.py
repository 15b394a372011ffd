"""The API as browsers and curl reach it: every call in every protocol says what native gRPC says on the same port."""
from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
from itertools import islice
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import code_pb2, error_details_pb2, status_pb2

from playing import plans
from seatmate.server import table_service
from seatmate.server.config import Pacing, ServerConfig
from seatmate.v1 import advisor_service_pb2, analysis_pb2, catalog_service_pb2, settings_pb2, table_pb2
from seatmate.v1 import table_service_pb2 as pb
from web import ADVISOR, CATALOG, KINDS, METHODS, TABLES, Call, Failure, ask, call, frame, serving

kinds = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("web")
    config = ServerConfig(address="127.0.0.1:0", database=str(folder / "t.sqlite3"), workers=2, grace_s=1.0,
                          pacing=Pacing(answer_ms=None), max_message_bytes=64 * 1024)
    with serving(config) as running:
        yield running


@pytest.fixture(scope="module")
def address(server):
    return server.address


@pytest.fixture(scope="module")
def channel(address):
    with grpc.insecure_channel(address) as channel:
        yield channel


def native(channel: grpc.Channel, path: str, request: Message, token: str = "",
           most: int | None = None) -> list[Message] | tuple[str, str, bytes]:
    """The answers, at most so many, or code, message and details of the failure."""
    method = METHODS[path]
    make = channel.unary_stream if method.server_streaming else channel.unary_unary
    stub: Any = make(path, request_serializer=type(request).SerializeToString,
                     response_deserializer=GetMessageClass(method.output_type).FromString)
    try:
        answer = stub(request, timeout=30, metadata=[("authorization", f"Bearer {token}")] if token else None)
        return list(islice(answer, most)) if method.server_streaming else [answer]
    except grpc.RpcError as error:
        trailers: Any = dict(error.trailing_metadata())
        return error.code().name, error.details() or "", trailers["grpc-status-details-bin"]


def by_web(address: str, path: str, request: Message, kind: str, token: str = "",
           most: int | None = None) -> list[Message] | tuple[str, str, bytes]:
    """The same."""
    try:
        return list(islice(Call(address, path, request, kind, token), most))
    except Failure as failed:
        status = status_pb2.Status(code=code_pb2.Code.Value(failed.code), message=failed.message)
        for one in failed.details:
            status.details.add().Pack(one)
        return failed.code, failed.message, status.SerializeToString()


@kinds
@pytest.mark.parametrize("path", METHODS)
def test_every_call_answers_an_empty_request_as_native_grpc_does(address, channel, path, kind):
    request = GetMessageClass(METHODS[path].input_type)()
    said = native(channel, path, request, most=1)
    assert by_web(address, path, request, kind, most=1) == said
    assert isinstance(said, list) or said[1]


@pytest.fixture(scope="module")
def seat(address):
    """A finished game of Kuhn: its table, one of its seats and the token."""
    table = call(address, f"{TABLES}CreateTable", create("kuhn", {1: "random"}, seed=5)).table.name
    claimed = call(address, f"{TABLES}ClaimSeat", pb.ClaimSeatRequest(name=f"{table}/seats/0"))
    watched = Call(address, f"{TABLES}WatchTable", pb.WatchTableRequest(observer=claimed.seat.name, include_observation=True),
                   token=claimed.seat_token)
    for step in watched:
        if step.observation.prompt:
            submit(address, claimed)
    return claimed


@pytest.fixture(scope="module")
def asked(address):
    """A seat of Hyde that has to act, and its token."""
    table = call(address, f"{TABLES}CreateTable", create("hyde", {1: "random"}, seed=5)).table
    return call(address, f"{TABLES}ClaimSeat", pb.ClaimSeatRequest(name=f"{table.name}/seats/0"))


def create(game: str, bots: dict[int, str], seats: int = 2, **more) -> pb.CreateTableRequest:
    settings = settings_pb2.GameSettings(game=f"games/{game}", seat_count=seats)
    return pb.CreateTableRequest(settings=settings, bots=plans(bots, 0), access=table_pb2.ACCESS_OPEN, **more)


def submit(address: str, claimed: pb.ClaimSeatResponse) -> None:
    legal = call(address, f"{TABLES}ListLegalActions", pb.ListLegalActionsRequest(seat=claimed.seat.name), token=claimed.seat_token)
    call(address, f"{TABLES}SubmitAction", pb.SubmitActionRequest(
        seat=claimed.seat.name, action_id=legal.actions[0].id, expected_sequence=legal.sequence), token=claimed.seat_token)


@kinds
@pytest.mark.parametrize(("path", "make"), [
    (f"{TABLES}WatchTable", lambda seat: pb.WatchTableRequest(observer=seat, include_observation=True)),
    (f"{TABLES}GetObservation", lambda seat: pb.GetObservationRequest(observer=seat)),
    (f"{TABLES}ExportRecord", lambda seat: pb.ExportRecordRequest(observer=seat)),
    (f"{CATALOG}GetGame", lambda seat: catalog_service_pb2.GetGameRequest(name="games/hyde")),
])
def test_whole_answers_are_the_same(address, channel, seat, path, make, kind):
    said = native(channel, path, make(seat.seat.name), seat.seat_token)
    assert isinstance(said, list) and said
    assert by_web(address, path, make(seat.seat.name), kind, seat.seat_token) == said


@kinds
@pytest.mark.parametrize(("token", "reason"), [("", "TOKEN_MISSING"), ("nonsense", "WRONG_TOKEN"), ("é", "WRONG_TOKEN")])
def test_failures_have_the_same_words_and_details(address, asked, token, reason, kind):
    with pytest.raises(Failure) as failed:
        call(address, f"{TABLES}GetObservation", pb.GetObservationRequest(observer=asked.seat.name), kind,
             **({"authorization": f"Bearer {token}".encode()} if token else {}))
    assert failed.value.reason == reason and failed.value.code in ("UNAUTHENTICATED", "PERMISSION_DENIED")
    with pytest.raises(Failure) as failed:
        call(address, f"{TABLES}CreateTable", create("khün", {}), kind)
    assert "'games/khün'" in failed.value.message
    assert failed.value.detail(error_details_pb2.BadRequest).field_violations[0].field == "settings.game"


def test_watchers_of_the_same_are_told_by_the_same_message(address, monkeypatch):
    """It is made once, however many there are, and anew after each change."""
    made: list[int] = []

    def count(message, table, moment):
        made.append(moment.sequence)
        real(message, table, moment)

    real = table_service.write_observation
    monkeypatch.setattr(table_service, "write_observation", count)
    table = call(address, f"{TABLES}CreateTable", create("connect_four", {})).table
    claimed = [call(address, f"{TABLES}ClaimSeat", pb.ClaimSeatRequest(name=seat.name)) for seat in table.seats]
    request = pb.WatchTableRequest(observer=table.name, include_observation=True)
    streams = [iter(Call(address, f"{TABLES}WatchTable", request, kind)) for kind in KINDS * 3]
    steps = [[next(stream)] for stream in streams]
    for move in range(4):
        submit(address, claimed[move % 2])
        for step, stream in zip(steps, streams, strict=True):
            step.append(next(stream))
    assert all(step == steps[0] for step in steps)
    assert made == [step.observation.sequence for step in steps[0]] and len(set(made)) == 5
    late = next(iter(Call(address, f"{TABLES}WatchTable", request)))     # asks as the others did before the first move
    assert late.observation == steps[0][-1].observation and late.events[-1].sequence == made[-1]
    for stream in streams:
        stream.close()


@kinds
@pytest.mark.parametrize(("path", "broken"), [(f"{TABLES}GetTable", b"\xff\xff"), (f"{TABLES}WatchTable", b"\xff\xff")])
def test_what_is_no_message_is_answered_in_words(address, path, broken, kind):
    framed = kind == "grpc-web" or METHODS[path].server_streaming
    for body in [frame(broken), b"\x00\x00", frame(broken, 1), frame(broken) * 2] if framed else [broken]:
        with pytest.raises(Failure) as failed:
            list(Call(address, path, body, kind))
        assert failed.value.code == "INVALID_ARGUMENT" and failed.value.reason == "BROKEN_MESSAGE"
        assert failed.value.message and "\n" not in failed.value.message


@pytest.mark.parametrize("text", [
    "", "null", "[]", "{", '{"name": 1}', '{"name": "a", "name": "b"}', '{"nme": "x"}', '{"name": "\\ud800"}', "NaN", "1e999",
    "[" * 60_000,
    '{"name":' * 7_000, '{"name": [' + "1," * 1000 + "1]}",
])
def test_json_that_is_no_request(address, text):
    with pytest.raises(Failure) as failed:
        call(address, f"{TABLES}GetTable", text.encode(), "json")
    assert failed.value.code == "INVALID_ARGUMENT" and failed.value.message and "\n" not in failed.value.message


@pytest.mark.parametrize("text", [
    '{"seed": "18446744073709551616"}', '{"seed": -1}', '{"seed": 1e300}', '{"settings": {"options": {"x": 1e999}}}',
    '{"settings": {"seatCount": 1e10}}', '{"bots": [null]}',
    '{"settings": {"options": {"x": {"y": ' + "[" * 200 + "]" * 200 + "}}}}",
])
def test_json_with_values_that_do_not_fit(address, text):
    with pytest.raises(Failure) as failed:
        call(address, f"{TABLES}CreateTable", text.encode(), "json")
    assert failed.value.code == "INVALID_ARGUMENT" and failed.value.reason


def test_as_curl_writes_it(address):
    """Names as in the protos or in JSON's style, and all fields in the answer."""
    for field in ("seat_count", "seatCount"):
        made = ask(address, f"{TABLES}CreateTable", method="POST", content_type="application/json; charset=utf-8",
                   body=json.dumps({"settings": {"game": "games/kuhn", field: 2}}).encode())
        table = json.loads(made.body)["table"]
        assert made.status == 200 and len(table["seats"]) == 2
        assert (table["displayName"], table["access"]) == ("", "ACCESS_PRIVATE")


HINT = analysis_pb2.Budget(time_ms=20_000)


@pytest.mark.parametrize(("kind", "timeout"), [("grpc-web", {"grpc_timeout": "1500m"}), ("json", {"connect_timeout_ms": "1500"})])
def test_a_hint_ends_by_its_deadline(address, asked, kind, timeout):
    began = time.monotonic()
    request = advisor_service_pb2.SuggestActionsRequest(seat=asked.seat.name, budget=HINT)
    try:
        assert call(address, f"{ADVISOR}SuggestActions", request, kind, asked.seat_token, **timeout).analysis.candidates
    except Failure as late:
        assert late.code == "DEADLINE_EXCEEDED"     # the machine has stalled
    assert time.monotonic() - began < 10


@kinds
def test_a_stream_ends_at_its_deadline(address, asked, kind):
    steps = iter(Call(address, f"{TABLES}WatchTable", pb.WatchTableRequest(observer=asked.seat.name), kind, asked.seat_token,
                      grpc_timeout="200m"))
    assert next(steps).events
    with pytest.raises(Failure) as failed:
        next(steps)
    assert failed.value.code == "DEADLINE_EXCEEDED" and failed.value.message


@kinds
def test_who_goes_away_ends_the_search(server, address, asked, kind):
    request = advisor_service_pb2.AnalyzeRequest(seat=asked.seat.name, budget=HINT)
    analysis = Call(address, f"{ADVISOR}Analyze", request, kind, asked.seat_token)
    steps = iter(analysis)
    assert next(steps).analysis.candidates
    assert server._bridge._running
    began = time.monotonic()
    analysis.close()
    while server._bridge._running or server._pool.running:
        assert time.monotonic() - began < 10
        time.sleep(0.001)


def test_the_commands_of_the_document_work(address):
    if (curl := shutil.which("curl")) is None or "--json" not in subprocess.run(
            [curl, "--help", "all"], capture_output=True, text=True, check=True).stdout:
        pytest.skip("curl is not here, or older than --json")
    text = (Path(__file__).parents[2] / "docs" / "front-ends.md").read_text(encoding="utf-8")
    commands = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    assert len(commands) == 1
    script = commands[0].replace("127.0.0.1:50051", address)
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert [action["label"] for action in json.loads(done.stdout)["actions"]] and done.stderr == ""
