from seatmate.engine.core.features import FeatureRow

FEATURES: tuple[FeatureRow, ...]
