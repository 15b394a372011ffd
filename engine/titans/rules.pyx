"""The rules of Titans in the order of the rulebook: setup, start of the round, recovery, activation, end of the round.

What takes several steps is in effects.pyx. Steps (S1, B1, V1, A1, Z1) are those of section 5 of RULES.md; R.. are its rulings.
"""
from libc.string cimport memset

from seatmate.engine.core.contract cimport CoreEvent, ask_all, ask_nobody, ask_one
from seatmate.engine.core.rng cimport rng_below, shuffle_u8
from seatmate.engine.core.sink cimport PUBLIC, emit, emit1, emit2, emit3, emit4
from seatmate.engine.core.types cimport int32_t, uint8_t, uint16_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit, nth_bit
from seatmate.engine.titans.board cimport (
    drop_token, end_game, enter, find_neighbours, ignite, knock_out, put, roll_die, who, wound,
)
from seatmate.engine.titans.effects cimport (
    answer_frame, frame_options, might_play, open_window, play_card, run_frame, start_ability, start_innate,
)
from seatmate.engine.titans.missions cimport check_mission, complete, roll_mayhem
from seatmate.engine.titans.model cimport (
    BOARDS, BY_FIRE, BY_MOVE, BY_PLACE, COMP, CYBORG, DECLINE, ELIMINATED, END_TURN, E_ABILITY, E_COMP_PICK,
    E_COMP_REVEAL, E_CONFIG, E_DEAL_FIXED, E_DECLINE, E_DIE_SLOT, E_DRAFT, E_FLAME, E_FLOW, E_FRAME, E_INITIATIVE,
    E_INNATE, E_MAYHEM_COUNT, E_MAYHEM_DRAW, E_PIECE, E_ROLL_ACT, E_ROUND, E_ROUND_END, E_SETASIDE, E_SETASIDE_COUNT,
    E_STAY, E_TILES, E_TILE_REMOVED, E_TURN_END, FLAME, FORFEIT, GOS, INNATE_SPENT, INNATE_USED, KO_NOW, MOVED, NONE,
    PIECES, PLACES, PLAY_CARD, Q_ABILITY, Q_COMP_CARD, Q_COMP_CHAR, Q_CYBORG, Q_DIE_SLOT, Q_DRAFT, Q_FIRST_PLACE,
    Q_MOVE, Q_NOTHING, Q_PIECE, Q_REMOVE, Q_REPLACE, Q_SETASIDE, Q_WINDOW, SEATS, SLOT_USED, SPECIAL_OFF, SPECIAL_ON,
    STAY, STUN, S_ABILITY, S_BURN, S_COMP, S_DIE, S_DRAFT, S_FIRST, S_HOSTILE, S_MATE, S_MOVE, S_MOVE_CYBORG, S_OVER,
    S_PIECE, S_PRESENT, S_REMOVE, S_RETURN, S_REVEAL, S_ROLL, S_ROUND, S_ROUND_END, S_SETASIDE, S_SMOKE, S_START,
    S_TURN, S_TURN_END, TILES, TK_STUN, T_SELF, USE_INNATE, USE_SLOT, W_ACT1, W_MATE, W_START, Piece, Team, arena,
    bases_of, bit, captain, full_places, mate_of, on_map, pose, steps_of, value_of,
)
from seatmate.engine.titans.query cimport can_run, playable

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


cdef int draft_piece(const Tables* t, const Titans* h) noexcept nogil:
    """The piece whose character is drafted next (R2)."""
    if arena(t):
        return (h.first + h.at) % 3
    return 2 * (h.first ^ (h.at & 1)) + (h.at >> 1)


cdef void draft(const Tables* t, Titans* h, int piece, int ctype, Sink* sink) noexcept nogil:
    h.at += 1
    h.pc[piece].ctype = <uint8_t> ctype
    emit2(sink, E_DRAFT, PUBLIC, t.seat_of[piece], who(h, piece))


