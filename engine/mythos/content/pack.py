"""Mythos's content pack: its schema and its words in the effect notation."""
from __future__ import annotations

import functools
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from seatmate.engine.core.effects_vocabulary import Attribute, Param, Pick, Register, Signature, Trigger, Vocabulary
from seatmate.engine.core.packs import Component, Effect, LoadedPack, PackProblem, PackSchema, load_pack

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
        "MAIN": Trigger(0, doc="when the card is played or revealed"),
        "UPGRADE": Trigger(1, doc="when it is played as an upgrade"),
        "AMBUSH": Trigger(2, doc="when it is revealed"),
        "SCORE": Trigger(3, doc="when its mission is scored for you"),
        "while": Trigger(4, doc="as long as it is face-up"),
        "on": Trigger(5, events="event", subject=True, by="cause", doc="a reaction: when one of these events befalls a unit"),
        "replace": Trigger(6, events="replaceable", subject=True, by="cause", doc="instead of what would befall a unit"),
    },
    verbs={
        # Units.
        "TOK": Signature(0, (_N, _ITSELF), doc="put n Power tokens on it"),
        "UNTOK": Signature(1, (_N, _TARGET, _UPTO), doc="remove n Power tokens from it"),
        "TAKE_TOK": Signature(2, (_N, _TARGET, _UPTO), doc="move n Power tokens from it to the source"),
        "MOVE": Signature(3, (_TARGET, Param.word("to", "to", "elsewhere")), doc="move it to another mission"),
        "HIDE": Signature(4, (_TARGET,), doc="turn it face down"),
        "DEFEAT": Signature(5, (_TARGET,), doc="defeat it"),
        "CONTROL": Signature(6, (_TARGET,), doc="take control of it, as long as the source supports it"),
        "LOOK": Signature(7, (_TARGET,), doc="look at a hidden card"),
        "RETURN": Signature(8, (_TARGET,), doc="return it to its owner's hand"),
        "PEEL": Signature(9, (_TARGET,), doc="discard its top card only"),
        "FORCE": Signature(10, (_TARGET, _MOD), doc="its owner reveals it now or loses it"),
        "PICK": Signature(11, (_TARGET, Param.word("verb", "replaceable")), doc="choose it for a later step"),
        # Players.
        "DRAW": Signature(12, (_N,), doc="draw n cards"),
        "DISCARD": Signature(13, (_N,), doc="discard n cards of your choice from your hand"),
        "SEE_HAND": Signature(14, doc="look at the opponent's hand"),
        "RAID": Signature(15, (_N,), doc="choose n cards of the opponent's hand; they are discarded"),
        "CHAKRA": Signature(16, (_N,), doc="gain n chakra; in a while line: income"),
        "STEAL": Signature(17, (_N,), doc="take n chakra from the opponent"),
        "PAY_X": Signature(18, doc="pay any amount of chakra"),
        "EDGE": Signature(19, (Param.word("to", "seat"),), doc="this seat gets the Edge"),
        "POINTS": Signature(20, (_N,), doc="gain n points"),
        "MILL": Signature(21, doc="discard the top card of the deck"),
        "PLAY": Signature(22, (Param.word_set("zones", "zone"), _CARDS, _MOD),
                          doc="play a card from one of these zones, for `mod` more chakra"),
        "PUT_HIDDEN": Signature(23, (Param.word("zone", "zone"), Param.word("to", "to", "any"), Param.flag("link")),
                                doc="put a card from this zone face down into a mission"),
        "RECOVER": Signature(24, (_CARDS,), doc="take a card from your discard pile to your hand"),
        "PUT_TOP": Signature(25, doc="put a card of your hand on your deck"),
        "LOOKTOP": Signature(26, (Param.number("n", low=1, high=5),), doc="look at the top n cards of your deck"),
        "TAKE_LOOKED": Signature(27, (_CARDS,), doc="take of these cards to your hand"),
        "PUT_BACK": Signature(28, doc="put the rest of them back"),
        "DUMP_LOOKED": Signature(29, doc="discard the rest of them"),
        "PICK_MISSION": Signature(30, doc="choose a mission"),
        "COPY": Signature(31, (Param.selector("source", bases=_UNITS), Param.word_set("headings", "heading")),
                          doc="use one effect of this unit with one of these headings"),
        # As long as the source is face-up.
        "POWER": Signature(32, (Param.amount("n", low=-20, high=20), _ITSELF, Param.number("layer", 1, low=1, high=2)),
                           doc="while: these units have n more power"),
        "COST": Signature(33, (Param.number("n", low=-20, high=20), _CARDS, Param.word("side", "side", "both"),
                           Param.number("min", 0, low=0, high=9)),
                          doc="while: plays of these cards in its mission cost n more"),
        "SELF_COST": Signature(34, (Param.number("n", low=-20, high=20),), doc="while: the card itself costs n more"),
        "REVEAL_COST": Signature(35, (Param.number("n", low=-20, high=20),), doc="while: revealing it costs n more"),
        "PLAY_ONLY": Signature(36, doc="while: it can be played face-up only where when(...) holds"),
        "NO_REVEAL": Signature(37, (Param.word("side", "side"),), doc="while: this side cannot reveal units in its mission"),
        "SHIELD": Signature(38, (_TARGET, Param.word_set("verbs", "replaceable"), Param.word("by", "cause", "any")),
                            doc="while: these verbs do nothing to these units"),
        "KEEP_TOK": Signature(39, (_TARGET,), doc="while: these units keep their tokens at the end of the round"),
        "UPGRADE_OVER": Signature(40, (Param.selector("cards", bases=("card",)),),
                                  doc="while: it may be laid on these cards as an upgrade"),
        "ZERO": Signature(41, (_TARGET,), doc="while: this unit has no power"),
        "TAX": Signature(42, (Param.number("n", low=1, high=20), _TARGET),
                         doc="while: the opponent pays n chakra for every effect on these units"),
        "DEFEAT_TO_HAND": Signature(43, (_TARGET,), doc="while: these units go to their owner's hand when they are defeated"),
    },
    bases={name: Signature(code, doc=doc) for code, (name, doc) in enumerate({
        "friendly": "units you control, but not the source", "own": "units you control, the source, too",
        "enemy": "units the opponent controls", "any": "all units",
        "self": "the unit itself, the source", "AB": "the units in registers A and B", "card": "cards, not units"}.items())},
    atoms={name: Signature(code, doc=doc) for code, (name, doc) in enumerate({
        "up": "face-up", "hidden": "face down", "here": "in the source's mission", "elsewhere": "in another mission",
        "atM": "in the mission of register M", "other": "not the source", "notA": "not the unit in register A",
        "stacked": "upgraded: on another card", "lastturn": "played in the opponent's last turn"}.items())},
    attributes={
        "name": Attribute(0, words="name", doc="the character's name"),
        "kw": Attribute(1, words="kw", doc="a keyword of the card"),
        "grp": Attribute(2, words="grp", doc="the card's group"),
        "pow": Attribute(3, low=0, high=99, doc="its power"),
        "cost": Attribute(4, low=0, high=99, doc="its cost, as effects see it"),
        "pcost": Attribute(5, low=0, high=99, doc="its printed cost, of a hidden card that was seen by LOOK"),
        "tok": Attribute(6, low=0, high=99, doc="its Power tokens"),
    },
    picks={
        "one": Pick(0, doc="one of them, of your choice; so it is without a pick, too"),
        "all": Pick(1, doc="all of them"),
        "n": Pick(2, amount=True, doc="up to so many"),
        "each": Pick(3, doc="one in every mission"),
        "sum": Pick(4, amount=True, doc="any of them with at most so much power in all"),
        "down": Pick(5, amount=True, doc="one after the other, until so many are left"),
    },
    amounts={
        "count": Signature(0, (Param.selector("units", bases=_UNITS),), doc="how many units there are"),
        "missions": Signature(1, (Param.selector("units", bases=_UNITS),), doc="in how many missions there are such units"),
        "cost": Signature(2, (Param.register("card"),), doc="the cost of the card in a register"),
        "ppow": Signature(3, (Param.register("card"),), doc="the printed power of the card in a register"),
        "power": Signature(4, doc="the power of the source"),
        "hand": Signature(5, doc="the cards in your hand"),
    },
    conditions={
        "upg": Signature(0, doc="the card was played as an upgrade"),
        "edge": Signature(1, doc="you have the Edge"),
        "winning": Signature(2, doc="you are winning the mission"),
        "has": Signature(3, (Param.selector("units", bases=_UNITS),), doc="there is such a unit"),
    },
    registers={
        "A": Register(0, doc="a unit"), "B": Register(1, doc="a second unit"), "K": Register(2, doc="a card"),
        "M": Register(3, doc="a mission"), "X": Register(4, number=True, doc="a number"),
        "P": Register(5, number=True, doc="the power a unit had before"),
    },
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
    word_docs={
        "event": {"": "what a reaction waits for", "PLAYED": "a unit is played face-up or revealed", "MOVED": "a unit moves",
                  "DEFEATED": "a unit is defeated", "ROUND_END": "the end of the round",
                  "MISSION_LOST": "the opponent wins the mission of the source"},
        "replaceable": {"": "what can befall a unit", "HIDE": "it is turned face down", "DEFEAT": "it is defeated",
                        "MOVE": "it is moved"},
        "cause": {"": "whose effect it must be", "any": "anybody's", "you": "yours", "enemy": "the opponent's"},
        "to": {"": "where to", "elsewhere": "another mission", "here": "the source's mission", "any": "any mission"},
        "zone": {"": "where a card is", "hand": "your hand", "hidden": "your hidden units", "discard": "your discard pile",
                 "discard_top": "the top of your discard pile", "looked": "the cards of LOOKTOP", "deck": "the top of your deck",
                 "oppdeck": "the top of the opponent's deck"},
        "heading": {"": "which effects can be copied", "MAIN": "MAIN lines", "UPGRADE": "UPGRADE lines", "AMBUSH": "AMBUSH lines",
                    "SCORE": "SCORE lines"},
        "seat": {"": "who", "you": "you", "opp": "the opponent"},
        "side": {"": "whose cards", "both": "everybody's", "enemy": "the opponent's"},
        "name": {"": "the keys of [[name]] in the pack"}, "kw": {"": "the keys of [[keyword]] in the pack"},
        "grp": {"": "the keys of [[group]] in the pack"},
    },
    who={"you": 0, "opp": 1, "both": 2},
)

