"""The events of Mythos: their integers and their sentences. Those without a sentence are bookkeeping."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seatmate.engine.core.effects_vocabulary import numbers
from seatmate.engine.core.events import STATE, EventRows, Row
from seatmate.engine.core.meanings import FLAG, SEAT, Meaning, things
from seatmate.engine.core.spec import CORE_EVENTS, acts, counted, words
from seatmate.engine.mythos.content import vocabulary as v
from seatmate.engine.mythos.words.names import RANKS, Names

_CHAKRA = {v.INCOME: ("have", ""), v.GAINED: ("gain", " chakra and {}"), v.PAID: ("pay", " for the effect and {}"),
           v.TAXED: ("pay", " extra for the effect and {}")}
_LEFT = {v.TO_DISCARD: "is defeated", v.DEFEATED_TO_HAND: "is defeated and goes to its owner's hand",
         v.RETURNED: "goes back to its owner's hand", v.CLASHED: "is discarded: its side has one of that name there"}


def _cards(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"


def _titles(say: Any) -> str:
    return words([say.names.titles[kind] for kind in say.rest])


def _title(say: Any) -> str:
    return str(say.names.titles[say.card])


def _whose(seat: int, observer: int) -> str:
    return "your" if seat == observer else f"seat {seat}'s"


def _unit(say: Any, slot: int, side: int, card: int) -> str:
    """A character in play: by its name for who knows it, else by its place on the board."""
    name = say.names.names[card] if card >= 0 else f"hidden character #{slot}"
    return f"{_whose(side, say.observer)} {name}"


def _it(say: Any) -> str:
    """The event's character, at the beginning of a sentence."""
    text = _unit(say, say.slot, say.side, say.card)
    return text[:1].upper() + text[1:]


def _triple(say: Any) -> str:
    whose = "your deck" if say.seat == say.observer else f"the deck of seat {say.seat}"
    return f"The missions of {whose}: {words([say.names.mission_titles[mission] for mission in say.all[1:]])}."


def _chakra(say: Any) -> str:
    who, has = ("you", "have") if say.seat == say.observer else (f"seat {say.seat}", "has")
    if say.reason == v.STOLEN:
        return f"After the theft {who} {has} {say.pool} chakra."
    if say.reason not in _CHAKRA:
        return ""
    verb, more = _CHAKRA[say.reason]
    return f"{say.does(verb)}{more.format(has)} {say.pool} chakra."


def _put(say: Any, what: str) -> str:
    whose = "" if say.owner == say.seat else " of the opponent's deck"
    return f"{say.does('put')} {what}{whose} face down on mission {RANKS[say.mission]} as #{say.slot}."


def _played(say: Any) -> str:
    how = say.does("reveal" if say.zone == v.HIDDEN else "play")
    onto = f" as an upgrade of {say.names.names[say.covered]}" if say.onto >= 0 else ""
    return f"{how} {_title(say)} on mission {RANKS[say.mission]}{onto} for {say.cost} chakra."


def _took(say: Any) -> str:
    whose = "your" if say.seat == say.observer else "its"
    return f"{say.does('take')} {_titles(say) or 'nothing'} from the top of {whose} deck."


def _evaluated(say: Any) -> str:
    if say.winner < 0:
        return f"Nobody has power on mission {RANKS[say.mission]}."
    power = (say.power0, say.power1)
    tie = " by the Edge" if say.power0 == say.power1 else ""
    wins = acts(say.winner, say.observer, "win")
    return f"{wins} mission {RANKS[say.mission]}{tie}: power {power[say.winner]} against {power[1 - say.winner]}."


def _over(say: Any) -> str:
    who = "you win" if say.winner == say.observer else f"seat {say.winner} wins"
    return f"The game is over: {won(say.winner, (say.points0, say.points1), who)}"


def won(winner: int, points: Sequence[int], who: str) -> str:
    """Who wins, the winner's points first."""
    tie = ", by the Edge" if points[0] == points[1] else ""
    return f"{who}, {points[winner]} to {points[1 - winner]} points{tie}."


def result_text(values: Mapping[str, Any]) -> str:
    """How a finished game ended."""
    winner = values["active"]
    return won(winner, values["points"], f"Seat {winner} wins")


_CARDS, _WORDS = tuple(f"card{i}" for i in range(15)), tuple(f"word{i}" for i in range(16))
_PUT = ("seat", "slot", "mission", "zone", "owner", "link", "turn")
_LINE = ("slot", "mission", "line", "seat")

