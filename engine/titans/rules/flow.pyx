"""The rules of Titans: the steps of a game one after the other, questions and answers.

Setup is in setup.pyx, the phases of a round in rounds.pyx and turns.pyx, what takes several steps in effects.pyx. Steps (S1, B1,
V1, A1, Z1) are those of section 5 of RULES.md; R.. are its rulings.
"""
from libc.string cimport memset

from seatmate.engine.core.contract cimport ask_nobody, ask_one
from seatmate.engine.core.rng cimport rng_below
from seatmate.engine.core.sink cimport PUBLIC, emit1, emit2, emit3, emit4
from seatmate.engine.core.types cimport uint8_t, uint64_t
from seatmate.engine.core.zones cimport lowest_bit
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules cimport arena, rounds, setup, turns
from seatmate.engine.titans.rules.board cimport enter, find_neighbours, play_card, put, who
from seatmate.engine.titans.rules.effects cimport answer_frame, run_frame
from seatmate.engine.titans.rules.legal cimport comp_prompt, first_piece, next_return, options_of, together
from seatmate.engine.titans.rules.missions cimport check_mission, roll_mayhem
from seatmate.engine.titans.rules.model cimport bit, pose, show_progress
from seatmate.engine.titans.rules.query cimport might_play
from seatmate.engine.titans.rules.reactions cimport open_before_menu, open_window

# ---- Setup (5.2) ----

cdef void clear(const Book* t, Titans* state) noexcept nogil:
    """A table before the deal."""
    cdef int i
    memset(state, 0, sizeof(Titans))
    for i in range(V.PIECES):
        state.piece[i].character = V.NONE
        state.piece[i].place = V.NONE
    for i in range(3):
        state.team[i].go = V.NONE
        state.team[i].monster_place = V.NONE
        state.team[i].played = V.NONE
    memset(state.tile, V.NONE, V.PLACES)
    memset(state.where, V.NONE, V.TILES)
    state.go_deck = t.go_deck
    state.active = V.NONE
    state.face = V.NONE
    state.stood = V.NONE
    state.pizza = V.NONE
    state.prompt = V.Q_NOTHING
    state.step = V.S_COMP if t.mode == V.MODE_COMP else V.S_DRAFT


