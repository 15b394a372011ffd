"""AdminService: tables as who runs the server sees them."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc.aio
from google.protobuf.empty_pb2 import Empty

from seatmate.server import auth, names, pages
from seatmate.server.options import StartupError
from seatmate.server.storage import Storage
from seatmate.server.survey import Surveyed, Wanted
from seatmate.server.tables import Tables
from seatmate.v1 import admin_service_pb2 as pb
from seatmate.v1 import admin_service_pb2_grpc

Context = grpc.aio.ServicerContext[Any, Any]

_LEAST_TOKEN = 32
_SCOPE = "survey"


def read_admin_token(file: Path) -> bytes:
    """The hash of the token in the file. Raises StartupError."""
    try:
        token = file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise StartupError(f"the administrator's token can't be read from {file}: "
                           f"{getattr(error, 'strerror', None) or error}") from None
    if len(token) < _LEAST_TOKEN or not token.isascii() or any(letter.isspace() for letter in token):
        raise StartupError(f"the administrator's token in {file} has to be one word of {_LEAST_TOKEN} characters at least; "
                           "`openssl rand -hex 32` makes one")
    return auth.hash_token(token)


class AdminService(admin_service_pb2_grpc.AdminServiceServicer):
    """Every call needs the administrator's token."""

    def __init__(self, storage: Storage, tables: Tables, token_hash: bytes) -> None:
        self._storage = storage
        self._tables = tables
        self._token_hash = token_hash

    def _require(self, context: Context) -> None:
        auth.require(auth.token_of(context), "the administration of this server", self._token_hash)

    async def SurveyTables(self, request: pb.SurveyTablesRequest, context: Context) -> pb.SurveyTablesResponse:
        """All tables, private ones too."""
        self._require(context)
        count = pages.page_size(request.page_size)
        after = pages.read_token(request.page_token, _SCOPE, (str,))
        found = await self._storage.survey(Wanted(count + 1, after[0] if after else ""))
        answer = pb.SurveyTablesResponse(tables=map(self._describe, found[:count]))
        if len(found) > count:
            answer.next_page_token = pages.make_token(_SCOPE, [found[count - 1].id])
        return answer

    def _describe(self, one: Surveyed) -> pb.SurveyedTable:
        message = pb.SurveyedTable(name=names.table_name(one.id), game=f"games/{one.game}", display_name=one.display_name,
                                   is_open=one.is_open, is_finished=one.finished, actions=one.actions, bots=one.bots,
                                   users=self._tables.users(one.id))
        message.create_time.FromMicroseconds(one.created_us)
        message.active_time.FromMicroseconds(one.active_us)
        return message

    async def StopTable(self, request: pb.StopTableRequest, context: Context) -> pb.StopTableResponse:
        """Take the bots from a table."""
        self._require(context)
        async with self._tables.use(names.parse_table(request.name)) as table:
            return pb.StopTableResponse(seats=await self._tables.dismiss_bots(table))

    async def RemoveTable(self, request: pb.RemoveTableRequest, context: Context) -> Empty:
        """Remove a table for good."""
        self._require(context)
        await self._tables.remove(names.parse_table(request.name))
        return Empty()
