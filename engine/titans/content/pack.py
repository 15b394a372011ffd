"""The content pack of Titans: its schema and its words in the effect notation."""
from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, model_validator

from seatmate.engine.core.effects_vocabulary import Param, Pick, Signature, Trigger, Vocabulary, numbers, small
from seatmate.engine.core.packs import (
    Component,
    Effect,
    EffectLine,
    LoadedPack,
    PackProblem,
    PackSchema,
    linker,
    load_pack,
)
from seatmate.engine.core.spec import counted
from seatmate.engine.titans.content import vocabulary as v

CARDS, MISSIONS, TILES, BOARDS, SLOTS = v.CARDS, v.GOS, v.TILES, v.BOARDS, 2
MIN_ARENA_CARDS = 12
"""Mayhem cards the free-for-all needs: four for each of three seats."""


# ---- Words of the notation ----

ICONS = ("TV", "SLICE", "JOY", "ANCHOR", "MASK", "GEAR", "BASE_B", "BASE_W")
"""Icons of places; the two bases of a team share theirs."""

_BASES = small(v, "B_")
_PIECES, SCOPES = tuple(_BASES)[:v.B_NEAR], tuple(_BASES)[v.B_NEAR:]
_BASE_DOCS = {
    "self": "the piece itself that has the ability", "act": "the active piece", "tgt": "the piece that is attacked or has come",
    "atk": "the attacker", "host": "your piece in the place that was entered",
    "own": "the pieces of your team", "enemy": "the pieces of opponents", "near": "the actor's place and those around it",
    "any": "all places", "at": "the place with this icon", "border": "the borders of the place with this icon",
    "ownbase": "the bases of your team", "special": "the places that are no bases"}
_ICON = Param.word("place", "icon")
_ONE = Param.selector("who", bases=_PIECES)
_FOE = Param.selector("who", "@enemy.here.one", bases=_PIECES)
_WHERE = Param.selector("where", bases=SCOPES)
_COMPELLED = Param.flag("compelled")        # may not be declined
_BONUS = Param.number("bonus", 0, low=0, high=0)      # content/link.py adds the attack's DMG to it
_N = Param.number("n", low=1, high=9)


class Verb(NamedTuple):
    """A verb. doc: its meaning · text: what a card says · in_ability, on_card: what one is worth to bots that see no more in it ·
    order: what whoever chooses a piece does to it.
    """

    params: tuple[Param, ...]
    doc: str
    text: str
    in_ability: float = 0
    on_card: float = 0
    order: str = ""


