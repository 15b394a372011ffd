"""Which files are games."""
from __future__ import annotations

from pathlib import Path

import pytest

import seatmate.engine
from seatmate.engine.core import registry

GAME = """
from dataclasses import replace
from seatmate.engine.classics.kuhn import SPEC as KUHN
from seatmate.engine.core.registry import register

SPEC = register(replace(KUHN, id="{name}"))
"""


@pytest.mark.parametrize("place", ["beside.py", "folder/game.py"])
def test_a_file_beside_the_folders_is_a_game_as_well(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was built and then never found, without a word."""
    name = place.partition("/")[0].removesuffix(".py")
    file = tmp_path / place
    file.parent.mkdir(exist_ok=True)
    file.with_name("__init__.py").touch()
    file.write_text(GAME.format(name=name))
    registry.list_games()
    monkeypatch.setattr(seatmate.engine, "__path__", [*seatmate.engine.__path__, str(tmp_path)])
    monkeypatch.setattr(registry, "_specs", dict(registry._specs))
    monkeypatch.setattr(registry, "_loaded", False)
    assert name in {spec.id for spec in registry.list_games()}