cdef void init(const void* tables, void* data, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Book* t = <const Book*> tables
    cdef Titans* state = <Titans*> data
    clear(t, state)
    state.first = <uint8_t> rng_below(rng, t.teams)        # S1, R1
    find_neighbours(t, state)
    emit3(sink, V.E_CONFIG, PUBLIC, t.mode, t.first_game | t.flame_every_turn << 1, state.first)
    go_on(t, state, rng, sink)


# ---- The machine ----

cdef void run_step(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil:
    """One step of the flow; nothing is being carried out."""
    cdef int step = state.step
    if step == V.S_ABILITY or step == V.S_MOVE:
        if not open_before_menu(t, state):
            turns.run_menu(t, state, V.Q_ABILITY if step == V.S_ABILITY else V.Q_MOVE)
    elif step == V.S_TURN:
        t.hooks.next_turn(t, state)
    elif step == V.S_PIECE:
        turns.run_piece(t, state)
    elif step == V.S_DIE:
        pose(state, t.seat_of[state.active], V.Q_DIE_SLOT)
    elif step == V.S_PRESENT:
        state.step = V.S_HOSTILE_CARDS
        check_mission(t, state, state.acting, sink)
    elif step == V.S_HOSTILE_CARDS:
        state.step = V.S_MOVE
        open_window(state, V.W_ACTIVATION, state.active, V.NONE, V.NONE, False)
    elif step == V.S_TURN_END:
        turns.run_turn_end(t, state, sink)
    elif step == V.S_ROUND:
        rounds.run_round(t, state, rng, sink)
    elif step == V.S_FIRST_PLACE:
        if state.at == 4:
            state.at = 0
            state.step = V.S_MAYHEM_DIE
        else:
            pose(state, t.seat_of[first_piece(state)], V.Q_FIRST_PLACE)
    elif step == V.S_MAYHEM_DIE:
        state.step = V.S_GO_CARDS if t.go_deck else V.S_START_CARDS
        roll_mayhem(t, state, rng, sink)
    elif step == V.S_GO_CARDS:
        rounds.run_reveal(t, state, sink)
    elif step == V.S_START_CARDS:
        rounds.run_start(t, state)
    elif step == V.S_RETURN:
        rounds.run_return(t, state)
    elif step == V.S_BURN:
        rounds.run_burn(t, state, sink)
    elif step == V.S_SMOKE:
        rounds.run_smoke(t, state, sink)
    elif step == V.S_MOVE_CYBORG:
        arena.run_move_cyborg(t, state)
    elif step == V.S_REMOVE:
        arena.run_remove(t, state, sink)
    elif step == V.S_ROUND_END:
        rounds.run_round_end(t, state, sink)
    elif step == V.S_DRAFT:
        setup.run_draft(t, state, rng, sink)
    elif step == V.S_COMP:
        setup.run_comp(t, state, rng, sink)


cdef bint must_ask(const Book* t, const Titans* state) noexcept nogil:
    """Would answering for the seat say that it holds nothing playable (5.1)?"""
    cdef int prompt = state.prompt
    if prompt == V.Q_WINDOW:
        return True
    if prompt == V.Q_MOVE or prompt == V.Q_ABILITY:
        return might_play(t, state, t.seat_of[state.active], V.T_SELF, V.NONE, V.NONE)
    return False


cdef void go_on(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil:
    """Until somebody has to answer, or the game is over."""
    cdef int prompt
    while True:
        if state.prompt == V.Q_NOTHING:
            if state.step == V.S_OVER:
                memset(&state.frame[0], 0, sizeof(state.frame))
                if sink != NULL:
                    show_progress(state, sink)
                    ask_nobody(sink)
                return
            if state.depth:
                run_frame(t, state, rng, sink)
            else:
                run_step(t, state, rng, sink)
            continue
        if state.asked & (state.asked - 1) or together(state):
            return
        state.options = options_of(t, state)
        if state.options & (state.options - 1) or must_ask(t, state):
            if sink != NULL:
                show_progress(state, sink)
                ask_one(sink, lowest_bit(<uint64_t> state.asked), state.prompt, state.prompt)
            return
        prompt = state.prompt
        answer(t, state, lowest_bit(<uint64_t> state.asked), prompt, lowest_bit(state.options), rng, sink)


cdef void answer(const Book* t, Titans* state, int seat, int prompt, int action, Rng* rng, Sink* sink) noexcept nogil:
    """The one asked seat has answered; go_on comes next."""
    cdef int piece, die, slot
    state.prompt = V.Q_NOTHING
    state.asked = 0
    state.options = 0
    if prompt == V.Q_MOVE or prompt == V.Q_ABILITY:
        state.at &= ~V.MATE_ASKED
    if prompt == V.Q_MOVE:
        if action >= V.PLAY_CARD:
            play_card(t, state, seat, action - V.PLAY_CARD, V.NONE, V.NONE, sink)
            return
        state.step = V.S_ABILITY
        if action == V.STAY:
            emit1(sink, V.E_STAY, PUBLIC, who(state, state.active))
        else:
            state.flags |= V.MOVED
            enter(t, state, state.active, action, V.BY_MOVE, sink)
    elif prompt == V.Q_ABILITY:
        turns.answer_ability(t, state, seat, action, sink)
    elif prompt == V.Q_PIECE:
        state.active = <uint8_t> action
        state.step = V.S_DIE
        emit1(sink, V.E_PIECE, PUBLIC, who(state, action))
    elif prompt == V.Q_DIE_SLOT:
        die = action >> 1
        slot = action & 1
        state.piece[state.active].slot_die[slot] = state.team[state.acting].dice[die]
        state.piece[state.active].activations += 1
        state.team[state.acting].dice_used |= <uint8_t> (1 << die)
        state.slot = <uint8_t> slot
        state.die = <uint8_t> die
        state.step = V.S_PRESENT
        emit4(sink, V.E_DIE_SLOT, PUBLIC, who(state, state.active), die, slot, state.team[state.acting].dice[die])
    elif state.depth:
        answer_frame(t, state, seat, prompt, action, rng, sink)
    elif prompt == V.Q_CYBORG:
        if action == V.DECLINE:
            emit2(sink, V.E_DECLINE, PUBLIC, seat, prompt)
        else:
            enter(t, state, V.CYBORG, action, V.BY_MOVE, sink)
    elif prompt == V.Q_REMOVE:
        state.removed |= bit(action)
        find_neighbours(t, state)
        emit1(sink, V.E_TILE_REMOVED, PUBLIC, action)
    elif prompt == V.Q_REPLACE:
        enter(t, state, next_return(state), action, V.BY_PLACE, sink)
    elif prompt == V.Q_FIRST_PLACE:
        piece = first_piece(state)
        state.at += 1
        put(state, piece, action, V.BY_PLACE, sink)
    elif prompt == V.Q_DRAFT:
        setup.draft(t, state, t.hooks.draft_piece(t, state), action, sink)

# ---- The contract ----

cdef void advance(const void* tables, void* data, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Book* t = <const Book*> tables
    cdef Titans* state = <Titans*> data
    if state.prompt == V.Q_SETASIDE:
        setup.set_aside(t, state, seat, action, rng, sink)
    elif together(state):
        setup.comp_pick(t, state, seat, comp_prompt(state, seat), action, sink)
    else:
        answer(t, state, seat, state.prompt, action, rng, sink)
    go_on(t, state, rng, sink)
