"""Liar's dice, one round of it: two to four seats roll dice under their cups and outbid each other; one call ends it.

In turn a seat bids that at least so many of all dice show a face, or calls the last bid a lie. A bid must be higher than the
last: more dice, or as many of a higher face. Sixes are wild: they count for every face. When a bid is called all dice are
shown; if it holds, the bidder wins and the caller loses, else the other way round. (As OpenSpiel's liars_dice.) After the highest
bid only the call is left; it is asked all the same, and the published numbers of information sets count it.

Utilities: winner 1, loser 0, other seats 1/2. Actions: (quantity - 1) * 6 + face - 1; the call comes after the highest bid.
"""
from libc.math cimport exp
from libc.string cimport memset

from seatmate.engine.core.contract cimport CoreEvent, Rules, ask_nobody, ask_one
from seatmate.engine.core.game cimport Game, State, rebuilt_state, recall
from seatmate.engine.core.rng cimport Rng, rng_below, rng_unit, seed_rng
from seatmate.engine.core.sink cimport PUBLIC, Sink, emit, emit1, emit3, mix
from seatmate.engine.core.types cimport MAX_ACTIONS, action_t, int32_t, uint8_t, uint32_t, uint64_t
from seatmate.engine.core.zones cimport sort_short

from seatmate.engine.core.registry import register
from seatmate.engine.core.rng import Stream
from seatmate.engine.core.scene import Scene, Thing, Touch, Zone
from seatmate.engine.core.spec import (
    CORE_KEYS, Calibration, EventType, Feature, GameSpec, Mode, Option, Prompt, Unit, acts, instead,
)
from seatmate.engine.core.view import View

cdef enum:
    SEATS = 4
    DICE = 5
    FACES = 6               # the highest is wild
    ALL_DICE = 20
    ALL_BIDS = 120

# What the heuristic thinks of those who bid. The figures are those with which it is least exploitable, one die each (TUNING.md).
cdef double TOLD = 3.5          # a die of the last bidder's is so much likelier to show the face of that bid than another
cdef double RAISED = 0.7        # what a bid is worth that nobody calls
cdef double WAVERING = 0.28     # utility by which an answer may look worse and be given e times more rarely

cdef enum EventKind:
    ROLLED = CoreEvent.FIRST_GAME_EVENT     # (faces, ascending) to their owner
    BID                                     # (seat, quantity, face) to all
    CALLED                                  # (seat) to all
    SHOWN                                   # (seat, faces) to all, seat by seat

# ---- The state ----

cdef struct Table:
    int seats
    int dice                # per seat
    int call                # the action: one after the highest bid
    double chance[2][ALL_DICE + 1][ALL_DICE + 1]    # of at least q matches among u unseen dice; [1]: sixes only match themselves


cdef struct LiarsDice:
    uint8_t die[SEATS][DICE]    # faces 1..6, ascending; 0 = no die
    uint8_t bids            # bids made; the seats bid in turn, so bid i is seat i % seats'
    uint8_t bid[ALL_BIDS]   # actions, ascending
    uint8_t called          # by the seat whose turn it is


cdef inline int quantity(int bid) noexcept nogil:
    return bid // FACES + 1


cdef inline int face(int bid) noexcept nogil:
    return bid % FACES + 1


cdef inline int matches(const Table* t, const LiarsDice* d, int seat, int wanted) noexcept nogil:
    """The seat's dice that count for a face."""
    cdef int i
    cdef int n = 0
    for i in range(t.dice):
        n += d.die[seat][i] == wanted or d.die[seat][i] == FACES
    return n


cdef inline bint holds(const Table* t, const LiarsDice* d) noexcept nogil:
    """Is the last bid true?"""
    cdef int bid = d.bid[d.bids - 1]
    cdef int seat
    cdef int n = 0
    for seat in range(t.seats):
        n += matches(t, d, seat, face(bid))
    return n >= quantity(bid)


