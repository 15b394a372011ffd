"""Letters, a small game for the engine's tests: nobody can play it, and nothing but tests may import this module.

It has what leaks: private draws, looks at hands, trades of hands, guesses and ties that all hear of. Each seat has one letter
of 16 with ranks 1 to 6. In turn a seat guesses another's rank (right: the other is out), looks at its letter, compares (the lower
one is out), trades letters, or discards its own and draws. After three turns each the highest letter wins.

`Fault` breaks one promise, so that the conformance suite can be seen to notice.
"""
from enum import IntEnum

from libc.string cimport memset

from seatmate.engine.core.contract cimport CoreEvent, Rules, ask_nobody, ask_one
from seatmate.engine.core.game cimport Game, State, rebuilt_state
from seatmate.engine.core.rng cimport Rng, rng_below, seed_rng
from seatmate.engine.core.sink cimport PUBLIC, Sink, emit2, emit3, emit4, mix
from seatmate.engine.core.types cimport action_t, uint8_t, uint32_t, uint64_t

from seatmate.engine.core.rng import Stream
from seatmate.engine.core.spec import EventType, GameSpec, Mode, Option, Prompt
from seatmate.engine.core.view import View


class Fault(IntEnum):
    """What is wrong with the game."""

    NONE = 0
    DRAW_ANNOUNCED = 1          # all are told the letter a seat draws, which no view reads
    LOOK_FORGOTTEN = 2          # resample deals a letter anew that the seat has looked at
    GUESS_FORGOTTEN = 3         # ... one of a rank that it was guessed not to have
    TIE_FORGOTTEN = 4           # ... different ones to seats that tied
    GIFT_FORGOTTEN = 5          # who is traded with does not note what it gave away
    EVENT_NOT_IN_SPEC = 6       # the rare TIED
    CHANCE_FOR_LISTENERS = 7    # a random number is drawn only when somebody listens
    PROMPT_NOT_IN_SPEC = 8
    NO_PRIVATE_KEY = 9          # functions that are missing
    NO_EVALUATE = 10
    NO_RULES = 11
    DRAW_SHOWN_LATER = 12       # what a seat drew is told with its next guess
    KINDER_DEALS = 13           # resample prefers high letters
    LOOK_TOLD = 14              # all are told what a seat sees


cdef enum:
    SEATS = 4
    RANKS = 6
    TURNS = 3               # of each seat

cdef enum Faults:
    DRAW_ANNOUNCED = 1
    LOOK_FORGOTTEN
    GUESS_FORGOTTEN
    TIE_FORGOTTEN
    GIFT_FORGOTTEN
    EVENT_NOT_IN_SPEC
    CHANCE_FOR_LISTENERS
    PROMPT_NOT_IN_SPEC
    NO_PRIVATE_KEY
    NO_EVALUATE
    NO_RULES
    DRAW_SHOWN_LATER
    KINDER_DEALS
    LOOK_TOLD

cdef enum Action:
    DISCARD = 0             # 1 + 4 * verb + target for the rest
    GUESS = 0
    LOOK = 1
    COMPARE = 2
    TRADE = 3

cdef enum Question:
    ACT = 0
    RANK = 1

cdef enum EventKind:
    GUESSED = CoreEvent.FIRST_GAME_EVENT    # (seat, target, rank, right) to all
    AIMED                               # (seat, target) to all
    LOOKED                              # (seat, target, 0) to all
    COMPARED                            # (seat, target, who is out) to all
    OUT                                 # (seat, rank) to all
    TRADED                              # (seat, target) to all
    DISCARDED                           # (seat, rank) to all
    DREW                                # (seat, 0) to all
    FACTS                               # (seat, masks: who knows its letter, ranks it has not, seats with the same) to all
    LETTER                              # (seat, rank) to all who know it
    TIED                                # (seat, target) to all

