"""Hyde in words: names of cards and events, answers, events and reasons as a person reads them."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from seatmate.engine.core.effects_vocabulary import numbers
from seatmate.engine.core.events import EventRows, Row
from seatmate.engine.core.meanings import FLAG, SEAT, Meaning
from seatmate.engine.core.spec import CORE_EVENTS, Feature, Prompt, Unit, instead, words
from seatmate.engine.hyde.content import vocabulary as v
from seatmate.engine.hyde.content.pack import NUMBERS, SIX, SYMBOLS

if TYPE_CHECKING:
    from seatmate.engine.hyde.content.pack import HydePack

PROMPTS = (
    Prompt("DRAFT", "Which outcast do you play?"),
    Prompt("MOVE", "Where do you go?", opens=True),
    Prompt("PLACE", "At which place do you play a card?", public="PLAY"),
    Prompt("PLAY", "Which card do you play?"),
    Prompt("MORE", "Which other card of this number do you play with it?", public="PLAY"),
    Prompt("COST", "Which card do you discard for the six?", public="PLAY"),
    Prompt("YOKO", "Which card do you discard?"),
    Prompt("THING", "Which card does Thing carry?"),
    Prompt("SEND", "Where does Thing go?"),
    Prompt("SIGNAL", "What do you say?"),
    Prompt("WED_TAKE", "Which revealed card do you take for one of yours?"),
    Prompt("WED_GIVE", "Which card do you give for it?", public="WED_TAKE"),
)
PROMPT_NUMBER = {prompt.key: number for number, prompt in enumerate(PROMPTS)}

GRADE = Unit(name="grade", heading="Grade", high=100, digits=1,
             doc="100 with no target lost, 85, 70 and 50 with one, two and three; less after a defeat")
SOURCES = ("hand", "thing", "reserve")
GRADES = {3: "master", 2: "intermediate", 1: "novice", 0: "barely", -1: "defeat"}
SIGNALS = ("silence", "covering", "focus_here", "weak_here")

# ---- Cards ----


def kind_text(kind: int) -> str:
    """BAT-3, or SIX."""
    return "SIX" if kind == SIX else f"{SYMBOLS[kind // NUMBERS]}-{kind % NUMBERS + 1}"


def card_text(card: int) -> str:
    """BAT-3, or BAT-3@1 for a card that came back into the deck at the first reshuffle."""
    return kind_text(card & 31) + (f"@{card >> 5}" if card >> 5 else "")


def card_number(text: str) -> int:
    """The card of `card_text`. Raises ValueError."""
    name, at, shuffle = text.partition("@")
    if name == "SIX":
        return SIX
    symbol, _, number = name.partition("-")
    if symbol not in SYMBOLS or number not in ("1", "2", "3", "4", "5") or (at and not shuffle.isdecimal()):
        raise ValueError(f"{text!r} is not a card")
    return SYMBOLS.index(symbol) * NUMBERS + int(number) - 1 + 32 * int(shuffle or "0")


def kind_title(kind: int) -> str:
    """Bat 3, for a person."""
    return "the six" if kind == SIX else f"{SYMBOLS[kind // NUMBERS].capitalize()} {kind % NUMBERS + 1}"


class Names:
    """Keys and titles of a pack by id."""

    def __init__(self, pack: HydePack) -> None:
        self.places = tuple(part.key for part in sorted(pack.place, key=lambda part: part.id))
        titles = {part.key: part.title for part in (*pack.place, *pack.target, *pack.outcast)}
        self.titles = titles
        self.place_titles = tuple("the " + titles[key] if key != "jericho" and key != "pilgrim_world" else titles[key]
                                  for key in self.places)
        self.targets = tuple(part.key for part in sorted(pack.target, key=lambda part: part.id))
        self.outcasts = tuple(part.key for part in sorted(pack.outcast, key=lambda part: part.id))
        self.outcast_titles = tuple(titles[key] for key in self.outcasts)
        self.target_rules = {part.key: _rule(part.effects) for part in pack.target}
        self.place_rules = {part.key: _rule(part.effects) for part in pack.place}


def _rule(effects: tuple[str, ...]) -> str:
    """A very short version of a place's or target's rule for the board."""
    if not effects:
        return ""
    _, _, body = effects[0].partition(": ")
    verb, _, inside = body.partition("(")
    inside = inside.rstrip(")").replace("@card.", "")
    what, _, number = inside.partition(", ")
    what = what.removeprefix("num=").removeprefix("sym=").replace("|", ", ").title()
    if verb == "ZERO":
        return f"{what}s count 0" if what.isdecimal() else f"{what} count 0"
    if verb == "SETV":
        return f"{what}s count {number}"
    if verb == "ADDV":
        return f"{what} +{number}"
    return {"MUST_LEAVE": "no staying", "NO_PLAY": "no cards"}.get(verb, "")

# ---- Answers ----


def signal_args(names: Names, action: int) -> dict[str, int | str]:
    """The named values of an answer to SIGNAL."""
    if action == 0:
        return {"signal": "silence"}
    return {"signal": SIGNALS[(action - 1) // 5 + 1], "place": names.places[(action - 1) % 5 + 1]}


def signal_text(names: Names, action: int) -> str:
    """An answer to SIGNAL as a sentence."""
    if action == 0:
        return "Say nothing"
    place = names.place_titles[(action - 1) % 5 + 1]
    return (f"Say: leave {place} to me", f"Say: {place} needs more effort",
            f"Say: my help at {place} was small")[(action - 1) // 5]

# ---- Events ----


def _cards(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"


def _at(say: Any) -> str:
    return str(say.names.place_titles[say.place])


def _title(say: Any) -> str:
    return kind_title(say.card & 31)


def _move(say: Any) -> str:
    stays = vars(say)["from"] == say.to
    return f"{say.does('stay')} at {say.names.place_titles[say.to]}." if stays else (
        f"{say.does('move')} to {say.names.place_titles[say.to]}.")


def _played(say: Any, what: str) -> str:
    return f"{say.does('play')} {what}{('', ' from Thing', '')[say.source]} at {_at(say)}."


def _thing_to(say: Any) -> str:
    if say.seat == say.to:
        return f"{say.does('have')} Thing."
    return f"{say.does('send')} Thing to {'you' if say.to == say.observer else f'seat {say.to}'}."


def _signal(say: Any) -> str:
    said = signal_text(say.names, say.signal).removeprefix("Say: ")
    return f"{say.does('say')}: \"{said}\"." if say.signal else f"{say.does('say')} nothing."


EVENTS = EventRows((
    Row("RING", tuple(f"place{i}" for i in range(5)), lambda say: (
        f"The places lie in a ring: {', '.join(say.names.titles[say.names.places[place]] for place in say.all)}.")),
    Row("TARGETS", tuple(f"target{i}" for i in range(1, 6)), lambda say: "Targets: " + ", ".join(
        f"{say.names.titles[say.names.targets[target]]} at {say.names.place_titles[place]}"
        for place, target in enumerate(say.all, start=1)) + "."),
    Row("START", ("seat",), lambda say: f"{say.does('begin')} every cycle."),
    Row("PICK", ("seat", "outcast"), lambda say: f"{say.does('play')} {say.names.outcast_titles[say.outcast]}.", turn=True),
    Row("DEAL", ("seat", "count"), lambda say: f"{say.does('get')} {_cards(say.count)}."),
    Row("DEAL_CARDS", ("seat", *(f"card{i}" for i in range(3))), lambda say: (
        f"Your hand: {', '.join(kind_title(card & 31) for card in say.all[1:])}.")),
    Row("MOVE", ("seat", "from", "to"), _move, turn=True),
    Row("NOPLAY", ("seat",), lambda say: f"{say.does('play')} no card.", turn=True),
    Row("PLAYED", ("seat", "place", "slot", "source", "one"), lambda say: (
        _played(say, f"a {'1' if say.one else 'card'} face down")), turn=True),
    Row("PLAYED_CARD", ("seat", "place", "slot", "source", "one", "card"), lambda say: _played(say, _title(say)), turn=True),
    Row("DISCARD", ("seat", "card"), lambda say: f"{say.does('discard')} {_title(say)}."),
    Row("THING_DISCARD", ("seat", "card"), lambda say: f"{say.does('discard')} Thing's {_title(say)}."),
    Row("DRAW", ("seat", "count"), lambda say: f"Seat {say.seat} draws {_cards(say.count)}."),
    Row("DRAW_CARDS", ("seat", *(f"card{i}" for i in range(4))), lambda say: (
        f"You draw {words([kind_title(card & 31) for card in say.all[1:]])}."), optional=3),
    Row("RESHUFFLE", ("count",), lambda say: f"The discard pile becomes the new deck: {_cards(say.count)}."),
    Row("THING_SET", ("seat", "mode"), lambda say: f"Seat {say.seat} gives Thing a card{' and takes the old one' * say.mode}."),
    Row("THING_SET_CARD", ("seat", "mode", "card_in", "card_out"), lambda say: (
        f"You give Thing {kind_title(say.card_in & 31)}{f' and take {kind_title(say.card_out & 31)}' if say.mode else ''}.")),
    Row("THING_KEEP", ("seat",), lambda say: f"{say.does('leave')} Thing its card."),
    Row("THING_TO", ("seat", "to"), _thing_to, turn=True),
    Row("THING_SEEN", ("seat", "card"), lambda say: f"Thing carries {_title(say)}."),
    Row("SIGNAL", ("seat", "signal"), _signal),
    Row("TOKEN", ("place",), lambda say: f"The Hyde was seen at {_at(say)}."),
    Row("ATTACK", ("place", "attack", "need"), lambda say: (
        f"Attack {say.attack}: the Hyde strikes {_at(say)}! {say.need} points are needed.")),
    Row("REVEAL", ("slot", "card"), lambda say: f"Revealed: {_title(say)}."),
    Row("WED_SWAP", ("seat", "slot", "taken", "given"), lambda say: (
        f"{say.does('take')} {kind_title(say.taken & 31)} and {'give' if say.seat == say.observer else 'gives'} "
        f"{kind_title(say.given & 31)}.")),
    Row("WED_PASS", ("seat",), lambda say: f"{say.does('swap')} no card."),
    Row("ZERO", ("slot",), lambda say: "One of the cards counts 0 there."),
    Row("SCORE", ("total", "need", "saved"), lambda say: (
        f"{say.total} points against {say.need}: the target is {'saved' if say.saved else 'lost'}.")),
    Row("NEWROUND", ("attack",), lambda say: f"Round {say.attack} begins; all pawns are back at the Academy."),
    Row("END", ("lost", "grade"), lambda say: f"The game is over: {_result(say.grade, say.lost)}."),
), numbers(v, "E_"), len(CORE_EVENTS))


def meanings(names: Names) -> dict[str, Meaning]:
    """Of the integers of events."""
    card = Meaning("card", tuple(kind_text(kind) for kind in range(SIX + 1)), mask=31)      # above: its last shuffle
    place = Meaning("thing", tuple(f"place/{key}" for key in names.places))
    return {"card": card, "card_in": card, "card_out": card, "taken": card, "given": card, "place": place, "from": place,
            "MOVE.to": place, "THING_TO.to": SEAT, "target": Meaning("card", names.targets),
            "outcast": Meaning("card", names.outcasts), "source": Meaning("word", SOURCES), "one": FLAG, "mode": FLAG,
            "saved": FLAG}


def _result(grade: int, lost: int) -> str:
    saved = {3: "perfect students, no target lost", 2: "intermediate students, 1 target lost",
             1: "beginners, 2 targets lost", 0: "barely, 3 targets lost", -1: f"defeat, {lost} targets lost"}
    return saved[grade]


def result_text(values: Mapping[str, Any], utility: float) -> str:
    """How a finished game ended."""
    grade = {name: number for number, name in GRADES.items()}[values["result"]]
    return f"{_result(grade, values['lost']).capitalize()}; {len(values['saved'])} saved (utility {utility:.2f})."

# ---- Reasons ----


REACH, CARD_POINT, TURN = 0.05, 0.012, 0.01
"""What one place in reach, one point of a card and one turn count for beside the chance to save a target."""


def _points(key: str, what: str) -> Feature:
    return Feature(key, 1, CARD_POINT, lambda theirs, mine: f"points {what}: {instead(mine, theirs, 1)}", 0.5)


def _counted(key: str, better: Literal[-1, 1], scale: float, what: str) -> Feature:
    def text(theirs: float, mine: float) -> str:
        held = instead(mine, theirs)
        return held and f"{what}: {held}"
    return Feature(key, better, scale, text, 0.0)


FEATURES = (
    *(Feature(f"save{place}", 1, 0.01, lambda theirs, mine: instead(mine, theirs, sign=" %"), 1.5) for place in range(1, 6)),
    _counted("reach", 1, REACH, "places you can reach next turn that may be attacked"),
    _points("hand", "your hand can still bring"),
    Feature("appeal", 1, 0.01, lambda theirs, mine: (
        f"how much a team likes to have the outcast, as bots see it: {instead(mine, theirs)}"), 1.0),
    Feature("attack", clock=True),
    _points("thing", "Thing's card can bring its holder next turn"),
    _counted("waits", -1, TURN, "turns before Thing's holder plays"),
    _points("cover", "your best card for each open place can bring, added up"),
)


def feature_text(names: Names, feature: int, theirs: float, mine: float) -> str:
    """What one answer has that another has not, in words; empty when it is too little."""
    said = FEATURES[feature].says(theirs, mine)
    return f"chance to save {names.place_titles[feature + 1]}: {said}" if said and feature < 5 else said
