"""Mythos in words: prompts, events, names of cards, answers and events as a person reads them."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.spec import EventType, Feature, Prompt, apart, counted, instead, words
from seatmate.engine.mythos.content.link import MISSION_KIND, WHILE
from seatmate.engine.mythos.words.cards import MythosWords

if TYPE_CHECKING:
    from seatmate.engine.core.game import SeenEvent
    from seatmate.engine.core.packs import LoadedPack
    from seatmate.engine.mythos.content.link import Compiled
    from seatmate.engine.mythos.content.pack import MythosPack

PROMPTS = (                                         # in the order of Prompt in vocabulary.pxd
    Prompt("MULLIGAN", "Do you keep your hand?"),
    Prompt("TURN", "What do you do in your turn?", opens=True),
    Prompt("TURN_MISSION", "On which mission?", public="TURN"),
    Prompt("TURN_ONTO", "As a new character, or on which one?", public="TURN"),
    Prompt("PLAYCARD", "Which card do you play?"),
    Prompt("PLAYCARD_MISSION", "On which mission?", public="PLAYCARD"),
    Prompt("PLAYCARD_ONTO", "As a new character, or on which one?", public="PLAYCARD"),
    Prompt("FORCED", "Do you reveal the character, or is it defeated?"),
    Prompt("FORCED_ONTO", "As a new character, or on which one?", public="FORCED"),
    Prompt("CARD", "Which card of your hand?"),
    Prompt("CARD_MISSION", "On which mission?", public="CARD"),
    Prompt("MISSION", "Which mission?"),
    Prompt("MAY", "Do you use the effect?"),
    Prompt("TARGET", "Which character?"),
    Prompt("DEST", "To which mission does it move?"),
    Prompt("AMOUNT", "How much?"),
    Prompt("EFFECT", "Which effect do you copy?"),
    Prompt("ORDER", "Which effect comes next?"),
    Prompt("REPLACE", "Is this character defeated instead?"),
    Prompt("RAID", "Which card of the opponent's hand?"),
    Prompt("POOL", "Which card of your discard pile?"),
    Prompt("LOCK", "Which character does it hold?"),
)
PROMPT_NUMBER = {prompt.key: number for number, prompt in enumerate(PROMPTS)}
OVER = len(PROMPTS)

_CARDS = tuple(f"card{i}" for i in range(15))
EVENTS = (                                          # in the order of EventKind in vocabulary.pxd
    EventType("DECK", ("seat", *_CARDS)),
    EventType("TRIPLE", ("seat", "mission0", "mission1", "mission2")),
    EventType("EDGE", ("seat",)),
    EventType("MULLIGAN", ("seat", "redraw")),
    EventType("MISSION", ("index", "mission")),
    EventType("CHAKRA", ("seat", "pool", "reason")),
    EventType("PASS", ("seat",)),
    EventType("TURN_END", ("seat",)),
    EventType("DRAW", ("seat", "count")),
    EventType("DRAW_CARDS", ("seat", *_CARDS[:14])),
    EventType("PUT", ("seat", "slot", "mission", "zone", "owner", "link", "turn")),
    EventType("PUT_CARD", ("seat", "slot", "mission", "zone", "owner", "link", "turn", "card")),
    EventType("PLAYED", ("seat", "slot", "card", "mission", "zone", "from", "onto", "cost", "covered")),
    EventType("LINE", ("slot", "mission", "line", "seat")),
    EventType("NOTHING", ("slot", "mission", "line", "seat")),
    EventType("TARGETED", ("line", "verb", "slot")),
    EventType("TOKENS", ("slot", "tokens", "side", "card")),
    EventType("MOVED", ("slot", "mission", "before", "side", "card")),
    EventType("HIDDEN", ("slot", "side", "card")),
    EventType("CONTROL", ("slot", "seat", "link", "side", "card")),
    EventType("LOCKED", ("slot", "target", "side", "card")),
    EventType("LEFT", ("slot", "how", "card", "side")),
    EventType("PEELED", ("slot", "card", "next", "owner")),
    EventType("DISCARD", ("seat", "card")),
    EventType("MILL", ("seat", "card")),
    EventType("LOOKED", ("seat", "slot", "side")),
    EventType("LOOKED_CARD", ("seat", "slot", "card")),
    EventType("SAW_HAND", ("seat",)),
    EventType("SAW_CARDS", ("seat", *_CARDS[:14])),
    EventType("LOOKTOP", ("seat", "count")),
    EventType("LOOKTOP_CARDS", ("seat", *_CARDS[:5])),
    EventType("TOOK", ("seat", "filter", *_CARDS[:5])),
    EventType("PUT_BACK", ("seat", "count", "filter")),
    EventType("DUMPED", ("seat", "card")),
    EventType("TOP", ("seat",)),
    EventType("TOP_CARD", ("seat", "card")),
    EventType("RECOVERED", ("seat", "card")),
    EventType("POINTS", ("seat", "points", "gain")),
    EventType("EVALUATED", ("mission", "power0", "power1", "winner")),
    EventType("END_ROUND", ("round",)),
    EventType("OVER", ("winner", "points0", "points1")),
    EventType("CHAIN", ("play", "mission")),
    EventType("FLOW", ("phase", "active", "step", "scoring", "plays", "defeated0", "defeated1", "arrived0", "arrived1",
                       "asks")),
    EventType("FRAME", tuple(f"word{i}" for i in range(16))),
    EventType("WAITING", ("which", *(f"word{i}" for i in range(14)))),
)

PHASES = ("mulligan", "action", "mission", "end", "over")
ZONES = ("hand", "hidden", "discard", "discard_top", "looked", "deck", "oppdeck")
LEAVING = ("defeated", "defeated_to_hand", "returned", "clashed")
RANKS = "DCBA"
TRIGGERS = ("MAIN", "UPGRADE", "AMBUSH", "SCORE")
CHAKRA = ("income", "cost", "gained", "stolen", "paid", "taxed", "round")


class Names:
    """Ids and titles of a pack, by kind; lines by number."""

    def __init__(self, pack: MythosPack, compiled: Compiled) -> None:
        titles = {row.key: row.title for row in pack.name}
        self.cards = tuple(card.id for card in pack.character)
        self.card_number = {card: kind for kind, card in enumerate(self.cards)}
        self.names = tuple(titles[card.name] for card in pack.character)
        self.titles = tuple(f"{titles[card.name]} ({card.version})" for card in pack.character)
        self.costs = tuple(card.cost for card in pack.character)
        self.powers = tuple(card.power for card in pack.character)
        self.missions = tuple(mission.id for mission in pack.mission)
        self.mission_number = {mission: number for number, mission in enumerate(self.missions)}
        self.mission_titles = tuple(mission.title for mission in pack.mission)
        self.lines = tuple(self._line(line.kind, line.trigger) for line in compiled.lines)
        self.headings = tuple(f"the {TRIGGERS[line.trigger]} effect" if line.trigger < WHILE else "the effect"
                              for line in compiled.lines)
        self.effects = tuple(f"{heading} of {self._whose(line.kind)}"
                             for heading, line in zip(self.headings, compiled.lines, strict=True))
        self._pack, self._compiled, self._sentences = pack, compiled, MythosWords(pack)

    def _line(self, kind: int, trigger: int) -> str:
        """The title of the card and the heading of the line."""
        title = self.mission_titles[kind - MISSION_KIND] if kind >= MISSION_KIND else self.titles[kind]
        return f"{title}: {TRIGGERS[trigger]}" if trigger < WHILE else title

    def _whose(self, kind: int) -> str:
        return f"the mission {self.mission_titles[kind - MISSION_KIND]}" if kind >= MISSION_KIND else self.names[kind]

    def sentence(self, line: int) -> str:
        """What a line does, without its heading and its full stop."""
        kind = self._compiled.lines[line].kind
        table = self._pack.mission[kind - MISSION_KIND] if kind >= MISSION_KIND else self._pack.character[kind]
        text = self._sentences.line(str(table.effects[line - self._compiled.first[kind]]))
        return text.partition(": ")[2].removesuffix(".")

    def title(self, card: str) -> str:
        """The title of a card by its id."""
        return self.titles[self.card_number[card]]

# ---- Events ----


def _who(seat: int, observer: int, verb: str, verb_you: str) -> str:
    return f"You {verb_you}" if seat == observer else f"Seat {seat} {verb}"


def _cards(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"


def _unit(names: Names, slot: int, side: int, kind: int, observer: int) -> str:
    """A character in play: by its name for who knows it, else by its place on the board."""
    return f"{_whose(side, observer)} " + (names.names[kind] if kind >= 0 else f"hidden character #{slot}")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def event_text(names: Names, event: SeenEvent, observer: int) -> str:
    """One line for a person; empty for bookkeeping."""
    a, title = event.args, names.titles
    match event.key:
        case "EDGE":
            return _who(a[0], observer, "has", "have") + " the Edge."
        case "MULLIGAN":
            return _who(a[0], observer, "draws a new hand.", "draw a new hand.") if a[1] else ""
        case "MISSION":
            return f"Round {a[0] + 1}: mission {RANKS[a[0]]} is {names.mission_titles[a[1]]}."
        case "CHAKRA":
            return _chakra(a[0], a[1], CHAKRA[a[2]], observer)
        case "PASS":
            return _who(a[0], observer, "passes.", "pass.")
        case "DRAW":
            return f"Seat {a[0]} draws {_cards(a[1])}."
        case "DRAW_CARDS":
            return f"You draw {words([title[kind] for kind in a[1:]])}."
        case "PUT" | "PUT_CARD":
            what = title[a[7]] if event.key == "PUT_CARD" else "a card"
            whose = "" if a[4] == a[0] else " of the opponent's deck"
            return _who(a[0], observer, "puts", "put") + f" {what}{whose} face down on mission {RANKS[a[2]]} as #{a[1]}."
        case "PLAYED":
            how = "reveals" if ZONES[a[4]] == "hidden" else "plays"
            onto = f" as an upgrade of {names.names[a[8]]}" if a[6] >= 0 else ""
            return _who(a[0], observer, how, how[:-1]) + f" {title[a[2]]} on mission {RANKS[a[3]]}{onto} for {a[7]} chakra."
        case "LINE":
            return _who(a[3], observer, "uses", "use") + f" {names.effects[a[2]]}."
        case "TOKENS":
            return _capital(f"{_unit(names, a[0], a[2], a[3], observer)} has {counted(a[1], 'Power token')}.")
        case "MOVED":
            way = f"from mission {RANKS[a[2]]} to mission {RANKS[a[1]]}"
            return _capital(f"{_unit(names, a[0], a[3], a[4], observer)} moves {way}.")
        case "HIDDEN":
            return _capital(f"{_unit(names, a[0], a[1], a[2], observer)} is turned face down.")
        case "CONTROL":
            return _who(a[1], observer, "takes", "take") + f" control of {_unit(names, a[0], 1 - a[1], a[4], observer)}."
        case "LOCKED":
            return f"Rashomon holds {_unit(names, a[1], a[2], a[3], observer)}." if a[1] >= 0 else ""
        case "LEFT":
            return _capital(_unit(names, a[0], a[3], a[2], observer)) + {
                "defeated": " is defeated.", "defeated_to_hand": " is defeated and goes to its owner's hand.",
                "returned": " goes back to its owner's hand.",
                "clashed": " is discarded: its side has one of that name there."}[LEAVING[a[1]]]
        case "PEELED":
            return f"{title[a[1]]} is discarded; below it is {title[a[2]]}."
        case "DISCARD" | "DUMPED":
            return _who(a[0], observer, "discards", "discard") + f" {title[a[1]]}."
        case "MILL":
            return f"The top card of {_whose(a[0], observer)} deck is discarded: {title[a[1]]}."
        case "LOOKED":
            return f"Seat {a[0]} looks at {_unit(names, a[1], a[2], -1, observer)}."
        case "LOOKED_CARD":
            return f"You see that #{a[1]} is {title[a[2]]}."
        case "SAW_HAND":
            return f"Seat {a[0]} sees {_whose(1 - a[0], observer)} hand."
        case "SAW_CARDS":
            return f"You see in seat {1 - a[0]}'s hand: {words([title[kind] for kind in a[1:]])}."
        case "LOOKTOP":
            return f"Seat {a[0]} looks at the top {_cards(a[1])} of its deck."
        case "LOOKTOP_CARDS":
            return f"On top of your deck: {words([title[kind] for kind in a[1:]])}."
        case "TOOK":
            what = words([title[kind] for kind in a[2:]]) or "nothing"
            return _who(a[0], observer, "takes", "take") + f" {what} from the top of {'your' if a[0] == observer else 'its'} deck."
        case "TOP":
            return f"Seat {a[0]} puts a card on top of its deck."
        case "TOP_CARD":
            return f"You put {title[a[1]]} on top of your deck."
        case "RECOVERED":
            return _who(a[0], observer, "takes", "take") + f" {title[a[1]]} back to the hand."
        case "POINTS":
            return _who(a[0], observer, "gains", "gain") + f" {a[2]} point{'' if a[2] == 1 else 's'} ({a[1]} in all)."
        case "EVALUATED":
            if a[3] < 0:
                return f"Nobody has power on mission {RANKS[a[0]]}."
            tie = " by the Edge" if a[1] == a[2] else ""
            return (_who(a[3], observer, "wins", "win")
                    + f" mission {RANKS[a[0]]}{tie}: power {a[1 + a[3]]} against {a[2 - a[3]]}.")
        case "END_ROUND":
            return f"Round {a[0]} is over."
        case "OVER":
            return "The game is over: " + _won(a[0], a[1:], "you win" if a[0] == observer else f"seat {a[0]} wins")
    return ""


def _whose(seat: int, observer: int) -> str:
    return "your" if seat == observer else f"seat {seat}'s"


def _chakra(seat: int, pool: int, reason: str, observer: int) -> str:
    if reason in ("cost", "round"):
        return ""
    if reason == "stolen":
        return f"After the theft {'you have' if seat == observer else f'seat {seat} has'} {pool} chakra."
    change = {"income": "has", "gained": "gains chakra and has", "paid": "pays for the effect and has",
              "taxed": "pays extra for the effect and has"}[reason]
    change_you = {"income": "have", "gained": "gain chakra and have", "paid": "pay for the effect and have",
                  "taxed": "pay extra for the effect and have"}[reason]
    return _who(seat, observer, change, change_you) + f" {pool} chakra."


def _won(winner: int, points: Sequence[int], who: str) -> str:
    """Who wins, the winner's points first."""
    tie = ", by the Edge" if points[0] == points[1] else ""
    return f"{who}, {points[winner]} to {points[1 - winner]} points{tie}."


