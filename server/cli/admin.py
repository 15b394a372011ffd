"""`seatmate admin`: what who runs a server can see of its tables and do about them."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seatmate.server.cli.arguments import Json, NoColor, example
from seatmate.server.cli.at_server import USUAL, Address, Ca, Cert, Key, Place, connected
from seatmate.server.cli.console import out, plain, print_json, say

if TYPE_CHECKING:
    from seatmate.client import Metadata
    from seatmate.v1.admin_service_pb2 import SurveyedTable
    from seatmate.v1.admin_service_pb2_grpc import AdminServiceStub

TokenFile = Annotated[Path, typer.Option("--token-file", metavar="FILE", envvar="SEATMATE_ADMIN_TOKEN_FILE", show_default=False,
                                         help="The file that the server was given as --admin-token-file.")]
Name = Annotated[str, typer.Argument(metavar="TABLE", show_default=False, help="tables/..., as `seatmate admin tables` lists it.")]

admin = typer.Typer(help="See, stop and remove the tables of a running server.", no_args_is_help=True)


@contextmanager
def _admitted(place: Place, token_file: Path) -> Iterator[tuple[AdminServiceStub, Metadata]]:
    """Its calls and what opens them. Raises NobodyThere, NotOffered, OSError, and the calls grpc.RpcError."""
    token = token_file.read_text("utf-8").strip()
    with connected(place, "has no administration: it was started without --admin-token-file") as client:
        from seatmate.client import bearer
        from seatmate.v1.admin_service_pb2_grpc import AdminServiceStub

        yield AdminServiceStub(client.channel), bearer(token)


@admin.command(epilog=example("seatmate admin tables --token-file admin.token"))
def tables(token_file: TokenFile, server: Address = USUAL, ca: Ca = None, cert: Cert = None, key: Key = None,
           json: Json = False, no_color: NoColor = False) -> None:
    """List all tables, private ones too: how old they are, how busy, and who uses them now."""
    from google.protobuf.json_format import MessageToDict

    from seatmate.v1.admin_service_pb2 import SurveyTablesRequest

    found: list[SurveyedTable] = []
    with _admitted(Place(server, ca, cert, key), token_file) as (stub, metadata):
        request = SurveyTablesRequest(page_size=100)
        while True:
            page = stub.SurveyTables(request, metadata=metadata)
            found.extend(page.tables)
            if not page.next_page_token:
                break
            request.page_token = page.next_page_token
    if json:
        print_json({"tables": [MessageToDict(one, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
                               for one in found]})
        return
    from rich.table import Table

    shown = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("Table", "Game", "Last action", "Actions", "Bots", "Users", ""):
        shown.add_column(heading, overflow="fold", no_wrap=heading == "Table")      # names are copied
    for one in found:
        words = ("open" if one.is_open else "private", *(("over",) if one.is_finished else ()))
        shown.add_row(f"[cyan]{plain(one.name)}[/cyan]", plain(one.game.removeprefix("games/")),
                      f"{one.active_time.ToDatetime():%Y-%m-%d %H:%M}", str(one.actions), str(one.bots), str(one.users),
                      ", ".join(words))
    out().print(shown)


@admin.command(epilog=example("seatmate admin stop tables/3f2a --token-file admin.token"))
def stop(table: Name, token_file: TokenFile, server: Address = USUAL, ca: Ca = None, cert: Cert = None, key: Key = None,
         no_color: NoColor = False) -> None:
    """Take the bots from a table. The game stays, and its owner can seat others."""
    from seatmate.v1.admin_service_pb2 import StopTableRequest

    with _admitted(Place(server, ca, cert, key), token_file) as (stub, metadata):
        gone = stub.StopTable(StopTableRequest(name=table), metadata=metadata).seats
    say(f"{plain(table)}: {'the bots of seats ' + ', '.join(map(str, gone)) + ' have gone' if gone else 'no bots sit there'}")


@admin.command(epilog=example("seatmate admin remove tables/3f2a --token-file admin.token"))
def remove(table: Name, token_file: TokenFile, server: Address = USUAL, ca: Ca = None, cert: Cert = None, key: Key = None,
           no_color: NoColor = False) -> None:
    """Remove a table for good, with all that is known of its game."""
    from seatmate.v1.admin_service_pb2 import RemoveTableRequest

    with _admitted(Place(server, ca, cert, key), token_file) as (stub, metadata):
        stub.RemoveTable(RemoveTableRequest(name=table), metadata=metadata)
    say(f"{plain(table)} is gone")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(admin, name="admin")
