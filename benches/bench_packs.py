"""Content packs: reading, checking and compiling a whole pack (aim: under 100 ms for hundreds of cards)."""
from __future__ import annotations

from pytest_benchmark.fixture import BenchmarkFixture

from seatmate.engine.hyde import pack


def test_load_hyde(benchmark: BenchmarkFixture) -> None:
    loaded = benchmark(pack.load, "standard")
    assert loaded.name == "standard"
