"""Content packs: the TOML files that hold a game's components, checked on load.

A game describes its pack by a `PackSchema` (pydantic models, one field per TOML table); effect lines are fields of type
`EffectLine` or `Effect` and are compiled with the vocabulary the schema returns. A pack may extend another (`packs_file.py`).
Everything that can be wrong with a file is a `PackError` that names the file, line and column, the table and the field, what
was wrong and what would be right (`packs_problems.py`); all errors of a file are reported together.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError

from seatmate.engine.core.effects import EffectError
from seatmate.engine.core.effects_compile import compile_effects, compile_line
from seatmate.engine.core.effects_program import Entry, Program
from seatmate.engine.core.effects_vocabulary import Vocabulary
from seatmate.engine.core.errors import PackError
from seatmate.engine.core.packs_file import Changes, Extended, FieldPath, PackText, find_shipped, read_pack
from seatmate.engine.core.packs_problems import PackProblem, failure, located, shown, validation_problems

__all__ = ["Component", "Effect", "EffectLine", "LoadedPack", "PackProblem", "PackSchema", "linker", "load_pack", "provenance"]

Source = Literal["rulebook", "public", "house"]
"""Where a fact comes from: printed in the rulebook, published elsewhere, or designed here."""

SOURCES: tuple[Source, ...] = get_args(Source)


class EffectText(str):
    """The type of an effect line in a loaded pack."""

    __slots__ = ()


EffectLine = Annotated[str, AfterValidator(EffectText)]
"""A field that holds one line of effect notation; "" holds none."""


def _effect(text: str) -> EffectText:
    if not text.strip():
        raise ValueError("an empty effect line; write an effect or leave the line out")
    return EffectText(text)


Effect = Annotated[str, AfterValidator(_effect)]
"""An effect line that must do something, e.g. each one of an array."""


class _Table(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Component(_Table):
    """Base of every table row that describes a component. Use tuples, not lists, for arrays."""

    source: Source
    source_note: str | None = None
    address: str | None = None


def _version(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value < 10**9:
        return str(value)
    if isinstance(value, str) and re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){1,2}(-[0-9A-Za-z.-]+)?", value, re.ASCII):
        return value
    raise ValueError(f'must be a whole number such as 2 or a version such as "1.4.0", not {shown(value)}')


class PackHeader(_Table):
    """The `[pack]` table. `version` is a positive integer or "1.2.3", kept as text."""

    game: str
    name: str
    version: Annotated[str, BeforeValidator(_version)]
    title: str
    notes: str | None = None
    extends: str | None = None      # read by packs_file.py


class PackSchema(_Table):
    """Base of a game's pack: a field per top-level table.

    Checks across tables belong into a `model_validator` that raises PackProblem. Every text must say something, and the rows of a
    table have different keys: that is checked for all games.
    """

    pack: PackHeader

    def vocabulary(self) -> Vocabulary | None:
        """The vocabulary of the effect lines, with the words this pack defines; None leaves the lines uncompiled."""
        return None


S = TypeVar("S", bound=PackSchema)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LoadedPack(Generic[S]):
    """A checked pack. `sha256` (64 hex digits) depends on the data only, not on comments, layout or order of keys.

    `program` holds all effect lines of the pack, in the order of the schema; `ranges` says which of its entries a field
    holds, by path: `("place", 2, "effects")` is field `effects` of the third `[[place]]`.
    """

    content: S
    name: str
    version: str
    sha256: str
    file: str
    vocabulary: Vocabulary | None
    program: Program
    ranges: Mapping[FieldPath, range]
    text: PackText
    changes: Changes | None         # in the pack it extends

    def error(self, problem: str, *path: str | int) -> PackError:
        """An error of this pack, with the place of a value: `error("...", "place", 2, "effects", 0)`."""
        return failure([located(self.text, path, problem)])

    @property
    def hash(self) -> str:
        """The first 16 hex digits of `sha256`, as tables and records show it."""
        return self.sha256[:16]

    def entries(self, *path: str | int) -> tuple[Entry, ...]:
        """The compiled lines of a field, e.g. `entries("place", 2, "effects")`; empty if it holds none."""
        lines = self.ranges.get(path, range(0))
        return self.program.entries[lines.start : lines.stop]


_own: dict[tuple[str, str], LoadedPack[Any]] = {}
"""Users' own packs, by game and name (`registry.add_pack`)."""


def load_pack(path_or_name: str | Path, schema: type[S], game_id: str, package_dir: Path) -> LoadedPack[S]:
    """Load and check a pack of the game `game_id`.

    A text ending in ".toml" (or a Path) is a file; anything else the name of a pack in `<package_dir>/packs/`, or of an own
    one that was added. Reads
    whatever file it is given: names that come from outside must not be let through as paths. Raises PackError.
    """
    own = _own.get((game_id, str(path_or_name)))
    if own is not None:
        return own
    bare = "" if isinstance(path_or_name, Path) or path_or_name.endswith(".toml") else path_or_name
    text = read_pack(find_shipped(bare, package_dir) if bare or not path_or_name else Path(path_or_name), package_dir, game_id)
    canonical = _canonical(text)
    try:
        content = schema.model_validate_json(canonical)
    except ValidationError as error:
        raise failure(validation_problems(schema, text, error.errors(include_url=False))) from None
    if bare and content.pack.name != bare:
        raise failure([located(text, ("pack", "name"), f'must be "{bare}" like the file, not "{content.pack.name}"')])
    if problems := [located(text, path, problem) for path, problem in _empty_or_double(content, text.data)]:
        raise failure(problems)
    vocabulary = content.vocabulary()
    program, ranges = _compile(text, content, vocabulary) if vocabulary else (Program(), {})
    return LoadedPack(
        content=content,
        name=content.pack.name,
        version=content.pack.version,
        sha256=hashlib.sha256(canonical).hexdigest(),
        file=str(text.file),
        vocabulary=vocabulary,
        program=program,
        ranges=ranges,
        text=text,
        changes=text.changes if isinstance(text, Extended) else None,
    )


