"""From a game's observation (plain values) to its typed message. One module per game, named after the game's id.

A mapper module has `fill(game, seen, message)`: it writes the game's part of `State.observation` into the Observation. A game
without a module of its own is sent as a google.protobuf.Struct.
"""
from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Callable, Mapping
from typing import Any

from seatmate.engine.core.game import Game
from seatmate.engine.core.view import without_question
from seatmate.v1 import observation_pb2

Mapper = Callable[[Game, Mapping[str, Any], observation_pb2.Observation], None]


@functools.cache
def mapper(game_id: str) -> Mapper:
    """The mapper of a game."""
    name = f"{__name__}.{game_id}"
    if importlib.util.find_spec(name) is None:
        return fill_struct
    found: Mapper = importlib.import_module(name).fill
    return found


def fill(game: Game, seen: Mapping[str, Any], message: observation_pb2.Observation) -> None:
    """Write the game's part of an observation into the message."""
    mapper(game.spec.id)(game, without_question(seen), message)


def fill_struct(game: Game, seen: Mapping[str, Any], message: observation_pb2.Observation) -> None:
    """Any game: as a Struct."""
    message.other.update(_plain(seen))


def or_minus_one(number: int | None) -> int:
    """A number of a message in which -1 stands for none."""
    return -1 if number is None else number


def _plain(value: Any) -> Any:
    """Only what a Struct can hold."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in (sorted(value) if isinstance(value, set | frozenset) else value)]
    return value
