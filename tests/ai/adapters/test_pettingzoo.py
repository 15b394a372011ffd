"""PettingZoo: its own tests on every game, and what the environments promise beyond them."""
from __future__ import annotations

import copy
import functools
import pickle
import random
import warnings
from typing import Any

import numpy as np
import pytest

from cases import Case, all_cases, default_cases

pytest.importorskip("pettingzoo", reason="the extra 'adapters' is not installed: PettingZoo cannot judge")

from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

from seatmate.ai.adapters import pettingzoo
from seatmate.engine.core.errors import IllegalActionError, SettingsError, UnknownGameError
from seatmate.engine.core.registry import list_games


def make(case: Case, **more: Any) -> Any:
    return pettingzoo.env(case.game_id, mode=case.mode, seats=case.seats, options=dict(case.changed), **more)


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
def test_their_api_test(case: Case) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("error", category=UserWarning)      # their advice, too
        # Except advice for environments without action masks: their own with masks are excused by name.
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        api_test(make(case), num_cycles=60)


@pytest.mark.parametrize("case", default_cases(), ids=lambda case: case.name)
def test_their_seed_test(case: Case) -> None:
    seed_test(functools.partial(make, case), num_cycles=60)


@pytest.mark.parametrize("spec", list_games(), ids=lambda spec: spec.id)
def test_their_render_test(spec: Any) -> None:
    render_test(functools.partial(pettingzoo.env, spec.id))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_their_parallel_test_on_the_simultaneous_game(seats: int) -> None:
    parallel_api_test(pettingzoo.parallel_env("goofspiel", seats=seats), num_cycles=60)


@pytest.mark.parametrize("game_id", [spec.id for spec in list_games() if spec.id != "goofspiel"])
def test_games_that_ask_one_seat_at_a_time_are_not_parallel(game_id: str) -> None:
    with pytest.raises(SettingsError, match="one seat at a time"):
        pettingzoo.parallel_env(game_id)


# ---- Copies ----

def _same(env: Any, other: Any) -> None:
    assert env.agent_selection == other.agent_selection and env.agents == other.agents
    assert (env.rewards, env.terminations, env.truncations) == (other.rewards, other.terminations, other.truncations)
    for agent in env.possible_agents:
        here, there = env.observe(agent), other.observe(agent)
        assert all(np.array_equal(here[key], there[key]) for key in here)
    assert env.unwrapped.table.to_bytes() == other.unwrapped.table.to_bytes()


def _step(env: Any, choice: random.Random) -> None:
    observation, _, termination, truncation, _ = env.last()
    env.step(None if termination or truncation else choice.choice(np.flatnonzero(observation["action_mask"]).tolist()))


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "pickle"])
@pytest.mark.parametrize("case", default_cases(), ids=lambda case: case.name)
def test_a_copy_goes_on_as_its_original_would(case: Case, twin: Any) -> None:
    env = make(case, history=50)
    fresh = twin(env)
    env.reset(seed=3)
    fresh.reset(seed=3)
    _same(env, fresh)
    choice = random.Random(5)
    for _ in range(9):
        if env.agents:
            _step(env, choice)
    other = twin(env)
    assert other.unwrapped.table is not env.unwrapped.table
    before = env.unwrapped.table.to_bytes()
    moves, theirs = random.Random(6), random.Random(6)
    for _ in range(300):
        if not env.agents:
            break
        _same(env, other)
        _step(other, theirs)
        assert env.unwrapped.table.to_bytes() == before     # what happens there does not happen here
        _step(env, moves)
        before = env.unwrapped.table.to_bytes()
    env.reset()         # the deals that follow are the same, too
    other.reset()
    _same(env, other)


def test_a_parallel_environment_is_copied_too() -> None:
    env = pettingzoo.parallel_env("goofspiel", seats=3)
    env.reset(seed=2)
    env.step(dict.fromkeys(env.agents, 1))
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        moves = dict.fromkeys(env.agents, 2)
        twin = copy.deepcopy(env)
        here, there = twin.step(moves), other.step(moves)
        assert here[1:] == there[1:]
        assert all(np.array_equal(here[0][agent]["observation"], there[0][agent]["observation"]) for agent in here[0])


# ---- Beyond their tests ----

