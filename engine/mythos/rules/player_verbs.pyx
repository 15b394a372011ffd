"""Verbs that do something to players and their cards."""
from seatmate.engine.core.machine cimport Call
from seatmate.engine.core.sink cimport PUBLIC, emit, emit1, emit2, emit3, everyone_but
from seatmate.engine.core.types cimport int32_t, uint8_t, uint16_t, uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit, sort_short
from seatmate.engine.mythos.content.vocabulary cimport (
    CHAKRA, COPY, COPY_OF_CARD, DECLINE, DISCARD, DRAW, DUMP_LOOKED, EDGE, E_DUMPED, E_LOOKTOP, E_LOOKTOP_CARDS, E_MILL,
    E_POINTS, E_PUT, E_PUT_BACK, E_PUT_CARD, E_RECOVERED, E_SAW_CARDS, E_SAW_HAND, E_TARGETED, E_TOOK, E_TOP,
    E_TOP_CARD, GAINED, HAND, LOOKTOP, MILL, OPPDECK, PAID, PAY_X, PICK_MISSION, PLAY, PLAY_UP, POINTS, PUT_BACK,
    PUT_HIDDEN, PUT_TOP, Q_AMOUNT, Q_CARD, Q_CARD_MISSION, Q_EFFECT, Q_MISSION, Q_PLAYCARD, Q_PLAYCARD_MISSION,
    Q_PLAYCARD_ONTO, Q_POOL, Q_RAID, RAID, RECOVER, SEE_HAND, STEAL, STOLEN, TAKE_LOOKED, TO_HERE,
)
from seatmate.engine.mythos.rules.board cimport (
    discard_from_hand, draw, hand_insert, hand_take, new_unit, put_on_top, set_chakra, set_edge, take_discard, take_top,
    to_discard,
)
from seatmate.engine.mythos.rules.frames cimport (
    ASKED, FINISHED, PUSHED, REFUSED, begin_play, commit, push_line, take_looked,
)
from seatmate.engine.mythos.rules.legal cimport can_do, copy_options, kinds_of_hand, play_options, pool_options
from seatmate.engine.mythos.rules.model cimport (
    ALL_THERE, CARD_OPEN, COMMITTED, FORCED, IN_TOP, NONE, ask, ask_on, bit, deck_size, first_looked, in_play,
    top_frame,
)
from seatmate.engine.mythos.rules.plays cimport chain_play, missions_of, onto_actions, payable_onto, places
from seatmate.engine.mythos.rules.query cimport Context, card_matches, look_from_frame
from seatmate.engine.mythos.secrets.knowledge cimport came_to_light, hand_to, saw_hand, top_to, went_to_hand

cdef enum:                  # Frame.sub
    BEGIN = 0
    WAITING = 1             # for an answer, or for a frame above

# ---- Small helpers ----

cdef inline int min(int a, int b) noexcept nogil:
    return a if a < b else b


cdef inline bint concerns(const Frame* f, int seat) noexcept nogil:
    """Is this one of the seats the call is about? who: -1 and 0 you, 1 the opponent, 2 both."""
    return f.who == 2 or (seat == f.you) == (f.who != 1)


cdef int looking_for(const Tables* t, int selector) noexcept nogil:
    """1 + number of a TAKE_LOOKED filter, as Mythos.top_not has it."""
    cdef int i
    for i in range(t.filters):
        if t.filter[i] == selector:
            return i + 1
    return 0

# ---- The verbs ----

