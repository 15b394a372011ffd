"""Where a card can be played face-up, and for how much (section 6.2, R19 to R29)."""
from seatmate.engine.core.machine cimport value
from seatmate.engine.core.types cimport uint8_t, uint16_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.model cimport MISSIONS, NONE, Character, Static, ask_on, bit, controller, free_slot
from seatmate.engine.mythos.rules.query cimport Context, Standing, card_matches, look_from, names_of, next_standing, standing

cdef enum:
    SIDE_ENEMY = 1


cdef void modifiers(const Book* t, const Mythos* state, int seat, int mission, Modifiers* out) noexcept nogil:
    """Collect the COST lines that hold for the seat in the mission."""
    cdef Standing walk = standing(state.at[mission] & state.up, V.COST)
    cdef const Static* s = next_standing(t, state, &walk)
    cdef Context c
    out.n = 0
    while s != NULL:
        if s.args[2] != SIDE_ENEMY or controller(state, walk.source) != seat:
            look_from(&c, t, state, controller(state, walk.source), walk.source, mission)
            if out.n < 8 and value(&c.machine, s.when):
                out.amount[out.n] = s.args[0]
                out.filter[out.n] = s.args[1]
                out.least[out.n] = s.args[3]
                out.n += 1
        s = next_standing(t, state, &walk)


cdef int own_reduction(const Book* t, const Mythos* state, int seat, int kind, int mission, int verb) noexcept nogil:
    """SELF_COST or REVEAL_COST lines of the card that is played; conditions look from the mission it is played to."""
    cdef const Character* card = &t.character[kind]
    cdef const Static* s
    cdef Context c
    cdef int i
    cdef int sum = 0
    if not card.statics >> (verb - V.POWER) & 1:
        return 0
    for i in range(card.lines):
        if t.line[card.first + i].static >= 0:
            s = &t.static[t.line[card.first + i].static]
            if s.verb == verb:
                look_from(&c, t, state, seat, NONE, mission)
                if value(&c.machine, s.when):
                    sum += s.args[0]
    return sum


cdef bint may_be_played(const Book* t, const Mythos* state, int seat, int kind, int mission) noexcept nogil:
    """PLAY_ONLY (R27)."""
    cdef const Character* card = &t.character[kind]
    cdef const Static* s
    cdef Context c
    cdef int i
    if not card.statics >> (V.PLAY_ONLY - V.POWER) & 1:
        return True
    for i in range(card.lines):
        if t.line[card.first + i].static >= 0:
            s = &t.static[t.line[card.first + i].static]
            if s.verb == V.PLAY_ONLY:
                look_from(&c, t, state, seat, NONE, mission)
                if not value(&c.machine, s.when):
                    return False
    return True


cdef bint may_reveal(const Book* t, const Mythos* state, int seat, int mission) noexcept nogil:
    """NO_REVEAL (R28)."""
    cdef Standing walk = standing(state.at[mission] & state.up, V.NO_REVEAL)
    cdef const Static* s = next_standing(t, state, &walk)
    cdef Context c
    while s != NULL:
        if s.args[0] != SIDE_ENEMY or controller(state, walk.source) != seat:
            look_from(&c, t, state, controller(state, walk.source), walk.source, mission)
            if value(&c.machine, s.when):
                return False
        s = next_standing(t, state, &walk)
    return True


cdef uint64_t onto_options(const Book* t, const Mythos* state, int seat, int kind, int mission, bint* fresh) noexcept nogil:
    """Own up units the card may be laid on, as a mask; `fresh`: it may also stand as a new character (R19, R20)."""
    cdef uint64_t own = state.side[seat] & state.at[mission] & state.up
    cdef const Character* card = &t.character[kind]
    cdef const Static* s
    cdef uint64_t rest = own
    cdef uint64_t onto = 0
    cdef Context c
    cdef int slot, i
    fresh[0] = True
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if t.character[state.top[slot]].name == card.name:
            fresh[0] = False
            return bit(slot) if t.character[state.top[slot]].cost < card.cost else 0
    if card.statics >> (V.UPGRADE_OVER - V.POWER) & 1:
        look_from(&c, t, state, seat, NONE, mission)
        while own:
            slot = lowest_bit(own)
            own &= own - 1
            if t.character[state.top[slot]].cost >= card.cost:
                continue
            for i in range(card.lines):
                if t.line[card.first + i].static >= 0:
                    s = &t.static[t.line[card.first + i].static]
                    if s.verb == V.UPGRADE_OVER and card_matches(t, state.top[slot], s.args[0]) and value(&c.machine, s.when):
                        onto |= bit(slot)
    return onto


