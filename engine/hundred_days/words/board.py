"""The table in a terminal of 80 columns, in rich markup."""
from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.spec import counted, words
from seatmate.engine.hundred_days.content.pack import covered
from seatmate.engine.hundred_days.words.names import resources

if TYPE_CHECKING:
    from seatmate.engine.hundred_days.words.names import Names

WIDTH = 79
PHASES = {
    "round": "", "mission": "all place in secret", "reveal": "the pawns are revealed", "initiative": "the pawns are revealed",
    "garage": "garage", "turn": "adventures", "harvest": "before the harvest", "resources": "harvest", "cards": "new cards",
    "discard": "too many cards", "round_end": "", "over": "over"}


def _pawns(seen: Mapping[str, Any], place: int) -> str:
    """`R0 M0 r1`: who is on the place; a small r stands between two."""
    found = []
    for seat, (rick, morty) in enumerate(zip(seen["ricks"], seen["morties"], strict=True)):
        if rick is not None and place in covered(rick):
            found.append(f"{'R' if rick == place else 'r'}{seat}")
        if morty == place:
            found.append(f"M{seat}")
    return " ".join(found)


def _place(names: Names, seen: Mapping[str, Any], place: int) -> str:
    mark = ">" if seen["die"] == place else " "
    if place == 0:
        limits = names.pack.limits
        text = f"{'Smith house':<27}{'':>3} {'':<12} {'a token':<9}{limits.centre_single:>2} {limits.centre_between:+d}"
    elif seen["places"][place] is None:
        text = "a black hole"
    else:
        tile = names.pack.tile[seen["places"][place]]
        text = (f"{tile.title:<27}{tile.points:>2}  {resources(tile.cost):<12} {resources(tile.harvest):<9}"
                f"{tile.single:>2} {tile.between:+d}")
    return f"{mark}{place} {text:<62} {_pawns(seen, place)}".rstrip()


def _card(names: Names, card: str) -> str:
    """`Static Sock 1p [4] DIM2`."""
    row = names.pack.card[names.card_number[card]]
    text = row.title
    if row.green:
        text += f" {row.points}p [{''.join(map(str, row.places))}]"
        text += f" DIM{row.dimension}" if row.dimension else ""
        text += " SUB" if row.substitute else ""
    return text


def _wrapped(text: str, indent: str = "    ") -> list[str]:
    return [line.replace("[", "\\[") for line in textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False)]


def _seat(names: Names, seen: Mapping[str, Any], seat: int, observer: int, points: int) -> list[str]:
    who = f"Seat {seat}{' (you)' if seat == observer else ''}"
    said = f"{who}: {counted(points, 'point')}; {resources(seen['tokens'][seat])}; " \
           f"{counted(seen['garage'][seat], 'garage token')}; {counted(seen['hand_counts'][seat], 'card')}"
    if seen["ricks"][seat] is not None:
        said += f"; Rick {names.at(seen['ricks'][seat])}, Morty on {names.place(seen['morties'][seat])}"
    lines = _wrapped(said)
    play = [_card(names, card) + ("*" if card in seen["guarded"] else "") for card in seen["play"][seat]]
    if play:
        lines += _wrapped(f"    in play: {', '.join(play)}", "        ")
    held = [names.titles[names.card_number[card]] for card in (*seen["open_cards"][seat], *seen["known"][seat])]
    if held and seat != observer:
        lines += _wrapped(f"    in hand: {', '.join(held)}", "        ")
    return lines


def board_lines(names: Names, seen: Mapping[str, Any], observer: int, scores: Sequence[int]) -> list[str]:
    """The round, the places (die, pawns), the seats with their scores, the observer's cards."""
    phase = PHASES[seen["phase"]]
    lines = _wrapped(f"[Round {seen['round']}{f', {phase}' if phase else ''}] Tiles left: {seen['stack']}. Federation: "
                     f"{resources(seen['federation'])}, {counted(seen['garage_supply'], 'garage token')}."
                     + (" Last adventure phase!" if seen["ending"] else ""))
    lines.append("[dim]  place                      points  cost         harvest  cards   pawns[/dim]")
    lines += [_place(names, seen, place) for place in range(7)]
    for seat, score in enumerate(scores):
        lines += _seat(names, seen, seat, observer, score)
    hand = seen["hands"][observer] if observer < len(seen["hands"]) else None
    if hand:
        lines += _wrapped(f"Your hand: {', '.join(_card(names, card) for card in hand)}")
    if observer < len(seen["hands"]) and seen["secret_ricks"][observer] is not None:
        lines += _wrapped(f"Your Rick will be {names.at(seen['secret_ricks'][observer])}.")
    return lines


def result_text(scores: Sequence[int], returns: Sequence[float]) -> str:
    """How a finished game ended."""
    winners = [f"seat {seat}" for seat, share in enumerate(returns) if share > 0]
    said = words(winners)
    return f"{said[0].upper()}{said[1:]} {'wins' if len(winners) == 1 else 'share the win'} with {max(scores)} points " \
           f"({', '.join(f'seat {seat}: {score}' for seat, score in enumerate(scores))})."
