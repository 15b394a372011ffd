"""Verbs that do something to units: choosing them, what stands before the verb, and the verb (section 6.1).

A call has two parts. First targets are chosen, all of them before anything happens (R35), except for `down`, which chooses
one after the other and settles in between. Then each target goes through its steps, in the order chosen: tax, replacements,
a last question, the verb.
"""
from seatmate.engine.core.machine cimport STORE, value
from seatmate.engine.core.sink cimport PUBLIC, emit3
from seatmate.engine.core.types cimport uint8_t, uint16_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.mythos.rules.board cimport (
    defeat, give_control, leave_play, look_at, move_unit, peel, set_chakra, set_tokens, turn_down,
)
from seatmate.engine.mythos.rules.frames cimport ASKED, FINISHED, ONE_IS_DONE, PUSHED, REFUSED, begin_play, commit
from seatmate.engine.mythos.rules.legal cimport IS_TARGET, destinations, legal_targets, pick_amount, target_fn
from seatmate.engine.mythos.rules.model cimport (
    CHOICES, Character, Line, Selector, add_chosen, ask, ask_on, bit, chosen, controller, drop_chosen, in_play,
    is_up, top_frame,
)
from seatmate.engine.mythos.rules.plays cimport payable_onto
from seatmate.engine.mythos.rules.query cimport (
    Context, has_namesake, look_from, look_from_frame, matches, power, select, shielded, tax_on, under_static,
)

ctypedef int (*unit_fn)(const Book* t, Mythos* state, Frame* f, Sink* sink) noexcept nogil

cdef unit_fn ON_UNIT[V.PICK + 1]

cdef enum:                  # Frame.step: what comes next for the target
    NEXT_TARGET = 0
    FIRST = 1               # tax
    BY_OTHERS = 2           # a unit that may be defeated instead
    BY_ITSELF = 3
    LAST_QUESTION = 4
    THE_VERB = 5
    AFTER_PLAY = 6

# ---- Choosing ----

cdef inline int extra_of(const Frame* f) noexcept nogil:
    return f.args[1] if f.verb == V.MOVE or f.verb == V.PICK else 0


cdef inline int chooser(const Frame* f) noexcept nogil:
    return 1 - f.you if f.who == 1 else f.you


cdef uint64_t candidates(const Book* t, const Mythos* state, const Frame* f) noexcept nogil:
    """The units that can be chosen now."""
    cdef Context c
    cdef uint64_t mask, rest
    cdef int pick = t.selector[selector_of(f)].pick
    cdef int slot
    look_from_frame(&c, t, state, f)
    mask = legal_targets(&c, f.verb, extra_of(f), selector_of(f)) & ~chosen(f)
    if pick == V.EACH:
        mask &= state.at[f.left]
    elif pick == V.SUM:
        rest = mask
        while rest:
            slot = lowest_bit(rest)
            rest &= rest - 1
            if power(t, state, slot) > f.left:
                mask &= ~bit(slot)
    return mask


cdef bint may_decline(const Book* t, const Frame* f) noexcept nogil:
    """Is DECLINE an answer to TARGET? The first choice of an optional line, each mission of `each`, any time in `sum`."""
    cdef int pick = t.selector[selector_of(f)].pick
    return not f.flags & V.COMMITTED or pick == V.EACH or pick == V.SUM


