"""Rejection by history: sampled worlds against worlds that are known to be possible, because they were played.

What a seat knows after a decision can be found out without asking `resample`: take worlds that it can't tell apart before the
decision, play them on at random, and keep those that show it the very events it has seen. These *followers* are all worlds
that fit its history, each as likely as it should be, whatever the rules of the game. The worlds that are sampled after the
decision must be like them. So each thing that a seat learns, through an event, an argument that no View reads, or
something that is excluded, is looked for in the step in which it is learnt; and it must not be forgotten in any later one. That
sampling starts right, from the deal, is for `statistics_checks` and `check_deals_keep_their_secrets`.
"""
from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from scipy.sparse import csr_array, hstack
from scipy.stats import chi2_contingency, fisher_exact

from positions import random_game, real
from seatmate.engine.core.game import SPECTATORS, Game, State
from seatmate.engine.core.spec import CORE_EVENTS
from seatmate.tests.native import helpers as _testing

SIGNIFICANCE = 1e-10
"""Of one comparison; there are about a million in the suite, and their seeds are fixed."""

CORE_KEYS = {event.key for event in CORE_EVENTS}


def left_out(game: Game, told: frozenset[str] = frozenset()) -> set[str]:
    """Keys of other seats' views that sampled worlds don't promise to get right, after a step in which the seat was told this.

    What Hyde's players remember of cards they lost sight of is left empty for all but the one who samples, for the cards don't
    depend on it; and that the card put on Thing is not the one that was taken from it is not used as knowledge (RULES 7.4).
    Which cards of a hand a third seat of Hundred Days has looked at is hidden, so that sampled worlds forget it (RULES 7.4).
    """
    if game.spec.id == "hundred_days" and game.seats > 2:
        return {"known", "seen_by"}
    if game.spec.id != "hyde":
        return set()
    return {"tracked", "thing"} if "THING_SET" in told else {"tracked"}


@dataclass(frozen=True)
class Step:
    """A seat's history grows: the positions before and after, and the seat's own answer if it was that which did it."""

    seat: int
    before: State
    after: State
    action: int | None
    question: str
    number: int     # of decisions after it
    told: frozenset[str]    # events of the game that came to the seat
    alone: frozenset[str]   # ... and not to the spectators
    reshuffled: bool        # a deck of Monster Chase

    @property
    def is_approximate(self) -> bool:
        """Does the game say that its samples are not exact here? Both forget which hands have cards of a reshuffle (RULES 7)."""
        return self.reshuffled or (self.before.game.spec.id == "hyde" and bool(self.after.observation(self.seat)["shuffles"]))


def decks_of(state: State) -> list[int]:
    """How many cards the decks of Monster Chase have."""
    if state.game.spec.id != "monster_chase":
        return []
    public = state.observation(SPECTATORS)
    return [public["deck_sprint"], public["deck_rush"]]


def steps(game: Game, seed: int) -> Iterator[Step]:
    """Every step of a random game, for each seat."""
    before: State | None = None
    decks: list[int] = []
    heard = dict.fromkeys([*range(game.seats), SPECTATORS], 0)
    for state in random_game(game, seed):
        now = state.clone()
        news = {observer: {event.key for event in state.events(observer, since=since)} for observer, since in heard.items()}
        heard = {observer: state.sequence(observer) for observer in heard}
        were, decks = decks, decks_of(now)
        if before is not None:
            actor, action = state.actions[-1]
            for seat in range(game.seats):
                if now.observation_key(seat) != before.observation_key(seat):
                    yield Step(seat, before, now, action if actor == seat else None,
                               f"seat {actor} answers {before.prompt(actor)}", len(state.actions),
                               frozenset(news[seat] - CORE_KEYS), frozenset(news[seat] - news[SPECTATORS] - CORE_KEYS),
                               any(new > old for new, old in zip(decks, were, strict=True)))
        before = now


def rarest_first(found: list[Step], seed: int) -> list[Step]:
    """The steps in a random order, but every second one by how seldom the game tells something like it to the seat alone."""
    order = random.Random(seed).sample(found, len(found))
    often = Counter(key for step in order for key in step.alone)
    special = sorted((step for step in order if step.alone), key=lambda step: min(often[key] for key in step.alone))
    mixed = [step for pair in itertools.zip_longest(order, special) for step in pair if step is not None]
    return list({id(step): step for step in mixed}.values())


def worlds_of(state: State, seat: int, first: int, count: int) -> list[State]:
    """Sampled worlds."""
    return [real(state.resample_from_infostate(seat, first + number)) for number in range(count)]


