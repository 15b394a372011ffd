"""A Hyde table set up by hand, so that a test reads like an example of the rulebook.

    table = Table("enid", "bianca", targets={"forest": "bat_target"}, piles={"forest": "BAT-2 BEE-5"}, last="forest")
    table.strike()
    assert table.score() == (8, 14, False)

Cards that a test does not mention lie where they do no harm, so that no card is ever missing. After every answer the
table checks the invariants of the position, and that what each observer is told adds up to what it may see.
"""
from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from seatmate.engine.core.game import SPECTATORS, SeenEvent
from seatmate.engine.core.registry import new_game
from seatmate.engine.hyde.game import HydeGame
from seatmate.engine.hyde.secrets.view import HydeView, Track
from seatmate.engine.hyde.words.words import SOURCES, card_number, card_text

OUTER = ("crypt", "jericho", "pilgrim_world", "painting_shed", "forest")
TARGETS = ("twin_target", "lone_target", "gorgon_target", "bat_target", "eye_target")
EVERYBODY = "everybody"

Values = dict[str, Any]


@dataclass(frozen=True)
class Down:
    """A card face down on a place. `known`: the seats that know it (default: the one that played it), or EVERYBODY."""

    card: str
    by: int = 0
    known: tuple[int, ...] | str | None = None
    one: bool = False
    source: str = "hand"
    shuffle: int = 0
    turn: int = 0


Pile = str | Iterable[str | Down]


@cache
def a_game(*outcasts: str, **options: Any) -> HydeGame:
    """The game with these outcasts at seats 0, 1, ...; seat 0 begins unless an option says otherwise."""
    game = new_game("hyde", seats=len(outcasts), options={"outcasts": outcasts, "start_seat": "0", **options})
    assert isinstance(game, HydeGame)
    return game


class Cards:
    """The cards of the box that are not laid out yet."""

    def __init__(self, game: HydeGame, seed: int) -> None:
        self.left = Counter(card_text(kind) for kind in game.content.deck)
        self.random = random.Random(seed)

    def take(self, cards: Iterable[str]) -> list[str]:
        """Lay out these cards. There must be enough of them in the box."""
        cards = list(cards)
        for card in cards:
            kind = card.partition("@")[0]
            if kind != "SIX":
                assert self.left[kind] > 0, f"there are not so many {kind} in the box"
                self.left[kind] -= 1
        return cards

    def any(self, count: int) -> list[str]:
        """Some cards nobody asked for."""
        return self.take(self.random.sample(sorted(self.left.elements()), count))

    def rest(self) -> list[str]:
        """All that is left."""
        return self.take(sorted(self.left.elements()))


def words(text: str | Iterable[str]) -> list[str]:
    """A list from a text with spaces or from any strings."""
    return text.split() if isinstance(text, str) else list(text)


