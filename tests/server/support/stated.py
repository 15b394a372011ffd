"""What the protos say of errors: which reasons each call names as its own, and which any call can have."""
from __future__ import annotations

import functools
import importlib.util
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from types import ModuleType

from seatmate.engine.core.errors import SeatmateError
from seatmate.server.errors import ApiError, from_engine
from seatmate.server.interceptors import Call, answer_errors

ROOT = Path(__file__).parents[3]


def script(path: str) -> ModuleType:
    """A program of the repository, such as unasync.py, as a module."""
    file = ROOT / path
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@functools.cache
def by_call() -> dict[str, frozenset[str]]:
    """The reasons of each call's own, by its path."""
    reference = script("proto/reference.py")
    return {f"/seatmate.v1.{call.replace('.', '/')}": frozenset(reasons)
            for call, reasons in reference.calls(reference.read()).items()}


@functools.cache
def of_any_call() -> frozenset[str]:
    """The reasons whose comment says so."""
    found, comment = set(), ""
    for line in (ROOT / "proto/seatmate/v1/error_reason.proto").read_text("utf-8").splitlines():
        words = line.split()
        comment = f"{comment} {line}" if words[:1] == ["//"] else comment
        if words[1:2] == ["="]:
            found |= {words[0]} if "Any call" in comment else set()
        if words[:1] != ["//"]:
            comment = ""
    return frozenset(found)


def noting(unstated: list[str]) -> Callable[[Call], AbstractAsyncContextManager[None]]:
    """`answer_errors` that notes reasons which their call does not state."""
    @asynccontextmanager
    async def around(call: Call) -> AsyncIterator[None]:
        async with answer_errors(call):
            try:
                yield
            except (ApiError, SeatmateError) as error:
                reason = error.reason if isinstance(error, ApiError) else from_engine(error).reason
                if reason not in by_call().get(call.method, frozenset()) | of_any_call():
                    unstated.append(f"{call.method} {reason}")
                raise

    return around
