"""Sampled worlds against enumeration: every world a seat can't exclude is reached, none that it can (7.2-7.4, X36).

A card is its kind and the number of the shuffle it was last part of (`BAT-3@1`). In these positions nearly all cards
lie open, so that all arrangements of the few hidden ones can be counted.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from typing import Any

import pytest
from scipy.stats import chisquare

from hyde_table import Down, Table
from seatmate.engine.core.game import State
from statistics_checks import SIGNIFICANCE, check_frequencies

OPEN_PLACE = "forest"
"""Where the cards that are not hidden lie."""


def small(*, seats: int = 2, **more: Any) -> Table:
    """Seat 0 looks; the cards that the test doesn't name lie open in the forest."""
    own = {0: ""}
    return Table(*("enid", "ajax", "bianca")[:seats], rest=OPEN_PLACE, **{
        **more, "hands": {**own, **more.get("hands", {})}})


def entry(card: str, hands: tuple[int, ...] = (), slots: tuple[int, ...] = (), thing: bool = False) -> dict[str, Any]:
    """A card that seat 0 follows and its candidates."""
    return {"card": card, "hands": list(hands), "thing": thing, "slots": list(slots)}


# ---- Enumeration ----

def shuffle_of(card: str) -> int:
    return int(card.partition("@")[2] or 0)


def number_of(card: str) -> int:
    return int(card.partition("@")[0][-1])


class Position:
    """A hidden place for one card: where, and the latest shuffle a card there can come from."""

    def __init__(self, kind: str, index: int, newest: int, oldest: int = 0, one: bool = False) -> None:
        self.kind, self.index, self.newest, self.oldest, self.one = kind, index, newest, oldest, one

    def allows(self, card: str) -> bool:
        """E1, E2, E3."""
        return self.oldest <= shuffle_of(card) <= self.newest and (not self.one or number_of(card) == 1)

    def is_in(self, track: dict[str, Any]) -> bool:
        """E5: is this one of the track's candidates?"""
        if self.kind == "thing":
            return bool(track["thing"])
        return self.kind != "deck" and self.index in track["slots" if self.kind == "slot" else "hands"]


def hidden_positions(seen: dict[str, Any], seat: int) -> list[Position]:
    """Where the cards lie that the seat can't see, from its own view (E4: the numbers are open)."""
    shuffles = seen["shuffles"]
    found = [Position("slot", entry["slot"], entry["shuffle"], one=entry["one"])
             for pile in seen["piles"].values() for entry in pile if entry["card"] is None]
    if seen["thing"]["filled"] and seen["thing"]["card"] is None:
        found.append(Position("thing", 0, seen["thing"]["shuffle"]))
    found += [Position("hand", other, shuffles) for other, count in enumerate(seen["hand_counts"]) if other != seat
              for _ in range(count)]
    return found + [Position("deck", 0, shuffles, oldest=shuffles) for _ in range(seen["deck"])]


def arrangement(positions: list[Position], cards: tuple[str, ...]) -> Hashable:
    """Which cards lie where; in hands and the deck the order says nothing."""
    places: dict[tuple[str, int], list[str]] = {}
    for position, card in zip(positions, cards, strict=True):
        places.setdefault((position.kind, position.index), []).append(card)
    return tuple(sorted((where, tuple(sorted(held))) for where, held in places.items()))


def all_worlds(seen: dict[str, Any], seat: int) -> Counter[Hashable]:
    """Every arrangement the seat can't exclude, and how many ways there are to deal it with marked cards."""
    positions = hidden_positions(seen, seat)
    cards = seen["unplaced"]
    assert len(cards) == len(positions)
    # Copies are alike, so it doesn't matter which copy a track means; equal ones mean different copies.
    followed: dict[int, dict[str, Any]] = {}
    for track in seen["tracked"]:
        followed[next(i for i, card in enumerate(cards) if card == track["card"] and i not in followed)] = track
    worlds: Counter[Hashable] = Counter()

    def deal(at: int, dealt: list[int]) -> None:
        if at == len(positions):
            worlds[arrangement(positions, tuple(cards[i] for i in dealt))] += 1
            return
        for i, card in enumerate(cards):
            possible = positions[at].allows(card) and (i not in followed or positions[at].is_in(followed[i]))
            if possible and i not in dealt:
                deal(at + 1, [*dealt, i])

    deal(0, [])
    return worlds


