"""Mythos's content pack: its schema and its words in the effect notation."""
from __future__ import annotations

import functools
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from seatmate.engine.core.effects_vocabulary import Attribute, Param, Pick, Register, Signature, Trigger, Vocabulary
from seatmate.engine.core.packs import Component, EffectLine, LoadedPack, PackSchema, load_pack

MAX_CHARACTERS = 240
MAX_MISSIONS = 32
MAX_NAMES = 64
MAX_KEYWORDS = 32
MAX_GROUPS = 8
MAX_DECK = 40


def _numbered(*names: str) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


# ---- Words of the notation ----
#
# The numbers are those of the enums in vocabulary.pxd.

_UNITS = ("friendly", "own", "enemy", "any", "self", "AB")
_TARGET = Param.selector("target", bases=_UNITS)
_ITSELF = Param.selector("target", "@self", bases=_UNITS)
_CARDS = Param.selector("cards", -1, bases=("card",))
_N = Param.amount("n", low=0, high=99)
_UPTO = Param.flag("upto")
_MOD = Param.number("mod", 0, low=-20, high=20)

VOCABULARY = Vocabulary(
    game="mythos",
    triggers={
        "MAIN": Trigger(0),
        "UPGRADE": Trigger(1),
        "AMBUSH": Trigger(2),
        "SCORE": Trigger(3),
        "while": Trigger(4),                                                    # as long as it is face-up
        "on": Trigger(5, events="event", subject=True, by="cause"),
        "replace": Trigger(6, events="replaceable", subject=True, by="cause"),
    },
    verbs={
        # Units.
        "TOK": Signature(0, (_N, _ITSELF)),                                     # put n Power tokens on it
        "UNTOK": Signature(1, (_N, _TARGET, _UPTO)),                            # remove n tokens
        "TAKE_TOK": Signature(2, (_N, _TARGET, _UPTO)),                         # move n tokens to the source
        "MOVE": Signature(3, (_TARGET, Param.word("to", "to", "elsewhere"))),   # to another mission
        "HIDE": Signature(4, (_TARGET,)),                                       # turn it face down
        "DEFEAT": Signature(5, (_TARGET,)),
        "CONTROL": Signature(6, (_TARGET,)),                                    # as long as the source supports it
        "LOOK": Signature(7, (_TARGET,)),                                       # see a hidden card
        "RETURN": Signature(8, (_TARGET,)),                                     # to its owner's hand
        "PEEL": Signature(9, (_TARGET,)),                                       # discard its top card only
        "FORCE": Signature(10, (_TARGET, _MOD)),                                # reveal it now or lose it
        "PICK": Signature(11, (_TARGET, Param.word("verb", "replaceable"))),    # choose it for a later step
        # Players.
        "DRAW": Signature(12, (_N,)),
        "DISCARD": Signature(13, (_N,)),                                        # from hand, own choice
        "SEE_HAND": Signature(14),
        "RAID": Signature(15, (_N,)),                                           # discard from the opponent's hand
        "CHAKRA": Signature(16, (_N,)),                                         # gain; "while": income
        "STEAL": Signature(17, (_N,)),
        "PAY_X": Signature(18),                                                 # any amount of chakra
        "EDGE": Signature(19, (Param.word("to", "seat"),)),
        "POINTS": Signature(20, (_N,)),
        "MILL": Signature(21),                                                  # top of the deck to the discard
        "PLAY": Signature(22, (Param.word_set("zones", "zone"), _CARDS, _MOD)),
        "PUT_HIDDEN": Signature(23, (Param.word("zone", "zone"), Param.word("to", "to", "any"), Param.flag("link"))),
        "RECOVER": Signature(24, (_CARDS,)),                                    # from the discard to the hand
        "PUT_TOP": Signature(25),                                               # a hand card on the deck
        "LOOKTOP": Signature(26, (Param.number("n", low=1, high=5),)),
        "TAKE_LOOKED": Signature(27, (_CARDS,)),
        "PUT_BACK": Signature(28),
        "DUMP_LOOKED": Signature(29),
        "PICK_MISSION": Signature(30),
        "COPY": Signature(31, (Param.selector("source", bases=_UNITS), Param.word_set("headings", "heading"))),
        # As long as the source is face-up.
        "POWER": Signature(32, (Param.amount("n", low=-20, high=20), _ITSELF, Param.number("layer", 1, low=1, high=2))),
        "COST": Signature(33, (Param.number("n", low=-20, high=20), _CARDS, Param.word("side", "side", "both"),
                               Param.number("min", 0, low=0, high=9))),         # of plays in its mission
        "SELF_COST": Signature(34, (Param.number("n", low=-20, high=20),)),
        "REVEAL_COST": Signature(35, (Param.number("n", low=-20, high=20),)),
        "PLAY_ONLY": Signature(36),                                             # where when(...) holds
        "NO_REVEAL": Signature(37, (Param.word("side", "side"),)),
        "SHIELD": Signature(38, (_TARGET, Param.word_set("verbs", "replaceable"), Param.word("by", "cause", "any"))),
        "KEEP_TOK": Signature(39, (_TARGET,)),
        "UPGRADE_OVER": Signature(40, (Param.selector("cards", bases=("card",)),)),
        "ZERO": Signature(41, (_TARGET,)),
        "TAX": Signature(42, (Param.number("n", low=1, high=20), _TARGET)),
        "DEFEAT_TO_HAND": Signature(43, (_TARGET,)),
    },
    bases={name: Signature(code) for code, name in enumerate((*_UNITS, "card"))},
    atoms={name: Signature(code) for code, name in enumerate(
        ("up", "hidden", "here", "elsewhere", "atM", "other", "notA", "stacked", "lastturn"))},
    attributes={"name": Attribute(0, words="name"), "kw": Attribute(1, words="kw"), "grp": Attribute(2, words="grp"),
                "pow": Attribute(3, low=0, high=99), "cost": Attribute(4, low=0, high=99),
                "pcost": Attribute(5, low=0, high=99), "tok": Attribute(6, low=0, high=99)},
    picks={"one": Pick(0), "all": Pick(1), "n": Pick(2, amount=True), "each": Pick(3), "sum": Pick(4, amount=True),
           "down": Pick(5, amount=True)},
    amounts={"count": Signature(0, (Param.selector("units", bases=_UNITS),)),
             "missions": Signature(1, (Param.selector("units", bases=_UNITS),)),
             "cost": Signature(2, (Param.register("card"),)),
             "ppow": Signature(3, (Param.register("card"),)),                   # printed power
             "power": Signature(4),                                             # of the source
             "hand": Signature(5)},
    conditions={"upg": Signature(0), "edge": Signature(1), "winning": Signature(2),
                "has": Signature(3, (Param.selector("units", bases=_UNITS),))},
    registers={"A": Register(0), "B": Register(1), "K": Register(2), "M": Register(3), "X": Register(4, number=True),
               "P": Register(5, number=True)},
    words={
        "event": _numbered("PLAYED", "MOVED", "DEFEATED", "ROUND_END", "MISSION_LOST"),
        "replaceable": _numbered("HIDE", "DEFEAT", "MOVE"),
        "cause": _numbered("any", "you", "enemy"),
        "to": _numbered("elsewhere", "here", "any"),
        "zone": _numbered("hand", "hidden", "discard", "discard_top", "looked", "deck", "oppdeck"),
        "heading": _numbered("MAIN", "UPGRADE", "AMBUSH", "SCORE"),
        "seat": _numbered("you", "opp"),
        "side": _numbered("both", "enemy"),
        "name": {}, "kw": {}, "grp": {},
    },
    who={"you": 0, "opp": 1, "both": 2},
)

