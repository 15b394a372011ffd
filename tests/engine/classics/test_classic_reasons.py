"""What hints say in the words of the classic games: facts of the board, the bid and the hand."""
from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from seatmate.ai.search import Limits, Search
from seatmate.engine.classics.lines import WEIGHTS
from seatmate.engine.core.game import State
from seatmate.engine.core.registry import game_spec, new_game

CLASSICS = ("connect_four", "goofspiel", "kuhn", "leduc", "liars_dice", "tic_tac_toe")


def play(game_id: str, actions: Sequence[int], options: dict[str, object] | None = None, seed: int = 1) -> State:
    """A game of two in which these actions were played in turn."""
    state = new_game(game_id, seats=2, options=options).new_state(seed)
    for action in actions:
        state.apply_action(state.pending[0], action)
    return state


def dealt(game_id: str, fits: Callable[[State], bool]) -> State:
    """The first deal that fits."""
    return next(state for seed in range(500) if fits(state := new_game(game_id, seats=2).new_state(seed)))


def differences(state: State, mine: int, theirs: int) -> list[str]:
    """What the first answer has that the second has not, in words, right after the move."""
    seat = state.pending[0]
    held = Search(state, seat, seed=1).compare(mine, theirs)
    after = []
    for action in (theirs, mine):
        moved = state.clone()
        moved.apply_action(seat, action)
        after.append(moved.features(seat))
    return [state.game.feature_text(number, after[0][number], after[1][number])
            for number, feature in enumerate(state.game.spec.features) if held.get((feature.key, False), (0.0, 0.0))[0]]


@pytest.mark.parametrize(("game_id", "actions", "mine", "theirs", "text"), [
    ("connect_four", (0, 6, 1, 6, 2, 6), 3, 5, "four in a row: you win"),
    ("connect_four", (0, 6, 1, 6, 2, 6), 5, 3, "does not win: no four in a row"),
    ("connect_four", (0, 6, 1, 6, 2), 3, 5, "the opponent cannot complete four with its next stone"),
    ("connect_four", (0, 6, 1, 6, 2), 5, 3, "the opponent can complete four with its next stone"),
    ("connect_four", (2, 6, 3, 6), 4, 0, "cells where your next stone completes four: 2 instead of 1"),
    ("connect_four", (2, 6, 3), 4, 0, "lines of four with two stones of the opponent and none of yours: 1 instead of 2"),
    ("connect_four", (), 3, 0, "lines of four still open to the opponent: 62 instead of 66"),
    ("tic_tac_toe", (0, 3, 1, 4), 2, 8, "three in a row: you win"),
    ("tic_tac_toe", (0, 3, 1), 2, 8, "the opponent cannot complete three with its next mark"),
    ("tic_tac_toe", (0, 3), 1, 5, "cells where your next mark completes three: 1 instead of 0"),
    ("tic_tac_toe", (), 4, 1, "lines of three still open to the opponent: 4 instead of 6")])
def test_lines(game_id: str, actions: Sequence[int], mine: int, theirs: int, text: str) -> None:
    assert text in differences(play(game_id, actions), mine, theirs)


def test_a_cell_with_nothing_below_is_no_threat_yet() -> None:
    """Seat 0 has three stones in the second row, seat 1 three below them."""
    state = play("connect_four", (6, 1, 1, 2, 2, 3, 3))
    assert state.observation(0)["columns"] == ["", "OX", "OX", "OX", "", "", "X"]
    for seat, cells in ((0, [0, 2, 0, 0, 2]), (1, [0, 0, 2, 2, 0])):    # on top of the two cells that seat 1 needs
        assert [value / weight for value, weight in zip(state.features(seat), WEIGHTS, strict=True)][:5] == cells


def test_goofspiel_holds_the_bid_against_the_cards_it_keeps() -> None:
    state = play("goofspiel", (), {"cards": 4, "order": "descending"})
    assert differences(state, 3, 1) == ["chance to beat a random bid: 75 % instead of 25 %", "spends a card that is 2 higher"]
    assert differences(state, 1, 3) == ["chance to beat a random bid: 25 % instead of 75 %", "keeps a card that is 2 higher"]