cdef int cost(const Book* t, const Mythos* state, const Modifiers* m, int seat, int kind, int mission, int onto,
              bint reveal, int mod) noexcept nogil:
    """Increases, then reductions with an own limit, then the others, then 0 as the floor (R26); `onto` NONE: a new one."""
    cdef int c = t.character[kind].cost
    cdef int i
    if onto != NONE:
        c -= t.character[state.top[onto]].cost
    for i in range(m.n):
        if m.amount[i] > 0 and card_matches(t, kind, m.filter[i]):
            c += m.amount[i]
    for i in range(m.n):
        if m.amount[i] < 0 and m.least[i] and c > m.least[i] and card_matches(t, kind, m.filter[i]):
            c = c + m.amount[i] if c + m.amount[i] > m.least[i] else m.least[i]
    for i in range(m.n):
        if m.amount[i] < 0 and not m.least[i] and card_matches(t, kind, m.filter[i]):
            c += m.amount[i]
    c += own_reduction(t, state, seat, kind, mission, V.SELF_COST)
    if reveal:
        c += own_reduction(t, state, seat, kind, mission, V.REVEAL_COST)
    c += mod
    return c if c > 0 else 0


cdef int cost_of(const Book* t, const Mythos* state, int seat, int kind, int slot, int mission, int onto, int mod) noexcept nogil:
    """The cost of one play; `slot`: the hidden unit that is revealed, NONE for a card."""
    cdef Modifiers m
    modifiers(t, state, seat, mission, &m)
    return cost(t, state, &m, seat, kind, mission, onto, slot != NONE, mod)


cdef uint64_t payable_onto(const Book* t, const Mythos* state, int seat, int kind, int slot, int mission, int mod,
                           bint* fresh) noexcept nogil:
    """The legal plays of a card on a mission: units to lay it on as a mask, and whether it can stand alone."""
    cdef Modifiers m
    cdef uint64_t onto, rest
    cdef int target
    if slot != NONE and not may_reveal(t, state, seat, mission) or not may_be_played(t, state, seat, kind, mission):
        fresh[0] = False
        return 0
    onto = onto_options(t, state, seat, kind, mission, fresh)
    if fresh[0] and slot == NONE and free_slot(state) == NONE:
        fresh[0] = False
    modifiers(t, state, seat, mission, &m)
    if fresh[0] and cost(t, state, &m, seat, kind, mission, NONE, slot != NONE, mod) > state.chakra[seat]:
        fresh[0] = False
    rest = onto
    while rest:
        target = lowest_bit(rest)
        rest &= rest - 1
        if cost(t, state, &m, seat, kind, mission, target, slot != NONE, mod) > state.chakra[seat]:
            onto &= ~bit(target)
    return onto


cdef int places(const Book* t, const Mythos* state, int seat, int kind, int slot, int mod) noexcept nogil:
    """Mask of the missions where the card can be played face-up; a hidden unit (slot) stays where it is."""
    cdef int mask = 0
    cdef int m
    cdef bint fresh
    for m in range(state.missions):
        if slot != NONE and state.where[slot] != m:
            continue
        if payable_onto(t, state, seat, kind, slot, m, mod, &fresh) or fresh:
            mask |= 1 << m
    return mask


cdef int playable_hand(const Book* t, const Mythos* state, int seat, action_t* out, int n) noexcept nogil:
    """Append PLAY_UP + kind for each kind of the hand with a payable play, ascending.

    The same as `places` for each of them, with what does not depend on the card worked out once per mission.
    """
    cdef Modifiers m[MISSIONS]
    cdef uint64_t names[MISSIONS]
    cdef const Character* card
    cdef int i, j, kind
    cdef bint room = free_slot(state) != NONE
    cdef bint fresh
    for i in range(state.missions):
        modifiers(t, state, seat, i, &m[i])
        names[i] = names_of(t, state, state.side[seat] & state.at[i] & state.up)
    for j in range(state.hand_n[seat]):
        kind = state.hand[seat][j]
        if j and kind == state.hand[seat][j - 1]:
            continue
        card = &t.character[kind]
        for i in range(state.missions):
            if card.name & names[i] or card.statics & (1 << (V.UPGRADE_OVER - V.POWER) | 1 << (V.PLAY_ONLY - V.POWER)):
                if payable_onto(t, state, seat, kind, NONE, i, 0, &fresh) or fresh:
                    break
            elif room and cost(t, state, &m[i], seat, kind, i, NONE, False, 0) <= state.chakra[seat]:
                break
        else:
            continue
        out[n] = V.PLAY_UP + kind
        n += 1
    return n

