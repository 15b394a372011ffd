"""Tournaments over gRPC: as on the command line, for their owner alone, beside the tables, and through kills and restarts."""
from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from pathlib import Path

import pytest
from grpc import StatusCode

from figures import started
from playing import refused
from seatmate.ai.arena import EarlyEnd, Forecasts, load_results, run_tournament
from seatmate.client import bearer
from seatmate.server.config import ServerConfig
from seatmate.server.options import StartupError
from seatmate.server.service import Server
from seatmate.v1 import settings_pb2
from seatmate.v1 import tournament_service_pb2 as pb
from seatmate.v1.tournament_service_pb2_grpc import TournamentServiceStub

pytestmark = pytest.mark.asyncio

ENDLESS = {"bots": ["search:iterations=3000", "heuristic"], "deals": 5_000, "game": "connect_four"}


class Caller:
    """Calls of one owner."""

    def __init__(self, house, token=""):
        self.stub = TournamentServiceStub(house.client.channel)
        self.token = token

    @property
    def auth(self):
        return bearer(self.token) if self.token else None

    async def create(self, *, game="kuhn", bots=("heuristic", "random"), deals=20, seed=7, seats=0, **more):
        made = await self.stub.CreateTournament(pb.CreateTournamentRequest(
            settings=settings_pb2.GameSettings(game=f"games/{game}", seat_count=seats), bots=bots, deals=deals, seed=seed, **more),
            metadata=self.auth)
        self.token = self.token or made.owner_token
        return made.tournament.name

    async def get(self, name, metadata=None):
        return await self.stub.GetTournament(pb.GetTournamentRequest(name=name), metadata=metadata or self.auth)

    async def watch(self, name):
        return [answer.tournament async for answer in self.stub.WatchTournament(pb.WatchTournamentRequest(name=name),
                                                                                 metadata=self.auth)]

    async def until(self, name, ready):
        async for answer in self.stub.WatchTournament(pb.WatchTournamentRequest(name=name), metadata=self.auth):
            if ready(answer.tournament):
                return answer.tournament
        raise AssertionError("it ended before")

    async def cancel(self, name):
        return await self.stub.CancelTournament(pb.CancelTournamentRequest(name=name), metadata=self.auth)

    async def report(self, name, kind=""):
        answer = await self.stub.GetTournamentReport(pb.GetTournamentReportRequest(name=name, format=kind), metadata=self.auth)
        return json.loads(answer.text)

    async def list(self, **more):
        return await self.stub.ListTournaments(pb.ListTournamentsRequest(**more), metadata=self.auth)


def processes(folder: Path) -> list[int]:
    """Those that play for the tournaments of a folder."""
    found = []
    for status in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if b"tournament_process" in (line := status.read_bytes()) and str(folder).encode() in line:
                found.append(int(status.parent.name))
        except OSError:
            continue
    return found


async def test_a_tournament_says_what_the_command_line_says(tmp_path):
    async with started(tmp_path, workers=1, tournaments=tmp_path / "kept", tournament_games=100) as (_, house):
        caller = Caller(house)
        test = pb.SequentialTest(elo=pb.Hypotheses(low=0, high=20))
        asked = {"request_id": "r" * 32, "ratings": True, "sequential_test": test}
        name = await caller.create(**asked)
        told = await caller.watch(name)
        assert told[-1].state == pb.TOURNAMENT_STATE_FINISHED and told[-1].game_total == told[-1].games_played == 40
        assert list(told[-1].bots) == ["heuristic", "random"] and told[-1].seed_text == "7" and told[-1].HasField("llr")
        here = run_tournament("kuhn", seats=None, bots=["heuristic", "random"], deals=20, seed=7, results=tmp_path / "here.jsonl")
        report = await caller.report(name, "json")
        assert report["standings"] == json.loads(json.dumps(here.to_json()))["standings"]
        assert report["sprt"]["llr"] == told[-1].llr and report["ratings"]["anchor"] == "heuristic"
        kept = tmp_path / "kept" / f"{name.removeprefix('tournaments/')}.jsonl"
        assert kept.read_bytes() == (tmp_path / "here.jsonl").read_bytes()
        assert caller.token not in kept.with_suffix(".json").read_text()

        owner, caller.token = caller.token, ""      # the same call again, as its caller sent it
        assert await caller.create(**asked) == name and caller.token == owner
        second = await caller.create(seed=8)
        assert [one.name for one in (await caller.list()).tournaments] == [second, name]
        first = await caller.list(page_size=1)
        assert [one.name for one in (await caller.list(page_token=first.next_page_token)).tournaments] == [name]
        async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", "deals", "at most 100 games"):
            await caller.create(deals=51)
        await caller.watch(second)      # both are over, and stay what they are
        assert (await caller.cancel(second)).state == pb.TOURNAMENT_STATE_FINISHED