def arrangement_in(table: Table, seat: int) -> Callable[[State], Hashable]:
    """Reads the arrangement of what is hidden from the seat at this table from a world, in the form of `all_worlds`."""
    positions = hidden_positions(table.state.observation(seat), seat)

    def read(world: State) -> Hashable:
        values = table.game.everything(world)
        slots = {entry["slot"]: entry["card"] for pile in values["piles"].values() for entry in pile}
        left: dict[tuple[str, int], Iterator[str]] = {("deck", 0): iter(values["deck_cards"])}
        left |= {("hand", other): iter(hand) for other, hand in enumerate(values["hands"])}
        left |= {("slot", slot): iter([card]) for slot, card in slots.items()}
        left[("thing", 0)] = iter([values["thing"]["card"]])
        return arrangement(positions, tuple(next(left[where.kind, where.index]) for where in positions))

    return read


# ---- Positions in which the procedure is exactly uniform ----

EVEN: dict[str, dict[str, Any]] = {
    "no constraint": {
        "hands": {1: "BAT-1 BAT-1 EYE-2"}, "thing": "EYE-2", "deck": "BEE-1 BAT-1",
        "piles": {"crypt": [Down("SIREN-5", by=1)]}},
    "three seats": {
        "seats": 3, "hands": {1: "BAT-1 EYE-2", 2: "SIREN-4"}, "thing": "EYE-2", "deck": "", "thing_at": 1,
        "piles": {"crypt": [Down("SIREN-5", by=1)], "jericho": [Down("BAT-1", by=2), Down("EYE-4", by=0)]}},
    "one reshuffle": {
        "shuffles": 1, "hands": {1: "EYE-1 BAT-2@1"}, "thing": "BAT-1", "deck": "SIREN-1 EYE-3",
        "piles": {"crypt": [Down("BEE-3", by=1), Down("SIREN-4@1", by=1, shuffle=1)]}},
    "two reshuffles": {
        "shuffles": 2, "hands": {1: "EYE-1@1 BAT-2@2"}, "thing": "SIREN-2@1", "thing_shuffle": 2,
        "deck": "SIREN-1 EYE-3", "piles": {"crypt": [Down("BEE-3@1", by=1, shuffle=1), Down("MEDUSA-2", by=1)]}},
    "copies of different shuffles": {
        "shuffles": 1, "hands": {1: "BAT-1 BAT-1@1"}, "thing": "BAT-2", "deck": "BAT-1 BAT-2",
        "piles": {"crypt": [Down("EYE-1", by=1), Down("EYE-1@1", by=1, shuffle=1)]}},
    "an empty deck after a reshuffle": {
        "shuffles": 1, "hands": {1: "EYE-1 BAT-2@1"}, "thing": "BAT-1", "deck": "",
        "piles": {"crypt": [Down("BEE-3", by=1), Down("SIREN-4@1", by=1, shuffle=1)]}},
    "known 1s": {
        "hands": {1: "BEE-1 BEE-3"}, "thing": "EYE-4", "thing_known": [0, 1], "deck": "SIREN-1 MEDUSA-5",
        "piles": {"crypt": [Down("BAT-1", by=1, one=True), Down("EYE-1", by=1, one=True), Down("EYE-2", by=1)]}},
    "one followed card": {
        "hands": {1: "EYE-5 BAT-2"}, "thing": "BAT-2", "deck": "SIREN-1",
        "piles": {"crypt": [Down("BEE-3", by=1), Down("MEDUSA-4", by=1)]},
        "tracks": {0: [entry("EYE-5", hands=(1,), slots=(0,))]}},
    "one followed card and a copy of it": {
        "hands": {1: "EYE-4 BAT-2"}, "thing": "EYE-4", "deck": "SIREN-1", "thing_at": 1,
        "piles": {"crypt": [Down("BEE-3", by=1), Down("MEDUSA-4", by=1)]},
        "tracks": {0: [entry("EYE-4", hands=(1,), thing=True)]}},
    "a followed card on Thing or in a slot": {
        "hands": {1: "BAT-2"}, "thing": "EYE-5", "deck": "SIREN-1 SIREN-2",
        "piles": {"crypt": [Down("BEE-3", by=1), Down("MEDUSA-4", by=1)]},
        "tracks": {0: [entry("EYE-5", slots=(0, 1), thing=True)]}},
}


