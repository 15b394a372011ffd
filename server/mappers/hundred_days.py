"""Hundred Days."""
from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from seatmate.engine.core.game import Game
from seatmate.engine.hundred_days.game import HundredDaysGame
from seatmate.engine.hundred_days.secrets.fields import GONE
from seatmate.server.mappers import or_minus_one
from seatmate.v1 import hundred_days_observation_pb2 as pb
from seatmate.v1 import observation_pb2

_SAME = ("round", "die", "first", "current", "actions_left", "acted", "passes", "ending", "stack", "garage_supply",
         "deck_count", "taxes")
"""Values that the message calls as the observation does."""
_TYPES = ("mega_seeds", "schmeckles", "time_crystals", "dark_matter")


def fill(game: Game, seen: Mapping[str, Any], message: observation_pb2.Observation) -> None:
    """The table as HundredDaysGame.observation describes it, with the titles of the game's pack."""
    assert isinstance(game, HundredDaysGame)
    tiles, scores = game.names.tiles, game.scores(seen)
    message.hundred_days.CopyFrom(pb.HundredDaysObservation(
        **{name: seen[name] for name in _SAME},
        phase=pb.HundredDaysPhase.Value(f"HUNDRED_DAYS_PHASE_{seen['phase'].upper()}"),
        initiative_place=or_minus_one(seen["initiative_place"]), federation=_resources(seen["federation"]),
        places=[_place(game, place, tile) for place, tile in enumerate(seen["places"])],
        seats=[_seat(game, seen, seat, score) for seat, score in enumerate(scores)],
        general=_cards(game, seen, seen["general"]),
        banished=[tile for tile, owner in zip(tiles, seen["owners"], strict=True) if owner == GONE],
        running=[_running(game, seen, frame) for frame in seen["frames"]]))


def _resources(counts: Sequence[int]) -> pb.HundredDaysResources:
    return pb.HundredDaysResources(**dict(zip(_TYPES, counts, strict=True)))


def _bag(bag: Mapping[str, int]) -> pb.HundredDaysResources:
    return _resources([bag.get(type_, 0) for type_ in "MSTD"])


@functools.lru_cache(1024)
def _place(game: HundredDaysGame, place: int, number: int | None) -> pb.HundredDaysPlace:
    """Not to be changed: most places stay as they are."""
    if number is None:
        limits = game.pack.limits
        single, between = (limits.centre_single, limits.centre_between) if place == 0 else (0, 0)
        return pb.HundredDaysPlace(place=place, single=single, between=between)
    tile = game.pack.tile[number]
    return pb.HundredDaysPlace(place=place, tile=tile.id, title=tile.title, cost=_bag(tile.cost), points=tile.points,
                               harvest=_bag(tile.harvest), single=tile.single, between=tile.between)


def _card(game: HundredDaysGame, seen: Mapping[str, Any], card: str) -> pb.HundredDaysCard:
    row = game.pack.card[game.names.card_number[card]]
    return pb.HundredDaysCard(card=card, title=row.title, kind=row.kind, places=row.places, points=row.points,
                              guarded=card in seen["guarded"], seen_by=seen["seen_by"].get(card, ()))


def _cards(game: HundredDaysGame, seen: Mapping[str, Any], cards: Sequence[str]) -> list[pb.HundredDaysCard]:
    return [_card(game, seen, card) for card in cards]


def _seat(game: HundredDaysGame, seen: Mapping[str, Any], seat: int, points: int) -> pb.HundredDaysSeat:
    hand = seen["hands"][seat]
    return pb.HundredDaysSeat(
        seat=seat, rick=or_minus_one(seen["ricks"][seat]), morty=or_minus_one(seen["morties"][seat]),
        tokens=_resources(seen["tokens"][seat]), garage=seen["garage"][seat], points=points,
        hand_count=seen["hand_counts"][seat],
        hand=_cards(game, seen, sorted({*seen["open_cards"][seat], *seen["known"][seat]}) if hand is None else hand),
        play=_cards(game, seen, seen["play"][seat]), pile=_cards(game, seen, seen["pile"][seat]),
        closed=[tile for tile, owner in zip(game.names.tiles, seen["owners"], strict=True) if owner == seat],
        discount=seen["discounts"][seat], barred=seen["barred"][seat] or 0, held=seen["held"][seat],
        secret_rick=or_minus_one(seen["secret_ricks"][seat]), secret_morty=or_minus_one(seen["secret_morties"][seat]),
        marked=(seen["marked"] or ()) if hand is not None else ())


def _running(game: HundredDaysGame, seen: Mapping[str, Any], frame: Mapping[str, Any]) -> pb.HundredDaysRunning:
    cards = game.names.cards
    return pb.HundredDaysRunning(
        kind=frame["kind"], seat=or_minus_one(frame["seat"]),
        card=None if frame["card"] is None else _card(game, seen, cards[frame["card"]]), target_seat=or_minus_one(frame["X"]),
        target_card="" if frame["C"] is None else cards[frame["C"]], target_place=or_minus_one(frame["P"]),
        victims=frame["victims"])
