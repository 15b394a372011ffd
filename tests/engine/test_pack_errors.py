"""Every game's packs: whatever is wrong with a file, the error says in which line and column, and in plain words."""
from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic_core.core_schema import ErrorType

from seatmate.engine.core.errors import PackError
from seatmate.engine.core.packs_problems import sentence
from seatmate.engine.core.registry import game_spec, list_games

GAMES = [spec.id for spec in list_games() if spec.load_pack is not None]
MACHINE = re.compile(r"pydantic|Input|valid (integer|string|number|boolean|list|tuple|dictionary)|instance|validation|https?://")
"""Words of the library that checks packs; an author has never heard of it."""

OPTIONAL = frozenset({"source_note", "address", "notes", "worth", "appeal", "effects",
                      "spirit", "source_always", "source_normal", "source_furious", "source_conditions", "source_hp", "name_source",
                      "mc", "lightning", "boulders"})
"""Fields that may be left out."""
ABSENT = ("reveal", "aura")
"""Fields in which "" is an effect that is not there."""

Data = dict[str, Any]


def value_text(value: object) -> str:
    """A value as TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {value_text(below)}" for key, below in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(value_text, value)) + "]"
    return value if isinstance(value, Raw) else json.dumps(value, ensure_ascii=False)


class Raw(str):
    """A value that is written as it is."""


NO_VALUES: list[tuple[str, object]] = [("a date", Raw("2026-01-02")), ("nan", Raw("nan")), ("a table", {"x": 1})]


def text_of(data: Data) -> str:
    """A pack as TOML, one field per line."""
    lines: list[str] = []
    for name, value in data.items():
        for row in value if isinstance(value, list) else [value]:
            lines.append(f"[[{name}]]" if isinstance(value, list) else f"[{name}]")
            lines += [f"{key} = {value_text(below)}" for key, below in row.items()]
    return "\n".join(lines) + "\n"


def shipped(game: str) -> Data:
    """The data of a shipped pack."""
    load = game_spec(game).load_pack
    assert load is not None
    data = tomllib.loads(Path(load("standard").file).read_text(encoding="utf-8"))
    if game == "mythos":        # one deck and its cards: loads ten times faster
        data["deck"] = data["deck"][:1]
        data["character"] = [card for card in data["character"] if any(card["id"] in line for line in data["deck"][0]["cards"])]
    return data


def rows(data: Data) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Every table and the last row of every array of tables."""
    for name, value in data.items():
        yield (name, len(value) - 1, value[-1]) if isinstance(value, list) else (name, -1, value)


def damages(data: Data) -> Iterator[tuple[str, str, Data, bool]]:
    """(what, field, damaged data, whether the error is in the line of that field) for every kind of damage to every field."""
    for name, index, row in rows(data):
        for number, (key, value) in enumerate(row.items()):
            wrong: list[tuple[str, object]] = [NO_VALUES[number % 3]]
            text = isinstance(value, str) and (name, key) != ("pack", "version")
            wrong.append(("another type", 7 if text else "seven"))
            if isinstance(value, str):
                wrong += [("nothing", ""), ("blanks", "  "), ("an escape sequence", "a\u001b[31m")]
            elif isinstance(value, list):
                wrong += [("a nothing in a list", ["", *value]), ("a blank in a list", [*value, " "])]
            elif not isinstance(value, bool):
                wrong.append(("a huge number", 10**30))
            for what, bad in wrong:
                if key in ("notes", "source_note") and what == "an escape sequence":
                    continue                                            # may have several lines
                if what == "nothing" and key in ABSENT:
                    continue
                yield f"{name}.{key}: {what}", key, with_row(data, name, index, {**row, key: bad}), True
            if key not in OPTIONAL:
                yield f"{name}.{key}: missing", key, with_row(data, name, index, {k: v for k, v in row.items() if k != key}), False
        yield f"{name}: unknown field", "jokers", with_row(data, name, index, {**row, "jokers": 1}), True
        if index >= 0:
            yield f"{name}: twice", name, {**data, name: [*data[name], row]}, False
            yield f"{name}: no table", name, {**data, name: {"x": 1}}, False
    yield "unknown table", "jokers", {**data, "jokers": {"x": 1}}, False


def with_row(data: Data, name: str, index: int, row: dict[str, Any]) -> Data:
    """The data with one row replaced."""
    return {**data, name: row if index < 0 else [*data[name][:index], row, *data[name][index + 1:]]}


