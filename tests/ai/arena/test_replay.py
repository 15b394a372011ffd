"""Any game of a results file can be seen again."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seatmate.ai.arena import ResultsError, TournamentError, load_results, replay, run_balance, run_tournament
from seatmate.ai.arena.pool import DealPlayer
from seatmate.ai.arena.store import _line


def play(path: Path, **change: Any) -> Path:
    run_tournament(**{"game_id": "leduc", "seats": 2, "bots": ["random", "search:iterations=20"], "deals": 3, "seed": 4,
                      "workers": 1, "results": path, **change})
    return path


@pytest.mark.parametrize("more", [
    {}, {"keep_games": True}, {"game_id": "hyde", "seats": 3, "bots": ["random", "heuristic"]},
    {"game_id": "kuhn", "bots": ["random", "random", "search:iterations=30:reuse=true"]},
    {"game_id": "liars_dice", "seats": 3, "bots": ["search:iterations=10", "random"], "keep_games": True},
])
def test_a_replay_comes_out_as_the_game_did(tmp_path: Path, more: dict[str, Any]) -> None:
    path = play(tmp_path / "a.jsonl", **more)
    spec, deals = load_results(path)
    for deal in range(3):
        for game, lineup in enumerate(spec.lineups):
            found = replay(path, deal, game)
            assert found.bots == tuple(spec.labels[bot] for bot in lineup) and list(found.utilities) == deals[deal][game]
            assert found.record.replay().returns() == deals[deal][game]


def test_games_that_are_kept_are_those_that_were_played(tmp_path: Path) -> None:
    _, plain = load_results(play(tmp_path / "a.jsonl"))
    path = play(tmp_path / "b.jsonl", keep_games=True, workers=2)
    _, kept = load_results(path)
    assert plain == kept and all(deal.actions is None for deal in plain)
    assert [replay(path, 1, game).record for game in (0, 1)] == [replay(tmp_path / "a.jsonl", 1, game).record for game in (0, 1)]
    with pytest.raises(ResultsError, match="keeps_games is false there and true here"):
        play(tmp_path / "a.jsonl", keep_games=True)
    with pytest.raises(TournamentError, match="none is named"):
        play(tmp_path / "c.jsonl", keep_games=True, results=None)


def test_bots_that_watch_the_clock_need_their_games_kept(tmp_path: Path) -> None:
    call: dict[str, Any] = {"bots": ["search:time_ms=1", "random"], "deals": 2}
    with pytest.raises(ResultsError, match="keep games with --keep-games"):
        replay(play(tmp_path / "a.jsonl", **call), 0)
    path = play(tmp_path / "b.jsonl", keep_games=True, **call)
    assert replay(path, 1, 1).bots == ("random", "search:time_ms=1")


def test_a_balance_is_replayed_with_its_own_options(tmp_path: Path) -> None:
    run_balance("titans", bot="random", deals=2, seed=1, workers=1, results=tmp_path / "a.jsonl")
    spec, _ = load_results(tmp_path / "a.jsonl")
    found = replay(tmp_path / "a.jsonl", 1, 5)
    options = {key: str(value) for key, value in found.record.settings["options"].items()}
    assert dict(spec.overrides(5)).items() <= options.items()


def test_what_cannot_be_replayed_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = play(tmp_path / "a.jsonl")
    for deal, game, words in ((3, 0, "has no deal 3; it has 3"), (-1, 0, "no deal -1"),
                              (0, 2, "no game 2 of a deal; each deal has 2")):
        with pytest.raises(ResultsError, match=words):
            replay(path, deal, game)
    again = DealPlayer.play_again
    monkeypatch.setattr(DealPlayer, "play_again", lambda player, deal, game: again(player, deal + 1, game))
    with pytest.raises(ResultsError, match="comes out otherwise now"):
        for deal in range(3):
            replay(path, deal)


@pytest.mark.parametrize("more", [{}, {"keep_games": True}])
def test_another_version_of_the_rules_is_refused_however_the_game_comes_out(tmp_path: Path, more: dict[str, Any]) -> None:
    path = play(tmp_path / "a.jsonl", **more)
    head, *deals = path.read_bytes().splitlines(keepends=True)
    line = json.loads(head)
    del line["crc32"]
    line["spec"]["rules_version"] = 99
    path.write_bytes(_line(line) + b"".join(deals))
    with pytest.raises(ResultsError, match="was played under rules version 99 of leduc; this is version"):
        replay(path, 0)


@pytest.mark.parametrize(("actions", "words"), [
    (None, "actions of 2 games are expected"), ([], "actions of 2 games"), ([[], [["0", 1]]], "actions of 2 games"),
    ([[[0, 77]], []], "don't fit the rules"), ([[], []], "comes out otherwise"),
])
def test_broken_actions_are_refused(tmp_path: Path, actions: Any, words: str) -> None:
    path = play(tmp_path / "a.jsonl", keep_games=True)
    head, first, *_ = path.read_bytes().splitlines(keepends=True)
    line = json.loads(first)
    del line["crc32"]
    changed = {**line, "actions": actions} if actions is not None else {"deal": 0, "utilities": line["utilities"]}
    path.write_bytes(head + _line(changed))
    with pytest.raises(ResultsError, match=words):
        replay(path, 0, 0)
