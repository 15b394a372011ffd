"""Questions about a position: selectors, power, protection, and what effects count (section 6.3)."""
from seatmate.engine.core.machine cimport Call, compare, run, value
from seatmate.engine.core.types cimport int32_t
from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.mythos.rules.model cimport MISSIONS, Mission, Selector, bit, controller, in_play, is_up, units

# ---- Contexts ----

cdef void look_from(Context* c, const Book* t, const Mythos* state, int you, int source, int here) noexcept nogil:
    """A static, a condition of one, or a card that is about to be played (source NONE)."""
    c.machine.code = t.code
    c.machine.register_value = register_value
    c.machine.amount = amount
    c.machine.condition = condition
    c.t = t
    c.state = state
    c.registers = NULL
    c.you = you
    c.source = source
    c.here = here
    c.upg = False


cdef void look_from_frame(Context* c, const Book* t, const Mythos* state, const Frame* f) noexcept nogil:
    """A running line. A source that left play is nobody; `here` is then its last mission."""
    cdef bint there = in_play(state, f.unit, f.serial)
    look_from(c, t, state, f.you, f.unit if there else NONE, state.where[f.unit] if there else f.here)
    c.registers = &state.frame[f.registers]
    c.upg = f.flags & V.UPGRADED

# ---- What the machine asks ----

cdef int32_t register_value(const Machine* machine, int register) noexcept nogil:
    cdef const Context* c = <const Context*> machine
    if c.registers == NULL:
        return 0
    if register == V.REG_X:
        return c.registers.x
    if register == V.REG_P:
        return c.registers.p
    return c.registers.k        # name=K


cdef int32_t amount(const Machine* machine, int code, const int32_t* args) noexcept nogil:
    """V-AMT. Of a card that is not there cost and power are -1: nothing compares well with that, and no token comes of it."""
    cdef const Context* c = <const Context*> machine
    cdef uint64_t mask
    cdef int m, n
    if code == 0:               # count
        return bit_count(select(c, args[0]))
    if code == 1:               # missions
        mask = select(c, args[0])
        n = 0
        for m in range(MISSIONS):
            n += mask & c.state.at[m] != 0
        return n
    if code == 4:               # power of the source
        return power(c.t, c.state, c.source) if c.source != NONE else 0
    if code == 5:               # hand
        return c.state.hand_n[c.you]
    if c.registers == NULL or args[0] != V.REG_K or c.registers.k == NONE:
        return -1
    return c.t.character[c.registers.k].cost if code == 2 else c.t.character[c.registers.k].power


cdef int32_t condition(const Machine* machine, int code, const int32_t* args) noexcept nogil:
    """V-COND."""
    cdef const Context* c = <const Context*> machine
    if code == 0:
        return c.upg
    if code == 1:
        return c.state.edge == c.you
    if code == 2:               # R27
        return winner_of(c.t, c.state, c.here) == c.you
    return select(c, args[0]) != 0

# ---- Selectors ----

cdef uint64_t base_units(const Context* c, const Selector* s) noexcept nogil:
    """The units a selector starts from, with the filters that are masks."""
    cdef const Mythos* state = c.state
    cdef uint64_t mask = 0
    if s.base == V.ENEMY:
        mask = state.side[1 - c.you]
    elif s.base == V.SELF:
        mask = bit(c.source) if c.source != NONE else 0
    elif s.base == V.ANY:
        mask = units(state)
    elif s.base == V.FRIENDLY:    # R41: nobody is friendly to itself
        mask = state.side[c.you] & ~bit(c.source) if c.source != NONE else state.side[c.you]
    elif s.base == V.OWN:
        mask = state.side[c.you]
    elif c.registers != NULL:
        if (s.base == V.IN_A or s.base == V.PAIR) and in_play(state, c.registers.a, c.registers.a_serial):
            mask = bit(c.registers.a)
        if (s.base == V.IN_B or s.base == V.PAIR) and in_play(state, c.registers.b, c.registers.b_serial):
            mask |= bit(c.registers.b)
    if s.face == 1:
        mask &= state.up
    elif s.face == 2:
        mask &= ~state.up
    if s.place == 1:
        mask &= state.at[c.here]
    elif s.place == 2:
        mask &= ~state.at[c.here]
    elif s.place == 3:
        mask &= state.at[c.registers.m] if c.registers != NULL and c.registers.m < MISSIONS else 0
    if s.exclude & 1 and c.source != NONE:
        mask &= ~bit(c.source)
    if s.exclude & 2 and c.registers != NULL and in_play(state, c.registers.a, c.registers.a_serial):
        mask &= ~bit(c.registers.a)
    return mask


