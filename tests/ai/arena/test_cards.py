"""Which cards go with winning: rates against what the rules of a small game say, and all games that have cards of seats."""
from __future__ import annotations

import pytest

from seatmate.ai.arena import TournamentError
from seatmate.ai.arena.cards import card_rates, cards_of
from seatmate.ai.bots import make_bot
from seatmate.engine.core.meanings import Meanings
from seatmate.engine.core.registry import new_game


@pytest.mark.parametrize(("game", "mode", "drawn", "played"), [
    ("mythos", None, "DRAW_CARDS", "PLAYED"), ("hundred_days", None, "DRAW_ID", "PLAY"), ("titans", "duel", None, "CARD")])
def test_cards_are_those_of_the_seat(game: str, mode: str | None, drawn: str | None, played: str) -> None:
    table = new_game(game, mode=mode)
    meanings = Meanings(table.spec, table.event_meanings())
    state = table.new_state(3)
    bots = [make_bot("heuristic", seat) for seat in range(table.seats)]
    while not state.is_over:
        seat = state.pending[0]
        state.apply_action(seat, bots[seat].choose(state, seat))
    for seat in range(table.seats):
        found = cards_of(state, seat, meanings)
        own = {card for event, card in found if event == played}
        assert own, f"seat {seat} played nothing"
        if drawn is not None:
            assert {card for event, card in found if event == drawn}
        others = [cards_of(state, other, meanings) for other in range(table.seats) if other != seat]
        assert all(found != theirs for theirs in others)


def test_rates_are_shares_of_the_win_over_games() -> None:
    rates = card_rates(new_game("mythos"), "heuristic", 20, 1)
    assert rates == card_rates(new_game("mythos"), "heuristic", 20, 1)
    assert all(0 <= rate.win_rate <= 1 and rate.ci95 > 0 and 1 <= rate.seats <= 40 for rate in rates)
    both = [rate for rate in rates if rate.seats == 40]
    assert all(rate.win_rate == 0.5 for rate in both)       # what comes to both seats of every game goes with nothing


def test_games_without_cards_of_seats_are_refused() -> None:
    for game in ("connect_four", "hanabi"):
        with pytest.raises(TournamentError, match="has no cards of single seats"):
            card_rates(new_game(game), "random", 10, 1)
    with pytest.raises(TournamentError, match="too few"):
        card_rates(new_game("mythos"), "random", 1, 1)
