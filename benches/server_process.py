"""A real server in a process of its own, with a database of its own, and what it takes of the machine (Linux)."""
from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Running:
    """A server that answers at `address`, host:port."""

    address: str
    process: int
    database: Path

    @property
    def cpu_s(self) -> float:
        """Seconds all its threads have computed so far, those that have ended among them; in steps of a clock tick."""
        user, system = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    @property
    def memory_mb(self) -> float:
        """What it holds in memory now."""
        pages = int(Path(f"/proc/{self.process}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


@contextlib.contextmanager
def server(*arguments: str) -> Iterator[Running]:
    """A server with a new database, until the block ends. `arguments` are those of seatmate.server.service."""
    with tempfile.TemporaryDirectory(prefix="seatmate-") as folder:
        database = Path(folder) / "tables.sqlite3"
        command = [sys.executable, "-P", "-m", "seatmate.server.service", "--database", str(database), *arguments]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            try:
                yield Running(running.stdout.readline().strip(), running.pid, database)
            finally:
                running.terminate()
                running.wait(30)
