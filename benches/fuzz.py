"""Hostile callers: every call of the service with random, mutated and broken requests, and what is no call at all.

    python benches/fuzz.py --calls 1000000 --seed 1        # or: make fuzz CALLS=1000000 SEED=1

starts a server in a process of its own and looks on from the side. A finding is: the server dies; a call ends UNKNOWN or
INTERNAL; a traceback in an answer or in the log; memory that grows; a record or a pack that fails without a sentence; and another
caller's median time that is more than twice what it is at an idle server, beside one hostile caller that sends one request after
the other, or more than twice what it is beside as many well-formed calls of players, beside all of them. (A crowd takes time from
others when it is honest, too: that is no comparison with an idle server.) Exits with 1 after any.
"""
from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import re
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import MethodDescriptor
from grpc_health.v1 import health_pb2  # noqa: F401  so that its descriptors are known
from grpc_reflection.v1alpha import reflection_pb2

import fuzz_files
from fuzz_attacks import Attacks
from fuzz_messages import Words, request_bytes
from fuzz_witness import Witness
from seatmate.client import Client, bearer, connect
from seatmate.engine.core.registry import list_games
from seatmate.v1 import advisor_service_pb2, analysis_pb2, catalog_service_pb2, settings_pb2, table_pb2
from seatmate.v1 import table_service_pb2 as pb

FACTOR = 2.0
"""Of another caller's median time beside hostile calls and beside what they are compared with."""
GROWTH_MB = 150.0
"""What the server may grow by after its first tenth of the calls; tables that are held in memory are part of it."""
_FRESH = 4_000
"""Calls after which there are new tables: the old ones have been played to their end, or deleted."""
_OF_ONE = 2**40
"""Numbers of the calls of one hostile caller by itself begin here."""
_OFTEN = {"SuggestActions": 0.3, "Analyze": 0.15, "WatchTable": 0.4, "WatchTables": 0.2, "Watch": 0.2, "ServerReflectionInfo": 0.4}
"""How often a call comes, where it is not as often as the others: those that last, and that think."""
_NOISE_MS = 2.0
"""Times below this are those of the machine."""
_OF_CLIENT = ("Internal error from Core",)
"""What gRPC says by itself on this side where a stream has ended before its request was sent; the server never sends it."""
_BAD = (grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL)


@dataclass
class World:
    """Tables to be meant by requests, and what opens them."""

    words: Words = field(default_factory=Words)
    tokens: dict[bytes, list[str]] = field(default_factory=dict)        # by name of the table
    honest: dict[str, list[tuple[bytes, str]]] = field(default_factory=lambda: defaultdict(list))
    """Calls that are in order: request and token, by path."""

    def token(self, request: bytes, rng: random.Random) -> str:
        """One that opens something, of what the request is about if that can be seen."""
        meant = re.search(rb"tables/[a-z0-9]+", request)
        known = self.tokens.get(meant[0]) if meant and rng.random() < 0.7 else None
        return rng.choice(known or rng.choice(list(self.tokens.values())))


@dataclass
class Tally:
    """What has happened."""

    codes: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    attacks: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)       # one of each kind
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    calls: int = 0

    def report(self, what: str, came: str) -> None:
        """Something that should not be."""
        kind = what.partition(" ")[0], came[-200:]
        self.kinds[kind] += 1
        if self.kinds[kind] == 1:
            self.findings.append(f"{what}\n    {came}")
            print(f"FOUND: {what[:1000]}\n    {came[-1500:]}", flush=True)


async def methods_of(channel: grpc.aio.Channel) -> dict[str, MethodDescriptor]:
    """All calls that the server says it has, by path: nothing here names them, so that a new one is fuzzed, too."""
    make: Any = channel.stream_stream("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
                                      reflection_pb2.ServerReflectionRequest.SerializeToString,
                                      reflection_pb2.ServerReflectionResponse.FromString)
    reflect, pool = make(), descriptor_pool.Default()
    found: dict[str, MethodDescriptor] = {}

    async def ask(**request: Any) -> Any:
        await reflect.write(reflection_pb2.ServerReflectionRequest(**request))
        return await reflect.read()

    for one in (await ask(list_services="")).list_services_response.service:
        try:
            service = pool.FindServiceByName(one.name)
        except KeyError:        # known to the server alone
            answer = await ask(file_containing_symbol=one.name)
            for data in answer.file_descriptor_response.file_descriptor_proto[::-1]:
                pool.AddSerializedFile(data)
            service = pool.FindServiceByName(one.name)
        found |= {f"/{service.full_name}/{method.name}": method for method in service.methods}
    reflect.cancel()
    return found


