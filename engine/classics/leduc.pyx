"""Leduc poker (Southey et al. 2005): two seats, six cards, two rounds of betting.

The deck is J, Q, K in two suits. Each seat antes one chip and gets one card. After the first round of betting one card is
turned up for both, and a second round follows. A raise is two chips in the first round and four in the second; a round
allows two raises. At the showdown a card that pairs the public one wins, else the higher rank; equal ranks split the pot.
A seat can lose or win 13 chips at most: utilities are (net chips + 13) / 26. Folding is offered after a raise only.
"""
import re

from libc.string cimport memset

from seatmate.engine.core.contract cimport CoreEvent, Rules, ask_nobody, ask_one
from seatmate.engine.core.game cimport Game, State, rebuilt_state, recall
from seatmate.engine.core.rng cimport Rng, rng_below, rng_unit, seed_rng
from seatmate.engine.core.sink cimport PUBLIC, Sink, emit1, emit2, emit3
from seatmate.engine.core.types cimport action_t, uint8_t, uint32_t, uint64_t

from seatmate.engine.classics.chips import CHIP_FEATURES, chips_text, chips_touched, chips_zone
from seatmate.engine.classics.chips import RISK as CHIP_RISK
from seatmate.engine.core.meanings import Meaning
from seatmate.engine.core.registry import register
from seatmate.engine.core.rng import Stream
from seatmate.engine.core.scene import Face, Scene, Thing, Touch, Zone
from seatmate.engine.core.spec import (
    CORE_KEYS, EventType, GameSpec, Mode, Prompt, Unit, acts, choice_question, counted,
)
from seatmate.engine.core.view import View

TITLES = {"J": "Jack", "Q": "Queen", "K": "King"}
CARDS = ("J1", "J2", "Q1", "Q2", "K1", "K2")    # rank and suit; card // 2 is the rank
ACTIONS = ("fold", "call", "raise")

cdef enum:
    DECK = 6
    MAX_LOSS = 13           # ante 1 + two raises of 2 + two raises of 4
    MAX_RAISES = 2          # per round
    MAX_MOVES = 8           # check, raise, raise, call in each round

cdef enum Action:
    FOLD = 0
    CALL = 1                # or check
    RAISE = 2

cdef enum Status:
    PLAYING = 0
    FOLDED                  # by the seat that moved last
    SHOWN

cdef enum EventKind:
    CARD = CoreEvent.FIRST_GAME_EVENT   # (card) to its owner
    ACTED                               # (seat, action, chips it had to match) to all
    PUBLIC_CARD                         # (card) to all
    SHOWDOWN                            # (card of seat 0, card of seat 1) to all

cdef double RISK = CHIP_RISK

# ---- The state ----

cdef struct Leduc:
    uint8_t card[2]
    uint8_t public          # the public card + 1; 0 = still in the deck
    uint8_t stake[2]        # chips in the pot per seat
    uint8_t turn            # the seat to move
    uint8_t raises          # in this round
    uint8_t status          # Status
    uint8_t n               # moves made
    uint8_t first           # index of the first move of this round
    uint8_t moves[MAX_MOVES]    # Action


cdef inline uint8_t other_card(int a, int b, Rng* rng) noexcept nogil:
    """A uniformly random card that is neither a nor b; b may be -1 for none."""
    cdef int low = a if a < b or b < 0 else b
    cdef int high = a + b - low
    cdef int card = <int> rng_below(rng, DECK - 1 if b < 0 else DECK - 2)
    card += card >= low
    if b >= 0:
        card += card >= high
    return <uint8_t> card


cdef inline int strength(const Leduc* h, int card) noexcept nogil:
    """What counts at the showdown: a pair beats every rank."""
    return 3 if card >> 1 == (h.public - 1) >> 1 else card >> 1


cdef inline void utilities(int winner, int chips, double* out) noexcept nogil:
    out[winner] = (MAX_LOSS + chips) / (2.0 * MAX_LOSS)
    out[1 - winner] = 1.0 - out[winner]

