"""The table in a terminal of 80 columns, in rich markup."""
from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.spec import Unit, counted, words
from seatmate.engine.monster_chase.content import vocabulary as v

if TYPE_CHECKING:
    from seatmate.engine.monster_chase.words.names import Names

WIDTH = 79
GRADE = Unit(name="grade", heading="Grade", high=100,
             doc="100 when the Boss is beaten; where it escapes up to 30, by the hearts it has lost; 0 when it gets too strong")
"""What a chase comes to."""
_OBJECTS = ".o*#"
_SIGNS = ((v.SQ_VOID, " "), (v.SQ_WATER, "~"), (v.SQ_SAND, ":"), (v.SQ_LIGHTNING, "!"), (v.SQ_PORTAL_IN, "@"))


def sign(names: Names, vehicle: int) -> str:
    """A letter for a vehicle: its seat's number, D drone, G ghost, B bots, X the Boss."""
    kind = names.kinds[vehicle]
    return str(vehicle) if kind == v.K_PILOT else {v.K_DRONE: "D", v.K_GHOST: "G", v.K_BOT: "b"}.get(kind, "X")


def _lines(text: str, indent: str = "    ") -> list[str]:
    return [line.replace("[", "\\[") for line in textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False)]


def _mark(names: Names, seen: Mapping[str, Any], number: int) -> str:
    for vehicle, car in enumerate(seen["cars"]):
        if car["sq"] == number:
            return sign(names, vehicle)
    if seen["snout"] == number:
        return "S"
    if seen["objects"][number]:
        return _OBJECTS[seen["objects"][number]]
    square = names.track.squares[number]
    if square.boost:
        return "+"
    return next((sign_ for flag, sign_ in _SIGNS if square.flags & flag), ".")


def _tile(names: Names, seen: Mapping[str, Any], slot: int) -> list[str]:
    """Three lanes of a tile, each with a bar where the checkpoint line is."""
    rows = []
    for lane in range(v.LANES):
        marks = ""
        for idx in range(v.ROW):
            if idx == names.track.checkpoints[slot][lane]:
                marks += "|"
            if (slot, lane, idx) in names.track.number:
                marks += _mark(names, seen, names.track.number[slot, lane, idx])
            elif any((slot, lane, later) in names.track.number for later in range(idx, v.ROW)):
                marks += " "
        rows.append(marks)
    return rows


def _track(names: Names, seen: Mapping[str, Any]) -> list[str]:
    """Rows of six tiles, driven from left to right."""
    lines = []
    tiles = len(names.track.tiles)
    for first in range(0, tiles, 6):
        slots = range(first, min(first + 6, tiles))
        heads = []
        for slot in slots:
            prey = "P" if slot == seen["prey_slot"] and seen["hp"] + sum(seen["open"]) + sum(seen["sheltered"]) else ""
            energy = "E" if seen["reserves"] >> slot & 1 else ""
            heads.append(f"{slot + 1}:{names.track.entries[slot][0]}{prey}{energy}")
        lines.append("  " + " ".join(f"{head:<11}" for head in heads).rstrip())
        drawn = [_tile(names, seen, slot) for slot in slots]
        lines += [f"{'LMR'[lane]} " + " ".join(f"{tile[lane]:<11}" for tile in drawn).rstrip() for lane in range(v.LANES)]
    return [line.replace("[", "\\[") for line in lines]


def _boss(names: Names, seen: Mapping[str, Any]) -> list[str]:
    pack = names.pack
    prey = [f"{n} × {names.prey(kind)}" if n > 1 else names.prey(kind) for kind, n in enumerate(seen["open"]) if n]
    hidden = sum(seen["sheltered"])
    said = f"The {names.boss.name} (X): {counted(seen['hp'], 'heart')}, {'furious' if seen['furious'] else 'calm'}. " \
           f"Prey on tile {seen['prey_slot'] + 1}: {words(prey) or 'nothing'}{f', {hidden} hidden' if hidden else ''}."
    lines = _lines(said)
    cards = []
    if seen["negative"] is not None:
        cards.append(f"negative aura {names.aura(seen['negative'], False)}")
    cards += [f"positive aura {names.aura(names.ids.index(one), True)}" for one in seen["positive"]]
    if seen["assault"] is not None:
        cards.append(f"assault {pack.assault[seen['assault']].name}")
    return lines + (_lines(f"In play: {words(cards)}.") if cards else [])


