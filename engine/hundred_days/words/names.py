"""Ids and titles of a pack, and the questions."""
from __future__ import annotations

from seatmate.engine.core.spec import Prompt
from seatmate.engine.hundred_days.content.pack import TYPES, HundredPack, covered, numbers

RESOURCES = ("mega seed", "schmeckle", "time crystal", "dark matter")
_QUESTIONS = {
    "PLACE_RICK": "Where does your Rick go?", "PLACE_MORTY": "Where does your Morty go?", "REACT": "Do you react?",
    "TURN": "What do you do?", "AFTER": "Do you do anything else?", "SEAT": "Which seat?", "CARD": "Which card?",
    "PLACE": "Which place?", "PLACE2": "Which other place?", "SPACE": "Where does Rick go?",
    "MPLACE": "Where does Morty go?", "PAY": "What do you pay with?", "TYPE_GAIN": "Which resource do you take?",
    "TYPE_TAKE": "Which resource do you take?", "TYPE_LEAVE": "Which resource do you leave?",
    "TYPE_STEAL": "Which resource do you steal?", "TYPE_GIVE": "Which resource do you give away?",
    "TYPE_HALVE": "Which resource is halved?", "TRADE_OUT": "Which resource do you give for another one?",
    "TRADE_IN": "Which resource do you take instead?", "WAIVE": "Which resource do you not have to pay?",
    "HAND_DROP": "Which card do you give up?", "HAND_TAKE": "Which card do you take?",
    "OVERFLOW": "Which card do you give up?"}
PROMPTS = tuple(Prompt(key, _QUESTIONS[key], public="PLACE_RICK" if key == "PLACE_MORTY" else "", opens=key == "TURN",
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


def resources(counts: dict[int, int] | list[int] | tuple[int, ...]) -> str:
    """`2M 1S`: so many of each type."""
    pairs = counts.items() if isinstance(counts, dict) else enumerate(counts)
    return " ".join(f"{n}{TYPES[type_]}" for type_, n in pairs if n) or "nothing"


def one(type_: int) -> str:
    """A resource with its article."""
    return f"{'' if type_ == 3 else 'a '}{RESOURCES[type_]}"


def several(type_: int) -> str:
    """A resource in the plural."""
    return RESOURCES[type_] + ("" if type_ == 3 else "s")
