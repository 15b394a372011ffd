"""A card has one key and a place one id, in actions, events, observations and scenes, and the catalogue has all of them."""
from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.message import Message

from seatmate.engine.core.game import SPECTATORS, Game, State
from seatmate.engine.core.meanings import Meaning, Meanings
from seatmate.engine.core.registry import game_spec, list_games, new_game
from seatmate.server import mappers
from seatmate.server.catalog_service import game_to_message, kept_faces
from seatmate.server.convert import actions_to_messages, events_to_messages, scene_to_message
from seatmate.v1 import event_pb2, observation_pb2, settings_pb2

Argument = event_pb2.EventArgument
DECISIONS = 120
CARDS = {"card", "card_ids", "target_card"}
"""Fields of observations that hold keys of cards."""


def cards_in(message: Message) -> Iterator[str]:
    """The keys of cards that a game's own observation names."""
    for field, value in message.ListFields():
        values = value if field.is_repeated else [value]
        if field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for one in values:
                yield from cards_in(one)
        elif field.name in CARDS and field.cpp_type == field.CPPTYPE_STRING:
            yield from (one for one in values if one)


def watched(game: Game, seed: int) -> Iterator[State]:
    """A random game before each of its decisions."""
    chance, state = random.Random(seed), game.new_state(seed)
    for _ in range(DECISIONS):
        if state.is_over:
            break
        yield state
        seat = state.pending[0]
        state.apply_action(seat, chance.choice(state.legal_actions(seat)))
    yield state


@pytest.mark.parametrize("game_id", [spec.id for spec in list_games()])
def test_all_that_a_game_names_is_in_the_catalogue(game_id: str) -> None:
    game = new_game(game_id)
    catalogue = kept_faces(settings_pb2.GameSettings(game=f"games/{game_id}").SerializeToString())
    faces, places = {face.key for face in catalogue.faces}, {place.id for place in catalogue.places}
    assert places and not any(place.things for place in catalogue.places)
    told = dict.fromkeys((SPECTATORS, *range(game.seats)), 0)
    zones: set[str] = set()
    named: set[str] = set()
    shown = set(places)
    for number, state in enumerate(watched(game, 3)):
        for observer, since in told.items():
            events = events_to_messages(state, state.events(observer, since), observer)
            told[observer] += len(events)
            for event in events:
                check(event, game.seats, faces)
                named |= {arg.id for arg in event.args if arg.kind == Argument.KIND_THING and arg.id}
        if number % 6 == 0 or state.is_over:
            for observer in told:
                seen = state.observation(observer)
                scene = scene_to_message(game.scene(seen, observer))
                zones |= {zone.id for zone in scene.zones}
                shown |= {zone.id for zone in scene.zones} | {thing.id for zone in scene.zones for thing in zone.things}
                assert {thing.face for zone in scene.zones for thing in zone.things if thing.face} <= faces
                assert all(zone.parent in {"", *(other.id for other in scene.zones)} for zone in scene.zones)
                message = observation_pb2.Observation()
                mappers.fill(game, seen, message)
                view = message.WhichOneof("view")
                if view is not None and view != "other":
                    assert set(cards_in(getattr(message, view))) <= faces
        for seat in state.pending:
            for action in actions_to_messages(state, seat):
                card = action.args.get("card")
                assert card is None or (card.text or str(card.number)) in faces, action
    assert named <= shown, named - shown
    assert zones <= places, zones - places


def check(event: event_pb2.Event, seats: int, faces: set[str]) -> None:
    """Is each argument what its kind says?"""
    for arg in event.args:
        assert arg.kind != Argument.KIND_UNSPECIFIED
        match arg.kind:
            case Argument.KIND_CARD:
                assert arg.id in faces if arg.id else arg.value < 0 or arg.value > 50, event
            case Argument.KIND_WORD:
                assert arg.id, event
            case Argument.KIND_FLAG:
                assert arg.value in (0, 1), event
            case Argument.KIND_SEATS:
                assert sum(1 << seat for seat in arg.seats) == arg.value and all(seat < seats for seat in arg.seats), event
            case Argument.KIND_SEAT:
                assert -1 <= arg.value < seats or arg.value > 8, event
        assert not (arg.name.startswith("card") and arg.kind == Argument.KIND_NUMBER), event


@pytest.mark.parametrize("game_id", [spec.id for spec in list_games()])
def test_what_a_game_says_of_arguments_is_about_arguments_it_has(game_id: str) -> None:
    game = new_game(game_id)
    arguments = {name for event in game.spec.events for plain in event.args
                 for argument in (plain, plain.rstrip("0123456789")) for name in (argument, f"{event.key}.{argument}")}
    assert set(game.event_meanings()) <= arguments
    told = game_to_message(game_spec(game_id), load_packs=True)
    assert all(len(event.args) == len(event.arg_kinds) for event in told.event_types)
    assert {event.key: event.arg_kinds for event in told.event_types}["BUSY"] == [Argument.KIND_SEATS, Argument.KIND_WORD]


def test_a_meaning_is_the_nearest_that_is_said() -> None:
    """The event's own before all events', the argument's own before that of a list."""
    own: dict[str, Any] = {"card": Meaning("card", ("A", "B"), mask=3), "SHOWDOWN.card1": Meaning("flag")}
    said = Meanings(game_spec("kuhn"), own)
    assert [one.kind for one in said["SHOWDOWN"]] == ["card", "flag"] and [one.kind for one in said["ACTED"]] == ["seat", "number"]
    assert [own["card"].id(value) for value in (0, 1, 2, 5, -1)] == ["A", "B", "", "B", ""]
