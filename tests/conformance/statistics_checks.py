"""Are sampled worlds the right ones, as often as they should be?"""
from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Protocol

import numpy as np
from scipy.stats import chisquare

from checks import beyond, private_part
from positions import Player, play_out
from seatmate.engine.core.game import SPECTATORS, State
from seatmate.tests.native import helpers as _testing

SIGNIFICANCE = 1e-6
"""Seeds are fixed, so a check gives the same answer every time; this keeps an honest sampler from an unlucky seed."""


def check_frequencies(state: State, seat: int, hidden: Callable[[State], Hashable],
                      expected: Mapping[Any, float], samples: int = 4000) -> None:
    """The seat's sampled worlds show the hidden arrangements of `expected` with their probabilities, and no others."""
    assert abs(sum(expected.values()) - 1) < 1e-9
    counts = Counter(hidden(state.resample_from_infostate(seat, sample)) for sample in range(samples))
    impossible = set(counts) - set(expected)
    assert not impossible, f"seat {seat} can exclude the sampled arrangements {impossible}"
    if len(expected) == 1:
        return
    arrangements = list(expected)
    result = chisquare([counts[a] for a in arrangements], [expected[a] * samples for a in arrangements])
    assert result.pvalue > SIGNIFICANCE, f"seat {seat}: wrong frequencies {dict(counts)}, p = {result.pvalue:.1e}"


class Deals(Protocol):
    """What deals: a game, or something that draws the game first."""

    def new_state(self, seed: int) -> State:
        """A fresh deal."""


def differences(worlds: tuple[State, State], seat: int, stage: str) -> dict[tuple[str, ...], int]:
    """By how much numbers differ that describe two worlds as the other observers see them: how often each value occurs where, and
    the square of that.

    The square shows wrong combinations of right single cards; buckets of the whole view show any other difference. Of a seat's
    view what the spectators see as well is counted once, with them.
    """
    found: dict[tuple[str, ...], int] = {}
    others = [observer for observer in [*range(worlds[0].game.seats), SPECTATORS] if observer != seat]
    every = [{observer: state.observation(observer) for observer in others} for state in worlds]
    public = [seen[SPECTATORS] for seen in every]
    everything = [""] * 2 if public[0] == public[1] else [json.dumps(seen, sort_keys=True) for seen in public]
    for observer in others:
        views = public
        if observer != SPECTATORS:
            views = [beyond(seen[SPECTATORS], seen[observer]) for seen in every]
        if views[0] == views[1] and public[0] == public[1]:
            continue
        where = stage, str(observer)
        alike = {key for key in views[0].keys() & views[1].keys() if views[0][key] == views[1][key]}
        left, right = (_testing.leaf_counts({key: value for key, value in view.items() if key not in alike}) for view in views)
        for leaf in {leaf for leaf, _ in left.items() ^ right.items()}:
            one, other = left.get(leaf, 0), right.get(leaf, 0)
            found[(*where, *leaf)] = one - other
            found[(*where, *leaf, "squared")] = one * one - other * other
        buckets = [zlib.crc32((common + json.dumps(view, sort_keys=True)).encode()) % 8
                   for common, view in zip(everything, views, strict=True)]
        if buckets[0] != buckets[1]:
            for bucket, sign in zip(buckets, (1, -1), strict=True):
                found[(*where, "bucket", str(bucket))] = sign
    return found


def holds_secrets(state: State, seat: int) -> bool:
    """Does the seat see a value that the spectators don't? An empty hand that only its owner sees to be empty is none."""
    own = private_part(state, seat)
    if not own:
        return False
    public = state.observation(SPECTATORS)
    seen = {leaf: count for leaf, count in _testing.leaf_counts(own).items() if leaf[1] != "None"}
    known = _testing.leaf_counts({key: public.get(key) for key in own})
    return any(count > known.get(leaf, 0) for leaf, count in seen.items())


def check_sampled_like_dealt(game: Deals, seat: int, seed: int, deals: int) -> None:
    """Dealing a game and then resampling what the seat cannot see gives the distribution of a deal.

    That the sampled world fits the seat's view and depends on nothing else is checked elsewhere; together the three
    leave only one distribution: that of the deals which look to the seat like this one. Needs no enumeration, so it
    serves every game. Compared are the other observers' views, at once and after playing on, which also shows the decks
    nobody sees. Before sampling up to 15 decisions are played: the seat's own, and those of seats that hold no secret
    yet. Others would depend on what is hidden, and make some hidden cards likelier than others.
    """
    totals: dict[tuple[str, ...], list[int]] = {}
    for deal in range(deals):
        state = game.new_state(seed + deal)
        player = Player(deal)
        for _ in range(deal % 16):
            alone = len(state.asked) == 1       # what several seats choose at once stays a secret, and is sampled as not chosen yet
            free = [acting for acting in state.pending if acting == seat or (alone and not holds_secrets(state, acting))]
            if not free:
                break
            state.apply_action(free[0], player.action(state, free[0]))
        if state.is_over:
            continue
        world = state.resample_from_infostate(seat, seed + deal)
        sides = state.clone(), world
        for stage, decisions in (("at once", 0), ("later", 12 + deal % 40)):
            for side in sides:
                play_out(side, 2 * deal, decisions)
            for key, number in differences(sides, seat, stage).items():
                totals.setdefault(key, []).append(number)
    for key, numbers in totals.items():
        if len(numbers) < 30:
            continue
        # Mean difference 0 under the hypothesis; the deals without a difference add nothing to the sum or the variance.
        score = abs(np.sum(numbers)) / np.sqrt(np.sum(np.square(numbers)))
        where = " ".join(key)
        assert score < 5.3, f"seat {seat}: sampled worlds differ from dealt ones in {where}: {score:.1f} sigma"
