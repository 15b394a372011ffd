"""A real server on loopback with its own SQLite file, for every test that asks for one."""
from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

sys.path.append(str(Path(__file__).parent))     # playing.py is a module of its own


from playing import House
from postgres import cluster, new_database
from seatmate.client import connect
from seatmate.server import service
from seatmate.server.config import Pacing, ServerConfig
from seatmate.server.service import running_server
from stated import noting


@pytest.fixture(autouse=True)
def failures_are_stated(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever a call of any test fails with is among the reasons that the protos state for it."""
    unstated: list[str] = []
    monkeypatch.setattr(service, "answer_errors", noting(unstated))
    yield
    assert unstated == []


@pytest_asyncio.fixture
async def house(tmp_path):
    """A server with two workers, and a client of it."""
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "tables.sqlite3"), workers=2, queue=2,
                          grace_s=1.0, pacing=Pacing(answer_ms=None))
    async with running_server(config) as address, connect(address) as client:
        yield House(client, address)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Callable[[], str]]:
    """A PostgreSQL; each call makes a database in it and answers its URL."""
    numbers = itertools.count()
    with cluster() as folder:
        yield lambda: new_database(folder, f"t{next(numbers)}")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a new database, of each kind."""
    return f"sqlite:///{tmp_path}/t.sqlite3" if request.param == "sqlite" else request.getfixturevalue("postgres")()
