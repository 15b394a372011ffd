"""Rows that say what a world state is made of: from one row follow the value in an observation, its range, and the way back.

A game lists its struct once, with the compiler's own offsets:

    FIELDS = Fields((
        Field("round", at(&days.round), sizeof(days.round), most=50),
        Field("tokens", at(&days.tokens), sizeof(days.tokens), shape=(4, 4), per_seat=True, most=15),
        Field("hands", at(&days.hand), sizeof(days.hand), kind="cards", per_seat=True, sees="own"),
    ), sizeof(Days))

*Raw* values are numbers, nested lists of them, and sets of numbers (`kind="cards"`: a CardSet); they are what a View folds its
events into. *Shown* values are what an observation has: words, ids and None in their place, and nothing of what the observer may
not see. `show` and `parse` lead from one to the other, `read` and `write` from and to the bytes of a state.
"""
from __future__ import annotations

import marshal
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import prod
from operator import itemgetter
from typing import Any, Literal

from seatmate.engine.core.view_checks import need, whole

_Shower = Callable[[Any, Sequence[str]], Any]
"""A raw value and the names of cards to what is shown."""

NOBODY = -1
"""An observer that is no seat, for what everybody sees."""

LETTERS = {1: "B", 2: "H", 4: "I", 8: "Q"}
"""Of the struct module, by width in bytes."""


@dataclass(frozen=True, slots=True)
class Field:
    """A part of the struct.

    offset, size: bytes · kind: of its numbers ("signed", "flag": a bool, "mask": bits as a list, "cards": the bits as a set)
    · shape: () is one value · per_seat: the first dimension counts seats · bit: of a byte that holds several flags
    · least, most: of a number · none: the number that is shown as None · words: what numbers are called, or the name of that list
    (`Fields.named`) · sees: "own" the observer's own entry only, "nobody" only who sees everything · group: it is shown within
    · parts: rows of a struct, `size` bytes in all, as many of them as the row `count` says, or the whole array.
    """

    name: str
    offset: int
    size: int
    kind: Literal["number", "signed", "flag", "mask", "cards"] = "number"
    shape: tuple[int, ...] = ()
    per_seat: bool = False
    least: int = 0
    most: int = 255
    none: int | None = None
    words: Sequence[str] = ()
    bit: int | None = None
    group: str = ""
    sees: Literal["all", "own", "nobody"] = "all"
    parts: tuple[Field, ...] = ()
    count: str = ""

    @property
    def width(self) -> int:
        """Bytes of one number."""
        return self.size // prod(self.shape)

    def raw(self, numbers: Sequence[Any]) -> Any:
        """The raw value of the numbers that stand in the bytes; a wide one is bytes itself."""
        values: list[Any] = list(numbers) if self.kind != "cards" else [
            set(_bits(number if isinstance(number, int) else int.from_bytes(number, "little"))) for number in numbers]
        if len(self.shape) == 2:
            values = [values[row:row + self.shape[1]] for row in range(0, len(values), self.shape[1])]
        return values if self.shape else values[0]

    def write(self, data: bytearray, raw: Any) -> None:
        """Put a raw value into the bytes."""
        width = self.width
        if self.bit is not None:
            data[self.offset] |= raw << self.bit
            return
        values = [raw] if not self.shape else [value for row in raw for value in row] if len(self.shape) == 2 else raw
        for place, value in enumerate(values):
            if value:               # the bytes are 0 before
                number = sum(1 << bit for bit in value) if self.kind == "cards" else int(value)
                data[self.offset + place * width:self.offset + (place + 1) * width] = number.to_bytes(
                    width, "little", signed=self.kind == "signed")

    def shower(self) -> _Shower:
        """What shows one number or set."""
        words, none = self.words, self.none
        if self.kind == "cards":
            return lambda value, ids: [(words or ids)[card] for card in sorted(value)] if words or ids else sorted(value)
        if self.kind == "mask":
            return lambda value, ids: list(_bits(value))
        if self.kind == "flag":
            return lambda value, ids: None if value == none else bool(value)
        if not words:
            return lambda value, ids: None if value == none else value
        if none is None:
            return lambda value, ids: words[value]
        return lambda value, ids: None if value == none else words[value]

    def parse_one(self, shown: Any, ids: Mapping[str, int]) -> Any:
        """The way back. Raises ValueError for what cannot be."""
        if self.kind == "cards":
            need(isinstance(shown, list | tuple), self.name)
            names: Any = {word: number for number, word in enumerate(self.words)} or ids or range(8 * self.width)
            need(all(card in names for card in shown) and len(set(shown)) == len(shown), self.name)
            return {names[card] for card in shown}
        if self.kind == "mask":
            need(isinstance(shown, list | tuple) and len(set(shown)) == len(shown), self.name)
            return sum(1 << whole(bit, 0, 7, self.name) for bit in shown)
        if shown is None and self.none is not None:
            return self.none
        if self.words:
            need(shown in self.words, f"{self.name} is {shown!r}")
            return self.words.index(shown)
        if self.kind == "flag":
            need(isinstance(shown, bool), f"{self.name} is {shown!r}")
            return int(shown)
        return whole(shown, self.least, self.most, self.name)


