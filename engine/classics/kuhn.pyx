"""Kuhn poker (Kuhn 1950): two seats, three cards, one bet. The worked example of docs/adding-a-game.md.

Each seat antes one chip and gets one of the cards J, Q, K. In turn a seat passes or bets one chip; after a bet,
passing folds and betting calls. At a showdown the higher card takes the pot. Utilities: (net chips + 2) / 4.
"""
from libc.string cimport memset

from seatmate.engine.core.contract cimport CoreEvent, Rules, ask_nobody, ask_one
from seatmate.engine.core.game cimport Game, State, rebuilt_state, recall
from seatmate.engine.core.rng cimport Rng, rng_below, seed_rng, shuffle_u8
from seatmate.engine.core.sink cimport PUBLIC, Sink, emit1, emit2
from seatmate.engine.core.types cimport action_t, uint8_t, uint32_t, uint64_t

from seatmate.engine.classics.chips import CHIP_FEATURES, chips_text, chips_touched, chips_zone
from seatmate.engine.classics.chips import RISK as CHIP_RISK
from seatmate.engine.core.meanings import Meaning
from seatmate.engine.core.registry import register
from seatmate.engine.core.rng import Stream
from seatmate.engine.core.scene import Face, Scene, Thing, Touch, Zone
from seatmate.engine.core.spec import EventType, GameSpec, Mode, Prompt, Unit, acts
from seatmate.engine.core.view import View

CARDS = "JQK"

cdef enum Action:
    PASS = 0
    BET = 1

cdef enum EventKind:
    CARD = CoreEvent.FIRST_GAME_EVENT   # (card) to its owner
    ACTED                               # (seat, action) to all
    SHOWDOWN                            # (card of seat 0, card of seat 1) to all

cdef double RISK = CHIP_RISK

# ---- The state ----

cdef struct Kuhn:
    uint8_t card[2]         # 0 J, 1 Q, 2 K
    uint8_t moves[3]        # Action
    uint8_t n               # moves made


cdef bint over(const Kuhn* k) noexcept nogil:
    return k.n == 3 or (k.n == 2 and not (k.moves[0] == PASS and k.moves[1] == BET))


cdef bint folded(const Kuhn* k) noexcept nogil:
    return k.moves[k.n - 1] == PASS and k.moves[k.n - 2] == BET

# ---- The contract ----

cdef void init(const void* tables, void* state, Rng* rng, Sink* sink) noexcept nogil:
    cdef Kuhn* k = <Kuhn*> state
    cdef uint8_t deck[3]
    cdef int i
    memset(k, 0, sizeof(Kuhn))
    for i in range(3):
        deck[i] = <uint8_t> i
    shuffle_u8(deck, 3, rng)
    for i in range(2):
        k.card[i] = deck[i]
        emit1(sink, CARD, 1 << i, deck[i])
    ask_one(sink, 0, 0, 0)


cdef uint32_t pending(const void* tables, const void* state) noexcept nogil:
    cdef const Kuhn* k = <const Kuhn*> state
    return 0 if over(k) else 1 << (k.n & 1)


cdef int prompt(const void* tables, const void* state, int seat) noexcept nogil:
    return 0 if pending(tables, state) >> seat & 1 else -1


cdef int legal_actions(const void* tables, const void* state, int seat, action_t* out) noexcept nogil:
    if not pending(tables, state) >> seat & 1:
        return 0
    out[0] = PASS
    out[1] = BET
    return 2