cdef struct Letter:
    uint8_t rank            # 1..6
    uint8_t known           # seats that know it, its owner among them
    uint8_t excluded        # ranks it is known not to have, a bit each
    uint8_t equal           # seats whose letters are known to be the same, itself among them

cdef struct Letters:
    Letter hand[SEATS]      # rank 0: the seat is out
    uint8_t deck[RANKS + 1]
    uint8_t discards[RANKS + 1]
    uint8_t turns           # played
    uint8_t turn
    uint8_t target          # + 1, of a guess that is being made

cdef struct Table:
    int seats
    int fault

cdef uint8_t[7] COPIES = [0, 4, 3, 3, 2, 2, 2]


cdef inline bint alive(const Letters* h, int seat) noexcept nogil:
    return h.hand[seat].rank != 0


cdef int left(const Table* t, const Letters* h) noexcept nogil:
    cdef int s
    cdef int n = 0
    for s in range(t.seats):
        n += alive(h, s)
    return n


cdef int draw(const uint8_t* deck, Rng* rng) noexcept nogil:
    """The rank of a random letter of the deck, which keeps it; 0 when it is empty."""
    cdef int rank
    cdef int n = 0
    for rank in range(1, RANKS + 1):
        n += deck[rank]
    if n == 0:
        return 0
    n = <int> rng_below(rng, <uint32_t> n)
    rank = 1
    while n >= deck[rank]:
        n -= deck[rank]
        rank += 1
    return rank


cdef void deal(Letters* h, int seat, Rng* rng) noexcept nogil:
    """A new letter that only the seat knows."""
    h.hand[seat].rank = <uint8_t> draw(h.deck, rng)
    h.deck[h.hand[seat].rank] -= 1
    h.hand[seat].known = <uint8_t> (1 << seat)
    h.hand[seat].excluded = 0
    h.hand[seat].equal = <uint8_t> (1 << seat)


cdef void show(const Table* t, Letters* h, int seat) noexcept nogil:
    """A letter is put away face up: those that are known to be the same are known to all now."""
    cdef int s
    for s in range(t.seats):
        if s != seat and alive(h, s) and h.hand[seat].equal >> s & 1:
            h.hand[s].known = <uint8_t> ((1 << t.seats) - 1)
            h.hand[s].equal = <uint8_t> (1 << s)
    h.discards[h.hand[seat].rank] += 1
    memset(&h.hand[seat], 0, sizeof(Letter))


cdef void out(const Table* t, Letters* h, int seat, Sink* sink) noexcept nogil:
    emit2(sink, OUT, PUBLIC, seat, h.hand[seat].rank)
    show(t, h, seat)


cdef void tell(const Table* t, const Letters* h, Sink* sink) noexcept nogil:
    """What is known of every letter now, stated as facts, so that a view has nothing to work out."""
    cdef int s
    for s in range(t.seats):
        emit4(sink, FACTS, PUBLIC, s, h.hand[s].known, h.hand[s].excluded, h.hand[s].equal)
        emit2(sink, LETTER, h.hand[s].known & ((1 << t.seats) - 1), s, h.hand[s].rank)


cdef void go_on(const Table* t, Letters* h, Sink* sink) noexcept nogil:
    """The next seat's turn, or the end, where all letters are shown."""
    cdef int s
    h.turns += 1
    if over(t, h):
        for s in range(t.seats):
            h.hand[s].known = <uint8_t> ((1 << t.seats) - 1) if alive(h, s) else 0
    tell(t, h, sink)
    if over(t, h):
        ask_nobody(sink)
        return
    h.turn = <uint8_t> ((h.turn + 1) % t.seats)
    while not alive(h, h.turn):
        h.turn = <uint8_t> ((h.turn + 1) % t.seats)
    ask_one(sink, h.turn, ACT, ACT)


cdef bint over(const Table* t, const Letters* h) noexcept nogil:
    return left(t, h) == 1 or h.turns == TURNS * t.seats

# ---- The contract ----

