"""Tournaments: pairing, reproducibility, and results that match games played by hand."""
from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import pytest

from seatmate.ai.arena import Progress, Sprt, TournamentError, WorkerError, pool, run_tournament
from seatmate.ai.arena.match import play_game, win_shares
from seatmate.ai.arena.pool import DealPlayer
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.bots import BotError, make_policy, parse_bot
from seatmate.ai.bots.policy import PolicyHandle
from seatmate.engine.core.errors import SettingsError, UnknownGameError
from seatmate.engine.core.game import Game
from seatmate.engine.core.registry import new_game
from seatmate.engine.core.rng import Stream, random_words

BOTS = ["random", "heuristic", "search:iterations=20"]


def handles(game: Game, *texts: str) -> list[PolicyHandle]:
    return [make_policy(game, parse_bot(text).resolve(game.spec)) for text in texts]


# ---- Games ----

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


def test_what_is_no_game_and_no_policy_is_refused(kuhn: Game) -> None:
    nothing: Any = None
    with pytest.raises(TypeError, match="None"):
        play_game(nothing, handles(kuhn, "random", "random"), 1, [1, 2])
    with pytest.raises(TypeError, match="None"):
        make_policy(nothing, parse_bot("search").resolve(kuhn.spec))
    with pytest.raises(ValueError, match="another game"):
        play_game(kuhn, [nothing, *handles(kuhn, "random")], 1, [1, 2])


@pytest.mark.parametrize("seats", [0, 9, 100_000])
def test_utilities_of_no_possible_table_are_refused(seats: int) -> None:
    with pytest.raises(ValueError, match=f"seats, not {seats}"):
        win_shares([0.5] * seats)


# ---- Tournaments ----

@pytest.mark.parametrize("seed", [1.5, "1", None])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(TypeError, match="integer"):
        run_tournament("kuhn", seats=2, bots=BOTS[:2], deals=2, seed=seed, workers=1)


@pytest.mark.parametrize(("amounts", "words"), [
    ({"deals": 1}, "too few"), ({"deals": -5}, "too few"), ({"deals": 10**23}, "at most 1000000000"),
    ({"workers": 0}, "at least 1"), ({"workers": 10**23}, "at most 1024")])
def test_impossible_amounts_are_refused(amounts: dict[str, int], words: str) -> None:
    arguments: dict[str, Any] = {"seats": 2, "bots": BOTS[:2], "deals": 2, "seed": 1, "workers": 1, **amounts}
    with pytest.raises(TournamentError, match=words):
        run_tournament("kuhn", **arguments)


def test_bots_are_a_list() -> None:
    bots: Any = "random,heuristic"
    with pytest.raises(TypeError, match="bots are a list"):
        run_tournament("kuhn", seats=2, bots=bots, deals=2, seed=1, workers=1)


def test_the_result_depends_on_the_seed_and_not_on_the_workers(any_game: Game) -> None:
    arguments: dict[str, Any] = {"seats": any_game.seats, "bots": BOTS, "permutations": "rotations", "ratings": True}
    reports: list[Progress] = []
    one = run_tournament(any_game.spec.id, deals=4, seed=3, workers=1, progress=reports.append, **arguments)
    two = run_tournament(any_game.spec.id, deals=4, seed=3, workers=2, **arguments)
    assert one == two
    assert one != run_tournament(any_game.spec.id, deals=4, seed=4, workers=1, **arguments)
    assert [now.games for now in reports] == sorted(now.games for now in reports)
    assert reports[-1].games == reports[-1].games_total == one.games


def test_a_bot_with_threads_plays_the_same_for_any_number_of_workers() -> None:
    def mean(search: str, workers: int = 1) -> float:
        result = run_tournament("leduc", seats=2, bots=["heuristic", search], deals=20, seed=2, workers=workers)
        assert result.reproducible
        return result.pairs[0].mean

    one, three = mean("search:iterations=30"), mean("search:iterations=30:threads=3")
    assert one == mean("search:iterations=30:threads=1") != three == mean("search:iterations=30:threads=3", workers=2)


def test_a_bots_result_does_not_depend_on_who_else_is_measured_in_a_cooperative_game(any_game: Game) -> None:
    if not any_game.cooperative:
        pytest.skip("a competitive game")
    arguments: dict[str, Any] = {"seats": any_game.seats, "mode": any_game.settings.mode, "deals": 6, "seed": 3, "workers": 1}
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


def test_each_bot_fills_the_table_where_the_mode_is_cooperative() -> None:
    lineups = {mode: TournamentSpec.create("monster_chase", mode=mode, seats=3, bots=["random", "heuristic"], seed=1).lineups
               for mode in ("coop", "race")}
    assert set(lineups["coop"]) == {(0, 0, 0), (1, 1, 1)} and all(set(lineup) == {0, 1} for lineup in lineups["race"])


