"""Cards for a person: costs, keywords and effects in English sentences, made from the effect notation."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.effects import (
    Amount,
    Atom,
    Branch,
    Call,
    Compare,
    Name,
    Number,
    Selector,
    Step,
    Sum,
    Test,
    Value,
    format_value,
)
from seatmate.engine.core.effects_parse import parse_line
from seatmate.engine.core.effects_vocabulary import Kind
from seatmate.engine.core.effects_words import EffectWords, names_in, selector_of
from seatmate.engine.core.spec import counted, words
from seatmate.engine.mythos.content import vocabulary as v
from seatmate.engine.mythos.content.pack import ROWS, VOCABULARY
from seatmate.engine.mythos.words.glossary import explain

if TYPE_CHECKING:
    from seatmate.engine.mythos.content.pack import Character, Mission, MythosPack
    from seatmate.engine.mythos.words.names import Names as CardNames

MAX_FOUND = 8
"""So many cards are shown for one word."""

_NOUNS = {"friendly": "friendly", "enemy": "enemy", "own": "", "any": ""}
_PIECES = {"A": "it", "B": "it", "K": "it", "AB": "them"}
_PLACES = {"here": "in this mission", "elsewhere": "in another mission", "atM": "in that mission",
           "notA": "other than the first", "lastturn": "that was played in the opponent's last turn"}
_ZONES = {"hand": "your hand", "hidden": "your hidden characters", "discard": "your discard pile", "deck": "your deck",
          "oppdeck": "the opponent's deck"}
_PAST = {"PLAYED": "is played", "MOVED": "moves", "DEFEATED": "is defeated"}
_VERBS = {"HIDE": "hidden", "DEFEAT": "defeated", "MOVE": "moved"}


class Said:
    """An argument in the text of a row: `{target}` one, `{target:all}` all of them, `{n}` so many, `{n:card}` so many cards."""

    def __init__(self, words: MythosWords, kind: Kind, value: Value | None) -> None:
        self.words, self.kind, self.value = words, kind, value

    def __format__(self, spec: str) -> str:
        if self.kind is Kind.SELECTOR:
            return self.words.all(self.value) if spec == "all" else self.words.one(self.value)
        return self.words.many(_some(self.value), spec) if spec else self.words.amount(self.value)


class MythosWords(EffectWords):
    """Effect lines in English. `titles`: of groups, keywords and names, by (table, key)."""

    def __init__(self, pack: MythosPack) -> None:
        self.titles: dict[tuple[str, str], str] = {
            (table, row.key): row.title for table in ("name", "group", "keyword") for row in getattr(pack, table)}

    # ---- Lines ----

    def line(self, text: str) -> str:
        """An effect line as a sentence that begins with its heading."""
        line = parse_line(text)
        head = line.head
        assert head is not None, "every line of this game says when it runs"
        heading = head.trigger
        before = self.condition(head.when)
        body = self.steps(line.body)
        if line.pay:
            body = f"{self.steps(line.pay)} to {body}"
        match head.trigger:
            case "while":
                heading = "Always"
                if any(isinstance(item, Step) and item.verb == "CHAKRA" for item in line.body):
                    body = body.replace(" chakra", " chakra in the start phase", 1)
                if any(isinstance(item, Step) and item.verb == "PLAY_ONLY" for item in line.body):
                    return f"Always: this card can only be played face-up if {before} there."
            case "on":
                heading = self.events([event.name for event in head.events], head.subject, head.by)
            case "replace":
                verbs = words([_VERBS[event.name] for event in head.events], "or")
                who = " by an enemy effect" if head.by == "enemy" else ""
                heading = f"If {self.one(head.subject)} would be {verbs}{who}"
                body += " instead"
        if "may" in head.flags:
            body = f"you may {body}"
        if "must" in head.flags:
            heading += " (must)"
        then = ": " if body.startswith("if ") else ", "
        return f"{heading}: {before and f'if {before}{then}'}{body}{_meaning_of_x(text, line.body)}."

    def step(self, step: Step) -> str:
        """Players do what a verb says; the opponent chooses for a verb of characters."""
        if step.who not in ("opp", "both"):
            return super().step(step)
        text = super().step(replace(step, who="", condition=()))
        if step.who == "both":
            text = f"both players {text}"
        elif VOCABULARY.verbs[step.verb].code <= v.PICK:
            text += " (the opponent chooses)"
        else:
            verb, _, rest = text.partition(" ")
            text = f"the opponent {verb}s {rest.replace('your ', 'their ')}"
        return text + (f" (if {self.condition(step.condition)})" if step.condition else "")

    def events(self, events: Sequence[str], subject: Selector | None, by: str) -> str:
        """When a reaction runs."""
        if events == ["ROUND_END"]:
            return "At the end of the round"
        if events == ["MISSION_LOST"]:
            return "If the opponent wins this mission"
        when = words([_PAST[event] for event in events], "or")
        return f"When {self.one(subject)} {when}{' by your effect' if by == 'you' else ''}"

    # ---- Verbs ----

    def does(self, verb: str, values: Sequence[Value], keys: Mapping[str, Value]) -> str:
        """By a method where the text needs grammar, else from the row of the verb."""
        if hasattr(self, f"do_{verb.lower()}"):
            return super().does(verb, values, keys)
        params = ROWS[verb].params
        given = {**dict(zip((param.name for param in params), values, strict=False)), **keys}
        return ROWS[verb].says.format_map({param.name: Said(self, param.kind, given.get(param.name)) for param in params})

    def do_tok(self, n: Amount, on: Value | None = None) -> str:
        target = self.one(on)
        if _pick(on) == "all":
            target = f"each {self._noun(_must(on))}".replace("in another mission", "in other missions")
        if every := self.every(n):
            return f"put 1 Power token on {target} for every {every}"
        return f"put {self.many(n, 'Power token')} on {target}"

    def do_untok(self, n: Amount, of: Value | None = None, *more: Value) -> str:
        return f"remove {'up to ' if more else ''}{self.many(n, 'Power token')} from {self.one(of)}"

    def do_take_tok(self, n: Amount, of: Value | None = None, *more: Value) -> str:
        return f"move {'up to ' if more else ''}{self.many(n, 'Power token')} from {self.one(of)} to this character"

    def do_move(self, who: Value, to: Value | None = None) -> str:
        here = isinstance(to, Name) and to.name == "here"
        others = "to other missions" if _pick(who) else "to another mission"
        return f"move {self.one(who)} {'to this mission' if here else others}"

    def do_force(self, who: Value, mod: Amount | None = None) -> str:
        more = f" for {self.amount(mod)} more chakra" if mod is not None else ""
        return f"the opponent reveals {self.one(who)}{more}, or it is defeated"

    def do_draw(self, n: Amount) -> str:
        if every := self.every(n):
            return f"draw 1 card for every {every}"
        return f"draw {self.many(n, 'card')}"

    def do_discard(self, n: Amount) -> str:
        return "discard your hand" if isinstance(n, Name) and n.name == "all" else f"discard {self.many(n, 'card')}"

    def do_chakra(self, n: Amount) -> str:
        if every := self.every(n):
            return f"gain 1 chakra for every {every}"
        return f"gain {self.amount(n)} chakra"

    def do_edge(self, to: Value) -> str:
        return "take the Edge" if isinstance(to, Name) and to.name == "you" else "give the Edge to the opponent"

    def do_play(self, zones: Value, cards: Value | None = None, mod: Amount | None = None) -> str:
        where = names_in(zones)
        card = self.one(cards) if cards is not None else "a card"
        if where == ("looked",):
            what = "one of these cards"
        elif where == ("discard_top",):
            what = "the top card of your discard pile"
        elif where == ("hidden",):
            what = "one of your hidden characters"
        else:
            what = f"{card} from {words([_ZONES[zone] for zone in where], 'or from')}"
        cheaper = mod is not None and not isinstance(mod, Number)
        price = ""
        if isinstance(mod, Number) and mod.value:
            price = f" for {abs(mod.value)} chakra {'less' if mod.value < 0 else 'more'}"
        elif cheaper:
            price = f" (cost {self.amount(mod)})"
        return f"play {what}{price}"

    def do_put_hidden(self, zone: Value, to: Value | None = None, link: Value | None = None) -> str:
        source = _ZONES[names_in(zone)[0]]
        card = f"a card from {source}" if names_in(zone) == ("hand",) else f"the top card of {source}"
        where = "in this mission" if isinstance(to, Name) and to.name == "here" else "in any mission"
        kept = ", yours as long as this character stays face up on your side" if link is not None else ""
        return f"put {card} face down {where}{kept}"

    def do_recover(self, cards: Value | None = None) -> str:
        return f"take {self.one(cards) if cards is not None else 'a card'} from your discard pile into your hand"

    def do_copy(self, source: Value, headings: Value) -> str:
        return f"use one {words(list(names_in(headings)), 'or')} effect of {self.one(source)}"

    # ---- Lasting ----

    def do_power(self, n: Amount, who: Value | None = None, layer: Value | None = None) -> str:
        subject = self.all(who)
        if isinstance(n, Sum) and isinstance(n.term, Call) and n.term.name == "count":
            each = self.one(n.term.args[0].value).partition(" ")[2]
            return f"{subject} has {'-' if n.negative else '+'}1 power for every {each}"
        number = self.amount(n)
        sign = "" if number.startswith("-") else "+"
        return f"{subject} {'has' if _single(who) else 'have'} {sign}{number} power"

    def do_cost(self, n: Amount, cards: Value | None = None, side: Value | None = None, min: Value | None = None) -> str:
        whose = "the opponent's cards" if side is not None and names_in(side) == ("enemy",) else "cards"
        what = self.all(cards) if cards is not None else whose
        least = f" (at least {self.amount(min)})" if isinstance(min, Number) else ""
        return f"{what} cost {self._signed(n)} here{least}"

    def do_self_cost(self, n: Amount) -> str:
        return f"this card costs {self._signed(n)} there"

    def do_reveal_cost(self, n: Amount) -> str:
        return f"revealing this card costs {self._signed(n)}"

    def do_shield(self, who: Value, verbs: Value, by: Value | None = None) -> str:
        source = "" if by is None or names_in(by) == ("any",) else " by enemy effects"
        return f"{self.all(who)} cannot be {words([_VERBS[verb] for verb in names_in(verbs)], 'or')}{source}"

    # ---- Words ----

    def _signed(self, n: Amount) -> str:
        if isinstance(n, Number):
            return f"{abs(n.value)} {'less' if n.value < 0 else 'more'}"
        return f"{self.amount(n)} more"

    def many(self, n: Amount, noun: str) -> str:
        """`2 cards`, `all Power tokens`, `cards equal to ...`."""
        if isinstance(n, Number):
            return f"{n.value} {noun}{'' if n.value == 1 else 's'}"
        if isinstance(n, Name) and n.name in ("all", "X"):
            return f"{n.name} {noun}s"
        return f"{noun}s equal to {self.amount(n)}"

    def every(self, n: Amount) -> str:
        """What is counted, without an article; empty for amounts that are not just a count."""
        if isinstance(n, Call) and n.name == "count":
            return self._noun(_must(n.args[0].value))
        return f"mission with {self.one(n.args[0].value)}" if isinstance(n, Call) and n.name == "missions" else ""

    def things(self, n: Call) -> str:
        """What is counted, in the plural; empty for amounts that are not just a count."""
        if n.name == "count":
            return self.plural(n.args[0].value)
        return f"missions with {self.one(n.args[0].value)}" if n.name == "missions" else ""

    def amount(self, n: Value | None) -> str:
        """A number, or what is counted."""
        match n:
            case Number():
                return str(n.value)
            case Sum():
                plus = f" plus {n.plus}" if n.plus else ""
                return f"{'-' if n.negative else ''}{self.amount(n.term)}{plus}"
            case Name():
                return {"power": "its power", "hand": "the cards in your hand", "P": "its power before"}.get(n.name, n.name)
            case Call(name="count" | "missions"):
                return f"the number of {self.things(n)}"
            case Call(name="cost"):
                return "the cost of that card"
            case Call(name="ppow"):
                return "the printed power of that card"
        return format_value(n) if n is not None else ""

    def one(self, value: Value | None) -> str:
        """The thing chosen: `an enemy character in this mission`."""
        selector = selector_of(value)
        if selector is None or selector.base == "self":
            return "this character"
        if selector.base in _PIECES:
            more = self._rest(selector)
            return _PIECES[selector.base] + (f" (if it is one {more})" if more else "")
        pick = next((part for part in selector.filters if isinstance(part, Atom) and part.name in (
            "all", "each", "n", "sum", "down")), None)
        if pick is None:
            noun = self._noun(selector)
            other = "another" if self._other(selector) else "an" if noun[0] in "aeiouAEIOU" else "a"
            return f"{other} {noun}"
        many = self.plural(value)
        match pick.name:
            case "all":
                return f"all {many}"
            case "each":
                return f"up to one of the {many} in every mission"
            case "n":
                count = pick.args[0].value
                things = self.things(count) if isinstance(count, Call) else ""
                more = f"as many {many} as there are {things} (all, if they are fewer)"
                return more if things else f"{self.amount(count)} {many}"
            case "sum":
                return f"any number of {many} with together {self._argument(pick)} power or less"
        return f"{many} one after the other until {self._argument(pick)} are left"

    def all(self, value: Value | None) -> str:
        """Everything a lasting effect speaks of."""
        return self.one(value) if _single(value) else self.plural(value)

    def plural(self, value: Value | None) -> str:
        """`enemy characters in this mission`."""
        selector = selector_of(value)
        if selector is None or selector.base in ("self", *_PIECES):
            return self.one(value)
        return f"{'other ' if self._other(selector) else ''}{self._noun(selector, 's')}"

    def _argument(self, atom: Atom) -> str:
        return self.amount(atom.args[0].value) if atom.args else ""

    @staticmethod
    def _other(selector: Selector) -> bool:
        return any(isinstance(part, Atom) and part.name == "other" for part in selector.filters)

    def _noun(self, selector: Selector, ending: str = "") -> str:
        """Adjectives, noun, and what restricts it."""
        before: list[str] = []
        kinds: list[str] = []
        noun = "card" if selector.base == "card" else "character"
        side = _NOUNS.get(selector.base, "")
        for part in selector.filters:
            if isinstance(part, Atom) and part.name in ("up", "hidden", "stacked"):
                before.append({"up": "face-up", "hidden": "hidden", "stacked": "upgraded"}[part.name])
            elif isinstance(part, Compare) and part.attribute in ("name", "kw", "grp") and not _is_register(part):
                titles = words([self._title(part.attribute, value) for value in part.values], "or")
                kinds.append(f"non-{titles}" if part.op == "!=" else titles)
        named = any(isinstance(part, Compare) and part.attribute == "name" and part.op == "=" and not _is_register(part)
                    for part in selector.filters)
        noun = kinds.pop() if named and kinds and noun != "card" else noun
        text = " ".join([*([side] if side else []), *before, *kinds, noun + ending])
        text += " of yours" if selector.base == "own" else ""       # unlike "friendly" the source is one of them (R41)
        rest = self._rest(selector)
        return f"{text} {rest}" if rest else text

    def _rest(self, selector: Selector) -> str:
        """What follows the noun: places and numbers."""
        found = []
        for part in selector.filters:
            if isinstance(part, Atom):
                if part.name in _PLACES:
                    found.append(_PLACES[part.name])
                elif part.name in ("min", "max"):
                    what = {"pow": "power", "cost": "cost"}[names_in(part.args[0].value)[0]]
                    found.append(f"with the {'lowest' if part.name == 'min' else 'highest'} {what}")
            elif part.attribute == "name" and _is_register(part):
                found.append("of the same name")
            elif part.attribute not in ("name", "kw", "grp"):
                found.append(self._bound(part))
        return " ".join(found)

    def _bound(self, part: Compare) -> str:
        """`with power 4 or less`."""
        if part.attribute == "tok":
            return "with Power tokens"
        what = {"pow": "power", "cost": "cost", "pcost": "printed cost"}[part.attribute]
        value = self.amount(part.values[0])
        if isinstance(part.values[0], Name) and part.values[0].name == "power":
            return {"<": "with less power than this character", "<=": "with no more power than this character"}[part.op]
        if not isinstance(part.values[0], Number):
            sign = {"<": "below", "<=": "of at most", "=": "equal to", ">": "above", ">=": "of at least"}[part.op]
            return f"with a {what} {sign} {value}"
        return f"with {what} " + {"=": f"exactly {value}", "<=": f"{value} or less", "<": f"below {value}",
                                  ">=": f"{value} or more", ">": f"above {value}", "!=": f"not {value}"}[part.op]

    def _title(self, attribute: str, value: Value) -> str:
        table = {"name": "name", "kw": "keyword", "grp": "group"}[attribute]
        return self.titles[table, names_in(value)[0]]

    def test(self, test: Test) -> str:
        left = test.left
        if test.op and isinstance(test.right, Number):
            number, exactly = test.right.value, {"=": "exactly ", ">=": "at least ", "<=": "at most "}.get(test.op)
            if isinstance(left, Name) and left.name == "hand" and test.op == "=" and number == 0:
                return "your hand is empty"
            if isinstance(left, Name) and left.name == "P" and exactly:
                return f"the character it is laid on had {exactly}{number} power"
            if isinstance(left, Call) and left.name == "count" and exactly:
                one = number == 1
                noun = self._noun(_must(left.args[0].value), "" if one else "s")
                return f"there {'is' if one else 'are'} {exactly}{number} {noun}"
        if test.op:
            assert test.right is not None
            sign = {"<": "is less than", "<=": "is at most", "=": "is", ">=": "is at least", ">": "is more than",
                    "!=": "is not"}[test.op]
            return f"{self.amount(left)} {sign} {self.amount(test.right)}"
        if isinstance(left, Call) and left.name == "has":
            return f"there is {'no' if test.negated else ''}{'' if test.negated else self.one(left.args[0].value)}" + (
                f" {self._noun(_must(left.args[0].value))}" if test.negated else "")
        name = left.name if isinstance(left, Name) else ""
        said = {"upg": "this is an upgrade", "edge": "you have the Edge", "winning": "you are winning the mission"}
        if test.negated:
            return {"edge": "you do not have the Edge"}.get(name, f"it is not true that {said.get(name, name)}")
        return said.get(name, name)


def _meaning_of_x(text: str, body: Sequence[Step | Branch]) -> str:
    """What the X of a line is, if its text speaks of one and does not say so itself ("pay any amount of chakra X")."""
    if not re.search(r"\bX\b", text.partition(":")[2]):
        return ""
    for step in body:
        if not isinstance(step, Step):
            continue
        for store in step.stores:
            if store.register == "X" and step.verb != "PAY_X":
                done = {"DISCARD": "cards that were discarded", "MOVE": "characters that were moved",
                        "DEFEAT": "characters that were defeated"}.get(step.verb, "times this was done")
                return ", where X is " + ("the power that character had" if store.part == "pow" else f"the number of {done}")
            if store.register == "X":
                return ""
    return ", where X is that of MAIN"


def _pick(value: Value | None) -> str:
    """How many a selector picks, as its word; empty for one."""
    selector = selector_of(value)
    return next((part.name for part in selector.filters if isinstance(part, Atom) and part.name in (
        "all", "each", "n", "sum", "down")), "") if selector is not None else ""


def _must(value: Value | None) -> Selector:
    selector = selector_of(value)
    assert selector is not None
    return selector


def _some(value: Value | None) -> Amount:
    assert isinstance(value, Number | Name | Call | Sum)
    return value


def _single(value: Value | None) -> bool:
    """Is only this character meant?"""
    selector = selector_of(value)
    return selector is None or selector.base in ("self", *_PIECES)


def _is_register(part: Compare) -> bool:
    """`name=K`: the name of the card in a register."""
    return all(isinstance(value, Name) and value.name.isupper() for value in part.values)

# ---- Looking cards up ----


def card_lines(pack: MythosPack, effects: MythosWords, card: Character) -> list[str]:
    """A character as lines, in rich markup."""
    title = effects.titles["name", card.name]
    keywords = words([effects.titles["keyword", key] for key in card.keywords])
    lines = [f"[bold]{title}, {card.version}[/bold] ({card.id}): {card.cost} chakra, power {card.power}; "
             f"{effects.titles['group', card.group]}{f'; {keywords}' if keywords else ''}"]
    return lines + [f"    {effects.line(str(line))}" for line in card.effects]


def mission_lines(effects: MythosWords, mission: Mission) -> list[str]:
    """A mission as lines, in rich markup."""
    return [f"[bold]{mission.title}[/bold] ({mission.id}): mission, {counted(mission.points, 'point')} and those of its rank",
            *(f"    {effects.line(str(line))}" for line in mission.effects)]


def named_lines(pack: MythosPack, effects: MythosWords, names: CardNames, wanted: str) -> list[str]:
    """A group or keyword, with its cards."""
    lines = []
    for table, one in (("group", "group"), ("keyword", "keyword")):
        for row in getattr(pack, table):
            if row.title.lower() != wanted and not (len(wanted) > 2 and _begins_a_word(wanted, row.title)):
                continue
            cards = [card.id for card in pack.character if card.group == row.key or row.key in card.keywords]
            lines.append(f"[bold]{row.title}[/bold]: a {one} of {counted(len(cards), 'card')}: {words(cards)}")
    return lines


def _begins_a_word(wanted: str, title: str) -> bool:
    return re.search(rf"\b{re.escape(wanted)}", title.lower()) is not None


def describe(pack: MythosPack, names: CardNames, view: Mapping[str, Any], observer: int, text: str) -> list[str]:
    """What a person asks about: `hand`, a slot (#3), a card's number (KS-009 or 9), a part of its title, a mission (by its title or
    rank), a group or keyword, a word of the table (glossary.py).

    Only what the observer sees is looked up by place; titles, numbers and words are in everybody's rulebook.
    """
    effects = MythosWords(pack)
    wanted = " ".join(text.lower().split())
    if not wanted:
        return []
    hand: list[str] = next((cards for cards in view["hands"] if cards is not None), [])
    if wanted == "hand":
        ids = list(dict.fromkeys(hand))
    elif wanted.startswith("#"):
        ids = [unit["card"] for unit in view["units"] if wanted == f"#{unit['slot']}" and unit["card"] is not None]
    else:
        number = wanted.zfill(3) if wanted.isdecimal() else None
        ids = [card.id for card in pack.character
               if card.id.lower() == wanted or (number is not None and card.id.endswith(f"-{number}"))
               or (number is None and len(wanted) > 2 and _begins_a_word(wanted, names.title(card.id)))]
    lines = [*explain(wanted), *named_lines(pack, effects, names, wanted)]
    lines += [line for card in ids[:max(MAX_FOUND, len(hand) if wanted == "hand" else 0)]
              for line in card_lines(pack, effects, pack.character[names.card_number[card]])]
    if len(ids) > MAX_FOUND and wanted != "hand":
        lines.append(f"[dim]... and {len(ids) - MAX_FOUND} more; say more of the title[/dim]")
    ranks = [row["id"] for row, rank in zip(view["missions"], "dcba", strict=False) if wanted in (rank, f"mission {rank}")]
    for mission in pack.mission:
        if (mission.id.lower() == wanted or mission.id in ranks
                or (len(wanted) > 2 and _begins_a_word(wanted, mission.title))):
            lines += mission_lines(effects, mission)
    return lines