# ---- Schema ----

Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Title = Annotated[str, Field(min_length=1, max_length=60)]
Small = Annotated[int, Field(ge=0, le=20)]
Effects = tuple[Effect, ...]


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
        characters = {card.id for card in self.character}
        for number, mission in enumerate(self.mission):
            if mission.id in characters:
                raise PackProblem(f"the id {mission.id} is that of a character", "mission", number, "id")
        names, keywords, groups = ({row.key for row in rows} for rows in (self.name, self.keyword, self.group))
        for number, card in enumerate(self.character):
            path = ("character", number)
            if card.name not in names:
                raise PackProblem(f"there is no [[name]] {card.name!r}", *path, "name")
            if card.group not in groups:
                raise PackProblem(f"there is no [[group]] {card.group!r}", *path, "group")
            for index, keyword in enumerate(card.keywords):
                if keyword not in keywords:
                    raise PackProblem(f"there is no [[keyword]] {keyword!r}", *path, "keywords", index)
                if keyword in card.keywords[:index]:
                    raise PackProblem(f"{keyword!r} stands here twice", *path, "keywords", index)
        if self.limits.deck_max < self.limits.deck_min:
            raise PackProblem("is below deck_min", "limits", "deck_max")
        return self


def read(path_or_name: str) -> LoadedPack[MythosPack]:
    """Load a shipped pack by name or a file that ends in .toml, without compiling it. Raises PackError."""
    if path_or_name.endswith(".toml"):
        return load_pack(path_or_name, MythosPack, "mythos", Path(__file__).parents[1])
    return _shipped(path_or_name)


@functools.cache
def _shipped(name: str) -> LoadedPack[MythosPack]:
    return load_pack(name, MythosPack, "mythos", Path(__file__).parents[1])
