"""Plans: who sits where in the games played on one deal."""
from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, get_args

from seatmate.engine.core.errors import SeatmateError, unlisted

Permutations = Literal["auto", "all", "balanced", "rotations"]
"""How many of the possible seatings are played on each deal; see `seat_plans`."""

PERMUTATIONS: tuple[str, ...] = get_args(Permutations)

Format = Literal["round-robin", "gauntlet", "ladder"]
"""Who meets: everybody; the first bots each of the others; each bot its neighbours in the list."""

FORMATS: tuple[str, ...] = get_args(Format)

AUTO_LIMIT = 40
"""`auto` plays every seating of a selection of bots up to so many, and balanced ones beyond."""

MAX_LINEUPS = 20_000
"""Most games on one deal."""

Lineup = tuple[int, ...]    # the index of the bot in each seat


class TournamentError(SeatmateError):
    """A tournament can't be run as asked; the message says what would be right."""


def seat_plans(bots: int, seats: int, cooperative: bool, permutations: Permutations = "auto") -> tuple[Lineup, ...]:
    """Who sits where (bot index per seat) in the games played on each deal; ascending, without repeats.

    Cooperative games: each bot fills all seats. Competitive games: every selection of bots that fits the table, repeated
    round the table where there are fewer bots than seats (each bot takes the extra seats equally often), seated in

    all: every distinct order ·
    balanced: the rows of a Williams design (Williams 1949): as many orders as seats, twice that for an odd number of
        different bots; every bot sits in every seat equally often and, where all bots differ, every bot has every other bot
        to its right equally often ·
    rotations: every rotation of one order; every bot sits in every seat equally often, next to the same neighbours ·
    auto: all where that is at most AUTO_LIMIT orders of each selection, else balanced.

    Raises TournamentError for more than MAX_LINEUPS games on a deal, for an unknown word, and without bots or seats.
    """
    if bots < 1 or seats < 1:
        raise TournamentError(f"a plan needs bots and seats, at least one of each, and not {bots} and {seats}")
    if permutations not in PERMUTATIONS:
        raise TournamentError(f"permutations {unlisted(permutations, PERMUTATIONS)}")
    if cooperative:
        return tuple((bot,) * seats for bot in range(bots))
    selected = min(bots, seats)
    orders = [_order(range(selected), shift, seats) for shift in range(_shifts(selected, seats))]
    every = sum(_arrangements(order) for order in orders)
    kind = permutations if permutations != "auto" else "all" if every <= AUTO_LIMIT else "balanced"
    games = math.comb(bots, selected) * (every if kind == "all" else 2 * seats * len(orders))
    if games > MAX_LINEUPS:
        fewer = "fewer bots" if kind != "all" else "permutations 'balanced' or fewer bots"
        raise TournamentError(f"{bots} bots at {seats} seats make up to {games:,} games on each deal, and {MAX_LINEUPS:,} "
                              f"are the most; take {fewer}")
    plans: set[Lineup] = set()
    for chosen in itertools.combinations(range(bots), selected):
        for shift in range(len(orders)):
            order = _order(chosen, shift, seats)
            if kind == "all":
                plans.update(_distinct_orders(order))
            elif kind == "rotations":
                plans.update(tuple(order[turn:] + order[:turn]) for turn in range(seats))
            else:
                plans.update(tuple(order[place] for place in row) for row in _williams(seats, selected == seats))
    return tuple(sorted(plans))


def format_plans(bots: int, seats: int, cooperative: bool, *, permutations: Permutations = "auto",
                 format: Format = "round-robin", challengers: int = 1, teams: Sequence[Sequence[int]] = ()) -> tuple[Lineup, ...]:
    """Who sits where in the games of a format; ascending, without repeats.

    challengers: how many of the first bots meet each of the others in a gauntlet, and not each other · teams: the seats of each
    team; one bot then fills all seats of a team, and the teams are what bots are seated in. Raises TournamentError.
    """
    if format not in FORMATS:
        raise TournamentError(f"format {unlisted(format, FORMATS)}")
    sides = [tuple(team) for team in teams] or [(seat,) for seat in range(seats)]
    _check_teams(sides, seats)
    if cooperative and (teams or format != "round-robin"):
        raise TournamentError("in a cooperative game each bot fills all seats: there are no teams, and nobody meets anybody")
    if format == "round-robin":
        plans = seat_plans(bots, len(sides), cooperative, permutations)
    else:
        pairs = _pairs(bots, format, challengers)
        each = seat_plans(2, len(sides), False, permutations)
        if len(pairs) * len(each) > MAX_LINEUPS:
            raise TournamentError(f"{bots} bots make {len(pairs) * len(each):,} games on each deal, and {MAX_LINEUPS:,} are the "
                                  "most")
        plans = tuple(sorted({tuple(pair[place] for place in plan) for pair in pairs for plan in each}))
    side_of = {seat: number for number, side in enumerate(sides) for seat in side}
    return tuple(tuple(plan[side_of[seat]] for seat in range(seats)) for plan in plans)


def _pairs(bots: int, format: Format, challengers: int) -> list[tuple[int, int]]:
    """Which bots meet. Raises TournamentError."""
    if format == "ladder":
        if bots < 2:
            raise TournamentError("a ladder needs at least two bots")
        return [(bot, bot + 1) for bot in range(bots - 1)]
    if not 1 <= challengers < bots:
        raise TournamentError(f"a gauntlet of {bots} bots has 1 to {max(1, bots - 1)} challengers, not {challengers}")
    return list(itertools.product(range(challengers), range(challengers, bots)))


def _check_teams(teams: Sequence[Sequence[int]], seats: int) -> None:
    """Raises TournamentError unless each seat is in one team and there are at least two."""
    if sorted(seat for team in teams for seat in team) != list(range(seats)) or not all(teams):
        said = " ".join("+".join(map(str, team)) for team in teams)
        raise TournamentError(f"the teams {said} are not the seats 0 to {seats - 1}, each in one team")
    if len(teams) < 2 and seats > 1:
        raise TournamentError("at least two teams are needed")


def _shifts(selected: int, seats: int) -> int:
    """How many different hands of extra seats there are."""
    return selected if seats % selected else 1


def _order(chosen: Sequence[int], shift: int, seats: int) -> list[int]:
    """The chosen bots round and round the table, from one of them on."""
    return [chosen[(seat + shift) % len(chosen)] for seat in range(seats)]


def _arrangements(order: Sequence[int]) -> int:
    """In how many distinct orders these bots can sit."""
    return math.factorial(len(order)) // math.prod(math.factorial(count) for count in Counter(order).values())


def _distinct_orders(order: Sequence[int]) -> Iterator[Lineup]:
    """Every distinct order of a multiset, each once (itertools.permutations repeats them)."""
    counts = Counter(order)

    def extend(begun: Lineup) -> Iterator[Lineup]:
        if len(begun) == len(order):
            yield begun
        for bot in sorted(counts):
            if counts[bot]:
                counts[bot] -= 1
                yield from extend((*begun, bot))
                counts[bot] += 1

    return extend(())


def _williams(size: int, both: bool) -> list[Lineup]:
    """Rows of a Williams design for `size` places: 0, 1, size-1, 2, size-2, ... with each number added (mod size).

    An odd size needs the mirrored rows too; they are left out unless `both`, because with repeated bots the two halves may
    share rows unevenly.
    """
    zigzag = [(place + 1) // 2 if place % 2 else (size - place // 2) % size for place in range(size)]
    firsts = [zigzag, zigzag[::-1]] if size % 2 and both else [zigzag]
    return [tuple((place + add) % size for place in first) for first in firsts for add in range(size)]
