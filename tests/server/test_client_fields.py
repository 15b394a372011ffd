"""The client against the protos: whatever a call of the service takes, the client's method takes, or it is said here why not."""
from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from seatmate.client import Client, Seat, Table, Tournament
from seatmate.client.messages import plans
from seatmate.server.service import SERVICES
from seatmate.v1 import advisor_service_pb2, catalog_service_pb2, table_pb2, table_service_pb2, tournament_service_pb2

NAME = "tables/t/seats/1"
MODULES = (catalog_service_pb2, table_service_pb2, advisor_service_pb2, tournament_service_pb2)

ITSELF = "what the method is called on"
DRAWN = "drawn for each call, which is repeated with it"
DIGITS = "a Python number is exact"
FOLLOWED = "the method follows the pages"
ELSEWHERE = "a position of a table run elsewhere has no seat here: that is for the stub"

SAMPLES: dict[str, Any] = {
    "game": "hyde", "mode": "m", "seats": 3, "options": {"key": "value"}, "pack": "p", "bots": {0: "random"}, "pace_ms": 7,
    "display_name": "Ada", "seed": 8, "is_open": True, "clock": table_pb2.Clock(move_ms=900),
    "pass_window": table_pb2.PassWindow(least_ms=100, most_ms=200), "take_back": True, "at": 4, "names": True, "seat": 2,
    "action": 6, "sequence": 5, "bot": "random", "rotation": 1, "since": 9, "time_ms": 10, "iterations": 11, "only_actions": [1],
    "except_actions": [2], "max_candidates": 3, "max_mistakes": 4, "total_time_ms": 12,
    "deals": 20, "token": "secret", "format": "csv"}
"""A value for each parameter, which no field has by itself."""


NOTHING: Mapping[str, str] = MappingProxyType({})


class Row(NamedTuple):
    """A method, and of the request that it sends the fields it takes no parameter for, with the reason."""

    method: Callable[..., Any]
    left_out: Mapping[str, str] = NOTHING
    also: Mapping[str, str] = NOTHING       # parameters that are no field of this request, with the reason


WISHES = {"include_observation": True, "include_actions": True, "include_table": True, "until_rematch": True,
          "use_display_names": True}
"""What `watch` takes by name alone."""

TOURNAMENT: dict[str, Any] = {
    "bots": ["random", "heuristic"], "seatings": "all", "seed": 8, "sequential_test": {"elo": {"low": 0, "high": 9}, "alpha": 0.1},
    "ratings": True, "anchor": "random", "format": "ladder", "challengers": 2, "teams": [{"seats": [0, 2]}, {"seats": [1, 3]}],
    "adjudicate": {"estimate": 0.9, "decisions": 3}, "resign": {"estimate": 0.1, "decisions": 2}, "values": True}
"""What `create_tournament` takes by name alone, and its bots."""

IN_METADATA = {"token": "goes with the call, and not in the request"}

CALLS: dict[str, list[Row]] = {
    "CreateTable": [Row(Client.create_table, {"request_id": DRAWN, "seed_text": DIGITS})],
    "GetTable": [Row(Table.get, {"name": ITSELF})],
    "ListTables": [Row(Client.list_tables, {"page_size": FOLLOWED, "page_token": FOLLOWED})],
    "DeleteTable": [Row(Table.delete, {"name": ITSELF})],
    "ClaimSeat": [Row(Table.claim, {"request_id": DRAWN})],
    "LeaveSeat": [Row(Seat.leave, {"name": ITSELF})],
    "ResignSeat": [Row(Seat.resign, {"name": ITSELF})],
    "TakeBack": [Row(Seat.take_back, {"seat": ITSELF, "request_id": DRAWN})],
    "Rematch": [Row(Table.rematch, {"name": ITSELF}),
                Row(Seat.rematch, {"name": ITSELF}, {"display_name": "goes to ClaimSeat, the second step"})],
    "FillSeats": [Row(Table.fill, {"name": ITSELF})],
    "GetObservation": [Row(Seat.observe, {"observer": ITSELF})],
    "ListLegalActions": [Row(Seat.legal, {"seat": ITSELF})],
    "SubmitAction": [Row(Seat.act, {"seat": ITSELF, "request_id": DRAWN})],
    "WatchTable": [Row(Seat.watch, {"observer": ITSELF})],
    "ExportRecord": [Row(Seat.record, {"observer": ITSELF, "use_display_names": "the record has no texts"})],
    "CreateTournament": [Row(Client.create_tournament, {"request_id": DRAWN, "seed_text": DIGITS}, IN_METADATA)],
    "GetTournament": [Row(Tournament.get, {"name": ITSELF})],
    "ListTournaments": [Row(Client.list_tournaments, {"page_size": FOLLOWED, "page_token": FOLLOWED}, IN_METADATA)],
    "WatchTournament": [Row(Tournament.watch, {"name": ITSELF})],
    "CancelTournament": [Row(Tournament.cancel, {"name": ITSELF})],
    "GetTournamentReport": [Row(Tournament.report, {"name": ITSELF})],
    "GetGame": [Row(Client.game)],
    "SuggestActions": [Row(Seat.hint, {"seat": ITSELF, "position": ELSEWHERE, "seed_text": DIGITS})],
    "ReviewGame": [Row(Seat.review, {"seat": ITSELF, "position": ELSEWHERE, "seed_text": DIGITS})],
    "ExplainBotMove": [Row(Seat.bot_move, {"seat": ITSELF})]}