VERBS = {
    "MELEE": Verb((_BONUS,), "attack somebody in the same place", "attack an opponent on the same place", order="Hit"),
    "RANGED": Verb((_BONUS,), "attack somebody in an adjacent place",
                   "attack an opponent on an adjacent place", order="Shoot"),
    "DMG": Verb((_N,), "so much more damage of the attack before it", "+{n} damage"),
    "DAMAGE": Verb((_N, _ONE), "damage that is not an attack", "deal {n} damage to {who}", on_card=0.8, order="Hurt"),
    "HEAL": Verb((_N, _ONE), "heal so much damage", "heal {n} damage of {who}", order="Heal"),
    "MOVE": Verb((_ONE, _COMPELLED), "move one step", "move {who} one step", on_card=0.5, order="Move"),
    "OBST": Verb((_WHERE,), "place or relocate an obstacle", "place or relocate an obstacle {where:border}", 0.2, 0.3),
    "IGNITE": Verb((_N, _FOE), "put fire tokens on somebody", "put {n:fire token} on {who}", order="Ignite"),
    "PULL": Verb((), "move somebody into the actor's place",
                 "pull an opponent or the mate from an adjacent place to this character's place", order="Pull"),
    "PUSH": Verb((), "move somebody out of the actor's place",
                 "push an opponent or the mate from this character's place to an adjacent place", order="Push"),
    "DISPLACE": Verb((_ONE, _COMPELLED), "move somebody out of its own place",
                     "push {who} to an adjacent place", order="Push"),
    "STUN": Verb((_FOE,), "stun somebody", "stun {who}", order="Stun"),
    "TELEPORT": Verb((_ONE,), "move to any place with a free slot",
                     "put {who} on any other place", on_card=0.8, order="Teleport"),
    "TRAP": Verb((_N, _WHERE), "put trap tokens on one place", "set {n:trap} {where}"),
    "SHIELD": Verb((_ONE,), "give a shield", "give {who} a shield", 1.2, order="Give a shield to"),
    "ESCAPE": Verb((_ONE,), "give an escape token",
                   "give {who} an escape token", 0.9, 0.4, order="Give an escape token to"),
    "FETCH": Verb((), "bring the mate into the actor's place",
                  "bring the mate to the place of the active character", on_card=0.4),
    "CLEANSE": Verb((_ONE,), "take fire and stun away", "remove all fire and stun tokens from {who}", order="Choose"),
    "REROLL_MAYHEM": Verb((), "roll the Mayhem die again", "roll the Mayhem die again"),
    "REROLL_ACT": Verb((), "roll some of your unplaced dice again", "roll any of your dice again"),
    "SET_ACT": Verb((Param.number("value", low=1, high=6),), "turn one of your unplaced dice to this number",
                    "turn one of your dice to {value}"),
    "REROLL_PLACED": Verb((), "roll the active piece's die on its slot again", "roll the die on its ability again"),
    "XFERFIRE": Verb((Param.selector("from", bases=_PIECES), Param.selector("to", bases=_PIECES)),
                     "move a piece's fire to another one",
                     "move all fire tokens from {from} to {to}"),
    "FLAG": Verb((Param.word("flag", "flag"), Param.selector("who", -1, bases=_PIECES)),
                 "set a state that lasts for a while",
                 "{flag}"),
    "PLACE": Verb((Param.word("token", "token"), _WHERE), "put a mission token on a place", "put {token} {where}"),
    "GIFTS": Verb((_N,), "hand out gift tokens", "take {n:gift}"),
    "FORGO_MOVE": Verb((), "give up this turn's free move", "give up the free move"),
    "PIZZA_TO": Verb((_ICON,), "mission: bring the pizza to a place", "fetch the pizza and bring it to {place}"),
    "GIFTS_TO": Verb((Param.word_set("places", "icon"),), "mission: bring a gift to each of these places",
                     "deliver a gift to {places}"),
    "CLUES": Verb((_N,), "mission: find so many clues", "find {n:clue}"),
    "MONSTER": Verb((Param.number("health", low=1, high=20),), "mission: defeat a monster with so much health",
                    "defeat the monster (health {health})"),
    "BOTH_AT": Verb((_ICON,), "mission: both characters at a place", "have both characters on {place}"),
    "BOTH_OPP_BASES": Verb((), "mission: both characters on the bases of the opponents",
                           "have a character on each of the opponent's bases"),
    "ABILITY_AT": Verb((_ICON,), "mission: use an ability with its special tier at a place",
                       "use an ability with its special effect on {place}"),
    "ROLL_STAR": Verb((), "mission: the die shows the star", "have a star rolled on the Mayhem die"),
    "KO_OPPONENT": Verb((), "mission: knock out an opponent", "KO an opponent"),
    "NOHEAL": Verb((), "as long as the card is in play: nobody of the team can be healed", "you cannot heal"),
    "TRAP_IMMUNE": Verb((), "a passive innate ability: traps do nothing to this character", "immune to traps"),
}

_CONDITIONS = {
    "die_below": "one of your unplaced dice shows less than this", "obstacles": "an obstacle can be placed or relocated",
    "wounded": "a piece of yours on the map has damage", "heals": "your team can be healed",
    "free_move": "the active piece still has its free move", "traps": "a trap can be placed near the active piece",
    "slot_used": "the ability of a slot was used in this turn", "fetchable": "the mate can be brought here",
    "stun_token": "a stun token is left", "same_place": "attacker and target are in the same place"}
_CONDITIONS_OF_A_PIECE = {
    "damaged": "the piece has damage", "ghost": "the piece ignores obstacles and traps", "locked": "the piece cannot move",
    "stunned": "the piece is stunned", "fire": "the piece has fire",
    "teleports": "another place has a free slot for the piece", "steps": "the piece can make a move",
    "displaceable": "the piece can be displaced", "near_own": "in or adjacent to a place with a piece of yours",
    "on_map": "the piece is on the map"}
_CONDITION_PARAMS = {"die_below": (Param.number("value", low=1, high=6),)}

