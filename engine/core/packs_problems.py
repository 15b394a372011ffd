"""The messages about a wrong pack: `FILE:LINE:COLUMN: [[table]] #2 ("key"), field: what was wrong and what would be right`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from seatmate.engine.core.errors import PackError, nearest, suggest
from seatmate.engine.core.packs_file import FieldPath, PackText, is_rows
from seatmate.engine.core.spec import words

MAX_SHOWN = 10
MAX_HOMES = 3
"""A field that belongs in more tables is in none of them for certain."""

PACK, TOP = "[pack]", "at the top level: write "


class PackProblem(ValueError):
    """For the validators of a game's schema: what is wrong, and the path of the value below the model, e.g. `"tile", 3, "icon"`."""

    def __init__(self, problem: str, *path: str | int) -> None:
        super().__init__(problem)
        self.path = path


def failure(problems: list[str]) -> PackError:
    """One error of the problems of a pack."""
    said = list(dict.fromkeys(problems))
    rest = f"\nand {len(said) - MAX_SHOWN} more" if len(said) > MAX_SHOWN else ""
    return PackError("\n".join(said[:MAX_SHOWN]) + rest)


def located(text: PackText, path: FieldPath, problem: str, *, key: bool = False, column: int = 0) -> str:
    """A problem with its place. `key`: it is about the name of the field; `column`: in the text of the value, from 0."""
    owner, path = text.owner(path)
    where = where_of(owner.data, path)
    return f"{owner.place(path, key=key, column=column)}: {where + ': ' if where else ''}{problem}"


