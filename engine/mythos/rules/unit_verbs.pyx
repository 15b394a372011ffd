"""Verbs that do something to units: choosing them, what stands before the verb, and the verb (section 6.1).

A call has two parts. First targets are chosen, all of them before anything happens (R35), except for `down`, which chooses
one after the other and settles in between. Then each target goes through its steps, in the order chosen: tax, replacements,
a last question, the verb.
"""
from seatmate.engine.core.machine cimport STORE, value
from seatmate.engine.core.sink cimport PUBLIC, emit3
from seatmate.engine.core.types cimport uint8_t, uint16_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.mythos.content.vocabulary cimport (
    BY_ENEMY, BY_YOU, CONTROL, DECLINE, DEFEAT, DEFEAT_TO_HAND, DOWN, EACH, E_TARGETED, FORCE, HIDDEN, HIDE, IN_A, IN_B,
    ITS_CARD, LOOK, MOVE, ONE, PEEL, PICK, Q_AMOUNT, Q_DEST, Q_FORCED, Q_FORCED_ONTO, Q_REPLACE, Q_TARGET, REG_K,
    REPLACE, RETURN, RETURNED, REVEAL, R_DEFEAT, R_HIDE, R_MOVE, SELF, SO_MANY, SUM, TAXED,
)
from seatmate.engine.mythos.rules.board cimport (
    defeat, give_control, leave_play, look_at, move_unit, peel, set_chakra, set_tokens, turn_down,
)
from seatmate.engine.mythos.rules.frames cimport ASKED, FINISHED, ONE_IS_DONE, PUSHED, REFUSED, begin_play, commit
from seatmate.engine.mythos.rules.legal cimport destinations, legal_targets, pick_amount
from seatmate.engine.mythos.rules.model cimport (
    BODY_HIDES, CARD_OPEN, CARD_UP, CHOICES, COMMITTED, IN_ORDER, LINE_MAY, NONE, Character, Line, Selector, add_chosen,
    ask, ask_on, bit, chosen, controller, drop_chosen, in_play, is_up, top_frame,
)
from seatmate.engine.mythos.rules.plays cimport payable_onto
from seatmate.engine.mythos.rules.query cimport (
    Context, look_from, look_from_frame, matches, power, select, tax_on, under_static,
)

cdef enum:                  # Frame.sub
    BEGIN = 0
    CHOOSING = 1
    APPLYING = 2

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
    return f.args[1] if f.verb == MOVE or f.verb == PICK else 0


cdef inline int chooser(const Frame* f) noexcept nogil:
    return 1 - f.you if f.who == 1 else f.you


cdef uint64_t candidates(const Tables* t, const Mythos* h, const Frame* f) noexcept nogil:
    """The units that can be chosen now."""
    cdef Context c
    cdef uint64_t mask, rest
    cdef int pick = t.selector[selector_of(f)].pick
    cdef int slot
    look_from_frame(&c, t, h, f)
    mask = legal_targets(&c, f.verb, extra_of(f), selector_of(f)) & ~chosen(f)
    if pick == EACH:
        mask &= h.at[f.left]
    elif pick == SUM:
        rest = mask
        while rest:
            slot = lowest_bit(rest)
            rest &= rest - 1
            if power(t, h, slot) > f.left:
                mask &= ~bit(slot)
    return mask


cdef bint may_decline(const Tables* t, const Frame* f) noexcept nogil:
    """Is DECLINE an answer to TARGET? The first choice of an optional line, each mission of `each`, any time in `sum`."""
    cdef int pick = t.selector[selector_of(f)].pick
    return not f.flags & COMMITTED or pick == EACH or pick == SUM


