"""What cards go with winning: for designers, of any game whose events say which argument is a card (`Meanings`)."""
from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from seatmate.ai.arena.match import win_shares
from seatmate.ai.arena.plans import TournamentError
from seatmate.ai.arena.statistics import ratio_and_interval
from seatmate.ai.bots import make_bot
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.meanings import Meanings


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRate:
    """How seats fared to whom an event happened with a card, such as drawing or playing it, at least once in a game.

    seats: how many in all games · win_rate: their mean share of the win · ci95: half width of its 95 % interval, over games.
    """

    event: str
    card: str
    seats: int
    win_rate: float
    ci95: float


def card_rates(game: Game, bot: str, games: int, seed: int, progress: Callable[[int, int], None] | None = None) -> list[CardRate]:
    """Let one bot play all seats; by event, and then the best rate first. progress: told (games played, games).

    It says what goes together and not why: who wins may have drawn more cards of any kind. An equal share is 1 / seats.
    Raises TournamentError for a cooperative game, one without such events, and below two games; BotError.
    """
    meanings = Meanings(game.spec, game.event_meanings())
    if game.cooperative or not any(_is_about_cards(meanings, event.key) for event in game.spec.events):
        raise TournamentError(f"{game.spec.id} has no cards of single seats that could be compared by who wins")
    if games < 2:
        raise TournamentError(f"{games} games are too few for an interval; at least 2 are needed")
    parts: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0] * games)
    wholes: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * games)
    for number in range(games):
        chance = random.Random(f"{seed} {number}")
        state = game.new_state(chance.getrandbits(64))
        bots = [make_bot(bot, chance.getrandbits(64)) for _ in range(game.seats)]
        while not state.is_over:
            seat = state.pending[0]
            state.apply_action(seat, bots[seat].choose(state, seat))
        for seat, share in enumerate(win_shares(state.returns())):
            for happened in cards_of(state, seat, meanings):
                parts[happened][number] += share
                wholes[happened][number] += 1
        if progress is not None:
            progress(number + 1, games)
    rates = []
    for (event, card), counts in wholes.items():
        rate, half = ratio_and_interval(np.array(parts[event, card]), np.array(counts, dtype=np.float64))
        rates.append(CardRate(event=event, card=card, seats=sum(counts), win_rate=rate, ci95=half))
    return sorted(rates, key=lambda one: (one.event, -one.win_rate, one.card))


def cards_of(state: State, seat: int, meanings: Meanings) -> set[tuple[str, str]]:
    """(event, card) of all that happened to the seat with a card it knows."""
    found = set()
    for event in state.events(seat):
        if _is_about_cards(meanings, event.key):
            known = list(zip(meanings[event.key], event.args, strict=False))
            if next(value for meaning, value in known if meaning.kind == "seat") == seat:
                found |= {(event.key, card) for meaning, value in known if meaning.kind == "card" and (card := meaning.id(value))}
    return found


def _is_about_cards(meanings: Meanings, event: str) -> bool:
    kinds = [meaning.kind for meaning in meanings[event]]
    return "seat" in kinds and "card" in kinds
