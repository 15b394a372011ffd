"""What one observer of Mythos knows, folded from its events: the same values as MythosGame.observation.

It follows the knowledge rules K1 to K10 on its own, so that it checks knowledge.pyx. Only numbers that follow from the
rest (power) are left to the game.
"""
from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.events import FoldingView
from seatmate.engine.mythos.content import vocabulary as v
from seatmate.engine.mythos.secrets.fields import FRAME
from seatmate.engine.mythos.secrets.positions import frame_values
from seatmate.engine.mythos.secrets.tracks import HAND, TOP, Container, Tracks
from seatmate.engine.mythos.words.names import PHASES

if TYPE_CHECKING:
    from seatmate.engine.mythos.game import MythosGame


def few(count: int) -> int:
    """A number of cards, from an event that anybody can have made up. Raises ValueError."""
    if not 0 <= count <= v.CARDS:
        raise ValueError(f"{count} cards")
    return count


class MythosView(FoldingView):
    """Folds Mythos's events; see MythosGame.observation for the values."""

    SAYS_ONLY = frozenset({"LINE", "NOTHING", "TARGETED", "EVALUATED"})

    def __init__(self, game: MythosGame, observer: int) -> None:
        super().__init__(game.spec, game.seats, observer)
        self.game = game
        self.names = game.names
        self.phase = "mulligan"
        self.round = self.turn = self.round_turn = 0
        self.edge = self.starter = self.active = 0
        self.begun = False
        self.passed: set[int] = set()
        self.last_turn = [0, 0]
        self.chakra = [0, 0]
        self.points = [0, 0]
        self.missions: list[int] = []
        self.triples: list[list[int] | None] = [None, None]
        self.mulligan: list[int | None] = [0 if observer == seat else None for seat in range(2)]
        self.hand_counts = [0, 0]
        self.hand: list[int] = []
        self.deck = [0, 0]
        self.unseen: list[Counter[int] | None] = [None, None]
        self.tops: list[list[dict[str, Any]]] = [[], []]
        self.discards: list[list[int]] = [[], []]
        self.units: dict[int, dict[str, Any]] = {}
        self.looked: list[dict[str, Any]] = []
        self.tracks = Tracks()
        self.shown = Tracks()           # what the other seat keeps track of: the observer's own cards
        self.seen_hand: list[int] = []
        self.serials = self.arrivals = self.asks = 0
        self.chain: dict[str, Any] | None = None
        self.progress = self._no_progress()
        self.coming: dict[str, Any] | None = None       # FLOW, FRAME and WAITING before the question they belong to

    def _no_progress(self) -> dict[str, Any]:
        return {"step": 0, "scoring": 0, "plays": 0, "asks": self.asks, "defeated": [0, 0], "arrived": [], "frames": [],
                "reactions": [], "waiting": []}

    # ---- Who is asked ----

    def on_asked(self) -> None:
        """A new public question: what is being carried out was told before it."""
        self.chain = None
        if not self.asked:
            self.phase, self.progress = "over", self._no_progress()
        elif self.coming is not None:
            flow = self.coming.pop("flow")
            self.phase, self.active = PHASES[flow[0]], flow[1]
            self.asks = flow[9]
            self.progress = {**self.coming, "step": flow[2], "scoring": flow[3], "plays": flow[4], "asks": flow[9],
                             "defeated": list(flow[5:7]),
                             "arrived": [slot for slot in range(64) if (flow[7] % 2**32 | flow[8] << 32) >> slot & 1]}
        elif self.question == "TURN":
            self.phase, self.active, self.progress = "action", self.asked[0], self._no_progress()
        self.coming = None
        if self.question == "TURN":
            self.turn += 1

    def choose(self, prompt: str, action: int) -> None:
        """The own mulligan is known at once."""
        if prompt == "MULLIGAN":
            self.mulligan[self.observer] = action + 1

    # ---- Cards ----

    def mine(self, seat: int) -> bool:
        """Is this the observer's own seat?"""
        return seat == self.observer

    def tracks_of(self, owner: int) -> Tracks | None:
        """What is kept track of among a seat's cards by the other one, if the observer is one of them."""
        return self.tracks if self.observer == 1 - owner else self.shown if self.observer == owner else None

    def place(self, owner: int, kind: int) -> None:
        """The observer can place one more card of the owner."""
        unseen = self.unseen[owner]
        if unseen is not None:
            if unseen[kind] <= 0:
                raise ValueError(f"a card {self.names.cards[kind]} too many")
            unseen[kind] -= 1

    def lose(self, owner: int, kind: int) -> None:
        """The observer cannot place a card any more."""
        unseen = self.unseen[owner]
        if unseen is not None:
            unseen[kind] += 1

    def take_top(self, seat: int) -> dict[str, Any] | None:
        """The top card of a deck is taken: its entry if its place was known."""
        if self.tops[seat]:
            return self.tops[seat].pop(0)
        self.deck[seat] -= 1
        return None

    def discard(self, owner: int, kind: int) -> None:
        """On top of a discard pile."""
        self.discards[owner].append(kind)

    def undiscard(self, owner: int, kind: int) -> None:
        """The topmost card of a kind leaves a discard pile."""
        pile = self.discards[owner]
        del pile[len(pile) - 1 - pile[::-1].index(kind)]

    def from_hand(self, seat: int, kind: int) -> None:
        """A card of a hand becomes public."""
        self.hand_counts[seat] -= 1
        if self.mine(seat):
            self.hand.remove(kind)
        else:
            self.place(seat, kind)
        self.came_to_light(seat, kind, HAND)

    # ---- Tracks ----

    def forget_empty(self, owner: int, tracks: Tracks) -> None:
        """An empty hand and a deck without unknown top cards hold nothing."""
        if self.hand_counts[owner] == 0:
            tracks.drop(HAND)
        if not any(1 - owner not in top["known_by"] for top in self.tops[owner]) \
                and not any(entry["seat"] == owner and entry["count"] for entry in self.looked):
            tracks.drop(TOP)

    def add_track(self, owner: int, kind: int) -> None:
        """A card the other seat knows goes to its owner's hand."""
        if (tracks := self.tracks_of(owner)) is not None:
            tracks.went_to_hand(kind)

    def came_to_light(self, owner: int, kind: int, container: Container) -> None:
        """The other seat sees a card that was in this place."""
        if (tracks := self.tracks_of(owner)) is not None:
            tracks.came_to_light(kind, container)
            self.forget_empty(owner, tracks)

    def spread(self, owner: int, source: Container, target: Container) -> None:
        """A card the other seat does not see went from one place to another."""
        if (tracks := self.tracks_of(owner)) is not None:
            tracks.spread(source, target)
            self.forget_empty(owner, tracks)

    def show_other(self, unit: dict[str, Any], kind: int) -> None:
        """The other seat sees the card of a hidden unit that the observer owns."""
        if self.mine(unit["owner"]) and not unit["open"] and 1 - unit["owner"] not in unit["known_by"]:
            self.came_to_light(unit["owner"], kind, unit["slot"])

    # ---- Units ----

    def knows(self, unit: dict[str, Any]) -> bool:
        """Does the observer know the card of a unit?"""
        return bool(unit["open"]) or self.observer in unit["known_by"]

    def new_unit(self, slot: int, kind: int | None, owner: int, seat: int, mission: int, known: set[int], up: bool) -> None:
        """A card comes into play."""
        if slot in self.units:
            raise ValueError(f"slot {slot} is in use")
        self.serials += 1
        self.units[slot] = {"slot": slot, "mission": mission, "seat": seat, "owner": owner, "up": up, "card": kind, "below": [],
                            "tokens": 0, "known_by": known, "open": up, "turn": 0, "serial": self.serials, "arrival": 0,
                            "link": None, "lock": None}
        self.arrive(slot)

    def arrive(self, slot: int) -> None:
        """The newest of its name here."""
        self.arrivals += 1
        self.units[slot]["arrival"] = self.arrivals

    def show(self, unit: dict[str, Any], kind: int) -> None:
        """The observer sees the card of a hidden unit."""
        if not self.knows(unit):
            self.place(unit["owner"], kind)
            if unit["owner"] != self.observer:
                self.came_to_light(unit["owner"], kind, unit["slot"])
        unit["card"] = kind

    def open_up(self, unit: dict[str, Any]) -> None:
        """Everybody knows the card."""
        unit["open"], unit["known_by"] = True, {0, 1}

    # ---- Events ----

    def on_deck(self, seat: int, *kinds: int) -> None:
        """The list of a deck."""
        unseen = self.unseen[seat]
        self.unseen[seat] = Counter(kinds) if unseen is None else unseen + Counter(kinds)

    def on_triple(self, seat: int, *missions: int) -> None:
        """The missions a seat brought."""
        self.triples[seat] = list(missions)

    def on_edge(self, seat: int) -> None:
        """The Edge goes to a seat; at first to the one that begins."""
        if not self.begun:
            self.begun = True
            self.starter = self.active = seat
            for owner in range(2):
                self.deck[owner] = len(self.game.decks[owner].cards)
        self.edge = seat

    def on_mulligan(self, seat: int, redraw: int) -> None:
        """A seat's answer."""
        self.mulligan[seat] = redraw + 1
        if redraw:
            for kind in self.hand if self.mine(seat) else ():
                self.lose(seat, kind)
            if self.mine(seat):
                self.hand = []
            self.deck[seat] += self.hand_counts[seat]
            self.hand_counts[seat] = 0

    def on_mission(self, index: int, mission: int) -> None:
        """A round begins with its mission."""
        self.missions.append(mission)
        self.round = index + 1
        self.passed = set()
        self.last_turn = [0, 0]
        self.round_turn = self.turn

    def on_chakra(self, seat: int, pool: int, reason: int) -> None:
        """A pool has changed."""
        self.chakra[seat] = pool

    def on_pass(self, seat: int) -> None:
        """A seat is out of this round."""
        self.passed.add(seat)
        self.last_turn[seat] = 0

    def on_turn_end(self, seat: int) -> None:
        """A turn in which a seat played."""
        self.last_turn[seat] = self.turn
        if 1 - seat in self.passed:
            self.last_turn[1 - seat] = 0

    def on_draw(self, seat: int, count: int) -> None:
        """Another seat draws."""
        for _ in range(few(count)):
            top = self.take_top(seat)
            self.hand_counts[seat] += 1
            if top is not None and top["card"] is not None:
                self.lose(seat, top["card"])
                self.add_track(seat, top["card"])
            elif top is not None:
                self.spread(seat, TOP, HAND)

    def on_draw_cards(self, seat: int, *kinds: int) -> None:
        """The observer draws."""
        for kind in kinds:
            top = self.take_top(seat)
            if top is None or top["card"] is None:
                self.place(seat, kind)
            self.hand_counts[seat] += 1
            self.hand.append(kind)
            if top is not None and 1 - seat in top["known_by"]:
                self.add_track(seat, kind)
            elif top is not None:
                self.spread(seat, TOP, HAND)

    def on_put(self, seat: int, slot: int, mission: int, zone: int, owner: int, link: int, turn: int,
               kind: int | None = None) -> None:
        """A card is put face down; who knows it is told its kind."""
        known = {seat}
        if zone == v.HAND:
            self.hand_counts[seat] -= 1
            if kind is not None:
                self.hand.remove(kind)
        else:
            top = self.take_top(owner)
            if top is not None:
                known |= set(top["known_by"])
            if kind is not None and (top is None or top["card"] is None):
                self.place(owner, kind)
        self.new_unit(slot, kind, owner, seat, mission, known, up=False)
        unit = self.units[slot]
        unit["turn"] = self.turn if turn else 0
        if link >= 0:
            unit["link"] = {"slot": link, "serial": self.units[link]["serial"]}
        if zone == v.HAND:
            self.spread(seat, HAND, slot)
        elif top is not None and seat == owner and 1 - owner not in top["known_by"]:
            self.spread(owner, TOP, slot)
        elif top is not None and seat != owner and seat not in top["known_by"] and kind is not None:
            self.came_to_light(owner, kind, TOP)

    on_put_card = on_put

    def on_played(self, seat: int, slot: int, kind: int, mission: int, zone: int, source: int, onto: int, cost: int,
                  covered: int) -> None:
        """A card is played face-up."""
        owner = seat
        match zone:
            case v.HAND:
                self.from_hand(seat, kind)
            case v.LOOKED_AT:
                self.unlook(seat, kind)
            case v.HIDDEN:
                self.show_other(self.units[source], kind)
                self.show(self.units[source], kind)
                owner = self.units[source]["owner"]
            case _:
                self.undiscard(seat, kind)
        if onto >= 0:
            unit = self.units[onto]
            unit["below"].append((unit["card"], unit["owner"]))
            if source >= 0:
                revealed = self.units.pop(source)
                unit["below"] += revealed["below"]
                unit["tokens"] = min(unit["tokens"] + revealed["tokens"], 250)
                if revealed["link"] is not None:
                    unit["link"] = revealed["link"]
            unit["card"], unit["owner"] = kind, owner
        elif source < 0:
            self.new_unit(slot, kind, owner, seat, mission, {0, 1}, up=True)
        unit = self.units[slot]
        unit["up"] = True
        self.open_up(unit)
        if unit["owner"] == unit["seat"]:
            unit["link"] = None
        unit["turn"] = self.turn
        if onto >= 0 or source >= 0:
            self.arrive(slot)

    def on_tokens(self, slot: int, tokens: int, seat: int, kind: int) -> None:
        """The Power tokens on a unit."""
        self.units[slot]["tokens"] = tokens

    def on_moved(self, slot: int, mission: int, before: int, seat: int, kind: int) -> None:
        """A unit goes to another mission."""
        self.units[slot]["mission"] = mission
        self.arrive(slot)

    def on_hidden(self, slot: int, seat: int, kind: int) -> None:
        """A unit is turned face down; everybody knows it."""
        unit = self.units[slot]
        unit["up"], unit["lock"] = False, None
        self.open_up(unit)

    def on_control(self, slot: int, seat: int, link: int, side: int, kind: int) -> None:
        """A unit changes sides."""
        unit = self.units[slot]
        unit["seat"] = seat
        unit["link"] = {"slot": link, "serial": self.units[link]["serial"]} if link >= 0 else None
        self.arrive(slot)

    def on_locked(self, source: int, target: int, seat: int = 0, kind: int = -1) -> None:
        """A Rashomon holds a unit, or none any more."""
        lock = {"slot": target, "serial": self.units[target]["serial"]} if target >= 0 else None
        self.units[source]["lock"] = lock

    def on_left(self, slot: int, how: int, kind: int, seat: int) -> None:
        """A pile leaves play."""
        unit = self.units.pop(slot)
        owner = unit["owner"]
        for below, whose in unit["below"]:
            self.discard(whose, below)
        if how in (v.TO_DISCARD, v.CLASHED):
            self.show_other(unit, kind)
            self.show(unit, kind)
            self.discard(owner, kind)
            return
        self.hand_counts[owner] += 1
        if self.mine(owner):
            self.show(unit, kind)
            self.hand.append(kind)
        elif kind >= 0:
            self.lose(owner, kind)
        if unit["open"] or 1 - owner in unit["known_by"]:
            self.add_track(owner, kind)
        elif (tracks := self.tracks_of(owner)) is not None:
            tracks.slot_to_hand(slot)

    def on_peeled(self, slot: int, kind: int, following: int, owner: int) -> None:
        """The top card of a pile is discarded."""
        unit = self.units[slot]
        self.show(unit, kind)
        self.discard(unit["owner"], kind)
        unit["below"].pop()
        unit["card"], unit["owner"] = following, owner
        self.open_up(unit)
        if unit["owner"] == unit["seat"]:
            unit["link"] = None
        self.arrive(slot)

    def on_discard(self, seat: int, kind: int) -> None:
        """A card of a hand is discarded."""
        self.from_hand(seat, kind)
        self.discard(seat, kind)

    def on_mill(self, seat: int, kind: int) -> None:
        """The top card of a deck is discarded."""
        top = self.take_top(seat)
        if top is None or top["card"] is None:
            self.place(seat, kind)
        if top is not None and 1 - seat not in top["known_by"]:
            self.came_to_light(seat, kind, TOP)
        self.discard(seat, kind)

    def on_looked(self, seat: int, slot: int, side: int) -> None:
        """Another seat looks at a hidden unit."""
        unit = self.units[slot]
        if unit["card"] is not None:
            self.show_other(unit, unit["card"])
        unit["known_by"].add(seat)

    def on_looked_card(self, seat: int, slot: int, kind: int) -> None:
        """The observer looks at one."""
        self.show(self.units[slot], kind)
        self.units[slot]["known_by"].add(seat)

    def on_saw_hand(self, seat: int) -> None:
        """Another seat sees a hand."""
        if self.mine(1 - seat):
            self.shown.saw_hand(self.hand)

    def on_saw_cards(self, seat: int, *kinds: int) -> None:
        """The observer sees the other hand, in one or more parts."""
        self.seen_hand += kinds
        if len(self.seen_hand) == self.hand_counts[1 - seat]:
            self.tracks.saw_hand(self.seen_hand)
            self.seen_hand = []

    def on_looktop(self, seat: int, count: int) -> None:
        """Another seat looks at the top of its deck."""
        for _ in range(few(count)):
            top = self.take_top(seat)
            if top is not None and top["card"] is not None:
                self.lose(seat, top["card"])
        self.looked.append({"seat": seat, "count": count, "cards": None})

    def on_looktop_cards(self, seat: int, *kinds: int) -> None:
        """The observer does."""
        for kind in kinds:
            top = self.take_top(seat)
            if top is None or top["card"] is None:
                self.place(seat, kind)
        self.looked.append({"seat": seat, "count": len(kinds), "cards": list(kinds)})

    def unlook(self, seat: int, kind: int) -> None:
        """A looked-at card becomes public."""
        entry = self.looked[-1]
        entry["count"] -= 1
        if entry["cards"] is not None:
            entry["cards"].remove(kind)
        else:
            self.place(seat, kind)
        if entry["count"] == 0:
            self.looked.pop()
        self.came_to_light(seat, kind, TOP)

    def take_shown(self, seat: int, kind: int) -> None:
        """A card all have seen goes to the seat's hand."""
        self.hand_counts[seat] += 1
        if self.mine(seat):
            self.hand.append(kind)
        else:
            self.lose(seat, kind)
        self.add_track(seat, kind)

    def on_took(self, seat: int, found: int, *kinds: int) -> None:
        """Looked-at cards that match are shown and go to the hand."""
        for kind in kinds:
            self.unlook(seat, kind)
            self.take_shown(seat, kind)

    def on_put_back(self, seat: int, count: int, excluded: int) -> None:
        """The others go back on top in the same order."""
        if count:
            cards = self.looked.pop()["cards"] or [None] * few(count)
            self.tops[seat][:0] = [{"known_by": [seat], "not": excluded, "card": kind} for kind in cards]

    def on_dumped(self, seat: int, kind: int) -> None:
        """A looked-at card is discarded."""
        self.unlook(seat, kind)
        self.discard(seat, kind)

    def on_top(self, seat: int, kind: int | None = None) -> None:
        """A card of a hand goes on top of the deck; its owner is told its kind."""
        self.hand_counts[seat] -= 1
        if kind is not None:
            self.hand.remove(kind)
        self.tops[seat].insert(0, {"known_by": [seat], "not": 0, "card": kind})
        self.spread(seat, HAND, TOP)

    on_top_card = on_top

    def on_recovered(self, seat: int, kind: int) -> None:
        """A discarded card goes to the hand."""
        self.undiscard(seat, kind)
        self.take_shown(seat, kind)

    def on_points(self, seat: int, points: int, gain: int) -> None:
        """Mission points."""
        self.points[seat] = points

    def on_end_round(self, number: int) -> None:
        """What is left of the chakra is gone."""
        self.chakra = [0, 0]

    def on_over(self, winner: int, points0: int, points1: int) -> None:
        """The game is over."""
        self.active = winner

    def on_chain(self, play: int, mission: int) -> None:
        """An own play is not complete yet."""
        self.chain = {"play": play, "mission": mission if mission >= 0 else None}

    def on_flow(self, *numbers: int) -> None:
        """What is being carried out: where the game stands."""
        self.coming = {"flow": numbers, "frames": [], "reactions": [], "waiting": []}

    def on_frame(self, *numbers: int) -> None:
        """... a line, a play, or what follows a step."""
        assert self.coming is not None
        self.coming["frames"].append(frame_values(self.game, FRAME.read_words(numbers)))

    def on_waiting(self, which: int, *numbers: int) -> None:
        """... lines that wait."""
        assert self.coming is not None
        for first, second in zip(numbers[::2], numbers[1::2], strict=True):
            unit = first >> 16
            self.coming["waiting" if which else "reactions"].append(
                {"line": first & 0xFFFF, "unit": unit if unit != v.NONE else None, "serial": second & 0xFFFF,
                 "mission": second >> 16})

    # ---- Snapshot ----

    def card(self, kind: int | None) -> str | None:
        """The id of a card, if it is known."""
        return None if kind is None else self.names.cards[kind]

    def track_values(self, tracks: Tracks) -> list[dict[str, Any]]:
        """Tracks as the observation has them."""
        return [{"card": self.names.cards[track.kind], "slots": sorted(place for place in track.where if isinstance(place, int)),
                 "top": TOP in track.where, "hand": HAND in track.where} for track in tracks]

    def body(self) -> dict[str, Any]:
        """The observation; its keys are those of MythosGame.observation."""
        cards, missions, pack = self.names.cards, self.names.missions, self.game.pack
        units = [{**unit, "card": self.card(unit["card"]) if self.knows(unit) else None,
                  "below": [{"card": cards[kind], "owner": owner} for kind, owner in unit["below"]],
                  "known_by": sorted(unit["known_by"])} for _, unit in sorted(self.units.items())]
        values = {
            "round": self.round, "phase": self.phase, "edge": self.edge, "starter": self.starter, "active": self.active,
            "passed": sorted(self.passed), "turn": self.turn, "round_turn": self.round_turn, "last_turn": list(self.last_turn),
            "chakra": list(self.chakra), "points": list(self.points),
            "missions": [{"id": missions[number], "points": pack.mission[number].points,
                          "bonus": pack.limits.rank_bonus[index]} for index, number in enumerate(self.missions)],
            "triples": [None if three is None else [missions[number] for number in three] for three in self.triples],
            "mulligan": list(self.mulligan),
            "hand_counts": list(self.hand_counts),
            "hands": [[cards[kind] for kind in sorted(self.hand)] if self.mine(seat) else None for seat in range(2)],
            "deck": list(self.deck),
            "tops": [[{**top, "card": self.card(top["card"])} for top in tops] for tops in self.tops],
            "discards": [[cards[kind] for kind in pile] for pile in self.discards],
            "units": units,
            "unseen": [None if unseen is None else sorted(cards[kind] for kind in unseen.elements()) for unseen in self.unseen],
            "tracked": self.track_values(self.tracks), "shown": self.track_values(self.shown),
            "looked": [{"seat": entry["seat"],
                        "cards": None if entry["cards"] is None else [cards[kind] for kind in entry["cards"]]}
                       for entry in self.looked],
            "chain": self.chain, "serials": self.serials, "arrivals": self.arrivals, "progress": self.progress,
        }
        self.game.add_power(values, self.observer)
        return values
