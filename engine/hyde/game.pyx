"""Hyde as a registered game: settings and pack to tables, states to plain values and back, answers in words."""
from seatmate.engine.core.contract cimport Rules
from seatmate.engine.core.game cimport Game, State, blank_state, rebuilt_state
from seatmate.engine.core.rng cimport seed_rng
from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.core.zones cimport hand_add, lowest_bit
from seatmate.engine.hyde.advice cimport judgement
from seatmate.engine.hyde.rules cimport attack, flow
from seatmate.engine.hyde.rules.model cimport (
    COST, DRAFT, HOLD_THING, KEEP, KINDS, MORE, MOVE, NOBODY, OPEN, OUTCASTS, OVER, PASS, PLACE, PLACES, PLAY,
    PLAY_NOTHING, PLAY_THING, SEATS, SEND, SIGNAL, SIX, STOP, SWAP_FIRST, TARGETS, THING, WED_GIVE, WED_TAKE, YOKO,
    Hyde, Tables, Tracks, kind_of, lay_ring, lost_targets, make_card, shuffle_of, used_slots,
)
from seatmate.engine.hyde.secrets cimport knowledge

from seatmate.engine.core.errors import SettingsError
from seatmate.engine.core.glossary import entry as glossary_entry
from seatmate.engine.core.registry import register, with_pack_hash
from seatmate.engine.core.rng import Stream
from seatmate.engine.core.spec import Calibration, GameSpec, Mode, Option, SearchHints, words as join
from seatmate.engine.hyde.content import pack
from seatmate.engine.hyde.words import glossary, words
from seatmate.engine.hyde.secrets.checks import check_view
from seatmate.engine.hyde.secrets.view import HydeView

cdef Rules RULES
RULES.state_size = sizeof(Hyde)
RULES.init = flow.init
RULES.pending = flow.pending
RULES.prompt = flow.prompt
RULES.legal_actions = flow.legal_actions
RULES.advance = flow.advance
RULES.returns = attack.returns
RULES.evaluate = judgement.evaluate
RULES.score_actions = judgement.score_actions
RULES.resample = knowledge.resample
RULES.private_key = knowledge.private_key
RULES.plausible = knowledge.plausible
RULES.quick_action = judgement.quick_action
RULES.quiet = judgement.quiet
RULES.features = judgement.features


