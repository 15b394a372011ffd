"""The content pack of Hundred Days: its schema and its words in the effect notation."""
from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from seatmate.engine.core.effects_vocabulary import Param, Register, Signature, Trigger, Vocabulary
from seatmate.engine.core.effects_vocabulary import numbers as core_numbers
from seatmate.engine.core.effects_vocabulary import small as core_small
from seatmate.engine.core.packs import Component, Effect, LoadedPack, PackProblem, PackSchema, linker, load_pack
from seatmate.engine.hundred_days.content import vocabulary as v

TILES, CARDS, PLACES = v.TILES, v.CARDS, v.PLACES - 1
TYPES = ("M", "S", "T", "D")
KINDS = ("action", "place", "reaction", "item", "character")
"""In the order of CardKind."""


numbers = partial(core_numbers, v)
small = partial(core_small, v)
VERBS, ABILITIES = numbers("V_"), numbers("A_")
STEP_WORDS, FRAME_WORDS = tuple(small("S_")), tuple(small("C_"))
"""The steps of a round, and what can be carried out, by their numbers."""
_ABILITY_CODE = 64
"""Abilities are numbered from here on among the verbs of the notation."""

_N = Param.number("n", low=1, high=9)
_CARD = Param.register("card")
_PLACE = Param.register("place")
_TYPES = Param.word_set("types", "resource")
_STOLEN = (Param.word("who", "party"), _N, Param.word("by", "chooser"))

# Parameters, meaning, and what bots think one is worth, in points.
_VERBS: dict[str, tuple[tuple[Param, ...], str, float]] = {
    "GAIN": ((_N, Param.word("how", "manner")), "take so many resources from the Federation", 0.75),
    "STEAL": (_STOLEN, "take up to so many resources from a seat", 0.9),
    "HALVE": ((Param.word("who", "party"),), "the seat returns half of one of its types, rounded up", 1.2),
    "TRADE": ((_N,), "up to so many times: return a resource and take one of another type", 0.3),
    "DRAW": ((_N,), "draw so many cards", 0.5),
    "DROP": ((Param.word("who", "party"), _N), "each of these seats gives up so many cards of its hand", 0.6),
    "TAKE": ((Param.word("who", "party"),), "look at the seat's hand and take a card, which all see", 1.2),
    "FETCH": ((_CARD,), "take the card from the general pile into your hand", 1.5),
    "DESTROY": ((_CARD,), "destroy the card; an opponent's guarded one goes to the owner's personal pile", 1.5),
    "BANK": ((_CARD,), "the card goes to its owner's personal pile", 0.4),
    "GRAB": ((_CARD,), "the card comes into your play area", 2.0),
    "GUARD": ((_CARD,), "put a garage token from the supply on the card", 1.0),
    "GARAGE": ((_N,), "take so many garage tokens", 0.5),
    "MOVER": ((Param.word("who", "party"),), "move that seat's Rick to any space", 0.4),
    "MOVEM": ((), "move your Morty to any place", 0.3),
    "SWAPR": ((Param.word("who", "party"),), "your Rick and the seat's Rick change spaces", 0.4),
    "SWAPT": ((), "the tiles of the two chosen places change places", 0.3),
    "BANISH": ((_PLACE,), "the tile leaves the game and is replaced", 0.2),
    "HARVEST": ((_PLACE, _N), "take so many of the tile's resources", 0.75),
    "CLOSE": ((_PLACE, _N), "close the place with so many additional waivers", 2.0),
    "DISC": ((_N,), "your next closing in this round has so many additional waivers", 0.8),
    "EXTRA": ((_N,), "so many more actions in your turn", 0.9),
    "COPY": ((_CARD,), "do what the card does", 1.5),
    "CANCEL": ((), "the event that is answered has no effect", 1.0),
    "MIRROR": ((), "the event has no effect; you do the same to its seat", 2.0),
}
_ABILITIES: dict[str, tuple[tuple[Param, ...], str]] = {
    "WAIVE": ((_N,), "each of your closings costs so many resources less"),
    "CLOSE_DRAW": ((_N,), "draw so many cards after each of your closings"),
    "TOLL": ((_N,), "an opponent who closes gives you so many resources"),
    "BAR": ((), "opponents cannot close the chosen place"),
    "SAFE_TOKENS": ((), "opponents' cards cannot touch your resources"),
    "SAFE_CARDS": ((), "opponents cannot choose your cards in play"),
    "MOVE_ONE": ((), "moving your Rick costs one resource of any type"),
    "UNCONTESTED": ((_N,), "your harvest is not reduced by up to so many other colours"),
    "HARVEST_PLUS": ((_TYPES,), "one more resource of these types after a harvest"),
    "GARAGE_PLUS": ((), "one more resource in the garage phase with a pawn on the Smith house"),
    "DRAW_PLUS": ((_N,), "draw so many more cards in each round"),
    "HAND_LIMIT": ((_N,), "your hand limit is so much higher"),
    "TAX_DOWN": ((), "you pay taxes rounded down"),
    "WIN_TIES": ((), "you win ties for the initiative"),
}
WORTH = {VERBS[name]: worth for name, (_, _, worth) in _VERBS.items()}
_SELECTORS = {
    "opp": "another seat", "opps": "every other seat", "src": "the seat whose event is answered",
    "green": "items and characters", "item": "items", "character": "characters", "action": "blue actions",
    "tile": "a ring place with a tile", "closable": "a place you could close now with so many additional waivers"}
