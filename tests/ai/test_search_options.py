"""Every knob of SearchParams does what its text says, where the answer can be computed by hand or exactly."""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from seatmate.ai.search import Analysis, Candidate, Limits, Search, SearchParams
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.registry import new_game

KuhnPosition = Callable[[str, str], tuple[State, int]]

PASS, BET = 0, 1

PLAIN = SearchParams.plain()
EVENLY = replace(PLAIN, exploration=1e6)
"""All actions as often as each other."""

KING_CALLS, KING_WINS, FOLDED = 1.0, 0.75, 0.25     # what the king gets for a called bet, a showdown or a fold, and for folding


def searched(position: tuple[State, int], params: SearchParams, iterations: int = 8000, *, depth: int | None = None) -> Analysis:
    state, seat = position
    return Search(state, seat, seed=1, params=params).run(Limits(iterations=iterations, depth=depth))


def by_action(analysis: Analysis) -> dict[int, Candidate]:
    return {candidate.action: candidate for candidate in analysis.candidates}


def values(analysis: Analysis) -> list[float]:
    """Of passing and of betting."""
    found = by_action(analysis)
    return [value for value in (found[PASS].value, found[BET].value) if value is not None]


@pytest.fixture
def king(kuhn_position: KuhnPosition) -> tuple[State, int]:
    """Seat 0 opens with the king; the other holds the jack or the queen."""
    return kuhn_position("KJ", "")


# ---- Selection ----

def test_exploration() -> None:
    state = new_game("connect_four").new_state(1)
    even = searched((state, 0), EVENLY, 700)
    assert {candidate.visits for candidate in even.candidates} == {100}
    greedy = searched((state, 0), replace(PLAIN, exploration=0.0), 700)
    default = searched((state, 0), PLAIN, 700)
    assert max(c.visits for c in greedy.candidates) > max(c.visits for c in default.candidates) > 100