cdef int do_to_players(const Tables* t, Mythos* h, Rng* rng, Sink* sink) noexcept nogil:
    """Carry out the running call of the top frame, a player verb, from where it stands."""
    cdef Frame* f = top_frame(h)
    cdef int verb = f.verb
    cdef int you = f.you
    cdef int opp = 1 - f.you
    cdef int i, seat, n, kind, known
    cdef Context c
    cdef Call call
    if f.sub == WAITING:
        return go_on(t, h, f, sink)
    look_from_frame(&c, t, h, f)
    call.verb = verb
    call.who = f.who if f.who != NONE else 0
    for i in range(4):
        call.args[i] = f.args[i]
    if not can_do(&c, &call):
        return FINISHED
    if verb == DRAW:
        for i in range(2):                      # you first
            seat = you if i == 0 else opp
            if concerns(f, seat):
                f.count += <uint8_t> draw(h, seat, f.args[0], rng, sink)
    elif verb == DISCARD:
        return begin_discard(h, f, you if concerns(f, you) else opp, sink)
    elif verb == CHAKRA:
        for i in range(2):
            seat = you if i == 0 else opp
            if concerns(f, seat):
                set_chakra(h, seat, h.chakra[seat] + f.args[0], GAINED, sink)
                f.count += <uint8_t> f.args[0]
    elif verb == STEAL:
        n = min(f.args[0], h.chakra[opp])
        set_chakra(h, opp, h.chakra[opp] - n, STOLEN, sink)
        set_chakra(h, you, h.chakra[you] + n, STOLEN, sink)
        f.count = <uint8_t> n
    elif verb == EDGE:
        set_edge(h, you if f.args[0] == 0 else opp, sink)
        f.count = 1
    elif verb == POINTS:
        h.points[you] = <uint8_t> min(h.points[you] + f.args[0], 255)
        emit3(sink, E_POINTS, PUBLIC, you, h.points[you], f.args[0])
        f.count = <uint8_t> f.args[0]
    elif verb == MILL:
        seat = opp if f.who == 1 else you
        kind = take_top(h, seat, &known, rng)
        to_discard(h, seat, kind)
        if known != NONE and not known >> (1 - seat) & 1:
            came_to_light(h, seat, kind, bit(IN_TOP))
        emit2(sink, E_MILL, PUBLIC, seat, kind)
        f.card = <uint8_t> kind
        f.call |= CARD_OPEN
        f.count = 1
    elif verb == SEE_HAND:
        see_hand(h, you, sink)
        f.count = 1
    elif verb == RAID:
        see_hand(h, you, sink)
        f.left = <uint8_t> min(f.args[0], h.hand_n[opp])
        return wait(h, f, you, Q_RAID, sink)
    elif verb == PAY_X:
        if f.flags & COMMITTED and h.chakra[you] == 1:
            pay(h, f, 1, sink)
            return FINISHED
        return wait(h, f, you, Q_AMOUNT, sink)
    elif verb == PLAY:
        return wait(h, f, you, Q_PLAYCARD, sink)
    elif verb == PUT_HIDDEN:
        if f.args[0] == HAND:
            return wait(h, f, you, Q_CARD, sink)
        if f.args[1] == TO_HERE or h.missions == 1:
            put_hidden(t, h, f, NONE, c.here if f.args[1] == TO_HERE else 0, rng, sink)
            return FINISHED
        return wait(h, f, you, Q_MISSION, sink)
    elif verb == RECOVER:
        return begin_recover(t, h, f, sink)
    elif verb == PUT_TOP:
        return wait(h, f, you, Q_CARD, sink)
    elif verb == LOOKTOP:
        look_top(h, f, rng, sink)
    elif verb == TAKE_LOOKED:
        take_matching(t, h, f, sink)
    elif verb == PUT_BACK:
        f.count = f.looked
        put_back(h, f, sink)
    elif verb == DUMP_LOOKED:
        dump_looked(h, f, sink)
    elif verb == PICK_MISSION:
        if h.missions == 1:
            f.target = 0
            f.count = 1
            return FINISHED
        return wait(h, f, you, Q_MISSION, sink)
    elif verb == COPY:
        return begin_copy(t, h, f, &c, sink)
    return FINISHED


cdef int wait(Mythos* h, Frame* f, int seat, int prompt, Sink* sink) noexcept nogil:
    f.sub = WAITING
    ask(h, sink, seat, prompt, prompt)
    return ASKED


cdef int go_on(const Tables* t, Mythos* h, Frame* f, Sink* sink) noexcept nogil:
    """The frame above (a play, a copied line) is done."""
    f.count = 1
    return FINISHED


cdef void see_hand(Mythos* h, int you, Sink* sink) noexcept nogil:
    """You see the opponent's hand."""
    cdef int32_t args[15]
    cdef int i
    cdef int n = 1
    saw_hand(h, 1 - you)
    if sink == NULL:
        return
    emit1(sink, E_SAW_HAND, everyone_but(you), you)
    args[0] = you
    for i in range(h.hand_n[1 - you]):
        args[n] = h.hand[1 - you][i]
        n += 1
        if n == 15 or i == h.hand_n[1 - you] - 1:
            emit(sink, E_SAW_CARDS, 1 << you, n, args)
            n = 1


cdef int begin_discard(Mythos* h, Frame* f, int seat, Sink* sink) noexcept nogil:
    """DISCARD: a whole hand goes without a choice, ascending (R59); else its owner chooses card by card (R37)."""
    if f.args[0] == ALL_THERE:
        while h.hand_n[seat]:
            drop_card(h, f, seat, h.hand[seat][0], sink)
        if f.who == 2 and seat == f.you:
            return begin_discard(h, f, 1 - seat, sink)
        return FINISHED
    f.left = <uint8_t> min(f.args[0], h.hand_n[seat])
    if f.left == 0:
        if f.who == 2 and seat == f.you:
            return begin_discard(h, f, 1 - seat, sink)
        return FINISHED
    return wait(h, f, seat, Q_CARD, sink)