cdef class HydeGame(Game):
    """One box of Hyde with its options; `names` holds the pack's keys and titles."""

    cdef Tables* t
    cdef readonly object content        # pack.Content
    cdef readonly object loaded         # LoadedPack
    cdef readonly object names          # words.Names

    def __cinit__(self):
        self.rules = &RULES
        self.t = <Tables*> self.new_tables(sizeof(Tables))

    def __init__(self, settings):
        start = settings.options["start_seat"]
        if start != "random" and int(start) >= settings.seats:
            raise SettingsError("options.start_seat", f"there is no seat {start} at a table of {settings.seats}")
        self.loaded = pack.load(settings.pack)
        super().__init__(SPEC, with_pack_hash(settings, self.loaded.hash))
        options = settings.options
        self.content = pack.compile_content(self.loaded, options["level"], strict=options["strict_transform"])
        self.names = words.Names(self.loaded.content)
        self._fill(options)

    def _fill(self, options):
        """Copy settings and compiled content into the C tables."""
        cdef Tables* t = self.t
        cdef int p, g, k, o
        content = self.content
        t.n = self.seats
        t.loss_limit = int(options["loss_limit"])
        t.signals = options["signals"]
        start = options["start_seat"]
        t.start_seat = NOBODY if start == "random" else int(start)
        outcasts = options["outcasts"]
        t.outcast_mode = {"draft": 0, "random": 1}.get(outcasts, 2) if isinstance(outcasts, str) else 2
        if t.outcast_mode == 2:
            for k, key in enumerate(outcasts):
                t.outcast_list[k] = self.names.outcasts.index(key)
        t.deck_n = len(content.deck)
        for k, kind in enumerate(content.deck):
            t.deck[k] = kind
        t.sixes = content.sixes
        for k in range(KINDS):
            t.number[k] = k % 5 + 1 if k != SIX else 6
            t.symbol[k] = k // 5
        for p in range(PLACES):
            t.no_play[p] = content.no_play[p]
            t.must_leave[p] = content.must_leave[p]
            t.zero_mask[p] = content.zero[p]
            for g in range(TARGETS):
                for k in range(KINDS):
                    t.eff[p][g][k] = content.value[p][g][k]
                t.chosen[p][g] = pack.chosen_card(content, p, g)
                t.one[p][g] = pack.unknown_one(content, p, g)
        for k, need in enumerate(content.needs[self.seats], start=1):
            t.need[k] = need
        for o in range(OUTCASTS):
            t.reach[o] = content.abilities["REACH"][o]
            t.multi_number[o] = content.abilities["MULTI"][o]
            t.substitute[o] = content.abilities["SUBST"][o]
            t.draw_to[o] = content.abilities["DRAW_TO"][o]
            t.trim[o] = content.abilities["TRIM"][o]
            t.bonus[o] = content.abilities["BONUS"][o]
            t.swap_symbol[o] = content.abilities["SWAP_SYM"][o]
            t.swap_number[o] = content.abilities["SWAP_NUM"][o]
            t.appeal[o] = content.appeal[o]
        judgement.prepare(t)

    # ---- Positions as plain values ----

    def observation(self, State state, int seat):
        return self._values(state, seat)

    def everything(self, State state):
        """The position with all cards open (for tests and records of finished games); `position` reads it back."""
        values = self._values(state, -1)
        cdef Hyde* h = <Hyde*> state.data
        values["deck_cards"] = [words.card_text(make_card(h.deck[i], h.shuffles)) for i in range(h.deck_n)]
        values["prompt"] = words.PROMPTS[h.phase].key if h.phase != OVER else None
        values["asked"] = h.asked
        values["tracks"] = [self._tracks(&h.track[s]) for s in range(self.seats)]
        return values

    cdef list _tracks(self, const Tracks* k):
        cdef int e, i
        return [{"card": words.card_text(k.card[e]), "hands": [i for i in range(SEATS) if k.hold[e] >> i & 1],
                 "thing": bool(k.hold[e] >> HOLD_THING & 1), "slots": [i for i in range(62) if k.slots[e] >> i & 1]}
                for e in range(k.n)]

    cdef dict _values(self, State state, int seat):
        """The position as the seat sees it; -1 sees everything, SPECTATORS only what is open."""
        cdef Hyde* h = <Hyde*> state.data
        cdef int i, p, s
        n = self.seats
        names = self.names
        places = names.places
        dealt = h.phase != DRAFT
        piles = {}
        for p in range(1, PLACES):
            piles[places[p]] = [
                {"slot": i, "by": h.slot_by[i], "source": words.SOURCES[h.slot_source[i]], "turn": h.slot_turn[i],
                 "shuffle": h.slot_shuffle[i], "known_by": [s for s in range(n) if h.slot_known[i] >> s & 1],
                 "open": h.slot_known[i] == OPEN, "one": bool(h.slot_one[i]),
                 "card": words.card_text(h.slot_card[i]) if self.sees(h.slot_known[i], seat) else None}
                for i in range(62) if h.pile[p] >> i & 1]
        chain = None
        if seat in (-1, h.asked):
            if h.phase in (PLACE, PLAY, MORE, COST):
                chain = {"place": places[h.chain_place] if h.chain_place else None,
                         "cards": [words.kind_text(h.chain[i]) for i in range(h.chain_n)], "six": bool(h.chain_six)}
            elif h.phase == WED_GIVE:
                chain = {"take": words.kind_text(h.take - 1)}
        swapping = h.phase in (WED_TAKE, WED_GIVE)
        lost = lost_targets(h) - swapping
        return {
            "level": self.settings.options["level"],
            "attack": h.attack_no,
            "needs": [self.t.need[i] for i in range(1, 6)],
            "ring": [places[h.ring[i]] for i in range(5)],
            "targets": {places[p]: names.targets[h.target_at[p]] for p in range(1, PLACES)},
            "start_seat": h.start_seat,
            "turn_index": h.turn_index,
            "cycles": h.cycles,
            "outcasts": [names.outcasts[h.outcast[i]] if h.outcast[i] != NOBODY else None for i in range(n)],
            "pawns": [places[h.pawn[i]] for i in range(n)],
            "bag": [places[p] for p in range(1, PLACES) if h.bag >> p & 1],
            "shown": [places[p] for p in range(1, PLACES) if h.shown >> p & 1],
            "attacked": [places[p] for p in range(1, PLACES) if h.attacked >> p & 1],
            "saved": [places[p] for p in range(1, PLACES) if h.saved >> p & 1],
            "under_attack": places[h.chain_place] if swapping else None,
            "hand_counts": [h.hand_n[i] for i in range(n)],
            "hands": [[words.card_text(h.hand[s][i]) for i in range(h.hand_n[s])] if dealt and seat in (-1, s) else None
                      for s in range(n)],
            "thing": {"seat": h.thing_seat, "filled": bool(h.thing_filled),
                      "card": words.card_text(h.thing_card) if h.thing_filled and self.sees(h.thing_known, seat) else None,
                      "known_by": [s for s in range(n) if h.thing_known >> s & 1], "shuffle": h.thing_shuffle,
                      "swapped": bool(h.thing_swapped)} if dealt else None,
            "piles": piles,
            "discard": [words.kind_text(h.discard[i]) for i in range(h.discard_n)],
            "deck": h.deck_n,
            "unplaced": [words.card_text(card) for card in self._hidden(h, seat)],
            "shuffles": h.shuffles,
            "sixes_left": h.sixes_left,
            "sixes_removed": h.sixes_removed,
            "signals": [h.signal[i] for i in range(n)],
            "chain": chain,
            "tracked": self._tracks(&h.track[seat]) if 0 <= seat < n else [],
            "last_score": h.score,
            "lost": lost,
            "result": words.GRADES[-1 if lost >= self.t.loss_limit else 3 - lost] if h.phase == OVER else None,
        }

    cdef list _hidden(self, const Hyde* h, int seat):
        """The cards the observer can't place, sorted; -1 places all."""
        cdef int i, s
        cdef uint64_t slots = used_slots(h)
        if seat < 0:
            return []
        cards = [h.slot_card[i] for i in range(62) if slots >> i & 1 and not self.sees(h.slot_known[i], seat)]
        if h.thing_filled and not self.sees(h.thing_known, seat):
            cards.append(h.thing_card)
        cards += [h.hand[s][i] for s in range(self.seats) if s != seat for i in range(h.hand_n[s])]
        cards += [make_card(h.deck[i], h.shuffles) for i in range(h.deck_n)]
        return sorted(cards)

    cdef bint sees(self, int known, int seat):
        """Does the observer know a card whose `known` mask this is?"""
        return seat < 0 or (known == OPEN if seat >= SEATS else known >> seat & 1)

    def position(self, values, *, seed=0, record_events: bool = False) -> State:
        """The position described by `everything`, with its own chance stream (seed). Hidden cards must be given.

        Its events, if recorded, begin here; they don't tell how the position came about.
        """
        return self._load(values, -1, seed, record_events)

    def state_from_view(self, view, int seat, seed):
        check_view(self, view, seat)
        cdef State state = self._load(view, seat, seed, False)
        seed_rng(&state.rng, seed, (int(Stream.RESAMPLE), seat))
        knowledge.resample(self.t, state.data, seat, &state.rng)
        return state

    cdef State _load(self, values, int seat, seed, bint record_events):
        """Fill a state from plain values; the cards a view leaves open are filled in from those it can't place."""
        cdef State state = blank_state(self, record_events) if seat < 0 else rebuilt_state(self, values)
        cdef Hyde* h = <Hyde*> state.data
        cdef int i, s, p, slot
        cdef Tracks* k
        names = self.names
        place = {key: index for index, key in enumerate(names.places)}
        for i, key in enumerate(values["ring"]):
            h.ring[i] = place[key]
        lay_ring(h)
        for key, target in values["targets"].items():
            h.target_at[<int> place[key]] = names.targets.index(target)
        h.start_seat = values["start_seat"]
        h.turn_index = values["turn_index"]
        h.cycles = values["cycles"]
        for i in range(SEATS):
            h.outcast[i] = NOBODY
        for i in range(self.seats):
            if values["outcasts"][i] is not None:
                h.outcast[i] = names.outcasts.index(values["outcasts"][i])
            h.pawn[i] = place[values["pawns"][i]]
            h.signal[i] = values["signals"][i]
        h.attack_no = values["attack"]
        h.bag = sum(1 << place[key] for key in values["bag"])
        h.shown = sum(1 << place[key] for key in values["shown"])
        h.attacked = sum(1 << place[key] for key in values["attacked"])
        h.saved = sum(1 << place[key] for key in values["saved"])
        h.shuffles = values["shuffles"]
        h.sixes_left = values["sixes_left"]
        h.sixes_removed = values["sixes_removed"]
        h.score = values["last_score"]
        if seat < 0:
            h.asked = values["asked"]
            h.phase = words.PROMPT_NUMBER[values["prompt"]] if values["prompt"] else OVER
        elif values["asked"]:
            h.asked = values["asked"][0]
            h.phase = words.PROMPT_NUMBER[values["prompt"] or values["question"]]
        else:
            h.phase = OVER
        rest = sorted([words.card_number(card) for card in values["unplaced"]], reverse=True)
        for key, pile in values["piles"].items():
            p = place[key]
            for entry in pile:
                slot = entry["slot"]
                h.pile[p] |= <uint64_t> 1 << slot
                h.slot_shuffle[slot] = entry["shuffle"]
                h.slot_by[slot] = entry["by"]
                h.slot_source[slot] = words.SOURCES.index(entry["source"])
                h.slot_known[slot] = OPEN if entry["open"] else self._mask(entry["known_by"])
                h.slot_one[slot] = entry["one"]
                h.slot_turn[slot] = entry["turn"]
                h.slot_card[slot] = words.card_number(entry["card"]) if entry["card"] is not None else rest.pop()
        thing = values["thing"]
        if thing is not None:
            h.thing_seat = thing["seat"]
            h.thing_filled = thing["filled"]
            h.thing_known = self._mask(thing["known_by"])
            h.thing_shuffle = thing["shuffle"]
            h.thing_swapped = thing["swapped"]
            if thing["filled"]:
                h.thing_card = words.card_number(thing["card"]) if thing["card"] is not None else rest.pop()
        for s in range(self.seats):
            cards = values["hands"][s]
            for i in range(values["hand_counts"][s]):
                hand_add(h.hand[s], &h.hand_n[s], words.card_number(cards[i]) if cards is not None else rest.pop())
        for card in values["discard"]:
            h.discard[h.discard_n] = words.card_number(card)
            h.discard_n += 1
        for i in range(values["deck"] if thing is not None else 0):
            h.deck[i] = (words.card_number(values["deck_cards"][i]) if seat < 0 else rest.pop()) & 31
            h.deck_n += 1
        chain = values["chain"]
        if chain is not None and "take" in chain:
            h.take = words.card_number(chain["take"]) + 1
        elif chain is not None:
            h.chain_place = place[chain["place"]] if chain["place"] is not None else 0
            h.chain_six = chain["six"]
            for i, card in enumerate(chain["cards"]):
                h.chain[i] = words.card_number(card)
                h.chain_n += 1
        if values["under_attack"] is not None:
            h.chain_place = place[values["under_attack"]]
        for s, tracks in enumerate(values["tracks"] if seat < 0 else [values["tracked"]]):
            k = &h.track[s if seat < 0 else seat]
            for entry in tracks:
                k.card[k.n] = words.card_number(entry["card"])
                k.hold[k.n] = self._mask(entry["hands"]) | entry["thing"] << HOLD_THING
                k.slots[k.n] = sum(1 << i for i in entry["slots"])
                k.n += 1
        seed_rng(&state.rng, seed, (int(Stream.TABLE),))
        return state

    def _mask(self, seats) -> int:
        return sum(1 << seat for seat in seats)

    def check_invariants(self, State state):
        """What always holds (section 4.3). Raises AssertionError."""
        cdef Hyde* h = <Hyde*> state.data
        cdef uint64_t slots
        cdef int s
        if h.phase == DRAFT:
            return
        values = self.everything(state)
        cards = [card for pile in values["piles"].values() for card in (entry["card"] for entry in pile)]
        sixes = cards.count("SIX")
        cards = [card for card in cards if card != "SIX"] + [card for hand in values["hands"] for card in hand]
        if values["thing"]["filled"]:
            cards.append(values["thing"]["card"])
        kinds = sorted([words.card_number(card) & 31 for card in cards + values["discard"] + values["deck_cards"]])
        assert kinds == self.content.deck, "cards are not conserved"
        has_reserve = any(self.content.abilities["SUBST"][h.outcast[s]] for s in range(self.seats))
        assert h.sixes_left + sixes + h.sixes_removed == (self.t.sixes if has_reserve else 0), "sixes are not conserved"
        assert h.thing_filled or h.phase == THING or h.phase == YOKO, "Thing is empty"
        assert not h.thing_swapped or (h.thing_filled and h.phase == YOKO), "a swap of another turn"
        for key in values["attacked"]:
            assert not values["piles"][key] or key == values["under_attack"], "cards on an attacked place"
        if h.phase != OVER:
            tokens = len(values["bag"]) + len(values["shown"])
            assert tokens == 6 - h.attack_no, "tokens are not conserved"
        between_turns = h.phase == MOVE
        for s in range(self.seats):
            assert h.hand_n[s] <= (3 if between_turns else 4), "a hand is too large"
        assert not (h.bag & h.shown), "a token is in two places"
        if h.thing_filled:
            assert shuffle_of(h.thing_card) <= h.thing_shuffle, "Thing has a card of a later shuffle"       # E2
        slots = used_slots(h)
        while slots:
            s = lowest_bit(slots)
            slots &= slots - 1
            assert shuffle_of(h.slot_card[s]) <= h.slot_shuffle[s], "a slot has a card of a later shuffle"
            assert not h.slot_one[s] or self.t.number[kind_of(h.slot_card[s])] == 1, "not a 1"              # E3
        for s in range(self.seats):
            self._check_tracks(h, s)

    cdef int _check_tracks(self, const Hyde* h, int seat) except -1:
        """Invariant 6: the tracked cards really lie in different candidate containers of theirs."""
        cdef int e, i, s
        cdef const Tracks* k = &h.track[seat]
        candidates = []
        for e in range(k.n):
            found = [("slot", i) for i in range(62) if k.slots[e] >> i & 1 and used_slots(h) >> i & 1
                     and h.slot_card[i] == k.card[e]]
            found += [("hand", s, i) for s in range(self.seats) if k.hold[e] >> s & 1
                      for i in range(h.hand_n[s]) if h.hand[s][i] == k.card[e]]
            if k.hold[e] >> HOLD_THING & 1 and h.thing_filled and h.thing_card == k.card[e]:
                found.append(("thing",))
            candidates.append(found)
        owner = {}

        def place(e, tried):
            for where in candidates[e]:
                if where not in tried:
                    tried.add(where)
                    if where not in owner or place(owner[where], tried):
                        owner[where] = e
                        return True
            return False

        for e in range(k.n):
            assert place(e, set()), f"seat {seat} tracks a card that is not there"
        return 0

    # ---- Answers in words ----

    def action_label(self, State state, int seat, int action):
        cdef Hyde* h = <Hyde*> state.data
        cdef int p
        phase = h.phase
        title = self.names.place_titles
        if phase == DRAFT:
            return f"Play {self.names.outcast_titles[action]}"
        if phase == MOVE:
            return f"Stay at {title[action]}" if action == h.pawn[seat] else f"Move to {title[action]}"
        if phase == PLACE:
            return "Play no card" if action == PLAY_NOTHING else f"Play a card at {title[action]}"
        if action >= SWAP_FIRST:
            taken = words.kind_title(kind_of(h.thing_card))
            then = self.action_label(state, seat, PLAY_THING).replace("Play Thing's " + taken, "play that") if phase == PLAY \
                else "discard that" + (" to play the six" if phase == COST else "")
            return f"Swap {words.kind_title(action - SWAP_FIRST)} for Thing's {taken} and {then}"
        if phase in (PLAY, MORE):
            if action == STOP:
                return "Play no more cards"
            p = h.chain_place
            kind = action
            if action == PLAY_THING:
                kind = kind_of(h.thing_card) if h.thing_filled and h.thing_known >> seat & 1 else -1
            counts = f" (counts {self.t.eff[p][h.target_at[p]][<int> kind]})" if kind >= 0 else ""
            what = f"Thing's {words.kind_title(kind)}" if action == PLAY_THING else words.kind_title(kind)
            return f"{'Also play' if phase == MORE else 'Play'} {what} at {title[p]}{counts}"
        if phase == COST:
            return f"Discard {words.kind_title(action)} to play the six"
        if phase == YOKO:
            return f"Discard {words.kind_title(action)}"
        if phase == THING:
            if action == KEEP:
                return f"Leave {words.kind_title(kind_of(h.thing_card))} with Thing"
            if h.thing_filled:
                return f"Give Thing {words.kind_title(action)} and take {words.kind_title(kind_of(h.thing_card))}"
            return f"Give Thing {words.kind_title(action)}"
        if phase == SEND:
            return "Keep Thing here" if action == seat else f"Send Thing to {self.seat_name(h, action)}"
        if phase == SIGNAL:
            return words.signal_text(self.names, action)
        if phase == WED_TAKE:
            return "Swap no card" if action == PASS else f"Take the revealed {words.kind_title(action)}"
        if phase == WED_GIVE:
            return f"Give {words.kind_title(action)} for it"
        return ""

    cdef str seat_name(self, const Hyde* h, int seat):
        if h.outcast[seat] == NOBODY:
            return f"seat {seat}"
        return f"{self.names.outcast_titles[h.outcast[seat]]} (seat {seat})"

    def question_text(self, State state, int seat):
        cdef Hyde* h = <Hyde*> state.data
        cdef int i
        if h.phase == MORE and h.asked == seat:
            chosen = join([words.kind_title(h.chain[i]) for i in range(h.chain_n)])
            return f"You play {chosen}. Which other card of this number do you play with {'it' if h.chain_n == 1 else 'them'}?"
        return Game.question_text(self, state, seat)

    def action_args(self, State state, int seat, int action):
        cdef Hyde* h = <Hyde*> state.data
        phase = h.phase
        if phase == DRAFT:
            return {"outcast": self.names.outcasts[action]}
        if phase in (MOVE, PLACE) and not (phase == PLACE and action == PLAY_NOTHING):
            return {"place": self.names.places[action]}
        if phase == PLACE:
            return {"answer": "play_nothing"}
        if phase == SEND:
            return {"seat": action}
        if phase == SIGNAL:
            return words.signal_args(self.names, action)
        if phase in (PLAY, MORE) and action in (PLAY_THING, STOP):
            return {"answer": "thing" if action == PLAY_THING else "stop"}
        if action >= SWAP_FIRST:
            return {"answer": "swap", "card": words.kind_text(action - SWAP_FIRST)}
        if phase == THING and action == KEEP:
            return {"answer": "keep"}
        if phase == WED_TAKE and action == PASS:
            return {"answer": "pass"}
        return {"card": words.kind_text(action)}

    def event_text(self, event, int observer):
        return words.event_text(self.names, event, observer)

    def board_lines(self, observation, int observer):
        return words.board_lines(self.names, observation, observer)

    def glossary(self):
        return glossary.glossary(self.loaded.content, self.content, self.names)

    def legend(self):
        return [glossary_entry(key, glossary.TERMS[key]) for key in glossary.LEGEND]

    def new_view(self, int seat):
        return HydeView(self, seat)

    def feature_text(self, int feature, double theirs, double mine):
        return words.feature_text(self.names, feature, theirs, mine)

    def result_text(self, State state):
        return words.result_text(self.everything(state), state.returns()[0])


