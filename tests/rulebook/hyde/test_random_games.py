"""Random games: nothing is lost, nobody is told too much or too little, and sampled worlds never contradict a view.

`SEATMATE_HYDE_GAMES` sets the number of random games per number of seats (default 10,000, about 10 s each). All of
them are checked somewhere in the middle and at the end; some others after every answer.
"""
from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hyde_table import OUTER, Table
from seatmate.engine.core.game import State
from seatmate.engine.core.playout import play_randomly
from seatmate.engine.core.registry import new_game
from seatmate.engine.hyde.game import HydeGame
from test_sampling import hidden_positions

GAMES = int(os.environ.get("SEATMATE_HYDE_GAMES", "10000"))
WITHOUT_END = 10**6

OPTIONS: list[dict[str, Any]] = [
    {}, {"level": "expert"}, {"level": "nightmare"}, {"signals": True}, {"strict_transform": True}, {"loss_limit": 4},
    {"outcasts": "random"}, {"outcasts": "random", "level": "nightmare", "loss_limit": 4, "signals": True},
]


def hyde(seats: int, **options: Any) -> HydeGame:
    game = new_game("hyde", seats=seats, options=options)
    assert isinstance(game, HydeGame)
    return game


def check_end(state: State) -> None:
    """RULES 8: 15 cycles without a defeat; after a defeat the number of attacks says how many."""
    assert isinstance(state.game, HydeGame)
    state.game.check_invariants(state)
    values = state.game.everything(state)
    attacks = len(values["attacked"])
    limit = state.game.settings.options["loss_limit"]
    assert values["lost"] == attacks - len(values["saved"])
    assert attacks == 5 or values["lost"] == limit
    assert values["cycles"] == sum((5, 4, 3, 2, 1)[:attacks])
    assert (values["cycles"] == 15) == (attacks == 5)
    lost_value = {0: 1.0, 1: 0.85, 2: 0.7, 3: 0.5}
    expected = 0.08 * len(values["saved"]) if values["lost"] == limit else lost_value[values["lost"]]
    assert state.returns() == pytest.approx([expected] * state.game.seats)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_many_random_games(seats: int) -> None:
    """RULES 4.3 in the middle and at the end of every game, for every level and option in turn."""
    games = [hyde(seats, **options) for options in OPTIONS]
    for seed in range(GAMES):
        game = games[seed % len(games)]
        state = game.new_state(seed, record_events=False)
        play_randomly(state, 10 + 7 * seed % (60 * seats), seed)
        game.check_invariants(state)
        play_randomly(state, WITHOUT_END, seed + 1)
        assert state.is_over
        check_end(state)


# ---- Every step of some games ----

def steps(state: State, seed: int) -> Iterator[State]:
    """A random game from here that likes what makes knowledge complicated: swaps, several 1s, cards on places.

    Yields `state` itself before every answer and at the end.
    """
    chooser = random.Random(seed)
    stop = {"MORE": 40, "THING": 40, "WED_TAKE": 40, "MOVE": 0}
    yield state
    while not state.is_over:
        (seat,) = state.pending
        legal = state.legal_actions(seat)
        avoided = stop.get(state.prompt(seat) or "")
        if len(legal) > 1 and chooser.random() < 0.8:
            legal = [action for action in legal if action != avoided]
        state.apply_action(seat, chooser.choice(legal))
        yield state


def in_play(values: dict[str, Any]) -> Counter[str]:
    """All cards outside the discard pile with their shuffle numbers, without the sixes."""
    cards = [entry["card"] for pile in values["piles"].values() for entry in pile if entry["card"] != "SIX"]
    cards += [card for hand in values["hands"] for card in hand] + values["deck_cards"]
    if values["thing"]["filled"]:
        cards.append(values["thing"]["card"])
    return Counter(cards)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_step_of_some_games(seats: int) -> None:
    """RULES 4.3 after every answer, and that a hand is short only after an empty deck and discard pile (R32)."""
    for number, options in enumerate(OPTIONS):
        game = hyde(seats, **options)
        dry = False
        for state in steps(game.new_state(number), 1000 * seats + number):
            game.check_invariants(state)
            values = game.everything(state)
            if values["prompt"] == "DRAFT":
                continue
            dry = dry or (values["deck"] == 0 and not values["discard"])
            if values["prompt"] == "MOVE" and not dry:
                assert values["hand_counts"] == [3] * seats
        check_end(state)


# ---- Deep games ----

def from_the_deal(*outcasts: str, seed: int) -> State:
    """A whole game that is hard to lose early."""
    return hyde(len(outcasts), outcasts=outcasts, level="nightmare", loss_limit=4).new_state(seed)


def thin_deck(*outcasts: str, seed: int) -> State:
    """A game whose deck runs dry all the time: most cards lie open in the forest, which is not attacked this round."""
    table = Table(*outcasts, deck="BAT-1 EYE-2 SIREN-3", rest="forest", seed=seed, attacked="crypt", saved="crypt",
                  level="nightmare", loss_limit=4, bag="jericho painting_shed")
    return table.state


Start = Callable[..., State]
DEEP: list[tuple[Start, tuple[str, ...]]] = [
    (from_the_deal, ("yoko", "bianca", "ajax", "wednesday")), (from_the_deal, ("wednesday", "yoko", "ajax", "eugene")),
    (from_the_deal, ("ajax", "yoko", "wednesday")), (from_the_deal, ("wednesday", "ajax")),
    (thin_deck, ("yoko", "bianca", "ajax", "wednesday")), (thin_deck, ("ajax", "yoko", "wednesday")),
]


