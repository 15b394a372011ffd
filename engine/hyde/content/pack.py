"""Hyde's content pack: its schema, its words in the effect notation, and the tables compiled from it."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from seatmate.engine.core.effects import Branch, Selector, Step
from seatmate.engine.core.effects_compile import constants
from seatmate.engine.core.effects_parse import parse_line
from seatmate.engine.core.effects_vocabulary import Attribute, Param, Signature, Trigger, Vocabulary
from seatmate.engine.core.effects_words import selector_of
from seatmate.engine.core.packs import Component, Effect, LoadedPack, PackProblem, PackSchema, load_pack
from seatmate.engine.hyde.content import vocabulary as v

SYMBOLS = ("SIREN", "WEREWOLF", "BEE", "MEDUSA", "BAT", "EYE")
NUMBERS: int = v.NUMBERS
SIX: int = v.SIX
KINDS: int = v.KINDS
"""SIX is the kind of the six; the other kinds are 5 * symbol + number - 1."""
PLACES: int = v.PLACES
TARGETS: int = v.TARGETS
OUTCASTS: int = v.OUTCASTS

_NUMBER = Param.number("number", low=1, high=6)

VOCABULARY = Vocabulary(
    game="hyde",
    triggers={name: Trigger(code, doc=doc) for code, (name, doc) in enumerate({
        "score_place": "a place: as its cards are counted", "score_target": "a target: as cards are counted",
        "score_total": "an outcast: as the sum of an attack is made", "turn_start": "at the start of a turn there",
        "play": "when a card is played", "draw": "when the hand is refilled", "reveal": "when cards are revealed"}.items())},
    verbs={
        "ZERO": Signature(0, (Param.selector("cards", bases=("card",)),),
                          doc="these cards count 0: they are discarded before the sum"),
        "SETV": Signature(1, (Param.selector("cards", bases=("card",)), _NUMBER), doc="these cards count `number` instead"),
        "ADDV": Signature(2, (Param.selector("cards", bases=("card",)), _NUMBER), doc="these cards count `number` more"),
        "BONUS": Signature(3, (_NUMBER,), doc="points, once in an attack; not a card"),
        "MUST_LEAVE": Signature(4, doc="nobody may stay there"),
        "NO_PLAY": Signature(5, doc="no card can be played there"),
        "REACH": Signature(6, (Param.number("distance", low=1, high=2),),
                           doc="cards can be played at this distance on the ring, too"),
        "MULTI": Signature(7, (_NUMBER,), doc="any number of cards of this number can be played together"),
        "SUBST": Signature(8, (_NUMBER,), doc="a card of the hand can be paid to play this number from the reserve"),
        "DRAW_TO": Signature(9, (Param.number("cards", low=3, high=4),), doc="the hand is refilled up to so many cards"),
        "TRIM": Signature(10, (Param.number("cards", low=3, high=3),), doc="then it is discarded down to so many"),
        "SWAP": Signature(11, (Param.word_set("match", "match"),),
                          doc="a card of the hand can be swapped for a revealed one with the same symbol or number"),
    },
    bases={"card": Signature(0, doc="cards by what is printed on them")},
    attributes={"num": Attribute(0, low=1, high=6, doc="the number on the card"),
                "sym": Attribute(1, words="symbol", doc="the symbol on the card")},
    conditions={"pawn_here": Signature(0, doc="the pawn is at this place")},
    word_docs={
        "symbol": {"": "the symbols of the cards", **{name: f"the {name.lower()}" for name in SYMBOLS}},
        "match": {"": "what two cards must have in common", "sym": "the symbol", "num": "the number"},
    },
    words={"symbol": {name: code for code, name in enumerate(SYMBOLS)}, "match": {"sym": 0, "num": 1}},
)

# ---- Schema ----

Needs = Annotated[tuple[Annotated[int, Field(ge=1, le=250)], ...], Field(min_length=5, max_length=5)]
Effects = tuple[Effect, ...]


class Deck(Component):
    """The power cards: per symbol `split[v - 1]` copies of number v; `sixes` in the reserve."""

    split: Annotated[tuple[Annotated[int, Field(ge=0, le=10)], ...], Field(min_length=NUMBERS, max_length=NUMBERS)]
    sixes: Annotated[int, Field(ge=0, le=2)]


class Part(Component):
    """A place, a target or an outcast."""

    id: Annotated[int, Field(ge=0)]
    key: Annotated[str, Field(pattern=r"^[a-z][a-z_]*$")]
    title: Annotated[str, Field(min_length=1, max_length=40)]
    effects: Effects = ()


class Outcast(Part):
    """An outcast and how much a team likes to have it (utility scale)."""

    appeal: Annotated[float, Field(ge=0, le=1)] = 0.5


class Level(Component):
    """Points needed at attack 1..5 with 2, 3 and 4 seats."""

    key: Annotated[str, Field(pattern=r"^[a-z][a-z_]*$")]
    title: str
    need_2: Needs
    need_3: Needs
    need_4: Needs


class HydePack(PackSchema):
    """The whole file."""

    deck: Deck
    place: Annotated[tuple[Part, ...], Field(min_length=PLACES, max_length=PLACES)]
    target: Annotated[tuple[Part, ...], Field(min_length=TARGETS, max_length=TARGETS)]
    level: Annotated[tuple[Level, ...], Field(min_length=1)]
    outcast: Annotated[tuple[Outcast, ...], Field(min_length=OUTCASTS, max_length=OUTCASTS)]

    def vocabulary(self) -> Vocabulary:
        """Hyde's words of the notation."""
        return VOCABULARY

    @model_validator(mode="after")
    def _check_ids(self) -> HydePack:
        for table in ("place", "target", "outcast"):
            rows = getattr(self, table)
            for number, row in enumerate(rows):
                if row.id != number:
                    raise PackProblem(f"the ids of [[{table}]] must be 0, 1, 2 ... in this order", table, number, "id")
        if not 20 <= sum(self.deck.split) * len(SYMBOLS) <= 60:
            raise PackProblem(f"{sum(self.deck.split) * len(SYMBOLS)} cards in all; 20 to 60 are possible", "deck", "split")
        return self


