"""A server that is killed and born again a hundred times: `python reborn.py DATABASE ADDRESS`.

The imports are done once. Each line on standard input bears a server by a fork, which says `PID` when it serves; when it has died,
by whatever, `dead` is said. SIGTERM takes the living one along.
"""
from __future__ import annotations

import asyncio
import functools
import os
import signal
import sys

from seatmate.engine.core.registry import list_games
from seatmate.server.config import Pacing, ServerConfig
from seatmate.server.service import serve


def main(database: str, address: str) -> None:
    list_games()
    config = ServerConfig(address=address, database=database, workers=1, pacing=Pacing(answer_ms=None), web=False)
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            asyncio.run(serve(config, on_start=lambda _: print(os.getpid(), flush=True)))
            os._exit(0)
        signal.signal(signal.SIGTERM, functools.partial(_end, child))
        os.waitpid(child, 0)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        print("dead", flush=True)


def _end(child: int, *_: object) -> None:
    os.kill(child, signal.SIGKILL)
    sys.exit()


if __name__ == "__main__":
    main(*sys.argv[1:])