OPTIONAL = "seatmate.v1.TournamentService"
"""A service that not every server has."""

BY_STUB = {"ListGames", "ListFaces", "GetPreview", "ListBots", "WatchTables", "Analyze"}
"""Calls that the client leaves to `client.catalog`, `client.tables` and `client.advisor`."""


class SentError(Exception):
    """What was to be sent, instead of sending it."""

    def __init__(self, call: str, request: Message) -> None:
        super().__init__(call)
        self.call, self.request = call, request


class Stub:
    """Of any service; sends nothing."""

    def __getattr__(self, call: str) -> Callable[..., NoReturn]:
        def send(request: Message, metadata: Any = None) -> NoReturn:
            raise SentError(call, request)

        return send


async def sent(row: Row, arguments: dict[str, Any]) -> SentError:
    """What the method sends."""
    stub: Any = Stub()
    client = Client(stub, stub, stub, stub, stub)
    seat = Seat(client, NAME, "token")
    owner: Any = {"Client": client, "Table": Table(client, "tables/t"), "Seat": seat, "_Observer": seat,
                  "Tournament": Tournament(client, "tournaments/t", "token")}[row.method.__qualname__.partition(".")[0]]
    made: Awaitable[Any] | AsyncIterator[Any] = row.method(owner, **arguments)
    with pytest.raises(SentError) as caught:
        if isinstance(made, AsyncIterator):
            await anext(made)
        else:
            await made
    return caught.value


def parameters(method: Callable[..., Any]) -> dict[str, Any]:
    """A value for each of them."""
    found: dict[str, Any] = {}
    wishes = TOURNAMENT if method is Client.create_tournament else WISHES
    for name, one in list(inspect.signature(method).parameters.items())[1:]:
        found.update(wishes if one.kind is inspect.Parameter.VAR_KEYWORD else {name: SAMPLES[name]})
    return found


def fields_of(message: Message) -> dict[str, Any]:
    """Every value in it, by path; of a list or a map as a whole."""
    found: dict[str, Any] = {}
    for field, value in message.ListFields():
        assert isinstance(field, FieldDescriptor)
        if field.message_type is None or field.is_repeated:
            found[field.name] = repr(value)
        else:
            found |= {f"{field.name}.{inner}": text for inner, text in fields_of(value).items()}
    return found


@pytest.mark.asyncio
@pytest.mark.parametrize(("call", "row"), [(call, row) for call, rows in CALLS.items() for row in rows],
                         ids=lambda one: one if isinstance(one, str) else one.method.__qualname__)
async def test_a_method_takes_whatever_the_call_takes(call: str, row: Row) -> None:
    whole = await sent(row, parameters(row.method))
    assert whole.call == call
    fields = {field.name for field in whole.request.DESCRIPTOR.fields}
    assert not set(row.left_out) - fields
    drawn = {field for field, reason in row.left_out.items() if reason in (DRAWN, ITSELF, FOLLOWED)}
    assert {field.name for field, _ in whole.request.ListFields()} - drawn == fields - set(row.left_out)
    every = fields_of(whole.request)
    known = inspect.signature(row.method).parameters
    for name in parameters(row.method):     # each has an effect of its own
        if name not in row.also and known.get(name, EMPTY).default is not inspect.Parameter.empty:
            less = await sent(row, {key: value for key, value in parameters(row.method).items() if key != name})
            assert without_drawn(fields_of(less.request)) != without_drawn(every), name


EMPTY = inspect.Parameter("wish", inspect.Parameter.KEYWORD_ONLY, default=None)


def without_drawn(fields: dict[str, Any]) -> dict[str, Any]:
    return {path: text for path, text in fields.items() if path != "request_id"}


def test_every_call_of_the_service_has_a_method_or_is_left_to_the_stubs() -> None:
    methods = {method.name for module in MODULES for service in module.DESCRIPTOR.services_by_name.values()
               for method in service.methods}
    services = {service.full_name for module in MODULES for service in module.DESCRIPTOR.services_by_name.values()}
    assert services == {*SERVICES, OPTIONAL}
    assert not set(CALLS) & BY_STUB
    assert set(CALLS) | BY_STUB == methods


def test_a_bot_has_a_pace_and_a_name_of_its_own() -> None:
    own = table_pb2.SeatPlan(bot="heuristic", pace_ms=5, display_name="Hal")
    made = plans({0: "random", 2: own}, 7)
    assert made == [table_pb2.SeatPlan(seat=0, bot="random", pace_ms=7),
                    table_pb2.SeatPlan(seat=2, bot="heuristic", pace_ms=5, display_name="Hal")]
    assert own.seat == 0