def result_text(values: Mapping[str, Any]) -> str:
    """How a finished game ended."""
    winner = values["active"]
    return _won(winner, values["points"], f"Seat {winner} wins")

# ---- Reasons ----

ROUND, POINT, CHAKRA_SCALE, CARD_SCALE, UNIT_SCALE, EDGE_SCALE = 1024.0, 0.12, 0.04, 0.08, 0.12, 0.15
SEEN_SCALE, POWER_SCALE, WAITING_SCALE, OPENING_SCALE = 0.02, 0.02, 0.01, 0.08
CHEAP = 3
"""Characters for so much chakra or less can be played in round 1."""

FEATURE_ROWS = (
    *(Feature(f"odds_{rank}", stamp=ROUND) for rank in "dcba"), Feature("points"), Feature("enemy_points", -1),
    Feature("later", stamp=ROUND), Feature("chakra", stamp=ROUND), Feature("income", stamp=ROUND), Feature("hand"),
    Feature("enemy_hand", -1), Feature("enemies", -1), Feature("hidden_enemies"), Feature("edge"), Feature("seen"),
    Feature("own_cards", stamp=ROUND), Feature("waiting"), Feature("opening"), Feature("round", clock=True),
)
"""What features.pyx measures, in its order and with these scales: a change of 1 of every feature matters about equally."""

