"""Rules for decided games: when they end a game, with what, and how often the rest of the game says otherwise."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from seatmate.ai.arena import EarlyEnd, TournamentError, TournamentSpec, load_results, replay, run_tournament
from seatmate.ai.arena.pool import DealPlayer
from seatmate.engine.core.game import State

RULES = [EarlyEnd(adjudicate=(0.75, 2)), EarlyEnd(resign=(0.4, 2)), EarlyEnd(adjudicate=(0.7, 3), resign=(0.2, 1))]


def spec_of(game: str, seats: int, early: EarlyEnd | None, **more: Any) -> TournamentSpec:
    return TournamentSpec.create(game, seats=seats, bots=["heuristic", "random"], seed=3, early=early, **more)


def by_hand(early: EarlyEnd, full: list[list[int]], state: State) -> tuple[list[float], int]:
    """(utilities, actions) of a game whose actions are known, ended as the rules say."""
    agreed: list[set[int]] = []
    losing = [0] * state.game.seats
    for played, (seat, action) in enumerate(full):
        assert seat == state.pending[0]
        seen = [state.evaluate(observer) for observer in range(state.game.seats)]
        if early.resign is not None:
            losing[seat] = losing[seat] + 1 if seen[seat][seat] <= early.resign[0] else 0
            if losing[seat] >= early.resign[1]:
                return [float(other != seat) for other in range(2)], played
        if early.adjudicate is not None:
            bound, needed = early.adjudicate
            winners = [{i for i, value in enumerate(values) if value >= bound} for values in seen]
            clear = all(value >= bound or value <= 1 - bound for values in seen for value in values)
            agreed = [*agreed, winners[0]] if clear and winners[0] and all(one == winners[0] for one in winners) else []
            if len(agreed) >= needed and all(one == agreed[-1] for one in agreed[-needed:]):
                return [float(i in agreed[-1]) for i in range(state.game.seats)], played
        state.apply_action(seat, action)
    return state.returns(), len(full)


@pytest.mark.parametrize(("game", "seats", "early"), [
    *(("connect_four", 2, early) for early in RULES), *(("leduc", 2, early) for early in RULES), ("liars_dice", 3, RULES[0]),
    ("titans", 2, EarlyEnd(adjudicate=(0.7, 4), resign=(0.1, 5)))])
def test_a_game_ends_where_the_rules_say(game: str, seats: int, early: EarlyEnd) -> None:
    """The same in the fast loop, in the one that keeps games, and by hand."""
    full, kept = (DealPlayer(spec_of(game, seats, rules, keep_games=True)) for rules in (None, early))
    fast = DealPlayer(spec_of(game, seats, early))
    ended = 0
    for deal in range(6):
        played, short = full.play(deal), kept.play(deal)
        assert fast.play(deal) == short and played.actions is not None and short.actions is not None
        for number, actions in enumerate(played.actions):
            state = full.play_again(deal, number)[0].record.replay(actions=0)
            utilities, count = by_hand(early, actions, state)
            assert short[number] == pytest.approx(utilities) and short.actions[number] == actions[:count]
            ended += count < len(actions)
    assert ended or game in ("leduc", "liars_dice")


def test_games_that_ended_early_are_replayed(tmp_path: Path) -> None:
    call: dict[str, Any] = {"seats": 2, "bots": ["heuristic", "random"], "deals": 4, "seed": 3, "workers": 1}
    path = tmp_path / "a.jsonl"
    run_tournament("connect_four", results=path, early=RULES[0], **call)
    run_tournament("connect_four", results=path, early=RULES[0], **{**call, "deals": 6})
    _, deals = load_results(path)
    for deal in range(6):
        assert list(replay(path, deal, 1).utilities) == deals[deal][1]
    kept = tmp_path / "b.jsonl"
    run_tournament("connect_four", results=kept, early=RULES[0], keep_games=True, **call)
    assert replay(kept, 2, 0).record == replay(path, 2, 0).record


@pytest.mark.parametrize(("game", "seats", "early", "words"), [
    ("connect_four", 2, EarlyEnd(adjudicate=(0.5, 3)), "above 0.5 and up to 1 on, not 0.5"),
    ("connect_four", 2, EarlyEnd(adjudicate=(float("nan"), 3)), "not nan"),
    ("connect_four", 2, EarlyEnd(adjudicate=(0.9, 0)), "1 to 10,000 decisions in a row, not 0"),
    ("connect_four", 2, EarlyEnd(resign=(0.5, 3)), "from 0 to below 0.5"),
    ("liars_dice", 3, EarlyEnd(resign=(0.1, 3)), "at tables of two; this one has 3"),
    ("hyde", 2, EarlyEnd(adjudicate=(0.9, 3)), "cooperative"),
])
def test_rules_that_are_none_are_refused(game: str, seats: int, early: EarlyEnd, words: str) -> None:
    with pytest.raises(TournamentError, match=words):
        spec_of(game, seats, early)
