"""Verbs that do something to players and their cards: when each can do something, and what it does (`row`, at the end)."""
from seatmate.engine.core.machine cimport Call
from seatmate.engine.core.sink cimport PUBLIC, emit, emit1, emit2, emit3, everyone_but
from seatmate.engine.core.types cimport int32_t, uint8_t, uint16_t
from seatmate.engine.core.zones cimport sort_short
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules cimport board
from seatmate.engine.mythos.rules.frames cimport (
    ASKED, FINISHED, PUSHED, REFUSED, begin_play, commit, push_line, take_looked,
)
from seatmate.engine.mythos.rules.legal cimport (
    POSSIBLE, can_do, can_play, copy_options, kinds_of_hand, play_options, pool_options, possible_fn,
)
from seatmate.engine.mythos.rules.model cimport (
    ALL_THERE, LOOKED, NONE, TOPS, ask, ask_on, bit, deck_size, first_looked, free_slot, in_play, is_up, top_frame,
)
from seatmate.engine.mythos.rules.plays cimport Play, chain_answers, follow_chain, missions_of
from seatmate.engine.mythos.rules.query cimport Context, card_matches, look_from_frame
from seatmate.engine.mythos.secrets.knowledge cimport came_to_light, hand_to, saw_hand, top_to, went_to_hand

