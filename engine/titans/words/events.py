"""One row for each event, with its sentence.

`who` is 4 * character + piece; `tile` is what lies on the place of the event, -1 face down.
"""
from __future__ import annotations

from typing import Any

from seatmate.engine.core.effects_vocabulary import numbers
from seatmate.engine.core.events import STATE, EventRows, Row
from seatmate.engine.core.meanings import FLAG, Meaning, things
from seatmate.engine.core.spec import CORE_EVENTS, acts, counted, words
from seatmate.engine.titans.content import vocabulary as v
from seatmate.engine.titans.words.names import MISSION_TOKENS, PROMPTS, Names

_ENTERED = ("moves to", "is pulled to", "is pushed to", "teleports to", "is brought to", "enters the map on")
_TIERS = ("", " with its special effect", " with its special and star effects")
_HARM = ("", " from a trap", " from fire", "")
_FLAGS = ("{} ignores obstacles and traps in this round", "{} cannot make a move in this round",
          "{} deals 1 more damage with attacks and traps in this round", "{} stuns with its traps in this round",
          "The ability of {} has its special effect in this turn", "The ability of {} has no special effect in this turn",
          "{} deals 2 more damage with the next attack in this turn")
_TOKENS = ("{} gets {}.", "{} loses {}."), ("{} is stunned.", "{} is no longer stunned."), ("{} takes a shield token.", ""), (
    "{} takes an escape token.", "{} uses the escape token."), ("{} takes the pizza.", "")
"""Per kind: it comes, it goes."""
_DECLINED = {"TARGET": "nobody", "DEST": "to move nobody", "OBST_SRC": "no obstacle", "TRAP_PLACE": "no trap", "VICTIM": "nobody",
             "ESCAPE": "to keep the escape token", "CYBORG": "to leave Cyborg where he is"}
"""By question: what a seat chooses that does without."""


def _who(say: Any) -> str:
    return str(say.names.piece(say.who))


def _team(say: Any, team: int, verb: str) -> str:
    """A team does something; in the free-for-all a seat."""
    said = acts(team, say.observer if say.names.arena else -1, verb)
    return said.replace(f"Seat {team}", say.names.team(team))


def _ability(say: Any) -> str:
    return str(say.names.abilities[say.who >> 2][say.slot])


def _place(say: Any) -> str:
    return str(say.names.place(say.place, say.tile))


def _card(say: Any) -> str:
    return str(say.names.card_titles[say.card])


def _left(say: Any) -> str:
    """`5 of 8 left`."""
    health = say.names.health[say.who >> 2]
    return f"{max(0, health - say.total)} of {health} left"


def _pick(say: Any) -> str:
    return f"You take {(say.names.card_titles if say.kind else say.names.titles)[say.id]}."


def _reveal(say: Any) -> str:
    return f"{say.does('play')} {say.names.titles[say.character0]} and {say.names.titles[say.character1]}."


def _roll(say: Any) -> str:
    return f"{_team(say, say.team, 'roll')} {say.value0}{f' and {say.value1}' if say.value1 else ''}."


def _attack(say: Any) -> str:
    target = "the monster" if say.target < 0 else say.names.piece(say.target)
    return f"{_who(say)} {'shoots' if say.kind else 'hits'} {target}."


def _failed(say: Any) -> str:
    said = say.names.whose(say.who, "attack")
    return f"{said[0].upper()}{said[1:]} fails."


def _damage(say: Any) -> str:
    shield = f", the shield takes {say.absorbed}" if say.absorbed else ""
    return f"{_who(say)} takes {say.amount - say.absorbed} damage{_HARM[say.source]}{shield} ({_left(say)})."


def _trap(say: Any) -> str:
    return f"{_team(say, say.team, 'set')} {counted(say.change, 'trap')} on {_place(say)}." if say.change > 0 else ""


def _obstacle(say: Any) -> str:
    start, to = vars(say)["from"], vars(say)["to"]
    ends = [say.names.place(place, tile) for place, tile in zip(say.names.map.edges[to], (say.tile0, say.tile1), strict=True)]
    what = _team(say, say.team, "put" if start < 0 else "move")
    return f"{what} an obstacle {'' if start < 0 else 'to the border '}between {ends[0]} and {ends[1]}."


