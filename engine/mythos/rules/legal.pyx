"""What a call of a line can do now, and the choices it has (section 5.7).

Nothing here looks at a hidden card but the asked seat's own: whether a line can do something is public (7.1).
"""
from libc.string cimport memset

from seatmate.engine.core.machine cimport STORE, next_call, value
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.model cimport (
    CARDS, KINDS, NONE, TURN_PLAYS, Character, Line, Selector, bit, controller, first_looked, is_up, room_for_line,
    room_for_play,
)
from seatmate.engine.mythos.rules.plays cimport places
from seatmate.engine.mythos.rules.query cimport card_matches, has_namesake, look_from, power, select, shielded

# ---- Units ----

cdef int target_selector(int verb, const int32_t* args) noexcept nogil:
    """The selector of a unit verb: its first argument, or the second behind an amount."""
    return args[1] if verb == V.TOK or verb == V.UNTOK or verb == V.TAKE_TOK else args[0]


cdef int destinations(const Context* c, int slot, int to) noexcept nogil:
    """Missions the mover can move the unit to, as a mask (6.5)."""
    cdef const Mythos* state = c.state
    cdef uint64_t own
    cdef int side = controller(state, slot)
    cdef int mask = (1 << state.missions) - 1 & ~(1 << state.where[slot])
    cdef int m
    if to == V.TO_HERE:
        mask &= 1 << c.here
    if mask == 0 or shielded(c.t, state, slot, V.R_MOVE, c.you):
        return 0
    if is_up(state, slot) and (side == c.you or not c.t.enemy_clash):       # R60, R61
        own = state.side[side] & state.up & ~bit(slot)
        for m in range(state.missions):
            if mask >> m & 1 and has_namesake(c.t, state, own & state.at[m], slot):
                mask &= ~(1 << m)
    return mask


cdef uint64_t legal_targets(const Context* c, int verb, int extra, int selector) noexcept nogil:
    """Superlatives first, then legality (R46)."""
    cdef uint64_t mask = select(c, selector)
    cdef uint64_t rest = mask
    cdef int slot
    if IS_TARGET[verb] != NULL:
        while rest:
            slot = lowest_bit(rest)
            rest &= rest - 1
            if not IS_TARGET[verb](c, extra, slot):
                mask &= ~bit(slot)
    return mask


cdef int pick_amount(const Context* c, int selector) noexcept nogil:
    """The number of a pick: how many, the sum of power, or how many are left."""
    cdef const Selector* s = &c.t.selector[selector]
    return value(&c.machine, s.pick_n) if s.pick_routine else s.pick_n


cdef bint can_do_to_units(const Context* c, const Call* call) noexcept nogil:
    cdef int selector = target_selector(call.verb, call.args)
    cdef int pick = c.t.selector[selector].pick
    cdef int extra = call.args[1] if call.verb == V.MOVE or call.verb == V.PICK else 0
    cdef uint64_t mask
    if (call.verb == V.TOK or call.verb == V.UNTOK or call.verb == V.TAKE_TOK) and call.args[0] <= 0:
        return False
    if call.verb == V.FORCE and not room_for_play(c.state):
        return False
    mask = legal_targets(c, call.verb, extra, selector)
    if pick == V.SO_MANY:
        return mask and pick_amount(c, selector) > 0
    if pick == V.DOWN:
        return mask and bit_count(select(c, selector)) > pick_amount(c, selector)
    if pick == V.SUM:
        while mask:
            if power(c.t, c.state, lowest_bit(mask)) <= pick_amount(c, selector):
                return True
            mask &= mask - 1
    return mask != 0

# ---- Cards ----

cdef int kinds_of_hand(const Mythos* state, int seat, int base, action_t* out, int n) noexcept nogil:
    """Append base + kind for each different kind of a hand."""
    cdef int i
    for i in range(state.hand_n[seat]):
        if i == 0 or state.hand[seat][i] != state.hand[seat][i - 1]:
            out[n] = base + state.hand[seat][i]
            n += 1
    return n


cdef int pool_options(const Book* t, const Mythos* state, int seat, int selector, int base, action_t* out, int n) noexcept nogil:
    """Append base + kind for each different kind of a discard pile that passes the filter, ascending."""
    cdef uint64_t seen[4]
    cdef int i, kind
    for i in range(4):
        seen[i] = 0
    for i in range(state.discard_n[seat]):
        kind = state.discard[seat][i]
        if card_matches(t, kind, selector):
            seen[kind >> 6] |= bit(kind & 63)
    for i in range(4):
        while seen[i]:
            out[n] = base + 64 * i + lowest_bit(seen[i])
            seen[i] &= seen[i] - 1
            n += 1
    return n


