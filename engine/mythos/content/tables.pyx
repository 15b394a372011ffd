"""Settings and a compiled pack as the C tables of the rules core."""
from dataclasses import asdict

from seatmate.engine.core.types cimport int32_t
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.model cimport CODE, LINES, NONE, SELECTORS, STATICS, Character

from seatmate.engine.mythos.content import decks


cdef int fill_rows(Book* t, compiled) except -1:
    """The rows of link.py have the names of the structs in model.pxd."""
    cdef int i
    for i, row in enumerate(compiled.selectors):
        t.selector[i] = row.members()
    for i, row in enumerate(compiled.lines):
        t.line[i] = asdict(row)
    for i, row in enumerate(compiled.statics):
        t.static[i] = asdict(row)
    for i, word in enumerate(compiled.code):
        t.code[i] = <int32_t> word
    return 0


cdef int fill_cards(Book* t, pack, compiled) except -1:
    cdef int i
    cdef Character* card
    names = {row.key: number for number, row in enumerate(pack.name)}
    keywords = {row.key: number for number, row in enumerate(pack.keyword)}
    groups = {row.key: number for number, row in enumerate(pack.group)}
    t.characters = len(pack.character)
    t.missions = len(pack.mission)
    for i, row in enumerate(pack.character):
        card = &t.character[i]
        card.name_number = names[row.name]
        card.name = <unsigned long long> 1 << card.name_number
        card.keywords = sum(1 << keywords[key] for key in row.keywords)
        card.groups = 1 << groups[row.group]
        card.cost = row.cost
        card.power = row.power
        card.first = compiled.first[i]
        card.lines = compiled.count[i]
        for number in range(card.first, card.first + card.lines):
            line = compiled.lines[number]
            if line.static >= 0:
                verb = compiled.statics[line.static].verb
                if verb == V.CHAKRA:
                    card.income = 1
                else:
                    card.statics |= 1 << (verb - V.POWER)
            elif line.trigger == V.ON:
                card.events |= line.events
            elif line.trigger == V.REPLACE:
                card.replaces |= line.events
            else:
                card.headings |= 1 << (line.trigger - V.MAIN)
    for i, row in enumerate(pack.mission):
        mission = &t.mission[i]
        mission.points = row.points
        mission.first = compiled.first[V.MISSION_LINE + i]
        mission.lines = compiled.count[V.MISSION_LINE + i]
        for number in range(mission.first, mission.first + mission.lines):
            line = compiled.lines[number]
            if line.static < 0:
                mission.scores = 1
            elif compiled.statics[line.static].verb == V.CHAKRA:
                mission.income = 1
            else:
                mission.statics |= 1 << (compiled.statics[line.static].verb - V.POWER)
    return 0


def check_sizes(loaded, compiled):
    """Raises PackError when a pack is larger than the tables."""
    for what, count, most in (("selectors", len(compiled.selectors), SELECTORS), ("lines", len(compiled.lines), LINES),
                              ("lasting modifiers", len(compiled.statics), STATICS), ("words of effects", len(compiled.code), CODE),
                              ("kinds of cards looked for", len(compiled.filters), 32),
                              ("ready-made decks", len(loaded.content.deck), 16)):
        if count > most:
            raise loaded.error(f"the pack has {count} {what}; {most} are possible")


cdef int fill_pack(Book* t, loaded, compiled) except -1:
    """All that does not depend on the table's options. Raises PackError when a pack is larger than the tables."""
    cdef int i, j
    pack = loaded.content
    check_sizes(loaded, compiled)
    fill_rows(t, compiled)
    fill_cards(t, pack, compiled)
    t.filters = len(compiled.filters)
    for i, selector in enumerate(sorted(compiled.filters)):
        t.filter[i] = selector
    limits = pack.limits
    t.start_hand = limits.start_hand
    t.round_draw = limits.round_draw
    t.base_chakra = limits.base_chakra
    t.hidden_cost = limits.hidden_cost
    t.copies = limits.copies_max
    for i in range(4):
        t.bonus[i] = limits.rank_bonus[i]
    t.decks = len(pack.deck)
    for i, row in enumerate(pack.deck):
        deck = decks.ready_deck(row.key, pack)
        t.ready_n[i] = len(deck.cards)
        for j, kind in enumerate(deck.cards):
            t.ready[i][j] = kind
        for j, number in enumerate(deck.missions):
            t.ready_triple[i][j] = number
    return 0


cdef int fill_options(Book* t, options, chosen) except -1:
    """The options of a table; `chosen`: the two decks."""
    cdef int s, i
    t.open_lists = options["open_decklists"]
    t.first = NONE if options["first"] == "random" else int(options["first"])
    t.alternate = options["mission_setup"] == "alternate"
    t.reveal_wait = options["reveal_wait"]
    t.hidden_cost_attribute = int(options["hidden_cost_attr"])
    t.enemy_clash = options["enemy_clash"]
    t.skip_gain = options["skip_gain"]
    for s, deck in enumerate(chosen):
        t.deck_n[s] = len(deck.cards)
        for i, kind in enumerate(deck.cards):
            t.deck[s][i] = kind
        for i, number in enumerate(deck.missions):
            t.triple[s][i] = number
    return 0
