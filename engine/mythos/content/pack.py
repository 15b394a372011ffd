"""Mythos's content pack: its schema and its words in the effect notation."""
from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, model_validator

from seatmate.engine.core.effects_vocabulary import (
    Attribute,
    Param,
    Part,
    Pick,
    Register,
    Signature,
    Trigger,
    Vocabulary,
    numbers,
)
from seatmate.engine.core.packs import Component, Effect, LoadedPack, PackProblem, PackSchema, linker, load_pack
from seatmate.engine.mythos.content import vocabulary as v

MAX_NAMES = 64
MAX_KEYWORDS = 32
MAX_GROUPS = 8


def _numbered(*names: str) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


# ---- Words of the notation ----

_UNITS = ("friendly", "own", "enemy", "any", "self", "AB")
_TARGET = Param.selector("target", bases=_UNITS)
_ITSELF = Param.selector("target", "@self", bases=_UNITS)
_CARDS = Param.selector("cards", -1, bases=("card",))
_N = Param.amount("n", low=0, high=99)
_UPTO = Param.flag("upto")
_MOD = Param.number("mod", 0, low=-20, high=20)


class Verb(NamedTuple):
    """What the notation knows of a verb; rules/unit_verbs.pyx and rules/player_verbs.pyx carry it out.

    params, doc: of the notation · says: its part of a card's text, with its arguments as MythosWords.Said writes them; empty where
    cards.py has a function · asks: the same for a question, where it differs · worth: what bots think of one, in points, if
    advice/actions.pyx knows nothing better · who: 0 you, 1 the opponent, 2 both can do it.
    """

    params: tuple[Param, ...]
    doc: str
    says: str = ""
    asks: str = ""
    worth: float = 0.0
    who: tuple[int, ...] = (0,)


_ANYBODY = (0, 1, 2)
_SIGNED = Param.number("n", low=-20, high=20)

