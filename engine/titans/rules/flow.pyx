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
from seatmate.engine.titans.content.vocabulary cimport (
    BY_MOVE, BY_PLACE, COMP, DECLINE, E_CONFIG, E_DECLINE, E_DIE_SLOT, E_PIECE, E_STAY, E_TILE_REMOVED, PLAY_CARD,
    Q_ABILITY, Q_CYBORG, Q_DIE_SLOT, Q_DRAFT, Q_FIRST_PLACE, Q_MOVE, Q_NOTHING, Q_PIECE, Q_REMOVE, Q_REPLACE,
    Q_SETASIDE, Q_WINDOW, STAY, T_SELF, W_ACT1,
)
from seatmate.engine.titans.rules.board cimport enter, find_neighbours, play_card, put, who
from seatmate.engine.titans.rules.effects cimport answer_frame, run_frame
from seatmate.engine.titans.rules.legal cimport comp_prompt, draft_piece, first_piece, next_return, options_of, together
from seatmate.engine.titans.rules.missions cimport check_mission, roll_mayhem
from seatmate.engine.titans.rules.model cimport (
    CYBORG, GOS, MATE_ASKED, MOVED, NONE, PIECES, PLACES, S_ABILITY, S_BURN, S_COMP, S_DIE, S_DRAFT, S_FIRST, S_HOSTILE,
    S_MOVE, S_MOVE_CYBORG, S_OVER, S_PIECE, S_PRESENT, S_REMOVE, S_RETURN, S_REVEAL, S_ROLL, S_ROUND, S_ROUND_END,
    S_SMOKE, S_START, S_TURN, S_TURN_END, TILES, arena, bit, pose, show_progress,
)
from seatmate.engine.titans.rules.query cimport might_play
from seatmate.engine.titans.rules.reactions cimport open_before_menu, open_window
from seatmate.engine.titans.rules.rounds cimport (
    run_burn, run_remove, run_return, run_reveal, run_round, run_round_end, run_smoke, run_start,
)
from seatmate.engine.titans.rules.setup cimport comp_pick, draft, run_comp, run_draft, set_aside
from seatmate.engine.titans.rules.turns cimport (
    answer_ability, run_menu, run_move_cyborg, run_piece, run_turn, run_turn_end,
)

# ---- Setup (5.2) ----

