from seatmate.engine.core.game import State

TERM_NAMES: tuple[str, ...]
ARENA_NAMES: tuple[str, ...]

def terms(state: State) -> list[list[float]]: ...
def late(state: State) -> float: ...
