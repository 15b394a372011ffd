"""Questions and answers in words, as the asked seat sees them."""
from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.mythos.content.vocabulary cimport (
    COPY_OF_CARD, DECLINE, DISCARD, DOWN, EACH, FROM_DISCARD, FROM_LOOKED, NO_VERB, PASS, PAY_X, PICK, PICK_MISSION,
    PLAIN_RETURNS, PLAY_HIDDEN, PLAY_UP, PUT_TOP, Q_AMOUNT, Q_CARD, Q_CARD_MISSION, Q_DEST, Q_EFFECT, Q_FORCED,
    Q_FORCED_ONTO, Q_LOCK, Q_MAY, Q_MISSION, Q_MULLIGAN, Q_ORDER, Q_PLAYCARD, Q_PLAYCARD_MISSION, Q_PLAYCARD_ONTO,
    Q_POOL, Q_RAID, Q_REPLACE, Q_TARGET, Q_TURN, Q_TURN_MISSION, Q_TURN_ONTO, REVEAL, R_DEFEAT, R_HIDE, SO_MANY, SUM,
    TAKE_TOK,
)
from seatmate.engine.mythos.rules.legal cimport pick_amount
from seatmate.engine.mythos.rules.model cimport (
    ALL_THERE, COMMITTED, MISSIONS, MISSION_LINE, NONE, Frame, Waiting, chosen, controller, in_play, is_up,
)
from seatmate.engine.mythos.rules.plays cimport chain_play, cost_of, payable_onto, places
from seatmate.engine.mythos.rules.query cimport Context, look_from_frame, select
from seatmate.engine.mythos.rules.unit_verbs cimport selector_of

from seatmate.engine.core.spec import counted
from seatmate.engine.mythos.words.words import RANKS

# ---- What is spoken of ----

cdef str unit_name(const Mythos* h, int seat, int slot, names):
    """A character as the seat knows it, and where it stands; hidden ones by their place on the board, too."""
    whose = "your" if controller(h, slot) == seat else "the enemy"
    where = f"on mission {RANKS[h.where[slot]]}"
    if is_up(h, slot):
        return f"{whose} {names.names[h.top[slot]]} {where}"
    if h.known[slot] >> seat & 1:
        return f"{whose} hidden {names.names[h.top[slot]]} {where} (#{slot})"
    return f"{whose} hidden character {where} (#{slot})"


cdef str effect_of(const Tables* t, const Mythos* h, int seat, int line, int unit, int serial, int mission, names):
    """An effect and whose it is: of a mission (unit NONE), of a character in play, copied, or of one that has left."""
    cdef int kind = t.line[line].kind
    if unit == NONE:
        return f"{names.headings[line]} of mission {RANKS[mission]} ({names.mission_titles[kind - MISSION_LINE]})"
    if not in_play(h, unit, serial):
        return names.effects[line]
    if h.top[unit] == kind:
        return f"{names.headings[line]} of {unit_name(h, seat, unit, names)}"
    return f"{names.effects[line]}, copied by {unit_name(h, seat, unit, names)}"


cdef str effect_name(const Tables* t, const Mythos* h, int seat, const Frame* f, names):
    """The running effect; until it is accepted with its text."""
    effect = effect_of(t, h, seat, f.line, f.unit, f.serial, f.here, names)
    return effect if f.flags & COMMITTED else f"{effect} ({names.sentence(f.line)})"


cdef str tokens_text(const Frame* f):
    """How many tokens a step puts, removes or takes."""
    if f.args[0] == ALL_THERE:
        return "all Power tokens"
    return ("up to " if f.args[2] else "") + counted(f.args[0], "Power token")


cdef str verb_text(const Frame* f):
    """What a step does to a character, as "move {}"."""
    if f.verb == PICK:
        return f"choose {{}} to be {'hidden' if f.args[1] == R_HIDE else 'defeated' if f.args[1] == R_DEFEAT else 'moved'}"
    if f.verb <= TAKE_TOK:
        return (f"put {tokens_text(f)} on {{}}", f"remove {tokens_text(f)} from {{}}", f"take {tokens_text(f)} from {{}}")[f.verb]
    return VERBS[f.verb]


