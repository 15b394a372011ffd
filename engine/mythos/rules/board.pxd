# What happens to cards and units: every change of the position with its events and what the seats learn from it.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport int32_t
from seatmate.engine.mythos.rules.model cimport Mythos, Book

# Cards.
cdef void hand_insert(Mythos* state, int seat, int kind) noexcept nogil
cdef void hand_take(Mythos* state, int seat, int kind) noexcept nogil
cdef void to_discard(Mythos* state, int owner, int kind) noexcept nogil
cdef void take_discard(Mythos* state, int seat, int kind) noexcept nogil
cdef int take_top(Mythos* state, int seat, int* known, Rng* rng) noexcept nogil
cdef int draw(Mythos* state, int seat, int n, Rng* rng, Sink* sink) noexcept nogil
cdef void discard_from_hand(Mythos* state, int seat, int kind, Sink* sink) noexcept nogil
cdef void put_on_top(Mythos* state, int seat, int kind, int known, int not_filter) noexcept nogil

# Numbers.
cdef void set_chakra(Mythos* state, int seat, int amount, int reason, Sink* sink) noexcept nogil
cdef void set_tokens(Mythos* state, int slot, int tokens, Sink* sink) noexcept nogil
cdef void set_edge(Mythos* state, int seat, Sink* sink) noexcept nogil

# Units.
cdef void emit_unit(const Mythos* state, Sink* sink, int event, int slot, int n, const int32_t* args) noexcept nogil
cdef int new_unit(Mythos* state, int kind, int owner, int seat, int mission, int known) noexcept nogil
cdef void mark_locked(Mythos* state) noexcept nogil
cdef void arrive(Mythos* state, int slot) noexcept nogil
cdef void push_under(Mythos* state, int slot, int kind, int owner) noexcept nogil
cdef void lay_on(Mythos* state, int slot, int onto) noexcept nogil
cdef void turn_down(Mythos* state, int slot, Sink* sink) noexcept nogil
cdef void turn_up(Mythos* state, int slot) noexcept nogil
cdef void move_unit(const Book* t, Mythos* state, int slot, int mission, int by, Sink* sink) noexcept nogil
cdef void give_control(Mythos* state, int slot, int seat, int source, Sink* sink) noexcept nogil
cdef void learn(Mythos* state, int slot, int seat) noexcept nogil
cdef void look_at(Mythos* state, int slot, int seat, Sink* sink) noexcept nogil
cdef void leave_play(Mythos* state, int slot, int how, Sink* sink) noexcept nogil
cdef void defeat(const Book* t, Mythos* state, int slot, Sink* sink) noexcept nogil
cdef void peel(Mythos* state, int slot, Sink* sink) noexcept nogil

# Reactions.
cdef void react(const Book* t, Mythos* state, int event, int subject, int by) noexcept nogil
cdef void react_to_defeats(const Book* t, Mythos* state) noexcept nogil
cdef void show_put(const Mythos* state, int slot, int zone, bint in_turn, Sink* sink) noexcept nogil
