"""The arena: pairing, reproducibility and the arithmetic of its intervals."""
from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from seatmate.ai.arena import Progress, TournamentError, run_tournament, seat_plans
from seatmate.ai.arena.match import play_game, win_shares
from seatmate.ai.arena.statistics import mean_and_interval, paired_difference
from seatmate.ai.bots import BotError, parse_bot
from seatmate.ai.bots.policy import PolicyHandle
from seatmate.engine.core.errors import SettingsError, UnknownGameError
from seatmate.engine.core.game import Game
from seatmate.engine.core.registry import new_game
from seatmate.engine.core.rng import Stream, random_words

BOTS = ["random", "heuristic", "search:iterations=20"]


def handles(game: Game, *texts: str) -> list[PolicyHandle]:
    return [PolicyHandle(game, parse_bot(text).resolve(game.spec)) for text in texts]


# ---- Arithmetic ----

def test_interval_of_a_hand_computed_case() -> None:
    # 1, 2, 3, 4: mean 2.5, sample variance 5/3, t(3 df, 97.5 %) = 3.182446
    mean, half = mean_and_interval([1, 2, 3, 4])
    assert mean == 2.5
    assert half == pytest.approx(3.182446 * math.sqrt(5 / 3 / 4), rel=1e-6)


def test_a_paired_difference_knows_that_the_deals_are_common() -> None:
    a, b = [0.9, 0.1, 0.6, 0.4], [0.8, 0.0, 0.5, 0.301]
    mean, half = paired_difference(a, b)
    assert mean == pytest.approx(0.1, abs=0.001) and half < 0.001
    assert mean_and_interval(a)[1] > 0.3        # each alone is anything but certain
    with pytest.raises(ValueError):
        paired_difference(a, b[:3])
    with pytest.raises(ValueError, match="two"):
        mean_and_interval([1.0])


@pytest.mark.parametrize(("utilities", "shares"), [
    ([1, 0, 0], [1, 0, 0]),                     # a winner
    ([0.5, 0.5, 0], [0.5, 0.5, 0]),             # two share the win
    ([1, 1, 0, 0], [1, 1, 0, 0]),               # a team wins
    ([0.5, 0.5], [0.5, 0.5]),                   # a draw
    ([0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5]),   # two teams draw
    ([0.75, 0.25], [1, 0]),                     # graded, as in poker
])
def test_win_shares(utilities: list[float], shares: list[float]) -> None:
    assert win_shares(utilities) == pytest.approx(shares)


# ---- Seats ----

def test_two_bots_at_two_seats_exchange_them() -> None:
    assert seat_plans(2, 2, False) == ((0, 1), (1, 0))


def test_three_bots_at_two_seats_meet_in_all_pairs_both_ways() -> None:
    assert set(seat_plans(3, 2, False)) == {(a, b) for a in range(3) for b in range(3) if a != b}


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (4, 4), (5, 4), (3, 2), (2, 8)])
def test_every_bot_sits_in_every_seat_equally_often(bots: int, seats: int) -> None:
    plans = seat_plans(bots, seats, False)
    assert len(set(plans)) == len(plans)
    for seat in range(seats):
        assert len(set(Counter(plan[seat] for plan in plans).values())) == 1
        assert {plan[seat] for plan in plans} == set(range(bots))


def test_in_a_cooperative_game_each_bot_fills_the_table() -> None:
    assert seat_plans(2, 4, True) == ((0, 0, 0, 0), (1, 1, 1, 1))


# ---- Games ----

def test_play_game_deals_the_table_of_the_seed(any_game: Game) -> None:
    # Replayed move by move through the public State, the heuristic's game ends with the same utilities.
    utilities = play_game(any_game, handles(any_game, "heuristic") * any_game.seats, 21, [0] * any_game.seats)
    state = any_game.new_state(21, record_events=False)
    while not state.is_over:
        seat = state.pending[0]
        scores = state.score_actions(seat)
        state.apply_action(seat, state.legal_actions(seat)[scores.index(max(scores))])
    assert utilities == state.returns()


def test_play_game_depends_on_its_seeds_alone(any_game: Game) -> None:
    lineup = handles(any_game, *(BOTS[seat % 3] for seat in range(any_game.seats)))
    games = [play_game(any_game, lineup, seed, [word + seat for seat in range(any_game.seats)])
             for _ in range(2) for seed, word in ((1, 5), (2, 5), (1, 900))]
    assert games[:3] == games[3:]


def test_play_game_refuses_the_wrong_table(kuhn: Game) -> None:
    with pytest.raises(ValueError, match="as many"):
        play_game(kuhn, handles(kuhn, "random"), 1, [1, 2])
    with pytest.raises(ValueError, match="another game"):
        play_game(new_game("kuhn"), handles(kuhn, "random", "random"), 1, [1, 2])


# ---- Tournaments ----

def test_the_result_depends_on_the_seed_and_not_on_the_workers(any_game: Game) -> None:
    game, seats = any_game.spec.id, any_game.seats
    reports: list[Progress] = []
    one = run_tournament(game, seats=seats, bots=BOTS, deals=6, seed=3, workers=1,
                         progress=reports.append)
    two = run_tournament(game, seats=seats, bots=BOTS, deals=6, seed=3, workers=2)
    assert one == two
    assert one != run_tournament(game, seats=seats, bots=BOTS, deals=6, seed=4, workers=1)
    assert [now.games for now in reports] == sorted(now.games for now in reports)
    assert reports[-1].games == reports[-1].games_total == one.games