ctypedef int (*verb_fn)(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil

cdef verb_fn RUN[V.POWER]

cdef enum:                  # Frame.sub
    WAITING = 1             # for an answer, or for a frame above

# ---- Small helpers ----

cdef inline int min(int a, int b) noexcept nogil:
    return a if a < b else b


cdef inline bint concerns(const Frame* f, int seat) noexcept nogil:
    """Is this one of the seats the call is about? who: -1 and 0 you, 1 the opponent, 2 both."""
    return f.who == 2 or (seat == f.you) == (f.who != 1)


cdef int looking_for(const Book* t, int selector) noexcept nogil:
    """1 + number of a TAKE_LOOKED filter, as Mythos.top_not has it."""
    cdef int i
    for i in range(t.filters):
        if t.filter[i] == selector:
            return i + 1
    return 0

# ---- Can it do something? ---- (V-PLAYER)

cdef bint always(const Context* c, const Frame* f, const Call* call) noexcept nogil:
    return True


cdef bint some(const Context* c, const Frame* f, const Call* call) noexcept nogil:
    return call.args[0] > 0


cdef bint has_looked(const Context* c, const Frame* f, const Call* call) noexcept nogil:
    return f != NULL and f.looked > 0


cdef inline bint either(const Call* call, int mine, int theirs) noexcept nogil:
    """Has one of the seats that the call is about what it takes?"""
    return (call.who != 1 and mine) or (call.who >= 1 and theirs)


cdef bint can_draw(const Context* c, const Frame* f, const Call* call) noexcept nogil:
    return call.args[0] > 0 and either(call, deck_size(c.state, c.you), deck_size(c.state, 1 - c.you))


cdef bint can_discard(const Context* c, const Frame* f, const Call* call) noexcept nogil:
    return call.args[0] > 0 and either(call, c.state.hand_n[c.you], c.state.hand_n[1 - c.you])


cdef bint can_see_hand(const Context* c, const Frame* f, const Call* call) noexcept nogil:
    return c.state.hand_n[1 - c.you] > 0


cdef bint can_raid(const Context* c, const Frame* f, const Call* call) noexcept nogil:
    return call.args[0] > 0 and c.state.hand_n[1 - c.you] > 0


cdef bint can_steal(const Context* c, const Frame* f, const Call* call) noexcept nogil:
    return call.args[0] > 0 and c.state.chakra[1 - c.you] > 0


cdef bint can_pay(const Context* c, const Frame* f, const Call* call) noexcept nogil:
    return c.state.chakra[c.you] > 0


cdef bint can_give_edge(const Context* c, const Frame* f, const Call* call) noexcept nogil:
    return c.state.edge != (c.you if call.args[0] == 0 else 1 - c.you)


cdef bint can_mill(const Context* c, const Frame* f, const Call* call) noexcept nogil:
    return deck_size(c.state, 1 - c.you if call.who >= 1 else c.you) > 0


cdef bint can_put_hidden(const Context* c, const Frame* f, const Call* call) noexcept nogil:
    if free_slot(c.state) == NONE:
        return False
    if call.args[0] == V.HAND:
        return c.state.hand_n[c.you] > 0
    if call.args[0] == V.DECK:
        return deck_size(c.state, c.you) > 0
    return deck_size(c.state, 1 - c.you) > 0 and c.source != NONE and is_up(c.state, c.source)


cdef bint can_recover(const Context* c, const Frame* f, const Call* call) noexcept nogil:
    cdef action_t out[160]
    return pool_options(c.t, c.state, c.you, call.args[0], 0, out, 0) > 0


cdef bint can_put_top(const Context* c, const Frame* f, const Call* call) noexcept nogil:
    """Looked-at cards may come back."""
    return c.state.hand_n[c.you] > 0 and c.state.top_n[c.you] + c.state.looked_n < TOPS


cdef bint can_look_top(const Context* c, const Frame* f, const Call* call) noexcept nogil:
    return deck_size(c.state, c.you) > 0 and c.state.looked_n + call.args[0] <= LOOKED


cdef bint can_copy(const Context* c, const Frame* f, const Call* call) noexcept nogil:
    cdef action_t out[160]
    return copy_options(c, f, call.args[0], call.args[1], out) > 0

# ---- What it does ----

cdef int do_to_players(const Book* t, Mythos* state, Rng* rng, Sink* sink) noexcept nogil:
    """Carry out the running call of the top frame, a player verb, from where it stands."""
    cdef Frame* f = top_frame(state)
    cdef int i
    cdef Context c
    cdef Call call
    if f.sub == WAITING:            # the frame above (a play, a copied line) is done
        f.count = 1
        return FINISHED
    look_from_frame(&c, t, state, f)
    call.verb = f.verb
    call.who = f.who if f.who != NONE else 0
    for i in range(4):
        call.args[i] = f.args[i]
    return RUN[f.verb](t, state, f, rng, sink) if can_do(&c, &call) else FINISHED


cdef int do_draw(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    cdef int i, seat
    for i in range(2):                      # you first
        seat = f.you ^ i
        if concerns(f, seat):
            f.count += <uint8_t> board.draw(state, seat, f.args[0], rng, sink)
    return FINISHED


cdef int do_discard(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    return begin_discard(state, f, f.you if concerns(f, f.you) else 1 - f.you, sink)


cdef int do_chakra(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    cdef int i, seat
    for i in range(2):
        seat = f.you ^ i
        if concerns(f, seat):
            board.set_chakra(state, seat, state.chakra[seat] + f.args[0], V.GAINED, sink)
            f.count += <uint8_t> f.args[0]
    return FINISHED


cdef int do_steal(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    cdef int n = min(f.args[0], state.chakra[1 - f.you])
    board.set_chakra(state, 1 - f.you, state.chakra[1 - f.you] - n, V.STOLEN, sink)
    board.set_chakra(state, f.you, state.chakra[f.you] + n, V.STOLEN, sink)
    f.count = <uint8_t> n
    return FINISHED


cdef int do_edge(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    board.set_edge(state, f.you if f.args[0] == 0 else 1 - f.you, sink)
    f.count = 1
    return FINISHED


cdef int do_points(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    state.points[f.you] = <uint8_t> min(state.points[f.you] + f.args[0], 255)
    emit3(sink, V.E_POINTS, PUBLIC, f.you, state.points[f.you], f.args[0])
    f.count = <uint8_t> f.args[0]
    return FINISHED


cdef int do_mill(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    cdef int seat = 1 - f.you if f.who == 1 else f.you
    cdef int known
    cdef int kind = board.take_top(state, seat, &known, rng)
    board.to_discard(state, seat, kind)
    if known != NONE and not known >> (1 - seat) & 1:
        came_to_light(state, seat, kind, bit(V.IN_TOP))
    emit2(sink, V.E_MILL, PUBLIC, seat, kind)
    got(f, kind)
    return FINISHED


cdef int do_see_hand(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    see_hand(state, f.you, sink)
    f.count = 1
    return FINISHED


cdef int do_raid(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    see_hand(state, f.you, sink)
    f.left = <uint8_t> min(f.args[0], state.hand_n[1 - f.you])
    return wait(state, f, f.you, V.Q_RAID, sink)


cdef int do_pay_x(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    if f.flags & V.COMMITTED and state.chakra[f.you] == 1:
        pay(state, f, 1, sink)
        return FINISHED
    return wait(state, f, f.you, V.Q_AMOUNT, sink)


cdef int do_play(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    return wait(state, f, f.you, V.Q_PLAYCARD, sink)


cdef int do_put_hidden(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    if f.args[0] == V.HAND:
        return wait(state, f, f.you, V.Q_CARD, sink)
    if f.args[1] == V.TO_HERE or state.missions == 1:
        put_hidden(t, state, f, NONE, here_of(state, f) if f.args[1] == V.TO_HERE else 0, rng, sink)
        return FINISHED
    return wait(state, f, f.you, V.Q_MISSION, sink)


cdef int do_recover(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    cdef action_t out[160]
    if pool_options(t, state, f.you, f.args[0], 0, out, 0) == 1:
        recover(state, f, out[0], sink)
        return FINISHED
    return wait(state, f, f.you, V.Q_POOL, sink)


cdef int do_put_top(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    return wait(state, f, f.you, V.Q_CARD, sink)


cdef int do_put_back(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    f.count = f.looked
    put_back(state, f, sink)
    return FINISHED


cdef int do_pick_mission(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    if state.missions > 1:
        return wait(state, f, f.you, V.Q_MISSION, sink)
    f.target = 0
    f.count = 1
    return FINISHED


cdef int do_copy(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    cdef action_t out[160]
    cdef Context c
    look_from_frame(&c, t, state, f)
    if f.flags & V.COMMITTED and copy_options(&c, f, f.args[0], f.args[1], out) == 1:
        copy(t, state, f, out[0], sink)
        return PUSHED
    return wait(state, f, f.you, V.Q_EFFECT, sink)

# ---- Parts of them ----

cdef void got(Frame* f, int kind) noexcept nogil:
    """The call got hold of a card that all see."""
    f.card = <uint8_t> kind
    f.call |= V.CARD_OPEN
    f.count += 1


cdef int wait(Mythos* state, Frame* f, int seat, int prompt, Sink* sink) noexcept nogil:
    f.sub = WAITING
    ask(state, sink, seat, prompt, prompt)
    return ASKED


cdef void see_hand(Mythos* state, int you, Sink* sink) noexcept nogil:
    """You see the opponent's hand."""
    cdef int32_t args[15]
    cdef int i
    cdef int n = 1
    saw_hand(state, 1 - you)
    if sink == NULL:
        return
    emit1(sink, V.E_SAW_HAND, everyone_but(you), you)
    args[0] = you
    for i in range(state.hand_n[1 - you]):
        args[n] = state.hand[1 - you][i]
        n += 1
        if n == 15 or i == state.hand_n[1 - you] - 1:
            emit(sink, V.E_SAW_CARDS, 1 << you, n, args)
            n = 1


cdef int begin_discard(Mythos* state, Frame* f, int seat, Sink* sink) noexcept nogil:
    """DISCARD: a whole hand goes without a choice, ascending (R59); else its owner chooses card by card (R37)."""
    if f.args[0] == ALL_THERE:
        while state.hand_n[seat]:
            drop_card(state, f, seat, state.hand[seat][0], sink)
        if f.who == 2 and seat == f.you:
            return begin_discard(state, f, 1 - seat, sink)
        return FINISHED
    f.left = <uint8_t> min(f.args[0], state.hand_n[seat])
    if f.left == 0:
        if f.who == 2 and seat == f.you:
            return begin_discard(state, f, 1 - seat, sink)
        return FINISHED
    return wait(state, f, seat, V.Q_CARD, sink)


cdef void drop_card(Mythos* state, Frame* f, int seat, int kind, Sink* sink) noexcept nogil:
    board.discard_from_hand(state, seat, kind, sink)
    got(f, kind)


cdef void pay(Mythos* state, Frame* f, int amount, Sink* sink) noexcept nogil:
    board.set_chakra(state, f.you, state.chakra[f.you] - amount, V.PAID, sink)
    f.count = <uint8_t> amount


cdef void recover(Mythos* state, Frame* f, int kind, Sink* sink) noexcept nogil:
    """A card of the own discard goes to the hand; everybody has seen it."""
    board.take_discard(state, f.you, kind)
    board.hand_insert(state, f.you, kind)
    went_to_hand(state, f.you, kind)
    emit2(sink, V.E_RECOVERED, PUBLIC, f.you, kind)
    got(f, kind)

# ---- The top of the deck ----

cdef int do_looktop(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    """Set the top cards aside; they count as lying on the deck until they are taken, put back or dumped."""
    cdef int32_t args[6]
    cdef int known, i
    cdef int n = min(f.args[0], deck_size(state, f.you))
    args[0] = f.you
    for i in range(n):
        state.looked[state.looked_n] = <uint8_t> board.take_top(state, f.you, &known, rng)
        args[i + 1] = state.looked[state.looked_n]
        state.looked_n += 1
        f.looked += 1
    f.count = <uint8_t> n
    f.not_filter = 0
    if sink != NULL:
        emit2(sink, V.E_LOOKTOP, everyone_but(f.you), f.you, n)
        emit(sink, V.E_LOOKTOP_CARDS, 1 << f.you, n + 1, args)
    return FINISHED


cdef int do_take_looked(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    """Every looked-at card that passes the filter is shown and goes to the hand (R77)."""
    cdef int32_t args[8]
    cdef int at = first_looked(state, f)
    cdef int i = 0
    cdef int kind
    args[0] = f.you
    f.not_filter = <uint8_t> looking_for(t, f.args[0])
    args[1] = f.not_filter
    while i < f.looked:
        kind = state.looked[at + i]
        if not card_matches(t, kind, f.args[0]):
            i += 1
            continue
        take_looked(state, f, kind)
        board.hand_insert(state, f.you, kind)
        came_to_light(state, f.you, kind, bit(V.IN_TOP))
        went_to_hand(state, f.you, kind)
        f.count += 1
        if f.count < 6:
            args[1 + f.count] = kind
    emit(sink, V.E_TOOK, PUBLIC, 2 + f.count, args)
    return FINISHED


cdef void put_back(Mythos* state, Frame* f, Sink* sink) noexcept nogil:
    """The rest goes back on top in the same order; what the others know of it is that the filter found nothing more."""
    cdef int at = first_looked(state, f)
    cdef int i
    cdef int n = f.looked
    for i in range(n - 1, -1, -1):
        board.put_on_top(state, f.you, state.looked[at + i], 1 << f.you, f.not_filter)
        state.looked[at + i] = 0
        state.looked_n -= 1
    f.looked = 0
    emit3(sink, V.E_PUT_BACK, PUBLIC, f.you, n, f.not_filter)


cdef int do_dump_looked(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    """The rest goes to the discard, ascending (R59)."""
    cdef int at = first_looked(state, f)
    cdef int i, kind
    while f.looked:
        kind = state.looked[at]
        for i in range(1, f.looked):
            if state.looked[at + i] < kind:
                kind = state.looked[at + i]
        take_looked(state, f, kind)
        board.to_discard(state, f.you, kind)
        came_to_light(state, f.you, kind, bit(V.IN_TOP))
        emit2(sink, V.E_DUMPED, PUBLIC, f.you, kind)
        f.count += 1
    return FINISHED

# ---- Hidden characters by an effect ----

cdef void put_hidden(const Book* t, Mythos* state, Frame* f, int kind, int mission, Rng* rng, Sink* sink) noexcept nogil:
    """A card comes face down into a mission without being played (R62); `kind`: the hand card, NONE = from a deck."""
    cdef int you = f.you
    cdef int opp = 1 - you
    cdef int owner = opp if f.args[0] == V.OPPDECK else you
    cdef int known = NONE
    cdef int slot
    if f.args[0] == V.HAND:
        board.hand_take(state, you, kind)
        slot = board.new_unit(state, kind, you, you, mission, 1 << you)
        hand_to(state, you, bit(slot))
    else:
        kind = board.take_top(state, owner, &known, rng)
        slot = board.new_unit(state, kind, owner, you, mission, 1 << you | (known if known != NONE else 0))
        if known != NONE and owner == you and not known >> opp & 1:
            top_to(state, you, bit(slot))
        if known != NONE and owner == opp and not known >> you & 1:
            came_to_light(state, opp, kind, bit(V.IN_TOP))
    if owner == opp:
        state.link[slot] = f.unit
        state.link_serial[slot] = state.serial[f.unit]
        state.linked |= bit(slot)
    f.count = 1
    board.show_put(state, slot, f.args[0], False, sink)

# ---- Copies ----

cdef void copy(const Book* t, Mythos* state, Frame* f, int answer, Sink* sink) noexcept nogil:
    """Run the chosen line as the copier's own (6.7)."""
    cdef int slot = answer // 256
    cdef int kind = state.frame[f.registers].k if slot == V.COPY_OF_CARD else state.top[slot]
    commit(f, sink)
    emit3(sink, V.E_TARGETED, PUBLIC, f.line, V.COPY, slot)
    f.sub = WAITING
    push_line(state, t.character[kind].first + answer % 256, f.you, f.unit, f.here, V.FORCED, NONE)

# ---- Plays by an effect ----

cdef int answer_play(const Book* t, Mythos* state, Frame* f, int prompt, int answer, Sink* sink) noexcept nogil:
    """The chain PLAYCARD, PLAYCARD_MISSION, PLAYCARD_ONTO."""
    cdef Play play
    if prompt == V.Q_PLAYCARD and answer == V.DECLINE:
        return FINISHED if f.flags & V.COMMITTED else REFUSED
    if not follow_chain(t, state, f.you, f, V.Q_PLAYCARD, answer, &play, sink):
        return ASKED
    commit(f, sink)
    f.target = <uint8_t> begin_play(t, state, f.you, play.kind, play.zone, play.slot, play.mission, play.onto, play.mod, sink)
    f.target_serial = state.serial[f.target]
    state.plays += 1
    return PUSHED

# ---- Answers ----

cdef int answer_player_verb(const Book* t, Mythos* state, int prompt, int answer, Rng* rng, Sink* sink) noexcept nogil:
    """Answer to a question of a player verb."""
    cdef Frame* f = top_frame(state)
    cdef int seat = state.asked
    if prompt == V.Q_PLAYCARD or prompt == V.Q_PLAYCARD_MISSION or prompt == V.Q_PLAYCARD_ONTO:
        return answer_play(t, state, f, prompt, answer, sink)
    if prompt == V.Q_CARD and f.verb == V.DISCARD:
        drop_card(state, f, seat, answer, sink)
        f.left -= 1
        if f.left:
            return wait(state, f, seat, V.Q_CARD, sink)
        if f.who == 2 and seat == f.you:
            return begin_discard(state, f, 1 - seat, sink)
    elif prompt == V.Q_CARD and f.verb == V.PUT_TOP:
        board.hand_take(state, seat, answer)
        board.put_on_top(state, seat, answer, 1 << seat, 0)
        hand_to(state, seat, bit(V.IN_TOP))
        f.count = 1
        if sink != NULL:
            emit1(sink, V.E_TOP, everyone_but(seat), seat)
            emit2(sink, V.E_TOP_CARD, 1 << seat, seat, answer)
    elif prompt == V.Q_CARD:                      # PUT_HIDDEN
        if f.args[1] != V.TO_HERE and state.missions > 1:
            state.chain = <uint16_t> (V.PLAY_UP + answer)
            ask_on(state, sink, V.Q_CARD_MISSION)
            return ASKED
        put_hidden(t, state, f, answer, here_of(state, f) if f.args[1] == V.TO_HERE else 0, rng, sink)
    elif prompt == V.Q_CARD_MISSION:
        answer, seat = state.chain - V.PLAY_UP, answer
        state.chain = 0
        put_hidden(t, state, f, answer, seat, rng, sink)
    elif prompt == V.Q_MISSION and f.verb == V.PICK_MISSION:
        f.target = <uint8_t> answer
        f.count = 1
        emit3(sink, V.E_TARGETED, PUBLIC, f.line, V.PICK_MISSION, answer)
    elif prompt == V.Q_MISSION:
        put_hidden(t, state, f, NONE, answer, rng, sink)
    elif prompt == V.Q_RAID:
        drop_card(state, f, 1 - seat, answer, sink)
        f.left -= 1
        if f.left:
            return wait(state, f, seat, V.Q_RAID, sink)
    elif prompt == V.Q_AMOUNT:
        if answer == 0:
            return REFUSED
        commit(f, sink)
        pay(state, f, answer, sink)
    elif prompt == V.Q_POOL:
        recover(state, f, answer, sink)
    elif prompt == V.Q_EFFECT:
        if answer == V.DECLINE:
            return REFUSED
        copy(t, state, f, answer, sink)
        return PUSHED
    return FINISHED


cdef inline int here_of(const Mythos* state, const Frame* f) noexcept nogil:
    return state.where[f.unit] if in_play(state, f.unit, f.serial) else f.here

# ---- Legal answers ----


cdef int legal_for_players(const Book* t, const Mythos* state, int prompt, action_t* out) noexcept nogil:
    """The legal answers to a question of a player verb, ascending."""
    cdef const Frame* f = &state.frame[state.depth - 1]
    cdef int i, n
    cdef Context c
    if prompt == V.Q_CARD:
        return kinds_of_hand(state, state.asked, 0, out, 0)
    if prompt == V.Q_RAID:
        return kinds_of_hand(state, 1 - state.asked, 0, out, 0)
    if prompt == V.Q_CARD_MISSION or prompt == V.Q_MISSION:
        return missions_of((1 << state.missions) - 1, out)
    if prompt == V.Q_POOL:
        return pool_options(t, state, f.you, f.args[0], 0, out, 0)
    if prompt == V.Q_AMOUNT:                      # PAY_X
        n = 0
        for i in range(0 if not f.flags & V.COMMITTED else 1, state.chakra[f.you] + 1):
            out[n] = i
            n += 1
        return n
    look_from_frame(&c, t, state, f)
    if prompt == V.Q_EFFECT:
        n = 0
        if not f.flags & V.COMMITTED:
            out[0] = V.DECLINE
            n = 1
        n += copy_options(&c, f, f.args[0], f.args[1], out + n)
        sort_short(out, n)      # the pass among the lines
        return n
    if prompt == V.Q_PLAYCARD:
        return play_options(&c, f, f.args[0], f.args[1], f.args[2], out)
    return chain_answers(t, state, f.you, f, out)

# ---- The rows ----

cdef void row(int verb, possible_fn possible, verb_fn run):
    POSSIBLE[verb] = possible
    RUN[verb] = run


row(V.DRAW, can_draw, do_draw)
row(V.DISCARD, can_discard, do_discard)
row(V.SEE_HAND, can_see_hand, do_see_hand)
row(V.RAID, can_raid, do_raid)
row(V.CHAKRA, some, do_chakra)
row(V.STEAL, can_steal, do_steal)
row(V.PAY_X, can_pay, do_pay_x)
row(V.EDGE, can_give_edge, do_edge)
row(V.POINTS, some, do_points)
row(V.MILL, can_mill, do_mill)
row(V.PLAY, can_play, do_play)
row(V.PUT_HIDDEN, can_put_hidden, do_put_hidden)
row(V.RECOVER, can_recover, do_recover)
row(V.PUT_TOP, can_put_top, do_put_top)
row(V.LOOKTOP, can_look_top, do_looktop)
row(V.TAKE_LOOKED, has_looked, do_take_looked)
row(V.PUT_BACK, has_looked, do_put_back)
row(V.DUMP_LOOKED, has_looked, do_dump_looked)
row(V.PICK_MISSION, always, do_pick_mission)
row(V.COPY, can_copy, do_copy)

for _verb in range(V.PICK + 1, V.POWER):
    if RUN[<int> _verb] == NULL:
        raise NotImplementedError(f"verb {_verb} of vocabulary.pxd does nothing yet")
