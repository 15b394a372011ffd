"""What levels answer in a few positions: written down when they are measured, so that it shows when they play otherwise since.

A level stands on the game's rules, its heuristic and the search. A digest of their sources would change with every comment; answers
change when play does. Each position is dealt and asked by itself, so that one other answer (a tie that a compiler rounds
otherwise) makes no more of them.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seatmate.ai.bots import make_bot
from seatmate.ai.levels import Levels
from seatmate.engine.core.game import State
from seatmate.engine.core.playout import play_randomly
from seatmate.engine.core.registry import new_game

POSITIONS = 32
"""In which every level is asked."""

ROUNDING = 0.02
"""The share of answers that may differ without saying that anything has changed."""

_PARTS = 8          # of a random game, at whose ends it is asked
_SEARCHED = 2000    # games at most are dealt to find positions


def positions(game_id: str, table: Mapping[str, Any]) -> list[tuple[State, int]]:
    """(state, a seat that has a choice there) from the course of random games; always the same. table: of `new_game`."""
    game = new_game(game_id, **table)
    found: list[tuple[State, int]] = []
    for seed in range(_SEARCHED):
        whole = game.new_state(seed, record_events=False)
        length = play_randomly(whole, 1 << 20, seed)
        state = game.new_state(seed, record_events=False)
        play_randomly(state, length * (seed % _PARTS) // _PARTS, seed)
        seat = next((seat for seat in state.pending if len(state.legal_actions(seat)) > 1), None)
        if seat is not None:
            found.append((state, seat))
        if len(found) == POSITIONS:
            break
    return found


def choices_of(bot: str, asked: Sequence[tuple[State, int]]) -> tuple[int, ...]:
    """Which of the legal actions a bot plays in each position, by its number among them."""
    return tuple(list(state.legal_actions(seat)).index(make_bot(bot, number).choose(state, seat))
                 for number, (state, seat) in enumerate(asked))


def changed(levels: Levels) -> float | None:
    """The share of answers that differ from those at the time the levels were measured; None where none were written down."""
    known = levels.measured
    if not known or not all(level.choices for level in levels.levels):
        return None
    asked = positions(known["game"], {"mode": known["mode"], "seats": known["seats"], "pack": known["pack"] or None})
    pairs = [pair for level in levels.levels
             for pair in zip(level.choices, choices_of(level.bot, asked[:len(level.choices)]), strict=True)]
    return sum(then != now for then, now in pairs) / len(pairs)
