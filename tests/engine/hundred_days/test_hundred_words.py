"""Questions of Hundred Days say what they are about, and what happens to a card says whose it is."""
from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from seatmate.engine.core.game import SPECTATORS, State
from seatmate.engine.core.registry import new_game
from seatmate.engine.hundred_days.game import HundredDaysGame

ABOUT_NOTHING = ("PLACE_RICK", "PLACE_MORTY", "TURN", "AFTER", "OVERFLOW")
"""What is asked while nothing is being carried out."""


def played(seed: int) -> Iterator[State]:
    """The positions of a random game in which cards, if any can be, are played."""
    state, chance = new_game("hundred_days", seats=3).new_state(seed), random.Random(seed)
    while not state.is_over:
        yield state
        seat = state.pending[0]
        legal = state.legal_actions(seat)
        state.apply_action(seat, chance.choice(legal[1:] or legal))
    yield state


@pytest.mark.parametrize("seed", [1, 2])
def test_questions_say_what_they_are_about(seed: int) -> None:
    asked = set()
    for state in played(seed):
        game = state.game
        assert isinstance(game, HundredDaysGame)
        for seat in state.pending:
            prompt, question = state.prompt(seat), state.question_text(seat)
            if prompt in ABOUT_NOTHING:
                continue
            asked.add(prompt)
            titles = game.names.titles
            running = [titles[frame["card"]] for frame in state.observation(seat)["frames"] if frame["card"] is not None]
            said = [*running, "losing ", "ick's move", "harvest", "reveal", "Smith house"]
            assert any(title in question for title in said), question
    assert "PAY" in asked and "REACT" in asked


def test_who_gives_up_a_card_is_said() -> None:
    *_, state = played(1)
    texts = [state.game.event_text(event, SPECTATORS) for event in state.events(SPECTATORS) if event.key == "CARD"]
    given = [text for text in texts if "give" in text]
    assert given and all(text.startswith("Seat ") for text in given)
    assert all(" of seat " in text for text in texts if "destroyed" in text)
