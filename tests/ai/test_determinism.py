"""Same seed, same iteration budget: the same analysis, in every repeat and every process. 1,000 repeats: benches/determinism.py."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import determinism
from determinism import Task
from seatmate.ai.search import Limits, Search, SearchParams
from seatmate.engine.core.registry import list_games, new_game

BENCHES = Path(determinism.__file__).parent
GAMES = [spec.id for spec in list_games()]


@pytest.mark.parametrize("game_id", GAMES)
def test_every_repeat_finds_the_same(game_id: str) -> None:
    for task in determinism.tasks([game_id], repeats=25, iterations=120):
        assert len(determinism.digests(task)) == 1


def test_every_process_finds_the_same() -> None:
    """Two fresh interpreters whose string hashes differ, and this one."""
    script = (f"import sys; sys.path.insert(0, {str(BENCHES)!r}); import json, determinism as d; "
              "print(json.dumps([sorted(d.digests(t)) for t in d.tasks(json.loads(sys.argv[1]), 1, 120)]))")
    found = [subprocess.run([sys.executable, "-P", "-c", script, json.dumps(GAMES)], check=True, capture_output=True, text=True,
                            env={**os.environ, "PYTHONHASHSEED": seed}).stdout for seed in ("1", "2")]
    here = [sorted(determinism.digests(task)) for task in determinism.tasks(GAMES, 1, 120)]
    assert [json.loads(text) for text in found] == [here, here]


def test_what_came_before_in_the_process_does_not_matter() -> None:
    """Nothing is left over from other searches, big or small, of this game or another."""
    wanted = {game_id: [determinism.digests(task) for task in determinism.tasks([game_id], 1, 80)] for game_id in GAMES}
    for game_id in reversed(GAMES):
        state, seat = determinism.position(Task(game_id, new_game(game_id).seats, 5, 0, 1, 1))
        Search(state, seat, seed=3, params=SearchParams.plain()).simulate(Limits(iterations=3000))
        assert [determinism.digests(task) for task in determinism.tasks([game_id], 1, 80)] == wanted[game_id]


def test_the_digest_sees_every_difference_but_the_time() -> None:
    state = new_game("kuhn").new_state(1)
    first, again = (Search(state, 0, seed=1).run(Limits(iterations=50)) for _ in range(2))
    assert determinism.digest(first) == determinism.digest(again) == determinism.digest(replace(first, elapsed_s=99.0))
    nudged = replace(first.candidates[0], value=first.value * (1 + 2e-16))
    for other in (replace(first, nodes=first.nodes + 1), replace(first, candidates=(nudged, *first.candidates[1:])),
                  Search(state, 0, seed=2).run(Limits(iterations=50))):
        assert determinism.digest(other) != determinism.digest(first)


@pytest.mark.parametrize("processes", [1, 2])
def test_the_command(processes: int, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "found.json"
    assert determinism.main(["--games", "kuhn", "--repeats", "6", "--iterations", "30", "--processes", str(processes),
                             "--json", str(out)]) == 0
    rows = json.loads(out.read_text())["rows"]
    assert [(row["game"], row["different"], row["repeats"]) for row in rows] == [("kuhn", 1, 6)] * 2
    assert "6 searches of 30 simulations" in capsys.readouterr().out


def test_the_command_fails_when_analyses_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    class Pool:
        def __enter__(self) -> Pool:
            return self

        def __exit__(self, *error: object) -> None:
            pass

        def map(self, work: object, tasks: list[Task]) -> list[set[str]]:
            return [{"a"}, {"b"}][:len(tasks)]

    monkeypatch.setattr(determinism, "start_pool", lambda processes: Pool())
    assert determinism.main(["--games", "kuhn", "--repeats", "2", "--processes", "1"]) == 0
    assert determinism.main(["--games", "kuhn", "--repeats", "2", "--processes", "2"]) == 1
