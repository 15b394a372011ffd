"""Ids and titles of a pack, and the questions."""
from __future__ import annotations

import functools

from seatmate.engine.core.spec import Prompt
from seatmate.engine.monster_chase.content import vocabulary as v
from seatmate.engine.monster_chase.content.pack import EFFECTS, ChasePack, numbers
from seatmate.engine.monster_chase.content.track import Track
from seatmate.engine.monster_chase.words import cards
from seatmate.engine.monster_chase.words.glossary import GLOSSARY

_QUESTIONS = {
    "PILOT_PICK": "Which pilot?", "DRAFT_PICK": "Which pilot does your stable take?",
    "DRAFT_ASSIGN": "Which pilot drives this car?",
    "GRID_CAR": "Which car is put on the grid?", "GRID_SLOT": "On which position?", "AURA_DROP": "Which aura is given up?",
    "TURN_MENU": "What do you do?", "CARD": "Which card?", "MAN_CARD": "Which card of the manoeuvre?",
    "EFFECT": "Use the effect?", "FORK": "Which way?", "MAN_EFFECT": "Which effect does the manoeuvre have?",
    "LINK_CAR": "With which car?", "POWER_PICK": "Which vehicle?", "DONOR": "Who pays for the power?",
    "KIN_POINTS": "How many squares does the other car move?", "ASTRAL_OFFER": "Do you give a card?",
    "TELEPORT": "Where do you reappear?", "POWER_SQUARE": "On which square?", "SLAB_SQUARE": "Where does the ice go?",
    "DECK_PICK": "From which deck?", "SPIRIT_TAKE": "Which spirit?", "HAND_DISCARD": "Which card do you discard?",
    "SHIELD_BOOST": "How many shields for more damage?", "SHIELD_BLOCK": "How many shields against the damage?",
    "RETURN_SQUARE": "Where do you come back?", "SHIELD_UPKEEP": "Which do you lose?", "SPIRIT_USE": "Use the spirit now?",
    "SLIDE_SQUARE": "Where does the boulder fall?", "SNOUT_SQUARE": "Where does the Ugly-Snout go?",
    "ROLL_PICK": "Which boulder rolls?", "BOSS_TIE": "What does the Boss do?", "NITRO_DEAL": "With whom?"}
PROMPTS = tuple(Prompt(key, _QUESTIONS[key], opens=key == "TURN_MENU") for key in numbers("Q_") if key != "NOTHING")
PROMPT_NUMBER = {prompt.key: number for number, prompt in enumerate(PROMPTS)}
PREY = {"heart": "heart", "double_heart": "double heart", "discard": "no assault", "auras": "two auras",
        "heart_discard": "heart and no assault"}
"""What prey tokens are called, by their kinds."""
LANES = ("left", "middle", "right")


class Names:
    """What the numbers of a pack and of a circuit are called. stables: of the vehicles, empty where there are none."""

    def __init__(self, pack: ChasePack, track: Track, kinds: tuple[int, ...], stables: tuple[int, ...], boss: int,
                 green: int) -> None:
        self.pack = pack
        self.track = track
        self.kinds = kinds
        self.stables = stables
        self.green = green
        self.boss = pack.boss[boss]
        self.ids = tuple([f"aura{row.id}" for row in pack.aura] + [f"assault{row.id}" for row in pack.assault])
        self.types = tuple(f"{EFFECTS[type_ % v.RUSH // v.VALUES]}-{type_ % v.VALUES + 1}{'sr'[type_ >= v.RUSH]}"
                           for type_ in range(v.TYPES))
        self.type_number = {name: number for number, name in enumerate(self.types)}

    @functools.cached_property
    def meanings(self) -> dict[str, str]:
        """All that can be looked up."""
        return GLOSSARY | cards.meanings(self)

    def card(self, type_: int) -> str:
        """`Missile 4`."""
        return f"{EFFECTS[type_ % v.RUSH // v.VALUES].capitalize()} {type_ % v.VALUES + 1}"

    def vehicle(self, number: int) -> str:
        """`seat 2's car`, `the drone`, `the Boss`."""
        kind = self.kinds[number]
        if kind == v.K_PILOT:
            return f"seat {number}"
        if kind == v.K_BOT:
            return f"bot {number - self.kinds.index(v.K_BOT) + 1}"
        return {v.K_DRONE: "the drone", v.K_GHOST: "the ghost"}.get(kind, f"the {self.boss.name}")

    def stable(self, number: int) -> str:
        """`stable A`."""
        return f"stable {'ABCD'[number]}"

    def aura(self, number: int, positive: bool) -> str:
        """The name of a half."""
        halves = self.pack.aura[number].name.split(" / ")
        return halves[positive] if len(halves) > 1 else halves[0]

    def prey(self, kind: int) -> str:
        """What a prey token is called: who hides `no assault` discards the assault, `two auras` draws two."""
        return PREY[self.pack.prey[kind].kind]

    def square(self, number: int) -> str:
        """`tile 3 middle 2`: tiles and squares are counted from 1, from the rear."""
        square = self.track.squares[number]
        return f"tile {square.slot + 1} {LANES[square.lane]} {square.idx + 1}"