class Table:
    """A position set up by hand, its answers as methods, and what every observer is told.

    Keywords not given: `ring` and `targets` in the order of OUTER and TARGETS; pawns on the Academy; three cards per
    hand and Thing's card out of those nobody asked for, `thing_at` the last seat of the turn order; no piles, nothing
    discarded; the rest in the deck. `deck` gives the exact deck and leaves the rest to `rest`, a place where everybody
    knows it. `turn` is the position in the turn order of the seat that moves now. `last` names the place whose token
    alone is in the bag, with the last seat of the cycle to move, so that `strike` brings the attack.
    """

    def __init__(self, *outcasts: str, ring: str = "", targets: Mapping[str, str] | None = None,
                 pawns: Mapping[int, str] | None = None, hands: Mapping[int, str] | None = None, thing: str = "",
                 thing_at: int | None = None, thing_known: Iterable[int] | None = None, thing_shuffle: int = 0,
                 piles: Mapping[str, Pile] | None = None, deck: str | None = None, discard: str = "", rest: str = "",
                 attacked: str = "", saved: str = "", bag: str | None = None, last: str = "", turn: int = 0,
                 cycles: int | None = None, shuffles: int = 0, sixes_left: int | None = None,
                 tracks: Mapping[int, list[Values]] | None = None, prompt: str = "MOVE", seed: int = 0,
                 **options: Any) -> None:
        self.game = a_game(*outcasts, **options)
        self.seats = len(outcasts)
        n = self.seats
        values = self.game.everything(self.game.new_state(seed))
        cards = Cards(self.game, seed)
        values["ring"] = words(ring) or list(OUTER)
        values["targets"] = _targets(dict(targets or {}))
        values["pawns"] = [(pawns or {}).get(seat, "academy") for seat in range(n)]
        # What the test names comes first, then what it leaves open.
        lying = {place: _pile((piles or {}).get(place, "")) for place in OUTER}
        for pile in lying.values():
            cards.take(down.card for down in pile)
        hands = dict(hands or {})
        given = {seat: cards.take(words(hand)) for seat, hand in hands.items()}
        discards = cards.take(words(discard))
        deck_cards = None if deck is None else cards.take(words(deck))
        thing_card = cards.take([thing or cards.any(1)[0]])[0] if thing else cards.any(1)[0]
        values["hands"] = [given[seat] if seat in given else cards.any(3) for seat in range(n)]
        if rest:
            lying[rest] += [Down(card, known=EVERYBODY) for card in cards.rest()]
        elif deck_cards is None:
            deck_cards = cards.rest()
        assert not cards.rest(), "the cards that are left need a place: rest=..."
        values["hand_counts"] = [len(hand) for hand in values["hands"]]
        values["deck_cards"] = deck_cards or []
        values["deck"] = len(values["deck_cards"])
        values["discard"] = discards
        values["shuffles"] = shuffles
        sixes = sum(down.card == "SIX" for pile in lying.values() for down in pile)
        reserve = 2 if "bianca" in outcasts else 0
        values["sixes_left"] = max(reserve - sixes, 0) if sixes_left is None else sixes_left
        values["sixes_removed"] = max(reserve - sixes - values["sixes_left"], 0)
        slots = iter(range(62))
        values["piles"] = {place: [_entry(down, next(slots), n) for down in pile] for place, pile in lying.items()}
        start = values["start_seat"]
        at = (start + n - 1) % n if thing_at is None else thing_at
        values["thing"] = {"seat": at, "filled": True, "card": thing_card, "shuffle": thing_shuffle, "swapped": False,
                           "known_by": sorted({at} if thing_known is None else thing_known)}
        values["attacked"] = words(attacked)
        values["saved"] = words(saved)
        values["attack"] = len(values["attacked"]) + 1
        open_places = [place for place in OUTER if place not in values["attacked"]]
        values["bag"] = [last] if last else open_places if bag is None else words(bag)
        values["shown"] = [place for place in open_places if place not in values["bag"]]
        values["turn_index"] = n - 1 if last else turn
        done = sum(6 - attack for attack in range(1, values["attack"])) + len(values["shown"])
        values["cycles"] = done if cycles is None else cycles
        values["asked"] = (start + values["turn_index"]) % n
        values["prompt"] = prompt
        values["lost"] = len(values["attacked"]) - len(values["saved"])
        values["tracks"] = [(tracks or {}).get(seat, []) for seat in range(n)]
        self.state = self.game.position(values, seed=seed, record_events=True)
        self.game.check_invariants(self.state)
        self.observers = [*range(n), SPECTATORS]
        self.views = {observer: view_of(self.game, observer, self.state.observation(observer))
                      for observer in self.observers}
        self.check_views()
        self.mark()

    # ---- Looking ----

    @property
    def everything(self) -> Values:
        """The position with all cards open."""
        return self.game.everything(self.state)

    @property
    def asked(self) -> int:
        """The one seat that is asked now."""
        (seat,) = self.state.pending
        return seat

    @property
    def prompt(self) -> str | None:
        """The question now; None when the game is over."""
        return None if self.state.is_over else self.state.prompt(self.asked)

    def hand(self, seat: int) -> list[str]:
        """The cards of a hand, sorted by symbol and number."""
        hand = self.everything["hands"][seat]
        assert isinstance(hand, list)
        return hand

    def pile(self, place: str) -> list[Values]:
        """The cards on a place, with all that is known about each."""
        pile = self.everything["piles"][place]
        assert isinstance(pile, list)
        return pile

    def cards_on(self, place: str) -> list[str]:
        """The cards on a place in the order of the slots."""
        return [entry["card"] for entry in self.pile(place)]

    @property
    def discard(self) -> list[str]:
        """The discard pile."""
        discard = self.everything["discard"]
        assert isinstance(discard, list)
        return discard

    def tracked(self, seat: int) -> list[tuple[str, set[str]]]:
        """What a seat follows: (card, candidates), candidates written "hand 1", "thing", "slot 0"."""
        return [(entry["card"], {*(f"hand {hand}" for hand in entry["hands"]), *(["thing"] if entry["thing"] else []),
                                 *(f"slot {slot}" for slot in entry["slots"])})
                for entry in self.everything["tracks"][seat]]

    def worlds(self, seat: int, count: int) -> Iterator[Values]:
        """Sampled worlds of a seat with all cards open."""
        for sample in range(count):
            yield self.game.everything(self.state.resample_from_infostate(seat, sample))

    def offers(self) -> list[Any]:
        """The legal answers in words: a place, card, seat or outcast, "thing", "stop", "keep", "pass", a signal,
        ("swap", card)."""
        return [self._word(action) for action in self.state.legal_actions(self.asked)]

    def _word(self, action: int) -> Any:
        args = self.state.action_args(self.asked, action)
        return next(iter(args.values())) if len(args) == 1 else tuple(args.values())

    # ---- What observers are told ----

    def mark(self) -> None:
        """Forget what was told so far."""
        self.marks = {observer: self.state.sequence(observer) for observer in self.observers}

    def heard(self, observer: int) -> list[tuple[str, tuple[int, ...]]]:
        """All an observer was told since the mark, in numbers."""
        return [(event.key, event.args) for event in self.state.events(observer, since=self.marks[observer])]

    def told(self, observer: int, *keys: str) -> list[Values]:
        """The events of these types an observer was told since the mark, with cards and places in words."""
        return [self.event(event) for event in self.state.events(observer, since=self.marks[observer])
                if event.key in keys]

    def event(self, event: SeenEvent) -> Values:
        """The arguments of an event by name."""
        kind = next(kind for kind in self.game.spec.events if kind.key == event.key)
        return {name: self._argument(event.key, name, value)
                for name, value in zip(kind.args, event.args, strict=event.key != "DRAW_CARDS")}

    def _argument(self, key: str, name: str, value: int) -> Any:
        if name == "place" or (key == "MOVE" and name in ("from", "to")):
            return self.game.names.places[value]
        if name.startswith("card") or name in ("taken", "given"):
            return card_text(value)
        if name == "source":
            return SOURCES[value]
        if name == "mode":
            return ("refill", "swap")[value]
        if (key, name) in (("SCORE", "saved"), ("PLAYED", "one"), ("PLAYED_CARD", "one")):
            return bool(value)
        return value

    def score(self) -> tuple[int, int, bool]:
        """(total, need, saved) of the attack since the mark."""
        (event,) = self.told(SPECTATORS, "SCORE")
        return event["total"], event["need"], event["saved"]

    # ---- Answers ----

    def answer(self, prompt: str, value: Any) -> Table:
        """The asked seat answers the question it must be asked now."""
        seat = self.asked
        assert self.prompt == prompt, f"seat {seat} is asked {self.prompt}, not {prompt}"
        for action in self.state.legal_actions(seat):
            if self._word(action) == value:
                self.state.apply_action(seat, action)
                self.game.check_invariants(self.state)
                self.check_views()
                return self
        raise AssertionError(f"{value} is no answer to {prompt}; there are {self.offers()}")

    def pick(self, outcast: str) -> Table:
        return self.answer("DRAFT", outcast)

    def move(self, place: str) -> Table:
        return self.answer("MOVE", place)

    def stay(self) -> Table:
        return self.answer("MOVE", self.everything["pawns"][self.asked])

    def at(self, place: str) -> Table:
        """Eugene chooses the place of his card."""
        return self.answer("PLACE", place)

    def play(self, card: str) -> Table:
        """A card of the hand, "thing" or "SIX"."""
        return self.answer("PLAY", card)

    def more(self, card: str) -> Table:
        """Ajax goes on with a 1, "thing" or "stop"."""
        return self.answer("MORE", card)

    def pay(self, card: str) -> Table:
        """Bianca discards a card for the six."""
        return self.answer("COST", card)

    def throw(self, card: str) -> Table:
        """Yoko discards a card."""
        return self.answer("YOKO", card)

    def swap(self, card: str) -> Table:
        """A card of the hand goes to Thing before the last step, and Thing's old one is what this question asks for."""
        return self.answer(str(self.prompt), ("swap", card))

    def give(self, card: str) -> Table:
        """A card for Thing, or "keep"."""
        return self.answer("THING", card)

    def send(self, seat: int) -> Table:
        return self.answer("SEND", seat)

    def say(self, *signal: str) -> Table:
        """A signal and its place, or "silence" alone."""
        return self.answer("SIGNAL", signal if len(signal) > 1 else signal[0])

    def take(self, card: str) -> Table:
        """Wednesday takes a revealed card, or "pass"."""
        return self.answer("WED_TAKE", card)

    def swap_for(self, card: str) -> Table:
        """Wednesday gives a card of her hand."""
        return self.answer("WED_GIVE", card)

    def idle(self) -> Table:
        """A whole turn on the Academy without a card; Thing stays as it is."""
        seat = self.asked
        self.move("academy")
        if self.prompt == "YOKO":
            self.throw(self.offers()[0])
        if self.prompt == "THING":
            self.give("keep").send(seat)
        if self.prompt == "SIGNAL":
            self.say("silence")
        return self

    def strike(self) -> Table:
        """The last seat of the last cycle idles, and the Hyde attacks."""
        self.idle()
        assert self.told(SPECTATORS, "ATTACK"), "there was no attack"
        return self

    # ---- Checks ----

    def check_views(self) -> None:
        """Every observer's events add up to what it may see."""
        for observer, view in self.views.items():
            view.feed(self.state.events(observer, since=view.sequence))
            seen = self.state.observation(observer)
            told = view.snapshot()
            assert told == seen, f"observer {observer}: " + "; ".join(
                f"{key}: told {told[key]!r}, sees {seen[key]!r}" for key in seen if told[key] != seen[key])


