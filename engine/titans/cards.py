"""Cards and characters for a person: their effects in English, made from the effect notation."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.effects import (
    Argument,
    Atom,
    Condition,
    Name,
    Number,
    Selector,
    Step,
    Value,
    format_condition,
)
from seatmate.engine.core.effects_parse import parse_line
from seatmate.engine.core.effects_words import EffectWords, names_in
from seatmate.engine.core.spec import words

if TYPE_CHECKING:
    from seatmate.engine.titans.pack import Board, Go, Mayhem, TitansPack

MAX_FOUND = 8
"""So many rows are shown for one word."""

_HEADS = {"start": "At the end of the round's start", "self": "While your character is active",
          "hostile": "While an opposing character is active", "attacked": "When a character of yours is attacked",
          "entered": "When an opponent comes to a place with a character of yours",
          "moved": "When the active opponent moves", "ko": "When a character of yours is KO'd in an opponent's turn"}
_PIECES = {"self": "this character", "act": "the active character", "tgt": "the target", "atk": "the attacker",
           "host": "your character there", "mate": "its mate"}
_OF_TRIGGER = {"attacked": "your character", "entered": "that opponent", "moved": "it"}
"""Whom @tgt means in a card for such a moment."""
_FLAGS = {"GHOST": "{} ignores obstacles and traps until the end of the round", "LOCK": "{} cannot make a move in this round",
          "ATK1": "your attacks and traps deal 1 more damage in this round", "TRAPSTUN": "your traps also stun in this round",
          "SPECIAL_ON": "its ability reaches the special effect whatever the die",
          "SPECIAL_OFF": "its ability has no special effect",
          "NEXT2": "its next attack deals 2 more damage"}
_CONDITIONS = {"die_below(6)": "one of your dice shows less than 6", "free_move": "its free move is still to come",
               "damaged(act)": "it has damage", "!slot_used": "its ability is still to come", "same_place": "both are in one place",
               "near_own(act)": "it is near a character of yours", "near_own(tgt)": "it is near a character of yours",
               "fire(host)": "your character there burns"}
"""Conditions a reader cannot guess; that an effect must be possible goes without saying."""


class TitansWords(EffectWords):
    """Effect lines in English. `places`: titles by icon. `opponent`: the step being said is the opponent's."""

    THEN = ", then "
    AFTER = "after the attack "

    def __init__(self, pack: TitansPack, arena: bool = False) -> None:
        self.arena = arena
        self.opponent = False
        self.places: dict[str, str] = {tile.icon: f"the {tile.title}" for tile in pack.tile}
        self.places |= {"BASE_B": "a black base", "BASE_W": "a white base"}
        self.trigger = ""

    def line(self, text: str) -> str:
        """A line as a sentence; empty for an empty one."""
        if not text:
            return ""
        line = parse_line(text)
        self.trigger = line.head.trigger if line.head is not None else ""
        said = self.steps(line.body)
        if line.pay:
            said = f"{self.steps(line.pay)} to {said}"
        if line.head is None:
            return said[0].upper() + said[1:] + "."
        when = self.condition(line.head.when)
        return f"{_HEADS[line.head.trigger]}{f', if {when}' if when else ''}: {said}."

    def mission(self, text: str) -> str:
        """What a GO! card asks for, within a sentence."""
        return self.steps(parse_line(text).body)

    def condition(self, condition: Condition) -> str:
        """What of it a reader has to be told."""
        tests = format_condition(condition).split(" & ")
        return " and ".join(_CONDITIONS[test] for test in tests if test in _CONDITIONS)

    def step(self, step: Step) -> str:
        """What a step does; one that the opponent does speaks of "its" things, all others of "yours"."""
        outside, self.opponent = self.opponent, step.who == "opp"
        said = super().step(step)
        self.opponent = outside
        return said

    # ---- Words ----

    @property
    def whose(self) -> str:
        """Of whom @own speaks."""
        return "its" if self.opponent else "your"

    def who(self, value: Value | None) -> str:
        """A selector of characters; without one, an opponent here."""
        if value is None:
            return "an opponent here"
        base, filters = (value.name, ()) if isinstance(value, Name) else (value.base, value.filters)      # type: ignore[union-attr]
        if base in _PIECES:
            return _OF_TRIGGER.get(self.trigger, _PIECES[base]) if base == "tgt" else _PIECES[base]
        names = [part.name for part in filters if isinstance(part, Atom)]
        each, own = "each" in names, base == "own"
        text = f"each of {self.whose} own characters" if each and own else "each opponent" if each else (
            f"one of {self.whose} own characters" if own else "an opponent")
        for part in filters:
            if isinstance(part, Atom) and part.name == "here":
                text += " here"
            elif isinstance(part, Atom) and part.name == "close":
                text += f" on or next to {self.place(part.args[0].value)}"
        return text

    def place(self, value: Value) -> str:
        """The title of a place."""
        return words([self.places[name] for name in ((value.name,) if isinstance(value, Name) else names_in(value))])

    def where(self, value: Value) -> str:
        """A scope."""
        base = value.name if isinstance(value, Name) else value.base if isinstance(value, Selector) else ""
        args: tuple[Argument, ...] = value.args if isinstance(value, Selector) else ()
        if base in ("at", "border"):
            return f"{'on' if base == 'at' else 'at a border of'} {self.place(args[0].value)}"
        return {"near": "here or next to it", "any": "anywhere", "ownbase": f"on one of {self.whose} bases",
                "special": "on a special place without a character of yours"}[base]

    # ---- Verbs ----

    def do_melee(self, bonus: Value | None = None) -> str:
        return "attack in the same place"

    def do_ranged(self, bonus: Value | None = None) -> str:
        return "attack an adjacent place"

    def do_dmg(self, n: Value) -> str:
        return f"+{_number(n)} damage"

    def do_damage(self, n: Value, who: Value) -> str:
        return f"deal {_number(n)} damage to {self.who(who)}"

    def do_heal(self, n: Value, who: Value) -> str:
        return f"heal {_number(n)} damage of {self.who(who)}"

    def do_move(self, who: Value, *flag: Value) -> str:
        return f"move {self.who(who)} one step"

    def do_obst(self, where: Value) -> str:
        return f"place or relocate an obstacle {self.where(where).replace('here or next to it', 'nearby')}"

    def do_ignite(self, n: Value, who: Value | None = None) -> str:
        return f"put {_number(n)} fire on {self.who(who)}"

    def do_pull(self) -> str:
        return "pull a character here from an adjacent place"

    def do_push(self) -> str:
        return "push a character from here to an adjacent place"

    def do_displace(self, who: Value, *flag: Value) -> str:
        return f"push {self.who(who)} to an adjacent place"

    def do_stun(self, who: Value | None = None) -> str:
        return f"stun {self.who(who)}"

    def do_teleport(self, who: Value) -> str:
        return f"put {self.who(who)} on any other place"

    def do_trap(self, n: Value, where: Value) -> str:
        return f"set {_number(n)} trap{'' if _number(n) == 1 else 's'} {self.where(where)}"

    def do_shield(self, who: Value) -> str:
        return f"give {self.who(who)} a shield"

    def do_escape(self, who: Value) -> str:
        return f"give {self.who(who)} an escape token"

    def do_fetch(self) -> str:
        return "bring the mate here"

    def do_cleanse(self, who: Value) -> str:
        return f"remove fire and stun from {self.who(who)}"

    def do_reroll_mayhem(self) -> str:
        return "roll the Mayhem die again"

    def do_reroll_act(self) -> str:
        return "roll any of your dice again"

    def do_set_act(self, value: Value) -> str:
        return f"turn one of your dice to {_number(value)}"

    def do_reroll_placed(self) -> str:
        return "roll the die on its ability again"

    def do_xferfire(self, start: Value, to: Value) -> str:
        return f"move all fire from {self.who(start)} to {self.who(to)}"

    def do_flag(self, flag: Value, who: Value | None = None) -> str:
        said = _FLAGS[names_in(flag)[0]].format(self.who(who) if who is not None else "")
        return said.replace("attacks and traps", "attacks") if self.arena else said     # R82

    def do_place(self, token: Value, where: Value) -> str:
        name = names_in(token)[0]
        return f"put {'a clue' if name == 'clue' else f'the {name}'} {self.where(where)}"

    def do_gifts(self, n: Value) -> str:
        return f"take {_number(n)} gifts"

    def do_forgo_move(self) -> str:
        return "give up the free move"

    def do_pizza_to(self, place: Value) -> str:
        return f"fetch the pizza and bring it to {self.place(place)}"

    def do_gifts_to(self, places: Value) -> str:
        return f"deliver a gift to {self.place(places)}"

    def do_clues(self, n: Value) -> str:
        return f"find {_number(n)} clues"

    def do_monster(self, health: Value) -> str:
        return f"defeat the monster (health {_number(health)})"

    def do_both_at(self, place: Value) -> str:
        return f"have both characters on {self.place(place)}"

    def do_both_opp_bases(self) -> str:
        return "have a character on each of the opponent's bases"

    def do_ability_at(self, place: Value) -> str:
        return f"use an ability with its special effect on {self.place(place)}"

    def do_roll_star(self) -> str:
        return "see a star rolled on the Mayhem die"

    def do_ko_opponent(self) -> str:
        return "KO an opponent"

    def do_noheal(self) -> str:
        return "you cannot heal"

    def do_trap_immune(self) -> str:
        return "immune to traps"