@pytest.mark.parametrize(("start", "outcasts"), DEEP)
def test_a_card_carries_the_number_of_its_last_shuffle(start: Start, outcasts: tuple[str, ...]) -> None:
    """7.2: what the number of a shuffle says of a card (E1, E2)."""
    state = start(*outcasts, seed=3)
    assert isinstance(state.game, HydeGame)
    game = state.game
    before: Counter[str] | None = None
    discard: list[str] = []
    shuffles = 0
    for _ in steps(state, 3):
        values = game.everything(state)
        now = in_play(values)
        if before is not None:
            if values["shuffles"] > shuffles:
                # All that was discarded before has the new number now, and nothing else changed but by being discarded.
                number = values["shuffles"]
                renewed = Counter(f"{card}@{number}" for card in discard)
                again = Counter(f"{card}@{number}" for card in values["discard"])
                assert number == shuffles + 1 and renewed <= now + again
                assert all(shuffle_number(card) == number for card in now - before)
            else:
                assert now <= before, "no card changes its number on the way"
            assert {shuffle_number(card) for card in values["deck_cards"]} <= {values["shuffles"]}
            for pile in values["piles"].values():
                assert all(shuffle_number(entry["card"]) <= entry["shuffle"] <= values["shuffles"] for entry in pile)
            thing = values["thing"]
            assert not thing["filled"] or shuffle_number(thing["card"]) <= thing["shuffle"]
        before, discard, shuffles = now, values["discard"], values["shuffles"]
    assert shuffles >= (3 if start is thin_deck else 1 if len(outcasts) == 4 else 0)


def shuffle_number(card: str) -> int:
    return int(card.partition("@")[2] or 0)


# ---- Sampled worlds of deep games ----

def contradictions(seen: dict[str, Any], seat: int, world: dict[str, Any]) -> list[str]:
    """What a world says against the view of a seat: open facts, E1-E5."""
    wrong = []
    positions = hidden_positions(seen, seat)
    slots = {entry["slot"]: entry["card"] for pile in world["piles"].values() for entry in pile}
    left = {("deck", 0): list(world["deck_cards"]), ("thing", 0): [world["thing"]["card"]],
            **{("hand", other): list(hand) for other, hand in enumerate(world["hands"])},
            **{("slot", slot): [card] for slot, card in slots.items()}}
    cards = [left[where.kind, where.index].pop() for where in positions]
    if sorted(cards) != sorted(seen["unplaced"]):
        wrong.append("other cards are hidden than the seat can't place")
    placed = list(zip(positions, cards, strict=True))
    wrong += [f"{card} in a {where.kind}" for where, card in placed if not where.allows(card)]
    if unmatched([[at for at, (where, card) in enumerate(placed) if card == track["card"] and where.is_in(track)]
                  for track in seen["tracked"]]):
        wrong.append("a followed card is in none of its places")
    return wrong


def unmatched(places: list[list[int]]) -> bool:
    """Can't every followed card have one of its places for itself?"""
    taken: dict[int, int] = {}

    def put(track: int, tried: set[int]) -> bool:
        for place in places[track]:
            if place not in tried:
                tried.add(place)
                if place not in taken or put(taken[place], tried):
                    taken[place] = track
                    return True
        return False

    return not all(put(track, set()) for track in range(len(places)))


@pytest.mark.parametrize(("start", "outcasts"), DEEP)
def test_no_world_contradicts_a_view(start: Start, outcasts: tuple[str, ...]) -> None:
    """7.2, 7.4: E1-E5 in deep games with many reshuffles; the true world is a possible one, too."""
    seats = len(outcasts)
    reached: Counter[str] = Counter()
    for seed in range(10):
        state = start(*outcasts, seed=seed)
        assert isinstance(state.game, HydeGame)
        game = state.game
        for number, _ in enumerate(steps(state, seed)):
            values = game.everything(state)
            reached["shuffles"] = max(reached["shuffles"], values["shuffles"])
            for seat in range(seats):
                seen = state.observation(seat)
                assert contradictions(seen, seat, values) == []
                reached["followed"] += bool(seen["tracked"])
                reached["known 1"] += any(entry["one"] and entry["card"] is None
                                          for place in OUTER for entry in seen["piles"][place])
                if number % 5 == seed % 5:
                    for sample in range(2):
                        world = state.resample_from_infostate(seat, 1000 * seed + 2 * number + sample)
                        assert world.observation(seat) == seen
                        assert contradictions(seen, seat, game.everything(world)) == []
    assert reached["followed"] > 100 and reached["known 1"] >= (100 if start is from_the_deal else 0)
    assert reached["shuffles"] >= (3 if start is thin_deck else 1 if len(outcasts) == 4 else 0)


@pytest.mark.parametrize(("start", "outcasts"), DEEP)
def test_a_world_of_a_world_is_a_world_of_the_table(start: Start, outcasts: tuple[str, ...]) -> None:
    """X36 in deep games: what is sampled from a sampled world is what is sampled from the true one, bit for bit."""
    for number, state in enumerate(steps(start(*outcasts, seed=50), 50)):
        if number % 9 == 0:
            for seat in range(len(outcasts)):
                world = state.resample_from_infostate(seat, number)
                for sample in range(2):
                    assert (world.resample_from_infostate(seat, sample).to_bytes()
                            == state.resample_from_infostate(seat, sample).to_bytes())
