"""What can be won against random play at Goofspiel with hidden bids, and what does a search make of it? Both exactly.

Whoever bids uniformly at random tells nothing of the next bid, but the outcomes of the rounds (won, tied, lost) tell
which cards may have gone. The best response is found by dynamic programming over what a seat knows: its own bids with the
outcomes, the prizes left, and the lead. Wins count 1 and ties 1/2. No bot's share of wins against random can be higher.

With --bot a search plays seat 0 against random. What every bid of it gives away is known, and the bound less the mean of those
losses estimates its strength without the luck of the cards.
"""
from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from functools import cache
from itertools import permutations

import command_line
import machine
from seatmate.ai.arena.statistics import mean_and_interval
from seatmate.ai.bots import make_bot
from seatmate.engine.core.registry import new_game

Past = frozenset[tuple[int, int]]
"""(own bid, outcome) of the rounds played; outcome: 1 won, 0 tied, -1 lost."""


class BestResponse:
    """Values of all bids against a uniformly random seat, prizes in random order."""

    def __init__(self, cards: int) -> None:
        self.cards = cards
        self.ways = cache(self._ways)
        self.value = cache(self._value)

    def _ways(self, past: Past) -> int:
        """How many hidden bids, all different, agree with the past."""
        return sum(all((bid > theirs) - (bid < theirs) == outcome for theirs, (bid, outcome) in zip(bids, past, strict=True))
                   for bids in permutations(range(1, self.cards + 1), len(past)))

    def values(self, past: Past, later: tuple[int, ...], lead: int, prize: int) -> dict[int, float]:
        """By bid: the expected result with `prize` turned up and `later` (ascending) to come."""
        spent = {bid for bid, _ in past}
        cases = self.ways(past) * (self.cards - len(past))
        found = {}
        for bid in range(1, self.cards + 1):
            if bid not in spent:
                found[bid] = 0.0
                for outcome in (1, 0, -1):
                    after = past | {(bid, outcome)}
                    if chance := self.ways(after) / cases:
                        found[bid] += chance * self.value(after, later, lead + prize * outcome)
        return found

    def _value(self, past: Past, later: tuple[int, ...], lead: int) -> float:
        """Before the next prize is turned up."""
        if not later:
            return (1 + (lead > 0) - (lead < 0)) / 2
        return sum(max(self.values(past, later[:i] + later[i + 1:], lead, prize).values())
                   for i, prize in enumerate(later)) / len(later)

    def bound(self) -> float:
        """The expected result of the best response."""
        return self.value(frozenset(), tuple(range(1, self.cards + 1)), 0)


def losses(best: BestResponse, bot: str, games: int, seed: int) -> list[float]:
    """What the bot gives away in each game against random bids."""
    game = new_game("goofspiel", seats=2, options={"cards": best.cards})
    chooser, rng, found = make_bot(bot, seed), random.Random(seed), []
    for number in range(games):
        state, past, lead, given = game.new_state(seed + number), frozenset[tuple[int, int]](), 0, 0.0
        while state.pending:
            prizes = state.observation(0)["prizes"]
            later = tuple(p for p in range(1, best.cards + 1) if p not in prizes)
            values = best.values(past, later, lead, prizes[-1])
            mine, theirs = chooser.choose(state, 0), rng.choice(state.legal_actions(1))
            given += max(values.values()) - values[mine + 1]
            outcome = (mine > theirs) - (mine < theirs)
            past, lead = past | {(mine + 1, outcome)}, lead + prizes[-1] * outcome
            state.apply_action(0, mine)
            state.apply_action(1, theirs)
        found.append(given)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = command_line.command(__doc__ or "", ["python benches/goofspiel_bound.py --bot search:iterations=10000 --games 100"])
    parser.add_argument("--cards", type=command_line.whole(4, 13), default=6, metavar="N", help="in every hand (%(default)s)")
    parser.add_argument("--bot", type=command_line.bot, help="also measure this bot")
    parser.add_argument("--games", type=command_line.whole(2), default=100, metavar="N", help="of the bot (%(default)s)")
    parser.add_argument("--seed", type=command_line.seed, default=1, metavar="SEED", help="of all chance (%(default)s)")
    options = parser.parse_args(arguments)
    best = BestResponse(options.cards)
    result = {"machine": machine.facts(), "cards": options.cards, "bound": best.bound()}
    out = machine.console(options.json)
    out.print(f"Goofspiel with {options.cards} cards and hidden bids, best response to random play: {result['bound']:.5f}")
    if options.bot:
        mean, half = mean_and_interval(losses(best, options.bot, options.games, options.seed))
        result |= {"bot": options.bot, "games": options.games, "seed": options.seed, "strength": best.bound() - mean, "ci95": half}
        out.print(f"{options.bot}: {best.bound() - mean:.4f} ± {half:.4f} in {options.games} games")
    machine.write_json(options.json, result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
