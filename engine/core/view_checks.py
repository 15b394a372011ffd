"""What the checks of foreign views have in common: facts that every game's position fulfils."""
from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence


def need(fact: object, what: str) -> None:
    """Raise ValueError unless the fact holds."""
    if not fact:
        raise ValueError(f"no game looks like this: {what}")


def whole(value: object, least: int, most: int, what: str) -> int:
    """The value if it is a whole number in this range."""
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    raise ValueError(f"no game looks like this: {what} is {value}")


def all_served(choices: Sequence[Collection[Hashable]]) -> bool:
    """Can each take one of its choices for itself? (Augmenting paths.)"""
    owner: dict[Hashable, int] = {}

    def take(who: int, tried: set[Hashable]) -> bool:
        for choice in choices[who]:
            if choice not in tried:
                tried.add(choice)
                if choice not in owner or take(owner[choice], tried):
                    owner[choice] = who
                    return True
        return False

    return all(take(who, set()) for who in range(len(choices)))
