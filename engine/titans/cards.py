"""Cards, characters and missions for a person: their effects in English, made from the effect notation."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.effects import Atom, Call, Name, Number, Selector, Step, Test, Value
from seatmate.engine.core.effects_parse import parse_line
from seatmate.engine.core.effects_words import EffectWords, names_in, selector_of
from seatmate.engine.core.spec import words

if TYPE_CHECKING:
    from seatmate.engine.titans.pack import Board, Go, Mayhem, TitansPack

_PIECES = {"self": "this character", "act": "the active character", "tgt": "the target", "atk": "the attacker",
           "host": "your character there", "mate": "the mate", "own": "own character", "enemy": "opposing character"}
_WHEN = {"start": "At the start of a round", "self": "In your turn", "hostile": "In an opponent's turn",
         "attacked": "When your character is attacked", "entered": "When an opponent comes to the place of your character",
         "moved": "When the active opponent moves", "ko": "When your character is KO'd in an opponent's turn"}
_FLAGS = {"GHOST": "{} ignores obstacles and traps in this round", "LOCK": "{} makes no more moves in this round",
          "ATK1": "your attacks and traps deal 1 more damage in this round", "TRAPSTUN": "your traps stun in this round",
          "SPECIAL_ON": "the ability has its special effect in this turn, whatever the die",
          "SPECIAL_OFF": "the ability has no special effect in this turn, whatever the die",
          "NEXT2": "the next attack of this turn deals 2 more damage"}
_TESTS = {"obstacles": "an obstacle can be placed", "wounded": "a character of yours has damage", "heals": "you can be healed",
          "free_move": "the free move is not used yet", "traps": "a trap can be placed near the active character",
          "slot_used": "the ability has been used in this turn", "fetchable": "the mate is elsewhere, and there is room",
          "stun_token": "you have a stun token", "same_place": "both are in the same place"}
_TESTS_OF = {"damaged": "{} has damage", "ghost": "{} ignores obstacles", "locked": "{} cannot make moves",
             "stunned": "{} is stunned", "fire": "{} has fire", "teleports": "there is room elsewhere",
             "steps": "{} can make a move", "displaceable": "there is room next to it",
             "near_own": "{} is in or next to the place of your character", "on_map": "{} is on the map"}
_LIMITS = {"turn": "once per turn", "game": "once per game", "passive": "always"}


class TitansWords(EffectWords):
    """Effects in English; places go by the titles of their tiles."""

    def __init__(self, pack: TitansPack) -> None:
        self.places: dict[str, str] = {tile.icon: tile.title for tile in pack.tile}
        self.places.update(BASE_B="black bases", BASE_W="white bases")

    # ---- Lines ----

    def line(self, text: str, *, short: bool = False) -> str:
        """An effect with when it happens, or the mission of a GO! card; empty for an empty line. short: without its conditions."""
        if not text:
            return ""
        line = parse_line(text)
        body = self.steps(line.body)
        if line.pay:
            body = f"{self.steps(line.pay)} to {body}"
        if line.head is None:
            return body
        before = "" if short else self.condition(line.head.when)
        return f"{_WHEN[line.head.trigger]}: {f'if {before}, ' if before else ''}{body}"

    # ---- Verbs ----

    def do_melee(self, bonus: Value | None = None) -> str:
        return "hit an opponent in the same place" + _more(bonus)

    def do_ranged(self, bonus: Value | None = None) -> str:
        return "shoot an opponent in an adjacent place" + _more(bonus)

    def do_dmg(self, n: Value) -> str:
        return f"{_n(n)} more damage"

    def do_damage(self, n: Value, who: Value | None = None) -> str:
        return f"{self.one(who)} takes {_n(n)} damage"

    def do_heal(self, n: Value, who: Value | None = None) -> str:
        return f"heal {_n(n)} damage of {self.one(who)}"

    def do_move(self, who: Value | None = None, how: Value | None = None) -> str:
        return f"move {self.one(who)} one step"

    def do_obst(self, where: Value | None = None) -> str:
        return f"place or move an obstacle {self.where(where, border=True)}"

    def do_ignite(self, n: Value, who: Value | None = None) -> str:
        return f"put {_n(n)} fire on {self.one(who)}"

    def do_pull(self) -> str:
        return "pull a character from an adjacent place"

    def do_push(self) -> str:
        return "push a character to an adjacent place"

    def do_displace(self, who: Value | None = None, how: Value | None = None) -> str:
        return f"put {self.one(who)} into a place next to it"

    def do_stun(self, who: Value | None = None) -> str:
        return f"stun {self.one(who)}"

    def do_teleport(self, who: Value | None = None) -> str:
        return f"teleport {self.one(who)} to any place"

    def do_trap(self, n: Value, where: Value | None = None) -> str:
        number = _n(n)
        return f"set {number} trap{'' if number == '1' else 's'} {self.where(where)}"

    def do_shield(self, who: Value | None = None) -> str:
        return f"give {self.one(who)} a shield"

    def do_escape(self, who: Value | None = None) -> str:
        return f"give {self.one(who)} an escape token"

    def do_fetch(self) -> str:
        return "bring the mate to this place"

    def do_cleanse(self, who: Value | None = None) -> str:
        return f"remove all fire and stun from {self.one(who)}"

    def do_reroll_mayhem(self) -> str:
        return "roll the Mayhem die again"

    def do_reroll_act(self) -> str:
        return "roll some of your dice again"

    def do_set_act(self, value: Value) -> str:
        return f"turn one of your dice to {_n(value)}"

    def do_reroll_placed(self) -> str:
        return "roll the placed die again"

    def do_xferfire(self, source: Value, to: Value) -> str:
        return f"all fire of {self.one(source)} goes to {self.one(to)}"

    def do_flag(self, flag: Value, who: Value | None = None) -> str:
        return _FLAGS[names_in(flag)[0]].format(self.one(who))

    def do_place(self, token: Value, where: Value) -> str:
        return f"put {'a' if names_in(token)[0] == 'clue' else 'the'} {names_in(token)[0]} {self.where(where)}"

    def do_gifts(self, n: Value) -> str:
        return f"take {_n(n)} gifts"

    def do_forgo_move(self) -> str:
        return "give up the free move"

    # ---- Missions, and what lasts ----

    def do_pizza_to(self, icon: Value) -> str:
        return f"bring the pizza to the {self.place(icon)}"

    def do_gifts_to(self, icons: Value) -> str:
        return f"bring a gift to {words([f'the {self.places[icon]}' for icon in names_in(icons)])}"

    def do_clues(self, n: Value) -> str:
        return f"collect {_n(n)} clues"

    def do_monster(self, health: Value) -> str:
        return f"defeat your monster (health {_n(health)})"

    def do_both_at(self, icon: Value) -> str:
        return f"have both characters at the {self.place(icon)}"

    def do_both_opp_bases(self) -> str:
        return "have a character on each of the opposing bases"

    def do_ability_at(self, icon: Value) -> str:
        return f"use an ability with its special effect at the {self.place(icon)}"

    def do_roll_star(self) -> str:
        return "the Mayhem die is rolled and shows the star"

    def do_ko_opponent(self) -> str:
        return "KO an opponent"

    def do_noheal(self) -> str:
        return "your characters can't be healed"

    def do_trap_immune(self) -> str:
        return "traps do nothing to this character"

    # ---- Words ----

    def place(self, icon: Value) -> str:
        """The title of the place with an icon."""
        return self.places[names_in(icon)[0]]

    def one(self, value: Value | None) -> str:
        """The character or characters chosen."""
        selector = selector_of(value)
        if selector is None:
            return "an opponent in the same place"
        noun = _PIECES[selector.base]
        if selector.base not in ("own", "enemy"):
            return noun
        atoms = {part.name: part for part in selector.filters if isinstance(part, Atom)}
        where = " in the same place" if "here" in atoms else ""
        if "close" in atoms:
            where += f" in or next to the {self.place(atoms['close'].args[0].value)}"
        return f"{'each' if 'each' in atoms else 'one'} {noun}{where}"

    def where(self, value: Value | None, *, border: bool = False) -> str:
        """The place or border chosen."""
        selector = selector_of(value) or Selector("any")
        if selector.base in ("at", "border"):
            return f"{'on a border of' if selector.base == 'border' else 'at'} the {self.place(selector.args[0].value)}"
        if border:
            return {"near": "on a border of an adjacent place", "any": "on any border"}[selector.base]
        return {"near": "here or in an adjacent place", "any": "anywhere", "ownbase": "on an own base",
                "special": "at a place that is no base"}[selector.base]

    def test(self, test: Test) -> str:
        """A condition of a card."""
        left = test.left
        if isinstance(left, Call) and left.name == "die_below":
            text = f"one of your dice shows less than {_n(left.args[0].value)}"
        elif isinstance(left, Call):
            text = _TESTS_OF[left.name].format(self.one(left.args[0].value))
        else:
            assert isinstance(left, Name)
            text = _TESTS[left.name]
        if not test.negated:
            return text
        for said, denied in ((" has not ", " has "), (" is ", " is not "), (" has been ", " has not been "),
                             (" ignores ", " does not ignore "), (" cannot ", " can ")):
            if said in text:
                return text.replace(said, denied, 1)
        return f"it is not so that {text}"


def _n(value: Value) -> str:
    return str(value.value) if isinstance(value, Number) else " ".join(names_in(value))


def _more(bonus: Value | None) -> str:
    return f" for {_n(bonus)} more damage" if bonus is not None else ""


def monster_health(go: Go) -> int:
    """The health of a GO! card's monster; 0 where it has none."""
    for step in parse_line(str(go.mission)).body:
        if isinstance(step, Step) and step.verb == "MONSTER":
            value = step.args[0].value
            assert isinstance(value, Number)
            return value.value
    return 0

