"""`seatmate levels`."""
from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
import typer

from seatmate.ai import levels as levels_module
from seatmate.ai.levels import NAMES, Levels, levels_of, read_levels
from seatmate.server.cli.main import app

from .conftest import CommandLine

SMALL = ("--deals", "4", "--seed", "1", "--workers", "1")


def test_ratings_steps_times_and_bots_stand_in_a_table(seatmate: CommandLine) -> None:
    shown = seatmate("levels", "connect_four")
    assert shown.code == 0 and "play otherwise" not in shown.stdout and "no room" not in shown.stdout
    for words in ("Elo above random", "level:novice", "level:master", "player:iterations=500", "±"):
        assert words in shown.stdout


def test_json_has_intervals_and_how_much_changed(seatmate: CommandLine) -> None:
    said = seatmate("levels", "tic_tac_toe", "--json").json()
    assert [level["name"] for level in said["levels"]] == list(NAMES) and said["changed"] == 0 and not said["graded"]
    assert all(low < middle < high for middle, low, high in (level["rating"] for level in said["levels"]))


def test_levels_without_room_say_so_and_what_is_shown_instead(seatmate: CommandLine) -> None:
    shown = " ".join(seatmate("levels", "kuhn").stdout.split())
    assert "no room for eight levels" in shown and "won on average, where 1 is the most that a deal can bring" in shown


def test_levels_that_play_otherwise_than_when_measured_say_so(seatmate: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    known = levels_of("tic_tac_toe")
    last = known.levels[-1]
    moved = dataclasses.replace(last, choices=tuple(choice + 1 for choice in last.choices))

    def other(game_id: str) -> Levels:
        return dataclasses.replace(known, levels=(*known.levels[:-1], moved))

    monkeypatch.setattr(levels_module, "levels_of", other)
    shown = " ".join(seatmate("levels", "tic_tac_toe").stdout.split())
    assert "play otherwise than when they were measured: 12 % of their answers" in shown.replace("12%", "12 %")


def test_measured_anew_they_are_the_same_bots(seatmate: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "again.toml"
    assert seatmate("levels", "tic_tac_toe", "--measure", "--write", str(file), *SMALL).code == 0
    again, known = read_levels(file), levels_of("tic_tac_toe")
    assert [(level.bot, level.choices) for level in again.levels] == [(level.bot, level.choices) for level in known.levels]
    assert again.measured["deals"] == 4


@pytest.mark.parametrize(("options", "said"), [
    (("--write", "x.toml"), "--write goes with --calibrate or --measure"), (("--calibrate", "--measure"), "give one of"),
    (("--measure", "--iterations", "20"), "--iterations goes with --calibrate"),
    (("--deals", "5", "--seed", "1"), "--deals, --seed go with --calibrate or --measure")])
def test_what_does_not_go_together_is_refused(seatmate: CommandLine, options: tuple[str, ...], said: str) -> None:
    shown = seatmate("levels", "kuhn", *options)
    assert shown.code == 2 and said in " ".join(shown.stderr.split())


def test_what_is_for_measurements_is_refused_without_one(seatmate: CommandLine) -> None:
    """Every option of the command, so that none that is added is without effect in silence."""
    root: Any = typer.main.get_command(app)
    values = {"backend": "local", "option": "level=x", "iterations": "16"}
    flags = {parameter.name: parameter.opts[0] for parameter in root.commands["levels"].params}
    asked = set(flags) - {"game", "calibrate", "measure", "json", "no_color", "help"}
    assert len(asked) >= 10
    for name in asked:
        said = f"{flags[name]} goes with --calibrate or --measure"
        seatmate("levels", "kuhn", flags[name], values.get(name, "2")).refused(2, said)
