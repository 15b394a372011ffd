from collections.abc import Mapping
from typing import Any

from seatmate.engine.core.fields import Fields, Public
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.spec import GameSpec, Settings
from seatmate.engine.titans.content.link import Compiled
from seatmate.engine.titans.content.pack import TitansPack
from seatmate.engine.titans.words.names import Names

SPEC: GameSpec

class TitansGame(Game):
    pack: TitansPack
    compiled: Compiled
    names: Names
    fields: Fields
    blank: bytes
    deck: frozenset[int]
    arena: bool
    open_hands: bool
    team_count: int
    public: Public

    def __init__(self, settings: Settings) -> None: ...
    def piece_team(self, piece: int) -> int | None: ...
    def piece_seat(self, piece: int) -> int | None: ...
    def seat_team(self, seat: int) -> int: ...
    def drawn(self, seat: int) -> int: ...
    def surplus(self, raw: Mapping[str, Any], seat: int) -> int: ...
    def everything(self, state: State) -> dict[str, Any]: ...
    def check_invariants(self, state: State) -> None: ...
