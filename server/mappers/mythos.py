"""Mythos."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seatmate.engine.core.game import Game
from seatmate.engine.mythos.content import vocabulary as v
from seatmate.engine.mythos.game import MythosGame
from seatmate.engine.mythos.words.names import RANKS, Names
from seatmate.server.mappers import or_minus_one
from seatmate.v1 import mythos_observation_pb2 as pb
from seatmate.v1 import observation_pb2

_PHASES = {"mulligan": pb.MYTHOS_PHASE_MULLIGAN, "action": pb.MYTHOS_PHASE_ACTION, "mission": pb.MYTHOS_PHASE_MISSION,
           "end": pb.MYTHOS_PHASE_END, "over": pb.MYTHOS_PHASE_OVER}
_MULLIGAN = {None: "", 0: "none", 1: "keep", 2: "redraw"}


def fill(game: Game, seen: Mapping[str, Any], message: observation_pb2.Observation) -> None:
    """The table as MythosGame.observation describes it, with the titles of the game's pack."""
    assert isinstance(game, MythosGame)
    names = game.names
    progress = seen["progress"]
    hand = next((cards for cards in seen["hands"] if cards is not None), ())
    message.mythos.CopyFrom(pb.MythosObservation(
        round=seen["round"], phase=_PHASES[seen["phase"]], turn=seen["turn"], round_turn=seen["round_turn"],
        active_seat=seen["active"], first_seat=seen["starter"],
        missions=[_mission(names, index, row) for index, row in enumerate(seen["missions"])],
        units=[_unit(names, unit) for unit in seen["units"]], seats=[_seat(seen, seat) for seat in range(2)],
        hand=[_hand_card(names, card) for card in hand],
        looked_at=[pb.MythosLookedAt(seat=entry["seat"], count=frame["looked"], cards=entry["cards"] or ())
                   for entry, frame in zip(seen["looked"], (f for f in progress["frames"] if f["looked"]), strict=True)],
        tracked=[_tracked(track) for track in seen["tracked"]], shown=[_tracked(track) for track in seen["shown"]],
        unfinished=_unfinished(seen["chain"]),
        running=[_running(names, frame) for frame in progress["frames"] if frame["type"] in (v.LINE_FRAME, v.PLAY_FRAME)],
        waiting=[_waiting(names, row) for row in (*progress["reactions"], *progress["waiting"])]))


def _tracked(track: Mapping[str, Any]) -> pb.MythosTrackedCard:
    return pb.MythosTrackedCard(card=track["card"], hand=track["hand"], top=track["top"], slots=track["slots"])


def _reference(value: Mapping[str, Any] | None) -> pb.MythosReference | None:
    return None if value is None else pb.MythosReference(slot=value["slot"], serial=value["serial"])


def _unit(names: Names, unit: Mapping[str, Any]) -> pb.MythosUnit:
    card = unit["card"]
    return pb.MythosUnit(
        slot=unit["slot"], mission=unit["mission"], seat=unit["seat"], owner=unit["owner"], face_up=unit["up"],
        card=card or "", title=names.title(card) if card is not None else "",
        below=[pb.MythosCardBelow(card=below["card"], owner=below["owner"]) for below in unit["below"]],
        tokens=unit["tokens"], power=unit["power"], known_by=unit["known_by"], is_open=unit["open"], turn=unit["turn"],
        serial=unit["serial"], arrival=unit["arrival"], controlled_by=_reference(unit["link"]),
        holds=_reference(unit["lock"]))


def _mission(names: Names, index: int, row: Mapping[str, Any]) -> pb.MythosMission:
    return pb.MythosMission(mission=index, rank=RANKS[index], card=row["id"],
                            title=names.mission_titles[names.mission_number[row["id"]]], points=row["points"],
                            bonus=row["bonus"], power=row["power"])


def _seat(seen: Mapping[str, Any], seat: int) -> pb.MythosSeat:
    top, unseen, brought = seen["tops"][seat], seen["unseen"][seat], seen["triples"][seat]
    return pb.MythosSeat(
        seat=seat, chakra=seen["chakra"][seat], points=seen["points"][seat], has_edge=seen["edge"] == seat,
        has_passed=seat in seen["passed"], hand_count=seen["hand_counts"][seat], deck_count=seen["deck"][seat] + len(top),
        top=[pb.MythosTopCard(known_by=card["known_by"], card=card["card"] or "", no_match=card["not"]) for card in top],
        discard=seen["discards"][seat], unseen=unseen or (), list_known=unseen is not None, brought=brought or (),
        mulligan=_MULLIGAN[seen["mulligan"][seat]], last_turn=seen["last_turn"][seat])


def _hand_card(names: Names, card: str) -> pb.MythosHandCard:
    kind = names.card_number[card]
    return pb.MythosHandCard(card=card, title=names.titles[kind], cost=names.costs[kind], power=names.powers[kind])


def _unfinished(chain: Mapping[str, Any] | None) -> pb.MythosUnfinished | None:
    if chain is None:
        return None
    return pb.MythosUnfinished(play=chain["play"], mission=or_minus_one(chain["mission"]))


def _running(names: Names, frame: Mapping[str, Any]) -> pb.MythosEffect:
    title = names.titles[frame["verb"]] if frame["type"] == v.PLAY_FRAME else names.lines[frame["line"]]
    return pb.MythosEffect(title=title, slot=or_minus_one(frame["unit"]), mission=frame["here"],
                           seat=frame["you"])


def _waiting(names: Names, row: Mapping[str, Any]) -> pb.MythosEffect:
    return pb.MythosEffect(title=names.lines[row["line"]], slot=or_minus_one(row["unit"]),
                           mission=row["mission"] if row["unit"] is None else -1, seat=-1)
