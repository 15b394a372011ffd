"""The sanitizer run sees what it is there to see. `make sanitize` runs this first; other builds have nothing to check."""
from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import pytest

if "SEATMATE_SANITIZE" not in os.environ:
    pytest.skip("not a sanitizer run", allow_module_level=True)

FAULTS = "seatmate.tests.sanitize.faults"


def test_this_is_a_build_with_sanitizers() -> None:
    assert importlib.util.find_spec(FAULTS), "built without SEATMATE_SANITIZE: a clean run would mean nothing"


@pytest.mark.parametrize(("fault", "report"), [
    ("read_past_heap(4096, 4096)", "AddressSanitizer: heap-buffer-overflow"),
    ("write_past_stack(8)", "AddressSanitizer: stack-buffer-overflow"),
    ("use_after_free()", "AddressSanitizer: heap-use-after-free"),
    ("index_past_array(8)", "runtime error: index 8 out of bounds"),
    ("overflow(2147483647)", "runtime error: signed integer overflow"),
    ("shift_too_far(32)", "runtime error: shift exponent 32 is too large"),
])
def test_an_error_ends_the_process_and_is_reported(fault: str, report: str) -> None:
    environment = {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":log_path=stderr"}
    done = subprocess.run([sys.executable, "-P", "-c", f"import {FAULTS} as faults; faults.{fault}"],
                          env=environment, capture_output=True, text=True)
    assert done.returncode != 0 and report in done.stderr


@pytest.mark.parametrize("harmless", ["read_past_heap(4096, 4095)", "write_past_stack(7)", "overflow(1)", "shift_too_far(30)"])
def test_correct_code_is_left_alone(harmless: str) -> None:
    subprocess.run([sys.executable, "-P", "-c", f"import {FAULTS} as faults; faults.{harmless}"], check=True)