cdef int begin(const Book* t, Mythos* state, Frame* f, Sink* sink) noexcept nogil:
    """Find the targets that need no choice, or begin to choose."""
    cdef const Selector* s = &t.selector[selector_of(f)]
    cdef Context c
    cdef uint64_t mask
    cdef int n
    look_from_frame(&c, t, state, f)
    if s.pick == V.SO_MANY or s.pick == V.EACH or s.pick == V.SUM:
        f.call |= V.IN_ORDER
    if s.pick == V.DOWN or s.pick == V.EACH:
        if s.pick == V.EACH:
            commit(f, sink)
        f.left = 0
        return choose(t, state, f, sink)
    if (f.verb == V.TOK or f.verb == V.UNTOK or f.verb == V.TAKE_TOK) and f.args[0] <= 0:
        return FINISHED
    mask = legal_targets(&c, f.verb, extra_of(f), selector_of(f))
    if mask == 0:
        return FINISHED
    if s.pick == V.SUM:
        n = pick_amount(&c, selector_of(f))
        if n < 0:
            return FINISHED
        f.left = <uint8_t> (n if n < 250 else 250)
        return choose(t, state, f, sink)
    if s.pick == V.SO_MANY:
        n = pick_amount(&c, selector_of(f))
        if n <= 0:
            return FINISHED
        f.left = <uint8_t> min(min(n, bit_count(mask)), CHOICES)
        return choose(t, state, f, sink)
    if s.pick == V.ONE and s.base != V.SELF and s.base != V.IN_A and s.base != V.IN_B:
        f.left = 1
        return choose(t, state, f, sink)
    f.picked = mask
    return apply(t, state, f, sink)


cdef int choose(const Book* t, Mythos* state, Frame* f, Sink* sink) noexcept nogil:
    """The next choice, or on to the targets when there is none; a single candidate that must be taken is not asked for."""
    cdef int pick = t.selector[selector_of(f)].pick
    cdef uint64_t mask
    cdef Context c
    f.sub = V.CHOOSING
    while True:
        if pick == V.EACH and f.left >= state.missions or pick == V.SUM and bit_count(chosen(f)) == CHOICES:
            break
        if pick == V.DOWN:
            look_from_frame(&c, t, state, f)
            if bit_count(select(&c, selector_of(f))) <= pick_amount(&c, selector_of(f)):
                return FINISHED
        mask = candidates(t, state, f)
        if mask == 0:
            if pick == V.EACH:
                f.left += 1
                continue
            if pick == V.DOWN:
                return FINISHED
            break
        if not may_decline(t, f) and bit_count(mask) == 1:
            add_chosen(f, lowest_bit(mask))
            break
        ask(state, sink, chooser(f), V.Q_TARGET, V.Q_TARGET)
        return ASKED
    return apply(t, state, f, sink)


cdef int answer_target(const Book* t, Mythos* state, int answer, Sink* sink) noexcept nogil:
    """Answer to TARGET: a slot, or DECLINE."""
    cdef Frame* f = top_frame(state)
    cdef int pick = t.selector[selector_of(f)].pick
    if answer == V.DECLINE:
        if not f.flags & V.COMMITTED:
            return REFUSED
        if pick == V.EACH:
            f.left += 1
            return choose(t, state, f, sink)
        return apply(t, state, f, sink)             # sum: enough
    commit(f, sink)
    emit3(sink, V.E_TARGETED, PUBLIC, f.line, f.verb, answer)
    add_chosen(f, answer)
    if pick == V.EACH:
        f.left += 1
        return choose(t, state, f, sink)
    if pick == V.SUM:
        f.left -= <uint8_t> power(t, state, answer)
        return choose(t, state, f, sink)
    if pick == V.SO_MANY:
        f.left -= 1
        if f.left:
            return choose(t, state, f, sink)
    return apply(t, state, f, sink)

# ---- Applying ----

cdef int apply(const Book* t, Mythos* state, Frame* f, Sink* sink) noexcept nogil:
    """Go on with the target, or to the next one, until a question or the end."""
    cdef int status
    f.sub = V.APPLYING
    while True:
        if f.step == NEXT_TARGET:
            if f.picked == 0:
                if t.selector[selector_of(f)].pick != V.DOWN:
                    return FINISHED
                f.sub = V.CHOOSING
                return ONE_IS_DONE
            f.target = <uint8_t> next_target(t, state, f)
            drop_chosen(f, f.target)
            f.target_serial = state.serial[f.target]
            f.step = FIRST
        status = treat(t, state, f, sink)
        if status != FINISHED:
            return status
        f.step = NEXT_TARGET