def test_nothing_is_said_of_bids_in_a_decided_game() -> None:
    """10 points in all, and 7 of them are won."""
    state = play("goofspiel", (3, 2, 2, 1), {"cards": 4, "order": "descending"})
    assert state.observation(0)["points"] == [7, 0] and state.pending
    assert differences(state, *state.legal_actions(state.pending[0])[:2]) == []
    assert state.features(0) == state.features(1) == [0.0, 0.0]


def test_a_claim_is_held_against_the_own_dice_alone() -> None:
    state = dealt("liars_dice", lambda state: state.observation(0)["dice"][0] == [3])
    assert differences(state, 2, 3) == ["chance to be right, by your dice: 100 % instead of 33 %"]
    state.apply_action(0, 8)        # two threes
    seat = state.pending[0]
    mine = state.observation(1)["dice"][1][0]
    call = state.legal_actions(seat)[-1]
    state.apply_action(seat, call)
    assert state.features(1) == pytest.approx([1.0, 1 - (1 / 3 if mine in (3, 6) else 0)])
    assert state.features(0) == pytest.approx([1.0, 1 / 3])


def test_chips_are_weighed_by_the_own_card_alone() -> None:
    king = dealt("kuhn", lambda state: state.observation(0)["cards"][0] == "K")
    jack = dealt("kuhn", lambda state: state.observation(0)["cards"][0] == "J")
    assert differences(king, 1, 0) == ["chips to expect by your card alone: +2.0 instead of +1.0",
                                       "chips you put at risk: 2 instead of 1"]
    assert differences(jack, 0, 1) == ["chips to expect by your card alone: -1.0 instead of -2.0",
                                       "chips you put at risk: 1 instead of 2"]
    jack.apply_action(0, 1)
    jack.apply_action(1, 0)
    assert jack.features(0)[0] == 1 and jack.features(1)[0] == -1 and [jack.features(seat)[2] for seat in (0, 1)] == [1, 0]


def test_a_fold_in_leduc_costs_what_was_put_in() -> None:
    state = new_game("leduc").new_state(3)
    for action in (2, 0):           # raise, fold
        state.apply_action(state.pending[0], action)
    assert state.features(0)[0] == 1 and state.features(1)[0] == -1
    assert state.game.feature_text(2, 0.0, 0.4) == "the opponent folds, as bots play: 40 % instead of 0 %"


@pytest.mark.parametrize("game_id", CLASSICS)
def test_every_feature_has_words(game_id: str) -> None:
    game = new_game(game_id, seats=2)
    features = game_spec(game_id).features
    assert features
    for number, feature in enumerate(features):
        if not feature.clock:
            assert game.feature_text(number, 0.0, 30.0) and game.feature_text(number, 30.0, 0.0), feature.key
            assert feature.key == "kept" or not game.feature_text(number, 3.0, 3.0), feature.key


@pytest.mark.parametrize("game_id", CLASSICS)
def test_features_see_nothing_that_the_seat_does_not(game_id: str) -> None:
    """By the cards or dice of others only Goofspiel's bid is judged, and that over many sampled worlds."""
    state = new_game(game_id, seats=2).new_state(5)
    seat = state.pending[0]
    state.apply_action(seat, state.legal_actions(seat)[-1])
    seen = {tuple(state.resample_from_infostate(seat, seed).features(seat)) for seed in range(20)}
    assert len(seen) == 1 or game_id == "goofspiel"


def test_the_best_answer_of_a_block_is_told_as_one() -> None:
    analysis = Search(play("connect_four", (0, 6, 1, 6, 2)), 1, seed=1).run(Limits(iterations=200))
    assert analysis.best.action == 3
    assert analysis.best.reasons[0] == "the opponent cannot complete four with its next stone"
