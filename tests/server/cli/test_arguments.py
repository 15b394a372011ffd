"""Reading texts of the command line."""
from __future__ import annotations

import pytest
import typer
from seatmate.server.cli.arguments import choose_seed, parse_options, split_bots


@pytest.mark.parametrize(("text", "bots"), [
    ("random", ["random"]),
    ("random,heuristic", ["random", "heuristic"]),
    (" random , heuristic ", ["random", "heuristic"]),
    ("search:iterations=100,time_ms=50", ["search:iterations=100,time_ms=50"]),
    ("search:iterations=100,time_ms=50,heuristic", ["search:iterations=100,time_ms=50", "heuristic"]),
    ("heuristic,search:time_ms=50, iterations=7,search", ["heuristic", "search:time_ms=50,iterations=7", "search"]),
    ("search:iterations=1,search:iterations=10", ["search:iterations=1", "search:iterations=10"]),
])
def test_bots_are_split_at_commas_that_start_a_bot(text: str, bots: list[str]) -> None:
    assert split_bots(text) == bots


@pytest.mark.parametrize("text", ["", ",", "random,", "random,,heuristic"])
def test_a_missing_bot_is_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="a bot is missing"):
        split_bots(text)


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
