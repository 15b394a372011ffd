"""No number is typed in two languages: Python reads those that C has (`cpdef enum`).

What is compared: members of enums in .pxd and .pyx files, and numbers that Python gives names: module and class constants, and
entries of dictionaries such as `"MOVE": Signature(5, ...)`. A game's C is compared with its own Python, the core's and the
search's with all.
"""
from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
NUMBER = re.compile(r"[+-]?(0x[0-9a-fA-F_]+|[0-9][0-9_]*)")
PREFIX = re.compile(r"[A-Z]{1,2}_(?=\w)")
ENOUGH = 3
"""So many entries of a dictionary must be those of C before small words are more than chance."""

ALLOWED = {
    ("server/cli/main.py", "OK"): "the exit code of success",
}
"""Numbers that only happen to have one name."""

UNREAD: tuple[str, ...] = ()
"""Games that are not read."""


def house(path: str) -> str:
    """engine/<game>, engine/core, ai, server."""
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "engine" else parts[0]


def c_numbers(text: str) -> dict[str, int]:
    """The members of all enums of a file whose value stands there or is counted."""
    found: dict[str, int] = {}
    indent, value = -1, -1
    for line in text.splitlines():
        body = line.partition("#")[0].rstrip()
        deep = len(body) - len(body.lstrip())
        if re.match(r"\s*cp?def enum\b", body):
            indent, value = deep, -1
        elif body and indent >= 0 and deep <= indent:
            indent = -1
        elif body and indent >= 0:
            for member in body.strip().split(","):
                name, given, written = (part.strip() for part in member.partition("="))
                value = value + 1 if not given else int(written, 0) if NUMBER.fullmatch(written) else found.get(written, -10**9)
                if name.isidentifier() and value >= -10**6:
                    found[name] = value
    return found


def number(node: ast.AST | None) -> int | None:
    """Of a literal, or of a call that begins with one: Signature(5, ...)."""
    if isinstance(node, ast.Call):
        node = node.args[0] if node.args else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = number(node.operand)
        return None if value is None else -value
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def constants(body: list[ast.stmt]) -> Iterator[tuple[str, int | None, int]]:
    """(name, number, line) of the assignments of a module or class: A = 1, A, B = 1, 2, A, B = range(2)."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from constants(node.body)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and not isinstance(node.value, ast.Call):
            yield node.target.id, number(node.value), node.lineno
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name) and not isinstance(node.value, ast.Call):
                    yield target.id, number(node.value), node.lineno
                elif isinstance(target, ast.Tuple):
                    ranged = isinstance(node.value, ast.Call) and getattr(node.value.func, "id", "") == "range"
                    values = node.value.elts if isinstance(node.value, ast.Tuple) else [None] * len(target.elts)
                    for at, (one, value) in enumerate(zip(target.elts, values, strict=False)):
                        if isinstance(one, ast.Name):
                            yield one.id, at if ranged else number(value), node.lineno


def typed_twice(path: str, text: str, known: set[tuple[str, int]]) -> list[str]:
    """Where a Python file types a number of C; `known`: those it could read. Two enums may use one name."""
    small = {(plain.lower(), value) for name, value in known for plain in (name, PREFIX.sub("", name))}
    tree = ast.parse(text)
    found = [f"{path}:{line}: {name} = {value}" for name, value, line in constants(tree.body)
             if (name, value) in known and (path, name) not in ALLOWED]
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            entries = [(key.value, number(value), key.lineno) for key, value in zip(node.keys, node.values, strict=True)
                       if isinstance(key, ast.Constant) and isinstance(key.value, str)]
            hits = [f"{path}:{line}: {name} = {value}" for name, value, line in entries
                    if (name.lower(), value) in small]
            found += hits if len(hits) >= ENOUGH else []
    return found


def sources(*suffixes: str) -> Iterator[tuple[str, str]]:
    """(path, text) of the code."""
    for top in ("engine", "ai", "server", "client"):
        for path in sorted((ROOT / top).rglob("*.p*")):
            if path.suffix in suffixes:
                yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def test_no_number_is_typed_in_two_languages() -> None:
    c: dict[str, set[tuple[str, int]]] = {}
    for path, text in sources(".pxd", ".pyx"):
        if "/_" in path:        # the test-only rooms of the core have numbers of their own
            continue
        c.setdefault(house(path), set()).update(c_numbers(text).items())
    found = [one for path, text in sources(".py")
             for one in typed_twice(path, text, c["engine/core"] | c["ai"] | c.get(house(path), set()))]
    left = [one for one in found if not one.startswith(UNREAD)]
    assert not left, "\n".join(left)


def test_a_number_typed_twice_is_found() -> None:
    known = c_numbers("cdef enum:\n    SEATS = 4   # at most\n    NOBODY = 0xFF\n\n"
                      "cpdef enum Verb:\n    V_MOVE\n    V_HIDE\n    V_LOOK = 7\n    V_TAKE\n    V_LAST = V_TAKE\n\n"
                      "cdef int HAND = 3\n")
    assert known == {"SEATS": 4, "NOBODY": 255, "V_MOVE": 0, "V_HIDE": 1, "V_LOOK": 7, "V_TAKE": 8, "V_LAST": 8}
    for planted in ("SEATS = 4", "A, SEATS = 1, 4", "class Op:\n    NOBODY = 255", "V_MOVE, V_HIDE = range(2)",
                    "VERBS = {'MOVE': Signature(0, ()), 'HIDE': Signature(1), 'LOOK': Signature(7)}"):
        assert typed_twice("a.py", planted, {("SEATS", 9), *known.items(), ("MOVE", 9)}), planted
    for fine in ("SEATS = 5", "SEATS = v.SEATS", "def f():\n    SEATS = 4", "ROWS = {'move': 0}", "HAND = 3"):
        assert not typed_twice("a.py", fine, set(known.items())), fine