_FILTERS = {
    "tok": "that has resources which can be touched", "hand": "with cards in hand", "near": "with a pawn on a place of yours",
    "opp": "in an opponent's play area", "own": "in your play area", "general": "in the general pile",
    "free": "without a garage token", "copy": "whose effect can be carried out now", "mine": "with a pawn of yours",
    "banishable": "as long as tiles are left"}

VOCABULARY = Vocabulary(
    game="hundred_days",
    triggers={
        "do": Trigger(v.H_DO, doc="blue card: as it is played"),
        "round": Trigger(v.H_ROUND, doc="blue place: until the round ends"),
        "react": Trigger(v.H_REACT, events="event", doc="reaction: the event it can answer"),
        "use": Trigger(v.H_USE, doc="item: as it is used up"), "enter": Trigger(v.H_ENTER, doc="character: as it is played"),
        "passive": Trigger(v.H_PASSIVE, doc="character: as long as it is in play")},
    verbs={**{name: Signature(VERBS[name], params, doc) for name, (params, doc, _) in _VERBS.items()},
           **{name: Signature(_ABILITY_CODE + ABILITIES[name], params, doc) for name, (params, doc) in _ABILITIES.items()},
           "PAY": Signature(2 * _ABILITY_CODE, (Param.number("n", low=1, high=5), Param.word("type", "cost", "any")),
                            doc="the cost: resources of one type")},
    bases={name: Signature(number, (Param.number("n", low=0, high=9),) if name == "closable" else (), doc=_SELECTORS[name])
           for name, number in small("B_").items()},
    atoms={name: Signature(number, doc=_FILTERS[name]) for name, number in small("F_").items()},
    registers={name: Register(number, doc=doc) for (name, number), doc in zip(
        numbers("G_").items(), ("the chosen seat", "the chosen card", "the chosen place", "the second place"), strict=True)},
    words={
        "party": {"me": v.P_ME, "X": v.P_X, "opps": v.P_OPPS, "src": v.P_SRC}, "chooser": {"me": v.BY_ME, "owner": v.BY_OWNER},
        "manner": small("M_"), "resource": numbers("R_"),
        "cost": {**numbers("R_"), "any": v.ANY_TYPE},
        "event": {**{name: kind for name, kind in small("C_").items() if v.C_BLUE <= kind <= v.C_HARVEST}, **small("ON_")}},
    word_docs={
        "party": {"": "of whom a step speaks", "me": "you", "X": "the chosen seat", "opps": "every other seat, clockwise",
                  "src": "the seat whose event is answered"},
        "chooser": {"": "who chooses the types", "me": "you", "owner": "who loses them"},
        "manner": {"": "which types", "any": "any", "same": "all of one type", "diff": "all different"},
        "resource": {"": "a type of resource", "M": "mega seeds", "S": "schmeckles", "T": "time crystals", "D": "dark matter"},
        "cost": {"": "the type to pay", "any": "one type of your choice", "M": "mega seeds", "S": "schmeckles",
                 "T": "time crystals", "D": "dark matter"},
        "event": {"": "what a reaction can answer", "blue": "an opponent plays a blue card", "green": "... plays a green card",
                  "item": "... uses an item", "move": "... pays to move Rick", "close": "... closes a dimension",
                  "react": "... plays a reaction", "reveal": "the pawns are revealed", "harvest": "the harvest begins",
                  "hit": "a card of an opponent harms you", "hit_blue": "a blue card of an opponent harms you",
                  "any": "at any time"}},
)