class Reader:
    """Raw values out of the bytes of a struct, all at once."""

    def __init__(self, rows: Iterable[Field], size: int) -> None:
        self.size = size
        rows = sorted(rows, key=lambda row: row.offset)
        code, end, count = "<", 0, 0
        first: dict[int, int] = {}
        for row in rows:
            if row.offset not in first:     # several flags are in one byte
                letter = LETTERS.get(row.width, f"{row.width}s")
                code += f"{row.offset - end}x" + prod(row.shape) * (letter.lower() if row.kind == "signed" else letter)
                first[row.offset], end, count = count, row.offset + row.size, count + prod(row.shape)
        self._unpack = struct.Struct(f"{code}{size - end}x").unpack_from
        single = [row for row in rows if not row.shape and row.bit is None and row.kind != "cards"]
        places = [first[row.offset] for row in single]
        together = slice(places[0], places[-1] + 1) if places else slice(0)
        self._names = [row.name for row in single]
        self._single = itemgetter(together) if together.stop - (together.start or 0) == len(places) else itemgetter(*places)
        self._flags = [(row.name, first[row.offset], row.bit) for row in rows if row.bit is not None]
        self._others = [(row.name, itemgetter(slice(first[row.offset], first[row.offset] + prod(row.shape))),
                         list if row.kind != "cards" and len(row.shape) == 1 else row.raw)
                        for row in rows if row not in single and row.bit is None]

    def read(self, data: bytes, offset: int = 0) -> dict[str, Any]:
        """By the names of the rows."""
        numbers = self._unpack(data, offset)
        raw: dict[str, Any] = dict(zip(self._names, self._single(numbers), strict=True))
        for name, place, bit in self._flags:
            raw[name] = numbers[place] >> bit & 1
        for name, some, value in self._others:
            raw[name] = value(some(numbers))
        return raw