# ---- The contract ----

cdef void init(const void* tables, void* state, Rng* rng, Sink* sink) noexcept nogil:
    cdef Leduc* h = <Leduc*> state
    cdef int i
    memset(h, 0, sizeof(Leduc))
    h.card[0] = <uint8_t> rng_below(rng, DECK)
    h.card[1] = other_card(h.card[0], -1, rng)
    for i in range(2):
        h.stake[i] = 1
        emit1(sink, CARD, 1 << i, h.card[i])
    ask_one(sink, 0, 0, 0)


cdef uint32_t pending(const void* tables, const void* state) noexcept nogil:
    cdef const Leduc* h = <const Leduc*> state
    return 1 << h.turn if h.status == PLAYING else 0


cdef int prompt(const void* tables, const void* state, int seat) noexcept nogil:
    return 0 if pending(tables, state) >> seat & 1 else -1


cdef int legal_actions(const void* tables, const void* state, int seat, action_t* out) noexcept nogil:
    cdef const Leduc* h = <const Leduc*> state
    cdef int n = 0
    if not pending(tables, state) >> seat & 1:
        return 0
    out[0] = FOLD
    n += h.stake[seat] < h.stake[1 - seat]
    out[n] = CALL
    n += 1
    out[n] = RAISE
    n += h.raises < MAX_RAISES
    return n


