"""Deal: what was played on one deal."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from seatmate.ai.arena.forecasts import Counted
from seatmate.ai.arena.times import DecisionTimes
from seatmate.ai.bots.guarded import Faults

Actions = list[list[int]]       # (seat, action) since the deal, as JSON has them


class Deal(list[list[float]]):
    """The utilities of one deal by lineup and seat.

    decisions: how many with a choice each game had, None where a file doesn't say · times: how long each bot thought, by the bot's
    number, until somebody takes it · forecasts: what searches expected, by the bot's number and bin, where that is asked for, until
    somebody takes it · faults: what bots of somebody else did wrong, by the bot's number · actions: of each game,
    where the tournament keeps them.
    """

    def __init__(self, utilities: Iterable[list[float]] = (), *, faults: Mapping[int, Faults] | None = None,
                 actions: Sequence[Actions] | None = None, decisions: Sequence[int] | None = None) -> None:
        super().__init__(utilities)
        self.decisions = None if decisions is None else list(decisions)
        self.times: dict[int, DecisionTimes] = {}
        self.forecasts: dict[int, dict[int, Counted]] = {}
        self.faults = dict(faults or {})
        self.actions = None if actions is None else list(actions)


def total_faults(labels: Sequence[str], deals: Iterable[Deal]) -> dict[str, dict[str, int]]:
    """What each bot did wrong over these deals, by label; bots that did nothing wrong are left out."""
    totals: dict[int, Faults] = {}
    for deal in deals:
        for number, faults in deal.faults.items():
            totals.setdefault(number, Faults()).add(faults)
    return {labels[number]: totals[number].to_json() for number in sorted(totals)}
