"""The effect notation all games share: syntax tree, parser, formatter, and what a game adds to it.

An effect is one line of text in a content pack. What its names mean is a game's `Vocabulary`; the shape is the same
for all (`effects_compile.py` compiles it):

    line  := [head ":"] {REG "=" sel "," | "need" sel ","} ["pay" "{" seq "}"] seq
    head  := NAME [EVENT {"|" EVENT} ["(" sel ")"]] {flag}
    flag  := "must" | "may" | "forced" | "by" "=" WORD | "when" "(" cond ")"
    seq   := item {(";" | "->") item}          ";" regardless, "->" only if the last step executed did something
    item  := step | "if" cond "{" seq "}" ["else" "{" seq "}"]
    step  := [who ":"] ["may"] ["after"] VERB "(" args ")" {">" REG ["." PART]} ["if" cond]
    who   := "you" | "own" | "opp" | "both" | "each"
    args  := [arg {"," arg}]       arg := [KEY "="] value      positional ones first
    value := sel | amount | WORD {"|" WORD}
    sel   := "@" NAME ["(" args ")"] {"." filter}      filter := NAME ["(" args ")"] | NAME op alt
    alt   := amount {"|" (INT | WORD)}                 op := "=" | "!=" | "<" | "<=" | ">" | ">="
    amount:= ["-"] INT | ["-"] NAME ["(" args ")"] [("+" | "-") INT]
    cond  := test {"&" test}       test := ["!"] NAME ["(" args ")"] | amount op amount

"=" with several alternatives means "one of them", "!=" with several "none of them". A pick (`one`, `n(2)`, ...) is
the last filter of a selector. In a place for a selector a bare NAME stands for "@NAME".
`docs/effects.md` explains the notation to pack authors.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, NoReturn

from seatmate.engine.core.errors import PackError

WHO = ("you", "own", "opp", "both", "each")
"""The words that may stand before a step's colon; a game allows some of them, and no trigger has such a name."""

RESERVED = frozenset({"if", "else", "may", "after", "need", "pay", "must", "forced", "when", "by"})
"""Words of the notation itself; no trigger, verb or register has such a name."""

OPERATORS = ("=", "!=", "<", "<=", ">", ">=")
"""Comparison operators; the position in this tuple is the operator's number in a compiled program."""

MAX_DEPTH = 12
MAX_DIGITS = 9
_FLAGS = ("must", "may", "forced")


class EffectError(PackError, ValueError):
    """An effect line is wrong. `problem` says what was expected, `position` (from 0) where in `text`; `line` is the
    index of the line among those compiled together, or None."""

    def __init__(self, problem: str, text: str, position: int, line: int | None = None) -> None:
        start = max(0, position - 60)
        shown = "".join(char if char.isprintable() else " " for char in text[start : position + 60])
        super().__init__(f"column {position + 1}: {problem}\n    {shown}\n    {' ' * (position - start)}^")
        self.problem = problem
        self.text = text
        self.position = position
        self.column = position + 1
        self.line = line


