# What happens to cards and units: every change of the position with its events and what the seats learn from it.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport int32_t
from seatmate.engine.mythos.rules.model cimport Mythos, Tables

# Cards.
cdef void hand_insert(Mythos* h, int seat, int kind) noexcept nogil
cdef void hand_take(Mythos* h, int seat, int kind) noexcept nogil
cdef void to_discard(Mythos* h, int owner, int kind) noexcept nogil
cdef void take_discard(Mythos* h, int seat, int kind) noexcept nogil
cdef int take_top(Mythos* h, int seat, int* known, Rng* rng) noexcept nogil
cdef int draw(Mythos* h, int seat, int n, Rng* rng, Sink* sink) noexcept nogil
cdef void discard_from_hand(Mythos* h, int seat, int kind, Sink* sink) noexcept nogil
cdef void put_on_top(Mythos* h, int seat, int kind, int known, int not_filter) noexcept nogil

# Numbers.
cdef void set_chakra(Mythos* h, int seat, int amount, int reason, Sink* sink) noexcept nogil
cdef void set_tokens(Mythos* h, int slot, int tokens, Sink* sink) noexcept nogil
cdef void set_edge(Mythos* h, int seat, Sink* sink) noexcept nogil

# Units.
cdef void emit_unit(const Mythos* h, Sink* sink, int event, int slot, int n, const int32_t* args) noexcept nogil
cdef int new_unit(Mythos* h, int kind, int owner, int seat, int mission, int known) noexcept nogil
cdef void mark_locked(Mythos* h) noexcept nogil
cdef void arrive(Mythos* h, int slot) noexcept nogil
cdef void push_under(Mythos* h, int slot, int kind, int owner) noexcept nogil
cdef void lay_on(Mythos* h, int slot, int onto) noexcept nogil
cdef void turn_down(Mythos* h, int slot, Sink* sink) noexcept nogil
cdef void turn_up(Mythos* h, int slot) noexcept nogil
cdef void move_unit(const Tables* t, Mythos* h, int slot, int mission, int by, Sink* sink) noexcept nogil
cdef void give_control(Mythos* h, int slot, int seat, int source, Sink* sink) noexcept nogil
cdef void learn(Mythos* h, int slot, int seat) noexcept nogil
cdef void look_at(Mythos* h, int slot, int seat, Sink* sink) noexcept nogil
cdef void leave_play(Mythos* h, int slot, int how, Sink* sink) noexcept nogil
cdef void defeat(const Tables* t, Mythos* h, int slot, Sink* sink) noexcept nogil
cdef void peel(Mythos* h, int slot, Sink* sink) noexcept nogil

# Reactions.
cdef void react(const Tables* t, Mythos* h, int event, int subject, int by) noexcept nogil
cdef void react_to_defeats(const Tables* t, Mythos* h) noexcept nogil
