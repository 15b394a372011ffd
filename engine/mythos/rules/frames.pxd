# Starting what takes several steps: lines, and the lines of a card that is played.
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.mythos.rules.model cimport Frame, Mythos, Book

cdef enum Status:           # how far the running call of the top frame is
    FINISHED                # `count` says what it did
    ASKED                   # a seat has been asked
    PUSHED                  # another frame goes first
    ONE_IS_DONE             # `down`: what its last target has caused comes before the next one (R57)
    REFUSED                 # the first choice of an optional line was to pass


cdef Frame* push_frame(Mythos* state, int type, int you, int unit, int here) noexcept nogil
cdef void pop_frame(Mythos* state) noexcept nogil
cdef void push_line(Mythos* state, int line, int you, int unit, int here, int flags, int registers) noexcept nogil
cdef void show_line(const Frame* f, int event, Sink* sink) noexcept nogil
cdef void commit(Frame* f, Sink* sink) noexcept nogil
cdef void take_looked(Mythos* state, Frame* f, int kind) noexcept nogil
cdef int begin_play(const Book* t, Mythos* state, int seat, int kind, int zone, int slot, int mission, int onto, int mod,
                    Sink* sink) noexcept nogil