# ---- Answers to the questions of a play ----

cdef void chain_play(const Book* t, const Mythos* state, int seat, const Frame* f, int answer, int* kind, int* zone,
                     int* slot, int* mod) noexcept nogil:
    """What an answer to TURN (`f` NULL) or PLAYCARD means."""
    cdef int base = answer // 1000 * 1000
    slot[0] = NONE
    mod[0] = f.args[2] if f != NULL else 0
    kind[0] = answer - base
    zone[0] = V.HAND
    if base == V.REVEAL:
        slot[0] = answer - V.REVEAL
        kind[0] = state.top[slot[0]]
        zone[0] = V.HIDDEN
    elif base == V.FROM_DISCARD:
        zone[0] = V.DISCARDS
    elif base == V.FROM_LOOKED:
        zone[0] = V.LOOKED_AT


cdef inline bint puts_down(int chain) noexcept nogil:
    return V.PLAY_HIDDEN <= chain < V.REVEAL


cdef int chain_missions(const Book* t, const Mythos* state, int seat, const Play* play) noexcept nogil:
    """The missions for what the chain wants to play, as a mask."""
    if puts_down(state.chain):
        return (1 << state.missions) - 1
    return places(t, state, seat, play.kind, play.slot, play.mod)


cdef bint follow_chain(const Book* t, Mythos* state, int seat, const Frame* f, int first, int answer, Play* play,
                       Sink* sink) noexcept nogil:
    """An answer in a chain TURN, TURN_MISSION, TURN_ONTO (`first`: Q_TURN, `f` NULL), or the same of PLAYCARD.

    Nothing is told or paid before the chain is complete; then `play` is what is played, else the next question was asked.
    """
    cdef int onto = -1
    cdef int mask
    cdef uint64_t options
    cdef bint fresh
    if state.chain == 0:
        state.chain = <uint16_t> answer
    elif state.chain_mission == 0:
        state.chain_mission = <uint8_t> (answer + 1)
    else:
        onto = NONE if answer == V.DECLINE else answer
    chain_play(t, state, seat, f, state.chain, &play.kind, &play.zone, &play.slot, &play.mod)
    if state.chain_mission == 0:
        mask = chain_missions(t, state, seat, play)
        if mask & (mask - 1):
            ask_on(state, sink, first + 1)
            return False
        state.chain_mission = <uint8_t> (lowest_bit(<uint64_t> mask) + 1)
    play.mission = state.chain_mission - 1
    if onto < 0 and not puts_down(state.chain):
        options = payable_onto(t, state, seat, play.kind, play.slot, play.mission, play.mod, &fresh)
        if bit_count(options) + fresh > 1:
            ask_on(state, sink, first + 2)
            return False
        onto = NONE if fresh else lowest_bit(options)
    play.onto = onto
    play.hidden = puts_down(state.chain)
    state.chain = 0
    state.chain_mission = 0
    return True


cdef int chain_answers(const Book* t, const Mythos* state, int seat, const Frame* f, action_t* out) noexcept nogil:
    """The legal answers to the second and third question of a chain."""
    cdef Play play
    cdef uint64_t options
    cdef bint fresh
    chain_play(t, state, seat, f, state.chain, &play.kind, &play.zone, &play.slot, &play.mod)
    if state.chain_mission == 0:
        return missions_of(chain_missions(t, state, seat, &play), out)
    options = payable_onto(t, state, seat, play.kind, play.slot, state.chain_mission - 1, play.mod, &fresh)
    return onto_actions(options, fresh, out)


cdef int missions_of(int mask, action_t* out) noexcept nogil:
    cdef int n = 0
    while mask:
        out[n] = lowest_bit(<uint64_t> mask)
        mask &= mask - 1
        n += 1
    return n


cdef int onto_actions(uint64_t options, bint fresh, action_t* out) noexcept nogil:
    """ONTO: slots, then DECLINE for a new character."""
    cdef int n = 0
    while options:
        out[n] = lowest_bit(options)
        options &= options - 1
        n += 1
    if fresh:
        out[n] = V.DECLINE
        n += 1
    return n
