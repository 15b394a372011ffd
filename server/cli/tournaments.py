"""Tournaments at a server: `seatmate tournament --server`, and `seatmate tournaments` to look after them."""
from __future__ import annotations

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seatmate.engine.core.errors import SeatmateError
from seatmate.engine.core.registry import game_spec
from seatmate.server.cli.arguments import Json, NoColor, check_apart, example
from seatmate.server.cli.at_server import USUAL, Address, Ca, Cert, Key, Place, connected
from seatmate.server.cli.console import interruptible, out, plain, print_json, say
from seatmate.server.cli.report import CsvFile, HtmlFile, MarkdownFile
from seatmate.server.cli.standings import show_result
from seatmate.server.cli.tournament_bar import tournament_bar

if TYPE_CHECKING:
    from seatmate.client.blocking import Client, Tournament
    from seatmate.v1.tournament_service_pb2 import Tournament as Message

TOKEN = "SEATMATE_TOURNAMENT_TOKEN"

_LACKING = "plays no tournaments: it was started without --tournaments"

Token = Annotated[str, typer.Option("--token", metavar="TOKEN", envvar=TOKEN, show_default=False, help=(
    "The owner's token, which `seatmate tournament --server` has told."))]
Name = Annotated[str, typer.Argument(metavar="TOURNAMENT", show_default=False, help="tournaments/..., as it was told.")]

tournaments = typer.Typer(help="Look after the tournaments of a running server.", no_args_is_help=True)


class TournamentFailed(SeatmateError):
    """A tournament of a server could not go on; the message says why."""


def start(place: Place, token: str, game: str, *, html: Path | None, markdown: Path | None, csv: Path | None,
          json: bool, **wishes: Any) -> None:
    """Let bots play at a server, follow that, and print what comes of it. wishes: as `Client.create_tournament`."""
    with connected(place, _LACKING) as client:
        made = client.create_tournament(game, token=token, **wishes)
        if not token and not json:
            say(f"{made.name}; the owner's token, which is told once: {made.token}", fold=False)
        follow(made, place, game_spec(game).title)
        show(made, html=html, markdown=markdown, csv=csv, json=json)


def follow(one: Tournament, place: Place, title: str) -> None:
    """Wait until it is over. Ctrl-C leaves it to the server, and says how to go on. Raises TournamentFailed, grpc.RpcError."""
    from seatmate.ai.arena import Progress
    from seatmate.v1 import tournament_service_pb2 as pb

    again = f"{TOKEN}={one.token} seatmate tournaments watch {one.name} {place.options}"
    with interruptible(f"the tournament goes on at the server. Go on watching: {again}"), tournament_bar(title) as bar:
        for step in one.watch():
            now = step.tournament
            bar(Progress(games=now.games_played, games_total=now.game_total, games_resumed=0, a=now.bots[0],
                         b=now.bots[1] if len(now.bots) > 1 else None, mean=now.mean,
                         ci95=now.ci95 if now.HasField("ci95") else None, llr=now.llr if now.HasField("llr") else None))
    if now.state == pb.TOURNAMENT_STATE_FAILED:
        raise TournamentFailed(f"{one.name}: {now.failure}")


def show(one: Tournament, *, html: Path | None, markdown: Path | None, csv: Path | None, json: bool) -> None:
    """Fetch the report, print it, and write the files that are named. Raises OSError, grpc.RpcError."""
    from seatmate.ai.arena import result_from_json

    text = one.report("json")
    if json:
        print_json(json_text.loads(text))
    else:
        result = result_from_json(json_text.loads(text))
        show_result(result, {}, {}, game_spec(result.game).title)
    for path, kind in ((html, "html"), (markdown, "markdown"), (csv, "csv")):
        if path is not None:
            path.write_text(one.report(kind), encoding="utf-8")
            if not json:
                say(f"written: {plain(str(path))}", fold=False)


@tournaments.command("list", epilog=example("seatmate tournaments list --server 127.0.0.1:50051"))
def list_(token: Token, server: Address = USUAL, ca: Ca = None, cert: Cert = None, key: Key = None,
          json: Json = False, no_color: NoColor = False) -> None:
    """List your tournaments, newest first, and how far they are."""
    from google.protobuf.json_format import MessageToDict
    from rich.table import Table

    with connected(Place(server, ca, cert, key), _LACKING) as client:
        found = client.list_tournaments(token)
    if json:
        print_json({"tournaments": [MessageToDict(one, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
                                    for one in found]})
        return
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("Tournament", "Made", "Games", "", "Bots"):
        shown.add_column(heading, overflow="fold", no_wrap=heading == "Tournament")      # names are copied
    for one in found:
        shown.add_row(f"[cyan]{plain(one.name)}[/cyan]", f"{one.create_time.ToDatetime():%Y-%m-%d %H:%M}",
                      f"{one.games_played:,} of {one.game_total:,}", _state(one), plain(", ".join(one.bots)))
    out().print(shown)


@tournaments.command(epilog=example("seatmate tournaments watch tournaments/0123 --server 127.0.0.1:50051"))
def watch(name: Name, token: Token, server: Address = USUAL, ca: Ca = None, cert: Cert = None, key: Key = None,
          html: HtmlFile = None, markdown: MarkdownFile = None, csv: CsvFile = None, json: Json = False,
          no_color: NoColor = False) -> None:
    """Follow a tournament to its end, and print its report."""
    check_apart(html=html, markdown=markdown, csv=csv)
    place = Place(server, ca, cert, key)
    with connected(place, _LACKING) as client:
        one = _named(client, name, token)
        follow(one, place, name)
        show(one, html=html, markdown=markdown, csv=csv, json=json)


@tournaments.command(epilog=example("seatmate tournaments report tournaments/0123 --html report.html"))
def report(name: Name, token: Token, server: Address = USUAL, ca: Ca = None, cert: Cert = None, key: Key = None,
           html: HtmlFile = None, markdown: MarkdownFile = None, csv: CsvFile = None, json: Json = False,
           no_color: NoColor = False) -> None:
    """Print the report on what was played so far."""
    check_apart(html=html, markdown=markdown, csv=csv)
    with connected(Place(server, ca, cert, key), _LACKING) as client:
        show(_named(client, name, token), html=html, markdown=markdown, csv=csv, json=json)


@tournaments.command(epilog=example("seatmate tournaments cancel tournaments/0123"))
def cancel(name: Name, token: Token, server: Address = USUAL, ca: Ca = None, cert: Cert = None, key: Key = None,
           no_color: NoColor = False) -> None:
    """End a tournament; what was played stays, and so does its report."""
    with connected(Place(server, ca, cert, key), _LACKING) as client:
        ended = _named(client, name, token).cancel()
    say(f"{plain(ended.name)}: {_state(ended)}, {ended.games_played:,} of {ended.game_total:,} games are played")


def _named(client: Client, name: str, token: str) -> Tournament:
    from seatmate.client.blocking import Tournament

    return Tournament(client, name, token)


def _state(one: Message) -> str:
    """How far it is, in a word."""
    from seatmate.v1.tournament_service_pb2 import TournamentState

    return TournamentState.Name(one.state).removeprefix("TOURNAMENT_STATE_").lower()


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(tournaments, name="tournaments")
