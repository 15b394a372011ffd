"""GO! cards (6.7): what a mission needs, pick-ups and deliveries, completion and the next card."""
from seatmate.engine.core.rng cimport rng_below
from seatmate.engine.core.sink cimport PUBLIC, emit, emit0, emit2, emit3
from seatmate.engine.core.types cimport int32_t, uint8_t, uint16_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit, nth_bit
from seatmate.engine.titans.content.vocabulary cimport (
    CLUE, E_GO_DONE, E_GO_REVEAL, E_GO_SHUFFLE, E_MISSION_TOKEN, E_ROLL_MAYHEM, GIFT, TK_PIZZA, V_BOTH_AT,
    V_BOTH_OPP_BASES, V_CLUES, V_GIFTS_TO, V_MONSTER, V_PIZZA_TO, V_ROLL_STAR,
)
from seatmate.engine.titans.rules.board cimport (
    complete, gain_points, pop_frame, push_frame, take_token, tile_at, victory,
)
from seatmate.engine.titans.rules.model cimport (
    FRAMES, HAS_PIZZA, NONE, PIECES, PROG, S_GO, Go, asks_for, bases_of, bit, changed, icon_places, on_map,
)


cdef void token_moves(const Titans* h, int kind, int team, int start, int to, Sink* sink) noexcept nogil:
    """A mission token goes from one place (-1: elsewhere) to another; `tile` is that of either."""
    cdef int32_t args[5]
    if sink != NULL:
        args[0] = kind
        args[1] = team
        args[2] = start
        args[3] = to
        args[4] = tile_at(h, to if to >= 0 else start)
        emit(sink, E_MISSION_TOKEN, PUBLIC, 5, args)


cdef bint progress(const Tables* t, Titans* h, int team, Sink* sink) noexcept nogil:
    """Whatever is picked up, collected or delivered now (R35); is the mission complete?"""
    cdef const Go* go
    cdef int first = 2 * team
    cdef int i, place
    cdef int active = NONE
    cdef uint16_t stands = 0
    if h.team[team].go == NONE:
        return False
    go = &t.go[h.team[team].go]
    for i in range(first, first + 2):
        if h.pc[i].place != NONE:
            stands |= bit(h.pc[i].place)
    if on_map(h, h.active) and h.active >> 1 == team:
        active = h.active
    if go.kind == V_PIZZA_TO:
        if active == NONE:
            return False
        place = h.pc[active].place
        if h.pizza == place:
            h.pizza = NONE
            take_token(h, active, HAS_PIZZA, TK_PIZZA, sink)
        return h.pc[active].tok & HAS_PIZZA and icon_places(t, h, go.icon) >> place & 1
    if go.kind == V_GIFTS_TO:
        if active != NONE and h.tile[h.pc[active].place] != NONE:
            place = h.pc[active].place
            i = 1 << t.icon_of[h.tile[place]]
            if go.icons & i and not h.team[team].delivered & i and h.team[team].gifts:
                changed(h)
                h.team[team].gifts -= 1
                h.team[team].delivered |= <uint8_t> i
                token_moves(h, GIFT, team, -1, place, sink)
        return h.team[team].delivered == go.icons
    if go.kind == V_CLUES:
        stands &= h.clues
        while stands:
            place = lowest_bit(stands)
            stands &= stands - 1
            changed(h)
            h.clues &= ~bit(place)
            h.team[team].clues += 1
            token_moves(h, CLUE, team, place, -1, sink)
        return h.clues == 0 and h.team[team].clues > 0
    if go.kind == V_MONSTER:
        return h.team[team].mon_place != NONE and h.team[team].mon_dmg >= go.number
    if go.kind == V_BOTH_AT:
        return (h.pc[first].place != NONE and h.pc[first].place == h.pc[first + 1].place
                and icon_places(t, h, go.icon) >> h.pc[first].place & 1)
    if go.kind == V_BOTH_OPP_BASES:
        return bases_of(t, h, 1 - team) & ~stands == 0
    return False


cdef void check_mission(const Tables* t, Titans* h, int team, Sink* sink) noexcept nogil:
    """After anything that may have helped the team's mission (R36)."""
    if progress(t, h, team, sink):
        complete(h, team)


cdef void run_quest(const Tables* t, Titans* h, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    """stage 0: the card is completed; 1: the next is revealed; 2: is the new one fulfilled already?"""
    cdef int team = f.team
    cdef int card, i
    if f.stage == 2:
        if progress(t, h, team, sink):
            f.stage = 0
        else:
            pop_frame(h)
        return
    if f.stage == 0:
        card = h.team[team].go
        if card == NONE:
            pop_frame(h)
            return
        emit2(sink, E_GO_DONE, PUBLIC, team, card)
        h.go_done |= <uint16_t> (1 << card)
        h.team[team].go = NONE
        h.team[team].delivered = 0
        h.team[team].gifts = 0
        h.team[team].clues = 0
        h.team[team].mon_place = NONE
        h.team[team].mon_dmg = 0
        if t.go[card].kind == V_PIZZA_TO:
            h.pizza = NONE
            for i in range(PIECES):
                h.pc[i].tok &= <uint8_t> ~HAS_PIZZA
        elif t.go[card].kind == V_CLUES:
            h.clues = 0
        gain_points(t, h, team, t.go[card].points, sink)
        if victory(t, h, sink):
            return
    if h.go_deck == 0:                      # R39
        if h.go_done == 0:
            pop_frame(h)
            return
        h.go_deck = h.go_done
        h.go_done = 0
        emit0(sink, E_GO_SHUFFLE, PUBLIC)
    card = nth_bit(h.go_deck, <int> rng_below(rng, <unsigned int> bit_count(h.go_deck)))
    h.go_deck &= <uint16_t> ~(1 << card)
    h.team[team].go = <uint8_t> card
    emit2(sink, E_GO_REVEAL, PUBLIC, team, card)
    f.stage = 2
    if t.go[card].reveal >= 0 and h.depth < FRAMES - 1:
        f = push_frame(h, PROG)
        f.team = <uint8_t> team
        f.seat = NONE
        f.source = <uint8_t> (S_GO + card)
        f.at = <uint16_t> t.go[card].reveal
        f.stage = 1


cdef void roll_mayhem(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil:
    """Roll the Mayhem die; a star completes missions that wait for one (R37)."""
    cdef int k, team
    cdef int before = h.face
    h.face = <uint8_t> rng_below(rng, 6)
    if before == NONE or t.face_value[before] != t.face_value[h.face] or t.face_star[before] != t.face_star[h.face]:
        changed(h)
    emit3(sink, E_ROLL_MAYHEM, PUBLIC, h.face, t.face_value[h.face], t.face_star[h.face])
    if t.mode != 3 and t.face_star[h.face]:
        for k in range(2):
            team = 1 - (h.init ^ k)         # the last frame runs first
            if asks_for(t, h, team, V_ROLL_STAR):
                complete(h, team)