async def make_world(client: Client) -> World:
    """A table of each game, some way into it, and right requests about it."""
    world = World()
    texts: list[str] = []
    known: dict[str, list[bytes]] = defaultdict(list)

    def right(service: str, call: str, request: Any, token: str) -> None:
        data = request.SerializeToString()
        known[request.DESCRIPTOR.full_name].append(data)
        world.honest[f"/seatmate.v1.{service}/{call}"].append((data, token))

    right("CatalogService", "ListGames", catalog_service_pb2.ListGamesRequest(), "")
    right("CatalogService", "ListBots", catalog_service_pb2.ListBotsRequest(), "")
    right("TableService", "ListTables", pb.ListTablesRequest(page_size=5), "")
    for spec in list_games():
        settings = settings_pb2.GameSettings(game=f"games/{spec.id}")
        texts += [settings.game, *(mode.key for mode in spec.modes), *(option.key for option in spec.options)]
        access = table_pb2.ACCESS_OPEN if len(texts) % 2 else table_pb2.ACCESS_PRIVATE
        made = await client.tables.CreateTable(pb.CreateTableRequest(settings=settings, access=access))
        name, seats = made.table.name, len(made.table.seats)
        claimed = [await client.tables.ClaimSeat(pb.ClaimSeatRequest(name=f"{name}/seats/{seat}"),
                                                 metadata=bearer(made.table_token)) for seat in range(seats)]
        world.tokens[name.encode()] = [made.table_token, made.invitation, *(one.seat_token for one in claimed)]
        texts += [name, *(one.seat.name for one in claimed)]
        right("CatalogService", "GetGame", catalog_service_pb2.GetGameRequest(name=settings.game), "")
        right("CatalogService", "GetPreview", catalog_service_pb2.GetPreviewRequest(settings=settings), "")
        right("CatalogService", "ListFaces", catalog_service_pb2.ListFacesRequest(settings=settings), "")
        right("TableService", "GetTable", pb.GetTableRequest(name=name), made.table_token)
        known["seatmate.v1.CreateTableRequest"].append(pb.CreateTableRequest(settings=settings).SerializeToString())
        for one in claimed:
            seat, token = one.seat.name, one.seat_token
            legal = await client.tables.ListLegalActions(pb.ListLegalActionsRequest(seat=seat), metadata=bearer(token))
            right("TableService", "GetObservation", pb.GetObservationRequest(observer=seat), token)
            right("TableService", "ListLegalActions", pb.ListLegalActionsRequest(seat=seat), token)
            right("TableService", "ExportRecord", pb.ExportRecordRequest(observer=seat), token)
            right("TableService", "WatchTable", pb.WatchTableRequest(observer=seat, include_observation=True), token)
            known["seatmate.v1.LeaveSeatRequest"].append(pb.LeaveSeatRequest(name=seat, bot="random").SerializeToString())
            known["seatmate.v1.ClaimSeatRequest"].append(pb.ClaimSeatRequest(name=seat).SerializeToString())
            if not legal.actions:
                continue
            known["seatmate.v1.SubmitActionRequest"].append(pb.SubmitActionRequest(
                seat=seat, action_id=legal.actions[0].id, expected_sequence=legal.sequence).SerializeToString())
            record = await client.tables.ExportRecord(pb.ExportRecordRequest(observer=seat), metadata=bearer(token))
            position = analysis_pb2.Position(settings=record.settings, seat=int(seat[-1]), events=record.events)
            for subject in ({"seat": seat}, {"position": position}):
                right("AdvisorService", "SuggestActions", advisor_service_pb2.SuggestActionsRequest(
                    budget={"iterations": 3}, **subject), token)    # type: ignore[arg-type]
                known["seatmate.v1.AnalyzeRequest"].append(advisor_service_pb2.AnalyzeRequest(
                    budget={"iterations": 30}, **subject).SerializeToString())      # type: ignore[arg-type]
        known["seatmate.v1.FillSeatsRequest"].append(pb.FillSeatsRequest(name=name, bots=[
            table_pb2.SeatPlan(seat=0, bot="random")]).SerializeToString())
    world.words = Words(texts, dict(known))
    return world


