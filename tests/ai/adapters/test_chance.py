"""Chance from outside: transitions under chosen generators, and copies that keep their events."""
from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from seatmate.ai.adapters import chance
from seatmate.ai.adapters.encoding import ActionCodes, HistoryEncoder
from seatmate.ai.adapters.facts import Facts, facts_of
from seatmate.ai.search import Limits, Search, SearchParams
from seatmate.engine.core.errors import IllegalActionError
from seatmate.engine.core.game import SPECTATORS, State
from seatmate.engine.core.registry import game_spec, list_games, new_game
from seatmate.engine.core.spec import CORE_EVENTS

GAMES = [spec.id for spec in list_games()]


def positions(game_id: str, seed: int) -> list[State]:
    """All positions of a random game, dealt and played with known generators."""
    choice = random.Random(seed)
    state = chance.deal(new_game(game_id), seed)
    found = [chance.copy(state)]
    while not state.is_over:
        seat = state.pending[0]
        chance.act_sampled(state, seat, choice.choice(state.legal_actions(seat)), choice.getrandbits(20))
        found.append(chance.copy(state))
    return found


def test_a_deal_is_one_of_the_results() -> None:
    kuhn = new_game("kuhn")
    results = chance.deal_results(kuhn, 600)
    assert len(results) == 6 and sum(count for _, count in results) == 600
    deals = {tuple(chance.deal(kuhn, sample).observation(seat)["cards"][seat] for seat in range(2)) for sample, _ in results}
    assert len(deals) == 6, "two results are the same deal"


def test_what_draws_nothing_has_one_result() -> None:
    assert chance.deal_results(new_game("tic_tac_toe"), 100) == [(0, 1)]
    state = chance.deal(new_game("leduc"), 0)
    assert chance.act_results(state, 0, 2, 100) == [(0, 1)]


def test_results_of_an_action_are_what_it_does() -> None:
    state = chance.deal(new_game("leduc"), 5)
    chance.act_sampled(state, 0, 1, 0)
    before = state.to_bytes()
    results = chance.act_results(state, 1, 1, 400)
    assert len(results) == 4 and state.to_bytes() == before
    cards = set()
    for sample, _ in results:
        after = chance.copy(state)
        chance.act_sampled(after, 1, 1, sample)
        cards.add(after.observation(SPECTATORS)["public_card"])
    held = {state.observation(seat)["cards"][seat] for seat in range(2)}
    assert cards == {"J1", "J2", "Q1", "Q2", "K1", "K2"} - held


def test_an_illegal_action_is_refused() -> None:
    state = chance.deal(new_game("kuhn"), 0)
    for seat, action in ((0, 7), (1, 0)):
        with pytest.raises(IllegalActionError):
            chance.act_results(state, seat, action, 4)
    with pytest.raises(ValueError, match="seat 5"):
        chance.act_results(state, 5, 0, 4)


