"""One row for each event, with its sentence."""
from __future__ import annotations

from typing import Any

from seatmate.engine.core.events import STATE, EventRows, Row
from seatmate.engine.core.meanings import FLAG, SEAT, Meaning, things
from seatmate.engine.core.spec import CORE_EVENTS, acts, counted, words
from seatmate.engine.hundred_days.content import vocabulary as v
from seatmate.engine.hundred_days.content.pack import FRAME_WORDS, STEP_WORDS, numbers
from seatmate.engine.hundred_days.words.names import Names, one, several

_PHASES = {"mission": "Round {}: all seats place their pawns.", "turn": "The adventures begin.", "resources": "The harvest begins."}
_REASONS = {"CLOSING": "pay", "COST": "pay", "TOLL": "hand over"}
REASONS = tuple(numbers("WHY_"))
_EVENTS = {"blue": "card", "green": "card", "item": "item", "move": "move", "close": "closing", "react": "reaction",
           "reveal": "reveal", "harvest": "harvest"}


def _tile(say: Any) -> str:
    return str(say.names.tile_titles[say.tile])


def _title(say: Any) -> str:
    return str(say.names.titles[say.card])


def _titles(say: Any) -> str:
    return words([say.names.titles[card] for card in say.rest])


def _tokens(say: Any) -> str:
    if say.change > 0:
        return f"{say.does('take')} {one(say.type)}."
    what = one(say.type) if say.change == -1 else f"{-say.change} {several(say.type)}"
    return f"{say.does(_REASONS.get(REASONS[say.reason], 'lose'))} {what}."


def _tax(say: Any) -> str:
    paid = [f"seat {seat} {n}" for seat, n in enumerate(say.rest) if n]
    return f"The Federation has run out of {several(say.type)} and takes half: {words(paid)}."


def _card(say: Any) -> str:
    """Where a card goes, as far as another event has not said it."""
    if say.to == v.Z_GENERAL:
        return _lost(say)
    if say.to >= v.Z_PILE:
        return f"{_title(say)} goes to the personal pile of seat {say.to - v.Z_PILE}."
    seat = say.to - (v.Z_PLAY if say.to >= v.Z_PLAY else v.Z_HAND)
    if say.to >= v.Z_PLAY:
        return f"{_title(say)} now lies before seat {seat}."
    return f"{_title(say)} goes to the hand of seat {seat}."


def _lost(say: Any) -> str:
    """A card of somebody goes to the general pile."""
    if say.start < v.Z_HAND:
        return ""
    seat = say.start % v.Z_HAND
    if say.start < v.Z_PLAY:
        return f"{acts(seat, say.observer, 'give')} up {_title(say)}."
    return f"{f'Your {_title(say)}' if seat == say.observer else f'The {_title(say)} of seat {seat}'} is destroyed."


def _places(say: Any) -> str:
    seats = len(say.rest) // 2
    return "The pawns: " + "; ".join(
        f"seat {seat}: Rick {say.names.at(say.rest[seat])}, Morty on {say.names.place(say.rest[seats + seat])}"
        for seat in range(seats)) + "."


def _first(say: Any) -> str:
    where = f" (place {say.place})" if say.place <= 6 else ""
    return f"{say.does('have')} the initiative{where}."


def _close(say: Any) -> str:
    return f"{say.does('close')} {_tile(say)} for {counted(say.names.pack.tile[say.tile].points, 'point')}."


def _score(say: Any) -> str:
    parts = f"{say.tiles} from dimensions, {say.cards} from cards, {say.guarded} from garage tokens"
    return f"{say.does('have')} {counted(say.total, 'point')}: {parts}."


def _window_end(say: Any) -> str:
    return "" if say.survived else f"The {_EVENTS[FRAME_WORDS[say.kind]]} is cancelled."


