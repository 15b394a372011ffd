"""Monster Chase over the wire: the typed observation says what the observer sees, and nothing else."""
from __future__ import annotations

import random
from collections import Counter

import pytest

from seatmate.engine.core.game import SPECTATORS
from seatmate.engine.core.registry import new_game
from seatmate.engine.monster_chase.game import MonsterChaseGame
from seatmate.server.mappers.monster_chase import fill
from seatmate.v1 import observation_pb2


@pytest.mark.parametrize(("mode", "seats", "circuit"), [
    ("coop", 4, "jungle_loop"), ("race", 3, "ice_loop"), ("team", 3, "chase_loop")])
def test_the_typed_observation(mode: str, seats: int, circuit: str) -> None:
    game = new_game("monster_chase", mode=mode, seats=seats, options={"circuit": circuit})
    assert isinstance(game, MonsterChaseGame)
    state, chooser, met = game.new_state(seats), random.Random(seats), Counter[str]()
    while not state.is_over:
        seat = chooser.choice(state.pending)
        state.apply_action(seat, chooser.choice(state.legal_actions(seat)))
        if chooser.random() > 0.1:
            continue
        for observer in (*range(seats), SPECTATORS):
            seen = state.observation(observer)
            message = observation_pb2.Observation()
            fill(game, seen, message)
            table = message.monster_chase
            assert (table.round, table.phase, list(table.ranking)) == (
                seen["round"], seen["phase"], [one for one in seen["rank"] if one is not None])
            assert [square.object for square in table.squares] == seen["objects"][:len(game.track.squares)]
            assert all(square.ahead for square in table.squares if "void" not in square.signs)
            for row, car in zip(table.vehicles, seen["cars"], strict=True):
                assert (row.square, row.damage, row.stars) == (-1 if car["sq"] is None else car["sq"], car["damage"], car["star"])
                hand = seen["hands"][row.vehicle]
                assert row.hand_seen == (hand is not None) and list(row.hand) == (hand or [])
                met.update(hidden=hand is None, shown=bool(hand))
            assert table.HasField("boss") == (mode == "coop")
            met.update(running=len(table.running))
    assert met["shown"] and met["running"] and met["hidden"] == 0 if mode == "coop" else met["hidden"]
