"""Bots: how they are written, what they may see, and that they repeat themselves."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from seatmate.ai.arena import run_tournament
from seatmate.ai.arena.match import play_on
from seatmate.ai.bots import (
    BotError,
    BotInfo,
    bot_kind,
    list_bots,
    make_bot,
    make_policy,
    parse_bot,
    parse_bots,
    register_bot,
    registry,
)
from seatmate.ai.bots.policy import PolicyHandle
from seatmate.ai.bots.settings import PolicySettings
from seatmate.ai.search import Limits, Search, SearchParams, StopFlag
from seatmate.ai.search.limits import MAX_THREADS
from seatmate.engine.core.errors import GameOverError, SeatmateError, SeatNotPendingError
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.registry import new_game
from seatmate.engine.core.rng import random_words

Positions = Callable[[int], Iterator[tuple[State, int]]]

ROOT = Path(__file__).parents[2]

TEXTS = ("random", "heuristic", "search:iterations=40", "search:iterations=40:depth=3:threads=3")


def test_list_bots_says_what_each_is() -> None:
    bots = {info.id: info for info in list_bots()}
    assert list(bots)[:3] == ["random", "heuristic", "search"]
    assert all(info.title and info.summary for info in bots.values())
    assert {p.key for p in bots["search"].parameters} >= {"iterations", "time_ms", "nodes", "exploration", "tree_key"}
    assert bots["random"].parameters == ()


@pytest.mark.parametrize(("text", "canonical"), [
    ("random", "random"), (" heuristic ", "heuristic"), ("search", "search"),
    ("search:iterations=1000", "search:iterations=1000"),
    ("search:time_ms=100:iterations=5", "search:iterations=5:time_ms=100"),
    ("search:time_ms=2.5, iterations=7", "search:iterations=7:time_ms=2.5"),
    ("search:threads=2:depth=4:memory_mb=10.0:nodes=500", "search:nodes=500:memory_mb=10:depth=4:threads=2"),
    ("search:tree_key=public:split_private=yes:exploration=0.5",
     "search:exploration=0.5:tree_key=public:split_private=true"),
])
def test_parse_bot(text: str, canonical: str) -> None:
    spec = parse_bot(text)
    assert str(spec) == canonical
    assert parse_bot(canonical) == spec == parse_bot(spec)


@pytest.mark.parametrize(("text", "message"), [
    ("", "no bot is called ''"), ("serch", "did you mean 'search'"),
    ("random:iterations=3", "no parameter 'iterations'"),
    ("search:iteration=3", "did you mean 'iterations'"), ("search:iterations", "key=value is expected"),
    ("search:iterations=", "key=value is expected"), ("search:iterations=0", "outside 1..1000000000"),
    ("search:iterations=many", "not a whole number"), ("search:iterations=1:iterations=2", "names iterations twice"),
    ("search:time_ms=0", "not above 0"), ("search:time_ms=nan", "not above 0"), ("search:time_ms=soon", "not a number"),
    ("search:threads=0", "outside 1..64"), ("search:threads=65", "outside 1..64"), ("search:threads=two", "not a whole number"),
    ("search:depth=0", "outside 1..511"), ("search:depth=512", "outside 1..511"), ("heuristic:threads=2", "no parameter 'threads'"),
    ("search:memory_mb=0.5", "outside 1..1e6 megabytes"), ("search:memory_mb=nan", "outside 1..1e6"),
    ("search:memory_mb=1:threads=8", "memory_mb=1 is too little for 8 threads"),
    ("search:nodes=0", "outside 1.."), ("search:tree_key=closed", "full, public, open"),
    ("search:split_private=perhaps", "neither true nor false"), ("search:exploration=-1", "exploration must be in"),
    ("search:rollout_epsilon=7", "rollout_epsilon must be in"),
])
def test_parse_bot_errors_are_one_clear_sentence(text: str, message: str) -> None:
    with pytest.raises(BotError) as caught:
        parse_bot(text)
    assert message in str(caught.value) and "\n" not in str(caught.value)
    assert isinstance(caught.value, SeatmateError)


@pytest.mark.parametrize("wrong", [None, 5, b"random", ["random"], {"search": 1}])
def test_what_is_no_text_is_no_bot(wrong: Any) -> None:
    with pytest.raises(TypeError, match="written as text, such as 'search:iterations=1000', and not as"):
        parse_bot(wrong)
    with pytest.raises(TypeError, match="written as text"):
        make_bot(wrong, 1)
    with pytest.raises(TypeError, match="written as text"):
        parse_bots(wrong)


def test_parse_bots_keeps_parameters_with_their_bot() -> None:
    text = "random,search:iterations=10,time_ms=5,heuristic,search:time_ms=3"
    words = [str(spec) for spec in parse_bots(text)]
    assert words == ["random", "search:iterations=10:time_ms=5", "heuristic", "search:time_ms=3"]
    with pytest.raises(BotError):
        parse_bots("random,,heuristic")


def test_a_search_bot_resolves_to_the_games_defaults_and_its_own_words(kuhn: Game) -> None:
    settings = parse_bot("search:time_ms=5:exploration=0.25").resolve(kuhn.spec)
    own = SearchParams.for_game(kuhn.spec)
    assert settings.limits == Limits(time_ms=5)
    assert settings.params is not None
    assert (settings.params.exploration, settings.params.prior_temperature) == (0.25, own.prior_temperature)
    assert parse_bot("search").resolve(kuhn.spec).limits == Limits(iterations=1000)
    bounded = parse_bot("search:threads=2:depth=4:memory_mb=10:nodes=500").resolve(kuhn.spec)
    assert bounded.limits == Limits(iterations=1000, nodes=500, memory_mb=10, depth=4) and bounded.threads == 2


def test_threads_and_depth_in_the_text_reach_the_search(positions: Positions) -> None:
    for state, seat in positions(6):
        one, three = (make_bot(f"search:iterations=60{more}", 3).choose(state, seat) for more in ("", ":threads=3"))
        assert make_bot("search:iterations=60:threads=1:depth=511:memory_mb=1000", 3).choose(state, seat) == one
        assert all(make_bot("search:iterations=60:threads=3", 3).choose(state, seat) == three for _ in range(3))


def test_threads_and_depth_change_what_is_played() -> None:
    game = new_game("hyde", seats=2)
    states = [game.new_state(seed) for seed in range(40)]

    def played(more: str) -> list[int]:
        return [make_bot(f"search:iterations=60{more}", 3).choose(state, state.pending[0]) for state in states]

    one = played("")
    assert one != played(":threads=3") and one != played(":depth=1") and one != played(":nodes=2")


def test_a_bot_says_how_many_simulations_its_last_choice_took(positions: Positions) -> None:
    for text, least, most in (("heuristic", 0, 0), ("search:iterations=40", 40, 80), ("search:iterations=40:threads=2", 40, 80)):
        bot = make_bot(text, 1)
        for state, seat in positions(2):
            bot.choose(state, seat)
            assert least <= bot.simulations <= most     # by regret a few more than asked for


def test_no_more_threads_than_a_search_can_have(kuhn: Game) -> None:
    assert Search(kuhn.new_state(1), 0, seed=1, threads=MAX_THREADS).run(Limits(iterations=64)).threads == MAX_THREADS
    with pytest.raises(ValueError, match="threads"):
        Search(kuhn.new_state(1), 0, seed=1, threads=MAX_THREADS + 1)


def test_another_kind_of_bot_can_be_registered(kuhn: Game) -> None:
    info = BotInfo("test_steady", "Steady", "The heuristic under another name.", make=bot_kind("heuristic").make)
    register_bot(info)
    state = kuhn.new_state(1)
    assert make_bot("test_steady", 1).choose(state, 0) == make_bot("heuristic", 1).choose(state, 0)
    with pytest.raises(ValueError, match="twice"):
        register_bot(info)


class LastAction(PolicyHandle):
    """A kind written in Python: plays the highest action."""

    def answer(self, state: State, seat: int, seed: int, stop: StopFlag | None) -> int:
        return state.legal_actions(seat)[-1]


@pytest.fixture
def last_action() -> Iterator[BotInfo]:
    info = register_bot(BotInfo("test_last", "Last", "Plays the highest action.", make=LastAction, thinks=True))
    yield info
    del registry._bots[info.id]


def test_a_kind_in_python_plays_everywhere(last_action: BotInfo, kuhn: Game) -> None:
    state = kuhn.new_state(1)
    assert make_bot("test_last", 1).choose(state, 0) == 1 and make_bot("test_last", 1).thinks
    assert list_bots()[-1] is last_action
    games = run_tournament("kuhn", seats=2, bots=["test_last", "random"], deals=4, seed=1, workers=1)
    assert games.deals == 4
    words = random_words(1, (1,), 3)
    handles = [make_policy(kuhn, parse_bot(text).resolve(kuhn.spec)) for text in ("test_last", "random")]
    with pytest.raises(ValueError, match="only Python can ask it"):
        play_on(state, handles, words)


def test_a_kind_that_plays_nothing_says_so(kuhn: Game) -> None:
    with pytest.raises(NotImplementedError, match="'heuristic' does not say what it plays"):
        PolicyHandle(kuhn, PolicySettings("heuristic")).answer(kuhn.new_state(1), 0, 1, None)


def test_only_its_own_file_knows_a_kind_by_name() -> None:
    """Whoever asks whether a bot thinks asks its kind: a text in a condition would forget the next kind."""
    asks = re.compile(r"""(==|!=|\bin\b|startswith\()\s*[("\[]*["']?(heuristic|search)["']|PolicyKind""")
    found = [f"{path.relative_to(ROOT)}:{number}" for top in ("ai", "server", "engine") for path in (ROOT / top).rglob("*.p*")
             if path.suffix in (".py", ".pyx", ".pxd") and path.parent.name != "kinds"
             for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if asks.search(line)]
    assert found == []
    for planted in ('if kind == "search":', 'holder.bot.startswith("search")', 'if policy["kind"] in ("heuristic", "random"):'):
        assert asks.search(planted)


@pytest.mark.parametrize("text", TEXTS)
def test_equal_seeds_play_equally_and_without_memory(positions: Positions, text: str) -> None:
    for state, seat in positions(6):
        fresh = make_bot(text, 3).choose(state, seat)
        used = make_bot(text, 3)
        for other, other_seat in positions(3):
            used.choose(other, other_seat)
        assert fresh == used.choose(state, seat)
        assert fresh in state.legal_actions(seat)


@pytest.mark.parametrize("text", TEXTS)
def test_a_bot_sees_no_more_than_its_seat(positions: Positions, text: str) -> None:
    for state, seat in positions(8):
        choice = make_bot(text, 11).choose(state, seat)
        for other in range(3):
            assert make_bot(text, 11).choose(state.resample_from_infostate(seat, other), seat) == choice


@pytest.mark.parametrize("text", TEXTS)
def test_a_bot_does_not_touch_the_table(positions: Positions, text: str) -> None:
    for state, seat in positions(3):
        twin = state.clone()
        action = make_bot(text, 5).choose(state, seat)
        assert state.to_bytes() == twin.to_bytes()
        state.apply_action(seat, action)
        twin.apply_action(seat, action)
        assert state.to_bytes() == twin.to_bytes()


def test_random_is_random_over_all_actions(positions: Positions) -> None:
    for state, seat in positions(2):
        assert {make_bot("random", seed).choose(state, seat) for seed in range(600)} == set(state.legal_actions(seat))


def test_heuristic_takes_the_first_of_the_best(positions: Positions) -> None:
    for state, seat in positions(10):
        scores = state.score_actions(seat)
        assert make_bot("heuristic", 1).choose(state, seat) == state.legal_actions(seat)[scores.index(max(scores))]


def test_search_with_one_iteration_is_the_heuristic(positions: Positions) -> None:
    for state, seat in positions(10):
        assert make_bot("search:iterations=1", 1).choose(state, seat) == make_bot("heuristic", 1).choose(state, seat)


def test_a_stopped_search_bot_still_answers(positions: Positions) -> None:
    stop = StopFlag()
    stop.set()
    state, seat = next(positions(1))
    assert make_bot("search:iterations=1000000000", 1).choose(state, seat, stop=stop) in state.legal_actions(seat)


def test_a_bot_is_not_asked_out_of_turn(kuhn: Game) -> None:
    state = kuhn.new_state(1)
    with pytest.raises(SeatNotPendingError):
        make_bot("random", 1).choose(state, 1)
    state.apply_action(0, 0)
    state.apply_action(1, 0)
    with pytest.raises(GameOverError):
        make_bot("random", 1).choose(state, 0)


@pytest.mark.parametrize("text", TEXTS)
def test_bots_play_whole_games(any_game: Game, text: str) -> None:
    state = any_game.new_state(8, record_events=False)
    bots = [make_bot(text, seat) for seat in range(any_game.seats)]
    while not state.is_over:
        seat = state.pending[0]
        state.apply_action(seat, bots[seat].choose(state, seat))
    assert all(0 <= utility <= 1 for utility in state.returns())
