"""The page itself: what is committed is what its sources give, it is small, and axe finds nothing to mend."""
from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from people import MINE, play_on

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "server/web/page"
NEEDED = bool(os.environ.get("SEATMATE_NEEDS_BROWSER"))
SITE = ROOT / "server/web/site"
MOST_BYTES = 80_000
"""JavaScript and CSS for all games, gzipped."""


@pytest.fixture(scope="session")
def node(tmp_path_factory):
    """A copy of the page's sources with what `npm ci` installs."""
    if shutil.which("npm") is None and not NEEDED:
        pytest.skip("needs npm (Node 20 or newer)")
    copy = tmp_path_factory.mktemp("node") / "server/web/page"
    shutil.copytree(PAGE, copy, ignore=shutil.ignore_patterns("node_modules", "gen"))
    shutil.copytree(ROOT / "proto", copy.parents[2] / "proto")
    subprocess.run(["npm", "ci", "--silent"], cwd=copy, check=True)
    return copy


def files(folder: Path) -> dict[str, bytes]:
    """All files below it."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_the_built_page_is_what_its_sources_give(node):
    """Types are checked, too. `make page` builds it."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for step in ("protos", "check", "build"):
        done = subprocess.run(["npm", "run", "--silent", step], cwd=node, env={**os.environ, "PATH": path},
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    assert files(node.parent / "site") == files(SITE)


def test_the_page_is_small():
    sizes = {name: len(gzip.compress(data, 9)) for name, data in files(SITE / "assets").items()}
    assert sizes
    assert sum(sizes.values()) <= MOST_BYTES, sizes


def test_no_registry_is_named():
    assert '"resolved"' not in (PAGE / "package-lock.json").read_text()


def test_no_game_is_named_in_the_page():
    from seatmate.engine.core.registry import list_games
    sources = "\n".join(path.read_text() for path in (PAGE / "src").glob("*.ts*")).lower()
    for spec in list_games():
        assert spec.id not in sources
        assert spec.title.lower() not in sources


@pytest.mark.parametrize("what", ["lobby", "form", "tournaments", "hint", "hyde", "mythos", "titans", "hundred_days",
                                  "monster_chase", "hanabi", "connect_four", "liars_dice"])
def test_axe_finds_nothing(what, served, new_page, node):
    axe = (node / "node_modules/axe-core/axe.min.js").read_text()
    page = new_page()
    if what == "lobby":
        page.goto(served.url)
        page.wait_for_selector("form.game .picture .zone")
    elif what == "form":
        page.goto(f"{served.url}/#/new/hyde")
        page.wait_for_selector("form.start")
        page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
    elif what == "tournaments":
        page.goto(f"{served.url}/#/tournaments")
        page.wait_for_selector("main.tournaments form")
    else:
        page.goto(served.deal("mythos" if what == "hint" else what, bots={1: "random"}).link(0))
        page.wait_for_selector(MINE)
        if what == "hint":
            page.keyboard.press("h")
            page.wait_for_selector(".hint.open[aria-busy=false]")
        else:
            play_on(page, presses=8)
    found = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found[scheme] = page.evaluate(AXE, axe)
    assert found == {"light": [], "dark": []}


AXE = """async (source) => {
  if (!window.axe) new Function(source).call(window);
  for (const one of document.getAnimations()) one.finish();
  const { violations, incomplete } = await axe.run(document);
  // Words in the colour of their ground, which axe takes for hidden on purpose.
  const equal = (node) => node.any.some((check) => check.data?.messageKey === "equalRatio");
  const unseen = incomplete.flatMap((one) => one.nodes).filter(equal);
  return [...violations.map((one) => [one.id, one.nodes]), ...(unseen.length ? [["unseen", unseen]] : [])].map(
    ([id, nodes]) => [id, nodes.slice(0, 3).map((node) => node.html.slice(0, 200))]);
}"""