def shown(value: object) -> str:
    """A value as it stands in the file."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list | tuple):
        return "an array"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def where_of(data: object, path: FieldPath) -> str:
    """A path as the author sees it: `[[place]] #3 ("crypt"), effects #1`; "" for the whole file."""
    tables: list[str] = []
    names: list[str] = []
    field = ""
    for part in path:
        below: object = None
        if (isinstance(data, dict) and part in data) or (isinstance(data, list) and part in range(len(data))):
            below = data[part]  # type: ignore[index]
        if isinstance(part, str):
            if isinstance(below, dict) and tables and tables[-1][1] != "[":
                tables.pop()  # [a.b] says more than [a]
            names.append(part)
            if isinstance(below, dict):
                tables.append(f"[{'.'.join(names)}]")
            elif is_rows(below):
                field = f"[[{'.'.join(names)}]]"
            else:
                field = part
        elif isinstance(below, dict):
            field = ""
            known = next((below[key] for key in ("key", "id", "name") if isinstance(below.get(key), str | int)), None)
            tables.append(f"[[{'.'.join(names)}]] #{part + 1}" + (f" ({shown(known)})" if known is not None else ""))
        else:
            field += f" #{part + 1}"
        data = below
    return ", ".join(tables + ([field] if field else []))


# ---------------------------------------------------------------- what pydantic finds
def _number(context: Mapping[str, Any], name: str) -> str:
    return f"{context[name]:g}" if isinstance(context[name], float) else str(context[name])


def _characters(context: Mapping[str, Any], name: str) -> str:
    return f"{context[name]} character{'' if context[name] == 1 else 's'}"


_SENTENCES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "int_type": lambda _: "should be an integer",
    "int_from_float": lambda _: "should be an integer",
    "int_parsing_size": lambda _: "should be an integer of fewer digits",
    "string_type": lambda _: "should be text in quotes",
    "bool_type": lambda _: "should be true or false",
    "float_type": lambda _: "should be a number",
    "finite_number": lambda _: "should be a finite number",
    "tuple_type": lambda _: "should be an array",
    "list_type": lambda _: "should be an array",
    "dict_type": lambda _: "should be a table",
    "model_type": lambda _: "should be a table",
    "literal_error": lambda c: f"should be {c['expected']}",
    "string_pattern_mismatch": lambda c: f"should be written as the pattern {c['pattern']} says",
    "string_too_short": lambda c: f"should have at least {_characters(c, 'min_length')}",
    "string_too_long": lambda c: f"should have at most {_characters(c, 'max_length')}",
    "greater_than": lambda c: f"should be more than {_number(c, 'gt')}",
    "greater_than_equal": lambda c: f"should be {_number(c, 'ge')} or more",
    "less_than": lambda c: f"should be less than {_number(c, 'lt')}",
    "less_than_equal": lambda c: f"should be {_number(c, 'le')} or less",
    "multiple_of": lambda c: f"should be a multiple of {_number(c, 'multiple_of')}",
}
"""Our words for the types of errors that can occur; any other one is "is not what belongs here"."""


def sentence(kind: str, context: Mapping[str, Any]) -> str:
    """What should be, in plain words, for a type of error of pydantic."""
    return _SENTENCES[kind](context) if kind in _SENTENCES else "is not what belongs here"


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


def _names(model: type[BaseModel]) -> Iterator[tuple[str, object]]:
    """The fields of a table as they stand in a file, with their types."""
    for name, info in model.model_fields.items():
        yield info.alias or name, info.annotation


def _header(name: str, annotation: object) -> str:
    """The header of a table of this type: `[deck]` or `[[place]]`."""
    return f"[{name}]" if annotation in _models(annotation) else f"[[{name}]]"


def _homes(schema: type[BaseModel], name: str, at_top: bool) -> list[str]:
    """Where something of this name belongs: tables, e.g. `[pack]`, or TOP with its header. `at_top`: it stands above all tables."""
    if name == "remove" or name in dict(_names(schema)):
        return [TOP + ("[remove]" if name == "remove" else _header(name, dict(_names(schema))[name]))]
    found: list[str] = []
    waiting = list(_names(schema))
    while waiting:
        path, annotation = waiting.pop(0)
        for model in _models(annotation):
            below = dict(_names(model))
            waiting += [(f"{path}.{part}", one) for part, one in below.items() if _models(one)]
            if name in below:
                found.append(_header(path, annotation))
    return [PACK] if at_top and PACK in found else list(dict.fromkeys(found))


def _described(annotation: object) -> str:
    """A type as an author knows it; "" if there is no short word for it."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _described(args[0])
    if origin is Literal:
        return " or ".join(map(shown, args))
    if origin in (list, tuple):
        return "an array"
    plain = {int: "an integer", str: "text", bool: "true or false", float: "a number"}
    return plain.get(annotation, "") if isinstance(annotation, type) else ""


def validation_problems(schema: type[BaseModel], text: PackText, details: Sequence[Mapping[str, Any]]) -> list[str]:
    """Validation errors as sentences. What is misplaced is told once, and not what is lacking because of it."""
    strays: dict[tuple[FieldPath, tuple[str, ...]], list[FieldPath]] = {}
    for detail in details:
        if detail["type"] == "extra_forbidden":
            path = _Place(schema, text, detail).path
            homes = tuple(_homes(schema, str(path[-1]), len(path) == 1))
            if 0 < len(homes) <= MAX_HOMES:
                strays.setdefault((path[:-1], homes), []).append(path)
    said = [_misplaced(text, paths, homes) for (_, homes), paths in strays.items()]
    placed = {path for paths in strays.values() for path in paths}
    unextended = any(path[-1] in ("extends", "remove") for path in placed) or _extends_elsewhere(text.data)
    lacking = {(home, path[-1]) for (_, homes), paths in strays.items() for home in homes for path in paths}
    short = [tuple(detail["loc"][:-1]) for detail in details]       # rows that are wrong are not too few as well
    for detail in details:
        place, kind = _Place(schema, text, detail), detail["type"]
        if place.path in placed or (unextended and kind in ("missing", "too_short")):
            continue
        if kind == "too_short" and any(above[:len(detail["loc"])] == detail["loc"] for above in short):
            continue
        if kind == "missing":
            header = _header(str(place.path[0]), dict(_names(schema))[str(place.path[0])])
            if any(home == TOP + header or (home == header and place.path[-1] in (name, place.path[0])) for home, name in lacking):
                continue
        said.append(_problem(place, detail))
    return said


