"""Reasons: what is held against what, what is left out, and how a price is marked."""
from __future__ import annotations

from collections.abc import Sequence

import pytest

from seatmate.ai.search import Analysis, Limits, Search
from seatmate.ai.search.reasons import Outcome, explain, gaps
from seatmate.engine.core.game import Game
from seatmate.engine.core.registry import game_spec, list_games, new_game
from seatmate.engine.core.spec import CHANCE, Feature

HANABI = new_game("hanabi", seats=2)
SCORE, POSSIBLE, LIVES, HINTS, READY = range(5)


def outcome(action: int, worlds: Sequence[dict[int, float]], *, value: float | None = 0.5, error: float = 0.001) -> Outcome:
    """An answer of Hanabi with these features in four worlds; the rest is 0, and later it is the same."""
    rows = [[world.get(number, 0.0) for number in range(6)] for world in worlds]
    return Outcome(action, f"answer {action}", value, error, rows, rows)


def texts(*outcomes: Outcome) -> list[list[str]]:
    return [[reason.text for reason in told] for told in explain(HANABI, outcomes, None)]


def test_the_best_one_gains_over_the_runner_up_and_the_others_lose_against_the_best() -> None:
    best, second = outcome(1, [{SCORE: 2, HINTS: 0.15}] * 4), outcome(2, [{SCORE: 1, HINTS: 0.45}] * 4)
    assert texts(best, second) == [["scores 1 point more", "but hints left: 1 instead of 3"],
                                   ["scores 1 point less", "though hints left: 3 instead of 1"]]
    for told, favourable in zip(explain(HANABI, (best, second), None), (True, False), strict=True):
        assert [reason.favourable for reason in told] == [favourable, not favourable]


def test_a_drawback_alone_is_no_reason() -> None:
    best, second = outcome(1, [{HINTS: 0.15}] * 4), outcome(2, [{HINTS: 0.45}] * 4)
    assert texts(best, second) == [[], []]


def test_what_differs_by_no_more_than_its_error_is_left_out() -> None:
    """Paired: a difference that is the same in every world stands, however much the worlds differ."""
    sure = [{SCORE: 1.0 + world, READY: 0.0} for world in range(4)]
    noise = [{SCORE: 0.0 + world, READY: (-1) ** world} for world in range(4)]
    assert texts(outcome(1, sure), outcome(2, noise)) == [["scores 1 point more"], ["scores 1 point less"]]
    assert texts(outcome(1, [{SCORE: 3 * (world % 2)} for world in range(4)]), outcome(2, [{}] * 4))[0] == []


def test_results_of_the_search_are_the_last_resort() -> None:
    best, second = outcome(1, [{}] * 4, value=0.7), outcome(2, [{}] * 4, value=0.6)
    assert texts(best, second)[0] == ["games played on end better: points at the end +1.0"]
    assert texts(best, outcome(2, [{}] * 4, value=0.695)) == [[], []], "it is sure, and too little"
    assert texts(best, outcome(2, [{}] * 4, value=0.6, error=0.06)) == [[], []], "it is no more than chance"
    assert texts(best, outcome(2, [{}] * 4, value=None)) == [[], []]


def test_where_nothing_tells_it_from_the_runner_up_the_next_one_is_named() -> None:
    best, second, third = (outcome(number, [{SCORE: score}] * 4) for number, score in ((1, 1), (2, 1), (3, 0)))
    assert texts(best, second, third) == [['unlike "answer 3": scores 1 point more'], [], ["scores 1 point less"]]


def test_no_text_stands_at_three_answers() -> None:
    best = outcome(1, [{SCORE: 1}] * 4)
    told = texts(best, *[outcome(number, [{}] * 4) for number in (2, 3, 4, 5)])
    assert told[1] == ["scores 1 point less"] and told[2] == ['as "answer 2": scores 1 point less']
    assert len({tuple(reasons) for reasons in told}) == 5


def test_only_like_is_compared_with_like() -> None:
    """A world in which one answer has reached the next round is left out; in too few of them nothing can be said."""
    features = (Feature("odds", stamp=100.0), Feature("tokens"), Feature("round", clock=True))
    here, there = [100.2, 1.0, 1.0, 0.5], [200.9, 3.0, 2.0, 0.5]
    other = [100.1, 0.0, 1.0, 0.5]
    found = {gap.number: gap for gap in gaps(features, [here, here, here, there], [other] * 4)}
    assert found[0].good == pytest.approx(0.1) and found[1].good == pytest.approx(1.0) and set(found) == {0, 1, 3}
    assert found[0].mine == pytest.approx(0.2)
    assert gaps(features, [here, there, there, there], [other] * 4) == []
    points = (Feature("mission", stamp=100.0),)
    held = gaps(points, [[100.2, 0.0]] * 3 + [[200.9, 0.0]], [[100.1, 0.0]] * 4)
    assert held[0].good == pytest.approx(0.1), "a mission later it is another one"