@pytest.mark.parametrize(("game", "bots", "wishes", "same"), [
    ("connect_four", ["heuristic", "random", "player:noise=0.2"], {"format": "gauntlet", "challengers": 2,
     "adjudicate": pb.EarlyEnd(estimate=0.9, decisions=3), "resign": pb.EarlyEnd(estimate=0.2, decisions=2)},
     {"format": "gauntlet", "challengers": 2, "early": EarlyEnd((0.9, 3), (0.2, 2))}),
    ("liars_dice", ["search:iterations=20", "heuristic"], {"teams": [pb.Team(seats=[0, 2]), pb.Team(seats=[1, 3])], "values": True},
     {"teams": [[0, 2], [1, 3]]}),
    ("kuhn", ["random", "heuristic", "player:noise=0.2"], {"format": "ladder"}, {"format": "ladder"})])
async def test_formats_teams_early_ends_and_values_are_those_of_the_command_line(tmp_path, game, bots, wishes, same):
    seats = 4 if "teams" in same else 2
    async with started(tmp_path, workers=1, tournaments=tmp_path / "kept") as (_, house):
        caller = Caller(house)
        name = await caller.create(game=game, bots=bots, deals=4, seats=seats, **wishes)
        assert (await caller.watch(name))[-1].state == pb.TOURNAMENT_STATE_FINISHED
        report = await caller.report(name)
    (kept,) = (tmp_path / "kept").glob("*.jsonl")
    found: Forecasts = {}
    here = tmp_path / "here.jsonl"
    run_tournament(game, seats=seats, bots=bots, deals=4, seed=7, results=here, workers=1, forecasts=found, **same)
    assert kept.read_bytes() == here.read_bytes()
    assert report.get("calibration") == ({bot: one.to_json() for bot, one in found.items()} if "values" in wishes else None)
    assert set(report["times"]) == set(bots)


@pytest.mark.usefixtures("own_bots")
async def test_what_bots_of_files_print_is_not_taken_for_words_of_the_process(tmp_path):
    file = tmp_path / "chatty.py"
    file.write_text('import os\nfrom seatmate.ai.bots import bot\nprint("{}")\n@bot("chatty")\ndef chatty(question):\n'
                    '    print("thinking", flush=True)\n    os.write(1, b\'{"error": "none"}\\n\')\n'
                    '    return question.actions[0]\n')
    async with started(tmp_path, workers=1, tournaments=tmp_path / "kept", bot_files=(file,)) as (_, house):
        caller = Caller(house)
        name = await caller.create(bots=["chatty", "random"], deals=4)
        end = (await caller.watch(name))[-1]
        assert (end.state, end.failure, end.games_played) == (pb.TOURNAMENT_STATE_FINISHED, "", 8)
        assert (await caller.report(name))["deals"] == 4


