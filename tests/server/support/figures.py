"""A server in this process, to be looked into; one that offers its figures for Prometheus, and what they are."""
from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from playing import House
from seatmate.client import connect
from seatmate.server.config import ServerConfig
from seatmate.server.service import Server

Figures = dict[tuple[str, tuple[tuple[str, str], ...]], float]


@asynccontextmanager
async def started(tmp_path: Path, **more: Any) -> AsyncIterator[tuple[Server, House]]:
    """A server to be looked into, and a client of it."""
    server = Server(ServerConfig(**{"address": "127.0.0.1:0", "database": str(tmp_path / "t.sqlite3"), **more}))
    await server.start()
    try:
        async with connect(server.address) as client:
            yield server, House(client, server.address)
    finally:
        await server.stop()


def measured(tmp_path: Path, **more: Any) -> AbstractAsyncContextManager[tuple[Server, House]]:
    """One that offers its figures."""
    return started(tmp_path, workers=1, metrics_port=0, **more)


async def scrape(server: Server) -> tuple[Figures, str]:
    def get() -> str:
        with urllib.request.urlopen(f"http://{server.metrics_address}/metrics", timeout=20) as answer:
            return str(answer.read().decode())

    text = await asyncio.to_thread(get)
    return {(sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in text_string_to_metric_families(text) for sample in family.samples}, text
