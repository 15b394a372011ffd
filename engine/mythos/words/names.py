"""What prompts, phases, cards, missions and lines are called."""
from __future__ import annotations

from typing import TYPE_CHECKING

from seatmate.engine.core.spec import Prompt
from seatmate.engine.mythos.content import vocabulary as v
from seatmate.engine.mythos.words.cards import MythosWords

if TYPE_CHECKING:
    from seatmate.engine.core.packs import LoadedPack
    from seatmate.engine.mythos.content.link import Compiled
    from seatmate.engine.mythos.content.pack import MythosPack

PROMPTS = (                                         # in the order of Q_MULLIGAN ... in vocabulary.pxd
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
PHASES = ("mulligan", "action", "mission", "end", "over")
RANKS = "DCBA"
TRIGGERS = ("MAIN", "UPGRADE", "AMBUSH", "SCORE")


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
        self.headings = tuple(f"the {TRIGGERS[line.trigger]} effect" if line.trigger < v.WHILE else "the effect"
                              for line in compiled.lines)
        self.effects = tuple(f"{heading} of {self._whose(line.kind)}"
                             for heading, line in zip(self.headings, compiled.lines, strict=True))
        self._pack, self._compiled, self._sentences = pack, compiled, MythosWords(pack)

    def _line(self, kind: int, trigger: int) -> str:
        """The title of the card and the heading of the line."""
        title = self.mission_titles[kind - v.MISSION_LINE] if kind >= v.MISSION_LINE else self.titles[kind]
        return f"{title}: {TRIGGERS[trigger]}" if trigger < v.WHILE else title

    def _whose(self, kind: int) -> str:
        return f"the mission {self.mission_titles[kind - v.MISSION_LINE]}" if kind >= v.MISSION_LINE else self.names[kind]

    def sentence(self, line: int) -> str:
        """What a line does, without its heading and its full stop."""
        kind = self._compiled.lines[line].kind
        table = self._pack.mission[kind - v.MISSION_LINE] if kind >= v.MISSION_LINE else self._pack.character[kind]
        text = self._sentences.line(str(table.effects[line - self._compiled.first[kind]]))
        return text.partition(": ")[2].removesuffix(".")

    def title(self, card: str) -> str:
        """The title of a card by its id."""
        return self.titles[self.card_number[card]]


_names: dict[str, Names] = {}


def names_of(loaded: LoadedPack[MythosPack], compiled: Compiled) -> Names:
    """The names of a pack, made once."""
    if loaded.sha256 not in _names:
        _names[loaded.sha256] = Names(loaded.content, compiled)
    return _names[loaded.sha256]