def under_attack(place: str, target: str, cards: str, *outcasts: str, **more: Any) -> Table:
    """The Hyde has just struck the place where these cards lie. Outcasts not given are ones whose powers play no part;
    further words are for the table."""
    table = Table(*(outcasts or ("enid", "eugene")), targets={place: target}, piles={place: cards}, last=place, **more)
    return table.strike()


def _targets(wanted: dict[str, str]) -> dict[str, str]:
    free = [target for target in TARGETS if target not in wanted.values()]
    return {place: wanted[place] if place in wanted else free.pop(0) for place in OUTER}


def _pile(pile: Pile) -> list[Down]:
    cards = pile.split() if isinstance(pile, str) else pile
    downs = [card if isinstance(card, Down) else Down(card) for card in cards]
    return [Down("SIX", down.by, EVERYBODY, source="reserve", shuffle=down.shuffle, turn=down.turn)
            if down.card == "SIX" else down for down in downs]


def _entry(down: Down, slot: int, seats: int) -> Values:
    everybody = down.known == EVERYBODY
    known = range(seats) if everybody else (down.by,) if down.known is None else down.known
    return {"slot": slot, "by": down.by, "source": down.source, "turn": down.turn, "shuffle": down.shuffle,
            "known_by": sorted(int(seat) for seat in known), "open": everybody, "one": down.one, "card": down.card}


