"""Content packs: the TOML files that hold a game's components, checked on load.

A game describes its pack by a `PackSchema` (pydantic models, one field per TOML table); effect lines are fields of type
`EffectLine` and are compiled with the vocabulary the schema returns. Everything that can be wrong with a file is a
`PackError` that names the file, the table and the field, what was wrong and what would be right; all errors of a file
are reported together.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError

from seatmate.engine.core.effects import EffectError
from seatmate.engine.core.effects_compile import compile_effects, compile_line
from seatmate.engine.core.effects_program import Entry, Program, VerbCall
from seatmate.engine.core.effects_vocabulary import Vocabulary
from seatmate.engine.core.errors import PackError, suggest

Source = Literal["rulebook", "public", "house"]
"""Where a fact comes from: printed in the rulebook, published elsewhere, or designed here."""

SOURCES: tuple[Source, ...] = get_args(Source)
MAX_BYTES = 4_000_000
MAX_SHOWN = 10
FieldPath = tuple[str | int, ...]
"""Names of tables and fields, and positions (from 0) in arrays: `("place", 2, "effects", 0)`."""


class EffectText(str):
    """The type of an effect line in a loaded pack."""

    __slots__ = ()


EffectLine = Annotated[str, AfterValidator(EffectText)]
"""A field (or an element of a tuple) that holds one line of effect notation; "" holds none."""


class _Table(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Component(_Table):
    """Base of every table row that describes a component. Use tuples, not lists, for arrays."""

    source: Source
    source_note: str | None = None
    address: str | None = None


def _version(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
        return str(value)
    if isinstance(value, str) and re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){1,2}(-[0-9A-Za-z.-]+)?", value, re.ASCII):
        return value
    raise ValueError(f'must be a whole number such as 2 or a version such as "1.4.0", not {_shown(value)}')


class PackHeader(_Table):
    """The `[pack]` table. `version` is a positive integer or "1.2.3", kept as text."""

    game: str
    name: str
    version: Annotated[str, BeforeValidator(_version)]
    title: str
    notes: str | None = None


class PackSchema(_Table):
    """Base of a game's pack: a field per top-level table. Checks across tables belong into a `model_validator`."""

    pack: PackHeader

    def vocabulary(self) -> Vocabulary | None:
        """The vocabulary of the effect lines, with the words this pack defines; None leaves the lines uncompiled."""
        return None


S = TypeVar("S", bound=PackSchema)


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

    @property
    def hash(self) -> str:
        """The first 16 hex digits of `sha256`, as tables and records show it."""
        return self.sha256[:16]

    def entries(self, *path: str | int) -> tuple[Entry, ...]:
        """The compiled lines of a field, e.g. `entries("place", 2, "effects")`; empty if it holds none."""
        lines = self.ranges.get(path, range(0))
        return self.program.entries[lines.start : lines.stop]

    def steps(self, *path: str | int, trigger: str | None = None) -> Iterator[VerbCall]:
        """The decoded steps of a field's lines (see `Program.steps`); `line` counts within the field."""
        if self.vocabulary is not None:
            yield from Program(self.program.code, self.entries(*path)).steps(self.vocabulary, trigger)


def load_pack(path_or_name: str | Path, schema: type[S], game_id: str, package_dir: Path) -> LoadedPack[S]:
    """Load and check a pack of the game `game_id`.

    A text ending in ".toml" (or a Path) is a file; anything else the name of a pack in `<package_dir>/packs/`. Reads
    whatever file it is given: names that come from outside must not be let through as paths. Raises PackError.
    """
    file, bare = _find(path_or_name, package_dir)
    data = _parse(file)
    canonical = _canonical(file, data)
    header = data.get("pack")
    game = header.get("game", game_id) if isinstance(header, dict) else game_id
    if isinstance(game, str) and game != game_id:
        raise PackError(f'{file}: [pack], game: this is a pack of "{game}"; it must be "{game_id}"')
    try:
        content = schema.model_validate_json(canonical)
    except ValidationError as error:
        details = error.errors(include_url=False)
        places = [detail["loc"] for detail in details]
        problems = [_problem(schema, data, dict(detail)) for detail in details if not (
            detail["type"] == "too_short" and any(place[:-1][:len(detail["loc"])] == detail["loc"] for place in places))]
        raise _failure(file, problems) from None        # rows that are wrong are not too few as well
    if bare and content.pack.name != bare:
        raise PackError(f'{file}: [pack], name: must be "{bare}" like the file, not "{content.pack.name}"')
    vocabulary = content.vocabulary()
    program, ranges = _compile(file, data, content, vocabulary) if vocabulary else (Program(), {})
    return LoadedPack(
        content=content,
        name=content.pack.name,
        version=content.pack.version,
        sha256=hashlib.sha256(canonical).hexdigest(),
        file=str(file),
        vocabulary=vocabulary,
        program=program,
        ranges=ranges,
    )


