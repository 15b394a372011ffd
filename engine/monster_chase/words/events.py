"""One row for each event, with its sentence."""
from __future__ import annotations

from typing import Any

from seatmate.engine.core.events import STATE, EventRows, Row
from seatmate.engine.core.meanings import FLAG, Meaning, things
from seatmate.engine.core.spec import CORE_EVENTS, counted, words
from seatmate.engine.monster_chase.content import vocabulary as v
from seatmate.engine.monster_chase.content.pack import numbers
from seatmate.engine.monster_chase.words.names import Names

_ENDS = {v.R_WON: "The Boss is beaten: everybody wins.", v.R_ESCAPED: "The Boss has crossed the line and escapes.",
         v.R_OVERFLOW: "The Boss has too much energy and escapes.", v.R_CAP: "Time is up: the Boss escapes.",
         v.R_RACED: "The race is over."}
_OBJECTS = ("is cleared", "has a boulder", "has a bomb", "is icy")
_TRANSFERS = {v.BY_COG: "Cognitive", v.BY_KIN: "Kinetic", v.BY_AST: "Astral"}
_DECKS = ("Sprint", "Rush")
_FIRED = ("a missile", "a missile backwards", "a salvo of missiles")


def _who(say: Any) -> str:
    return _named(say, say.vehicle)


def _named(say: Any, vehicle: int) -> str:
    """`you`, `seat 2`, `the Bison Truck`."""
    said: str = "you" if _mine(say, vehicle) else say.names.vehicle(vehicle)
    return said


def _mine(say: Any, vehicle: int) -> bool:
    """The reader's own car: other vehicles have numbers beyond those of the seats."""
    return bool(vehicle == say.observer and say.names.kinds[vehicle] == v.K_PILOT)


def _does(say: Any, verb: str) -> str:
    """`You draw`, `The drone draws`."""
    if _mine(say, say.vehicle):
        return f"You {verb}"
    said = _who(say)
    third = {"are": "is", "have": "has"}.get(verb) or verb + ("es" if verb.endswith(("s", "sh", "ch", "x")) else "s")
    return f"{said[0].upper()}{said[1:]} {third}"


def _aura(say: Any) -> str:
    if say.kind == 2:
        return f"The aura {say.names.pack.aura[say.card].name} is discarded."
    return f"{'A positive' if say.kind else 'The negative'} aura: {say.names.aura(say.card, bool(say.kind))}."


def _assault(say: Any) -> str:
    title = say.names.pack.assault[say.card].name
    return f"The assault {title} is discarded." if say.discarded else f"A new assault: {title}."


def _dmg(say: Any) -> str:
    by = f" from {_named(say, say.source)}" if say.source != v.NONE and say.source != say.vehicle else ""
    return f"{_does(say, 'take')} {say.count} damage{by}."


def _roll(say: Any) -> str:
    where = f" for tile {say.slot + 1}" if say.slot != v.NONE else ""
    return f"The die shows {say.face}{where}."


def _spirit(say: Any) -> str:
    verb = "use the spirit" if say.used else "take a spirit along:"
    return f"{_does(say, verb.split()[0])} {' '.join(verb.split()[1:])} {say.names.card(say.type)}."


def _nitro(say: Any) -> str:
    title = say.names.pack.nitro[say.nitro].id
    how = ("draw", "use", "get")[say.how]
    return f"{_does(say, how)} the Magic-Nitro {title}."


def _pilot(say: Any) -> str:
    row = say.names.pack.pilot[say.board]
    return f"{row.name} drives for {_who(say)}."


def _plays(verb: str) -> Any:
    return lambda say: f"{_does(say, verb)} {say.names.card(say.type)}."


