"""Rejection by history, the deals, and the spec's lists, for every registered game."""
from __future__ import annotations

import pytest

import checks
from cases import Case, all_cases
from history_checks import Step, check_deals_keep_their_secrets, check_history, check_kinds
from seatmate.engine.core.game import Game
from seatmate.engine.core.registry import list_games, new_game


def test_sampled_worlds_fit_what_was_seen(case: Case, game: Game) -> None:
    compared = [check_history(game, seed, 3 if case.changed else 8) for seed in (range(50, 51) if case.changed else range(2))]
    assert sum(compared) >= (1 if case.changed else 4), "hardly a step of these games could be compared"


LOOKING = "2 KS-014, 2 KS-091, 2 KS-013, 2 KS-025, 2 KS-026, 2 KS-027, 2 KS-028, 2 KS-064, 2 KS-065, 2 KS-094, 2 KS-096, " \
          "2 KS-097, 2 KS-068, 2 KS-088, 2 KS-090, MSS-08, MSS-06, MSS-10"
"""A deck of Mythos full of cards that look at hands, decks and hidden characters, which random games of others seldom play."""


def has_notes(step: Step) -> bool:
    """Does the seat know more of the other's cards in Mythos than which they are: where one may be, what the top one is not?"""
    view = step.after.observation(step.seat)
    tops = view["tops"][1 - step.seat]
    return any(entry["slots"] or entry["top"] for entry in view["tracked"]) or any(top["not"] for top in tops)


@pytest.mark.parametrize("seeds", [range(12), range(12, 24)])
def test_what_mythos_seldom_tells_is_kept_and_used(seeds: range) -> None:
    game = new_game("mythos", options={"deck0": LOOKING, "deck1": LOOKING})
    compared = 0
    for seed in seeds:
        checks.check_view(game, seed)
        checks.check_sampled_worlds_keep_every_rule(game, seed)
        compared += check_history(game, seed, 4, only=has_notes)
    assert compared > 20


def test_deals_keep_their_secrets(case: Case, game: Game) -> None:
    if getattr(game, "secret_settings", False):
        return      # sampled worlds are drawn from all decks, and these deals from one: see test_games
    check_deals_keep_their_secrets(game, seat=game.seats - 1, seed=0)


RARE = {
    "mythos": {"PLAYCARD_ONTO", "FORCED_ONTO", "POOL", "RAID", "RECOVERED"},    # of single cards; tests/rulebook plays each of them
    "titans": {"GO_SHUFFLE"},
    "monster_chase": {"NITRO_DEAL", "ROLL_PICK"},       # of one tile, and of winter in teams; tests/rulebook plays them
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
