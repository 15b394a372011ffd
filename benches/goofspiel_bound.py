"""What can be won against random play at Goofspiel with hidden bids? The exact value of the best response.

Whoever bids uniformly at random tells nothing of the next bid, but the outcomes of the rounds (won, tied, lost) tell
which cards may have gone. The best response is found by dynamic programming over what a seat knows: its own bids with the
outcomes, the prizes left, and the lead. Wins count 1 and ties 1/2. No bot's share of wins against random can be higher.
"""
from __future__ import annotations

import sys
from functools import cache
from itertools import permutations

OUTCOMES = (1, 0, -1)


def agrees(theirs: int, bid: int, outcome: int) -> bool:
    """Does a bid of theirs against `bid` give this outcome (1 won, 0 tied, -1 lost)?"""
    return (bid > theirs) - (bid < theirs) == outcome


def best_response(cards: int, prizes: tuple[int, ...] | None = None) -> float:
    """Expected result against a uniformly random seat; prizes come in this order, by default in a random one."""

    @cache
    def ways(past: frozenset[tuple[int, int]]) -> int:
        """How many hidden bids, all different, agree with all (bid, outcome) of the past."""
        return sum(all(agrees(theirs, bid, outcome) for theirs, (bid, outcome) in zip(bids, past, strict=True))
                   for bids in permutations(range(1, cards + 1), len(past)))

    @cache
    def value(past: frozenset[tuple[int, int]], later: tuple[int, ...], lead: int, prize: int) -> float:
        """With `prize` turned up and `later` to come."""
        spent = {bid for bid, _ in past}
        cases = ways(past) * (cards - len(past))
        best = 0.0
        for bid in range(1, cards + 1):
            if bid not in spent:
                mean = 0.0
                for outcome in OUTCOMES:
                    after = past | {(bid, outcome)}
                    chance = ways(after) / cases
                    if chance:
                        mean += chance * turn_up(after, later, lead + prize * outcome)
                best = max(best, mean)
        return best

    def turn_up(past: frozenset[tuple[int, int]], later: tuple[int, ...], lead: int) -> float:
        if not later:
            return (1 + (lead > 0) - (lead < 0)) / 2
        if prizes is not None:
            return value(past, later[1:], lead, later[0])
        return sum(value(past, later[:i] + later[i + 1:], lead, prize) for i, prize in enumerate(later)) / len(later)

    return turn_up(frozenset(), prizes or tuple(range(1, cards + 1)), 0)


def main() -> None:
    cards = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    print(f"Goofspiel with {cards} cards and hidden bids, best response to random play: {best_response(cards):.5f}")


if __name__ == "__main__":
    main()
