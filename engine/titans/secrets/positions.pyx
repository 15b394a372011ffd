"""Positions as plain values (their meaning: view.py), and back into the struct."""
from libc.string cimport memset

from seatmate.engine.core.types cimport int32_t, uint8_t, uint32_t, uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.titans.content.vocabulary cimport COMP, FFA3, Q_COMP_CARD, Q_COMP_CHAR, Q_NOTHING
from seatmate.engine.titans.rules.board cimport find_neighbours
from seatmate.engine.titans.rules.legal cimport options_of, picks_of
from seatmate.engine.titans.rules.model cimport (
    ATK1, ELIMINATED, ESCAPE, GHOST, HAS_PIZZA, INNATE_SPENT, KO_NOW, LOCK, NONE, PIECES, PLACES, SHIELD, STUN, S_COMP,
    S_OVER, S_SETASIDE, TRAPSTUN, Frame, Piece, Team,
)
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


cdef dict piece_values(const Tables* t, const Titans* h, int i, bint known, names):
    cdef const Piece* p = &h.pc[i]
    team = None if t.seat_of[i] == NONE else t.piece_team[i]
    return {"character": names.characters[p.ctype] if known and p.ctype != NONE else None, "team": team,
            "seat": optional(t.seat_of[i]), "place": optional(p.place), "damage": p.dmg, "fire": p.fire,
            "stunned": bool(p.tok & STUN), "stun_team": p.stun_team if p.tok & STUN else None, "shield": bool(p.tok & SHIELD),
            "escape": bool(p.tok & ESCAPE), "pizza": bool(p.tok & HAS_PIZZA), "ko": bool(p.stat & KO_NOW),
            "eliminated": bool(p.stat & ELIMINATED), "innate_spent": bool(p.stat & INNATE_SPENT), "acts": p.acts,
            "slots": [p.slot_die[0], p.slot_die[1]], "ghost": bool(p.marks & GHOST), "locked": bool(p.marks & LOCK)}


cdef dict team_values(const Tables* t, const Titans* h, int i, names):
    cdef const Team* m = &h.team[i]
    dice = [m.dice[0], m.dice[1]] if m.dice[1] else [m.dice[0]] if m.dice[0] else []
    icons = [t.icon_of[tile] for tile in range(10)]
    return {"points": m.vp, "go": names.goes[m.go] if m.go != NONE else None,
            "delivered": [ICONS[icon] for icon in sorted(bits_of(m.delivered), key=icons.index)], "gifts": m.gifts,
            "clues": m.clues,
            "monster": {"place": m.mon_place, "damage": m.mon_dmg} if m.mon_place != NONE else None, "dice": dice,
            "dice_used": bits_of(m.dice_used), "played": names.cards[m.played] if m.played != NONE else None,
            "attack_bonus": bool(m.marks & ATK1), "trap_stun": bool(m.marks & TRAPSTUN)}


cdef list frame_values(const Titans* h):
    cdef int i
    frames = []
    for i in range(h.depth):
        frames.append(frame_of(tuple([(<const int32_t*> &h.frame[i])[k] for k in range(5)])))
    return frames


cdef list cards_of(uint32_t mask, names):
    return [names.cards[card] for card in bits_of(mask)]


