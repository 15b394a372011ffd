"""Pilots, Bosses, auras, assaults and tiles for a person: their effects in English, made from the effect notation."""
from __future__ import annotations

import re
from typing import TYPE_CHECKING

from seatmate.engine.core.effects import Atom, Call, Name, Number, Selector, Step
from seatmate.engine.core.effects_parse import parse_line
from seatmate.engine.monster_chase.content import vocabulary as v
from seatmate.engine.monster_chase.content.pack import VOCABULARY

if TYPE_CHECKING:
    from seatmate.engine.monster_chase.content.pack import Assault, Aura, Boss, ChasePack, Pilot, Tile
    from seatmate.engine.monster_chase.words.names import Names

THE_BOSS = "the Boss"
SPECIALS = {
    "landslide": "Who passes lightning lets a boulder fall on a square of the slide; it hurts whoever is there.",
    "volcano": "Who passes lightning rolls the die: that crater gets a bomb, or hurts whoever is there.",
    "portal": "Who drives into a portal rolls the die and goes on from that portal.",
    "crossing": "Who passes lightning (in the chase only the Boss) moves the Ugly-Snout to another paw; it hurts whoever is there.",
    "snow": "Who passes lightning rolls the die: ice falls on that square, or spins whoever is there.",
    "penguin": "Who passes an arch puts as many pieces of ice as it shows on free squares at most 6 away.",
    "lake": "Who rests on water at the end of an action falls off the track; the Boss jumps over it.",
    "ridge": "Who rests on lightning rolls the die: 1 and 2 blow it a lane to the left, 5 and 6 to the right.",
    "yeti": "Who passes lightning rolls the die: on 1 to 4 the hand is discarded, and none is drawn in the own turn.",
    "mirror": "Who leaves lightning rolls the die and goes on from that mirror.",
    "spirits": "Who ends a turn on lightning takes a spirit: a card whose effect can be used later.",
    "rolling": "Who passes lightning rolls the die: a boulder rolls back along its lane.",
}
_HEADS = {"start": "At the start of the turn: ", "end": "At the end of the turn: "}
_CHANGES = {"lost_turn": "it has lost {} in a turn", "lost_round": "it has lost {} in a round", "healed": "it gets {} back",
            "turn_squares": "it has driven {} in its turn", "pilot_offtrack": "a car goes off the track",
            "own_turn_end_furious": "its next turn ends", "rank_first": "it is first in the ranking"}
_COUNTS = {"lost_turn": "heart", "lost_round": "heart", "healed": "heart", "turn_squares": "square"}


def _counted(said: str, n: int) -> str:
    """`so many bombs` with the number: `2 bombs`, `1 bomb`; what is `so much more` is less for a number below 0."""
    if n < 0:
        said = said.replace("so much more", "so much less").replace("so many more", "so many fewer")
    said = re.sub("so many|so much", str(abs(n)), said)
    return re.sub(r"\b1 ((?:more |fewer |hidden prey |positive )?\w+?)(?<!s)s\b", r"1 \1", said)


def _selector(selector: Selector) -> str:
    """`the nearest car ahead`."""
    said, after = VOCABULARY.bases[selector.base].doc, ""
    for part in selector.filters:
        assert isinstance(part, Atom)
        if part.name in VOCABULARY.picks:       # of each of them one
            pick, comma, after = VOCABULARY.picks[part.name].doc.partition(",")
            said, after = said.replace("each", pick.removesuffix(" of them"), 1), comma + after
            continue
        n = part.args[0].value if part.args else Number(0)
        assert isinstance(n, Number)
        said += f" {_counted(VOCABULARY.atoms[part.name].doc, n.value)}"
    return said + after


def effect(text: str, doer: str = "the car") -> str:
    """A line of effect as a sentence; `doer`: whose effect it is."""
    line = parse_line(text)
    step = line.body[0]
    assert isinstance(step, Step)
    params = VOCABULARY.verbs[step.verb].params
    values = {argument.key or param.name: argument.value for param, argument in zip(params, step.args, strict=False)}
    numbers = {name: value.value for name, value in values.items() if isinstance(value, Number)}
    n = numbers.get("n", 0)
    if step.verb in ("MOD", "TURN"):
        assert isinstance(values["key"], Name)
        said = _counted(VOCABULARY.word_docs["mod"][values["key"].name], n)
        said = f"until the end of the turn {said}" if step.verb == "TURN" else said
    else:
        said = _counted("take so many stars from somebody" if n < 0 else VOCABULARY.verbs[step.verb].doc, n)
        if step.verb == "HEAL":
            said = said.split("; ")[doer == THE_BOSS]
        for name, value in values.items():
            if isinstance(value, Selector):
                said = said.replace("somebody", _selector(value))
            elif name == "place" and isinstance(value, Name):
                said += f" {_counted(VOCABULARY.word_docs['place'][value.name], numbers.get('k', 0))}"
    if step.condition:
        left = step.condition[0].left
        number = left.args[0].value if isinstance(left, Call) else Number(0)
        assert isinstance(left, Name | Call) and isinstance(number, Number)
        said += f", if {_counted(VOCABULARY.conditions[left.name].doc, number.value)}"
    said = (_HEADS[line.head.trigger] if line.head else "") + said.replace("whoever does it", doer)
    return said[0].upper() + said[1:] + "."


