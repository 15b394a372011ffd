"""Answers in words, as the asked seat sees them."""
from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.mythos.model cimport COMMITTED, MISSIONS, NONE, Frame, Mythos, Tables, Waiting, controller, is_up
from seatmate.engine.mythos.player_verbs cimport chain_play
from seatmate.engine.mythos.plays cimport cost_of, payable_onto, places
from seatmate.engine.mythos.vocabulary cimport (
    COPY_OF_CARD, DECLINE, DISCARD, EACH, FROM_DISCARD, FROM_LOOKED, NO_VERB, PASS, PAY_X, PLAIN_RETURNS, PLAY_HIDDEN,
    PLAY_UP, PUT_TOP, Q_AMOUNT, Q_CARD_MISSION, Q_DEST, Q_EFFECT, Q_FORCED, Q_FORCED_ONTO, Q_LOCK, Q_MAY, Q_MISSION,
    Q_MULLIGAN, Q_ORDER, Q_PLAYCARD, Q_PLAYCARD_MISSION, Q_PLAYCARD_ONTO, Q_POOL, Q_RAID, Q_REPLACE, Q_TARGET, Q_TURN,
    Q_TURN_MISSION, Q_TURN_ONTO, REVEAL, TAKE_TOK,
)

from seatmate.engine.mythos.words import RANKS

VERBS = ("Put tokens on", "Remove tokens of", "Take tokens of", "Move", "Hide", "Defeat", "Take control of", "Look at", "Return",
         "Peel", "Force", "Choose")


cdef str unit_name(const Mythos* h, int seat, int slot, names):
    """A character as the seat knows it, and where it stands."""
    owner = "your" if controller(h, slot) == seat else "the enemy's"
    where = f"on mission {RANKS[h.where[slot]]}"
    if is_up(h, slot):
        return f"{owner} {names.titles[h.top[slot]]} {where}"
    if h.known[slot] >> seat & 1:
        return f"{owner} hidden {names.titles[h.top[slot]]} {where}"
    return f"{owner} hidden character {where} (#{slot})"


cdef str play_text(const Tables* t, const Mythos* h, int seat, int kind, int slot, int mod, str verb, names):
    """Play or reveal: with the mission where there is only one, and the price, or what it may be."""
    cdef int mask = places(t, h, seat, kind, slot, mod)
    cdef int mission, price
    cdef int least = 999
    cdef int most = 0
    cdef uint64_t onto
    cdef bint fresh
    text = f"{verb} {names.titles[kind]}"
    if bit_count(<uint64_t> mask) != 1:
        for mission in range(MISSIONS):
            if not mask >> mission & 1:
                continue
            onto = payable_onto(t, h, seat, kind, slot, mission, mod, &fresh)
            while onto or fresh:
                price = cost_of(t, h, seat, kind, slot, mission, NONE if fresh else lowest_bit(onto), mod)
                least = min(least, price)
                most = max(most, price)
                if not fresh:
                    onto &= onto - 1
                fresh = False
        if not mask:
            return text
        return f"{text} for {least} chakra" if least == most else f"{text} for {least} to {most} chakra"
    mission = lowest_bit(<uint64_t> mask)
    text += f" on mission {RANKS[mission]}"
    onto = payable_onto(t, h, seat, kind, slot, mission, mod, &fresh)
    if bit_count(onto) + fresh != 1:
        return text
    if onto:
        text += f" as an upgrade of {names.titles[h.top[lowest_bit(onto)]]}"
    return f"{text} for {cost_of(t, h, seat, kind, slot, mission, NONE if fresh else lowest_bit(onto), mod)} chakra"


cdef str onto_text(const Tables* t, const Mythos* h, int seat, int kind, int slot, int mission, int mod, int action, names):
    if action == DECLINE:
        return f"As a new character for {cost_of(t, h, seat, kind, slot, mission, NONE, mod)} chakra"
    return (f"As an upgrade of {names.titles[h.top[action]]} for "
            f"{cost_of(t, h, seat, kind, slot, mission, action, mod)} chakra")


cdef str line_text(const Mythos* h, int seat, const Waiting* w, names):
    """A waiting line, with its source."""
    if w.unit == NONE:
        return f"Next: the mission {names.lines[w.line]}"
    return f"Next: {names.lines[w.line]} ({unit_name(h, seat, w.unit, names)})"