VERB_CODES = numbers(v, "V_")
VOCABULARY = Vocabulary(
    game="titans",
    triggers={
        "start": Trigger(v.T_START, doc="Mayhem card: it can be played at the end of the start of the round"),
        "self": Trigger(v.T_SELF, doc="Mayhem card: for your own active piece"),
        "hostile": Trigger(v.T_HOSTILE, doc="Mayhem card: against the active piece of an opponent"),
        "attacked": Trigger(v.T_ATTACKED, doc="Mayhem card: when a piece of yours becomes the target of an attack"),
        "entered": Trigger(v.T_ENTERED, doc="Mayhem card: when an opposing piece enters a place with a piece of yours"),
        "moved": Trigger(v.T_MOVED, doc="Mayhem card: when the opposing active piece moves"),
        "ko": Trigger(v.T_KO, doc="Mayhem card: when a piece of yours is KO'd in an opposing turn"),
    },
    verbs={name: Signature(code, VERBS[name].params, VERBS[name].doc) for name, code in VERB_CODES.items()},
    bases={name: Signature(code, (_ICON,) if name in ("at", "border") else (), doc=_BASE_DOCS[name])
           for name, code in _BASES.items()},
    atoms={"here": Signature(0, doc="in the actor's place"),
           "close": Signature(1, (_ICON,), doc="in this place or adjacent to it")},
    picks={"one": Pick(0, doc="one of them, chosen by who decides"), "each": Pick(1, doc="every one of them")},
    conditions={name: Signature(code, _CONDITION_PARAMS.get(name, () if name in _CONDITIONS else (_ONE,)),
                                doc={**_CONDITIONS, **_CONDITIONS_OF_A_PIECE}[name]) for name, code in small(v, "C_").items()},
    words={
        "icon": {icon: number for number, icon in enumerate(ICONS) if not icon.startswith("BASE")}, "flag": numbers(v, "F_"),
        "token": {name: number for name, number in small(v, "MISSION_").items() if number != v.MISSION_GIFT},
    },
    word_docs={
        "icon": {"": "the icon of a place that is no base", "TV": "the television", "SLICE": "the pizza slice",
                 "JOY": "the joystick", "ANCHOR": "the anchor", "MASK": "the mask", "GEAR": "the gear"},
        "flag": {"": "a state that lasts for a while", "GHOST": "it ignores obstacles and traps in this round",
                 "LOCK": "it cannot make a move in this round",
                 "ATK1": "your attacks and traps deal 1 more damage in this round",
                 "TRAPSTUN": "your traps stun, too, in this round",
                 "SPECIAL_ON": "its ability reaches the special tier", "SPECIAL_OFF": "its ability does not reach the special tier",
                 "NEXT2": "its next attack deals 2 more damage"},
        "token": {"": "a mission token", "pizza": "the pizza", "clue": "a clue", "monster": "the monster"},
    },
    who={"own": 0, "opp": 1},
)

# ---- Schema ----


Title = Annotated[str, Field(min_length=1, max_length=40)]
Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Face = Annotated[int, Field(ge=1, le=6)]
Worth = Annotated[float, Field(ge=0, le=5)]
Count = Annotated[int, Field(ge=0, le=200)]


class Die(Component):
    """The Mayhem die: its six faces, ascending by number."""

    value: Annotated[tuple[Annotated[int, Field(ge=1, le=6)], ...], Field(min_length=6, max_length=6)]
    star: Annotated[tuple[bool, ...], Field(min_length=6, max_length=6)]


class Limits(Component):
    """How many tokens there are, and when a game that does not end is broken off."""

    obstacles: Annotated[int, Field(ge=0, le=19)]
    fire: Annotated[int, Field(ge=0, le=30)]
    shields: Annotated[int, Field(ge=0, le=4)]
    escapes: Annotated[int, Field(ge=0, le=4)]
    traps: Annotated[int, Field(ge=0, le=20)]           # of each team; also its stuns
    arena_traps: Annotated[int, Field(ge=0, le=40)]     # the common supply of the free-for-all
    gifts: Annotated[int, Field(ge=0, le=8)]
    clues: Annotated[int, Field(ge=0, le=9)]
    points: Annotated[int, Field(ge=1, le=9)]           # that win
    rounds: Annotated[int, Field(ge=1, le=40)]
    arena_rounds: Annotated[int, Field(ge=1, le=30)]
    draw: Annotated[int, Field(ge=1, le=7)]             # Mayhem cards a seat with two characters draws
    draw_one: Annotated[int, Field(ge=1, le=4)]         # ... and one with a single character


