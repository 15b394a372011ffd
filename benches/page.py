"""How soon does the page answer? Debian's Chromium against a real server, on this machine.

paint: first contentful paint of the lobby, a new browser context each time · click: from pressing an answer to the painted new
position, of the player and of a spectator · hint: from H to the first hint · stopped: from Esc to the end of the server's search ·
shift: how far things jump when a hint comes (Chromium's layout shift; 0: not at all) · size: JavaScript and CSS, gzipped.
"""
from __future__ import annotations

import contextlib
import gzip
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

import command_line
import machine
from seatmate.server.web.site import FOLDER

AIMS = {"paint": 500.0, "click": 50.0, "click_seen": 50.0, "hint": 300.0, "stopped": 30.0, "shift": 0.0, "kilobytes": 80.0}
TIMES = ("click", "click_seen", "hint", "stopped")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]

PAINT = """() => new Promise((resolve) => {
  const found = performance.getEntriesByName("first-contentful-paint")[0];
  if (found) return resolve(found.startTime);
  new PerformanceObserver((list) => resolve(list.getEntries()[0].startTime)).observe({type: "paint", buffered: true});
})"""

# Milliseconds of the wall clock, so that two pages can be compared; null if nothing comes: some answers nobody else sees.
PAINTED = """() => new Promise((resolve) => {
  const before = document.querySelector("main.table").dataset.sequence;
  const until = performance.now() + 2000;
  const look = () => {
    if (performance.now() > until) return resolve(null);
    if (document.querySelector("main.table").dataset.sequence === before) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now()), 0));
  };
  requestAnimationFrame(look);
})"""
CLICK = """() => new Promise((resolve) => {
  const before = document.querySelector("main.table").dataset.sequence;
  let clicked = performance.timeOrigin + performance.now();
  const look = () => {
    const confirm = document.querySelector("[data-confirm]");     // of what can't be taken back
    if (confirm) { clicked = performance.timeOrigin + performance.now(); confirm.click(); }
    if (document.querySelector("main.table").dataset.sequence === before) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => resolve([clicked, performance.timeOrigin + performance.now()]), 0));
  };
  document.querySelector(".actions [data-action]").click();
  requestAnimationFrame(look);
})"""
HINT = """() => new Promise((resolve) => {
  window.shift = 0;
  const watch = new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shift += one.value; });
  watch.observe({type: "layout-shift"});
  const pressed = performance.now();
  document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "h", bubbles: true}));
  const look = () => {
    if (!document.querySelector(".hint.open li")) return requestAnimationFrame(look);
    setTimeout(() => resolve(performance.now() - pressed), 0);
  };
  requestAnimationFrame(look);
})"""


