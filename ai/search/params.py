"""SearchParams: every knob of the search, one row each. What a row says is all there is to say of a knob.

Parsing a bot's text, its errors, the catalogue, `seatmate bots search` and what `seatmate tune` tries follow from the rows; the
search reads a knob by its `place` (Config in core.pxd). A game's own values are a mapping, GameSpec.search.
"""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from seatmate.engine.core.errors import BrokenGameError, nearest, unlisted
from seatmate.engine.core.spec import GameSpec

Value = bool | int | float | str

MOST = 1_000_000
"""The highest value of a knob that has no end of its own."""


@dataclass(frozen=True, slots=True)
class Knob:
    """What is to know of a knob beside its name.

    default: also says of what kind its values are · meaning: a sentence or more, for callers · unit: of its numbers ·
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
        """Raises ValueError for what is no value of it."""
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
        """As the search has it: a flag is 0 or 1, a word its place among the words."""
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
        meaning="Part of every prior that is spread evenly, so that no action is out of reach.")
    fpu_reduction: float = knob(0.0, "utility",
        meaning="An unvisited action is worth the mean of its node minus this * sqrt(visited share of the priors).")
    tree_key: Literal["full", "public", "open"] = knob("full", "", words=("full", "public", "open"), tries=("public", "open"),
        meaning="What tells nodes apart: the deciding seat's own history, the spectators' history, the actions alone.")
    split_private: bool = knob(False, "", tries=(True,),
        meaning="The other seats' nodes also differ by what each holds in private in the sampled world.")
    prior_visits: float = knob(0.0, "simulations", tries=(5.0,),
        meaning="The heuristic's opinion of an action (its score above the average of its node) counts as so many "
                "simulations (virtual visits; Gelly and Silver 2007). With it fpu_reduction has no say.")
    world_baseline: bool = knob(False, "", tries=(True,),
        meaning="Subtract from every result what evaluate (all cards open) said of the sampled world before the first "
                "action, by a running regression (a control variate; Veness, Lanctot and Bowling 2011). One evaluate per "
                "simulation.")
    plausible_worlds: bool = knob(False, "", tries=(True,),
        meaning="Sampled worlds also respect what the other seats were seen to choose (the game's `plausible`, where it "
                "has one).")
    rollout_epsilon: float = knob(0.05, "share", most=1, tries=(0.3, 0.0),
        meaning="Share of the rollout moves that are uniformly random; the others follow the game's quick or heuristic "
                "choice.")
    rollout_depth: int = knob(0, "decisions", least=-1, tries=(8, 24),
        meaning="A rollout is cut off and evaluated at a quiet position after at least so many real choices of its own; "
                "-1: at the first one; 0: it is played to the end.")
    rollout_quiets: int = knob(0, "positions",
        meaning="... and not before so many quiet positions since the root. With rollout_depth 0 it is a horizon for the "
                "tree too, and so never depends on what was chosen: where evaluate drifts with time, results that look "
                "differently far ahead can't be compared.")
    evaluate_open: bool = knob(False, "",
        meaning="Evaluate sampled worlds with all cards open; else as the deciding seat would see them (little noise, but "
                "what others play unseen in the simulation is then worth an average card, whatever it is).")
    evaluate_weight: float = knob(0.0, "share", most=1,
        meaning="Weight of evaluate at the leaf against the result of its rollout.")
    mast: float = knob(0.0, "share", most=1, tries=(0.3,),
        meaning="Share of the rollout moves not drawn at random that are the action of the highest average score so far "
                "(MAST). With rollout_epsilon at 1 there are none.")
    redeterminise: float = knob(0.0, "share", most=0.99, tries=(0.5,),
        meaning="Share of the simulations in which the first other seat to decide finds itself in a world as it sees it. "
                "Those teach the other seats' decisions, and the rest no longer does: partners and opponents then do not "
                "act on what only the root seat knows.")
    joint_regret: bool = knob(False, "", tries=(True,),
        meaning="At simultaneous choices actions are drawn by regret matching, and what is played at such a root is drawn "
                "from the average policy.")
    simple_others: float = knob(0.0, "share", most=1, tries=(1.0, 0.5),
        meaning="Share of the simulations in which the other seats play as in rollouts, off their trees. 1 is a model of "
                "opponents known to be weak; in between it answers weak and strong ones at once (restricted Nash "
                "response; Johanson, Zinkevich and Bowling 2007).")
    reuse: bool = knob(False, "",
        meaning="A bot goes on with the tree of its last decision where what it has observed since leads to one of its "
                "nodes. What it plays then depends on its earlier searches too; the service seats no such bot. "
                "(`Search.follow` does so when it is called.)")
    selection: Literal["puct", "regret"] = knob("puct", "", words=("puct", "regret"),
        meaning="puct, or regret: external-sampling regret minimisation, for small games in which the best play is mixed. "
                "It has no use for the knobs above but prior_temperature, prior_uniform and those of rollouts (at the cap "
                "on nodes).")
    start_share: float = knob(0.0, "share", most=1,
        meaning="Regret: share of the simulations that begin at a fresh deal; with it worlds are also weighted by how "
                "likely what was observed is in them. Needs a game with public_choices and a known past.")
    open_until: int = knob(0, "simulations", most=1_000_000_000,
        meaning="Regret: up to about so many simulations the other seats may know what the root seat holds, for the sake "
                "of less noise.")
    regret_prior: float = knob(0.0, "utility", meaning="Regret: an action begins with this regret times its prior.")
    tie_errors: float = knob(0.5, "standard errors", most=5,
        meaning="Of the actions tried at least half as often as the most visited one, and worth less by at most so many "
                "standard errors of the difference, the one the heuristic scores highest is played; within three times as "
                "many where its score is higher by at least what it is worth less. Mixtures know no ties.")

    def __post_init__(self) -> None:
        for name, row in KNOBS.items():
            row.check(name, getattr(self, name))

    @classmethod
    def for_game(cls, spec: GameSpec) -> SearchParams:
        """The defaults measured for this game (GameSpec.search). Raises BrokenGameError for hints that are none."""
        for name in spec.search:
            if name not in KNOBS:
                raise BrokenGameError(f"the search of {spec.id}: {name} {unlisted(name, KNOBS)}{nearest(name, KNOBS)}")
        hints: Mapping[str, Any] = spec.search
        try:
            return cls(**hints)
        except ValueError as error:
            raise BrokenGameError(f"the search of {spec.id}: {error}") from None

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
