"""Goofspiel with hidden bids (Ross 1971; Lanctot et al. 2014): two to four seats bid cards for prizes, at the same time.

Every seat holds the cards 1..n. One prize of 1..n points after another is turned up; each seat commits a card in secret,
and the highest card takes the prize. On a tie nobody gets it. All learn who has won a prize, or that there was a tie, and
never which cards were bid. The last cards are played by themselves.

Most points win: winner 1, losers 0, ties shared. (With two seats that is OpenSpiel's returns_type "win_loss", rescaled.)
An action is the card's value - 1.
"""
from libc.string cimport memcpy, memset

from seatmate.engine.core.contract cimport CoreEvent, Rules, ask_all, ask_nobody
from seatmate.engine.core.game cimport Game, State, rebuilt_state
from seatmate.engine.core.ranked cimport RankedDeal, count_ranked, deal_ranked
from seatmate.engine.core.rng cimport Rng, rng_below, rng_unit, seed_rng
from seatmate.engine.core.sink cimport PUBLIC, Sink, emit1, emit2, mix
from seatmate.engine.core.types cimport action_t, uint8_t, uint16_t, uint32_t, uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit, nth_bit

from seatmate.engine.core.meanings import Meaning
from seatmate.engine.core.registry import register
from seatmate.engine.core.rng import Stream
from seatmate.engine.core.scene import Face, Scene, Thing, Touch, Zone
from seatmate.engine.core.spec import (
    CORE_KEYS, Calibration, EventType, Feature, GameSpec, Mode, Option, Prompt, acts, instead, words,
)
from seatmate.engine.core.view import View

cdef enum:
    SEATS = 4
    CARDS = 13
    PROPOSALS = 64          # attempts to sample three or four seats' bids exactly, see resample
    LAST_PROPOSAL = 50000   # attempts until it gives up, which no view of a real game lets it

ORDERS = ("random", "descending", "ascending")

cdef enum Order:
    RANDOM = 0
    DESCENDING
    ASCENDING

cdef enum EventKind:
    PRIZE = CoreEvent.FIRST_GAME_EVENT  # (points) to all: turned up
    WON                                 # (seat, points) to all
    TIED                                # (points) to all

cdef double BEATS = 7.0     # a prize of middling worth
cdef double KEPT = 0.5      # what a card one higher brings later: one of thirteen bids more that it beats

# ---- The state ----

cdef struct Table:
    int cards
    int seats
    int order               # Order


cdef struct Goofspiel:
    uint16_t hand[SEATS]    # bit v - 1 = card v
    uint16_t pile           # prizes not yet turned up, likewise
    uint8_t bid[SEATS][CARDS]   # per round; 0 = none. That of this round is a secret commitment
    uint8_t prize[CARDS]    # per round, as far as turned up
    uint8_t winner[CARDS]   # per round: seat + 1; 0 = tie, or not played yet
    uint8_t points[SEATS]
    uint8_t round           # rounds played
    uint8_t committed       # mask of the seats that have bid in this round


cdef inline int all_seats(const Table* t) noexcept nogil:
    return (1 << t.seats) - 1


cdef void turn_up(const Table* t, Goofspiel* g, Rng* rng, Sink* sink) noexcept nogil:
    """The next prize."""
    cdef int left = t.cards - g.round
    cdef int i = 0
    if t.order == DESCENDING:
        i = left - 1
    elif t.order == RANDOM and left > 1:
        i = <int> rng_below(rng, <uint32_t> left)
    i = nth_bit(g.pile, i)
    g.pile &= <uint16_t> ~(1 << i)
    g.prize[g.round] = <uint8_t> (i + 1)
    emit1(sink, PRIZE, PUBLIC, i + 1)