cdef int next_target(const Book* t, const Mythos* state, Frame* f) noexcept nogil:
    """The first of the chosen units. The targets of one step are affected together: one that may be defeated in place of
    another comes after it, so that it is asked whatever the order (R51)."""
    cdef uint64_t all = chosen(f)
    cdef uint64_t rest = f.picked
    cdef uint64_t early
    if f.verb != V.HIDE and f.verb != V.DEFEAT and f.verb != V.MOVE or all & all - 1 == 0:
        early = all
    else:
        early = all & ~substitutes(t, state, f, all)
        if early == 0:
            early = all
    if not f.call & V.IN_ORDER:
        return lowest_bit(early)
    while not early >> (<int> (rest & 63) - 1) & 1:
        rest >>= 6
    return <int> (rest & 63) - 1


cdef uint64_t substitutes(const Book* t, const Mythos* state, Frame* f, uint64_t among) noexcept nogil:
    """Which of these units may be defeated in place of another one of them?"""
    cdef uint64_t sources = among & state.up
    cdef uint64_t found = 0
    cdef uint64_t rest
    cdef int source
    while sources:
        source = lowest_bit(sources)
        sources &= sources - 1
        if not t.character[state.top[source]].replaces >> replaceable(f) & 1:
            continue
        rest = among & ~bit(source)
        while rest and not found >> source & 1:
            f.target = <uint8_t> lowest_bit(rest)
            rest &= rest - 1
            if replacement(t, state, f, source) != NULL:
                found |= bit(source)
    return found


cdef int treat(const Book* t, Mythos* state, Frame* f, Sink* sink) noexcept nogil:
    """What befalls one target, from where it stands; FINISHED when the verb is over or has failed."""
    cdef Context c
    cdef int slot = f.target
    cdef int mask, tax
    if f.step == FIRST:
        if f.verb == V.HIDE and not is_up(state, slot):
            return FINISHED
        if f.verb == V.MOVE:
            look_from_frame(&c, t, state, f)
            if destinations(&c, slot, f.args[1]) == 0:
                return FINISHED
        if f.verb != V.PICK and not f.taxed >> slot & 1:
            tax = tax_on(t, state, slot, f.you)
            if tax and state.chakra[f.you]:
                set_chakra(state, f.you, state.chakra[f.you] - min(tax, state.chakra[f.you]), V.TAXED, sink)
            if tax:
                f.taxed |= bit(slot)
        f.power_before = <int> power(t, state, slot)
        f.card = V.NONE
        f.call &= ~(V.CARD_OPEN | V.CARD_UP)
        f.other = V.NONE
        f.step = BY_OTHERS if f.verb == V.HIDE or f.verb == V.DEFEAT or f.verb == V.MOVE else LAST_QUESTION
    if f.step == BY_OTHERS:
        while next_substitute(t, state, f):
            if not substitute_may(t, state, f):
                defeat(t, state, f.other, sink)
                return FINISHED
            ask(state, sink, controller(state, f.other), V.Q_REPLACE, V.Q_REPLACE)
            return ASKED
        f.step = BY_ITSELF
    if f.step == BY_ITSELF:
        if hides_itself(t, state, f):
            turn_down(state, slot, sink)
            return FINISHED
        f.step = LAST_QUESTION
    if f.step == LAST_QUESTION:
        f.step = THE_VERB
        if f.verb == V.MOVE:
            mask = destinations_of(t, state, f)
            if mask & (mask - 1):
                ask(state, sink, f.you, V.Q_DEST, V.Q_DEST)
                return ASKED
            if mask:
                move(t, state, f, lowest_bit(<uint64_t> mask), sink)
            return FINISHED
        if f.verb == V.FORCE:
            ask(state, sink, controller(state, slot), V.Q_FORCED, V.Q_FORCED)
            return ASKED
        if (f.verb == V.UNTOK or f.verb == V.TAKE_TOK) and f.args[2] and most_tokens(state, f) > 1:
            ask(state, sink, f.you, V.Q_AMOUNT, V.Q_AMOUNT)
            return ASKED
    if f.step == AFTER_PLAY:
        f.count += 1
        return FINISHED
    the_verb(t, state, f, sink)
    return FINISHED


