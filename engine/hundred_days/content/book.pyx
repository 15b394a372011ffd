"""Settings and a linked pack as the book of the rules core."""
from seatmate.engine.core.cardset cimport add
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.model cimport Card, Selector

from seatmate.engine.hundred_days.content.pack import KINDS, WORTH, covered
from seatmate.engine.hundred_days.content.pack import TYPES as LETTERS


cdef int fill_selector(Selector* selector, row) except -1:
    selector.base = V.NO_BASE
    if row is not None:
        selector.base, selector.n, selector.filters = row
    return 0


cdef int fill_card(Card* card, source, row) except -1:
    cdef int i
    card.kind = KINDS.index(source.kind)
    card.points = source.points
    card.dimension = source.dimension or 0
    for place in source.places:
        card.places |= 1 << <int> place
    card.cost = row.cost
    card.cost_type = row.cost_type
    card.trigger = row.trigger
    card.steps = len(row.steps)
    for i, (verb, n, party, how) in enumerate(row.steps):
        card.step[i].verb = verb
        card.step[i].n = n
        card.step[i].party = party
        card.step[i].how = how
        card.worth += WORTH[verb] * max(n, 1)
        if verb == V.V_COPY:
            card.copies = True
    for i in range(V.REGISTERS):
        fill_selector(&card.target[i], row.targets.get(i))
    fill_selector(&card.need, row.need)
    card.has_targets = bool(row.targets) or row.need is not None
    for which, n in row.abilities.items():
        card.ability[<int> which] = n
    return 0


cdef int fill(Book* book, pack, rows, int seats, int tiles) except -1:
    """Everything that the rules read."""
    cdef int i, k
    limits = pack.limits
    book.seats = seats
    book.tiles = tiles
    book.resources = limits.resources
    book.supply = limits.garage
    book.start_hand = limits.start_hand
    book.hand_limit = limits.hand_limit
    book.move_cost = limits.move_cost
    book.morty_draw = limits.morty_draw
    book.centre_single = limits.centre_single
    book.centre_between = limits.centre_between
    book.garage_points = limits.garage_points
    book.keeps_green = limits.given_up == "personal_if_green"
    book.rounds = limits.rounds
    book.turns = limits.turns * seats
    for i, tile in enumerate(pack.tile):
        for k in range(V.TYPES):
            book.tile[i].cost[k] = tile.cost.get(LETTERS[k], 0)
            book.tile[i].harvest[k] = tile.harvest.get(LETTERS[k], 0)
        book.tile[i].points = tile.points
        book.tile[i].size = sum(tile.harvest.values())
        book.tile[i].single = tile.single
        book.tile[i].between = tile.between
    for i, (source, row) in enumerate(zip(pack.card, rows, strict=True)):
        fill_card(&book.card[i], source, row)
        add(&book.all, i)
        add(&book.of_kind[book.card[i].kind], i)
        if book.card[i].kind in (V.K_ITEM, V.K_CHARACTER):
            add(&book.green, i)
        for k in range(12):
            if book.card[i].trigger >> k & 1:
                add(&book.of_trigger[k], i)
        for which in row.abilities:
            add(&book.with_ability[<int> which], i)
        if source.dimension:
            add(&book.with_icon, i)
        if source.substitute:
            add(&book.with_substitute, i)
    for i in range(V.SPACES):
        for place in covered(i):
            book.cover[i] |= 1 << <int> place
    return 0