def _die_change(say: Any) -> str:
    whose = f"A die of {say.names.team(say.team).lower()}"
    if say.names.arena:
        whose = "Your die" if say.team == say.observer else f"The die of seat {say.team}"
    return f"{whose} now shows {say.value}."


def _flag(say: Any) -> str:
    if say.who >= 0:
        return _FLAGS[say.flag].format(_who(say)) + "."
    if say.names.arena:         # R82
        return f"{acts(say.team, say.observer, 'deal')} 1 more damage with attacks in this round."
    return _FLAGS[say.flag].format(say.names.team(say.team)) + "."


def _mission_token(say: Any) -> str:
    start, to, team = vars(say)["from"], vars(say)["to"], say.names.team(say.team)
    if say.kind == v.MISSION_GIFT:
        what = f"delivers a gift to {say.names.place(to, say.tile)}" if to >= 0 else f"takes {counted(start, 'gift')}"
        return f"{team} {what}."
    if to >= 0 and start < 0:
        what = MISSION_TOKENS[say.kind]
        return f"{what[0].upper()}{what[1:]} of {team.lower()} is put on {say.names.place(to, say.tile)}."
    found = say.kind == v.MISSION_CLUE and start >= 0
    return f"{team} finds the clue on {say.names.place(start, say.tile)}." if found else ""


def _end(say: Any) -> str:
    winners = [team for team in range(v.TEAMS) if say.winners >> team & 1]
    if len(winners) > 1:
        return f"The game is over: {say.names.sharers(winners)} share the win."
    won = _team(say, winners[0], "win")
    return f"The game is over: {won[0].lower()}{won[1:]}."


