"""Connect four: the published counts, wins in every direction, and tactics."""
from __future__ import annotations

from collections import Counter

import pytest

from seatmate.ai.search import Limits, Search
from seatmate.engine.core.game import State
from seatmate.engine.core.registry import new_game

SEQUENCES = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
"""Action sequences of each length that do not go on after a win ("perft")."""

POSITIONS = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]
"""Different positions after so many moves (OEIS A212693)."""


def play(columns: str) -> State:
    """Columns are numbered from 1, as in the literature."""
    state = new_game("connect_four").new_state(0)
    for column in columns:
        state.apply_action(state.pending[0], int(column) - 1)
    return state


def test_the_published_counts() -> None:
    root = new_game("connect_four").new_state(0, record_events=False)
    level: dict[bytes, State] = {root.to_bytes(): root}
    ways = Counter({root.to_bytes(): 1})
    for sequences, positions in zip(SEQUENCES, POSITIONS, strict=True):
        assert (ways.total(), len(level)) == (sequences, positions)
        following: dict[bytes, State] = {}
        more: Counter[bytes] = Counter()
        if positions == POSITIONS[-1]:
            break
        for key, state in level.items():
            for column in state.legal_actions(state.pending[0]) if not state.is_over else ():
                child = state.clone()
                child.apply_action(state.pending[0], column)
                found = child.to_bytes()
                following.setdefault(found, child)
                more[found] += ways[key]
        level, ways = following, more


@pytest.mark.parametrize(("columns", "winner"), [
    ("1213141", 0), ("71213141", 1), ("12131", None),               # upright
    ("1122334", 0), ("4455667", 0), ("112233", None),               # level
    ("12234334454", 0), ("76654554434", 0), ("1223433445", None),   # along both diagonals
])
def test_who_wins(columns: str, winner: int | None) -> None:
    state = play(columns)
    assert state.is_over == (winner is not None)
    if winner is not None:
        assert state.returns() == [1.0 - winner, float(winner)]


@pytest.mark.parametrize("columns", ["1112223334445556667", "5544332"])
def test_lines_do_not_wrap_around_the_edge(columns: str) -> None:
    """Four in a row by bit numbers, but not on the board."""
    for shift in range(7):
        state = new_game("connect_four").new_state(0)
        for i, column in enumerate(columns):
            if not state.is_over:
                state.apply_action(i % 2, (int(column) - 1 + shift) % 7)
        board = state.observation(0)["columns"]
        assert state.is_over == any(four_in_a_row(board, stone) for stone in "XO")


def four_in_a_row(columns: list[str], stone: str) -> bool:
    """The rule, written down as the rulebook has it."""
    cells = {(x, y) for x, column in enumerate(columns) for y, it in enumerate(column) if it == stone}
    return any(all((x + i * dx, y + i * dy) in cells for i in range(4))
               for x, y in cells for dx, dy in ((0, 1), (1, 0), (1, 1), (1, -1)))


def test_random_games_end_when_and_only_when_the_rule_says() -> None:
    game = new_game("connect_four")
    full = 0
    for seed in range(300):
        state = game.new_state(seed)
        numbers = iter(range(seed, 10**6, 7 + seed))
        while not state.is_over:
            legal = state.legal_actions(state.pending[0])
            assert legal == [i for i, column in enumerate(state.observation(0)["columns"]) if len(column) < 6]
            state.apply_action(state.pending[0], legal[next(numbers) * 2654435761 // 65536 % len(legal)])
            board = state.observation(0)["columns"]
            won = [four_in_a_row(board, stone) for stone in "XO"]
            drawn = not any(won) and all(len(column) == 6 for column in board)
            assert state.is_over == (any(won) or drawn)
            full += drawn
            if state.is_over:
                assert state.returns() == ([0.5, 0.5] if drawn else [float(won[0]), float(won[1])])


def test_a_full_board_is_a_draw() -> None:
    columns = "121212212121" "343434434343" "565656656565" "777777"
    state = play(columns)
    assert state.is_over and state.returns() == [0.5, 0.5]


@pytest.mark.parametrize(("columns", "best"), [("445566", 7), ("44556", 3), ("1213124", 1)])
def test_the_heuristic_and_the_search_see_wins_and_threats(columns: str, best: int) -> None:
    state = play(columns)
    seat = state.pending[0]
    scores = dict(zip(state.legal_actions(seat), state.score_actions(seat), strict=True))
    answers = {3, 7} if columns == "445566" else {best}
    assert max(scores, key=lambda action: scores[action]) + 1 in answers
    assert Search(state, seat, seed=1).run(Limits(iterations=2000)).best.action + 1 in answers
