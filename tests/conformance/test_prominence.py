"""Which answer is the usual one, and which costs much and can't be taken back: every game was looked at, and says so.

A front end draws the first so that it is found at once, and asks once more before it sends the other.
"""
from __future__ import annotations

import re
from itertools import islice

import pytest

from positions import random_game
from seatmate.engine.core.registry import list_games, new_game

LOOKED_AT: dict[str, dict[str, str]] = {
    "connect_four": {}, "goofspiel": {}, "hanabi": {}, "tic_tac_toe": {},       # equals alone
    "hundred_days": {"irreversible": "Pass|End the turn"},
    "hyde": {"irreversible": "Play no card"},
    "kuhn": {"primary": r"Bet one chip \(call\)", "irreversible": r"Pass \(fold\)"},
    "leduc": {"primary": "Call", "irreversible": "Fold"},
    "liars_dice": {"irreversible": "Call it a lie"},
    "monster_chase": {"primary": "Play a card|Fire|Repair|Take|Use the freeze gun|Drive"},
    "mythos": {"primary": "Keep the hand|Use|Reveal|Move|Defeat|Discard|Put|Go on|Turn",
               "irreversible": "Draw a new hand|Pass for this round|Let .* be defeated"},
    "titans": {"primary": ".* uses .*", "irreversible": "End .*turn.*"},
}
"""By game: the labels of answers with these prominences. Where a game is not named, nobody has thought about it."""
POSITIONS = 400


def test_every_game_was_looked_at() -> None:
    assert LOOKED_AT.keys() == {spec.id for spec in list_games()}


@pytest.mark.parametrize("id", LOOKED_AT)
def test_the_usual_answer_and_the_costly_one(id: str) -> None:
    found: dict[str, set[str]] = {"primary": set(), "irreversible": set()}
    game = new_game(id)
    for seed in (1, 2):
        for state in islice(random_game(game, seed), POSITIONS):
            for seat in state.pending:
                seen = state.observation(seat)
                for answer in state.legal_actions(seat):
                    prominence = game.touch(state, seat, answer, seen).prominence
                    if prominence in found:
                        found[prominence].add(state.action_label(seat, answer))
    assert {key for key, labels in found.items() if labels} == LOOKED_AT[id].keys()
    for key, labels in found.items():
        wrong = [label for label in labels if not re.fullmatch(f"(?:{LOOKED_AT[id].get(key)}).*", label)]
        assert not wrong, f"{key}: {wrong}"
