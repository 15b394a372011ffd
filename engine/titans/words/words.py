"""Titans in words: prompts, events, names, events and positions as a person reads them."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.spec import EventType, Feature, Prompt, apart, counted, instead, words
from seatmate.engine.titans.content.maps import ARENA, STANDARD

if TYPE_CHECKING:
    from seatmate.engine.core.game import SeenEvent
    from seatmate.engine.titans.content.pack import TitansPack

PROMPTS = (                                         # in the order of Prompt in vocabulary.pxd
    Prompt("DRAFT", "Which character do you take?"),
    Prompt("SETASIDE", "Which Mayhem card do you set aside?", again=True),
    Prompt("COMP_CHAR", "Which character joins your team?"),
    Prompt("COMP_CARD", "Which Mayhem card do you take?", public="COMP_CHAR"),      # how far a seat is, is secret
    Prompt("FIRST_PLACE", "On which base does the character begin?"),
    Prompt("REPLACE", "On which base does the character return?"),
    Prompt("WINDOW", "Do you play a Mayhem card now?", passing=0),
    Prompt("PIECE", "Which character acts?", opens=True),
    Prompt("DIE_SLOT", "Which die goes on which ability?"),
    Prompt("MOVE", "Where does the character move?"),
    Prompt("ABILITY", "What does the character do?"),
    Prompt("TARGET", "Whom does it affect?"),
    Prompt("DEST", "To which place?"),
    Prompt("VICTIM", "Whom do you pull or push?"),
    Prompt("OBST_SRC", "Which obstacle do you use?"),
    Prompt("OBST_EDGE", "On which border?"),
    Prompt("TRAP_PLACE", "Where do the traps go?"),
    Prompt("ESCAPE", "Does the character use its escape token?"),
    Prompt("DICE_MASK", "Which dice do you roll again?"),
    Prompt("DIE", "Which die do you turn?"),
    Prompt("GO_PIECE", "Which of your characters?"),
    Prompt("GO_PLACE", "On which place?"),
    Prompt("CYBORG", "Where does Cyborg go?"),
    Prompt("REMOVE", "Which place leaves the game?"),
)
PROMPT_NUMBER = {prompt.key: number for number, prompt in enumerate(PROMPTS)}

EVENTS = (                                          # in the order of EventKind in vocabulary.pxd
    # `who` is 4 * character + piece; `tile` is what lies on the place of the event, -1 face down.
    EventType("CONFIG", ("mode", "options", "first")),
    EventType("DRAFT", ("seat", "who")),
    EventType("COMP_PICK", ("seat", "kind", "id")),
    EventType("COMP_REVEAL", ("seat", "character0", "character1")),
    EventType("TILES", tuple(f"tile{place}" for place in range(10))),
    EventType("MAYHEM_DRAW", ("seat", *(f"card{i}" for i in range(7)))),
    EventType("MAYHEM_COUNT", ("seat", "count")),
    EventType("SETASIDE", ("seat", "card")),
    EventType("SETASIDE_COUNT", ("seat", "count")),
    EventType("DEAL_FIXED", ("seat", "card")),
    EventType("ROUND", ("round",)),
    EventType("ROLL_ACT", ("team", "value0", "value1")),
    EventType("INITIATIVE", ("team",)),
    EventType("ROLL_MAYHEM", ("face", "value", "star")),
    EventType("GO_REVEAL", ("team", "card")),
    EventType("GO_DONE", ("team", "card")),
    EventType("GO_SHUFFLE", ()),
    EventType("WINDOW", ("seat", "cause")),
    EventType("PASS", ("seat",)),
    EventType("CARD", ("seat", "card")),
    EventType("PIECE", ("who",)),
    EventType("DIE_SLOT", ("who", "die", "slot", "value")),
    EventType("STAY", ("who",)),
    EventType("ENTER", ("who", "place", "mode", "tile")),
    EventType("ABILITY", ("who", "slot", "tiers")),
    EventType("INNATE", ("who",)),
    EventType("ATTACK", ("who", "target", "kind")),
    EventType("ATTACK_FAILED", ("who",)),
    EventType("DAMAGE", ("who", "amount", "absorbed", "source", "total")),
    EventType("MONSTER_DAMAGE", ("team", "amount", "total")),
    EventType("HEAL", ("who", "amount", "total")),
    EventType("TOKEN", ("who", "kind", "change", "team")),
    EventType("TRAP", ("place", "team", "change", "tile")),
    EventType("TRAP_TRIGGER", ("place", "who", "tokens", "tile")),
    EventType("OBST", ("from", "to", "tile0", "tile1", "team")),
    EventType("DECLINE", ("seat", "prompt")),
    EventType("DIE_CHANGE", ("team", "die", "value")),
    EventType("FLAG", ("flag", "who", "team")),
    EventType("KO", ("who", "eliminated")),
    EventType("VP", ("team", "total")),
    EventType("MISSION_TOKEN", ("kind", "team", "from", "to", "tile")),
    EventType("TILE_REMOVED", ("place",)),
    EventType("FLAME", ("place",)),
    EventType("TURN_END", ("who",)),
    EventType("ROUND_END", ("round",)),
    EventType("GAME_END", ("winners",)),
    EventType("FLOW", ("step", "at", "turn", "active", "acting", "flags", "slot", "die", "burning", "stood")),
    EventType("FRAME", tuple(f"word{i}" for i in range(5))),
)

MODES = ("duel", "team3", "team4", "ffa3", "comp")
STEPS = ("draft", "set_aside", "comp", "round", "first_place", "mayhem_die", "go_cards", "start_cards", "return", "burn",
         "smoke", "turn", "move_cyborg", "piece", "die", "present", "hostile_cards", "move", "ability", "turn_end",
         "remove", "round_end", "over")
PHASES = {"draft": "setup", "set_aside": "setup", "comp": "setup", "round": "start", "first_place": "start",
          "mayhem_die": "start", "go_cards": "start", "start_cards": "start", "return": "recovery", "burn": "recovery",
          "smoke": "recovery", "remove": "end", "round_end": "end", "over": "over"}
"""The phase of a step; all other steps are of the phase "activation"."""
ENTRIES = ("move", "pull", "push", "teleport", "fetch", "place")
CAUSES = ("round_start", "activation", "mate", "enter", "attacked", "ko", "change")
FRAME_KINDS = ("none", "program", "attack", "entry", "window", "escapes", "ko", "quest")
FLAGS = ("moved", "forfeited", "slot_used", "innate_used", "special_on", "special_off", "next2", "flame")
"""Bits of the turn's flags."""
COLOURS = ("black", "white")
NONE, ARENA_CYBORG = 255, 3
SOURCE_GO, SOURCE_SLOT, SOURCE_INNATE = 32, 64, 80
FLAG_WORDS = ("{} ignores obstacles and traps in this round", "{} cannot make a move in this round",
              "{} deals 1 more damage with attacks and traps in this round", "{} stuns with its traps in this round",
              "The ability of {} has its special effect in this turn", "The ability of {} has no special effect in this turn",
              "{} deals 2 more damage with the next attack in this turn")
