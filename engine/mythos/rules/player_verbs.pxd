# Verbs that do something to players and their cards.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t
from seatmate.engine.mythos.rules.model cimport Frame, Mythos, Book

cdef int do_to_players(const Book* t, Mythos* state, Rng* rng, Sink* sink) noexcept nogil
cdef int answer_player_verb(const Book* t, Mythos* state, int prompt, int answer, Rng* rng, Sink* sink) noexcept nogil
cdef int legal_for_players(const Book* t, const Mythos* state, int prompt, action_t* out) noexcept nogil
cdef void put_back(Mythos* state, Frame* f, Sink* sink) noexcept nogil