VERBS = {3: "move {}", 4: "turn {} face down", 5: "defeat {}", 6: "take control of {}", 7: "look at {}", 8: "return {} to the hand",
         9: "discard the top card of {}", 10: "have {} revealed or defeated"}
"""Unit verbs by their number; those before and after need their arguments."""


cdef str capital(str text):
    return text[:1].upper() + text[1:]

# ---- Questions ----

cdef str question_of(const Tables* t, const Mythos* h, int seat, int answers, names, str plain):
    """What is asked, with the card, character or effect it concerns; `plain`: the words of the prompt, with so many answers."""
    cdef int q = h.prompt
    cdef int kind, zone, slot, mod
    cdef const Frame* f = &h.frame[h.depth - 1] if h.depth else NULL
    titles = names.titles
    if q == Q_MULLIGAN:
        return plain
    if q == Q_TURN:
        return f"Your turn, with {h.chakra[seat]} chakra: what do you do?"
    if q in (Q_TURN_MISSION, Q_TURN_ONTO, Q_PLAYCARD_MISSION, Q_PLAYCARD_ONTO):
        chain_play(t, h, seat, f if q in (Q_PLAYCARD_MISSION, Q_PLAYCARD_ONTO) else NULL, h.chain, &kind, &zone, &slot, &mod)
        if q in (Q_TURN_ONTO, Q_PLAYCARD_ONTO):
            return f"{titles[kind]} on mission {RANKS[h.chain_mission - 1]}: as a new character, or as an upgrade?"
        if PLAY_HIDDEN <= h.chain < REVEAL:
            return f"On which mission do you put {titles[kind]} face down?"
        return f"On which mission do you play {titles[kind]}?"
    if q == Q_ORDER:
        return f"Which of {answers} waiting effects comes first?"
    if q == Q_LOCK:
        return f"Which character does {unit_name(h, seat, h.frame[h.depth - 1].unit, names)} hold?"
    if q == Q_CARD_MISSION:
        return f"On which mission do you put {titles[h.chain - PLAY_UP]} face down?"
    if q == Q_DEST:
        return f"To which mission do you move {unit_name(h, seat, f.target, names)}?"
    if q == Q_REPLACE:
        return capital(f"{unit_name(h, seat, f.target, names)} is about to be {verb_past(f)}: "
                       f"is {unit_name(h, seat, f.other, names)} defeated instead?")
    if q in (Q_FORCED, Q_FORCED_ONTO):
        return f"Do you reveal {unit_name(h, seat, f.target, names)}{', and how' if q == Q_FORCED_ONTO else ', or is it defeated'}?"
    return capital(f"{effect_name(t, h, seat, f, names)}: {step_question(t, h, seat, f, names)}")


cdef str verb_past(const Frame* f):
    return {3: "moved", 4: "hidden", 5: "defeated"}[f.verb]


cdef str step_question(const Tables* t, const Mythos* h, int seat, const Frame* f, names):
    """What the running step of an effect asks."""
    cdef int q = h.prompt
    if q == Q_MAY:
        return f"do you {part_text(f)}?" if f.verb != NO_VERB else "do you use it?"
    if q == Q_TARGET:
        return target_question(t, h, f)
    if q == Q_AMOUNT:
        if f.verb == PAY_X:
            return "how much chakra do you pay?"
        return f"how many Power tokens of {unit_name(h, seat, f.target, names)}?"
    if q == Q_EFFECT:
        return "which effect do you copy?"
    if q == Q_MISSION:
        return "which mission?" if f.verb == PICK_MISSION else "on which mission does the card come face down?"
    if q == Q_POOL:
        return "which card of your discard pile do you take?"
    if q == Q_RAID:
        return "which card of the opponent's hand is discarded?" + more_text(f)
    if q == Q_CARD:
        do = "discard" if f.verb == DISCARD else "put on top of your deck" if f.verb == PUT_TOP else "put face down"
        return f"which card of your hand do you {do}?{more_text(f) if f.verb == DISCARD else ''}"
    return "which card do you play?"


