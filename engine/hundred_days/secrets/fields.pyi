from seatmate.engine.core.fields import Fields

FIELDS: Fields
FRAME: Fields
FLOW: frozenset[str]
UNSEEN: int
BOARD: int
GONE: int
