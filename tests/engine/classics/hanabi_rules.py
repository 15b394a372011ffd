"""Hanabi written a second time, as plainly as the rulebook tells it: what the engine's rules are compared with.

Nothing of the engine is used here: cards are pairs, hands tuples, a position is a value, and chance is a question of the
caller's, who says which card is drawn. Slow, and meant to be read beside the rules of the Hanabi Learning Environment
(Bard et al. 2020).
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain, permutations
from typing import Any

Card = tuple[str, int]
"""A colour and a rank: ("R", 1)."""

Move = tuple[Any, ...]
"""("play", place), ("discard", place), ("tell", seat, colour or rank)."""

Seen = tuple[tuple[Any, ...], ...]
"""All that a seat has been shown since the game began, in order."""


@dataclass(frozen=True)
class Size:
    """What the box and the players agree on."""

    seats: int = 2
    colours: int = 2
    ranks: int = 5
    hand: int = 2
    information: int = 3
    lives: int = 1

    def cards(self) -> Counter[Card]:
        """Three ones of each colour, one of the highest rank, two of each between."""
        return Counter({(colour, rank): 3 if rank == 1 else 1 if rank == self.ranks else 2
                        for colour in "RYGWB"[:self.colours] for rank in range(1, self.ranks + 1)})

    def deals(self) -> Iterator[tuple[tuple[Card, ...], Fraction]]:
        """All orders in which the cards of the hands can come, with their odds."""
        cards = list(self.cards().elements())
        orders = Counter(permutations(cards, self.seats * self.hand))
        for order, ways in sorted(orders.items()):
            yield order, Fraction(ways, orders.total())

    def start(self, order: tuple[Card, ...]) -> Position:
        """The first seat's cards come first, then the next one's."""
        hands = tuple(order[seat * self.hand:(seat + 1) * self.hand] for seat in range(self.seats))
        seen = tuple(tuple(("hand", other, card) if other != seat else ("hand", other)
                           for other, hand in enumerate(hands) for card in hand) for seat in range(self.seats))
        return Position(self, hands, self.information, self.lives, seen=seen,
                        heard=tuple(((),) * self.hand for _ in hands))


@dataclass(frozen=True)
class Position:
    """A game in progress. `heard`: for each card in hand what hints said of it, as (colour or rank, is it so?)."""

    size: Size
    hands: tuple[tuple[Card, ...], ...]
    information: int
    lives: int
    played: frozenset[Card] = frozenset()
    discards: tuple[Card, ...] = ()
    turn: int = 0
    since_empty: int = 0        # turns taken with no card left to draw
    heard: tuple[tuple[tuple[tuple[Any, bool], ...], ...], ...] = ()
    seen: tuple[Seen, ...] = ()

    @cached_property
    def deck(self) -> Counter[Card]:
        """What lies nowhere else."""
        return self.size.cards() - Counter(self.played) - Counter(self.discards) - Counter(chain(*self.hands))

    @property
    def score(self) -> int:
        return len(self.played) if self.lives else 0

    @property
    def over(self) -> bool:
        """No life left, all fireworks finished, or everybody had a turn without a card to draw."""
        everything = len(self.played) == self.size.colours * self.size.ranks
        return self.lives == 0 or everything or self.since_empty == self.size.seats

    def moves(self) -> set[Move]:
        places = range(len(self.hands[self.turn]))
        found: set[Move] = {("play", place) for place in places}
        if self.information < self.size.information:
            found |= {("discard", place) for place in places}
        if self.information > 0:
            found |= {("tell", seat, what) for seat, hand in enumerate(self.hands) if seat != self.turn for what in chain(*hand)}
        return found

    def draws(self, move: Move) -> dict[Card | None, Fraction]:
        """What may be drawn after the move, with the odds; None: nothing, as the game ends or there is nothing to draw."""
        deck = self.deck
        if move[0] == "tell" or not deck or self.after(move, None).over:
            return {None: Fraction(1)}
        return {card: Fraction(n, deck.total()) for card, n in deck.items()}

    def after(self, move: Move, drawn: Card | None) -> Position:
        size, me = self.size, self.turn
        now = replace(self, turn=(me + 1) % size.seats, since_empty=self.since_empty + (not self.deck))
        if move[0] == "tell":
            _, target, what = move
            told = tuple(what in card for card in self.hands[target])
            heard = tuple(before + ((what, yes),) for before, yes in zip(self.heard[target], told, strict=True))
            return replace(now, information=self.information - 1, heard=put(self.heard, target, heard),
                           seen=tuple((*seen, (*move, told)) for seen in self.seen))
        place = move[1]
        card = self.hands[me][place]
        hand = self.hands[me][:place] + self.hands[me][place + 1:]
        heard = self.heard[me][:place] + self.heard[me][place + 1:]
        seen = tuple((*seen, (*move, card)) for seen in self.seen)
        if move[0] == "discard":
            now = replace(now, information=self.information + 1, discards=(*self.discards, card))
        elif card not in self.played and all((card[0], rank) in self.played for rank in range(1, card[1])):
            reward = card[1] == size.ranks and self.information < size.information
            now = replace(now, played=self.played | {card}, information=self.information + reward)
        else:
            now = replace(now, lives=self.lives - 1, discards=(*self.discards, card))
        if drawn is not None:
            hand, heard = (*hand, drawn), (*heard, ())
            seen = tuple((*known, ("draw", drawn) if seat != me else ("draw",)) for seat, known in enumerate(seen))
        return replace(now, hands=put(self.hands, me, hand), heard=put(self.heard, me, heard), seen=seen)

    def known(self, seat: int, place: int) -> str:
        """What hints leave possible of a card: colours, then ranks."""
        letters: list[Any] = [*"RYGWB"[:self.size.colours]]
        ranks: list[Any] = [*range(1, self.size.ranks + 1)]
        for what, yes in self.heard[seat][place]:
            kept: list[Any] = letters if isinstance(what, str) else ranks
            kept[:] = [it for it in kept if (it == what) == yes]
        return "".join(map(str, [*letters, *ranks]))


def put(row: tuple[Any, ...], i: int, it: Any) -> tuple[Any, ...]:
    """The row with another i-th element."""
    return (*row[:i], it, *row[i + 1:])
