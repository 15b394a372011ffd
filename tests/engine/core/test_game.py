"""Game and State as Python sees them."""
from __future__ import annotations

import copy
import gc
import pickle
import threading

import pytest

from seatmate.engine.core.errors import (
    ActionError,
    GameOverError,
    IllegalActionError,
    SeatmateError,
    SeatNotPendingError,
)
from seatmate.engine.core.game import SPECTATORS, SeenEvent, State
from seatmate.engine.core.playout import clone_seconds, play_randomly, playouts_from, random_playouts
from seatmate.engine.core.registry import list_games, new_game
from seatmate.engine.core.spec import GameSpec
from seatmate.tests.native import helpers as _testing


def hand(seed: int = 1) -> State:
    """A freshly dealt hand of Kuhn poker."""
    return new_game("kuhn").new_state(seed)


def test_states_only_come_from_games() -> None:
    with pytest.raises(TypeError, match="new_state"):
        State()
    for duplicate in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"copied with clone\(\).*record"):
            duplicate(hand())


def test_a_seed_is_a_secret_deal() -> None:
    assert hand(3) == hand(3)
    assert {hand(seed).to_bytes()[:2] for seed in range(60)} == {bytes(pair) for pair in
                                                              [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]}
    drawn = [new_game("kuhn").new_state().seed for _ in range(3)]
    assert len(set(drawn)) == 3
    assert all(seed is not None and seed.bit_length() > 64 for seed in drawn), "an unguessable seed has more bits"
    with pytest.raises(ValueError, match="negative"):
        hand(-1)
    for seed in (1.5, "1"):
        with pytest.raises(TypeError, match="interpreted as an integer"):
            hand(seed)  # type: ignore[arg-type]


def test_equality_is_of_positions_under_the_same_settings() -> None:
    assert hand(1) == hand(1)
    assert hand(1) != hand(2) or hand(1) != hand(3)
    assert hand(1) != "a hand"
    with pytest.raises(TypeError):
        hash(hand(1))


@pytest.mark.parametrize(("action", "error"), [(2, IllegalActionError), (-1, IllegalActionError), (2**31, IllegalActionError),
                                               (-2**63, IllegalActionError), (2**80, IllegalActionError)])
def test_the_seat_that_is_asked_learns_what_would_be_legal(action: int, error: type[ActionError]) -> None:
    state = hand()
    with pytest.raises(error, match=rf"{action} is not a legal answer to ACT; there are 2: 0, 1$"):
        state.apply_action(0, action)
    with pytest.raises(SeatNotPendingError, match="seat 1 is not asked anything now"):
        state.apply_action(1, action)
    for seat in (0, 1):
        state.apply_action(seat, 1)
    with pytest.raises(GameOverError, match="the game is over"):
        state.apply_action(0, action)
    assert issubclass(error, SeatmateError)


@pytest.mark.parametrize("seat", [-1, 2, 7, 9, 2**31 - 1])
def test_there_is_no_such_seat(seat: int) -> None:
    state = hand()
    for call in (state.prompt, state.legal_actions, state.score_actions, state.private_key, state.features,
                 state.evaluate, state.observation, state.observation_key, state.events, state.sequence):
        with pytest.raises(ValueError, match=r"there is no seat -?\d+; the seats are 0\.\.1"):
            call(seat)
    with pytest.raises(ValueError, match="there is no seat"):
        state.apply_action(seat, 0)
    with pytest.raises(ValueError, match="there is no seat"):
        state.resample_from_infostate(seat, 1)


def test_spectators_watch_and_hold_nothing() -> None:
    state = hand()
    assert state.observation(SPECTATORS)["cards"] == [None, None]
    assert state.observation(SPECTATORS)["prompt"] is None
    assert state.legal_actions(SPECTATORS) == []
    for call in (state.private_key, state.features, state.evaluate):
        with pytest.raises(ValueError, match="there is no seat"):
            call(SPECTATORS)
    with pytest.raises(ValueError, match="there is no seat"):
        state.resample_from_infostate(SPECTATORS, 1)


def test_returns_are_for_finished_games() -> None:
    state = hand()
    with pytest.raises(ValueError, match="not over"):
        state.returns()
    state.apply_action(0, 1)
    state.apply_action(1, 0)
    assert state.returns() == [0.75, 0.25]


def test_sequence_numbers_are_each_observers_own() -> None:
    state = hand()
    state.apply_action(0, 0)
    assert state.events(1)[-3:] == [SeenEvent(3, "ACTED", (0, 0)), SeenEvent(4, "BUSY", (2, 0)), SeenEvent(5, "ASK", (0,))]
    assert state.events(SPECTATORS) == [SeenEvent(1, "BUSY", (1, 0)), SeenEvent(2, "ACTED", (0, 0)), SeenEvent(3, "BUSY", (2, 0))]
    assert state.sequence(0) == len(state.events(0)) == 6
    assert state.events(0, since=6) == state.events(0, since=99) == []


