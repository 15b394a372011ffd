"""The text of content packs: reading a TOML file, where in it a value stands, and packs that extend another.

`tomllib` says what is in a file but not where. `PackFile.place` finds the line and column of a value by its path; it scans the text
again, and only when an error is to be told. `Extended` lays one pack over another and knows of every value which file it is from.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, Protocol, TypeGuard

from seatmate.engine.core.errors import PackError, suggest

FieldPath = tuple[str | int, ...]
"""Names of tables and fields, and positions (from 0) in arrays: `("place", 2, "effects", 0)`."""

MAX_BYTES = 4_000_000
MAX_BASES = 8
ORIGIN_FIELDS = ("source", "source_note", "address")
"""What a row says about itself alone: a changed row does not keep these of the row it changes."""


# ---------------------------------------------------------------- where things stand
@dataclass(slots=True)
class Spot:
    """Where a key and its value begin (offsets in the text), and what lies below."""

    key: int = 0
    value: int = 0
    below: dict[str | int, Spot] = field(default_factory=dict)


_BLANK = re.compile(r"[ \t]*")
_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|[A-Za-z0-9_-]+')
_TEXT = re.compile(r'"""(?:\\.|[^\\])*?""""{0,2}|\'\'\'.*?\'\'\'\'{0,2}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL)
_OTHER = re.compile(r"[^,\]}#\n]*")


class _Scanner:
    """Finds every key and value of a text that is known to be TOML."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.root = Spot()

    def skip(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self.text, self.at)
        assert match is not None, "the text is TOML"
        self.at = match.end()
        return match.start()

    def here(self, char: str) -> bool:
        """Whether `char` comes next; it is passed."""
        self.skip(_SPACE)
        found = self.text.startswith(char, self.at)
        self.at += len(char) * found
        return found

    def scan(self) -> Spot:
        table = self.root
        while not (self.skip(_SPACE) < 0 or self.at >= len(self.text)):
            start = self.at
            if self.here("[["):
                rows = self.descend(self.root, self.names("]]"), start)
                table = rows.below[len(rows.below)] = Spot(start, start)
            elif self.here("["):
                table = self.last(self.descend(self.root, self.names("]"), start))
            else:
                self.pair(table)
        return self.root

    def names(self, end: str) -> list[str]:
        """A dotted key and the sign behind it."""
        found = []
        while True:
            self.skip(_BLANK)
            start = self.skip(_KEY)
            name = self.text[start:self.at]
            found.append(tomllib.loads(f"x = {name}")["x"] if name[0] in "\"'" else name)
            self.skip(_BLANK)
            if self.text[self.at] != ".":
                self.at += len(end)
                return found
            self.at += 1

    @staticmethod
    def last(spot: Spot) -> Spot:
        """The row that a header speaks of: the last one, if there are rows."""
        return spot.below[len(spot.below) - 1] if 0 in spot.below else spot

    def descend(self, spot: Spot, names: Sequence[str], start: int) -> Spot:
        for name in names:
            spot = self.last(spot).below.setdefault(name, Spot(start, start))
        return spot

    def pair(self, table: Spot) -> None:
        start = self.at
        names = self.names("=")
        spot = self.descend(table, names[:-1], start)
        self.skip(_BLANK)
        spot.below[names[-1]] = self.value(start)

    def value(self, key: int) -> Spot:
        spot = Spot(key, self.at)
        if self.text[self.at] in "\"'":
            self.skip(_TEXT)
        elif self.here("["):
            while not self.here("]"):
                spot.below[len(spot.below)] = self.value(self.at)
                self.here(",")
        elif self.here("{"):
            while not self.here("}"):
                self.pair(spot)
                self.here(",")
        else:
            self.skip(_OTHER)
        return spot


