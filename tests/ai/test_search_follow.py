"""Searches that go on from one decision of a seat to its next (tree reuse)."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from seatmate.ai.arena.pool import DealPlayer
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.bots.bot import make_bot
from seatmate.ai.bots.registry import BotError, parse_bot
from seatmate.ai.search import Analysis, Limits, Search, SearchParams
from seatmate.ai.search.audit import audit
from seatmate.engine.core.errors import GameOverError, SeatNotPendingError
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.registry import new_game

BUDGET = 150
DECISIONS = 6


def puct(game: Game) -> SearchParams:
    """The game's own knobs where its trees can be kept, else those of plain PUCT."""
    own = SearchParams.for_game(game.spec)
    return own if own.selection == "puct" and own.tree_key == "full" else SearchParams()


def decisions(game: Game, seed: int) -> Iterator[tuple[State, int, int]]:
    """The first decisions of one seat in a game between fair players, and what it decides."""
    state = game.new_state(seed)
    bot = make_bot("search:iterations=20", seed)
    mine = state.pending[seed % len(state.pending)]
    found = 0
    while not state.is_over and found < DECISIONS:
        seat = mine if mine in state.pending else state.pending[0]
        action = bot.choose(state, seat)
        if seat == mine and len(state.legal_actions(seat)) > 1:
            yield state, seat, action
            found += 1
        state.apply_action(seat, action)


def follow(search: Search | None, state: State, seat: int, params: SearchParams) -> tuple[Search, int]:
    if search is None:
        return Search(state, seat, seed=4, params=params), 0
    return search, search.follow(state)


def test_a_followed_search_never_peeks_and_counts_what_it_kept(any_game: Game) -> None:
    """Along the true states and along worlds the seat can't tell from them: the same analyses, bit for bit."""
    params = puct(any_game)
    for seed in range(3):
        true: Search | None = None
        blind: Search | None = None
        for number, (state, seat, _) in enumerate(decisions(any_game, seed)):
            world = state.resample_from_infostate(seat, 77 + number)
            true, kept = follow(true, state, seat, params)
            blind, kept_too = follow(blind, world, seat, params)
            seen = true.run(Limits(iterations=BUDGET))
            assert kept == kept_too == seen.kept and blind.run(Limits(iterations=BUDGET)) == seen
            assert audit(true)["nodes"] == true.nodes
            check_counts(seen, any_game, params)


def check_counts(seen: Analysis, game: Game, params: SearchParams) -> None:
    visits = sum(c.visits for c in seen.candidates)
    assert seen.iterations == BUDGET
    if params.redeterminise == 0:
        # The visit that once made the node chose none of its actions.
        assert visits in (BUDGET + seen.kept, BUDGET + seen.kept - 1)
    for c in seen.candidates:
        assert 0 <= c.standard_error <= 0.5
        assert c.value is None if c.visits == 0 < len(seen.candidates) - 1 else c.value is not None and 0 <= c.value <= 1
        assert (game.cooperative or c.value is None) == (c.win_probability is None)
        assert c.win_probability is None or 0 <= c.win_probability <= 1


@pytest.mark.parametrize("game_id", ["connect_four", "tic_tac_toe", "hyde", "goofspiel", "mythos"])
def test_trees_are_kept(game_id: str) -> None:
    game = new_game(game_id, seats=2)
    kept = 0
    for seed in range(4):
        search: Search | None = None
        for state, seat, _ in decisions(game, seed):
            search, more = follow(search, state, seat, puct(game))
            search.simulate(Limits(iterations=1000))
            kept += more
    assert kept > 20


def test_what_is_kept_is_what_was_found_of_the_answer() -> None:
    """In an open game all seats' nodes are found again: the visits of the next decision are those it had in the first tree."""
    state = new_game("tic_tac_toe").new_state(1)
    search = Search(state, 0, seed=3, params=SearchParams.plain())
    search.simulate(Limits(iterations=20_000))
    nodes = search.nodes
    state.apply_action(0, 4)
    state.apply_action(1, 0)
    kept = search.follow(state)
    assert kept > 100 and search.nodes == nodes and search.iterations == 0
    before = search.analysis()
    assert sum(c.visits for c in before.candidates) in (kept, kept - 1) and before.kept == kept
    # The search goes on beyond what it knows.
    search.simulate(Limits(iterations=2000))
    fresh = Search(state, 0, seed=3, params=SearchParams.plain())
    fresh.simulate(Limits(iterations=2000))
    assert search.nodes - nodes < fresh.nodes
    assert search.best_action == fresh.best_action


