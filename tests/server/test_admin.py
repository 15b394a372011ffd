"""Who runs a server sees all tables from outside, stops and removes them, with a token of their own; nobody else does."""
from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
import sys
from pathlib import Path

import grpc
import pytest
from grpc import StatusCode

from figures import started
from playing import drain, refused
from seatmate.client import bearer
from seatmate.server.config import ServerConfig
from seatmate.server.options import StartupError
from seatmate.server.service import Server
from seatmate.v1 import admin_service_pb2 as pb
from seatmate.v1.admin_service_pb2_grpc import AdminServiceStub
from web import ask

pytestmark = pytest.mark.asyncio

TOKEN = "4c5d1f0b7a1e4f0c9a55f1d2c3b4a596"


@pytest.fixture
def token_file(tmp_path):
    file = tmp_path / "admin.token"
    file.write_text(f"{TOKEN}\n")
    return file


async def survey(house, **more):
    return await AdminServiceStub(house.client.channel).SurveyTables(pb.SurveyTablesRequest(**more), metadata=bearer(TOKEN))


async def test_all_tables_are_surveyed_and_nothing_of_their_games(tmp_path, token_file):
    async with started(tmp_path, workers=1, admin_token_file=token_file) as (_, house):
        quiet = await house.table("kuhn", display_name="Quiet")
        busy = await house.table("leduc", bots={1: "random"}, access="ACCESS_OPEN")
        player = await busy.claim(0)
        await player.act()
        stream = busy.watch()
        await stream.read()
        over = await house.table("kuhn", bots={0: "random", 1: "random"})
        await over.finished()
        await asyncio.sleep(0.2)
        found = {one.name: one for one in (await survey(house)).tables}
        assert set(found) == {quiet.name, busy.name, over.name}
        assert (found[quiet.name].display_name, found[quiet.name].actions, found[quiet.name].is_open) == ("Quiet", 0, False)
        assert (found[busy.name].game, found[busy.name].bots, found[busy.name].is_open) == ("games/leduc", 1, True)
        assert found[busy.name].actions >= 1 and found[busy.name].users >= 1 and not found[busy.name].is_finished
        assert found[over.name].is_finished and found[over.name].active_time.ToMicroseconds() > 1.7e15
        pages: list[str] = []
        token = ""
        while not pages or token:
            page = await survey(house, page_size=1, page_token=token)
            pages += [one.name for one in page.tables]
            token = page.next_page_token
        assert pages == sorted(found)
        async with refused(StatusCode.INVALID_ARGUMENT, "BAD_PAGE_TOKEN"):
            await survey(house, page_token="nonsense")
        stream.cancel()


async def test_bots_are_taken_from_a_table_and_its_owner_can_seat_others(tmp_path, token_file):
    async with started(tmp_path, workers=1, admin_token_file=token_file) as (_, house):
        table = await house.table("leduc", bots={0: "search:time_ms=60000", 1: "random"}, access="ACCESS_OPEN")
        admin = AdminServiceStub(house.client.channel)
        for seats in ([0, 1], []):
            answer = await admin.StopTable(pb.StopTableRequest(name=table.name), metadata=bearer(TOKEN))
            assert list(answer.seats) == seats
        (one,) = (await survey(house)).tables
        assert (one.bots, one.users) == (0, 0)      # the search has ended, too
        async with refused(StatusCode.UNAUTHENTICATED, "TOKEN_MISSING"):
            await table.claim(0, token="")          # what the bot held has been seen
        await table.fill({0: "random", 1: "random"})
        assert (await table.finished()).is_over
        async with refused(StatusCode.NOT_FOUND, "TABLE_NOT_FOUND"):
            await admin.StopTable(pb.StopTableRequest(name="tables/none"), metadata=bearer(TOKEN))


