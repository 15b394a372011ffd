"""The search's promises, for every game: deterministic, blind to hidden state, bounded, resumable."""
from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from seatmate.ai.bots import make_bot
from seatmate.ai.search import Analysis, Limits, Search, SearchParams, StopFlag
from seatmate.ai.search.audit import audit
from seatmate.engine.core.errors import GameOverError, SeatNotPendingError
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.playout import play_randomly
from seatmate.engine.core.registry import new_game

Positions = Callable[[int], Iterator[tuple[State, int]]]

BUDGET = 120


def heuristic_action(state: State, seat: int) -> int:
    scores = state.score_actions(seat)
    return state.legal_actions(seat)[scores.index(max(scores))]


PUCT = SearchParams(rollout_epsilon=0.5)


def variants(game: Game) -> list[SearchParams]:
    """The game's own parameters and each alternative that changes how trees or rollouts work."""
    own = SearchParams.for_game(game.spec)
    return [own, SearchParams.plain(), replace(own, split_private=not own.split_private),
            *[replace(own, tree_key=key) for key in ("full", "public", "open") if key != own.tree_key],
            replace(own, tree_key="public", split_private=True, fpu_reduction=0.2, prior_uniform=0.25),
            replace(own, world_baseline=not own.world_baseline, prior_visits=0 if own.prior_visits else 5),
            replace(own, evaluate_open=not own.evaluate_open, world_baseline=True),
            replace(own, plausible_worlds=not own.plausible_worlds),
            replace(own, rollout_depth=-1), replace(own, rollout_depth=0, rollout_quiets=2),
            replace(own, rollout_depth=8, evaluate_weight=0.5),
            replace(PUCT, mast=0.5), replace(PUCT, redeterminise=0.5), replace(PUCT, redeterminise=0.9, split_private=True),
            replace(PUCT, joint_regret=True), replace(PUCT, simple_others=1.0), replace(PUCT, simple_others=0.5),
            replace(PUCT, split_private=True),
            replace(PUCT, selection="regret", mast=0.5), replace(PUCT, selection="regret", rollout_quiets=2, open_until=50)]


def by_regret(analysis: Analysis) -> bool:
    """Was this decision searched by regret?"""
    assert analysis.params is not None
    return analysis.params.selection == "regret" or len(analysis.candidates) <= analysis.params.regret_actions


def spare(analysis: Analysis) -> int:
    """How many playouts a search may do beyond its limit: by regret the last simulation is finished."""
    return 128 if by_regret(analysis) else 0


def test_equal_seeds_and_budgets_give_equal_analyses(positions: Positions, any_game: Game) -> None:
    for state, seat in positions(3):
        for params in variants(any_game):
            first, again = (Search(state, seat, seed=5, params=params).run(Limits(iterations=BUDGET)) for _ in range(2))
            assert first == again


def test_another_seed_searches_other_worlds(positions: Positions) -> None:
    found = {repr(Search(state, seat, seed=seed).run(Limits(iterations=BUDGET)).candidates)
             for state, seat in positions(10) for seed in range(4)}
    assert len(found) > 10


def test_no_peeking_bit_for_bit(positions: Positions, any_game: Game) -> None:
    knobs = variants(any_game)
    for number, ((state, seat), params) in enumerate(zip(positions(len(knobs)), knobs, strict=True)):
        true = Search(state, seat, seed=9, params=params).run(Limits(iterations=BUDGET))
        for other in range(3):
            world = state.resample_from_infostate(seat, 1000 * number + other)
            assert Search(world, seat, seed=9, params=params).run(Limits(iterations=BUDGET)) == true


def test_searching_changes_nothing_at_the_table(positions: Positions) -> None:
    for state, seat in positions(4):
        before, record, twin = state.to_bytes(), state.actions, state.clone()
        Search(state, seat, seed=1).run(Limits(iterations=BUDGET))
        assert (state.to_bytes(), state.actions) == (before, record)
        play_randomly(state, 10, 3)
        play_randomly(twin, 10, 3)
        assert state.to_bytes() == twin.to_bytes()      # the deal's own randomness is untouched


def test_one_iteration_plays_the_heuristic_move(positions: Positions, any_game: Game) -> None:
    for number, (state, seat) in enumerate(positions(25)):
        params = variants(any_game)[number % len(variants(any_game))]
        analysis = Search(state, seat, seed=number, params=params).run(Limits(iterations=1))
        assert analysis.best.action == heuristic_action(state, seat)
        assert (analysis.iterations, analysis.best.visits, analysis.best.visit_share) == (1, 1, 1.0)