def test_cooperative_win_rate_counts_good_results(any_game: Game) -> None:
    if not any_game.cooperative:
        pytest.skip("a competitive game")
    result = run_tournament(any_game.spec.id, seats=any_game.seats, mode=any_game.settings.mode, bots=["random", "heuristic"],
                            deals=20, seed=2, workers=1)
    for standing in result.standings:
        assert standing.games == 20 and (standing.win_rate * 20) == pytest.approx(round(standing.win_rate * 20))


def test_the_result_is_plain_json() -> None:
    result = run_tournament("kuhn", seats=2, bots=["random", "heuristic"], deals=5, seed=7, workers=1, ratings=True,
                            sprt=Sprt.from_difference(0, 0.01))
    plain = json.loads(json.dumps(result.to_json(), allow_nan=False))
    assert set(plain["standings"][0]) == {"bot", "mean_utility", "ci95", "win_rate", "games", "rank"}
    assert set(plain["pairs"][0]) == {"a", "b", "mean", "ci95", "deals", "superiority", "score", "score_ci95"}
    assert set(plain["ratings"]["ratings"][0]) == {"bot", "elo", "low", "high"}
    assert plain["sprt"]["verdict"] in ("H0", "H1", None) and len(plain["sprt"]["pentanomial"] or range(5)) == 5


@pytest.mark.parametrize(("change", "error", "message"), [
    ({"bots": []}, TournamentError, "at least one bot"),
    ({"bots": ["random"]}, TournamentError, "at least two bots"),
    ({"bots": ["random", "rando"]}, BotError, "did you mean"),
    ({"deals": 1}, TournamentError, "at least 2"), ({"workers": 0}, TournamentError, "at least 1"),
    ({"permutations": "some"}, TournamentError, "one of auto, all"), ({"anchor": "search"}, TournamentError, "none of the bots"),
    ({"anchor": "serch"}, BotError, "did you mean"),
    ({"bots": ["random", "heuristic", "search"], "sprt": Sprt(0.5, 0.6)}, TournamentError, "two bots, not 3"),
    ({"seed": -1}, TournamentError, "negative"), ({"seats": 5}, SettingsError, "seats"),
    ({"mode": "fast"}, SettingsError, "mode"), ({"game_id": "kun"}, UnknownGameError, "kuhn"),
])
def test_a_tournament_that_cannot_be_run_says_why(change: dict[str, Any], error: type[Exception], message: str) -> None:
    arguments: dict[str, Any] = {"game_id": "kuhn", "seats": 2, "bots": ["random", "heuristic"], "deals": 5, "seed": 1}
    arguments.update({"workers": 1, **change})
    with pytest.raises(error, match=message):
        run_tournament(arguments.pop("game_id"), **arguments)


# ---- What a listener hears, and early ends ----

def test_progress_says_how_the_first_bot_does_against_the_second() -> None:
    heard: list[Progress] = []
    result = run_tournament("kuhn", seats=2, bots=["heuristic", "random"], deals=50, seed=7, workers=1,
                            sprt=Sprt.from_elo(0, 20), progress=heard.append)
    last, pair, test = heard[-1], result.pairs[0], result.sprt
    assert test is not None and test.verdict is None and test.deals == 50
    sign = 1 if pair.a == "heuristic" else -1
    assert (last.a, last.b) == ("heuristic", "random")
    assert last.mean == pytest.approx(sign * pair.mean) and last.ci95 == pytest.approx(pair.ci95)
    assert last.llr == test.llr and last.llr_bounds == (test.lower, test.upper)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_sequential_test_ends_the_tournament_at_the_same_deal_for_any_number_of_workers(workers: int) -> None:
    plan = Sprt.from_elo(0, 100)
    arguments: dict[str, Any] = {"seats": 2, "bots": ["heuristic", "random"], "seed": 11, "workers": workers}
    ended = run_tournament("tic_tac_toe", deals=5000, sprt=plan, **arguments)
    assert ended.sprt is not None and ended.sprt.verdict == "H1"
    assert 2 <= ended.deals < 200 and ended.games == 2 * ended.deals
    assert ended.sprt.pentanomial is not None and sum(ended.sprt.pentanomial) == ended.deals
    # The deal before had not decided it, and every deal is the one of the full tournament.
    before = run_tournament("tic_tac_toe", deals=ended.deals - 1, sprt=plan, **arguments)
    assert before.sprt is not None and before.sprt.verdict is None
    assert run_tournament("tic_tac_toe", deals=ended.deals, **arguments).standings == ended.standings


def test_only_bots_that_watch_the_clock_make_a_tournament_unrepeatable() -> None:
    arguments: dict[str, Any] = {"seats": 2, "deals": 2, "seed": 1, "workers": 1}
    assert run_tournament("kuhn", bots=["search:iterations=5", "random"], **arguments).reproducible
    assert not run_tournament("kuhn", bots=["search:time_ms=1", "random"], **arguments).reproducible