async def test_a_table_is_removed_whatever_its_state(tmp_path, token_file):
    async with started(tmp_path, workers=1, admin_token_file=token_file) as (server, house):
        watched, damaged = await house.table("kuhn"), await house.table("kuhn")
        stream = watched.watch()
        await stream.read()
        damaged_id = damaged.name.removeprefix("tables/")
        with contextlib.closing(sqlite3.connect(tmp_path / "t.sqlite3")) as db:
            db.execute("update tables set rules_version = 99 where id = ?", (damaged_id,))
            db.commit()
        del server._tables._live[damaged_id]
        admin = AdminServiceStub(house.client.channel)
        for table in (watched, damaged):
            await admin.RemoveTable(pb.RemoveTableRequest(name=table.name), metadata=bearer(TOKEN))
            async with refused(StatusCode.NOT_FOUND, "TABLE_NOT_FOUND"):
                await table.get()
        async with refused(StatusCode.NOT_FOUND, "TABLE_DELETED"):
            await drain(stream)
        assert not (await survey(house)).tables


async def test_no_other_token_opens_it_and_it_opens_no_table(tmp_path, token_file):
    async with started(tmp_path, workers=1, admin_token_file=token_file, wrong_tokens=3) as (server, house):
        table = await house.table("kuhn")
        admin = AdminServiceStub(house.client.channel)
        calls = ((admin.SurveyTables, pb.SurveyTablesRequest()), (admin.StopTable, pb.StopTableRequest(name=table.name)),
                 (admin.RemoveTable, pb.RemoveTableRequest(name=table.name)))
        for call, request in calls:
            async with refused(StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"):
                await call(request, metadata=table.auth)
            async with refused(StatusCode.UNAUTHENTICATED, "TOKEN_MISSING"):
                await call(request)
        async with refused(StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_WRONG_TOKENS"):
            await admin.SurveyTables(pb.SurveyTablesRequest(), metadata=table.auth)
        async with refused(StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_WRONG_TOKENS"):
            await table.as_seen_with(TOKEN).get()
        assert len((await survey(house)).tables) == 1
        reply = await asyncio.to_thread(lambda: ask(  # not for browsers
            server.address, "/seatmate.v1.AdminService/SurveyTables", method="POST", body=b"{}", content_type="application/json",
            authorization=f"Bearer {TOKEN}"))
        assert reply.status == 404


async def test_a_server_without_a_token_has_no_such_service(tmp_path):
    async with started(tmp_path, workers=1) as (_, house):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await survey(house)
        assert caught.value.code() is StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize(("text", "words"), [
    (None, "can't be read"), ("", "32 characters"), ("short", "32 characters"), ("two words " * 10, "one word"),
    ("\xe4" * 40, "one word")])
async def test_a_token_that_is_none(tmp_path, text, words):
    file = tmp_path / "admin.token"
    if text is not None:
        file.write_text(text, "utf-8")
    with pytest.raises(StartupError, match=words) as caught:
        await Server(ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), admin_token_file=file)).start()
    assert "admin.token" in str(caught.value) and (not text or text.strip() not in str(caught.value))


async def test_the_command_line_does_the_same(tmp_path, token_file):
    async def seatmate(*arguments: str) -> tuple[int | None, str]:
        done = await asyncio.create_subprocess_exec(
            str(Path(sys.executable).with_name("seatmate")), "admin", *arguments, "--server", server.address, "--token-file",
            str(token_file), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        said, _ = await asyncio.wait_for(done.communicate(), 60)
        return done.returncode, said.decode()

    async with started(tmp_path, workers=1, admin_token_file=token_file) as (server, house):
        table = await house.table("leduc", bots={1: "random"})
        code, said = await seatmate("tables", "--json")
        assert code == 0 and json.loads(said)["tables"][0]["name"] == table.name
        code, said = await seatmate("tables")
        assert code == 0 and table.name in said and "private" in said
        assert await seatmate("stop", table.name) == (0, f"{table.name}: the bots of seats 1 have gone\n")
        assert await seatmate("remove", table.name) == (0, f"{table.name} is gone\n")
        code, said = await seatmate("remove", table.name)
        assert code == 1 and said.startswith("seatmate: the server answered NOT_FOUND")