def test_the_candidates_are_the_legal_actions_best_first(positions: Positions) -> None:
    for state, seat in positions(6):
        search = Search(state, seat, seed=2)
        analysis = search.run(Limits(iterations=BUDGET))
        assert sorted(c.action for c in analysis.candidates) == state.legal_actions(seat)
        visits = [c.visits for c in analysis.candidates]
        if not by_regret(analysis) and not search.params.joint_regret and not search.params.mixing:
            assert 2 * visits[0] >= max(visits)     # the first may be one of several tied
        if search.params.redeterminise:     # some simulations only teach the other seats
            assert 0 < sum(visits) <= BUDGET == analysis.iterations
        elif not by_regret(analysis):
            assert sum(visits) == BUDGET == analysis.iterations
        else:       # the root's actions are tried in some of the playouts; the last simulation is finished
            policy = [c.policy for c in analysis.candidates]
            assert policy == sorted(policy, reverse=True)
            assert 0 < sum(visits) <= analysis.iterations and BUDGET <= analysis.iterations <= BUDGET + spare(analysis)
        assert sum(c.policy for c in analysis.candidates) == pytest.approx(1)
        assert sum(c.prior for c in analysis.candidates) == pytest.approx(1, abs=1e-5)
        assert sum(c.visit_share for c in analysis.candidates) == pytest.approx(1)
        assert search.best_action == analysis.best.action
        assert analysis.seat == seat and analysis.prompt == state.prompt(seat)
        for c in analysis.candidates:
            assert c.label == state.action_label(seat, c.action)
            assert c.args == state.action_args(seat, c.action)
            assert c.principal_variation[0] == c.label
            assert c.value is None if c.visits == 0 < len(analysis.candidates) - 1 else c.value is not None and 0 <= c.value <= 1
            assert 0 <= c.standard_error <= 0.5 and len(c.reasons) <= 3
            assert all(c.reasons) and len(set(c.reasons)) == len(c.reasons)


def test_reasons_hang_little_on_the_worlds_that_were_sampled() -> None:
    """Two hints with other seeds mostly say the same, and never the contrary."""
    both = alone = 0
    for number in range(4):
        state = new_game("hyde", seats=3).new_state(number)
        while not state.is_over:
            seat = state.pending[0]
            hints = [Search(state, seat, seed=seed).run(Limits(iterations=1)) for seed in (1, 2)]
            for candidate in hints[0].candidates[:5]:
                twin = next(other for other in hints[1].candidates if other.action == candidate.action)
                said, others = ({(reason.feature, reason.favourable, reason.against) for reason in found.why}
                                for found in (candidate, twin))
                both += len(said & others)
                alone += len(said ^ others)
                assert not {(key, not good, action) for key, good, action in said} & others, (candidate, twin)
            state.apply_action(seat, hints[0].best.action)
    assert both > 300
    assert alone < 0.62 * both


def test_win_probability_only_where_the_game_has_winners(positions: Positions, any_game: Game) -> None:
    state, seat = next(positions(1))
    for candidate in Search(state, seat, seed=2).run(Limits(iterations=BUDGET)).candidates:
        if any_game.cooperative or candidate.value is None:
            assert candidate.win_probability is None
        else:
            assert candidate.win_probability is not None and 0 <= candidate.win_probability <= 1


def test_snapshots_continue_the_same_search(positions: Positions, any_game: Game) -> None:
    for params in variants(any_game):
        for state, seat in positions(2):
            whole = Search(state, seat, seed=4, params=params).run(Limits(iterations=300))
            pieces = Search(state, seat, seed=4, params=params)
            snapshots = [pieces.run(Limits(iterations=n)) for n in (1, 99, 200)]
            done = [snapshot.iterations for snapshot in snapshots]
            assert all(n <= did <= n + spare(whole) for n, did in zip((1, 100, 300), done, strict=True))
            assert snapshots[-1] == whole
            assert pieces.analysis() == whole


def test_a_decision_with_one_answer_is_no_search(any_game: Game) -> None:
    found = 0
    for seed in range(20):
        state = any_game.new_state(seed, record_events=False)
        while not state.is_over and found < 5:
            for seat in state.pending:
                if len(state.legal_actions(seat)) == 1:
                    found += 1
                    analysis = Search(state, seat, seed=1).run(Limits(iterations=10**9))
                    assert (analysis.iterations, analysis.nodes, len(analysis.candidates)) == (0, 0, 1)
                    assert analysis.best.action == state.legal_actions(seat)[0]
                    assert analysis.best.visit_share == analysis.best.prior == 1.0
                    assert 0 <= analysis.value <= 1
            play_randomly(state, 1, seed + len(state.actions))
    if not found:
        pytest.skip(f"{any_game.spec.id} asks no question with one answer")