cdef inline int min(int a, int b) noexcept nogil:
    return a if a < b else b


cdef int most_tokens(const Mythos* state, const Frame* f) noexcept nogil:
    """How many tokens UNTOK and TAKE_TOK can take."""
    return min(f.args[0], state.tokens[f.target])


cdef int destinations_of(const Book* t, const Mythos* state, const Frame* f) noexcept nogil:
    """DEST: missions as a mask."""
    cdef Context c
    look_from_frame(&c, t, state, f)
    return destinations(&c, f.target, f.args[1])


cdef void move(const Book* t, Mythos* state, Frame* f, int mission, Sink* sink) noexcept nogil:
    move_unit(t, state, f.target, mission, f.you, sink)
    f.count += 1


cdef inline void note_card(const Mythos* state, Frame* f) noexcept nogil:
    """The card of the target, for the registers; a hidden one is not public yet."""
    f.card = state.top[f.target]
    if is_up(state, f.target):
        f.call |= V.CARD_UP | V.CARD_OPEN


cdef inline bint card_is_wanted(const Book* t, const Frame* f) noexcept nogil:
    """Does the line store the card of what it did?"""
    return t.code[f.at] == STORE and t.code[f.at + 1] == V.REG_K and t.code[f.at + 2] == V.ITS_CARD


# ---- Whom a verb can befall, and what it does ----

cdef bint stands_up(const Context* c, int extra, int slot) noexcept nogil:
    return is_up(c.state, slot) and not shielded(c.t, c.state, slot, V.R_HIDE, c.you)


cdef bint can_fall(const Context* c, int extra, int slot) noexcept nogil:
    return not shielded(c.t, c.state, slot, V.R_DEFEAT, c.you)


cdef bint can_move(const Context* c, int extra, int slot) noexcept nogil:
    return destinations(c, slot, extra) != 0


cdef bint can_be_picked(const Context* c, int extra, int slot) noexcept nogil:
    """For the verb it is picked for."""
    if extra == V.R_MOVE:
        return can_move(c, V.TO_ELSEWHERE, slot)
    return stands_up(c, 0, slot) if extra == V.R_HIDE else can_fall(c, 0, slot)


cdef bint has_tokens(const Context* c, int extra, int slot) noexcept nogil:
    return c.state.tokens[slot] > 0


cdef bint is_hidden(const Context* c, int extra, int slot) noexcept nogil:
    return not is_up(c.state, slot)


cdef bint lies_on_cards(const Context* c, int extra, int slot) noexcept nogil:
    return c.state.below[slot] > 0


cdef bint can_change_sides(const Context* c, int extra, int slot) noexcept nogil:
    """To where it has no namesake."""
    cdef const Mythos* state = c.state
    if controller(state, slot) == c.you or c.source == V.NONE:
        return False
    return not is_up(state, slot) or not has_namesake(
        c.t, state, state.side[c.you] & state.at[state.where[slot]] & state.up, slot)


cdef void the_verb(const Book* t, Mythos* state, Frame* f, Sink* sink) noexcept nogil:
    """The verb itself on the target; what it counts as done."""
    f.count += <uint8_t> ON_UNIT[f.verb](t, state, f, sink)


cdef int do_tok(const Book* t, Mythos* state, Frame* f, Sink* sink) noexcept nogil:
    set_tokens(state, f.target, state.tokens[f.target] + f.args[0], sink)
    return 1


cdef int do_untok(const Book* t, Mythos* state, Frame* f, Sink* sink) noexcept nogil:
    take_tokens(state, f, most_tokens(state, f), sink)
    return 0


cdef int do_hide(const Book* t, Mythos* state, Frame* f, Sink* sink) noexcept nogil:
    note_card(state, f)
    turn_down(state, f.target, sink)
    return 1