@pytest.mark.parametrize("uniform", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("temperature", [0.05, 0.5, math.inf])
def test_priors_are_a_softmax_mixed_with_the_uniform_distribution(temperature: float, uniform: float) -> None:
    state = new_game("liars_dice", seats=2).new_state(3)
    scores = state.score_actions(0)
    weights = [math.exp((score - max(scores)) / temperature) for score in scores]
    found = by_action(searched((state, 0), SearchParams(prior_temperature=temperature, prior_uniform=uniform), 1))
    for action, weight in zip(state.legal_actions(0), weights, strict=True):
        assert found[action].prior == pytest.approx((1 - uniform) * weight / sum(weights) + uniform / len(weights), rel=1e-5)


def test_priors_share_out_the_visits() -> None:
    state = new_game("liars_dice", seats=2).new_state(3)
    for candidate in searched((state, 0), SearchParams(exploration=1e6, prior_temperature=0.5), 4000).candidates:
        assert candidate.visit_share == pytest.approx(candidate.prior, abs=0.002)


def test_fpu_reduction_puts_off_what_was_not_tried() -> None:
    state = new_game("connect_four").new_state(1)
    tried = []
    for reduction in (0.0, 0.3, 1e6):
        params = replace(PLAIN, exploration=0.0, fpu_reduction=reduction)
        tried.append(sum(c.visits > 0 for c in searched((state, 0), params, 30).candidates))
    assert tried[0] > tried[1] >= tried[2] == 1


def test_prior_visits_count_as_simulations() -> None:
    """A million of them leave the heuristic's opinion alone; a few give way to what is found."""
    state = new_game("goofspiel", seats=2, options={"cards": 6}).new_state(5)
    scores = state.score_actions(0)
    favourites = [action for action, score in zip(state.legal_actions(0), scores, strict=True) if score == max(scores)]
    params = replace(PLAIN, exploration=0.0)
    stubborn = searched((state, 0), replace(params, prior_visits=1e6), 1000)
    assert sum(by_action(stubborn)[action].visits for action in favourites) == 1000
    free = searched((state, 0), replace(params, prior_visits=3.0), 1000)
    assert sum(by_action(free)[action].visits for action in favourites) < 1000


# ---- What is played ----

@pytest.mark.parametrize("game_id", ["mythos", "hyde", "connect_four"])
def test_among_what_cannot_be_told_apart_the_heuristic_decides(game_id: str) -> None:
    """Without `tie_errors` the most visited action is the best one, whatever the errors."""
    state = new_game(game_id).new_state(2)
    params = SearchParams.for_game(state.game.spec)
    moved = 0
    for _ in range(12):
        seat = state.pending[0]
        by_visits, by_score = (searched((state, seat), replace(params, tie_errors=errors), 60) for errors in (0.0, 2.0))
        assert by_visits.best.visits == max(c.visits for c in by_visits.candidates)
        higher = [c for c in by_visits.candidates[1:] if c.value is not None and c.value >= (by_visits.best.value or 0)]
        assert [c for c in by_visits.candidates if c.tied] == [by_visits.best, *higher]
        tied = [c for c in by_score.candidates if c.tied]
        often = [c for c in tied if 2 * c.visits >= by_visits.best.visits]
        assert by_score.best.prior == pytest.approx(max(c.prior for c in often))
        assert all(c in often or (c.value or 0) >= (by_score.best.value or 0) for c in tied)
        for c in tied:
            if c.visits and c.value is not None and by_visits.best.value is not None:
                assert c.value >= by_visits.best.value - 3 * 2 * math.hypot(c.standard_error, by_visits.best.standard_error) - 1e-9
        moved += by_score.best.action != by_visits.best.action
        state.apply_action(seat, by_score.best.action)
    assert moved > 0


# ---- Rollouts ----

@cache
def random_value(game: Game, actions: tuple[int, ...]) -> float:
    """What seat 0 gets on average when both play uniformly at random from here on."""
    state = game.new_state(0, record_events=False)
    for action in actions:
        state.apply_action(state.pending[0], action)
    if state.is_over:
        return state.returns()[0]
    legal = state.legal_actions(state.pending[0])
    return sum(random_value(game, (*actions, action)) for action in legal) / len(legal)


def test_random_rollouts_have_the_mean_of_random_play_and_the_error_they_say() -> None:
    game = new_game("tic_tac_toe")
    start = (4, 0, 8)
    state = game.new_state(0)
    for action in start:
        state.apply_action(state.pending[0], action)
    inside = total = 0
    for seed in range(40):
        found = Search(state, 1, seed=seed, params=EVENLY).run(Limits(iterations=600, depth=1))
        for candidate in found.candidates:
            exact = 1 - random_value(game, (*start, candidate.action))
            assert candidate.value is not None and candidate.value == pytest.approx(exact, abs=5 * candidate.standard_error)
            inside += abs(candidate.value - exact) <= 1.96 * candidate.standard_error
            total += 1
    assert 0.91 < inside / total < 0.99     # 240 intervals of 95 %


def test_rollouts_without_random_moves_follow_the_heuristic(kuhn_position: KuhnPosition) -> None:
    # The queen checks: the king bets and the queen folds, the jack checks. It bets: the king calls, the jack folds.
    found = searched(kuhn_position("QK", ""), replace(EVENLY, rollout_epsilon=0.0), depth=1)
    assert values(found) == pytest.approx([(0.25 + 0.75) / 2, (0.0 + 0.75) / 2], abs=0.03)


def test_rollout_depth_counts_real_choices(king: tuple[State, int]) -> None:
    """Kuhn poker evaluates all that is not over as a half."""
    ends = [(KING_WINS + (FOLDED + KING_CALLS) / 2) / 2, (KING_WINS + KING_CALLS) / 2]
    assert values(searched(king, EVENLY, depth=1)) == pytest.approx(ends, abs=0.03)
    one = [(KING_WINS + 0.5) / 2, ends[1]]      # after a check and a bet the rollout is cut off
    assert values(searched(king, replace(EVENLY, rollout_depth=1), depth=1)) == pytest.approx(one, abs=0.02)
    assert values(searched(king, replace(EVENLY, rollout_depth=-1), depth=1)) == [0.5, 0.5]


def test_rollout_quiets_is_a_horizon_from_the_root(king: tuple[State, int]) -> None:
    """In Kuhn poker every position is quiet."""
    near = searched(king, replace(EVENLY, rollout_quiets=1))
    assert values(near) == [0.5, 0.5] and near.depth == 1
    assert searched(king, replace(EVENLY, rollout_quiets=2)).depth == 2


def test_evaluate_weight_mixes_leaf_and_rollout(king: tuple[State, int]) -> None:
    plain = [(KING_WINS + (FOLDED + KING_CALLS) / 2) / 2, (KING_WINS + KING_CALLS) / 2]
    for weight in (0.5, 1.0):
        found = searched(king, replace(EVENLY, evaluate_weight=weight), depth=1)
        assert values(found) == pytest.approx([value + weight * (0.5 - value) for value in plain], abs=0.02)


def test_mast_plays_what_has_scored_best(king: tuple[State, int], kuhn_position: KuhnPosition) -> None:
    """Who meets the king does best to pass, who meets the jack to bet and call; the jack folds."""
    jack = searched(kuhn_position("JQ", ""), replace(EVENLY, rollout_epsilon=0.0, mast=1.0), depth=1)
    assert values(jack) == pytest.approx([0.25, 0.0], abs=0.01)
    found = searched(king, replace(EVENLY, rollout_epsilon=0.0, mast=1.0), depth=1)
    assert values(found) == pytest.approx([KING_WINS, KING_WINS], abs=0.01)
    half = values(searched(king, replace(EVENLY, rollout_epsilon=0.5, mast=1.0), depth=1))
    assert values(searched(king, EVENLY, depth=1))[1] > half[1] + 0.03 > KING_WINS + 0.03


def test_mast_has_no_share_of_random_moves(king: tuple[State, int]) -> None:
    assert searched(king, replace(EVENLY, mast=1.0)).candidates == searched(king, EVENLY).candidates


def hyde_position() -> tuple[State, int]:
    """Cards lie face down, played by others."""
    state = new_game("hyde", seats=2).new_state(4)
    while len(state.actions) < 50:
        seat = state.pending[0]
        scores = state.score_actions(seat)
        state.apply_action(seat, state.legal_actions(seat)[scores.index(max(scores))])
    while len(state.legal_actions(state.pending[0])) < 3:
        state.apply_action(state.pending[0], state.legal_actions(state.pending[0])[0])
    return state, state.pending[0]


def test_evaluating_through_the_eyes_of_the_seat_has_less_noise() -> None:
    params = replace(EVENLY, rollout_depth=-1)
    seen, opened = (searched(hyde_position(), replace(params, evaluate_open=flag), 600, depth=1) for flag in (False, True))
    assert max(c.standard_error for c in seen.candidates) < min(c.standard_error for c in opened.candidates)


def test_the_world_baseline_takes_noise_away_and_no_difference() -> None:
    own = SearchParams.for_game(new_game("hyde", seats=2).spec)
    assert own.world_baseline
    with_it, without = (by_action(searched(hyde_position(), replace(own, exploration=1e6, prior_temperature=math.inf,
                                                                    world_baseline=flag), 3000)) for flag in (True, False))
    for action in with_it:
        assert with_it[action].standard_error < 0.8 * without[action].standard_error
        assert with_it[action].value == pytest.approx(without[action].value, abs=5 * without[action].standard_error)


def test_plausible_worlds_hold_what_others_would_play() -> None:
    """Cards that somebody chose to play are better ones than those of a uniformly sampled world."""
    own = SearchParams.for_game(new_game("hyde", seats=2).spec)
    assert own.plausible_worlds
    chosen, uniform = (searched(hyde_position(), replace(own, world_baseline=False, plausible_worlds=flag), 2000)
                       for flag in (True, False))
    assert chosen.value > uniform.value + 3 * uniform.best.standard_error


# ---- The other seats ----

def test_simple_others_have_no_trees(king: tuple[State, int]) -> None:
    """They play at random here: what follows a bet and a check is known, the king's own call is learned."""
    found = searched(king, replace(EVENLY, simple_others=1.0))
    assert found.nodes == 2     # the opening, and the answer to a bet after a check
    assert values(found)[BET] == pytest.approx((KING_WINS + KING_CALLS) / 2, abs=0.02)
    greedy = searched(king, replace(PLAIN, simple_others=1.0), 20_000)
    assert values(greedy) == pytest.approx([(KING_WINS + KING_CALLS) / 2] * 2, abs=0.03)


def test_some_of_the_others_may_be_simple(king: tuple[State, int]) -> None:
    """Who knows of the king folds, who plays at random calls half of the time; the king meets each as often as it is told."""
    split = replace(PLAIN, split_private=True)
    simple = (KING_WINS + KING_CALLS) / 2
    for share in (0.25, 0.75):
        found = searched(king, replace(split, simple_others=share), 20_000)
        assert values(found)[BET] == pytest.approx(KING_WINS + share * (simple - KING_WINS), abs=0.02)


def test_redeterminised_opponents_do_not_know_the_root_seats_card(king: tuple[State, int]) -> None:
    """Who is bet at folds when it knows the king is there; else the queen calls, for it may be the jack."""
    split = replace(PLAIN, split_private=True)
    assert values(searched(king, split, 20_000))[BET] == pytest.approx(KING_WINS, abs=0.03)
    blind = searched(king, replace(split, redeterminise=0.5), 20_000)
    assert values(blind)[BET] == pytest.approx((KING_WINS + KING_CALLS) / 2, abs=0.03)


# ---- Regret ----

def test_open_until_lets_the_others_know(king: tuple[State, int]) -> None:
    regret = SearchParams(selection="regret")
    for updates, called in ((10**9, False), (0, True)):
        bet = values(searched(king, replace(regret, open_until=updates), 20_000))[BET]
        assert (bet > KING_WINS + 0.05) == called


def test_a_large_regret_prior_is_the_policy(kuhn_position: KuhnPosition) -> None:
    params = SearchParams(selection="regret", prior_temperature=0.5, regret_prior=1e6)
    for candidate in searched(kuhn_position("KJ", ""), params, 2000).candidates:
        assert candidate.policy == pytest.approx(candidate.prior, abs=0.01)
    free = searched(kuhn_position("KJ", "b"), replace(params, regret_prior=0.0), 2000)
    assert by_action(free)[PASS].policy > 0.9       # the jack folds, whatever was thought at first

# ---- Mixtures ----

def goofspiel(cards: int) -> tuple[State, int]:
    return new_game("goofspiel", seats=2, options={"cards": cards}).new_state(3), 0


def test_mixing_draws_by_visits_and_worth() -> None:
    params = replace(EVENLY, mixing=0.1)
    found = searched(goofspiel(6), params, 600)
    best = max(candidate.value or 0 for candidate in found.candidates)
    weights = {c.action: c.visits * math.exp(((c.value or 0) - best) / 0.1) for c in found.candidates}
    total = sum(weights.values())
    for candidate in found.candidates:
        assert candidate.policy == pytest.approx(weights[candidate.action] / total)
    assert found.best.policy == max(candidate.policy for candidate in found.candidates) < 1


def test_a_mixture_is_played_and_not_its_best_action_alone() -> None:
    chosen = set()
    for seed in range(12):
        search = Search(*goofspiel(6), seed=seed, params=replace(EVENLY, mixing=0.5))
        search.simulate(Limits(iterations=600))
        chosen.add(search.choose())
    assert len(chosen) > 3


@pytest.mark.parametrize("params", [replace(EVENLY, mixing=0.1), replace(EVENLY, selection="regret")], ids=["worth", "regret"])
def test_what_has_a_small_share_of_a_mixture_is_left_out(params: SearchParams) -> None:
    every, likely = (by_action(searched(goofspiel(6), replace(params, least_share=share), 600)) for share in (0.0, 0.5))
    most = max(candidate.policy for candidate in every.values())
    kept = {action for action, candidate in every.items() if candidate.policy >= 0.5 * most}
    assert 0 < len(kept) < len(every)
    total = sum(every[action].policy for action in kept)
    for action, candidate in likely.items():
        assert candidate.policy == pytest.approx(every[action].policy / total if action in kept else 0.0)


def test_where_few_actions_are_left_it_is_by_regret() -> None:
    few = replace(PLAIN, regret_actions=5)
    assert searched(goofspiel(5), few, 300).candidates == searched(goofspiel(5), replace(PLAIN, selection="regret"), 300).candidates
    assert searched(goofspiel(6), few, 300).candidates == searched(goofspiel(6), PLAIN, 300).candidates
