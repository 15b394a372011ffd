"""PettingZoo: every game as an AEC environment, purely simultaneous games also as parallel environments.

    from seatmate.ai.adapters import pettingzoo
    env = pettingzoo.env("<id>", seats=3)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination or truncation else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

* **Agents** are `seat_0`, `seat_1` ... The one that acts next is the lowest seat that is asked.
* **Observations** are `{"observation": int32 vector, "action_mask": int8 vector}`. The first is the seat's event history,
  newest first, row after row (HistoryEncoder): all that the seat knows, exactly. `history` is its number of rows, and
  `env.unwrapped.history_shape` folds it back into rows. The mask is zero while the seat is not asked.
* **Actions** are Discrete: the game's own numbers, or places in the legal list where those are sparse (ActionCodes).
* **Rewards** come at the end: the utility in [0, 1]. An illegal action ends the game with -1 for who chose it.
* **Chance**: `reset(seed)` fixes the deals; without a seed the next deal follows from the deals before it.
* **Copies**: environments pickle and deepcopy, at any moment; the game is stored as its settings, seed and actions, and replayed.
* `render_mode` "ansi" or "human" shows what everybody at the table sees.

A parallel environment lets all agents act in every step. `parallel_env` is for games that ask all seats every time; others
ask one seat at a time, and a parallel environment would have to invent moves for the rest.
"""
from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import gymnasium
    from pettingzoo.utils import wrappers
    from pettingzoo.utils.conversions import aec_to_parallel
    from pettingzoo.utils.env import AECEnv
except ImportError as error:
    raise ImportError("seatmate.ai.adapters.pettingzoo needs PettingZoo: pip install 'seatmate[adapters]'") from error
from rich.text import Text

from seatmate.ai.adapters.encoding import ActionCodes, HistoryEncoder
from seatmate.ai.adapters.facts import facts_of
from seatmate.engine.core.errors import SettingsError
from seatmate.engine.core.game import SPECTATORS, State
from seatmate.engine.core.registry import game_from_settings, new_game

__all__ = ["SeatmateEnv", "env", "parallel_env", "raw_env"]

RENDER_MODES = ("ansi", "human")

ILLEGAL_REWARD = -1.0
"""Below every utility."""


def env(game_id: str, *, mode: str | None = None, seats: int | None = None, options: Mapping[str, Any] | None = None,
        pack: str | None = None, history: int | None = None, render_mode: str | None = None) -> Any:
    """The AEC environment with PettingZoo's usual wrappers. Raises UnknownGameError, SettingsError, PackError, ValueError."""
    wrapped = raw_env(game_id, mode=mode, seats=seats, options=options, pack=pack, history=history, render_mode=render_mode)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=ILLEGAL_REWARD)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


def parallel_env(game_id: str, *, mode: str | None = None, seats: int | None = None,
                 options: Mapping[str, Any] | None = None, pack: str | None = None, history: int | None = None,
                 render_mode: str | None = None) -> Any:
    """The parallel environment of a game that asks all seats every time; raises SettingsError for others.

    All its agents' actions must be legal (`action_mask`): an illegal one raises IllegalActionError.
    """
    raw = raw_env(game_id, mode=mode, seats=seats, options=options, pack=pack, history=history, render_mode=render_mode)
    if not raw.metadata["is_parallelizable"]:
        raise SettingsError("game", f"{game_id} asks one seat at a time; only a game that asks all seats every time is parallel")
    return aec_to_parallel(raw)


def raw_env(game_id: str, *, mode: str | None = None, seats: int | None = None, options: Mapping[str, Any] | None = None,
            pack: str | None = None, history: int | None = None, render_mode: str | None = None) -> SeatmateEnv:
    """The AEC environment without wrappers: an illegal action raises IllegalActionError and changes nothing."""
    return SeatmateEnv(game_id, mode=mode, seats=seats, options=options, pack=pack, history=history, render_mode=render_mode)


class SeatmateEnv(AECEnv):
    """One game as an environment. `table` is our own State, None before the first reset."""

    def __init__(self, game_id: str, *, mode: str | None = None, seats: int | None = None,
                 options: Mapping[str, Any] | None = None, pack: str | None = None, history: int | None = None,
                 render_mode: str | None = None) -> None:
        super().__init__()
        self.game = new_game(game_id, mode=mode, seats=seats, options=options, pack=pack)
        self.metadata = {"name": f"seatmate_{game_id}", "render_modes": list(RENDER_MODES),
                         "is_parallelizable": facts_of(self.game).together}
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"the render mode {render_mode!r} is not one of {', '.join(RENDER_MODES)}")
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.seats)]
        self.table: State | None = None
        self._encoder = HistoryEncoder(self.game, history)
        self._codes = ActionCodes(self.game.spec)
        self._deals = np.random.default_rng()
        self.history_shape = self._encoder.shape
        whole = np.iinfo(np.int32)
        self._action_spaces = {agent: gymnasium.spaces.Discrete(self._codes.size) for agent in self.possible_agents}
        self._observation_spaces = {agent: gymnasium.spaces.Dict({
            "observation": gymnasium.spaces.Box(whole.min, whole.max, (math.prod(self.history_shape),), np.int32),
            "action_mask": gymnasium.spaces.Box(0, 1, (self._codes.size,), np.int8),
        }) for agent in self.possible_agents}

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the game under way, which is kept as what makes it again."""
        played = None if self.table is None else (self.table.seed, self.table.actions)
        return {**self.__dict__, "game": self.game.settings.to_json(), "table": played}

    def __setstate__(self, stored: dict[str, Any]) -> None:
        """Raises RecordError, PackError where the rules' content has changed since."""
        self.__dict__.update(stored)
        self.game = game_from_settings(stored["game"])
        if stored["table"] is not None:
            seed, actions = stored["table"]
            self.table = self.game.new_state(seed)
            for seat, action in actions:
                self.table.apply_action(seat, action)

    def observation_space(self, agent: str) -> Any:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal. `options` is part of PettingZoo's interface and ignored: settings are fixed when the environment is made."""
        if seed is not None:
            self._deals = np.random.default_rng(seed)
        self.table = self.game.new_state(int(self._deals.integers(2**63)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._next_agent()
        if self.render_mode == "human":
            self.render()

    def _next_agent(self) -> str:
        assert self.table is not None
        return self.possible_agents[self.table.pending[0]]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What the agent's seat knows, and which codes it may play now."""
        assert self.table is not None
        seat = self.possible_agents.index(agent)
        mask = np.zeros(self._codes.size, np.int8)
        mask[self._codes.codes(self.table.legal_actions(seat))] = 1
        return {"observation": self._encoder.encode(self.table, seat).ravel(), "action_mask": mask}

    def step(self, action: int | np.integer[Any] | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert self.table is not None and action is not None
        agent = self.agent_selection
        seat = self.possible_agents.index(agent)
        self.table.apply_action(seat, self._codes.action(self.table.legal_actions(seat), int(action)))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.table.is_over:
            self.rewards = dict(zip(self.possible_agents, self.table.returns(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self._next_agent()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board as everybody sees it: returned ("ansi"), printed ("human"), or nothing without a render mode."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode")
            return None
        assert self.table is not None
        lines = self.game.board_lines(self.table.observation(SPECTATORS), SPECTATORS)
        if self.table.is_over:
            lines.append(self.game.result_text(self.table))
        text = "\n".join(Text.from_markup(line).plain for line in lines)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is held open."""
