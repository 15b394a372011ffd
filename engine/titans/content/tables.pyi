SEATS_OF_MODE: dict[str, int]
PIECE_SEATS: dict[str, tuple[int | None, ...]]

def piece_team(mode: str, piece: int) -> int | None: ...
