"""Reading texts of the command line."""
from __future__ import annotations

import pytest
import typer

from seatmate.server.cli.arguments import choose_seed, parse_options


def test_options_are_read() -> None:
    assert parse_options(["level=expert", "outcasts = enid,ajax", "note=a=b"]) == {
        "level": "expert", "outcasts": "enid,ajax", "note": "a=b"}
    assert parse_options(None) == {}


@pytest.mark.parametrize(("texts", "message"), [
    (["level"], "KEY=VALUE, not 'level'"), (["=x"], "KEY=VALUE, not '=x'"), (["a=1", "a=2"], "given twice")])
def test_broken_options_are_refused(texts: list[str], message: str) -> None:
    with pytest.raises(typer.BadParameter, match=message):
        parse_options(texts)


def test_seeds() -> None:
    assert choose_seed(0) == 0
    assert len({choose_seed(None) for _ in range(20)}) > 1
