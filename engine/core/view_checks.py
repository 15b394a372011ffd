"""What the checks of foreign views have in common: facts that every game's position fulfils."""
from __future__ import annotations


def need(fact: object, what: str) -> None:
    """Raise ValueError unless the fact holds."""
    if not fact:
        raise ValueError(f"no game looks like this: {what}")


def whole(value: object, least: int, most: int, what: str) -> int:
    """The value if it is a whole number in this range."""
    need(isinstance(value, int) and not isinstance(value, bool) and least <= value <= most, f"{what} is {value}")
    assert isinstance(value, int)
    return value