cdef void init(const void* tables, void* state, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Table* t = <const Table*> tables
    cdef Letters* h = <Letters*> state
    cdef int s
    memset(h, 0, sizeof(Letters))
    if t.fault == CHANCE_FOR_LISTENERS and sink != NULL:
        rng_below(rng, 2)
    for s in range(1, RANKS + 1):
        h.deck[s] = COPIES[s]
    for s in range(t.seats):
        deal(h, s, rng)
    tell(t, h, sink)
    ask_one(sink, 0, ACT, ACT)


cdef uint32_t pending(const void* tables, const void* state) noexcept nogil:
    return 0 if over(<const Table*> tables, <const Letters*> state) else 1 << (<const Letters*> state).turn


cdef int prompt(const void* tables, const void* state, int seat) noexcept nogil:
    if not pending(tables, state) >> seat & 1:
        return -1
    return RANK if (<const Letters*> state).target else ACT


cdef int legal_actions(const void* tables, const void* state, int seat, action_t* out) noexcept nogil:
    cdef const Table* t = <const Table*> tables
    cdef const Letters* h = <const Letters*> state
    cdef int verb, s
    cdef int n = 0
    if not pending(tables, state) >> seat & 1:
        return 0
    if h.target:
        for n in range(RANKS):
            out[n] = n + 1
        return RANKS
    out[n] = DISCARD
    n += 1
    for verb in range(4):
        for s in range(t.seats):
            if s != seat and alive(h, s):
                out[n] = 1 + 4 * verb + s
                n += 1
    return n


cdef void guess(const Table* t, Letters* h, int rank, Sink* sink) noexcept nogil:
    cdef int target = h.target - 1
    cdef bint right = h.hand[target].rank == rank
    cdef int s
    h.target = 0
    emit4(sink, GUESSED, PUBLIC, h.turn, target, rank, right if t.fault != DRAW_SHOWN_LATER else right | h.hand[h.turn].rank << 1)
    if right:
        out(t, h, target, sink)
    else:
        for s in range(t.seats):
            if h.hand[target].equal >> s & 1:
                h.hand[s].excluded |= <uint8_t> (1 << rank)


cdef void compare(const Table* t, Letters* h, int target, Sink* sink) noexcept nogil:
    """The lower letter is out, and all know that the other one is higher; equal ones are known to be equal."""
    cdef int mine = h.hand[h.turn].rank
    cdef int theirs = h.hand[target].rank
    cdef int loser, winner, s, equal, known, excluded
    if mine == theirs:
        emit2(sink, TIED, PUBLIC, h.turn, target)
        equal = h.hand[h.turn].equal | h.hand[target].equal
        known = h.hand[h.turn].known | h.hand[target].known
        excluded = h.hand[h.turn].excluded | h.hand[target].excluded
        for s in range(t.seats):
            if equal >> s & 1:
                h.hand[s].equal = <uint8_t> equal
                h.hand[s].known = <uint8_t> known
                h.hand[s].excluded = <uint8_t> excluded
        return
    loser = h.turn if mine < theirs else target
    winner = h.turn + target - loser
    emit3(sink, COMPARED, PUBLIC, h.turn, target, loser)
    equal = h.hand[winner].equal
    excluded = (1 << (h.hand[loser].rank + 1)) - 1
    out(t, h, loser, sink)
    for s in range(t.seats):
        if equal >> s & 1:
            h.hand[s].excluded |= <uint8_t> excluded
            h.hand[s].known |= <uint8_t> (1 << loser)


cdef void trade(const Table* t, Letters* h, int target, Sink* sink) noexcept nogil:
    """Both know what they get and what they gave away, and so do all who are known to have the same."""
    cdef int seat = h.turn
    cdef Letter letter = h.hand[seat]
    cdef int pair = 1 << seat | 1 << target
    cdef int s, equal, i
    cdef uint8_t known[2]
    emit2(sink, TRADED, PUBLIC, seat, target)
    h.hand[seat] = h.hand[target]
    h.hand[target] = letter
    for s in range(t.seats):            # the letters that were equal to one of them still are, at its new place
        equal = h.hand[s].equal
        if (equal >> seat & 1) != (equal >> target & 1):
            h.hand[s].equal = <uint8_t> (equal ^ pair)
    known[0] = <uint8_t> (h.hand[seat].known | pair)
    known[1] = <uint8_t> (h.hand[target].known | pair)
    if t.fault == GIFT_FORGOTTEN:
        known[0] = <uint8_t> ((h.hand[seat].known | 1 << seat) & ~(1 << target))
    for i in range(2):
        equal = h.hand[target if i else seat].equal
        for s in range(t.seats):
            if equal >> s & 1:
                h.hand[s].known = known[i]


cdef void advance(const void* tables, void* state, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Table* t = <const Table*> tables
    cdef Letters* h = <Letters*> state
    cdef int target = (action - 1) & 3
    cdef int verb = (action - 1) >> 2
    cdef int s, told
    if t.fault == CHANCE_FOR_LISTENERS and sink != NULL:
        rng_below(rng, 2)
    if h.target:
        guess(t, h, action, sink)
    elif action == DISCARD:
        emit2(sink, DISCARDED, PUBLIC, seat, h.hand[seat].rank)
        show(t, h, seat)
        deal(h, seat, rng)
        emit2(sink, DREW, PUBLIC, seat, h.hand[seat].rank if t.fault == DRAW_ANNOUNCED else 0)
    elif verb == GUESS:
        h.target = <uint8_t> (target + 1)
        emit2(sink, AIMED, PUBLIC, seat, target)
        ask_one(sink, seat, RANK, RANK)
        return
    elif verb == LOOK:
        told = h.hand[target].rank if t.fault == LOOK_TOLD else 0
        emit3(sink, LOOKED, PUBLIC, seat, target, told)
        for s in range(t.seats):
            if h.hand[target].equal >> s & 1:
                h.hand[s].known |= <uint8_t> (1 << seat)
    elif verb == COMPARE:
        compare(t, h, target, sink)
    else:
        trade(t, h, target, sink)
    go_on(t, h, sink)


cdef void returns(const void* tables, const void* state, double* out) noexcept nogil:
    """The highest letters share the win."""
    cdef const Table* t = <const Table*> tables
    cdef const Letters* h = <const Letters*> state
    cdef int s
    cdef int best = 0
    cdef int n = 0
    for s in range(t.seats):
        if h.hand[s].rank > best:
            best = h.hand[s].rank
            n = 0
        n += h.hand[s].rank == best
    for s in range(t.seats):
        out[s] = 1.0 / n if h.hand[s].rank == best else 0.0


cdef void evaluate(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    cdef const Table* t = <const Table*> tables
    cdef const Letters* h = <const Letters*> state
    cdef int s
    if over(t, h):
        returns(tables, state, out)
        return
    for s in range(t.seats):
        out[s] = 1.0 / left(t, h) if alive(h, s) else 0.0


cdef void score_actions(const void* tables, const void* state, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil:
    memset(out, 0, n * sizeof(double))


cdef bint possible(const Table* t, const Letters* h) noexcept nogil:
    """Is all that is known of the letters true?"""
    cdef int s, other
    for s in range(t.seats):
        if h.hand[s].excluded >> h.hand[s].rank & 1 and alive(h, s) and t.fault != GUESS_FORGOTTEN:
            return False
        for other in range(s):
            if h.hand[s].equal >> other & 1 and h.hand[s].rank != h.hand[other].rank and t.fault != TIE_FORGOTTEN:
                return False
    return True


cdef void resample(const void* tables, void* state, int seat, Rng* rng) noexcept nogil:
    """Any letters the seat does not know, until they fit what is known about them."""
    cdef const Table* t = <const Table*> tables
    cdef Letters* h = <Letters*> state
    cdef uint8_t pool[RANKS + 1]
    cdef int s, rank
    cdef int hidden = 0
    for s in range(t.seats):
        if s != seat and alive(h, s) and (t.fault == LOOK_FORGOTTEN or not h.hand[s].known >> seat & 1):
            hidden |= 1 << s
            h.deck[h.hand[s].rank] += 1
    while True:
        for rank in range(RANKS + 1):
            pool[rank] = h.deck[rank]
        for s in range(t.seats):
            if hidden >> s & 1:
                rank = draw(pool, rng)
                if t.fault == KINDER_DEALS:
                    rank = max(rank, draw(pool, rng))
                pool[rank] -= 1
                h.hand[s].rank = <uint8_t> rank
        if possible(t, h):
            break
    for rank in range(RANKS + 1):
        h.deck[rank] = pool[rank]


cdef uint64_t private_key(const void* tables, const void* state, int seat) noexcept nogil:
    cdef const Table* t = <const Table*> tables
    cdef const Letters* h = <const Letters*> state
    cdef uint64_t key = 1
    cdef int s
    for s in range(t.seats):
        key = mix(key, h.hand[s].rank if h.hand[s].known >> seat & 1 else 0)
    return key


cdef Rules RULES
RULES.state_size = sizeof(Letters)
RULES.init = init
RULES.pending = pending
RULES.prompt = prompt
RULES.legal_actions = legal_actions
RULES.advance = advance
RULES.returns = returns
RULES.evaluate = evaluate
RULES.score_actions = score_actions
RULES.resample = resample
RULES.private_key = private_key

# ---- In words ----

def places(mask):
    """The bits of a mask."""
    return [i for i in range(8) if mask >> i & 1]


class LettersView(View):
    """What one seat knows of every letter, and who else knows it."""

    def __init__(self, spec, seats, observer) -> None:
        super().__init__(spec, seats, observer)
        self.letters = [{}] * seats
        self.discards = []
        self.turns = -1
        self.turn = 0
        self.target = None

    def on_asked(self):
        self.turns += self.question != "RANK"
        self.turn = self.asked[0] if self.asked else self.turn
        if self.question != "RANK":
            self.target = None

    def apply(self, key, args):
        if key == "FACTS":
            self.letters[args[0]] = {"rank": None, "known": places(args[1]), "not": places(args[2]), "equal": places(args[3])}
        elif key == "LETTER":
            self.letters[args[0]]["rank"] = args[1]
        elif key in ("OUT", "DISCARDED"):
            self.discards = sorted([*self.discards, args[1]])
        elif key == "AIMED":
            self.target = args[1]

    def body(self):
        return {"letters": [dict(letter) for letter in self.letters], "discards": list(self.discards), "turns": self.turns,
                "turn": self.turn, "target": self.target}


cdef class LettersGame(Game):
    """The option says what is wrong with the game."""

    cdef Table table
    cdef Rules broken

    def __cinit__(self, spec, settings):
        self.tables = &self.table
        self.broken = RULES
        self.rules = &self.broken
        if settings.options["fault"] == NO_PRIVATE_KEY:
            self.broken.private_key = NULL
        elif settings.options["fault"] == NO_EVALUATE:
            self.broken.evaluate = NULL
        elif settings.options["fault"] == NO_RULES:
            self.rules = NULL

    def __init__(self, spec, settings):
        self.table.seats = settings.seats
        self.table.fault = settings.options["fault"]
        super().__init__(spec, settings)

    def observation(self, State state, int seat):
        cdef const Letters* h = <const Letters*> state.data
        letters = [{"rank": h.hand[s].rank if h.hand[s].known >> seat & 1 else None, "known": places(h.hand[s].known),
                    "not": places(h.hand[s].excluded), "equal": places(h.hand[s].equal)} for s in range(self.seats)]
        return {"letters": letters, "discards": [rank for rank in range(1, RANKS + 1) for _ in range(h.discards[rank])],
                "turns": h.turns, "turn": h.turn, "target": h.target - 1 if h.target else None}

    def action_label(self, State state, int seat, int action):
        cdef const Letters* h = <const Letters*> state.data
        if h.target:
            return f"Say {action}"
        if action == DISCARD:
            return "Discard and draw"
        return f"{('Guess', 'Look at', 'Compare with', 'Trade with')[(action - 1) >> 2]} seat {(action - 1) & 3}"

    def action_args(self, State state, int seat, int action):
        return {"action": action}

    def event_text(self, event, int observer):
        return f"{event.key} {event.args}"

    def new_view(self, int seat):
        return LettersView(self.spec, self.seats, seat)

    def state_from_view(self, view, int seat, seed):
        cdef State state = rebuilt_state(self, view)
        cdef Letters* h = <Letters*> state.data
        cdef int s, rank
        for rank in range(1, RANKS + 1):
            h.deck[rank] = COPIES[rank]
            h.discards[rank] = <uint8_t> view["discards"].count(rank)
            h.deck[rank] -= h.discards[rank]
        for s, letter in enumerate(view["letters"]):
            h.hand[s].known = <uint8_t> sum(1 << other for other in letter["known"])
            h.hand[s].excluded = <uint8_t> sum(1 << rank for rank in letter["not"])
            h.hand[s].equal = <uint8_t> sum(1 << other for other in letter["equal"])
            h.hand[s].rank = <uint8_t> (letter["rank"] or 0)
            h.deck[h.hand[s].rank] -= h.hand[s].rank > 0
        for s, letter in enumerate(view["letters"]):
            if h.hand[s].rank == 0 and letter["known"]:     # any letter: resample puts it back
                rank = [rank for rank in range(1, RANKS + 1) if h.deck[rank]][0]
                h.hand[s].rank = <uint8_t> rank
                h.deck[rank] -= 1
        h.turns = view["turns"]
        h.turn = view["turn"]
        h.target = 0 if view["target"] is None else view["target"] + 1
        seed_rng(&state.rng, seed, (int(Stream.RESAMPLE), seat))
        resample(self.tables, h, seat, &state.rng)
        return state

    def result_text(self, State state):
        return f"{state.returns()}"


_EVENTS = (EventType("GUESSED", ("seat", "target", "rank", "right")), EventType("AIMED", ("seat", "target")),
           EventType("LOOKED", ("seat", "target", "nothing")), EventType("COMPARED", ("seat", "target", "out")),
           EventType("OUT", ("seat", "rank")), EventType("TRADED", ("seat", "target")), EventType("DISCARDED", ("seat", "rank")),
           EventType("DREW", ("seat", "nothing")), EventType("FACTS", ("seat", "known", "not", "equal")),
           EventType("LETTER", ("seat", "rank")), EventType("TIED", ("seat", "target")))
_PROMPTS = (Prompt("ACT", "What do you do?"), Prompt("RANK", "Which rank?"))


def letters_spec(fault=Fault.NONE):
    """The spec of the game with this fault. It is not registered."""
    spec = GameSpec(
        id="letters",
        title="Letters",
        summary="A game for tests.",
        rules_version=1,
        modes=(Mode(key="standard", title="Standard", seats=(2, 3, 4), doc="Three turns each."),),
        options=(Option(key="fault", title="Fault", kind="int", default=int(fault),
                        doc="What is wrong.", minimum=0, maximum=max(Fault)),),
        prompts=_PROMPTS[:1] if fault == Fault.PROMPT_NOT_IN_SPEC else _PROMPTS,
        events=_EVENTS[:-1] if fault == Fault.EVENT_NOT_IN_SPEC else _EVENTS,
        action_limit=17,
        max_decisions=2 * TURNS * SEATS,
        create=lambda settings: LettersGame(spec, settings),
    )
    return spec