EVENTS = EventRows((
    Row("DECK", ("seat",), more=_CARDS, bookkeeping="deck lists stand in the settings"),
    Row("TRIPLE", ("seat", "mission0", "mission1", "mission2"), _triple),
    Row("EDGE", ("seat",), lambda say: f"{say.does('have')} the Edge."),
    Row("MULLIGAN", ("seat", "redraw"), lambda say: (
        f"{say.does('draw' if say.redraw else 'keep')} {'a new' if say.redraw else 'the'} hand.")),
    Row("MISSION", ("index", "mission"), lambda say: (
        f"Round {say.index + 1}: mission {RANKS[say.index]} is {say.names.mission_titles[say.mission]}.")),
    Row("CHAKRA", ("seat", "pool", "reason"), _chakra),
    Row("PASS", ("seat",), lambda say: f"{say.does('pass')}.", turn=True),
    Row("TURN_END", ("seat",), bookkeeping="the next turn, or the end of the round, is said"),
    Row("DRAW", ("seat", "count"), lambda say: f"Seat {say.seat} draws {_cards(say.count)}."),
    Row("DRAW_CARDS", ("seat",), lambda say: f"You draw {_titles(say)}.", more=_CARDS[:14]),
    Row("PUT", _PUT, lambda say: _put(say, "a card")),
    Row("PUT_CARD", (*_PUT, "card"), lambda say: _put(say, _title(say))),
    Row("PLAYED", ("seat", "slot", "card", "mission", "zone", "from", "onto", "cost", "covered"), _played, turn=True),
    Row("LINE", _LINE, lambda say: f"{say.does('use')} {say.names.effects[say.line]}.", turn=True),
    Row("NOTHING", _LINE, lambda say: f"Nothing comes of {say.names.effects[say.line]}."),
    Row("TARGETED", ("line", "verb", "slot"), bookkeeping="what is done to whom is said when it happens"),
    Row("TOKENS", ("slot", "tokens", "side", "card"), lambda say: f"{_it(say)} has {counted(say.tokens, 'Power token')}."),
    Row("MOVED", ("slot", "mission", "before", "side", "card"), lambda say: (
        f"{_it(say)} moves from mission {RANKS[say.before]} to mission {RANKS[say.mission]}.")),
    Row("HIDDEN", ("slot", "side", "card"), lambda say: f"{_it(say)} is turned face down."),
    Row("CONTROL", ("slot", "seat", "link", "side", "card"), lambda say: (
        f"{say.does('take')} control of {_unit(say, say.slot, 1 - say.seat, say.card)}.")),
    Row("LOCKED", ("slot", "target", "side", "card"), lambda say: (
        f"Rashomon holds {_unit(say, say.target, say.side, say.card)}." if say.target >= 0 else "")),
    Row("LEFT", ("slot", "how", "card", "side"), lambda say: f"{_it(say)} {_LEFT[say.how]}."),
    Row("PEELED", ("slot", "card", "next", "owner"), lambda say: (
        f"{_title(say)} is discarded; below it is {say.names.titles[say.next]}.")),
    Row("DISCARD", ("seat", "card"), lambda say: f"{say.does('discard')} {_title(say)}."),
    Row("MILL", ("seat", "card"), lambda say: (
        f"The top card of {_whose(say.seat, say.observer)} deck is discarded: {_title(say)}.")),
    Row("LOOKED", ("seat", "slot", "side"), lambda say: f"Seat {say.seat} looks at {_unit(say, say.slot, say.side, -1)}."),
    Row("LOOKED_CARD", ("seat", "slot", "card"), lambda say: f"You see that #{say.slot} is {_title(say)}."),
    Row("SAW_HAND", ("seat",), lambda say: f"Seat {say.seat} sees {_whose(1 - say.seat, say.observer)} hand."),
    Row("SAW_CARDS", ("seat",), lambda say: f"You see in seat {1 - say.seat}'s hand: {_titles(say)}.", more=_CARDS[:14]),
    Row("LOOKTOP", ("seat", "count"), lambda say: f"Seat {say.seat} looks at the top {_cards(say.count)} of its deck."),
    Row("LOOKTOP_CARDS", ("seat",), lambda say: f"On top of your deck: {_titles(say)}.", more=_CARDS[:5]),
    Row("TOOK", ("seat", "filter"), _took, more=_CARDS[:5]),
    Row("PUT_BACK", ("seat", "count", "filter"), lambda say: (
        f"{say.does('put')} {_cards(say.count)} back on top of the deck." if say.count else "")),
    Row("DUMPED", ("seat", "card"), lambda say: f"{say.does('discard')} {_title(say)}."),
    Row("TOP", ("seat",), lambda say: f"Seat {say.seat} puts a card on top of its deck."),
    Row("TOP_CARD", ("seat", "card"), lambda say: f"You put {_title(say)} on top of your deck."),
    Row("RECOVERED", ("seat", "card"), lambda say: f"{say.does('take')} {_title(say)} back to the hand."),
    Row("POINTS", ("seat", "points", "gain"), lambda say: (
        f"{say.does('gain')} {counted(say.gain, 'point')} ({say.points} in all).")),
    Row("EVALUATED", ("mission", "power0", "power1", "winner"), _evaluated),
    Row("END_ROUND", ("round",), lambda say: f"Round {say.round} is over."),
    Row("OVER", ("winner", "points0", "points1"), _over),
    Row("CHAIN", ("play", "mission"), bookkeeping="a play is said when it is complete"),
    Row("FLOW", ("phase", "active", "step", "scoring", "plays", "defeated0", "defeated1", "arrived0", "arrived1", "asks"),
        bookkeeping=STATE),
    Row("FRAME", (), more=_WORDS, bookkeeping=STATE),
    Row("WAITING", ("which",), more=_WORDS[:14], bookkeeping=STATE),
), numbers(v, "E_"), len(CORE_EVENTS))


def meanings(names: Names) -> dict[str, Meaning]:
    """Of the integers of events."""
    card, mission = Meaning("card", names.cards), Meaning("card", names.missions)
    place = things("mission", len(RANKS))
    return {"card": card, "next": card, "TRIPLE.mission": mission, "MISSION.mission": mission, "index": place, "mission": place,
            "before": place, "owner": SEAT, "side": SEAT, "winner": SEAT, "redraw": FLAG}
