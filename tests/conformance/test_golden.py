"""Behaviour that is written down has not changed. After an intended change: `make golden`, and review the diff."""
from __future__ import annotations

import golden
from cases import Case, default_cases


def test_the_playthrough_is_the_written_one(default_case: Case) -> None:
    file = golden.golden_file(default_case)
    assert file.exists(), f"{file.name} is missing: run `make golden`"
    written = file.read_text().splitlines()
    now = golden.playthrough(default_case).splitlines()
    for number, (before, after) in enumerate(zip(written, now, strict=False), start=1):
        assert after == before, f"{file.name}:{number} has changed"
    assert len(now) == len(written)


def test_the_signatures_are_the_written_ones(default_case: Case) -> None:
    now = golden.signature(default_case)
    print(f"signature of {default_case.name}: rules {now['rules']}, "
          f"search {now['search']['nodes']} nodes {now['search']['visits']}")
    stored = golden.stored_signatures().get(default_case.name)
    assert stored is not None, f"{default_case.name} has no signature yet: run `make golden`"
    assert now == stored, "behaviour has changed; if that is intended, run `make golden` and say so in the change"


def test_no_file_is_left_over() -> None:
    wanted = {golden.golden_file(case) for case in default_cases()}
    assert set(golden.FOLDER.glob("*.txt")) == wanted
    assert set(golden.stored_signatures()) == {case.name for case in default_cases()}
