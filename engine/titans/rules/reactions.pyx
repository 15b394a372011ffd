"""Escape tokens and windows for Mayhem cards (6.6), and what follows a KO (6.5)."""
from seatmate.engine.core.sink cimport PUBLIC, emit2
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.board cimport complete, pop_frame, push_frame
from seatmate.engine.titans.rules.model cimport asks_for, on_map, pose, steps_of
from seatmate.engine.titans.rules.query cimport answers_to_window, possible_cards

# ---- Escape tokens (6.6) ----

cdef void open_escapes(Titans* state, int mover) noexcept nogil:
    cdef Frame* f
    if (state.piece[0].tokens | state.piece[1].tokens | state.piece[2].tokens | state.piece[3].tokens) & V.ESCAPE:
        f = push_frame(state, V.K_ESCAPES)
        f.actor = <uint8_t> mover


cdef void run_escapes(const Book* t, Titans* state, Frame* f, Sink* sink) noexcept nogil:
    """The next holder: those opposing the active piece first, then its mate; in one pass (R49 to R51, R92)."""
    cdef int k, i
    if state.active != V.NONE and state.depth < V.FRAMES - 3:
        for k in range(2):
            for i in range(V.PIECES):
                if f.asked >> i & 1 or i == f.actor or i == state.active or (t.piece_team[i] == t.piece_team[state.active]) != k:
                    continue
                f.asked |= <uint8_t> (1 << i)
                if state.piece[i].tokens & V.ESCAPE and on_map(state, i) and steps_of(t, state, i):
                    f.target = <uint8_t> i
                    pose(state, t.seat_of[i], V.Q_ESCAPE)
                    return
    pop_frame(state)

# ---- Windows (6.6) ----

cdef void open_window(Titans* state, int cause, int piece, int other, int place, bint by_move) noexcept nogil:
    """Seats may play cards; whom it asks follows from the position."""
    cdef Frame* f = push_frame(state, V.K_WINDOW)
    f.mode = <uint8_t> cause
    f.target = <uint8_t> piece
    f.other = <uint8_t> other
    f.place = <uint8_t> place
    f.a = by_move
    if piece == state.active and (cause == V.W_ACTIVATION or cause == V.W_CHANGE or cause == V.W_ENTER):
        state.at &= ~V.CHANGED


cdef int window_seats(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    """Whom the window is for, as a mask."""
    cdef int everybody = (1 << t.seats) - 1
    cdef int cause = f.mode
    if cause == V.W_ROUND_START:
        return everybody
    if cause == V.W_ACTIVATION or cause == V.W_CHANGE:
        return everybody & ~t.seats_of[state.acting]
    if cause == V.W_MATE:
        return t.seats_of[state.acting] & ~(1 << t.seat_of[state.active])
    if cause == V.W_ENTER:
        return everybody & ~t.seats_of[t.piece_team[f.target]]
    return t.seats_of[t.piece_team[f.target]]


cdef inline bint can_play(const Book* t, const Titans* state, int seat) noexcept nogil:
    """Has the seat a card that its team may still play?"""
    if state.team[t.team_of[seat]].played != V.NONE or state.hand[seat] == 0:
        return False
    return not state.piece[seat].status & V.ELIMINATED      # R75


cdef bint asks(const Book* t, const Titans* state, const Frame* f, int seat) noexcept nogil:
    """The public test: is the seat asked at all (6.6, a to c)?"""
    if not can_play(t, state, seat):
        return False
    return answers_to_window(t, state, f, seat, possible_cards(t, state, seat), True) != 0


cdef void run_window(const Book* t, Titans* state, Frame* f, Sink* sink) noexcept nogil:
    """The next seat that is asked, in one pass (R92); a window whose piece is gone is over."""
    cdef int seats = window_seats(t, state, f) & ~f.asked
    cdef int first = seats
    cdef int base = 0
    cdef int cause = f.mode
    cdef int k, seat, part
    if cause != V.W_ROUND_START and cause != V.W_KO and not on_map(state, f.target):
        seats = 0
    if t.wild:
        base = state.initiative if cause == V.W_ROUND_START else t.seat_of[state.active] if state.active != V.NONE else 0
    elif cause == V.W_ROUND_START:
        first = t.seats_of[state.initiative]
    elif cause == V.W_ATTACKED or cause == V.W_KO:
        first = 1 << t.seat_of[f.target]
    if seats and state.depth < V.FRAMES - 2:
        for part in range(2):
            for k in range(t.seats):
                seat = (base + k) % t.seats
                if not (seats & (first if part == 0 else ~first)) >> seat & 1:
                    continue
                f.asked |= <uint8_t> (1 << seat)
                if asks(t, state, f, seat):
                    emit2(sink, V.E_WINDOW, PUBLIC, seat, cause)
                    pose(state, seat, V.Q_WINDOW)
                    return
    pop_frame(state)

cdef bint open_menu_window(const Book* t, Titans* state, int cause, int seats) noexcept nogil:
    """A window of these seats for the active piece; none where nobody could play a card anyway."""
    cdef int seat
    for seat in range(t.seats):
        if seats >> seat & 1 and can_play(t, state, seat):
            open_window(state, cause, state.active, V.NONE, V.NONE, False)
            return True
    return False


cdef bint open_before_menu(const Book* t, Titans* state) noexcept nogil:
    """Windows before a menu of the active piece: the opponents', if the position has changed, then the mate's (R14).

    True if one lies on the stack now; the menu waits.
    """
    if not on_map(state, state.active):
        return False
    if state.at & V.CHANGED:
        state.at &= ~V.CHANGED
        if open_menu_window(t, state, V.W_CHANGE, ((1 << t.seats) - 1) & ~t.seats_of[state.acting]):
            return True
    if not state.at & V.MATE_ASKED and t.seats_of[state.acting] & (t.seats_of[state.acting] - 1):
        state.at |= V.MATE_ASKED
        return open_menu_window(t, state, V.W_MATE, t.seats_of[state.acting] & ~(1 << t.seat_of[state.active]))
    return False

# ---- KO (6.5) ----

cdef void run_ko(const Book* t, Titans* state, Frame* f, Sink* sink) noexcept nogil:
    """The mission that asks for it, then a card of the KO'd team (points and victory came with the KO itself)."""
    cdef int piece = f.actor
    cdef int other = 1 - t.piece_team[piece]
    f.stage += 1
    if f.stage == 1:
        if asks_for(t, state, other, V.V_KO_OPPONENT):
            complete(state, other)
    elif f.stage == 2 and on_map(state, state.active) and t.piece_team[state.active] == other:
        open_window(state, V.W_KO, piece, V.NONE, V.NONE, False)
    else:
        pop_frame(state)
