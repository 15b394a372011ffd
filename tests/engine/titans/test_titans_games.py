"""Random games of all modes: every position holds the invariants, every game ends in time.

The long run:  python tests/engine/titans/test_titans_games.py 20000
"""
from __future__ import annotations

import sys

import pytest

from seatmate.engine.core.errors import SettingsError
from seatmate.engine.core.registry import game_spec, new_game
from seatmate.tests.native.random_games import random_games

MODES = ("duel", "team3", "team4", "ffa3", "comp")


@pytest.mark.parametrize("mode", MODES)
def test_random_games(mode: str) -> None:
    most = random_games(new_game("titans", mode=mode), 1500, 11)
    assert most["decisions"] < 1500 < game_spec("titans").max_decisions
    assert most["frames"] <= 16 and most["rounds"] <= (30 if mode == "ffa3" else 40)


@pytest.mark.parametrize(("mode", "option"), [("duel", "first_game"), ("team3", "first_game"), ("team4", "first_game"),
                                              ("ffa3", "flame_every_turn")])
def test_random_games_with_options(mode: str, option: str) -> None:
    random_games(new_game("titans", mode=mode, options={option: True}), 500, 12)


@pytest.mark.parametrize(("mode", "option"), [("ffa3", "first_game"), ("comp", "first_game"), ("duel", "flame_every_turn"),
                                              ("team4", "flame_every_turn")])
def test_options_of_other_modes_are_refused(mode: str, option: str) -> None:
    with pytest.raises(SettingsError, match=rf"options\.{option}"):
        new_game("titans", mode=mode, options={option: True})


def test_a_state_is_small() -> None:
    assert new_game("titans").state_bytes <= 1024


if __name__ == "__main__":
    for name in MODES:
        print(name, random_games(new_game("titans", mode=name), int(sys.argv[1]), 1))
