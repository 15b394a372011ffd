"""Games behind a wrapper that breaks one promise: what shows that the conformance checks can fail."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from seatmate.engine.core.game import Game, State
from seatmate.engine.core.registry import new_game


class WrappedState:
    """A State that behaves; subclasses break one thing."""

    def __init__(self, game: Any, wrapped: State) -> None:
        self.game = game
        self.wrapped = wrapped

    def __getattr__(self, name: str) -> Any:
        return getattr(self.wrapped, name)

    def __eq__(self, other: object) -> bool:
        return bool(self.wrapped == getattr(other, "wrapped", other))

    def again(self, wrapped: State) -> WrappedState:
        """Another state of this broken kind."""
        return type(self)(self.game, wrapped)

    def clone(self) -> WrappedState:
        return self.again(self.wrapped.clone())

    def resample_from_infostate(self, seat: int, seed: int) -> WrappedState:
        return self.again(self.wrapped.resample_from_infostate(seat, seed))


class WrappedGame:
    """A Game whose states are of a wrapped kind."""

    def __init__(self, kind: type[WrappedState] = WrappedState, wrapped: Game | None = None) -> None:
        self.wrapped: Game = new_game("kuhn") if wrapped is None else wrapped
        self.kind = kind

    def __getattr__(self, name: str) -> Any:
        return getattr(self.wrapped, name)

    def new_state(self, seed: int, *, record_events: bool = True) -> WrappedState:
        return self.kind(self, self.wrapped.new_state(seed, record_events=record_events))

    def state_from_view(self, view: Mapping[str, Any], seat: int, seed: int) -> WrappedState:
        return self.kind(self, self.wrapped.state_from_view(view, seat, seed))

    def result_text(self, state: WrappedState) -> str:
        return self.wrapped.result_text(state.wrapped)


def caught(check: Callable[..., object], game: Any, seeds: range = range(4)) -> bool:
    """Does the check fail for one of the seeds?"""
    for seed in seeds:
        try:
            check(game, seed)
        except AssertionError:
            return True
    return False