cdef void drop_card(Mythos* h, Frame* f, int seat, int kind, Sink* sink) noexcept nogil:
    discard_from_hand(h, seat, kind, sink)
    f.card = <uint8_t> kind
    f.call |= CARD_OPEN
    f.count += 1


cdef void pay(Mythos* h, Frame* f, int amount, Sink* sink) noexcept nogil:
    set_chakra(h, f.you, h.chakra[f.you] - amount, PAID, sink)
    f.count = <uint8_t> amount


cdef int begin_recover(const Tables* t, Mythos* h, Frame* f, Sink* sink) noexcept nogil:
    cdef action_t out[160]
    if pool_options(t, h, f.you, f.args[0], 0, out, 0) == 1:
        recover(h, f, out[0], sink)
        return FINISHED
    return wait(h, f, f.you, Q_POOL, sink)


cdef void recover(Mythos* h, Frame* f, int kind, Sink* sink) noexcept nogil:
    """A card of the own discard goes to the hand; everybody has seen it."""
    take_discard(h, f.you, kind)
    hand_insert(h, f.you, kind)
    went_to_hand(h, f.you, kind)
    emit2(sink, E_RECOVERED, PUBLIC, f.you, kind)
    f.card = <uint8_t> kind
    f.call |= CARD_OPEN
    f.count = 1

# ---- The top of the deck ----