@pytest.mark.parametrize("game", GAMES)
def test_every_error_names_line_and_column_in_plain_words(game: str, tmp_path: Path) -> None:
    load = game_spec(game).load_pack
    assert load is not None
    data = shipped(game)
    data["pack"]["name"] = "damaged"
    file = tmp_path / "damaged.toml"
    checked = 0
    file.write_text(text_of(data), encoding="utf-8")
    load(str(file))
    for what, field, damaged, in_its_line in damages(data):
        text = text_of(damaged)
        file.write_text(text, encoding="utf-8")
        with pytest.raises(PackError) as caught:
            load(str(file))
            pytest.fail(f"{game}, {what}: not refused")
        message = str(caught.value)
        assert not MACHINE.search(message.replace(str(file), "")), (what, message)
        places = [re.match(rf"{re.escape(str(file))}:(\d+):(\d+): ", line) for line in message.splitlines()
                  if not line.startswith(("    ", "and "))]
        assert places and all(places), (what, message)
        lines = text.splitlines()
        named = {lines[int(place[1]) - 1].partition(" = ")[0] for place in places if place}
        assert not in_its_line or field in named, (what, message)
        checked += 1
    assert checked > 60


def strays(data: Data) -> Iterator[tuple[str, str, str]]:
    """(what, text of a pack, where it belongs) for known fields and tables that stand at another level than theirs."""
    homes: dict[str, set[str]] = {}
    for name, value in data.items():
        for row in value if isinstance(value, list) else [value]:
            for key in row:
                homes.setdefault(key, set()).add(f"[[{name}]]" if isinstance(value, list) else f"[{name}]")
    plain = next(name for name, value in data.items() if name != "pack" and isinstance(value, dict))
    for name, index, row in rows(data):
        if name != "pack" and name not in data["pack"]:
            rest = text_of({other: value for other, value in data.items() if other != name})
            one = f"[pack.{name}]\n" + text_of({name: row}).partition("\n")[2]
            yield f"{name} in [pack]", rest + one, f"at the top level: write [{'[' * (index >= 0)}{name}]"
        for key, value in row.items():
            if (len(homes[key]) > 1 and name != "pack") or key in data or key in ("source_note", "address"):
                continue
            lacking = with_row(data, name, index, {other: below for other, below in row.items() if other != key})
            line = f"{key} = {value_text(value)}\n"
            header = f"[{'[' * (index >= 0)}{name}]{']' * (index >= 0)}"
            yield f"{key} at the top", line + text_of(lacking), f"in {header}"
            if len(homes[key]) == 1:
                for other in {"pack", plain} - {name}:
                    yield f"{key} in {other}", text_of({**lacking, other: {**lacking[other], key: value}}), f"in {header}"
    if not data["pack"].keys() & data.keys():
        yield "the whole header at the top", text_of(data).partition("\n")[2], "in [pack]"


@pytest.mark.parametrize("game", GAMES)
def test_what_stands_at_the_wrong_level_is_told_once_with_its_place(game: str, tmp_path: Path) -> None:
    """A field above all tables or in another table was told as unknown, and what was lacking because of it besides."""
    load = game_spec(game).load_pack
    assert load is not None
    data = shipped(game)
    data["pack"]["name"] = "astray"
    file = tmp_path / "astray.toml"
    tried = 0
    for what, text, where in strays(data):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(PackError) as caught:
            load(str(file))
            pytest.fail(f"{game}, {what}: not refused")
        message = str(caught.value)
        assert len(message.splitlines()) == 1 and re.search(rf"belongs? ({re.escape(where)}|in \[.* or )", message), (what, message)
        tried += 1
    assert tried > 15


@pytest.mark.parametrize("game", GAMES)
def test_effects_that_say_nothing_are_refused(game: str, tmp_path: Path) -> None:
    """An empty line in a list of effects was taken for none, whatever the game calls the field."""
    load = game_spec(game).load_pack
    assert load is not None
    data = shipped(game)
    data["pack"]["name"] = "empty"
    file = tmp_path / "empty.toml"
    tried = 0
    for name, index, row in rows(data):
        for key, value in row.items():
            one = value[0] if isinstance(value, list) and value else value
            if not isinstance(one, str) or not re.search(r"\b[A-Z_]{3,}\(", one) or key in ABSENT:
                continue
            for bad in [[""], ["  "]] if isinstance(value, list) else ["", "  "]:
                file.write_text(text_of(with_row(data, name, index, {**row, key: bad})), encoding="utf-8")
                with pytest.raises(PackError, match=rf"empty\.toml:\d+:\d+: .*{key}.*: an empty effect line; write an effect"):
                    load(str(file))
                tried += 1
    assert tried


def test_no_type_of_error_speaks_the_words_of_the_library() -> None:
    """Every type there is has a sentence of ours, be it a general one; those that can occur here have their own."""
    own = 0
    for kind in get_args(ErrorType):
        context = dict.fromkeys(("gt", "ge", "lt", "le", "multiple_of", "min_length", "max_length"), 3)
        said = sentence(kind, {**context, "expected": "'a' or 'b'", "pattern": "^x$"})
        assert said and not MACHINE.search(said) and "{" not in said, kind
        own += said != "is not what belongs here"
    assert own == 20
