"""The content pack of Titans: its schema and its words in the effect notation."""
from __future__ import annotations

import functools
from collections import Counter
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from seatmate.engine.core.effects_vocabulary import Param, Pick, Signature, Trigger, Vocabulary
from seatmate.engine.core.packs import Component, Effect, EffectLine, LoadedPack, PackProblem, PackSchema, load_pack
from seatmate.engine.core.spec import counted

CARDS, MISSIONS, TILES, BOARDS, SLOTS = 22, 12, 10, 4, 2
"""Components of the box: Mayhem cards, GO! cards, place tiles, characters, abilities of a character."""

MIN_ARENA_CARDS = 12
"""Mayhem cards the free-for-all needs: four for each of three seats."""


def _numbered(*names: str) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


# ---- Words of the notation ----
#
# The numbers are those of the enums in vocabulary.pxd.

ICONS = ("TV", "SLICE", "JOY", "ANCHOR", "MASK", "GEAR", "BASE_B", "BASE_W")
"""Icons of places; the two bases of a team share theirs."""

_PIECES = ("self", "act", "tgt", "atk", "host", "mate", "own", "enemy")
_SCOPES = ("near", "any", "at", "border", "ownbase", "special")
_BASE_DOCS = {
    "self": "the piece itself that has the ability", "act": "the active piece", "tgt": "the piece that is attacked or has come",
    "atk": "the attacker", "host": "your piece in the place that was entered", "mate": "the other piece of the team",
    "own": "the pieces of your team", "enemy": "the pieces of opponents", "near": "the actor's place and those around it",
    "any": "all places", "at": "the place with this icon", "border": "the borders of the place with this icon",
    "ownbase": "the bases of your team", "special": "the places that are no bases"}
_ICON = Param.word("place", "icon")
_ONE = Param.selector("who", bases=_PIECES)
_FOE = Param.selector("who", "@enemy.here.one", bases=_PIECES)
_WHERE = Param.selector("where", bases=_SCOPES)
_COMPELLED = Param.flag("compelled")        # may not be declined
_BONUS = Param.number("bonus", 0, low=0, high=9)
_N = Param.number("n", low=1, high=9)