# ---- Schema ----

Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Title = Annotated[str, Field(min_length=1, max_length=60)]
Small = Annotated[int, Field(ge=0, le=20)]
Effects = tuple[EffectLine, ...]


class Limits(Component):
    """Numbers of the rulebook. `rank_bonus`: points beside the base, by the round in which a mission came."""

    deck_min: Annotated[int, Field(ge=10, le=MAX_DECK)]
    deck_max: Annotated[int, Field(ge=10, le=MAX_DECK)]
    copies_max: Annotated[int, Field(ge=1, le=4)]
    deck_missions: Literal[3]
    rounds: Literal[4]
    start_hand: Annotated[int, Field(ge=1, le=8)]
    round_draw: Annotated[int, Field(ge=0, le=5)]
    base_chakra: Small
    hidden_cost: Small
    rank_bonus: Annotated[tuple[Small, ...], Field(min_length=4, max_length=4)]


class Word(Component):
    """A group, a keyword or a character's name."""

    key: Key
    title: Title


class Character(Component):
    """One version of a character. Its kind is its place in the list."""

    id: Annotated[str, Field(pattern=r"^[A-Z0-9]{1,6}-[0-9]{1,4}$")]
    name: Key
    version: Title
    rarity: Literal["C", "UC", "R", "S", "M"]
    cost: Annotated[int, Field(ge=0, le=15)]
    power: Annotated[int, Field(ge=0, le=20)]
    keywords: tuple[Key, ...]
    group: Key
    effects: Effects = ()


