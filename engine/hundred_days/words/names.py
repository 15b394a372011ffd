"""Ids and titles of a pack, and the questions."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from seatmate.engine.core.spec import Prompt
from seatmate.engine.hundred_days.content.pack import TYPES, HundredPack, covered, numbers

RESOURCES = ("mega seed", "schmeckle", "time crystal", "dark matter")


class Question(NamedTuple):
    """A prompt: its text, what an answer is (a name of `action_args`), and how that reads: {} is its name, {all} a plural."""

    text: str
    answer: str = "card"
    label: str = "{}"


QUESTIONS = {
    "PLACE_RICK": Question("Where does your Rick go?", "space", "Rick {}"),
    "PLACE_MORTY": Question("Where does your Morty go?", "place", "Morty on {}"),
    "REACT": Question("Do you react?", "card", "React with {}"),
    "TURN": Question("What do you do?"),
    "AFTER": Question("Do you do anything else?"),
    "SEAT": Question("Which seat?", "seat", "Seat {}"),
    "CARD": Question("Which card?"),
    "PLACE": Question("Which place?", "place", "Place {}"),
    "PLACE2": Question("Which other place?", "place", "Place {}"),
    "SPACE": Question("Where does Rick go?", "space", "Rick {}"),
    "MPLACE": Question("Where does Morty go?", "place", "Morty on {}"),
    "PAY": Question("What do you pay with?", "resource", "Pay with {all}"),
    "TYPE_GAIN": Question("Which resource do you take?", "resource", "Take {}"),
    "TYPE_TAKE": Question("Which resource do you take?", "resource", "Take {}"),
    "TYPE_LEAVE": Question("Which resource do you leave?", "resource", "Leave {}"),
    "TYPE_STEAL": Question("Which resource do you steal?", "resource", "Steal {}"),
    "TYPE_GIVE": Question("Which resource do you give away?", "resource", "Give away {}"),
    "TYPE_HALVE": Question("Which resource is halved?", "resource", "Halve the {all}"),
    "TRADE_OUT": Question("Which resource do you give for another one?", "resource", "Give back {}"),
    "TRADE_IN": Question("Which resource do you take instead?", "resource", "Take {}"),
    "WAIVE": Question("Which resource do you not have to pay?", "resource", "Don't pay {}"),
    "HAND_DROP": Question("Which card do you give up?", "card", "Give up {}"),
    "HAND_TAKE": Question("Which card do you take?", "card", "Take {}"),
    "OVERFLOW": Question("Which card do you give up?", "card", "Give up {}"),
}
PROMPTS = tuple(Prompt(key, QUESTIONS[key].text, public="PLACE_RICK" if key == "PLACE_MORTY" else "", opens=key == "TURN",
                       again=key == "OVERFLOW", passing=0 if key == "REACT" else None)
                for key in numbers("Q_") if key != "NOTHING")
PROMPT_NUMBER = {prompt.key: number for number, prompt in enumerate(PROMPTS)}


class Names:
    """What the numbers of a pack are called."""

    def __init__(self, pack: HundredPack) -> None:
        self.pack = pack
        self.cards = tuple(card.id for card in pack.card)
        self.card_number = {card: number for number, card in enumerate(self.cards)}
        self.titles = tuple(card.title for card in pack.card)
        self.tiles = tuple(tile.id for tile in pack.tile)
        self.tile_titles = tuple(tile.title for tile in pack.tile)

    def place(self, place: int, tile: int | None = None) -> str:
        """`3 (Minting Moon)`, the Smith house, or the number alone."""
        if place == 0:
            return "the Smith house"
        return f"{place} ({self.tile_titles[tile]})" if tile is not None and tile < len(self.tiles) else f"place {place}"

    def space(self, space: int) -> str:
        """A space of Rick: a place, or between two."""
        places = covered(space)
        if len(places) == 1:
            return self.place(space)
        return f"between {places[0] or 'the Smith house'} and {places[1]}"

    def at(self, space: int) -> str:
        """`on place 3`, `between 3 and 4`."""
        return self.space(space) if space > 6 else f"on {self.space(space)}"


def resources(counts: Mapping[str, int] | Sequence[int]) -> str:
    """`2M 1S`: so many of each type, in the order of the types."""
    found = [counts.get(type_, 0) for type_ in TYPES] if isinstance(counts, Mapping) else counts
    return " ".join(f"{n}{type_}" for type_, n in zip(TYPES, found, strict=True) if n) or "nothing"


def one(type_: int) -> str:
    """A resource with its article."""
    return f"{'' if type_ == 3 else 'a '}{RESOURCES[type_]}"


def several(type_: int) -> str:
    """A resource in the plural."""
    return RESOURCES[type_] + ("" if type_ == 3 else "s")