def provenance(loaded: LoadedPack[S]) -> dict[Source, int]:
    """How many components of the pack come from each source; every source has an entry."""
    counts = dict.fromkeys(SOURCES, 0)
    for _, value in _walk(loaded.content, ()):
        if isinstance(value, Component):
            counts[value.source] += 1
    return counts


# ---------------------------------------------------------------- reading
def _find(path_or_name: str | Path, package_dir: Path) -> tuple[Path, str]:
    """The file, and the bare name it was found by ("" for a path)."""
    text = str(path_or_name)
    if isinstance(path_or_name, Path) or text.endswith(".toml"):
        return Path(path_or_name), ""
    folder = Path(package_dir) / "packs"
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,100}", text):
        raise PackError(f"{text!r}: neither a pack's name (letters, digits, _ and -) nor a path ending in .toml")
    file = folder / f"{text}.toml"
    try:
        known = {other.stem for other in folder.glob("*.toml")}
    except OSError as error:
        raise PackError(f"{folder}: cannot be read: {error.strerror}") from None
    if text not in known:
        raise PackError(f"{file}: there is no pack named '{text}'{suggest(text, known)}")
    return file, text


def _parse(file: Path) -> dict[str, Any]:
    try:
        if not file.is_file():
            raise PackError(f"{file}: " + ("is not a file" if file.exists() else "there is no such file"))
        with file.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise PackError(f"{file}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(raw) > MAX_BYTES:
        raise PackError(f"{file}: is larger than {MAX_BYTES} bytes")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise PackError(f"{file}: line {line}: is not UTF-8 text; save the file as UTF-8") from None
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise PackError(f"{file}: is nested too deep") from None
    except ValueError as error:
        found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error), re.DOTALL)
        if found is None:
            raise PackError(f"{file}: not valid TOML: {error}") from None
        lines = text.splitlines() or [""]
        line = int(found[2] or len(lines))
        column = f", column {found[3]}" if found[3] else ""
        source = lines[line - 1][:120] if line <= len(lines) else ""
        raise PackError(f"{file}: line {line}{column}: not valid TOML: {found[1]}\n    {source}") from None


def _canonical(file: Path, data: dict[str, Any]) -> bytes:
    """The same bytes for the same data."""
    try:
        return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()
    except TypeError:
        raise PackError(f"{file}: dates and times are not used in packs; write them in quotes") from None
    except RecursionError:
        raise PackError(f"{file}: is nested too deep") from None
    except ValueError:
        raise PackError(f"{file}: holds a number no pack uses (nan, inf or thousands of digits)") from None


# ---------------------------------------------------------------- effect lines
def _walk(value: object, path: FieldPath) -> Iterator[tuple[FieldPath, object]]:
    """Every model and effect line below `value`, with its path in the file, in the order of the schema."""
    if isinstance(value, BaseModel):
        yield path, value
        for name, info in type(value).model_fields.items():
            yield from _walk(getattr(value, name), (*path, info.alias or name))
    elif isinstance(value, EffectText):
        yield path, value
    elif isinstance(value, Mapping):
        for key, element in value.items():
            yield from _walk(element, (*path, key))
    elif isinstance(value, list | tuple):
        for index, element in enumerate(value):
            yield from _walk(element, (*path, index))


def _compile(
    file: Path, data: dict[str, Any], content: PackSchema, vocabulary: Vocabulary
) -> tuple[Program, dict[FieldPath, range]]:
    found = [(path, value) for path, value in _walk(content, ()) if isinstance(value, EffectText) and value]
    ranges: dict[FieldPath, range] = {}
    for index, (path, _) in enumerate(found):
        field = path[:-1] if isinstance(path[-1], int) else path
        ranges[field] = range(ranges[field].start if field in ranges else index, index + 1)
    try:
        return compile_effects([text for _, text in found], vocabulary), ranges
    except EffectError:
        problems = []
        for path, text in found:
            try:
                compile_line(text, vocabulary)
            except EffectError as error:
                problems.append(f"{_where(data, path)}: {error}")
        raise _failure(file, problems) from None


