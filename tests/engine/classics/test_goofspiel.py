"""Goofspiel with hidden bids: the tree as OpenSpiel counts it, the rules, and what a seat can know of the others' bids."""
from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from seatmate.engine.core.errors import SettingsError
from seatmate.engine.core.game import SPECTATORS, State
from seatmate.engine.core.registry import new_game
from statistics_checks import check_frequencies
from trees import best_response, cfr_plus, grow


def opening(seats: int = 2, cards: int = 4, order: str = "descending", seed: int = 0) -> State:
    return new_game("goofspiel", seats=seats, options={"cards": cards, "order": order}).new_state(seed)


def bid(state: State, *rounds: tuple[int, ...]) -> State:
    """Play rounds of bids, given as card values by seat."""
    for cards in rounds:
        for seat, card in enumerate(cards):
            state.apply_action(seat, card - 1)
    return state


@pytest.mark.parametrize(("seats", "cards", "infosets", "decisions", "terminals"), [
    (2, 4, 162, 501, 576), (2, 5, 2124, 12531, 14400), (3, 4, 414, 12949, 13824),
])
@pytest.mark.parametrize("order", ["descending", "ascending"])
def test_the_tree_has_the_published_size(seats: int, cards: int, infosets: int, decisions: int, terminals: int, order: str) -> None:
    tree = grow([opening(seats, cards, order)])
    assert (len(tree.keys), tree.decisions, tree.terminals) == (infosets, decisions, terminals)


def test_neither_seat_has_an_advantage() -> None:
    tree = grow([opening()])
    policy = cfr_plus(tree, 60)
    gains = [best_response(tree, policy, seat) for seat in range(2)]
    assert 1 - gains[1] <= 0.5 <= gains[0]
    assert sum(gains) - 1 < 0.03


@pytest.mark.parametrize(("order", "expected"), [("descending", [4, 3, 2, 1]), ("ascending", [1, 2, 3, 4])])
def test_prizes_come_in_the_order_of_the_option(order: str, expected: list[int]) -> None:
    state = bid(opening(order=order), (1, 2), (2, 3), (3, 1))
    assert state.observation(SPECTATORS)["prizes"] == expected


def test_random_prizes_come_in_every_order() -> None:
    orders = set()
    for seed in range(400):
        state = bid(opening(order="random", seed=seed), (1, 2), (2, 3), (3, 1))
        orders.add(tuple(state.observation(SPECTATORS)["prizes"]))
    assert orders == set(itertools.permutations(range(1, 5)))


def test_the_highest_bid_wins_and_a_tie_wins_nothing() -> None:
    state = bid(opening(3), (4, 3, 2), (2, 4, 4))
    seen = state.observation(SPECTATORS)
    assert seen["winners"] == [0, None]
    assert seen["points"] == [4, 0, 0]


def test_the_last_cards_play_themselves() -> None:
    state = bid(opening(), (1, 2), (2, 3), (3, 1))
    assert state.is_over and len(state.actions) == 6
    assert state.observation(0)["bids"][0] == [1, 2, 3, 4] and state.observation(1)["bids"][1] == [2, 3, 1, 4]
    assert state.observation(0)["winners"] == [1, 1, 0, None]


@pytest.mark.parametrize(("rounds", "returns"), [
    ([(1, 2), (2, 3), (3, 1)], [0.0, 1.0]),                     # 2 points against 7
    ([(1, 1), (2, 2), (3, 3)], [0.5, 0.5]),
    ([(4, 1, 1), (1, 4, 2), (2, 2, 3)], [1.0, 0.0, 0.0]),       # 4 points, 3, 2; the last is a tie
    ([(1, 4, 2), (2, 1, 1), (4, 2, 4)], [0.0, 1.0, 0.0]),
    ([(4, 1, 4), (1, 2, 1), (3, 3, 2), ], [0.0, 1.0, 0.0]),
    ([(4, 4, 4), (3, 3, 3), (2, 2, 2)], [1 / 3] * 3),
    ([(4, 4, 1, 1), (3, 3, 2, 4), (1, 1, 4, 2)], [0.0, 0.0, 0.0, 1.0]),
])
def test_most_points_win_and_ties_share(rounds: list[tuple[int, ...]], returns: list[float]) -> None:
    assert bid(opening(len(returns)), *rounds).returns() == pytest.approx(returns)


def test_a_commitment_shows_neither_itself_nor_that_it_was_made() -> None:
    state = opening(3)
    before = [state.observation(observer) for observer in (1, 2, SPECTATORS)]
    keys = [state.observation_key(observer) for observer in (1, 2, SPECTATORS)]
    state.apply_action(0, 3)
    assert state.pending == (1, 2) and state.asked == (0, 1, 2)
    assert [state.observation(observer) for observer in (1, 2, SPECTATORS)] == before
    assert [state.observation_key(observer) for observer in (1, 2, SPECTATORS)] == keys
    assert state.observation(0)["bids"][0] == [4]


def test_the_order_of_the_commitments_does_not_matter() -> None:
    one, other = opening(3), opening(3)
    for seat in (0, 1, 2):
        one.apply_action(seat, seat)
    for seat in (2, 0, 1):
        other.apply_action(seat, seat)
    assert one == other


