"""The search and the bots in every registered game."""
from __future__ import annotations

import pytest

from cases import Case
from search_checks import (
    check_bots,
    check_hints_change_nothing,
    check_no_peek,
    check_only_some_actions,
    check_rebuilt_positions_know_their_past,
    check_search_is_reproducible,
)
from seatmate.engine.core.game import Game

pytestmark = pytest.mark.usefixtures("case")


def seeds(case: Case) -> range:
    return range(30, 31) if case.changed else range(3)


def test_no_peeking_bit_for_bit(case: Case, game: Game) -> None:
    for seed in seeds(case):
        check_no_peek(game, seed)


def test_rebuilt_positions_know_their_past(case: Case, game: Game) -> None:
    for seed in seeds(case):
        check_rebuilt_positions_know_their_past(game, seed)


def test_a_search_is_reproducible(case: Case, game: Game) -> None:
    for seed in seeds(case):
        check_search_is_reproducible(game, seed)


def test_a_search_of_some_actions(case: Case, game: Game) -> None:
    for seed in seeds(case)[:1]:
        check_only_some_actions(game, seed)


def test_bots_do_not_peek_and_leave_the_table_alone(case: Case, game: Game) -> None:
    for seed in seeds(case):
        check_bots(game, seed)


def test_hints_never_change_the_deal(case: Case, game: Game) -> None:
    for seed in seeds(case):
        check_hints_change_nothing(game, seed)