# ---------------------------------------------------------------- files
class PackText(Protocol):
    """The data of a pack with the place of each value."""

    @property
    def data(self) -> dict[str, Any]:
        """What the file says, as TOML types."""

    @property
    def file(self) -> Path:
        """The file that was asked for."""

    def owner(self, path: FieldPath) -> tuple[PackFile, FieldPath]:
        """The file a value is from, and its path there."""


@dataclass
class PackFile:
    """One file, read and parsed."""

    file: Path
    text: str
    data: dict[str, Any]

    def owner(self, path: FieldPath) -> tuple[PackFile, FieldPath]:
        """This file."""
        return self, path

    @functools.cached_property
    def spots(self) -> Spot:
        """Where everything stands."""
        return _Scanner(self.text).scan()

    def place(self, path: FieldPath, *, key: bool = False, column: int = 0) -> str:
        """`FILE:LINE:COLUMN` of a value, or of its key; of the nearest table around it, if it is not there.

        column: counted from 0 in a text that stands there.
        """
        spot, value = self.spots, self.data
        for part in path:
            if part not in spot.below:
                key = False
                break
            spot, value = spot.below[part], value[part]  # type: ignore[index]
        at = spot.key if key else spot.value
        if isinstance(value, str) and column:
            for quotes in (1, 3):
                if self.text.startswith(value, at + quotes):
                    at += quotes + column
                    break
        return self.position(at)

    def position(self, at: int) -> str:
        """`FILE:LINE:COLUMN` of an offset in the text."""
        line = self.text.count("\n", 0, at) + 1
        return f"{self.file}:{line}:{at - self.text.rfind(chr(10), 0, at)}"

    def fail(self, problem: str, path: FieldPath = (), *, key: bool = False) -> NoReturn:
        """Raise a PackError that names a place."""
        raise PackError(f"{self.place(path, key=key)}: {problem}")


def read_file(file: Path) -> PackFile:
    """Read and parse one file. Raises PackError."""
    text = _read(file)
    try:
        return PackFile(file, text, tomllib.loads(text))
    except RecursionError:
        lines = text.splitlines()
        deepest = max(range(len(lines)), key=lambda number: sum(map(lines[number].count, "[{.")))
        raise PackError(f"{file}:{deepest + 1}:1: is nested too deep") from None
    except ValueError as error:
        raise PackError(_syntax_error(file, text, str(error))) from None


def _syntax_error(file: Path, text: str, problem: str) -> str:
    """What `tomllib` says, with the line."""
    lines = text.splitlines() or [""]
    found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", problem, re.DOTALL)
    if found is None:           # an integer of thousands of digits: Python refuses it and says no place
        line, column = max(range(len(lines)), key=lambda number: len(lines[number])) + 1, 1
        problem = "a number of thousands of digits"
    else:
        problem = found[1]
        line, column = (int(found[2]), int(found[3])) if found[2] else (len(lines), len(lines[-1]) + 1)
    source = lines[line - 1][:120] if line <= len(lines) else ""
    return f"{file}:{line}:{column}: not valid TOML: {problem}\n    {source}"


