"""Positions as plain values and back: observations, whole positions, and worlds that fit a view."""
from libc.string cimport memcpy

from seatmate.engine.core.types cimport int32_t, uint64_t
from seatmate.engine.mythos.content.vocabulary cimport Q_OVER
from seatmate.engine.mythos.rules.board cimport hand_insert, mark_locked, push_under
from seatmate.engine.mythos.rules.model cimport (
    CHOICES, IN_HAND, IN_ORDER, IN_TOP, NONE, OPEN, P_MULLIGAN, P_OVER, UNITS, Frame, Waiting, add_chosen, bit,
    controller, hide_cards, is_up, units,
)
from seatmate.engine.mythos.rules.query cimport power, total_power

from seatmate.engine.mythos.words import words

# ---- Small pieces ----

cdef list slots_of(uint64_t mask):
    return [i for i in range(64) if mask >> i & 1]


cdef uint64_t mask_of(slots) except *:
    cdef uint64_t mask = 0
    for slot in slots:
        mask |= bit(slot)
    return mask


cdef list chosen_slots(const Frame* f):
    """In the order chosen, where there is one."""
    if not f.call & IN_ORDER:
        return slots_of(f.picked)
    return [<int> (f.picked >> at & 63) - 1 for at in range(0, 6 * CHOICES, 6) if f.picked >> at & 63]


cdef list seats_of(int known):
    return [seat for seat in range(2) if known >> seat & 1]


cdef inline bint sees(int known, int seat):
    """Does the observer know a card with this mask? -1 sees everything, spectators what is open."""
    return seat < 0 or (known == OPEN if seat > 1 else known >> seat & 1)


cdef dict reference(int slot, int serial):
    return {"slot": slot, "serial": serial}

# ---- Frames ----

cdef dict frame_values(const Frame* f, names):
    cards = names.cards
    return {
        "type": f.type, "sub": f.sub, "flags": f.flags, "you": f.you, "unit": f.unit if f.unit != NONE else None,
        "here": f.here, "registers": f.registers, "verb": f.verb, "line": f.line, "serial": f.serial, "at": f.at,
        "args": [f.args[0], f.args[1], f.args[2], f.args[3]], "who": f.who, "call": f.call,
        "target": f.target if f.target != NONE else None, "target_serial": f.target_serial, "left": f.left,
        "step": f.step, "count": f.count, "card": cards[f.card] if f.card != NONE else None,
        "other": f.other if f.other != NONE else None, "a": reference(f.a, f.a_serial) if f.a_serial else None,
        "b": reference(f.b, f.b_serial) if f.b_serial else None, "k": cards[f.k] if f.k != NONE else None,
        "m": f.m if f.m != NONE else None, "x": f.x, "p": f.p, "pow": f.pow, "looked": f.looked,
        "not": f.not_filter, "picked": chosen_slots(f), "taxed": slots_of(f.taxed),
    }


cdef int load_frame(Frame* f, values, names) except -1:
    number = names.card_number
    f.type = values["type"]
    f.sub = values["sub"]
    f.flags = values["flags"]
    f.you = values["you"]
    f.unit = values["unit"] if values["unit"] is not None else NONE
    f.here = values["here"]
    f.registers = values["registers"]
    f.verb = values["verb"]
    f.line = values["line"]
    f.serial = values["serial"]
    f.at = values["at"]
    for i in range(4):
        f.args[<int> i] = values["args"][i]
    f.who = values["who"]
    f.call = values["call"]
    f.target = values["target"] if values["target"] is not None else NONE
    f.target_serial = values["target_serial"]
    f.left = values["left"]
    f.step = values["step"]
    f.count = values["count"]
    f.card = number[values["card"]] if values["card"] is not None else NONE
    f.other = values["other"] if values["other"] is not None else NONE
    if values["a"] is not None:
        f.a = values["a"]["slot"]
        f.a_serial = values["a"]["serial"]
    if values["b"] is not None:
        f.b = values["b"]["slot"]
        f.b_serial = values["b"]["serial"]
    f.k = number[values["k"]] if values["k"] is not None else NONE
    f.m = values["m"] if values["m"] is not None else NONE
    f.x = values["x"]
    f.p = values["p"]
    f.pow = values["pow"]
    f.looked = values["looked"]
    f.not_filter = values["not"]
    for slot in values["picked"]:
        add_chosen(f, slot)
    f.taxed = mask_of(values["taxed"])
    return 0


