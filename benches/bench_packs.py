"""Content packs: reading, checking and compiling a whole pack (aim: under 100 ms for hundreds of cards)."""
from __future__ import annotations

from pathlib import Path

from pytest_benchmark.fixture import BenchmarkFixture

from seatmate.engine.hyde.content import pack
from seatmate.engine.mythos.content import link


def test_load_hyde(benchmark: BenchmarkFixture) -> None:
    loaded = benchmark(pack.load, "standard")
    assert loaded.name == "standard"


def test_load_mythos(benchmark: BenchmarkFixture) -> None:
    """By its path: a shipped pack is read once and kept."""
    file = Path(link.__file__).parents[1] / "packs" / "standard.toml"
    loaded, rows = benchmark(link.compile_pack, str(file))
    assert len(loaded.content.character) == 148 and len(rows.lines) == 221