def _number(value: Value) -> int:
    assert isinstance(value, Number)
    return value.value


def monster_health(go: Go) -> int:
    """The health of a GO! card's monster; 0 where it has none."""
    return next((_number(step.args[0].value) for step in parse_line(str(go.mission)).body
                 if isinstance(step, Step) and step.verb == "MONSTER"), 0)

# ---- Looking up ----


def _plain(text: str) -> str:
    """A text of the pack within rich markup."""
    return text.replace("[", "\\[")


def card_lines(effects: TitansWords, card: Mayhem) -> list[str]:
    """A Mayhem card."""
    return [f"[bold]{_plain(card.title)}[/bold] ({card.id}): {_plain(effects.line(str(card.effect)))}"]


def go_lines(effects: TitansWords, go: Go) -> list[str]:
    """A GO! card."""
    reward = f"{go.points} point{'s' * (go.points > 1)}"
    lines = [f"[bold]{_plain(go.title)}[/bold] ({go.id}): {_plain(effects.line(str(go.mission)))[:-1]} for {reward}."]
    if go.reveal:
        lines.append(f"    When revealed: {_plain(effects.line(str(go.reveal)))}")
    if go.aura:
        lines.append(f"    As long as it is there: {_plain(effects.line(str(go.aura)))}")
    return lines


