"""Question: one decision as its seat sees it, which is all that a bot of somebody else is given."""
from __future__ import annotations

import random
from functools import cached_property
from typing import Any

from seatmate.engine.core.game import State


class Question:
    """What a seat is asked, and what it knows.

    Nothing in here, and nothing that can be reached from here, knows more than the seat: it is made of a world that is sampled from
    what the seat has observed, and the true state is not kept.
    """

    def __init__(self, state: State, seat: int, seed: int) -> None:
        """Take what a pending seat knows of a state; `seed` is all the chance that comes with it."""
        self._world = state.resample_from_infostate(seat, seed)
        self.seat = seat
        self.seed = seed
        self.actions: tuple[int, ...] = tuple(self._world.legal_actions(seat))
        """The legal answers, at least two."""

    @property
    def game(self) -> str:
        """Id of the game."""
        return self._world.game.spec.id

    @property
    def seats(self) -> int:
        """Seats of the table."""
        return self._world.game.seats

    @cached_property
    def settings(self) -> dict[str, Any]:
        """Mode, options and so on, as the seat may know them."""
        return self._world.game.settings_for(self.seat)

    @property
    def prompt(self) -> str:
        """Key of the kind of question, the same in every language."""
        return str(self._world.prompt(self.seat))

    @cached_property
    def text(self) -> str:
        """The question in words."""
        return self._world.question_text(self.seat)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The answers in words, in the order of `actions`."""
        return tuple(self._world.action_label(self.seat, action) for action in self.actions)

    @cached_property
    def scores(self) -> tuple[float, ...]:
        """What the game's rules of thumb say of each answer, on the scale of the utility, in the order of `actions`."""
        return tuple(self._world.score_actions(self.seat))

    @cached_property
    def observation(self) -> dict[str, Any]:
        """All the seat sees, as plain values for JSON."""
        return self._world.observation(self.seat)

    @cached_property
    def random(self) -> random.Random:
        """Chance, the same for the same seat of the same deal: with it a bot plays the same again."""
        return random.Random(self.seed)

    def sample_world(self, seed: int) -> State:
        """A state in which the seat would see the same, to play on in; different seeds, different hidden cards."""
        return self._world.resample_from_infostate(self.seat, seed)
