"""Positions as plain values and back: observations, whole positions, and worlds that fit a view."""
from libc.string cimport memcpy

from seatmate.engine.core.types cimport int32_t, uint64_t
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.board cimport hand_insert, mark_locked, push_under
from seatmate.engine.mythos.rules.model cimport (
    CHOICES, NONE, OPEN, UNITS, Frame, Waiting, add_chosen, bit, controller, hide_cards, is_up, units,
)
from seatmate.engine.mythos.rules.query cimport power, total_power

from seatmate.engine.mythos.words.names import PHASES, PROMPT_NUMBER

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
    if not f.call & V.IN_ORDER:
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
             "top": bool(k.where[i] >> V.IN_TOP & 1), "hand": bool(k.where[i] >> V.IN_HAND & 1)} for i in range(k.n)]


cdef int load_tracks(Tracks* k, values, names) except -1:
    for entry in values:
        k.kind[k.n] = names.card_number[entry["card"]]
        k.where[k.n] = (mask_of(entry["slots"]) | (<uint64_t> 1 << V.IN_TOP if entry["top"] else 0)
                        | (<uint64_t> 1 << V.IN_HAND if entry["hand"] else 0))
        k.n += 1
    return 0

# ---- To values ----

cdef dict values_of(const Book* t, const Mythos* state, int seat, names):
    """The position as the observer sees it: a seat, SPECTATORS, or -1 for all cards open."""
    cdef int i, s, m
    cards = names.cards
    mulligan = state.phase == V.P_MULLIGAN
    chain = None
    if state.chain and seat in (-1, state.asked):
        chain = {"play": state.chain, "mission": state.chain_mission - 1 if state.chain_mission else None}
    looked = []
    at = 0
    for i in range(state.depth):
        if state.frame[i].looked:
            shown = [cards[state.looked[at + m]] for m in range(state.frame[i].looked)]
            looked.append({"seat": state.frame[i].you, "cards": shown if seat in (-1, state.frame[i].you) else None})
            at += state.frame[i].looked
    return {
        "round": state.round,
        "phase": PHASES[state.phase],
        "edge": state.edge,
        "starter": state.starter,
        "active": state.active,
        "passed": seats_of(state.passed),
        "turn": state.turn,
        "round_turn": state.round_turn,
        "last_turn": [state.last_turn[0], state.last_turn[1]],
        "chakra": [state.chakra[0], state.chakra[1]],
        "points": [state.points[0], state.points[1]],
        "missions": [{"id": names.missions[state.mission[m]], "points": t.mission[state.mission[m]].points, "bonus": t.bonus[m],
                      "power": [total_power(t, state, m, 0), total_power(t, state, m, 1)]} for m in range(state.missions)],
        "triples": [[names.missions[state.triple[s][i]] for i in range(3)] if t.open_lists or seat in (-1, s) else None
                    for s in range(2)],
        "mulligan": [state.mulligan[s] if not mulligan or seat in (-1, s) else None for s in range(2)],
        "hand_counts": [state.hand_n[s] for s in range(2)],
        "hands": [[cards[state.hand[s][i]] for i in range(state.hand_n[s])] if seat in (-1, s) else None for s in range(2)],
        "deck": [state.deck_n[s] for s in range(2)],
        "tops": [[{"known_by": seats_of(state.top_known[s][i]), "not": state.top_not[s][i],
                   "card": cards[state.top_kind[s][i]] if seat < 0 or (seat < 2 and state.top_known[s][i] >> seat & 1) else None}
                  for i in range(state.top_n[s])] for s in range(2)],
        "discards": [[cards[state.discard[s][i]] for i in range(state.discard_n[s])] for s in range(2)],
        "units": unit_values(t, state, seat, names),
        "unseen": [sorted([cards[kind] for kind in unseen_cards(state, s, seat)]) if t.open_lists or seat in (-1, s) else None
                   for s in range(2)],
        "tracked": track_values(&state.track[seat], names) if 0 <= seat < 2 else [],
        "shown": track_values(&state.track[1 - seat], names) if 0 <= seat < 2 else [],
        "looked": looked,
        "chain": chain,
        "serials": state.serials,
        "arrivals": state.arrivals,
        "progress": progress_values(state, seat, names),
    }


