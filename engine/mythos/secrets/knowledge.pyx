"""Tracks: what an observer knows of cards it saw and lost from sight (section 7.2, K1 to K10)."""
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.model cimport TRACKS, Tracks, bit


cdef inline void drop(Tracks* k, int e) noexcept nogil:
    """Delete entry e; the others keep their order of age."""
    cdef int i
    k.n -= 1
    for i in range(e, k.n):
        k.where[i] = k.where[i + 1]
        k.kind[i] = k.kind[i + 1]
    k.where[k.n] = 0
    k.kind[k.n] = 0


cdef inline void add(Tracks* k, int kind, uint64_t where) noexcept nogil:
    """A new entry; K10: when the list is full the oldest is forgotten."""
    if k.n == TRACKS:
        drop(k, 0)
    k.kind[k.n] = <uint8_t> kind
    k.where[k.n] = where
    k.n += 1


cdef inline void lose(Tracks* k, uint64_t container) noexcept nogil:
    """The container is empty or fully seen: it is nobody's candidate any more."""
    cdef int e = 0
    while e < k.n:
        k.where[e] &= ~container
        if k.where[e] == 0:
            drop(k, e)
        else:
            e += 1


cdef bint hides_top(const Mythos* state, int owner) noexcept nogil:
    """Is there an explicit top card the other seat does not know, or a looked-at card of the owner?"""
    cdef int i
    for i in range(state.top_n[owner]):
        if not state.top_known[owner][i] >> (1 - owner) & 1:
            return True
    if state.looked_n:
        for i in range(state.depth):
            if state.frame[i].looked and state.frame[i].you == owner:
                return True
    return False


cdef void forget_empty(Mythos* state, int owner) noexcept nogil:
    """After every movement: an empty hand and a deck without unknown top cards hold nothing."""
    cdef Tracks* k = &state.track[1 - owner]
    if k.n == 0:
        return
    if state.hand_n[owner] == 0:
        lose(k, bit(V.IN_HAND))
    if not hides_top(state, owner):
        lose(k, bit(V.IN_TOP))


cdef void came_to_light(Mythos* state, int owner, int kind, uint64_t container) noexcept nogil:
    """K8: the observer sees a card of this kind that was in the container. One entry it satisfies is deleted.

    Where two entries of the kind have this container, either may be the one: the other gets the candidates of both.
    """
    cdef Tracks* k = &state.track[1 - owner]
    cdef int e = 0
    cdef int first = -1
    if k.n == 0:
        return
    while e < k.n:
        if k.kind[e] == kind and k.where[e] & container:
            if first < 0:
                first = e
            else:
                k.where[e] |= k.where[first]
        e += 1
    if first >= 0:
        drop(k, first)
    if container & ~(bit(V.IN_HAND) | bit(V.IN_TOP)):
        lose(k, container)      # a slot holds one card
    forget_empty(state, owner)


cdef void went_to_hand(Mythos* state, int owner, int kind) noexcept nogil:
    """K1: a card the observer knows went to the hand."""
    add(&state.track[1 - owner], kind, bit(V.IN_HAND))


cdef void saw_hand(Mythos* state, int owner) noexcept nogil:
    """K2: the observer sees the whole hand: each card there has an entry, and no other entry has the hand."""
    cdef Tracks* k = &state.track[1 - owner]
    cdef int i, e, pinned, best
    cdef uint64_t hand = bit(V.IN_HAND)
    cdef uint8_t taken[TRACKS]
    for e in range(TRACKS):
        taken[e] = 0
    for i in range(state.hand_n[owner]):
        best = -1
        for e in range(k.n):
            if not taken[e] and k.kind[e] == state.hand[owner][i] and k.where[e] & hand:
                if best < 0 or k.where[e] == hand:
                    best = e
        if best >= 0:
            taken[best] = 1
            k.where[best] = hand
    e = 0
    pinned = 0
    while e < k.n:              # the others are elsewhere
        if not taken[e + pinned]:
            k.where[e] &= ~hand
            if k.where[e] == 0:
                drop(k, e)
                pinned += 1
                continue
        e += 1
    for i in range(state.hand_n[owner]):
        best = 0                # entries of this kind in the hand against copies in it so far
        for e in range(k.n):
            best += k.kind[e] == state.hand[owner][i] and k.where[e] == hand
        for e in range(i + 1):
            best -= state.hand[owner][e] == state.hand[owner][i]
        if best < 0:
            add(k, state.hand[owner][i], hand)


cdef void spread(Mythos* state, int owner, int source, uint64_t container) noexcept nogil:
    """An unseen card went from a container to another one: whatever may be there may be here now."""
    cdef Tracks* k = &state.track[1 - owner]
    cdef int e
    for e in range(k.n):
        if k.where[e] & bit(source):
            k.where[e] |= container
    forget_empty(state, owner)


cdef void hand_to(Mythos* state, int owner, uint64_t container) noexcept nogil:
    """K3, K4: an unseen card of the hand went to a slot or on the deck."""
    spread(state, owner, V.IN_HAND, container)


cdef void top_to(Mythos* state, int owner, uint64_t container) noexcept nogil:
    """K5, K7: an unseen explicit top card went to the hand or to a slot."""
    spread(state, owner, V.IN_TOP, container)


cdef void slot_to_hand(Mythos* state, int owner, int slot) noexcept nogil:
    """K6: an unseen hidden unit went to the hand."""
    cdef Tracks* k = &state.track[1 - owner]
    cdef int e
    for e in range(k.n):
        if k.where[e] >> slot & 1:
            k.where[e] = k.where[e] & ~bit(slot) | bit(V.IN_HAND)