async def test_names_of_no_tournament(tmp_path):
    async with started(tmp_path, workers=1, tournaments=tmp_path / "kept") as (_, house):
        nobody = Caller(house, "nobody-knows-this-one")
        async with refused(StatusCode.NOT_FOUND, "TOURNAMENT_NOT_FOUND"):
            await nobody.get("tournaments/none")
        async with refused(StatusCode.INVALID_ARGUMENT, "BAD_NAME"):
            await nobody.get("tables/none")


WRONG = [
    ({"bots": ()}, "BAD_FIELD", "bots: 0 bots"), ({"bots": ("heuristic",)}, "BAD_FIELD", "at least two"),
    ({"bots": ("heuristic", "search:time_ms=999999")}, "UNKNOWN_BOT", "bots[1]"), ({"deals": 1}, "BAD_FIELD", "deals"),
    ({"deals": 2**62}, "BAD_FIELD", "deals"), ({"seatings": "some"}, "BAD_FIELD", "rotations"),
    ({"anchor": "random"}, "BAD_FIELD", "ratings"), ({"anchor": "search", "ratings": True}, "BAD_FIELD", "anchor"),
    ({"sequential_test": pb.SequentialTest()}, "BAD_FIELD", "two hypotheses"),
    ({"sequential_test": pb.SequentialTest(elo=pb.Hypotheses(low=float("nan"), high=1))}, "BAD_FIELD", "sequential_test"),
    ({"sequential_test": pb.SequentialTest(elo=pb.Hypotheses(high=9), alpha=0.5)}, "BAD_FIELD", "alpha"),
    ({"format": "cup"}, "BAD_FIELD", "gauntlet"), ({"challengers": 1}, "BAD_FIELD", "challengers"),
    ({"format": "gauntlet", "challengers": 2}, "BAD_FIELD", "challengers"), ({"format": "gauntlet", "challengers": -1}, "BAD_FIELD",
                                                                               "challengers"),
    ({"teams": [pb.Team(seats=[0, 1])]}, "BAD_FIELD", "teams"), ({"teams": [pb.Team(seats=[0]), pb.Team(seats=[7])]}, "BAD_FIELD",
                                                                 "teams"),
    ({"game": "hanabi", "format": "ladder"}, "BAD_FIELD", "format"),
    ({"adjudicate": pb.EarlyEnd(estimate=0.5, decisions=2)}, "BAD_FIELD", "adjudicate"),
    ({"adjudicate": pb.EarlyEnd(estimate=0.9, decisions=2), "resign": pb.EarlyEnd(estimate=0.1)}, "BAD_FIELD", "resign"),
    ({"resign": pb.EarlyEnd(estimate=float("nan"), decisions=2)}, "BAD_FIELD", "resign"),
    ({"game": "hanabi", "adjudicate": pb.EarlyEnd(estimate=0.9, decisions=2)}, "BAD_FIELD", "cooperative"),
    ({"request_id": "short"}, "BAD_FIELD", "request_id"), ({"seed_text": "8"}, "BAD_FIELD", "seed_text"),
]


async def test_wrong_wishes_are_named(tmp_path):
    async with started(tmp_path, workers=1, tournaments=tmp_path / "kept") as (_, house):
        for asked, reason, words in WRONG:
            async with refused(StatusCode.INVALID_ARGUMENT, reason, words):
                await Caller(house).create(**asked)
        async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", "format", "json"):
            caller = Caller(house)
            await caller.report(await caller.create(), "papyrus")