@contextlib.contextmanager
def served() -> Iterator[tuple[str, str]]:
    """`seatmate serve` with a database of its own: the links of the page and of the metrics."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(Path(sys.executable).with_name("seatmate")), "serve", "--address", "127.0.0.1:0", "--answer-ms", "0",
                   "--metrics-port", "0", "--database", str(Path(folder) / "t.sqlite3")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            try:
                links = re.findall(r"http://[\w.:/]+", running.stdout.readline())
                metrics, page = sorted(links, key=lambda link: "metrics" not in link)
                yield page, metrics
            finally:
                running.terminate()
                running.wait(30)


def searches(metrics: str) -> float:
    """How many searches run on the server."""
    with urllib.request.urlopen(metrics) as answer:
        found = re.search(r"^seatmate_searches_running (\S+)", answer.read().decode(), re.MULTILINE)
    assert found is not None
    return float(found[1])


def paints(browser: Any, url: str, times: int) -> list[float]:
    """First contentful paint of the lobby."""
    found = []
    for _ in range(times):
        context = browser.new_context()
        page = context.new_page()
        page.goto(url)
        found.append(page.evaluate(PAINT))
        context.close()
    return found


def clicks(browser: Any, url: str, game: str, times: int) -> tuple[list[float], list[float]]:
    """From a click to the painted position: of the player, and of a spectator."""
    own: list[float] = []
    seen: list[float] = []
    player, spectator = browser.new_context().new_page(), browser.new_context().new_page()
    while len(own) < times:
        player.goto(url)
        player.locator(f"form[data-game='games/{game}'] select[name=bot]").select_option("level:novice")
        player.locator(f"form[data-game='games/{game}'] [data-play]").click()
        player.wait_for_selector("main.table[data-ready=true]")
        table = player.url.partition("#/")[2].partition("/seats")[0]
        invitation = player.evaluate("table => localStorage.getItem(`seatmate:${table}/invitation`)", table)
        spectator.goto(f"{url}/#/{table}?invitation={invitation}")
        spectator.wait_for_selector("main.table")
        while len(own) < times:
            player.wait_for_selector("main.table[data-ready=true], main.table[data-link=over]")
            if player.locator("main.table[data-link=over]").count():
                break
            while not player.locator(".actions [data-action]").count():
                player.locator(".actions [data-group]").first.click()
            spectator.evaluate(f"() => {{ window.painted = ({PAINTED})(); }}")
            clicked, done = player.evaluate(CLICK)
            own.append(done - clicked)
            if (painted := spectator.evaluate("window.painted")) is not None:
                seen.append(painted - clicked)
    return own, seen


def hints(browser: Any, url: str, game: str, metrics: str, times: int) -> tuple[list[float], list[float], float]:
    """From H to a hint, from Esc to the end of the search, and the largest layout shift."""
    first, stopped, shift = [], [], 0.0
    page = browser.new_context().new_page()
    page.goto(url)
    page.locator(f"form[data-game='games/{game}'] [data-play]").click()
    page.wait_for_selector("main.table[data-ready=true]")
    for _ in range(times):
        first.append(page.evaluate(HINT))
        shift = max(shift, page.evaluate("window.shift"))
        began = time.perf_counter()
        page.keyboard.press("Escape")
        while searches(metrics):
            pass
        stopped.append((time.perf_counter() - began) * 1000)
        page.evaluate("() => document.querySelector('.hint .close').click()")
        page.wait_for_selector(".hint.open", state="detached")
    return first, stopped, shift


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = command_line.command(__doc__ or "", ["python benches/page.py", "python benches/page.py --games mythos --times 30"])
    parser.add_argument("--games", nargs="+", default=["connect_four", "hyde", "mythos", "titans"], metavar="GAME")
    parser.add_argument("--times", type=command_line.whole(3), default=15, metavar="N", help="of each measurement")
    options = parser.parse_args(arguments)
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        print("needs Chromium (Debian: apt-get install chromium), or CHROMIUM=path", file=sys.stderr)
        return 2
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("needs playwright: pip install 'seatmate[browser]'", file=sys.stderr)
        return 2
    where, console = machine.facts(), machine.console(options.json)
    rows: list[dict[str, Any]] = []
    with served() as (url, metrics), sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium, args=FLAGS)
        paint = statistics.median(paints(browser, url, options.times))
        for game in options.games:
            own, seen = clicks(browser, url, game, options.times)
            first, stopped, shift = hints(browser, url, game, metrics, options.times)
            middle = [statistics.median(values) for values in (own, seen, first, stopped)]
            rows.append({"game": game, **dict(zip(TIMES, middle, strict=True)), "shift": shift})
        browser.close()
    size = sum(len(gzip.compress(path.read_bytes(), 9)) for path in (FOLDER / "assets").iterdir()) / 1000
    table = Table(title="The page, medians in milliseconds", caption=machine.sentence(where))
    for name in ("game", "click", "seen by a spectator", "H to hint", "Esc to stopped", "shift"):
        table.add_column(name, justify="left" if name == "game" else "right")
    for row in rows:
        table.add_row(row["game"], *(f"{row[key]:.0f}" for key in TIMES), f"{row['shift']:.3f}")
    console.print(table)
    console.print(f"First contentful paint {paint:.0f} ms; JavaScript and CSS {size:.1f} kB gzipped.")
    console.print(f"Aims: {', '.join(f'{key} {value:g}' for key, value in AIMS.items())}")
    machine.write_json(options.json, {"machine": where, "rows": rows, "paint": paint, "kilobytes": size, "aims": AIMS})
    return 0


if __name__ == "__main__":
    sys.exit(main())
