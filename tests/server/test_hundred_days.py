"""Hundred Days over the wire: the typed observation says what the observer sees, and nothing else."""
from __future__ import annotations

import random
from collections import Counter

import pytest

from seatmate.engine.core.game import SPECTATORS
from seatmate.engine.core.registry import new_game
from seatmate.engine.hundred_days.game import HundredDaysGame
from seatmate.server.mappers.hundred_days import fill
from seatmate.v1 import hundred_days_observation_pb2 as pb
from seatmate.v1 import observation_pb2


@pytest.mark.parametrize("seats", [2, 4])
def test_the_typed_observation(seats: int) -> None:
    game = new_game("hundred_days", seats=seats)
    assert isinstance(game, HundredDaysGame)
    state, chooser, met = game.new_state(seats), random.Random(seats), Counter[str]()
    while not state.is_over:
        seat = chooser.choice(state.pending)
        state.apply_action(seat, chooser.choice(state.legal_actions(seat)))
        if chooser.random() > 0.2:
            continue
        for observer in (*range(seats), SPECTATORS):
            seen = state.observation(observer)
            message = observation_pb2.Observation()
            fill(game, seen, message)
            board = message.hundred_days
            assert pb.HundredDaysPhase.Name(board.phase) == f"HUNDRED_DAYS_PHASE_{seen['phase'].upper()}"
            assert (board.round, board.die, board.stack, board.deck_count) == tuple(
                seen[key] for key in ("round", "die", "stack", "deck_count"))
            assert [place.tile or None for place in board.places] == [
                None if tile is None else game.names.tiles[tile] for tile in seen["places"]]
            for row in board.seats:
                tokens = row.tokens
                assert [tokens.mega_seeds, tokens.schmeckles, tokens.time_crystals, tokens.dark_matter] == seen["tokens"][row.seat]
                assert row.hand_count == seen["hand_counts"][row.seat]
                hand = seen["hands"][row.seat]
                assert [card.card for card in row.hand] == (
                    hand if hand is not None else sorted(seen["open_cards"][row.seat] + seen["known"][row.seat]))
                assert row.seat == observer or (row.secret_rick, row.secret_morty, list(row.marked)) == (-1, -1, [])
                met.update(secret=row.secret_rick >= 0, known=len(row.hand) > 0 and row.seat != observer)
            assert [one.kind for one in board.running] == [frame["kind"] for frame in seen["frames"]]
            met.update(running=len(board.running), general=len(board.general), banished=len(board.banished))
    assert all(met[what] for what in ("secret", "known", "running", "general"))
