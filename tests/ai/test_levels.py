"""Levels: each game has eight, by name; they err like people and never throw away a win at hand."""
from __future__ import annotations

import dataclasses
import random
import time
from collections import Counter
from importlib import resources
from pathlib import Path

import pytest

from seatmate.ai.arena import measure_levels, run_levels
from seatmate.ai.arena.choices import ROUNDING, changed
from seatmate.ai.arena.levels import bot_at, bots_at
from seatmate.ai.bots import BotError, make_bot, parse_bot
from seatmate.ai.levels import NAMES, LevelsError, levels_of, read_levels, write_levels
from seatmate.engine.core.game import State
from seatmate.engine.core.registry import game_spec, list_games, new_game

GAMES = [spec.id for spec in list_games()]


@pytest.mark.parametrize("game_id", GAMES)
def test_every_level_of_every_game_plays(game_id: str) -> None:
    levels = levels_of(game_id)
    assert [level.name for level in levels.levels] == list(NAMES)
    state = new_game(game_id).new_state(3)
    for level in levels.levels:
        seat = state.pending[0]
        text = f"level:{level.name}"
        assert str(parse_bot(text)) == text
        assert parse_bot(text).resolve(state.game.spec) == parse_bot(level.bot).resolve(state.game.spec)
        if "time_ms" not in level.bot:
            action = make_bot(text, 5).choose(state, seat)
            assert action == make_bot(text, 5).choose(state, seat)
            state.apply_action(seat, action)
        if state.is_over:
            break


@pytest.mark.parametrize(("text", "said"), [
    ("level:grandmaster", "is not one of novice, beginner"),
    ("level:novice:time_ms=5", "only the level master"),
    ("level:novice:expert", "names name twice"), ("player:depth=2", "depth bounds a search"), ("player:noise=-1", "outside 0..10"),
])
def test_a_wrong_level_is_refused_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(BotError, match=said):
        parse_bot(text)


def test_the_strongest_level_uses_the_time_it_is_given() -> None:
    settings = parse_bot("level:master:iterations=5000").resolve(game_spec("hyde"))
    assert settings.kind == "player" and settings.limits is not None and settings.limits.iterations == 5000


def test_the_strongest_level_thinks_as_long_as_it_may() -> None:
    state = new_game("connect_four").new_state(1)
    bot = make_bot("level:master:time_ms=150", 1)
    began = time.monotonic()
    bot.choose(state, state.pending[0])
    assert 0.14 < time.monotonic() - began < 2


def sure_wins(state: State, seat: int, worlds: int = 3000) -> set[int]:
    """The answers that win at once in every one of so many sampled worlds."""
    wins = set(state.legal_actions(seat))
    for seed in range(worlds):
        world = state.resample_from_infostate(seat, seed)
        for action in tuple(wins):
            after = world.clone()
            after.apply_action(seat, action)
            if not after.is_over or after.returns()[seat] < 1 or (
                    not after.game.cooperative and after.returns().count(after.returns()[seat]) > 1):
                wins.discard(action)
        if not wins:
            break
    return wins


def positions_with_a_win(game_id: str, most: int, games: int) -> list[tuple[State, int, set[int]]]:
    """Of random games: where a seat with several answers can win at once, and not with each of them."""
    found: list[tuple[State, int, set[int]]] = []
    for seed in range(games):
        state, chance = new_game(game_id).new_state(seed), random.Random(seed)
        while not state.is_over and len(found) < most:
            seat = state.pending[0]
            legal = state.legal_actions(seat)
            wins = sure_wins(state, seat) if len(legal) > 1 else set()
            if 0 < len(wins) < len(legal):
                found.append((state.clone(), seat, wins))
            state.apply_action(seat, chance.choice(legal))
    return found


LEAST_POSITIONS = {"connect_four": 20, "tic_tac_toe": 20, "liars_dice": 5}


@pytest.mark.parametrize("game_id", GAMES)
def test_no_level_throws_away_a_win_at_hand(game_id: str) -> None:
    least = LEAST_POSITIONS.get(game_id, 0)
    found = positions_with_a_win(game_id, 20, 40 if least else 6)
    assert len(found) >= least, len(found)
    for state, seat, wins in found:
        for level in levels_of(game_id).levels:
            assert make_bot(level.bot, 11).choose(state, seat) in wins, (level.name, seat)


def forced_wins(state: State, seat: int, plies: int) -> set[int]:
    """In a game without luck and secrets: what whoever is asked may answer so that the seat still wins within so many plies."""
    asked, kept = state.pending[0], set()
    for action in state.legal_actions(asked):
        after = state.clone()
        after.apply_action(asked, action)
        if after.is_over:
            wins = after.returns()[seat] == 1
        elif plies == 1:
            wins = False
        else:
            left = forced_wins(after, seat, plies - 1)
            wins = bool(left) if after.pending[0] == seat else len(left) == len(after.legal_actions(after.pending[0]))
        if wins:
            kept.add(action)
    return kept


