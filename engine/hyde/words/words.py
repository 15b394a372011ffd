"""Hyde in words: names of cards and events, answers, events and reasons as a person reads them."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.game import SPECTATORS, SeenEvent
from seatmate.engine.core.spec import EventType, Feature, Prompt, Unit, instead, words
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

EVENTS = (                                                      # in the order of EventKind in model.pxd
    EventType("RING", ("place0", "place1", "place2", "place3", "place4")),
    EventType("TARGETS", ("target1", "target2", "target3", "target4", "target5")),
    EventType("START", ("seat",)),
    EventType("PICK", ("seat", "outcast")),
    EventType("DEAL", ("seat", "count")),
    EventType("DEAL_CARDS", ("seat", "card0", "card1", "card2")),
    EventType("MOVE", ("seat", "from", "to")),
    EventType("NOPLAY", ("seat",)),
    EventType("PLAYED", ("seat", "place", "slot", "source", "one")),
    EventType("PLAYED_CARD", ("seat", "place", "slot", "source", "one", "card")),
    EventType("DISCARD", ("seat", "card")),
    EventType("THING_DISCARD", ("seat", "card")),
    EventType("DRAW", ("seat", "count")),
    EventType("DRAW_CARDS", ("seat", "card0", "card1", "card2", "card3")),
    EventType("RESHUFFLE", ("count",)),
    EventType("THING_SET", ("seat", "mode")),
    EventType("THING_SET_CARD", ("seat", "mode", "card_in", "card_out")),
    EventType("THING_KEEP", ("seat",)),
    EventType("THING_TO", ("seat", "to")),
    EventType("THING_SEEN", ("seat", "card")),
    EventType("SIGNAL", ("seat", "signal")),
    EventType("TOKEN", ("place",)),
    EventType("ATTACK", ("place", "attack", "need")),
    EventType("REVEAL", ("slot", "card")),
    EventType("WED_SWAP", ("seat", "slot", "taken", "given")),
    EventType("WED_PASS", ("seat",)),
    EventType("ZERO", ("slot",)),
    EventType("SCORE", ("total", "need", "saved")),
    EventType("NEWROUND", ("attack",)),
    EventType("END", ("lost", "grade")),
)

FEATURE_ROWS = (*(Feature(f"save{place}") for place in range(1, 6)), Feature("reach"), Feature("hand"), Feature("appeal"),
                Feature("attack", clock=True), Feature("thing"), Feature("waits", -1), Feature("cover"))
FEATURES = tuple(feature.key for feature in FEATURE_ROWS)
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


def _who(seat: int, observer: int, verb: str, verb_you: str) -> str:
    return f"You {verb_you}" if seat == observer else f"Seat {seat} {verb}"


def _cards(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"


def event_text(names: Names, event: SeenEvent, observer: int) -> str:
    """One line for a person; empty for bookkeeping."""
    a = event.args
    place = names.place_titles
    match event.key:
        case "RING":
            return f"The places lie in a ring: {', '.join(names.titles[names.places[p]] for p in a)}."
        case "TARGETS":
            return "Targets: " + ", ".join(f"{names.titles[names.targets[t]]} at {place[p]}"
                                           for p, t in enumerate(a, start=1)) + "."
        case "START":
            return _who(a[0], observer, "begins every cycle.", "begin every cycle.")
        case "PICK":
            return _who(a[0], observer, "plays", "play") + f" {names.outcast_titles[a[1]]}."
        case "DEAL_CARDS":
            return f"Your hand: {', '.join(kind_title(card & 31) for card in a[1:])}."
        case "MOVE":
            if a[1] == a[2]:
                return _who(a[0], observer, "stays", "stay") + f" at {place[a[2]]}."
            return _who(a[0], observer, "moves", "move") + f" to {place[a[2]]}."
        case "NOPLAY":
            return _who(a[0], observer, "plays no card.", "play no card.")
        case "PLAYED" | "PLAYED_CARD":
            what = kind_title(a[5] & 31) if event.key == "PLAYED_CARD" else "a 1 face down" if a[4] else "a card face down"
            source = ("", " from Thing", "")[a[3]]
            return _who(a[0], observer, "plays", "play") + f" {what}{source} at {place[a[1]]}."
        case "DISCARD":
            return _who(a[0], observer, "discards", "discard") + f" {kind_title(a[1] & 31)}."
        case "THING_DISCARD":
            return _who(a[0], observer, "discards", "discard") + f" Thing's {kind_title(a[1] & 31)}."
        case "DRAW":
            return f"Seat {a[0]} draws {_cards(a[1])}."
        case "DRAW_CARDS":
            return f"You draw {words([kind_title(card & 31) for card in a[1:]])}."
        case "RESHUFFLE":
            return f"The discard pile becomes the new deck: {_cards(a[0])}."
        case "THING_SET":
            return f"Seat {a[0]} gives Thing a card{' and takes the old one' if a[1] else ''}."
        case "THING_SET_CARD":
            old = f" and take {kind_title(a[3] & 31)}" if a[1] else ""
            return f"You give Thing {kind_title(a[2] & 31)}{old}."
        case "THING_TO":
            if a[0] == a[1]:
                return _who(a[0], observer, "has Thing.", "have Thing.")
            return _who(a[0], observer, "sends", "send") + f" Thing to {'you' if a[1] == observer else f'seat {a[1]}'}."
        case "THING_SEEN":
            return f"Thing carries {kind_title(a[1] & 31)}."
        case "SIGNAL":
            said = signal_text(names, a[1]).removeprefix("Say: ")
            return "" if a[1] == 0 else _who(a[0], observer, "says", "say") + f": \"{said}\"."
        case "TOKEN":
            return f"The Hyde was seen at {place[a[0]]}."
        case "ATTACK":
            return f"Attack {a[1]}: the Hyde strikes {place[a[0]]}! {a[2]} points are needed."
        case "REVEAL":
            return f"Revealed: {kind_title(a[1] & 31)}."
        case "WED_SWAP":
            return _who(a[0], observer, "takes", "take") + f" {kind_title(a[2] & 31)} and " \
                + ("give" if a[0] == observer else "gives") + f" {kind_title(a[3] & 31)}."
        case "WED_PASS":
            return _who(a[0], observer, "swaps no card.", "swap no card.")
        case "SCORE":
            return f"{a[0]} points against {a[1]}: the target is {'saved' if a[2] else 'lost'}."
        case "NEWROUND":
            return f"Round {a[0]} begins; all pawns are back at the Academy."
        case "END":
            return f"The game is over: {_result(a[1], a[0])}."
    return ""


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


CARD_TEXTS = {"hand": "your hand can still bring", "thing": "Thing's card can bring its holder next turn",
              "cover": "your best card for each open place can bring, added up"}
"""Which points, by feature."""


def feature_text(names: Names, feature: int, theirs: float, mine: float) -> str:
    """What one answer has that another has not, in words; empty when it is too little."""
    key = FEATURES[feature]
    if key.startswith("save") and abs(mine - theirs) >= 0.015:
        held = instead(100 * mine, 100 * theirs, sign=" %")
        return held and f"chance to save {names.place_titles[feature + 1]}: {held}"
    if key == "reach":
        held = instead(mine / REACH, theirs / REACH)
        return held and f"places you can reach next turn that may be attacked: {held}"
    if key in CARD_TEXTS and abs(mine - theirs) >= 0.5 * CARD_POINT:
        cards = CARD_TEXTS[key]
        return f"points {cards}: {instead(mine / CARD_POINT, theirs / CARD_POINT, 1)}"
    if key == "waits":
        held = instead(mine / TURN, theirs / TURN)
        return held and f"turns before Thing's holder plays: {held}"
    if key == "appeal" and abs(mine - theirs) >= 0.01:
        return f"how much a team likes to have the outcast, as bots see it: {instead(100 * mine, 100 * theirs)}"
    return ""

# ---- Board ----


def board_lines(names: Names, view: Mapping[str, Any], observer: int) -> list[str]:
    """The table for a terminal, in rich markup: two lines for each place."""
    if view["thing"] is None:
        taken = words([names.titles[key] for key in view["outcasts"] if key]) or "nobody yet"
        return [f"[bold]Hyde[/bold] ({view['level']}): choosing outcasts; taken: {taken}"]
    needs = " ".join(f"[bold]{need}[/bold]" if number == view["attack"] else str(need)
                     for number, need in enumerate(view["needs"], start=1))
    coming = "[bold]The game is over[/bold]" if view["result"] else f"[bold]Attack {view['attack']}[/bold] is coming"
    lines = [f"{coming}; points needed: {needs}; lost {view['lost']}",
             f"  deck {view['deck']}, discarded {len(view['discard'])}"]
    for key in ("academy", *view["ring"]):
        pawns = ", ".join(f"{'you' if seat == observer else f'seat {seat}'} ({names.titles[view['outcasts'][seat]]})"
                          for seat, at in enumerate(view["pawns"]) if at == key)
        here = f"[cyan]{pawns}[/cyan]" if pawns else ""
        if key == names.places[0]:
            lines.append(f"  [bold]{names.titles[key]:<14}[/bold] {here}".rstrip())
            continue
        target = view["targets"][key]
        rules = ", ".join(rule for rule in (names.place_rules[key], names.target_rules[target]) if rule)
        if key in view["attacked"]:
            style, state = ("green", "saved") if key in view["saved"] else ("red", "lost")
            if key == view["under_attack"]:
                style, state = "red", "attacked!"
        else:
            style, state = ("yellow", "in the bag") if key in view["bag"] else ("dim", "seen")
        lines.append(f"  [bold]{names.titles[key]:<14}[/bold] [{style}]{state:<11}[/{style}] {names.titles[target]}: {rules}")
        pile = view["piles"][key]
        known = [_title(entry["card"]) for entry in pile if entry["card"] is not None]
        hidden = len(pile) - len(known)
        cards = ", ".join(known + ([f"{hidden} face down"] if hidden else []))
        if cards or here:
            lines.append(" " * 17 + "; ".join(part for part in (here, cards) if part))
    thing = view["thing"]
    holder = "you have" if thing["seat"] == observer else f"seat {thing['seat']} has"
    carries = f" with {_title(thing['card'])}" if thing["card"] else ""
    lines.append(f"  [bold]Thing[/bold]          {holder} it{carries}"
                 + (f"; sixes left: {view['sixes_left']}" if view["sixes_left"] else ""))
    if observer != SPECTATORS and view["hands"][observer] is not None:
        hand = ", ".join(map(_title, view["hands"][observer]))
        lines.append(f"  [bold]Your hand[/bold]      {hand or 'empty'}")
    return lines


def _title(card: str) -> str:
    """The title of a card from its text in an observation."""
    return kind_title(card_number(card) & 31)
