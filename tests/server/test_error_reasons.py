"""Every reason that a failing call can name stands in the API's enum and at the call, and none that no call names.

That calls fail with nothing else is noted in all other tests: see `failures_are_stated`.
"""
from __future__ import annotations

import ast
import asyncio
import contextlib
from pathlib import Path

import seatmate.server
from seatmate.server import errors, interceptors
from seatmate.v1 import error_reason_pb2
from stated import ROOT, by_call, noting, of_any_call, script

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


def test_every_reason_is_stated_at_its_calls_or_comes_from_any() -> None:
    own = set().union(*by_call().values())
    assert not own & of_any_call()
    assert own | of_any_call() == set(error_reason_pb2.ErrorReason.keys()) - {"ERROR_REASON_UNSPECIFIED"}


def test_a_reason_that_is_not_stated_is_noted() -> None:
    noted: list[str] = []

    class Context:
        def trailing_metadata(self) -> tuple[()]:
            return ()

        async def abort_with_status(self, status: object) -> None:
            raise ConnectionError

    async def fail(reason: str) -> None:
        with contextlib.suppress(ConnectionError):
            async with noting(noted)(interceptors.Call("/seatmate.v1.TableService/GetTable", Context())):
                raise errors.ApiError(errors.Code.NOT_FOUND, reason, "")

    for reason in ("TABLE_NOT_FOUND", "INTERNAL", "STALE_SEQUENCE"):
        asyncio.run(fail(reason))
    assert noted == ["/seatmate.v1.TableService/GetTable STALE_SEQUENCE"]


def test_the_reference_is_up_to_date() -> None:
    assert (ROOT / "docs/api.md").read_text("utf-8") == script("proto/reference.py").reference(), "make reference"
