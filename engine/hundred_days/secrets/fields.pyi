from seatmate.engine.core.fields import Fields

FIELDS: Fields
FRAME: Fields
FLOW: Fields
UNSEEN: int
BOARD: int
GONE: int
