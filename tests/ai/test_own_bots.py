"""Bots that somebody else wrote, in Python and as programs: what they are given, and what happens when they fail."""
from __future__ import annotations

import gc
import json
import os
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seatmate.ai.arena import load_results, run_tournament
from seatmate.ai.bots import BotError, Question, bot, load_bots, make_bot, own, parse_bot, registry
from seatmate.ai.bots.guarded import GuardedPolicy
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.registry import new_game

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"

PROGRAM = """
import json, os, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1}), flush=True)
    elif message["type"] == "decision":
        action = message["actions"][0]
        BODY
        print(json.dumps({"type": "answer", "action": action}), flush=True)
"""


pytestmark = pytest.mark.usefixtures("own_bots")


def program(folder: Path, name: str, body: str, **values: Any) -> str:
    """Name a program in a file and load that; its text."""
    (folder / f"{name}.py").write_text(PROGRAM.replace("BODY", textwrap.indent(body, " " * 8).lstrip()))
    file = folder / f"{name}.toml"
    file.write_text("\n".join([f"[{name}]", f"command = {json.dumps([sys.executable, '-S', f'{name}.py'])}",
                               *(f"{key} = {json.dumps(value)}" for key, value in values.items())]))
    (info,) = load_bots(file)
    return info.id


# ---- What a bot is given ----

def reached(start: object) -> Iterator[object]:
    """All that can be reached from an object, except for modules and what belongs to them."""
    seen: dict[int, object] = {}
    waiting = [start]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, type | type(sys)) or (isinstance(one, dict) and "__builtins__" in one):
            continue
        seen[id(one)] = one
        yield one
        waiting += gc.get_referents(one)


@pytest.mark.parametrize("game_id", ["leduc", "hanabi", "mythos", "liars_dice"])
def test_a_peeking_bot_finds_nothing_of_the_hidden_state(game_id: str) -> None:
    """It looks at every State that it can reach, from what it is given and from its caller, for what only the true one has."""
    game = new_game(game_id)
    found: list[State] = []
    played: list[int] = []

    @bot("test_peeking", summary="Looks for cards that are none of its business.")
    def peek(question: Question) -> int:
        around: list[object] = []
        frame: Any = sys._getframe(1)
        while frame.f_code.co_filename.endswith(("guarded.py", "own.py")):
            around += frame.f_locals.values()
            frame = frame.f_back
        assert any(isinstance(one, GuardedPolicy) for one in around), "it looks in the wrong place"
        found.extend(one for start in (question, *around) for one in reached(start) if isinstance(one, State))
        played.append(1)
        return question.actions[0]

    truth = game.new_state(5)
    while len(truth.legal_actions(truth.pending[0])) == 1:
        truth.apply_action(truth.pending[0], truth.legal_actions(truth.pending[0])[0])
    seat = truth.pending[0]
    peeking = make_bot("test_peeking", 1)
    peeking.choose(truth, seat)
    assert peeking.fault == "" and played == [1] and found
    hidden = truth.to_bytes()
    assert all(state is not truth and state.seed is None and state.actions == [] for state in found)
    assert any(state.to_bytes() != hidden for state in found), "the sampled worlds are the true one"


def test_the_question_is_the_same_in_all_worlds_that_look_alike() -> None:
    truth = new_game("leduc").new_state(3)
    seat = truth.pending[0]

    def given(state: State) -> list[Any]:
        question = Question(state, seat, 7)
        return [question.actions, question.labels, question.scores, question.observation, question.text, question.prompt,
                question.settings, question.sample_world(4).to_bytes(), question.random.random()]

    worlds = [truth.resample_from_infostate(seat, seed) for seed in range(6)]
    assert len({world.to_bytes() for world in worlds}) > 1 and all(given(world) == given(truth) for world in worlds)
    assert {Question(truth, seat, 1).sample_world(seed).to_bytes() for seed in range(8)} > {truth.to_bytes()}


