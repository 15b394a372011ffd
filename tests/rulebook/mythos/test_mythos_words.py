"""Questions, labels and arguments: each says which card, character or effect it is about."""
from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from mythos_table import Table
from seatmate.engine.core.game import State
from seatmate.engine.core.registry import new_game


def random_games(games: int) -> Iterator[tuple[State, int]]:
    """Every question of some random games with random decks, and the seat it is for."""
    for seed in range(games):
        choice = random.Random(seed)
        game = new_game("mythos", options={"deck0": f"random:{2 * seed}", "deck1": f"random:{2 * seed + 1}"})
        state = game.new_state(seed, record_events=False)
        while not state.is_over:
            seat = state.pending[0]
            yield state, seat
            state.apply_action(seat, choice.choice(state.legal_actions(seat)))


def test_no_two_questions_in_a_row_read_the_same() -> None:
    """But for those of turns, between which something has happened. The answers of one question differ in words and arguments."""
    before = None
    kinds: set[str | None] = set()
    for state, seat in random_games(60):
        prompt, asked = state.prompt(seat), state.question_text(seat)
        kinds.add(prompt)
        assert asked.endswith("?") and asked[0].isupper() and "None" not in asked and "{" not in asked, asked
        assert prompt in ("TURN", "MULLIGAN") or (seat, asked) != before, asked
        before = (seat, asked)
        legal = state.legal_actions(seat)
        labels = [state.action_label(seat, action) for action in legal]
        assert len(set(labels)) == len(labels) and not any(", no. " in label for label in labels), labels
        assert len({str(state.action_args(seat, action)) for action in legal}) == len(legal)
    assert len(kinds) >= 16, sorted(map(str, kinds))


@pytest.mark.parametrize("prompt", ["DEST", "AMOUNT", "LOCK", "FORCED", "REPLACE"])
def test_a_question_about_a_character_names_it(prompt: str) -> None:
    """In its words and as `about` of every answer, unless chakra is paid."""
    found = 0
    for state, seat in random_games(400):
        if state.prompt(seat) != prompt:
            continue
        args = state.action_args(seat, state.legal_actions(seat)[-1])
        if prompt == "AMOUNT" and "about" not in args:
            assert "how much chakra" in state.question_text(seat)
            continue
        unit = next(unit for unit in state.observation(seat)["units"] if unit["slot"] == args["about"])
        titles = state.game.names                           # type: ignore[attr-defined]
        name = titles.names[titles.card_number[unit["card"]]] if unit["card"] else "hidden character"
        assert name in state.question_text(seat) and f"on mission {'DCBA'[unit['mission']]}" in state.question_text(seat)
        found += 1
        if found == 5:
            return
    assert found


@pytest.mark.parametrize("prompt", ["TURN_MISSION", "PLAYCARD_MISSION", "TURN_ONTO", "CARD_MISSION"])
def test_the_rest_of_a_play_names_its_card(prompt: str) -> None:
    for state, seat in random_games(200):
        if state.prompt(seat) == prompt:
            args = state.action_args(seat, state.legal_actions(seat)[0])
            title = state.game.names.title(args["card"])    # type: ignore[attr-defined]
            assert title in state.question_text(seat)
            return
    raise AssertionError(f"{prompt} never came up")


@pytest.mark.parametrize("prompt", ["MAY", "TARGET", "CARD", "PLAYCARD", "EFFECT", "MISSION"])
def test_a_question_of_an_effect_names_it(prompt: str) -> None:
    """Until it is accepted it says what the effect does, too."""
    for state, seat in random_games(300):
        if state.prompt(seat) == prompt:
            effect = str(state.action_args(seat, state.legal_actions(seat)[0])["effect"])
            said = state.question_text(seat)
            assert re.split(r" \(|:", effect)[0] in said and "effect of" in said, said
            return
    raise AssertionError(f"{prompt} never came up")


ROWS: list[tuple[dict[str, object], list[tuple[str, str]]]] = [
    ({"a": "009 011", "hand_a": "107", "missions": 3}, [
        ("play 107 0", "To which mission do you move your Naruto Uzumaki on mission D?"),
        ("DEST 1", "To which mission do you move your Sakura Haruno on mission D?")]),
    ({"a": " | 010 057 | 009 061", "hand_a": "059"}, [
        ("play 059 0", "which character do you move? (1 of 2, in this order)"),
        ("TARGET A010", "The MAIN effect of your Kidomaru on mission D: which character do you move? (2 of 2, in this order)")]),
    ({"a": "129", "b": "009 011 013", "hand_a": "134"}, [
        ("play 134 0 on 129", "which character do you turn face down? (6 power left)"),
        ("TARGET B009", "which character do you turn face down? (3 power left)")]),
    ({"a": "", "b": "101 | 021", "hand_a": "120"}, [
        ("play 120 0", "on mission D, which character do you defeat?"),
        ("TARGET B101", "on mission C, which character do you defeat?")]),
    ({"a": "105", "b": "009 011 013 016", "hand_a": "132"}, [
        ("play 132 0 on 105", "do you use it?"), ("MAY yes", "which character do you defeat? (2 to go)"),
        ("TARGET B009", "which character do you defeat? (1 to go)")]),
    ({"a": "090", "hand_a": "091", "hand_b": "009 086"}, [
        ("play 091 0 on 090", "do you use it?"), ("MAY yes", "which card of the opponent's hand is discarded?")]),
    ({"a": "003", "hand_a": "004", "discard_a": "009 011"}, [
        ("play 004 0 on 003", "do you use it?"), ("MAY yes", "which card of your discard pile do you take?")]),
    ({"b": "049 009", "hand_a": "108"}, [
        ("play 108 0; TARGET B009", "Your Naruto Uzumaki on mission D is about to be hidden: is your Genma Shiranui on mission")]),
    ({"a": "013", "hand_a": "014 009", "hand_b": "086", "turn": "A"}, [
        ("put 014 0; pass; reveal h:014 on 013; MAY yes", "do you discard 1 card?")]),
    ({"b": "086 069", "hand_a": "067"}, [("play 067 0", "Which character does your Rashomon on mission D hold?")]),
]


@pytest.mark.parametrize(("position", "steps"), ROWS)
def test_questions_as_they_read(position: dict[str, object], steps: list[tuple[str, str]]) -> None:
    table = Table(**position)                               # type: ignore[arg-type]
    for script, asked in steps:
        said = table.run(script).state.question_text(table.state.pending[0])
        assert asked in said