def test_the_node_cap_bounds_memory_and_the_search_goes_on(positions: Positions) -> None:
    for state, seat in positions(2):
        free, capped = Search(state, seat, seed=6), Search(state, seat, seed=6)
        free.run(Limits(iterations=3000))
        analysis = capped.run(Limits(iterations=3000, nodes=5))
        assert 3000 <= analysis.iterations <= 3000 + spare(analysis) and 1 <= capped.nodes <= 5
        assert capped.memory_bytes <= free.memory_bytes
        smallest = Search(state, seat, seed=6).run(Limits(iterations=1, nodes=1))
        assert smallest.best.action == heuristic_action(state, seat)


def test_memory_grows_with_the_nodes_and_stays_within_the_documented_bound(positions: Positions) -> None:
    state, seat = next(positions(1))
    search = Search(state, seat, seed=6)
    search.run(Limits(iterations=30_000, nodes=4000))
    assert search.nodes <= 4000
    assert search.memory_bytes <= 8192 * 32 + (8 * 4000 + 256) * 40


def test_every_count_of_the_tree_adds_up(positions: Positions, any_game: Game) -> None:
    for params in variants(any_game):
        for state, seat in positions(3):
            for limits in (Limits(iterations=1), Limits(iterations=1000), Limits(iterations=400, nodes=150)):
                search = Search(state, seat, seed=8, params=params)
                search.simulate(limits)
                assert audit(search)["nodes"] == search.nodes


def test_a_time_budget_ends_the_search(positions: Positions) -> None:
    state, seat = next(positions(1))
    started = time.perf_counter()
    analysis = Search(state, seat, seed=1).run(Limits(time_ms=40))
    assert 0.03 < time.perf_counter() - started < 30
    assert 0.039 < analysis.elapsed_s < 30 and analysis.iterations > 1


def test_whichever_limit_comes_first(positions: Positions) -> None:
    state, seat = next(positions(1))
    few = Search(state, seat, seed=1).run(Limits(iterations=7, time_ms=60_000))
    assert 7 <= few.iterations <= 7 + spare(few)
    assert Search(state, seat, seed=1).run(Limits(iterations=10**12, time_ms=5)).iterations < 10**12
    assert Search(state, seat, seed=1).run(Limits(time_ms=1e-6)).iterations >= 1


def test_a_stop_flag_ends_a_search_in_another_thread(positions: Positions) -> None:
    state, seat = next(positions(1))
    stop = StopFlag()
    search = Search(state, seat, seed=1)
    thread = threading.Thread(target=search.simulate, args=(Limits(nodes=1000), stop))
    thread.start()
    time.sleep(0.03)
    assert thread.is_alive()                        # the GIL is free while it searches
    with pytest.raises(RuntimeError, match="already running"):
        search.simulate(Limits(iterations=1))
    stop.set()
    thread.join(30)
    assert not thread.is_alive() and search.iterations > 0


def test_a_search_stopped_before_it_starts_answers_with_the_heuristic(positions: Positions) -> None:
    stop = StopFlag()
    stop.set()
    assert stop.is_set
    for state, seat in positions(3):
        analysis = Search(state, seat, seed=1).run(Limits(iterations=1000), stop)
        assert analysis.iterations == 0 and analysis.best.action == heuristic_action(state, seat)
        assert all(c.visits == 0 and c.visit_share == 0 for c in analysis.candidates)


def test_the_analysis_is_plain_json(positions: Positions) -> None:
    state, seat = next(positions(1))
    analysis = Search(state, seat, seed=3, params=SearchParams.plain()).run(Limits(iterations=20))
    plain = json.loads(json.dumps(analysis.to_json(), allow_nan=False))
    assert plain["candidates"][0]["action"] == analysis.best.action
    assert plain["seed"] == 3 and plain["iterations"] == 20


def test_nobody_to_search_for(kuhn: Game) -> None:
    state = kuhn.new_state(1)
    with pytest.raises(SeatNotPendingError, match="seat 1"):
        Search(state, 1, seed=1)
    for seat, action in ((0, 0), (1, 0)):
        state.apply_action(seat, action)
    with pytest.raises(GameOverError):
        Search(state, 0, seed=1)


def test_the_line_of_play_does_not_hang_on_the_last_simulation() -> None:
    """A re-determinised simulation ends in a world that the deciding seat knows to be false; the line is one in its own."""
    state = new_game("hanabi", seats=2).new_state(3)
    search = Search(state, state.pending[0], seed=1)
    search.simulate(Limits(iterations=3000))
    lines = [search.run(Limits(iterations=1)).best.principal_variation for _ in range(40)]
    assert len(lines[0]) > 2
    assert sum(line != after for line, after in pairwise(lines)) < 5


