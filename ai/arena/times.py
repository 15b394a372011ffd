"""How long the bots of a tournament think: it differs from run to run and from machine to machine, and is no part of results."""
from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from seatmate.ai.arena.beside import load_beside, save_beside
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.bots.watch import bin_edges

LATE_SHARE, LATE_NS = 1.05, 1_000_000
"""A decision is late after 1.05 times the bot's time_ms and a millisecond: no clock of a system is exact."""


@dataclass(slots=True)
class DecisionTimes:
    """Decisions with a choice by size of their time (`bin_edges`), the longest in ns, and how many were late."""

    counts: dict[int, int] = field(default_factory=dict)
    longest_ns: int = 0
    late: int = 0

    def add(self, other: DecisionTimes) -> None:
        """Count these, too."""
        for size, count in other.counts.items():
            self.counts[size] = self.counts.get(size, 0) + count
        self.longest_ns = max(self.longest_ns, other.longest_ns)
        self.late += other.late

    @property
    def decisions(self) -> int:
        """How many there are."""
        return sum(self.counts.values())

    def quantile_ms(self, share: float) -> float:
        """The time that so large a share of the decisions did not exceed, in ms, within 3 %."""
        left = share * self.decisions
        for size in sorted(self.counts):
            left -= self.counts[size]
            if left <= 0:
                return min(sum(bin_edges(size)) / 2, self.longest_ns) / 1e6
        return self.longest_ns / 1e6

    def to_json(self) -> dict[str, Any]:
        """For a report: decisions, p50_ms, p99_ms, longest_ms, late."""
        return {"decisions": self.decisions, "p50_ms": self.quantile_ms(0.5), "p99_ms": self.quantile_ms(0.99),
                "longest_ms": self.longest_ns / 1e6, "late": self.late}


Times = dict[str, DecisionTimes]    # by label of the bot


def late_after_ns(policy: Mapping[str, Any]) -> int:
    """When a decision of this bot of a TournamentSpec is late; 0 for one without a time limit."""
    time_ms = (policy.get("limits") or {}).get("time_ms")
    return 0 if time_ms is None else round(LATE_SHARE * float(time_ms) * 1e6) + LATE_NS


def save_times(results: str | os.PathLike[str], spec: TournamentSpec, times: Times) -> None:
    """Write `FILE.times`."""
    save_beside(results, "times", spec, {
        bot: {"counts": sorted(one.counts.items()), "longest_ns": one.longest_ns, "late": one.late} for bot, one in times.items()})


def load_times(results: str | os.PathLike[str], spec: TournamentSpec) -> Times:
    """What the file says of this tournament; nothing where there is none or another one."""
    return load_beside(results, "times", spec, lambda one: DecisionTimes(
        {int(size): int(count) for size, count in one["counts"]}, int(one["longest_ns"]), int(one["late"])))


def report_times(results: str | os.PathLike[str]) -> Times:
    """How long the bots of a results file thought, as far as it is known. Raises ResultsError, OSError for the results file."""
    from seatmate.ai.arena.store import load_spec  # whose deals have times

    spec = load_spec(results)
    return {} if spec is None else load_times(results, spec)