@pytest.mark.parametrize("name", EVEN)
def test_every_world_is_as_likely_as_its_deals(name: str) -> None:
    """7.4: in these positions the dealing procedure is exactly uniform over the deals the seat can't exclude."""
    table = small(**EVEN[name])
    worlds = all_worlds(table.state.observation(0), 0)
    read = arrangement_in(table, 0)
    assert read(table.state) in worlds, "the true world is one of them"
    deals = worlds.total()
    check_frequencies(table.state, 0, read, {world: count / deals for world, count in worlds.items()},
                      samples=max(3000, 8 * len(worlds)))


# ---- Positions with constraints that cross ----

CROSSED: dict[str, dict[str, Any]] = {
    "two followed cards": {
        "hands": {1: "EYE-5 BAT-2"}, "thing": "BAT-5", "deck": "SIREN-1",
        "piles": {"crypt": [Down("BEE-3", by=1), Down("MEDUSA-4", by=1)]},
        "tracks": {0: [entry("EYE-5", hands=(1,), slots=(0,)), entry("BAT-5", hands=(1,), slots=(1,), thing=True)]}},
    "two followed copies": {
        "hands": {1: "EYE-4 BAT-2"}, "thing": "EYE-4", "deck": "SIREN-1",
        "piles": {"crypt": [Down("BEE-3", by=1)]},
        "tracks": {0: [entry("EYE-4", hands=(1,), slots=(0,)), entry("EYE-4", hands=(1,), thing=True)]}},
    "a followed 1 and known 1s": {
        "hands": {1: "BEE-1 BEE-3"}, "thing": "EYE-4", "deck": "SIREN-1",
        "piles": {"crypt": [Down("BAT-1", by=1, one=True), Down("EYE-1", by=1, one=True)]},
        "tracks": {0: [entry("BAT-1", hands=(1,), slots=(0, 1))]}},
    "a followed card after a reshuffle": {
        "shuffles": 1, "hands": {1: "EYE-1 BAT-2@1"}, "thing": "BAT-1", "deck": "SIREN-1",
        "piles": {"crypt": [Down("BEE-3", by=1), Down("SIREN-4@1", by=1, shuffle=1)]},
        "tracks": {0: [entry("EYE-1", hands=(1,), slots=(0, 1))]}},
    "a followed card of the second shuffle": {
        "shuffles": 1, "hands": {1: "EYE-1@1 BAT-2"}, "thing": "BAT-1", "deck": "SIREN-1",
        "piles": {"crypt": [Down("BEE-3", by=1), Down("SIREN-4@1", by=1, shuffle=1)]},
        "tracks": {0: [entry("EYE-1@1", hands=(1,), slots=(0, 1), thing=True)]}},
    "known 1s of two shuffles": {
        "shuffles": 1, "hands": {1: "BEE-1 BEE-3@1"}, "thing": "SIREN-1", "deck": "MEDUSA-1",
        "piles": {"crypt": [Down("BAT-1@1", by=1, shuffle=1, one=True), Down("EYE-1", by=1, one=True),
                            Down("EYE-2", by=1)]}},
    "everything at once": {
        "shuffles": 2, "seats": 3, "hands": {1: "BEE-1 BEE-3@2", 2: "EYE-5@1"}, "thing": "SIREN-1@1",
        "thing_shuffle": 1, "thing_at": 2, "deck": "MEDUSA-1",
        "piles": {"crypt": [Down("BAT-1@1", by=1, shuffle=2, one=True), Down("EYE-1", by=1, one=True)]},
        "tracks": {0: [entry("EYE-5@1", hands=(1, 2)), entry("BEE-1", hands=(1,), slots=(0,))]}},
}


