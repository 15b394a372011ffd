"""Cards and characters for a person: their effects in English, made from the effect notation."""
from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.effects import (
    Argument,
    Atom,
    Branch,
    Condition,
    Name,
    Number,
    Selector,
    Step,
    Value,
    format_condition,
)
from seatmate.engine.core.effects_parse import parse_line
from seatmate.engine.core.effects_vocabulary import Kind, Param
from seatmate.engine.core.effects_words import EffectWords, names_in
from seatmate.engine.core.spec import counted, words
from seatmate.engine.titans.content.pack import SCOPES, VERBS
from seatmate.engine.titans.words.glossary import ARENA_CYBORG_TEXT, meanings

if TYPE_CHECKING:
    from seatmate.engine.titans.content.pack import Board, Go, Mayhem, Tile, TitansPack

MAX_FOUND = 8
"""So many rows are shown for one word."""

_HEADS = {"start": "At the end of the round's start", "self": "While your character is active",
          "hostile": "While an opposing character is active", "attacked": "When a character of yours is attacked",
          "entered": "When an opponent comes to a place with a character of yours",
          "moved": "When the active opponent moves", "ko": "When a character of yours is KO'd in an opponent's turn"}
_PIECES = {"self": "this character", "act": "the active character", "tgt": "the target", "atk": "the attacker",
           "host": "your character there"}
_OF_TRIGGER = {"attacked": "your character", "entered": "that opponent", "moved": "it"}
"""Whom @tgt means in a card for such a moment."""
_FLAGS = {"GHOST": "{who} ignores obstacles and traps until the end of the round",
          "LOCK": "{who} cannot make a move until the end of the round",
          "ATK1": "your attacks and traps deal 1 more damage in this round", "TRAPSTUN": "your traps also stun in this round",
          "SPECIAL_ON": "its ability reaches the special effect whatever the die",
          "SPECIAL_OFF": "its ability has no special effect in this turn",
          "NEXT2": "its next attack in this turn deals 2 more damage"}
_BORDERS = {"near": "on a border of an adjacent place", "any": "on any border"}
_CLOSE = "a character of yours is on its place or an adjacent one"
_CONDITIONS = {"die_below(6)": "one of your dice shows less than 6", "free_move": "its free move is still to come",
               "damaged(act)": "it has damage", "!slot_used": "its ability is still to come",
               "same_place": "both were on the same place", "near_own(act)": _CLOSE, "near_own(tgt)": _CLOSE,
               "fire(host)": "your character there burns"}
"""Conditions a reader cannot guess; that an effect must be possible goes without saying."""
_OPTIONAL = ("MOVE", "OBST", "PULL", "PUSH", "DISPLACE", "TELEPORT")
"""Verbs that may be declined, unless they are compelled."""


class TitansWords(EffectWords):
    """Effect lines in English. `places`: titles by icon. `opponent`: the step being said is the opponent's."""

    THEN = ", then "
    AFTER = "after the attack "

    def __init__(self, pack: TitansPack, arena: bool = False) -> None:
        self.arena = arena
        self.opponent = False
        self.places: dict[str, str] = {tile.icon: f"the {tile.title}" for tile in pack.tile}
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
        compelled = any("compelled" in names_in(argument.value) for argument in step.args)
        if step.verb in _OPTIONAL and not compelled:
            step = replace(step, may=True)
        said = super().step(step).replace("the opponent does this: ", "the opponent must ")
        self.opponent = outside
        return f"you must {said}" if compelled else said

    def steps(self, sequence: Sequence[Step | Branch]) -> str:
        """Steps one after the other; the same step again is not said again."""
        said = super().steps(sequence)
        first, then, second = said.partition(self.THEN)
        return f"{first}, twice" if then and first == second else said

    # ---- Words ----

    @property
    def whose(self) -> str:
        """Of whom @own speaks."""
        return "its" if self.opponent else "your"

    def who(self, value: Value | None) -> str:
        """A selector of characters; without one, an opponent on the same place."""
        if value is None:
            return "an opponent on the same place"
        base, filters = (value.name, ()) if isinstance(value, Name) else (value.base, value.filters)      # type: ignore[union-attr]
        if base in _PIECES:
            return _OF_TRIGGER.get(self.trigger, _PIECES[base]) if base == "tgt" else _PIECES[base]
        names = [part.name for part in filters if isinstance(part, Atom)]
        each, own = "each" in names, base == "own"
        text = f"each of {self.whose} own characters" if each and own else "each opponent" if each else (
            f"one of {self.whose} own characters" if own else "an opponent")
        for part in filters:
            if isinstance(part, Atom) and part.name == "here":
                text += " on the same place"
            elif isinstance(part, Atom) and part.name == "close":
                text += f" on {self.place(part.args[0].value)} or an adjacent place"
        return text

    @property
    def its(self) -> str:
        """Of whom "near" speaks: the character of the ability, the active one of a card."""
        return "the active character's" if self.trigger else "this character's"

    def place(self, value: Value) -> str:
        """The title of a place."""
        return words([self.places[name] for name in ((value.name,) if isinstance(value, Name) else names_in(value))])

    def where(self, value: Value) -> str:
        """A scope."""
        base = value.name if isinstance(value, Name) else value.base if isinstance(value, Selector) else ""
        args: tuple[Argument, ...] = value.args if isinstance(value, Selector) else ()
        if base in ("at", "border"):
            return f"on {'' if base == 'at' else 'a border of '}{self.place(args[0].value)}"
        return {"near": f"on {self.its} place or an adjacent one", "any": "on any place", "ownbase": f"on one of "
                                                                                                     f"{self.whose} bases",
                "special": "on a special place without a character of yours"}[base]

    # ---- Verbs ----

    def does(self, verb: str, values: Sequence[Value], keys: Mapping[str, Value]) -> str:
        """The row's text with its arguments."""
        params = VERBS[verb].params
        given = {param.name: value for param, value in zip(params, values, strict=False)} | dict(keys)
        said = {param.name: _Argument(self, param, given.get(param.name)) for param in params}
        text = VERBS[verb].text.format_map(said).format_map(said)       # what a flag says names a piece
        return text.replace("attacks and traps", "attacks") if self.arena else text     # R82