cdef int do_defeat(const Book* t, Mythos* state, Frame* f, Sink* sink) noexcept nogil:
    note_card(state, f)
    if not f.call & V.CARD_OPEN:
        if not under_static(t, state, f.target, V.DEFEAT_TO_HAND):
            f.call |= V.CARD_OPEN
        elif card_is_wanted(t, f) and not state.known[f.target] >> f.you & 1:
            look_at(state, f.target, f.you, sink)       # R91: the condition behind it must be checked
        elif not card_is_wanted(t, f):
            f.card = V.NONE
    defeat(t, state, f.target, sink)
    return 1


cdef int do_control(const Book* t, Mythos* state, Frame* f, Sink* sink) noexcept nogil:
    if not in_play(state, f.unit, f.serial):
        return 0
    note_card(state, f)
    give_control(state, f.target, f.you, f.unit, sink)
    return 1


cdef int do_look(const Book* t, Mythos* state, Frame* f, Sink* sink) noexcept nogil:
    look_at(state, f.target, f.you, sink)
    return 1


cdef int do_return(const Book* t, Mythos* state, Frame* f, Sink* sink) noexcept nogil:
    note_card(state, f)
    if not f.call & V.CARD_OPEN:
        f.card = V.NONE
    leave_play(state, f.target, V.RETURNED, sink)
    return 1


cdef int do_peel(const Book* t, Mythos* state, Frame* f, Sink* sink) noexcept nogil:
    note_card(state, f)
    f.call |= V.CARD_OPEN
    peel(state, f.target, sink)
    return 1


cdef int do_force(const Book* t, Mythos* state, Frame* f, Sink* sink) noexcept nogil:
    """It was not revealed."""
    defeat(t, state, f.target, sink)
    return 1


cdef int do_pick(const Book* t, Mythos* state, Frame* f, Sink* sink) noexcept nogil:
    """MOVE comes here neither: it has a last question."""
    return 1


cdef void take_tokens(Mythos* state, Frame* f, int n, Sink* sink) noexcept nogil:
    set_tokens(state, f.target, state.tokens[f.target] - n, sink)
    if f.verb == V.TAKE_TOK and in_play(state, f.unit, f.serial):
        set_tokens(state, f.unit, state.tokens[f.unit] + n, sink)
    f.count += <uint8_t> n

# ---- Replacements ---- (6.1, R50 to R53)

cdef inline int replaceable(const Frame* f) noexcept nogil:
    return V.R_HIDE if f.verb == V.HIDE else V.R_DEFEAT if f.verb == V.DEFEAT else V.R_MOVE


cdef const Line* replacement(const Book* t, const Mythos* state, const Frame* f, int source) noexcept nogil:
    """The line of the unit `source` that replaces what is about to befall the target, NULL if it has none."""
    cdef const Character* card = &t.character[state.top[source]]
    cdef const Line* line
    cdef Context c
    cdef int i
    cdef int you = controller(state, source)
    if not card.replaces >> replaceable(f) & 1:
        return NULL
    for i in range(card.lines):
        line = &t.line[card.first + i]
        if line.trigger != V.REPLACE or not line.events >> replaceable(f) & 1:
            continue
        if line.by == V.BY_ENEMY and f.you == controller(state, f.target) or line.by == V.BY_YOU and f.you != you:
            continue
        look_from(&c, t, state, you, source, state.where[source])
        if value(&c.machine, line.when) and matches(&c, line.subject, f.target):
            return line
    return NULL


cdef bint next_substitute(const Book* t, const Mythos* state, Frame* f) noexcept nogil:
    """Find the next unit, in slot order behind f.other, that may be defeated instead."""
    cdef uint64_t rest = state.up & ~bit(f.target)
    cdef int source
    if f.other != V.NONE:
        rest &= ~(bit(f.other) | bit(f.other) - 1)
    while rest:
        source = lowest_bit(rest)
        rest &= rest - 1
        if replacement(t, state, f, source) != NULL:
            f.other = <uint8_t> source
            return True
    return False


