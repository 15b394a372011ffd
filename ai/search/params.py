"""SearchParams: every knob of the search, one row each. A row is everything there is to say about a knob.

The rows drive the parsing of a bot's text, its errors, the catalogue, `seatmate bots search` and the values that `seatmate tune`
tries. The search reads a knob by its `place` (Config in core.pxd). A game's own values are a mapping, GameSpec.search.
"""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from seatmate.engine.core.errors import BrokenGameError, nearest, unlisted
from seatmate.engine.core.game import Game
from seatmate.engine.core.spec import Calibration, GameSpec

Value = bool | int | float | str

MOST = 1_000_000
"""The highest value of a knob without its own limit."""


@dataclass(frozen=True, slots=True)
class Knob:
    """Everything about a knob but its name.

    default: also tells the type of its values · meaning: a sentence or more, for callers · unit: of its numbers ·
    least, most: the ends of a number's range · words: what a text may be · tries: the values that `seatmate tune` tries.
    """

    default: Value
    meaning: str
    unit: str = ""
    least: float = 0
    most: float = MOST
    words: tuple[str, ...] = ()
    tries: tuple[Value, ...] = ()

    def check(self, name: str, value: object) -> None:
        """Raises ValueError for anything that is not one of its values."""
        kind = type(self.default)
        if isinstance(value, bool) != (kind is bool) or not isinstance(value, (int, float) if kind is float else kind):
            raise ValueError(f"{name} must be of the kind of {self.default!r}, not {value!r}")
        if isinstance(value, str) and value not in self.words:
            raise ValueError(f"{name} must be one of {', '.join(self.words)}, not {value!r}")
        if isinstance(value, int | float) and not isinstance(value, bool) and not self.least <= value <= self.most:  # nor nan
            raise ValueError(f"{name} must be in {self.values}, not {value}")

    @property
    def values(self) -> str:
        """Its values in words: 0..1, or full, public, open."""
        if isinstance(self.default, bool):
            return "true, false"
        return ", ".join(self.words) or f"{self.least:g}..{self.most:g}"

    @property
    def doc(self) -> str:
        """Its meaning, unit and values, for a list."""
        return f"{self.meaning} ({f'{self.unit}, ' if self.unit else ''}{self.values})"

    def number(self, value: Value) -> float:
        """The value as the search has it: a flag is 0 or 1, a word is its place among the words."""
        return self.words.index(value) if isinstance(value, str) else float(value)