cdef list unit_values(const Book* t, const Mythos* state, int seat, names):
    cdef int slot, i
    cards = names.cards
    found = []
    for slot in slots_of(units(state)):
        found.append({
            "slot": slot, "mission": state.where[slot], "seat": controller(state, slot), "owner": state.owner[slot],
            "up": bool(is_up(state, slot)), "card": cards[state.top[slot]] if sees(state.known[slot], seat) else None,
            "below": [{"card": cards[state.under_kind[i]], "owner": state.under_owner[i]}
                      for i in range(state.under_n) if state.under_unit[i] == slot],
            "tokens": state.tokens[slot], "power": power(t, state, slot),
            "known_by": seats_of(state.known[slot]), "open": state.known[slot] == OPEN, "turn": state.turn_of[slot],
            "serial": state.serial[slot], "arrival": state.arrival[slot],
            "link": reference(state.link[slot], state.link_serial[slot]) if state.link_serial[slot] else None,
            "lock": reference(state.lock[slot], state.lock_serial[slot]) if state.lock_serial[slot] else None,
        })
    return found


cdef list unseen_cards(const Mythos* state, int owner, int seat):
    """Kinds of the owner's cards that the observer can't place; -1 places all but the unordered deck."""
    cdef int i, j, slot, at
    kinds = [state.deck[owner][i] for i in range(state.deck_n[owner])]
    if seat < 0:
        return kinds
    kinds += [state.top_kind[owner][i] for i in range(state.top_n[owner]) if seat > 1 or not state.top_known[owner][i] >> seat & 1]
    kinds += [state.top[slot] for slot in slots_of(units(state))
              if state.owner[slot] == owner and not sees(state.known[slot], seat)]
    if seat != owner:
        kinds += [state.hand[owner][i] for i in range(state.hand_n[owner])]
        at = 0
        for i in range(state.depth):
            for j in range(state.frame[i].looked):
                if state.frame[i].you == owner:
                    kinds.append(state.looked[at + j])
            at += state.frame[i].looked
    return kinds


cdef dict progress_values(const Mythos* state, int seat, names):
    cdef Frame f
    cdef int i
    frames = []
    for i in range(state.depth):
        f = state.frame[i]
        if seat > 1:
            hide_cards(&f)
        frames.append(frame_values(&f, names))
    return {"step": state.step, "scoring": state.scoring, "plays": state.plays, "asks": state.asks,
            "defeated": [state.defeated[0], state.defeated[1]], "arrived": slots_of(state.arrived), "frames": frames,
            "reactions": waiting_values(state.queue, state.queue_n), "waiting": waiting_values(state.score, state.score_n)}

# ---- From values ----

