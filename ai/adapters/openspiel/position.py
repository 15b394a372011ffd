"""Position: a game with explicit chance nodes, which OpenSpiel's states need and our states do not have.

A transition that draws random numbers stops before it draws. Its outcomes are the different results among the table's
`samples` generators (seatmate.ai.adapters.chance), each named by the first generator that gives it. Their probabilities:

* equal, where each was met often enough to tell and the counts do not speak against it (chi-square, 1 in 10,000);
* else the share of the generators that gave it.

So a roll of one die has exactly six outcomes of 1/6, and a deck of 52 cards has `samples` deals.
"""
from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from scipy.special import chdtri

from seatmate.ai.adapters import chance
from seatmate.ai.adapters.encoding import ActionCodes
from seatmate.ai.adapters.facts import facts_of
from seatmate.engine.core.game import SPECTATORS, Game, State
from seatmate.engine.core.registry import game_from_settings

_ENOUGH = 16            # mean count per outcome from which equal chances are believed
_DOUBT = 1e-4

Outcomes = list[tuple[int, float]]
Step = tuple[Any, ...]


def outcomes_of(results: Sequence[tuple[int, int]]) -> Outcomes:
    """(sample, probability) of each different result, from (first sample, number of samples)."""
    total = sum(count for _, count in results)
    n = len(results)
    mean = total / n
    if n > 1 and mean >= _ENOUGH:
        deviation = sum((count - mean) ** 2 for _, count in results) / mean
        if deviation <= float(chdtri(n - 1, _DOUBT)):
            return [(sample, 1 / n) for sample, _ in results]
    return [(sample, count / total) for sample, count in results]


class Table:
    """What all positions of one game share; immutable. `samples`: generators that are tried at every chance node."""

    def __init__(self, game: Game, samples: int) -> None:
        if samples < 2:
            raise ValueError(f"chance_samples: {samples} can't show chance; at least 2 are needed")
        self.game = game
        self.samples = samples
        self.facts = facts_of(game)
        self.codes = ActionCodes(game.spec)
        self._deals: list[tuple[int, int]] | None = None

    @property
    def key(self) -> tuple[str, int]:
        """Settings as JSON and samples: what `table_of` takes."""
        return json.dumps(self.game.settings.to_json()), self.samples

    @property
    def deals(self) -> list[tuple[int, int]]:
        """The results of dealing."""
        if self._deals is None:
            self._deals = chance.deal_results(self.game, self.samples if self.facts.deal_draws else 1)
        return self._deals

    @property
    def zero_sum(self) -> bool:
        """Do the utilities add up to the same in every game?"""
        return self.facts.total is not None and not self.game.cooperative

    def utilities(self, state: State) -> list[float]:
        """The utilities of a finished game as OpenSpiel is told them. Raises RuntimeError when the sample games were wrong."""
        returns = state.returns()
        if not self.zero_sum:
            return returns
        assert self.facts.total is not None
        if abs(sum(returns) - self.facts.total) > 1e-9:
            raise RuntimeError(f"{self.game.spec.id} ended with utilities {returns}, which do not add up to {self.facts.total}")
        return [self.scaled(value) for value in returns]

    def scaled(self, utility: float) -> float:
        """Twice the distance to the fair share, rounded so that the last bits cancel out, too."""
        assert self.facts.total is not None
        return round(2 * (utility - self.facts.total / self.game.seats), 12)


@lru_cache(maxsize=64)
def table_of(settings: str, samples: int) -> Table:
    """The table of stored settings. Raises RecordError when rules or content have changed since."""
    return Table(game_from_settings(json.loads(settings)), samples)