class Mission(Component):
    """A mission; `points` without the bonus of its rank."""

    id: Annotated[str, Field(pattern=r"^[A-Z0-9]{1,6}-[0-9]{1,4}$")]
    title: Title
    points: Annotated[int, Field(ge=0, le=9)]
    effects: Effects = ()


class Deck(Component):
    """A ready-made deck: lines such as "2 KS-009", and three missions."""

    key: Key
    title: Title
    style: str
    missions: tuple[str, ...]
    cards: tuple[str, ...]


class MythosPack(PackSchema):
    """The whole file."""

    limits: Limits
    group: Annotated[tuple[Word, ...], Field(min_length=1, max_length=MAX_GROUPS)]
    keyword: Annotated[tuple[Word, ...], Field(max_length=MAX_KEYWORDS)]
    name: Annotated[tuple[Word, ...], Field(min_length=1, max_length=MAX_NAMES)]
    character: Annotated[tuple[Character, ...], Field(min_length=1, max_length=MAX_CHARACTERS)]
    mission: Annotated[tuple[Mission, ...], Field(min_length=4, max_length=MAX_MISSIONS)]
    deck: Annotated[tuple[Deck, ...], Field(min_length=1)]

    def vocabulary(self) -> Vocabulary:
        """Mythos's words of the notation, with this pack's names, keywords and groups."""
        return VOCABULARY.with_words(name=_numbered(*(row.key for row in self.name)),
                                     kw=_numbered(*(row.key for row in self.keyword)),
                                     grp=_numbered(*(row.key for row in self.group)))

    @model_validator(mode="after")
    def _check_references(self) -> MythosPack:
        for table in ("group", "keyword", "name", "deck"):
            keys = [row.key for row in getattr(self, table)]
            if len(set(keys)) < len(keys):
                raise ValueError(f"two rows of [[{table}]] have the same key")
        ids = [card.id for card in self.character] + [mission.id for mission in self.mission]
        if len(set(ids)) < len(ids):
            twice = next(card for card in ids if ids.count(card) > 1)
            raise ValueError(f"the id {twice} is used twice")
        names, keywords, groups = ({row.key for row in rows} for rows in (self.name, self.keyword, self.group))
        for card in self.character:
            if card.name not in names:
                raise ValueError(f"{card.id}: there is no [[name]] {card.name!r}")
            if card.group not in groups:
                raise ValueError(f"{card.id}: there is no [[group]] {card.group!r}")
            if unknown := set(card.keywords) - keywords:
                raise ValueError(f"{card.id}: there is no [[keyword]] {sorted(unknown)[0]!r}")
        if self.limits.deck_max < self.limits.deck_min:
            raise ValueError("[limits] deck_max is below deck_min")
        return self


def read(path_or_name: str) -> LoadedPack[MythosPack]:
    """Load a shipped pack by name or a file that ends in .toml, without compiling it. Raises PackError."""
    if path_or_name.endswith(".toml"):
        return load_pack(path_or_name, MythosPack, "mythos", Path(__file__).parent)
    return _shipped(path_or_name)


@functools.cache
def _shipped(name: str) -> LoadedPack[MythosPack]:
    return load_pack(name, MythosPack, "mythos", Path(__file__).parent)