cdef int begin(const Tables* t, Mythos* h, Frame* f, Sink* sink) noexcept nogil:
    """Find the targets that need no choice, or begin to choose."""
    cdef const Selector* s = &t.selector[selector_of(f)]
    cdef Context c
    cdef uint64_t mask
    cdef int n
    look_from_frame(&c, t, h, f)
    if s.pick == SO_MANY or s.pick == EACH or s.pick == SUM:
        f.call |= IN_ORDER
    if s.pick == DOWN or s.pick == EACH:
        if s.pick == EACH:
            commit(f, sink)
        f.left = 0
        return choose(t, h, f, sink)
    if (f.verb == TOK or f.verb == UNTOK or f.verb == TAKE_TOK) and f.args[0] <= 0:
        return FINISHED
    mask = legal_targets(&c, f.verb, extra_of(f), selector_of(f))
    if mask == 0:
        return FINISHED
    if s.pick == SUM:
        n = pick_amount(&c, selector_of(f))
        if n < 0:
            return FINISHED
        f.left = <uint8_t> (n if n < 250 else 250)
        return choose(t, h, f, sink)
    if s.pick == SO_MANY:
        n = pick_amount(&c, selector_of(f))
        if n <= 0:
            return FINISHED
        f.left = <uint8_t> min(min(n, bit_count(mask)), CHOICES)
        return choose(t, h, f, sink)
    if s.pick == ONE and s.base != SELF and s.base != IN_A and s.base != IN_B:
        f.left = 1
        return choose(t, h, f, sink)
    f.picked = mask
    return apply(t, h, f, sink)


cdef int choose(const Tables* t, Mythos* h, Frame* f, Sink* sink) noexcept nogil:
    """The next choice, or on to the targets when there is none; a single candidate that must be taken is not asked for."""
    cdef int pick = t.selector[selector_of(f)].pick
    cdef uint64_t mask
    cdef Context c
    f.sub = CHOOSING
    while True:
        if pick == EACH and f.left >= h.missions or pick == SUM and bit_count(chosen(f)) == CHOICES:
            break
        if pick == DOWN:
            look_from_frame(&c, t, h, f)
            if bit_count(select(&c, selector_of(f))) <= pick_amount(&c, selector_of(f)):
                return FINISHED
        mask = candidates(t, h, f)
        if mask == 0:
            if pick == EACH:
                f.left += 1
                continue
            if pick == DOWN:
                return FINISHED
            break
        if not may_decline(t, f) and bit_count(mask) == 1:
            add_chosen(f, lowest_bit(mask))
            break
        ask(h, sink, chooser(f), Q_TARGET, Q_TARGET)
        return ASKED
    return apply(t, h, f, sink)


cdef int answer_target(const Tables* t, Mythos* h, int answer, Sink* sink) noexcept nogil:
    """Answer to TARGET: a slot, or DECLINE."""
    cdef Frame* f = top_frame(h)
    cdef int pick = t.selector[selector_of(f)].pick
    if answer == DECLINE:
        if not f.flags & COMMITTED:
            return REFUSED
        if pick == EACH:
            f.left += 1
            return choose(t, h, f, sink)
        return apply(t, h, f, sink)             # sum: enough
    commit(f, sink)
    emit3(sink, E_TARGETED, PUBLIC, f.line, f.verb, answer)
    add_chosen(f, answer)
    if pick == EACH:
        f.left += 1
        return choose(t, h, f, sink)
    if pick == SUM:
        f.left -= <uint8_t> power(t, h, answer)
        return choose(t, h, f, sink)
    if pick == SO_MANY:
        f.left -= 1
        if f.left:
            return choose(t, h, f, sink)
    return apply(t, h, f, sink)

# ---- Applying ----

cdef int apply(const Tables* t, Mythos* h, Frame* f, Sink* sink) noexcept nogil:
    """Go on with the target, or to the next one, until a question or the end."""
    cdef int status
    f.sub = APPLYING
    while True:
        if f.step == NEXT_TARGET:
            if f.picked == 0:
                if t.selector[selector_of(f)].pick != DOWN:
                    return FINISHED
                f.sub = CHOOSING
                return ONE_IS_DONE
            f.target = <uint8_t> next_target(t, h, f)
            drop_chosen(f, f.target)
            f.target_serial = h.serial[f.target]
            f.step = FIRST
        status = treat(t, h, f, sink)
        if status != FINISHED:
            return status
        f.step = NEXT_TARGET


