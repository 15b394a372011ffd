"""What clients were told stays: the API is held against that of the last release, and the check sees what would break them."""
from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TABLES = "proto/seatmate/v1/table_service.proto"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The protos, to be changed."""
    shutil.copy(ROOT / "buf.yaml", tmp_path)
    shutil.copytree(ROOT / "proto", tmp_path / "proto")
    return tmp_path


def breaks(folder: Path) -> str:
    """What `make protos` would complain of; empty if nothing."""
    buf = Path(sys.executable).with_name("buf")
    done = subprocess.run([str(buf), "breaking", "--against", "proto/baseline.binpb"], cwd=folder, capture_output=True, text=True,
                          timeout=60, check=False)
    assert (done.returncode == 0) == (done.stdout == ""), done
    return done.stdout


def test_additions_are_none(copy: Path) -> None:
    assert breaks(copy) == ""
    file = copy / TABLES
    file.write_text(file.read_text("utf-8") + "\nmessage Added {\n  string field = 1;\n}\n")
    assert breaks(copy) == ""


@pytest.mark.parametrize(("old", "new", "said"), [
    ("string request_id = ", "string request_identity = ", "request_id"),
    ("int64 expected_sequence = ", "string expected_sequence = ", "changed type"),
    ("rpc SubmitAction(", "rpc Submit(", "SubmitAction"),
    ("returns (stream WatchTableResponse)", "returns (WatchTableResponse)", "WatchTable"),
])
def test_what_was_told_may_not_change(copy: Path, old: str, new: str, said: str) -> None:
    file = copy / TABLES
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new))
    assert said in breaks(copy)