cdef dict frame_of_words(args, names):
    """A frame as its event carries it."""
    cdef int32_t numbers[16]
    cdef Frame f
    for i in range(16):
        numbers[<int> i] = args[i]
    memcpy(&f, numbers, sizeof(Frame))
    return frame_values(&f, names)


cdef list waiting_values(const Waiting* w, int n):
    return [{"line": w[i].line, "unit": w[i].unit if w[i].unit != NONE else None, "serial": w[i].serial,
             "mission": w[i].mission} for i in range(n)]


cdef int load_waiting(Waiting* w, values) except -1:
    for i, entry in enumerate(values):
        w[<int> i].line = entry["line"]
        w[<int> i].unit = entry["unit"] if entry["unit"] is not None else NONE
        w[<int> i].serial = entry["serial"]
        w[<int> i].mission = entry["mission"]
    return len(values)


cdef list track_values(const Tracks* k, names):
    return [{"card": names.cards[k.kind[i]], "slots": slots_of(k.where[i] & (bit(UNITS) - 1)),
             "top": bool(k.where[i] >> IN_TOP & 1), "hand": bool(k.where[i] >> IN_HAND & 1)} for i in range(k.n)]


cdef int load_tracks(Tracks* k, values, names) except -1:
    for entry in values:
        k.kind[k.n] = names.card_number[entry["card"]]
        k.where[k.n] = (mask_of(entry["slots"]) | (<uint64_t> 1 << IN_TOP if entry["top"] else 0)
                        | (<uint64_t> 1 << IN_HAND if entry["hand"] else 0))
        k.n += 1
    return 0

# ---- To values ----

cdef dict values_of(const Tables* t, const Mythos* h, int seat, names):
    """The position as the observer sees it: a seat, SPECTATORS, or -1 for all cards open."""
    cdef int i, s, m
    cards = names.cards
    mulligan = h.phase == P_MULLIGAN
    chain = None
    if h.chain and seat in (-1, h.asked):
        chain = {"play": h.chain, "mission": h.chain_mission - 1 if h.chain_mission else None}
    looked = []
    at = 0
    for i in range(h.depth):
        if h.frame[i].looked:
            shown = [cards[h.looked[at + m]] for m in range(h.frame[i].looked)]
            looked.append({"seat": h.frame[i].you, "cards": shown if seat in (-1, h.frame[i].you) else None})
            at += h.frame[i].looked
    return {
        "round": h.round,
        "phase": words.PHASES[h.phase],
        "edge": h.edge,
        "starter": h.starter,
        "active": h.active,
        "passed": seats_of(h.passed),
        "turn": h.turn,
        "round_turn": h.round_turn,
        "last_turn": [h.last_turn[0], h.last_turn[1]],
        "chakra": [h.chakra[0], h.chakra[1]],
        "points": [h.points[0], h.points[1]],
        "missions": [{"id": names.missions[h.mission[m]], "points": t.mission[h.mission[m]].points, "bonus": t.bonus[m],
                      "power": [total_power(t, h, m, 0), total_power(t, h, m, 1)]} for m in range(h.missions)],
        "triples": [[names.missions[h.triple[s][i]] for i in range(3)] if t.open_lists or seat in (-1, s) else None
                    for s in range(2)],
        "mulligan": [h.mulligan[s] if not mulligan or seat in (-1, s) else None for s in range(2)],
        "hand_counts": [h.hand_n[s] for s in range(2)],
        "hands": [[cards[h.hand[s][i]] for i in range(h.hand_n[s])] if seat in (-1, s) else None for s in range(2)],
        "deck": [h.deck_n[s] for s in range(2)],
        "tops": [[{"known_by": seats_of(h.top_known[s][i]), "not": h.top_not[s][i],
                   "card": cards[h.top_kind[s][i]] if seat < 0 or (seat < 2 and h.top_known[s][i] >> seat & 1) else None}
                  for i in range(h.top_n[s])] for s in range(2)],
        "discards": [[cards[h.discard[s][i]] for i in range(h.discard_n[s])] for s in range(2)],
        "units": unit_values(t, h, seat, names),
        "unseen": [sorted([cards[kind] for kind in unseen_cards(h, s, seat)]) if t.open_lists or seat in (-1, s) else None
                   for s in range(2)],
        "tracked": track_values(&h.track[seat], names) if 0 <= seat < 2 else [],
        "shown": track_values(&h.track[1 - seat], names) if 0 <= seat < 2 else [],
        "looked": looked,
        "chain": chain,
        "serials": h.serials,
        "arrivals": h.arrivals,
        "progress": progress_values(h, seat, names),
    }