cdef void look_top(Mythos* h, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    """Set the top cards aside; they count as lying on the deck until they are taken, put back or dumped."""
    cdef int32_t args[6]
    cdef int known, i
    cdef int n = min(f.args[0], deck_size(h, f.you))
    args[0] = f.you
    for i in range(n):
        h.looked[h.looked_n] = <uint8_t> take_top(h, f.you, &known, rng)
        args[i + 1] = h.looked[h.looked_n]
        h.looked_n += 1
        f.looked += 1
    f.count = <uint8_t> n
    f.not_filter = 0
    if sink != NULL:
        emit2(sink, E_LOOKTOP, everyone_but(f.you), f.you, n)
        emit(sink, E_LOOKTOP_CARDS, 1 << f.you, n + 1, args)


cdef void take_matching(const Tables* t, Mythos* h, Frame* f, Sink* sink) noexcept nogil:
    """Every looked-at card that passes the filter is shown and goes to the hand (R77)."""
    cdef int32_t args[8]
    cdef int at = first_looked(h, f)
    cdef int i = 0
    cdef int kind
    args[0] = f.you
    f.not_filter = <uint8_t> looking_for(t, f.args[0])
    args[1] = f.not_filter
    while i < f.looked:
        kind = h.looked[at + i]
        if not card_matches(t, kind, f.args[0]):
            i += 1
            continue
        take_looked(h, f, kind)
        hand_insert(h, f.you, kind)
        came_to_light(h, f.you, kind, bit(IN_TOP))
        went_to_hand(h, f.you, kind)
        f.count += 1
        if f.count < 6:
            args[1 + f.count] = kind
    emit(sink, E_TOOK, PUBLIC, 2 + f.count, args)


cdef void put_back(Mythos* h, Frame* f, Sink* sink) noexcept nogil:
    """The rest goes back on top in the same order; what the others know of it is that the filter found nothing more."""
    cdef int at = first_looked(h, f)
    cdef int i
    cdef int n = f.looked
    for i in range(n - 1, -1, -1):
        put_on_top(h, f.you, h.looked[at + i], 1 << f.you, f.not_filter)
        h.looked[at + i] = 0
        h.looked_n -= 1
    f.looked = 0
    emit3(sink, E_PUT_BACK, PUBLIC, f.you, n, f.not_filter)


cdef void dump_looked(Mythos* h, Frame* f, Sink* sink) noexcept nogil:
    """The rest goes to the discard, ascending (R59)."""
    cdef int at = first_looked(h, f)
    cdef int i, kind
    while f.looked:
        kind = h.looked[at]
        for i in range(1, f.looked):
            if h.looked[at + i] < kind:
                kind = h.looked[at + i]
        take_looked(h, f, kind)
        to_discard(h, f.you, kind)
        came_to_light(h, f.you, kind, bit(IN_TOP))
        emit2(sink, E_DUMPED, PUBLIC, f.you, kind)
        f.count += 1

# ---- Hidden characters by an effect ----

cdef void put_hidden(const Tables* t, Mythos* h, Frame* f, int kind, int mission, Rng* rng, Sink* sink) noexcept nogil:
    """A card comes face down into a mission without being played (R62); `kind`: the hand card, NONE = from a deck."""
    cdef int you = f.you
    cdef int opp = 1 - you
    cdef int owner = opp if f.args[0] == OPPDECK else you
    cdef int known = NONE
    cdef int slot, link
    cdef int32_t args[8]
    if f.args[0] == HAND:
        hand_take(h, you, kind)
        slot = new_unit(h, kind, you, you, mission, 1 << you)
        hand_to(h, you, bit(slot))
    else:
        kind = take_top(h, owner, &known, rng)
        slot = new_unit(h, kind, owner, you, mission, 1 << you | (known if known != NONE else 0))
        if known != NONE and owner == you and not known >> opp & 1:
            top_to(h, you, bit(slot))
        if known != NONE and owner == opp and not known >> you & 1:
            came_to_light(h, opp, kind, bit(IN_TOP))
    link = -1
    if owner == opp:
        link = f.unit
        h.link[slot] = f.unit
        h.link_serial[slot] = h.serial[f.unit]
        h.linked |= bit(slot)
    f.count = 1
    if sink != NULL:
        args[0] = you
        args[1] = slot
        args[2] = mission
        args[3] = f.args[0]
        args[4] = owner
        args[5] = link
        args[6] = 0
        args[7] = kind
        emit(sink, E_PUT, PUBLIC & ~h.known[slot], 7, args)
        emit(sink, E_PUT_CARD, h.known[slot], 8, args)

# ---- Copies ----

cdef int begin_copy(const Tables* t, Mythos* h, Frame* f, const Context* c, Sink* sink) noexcept nogil:
    cdef action_t out[160]
    cdef int n = copy_options(c, f, f.args[0], f.args[1], out)
    if f.flags & COMMITTED and n == 1:
        copy(t, h, f, out[0], sink)
        return PUSHED
    return wait(h, f, f.you, Q_EFFECT, sink)


cdef void copy(const Tables* t, Mythos* h, Frame* f, int answer, Sink* sink) noexcept nogil:
    """Run the chosen line as the copier's own (6.7)."""
    cdef int slot = answer // 256
    cdef int kind = h.frame[f.registers].k if slot == COPY_OF_CARD else h.top[slot]
    commit(f, sink)
    emit3(sink, E_TARGETED, PUBLIC, f.line, COPY, slot)
    f.sub = WAITING
    push_line(h, t.character[kind].first + answer % 256, f.you, f.unit, f.here, FORCED, NONE)

# ---- Plays by an effect ----


cdef int answer_play(const Tables* t, Mythos* h, Frame* f, int prompt, int answer, Sink* sink) noexcept nogil:
    """The chain PLAYCARD, PLAYCARD_MISSION, PLAYCARD_ONTO: nothing is told or paid before it is complete."""
    cdef int kind, zone, slot, mod, mask, mission
    cdef int onto = -1
    cdef uint64_t options
    cdef bint fresh
    if prompt == Q_PLAYCARD:
        if answer == DECLINE:
            return FINISHED if f.flags & COMMITTED else REFUSED
        h.chain = <uint16_t> answer
    elif prompt == Q_PLAYCARD_MISSION:
        h.chain_mission = <uint8_t> (answer + 1)
    else:
        onto = NONE if answer == DECLINE else answer
    chain_play(t, h, f.you, f, h.chain, &kind, &zone, &slot, &mod)
    if h.chain_mission == 0:
        mask = places(t, h, f.you, kind, slot, mod)
        if mask & (mask - 1):
            ask_on(h, sink, Q_PLAYCARD_MISSION)
            return ASKED
        h.chain_mission = <uint8_t> (lowest_bit(<uint64_t> mask) + 1)
    mission = h.chain_mission - 1
    if onto < 0:
        options = payable_onto(t, h, f.you, kind, slot, mission, mod, &fresh)
        if bit_count(options) + fresh > 1:
            ask_on(h, sink, Q_PLAYCARD_ONTO)
            return ASKED
        onto = NONE if fresh else lowest_bit(options)
    h.chain = 0
    h.chain_mission = 0
    commit(f, sink)
    f.target = <uint8_t> begin_play(t, h, f.you, kind, zone, slot, mission, onto, mod, sink)
    f.target_serial = h.serial[f.target]
    h.plays += 1
    return PUSHED

# ---- Answers ----

cdef int answer_player_verb(const Tables* t, Mythos* h, int prompt, int answer, Rng* rng, Sink* sink) noexcept nogil:
    """Answer to a question of a player verb."""
    cdef Frame* f = top_frame(h)
    cdef int seat = h.asked
    if prompt == Q_PLAYCARD or prompt == Q_PLAYCARD_MISSION or prompt == Q_PLAYCARD_ONTO:
        return answer_play(t, h, f, prompt, answer, sink)
    if prompt == Q_CARD and f.verb == DISCARD:
        drop_card(h, f, seat, answer, sink)
        f.left -= 1
        if f.left:
            return wait(h, f, seat, Q_CARD, sink)
        if f.who == 2 and seat == f.you:
            return begin_discard(h, f, 1 - seat, sink)
    elif prompt == Q_CARD and f.verb == PUT_TOP:
        hand_take(h, seat, answer)
        put_on_top(h, seat, answer, 1 << seat, 0)
        hand_to(h, seat, bit(IN_TOP))
        f.count = 1
        if sink != NULL:
            emit1(sink, E_TOP, everyone_but(seat), seat)
            emit2(sink, E_TOP_CARD, 1 << seat, seat, answer)
    elif prompt == Q_CARD:                      # PUT_HIDDEN
        if f.args[1] != TO_HERE and h.missions > 1:
            h.chain = <uint16_t> (PLAY_UP + answer)
            ask_on(h, sink, Q_CARD_MISSION)
            return ASKED
        put_hidden(t, h, f, answer, here_of(h, f) if f.args[1] == TO_HERE else 0, rng, sink)
    elif prompt == Q_CARD_MISSION:
        answer, seat = h.chain - PLAY_UP, answer
        h.chain = 0
        put_hidden(t, h, f, answer, seat, rng, sink)
    elif prompt == Q_MISSION and f.verb == PICK_MISSION:
        f.target = <uint8_t> answer
        f.count = 1
        emit3(sink, E_TARGETED, PUBLIC, f.line, PICK_MISSION, answer)
    elif prompt == Q_MISSION:
        put_hidden(t, h, f, NONE, answer, rng, sink)
    elif prompt == Q_RAID:
        drop_card(h, f, 1 - seat, answer, sink)
        f.left -= 1
        if f.left:
            return wait(h, f, seat, Q_RAID, sink)
    elif prompt == Q_AMOUNT:
        if answer == 0:
            return REFUSED
        commit(f, sink)
        pay(h, f, answer, sink)
    elif prompt == Q_POOL:
        recover(h, f, answer, sink)
    elif prompt == Q_EFFECT:
        if answer == DECLINE:
            return REFUSED
        copy(t, h, f, answer, sink)
        return PUSHED
    return FINISHED


cdef inline int here_of(const Mythos* h, const Frame* f) noexcept nogil:
    return h.where[f.unit] if in_play(h, f.unit, f.serial) else f.here

# ---- Legal answers ----


cdef int legal_for_players(const Tables* t, const Mythos* h, int prompt, action_t* out) noexcept nogil:
    """The legal answers to a question of a player verb, ascending."""
    cdef const Frame* f = &h.frame[h.depth - 1]
    cdef int kind, zone, slot, mod, i, n
    cdef uint64_t options
    cdef bint fresh
    cdef Context c
    if prompt == Q_CARD:
        return kinds_of_hand(h, h.asked, 0, out, 0)
    if prompt == Q_RAID:
        return kinds_of_hand(h, 1 - h.asked, 0, out, 0)
    if prompt == Q_CARD_MISSION or prompt == Q_MISSION:
        return missions_of((1 << h.missions) - 1, out)
    if prompt == Q_POOL:
        return pool_options(t, h, f.you, f.args[0], 0, out, 0)
    if prompt == Q_AMOUNT:                      # PAY_X
        n = 0
        for i in range(0 if not f.flags & COMMITTED else 1, h.chakra[f.you] + 1):
            out[n] = i
            n += 1
        return n
    look_from_frame(&c, t, h, f)
    if prompt == Q_EFFECT:
        n = 0
        if not f.flags & COMMITTED:
            out[0] = DECLINE
            n = 1
        n += copy_options(&c, f, f.args[0], f.args[1], out + n)
        sort_short(out, n)      # the pass among the lines
        return n
    if prompt == Q_PLAYCARD:
        return play_options(&c, f, f.args[0], f.args[1], f.args[2], out)
    chain_play(t, h, f.you, f, h.chain, &kind, &zone, &slot, &mod)
    if prompt == Q_PLAYCARD_MISSION:
        return missions_of(places(t, h, f.you, kind, slot, mod), out)
    options = payable_onto(t, h, f.you, kind, slot, h.chain_mission - 1, mod, &fresh)
    return onto_actions(options, fresh, out)