ROWS: dict[str, Verb] = {
    # Units.
    "TOK": Verb((_N, _ITSELF), "put n Power tokens on it"),
    "UNTOK": Verb((_N, _TARGET, _UPTO), "remove n Power tokens from it"),
    "TAKE_TOK": Verb((_N, _TARGET, _UPTO), "move n Power tokens from it to the source"),
    "MOVE": Verb((_TARGET, Param.word("to", "to", "elsewhere")), "move it to another mission", asks="move {}"),
    "HIDE": Verb((_TARGET,), "turn it face down", says="turn {target} face down"),
    "DEFEAT": Verb((_TARGET,), "defeat it", says="defeat {target}"),
    "CONTROL": Verb((_TARGET,), "take control of it, as long as the source supports it",
                   says="take control of {target}"),
    "LOOK": Verb((_TARGET,), "look at a hidden card", says="look at {target}"),
    "RETURN": Verb((_TARGET,), "return it to its owner's hand",
                  says="return {target} to its owner's hand", asks="return {} to the hand"),
    "PEEL": Verb((_TARGET,), "discard its top card only", says="discard the top card of {target}"),
    "FORCE": Verb((_TARGET, _MOD), "its owner reveals it now or loses it",
                 worth=0.9, asks="have {} revealed or defeated"),
    "PICK": Verb((_TARGET, Param.word("verb", "replaceable")), "choose it for a later step", says="choose {target}"),
    # Players.
    "DRAW": Verb((_N,), "draw n cards", who=_ANYBODY),
    "DISCARD": Verb((_N,), "discard n cards of your choice from your hand", who=_ANYBODY),
    "SEE_HAND": Verb((), "look at the opponent's hand", says="look at the opponent's hand", worth=0.2),
    "RAID": Verb((_N,), "choose n cards of the opponent's hand; they are discarded",
                says="choose {n:card} of it, which the opponent discards"),
    "CHAKRA": Verb((_N,), "gain n chakra; in a while line: income", who=_ANYBODY),
    "STEAL": Verb((_N,), "take n chakra from the opponent", says="steal {n} chakra from the opponent"),
    "PAY_X": Verb((), "pay any amount of chakra", says="pay any amount of chakra X", worth=0.1),
    "EDGE": Verb((Param.word("to", "seat"),), "this seat gets the Edge"),
    "POINTS": Verb((_N,), "gain n points", says="gain {n:point}"),
    "MILL": Verb((), "discard the top card of the deck",
                says="discard the top card of your deck", worth=0.4, who=(0, 1)),
    "PLAY": Verb((Param.word_set("zones", "zone"), _CARDS, _MOD),
                "play a card from one of these zones, for `mod` more chakra"),
    "PUT_HIDDEN": Verb((Param.word("zone", "zone"), Param.word("to", "to", "any"), Param.flag("link")),
                      "put a card from this zone face down into a mission", worth=0.6),
    "RECOVER": Verb((_CARDS,), "take a card from your discard pile to your hand", worth=0.4),
    "PUT_TOP": Verb((), "put a card of your hand on your deck",
                   says="put a card from your hand on top of your deck", worth=0.4),
    "LOOKTOP": Verb((Param.number("n", low=1, high=5),), "look at the top n cards of your deck",
                   says="look at the top {n:card} of your deck"),
    "TAKE_LOOKED": Verb((_CARDS,), "take of these cards to your hand",
                       says="show all {cards:all} among them and take them into your hand", worth=0.4),
    "PUT_BACK": Verb((), "put the rest of them back", says="put the rest back"),
    "DUMP_LOOKED": Verb((), "discard the rest of them", says="discard the rest"),
    "PICK_MISSION": Verb((), "choose a mission", says="choose a mission"),
    "COPY": Verb((Param.selector("source", bases=_UNITS), Param.word_set("headings", "heading")),
                "use one effect of this unit with one of these headings", worth=0.4),
    # As long as the source is face-up.
    "POWER": Verb((Param.amount("n", low=-20, high=20), _ITSELF, Param.number("layer", 1, low=1, high=2)),
                 "while: these units have n more power"),
    "COST": Verb((_SIGNED, _CARDS, Param.word("side", "side", "both"), Param.number("min", 0, low=0, high=9)),
                "while: plays of these cards in its mission cost n more"),
    "SELF_COST": Verb((_SIGNED,), "while: the card itself costs n more"),
    "REVEAL_COST": Verb((_SIGNED,), "while: revealing it costs n more"),
    "PLAY_ONLY": Verb((), "while: it can be played face-up only where when(...) holds",
                     says="this card can only be played face-up"),
    "NO_REVEAL": Verb((Param.word("side", "side"),), "while: this side cannot reveal units in its mission",
                     says="the opponent cannot reveal characters in this mission"),
    "SHIELD": Verb((_TARGET, Param.word_set("verbs", "replaceable"), Param.word("by", "cause", "any")),
                  "while: these verbs do nothing to these units"),
    "KEEP_TOK": Verb((_TARGET,), "while: these units keep their tokens at the end of the round",
                    says="{target} keeps its Power tokens at the end of the round"),
    "UPGRADE_OVER": Verb((Param.selector("cards", bases=("card",)),),
                        "while: it may be laid on these cards as an upgrade",
                        says="this card may be laid on {cards} as an upgrade"),
    "ZERO": Verb((_TARGET,), "while: this unit has no power",
                says="{target} has no power and no Power tokens, until it leaves"),
    "TAX": Verb((Param.number("n", low=1, high=20), _TARGET),
               "while: the opponent pays n chakra for every effect on these units",
               says="the opponent pays {n} chakra, if able, for an effect of theirs on {target}"),
    "DEFEAT_TO_HAND": Verb((_TARGET,), "while: these units go to their owner's hand when they are defeated",
                          says="{target:all} that are defeated go to their owner's hand"),
}

_BASES = ("FRIENDLY", "OWN", "ENEMY", "ANY", "SELF", "PAIR", "CARD")

