"""Our games as OpenSpiel games: what their algorithms find, what a seat may know, and what a state is made of."""
from __future__ import annotations

import itertools
import pickle
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="the extra 'adapters' is not installed: there is no OpenSpiel to play in")

from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from seatmate.ai.adapters.openspiel import game_name, register_games  # noqa: E402
from seatmate.ai.adapters.openspiel.position import outcomes_of  # noqa: E402
from seatmate.engine.core.errors import SettingsError  # noqa: E402
from seatmate.engine.core.registry import list_games, new_game  # noqa: E402

NAMES = [game_name(spec.id) for spec in list_games()]
Kinds = pyspiel.GameType


def step(state: Any, choice: random.Random) -> None:
    """One random step."""
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(choice.choices(outcomes, chances)[0])
    else:
        state.apply_action(choice.choice(state.legal_actions()))


def decisions(game: Any, seed: int, every: int = 1) -> list[Any]:
    """Positions of a random game in which a seat is to act."""
    choice = random.Random(seed)
    state = game.new_initial_state()
    found = []
    while not state.is_terminal():
        if not state.is_chance_node():
            found.append(state.clone())
        step(state, choice)
    return found[::every]


def thinned(found: list[Any], most: int) -> list[Any]:
    """At most so many of them, from beginning to end."""
    return found[::-(-len(found) // most)]


# ---- What their algorithms find ----

def cfr_value(game: Any, iterations: int) -> list[float]:
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return list(pyspiel.expected_returns(game.new_initial_state(), solver.average_policy(), -1, True))


def test_their_solver_finds_the_value_of_kuhn_poker() -> None:
    # Utilities are half of the chips: the value -1/18 for the first seat (Kuhn 1950) is -1/36 here.
    assert cfr_value(pyspiel.load_game("seatmate_kuhn"), 300) == pytest.approx([-1 / 36, 1 / 36], abs=1e-4)


@pytest.mark.parametrize(("ours", "theirs", "scale"), [("seatmate_kuhn", "kuhn_poker", 2), ("seatmate_leduc", "leduc_poker", 13)])
def test_uniform_play_is_as_exploitable_as_in_their_game(ours: str, theirs: str, scale: float) -> None:
    def exploitability(name: str) -> float:
        game = pyspiel.load_game(name)
        return float(pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game)))

    assert scale * exploitability(ours) == pytest.approx(exploitability(theirs), abs=1e-9)


@pytest.mark.parametrize("name", ["seatmate_leduc", "seatmate_liars_dice(players=3)", "seatmate_goofspiel(players=3,cards=5)",
                                  "seatmate_hanabi(players=3)", "seatmate_hyde(players=2)"])
def test_their_information_set_search_plays_a_game(name: str) -> None:
    game = pyspiel.load_game(name)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), 1.0, 6,
                           random_state=np.random.RandomState(2))
    choice = random.Random(3)
    state = game.new_initial_state()
    searched = 0
    while not state.is_terminal():
        if state.is_chance_node() or searched >= 12:
            step(state, choice)
        else:
            action = int(bot.step(state))
            assert action in state.legal_actions()
            state.apply_action(action)
            searched += 1
    assert searched > 0


def test_their_tree_search_wins_our_tic_tac_toe_against_random_play() -> None:
    game = pyspiel.load_game("seatmate_tic_tac_toe")
    total = 0.0
    for seed in range(6):
        bot = mcts.MCTSBot(game, 2.0, 100, mcts.RandomRolloutEvaluator(1, np.random.RandomState(seed)),
                           random_state=np.random.RandomState(seed))
        choice = random.Random(seed)
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(bot.step(state) if state.current_player() == 0 else choice.choice(state.legal_actions()))
        total += state.returns()[0]
    assert total >= 5


# ---- Types ----

def test_types_say_what_the_games_are() -> None:
    def of(name: str) -> tuple[Any, Any, Any]:
        kind = pyspiel.load_game(name).get_type()
        return kind.chance_mode, kind.information, kind.utility

    sure, chance = Kinds.ChanceMode.DETERMINISTIC, Kinds.ChanceMode.EXPLICIT_STOCHASTIC
    assert of("seatmate_tic_tac_toe") == (sure, Kinds.Information.PERFECT_INFORMATION, Kinds.Utility.ZERO_SUM)
    assert of("seatmate_kuhn") == (chance, Kinds.Information.IMPERFECT_INFORMATION, Kinds.Utility.ZERO_SUM)
    assert of("seatmate_hanabi") == (chance, Kinds.Information.IMPERFECT_INFORMATION, Kinds.Utility.IDENTICAL)
    assert of("seatmate_goofspiel(order=random)")[0] == chance
    assert of("seatmate_goofspiel(order=ascending)") == (sure, Kinds.Information.IMPERFECT_INFORMATION, Kinds.Utility.ZERO_SUM)