def _read(file: Path) -> str:
    try:
        if not file.is_file():
            what = "is not a file but a directory" if file.is_dir() else "is not a file"
            raise PackError(f"{file}: {what if file.exists() else 'there is no such file'}")
        with file.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise PackError(f"{file}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(raw) > MAX_BYTES:
        raise PackError(f"{file}: is larger than {MAX_BYTES} bytes")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = len(raw[raw.rfind(b"\n", 0, error.start) + 1:error.start].decode("utf-8", "replace")) + 1
        raise PackError(f"{file}:{line}:{column}: is not UTF-8 text; save the file as UTF-8") from None


# ---------------------------------------------------------------- packs that extend another
@dataclass(frozen=True, slots=True)
class Changes:
    """What a pack changes in the one it extends: rows and tables by their names, e.g. `character KS-009`."""

    base: str
    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass
class Extended:
    """A pack laid over another. `origins` says of a path of the result which file it is from, and which path there."""

    top: PackFile
    base: PackText
    data: dict[str, Any] = field(default_factory=dict)
    origins: dict[FieldPath, tuple[PackText, FieldPath]] = field(default_factory=dict)
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        wanted = self._removals()
        for name, below in self.base.data.items():
            self.origins[name,] = (self.base, (name,))
            self.data[name] = self._rows(name, below, wanted.pop(name, [])) if is_rows(below) else below
        for name in wanted:
            tables = [table for table, rows in self.base.data.items() if is_rows(rows)]
            problem = f"[remove]: there is no [[{name}]] to remove rows from{suggest(name, tables)}"
            self.top.fail(problem, ("remove", name), key=True)
        for name, over in self.top.data.items():
            self._lay(name, over)

    @property
    def file(self) -> Path:
        """The file that was asked for."""
        return self.top.file

    @property
    def changes(self) -> Changes:
        """What it changes."""
        return Changes(str(self.base.data["pack"].get("name")), tuple(self.added), tuple(self.changed), tuple(self.removed))

    def owner(self, path: FieldPath) -> tuple[PackFile, FieldPath]:
        """The file a value is from, and its path there."""
        for cut in range(len(path), 0, -1):
            if path[:cut] in self.origins:
                source, start = self.origins[path[:cut]]
                return source.owner(start + path[cut:])
        return self.top.owner(path)

    def _removals(self) -> dict[str, list[str]]:
        """Per table the rows to remove."""
        wanted = self.top.data.get("remove", {})
        if not isinstance(wanted, dict):
            self.top.fail('[remove] is a table: a line such as character = ["KS-009"] for each table', ("remove",))
        for name, keys in wanted.items():
            if not isinstance(keys, list) or not all(isinstance(key, str | int) for key in keys):
                self.top.fail(f"[remove]: {name} must be an array of the keys of rows", ("remove", name))
        return dict(wanted)

    def _rows(self, name: str, rows: list[dict[str, Any]], removed: list[str]) -> list[dict[str, Any]]:
        """The rows of a table without those removed; new ones take the places of those removed, and follow at the end."""
        identity = identity_of(rows)
        known = [row.get(identity) for row in rows]
        for index, key in enumerate(removed):
            if set(known) == {None}:
                self.top.fail(f"[remove]: the rows of [[{name}]] have no id, so an extension can't change or remove them; "
                              "copy the whole pack instead", ("remove", name, index))
            if key not in known:
                problem = f"[remove]: there is no [[{name}]] {key!r}{suggest(str(key), map(str, known))}"
                self.top.fail(problem, ("remove", name, index))
            self.removed.append(f"{name} {key}")
        over = self.top.data.get(name)
        new: list[int] = []
        laid: dict[object, int] = {}
        for index, row in enumerate(over if is_rows(over) else []):
            own = row.get(identity) if isinstance(row.get(identity), str | int) else None
            if own in laid and own is not None:
                self.top.fail(f"[[{name}]] {own!r} stands here twice", (name, index))
            laid[own] = index
            if own is None or own in removed or own not in known:
                new.append(index)
                self.added.append(f"{name} {own}")
        result: list[dict[str, Any]] = []
        for index, row in enumerate(rows):
            path = (name, len(result))
            if row.get(identity) in removed:
                if new:
                    result.append(self._own(path, new.pop(0)))
            elif known[index] in list(laid):
                self.changed.append(f"{name} {row.get(identity)}")
                result.append(self._overlay(path, row, (name, index), (name, laid[row.get(identity)])))
            else:
                self.origins[path] = (self.base, (name, index))
                result.append(row)
        for index in new:
            result.append(self._own((name, len(result)), index))
        return result

    def _own(self, path: FieldPath, index: int) -> dict[str, Any]:
        self.origins[path] = (self.top, (path[0], index))
        row: dict[str, Any] = self.top.data[str(path[0])][index]
        return row

    def _overlay(self, path: FieldPath, row: Mapping[str, Any], old: FieldPath, new: FieldPath) -> dict[str, Any]:
        """A row or table with the fields of the extension; those it does not give stay as they are."""
        over: Any = self.top.data
        for part in new:
            over = over[part]
        self.origins[path] = (self.top, new)
        kept = {name: value for name, value in row.items() if name not in over and name not in ORIGIN_FIELDS}
        for name in kept:
            self.origins[*path, name] = (self.base, (*old, name))
        return {**kept, **over}

    def _lay(self, name: str, over: Any) -> None:
        """A top-level table of the extension; rows are already laid over rows."""
        if name == "remove" or (is_rows(over) and is_rows(self.base.data.get(name))):
            return
        below = self.base.data.get(name)
        if name != "pack" and isinstance(over, dict) and isinstance(below, dict):
            self.changed.append(name)
            self.data[name] = self._overlay((name,), below, (name,), (name,))
            return
        for path in [path for path in self.origins if path[0] == name]:
            del self.origins[path]
        self.data[name] = {key: value for key, value in over.items() if key != "extends"} if name == "pack" else over


def is_rows(value: object) -> TypeGuard[list[dict[str, Any]]]:
    """Whether a value is what `[[table]]` headers make."""
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def identity_of(rows: Sequence[Mapping[str, Any]]) -> str:
    """The field by which rows are told apart."""
    return "key" if all("key" in row for row in rows) else "id"


def read_pack(file: Path, package_dir: Path, game_id: str, above: tuple[Path, ...] = ()) -> PackText:
    """Read a file and the packs it extends. Raises PackError."""
    top = read_file(file)
    header = top.data.get("pack")
    header = header if isinstance(header, dict) else {}
    game = header.get("game", game_id)
    if isinstance(game, str) and game != game_id:
        top.fail(f'[pack], game: this is a pack of "{game}"; it must be "{game_id}"', ("pack", "game"))
    if "extends" not in header:
        if "remove" in top.data:
            top.fail('[remove] is for packs that extend another: say extends = "standard" in [pack]', ("remove",), key=True)
        return top
    wanted, path = header["extends"], ("pack", "extends")
    if not isinstance(wanted, str):
        top.fail("[pack], extends: must be the name of a pack, or a file in quotes", path)
    chain = (*above, file.resolve())
    if wanted.endswith(".toml"):
        found = file.parent / wanted
    else:
        try:
            found = find_shipped(wanted, package_dir)
        except PackError as error:
            top.fail(f"[pack], extends: {error}", path)
    if found.resolve() in chain:
        top.fail(f"[pack], extends: {wanted} extends this pack, too: a circle", path)
    if len(chain) > MAX_BASES:
        top.fail(f"[pack], extends: more than {MAX_BASES} packs, one upon the other", path)
    if wanted.endswith(".toml") and not found.is_file():
        top.fail(f"[pack], extends: there is no file {wanted} beside this one", path)
    base = read_pack(found, package_dir, game_id, chain)
    below = base.data.get("pack")
    if not isinstance(below, dict):
        top.fail(f"[pack], extends: {wanted} has no [pack] table", path)
    if header.get("name") == below.get("name"):
        top.fail(f"[pack], name: must be another one than that of the pack it extends, {header.get('name')!r}", ("pack", "name"))
    return Extended(top, base)


def find_shipped(name: str, package_dir: Path) -> Path:
    """The file of a pack that comes with a game. Raises PackError with the nearest name."""
    folder = Path(package_dir) / "packs"
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,100}", name):
        raise PackError(f"{name!r}: neither a pack's name (letters, digits, _ and -) nor a path ending in .toml")
    file = folder / f"{name}.toml"
    try:
        known = {other.stem for other in folder.glob("*.toml")}
    except OSError as error:
        raise PackError(f"{folder}: cannot be read: {error.strerror}") from None
    if name not in known:
        raise PackError(f"there is no pack named '{name}'{suggest(name, known)}")
    return file