cdef int next_target(const Tables* t, const Mythos* h, Frame* f) noexcept nogil:
    """The first of the chosen units. The targets of one step are affected together: one that may be defeated in place of
    another comes after it, so that it is asked whatever the order (R51)."""
    cdef uint64_t all = chosen(f)
    cdef uint64_t rest = f.picked
    cdef uint64_t early
    if f.verb != HIDE and f.verb != DEFEAT and f.verb != MOVE or all & all - 1 == 0:
        early = all
    else:
        early = all & ~substitutes(t, h, f, all)
        if early == 0:
            early = all
    if not f.call & IN_ORDER:
        return lowest_bit(early)
    while not early >> (<int> (rest & 63) - 1) & 1:
        rest >>= 6
    return <int> (rest & 63) - 1


cdef uint64_t substitutes(const Tables* t, const Mythos* h, Frame* f, uint64_t among) noexcept nogil:
    """Which of these units may be defeated in place of another one of them?"""
    cdef uint64_t sources = among & h.up
    cdef uint64_t found = 0
    cdef uint64_t rest
    cdef int source
    while sources:
        source = lowest_bit(sources)
        sources &= sources - 1
        if not t.character[h.top[source]].replaces >> replaceable(f) & 1:
            continue
        rest = among & ~bit(source)
        while rest and not found >> source & 1:
            f.target = <uint8_t> lowest_bit(rest)
            rest &= rest - 1
            if replacement(t, h, f, source) != NULL:
                found |= bit(source)
    return found


cdef int treat(const Tables* t, Mythos* h, Frame* f, Sink* sink) noexcept nogil:
    """What befalls one target, from where it stands; FINISHED when the verb is over or has failed."""
    cdef Context c
    cdef int slot = f.target
    cdef int mask, tax
    if f.step == FIRST:
        if f.verb == HIDE and not is_up(h, slot):
            return FINISHED
        if f.verb == MOVE:
            look_from_frame(&c, t, h, f)
            if destinations(&c, slot, f.args[1]) == 0:
                return FINISHED
        if f.verb != PICK and not f.taxed >> slot & 1:
            tax = tax_on(t, h, slot, f.you)
            if tax and h.chakra[f.you]:
                set_chakra(h, f.you, h.chakra[f.you] - min(tax, h.chakra[f.you]), TAXED, sink)
            if tax:
                f.taxed |= bit(slot)
        f.pow = <int> power(t, h, slot)
        f.card = NONE
        f.call &= ~(CARD_OPEN | CARD_UP)
        f.other = NONE
        f.step = BY_OTHERS if f.verb == HIDE or f.verb == DEFEAT or f.verb == MOVE else LAST_QUESTION
    if f.step == BY_OTHERS:
        while next_substitute(t, h, f):
            if not substitute_may(t, h, f):
                defeat(t, h, f.other, sink)
                return FINISHED
            ask(h, sink, controller(h, f.other), Q_REPLACE, Q_REPLACE)
            return ASKED
        f.step = BY_ITSELF
    if f.step == BY_ITSELF:
        if hides_itself(t, h, f):
            turn_down(h, slot, sink)
            return FINISHED
        f.step = LAST_QUESTION
    if f.step == LAST_QUESTION:
        f.step = THE_VERB
        if f.verb == MOVE:
            mask = destinations_of(t, h, f)
            if mask & (mask - 1):
                ask(h, sink, f.you, Q_DEST, Q_DEST)
                return ASKED
            if mask:
                move(t, h, f, lowest_bit(<uint64_t> mask), sink)
            return FINISHED
        if f.verb == FORCE:
            ask(h, sink, controller(h, slot), Q_FORCED, Q_FORCED)
            return ASKED
        if (f.verb == UNTOK or f.verb == TAKE_TOK) and f.args[2] and most_tokens(h, f) > 1:
            ask(h, sink, f.you, Q_AMOUNT, Q_AMOUNT)
            return ASKED
    if f.step == AFTER_PLAY:
        f.count += 1
        return FINISHED
    the_verb(t, h, f, sink)
    return FINISHED


