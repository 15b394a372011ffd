"""The effect notation all games share: its grammar, the syntax tree of a line, and the text of a value.

An effect is one line of text in a content pack. The shape is the same for all games; what the names mean is a game's
`Vocabulary` (`effects_vocabulary.py`):

    line  := [head ":"] {REG "=" sel "," | "need" sel ","} ["pay" "{" seq "}"] seq
    head  := NAME [EVENT {"|" EVENT} ["(" sel ")"]] {flag}
    flag  := "must" | "may" | "by" "=" WORD | "when" "(" cond ")"
    seq   := item {(";" | "->") item}          ";" regardless, "->" only if the last step executed did something
    item  := step | "if" cond "{" seq "}" ["else" "{" seq "}"]
    step  := [who ":"] ["may"] ["after"] VERB "(" args ")" {">" REG ["." PART]} ["if" cond]
    who   := "own" | "opp" | "both"
    args  := [arg {"," arg}]       arg := [KEY "="] value      positional ones first
    value := sel | amount | WORD {"|" WORD}
    sel   := "@" NAME ["(" args ")"] {"." filter}      filter := NAME ["(" args ")"] | NAME op alt
    alt   := amount {"|" (INT | WORD)}                 op := "=" | "!=" | "<" | "<=" | ">" | ">="
    amount:= ["-"] INT | ["-"] NAME ["(" args ")"] [("+" | "-") INT]
    cond  := test {"&" test}       test := ["!"] NAME ["(" args ")"] | amount op amount

"=" with several alternatives means "one of them", "!=" with several "none of them". A pick (`one`, `n(2)`, ...) is
the last filter of a selector. In a place for a selector a bare NAME stands for "@NAME".
`docs/effects.md` explains the notation to pack authors. `effects_parse.py` reads it, `effects_compile.py` compiles it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from seatmate.engine.core.errors import PackError

WHO = ("own", "opp", "both")
"""The words that may stand before a step's colon; a game allows some of them, and no trigger has such a name."""

RESERVED = frozenset({"if", "else", "may", "after", "need", "pay", "must", "when", "by"})
"""Words of the notation itself; no trigger, verb or register has such a name."""

OPERATORS = ("=", "!=", "<", "<=", ">", ">=")
"""Comparison operators; the position in this tuple is the operator's number in a compiled program."""


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
    """When a line runs. `flags` is a sorted subset of must, may; `by` is empty if not given."""

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


# ---------------------------------------------------------------- text of a value
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
