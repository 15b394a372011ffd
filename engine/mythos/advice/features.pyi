from seatmate.engine.core.spec import Feature

FEATURES: tuple[Feature, ...]
CHEAP: int
STAMP: float
