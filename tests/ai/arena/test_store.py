"""The results file: what it holds, resuming after any interruption, and what it refuses."""
from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from seatmate.ai.arena import (
    Progress,
    ResultsError,
    Sprt,
    TournamentResult,
    TournamentSpec,
    load_results,
    report,
    run_tournament,
)
from seatmate.ai.arena.store import ResultsFile

BOTS = ["random", "heuristic", "search:iterations=20"]


def play(path: Path, **change: Any) -> TournamentResult:
    arguments: dict[str, Any] = {"seats": 2, "bots": BOTS, "deals": 12, "seed": 5, "workers": 1, **change}
    return run_tournament(arguments.pop("game", "kuhn"), results=path, **arguments)


@pytest.fixture
def whole(tmp_path: Path) -> bytes:
    """The file of an uninterrupted tournament."""
    play(tmp_path / "whole.jsonl")
    return (tmp_path / "whole.jsonl").read_bytes()


def sealed(values: dict[str, Any]) -> bytes:
    """A line as the file has it."""
    body = json.dumps(values)[:-1].encode()
    return body + b', "crc32": %d}\n' % zlib.crc32(body)


# ---- What it holds ----

def test_the_file_holds_the_specification_and_every_game(tmp_path: Path, whole: bytes) -> None:
    first, *deals = [json.loads(line) for line in whole.splitlines()]
    assert first["format"] == "seatmate-tournament"
    spec = first["spec"]
    assert spec["settings"]["game"] == "kuhn" and spec["seed"] == 5 and spec["bots"] == BOTS and spec["rules_version"] == 1
    assert spec["policies"][2]["limits"]["iterations"] == 20 and spec["policies"][2]["params"]["exploration"] > 0
    assert [deal["deal"] for deal in deals] == list(range(12))
    for deal in deals:
        assert len(deal["utilities"]) == len(spec["lineups"]) == 6
        assert all(sum(game) == 1 for game in deal["utilities"])
        assert len(deal["decisions"]) == 6 and set(deal["decisions"]) <= {2, 3}