cdef void advance(const void* tables, void* state, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil:
    cdef Kuhn* k = <Kuhn*> state
    k.moves[k.n] = <uint8_t> action
    k.n += 1
    emit2(sink, ACTED, PUBLIC, seat, action)
    if not over(k):
        ask_one(sink, k.n & 1, 0, 0)
        return
    if not folded(k):
        emit2(sink, SHOWDOWN, PUBLIC, k.card[0], k.card[1])
    ask_nobody(sink)


cdef void returns(const void* tables, const void* state, double* out) noexcept nogil:
    cdef const Kuhn* k = <const Kuhn*> state
    cdef int winner = k.n & 1 if folded(k) else (0 if k.card[0] > k.card[1] else 1)
    cdef double chips = 2 if k.moves[k.n - 1] == BET else 1
    out[winner] = (2 + chips) / 4
    out[1 - winner] = (2 - chips) / 4


cdef void evaluate(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    if over(<const Kuhn*> state):
        returns(tables, state, out)
    else:
        out[0] = 0.5
        out[1] = 0.5


cdef void score_actions(const void* tables, const void* state, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil:
    cdef int card = (<const Kuhn*> state).card[seat]
    out[0] = 0.5                        # pass
    out[1] = 0.25 + 0.25 * card         # bet


cdef int features(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    """Chips to expect if the cards were shown now, by the own card alone; chips that may be lost; has the other seat folded?"""
    cdef const Kuhn* k = <const Kuhn*> state
    cdef int chips = 1
    cdef int i
    for i in range(k.n):
        chips += k.moves[i] == BET and i & 1 == seat
    out[0] = chips * (k.card[seat] - 1)
    if k.n > 1 and folded(k):
        out[0] = 1 if k.n & 1 == seat else -1
    out[1] = RISK * chips
    out[2] = k.n > 1 and folded(k) and k.n & 1 == seat
    return 3


cdef void resample(const void* tables, void* state, int seat, Rng* rng) noexcept nogil:
    cdef Kuhn* k = <Kuhn*> state
    if not over(k) or folded(k):
        k.card[1 - seat] = <uint8_t> ((k.card[seat] + 1 + rng_below(rng, 2)) % 3)


cdef uint64_t private_key(const void* tables, const void* state, int seat) noexcept nogil:
    return (<const Kuhn*> state).card[seat]


cdef Rules RULES
RULES.state_size = sizeof(Kuhn)
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

class KuhnView(View):
    """What one seat knows: its card, the moves, and both cards after a showdown."""

    def __init__(self, seats: int, observer: int) -> None:
        super().__init__(SPEC, seats, observer)
        self.cards = [None, None]
        self.moves = []

    def apply(self, key, args):
        if key == "CARD":
            self.cards[self.observer] = CARDS[args[0]]
        elif key == "ACTED":
            self.moves.append("bet" if args[1] == BET else "pass")
        elif key == "SHOWDOWN":
            self.cards = [CARDS[card] for card in args]

    def body(self):
        return {"cards": list(self.cards), "moves": list(self.moves)}


cdef class KuhnGame(Game):
    """Kuhn poker has no options and no content pack."""

    def __cinit__(self):
        self.rules = &RULES

    def observation(self, State state, int seat):
        cdef const Kuhn* k = <const Kuhn*> state.data
        shown = over(k) and not folded(k)
        return {"cards": [CARDS[k.card[i]] if shown or i == seat else None for i in range(2)],
                "moves": ["bet" if k.moves[i] == BET else "pass" for i in range(k.n)]}

    def action_label(self, State state, int seat, int action):
        cdef const Kuhn* k = <const Kuhn*> state.data
        if k.n and k.moves[k.n - 1] == BET:
            return "Bet one chip (call)" if action == BET else "Pass (fold)"
        return "Bet one chip" if action == BET else "Pass"

    def action_args(self, State state, int seat, int action):
        return {"chips": action}

    def event_text(self, event, int observer):
        if event.key == "CARD":
            return f"You get the {CARDS[event.args[0]]}."
        if event.key == "ACTED":
            return acts(event.args[0], observer, "bet" if event.args[1] == BET else "pass") + "."
        if event.key == "SHOWDOWN":
            return f"Showdown: seat 0 has the {CARDS[event.args[0]]}, seat 1 the {CARDS[event.args[1]]}."
        return ""

    def feature_text(self, int feature, double theirs, double mine):
        return chips_text(feature, theirs, mine)

    def new_view(self, int seat):
        return KuhnView(self.seats, seat)

    def state_from_view(self, view, int seat, seed):
        if len(view["moves"]) > 2 or view["cards"][seat] is None:
            raise ValueError("no hand of Kuhn poker looks like this")
        cdef State state = rebuilt_state(self, view)
        cdef Kuhn* k = <Kuhn*> state.data
        cdef int i
        for i, move in enumerate(view["moves"]):
            k.moves[i] = BET if move == "bet" else PASS
        k.n = <uint8_t> len(view["moves"])
        for i, card in enumerate(view["cards"]):
            k.card[i] = <uint8_t> CARDS.index(card) if card else 0
        seed_rng(&state.rng, seed, (int(Stream.RESAMPLE), seat))
        resample(NULL, k, seat, &state.rng)
        recall(state, [(i & 1, k.moves[i]) for i in range(k.n)])
        return state

    def faces(self):
        return {card: Face(title, "card") for card, title in zip(CARDS, ("Jack", "Queen", "King"), strict=True)}

    def event_meanings(self):
        return {"card": Meaning("card", tuple(CARDS)), "action": Meaning("word", ("pass", "bet"))}

    def scene(self, observation, int observer):
        chips = [1 + sum(move == "bet" for move in observation["moves"][seat::2]) for seat in range(2)]
        moves = Thing("moves/all", label=", ".join(observation["moves"]) or "none yet", shape="fact")
        return Scene((*[chips_zone(seat, card, chips[seat]) for seat, card in enumerate(observation["cards"])],
                      Zone("moves", "Moves", "facts", (moves,))))

    def touch(self, State state, int seat, int action, observation):
        cdef const Kuhn* k = <const Kuhn*> state.data
        if k.n and k.moves[k.n - 1] == BET:
            return Touch((f"chips/{seat}",), prominence="primary") if action == BET else Touch(prominence="irreversible")
        return Touch((f"chips/{seat}",)) if action == BET else Touch(prominence="pass")

    def touched(self, State state, event, int observer):
        return chips_touched(event, observer)

    def result_text(self, State state):
        gains = [4 * value - 2 for value in state.returns()]
        winner = gains.index(max(gains))
        return f"Seat {winner} wins {gains[winner]:.0f} chip{'s' if gains[winner] > 1 else ''}."


SPEC = register(GameSpec(
    unit=Unit(name="chips won", heading="Chips", low=-2, high=2, digits=2),
    id="kuhn",
    title="Kuhn poker",
    summary="The smallest poker: two seats, three cards, one bet. A reference game with a known solution.",
    rules_version=1,
    modes=(Mode(key="standard", title="Standard", seats=(2,), doc="One hand."),),
    rules="Each player antes a chip and gets one of the cards J, Q, K; the third stays hidden. In turn you pass or bet "
          "one more chip. After a bet, to pass is to fold and lose the ante, and to bet is to call. If both pass or "
          "both bet, the higher card (K, then Q, then J) takes the pot. One hand is a game.",
    glossary={"J": "Jack, the lowest card.", "Q": "Queen: beats J, loses to K.", "K": "King, the highest card.",
              "pass, check": "Put in no chip. If both pass, there is a showdown for the antes. After a bet, to pass is to fold.",
              "bet": "Put in one chip. The other player then calls or folds.",
              "call": "Put in a chip to match the bet; there is a showdown.",
              "fold": "Give up the hand; the other player takes the pot.", "pot": "All chips put in so far; the winner takes it.",
              "chip": "What you play for; each player antes one.",
              "ante": "The chip each player puts in before the cards are dealt.",
              "card": "J, Q or K; each player has one, and nobody sees the third.",
              "moves": "What was done so far, seat 0 first.",
              "showdown": "Both cards are shown, and the higher one takes the pot."},
    prompts=(Prompt("ACT", "Pass or bet?"),),
    events=(EventType("CARD", ("card",)), EventType("ACTED", ("seat", "action"), turn=True),
            EventType("SHOWDOWN", ("card0", "card1"))),
    features=CHIP_FEATURES,
    action_limit=2,
    public_choices=True,
    max_decisions=3,
    search={"selection": "regret", "prior_temperature": 0.05, "start_share": 0.9, "open_until": 1000, "regret_prior": 1.0},
    create=lambda settings: KuhnGame(SPEC, settings),
))