cdef bint prints(const Selector* s, const Character* card) noexcept nogil:
    """Name, keywords and group of a card."""
    if s.names and ((card.name & s.names) != 0) == (s.negated & 1):
        return False
    if s.keywords and ((card.keywords & s.keywords) != 0) == (s.negated >> 1 & 1):
        return False
    return not (s.groups and ((card.groups & s.groups) != 0) == (s.negated >> 2 & 1))


cdef inline int measure(const Context* c, int attribute, int slot) noexcept nogil:
    """A number of a unit. A hidden one costs what the option says, whoever asks (R44)."""
    if attribute == V.BY_POWER:
        return power(c.t, c.state, slot)
    if attribute == V.BY_PRINTED_COST:
        return c.t.character[c.state.top[slot]].cost
    if attribute == V.BY_COST:
        return c.t.character[c.state.top[slot]].cost if is_up(c.state, slot) else c.t.hidden_cost_attribute
    return c.state.tokens[slot]


cdef bint passes(const Context* c, const Selector* s, int slot) noexcept nogil:
    """The filters that look at a unit; a hidden one has no name, keyword or group and fails them all (R43)."""
    cdef const Mythos* state = c.state
    cdef const Character* card = &c.t.character[state.top[slot]]
    cdef int i, right
    if s.stacked and state.below[slot] == 0:
        return False
    if s.last_turn and (state.turn_of[slot] == 0 or state.turn_of[slot] != state.last_turn[1 - c.you]):
        return False            # R85
    if s.names or s.keywords or s.groups or s.name_of_k:
        if not is_up(state, slot) or not prints(s, card):
            return False
        if s.name_of_k and (c.registers == NULL or c.registers.k == NONE
                            or c.t.character[c.registers.k].name_number != card.name_number):
            return False
    for i in range(s.compares):
        right = value(&c.machine, s.compare[i].value) if s.compare[i].routine else s.compare[i].value
        if not compare(measure(c, s.compare[i].attribute, slot), s.compare[i].op, right):
            return False
    return True


cdef uint64_t select(const Context* c, int selector) noexcept nogil:
    """The units a selector means, without its pick; superlatives keep ties (R46)."""
    cdef const Selector* s = &c.t.selector[selector]
    cdef uint64_t mask = base_units(c, s)
    cdef uint64_t rest, best_ones
    cdef int slot, number, best
    if not s.plain:
        rest = mask
        while rest:
            slot = lowest_bit(rest)
            rest &= rest - 1
            if not passes(c, s, slot):
                mask &= ~bit(slot)
    if s.extreme and mask:
        rest = mask
        best_ones = 0
        best = 0
        while rest:
            slot = lowest_bit(rest)
            rest &= rest - 1
            number = measure(c, s.extreme_attribute, slot)
            if s.extreme == 2:
                number = -number
            if best_ones == 0 or number < best:
                best = number
                best_ones = bit(slot)
            elif number == best:
                best_ones |= bit(slot)
        mask = best_ones
    return mask


cdef bint matches(const Context* c, int selector, int slot) noexcept nogil:
    """Is this one of the units the selector means (superlatives aside)?"""
    cdef const Selector* s = &c.t.selector[selector]
    return base_units(c, s) >> slot & 1 and (s.plain or passes(c, s, slot))


cdef bint card_matches(const Book* t, int kind, int selector) noexcept nogil:
    """Does a card, wherever it is, pass a filter (-1: none)?"""
    return selector < 0 or prints(&t.selector[selector], &t.character[kind])

# ---- Statics ----

cdef inline int first_argument(Context* c, const Static* s) noexcept nogil:
    """The amount of a POWER or CHAKRA line."""
    cdef Call call
    cdef int32_t at
    if not s.dynamic:
        return s.args[0]
    at = s.body
    run(&c.machine, &at, False, &call)
    return call.args[0]