@dataclass(frozen=True)
class _Argument:
    """An argument in a text: `{n}`, `{n:trap}` for `2 traps`, `{where:border}` for what lies on borders."""

    words: TitansWords
    param: Param
    value: Value | None

    def __format__(self, spec: str) -> str:
        if self.param.kind is Kind.SELECTOR and self.param.bases != SCOPES:
            return self.words.who(self.value)
        assert self.value is not None
        if self.param.kind is Kind.NUMBER:
            return counted(_number(self.value), spec) if spec else str(_number(self.value))
        if self.param.kind is Kind.SELECTOR:
            base = self.value.base if isinstance(self.value, Selector) else names_in(self.value)[0]
            return _BORDERS.get(base) or self.words.where(self.value) if spec else self.words.where(self.value)
        name = names_in(self.value)[0]
        if self.param.words == "icon":
            return self.words.place(self.value)
        return _FLAGS[name] if self.param.words == "flag" else "a clue" if name == "clue" else f"the {name}"


def _number(value: Value) -> int:
    assert isinstance(value, Number)
    return value.value


def monster_health(go: Go) -> int:
    """The health of a GO! card's monster; 0 where it has none."""
    return next((_number(step.args[0].value) for step in parse_line(str(go.mission)).body
                 if isinstance(step, Step) and step.verb == "MONSTER"), 0)

# ---- Looking up ----

WIDTH = 79
"""Columns of all text."""


def marked(text: str, bold: str = "") -> list[str]:
    """One line in rich markup, which whoever prints it folds; `bold`: how it begins."""
    line, mark = text.replace("[", "\\["), bold.replace("[", "\\[")
    return [f"[bold]{mark}[/bold]{line.removeprefix(mark)}" if bold and text.startswith(bold) else line]


def wrapped(text: str, indent: str, style: str = "", bold: str = "") -> list[str]:
    """Text in lines of at most WIDTH columns, in rich markup; `bold`: how it begins."""
    lines = textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False) or [""]
    if text[:1] == " ":     # textwrap keeps the first line's own indentation
        lines[0] = text[:len(text) - len(text.lstrip())] + lines[0].lstrip()
    escaped = [line.replace("[", "\\[") for line in lines]
    if bold and lines[0].startswith(bold):
        mark = bold.replace("[", "\\[")
        escaped[0] = f"[bold]{mark}[/bold]{escaped[0][len(mark):]}"
    return [f"[{style}]{line}[/{style}]" for line in escaped] if style else escaped


def card_lines(effects: TitansWords, card: Mayhem) -> list[str]:
    """A Mayhem card."""
    return marked(f"{card.title} ({card.id}): {effects.line(str(card.effect))}", card.title)


def go_lines(effects: TitansWords, go: Go) -> list[str]:
    """A GO! card."""
    said = f"{go.title} ({go.id}), a mission: {effects.mission(str(go.mission))} for {counted(go.points, 'point')}."
    lines = marked(said, go.title)
    if go.reveal:
        lines += marked(f"    When revealed: {effects.line(str(go.reveal))}")
    if go.aura:
        lines += marked(f"    As long as it is there: {effects.line(str(go.aura))}")
    return lines