def view_of(game: HydeGame, observer: int, seen: Mapping[str, Any]) -> HydeView:
    """A view that starts from what an observer sees, for positions without a history."""
    view = HydeView(game, observer)
    place = game.names.places.index
    view.asked, view.question, view.prompt = list(seen["asked"]), seen["question"], seen["prompt"]
    for key in ("start_seat", "turn_index", "cycles", "attack", "deck", "shuffles", "sixes_left", "sixes_removed",
                "last_score", "result"):
        setattr(view, key, seen[key])
    view.ring = [place(key) for key in seen["ring"]]
    view.targets = [game.names.targets.index(seen["targets"][key]) for key in OUTER]
    view.outcasts = [None if key is None else game.names.outcasts.index(key) for key in seen["outcasts"]]
    view.pawns = [place(key) for key in seen["pawns"]]
    view.bag, view.shown, view.attacked, view.saved = (
        {place(key) for key in seen[name]} for name in ("bag", "shown", "attacked", "saved"))
    view.struck = place(seen["under_attack"]) if seen["under_attack"] else 0
    view.hand_counts = list(seen["hand_counts"])
    if observer != SPECTATORS:
        view.hand = [card_number(card) for card in seen["hands"][observer]]
    view.discard = [card_number(card) for card in seen["discard"]]
    view.signals = list(seen["signals"])
    thing = seen["thing"]
    view.thing = {"seat": thing["seat"], "filled": thing["filled"], "known": set(thing["known_by"]),
                  "card": None if thing["card"] is None else card_number(thing["card"]), "shuffle": thing["shuffle"],
                  "swapped": thing["swapped"]}
    view.piles = {place(key): {entry["slot"]: {
        "by": entry["by"], "source": entry["source"], "turn": entry["turn"], "shuffle": entry["shuffle"],
        "known": set(entry["known_by"]), "open": entry["open"], "one": entry["one"],
        "card": None if entry["card"] is None else card_number(entry["card"])} for entry in pile}
        for key, pile in seen["piles"].items()}
    placed = [thing["card"], *(entry["card"] for pile in seen["piles"].values() for entry in pile),
              *(seen["hands"][observer] if observer != SPECTATORS else ())]
    view.in_play = Counter(card_number(card) for card in [*placed, *seen["unplaced"]] if card not in (None, "SIX"))
    if seen["chain"] is not None:
        view.chain = {"place": place(seen["chain"]["place"]) if seen["chain"]["place"] else None,
                      "cards": [card_number(card) for card in seen["chain"]["cards"]], "six": seen["chain"]["six"]}
    for entry in seen["tracked"]:
        track = Track(card_number(entry["card"]), set(entry["hands"]))
        track.thing, track.slots = entry["thing"], set(entry["slots"])
        view.tracks.append(track)
    return view