cdef bint under_static(const Book* t, const Mythos* state, int slot, int verb) noexcept nogil:
    """Is the unit among those that an active static of this verb names in its first argument (KEEP_TOK, DEFEAT_TO_HAND)?"""
    cdef Standing walk = standing(state.up, verb)
    cdef const Static* s = next_standing(t, state, &walk)
    cdef Context c
    while s != NULL:
        look_from(&c, t, state, controller(state, walk.source), walk.source, state.where[walk.source])
        if value(&c.machine, s.when) and matches(&c, s.args[0], slot):
            return True
        s = next_standing(t, state, &walk)
    return False


cdef bint shielded(const Book* t, const Mythos* state, int slot, int verb, int by) noexcept nogil:
    """Can an effect of seat `by` not do this (HIDE, DEFEAT or MOVE) to the unit (R47)?"""
    cdef Standing walk = standing(state.up, V.SHIELD)
    cdef const Static* s = next_standing(t, state, &walk)
    cdef Context c
    while s != NULL:
        if s.args[1] >> verb & 1 and not (s.args[2] == V.BY_ENEMY and by == controller(state, slot)):
            look_from(&c, t, state, controller(state, walk.source), walk.source, state.where[walk.source])
            if value(&c.machine, s.when) and matches(&c, s.args[0], slot):
                return True
        s = next_standing(t, state, &walk)
    return False


cdef int tax_on(const Book* t, const Mythos* state, int slot, int by) noexcept nogil:
    """Chakra seat `by` pays before an effect of its own touches this enemy (R56)."""
    cdef Standing walk = standing(state.up, V.TAX)
    cdef const Static* s
    cdef Context c
    cdef int tax = 0
    if controller(state, slot) == by:
        return 0
    s = next_standing(t, state, &walk)
    while s != NULL:
        look_from(&c, t, state, controller(state, walk.source), walk.source, state.where[walk.source])
        if value(&c.machine, s.when) and matches(&c, s.args[1], slot):
            tax += s.args[0]
        s = next_standing(t, state, &walk)
    return tax


cdef int income(const Book* t, const Mythos* state, int seat) noexcept nogil:
    """Chakra of the start phase (5.4)."""
    cdef Standing walk = standing(state.side[seat] & state.up, V.CHAKRA)
    cdef const Static* s = next_standing(t, state, &walk)
    cdef const Mission* mission
    cdef Context c
    cdef int m, i
    cdef int sum = t.base_chakra + bit_count(state.side[seat])
    while s != NULL:
        look_from(&c, t, state, seat, walk.source, state.where[walk.source])
        if value(&c.machine, s.when):
            sum += first_argument(&c, s)
        s = next_standing(t, state, &walk)
    for m in range(state.missions):
        mission = &t.mission[state.mission[m]]
        if mission.income:
            for i in range(mission.lines):
                if t.line[mission.first + i].static >= 0 and t.static[t.line[mission.first + i].static].verb == V.CHAKRA:
                    look_from(&c, t, state, seat, NONE, m)
                    s = &t.static[t.line[mission.first + i].static]
                    if value(&c.machine, s.when):
                        sum += first_argument(&c, s)
    return 0 if sum < 0 else sum if sum < 255 else 255

# ---- Power ---- (6.3)

cdef int static_power(const Book* t, const Mythos* state, int slot, int layer) noexcept nogil:
    """What the POWER lines of this layer give a unit. They look at sides, faces, names and the Edge, never at power."""
    cdef int mission = state.where[slot]
    cdef Standing walk = standing(state.at[mission] & state.up if layer == 1 else 0, V.POWER)
    cdef const Static* s = next_standing(t, state, &walk)
    cdef const Mission* m
    cdef Context c
    cdef int i
    cdef int sum = 0
    while s != NULL:
        if t.selector[s.args[1]].base != V.SELF or walk.source == slot:
            look_from(&c, t, state, controller(state, walk.source), walk.source, mission)
            if matches(&c, s.args[1], slot) and value(&c.machine, s.when):
                sum += first_argument(&c, s)
        s = next_standing(t, state, &walk)
    m = &t.mission[state.mission[mission]]
    if m.statics & 1:
        for i in range(m.lines):
            if t.line[m.first + i].static >= 0:
                s = &t.static[t.line[m.first + i].static]
                if s.verb == V.POWER and s.args[2] == layer:
                    look_from(&c, t, state, controller(state, slot), NONE, mission)
                    if layer == 2:
                        if value(&c.machine, s.when) and matches_layered(&c, s.args[1], slot):
                            sum += first_argument(&c, s)
                    elif matches(&c, s.args[1], slot) and value(&c.machine, s.when):
                        sum += first_argument(&c, s)
    return sum


