"""Another caller beside an attack, in a process of its own: `python fuzz_witness.py ADDRESS` says what its calls take, in ms."""
from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable

from seatmate.client import bearer, connect
from seatmate.v1 import table_service_pb2 as pb

_PAUSE_S = 0.02


class Witness:
    """The process, and what its calls have taken so far."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.took_ms: list[float] = []
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, address: str) -> Witness:
        """One whose first call has been answered."""
        found = cls(await asyncio.create_subprocess_exec(sys.executable, "-P", __file__, address, stdout=asyncio.subprocess.PIPE))
        async with asyncio.timeout(60):
            while not found.took_ms:
                await asyncio.sleep(0.05)
        return found

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self.took_ms.append(float(line))

    async def median_ms(self, work: Awaitable[object]) -> float:
        """The median of what its calls take during this work, without the first third: of the start."""
        self.took_ms = []
        await work
        took, self.took_ms = self.took_ms, []
        return statistics.median(took[len(took) // 3:])

    async def stop(self) -> None:
        """The process ends."""
        if self._process.returncode is None:
            self._process.terminate()
        await self._process.wait()
        await self._reading


async def _look(address: str) -> None:
    """Look at a table of one's own again and again."""
    async with connect(address) as client:
        table = await client.create_table("kuhn")
        seat = await table.claim(0)
        while True:
            began = time.monotonic()
            await client.tables.GetTable(pb.GetTableRequest(name=table.name), metadata=bearer(table.token))
            await client.tables.ListLegalActions(pb.ListLegalActionsRequest(seat=seat.name), metadata=bearer(seat.token))
            print((time.monotonic() - began) * 1000 / 2, flush=True)
            await asyncio.sleep(_PAUSE_S)


if __name__ == "__main__":
    asyncio.run(_look(sys.argv[1]))
