"""Matches against OpenSpiel's searches: blocks add up to the match, and the report says what was played."""
from __future__ import annotations

import json
import math
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("pyspiel", reason="open_spiel is not installed: nobody to play against")

import pyspiel

import head_to_head
from head_to_head import CHEATED, GAMES, Block, Patient, blocks, main, merge, play_block, run_blocks
from open_spiel_native import NATIVE
from seatmate.ai.adapters.openspiel import MatchResult


def result(utilities: list[tuple[float, float]], moves: tuple[int, int], slowest: tuple[float, float]) -> MatchResult:
    return MatchResult(game="g", bot="b", deals=len(utilities), seed=1, utilities=tuple(utilities), mean=0.0, ci95=0.0, fair=0.5,
                       moves=moves, seconds=(moves[0] / 10, moves[1] / 20), slowest=slowest)


def test_blocks_become_one_match() -> None:
    score = merge([result([(1.0, 0.5), (0.5, 0.5)], (3, 4), (0.1, 0.3)), result([(1.0, 1.0)], (2, 6), (0.2, 0.1))])
    assert score.mean == pytest.approx((0.75 + 0.5 + 1.0) / 3)
    deviation = math.sqrt(((0.75 - 0.75) ** 2 + 0.25**2 + 0.25**2) / 2)
    assert score.ci95 == pytest.approx(4.302653 * deviation / math.sqrt(3))     # t with 2 degrees of freedom
    assert list(score.by_seat) == pytest.approx([2.5 / 3, 2 / 3])
    assert (score.moves, score.slowest) == ((5, 10), (0.2, 0.3))
    assert list(score.move_ms) == pytest.approx([100, 50])
    assert not score.better
    assert merge([result([(1.0, 0.5), (0.5, 0.5)] * 50, (1, 1), (0, 0))]).better


@pytest.mark.parametrize(("deals", "sizes"), [(2, [2]), (20, [20]), (50, [25, 25]), (200, [20] * 10), (201, [21] * 10)])
def test_every_block_has_its_own_deals(deals: int, sizes: list[int]) -> None:
    work = list(blocks("kuhn", "random", {}, deals, 3))
    assert [block.deals for block in work] == sizes and sum(sizes) >= deals
    assert len({block.seed for block in work}) == len(work)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_can_be_played(name: str) -> None:
    found = play_block(Block(name, "search:iterations=5", {"simulations": 40}, 2, 1))
    assert len(found.utilities) == 2 and found.game == NATIVE[name].game_id and found.fair == 0.5
    assert min(found.moves) > 0 and min(found.seconds) > 0


def test_a_peer_that_got_no_time_is_asked_again() -> None:
    class Starved:
        asked = 0

        def step(self, state: object) -> int:
            self.asked += 1
            if self.asked < 3:
                raise pyspiel.SpielError("node->total_visits = 0")
            return 7

    starved = Starved()
    assert Patient(starved).step(None) == 7 and starved.asked == 3
    starved.asked = -100
    with pytest.raises(pyspiel.SpielError):
        Patient(starved).step(None)


def test_blocks_of_a_process_that_ended_are_played_again(tmp_path: Path) -> None:
    code = """if not __import__("os").path.exists(marker): open(marker, "w").close(); __import__("os").abort()"""
    work = [{"marker": str(tmp_path / str(number))} for number in range(3)]
    steps: list[int] = []
    assert run_blocks(partial(exec, code), work, 2, lambda: steps.append(1)) == [None] * 3
    assert len(steps) == 3 and len(list(tmp_path.iterdir())) == 3


def test_processes_that_always_end_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head_to_head, "ATTEMPTS", 2)
    with pytest.raises(RuntimeError, match="1 of 1 blocks are missing"):
        run_blocks(partial(exec, "__import__('os').abort()"), [{}], 1, lambda: None)


def test_a_strong_bot_beats_a_hasty_peer_and_a_random_one_loses() -> None:
    strong = merge([play_block(Block("connect_four", "search:iterations=2000", {"simulations": 10}, 6, 1))])
    weak = merge([play_block(Block("connect_four", "random", {"simulations": 500}, 6, 1))])
    assert strong.mean > 0.8 and weak.mean < 0.2


def test_who_cheats_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "match.json"
    assert main(["kuhn", "liars_dice-2", "--deals", "2", "--time-ms", "5", "--seed", "7", "--json", str(out)]) == 0
    found = json.loads(out.read_text())
    assert [match["peer"] for match in found["matches"]] == ["ISMCTS", "MCTS, sees all"]
    assert [match["game"] for match in found["matches"]] == ["kuhn", "liars_dice-2"]
    assert "liars_dice-2" in CHEATED and found["bot"] == "search:time_ms=5"
    for match in found["matches"]:
        assert match["deals"] == 2 and all(4.9 <= spent < 20_000 for spent in match["move_ms"])
    assert found["peer"] == {"seconds": 0.005, "exploration": None}
    assert "ISMCTS" in capsys.readouterr().out


def test_equal_simulations(tmp_path: Path) -> None:
    out = tmp_path / "match.json"
    assert main(["tic_tac_toe", "--deals", "2", "--simulations", "30", "--params", "exploration=2", "--json", str(out)]) == 0
    found = json.loads(out.read_text())
    assert found["bot"] == "search:iterations=30:exploration=2.0" and found["peer"]["simulations"] == 30
    assert found["matches"][0]["peer"] == "MCTS" and min(found["matches"][0]["moves"]) > 0