TOKENS = ("fire", "stun", "shield", "escape", "pizza")
MISSION_TOKENS = ("the pizza", "a clue", "the monster", "a gift")


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

    def left(self, who: int, damage: int) -> str:
        """`5 of 8 left`: the health of a piece that has so much damage."""
        health = self.health[who >> 2]
        return f"{max(0, health - damage)} of {health} left"

    def place(self, place: int, tile: int) -> str:
        """A place by its tile, or by its number where tiles lie face down."""
        return f"the {self.tile_titles[tile]}" if tile >= 0 else f"place {place}"

    def team(self, team: int) -> str:
        """A team; in the free-for-all a seat."""
        return f"Seat {team}" if self.arena else f"Team {COLOURS[team]}"

    def source(self, source: int, piece_character: Sequence[int]) -> str:
        """What a running effect comes from."""
        if source < SOURCE_GO:
            return self.card_titles[source]
        if source < SOURCE_SLOT:
            return self.go_titles[source - SOURCE_GO]
        if source < SOURCE_INNATE:
            return self.abilities[piece_character[(source - SOURCE_SLOT) // 2]][source % 2]
        return self.innates[piece_character[source - SOURCE_INNATE]]

# ---- Events ----


def _seat(seat: int, observer: int, verb: str, verb_you: str) -> str:
    return f"You {verb_you}" if seat == observer else f"Seat {seat} {verb}"


def _team(names: Names, team: int, observer: int, verb: str, verb_you: str) -> str:
    """A team that does something; in the free-for-all a seat."""
    return _seat(team, observer, verb, verb_you) if names.arena else f"{names.team(team)} {verb}"


def _die_of(names: Names, team: int, observer: int) -> str:
    if names.arena:
        return "Your die" if team == observer else f"The die of seat {team}"
    return f"A die of {names.team(team).lower()}"


def event_text(names: Names, event: SeenEvent, observer: int) -> str:
    """One line for a person; empty for bookkeeping."""
    a = event.args
    match event.key:
        case "DRAFT":
            return _seat(a[0], observer, "takes", "take") + f" {names.titles[a[1] >> 2]}."
        case "COMP_PICK":
            return f"You take {names.card_titles[a[2]] if a[1] else names.titles[a[2]]}."
        case "COMP_REVEAL":
            return _seat(a[0], observer, "plays", "play") + f" {names.titles[a[1]]} and {names.titles[a[2]]}."
        case "MAYHEM_DRAW":
            return f"You draw {words([names.card_titles[card] for card in a[1:]])}."
        case "MAYHEM_COUNT":
            return f"Seat {a[0]} draws {counted(a[1], 'Mayhem card')}."
        case "SETASIDE":
            return f"You set {names.card_titles[a[1]]} aside."
        case "SETASIDE_COUNT":
            return "" if a[0] == observer else f"Seat {a[0]} sets {counted(a[1], 'card')} aside."
        case "DEAL_FIXED":
            return _seat(a[0], observer, "begins", "begin") + f" with {names.card_titles[a[1]]}."
        case "ROUND":
            return f"Round {a[0]} begins."
        case "ROLL_ACT":
            return _team(names, a[0], observer, "rolls", "roll") + f" {a[1]}{f' and {a[2]}' if a[2] else ''}."
        case "INITIATIVE":
            return _team(names, a[0], observer, "has", "have") + " the initiative."
        case "ROLL_MAYHEM":
            return f"The Mayhem die shows {a[1]}{' with a star' if a[2] else ''}."
        case "GO_REVEAL":
            return f"{names.team(a[0])} reveals {names.go_titles[a[1]]}."
        case "GO_DONE":
            return f"{names.team(a[0])} completes {names.go_titles[a[1]]}!"
        case "GO_SHUFFLE":
            return "The completed GO! cards become the new deck."
        case "CARD":
            return _seat(a[0], observer, "plays", "play") + f" {names.card_titles[a[1]]}!"
        case "PIECE":
            return f"{names.piece(a[0])} acts."
        case "DIE_SLOT":
            return f"{names.piece(a[0])}: the {a[3]} goes on {names.abilities[a[0] >> 2][a[2]]}."
        case "STAY":
            return f"{names.piece(a[0])} stays."
        case "ENTER":
            how = {"move": "moves to", "pull": "is pulled to", "push": "is pushed to", "teleport": "teleports to",
                   "fetch": "is brought to", "place": "enters the map on"}[ENTRIES[a[2]]]
            return f"{names.piece(a[0])} {how} {names.place(a[1], a[3])}."
        case "ABILITY":
            tiers = ("", " with its special effect", " with its special and star effects")[a[2]]
            return f"{names.piece(a[0])} uses {names.abilities[a[0] >> 2][a[1]]}{tiers}."
        case "INNATE":
            return f"{names.piece(a[0])} uses {names.innates[a[0] >> 2]}."
        case "ATTACK":
            target = "the monster" if a[1] < 0 else names.piece(a[1])
            return f"{names.piece(a[0])} {'shoots' if a[2] else 'hits'} {target}."
        case "ATTACK_FAILED":
            said = names.whose(a[0], "attack")
            return f"{said[0].upper()}{said[1:]} fails."
        case "DAMAGE":
            source = ("", " from a trap", " from fire", "")[a[3]]
            shield = f", the shield takes {a[2]}" if a[2] else ""
            return f"{names.piece(a[0])} takes {a[1] - a[2]} damage{source}{shield} ({names.left(a[0], a[4])})."
        case "MONSTER_DAMAGE":
            return f"The monster of {names.team(a[0]).lower()} takes {a[1]} damage ({a[2]} in all)."
        case "HEAL":
            return f"{names.piece(a[0])} heals {a[1]} ({names.left(a[0], a[2])})."
        case "TOKEN":
            return _token_text(names.piece(a[0]), TOKENS[a[1]], a[2])
        case "TRAP":
            setting = _team(names, a[1], observer, "sets", "set")
            return f"{setting} {counted(a[2], 'trap')} on {names.place(a[0], a[3])}." if a[2] > 0 else ""
        case "TRAP_TRIGGER":
            return f"{names.piece(a[1])} springs {counted(a[2], 'trap')} on {names.place(a[0], a[3])}."
        case "OBST":
            ends = names.map.edges[a[1]]
            what = _team(names, a[4], observer, *(("puts", "put") if a[0] < 0 else ("moves", "move"))) + (
                " an obstacle" if a[0] < 0 else " an obstacle to the border")
            return f"{what} between {names.place(ends[0], a[2])} and {names.place(ends[1], a[3])}."
        case "DIE_CHANGE":
            return f"{_die_of(names, a[0], observer)} now shows {a[2]}."
        case "FLAG":
            if a[1] >= 0:
                return FLAG_WORDS[a[0]].format(names.piece(a[1])) + "."
            if names.arena:         # R82
                return _seat(a[2], observer, "deals", "deal") + " 1 more damage with attacks in this round."
            return FLAG_WORDS[a[0]].format(names.team(a[2])) + "."
        case "KO":
            return f"{names.piece(a[0])} is {'out of the game' if a[1] else 'KO'}!"
        case "VP":
            return f"{names.team(a[0])} has {counted(a[1], 'point')}."
        case "MISSION_TOKEN":
            return _mission_token_text(names, a)
        case "TILE_REMOVED":
            return f"Place {a[0]} leaves the game."
        case "FLAME":
            return "Cyborg's flamethrower burns!"
        case "GAME_END":
            winners = [team for team in range(3) if a[0] >> team & 1]
            if len(winners) == 1:
                won = _team(names, winners[0], observer, "wins", "win")
                return f"The game is over: {won[0].lower()}{won[1:]}."
            return f"The game is over: {_sharers(names, winners)} share the win."
    return ""


def _token_text(piece: str, token: str, change: int) -> str:
    if token == "fire":
        return f"{piece} {'gets' if change > 0 else 'loses'} {counted(abs(change), 'fire token')}."
    if token == "stun":
        return f"{piece} is {'stunned' if change > 0 else 'no longer stunned'}."
    if token == "pizza":
        return f"{piece} takes the pizza." if change > 0 else ""
    return f"{piece} takes {'a' if token == 'shield' else 'an'} {token} token." if change > 0 else (
        f"{piece} uses the escape token." if token == "escape" else "")


def _mission_token_text(names: Names, a: tuple[int, ...]) -> str:
    kind, team, start, to, tile = a
    who = names.team(team)
    if kind == 3:
        return f"{who} delivers a gift to {names.place(to, tile)}." if to >= 0 else f"{who} takes {counted(start, 'gift')}."
    if to >= 0 and start < 0:
        what = MISSION_TOKENS[kind]
        return f"{what[0].upper()}{what[1:]} of {who.lower()} is put on {names.place(to, tile)}."
    return f"{who} finds the clue on {names.place(start, tile)}." if kind == 1 and start >= 0 else ""


def _sharers(names: Names, winners: Sequence[int]) -> str:
    return words([names.team(team).lower() for team in winners])

# ---- Reasons ----

STAMP = 64.0
"""Of the round or the points, before what starts anew with them; far more than such a feature can be."""

POINT, ODDS, COMING, DAMAGE, FIRE, MARK, MISSION, CARD, WORTH = 0.25, 0.2, 0.016, 0.018, 0.025, 0.035, 0.15, 0.03, 0.15
RESULT, TRAP = 2.0, 0.01

FEATURE_ROWS = (
    Feature("points"), Feature("enemy_points", -1), Feature("risk", -1, STAMP), Feature("ko", 1, STAMP),
    Feature("coming", -1, STAMP), Feature("enemy_coming", 1, STAMP), Feature("damage", -1, STAMP),
    Feature("enemy_damage", 1, STAMP),
    Feature("fire", -1), Feature("enemy_fire"), Feature("stun", -1), Feature("enemy_stun"), Feature("shield"), Feature("escape"),
    Feature("mission", 1, STAMP), Feature("enemy_mission", -1, STAMP), Feature("hand"), Feature("cyborg", -1),
    Feature("team"), Feature("cards"), Feature("round", clock=True), Feature("result", lasts=True),
    Feature("traps"), Feature("enemy_traps", -1),
)
"""What features.pyx measures, in its order and with these scales: a change of 1 of every feature matters about equally."""

FEATURES = tuple(feature.key for feature in FEATURE_ROWS)

_SCALES = {"points": POINT, "enemy_points": POINT, "risk": ODDS, "ko": ODDS, "coming": COMING, "enemy_coming": COMING,
           "damage": DAMAGE, "enemy_damage": DAMAGE, "fire": FIRE, "enemy_fire": FIRE, "mission": MISSION,
           "enemy_mission": MISSION, "hand": CARD, "team": WORTH, "cards": WORTH, "result": RESULT,
           "traps": TRAP, "enemy_traps": TRAP}


def feature_text(feature: int, theirs: float, mine: float) -> str:
    """What one answer has that another has not, in words; empty if it is too little."""
    key = FEATURES[feature]
    scale = _SCALES.get(key, MARK)
    if key == "result" and abs(mine - theirs) >= 0.1 * scale:
        return _result_change(theirs / scale, mine / scale)
    mine, theirs = max(0.0, mine / scale), max(0.0, theirs / scale)
    change = mine - theirs
    more = change > 0
    share = instead(100 * mine, 100 * theirs, sign=" %")
    match key:
        case "points" if abs(change) >= 0.3:
            return f"scores {apart(change, 'point')}"
        case "enemy_points" if abs(change) >= 0.3:
            return f"the opponent scores {apart(change, 'point')}"
        case "ko" if abs(change) >= 0.03:
            return f"odds of a KO in this round: {share}"
        case "risk" if abs(change) >= 0.03:
            return f"your risk of a KO in this round: {share}"
        case "coming" if abs(change) >= 0.4:
            return f"damage on you with what is to come: {instead(mine, theirs, 1)}"
        case "enemy_coming" if abs(change) >= 0.4:
            return f"damage on the opponents with what is to come: {instead(mine, theirs, 1)}"
        case "damage" if abs(change) >= 0.4:
            return f"costs you {apart(change, 'health point')}"
        case "enemy_damage" if abs(change) >= 0.4:
            return f"deals {apart(change, 'point')} of damage"
        case "fire" if abs(change) >= 0.4:
            return f"puts {apart(change, 'fire token')} on you"
        case "enemy_fire" if abs(change) >= 0.4:
            return f"puts {apart(change, 'fire token')} on the opponent"
        case "stun" if abs(change) >= 0.4:
            return "leaves a character of yours stunned" if more else "spares you a stun"
        case "enemy_stun" if abs(change) >= 0.4:
            return "leaves an opponent stunned" if more else "leaves an opponent without a stun"
        case "shield" if abs(change) >= 0.4:
            return "leaves you a shield" if more else "leaves you without a shield"
        case "escape" if abs(change) >= 0.4:
            return "leaves you an escape token" if more else "leaves you without an escape token"
        case "mission" if abs(change) >= 0.04:
            return f"your mission: {share} done"
        case "enemy_mission" if abs(change) >= 0.04:
            return f"the opponent's mission: {share} done"
        case "hand" if abs(change) >= 0.4:
            return f"{'saves' if more else 'costs'} you {counted(abs(change), 'card')}"
        case "cyborg" if abs(change) >= 0.4:
            return "leaves you next to Cyborg" if more else "keeps you away from Cyborg"
        case "traps" if abs(change) >= 0.4:
            return f"traps next to the opponent's characters: {instead(mine, theirs, 1)}"
        case "enemy_traps" if abs(change) >= 0.4:
            return f"traps next to your characters: {instead(mine, theirs, 1)}"
        case "team" if abs(change) >= 0.04:
            return f"what your characters are worth to bots in the draft: {instead(mine, theirs, 1)}"
        case "cards" if abs(change) >= 0.04:
            return f"what the cards of your hand are worth to bots: {instead(mine, theirs, 1)}"
    return ""


def _result_change(theirs: float, mine: float) -> str:
    """How often the game has ended so far: 1 a win, -1 a loss."""
    if {abs(mine), abs(theirs)} <= {0.0, 1.0}:
        decisive = mine or theirs
        return f"{'' if mine else 'does not '}{_END[decisive > 0][not mine]} the game{'' if mine else ' yet'}"
    sign = 1 if max(mine, theirs) > 0 else -1
    share = instead(100 * max(0.0, sign * mine), 100 * max(0.0, sign * theirs), sign=" %")
    return share and f"{_END[sign > 0][0]} the game at once: {share}"


_END = (("loses", "lose"), ("wins", "win"))


def result_text(names: Names, values: Mapping[str, Any]) -> str:
    """How a finished game ended; the winner's points first."""
    winners: list[int] = values["result"]
    if len(winners) > 1:
        said = _sharers(names, winners)
        said = f"{said[0].upper()}{said[1:]} share the win"
    else:
        said = f"{names.team(winners[0])} wins"
    if names.arena:
        return f"{said}."
    first = winners[0]
    fallen = [all(piece["ko"] for piece in values["pieces"][2 * team:2 * team + 2]) for team in range(2)]
    why = " with a KO of both opponents" if len(winners) == 1 and fallen[1 - first] else ""
    return f"{said}{why}, {values['teams'][first]['points']} to {counted(values['teams'][1 - first]['points'], 'point')}."
