"""Positions as plain values (their meaning: view.py), and back into the struct."""
from libc.string cimport memset

from seatmate.engine.core.types cimport int32_t, uint8_t, uint32_t, uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.board cimport find_neighbours
from seatmate.engine.titans.rules.legal cimport options_of, picks_of
from seatmate.engine.titans.rules.model cimport NONE, PIECES, PLACES, Frame, Piece, Team
from seatmate.engine.titans.rules.supply cimport clues_left, fire_left, gifts_left, tokens_left, traps_left

from seatmate.engine.titans.words import words
from seatmate.engine.titans.content.pack import ICONS
from seatmate.engine.titans.secrets.view import frame_of


cdef list bits_of(uint64_t mask):
    found = []
    while mask:
        found.append(lowest_bit(mask))
        mask &= mask - 1
    return found


cdef optional(int number):
    return None if number == NONE else number


cdef int number_of(value) except -1:
    return NONE if value is None else value


cdef dict piece_values(const Book* t, const Titans* state, int i, bint known, names):
    cdef const Piece* p = &state.piece[i]
    team = None if t.seat_of[i] == NONE else t.piece_team[i]
    return {"character": names.characters[p.character] if known and p.character != NONE else None, "team": team,
            "seat": optional(t.seat_of[i]), "place": optional(p.place), "damage": p.damage, "fire": p.fire,
            "stunned": bool(p.tokens & V.STUN), "stun_team": p.stun_team if p.tokens & V.STUN else None,
            "shield": bool(p.tokens & V.SHIELD),
            "escape": bool(p.tokens & V.ESCAPE), "pizza": bool(p.tokens & V.HAS_PIZZA), "ko": bool(p.status & V.KO_NOW),
            "eliminated": bool(p.status & V.ELIMINATED), "innate_spent": bool(p.status & V.INNATE_SPENT), "acts": p.activations,
            "slots": [p.slot_die[0], p.slot_die[1]], "ghost": bool(p.marks & V.GHOST), "locked": bool(p.marks & V.LOCK)}


cdef dict team_values(const Book* t, const Titans* state, int i, names):
    cdef const Team* m = &state.team[i]
    dice = [m.dice[0], m.dice[1]] if m.dice[1] else [m.dice[0]] if m.dice[0] else []
    icons = [t.icon_of[tile] for tile in range(10)]
    return {"points": m.points, "go": names.goes[m.go] if m.go != NONE else None,
            "delivered": [ICONS[icon] for icon in sorted(bits_of(m.delivered), key=icons.index)], "gifts": m.gifts,
            "clues": m.clues,
            "monster": {"place": m.monster_place, "damage": m.monster_damage} if m.monster_place != NONE else None, "dice": dice,
            "dice_used": bits_of(m.dice_used), "played": names.cards[m.played] if m.played != NONE else None,
            "attack_bonus": bool(m.marks & V.ATK1), "trap_stun": bool(m.marks & V.TRAPSTUN)}


cdef list frame_values(const Titans* state):
    cdef int i
    frames = []
    for i in range(state.depth):
        frames.append(frame_of(tuple([(<const int32_t*> &state.frame[i])[k] for k in range(5)])))
    return frames


cdef list cards_of(uint32_t mask, names):
    return [names.cards[card] for card in bits_of(mask)]


