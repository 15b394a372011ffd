"""`seatmate bench`."""
from __future__ import annotations

import pytest

from seatmate.engine.core.registry import list_games, new_game
from seatmate.server.cli.bench import FIGURES

from .conftest import CommandLine

QUICK = ("--repeats", "3", "--slice-ms", "5")


@pytest.mark.parametrize("game", [spec.id for spec in list_games()])
def test_json_has_every_figure(seatmate: CommandLine, game: str) -> None:
    shown = seatmate("bench", game, *QUICK, "--json")
    assert shown.code == 0 and shown.stderr == ""
    result = shown.json()
    assert set(result) == {"game", "mode", "seats", *FIGURES}
    assert result["state_bytes"] == new_game(game).state_bytes
    assert result["seats"] == new_game(game).seats
    for key in FIGURES:
        assert result[key] > 0
    assert result["decisions_per_s"] > result["playouts_per_s"]


def test_the_table_for_a_person(seatmate: CommandLine) -> None:
    shown = seatmate("bench", "kuhn", "--seats", "2", *QUICK)
    assert shown.code == 0
    for text in FIGURES.values():
        assert text in shown.stdout


@pytest.mark.parametrize(("arguments", "parts"), [
    (["khun"], ["'khun'"]), (["kuhn", "--seats", "3"], ["seats: 3"]), (["kuhn", "--repeats", "0"], ["--repeats"]),
    *[(["kuhn", "--slice-ms", wrong], ["--slice-ms", "range"]) for wrong in ("inf", "nan", "0", "-inf", "1e300")],
    ([], ["Missing argument 'GAME'"])])
def test_bad_command_lines(seatmate: CommandLine, arguments: list[str], parts: list[str]) -> None:
    seatmate("bench", *arguments).refused(2, *parts)
