from typing import Any

from seatmate.engine.core.game import Game, State
from seatmate.engine.core.packs import LoadedPack
from seatmate.engine.core.spec import GameSpec, Settings
from seatmate.engine.hyde.content.pack import Content, HydePack
from seatmate.engine.hyde.secrets.view import HydeView
from seatmate.engine.hyde.words.words import Names

SPEC: GameSpec

class HydeGame(Game):
    content: Content
    loaded: LoadedPack[HydePack]
    names: Names
    def __init__(self, settings: Settings) -> None: ...
    def everything(self, state: State) -> dict[str, Any]: ...
    def check_invariants(self, state: State) -> None: ...
    def new_view(self, seat: int) -> HydeView: ...
