"""Servers in processes of their own, to be killed."""
from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from pathlib import Path

REBORN = Path(__file__).parent / "reborn.py"

SOON = [(f"grpc.{which}_reconnect_backoff_ms", 20) for which in ("initial", "min", "max")]
"""Options of a channel that looks for the next life of its server at once."""


@contextlib.asynccontextmanager
async def process(database: str | os.PathLike[str], folder: Path) -> AsyncIterator[tuple[Process, str]]:
    """A server of this database; `folder` is where it runs. Yields (process, address)."""
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "seatmate.server.service", "--database", str(database), "--workers", "1",
        stdout=asyncio.subprocess.PIPE, cwd=folder)
    try:
        assert server.stdout is not None
        address = (await asyncio.wait_for(server.stdout.readline(), 60)).decode().strip()
        assert address
        yield server, address
    finally:
        if server.returncode is None:
            server.kill()
        await server.wait()


async def kill(server: Process) -> None:
    """As a power cut."""
    server.send_signal(signal.SIGKILL)
    assert await server.wait() == -signal.SIGKILL


@contextlib.asynccontextmanager
async def mother(database: Path, address: str) -> AsyncIterator[Process]:
    """Of servers that are born at once, one after the other; their bots' searches have all the time they want."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-P", str(REBORN), str(database), address,
                                                   stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def born(process: Process) -> int:
    """The next life of the server; returns its process id once it serves."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(b"live\n")
    return int(await asyncio.wait_for(process.stdout.readline(), 60))


async def die(process: Process, child: int) -> None:
    assert process.stdout is not None
    os.kill(child, signal.SIGKILL)
    assert await process.stdout.readline() == b"dead\n"
