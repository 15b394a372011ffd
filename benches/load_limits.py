"""How much at most: actions a server stores where bots play among themselves, and rows the storage writes by itself."""
from __future__ import annotations

import argparse
import asyncio
import contextlib
import secrets
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from seatmate.client import Client, connect
from seatmate.engine.core.registry import game_spec, new_game
from seatmate.server.config import ServerConfig
from seatmate.server.rows import ActionRow, SeatRow, TableRow
from seatmate.server.storage import Storage, now_us
from seatmate.v1 import settings_pb2, table_pb2
from seatmate.v1 import table_service_pb2 as pb
from server_process import Running, server

ACTIONS_AIM = 3_000.0
"""A second."""

_LOOK_S = 0.1       # between two looks into the database: who asks the server counts as somebody who looks at the table
_WARM_S = 1.0
_DEALT_AT_ONCE = 16


def actions(options: argparse.Namespace, console: Console) -> dict[str, Any]:
    """Stored actions a second of so many tables of bots. A finished game is followed by another."""
    with server() as running:
        dealt, seconds, used_s, memory_mb, stored = asyncio.run(_bots(running, options))
    row = {"rpc": "stored actions", "per_second": stored / seconds, "met": stored / seconds >= ACTIONS_AIM}
    console.print(f"{row['per_second']:,.0f} actions/s are stored in all (the aim is {ACTIONS_AIM:,.0f}): {options.tables} tables "
                  f"of {', '.join(options.games)} among {options.bot} bots, {seconds:.1f} s; {dealt / seconds:,.1f} tables/s were "
                  f"new, the server took {100 * used_s / seconds:.0f} % CPU and {memory_mb:.0f} MB", highlight=False)
    return {"rows": [row], "actions": stored, "dealt": dealt, "seconds": seconds, "server": {
        "cpu_percent": 100 * used_s / seconds, "memory_end_mb": memory_mb}}


async def _bots(running: Running, options: argparse.Namespace) -> tuple[int, float, float, float, int]:
    """(tables dealt, seconds, seconds of CPU, MB, actions stored) of the measured time."""
    requests = [_of_bots(game, options.bot) for game in options.games]
    turn = asyncio.Semaphore(_DEALT_AT_ONCE)

    async def deal(client: Client, number: int) -> None:
        async with turn:
            await client.tables.CreateTable(requests[number % len(requests)], timeout=60)

    dealt = 0
    async with connect(running.address) as client:
        with contextlib.closing(sqlite3.connect(f"file:{running.database}?mode=ro", uri=True)) as database:
            def count(what: str) -> int:
                return int(database.execute(f"SELECT count(*) FROM {what}").fetchone()[0])

            async def go_on(seconds: float) -> None:
                nonlocal dealt
                until = time.monotonic() + seconds
                while time.monotonic() < until:
                    missing = options.tables - dealt + count("tables WHERE finished")
                    await asyncio.gather(*[deal(client, dealt + number) for number in range(missing)])
                    dealt += missing
                    await asyncio.sleep(_LOOK_S)

            await go_on(_WARM_S)
            before, began, used_s, stored = dealt, time.monotonic(), running.cpu_s, count("actions")
            await go_on(options.seconds)
            stored, seconds = count("actions") - stored, time.monotonic() - began
            return dealt - before, seconds, running.cpu_s - used_s, running.memory_mb, stored


def _of_bots(game: str, bot: str) -> pb.CreateTableRequest:
    mode = game_spec(game).modes[0]
    return pb.CreateTableRequest(
        settings=settings_pb2.GameSettings(game=f"games/{game}", mode=mode.key, seat_count=mode.seats[-1]),
        bots=[table_pb2.SeatPlan(seat=seat, bot=bot) for seat in range(mode.seats[-1])])


def writes(options: argparse.Namespace, console: Console) -> dict[str, Any]:
    """Rows a second of the storage alone: a task for each table appends one action after the other."""
    times = asyncio.run(_appends(options.tables, options.seconds))
    p50, p99, most = np.percentile(times, [50, 99, 100]).tolist()
    row = {"rpc": "Storage.append", "calls": len(times), "per_second": len(times) / options.seconds, "p50": p50, "p99": p99,
           "max": most, "met": None}
    console.print(f"{row['per_second']:,.0f} rows/s by {options.tables} tasks, {options.seconds:g} s; one append takes {p50:.2f} "
                  f"ms (p50), {p99:.2f} (p99), {most:.2f} at most", highlight=False)
    return {"rows": [row]}


async def _appends(tables: int, seconds: float) -> list[float]:
    """Milliseconds of each append."""
    times: list[float] = []
    settings = new_game("kuhn").settings
    with tempfile.TemporaryDirectory(prefix="seatmate-") as folder:
        storage = Storage(ServerConfig(database=str(Path(folder) / "tables.sqlite3")).database_url)
        await storage.open()
        try:
            ids = [secrets.token_hex(8) for _ in range(tables)]
            for table in ids:
                await storage.create(TableRow(id=table, settings=settings.to_json(), rules_version=1, seed=1, display_name="",
                                              is_open=False, token_hash=bytes(32), created_us=now_us()),
                                     [SeatRow(seat=seat) for seat in range(settings.seats)])
            end = time.monotonic() + seconds

            async def write(table: str) -> None:
                number = 0
                while (began := time.monotonic()) < end:
                    await storage.append(table, number, ActionRow(seat=number % settings.seats, action=0, request_id=f"{number}"))
                    times.append(1000 * (time.monotonic() - began))
                    number += 1

            await asyncio.gather(*[write(table) for table in ids])
        finally:
            await storage.close()
    return times