def test_utilities_are_twice_the_distance_to_the_fair_share() -> None:
    game = pyspiel.load_game("seatmate_goofspiel(players=4,cards=4)")
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-0.5, 1.5, 0.0)
    assert game.num_distinct_actions() == 13 and game.max_game_length() == 52
    state = game.new_initial_state()
    choice = random.Random(1)
    while not state.is_terminal():
        assert state.returns() == [0.0] * 4
        step(state, choice)
    assert state.returns() == [2 * (value - 0.25) for value in state.position.state.returns()]


@pytest.mark.parametrize("name", NAMES)
def test_parameters_have_the_defaults_of_the_registry(name: str) -> None:
    spec = next(spec for spec in list_games() if game_name(spec.id) == name)
    game = pyspiel.load_game(name)
    assert game.table.game.settings == new_game(spec.id).settings
    assert game.num_players() == spec.modes[0].seats[-1]
    assert pyspiel.load_game(str(game)).table.key == game.table.key


def test_every_mode_has_its_own_number_of_players() -> None:
    for spec in list_games():
        for mode in spec.modes:
            game = pyspiel.load_game(f"{game_name(spec.id)}(mode={mode.key})")
            assert game.num_players() == mode.seats[-1] and game.table.game.settings.mode == mode.key
            assert pyspiel.load_game(str(game)).table.key == game.table.key
    with pytest.raises(SettingsError, match="seats: 2 is not possible"):
        pyspiel.load_game("seatmate_titans(mode=ffa3,players=2)")


def test_parameters_reach_the_game_and_wrong_ones_are_named() -> None:
    hyde = pyspiel.load_game("seatmate_hyde(players=2,outcasts=yoko+enid,signals=true,loss_limit=4)")
    options = hyde.table.game.settings.options
    assert (options["outcasts"], options["signals"], options["loss_limit"]) == (("yoko", "enid"), True, 4)
    assert pyspiel.load_game(str(hyde)).table.game.settings == hyde.table.game.settings
    for parameters, field in [({"players": 9}, "seats"), ({"mode": "blitz"}, "mode"), ({"dice": 77}, "options.dice")]:
        with pytest.raises(SettingsError, match=rf"^{field}"):
            pyspiel.load_game("seatmate_liars_dice", parameters)
    with pytest.raises(ValueError, match="chance_samples"):
        pyspiel.load_game("seatmate_kuhn", {"chance_samples": 1})


def test_words_that_look_like_numbers_survive_as_text() -> None:
    """OpenSpiel reads `a=0` as a number, so that a choice "0" is written '0'."""
    for given in ("0", "'0'"):
        game = pyspiel.load_game("seatmate_hyde", {"start_seat": given})
        assert game.table.game.settings.options["start_seat"] == "0"
        assert "start_seat='0'" in str(game)
        assert pyspiel.load_game(str(game)).table.game.settings == game.table.game.settings


def test_registering_again_changes_nothing() -> None:
    before = pyspiel.registered_names()
    register_games()
    assert pyspiel.registered_names() == before


# ---- Chance ----

def test_equal_chances_are_found_exactly_and_others_are_counted() -> None:
    assert outcomes_of([(0, 160), (1, 175), (2, 165)]) == [(0, 1 / 3), (1, 1 / 3), (2, 1 / 3)]
    assert outcomes_of([(0, 100), (1, 200)]) == [(0, 1 / 3), (1, 2 / 3)]            # not equal
    assert outcomes_of([(0, 3), (1, 1)]) == [(0, 0.75), (1, 0.25)]                   # too few to tell
    assert outcomes_of([(0, 1)]) == [(0, 1.0)]


@pytest.mark.parametrize(("name", "count"), [("seatmate_kuhn", 6), ("seatmate_leduc", 30), ("seatmate_goofspiel", 13),
                                             ("seatmate_liars_dice(players=2)", 36)])