VOCABULARY = Vocabulary(
    game="mythos",
    triggers={
        "MAIN": Trigger(v.MAIN, doc="when the card is played or revealed"),
        "UPGRADE": Trigger(v.UPGRADE, doc="when it is played as an upgrade"),
        "AMBUSH": Trigger(v.AMBUSH, doc="when it is revealed"),
        "SCORE": Trigger(v.SCORE, doc="when its mission is scored for you"),
        "while": Trigger(v.WHILE, doc="as long as it is face-up"),
        "on": Trigger(v.ON, events="event", subject=True, by="cause", doc="a reaction: when one of these events befalls a unit"),
        "replace": Trigger(v.REPLACE, events="replaceable", subject=True, by="cause", doc="instead of what would befall a unit"),
    },
    verbs={name: Signature(getattr(v, name), row.params, doc=row.doc) for name, row in ROWS.items()},
    bases={name: Signature(getattr(v, base), doc=doc) for base, (name, doc) in zip(_BASES, {
        "friendly": "units you control, but not the source", "own": "units you control, the source, too",
        "enemy": "units the opponent controls", "any": "all units",
        "self": "the unit itself, the source", "AB": "the units in registers A and B",
        "card": "cards, not units"}.items(), strict=True)},
    atoms={name: Signature(code, doc=doc) for code, (name, doc) in enumerate({
        "up": "face-up", "hidden": "face down", "here": "in the source's mission", "elsewhere": "in another mission",
        "atM": "in the mission of register M", "other": "not the source", "notA": "not the unit in register A",
        "stacked": "upgraded: on another card", "lastturn": "played in the opponent's last turn"}.items())},
    attributes={
        "name": Attribute(0, words="name", doc="the character's name"),
        "kw": Attribute(1, words="kw", doc="a keyword of the card"),
        "grp": Attribute(2, words="grp", doc="the card's group"),
        "pow": Attribute(v.BY_POWER, low=0, high=99, doc="its power"),
        "cost": Attribute(v.BY_COST, low=0, high=99, doc="its cost, as effects see it"),
        "pcost": Attribute(v.BY_PRINTED_COST, low=0, high=99, doc="its printed cost, of a hidden card that was seen by LOOK"),
        "tok": Attribute(v.BY_TOKENS, low=0, high=99, doc="its Power tokens"),
    },
    picks={
        "all": Pick(v.EVERY, doc="all of them"),
        "n": Pick(v.SO_MANY, amount=True, doc="up to so many"),
        "each": Pick(v.EACH, doc="one in every mission"),
        "sum": Pick(v.SUM, amount=True, doc="any of them with at most so much power in all"),
        "down": Pick(v.DOWN, amount=True, doc="one after the other, until so many are left"),
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
        "A": Register(v.REG_A, doc="a unit"), "B": Register(v.REG_B, doc="a second unit"), "K": Register(v.REG_K, doc="a card"),
        "M": Register(v.REG_M, doc="a mission"), "X": Register(v.REG_X, number=True, doc="a number"),
        "P": Register(v.REG_P, number=True, doc="the power a unit had before"),
    },
    parts={
        "": Part(0, doc="the unit or card itself"), "card": Part(1, doc="its card"), "face": Part(2, doc="what it shows"),
        "done": Part(3, number=True, doc="how often it was done"), "pow": Part(4, number=True, doc="the power it had"),
    },
    words={
        "event": {name: getattr(v, name) for name in ("PLAYED", "MOVED", "DEFEATED", "ROUND_END", "MISSION_LOST")},
        "replaceable": numbers(v, "R_"),
        "cause": {"any": v.BY_ANY, "you": v.BY_YOU, "enemy": v.BY_ENEMY},
        "to": {"elsewhere": v.TO_ELSEWHERE, "here": v.TO_HERE, "any": v.TO_ANY},    # TO_DISCARD is no word of packs
        "zone": {"hand": v.HAND, "hidden": v.HIDDEN, "discard": v.DISCARDS, "discard_top": v.DISCARD_TOP, "looked": v.LOOKED_AT,
                 "deck": v.DECK, "oppdeck": v.OPPDECK},
        "heading": {name: getattr(v, name) for name in ("MAIN", "UPGRADE", "AMBUSH", "SCORE")},
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
    who={"opp": 1, "both": 2},
)

# ---- Schema ----

Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Title = Annotated[str, Field(min_length=1, max_length=60)]
Small = Annotated[int, Field(ge=0, le=20)]
Effects = tuple[Effect, ...]


class Limits(Component):
    """Numbers of the rulebook. `rank_bonus`: points beside the base, by the round in which a mission came."""

    deck_min: Annotated[int, Field(ge=10, le=v.CARDS)]
    deck_max: Annotated[int, Field(ge=10, le=v.CARDS)]
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
    character: Annotated[tuple[Character, ...], Field(min_length=1, max_length=v.KINDS)]
    mission: Annotated[tuple[Mission, ...], Field(min_length=4, max_length=v.MISSION_KINDS)]
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


@linker
def read(path_or_name: str) -> LoadedPack[MythosPack]:
    """Load a shipped pack by name or a file that ends in .toml, without compiling it. Raises PackError."""
    return load_pack(path_or_name, MythosPack, "mythos", Path(__file__).parents[1])