cdef inline int min(int a, int b) noexcept nogil:
    return a if a < b else b


cdef int most_tokens(const Mythos* h, const Frame* f) noexcept nogil:
    """How many tokens UNTOK and TAKE_TOK can take."""
    return min(f.args[0], h.tokens[f.target])


cdef int destinations_of(const Tables* t, const Mythos* h, const Frame* f) noexcept nogil:
    """DEST: missions as a mask."""
    cdef Context c
    look_from_frame(&c, t, h, f)
    return destinations(&c, f.target, f.args[1])


cdef void move(const Tables* t, Mythos* h, Frame* f, int mission, Sink* sink) noexcept nogil:
    move_unit(t, h, f.target, mission, f.you, sink)
    f.count += 1


cdef inline void note_card(const Mythos* h, Frame* f) noexcept nogil:
    """The card of the target, for the registers; a hidden one is not public yet."""
    f.card = h.top[f.target]
    if is_up(h, f.target):
        f.call |= CARD_UP | CARD_OPEN


cdef inline bint card_is_wanted(const Tables* t, const Frame* f) noexcept nogil:
    """Does the line store the card of what it did?"""
    return t.code[f.at] == STORE and t.code[f.at + 1] == REG_K and t.code[f.at + 2] == ITS_CARD


cdef void the_verb(const Tables* t, Mythos* h, Frame* f, Sink* sink) noexcept nogil:
    """The verb itself on the target."""
    cdef int slot = f.target
    cdef bint here = in_play(h, f.unit, f.serial)
    if f.verb == TOK:
        set_tokens(h, slot, h.tokens[slot] + f.args[0], sink)
    elif f.verb == UNTOK or f.verb == TAKE_TOK:
        take_tokens(h, f, most_tokens(h, f), sink)
        return
    elif f.verb == HIDE:
        note_card(h, f)
        turn_down(h, slot, sink)
    elif f.verb == DEFEAT:
        note_card(h, f)
        if not f.call & CARD_OPEN:
            if not under_static(t, h, slot, DEFEAT_TO_HAND):
                f.call |= CARD_OPEN
            elif card_is_wanted(t, f) and not h.known[slot] >> f.you & 1:
                look_at(h, slot, f.you, sink)       # R91: the condition behind it must be checked
            elif not card_is_wanted(t, f):
                f.card = NONE
        defeat(t, h, slot, sink)
    elif f.verb == CONTROL:
        if not here:
            return
        note_card(h, f)
        give_control(h, slot, f.you, f.unit, sink)
    elif f.verb == LOOK:
        look_at(h, slot, f.you, sink)
    elif f.verb == RETURN:
        note_card(h, f)
        if not f.call & CARD_OPEN:
            f.card = NONE
        leave_play(h, slot, RETURNED, sink)
    elif f.verb == PEEL:
        note_card(h, f)
        f.call |= CARD_OPEN
        peel(h, slot, sink)
    elif f.verb == FORCE:                           # not revealed
        defeat(t, h, slot, sink)
    f.count += 1


cdef void take_tokens(Mythos* h, Frame* f, int n, Sink* sink) noexcept nogil:
    set_tokens(h, f.target, h.tokens[f.target] - n, sink)
    if f.verb == TAKE_TOK and in_play(h, f.unit, f.serial):
        set_tokens(h, f.unit, h.tokens[f.unit] + n, sink)
    f.count += <uint8_t> n

# ---- Replacements ---- (6.1, R50 to R53)

cdef inline int replaceable(const Frame* f) noexcept nogil:
    return R_HIDE if f.verb == HIDE else R_DEFEAT if f.verb == DEFEAT else R_MOVE


