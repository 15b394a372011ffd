"""Tic-tac-toe: the published counts, the solution, the lines."""
from __future__ import annotations

from functools import cache

import pytest

from seatmate.engine.core.game import State
from seatmate.engine.core.registry import new_game


def children(state: State) -> list[State]:
    """The positions after each legal action."""
    after = []
    for action in state.legal_actions(state.pending[0]):
        child = state.clone()
        child.apply_action(state.pending[0], action)
        after.append(child)
    return after


def solve() -> dict[bytes, tuple[int, float]]:
    """Per reachable position: the number of ways to play it out, and its value for the first seat."""
    solved: dict[bytes, tuple[int, float]] = {}

    def visit(state: State) -> tuple[int, float]:
        key = state.to_bytes()
        if key not in solved:
            if state.is_over:
                solved[key] = 1, state.returns()[0]
            else:
                results = [visit(child) for child in children(state)]
                best = max if state.pending[0] == 0 else min
                solved[key] = sum(games for games, _ in results), best(value for _, value in results)
        return solved[key]

    visit(new_game("tic_tac_toe").new_state(0))
    return solved


@cache
def solution() -> dict[bytes, tuple[int, float]]:
    return solve()


def test_the_published_counts() -> None:
    games, _ = solution()[new_game("tic_tac_toe").new_state(0).to_bytes()]
    assert (len(solution()), games) == (5478, 255168)


def test_it_is_a_draw() -> None:
    _, value = solution()[new_game("tic_tac_toe").new_state(0).to_bytes()]
    assert value == 0.5


def play(cells: str) -> State:
    state = new_game("tic_tac_toe").new_state(0)
    for cell in cells:
        state.apply_action(state.pending[0], int(cell))
    return state


@pytest.mark.parametrize("line", ["012", "345", "678", "036", "147", "258", "048", "246"])
@pytest.mark.parametrize("seat", [0, 1])
def test_every_line_wins(line: str, seat: int) -> None:
    fillers = {0: [cell for cell in "012345678" if cell not in line][:2], 1: [cell for cell in "812345670" if cell not in line]}
    cells = []
    others = iter(fillers[seat])
    if seat == 1:
        cells.append(next(others))
    for i, cell in enumerate(line):
        cells.append(cell)
        if i < 2:
            cells.append(next(others))
    state = play("".join(cells))
    assert state.is_over and state.returns() == [1.0 - seat, float(seat)]


def test_a_line_in_the_last_cell_wins() -> None:
    state = play("031457682")
    assert state.is_over and len(state.actions) == 9 and state.returns() == [1.0, 0.0]


def test_a_full_board_is_a_draw() -> None:
    assert play("012435768").returns() == [0.5, 0.5]


def test_the_heuristic_wins_and_blocks() -> None:
    for cells, best in (("0314", 2), ("031", 2), ("304", 5)):
        state = play(cells)
        scores = dict(zip(state.legal_actions(state.pending[0]), state.score_actions(state.pending[0]), strict=True))
        assert max(scores, key=lambda action: scores[action]) == best


@pytest.mark.parametrize(("board", "why"), [
    ("XXXOOO...", "went on"), ("XXXOO.O..", "went on"), ("OOOXX.X.X", "went on"), ("XO.", "9 cells"), ("XO..........", "9 cells"),
])
def test_impossible_boards_are_refused(board: str, why: str) -> None:
    game = new_game("tic_tac_toe")
    view = {**game.new_state(0).observation(0), "board": [None if cell == "." else cell for cell in board]}
    with pytest.raises(ValueError, match=why):
        game.state_from_view(view, 0, 0)


def test_every_reachable_board_is_rebuilt() -> None:
    game = new_game("tic_tac_toe")
    seen = set()
    waiting = [game.new_state(0)]
    while waiting:
        state = waiting.pop()
        if state.to_bytes() not in seen:
            seen.add(state.to_bytes())
            assert game.state_from_view(state.observation(0), 0, 0).to_bytes() == state.to_bytes()
            waiting += [] if state.is_over else children(state)
    assert len(seen) == 5478
