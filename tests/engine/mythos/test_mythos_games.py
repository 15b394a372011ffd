"""Random games with random decks: every position holds the invariants.

The long run, 200,000 games, takes about two minutes:

    python tests/engine/mythos/test_mythos_games.py 200000
"""
from __future__ import annotations

import sys

import pytest

from seatmate.engine.core.registry import game_spec, new_game
from seatmate.engine.mythos.secrets.fields import FIELDS, FRAME
from seatmate.tests.native.random_games import random_games

PER_PAIR = 10
"""Games for each pair of random decks."""


def play(pairs: range, eager: int, **options: str) -> dict[str, int]:
    """Random games with a pair of random decks for each number; returns the maxima seen."""
    most: dict[str, int] = {}
    for pair in pairs:
        game = new_game("mythos", options={"deck0": f"random:{2 * pair}", "deck1": f"random:{2 * pair + 1}", **options})
        for key, value in random_games(game, PER_PAIR, pair, eager=eager).items():
            most[key] = max(most.get(key, 0), value)
    return most


@pytest.mark.parametrize("eager", [0, 95])
def test_random_games_with_random_decks(eager: int) -> None:
    most = play(range(150), eager)
    assert most["decisions"] <= 2 + 3 * most["questions"] and most["decisions"] < game_spec("mythos").max_decisions / 4
    assert most["units"] <= 48 and most["frames"] <= 18 and most["reactions"] < 28 and most["tracks"] < 20


def test_the_rows_cover_the_state() -> None:
    """What they leave out is padding before words of 2 or 8 bytes; of a frame, nothing."""
    assert all(len(gap) < 8 and gap.stop % 2 == 0 for gap in FIELDS.gaps()) and FRAME.gaps() == []
    assert FIELDS.size == new_game("mythos").state_bytes


def test_the_bound_of_decisions() -> None:
    """998 of RULES.md, section 10: 332 questions of at most three decisions, and the two mulligans. That no question is longer, and
    none beyond the last is asked, random_games checks after every decision."""
    assert game_spec("mythos").max_decisions >= 2 + 3 * 332


@pytest.mark.parametrize("asked", [260, 300, 325])
def test_random_games_that_meet_the_last_question(asked: int) -> None:
    """However far the game is, it then runs to its end by itself, and breaks no invariant on the way."""
    for pair in range(40):
        game = new_game("mythos", options={"deck0": f"random:{pair}", "deck1": f"random:{pair + 100}"})
        most = random_games(game, 25, pair, eager=95, asked=asked)
        if asked > 300:
            assert most["questions"] > 332
            assert most["decisions"] <= 2 + 3 * (332 - asked + 1)


@pytest.mark.parametrize("options", [
    {"open_decklists": "no"}, {"mission_setup": "alternate"}, {"reveal_wait": "1"}, {"hidden_cost_attr": "1"}, {"enemy_clash": "0"},
    {"skip_gain": "1"}])
def test_random_games_with_options(options: dict[str, str]) -> None:
    assert play(range(200, 230), 90, **options)["decisions"] < game_spec("mythos").max_decisions / 4


@pytest.mark.parametrize("first", ["leaf", "sand", "sound", "rogue", "sannin", "hunters"])
def test_random_games_with_ready_decks(first: str) -> None:
    for second in ("leaf", "sound", "sannin"):
        random_games(new_game("mythos", options={"deck0": first, "deck1": second}), 50, 1, eager=80)


if __name__ == "__main__":
    count = int(sys.argv[1])
    for eagerness in (0, 95):
        print(f"eager {eagerness}: {play(range(count // PER_PAIR // 2), eagerness)}")
