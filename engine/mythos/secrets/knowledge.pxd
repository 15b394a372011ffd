# What an observer knows of the other seat's cards that it saw and then lost from sight.
#
# A track means: at least one more card of this kind is in one of these containers. Containers are hidden units (by slot),
# the top of the deck (bit IN_TOP: explicit top cards the observer does not know, and looked-at cards) and the hand (bit
# IN_HAND). Every function takes the owner of the cards; the observer is the other seat. Call them after the cards moved.
from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.mythos.rules.model cimport Mythos

cdef void came_to_light(Mythos* state, int owner, int kind, uint64_t container) noexcept nogil
cdef void went_to_hand(Mythos* state, int owner, int kind) noexcept nogil
cdef void saw_hand(Mythos* state, int owner) noexcept nogil
cdef void hand_to(Mythos* state, int owner, uint64_t container) noexcept nogil
cdef void top_to(Mythos* state, int owner, uint64_t container) noexcept nogil
cdef void slot_to_hand(Mythos* state, int owner, int slot) noexcept nogil
cdef void forget_empty(Mythos* state, int owner) noexcept nogil
cdef bint hides_top(const Mythos* state, int owner) noexcept nogil
