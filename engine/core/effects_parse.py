"""The parser of the effect notation: from the text of a line to its syntax tree (grammar: `effects.py`)."""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from seatmate.engine.core.effects import (
    OPERATORS,
    RESERVED,
    WHO,
    Amount,
    Argument,
    Atom,
    Branch,
    Call,
    Compare,
    Condition,
    EffectError,
    Head,
    Line,
    Name,
    Names,
    Number,
    Selector,
    Sequence,
    Step,
    Store,
    Sum,
    Target,
    Test,
    Value,
)

MAX_DEPTH = 12
MAX_DIGITS = 9
_FLAGS = ("must", "may")


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
                self.fail("a flag (must, may, by=..., when(...)) or ':'")
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
