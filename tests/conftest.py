"""Settings for all tests."""
from __future__ import annotations

from collections.abc import Iterator

import hypothesis
import pytest

from seatmate.ai.bots import list_bots, own, registry
from seatmate.ai.bots.external import end_programs

# The same examples every time: a red run is a change of the code, never of the dice. Timing is not what these tests test,
# and a machine that stalls while examples are made is no reason to fail.
hypothesis.settings.register_profile("fixed", derandomize=True, deadline=None, database=None,
                                     suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("fixed")


@pytest.fixture
def own_bots(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Bots that the test registers are gone after it, and so are their programs."""
    list_bots()
    monkeypatch.setenv(own.FILES, "")
    before = dict(registry._bots)
    yield
    end_programs()
    registry._bots.clear()
    registry._bots.update(before)
    registry._parse.cache_clear()
    own._loaded.clear()