async def test_tournaments_wait_for_each_other(tmp_path):
    folder = tmp_path / "kept"
    async with started(tmp_path, workers=1, tournaments=folder, tournaments_waiting=4) as (_, house):
        caller = Caller(house)
        first, *waiting = [await caller.create(**ENDLESS) for _ in range(3)]
        await caller.until(first, lambda one: one.games_played > 0)
        assert [(await caller.get(name)).state for name in waiting] == [pb.TOURNAMENT_STATE_WAITING] * 2
        (process,) = processes(folder)
        async with refused(StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_TOURNAMENTS", "at most 2 may"):
            await caller.create(**ENDLESS)
        assert (await caller.cancel(waiting[0])).state == pb.TOURNAMENT_STATE_CANCELLED
        async with refused(StatusCode.FAILED_PRECONDITION, "TOO_FEW_DEALS"):
            await caller.report(waiting[0])
        assert (await caller.cancel(first)).state == pb.TOURNAMENT_STATE_CANCELLED
        await caller.until(waiting[1], lambda one: one.games_played > 0)    # the next one's turn
        assert process not in processes(folder)
    assert not processes(folder)


async def test_a_tournament_goes_on_after_kills_and_restarts(tmp_path):
    folder = tmp_path / "kept"
    async with started(tmp_path, workers=1, tournaments=folder) as (_, house):
        caller = Caller(house)
        name = await caller.create(**ENDLESS)
        before = (await caller.until(name, lambda one: one.games_played > 0)).games_played
        (process,) = processes(folder)
        for number in (signal.SIGINT, signal.SIGTERM):      # to the whole group: they are for the server
            os.kill(process, number)
        before = (await caller.until(name, lambda one: one.games_played > before)).games_played
        assert processes(folder) == [process]
        os.kill(process, signal.SIGKILL)
        before = (await caller.until(name, lambda one: one.games_played > before)).games_played
        with pytest.raises(StartupError, match="another server's"):
            await Server(ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "o.sqlite3"), tournaments=folder)).start()
    async with started(tmp_path, workers=1, tournaments=folder) as (_, house):
        caller = Caller(house, caller.token)
        await caller.until(name, lambda one: one.games_played > before)
        await caller.cancel(name)
    (kept,) = folder.glob("*.jsonl")
    _, deals = load_results(kept)
    assert 2 * len(deals) > before
    run_tournament("connect_four", seats=None, bots=ENDLESS["bots"], deals=len(deals), seed=7, results=tmp_path / "here.jsonl")
    assert kept.read_bytes() == (tmp_path / "here.jsonl").read_bytes()
    async with started(tmp_path, workers=1, tournaments=folder, tournaments_kept=1) as (_, house):
        caller = Caller(house, caller.token)
        done = await caller.get(name)
        assert done.state == pb.TOURNAMENT_STATE_CANCELLED and before < done.games_played <= 2 * len(deals)
        await caller.watch(await caller.create())
        last = await caller.create()
        async with refused(StatusCode.NOT_FOUND, "TOURNAMENT_NOT_FOUND"):
            await caller.get(name)      # the oldest had to go
        await caller.cancel(last)


async def test_a_tournament_that_can_not_go_on_says_why(tmp_path):
    folder = tmp_path / "kept"
    async with started(tmp_path, workers=1, tournaments=folder, tournament_minutes=0.05) as (server, house):
        caller = Caller(house)
        late = await caller.create(**ENDLESS)
        told = (await caller.watch(late))[-1]
        assert told.state == pb.TOURNAMENT_STATE_FAILED and "its time was over" in told.failure
        began = time.monotonic()
        stream = asyncio.create_task(caller.watch(await caller.create(**ENDLESS)))
        await asyncio.sleep(0.3)
        stopping = asyncio.create_task(server.stop())
        async with refused(StatusCode.UNAVAILABLE, "SHUTTING_DOWN"):
            await stream
        await stopping
        assert time.monotonic() - began < 20
    for file in folder.glob("*.jsonl"):
        file.write_bytes(b"what is this\n")
    for file in folder.glob("*.json"):
        file.write_text(json.dumps({**json.loads(file.read_text()), "state": "waiting"}))
    async with started(tmp_path, workers=1, tournaments=folder) as (_, house):
        told = (await Caller(house, caller.token).watch(late))[-1]
        assert told.state == pb.TOURNAMENT_STATE_FAILED and "no results file" in told.failure
