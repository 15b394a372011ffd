"""Questions about effects are sentences; missiles and assaults are told."""
from __future__ import annotations

import random
import re

from seatmate.engine.core.game import SPECTATORS
from seatmate.engine.core.registry import new_game

SENTENCE = re.compile(r"(Where d|D)o(es)? (you|the \w+|bot \d) [a-z][\w -]+\?")


def test_effects_are_asked_about_in_sentences_and_told() -> None:
    asked: set[str] = set()
    told: dict[str, set[str]] = {"FIRE": set(), "STRIKE": set()}
    for seed in range(4):
        state, chance = new_game("monster_chase", seats=2).new_state(seed), random.Random(seed)
        while not state.is_over:
            seat = state.pending[0]
            if state.prompt(seat) == "EFFECT":
                asked.add(state.question_text(seat))
            state.apply_action(seat, chance.choice(state.legal_actions(seat)))
        for event in state.events(SPECTATORS):
            if event.key in told:
                told[event.key].add(state.game.event_text(event, SPECTATORS))
    assert not [text for text in asked if not SENTENCE.fullmatch(text)], asked
    assert {"Do you fire a missile?", "Where do you change lanes?", "Does the drone repair?"} <= asked
    assert {"Seat 0 fires a missile.", "The drone fires a missile."} <= told["FIRE"]
    assert told["STRIKE"] and all(text.startswith("The assault ") for text in told["STRIKE"])