FEATURES = tuple(feature.key for feature in FEATURE_ROWS)

_SCALES = {"points": POINT, "enemy_points": POINT, "later": POINT, "chakra": CHAKRA_SCALE, "income": CHAKRA_SCALE,
           "hand": CARD_SCALE, "enemy_hand": CARD_SCALE, "enemies": UNIT_SCALE, "hidden_enemies": UNIT_SCALE, "edge": EDGE_SCALE,
           "seen": SEEN_SCALE, "own_cards": POWER_SCALE, "waiting": WAITING_SCALE, "opening": OPENING_SCALE}


def feature_text(feature: int, theirs: float, mine: float) -> str:
    """What one answer has that another has not, in words; empty if it is too little."""
    key = FEATURES[feature]
    mine, theirs = mine / _SCALES.get(key, 1.0), theirs / _SCALES.get(key, 1.0)
    change = mine - theirs
    held = instead(mine, theirs)
    match key:
        case "odds_d" | "odds_c" | "odds_b" | "odds_a" if abs(change) >= 0.03:
            return f"your odds on mission {key[-1].upper()}: {instead(100 * mine, 100 * theirs, sign=' %')}"
        case "points" if abs(change) >= 0.3:
            return f"scores {apart(change, 'point')}"
        case "enemy_points" if abs(change) >= 0.3:
            return f"the opponent scores {apart(change, 'point')}"
        case "later" if held:
            return f"points to expect in later rounds: {held}"
        case "chakra" if abs(change) >= 0.5:
            return f"{'saves' if change > 0 else 'costs'} {abs(change):.0f} chakra ({mine:.0f} left, not {theirs:.0f})"
        case "income" if held:
            return f"your chakra in the next round: {held}"
        case "hand" if abs(change) >= 0.5:
            return f"leaves you {apart(change, 'card')}"
        case "enemy_hand" if abs(change) >= 0.5:
            return f"leaves the opponent {apart(change, 'card')}"
        case "enemies" if abs(change) >= 0.4:
            return f"leaves the opponent {apart(change, 'character')}"
        case "hidden_enemies" if abs(change) >= 0.4:
            return f"turns {apart(change, 'enemy character')} face down"
        case "edge" if abs(change) >= 0.5:
            return "you have the Edge" if change > 0 else "the opponent has the Edge"
        case "seen" if abs(change) >= 0.5:
            return f"shows you {apart(change, 'hidden card')} of the opponent"
        case "own_cards" if held:
            return f"power of your hand and characters: {held}"
        case "waiting" if held:
            return f"points where your hidden characters wait: {held}"
        case "opening" if abs(mine) >= 0.15:
            more = "more" if mine > 0 else "fewer"
            return f"begins with {abs(mine):.1f} {more} characters for {CHEAP} chakra or less than the other answer"
    return ""

# ---- Board ----

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


_names: dict[str, Names] = {}


def names_of(loaded: LoadedPack[MythosPack], compiled: Compiled) -> Names:
    """The names of a pack, made once."""
    if loaded.sha256 not in _names:
        _names[loaded.sha256] = Names(loaded.content, compiled)
    return _names[loaded.sha256]