def test_less_is_better_where_a_feature_says_so() -> None:
    found = gaps((Feature("risk", -1),), [[0.2, 0.0]] * 3, [[0.6, 0.0]] * 3)
    assert found[0].good == pytest.approx(0.4)


def analyses(game_id: str, count: int) -> list[tuple[Game, Analysis]]:
    game = new_game(game_id, seats=game_spec(game_id).modes[0].seats[0])
    state = game.new_state(4)
    found: list[tuple[Game, Analysis]] = []
    while not state.is_over and len(found) < count:
        seat = state.pending[0]
        analysis = Search(state, seat, seed=1).run(Limits(iterations=100))
        if len(analysis.candidates) > 1:
            found.append((game, analysis))
        state.apply_action(seat, analysis.best.action)
    return found


@pytest.mark.parametrize("game_id", [spec.id for spec in list_games()])
def test_reasons_of_every_game_say_for_whom_they_speak(game_id: str) -> None:
    """The first reason of the best answer speaks for it, of all others against them; what contradicts it is marked."""
    for game, analysis in analyses(game_id, 10):
        assert analysis.unit == game.unit()
        legal = {candidate.action for candidate in analysis.candidates}
        for candidate in analysis.candidates:
            best = candidate is analysis.best
            assert tuple(reason.text for reason in candidate.why) == candidate.reasons and len(candidate.why) <= 3
            for number, reason in enumerate(candidate.why):
                assert reason.against in legal - {candidate.action}
                assert reason.text.startswith("but " if best else "though ") == (reason.favourable != best)
                assert number or reason.favourable == best, candidate
        texts = [candidate.reasons for candidate in analysis.candidates if candidate.reasons]
        assert all(texts.count(told) < 3 for told in texts), texts


def test_a_value_in_the_units_of_the_game() -> None:
    assert CHANCE.text(0.564) == "56 %" and CHANCE.margin(0.04) == "4" and CHANCE.change(-0.08) == "-8 %"
    assert (CHANCE.margin(0.004), HANABI.unit().margin(0.004), HANABI.unit().margin(0.02)) == ("<1", "<0.1", "0.2")
    assert HANABI.unit().text(0.5) == "5.0" and new_game("kuhn").unit().text(0.75) == "1.00"
    assert new_game("hanabi", options={"colours": 1}).unit().high == 5


def test_the_end_of_the_game_is_compared_across_rounds() -> None:
    features = (Feature("result", lasts=True), Feature("tokens"), Feature("round", clock=True))
    found = gaps(features, [[1.0, 3.0, 1.0, 0.5]] * 3, [[0.0, 2.0, 2.0, 0.5]] * 3)
    assert [(gap.number, gap.good) for gap in found] == [(0, 1.0)]


def test_what_is_as_another_one_says_what_that_one_says() -> None:
    """A third answer that loses the same as two before it is never likened to one that tells something else."""
    told = texts(outcome(1, [{SCORE: 1}] * 4), outcome(2, [{READY: 0.06}] * 4), outcome(3, [{}] * 4), outcome(4, [{}] * 4))
    assert told[1:] == [["scores 1 point less"],
                        ['unlike "answer 2": cards that can be played and are known to be: 0.0 instead of 0.1'],
                        ['as "answer 2": scores 1 point less']]


def test_what_all_simulations_agree_on_is_a_tie() -> None:
    """The game is decided: whatever is done brought the same every time."""
    found = 0
    for seed in range(12):
        state = new_game("goofspiel", seats=2, options={"cards": 6}).new_state(seed)
        while not state.is_over:
            seat = state.pending[0]
            analysis = Search(state, seat, seed=1).run(Limits(iterations=100))
            values = [candidate.value for candidate in analysis.candidates if candidate.visits >= 2]
            if len(values) == len(analysis.candidates) > 1 and set(values) in ({0.0}, {1.0}):
                assert all(candidate.tied for candidate in analysis.candidates)
                found += 1
            state.apply_action(seat, state.legal_actions(seat)[-1] if seat else state.legal_actions(seat)[0])
    assert found > 3