cdef bint matches_layered(const Context* c, int selector, int slot) noexcept nogil:
    """Of a layer-2 line: its comparisons with power see the power of layer 1 (MSS-09, R71)."""
    cdef const Selector* s = &c.t.selector[selector]
    cdef int i
    if not base_units(c, s) >> slot & 1:
        return False
    for i in range(s.compares):
        if s.compare[i].attribute == V.BY_POWER and not s.compare[i].routine:
            if not compare(layer_1(c.t, c.state, slot), s.compare[i].op, s.compare[i].value):
                return False
    return True


cdef int layer_1(const Book* t, const Mythos* state, int slot) noexcept nogil:
    cdef int p = state.tokens[slot] + static_power(t, state, slot, 1)
    if is_up(state, slot):
        p += t.character[state.top[slot]].power
    return p if p > 0 else 0    # R72


cdef int free_power(const Book* t, const Mythos* state, int slot) noexcept nogil:
    """The power of a unit if no Rashomon held it."""
    cdef int p = layer_1(t, state, slot)
    if has_layer_2(t, state, state.where[slot]):
        p += static_power(t, state, slot, 2)
    return p if p > 0 else 0


cdef bint has_layer_2(const Book* t, const Mythos* state, int mission) noexcept nogil:
    """Is there a POWER line of layer 2 here? Only missions have them."""
    cdef const Mission* m = &t.mission[state.mission[mission]]
    cdef const Static* s
    cdef int i
    if m.statics & 1:
        for i in range(m.lines):
            if t.line[m.first + i].static >= 0:
                s = &t.static[t.line[m.first + i].static]
                if s.verb == V.POWER and s.args[2] == 2:
                    return True
    return False


cdef bint is_held(const Book* t, const Mythos* state, int slot) noexcept nogil:
    """Does an enemy Rashomon in the same mission hold the unit?"""
    cdef uint64_t rest = state.up & state.at[state.where[slot]] & state.side[1 - controller(state, slot)]
    cdef int source
    while rest:
        source = lowest_bit(rest)
        rest &= rest - 1
        if state.lock[source] == slot and state.lock_serial[source] == state.serial[slot] and has_static(t, state, source, V.ZERO):
            return True
    return False


cdef int power(const Book* t, const Mythos* state, int slot) noexcept nogil:
    """The power of a unit."""
    if state.locked >> slot & 1 and is_held(t, state, slot):
        return 0
    return free_power(t, state, slot)


cdef void powers(const Book* t, const Mythos* state, int16_t* out) noexcept nogil:
    """The power of every unit, by slot. The same as `power` for each; where no POWER line is active it is a sum."""
    cdef uint64_t rest
    cdef int m, slot
    cdef bint plain
    for m in range(state.missions):
        plain = not t.mission[state.mission[m]].statics & 1
        rest = state.at[m] & state.up
        while rest and plain:
            plain = not has_static(t, state, lowest_bit(rest), V.POWER)
            rest &= rest - 1
        rest = state.at[m]
        while rest:
            slot = lowest_bit(rest)
            rest &= rest - 1
            if plain and not state.locked >> slot & 1:
                out[slot] = state.tokens[slot] + (t.character[state.top[slot]].power if is_up(state, slot) else 0)
            else:
                out[slot] = <int16_t> power(t, state, slot)


cdef int total_power(const Book* t, const Mythos* state, int mission, int seat) noexcept nogil:
    """The power of a seat in a mission."""
    cdef uint64_t rest = state.side[seat] & state.at[mission]
    cdef int sum = 0
    while rest:
        sum += power(t, state, lowest_bit(rest))
        rest &= rest - 1
    return sum


cdef int winner_of(const Book* t, const Mythos* state, int mission) noexcept nogil:
    """Who would win the mission now (R67); NONE: nobody has power there."""
    cdef int first = total_power(t, state, mission, 0)
    cdef int second = total_power(t, state, mission, 1)
    if first == 0 and second == 0:
        return NONE
    return state.edge if first == second else first < second