cdef int load_values(const Book* t, Mythos* state, values, int seat, names) except -1:
    """Fill a zeroed state from values; what a view (seat >= 0) leaves open gets the cards it can't place, in order.

    Of hidden lists nothing is known to fill in: kind 0 stands in until the world is sampled.
    """
    cdef int i, s, slot
    number = names.card_number
    mission = names.mission_number
    state.phase = PHASES.index(values["phase"])
    state.round = values["round"]
    state.edge = values["edge"]
    state.starter = values["starter"]
    state.active = values["active"]
    state.turn = values["turn"]
    state.round_turn = values["round_turn"]
    state.serials = values["serials"]
    state.arrivals = values["arrivals"]
    for s in values["passed"]:
        state.passed |= 1 << s
    rest = []
    for s in range(2):
        state.last_turn[s] = values["last_turn"][s]
        state.chakra[s] = values["chakra"][s]
        state.points[s] = values["points"][s]
        state.mulligan[s] = values["mulligan"][s] or 0
        for i in range(3):
            if values["triples"][s] is not None:
                state.triple[s][i] = mission[values["triples"][s][i]]
        unseen = values["unseen"][s]
        rest.append(sorted([number[card] for card in unseen], reverse=True) if unseen is not None else None)
    for i, row in enumerate(values["missions"]):
        state.mission[i] = mission[row["id"]]
        state.missions += 1

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
            state.looked[state.looked_n] = kind(entry["seat"], cards[i] if cards is not None else None)
            state.looked_n += 1
    for s in range(2):
        for entry in values["tops"][s]:
            state.top_kind[s][state.top_n[s]] = kind(s, entry["card"])
            for i in entry["known_by"]:
                state.top_known[s][state.top_n[s]] |= 1 << i
            state.top_not[s][state.top_n[s]] = entry["not"]
            state.top_n[s] += 1
        for card in values["discards"][s]:
            state.discard[s][state.discard_n[s]] = number[card]
            state.discard_n[s] += 1
    for unit in values["units"]:
        slot = unit["slot"]
        state.side[<int> unit["seat"]] |= bit(slot)
        state.at[<int> unit["mission"]] |= bit(slot)
        state.where[slot] = unit["mission"]
        state.owner[slot] = unit["owner"]
        state.top[slot] = kind(unit["owner"], unit["card"])
        state.tokens[slot] = unit["tokens"]
        if unit["up"]:
            state.up |= bit(slot)
        state.known[slot] = OPEN if unit["open"] else mask_of(unit["known_by"])
        state.turn_of[slot] = unit["turn"]
        state.serial[slot] = unit["serial"]
        state.arrival[slot] = unit["arrival"]
        if unit["link"] is not None:
            state.link[slot] = unit["link"]["slot"]
            state.link_serial[slot] = unit["link"]["serial"]
            state.linked |= bit(slot)
        if unit["lock"] is not None:
            state.lock[slot] = unit["lock"]["slot"]
            state.lock_serial[slot] = unit["lock"]["serial"]
        for card in unit["below"]:
            push_under(state, slot, number[card["card"]], card["owner"])
    mark_locked(state)
    for s in range(2):
        hand = values["hands"][s]
        for i in range(<int> values["hand_counts"][s]):
            hand_insert(state, s, kind(s, hand[i] if hand is not None else None))
        for i in range(<int> values["deck"][s]):
            state.deck[s][i] = kind(s, None)
            state.deck_n[s] += 1
    progress = values["progress"]
    state.step = progress["step"]
    state.scoring = progress["scoring"]
    state.plays = progress["plays"]
    state.asks = progress["asks"]
    state.defeated[0] = progress["defeated"][0]
    state.defeated[1] = progress["defeated"][1]
    state.arrived = mask_of(progress["arrived"])
    for frame in progress["frames"]:
        load_frame(&state.frame[state.depth], frame, names)
        state.depth += 1
    state.queue_n = load_waiting(state.queue, progress["reactions"])
    state.score_n = load_waiting(state.score, progress["waiting"])
    chain = values["chain"]
    if chain is not None:
        state.chain = chain["play"]
        state.chain_mission = chain["mission"] + 1 if chain["mission"] is not None else 0
    if 0 <= seat < 2:
        load_tracks(&state.track[seat], values["tracked"], names)
        load_tracks(&state.track[1 - seat], values["shown"], names)
    elif "tracks" in values:
        for s in range(2):
            load_tracks(&state.track[s], values["tracks"][s], names)
    return 0


cdef int load_question(Mythos* state, values, int seat) except -1:
    """Who is asked what: the seat's own prompt, or the public question."""
    if state.phase == V.P_OVER or not values["asked"]:
        state.prompt = V.Q_OVER
    else:
        state.asked = values["asked"][0]
        state.prompt = PROMPT_NUMBER[values["prompt"] or values["question"]]
    return 0
