from collections.abc import Mapping
from typing import Any

from seatmate.engine.core.game import Game, State
from seatmate.engine.core.spec import GameSpec, Settings
from seatmate.engine.hundred_days.content.pack import HundredPack
from seatmate.engine.hundred_days.words.names import Names

SPEC: GameSpec

class HundredDaysGame(Game):
    pack: HundredPack
    names: Names
    blank: bytes
    tile_count: int
    targets: tuple[tuple[int, ...], ...]

    def __init__(self, settings: Settings) -> None: ...
    def everything(self, state: State) -> dict[str, Any]: ...
    def scores(self, observation: Mapping[str, Any]) -> list[int]: ...
    def check_invariants(self, state: State) -> None: ...
