"""A real server in a process of its own, and Debian's Chromium, as people meet them."""
from __future__ import annotations

import importlib
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from seatmate.v1 import settings_pb2, table_pb2, table_service_pb2, table_service_pb2_grpc

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome") or ""

# Chromium's own services are not wanted: without a network they are refused many times a second.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]

NEEDED = bool(os.environ.get("SEATMATE_NEEDS_BROWSER"))
"""Then it is a failure that there is none."""

SHOTS = os.environ.get("SEATMATE_SHOTS")
"""Where pictures are kept: docs/screens by `make shots`; nowhere if it is not set."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests below this folder want a browser; where there is none they say so."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if not CHROMIUM and not NEEDED:
                item.add_marker(pytest.mark.skip("needs Chromium (Debian: apt-get install chromium), or CHROMIUM=path"))


class Served:
    """`seatmate serve`; `stop` and `start` again on the same port and database."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self.options, self.address = folder, options, "127.0.0.1:0"
        self.process: subprocess.Popen[str] | None = None
        self.url = ""

    def start(self) -> Served:
        """Run it until it says where it listens."""
        command = [str(Path(sys.executable).with_name("seatmate")), "serve", "--database", str(self.folder / "tables.sqlite3"),
                   "--address", self.address, "--answer-ms", "0", *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if link := re.search(r"https?://[\w.:\[\]]+/?", line):
                self.url = link.group().rstrip("/")
                self.address = self.url.partition("://")[2]
                return self
        raise AssertionError(f"the server ended with {self.process.wait()}")

    def stop(self, how: int = signal.SIGTERM) -> int:
        """Returns its exit code."""
        assert self.process is not None
        self.process.send_signal(how)
        return self.process.wait(20)

    def tables(self) -> table_service_pb2_grpc.TableServiceStub:
        """The API by native gRPC, on the same port."""
        return table_service_pb2_grpc.TableServiceStub(grpc.insecure_channel(self.address))

    def request(self, call: str, **fields: Any) -> Any:
        """The request of a call of TableService."""
        return getattr(table_service_pb2, f"{call}Request")(**fields)

    def deal(self, game: str, *, seats: int = 2, bots: dict[int, str] | None = None, seed: int = 1, pace_ms: int = 0,
             **more: Any) -> Dealt:
        """An open table of a known deal; seats that no bot plays are claimed."""
        stub, plans = self.tables(), bots or {}
        made = stub.CreateTable(table_service_pb2.CreateTableRequest(
            settings=settings_pb2.GameSettings(game=f"games/{game}", seat_count=seats), seed=seed, **more,
            access=table_pb2.ACCESS_OPEN,
            bots=[table_pb2.SeatPlan(seat=seat, bot=bot, pace_ms=pace_ms, display_name=f"Bot {seat}")
                  for seat, bot in plans.items()]))
        token = (("authorization", f"Bearer {made.table_token}"),)
        claimed = {}
        for seat in {*range(seats)} - {*plans}:
            wanted = table_service_pb2.ClaimSeatRequest(name=f"{made.table.name}/seats/{seat}", display_name=f"Person {seat}")
            claimed[seat] = stub.ClaimSeat(wanted, metadata=token).seat_token
        return Dealt(self, made.table.name, made.table_token, claimed)


class Dealt:
    """A table, and the tokens of its people."""

    def __init__(self, served: Served, name: str, token: str, seats: dict[int, str]) -> None:
        self.served, self.name, self.token, self.seats = served, name, token, seats

    def link(self, seat: int | None = None) -> str:
        """The page of a seat, as its player takes it along to another device, or of a spectator."""
        return f"{self.served.url}/#/{self.name}" + ("" if seat is None else f"/seats/{seat}?token={self.seats[seat]}")


def running(served: Served) -> Iterator[Served]:
    """The server while a test wants it. It must end in order."""
    yield served.start()
    assert served.process is not None
    if served.process.poll() is None:
        assert served.stop() == 0


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One for all tests of a module."""
    yield from running(Served(tmp_path_factory.mktemp("served")))


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Served]:
    """One that the test may stop."""
    yield from running(Served(tmp_path))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's browser: others are downloads of their own."""
    try:
        playwright = importlib.import_module("playwright.sync_api")
    except ImportError:
        if NEEDED:
            raise
        pytest.skip("needs playwright: pip install 'seatmate[browser]'")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


# Whatever a page receives from the API, kept for tests of secrecy.
RECORD = """
window.received = [];
const plain = window.fetch;
window.fetch = async (...wanted) => {
  const answer = await plain(...wanted);
  const url = String(wanted[0]?.url ?? wanted[0]);
  if (!answer.body) return answer;
  const [mine, theirs] = answer.body.tee();
  const keep = async () => { for await (const part of mine) window.received.push([url.split("/").at(-1), Array.from(part)]); };
  keep().catch(() => undefined);
  return new Response(theirs, answer);
};
"""


@pytest.fixture
def new_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Pages of separate people; a test fails when the console of one shows an error that it has not allowed."""
    contexts: list[Any] = []
    troubles: list[str] = []

    def make(*, record: bool = False, allow: str = "$^", **wishes: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 850}, "locale": "en-GB", **wishes})
        contexts.append(context)
        if record:
            context.add_init_script(RECORD)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda message: troubles.append(message.text)
                if message.type == "error" and not re.search(allow, message.text) else None)
        return page

    yield make
    for context in contexts:
        context.close()
    assert troubles == []


@pytest.fixture
def shot() -> Callable[[Any, str], None]:
    """A small picture of the page, if pictures are wanted."""
    def take(page: Any, name: str) -> None:
        if SHOTS:
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            page.evaluate("() => { for (const one of document.getAnimations()) one.finish(); }")
            page.screenshot(path=Path(SHOTS) / f"{name}.jpg", type="jpeg", quality=60)
    return take