def _extends_elsewhere(data: Mapping[str, Any]) -> bool:
    """Does some table or row other than [pack] say which pack is extended, or [pack] in a misspelt field?"""
    head = data.get("pack")
    if isinstance(head, dict) and "extends" not in head and any("'extends'" in nearest(name, ["extends"]) for name in head):
        return True
    tables = [row for name, value in data.items() for row in (value if is_rows(value) else [value])
              if name != "pack" or is_rows(value)]
    return any(isinstance(row, dict) and "extends" in row for row in tables)


def _misplaced(text: PackText, paths: Sequence[FieldPath], homes: Sequence[str]) -> str:
    """Fields of one table that belong in another."""
    names = [f"'{path[-1]}'" for path in paths]
    verb = "belongs" if len(names) == 1 else "belong"
    where = homes[0] if homes[0].startswith(TOP) else f"in {' or '.join(homes)}"
    return located(text, paths[0], f"{words(names)} {verb} {where}", key=True)


class _Place:
    """Where a validation error is: its path in the data, the types there and of the table around, the value."""

    def __init__(self, schema: type[BaseModel], text: PackText, detail: Mapping[str, Any]) -> None:
        self.text = text
        path: list[str | int] = []
        types: list[object] = [schema]
        self.parents = types
        node: object = text.data
        for index, part in enumerate(detail["loc"]):
            inside = part in node if isinstance(node, dict) else isinstance(node, list) and isinstance(part, int)
            if not inside and not (detail["type"] == "missing" and index + 1 == len(detail["loc"])):
                continue  # the name of a union's member
            self.parents, types = types, [found for annotation in types for found in _below(annotation, part)]
            node = node[part] if inside else None  # type: ignore[index]
            path.append(part)
        self.path, self.types, self.node = tuple(path), types, node

    def said(self, problem: str, *more: str | int, key: bool = False) -> str:
        """A problem with this place."""
        return located(self.text, (*self.path, *more), problem, key=key)


def _problem(place: _Place, detail: Mapping[str, Any]) -> str:
    """One validation error as a sentence: where, what was wrong, what would be right."""
    kind, context = detail["type"], detail.get("ctx", {})
    path, types, node, said = place.path, place.types, place.node, place.said
    if kind == "missing":
        if any(_models(annotation) for annotation in types):
            rows = not any(annotation in _models(annotation) for annotation in types)
            name = f"{'[[' if rows else '['}{path[-1]}{']]' if rows else ']'}"
            return located(place.text, path[:-1], f"the table {name} is missing")
        described = " or ".join(filter(None, map(_described, types)))
        return said("the field is missing" + (f"; it should be {described}" if described else ""))
    if kind == "extra_forbidden":
        known = {name for annotation in place.parents for model in _models(annotation) for name, _ in _names(model)}
        what = "table" if isinstance(node, dict) or is_rows(node) else "field"
        return said(f"unknown {what} '{path[-1]}'{suggest(str(path[-1]), known)}", key=True)
    if kind in ("value_error", "assertion_error"):
        error = context.get("error")
        return said(str(error), *(error.path if isinstance(error, PackProblem) else ()))
    if kind in ("too_short", "too_long") and isinstance(node, list):
        least = kind == "too_short"
        most = context["min_length" if least else "max_length"]
        return said(f"should have at {'least' if least else 'most'} {most} items, not {len(node)}")
    near = suggest(str(node), _choices(types)) if kind == "literal_error" else ""
    return said(f"{sentence(kind, context)}, not {shown(node)}{near.partition('; known')[0]}")


def _choices(types: list[object]) -> list[str]:
    """The texts that may stand there."""
    found = [arg for annotation in types for arg in get_args(annotation)]
    return [arg for arg in found if isinstance(arg, str)]