cdef dict values_of(const Book* t, const Titans* state, int seat, names):
    """What the observer sees; -1: everything."""
    cdef int s, i
    secret = state.step == V.S_COMP and state.at == 1
    step = words.STEPS[state.step]
    counts, hands, aside = [], [], []
    for s in range(t.seats):
        known = seat in (s, -1) or t.first_game
        hands.append(cards_of(state.hand[s], names) if known or (state.hand[s] == 0 and state.round) else None)
        aside.append(cards_of(state.aside[s], names) if known or t.mode == V.COMP else None)
        n = bit_count(state.hand[s])
        if not known and state.step == V.S_SETASIDE:
            n += bit_count(state.aside[s])
        if not known and state.step == V.S_COMP:
            n = 0
        counts.append(n)
    started = state.round > 0 or (t.mode == V.FFA3 and state.piece[2].place != NONE)
    traps_of = 1 if t.mode == V.FFA3 else 2
    flags = {flag: bool(state.flags >> number & 1) for number, flag in enumerate(words.FLAGS)}
    return {
        "mode": words.MODES[t.mode], "round": state.round, "phase": words.PHASES.get(step, "activation"), "turn": state.turn,
        "first": state.first, "initiative": state.init if started else None, "active": optional(state.active),
        "mayhem": None if state.face == NONE else {
            "face": state.face, "value": t.face_value[state.face], "star": bool(t.face_star[state.face])},
        "tiles": [names.tiles[state.tile[i]] if state.tile[i] != NONE else None for i in range(PLACES)],
        "removed": bits_of(state.removed), "obstacles": bits_of(state.obstacles),
        "pizza": optional(state.pizza), "clues": bits_of(state.clues),
        "traps": [[state.trap[0][i], state.trap[1][i]] for i in range(PLACES)],
        "teams": [team_values(t, state, i, names) for i in range(t.teams)],
        "pieces": [piece_values(t, state, i, not secret or seat in (t.seat_of[i], -1), names) for i in range(PIECES)],
        "hands": hands, "hand_counts": counts, "aside": aside,
        "used": [cards_of(state.used[s], names) for s in range(t.seats)],
        "go_deck": [names.goes[card] for card in bits_of(state.go_deck)],
        "go_done": [names.goes[card] for card in bits_of(state.go_done)],
        "supplies": {"fire": fire_left(t, state), "shields": tokens_left(t, state, V.SHIELD, t.shields),
                     "escapes": tokens_left(t, state, V.ESCAPE, t.escapes), "obstacles": t.obstacles - bit_count(state.obstacles),
                     "gifts": gifts_left(t, state), "clues": clues_left(t, state),
                     "traps": [traps_left(t, state, i) for i in range(traps_of)]},
        "turn_state": {"team": state.acting, "slot": state.slot, "die": state.die, "stood": optional(state.stood), **flags},
        "progress": {"step": step, "at": state.at, "burning": bits_of(state.burning), "frames": frame_values(state)},
        "result": bits_of(state.result) if state.result else None,
    }

# ---- From values ----

cdef int load_piece(Piece* p, value, names) except -1:
    p.character = NONE if value["character"] is None else names.character_number[value["character"]]
    p.place = number_of(value["place"])
    p.damage = value["damage"]
    p.fire = value["fire"]
    p.activations = value["acts"]
    p.slot_die[0], p.slot_die[1] = value["slots"]
    for key, mark in (("stunned", V.STUN), ("shield", V.SHIELD), ("escape", V.ESCAPE), ("pizza", V.HAS_PIZZA)):
        if value[key]:
            p.tokens |= <uint8_t> mark
    if value["stunned"]:
        p.stun_team = value["stun_team"]
    for key, mark in (("ko", V.KO_NOW), ("eliminated", V.ELIMINATED), ("innate_spent", V.INNATE_SPENT)):
        if value[key]:
            p.status |= <uint8_t> mark
    for key, mark in (("ghost", V.GHOST), ("locked", V.LOCK)):
        if value[key]:
            p.marks |= <uint8_t> mark
    return 0


cdef int load_team(Team* m, value, names) except -1:
    m.points = value["points"]
    m.go = NONE if value["go"] is None else names.go_number[value["go"]]
    m.delivered = sum(1 << ICONS.index(icon) for icon in value["delivered"])
    m.gifts = value["gifts"]
    m.clues = value["clues"]
    m.monster_place = NONE
    if value["monster"] is not None:
        m.monster_place = value["monster"]["place"]
        m.monster_damage = value["monster"]["damage"]
    for i, die in enumerate(value["dice"]):
        m.dice[<int> i] = die
    m.dice_used = sum(1 << die for die in value["dice_used"])
    m.played = NONE if value["played"] is None else names.card_number[value["played"]]
    m.marks = (V.ATK1 if value["attack_bonus"] else 0) | (V.TRAPSTUN if value["trap_stun"] else 0)
    return 0


cdef int load_frame(Frame* f, value) except -1:
    memset(f, 0, sizeof(Frame))
    f.kind = words.FRAME_KINDS.index(value["kind"])
    f.stage, f.team, f.seat, f.actor = value["stage"], value["team"], value["seat"], value["actor"]
    f.tgt, f.other, f.place, f.mode = value["tgt"], value["other"], value["place"], value["mode"]
    f.source, f.verb, f.who, f.may = value["source"], value["verb"], value["who"], value["may"]
    f.asked, f.a, f.b, f.at = value["asked"], value["a"], value["b"], value["at"]
    f.args[0], f.args[1] = value["arg0"], value["arg1"]
    return 0


cdef uint32_t mask_of(ids, names) except? 0xFFFFFFFF:
    cdef uint32_t mask = 0
    for card in ids:
        mask |= <uint32_t> 1 << <int> names.card_number[card]
    return mask