def test_a_tournament_is_over_at_once_when_its_listener_fails() -> None:
    def fail(now: Progress) -> None:
        raise ZeroDivisionError

    for workers in (1, 2):
        began = time.monotonic()
        with pytest.raises(ZeroDivisionError):
            run_tournament("kuhn", seats=2, bots=["search:iterations=20000", "random"], deals=100_000, seed=1,
                           workers=workers, progress=fail)
        assert time.monotonic() - began < 30


def test_ctrl_c_that_reaches_the_playing_thread_ends_the_tournament(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()
    in_time: list[bool] = []

    def play(player: DealPlayer, deal: int) -> list[list[float]]:
        time.sleep(0.3)         # until the other thread waits for the result
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        in_time.append(ended.wait(20))
        return [[0.5, 0.5]] * 2

    monkeypatch.setattr(DealPlayer, "play", play)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            run_tournament("kuhn", seats=2, bots=BOTS[:2], deals=2, seed=1, workers=1)
    finally:
        signal.signal(signal.SIGINT, before)
        ended.set()
    _wait_for(lambda: in_time)
    assert in_time == [True]


def test_waiting_for_the_workers_is_done_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """... so that Ctrl-C is seen whichever thread it reaches."""
    times: list[float | None] = []

    def look(waiting: Any, timeout: float | None = None) -> Any:
        times.append(timeout)
        return [] if len(times) % 2 else wait(waiting)

    monkeypatch.setattr(pool, "wait", look)
    arguments: dict[str, Any] = {"seats": 2, "bots": BOTS[:2], "deals": 20, "seed": 1}
    assert run_tournament("kuhn", workers=2, **arguments) == run_tournament("kuhn", workers=1, **arguments)
    assert all(timeout is not None and timeout < 1 for timeout in times) and times


def test_a_script_without_a_main_guard_is_told_so(tmp_path: Path) -> None:
    script = tmp_path / "naive.py"
    script.write_text("from seatmate.ai.arena import run_tournament\n"
                      "run_tournament('kuhn', seats=2, bots=['random', 'heuristic'], deals=9, seed=1, workers=2)\n")
    done = subprocess.run([sys.executable, "-P", str(script)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1 and 'WorkerError: the worker processes of the tournament could not start' in done.stderr
    assert 'if __name__ == "__main__":' in done.stderr


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for the workers in /proc, which this system lacks")
def test_a_killed_tournament_takes_its_workers_with_it() -> None:
    code = ("from seatmate.ai.arena import run_tournament\n"
            "if __name__ == '__main__':\n"
            "    run_tournament('hyde', seats=2, bots=['search:iterations=2000', 'heuristic'], deals=100_000, seed=1, workers=2)\n")
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


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for the workers in /proc, which this system lacks")
def test_a_killed_worker_ends_the_tournament_with_a_sentence() -> None:
    killed: list[int] = []

    def kill_one(now: Progress) -> None:
        if not killed:
            killed.extend(_children(os.getpid(), 1)[:1])
            os.kill(killed[0], signal.SIGKILL)

    with pytest.raises(WorkerError, match="a worker process of the tournament died"):
        run_tournament("kuhn", seats=2, bots=["search:iterations=5000", "random"], deals=100_000, seed=1, workers=2,
                       progress=kill_one)
    assert not _children(os.getpid(), 1)


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


def test_where_not_everybody_meets_a_difference_counts_common_games_alone() -> None:
    call: dict[str, Any] = {"seats": 2, "deals": 40, "seed": 1, "workers": 1}
    seen: list[Any] = []
    gauntlet = run_tournament("kuhn", bots=["random", "heuristic", "player:noise=0.3"], format="gauntlet", progress=seen.append,
                              **call)
    assert {frozenset((pair.a, pair.b)) for pair in gauntlet.pairs} == {
        frozenset(("random", "heuristic")), frozenset(("random", "player:noise=0.3"))}
    alone = run_tournament("kuhn", bots=["random", "heuristic"], **call)
    common = next(pair for pair in gauntlet.pairs if "heuristic" in (pair.a, pair.b))
    assert (abs(common.mean), common.ci95) == pytest.approx((abs(alone.pairs[0].mean), alone.pairs[0].ci95))
    assert (seen[-1].a, seen[-1].b, abs(seen[-1].mean)) == ("random", "heuristic", pytest.approx(abs(common.mean)))


def test_teams_of_one_kind_share_what_they_win() -> None:
    played = run_tournament("titans", seats=4, mode="team4", bots=["heuristic", "random"], teams=[(0, 2), (1, 3)], deals=4, seed=1,
                            workers=1)
    assert played.lineups == 2 and played.standings[0].bot == "heuristic"
    assert sum(row.mean_utility for row in played.standings) == pytest.approx(1)
