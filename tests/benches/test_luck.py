"""Luck: who sits where and draws what wins no more than the tool says; planted luck is found."""
from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import luck
from seatmate.engine.core.registry import list_games, new_game

GAME = new_game("hundred_days", seats=2)


def planted(count: int, card: int, seat: float) -> list[dict[str, Any]]:
    """Games in which who draws a card always wins; else seat 0 does with this chance."""
    chance, rows = random.Random(1), []
    for _ in range(count):
        cards = chance.sample(range(20), 10)
        hands = [sorted(cards[:5]), sorted(cards[5:])]
        first = hands[0].count(card) or (0 if hands[1].count(card) else chance.random() < seat)
        rows.append({"won": [float(first), 1.0 - float(first)], "dealt": [hand[:2] for hand in hands], "drawn": hands})
    return rows


def test_a_card_that_always_wins_is_found() -> None:
    rows = planted(600, 7, 0.5)
    cards = luck.card_rows(GAME, rows)
    assert cards[0]["card"] == 7 and cards[0]["title"] == GAME.names.titles[7]      # type: ignore[attr-defined]
    assert cards[0]["drawn_gain"] == pytest.approx(0.5, abs=0.01) and cards[0]["verdict"] == "missed"
    assert cards[0]["dealt_gain"] == 0.5
    assert len(cards) == 20 and all(one["verdict"] in ("met", "within") for one in cards[1:])
    assert {one["verdict"] for one in luck.seat_rows(rows)} <= {"met", "within"}


def test_a_seat_that_wins_more_is_found() -> None:
    first, second = luck.seat_rows(planted(600, 99, 0.65))
    assert first["verdict"] == "missed" and first["gain"] == pytest.approx(0.15, abs=0.05) and second["verdict"] == "met"
    assert first["gain"] == pytest.approx(-second["gain"])


def test_verdicts() -> None:
    assert [luck.verdict(mean, 0.02, 0.05) for mean in (0.08, 0.06, 0.04, 0.03)] == ["missed", "open", "within", "met"]


@pytest.mark.parametrize("game", [spec.id for spec in list_games() if spec.draws is not None])
def test_what_is_drawn_is_what_comes_to_hand(game: str) -> None:
    """What a seat is dealt is the beginning of what it draws, and nobody else's."""
    table = new_game(game)
    row = luck.play(table, "heuristic", 1, 0)
    assert all(set(dealt) <= set(drawn) for dealt, drawn in zip(row["dealt"], row["drawn"], strict=True))
    state = table.new_state(random.Random("1 0").getrandbits(64))
    for seat in range(table.seats):
        assert row["dealt"][seat] == luck.drawn(state, seat) != []
        assert all(table.spec.draws.title(table, card) for card in row["drawn"][seat])      # type: ignore[union-attr]
    assert not set(row["dealt"][0]) & set(row["dealt"][1])


def test_the_command_goes_on_where_it_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results, whole = tmp_path / "luck.jsonl", tmp_path / "whole.json"
    again = tmp_path / "again.json"
    line = ["hundred_days", "--seats", "2", "--games", "6"]
    assert luck.main([*line, "--json", str(whole)]) == 0
    assert luck.main([*line[:-1], "4", "--results", str(results)]) == 0
    with results.open("a") as out:
        out.write('{"won": [')
    assert luck.main([*line, "--results", str(results), "--json", str(again)]) == 0
    one, other = (json.loads(path.read_text()) for path in (whole, again))
    assert one["seat_rows"] == other["seat_rows"] and one["cards"] == other["cards"] and len(results.read_text().splitlines()) == 7
    assert "more than an equal share" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="something else"):
        luck.main([*line, "--seed", "2", "--results", str(results)])
