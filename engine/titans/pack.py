"""The content pack of Titans: its schema and its words in the effect notation."""
from __future__ import annotations

import functools
from collections import Counter
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from seatmate.engine.core.effects_vocabulary import Param, Pick, Signature, Trigger, Vocabulary
from seatmate.engine.core.packs import Component, EffectLine, EffectText, LoadedPack, PackSchema, load_pack
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
        "start": Trigger(0),                # Mayhem card: at the end of the start of the round
        "self": Trigger(1),                 # ... for the own active piece
        "hostile": Trigger(2),              # ... against the active piece
        "attacked": Trigger(3),             # ... when an own piece becomes the target of an attack
        "entered": Trigger(4),              # ... when an opposing piece enters a place with an own piece
        "moved": Trigger(5),                # ... when the opposing active piece moves
        "ko": Trigger(6),                   # ... when an own piece is KO'd in an opposing turn
    },
    verbs={
        "MELEE": Signature(0, (_BONUS,)),                                   # attack in the own place
        "RANGED": Signature(1, (_BONUS,)),                                  # attack on an adjacent place
        "DMG": Signature(2, (_N,)),                                         # more damage of the nearest attack before it
        "DAMAGE": Signature(3, (_N, _ONE)),                                 # damage that is not an attack
        "HEAL": Signature(4, (_N, _ONE)),
        "MOVE": Signature(5, (_ONE, _COMPELLED)),                           # one step
        "OBST": Signature(6, (_WHERE,)),                                    # place or relocate an obstacle
        "IGNITE": Signature(7, (_N, _FOE)),                                 # fire tokens
        "PULL": Signature(8),                                               # into the actor's place
        "PUSH": Signature(9),                                               # out of the actor's place
        "DISPLACE": Signature(10, (_ONE, _COMPELLED)),                      # out of its own place
        "STUN": Signature(11, (_FOE,)),
        "TELEPORT": Signature(12, (_ONE,)),
        "TRAP": Signature(13, (_N, _WHERE)),                                # trap tokens on one place
        "SHIELD": Signature(14, (_ONE,)),
        "ESCAPE": Signature(15, (_ONE,)),
        "FETCH": Signature(16),                                             # the mate into the actor's place
        "CLEANSE": Signature(17, (_ONE,)),                                  # fire and stun leave
        "REROLL_MAYHEM": Signature(18),
        "REROLL_ACT": Signature(19),                                        # some of the own unplaced dice
        "SET_ACT": Signature(20, (Param.number("value", low=1, high=6),)),  # one of them
        "REROLL_PLACED": Signature(21),                                     # the active piece's die on its slot
        "XFERFIRE": Signature(22, (Param.selector("from", bases=_PIECES), Param.selector("to", bases=_PIECES))),
        "FLAG": Signature(23, (Param.word("flag", "flag"), Param.selector("who", -1, bases=_PIECES))),
        "PLACE": Signature(24, (Param.word("token", "token"), _WHERE)),     # a mission token
        "GIFTS": Signature(25, (_N,)),
        "FORGO_MOVE": Signature(26),                                        # give up this turn's free move
        # What a GO! card asks for, and what it does as long as it is in play.
        "PIZZA_TO": Signature(27, (_ICON,)),
        "GIFTS_TO": Signature(28, (Param.word_set("places", "icon"),)),
        "CLUES": Signature(29, (Param.number("n", low=1, high=9),)),
        "MONSTER": Signature(30, (Param.number("health", low=1, high=20),)),
        "BOTH_AT": Signature(31, (_ICON,)),
        "BOTH_OPP_BASES": Signature(32),
        "ABILITY_AT": Signature(33, (_ICON,)),                              # with the special tier
        "ROLL_STAR": Signature(34),
        "KO_OPPONENT": Signature(35),
        "NOHEAL": Signature(36),                                            # nobody of the team can be healed
        "TRAP_IMMUNE": Signature(37),                                       # an innate ability
    },
    bases={name: Signature(code, (_ICON,) if name in ("at", "border") else ())
           for code, name in enumerate((*_PIECES, *_SCOPES))},
    atoms={"here": Signature(0),                                            # in the actor's place
           "close": Signature(1, (_ICON,))},                                # in this place or adjacent to it
    picks={"one": Pick(0), "each": Pick(1)},
    conditions={
        "die_below": Signature(0, (Param.number("value", low=1, high=6),)),     # an own unplaced die shows less
        "obstacles": Signature(1),                                              # one can be placed or relocated
        "wounded": Signature(2),                                                # an own piece on the map has damage
        "heals": Signature(3),                                                  # the own team can be healed
        "free_move": Signature(4),                                              # the active piece still has it, in the move stage
        "damaged": Signature(5, (_ONE,)),
        "ghost": Signature(6, (_ONE,)),
        "locked": Signature(7, (_ONE,)),
        "stunned": Signature(8, (_ONE,)),
        "fire": Signature(9, (_ONE,)),
        "teleports": Signature(10, (_ONE,)),                                    # another place has a free slot
        "steps": Signature(11, (_ONE,)),                                        # it can make a move
        "displaceable": Signature(12, (_ONE,)),
        "traps": Signature(13),                                                 # a trap can be placed near the active piece
        "slot_used": Signature(14),                                             # the slot ability of this turn
        "fetchable": Signature(15),                                             # the mate can be brought here
        "near_own": Signature(16, (_ONE,)),                                     # in or adjacent to a place with an own piece
        "stun_token": Signature(17),                                            # one is left
        "same_place": Signature(18),                                            # attacker and target
        "on_map": Signature(19, (_ONE,)),
    },
    words={
        "icon": _numbered(*ICONS),
        "flag": _numbered("GHOST", "LOCK", "ATK1", "TRAPSTUN", "SPECIAL_ON", "SPECIAL_OFF", "NEXT2"),
        "token": _numbered("pizza", "clue", "monster"),
    },
    who={"own": 0, "opp": 1},
)

