"""What a person sees at 80 columns and 24 lines, and what can be looked up of it."""
from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache

import pytest

from seatmate.ai.bots import make_bot
from seatmate.engine.core.game import State
from titans_table import Table, a_game

MODES = ("duel", "team3", "team4", "ffa3", "comp")
COLUMNS, LINES = 80, 24
SMALL_WORDS = {
    "all", "an", "and", "are", "as", "at", "be", "between", "both", "by", "can", "do", "does", "each", "for", "from", "go",
    "goes", "has", "have", "he", "in", "is", "it", "its", "me", "no", "not", "of", "on", "one", "or", "other", "still",
    "that", "the", "then", "this", "to", "two", "was", "what", "where", "which", "who", "whom", "with", "your"}
"""English, not the game."""


@cache
def seen(mode: str) -> tuple[tuple[list[str], str, list[str]], ...]:
    """Board, question and answers of every question of three games that heuristic bots play, with some slips."""
    return tuple(_seen(mode))


def _seen(mode: str) -> Iterator[tuple[list[str], str, list[str]]]:
    for seed in range(3):
        game, choice = a_game(mode), random.Random(seed)
        state: State = game.new_state(seed)
        bots = [make_bot("heuristic", seed + seat) for seat in range(game.seats)]
        while not state.is_over:
            seat = state.pending[0]
            legal = state.legal_actions(seat)
            if len(legal) > 1:
                board = [re.sub(r"(?<!\\)\[/?[a-z ]+\]", "", line) for line in game.board_lines(state.observation(seat), seat)]
                yield board, state.question_text(seat), [state.action_label(seat, action) for action in legal]
            state.apply_action(seat, bots[seat].choose(state, seat) if choice.random() < 0.7 else choice.choice(legal))


@pytest.mark.parametrize("mode", MODES)
def test_lines_fit_80_columns(mode: str) -> None:
    for board, question, answers in seen(mode):
        assert all(len(line) <= COLUMNS for line in (*board, question, *(f"  10  {answer}" for answer in answers)))


@pytest.mark.parametrize(("mode", "bar"), [("duel", 0.98), ("team3", 0.95), ("team4", 0.93), ("ffa3", 0.98), ("comp", 0.97)])
def test_map_question_and_answers_fit_24_lines(mode: str, bar: float) -> None:
    """A question with at most four answers, the empty line above it and the line to answer on."""
    lines = [len(board) + 1 + 1 + len(answers) + 1 for board, _, answers in seen(mode) if len(answers) <= 4]
    assert sum(count <= LINES for count in lines) / len(lines) >= bar, sorted(lines)[-20:]


@pytest.mark.parametrize("mode", MODES)
def test_every_word_can_be_looked_up(mode: str) -> None:
    game = a_game(mode)
    observation = game.new_state(0).observation(0)
    found: set[str] = set()
    for board, question, answers in seen(mode):
        for text in (*board, question, *answers):
            found |= {word for word in re.findall(r"[A-Za-z][A-Za-z'!-]*", text) if len(word) > 1}
    words = {word.removesuffix("'s").strip("'-").lower() for word in found} - SMALL_WORDS
    assert len(words) > 60
    assert sorted(word for word in words if not game.describe(observation, 0, word)) == []


def test_questions_say_what_has_happened() -> None:
    def asked(table: Table) -> str:
        return table.state.question_text(table.state.pending[0])

    table = Table("Cy@4 Ro@0", "Ra@5 St@9", step="ability", active="Cy", slot=1, dice_a=(2, 3), hands=("", "M18"))
    assert asked(table.run("A ABILITY use")) == "Cyborg shoots Raven: do you play a card?"
    table = Table("Ro@4 Ra@0", "Cy@8 St@9", step="hostile_cards", active="Ro", slot=0, placed=0, dice_a=(1, 2),
                  hands=("M08", "M17"))
    assert asked(table) == "Robin acts with Staff Meeting (1): do you play a card?"
    table.run("B WINDOW pass")
    assert asked(table) == "Where does Robin move?"
    assert asked(table.run("A MOVE 5")) == "Robin has moved to the Docks: do you play a card?"
    table.run("B WINDOW pass")
    assert asked(table) == "What does Robin do?"
    table.run("A ABILITY M08")
    assert asked(table) == "Robin goes on, Staff Meeting (1) still to come: do you play a card?"
    table = Table("Cy@3 Ra@0", "Ro@5(E) St@6", step="move", active="Cy").run("A MOVE 4")
    assert asked(table) == "Cyborg has moved: does Robin use the escape token?"
    table = Table("Ro@- Ra@4", step="return")
    assert asked(table) == "On which base does Robin return?"
    table = Table("Ra@4 Cy@2", "Ro@5 St@8", step="ability", active="Ra", slot=0).run("A ABILITY use")
    assert asked(table) == "Telekinesis: whom does Raven shoot?"


@pytest.mark.parametrize("mode", MODES)
def test_no_question_hides_whom_it_is_about(mode: str) -> None:
    """A seat with two characters never gets the same question and answers about the one and about the other."""
    names = a_game(mode).names.titles
    for _, question, answers in seen(mode):
        if question.startswith(("Where does", "What does", "On which base", "Which die goes")):
            assert any(name in question for name in names)
        assert len(set(answers)) == len(answers)