cdef void advance(const void* tables, void* state, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil:
    cdef Leduc* h = <Leduc*> state
    h.moves[h.n] = <uint8_t> action
    h.n += 1
    h.turn = <uint8_t> (1 - seat)
    emit3(sink, ACTED, PUBLIC, seat, action, h.stake[1 - seat] - h.stake[seat])
    if action == FOLD:
        h.status = FOLDED
    else:
        h.stake[seat] = h.stake[1 - seat]
        if action == RAISE:
            h.stake[seat] += 4 if h.public else 2
            h.raises += 1
        elif h.n - h.first > 1:         # a call, or the second check
            if h.public:
                h.status = SHOWN
                emit2(sink, SHOWDOWN, PUBLIC, h.card[0], h.card[1])
            else:
                h.public = 1 + other_card(h.card[0], h.card[1], rng)
                h.first = h.n
                h.raises = 0
                h.turn = 0
                emit1(sink, PUBLIC_CARD, PUBLIC, h.public - 1)
    if h.status == PLAYING:
        ask_one(sink, h.turn, 0, 0)
    else:
        ask_nobody(sink)


cdef void returns(const void* tables, const void* state, double* out) noexcept nogil:
    cdef const Leduc* h = <const Leduc*> state
    cdef int lead
    if h.status == FOLDED:
        utilities(h.turn, h.stake[1 - h.turn], out)
        return
    lead = strength(h, h.card[0]) - strength(h, h.card[1])
    if lead == 0:
        out[0] = 0.5
        out[1] = 0.5
    else:
        utilities(0 if lead > 0 else 1, h.stake[0], out)


cdef double hand_value(const Leduc* h, int seat) noexcept nogil:
    """Share of the other seat's possible cards that the seat's card beats now, ties half."""
    cdef int mine = strength(h, h.card[seat])
    cdef int card, theirs
    cdef double beaten = 0
    for card in range(DECK):
        if card != h.card[seat] and card != h.public - 1:
            theirs = strength(h, card)
            beaten += 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
    return beaten / (DECK - 2 if h.public else DECK - 1)


cdef int features(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    """What chips.py lists."""
    cdef const Leduc* h = <const Leduc*> state
    out[0] = (2 * hand_value(h, seat) - 1) * h.stake[seat]
    out[2] = 0
    if h.status == FOLDED:
        out[0] = h.stake[1 - seat] if h.turn == seat else -<int> h.stake[seat]
        out[2] = h.turn == seat
    out[1] = RISK * h.stake[seat]
    return 3


cdef void evaluate(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    """The chips at stake, weighted by the chance to win a showdown now."""
    cdef const Leduc* h = <const Leduc*> state
    cdef int pot
    if h.status != PLAYING:
        returns(tables, state, out)
        return
    pot = min(h.stake[0], h.stake[1])
    if seat >= 0:
        utilities(seat, 0, out)
        out[seat] += (2 * hand_value(h, seat) - 1) * pot / (2.0 * MAX_LOSS)
        out[1 - seat] = 1.0 - out[seat]
    else:
        out[0] = 0.5 + (hand_value(h, 0) - hand_value(h, 1)) * pot / (2.0 * MAX_LOSS)
        out[1] = 1.0 - out[0]


cdef void score_actions(const void* tables, const void* state, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil:
    """Raise good cards, fold bad ones."""
    cdef const Leduc* h = <const Leduc*> state
    cdef double value = hand_value(h, seat)
    cdef double to_call = (h.stake[1 - seat] - h.stake[seat]) / (2.0 * MAX_LOSS)
    cdef double pot = 2.0 * h.stake[1 - seat] / (2.0 * MAX_LOSS)
    cdef double size = (4.0 if h.public else 2.0) / (2.0 * MAX_LOSS)
    cdef int i
    for i in range(n):
        if actions[i] == FOLD:
            out[i] = 0.0
        else:
            out[i] = value * pot - to_call
            if actions[i] == RAISE:
                out[i] += (2 * value - 1) * size


cdef action_t quick_action(const void* tables, const void* state, int seat, const action_t* actions, int n,
                           Rng* rng) noexcept nogil:
    """Mostly what the card deserves: each action's chance grows with its score."""
    cdef double scores[3]
    cdef double low, total, chosen
    cdef int i
    score_actions(tables, state, seat, actions, n, scores)
    low = min(scores[0], scores[1]) if n == 2 else min(scores[0], scores[1], scores[2])
    total = 0
    for i in range(n):
        scores[i] += 0.05 - low
        total += scores[i]
    chosen = rng_unit(rng) * total
    for i in range(n - 1):
        if chosen < scores[i]:
            return actions[i]
        chosen -= scores[i]
    return actions[n - 1]


cdef void resample(const void* tables, void* state, int seat, Rng* rng) noexcept nogil:
    cdef Leduc* h = <Leduc*> state
    if h.status != SHOWN:
        h.card[1 - seat] = other_card(h.card[seat], h.public - 1, rng)


cdef uint64_t private_key(const void* tables, const void* state, int seat) noexcept nogil:
    return (<const Leduc*> state).card[seat]


cdef Rules RULES
RULES.state_size = sizeof(Leduc)
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
RULES.quick_action = quick_action

# ---- In words ----

class LeducView(View):
    """What one seat knows: its card, the public card, the moves, and both cards after a showdown."""

    def __init__(self, seats: int, observer: int) -> None:
        super().__init__(SPEC, seats, observer)
        self.cards = [None, None]
        self.public = None
        self.rounds = [[]]

    def apply(self, key, args):
        if key == "CARD":
            self.cards[self.observer] = CARDS[args[0]]
        elif key == "ACTED":
            self.rounds[-1].append(ACTIONS[args[1]])
        elif key == "PUBLIC_CARD":
            self.public = CARDS[args[0]]
            self.rounds.append([])
        elif key == "SHOWDOWN":
            self.cards = [CARDS[card] for card in args]

    def body(self):
        return {"cards": list(self.cards), "public_card": self.public, "rounds": [list(moves) for moves in self.rounds],
                "stakes": stakes(self.rounds)}


def stakes(rounds):
    """Chips in the pot per seat."""
    chips = [1, 1]
    for size, moves in zip((2, 4), rounds, strict=False):
        for i, move in enumerate(moves):
            if move != "fold":
                chips[i & 1] = chips[1 - (i & 1)] + (size if move == "raise" else 0)
    return chips


def said(moves):
    """The moves of a round as people say them: to call is to check where nothing has to be matched."""
    return ["check" if move == "call" and "raise" not in moves[:i] else move for i, move in enumerate(moves)]


def fits_rules(rounds, second):
    """Can these rounds of moves happen? The first of two is finished, the last one need not be."""
    letters = ["".join(move[0] for move in moves) for moves in rounds]
    finished = not second or re.fullmatch("cc|c?r{1,2}c", letters[0])
    return len(rounds) == 1 + second and finished and re.fullmatch("cc|c?r{0,2}|c?r{1,2}[cf]", letters[-1])


cdef class LeducGame(Game):
    """Leduc poker has no options and no content pack."""

    def __cinit__(self):
        self.rules = &RULES

    def observation(self, State state, int seat):
        cdef const Leduc* h = <const Leduc*> state.data
        moves = [ACTIONS[h.moves[i]] for i in range(h.n)]
        return {"cards": [CARDS[h.card[i]] if h.status == SHOWN or i == seat else None for i in range(2)],
                "public_card": CARDS[h.public - 1] if h.public else None,
                "rounds": [moves[:h.first], moves[h.first:]] if h.public else [moves],
                "stakes": [h.stake[0], h.stake[1]]}

    def action_label(self, State state, int seat, int action):
        cdef const Leduc* h = <const Leduc*> state.data
        if action == RAISE:
            return f"Raise by {4 if h.public else 2} chips"
        if action == FOLD:
            return "Fold"
        return "Call" if h.stake[seat] < h.stake[1 - seat] else "Check"

    def question_text(self, State state, int seat):
        return choice_question([self.action_label(state, seat, action) for action in state.legal_actions(seat)])

    def action_args(self, State state, int seat, int action):
        cdef const Leduc* h = <const Leduc*> state.data
        cdef int stake = h.stake[seat] if action == FOLD else h.stake[1 - seat]
        return {"action": ACTIONS[action], "stake": stake + (0 if action != RAISE else 4 if h.public else 2)}

    def feature_text(self, int feature, double theirs, double mine):
        return chips_text(feature, theirs, mine)

    def event_text(self, event, int observer):
        if event.key in CORE_KEYS:
            return ""
        if event.key == "CARD":
            return f"You get {CARDS[event.args[0]]}."
        if event.key == "ACTED":
            seat, action, owed = event.args
            return acts(seat, observer, "check" if action == CALL and not owed else ACTIONS[action]) + "."
        if event.key == "PUBLIC_CARD":
            return f"The public card is {CARDS[event.args[0]]}."
        return f"Showdown: seat 0 has {CARDS[event.args[0]]}, seat 1 {CARDS[event.args[1]]}."

    def new_view(self, int seat):
        return LeducView(self.seats, seat)

    def state_from_view(self, view, int seat, seed):
        rounds = view["rounds"]
        seen = [card for card in (*view["cards"], view["public_card"]) if card is not None]
        if view["cards"][seat] is None or len(set(seen)) < len(seen) or not fits_rules(rounds, view["public_card"] is not None):
            raise ValueError("no hand of Leduc poker looks like this")
        cdef State state = rebuilt_state(self, view)
        cdef Leduc* h = <Leduc*> state.data
        cdef int i
        for i, card in enumerate(view["cards"]):
            h.card[i] = <uint8_t> CARDS.index(card) if card else 0
        if view["public_card"] is not None:
            h.public = <uint8_t> (1 + CARDS.index(view["public_card"]))
            h.first = <uint8_t> len(rounds[0])
        h.stake[0], h.stake[1] = stakes(rounds)
        h.raises = <uint8_t> rounds[-1].count("raise")
        for move in [move for moves in rounds for move in moves]:
            h.moves[h.n] = <uint8_t> ACTIONS.index(move)
            h.n += 1
        h.turn = <uint8_t> (len(rounds[-1]) & 1)
        if rounds[-1][-1:] == ["fold"]:
            h.status = FOLDED
        elif None not in view["cards"]:
            h.status = SHOWN
        seed_rng(&state.rng, seed, (int(Stream.RESAMPLE), seat))
        resample(NULL, h, seat, &state.rng)
        recall(state, [(i & 1, ACTIONS.index(move)) for moves in rounds for i, move in enumerate(moves)])
        return state

    def faces(self):
        return {card: Face(TITLES[card[0]], "card") for card in CARDS}

    def event_meanings(self):
        return {"card": Meaning("card", CARDS), "action": Meaning("word", ACTIONS)}

    def scene(self, observation, int observer):
        zones = [chips_zone(seat, card, chips)
                 for seat, (card, chips) in enumerate(zip(observation["cards"], observation["stakes"], strict=True))]
        public = Thing("card/public", observation["public_card"] or "")
        rounds = [Thing(f"round/{number}", label=f"round {number + 1}: {', '.join(said(moves)) or 'no move yet'}", shape="fact")
                  for number, moves in enumerate(observation["rounds"])]
        return Scene((Zone("public", "Public card", "row", (public,)), *zones, Zone("moves", "Moves", "facts", tuple(rounds))))

    def touch(self, State state, int seat, int action, observation):
        if action == FOLD:
            return Touch(prominence="irreversible")
        if action == CALL and observation["stakes"][0] == observation["stakes"][1]:
            return Touch(prominence="pass")
        return Touch((f"chips/{seat}",), prominence="primary" if action == CALL else "")

    def touched(self, State state, event, int observer):
        return chips_touched(event, observer)

    def result_text(self, State state):
        gains = [26 * value - 13 for value in state.returns()]
        if gains[0] == gains[1]:
            return "The pot is split."
        winner = gains.index(max(gains))
        return f"Seat {winner} wins {counted(gains[winner], 'chip')}."


SPEC = register(GameSpec(
    unit=Unit(name="chips won", heading="Chips", low=-MAX_LOSS, high=MAX_LOSS, digits=2),
    id="leduc",
    title="Leduc poker",
    summary="Two seats, six cards, one private and one public card. A reference game for search with hidden information.",
    rules_version=1,
    modes=(Mode(key="standard", title="Standard", seats=(2,), doc="One hand."),),
    rules="The deck is J, Q, K in two suits. Each player antes a chip and gets a card. After a round of betting one "
          "card is turned up for both, and a second round follows. A raise is 2 chips in the first round and 4 in the "
          "second; a round allows two. At the showdown a card of the public card's rank wins, otherwise the higher rank; "
          "equal ranks split the pot.",
    glossary={"J": "Jack, the lowest rank; there are two of them.", "Q": "Queen: beats J, loses to K; there are two of them.",
              "K": "King, the highest rank; there are two of them.", "fold": "Give up the hand; the other player takes the pot.",
              "call": "Match what the other player has put in.", "check": "Put in no chip, when there is nothing to match.",
              "raise": "Match, and put in 2 more chips (4 in the second round); a round allows two raises.",
              "chip": "What you play for; each player antes one.", "pot": "All chips put in so far; the winner takes it.",
              "card": "A rank and a suit, such as K1; the suits (1 and 2) don't matter.",
              "public card": "Turned up for both players after the first round; a card of its rank wins.",
              "round": "A round of betting: there is one before the public card and one after it."},
    prompts=(Prompt("ACT", "Fold, call or raise?"),),
    events=(EventType("CARD", ("card",)), EventType("ACTED", ("seat", "action", "owed"), turn=True),
            EventType("PUBLIC_CARD", ("card",)),
            EventType("SHOWDOWN", ("card0", "card1"))),
    features=CHIP_FEATURES,
    action_limit=3,
    public_choices=True,
    max_decisions=8,
    search={"selection": "regret", "prior_temperature": 0.05, "start_share": 0.6, "open_until": 20_000, "regret_prior": 1.0},
    create=lambda settings: LeducGame(SPEC, settings),
))
