"""OpenSpiel's own tests, run by OpenSpiel's own code, on every game of ours.

* pyspiel.random_sim_test: their C++ test of a game by random simulations (clones, legality, masks, observations, utilities,
  serialization), on every set of settings of the conformance suite;
* GamesSimTest.sim_game: their Python test of the same, with pickling;
* the test cases of integration_tests/api_test.py, on sampled states of every game and on the whole tree of small ones, with the
  node and information-set counts that OpenSpiel pins for its own versions of the same games.
"""
from __future__ import annotations

from typing import Any

import pytest

from cases import Case, all_cases, default_cases

pyspiel = pytest.importorskip("pyspiel", reason="the extra 'adapters' is not installed: OpenSpiel cannot judge")

from open_spiel.integration_tests import api_test  # noqa: E402
from open_spiel.python.tests import games_sim_test  # noqa: E402

from seatmate.ai.adapters.openspiel import game_name  # noqa: E402
from seatmate.engine.core.registry import list_games  # noqa: E402


def load(case: Case, **parameters: Any) -> Any:
    """The case as an OpenSpiel game."""
    options = {key: "+".join(value) if isinstance(value, tuple) else value for key, value in case.changed}
    return pyspiel.load_game(game_name(case.game_id), {"players": case.seats, "mode": case.mode, **options, **parameters})


@pytest.mark.parametrize("case", default_cases(), ids=lambda case: case.name)
def test_their_simulations_in_c(case: Case) -> None:
    pyspiel.random_sim_test(load(case), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("case", [case for case in all_cases() if case.changed], ids=lambda case: case.name)
def test_their_simulations_in_c_with_every_option(case: Case) -> None:
    pyspiel.random_sim_test(load(case, chance_samples=64), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("case", default_cases(), ids=lambda case: case.name)
def test_their_simulations_in_python(case: Case) -> None:
    games_sim_test.GamesSimTest().sim_game(load(case))


def test_our_games_are_on_their_list() -> None:
    listed = {game.short_name: game for game in pyspiel.registered_games()}
    for spec in list_games():
        assert listed[game_name(spec.id)].default_loadable
        assert listed[game_name(spec.id)].long_name.endswith(spec.title)


# ---- api_test.py ----

WHOLE_TREES = {
    # Their Kuhn poker has 4 chance nodes, their Leduc poker 157: they deal card by card, we deal once.
    "seatmate_kuhn": ("seatmate_kuhn", (1, 24, 30), "kuhn_poker"),
    "seatmate_leduc": ("seatmate_leduc", (151, 3780, 5520), "leduc_poker"),
    "seatmate_goofspiel": ("seatmate_goofspiel(players=2,cards=4,order=descending)", (0, 501, 576), "iigoofspiel4"),
}
for name, (text, counts, theirs) in WHOLE_TREES.items():
    assert counts[1:] == api_test.TOTAL_NUM_STATES[theirs][1:], "decisions and endings differ from OpenSpiel's"
    api_test.TOTAL_NUM_STATES[name] = counts
    api_test.PERFECT_RECALL_NUM_STATES[name] = api_test.PERFECT_RECALL_NUM_STATES[theirs]
    globals()[f"TestWholeTree_{name}"] = type(f"TestWholeTree_{name}", (api_test.EnforceAPIOnFullTreeBase,), {
        "game_name": name, "game": pyspiel.load_game(text), "__module__": __name__})

for name in [game_name(spec.id) for spec in list_games()]:
    globals()[f"TestSampledStates_{name}"] = type(f"TestSampledStates_{name}", (api_test.EnforceAPIOnPartialTreeBase,), {
        "game_name": name, "game": pyspiel.load_game(name), "__module__": __name__})
