"""Facts: what other libraries want to know of a game before it starts and its spec does not say, read off sample games."""
from __future__ import annotations

import json
import random
from dataclasses import dataclass
from functools import lru_cache

from seatmate.ai.adapters import chance
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.registry import game_from_settings

SAMPLE_GAMES = 40
_SAMPLES = 64       # results of one draw that are looked at


@dataclass(frozen=True, slots=True)
class Facts:
    """What uniformly random games of fixed settings show.

    draws: something is left to chance · deal_draws: already the deal is · hides: some seat does not see everything, be it
    cards or a commitment · together: all seats are asked at every decision, and act round the table · total: the sum of
    the utilities where it is the same in all games, else None.
    """

    draws: bool
    deal_draws: bool
    hides: bool
    together: bool
    total: float | None


def facts_of(game: Game) -> Facts:
    """The facts of a game; equal settings give equal facts."""
    return _facts(json.dumps(game.settings.to_json()))


@lru_cache(maxsize=256)
def _facts(settings: str) -> Facts:
    game = game_from_settings(json.loads(settings))
    everybody = tuple(range(game.seats))
    deal_draws = len(chance.deal_results(game, _SAMPLES)) > 1
    draws, hides, together = deal_draws, False, game.seats > 1
    totals = set()
    for number in range(SAMPLE_GAMES):
        choice = random.Random(number)
        state = chance.deal(game, number)
        decisions = 0
        while not state.is_over:
            seat = state.pending[0]
            together = together and state.asked == everybody and seat == decisions % game.seats
            hides = hides or _hides(state, number)
            action = choice.choice(state.legal_actions(seat))
            draws = draws or len(chance.act_results(state, seat, action, _SAMPLES)) > 1
            chance.act_sampled(state, seat, action, choice.getrandbits(30))
            decisions += 1
        totals.add(round(sum(state.returns()), 9))
    return Facts(draws, deal_draws, hides, together, totals.pop() if len(totals) == 1 else None)


def _hides(state: State, seed: int) -> bool:
    """Does a seat take a sampled world for this one? (A yes is sure; a no only says that this sample was the true world.)"""
    here = state.to_bytes()
    return any(state.resample_from_infostate(seat, seed).to_bytes() != here for seat in range(state.game.seats))