@pytest.mark.parametrize("game_id", ["connect_four", "hyde"])
def test_positions_rebuilt_from_views_are_not_taken_for_each_other(game_id: str) -> None:
    """They have no history to tell them apart by; what the seat sees of them stands for it."""
    game = new_game(game_id, seats=2)
    search: Search | None = None
    seen = 0
    for state, seat, _ in decisions(game, 3):
        rebuilt = game.state_from_view(state.observation(seat), seat, 0)
        if search is not None:
            assert search.follow(rebuilt) == 0
            assert search.follow(game.state_from_view(state.observation(seat), seat, 1)) == 0     # nothing was searched yet
            seen += 1
        search = search or Search(rebuilt, seat, seed=4)
        search.simulate(Limits(iterations=500))
        assert search.follow(game.state_from_view(state.observation(seat), seat, 2)) == 500     # the same view again
    assert seen > 2


def test_a_rebuilt_position_that_goes_on_is_followed() -> None:
    state = new_game("connect_four").new_state(1)
    rebuilt = state.game.state_from_view(state.observation(0), 0, 0)
    search = Search(rebuilt, 0, seed=3)
    search.simulate(Limits(iterations=5000))
    for column in (3, 3):
        rebuilt.apply_action(rebuilt.pending[0], column)
    assert search.follow(rebuilt) > 100


def test_equal_histories_give_equal_analyses_with_threads_too() -> None:
    game = new_game("connect_four")
    found = []
    for _ in range(2):
        search: Search | None = None
        rows = []
        for state, seat, _ in decisions(game, 5):
            if search is None:
                search = Search(state, seat, seed=8, threads=2)
            else:
                search.follow(state)
            rows.append(search.run(Limits(iterations=301)))
        found.append(rows)
    assert found[0] == found[1] and found[0][-1].kept > 0


@pytest.mark.parametrize("params", [
    SearchParams(selection="regret"), SearchParams(tree_key="public"), SearchParams(tree_key="open"),
], ids=["regret", "public", "open"])
def test_where_trees_mean_something_else_nothing_is_kept(params: SearchParams) -> None:
    game = new_game("leduc")
    search: Search | None = None
    for state, seat, _ in decisions(game, 2):
        if search is None:
            search = Search(state, seat, seed=1, params=params)
        else:
            assert search.follow(state) == 0
        search.simulate(Limits(iterations=500))
        assert search.analysis().kept == 0


def test_a_tree_half_full_is_not_kept() -> None:
    state = new_game("connect_four").new_state(1)
    search = Search(state, 0, seed=3)
    search.simulate(Limits(iterations=150_000))
    assert search.nodes > 100_000
    state.apply_action(0, 3)
    state.apply_action(1, 3)
    assert search.follow(state) == 0 and search.nodes == 1


def test_the_cap_on_nodes_is_the_one_the_caller_gave() -> None:
    """A full tree whose nodes are out of reach would let no later decision grow one."""
    state = new_game("connect_four").new_state(1)
    small, large = (Search(state, 0, seed=1) for _ in range(2))
    small.simulate(Limits(iterations=5000, nodes=2000))
    large.simulate(Limits(iterations=150_000, nodes=2_000_000))
    assert small.nodes == 2000 and large.nodes > 100_000
    for column in (3, 3):
        state.apply_action(state.pending[0], column)
    assert small.follow(state) == 0 and small.nodes == 1
    assert small.run(Limits(iterations=5000, nodes=2000)).depth > 3 and small.nodes == 2000
    assert large.follow(state) > 0


def test_every_decision_is_drawn_anew() -> None:
    """Where the best play is mixed a seat that always drew with the same luck would be easy to read."""
    state = new_game("kuhn").new_state(3)
    search = Search(state, state.pending[0], seed=1)
    chances, played = [], []
    for _ in range(60):
        search.follow(state)
        found = search.run(Limits(iterations=2000))
        chances.append(next(c.policy for c in found.candidates if c.action == 0))
        played.append(search.choose() == 0)
        assert search.choose() == (0 if played[-1] else 1)
    assert 0.2 < sum(chances) / 60 < 0.8
    assert abs(sum(played) - sum(chances)) < 4 * sum(p * (1 - p) for p in chances) ** 0.5


