"""What is shown of a search, and how it hangs together with what was simulated."""
from __future__ import annotations

import math
from dataclasses import replace
from operator import attrgetter

import pytest

from seatmate.ai.search import Limits, Search, SearchParams
from seatmate.engine.core.game import State
from seatmate.engine.core.registry import game_spec, list_games, new_game
from seatmate.engine.core.spec import Calibration, GameSpec

from .conftest import Positions

LINE = Calibration(mode="standard", seats=2, shift=0.8, slope=0.5)
VALUES = [0.0, 1e-9, 0.01, 0.2, 0.5, 0.77, 0.99, 1 - 1e-9, 1.0]


@pytest.mark.parametrize("settled", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("line", [LINE, Calibration(mode="standard", seats=2, shift=-2.0, slope=0.01),
                                  Calibration(mode="standard", seats=2, shift=1.0, slope=0.5, bend=-0.4, at=0.5),
                                  Calibration(mode="standard", seats=2, shift=-1.0, slope=0.1, bend=4.0, at=1.5)])
def test_ends_stay_and_the_better_stays_the_better(line: Calibration, settled: float) -> None:
    shown = [line(value, settled) for value in VALUES]
    assert shown[0] == 0 and shown[-1] == 1 and shown == sorted(shown)
    assert settled < 1 or shown == pytest.approx(VALUES)
    for value in VALUES:
        for error in (0.0, 0.01, 0.2):
            assert 0 <= line.error(value, error, settled) <= 0.5
            assert error > 0 or line.error(value, error, settled) == 0


def test_a_line_in_log_odds() -> None:
    assert LINE(0.5) == pytest.approx(1 / (1 + math.exp(-0.8)))
    assert LINE(0.2) == pytest.approx(1 / (1 + math.exp(-0.8 - 0.5 * math.log(0.25))))
    slope = (LINE(0.4 + 1e-6) - LINE(0.4 - 1e-6)) / 2e-6
    assert LINE.error(0.4, 1e-4) == pytest.approx(1e-4 * slope, rel=1e-2)


@pytest.mark.parametrize("spec", list_games(), ids=lambda spec: spec.id)
def test_a_games_calibrations_fit_its_tables(spec: GameSpec) -> None:
    for line in spec.calibration:
        assert line.seats in spec.mode(line.mode).seats and line.slope > 0
        assert set(line.options) <= {option.key for option in spec.options}
        game = new_game(spec.id, mode=line.mode, seats=line.seats, options=line.options)
        assert spec.calibration_for(game.settings) == line, "another line hides this one"


def searched(state: State, calibration: Calibration | None, params: SearchParams | None = None, seat: int | None = None) -> Search:
    search = Search(state, state.pending[0] if seat is None else seat, seed=3, params=params)
    search.calibration = calibration
    search.simulate(Limits(iterations=150))
    return search


def test_only_what_is_shown_is_calibrated(positions: Positions) -> None:
    for state, seat in positions(3):
        raw, bent = (searched(state, calibration, seat=seat) for calibration in (None, LINE))
        plain, shown = raw.analysis(), bent.analysis()
        assert shown.best.action == plain.best.action       # the others stand by the intervals that are shown
        assert shown.value == pytest.approx(LINE(plain.value, raw.settled))
        assert bent.choose() == raw.choose() and bent.settled == raw.settled
        for before, after in zip(*(sorted(found.candidates, key=attrgetter("action")) for found in (plain, shown)), strict=True):
            assert replace(after, value=before.value, standard_error=before.standard_error, why=before.why, reasons=before.reasons,
                           win_probability=before.win_probability) == before        # reasons may compare what is shown
            if before.value is None:
                assert after == before
                continue
            assert after.value == LINE(before.value, raw.settled)
            assert before.win_probability is None or after.win_probability == LINE(before.win_probability, raw.settled)
            if before.standard_error == 0.5:
                assert after.standard_error == 0.5
            else:
                assert after.standard_error == LINE.error(before.value, before.standard_error, raw.settled)


def test_the_games_own_line_is_for_the_games_own_search() -> None:
    spec = game_spec("kuhn")
    before = spec.calibration
    object.__setattr__(spec, "calibration", (LINE,))
    try:
        state = new_game("kuhn").new_state(1)
        assert Search(state, state.pending[0], seed=1).calibration == LINE
        assert Search(state, state.pending[0], seed=1, params=SearchParams.for_game(spec)).calibration == LINE
        assert Search(state, state.pending[0], seed=1, params=SearchParams.plain()).calibration is None
    finally:
        object.__setattr__(spec, "calibration", before)


def test_settled_is_the_share_that_reached_the_end() -> None:
    cut = replace(SearchParams(), rollout_depth=1)
    state = new_game("tic_tac_toe").new_state(1)
    assert searched(state, None, cut).settled < 0.1 and searched(state, None, SearchParams()).settled == 0
    for action in (0, 4, 8, 1, 7, 6, 2):      # two empty squares: any simulation ends the game
        state.apply_action(state.pending[0], action)
    assert len(state.legal_actions(state.pending[0])) == 2
    assert searched(state, None, cut).settled == 1 and searched(state, None, SearchParams()).settled == 0
