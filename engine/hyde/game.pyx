"""Hyde as a registered game: settings and pack to tables, states to plain values and back, answers in words."""
from seatmate.engine.core.contract cimport Rules
from seatmate.engine.core.game cimport Game, State, blank_state, rebuilt_state
from seatmate.engine.core.rng cimport seed_rng
from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.core.zones cimport hand_add, lowest_bit
from seatmate.engine.hyde.content.vocabulary cimport KINDS, NOBODY, OPEN, PLACES, SEATS, SIX, TARGETS
from seatmate.engine.hyde.advice cimport judgement
from seatmate.engine.hyde.content cimport vocabulary as V
from seatmate.engine.hyde.rules cimport attack, flow
from seatmate.engine.hyde.rules.model cimport (
    Book, Hyde, Tracks, kind_of, lay_ring, lost_targets, make_card, shuffle_of, used_slots,
)
from seatmate.engine.hyde.secrets cimport knowledge

from seatmate.engine.core.errors import SettingsError
from seatmate.engine.core.glossary import entry as glossary_entry
from seatmate.engine.core.registry import register, with_pack_hash
from seatmate.engine.core.rng import Stream
from seatmate.engine.core.spec import Calibration, GameSpec, Mode, Option, words as join
from seatmate.engine.core.view_checks import all_served
from seatmate.engine.hyde.content import pack
from seatmate.engine.hyde.words import glossary, scene, words
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


ANSWERS = {V.PLACE: {V.PLAY_NOTHING: ("play_nothing", "Play no card")}, V.PLAY: {V.PLAY_THING: ("thing", "")},
           V.MORE: {V.PLAY_THING: ("thing", ""), V.STOP: ("stop", "Play no more cards")},
           V.THING: {V.KEEP: ("keep", "")}, V.WED_TAKE: {V.PASS: ("pass", "Swap no card")}}
"""Answers that name no card or place: their word among the named values, and their label where it says all."""