@pytest.mark.parametrize("seed", [38, 49])
def test_what_was_looked_at_is_worth_a_utility_and_nothing_is_said_of_the_rest(seed: int) -> None:
    """The baseline may take the mean of a lost position below 0."""
    state, chance = new_game("hyde", seats=3).new_state(seed), Random(seed)
    mine = state.pending[0]
    search: Search | None = None
    unvisited = 0
    while not state.is_over:
        seat = mine if mine in state.pending else state.pending[0]
        if seat == mine and len(state.legal_actions(seat)) > 1:
            if search is None:
                search = Search(state, seat, seed=seed, threads=3)
            else:
                search.follow(state)
            found = search.run(Limits(iterations=chance.choice([2, 30, 200])))
            assert all((c.value is None) == (c.visits == 0) for c in found.candidates)
            assert all(0 <= c.value <= 1 for c in found.candidates if c.value is not None) and 0 <= found.value <= 1
            unvisited += sum(c.visits == 0 for c in found.candidates)
        state.apply_action(seat, chance.choice(state.legal_actions(seat)))
    assert unvisited > 0


def test_only_a_decision_of_the_seat_in_the_same_game_can_be_followed() -> None:
    game = new_game("tic_tac_toe")
    state = game.new_state(1)
    search = Search(state, 0, seed=3)
    state.apply_action(0, 4)
    with pytest.raises(SeatNotPendingError):
        search.follow(state)
    with pytest.raises(ValueError, match="the game it began with"):
        search.follow(new_game("connect_four").new_state(1))
    for seat, action in ((1, 0), (0, 3), (1, 1), (0, 5)):
        state.apply_action(seat, action)
    with pytest.raises(GameOverError):
        search.follow(state)
    assert search.run(Limits(iterations=50)).iterations == 50       # still at the decision it began with


def test_a_game_taken_back_is_searched_afresh() -> None:
    """A node that the seat's history does not lead to is not the next decision's, whatever is on the table."""
    game = new_game("connect_four")
    one, other = game.new_state(1), game.new_state(1)
    for column in (3, 0, 2, 1):
        one.apply_action(one.pending[0], column)
    for column in (2, 1, 3, 0):
        other.apply_action(other.pending[0], column)
    search = Search(one, 0, seed=1)
    search.simulate(Limits(iterations=2000))
    assert search.follow(other) == 0


def test_a_bot_that_reuses_plays_tournaments_the_same_in_any_order() -> None:
    bots = ["search:iterations=60:reuse=true", "search:iterations=60"]
    spec = TournamentSpec.create("connect_four", bots=bots, seats=2, seed=5)
    forward = DealPlayer(spec)
    played = [forward.play(deal) for deal in range(6)]
    backward = DealPlayer(spec)
    assert [backward.play(deal) for deal in reversed(range(6))] == played[::-1]
    plain = DealPlayer(TournamentSpec.create("connect_four", bots=[bots[1], bots[1] + ":nodes=199999"], seats=2, seed=5))
    assert [plain.play(deal) for deal in range(6)] != played


def test_a_bot_that_reuses_remembers_its_last_decision() -> None:
    game = new_game("connect_four")
    differing = 0
    for seed in range(12):
        state = game.new_state(seed)
        keeper, fresh = (make_bot(f"search:iterations=80:reuse={word}", seed) for word in ("true", "false"))
        for _ in range(8):
            for seat in (0, 1):
                if seat == 0:
                    choices = [bot.choose(state, 0) for bot in (keeper, fresh)]
                    differing += choices[0] != choices[1]
                    state.apply_action(0, choices[0])
                elif not state.is_over:
                    state.apply_action(1, state.legal_actions(1)[-1])
            if state.is_over:
                break
    assert differing > 0


def test_reuse_is_a_knob_like_the_others() -> None:
    assert not SearchParams().reuse and replace(SearchParams(), reuse=True).reuse
    with pytest.raises(BotError, match="reuse goes with one thread"):
        parse_bot("search:reuse=true:threads=2")