def followed(world: State, seat: int, line: tuple[str, ...]) -> int:
    """How many steps of a line can be made in this world, each under the same name."""
    for number, told in enumerate(line):
        while not world.is_over and len(world.legal_actions(asked := seat if seat in world.pending else world.pending[0])) == 1:
            world.apply_action(asked, world.legal_actions(asked)[0])
        if world.is_over:
            return number
        asked = seat if seat in world.pending else world.pending[0]
        named = {("" if asked == seat else f"Seat {asked}: ") + world.action_label(asked, action): action
                 for action in world.legal_actions(asked)}
        if told not in named:
            return number
        world.apply_action(asked, named[told])
    return len(line)


def test_what_a_line_says_for_certain_can_be_seen_by_the_seat(positions: Positions, any_game: Game) -> None:
    """A step that hangs on hidden cards or dice is a "perhaps"; what is no "perhaps" happens in other worlds, too."""
    worlds = agreed = 0
    for number, (state, seat) in enumerate(positions(5)):
        for candidate in Search(state, seat, seed=2).run(Limits(iterations=400)).candidates[:2]:
            line = candidate.principal_variation
            certain = [step for step in line if not step.startswith("perhaps ")]
            assert line[:len(certain)] == tuple(certain) and line[0] == candidate.label
            if any_game.spec.id in ("tic_tac_toe", "connect_four"):
                assert len(certain) == len(line)
            for sample in range(8):
                worlds += 1
                agreed += followed(state.resample_from_infostate(seat, 100 * number + sample), seat, tuple(certain)) == len(certain)
    assert agreed > 0.93 * worlds


def test_hidden_cards_are_a_perhaps() -> None:
    """Liar's dice show nothing: all can bid the same. A Mythos hand is hidden, and so is what is played from it."""
    said = {}
    for game_id in ("mythos", "liars_dice", "leduc"):
        state = new_game(game_id).new_state(5)
        lines: list[str] = []
        for _ in range(12):
            seat = state.pending[0]
            best = Search(state, seat, seed=1).run(Limits(iterations=600)).best
            lines += best.principal_variation
            state.apply_action(seat, best.action)
            if state.is_over:
                break
        said[game_id] = sum(step.startswith("perhaps Seat") for step in lines)
    assert said["mythos"] > 0 == said["liars_dice"]


def test_no_state_is_no_crash(kuhn: Game) -> None:
    nothing: Any = None
    for ask in (lambda: Search(nothing, 0, seed=1), lambda: Search(kuhn.new_state(1), 0, seed=1).follow(nothing),
                lambda: make_bot("heuristic", 1).choose(nothing, 0), lambda: audit(nothing)):
        with pytest.raises(TypeError, match="None"):
            ask()


def test_what_are_no_limits_and_no_params_is_refused_in_words(kuhn: Game) -> None:
    number: Any = 1000
    knobs: Any = {"exploration": 2}
    search = Search(kuhn.new_state(1), 0, seed=1)
    with pytest.raises(TypeError, match=r"Limits\(iterations=1000\), and not by 1000"):
        search.run(number)
    assert search.run(Limits(iterations=10)).iterations >= 10
    with pytest.raises(TypeError, match=r"SearchParams\(exploration=2\), and not"):
        Search(kuhn.new_state(1), 0, seed=1, params=knobs)


def test_a_search_that_was_never_initialised_says_so(kuhn: Game) -> None:
    class Lazy(Search):
        def __init__(self, *args: Any, **words: Any) -> None:
            pass

    search = Lazy(kuhn.new_state(1), 0, seed=1)
    for ask in (search.analysis, search.choose, lambda: search.best_action, lambda: search.simulate(Limits(iterations=1))):
        with pytest.raises(RuntimeError, match="never initialised"):
            ask()


@pytest.mark.parametrize("wrong", [
    {"iterations": 0}, {"time_ms": 0}, {"time_ms": float("nan")}, {"iterations": 1, "nodes": 0}])
def test_limits_refuse_nonsense(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Limits(**wrong)


def test_a_search_without_end_is_refused(kuhn: Game) -> None:
    with pytest.raises(ValueError, match="never end"):
        Search(kuhn.new_state(1), 0, seed=1).run(Limits())


@pytest.mark.parametrize(("knob", "value"), [
    ("exploration", -1), ("prior_temperature", 0), ("prior_temperature", float("nan")), ("prior_uniform", 1.5),
    ("fpu_reduction", -0.1), ("prior_visits", -1), ("tree_key", "closed"), ("rollout_epsilon", 2),
    ("rollout_depth", -2), ("evaluate_weight", -1)])
def test_params_refuse_nonsense_by_name(knob: str, value: Any) -> None:
    with pytest.raises(ValueError, match=knob):
        SearchParams(**{knob: value})
