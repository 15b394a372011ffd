"""The result of a search: Analysis and its Candidates."""
from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from seatmate.ai.search.params import SearchParams
from seatmate.ai.search.reasons import Reason
from seatmate.engine.core.spec import CHANCE, Unit

UNKNOWN = 0.5
"""The standard error of a value about which nothing more is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One legal action of the deciding seat.

    visit_share: part of the root's visits, 0..1 · policy: probability with which a bot plays it, 0..1 ·
    value: utility the seat may expect, 0..1: the mean of the simulations, corrected by the game's Calibration
    (engine/core/spec.py) if it has one; standard_error and win_probability are corrected too. None for an action never looked
    at (the only legal action has the position's value) ·
    standard_error: of `value`, as if the simulations were independent; 0.5 below two visits; if all visits gave the same result,
    it allows for a result not seen yet (the rule of three) ·
    win_probability: 0..1, None in cooperative games and for an action never looked at ·
    prior: share of the heuristic policy, 0..1 ·
    tied: not known to be worse than the best: it can't be told apart from the most visited one (SearchParams.tie_errors), gave the
    same result in every simulation, or has the higher value after fewer visits. The best is always tied ·
    principal_variation: this action and the most visited answers to it, in words. A step that begins with "perhaps" is not
    possible, or has another name, in some of the worlds the seat can't tell apart; it comes from one and gives nothing away ·
    reasons: what the best candidate gains over the runner-up, or what another one loses against the best, weightiest first;
    "but ..." is a price of the best one, "though ..." speaks for another, "leads to: ..." is the outcome after all seats followed
    the heuristic until nothing is under way. May be empty (reasons.py) · why: the same reasons, each with its source.
    """

    action: int
    label: str
    args: dict[str, int | str]
    visits: int
    visit_share: float
    policy: float
    value: float | None
    standard_error: float
    win_probability: float | None
    prior: float
    tied: bool
    principal_variation: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    why: tuple[Reason, ...] = ()

    def value_text(self, unit: Unit) -> str:
        """The value and the half width of its 95 % interval in the game's own unit, 56 % ± 4; empty if nothing is known.

        56 % ± ? if it was looked at too rarely to say.
        """
        if self.value is None:
            return ""
        margin = "?" if self.standard_error >= UNKNOWN else unit.margin(1.96 * self.standard_error)
        return f"{unit.text(self.value)} ± {margin}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """The state of a search. Equal searches give equal analyses: `elapsed_s` does not count in comparisons.

    iterations: simulations so far · nodes: of all seats' trees · depth: decisions of the deepest tree path ·
    threads: searches that ran side by side · elapsed_s: wall seconds of all runs ·
    kept: simulations of earlier decisions whose results count on (`Search.follow`) ·
    value: utility the seat may expect from the best candidate, without simulations as evaluate sees it, 0..1 ·
    unit: in which people read values · candidates: the best first, which is what a bot plays; then by how often a bot plays them,
    where it plays a mixture, and by the lower end of their 95 % interval; last those that were never looked at. One whose value is
    above the best one's is tied. Seed, iterations, threads, params and the actions looked at reproduce it if nothing was kept.
    """

    game: str
    seat: int
    prompt: str
    iterations: int
    nodes: int
    depth: int
    elapsed_s: float = field(compare=False)
    seed: int
    value: float
    candidates: tuple[Candidate, ...]
    unit: Unit = CHANCE
    params: SearchParams | None = None
    threads: int = 1
    kept: int = 0

    @property
    def best(self) -> Candidate:
        """The action to play."""
        return self.candidates[0]

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain = asdict(self)
        if self.params is not None and self.params.prior_temperature == float("inf"):
            plain["params"]["prior_temperature"] = None     # JSON has no infinity
        return plain