def board_lines(effects: TitansWords, board: Board) -> list[str]:
    """A character with its abilities."""
    limit = {"turn": "once per turn", "game": "once per game", "passive": "always"}[board.limit]
    innate = _plain(f"{board.innate} ({limit}): {effects.line(str(board.effect))}")
    lines = [f"[bold]{_plain(board.title)}[/bold]: health {board.health}; {innate}"]
    for ability in board.ability:
        std, spc, star = (_plain(effects.line(str(tier))) for tier in (ability.std, ability.spc, ability.star))
        lines.append(f"    {_plain(ability.title)}: {std}" + (f" With a die of {ability.slot} or more: {spc}" if spc else "")
                     + (f" With a star, too: {star}" if star else ""))
    return lines


def describe(pack: TitansPack, view: Mapping[str, Any], observer: int, text: str) -> list[str]:
    """What a person asks about: `hand` (the observer's own), an id (M07), or part of the title of a card, character or ability."""
    effects = TitansWords(pack, view.get("mode") == "ffa3")
    wanted = text.strip().lower()
    if not wanted:
        return []
    hands: list[list[str] | None] = view["hands"]
    hand = (hands[observer] if observer < len(hands) else None) or []
    rows: list[list[str]] = []

    def fits(name: str, *titles: str) -> bool:
        return name.lower() == wanted or (len(wanted) > 2 and any(wanted in title.lower() for title in titles))

    for card in pack.mayhem:
        if card.id in hand if wanted == "hand" else fits(card.id, card.title):
            rows.append(card_lines(effects, card))
    for go in pack.go:
        if fits(go.id, go.title):
            rows.append(go_lines(effects, go))
    for board in pack.board:
        if fits(board.key, board.title, board.innate, *(ability.title for ability in board.ability)):
            rows.append(board_lines(effects, board))
    lines = [line for row in rows[:MAX_FOUND] for line in row]
    if len(rows) > MAX_FOUND:
        lines.append(f"[dim]... and {len(rows) - MAX_FOUND} more; say more of the title[/dim]")
    return lines