cdef int load_hands(const Book* t, Titans* state, values, names) except -1:
    """Hands as far as they are known; the others get cards that nobody has, in order."""
    cdef uint32_t rest = t.deck
    cdef int s, n, limit, _card
    for s in range(t.seats):
        state.used[s] = mask_of(values["used"][s], names)
        if values["hands"][s] is not None:
            state.hand[s] = mask_of(values["hands"][s], names)
        if values["aside"][s] is not None:
            state.aside[s] = mask_of(values["aside"][s], names)
        rest &= ~(state.used[s] | state.hand[s] | state.aside[s])
    for s in range(t.seats):
        if values["hands"][s] is None:
            if t.mode == V.COMP:
                rest = t.deck & ~state.used[s]
            for _card in range(<int> values["hand_counts"][s]):
                state.hand[s] |= rest & (~rest + 1)
                rest &= rest - 1
    if t.mode == V.COMP or t.first_game:
        return 0
    for s in range(t.seats):
        limit = 0
        for n in range(t.pieces):
            if t.seat_of[n] == s and state.piece[n].character != NONE:
                limit += t.board[state.piece[n].character].icons
        n = t.draw[s] - limit if state.piece[0].character != NONE else 0
        if values["progress"]["step"] == "draft":
            n = 0
        elif values["progress"]["step"] == "set_aside":
            state.left[s] = <uint8_t> (n - bit_count(state.aside[s])) if n > 0 else 0
        elif values["aside"][s] is None:
            while n > 0:
                state.aside[s] |= rest & (~rest + 1)
                rest &= rest - 1
                n -= 1
    return 0


cdef int load_values(const Book* t, Titans* state, values, names) except -1:
    """Fill a zeroed state; the question comes later."""
    cdef int i, s
    step = values["progress"]["step"]
    state.step = words.STEPS.index(step)
    state.at = values["progress"]["at"]
    state.round, state.turn, state.first = values["round"], values["turn"], values["first"]
    state.init = values["initiative"] or 0
    state.active = number_of(values["active"])
    state.face = NONE if values["mayhem"] is None else values["mayhem"]["face"]
    memset(state.where, NONE, sizeof(state.where))
    for i in range(PLACES):
        state.tile[i] = NONE
        if values["tiles"][i] is not None:
            state.tile[i] = names.tile_number[values["tiles"][i]]
            state.where[state.tile[i]] = <uint8_t> i
        state.trap[0][i], state.trap[1][i] = values["traps"][i]
    state.removed = sum(1 << place for place in values["removed"])
    state.obstacles = sum(1 << edge for edge in values["obstacles"])
    state.pizza = number_of(values["pizza"])
    state.clues = sum(1 << place for place in values["clues"])
    for i in range(3):
        state.team[i].go = NONE
        state.team[i].monster_place = NONE
        state.team[i].played = NONE
    for i, value in enumerate(values["teams"]):
        load_team(&state.team[i], value, names)
    for i, value in enumerate(values["pieces"]):
        load_piece(&state.piece[i], value, names)
    state.go_deck = sum(1 << names.go_number[card] for card in values["go_deck"])
    state.go_done = sum(1 << names.go_number[card] for card in values["go_done"])
    turn = values["turn_state"]
    state.acting, state.slot, state.die, state.stood = turn["team"], turn["slot"], turn["die"], number_of(turn["stood"])
    state.flags = sum(1 << number for number, flag in enumerate(words.FLAGS) if turn[flag])
    state.burning = sum(1 << piece for piece in values["progress"]["burning"])
    for i, value in enumerate(values["progress"]["frames"]):
        load_frame(&state.frame[i], value)
        state.depth += 1
    state.result = sum(1 << team for team in values["result"] or ())
    find_neighbours(t, state)
    load_hands(t, state, values, names)
    if state.step == V.S_COMP:
        for s in range(2):
            state.left[s] = <uint8_t> (picks_of(t, state, s) - bit_count(state.hand[s]))
            if state.at == 1:
                state.left[s] -= (state.piece[2 * s].character != NONE) + (state.piece[2 * s + 1].character != NONE)
    return 0


cdef int load_question(const Book* t, Titans* state, values) except -1:
    """Who is asked what: the seat's own prompt, or the public question."""
    if state.step == V.S_OVER or not values["asked"]:
        state.prompt = V.Q_NOTHING
        return 0
    state.asked = sum(1 << seat for seat in values["asked"])
    state.prompt = words.PROMPT_NUMBER[values["prompt"] or values["question"]]
    if state.prompt == V.Q_COMP_CARD or state.prompt == V.Q_COMP_CHAR:
        state.prompt = V.Q_COMP_CHAR if state.at == 1 else V.Q_COMP_CARD
    elif state.step != V.S_SETASIDE:
        state.options = options_of(t, state)
    return 0