cdef str part_text(const Frame* f):
    """A part of an effect that one may leave out."""
    if f.verb <= PICK:
        return verb_text(f).format("a character")
    return f"discard {counted(f.args[0], 'card')}" if f.verb == DISCARD and f.args[0] != ALL_THERE else "go on with its next part"


cdef str more_text(const Frame* f):
    return f" ({f.left} to go)" if f.left > 1 else ""


cdef str ask_whom(str verb):
    """`move {}` and `put 2 Power tokens on {}` as questions."""
    before, _, after = verb.partition(" {}")
    do, _, preposition = before.rpartition(" ")
    if preposition in ("on", "from", "of", "at"):
        return f"{preposition} which character do you {do}{after}?"
    return f"which character do you {before}{after}?"


cdef str target_question(const Tables* t, const Mythos* h, const Frame* f):
    """Whom a step is for, and the how many-th choice it is."""
    cdef int pick = t.selector[selector_of(f)].pick
    cdef int done = bit_count(chosen(f))
    cdef Context c
    asked = ask_whom(verb_text(f))
    if pick == EACH:
        return f"on mission {RANKS[f.left]}, {asked}"
    if pick == SO_MANY and done + f.left > 1:
        return f"{asked} ({done + 1} of {done + f.left}, in this order)"
    if pick == SUM:
        return f"{asked} ({f.left} power left)"
    if pick == DOWN:
        look_from_frame(&c, t, h, f)
        return f"{asked} ({bit_count(select(&c, selector_of(f))) - pick_amount(&c, selector_of(f))} to go)"
    return asked

# ---- Answers ----

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
        text += f" as an upgrade of {names.names[h.top[lowest_bit(onto)]]}"
    return f"{text} for {cost_of(t, h, seat, kind, slot, mission, NONE if fresh else lowest_bit(onto), mod)} chakra"


cdef str onto_text(const Tables* t, const Mythos* h, int seat, int kind, int slot, int mission, int mod, int action, names):
    if action == DECLINE:
        return f"As a new character for {cost_of(t, h, seat, kind, slot, mission, NONE, mod)} chakra"
    return (f"As an upgrade of {names.names[h.top[action]]} for "
            f"{cost_of(t, h, seat, kind, slot, mission, action, mod)} chakra")