def test_small_deals_are_exact(name: str, count: int) -> None:
    state = pyspiel.load_game(name).new_initial_state()
    assert state.is_chance_node()
    outcomes = state.chance_outcomes()
    assert [probability for _, probability in outcomes] == [1 / count] * count
    assert len({state.child(outcome).position.state.to_bytes() for outcome, _ in outcomes}) == count


def test_a_card_of_the_deck_comes_as_often_as_there_are_copies_of_it() -> None:
    """Hanabi: after a play, the new card is hidden from its owner; its chances follow the cards that nobody has seen."""
    game = pyspiel.load_game("seatmate_hanabi(players=2,colours=2,lives=3,chance_samples=4000)")
    state = game.new_initial_state()
    state.apply_action(state.chance_outcomes()[0][0])
    state.apply_action(2)                                       # play the first card
    assert state.is_chance_node() and not state.is_terminal()
    known = [card for seat in range(2) for card in state.position.observation(1 - seat)["hands"][seat]]
    copies = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}
    left = Counter({f"{colour}{rank}": copies[rank] for colour in "RY" for rank in copies}) - Counter(known)
    drawn: Counter[str] = Counter()
    for outcome, probability in state.chance_outcomes():
        card = state.child(outcome).position.observation(1)["hands"][0][-1]
        drawn[card] += probability
    assert set(drawn) == set(left)
    for card, number in left.items():
        expected = number / left.total()
        assert drawn[card] == pytest.approx(expected, abs=5 * (expected / 4000) ** 0.5)


@pytest.mark.parametrize("name", NAMES)
def test_equal_steps_make_equal_positions(name: str) -> None:
    game = pyspiel.load_game(name)
    first, second = (decisions(game, 11)[-1] for _ in range(2))
    assert str(first) == str(second) and first.position.state.to_bytes() == second.position.state.to_bytes()


# ---- Who knows what ----

OBSERVERS = [
    pyspiel.IIGObservationType(perfect_recall=recall, public_info=public, private_info=private)
    for recall in (False, True) for public in (False, True)
    for private in (pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE)
]


def seen_by(state: Any, seat: int) -> list[Any]:
    """Everything the adapter tells a seat, as OpenSpiel asks for it."""
    told: list[Any] = [state.information_state_string(seat), state.information_state_tensor(seat), state.observation_string(seat)]
    for kind in OBSERVERS:
        observation = make_observation(state.get_game(), kind)
        if observation is not None:
            told.append(observation.string_from(state, seat))
            observation.set_from(state, seat)
            told.append(None if observation.tensor is None else observation.tensor.tolist())
    if state.current_player() == seat:
        told.append([(action, state.action_to_string(seat, action)) for action in state.legal_actions(seat)])
    return told


@pytest.mark.parametrize("name", NAMES)
def test_a_seat_is_told_the_same_in_every_world_it_takes_for_the_true_one(name: str) -> None:
    game = pyspiel.load_game(name)
    different = 0
    positions = [state for seed in range(2) for state in thinned(decisions(game, seed, every=4), 25)]
    for (number, state), seat in itertools.product(enumerate(positions), range(game.num_players())):
        told = seen_by(state, seat)
        for _ in range(2):
            number += 1000
            world = state.resample_from_infostate(seat, pyspiel.UniformProbabilitySampler(number, 0.0, 1.0))
            assert seen_by(world, seat) == told
            assert world.current_player() == state.current_player()
            different += world.position.state.to_bytes() != state.position.state.to_bytes()
    hides = game.get_type().information == Kinds.Information.IMPERFECT_INFORMATION
    assert (different > 0) == hides


def test_a_secret_commitment_shows_to_nobody_else() -> None:
    game = pyspiel.load_game("seatmate_goofspiel(players=3,cards=5,order=descending)")
    told = []
    for action in range(5):
        state = game.new_initial_state()
        state.apply_action(action)
        assert state.current_player() == 1
        told.append([seen_by(state, 1), seen_by(state, 2)])
    assert all(each == told[0] for each in told)
    before = game.new_initial_state()
    assert before.information_state_string(2) == state.information_state_string(2), "it shows that somebody has committed"
    assert before.information_state_string(0) != state.information_state_string(0)


