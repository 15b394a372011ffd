"""Monster Chase."""
from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from seatmate.engine.core.game import Game
from seatmate.engine.monster_chase.content import vocabulary as v
from seatmate.engine.monster_chase.content.track import FLAGS
from seatmate.engine.monster_chase.game import MonsterChaseGame
from seatmate.server.mappers import or_minus_one
from seatmate.v1 import monster_chase_observation_pb2 as pb
from seatmate.v1 import observation_pb2


def fill(game: Game, seen: Mapping[str, Any], message: observation_pb2.Observation) -> None:
    """The table as MonsterChaseGame.observation describes it, with the track of the game."""
    assert isinstance(game, MonsterChaseGame)
    message.monster_chase.CopyFrom(pb.MonsterChaseObservation(
        round=seen["round"], phase=seen["phase"], current=or_minus_one(seen["current"]),
        ranking=[one for one in seen["rank"] if one is not None], green=game.names.green,
        tiles=[_tile(game, seen, slot) for slot in range(len(game.track.tiles))],
        vehicles=[_vehicle(game, seen, number) for number in range(len(seen["cars"]))],
        boss=_boss(game, seen) if game.boss is not None else None,
        running=[pb.MonsterChaseRunning(kind=frame["kind"], vehicle=or_minus_one(frame["v"]), left=frame["left"])
                 for frame in seen["frames"]],
        sprint_deck=seen["deck_sprint"], rush_deck=seen["deck_rush"]))
    message.monster_chase.MergeFromString(b"".join(
        _square(game, number, kind, seen["snout"] == number)
        for number, kind in enumerate(seen["objects"][:len(game.track.squares)])))


def _tile(game: MonsterChaseGame, seen: Mapping[str, Any], slot: int) -> pb.MonsterChaseTile:
    tile = game.track.tiles[slot]
    return pb.MonsterChaseTile(side=tile.id, turn=game.track.entries[slot][1], name=tile.name, special=tile.special,
                               reserve=bool(seen["reserves"] >> slot & 1), entered=slot == 0 or bool(seen["rolled"] >> slot & 1))


@functools.lru_cache(32_768)
def _square(game: MonsterChaseGame, number: int, kind: int, snout: bool) -> bytes:
    """An observation with nothing but this square, serialized: hardly any is another one after a step."""
    square = game.track.squares[number]
    signs = [name for name, flag in FLAGS.items() if square.flags & flag]
    signs += ["boost"] * square.boost + ["snout"] * snout
    return pb.MonsterChaseObservation(squares=[pb.MonsterChaseSquare(
        square=number, tile=square.slot, lane=pb.MonsterChaseLane.ValueType(square.lane + 1), index=square.idx, rear=square.a,
        front=square.b, ahead=square.ahead, beside=square.side, object=pb.MonsterChaseObject.ValueType(kind),
        signs=signs, past_line=bool(square.flags & v.SQ_PAST))]).SerializeToString()


def _vehicle(game: MonsterChaseGame, seen: Mapping[str, Any], number: int) -> pb.MonsterChaseVehicle:
    car, hand, pack = seen["cars"][number], seen["hands"][number], game.pack
    stable = game.plan.vehicles[number][2]
    return pb.MonsterChaseVehicle(
        vehicle=number, kind=pb.MonsterChaseKind.ValueType(game.kinds[number] + 1),
        stable=stable if game.plan.mode == v.MODE_TEAM else -1, pilot="" if car["board"] is None else pack.pilot[car["board"]].id,
        square=or_minus_one(car["sq"]), lap_slot=car["lap"], damage=car["damage"], stars=car["star"], shields=car["shields"],
        spun=car["spun"] > 0, sprint=car["sprint"], rush=car["rush"], hand=hand or [], hand_seen=hand is not None,
        spirit="" if car["spirit"] is None else game.names.types[car["spirit"]],
        nitro="" if car["nitro"] is None else pack.nitro[car["nitro"]].id)


def _boss(game: MonsterChaseGame, seen: Mapping[str, Any]) -> pb.MonsterChaseBoss:
    pack, names = game.pack, game.names

    def tokens(counts: list[int]) -> list[str]:
        return [pack.prey[kind].kind for kind, n in enumerate(counts) for _token in range(n)]

    return pb.MonsterChaseBoss(
        boss=names.boss.id, hearts=seen["hp"], most_hearts=game.max_hp, furious=seen["furious"], prey_tile=seen["prey_slot"],
        open=tokens(seen["open"]), hidden=tokens(seen["sheltered"]),
        negative_aura="" if seen["negative"] is None else names.ids[seen["negative"]], positive_auras=seen["positive"],
        assault="" if seen["assault"] is None else names.ids[v.CARDS + seen["assault"]])
