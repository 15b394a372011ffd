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


def score(state: State, known: dict[bytes, int]) -> int:
    """The solved value for the seat to move: a win with its last stone but n - 1 counts n, a loss -n, a draw 0."""
    key = state.to_bytes()
    if key not in known:
        found = []
        seat = state.pending[0]
        moves = sum(len(column) for column in state.observation(seat)["columns"])
        for column in state.legal_actions(seat):
            child = state.clone()
            child.apply_action(seat, column)
            if child.is_over:
                found.append(0 if child.returns()[seat] == 0.5 else (43 - moves) // 2)
            else:
                found.append(-score(child, known))
        known[key] = max(found)
    return known[key]


@pytest.mark.parametrize(("columns", "value"), [
    ("2252576253462244111563365343671351441", -1), ("7422341735647741166133573473242566", 1),
    ("23163416124767223154467471272416755633", 0), ("65214673556155731566316327373221417", -1),
])
def test_solved_values_of_late_positions(columns: str, value: int) -> None:
    """From the end-game set of Pascal Pons (Solving Connect Four, 2015)."""
    assert score(play(columns), {}) == value


@pytest.mark.parametrize("columns", [
    ["XXXX", "OOOO", "", "", "", "", ""],       # two winners
    ["XXXX", "OOO", "O", "", "", "", ""],       # the second seat dropped one more after the end
    ["XXXXO", "OOO", "", "", "", "", ""],       # what made the four is buried
])
def test_a_board_on_which_a_finished_game_went_on_is_refused(columns: list[str]) -> None:
    game = new_game("connect_four")
    with pytest.raises(ValueError, match="went on"):
        game.state_from_view({**game.new_state(0).observation(0), "columns": columns}, 0, 0)


@pytest.mark.parametrize("columns", ["1213141", "12131415161", "112233445"])
def test_a_finished_board_is_rebuilt(columns: str) -> None:
    state = new_game("connect_four").new_state(0)
    for column in columns:
        if not state.is_over:
            state.apply_action(state.pending[0], int(column) - 1)
    rebuilt = state.game.state_from_view(state.observation(0), 0, 0)
    assert rebuilt.to_bytes() == state.to_bytes()


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