class Fuzzer:
    """Calls from the side that means no good."""

    def __init__(self, channel: grpc.aio.Channel, methods: dict[str, MethodDescriptor], world: World, seed: int,
                 tally: Tally) -> None:
        self._channel: Any = channel    # bytes go and come
        self._methods = methods
        self._paths = list(methods)
        self.world = world
        self._seed = seed
        self._tally = tally

    async def hostile(self, number: int) -> None:
        """The call of this number."""
        rng = random.Random(f"{self._seed} {number}")
        path = self._draw(self._paths, rng)
        request = request_bytes(self._methods[path], rng, self.world.words)
        token = rng.choice(("", "", "Bearer x", "Bearer ?", "Basic x", "Bearer ")) if rng.random() < 0.25 else \
            f"Bearer {self.world.token(request, rng)}"
        await self._call(path, request, token, 0.02 if rng.random() < 0.1 else 5.0)

    def _draw(self, paths: Sequence[str], rng: random.Random) -> str:
        return rng.choices(paths, [_OFTEN.get(self._methods[path].name, 1.0) for path in paths])[0]

    async def honest(self, number: int) -> None:
        """A call as people make it who play, and in order."""
        rng = random.Random(number)
        path = rng.choice([path for path in self.world.honest if "/seatmate.v1.TableService/" in path])
        request, token = rng.choice(self.world.honest[path])
        await self._call(path, request, f"Bearer {token}" if token else "", 5.0)

    def request(self, path: str, rng: random.Random) -> bytes:
        """A request for this call, or for any."""
        return request_bytes(self._methods.get(path) or self._methods[rng.choice(self._paths)], rng, self.world.words)

    async def _call(self, path: str, request: bytes, token: str, patience_s: float) -> None:
        method = self._methods[path]
        metadata = (("authorization", token),) if token else None
        code, said = "OK", ""
        try:
            if method.server_streaming:
                kind: Any = self._channel.stream_stream if method.client_streaming else self._channel.unary_stream
                call = kind(path)(iter([request]) if method.client_streaming else request, metadata=metadata, timeout=patience_s)
                async with asyncio.timeout(0.05):
                    await call.read()
                call.cancel()
            else:
                await self._channel.unary_unary(path)(request, metadata=metadata, timeout=patience_s)
        except grpc.aio.AioRpcError as error:
            code, said = error.code().name, str(error.details())
            if (error.code() in _BAD and said not in _OF_CLIENT) or "Traceback" in said or "\n" in said:
                self._tally.report(f"{path} {token!r} {request.hex()}", f"{code}: {said}")
        except TimeoutError:
            code = "(not waited for)"
            call.cancel()
        except asyncio.CancelledError:      # of the call alone: its deadline
            code = "CANCELLED"
        self._tally.codes[method.name][code] += 1
        self._tally.calls += 1

    async def run(self, kind: Any, count: int, at_once: int, seconds: float | None = None) -> None:
        """So many calls of this kind, or for so long."""
        numbers = iter(range(count))
        end = None if seconds is None else time.monotonic() + seconds

        async def caller() -> None:
            for number in numbers:
                await kind(number)
                if end is not None and time.monotonic() > end:
                    return

        await asyncio.gather(*(caller() for _ in range(at_once)))


@contextlib.asynccontextmanager
async def running(folder: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """A server, and its log in the folder."""
    with (folder / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "seatmate.server.service", "--database", str(folder / "t.sqlite3"), "--workers", "1",
            stdout=asyncio.subprocess.PIPE, stderr=log)
        try:
            assert process.stdout is not None
            yield process, (await process.stdout.readline()).decode().strip()
        finally:
            if process.returncode is None:
                process.terminate()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), 20)
            if process.returncode is None:
                process.kill()
                await process.wait()


def memory_mb(process: int) -> float:
    """What the process holds; 0 where that can't be known."""
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096 / 2**20
    return 0.0


def read_log(text: str, report: Any) -> None:
    """Report each traceback in the server's log."""
    for line in text.splitlines():
        if "Traceback" in line or '"exception"' in line:
            report("the server's log", line.replace("\\n", "\n")[-3000:])


