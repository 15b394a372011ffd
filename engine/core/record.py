"""Game records: settings, seed and actions, which replay to the same bytes."""
from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.errors import ActionError, RecordError, SeatmateError
from seatmate.engine.core.registry import game_from_settings, game_spec

if TYPE_CHECKING:
    from seatmate.engine.core.game import State
    from seatmate.engine.core.spec import GameSpec

FORMAT = 1
"""Version of the JSON layout."""


@dataclass(frozen=True, slots=True)
class Record:
    """A replayable game. `settings` is Settings.to_json; `digest` is the SHA-256 of the last state's bytes.

    resigned: the seat that gave up after the last action, which the rules do not know; None: nobody did.
    """

    settings: Mapping[str, Any]
    rules_version: int
    seed: int
    actions: tuple[tuple[int, int], ...]
    digest: str
    resigned: int | None = None

    @classmethod
    def of(cls, state: State) -> Record:
        """The record of a real game so far."""
        assert state.seed is not None
        return cls(state.game.settings.to_json(), state.game.spec.rules_version, state.seed,
                   tuple(state.actions), hashlib.sha256(state.to_bytes()).hexdigest())

    def to_json(self) -> str:
        """One JSON object in one line."""
        given_up = {} if self.resigned is None else {"resigned": self.resigned}
        return json.dumps({"format": FORMAT, "rules_version": self.rules_version, "settings": dict(self.settings),
                           "seed": str(self.seed), "actions": [list(pair) for pair in self.actions],
                           "digest": self.digest, **given_up})

    @classmethod
    def from_json(cls, text: str | bytes) -> Record:
        """Read a stored record. Raises RecordError that says what is broken."""
        try:
            data = json.loads(text)
        except RecursionError:
            raise RecordError("the record is nested too deeply") from None
        except ValueError as error:
            raise RecordError(f"the record is not JSON: {error}") from None
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise RecordError(f"this is not a game record of format {FORMAT}")
        try:
            settings = data["settings"]
            if not isinstance(settings, dict):
                raise TypeError("settings is not an object")
            if not isinstance(data["actions"], list):
                raise TypeError("actions is not a list")
            actions = tuple((_whole(seat), _whole(action)) for seat, action in data["actions"])
            resigned = None if data.get("resigned") is None else _whole(data["resigned"])
            record = cls(settings, _whole(data["rules_version"]), _seed(data["seed"]), actions, str(data["digest"]), resigned)
        except KeyError as error:
            raise RecordError(f"the record is broken: {error.args[0]} is missing") from None
        except (TypeError, ValueError) as error:
            raise RecordError(f"the record is broken: {error}") from None
        return record

    def replay(self, *, record_events: bool = True, actions: int | None = None) -> State:
        """Play the record again (`actions`: only this many of the first ones) and check that it ends in the same bytes.

        Raises RecordError when rules, content or the record itself do not fit.
        """
        try:
            game = self.settings.get("game")
            if not isinstance(game, str):
                raise RecordError("the record is broken: its settings name no game")
            spec = game_spec(game)
            if said := other_rules(spec, self.rules_version):
                raise RecordError(f"the record {said}")
            state = game_from_settings(self.settings).new_state(self.seed, record_events=record_events)
        except RecordError:
            raise
        except SeatmateError as error:
            raise RecordError(f"the record does not fit: {error}") from None
        wanted = self.actions if actions is None else self.actions[:actions]
        for number, (seat, action) in enumerate(wanted, start=1):
            try:
                state.apply_action(seat, action)
            except (ActionError, ValueError, OverflowError) as error:
                raise RecordError(f"action {number} of the record does not fit: {error}") from None
        if len(wanted) == len(self.actions) and hashlib.sha256(state.to_bytes()).hexdigest() != self.digest:
            raise RecordError("the record does not replay to the position it ended in")
        return state


def other_rules(spec: GameSpec, version: int) -> str:
    """What is said of something that was played under this version of the rules; empty where they are still the same."""
    return "" if version == spec.rules_version else (
        f"was played under rules version {version} of {spec.id}; this is version {spec.rules_version}")


def _seed(value: object) -> int:
    """A seed as records write it, in decimal digits, or as a number. Raises TypeError."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= 1000:
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise TypeError("its seed is not a whole number from 0 on")
    return value


def _whole(value: object) -> int:
    """The value if it is a whole number. Raises TypeError."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{value!r} is not a whole number")
    return value
