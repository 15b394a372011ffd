"""The extra `adapters`: what is said when it is missing, and that CI really has it."""
from __future__ import annotations

import importlib
import os
import subprocess
import sys

import pytest


@pytest.mark.skipif("adapters" not in os.environ.get("EXTRAS", ""), reason="make test without EXTRAS=adapters")
@pytest.mark.parametrize("name", ["pyspiel", "pettingzoo"])
def test_the_extra_is_there_when_it_is_asked_for(name: str) -> None:
    importlib.import_module(name)


@pytest.mark.parametrize(("module", "needed"), [("openspiel", "pyspiel"), ("pettingzoo", "pettingzoo")])
def test_a_missing_extra_is_named(module: str, needed: str) -> None:
    script = f"import sys; sys.modules[{needed!r}] = None; import seatmate.ai.adapters.{module}"
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "pip install 'seatmate[adapters]'" in done.stderr.splitlines()[-1], done.stderr
