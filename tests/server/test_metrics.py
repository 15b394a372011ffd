"""Figures for Prometheus, scraped from a real server."""
from __future__ import annotations

import asyncio
import socket
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from grpc import StatusCode

from figures import measured, scrape
from playing import refused
from seatmate.server.config import ServerConfig
from seatmate.server.options import StartupError
from seatmate.server.service import Server
from seatmate.v1 import analysis_pb2
from seatmate.v1 import catalog_service_pb2 as catalog

pytestmark = pytest.mark.asyncio

def calls(method: str, code: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    return "seatmate_calls_total", (("code", code), ("method", f"/seatmate.v1.{method}"))


async def test_calls_searches_and_bots_are_counted(tmp_path):
    async with measured(tmp_path) as (server, house):
        before, _ = await scrape(server)
        assert before["seatmate_tables_in_memory", ()] == 0
        table = await house.table("leduc", seed=1, bots={1: "search:iterations=40"})
        player = await table.claim(0)
        for _ in range(3):
            await house.client.catalog.ListGames(catalog.ListGamesRequest())
        async with refused(StatusCode.NOT_FOUND, "UNKNOWN_GAME"):
            await house.client.catalog.GetGame(catalog.GetGameRequest(name="games/chess"))
        await player.suggest(budget=analysis_pb2.Budget(iterations=500))
        snapshots = [answer.analysis.iterations async for answer in player.analyze(budget=analysis_pb2.Budget(iterations=3000))]
        await player.leave(bot="heuristic")
        await table.finished()
        await asyncio.sleep(0.2)        # a move is counted when it is on disk: the last one just after the table has heard of it
        figures, text = await scrape(server)
        assert figures[calls("CatalogService/ListGames", "OK")] == 3
        assert figures[calls("CatalogService/GetGame", "NOT_FOUND")] == 1
        assert calls("CatalogService/GetGame", "OK") not in figures
        labels = (("method", "/seatmate.v1.CatalogService/ListGames"),)
        assert figures["seatmate_call_seconds_count", labels] == 3
        assert 0 < figures["seatmate_call_seconds_sum", labels] < 60
        assert figures["seatmate_bot_moves_total", (("bot", "search"),)] >= 1
        assert figures["seatmate_search_simulations_total", (("lane", "hint"),)] >= 500 + snapshots[-1]
        assert figures["seatmate_search_simulations_total", (("lane", "hint"),)] < 500 + snapshots[-1] + 200
        moves = figures["seatmate_bot_moves_total", (("bot", "search"),)]
        assert 40 <= figures["seatmate_search_simulations_total", (("lane", "bot"),)] < 60 * (moves + 1)     # one is on its way
        assert figures["seatmate_tables_in_memory", ()] == 1
        for key in ("seatmate_searches_running", "seatmate_hints_waiting", "seatmate_bots_waiting"):
            assert figures[key, ()] == 0
        # Nothing of the table, nor of who plays there.
        secrets = [table.name, table.name.removeprefix("tables/"), table.token, player.token]
        assert all(len(secret) > 8 and secret not in text for secret in secrets)
        labels_used = {key for _, pairs in figures for key, _ in pairs}
        assert labels_used <= {"method", "code", "bot", "lane", "le", "queue", "operation"}


async def test_waiting_and_storing_are_measured(tmp_path):
    """One worker: of two hints at once the second waits for the first, the database is quick."""
    async with measured(tmp_path) as (server, house):
        players = [(await (await house.table("leduc", seed=number)).claim_all())[0] for number in range(2)]
        await asyncio.gather(*(player.suggest(budget=analysis_pb2.Budget(time_ms=200)) for player in players))
        await house.table("kuhn", bots={0: "search:time_ms=20", 1: "search:time_ms=20"})
        await asyncio.sleep(0.5)
        figures, _ = await scrape(server)

        def of(name: str, label: str, what: str) -> tuple[float, float]:
            count, total = (figures[f"seatmate_{name}_seconds_{part}", ((label, what),)] for part in ("count", "sum"))
            return count, total

        count, total = of("queue", "queue", "hint")
        assert count >= 2 and 0.1 < total < 2
        assert of("queue", "queue", "bot")[0] >= 2
        writes, wrote_s = of("storage", "operation", "write")
        waits, waited_s = of("queue", "queue", "write")
        assert waits >= writes >= 7 and 0 < wrote_s < 5 and 0 <= waited_s < 5       # tables, seats, actions
        assert of("storage", "operation", "read")[0] == of("queue", "queue", "read")[0] > 0


async def test_health_is_answered_there_too(tmp_path):
    def status(server: Server) -> int:
        try:
            with urllib.request.urlopen(f"http://{server.metrics_address}/health", timeout=20) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    async with measured(tmp_path) as (server, _):
        assert await asyncio.to_thread(status, server) == 200
        with ThreadPoolExecutor() as other:
            asked = other.submit(status, server)
            time.sleep(2.5)     # the loop is stuck
            assert asked.result(20) == 503
        server._tables.stop()
        assert await asyncio.to_thread(status, server) == 503


async def test_unknown_methods_make_no_labels(tmp_path):
    async with measured(tmp_path) as (server, house):
        for name in ("/seatmate.v1.CatalogService/Guess1", "/seatmate.v1.Secret/Guess2", "/other/Guess3"):
            with pytest.raises(Exception, match="UNIMPLEMENTED"):
                await house.client.channel.unary_unary(name)(b"")
        _, text = await scrape(server)
        assert "Guess" not in text


async def test_metrics_end_with_the_server_and_are_offered_only_when_asked_for(tmp_path):
    async with measured(tmp_path) as (server, _):
        where = server.metrics_address
        assert where.startswith("127.0.0.1:")
        await scrape(server)
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"http://{where}/metrics", timeout=5)
    quiet = Server(ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3")))
    await quiet.start()
    assert quiet.metrics_address == ""
    await quiet.stop()


async def test_a_port_that_is_taken_is_named(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        server = Server(ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), metrics_port=port))
        with pytest.raises(StartupError, match=rf"can't offer metrics on 127\.0\.0\.1:{port}"):
            await server.start()
    with pytest.raises(StartupError, match=r"outside 0\.\.65535"):
        ServerConfig(metrics_port=65536)