def effects(lines: tuple[str, ...], doer: str = "the car") -> tuple[str, ...]:
    """A sentence for each."""
    return tuple(effect(str(line), doer) for line in lines)


def _effects(lines: tuple[str, ...], doer: str = "the car") -> str:
    return " ".join(effects(lines, doer)) or "Nothing."


def _change(text: str) -> str:
    """`lost_turn>=2` as a clause."""
    what, how, n = re.split("(<=|>=)", text)
    counted = _counted(f"so many {_COUNTS.get(what, '')}s", int(n))
    return _CHANGES[what].format(f"at {'most' if how == '<=' else 'least'} {counted}")


def tile_lines(tile: Tile) -> tuple[str, ...]:
    """What is special about a side of a tile."""
    special = [SPECIALS[tile.special]] if tile.special in SPECIALS else []
    special += ["Sand costs one more of the squares to drive, if any are left."] if tile.sand else []
    return tuple(special) or ("It has no special.",)


def pilot_lines(pack: ChasePack, pilot: Pilot, races: bool) -> tuple[str, ...]:
    """The star powers of a board, in races or in the chase."""
    first, third = (pilot.race_l1, pilot.race_l3) if races else (pilot.mc_l1, pilot.mc_l3)
    second = pack.common_power[0].fx
    return f"For 1 star: {_effects(first)}", f"For 2 stars: {_effects(second)}", f"For 3 stars: {_effects(third)}"


def boss_lines(boss: Boss) -> tuple[str, ...]:
    """What a Boss does, and what makes it furious and calm."""
    return (f"Always: {_effects(boss.always, THE_BOSS)}", f"Calm: {_effects(boss.normal, THE_BOSS)}",
            f"It becomes furious when {_change(boss.to_furious)}.", f"Furious: {_effects(boss.furious, THE_BOSS)}",
            f"It becomes calm when {_change(boss.to_normal)}.")


def aura_names(aura: Aura) -> tuple[str, str]:
    """Of the negative and the positive half."""
    low, high = (aura.name.split(" / ") * 2)[:2]
    return low, high


def aura_lines(aura: Aura) -> tuple[str, ...]:
    """Both halves of an aura."""
    low, high = aura_names(aura)
    return f"Negative, {low}: {_effects(aura.neg)}", f"Positive, {high}: {_effects(aura.pos)}"


def assault_lines(assault: Assault) -> tuple[str, ...]:
    """Both halves of an assault."""
    return (f"While the Boss is on a green position: {_effects(assault.green, THE_BOSS)}",
            f"On a red one: {_effects(assault.red, THE_BOSS)}")


def meanings(names: Names) -> dict[str, str]:
    """What the names of the pack mean, as entries of a glossary."""
    pack, found = names.pack, {}
    races = names.kinds[-1] != v.K_BOSS
    for pilot in pack.pilot:
        powers = " ".join(pilot_lines(pack, pilot, races))
        found[f"{pilot.name}, {pilot.id}, {pilot.car}"] = f"a pilot, in the {pilot.car}. {powers}"
    for boss in pack.boss:
        found[f"{boss.name}, {boss.id}"] = f"a Boss. {' '.join(boss_lines(boss))}"
    for aura in pack.aura:
        if not aura.chaos:
            found[", ".join(aura_names(aura))] = f"an aura. {' '.join(aura_lines(aura))}"
    for assault in pack.assault:
        if not assault.chaos:
            found[assault.name] = f"an assault. {' '.join(assault_lines(assault))}"
    for nitro in pack.nitro:
        found[nitro.id.capitalize()] = f"a Magic-Nitro. {_effects(nitro.fx)}"
    for tile in pack.tile:
        if not tile.test:
            found[f"{tile.name}, {tile.id}"] = f"a tile side. {' '.join(tile_lines(tile))}"
    for slot, side in enumerate(names.track.tiles):
        found[f"tile {slot + 1}, #{slot + 1}"] = f"{side.name} ({side.id}), a tile side. {' '.join(tile_lines(side))}"
    return found