cdef void award(const Table* t, Goofspiel* g, Sink* sink) noexcept nogil:
    """All have bid: the highest card, if there is one, takes the prize."""
    cdef int points = g.prize[g.round]
    cdef int best = 0
    cdef int winner = -1
    cdef int seat
    for seat in range(t.seats):
        if g.bid[seat][g.round] > best:
            best = g.bid[seat][g.round]
            winner = seat
        elif g.bid[seat][g.round] == best:
            winner = -1
    if winner >= 0:
        g.points[winner] += <uint8_t> points
        emit2(sink, WON, PUBLIC, winner, points)
    else:
        emit1(sink, TIED, PUBLIC, points)
    g.winner[g.round] = <uint8_t> (winner + 1)
    g.round += 1
    g.committed = 0

# ---- The contract ----

cdef void init(const void* tables, void* state, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Table* t = <const Table*> tables
    cdef Goofspiel* g = <Goofspiel*> state
    cdef int seat
    memset(g, 0, sizeof(Goofspiel))
    g.pile = <uint16_t> ((1 << t.cards) - 1)
    for seat in range(t.seats):
        g.hand[seat] = g.pile
    turn_up(t, g, rng, sink)
    ask_all(sink, all_seats(t), 0, 0)


cdef uint32_t asked(const void* tables, const void* state) noexcept nogil:
    cdef const Table* t = <const Table*> tables
    return all_seats(t) if (<const Goofspiel*> state).round < t.cards else 0


cdef uint32_t pending(const void* tables, const void* state) noexcept nogil:
    return asked(tables, state) & ~(<const Goofspiel*> state).committed


cdef int prompt(const void* tables, const void* state, int seat) noexcept nogil:
    return 0 if pending(tables, state) >> seat & 1 else -1


cdef int legal_actions(const void* tables, const void* state, int seat, action_t* out) noexcept nogil:
    cdef int cards, n
    if not pending(tables, state) >> seat & 1:
        return 0
    cards = (<const Goofspiel*> state).hand[seat]
    n = 0
    while cards:
        out[n] = lowest_bit(cards)
        cards &= cards - 1
        n += 1
    return n


cdef inline void commit(Goofspiel* g, int seat, int action) noexcept nogil:
    g.hand[seat] &= <uint16_t> ~(1 << action)
    g.bid[seat][g.round] = <uint8_t> (action + 1)
    g.committed |= <uint8_t> (1 << seat)


cdef void advance(const void* tables, void* state, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Table* t = <const Table*> tables
    cdef Goofspiel* g = <Goofspiel*> state
    cdef int i
    commit(g, seat, action)
    if g.committed != all_seats(t):
        return                          # in secret: nobody is told
    award(t, g, sink)
    turn_up(t, g, rng, sink)
    if g.round < t.cards - 1:
        ask_all(sink, all_seats(t), 0, 0)
        return
    for i in range(t.seats):
        commit(g, i, lowest_bit(g.hand[i]))
    award(t, g, sink)
    ask_nobody(sink)


cdef void returns(const void* tables, const void* state, double* out) noexcept nogil:
    cdef const Table* t = <const Table*> tables
    cdef const Goofspiel* g = <const Goofspiel*> state
    cdef int best = 0
    cdef int winners = 0
    cdef int seat
    for seat in range(t.seats):
        if g.points[seat] > best:
            best = g.points[seat]
            winners = 0
        winners += g.points[seat] == best
    for seat in range(t.seats):
        out[seat] = 1.0 / winners if g.points[seat] == best else 0.0


cdef void evaluate(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    """A seat's lead over the average, against the points that are still to be won."""
    cdef const Table* t = <const Table*> tables
    cdef const Goofspiel* g = <const Goofspiel*> state
    cdef int i
    cdef double left, average
    cdef double total = 0
    if g.round == t.cards:
        returns(tables, state, out)
        return
    left = t.cards * (t.cards + 1) / 2
    average = 0
    for i in range(g.round):
        left -= g.prize[i]
    for i in range(t.seats):
        average += <double> g.points[i] / t.seats
    for i in range(t.seats):
        out[i] = max(0.0, 1.0 / t.seats + (g.points[i] - average) / (left + t.cards))
        total += out[i]
    for i in range(t.seats):
        out[i] /= total


cdef int own_bid(const Table* t, const Goofspiel* g, int seat) noexcept nogil:
    """The card - 1 that a heuristic seat of three and more bids, if it has it: no other seat's, and each of its own once.

    Several who bid the same win nothing, prize after prize, and leave everything to the one who bids otherwise. So prizes that
    are worth about the same, as many as there are seats, are bid for with the cards of that worth, turned round by a number of
    each seat. Which of these prizes came first turns it further: else the same seat would outbid the others all the time.
    """
    cdef int prize = g.prize[g.round] - 1
    cdef int start = min(prize / t.seats, t.cards / t.seats - 1) * t.seats
    cdef int size = t.seats if start + 2 * t.seats <= t.cards else t.cards - start
    cdef int i = 0
    while not start < g.prize[i] <= start + size:
        i += 1
    return start + (prize - start + (g.prize[i] + seat) % t.seats) % size


cdef inline int distance(const Table* t, const Goofspiel* g, int seat, action_t action) noexcept nogil:
    """0 for a card as high as the prize or one higher, which beats those who bid what it is worth; else how far off it is.

    With three seats and more how far it is off `own_bid`.
    """
    cdef int above = action + 1 - g.prize[g.round]
    if t.seats > 2:
        above = action - own_bid(t, g, seat)
        return max(above, -above)
    return above - 1 if above > 0 else -above


cdef double beaten(const Table* t, const Goofspiel* g, int seat, int card) noexcept nogil:
    """How likely a card - 1 beats what the other seats bid, if these take any card they have left."""
    cdef double chance = 1
    cdef int other
    for other in range(t.seats):
        if other != seat:
            chance *= <double> bit_count(g.hand[other] & ((1 << card) - 1)) / bit_count(g.hand[other])
    return chance


cdef bint decided(const Table* t, const Goofspiel* g, int seat) noexcept nogil:
    """Has the seat won, or lost, whatever comes?"""
    cdef int left = t.cards * (t.cards + 1) // 2
    cdef int best = 0
    cdef int i
    for i in range(g.round):
        left -= g.prize[i]
    for i in range(t.seats):
        if i != seat:
            best = max(best, g.points[i])
    return g.points[seat] > best + left or best > g.points[seat] + left


cdef int features(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    """The share of what the others may bid that the seat's bid beats; the sum of the cards it keeps. 0 in a decided game."""
    cdef const Table* t = <const Table*> tables
    cdef const Goofspiel* g = <const Goofspiel*> state
    cdef int cards = g.hand[seat]
    out[0] = 0
    out[1] = 0
    if decided(t, g, seat):
        return 2
    if g.committed >> seat & 1:
        out[0] = BEATS * beaten(t, g, seat, g.bid[seat][g.round] - 1)
    while cards:
        out[1] += KEPT * (lowest_bit(cards) + 1)
        cards &= cards - 1
    return 2


cdef void score_actions(const void* tables, const void* state, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil:
    """Bid what the prize is worth, or one more (see `distance`)."""
    cdef int i
    for i in range(n):
        out[i] = 0.5 - 0.02 * distance(<const Table*> tables, <const Goofspiel*> state, seat, actions[i])


cdef action_t quick_action(const void* tables, const void* state, int seat, const action_t* actions, int n,
                           Rng* rng) noexcept nogil:
    """Of two random cards the one nearer to the prize: near its worth, and hard to foresee."""
    cdef action_t a = actions[rng_below(rng, <uint32_t> n)]
    cdef action_t b = actions[rng_below(rng, <uint32_t> n)]
    cdef const Table* t = <const Table*> tables
    cdef const Goofspiel* g = <const Goofspiel*> state
    return a if distance(t, g, seat, a) <= distance(t, g, seat, b) else b


cdef uint64_t private_key(const void* tables, const void* state, int seat) noexcept nogil:
    cdef const Goofspiel* g = <const Goofspiel*> state
    cdef uint64_t key = 0
    cdef int i
    for i in range(CARDS):
        key = mix(key, g.bid[seat][i])
    return key

# ---- What the others may have bid ----

cdef void bounds(const Table* t, const Goofspiel* g, int seat, int other, RankedDeal* deal) noexcept nogil:
    """What `seat` and the seats placed before `other` leave possible for it, round by round.

    The bids of other seats above `other` are not placed yet: a winner among them needs room above, and a tie may be theirs.
    """
    cdef bint last = other == t.seats - 1 or (other == t.seats - 2 and seat == t.seats - 1)
    cdef int r, i, best, holders, winner, bid
    deal.cards = t.cards
    deal.places = g.round
    for r in range(g.round):
        best = g.bid[seat][r]
        holders = 1
        for i in range(other):
            bid = g.bid[i][r]
            if i != seat:
                holders = 1 if bid > best else holders + (bid == best)
                best = max(best, bid)
        winner = g.winner[r] - 1
        deal.low[r] = 1
        deal.high[r] = <uint8_t> t.cards
        if winner == other:
            deal.low[r] = <uint8_t> (best + 1)
        elif winner == seat or 0 <= winner < other:
            deal.high[r] = <uint8_t> (g.bid[winner][r] - 1)
        elif winner > other:
            deal.high[r] = <uint8_t> (t.cards - 1)
        elif last:
            deal.high[r] = <uint8_t> best
            if holders == 1:
                deal.low[r] = <uint8_t> best


cdef void loose_bounds(const Table* t, const Goofspiel* g, int seat, int other, RankedDeal* deal) noexcept nogil:
    """The same from the seat's own bids alone: what holds wherever the others are placed."""
    cdef int r, winner
    deal.cards = t.cards
    deal.places = g.round
    for r in range(g.round):
        winner = g.winner[r] - 1
        deal.low[r] = 1
        deal.high[r] = <uint8_t> (t.cards if winner < 0 else t.cards - 1)
        if winner == other:
            deal.low[r] = <uint8_t> (g.bid[seat][r] + 1)
            deal.high[r] = <uint8_t> t.cards
        elif winner == seat:
            deal.high[r] = <uint8_t> (g.bid[seat][r] - 1)
        elif winner < 0 and t.seats == 2:
            deal.low[r] = g.bid[seat][r]
            deal.high[r] = g.bid[seat][r]


cdef double propose(const Table* t, Goofspiel* g, int seat, RankedDeal* deal, Rng* rng) noexcept nogil:
    """Place the others' past bids one seat after another; returns the number of choices there were, 0 at a dead end."""
    cdef double choices = 1
    cdef double ways
    cdef int other
    for other in range(t.seats):
        if other != seat:
            bounds(t, g, seat, other, deal)
            ways = count_ranked(deal)
            if ways == 0:
                return 0
            deal_ranked(deal, g.bid[other], rng)
            choices *= ways
    return choices


cdef void resample(const void* tables, void* state, int seat, Rng* rng) noexcept nogil:
    """All bid sequences that fit the announced winners are equally likely; commitments of this round are withdrawn.

    With one other seat `propose` draws one of them uniformly. With more, the seats placed first depend on those placed
    later, and `propose` finds a sequence with probability 1 / choices; accepting it with probability choices / bound (the
    choices there are at most) makes all equally likely again. Where acceptance is rare (long games with four seats) one
    of PROPOSALS is picked in proportion to its choices instead, which is close (importance resampling).
    """
    cdef const Table* t = <const Table*> tables
    cdef Goofspiel* g = <Goofspiel*> state
    cdef RankedDeal deal
    cdef Goofspiel kept
    cdef double bound = 1
    cdef double total = 0
    cdef double choices
    cdef int tries = 0
    cdef int other, r
    for other in range(t.seats):
        if other != seat:
            memset(g.bid[other], 0, CARDS)
            loose_bounds(t, g, seat, other, &deal)
            bound *= count_ranked(&deal)
    g.committed &= <uint8_t> (1 << seat)
    while bound > 0 and tries < LAST_PROPOSAL and (tries < PROPOSALS or total == 0):
        tries += 1
        choices = propose(t, g, seat, &deal, rng)
        if choices == 0:
            continue
        if rng_unit(rng) * bound < choices:
            total = 0
            break
        total += choices
        if rng_unit(rng) * total < choices:
            memcpy(&kept, g, sizeof(Goofspiel))
    if total > 0:
        memcpy(g, &kept, sizeof(Goofspiel))
    for other in range(t.seats):
        if other != seat:
            g.hand[other] = <uint16_t> ((1 << t.cards) - 1)
            for r in range(g.round):
                g.hand[other] &= <uint16_t> ~(1 << g.bid[other][r] >> 1)


cdef Rules RULES
RULES.state_size = sizeof(Goofspiel)
RULES.init = init
RULES.pending = pending
RULES.asked = asked
RULES.prompt = prompt
RULES.legal_actions = legal_actions
RULES.advance = advance
RULES.returns = returns
RULES.evaluate = evaluate
RULES.score_actions = score_actions
RULES.features = features
RULES.resample = resample
RULES.private_key = private_key
RULES.quick_action = quick_action

# ---- In words ----

class GoofspielView(View):
    """What one seat knows: its own bids, the prizes turned up so far, and who won them."""

    def __init__(self, seats: int, observer: int, cards: int) -> None:
        super().__init__(SPEC, seats, observer)
        self.cards = cards
        self.bids = []
        self.prizes = []
        self.winners = []
        self.points = [0] * seats

    def choose(self, prompt, action):
        self.bids.append(action + 1)

    def apply(self, key, args):
        if key == "PRIZE":
            self.prizes.append(args[0])
            if len(self.prizes) == self.cards and len(self.bids) == self.cards - 1:
                self.bids += self.hand()        # the last card plays itself
        elif key == "WON":
            self.winners.append(args[0])
            self.points[args[0]] += args[1]
        else:
            self.winners.append(None)

    def hand(self):
        return [card for card in range(1, self.cards + 1) if card not in self.bids]

    def body(self):
        seated = self.observer < self.seats
        return {"prizes": list(self.prizes), "winners": list(self.winners), "points": list(self.points),
                "hand": self.hand() if seated else None,
                "bids": [list(self.bids) if seat == self.observer else None for seat in range(self.seats)]}


cdef class GoofspielGame(Game):
    """Options: how many cards, and in which order the prizes come."""

    cdef Table table

    def __cinit__(self):
        self.rules = &RULES
        self.tables = &self.table

    def __init__(self, spec, settings):
        super().__init__(spec, settings)
        self.table.cards = settings.options["cards"]
        self.table.order = ORDERS.index(settings.options["order"])
        self.table.seats = settings.seats

    def observation(self, State state, int seat):
        cdef const Goofspiel* g = <const Goofspiel*> state.data
        cdef int i, card
        turned = min(g.round + 1, self.table.cards)
        hand = None
        bids = [None] * self.seats
        if seat < self.seats:
            hand = [card + 1 for card in range(self.table.cards) if g.hand[seat] >> card & 1]
            bids[seat] = [g.bid[seat][i] for i in range(self.table.cards - len(hand))]
        return {"prizes": [g.prize[i] for i in range(turned)],
                "winners": [g.winner[i] - 1 if g.winner[i] else None for i in range(g.round)],
                "points": [g.points[i] for i in range(self.seats)], "hand": hand, "bids": bids}

    def action_label(self, State state, int seat, int action):
        return f"Bid {action + 1}"

    def action_args(self, State state, int seat, int action):
        return {"card": action + 1}

    def feature_text(self, int feature, double theirs, double mine):
        if feature == 0:
            held = instead(100 * mine / BEATS, 100 * theirs / BEATS, sign=" %")
            return held and f"chance to beat {'a random bid' if self.seats == 2 else 'random bids'}: {held}"
        return f"{'keeps' if mine > theirs else 'spends'} a card that is {abs(mine - theirs) / KEPT:.0f} higher"

    def event_text(self, event, int observer):
        if event.key in CORE_KEYS:
            return ""
        if event.key == "PRIZE":
            return f"The next prize is {event.args[0]}."
        if event.key == "WON":
            return acts(event.args[0], observer, "win") + f" the {event.args[1]}."
        return f"A tie: nobody gets the {event.args[0]}."

    def new_view(self, int seat):
        return GoofspielView(self.seats, seat, self.table.cards)

    def state_from_view(self, view, int seat, seed):
        cdef State state = rebuilt_state(self, view)
        cdef Goofspiel* g = <Goofspiel*> state.data
        cdef int i, card
        bids = view["bids"][seat]
        rounds = len(view["winners"])
        if bids is None or not 0 <= len(bids) - rounds <= 1 or len(view["prizes"]) != min(rounds + 1, self.table.cards):
            raise ValueError("no game of Goofspiel looks like this")
        for cards in (bids, view["prizes"]):
            if len(set(cards)) < len(cards) or not all(0 < card <= self.table.cards for card in cards):
                raise ValueError(f"there are no such cards: {cards}")
        if not all(winner is None or 0 <= winner < self.seats for winner in view["winners"]):
            raise ValueError("somebody who does not play has won a prize")
        g.round = <uint8_t> rounds
        g.pile = <uint16_t> ((1 << self.table.cards) - 1)
        g.hand[seat] = g.pile
        for i, card in enumerate(view["prizes"]):
            g.prize[i] = <uint8_t> card
            g.pile &= <uint16_t> ~(1 << (card - 1))
        for i, winner in enumerate(view["winners"]):
            g.winner[i] = 0 if winner is None else <uint8_t> (winner + 1)
        for i, card in enumerate(bids):
            g.bid[seat][i] = <uint8_t> card
            g.hand[seat] &= <uint16_t> ~(1 << (card - 1))
        for i, card in enumerate(view["points"]):
            g.points[i] = <uint8_t> card
        g.committed = <uint8_t> ((len(bids) - rounds) << seat)
        seed_rng(&state.rng, seed, (int(Stream.RESAMPLE), seat))
        resample(self.tables, g, seat, &state.rng)
        if any(0 in [g.bid[other][i] for i in range(rounds)] for other in range(self.seats)):
            raise ValueError("no bids of the others explain who won these prizes")
        return state

    def check_invariants(self, State state):
        """Every card of a seat is in its hand or bid once; every prize is in the pile or turned up once."""
        cdef const Goofspiel* g = <const Goofspiel*> state.data
        cdef int i
        everything = list(range(1, self.table.cards + 1))
        for seat in range(self.seats):
            cards = [i + 1 for i in range(CARDS) if g.hand[seat] >> i & 1]
            cards += [g.bid[seat][i] for i in range(CARDS) if g.bid[seat][i]]
            assert sorted(cards) == everything, f"seat {seat} has the cards {cards}"
        prizes = [i + 1 for i in range(CARDS) if g.pile >> i & 1] + [g.prize[i] for i in range(CARDS) if g.prize[i]]
        assert sorted(prizes) == everything, f"the prizes are {prizes}"
        awarded = sum(g.prize[i] for i in range(g.round) if g.winner[i])
        assert sum(g.points[i] for i in range(self.seats)) == awarded

    def faces(self):
        return {str(card): Face(str(card), "card") for card in range(1, self.table.cards + 1)}

    def event_meanings(self):
        return {"points": Meaning("card", ("", *self.faces()))}

    def scene(self, observation, int observer):
        winners = observation["winners"]
        prizes = [Thing(f"prize/{prize}", str(prize), seat=winner, tags=("tied",) if winner is None else ())
                  for prize, winner in zip(observation["prizes"], winners, strict=False)]
        open_prize = tuple([Thing(f"prize/{prize}", str(prize)) for prize in observation["prizes"][len(winners):]])
        zones = [Zone("prize", "Prize", "row", open_prize),
                 Zone("prizes", "Prizes so far", "row", tuple(prizes))]
        for seat, points in enumerate(observation["points"]):
            things = [Thing(f"points/{seat}", label="points", shape="counter", seat=seat, value=points)]
            if seat == observer:
                things += [Thing(f"bid/{card}", str(card), seat=seat, tags=("bid",)) for card in observation["bids"][seat]]
            zones.append(Zone(f"seat/{seat}", "Bids", "row", tuple(things), seat=seat))
        if observation["hand"] is not None:
            zones.append(Zone(f"hand/{observer}", "Hand", "row", tuple([
                Thing(f"card/{card}", str(card), seat=observer) for card in observation["hand"]]), seat=observer))
        return Scene(tuple(zones))

    def touch(self, State state, int seat, int action, observation):
        return Touch((f"card/{action + 1}",), "Bid")

    def touched(self, State state, event, int observer):
        return () if event.key in CORE_KEYS else (f"prize/{event.args[-1]}",)

    def final_scores(self, State state):
        return "points", state.observation(0)["points"]

    def result_text(self, State state):
        points = state.observation(0)["points"]
        winners = [f"seat {seat}" for seat, value in enumerate(state.returns()) if value > 0]
        scores = " to ".join(str(number) for number in sorted(points, reverse=True))
        if len(winners) > 1:
            return f"{words(winners).capitalize()} share the win, {scores} points."
        return f"{winners[0].capitalize()} wins, {scores} points."


SPEC = register(GameSpec(
    id="goofspiel",
    title="Goofspiel",
    summary="Bid secret cards for prizes; only the winner of a prize is announced. A reference game for simultaneous choices.",
    rules_version=1,
    modes=(Mode(key="standard", title="Hidden bids", seats=(2, 3, 4), doc="Bids stay hidden; only winners are announced."),),
    options=(
        Option(key="cards", title="Cards per seat", kind="int", default=13, minimum=4, maximum=CARDS,
               doc="Cards per seat, and prizes."),
        Option(key="order", title="Order of the prizes", kind="choice", default="random", choices=ORDERS,
               doc="The order in which prizes are turned up."),
    ),
    rules="Everybody has the same cards, numbered from 1. The prizes have the same numbers and are turned up one by one. "
          "For each prize all players bid a card at once. The highest bid wins the prize and its points, a tie wins "
          "nothing, and the cards bid are gone. Only the winner is announced, not the bids. Most points win.",
    glossary={"prize": "A card worth its number in points; the highest bid wins it.",
              "bid": "A card from your hand, chosen in secret; it is gone afterwards, whether you win or not.",
              "tie, tied": "Two equal highest bids: nobody wins the prize.",
              "won": "A prize that its seat has.", "points": "The sum of the prizes a seat has won.",
              "hand": "The cards you have not bid yet.", "card": "A number; each seat has each of them once."},
    prompts=(Prompt("BID", "Which card do you bid?"),),
    events=(EventType("PRIZE", ("points",)), EventType("WON", ("seat", "points")), EventType("TIED", ("points",))),
    features=(Feature("beats"), Feature("kept")),
    action_limit=CARDS,
    max_decisions=SEATS * CARDS,        # a sampled world asks again for commitments of this round
    search={"mixing": 0.02, "least_share": 0.2, "regret_actions": 4, "regret_prior": 1.0},
    calibration=(       # benches/calibration.py; early in the game a search says what is too far from even
        Calibration(mode="standard", seats=2, options={"cards": 13, "order": "random"}, shift=-0.06, slope=0.8, bend=0.27, at=0.27),
    ),
    create=lambda settings: GoofspielGame(SPEC, settings),
))