@pytest.mark.parametrize("game_id", GAMES)
def test_copies_have_their_events_and_a_life_of_their_own(game_id: str) -> None:
    found = positions(game_id, 1)
    for state in [*found[:-1:max(7, len(found) // 30)], found[-1]]:
        twin = chance.copy(state)
        assert twin == state
        for observer in (*range(state.game.seats), SPECTATORS):
            assert twin.events(observer) == state.events(observer)
        if not state.is_over:
            seat = state.pending[0]
            seen = state.events(seat)
            chance.act_sampled(twin, seat, state.legal_actions(seat)[-1], 3)
            assert state.events(seat) == seen == twin.events(seat)[:len(seen)] and len(twin.events(seat)) > len(seen)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_sampled_world_has_the_events_of_its_seat(game_id: str) -> None:
    found = positions(game_id, 2)[:-1]
    for number, state in enumerate(found[::max(5, len(found) // 30)]):
        for seat in range(state.game.seats):
            world = chance.resample(state, seat, number)
            assert world.events(seat) == state.events(seat) and world.events(SPECTATORS) == state.events(SPECTATORS)
            assert chance.history_text(world, seat) == chance.history_text(state, seat)


def test_a_sampled_world_forgets_what_others_saw_in_private() -> None:
    state = chance.deal(new_game("kuhn"), 0)
    assert "CARD" in chance.history_text(state, 1)
    assert "CARD" not in chance.history_text(chance.resample(state, 0, 7), 1)


def test_states_without_events_are_refused() -> None:
    silent = new_game("kuhn").new_state(1, record_events=False)
    with pytest.raises(ValueError, match="does not record"):
        chance.copy(silent)
    with pytest.raises(ValueError, match="does not record"):
        chance.resample(silent, 0, 1)
    with pytest.raises(ValueError, match="does not record"):
        HistoryEncoder(silent.game).encode(silent, 0)


@pytest.mark.parametrize("game_id", GAMES)
def test_the_text_of_a_history_says_its_events(game_id: str) -> None:
    state = positions(game_id, 3)[-1]
    for seat in range(state.game.seats):
        events = state.events(seat)
        assert chance.history_text(state, seat) == " ".join(f"{event.key}({','.join(map(str, event.args))})" for event in events)


# ---- Numbers ----

@pytest.mark.parametrize("game_id", GAMES)
def test_the_matrix_is_the_history_or_its_newest_thousand_events(game_id: str) -> None:
    types = [event.key for event in (*CORE_EVENTS, *game_spec(game_id).events)]
    for seed in range(4):
        state = positions(game_id, seed)[-1]
        encoder = HistoryEncoder(state.game)
        for seat in range(state.game.seats):
            matrix = encoder.encode(state, seat)
            assert matrix.shape == encoder.shape and matrix.dtype == np.int32
            events = state.events(seat)
            assert np.count_nonzero(matrix[:, 0]) == min(len(events), len(matrix)), "an event was cut off"
            for row, event in zip(matrix, reversed(events), strict=False):
                assert types[row[0] - 1] == event.key and tuple(row[1:1 + len(event.args)]) == event.args


def test_a_short_matrix_keeps_the_newest_events() -> None:
    state = positions("leduc", 0)[-1]
    whole, short = HistoryEncoder(state.game), HistoryEncoder(state.game, 5)
    assert short.shape == (5, whole.shape[1])
    assert (short.encode(state, 1) == whole.encode(state, 1)[:5]).all()
    for rows in (0, 10**9):     # a space of a billion rows would take all memory of the machine
        with pytest.raises(ValueError, match=f"rows, not {rows}"):
            HistoryEncoder(state.game, rows)


def test_sparse_actions_are_coded_by_their_place() -> None:
    from dataclasses import replace

    dense = ActionCodes(game_spec("leduc"))
    assert dense.size == 3 and dense.codes([1, 2]) == [1, 2] and dense.action([1, 2], 2) == 2
    sparse = ActionCodes(replace(game_spec("leduc"), action_limit=None))
    legal = [-5, 7, 1_000_000]
    assert sparse.size == 256 and sparse.codes(legal) == [0, 1, 2]
    assert [sparse.action(legal, code) for code in sparse.codes(legal)] == legal
    assert sparse.action(legal, 3) == -1


# ---- Facts ----

def test_the_facts_of_known_games() -> None:
    assert facts_of(new_game("tic_tac_toe")) == Facts(draws=False, deal_draws=False, hides=False, together=False, total=1.0)
    assert facts_of(new_game("leduc")) == Facts(draws=True, deal_draws=True, hides=True, together=False, total=1.0)
    assert facts_of(new_game("liars_dice", seats=4)).total == 2.0
    falling = facts_of(new_game("goofspiel", seats=3, options={"order": "descending"}))
    assert falling == Facts(draws=False, deal_draws=False, hides=True, together=True, total=1.0)
    assert facts_of(new_game("hanabi")).total is None


def test_no_state_is_no_crash() -> None:
    nothing: Any = None
    for ask in (lambda: chance.deal(nothing, 0), lambda: chance.deal_results(nothing, 3), lambda: chance.copy(nothing),
                lambda: chance.act_results(nothing, 0, 0, 3), lambda: chance.resample(nothing, 0, 1),
                lambda: chance.history_text(nothing, 0)):
        with pytest.raises(TypeError, match="None"):
            ask()


@pytest.mark.parametrize("game_id", ["kuhn", "leduc", "liars_dice"])
def test_a_deal_has_its_public_past(game_id: str) -> None:
    """A search that weighs worlds by the past finds there what it finds at a table with the same view."""
    game = new_game(game_id, seats=2)
    params = SearchParams(selection="regret", start_share=0.9, open_until=50)
    for sample in range(5):
        state = chance.deal(game, sample)
        for _ in range(2):
            seat = state.pending[0]
            view = game.new_view(seat)
            view.feed(state.events(seat))
            table = game.state_from_view(view.snapshot(), seat, 1)
            here, there = (Search(where, seat, seed=1, params=params).run(Limits(iterations=400)) for where in (state, table))
            assert here == there
            chance.act_sampled(state, seat, state.legal_actions(seat)[1], sample)