cdef list unit_values(const Tables* t, const Mythos* h, int seat, names):
    cdef int slot, i
    cards = names.cards
    found = []
    for slot in slots_of(units(h)):
        found.append({
            "slot": slot, "mission": h.where[slot], "seat": controller(h, slot), "owner": h.owner[slot],
            "up": bool(is_up(h, slot)), "card": cards[h.top[slot]] if sees(h.known[slot], seat) else None,
            "below": [{"card": cards[h.under_kind[i]], "owner": h.under_owner[i]}
                      for i in range(h.under_n) if h.under_unit[i] == slot],
            "tokens": h.tokens[slot], "power": power(t, h, slot),
            "known_by": seats_of(h.known[slot]), "open": h.known[slot] == OPEN, "turn": h.turn_of[slot],
            "serial": h.serial[slot], "arrival": h.arrival[slot],
            "link": reference(h.link[slot], h.link_serial[slot]) if h.link_serial[slot] else None,
            "lock": reference(h.lock[slot], h.lock_serial[slot]) if h.lock_serial[slot] else None,
        })
    return found


cdef list unseen_cards(const Mythos* h, int owner, int seat):
    """Kinds of the owner's cards that the observer can't place; -1 places all but the unordered deck."""
    cdef int i, j, slot, at
    kinds = [h.deck[owner][i] for i in range(h.deck_n[owner])]
    if seat < 0:
        return kinds
    kinds += [h.top_kind[owner][i] for i in range(h.top_n[owner]) if seat > 1 or not h.top_known[owner][i] >> seat & 1]
    kinds += [h.top[slot] for slot in slots_of(units(h)) if h.owner[slot] == owner and not sees(h.known[slot], seat)]
    if seat != owner:
        kinds += [h.hand[owner][i] for i in range(h.hand_n[owner])]
        at = 0
        for i in range(h.depth):
            for j in range(h.frame[i].looked):
                if h.frame[i].you == owner:
                    kinds.append(h.looked[at + j])
            at += h.frame[i].looked
    return kinds


cdef dict progress_values(const Mythos* h, int seat, names):
    cdef Frame f
    cdef int i
    frames = []
    for i in range(h.depth):
        f = h.frame[i]
        if seat > 1:
            hide_cards(&f)
        frames.append(frame_values(&f, names))
    return {"step": h.step, "scoring": h.scoring, "plays": h.plays, "asks": h.asks,
            "defeated": [h.defeated[0], h.defeated[1]], "arrived": slots_of(h.arrived), "frames": frames,
            "reactions": waiting_values(h.queue, h.queue_n), "waiting": waiting_values(h.score, h.score_n)}

# ---- From values ----