cdef dict values_of(const Tables* t, const Titans* h, int seat, names):
    """What the observer sees; -1: everything."""
    cdef int s, i
    secret = h.step == S_COMP and h.at == 1
    step = words.STEPS[h.step]
    counts, hands, aside = [], [], []
    for s in range(t.seats):
        known = seat in (s, -1) or t.first_game
        hands.append(cards_of(h.hand[s], names) if known or (h.hand[s] == 0 and h.round) else None)
        aside.append(cards_of(h.aside[s], names) if known or t.mode == COMP else None)
        n = bit_count(h.hand[s])
        if not known and h.step == S_SETASIDE:
            n += bit_count(h.aside[s])
        if not known and h.step == S_COMP:
            n = 0
        counts.append(n)
    started = h.round > 0 or (t.mode == FFA3 and h.pc[2].place != NONE)
    traps_of = 1 if t.mode == FFA3 else 2
    flags = {flag: bool(h.flags >> number & 1) for number, flag in enumerate(words.FLAGS)}
    return {
        "mode": words.MODES[t.mode], "round": h.round, "phase": words.PHASES.get(step, "activation"), "turn": h.turn,
        "first": h.first, "initiative": h.init if started else None, "active": optional(h.active),
        "mayhem": None if h.face == NONE else {"face": h.face, "value": t.face_value[h.face], "star": bool(t.face_star[h.face])},
        "tiles": [names.tiles[h.tile[i]] if h.tile[i] != NONE else None for i in range(PLACES)],
        "removed": bits_of(h.removed), "obstacles": bits_of(h.obst), "pizza": optional(h.pizza), "clues": bits_of(h.clues),
        "traps": [[h.trap[0][i], h.trap[1][i]] for i in range(PLACES)],
        "teams": [team_values(t, h, i, names) for i in range(t.teams)],
        "pieces": [piece_values(t, h, i, not secret or seat in (t.seat_of[i], -1), names) for i in range(PIECES)],
        "hands": hands, "hand_counts": counts, "aside": aside,
        "used": [cards_of(h.used[s], names) for s in range(t.seats)],
        "go_deck": [names.goes[card] for card in bits_of(h.go_deck)],
        "go_done": [names.goes[card] for card in bits_of(h.go_done)],
        "supplies": {"fire": fire_left(t, h), "shields": tokens_left(t, h, SHIELD, t.shields),
                     "escapes": tokens_left(t, h, ESCAPE, t.escapes), "obstacles": t.obstacles - bit_count(h.obst),
                     "gifts": gifts_left(t, h), "clues": clues_left(t, h),
                     "traps": [traps_left(t, h, i) for i in range(traps_of)]},
        "turn_state": {"team": h.acting, "slot": h.slot, "die": h.die, "stood": optional(h.stood), **flags},
        "progress": {"step": step, "at": h.at, "burning": bits_of(h.burning), "frames": frame_values(h)},
        "result": bits_of(h.result) if h.result else None,
    }

# ---- From values ----

cdef int load_piece(Piece* p, value, names) except -1:
    p.ctype = NONE if value["character"] is None else names.character_number[value["character"]]
    p.place = number_of(value["place"])
    p.dmg = value["damage"]
    p.fire = value["fire"]
    p.acts = value["acts"]
    p.slot_die[0], p.slot_die[1] = value["slots"]
    for key, mark in (("stunned", STUN), ("shield", SHIELD), ("escape", ESCAPE), ("pizza", HAS_PIZZA)):
        if value[key]:
            p.tok |= <uint8_t> mark
    if value["stunned"]:
        p.stun_team = value["stun_team"]
    for key, mark in (("ko", KO_NOW), ("eliminated", ELIMINATED), ("innate_spent", INNATE_SPENT)):
        if value[key]:
            p.stat |= <uint8_t> mark
    for key, mark in (("ghost", GHOST), ("locked", LOCK)):
        if value[key]:
            p.marks |= <uint8_t> mark
    return 0


cdef int load_team(Team* m, value, names) except -1:
    m.vp = value["points"]
    m.go = NONE if value["go"] is None else names.go_number[value["go"]]
    m.delivered = sum(1 << ICONS.index(icon) for icon in value["delivered"])
    m.gifts = value["gifts"]
    m.clues = value["clues"]
    m.mon_place = NONE
    if value["monster"] is not None:
        m.mon_place = value["monster"]["place"]
        m.mon_dmg = value["monster"]["damage"]
    for i, die in enumerate(value["dice"]):
        m.dice[<int> i] = die
    m.dice_used = sum(1 << die for die in value["dice_used"])
    m.played = NONE if value["played"] is None else names.card_number[value["played"]]
    m.marks = (ATK1 if value["attack_bonus"] else 0) | (TRAPSTUN if value["trap_stun"] else 0)
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