class Position:
    """A game under way. `state` is None before the deal; `waiting` is the (seat, action) whose chance is still open.

    `steps` made it, and make it again: ("deal", sample), ("act", seat, action, sample), ("resample", seat, seed).
    """

    __slots__ = ("_results", "_text", "first", "held", "state", "steps", "table", "waiting")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.state: State | None = None
        self.steps: tuple[Step, ...] = ()
        self._text = table.game.spec.id             # and the steps: it is asked for at every node
        self.waiting: tuple[int, int] | None = None
        self.first: int | None = None               # acts before others who are asked at the same time
        self.held: dict[int, int] = {}              # in a sampled world: what other seats hold there, as keys
        self._results: list[tuple[int, int]] = []
        if not table.facts.deal_draws:
            self._deal(0)

    # ---- Who is next ----

    @property
    def is_chance(self) -> bool:
        """Is chance next?"""
        return self.state is None or self.waiting is not None

    @property
    def is_over(self) -> bool:
        """Is the game over?"""
        return self.state is not None and self.waiting is None and self.state.is_over

    @property
    def seat(self) -> int:
        """The seat that acts next; only when neither chance is next nor the game over."""
        assert self.state is not None
        pending = self.state.pending
        return self.first if self.first is not None and self.first in pending else pending[0]

    def legal(self) -> list[int]:
        """Our legal actions of `seat`."""
        assert self.state is not None
        return self.state.legal_actions(self.seat)

    # ---- Steps ----

    def _open(self) -> list[tuple[int, int]]:
        """The results of the chance that is next."""
        return self.table.deals if self.state is None else self._results

    def outcomes(self) -> Outcomes:
        """(sample, probability) of the chance that is next, ascending."""
        return outcomes_of(self._open())

    def draw(self, sample: int) -> None:
        """Settle the chance that is next. Raises ValueError for a sample that is none of its outcomes."""
        results = self._open()
        place = bisect_left(results, (sample, 0))
        if place == len(results) or results[place][0] != sample:
            raise ValueError(f"{sample} is none of the {len(results)} outcomes of this chance node; chance_outcomes() lists them")
        if self.state is None:
            self._deal(sample)
        else:
            assert self.waiting is not None
            self._act(*self.waiting, sample)

    def act(self, action: int) -> None:
        """Let `seat` act; chance is next where the action draws. Raises IllegalActionError."""
        assert self.state is not None
        seat = self.seat
        self._results = chance.act_results(self.state, seat, action, self.table.samples)
        if len(self._results) == 1:
            self._act(seat, action, 0)
        elif not self.table.facts.draws:
            raise RuntimeError(f"{self.table.game.spec.id} draws random numbers; its sample games did not")
        else:
            self.waiting = (seat, action)

    def _deal(self, sample: int) -> None:
        self.state = chance.deal(self.table.game, sample)
        self.steps, self._text = (), self.table.game.spec.id
        self._did("deal", sample)

    def _act(self, seat: int, action: int, sample: int) -> None:
        assert self.state is not None
        chance.act_sampled(self.state, seat, action, sample)
        self._did("act", seat, action, sample)
        self.waiting = None

    def _did(self, *step: Any) -> None:
        self.steps = (*self.steps, step)
        self._text += " " + ":".join(map(str, step))

    def resampled(self, seat: int, seed: int) -> Position:
        """A world the seat can't tell from this one, with the same seat to act."""
        if self.is_chance or self.is_over:
            raise ValueError("worlds are sampled where a seat is to act")
        mover = self.seat
        world = Position.__new__(Position)
        world.table, world.steps, world._text, world.waiting, world._results = self.table, self.steps, self._text, None, []
        world.state, world.first, world.held = self.state, self.first, dict(self.held)
        world._resample(seat, seed, mover)
        return world

    def _resample(self, seat: int, seed: int, mover: int) -> None:
        assert self.state is not None
        self.state = chance.resample(self.state, seat, seed)
        self._did("resample", seat, seed, mover)
        self.first = mover
        own = {seat: self.held[seat]} if seat in self.held else {}
        self.held = own | {other: self.state.private_key(other) for other in range(self.table.game.seats) if other != seat}

    # ---- What an observer knows ----

    def history(self, observer: int) -> str:
        """The observer's information state; the same text means the same history."""
        if self.state is None:
            return ""
        text = chance.history_text(self.state, observer)
        return f"HOLDS({self.held[observer]:016x}) {text}" if observer in self.held else text

    def observation(self, observer: int) -> dict[str, Any]:
        """What the observer may see now, as plain values; nothing before the deal."""
        return {} if self.state is None else self.state.observation(observer)

    def private(self, seat: int) -> dict[str, Any]:
        """The part of the seat's observation that not everybody sees."""
        public = self.observation(SPECTATORS)
        return {key: value for key, value in self.observation(seat).items() if key != "prompt" and value != public[key]}

    # ---- Copies ----

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        twin = Position.__new__(Position)
        twin.table, twin.steps, twin._text, twin.waiting = self.table, self.steps, self._text, self.waiting
        twin.first, twin.held, twin._results = self.first, self.held, self._results
        twin.state = None if self.state is None else chance.copy(self.state)
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        return replay, (self.table.key, self.steps, self.waiting)

    def __str__(self) -> str:
        return self._text if self.waiting is None else f"{self._text} act:{self.waiting[0]}:{self.waiting[1]}:?"


def replay(key: tuple[str, int], steps: tuple[Step, ...], waiting: tuple[int, int] | None) -> Position:
    """The position that these steps make. Raises RecordError when rules or content have changed since."""
    position = Position(table_of(*key))
    for kind, *args in steps:
        if kind == "deal":
            position._deal(*args)
        elif kind == "act":
            position._act(*args)
        else:
            position._resample(*args)
    if waiting is not None:
        position.act(waiting[1])
    return position
