"""Small Hanabi (Bauza 2010; Bard et al. 2020): two to five seats, cooperative; everybody sees all hands but their own.

In turn a seat plays a card, discards one, or spends an information token to tell another seat all its cards of one colour or
rank. A played card must be the next rank of its colour's firework, else it costs a life. A discard, and a completed
firework, bring a token back; with all tokens there nobody may discard. Hints have to name at least one card. When the
deck is empty every seat has one more turn; once the last life is lost or all fireworks are finished nobody draws. The score is the
number of cards in the fireworks, 0 without lives; utility: score / best possible score.

The default is "Hanabi-Small" of the Hanabi Learning Environment: 2 colours, 5 ranks, hands of 2, 3 information tokens, 1 life.
"Very-Small" has 1 colour; the full game (mode "full") 5 colours, hands of 5 (4 with four seats or more), 8 information tokens,
3 lives. Of every colour there are three 1s, one card of the highest rank, and two of the others.

Actions, for hands of h cards, c colours and r ranks: discard 0..h-1; play h..2h-1; then c actions per other seat, the next first:
tell a colour; then r per other seat: tell a rank.
"""
from libc.string cimport memset

from seatmate.engine.core.contract cimport CoreEvent, Rules, ask_nobody, ask_one
from seatmate.engine.core.game cimport Game, State, rebuilt_state
from seatmate.engine.core.rng cimport Rng, rng_below, rng_from_word, seed_rng
from seatmate.engine.core.sink cimport PUBLIC, Sink, emit, emit1, emit2, emit3, emit4, mix
from seatmate.engine.core.types cimport SPECTATOR, action_t, int8_t, int32_t, uint8_t, uint32_t, uint64_t
from seatmate.engine.core.zones cimport MAX_POOL, deal_allowed, deal_uniform

from seatmate.engine.classics.hanabi_view import (
    FULL_GAME, GLOSSARY, LETTERS, MEANINGS, HanabiView, card_kind, card_lines, card_name, copies, event_text, faces, full_game,
    hint_text, scene, touched,
)
from seatmate.engine.core.errors import SettingsError
from seatmate.engine.core.registry import register
from seatmate.engine.core.rng import Stream
from seatmate.engine.core.scene import Touch
from seatmate.engine.core.spec import (
    CORE_KEYS, Calibration, EventType, Feature, GameSpec, Mode, Option, Prompt, Unit, apart, choice_question, instead,
)

if (COLOURS, RANKS) != (FULL_GAME["colours"], FULL_GAME["ranks"]):
    raise ImportError("hanabi.pxd has no room for the full game")

cdef enum EventKind:
    DEALT = CoreEvent.FIRST_GAME_EVENT  # (seat, kind) to the other seats
    DREW                                # (seat) to the seat itself and the spectators
    PLAYED                              # (seat, place, kind, success) to all
    DISCARDED                           # (seat, place, kind) to all
    TOLD                                # (seat, to whom, 0 colour or 1 rank, which, mask of the places) to all

cdef double POSSIBLE = 0.5          # what a point that stays possible, a life, a token and a known playable card count for
cdef double LIFE = 0.8
cdef double HINT = 0.15
cdef double READY = 0.6

# ---- Moves ----

cdef void draw(const Table* t, Hanabi* state, int seat, Rng* rng, Sink* sink) noexcept nogil:
    """A random card of the deck, if there is one, becomes the seat's newest."""
    cdef int kind = 0
    cdef int left, place
    if state.deck_size == 0:
        return
    left = <int> rng_below(rng, state.deck_size)
    while left >= state.deck[kind]:
        left -= state.deck[kind]
        kind += 1
    state.deck[kind] -= 1
    state.deck_size -= 1
    place = state.held[seat]
    state.hand[seat][place] = <uint8_t> kind
    state.colours[seat][place] = <uint8_t> ((1 << t.colours) - 1)
    state.ranks[seat][place] = <uint8_t> ((1 << t.ranks) - 1)
    state.held[seat] += 1
    if sink != NULL:
        emit2(sink, DEALT, ((1 << t.seats) - 1) & ~(1 << seat), seat, kind)
        emit1(sink, DREW, 1 << seat | 1 << SPECTATOR, seat)


