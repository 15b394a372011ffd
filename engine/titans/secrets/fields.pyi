from seatmate.engine.core.fields import Fields

FIELDS: Fields
FRAME: Fields
FLAGS: tuple[str, ...]