# ---- Schema ----


def _shown(title: str) -> str:
    """A title that every terminal shows on one line and no terminal obeys."""
    if not title.isprintable() or not title.strip():
        raise ValueError("must be printable text on one line")
    return title


Title = Annotated[str, Field(min_length=1, max_length=40), AfterValidator(_shown)]
Effect = Annotated[str, Field(min_length=1), AfterValidator(EffectText)]       # an EffectLine that must do something
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
    def _check_rows(self) -> TitansPack:
        for table, field in (("tile", "key"), ("board", "key"), ("mayhem", "id"), ("go", "id")):
            names = [getattr(row, field) for row in getattr(self, table)]
            for number, name in enumerate(names):
                if name in names[:number]:
                    raise ValueError(f"[[{table}]] #{number + 1}: {name!r} is used twice")
        icons: Counter[str] = Counter(tile.icon for tile in self.tile)
        for icon in ICONS:
            wanted = 2 if icon.startswith("BASE") else 1
            if icons[icon] != wanted:
                raise ValueError(f"[[tile]]: {icons[icon]} tiles show {icon}; there must be {wanted}")
        return self

    @model_validator(mode="after")
    def _check_cards(self) -> TitansPack:
        cards = {card.id for card in self.mayhem}
        given: list[str] = []
        for board in self.board:
            if len(board.first_game) != board.icons:
                raise ValueError(f"[[board]] {board.key}: first_game must list {counted(board.icons, 'card')}, one for each icon")
            for card in board.first_game:
                if card not in cards:
                    raise ValueError(f"[[board]] {board.key}: first_game: there is no [[mayhem]] {card!r}")
            given += board.first_game
        if len(set(given)) < len(given):
            raise ValueError(f"[[board]]: first_game gives {Counter(given).most_common(1)[0][0]} to two characters")
        arena = sum(card.arena for card in self.mayhem)
        if arena < MIN_ARENA_CARDS:
            raise ValueError(f"[[mayhem]]: {arena} cards have arena = true; the free-for-all needs {MIN_ARENA_CARDS}")
        if 2 * self.limits.draw > CARDS:
            raise ValueError(f"[limits] draw: two seats cannot draw {self.limits.draw} of {CARDS} cards")
        return self


def read(path_or_name: str) -> LoadedPack[TitansPack]:
    """Load a shipped pack by name or a file that ends in .toml, without compiling it. Raises PackError."""
    if path_or_name.endswith(".toml"):
        return load_pack(path_or_name, TitansPack, "titans", Path(__file__).parent)
    return _shipped(path_or_name)


@functools.cache
def _shipped(name: str) -> LoadedPack[TitansPack]:
    return load_pack(name, TitansPack, "titans", Path(__file__).parent)