cdef int play_options(const Context* c, const Frame* f, int zones, int selector, int mod, action_t* out) noexcept nogil:
    """PLAYCARD: DECLINE first, then every card of the zones with a payable play, ascending (R24)."""
    cdef const Mythos* state = c.state
    cdef action_t pool[KINDS]
    cdef uint64_t rest
    cdef int i, kind, slot, n, m, at
    cdef uint8_t looked[16]
    out[0] = V.DECLINE
    n = 1
    if state.plays >= TURN_PLAYS or not room_for_play(state):
        return n
    if zones >> V.HAND & 1:
        for i in range(state.hand_n[c.you]):
            kind = state.hand[c.you][i]
            if (i == 0 or kind != state.hand[c.you][i - 1]) and card_matches(c.t, kind, selector):
                if places(c.t, state, c.you, kind, NONE, mod):
                    out[n] = V.PLAY_UP + kind
                    n += 1
    if zones >> V.HIDDEN & 1:
        rest = state.side[c.you] & ~state.up
        while rest:
            slot = lowest_bit(rest)
            rest &= rest - 1
            if card_matches(c.t, state.top[slot], selector) and places(c.t, state, c.you, state.top[slot], slot, mod):
                out[n] = V.REVEAL + slot
                n += 1
    if zones >> V.DISCARDS & 1:
        m = pool_options(c.t, state, c.you, selector, 0, pool, 0)
        for i in range(m):
            if places(c.t, state, c.you, pool[i], NONE, mod):
                out[n] = V.FROM_DISCARD + pool[i]
                n += 1
    elif zones >> V.DISCARD_TOP & 1 and state.discard_n[c.you]:
        kind = state.discard[c.you][state.discard_n[c.you] - 1]
        if card_matches(c.t, kind, selector) and places(c.t, state, c.you, kind, NONE, mod):
            out[n] = V.FROM_DISCARD + kind
            n += 1
    if zones >> V.LOOKED_AT & 1 and f != NULL:
        at = first_looked(state, f)
        m = 0
        for i in range(f.looked):           # sorted, without doubles
            kind = state.looked[at + i]
            slot = m
            while slot > 0 and looked[slot - 1] >= kind:
                if looked[slot - 1] == kind:
                    slot = -1
                    break
                looked[slot] = looked[slot - 1]
                slot -= 1
            if slot >= 0:
                looked[slot] = <uint8_t> kind
                m += 1
        for i in range(m):
            if card_matches(c.t, looked[i], selector) and places(c.t, state, c.you, looked[i], NONE, mod):
                out[n] = V.FROM_LOOKED + looked[i]
                n += 1
    return n


cdef bint can_play(const Context* c, const Frame* f, const Call* call) noexcept nogil:
    """Zones whose cards are hidden: are there cards at all? Discard piles: is there a legal play?"""
    cdef action_t out[KINDS + 64]
    cdef int zones = call.args[0]
    if zones >> V.HAND & 1 and c.state.hand_n[c.you]:
        return True
    if zones >> V.HIDDEN & 1 and c.state.side[c.you] & ~c.state.up:
        return True
    if zones >> V.LOOKED_AT & 1:
        return f != NULL and f.looked > 0
    if zones >> V.DISCARDS & 1 or zones >> V.DISCARD_TOP & 1:
        return play_options(c, f, zones, call.args[1], call.args[2], out) > 1
    return False


cdef int copy_options(const Context* c, const Frame* f, int selector, int headings, action_t* out) noexcept nogil:
    """EFFECT without its pass: lines of the units (or of the card in K) that could do something as the copier's (6.7)."""
    cdef const Mythos* state = c.state
    cdef const Selector* s = &c.t.selector[selector]
    cdef uint64_t rest
    cdef int slot
    cdef int n = 0
    if not room_for_line(state):
        return 0
    if s.base == V.IN_K:
        if c.registers != NULL and c.registers.k != NONE:
            n = copyable_lines(c, c.registers.k, V.COPY_OF_CARD, headings, out, n)
        return n
    rest = select(c, selector) & state.up       # a hidden unit has no text (R43)
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        n = copyable_lines(c, state.top[slot], slot, headings, out, n)
    return n


cdef int copyable_lines(const Context* c, int kind, int slot, int headings, action_t* out, int n) noexcept nogil:
    cdef const Character* card = &c.t.character[kind]
    cdef const Line* line
    cdef Context own
    cdef Call call
    cdef int i
    if not card.headings & headings:
        return n
    for i in range(card.lines):
        line = &c.t.line[card.first + i]
        if line.flags & V.COPYABLE and headings >> line.trigger & 1 and n < 128:
            look_from(&own, c.t, c.state, c.you, c.source, c.here)
            if value(&own.machine, line.when) and first_feasible(&own, card.first + i, &call):
                out[n] = 256 * slot + i
                n += 1
    return n

# ---- Calls and lines ----

cdef bint can_do(const Context* c, const Call* call) noexcept nogil:
    """Can this call do something now? A line that is not running has no looked-at cards."""
    if call.verb <= V.PICK:
        return can_do_to_units(c, call)
    return POSSIBLE[call.verb](c, running_frame(c), call)


cdef const Frame* running_frame(const Context* c) noexcept nogil:
    """The line on top of the stack, if the context is that of a running line."""
    return &c.state.frame[c.state.depth - 1] if c.registers != NULL and c.state.depth else NULL