SPEC = register(GameSpec(
    id="hyde",
    title="Hyde",
    summary="Cooperative card game for 2-4 seats: outcasts guard five targets against the Hyde, with hidden hands.",
    rules_version=2,
    modes=(Mode(key="standard", title="Standard", seats=(2, 3, 4), doc="Five attacks; at most two targets may be lost."),),
    options=(
        Option(key="level", kind="choice", default="beginner", choices=("beginner", "expert", "nightmare"),
               doc="points needed at the attacks"),
        Option(key="outcasts", kind="ids", default="draft", choices=("draft", "random"),
               ids=("wednesday", "enid", "bianca", "ajax", "eugene", "yoko"),
               doc="drafted in turn order, dealt at random, or one per seat (R5)"),
        Option(key="start_seat", kind="choice", default="random", choices=("random", "0", "1", "2", "3"),
               doc="the seat that begins every cycle (R4)"),
        Option(key="signals", kind="flag", default=False, doc="structured talk after each turn (R44)"),
        Option(key="loss_limit", kind="int", default=3, minimum=3, maximum=4, doc="lost targets that end the game (R1)"),
        Option(key="strict_transform", kind="flag", default=False,
               doc="a transformed number is looked at by the place, too (R20)"),
    ),
    rules="Together you defend five targets on five places. In your turn you move to a place, play a card there face "
          "down and refill your hand to three. After each cycle a token is drawn; the last one of the round names the "
          "attacked place, whose cards are turned up and must count the points needed. A third lost target loses the "
          "game. Nobody may say what cards they hold.",
    prompts=words.PROMPTS,
    events=words.EVENTS,
    packs=("standard",),
    load_pack=pack.load,
    features=words.FEATURE_ROWS,
    unit=words.GRADE,
    cooperative=True,
    action_limit=71,
    max_decisions=600,
    search=SearchHints(prior_temperature=0.02, prior_visits=3, world_baseline=True, plausible_worlds=True,
                       rollout_quiets=2, evaluate_open=True),      # chosen by measurement: ai/search/TUNING.md
    calibration=tuple([     # benches/calibration.py; evaluate takes the rest of the game for lost that a search still turns
        Calibration(mode="standard", seats=seats, options={"level": level}, shift=shift, slope=slope)
        for level, seats, shift, slope in (
            ("beginner", 2, 0.98, 0.73), ("beginner", 3, 0.81, 0.78), ("beginner", 4, 0.79, 0.90),
            ("expert", 2, 0.71, 0.59), ("expert", 3, 0.76, 0.49), ("expert", 4, 0.71, 0.56),
            ("nightmare", 2, 0.57, 0.51), ("nightmare", 3, 0.56, 0.40), ("nightmare", 4, 0.42, 0.48))]),
    create=HydeGame,
))