def consistent(state: State, seat: int) -> dict[Any, float]:
    """All bids of the past rounds that give what the seat knows, each as likely as the other: by trying everything."""
    seen = state.observation(seat)
    winners = seen["winners"]
    own = tuple(seen["bids"][seat][:len(winners)])
    cards_each = len(seen["bids"][seat]) + len(seen["hand"])
    anything = list(itertools.permutations(range(1, cards_each + 1), len(winners)))
    choices = [[own] if other == seat else anything for other in range(state.game.seats)]
    found = []
    for bids in itertools.product(*choices):
        for cards, winner in zip(zip(*bids, strict=True), winners, strict=True):
            best = max(cards)
            if (cards.index(best) if cards.count(best) == 1 else None) != winner:
                break
        else:
            found.append(bids)
    return dict.fromkeys(found, 1 / len(found))


def past_bids(world: State) -> Any:
    rounds = len(world.observation(SPECTATORS)["winners"])
    return tuple(tuple(world.observation(seat)["bids"][seat][:rounds]) for seat in range(world.game.seats))


@pytest.mark.parametrize(("cards", "rounds"), [
    (4, [(2, 3)]), (4, [(3, 1), (2, 4)]), (4, [(2, 2), (3, 1)]), (5, [(3, 2), (4, 5), (2, 3)]),
    (5, [(3, 1), (4, 2), (2, 5), (1, 3)]), (4, [(1, 2), (2, 3), (3, 1)]),
    (4, [(3, 1, 2), (1, 4, 3)]), (4, [(2, 4, 4), (3, 1, 2)]), (4, [(3, 3, 1), (2, 4, 3)]), (4, [(1, 2, 3), (4, 3, 4)]),
    (5, [(2, 4, 3), (5, 1, 4), (3, 2, 5)]), (4, [(1, 2, 3, 4), (2, 3, 2, 1)]), (4, [(2, 4, 4, 1), (1, 2, 3, 4)]),
])
def test_sampled_bids_are_uniform_over_those_that_fit_the_winners(cards: int, rounds: list[tuple[int, ...]]) -> None:
    state = bid(opening(len(rounds[0]), cards), *rounds)
    for seat in range(state.game.seats):
        expected = consistent(state, seat)
        check_frequencies(state, seat, past_bids, expected, samples=max(1000, 20 * len(expected)))


def test_sampling_withdraws_what_nobody_has_seen() -> None:
    state = bid(opening(3), (4, 3, 2))
    state.apply_action(1, 0)
    world = state.resample_from_infostate(0, 1)
    assert world.pending == (0, 1, 2)
    assert state.resample_from_infostate(1, 1).pending == (0, 2)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_long_games_with_all_cards_are_sampled_in_time(seats: int) -> None:
    chooser = random.Random(seats)
    for seed in range(10):
        state = opening(seats, 13, "random", seed)
        while not state.is_over:
            seat = state.pending[0]
            state.apply_action(seat, chooser.choice(state.legal_actions(seat)))
            world = state.resample_from_infostate(seat, seed)
            assert world.observation(seat)["winners"] == state.observation(seat)["winners"]
            state.game.check_invariants(world)  # type: ignore[attr-defined]


def test_a_view_that_no_game_gives_is_refused() -> None:
    state = bid(opening(), (1, 2))
    view = state.observation(0)
    for change in ({"bids": [[4], None], "hand": [1, 2, 3], "winners": [1]}, {"bids": [[9], None]}, {"prizes": [4, 4]},
                   {"winners": [2]}, {"prizes": [4]}, {"bids": [[1, 2, 3], None]}):
        with pytest.raises(ValueError, match=r"no |somebody"):
            state.game.state_from_view({**view, **change}, 0, 0)


@pytest.mark.parametrize("options", [{"cards": 3}, {"cards": 14}, {"order": "sideways"}])
def test_options_are_checked(options: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        new_game("goofspiel", options=options)


@pytest.mark.parametrize(("seats", "cards"), [(3, 6), (3, 13), (4, 6), (4, 13)])
@pytest.mark.parametrize("heuristics", [1, 2, 3])
def test_heuristic_seats_do_not_cancel_each_other(seats: int, cards: int, heuristics: int) -> None:
    """Whoever bids the same as another wins nothing: several that bid by one rule would leave all prizes to a random bidder."""
    if heuristics == seats:
        return
    choice = random.Random(seats * cards + heuristics)
    gained = games = 0.0
    for seed in range(300):
        state = opening(seats, cards, "random", seed)
        thinking = choice.sample(range(seats), heuristics)
        while not state.is_over:
            seat = state.pending[0]
            legal = state.legal_actions(seat)
            scores = state.score_actions(seat)
            state.apply_action(seat, legal[scores.index(max(scores))] if seat in thinking else choice.choice(legal))
        gained += sum(state.returns()[seat] for seat in thinking)
        games += heuristics
    error = 0.5 / games**0.5
    assert gained / games > 1 / seats - error       # a fair share, and mostly more


@pytest.mark.parametrize(("seats", "cards"), [(3, 5), (3, 13), (4, 5), (4, 13)])
def test_no_heuristic_seat_always_wins(seats: int, cards: int) -> None:
    """Seats that are alike: where one always bids above the others, what a search says is its seat's number."""
    won = [0.0] * seats
    for seed in range(200):
        state = opening(seats, cards, "random", seed)
        while not state.is_over:
            seat = state.pending[0]
            scores = state.score_actions(seat)
            state.apply_action(seat, state.legal_actions(seat)[scores.index(max(scores))])
        won = [sum(pair) for pair in zip(won, state.returns(), strict=True)]
    assert min(won) > 200 / seats / 2
