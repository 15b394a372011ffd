"""Kuhn poker, where every answer is known."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from seatmate.ai.search import Analysis, Limits, Search, SearchParams
from seatmate.engine.core.game import Game, State

KuhnPosition = Callable[[str, str], tuple[State, int]]

PASS, BET = 0, 1


def searched(position: tuple[State, int], iterations: int, params: SearchParams, seed: int = 1) -> Analysis:
    state, seat = position
    return Search(state, seat, seed=seed, params=params).run(Limits(iterations=iterations))


PUCT = SearchParams(prior_temperature=0.5)


@pytest.fixture(params=["merged", "split", "regret"])
def params(request: pytest.FixtureRequest, kuhn: Game) -> SearchParams:
    if request.param == "regret":
        return SearchParams.for_game(kuhn.spec)
    return replace(PUCT, split_private=request.param == "split")


@pytest.mark.parametrize(("cards", "moves", "action"), [
    ("JK", "b", BET), ("KJ", "pb", BET),        # the best card never folds
    ("KJ", "b", PASS), ("JK", "pb", PASS),      # the worst card never calls
    ("JK", "p", BET),                           # the best card bets after a check
])
@pytest.mark.parametrize("seed", range(3))
def test_equilibrium_choices_that_have_no_alternative(
    kuhn_position: KuhnPosition, params: SearchParams, cards: str, moves: str, action: int, seed: int
) -> None:
    best = searched(kuhn_position(cards, moves), 10_000, params, seed).best
    assert best.action == action
    assert best.policy > 0.9
    assert params.selection == "regret" or best.visit_share > 0.5


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("cards", ["QK", "QJ"])
def test_the_middle_card_opens_with_a_check(kuhn_position: KuhnPosition, kuhn: Game, cards: str, seed: int) -> None:
    # A bet gains nothing from J, who folds, and loses to K, who calls; only opponents who know their card show it.
    for params in (replace(PUCT, split_private=True), SearchParams.for_game(kuhn.spec)):
        assert searched(kuhn_position(cards, ""), 10_000, params, seed).best.action == PASS


def test_values_of_decisions_that_end_the_game(kuhn_position: KuhnPosition, params: SearchParams) -> None:
    by_action = {c.action: c for c in searched(kuhn_position("KJ", "pb"), 2000, params).candidates}
    assert by_action[BET].value == 1.0 and by_action[BET].win_probability == 1.0
    assert by_action[PASS].value == 0.25 and by_action[PASS].win_probability == 0.0


def test_equal_results_leave_room_for_others(kuhn_position: KuhnPosition, params: SearchParams) -> None:
    # A call with K always wins, but two wins don't tell; many do.
    for iterations in (8, 50, 5000):
        call = {c.action: c for c in searched(kuhn_position("KJ", "pb"), iterations, params).candidates}[BET]
        assert call.visits >= 2 and call.value == 1.0
        share = 1 - 0.05 ** (1 / call.visits)       # of other results that may not have come up yet
        assert call.standard_error == pytest.approx(share / 1.96)


@pytest.mark.parametrize("params", [PUCT, replace(PUCT, split_private=True)], ids=["merged", "split"])
def test_standard_error_of_a_coin_flip(kuhn_position: KuhnPosition, params: SearchParams) -> None:
    # Q calls a bet: K or J with equal chance, utility 0 or 1.
    by_action = {c.action: c for c in searched(kuhn_position("QK", "pb"), 4000, params).candidates}
    call = by_action[BET]
    assert call.value == pytest.approx(0.5, abs=5 * call.standard_error)
    assert call.standard_error == pytest.approx(0.5 / call.visits**0.5, rel=0.1)


def test_nodes_are_the_information_states_of_the_sampled_worlds(kuhn_position: KuhnPosition) -> None:
    # K to open: the root and the answer to check-bet; the other seat after a check and after a bet, per card if split.
    for split, nodes in ((False, 4), (True, 6)):
        found = searched(kuhn_position("KJ", ""), 20_000, replace(SearchParams.plain(), split_private=split))
        assert (found.nodes, found.depth) == (nodes, 3)


def test_open_and_public_trees_merge_what_others_hold(kuhn_position: KuhnPosition) -> None:
    for key in ("public", "open"):
        found = searched(kuhn_position("KJ", ""), 20_000, replace(SearchParams.plain(), tree_key=key))
        assert found.nodes == 4


def test_the_principal_variation_names_the_other_seat(kuhn_position: KuhnPosition, params: SearchParams) -> None:
    best = searched(kuhn_position("KJ", ""), 5000, params).best
    assert len(best.principal_variation) > 1
    assert best.principal_variation[1].startswith("Seat 1: ")
