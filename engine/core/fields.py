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

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Literal

from seatmate.engine.core.view_checks import need, whole


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

    def read(self, data: bytes) -> Any:
        """The raw value in the bytes of a struct."""
        width, signed = self.width, self.kind == "signed"
        part = data[self.offset:self.offset + self.size]
        numbers = list(part) if width == 1 and not signed else [
            int.from_bytes(part[at:at + width], "little", signed=signed) for at in range(0, self.size, width)]
        if self.bit is not None:
            return numbers[0] >> self.bit & 1
        values: list[Any] = [bits(number) for number in numbers] if self.kind == "cards" else numbers
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

    def show_one(self, value: Any, ids: Sequence[str]) -> Any:
        """One number or set as it is shown."""
        if self.kind == "cards":
            names = self.words or ids
            return [names[card] for card in sorted(value)] if names else sorted(value)
        if self.kind == "mask":
            return sorted(bits(value))
        if self.none is not None and value == self.none:
            return None
        return bool(value) if self.kind == "flag" else self.words[value] if self.words else value

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
        raw = {row.name: row.read(data) for row in self.rows.values() if not row.parts}
        for row in self.rows.values():
            if row.parts:
                each = row.size // row.shape[0]
                starts = [row.offset + each * number for number in range(raw[row.count] if row.count else row.shape[0])]
                raw[row.name] = [{part.name: part.read(data[start:start + each]) for part in row.parts} for start in starts]
        return raw

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
        for row in self.rows.values():
            if row.sees == "nobody" and observer is not None:
                continue
            value = raw[row.name]
            within = shown.setdefault(row.group, {}) if row.group else shown
            if row.parts:
                within[row.name] = [{part.name: _show(part, one[part.name], ids) for part in row.parts} for one in value]
                continue
            value = value[:seats] if row.per_seat else value
            within[row.name] = _show(row, value, ids)
            if row.sees == "own" and observer is not None:
                within[row.name] = [one if seat == observer else None for seat, one in enumerate(within[row.name])]
        return shown

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


def bits(number: int) -> set[int]:
    """The bits that are set."""
    return {bit for bit in range(number.bit_length()) if number >> bit & 1}


def _show(row: Field, value: Any, ids: Sequence[str]) -> Any:
    if row.none is None and not row.words and row.kind in ("number", "signed"):
        return value
    return [_show(row, one, ids) for one in value] if isinstance(value, list) else row.show_one(value, ids)


def _parse(row: Field, shown: Any, shape: tuple[int, ...], blank: Any, numbers: Mapping[str, int]) -> Any:
    if not shape:
        return row.parse_one(shown, numbers)
    need(isinstance(shown, list | tuple) and len(shown) == shape[0], row.name)
    return [blank[place] if one is None and row.sees == "own" else _parse(row, one, shape[1:], None, numbers)
            for place, one in enumerate(shown)]