class Fields:
    """All rows of a struct of `size` bytes. `ids`: what the cards of sets are called."""

    def __init__(self, rows: Iterable[Field], size: int) -> None:
        self.rows = {row.name: row for row in rows}
        self.size = size

    def named(self, names: object) -> Fields:
        """The rows with the lists of a pack's names."""
        def of(row: Field) -> Field:
            words = getattr(names, row.words) if isinstance(row.words, str) else row.words
            return replace(row, words=words, parts=tuple(map(of, row.parts)))
        return Fields(map(of, self.rows.values()), self.size)

    def gaps(self) -> list[range]:
        """Bytes that belong to no row, or to two: padding, or something forgotten."""
        found = []
        end = 0
        flags = {(row.offset, row.size) for row in self.rows.values() if row.bit is not None}
        for offset, size in sorted([*flags, *((row.offset, row.size) for row in self.rows.values() if row.bit is None)]):
            if offset != end:
                found.append(range(min(end, offset), max(end, offset)))
            end = offset + size
        return [*found, range(end, self.size)] if end != self.size else found

    def read(self, data: bytes) -> dict[str, Any]:
        """All raw values."""
        raw = self._reader.read(data)
        for row, reader in self._parts:
            many = raw[row.count] if row.count else row.shape[0]
            raw[row.name] = [reader.read(data, row.offset + reader.size * number) for number in range(many)]
        return raw

    @cached_property
    def _reader(self) -> Reader:
        return Reader((row for row in self.rows.values() if not row.parts), self.size)

    @cached_property
    def _parts(self) -> list[tuple[Field, Reader]]:
        return [(row, Reader(row.parts, row.size // row.shape[0])) for row in self.rows.values() if row.parts]

    def read_words(self, words: Iterable[int]) -> dict[str, Any]:
        """All raw values of a struct that an event tells as 32-bit integers."""
        return self.read(b"".join((word & 0xFFFFFFFF).to_bytes(4, "little") for word in words))

    def write(self, raw: Mapping[str, Any]) -> bytes:
        """The bytes of a struct."""
        data = bytearray(self.size)
        for row in self.rows.values():
            if not row.parts:
                row.write(data, raw[row.name])
                continue
            each = row.size // row.shape[0]
            for number, values in enumerate(raw[row.name]):
                one = bytearray(each)
                for part in row.parts:
                    part.write(one, values[part.name])
                data[row.offset + each * number:row.offset + each * (number + 1)] = one
        return bytes(data)

    def show(self, raw: Mapping[str, Any], observer: int | None, seats: int, ids: Sequence[str] = ()) -> dict[str, Any]:
        """What the observer sees of the raw values (None: everything)."""
        shown: dict[str, Any] = {}
        for row, show, names, parts in self._showers:
            if row.sees == "nobody" and observer is not None:
                continue
            value = raw[row.name]
            within = shown.setdefault(row.group, {}) if row.group else shown
            if names:
                within[row.name] = many = [dict(zip(names, map(one.__getitem__, names), strict=True)) for one in value]
                for one in many:
                    for name, part in parts:
                        one[name] = part(one[name], ids)
                continue
            value = value[:seats] if row.per_seat else value
            within[row.name] = value if show is None else show(value, ids)
            if row.sees == "own" and observer is not None:
                within[row.name] = [one if seat == observer else None for seat, one in enumerate(within[row.name])]
        return shown

    @cached_property
    def _showers(self) -> list[tuple[Field, _Shower | None, list[str], list[tuple[str, _Shower]]]]:
        """Each row, how it is shown, the names of its parts, and how those are shown that are not shown as they are."""
        return [(row, _shower(row), [part.name for part in row.parts],
                 [(part.name, show) for part in row.parts if (show := _shower(part)) is not None]) for row in self.rows.values()]

    def parse(self, shown: Mapping[str, Any], blank: Mapping[str, Any], seats: int, ids: Sequence[str] = ()) -> dict[str, Any]:
        """Raw values of what was shown; what was not comes from `blank`. Raises ValueError."""
        numbers = {name: number for number, name in enumerate(ids)}
        raw: dict[str, Any] = {}
        for row in self.rows.values():
            within = shown[row.group] if row.group else shown
            if row.name not in within:
                raw[row.name] = blank[row.name]
                continue
            value = within[row.name]
            if row.parts:
                need(isinstance(value, list | tuple) and len(value) <= row.shape[0], row.name)
                raw[row.name] = [{part.name: _parse(part, one[part.name], part.shape, None, numbers) for part in row.parts}
                                 for one in value]
                if not row.count:
                    raw[row.name] += blank[row.name][len(value):]
            else:
                shape = (seats, *row.shape[1:]) if row.per_seat else row.shape
                raw[row.name] = _parse(row, value, shape, blank[row.name], numbers)
                if row.per_seat:
                    raw[row.name] += blank[row.name][seats:]
        return raw


class Public:
    """What everybody sees of a struct, made once for all observers of a position."""

    def __init__(self, fields: Fields, seats: int, ids: Sequence[str] = ()) -> None:
        def made(data: bytes) -> tuple[dict[str, Any], bytes]:
            raw = fields.read(data)
            return raw, marshal.dumps(fields.show(raw, NOBODY, seats, ids))

        self._made = lru_cache(maxsize=64)(made)

    def of(self, data: bytes) -> tuple[Mapping[str, Any], dict[str, Any]]:
        """The raw values, which are kept (look, don't touch), and what is shown of them, new for each who asks."""
        raw, shown = self._made(data)
        return raw, marshal.loads(shown)


def bits(number: int) -> set[int]:
    """The bits that are set."""
    return set(_bits(number))


@lru_cache(maxsize=1 << 14)     # a position shows the same hands and piles as the last one, but for a few
def _bits(number: int) -> tuple[int, ...]:
    return tuple(bit for bit in range(number.bit_length()) if number >> bit & 1)


def _shower(row: Field) -> _Shower | None:
    """How a raw value of the row is shown; None: as it is."""
    if row.none is None and not row.words and row.kind in ("number", "signed"):
        return None
    one = row.shower()
    for _ in row.shape:
        one = _each(one)
    return one


def _each(one: _Shower) -> _Shower:
    return lambda values, ids: [one(value, ids) for value in values]


def _parse(row: Field, shown: Any, shape: tuple[int, ...], blank: Any, numbers: Mapping[str, int]) -> Any:
    if not shape:
        return row.parse_one(shown, numbers)
    need(isinstance(shown, list | tuple) and len(shown) == shape[0], row.name)
    return [blank[place] if one is None and row.sees == "own" else _parse(row, one, shape[1:], None, numbers)
            for place, one in enumerate(shown)]