VOCABULARY = Vocabulary(
    game="titans",
    triggers={
        "start": Trigger(0, doc="Mayhem card: it can be played at the end of the start of the round"),
        "self": Trigger(1, doc="Mayhem card: for your own active piece"),
        "hostile": Trigger(2, doc="Mayhem card: against the active piece of an opponent"),
        "attacked": Trigger(3, doc="Mayhem card: when a piece of yours becomes the target of an attack"),
        "entered": Trigger(4, doc="Mayhem card: when an opposing piece enters a place with a piece of yours"),
        "moved": Trigger(5, doc="Mayhem card: when the opposing active piece moves"),
        "ko": Trigger(6, doc="Mayhem card: when a piece of yours is KO'd in an opposing turn"),
    },
    verbs={
        "MELEE": Signature(0, (_BONUS,), doc="attack somebody in the same place"),
        "RANGED": Signature(1, (_BONUS,), doc="attack somebody in an adjacent place"),
        "DMG": Signature(2, (_N,), doc="so much more damage of the attack before it"),
        "DAMAGE": Signature(3, (_N, _ONE), doc="damage that is not an attack"),
        "HEAL": Signature(4, (_N, _ONE), doc="heal so much damage"),
        "MOVE": Signature(5, (_ONE, _COMPELLED), doc="move one step"),
        "OBST": Signature(6, (_WHERE,), doc="place or relocate an obstacle"),
        "IGNITE": Signature(7, (_N, _FOE), doc="put fire tokens on somebody"),
        "PULL": Signature(8, doc="move somebody into the actor's place"),
        "PUSH": Signature(9, doc="move somebody out of the actor's place"),
        "DISPLACE": Signature(10, (_ONE, _COMPELLED), doc="move somebody out of its own place"),
        "STUN": Signature(11, (_FOE,), doc="stun somebody"),
        "TELEPORT": Signature(12, (_ONE,), doc="move to any place with a free slot"),
        "TRAP": Signature(13, (_N, _WHERE), doc="put trap tokens on one place"),
        "SHIELD": Signature(14, (_ONE,), doc="give a shield"),
        "ESCAPE": Signature(15, (_ONE,), doc="give an escape token"),
        "FETCH": Signature(16, doc="bring the mate into the actor's place"),
        "CLEANSE": Signature(17, (_ONE,), doc="take fire and stun away"),
        "REROLL_MAYHEM": Signature(18, doc="roll the Mayhem die again"),
        "REROLL_ACT": Signature(19, doc="roll some of your unplaced dice again"),
        "SET_ACT": Signature(20, (Param.number("value", low=1, high=6),), doc="turn one of your unplaced dice to this number"),
        "REROLL_PLACED": Signature(21, doc="roll the active piece's die on its slot again"),
        "XFERFIRE": Signature(22, (Param.selector("from", bases=_PIECES), Param.selector("to", bases=_PIECES)),
                              doc="move a piece's fire to another one"),
        "FLAG": Signature(23, (Param.word("flag", "flag"), Param.selector("who", -1, bases=_PIECES)),
                          doc="set a state that lasts for a while"),
        "PLACE": Signature(24, (Param.word("token", "token"), _WHERE), doc="put a mission token on a place"),
        "GIFTS": Signature(25, (_N,), doc="hand out gift tokens"),
        "FORGO_MOVE": Signature(26, doc="give up this turn's free move"),
        # What a GO! card asks for, and what it does as long as it is in play.
        "PIZZA_TO": Signature(27, (_ICON,), doc="mission: bring the pizza to a place"),
        "GIFTS_TO": Signature(28, (Param.word_set("places", "icon"),), doc="mission: bring a gift to each of these places"),
        "CLUES": Signature(29, (Param.number("n", low=1, high=9),), doc="mission: find so many clues"),
        "MONSTER": Signature(30, (Param.number("health", low=1, high=20),), doc="mission: defeat a monster with so much health"),
        "BOTH_AT": Signature(31, (_ICON,), doc="mission: both characters at a place"),
        "BOTH_OPP_BASES": Signature(32, doc="mission: both characters on the bases of the opponents"),
        "ABILITY_AT": Signature(33, (_ICON,), doc="mission: use an ability with its special tier at a place"),
        "ROLL_STAR": Signature(34, doc="mission: the die shows the star"),
        "KO_OPPONENT": Signature(35, doc="mission: knock out an opponent"),
        "NOHEAL": Signature(36, doc="as long as the card is in play: nobody of the team can be healed"),
        "TRAP_IMMUNE": Signature(37, doc="a passive innate ability: traps do nothing to this character"),
    },
    bases={name: Signature(code, (_ICON,) if name in ("at", "border") else (), doc=_BASE_DOCS[name])
           for code, name in enumerate((*_PIECES, *_SCOPES))},
    atoms={"here": Signature(0, doc="in the actor's place"),
           "close": Signature(1, (_ICON,), doc="in this place or adjacent to it")},
    picks={"one": Pick(0, doc="one of them, chosen by who decides"), "each": Pick(1, doc="every one of them")},
    conditions={
        "die_below": Signature(0, (Param.number("value", low=1, high=6),), doc="one of your unplaced dice shows less than this"),
        "obstacles": Signature(1, doc="an obstacle can be placed or relocated"),
        "wounded": Signature(2, doc="a piece of yours on the map has damage"),
        "heals": Signature(3, doc="your team can be healed"),
        "free_move": Signature(4, doc="the active piece still has its free move"),
        "damaged": Signature(5, (_ONE,), doc="the piece has damage"),
        "ghost": Signature(6, (_ONE,), doc="the piece ignores obstacles and traps"),
        "locked": Signature(7, (_ONE,), doc="the piece cannot move"),
        "stunned": Signature(8, (_ONE,), doc="the piece is stunned"),
        "fire": Signature(9, (_ONE,), doc="the piece has fire"),
        "teleports": Signature(10, (_ONE,), doc="another place has a free slot for the piece"),
        "steps": Signature(11, (_ONE,), doc="the piece can make a move"),
        "displaceable": Signature(12, (_ONE,), doc="the piece can be displaced"),
        "traps": Signature(13, doc="a trap can be placed near the active piece"),
        "slot_used": Signature(14, doc="the ability of a slot was used in this turn"),
        "fetchable": Signature(15, doc="the mate can be brought here"),
        "near_own": Signature(16, (_ONE,), doc="in or adjacent to a place with a piece of yours"),
        "stun_token": Signature(17, doc="a stun token is left"),
        "same_place": Signature(18, doc="attacker and target are in the same place"),
        "on_map": Signature(19, (_ONE,), doc="the piece is on the map"),
    },
    words={
        "icon": _numbered(*ICONS),
        "flag": _numbered("GHOST", "LOCK", "ATK1", "TRAPSTUN", "SPECIAL_ON", "SPECIAL_OFF", "NEXT2"),
        "token": _numbered("pizza", "clue", "monster"),
    },
    word_docs={
        "icon": {"": "the icon of a place", "TV": "the television", "SLICE": "the pizza slice", "JOY": "the joystick",
                 "ANCHOR": "the anchor", "MASK": "the mask", "GEAR": "the gear", "BASE_B": "the bases of the black team",
                 "BASE_W": "the bases of the white team"},
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


def read(path_or_name: str) -> LoadedPack[TitansPack]:
    """Load a shipped pack by name or a file that ends in .toml, without compiling it. Raises PackError."""
    if path_or_name.endswith(".toml"):
        return load_pack(path_or_name, TitansPack, "titans", Path(__file__).parents[1])
    return _shipped(path_or_name)


@functools.cache
def _shipped(name: str) -> LoadedPack[TitansPack]:
    return load_pack(name, TitansPack, "titans", Path(__file__).parents[1])
