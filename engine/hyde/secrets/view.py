"""What one observer of Hyde knows, folded from its events: the same values as HydeGame.observation.

It follows the knowledge rules K1..K9 on its own, so that it checks knowledge.pyx.
"""
from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.events import FoldingView
from seatmate.engine.core.game import SPECTATORS
from seatmate.engine.hyde.content.vocabulary import SIX, TRACKS
from seatmate.engine.hyde.words.words import GRADES, SOURCES, card_text, kind_text

if TYPE_CHECKING:
    from seatmate.engine.hyde.game import HydeGame


class Track:
    """A card that was seen and then lost from sight, and where it may be."""

    def __init__(self, card: int, hands: set[int]) -> None:
        self.card = card
        self.hands = hands
        self.thing = False
        self.slots: set[int] = set()

    def has(self, hand: int | None, slot: int | None, thing: bool) -> bool:
        """Is this container one of its candidates?"""
        return hand in self.hands or slot in self.slots or (thing and self.thing)


class HydeView(FoldingView):
    """Folds Hyde's events; see HydeGame.observation for the values."""

    SAYS_ONLY = frozenset({"THING_KEEP", "WED_PASS", "ZERO"})

    def __init__(self, game: HydeGame, observer: int) -> None:
        super().__init__(game.spec, game.seats, observer)
        self.names = game.names
        self.level = game.settings.options["level"]
        self.needs = list(game.content.needs[game.seats])
        self.bonus_sixes = game.content.sixes
        self.substitutes = [number > 0 for number in game.content.abilities["SUBST"]]
        n = game.seats
        self.ring: list[int] = []
        self.targets: list[int] = []
        self.start_seat = 0
        self.turn_index = 0
        self.cycles = 0
        self.attack = 0
        self.outcasts: list[int | None] = [None] * n
        self.pawns = [0] * n
        self.bag: set[int] = set()
        self.shown: set[int] = set()
        self.attacked: set[int] = set()
        self.saved: set[int] = set()
        self.struck = 0
        self.hand_counts = [0] * n
        self.hand: list[int] | None = None
        self.thing: dict[str, Any] | None = None
        self.piles: dict[int, dict[int, dict[str, Any]]] = {place: {} for place in range(1, 6)}
        self.discard: list[int] = []
        self.deck = 0
        self.shuffles = 0
        self.in_play: Counter[int] = Counter()      # cards outside the discard pile, wherever they are
        self.full_deck = list(game.content.deck)
        self.sixes_left = 0
        self.sixes_removed = 0
        self.signals = [0] * n
        self.chain: dict[str, Any] | None = None
        self.tracks: list[Track] = []
        self.last_score = 0
        self.result: str | None = None

    # ---- Who is asked ----

    def on_asked(self) -> None:
        """The turn order follows from who is asked to move."""
        if self.question in ("DRAFT", "MOVE") and self.asked:
            self.turn_index = (self.asked[0] - self.start_seat) % self.seats
        if self.question != "PLAY":
            self.chain = None
        if self.thing is not None:      # the last step's own swap needs no remark
            self.thing["swapped"] &= self.question == "YOKO"

    def on_prompt(self) -> None:
        """An own chain begins."""
        if self.prompt in ("PLACE", "PLAY") and self.chain is None:
            here = self.pawns[self.observer]
            self.chain = {"place": here if self.prompt == "PLAY" else None, "cards": [], "six": False}

    def choose(self, prompt: str, action: int) -> None:
        """Follow the own unfinished chain."""
        if prompt == "PLACE" and self.chain is not None:
            self.chain["place"] = action
        elif prompt in ("PLAY", "MORE") and self.chain is not None:
            if action < SIX:
                self.chain["cards"].append(action)
            elif action == SIX:
                self.chain["six"] = True
        elif prompt == "WED_TAKE" and action < SIX:
            self.chain = {"take": action}

    # ---- Tracks ----

    def seen(self, card: int, hand: int | None = None, slot: int | None = None, thing: bool = False) -> None:
        """A copy of the card came to light in a container; one track it satisfies ends, the others widen."""
        fitting = [track for track in self.tracks if track.card == card and track.has(hand, slot, thing)]
        if fitting:
            first = fitting[0]
            for track in fitting[1:]:
                track.hands |= first.hands
                track.slots |= first.slots
                track.thing |= first.thing
            self.tracks.remove(first)

    def lose(self, hand: int | None = None, slot: int | None = None, thing: bool = False) -> None:
        """A container is out of the question for all tracks."""
        for track in self.tracks:
            track.hands.discard(hand if hand is not None else -1)
            track.slots.discard(slot if slot is not None else -1)
            track.thing &= not thing
        self.tracks = [track for track in self.tracks if track.hands or track.slots or track.thing]

    def track(self, card: int, hand: int) -> None:
        """Follow a card that went into a hand. Spectators follow nothing."""
        if self.observer != SPECTATORS:
            self.tracks = [*self.tracks, Track(card, {hand})][-TRACKS:]

    # ---- Events ----

    def on_ring(self, *places: int) -> None:
        self.ring = list(places)

    def on_targets(self, *targets: int) -> None:
        self.targets = list(targets)

    def on_start(self, seat: int) -> None:
        self.start_seat = seat

    def on_pick(self, seat: int, outcast: int) -> None:
        self.outcasts[seat] = outcast

    def on_deal(self, seat: int, count: int) -> None:
        if not self.in_play:
            self.in_play = Counter(self.full_deck)
            self.deck = len(self.full_deck)
            self.attack = 1
            self.bag = set(range(1, 6))
            self.turn_index = 0
            if any(outcast is not None and self.substitutes[outcast] for outcast in self.outcasts):
                self.sixes_left = self.bonus_sixes
        self.hand_counts[seat] += count
        self.deck -= count

    def on_deal_cards(self, seat: int, *cards: int) -> None:
        self.on_deal(seat, len(cards))
        self.hand = sorted(cards)

    def on_move(self, seat: int, start: int, to: int) -> None:
        self.pawns[seat] = to

    def on_noplay(self, seat: int) -> None:
        self.chain = None

    def on_played(self, seat: int, place: int, slot: int, source: int, one: int) -> None:
        self._put(seat, place, slot, source, one, None)

    def on_played_card(self, seat: int, place: int, slot: int, source: int, one: int, card: int) -> None:
        self._put(seat, place, slot, source, one, card)

    def _put(self, seat: int, place: int, slot: int, source: int, one: int, card: int | None) -> None:
        name = SOURCES[source]
        shuffle = self.shuffles
        known = {seat}
        if name == "thing":
            assert self.thing is not None
            known = set(self.thing["known"])
            shuffle = self.thing["shuffle"]
        elif name == "reserve":
            known = set(range(self.seats))
            self.sixes_left -= 1
        else:
            self.hand_counts[seat] -= 1
            if seat == self.observer and self.hand is not None and card is not None:
                self.hand.remove(card)
        self.piles[place][slot] = {"by": seat, "source": name, "turn": self.seats * self.cycles + self.turn_index,
                                   "shuffle": shuffle, "known": known, "open": name == "reserve", "one": bool(one),
                                   "card": card}
        if name == "hand" and seat != self.observer:
            for track in self.tracks:
                if seat in track.hands and (not one or track.card % 32 % 5 == 0):
                    track.slots.add(slot)
            if self.hand_counts[seat] == 0:
                self.lose(hand=seat)
        elif name == "thing":
            if self.observer not in known:
                for track in self.tracks:
                    if track.thing and (not one or track.card % 32 % 5 == 0):
                        track.slots.add(slot)
                self.lose(thing=True)
            assert self.thing is not None
            self._empty_thing()
        if seat == self.observer:
            self.chain = None

    def _empty_thing(self) -> None:
        assert self.thing is not None
        self.thing = {"seat": self.thing["seat"], "filled": False, "card": None, "known": set(), "shuffle": 0,
                      "swapped": False}

    def on_discard(self, seat: int, card: int) -> None:
        self.hand_counts[seat] -= 1
        if seat == self.observer and self.hand is not None:
            self.hand.remove(card)
        self._to_discard(card)
        if seat != self.observer:
            self.seen(card, hand=seat)
            if self.hand_counts[seat] == 0:
                self.lose(hand=seat)

    def on_thing_discard(self, seat: int, card: int) -> None:
        self._to_discard(card)
        self.seen(card, thing=True)
        self.lose(thing=True)
        self._empty_thing()

    def _to_discard(self, card: int) -> None:
        self.discard.append(card % 32)
        self.in_play[card] -= 1

    def on_draw(self, seat: int, count: int) -> None:
        self.hand_counts[seat] += count
        self.deck -= count

    def on_draw_cards(self, seat: int, *cards: int) -> None:
        self.on_draw(seat, len(cards))
        assert self.hand is not None
        self.hand = sorted([*self.hand, *cards])

    def on_reshuffle(self, count: int) -> None:
        self.shuffles += 1
        self.deck = count
        self.in_play.update(kind + 32 * self.shuffles for kind in self.discard)
        self.discard = []

    def on_thing_set(self, seat: int, mode: int) -> None:
        assert self.thing is not None
        if mode == 0:
            self.hand_counts[seat] -= 1
            for track in self.tracks:
                track.thing |= seat in track.hands
            if self.hand_counts[seat] == 0:
                self.lose(hand=seat)
        else:
            for track in self.tracks:
                before = seat in track.hands
                if track.thing:
                    track.hands.add(seat)
                track.thing = before
            if self.observer in self.thing["known"]:
                self.track(self.thing["card"], seat)
        self._new_on_thing(seat, None)

    def on_thing_set_card(self, seat: int, mode: int, card_in: int, card_out: int) -> None:
        assert self.hand is not None
        self.hand.remove(card_in)
        if mode == 0:
            self.hand_counts[seat] -= 1
        else:
            self.hand = sorted([*self.hand, card_out])
        self._new_on_thing(seat, card_in)

    def _new_on_thing(self, seat: int, card: int | None) -> None:
        self.thing = {"seat": seat, "filled": True, "card": card, "known": {seat}, "shuffle": self.shuffles, "swapped": True}

    def on_thing_to(self, seat: int, to: int) -> None:
        if self.thing is None:      # at the deal
            self.deck -= 1
            self.thing = {"seat": to, "filled": True, "card": None, "known": set(), "shuffle": 0, "swapped": False}
        self.thing["seat"] = to
        self.thing["known"].add(to)

    def on_thing_seen(self, seat: int, card: int) -> None:
        assert self.thing is not None
        self.thing["card"] = card
        self.seen(card, thing=True)
        self.lose(thing=True)

    def on_signal(self, seat: int, signal: int) -> None:
        self.signals[seat] = signal

    def on_token(self, place: int) -> None:
        self.cycles += 1
        self.turn_index = 0
        self.bag.remove(place)
        self.shown.add(place)

    def on_attack(self, place: int, attack: int, need: int) -> None:
        self.attacked.add(place)
        self.struck = place

    def on_reveal(self, slot: int, card: int) -> None:
        entry = self.piles[self.struck][slot]
        entry["card"] = card
        entry["known"] = set(range(self.seats))
        entry["open"] = True
        self.seen(card, slot=slot)
        self.lose(slot=slot)

    def on_wed_swap(self, seat: int, slot: int, taken: int, given: int) -> None:
        self.piles[self.struck][slot]["card"] = given
        if seat == self.observer:
            assert self.hand is not None
            self.hand.remove(given)
            self.hand = sorted([*self.hand, taken])
        else:
            self.seen(given, hand=seat)
            self.track(taken, seat)

    def on_score(self, total: int, need: int, saved: int) -> None:
        self.last_score = total
        if saved:
            self.saved.add(self.struck)
        for _, entry in sorted(self.piles[self.struck].items()):
            if entry["card"] == SIX:
                self.sixes_removed += 1
            else:
                self._to_discard(entry["card"])
        self.piles[self.struck] = {}

    def on_newround(self, attack: int) -> None:
        self.attack = attack
        self.bag = set(range(1, 6)) - self.attacked
        self.shown = set()
        self.pawns = [0] * self.seats

    def on_end(self, lost: int, grade: int) -> None:
        self.result = GRADES[grade]

    # ---- Snapshot ----

    def _unplaced(self) -> list[int]:
        rest = Counter(self.in_play)
        rest.subtract(self.hand or [])
        rest.subtract(entry["card"] for pile in self.piles.values() for entry in pile.values()
                      if entry["card"] is not None and entry["card"] != SIX)
        if self.thing is not None and self.thing["card"] is not None:
            rest.subtract([self.thing["card"]])
        return sorted(rest.elements())

    def _keys(self, places: set[int]) -> list[str]:
        return [self.names.places[place] for place in sorted(places)]

    def body(self) -> dict[str, Any]:
        """The values of HydeGame.observation."""
        names = self.names
        chain: dict[str, Any] | None = None
        if self.chain is not None and self.observer in self.asked:
            if "take" in self.chain:
                chain = {"take": kind_text(self.chain["take"])}
            else:
                place = self.chain["place"]
                chain = {"place": names.places[place] if place else None,
                         "cards": [kind_text(card) for card in self.chain["cards"]], "six": self.chain["six"]}
        thing = self.thing
        return {
            "level": self.level,
            "attack": self.attack,
            "needs": self.needs,
            "ring": [names.places[place] for place in self.ring],
            "targets": {names.places[place]: names.targets[target] for place, target in enumerate(self.targets, start=1)},
            "start_seat": self.start_seat,
            "turn_index": self.turn_index,
            "cycles": self.cycles,
            "outcasts": [None if outcast is None else names.outcasts[outcast] for outcast in self.outcasts],
            "pawns": [names.places[place] for place in self.pawns],
            "bag": self._keys(self.bag),
            "shown": self._keys(self.shown),
            "attacked": self._keys(self.attacked),
            "saved": self._keys(self.saved),
            "under_attack": names.places[self.struck] if self.question == "WED_TAKE" else None,
            "hand_counts": list(self.hand_counts),
            "hands": [[card_text(card) for card in self.hand] if self.hand is not None and seat == self.observer else None
                      for seat in range(self.seats)],
            "thing": None if thing is None else {
                "seat": thing["seat"], "filled": thing["filled"],
                "card": None if thing["card"] is None else card_text(thing["card"]),
                "known_by": sorted(thing["known"]), "shuffle": thing["shuffle"], "swapped": thing["swapped"]},
            "piles": {names.places[place]: [
                {"slot": slot, "by": entry["by"], "source": entry["source"], "turn": entry["turn"],
                 "shuffle": entry["shuffle"], "known_by": sorted(entry["known"]), "open": entry["open"], "one": entry["one"],
                 "card": None if entry["card"] is None else card_text(entry["card"])}
                for slot, entry in sorted(pile.items())] for place, pile in self.piles.items()},
            "discard": [kind_text(card) for card in self.discard],
            "deck": self.deck,
            "unplaced": [card_text(card) for card in self._unplaced()],
            "shuffles": self.shuffles,
            "sixes_left": self.sixes_left,
            "sixes_removed": self.sixes_removed,
            "signals": list(self.signals),
            "chain": chain,
            "tracked": [{"card": card_text(track.card), "hands": sorted(track.hands), "thing": track.thing,
                         "slots": sorted(track.slots)} for track in self.tracks],
            "last_score": self.last_score,
            "lost": len(self.attacked - self.saved) - (self.question == "WED_TAKE"),
            "result": self.result,
        }
