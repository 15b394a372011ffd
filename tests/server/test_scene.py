"""Scenes over gRPC: what is needed to draw a game and to touch its answers."""
from __future__ import annotations

import pytest
from google.protobuf.message import Message
from grpc import StatusCode

from playing import refused
from seatmate.engine.core.game import SPECTATORS
from seatmate.engine.core.registry import list_games, new_game
from seatmate.engine.core.scene import Face, Link, Scene, Thing, Zone
from seatmate.server.catalog_service import kept_faces
from seatmate.server.convert import scene_to_message, template
from seatmate.v1 import analysis_pb2, event_pb2, scene_pb2, settings_pb2
from seatmate.v1 import catalog_service_pb2 as pb

pytestmark = pytest.mark.asyncio


def same(thing: scene_pb2.Thing, key: str, **values: object) -> bool:
    """Does a thing have this id and these values?"""
    return thing.id == key and all(getattr(thing, name) == value for name, value in values.items())


async def test_every_observation_has_the_scene_of_its_observer_and_answers_point_into_it(house):
    for spec in list_games():
        table = await house.table(spec.id, seed=3)
        players = await table.claim_all()
        game, state = new_game(spec.id), new_game(spec.id).new_state(3)
        seat = state.pending[0]
        seen = await players[seat].observe()
        assert seen.scene == scene_to_message(game.scene(state.observation(seat), seat))
        public = await table.observe()
        assert public.scene == scene_to_message(game.scene(state.observation(SPECTATORS), SPECTATORS))
        answers = (await players[seat].legal()).actions
        for action in answers:
            touch = game.touch(state, seat, action.id, state.observation(seat))
            assert (tuple(action.targets), action.group, action.prominence) == touch
        hint = await players[seat].suggest(budget=analysis_pb2.Budget(iterations=2))
        steps = [step.analysis async for step in players[seat].analyze(budget=analysis_pb2.Budget(iterations=2))]
        for analysis in (hint, *steps):
            assert {one.action.id: one.action for one in analysis.candidates} == {action.id: action for action in answers}


async def test_every_value_of_a_scene_arrives():
    thing = Thing("row/1", "BAT", "#1", "die", 2, 3, 4, 5, ("open", "used"), "known to seat 1")
    row = Zone("row", "Row", "grid", (thing, Thing("row/2", seat=0)), 6, "table", 7, -8, 1, "full", True)
    scene = Scene((Zone("table", "Table"), row), (Link("row/1", "row/2", "next"),))
    message = scene_to_message(scene)
    for zone, shown in zip(scene.zones, message.zones, strict=True):
        same_values(zone._replace(things=(), layout=""), shown)
        assert scene_pb2.Zone.Layout.Name(shown.layout) == f"LAYOUT_{zone.layout.upper()}"
        for one, seen in zip(zone.things, shown.things, strict=True):
            same_values(one._replace(shape=""), seen)
            assert scene_pb2.Thing.Shape.Name(seen.shape) == f"SHAPE_{one.shape.upper()}"
    same_values(scene.links[0], message.links[0])


def same_values(part: Thing | Zone | Link, message: Message) -> None:
    """Has the message what the part has, apart from what is empty there? None is a field that is not set."""
    for name, value in part._asdict().items():
        if value is None:
            assert not message.HasField(name), name
        elif value not in ("", ()):
            shown = getattr(message, name)
            assert (tuple(shown) if isinstance(value, tuple) else shown) == value, name


async def test_a_preview_shows_a_game_that_has_begun_and_nothing_that_a_seat_alone_knows(house):
    for spec in list_games():
        request = pb.GetPreviewRequest(settings=settings_pb2.GameSettings(game=f"games/{spec.id}"))
        fresh = (await (await house.table(spec.id, seed=1)).observe()).scene
        answer = await house.client.catalog.GetPreview(request)
        assert answer.scene.zones
        assert answer.scene != fresh, spec.id
        assert answer == await house.client.catalog.GetPreview(request)
        hidden = {zone.id for zone in fresh.zones if zone.title == "Hand" and not any(thing.face for thing in zone.things)}
        shown = [thing for zone in answer.scene.zones if zone.id in hidden for thing in zone.things if thing.face]
        assert not shown, f"{spec.id} shows {shown}"
    three = pb.GetPreviewRequest(settings=settings_pb2.GameSettings(game="games/hyde", seat_count=3))
    assert {zone.seat for zone in (await house.client.catalog.GetPreview(three)).scene.zones if zone.HasField("seat")} == {0, 1, 2}
    async with refused(StatusCode.NOT_FOUND, "UNKNOWN_GAME"):
        await house.client.catalog.GetPreview(pb.GetPreviewRequest(settings=settings_pb2.GameSettings(game="games/chess")))


async def test_a_move_in_a_grid(house):
    table = await house.table("tic_tac_toe")
    players = await table.claim_all()
    legal = await players[0].legal()
    corner = next(action for action in legal.actions if list(action.targets) == ["board/8"])
    answer = await players[0].submit(corner.id, legal.sequence)
    marked = next(event for event in answer.events if event.key == "MARKED")
    assert (list(marked.touched), marked.level) == (["board/8"], event_pb2.Event.LEVEL_TURN)
    assert {event.level for event in answer.events if event.key in ("ASK", "BUSY", "CHOICE")} == {event_pb2.Event.LEVEL_BOOKKEEPING}
    board, = (await players[1].observe()).scene.zones
    assert (board.layout, board.columns, len(board.things)) == (scene_pb2.Zone.LAYOUT_GRID, 3, 9)
    assert same(board.things[8], "board/8", label="X", shape=scene_pb2.Thing.SHAPE_CELL, seat=0)
    assert not board.things[0].label and not board.things[0].HasField("seat")


async def test_names_of_seats_stay_open_in_templates():
    assert template("Seat 1 tells seat 0: your cards 1 and 2 are red.") == "{seat:1} tells {seat:0}: your cards 1 and 2 are red."
    assert template("You draw 2 cards; 10 seats") == "You draw 2 cards; 10 seats"


async def test_faces_are_those_of_the_settings(house):
    async def faces(**settings) -> pb.ListFacesResponse:
        answer: pb.ListFacesResponse = await house.client.catalog.ListFaces(pb.ListFacesRequest(
            settings=settings_pb2.GameSettings(**settings)))
        return answer

    for spec in list_games():
        found = await faces(game=f"games/{spec.id}")
        assert {face.key: Face(face.title, face.kind, tuple(face.text), face.colour, face.cost) for face in found.faces} \
            == new_game(spec.id).faces()
        assert dict(found.glossary) == new_game(spec.id).glossary()
        assert all(face.title for face in found.faces)
    made = kept_faces.cache_info().misses
    assert (await faces(game="games/mythos")).faces and kept_faces.cache_info().misses == made
    five = {face.key for face in (await faces(game="games/hanabi", mode="full", seat_count=2)).faces}
    assert "B5" in five and "B5" not in {face.key for face in (await faces(game="games/hanabi", seat_count=2)).faces}
    async with refused(StatusCode.NOT_FOUND, "UNKNOWN_GAME"):
        await faces(game="games/chess")