@pytest.mark.parametrize("game_id", ["tic_tac_toe", "connect_four"])
def test_strong_levels_keep_a_win_by_double_threat(game_id: str) -> None:
    """Three plies: a threat that can't be met, what is answered, the win."""
    found: list[tuple[State, int, set[int]]] = []
    for seed in range(60):
        state, chance = new_game(game_id).new_state(seed), random.Random(seed)
        while not state.is_over and len(found) < 20:
            seat = state.pending[0]
            legal = state.legal_actions(seat)
            wins = set() if forced_wins(state, seat, 1) else forced_wins(state, seat, 3)
            if 0 < len(wins) < len(legal):
                found.append((state.clone(), seat, wins))
            state.apply_action(seat, chance.choice(legal))
    assert len(found) == 20
    for name, least in (("expert", 18), ("master", 20)):
        kept = [make_bot(f"level:{name}", number).choose(state, seat) in wins for number, (state, seat, wins) in enumerate(found)]
        assert sum(kept) >= least, (name, kept)


def test_noise_and_blind_spots_do_what_they_say() -> None:
    state = new_game("connect_four").new_state(1)
    for action in (3, 3, 3):        # the second seat has to see the threat of a column of four
        state.apply_action(state.pending[0], action)
    seat = state.pending[0]
    best = make_bot("heuristic", 1).choose(state, seat)

    def played(text: str) -> Counter[int]:
        return Counter(make_bot(text, seed).choose(state, seat) for seed in range(200))

    assert played("player") == {best: 200}
    assert played("player:noise=0.001")[best] == 200
    wild, blind = played("player:noise=10"), played("player:noise=0.01:overlook=0.9")
    assert len(wild) == len(state.legal_actions(seat)) and wild[best] < 60
    assert blind[best] < played("player:noise=0.01")[best]


def test_a_file_of_levels_reads_as_it_was_written(tmp_path: Path) -> None:
    for file in resources.files("seatmate.ai.levels").iterdir():
        if file.name.endswith(".toml"):
            levels = read_levels(file)
            (tmp_path / "again.toml").write_text(write_levels(levels))
            assert read_levels(tmp_path / "again.toml") == levels, file.name
    (tmp_path / "wrong.toml").write_text(write_levels(dataclasses.replace(levels, levels=levels.levels[1:])))
    with pytest.raises(LevelsError, match="its levels must be novice"):
        read_levels(tmp_path / "wrong.toml")


def test_a_path_from_weak_to_strong() -> None:
    assert bot_at(0, 100).startswith("player:noise=4:overlook=0.4") and bot_at(1, 100) == "player:iterations=100"
    assert len({bot_at(step / 20, 1000) for step in range(21)}) == 21
    assert not any("noise" in bot_at(step / 20, 1000) for step in range(10, 21)), "a leap where a search's noise ends"


def test_places_near_to_each_other_are_other_bots_all_the_same() -> None:
    places = [0.2, 0.5, 0.5, 0.501, 0.6, 1.0]
    bots = bots_at(places, 20)
    assert len({bot_at(place, 20) for place in places}) == 4 and len(set(bots)) == len(places)
    assert bots[0] == bot_at(0.2, 20) and bots[-2:] == ["player:iterations=3", "player:iterations=20"]


def test_where_there_is_no_room_the_weakest_level_is_still_no_dice_cup() -> None:
    weakest = run_levels("goofspiel", seats=2, deals=40, iterations=16, seed=2, workers=1).levels[0].bot
    assert dataclasses.asdict(parse_bot(weakest).resolve(game_spec("goofspiel")))["noise"] < 2


def test_another_player_does_not_pass_for_the_one_that_was_measured() -> None:
    levels = levels_of("tic_tac_toe")
    other = dataclasses.replace(levels.levels[2], bot=levels.levels[0].bot)
    share = changed(dataclasses.replace(levels, levels=(*levels.levels[:2], other, *levels.levels[3:])))
    assert share is not None and share > ROUNDING
    assert changed(levels_of("no game with a file")) is None


def test_the_same_levels_measured_at_a_larger_table() -> None:
    levels = levels_of("liars_dice")
    found = measure_levels(levels, "liars_dice", seats=3, deals=4, seed=1, workers=1)
    assert [level.bot for level in found.levels] == [level.bot for level in levels.levels]
    assert found.measured["seats"] == 3 and all(level.step is not None for level in found.levels[1:])
    assert changed(found) == 0


@pytest.mark.parametrize(("game_id", "unit"), [("connect_four", "Elo above random"), ("hanabi", "mean utility")])
def test_calibration_is_repeatable_and_measures_each_level(game_id: str, unit: str) -> None:
    one, other = (run_levels(game_id, seats=2, deals=4, iterations=16, seed=7, workers=1) for _ in range(2))
    assert [(level.bot, level.rating, level.step) for level in one.levels] == [(level.bot, level.rating, level.step)
                                                                              for level in other.levels]
    assert one.unit == unit and one.measured["seats"] == 2
    first, *rest = one.levels
    assert first.step is None and all(level.step is not None and level.ms is not None for level in rest)
    assert one.levels[-1].rating is not None and first.rating is not None and one.levels[-1].rating[0] > first.rating[0]
