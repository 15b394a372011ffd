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