def test_a_bots_result_does_not_depend_on_who_else_is_measured_in_a_cooperative_game(any_game: Game) -> None:
    if not any_game.spec.cooperative:
        pytest.skip("a competitive game")
    arguments: dict[str, Any] = {"seats": any_game.seats, "deals": 6, "seed": 3, "workers": 1}
    alone = run_tournament(any_game.spec.id, bots=["heuristic"], **arguments).standings[0]
    assert alone in run_tournament(any_game.spec.id, bots=BOTS, **arguments).standings


def test_kuhn_standings_add_up() -> None:
    result = run_tournament("kuhn", seats=2, bots=BOTS, deals=200, seed=1, workers=1)
    assert result.games == 200 * 6
    assert [s.games for s in result.standings] == [800, 800, 800]
    utilities = [s.mean_utility for s in result.standings]
    assert utilities == sorted(utilities, reverse=True)
    assert math.fsum(utilities) == pytest.approx(1.5)       # utilities of a game sum to 1
    assert math.fsum(s.win_rate for s in result.standings) == pytest.approx(1.5)
    names = [s.bot for s in result.standings]
    assert [(p.a, p.b) for p in result.pairs] == [(names[i], names[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    means = {s.bot: s.mean_utility for s in result.standings}
    for pair in result.pairs:
        assert pair.mean == pytest.approx(means[pair.a] - means[pair.b]) and pair.mean >= 0 and pair.deals == 200


def test_paired_intervals_match_games_played_by_hand(kuhn: Game) -> None:
    heuristic, random = handles(kuhn, "heuristic", "random")
    differences = []
    for deal in range(30):
        table, *words = random_words(7, (int(Stream.DEALS), deal), 3)
        first = play_game(kuhn, [heuristic, random], table, words)
        second = play_game(kuhn, [random, heuristic], table, words)
        differences.append((first[0] + second[1]) / 2 - (first[1] + second[0]) / 2)
    mean = sum(differences) / 30
    deviation = math.sqrt(sum((d - mean) ** 2 for d in differences) / 29)
    pair = run_tournament("kuhn", seats=2, bots=["random", "heuristic"], deals=30, seed=7, workers=1).pairs[0]
    sign = 1 if pair.a == "heuristic" else -1
    assert pair.mean == pytest.approx(sign * mean)
    assert pair.ci95 == pytest.approx(2.0452296 * deviation / math.sqrt(30), rel=1e-6)     # t(29 df)


def test_cooperative_win_rate_counts_good_results(any_game: Game) -> None:
    if not any_game.spec.cooperative:
        pytest.skip("a competitive game")
    result = run_tournament(any_game.spec.id, seats=any_game.seats, bots=["random", "heuristic"], deals=20, seed=2,
                            workers=1)
    for standing in result.standings:
        assert standing.games == 20 and (standing.win_rate * 20) == pytest.approx(round(standing.win_rate * 20))


def test_the_result_is_plain_json() -> None:
    result = run_tournament("kuhn", seats=2, bots=["random", "heuristic"], deals=5, seed=7, workers=1)
    plain = json.loads(json.dumps(result.to_json(), allow_nan=False))
    assert set(plain["standings"][0]) == {"bot", "mean_utility", "ci95", "win_rate", "games"}
    assert set(plain["pairs"][0]) == {"a", "b", "mean", "ci95", "deals"}


@pytest.mark.parametrize(("change", "error", "message"), [
    ({"bots": []}, TournamentError, "at least one bot"),
    ({"bots": ["random"]}, TournamentError, "at least two bots"),
    ({"bots": ["random", " random"]}, TournamentError, "named twice"),
    ({"bots": ["random", "rando"]}, BotError, "did you mean"),
    ({"deals": 1}, TournamentError, "at least 2"), ({"workers": 0}, TournamentError, "at least 1"),
    ({"seed": -1}, TournamentError, "negative"), ({"seats": 5}, SettingsError, "seats"),
    ({"mode": "fast"}, SettingsError, "mode"), ({"game_id": "kun"}, UnknownGameError, "kuhn"),
])
def test_a_tournament_that_cannot_be_run_says_why(change: dict[str, Any], error: type[Exception], message: str) -> None:
    arguments: dict[str, Any] = {"game_id": "kuhn", "seats": 2, "bots": ["random", "heuristic"], "deals": 5, "seed": 1}
    arguments.update({"workers": 1, **change})
    with pytest.raises(error, match=message):
        run_tournament(arguments.pop("game_id"), **arguments)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for the workers in /proc, which this system lacks")
def test_a_killed_tournament_takes_its_workers_with_it() -> None:
    code = ("from seatmate.ai.arena import run_tournament\n"
            "if __name__ == '__main__':\n"
            "    run_tournament('hyde', seats=2, bots=['search:iterations=2000', 'heuristic'], deals=64, seed=1, workers=2)\n")
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "long.py"
        script.write_text(code)
        parent = subprocess.Popen([sys.executable, "-P", str(script)])
        try:
            children = _wait_for(lambda: _children(parent.pid, 2))
        finally:
            parent.kill()
            parent.wait()
    _wait_for(lambda: not any(_runs(child) for child in children))


def _children(parent: int, least: int) -> list[int]:
    """Process ids of the workers once there are enough; empty before."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            command = (stat.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if int(fields[1]) == parent and b"spawn_main" in command:
            found.append(int(stat.parent.name))
    return found if len(found) >= least else []


def _runs(process: int) -> bool:
    """Is the process there, and more than an entry that nobody has collected yet?"""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _wait_for(condition: Callable[[], Any]) -> Any:
    """The condition's first true answer; fails after a minute."""
    end = time.monotonic() + 60
    while not (answer := condition()):
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.1)
    return answer
