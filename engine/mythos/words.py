"""Mythos in words: prompts, events, names of cards, answers and events as a person reads them."""
from __future__ import annotations

from typing import TYPE_CHECKING

from seatmate.engine.core.spec import EventType, Prompt

if TYPE_CHECKING:
    from seatmate.engine.core.packs import LoadedPack
    from seatmate.engine.mythos.pack import MythosPack

PROMPTS = (                                         # in the order of Prompt in model.pxd
    Prompt("MULLIGAN", "Do you keep your hand?"),
    Prompt("TURN", "What do you do in your turn?"),
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
EVENTS = (                                          # in the order of EventKind in model.pxd
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
    EventType("PLAYED", ("seat", "slot", "card", "mission", "zone", "from", "onto", "cost")),
    EventType("LINE", ("slot", "mission", "line")),
    EventType("NOTHING", ("slot", "mission", "line")),
    EventType("TARGETED", ("line", "verb", "slot")),
    EventType("TOKENS", ("slot", "tokens")),
    EventType("MOVED", ("slot", "mission")),
    EventType("HIDDEN", ("slot",)),
    EventType("CONTROL", ("slot", "seat", "link")),
    EventType("LOCKED", ("slot", "target")),
    EventType("LEFT", ("slot", "how", "card")),
    EventType("PEELED", ("slot", "card", "next", "owner")),
    EventType("DISCARD", ("seat", "card")),
    EventType("MILL", ("seat", "card")),
    EventType("LOOKED", ("seat", "slot")),
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
    EventType("FLOW", ("phase", "active", "step", "scoring", "plays", "defeated0", "defeated1", "arrived0", "arrived1")),
    EventType("FRAME", tuple(f"word{i}" for i in range(16))),
    EventType("WAITING", ("which", *(f"word{i}" for i in range(14)))),
)

PHASES = ("mulligan", "action", "mission", "end", "over")
ZONES = ("hand", "hidden", "discard", "discard_top", "looked", "deck", "oppdeck")
LEAVING = ("defeated", "defeated_to_hand", "returned", "clashed")


class Names:
    """Ids and titles of a pack, by kind."""

    def __init__(self, pack: MythosPack) -> None:
        titles = {row.key: row.title for row in pack.name}
        self.cards = tuple(card.id for card in pack.character)
        self.card_number = {card: kind for kind, card in enumerate(self.cards)}
        self.names = tuple(titles[card.name] for card in pack.character)
        self.titles = tuple(f"{titles[card.name]} ({card.version})" for card in pack.character)
        self.missions = tuple(mission.id for mission in pack.mission)
        self.mission_number = {mission: number for number, mission in enumerate(self.missions)}
        self.mission_titles = tuple(mission.title for mission in pack.mission)


_names: dict[str, Names] = {}


def names_of(loaded: LoadedPack[MythosPack]) -> Names:
    """The names of a pack, made once."""
    if loaded.sha256 not in _names:
        _names[loaded.sha256] = Names(loaded.content)
    return _names[loaded.sha256]
