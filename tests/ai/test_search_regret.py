"""Search by regret minimisation, against what theory says of Kuhn poker (Kuhn 1950)."""
from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from seatmate.ai.search import Limits, Search, SearchParams
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.registry import new_game

KuhnPosition = Callable[[str, str], tuple[State, int]]
Policy = Mapping[tuple[str, str], float]
"""(card, moves so far) -> probability of betting."""

CARDS = "JQK"
HISTORIES = {0: ("", "pb"), 1: ("p", "b")}      # where each seat decides


def chips(cards: str, moves: str) -> float | None:
    """What seat 0 wins in a finished hand; None while it goes on."""
    higher = 1 if CARDS.index(cards[0]) > CARDS.index(cards[1]) else -1
    return {"pp": higher, "bp": 1, "pbp": -1, "bb": 2 * higher, "pbb": 2 * higher}.get(moves)


def value(cards: str, moves: str, policies: tuple[Policy, Policy]) -> float:
    """Chips seat 0 expects of a hand."""
    won = chips(cards, moves)
    if won is not None:
        return won
    seat = len(moves) % 2
    bet = policies[seat][cards[seat], moves]
    return (1 - bet) * value(cards, moves + "p", policies) + bet * value(cards, moves + "b", policies)


def mean_value(policies: tuple[Policy, Policy]) -> float:
    return sum(value(a + b, "", policies) for a, b in itertools.permutations(CARDS, 2)) / 6


def pure(seat: int) -> list[Policy]:
    sets = [(card, moves) for card in CARDS for moves in HISTORIES[seat]]
    return [dict(zip(sets, choice, strict=True)) for choice in itertools.product((0.0, 1.0), repeat=len(sets))]


def exploitability(policies: tuple[Policy, Policy]) -> float:
    """Half of what two best responses win together: 0 for an equilibrium, 0.458 for uniform play."""
    first = max(mean_value((reply, policies[1])) for reply in pure(0))
    second = min(mean_value((policies[0], reply)) for reply in pure(1))
    return (first - second) / 2


def searched(kuhn_position: KuhnPosition, params: SearchParams, iterations: int, seed: int) -> tuple[Policy, Policy]:
    """What the search plays, searched afresh at every information set."""
    found: tuple[dict[tuple[str, str], float], dict[tuple[str, str], float]] = ({}, {})
    for seat, card in itertools.product((0, 1), CARDS):
        other = "Q" if card != "Q" else "J"
        for number, moves in enumerate(HISTORIES[seat]):
            state, asked = kuhn_position(card + other if seat == 0 else other + card, moves)
            assert asked == seat
            analysis = Search(state, seat, seed=100 * seed + 10 * number + seat, params=params).run(
                Limits(iterations=iterations))
            found[seat][card, moves] = {c.action: c.policy for c in analysis.candidates}[1]
    return found


def test_the_measure() -> None:
    uniform = dict.fromkeys([(card, moves) for card in CARDS for moves in ("", "pb", "p", "b")], 0.5)
    assert exploitability((uniform, uniform)) == pytest.approx(0.458333, abs=1e-5)
    for alpha in (0.0, 0.2, 1 / 3):
        first = {("J", ""): alpha, ("Q", ""): 0, ("K", ""): 3 * alpha, ("J", "pb"): 0, ("Q", "pb"): alpha + 1 / 3, ("K", "pb"): 1}
        second = {("J", "p"): 1 / 3, ("Q", "p"): 0, ("K", "p"): 1, ("J", "b"): 0, ("Q", "b"): 1 / 3, ("K", "b"): 1}
        assert exploitability((first, second)) == pytest.approx(0, abs=1e-12)
        assert mean_value((first, second)) == pytest.approx(-1 / 18)


@pytest.mark.parametrize("seed", range(2))
def test_the_search_comes_near_the_equilibrium(kuhn_position: KuhnPosition, kuhn: Game, seed: int) -> None:
    params = SearchParams.for_game(kuhn.spec)
    policies = {n: searched(kuhn_position, params, n, seed) for n in (100, 10_000, 100_000)}
    found = {n: exploitability(policy) for n, policy in policies.items()}
    assert found[100_000] < found[100]
    assert found[10_000] <= 0.08 and found[100_000] <= 0.04
    assert mean_value(policies[100_000]) == pytest.approx(-1 / 18, abs=0.04)


def test_puct_is_exploitable_where_regret_is_not(kuhn_position: KuhnPosition) -> None:
    policy = searched(kuhn_position, SearchParams(prior_temperature=0.5, split_private=True), 10_000, 1)
    assert exploitability(policy) > 0.1


def test_worlds_are_weighted_by_what_was_observed(kuhn_position: KuhnPosition, kuhn: Game) -> None:
    # Facing a bet the queen meets the king far more often than the jack: calling is worth clearly less than a coin flip.
    state, seat = kuhn_position("KQ", "b")
    params = SearchParams.for_game(kuhn.spec)
    call = {c.action: c for c in Search(state, seat, seed=3, params=params).run(Limits(iterations=20_000)).candidates}[1]
    naive = {c.action: c for c in Search(state, seat, seed=3, params=replace(params, start_share=0.0, open_until=0)).run(
        Limits(iterations=20_000)).candidates}[1]
    assert call.value is not None and call.value < 0.4
    assert naive.value == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize(("game_id", "seats", "options"), [
    ("kuhn", 2, {}), ("leduc", 2, {}), ("liars_dice", 2, {}), ("liars_dice", 3, {"dice": 2}), ("liars_dice", 4, {})])
def test_a_position_rebuilt_from_a_view_has_its_past(game_id: str, seats: int, options: dict[str, int]) -> None:
    """A hint there is the hint at the table, bit for bit, at every decision of some games."""
    game = new_game(game_id, seats=seats, options=options)
    params = SearchParams(selection="regret", start_share=0.9, open_until=100)     # weighs every world by the past
    after = 0
    for seed in range(6):
        state = game.new_state(seed)
        while not state.is_over:
            seat = state.pending[0]
            view = game.new_view(seat)
            view.feed(state.events(seat))
            position = game.state_from_view(view.snapshot(), seat, 7)
            for knobs in (params, None):
                played, rebuilt = (Search(where, seat, seed=seed, params=knobs).run(Limits(iterations=1000))
                                   for where in (state, position))
                assert replace(played, elapsed_s=0.0) == replace(rebuilt, elapsed_s=0.0)
            after += bool(state.actions)
            legal = state.legal_actions(seat)
            low = game_id == "liars_dice" and len(state.actions) < 5        # so that there is a past
            state.apply_action(seat, legal[0 if low else (seed + 1) % len(legal)])
    assert after > 5


def test_what_is_played_is_drawn_from_the_policy(kuhn_position: KuhnPosition, kuhn: Game) -> None:
    state, seat = kuhn_position("QJ", "p")      # the jack bluffs in a third of the games
    played = []
    for seed in range(60):
        search = Search(state, seat, seed=seed)
        search.simulate(Limits(iterations=2000))
        assert search.choose() == search.choose()
        played.append(search.choose())
    assert 5 <= sum(played) <= 35


def test_simultaneous_choices_by_regret_are_mixed() -> None:
    game = new_game("goofspiel", seats=2, options={"cards": 4})
    params = SearchParams(joint_regret=True, rollout_epsilon=1.0)
    state = game.new_state(3)
    search = Search(state, 0, seed=1, params=params)
    analysis = search.run(Limits(iterations=5000))
    assert sum(c.policy for c in analysis.candidates) == pytest.approx(1)
    assert max(c.policy for c in analysis.candidates) < 1
    assert search.best_action == analysis.best.action