def _car(names: Names, seen: Mapping[str, Any], vehicle: int, observer: int) -> list[str]:
    car = seen["cars"][vehicle]
    title = names.vehicle(vehicle)
    mine = vehicle == observer and names.kinds[vehicle] == v.K_PILOT
    said = f"{sign(names, vehicle)} {title[0].upper()}{title[1:]}{' (you)' if mine else ''}"
    said += f", {names.stable(names.stables[vehicle])}" if names.stables else ""
    if car["board"] is not None:
        said += f", {names.pack.pilot[car['board']].name}"
    if not seen["round"]:
        return _lines(said + (f", on position {seen['rank'].index(vehicle) + 1}" if vehicle in seen["rank"] else ""))
    if names.kinds[vehicle] != v.K_BOSS:
        said += f": {car['damage']} damage"
        said += f", {counted(car['star'], 'star')}" if names.kinds[vehicle] != v.K_BOT else ""
    said += f", {counted(car['shields'], 'shield')}" if car["shields"] else ""
    said += ", spun" if car["spun"] else ""
    said += f", lap {car['lap'] // len(names.track.tiles) + 1}" if car["lap"] >= len(names.track.tiles) else ""
    said += f", spirit {names.card(car['spirit'])}" if car["spirit"] is not None else ""
    said += f", nitro {names.pack.nitro[car['nitro']].id}" if car["nitro"] is not None else ""
    hand = seen["hands"][vehicle]
    if hand:
        said += f"; {', '.join(names.card(names.type_number[one]) for one in hand)}"
    elif hand is None:
        backs = [f"{car[deck]} {deck.capitalize()}" for deck in ("sprint", "rush") if car[deck]]
        said += f"; {words(backs)} {'card' if car['sprint'] + car['rush'] == 1 else 'cards'}" if backs else ""
    return _lines(said)


def board_lines(names: Names, seen: Mapping[str, Any], observer: int) -> list[str]:
    """Round, track, Boss, vehicles by their ranking."""
    phase = f"Round {seen['round']}" if seen["round"] else "Setup"
    lines = [f"\\[{phase}] " + "o boulder  * bomb  # ice  + boost  ! lightning  | checkpoint line"]
    lines += _track(names, seen)
    if names.kinds and names.kinds[-1] == v.K_BOSS:
        lines += _boss(names, seen)
    if not seen["round"]:
        return lines + [line for vehicle in range(len(seen["cars"])) for line in _car(names, seen, vehicle, observer)]
    for place, vehicle in enumerate(seen["rank"][:len(seen["cars"])]):
        if place == names.green:
            lines.append("[dim]-- red positions (Rush) --[/dim]")
        lines += _car(names, seen, vehicle, observer)
    return lines


def result_text(names: Names, result: str, hp: int, rank: Sequence[int], returns: Sequence[float]) -> str:
    """How a finished game ended."""
    if result == "won":
        return f"The {names.boss.name} is beaten: everybody wins."
    if result in ("escaped", "cap"):
        return f"The {names.boss.name} escapes with {counted(max(hp, 0), 'heart')}."
    if result == "overflow":
        return f"The {names.boss.name} has too much energy and escapes."
    winners = [f"seat {seat}" for seat, share in enumerate(returns) if share > 0]
    order = [names.vehicle(one) for one in rank if one != v.NONE]
    if names.stables:
        stable = names.stables[returns.index(max(returns))]
        cars = [one for one in rank if one != v.NONE and names.stables[one] == stable]
        places = words([str(rank.index(one) + 1) for one in cars])
        return f"S{names.stable(stable)[1:]}, {words([names.vehicle(one) for one in cars])}, wins on positions {places} " \
               f"({', '.join(order)})."
    said = words(winners)
    return f"{said[0].upper()}{said[1:]} {'wins' if len(winners) == 1 else 'win'} ({', '.join(order)})."
