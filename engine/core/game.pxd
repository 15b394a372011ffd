# Game (settings + tables + rules) and State (struct + history) as Python sees them.
from seatmate.engine.core.contract cimport Rules
from seatmate.engine.core.past cimport Past
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Event, Sink


cdef class State


cdef class Game:
    cdef const Rules* rules         # the game's function table, static
    cdef const void* tables         # settings and compiled pack; immutable once the game is made
    cdef void* memory               # ... where new_tables made them
    cdef readonly object spec       # GameSpec
    cdef readonly object settings   # Settings
    cdef readonly int seats
    cdef double* worth              # in the tables, what the heuristic goes by, if it can be changed
    cdef tuple worth_names          # ... and what each number is called
    cdef readonly object names      # what a game of a pack calls its parts
    cdef readonly object fields     # Fields: the rows of its state, where positions are made of them
    cdef tuple labels               # ((position, seat), answers, their labels), see action_label

    cdef void* new_tables(self, size_t size) except NULL
    cdef int load(self, State state, raw) except -1
    cdef int go_on(self, State state) except -1


cdef class State:
    cdef readonly Game game
    cdef void* data                 # the game's struct, rules.state_size bytes
    cdef Rng rng                    # this state's own chance stream
    cdef Sink sink
    cdef Event* log                 # NULL when events are not recorded
    cdef readonly object seed       # None for a sampled world
    cdef Past* past                 # NULL unless the game declares public_choices
    cdef list _actions

    cdef int grow_log(self) except -1
    cdef int check_observer(self, int observer) except -1
    cdef int check_legal(self, int seat, action) except -1
    cdef int check_seat(self, int seat) except -1


cdef State blank_state(Game game, bint record_events)
cdef State rebuilt_state(Game game, object view)
cdef State sampled_world(State state, int seat, object seed)
cdef int deal_state(State state) except -1
cdef int recall(State state, list choices) except -1