cdef str label_of(const Tables* t, const Mythos* h, int seat, int action, names):
    """A short sentence; two answers may read the same (the game then numbers them)."""
    cdef int q = h.prompt
    cdef int kind, zone, slot, mod
    cdef const Frame* f = &h.frame[h.depth - 1] if h.depth else NULL
    titles = names.titles
    if q == Q_MULLIGAN:
        return "Draw a new hand" if action else "Keep the hand"
    if q == Q_TURN and action == PASS:
        return "Pass for this round"
    if q == Q_TURN and PLAY_HIDDEN <= action < REVEAL:
        return f"Put {titles[action - PLAY_HIDDEN]} face down for {t.hidden_cost} chakra"
    if q == Q_PLAYCARD and action == DECLINE:
        return "Play no card"
    if q == Q_TURN or q == Q_PLAYCARD:
        chain_play(t, h, seat, f if q == Q_PLAYCARD else NULL, action, &kind, &zone, &slot, &mod)
        verb = "Reveal" if slot != NONE else "Play"
        text = play_text(t, h, seat, kind, slot, mod, verb, names)
        if FROM_DISCARD <= action < FROM_LOOKED:
            return f"{text}, from your discard pile"
        return f"{text}, from the top of your deck" if action >= FROM_LOOKED else text
    if q in (Q_TURN_MISSION, Q_PLAYCARD_MISSION, Q_CARD_MISSION, Q_MISSION, Q_DEST):
        title = names.mission_titles[h.mission[action]]
        return f"Move to mission {RANKS[action]} ({title})" if q == Q_DEST else f"Mission {RANKS[action]} ({title})"
    if q == Q_TURN_ONTO or q == Q_PLAYCARD_ONTO:
        chain_play(t, h, seat, f if q == Q_PLAYCARD_ONTO else NULL, h.chain, &kind, &zone, &slot, &mod)
        return onto_text(t, h, seat, kind, slot, h.chain_mission - 1, mod, action, names)
    if q == Q_ORDER:
        if action == PLAIN_RETURNS:
            return "Next: everybody who just returns to the hand"
        return line_text(h, seat, &h.queue[action] if h.depth else &h.score[action], names)
    if q == Q_LOCK:
        return f"Hold {unit_name(h, seat, action, names)}"
    if q == Q_FORCED_ONTO:
        return onto_text(t, h, seat, h.top[f.target], f.target, h.where[f.target], f.args[1], action, names)
    if q == Q_MAY:
        return f"{'Use' if action else 'Do not use'} {names.lines[f.line]}" + (" (this part)" if f.verb != NO_VERB else "")
    if q == Q_TARGET:
        if action == DECLINE:
            if t.selector[f.args[1 if f.verb <= TAKE_TOK else 0]].pick == EACH:
                return f"Nobody on mission {RANKS[f.left]}"
            return "Enough" if f.flags & COMMITTED else f"Do not use {names.lines[f.line]}"
        return f"{VERBS[f.verb]} {unit_name(h, seat, action, names)}"
    if q == Q_REPLACE:
        other = unit_name(h, seat, f.other, names)
        return f"Defeat {other} instead" if action else f"Keep {other}"
    if q == Q_FORCED:
        target = unit_name(h, seat, f.target, names)
        return f"Reveal {target}" if action else f"Let {target} be defeated"
    if q == Q_AMOUNT:
        if f.verb == PAY_X:
            return f"Pay {action} chakra" if action else f"Do not use {names.lines[f.line]}"
        return f"{action} token{'' if action == 1 else 's'}"
    if q == Q_EFFECT:
        if action == DECLINE:
            return f"Do not use {names.lines[f.line]}"
        slot = action // 256
        kind = h.frame[f.registers].k if slot == COPY_OF_CARD else h.top[slot]
        where = "" if slot == COPY_OF_CARD else f" ({unit_name(h, seat, slot, names)})"
        return f"Copy {names.lines[t.character[kind].first + action % 256]}{where}"
    if q == Q_RAID:
        return f"Discard {titles[action]} of the opponent's hand"
    if q == Q_POOL:
        return f"Take {titles[action]} back"
    if f.verb == PUT_TOP:
        return f"Put {titles[action]} on top of the deck"
    return f"Discard {titles[action]}" if f.verb == DISCARD else f"Put {titles[action]} face down"


cdef dict args_of(const Tables* t, const Mythos* h, int seat, int action, names):
    """The answer's named values: card, mission (index), slot, amount, answer."""
    cdef int q = h.prompt
    cdef int base = action // 1000 * 1000
    cards = names.cards
    if q in (Q_MULLIGAN, Q_MAY, Q_REPLACE, Q_FORCED):
        return {"answer": "yes" if action else "no"}
    if q == Q_TURN and action == PASS:
        return {"answer": "pass"}
    if q == Q_TURN or q == Q_PLAYCARD:
        if action == DECLINE:
            return {"answer": "decline"}
        if base == REVEAL:
            return {"play": "reveal", "slot": action - REVEAL, "card": cards[h.top[action - REVEAL]]}
        how = {PLAY_UP: "up", PLAY_HIDDEN: "hidden", FROM_DISCARD: "discard", FROM_LOOKED: "looked"}[base]
        return {"play": how, "card": cards[action - base]}
    if q in (Q_TURN_MISSION, Q_PLAYCARD_MISSION, Q_CARD_MISSION, Q_MISSION, Q_DEST):
        return {"mission": action}
    if q in (Q_TARGET, Q_LOCK, Q_TURN_ONTO, Q_PLAYCARD_ONTO, Q_FORCED_ONTO):
        return {"answer": "decline" if q == Q_TARGET else "new"} if action == DECLINE else {"slot": action}
    if q == Q_AMOUNT:
        return {"amount": action}
    if q == Q_EFFECT:
        return {"answer": "decline"} if action == DECLINE else {"slot": action // 256, "line": action % 256}
    if q == Q_ORDER:
        return {"answer": "returns"} if action == PLAIN_RETURNS else {"order": action}
    return {"card": cards[action]}
