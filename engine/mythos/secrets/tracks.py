"""Cards of the other seat that an observer saw and then lost from sight: the rules K1 to K10, for views.

It is written independently of knowledge.pyx, which it checks.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

MOST = 20
HAND, TOP = "hand", "top"
Container = str | int
"""Where a tracked card may be: HAND, TOP, or the slot of a hidden unit."""


class Track:
    """At least one more card of this kind is in one of these places."""

    def __init__(self, kind: int, where: set[Container]) -> None:
        self.kind = kind
        self.where = where


class Tracks:
    """What one observer keeps track of, the oldest first."""

    def __init__(self) -> None:
        self.all: list[Track] = []

    def __iter__(self) -> Iterator[Track]:
        return iter(self.all)

    def went_to_hand(self, kind: int) -> None:
        """K1; K10: the oldest is forgotten."""
        if len(self.all) == MOST:
            del self.all[0]
        self.all.append(Track(kind, {HAND}))

    def saw_hand(self, kinds: Iterable[int]) -> None:
        """K2: every card of the hand has a track, and no other track has the hand."""
        hand = Counter(kinds)
        pinned: list[Track] = []
        for kind in sorted(hand.elements()):
            fitting = [track for track in self.all if track.kind == kind and HAND in track.where and track not in pinned]
            best = [track for track in fitting if track.where == {HAND}] or fitting[:1]
            if best:
                best[-1].where = {HAND}
                pinned.append(best[-1])
        for track in self.all:
            if track not in pinned:
                track.where.discard(HAND)
        self.all = [track for track in self.all if track.where]
        there = Counter(track.kind for track in self.all if track.where == {HAND})
        for kind in sorted((hand - there).elements()):
            self.went_to_hand(kind)

    def spread(self, source: Container, target: Container) -> None:
        """K3, K4, K5, K7: an unseen card went from one place to another."""
        for track in self.all:
            if source in track.where:
                track.where.add(target)

    def slot_to_hand(self, slot: int) -> None:
        """K6: an unseen hidden unit went to the hand."""
        for track in self.all:
            if slot in track.where:
                track.where = track.where - {slot} | {HAND}

    def came_to_light(self, kind: int, container: Container) -> None:
        """K8: one track that a seen card satisfies is gone; a slot that was seen is nobody's place."""
        fitting = [track for track in self.all if track.kind == kind and container in track.where]
        if fitting:
            for other in fitting[1:]:
                other.where |= fitting[0].where
            self.all.remove(fitting[0])
        if isinstance(container, int):
            self.drop(container)

    def drop(self, container: Container) -> None:
        """The place is empty or fully seen."""
        for track in self.all:
            track.where.discard(container)
        self.all = [track for track in self.all if track.where]
