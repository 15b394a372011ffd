"""Typed observations say what the engine's observations say."""
from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict

from seatmate.engine.core.game import SPECTATORS
from seatmate.engine.core.registry import list_games, new_game
from seatmate.server import mappers
from seatmate.v1 import observation_pb2


def positions(game: str, seats: int, seed: int):
    """Positions of a random game."""
    state = new_game(game, seats=seats).new_state(seed)
    choice = random.Random(seed)
    while True:
        yield state
        if state.is_over:
            return
        seat = choice.choice(state.pending)
        state.apply_action(seat, choice.choice(state.legal_actions(seat)))


@pytest.mark.parametrize("game", [spec.id for spec in list_games()])
def test_every_position_of_every_game_can_be_sent(game):
    for state in positions(game, new_game(game).seats, seed=1):
        for observer in (*range(state.game.seats), SPECTATORS):
            message = observation_pb2.Observation()
            mappers.fill(state.game, state.observation(observer), message)
            assert message.WhichOneof("view") in (game, "other")


def test_hyde_loses_nothing_on_the_way():
    hidden = known = tracked = unfinished = 0
    for seed in range(6):
        for state in positions("hyde", 3, seed):
            for observer in (0, SPECTATORS):
                seen = state.observation(observer)
                message = observation_pb2.Observation()
                mappers.fill(state.game, seen, message)
                hyde = message.hyde
                ring = sorted(hyde.places[1:], key=lambda place: place.ring_position)
                assert [place.key for place in ring] == seen["ring"]
                assert {place.key: place.target for place in hyde.places[1:]} == seen["targets"]
                assert [hyde.places[seat.pawn].key for seat in hyde.seats] == seen["pawns"]
                assert [place.key for place in hyde.places if place.token_in_bag] == seen["bag"]
                assert [seat.hand_count for seat in hyde.seats] == seen["hand_counts"]
                assert [text(card) for card in hyde.unplaced] == seen["unplaced"]
                assert [text(card) for card in hyde.discard] == seen["discard"]
                if observer == 0 and seen["hands"][0] is not None:
                    assert [text(card) for card in hyde.hand] == seen["hands"][0]
                else:
                    assert not hyde.hand
                for place in hyde.places[1:]:
                    for slot, pile in zip(place.cards, seen["piles"][place.key], strict=True):
                        assert (text(slot.card) if slot.HasField("card") else None) == pile["card"]
                        assert list(slot.known_by) == pile["known_by"]
                        hidden += pile["card"] is None
                        known += pile["card"] is not None
                tracked += len(hyde.tracked)
                unfinished += hyde.HasField("unfinished")
                assert hyde.HasField("thing") == (seen["thing"] is not None)
    assert min(hidden, known, tracked, unfinished) > 0     # the cases above have really been seen


def text(card: Any) -> str:
    """A card as the engine writes it."""
    name = f"{card.symbol}-{card.number}" if card.symbol else "SIX"
    return name + (f"@{card.shuffle}" if card.shuffle else "")


def test_a_game_without_a_mapper_is_sent_as_a_struct():
    message = observation_pb2.Observation()
    game: Any = SimpleNamespace(spec=SimpleNamespace(id="nogame"))
    mappers.fill(game, {"asked": [0], "prompt": None, "question": None, "cards": ["J", None], "pot": 3,
                        "nested": {"a": (1, 2)}, "set": {2, 1}}, message)
    assert MessageToDict(message.other) == {"cards": ["J", None], "pot": 3, "nested": {"a": [1, 2]}, "set": [1, 2]}
