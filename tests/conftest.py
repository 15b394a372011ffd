"""Settings for all tests."""
from __future__ import annotations

import hypothesis

# The same examples every time: a red run is a change of the code, never of the dice. Timing is not what these tests test,
# and a machine that stalls while examples are made is no reason to fail.
hypothesis.settings.register_profile("fixed", derandomize=True, deadline=None, database=None,
                                     suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("fixed")