async def fuzz(wishes: argparse.Namespace, folder: Path) -> Tally:
    """The whole attack; returns what has come of it."""
    tally = Tally()
    began = time.monotonic()
    async with running(folder) as (server, address):
        options = [("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", 64 * 2**20)]
        async with connect(address, options=options) as client, connect(address, options=options) as other:
            methods = await methods_of(client.channel)
            fuzzer = Fuzzer(client.channel, methods, await make_world(client), wishes.seed, tally)
            attacks = Attacks(address, other.channel, list(methods), fuzzer.request, tally.report)
            beside = await Witness.start(address)
            idle = await beside.median_ms(asyncio.sleep(wishes.before_s))
            one = await beside.median_ms(fuzzer.run(lambda number: fuzzer.hostile(_OF_ONE + number), _OF_ONE, 1, wishes.before_s))
            fuzzer.world = await make_world(client)
            honest = await beside.median_ms(fuzzer.run(fuzzer.honest, 2**40, wishes.at_once, wishes.before_s))
            print(f"{len(methods)} calls are known; another caller's take {idle:.1f} ms at an idle server, {one:.1f} beside one "
                  f"hostile caller, {honest:.1f} beside {wishes.at_once} well-formed calls", flush=True)
            compare(idle, one, "at an idle server", tally)
            first, done, memory_at_first = tally.calls, asyncio.Event(), 0.0

            async def attack() -> None:
                rng = random.Random(wishes.seed)
                while not done.is_set():
                    one = rng.choice(attacks.all)
                    tally.attacks[one.__name__] += await one(rng)
                    await asyncio.sleep(wishes.pause_s)

            async def break_files() -> None:
                rng = random.Random(wishes.seed)
                while not done.is_set():
                    for work in (fuzz_files.break_record, fuzz_files.break_record, fuzz_files.break_pack):
                        await asyncio.to_thread(work, rng, folder, tally.report)
                        tally.attacks[work.__name__] += 1
                    await asyncio.sleep(wishes.pause_s)

            async def look_on() -> None:
                nonlocal memory_at_first
                told = time.monotonic()
                while not done.is_set():
                    await asyncio.sleep(0.2)
                    calls = tally.calls - first
                    if not memory_at_first and calls >= wishes.calls / 10:
                        memory_at_first = memory_mb(server.pid)
                    if server.returncode is not None:
                        tally.report("the server", f"has died: {server.returncode}")
                        return
                    if time.monotonic() - told >= wishes.tell_s:
                        told = time.monotonic()
                        print(f"{calls:9d} calls, {calls / (told - began):.0f}/s, {memory_mb(server.pid):.0f} MB, another caller's "
                              f"{statistics.median(beside.took_ms or [0]):.1f} ms, {len(tally.findings)} findings", flush=True)

            sides = [asyncio.create_task(attack()), asyncio.create_task(break_files()), asyncio.create_task(look_on())]
            for start in range(0, wishes.calls, _FRESH):
                if start:
                    fuzzer.world = await make_world(client)
                until = min(_FRESH, wishes.calls - start)
                await fuzzer.run(lambda number, start=start: fuzzer.hostile(start + number), until, wishes.at_once)
                if server.returncode is not None:
                    break
            done.set()
            await asyncio.gather(*sides)
            hostile = statistics.median(beside.took_ms)
            grown = memory_mb(server.pid) - memory_at_first
            await beside.stop()
            if server.returncode is None:
                async with connect(address, options=options) as last:
                    assert (await last.tables.ListTables(pb.ListTablesRequest(), timeout=10)) is not None
    read_log((folder / "log").read_text(errors="replace"), tally.report)
    compare(honest, hostile, "beside as many well-formed calls", tally)
    if grown > GROWTH_MB:
        tally.report("the server's memory", f"has grown by {grown:.0f} MB")
    took = (("idle", idle), ("one hostile caller", one), ("well-formed calls", honest), ("hostile calls", hostile))
    summary(tally, time.monotonic() - began, grown, took, tally.calls - first)
    return tally


def compare(before_ms: float, now_ms: float, what: str, tally: Tally) -> None:
    """Report another caller's median time that is too long beside hostile calls."""
    factor = now_ms / max(before_ms, _NOISE_MS)
    if factor > FACTOR:
        tally.report("another caller", f"its calls take {now_ms:.1f} ms, {factor:.1f} times as long as {what}")


def summary(tally: Tally, seconds: float, grown: float, took: Sequence[tuple[str, float]], hostile: int) -> None:
    """What has happened, in a table."""
    for name, codes in sorted(tally.codes.items()):
        print(f"{name:22s} " + ", ".join(f"{code} {count}" for code, count in codes.most_common()))
    print("attacks: " + ", ".join(f"{name} {count}" for name, count in tally.attacks.most_common()))
    print(f"{hostile} hostile calls in {seconds:.0f} s; memory {grown:+.0f} MB; another caller's calls, median: "
          f"{', '.join(f'{what} {ms:.1f} ms' for what, ms in took)}; {tally.kinds.total()} findings of "
          f"{len(tally.kinds)} kinds")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Call a server in every wrong way.")
    parser.add_argument("--calls", type=int, default=100_000, help="hostile calls, besides the attacks that are none")
    parser.add_argument("--seed", type=int, default=1, help="of everything that is drawn")
    parser.add_argument("--at-once", type=int, default=64, help="calls that run at the same time")
    parser.add_argument("--before-s", type=float, default=5.0, help="seconds of each comparison: idle, one caller, well-formed")
    parser.add_argument("--pause-s", type=float, default=0.2, help="seconds between two attacks")
    parser.add_argument("--tell-s", type=float, default=10.0, help="seconds between two lines")
    parser.add_argument("--json", type=Path, help="where the findings go")
    wishes = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="seatmate-fuzz-") as folder:
        tally = asyncio.run(fuzz(wishes, Path(folder)))
    if wishes.json is not None:
        wishes.json.write_text(json.dumps({"calls": tally.calls, "findings": tally.findings}))
    return 1 if tally.findings else 0


if __name__ == "__main__":
    sys.exit(main())
