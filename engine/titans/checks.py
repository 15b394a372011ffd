"""Is this view one that a game can show? Views come from anybody; the rules core trusts what is loaded into it."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seatmate.engine.titans.game import TitansGame


def check_view(game: TitansGame, values: Mapping[str, Any], seat: int) -> None:
    """The seat can have this view in some game. Raises ValueError that says what is wrong."""
