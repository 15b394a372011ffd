"""The levels that are shipped: as far apart as they promise, better than chance, and the ones that were measured."""
from __future__ import annotations

import pytest

from seatmate.ai.arena.choices import ROUNDING, changed
from seatmate.ai.levels import LEAST_STEP, MOST_STEP, NAMES, UTILITY_UNIT, levels_of
from seatmate.engine.core.registry import list_games

GAMES = [spec.id for spec in list_games()]

CRAMPED = {"kuhn", "leduc", "liars_dice"}
"""Games without room for eight levels that are 60 % apart."""


@pytest.mark.parametrize("game_id", GAMES)
def test_neighbours_are_as_far_apart_as_levels_promise(game_id: str) -> None:
    levels = levels_of(game_id)
    steps = [level.step for level in levels.levels if level.step is not None]
    assert len(steps) == len(NAMES) - 1 and levels.cramped == (game_id in CRAMPED)
    together = levels.unit == UTILITY_UNIT      # in the mode that was measured, all win together
    if together or levels.cramped:
        nothing = 0.0 if together else 0.5
        assert all(step.mean - step.ci95 > nothing for step in steps), steps
    else:
        assert all(step.mean + step.ci95 >= LEAST_STEP and step.mean - step.ci95 <= MOST_STEP for step in steps), steps


@pytest.mark.parametrize("game_id", GAMES)
def test_the_weakest_level_is_better_than_chance(game_id: str) -> None:
    rating = levels_of(game_id).levels[0].rating
    assert rating is not None and rating[1] > 0       # `random` has 0, and chance brings nothing where all win together


@pytest.mark.parametrize("game_id", GAMES)
def test_levels_play_as_they_did_when_they_were_measured(game_id: str) -> None:
    """Where this fails, rules, heuristic or search have changed what levels play: measure them anew (`seatmate levels GAME
    --measure --write FILE`), or calibrate."""
    share = changed(levels_of(game_id))
    assert share is not None and share <= ROUNDING, share
