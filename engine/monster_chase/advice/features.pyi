from seatmate.engine.core.spec import Feature

FEATURES: tuple[Feature, ...]