# ---------------------------------------------------------------- errors
def _failure(file: Path, problems: list[str]) -> PackError:
    shown = list(dict.fromkeys(problems))
    rest = f"\n{file}: and {len(shown) - MAX_SHOWN} more" if len(shown) > MAX_SHOWN else ""
    return PackError("\n".join(f"{file}: {problem}" for problem in shown[:MAX_SHOWN]) + rest)


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list | tuple):
        return "an array"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def _is_rows(value: object) -> bool:
    """Whether a value is what `[[table]]` headers make."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _where(data: object, path: FieldPath) -> str:
    """A path as the author sees it: `[[place]] #3 ("crypt"), effects #1`."""
    tables: list[str] = []
    names: list[str] = []
    field = ""
    for part in path:
        below: object = None
        if (isinstance(data, dict) and part in data) or (isinstance(data, list) and isinstance(part, int)):
            below = data[part]  # type: ignore[index]
        if isinstance(part, str):
            if isinstance(below, dict) and tables and tables[-1][1] != "[":
                tables.pop()  # [a.b] says more than [a]
            names.append(part)
            if isinstance(below, dict):
                tables.append(f"[{'.'.join(names)}]")
            elif _is_rows(below):
                field = f"[[{'.'.join(names)}]]"
            else:
                field = part
        elif isinstance(below, dict):
            field = ""
            known = next((below[key] for key in ("key", "id", "name") if isinstance(below.get(key), str | int)), None)
            tables.append(f"[[{'.'.join(names)}]] #{part + 1}" + (f" ({_shown(known)})" if known is not None else ""))
        else:
            field += f" #{part + 1}"
        data = below
    return ", ".join(tables + ([field] if field else [])) or "the file"


def _below(annotation: object, part: str | int) -> list[object]:
    """The types of what lies at `part` below something of this type."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType, Annotated):
        return [found for arg in args for found in _below(arg, part)]
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        for name, info in annotation.model_fields.items():
            if part == (info.alias or name):
                return [info.annotation]
        return []
    if isinstance(part, str):
        return [args[1]] if len(args) == 2 and isinstance(origin, type) and issubclass(origin, Mapping) else []
    return [arg for arg in args if arg is not Ellipsis]


def _models(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for arg in get_args(annotation) for model in _models(arg)]


def _described(annotation: object) -> str:
    """A type as an author knows it; "" if there is no short word for it."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _described(args[0])
    if origin is Literal:
        return " or ".join(map(_shown, args))
    if origin in (list, tuple):
        return "an array"
    plain = {int: "an integer", str: "text", bool: "true or false", float: "a number"}
    return plain.get(annotation, "") if isinstance(annotation, type) else ""


def _problem(schema: type[PackSchema], data: object, detail: dict[str, Any]) -> str:
    """One validation error as a sentence: where, what was wrong, what would be right."""
    kind, missing = detail["type"], detail["type"] == "missing"
    path: list[str | int] = []
    types: list[object] = [schema]
    parents = types
    node = data
    for index, part in enumerate(detail["loc"]):
        inside = part in node if isinstance(node, dict) else isinstance(node, list) and isinstance(part, int)
        if not inside and not (missing and index + 1 == len(detail["loc"])):
            continue  # the name of a union's member
        parents, types = types, [found for annotation in types for found in _below(annotation, part)]
        node = node[part] if inside else None  # type: ignore[index]
        path.append(part)
    where = _where(data, tuple(path))
    if missing:
        if any(_models(annotation) for annotation in types):
            rows = not any(annotation in _models(annotation) for annotation in types)
            return f"{'[[' if rows else '['}{path[-1]}{']]' if rows else ']'}: the table is missing"
        described = " or ".join(filter(None, map(_described, types)))
        return f"{where}: the field is missing" + (f"; it should be {described}" if described else "")
    if kind == "extra_forbidden":
        models = [model for annotation in parents for model in _models(annotation)]
        known = {info.alias or name for model in models for name, info in model.model_fields.items()}
        what = "table" if isinstance(node, dict) or _is_rows(node) else "field"
        return f"{where}: unknown {what} '{path[-1]}'{suggest(str(path[-1]), known)}"
    message = str(detail["msg"])
    if kind in ("value_error", "assertion_error"):
        return f"{where}: {message.split(', ', 1)[-1]}"
    if kind in ("too_short", "too_long") and isinstance(node, list):
        least = kind == "too_short"
        most = detail["ctx"]["min_length" if least else "max_length"]
        return f"{where}: should have at {'least' if least else 'most'} {most} items, not {len(node)}"
    message = message.replace("Input should be", "should be").replace(" instance", "")
    near = suggest(str(node), re.findall(r"'([^']*)'", message)) if kind in ("literal_error", "enum") else ""
    return f"{where}: {message}, not {_shown(node)}{near.partition('; known')[0]}"