cdef void run_draft(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil:
    cdef int piece
    if h.at < t.pieces:
        piece = draft_piece(t, h)
        if t.given[piece] == NONE:
            pose(h, t.seat_of[piece], Q_DRAFT)
        else:
            draft(t, h, piece, t.given[piece], sink)
        return
    lay_map(t, h, rng, sink)
    deal(t, h, rng, sink)


cdef void lay_map(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil:
    """S3: tiles are shuffled; in the free-for-all they lie face down and the pieces take their corners (R66)."""
    cdef int32_t args[PLACES]
    cdef int i
    if arena(t):
        for i in range(BOARDS):
            if t.is_cyborg >> i & 1:
                h.pc[CYBORG].ctype = <uint8_t> i
        put(h, 0, 0, BY_PLACE, sink)
        put(h, 1, 9, BY_PLACE, sink)
        put(h, 2, 6, BY_PLACE, sink)
        put(h, CYBORG, 4, BY_PLACE, sink)
        return
    for i in range(TILES):
        h.tile[i] = <uint8_t> i
    shuffle_u8(h.tile, TILES, rng)
    for i in range(PLACES):
        h.where[h.tile[i]] = <uint8_t> i
        args[i] = h.tile[i]
    emit(sink, E_TILES, PUBLIC, PLACES, args)


cdef int hand_limit(const Tables* t, const Titans* h, int seat) noexcept nogil:
    """The Mayhem icons of the seat's pieces."""
    cdef int limit = 0
    cdef int i
    for i in range(t.pieces):
        if t.seat_of[i] == seat and h.pc[i].ctype != NONE:
            limit += t.board[h.pc[i].ctype].icons
    return limit


cdef void deal(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil:
    """S4, S5: hands, from which each seat sets cards aside down to its limit; or those of the recommended first game."""
    cdef int32_t args[8]
    cdef uint32_t deck = t.deck
    cdef uint32_t rest
    cdef int seat, card, i, n, _draw
    cdef int over = 0
    h.at = 0
    h.step = S_ROUND
    for seat in range(t.seats):
        if t.first_game:
            for i in range(t.pieces):
                if t.seat_of[i] == seat:
                    h.hand[seat] |= t.board[h.pc[i].ctype].first_game
            rest = h.hand[seat]
            while rest:
                emit2(sink, E_DEAL_FIXED, PUBLIC, seat, lowest_bit(rest))
                rest &= rest - 1
            continue
        n = t.draw[seat]
        args[0] = seat
        for _draw in range(n):
            card = nth_bit(deck, <int> rng_below(rng, <uint32_t> bit_count(deck)))
            deck &= ~(<uint32_t> 1 << card)
            h.hand[seat] |= <uint32_t> 1 << card
        rest = h.hand[seat]
        for i in range(n):
            args[i + 1] = lowest_bit(rest)
            rest &= rest - 1
        emit(sink, E_MAYHEM_DRAW, 1 << seat, n + 1, args)
        emit2(sink, E_MAYHEM_COUNT, PUBLIC & ~(1 << seat), seat, n)
        h.left[seat] = <uint8_t> max(n - hand_limit(t, h, seat), 0)
        if h.left[seat]:
            over |= 1 << seat
    if arena(t):
        h.init = <uint8_t> rng_below(rng, 3)            # S7
        emit1(sink, E_INITIATIVE, PUBLIC, h.init)
    if over:
        h.step = S_SETASIDE
        ask_together(h, sink, over, Q_SETASIDE)


cdef void ask_together(Titans* h, Sink* sink, int seats, int prompt) noexcept nogil:
    """Several seats choose at the same time in secret."""
    h.prompt = <uint8_t> prompt
    h.asked = <uint8_t> seats
    h.options = 0
    if sink != NULL:
        show_progress(h, sink)
        ask_all(sink, seats, prompt, Q_COMP_CHAR if prompt == Q_COMP_CARD else prompt)


cdef void set_aside(const Tables* t, Titans* h, int seat, int card, Rng* rng, Sink* sink) noexcept nogil:
    """Nobody notices before all have finished."""
    cdef uint32_t mask = <uint32_t> 1 << card
    cdef int s
    h.hand[seat] &= ~mask
    h.aside[seat] |= mask
    h.left[seat] -= 1
    emit2(sink, E_SETASIDE, 1 << seat, seat, card)
    if h.left[seat]:
        emit1(sink, CoreEvent.ASK, 1 << seat, Q_SETASIDE)
    for s in range(t.seats):
        if h.left[s]:
            return
    h.prompt = Q_NOTHING
    h.asked = 0
    for s in range(t.seats):
        if h.aside[s]:
            emit2(sink, E_SETASIDE_COUNT, PUBLIC, s, bit_count(h.aside[s]))
    h.step = S_ROUND

# ---- Competitive setup (S2c) ----

cdef int picks_of(const Tables* t, const Titans* h, int seat) noexcept nogil:
    """Picks a seat has to make from the beginning of its present stage on; R84 makes two stages of packs with unequal icons."""
    if t.same_icons:
        return 2 + 2 * t.board[0].icons
    return 2 if h.at == 1 else hand_limit(t, h, seat)


cdef int comp_prompt(const Titans* h, int seat) noexcept nogil:
    return Q_COMP_CHAR if h.pc[2 * seat + 1].ctype == NONE else Q_COMP_CARD


cdef void run_comp(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil:
    """at 0: nothing picked; 1: (all or) characters; 2: cards, where they come separately; then the map."""
    cdef int seat
    if h.at == 0 or (h.at == 1 and not t.same_icons):
        h.at += 1
        for seat in range(2):
            h.left[seat] = <uint8_t> picks_of(t, h, seat)
        ask_together(h, sink, 3, Q_COMP_CHAR if h.at == 1 else Q_COMP_CARD)
        return
    for seat in range(2):
        emit2(sink, E_MAYHEM_COUNT, PUBLIC & ~(1 << seat), seat, bit_count(h.hand[seat]))
    lay_map(t, h, rng, sink)
    h.at = 0
    h.step = S_ROUND


cdef void comp_pick(const Tables* t, Titans* h, int seat, int prompt, int choice, Sink* sink) noexcept nogil:
    """One more pick of a seat; the characters become public when both have finished."""
    cdef int first = 2 * seat
    cdef int s
    if prompt == Q_COMP_CHAR:
        if h.pc[first].ctype == NONE:
            h.pc[first].ctype = <uint8_t> choice
        else:
            h.pc[first + 1].ctype = <uint8_t> choice
    else:
        h.hand[seat] |= <uint32_t> 1 << choice
    emit3(sink, E_COMP_PICK, 1 << seat, seat, prompt == Q_COMP_CARD, choice)
    h.left[seat] -= 1
    if h.left[seat]:
        emit1(sink, CoreEvent.ASK, 1 << seat, comp_prompt(h, seat))
    if h.left[0] or h.left[1]:
        return
    h.prompt = Q_NOTHING
    h.asked = 0
    if h.at == 1:
        for s in range(2):
            emit3(sink, E_COMP_REVEAL, PUBLIC, s, h.pc[2 * s].ctype, h.pc[2 * s + 1].ctype)

# ---- Start of the round (5.3) ----

cdef void run_round(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil:
    """B1, B2: activation dice; the lowest sum has the initiative (R6). Whoever is to begin round 1 gets the lower roll."""
    cdef int sums[2]
    cdef uint8_t swap
    cdef int team
    cdef Team* m
    h.round += 1
    emit1(sink, E_ROUND, PUBLIC, h.round)
    for team in range(t.teams):
        m = &h.team[team]
        if arena(t) and h.pc[team].stat & ELIMINATED:
            m.dice[0] = 0
            continue
        m.dice[0] = <uint8_t> roll_die(rng)
        if not arena(t):
            m.dice[1] = <uint8_t> roll_die(rng)
            sums[team] = m.dice[0] + m.dice[1]
    if not arena(t):
        if sums[0] == sums[1]:
            h.init = <uint8_t> rng_below(rng, 2)
        else:
            h.init = sums[1] < sums[0]
        if h.round == 1 and t.begins != NONE and t.begins != h.init:
            h.init = t.begins
            for team in range(2):               # die by die
                swap = h.team[0].dice[team]
                h.team[0].dice[team] = h.team[1].dice[team]
                h.team[1].dice[team] = swap
    for team in range(t.teams):
        m = &h.team[team]
        if m.dice[0]:
            emit3(sink, E_ROLL_ACT, PUBLIC, team, m.dice[0], m.dice[1])
    h.at = 0
    h.step = S_ROLL
    if arena(t):
        return
    emit1(sink, E_INITIATIVE, PUBLIC, h.init)
    if h.round == 1:
        h.step = S_FIRST


cdef int first_piece(const Titans* h) noexcept nogil:
    """B3: the piece that is placed next, the initiative team's first."""
    return 2 * (h.init if h.at < 2 else 1 - h.init) + (h.at & 1)


cdef void run_reveal(const Tables* t, Titans* h, Sink* sink) noexcept nogil:
    """B5: each team without a GO! card reveals one, the initiative team first (R10)."""
    cdef int team = h.init ^ h.at
    if h.at == 2:
        h.at = 0
        h.step = S_START
        return
    h.at += 1
    if h.team[team].go == NONE:
        complete(h, team)
        h.frame[h.depth - 1].stage = 1


cdef void run_start(const Tables* t, Titans* h) noexcept nogil:
    """B6: one offer of a round-start card per seat (R7)."""
    h.at += 1
    if h.at == 1:
        open_window(h, W_START, NONE, NONE, NONE, False)
        return
    h.at = 0
    h.step = S_TURN if h.round == 1 else S_BURN if arena(t) else S_RETURN     # R18

# ---- Recovery (5.4) ----

cdef int next_return(const Titans* h) noexcept nogil:
    """V1: the next piece that comes back onto the map; NONE."""
    cdef int k, i
    for k in range(2):
        for i in range(2 * (h.init ^ k), 2 * (h.init ^ k) + 2):
            if h.pc[i].place == NONE:
                return i
    return NONE


cdef void run_return(const Tables* t, Titans* h) noexcept nogil:
    cdef int piece = next_return(h)
    if piece == NONE:
        h.step = S_BURN
    else:
        pose(h, t.seat_of[piece], Q_REPLACE)


cdef void run_burn(const Tables* t, Titans* h, Sink* sink) noexcept nogil:
    """V2: all burning pieces at the same moment (R19)."""
    cdef int fallen = 0
    cdef int i
    h.step = S_SMOKE
    for i in range(PIECES):
        if h.pc[i].place != NONE and h.pc[i].fire:
            h.burning |= <uint8_t> (1 << i)
            wound(t, h, i, value_of(t, h), BY_FIRE, sink)
            if h.pc[i].dmg >= t.board[h.pc[i].ctype].health:
                fallen |= 1 << i
    if fallen:
        knock_out(t, h, fallen, sink)


cdef void run_smoke(const Tables* t, Titans* h, Sink* sink) noexcept nogil:
    """One fire token leaves every piece that burned and still stands."""
    cdef int i
    for i in range(PIECES):
        if h.burning >> i & 1 and h.pc[i].place != NONE and h.pc[i].fire:
            ignite(t, h, i, -1, sink)
    h.burning = 0
    h.step = S_TURN

# ---- Activation (5.5) ----

cdef void run_turn(const Tables* t, Titans* h) noexcept nogil:
    """Whose turn is next: teams alternate; in the free-for-all clockwise from the token holder (R67, R68)."""
    cdef int k, seat
    h.step = S_REMOVE
    h.at = 0
    if arena(t):
        for k in range(3):
            seat = (h.init + k) % 3
            if h.pc[seat].place != NONE and h.pc[seat].acts == 0:
                h.acting = <uint8_t> seat
                h.step = S_PIECE
                if k == 0:
                    h.active = <uint8_t> seat           # R83
                    h.step = S_MOVE_CYBORG
                return
        return
    if h.turn < 4:
        h.acting = h.init ^ (h.turn & 1)
        h.step = S_PIECE


cdef void run_move_cyborg(const Tables* t, Titans* h) noexcept nogil:
    """A0: the token holder may move Cyborg."""
    if h.at == 0 and h.near[h.pc[CYBORG].place] & ~full_places(h):
        h.at = 1
        pose(h, h.acting, Q_CYBORG)
        return
    h.at = 0
    h.step = S_PIECE if on_map(h, h.active) else S_TURN_END


cdef int candidates(const Tables* t, const Titans* h) noexcept nogil:
    """A1: pieces that can be activated: first time, else a second time for a mate that cannot be (R31)."""
    cdef int first = 2 * h.acting
    cdef int mask = 0
    cdef int i, mate
    if arena(t):
        return 1 << h.acting
    for i in range(first, first + 2):
        if h.pc[i].place != NONE and h.pc[i].acts == 0:
            mask |= 1 << i
    if mask:
        return mask
    for i in range(first, first + 2):
        mate = mate_of(t, i)
        if h.pc[i].place != NONE and h.pc[i].acts == 1 and h.pc[mate].place == NONE and h.pc[mate].acts == 0:
            mask |= 1 << i
    return mask


cdef void run_piece(const Tables* t, Titans* h) noexcept nogil:
    if candidates(t, h) == 0:
        h.step = S_TURN_END
    else:
        pose(h, captain(t, h, h.acting), Q_PIECE)


cdef uint64_t die_slots(const Tables* t, const Titans* h) noexcept nogil:
    """A2: 2 * die + slot; of equal dice only one is offered (R80)."""
    cdef const Team* m = &h.team[h.acting]
    cdef const Piece* p = &h.pc[h.active]
    cdef uint64_t mask = 0
    cdef int die, slot
    for die in range(1 if arena(t) else 2):
        if m.dice_used >> die & 1 or (die == 1 and not m.dice_used & 1 and m.dice[0] == m.dice[1]):
            continue
        for slot in range(2):
            if p.slot_die[slot] == 0:
                mask |= 1 << (2 * die + slot)
    return mask


cdef void run_menu(const Tables* t, Titans* h, int prompt) noexcept nogil:
    """A5, A7: the owner of the active piece, as long as it is on the map."""
    if on_map(h, h.active):
        pose(h, t.seat_of[h.active], prompt)
    else:
        h.step = S_TURN_END


cdef uint64_t cards_in_menu(const Tables* t, const Titans* h, int seat) noexcept nogil:
    if h.team[t.team_of[seat]].played != NONE:
        return 0
    return <uint64_t> playable(t, h, h.hand[seat] & t.of_trigger[T_SELF], t.team_of[seat], h.active, NONE, NONE, False) << PLAY_CARD


cdef uint64_t moves(const Tables* t, const Titans* h) noexcept nogil:
    """A5: free move, stay, or a card."""
    cdef uint64_t mask = <uint64_t> 1 << STAY | cards_in_menu(t, h, t.seat_of[h.active])
    if not h.flags & FORFEIT:
        mask |= steps_of(t, h, h.active)
    return mask


cdef uint64_t abilities(const Tables* t, const Titans* h) noexcept nogil:
    """A7: a stunned piece gets one of free move, slot ability and innate ability (R28)."""
    cdef const Piece* p = &h.pc[h.active]
    cdef int limit = t.board[p.ctype].limit
    cdef bint stunned = p.tok & STUN
    cdef uint64_t mask = 1 << END_TURN | cards_in_menu(t, h, t.seat_of[h.active])
    if not h.flags & SLOT_USED and not (stunned and h.flags & (MOVED | INNATE_USED)):
        mask |= 1 << USE_SLOT
    if limit < 2 and not h.flags & INNATE_USED and not (stunned and h.flags & (MOVED | SLOT_USED)):
        if not (limit == 1 and p.stat & INNATE_SPENT) and can_run(t, h, h.active):
            mask |= 1 << USE_INNATE
    return mask


cdef int slot_tier(const Tables* t, const Titans* h, int piece, int slot) noexcept nogil:
    """0 standard, 1 special, 2 star (R23, R24, R60)."""
    cdef const Piece* p = &h.pc[piece]
    if h.flags & SPECIAL_OFF or not (h.flags & SPECIAL_ON or p.slot_die[slot] >= t.board[p.ctype].ability[slot].slot):
        return 0
    return 2 if t.face_star[h.face] else 1


cdef void answer_ability(const Tables* t, Titans* h, int seat, int answer, Sink* sink) noexcept nogil:
    cdef int tier
    if answer >= PLAY_CARD:
        play_card(t, h, seat, answer - PLAY_CARD, NONE, NONE, sink)
    elif answer == USE_SLOT:
        tier = slot_tier(t, h, h.active, h.slot)
        h.flags |= SLOT_USED
        h.stood = h.pc[h.active].place
        emit3(sink, E_ABILITY, PUBLIC, who(h, h.active), h.slot, tier)
        start_ability(t, h, h.active, h.slot, tier)
    elif answer == USE_INNATE:
        h.flags |= INNATE_USED
        if t.board[h.pc[h.active].ctype].limit == 1:
            h.pc[h.active].stat |= INNATE_SPENT
        emit1(sink, E_INNATE, PUBLIC, who(h, h.active))
        start_innate(t, h, h.active)
    else:
        h.step = S_TURN_END


cdef void burn_around(const Tables* t, Titans* h, Sink* sink) noexcept nogil:
    """6.10: one fire token for every piece in Cyborg's place and next to it, clockwise from the active seat."""
    cdef uint16_t around = bit(h.pc[CYBORG].place) | h.near[h.pc[CYBORG].place]
    cdef int k, i
    emit1(sink, E_FLAME, PUBLIC, h.pc[CYBORG].place)
    for k in range(3):
        i = (h.acting + k) % 3
        if h.pc[i].place != NONE and around >> h.pc[i].place & 1:
            ignite(t, h, i, 1, sink)


cdef void run_turn_end(const Tables* t, Titans* h, Sink* sink) noexcept nogil:
    """A8: the flamethrower, the stun token, the marks of the turn."""
    if arena(t) and (h.flags & FLAME or t.flame_every_turn):
        burn_around(t, h, sink)
    if h.active != NONE:
        if h.pc[h.active].tok & STUN:
            drop_token(h, h.active, STUN, TK_STUN, sink)
        emit1(sink, E_TURN_END, PUBLIC, who(h, h.active))
    h.active = NONE
    h.acting = 0
    h.flags = 0
    h.slot = 0
    h.die = 0
    h.stood = NONE
    h.turn += 1
    h.step = S_TURN

# ---- End of the round (5.6) ----

cdef int remover(const Titans* h) noexcept nogil:
    """Z1: the last seat of the turn order that still plays (R72)."""
    cdef int k
    for k in range(2, 0, -1):
        if h.pc[(h.init + k) % 3].place != NONE:
            return (h.init + k) % 3
    return h.init


cdef bint connected_without(const Tables* t, const Titans* h, int place) noexcept nogil:
    """Do the remaining places hang together, obstacles ignored?"""
    cdef uint16_t rest = ((1 << PLACES) - 1) & ~h.removed & ~bit(place)
    cdef uint16_t seen = rest & (~rest + 1)
    cdef uint16_t last = 0
    cdef uint16_t fresh
    while seen != last:
        fresh = seen & ~last
        last = seen
        while fresh:
            seen |= t.adjacent[lowest_bit(fresh)] & rest
            fresh &= fresh - 1
    return seen == rest


cdef uint64_t removable(const Tables* t, const Titans* h) noexcept nogil:
    """Empty places (R79) whose loss leaves one map in which every place has an open border."""
    cdef uint64_t mask = 0
    cdef uint16_t taken = h.removed
    cdef int i, p
    cdef uint16_t rest
    cdef bint closed
    for i in range(PIECES):
        if h.pc[i].place != NONE:
            taken |= bit(h.pc[i].place)
    for p in range(PLACES):
        if taken >> p & 1 or h.trap[0][p] or t.edges_of[p] & h.obst or not connected_without(t, h, p):
            continue
        closed = False
        rest = h.near[p]
        while rest:
            i = lowest_bit(rest)
            rest &= rest - 1
            if h.near[i] & ~bit(p) == 0:
                closed = True
        if not closed:
            mask |= 1 << p
    return mask


cdef void run_remove(const Tables* t, Titans* h, Sink* sink) noexcept nogil:
    """Z1, in the free-for-all only; then the initiative token goes on."""
    if arena(t):
        if h.at == 0 and removable(t, h):
            h.at = 1
            pose(h, remover(h), Q_REMOVE)
            return
        h.init = <uint8_t> ((h.init + 1) % 3)
        while h.pc[h.init].place == NONE:
            h.init = <uint8_t> ((h.init + 1) % 3)
        emit1(sink, E_INITIATIVE, PUBLIC, h.init)
    h.at = 0
    h.step = S_ROUND_END


cdef void run_round_end(const Tables* t, Titans* h, Sink* sink) noexcept nogil:
    """Z2, Z3: what lasted for the round ends; R65."""
    cdef int i
    cdef int winners = 0
    emit1(sink, E_ROUND_END, PUBLIC, h.round)
    for i in range(t.teams):
        h.team[i].played = NONE
        h.team[i].marks = 0
        h.team[i].dice_used = 0
    for i in range(PIECES):
        h.pc[i].acts = 0
        h.pc[i].slot_die[0] = 0
        h.pc[i].slot_die[1] = 0
        h.pc[i].marks = 0
        h.pc[i].stat &= ~KO_NOW
    h.turn = 0
    h.step = S_ROUND
    if h.round < t.rounds:
        return
    if arena(t):
        for i in range(3):
            if h.pc[i].place != NONE:
                winners |= 1 << i
    else:
        winners = 3 if h.team[0].vp == h.team[1].vp else 1 if h.team[0].vp > h.team[1].vp else 2
    end_game(h, winners, sink)

# ---- The machine ----

cdef void run_step(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil:
    """One step of the flow; nothing is being carried out."""
    cdef int step = h.step
    if step == S_ABILITY:
        run_menu(t, h, Q_ABILITY)
    elif step == S_MOVE:
        run_menu(t, h, Q_MOVE)
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
        h.step = S_MATE
        open_window(h, W_ACT1, h.active, NONE, NONE, False)
    elif step == S_MATE:
        h.step = S_MOVE
        if bit_count(t.seats_of[h.acting]) > 1 and on_map(h, h.active):
            open_window(h, W_MATE, h.active, NONE, NONE, False)
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


cdef uint64_t options_of(const Tables* t, const Titans* h) noexcept nogil:
    """The legal answers of the one asked seat, as a mask."""
    cdef int prompt = h.prompt
    cdef uint64_t mask
    cdef int i
    if prompt == Q_MOVE:
        return moves(t, h)
    if prompt == Q_ABILITY:
        return abilities(t, h)
    if prompt == Q_PIECE:
        return candidates(t, h)
    if prompt == Q_DIE_SLOT:
        return die_slots(t, h)
    if h.depth:
        return frame_options(t, h)
    if prompt == Q_CYBORG:
        return h.near[h.pc[CYBORG].place] & ~full_places(h) | 1 << DECLINE
    if prompt == Q_REMOVE:
        return removable(t, h)
    if prompt == Q_REPLACE:
        return bases_of(t, h, t.piece_team[next_return(h)]) & ~full_places(h)
    if prompt == Q_FIRST_PLACE:
        i = first_piece(h)
        mask = bases_of(t, h, t.piece_team[i])
        if h.pc[i ^ 1].place != NONE:
            mask &= ~<uint64_t> bit(h.pc[i ^ 1].place)
        return mask
    mask = ((1 << BOARDS) - 1) & ~(t.is_cyborg if arena(t) else 0)          # DRAFT
    for i in range(PIECES):
        if h.pc[i].ctype != NONE:
            mask &= ~(<uint64_t> 1 << h.pc[i].ctype)
    return mask


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
        if h.asked & (h.asked - 1) or h.prompt == Q_SETASIDE or h.prompt == Q_COMP_CHAR or h.prompt == Q_COMP_CARD:
            return
        h.options = options_of(t, h)
        if h.options & (h.options - 1) or must_ask(t, h):
            if sink != NULL:
                show_progress(h, sink)
                ask_one(sink, lowest_bit(<uint64_t> h.asked), h.prompt, h.prompt)
            return
        prompt = h.prompt
        answer(t, h, lowest_bit(<uint64_t> h.asked), prompt, lowest_bit(h.options), rng, sink)


cdef void show_progress(const Titans* h, Sink* sink) noexcept nogil:
    """Where the game stands and what is being carried out is public: a seat that reconnects can go on from its view."""
    cdef int32_t args[10]
    cdef int i
    args[0] = h.step
    args[1] = h.at
    args[2] = h.turn
    args[3] = h.active
    args[4] = h.acting
    args[5] = h.flags
    args[6] = h.slot
    args[7] = h.die
    args[8] = h.burning
    args[9] = h.stood
    emit(sink, E_FLOW, PUBLIC, 10, args)
    for i in range(h.depth):
        emit(sink, E_FRAME, PUBLIC, 5, <const int32_t*> &h.frame[i])


cdef void answer(const Tables* t, Titans* h, int seat, int prompt, int action, Rng* rng, Sink* sink) noexcept nogil:
    """The one asked seat has answered; go_on comes next."""
    cdef int piece, die, slot
    h.prompt = Q_NOTHING
    h.asked = 0
    h.options = 0
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

cdef bint together(const Titans* h) noexcept nogil:
    return h.prompt == Q_SETASIDE or h.prompt == Q_COMP_CHAR or h.prompt == Q_COMP_CARD


cdef uint32_t pending(const void* tables, const void* state) noexcept nogil:
    cdef const Titans* h = <const Titans*> state
    cdef uint32_t mask = h.asked
    cdef int seat
    if together(h):
        for seat in range(SEATS):
            if h.left[seat] == 0:
                mask &= ~(<uint32_t> 1 << seat)
    return mask


cdef uint32_t asked(const void* tables, const void* state) noexcept nogil:
    return (<const Titans*> state).asked


cdef int prompt(const void* tables, const void* state, int seat) noexcept nogil:
    cdef const Titans* h = <const Titans*> state
    if seat < 0 or seat >= SEATS or not pending(tables, state) >> seat & 1:
        return -1
    if h.prompt == Q_COMP_CHAR or h.prompt == Q_COMP_CARD:
        return comp_prompt(h, seat)
    return h.prompt


cdef int legal_actions(const void* tables, const void* state, int seat, action_t* out) noexcept nogil:
    cdef const Tables* t = <const Tables*> tables
    cdef const Titans* h = <const Titans*> state
    cdef uint64_t mask = h.options
    cdef int n = 0
    if not pending(tables, state) >> seat & 1:
        return 0
    if h.prompt == Q_SETASIDE:
        mask = h.hand[seat]
    elif together(h):
        if comp_prompt(h, seat) == Q_COMP_CHAR:
            mask = (1 << BOARDS) - 1
            if h.pc[2 * seat].ctype != NONE:
                mask &= ~(<uint64_t> 1 << h.pc[2 * seat].ctype)
        else:
            mask = t.deck & ~h.hand[seat]
    while mask:
        out[n] = lowest_bit(mask)
        mask &= mask - 1
        n += 1
    return n


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


cdef void returns(const void* tables, const void* state, double* out) noexcept nogil:
    """Winners share 1 (section 8)."""
    cdef const Tables* t = <const Tables*> tables
    cdef const Titans* h = <const Titans*> state
    cdef int seat
    cdef double share = 1.0 / bit_count(h.result) if h.result else 0.0
    for seat in range(t.seats):
        out[seat] = share if h.result >> t.team_of[seat] & 1 else 0.0


cdef inline int max(int a, int b) noexcept nogil:
    return a if a > b else b
