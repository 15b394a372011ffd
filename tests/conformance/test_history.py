"""Rejection by history, the deals, and the spec's lists, for every registered game."""
from __future__ import annotations

import pytest

from cases import Case, all_cases
from history_checks import check_deals_keep_their_secrets, check_history, check_kinds
from seatmate.engine.core.game import Game
from seatmate.engine.core.registry import list_games, new_game


def test_sampled_worlds_fit_what_was_seen(case: Case, game: Game) -> None:
    compared = [check_history(game, seed, 3 if case.changed else 8) for seed in (range(50, 51) if case.changed else range(2))]
    assert sum(compared) >= (1 if case.changed else 4), "hardly a step of these games could be compared"


def test_deals_keep_their_secrets(case: Case, game: Game) -> None:
    if getattr(game, "secret_settings", False):
        return      # sampled worlds are drawn from all decks, and these deals from one: see test_games
    check_deals_keep_their_secrets(game, seat=game.seats - 1, seed=0)


RARE = {
    "mythos": {"PLAYCARD_ONTO", "FORCED_ONTO", "POOL", "RAID", "RECOVERED"},    # of single cards; tests/rulebook plays each of them
    "titans": {"GO_SHUFFLE"},
}
"""Prompts and events that need not come in the games below."""


@pytest.mark.parametrize("game_id", [spec.id for spec in list_games()])
def test_every_prompt_and_event_is_in_the_spec_and_comes(game_id: str) -> None:
    games = [case.new_game() for case in all_cases() if case.game_id == game_id]
    if "deck0" in games[0].settings.options:
        games += [new_game(game_id, options={"deck0": f"random:{deck}", "deck1": f"random:{deck + 100}"}) for deck in range(40)]
    missing = [check_kinds(game, seed=0, count=400) for game in games]
    never = set.intersection(*missing)
    assert never <= RARE.get(game_id, set()), f"these never came in random games: {never}"
