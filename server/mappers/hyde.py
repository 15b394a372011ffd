"""Hyde."""
from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from seatmate.engine.core.game import Game
from seatmate.engine.hyde.content.pack import NUMBERS, SIX, SYMBOLS
from seatmate.engine.hyde.words.words import SIGNALS, card_number, kind_text
from seatmate.v1 import hyde_observation_pb2 as pb
from seatmate.v1 import observation_pb2

ACADEMY = "academy"

_SOURCES = {"hand": pb.HYDE_CARD_SOURCE_HAND, "thing": pb.HYDE_CARD_SOURCE_THING,
            "reserve": pb.HYDE_CARD_SOURCE_RESERVE}


def fill(game: Game, seen: Mapping[str, Any], message: observation_pb2.Observation) -> None:
    """The table as HydeGame.observation describes it."""
    places = [ACADEMY, *seen["piles"]]
    message.hyde.CopyFrom(pb.HydeObservation(
        level=seen["level"], attack=seen["attack"], needs=seen["needs"], last_score=seen["last_score"],
        saved=len(seen["saved"]), lost=seen["lost"],
        places=[_place(seen, number, key) for number, key in enumerate(places)],
        seats=[_seat(seen, seat, places) for seat in range(len(seen["pawns"]))],
        start_seat=seen["start_seat"], cycles=seen["cycles"], turn_index=seen["turn_index"],
        hand=_cards(next((hand for hand in seen["hands"] if hand is not None), ())),
        thing=_thing(seen["thing"]), deck_count=seen["deck"], discard=_cards(seen["discard"]),
        shuffles=seen["shuffles"], sixes_left=seen["sixes_left"], sixes_removed=seen["sixes_removed"],
        unplaced=_cards(seen["unplaced"]),
        tracked=[pb.HydeTrackedCard(card=_card(track["card"]), hands=track["hands"], thing=track["thing"],
                                    slots=track["slots"]) for track in seen["tracked"]],
        unfinished=_unfinished(seen["chain"])))


@functools.lru_cache(1024)
def _card(text: str | None) -> pb.HydeCard | None:
    """A card by its text, BAT-3 or BAT-3@1; None where the face is hidden. Not to be changed."""
    if text is None:
        return None
    card = card_number(text)
    kind, shuffle = card & 31, card >> 5
    if kind == SIX:
        return pb.HydeCard(number=6, shuffle=shuffle, kind=kind, card=kind_text(kind))
    return pb.HydeCard(symbol=SYMBOLS[kind // NUMBERS], number=kind % NUMBERS + 1, shuffle=shuffle, kind=kind,
                       card=kind_text(kind))


def _cards(texts: Any) -> list[pb.HydeCard]:
    return [card for text in texts if (card := _card(text)) is not None]


def _place(seen: Mapping[str, Any], number: int, key: str) -> pb.HydePlace:
    if key == ACADEMY:
        return pb.HydePlace(place=number, key=key, ring_position=-1, state=pb.HYDE_PLACE_STATE_CENTRE)
    if key == seen["under_attack"]:
        state = pb.HYDE_PLACE_STATE_UNDER_ATTACK
    elif key not in seen["attacked"]:
        state = pb.HYDE_PLACE_STATE_OPEN
    elif key in seen["saved"]:
        state = pb.HYDE_PLACE_STATE_SAVED
    else:
        state = pb.HYDE_PLACE_STATE_LOST
    return pb.HydePlace(
        place=number, key=key, ring_position=seen["ring"].index(key), target=seen["targets"].get(key, ""), state=state,
        token_in_bag=key in seen["bag"], token_shown=key in seen["shown"],
        cards=[pb.HydeSlot(slot=slot["slot"], seat=slot["by"], source=_SOURCES[slot["source"]], turn=slot["turn"],
                           shuffle=slot["shuffle"], is_one=slot["one"], known_by=slot["known_by"],
                           card=_card(slot["card"]), is_open=slot["open"]) for slot in seen["piles"][key]])


def _seat(seen: Mapping[str, Any], seat: int, places: list[str]) -> pb.HydeSeat:
    said = seen["signals"][seat]
    return pb.HydeSeat(seat=seat, outcast=seen["outcasts"][seat], pawn=places.index(seen["pawns"][seat]),
                       hand_count=seen["hand_counts"][seat], signal=SIGNALS[(said + 4) // 5],
                       signal_place=places[(said - 1) % 5 + 1] if said else "")


def _thing(thing: Mapping[str, Any] | None) -> pb.HydeThing | None:
    if thing is None:
        return None
    return pb.HydeThing(seat=thing["seat"], filled=thing["filled"], shuffle=thing["shuffle"],
                        known_by=thing["known_by"], card=_card(thing["card"]), swapped=thing["swapped"])


def _unfinished(chain: Mapping[str, Any] | None) -> pb.HydeUnfinished | None:
    if chain is None:
        return None
    if "take" in chain:
        return pb.HydeUnfinished(take=_card(chain["take"]))
    return pb.HydeUnfinished(place=chain["place"], cards=_cards(chain["cards"]), six=chain["six"])
