"""What one observer of Hundred Days knows, folded from its events: the same values as HundredDaysGame.observation.

Beside the rows of fields.pyx an observation has, about cards in hands:

    hands           per seat the ids of its cards, None for the others
    open_cards      per seat ids that everybody saw go to its hand
    known           per seat ids of its hand that the observer alone has looked at
    held            per seat how many cards of its hand were in the deck after 0, 1, 2 ... reshuffles
    hand_counts, deck_count    how many cards there are
    seen_by         of the observer's own cards: the seats that have looked at them
    marked          cards the observer gives up in secret; None for spectators
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.events import FoldingView
from seatmate.engine.hundred_days.content import vocabulary as v
from seatmate.engine.hundred_days.secrets.fields import BOARD, FIELDS, FLOW, FRAME, GONE

if TYPE_CHECKING:
    from seatmate.engine.hundred_days.game import HundredDaysGame


@dataclass
class Hands:
    """Who holds what, as one observer knows it. Cards are numbers."""

    hands: list[set[int] | None]
    held: list[list[int]]
    open_cards: list[set[int]] = field(default_factory=list)
    known: list[set[int]] = field(default_factory=list)
    seen_by: dict[int, set[int]] = field(default_factory=dict)
    deck_count: int = 0
    marked: set[int] | None = None

    def show(self, ids: Sequence[str]) -> dict[str, Any]:
        """For an observation."""
        def listed(cards: set[int] | None) -> list[str] | None:
            return None if cards is None else [ids[card] for card in sorted(cards)]
        return {
            "hands": [listed(cards) for cards in self.hands], "open_cards": [listed(cards) for cards in self.open_cards],
            "known": [listed(cards) for cards in self.known], "held": [list(counts) for counts in self.held],
            "hand_counts": [sum(counts) for counts in self.held], "deck_count": self.deck_count,
            "seen_by": {ids[card]: sorted(seats) for card, seats in sorted(self.seen_by.items()) if seats},
            "marked": listed(self.marked)}


def hands_of(raw: Mapping[str, Any], observer: int | None, seats: int) -> Hands:
    """What the observer knows of the hands of a true state; None: everything."""
    hands = raw["hand"][:seats]
    every, epochs = range(seats), range(raw["epoch"] + 1)
    known = [set() if observer is None or observer >= seats or seat == observer else raw["seen"][observer] & hands[seat]
             for seat in every]
    seen_by: dict[int, set[int]] = {}
    if observer is not None and observer < seats:
        seen_by = {card: {seat for seat in every if card in raw["seen"][seat]} for card in hands[observer]}
    marked = raw["marked"] if observer is None else raw["marked"] & hands[observer] if observer < seats else None
    return Hands(
        hands=[cards if observer in (seat, None) else None for seat, cards in enumerate(hands)],
        held=[[sum(raw["epochs"][card] == epoch for card in cards) for epoch in epochs] for cards in hands],
        open_cards=[raw["shown"] & cards for cards in hands], known=known, seen_by=seen_by, deck_count=len(raw["deck"]),
        marked=marked)


def _bytes(words: Sequence[int]) -> bytes:
    return b"".join((word & 0xFFFFFFFF).to_bytes(4, "little") for word in words)


class HundredDaysView(FoldingView):
    """Folds the events of Hundred Days; the module's docstring has the values."""

    SAYS_ONLY = frozenset({"DIE", "ROLL", "FIRST", "USE", "TARGET", "WINDOW", "WINDOW_END", "PASS", "END_TURN", "PHASE", "SCORE"})

    def __init__(self, game: HundredDaysGame, observer: int) -> None:
        super().__init__(game.spec, game.seats, observer)
        self.ids = game.names.cards
        self.raw: dict[str, Any] = FIELDS.read(game.blank)
        self.mine = observer < game.seats
        self.cards = Hands(
            hands=[set() if seat == observer else None for seat in range(game.seats)], held=[[0] for _ in range(game.seats)],
            open_cards=[set() for _ in range(game.seats)], known=[set() for _ in range(game.seats)],
            deck_count=len(self.ids), marked=set() if self.mine else None)

    # ---- The observer's own choices ----

    def on_asked(self) -> None:
        """A new question: what was committed before is carried out, or was never heard of."""
        if self.mine:
            for key in ("secret_ricks", "secret_morties", "answers"):
                self.raw[key][self.observer] = v.NONE
            self.cards.marked = set()

    def choose(self, prompt: str, action: int) -> None:
        """A commitment that nobody else sees."""
        key = {"PLACE_RICK": "secret_ricks", "PLACE_MORTY": "secret_morties", "REACT": "answers"}.get(prompt)
        if key:
            self.raw[key][self.observer] = action
        elif prompt == "OVERFLOW" and self.cards.marked is not None:
            self.cards.marked.add(action)

    # ---- Where the game is ----

    def on_flow(self, *words: int) -> None:
        """The progress, byte by byte."""
        self.raw.update(FLOW.read(_bytes(words)))
        self.raw["frames"] = []

    def on_frame(self, *words: int) -> None:
        """One thing that is being carried out."""
        self.raw["frames"].append(FRAME.read(_bytes(words)))

    # ---- Board ----

    def on_tile(self, place: int, tile: int) -> None:
        """A tile from the stack."""
        self.raw["places"][place] = tile
        self.raw["owners"][tile] = BOARD
        self.raw["stack"] -= 1

    def on_black_hole(self, place: int) -> None:
        """No tile any more."""
        self.raw["places"][place] = v.NONE

    def on_places(self, *spaces: int) -> None:
        """All pawns are revealed."""
        self.raw["ricks"][:self.seats] = spaces[:self.seats]
        self.raw["morties"][:self.seats] = spaces[self.seats:]

    def on_rick(self, seat: int, space: int) -> None:
        """A Rick moves."""
        self.raw["ricks"][seat] = space

    def on_morty(self, seat: int, place: int) -> None:
        """A Morty moves."""
        self.raw["morties"][seat] = place

    def on_swap_tiles(self, first: int, second: int) -> None:
        """Two tiles change places."""
        places = self.raw["places"]
        places[first], places[second] = places[second], places[first]

    def on_banish(self, place: int, tile: int) -> None:
        """A tile leaves the game."""
        self.raw["owners"][tile] = GONE

    def on_close(self, seat: int, place: int, tile: int, *waived: int) -> None:
        """A dimension is closed."""
        self.raw["owners"][tile] = seat

    # ---- Tokens ----

    def on_tokens(self, seat: int, type_: int, change: int, reason: int) -> None:
        """To or from the Federation; between seats there are two events."""
        self.raw["tokens"][seat][type_] += change
        self.raw["federation"][type_] -= change

    def on_tax(self, type_: int, *returned: int) -> None:
        """Everybody gives half of a type back."""
        for seat, n in enumerate(returned):
            self.on_tokens(seat, type_, -n, 0)

    def on_garage(self, seat: int, n: int) -> None:
        """Garage tokens from the supply."""
        self.raw["garage"][seat] += n
        self.raw["garage_supply"] -= n

    def on_guard(self, seat: int, card: int, own: int) -> None:
        """A garage token on a card."""
        self.raw["guarded"].add(card)
        if own:
            self.raw["garage"][seat] -= 1
        else:
            self.raw["garage_supply"] -= 1

    # ---- Cards ----

    def on_draw(self, seat: int, n: int) -> None:
        """Another seat draws."""
        self.cards.held[seat][self._now()] += n
        self.cards.deck_count -= n

    def on_draw_id(self, seat: int, *cards: int) -> None:
        """The observer draws."""
        self.on_draw(seat, len(cards))
        self._own(seat).update(cards)

    def _now(self) -> int:
        return len(self.cards.held[0]) - 1

    def _own(self, seat: int) -> set[int]:
        hand = self.cards.hands[seat]
        if hand is None:
            raise ValueError(f"the observer does not know the cards of seat {seat}")
        return hand

    def on_reshuffle(self, epoch: int, n: int) -> None:
        """The general pile becomes the deck."""
        for card in self.raw["general"]:
            self.raw["epochs"][card] = epoch
        self.raw["general"] = set()
        self.cards.deck_count = n
        for counts in self.cards.held:
            counts.append(0)

    def _leave_hand(self, seat: int, card: int) -> None:
        self.cards.held[seat][self.raw["epochs"][card]] -= 1
        self.cards.open_cards[seat].discard(card)
        self.cards.known[seat].discard(card)
        hand = self.cards.hands[seat]
        if hand is not None:
            hand.discard(card)
            self.cards.seen_by.pop(card, None)

    def on_play(self, seat: int, card: int) -> None:
        """A card from the hand."""
        self._leave_hand(seat, card)

    on_react = on_play

    def on_card(self, card: int, start: int, to: int) -> None:
        """A card all see goes from zone to zone (Zone in vocabulary.pxd)."""
        if v.Z_HAND <= start < v.Z_PLAY:
            self._leave_hand(start - v.Z_HAND, card)
        elif v.Z_PLAY <= start < v.Z_PILE:
            self.raw["play"][start - v.Z_PLAY].discard(card)
            if card in self.raw["guarded"]:
                self.raw["guarded"].discard(card)
                self.raw["garage_supply"] += 1
        elif start == v.Z_GENERAL:
            self.raw["general"].discard(card)
        if to == v.Z_GENERAL:
            self.raw["general"].add(card)
        elif to >= v.Z_PILE:
            self.raw["pile"][to - v.Z_PILE].add(card)
        elif to >= v.Z_PLAY:
            self.raw["play"][to - v.Z_PLAY].add(card)
        else:
            seat = to - v.Z_HAND
            self.cards.held[seat][self.raw["epochs"][card]] += 1
            self.cards.open_cards[seat].add(card)
            hand = self.cards.hands[seat]
            if hand is not None:
                hand.add(card)

    def on_look(self, seat: int, owner: int) -> None:
        """A seat looks at a hand."""
        if owner == self.observer:
            for card in self._own(owner) - self.cards.open_cards[owner]:
                self.cards.seen_by.setdefault(card, set()).add(seat)

    def on_look_id(self, owner: int, *cards: int) -> None:
        """What the observer sees there."""
        self.cards.known[owner].update(set(cards) - self.cards.open_cards[owner])

    def body(self) -> dict[str, Any]:
        """The rows, and the hands."""
        return {**FIELDS.show(self.raw, self.observer, self.seats, self.ids), **self.cards.show(self.ids)}