@pytest.mark.parametrize("name", CROSSED)
def test_exactly_the_possible_worlds_are_sampled(name: str) -> None:
    """7.2, 7.4: where constraints cross, frequencies are approximate, but no world is invented and none left out."""
    table = small(**CROSSED[name])
    worlds = all_worlds(table.state.observation(0), 0)
    read = arrangement_in(table, 0)
    assert read(table.state) in worlds, "the true world is one of them"
    assert {read(table.state.resample_from_infostate(0, sample)) for sample in range(4000)} == set(worlds)


def test_known_1s_are_dealt_in_the_order_of_their_age() -> None:
    """7.4 step 3: the older slot, which allows fewer cards, chooses first; so both draw evenly from what they allow."""
    table = small(shuffles=1, hands={1: "BEE-1 BEE-1@1"}, thing="BEE-4", deck="", piles={
        "crypt": [Down("BAT-1@1", by=1, shuffle=1, one=True), Down("EYE-1", by=1, one=True)]})
    old, new = ("BEE-1", "EYE-1"), ("BAT-1@1", "BEE-1@1")
    expected = {(newer, older): 1 / 2 * 1 / 3 for older in old for newer in (*old, *new) if newer != older}
    check_frequencies(table.state, 0, lambda world: tuple(
        entry["card"] for entry in table.game.everything(world)["piles"]["crypt"]), expected)


# ---- Dead ends ----

CHAIN = ["SIREN-2", "SIREN-4", "WEREWOLF-2", "WEREWOLF-4", "BEE-2", "BEE-4", "MEDUSA-2"]
"""Followed cards: the last is in the hand, the one before in the hand or slot 0, the next also in slot 1 ..."""


@pytest.mark.parametrize("shuffles", [0, 1])
def test_the_matching_finds_the_worlds_that_chance_misses(shuffles: int) -> None:
    """7.4 step 7: seven cards hang together so that one try in 7! succeeds; the rest still varies."""
    last = len(CHAIN) - 1
    tracks = [entry(card, hands=(1,), slots=tuple(range(last - at))) for at, card in enumerate(CHAIN)]
    crypt = [Down(CHAIN[last - 1 - slot], by=1) for slot in range(last)] + [Down("EYE-5", by=1)]
    table = small(shuffles=shuffles, hands={1: CHAIN[last]}, thing="EYE-1", deck="BAT-1 BAT-2 BAT-3",
                  tracks={0: tracks}, piles={"crypt": crypt})
    free = set()
    for world in table.worlds(0, 300):
        assert world["hands"][1] == [CHAIN[last]]
        assert [entry["card"] for entry in world["piles"]["crypt"][:last]] == CHAIN[:last][::-1]
        assert {shuffle_of(card) for card in world["deck_cards"]} == {shuffles}
        free.add((world["piles"]["crypt"][last]["card"], world["thing"]["card"]))
    assert len(free) == (2 if shuffles else 5 * 4)


# ---- A function of the view and the seed ----

def like(*outcasts: str, **more: Any) -> Table:
    """Tables of one call differ only in what it says."""
    return Table(*outcasts, **{"thing_at": 0, "piles": {"crypt": [Down("EYE-5", by=1), Down("EYE-4", by=0)]}, **more})


