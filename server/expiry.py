"""Tables whose time is over are deleted: those nobody has acted at for days, finished ones and others after a time of their own.

Where several servers share a database, each says every minute which tables its callers look at, and none of them is deleted.
"""
from __future__ import annotations

import asyncio
import logging

from seatmate.server.config import ServerConfig
from seatmate.server.errors import ApiError, Code
from seatmate.server.storage import Storage, now_us
from seatmate.server.survey import Surveyed, Wanted
from seatmate.server.tables import Tables

log = logging.getLogger(__name__)

_DAY_S = 86_400.0
_OFTEN_S, _SELDOM_S = 1.0, 3_600.0      # between two looks, which are ten in a table's time
_BEAT_S = 60.0      # after which the other servers hear what is used here
_USED_S = 180.0     # for which they believe it
_AT_ONCE = 50       # are deleted before others have their turn


class Expiry:
    """Looks for such tables. Of several servers on one database that one deletes a table which would play its bots."""

    def __init__(self, storage: Storage, tables: Tables, config: ServerConfig) -> None:
        self._storage = storage
        self._tables = tables
        days = ((True, config.delete_finished_days), (False, config.delete_idle_days))
        self._limits_s = {finished: many * _DAY_S for finished, many in days if many > 0}

    async def run(self) -> None:
        """Until it is cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._sweep_always())
            tasks.create_task(self._beat_always())

    async def _beat_always(self) -> None:
        while self._storage.shared:
            await asyncio.sleep(_BEAT_S)
            try:
                await self.beat()
            except Exception:       # the database may be away
                log.exception("the other servers could not be told which tables are used here; this is tried again")

    async def beat(self) -> None:
        """Tell the other servers which tables are used here. Those where somebody acts are young enough for all."""
        await self._storage.note_used(self._tables.used_for(_BEAT_S), _USED_S)

    async def _sweep_always(self) -> None:
        """Returns at once if no table's time is ever over."""
        if not self._limits_s:
            return
        pause_s = min(max(min(self._limits_s.values()) / 10, _OFTEN_S), _SELDOM_S)
        while True:
            await asyncio.sleep(pause_s)
            try:
                await self.sweep()
            except Exception:       # the database may be away
                log.exception("tables whose time is over could not be looked for; this is tried again")

    async def sweep(self) -> int:
        """Delete all whose time is over; how many there were."""
        count = 0
        for finished, limit_s in self._limits_s.items():
            after = ""
            while found := await self._storage.survey(Wanted(
                    _AT_ONCE, after, finished=finished, idle_since_us=now_us() - round(limit_s * 1e6))):
                after = found[-1].id
                for one in found:
                    count += self._tables.drives(one.id) and await self._delete(one)
                await asyncio.sleep(0)
        if count:
            log.info("tables whose time was over are deleted", extra={"tables": count})
        return count

    async def _delete(self, one: Surveyed) -> bool:
        """Delete it, unless somebody uses it now, at whatever server; was it?"""
        if self._tables.users(one.id) or (self._storage.shared and await self._storage.is_used(one.id)):
            return False
        try:
            return await self._tables.remove(one.id, actions=one.actions)
        except ApiError as error:
            if error.code is not Code.NOT_FOUND:
                raise
            return False