# ---- Looking cards up ----


def mayhem_lines(effects: TitansWords, card: Mayhem) -> list[str]:
    """A Mayhem card as lines, in rich markup."""
    return [f"[bold]{card.title}[/bold] ({card.id}): Mayhem card", f"    {effects.line(str(card.effect))}."]


def go_lines(effects: TitansWords, go: Go) -> list[str]:
    """A GO! card as lines, in rich markup."""
    lines = [f"[bold]{go.title}[/bold] ({go.id}): GO! card, {go.points} point{'' if go.points == 1 else 's'}",
             f"    Mission: {effects.line(str(go.mission))}."]
    if go.reveal:
        lines.append(f"    When it is revealed: {effects.line(str(go.reveal))}.")
    if go.aura:
        lines.append(f"    As long as it is in play: {effects.line(str(go.aura))}.")
    return lines


def board_card_lines(effects: TitansWords, board: Board) -> list[str]:
    """A character as lines, in rich markup."""
    lines = [f"[bold]{board.title}[/bold]: health {board.health}, {board.icons} Mayhem card{'' if board.icons == 1 else 's'}"]
    for ability in board.ability:
        tiers = [effects.line(str(ability.std)), f"with {ability.slot} or more: {effects.line(str(ability.spc))}"]
        if ability.star:
            tiers.append(f"with the star, too: {effects.line(str(ability.star))}")
        lines.append(f"    {ability.title}: {'; '.join(tier for tier in tiers if tier)}.")
    return [*lines, f"    {board.innate} ({_LIMITS[board.limit]}): {effects.line(str(board.effect))}."]


def describe(pack: TitansPack, view: Mapping[str, Any], text: str) -> list[str]:
    """What a person asks about: `hand`, a card's id (M07, G01), a character, or a part of a title.

    Cards are looked up by what the observer knows of its own hand; all texts are in everybody's rulebook.
    """
    effects = TitansWords(pack)
    wanted = text.strip().lower()
    if not wanted:
        return []

    def found(row_id: str, title: str) -> bool:
        return row_id.lower() == wanted or (len(wanted) > 2 and wanted in title.lower())

    if wanted == "hand":
        held = {card for hand in view["hands"] for card in hand or ()}
        return [line for card in pack.mayhem if card.id in held for line in mayhem_lines(effects, card)]
    lines = [line for board in pack.board if found(board.key, board.title)
             or any(found("", ability.title) for ability in board.ability) or found("", board.innate)
             for line in board_card_lines(effects, board)]
    lines += [line for card in pack.mayhem if found(card.id, card.title) for line in mayhem_lines(effects, card)]
    lines += [line for go in pack.go if found(go.id, go.title) for line in go_lines(effects, go)]
    return lines