cdef inline double belief(const Table* t, const LiarsDice* d, int seat, int bid) noexcept nogil:
    """The chance that a bid is true, from the seat's own dice alone."""
    cdef int missing = quantity(bid) - matches(t, d, seat, face(bid))
    return t.chance[face(bid) == FACES][(t.seats - 1) * t.dice][missing] if missing > 0 else 1.0


cdef inline int last_bid(const Table* t, const LiarsDice* d, int seat) noexcept nogil:
    """The seat's own last bid; -1 if it has not bid yet."""
    cdef int i
    for i in range(d.bids - 1, max(d.bids - 1 - t.seats, -1), -1):
        if i % t.seats == seat:
            return d.bid[i]
    return -1


cdef void outlooks(const Table* t, const LiarsDice* d, int seat, double* out) noexcept nogil:
    """The chance that each bid is true, by the seat's own dice and by what the others have bid last: out[t.call].

    Everybody is taken to bid a face sooner if it is there: TOLD.
    """
    cdef double odds[ALL_DICE + 1]      # of just so many matches among the others' dice
    cdef double likely, tail
    cdef int told[SEATS]
    cdef int unseen = (t.seats - 1) * t.dice
    cdef int held, i, k, other, wanted
    for other in range(t.seats):
        i = last_bid(t, d, other)
        told[other] = face(i) if i >= 0 else 0
    for wanted in range(1, FACES + 1):
        memset(odds, 0, sizeof(odds))
        odds[0] = 1
        k = 0
        for other in range(t.seats):
            if other == seat:
                continue
            likely = (1 if wanted == FACES else 2) + (TOLD - 1 if told[other] in (wanted, FACES) and told[other] else 0)
            likely /= FACES + (TOLD - 1 if told[other] else 0)
            for _die in range(t.dice):
                k += 1
                for i in range(k, 0, -1):
                    odds[i] += likely * (odds[i - 1] - odds[i])
                odds[0] *= 1 - likely
        held = matches(t, d, seat, wanted)
        tail = 0
        for k in range(t.seats * t.dice, 0, -1):        # k of all dice
            if 0 <= k - held <= unseen:
                tail += odds[k - held]
            out[(k - 1) * FACES + wanted - 1] = tail if k > held else 1.0


cdef inline void roll(const Table* t, LiarsDice* d, int seat, Rng* rng) noexcept nogil:
    cdef int i
    for i in range(t.dice):
        d.die[seat][i] = <uint8_t> (1 + rng_below(rng, FACES))
    sort_short(d.die[seat], t.dice)


cdef void tell_dice(const Table* t, const LiarsDice* d, int seat, bint to_all, Sink* sink) noexcept nogil:
    cdef int32_t args[1 + DICE]
    cdef int i
    if sink != NULL:
        args[0] = seat
        for i in range(t.dice):
            args[1 + i] = d.die[seat][i]
        if to_all:
            emit(sink, SHOWN, PUBLIC, 1 + t.dice, args)
        else:
            emit(sink, ROLLED, 1 << seat, t.dice, args + 1)

# ---- The contract ----

