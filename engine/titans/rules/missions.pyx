"""GO! cards (6.7): what a mission needs, pick-ups and deliveries, completion and the next card."""
from seatmate.engine.core.rng cimport rng_below
from seatmate.engine.core.sink cimport PUBLIC, emit, emit0, emit2, emit3
from seatmate.engine.core.types cimport int32_t, uint8_t, uint16_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit, nth_bit
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.board cimport (
    complete, gain_points, pop_frame, push_frame, take_token, tile_at, victory,
)
from seatmate.engine.titans.rules.model cimport Go, asks_for, bases_of, bit, changed, icon_places, on_map


cdef void token_moves(const Titans* state, int kind, int team, int start, int to, Sink* sink) noexcept nogil:
    """A mission token goes from one place (-1: elsewhere) to another; `tile` is that of either."""
    cdef int32_t args[5]
    if sink != NULL:
        args[0] = kind
        args[1] = team
        args[2] = start
        args[3] = to
        args[4] = tile_at(state, to if to >= 0 else start)
        emit(sink, V.E_MISSION_TOKEN, PUBLIC, 5, args)


cdef bint progress(const Book* t, Titans* state, int team, Sink* sink) noexcept nogil:
    """Whatever is picked up, collected or delivered now (R35); is the mission complete?"""
    cdef const Go* go
    cdef int first = 2 * team
    cdef int i, place
    cdef int active = V.NONE
    cdef uint16_t stands = 0
    if state.team[team].go == V.NONE:
        return False
    go = &t.go[state.team[team].go]
    for i in range(first, first + 2):
        if state.piece[i].place != V.NONE:
            stands |= bit(state.piece[i].place)
    if on_map(state, state.active) and state.active >> 1 == team:
        active = state.active
    if go.kind == V.V_PIZZA_TO:
        if active == V.NONE:
            return False
        place = state.piece[active].place
        if state.pizza == place:
            state.pizza = V.NONE
            take_token(state, active, V.HAS_PIZZA, V.TK_PIZZA, sink)
        return state.piece[active].tokens & V.HAS_PIZZA and icon_places(t, state, go.icon) >> place & 1
    if go.kind == V.V_GIFTS_TO:
        if active != V.NONE and state.tile[state.piece[active].place] != V.NONE:
            place = state.piece[active].place
            i = 1 << t.icon_of[state.tile[place]]
            if go.icons & i and not state.team[team].delivered & i and state.team[team].gifts:
                changed(state)
                state.team[team].gifts -= 1
                state.team[team].delivered |= <uint8_t> i
                token_moves(state, V.MISSION_GIFT, team, -1, place, sink)
        return state.team[team].delivered == go.icons
    if go.kind == V.V_CLUES:
        stands &= state.clues
        while stands:
            place = lowest_bit(stands)
            stands &= stands - 1
            changed(state)
            state.clues &= ~bit(place)
            state.team[team].clues += 1
            token_moves(state, V.MISSION_CLUE, team, place, -1, sink)
        return state.clues == 0 and state.team[team].clues > 0
    if go.kind == V.V_MONSTER:
        return state.team[team].monster_place != V.NONE and state.team[team].monster_damage >= go.number
    if go.kind == V.V_BOTH_AT:
        return (state.piece[first].place != V.NONE and state.piece[first].place == state.piece[first + 1].place
                and icon_places(t, state, go.icon) >> state.piece[first].place & 1)
    if go.kind == V.V_BOTH_OPP_BASES:
        return bases_of(t, state, 1 - team) & ~stands == 0
    return False


cdef void check_mission(const Book* t, Titans* state, int team, Sink* sink) noexcept nogil:
    """After anything that may have helped the team's mission (R36)."""
    if progress(t, state, team, sink):
        complete(state, team)


cdef void run_quest(const Book* t, Titans* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    """stage 0: the card is completed; 1: the next is revealed; 2: is the new one fulfilled already?"""
    cdef int team = f.team
    cdef int card, i
    if f.stage == 2:
        if progress(t, state, team, sink):
            f.stage = 0
        else:
            pop_frame(state)
        return
    if f.stage == 0:
        card = state.team[team].go
        if card == V.NONE:
            pop_frame(state)
            return
        emit2(sink, V.E_GO_DONE, PUBLIC, team, card)
        state.go_done |= <uint16_t> (1 << card)
        state.team[team].go = V.NONE
        state.team[team].delivered = 0
        state.team[team].gifts = 0
        state.team[team].clues = 0
        state.team[team].monster_place = V.NONE
        state.team[team].monster_damage = 0
        if t.go[card].kind == V.V_PIZZA_TO:
            state.pizza = V.NONE
            for i in range(V.PIECES):
                state.piece[i].tokens &= <uint8_t> ~V.HAS_PIZZA
        elif t.go[card].kind == V.V_CLUES:
            state.clues = 0
        gain_points(t, state, team, t.go[card].points, sink)
        if victory(t, state, sink):
            return
    if state.go_deck == 0:                      # R39
        if state.go_done == 0:
            pop_frame(state)
            return
        state.go_deck = state.go_done
        state.go_done = 0
        emit0(sink, V.E_GO_SHUFFLE, PUBLIC)
    card = nth_bit(state.go_deck, <int> rng_below(rng, <unsigned int> bit_count(state.go_deck)))
    state.go_deck &= <uint16_t> ~(1 << card)
    state.team[team].go = <uint8_t> card
    emit2(sink, V.E_GO_REVEAL, PUBLIC, team, card)
    f.stage = 2
    if t.go[card].reveal >= 0 and state.depth < V.FRAMES - 1:
        f = push_frame(state, V.K_PROGRAM)
        f.team = <uint8_t> team
        f.seat = V.NONE
        f.source = <uint8_t> (V.FROM_GO + card)
        f.at = <uint16_t> t.go[card].reveal
        f.stage = 1


cdef void roll_mayhem(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil:
    """Roll the Mayhem die; a star completes missions that wait for one (R37)."""
    cdef int k, team
    cdef int before = state.face
    state.face = <uint8_t> rng_below(rng, 6)
    if before == V.NONE or t.face_value[before] != t.face_value[state.face] or t.face_star[before] != t.face_star[state.face]:
        changed(state)
    emit3(sink, V.E_ROLL_MAYHEM, PUBLIC, state.face, t.face_value[state.face], t.face_star[state.face])
    if t.go_deck and t.face_star[state.face]:
        for k in range(2):
            team = 1 - (state.initiative ^ k)         # the last frame runs first
            if asks_for(t, state, team, V.V_ROLL_STAR):
                complete(state, team)
