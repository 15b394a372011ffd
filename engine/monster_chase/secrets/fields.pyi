from seatmate.engine.core.fields import Fields

FIELDS: Fields
PUBLIC_BYTES: int