cdef bint first_feasible(const Context* c, int number, Call* call) noexcept nogil:
    """Can the line do something? Then `call` is the first one that can (5.7, step 2).

    A cost must be possible as a whole, and then the first step it buys, for something that the cost may fill its registers with.
    """
    cdef const Line* line = &c.t.line[number]
    cdef int32_t at = line.body
    if line.pay >= 0:
        return buys(c, line.pay, line.body, call)
    while next_call(&c.machine, &at, False, call):
        if can_do(c, call):
            return True
    return False


cdef bint buys(const Context* c, int32_t at, int32_t body, Call* call) noexcept nogil:
    """Can the rest of a cost be paid, from `at` on, and do something then?"""
    cdef const int32_t* code = c.t.code
    cdef int stored = 0             # mask of the registers the next step of the cost fills
    cdef int face = 0
    cdef int done = 0
    cdef Call paid
    if not next_call(&c.machine, &at, False, &paid):
        at = body
        return next_call(&c.machine, &at, False, call) and can_do(c, call)
    if not can_do(c, &paid):
        return False
    while code[at] == STORE:
        stored |= 1 << code[at + 1]
        face |= code[at + 1] == V.REG_K and code[at + 2] == V.ITS_FACE
        done |= code[at + 1] == V.REG_X and code[at + 2] == V.DONE
        at += 3
    if not stored:
        return buys(c, at, body, call)
    return buys_with(c, &paid, stored, face, done, at, body, call)


cdef bint buys_with(const Context* c, const Call* paid, int stored, bint face, bint done, int32_t at, int32_t body,
                    Call* call) noexcept nogil:
    """The same behind a step that fills registers, whatever it may fill them with.

    A card nobody sees yet may be any card of the pack: that a line can do something is public and must not tell a hand.
    """
    cdef const Mythos* state = c.state
    cdef bint of_units = paid.verb <= V.PICK
    cdef Context bought = c[0]
    cdef Frame filled
    cdef uint64_t rest = 1
    cdef int slot, most, x, kind, last
    cdef bint seen
    if c.registers != NULL:
        filled = c.registers[0]
    else:
        memset(&filled, 0, sizeof(Frame))
        filled.k = NONE
        filled.m = NONE
    bought.registers = &filled
    if of_units:
        rest = legal_targets(c, paid.verb, paid.args[1] if paid.verb == V.MOVE or paid.verb == V.PICK else 0,
                             target_selector(paid.verb, paid.args))
    elif paid.verb == V.PICK_MISSION:
        rest = (1 << state.missions) - 1
    most = most_done(c, paid, rest) if done else 1
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if stored >> V.REG_A & 1:
            filled.a = <uint8_t> slot
            filled.a_serial = state.serial[slot]
        if stored >> V.REG_B & 1:
            filled.b = <uint8_t> slot
            filled.b_serial = state.serial[slot]
        if stored >> V.REG_M & 1:
            filled.m = <uint8_t> slot
        seen = of_units and (face or is_up(state, slot))
        last = c.t.characters if stored >> V.REG_K & 1 and not seen else 1
        for kind in range(last):
            if stored >> V.REG_K & 1:
                filled.k = <uint8_t> (kind if not seen else state.top[slot] if is_up(state, slot) else NONE)
            for x in range(1, most + 1):
                if stored >> V.REG_X & 1:
                    filled.x = x if done else power(c.t, state, slot) if of_units else 0
                if buys(&bought, at, body, call):
                    return True
    return False


cdef int most_done(const Context* c, const Call* paid, uint64_t targets) noexcept nogil:
    """An upper bound of what a step that can be carried out counts as done, 1 or more."""
    cdef const Mythos* state = c.state
    cdef int most = 0
    if paid.verb == V.PAY_X:
        return state.chakra[c.you]
    if paid.verb == V.UNTOK or paid.verb == V.TAKE_TOK:
        while targets:
            most += state.tokens[lowest_bit(targets)]
            targets &= targets - 1
        return most
    if paid.verb <= V.PICK:
        return bit_count(targets)
    if paid.verb == V.DISCARD or paid.verb == V.RAID:
        most = state.hand_n[0] + state.hand_n[1]
        return paid.args[0] if paid.args[0] < most else most
    return 1 if paid.n == 0 or paid.args[0] < 1 else paid.args[0] if paid.args[0] < CARDS else CARDS


cdef bint asks_itself(const Context* c, const Call* call) noexcept nogil:
    """Does the call begin with a choice in which one can pass? Else the line is accepted by MAY (5.7, step 3)."""
    cdef const Selector* s
    if call.verb <= V.PICK:
        s = &c.t.selector[target_selector(call.verb, call.args)]
        return (s.pick != V.EVERY and s.pick != V.DOWN
                and not (s.pick == V.ONE and (s.base == V.SELF or s.base == V.IN_A or s.base == V.IN_B)))
    return call.verb == V.PLAY or call.verb == V.PAY_X or call.verb == V.COPY