def board_lines(effects: TitansWords, board: Board) -> list[str]:
    """A character with its abilities."""
    limit = {"turn": "once per turn", "game": "once per game", "passive": "always"}[board.limit]
    lines = marked(f"{board.title}: health {board.health}; {board.innate} ({limit}): "
                   f"{effects.line(str(board.effect))}", board.title)
    for ability in board.ability:
        std, spc, star = (effects.line(str(tier)) for tier in (ability.std, ability.spc, ability.star))
        said = f"    {ability.title}: {std}"
        said += f" Special effect, with a die of {ability.slot} or more: {spc}" if spc else ""
        said += f" Star effect, with the special effect and a star on the Mayhem die: {star}" if star else ""
        lines += marked(said)
    return lines


def tile_lines(effects: TitansWords, pack: TitansPack, tile: Tile) -> list[str]:
    """A place: what it is for."""
    if tile.icon.startswith("BASE"):
        team = "black" if tile.icon == "BASE_B" else "white"
        return marked(f"{tile.title}: a base of the {team} team; its characters begin and return there.", tile.title)
    missions = [go.title for go in pack.go if re.search(rf"\b{tile.icon}\b", f"{go.mission} {go.reveal}")]
    said = f"Missions that name it: {words(missions)}." if missions else "No mission names it."
    return marked(f"{tile.title}: a place without an effect of its own. {said}", tile.title)


def legend(arena: bool, pack: TitansPack) -> list[str]:
    """How the map and the teams are to be read."""
    return [line for said in meanings("legend", arena, pack.limits.points) for line in marked(f"Map: {said}", "Map")]


def describe(pack: TitansPack, view: Mapping[str, Any], observer: int, text: str) -> list[str]:
    """What a person asks about: `hand` (the observer's own), an id (M07), a title or words of one, or a word of the game."""
    arena = view.get("mode") == "ffa3"
    effects = TitansWords(pack, arena)
    wanted = " ".join(text.lower().split())
    if not wanted:
        return []
    hands: list[list[str] | None] = view["hands"]
    hand = (hands[observer] if observer < len(hands) else None) or []
    if wanted == "hand" and hand:
        return [line for card in pack.mayhem if card.id in hand for line in card_lines(effects, card)]
    rows = [marked(f"{text.strip()}: {said}", text.strip()) for said in meanings(wanted, arena, pack.limits.points)]
    rows += _found(_titled(pack, effects, arena), wanted, whole=True)
    rows = rows or _found(_titled(pack, effects, arena), wanted, whole=False)
    if not rows and arena:
        others = _titled(pack, TitansWords(pack), False)
        rows = [["Only in the modes with teams:", *lines]
                for lines in _found(others, wanted, whole=True) or _found(others, wanted, whole=False)]
    if not rows and " " in wanted:
        said = {meaning: word for word in wanted.split() for meaning in meanings(word, arena, pack.limits.points)}
        rows = [marked(f"{word}: {meaning}", word) for meaning, word in said.items()]
    lines = [line for row in rows[:MAX_FOUND] for line in row]
    if len(rows) > MAX_FOUND:
        lines.append(f"[dim]... and {len(rows) - MAX_FOUND} more; say more of the title[/dim]")
    return lines


Titled = list[tuple[str, tuple[str, ...], Callable[[], list[str]]]]
"""Ids, titles, and a function that gives the lines."""


def _found(titled: Titled, wanted: str, whole: bool) -> list[list[str]]:
    """The lines of what has this id, or this text in its title: whole words, or words that begin so."""
    pattern = re.compile(rf"(?<!\w){re.escape(wanted)}" + (r"\b" if whole else ""))
    return [lines() for name, titles, lines in titled
            if name == wanted or (len(wanted) > 2 and any(pattern.search(title.lower()) for title in titles))]


def _titled(pack: TitansPack, effects: TitansWords, arena: bool) -> Titled:
    """All that has a title in this mode."""
    found: Titled = []
    for card in pack.mayhem:
        if card.arena or not arena:
            found.append((card.id.lower(), (card.title,), partial(card_lines, effects, card)))
    for board in pack.board:
        if arena and board.key == "cyborg":
            said = f"{board.title}: {ARENA_CYBORG_TEXT}"
            found.append((board.key, (board.title,), partial(marked, said, board.title)))
            continue
        titles = (board.title, board.innate, *(ability.title for ability in board.ability))
        found.append((board.key, titles, partial(board_lines, effects, board)))
    if not arena:
        found += [(go.id.lower(), (go.title,), partial(go_lines, effects, go)) for go in pack.go]
        found += [(tile.key, (tile.title,), partial(tile_lines, effects, pack, tile)) for tile in pack.tile]
    return found
