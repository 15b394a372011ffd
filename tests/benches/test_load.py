"""The load driver: that it makes every kind of call, counts each, and would notice what is lost or refused."""
from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import load
from load_work import Clients, Plan, Result
from seatmate.engine.core.registry import list_games

CALLS = set(load.ORDER)


def test_a_small_load(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "load.json"
    assert load.main(["--games", "kuhn", "tic_tac_toe", "connect_four", "--tables", "6", "--seconds", "2", "--think", "0.1",
                      "--watch", "1", "--hints", "3", "--hint-ms", "10", "30", "--rate", "2", "--processes", "2",
                      "--json", str(out)]) == 0
    found = json.loads(out.read_text())
    rows = {row["rpc"]: row for row in found["rows"]}
    hints = ("SuggestActions", "Analyze")   # one may come when its question has just been answered
    assert set(rows) == CALLS and not any(row["dropped"] for rpc, row in rows.items() if rpc not in hints)
    assert all(0 < row["p50"] <= row["p99"] <= row["max"] for row in rows.values())
    assert found["acknowledged"] >= rows["SubmitAction"]["calls"] > 10 and found["stored"]["lost"] == 0
    assert found["stored"]["bots"] > 0 and found["stored"]["people"] > 10
    assert found["finished"] > 0 and found["server"]["memory_max_mb"] > 20 and found["server"]["cpu_percent"] > 0
    assert len(found["clients"]) == 2 and all(one["lag_p99_ms"] >= 0 for one in found["clients"])
    said = " ".join(capsys.readouterr().out.split())
    assert all(rpc in said for rpc in CALLS) and "0 are lost" in said


def test_tables_of_bots_alone(tmp_path: Path) -> None:
    out = tmp_path / "actions.json"
    assert load.main(["--actions", "--tables", "4", "--seconds", "1", "--json", str(out)]) == 0
    found = json.loads(out.read_text())
    assert found["actions"] > 20 and found["rows"][0]["per_second"] == pytest.approx(found["actions"] / found["seconds"])


def test_the_storage_alone(tmp_path: Path) -> None:
    out = tmp_path / "writes.json"
    assert load.main(["--writes", "--tables", "4", "--seconds", "0.5", "--json", str(out)]) == 0
    (row,) = json.loads(out.read_text())["rows"]
    assert row["calls"] > 20 and 0 < row["p50"] <= row["p99"] <= row["max"]


def test_latency_counts_from_the_planned_time_and_only_within_the_measured_time() -> None:
    async def answers(request: Any, **_: Any) -> Any:
        return request

    clients = Clients(Plan("", (), think_s=1.0, seconds=10.0, hints=0, hint_ms=(1, 1), rate=0.0, seed=1))
    now = time.monotonic()
    clients.clock.begin, clients.clock.end = now - 3, now - 1
    for ago in (4, 2, 0):       # too early, late by two seconds, too late
        asyncio.run(clients.call("GetTable", answers, None, planned=now - ago))
    (took,) = clients.result.ms["GetTable"]
    assert 2000 <= took < 2000 + 60_000 and clients.open(now - 2) and not clients.open(now)


def test_what_is_lost_is_counted(tmp_path: Path) -> None:
    database = tmp_path / "tables.sqlite3"
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE actions (request_id TEXT, written_us INTEGER)")
        connection.executemany("INSERT INTO actions VALUES (?, ?)", [("a", 10), (None, 20), (None, 30), ("b", 99)])
    assert load.stored(database, 10, 30, ["a", "b", "c"]) == {"actions": 3, "people": 1, "bots": 2, "lost": 1}


def test_what_is_refused_is_counted_and_fails_an_aim() -> None:
    result = Result()
    result.ms["Check"] += [1.0] * 98 + [100.0] * 2
    result.errors["SubmitAction"] = Counter(UNAVAILABLE=3)
    submits, health = load.rows(result, 10.0)
    assert submits["dropped"] == {"UNAVAILABLE": 3} and submits["p50"] is None and submits["met"] is False
    assert health["calls"] == 100 and health["per_second"] == 10 and health["met"] is False and health["dropped"] == {}


def test_growth_is_that_of_the_second_half() -> None:
    watch = load.Watch(memory=[(0.0, 50.0), (30.0, 500.0), (60.0, 600.0), (90.0, 603.0), (120.0, 606.0)])
    assert watch.growth_mb_per_minute() == pytest.approx(6.0)


def test_every_game_is_played_in_its_modes_and_seats() -> None:
    games = {spec.id: spec for spec in list_games()}
    made = load.deals(list(games), 500, 0.2, 1)
    assert len(made) == 500 and {deal.game for deal in made} == {f"games/{game}" for game in games}
    for deal in made:
        mode = next(mode for mode in games[deal.game.partition("/")[2]].modes if mode.key == deal.mode)
        assert deal.seats in mode.seats and 0 <= deal.human < deal.seats
    assert 0.1 < sum(deal.watched for deal in made) / 500 < 0.3
