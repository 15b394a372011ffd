"""Bots of one's own at tables: `serve --bot-file FILE`."""
from __future__ import annotations

import json
import logging
import sys
from pathlib import Path

import pytest
from grpc import StatusCode

from playing import House, refused
from seatmate.client import connect
from seatmate.server.config import Pacing, ServerConfig
from seatmate.server.options import StartupError
from seatmate.server.service import running_server
from seatmate.v1 import catalog_service_pb2 as catalog

from .cli.conftest import CommandLine, seatmate

__all__ = ["seatmate"]      # the fixture

pytestmark = pytest.mark.usefixtures("own_bots")

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def config(folder: Path, *files: Path) -> ServerConfig:
    return ServerConfig(address="127.0.0.1:0", database=str(folder / "t.sqlite3"), workers=2, bot_files=files,
                        pacing=Pacing(answer_ms=None))


def failing(folder: Path) -> Path:
    """A program that ends when it is asked."""
    (folder / "failing.py").write_text('import sys\nsys.stdin.readline()\n'
                                       'print(\'{"type": "hello", "protocol": 1}\', flush=True)\nsys.stdin.readline()\n')
    file = folder / "failing.toml"
    file.write_text(f"[failing]\ncommand = {json.dumps([sys.executable, '-S', 'failing.py'])}\n")
    return file


@pytest.mark.asyncio
async def test_a_table_seats_what_the_server_has_loaded_and_nothing_else(
        tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    loaded = (EXAMPLES / "bluffer.py", EXAMPLES / "stranger.toml", failing(tmp_path))
    with caplog.at_level(logging.ERROR):
        async with running_server(config(tmp_path, *loaded)) as address, connect(address) as client:
            house = House(client, address)
            listed = [bot.name for bot in (await client.catalog.ListBots(catalog.ListBotsRequest())).bots]
            assert listed[-3:] == ["bots/bluffer", "bots/stranger", "bots/failing"]
            table = await house.table("liars_dice", seats=3, bots={0: "failing", 1: "stranger", 2: "bluffer"}, seed=3)
            assert (await table.finished(20)).is_over
            for wrong in (str(loaded[0]), "python:bluffer.py", "bluffer.py"):
                async with refused(StatusCode.INVALID_ARGUMENT, "UNKNOWN_BOT"):
                    await house.table("kuhn", bots={0: wrong, 1: "random"})
            async with refused(StatusCode.INVALID_ARGUMENT, "UNKNOWN_BOT", "more than this service allows"):
                await house.table("kuhn", bots={0: "stranger:time_ms=1000000", 1: "random"})
    said = [record for record in caplog.records if "its heuristic plays this decision" in record.message]
    assert said and {record.seat for record in said} == {0}, [(record.seat, record.why) for record in said]
    assert said[0].why == "it ended (exit code 0)"


@pytest.mark.asyncio
async def test_a_server_with_a_file_that_is_wrong_does_not_start(tmp_path: Path) -> None:
    with pytest.raises(StartupError, match=r"missing.py does not exist"):
        async with running_server(config(tmp_path, tmp_path / "missing.py")):
            pass


def test_a_bot_of_ones_own_in_the_terminal(seatmate: CommandLine, tmp_path: Path) -> None:
    shown = seatmate("bots", "--bot-file", str(EXAMPLES / "stranger.toml"), "stranger")
    assert shown.code == 0 and "Takes the last answer it is offered." in shown.stdout and "time_ms" in shown.stdout
    load = ("--bot-file", str(failing(tmp_path)))
    shown = seatmate("play", "kuhn", "--seed", "1", *load, "--bots", "failing", stdin="1\n1\n")
    said = " ".join(shown.stdout.split())
    assert shown.code == 0 and "failing failed (it ended (exit code 0)); the heuristic answers for it" in said
    shown = seatmate("tournament", "kuhn", "--bots", "failing,random", "--deals", "2", "--seed", "1")
    said = " ".join(shown.stdout.split())
    assert shown.code == 0 and "failing: " in said and "failures: the heuristic played the decisions it did not take" in said
    seatmate("tournament", "kuhn", "--bot-file", "none.py").refused(2, "none.py does not exist")
