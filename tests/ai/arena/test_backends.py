"""The same tournament on a Ray cluster as on this machine, also when a worker dies."""
from __future__ import annotations

import importlib.util
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seatmate.ai.arena import TournamentError, WorkerError, backends, pool, run_tournament
from seatmate.ai.arena.deal import Deal
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.bots import load_bots

INSTALLED = importlib.util.find_spec("ray") is not None
if os.environ.get("SEATMATE_NEEDS_RAY"):
    assert INSTALLED, "the extra `ray` is not installed"
NEEDED = pytest.mark.skipif(not INSTALLED, reason="the extra `ray` is not installed")

BOTS = ["search:iterations=40", "heuristic"]
WORKERS = 3


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """A Ray of several workers; it takes seconds to start, so that all tests share it."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray

    with tempfile.TemporaryDirectory(prefix="ray-") as folder:      # pytest's own is too long for the name of a socket
        ray.init(address="local", num_cpus=WORKERS, include_dashboard=False, log_to_driver=False, logging_level="error",
                 object_store_memory=80 * 2**20, _temp_dir=folder)
        yield
        ray.shutdown()


@NEEDED
def test_a_cluster_writes_the_same_file_also_when_a_worker_is_killed(
        cluster: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from seatmate.ai.arena import on_ray

    killed = tmp_path / "killed"

    def play_and_die_once(tournament: str, work: Any, batch: range) -> Any:
        """What a worker does; the first that has played a deal in the middle is killed before it can say so."""
        from seatmate.ai.arena import on_ray  # that of the worker

        played = on_ray._play(tournament, work, batch)
        if 30 in batch and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return played

    monkeypatch.setattr(on_ray, "_play", play_and_die_once)
    asked: dict[str, Any] = {"seats": 2, "bots": BOTS, "deals": 60, "seed": 5}
    there = run_tournament("connect_four", **asked, results=tmp_path / "there.jsonl", backend="ray")
    here = run_tournament("connect_four", **asked, results=tmp_path / "here.jsonl", workers=1)
    assert killed.exists()
    assert there == here
    assert (tmp_path / "there.jsonl").read_bytes() == (tmp_path / "here.jsonl").read_bytes()


SHY = """
from pathlib import Path
from seatmate.ai.bots import bot
from shyness import shy

@bot("carried_shy")
def carried_shy(question):
    with open(SEEN, "a") as seen:
        print(Path(__file__).parent, file=seen)
    return shy(question)
"""

LAST = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1}), flush=True)
    elif message["type"] == "decision":
        with open(SEEN, "a") as seen:
            print(os.getcwd(), file=seen)
        print(json.dumps({"type": "answer", "action": message["actions"][-1]}), flush=True)
"""


@NEEDED
def test_bots_of_files_travel_to_workers_that_lie_elsewhere(cluster: None, own_bots: None, tmp_path: Path) -> None:
    folder, seen = tmp_path / "bots", tmp_path / "seen"
    folder.mkdir()
    (folder / "shyness.py").write_text("def shy(question):\n    return question.actions[0]\n")
    (folder / "shy.py").write_text(SHY.replace("SEEN", repr(str(seen))))
    (folder / "last.py").write_text(LAST.replace("SEEN", repr(str(seen))))
    (folder / "last.toml").write_text(f'[carried_last]\ncommand = ["{sys.executable}", "last.py"]\ntime_ms = 60_000\n')
    load_bots(folder / "shy.py")
    load_bots(folder / "last.toml")
    asked: dict[str, Any] = {"seats": 2, "bots": ["carried_shy", "carried_last", "heuristic"], "deals": 6, "seed": 5}
    there = run_tournament("leduc", **asked, backend="ray", results=tmp_path / "there.jsonl")
    places = set(seen.read_text().splitlines())
    assert len(places) >= 2 and str(folder) not in places
    assert there == run_tournament("leduc", **asked, workers=1, results=tmp_path / "here.jsonl")
    assert str(folder) in seen.read_text().splitlines()     # so it would have been seen
    assert (tmp_path / "there.jsonl").read_bytes() == (tmp_path / "here.jsonl").read_bytes()


@NEEDED
def test_what_a_worker_of_the_cluster_raises_is_raised_here(cluster: None) -> None:
    spec = TournamentSpec.create("kuhn", seats=2, bots=["heuristic", "random"], seed=1)
    other = TournamentSpec.from_json({**spec.to_json(), "seatmate": "0.0.1"})
    with pytest.raises(TournamentError, match=r"has Seatmate .*, whose bots may play otherwise than those of 0\.0\.1"):
        list(backends.backend_of("ray")(other, range(3), 1))


@NEEDED
def test_deals_that_kill_each_worker_end_the_tournament(cluster: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from seatmate.ai.arena import on_ray

    def die(*_: object) -> None:
        os._exit(1)

    monkeypatch.setattr(on_ray, "_play", die)
    monkeypatch.setattr(on_ray, "_TRIES_AGAIN", 1)
    spec = TournamentSpec.create("kuhn", seats=2, bots=["heuristic", "random"], seed=1)
    with pytest.raises(WorkerError, match="died again and again"):
        list(on_ray.play_on_ray(spec, range(3), 1))


def test_what_is_missing_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "find_spec", lambda name: None)
    with pytest.raises(TournamentError, match=r"needs the extra 'ray': pip install 'seatmate\[ray\]'"):
        run_tournament("kuhn", seats=2, bots=BOTS, deals=2, seed=1, backend="ray")
    with pytest.raises(TournamentError, match=r"backend .*local"):
        run_tournament("kuhn", seats=2, bots=BOTS, deals=2, seed=1, backend="cloud")  # type: ignore[arg-type]


def test_batches_come_back_in_order_and_grow() -> None:
    handout = pool.Handout(range(3, 100), 2, 1.0)
    first, second = handout.next_batch(), handout.next_batch()
    assert first == range(3, 4) and second == range(4, 5)
    handout.take(second, [Deal([[0.5]])], 0.1)
    assert list(handout.in_order()) == []
    handout.take(first, [Deal([[1.0]])], 0.1)
    assert list(handout.in_order()) == [[[[1.0]]], [[[0.5]]]]
    assert handout.next_batch() == range(5, 15)     # ten of them last a second
    assert not handout.is_over