def linker(link: Callable[[str], T]) -> Callable[[str], T]:
    """For a function that loads and links a pack: it remembers what a name stands for, and reads a file (.toml) each time."""
    known = functools.cache(link)
    return lambda path_or_name: link(path_or_name) if path_or_name.endswith(".toml") else known(path_or_name)


def keep_pack(game_id: str, pack: LoadedPack[Any]) -> None:
    """From now on `load_pack` finds this pack by its name. Raises PackError where another one has it."""
    known = _own.setdefault((game_id, pack.name), pack)
    if known.hash != pack.hash:
        raise PackError(f"{pack.file}: another pack of {game_id} that was loaded before has the name {pack.name!r}: {known.file}")


def provenance(loaded: LoadedPack[S]) -> dict[Source, int]:
    """How many components of the pack come from each source; every source has an entry."""
    counts = dict.fromkeys(SOURCES, 0)
    for _, value in _walk(loaded.content, ()):
        if isinstance(value, Component):
            counts[value.source] += 1
    return counts


# ---------------------------------------------------------------- reading
def _canonical(text: PackText) -> bytes:
    """The same bytes for the same data."""
    try:
        return json.dumps(text.data, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        for path, value in _values(text.data, ()):
            if (problem := _no_json(value)) is not None:
                raise failure([located(text, path, problem)]) from None
        problem = "is nested too deep" if isinstance(error, RecursionError) else "holds a number no pack uses"
        raise failure([located(text, (), problem)]) from None


def _values(value: object, path: FieldPath) -> Iterator[tuple[FieldPath, object]]:
    """Everything that is neither table nor array, with its path."""
    waiting = [(path, value)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [((*path, key), below) for key, below in value.items()]
        elif isinstance(value, list):
            waiting += [((*path, index), below) for index, below in enumerate(value)]
        else:
            yield path, value


def _no_json(value: object) -> str | None:
    """Why a value of TOML stands in no pack."""
    if isinstance(value, float) and value - value != 0:
        return "nan and inf are no numbers of a pack"
    if isinstance(value, int) and abs(value) >> 64:
        return "numbers in packs don't have so many digits"
    return None if isinstance(value, str | int | float) else "dates and times are not used in packs; write them in quotes"


def _empty_or_double(content: PackSchema, data: object) -> Iterator[tuple[FieldPath, str]]:
    """Texts that say nothing or can't be shown on a line, and rows of one table with the same key."""
    for path, value in _walk(content, ()):
        if isinstance(value, tuple):
            names = [getattr(row, "key", getattr(row, "id", None)) for row in value if isinstance(row, BaseModel)]
            for index, (name, number) in enumerate(zip(names, _counted(names), strict=True)):
                if name is not None and number:
                    yield (*path, index), f"{shown(name)} is used twice"
        elif isinstance(value, str) and not isinstance(value, EffectText):
            if not value.strip() and any(path == given for given, _ in _values(data, ())):      # no default
                yield path, "must not be empty"
            elif path[-1] not in ("notes", "source_note") and not value.isprintable():
                yield path, "must be printable text on one line"


def _counted(names: list[Any]) -> Iterator[int]:
    """How often each name came before."""
    seen: Counter[Any] = Counter()
    for name in names:
        yield seen[name]
        seen[name] += 1


# ---------------------------------------------------------------- effect lines
def _walk(value: object, path: FieldPath) -> Iterator[tuple[FieldPath, object]]:
    """Every model, tuple and text below `value`, with its path in the file, in the order of the schema."""
    if isinstance(value, BaseModel):
        yield path, value
        for name, info in type(value).model_fields.items():
            yield from _walk(getattr(value, name), (*path, info.alias or name))
    elif isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, element in value.items():
            yield from _walk(element, (*path, key))
    elif isinstance(value, list | tuple):
        yield path, value
        for index, element in enumerate(value):
            yield from _walk(element, (*path, index))


def _compile(text: PackText, content: PackSchema, vocabulary: Vocabulary) -> tuple[Program, dict[FieldPath, range]]:
    found = [(path, value) for path, value in _walk(content, ()) if isinstance(value, EffectText) and value]
    ranges: dict[FieldPath, range] = {}
    for index, (path, _) in enumerate(found):
        field = path[:-1] if isinstance(path[-1], int) else path
        ranges[field] = range(ranges[field].start if field in ranges else index, index + 1)
    try:
        return compile_effects([line for _, line in found], vocabulary), ranges
    except EffectError:
        problems = []
        for path, line in found:
            try:
                compile_line(line, vocabulary)
            except EffectError as error:
                problem = f"{error.problem}\n{str(error).partition(chr(10))[2]}"
                problems.append(located(text, path, problem, column=error.position))
        raise failure(problems) from None
