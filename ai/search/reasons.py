"""Why one answer is better than another, in words: their outcomes in the same sampled worlds are compared.

A reason is based on a feature of the game (GameSpec.features) that differs by more than three standard errors of the paired
difference, and by enough to be worth a word. Worlds in which one answer has reached another round than the other are left out:
things that start again with every round can't be compared across its end. If no feature distinguishes two answers, their
features are compared once nothing is under way ("leads to: ..."), then the results of the search itself, then evaluate of what
they lead to.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot, sqrt

from seatmate.engine.core.game import Game
from seatmate.engine.core.spec import Feature

WORLDS = 24
"""Common sampled worlds in which answers are compared."""

SURE = 3.0
"""Standard errors of the paired difference by which two answers must differ in a feature."""

SURE_RESULT = 2.0
"""... and by which the results of the search must differ; these are many more."""

LEAST_OUTLOOK = 0.01
"""Utility by which evaluate or the results must differ to be worth a word."""

WEAK = 0.2
"""A reason weaker than this share of the strongest is left out."""

COMPARABLE = 0.5
"""Share of the worlds that must be comparable."""

REASONS = 3
OUTLOOK, RESULT = "outlook", "result"
"""The source of a reason that is not a feature of the game: evaluate, or the search."""


@dataclass(frozen=True, slots=True)
class Reason:
    """What speaks for or against a candidate, compared with another one.

    text: in words · feature: key of its feature, "outlook" (evaluate) or "result" (the search) ·
    favourable: does it speak for the candidate? · against: the action it is compared with ·
    later: measured when everything the two began is over, not right after the seat's move.
    """

    text: str
    feature: str
    favourable: bool
    against: int
    later: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is known about one answer. own, later: the features, then evaluate, in each of the common worlds."""

    action: int
    label: str
    value: float | None
    standard_error: float
    own: Sequence[Sequence[float]]
    later: Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Gap:
    """How two answers differ in a feature, on average over the comparable worlds. good: above 0 speaks for the first of them."""

    number: int
    mine: float
    theirs: float
    good: float
    error: float

    @property
    def sure(self) -> bool:
        """It is more than chance."""
        return abs(self.good) > max(SURE * self.error, 1e-9)


