"""SeatmateGame and SeatmateState: our games as games of OpenSpiel."""
from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

import pyspiel

from seatmate.ai.adapters.openspiel.observer import make_observer
from seatmate.ai.adapters.openspiel.position import Outcomes, Position, Table
from seatmate.engine.core.registry import game_spec, list_games, new_game
from seatmate.engine.core.spec import GameSpec, Option

AS_THE_MODE = 0
"""The default of `players`: the most the mode takes. They fill in defaults before we see the parameters."""

CHANCE_SAMPLES = 1024
"""Default of the parameter `chance_samples`: results of one draw that are told apart."""


def game_name(game_id: str) -> str:
    """The short name of one of our games in OpenSpiel."""
    return f"seatmate_{game_id}"


def register_games() -> None:
    """Register every game of the registry that is not registered yet."""
    for spec in list_games():
        if game_name(spec.id) not in pyspiel.registered_names():
            # OpenSpiel lets go of what makes a game after Python has ended, which only a class survives.
            creator = type(f"SeatmateGame_{spec.id}", (SeatmateGame,), {"game_id": spec.id})
            pyspiel.register_game(_type_of(Table(new_game(spec.id), CHANCE_SAMPLES)), creator)


def load_game(text: str) -> Any:
    """What pyspiel.load_game gives; where this function is found, our games are registered."""
    return pyspiel.load_game(text)


def _written(value: Any) -> str | int | bool:
    """An option's value as a parameter: without commas, which would end it, and a word that reads as a number in quotes."""
    if isinstance(value, tuple):
        return "+".join(value)
    return f"'{value}'" if isinstance(value, str) and re.fullmatch(r"[+-]?[\d.]+(e[+-]?\d+)?", value, re.I) else value


def _read(option: Option, value: Any) -> Any:
    """A parameter as an option's value."""
    if not isinstance(value, str):
        return value
    text = value.strip("'")
    return text.split("+") if option.kind == "ids" and "+" in text else text


def _defaults(spec: GameSpec) -> dict[str, str | int | bool]:
    """The parameters of a game with their defaults."""
    return {"players": AS_THE_MODE, "mode": spec.modes[0].key, "pack": spec.packs[0] if spec.packs else "",
            "chance_samples": CHANCE_SAMPLES, **{option.key: _written(option.default) for option in spec.options}}


def _type_of(table: Table) -> Any:
    """The GameType of a table: what of it depends on the settings is that of these settings."""
    spec, facts = table.game.spec, table.facts
    kinds = pyspiel.GameType
    if table.game.cooperative:
        utility = kinds.Utility.IDENTICAL
    else:
        utility = kinds.Utility.ZERO_SUM if table.zero_sum else kinds.Utility.GENERAL_SUM
    seats = spec.mode(table.game.settings.mode).seats
    return kinds(
        short_name=game_name(spec.id),
        long_name=f"Seatmate {spec.title}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if facts.draws else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if facts.hides else kinds.Information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=seats[-1],
        min_num_players=seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=False,
        provides_factored_observation_string=True,
        parameter_specification=_defaults(spec),
    )


def _info_of(table: Table) -> Any:
    low, high = (table.scaled(0.0), table.scaled(1.0)) if table.zero_sum else (0.0, 1.0)
    return pyspiel.GameInfo(
        num_distinct_actions=table.codes.size,
        max_chance_outcomes=table.samples if table.facts.draws else 0,
        num_players=table.game.seats,
        min_utility=low,
        max_utility=high,
        utility_sum=0.0 if table.zero_sum else None,
        max_game_length=table.game.spec.max_decisions,
    )


class SeatmateGame(pyspiel.Game):
    """One of our games with its settings; each game has a subclass. Raises SettingsError that names the wrong parameter."""

    game_id: ClassVar[str]

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        given = {key: _written(value) for key, value in (parameters or {}).items()}
        spec = game_spec(self.game_id)
        values: dict[str, Any] = {**_defaults(spec), **given}
        if values["players"] == AS_THE_MODE:
            seats = next((mode.seats for mode in spec.modes if mode.key == values["mode"]), spec.modes[0].seats)
            values["players"] = given["players"] = seats[-1]
        options = {option.key: _read(option, values[option.key]) for option in spec.options}
        self.table = Table(new_game(self.game_id, mode=values["mode"], seats=values["players"], options=options,
                                    pack=values["pack"] or None), values["chance_samples"])
        super().__init__(_type_of(self.table), _info_of(self.table), given)

    def __reduce__(self) -> tuple[Any, ...]:
        return load_game, (str(self),)

    def new_initial_state(self) -> SeatmateState:
        return SeatmateState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.table.game.spec.max_decisions + 1 if self.table.facts.draws else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if params:
            raise ValueError(f"observers take no parameters, but there are {params}")
        return make_observer(self.table, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class SeatmateState(pyspiel.State):
    """A position of one of our games. `position.state` is our own State, None before the deal."""

    def __init__(self, game: SeatmateGame) -> None:
        super().__init__(game)
        self.position = Position(game.table)

    def current_player(self) -> int:
        if self.position.is_chance:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.position.is_over else self.position.seat

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.table.codes.codes(self.position.legal())

    def chance_outcomes(self) -> Outcomes:
        return self.position.outcomes()

    def _apply_action(self, action: int) -> None:
        if self.position.is_chance:
            self.position.draw(action)
        else:
            self.position.act(self.position.table.codes.action(self.position.legal(), action))

    def _action_to_string(self, player: int, action: int) -> str:
        position = self.position
        if player == pyspiel.PlayerId.CHANCE:
            return f"Chance {action}"
        if not position.is_chance and not position.is_over and player == position.seat:
            legal = position.legal()
            ours = position.table.codes.action(legal, action)
            if ours in legal:
                assert position.state is not None
                return position.state.action_label(player, ours)
        return f"Action {action}"

    def is_terminal(self) -> bool:
        return self.position.is_over

    def returns(self) -> list[float]:
        """Utilities at the end, zeros before it."""
        if not self.position.is_over:
            return [0.0] * self.position.table.game.seats
        assert self.position.state is not None
        return self.position.table.utilities(self.position.state)

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> SeatmateState:
        """A world the player can't tell from this one. It has no history of its own (`history()` is empty)."""
        world: SeatmateState = self.get_game().new_initial_state()
        world.position = self.position.resampled(player_id, int(probability_sampler() * 2**53))
        return world

    def __str__(self) -> str:
        return str(self.position)