EVENTS = EventRows((
    Row("CONFIG", ("mode", "options", "first"), bookkeeping="the settings of the table"),
    Row("DRAFT", ("seat", "who"), lambda say: f"{say.does('take')} {say.names.titles[say.who >> 2]}.", turn=True),
    Row("COMP_PICK", ("seat", "kind", "id"), _pick),
    Row("COMP_REVEAL", ("seat", "character0", "character1"), _reveal),
    Row("TILES", tuple(f"tile{place}" for place in range(v.PLACES)), bookkeeping="the map shows its places"),
    Row("MAYHEM_DRAW", ("seat", *(f"card{i}" for i in range(7))), optional=6, text=lambda say: (
        f"You draw {words([say.names.card_titles[card] for key, card in vars(say).items() if key.startswith('card')])}.")),
    Row("MAYHEM_COUNT", ("seat", "count"), lambda say: f"Seat {say.seat} draws {counted(say.count, 'Mayhem card')}."),
    Row("SETASIDE", ("seat", "card"), lambda say: f"You set {_card(say)} aside."),
    Row("SETASIDE_COUNT", ("seat", "count"), lambda say: (
        "" if say.seat == say.observer else f"Seat {say.seat} sets {counted(say.count, 'card')} aside.")),
    Row("DEAL_FIXED", ("seat", "card"), lambda say: f"{say.does('begin')} with {_card(say)}."),
    Row("ROUND", ("round",), lambda say: f"Round {say.round} begins."),
    Row("ROLL_ACT", ("team", "value0", "value1"), _roll),
    Row("INITIATIVE", ("team",), lambda say: f"{_team(say, say.team, 'have')} the initiative."),
    Row("ROLL_MAYHEM", ("face", "value", "star"), lambda say: (
        f"The Mayhem die shows {say.value}{' with a star' if say.star else ''}.")),
    Row("GO_REVEAL", ("team", "card"), lambda say: f"{say.names.team(say.team)} reveals {say.names.go_titles[say.card]}."),
    Row("GO_DONE", ("team", "card"), lambda say: f"{say.names.team(say.team)} completes {say.names.go_titles[say.card]}!"),
    Row("GO_SHUFFLE", (), lambda say: "The completed GO! cards become the new deck."),
    Row("WINDOW", ("seat", "cause"), bookkeeping="cards may be played at nearly every moment; who is asked is shown"),
    Row("PASS", ("seat",), bookkeeping="to play no card is no news"),
    Row("CARD", ("seat", "card"), lambda say: f"{say.does('play')} {_card(say)}!", turn=True),
    Row("PIECE", ("who",), lambda say: f"{_who(say)} acts.", turn=True),
    Row("DIE_SLOT", ("who", "die", "slot", "value"), lambda say: (
        f"{_who(say)}: the {say.value} goes on {_ability(say)}."), turn=True),
    Row("STAY", ("who",), lambda say: f"{_who(say)} stays.", turn=True),
    Row("ENTER", ("who", "place", "mode", "tile"), lambda say: f"{_who(say)} {_ENTERED[say.mode]} {_place(say)}.", turn=True),
    Row("ABILITY", ("who", "slot", "tiers"), lambda say: f"{_who(say)} uses {_ability(say)}{_TIERS[say.tiers]}.", turn=True),
    Row("INNATE", ("who",), lambda say: f"{_who(say)} uses {say.names.innates[say.who >> 2]}.", turn=True),
    Row("ATTACK", ("who", "target", "kind"), _attack),
    Row("ATTACK_FAILED", ("who",), _failed),
    Row("DAMAGE", ("who", "amount", "absorbed", "source", "total"), _damage),
    Row("MONSTER_DAMAGE", ("team", "amount", "total"), lambda say: (
        f"The monster of {say.names.team(say.team).lower()} takes {say.amount} damage ({say.total} in all).")),
    Row("HEAL", ("who", "amount", "total"), lambda say: f"{_who(say)} heals {say.amount} ({_left(say)})."),
    Row("TOKEN", ("who", "kind", "change", "team"), lambda say: (
        _TOKENS[say.kind][say.change < 0].format(_who(say), counted(abs(say.change), "fire token")))),
    Row("TRAP", ("place", "team", "change", "tile"), _trap),
    Row("TRAP_TRIGGER", ("place", "who", "tokens", "tile"), lambda say: (
        f"{_who(say)} springs {counted(say.tokens, 'trap')} on {_place(say)}.")),
    Row("OBST", ("from", "to", "tile0", "tile1", "team"), _obstacle),
    Row("DECLINE", ("seat", "prompt"), lambda say: f"{say.does('choose')} {_DECLINED.get(PROMPTS[say.prompt].key, 'nothing')}."),
    Row("DIE_CHANGE", ("team", "die", "value"), _die_change),
    Row("FLAG", ("flag", "who", "team"), _flag),
    Row("KO", ("who", "eliminated"), lambda say: f"{_who(say)} is {'out of the game' if say.eliminated else 'KO'}!"),
    Row("VP", ("team", "total"), lambda say: f"{say.names.team(say.team)} has {counted(say.total, 'point')}."),
    Row("MISSION_TOKEN", ("kind", "team", "from", "to", "tile"), _mission_token),
    Row("TILE_REMOVED", ("place",), lambda say: f"Place {say.place} leaves the game."),
    Row("FLAME", ("place",), lambda say: "Cyborg's flamethrower burns!"),
    Row("TURN_END", ("who",), bookkeeping="whose turn comes next is said"),
    Row("ROUND_END", ("round",), lambda say: f"Round {say.round} is over."),
    Row("GAME_END", ("winners",), _end),
    Row("FLOW", ("step", "at", "turn", "active", "acting", "flags", "slot", "die", "burning", "stood"), bookkeeping=STATE),
    Row("FRAME", tuple(f"word{i}" for i in range(5)), bookkeeping=STATE),
), numbers(v, "E_"), len(CORE_EVENTS))


def meanings(names: Names) -> dict[str, Meaning]:
    """Of the integers of events. A piece is called by its character."""
    piece = Meaning("card", tuple(key for key in names.characters for _ in range(4)))
    goes = Meaning("card", names.goes)
    return {"who": piece, "ATTACK.target": piece, "character": Meaning("card", names.characters),
            "card": Meaning("card", names.cards),
            "GO_REVEAL.card": goes, "GO_DONE.card": goes, "tile": Meaning("card", names.tiles), "place": things("place", v.PLACES),
            "prompt": Meaning("word", tuple(prompt.key for prompt in PROMPTS)), "eliminated": FLAG, "star": FLAG}