def knob(default: Value, unit: str, *, meaning: str, **rest: Any) -> Any:
    """A field of SearchParams with its row; the rest as in Knob."""
    return field(default=default, metadata={"knob": Knob(default, meaning, unit, **rest)})


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchParams:
    """The knobs of MO-ISMCTS with PUCT. A game's own defaults are `SearchParams.for_game(spec)`."""

    exploration: float = knob(1.0, "utility", tries=(0.5, 2.0),
        meaning="PUCT constant, the weight of prior * sqrt(availability) / (1 + visits); 0: greedy.")
    prior_temperature: float = knob(0.05, "utility", least=1e-9, most=math.inf, tries=(0.02, 0.2),
        meaning="Priors are softmax(score_actions / prior_temperature); inf: uniform.")
    prior_uniform: float = knob(0.0, "share", most=1,
        meaning="The part of every prior that is spread evenly, so that every action can be reached.")
    fpu_reduction: float = knob(0.0, "utility",
        meaning="An unvisited action is worth the mean of its node minus this * sqrt(visited share of the priors).")
    tree_key: Literal["full", "public", "open"] = knob("full", "", words=("full", "public", "open"), tries=("public", "open"),
        meaning="What distinguishes nodes: the deciding seat's own history, the spectators' history, or only the actions.")
    split_private: bool = knob(False, "", tries=(True,),
        meaning="The other seats' nodes also differ by their private cards in the sampled world.")
    prior_visits: float = knob(0.0, "simulations", tries=(5.0,),
        meaning="The heuristic's opinion of an action (its score above the average of its node) counts as this many "
                "simulations (virtual visits; Gelly and Silver 2007). fpu_reduction then has no effect.")
    world_baseline: bool = knob(False, "", tries=(True,),
        meaning="Reduce the luck of the sampled world: evaluate it with all cards open before the first action, and subtract that "
                "value from the result by a running regression (a control variate; Veness, Lanctot and Bowling 2011). It "
                "costs one evaluate per simulation.")
    plausible_worlds: bool = knob(False, "", tries=(True,),
        meaning="Sampled worlds also respect the choices the other seats were seen to make (the game's `plausible`, if it "
                "has one).")
    rollout_epsilon: float = knob(0.05, "share", most=1, tries=(0.3, 0.0),
        meaning="Share of uniformly random moves in rollouts; the others follow the game's quick or heuristic choice.")
    rollout_depth: int = knob(0, "decisions", least=-1, tries=(8, 24),
        meaning="A rollout is cut off and evaluated at the first quiet position after this many real choices of its own; "
                "-1: at the first quiet position; 0: it is played to the end.")
    rollout_quiets: int = knob(0, "positions",
        meaning="... and not before this many quiet positions since the root. With rollout_depth 0 it is a horizon for the "
                "tree too, so it never depends on the choices made: if evaluate drifts with time, results that look "
                "ahead by different distances can't be compared.")
    evaluate_open: bool = knob(False, "",
        meaning="Evaluate sampled worlds with all cards open; otherwise as the deciding seat would see them. (That has little "
                "noise, but a card that others play unseen in the simulation then counts as an average card.)")
    evaluate_weight: float = knob(0.0, "share", most=1,
        meaning="Weight of evaluate at the leaf against the result of its rollout.")
    mast: float = knob(0.0, "share", most=1, tries=(0.3,),
        meaning="Among the rollout moves that are not random, the share that takes the action with the highest average score so "
                "far (MAST). It has no effect if rollout_epsilon is 1.")
    redeterminise: float = knob(0.0, "share", most=0.99, tries=(0.5,),
        meaning="Share of the simulations in which the first other seat to decide gets a world sampled from its own knowledge. "
                "Only these simulations teach the other seats' decisions, so partners and opponents do not act on what "
                "only the root seat knows.")
    joint_regret: bool = knob(False, "", tries=(True,),
        meaning="At simultaneous choices actions are drawn by regret matching; at such a root the move is drawn from the "
                "average policy.")
    simple_others: float = knob(0.0, "share", most=1, tries=(1.0, 0.5),
        meaning="Share of the simulations in which the other seats play as in rollouts, without their trees. 1 suits opponents "
                "known to be weak; values in between suit weak and strong ones at once (restricted Nash response; "
                "Johanson, Zinkevich and Bowling 2007).")
    reuse: bool = knob(False, "",
        meaning="A bot keeps the tree of its last decision if its observations since then lead to one of the tree's nodes. Its "
                "play then depends on its earlier searches too, so a server does not seat such a bot. "
                "(`Search.follow` does the same when it is called.)")
    selection: Literal["puct", "regret"] = knob("puct", "", words=("puct", "regret"),
        meaning="puct, or regret: external-sampling regret minimisation, for small games in which the best play is mixed. "
                "Of the knobs above, regret uses only prior_temperature, prior_uniform and those of rollouts (at the cap on "
                "nodes).")
    regret_actions: int = knob(0, "actions", tries=(6,),
        meaning="With selection=puct: at decisions of no more legal actions than this the search is by regret all the same, such "
                "as in the last rounds of a game of simultaneous choices.")
    start_share: float = knob(0.0, "share", most=1,
        meaning="Regret: share of the simulations that begin at a fresh deal. If above 0, worlds are also weighted by how likely "
                "they make the observations. Needs a game with public_choices and a known past.")
    open_until: int = knob(0, "simulations", most=1_000_000_000,
        meaning="Regret: for about this many simulations the other seats may know what the root seat holds, to reduce noise.")
    regret_prior: float = knob(0.0, "utility", meaning="Regret: an action begins with this regret times its prior.")
    mixing: float = knob(0.0, "utility", most=10, tries=(0.02,),
        meaning="Above 0 the action is drawn: as often as it was tried, times exp(-what its value is below the best one / this). "
                "For games in which whoever is foreseen loses.")
    least_share: float = knob(0.0, "share", most=1,
        meaning="Where a mixture is played, an action whose share of it is less than this part of the highest one is not played "
                "(thresholding; Ganzfried, Sandholm and Waugh 2012): its share is mostly of the time when little was known.")
    tie_errors: float = knob(0.5, "standard errors", most=5,
        meaning="Two actions are tied if the second was tried at least half as often as the most visited one and is worth less "
                "by at most this many standard errors of the difference. The tied action with the highest heuristic score is "
                "played. The limit is three times as wide for an action whose score is higher by at least as much as its "
                "value is lower. Mixed play has no ties.")

    def __post_init__(self) -> None:
        for name, row in KNOBS.items():
            row.check(name, getattr(self, name))

    @classmethod
    def for_game(cls, spec: GameSpec) -> SearchParams:
        """The defaults measured for this game (GameSpec.search). Raises BrokenGameError for a wrong name or value."""
        for name in spec.search:
            if name not in KNOBS:
                raise BrokenGameError(f"the search of {spec.id}: {name} {unlisted(name, KNOBS)}{nearest(name, KNOBS)}")
        hints: Mapping[str, Any] = spec.search
        try:
            return cls(**hints)
        except ValueError as error:
            raise BrokenGameError(f"the search of {spec.id}: {error}") from None

    def calibration_in(self, game: Game) -> Calibration | None:
        """The game's correction of the values that are shown; None where these are not its own knobs, or it has none."""
        return game.spec.calibration_for(game.settings) if self == SearchParams.for_game(game.spec) else None

    def settled(self, ended: int, iterations: int) -> float:
        """Where rollouts are cut off: the share of the simulations that came to the end of the game all the same, 0..1.

        These need no estimate. 0 where all are played to the end: that they come there says nothing about how near it is.
        """
        return ended / iterations if iterations and (self.rollout_depth or self.rollout_quiets) else 0.0

    @classmethod
    def plain(cls) -> SearchParams:
        """No domain knowledge: uniform priors and uniformly random rollouts, as in the literature's comparisons."""
        return cls(prior_temperature=math.inf, rollout_epsilon=1.0, tie_errors=0.0)


KNOBS: dict[str, Knob] = {one.name: one.metadata["knob"] for one in fields(SearchParams)}
"""The rows by name, in order."""

SearchParams.__doc__ = f"{SearchParams.__doc__}\n\n" + "\n".join(f"{name}: {row.doc}" for name, row in KNOBS.items())


def place(name: str) -> int:
    """Where the search finds the value of a knob (Config.knob). Raises KeyError for what is no knob."""
    return {known: number for number, known in enumerate(KNOBS)}[name]


def numbers(params: SearchParams) -> Sequence[float]:
    """The values by `place`."""
    return [row.number(getattr(params, name)) for name, row in KNOBS.items()]
