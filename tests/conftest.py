"""Settings for all tests."""
from __future__ import annotations

import hypothesis

# The same examples every time: a red run is a change of the code, never of the dice. Timing is not what these tests test.
hypothesis.settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("fixed")