EVENTS = EventRows((
    Row("TILE", ("place", "tile"), lambda say: f"{_tile(say)} comes to place {say.place}."),
    Row("BLACK_HOLE", ("place",), lambda say: f"Place {say.place} becomes a black hole: this is the last adventure phase."),
    Row("DIE", ("face",), lambda say: f"The die shows {say.face}."),
    Row("ROLL", ("seat", "face"), lambda say: f"{say.does('roll')} a {say.face}."),
    Row("FIRST", ("seat", "place"), _first),
    Row("PLACES", (), _places, most=8, turn=True),
    Row("RICK", ("seat", "space"), lambda say: f"The Rick of seat {say.seat} is now {say.names.at(say.space)}.", turn=True),
    Row("MORTY", ("seat", "place"), lambda say: f"The Morty of seat {say.seat} is now on {say.names.place(say.place)}."),
    Row("SWAP_TILES", ("first", "second"), lambda say: f"The tiles of places {say.first} and {say.second} change places."),
    Row("BANISH", ("place", "tile"), lambda say: f"{_tile(say)} leaves the game."),
    Row("TOKENS", ("seat", "type", "change", "reason"), _tokens),
    Row("TAX", ("type",), _tax, most=5),
    Row("GARAGE", ("seat", "count"), lambda say: f"{say.does('take')} {counted(say.count, 'garage token')}."),
    Row("GUARD", ("seat", "card", "own"), lambda say: f"{say.does('put')} a garage token on {_title(say)}.", turn=True),
    Row("DRAW", ("seat", "count"), lambda say: f"{say.does('draw')} {counted(say.count, 'card')}."),
    Row("DRAW_ID", ("seat",), lambda say: f"You draw {_titles(say)}.", most=16),
    Row("RESHUFFLE", ("epoch", "count"), lambda say: f"The general pile ({counted(say.count, 'card')}) becomes the deck."),
    Row("PLAY", ("seat", "card"), lambda say: f"{say.does('play')} {_title(say)}.", turn=True),
    Row("USE", ("seat", "card"), lambda say: f"{say.does('use')} {_title(say)}.", turn=True),
    Row("REACT", ("seat", "card"), lambda say: f"{say.does('react')} with {_title(say)}!", turn=True),
    Row("TARGET", ("question", "value"), lambda say: _target(say)),
    Row("CARD", ("card", "start", "to"), _card),
    Row("LOOK", ("seat", "owner"), lambda say: f"{say.does('look')} at the hand of seat {say.owner}."),
    Row("LOOK_ID", ("owner",), lambda say: f"Seat {say.owner} holds {_titles(say)}.", most=16),
    Row("WINDOW", ("kind", "seat", "asked"), bookkeeping="reactions may be played at nearly every moment; who is asked is shown"),
    Row("WINDOW_END", ("kind", "survived"), _window_end),
    Row("CLOSE", ("seat", "place", "tile", "waived0", "waived1", "waived2", "waived3"), _close, turn=True),
    Row("PASS", ("seat",), lambda say: f"{say.does('pass')}.", turn=True),
    Row("END_TURN", ("seat",), lambda say: f"{say.does('end')} the turn."),
    Row("PHASE", ("phase", "round"), lambda say: _PHASES[STEP_WORDS[say.phase]].format(say.round)),
    Row("SCORE", ("seat", "tiles", "cards", "guarded", "total"), _score),
    Row("FLOW", (), most=7, bookkeeping=STATE),
    Row("FRAME", (), most=5, bookkeeping=STATE),
), numbers("E_"), len(CORE_EVENTS))


def _target(say: Any) -> str:
    if say.question == v.Q_SEAT:
        return f"It is aimed at seat {say.value}."
    if say.question == v.Q_CARD:
        return f"It is aimed at {say.names.titles[say.value]}."
    return f"It is aimed at {say.names.space(say.value) if say.question == v.Q_SPACE else f'place {say.value}'}."


def meanings(names: Names) -> dict[str, Meaning]:
    """Of the integers of events."""
    card, space = Meaning("card", names.cards), things("space", v.SPACES)
    return {"card": card, "DRAW_ID.more": card, "LOOK_ID.more": card, "tile": Meaning("card", names.tiles), "place": space,
            "space": space, "SWAP_TILES.first": space, "SWAP_TILES.second": space, "PLACES.more": space, "owner": SEAT, "own": FLAG,
            "survived": FLAG, "waived": FLAG, "reason": Meaning("word", REASONS), "PHASE.phase": Meaning("word", STEP_WORDS)}
