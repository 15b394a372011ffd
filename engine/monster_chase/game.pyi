from typing import Any

from seatmate.engine.core.fields import Public
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.spec import GameSpec, Settings
from seatmate.engine.monster_chase.content.pack import ChasePack
from seatmate.engine.monster_chase.content.plan import Plan
from seatmate.engine.monster_chase.content.track import Track
from seatmate.engine.monster_chase.words.names import Names

SPEC: GameSpec

class MonsterChaseGame(Game):
    pack: ChasePack
    plan: Plan
    track: Track
    names: Names
    blank: bytes
    vehicles: int
    kinds: tuple[int, ...]
    boss: int | None
    max_hp: int
    total: tuple[int, ...]
    supply: dict[str, Any]
    program_lengths: tuple[int, ...]
    public: Public

    def __init__(self, settings: Settings) -> None: ...
    def sees(self, observer: int, car: int) -> bool: ...
    def everything(self, state: State) -> dict[str, Any]: ...
    def links(self, state: State, car: int) -> list[int]: ...
    def distance(self, first: int, second: int) -> int: ...
    def check_invariants(self, state: State) -> None: ...
