"""Escape tokens and windows for Mayhem cards (6.6), and what follows a KO (6.5)."""
from seatmate.engine.core.sink cimport PUBLIC, emit2
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.titans.content.vocabulary cimport (
    E_WINDOW, Q_ESCAPE, Q_WINDOW, V_KO_OPPONENT, W_ACT1, W_ATTACKED, W_CHANGE, W_ENTER, W_KO, W_MATE, W_START,
)
from seatmate.engine.titans.rules.board cimport complete, pop_frame, push_frame
from seatmate.engine.titans.rules.model cimport (
    CHANGED, ELIMINATED, ESCAPE, ESCAPES, FRAMES, MATE_ASKED, NONE, PIECES, WINDOW, arena, asks_for, on_map, pose,
    steps_of,
)
from seatmate.engine.titans.rules.query cimport answers_to_window, possible_cards

# ---- Escape tokens (6.6) ----

cdef void open_escapes(Titans* h, int mover) noexcept nogil:
    cdef Frame* f
    if (h.pc[0].tok | h.pc[1].tok | h.pc[2].tok | h.pc[3].tok) & ESCAPE:
        f = push_frame(h, ESCAPES)
        f.actor = <uint8_t> mover


cdef void run_escapes(const Tables* t, Titans* h, Frame* f, Sink* sink) noexcept nogil:
    """The next holder: those opposing the active piece first, then its mate; in one pass (R49 to R51, R92)."""
    cdef int k, i
    if h.active != NONE and h.depth < FRAMES - 3:
        for k in range(2):
            for i in range(PIECES):
                if f.asked >> i & 1 or i == f.actor or i == h.active or (t.piece_team[i] == t.piece_team[h.active]) != k:
                    continue
                f.asked |= <uint8_t> (1 << i)
                if h.pc[i].tok & ESCAPE and on_map(h, i) and steps_of(t, h, i):
                    f.tgt = <uint8_t> i
                    pose(h, t.seat_of[i], Q_ESCAPE)
                    return
    pop_frame(h)

# ---- Windows (6.6) ----

cdef void open_window(Titans* h, int cause, int piece, int other, int place, bint by_move) noexcept nogil:
    """Seats may play cards; whom it asks follows from the position."""
    cdef Frame* f = push_frame(h, WINDOW)
    f.mode = <uint8_t> cause
    f.tgt = <uint8_t> piece
    f.other = <uint8_t> other
    f.place = <uint8_t> place
    f.a = by_move
    if piece == h.active and (cause == W_ACT1 or cause == W_CHANGE or cause == W_ENTER):
        h.at &= ~CHANGED


cdef int window_seats(const Tables* t, const Titans* h, const Frame* f) noexcept nogil:
    """Whom the window is for, as a mask."""
    cdef int everybody = (1 << t.seats) - 1
    cdef int cause = f.mode
    if cause == W_START:
        return everybody
    if cause == W_ACT1 or cause == W_CHANGE:
        return everybody & ~t.seats_of[h.acting]
    if cause == W_MATE:
        return t.seats_of[h.acting] & ~(1 << t.seat_of[h.active])
    if cause == W_ENTER:
        return everybody & ~t.seats_of[t.piece_team[f.tgt]]
    return t.seats_of[t.piece_team[f.tgt]]


cdef bint asks(const Tables* t, const Titans* h, const Frame* f, int seat) noexcept nogil:
    """The public test: is the seat asked at all (6.6, a to c)?"""
    if h.team[t.team_of[seat]].played != NONE or h.hand[seat] == 0:
        return False
    if arena(t) and h.pc[seat].stat & ELIMINATED:       # R75
        return False
    return answers_to_window(t, h, f, seat, possible_cards(t, h, seat), True) != 0


cdef void run_window(const Tables* t, Titans* h, Frame* f, Sink* sink) noexcept nogil:
    """The next seat that is asked, in one pass (R92); a window whose piece is gone is over."""
    cdef int seats = window_seats(t, h, f) & ~f.asked
    cdef int first = seats
    cdef int base = 0
    cdef int cause = f.mode
    cdef int k, seat, part
    if cause == W_START:
        first = t.seats_of[h.init]
    elif cause != W_KO and not on_map(h, f.tgt):
        seats = 0
    if cause == W_ATTACKED or cause == W_KO:
        first = 1 << t.seat_of[f.tgt]
    if arena(t):
        base = h.init if cause == W_START else t.seat_of[h.active] if h.active != NONE else 0
        first = seats
    if seats and h.depth < FRAMES - 2:
        for part in range(2):
            for k in range(t.seats):
                seat = (base + k) % t.seats
                if not (seats & (first if part == 0 else ~first)) >> seat & 1:
                    continue
                f.asked |= <uint8_t> (1 << seat)
                if asks(t, h, f, seat):
                    emit2(sink, E_WINDOW, PUBLIC, seat, cause)
                    pose(h, seat, Q_WINDOW)
                    return
    pop_frame(h)

cdef bint open_before_menu(const Tables* t, Titans* h) noexcept nogil:
    """Windows before a menu of the active piece: the opponents', if the position has changed, then the mate's (R14).

    True if one lies on the stack now; the menu waits.
    """
    if not on_map(h, h.active):
        return False
    if h.at & CHANGED:
        open_window(h, W_CHANGE, h.active, NONE, NONE, False)
        return True
    if not h.at & MATE_ASKED and t.seats_of[h.acting] & (t.seats_of[h.acting] - 1):
        h.at |= MATE_ASKED
        open_window(h, W_MATE, h.active, NONE, NONE, False)
        return True
    return False

# ---- KO (6.5) ----

cdef void run_ko(const Tables* t, Titans* h, Frame* f, Sink* sink) noexcept nogil:
    """The mission that asks for it, then a card of the KO'd team (points and victory came with the KO itself)."""
    cdef int piece = f.actor
    cdef int other = 1 - t.piece_team[piece]
    f.stage += 1
    if f.stage == 1:
        if asks_for(t, h, other, V_KO_OPPONENT):
            complete(h, other)
    elif f.stage == 2 and on_map(h, h.active) and t.piece_team[h.active] == other:
        open_window(h, W_KO, piece, NONE, NONE, False)
    else:
        pop_frame(h)