def _at() -> int:
    """Where a node starts in its text; no part of what the node means."""
    return field(default=-1, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Number:
    """An integer, e.g. `3` or `-1`."""

    value: int
    at: int = _at()


@dataclass(frozen=True, slots=True)
class Name:
    """A bare name: a word, a register, an amount without arguments, or a selector's base."""

    name: str
    at: int = _at()


@dataclass(frozen=True, slots=True)
class Names:
    """At least two words, e.g. `hand|hidden`."""

    names: tuple[str, ...]
    at: int = _at()


@dataclass(frozen=True, slots=True)
class Call:
    """A name with arguments, e.g. `count(@enemy.here)`."""

    name: str
    args: tuple[Argument, ...]
    at: int = _at()


@dataclass(frozen=True, slots=True)
class Sum:
    """An amount with a sign or an addend: minus `term` if `negative`, plus `plus`."""

    negative: bool
    term: Name | Call
    plus: int
    at: int = _at()


@dataclass(frozen=True, slots=True)
class Atom:
    """A filter or pick of a selector, e.g. `up`, `near(4)`, `min(pow)`, `n(2)`."""

    name: str
    args: tuple[Argument, ...] = ()
    at: int = _at()


@dataclass(frozen=True, slots=True)
class Compare:
    """A filter `attribute op values`; more than one value only with "=" (one of) and "!=" (none of)."""

    attribute: str
    op: str
    values: tuple[Amount, ...]
    at: int = _at()


@dataclass(frozen=True, slots=True)
class Selector:
    """A set of pieces, cards, seats or places: the base, then the filters from left to right, a pick last."""

    base: str
    args: tuple[Argument, ...] = ()
    filters: tuple[Atom | Compare, ...] = ()
    at: int = _at()

    def matches(self, values: Mapping[str, int | str]) -> bool:
        """Whether something with these attribute values (numbers, or words as text) passes every filter.

        A missing attribute passes no comparison, not even "!=". Raises ValueError for a filter that needs a position
        to be read (anything but comparisons with numbers and words).
        """
        return all(_passes(part, values) for part in self.filters)


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument; `key` is empty for a positional one."""

    value: Value
    key: str = ""
    at: int = _at()


Amount = Number | Name | Call | Sum
Value = Number | Name | Names | Call | Sum | Selector


@dataclass(frozen=True, slots=True)
class Test:
    """One condition: a named one (`left`, perhaps negated), or the comparison `left op right`."""

    __test__ = False

    left: Amount
    negated: bool = False
    op: str = ""
    right: Amount | None = None
    at: int = _at()


Condition = tuple[Test, ...]
"""All tests must hold."""


@dataclass(frozen=True, slots=True)
class Store:
    """`>REG.part` after a step; `part` is empty for the affected object itself."""

    register: str
    part: str = ""
    at: int = _at()


@dataclass(frozen=True, slots=True)
class Step:
    """One verb with its arguments; `chained` = it follows "->"."""

    verb: str
    args: tuple[Argument, ...] = ()
    who: str = ""
    may: bool = False
    after: bool = False
    stores: tuple[Store, ...] = ()
    condition: Condition = ()
    chained: bool = False
    at: int = _at()
    who_at: int = _at()


@dataclass(frozen=True, slots=True)
class Branch:
    """`if condition {then} else {otherwise}`; `otherwise` is empty without an else."""

    condition: Condition
    then: Sequence
    otherwise: Sequence = ()
    chained: bool = False
    at: int = _at()


Sequence = tuple[Step | Branch, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """`REG=sel,` chosen before the line runs, or `need sel,` (register empty): at least one must exist."""

    selector: Selector
    register: str = ""
    at: int = _at()


@dataclass(frozen=True, slots=True)
class Head:
    """When a line runs. `flags` is a sorted subset of must, may, forced; `by` is empty if not given."""

    trigger: str
    events: tuple[Name, ...] = ()
    subject: Selector | None = None
    by: str = ""
    flags: tuple[str, ...] = ()
    when: Condition = ()
    at: int = _at()
    by_at: int = _at()


@dataclass(frozen=True, slots=True)
class Line:
    """A whole effect line."""

    head: Head | None
    targets: tuple[Target, ...]
    pay: Sequence
    body: Sequence


def _passes(part: Atom | Compare, values: Mapping[str, int | str]) -> bool:
    fixed = isinstance(part, Compare) and all(isinstance(value, Number | Name) for value in part.values)
    if not isinstance(part, Compare) or not fixed:
        raise ValueError(f"filter '{format_filter(part)}' depends on the position")
    actual = values.get(part.attribute)
    if actual is None:
        return False
    wanted = [value.value if isinstance(value, Number) else format_value(value) for value in part.values]
    if part.op in ("=", "!="):
        return (actual in wanted) == (part.op == "=")
    bound = wanted[0]
    if isinstance(actual, int) and isinstance(bound, int):
        sign = (actual > bound) - (actual < bound)
        return {"<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0}[part.op]
    raise ValueError(f"filter '{format_filter(part)}' orders something that is not a number")


# ---------------------------------------------------------------- parser
class _Token(NamedTuple):
    kind: str
    text: str
    at: int


_TOKEN = re.compile(r"(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<int>[0-9]+)|(?P<op>->|<=|>=|!=|[-+@.,:;(){}|&!=<>])")


def _tokens(text: str) -> list[_Token]:
    found, position = [], 0
    while position < len(text):
        if text[position] in " \t":
            position += 1
            continue
        match = _TOKEN.match(text, position)
        if match is None:
            shown = "a line break: an effect is one line" if text[position] in "\r\n" else repr(text[position])
            raise EffectError(f"unexpected {shown}", text, position)
        kind = str(match.lastgroup)
        found.append(_Token(match.group() if kind == "op" else kind, match.group(), position))
        position = match.end()
    found.append(_Token("end", "", len(text.rstrip(" \t"))))
    return found


class _Parser:
    """Recursive descent, at most two tokens ahead."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _tokens(text)
        self.next = 0
        self.depth = 0

    # tokens
    @property
    def token(self) -> _Token:
        return self.tokens[self.next]

    def ahead(self) -> _Token:
        return self.tokens[min(self.next + 1, len(self.tokens) - 1)]

    def fail(self, expected: str) -> NoReturn:
        found = f"'{self.token.text[:40]}'" if self.token.text else "the end of the line"
        raise EffectError(f"expected {expected}, found {found}", self.text, self.token.at)

    def accept(self, kind: str) -> bool:
        if self.token.kind != kind:
            return False
        self.next += 1
        return True

    def word(self, word: str) -> bool:
        if self.token.kind != "name" or self.token.text != word:
            return False
        self.next += 1
        return True

    def expect(self, kind: str, expected: str = "") -> _Token:
        token = self.token
        if token.kind != kind:
            self.fail(expected or f"'{kind}'")
        self.next += 1
        return token

    def name(self, what: str) -> _Token:
        if self.token.text in RESERVED:
            raise EffectError(
                f"expected {what}; '{self.token.text}' is a word of the notation", self.text, self.token.at
            )
        return self.expect("name", what)

    def integer(self) -> int:
        token = self.expect("int", "a number")
        if len(token.text) > MAX_DIGITS:
            raise EffectError(f"a number has at most {MAX_DIGITS} digits", self.text, token.at)
        return int(token.text)

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise EffectError(f"nested more than {MAX_DEPTH} deep", self.text, self.token.at)

    # lines
    def line(self) -> Line:
        head = self.head() if self.starts_head() else None
        targets: list[Target] = []
        while target := self.target():
            targets.append(target)
        pay: Sequence = self.block() if self.word("pay") else ()
        body = self.sequence()
        if self.token.kind != "end":
            self.fail("';', '->', '>' or 'if' or the end of the line")
        return Line(head, tuple(targets), pay, body)

    def starts_head(self) -> bool:
        if self.token.kind != "name" or self.token.text in RESERVED:
            return False
        return self.ahead().kind == "name" or (self.ahead().kind == ":" and self.token.text not in WHO)

    def head(self) -> Head:
        trigger = self.name("a trigger")
        events: list[Name] = []
        subject = None
        if self.token.kind == "name" and self.token.text not in RESERVED:
            while not events or self.accept("|"):
                event = self.name("an event")
                events.append(Name(event.text, at=event.at))
            if self.accept("("):
                subject = self.selector()
                self.expect(")")
        flags: set[str] = set()
        by, by_at = "", -1
        when: Condition = ()
        while self.token.kind == "name":
            token = self.token
            seen = token.text in flags or (token.text == "by" and by) or (token.text == "when" and when)
            if seen or (token.text in ("must", "may") and flags & {"must", "may"}):
                raise EffectError(f"'{token.text}' repeats or contradicts an earlier flag", self.text, token.at)
            if token.text in _FLAGS:
                flags.add(token.text)
                self.next += 1
            elif self.word("by"):
                self.expect("=")
                by, by_at = self.token.text, self.token.at
                self.name("a word after by=")
            elif self.word("when"):
                self.expect("(")
                when = self.condition()
                self.expect(")")
            else:
                self.fail("a flag (must, may, forced, by=..., when(...)) or ':'")
        self.expect(":", "':' after the trigger")
        return Head(trigger.text, tuple(events), subject, by, tuple(sorted(flags)), when, at=trigger.at, by_at=by_at)

    def target(self) -> Target | None:
        start = self.token
        register = ""
        if start.kind == "name" and self.ahead().kind == "=":
            register = self.name("a register").text
            self.expect("=")
        elif not self.word("need"):
            return None
        selector = self.selector()
        self.expect(",", "'.' or ',' after the selector")
        return Target(selector, register, at=start.at)

    def block(self) -> Sequence:
        self.expect("{")
        self.deeper()
        sequence = self.sequence()
        self.depth -= 1
        self.expect("}", "';', '->' or '}'")
        return sequence

    def sequence(self) -> Sequence:
        items = [self.item(chained=False)]
        while self.token.kind in (";", "->"):
            chained = self.token.kind == "->"
            self.next += 1
            items.append(self.item(chained))
        return tuple(items)

    def item(self, chained: bool) -> Step | Branch:
        start = self.token
        if self.word("if"):
            condition = self.condition()
            then = self.block()
            otherwise = self.block() if self.word("else") else ()
            return Branch(condition, then, otherwise, chained, at=start.at)
        who = ""
        if self.token.kind == "name" and self.ahead().kind == ":":
            if self.token.text not in WHO:
                self.fail(f"one of {', '.join(WHO)} before ':'")
            who = self.name("who").text
            self.expect(":")
        may, after = self.word("may"), self.word("after")
        verb = self.name("a step such as VERB(...)")
        args = self.arguments(f"'(' after {verb.text}")
        stores = []
        while self.accept(">"):
            register = self.name("a register after '>'")
            part = self.name("a part of the result").text if self.accept(".") else ""
            stores.append(Store(register.text, part, at=register.at))
        guard = self.condition() if self.word("if") else ()
        return Step(verb.text, args, who, may, after, tuple(stores), guard, chained, at=verb.at, who_at=start.at)

    # values
    def arguments(self, expected: str = "'('") -> tuple[Argument, ...]:
        self.expect("(", expected)
        self.deeper()
        args: list[Argument] = []
        while not self.accept(")"):
            if args:
                self.expect(",", "',' or ')'")
            token = self.token
            key = ""
            if token.kind == "name" and self.ahead().kind == "=":
                key = token.text
                self.next += 2
                if any(arg.key == key for arg in args):
                    raise EffectError(f"argument '{key}' is given twice", self.text, token.at)
            args.append(Argument(self.value(), key, at=token.at))
        self.depth -= 1
        return tuple(args)

    def value(self) -> Value:
        if self.token.kind == "@":
            return self.selector()
        value = self.amount("a value")
        if not isinstance(value, Name) or self.token.kind != "|":
            return value
        names = [value.name]
        while self.accept("|"):
            names.append(self.expect("name", "a word after '|'").text)
        return Names(tuple(names), at=value.at)

    def selector(self) -> Selector:
        start = self.expect("@", "a selector '@...'")
        base = self.expect("name", "a name after '@'")
        args = self.arguments() if self.token.kind == "(" else ()
        filters = []
        while self.accept("."):
            filters.append(self.filter())
        if self.token.text == "in":
            raise EffectError("write 'is one of' as attribute=A|B", self.text, self.token.at)
        return Selector(base.text, args, tuple(filters), at=start.at)

    def filter(self) -> Atom | Compare:
        token = self.expect("name", "a filter after '.'")
        op = self.token.text
        if op not in OPERATORS:
            return Atom(token.text, self.arguments() if self.token.kind == "(" else (), at=token.at)
        self.next += 1
        values: list[Amount] = [self.amount(f"a value after '{op}'")]
        while op in ("=", "!=") and self.accept("|"):
            values.append(self.amount("a value after '|'"))
        return Compare(token.text, op, tuple(values), at=token.at)

    def amount(self, expected: str = "an amount") -> Amount:
        start = self.token
        negative = self.accept("-")
        if self.token.kind == "int":
            value = self.integer()
            return Number(-value if negative else value, at=start.at)
        token = self.expect("name", expected)
        term: Name | Call = Name(token.text, at=token.at)
        if self.token.kind == "(":
            term = Call(token.text, self.arguments(), at=token.at)
        plus = 0
        if self.accept("+"):
            plus = self.integer()
        elif self.accept("-"):
            plus = -self.integer()
        return Sum(negative, term, plus, at=start.at) if negative or plus else term

    def condition(self) -> Condition:
        tests = [self.test()]
        while self.accept("&"):
            tests.append(self.test())
        return tuple(tests)

    def test(self) -> Test:
        start = self.token
        negated = self.accept("!")
        left = self.amount("a condition")
        op = self.token.text
        if op in OPERATORS and not negated:
            self.next += 1
            return Test(left, False, op, self.amount(f"an amount after '{op}'"), at=start.at)
        if op in OPERATORS or isinstance(left, Number | Sum):
            self.fail("a comparison without '!'" if negated else "a comparison such as '>= 2'")
        return Test(left, negated, at=start.at)


def parse_line(text: str) -> Line:
    """The syntax tree of one effect line. Raises EffectError; whether its names exist is the compiler's question."""
    return _Parser(text).line()


def parse_value(text: str) -> Value:
    """One argument value standing alone, e.g. the default of a parameter. Raises EffectError."""
    parser = _Parser(text)
    value = parser.value()
    parser.expect("end", "the end of the value")
    return value


# ---------------------------------------------------------------- formatter
def format_line(line: Line) -> str:
    """The canonical text of a line: `parse_line(format_line(line)) == line`."""
    parts = []
    if line.head is not None:
        parts.append(format_head(line.head) + ":")
    for target in line.targets:
        sign = f"{target.register}=" if target.register else "need "
        parts.append(f"{sign}{format_value(target.selector)},")
    if line.pay:
        parts.append(f"pay {{{format_sequence(line.pay)}}}")
    parts.append(format_sequence(line.body))
    return " ".join(parts)


def format_head(head: Head) -> str:
    """The text of a head without its colon."""
    parts = [head.trigger]
    if head.events:
        subject = f"({format_value(head.subject)})" if head.subject is not None else ""
        parts.append("|".join(event.name for event in head.events) + subject)
    if head.by:
        parts.append(f"by={head.by}")
    parts.extend(head.flags)
    if head.when:
        parts.append(f"when({format_condition(head.when)})")
    return " ".join(parts)


def format_sequence(sequence: Sequence) -> str:
    """The text of steps and branches with their separators."""
    text = ""
    for item in sequence:
        separator = " -> " if item.chained else "; "
        text += (separator if text else "") + (_branch(item) if isinstance(item, Branch) else _step(item))
    return text


def _branch(branch: Branch) -> str:
    text = f"if {format_condition(branch.condition)} {{{format_sequence(branch.then)}}}"
    return f"{text} else {{{format_sequence(branch.otherwise)}}}" if branch.otherwise else text


def _step(step: Step) -> str:
    words = [f"{step.who}:"] if step.who else []
    words += ["may"] * step.may + ["after"] * step.after
    stores = "".join(f">{store.register}{'.' if store.part else ''}{store.part}" for store in step.stores)
    words.append(f"{step.verb}({format_arguments(step.args)}){stores}")
    if step.condition:
        words.append(f"if {format_condition(step.condition)}")
    return " ".join(words)


def format_arguments(args: tuple[Argument, ...]) -> str:
    """The text between the parentheses of a call."""
    return ", ".join(f"{arg.key}{'=' if arg.key else ''}{format_value(arg.value)}" for arg in args)


def format_condition(condition: Condition) -> str:
    """The text of a condition."""
    return " & ".join(
        f"{'!' * test.negated}{format_value(test.left)}"
        + (f"{test.op}{format_value(test.right)}" if test.right else "")
        for test in condition
    )


def format_filter(part: Atom | Compare) -> str:
    """The text of one filter of a selector, without its dot."""
    if isinstance(part, Compare):
        return f"{part.attribute}{part.op}{'|'.join(map(format_value, part.values))}"
    return f"{part.name}({format_arguments(part.args)})" if part.args else part.name


def format_value(value: Value) -> str:
    """The text of one value."""
    match value:
        case Number():
            return str(value.value)
        case Name():
            return value.name
        case Names():
            return "|".join(value.names)
        case Call():
            return f"{value.name}({format_arguments(value.args)})"
        case Sum():
            sign = "-" if value.negative else ""
            return f"{sign}{format_value(value.term)}{f'{value.plus:+d}' if value.plus else ''}"
        case Selector():
            args = f"({format_arguments(value.args)})" if value.args else ""
            return f"@{value.base}{args}" + "".join(f".{format_filter(part)}" for part in value.filters)


# ---------------------------------------------------------------- vocabulary
EXTREMES = ("min", "max")
"""Filters every game has: keep what has the smallest / largest value of an attribute, ties kept."""


class Kind(enum.Enum):
    """What a parameter takes."""

    NUMBER = "a number"
    AMOUNT = "an amount"
    SELECTOR = "a selector"
    WORD = "a word"
    WORDS = "words joined by '|'"
    FLAG = "its own name or nothing"
    REGISTER = "a register"


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter. `default` is None if it is required, else text in the notation, or the number pushed as it is.

    `words` names the enumeration of a WORD or WORDS; `bases` restricts the bases of a SELECTOR (empty: any);
    `low` and `high` bound a literal number.
    """

    name: str
    kind: Kind
    default: str | int | None = None
    words: str = ""
    bases: tuple[str, ...] = ()
    low: int = -(10**9)
    high: int = 10**9

    @classmethod
    def number(cls, name: str, default: int | None = None, low: int = -(10**9), high: int = 10**9) -> Param:
        """A literal integer."""
        return cls(name, Kind.NUMBER, default, low=low, high=high)

    @classmethod
    def amount(cls, name: str, default: str | int | None = None, low: int = -(10**9), high: int = 10**9) -> Param:
        """A number, `all`, a number register or an amount of the vocabulary."""
        return cls(name, Kind.AMOUNT, default, low=low, high=high)

    @classmethod
    def selector(cls, name: str, default: str | int | None = None, bases: Iterable[str] = ()) -> Param:
        """A selector; default -1 = none."""
        return cls(name, Kind.SELECTOR, default, bases=tuple(bases))

    @classmethod
    def word(cls, name: str, words: str, default: str | int | None = None) -> Param:
        """One word of the enumeration `words`."""
        return cls(name, Kind.WORD, default, words)

    @classmethod
    def word_set(cls, name: str, words: str, default: str | int | None = None) -> Param:
        """Words of the enumeration `words` (numbers 0..30), compiled to a bit mask."""
        return cls(name, Kind.WORDS, default, words)

    @classmethod
    def flag(cls, name: str) -> Param:
        """1 if the parameter's name stands among the arguments, else 0."""
        return cls(name, Kind.FLAG, 0)

    @classmethod
    def register(cls, name: str, default: str | int | None = None) -> Param:
        """A register itself, not its content."""
        return cls(name, Kind.REGISTER, default)


@dataclass(frozen=True, slots=True)
class Signature:
    """A verb, base, atom, amount or condition: its number and parameters."""

    code: int
    params: tuple[Param, ...] = ()


@dataclass(frozen=True, slots=True)
class Trigger:
    """A head. `events` and `by` name enumerations of words; empty = the head takes none. With `events` the head must
    name at least one (compiled to a bit mask), with `subject` it may add a selector in parentheses."""

    code: int
    events: str = ""
    subject: bool = False
    by: str = ""


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something a selector compares: words of an enumeration, or (no `words`) a number in low..high."""

    code: int
    words: str = ""
    low: int = -(10**9)
    high: int = 10**9


@dataclass(frozen=True, slots=True)
class Pick:
    """A last filter that says how many are taken and who takes them; `amount` = it has one argument."""

    code: int
    amount: bool = False


@dataclass(frozen=True, slots=True)
class Register:
    """A register; `number` = it holds a number and counts as an amount, else a piece, card, seat or place."""

    code: int
    number: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a step's result that can be stored; `number` = only into number registers."""

    code: int
    number: bool = False


PARTS: Mapping[str, Part] = {
    "": Part(0),
    "card": Part(1),
    "face": Part(2),
    "done": Part(3, number=True),
    "pow": Part(4, number=True),
}


_CODED = ("triggers", "verbs", "bases", "atoms", "attributes", "picks", "amounts", "conditions", "registers", "parts")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the names mean in one game. Raises ValueError if the tables contradict each other."""

    game: str
    triggers: Mapping[str, Trigger] = field(default_factory=dict)
    verbs: Mapping[str, Signature] = field(default_factory=dict)
    bases: Mapping[str, Signature] = field(default_factory=dict)
    atoms: Mapping[str, Signature] = field(default_factory=dict)
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    picks: Mapping[str, Pick] = field(default_factory=dict)
    amounts: Mapping[str, Signature] = field(default_factory=dict)
    conditions: Mapping[str, Signature] = field(default_factory=dict)
    registers: Mapping[str, Register] = field(default_factory=dict)
    words: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    who: Mapping[str, int] = field(default_factory=dict)
    parts: Mapping[str, Part] = field(default_factory=lambda: PARTS)

    def __post_init__(self) -> None:
        for table in ("verbs", "bases", "atoms", "amounts", "conditions"):
            for name, signature in getattr(self, table).items():
                self._check_params(f"{table}.{name}", signature.params, inner=table in ("bases", "atoms"))
        for table in _CODED:
            codes = [row.code for row in getattr(self, table).values()]
            if len(set(codes)) < len(codes) or any(code < 0 for code in codes):
                self._refuse(f"{table}: numbers must be distinct and not negative")
        for attribute in self.attributes.values():
            self._check_words("attributes", attribute.words)
        for trigger in self.triggers.values():
            self._check_words("triggers", trigger.by)
            self._check_words("triggers", trigger.events, mask=True)
        for left, right in ((self.bases, self.registers), (self.atoms, self.picks), (self.registers, self.amounts)):
            for name in left.keys() & right.keys():
                self._refuse(f"'{name}' has two meanings in one place")
        filters = self.atoms.keys() | self.picks.keys()
        amounts = self.amounts.keys() | self.registers.keys()
        for name in filters & set(EXTREMES) | amounts & {"all"}:
            self._refuse(f"'{name}' is built in")
        for name in (self.triggers.keys() | self.verbs.keys() | self.registers.keys()) & (RESERVED | set(WHO)):
            self._refuse(f"'{name}' is a word of the notation")
        for name in self.who.keys() - set(WHO):
            self._refuse(f"who must be among {', '.join(WHO)}, not '{name}'")

    def _check_params(self, where: str, params: tuple[Param, ...], inner: bool) -> None:
        required = [param.default is None for param in params]
        if required != sorted(required, reverse=True) or len({param.name for param in params}) < len(params):
            self._refuse(f"{where}: required parameters come first, names are distinct")
        flags = {param.name for param in params if param.kind is Kind.FLAG}
        for param in params:
            if inner and param.kind is Kind.AMOUNT:
                self._refuse(f"{where}: inside a selector a parameter is a NUMBER, not an AMOUNT")
            self._check_words(where, param.words, mask=param.kind is Kind.WORDS)
            if flags & self.words.get(param.words, {}).keys():
                self._refuse(f"{where}: a flag has the name of a word of '{param.words}'")

    def _check_words(self, where: str, words: str, mask: bool = False) -> None:
        if words and words not in self.words:
            self._refuse(f"{where}: there is no enumeration '{words}'")
        numbers = self.words[words].values() if words else ()
        if mask and not all(0 <= number <= 30 for number in numbers):
            self._refuse(f"{where}: words of the set '{words}' must have numbers 0..30")

    def _refuse(self, problem: str) -> NoReturn:
        raise ValueError(f"vocabulary of {self.game}: {problem}")

    def with_words(self, **words: Mapping[str, int]) -> Vocabulary:
        """The same vocabulary with enumerations replaced or added, e.g. the card names a pack defines."""
        return replace(self, words={**self.words, **words})
