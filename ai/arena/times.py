"""How long the bots of a tournament think: it differs from run to run and from machine to machine, and is kept apart from results.

`FILE.times` beside a results file FILE is one JSON object. It is a by-product: without it, or with that of another tournament, a
report just says nothing of times.
"""
from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.bots.watch import bin_edges

FORMAT = "seatmate-times"
VERSION = 1

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
    """Write the file beside the results. Where it can't be written the tournament goes on without."""
    path = _beside(results)
    text = json.dumps({"format": FORMAT, "version": VERSION, "tournament": _mark(spec), "bots": {
        bot: {"counts": sorted(one.counts.items()), "longest_ns": one.longest_ns, "late": one.late} for bot, one in times.items()}})
    with contextlib.suppress(OSError):
        path.with_name(path.name + "~").write_text(text + "\n", encoding="utf-8")
        os.replace(path.with_name(path.name + "~"), path)


def load_times(results: str | os.PathLike[str], spec: TournamentSpec) -> Times:
    """What the file beside the results says of this tournament; nothing where there is none or another one."""
    try:
        data = json.loads(_beside(results).read_text(encoding="utf-8"))
        if (data["format"], data["version"], data["tournament"]) != (FORMAT, VERSION, _mark(spec)):
            return {}
        return {bot: DecisionTimes({int(size): int(count) for size, count in one["counts"]}, int(one["longest_ns"]),
                                   int(one["late"]))
                for bot, one in data["bots"].items() if bot in spec.labels}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def report_times(results: str | os.PathLike[str]) -> Times:
    """How long the bots of a results file thought, as far as it is known. Raises ResultsError, OSError for the results file."""
    from seatmate.ai.arena.store import load_spec  # whose deals have times

    spec = load_spec(results)
    return {} if spec is None else load_times(results, spec)


def _beside(results: str | os.PathLike[str]) -> Path:
    path = Path(results)
    return path.with_name(path.name + ".times")


def _mark(spec: TournamentSpec) -> int:
    """Tells one tournament from another."""
    return zlib.crc32(json.dumps(spec.to_json(), sort_keys=True).encode())