cdef int load_hands(const Tables* t, Titans* h, values, names) except -1:
    """Hands as far as they are known; the others get cards that nobody has, in order."""
    cdef uint32_t rest = t.deck
    cdef int s, n, limit, _card
    for s in range(t.seats):
        h.used[s] = mask_of(values["used"][s], names)
        if values["hands"][s] is not None:
            h.hand[s] = mask_of(values["hands"][s], names)
        if values["aside"][s] is not None:
            h.aside[s] = mask_of(values["aside"][s], names)
        rest &= ~(h.used[s] | h.hand[s] | h.aside[s])
    for s in range(t.seats):
        if values["hands"][s] is None:
            if t.mode == COMP:
                rest = t.deck & ~h.used[s]
            for _card in range(<int> values["hand_counts"][s]):
                h.hand[s] |= rest & (~rest + 1)
                rest &= rest - 1
    if t.mode == COMP or t.first_game:
        return 0
    for s in range(t.seats):
        limit = 0
        for n in range(t.pieces):
            if t.seat_of[n] == s and h.pc[n].ctype != NONE:
                limit += t.board[h.pc[n].ctype].icons
        n = t.draw[s] - limit if h.pc[0].ctype != NONE else 0
        if values["progress"]["step"] == "draft":
            n = 0
        elif values["progress"]["step"] == "set_aside":
            h.left[s] = <uint8_t> (n - bit_count(h.aside[s])) if n > 0 else 0
        elif values["aside"][s] is None:
            while n > 0:
                h.aside[s] |= rest & (~rest + 1)
                rest &= rest - 1
                n -= 1
    return 0


cdef int load_values(const Tables* t, Titans* h, values, names) except -1:
    """Fill a zeroed state; the question comes later."""
    cdef int i, s
    step = values["progress"]["step"]
    h.step = words.STEPS.index(step)
    h.at = values["progress"]["at"]
    h.round, h.turn, h.first = values["round"], values["turn"], values["first"]
    h.init = values["initiative"] or 0
    h.active = number_of(values["active"])
    h.face = NONE if values["mayhem"] is None else values["mayhem"]["face"]
    memset(h.where, NONE, sizeof(h.where))
    for i in range(PLACES):
        h.tile[i] = NONE
        if values["tiles"][i] is not None:
            h.tile[i] = names.tile_number[values["tiles"][i]]
            h.where[h.tile[i]] = <uint8_t> i
        h.trap[0][i], h.trap[1][i] = values["traps"][i]
    h.removed = sum(1 << place for place in values["removed"])
    h.obst = sum(1 << edge for edge in values["obstacles"])
    h.pizza = number_of(values["pizza"])
    h.clues = sum(1 << place for place in values["clues"])
    for i in range(3):
        h.team[i].go = NONE
        h.team[i].mon_place = NONE
        h.team[i].played = NONE
    for i, value in enumerate(values["teams"]):
        load_team(&h.team[i], value, names)
    for i, value in enumerate(values["pieces"]):
        load_piece(&h.pc[i], value, names)
    h.go_deck = sum(1 << names.go_number[card] for card in values["go_deck"])
    h.go_done = sum(1 << names.go_number[card] for card in values["go_done"])
    turn = values["turn_state"]
    h.acting, h.slot, h.die, h.stood = turn["team"], turn["slot"], turn["die"], number_of(turn["stood"])
    h.flags = sum(1 << number for number, flag in enumerate(words.FLAGS) if turn[flag])
    h.burning = sum(1 << piece for piece in values["progress"]["burning"])
    for i, value in enumerate(values["progress"]["frames"]):
        load_frame(&h.frame[i], value)
        h.depth += 1
    h.result = sum(1 << team for team in values["result"] or ())
    find_neighbours(t, h)
    load_hands(t, h, values, names)
    if h.step == S_COMP:
        for s in range(2):
            h.left[s] = <uint8_t> (picks_of(t, h, s) - bit_count(h.hand[s]))
            if h.at == 1:
                h.left[s] -= (h.pc[2 * s].ctype != NONE) + (h.pc[2 * s + 1].ctype != NONE)
    return 0


cdef int load_question(const Tables* t, Titans* h, values) except -1:
    """Who is asked what: the seat's own prompt, or the public question."""
    if h.step == S_OVER or not values["asked"]:
        h.prompt = Q_NOTHING
        return 0
    h.asked = sum(1 << seat for seat in values["asked"])
    h.prompt = words.PROMPT_NUMBER[values["prompt"] or values["question"]]
    if h.prompt == Q_COMP_CARD or h.prompt == Q_COMP_CHAR:
        h.prompt = Q_COMP_CHAR if h.at == 1 else Q_COMP_CARD
    elif h.step != S_SETASIDE:
        h.options = options_of(t, h)
    return 0