cdef void init(const void* tables, void* state, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Tables* t = <const Tables*> tables
    cdef Titans* h = <Titans*> state
    cdef int i
    memset(h, 0, sizeof(Titans))
    for i in range(PIECES):
        h.pc[i].ctype = NONE
        h.pc[i].place = NONE
    for i in range(3):
        h.team[i].go = NONE
        h.team[i].mon_place = NONE
        h.team[i].played = NONE
    memset(h.tile, NONE, PLACES)
    memset(h.where, NONE, TILES)
    h.go_deck = 0 if arena(t) else (1 << GOS) - 1
    h.active = NONE
    h.face = NONE
    h.stood = NONE
    h.pizza = NONE
    h.first = <uint8_t> rng_below(rng, 3 if arena(t) else 2)        # S1, R1
    h.prompt = Q_NOTHING
    find_neighbours(t, h)
    emit3(sink, E_CONFIG, PUBLIC, t.mode, t.first_game | t.flame_every_turn << 1, h.first)
    h.step = S_COMP if t.mode == COMP else S_DRAFT
    go_on(t, h, rng, sink)


# ---- The machine ----

cdef void run_step(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil:
    """One step of the flow; nothing is being carried out."""
    cdef int step = h.step
    if step == S_ABILITY or step == S_MOVE:
        if not open_before_menu(t, h):
            run_menu(t, h, Q_ABILITY if step == S_ABILITY else Q_MOVE)
    elif step == S_TURN:
        run_turn(t, h)
    elif step == S_PIECE:
        run_piece(t, h)
    elif step == S_DIE:
        pose(h, t.seat_of[h.active], Q_DIE_SLOT)
    elif step == S_PRESENT:
        h.step = S_HOSTILE
        if not arena(t):
            check_mission(t, h, h.acting, sink)
    elif step == S_HOSTILE:
        h.step = S_MOVE
        open_window(h, W_ACT1, h.active, NONE, NONE, False)
    elif step == S_TURN_END:
        run_turn_end(t, h, sink)
    elif step == S_ROUND:
        run_round(t, h, rng, sink)
    elif step == S_FIRST:
        if h.at == 4:
            h.at = 0
            h.step = S_ROLL
        else:
            pose(h, t.seat_of[first_piece(h)], Q_FIRST_PLACE)
    elif step == S_ROLL:
        h.step = S_START if arena(t) else S_REVEAL
        roll_mayhem(t, h, rng, sink)
    elif step == S_REVEAL:
        run_reveal(t, h, sink)
    elif step == S_START:
        run_start(t, h)
    elif step == S_RETURN:
        run_return(t, h)
    elif step == S_BURN:
        run_burn(t, h, sink)
    elif step == S_SMOKE:
        run_smoke(t, h, sink)
    elif step == S_MOVE_CYBORG:
        run_move_cyborg(t, h)
    elif step == S_REMOVE:
        run_remove(t, h, sink)
    elif step == S_ROUND_END:
        run_round_end(t, h, sink)
    elif step == S_DRAFT:
        run_draft(t, h, rng, sink)
    elif step == S_COMP:
        run_comp(t, h, rng, sink)


cdef bint must_ask(const Tables* t, const Titans* h) noexcept nogil:
    """Would answering for the seat say that it holds nothing playable (5.1)?"""
    cdef int prompt = h.prompt
    if prompt == Q_WINDOW:
        return True
    if prompt == Q_MOVE or prompt == Q_ABILITY:
        return might_play(t, h, t.seat_of[h.active], T_SELF, NONE, NONE)
    return False


cdef void go_on(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil:
    """Until somebody has to answer, or the game is over."""
    cdef int prompt
    while True:
        if h.prompt == Q_NOTHING:
            if h.step == S_OVER:
                memset(&h.frame[0], 0, sizeof(h.frame))
                if sink != NULL:
                    show_progress(h, sink)
                    ask_nobody(sink)
                return
            if h.depth:
                run_frame(t, h, rng, sink)
            else:
                run_step(t, h, rng, sink)
            continue
        if h.asked & (h.asked - 1) or together(h):
            return
        h.options = options_of(t, h)
        if h.options & (h.options - 1) or must_ask(t, h):
            if sink != NULL:
                show_progress(h, sink)
                ask_one(sink, lowest_bit(<uint64_t> h.asked), h.prompt, h.prompt)
            return
        prompt = h.prompt
        answer(t, h, lowest_bit(<uint64_t> h.asked), prompt, lowest_bit(h.options), rng, sink)


cdef void answer(const Tables* t, Titans* h, int seat, int prompt, int action, Rng* rng, Sink* sink) noexcept nogil:
    """The one asked seat has answered; go_on comes next."""
    cdef int piece, die, slot
    h.prompt = Q_NOTHING
    h.asked = 0
    h.options = 0
    if prompt == Q_MOVE or prompt == Q_ABILITY:
        h.at &= ~MATE_ASKED
    if prompt == Q_MOVE:
        if action >= PLAY_CARD:
            play_card(t, h, seat, action - PLAY_CARD, NONE, NONE, sink)
            return
        h.step = S_ABILITY
        if action == STAY:
            emit1(sink, E_STAY, PUBLIC, who(h, h.active))
        else:
            h.flags |= MOVED
            enter(t, h, h.active, action, BY_MOVE, sink)
    elif prompt == Q_ABILITY:
        answer_ability(t, h, seat, action, sink)
    elif prompt == Q_PIECE:
        h.active = <uint8_t> action
        h.step = S_DIE
        emit1(sink, E_PIECE, PUBLIC, who(h, action))
    elif prompt == Q_DIE_SLOT:
        die = action >> 1
        slot = action & 1
        h.pc[h.active].slot_die[slot] = h.team[h.acting].dice[die]
        h.pc[h.active].acts += 1
        h.team[h.acting].dice_used |= <uint8_t> (1 << die)
        h.slot = <uint8_t> slot
        h.die = <uint8_t> die
        h.step = S_PRESENT
        emit4(sink, E_DIE_SLOT, PUBLIC, who(h, h.active), die, slot, h.team[h.acting].dice[die])
    elif h.depth:
        answer_frame(t, h, seat, prompt, action, rng, sink)
    elif prompt == Q_CYBORG:
        if action == DECLINE:
            emit2(sink, E_DECLINE, PUBLIC, seat, prompt)
        else:
            enter(t, h, CYBORG, action, BY_MOVE, sink)
    elif prompt == Q_REMOVE:
        h.removed |= bit(action)
        find_neighbours(t, h)
        emit1(sink, E_TILE_REMOVED, PUBLIC, action)
    elif prompt == Q_REPLACE:
        enter(t, h, next_return(h), action, BY_PLACE, sink)
    elif prompt == Q_FIRST_PLACE:
        piece = first_piece(h)
        h.at += 1
        put(h, piece, action, BY_PLACE, sink)
    elif prompt == Q_DRAFT:
        draft(t, h, draft_piece(t, h), action, sink)

# ---- The contract ----

cdef void advance(const void* tables, void* state, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Tables* t = <const Tables*> tables
    cdef Titans* h = <Titans*> state
    if h.prompt == Q_SETASIDE:
        set_aside(t, h, seat, action, rng, sink)
    elif together(h):
        comp_pick(t, h, seat, comp_prompt(h, seat), action, sink)
    else:
        answer(t, h, seat, h.prompt, action, rng, sink)
    go_on(t, h, rng, sink)
