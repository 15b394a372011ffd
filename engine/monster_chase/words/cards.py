"""Pilots, Bosses, auras, assaults and tiles for a person: their effects in English, made from the effect notation."""
from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from seatmate.engine.core.effects import Atom, Call, Name, Number, Selector, Step, Value
from seatmate.engine.core.effects_parse import parse_line
from seatmate.engine.monster_chase.content.pack import VOCABULARY

if TYPE_CHECKING:
    from seatmate.engine.monster_chase.words.names import Names

WIDTH = 79
MAX_FOUND = 8


def _counted(said: str, n: int) -> str:
    """`so many bombs` with the number."""
    said = said.replace("so many", str(abs(n))).replace("so much", str(abs(n))).replace("so far away", f"{abs(n)} squares away")
    if abs(n) != 1:
        return said
    return " ".join(word[:-1] if before == "1" and word.endswith("s") else word
                    for before, word in zip(["", *said.split()], said.split(), strict=False))


def _selector(selector: Selector) -> str:
    """`all cars that are ahead`."""
    said = VOCABULARY.bases[selector.base].doc
    for part in selector.filters:
        assert isinstance(part, Atom)
        if part.name in VOCABULARY.picks:
            said += f", {VOCABULARY.picks[part.name].doc}"
            continue
        doc = VOCABULARY.atoms[part.name].doc
        n = part.args[0].value if part.args else Number(0)
        said += f" {_counted(doc, n.value) if isinstance(n, Number) else doc}"
    return said


def _value(name: str, value: Value) -> str:
    if isinstance(value, Selector):
        return _selector(value)
    if isinstance(value, Name):
        return VOCABULARY.word_docs["place" if name == "place" else "mod"].get(value.name, value.name)
    return str(value.value) if isinstance(value, Number) else ""


def effect(text: str) -> str:
    """A line of effect as a sentence."""
    line = parse_line(text)
    step = line.body[0]
    assert isinstance(step, Step)
    params = VOCABULARY.verbs[step.verb].params
    values = {argument.key or param.name: argument.value for param, argument in zip(params, step.args, strict=False)}
    n = values.get("n", Number(0))
    assert isinstance(n, Number)
    said = VOCABULARY.verbs[step.verb].doc
    if step.verb in ("MOD", "TURN"):
        key = _value("key", values["key"])
        said = key if n.value == 1 and " " in key and key.split()[0] not in ("the", "damage", "how") else f"{key}: {n.value:+d}"
        said = f"until the end of the turn, {said}" if step.verb == "TURN" else said
    else:
        said = ("loses " if n.value < 0 else "") + _counted(said, n.value)
        k = values.get("k", Number(0))
        assert isinstance(k, Number)
        more = [_counted(_value(name, value), k.value) for name, value in values.items() if name not in ("n", "k")]
        said += f" ({'; '.join(more)})" if more else ""
    if step.condition:
        left = step.condition[0].left
        number = left.args[0].value if isinstance(left, Call) else Number(0)
        assert isinstance(left, Name | Call) and isinstance(number, Number)
        said += f", if {_counted(VOCABULARY.conditions[left.name].doc, number.value)}"
    head = {"start": "at the start of the turn ", "end": "at the end of the turn "}[line.head.trigger] if line.head else ""
    said = head + said
    return said[0].upper() + said[1:] + "."


def _effects(lines: tuple[str, ...]) -> str:
    return " ".join(effect(str(line)) for line in lines) or "Nothing."


def describe(names: Names, text: str) -> list[str]:
    """What the text may mean, in rich markup."""
    wanted = text.strip().lower()
    pack = names.pack
    races = names.kinds[-1] != 4
    rows: list[tuple[str, str]] = []
    for pilot in pack.pilot:
        first, third = (pilot.race_l1, pilot.race_l3) if races else (pilot.mc_l1, pilot.mc_l3)
        rows.append((f"{pilot.id} {pilot.name} {pilot.car}", f"{pilot.name} ({pilot.car}). 1 star: {_effects(first)} 2 stars: "
                     f"{_effects(pack.common_power[0].fx)} 3 stars: {_effects(third)}"))
    for boss in pack.boss:
        rows.append((f"{boss.id} {boss.name}", f"{boss.name}. Always: {_effects(boss.always)} Normal: {_effects(boss.normal)} "
                     f"Furious: {_effects(boss.furious)}"))
    for aura in pack.aura:
        rows.append((aura.name, f"{aura.name}, an aura. Negative: {_effects(aura.neg)} Positive: {_effects(aura.pos)}"))
    for assault in pack.assault:
        rows.append((assault.name, f"{assault.name}, an assault. On a green position: {_effects(assault.green)} On a red one: "
                     f"{_effects(assault.red)}"))
    for nitro in pack.nitro:
        rows.append((nitro.id, f"{nitro.id.capitalize()}, a Magic-Nitro: {_effects(nitro.fx)}"))
    for tile in pack.tile:
        rows.append((f"{tile.id} {tile.name}", f"{tile.name} ({tile.id}), a tile side"
                     + (f" with the special {tile.special}." if tile.special != "none" else ".")))
    said = [row for key, row in rows if wanted in key.lower()][:MAX_FOUND] if len(wanted) > 2 else []
    lines = [textwrap.wrap(one, WIDTH, subsequent_indent="    ") for one in said]
    return [line.replace("[", "\\[") for row in lines for line in row]