def play(env: Any, seed: int) -> tuple[list[int], dict[str, float]]:
    """A random game: the actions and what each agent got in all."""
    env.reset(seed=seed)
    choice = random.Random(seed)
    actions = []
    gained = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        gained[agent] += reward
        if termination or truncation:
            env.step(None)
            continue
        actions.append(choice.choice(np.flatnonzero(observation["action_mask"]).tolist()))
        env.step(actions[-1])
    return actions, gained


@pytest.mark.parametrize("case", default_cases(), ids=lambda case: case.name)
def test_an_environment_is_the_game(case: Case) -> None:
    """Masks are the legal lists, observations the histories, rewards the utilities of our own State, step by step."""
    env = make(case)
    env.reset(seed=3)
    choice = random.Random(3)
    table = env.unwrapped.table
    for agent in env.agent_iter():
        observation, reward, termination, _, _ = env.last()
        if termination:
            assert reward == table.returns()[env.possible_agents.index(agent)]
            env.step(None)
            continue
        seat = table.pending[0]
        assert agent == f"seat_{seat}" and reward == 0
        assert np.flatnonzero(observation["action_mask"]).tolist() == table.legal_actions(seat)
        rows = observation["observation"].reshape(env.unwrapped.history_shape)
        assert np.count_nonzero(rows[:, 0]) == min(len(table.events(seat)), len(rows))
        for waiting in set(env.possible_agents) - {f"seat_{seat}" for seat in table.pending}:
            assert not env.observe(waiting)["action_mask"].any()
        env.step(choice.choice(table.legal_actions(seat)))
    assert table.is_over and not env.agents


def test_seeds_fix_the_deals_and_their_order() -> None:
    env = pettingzoo.env("leduc")

    def deals(first: int | None) -> list[int]:
        found = []
        for number in range(4):
            env.reset(seed=first if number == 0 else None)
            found.append(env.unwrapped.table.seed)
        return found

    assert deals(5) == deals(5) != deals(6)
    assert len(set(deals(5))) == 4
    assert play(pettingzoo.env("leduc"), 9) == play(pettingzoo.env("leduc"), 9)


def test_an_observation_is_the_same_whatever_the_others_hold() -> None:
    seen: dict[str, bytes] = {}
    hidden = set()
    env = pettingzoo.env("kuhn")
    for seed in range(40):
        env.reset(seed=seed)
        own, other = (env.unwrapped.table.observation(seat)["cards"][seat] for seat in range(2))
        data = env.observe("seat_0")["observation"].tobytes()
        assert seen.setdefault(own, data) == data
        hidden.add((own, other))
    assert len(seen) == 3 == len(set(seen.values())) and len(hidden) == 6


def test_an_illegal_action_costs_the_game() -> None:
    env = pettingzoo.env("leduc")
    env.reset(seed=1)
    assert env.last()[0]["action_mask"].tolist() == [0, 1, 1]
    env.step(0)
    assert env.terminations == {"seat_0": True, "seat_1": True}
    assert env.rewards == {"seat_0": -1.0, "seat_1": 0}
    raw = pettingzoo.raw_env("leduc")
    raw.reset(seed=1)
    with pytest.raises(IllegalActionError):
        raw.step(0)
    raw.step(1)
    assert raw.table is not None and raw.table.actions == [(0, 1)]


def test_a_longer_or_shorter_history() -> None:
    env = pettingzoo.env("hanabi", seats=2, history=12)
    env.reset(seed=1)
    assert env.observe("seat_0")["observation"].shape == (12 * 6,)
    assert env.observation_space("seat_0").contains(env.observe("seat_0"))


def test_rendering_shows_what_everybody_sees() -> None:
    env = pettingzoo.env("liars_dice", seats=2, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == "seat 0: dice ?\nseat 1: dice ?"
    play(env, 1)
    assert "loses" in env.render()
    silent = pettingzoo.raw_env("kuhn")
    silent.reset(seed=1)
    with pytest.warns(UserWarning, match="needs a render_mode"):
        assert silent.render() is None


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(UnknownGameError):
        pettingzoo.env("chess")
    with pytest.raises(SettingsError, match=r"options\.dice"):
        pettingzoo.env("liars_dice", options={"dice": 9})
    with pytest.raises(ValueError, match="render mode 'rgb_array'"):
        pettingzoo.env("kuhn", render_mode="rgb_array")
