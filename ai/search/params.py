"""SearchParams: every knob of the search in one place."""
from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Literal, get_args

from seatmate.engine.core.spec import GameSpec

TreeKey = Literal["full", "public", "open"]

Selection = Literal["puct", "regret"]

TREE_KEYS: tuple[str, ...] = get_args(TreeKey)
SELECTIONS: tuple[str, ...] = get_args(Selection)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchParams:
    """The knobs of MO-ISMCTS with PUCT. A game's own defaults are `SearchParams.for_game(spec)`.

    | field | unit, range | neutral |
    |---|---|---|
    | exploration | utility, >= 0 | 0 (greedy) |
    | prior_temperature | utility, >= 1e-9 | inf (uniform priors) |
    | prior_uniform | share, 0..1 | 0 |
    | fpu_reduction | utility, >= 0 | 0 |
    | tree_key | full, public, open | full |
    | split_private | flag | False |
    | prior_visits | simulations, >= 0 | 0 |
    | world_baseline | flag | False |
    | plausible_worlds | flag | False |
    | rollout_epsilon | share, 0..1 | 1 (uniformly random rollouts) |
    | rollout_depth | decisions, >= -1 | 0 |
    | rollout_quiets | positions, >= 0 | 0 (with rollout_depth 0: to the end) |
    | evaluate_open | flag | False |
    | evaluate_weight | share, 0..1 | 0 |
    | mast | share, 0..1 | 0 |
    | redeterminise | share, 0..0.99 | 0 |
    | joint_regret | flag | False |
    | simple_others | share, 0..1 | 0 |
    | reuse | flag | False |
    | selection | puct, regret | puct |
    | start_share | share, 0..1 | 0 |
    | open_until | simulations, >= 0 | 0 |
    | regret_prior | utility, >= 0 | 0 |
    | tie_errors | standard errors, 0..5 | 0 (most visits alone) |

    exploration: PUCT constant, the weight of prior * sqrt(availability) / (1 + visits).
    prior_temperature: priors are softmax(score_actions / prior_temperature).
    prior_uniform: part of every prior that is spread evenly, so that no action is out of reach.
    fpu_reduction: an unvisited action is worth the mean of its node minus this * sqrt(visited share of the priors).
    tree_key: what tells nodes apart: the deciding seat's own history, the spectators' history, the actions alone.
    split_private: the other seats' nodes also differ by what each holds in private in the sampled world.
    prior_visits: the heuristic's opinion of an action (its score above the average of its node) counts as so many
        simulations (virtual visits; Gelly and Silver 2007); with it fpu_reduction has no say.
    world_baseline: subtract from every result what evaluate (all cards open) said of the sampled world before the first
        action, by a running regression (a control variate; Veness, Lanctot and Bowling 2011). One evaluate per simulation.
    rollout_epsilon: share of uniformly random rollout moves; the others follow the game's quick or heuristic choice.
    plausible_worlds: sampled worlds also respect what the other seats were seen to choose (the game's `plausible`, where
        it has one).
    rollout_depth: a rollout is cut off and evaluated at a quiet position after at least so many real choices of its
        own; -1: at the first one.
    rollout_quiets: ... and not before so many quiet positions since the root. With rollout_depth 0 it is a horizon for
        the tree too, and so never depends on what was chosen: where evaluate drifts with time, results that look
        differently far ahead can't be compared.
    evaluate_open: evaluate sampled worlds with all cards open; else as the deciding seat would see them (little noise,
        but what others play unseen in the simulation is then worth an average card whatever it is).
    evaluate_weight: weight of evaluate at the leaf against the result of its rollout.
    mast: share of the rollout moves not drawn at random that are the action of the highest average score so far (MAST); with
        rollout_epsilon at 1 there are none.
    redeterminise: share of the simulations in which the first other seat to decide finds itself in a world as it sees
        it. Those teach the other seats' decisions, and the rest no longer does: partners and opponents then do not act
        on what only the root seat knows.
    joint_regret: at simultaneous choices actions are drawn by regret matching, and what is played at such a root is drawn
        from the average policy.
    simple_others: share of the simulations in which the other seats play as in rollouts, off their trees. 1 is a model of
        opponents known to be weak; in between it answers weak and strong ones at once (restricted Nash response;
        Johanson, Zinkevich and Bowling 2007).
    reuse: a bot goes on with the tree of its last decision where what it has observed since leads to one of its nodes. What it
        plays then depends on its earlier searches too; the service seats no such bot. (`Search.follow` does so when it is called.)
    selection: puct, or regret: external-sampling regret minimisation, for small games in which the best play is mixed.
        It has no use for the knobs above but prior_temperature, prior_uniform and those of rollouts (at the cap on nodes).
    start_share: regret: share of the simulations that begin at a fresh deal; with it worlds are also weighted by how likely
        what was observed is in them. Needs a game with public_choices and a known past.
    open_until: regret: up to about so many simulations the other seats may know what the root seat holds, for the sake
        of less noise.
    regret_prior: regret: an action begins with this regret times its prior.
    tie_errors: of the actions tried at least half as often as the most visited one, and worth less by at most so many standard
        errors of the difference, the one the heuristic scores highest is played; within three times as many where its score is
        higher by at least what it is worth less. Mixtures know no ties.
    """

    exploration: float = 1.0
    prior_temperature: float = 0.05
    prior_uniform: float = 0.0
    fpu_reduction: float = 0.0
    tree_key: TreeKey = "full"
    split_private: bool = False
    prior_visits: float = 0.0
    world_baseline: bool = False
    plausible_worlds: bool = False
    rollout_epsilon: float = 0.05
    rollout_depth: int = 0
    rollout_quiets: int = 0
    evaluate_open: bool = False
    evaluate_weight: float = 0.0
    mast: float = 0.0
    redeterminise: float = 0.0
    joint_regret: bool = False
    simple_others: float = 0.0
    reuse: bool = False
    selection: Selection = "puct"
    start_share: float = 0.0
    open_until: int = 0
    regret_prior: float = 0.0
    tie_errors: float = 0.5

    def __post_init__(self) -> None:
        for knob in fields(self):
            value = getattr(self, knob.name)
            kind = type(knob.default)
            if isinstance(value, bool) != (kind is bool) or not isinstance(value, (int, float) if kind is float else kind):
                raise ValueError(f"{knob.name} must be of the kind of {knob.default!r}, not {value!r}")
        for name, least, most in (
            ("exploration", 0.0, 1e6), ("prior_uniform", 0.0, 1.0), ("fpu_reduction", 0.0, 1e6),
            ("prior_visits", 0.0, 1e6), ("rollout_epsilon", 0.0, 1.0), ("rollout_depth", -1, 1_000_000),
            ("rollout_quiets", 0, 1_000_000), ("evaluate_weight", 0.0, 1.0), ("mast", 0.0, 1.0), ("redeterminise", 0.0, 0.99),
            ("simple_others", 0.0, 1.0), ("start_share", 0.0, 1.0), ("open_until", 0, 1_000_000_000), ("regret_prior", 0.0, 1e6),
            ("tie_errors", 0.0, 5.0),
        ):
            value = getattr(self, name)
            if not least <= value <= most:
                raise ValueError(f"{name} must be in {least:g}..{most:g}, not {value}")
        if not self.prior_temperature >= 1e-9:      # also refuses nan
            raise ValueError(f"prior_temperature must be at least 1e-9, not {self.prior_temperature}")
        if self.tree_key not in TREE_KEYS:
            raise ValueError(f"tree_key must be one of {', '.join(TREE_KEYS)}, not {self.tree_key!r}")
        if self.selection not in SELECTIONS:
            raise ValueError(f"selection must be one of {', '.join(SELECTIONS)}, not {self.selection!r}")

    @classmethod
    def for_game(cls, spec: GameSpec) -> SearchParams:
        """The defaults measured for this game (GameSpec.search)."""
        return cls(**{hint.name: getattr(spec.search, hint.name) for hint in fields(spec.search)})

    @classmethod
    def plain(cls) -> SearchParams:
        """No domain knowledge: uniform priors and uniformly random rollouts, as in the literature's comparisons."""
        return cls(prior_temperature=math.inf, rollout_epsilon=1.0, tie_errors=0.0)