def load(path_or_name: str) -> LoadedPack[HydePack]:
    """Load a shipped pack by name or a file that ends in .toml. Raises PackError, also for effects that don't compile."""
    loaded = load_pack(path_or_name, HydePack, "hyde", Path(__file__).parents[1])
    compile_content(loaded, "beginner", strict=False)
    return loaded

# ---- Compiled ----

@dataclass(slots=True)
class Content:
    """Lookup tables of one pack for one level, folded from the compiled effects."""

    deck: list[int] = field(default_factory=list)               # kinds of all normal cards, ascending
    sixes: int = 0
    needs: dict[int, list[int]] = field(default_factory=dict)   # by number of seats, attacks 1..5
    zero: list[int] = field(default_factory=lambda: [0] * PLACES)       # mask of kinds
    must_leave: list[bool] = field(default_factory=lambda: [False] * PLACES)
    no_play: list[bool] = field(default_factory=lambda: [False] * PLACES)
    value: list[list[list[int]]] = field(default_factory=list)  # [place][target][kind]: what a card counts
    abilities: dict[str, list[int]] = field(default_factory=dict)       # verb -> its number by outcast, 0 = none
    appeal: list[float] = field(default_factory=list)


def face(kind: int) -> dict[str, int | str]:
    """What is printed on a card, as the selectors of the notation see it. The six has no symbol (R26)."""
    if kind == SIX:
        return {"num": 6}
    return {"num": kind % NUMBERS + 1, "sym": SYMBOLS[kind // NUMBERS]}


def kinds_matching(selector: Selector) -> set[int]:
    """The kinds whose printed face passes the selector."""
    return {kind for kind in range(KINDS) if selector.matches(face(kind))}


def effective_value(kind: int, zero: set[int], setv: dict[int, int], addv: dict[int, int], strict: bool) -> int:
    """What a card counts at an attack: the place looks at the printed face, then the target (R19).

    With `strict` a transformed number is looked at by the place, too (R20): it counts 0 where the place zeroes
    every card of the new number. A six is always 6 (R26).
    """
    if kind == SIX:
        return 6
    if kind in zero:
        return 0
    value = kind % NUMBERS + 1
    if kind in setv:
        value = setv[kind]
        same_number = {other for other in range(SIX) if other % NUMBERS + 1 == value}
        if strict and same_number and same_number <= zero:
            return 0
    return value + addv.get(kind, 0)


def compile_content(loaded: LoadedPack[HydePack], level: str, *, strict: bool) -> Content:
    """Compile a pack for one level. Raises PackError."""
    pack = loaded.content
    content = Content(sixes=pack.deck.sixes, appeal=[0.0] * OUTCASTS)
    for kind in range(SIX):
        content.deck += [kind] * pack.deck.split[kind % NUMBERS]
    levels = {row.key: row for row in pack.level}
    if level not in levels:
        raise loaded.error(f"it has no level {level!r}; it has {', '.join(levels)}", "level")
    row = levels[level]
    content.needs = {2: list(row.need_2), 3: list(row.need_3), 4: list(row.need_4)}
    for place in pack.place:
        for line, verb, cards, _ in _steps(place.effects):
            if verb == "ZERO":
                content.zero[place.id] |= sum(1 << kind for kind in kinds_matching(cards))
            elif verb == "MUST_LEAVE":
                content.must_leave[place.id] = True
            elif verb == "NO_PLAY":
                content.no_play[place.id] = True
            else:
                raise loaded.error(f"{verb} does nothing on a place", "place", place.id, "effects", line)
    content.value = [[[0] * KINDS for _ in range(TARGETS)] for _ in range(PLACES)]
    for target in pack.target:
        changes: dict[str, dict[int, int]] = {"SETV": {}, "ADDV": {}}
        for line, verb, cards, number in _steps(target.effects):
            if verb not in changes:
                raise loaded.error(f"{verb} does nothing on a target", "target", target.id, "effects", line)
            changes[verb].update(dict.fromkeys(kinds_matching(cards), number))
        for place_id in range(PLACES):
            zero = {kind for kind in range(KINDS) if content.zero[place_id] >> kind & 1}
            for kind in range(KINDS):
                content.value[place_id][target.id][kind] = effective_value(kind, zero, changes["SETV"], changes["ADDV"], strict)
    abilities = ("BONUS", "REACH", "MULTI", "SUBST", "DRAW_TO", "TRIM", "SWAP_SYM", "SWAP_NUM")
    content.abilities = {verb: [0] * OUTCASTS for verb in abilities}
    for outcast in pack.outcast:
        content.appeal[outcast.id] = outcast.appeal
        for line, verb, _, number in _steps(outcast.effects):
            if verb == "SWAP":
                for word, code in VOCABULARY.words["match"].items():
                    content.abilities[f"SWAP_{word.upper()}"][outcast.id] = number >> code & 1
            elif verb in abilities:
                content.abilities[verb][outcast.id] = number
            else:
                raise loaded.error(f"{verb} does nothing for an outcast", "outcast", outcast.id, "effects", line)
        if content.abilities["SUBST"][outcast.id] not in (0, 6):
            raise loaded.error("only sixes can be in the reserve", "outcast", outcast.id, "effects")
        if content.abilities["MULTI"][outcast.id] not in (0, 1):
            raise loaded.error("only 1s can be played together", "outcast", outcast.id, "effects")
        if content.abilities["DRAW_TO"][outcast.id] > 3 and not content.abilities["TRIM"][outcast.id]:
            raise loaded.error("DRAW_TO(4) needs TRIM(3); no hand keeps four cards", "outcast", outcast.id, "effects")
    return content


def _steps(effects: Iterable[str]) -> Iterator[tuple[int, str, Selector, int]]:
    """The steps of a part: number of the line, verb, the cards it is about (all if it names none), its number or words."""
    for number, text in enumerate(effects):
        line = parse_line(text)
        for step in _flat((*line.pay, *line.body)):
            values = constants(VOCABULARY, VOCABULARY.verbs[step.verb], step.verb, step.args)
            cards = next(filter(None, (selector_of(argument.value) for argument in step.args)), Selector("card"))
            yield number, step.verb, cards, [0, *values.values()][-1]


def _flat(sequence: Iterable[Step | Branch]) -> Iterator[Step]:
    """All steps, those of branches too."""
    for item in sequence:
        yield from (item,) if isinstance(item, Step) else _flat((*item.then, *item.otherwise))

# ---- What an unknown card is worth ----

def chosen_card(content: Content, place: int, target: int) -> float:
    """Points a teammate's unknown face-down card brings on average: about the best of three random cards."""
    values = sorted(content.value[place][target][kind] for kind in content.deck)
    n = len(values)
    total = 0.0
    for rank, value in enumerate(values, start=1):
        total += value * ((rank / n) ** 3 - ((rank - 1) / n) ** 3)
    return total


def unknown_one(content: Content, place: int, target: int) -> float:
    """Points an unknown card brings that is known to be a 1, on average."""
    ones = [content.value[place][target][kind] for kind in content.deck if kind % NUMBERS == 0]
    return sum(ones) / len(ones) if ones else 0.0
