"""A front end in the small: what `seatmate demo` does over gRPC."""
from __future__ import annotations

import asyncio
import select
import signal
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from seatmate.client import Client, Seat, connect
from seatmate.engine.core.game import Game, SeenEvent
from seatmate.engine.core.record import Record
from seatmate.server.cli.console import plain, say
from seatmate.server.cli.transcript import Transcript, facts, heading
from seatmate.server.config import DEFAULT_ADDRESS, Pacing, ServerConfig
from seatmate.server.service import running_server
from seatmate.v1.table_service_pb2 import ListLegalActionsResponse


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


async def serve_and_play(plan: Plan, epilogue: Callable[[], None]) -> None:
    """Start the server with a database in a temporary folder, play one game through a channel, say the epilogue.

    At a terminal, the server then stays open for a browser until Enter or Ctrl-C.
    """
    with tempfile.TemporaryDirectory(prefix="seatmate-demo-") as folder:
        config = ServerConfig(address="127.0.0.1:0", database=str(Path(folder) / "tables.sqlite3"),
                              pacing=Pacing(answer_ms=None))       # nobody is there whom a bot's timing could tell anything
        async with running_server(config) as address, connect(address) as client:
            await FrontEnd(client, plan, address).play()
            epilogue()
            heading("In your browser")
            if sys.stdin.isatty() and sys.stdout.isatty():
                say(f"  Play any game at [bold]http://{address}[/bold]. Enter ends the demonstration; nothing of it is kept.")
                await _told_to_end()
            else:
                say(f"  Run `seatmate serve`, then play any game at http://{DEFAULT_ADDRESS}.")


async def _told_to_end() -> None:
    """Until Enter, Ctrl-D or Ctrl-C."""
    loop, end = asyncio.get_running_loop(), asyncio.Event()
    loop.add_signal_handler(signal.SIGINT, end.set)
    loop.add_reader(sys.stdin, end.set)
    try:
        await end.wait()
    finally:
        loop.remove_reader(sys.stdin)
        loop.remove_signal_handler(signal.SIGINT)
        if select.select([sys.stdin], [], [], 0)[0]:
            sys.stdin.readline()        # else the shell gets the empty line


class FrontEnd:
    """Seats bots, watches one seat's events, asks for a hint at each of its decisions and follows it."""

    def __init__(self, client: Client, plan: Plan, address: str) -> None:
        self.client = client
        self.plan = plan
        self.address = address
        self.transcript = Transcript(plan.game, plan.seat)
        self.hints = 0
        self.read = 0               # lines a person has had time to read

    async def play(self) -> None:
        """Create the table, play the game to its end, check its record."""
        seat = await self._sit_down()
        await self._watch(seat)
        await self._finish(seat)

    async def _sit_down(self) -> Seat:
        """Create the table, claim our seat, then let bots take the others."""
        plan, settings = self.plan, self.plan.game.settings
        table = await self.client.create_table(
            plan.game.spec.id, mode=settings.mode, seats=settings.seats, options=settings.options, pack=settings.pack,
            display_name="Demonstration", seed=plan.seed, is_open=True)     # to be looked at in the browser
        seat = await table.claim(plan.seat, "You")
        heading(plan.game.spec.title)
        facts([("server", f"gRPC on {self.address}, tables in a SQLite file"), ("table", f"{table.name}, seed {plan.seed}"),
               *((f"seat {number}", plan.seating.get(number, f"you, played from hints of {plan.hint_ms} ms"))
                 for number in range(plan.game.seats))])
        say()
        await table.fill(plan.seating)
        return seat

    async def _watch(self, seat: Seat) -> None:
        """Print the events of our seat as they come, and answer whenever it is asked; ends with the game."""
        answered = 0
        async for step in seat.watch(include_actions=True):
            for event in step.events:
                self.transcript.event(SeenEvent(event.sequence, event.key, tuple(arg.value for arg in event.args)))
                await self._pause()
            if step.legal.actions and step.legal.sequence >= answered:
                answered = await self._decide(seat, step.legal)

    async def _pause(self) -> None:
        """Let a person read: a pause for each new line."""
        printed, self.read = self.transcript.lines - self.read, self.transcript.lines
        if printed:
            await asyncio.sleep(printed * self.plan.pace_s)

    async def _decide(self, seat: Seat, legal: ListLegalActionsResponse) -> int:
        """Take the best suggestion; returns the seat's sequence after it."""
        self.hints += 1
        analysis = await seat.hint(self.plan.hint_ms, seed=self.plan.seed + self.hints)
        self.transcript.board()
        self.transcript.decision(legal.prompt_text, analysis, len(legal.actions))
        await self._pause()
        return (await seat.act(analysis.candidates[0].action.id, legal.sequence)).sequence

    async def _finish(self, seat: Seat) -> None:
        """Show how it ended and replay the record."""
        self.transcript.flush()
        seen = await seat.observe()
        record = Record.from_json(await seat.record())
        record.replay()
        heading("Result")
        self.transcript.board(always=True)
        say()
        say(f"  [bold]{plain(seen.result.text)}[/bold]")
        say(f"  [dim]{len(record.actions)} decisions, {seen.sequence} events seen by seat {self.plan.seat}, "
            f"{self.hints} hints; the exported record replays to the same bytes.[/dim]")
