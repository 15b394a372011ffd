"""The programs of docs/front-ends.md play a whole game, while the server is restarted under them."""
from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import sqlite3
import subprocess
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from seatmate.engine.core.record import Record
from seatmate.server.config import ServerConfig
from seatmate.server.service import Server

pytestmark = pytest.mark.asyncio

ROOT = Path(__file__).parents[2]
RESTART_AT = (2, 5)
"""Before which decisions the server is restarted."""

NODE_RUNS = """
const { play } = require("./page.js");
const choose = async (question, actions) => {
  await fetch(`http://127.0.0.1:${process.argv[4]}/`);     // the test restarts the server now and then
  return actions[0].id;
};
play(process.argv[2], "games/hyde", process.argv[3], choose);
"""


def program(language: str) -> str:
    """The program of the page in this language."""
    found = re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs" / "front-ends.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(found) == 1
    return str(found[0])


class Restarted:
    """A server that comes back at the same address, with the same tables."""

    def __init__(self, folder: Path) -> None:
        self.config = ServerConfig(address=f"unix:{folder}/socket", database=str(folder / "t.sqlite3"), workers=1, grace_s=0.1)
        self.server = Server(self.config)
        self.decisions = 0

    async def decide(self) -> None:
        """A decision: restart before some of them."""
        self.decisions += 1
        if self.decisions in RESTART_AT:
            await self.server.stop()
            self.server = Server(self.config)
            await self.server.start()


    async def told(self) -> list[str]:
        """What seat 0 of the one table had to be told, from the deal to the result: nothing twice, nothing left out."""
        with contextlib.closing(sqlite3.connect(self.config.database)) as database:
            (table_id,), = database.execute("select id from tables").fetchall()     # a private one: it stands in no list
        async with self.server._tables.use(table_id) as table:
            state = Record.from_json(table.state.record.to_json()).replay()
        texts = [state.game.event_text(event, 0) for event in state.events(0)]
        return [line for text in texts if text for line in text.splitlines()] + [state.game.result_text(state)]


async def test_the_python_program_plays_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = types.ModuleType("page")
    exec(compile(program("python"), "docs/front-ends.md", "exec"), vars(page))
    running = Restarted(tmp_path)

    async def choose(question: str, actions: Sequence[Any]) -> int:
        assert question and all(action.label for action in actions)
        await running.decide()
        return int(actions[0].id)

    await running.server.start()
    try:
        await asyncio.wait_for(page.play(running.config.address, "games/hyde", choose), 120)
        assert running.decisions > max(RESTART_AT)
        assert capsys.readouterr().out.splitlines() == await running.told()
    finally:
        await running.server.stop()


async def test_the_javascript_program_plays_a_game(tmp_path: Path) -> None:
    node = shutil.which("node")
    found = "require('@grpc/grpc-js'); require('@grpc/proto-loader')"
    if node is None or subprocess.run([node, "-e", found], cwd=ROOT, check=False, capture_output=True).returncode:
        pytest.skip("needs node with @grpc/grpc-js and @grpc/proto-loader, below this folder or in NODE_PATH")
    (tmp_path / "page.js").write_text(program("javascript"), encoding="utf-8")
    (tmp_path / "run.js").write_text(NODE_RUNS, encoding="utf-8")
    running = Restarted(tmp_path)

    async def decided(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        await running.decide()
        writer.write(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    await running.server.start()
    bell = await asyncio.start_server(decided, "127.0.0.1", 0)
    try:
        process = await asyncio.create_subprocess_exec(
            node, str(tmp_path / "run.js"), running.config.address, str(ROOT / "proto"), str(bell.sockets[0].getsockname()[1]),
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
        out, err = await asyncio.wait_for(process.communicate(), 120)
        assert (process.returncode, err) == (0, b"")
        assert running.decisions > max(RESTART_AT)
        assert out.decode().splitlines() == await running.told()
    finally:
        bell.close()
        await running.server.stop()