def followers_of(step: Step, wanted: int, tries: int, seed: int) -> list[State]:
    """About `wanted` worlds, or fewer, that were played through the step; each is as likely as it should be."""
    found: list[tuple[State, float]] = []
    tried = 0
    while tried < tries and len(found) < wanted:
        batch = min(tries - tried, max(wanted, 50))
        worlds = worlds_of(step.before, step.seat, seed + tried, batch)
        found += _testing.followers(worlds, real(step.before), real(step.after), step.seat, step.action, seed + tried)
        tried += batch
        if tried >= 400 and len(found) * tries < 20 * tried:
            break
    heaviest = max((weight for _, weight in found), default=1.0)
    chooser = random.Random(seed)
    return [world for world, weight in found if chooser.random() * heaviest < weight]


def hidden_features(world: State, seat: int, known: dict[Hashable, Any] | None = None,
                    without: set[str] | None = None) -> set[Hashable]:
    """What describes a world and the seat does not see: the other seats' views, value by value, and what each holds as a whole.

    known: what this fills, among worlds of one public history: that everybody sees, and the features of seats by what they hold.
    without: keys of views that don't count.
    """
    found: set[Hashable] = set()
    known = {} if known is None else known
    without = left_out(world.game) if without is None else without
    if "public" not in known:
        known["public"] = world.observation(SPECTATORS)
    joint = 0
    for other in range(world.game.seats):
        if other != seat:
            key = world.private_key(other)
            joint = hash((joint, key))
            if (other, key) not in known:
                seen = {name: value for name, value in world.observation(other).items() if name not in without}
                known[other, key] = _testing.private_leaves(seen, known["public"], f"seat {other}")
            found.update(known[other, key])
            found.add((f"what seat {other} holds", key))
    found.add(("a hash of what the others hold", joint % 4))
    if without & {"thing", "known"}:      # they are part of the hash
        found = {feature for feature in found if "hold" not in feature[0]}  # type: ignore[index]
    return found


def check_alike(possible: Sequence[State], sampled: Sequence[State], seat: int, without: set[str], where: str) -> None:
    """The sampled worlds show the seat's hidden cards like the possible ones: nothing new, nothing missing, as often."""
    counts = []
    for worlds in (possible, sampled):
        known: dict[Hashable, Any] = {"public": possible[0].observation(SPECTATORS)}
        counts.append(Counter(feature for world in worlds for feature in hidden_features(world, seat, known, without)))
    sizes = len(possible), len(sampled)
    for feature in counts[0].keys() | counts[1].keys():
        have, get = counts[0][feature], counts[1][feature]
        share = (have + get) / sum(sizes)
        spread = share * (1 - share) * (1 / sizes[0] + 1 / sizes[1])
        if (have / sizes[0] - get / sizes[1]) ** 2 < 16 * spread:
            continue
        chance = fisher_exact([[have, sizes[0] - have], [get, sizes[1] - get]]).pvalue
        what = "can exclude what its sampled worlds show" if have == 0 else \
            "never samples what is possible" if get == 0 else "samples with wrong frequencies"
        assert chance > SIGNIFICANCE, (f"{where}: seat {seat} {what}: {feature[0]} = {feature[1]} "  # type: ignore[index]
                                       f"in {get} of {sizes[1]} sampled worlds, {have} of {sizes[0]} that fit its history")
    check_shares(counts, sizes, seat, where)


def check_shares(counts: Sequence[Counter[Hashable]], sizes: tuple[int, int], seat: int, where: str) -> None:
    """The same of all the values together that one place can have: a word that halves what it may be moves each of them a little.

    Values that came less than ten times count as one, so that the chi-squared distribution holds.
    """
    places: dict[Hashable, dict[Hashable, list[int]]] = {}
    for side, found in enumerate(counts):
        for feature, often in found.items():
            place, value = cast(tuple[Hashable, Hashable], feature)
            places.setdefault(place, {}).setdefault(value, [0, 0])[side] += often
    for place, values in places.items():
        rows = np.array([*values.values()])
        absent = np.array(sizes) - rows.sum(axis=0)
        if (absent < 0).any():
            continue        # several values in one world
        rows = np.vstack([rows, absent])
        common = rows.sum(axis=1) >= 10
        table = np.vstack([rows[common], rows[~common].sum(axis=0)])
        table = table[table.sum(axis=1) >= 10]
        if len(table) > 1 and table.sum(axis=0).all():
            chance = chi2_contingency(table, correction=False).pvalue
            assert chance > SIGNIFICANCE, f"{where}: seat {seat} samples with wrong frequencies: {place} in {sizes[1]} sampled " \
                f"worlds and {sizes[0]} that fit its history: {table.tolist()}"


