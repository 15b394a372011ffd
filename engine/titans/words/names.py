"""Ids and titles of a pack, the questions, and how a game ended."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.effects_vocabulary import numbers, small
from seatmate.engine.core.spec import Prompt, counted, words
from seatmate.engine.titans.content import vocabulary as v
from seatmate.engine.titans.content.maps import ARENA, STANDARD

if TYPE_CHECKING:
    from seatmate.engine.titans.content.pack import TitansPack

_QUESTIONS = {
    "DRAFT": "Which character do you take?", "SETASIDE": "Which Mayhem card do you set aside?",
    "COMP_CHAR": "Which character joins your team?", "COMP_CARD": "Which Mayhem card do you take?",
    "FIRST_PLACE": "On which base does the character begin?", "REPLACE": "On which base does the character return?",
    "WINDOW": "Do you play a Mayhem card now?", "PIECE": "Which character acts?",
    "DIE_SLOT": "Which die goes on which ability?", "MOVE": "Where does the character move?",
    "ABILITY": "What does the character do?", "TARGET": "Whom does it affect?", "DEST": "To which place?",
    "VICTIM": "Whom do you pull or push?", "OBST_SRC": "Which obstacle do you use?", "OBST_EDGE": "On which border?",
    "TRAP_PLACE": "Where do the traps go?", "ESCAPE": "Does the character use its escape token?",
    "DICE_MASK": "Which dice do you roll again?", "DIE": "Which die do you turn?", "GO_PIECE": "Which of your characters?",
    "GO_PLACE": "On which place?", "CYBORG": "Where does Cyborg go?", "REMOVE": "Which place leaves the game?"}
_MORE: dict[str, dict[str, Any]] = {
    "SETASIDE": {"again": True}, "WINDOW": {"passing": 0}, "PIECE": {"opens": True},
    "COMP_CARD": {"public": "COMP_CHAR"}}       # how far a seat is, is secret
PROMPTS = tuple(Prompt(key, _QUESTIONS[key], **_MORE.get(key, {})) for key in numbers(v, "Q_") if key != "NOTHING")
PROMPT_NUMBER = {prompt.key: number for number, prompt in enumerate(PROMPTS)}

MODES, STEPS, FRAME_KINDS, ENTRIES, CAUSES = (tuple(small(v, prefix)) for prefix in ("MODE_", "S_", "K_", "BY_", "W_"))
PHASES = {"draft": "setup", "set_aside": "setup", "comp": "setup", "round": "start", "first_place": "start",
          "mayhem_die": "start", "go_cards": "start", "start_cards": "start", "return": "recovery", "burn": "recovery",
          "smoke": "recovery", "remove": "end", "round_end": "end", "over": "over"}
"""The phase of a step; all other steps are of the phase "activation"."""
COLOURS = ("black", "white")
MISSION_TOKENS = ("the pizza", "a clue", "the monster", "a gift")
GO, SLOT, INNATE = int(v.FROM_GO), int(v.FROM_SLOT), int(v.FROM_INNATE)


class Names:
    """Ids and titles of a pack under a mode; pieces are told apart by their character (and, in "comp", the colour)."""

    def __init__(self, pack: TitansPack, mode: str) -> None:
        self.mode = mode
        self.tokens = MISSION_TOKENS
        self.arena = mode == "ffa3"
        self.map = ARENA if self.arena else STANDARD
        self.characters = tuple(board.key for board in pack.board)
        self.character_number = {key: number for number, key in enumerate(self.characters)}
        self.titles = tuple(board.title for board in pack.board)
        self.health = tuple(board.health for board in pack.board)
        self.innates = tuple(board.innate for board in pack.board)
        self.abilities = tuple(tuple(ability.title for ability in board.ability) for board in pack.board)
        self.slots = tuple(tuple(ability.slot for ability in board.ability) for board in pack.board)
        self.cards = tuple(card.id for card in pack.mayhem)
        self.card_number = {card: number for number, card in enumerate(self.cards)}
        self.card_titles = tuple(card.title for card in pack.mayhem)
        self.goes = tuple(go.id for go in pack.go)
        self.go_number = {go: number for number, go in enumerate(self.goes)}
        self.go_titles = tuple(go.title for go in pack.go)
        self.tiles = tuple(tile.key for tile in pack.tile)
        self.tile_number = {key: number for number, key in enumerate(self.tiles)}
        self.tile_titles = tuple(tile.title for tile in pack.tile)

    def piece(self, who: int) -> str:
        """A piece by the number events use."""
        title = self.titles[who >> 2] if who >> 2 < len(self.titles) else "somebody"
        return f"{title} ({COLOURS[(who & 3) >> 1]})" if self.mode == "comp" else title

    def whose(self, who: int, what: str) -> str:
        """Something of a piece: Robin's turn, or the turn of Robin (black)."""
        piece = self.piece(who)
        return f"the {what} of {piece}" if piece.endswith(")") else f"{piece}'s {what}"

    def place(self, place: int, tile: int) -> str:
        """A place by its tile, or by its number where tiles lie face down."""
        return f"the {self.tile_titles[tile]}" if tile >= 0 else f"place {place}"

    def team(self, team: int) -> str:
        """A team; in the free-for-all a seat."""
        return f"Seat {team}" if self.arena else f"Team {COLOURS[team]}"

    def source(self, source: int, piece_character: Sequence[int]) -> str:
        """What a running effect comes from."""
        if source < GO:
            return self.card_titles[source]
        if source < SLOT:
            return self.go_titles[source - GO]
        if source < INNATE:
            return self.abilities[piece_character[(source - SLOT) // 2]][source % 2]
        return self.innates[piece_character[source - INNATE]]

    def sharers(self, winners: Sequence[int]) -> str:
        """Several winners."""
        return words([self.team(team).lower() for team in winners])


def result_text(names: Names, values: Mapping[str, Any]) -> str:
    """How a finished game ended; the winner's points first."""
    winners: list[int] = values["result"]
    if len(winners) > 1:
        said = names.sharers(winners)
        said = f"{said[0].upper()}{said[1:]} share the win"
    else:
        said = f"{names.team(winners[0])} wins"
    if names.arena:
        return f"{said}."
    first = winners[0]
    fallen = [all(piece["ko"] for piece in values["pieces"][2 * team:2 * team + 2]) for team in range(2)]
    why = " with a KO of both opponents" if len(winners) == 1 and fallen[1 - first] else ""
    return f"{said}{why}, {values['teams'][first]['points']} to {counted(values['teams'][1 - first]['points'], 'point')}."