cdef void init(const void* tables, void* state, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Table* t = <const Table*> tables
    cdef LiarsDice* d = <LiarsDice*> state
    cdef int seat
    memset(d, 0, sizeof(LiarsDice))
    for seat in range(t.seats):
        roll(t, d, seat, rng)
        tell_dice(t, d, seat, False, sink)
    ask_one(sink, 0, 0, 0)


cdef uint32_t pending(const void* tables, const void* state) noexcept nogil:
    cdef const LiarsDice* d = <const LiarsDice*> state
    return 0 if d.called else 1 << d.bids % (<const Table*> tables).seats


cdef int prompt(const void* tables, const void* state, int seat) noexcept nogil:
    return 0 if pending(tables, state) >> seat & 1 else -1


cdef int legal_actions(const void* tables, const void* state, int seat, action_t* out) noexcept nogil:
    cdef const LiarsDice* d = <const LiarsDice*> state
    cdef int call = (<const Table*> tables).call
    cdef int action, n
    if not pending(tables, state) >> seat & 1:
        return 0
    n = 0
    for action in range(d.bid[d.bids - 1] + 1 if d.bids else 0, call):
        out[n] = action
        n += 1
    if d.bids:
        out[n] = call
        n += 1
    return n


cdef void advance(const void* tables, void* state, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Table* t = <const Table*> tables
    cdef LiarsDice* d = <LiarsDice*> state
    cdef int i
    if action < t.call:
        d.bid[d.bids] = <uint8_t> action
        d.bids += 1
        emit3(sink, BID, PUBLIC, seat, quantity(action), face(action))
        ask_one(sink, d.bids % t.seats, 0, 0)
        return
    d.called = True
    emit1(sink, CALLED, PUBLIC, seat)
    for i in range(t.seats):
        tell_dice(t, d, i, True, sink)
    ask_nobody(sink)


cdef void returns(const void* tables, const void* state, double* out) noexcept nogil:
    cdef const Table* t = <const Table*> tables
    cdef const LiarsDice* d = <const LiarsDice*> state
    cdef double bidder = holds(t, d)
    cdef int seat
    for seat in range(t.seats):
        out[seat] = 0.5
    out[(d.bids - 1) % t.seats] = bidder
    out[d.bids % t.seats] = 1.0 - bidder


cdef void evaluate(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    """Half way to what a call would bring."""
    cdef const Table* t = <const Table*> tables
    cdef const LiarsDice* d = <const LiarsDice*> state
    cdef double odds[ALL_BIDS]
    cdef double bidder
    cdef int i
    if d.called:
        returns(tables, state, out)
        return
    for i in range(t.seats):
        out[i] = 0.5
    if d.bids:
        if seat >= 0:
            outlooks(t, d, seat, odds)
            bidder = odds[d.bid[d.bids - 1]]
        else:
            bidder = holds(t, d)
        out[(d.bids - 1) % t.seats] = 0.25 + 0.5 * bidder
        out[d.bids % t.seats] = 0.75 - 0.5 * bidder


cdef int features(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    """Whether the last claim, a bid or a call, is the seat's own; how likely it is then right, by the seat's own dice."""
    cdef const Table* t = <const Table*> tables
    cdef const LiarsDice* d = <const LiarsDice*> state
    cdef int bidder = (d.bids - 1) % t.seats if d.bids else -1
    cdef double odds = belief(t, d, seat, d.bid[d.bids - 1]) if d.bids else 0.5
    out[0] = 0
    out[1] = 0
    if bidder == seat:
        out[0] = 1
        out[1] = odds
    elif d.called and d.bids % t.seats == seat:
        out[0] = 1
        out[1] = 1 - odds
    return 2


cdef void score_actions(const void* tables, const void* state, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil:
    """A call: how likely the last bid is a lie. A bid: how likely it is true, and RAISED, as often as nobody should call it.

    Others are taken to call it as often as it should be a lie to who has seen no dice.
    """
    cdef const Table* t = <const Table*> tables
    cdef const LiarsDice* d = <const LiarsDice*> state
    cdef double odds[ALL_BIDS]
    cdef double believed
    cdef int i
    outlooks(t, d, seat, odds)
    for i in range(n):
        if actions[i] < t.call:
            believed = t.chance[face(actions[i]) == FACES][t.seats * t.dice][quantity(actions[i])]
            out[i] = believed * RAISED + (1 - believed) * odds[actions[i]]
        else:
            out[i] = 1.0 - odds[d.bid[d.bids - 1]]


cdef action_t quick_action(const void* tables, const void* state, int seat, const action_t* actions, int n,
                           Rng* rng) noexcept nogil:
    """What looks worse is played more rarely, so that bids don't give the dice away."""
    cdef double scores[MAX_ACTIONS]
    cdef double total = 0
    cdef double left
    cdef int i
    score_actions(tables, state, seat, actions, n, scores)
    for i in range(n):
        scores[i] = exp(scores[i] / WAVERING)
        total += scores[i]
    left = rng_unit(rng) * total
    for i in range(n - 1):
        left -= scores[i]
        if left < 0:
            return actions[i]
    return actions[n - 1]


cdef void resample(const void* tables, void* state, int seat, Rng* rng) noexcept nogil:
    cdef const Table* t = <const Table*> tables
    cdef LiarsDice* d = <LiarsDice*> state
    cdef int other
    if not d.called:
        for other in range(t.seats):
            if other != seat:
                roll(t, d, other, rng)


cdef void plausible(const void* tables, void* state, int seat, Rng* rng) noexcept nogil:
    """Others have the face that they bid last as often as the heuristic thinks."""
    cdef const Table* t = <const Table*> tables
    cdef LiarsDice* d = <LiarsDice*> state
    cdef int bid, i, other
    if d.called:
        return
    for other in range(t.seats):
        bid = last_bid(t, d, other)
        if other == seat or bid < 0:
            continue
        for i in range(t.dice):
            if rng_unit(rng) * (FACES + TOLD - 1) < TOLD - 1:
                d.die[other][i] = <uint8_t> face(bid)
        sort_short(d.die[other], t.dice)


cdef uint64_t private_key(const void* tables, const void* state, int seat) noexcept nogil:
    cdef const LiarsDice* d = <const LiarsDice*> state
    cdef uint64_t key = 0
    cdef int i
    for i in range(DICE):
        key = mix(key, d.die[seat][i])
    return key


cdef Rules RULES
RULES.state_size = sizeof(LiarsDice)
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
RULES.plausible = plausible
RULES.quick_action = quick_action

# ---- In words ----

class LiarsDiceView(View):
    """What one seat knows: its own dice, the bids, who called, and all dice after that."""

    def __init__(self, seats: int, observer: int) -> None:
        super().__init__(SPEC, seats, observer)
        self.dice = [None] * seats
        self.bids = []
        self.caller = None

    def apply(self, key, args):
        if key == "ROLLED":
            self.dice[self.observer] = list(args)
        elif key == "BID":
            self.bids.append({"seat": args[0], "quantity": args[1], "face": args[2]})
        elif key == "CALLED":
            self.caller = args[0]
        else:
            self.dice[args[0]] = list(args[1:])

    def body(self):
        return {"dice": list(self.dice), "bids": list(self.bids), "caller": self.caller}


cdef class LiarsDiceGame(Game):
    """One option: how many dice each seat has."""

    cdef Table table

    def __cinit__(self):
        self.rules = &RULES
        self.tables = &self.table

    def __init__(self, spec, settings):
        cdef int wild, unseen, q
        super().__init__(spec, settings)
        self.table.seats = settings.seats
        self.table.dice = settings.options["dice"]
        self.table.call = FACES * self.table.seats * self.table.dice
        for wild in range(2):
            p = 1.0 / FACES if wild else 2.0 / FACES
            for unseen in range(ALL_DICE + 1):
                for q in range(ALL_DICE + 1):
                    if q == 0 or unseen == 0:
                        self.table.chance[wild][unseen][q] = q == 0
                    else:
                        self.table.chance[wild][unseen][q] = (p * self.table.chance[wild][unseen - 1][q - 1]
                                                              + (1 - p) * self.table.chance[wild][unseen - 1][q])

    def observation(self, State state, int seat):
        cdef const LiarsDice* d = <const LiarsDice*> state.data
        cdef int i
        return {"dice": [[d.die[owner][i] for i in range(self.table.dice)] if d.called or owner == seat else None
                         for owner in range(self.seats)],
                "bids": [{"seat": i % self.seats, "quantity": quantity(d.bid[i]), "face": face(d.bid[i])} for i in range(d.bids)],
                "caller": d.bids % self.seats if d.called else None}

    def action_label(self, State state, int seat, int action):
        if action == self.table.call:
            return "Call it a lie"
        return f"At least {quantity(action)} × {face(action)}"

    def action_args(self, State state, int seat, int action):
        if action == self.table.call:
            return {"call": 1}
        return {"quantity": quantity(action), "face": face(action)}

    def feature_text(self, int feature, double theirs, double mine):
        held = instead(100 * mine, 100 * theirs, sign=" %")
        return held and f"chance to be right, by your dice: {held}"

    def event_text(self, event, int observer):
        if event.key in CORE_KEYS:
            return ""
        if event.key == "ROLLED":
            return f"You roll {' '.join(map(str, event.args))}."
        if event.key == "BID":
            return acts(event.args[0], observer, "bid") + f" at least {event.args[1]} × {event.args[2]}."
        if event.key == "CALLED":
            return acts(event.args[0], observer, "call") + " it a lie."
        return acts(event.args[0], observer, "show") + f" {' '.join(map(str, event.args[1:]))}."

    def new_view(self, int seat):
        return LiarsDiceView(self.seats, seat)

    def state_from_view(self, view, int seat, seed):
        cdef State state = rebuilt_state(self, view)
        cdef LiarsDice* d = <LiarsDice*> state.data
        cdef int owner, i, shown
        for owner, dice in enumerate(view["dice"]):
            if dice is not None and len(dice) == self.table.dice and 1 <= min(dice) and max(dice) <= FACES:
                for i, shown in enumerate(sorted(dice)):
                    d.die[owner][i] = <uint8_t> shown
            elif dice is not None or owner == seat:
                raise ValueError(f"seat {owner} has {self.table.dice} dice of {FACES} faces")
        for bid in view["bids"]:
            i = FACES * (bid["quantity"] - 1) + bid["face"] - 1
            if not (d.bid[d.bids - 1] if d.bids else -1) < i < self.table.call:
                raise ValueError(f"the bid {bid} is out of order")
            d.bid[d.bids] = <uint8_t> i
            d.bids += 1
        d.called = <bint> (view["caller"] is not None)
        seed_rng(&state.rng, seed, (int(Stream.RESAMPLE), seat))
        resample(self.tables, d, seat, &state.rng)
        recall(state, [(i % self.seats, d.bid[i]) for i in range(d.bids)])
        return state

    def board_lines(self, observation, int observer):
        lines = [f"{'your' if seat == observer else f'seat {seat}:'} dice {' '.join(map(str, dice or '?' * self.table.dice))}"
                 for seat, dice in enumerate(observation["dice"])]
        lines += [acts(bid["seat"], observer, "bid").lower() + f" at least {bid['quantity']} × {bid['face']}"
                  for bid in observation["bids"][-self.seats:]]
        if observation["caller"] is not None:
            lines.append(acts(observation["caller"], observer, "call").lower() + " it a lie")
        return lines

    def scene(self, observation, int observer):
        last = observation["bids"][-1] if observation["bids"] else {"quantity": 1, "face": 0, "seat": None}
        zones = [Zone(f"dice/{seat}", "Dice", "row", tuple([
            Thing(f"die/{seat}/{i}", shape="die", seat=seat, value=dice[i] if dice else None)
            for i in range(self.table.dice)]), seat=seat)
            for seat, dice in enumerate(observation["dice"])]
        made = {(bid["quantity"], bid["face"]): bid["seat"] for bid in observation["bids"]}
        # All bids that there are, by rows of one quantity: those made show by whom, lower ones can't be made any more.
        bids = [Thing(f"bid/{q}/{f}", label=f"{q} × {f}", shape="cell", seat=made.get((q, f)),
                      tags=("last",) if (q, f) == (last["quantity"], last["face"])
                      else ("too_low",) if (q, f) < (last["quantity"], last["face"]) else ())
                for q in range(1, self.seats * self.table.dice + 1) for f in range(1, FACES + 1)]
        zones.append(Zone("bids", "Bids", "grid", tuple(bids), FACES))
        return Scene(tuple(zones))

    def touch(self, State state, int seat, int action, observation):
        if action == self.table.call:
            return Touch(group="Call", prominence="irreversible" if len(state.legal_actions(seat)) > 1 else "")
        return Touch((f"bid/{quantity(action)}/{face(action)}",), "Bid")

    def touched(self, State state, event, int observer):
        if event.key == "BID":
            return (f"bid/{event.args[1]}/{event.args[2]}",)
        if event.key == "CALLED":
            return (f"dice/{event.args[0]}",)
        if event.key in ("ROLLED", "SHOWN"):
            seat = observer if event.key == "ROLLED" else event.args[0]
            return tuple([f"die/{seat}/{i}" for i in range(self.table.dice)])
        return ()

    def unit(self):
        return SPEC.unit if self.seats == 2 else RESULT

    def result_text(self, State state):
        cdef const LiarsDice* d = <const LiarsDice*> state.data
        values = state.returns()
        held = holds(&self.table, d)
        return f"The bid {'holds' if held else 'is a lie'}: seat {values.index(1.0)} wins, seat {values.index(0.0)} loses."


RESULT = Unit(name="result", heading="Result", high=100,
              doc="100 for whoever is right about the last bid, 0 for whoever is wrong, 50 for all others")

SPEC = register(GameSpec(
    id="liars_dice",
    title="Liar's dice",
    summary="Hidden dice, rising bids, one call. A reference game for bluffing.",
    rules_version=1,
    modes=(Mode(key="standard", title="Standard", seats=(2, 3, 4), doc="One roll and one call; sixes are wild."),),
    options=(Option(key="dice", title="Dice per seat", kind="int", default=1, minimum=1, maximum=DICE, doc="Dice per seat."),),
    rules="Everybody rolls in secret. In turn you bid that at least so many of all dice show a face (sixes count as "
          "every face), or call the last bid a lie. A bid must be higher than the last: more dice, or as many dice of a "
          "higher face. After a call all dice are shown: if the bid holds, the bidder wins and the caller loses; "
          "otherwise the caller wins and the bidder loses.",
    glossary={"bid": "3 × 5 means: at least three of all dice show a five or a six. More dice make a higher bid, then "
                     "a higher face.",
              "call": "Say that the last bid is a lie: all dice are shown, and the game is decided.",
              "lie": "A bid that is not true: fewer dice show its face than it says.",
              "dice, die": "Before the call you see only your own. A six counts as every face.",
              "last": "The bid that is to be raised, or called a lie.", "too low": "Not higher than the last bid.",
              "×": "Stands between the number of dice and the face in a bid."},
    prompts=(Prompt("BID", "Bid higher, or call it a lie?"),),
    events=(EventType("ROLLED", tuple(f"face{i}" for i in range(DICE)), optional=DICE - 1),
            EventType("BID", ("seat", "quantity", "face"), turn=True),
            EventType("CALLED", ("seat",), turn=True),
            EventType("SHOWN", ("seat", *[f"face{i}" for i in range(DICE)]), optional=DICE - 1)),
    features=(Feature("own", clock=True), Feature("right")),
    action_limit=ALL_BIDS + 1,
    public_choices=True,
    max_decisions=ALL_BIDS + 1,
    search={"exploration": 2.0, "prior_temperature": 0.2, "split_private": True, "plausible_worlds": True, "rollout_epsilon": 0.0,
            "mixing": 0.15, "least_share": 0.2},
    calibration=(       # benches/calibration.py; between four it is right as it is
        Calibration(mode="standard", seats=2, options={"dice": 1}, shift=0.55, slope=1.37, bend=-1.02, at=-0.11),
        Calibration(mode="standard", seats=3, options={"dice": 1}, shift=-0.05, slope=0.71, bend=0.87, at=0.1),
    ),
    create=lambda settings: LiarsDiceGame(SPEC, settings),
))
