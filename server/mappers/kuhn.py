"""Kuhn poker."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seatmate.engine.core.game import Game
from seatmate.v1 import kuhn_observation_pb2 as pb
from seatmate.v1 import observation_pb2

_CARDS = {None: pb.KUHN_CARD_UNSPECIFIED, "J": pb.KUHN_CARD_JACK, "Q": pb.KUHN_CARD_QUEEN, "K": pb.KUHN_CARD_KING}
_MOVES = {"pass": pb.KUHN_MOVE_PASS, "bet": pb.KUHN_MOVE_BET}


def fill(game: Game, seen: Mapping[str, Any], message: observation_pb2.Observation) -> None:
    """Both cards as far as the observer sees them, and the moves."""
    message.kuhn.cards.extend(_CARDS[card] for card in seen["cards"])
    message.kuhn.card_ids.extend(card or "" for card in seen["cards"])
    message.kuhn.moves.extend(_MOVES[move] for move in seen["moves"])