def test_a_state_without_a_log_has_keys_and_no_events() -> None:
    quiet = new_game("kuhn").new_state(1, record_events=False)
    assert quiet.observation_key(0) == hand().observation_key(0)
    with pytest.raises(ValueError, match="does not record events"):
        quiet.events(0)
    with pytest.raises(ValueError, match="does not record events"):
        quiet.sequence(0)


def test_a_clone_keeps_its_actions_and_its_seed() -> None:
    state = hand()
    state.apply_action(0, 1)
    twin = state.clone()
    assert (twin.actions, twin.seed) == ([(0, 1)], 1)
    twin.apply_action(1, 0)
    assert state.actions == [(0, 1)]
    assert twin.record.replay() == twin
    twin.actions.clear()
    assert twin.actions == [(0, 1), (1, 0)], "the list a caller gets is its own"


def test_a_sampled_world_keeps_no_trace_of_the_others_history() -> None:
    """Were the other seat's key kept, a bot could try all cards until the hash fits."""
    for seed in range(20):
        state = hand(seed)
        world = state.resample_from_infostate(0, 5)
        true_card, sampled = (position.observation(1)["cards"][1] for position in (state, world))
        assert world.observation_key(0) == state.observation_key(0)
        assert world.observation_key(SPECTATORS) == state.observation_key(SPECTATORS)
        assert world.observation_key(1) != state.observation_key(1), (true_card, sampled)
        assert (world.seed, world.actions) == (None, [])


def test_playouts_count_what_they_do() -> None:
    decisions, seconds = random_playouts(new_game("kuhn"), 2_000, 1)
    assert 2_000 * 2 <= decisions <= 2_000 * 3
    assert seconds > 0
    assert decisions == random_playouts(new_game("kuhn"), 2_000, 1)[0]
    assert decisions != random_playouts(new_game("kuhn"), 2_000, 2)[0]
    # Half of the games pass first; half of those are bet into: 2 + 1/4 decisions.
    assert decisions / 2_000 == pytest.approx(2.25, abs=0.05)
    assert clone_seconds(hand(), 1_000) > 0


def test_playouts_from_a_position_keep_its_deal() -> None:
    # After a check and a bet the first seat folds for 1/4 or calls for everything or nothing.
    for seed in range(6):
        state = hand(seed)
        for seat, action in ((0, 0), (1, 1)):
            state.apply_action(seat, action)
        wins = state.observation(0)["cards"][0] == "K" or state.observation(1)["cards"][1] == "J"
        before = state.to_bytes()
        means, decisions = playouts_from(state, 20_000, 3)
        assert means[0] == pytest.approx(0.625 if wins else 0.125, abs=0.02)
        assert decisions == 20_000 and sum(means) == pytest.approx(1)
        assert playouts_from(state, 20_000, 3)[0] == means
        assert playouts_from(state, 20_000, 4)[0] != means
        assert state.to_bytes() == before
    with pytest.raises(ValueError, match="at least 1"):
        playouts_from(hand(), 0, 1)


def test_playing_randomly_stops_where_it_was_told_or_at_the_end() -> None:
    state = hand()
    assert play_randomly(state, 1, 3) == 1
    assert len(state.actions) == 1
    assert play_randomly(state, 99, 3) in (1, 2)
    assert state.is_over
    assert play_randomly(state, 1, 3) == 0


def test_a_game_is_shared_by_threads() -> None:
    """States of one Game in many threads, while clones come and go: the same games as in one thread."""
    game = new_game("kuhn")

    def play(seed: int) -> bytes:
        state = game.new_state(seed)
        play_randomly(state, 10, seed)
        return state.to_bytes()

    alone = [play(seed) for seed in range(400)]
    together: dict[int, bytes] = {}
    threads = [threading.Thread(target=lambda first=first: together.update({s: play(s) for s in range(first, 400, 4)}))
               for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[seed] for seed in range(400)] == alone


def test_states_give_their_memory_back() -> None:
    state = hand()
    gc.collect()
    for _ in range(200_000):
        state.clone()
    import resource
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(400_000):
        state.clone()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4_000, "clones leak (kilobytes)"


def test_a_rollout_step_is_the_tables_step() -> None:
    state = hand()
    silent = _testing.silent_step(state, 0, 1)
    assert state.actions == [], "the state it starts from stays"
    state.apply_action(0, 1)
    assert silent == (state.to_bytes(), _testing.rng_words(state))


@pytest.mark.parametrize("spec", list_games(), ids=lambda spec: spec.id)
def test_only_legal_actions_have_words(spec: GameSpec) -> None:
    state = new_game(spec.id).new_state(1)
    while not state.is_over:
        seat = state.pending[0]
        for action in (-1, 1_000_000, 2**40):
            for describe in (state.action_label, state.action_args):
                with pytest.raises(IllegalActionError):
                    describe(seat, action)
        state.apply_action(seat, state.legal_actions(seat)[-1])