def test_the_question_of_every_game(any_game: Game) -> None:
    state = any_game.new_state(2, record_events=False)
    while len(state.legal_actions(state.pending[0])) == 1:
        state.apply_action(state.pending[0], state.legal_actions(state.pending[0])[0])
    seat = state.pending[0]
    question = Question(state, seat, 1)
    assert question.observation == state.observation(seat) and list(question.actions) == state.legal_actions(seat)
    assert len(question.labels) == len(question.scores) == len(question.actions) and question.text and question.prompt
    assert (question.game, question.seats, question.seat) == (any_game.spec.id, any_game.seats, seat)
    json.dumps([question.observation, question.settings])


# ---- In Python ----

def test_the_example_of_the_guide_plays(tmp_path: Path) -> None:
    """The file itself, which the guide shows; also in other processes."""
    guide = (EXAMPLES.parent / "writing-a-bot.md").read_text()
    for name in ("bluffer.py", "stranger.py", "stranger.toml"):
        text = (EXAMPLES / name).read_text()
        assert text.partition('"""\n' if name == "stranger.py" else "\0")[2 if name == "stranger.py" else 0] in guide, name
    body = (EXAMPLES / "bluffer.py").read_text().splitlines()
    assert len([line for line in body if line]) <= 10
    assert [info.id for info in load_bots(EXAMPLES / "bluffer.py")] == ["bluffer"] and load_bots(EXAMPLES / "bluffer.py") == []
    call: dict[str, Any] = {"seats": 2, "bots": ["bluffer", "heuristic"], "deals": 40, "seed": 1}
    alone, two = (run_tournament("leduc", workers=workers, **call) for workers in (1, 2))
    assert alone == two and alone.reproducible and alone.faults == {} and alone.pairs[0].mean != 0