def covered(space: int) -> tuple[int, ...]:
    """The places of a Rick space (RULES.md, 3.2)."""
    if space <= 6:
        return (space,)
    k = (space - 1) % 6 + 1
    return (k, k % 6 + 1) if space <= 12 else (0, k)

# ---- Schema ----

Title = Annotated[str, Field(min_length=1, max_length=28)]
Amount = Annotated[int, Field(ge=0, le=9)]
Cards = Annotated[int, Field(ge=-1, le=4)]
Bag = dict[Annotated[str, Field(pattern="^[MSTD]$")], Annotated[int, Field(ge=1, le=8)]]


class Limits(Component):
    """The numbers of the rules."""

    resources: Annotated[int, Field(ge=8, le=v.MOST_RESOURCES)]
    garage: Annotated[int, Field(ge=0, le=v.MOST_GARAGE)]
    start_hand: Annotated[int, Field(ge=0, le=10)]
    hand_limit: Annotated[int, Field(ge=1, le=10)]
    move_cost: Annotated[int, Field(ge=1, le=5)]
    morty_draw: Annotated[int, Field(ge=0, le=3)]
    centre_single: Cards
    centre_between: Cards
    garage_points: Annotated[int, Field(ge=0, le=3)]
    given_up: Literal["general", "personal_if_green"] = "general"   # cards given up for a negative draw (R42)
    rounds: Annotated[int, Field(ge=1, le=v.MOST_ROUNDS)]
    turns: Annotated[int, Field(ge=1, le=v.MOST_TURNS)]


class Tile(Component):
    """A dimension. `single`, `between`: cards for a Rick that stands only here, or also on another place."""

    id: Annotated[str, Field(pattern=r"^t[0-9]{2}$")]
    title: Title
    cost: Bag
    points: Annotated[int, Field(ge=0, le=9)]
    harvest: Bag
    single: Cards
    between: Cards


class Card(Component):
    """A card. `places`: where pawns must stand (green cards); `dimension`, `substitute`: its icon."""

    id: Annotated[str, Field(pattern=r"^[A-Z][0-9]{2}$")]
    title: Title
    kind: Literal["action", "place", "reaction", "item", "character"]
    places: Annotated[tuple[Annotated[int, Field(ge=1, le=PLACES)], ...], Field(max_length=2)] = ()
    points: Annotated[int, Field(ge=0, le=9)] = 0
    dimension: Annotated[int, Field(ge=1, le=PLACES)] | None = None
    substitute: bool = False
    effects: tuple[Effect, ...] = ()

    @property
    def green(self) -> bool:
        """Items and characters."""
        return self.kind in ("item", "character")


class HundredPack(PackSchema):
    """The whole file."""

    limits: Limits
    tile: Annotated[tuple[Tile, ...], Field(min_length=TILES, max_length=TILES)]
    card: Annotated[tuple[Card, ...], Field(min_length=CARDS, max_length=CARDS)]

    def vocabulary(self) -> Vocabulary:
        """The words of Hundred Days in the notation."""
        return VOCABULARY

    @model_validator(mode="after")
    def _check_rows(self) -> HundredPack:
        for number, tile in enumerate(self.tile):
            if sum(tile.cost.values()) > 8:
                raise PackProblem("a dimension costs at most 8 resources", "tile", number, "cost")
            if sum(tile.harvest.values()) > 4:
                raise PackProblem("a dimension has at most 4 resources", "tile", number, "harvest")
        for number, card in enumerate(self.card):
            if not card.green and (card.places or card.points or card.dimension or card.substitute):
                raise PackProblem("only items and characters have places, points and icons", "card", number)
            if card.green and not card.model_fields_set >= {"places", "points"}:
                raise PackProblem("an item or character has places and points", "card", number)
            if len(set(card.places)) < len(card.places):
                raise PackProblem("a place is named twice", "card", number, "places")
        tiles, cards = [tile.title for tile in self.tile], [card.title for card in self.card]
        titles = Counter(tiles + cards)
        for table, rows in (("tile", tiles), ("card", cards)):
            for number, title in enumerate(rows):
                if titles[title] > 1:
                    raise PackProblem(f"two rows have the title {title!r}", table, number, "title")
        return self


@linker
def read(path_or_name: str) -> LoadedPack[HundredPack]:
    """Load a shipped pack by name or a file that ends in .toml. Raises PackError."""
    return load_pack(path_or_name, HundredPack, "hundred_days", Path(__file__).parents[1])
