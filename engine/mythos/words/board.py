"""The table for a terminal, and how a finished game ended."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seatmate.engine.core.spec import counted, words
from seatmate.engine.mythos.words.events import won
from seatmate.engine.mythos.words.names import RANKS, Names

WIDTH = 80
"""Columns of the terminal; no line of the board is longer."""

_LABEL, _BETWEEN = 8, " · "
_LEGEND = "[dim]#n place, (name) hidden, +n Power tokens, ^ card below; i board says more[/dim]"


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[:width - 1] + "…"


def unit_cell(names: Names, unit: Mapping[str, Any], held: bool) -> tuple[str, str]:
    """A character as plain text and its style: slot, name, power, and +n for its Power tokens, ^ for each card below."""
    card = unit["card"]
    name = "face down" if card is None else names.names[names.card_number[card]]
    text = f"#{unit['slot']} {name if unit['up'] or card is None else f'({name})'} {unit['power']}"
    text += (f" +{unit['tokens']}" if unit["tokens"] else "") + "^" * len(unit["below"])
    return text + (" stolen" if unit["owner"] != unit["seat"] else "") + (" held" if held else ""), "bold" if unit["up"] else "dim"


def _side(names: Names, view: Mapping[str, Any], mission: int, seat: int, label: str) -> list[str]:
    """One seat's characters on a mission, as many on a line as fit."""
    held = {unit["lock"]["slot"] for unit in view["units"] if unit["lock"] is not None}
    rows, width = [""], 0
    for unit in view["units"]:
        if unit["mission"] == mission and unit["seat"] == seat:
            text, style = unit_cell(names, unit, unit["slot"] in held)
            if width and _LABEL + width + len(_BETWEEN) + len(text) > WIDTH:
                rows.append("")
                width = 0
            rows[-1] += f"{_BETWEEN if width else ''}[{style}]{text}[/{style}]"
            width += (len(_BETWEEN) if width else 0) + len(text)
    return [f"{label if number == 0 else '':<{_LABEL}}{row or '-'}" for number, row in enumerate(rows)]


def board_lines(names: Names, view: Mapping[str, Any], observer: int) -> list[str]:
    """The table for a terminal, in rich markup: the missions one below the other, the observer's side below the other one."""
    seats = ["you" if seat == observer else f"seat {seat}" for seat in range(2)]
    state = {"mulligan": "mulligan", "action": f"turn of {seats[view['active']]}".replace("turn of you", "your turn"),
             "mission": "missions are evaluated", "end": "the round ends", "over": "the game is over"}[view["phase"]]
    when = f"Round {view['round']}" if view["round"] else "Before round 1"
    lines = [f"[bold]{when}[/bold], {state}; the Edge: {seats[view['edge']]}"
             + (f"; passed: {words([seats[seat] for seat in view['passed']])}" if view["passed"] else "")]
    bottom = 1 if observer == 1 else 0
    for seat in (1 - bottom, bottom):
        points = counted(view["points"][seat], "point")
        lines.append(f"{seats[seat]:<{_LABEL}}[cyan]{points}[/cyan], {view['chakra'][seat]} chakra, "
                     f"hand {view['hand_counts'][seat]}, deck {view['deck'][seat] + len(view['tops'][seat])}, "
                     f"discard {len(view['discards'][seat])}")
    for index, mission in enumerate(view["missions"]):
        title = names.mission_titles[names.mission_number[mission["id"]]]
        ours, theirs = mission["power"][bottom], mission["power"][1 - bottom]
        style = "yellow" if ours == theirs else "green" if ours > theirs else "red"
        points = counted(mission["points"] + mission["bonus"], "point")
        power = f"power {ours} against {theirs}"
        head = _cut(f"Mission {RANKS[index]}: {title}", WIDTH - len(f", {points}, {power}"))
        lines += [f"[bold]{head}[/bold], {points}, [{style}]{power}[/{style}]",
                  *_side(names, view, index, 1 - bottom, seats[1 - bottom]), *_side(names, view, index, bottom, seats[bottom])]
    if view["missions"]:
        lines.append(_LEGEND)
    for hand in view["hands"]:
        if hand is not None:
            lines.append("Your hand:" + ("" if hand else " empty"))
            counts = {card: hand.count(card) for card in hand}
            for card, count in counts.items():
                kind = names.card_number[card]
                numbers = f"{names.costs[kind]} chakra, power {names.powers[kind]}"
                title = _cut(f"{f'{count} x ' if count > 1 else ''}{names.titles[kind]}", WIDTH - 4 - len(numbers))
                lines.append(f"  {title}  [dim]{numbers}[/dim]")
    return [line.rstrip() for line in lines]


def result_text(values: Mapping[str, Any]) -> str:
    """How a finished game ended."""
    winner = values["active"]
    return won(winner, values["points"], f"Seat {winner} wins")
