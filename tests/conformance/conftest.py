"""Gives every conformance test its cases: a test that takes `case` runs for every game, mode, seat count and option;
one that takes `default_case` for every game, mode and seat count."""
from __future__ import annotations

import pytest

from cases import Case, all_cases, default_cases
from seatmate.engine.core.game import Game


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for name, cases in (("case", all_cases), ("default_case", default_cases)):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, cases(), ids=lambda case: case.name)


@pytest.fixture
def game(request: pytest.FixtureRequest) -> Game:
    """The game of the test's case."""
    name = "case" if "case" in request.fixturenames else "default_case"
    case: Case = request.getfixturevalue(name)
    return case.new_game()