def test_another_text_is_another_bot(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text((EXAMPLES / "bluffer.py").read_text())
    load_bots(file)
    (settings,) = {parse_bot("bluffer").resolve(new_game(game).spec) for game in ("kuhn", "leduc")}
    file.write_text(file.read_text() + "# changed\n")
    del registry._bots["bluffer"]
    own._loaded.clear()
    load_bots(file)
    assert parse_bot("bluffer").resolve(new_game("kuhn").spec) != settings


def test_a_class_is_made_once(kuhn: Game) -> None:
    made = []

    @bot("test_loaded")
    class Loaded:
        """Loads something large. Then it plays."""

        def __init__(self) -> None:
            made.append(1)

        def choose(self, question: Question) -> int:
            return question.actions[-1]

    assert registry.bot_kind("test_loaded").summary == "Loads something large. Then it plays."
    player = make_bot("test_loaded", 1)
    assert [player.choose(kuhn.new_state(seed), 0) for seed in range(5)] == [1] * 5 and made == [1]
    assert player.thinks and player.thinks_in(kuhn)


@pytest.mark.parametrize(("text", "words"), [
    ("nothing = 1", "registers no bot"), ("1 / 0", "can't be loaded: ZeroDivisionError"), ("def", "can't be loaded: SyntaxError"),
    ("raise SystemExit", "can't be loaded: SystemExit"),
    ("from seatmate.ai.bots import bot\n@bot('random')\ndef f(q): ...", "'random' exists already"),
    ("from seatmate.ai.bots import bot\n@bot('My bot')\ndef f(q): ...", "can't be called 'My bot'"),
])
def test_a_file_that_cannot_be_loaded_says_why(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(BotError, match="(?s)" + words) as caught:
        load_bots(tmp_path / "mine.py")
    assert "\n" not in str(caught.value)
    with pytest.raises(BotError, match="does not exist"):
        load_bots(tmp_path / "missing.py")
    with pytest.raises(BotError, match="is a folder; name a file of it"):
        load_bots(tmp_path)
    (tmp_path / "mine.txt").write_text("hello")
    with pytest.raises(BotError, match="neither a Python file"):
        load_bots(tmp_path / "mine.txt")


@pytest.mark.parametrize("workers", [1, 2])
def test_what_goes_wrong_is_counted_and_the_heuristic_plays(tmp_path: Path, workers: int) -> None:
    file = tmp_path / "wild.py"
    file.write_text(textwrap.dedent("""
        from seatmate.ai.bots import bot

        @bot("wild")
        def wild(question):
            if question.prompt == "no such":
                return 0
            return [1 / 0, 99, "0", True, None][0] if question.seat else 12345
    """))
    load_bots(file)
    results = tmp_path / f"{workers}.jsonl"
    call: dict[str, Any] = {"seats": 2, "deals": 10, "seed": 1, "workers": workers}
    played = run_tournament("kuhn", bots=["wild", "random"], results=results, **call)
    as_heuristic = run_tournament("kuhn", bots=["heuristic", "random"], **call)
    assert {row.mean_utility for row in played.standings} == {row.mean_utility for row in as_heuristic.standings}
    assert set(played.faults) == {"wild"} and set(played.faults["wild"]) == {"crashes", "illegal"}
    assert played.faults["wild"]["crashes"] > 5 and played.reproducible
    _, deals = load_results(results)
    assert deals[0].faults[0].crashes and b'"faults": {"0": ' in results.read_bytes()
    again = run_tournament("kuhn", bots=["wild", "random"], results=results, seats=2, deals=12, seed=1, workers=1)
    assert again.faults["wild"]["crashes"] > played.faults["wild"]["crashes"]


@pytest.mark.parametrize("answer", ["0", True, 1.0, None, 99, -1, 10**30])
def test_what_is_no_legal_action_is_illegal(kuhn: Game, answer: object) -> None:
    bot("test_wrong")(lambda question: answer)
    player = make_bot("test_wrong", 1)
    state = kuhn.new_state(1)
    assert player.choose(state, 0) == make_bot("heuristic", 1).choose(state, 0)
    assert "is no legal action" in player.fault


@pytest.mark.parametrize("body", [
    "raise SystemExit(3)", "raise KeyboardInterrupt", "raise GeneratorExit", "raise Wordless", "return Lying()",
    "question.scores = []; return -1", "question.scores = None; question.actions = None; return -1"])
def test_nothing_that_a_bot_raises_or_spoils_ends_a_game(tmp_path: Path, body: str) -> None:
    file = tmp_path / "wilder.py"
    file.write_text(textwrap.dedent("""
        from seatmate.ai.bots import bot

        class Wordless(Exception):
            def __str__(self): raise ValueError("no words")

        class Lying(int):
            def __new__(cls): return super().__new__(cls, 77)
            def __eq__(self, other): return other == 0
            __hash__ = int.__hash__

        @bot("wilder")
        def wilder(question):
            BODY
    """).replace("BODY", body))
    load_bots(file)
    played = run_tournament("kuhn", seats=2, bots=["wilder", "random"], deals=2, seed=1, workers=1)
    faults = sum(played.faults.get("wilder", {}).values())
    assert played.games == 4 and (faults == 0 if "Lying" in body else faults >= 4)


def test_ctrl_c_is_no_fault_of_the_bot_that_thinks(kuhn: Game) -> None:
    @bot("test_interrupted")
    def interrupted(question: Question) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_bot("test_interrupted", 1).choose(kuhn.new_state(1), 0)


# ---- As a program ----

def test_the_program_of_the_guide_plays() -> None:
    load_bots(EXAMPLES / "stranger.toml")
    assert str(parse_bot("stranger:time_ms=50")) == "stranger:time_ms=50"
    played = run_tournament("leduc", seats=2, bots=["stranger", "heuristic"], deals=6, seed=1, workers=2)
    assert played.faults == {} and played.reproducible and played.games == 12


def test_a_program_sees_what_its_seat_sees(tmp_path: Path) -> None:
    text = program(tmp_path, "noting", "open('seen.jsonl', 'a').write(line)", reproducible=True)
    run_tournament("leduc", seats=2, bots=[text, "random"], deals=2, seed=1, workers=1)
    messages = [json.loads(line) for line in (tmp_path / "seen.jsonl").read_text().splitlines()]
    assert len(messages) > 3
    for message in messages:
        assert set(message) == {"type", "game", "settings", "seats", "seat", "prompt", "question", "actions", "labels", "scores",
                                "observation", "seed", "time_ms"}
        assert set(message["observation"]) == set(new_game("leduc").new_state(1).observation(0))


@pytest.mark.parametrize(("body", "fault"), [
    ("raise SystemExit(3)", "crashes"), ("os.kill(os.getpid(), 9)", "crashes"), ("time.sleep(60)", "timeouts"),
    ("os.close(1); time.sleep(60)", "crashes"),
    ("action = 77", "illegal"), ("print('thinking ...', flush=True)", "illegal"), ("print('{}', flush=True)", "illegal"),
    ("print('[' * 100_000, flush=True)", "illegal"), ("time.sleep(0.06)", "overshoots"),
])
def test_a_program_that_fails_ends_nothing(tmp_path: Path, kuhn: Game, body: str, fault: str) -> None:
    text = program(tmp_path, "failing", f"if message['seat'] == 1:\n    {body}", time_ms=30.0)
    played = run_tournament("kuhn", seats=2, bots=[text, "heuristic"], deals=2, seed=1, workers=1)
    assert set(played.faults) == {"failing"} and played.faults["failing"][fault] >= 1, played.faults
    assert not played.reproducible


def test_a_program_that_floods_is_ended(tmp_path: Path, kuhn: Game) -> None:
    text = program(tmp_path, "flooding", "while True: print('x' * 1000, flush=True)", time_ms=100)
    player = make_bot(text, 1)
    for seed in range(2):
        assert player.choose(kuhn.new_state(seed), 0) in (0, 1) and "is not a JSON object" in player.fault


def test_a_program_that_does_not_start_is_not_waited_for_again(tmp_path: Path, kuhn: Game) -> None:
    text = program(tmp_path, "dead", "pass")
    (tmp_path / "dead.py").write_text("raise SystemExit(1)")
    player = make_bot(text, 1)
    player.choose(kuhn.new_state(1), 0)
    assert player.fault == "it ended (exit code 1)"
    player.choose(kuhn.new_state(1), 0)
    assert player.fault == "it could not be started a moment ago"


def test_a_hanging_program_ends_with_its_worker(tmp_path: Path) -> None:
    """Ctrl-C ends a worker at once, in the middle of a decision."""
    text = program(tmp_path, "hanging", "open('pid', 'w').write(str(os.getpid()))\ntime.sleep(600)", time_ms=60_000)

    with pytest.raises(KeyboardInterrupt):
        run_until_asked(text, tmp_path / "pid")
    pid = int((tmp_path / "pid").read_text())
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.05)
    else:
        raise AssertionError("the program lives on")


def run_until_asked(text: str, file: Path) -> None:
    """Play with two workers, and interrupt when the program has been asked."""
    import _thread
    import threading

    def wait() -> None:
        while not file.exists() or not file.read_text():
            time.sleep(0.02)
        _thread.interrupt_main()

    threading.Thread(target=wait, daemon=True).start()
    run_tournament("kuhn", seats=2, bots=[text, "heuristic"], deals=50, seed=1, workers=2)


@pytest.mark.parametrize(("text", "words"), [
    ("[a", "is not TOML"), ("a = 1", "a is no table"), ("", "registers no bot"),
    ("[a]", "needs a command"), ("[a]\ncommand = []", "needs a command"),
    ("[a]\ncommand = 'sh'", "command of the bot a can't be"),
    ("[a]\ncommand = ['./nothing']", "which is no program here"),
    ("[a]\ncommand = ['sh']\ntime = 3", "has no 'time'; did you mean 'time_ms'?"),
    ("[a]\ncommand = ['sh']\ntime_ms = 0", "time_ms of the bot a: 0"),
    ("[a]\ncommand = ['sh']\ntime_ms = true", "time_ms of the bot a can't be"),
    ("[random]\ncommand = ['sh']", "exists already"),
])
def test_a_file_of_programs_that_is_wrong_says_why(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "bots.toml").write_text(text)
    with pytest.raises(BotError) as caught:
        load_bots(tmp_path / "bots.toml")
    assert words in str(caught.value) and "\n" not in str(caught.value)
