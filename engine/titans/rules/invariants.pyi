from seatmate.engine.core.game import Game, State

PROBLEMS: tuple[str, ...]

def check(game: Game, state: State) -> None: ...