cdef class HydeGame(Game):
    """One box of Hyde with its options; `names` holds the pack's keys and titles."""

    cdef Book* t
    cdef readonly object content        # pack.Content
    cdef readonly object loaded         # LoadedPack

    def __cinit__(self):
        self.rules = &RULES
        self.t = <Book*> self.new_tables(sizeof(Book))

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
        cdef Book* t = self.t
        cdef int p, g, k
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
        t.no_play = content.no_play
        t.must_leave = content.must_leave
        t.zero_mask = content.zero
        for p in range(PLACES):
            for g in range(TARGETS):
                t.eff[p][g] = content.value[p][g]
                t.chosen[p][g] = pack.chosen_card(content, p, g)
                t.one[p][g] = pack.unknown_one(content, p, g)
        t.need = [0, *content.needs[self.seats]]
        able = content.abilities
        t.reach = able["REACH"]
        t.multi_number = able["MULTI"]
        t.substitute = able["SUBST"]
        t.draw_to = able["DRAW_TO"]
        t.trim = able["TRIM"]
        t.bonus = able["BONUS"]
        t.swap_symbol = able["SWAP_SYM"]
        t.swap_number = able["SWAP_NUM"]
        t.appeal = content.appeal
        judgement.prepare(t)

    # ---- Positions as plain values ----

    def observation(self, State state, int seat):
        return self._values(state, seat)

    def everything(self, State state):
        """The position with all cards open (for tests and records of finished games); `position` reads it back."""
        values = self._values(state, -1)
        cdef Hyde* world = <Hyde*> state.data
        values["deck_cards"] = [words.card_text(make_card(world.deck[i], world.shuffles)) for i in range(world.deck_n)]
        values["prompt"] = words.PROMPTS[world.phase].key if world.phase != V.OVER else None
        values["asked"] = world.asked
        values["tracks"] = [self._tracks(&world.track[s]) for s in range(self.seats)]
        return values

    cdef list _tracks(self, const Tracks* k):
        cdef int e, i
        return [{"card": words.card_text(k.card[e]), "hands": [i for i in range(SEATS) if k.hold[e] >> i & 1],
                 "thing": bool(k.hold[e] >> V.HOLD_THING & 1), "slots": [i for i in range(62) if k.slots[e] >> i & 1]}
                for e in range(k.n)]

    cdef dict _values(self, State state, int seat):
        """The position as the seat sees it; -1 sees everything, SPECTATORS only what is open."""
        cdef Hyde* world = <Hyde*> state.data
        cdef int i, p, s
        n = self.seats
        names = self.names
        places = names.places
        dealt = world.phase != V.DRAFT
        piles = {}
        for p in range(1, PLACES):
            piles[places[p]] = [
                {"slot": i, "by": world.slot_by[i], "source": words.SOURCES[world.slot_source[i]], "turn": world.slot_turn[i],
                 "shuffle": world.slot_shuffle[i], "known_by": [s for s in range(n) if world.slot_known[i] >> s & 1],
                 "open": world.slot_known[i] == OPEN, "one": bool(world.slot_one[i]),
                 "card": words.card_text(world.slot_card[i]) if self.sees(world.slot_known[i], seat) else None}
                for i in range(62) if world.pile[p] >> i & 1]
        chain = None
        if seat in (-1, world.asked):
            if world.phase in (V.PLACE, V.PLAY, V.MORE, V.COST):
                chain = {"place": places[world.chain_place] if world.chain_place else None,
                         "cards": [words.kind_text(world.chain[i]) for i in range(world.chain_n)], "six": bool(world.chain_six)}
            elif world.phase == V.WED_GIVE:
                chain = {"take": words.kind_text(world.take - 1)}
        swapping = world.phase in (V.WED_TAKE, V.WED_GIVE)
        lost = lost_targets(world) - swapping
        return {
            "level": self.settings.options["level"],
            "attack": world.attack_no,
            "needs": [self.t.need[i] for i in range(1, 6)],
            "ring": [places[world.ring[i]] for i in range(5)],
            "targets": {places[p]: names.targets[world.target_at[p]] for p in range(1, PLACES)},
            "start_seat": world.start_seat,
            "turn_index": world.turn_index,
            "cycles": world.cycles,
            "outcasts": [names.outcasts[world.outcast[i]] if world.outcast[i] != NOBODY else None for i in range(n)],
            "pawns": [places[world.pawn[i]] for i in range(n)],
            "bag": [places[p] for p in range(1, PLACES) if world.bag >> p & 1],
            "shown": [places[p] for p in range(1, PLACES) if world.shown >> p & 1],
            "attacked": [places[p] for p in range(1, PLACES) if world.attacked >> p & 1],
            "saved": [places[p] for p in range(1, PLACES) if world.saved >> p & 1],
            "under_attack": places[world.chain_place] if swapping else None,
            "hand_counts": [world.hand_n[i] for i in range(n)],
            "hands": [[words.card_text(world.hand[s][i]) for i in range(world.hand_n[s])] if dealt and seat in (-1, s) else None
                      for s in range(n)],
            "thing": {"seat": world.thing_seat, "filled": bool(world.thing_filled),
                      "card": words.card_text(world.thing_card)
                      if world.thing_filled and self.sees(world.thing_known, seat) else None,
                      "known_by": [s for s in range(n) if world.thing_known >> s & 1], "shuffle": world.thing_shuffle,
                      "swapped": bool(world.thing_swapped)} if dealt else None,
            "piles": piles,
            "discard": [words.kind_text(world.discard[i]) for i in range(world.discard_n)],
            "deck": world.deck_n,
            "unplaced": [words.card_text(card) for card in self._hidden(world, seat)],
            "shuffles": world.shuffles,
            "sixes_left": world.sixes_left,
            "sixes_removed": world.sixes_removed,
            "signals": [world.signal[i] for i in range(n)],
            "chain": chain,
            "tracked": self._tracks(&world.track[seat]) if 0 <= seat < n else [],
            "last_score": world.score,
            "lost": lost,
            "result": words.GRADES[-1 if lost >= self.t.loss_limit else 3 - lost] if world.phase == V.OVER else None,
        }

    cdef list _hidden(self, const Hyde* world, int seat):
        """The cards the observer can't place, sorted; -1 places all."""
        cdef int i, s
        cdef uint64_t slots = used_slots(world)
        if seat < 0:
            return []
        cards = [world.slot_card[i] for i in range(62) if slots >> i & 1 and not self.sees(world.slot_known[i], seat)]
        if world.thing_filled and not self.sees(world.thing_known, seat):
            cards.append(world.thing_card)
        cards += [world.hand[s][i] for s in range(self.seats) if s != seat for i in range(world.hand_n[s])]
        cards += [make_card(world.deck[i], world.shuffles) for i in range(world.deck_n)]
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
        cdef Hyde* world = <Hyde*> state.data
        cdef int i, s, p, slot
        cdef Tracks* k
        names = self.names
        place = {key: index for index, key in enumerate(names.places)}
        for i, key in enumerate(values["ring"]):
            world.ring[i] = place[key]
        lay_ring(world)
        for key, target in values["targets"].items():
            world.target_at[<int> place[key]] = names.targets.index(target)
        world.start_seat = values["start_seat"]
        world.turn_index = values["turn_index"]
        world.cycles = values["cycles"]
        for i in range(SEATS):
            world.outcast[i] = NOBODY
        for i in range(self.seats):
            if values["outcasts"][i] is not None:
                world.outcast[i] = names.outcasts.index(values["outcasts"][i])
            world.pawn[i] = place[values["pawns"][i]]
            world.signal[i] = values["signals"][i]
        world.attack_no = values["attack"]
        world.bag = sum(1 << place[key] for key in values["bag"])
        world.shown = sum(1 << place[key] for key in values["shown"])
        world.attacked = sum(1 << place[key] for key in values["attacked"])
        world.saved = sum(1 << place[key] for key in values["saved"])
        world.shuffles = values["shuffles"]
        world.sixes_left = values["sixes_left"]
        world.sixes_removed = values["sixes_removed"]
        world.score = values["last_score"]
        if seat < 0:
            world.asked = values["asked"]
            world.phase = words.PROMPT_NUMBER[values["prompt"]] if values["prompt"] else V.OVER
        elif values["asked"]:
            world.asked = values["asked"][0]
            world.phase = words.PROMPT_NUMBER[values["prompt"] or values["question"]]
        else:
            world.phase = V.OVER
        rest = sorted([words.card_number(card) for card in values["unplaced"]], reverse=True)
        for key, pile in values["piles"].items():
            p = place[key]
            for entry in pile:
                slot = entry["slot"]
                world.pile[p] |= <uint64_t> 1 << slot
                world.slot_shuffle[slot] = entry["shuffle"]
                world.slot_by[slot] = entry["by"]
                world.slot_source[slot] = words.SOURCES.index(entry["source"])
                world.slot_known[slot] = OPEN if entry["open"] else self._mask(entry["known_by"])
                world.slot_one[slot] = entry["one"]
                world.slot_turn[slot] = entry["turn"]
                world.slot_card[slot] = words.card_number(entry["card"]) if entry["card"] is not None else rest.pop()
        thing = values["thing"]
        if thing is not None:
            world.thing_seat = thing["seat"]
            world.thing_filled = thing["filled"]
            world.thing_known = self._mask(thing["known_by"])
            world.thing_shuffle = thing["shuffle"]
            world.thing_swapped = thing["swapped"]
            if thing["filled"]:
                world.thing_card = words.card_number(thing["card"]) if thing["card"] is not None else rest.pop()
        for s in range(self.seats):
            cards = values["hands"][s]
            for i in range(values["hand_counts"][s]):
                hand_add(world.hand[s], &world.hand_n[s], words.card_number(cards[i]) if cards is not None else rest.pop())
        for card in values["discard"]:
            world.discard[world.discard_n] = words.card_number(card)
            world.discard_n += 1
        for i in range(values["deck"] if thing is not None else 0):
            world.deck[i] = (words.card_number(values["deck_cards"][i]) if seat < 0 else rest.pop()) & 31
            world.deck_n += 1
        chain = values["chain"]
        if chain is not None and "take" in chain:
            world.take = words.card_number(chain["take"]) + 1
        elif chain is not None:
            world.chain_place = place[chain["place"]] if chain["place"] is not None else 0
            world.chain_six = chain["six"]
            for i, card in enumerate(chain["cards"]):
                world.chain[i] = words.card_number(card)
                world.chain_n += 1
        if values["under_attack"] is not None:
            world.chain_place = place[values["under_attack"]]
        for s, tracks in enumerate(values["tracks"] if seat < 0 else [values["tracked"]]):
            k = &world.track[s if seat < 0 else seat]
            for entry in tracks:
                k.card[k.n] = words.card_number(entry["card"])
                k.hold[k.n] = self._mask(entry["hands"]) | entry["thing"] << V.HOLD_THING
                k.slots[k.n] = sum(1 << i for i in entry["slots"])
                k.n += 1
        seed_rng(&state.rng, seed, (int(Stream.TABLE),))
        return state

    def _mask(self, seats) -> int:
        return sum(1 << seat for seat in seats)

    def check_invariants(self, State state):
        """What always holds (section 4.3). Raises AssertionError."""
        cdef Hyde* world = <Hyde*> state.data
        cdef uint64_t slots
        cdef int s
        if world.phase == V.DRAFT:
            return
        values = self.everything(state)
        cards = [card for pile in values["piles"].values() for card in (entry["card"] for entry in pile)]
        sixes = cards.count("SIX")
        cards = [card for card in cards if card != "SIX"] + [card for hand in values["hands"] for card in hand]
        if values["thing"]["filled"]:
            cards.append(values["thing"]["card"])
        kinds = sorted([words.card_number(card) & 31 for card in cards + values["discard"] + values["deck_cards"]])
        assert kinds == self.content.deck, "cards are not conserved"
        has_reserve = any(self.content.abilities["SUBST"][world.outcast[s]] for s in range(self.seats))
        assert world.sixes_left + sixes + world.sixes_removed == (self.t.sixes if has_reserve else 0), "sixes are not conserved"
        assert world.thing_filled or world.phase == V.THING or world.phase == V.YOKO, "Thing is empty"
        assert not world.thing_swapped or (world.thing_filled and world.phase == V.YOKO), "a swap of another turn"
        for key in values["attacked"]:
            assert not values["piles"][key] or key == values["under_attack"], "cards on an attacked place"
        if world.phase != V.OVER:
            tokens = len(values["bag"]) + len(values["shown"])
            assert tokens == 6 - world.attack_no, "tokens are not conserved"
        between_turns = world.phase == V.MOVE
        for s in range(self.seats):
            assert world.hand_n[s] <= (3 if between_turns else 4), "a hand is too large"
        assert not (world.bag & world.shown), "a token is in two places"
        if world.thing_filled:
            assert shuffle_of(world.thing_card) <= world.thing_shuffle, "Thing has a card of a later shuffle"       # E2
        slots = used_slots(world)
        while slots:
            s = lowest_bit(slots)
            slots &= slots - 1
            assert shuffle_of(world.slot_card[s]) <= world.slot_shuffle[s], "a slot has a card of a later shuffle"
            assert not world.slot_one[s] or self.t.number[kind_of(world.slot_card[s])] == 1, "not a 1"              # E3
        for s in range(self.seats):
            self._check_tracks(world, s)

    cdef int _check_tracks(self, const Hyde* world, int seat) except -1:
        """Invariant 6: the tracked cards really lie in different candidate containers of theirs."""
        cdef int e, i, s
        cdef const Tracks* k = &world.track[seat]
        candidates = []
        for e in range(k.n):
            found = [("slot", i) for i in range(62) if k.slots[e] >> i & 1 and used_slots(world) >> i & 1
                     and world.slot_card[i] == k.card[e]]
            found += [("hand", s, i) for s in range(self.seats) if k.hold[e] >> s & 1
                      for i in range(world.hand_n[s]) if world.hand[s][i] == k.card[e]]
            if k.hold[e] >> V.HOLD_THING & 1 and world.thing_filled and world.thing_card == k.card[e]:
                found.append(("thing",))
            candidates.append(found)
        assert all_served(candidates), f"seat {seat} tracks a card that is not there"
        return 0

    # ---- Answers in words ----

    def action_label(self, State state, int seat, int action):
        cdef Hyde* world = <Hyde*> state.data
        cdef int p
        phase = world.phase
        title = self.names.place_titles
        said = ANSWERS.get(phase, {}).get(action, ("", ""))[1]
        if said:
            return said
        if phase == V.DRAFT:
            return f"Play {self.names.outcast_titles[action]}"
        if phase == V.MOVE:
            return f"Stay at {title[action]}" if action == world.pawn[seat] else f"Move to {title[action]}"
        if phase == V.PLACE:
            return f"Play a card at {title[action]}"
        if action >= V.SWAP_FIRST:
            taken = words.kind_title(kind_of(world.thing_card))
            then = self.action_label(state, seat, V.PLAY_THING).replace("Play Thing's " + taken, "play that") if phase == V.PLAY \
                else "discard that" + (" to play the six" if phase == V.COST else "")
            return f"Swap {words.kind_title(action - V.SWAP_FIRST)} for Thing's {taken} and {then}"
        if phase in (V.PLAY, V.MORE):
            p = world.chain_place
            kind = action
            if action == V.PLAY_THING:
                kind = kind_of(world.thing_card) if world.thing_filled and world.thing_known >> seat & 1 else -1
            counts = f" (counts {self.t.eff[p][world.target_at[p]][<int> kind]})" if kind >= 0 else ""
            what = f"Thing's {words.kind_title(kind)}" if action == V.PLAY_THING else words.kind_title(kind)
            return f"{'Also play' if phase == V.MORE else 'Play'} {what} at {title[p]}{counts}"
        if phase == V.COST:
            return f"Discard {words.kind_title(action)} to play the six"
        if phase == V.YOKO:
            return f"Discard {words.kind_title(action)}"
        if phase == V.THING:
            if action == V.KEEP:
                return f"Leave {words.kind_title(kind_of(world.thing_card))} with Thing"
            if world.thing_filled:
                return f"Give Thing {words.kind_title(action)} and take {words.kind_title(kind_of(world.thing_card))}"
            return f"Give Thing {words.kind_title(action)}"
        if phase == V.SEND:
            return "Keep Thing here" if action == seat else f"Send Thing to {self.seat_name(world, action)}"
        if phase == V.SIGNAL:
            return words.signal_text(self.names, action)
        if phase == V.WED_TAKE:
            return f"Take the revealed {words.kind_title(action)}"
        if phase == V.WED_GIVE:
            return f"Give {words.kind_title(action)} for it"
        return ""

    cdef str seat_name(self, const Hyde* world, int seat):
        if world.outcast[seat] == NOBODY:
            return f"seat {seat}"
        return f"{self.names.outcast_titles[world.outcast[seat]]} (seat {seat})"

    def question_text(self, State state, int seat):
        cdef Hyde* world = <Hyde*> state.data
        cdef int i
        if world.phase == V.MORE and world.asked == seat:
            chosen = join([words.kind_title(world.chain[i]) for i in range(world.chain_n)])
            return f"You play {chosen}. Which other card of this number do you play with {'it' if world.chain_n == 1 else 'them'}?"
        if world.phase == V.SEND and world.thing_filled:
            known = world.thing_known >> seat & 1
            return f"Where does Thing go with {words.kind_title(kind_of(world.thing_card)) if known else 'its card'}?"
        if world.phase == V.WED_GIVE:
            return f"Which card do you give for {words.kind_title(world.take - 1)}?"
        return Game.question_text(self, state, seat)

    def action_args(self, State state, int seat, int action):
        cdef Hyde* world = <Hyde*> state.data
        phase = world.phase
        if action in ANSWERS.get(phase, ()):
            return {"answer": ANSWERS[phase][action][0]}
        if phase == V.DRAFT:
            return {"outcast": self.names.outcasts[action]}
        if phase in (V.MOVE, V.PLACE):
            return {"place": self.names.places[action]}
        if phase == V.SEND:
            return {"seat": action}
        if phase == V.SIGNAL:
            return words.signal_args(self.names, action)
        if action >= V.SWAP_FIRST:
            return {"answer": "swap", "card": words.kind_text(action - V.SWAP_FIRST)}
        return {"card": words.kind_text(action)}

    def event_text(self, event, int observer):
        return words.EVENTS.text(self.names, event, observer)

    def event_meanings(self):
        return words.meanings(self.names)

    def faces(self):
        return scene.faces(self.names)

    def scene(self, observation, int observer):
        return scene.scene(self.names, observation, observer)

    def touch(self, State state, int seat, int action, observation):
        return scene.touch(observation, seat, state.prompt(seat), self.action_args(state, seat, action),
                           len(state.legal_actions(seat)) > 1)

    def touched(self, State state, event, int observer):
        return scene.touched(self.names, event, words.EVENTS.named(event))

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
    modes=(Mode(key="standard", title="Standard", seats=(2, 3, 4), cooperative=True,
                doc="Five attacks; at most two targets may be lost."),),
    options=(
        Option(key="level", title="Level", kind="choice", default="beginner", choices=("beginner", "expert", "nightmare"),
               doc="points needed at the attacks"),
        Option(key="outcasts", title="Outcasts", kind="ids", default="draft", choices=("draft", "random"),
               ids=("wednesday", "enid", "bianca", "ajax", "eugene", "yoko"),
               doc="drafted in turn order, dealt at random, or one per seat (R5)",
               titles={"draft": "Drafted in turn", "random": "Dealt by chance"}),
        Option(key="start_seat", title="Who begins every cycle", kind="choice", default="random",
               choices=("random", "0", "1", "2", "3"), doc="the seat that begins every cycle (R4)",
               titles={"random": "By chance", **{str(seat): f"Seat {seat}" for seat in range(4)}}),
        Option(key="signals", title="Talk by signals", kind="flag", default=False,
               doc="structured talk after each turn (R44)"),
        Option(key="loss_limit", title="Lost targets that end the game", kind="int", default=3, minimum=3, maximum=4,
               doc="lost targets that end the game (R1)"),
        Option(key="strict_transform", title="Places look at transformed numbers", kind="flag", default=False,
               doc="a transformed number is looked at by the place, too (R20)"),
    ),
    rules="Together you defend five targets on five places. In your turn you move to a place, play a card there face "
          "down and refill your hand to three. After each cycle a token is drawn; the last one of the round names the "
          "attacked place, whose cards are turned up and must count the points needed. A third lost target loses the "
          "game. Nobody may say what cards they hold.",
    prompts=words.PROMPTS,
    events=words.EVENTS.types,
    packs=("standard",),
    load_pack=pack.load,
    features=words.FEATURES,
    unit=words.GRADE,
    action_limit=71,
    max_decisions=600,
    search={"prior_temperature": 0.02, "prior_visits": 3, "world_baseline": True, "plausible_worlds": True,
            "rollout_quiets": 2, "evaluate_open": True},      # chosen by measurement: ai/search/TUNING.md
    calibration=tuple([     # benches/calibration.py; evaluate takes the rest of the game for lost that a search still turns
        Calibration(mode="standard", seats=seats, options={"level": level}, shift=shift, slope=slope)
        for level, seats, shift, slope in (
            ("beginner", 2, 0.98, 0.73), ("beginner", 3, 0.81, 0.78), ("beginner", 4, 0.79, 0.90),
            ("expert", 2, 0.81, 0.49), ("expert", 3, 0.76, 0.49), ("expert", 4, 0.71, 0.56),
            ("nightmare", 2, 0.57, 0.51), ("nightmare", 3, 0.43, 0.43), ("nightmare", 4, 0.42, 0.48))]),
    create=HydeGame,
))
