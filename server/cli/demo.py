"""`seatmate demo`: a whole game over gRPC, to watch."""
from __future__ import annotations

import asyncio
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seatmate.server.cli import bench
from seatmate.server.cli.arguments import (
    ModeKey, NoColor, Options, Seed, check_seat, choose_seed, example, make_game, split_bots,
)
from seatmate.server.cli.console import plain, say
from seatmate.server.cli.transcript import Transcript, facts, heading

if TYPE_CHECKING:
    from seatmate.engine.core.game import Game

BOTS = "heuristic,search:iterations=200,search:time_ms=50"
FAVOURITES = ("hyde", "kuhn")
SEATS = 4
TERMINAL_PACE_S = 0.04


def demo(
    game: Annotated[str | None, typer.Option("--game", metavar="GAME", show_default=False,
                                             help="Another game than Hyde.")] = None,
    seats: Annotated[int | None, typer.Option("--seats", metavar="N", show_default=False, help=(
        "Number of seats. Default: 4, or the most the game takes."))] = None,
    seat: Annotated[int, typer.Option("--seat", metavar="N", min=0, help="The seat that is played from hints.")] = 0,
    bots: Annotated[str, typer.Option("--bots", metavar="A,B,...", help="The bots of the other seats, in turn.")] = BOTS,
    mode: ModeKey = None,
    option: Options = None,
    hint_ms: Annotated[int, typer.Option("--hint-ms", min=1, max=60_000, metavar="MS", help="Thinking time of a hint.")] = 100,
    pace: Annotated[float | None, typer.Option("--pace", min=0, metavar="S", show_default=False, help=(
        f"Pause after each line, in seconds. Default: {TERMINAL_PACE_S} on a terminal, else none."))] = None,
    fast: Annotated[bool, typer.Option("--fast", help="No pauses.")] = False,
    seed: Seed = None,
    no_color: NoColor = False,
) -> None:
    """Watch a game: a real server, bots on all seats but one, and that one played from hints.

    Starts the gRPC service on a free loopback port with a database in a temporary folder, and does everything through a
    client's channel, as your front end would.
    """
    table_game = _choose_game(game, mode, seats, option)
    check_seat(seat, table_game.seats)
    if pace is None:
        pace = TERMINAL_PACE_S if sys.stdout.isatty() else 0.0
    plan = Plan(game=table_game, seat=seat, bots=split_bots(bots), hint_ms=hint_ms, pace_s=0.0 if fast else pace,
                seed=choose_seed(seed))
    asyncio.run(_serve_and_play(plan))
    _show_speed(table_game)


@dataclass(frozen=True)
class Plan:
    """What the demonstration is to show. `bots` are seated in turn until every seat but `seat` has one."""

    game: Game
    seat: int
    bots: list[str]
    hint_ms: int
    pace_s: float
    seed: int

    @property
    def seating(self) -> dict[int, str]:
        """The bot of each seat that is not ours."""
        others = [number for number in range(self.game.seats) if number != self.seat]
        return {number: self.bots[index % len(self.bots)] for index, number in enumerate(others)}


def _choose_game(game: str | None, mode: str | None, seats: int | None, options: list[str] | None) -> Game:
    from seatmate.engine.core.registry import game_spec, list_games

    if game is None:
        known = {spec.id for spec in list_games()}
        game = next(name for name in FAVOURITES if name in known)
    if seats is None and SEATS in game_spec(game).mode(mode).seats:
        seats = SEATS
    return make_game(game, mode, seats, options, None)


async def _serve_and_play(plan: Plan) -> None:
    """Start the server, play the game through a channel, stop the server."""
    import grpc
    from seatmate.server.service import ServerConfig, running_server

    with tempfile.TemporaryDirectory(prefix="seatmate-demo-") as folder:
        database = Path(folder) / "tables.sqlite3"
        async with running_server(ServerConfig(address="127.0.0.1:0", database=str(database))) as address:
            async with grpc.aio.insecure_channel(address) as channel:
                await Client(channel, plan, address).play()