def test_a_world_sampled_amid_commitments_asks_the_same_seat_and_then_the_others() -> None:
    game = pyspiel.load_game("seatmate_goofspiel(players=3,cards=5,order=descending)")
    state = game.new_initial_state()
    state.apply_action(4)
    world = state.resample_from_infostate(1, pyspiel.UniformProbabilitySampler(1, 0.0, 1.0))
    asked = []
    for _ in range(3):
        asked.append(world.current_player())
        world.apply_action(world.legal_actions()[0])
    assert asked[0] == 1 and sorted(asked) == [0, 1, 2]


def test_information_states_of_others_in_a_sampled_world_tell_their_cards_apart() -> None:
    state = decisions(pyspiel.load_game("seatmate_leduc"), 1)[0]
    worlds = [state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(seed, 0.0, 1.0)) for seed in range(60)]
    cards = {(world.position.observation(1)["cards"][1], world.information_state_string(1)) for world in worlds}
    assert len(cards) == 5 == len({text for _, text in cards})
    again = worlds[0].resample_from_infostate(1, pyspiel.UniformProbabilitySampler(3, 0.0, 1.0))
    assert again.information_state_string(1) == worlds[0].information_state_string(1)


@pytest.mark.parametrize("outcome", [-2, 6, 1023, 1024, 10**9])
def test_a_chance_node_takes_its_own_outcomes_and_no_others(outcome: int) -> None:
    state = pyspiel.load_game("seatmate_kuhn").new_initial_state()
    listed = [sample for sample, _ in state.chance_outcomes()]
    assert outcome not in listed
    with pytest.raises(ValueError, match=f"^{outcome} is none of the 6 outcomes"):
        state.apply_action(outcome)
    assert state.is_chance_node() and [sample for sample, _ in state.chance_outcomes()] == listed and state.history() == []
    state.apply_action(listed[-1])
    assert not state.is_chance_node()


def test_a_chance_node_amid_the_game_takes_its_own_outcomes_and_no_others() -> None:
    choice, found = random.Random(4), 0
    for _ in range(5):
        state = pyspiel.load_game("seatmate_leduc").new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                listed = {sample for sample, _ in state.chance_outcomes()}
                wrong = next(sample for sample in itertools.count() if sample not in listed)
                with pytest.raises(ValueError, match="none of the"):
                    state.apply_action(wrong)
                found += bool(state.history())
            step(state, choice)
    assert found > 0


def test_what_our_model_does_not_have_is_refused() -> None:
    game = pyspiel.load_game("seatmate_kuhn")
    assert make_observation(game, pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)) is None
    with pytest.raises(ValueError, match="no parameters"):
        make_observation(game, None, {"colour": "red"})
    root = game.new_initial_state()
    with pytest.raises(ValueError, match="where a seat is to act"):
        root.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(0.0, 1.0))


# ---- Copies ----

@pytest.mark.parametrize("name", NAMES)
def test_states_survive_pickling_serializing_and_cloning_everywhere(name: str) -> None:
    """Also amid chance and for sampled worlds, and they play on in the same way."""
    game = pyspiel.load_game(name)
    choice = random.Random(8)
    state = game.new_initial_state()
    states = []
    while not state.is_terminal():
        states.append(state.clone())
        if not state.is_chance_node() and len(states) % 5 == 0:
            states.append(state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(4, 0.0, 1.0)))
        step(state, choice)
    for original in [*states[:6], *states[6::9], state]:
        copies = [original.clone(), pickle.loads(pickle.dumps(original)),
                  pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, original))[1]]
        for copy in copies:
            walk = [original.clone(), copy]
            for one in walk:
                same = random.Random(1)
                for _ in range(3):
                    if not one.is_terminal():
                        step(one, same)
            assert str(walk[0]) == str(walk[1]) and walk[0].history() == walk[1].history()
            if walk[0].position.state is not None:
                assert walk[0].position.state.to_bytes() == walk[1].position.state.to_bytes()
                assert seen_by(walk[0], 0) == seen_by(walk[1], 0)


def test_actions_have_the_labels_of_our_game() -> None:
    state = decisions(pyspiel.load_game("seatmate_kuhn"), 0)[0]
    assert [state.action_to_string(0, action) for action in (0, 1)] == [state.position.state.action_label(0, action)
                                                                       for action in (0, 1)]
    assert state.action_to_string(1, 0) == "Action 0" and state.action_to_string(0, 77) == "Action 77"