EVENTS = EventRows((
    Row("STATE", ("at",), most=16, bookkeeping=STATE),
    Row("HAND", ("vehicle", "type"), lambda say: f"{_does(say, 'get')} {say.names.card(say.type)}."),
    Row("PILOT", ("vehicle", "board"), _pilot, turn=True),
    Row("RANK", (), lambda say: f"The ranking: {words([_named(say, one) for one in say.rest])}.", most=9),
    Row("AURA", ("kind", "card"), _aura),
    Row("ASSAULT", ("discarded", "card"), _assault),
    Row("CHAOS", ("kind",), lambda say: "Chaos: the last card comes back."),
    Row("DRAW", ("vehicle", "deck"), lambda say: f"{_does(say, 'draw')} a {_DECKS[say.deck]} card."),
    Row("PLAY", ("vehicle", "type"), _plays("play"), turn=True),
    Row("DISCARD", ("vehicle", "type"), _plays("discard")),
    Row("TURN_OVER", ("vehicle", "type"), lambda say: f"A card for {_who(say)}: {say.names.card(say.type)}."),
    Row("MOVE", ("vehicle", "start", "square"), lambda say: f"{_does(say, 'reach')} {say.names.square(say.square)}."),
    Row("RAM", ("vehicle", "rammed"), lambda say: f"{_does(say, 'ram')} {_named(say, say.rammed)}!"),
    Row("DMG", ("vehicle", "count", "source"), _dmg),
    Row("BOOST", ("vehicle", "count"),
        lambda say: f"{_does(say, 'spend')} {counted(say.count, 'shield')} for more damage.", turn=True),
    Row("BLOCK", ("vehicle", "count"), lambda say: f"{_does(say, 'block')} {say.count} damage with shields.", turn=True),
    Row("OFFTRACK", ("vehicle", "lap"), lambda say: f"{_does(say, 'are')} off the track!"),
    Row("RETURN", ("vehicle", "square"), lambda say: f"{_does(say, 'come')} back."),
    Row("STAR", ("vehicle", "count"), lambda say: f"{_does(say, 'have')} {counted(say.count, 'star')}."),
    Row("SHIELD", ("vehicle", "count"), lambda say: f"{_does(say, 'have')} {counted(say.count, 'shield')}."),
    Row("SPIN", ("vehicle", "spun"), lambda say: f"{_does(say, 'are')} {'spun' if say.spun else 'straight again'}."),
    Row("HEAL", ("vehicle", "count"), lambda say: f"{_does(say, 'repair')} {say.count} damage."),
    Row("BOSS", ("hp", "furious"), lambda say: f"The Boss: {counted(say.hp, 'heart')}, {'furious' if say.furious else 'calm'}."),
    Row("RESERVE", ("slot", "hp"), lambda say: f"The Boss drinks the energy of tile {say.slot + 1}: {counted(say.hp, 'heart')}."),
    Row("PREY_FLIP", ("kind",), lambda say: f"A prey token is hidden: {say.names.prey(say.kind)}."),
    Row("PREY_MOVE", ("slot", "hearts"),
        lambda say: f"The Boss eats {counted(say.hearts, 'heart') if say.hearts else 'nothing'}; "
                    f"the prey is now on tile {say.slot + 1}."),
    Row("OBJECT", ("square", "object"), lambda say: f"{say.names.square(say.square).capitalize()} {_OBJECTS[say.object]}."),
    Row("ROLL", ("face", "slot"), _roll),
    Row("SNOUT", ("square",), lambda say: f"The Ugly-Snout crawls to {say.names.square(say.square)}."),
    Row("LINK", ("vehicle", "other", "how"),
        lambda say: f"{_TRANSFERS[say.how]} Transfer of {_who(say)} with {_named(say, say.other)}.", turn=True),
    Row("ASTRAL", ("vehicle", "given"),
        lambda say: f"{_does(say, 'give' if say.given else 'refuse')}{' a card' if say.given else ''}.", turn=True),
    Row("SPIRIT", ("vehicle", "type", "used"), _spirit, turn=True),
    Row("NITRO", ("vehicle", "nitro", "how"), _nitro, turn=True),
    Row("POWER", ("vehicle", "level"), lambda say: f"{_does(say, 'use')} the star power of level {say.level}.", turn=True),
    Row("FIRE", ("vehicle", "how"), lambda say: f"{_does(say, 'fire')} {_FIRED[say.how]}."),
    Row("STRIKE", ("card",), lambda say: f"The assault {say.names.pack.assault[say.card].name} is carried out."),
    Row("ROUND", ("round",), lambda say: f"Round {say.round} begins."),
    Row("TURN", ("vehicle",), lambda say: f"It is {'your turn' if _mine(say, say.vehicle) else f'the turn of {_who(say)}'}."),
    Row("END", ("result",), lambda say: _ENDS[say.result]),
), numbers("E_"), len(CORE_EVENTS))


def meanings(names: Names) -> dict[str, Meaning]:
    """Of the integers of events."""
    pack, car = names.pack, things("car", len(names.kinds))
    auras = len(pack.aura)
    assault, square = Meaning("card", names.ids[auras:]), things("square", len(names.track.squares))
    return {"vehicle": car, "rammed": car, "other": car, "DMG.source": car, "RANK.more": car, "square": square, "start": square,
            "type": Meaning("card", names.types), "board": Meaning("card", tuple(row.id for row in pack.pilot)),
            "AURA.card": Meaning("card", names.ids[:auras]), "ASSAULT.card": assault, "STRIKE.card": assault,
            "nitro": Meaning("card", tuple(row.id for row in pack.nitro)), "furious": FLAG, "spun": FLAG, "used": FLAG,
            "given": FLAG, "discarded": FLAG}