cdef int take_out(Hanabi* state, int seat, int place) noexcept nogil:
    """Remove a card from a hand; returns its kind."""
    cdef int kind = state.hand[seat][place]
    cdef int i
    state.held[seat] -= 1
    for i in range(place, state.held[seat]):
        state.hand[seat][i] = state.hand[seat][i + 1]
        state.colours[seat][i] = state.colours[seat][i + 1]
        state.ranks[seat][i] = state.ranks[seat][i + 1]
    i = state.held[seat]
    state.hand[seat][i] = NO_CARD
    state.colours[seat][i] = 0
    state.ranks[seat][i] = 0
    return kind


# ---- The contract ----

cdef void init(const void* tables, void* data, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Table* t = <const Table*> tables
    cdef Hanabi* state = <Hanabi*> data
    cdef int i, seat, _i
    memset(state, 0, sizeof(Hanabi))
    memset(state.hand, NO_CARD, sizeof(state.hand))
    for i in range(KINDS):
        state.deck[i] = t.copies[i]
        state.deck_size += t.copies[i]
    state.information = <uint8_t> t.information
    state.lives = <uint8_t> t.lives
    state.turns_left = <uint8_t> t.seats
    for seat in range(t.seats):
        for _i in range(t.hand):
            draw(t, state, seat, rng, sink)
    ask_one(sink, 0, 0, 0)


cdef uint32_t pending(const void* tables, const void* data) noexcept nogil:
    cdef const Hanabi* state = <const Hanabi*> data
    return 0 if over(<const Table*> tables, state) else 1 << state.turn


cdef int prompt(const void* tables, const void* data, int seat) noexcept nogil:
    return 0 if pending(tables, data) >> seat & 1 else -1


cdef int legal_actions(const void* tables, const void* data, int seat, action_t* out) noexcept nogil:
    cdef const Table* t = <const Table*> tables
    cdef const Hanabi* state = <const Hanabi*> data
    cdef uint32_t colours[SEATS]
    cdef uint32_t ranks[SEATS]
    cdef int i, other, value, action
    cdef int n = 0
    if not pending(tables, data) >> seat & 1:
        return 0
    if state.information < t.information:
        for i in range(state.held[seat]):
            out[n] = i
            n += 1
    for i in range(state.held[seat]):
        out[n] = t.hand + i
        n += 1
    if state.information == 0:
        return n
    for other in range(t.seats - 1):
        colours[other] = 0
        ranks[other] = 0
        i = (seat + 1 + other) % t.seats
        for value in range(state.held[i]):
            colours[other] |= <uint32_t> 1 << state.hand[i][value] // RANKS
            ranks[other] |= <uint32_t> 1 << state.hand[i][value] % RANKS
    action = 2 * t.hand
    for other in range(t.seats - 1):
        for value in range(t.colours):
            out[n] = action
            n += colours[other] >> value & 1
            action += 1
    for other in range(t.seats - 1):
        for value in range(t.ranks):
            out[n] = action
            n += ranks[other] >> value & 1
            action += 1
    return n


cdef void tell(Hanabi* state, int seat, Hint hint, Sink* sink) noexcept nogil:
    """The named cards are of this colour or rank, the others are not."""
    cdef int mask = told_places(state, hint)
    cdef int32_t args[5]
    cdef int i, keep
    state.information -= 1
    for i in range(state.held[hint.target]):
        keep = 1 << hint.value if mask >> i & 1 else ~(1 << hint.value)
        if hint.of_rank:
            state.ranks[hint.target][i] &= <uint8_t> keep
        else:
            state.colours[hint.target][i] &= <uint8_t> keep
    args[0] = seat
    args[1] = hint.target
    args[2] = hint.of_rank
    args[3] = hint.value
    args[4] = mask
    emit(sink, TOLD, PUBLIC, 5, args)


cdef void advance(const void* tables, void* data, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Table* t = <const Table*> tables
    cdef Hanabi* state = <Hanabi*> data
    cdef bint success
    cdef int kind
    state.turns_left -= state.deck_size == 0
    state.turn = <uint8_t> ((seat + 1) % t.seats)
    if action >= 2 * t.hand:
        tell(state, seat, read_hint(t, seat, action), sink)
    elif action >= t.hand:
        kind = take_out(state, seat, action - t.hand)
        success = playable(state, kind)
        if success:
            state.fireworks[kind // RANKS] += 1
            if kind % RANKS == t.ranks - 1 and state.information < t.information:
                state.information += 1
        else:
            state.lives -= 1
            state.discards[kind] += 1
        emit4(sink, PLAYED, PUBLIC, seat, action - t.hand, kind, success)
        if not over(t, state):
            draw(t, state, seat, rng, sink)
    else:
        kind = take_out(state, seat, action)
        state.discards[kind] += 1
        state.information += 1
        emit3(sink, DISCARDED, PUBLIC, seat, action, kind)
        draw(t, state, seat, rng, sink)
    if sink != NULL:
        if over(t, state):
            ask_nobody(sink)
        else:
            ask_one(sink, state.turn, 0, 0)


cdef void returns(const void* tables, const void* data, double* out) noexcept nogil:
    cdef const Table* t = <const Table*> tables
    cdef int seat
    for seat in range(t.seats):
        out[seat] = <double> score(t, <const Hanabi*> data) / t.best


cdef int attainable(const Table* t, const Hanabi* state) noexcept nogil:
    """The best score that the discards leave possible."""
    cdef int c, r
    cdef int total = 0
    for c in range(t.colours):
        r = state.fireworks[c]
        while r < t.ranks and state.discards[RANKS * c + r] < t.copies[RANKS * c + r]:
            r += 1
        total += r
    return total


cdef void evaluate(const void* tables, const void* data, int seat, double* out) noexcept nogil:
    """The score, and a part of what can still be had: about one card in two turns."""
    cdef const Table* t = <const Table*> tables
    cdef const Hanabi* state = <const Hanabi*> data
    cdef double now, more
    cdef int i
    returns(tables, data, out)
    if not over(t, state):
        now = score(t, state)
        more = min(attainable(t, state) - now, 0.5 * (state.deck_size + state.turns_left))
        for i in range(t.seats):
            out[i] = (now + 0.6 * more) / t.best


cdef double share_playable(const Hanabi* state, const uint8_t* counts, int colours, int ranks) noexcept nogil:
    """How likely a card of one of these colours and ranks, drawn from `counts`, can be played now."""
    cdef int c, r, n
    cdef double good = 0
    cdef double all = 0
    for c in range(COLOURS):
        if colours >> c & 1:
            for r in range(RANKS):
                if ranks >> r & 1:
                    n = counts[RANKS * c + r]
                    all += n
                    if state.fireworks[c] == r:
                        good += n
    return good / all if all else 0.0


cdef double score_discard(const Table* t, const Hanabi* state, const uint8_t* counts, int colours, int ranks) noexcept nogil:
    """In points: a useless card is a good one to discard, the last copy of a useful one is not."""
    cdef int c, r, kind
    cdef double value = 0
    cdef double all = 0
    for c in range(t.colours):
        if colours >> c & 1:
            for r in range(t.ranks):
                if ranks >> r & 1:
                    kind = RANKS * c + r
                    all += counts[kind]
                    if r < state.fireworks[c]:
                        value += 0.2 * counts[kind]
                    elif state.discards[kind] + 1 == t.copies[kind]:
                        value -= 0.9 * counts[kind]
                    else:
                        value -= 0.1 * counts[kind]
    return (value / all if all else 0.0) + 0.2 * (t.information - state.information) / t.information


cdef double score_hint(const Table* t, const Hanabi* state, const uint8_t* counts, Hint hint) noexcept nogil:
    """In points: how much better its owner can tell which cards to play; cubed, since only near certainty makes one play."""
    cdef int mask = told_places(state, hint)
    cdef int i, keep, colours, ranks
    cdef double before, after
    cdef double value = -0.05
    for i in range(state.held[hint.target]):
        colours = state.colours[hint.target][i]
        ranks = state.ranks[hint.target][i]
        before = share_playable(state, counts, colours, ranks)
        keep = 1 << hint.value if mask >> i & 1 else ~(1 << hint.value)
        if hint.of_rank:
            ranks &= keep
        else:
            colours &= keep
        after = share_playable(state, counts, colours, ranks)
        value += 0.7 * (after**3 - before**3 if playable(state, state.hand[hint.target][i]) else before**3 - after**3)
    return value


cdef void score_actions(const void* tables, const void* data, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil:
    cdef const Table* t = <const Table*> tables
    cdef const Hanabi* state = <const Hanabi*> data
    cdef uint8_t unseen[KINDS]      # by the seat: the deck and its own hand
    cdef uint8_t secret[KINDS]      # from somebody: the deck and all hands
    cdef int i, kind, place
    cdef double p, loss
    for kind in range(KINDS):
        unseen[kind] = state.deck[kind]
        secret[kind] = <uint8_t> (t.copies[kind] - state.discards[kind] - (state.fireworks[kind // RANKS] > kind % RANKS))
    for place in range(state.held[seat]):
        unseen[state.hand[seat][place]] += 1
    loss = 0.6 if state.lives > 1 else 1.5 + score(t, state)
    for i in range(n):
        if actions[i] >= 2 * t.hand:
            out[i] = score_hint(t, state, secret, read_hint(t, seat, actions[i]))
        else:
            place = actions[i] % t.hand
            if actions[i] >= t.hand:
                p = share_playable(state, unseen, state.colours[seat][place], state.ranks[seat][place])
                out[i] = p - (1 - p) * loss
            else:
                out[i] = score_discard(t, state, unseen, state.colours[seat][place], state.ranks[seat][place])
        out[i] /= t.best


cdef double ready(const Table* t, const Hanabi* state) noexcept nogil:
    """Cards in all hands that can be played, each as far as its holder can tell (cubed: only near certainty makes one play)."""
    cdef uint8_t secret[KINDS]      # from somebody: the deck and all hands
    cdef int kind, seat, place
    cdef double found = 0
    for kind in range(KINDS):
        secret[kind] = <uint8_t> (t.copies[kind] - state.discards[kind] - (state.fireworks[kind // RANKS] > kind % RANKS))
    for seat in range(t.seats):
        for place in range(state.held[seat]):
            if playable(state, state.hand[seat][place]):
                found += share_playable(state, secret, state.colours[seat][place], state.ranks[seat][place]) ** 3
    return found


cdef int features(const void* tables, const void* data, int seat, double* out) noexcept nogil:
    """In points: the score, what the discards leave possible, lives, tokens for hints, cards that wait to be played."""
    cdef const Table* t = <const Table*> tables
    cdef const Hanabi* state = <const Hanabi*> data
    out[0] = score(t, state)
    out[1] = POSSIBLE * attainable(t, state) if state.lives else 0
    out[2] = LIFE * state.lives
    out[3] = HINT * state.information
    out[4] = READY * ready(t, state)
    return 5


cdef int own_cards(Hanabi* state, int seat, uint8_t* pool, uint64_t* allowed) noexcept nogil:
    """Put the seat's hand back into the deck and lay out the deck: the kinds that any place of the hand may hold.

    pool[i] are the cards, ascending; allowed[place] the mask of those that fit the hints. Returns the number of cards.
    """
    cdef int size = 0
    cdef int kind, place, _copy
    for place in range(state.held[seat]):
        state.deck[state.hand[seat][place]] += 1
        allowed[place] = 0
    for kind in range(KINDS):
        for _copy in range(state.deck[kind]):
            for place in range(state.held[seat]):
                if fits(state, seat, place, kind):
                    allowed[place] |= <uint64_t> 1 << size
            pool[size] = <uint8_t> kind
            size += 1
    return size


cdef void resample(const void* tables, void* data, int seat, Rng* rng) noexcept nogil:
    """The seat's own hand is any of the cards it does not see, as far as the hints allow."""
    cdef Hanabi* state = <Hanabi*> data
    cdef uint8_t pool[MAX_POOL]
    cdef uint64_t allowed[HAND]
    cdef int8_t dealt[HAND]
    cdef int size = own_cards(state, seat, pool, allowed)
    cdef int place
    cdef bint found = deal_uniform(allowed, state.held[seat], size, dealt, rng)     # always: state_from_view asks `has_world`
    for place in range(state.held[seat]):
        if found:
            state.hand[seat][place] = pool[dealt[place]]
        state.deck[state.hand[seat][place]] -= 1


cdef bint has_world(const Hanabi* state, int seat) noexcept nogil:
    """Is there a hand that fits the hints?"""
    cdef Hanabi copy = state[0]
    cdef uint8_t pool[MAX_POOL]
    cdef uint64_t allowed[HAND]
    cdef int8_t dealt[HAND]
    cdef Rng rng
    cdef int size = own_cards(&copy, seat, pool, allowed)
    rng_from_word(&rng, 0)
    return deal_allowed(allowed, state.held[seat], size, dealt, &rng)


cdef uint64_t private_key(const void* tables, const void* data, int seat) noexcept nogil:
    """The other hands."""
    cdef const Hanabi* state = <const Hanabi*> data
    cdef uint64_t key = 0
    cdef int other, place
    for other in range(SEATS):
        if other != seat:
            for place in range(HAND):
                key = mix(key, state.hand[other][place])
    return key


cdef Rules RULES
RULES.state_size = sizeof(Hanabi)
RULES.init = init
RULES.pending = pending
RULES.prompt = prompt
RULES.legal_actions = legal_actions
RULES.advance = advance
RULES.returns = returns
RULES.evaluate = evaluate
RULES.score_actions = score_actions
RULES.features = features
RULES.resample = resample
RULES.private_key = private_key

# ---- In words ----

cdef class HanabiGame(Game):
    """The options set the size of the game."""

    cdef Table table

    def __cinit__(self):
        self.rules = &RULES
        self.tables = &self.table

    def __init__(self, spec, settings):
        if settings.mode == "full":
            settings = full_game(spec, settings)
        super().__init__(spec, settings)
        options = settings.options
        cards = copies(options)
        if options["hand"] * settings.seats > sum(cards):
            raise SettingsError("options.hand", f"{settings.seats} hands of {options['hand']} are more than the {sum(cards)} cards "
                                                f"of {options['colours']} colours and {options['ranks']} ranks")
        self.table.seats = settings.seats
        self.table.colours = options["colours"]
        self.table.ranks = options["ranks"]
        self.table.hand = options["hand"]
        self.table.information = options["information"]
        self.table.lives = options["lives"]
        self.table.best = options["colours"] * options["ranks"]
        for kind in range(KINDS):
            self.table.copies[kind] = cards[kind]

    def observation(self, State state, int seat):
        cdef const Hanabi* hanabi = <const Hanabi*> state.data
        cdef int owner, place, c, r
        colours = LETTERS[:self.table.colours]
        hands = []
        known = []
        for owner in range(self.seats):
            seen = seat < self.seats and seat != owner
            hands.append([card_name(hanabi.hand[owner][place]) for place in range(hanabi.held[owner])] if seen else None)
            known.append(["".join([*[LETTERS[c] for c in range(COLOURS) if hanabi.colours[owner][place] >> c & 1],
                                   *[str(r + 1) for r in range(RANKS) if hanabi.ranks[owner][place] >> r & 1]])
                          for place in range(hanabi.held[owner])])
        return {"fireworks": {colours[c]: hanabi.fireworks[c] for c in range(self.table.colours)},
                "information": hanabi.information, "lives": hanabi.lives, "deck": hanabi.deck_size,
                "turns_left": hanabi.turns_left, "turn": hanabi.turn,
                "discards": [card_name(c) for c in range(KINDS) for _ in range(hanabi.discards[c])], "hands": hands, "known": known}

    def action_label(self, State state, int seat, int action):
        cdef Hint hint
        if action < 2 * self.table.hand:
            return f"{'Play' if action >= self.table.hand else 'Discard'} card {action % self.table.hand + 1}"
        hint = read_hint(&self.table, seat, action)
        places = told_places(<const Hanabi*> state.data, hint)
        return f"Tell seat {hint.target}: {hint_text(places, hint.of_rank, hint.value, 'your')}"

    def question_text(self, State state, int seat):
        return choice_question([self.action_label(state, seat, action) for action in state.legal_actions(seat)])

    def describe(self, observation, int observer, text):
        return card_lines(self.settings.options, observation, text) or super().describe(observation, observer, text)

    def action_args(self, State state, int seat, int action):
        cdef Hint hint
        if action < 2 * self.table.hand:
            return {"action": "play" if action >= self.table.hand else "discard", "place": action % self.table.hand}
        hint = read_hint(&self.table, seat, action)
        if hint.of_rank:
            return {"action": "tell", "seat": hint.target, "rank": hint.value + 1}
        return {"action": "tell", "seat": hint.target, "colour": LETTERS[hint.value]}

    def unit(self):
        return Unit(name="points at the end", heading="Points", high=self.table.best, digits=1)

    def feature_text(self, int feature, double theirs, double mine):
        cdef double change = mine - theirs
        key = FEATURES[feature].key
        if key == "score":
            return f"scores {apart(change, 'point')}" if abs(change) >= 0.05 else ""
        name, scale, digits = {"possible": ("points still possible", POSSIBLE, 1), "lives": ("lives left", LIFE, 1),
                               "hints": ("hints left", HINT, 0),
                               "ready": ("cards that can be played and are known to be", READY, 1)}[key]
        held = instead(mine / scale, theirs / scale, digits)
        return held and f"{name}: {held}"

    def event_text(self, event, int observer):
        return "" if event.key in CORE_KEYS else event_text(event, observer)

    def new_view(self, int seat):
        return HanabiView(SPEC, self.seats, seat, self.settings.options)

    def state_from_view(self, view, int seat, seed):
        cdef const Table* t = &self.table
        cdef State state = rebuilt_state(self, view)
        cdef Hanabi* hanabi = <Hanabi*> state.data
        cdef int owner, place, kind
        unseen = copies(self.settings.options)
        memset(hanabi.hand, NO_CARD, sizeof(hanabi.hand))
        for letter, n in view["fireworks"].items():
            hanabi.fireworks[LETTERS.index(letter)] = n
            for rank in range(n):
                unseen[RANKS * LETTERS.index(letter) + rank] -= 1
        for name in view["discards"]:
            hanabi.discards[card_kind(name)] += 1
            unseen[card_kind(name)] -= 1
        finished = view["lives"] == 0 or sum(view["fireworks"].values()) == t.best
        for owner, known in enumerate(view["known"]):
            played_last = finished and owner == (view["turn"] - 1) % self.seats
            require(len(known) == t.hand - played_last or (len(known) == t.hand - 1 and view["deck"] == 0),
                    f"{len(known)} cards in a hand")
            hanabi.held[owner] = <uint8_t> len(known)
            for place, possible in enumerate(known):
                for letter in possible:
                    if letter in LETTERS:
                        hanabi.colours[owner][place] |= <uint8_t> (1 << LETTERS.index(letter))
                    else:
                        hanabi.ranks[owner][place] |= <uint8_t> (1 << (int(letter) - 1))
                if owner != seat:
                    kind = card_kind(view["hands"][owner][place])
                    require(fits(hanabi, owner, place, kind), "a hint lied")
                    hanabi.hand[owner][place] = <uint8_t> kind
                    unseen[kind] -= 1
        require(min(unseen) >= 0 and sum(unseen) == view["deck"] + hanabi.held[seat], "cards are missing or there are too many")
        require(0 <= view["information"] <= t.information and 0 <= view["lives"] <= t.lives, "too many tokens or lives")
        require(view["turn"] < self.seats and view["turns_left"] <= self.seats, "it is nobody's turn")
        require(view["deck"] == 0 or view["turns_left"] == self.seats, "the last round comes after the deck")
        hanabi.deck_size = view["deck"]
        hanabi.information = view["information"]
        hanabi.lives = view["lives"]
        hanabi.turn = view["turn"]
        hanabi.turns_left = view["turns_left"]
        for kind in range(KINDS):
            hanabi.deck[kind] = unseen[kind]
        kind = 0
        for place in range(hanabi.held[seat]):       # any of the cards it does not see: resample puts them back
            while hanabi.deck[kind] == 0:
                kind += 1
            hanabi.hand[seat][place] = <uint8_t> kind
            hanabi.deck[kind] -= 1
        require(has_world(hanabi, seat), "no hand fits the hints")
        seed_rng(&state.rng, seed, (int(Stream.RESAMPLE), seat))
        resample(t, hanabi, seat, &state.rng)
        return state

    def check_invariants(self, State state):
        """No card gets lost, hints are true, tokens stay within their bounds."""
        cdef const Hanabi* hanabi = <const Hanabi*> state.data
        cdef int owner, place, kind
        cards = [hanabi.deck[kind] + hanabi.discards[kind] + (hanabi.fireworks[kind // RANKS] > kind % RANKS)
                 for kind in range(KINDS)]
        assert sum(hanabi.deck[kind] for kind in range(KINDS)) == hanabi.deck_size
        for owner in range(self.seats):
            for place in range(hanabi.held[owner]):
                kind = hanabi.hand[owner][place]
                cards[kind] += 1
                assert fits(hanabi, owner, place, kind), "a hint lied"
            for place in range(hanabi.held[owner], HAND):
                assert hanabi.hand[owner][place] == NO_CARD and hanabi.colours[owner][place] == hanabi.ranks[owner][place] == 0
        assert cards == copies(self.settings.options), f"cards {cards}"
        assert 0 <= hanabi.information <= self.table.information and 0 <= hanabi.lives <= self.table.lives

    def faces(self):
        return faces(self.settings.options)

    def event_meanings(self):
        return MEANINGS

    def scene(self, observation, int observer):
        return scene(self.settings.options, observation, observer)

    def touch(self, State state, int seat, int action, observation):
        cdef Hint hint
        cdef int places, place
        if action < 2 * self.table.hand:
            return Touch((f"hand/{seat}/{action % self.table.hand}",), "Play" if action >= self.table.hand else "Discard")
        hint = read_hint(&self.table, seat, action)
        places = told_places(<const Hanabi*> state.data, hint)
        return Touch(tuple([f"hand/{hint.target}/{place}" for place in range(HAND) if places >> place & 1]),
                     "Tell a rank" if hint.of_rank else "Tell a colour")

    def touched(self, State state, event, int observer):
        return () if event.key in CORE_KEYS else touched(event)

    def result_text(self, State state):
        cdef const Hanabi* hanabi = <const Hanabi*> state.data
        if hanabi.lives == 0:
            return "The last life is lost: 0 points."
        return f"{score(&self.table, hanabi)} of {self.table.best} points."


def require(fact, what):
    """For views that came from outside."""
    if not fact:
        raise ValueError(f"no game of Hanabi looks like this: {what}")


FEATURES = (Feature("score"), Feature("possible"), Feature("lives"), Feature("hints"), Feature("ready"))

SPEC = register(GameSpec(
    id="hanabi",
    title="Hanabi",
    summary="Cooperative; you see every hand but your own. Small by default; the mode full is the whole game.",
    rules_version=2,
    modes=(Mode(key="standard", title="Small", seats=(2, 3, 4, 5), cooperative=True,
                doc="Hanabi-Small of the Hanabi Learning Environment, or any size that the options give."),
           Mode(key="full", title="Full game", seats=(2, 3, 4, 5), cooperative=True,
                doc="The game as sold: 5 colours, 8 information tokens, 3 lives, hands of 5 (4 from four seats on).")),
    options=(
        Option(key="colours", title="Colours", kind="int", default=2, minimum=1, maximum=COLOURS, doc="Colours in the deck."),
        Option(key="ranks", title="Ranks", kind="int", default=5, minimum=3, maximum=RANKS, doc="Ranks of each colour."),
        Option(key="hand", title="Cards in a hand", kind="int", default=2, minimum=2, maximum=HAND, doc="Cards in a hand."),
        Option(key="information", title="Information tokens", kind="int", default=3, minimum=1, maximum=8,
               doc="Information tokens at the start; there are never more."),
        Option(key="lives", title="Lives", kind="int", default=1, minimum=1, maximum=3, doc="Wrong plays until the game is lost."),
    ),
    rules="Together you build a firework of each colour: cards 1, 2, 3 ... in order. You see all hands but your own. In "
          "turn you play a card (a wrong one costs a life; when none is left, all points are lost), discard a card to "
          "get an information token back, or pay a token to tell somebody all their cards of one colour or rank. When "
          "the deck is empty, everybody has one more turn. The score is the number of cards in the fireworks.",
    glossary=GLOSSARY,
    prompts=(Prompt("ACT", "Play, discard, or tell?"),),
    events=(EventType("DEALT", ("seat", "kind")), EventType("DREW", ("seat",)),
            EventType("PLAYED", ("seat", "place", "kind", "success"), turn=True),
            EventType("DISCARDED", ("seat", "place", "kind"), turn=True),
            EventType("TOLD", ("seat", "target", "of_rank", "value", "places"), turn=True)),
    features=FEATURES,
    action_limit=50,        # of the full game: 5 cards to play or discard, 10 hints to each of 4 others
    max_decisions=113,      # 50 cards leave hands; a hint for each token: 8 at the start, 50 discards, 5 fireworks
    search={"prior_temperature": 0.1, "rollout_epsilon": 0.0, "rollout_depth": 8, "redeterminise": 0.5, "tie_errors": 0.0},
    calibration=tuple([     # fitted by benches/calibration.py
        Calibration(mode=mode, seats=seats, options={"colours": colours}, shift=shift, slope=slope)
        for mode, colours, lines in (
            ("standard", 2, ((2, 0.34, 0.95), (3, 0.51, 0.96), (4, 0.50, 1.00), (5, 0.43, 0.96))),
            ("full", 5, ((2, 0.30, 1.16), (3, 0.46, 1.10), (4, 0.40, 1.05), (5, 0.43, 0.97))))
        for seats, shift, slope in lines]),
    create=lambda settings: HanabiGame(SPEC, settings),
))