class Client:
    """A front end in the small: seats bots, watches one seat's events, asks for hints and follows them."""

    def __init__(self, channel: grpc.aio.Channel, plan: Plan, address: str) -> None:
        from seatmate.v1 import advisor_service_pb2_grpc, table_service_pb2_grpc

        self.tables = table_service_pb2_grpc.TableServiceStub(channel)
        self.advisor = advisor_service_pb2_grpc.AdvisorServiceStub(channel)
        self.plan = plan
        self.address = address
        self.transcript = Transcript(plan.game, plan.seat)
        self.hints = 0

    async def play(self) -> None:
        """Create the table, play the game to its end, check its record."""
        from seatmate.v1 import settings_pb2, table_pb2, table_service_pb2 as messages

        plan, settings = self.plan, self.plan.game.settings
        created = await self.tables.CreateTable(messages.CreateTableRequest(
            display_name="Demonstration", seed=plan.seed,
            settings=settings_pb2.GameSettings(
                game=f"games/{settings.game}", mode=settings.mode, seat_count=settings.seats, pack=settings.pack,
                options={key: _option(value) for key, value in settings.options.items()})))
        table = created.table.name
        seats = messages.FillSeatsRequest(name=table, bots=[table_pb2.SeatPlan(seat=number, bot=bot)
                                                            for number, bot in plan.seating.items()])
        claimed = await self.tables.ClaimSeat(messages.ClaimSeatRequest(name=f"{table}/seats/{plan.seat}", display_name="You"))
        self.seat = claimed.seat.name
        self.bearer = (("authorization", f"Bearer {claimed.seat_token}"),)
        await self.tables.FillSeats(seats, metadata=(("authorization", f"Bearer {created.table_token}"),))

        heading(plan.game.spec.title)
        facts([("server", f"gRPC on {self.address}, tables in a SQLite file"), ("table", f"{table}, seed {plan.seed}"),
               *((f"seat {number}", plan.seating.get(number, f"you, played from hints of {plan.hint_ms} ms"))
                 for number in range(plan.game.seats))])
        say()
        await self._watch(messages)
        await self._finish(messages)

    async def _watch(self, messages: object) -> None:
        """Print the events of our seat as they come, and answer whenever it is asked."""
        from seatmate.engine.core.game import SeenEvent

        asked = False
        async for step in self.tables.WatchTable(messages.WatchTableRequest(observer=self.seat), metadata=self.bearer):
            for event in step.events:
                seen = SeenEvent(event.sequence, event.key, tuple(argument.value for argument in event.args))
                asked = event.key == "ASK" or (asked and event.key != "CHOICE")
                if self.transcript.event(seen):
                    await asyncio.sleep(self.plan.pace_s)
            if asked:
                asked = False
                await self._decide(messages)

    async def _decide(self, messages: object) -> None:
        """Take the best suggestion."""
        from seatmate.v1 import advisor_service_pb2, analysis_pb2

        legal = await self.tables.ListLegalActions(messages.ListLegalActionsRequest(seat=self.seat), metadata=self.bearer)
        if not legal.actions:
            return
        self.hints += 1
        answer = await self.advisor.SuggestActions(advisor_service_pb2.SuggestActionsRequest(
            seat=self.seat, budget=analysis_pb2.Budget(time_ms=self.plan.hint_ms), seed=self.plan.seed + self.hints,
        ), metadata=self.bearer)
        self.transcript.board()
        self.transcript.decision(legal.prompt_text, answer.analysis, len(legal.actions))
        await asyncio.sleep(self.plan.pace_s)
        await self.tables.SubmitAction(messages.SubmitActionRequest(
            seat=self.seat, action_id=answer.analysis.candidates[0].action.id, expected_sequence=legal.sequence,
            request_id=f"demo-{self.hints}"), metadata=self.bearer)

    async def _finish(self, messages: object) -> None:
        """Show how it ended and replay the record."""
        from seatmate.engine.core.record import Record

        seen = await self.tables.GetObservation(messages.GetObservationRequest(observer=self.seat), metadata=self.bearer)
        export = await self.tables.ExportRecord(messages.ExportRecordRequest(observer=self.seat), metadata=self.bearer)
        record = Record.from_json(export.record)
        record.replay()
        heading("Result")
        self.transcript.board(always=True)
        say()
        say(f"  [bold]{plain(seen.result.text)}[/bold]")
        say(f"  [dim]{len(record.actions)} decisions, {seen.sequence} events seen by seat {self.plan.seat}, {self.hints} hints; "
            "the exported record replays to the same bytes.[/dim]")


def _option(value: object) -> settings_pb2.OptionValue:
    from seatmate.v1 import settings_pb2

    if isinstance(value, bool):
        return settings_pb2.OptionValue(flag=value)
    if isinstance(value, int):
        return settings_pb2.OptionValue(number=value)
    if isinstance(value, tuple):
        return settings_pb2.OptionValue(ids=settings_pb2.OptionValue.Ids(ids=value))
    return settings_pb2.OptionValue(text=str(value))


def _show_speed(game: Game) -> None:
    heading("Speed on this machine, one thread")
    figures = bench.measure(game, repeats=3, slice_s=0.1, seed=1)
    facts([(bench.FIGURES[key], f"{figures[key]:,.0f}") for key in (
        "playouts_per_s", "decisions_per_s", "heuristic_playouts_per_s", "search_simulations_per_s")])


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=example("seatmate demo", "seatmate demo --game kuhn --fast --seed 1"))(demo)