class Tile(Component):
    """A place tile. Its number is its place in the list."""

    key: Key
    title: Title
    icon: Literal["TV", "SLICE", "JOY", "ANCHOR", "MASK", "GEAR", "BASE_B", "BASE_W"]


class Ability(Component):
    """An ability with a die slot: what it does in the standard, special and star tier."""

    title: Title
    slot: Face
    std: EffectLine
    spc: EffectLine
    star: EffectLine


class Board(Component):
    """A character. `icons`: Mayhem cards it adds to the hand limit. `worth`: how much a bot likes to have it."""

    key: Key
    title: Title
    health: Annotated[int, Field(ge=1, le=30)]
    icons: Annotated[int, Field(ge=1, le=3)]
    innate: Title
    limit: Literal["turn", "game", "passive"]
    effect: Effect
    first_game: tuple[str, ...]         # Mayhem cards of the recommended first game
    worth: Worth = 1.0
    ability: Annotated[tuple[Ability, ...], Field(min_length=SLOTS, max_length=SLOTS)]


class Mayhem(Component):
    """A Mayhem card; the head of its line says when it can be played. `arena`: used in the free-for-all, too.

    `worth`: how much a bot likes to keep it.
    """

    id: Annotated[str, Field(pattern=r"^M[0-9]{2}$")]
    title: Title
    effect: Effect
    duration: Literal["instant", "turn", "round"]
    arena: bool
    worth: Worth = 0.8


class Go(Component):
    """A GO! card: what happens when it is revealed, what lasts, and what it asks for."""

    id: Annotated[str, Field(pattern=r"^G[0-9]{2}$")]
    title: Title
    family: Literal["pizza", "monster", "go_and_do", "gifts", "clues", "fight"]
    reveal: EffectLine
    aura: EffectLine
    mission: Effect
    points: Annotated[int, Field(ge=1, le=5)]


class TitansPack(PackSchema):
    """The whole file."""

    die: Die
    limits: Limits
    tile: Annotated[tuple[Tile, ...], Field(min_length=TILES, max_length=TILES)]
    board: Annotated[tuple[Board, ...], Field(min_length=BOARDS, max_length=BOARDS)]
    mayhem: Annotated[tuple[Mayhem, ...], Field(min_length=CARDS, max_length=CARDS)]
    go: Annotated[tuple[Go, ...], Field(min_length=MISSIONS, max_length=MISSIONS)]

    def vocabulary(self) -> Vocabulary:
        """The words of Titans in the notation."""
        return VOCABULARY

    @model_validator(mode="after")
    def _check_tiles(self) -> TitansPack:
        icons: Counter[str] = Counter(tile.icon for tile in self.tile)
        for icon in ICONS:
            wanted = 2 if icon.startswith("BASE") else 1
            if icons[icon] != wanted:
                raise PackProblem(f"{icons[icon]} tiles show {icon}; there must be {wanted}", "tile")
        return self

    @model_validator(mode="after")
    def _check_cards(self) -> TitansPack:
        cards = {card.id for card in self.mayhem}
        given: list[str] = []
        for number, board in enumerate(self.board):
            path = ("board", number, "first_game")
            if len(board.first_game) != board.icons:
                raise PackProblem(f"must list {counted(board.icons, 'card')}, one for each icon", *path)
            for index, card in enumerate(board.first_game):
                if card not in cards:
                    raise PackProblem(f"there is no [[mayhem]] {card!r}", *path, index)
                if card in given:
                    raise PackProblem(f"{card} is given twice", *path, index)
                given.append(card)
        arena = sum(card.arena for card in self.mayhem)
        if arena < MIN_ARENA_CARDS:
            raise PackProblem(f"{arena} cards have arena = true; the free-for-all needs {MIN_ARENA_CARDS}", "mayhem")
        if 2 * self.limits.draw > CARDS:
            raise PackProblem(f"two seats cannot draw {self.limits.draw} of {CARDS} cards", "limits", "draw")
        return self


@linker
def read(path_or_name: str) -> LoadedPack[TitansPack]:
    """Load a shipped pack by name or a file that ends in .toml, without compiling it. Raises PackError."""
    return load_pack(path_or_name, TitansPack, "titans", Path(__file__).parents[1])
