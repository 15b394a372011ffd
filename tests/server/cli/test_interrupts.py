"""Ctrl-C in every command that works for long: what is kept, and how to get the same again."""
from __future__ import annotations

import re
import shlex
from typing import Any

import pytest
import typer

from seatmate.server.cli.main import app

from .conftest import CommandLine

BOTS = ["--bots", "heuristic,random"]

LONG: dict[str, list[tuple[list[str], str, str]]] = {
    # per command: a line, what works when Ctrl-C comes, and what is said
    "tournament": [
        (["tournament", "kuhn", *BOTS], "seatmate.ai.arena.run_tournament", "nothing is kept without --results FILE"),
        (["tournament", "kuhn", *BOTS, "--results", "a.jsonl"], "seatmate.ai.arena.run_tournament", "is kept in a.jsonl"),
        (["tournament", "kuhn", "--vary", "first=0,1"], "seatmate.ai.arena.run_matrix", "nothing is kept without --results FILE"),
        (["tournament", "mythos", "--decks", "leaf,sand", "--results", "a.jsonl"], "seatmate.ai.arena.run_matrix",
         "is kept in a.jsonl"),
        (["tournament", "titans", "--balance"], "seatmate.ai.arena.run_balance", "nothing is kept without --results FILE"),
        (["tournament", "titans", "--balance", "--results", "a.jsonl"], "seatmate.ai.arena.run_balance", "is kept in a.jsonl"),
    ],
    "tournaments": [(["tournaments", "watch", "tournaments/0123", "--token", "secret"], "seatmate.client.blocking.Tournament.watch",
                     "the tournament goes on at the server")],
    "tune": [
        (["tune", "kuhn"], "seatmate.ai.arena.run_tuning", "nothing is kept without --results FILE"),
        (["tune", "kuhn", "--results", "a.jsonl"], "seatmate.ai.arena.run_tuning", "is in a.jsonl and the files beside it"),
        (["tune", "kuhn", "--time", "5"], "seatmate.ai.arena.tuning.deals_for", "nothing is kept without --results FILE"),
        (["tune", "kuhn", "--time", "5", "--results", "a.jsonl"], "seatmate.ai.arena.tuning.deals_for", "nothing is kept yet"),
    ],
    "play": [
        (["play", "kuhn"], "seatmate.server.cli.table.Table.run", "without --record FILE nothing is kept"),
        (["play", "kuhn", "--record", "b.json"], "seatmate.server.cli.table.Table.run", "the game so far is kept in b.json"),
    ],
    "cards": [(["cards", "mythos"], "seatmate.ai.arena.cards.card_rates", "nothing is kept")],
    "levels": [(["levels", "kuhn", "--calibrate"], "seatmate.ai.arena.run_levels", "nothing is kept")],
    "review": [(["review", "game.json"], "seatmate.server.cli.review.think", "ask for a quicker one")],
    "hint": [(["hint", "game.json"], "seatmate.server.cli.hint.think", "there is no hint yet")],
    "demo": [(["demo"], "seatmate.server.cli.demo_client.serve_and_play", "nothing is kept")],
    "bench": [(["bench", "kuhn"], "seatmate.server.cli.bench.measure", "nothing is kept")],
}

OTHERS = {"replay", "report", "games", "bots", "decks", "packs", "serve", "admin"}
"""These are done at once; but for the server, which says at its start what is kept, and that Ctrl-C stops it."""

SEEDED = {"bench", "tournaments"}
"""Their seed is always the same, or the server's."""


def commands() -> set[str]:
    found: Any = typer.main.get_command(app)
    return set(found.commands)


def test_every_command_is_here() -> None:
    assert commands() == set(LONG) | OTHERS


@pytest.mark.parametrize(("command", "line", "work", "kept"), [
    pytest.param(command, *row, id=" ".join(row[0])) for command, rows in LONG.items() for row in rows])
def test_an_interrupt_says_what_is_kept_and_how_to_get_the_same(
        seatmate: CommandLine, monkeypatch: pytest.MonkeyPatch, command: str, line: list[str], work: str, kept: str) -> None:
    """A seed that nobody gave is told, else the same can't come again; with it the same is asked for."""
    assert seatmate("play", "kuhn", "--seed", "1", "--record", "game.json").code == 0
    monkeypatch.setattr("seatmate.server.cli.at_server._reach", lambda client, server: None)    # there is none
    seeds: list[Any] = []

    def interrupted(*arguments: Any, **named: Any) -> Any:
        seeds.append(named.get("seed"))
        raise KeyboardInterrupt

    monkeypatch.setattr(work, interrupted)
    shown = seatmate(*line)
    assert shown.code == 130 and len(shown.stderr.splitlines()) == 1 and shown.stderr.startswith("Interrupted; ")
    assert kept in shown.stderr
    told = re.search(r"--seed (\d+)", shown.stderr)
    assert told or command in SEEDED or ("--results" in line and "the same command goes on" in shown.stderr)
    if told and seeds[0] is not None:
        assert int(told[1]) == seeds[0]
    if command == "tune":
        again = shlex.split(re.split(r"again: |Go on with: ", shown.stderr.strip())[1])
        assert again[:2] == ["seatmate", "tune"] and seatmate(*again[1:]).stderr == shown.stderr
