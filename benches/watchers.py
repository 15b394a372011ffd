"""How soon do all watchers of a table see a move? Browsers' streams (gRPC-Web over HTTP/1.1) on one table of a real server.

seen: from the sending of SubmitAction to the arrival of its events and observation at a watcher, over all watchers and moves ·
cpu: what the server's process computes for a move and all who see it · one port: what GetTable takes by native gRPC, through the
port that browsers use as well and of a server that has gRPC alone, called in turn. The aim, on an idle machine: half of the
watchers see a move within 20 ms.
"""
from __future__ import annotations

import asyncio
import contextlib
import struct
import sys
import time
from collections.abc import AsyncIterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

import command_line
import machine
from seatmate.client import Client, bearer, connect
from seatmate.v1 import settings_pb2, table_pb2
from seatmate.v1 import table_service_pb2 as pb
from server_process import server

AIM_MS = 20.0
HIDDEN_S = 0.5
PATH = "/seatmate.v1.TableService/WatchTable"


class Watcher(asyncio.Protocol):
    """One stream. `seen` is when its last bytes came; they are looked at after the measurement."""

    def __init__(self, host: str, body: bytes) -> None:
        self._request = (f"POST {PATH} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/grpc-web+proto\r\n"
                         f"content-length: {len(body) + 5}\r\n\r\n").encode() + struct.pack(">BI", 0, len(body)) + body
        self.bytes = b""
        self.seen = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self.seen = time.perf_counter()
        self.bytes += data

    def messages(self) -> list[pb.WatchTableResponse]:
        """What has come whole: chunks of HTTP, in them frames."""
        head, _, rest = self.bytes.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200") and b"chunked" in head, head
        joined = b""
        while rest:
            size, _, rest = rest.partition(b"\r\n")
            joined, rest = joined + rest[:int(size, 16)], rest[int(size, 16) + 2:]
        made = []
        while joined:
            flags, size = struct.unpack(">BI", joined[:5])
            if flags == 0:
                made.append(pb.WatchTableResponse.FromString(joined[5:5 + size]))
            else:       # the game is over
                assert b"grpc-status: 0\r\n" in joined
            joined = joined[5 + size:]
        return made


def _same(watcher: Watcher) -> Watcher:
    return watcher


@contextlib.asynccontextmanager
async def watching(address: str, table: str, count: int) -> AsyncIterator[list[Watcher]]:
    """So many spectators' streams, each of which has the present."""
    host, _, port = address.rpartition(":")
    body = pb.WatchTableRequest(observer=table, include_observation=True).SerializeToString()
    watchers, began = [Watcher(address, body) for _ in range(count)], time.perf_counter()
    for watcher in watchers:
        await asyncio.get_running_loop().create_connection(partial(_same, watcher), host, int(port))
    while not await until(watchers, began):
        pass
    try:
        yield watchers
    finally:
        for watcher in watchers:
            watcher.transport.close()


def cpu_ms(process: int) -> float:
    """What all threads of a process have computed so far (Linux)."""
    return sum(int(file.read_text().split()[0]) for file in Path(f"/proc/{process}/task").glob("*/schedstat")) / 1e6


async def until(watchers: list[Watcher], since: float) -> bool:
    """Everybody has heard something since then; False if nobody has for a while, as after a hidden move."""
    async with asyncio.timeout(60):
        while any(watcher.seen <= since for watcher in watchers):
            await asyncio.sleep(0.002)
            if time.perf_counter() > since + HIDDEN_S and all(watcher.seen <= since for watcher in watchers):
                return False
    return True


