"""What a game adds to the effect notation: the names it has, their numbers and parameters."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NoReturn

from seatmate.engine.core.effects import RESERVED, WHO

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