def test_a_file_of_before_decisions_were_counted_is_read_and_goes_on(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "old.jsonl"
    first, *lines = whole.splitlines(keepends=True)
    old = [{key: value for key, value in json.loads(line).items() if key in ("deal", "utilities")} for line in lines]
    path.write_bytes(first + b"".join(map(sealed, old[:5])))
    assert report(path).length is None
    result, expected = play(path), play(tmp_path / "whole.jsonl")
    assert result.length is not None and result.length.games == 7 * 6
    assert replace(result, length=None) == replace(expected, length=None)


@pytest.mark.parametrize(("game", "seats", "options"), [
    ("kuhn", 2, {}), ("hyde", 2, {}), ("goofspiel", 3, {"cards": 5}), ("hanabi", 3, {}), ("hyde", 3, {"outcasts": "random"}),
])
def test_a_result_can_be_reported_from_the_file_alone(tmp_path: Path, game: str, seats: int, options: dict[str, Any]) -> None:
    path = tmp_path / "results.jsonl"
    arguments: dict[str, Any] = {"sprt": Sprt(0.5, 0.55), "ratings": True, "anchor": "heuristic"}
    played = play(path, game=game, seats=seats, options=options, bots=BOTS[:2], **arguments)
    assert report(path, **arguments) == played
    spec, deals = load_results(path)
    assert spec == TournamentSpec.create(game, seats=seats, bots=BOTS[:2], seed=5, options=options)
    assert TournamentSpec.from_json(json.loads(json.dumps(spec.to_json()))) == spec
    assert len(deals) == played.deals


def test_the_file_is_the_same_for_any_number_of_workers(tmp_path: Path, whole: bytes) -> None:
    assert play(tmp_path / "b.jsonl", workers=3) == play(tmp_path / "c.jsonl", workers=2)
    assert (tmp_path / "b.jsonl").read_bytes() == (tmp_path / "c.jsonl").read_bytes() == whole


# ---- Going on ----

def test_more_deals_add_to_the_file_and_fewer_leave_it(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "short.jsonl"
    short = play(path, deals=5)
    assert whole.startswith(path.read_bytes())
    heard: list[Progress] = []
    assert play(path, progress=heard.append) == play(tmp_path / "whole.jsonl")
    assert path.read_bytes() == whole
    assert (heard[-1].games, heard[-1].games_total, heard[-1].games_resumed) == (72, 72, 30)
    assert play(path, deals=5) == short
    assert path.read_bytes() == whole


def test_a_finished_file_is_only_read(tmp_path: Path, whole: bytes) -> None:
    heard: list[Progress] = []
    play(tmp_path / "whole.jsonl", progress=heard.append)
    assert [(now.games, now.games_resumed) for now in heard] == [(72, 72)]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_file_cut_anywhere_grows_back(tmp_path: Path, whole: bytes, workers: int) -> None:
    expected = play(tmp_path / "whole.jsonl")
    lines = whole.splitlines(keepends=True)
    cuts = [0, 1, len(lines[0]) // 2, len(lines[0]) - 1, len(lines[0]), len(lines[0]) + 1, len(whole) // 2,
            len(whole) - len(lines[-1]), len(whole) - 2, len(whole) - 1]
    path = tmp_path / "cut.jsonl"
    for cut in cuts if workers == 1 else cuts[6:7]:
        path.write_bytes(whole[:cut])
        assert play(path, workers=workers) == expected
        assert path.read_bytes() == whole, cut


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_run_keeps_its_deals_and_goes_on(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int) -> None:
    monkeypatch.setattr("seatmate.ai.arena.pool._BATCH_S", 0.01)
    arguments: dict[str, Any] = {"bots": ["search:iterations=20000", "random"], "deals": 30, "workers": workers}
    path, times = tmp_path / "interrupted.jsonl", 0

    def interrupt(now: Progress) -> None:
        if times < 2 and now.games < now.games_total:
            raise KeyboardInterrupt

    while True:
        try:
            result = play(path, progress=interrupt, **arguments)
            break
        except KeyboardInterrupt:
            times += 1
            assert len(path.read_bytes().splitlines()) > 1
    assert times == 2
    assert result == play(tmp_path / "whole.jsonl", **arguments)
    assert path.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_a_killed_run_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    path, expected = tmp_path / "killed.jsonl", tmp_path / "whole.jsonl"
    arguments: dict[str, Any] = {"bots": ["search:iterations=30000", "random"], "deals": 60}
    script = tmp_path / "run.py"
    script.write_text("import sys, time\nfrom seatmate.ai.arena import run_tournament\n"
                      "def wait(now):      # to be killed before it is over, however late that comes\n"
                      "    time.sleep(100 if now.games > 80 else 0)\n"
                      "if __name__ == '__main__':\n"
                      "    run_tournament('kuhn', seats=2, seed=5, workers=2, results=sys.argv[1], progress=wait,"
                      f" **{arguments!r})\n")
    kills = 0
    for lines in (3, 12):
        running = subprocess.Popen([sys.executable, "-P", str(script), str(path)])
        try:
            end = time.monotonic() + 60
            while running.poll() is None and (not path.exists() or path.read_bytes().count(b"\n") < lines):
                assert time.monotonic() < end
                time.sleep(0.01)
            kills += running.poll() is None
        finally:
            running.send_signal(signal.SIGKILL)
            running.wait()
    assert kills == 2, "it was over before it could be killed"
    assert 3 <= path.read_bytes().count(b"\n") < 61
    result = play(path, workers=2, **arguments)
    assert result == play(expected, workers=1, **arguments)
    assert path.read_bytes() == expected.read_bytes()


def test_a_sequential_test_stops_and_resumes_at_the_same_deal(tmp_path: Path) -> None:
    arguments: dict[str, Any] = {"game": "tic_tac_toe", "bots": ["heuristic", "random"], "sprt": Sprt.from_elo(0, 100)}
    path = tmp_path / "test.jsonl"
    ended = play(path, deals=1000, **arguments)
    assert ended.sprt is not None and ended.sprt.verdict == "H1"
    whole = path.read_bytes()
    assert whole.count(b"\n") == 1 + ended.deals
    assert play(path, deals=1000, **arguments) == ended
    path.write_bytes(whole[:len(whole) // 2])
    assert play(path, deals=1000, **arguments) == ended
    assert path.read_bytes() == whole


# ---- What it refuses ----

@pytest.mark.parametrize(("change", "message"), [
    ({"seed": 6}, "seed is 5 there and 6 here"),
    ({"bots": ["random", "heuristic"]}, r'bots is \["random", "heuristic", "search:iterations=20"\] there'),
    ({"bots": ["random", "heuristic", "search:iterations=21"]}, "bots is"),
    ({"game": "leduc"}, 'game is "kuhn" there and "leduc" here'),
    ({"permutations": "rotations"}, "permutations is"),
])
def test_a_file_of_another_tournament_is_left_alone(tmp_path: Path, whole: bytes, change: dict[str, Any], message: str) -> None:
    with pytest.raises(ResultsError, match=f"whole.jsonl belongs to another tournament: {message}"):
        play(tmp_path / "whole.jsonl", **change)
    assert (tmp_path / "whole.jsonl").read_bytes() == whole


@pytest.mark.parametrize(("path", "value", "message"), [
    (("rules_version",), 99, "rules_version is 99 there and 1 here"),
    (("seatmate",), "0.0.1", 'seatmate is "0.0.1" there'),
    (("settings", "pack_hash"), "abc", 'pack_hash is "abc" there'),
    (("settings", "options"), {"x": 1}, "options.x is 1 there and null here"),
])
def test_other_rules_and_other_content_are_another_tournament(
        tmp_path: Path, whole: bytes, path: tuple[str, ...], value: Any, message: str) -> None:
    first, *rest = whole.splitlines(keepends=True)
    header = json.loads(first)
    del header["crc32"]
    place = header["spec"]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    (tmp_path / "other.jsonl").write_bytes(sealed(header) + b"".join(rest))
    with pytest.raises(ResultsError, match=message):
        play(tmp_path / "other.jsonl")


DAMAGE = ("a flipped bit", "a missing line", "a repeated line", "an empty line", "zeros", "a missing game", "a missing seat",
          "no utilities", "a utility out of range", "not a number", "a word", "a broken specification", "no specification",
          "another version", "another format", "another file", "a list")


def damaged(whole: bytes) -> dict[str, tuple[bytes, str]]:
    """Damaged files and what is said of them."""
    first, *deals = whole.splitlines(keepends=True)
    flipped = bytearray(whole)
    flipped[len(first) + len(deals[0]) + 30] ^= 1
    header = json.loads(first)
    del header["crc32"]
    good = json.loads(deals[0])["utilities"]
    return {
        "a flipped bit": (bytes(flipped), "line 3 does not match its checksum"),
        "a missing line": (whole.replace(deals[4], b""), "line 6: deal 4 is expected, not 5"),
        "a repeated line": (whole.replace(deals[4], deals[4] * 2), "line 7: deal 5 is expected, not 4"),
        "an empty line": (first + b"\n" + b"".join(deals), "line 2 has no checksum"),
        "zeros": (first + deals[0] + b"\0" * 100 + b"\n", "line 3 has no checksum"),
        "a missing game": (first + sealed({"deal": 0, "utilities": good[1:]}), "6 games of 2 utilities"),
        "a missing seat": (first + sealed({"deal": 0, "utilities": [[1.0]] * 6}), "6 games of 2 utilities"),
        "no utilities": (first + sealed({"deal": 0}), "6 games of 2 utilities"),
        "a utility out of range": (first + sealed({"deal": 0, "utilities": [[1.5, 0]] * 6}), "1.5 is not a number in 0..1"),
        "not a number": (first + sealed({"deal": 0, "utilities": [[float("nan"), 0]] * 6}), "nan is not a number in 0..1"),
        "a word": (first + sealed({"deal": 0, "utilities": [["1", 0]] * 6}), "'1' is not a number in 0..1"),
        "a broken specification": (sealed({**header, "spec": {**header["spec"], "lineups": [[0, 7]]}}), "specification is broken"),
        "no specification": (sealed({**header, "spec": 3}), "specification is broken"),
        "another version": (sealed({**header, "version": 2}), "version 2 of the results format"),
        "another format": (sealed({"format": "x"}), "no results file"),
        "another file": (b"Dear diary,\n", "no results file"),
        "a list": (b'[1, "crc32": 5}\n', "does not match its checksum"),
    }


@pytest.mark.parametrize("change", [
    {"bots": ["=1+1", "<b>"]}, {"bots": ["random", "a|b"]}, {"seed": -5}, {"cooperative": True}, {"policies": [{}, {}]},
    {"policies": [{"kind": "random", "limits": 5}] * 2}, {"settings": {"game": 5}}, {"settings": {"options": [1]}},
    {"settings": {"seats": "2"}}], ids=str)
def test_a_specification_that_nobody_plays_is_refused(tmp_path: Path, whole: bytes, change: dict[str, Any]) -> None:
    """Made by somebody's hand: its checksums are right."""
    first, *deals = whole.splitlines(keepends=True)
    header = json.loads(first)
    del header["crc32"]
    spec = header["spec"]
    header["spec"] = {**spec, **change, "settings": {**spec["settings"], **change.get("settings", {})}}
    path = tmp_path / "made.jsonl"
    path.write_bytes(sealed(header) + b"".join(deals))
    with pytest.raises(ResultsError, match="specification is broken"):
        load_results(path)


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_file_is_refused_and_left_as_it_is(tmp_path: Path, whole: bytes, kind: str) -> None:
    assert set(damaged(whole)) == set(DAMAGE)
    content, message = damaged(whole)[kind]
    path = tmp_path / "damaged.jsonl"
    path.write_bytes(content)
    with pytest.raises(ResultsError, match=message) as loading:
        load_results(path)
    assert "damaged.jsonl" in str(loading.value)
    with pytest.raises(ResultsError, match=message):
        play(path)
    assert path.read_bytes() == content


def test_a_file_without_a_line_break_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(b"buy milk")
    with pytest.raises(ResultsError, match="left as it is"):
        play(path)
    assert path.read_bytes() == b"buy milk"
    with pytest.raises(ResultsError, match="holds no tournament yet"):
        load_results(path)


def test_two_runs_cannot_write_one_file(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "whole.jsonl"
    with ResultsFile(path, TournamentSpec.create("kuhn", seats=2, bots=BOTS, seed=5)) as file:
        assert len(file.deals) == 12
        with pytest.raises(ResultsError, match="in use"):
            play(path)
    assert play(path).deals == 12


def test_files_that_cannot_be_opened_are_the_systems_errors(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        play(tmp_path / "missing" / "results.jsonl")
    with pytest.raises(FileNotFoundError):
        load_results(tmp_path / "missing.jsonl")
    with pytest.raises(IsADirectoryError):
        play(tmp_path)
