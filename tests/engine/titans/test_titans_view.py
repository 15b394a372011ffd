"""Views from outside: a real one is read, a wrong one is refused with the reason."""
from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import pytest

from seatmate.engine.core.game import State
from seatmate.engine.titans.secrets.fields import FIELDS, FRAME
from titans_table import a_game


def asked_state(mode: str, seed: int, prompt: str) -> tuple[State, int]:
    """A position of a random game in which a seat is asked this."""
    for game_seed in range(seed, seed + 200):
        state = a_game(mode).new_state(game_seed)
        chooser = random.Random(game_seed)
        while not state.is_over:
            if state.prompt(state.pending[0]) == prompt and len(state.actions) > 40:
                return state, state.pending[0]
            seat = chooser.choice(state.pending)
            state.apply_action(seat, chooser.choice(state.legal_actions(seat)))
    raise AssertionError(f"no game asked {prompt}")


PROMPTS = ["WINDOW", "PIECE", "DIE_SLOT", "MOVE", "ABILITY", "TARGET", "DEST", "VICTIM", "OBST_SRC", "OBST_EDGE",
           "TRAP_PLACE", "ESCAPE",
           "REPLACE", "GO_PIECE", "GO_PLACE", "DICE_MASK", "DIE"]


@pytest.mark.parametrize("prompt", PROMPTS)
def test_every_question_can_be_read_back(prompt: str) -> None:
    state, seat = asked_state("duel", 1, prompt)
    world = state.game.state_from_view(state.observation(seat), seat, 3)
    assert world.observation(seat) == state.observation(seat) and world.legal_actions(seat) == state.legal_actions(seat)


@pytest.mark.parametrize("prompt", ["CYBORG", "REMOVE", "ESCAPE", "WINDOW"])
def test_questions_of_the_arena(prompt: str) -> None:
    state, seat = asked_state("ffa3", 1, prompt)
    world = state.game.state_from_view(state.observation(seat), seat, 3)
    assert world.observation(seat) == state.observation(seat)


Change = Callable[[dict[str, Any]], Any]

CHANGES: list[tuple[str, Change, str]] = [
    ("MOVE", lambda v: v["pieces"][0].update(place=10), "place is 10"),
    ("MOVE", lambda v: v["pieces"][0].update(damage=9), "damage is 9"),
    ("MOVE", lambda v: v["pieces"][0].update(character="joker"), "character is 'joker'"),
    ("MOVE", lambda v: [piece.update(place=4) for piece in v["pieces"]], "three pieces"),
    ("MOVE", lambda v: v.update(active=None), "nobody is active"),
    ("MOVE", lambda v: v.update(step="x") or v["progress"].update(step="nowhere"), "step is 'nowhere'"),
    ("MOVE", lambda v: v["hands"].__setitem__(0, ["M01"] * 4), "cards of a seat|hand"),
    ("MOVE", lambda v: v.update(tiles=[v["tiles"][0]] * 10), "the tiles"),
    ("MOVE", lambda v: v["teams"][0].update(points=6), "the points is 6"),
    ("MOVE", lambda v: v["go_deck"].pop(), "GO! cards"),
    ("MOVE", lambda v: v.update(obstacles=[0, 2, 3]), "without an open border"),
    ("MOVE", lambda v: v["traps"].__setitem__(0, [9, 0]), "the supplies"),
    ("TARGET", lambda v: v["progress"]["frames"][-1].update(at=v["progress"]["frames"][-1]["at"] + 1), "where a program stands"),
    ("TARGET", lambda v: v["progress"]["frames"][-1].update(verb=5), "the step of a program"),
    ("TARGET", lambda v: v["progress"]["frames"][-1].update(actor=9), "a program|an ability"),
    ("TARGET", lambda v: v["progress"].update(frames=[]), "the question TARGET"),
    ("WINDOW", lambda v: v["progress"]["frames"][-1].update(mode=9), "a window"),
    ("ESCAPE", lambda v: v["progress"]["frames"][-1].update(tgt=v["active"]), "who may escape"),
]


@pytest.mark.parametrize(("prompt", "change", "problem"), CHANGES)
def test_a_wrong_view_is_refused(prompt: str, change: Change, problem: str) -> None:
    state, seat = asked_state("duel", 5, prompt)
    view = copy.deepcopy(state.observation(seat))
    change(view)
    with pytest.raises(ValueError, match=problem):
        state.game.state_from_view(view, seat, 1)


def test_every_byte_has_its_row() -> None:
    assert FIELDS.gaps() == [] and FRAME.gaps() == []
