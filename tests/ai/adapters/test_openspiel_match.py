"""Matches against OpenSpiel's bots on OpenSpiel's native games."""
from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from open_spiel_native import NATIVE, search_bot
from seatmate.ai.bots import BotError

pyspiel = pytest.importorskip("pyspiel", reason="the extra 'adapters' is not installed: there are no bots of OpenSpiel to meet")

from seatmate.ai.adapters.openspiel import MatchError, PeerMatch, play_match  # noqa: E402


class Uniform:
    """Plays at random on their state."""

    def __init__(self, game: Any, seat: int, seed: int) -> None:
        self.choice = random.Random(seed)
        self.seat = seat

    def step(self, state: Any) -> int:
        assert state.current_player() == self.seat
        return int(self.choice.choice(state.legal_actions()))


def match(name: str) -> PeerMatch:
    native = NATIVE[name]
    returns = None if name == "goofspiel-4x5" else native.to_theirs     # their losers share -1 there
    return PeerMatch(native.new_game(), native.load_peer(turn_based=True), native.chance, returns=returns)


@pytest.mark.parametrize("name", NATIVE)
def test_every_native_game_can_be_played(name: str) -> None:
    result = match(name).play("random", Uniform, deals=20, seed=1)
    seats = NATIVE[name].seats
    assert len(result.utilities) == 20 and all(len(row) == seats for row in result.utilities)
    assert all(0 <= value <= 1 for row in result.utilities for value in row)
    if result.fair is not None and seats == 2:
        assert abs(result.mean - result.fair) < 4 * max(result.ci95, 0.05)
    assert min(result.moves) > 0
    assert json.loads(json.dumps(result.to_json()))["deals"] == 20


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_against_their_information_set_search(name: str) -> None:
    result = match(name).play("search:iterations=60", search_bot(simulations=60), deals=40, seed=4)
    assert result.fair == 0.5 and result.bot == "search:iterations=60"
    assert abs(result.mean - 0.5) < 0.2, "one of two equal searches plays nonsense"


def test_equal_seeds_give_equal_matches() -> None:
    """With a peer that keeps to its seed; OpenSpiel's ISMCTS does not."""
    one, two, other = (match("liars_dice-2").play("search:iterations=60", Uniform, deals=8, seed=seed) for seed in (4, 4, 5))
    assert one.utilities == two.utilities and one.moves == two.moves
    assert one.utilities != other.utilities


class Watched(PeerMatch):
    """Remembers the seeds of the deals that were played."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.seeds: list[int] = []

    def play_game(self, seed: int, *rest: Any) -> list[float]:
        self.seeds.append(seed)
        return super().play_game(seed, *rest)


def test_each_deal_is_played_from_every_seat() -> None:
    native = NATIVE["goofspiel-4x5"]
    watched = Watched(native.new_game(), native.load_peer(turn_based=True), native.chance)
    done = []
    watched.play("heuristic", Uniform, deals=3, seed=9, progress=lambda games, total: done.append((games, total)))
    assert len(set(watched.seeds)) == 3
    assert all(len(set(watched.seeds[4 * deal:4 * deal + 4])) == 1 for deal in range(3))
    assert done == [(game, 12) for game in range(1, 13)]


def test_a_strong_bot_beats_random_play() -> None:
    result = match("connect_four").play("search:iterations=100", Uniform, deals=4, seed=2)
    assert result.mean > 0.9


def test_their_bots_see_their_own_state_and_time_is_counted() -> None:
    result = match("connect_four").play("random", search_bot(seconds=0.002), deals=2, seed=5)
    assert result.mean < 0.5
    assert result.seconds[1] >= 0.002 * result.moves[1] and result.slowest[1] >= 0.002 > result.seconds[0] / result.moves[0]


def test_a_wrong_deal_is_caught() -> None:
    def other_cards(state: Any, mirror: Any) -> Iterator[int]:
        yield from ((int(outcome) + 1) % 3 for outcome in NATIVE["kuhn"].chance(state, mirror))

    native = NATIVE["kuhn"]
    with pytest.raises(MatchError, match="was worth"):
        play_match(native.new_game(), native.load_peer(), "random", Uniform, deals=30, seed=1, chance=other_cards,
                   returns=native.to_theirs)


def test_other_rules_are_caught() -> None:
    with pytest.raises(MatchError, match="asks seat"):
        play_match(NATIVE["kuhn"].new_game(), NATIVE["connect_four"].load_peer(), "random", Uniform, deals=2, seed=1)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(BotError):
        match("kuhn").play("genius", Uniform, deals=2, seed=1)
    with pytest.raises(ValueError, match="too few"):
        match("kuhn").play("random", Uniform, deals=1, seed=1)
