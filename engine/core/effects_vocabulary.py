"""What a game adds to the effect notation: the names it has, their numbers and parameters."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NoReturn

from seatmate.engine.core.effects import RESERVED, WHO

EXTREMES = ("min", "max")
"""Filters every game has: keep what has the smallest / largest value of an attribute, ties kept."""


def numbers(header: object, prefix: str) -> dict[str, int]:
    """The words of a game's vocabulary.pxd with this prefix and their numbers, in ascending order."""
    found = {name.removeprefix(prefix): number for name, number in vars(header).items() if name.startswith(prefix)}
    return dict(sorted(found.items(), key=lambda item: item[1]))


def small(header: object, prefix: str) -> dict[str, int]:
    """Likewise, in small letters."""
    return {name.lower(): number for name, number in numbers(header, prefix).items()}


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
    """A verb, base, atom, amount or condition: its number and parameters, and what it means in one line for authors of packs."""

    code: int
    params: tuple[Param, ...] = ()
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Trigger:
    """A head. `events` and `by` name enumerations of words; empty = the head takes none. With `events` the head must
    name at least one (compiled to a bit mask), with `subject` it may add a selector in parentheses."""

    code: int
    events: str = ""
    subject: bool = False
    by: str = ""
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something a selector compares: words of an enumeration, or (no `words`) a number in low..high."""

    code: int
    words: str = ""
    low: int = -(10**9)
    high: int = 10**9
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Pick:
    """A last filter that says how many are taken and who takes them; `amount` = it has one argument."""

    code: int
    amount: bool = False
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Register:
    """A register; `number` = it holds a number and counts as an amount, else a piece, card, seat or place."""

    code: int
    number: bool = False
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a step's result that can be stored; `number` = only into number registers."""

    code: int
    number: bool = False
    doc: str = ""


_CODED = ("triggers", "verbs", "bases", "atoms", "attributes", "picks", "amounts", "conditions", "registers", "parts")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the names mean in one game. Raises ValueError if the tables contradict each other.

    `word_docs` says what words of enumerations mean; "" is the enumeration itself.
    """

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
    parts: Mapping[str, Part] = field(default_factory=dict)
    word_docs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

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

    def glossary(self) -> dict[str, list[tuple[str, str]]]:
        """Everything an author of a pack can write, by kind: its form and what it means in one line."""
        found = {
            "Triggers": [(_form_of_trigger(name, trigger), trigger.doc) for name, trigger in self.triggers.items()],
            "Verbs": [(_form(name, verb.params, verb=True), verb.doc) for name, verb in self.verbs.items()],
            "Selectors": [(f"@{_form(name, base.params)}", base.doc) for name, base in self.bases.items()],
            "Filters": [(f".{_form(name, atom.params)}", atom.doc) for name, atom in self.atoms.items()],
            "Attributes": [(f".{name}={known.words or 'number'}", known.doc) for name, known in self.attributes.items()],
            "Picks": [(f".{name}{'(amount)' if pick.amount else ''}", pick.doc) for name, pick in self.picks.items()],
            "Amounts": [(_form(name, amount.params), amount.doc) for name, amount in self.amounts.items()],
            "Conditions": [(_form(name, condition.params), condition.doc) for name, condition in self.conditions.items()],
            "Registers": [(name, register.doc) for name, register in self.registers.items()],
            "Parts": [(f">{'A.' + name if name else 'A'}", part.doc) for name, part in self.parts.items()],
        }
        for name, words in self.words.items():
            docs = self.word_docs.get(name, {})
            found[f"Words: {name}"] = [(name, docs.get("", "")), *((word, docs.get(word, "")) for word in words)]
        return {kind: rows for kind, rows in found.items() if rows}

    def with_words(self, **words: Mapping[str, int]) -> Vocabulary:
        """The same vocabulary with enumerations replaced or added, e.g. the card names a pack defines."""
        return replace(self, words={**self.words, **words})


def _form(name: str, params: tuple[Param, ...], verb: bool = False) -> str:
    """How a name is written with its parameters: `PLAY(zones:zone, [cards], mod=0)`; `zones:zone` takes words of `zone`."""
    said = []
    for param in params:
        text = param.name if param.words in ("", param.name) else f"{param.name}:{param.words}"
        optional = param.kind is Kind.FLAG or param.default == -1
        said.append(f"[{text}]" if optional else text if param.default is None else f"{text}={param.default}")
    return f"{name}({', '.join(said)})" if said or verb else name


def _form_of_trigger(name: str, trigger: Trigger) -> str:
    """`on EVENT(@unit) by=cause:`."""
    more = f" {trigger.events}{'(@...)' if trigger.subject else ''}" if trigger.events else ""
    return f"{name}{more}{f' [by={trigger.by}]' if trigger.by else ''}:"
