"""`seatmate admin`: what who runs a server can see of its tables and do about them."""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seatmate.server.cli.arguments import Json, NoColor, example
from seatmate.server.cli.console import out, plain, print_json, say

if TYPE_CHECKING:
    from seatmate.v1.admin_service_pb2 import SurveyedTable
    from seatmate.v1.admin_service_pb2_grpc import AdminServiceAsyncStub

    Work = Callable[[AdminServiceAsyncStub, tuple[tuple[str, str], ...]], Awaitable[None]]

Address = Annotated[str, typer.Option("--server", metavar="HOST:PORT", help="The server.")]
TokenFile = Annotated[Path, typer.Option("--token-file", metavar="FILE", envvar="SEATMATE_ADMIN_TOKEN_FILE", show_default=False,
                                         help="The file that the server was given as --admin-token-file.")]
Ca = Annotated[Path | None, typer.Option("--ca", metavar="FILE", show_default=False, help=(
    "Speak TLS; who has signed the server's certificate, PEM. Default: no TLS."))]
Name = Annotated[str, typer.Argument(metavar="TABLE", show_default=False, help="tables/..., as `seatmate admin tables` lists it.")]

admin = typer.Typer(help="See, stop and remove the tables of a running server.", no_args_is_help=True)


def _run(server: str, token_file: Path, ca: Path | None, work: Work) -> None:
    """Let the work be done at the server. Raises OSError, grpc.RpcError."""
    token, certificate = token_file.read_text("utf-8").strip(), None if ca is None else ca.read_bytes()
    import grpc

    from seatmate.client import bearer, connect
    from seatmate.v1.admin_service_pb2_grpc import AdminServiceStub

    async def play() -> None:
        credentials = None if certificate is None else grpc.ssl_channel_credentials(certificate)
        async with connect(server, credentials=credentials) as client:
            await work(AdminServiceStub(client.channel), bearer(token))

    asyncio.run(play())


@admin.command(epilog=example("seatmate admin tables --token-file admin.token"))
def tables(token_file: TokenFile, server: Address = "127.0.0.1:50051", ca: Ca = None, json: Json = False,
           no_color: NoColor = False) -> None:
    """List all tables, private ones too: how old they are, how busy, and who uses them now."""
    from google.protobuf.json_format import MessageToDict

    from seatmate.v1.admin_service_pb2 import SurveyTablesRequest

    found: list[SurveyedTable] = []

    async def collect(stub: AdminServiceAsyncStub, metadata: tuple[tuple[str, str], ...]) -> None:
        request = SurveyTablesRequest(page_size=100)
        while True:
            page = await stub.SurveyTables(request, metadata=metadata)
            found.extend(page.tables)
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    _run(server, token_file, ca, collect)
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
def stop(table: Name, token_file: TokenFile, server: Address = "127.0.0.1:50051", ca: Ca = None, no_color: NoColor = False) -> None:
    """Take the bots from a table. The game stays, and its owner can seat others."""
    from seatmate.v1.admin_service_pb2 import StopTableRequest

    async def end(stub: AdminServiceAsyncStub, metadata: tuple[tuple[str, str], ...]) -> None:
        gone = (await stub.StopTable(StopTableRequest(name=table), metadata=metadata)).seats
        say(f"{plain(table)}: {'the bots of seats ' + ', '.join(map(str, gone)) + ' have gone' if gone else 'no bots sit there'}")

    _run(server, token_file, ca, end)


@admin.command(epilog=example("seatmate admin remove tables/3f2a --token-file admin.token"))
def remove(table: Name, token_file: TokenFile, server: Address = "127.0.0.1:50051", ca: Ca = None,
           no_color: NoColor = False) -> None:
    """Remove a table for good, with all that is known of its game."""
    from seatmate.v1.admin_service_pb2 import RemoveTableRequest

    async def end(stub: AdminServiceAsyncStub, metadata: tuple[tuple[str, str], ...]) -> None:
        await stub.RemoveTable(RemoveTableRequest(name=table), metadata=metadata)
        say(f"{plain(table)} is gone")

    _run(server, token_file, ca, end)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(admin, name="admin")