cdef bint substitute_may(const Book* t, const Mythos* state, const Frame* f) noexcept nogil:
    """Is the substitute's line optional?"""
    return replacement(t, state, f, f.other).flags & V.LINE_MAY


cdef bint hides_itself(const Book* t, const Mythos* state, const Frame* f) noexcept nogil:
    """Does the target turn face down instead?"""
    cdef const Line* line
    if not is_up(state, f.target):
        return False
    line = replacement(t, state, f, f.target)
    return line != NULL and line.flags & V.BODY_HIDES

# ---- Answers ----

cdef int answer_for_target(const Book* t, Mythos* state, int prompt, int answer, Sink* sink) noexcept nogil:
    """Answer to a question about the target: REPLACE, DEST, AMOUNT, FORCED or FORCED_ONTO."""
    cdef Frame* f = top_frame(state)
    cdef uint64_t onto
    cdef bint fresh
    cdef int slot = f.target
    cdef int seat
    if prompt == V.Q_REPLACE:
        if answer:
            defeat(t, state, f.other, sink)     # by its own controller
            f.step = NEXT_TARGET
    elif prompt == V.Q_DEST:
        move(t, state, f, answer, sink)
        f.step = NEXT_TARGET
    elif prompt == V.Q_AMOUNT:
        take_tokens(state, f, answer, sink)
        f.step = NEXT_TARGET
    elif prompt == V.Q_FORCED and answer:
        seat = controller(state, slot)
        onto = payable_onto(t, state, seat, state.top[slot], slot, state.where[slot], f.args[1], &fresh)
        if bit_count(onto) + fresh > 1:
            state.chain = <uint16_t> (V.REVEAL + slot)
            ask_on(state, sink, V.Q_FORCED_ONTO)
            return ASKED
        return force(t, state, V.NONE if fresh else lowest_bit(onto), sink)
    elif prompt == V.Q_FORCED_ONTO:
        state.chain = 0
        return force(t, state, V.NONE if answer == V.DECLINE else answer, sink)
    return apply(t, state, f, sink)


cdef int force(const Book* t, Mythos* state, int onto, Sink* sink) noexcept nogil:
    """The forced unit is revealed; its lines come first (R84)."""
    cdef Frame* f = top_frame(state)
    cdef int slot = f.target
    f.step = AFTER_PLAY
    begin_play(t, state, controller(state, slot), state.top[slot], V.HIDDEN, slot, state.where[slot], onto, f.args[1], sink)
    state.plays += 1
    return PUSHED


cdef int do_to_units(const Book* t, Mythos* state, Sink* sink) noexcept nogil:
    """Carry out the running call of the top frame, a unit verb, from where it stands."""
    cdef Frame* f = top_frame(state)
    if f.sub == V.BEGIN:
        return begin(t, state, f, sink)
    return choose(t, state, f, sink) if f.sub == V.CHOOSING else apply(t, state, f, sink)

# ---- The rows ----

cdef void row(int verb, target_fn is_target, unit_fn run):
    IS_TARGET[verb] = is_target
    ON_UNIT[verb] = run


row(V.TOK, NULL, do_tok)
row(V.UNTOK, has_tokens, do_untok)
row(V.TAKE_TOK, has_tokens, do_untok)
row(V.MOVE, can_move, do_pick)
row(V.HIDE, stands_up, do_hide)
row(V.DEFEAT, can_fall, do_defeat)
row(V.CONTROL, can_change_sides, do_control)
row(V.LOOK, is_hidden, do_look)
row(V.RETURN, NULL, do_return)
row(V.PEEL, lies_on_cards, do_peel)
row(V.FORCE, is_hidden, do_force)
row(V.PICK, can_be_picked, do_pick)

for _verb in range(V.PICK + 1):
    if ON_UNIT[<int> _verb] == NULL:
        raise NotImplementedError(f"verb {_verb} of vocabulary.pxd does nothing yet")