cdef int load_values(const Tables* t, Mythos* h, values, int seat, names) except -1:
    """Fill a zeroed state from values; what a view (seat >= 0) leaves open gets the cards it can't place, in order.

    Of hidden lists nothing is known to fill in: kind 0 stands in until the world is sampled.
    """
    cdef int i, s, slot
    number = names.card_number
    mission = names.mission_number
    h.phase = words.PHASES.index(values["phase"])
    h.round = values["round"]
    h.edge = values["edge"]
    h.starter = values["starter"]
    h.active = values["active"]
    h.turn = values["turn"]
    h.round_turn = values["round_turn"]
    h.serials = values["serials"]
    h.arrivals = values["arrivals"]
    for s in values["passed"]:
        h.passed |= 1 << s
    rest = []
    for s in range(2):
        h.last_turn[s] = values["last_turn"][s]
        h.chakra[s] = values["chakra"][s]
        h.points[s] = values["points"][s]
        h.mulligan[s] = values["mulligan"][s] or 0
        for i in range(3):
            if values["triples"][s] is not None:
                h.triple[s][i] = mission[values["triples"][s][i]]
        unseen = values["unseen"][s]
        rest.append(sorted([number[card] for card in unseen], reverse=True) if unseen is not None else None)
    for i, row in enumerate(values["missions"]):
        h.mission[i] = mission[row["id"]]
        h.missions += 1

    def kind(owner, card):
        if card is not None:
            return number[card]
        return rest[owner].pop() if rest[owner] is not None else 0

    at = 0
    for entry in values["looked"]:
        frame = [f for f in values["progress"]["frames"] if f["looked"]][at]
        at += 1
        for i in range(<int> frame["looked"]):
            cards = entry["cards"]
            h.looked[h.looked_n] = kind(entry["seat"], cards[i] if cards is not None else None)
            h.looked_n += 1
    for s in range(2):
        for entry in values["tops"][s]:
            h.top_kind[s][h.top_n[s]] = kind(s, entry["card"])
            for i in entry["known_by"]:
                h.top_known[s][h.top_n[s]] |= 1 << i
            h.top_not[s][h.top_n[s]] = entry["not"]
            h.top_n[s] += 1
        for card in values["discards"][s]:
            h.discard[s][h.discard_n[s]] = number[card]
            h.discard_n[s] += 1
    for unit in values["units"]:
        slot = unit["slot"]
        h.side[<int> unit["seat"]] |= bit(slot)
        h.at[<int> unit["mission"]] |= bit(slot)
        h.where[slot] = unit["mission"]
        h.owner[slot] = unit["owner"]
        h.top[slot] = kind(unit["owner"], unit["card"])
        h.tokens[slot] = unit["tokens"]
        if unit["up"]:
            h.up |= bit(slot)
        h.known[slot] = OPEN if unit["open"] else mask_of(unit["known_by"])
        h.turn_of[slot] = unit["turn"]
        h.serial[slot] = unit["serial"]
        h.arrival[slot] = unit["arrival"]
        if unit["link"] is not None:
            h.link[slot] = unit["link"]["slot"]
            h.link_serial[slot] = unit["link"]["serial"]
            h.linked |= bit(slot)
        if unit["lock"] is not None:
            h.lock[slot] = unit["lock"]["slot"]
            h.lock_serial[slot] = unit["lock"]["serial"]
        for card in unit["below"]:
            push_under(h, slot, number[card["card"]], card["owner"])
    mark_locked(h)
    for s in range(2):
        hand = values["hands"][s]
        for i in range(<int> values["hand_counts"][s]):
            hand_insert(h, s, kind(s, hand[i] if hand is not None else None))
        for i in range(<int> values["deck"][s]):
            h.deck[s][i] = kind(s, None)
            h.deck_n[s] += 1
    progress = values["progress"]
    h.step = progress["step"]
    h.scoring = progress["scoring"]
    h.plays = progress["plays"]
    h.asks = progress["asks"]
    h.defeated[0] = progress["defeated"][0]
    h.defeated[1] = progress["defeated"][1]
    h.arrived = mask_of(progress["arrived"])
    for frame in progress["frames"]:
        load_frame(&h.frame[h.depth], frame, names)
        h.depth += 1
    h.queue_n = load_waiting(h.queue, progress["reactions"])
    h.score_n = load_waiting(h.score, progress["waiting"])
    chain = values["chain"]
    if chain is not None:
        h.chain = chain["play"]
        h.chain_mission = chain["mission"] + 1 if chain["mission"] is not None else 0
    if 0 <= seat < 2:
        load_tracks(&h.track[seat], values["tracked"], names)
        load_tracks(&h.track[1 - seat], values["shown"], names)
    elif "tracks" in values:
        for s in range(2):
            load_tracks(&h.track[s], values["tracks"][s], names)
    return 0


cdef int load_question(Mythos* h, values, int seat) except -1:
    """Who is asked what: the seat's own prompt, or the public question."""
    if h.phase == P_OVER or not values["asked"]:
        h.prompt = Q_OVER
    else:
        h.asked = values["asked"][0]
        h.prompt = words.PROMPT_NUMBER[values["prompt"] or values["question"]]
    return 0