async def moves(client: Client, table: str, tokens: list[str], count: int) -> AsyncIterator[pb.SubmitActionRequest]:
    """Requests of whoever is asked; ends with the game."""
    for _ in range(count):
        for number, token in enumerate(tokens):
            seat = f"{table}/seats/{number}"
            legal = await client.tables.ListLegalActions(pb.ListLegalActionsRequest(seat=seat), metadata=bearer(token))
            if legal.actions:
                yield pb.SubmitActionRequest(seat=seat, action_id=legal.actions[len(legal.actions) // 2].id,
                                             expected_sequence=legal.sequence)
                break
        else:
            return


async def seen_by_all(address: str, process: int, game: str, count: int, most: int) -> dict[str, Any]:
    """Milliseconds until a watcher sees a move, and of the server's CPU for one."""
    delays: list[float] = []
    cpu: list[float] = []
    async with connect(address) as client:
        settings = settings_pb2.GameSettings(game=f"games/{game}")
        made = (await client.tables.CreateTable(pb.CreateTableRequest(settings=settings, access=table_pb2.ACCESS_OPEN))).table
        tokens = [(await client.tables.ClaimSeat(pb.ClaimSeatRequest(name=seat.name))).seat_token for seat in made.seats]
        async with watching(address, made.name, count) as watchers:
            async for request in moves(client, made.name, tokens, most):
                await asyncio.sleep(0.05)       # what the last move set going is over
                used, began = cpu_ms(process), time.perf_counter()
                await client.tables.SubmitAction(request, metadata=bearer(tokens[int(request.seat[-1])]))
                if not await until(watchers, began):
                    continue
                await asyncio.sleep(0.05)
                cpu.append(cpu_ms(process) - used)
                delays += [1000 * (watcher.seen - began) for watcher in watchers]
            told = [watcher.messages() for watcher in watchers]
    assert all(len(messages) == len(cpu) + 1 and messages[-1].HasField("observation") for messages in told)
    return {"game": game, "watchers": count, "moves": len(cpu), "p50": float(np.percentile(delays, 50)),
            "p99": float(np.percentile(delays, 99)), "cpu": float(np.mean(cpu)), "met": bool(np.percentile(delays, 50) <= AIM_MS)}


async def native(addresses: Sequence[str], calls: int) -> list[float]:
    """The median milliseconds of GetTable at each of these servers, which are called in turn."""
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connect(address)) for address in addresses]
        request = pb.CreateTableRequest(settings=settings_pb2.GameSettings(game="games/kuhn"), access=table_pb2.ACCESS_OPEN)
        names = [(await client.tables.CreateTable(request)).table.name for client in clients]
        times: list[list[float]] = [[] for _ in addresses]
        for _ in range(calls):
            for number, client in enumerate(clients):
                began = time.perf_counter()
                await client.tables.GetTable(pb.GetTableRequest(name=names[number]))
                times[number].append(1000 * (time.perf_counter() - began))
    return [float(np.median(one)) for one in times]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = command_line.command(__doc__ or "", ["python benches/watchers.py", "python benches/watchers.py --games hyde --check"])
    parser.add_argument("--games", nargs="+", metavar="GAME", default=["connect_four", "hyde"])
    parser.add_argument("--watchers", type=command_line.whole(1), default=200, metavar="N")
    parser.add_argument("--moves", type=command_line.whole(1), default=30, metavar="N", help="of each game, at most")
    parser.add_argument("--calls", type=command_line.whole(1), default=2000, metavar="N", help="of GetTable by native gRPC")
    parser.add_argument("--check", action="store_true", help="exit with 1 when the aim is missed")
    options = parser.parse_args(arguments)
    where, console = machine.facts(), machine.console(options.json)
    table = Table(title=f"A move and {options.watchers} watchers, milliseconds", caption=machine.sentence(where))
    for column in ("game", "moves", "seen p50", "seen p99", "cpu", ""):
        table.add_column(column, justify="left" if column in ("game", "") else "right")
    rows = []
    with server() as running, server("--no-web") as alone:
        for game in options.games:
            row = asyncio.run(seen_by_all(running.address, running.process, game, options.watchers, options.moves))
            rows.append(row)
            table.add_row(game, str(row["moves"]), f"{row['p50']:.1f}", f"{row['p99']:.1f}", f"{row['cpu']:.1f}",
                          "[green]met" if row["met"] else "[red]not met")
        joint, direct = asyncio.run(native((running.address, alone.address), options.calls))
    console.print(table)
    console.print(f"GetTable by native gRPC, median: {joint:.2f} ms through the one port, {direct:.2f} ms of gRPC alone")
    machine.write_json(options.json, {"machine": where, "rows": rows, "native": {"one_port": joint, "alone": direct}})
    return 1 if options.check and not all(row["met"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
