"""Every reason that a failing call can name stands in the API's enum, and none that no call names."""
from __future__ import annotations

import ast
from pathlib import Path

import seatmate.server
from seatmate.server import errors
from seatmate.v1 import error_reason_pb2

MAKERS = {"ApiError": 1, "__init__": 1, "bad_field": 2, "too_many": 0}
"""Functions that make an error, and the place of the reason among their arguments."""


def named() -> set[str]:
    """The reasons in the sources of the server."""
    found = set()
    for file in Path(next(iter(seatmate.server.__path__))).glob("**/*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                place = MAKERS.get(name)
                if place is not None and len(node.args) > place and isinstance(node.args[place], ast.Constant):
                    found.add(str(node.args[place].value))
            elif isinstance(node, ast.FunctionDef) and node.name in MAKERS:
                found |= {default.value for default in node.args.defaults
                          if isinstance(default, ast.Constant) and isinstance(default.value, str)}
    return {reason for reason in found if reason.isupper()}


def test_every_reason_is_in_the_api() -> None:
    known = set(error_reason_pb2.ErrorReason.keys()) - {"ERROR_REASON_UNSPECIFIED"}
    assert named() == known
    assert error_reason_pb2.DESCRIPTOR.package == errors.DOMAIN
