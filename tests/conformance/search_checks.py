"""What must hold of the search and the bots in every game; above all that they never peek."""
from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from checks import fingerprint
from positions import play_out, positions
from seatmate.ai.bots import make_bot
from seatmate.ai.search import Analysis, Limits, Search, SearchParams
from seatmate.ai.search.audit import audit
from seatmate.engine.core.game import Game, State

Analyse = Callable[[State, int, int, int], Any]
"""(state, seat, seed, iterations) -> something comparable that depends on nothing else."""


def analyse(state: State, seat: int, seed: int, iterations: int) -> Any:
    """A search's whole answer, without the time it took."""
    return Search(state, seat, seed=seed).run(Limits(iterations=iterations))


def questions(game: Game, seed: int, count: int) -> Iterator[tuple[State, int]]:
    """Positions of a random game with a seat that is asked something there."""
    for state in positions(game, seed, count):
        for seat in state.pending:
            yield state, seat


def check_no_peek(game: Game, seed: int, iterations: int = 64, search: Analyse = analyse) -> None:
    """A search in a world the seat can't tell from the true one gives the same answer, bit for bit."""
    for number, (state, seat) in enumerate(questions(game, seed, 3)):
        truth = search(state.clone(), seat, number, iterations)
        for sample in range(2):
            world = state.resample_from_infostate(seat, 10 * number + sample)
            assert search(world, seat, number, iterations) == truth, \
                f"seat {seat}'s search looks at what the seat can't see, after {len(state.actions)} decisions"


def check_rebuilt_positions_know_their_past(game: Game, seed: int, iterations: int = 300) -> None:
    """What GameSpec.public_choices promises of `state_from_view`: a search that weighs worlds by the past finds the same there."""
    if not game.spec.public_choices:
        return
    params = SearchParams(selection="regret", start_share=0.9, open_until=50)
    for number, (state, seat) in enumerate(questions(game, seed, 3)):
        view = game.new_view(seat)
        view.feed(state.events(seat))
        rebuilt = game.state_from_view(view.snapshot(), seat, number)
        table, alone = (Search(where, seat, seed=number, params=params).run(Limits(iterations=iterations))
                        for where in (state, rebuilt))
        assert table == alone, "a position that was rebuilt from a view has lost its past"


def check_search_is_reproducible(game: Game, seed: int, iterations: int = 64, search: Analyse = analyse) -> None:
    """The same seed and budget give the same answer; its candidates are the legal actions, each with sane numbers."""
    for number, (state, seat) in enumerate(questions(game, seed, 2)):
        analysis = search(state, seat, number, iterations)
        assert search(state, seat, number, iterations) == analysis, "a search with the same seed answers differently"
        candidates = analysis.candidates
        assert sorted(candidate.action for candidate in candidates) == state.legal_actions(seat)
        for candidate in candidates:
            assert candidate.value is None or 0.0 <= candidate.value <= 1.0, candidate
            assert (candidate.value is None) == (candidate.visits == 0 and len(candidates) > 1), candidate
            assert 0.0 <= candidate.visit_share <= 1.0 and candidate.visits >= 0, candidate
            assert candidate.win_probability is None or 0.0 <= candidate.win_probability <= 1.0, candidate
            assert candidate.label == state.action_label(seat, candidate.action)
        check_order(analysis)


def check_order(analysis: Analysis) -> None:
    """The first is what a bot plays; the others stand by how often it plays them, then by what they are worth at least."""
    first, *others = analysis.candidates
    assert first.tied and first.policy == max(candidate.policy for candidate in analysis.candidates)
    order = [(one.policy, -2.0 if one.value is None else one.value - 1.96 * one.standard_error) for one in others]
    assert order == sorted(order, reverse=True), "the candidates are not best first"
    for one in others:
        assert one.tied or one.value is None or first.value is None or one.value < first.value, \
            f"{one.label} stands behind {first.label}, is worth more, and nothing says that this is open"


def check_only_some_actions(game: Game, seed: int, iterations: int = 64) -> None:
    """A search of some actions looks at these alone: nothing else is tried, nothing hidden is peeked at."""
    chooser = random.Random(seed)
    for number, (state, seat) in enumerate(questions(game, seed, 3)):
        legal = state.legal_actions(seat)
        if len(legal) == 1:
            continue
        for wanted in (legal[::-1], chooser.sample(legal, 1), chooser.sample(legal, min(2, len(legal) - 1))):
            search = Search(state, seat, seed=number, only=wanted)
            analysis = search.run(Limits(iterations=iterations))
            audit(search)
            assert sorted(one.action for one in analysis.candidates) == sorted(wanted)
            assert search.best_action == analysis.candidates[0].action and search.choose() in wanted
            assert analysis.candidates[0].visits and analysis.candidates[0].value is not None
            assert abs(sum(one.policy for one in analysis.candidates) - 1) < 1e-9
            assert abs(sum(one.prior for one in analysis.candidates) - 1) < 1e-6
            check_order(analysis)
            world = state.resample_from_infostate(seat, number)
            assert Search(world, seat, seed=number, only=wanted).run(Limits(iterations=iterations)) == analysis, \
                "a search of some actions looks at what the seat can't see"
        everything = Search(state, seat, seed=number, only=legal).run(Limits(iterations=iterations))
        assert everything == analyse(state, seat, number, iterations), "naming all actions is not the same as naming none"


def check_bots(game: Game, seed: int, kinds: tuple[str, ...] = ("random", "heuristic", "search:iterations=20"),
               make: Callable[[str, int], Any] = make_bot) -> None:
    """Bots choose legal actions, choose the same in worlds their seat can't tell apart, and leave the table alone."""
    for number, (state, seat) in enumerate(questions(game, seed, 3)):
        before = fingerprint(state)
        future = state.clone()
        play_out(future, seed, 15)
        world = state.resample_from_infostate(seat, 99 + number)
        for kind in kinds:
            choice = make(kind, number).choose(state, seat)
            assert choice in state.legal_actions(seat), f"{kind} chooses {choice}"
            assert make(kind, number).choose(world, seat) == choice, f"{kind} looks at what seat {seat} can't see"
        assert fingerprint(state) == before, "a bot's thinking changed the table"
        again = state.clone()
        play_out(again, seed, 15)
        assert fingerprint(again) == fingerprint(future), "a bot's thinking changed the table's chance"


def check_hints_change_nothing(game: Game, seed: int) -> None:
    """Two tables of one seed, one of them with hints asked for all along, see the same deal and events to the end."""
    asked, plain = game.new_state(seed), game.new_state(seed)
    chooser = random.Random(seed)
    while not plain.is_over:
        seat = chooser.choice(plain.pending)
        if chooser.random() < 0.15:
            analyse(asked, seat, seed, 8)
            make_bot("heuristic", seed).choose(asked, seat)
        action = chooser.choice(plain.legal_actions(seat))
        asked.apply_action(seat, action)
        plain.apply_action(seat, action)
    assert fingerprint(asked) == fingerprint(plain), "hints changed the deal"