def check_history(game: Game, seed: int, count: int, worlds: int = 200, tries: int = 4000,
                  only: Callable[[Step], bool] | None = None) -> int:
    """Sampled worlds fit what the seat has seen, in `count` steps of a random game. Returns how many could be compared.

    only: the steps that are worth a look; without it too few that can be compared are a fault, too.
    """
    compared = 0
    every = rarest_first([step for step in steps(game, seed) if not step.is_approximate and (only is None or only(step))], seed)
    for step in every[:count]:
        possible = followers_of(step, worlds, tries, 10**6 * seed + 1000 * step.number)
        if len(possible) < 40:
            continue
        compared += 1
        sampled = worlds_of(step.after, step.seat, 10**6 * seed + 1000 * step.number + 500_000, worlds)
        check_alike(possible, sampled, step.seat, left_out(game, step.told), f"after {step.number} decisions, when {step.question}")
    tried = min(count, len(every))
    assert only or compared * 5 >= tried or tried < 5, \
        f"{compared} of {tried} steps came about again in sampled worlds: what seats are told says more than a world can match"
    return compared


# ---- The deal ----

def told_at_the_deal(state: State, seat: int) -> Iterator[tuple[str, int]]:
    """(which number of which event, its value) of all that the seat is told before anything is chosen."""
    counts: Counter[str] = Counter()
    for event in state.events(seat):
        for place, value in enumerate(event.args):
            yield f"{event.key} {counts[event.key]} argument {place}", value
        counts[event.key] += 1


def contributions(told: csr_array, columns: Sequence[int], true: csr_array, sampled: csr_array) -> np.ndarray:
    """(deals, kinds): by how much each deal says that what is told goes with what is held in true worlds more than in sampled ones.

    A kind begins at each of the columns of `told`. Two deals collide if they agree in what was told, and as often as they agree in
    what is held: (true + sampled) collides with (true - sampled), so that exchanging the worlds of a deal turns its sign.
    """
    together = ((true - sampled) @ (true + sampled).T).toarray()
    return np.add.reduceat((together @ told) * told.toarray(), columns, axis=1)


def one_hot(rows: Sequence[set[Hashable]]) -> csr_array:
    """Rows of features as a matrix; the rarer a feature, the more it weighs, as in a chi-squared test."""
    columns: dict[Hashable, int] = {}
    at = [(number, columns.setdefault(feature, len(columns))) for number, row in enumerate(rows) for feature in row]
    places = ([place[0] for place in at], [place[1] for place in at])
    weights = np.bincount(places[1])[places[1]] ** -0.5 if at else np.ones(0)
    return csr_array((weights, places), shape=(len(rows), len(columns)))


def check_deals_keep_their_secrets(game: Game, seat: int, seed: int, deals: int = 600) -> None:
    """What a seat is told at the deal says as much of the others' cards in sampled worlds as in the dealt ones.

    Arguments of events count whether or not a View reads them. True and sampled worlds can be exchanged if sampling is right, so
    that the sign of what each deal contributes is chance: that says how far from 0 the sum may be.
    """
    told: list[dict[str, int]] = []
    held: list[set[Hashable]] = []
    for deal in range(deals):
        state = game.new_state(seed + deal)
        told.append(dict(told_at_the_deal(state, seat)))
        known: dict[Hashable, Any] = {}     # both worlds look the same to spectators
        held += [hidden_features(world, seat, known) for world in (state, state.resample_from_infostate(seat, seed + deal))]
    kinds = sorted(where for where in {where for row in told for where in row} if len({row.get(where) for row in told}) > 1)
    if not kinds:
        return
    said = [one_hot([{row[where]} if where in row else set() for row in told]) for where in kinds]
    columns = np.cumsum([0, *[part.shape[1] for part in said[:-1]]]).tolist()
    both = one_hot(held)
    found = contributions(csr_array(hstack(said)), columns, both[::2], both[1::2])
    for where, excess, chance in zip(kinds, found.sum(axis=0), np.sqrt((found ** 2).sum(axis=0)), strict=True):
        assert abs(excess) <= 8 * chance + 1e-9, \
            f"seat {seat} is told something of what the others hold: {where} ({excess:.0f}, by chance {chance:.0f})"


# ---- The spec ----

def check_kinds(game: Game, seed: int, count: int) -> set[str]:
    """Events and prompts of random games are those of the spec. Returns the keys of the spec that did not occur."""
    spec = game.spec
    kinds = (*CORE_EVENTS, *spec.events)
    events, prompts = _testing.kinds_in_playouts(game, seed, count)
    for number, args in sorted(events):
        assert number < len(kinds), \
            f"event {number - len(CORE_EVENTS)} is not in the spec of {spec.id}, which has {len(spec.events)}"
        assert args <= len(kinds[number].args), f"{kinds[number].key} carries {args} numbers; the spec names {kinds[number].args}"
    for number in sorted(prompts):
        assert 0 <= number < len(spec.prompts), f"prompt {number} is not in the spec of {spec.id}, which has {len(spec.prompts)}"
    seen = {kinds[number].key for number, _ in events} | {spec.prompts[number].key for number in prompts}
    return ({event.key for event in spec.events} | {prompt.key for prompt in spec.prompts}) - seen