cdef str line_text(const Tables* t, const Mythos* h, int seat, const Waiting* w, names):
    """A waiting line, with its source."""
    return f"Next: {effect_of(t, h, seat, w.line, w.unit, w.serial, w.mission, names)}"


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
        verb = f"Reveal #{slot}" if slot != NONE else "Play"
        text = play_text(t, h, seat, kind, slot, mod, verb, names)
        if FROM_DISCARD <= action < FROM_LOOKED:
            return f"{text}, from your discard pile"
        return f"{text}, from the top of your deck" if action >= FROM_LOOKED else text
    if q == Q_DEST:
        return f"Move {unit_name(h, seat, f.target, names)} to mission {RANKS[action]}"
    if q in (Q_TURN_MISSION, Q_PLAYCARD_MISSION, Q_CARD_MISSION, Q_MISSION):
        return f"Mission {RANKS[action]} ({names.mission_titles[h.mission[action]]})"
    if q == Q_TURN_ONTO or q == Q_PLAYCARD_ONTO:
        chain_play(t, h, seat, f if q == Q_PLAYCARD_ONTO else NULL, h.chain, &kind, &zone, &slot, &mod)
        return onto_text(t, h, seat, kind, slot, h.chain_mission - 1, mod, action, names)
    if q == Q_ORDER:
        if action == PLAIN_RETURNS:
            return "Next: everybody who just returns to the hand"
        return line_text(t, h, seat, &h.queue[action] if h.depth else &h.score[action], names)
    if q == Q_LOCK:
        return f"Hold {unit_name(h, seat, action, names)}"
    if q == Q_FORCED_ONTO:
        return onto_text(t, h, seat, h.top[f.target], f.target, h.where[f.target], f.args[1], action, names)
    if q == Q_MAY:
        if f.verb != NO_VERB:
            return capital(part_text(f)) if action else "Leave this part out"
        return capital(f"{'use' if action else 'do not use'} {names.effects[f.line]}")
    if q == Q_TARGET:
        if action == DECLINE:
            if t.selector[selector_of(f)].pick == EACH:
                return f"Nobody on mission {RANKS[f.left]}"
            return "Nobody else" if f.flags & COMMITTED else f"Do not use {names.effects[f.line]}"
        return capital(verb_text(f).format(unit_name(h, seat, action, names)))
    if q == Q_REPLACE:
        other = unit_name(h, seat, f.other, names)
        return f"Defeat {other} instead" if action else f"Keep {other}"
    if q == Q_FORCED:
        target = unit_name(h, seat, f.target, names)
        if action:
            return play_text(t, h, seat, h.top[f.target], f.target, f.args[1], f"Reveal #{f.target}", names)
        return f"Let {target} be defeated"
    if q == Q_AMOUNT:
        if f.verb == PAY_X:
            return f"Pay {action} chakra" if action else f"Do not use {names.effects[f.line]}"
        return counted(action, "Power token")
    if q == Q_EFFECT:
        if action == DECLINE:
            return f"Do not use {names.effects[f.line]}"
        slot = action // 256
        kind = h.frame[f.registers].k if slot == COPY_OF_CARD else h.top[slot]
        zone = t.character[kind].first + action % 256
        if slot == COPY_OF_CARD:
            return f"Copy {names.effects[zone]}"
        return f"Copy {effect_of(t, h, seat, zone, slot, h.serial[slot], h.where[slot], names)}"
    if q == Q_RAID:
        return f"Discard {titles[action]} of the opponent's hand"
    if q == Q_POOL:
        return f"Take {titles[action]} back"
    if f.verb == PUT_TOP:
        return f"Put {titles[action]} on top of your deck"
    return f"Discard {titles[action]}" if f.verb == DISCARD else f"Put {titles[action]} face down"


cdef dict args_of(const Tables* t, const Mythos* h, int seat, int action, names):
    """The answer's named values: card, mission (index), slot, amount, answer, and what the question is about.

    `about`: the slot of the character that moves, is forced, loses tokens, may go instead or holds another one; `effect`: the
    effect that asks.
    """
    cdef int q = h.prompt
    cdef int kind, zone, slot, mod
    cdef const Frame* f = &h.frame[h.depth - 1] if h.depth else NULL
    values = answer_of(t, h, seat, action, names)
    if q in (Q_DEST, Q_FORCED, Q_FORCED_ONTO, Q_REPLACE) or q == Q_AMOUNT and f.verb != PAY_X:
        values["about"] = f.target
    if q == Q_REPLACE:
        values["slot"] = f.other
    if q == Q_LOCK:
        values["about"] = f.unit
    if q in (Q_TURN_MISSION, Q_TURN_ONTO, Q_PLAYCARD_MISSION, Q_PLAYCARD_ONTO):
        chain_play(t, h, seat, f if q in (Q_PLAYCARD_MISSION, Q_PLAYCARD_ONTO) else NULL, h.chain, &kind, &zone, &slot, &mod)
        values["card"] = names.cards[kind]
    if q == Q_CARD_MISSION:
        values["card"] = names.cards[h.chain - PLAY_UP]
    if q == Q_ORDER and action != PLAIN_RETURNS:
        values["effect"] = names.lines[h.queue[action].line if h.depth else h.score[action].line]
    elif f != NULL and q not in (Q_ORDER, Q_LOCK):
        values["effect"] = names.lines[f.line]
    return values


cdef dict answer_of(const Tables* t, const Mythos* h, int seat, int action, names):
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
