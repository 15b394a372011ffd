from typing import Any

from seatmate.engine.core.fields import Fields
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.spec import GameSpec, Settings
from seatmate.engine.mythos.content.decks import Deck
from seatmate.engine.mythos.content.link import Compiled
from seatmate.engine.mythos.content.pack import MythosPack
from seatmate.engine.mythos.words.names import Names

SPEC: GameSpec
DECKS: tuple[str, ...]

class MythosGame(Game):
    pack: MythosPack
    compiled: Compiled
    names: Names
    decks: tuple[Deck, Deck]
    fields: Fields
    frame_fields: Fields

    def __init__(self, settings: Settings) -> None: ...
    @property
    def secret_settings(self) -> bool: ...
    def everything(self, state: State) -> dict[str, Any]: ...
    def add_power(self, values: dict[str, Any], seat: int) -> None: ...
    def check_invariants(self, state: State) -> None: ...