cdef const Line* replacement(const Tables* t, const Mythos* h, const Frame* f, int source) noexcept nogil:
    """The line of the unit `source` that replaces what is about to befall the target, NULL if it has none."""
    cdef const Character* card = &t.character[h.top[source]]
    cdef const Line* line
    cdef Context c
    cdef int i
    cdef int you = controller(h, source)
    if not card.replaces >> replaceable(f) & 1:
        return NULL
    for i in range(card.lines):
        line = &t.line[card.first + i]
        if line.trigger != REPLACE or not line.events >> replaceable(f) & 1:
            continue
        if line.by == BY_ENEMY and f.you == controller(h, f.target) or line.by == BY_YOU and f.you != you:
            continue
        look_from(&c, t, h, you, source, h.where[source])
        if value(&c.machine, line.when) and matches(&c, line.subject, f.target):
            return line
    return NULL


cdef bint next_substitute(const Tables* t, const Mythos* h, Frame* f) noexcept nogil:
    """Find the next unit, in slot order behind f.other, that may be defeated instead."""
    cdef uint64_t rest = h.up & ~bit(f.target)
    cdef int source
    if f.other != NONE:
        rest &= ~(bit(f.other) | bit(f.other) - 1)
    while rest:
        source = lowest_bit(rest)
        rest &= rest - 1
        if replacement(t, h, f, source) != NULL:
            f.other = <uint8_t> source
            return True
    return False


cdef bint substitute_may(const Tables* t, const Mythos* h, const Frame* f) noexcept nogil:
    """Is the substitute's line optional?"""
    return replacement(t, h, f, f.other).flags & LINE_MAY


cdef bint hides_itself(const Tables* t, const Mythos* h, const Frame* f) noexcept nogil:
    """Does the target turn face down instead?"""
    cdef const Line* line
    if not is_up(h, f.target):
        return False
    line = replacement(t, h, f, f.target)
    return line != NULL and line.flags & BODY_HIDES

# ---- Answers ----

cdef int answer_for_target(const Tables* t, Mythos* h, int prompt, int answer, Sink* sink) noexcept nogil:
    """Answer to a question about the target: REPLACE, DEST, AMOUNT, FORCED or FORCED_ONTO."""
    cdef Frame* f = top_frame(h)
    cdef uint64_t onto
    cdef bint fresh
    cdef int slot = f.target
    cdef int seat
    if prompt == Q_REPLACE:
        if answer:
            defeat(t, h, f.other, sink)     # by its own controller
            f.step = NEXT_TARGET
    elif prompt == Q_DEST:
        move(t, h, f, answer, sink)
        f.step = NEXT_TARGET
    elif prompt == Q_AMOUNT:
        take_tokens(h, f, answer, sink)
        f.step = NEXT_TARGET
    elif prompt == Q_FORCED and answer:
        seat = controller(h, slot)
        onto = payable_onto(t, h, seat, h.top[slot], slot, h.where[slot], f.args[1], &fresh)
        if bit_count(onto) + fresh > 1:
            h.chain = <uint16_t> (REVEAL + slot)
            ask_on(h, sink, Q_FORCED_ONTO)
            return ASKED
        return force(t, h, NONE if fresh else lowest_bit(onto), sink)
    elif prompt == Q_FORCED_ONTO:
        h.chain = 0
        return force(t, h, NONE if answer == DECLINE else answer, sink)
    return apply(t, h, f, sink)


cdef int force(const Tables* t, Mythos* h, int onto, Sink* sink) noexcept nogil:
    """The forced unit is revealed; its lines come first (R84)."""
    cdef Frame* f = top_frame(h)
    cdef int slot = f.target
    f.step = AFTER_PLAY
    begin_play(t, h, controller(h, slot), h.top[slot], HIDDEN, slot, h.where[slot], onto, f.args[1], sink)
    h.plays += 1
    return PUSHED


cdef int do_to_units(const Tables* t, Mythos* h, Sink* sink) noexcept nogil:
    """Carry out the running call of the top frame, a unit verb, from where it stands."""
    cdef Frame* f = top_frame(h)
    if f.sub == BEGIN:
        return begin(t, h, f, sink)
    return choose(t, h, f, sink) if f.sub == CHOOSING else apply(t, h, f, sink)