OWN = "BAT-1 BAT-2 BAT-3"
ONES: dict[str, Any] = {"hands": {1: "BEE-1 EYE-1 MEDUSA-1"}, "turn": 1}
MATCH: dict[str, Any] = {"hands": {0: "EYE-4 BAT-4"}, "last": "crypt", "piles": {"crypt": [Down("BEE-4", by=1)]}}
PAIRS: dict[str, tuple[int, Callable[[], Table], Callable[[], Table]]] = {
    "other hidden cards": (
        0, lambda: like("enid", "ajax", hands={0: OWN, 1: "BEE-1 BEE-2 BEE-3"}, thing="BAT-5"),
        lambda: like("enid", "ajax", hands={0: OWN, 1: "EYE-1 SIREN-4 BEE-5"}, thing="BAT-5")),
    "another order of the deck, and what others follow": (
        0, lambda: like("enid", "ajax", "yoko", hands={0: OWN}, thing="BAT-5", seed=1),
        lambda: like("enid", "ajax", "yoko", hands={0: OWN, 2: "EYE-2 EYE-3 SIREN-1"}, thing="BAT-5", seed=2,
                     tracks={1: [entry("EYE-2", hands=(2,))]})),
    "Ajax goes on with 1s": (
        0, lambda: like("enid", "ajax", **ONES).move("forest"),
        lambda: like("enid", "ajax", **ONES).move("forest").play("BEE-1").more("MEDUSA-1")),
    "Bianca pays": (
        0, lambda: like("enid", "bianca", turn=1).move("forest"),
        lambda: like("enid", "bianca", turn=1).move("forest").play("SIX")),
    "Eugene has chosen a place": (
        0, lambda: like("enid", "eugene", turn=1).move("forest"),
        lambda: like("enid", "eugene", turn=1).move("forest").at("crypt")),
    "Wednesday gives": (
        1, lambda: like("wednesday", "ajax", **MATCH).strike(),
        lambda: like("wednesday", "ajax", **MATCH).strike().take("BEE-4")),
}
"""A seat and two tables that look the same to it."""


@pytest.mark.parametrize("name", PAIRS)
def test_x36_equal_views_and_seeds_give_equal_worlds_bit_for_bit(name: str) -> None:
    """X36; and 7.4: an unfinished chain of another seat is rewound to what is open of it."""
    seat, *tables = PAIRS[name]
    first, second = (table().state for table in tables)
    assert first.to_bytes() != second.to_bytes()
    assert first.observation(seat) == second.observation(seat)
    worlds = [first.resample_from_infostate(seat, sample).to_bytes() for sample in range(40)]
    assert worlds == [second.resample_from_infostate(seat, sample).to_bytes() for sample in range(40)]
    assert len(set(worlds)) > 1
    again = first.resample_from_infostate(seat, 99)
    assert [again.resample_from_infostate(seat, sample).to_bytes() for sample in range(40)] == worlds


def test_an_own_unfinished_chain_stays() -> None:
    """7.4: the seat knows its own answers."""
    table = Table("enid", "ajax", hands={1: "BEE-1 EYE-1 MEDUSA-1"}, turn=1).move("forest").play("BEE-1")
    for sample in range(5):
        world = table.state.resample_from_infostate(1, sample)
        assert world.prompt(1) == "MORE" and world.observation(1) == table.state.observation(1)


# ---- Flat while nothing is known of any hidden card ----

@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_floating_card_is_equally_likely_everywhere(seats: int) -> None:
    """RULES 7.4: before any reshuffle, with nothing followed and no known 1, the floating cards are alike everywhere."""
    table = Table(*("enid", "eugene", "yoko", "bianca")[:seats], hands={0: "BAT-1 BAT-2 BAT-3"}, thing_at=1, piles={
        "crypt": [Down("EYE-5", by=1), Down("BEE-1", by=1)], "jericho": [Down("EYE-1", by=0)], "forest": "SIREN-5"})
    samples = 2000
    seen = table.state.observation(0)
    cards = Counter(seen["unplaced"])
    counts: dict[tuple[str, int, int], Counter[str]] = {}
    for values in table.worlds(0, samples):
        slots = {entry["slot"]: entry["card"] for pile in values["piles"].values() for entry in pile}
        for (kind, index), size in Counter((where.kind, where.index) for where in hidden_positions(seen, 0)).items():
            held = [slots[index]] if kind == "slot" else [values["thing"]["card"]] if kind == "thing" else \
                values["hands"][index] if kind == "hand" else values["deck_cards"]
            counts.setdefault((kind, index, size), Counter()).update(held)
    for where, found in counts.items():
        assert set(found) <= set(cards)
        size = where[2]
        expected = [samples * size * count / cards.total() for count in cards.values()]
        # Cards drawn together without replacement vary less than independent ones, so the test errs on the safe side.
        result = chisquare([found[card] for card in cards], expected)
        assert result.pvalue > SIGNIFICANCE, (where, result)
