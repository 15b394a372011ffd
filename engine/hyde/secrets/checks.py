"""Views that came from outside: is this something a seat of a real game can know?

`state_from_view` fills a C struct, so nothing may reach it that the rules would not write themselves: every number
within its bounds, every card counted once, and at least one world behind the view.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.view_checks import all_served, need, whole
from seatmate.engine.hyde.content.vocabulary import ATTACKS, HAND, SIX, SLOTS, TRACKS
from seatmate.engine.hyde.words.words import PROMPT_NUMBER, SOURCES, card_number

if TYPE_CHECKING:
    from seatmate.engine.hyde.game import HydeGame

CYCLES = 15
LAST_SHUFFLE = 1000
SIGNALS = 16


def check_view(game: HydeGame, values: Mapping[str, Any], seat: int) -> None:
    """Raises ValueError unless a seat of a real game can have this view."""
    try:
        _Checker(game, values, seat).run()
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"the view is broken: {type(error).__name__} {error}") from None


class _Checker:
    def __init__(self, game: HydeGame, values: Mapping[str, Any], seat: int) -> None:
        self.game = game
        self.values = values
        self.seat = seat
        self.places: tuple[str, ...] = game.names.places
        self.outer = self.places[1:]
        self.asked: int | None = self._seats(values["asked"], "who is asked")[0] if values["asked"] else None
        self.shuffles = whole(values["shuffles"], 0, LAST_SHUFFLE, "the number of reshuffles")
        self.seen: Counter[int] = Counter()     # kinds the seat can place
        self.sixes = 0
        self.ages: list[tuple[int, bool, int, str]] = []    # hidden positions: newest shuffle, a 1, slot, hand or Thing

    def run(self) -> None:
        values = self.values
        self._board()
        self._question()
        if values["thing"] is None:
            need(values["question"] == "DRAFT" and not any(values["hand_counts"]), "cards before the deal")
            need(not any(values["piles"].values()) and values["chain"] is None, "cards before the deal")
            need(not values["discard"] and not values["tracked"] and self.shuffles == 0, "cards before the deal")
            return
        need(values["question"] != "DRAFT" and None not in values["outcasts"], "cards before the outcasts")
        self._piles()
        self._thing()
        self._hands()
        self._chain()
        self._tracks()
        self._conservation()

    def _members(self, key: str, allowed: Collection[object], *, distinct: bool = True) -> Sequence[Any]:
        items: Sequence[Any] = self.values[key]
        need(all(item in allowed for item in items) and (not distinct or len(set(items)) == len(items)), key)
        return items

    def _seats(self, seats: Iterable[object], what: str) -> list[int]:
        found = [whole(seat, 0, self.game.seats - 1, what) for seat in seats]
        need(len(set(found)) == len(found), what)
        return found

    def _board(self) -> None:
        """Ring, targets, pawns, tokens, attacks."""
        values, n = self.values, self.game.seats
        need(sorted(values["ring"]) == sorted(self.outer), "the ring")
        need(sorted(values["targets"]) == sorted(self.outer), "the targets")
        need(sorted(values["targets"].values()) == sorted(self.game.names.targets), "the targets")
        whole(values["start_seat"], 0, n - 1, "the first seat")
        whole(values["turn_index"], 0, n - 1, "the turn")
        whole(values["cycles"], 0, CYCLES, "the number of cycles")
        whole(values["last_score"], 0, 255, "the last score")
        need(len(values["outcasts"]) == len(values["pawns"]) == len(values["signals"]) == n, "the seats")
        taken = [key for key in values["outcasts"] if key is not None]
        need(len(set(taken)) == len(taken) and set(taken) <= set(self.game.names.outcasts), "the outcasts")
        self._members("pawns", self.places, distinct=False)
        for signal in values["signals"]:
            whole(signal, 0, SIGNALS - 1, "a signal")
        if values["thing"] is None:     # before the deal
            need(values["attack"] == values["cycles"] == values["last_score"] == 0, "an attack before the deal")
            need(not any(values[key] for key in ("bag", "shown", "attacked", "saved", "under_attack")), "the tokens")
            return
        attack = whole(values["attack"], 1, ATTACKS, "the attack")
        bag, shown, attacked = (set(self._members(key, self.outer)) for key in ("bag", "shown", "attacked"))
        need(set(self._members("saved", self.outer)) <= attacked, "the saved places")
        struck = values["under_attack"]
        need(struck is None or struck in attacked, "the place under attack")
        is_over = self.asked is None
        need(len(attacked) == attack - (struck is None and not is_over), "the attacked places")
        if is_over:
            return
        rest = attacked - {struck}
        need(not bag & shown and not (bag | shown) & rest and bag | shown == set(self.outer) - rest, "the tokens")
        need(bool(bag) != (struck is not None), "the tokens in the bag")
        loss_limit = int(str(self.game.settings.options["loss_limit"]))
        need(len(rest - set(values["saved"])) < loss_limit, "the lost places")

    def _question(self) -> None:
        """Who is asked, and can that seat be asked this?"""
        values, asked = self.values, self.asked
        need((values["prompt"] is not None) == (asked == self.seat), "the prompt")
        need((values["question"] is None) == (asked is None) and len(values["asked"]) <= 1, "the question")
        if asked is None:
            need(values["under_attack"] is None, "an attack after the end")
            return
        prompt = values["prompt"] or values["question"]
        need(prompt in PROMPT_NUMBER, "the question")
        number = PROMPT_NUMBER[prompt]
        need(values["question"] == self.game.spec.public_key(number), "the question")
        swaps = prompt in ("WED_TAKE", "WED_GIVE")
        need(swaps == (values["under_attack"] is not None), "a question that belongs to an attack")
        if swaps:
            need(self._can("SWAP_SYM") or self._can("SWAP_NUM"), "a swap")
            return
        need(asked == (values["start_seat"] + values["turn_index"]) % self.game.seats, "the turn")
        thing = values["thing"]
        wants = {"PLACE": "REACH", "MORE": "MULTI", "COST": "SUBST", "YOKO": "TRIM"}
        need(prompt not in wants or self._can(wants[prompt]), "a question to another outcast")
        need(prompt != "SIGNAL" or bool(self.game.settings.options["signals"]), "a signal")
        if prompt in ("THING", "SEND"):
            need(thing is not None and thing["seat"] == asked and (prompt == "THING" or thing["filled"]), "Thing")
        elif thing is not None:
            need(bool(thing["filled"]) or prompt == "YOKO", "Thing without a card")
        if prompt in ("PLAY", "MORE", "COST", "YOKO", "THING"):
            need(values["hand_counts"][asked] > 0 or (prompt == "PLAY" and thing["seat"] == asked), "an empty hand")

    def _can(self, verb: str) -> bool:
        """Has the outcast of the seat that is asked this ability?"""
        outcast = self.values["outcasts"][self.asked]
        return outcast is not None and self.game.content.abilities[verb][self.game.names.outcasts.index(outcast)] > 0

    def _card(self, text: object, newest: int | None = None) -> int:
        """A card that is seen; counts it."""
        need(isinstance(text, str), "a card")
        card = card_number(str(text))
        need(card >> 5 <= (self.shuffles if newest is None else newest), f"the card {text}")
        if card & 31 == SIX:
            self.sixes += 1
        else:
            self.seen[card & 31] += 1
        return card

    def _piles(self) -> None:
        values = self.values
        need(sorted(values["piles"]) == sorted(self.outer), "the piles")
        numbers = [slot["slot"] for pile in values["piles"].values() for slot in pile]
        need(len(set(numbers)) == len(numbers), "a slot that is used twice")
        for place, pile in values["piles"].items():
            is_open = place not in values["attacked"] or place == values["under_attack"]
            need(not pile or is_open, "cards on a closed place")
            for slot in pile:
                number = whole(slot["slot"], 0, SLOTS - 1, "a slot")
                self._seats([slot["by"]], "who played a card")
                need(slot["source"] in SOURCES, "where a card came from")
                whole(slot["turn"], 0, self.game.seats * (CYCLES + 1), "the turn of a card")
                newest = whole(slot["shuffle"], 0, self.shuffles, "the shuffle of a card")
                knows = self.seat in self._seats(slot["known_by"], "who knows a card") or slot["open"]
                need(isinstance(slot["one"], bool) and isinstance(slot["open"], bool), "a card on the table")
                need(knows == (slot["card"] is not None), "what is known of a card")
                if knows:
                    card = self._card(slot["card"], newest)
                    need(not slot["one"] or (card & 31 != SIX and (card & 31) % 5 == 0), "a 1 that is none")
                else:
                    self.ages.append((newest, slot["one"], number, "slot"))

    def _thing(self) -> None:
        thing = self.values["thing"]
        self._seats([thing["seat"]], "the seat of Thing")
        newest = whole(thing["shuffle"], 0, self.shuffles, "the shuffle of Thing's card")
        need(isinstance(thing["swapped"], bool), "a swap with Thing")
        need(not thing["swapped"] or (self.values["question"] == "YOKO" and thing["filled"]
                                      and thing["known_by"] == [self.asked] == [thing["seat"]]), "a swap with Thing")
        knows = self.seat in self._seats(thing["known_by"], "who knows Thing's card")
        need(isinstance(thing["filled"], bool), "Thing")
        need((thing["card"] is not None) == (knows and thing["filled"]), "Thing's card")
        if thing["card"] is not None:
            need(self._card(thing["card"], newest) & 31 != SIX, "Thing's card")
        elif thing["filled"]:
            self.ages.append((newest, False, -1, "thing"))

    def _hands(self) -> None:
        values = self.values
        need(len(values["hand_counts"]) == len(values["hands"]) == self.game.seats, "the hands")
        for seat, (count, hand) in enumerate(zip(values["hand_counts"], values["hands"], strict=True)):
            whole(count, 0, HAND, "the cards of a hand")
            need((hand is not None) == (seat == self.seat), "whose hand is seen")
            if hand is not None:
                need(len(hand) == count, "the own hand")
                need(all(self._card(card) & 31 != SIX for card in hand), "a six in the hand")
            else:
                self.ages += [(self.shuffles, False, seat, "hand")] * count

    def _chain(self) -> None:
        """The seat's own unfinished play or swap."""
        chain, prompt = self.values["chain"], self.values["prompt"]
        need((chain is not None) == (prompt in ("PLACE", "PLAY", "MORE", "COST", "WED_GIVE")), "an unfinished play")
        if chain is None:
            return
        if prompt == "WED_GIVE":
            taken = card_number(chain["take"])
            shown = [slot["card"] for slot in self.values["piles"][self.values["under_attack"]]]
            need(taken < SIX and any(card is not None and card_number(card) & 31 == taken for card in shown), "a swap")
            return
        hand = [card_number(card) & 31 for card in self.values["hands"][self.seat]]
        place, cards = chain["place"], [card_number(card) for card in chain["cards"]]
        need(place in (None, *self.outer) and place not in self.values["attacked"], "the place of a play")
        need((place is None) == (prompt == "PLACE"), "the place of a play")
        need(len(cards) <= HAND and not Counter(cards) - Counter(hand), "the cards of a play")
        need(chain["six"] == (prompt == "COST") and bool(cards) == (prompt == "MORE"), "an unfinished play")
        need(not chain["six"] or self.values["sixes_left"] > 0, "a six")

    def _tracks(self) -> None:
        tracks = self.values["tracked"]
        used = {slot["slot"] for pile in self.values["piles"].values() for slot in pile}
        need(len(tracks) <= TRACKS, "the tracked cards")
        for track in tracks:
            card = card_number(track["card"])
            hands = self._seats(track["hands"], "where a tracked card may be")
            need(card & 31 != SIX and card >> 5 <= self.shuffles and self.seat not in hands, "a tracked card")
            need(isinstance(track["thing"], bool) and set(track["slots"]) <= used, "a tracked card")
            need(bool(hands or track["thing"] or track["slots"]), "a tracked card")

    def _conservation(self) -> None:
        """Every card is somewhere, once, and the hidden ones fit where they are hidden."""
        values = self.values
        deck = whole(values["deck"], 0, len(self.game.content.deck), "the deck")
        discard = [card_number(card) for card in values["discard"]]
        unplaced = [card_number(card) for card in values["unplaced"]]
        need(len(unplaced) == len(self.ages) + deck, "the number of hidden cards")
        need(all(card < SIX for card in discard) and all(card & 31 < SIX for card in unplaced), "a six in the deck")
        cards = self.seen + Counter(discard) + Counter(card & 31 for card in unplaced)
        need(cards == Counter(self.game.content.deck), "the number of cards of a kind")
        taken = [self.game.names.outcasts.index(key) for key in values["outcasts"]]
        sixes = self.game.content.sixes if any(self.game.content.abilities["SUBST"][who] for who in taken) else 0
        left = [whole(values[key], 0, sixes, key) for key in ("sixes_left", "sixes_removed")]
        need(sum(left) + self.sixes == sixes, "the number of sixes")
        need(self._has_a_world(unplaced, deck), "the hidden cards fit nowhere")

    def _has_a_world(self, unplaced: Sequence[int], deck: int) -> bool:
        """Is there a way to deal the hidden cards that fits all the seat knows?"""
        tracked = Counter(card_number(track["card"]) for track in self.values["tracked"])
        if tracked - Counter(unplaced):
            return False
        homes: dict[int, list[Mapping[str, Any]]] = {}
        for track in self.values["tracked"]:
            homes.setdefault(card_number(track["card"]), []).append(track)
        positions = [*self.ages, *[(self.shuffles, False, -1, "deck")] * deck]
        fits: list[list[int]] = []
        for card in sorted(unplaced):
            track = homes[card].pop() if homes.get(card) else None
            fits.append([i for i, position in enumerate(positions) if self._fits(card, track, position)])
        return all_served(fits)

    def _fits(self, card: int, track: Mapping[str, Any] | None, position: tuple[int, bool, int, str]) -> bool:
        newest, one, number, kind = position
        if kind == "deck":
            return track is None and card >> 5 == self.shuffles
        if card >> 5 > newest or (one and (card & 31) % 5 != 0):
            return False
        if track is None:
            return True
        return (kind == "thing" and track["thing"]) or number in track["hands" if kind == "hand" else "slots"]