def split_stamp(value: float, stamp: float) -> tuple[int, float]:
    """(the round, the feature in it); of a feature without stamp all is of round 0."""
    if stamp == 0:
        return 0, value
    number = int((value + 1e-6) // stamp)
    return number, value - number * stamp


def gaps(features: Sequence[Feature], mine: Sequence[Sequence[float]], theirs: Sequence[Sequence[float]]) -> list[Gap]:
    """All features that can be compared, evaluate last (its number is that behind the features)."""
    clocks = [number for number, feature in enumerate(features) if feature.clock]
    everywhere = list(zip(mine, theirs, strict=True))
    alike = [(one, other) for one, other in everywhere if all(one[i] == other[i] for i in clocks)]
    rows = [*((number, feature.better, feature.stamp, everywhere if feature.lasts else alike)
              for number, feature in enumerate(features) if not feature.clock), (len(mine[0]) - 1, 1, 0.0, alike)]
    found = []
    for number, better, stamp, pairs in rows:
        split = [(split_stamp(one[number], stamp), split_stamp(other[number], stamp)) for one, other in pairs]
        held = [(one[1], other[1]) for one, other in split if one[0] == other[0]]
        n = len(held)
        if n < max(2, COMPARABLE * len(mine)):
            continue
        mean = sum(one - other for one, other in held) / n
        spread = sum((one - other - mean) ** 2 for one, other in held)
        found.append(Gap(number, sum(one for one, _ in held) / n, sum(other for _, other in held) / n, better * mean,
                         sqrt(spread / (n * (n - 1)))))
    return found


def _by_features(game: Game, one: Outcome, other: Outcome, later: bool = False) -> list[tuple[float, Reason]]:
    """Reasons for (weight above 0) and against `one`, the weightiest first."""
    features = game.spec.features
    found = []
    for gap in gaps(features, one.later if later else one.own, other.later if later else other.own):
        if gap.number < len(features) and gap.sure:
            text = game.feature_text(gap.number, gap.theirs, gap.mine)
            if text:
                told = f"leads to: {text}" if later else text
                found.append((gap.good, Reason(told, features[gap.number].key, gap.good > 0, other.action, later)))
    found.sort(key=lambda item: -abs(item[0]))
    return [item for item in found if abs(item[0]) >= WEAK * abs(found[0][0])]


def _by_later(game: Game, one: Outcome, other: Outcome) -> list[tuple[float, Reason]]:
    """What the two answers lead to."""
    return _by_features(game, one, other, later=True)


def _by_outlook(game: Game, one: Outcome, other: Outcome) -> list[tuple[float, Reason]]:
    """What evaluate says once what the two answers begin is over."""
    gap = gaps(game.spec.features, one.later, other.later)[-1:]
    if not gap or gap[0].number != len(one.later[0]) - 1 or not gap[0].sure or abs(gap[0].good) < LEAST_OUTLOOK:
        return []
    unit = game.unit()
    if unit.text(gap[0].mine) == unit.text(gap[0].theirs):
        return []
    text = f"leads to: {unit.name} at first sight: {unit.change(gap[0].good)}"     # no level: it is not the value shown beside
    return [(gap[0].good, Reason(text, OUTLOOK, gap[0].good > 0, other.action, True))]


def _by_result(game: Game, one: Outcome, other: Outcome) -> list[tuple[float, Reason]]:
    """What the search found for the two answers: by how much, since their values are shown beside."""
    if one.value is None or other.value is None:
        return []
    unit = game.unit()
    gap, mine, theirs = one.value - other.value, unit.text(one.value), unit.text(other.value)
    if abs(gap) < max(LEAST_OUTLOOK, SURE_RESULT * hypot(one.standard_error, other.standard_error)) or mine == theirs:
        return []
    text = f"games played on end {'better' if gap > 0 else 'worse'}: {unit.name} {unit.change(gap)}"
    return [(gap, Reason(text, RESULT, gap > 0, other.action, True))]


def compare(game: Game, one: Outcome, other: Outcome, favourable: bool) -> list[Reason]:
    """Reasons for (or against) `one` against `other`, then at most one to the contrary. [] where there are none."""
    for find in (_by_features, _by_later, _by_result, _by_outlook):
        found = find(game, one, other)
        wanted = [reason for good, reason in found if (good > 0) == favourable]
        if wanted:
            contrary = [reason for good, reason in found if (good > 0) != favourable][:1]
            return wanted[:REASONS - len(contrary)] + [_turned(reason) for reason in contrary]
    return []


def _turned(reason: Reason) -> Reason:
    """A price of the best answer, or what speaks for an answer that is not the best."""
    word = "though" if reason.favourable else "but"
    return replace(reason, text=f"{word} {reason.text.removeprefix('leads to: ')}")


def _unlike(reason: Reason, label: str) -> Reason:
    return replace(reason, text=f'unlike "{label}": {reason.text}')


def explain(game: Game, outcomes: Sequence[Outcome], last: Outcome | None) -> list[tuple[Reason, ...]]:
    """The reasons for each of the answers, best first. last: one more answer with which the best may be compared.

    The best one: what it gains over the runner-up, or, if these don't differ, over the first other that does.
    The others: what they lose against the best one.
    """
    best, *others = outcomes
    told: list[tuple[Reason, ...]] = [()]
    for other in [*others, *([last] if last else [])]:
        found = compare(game, best, other, True)
        if found:
            told[0] = tuple(found if other is others[0] else [_unlike(found[0], other.label), *found[1:]])
            break
    for one in others:
        found = compare(game, one, best, False)
        told.append(tuple(found))
    return _each_its_own(game, outcomes, told)


def _each_its_own(game: Game, outcomes: Sequence[Outcome], told: list[tuple[Reason, ...]]) -> list[tuple[Reason, ...]]:
    """Answers with the same losses are also compared with each other, so that no text appears twice."""
    twins: dict[tuple[str, ...], Outcome] = {}
    for number, one in enumerate(outcomes):
        texts = tuple(reason.text for reason in told[number])
        twin = twins.get(texts) if number and texts else None
        if twin is None:
            twins[texts] = one
            continue
        apart = [_unlike(reason, twin.label) for reason in compare(game, one, twin, False)[:1]]
        if not apart or tuple(apart) in told:
            twins[texts] = one
            apart = [replace(told[number][0], text=f'as "{twin.label}": {texts[0]}')]
        told[number] = tuple(apart)
    return told
