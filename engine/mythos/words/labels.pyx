"""Questions and answers in words, as the asked seat sees them."""
from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.legal cimport pick_amount
from seatmate.engine.mythos.rules.model cimport (
    ALL_THERE, MISSIONS, NONE, Frame, Waiting, chosen, controller, in_play, is_up,
)
from seatmate.engine.mythos.rules.plays cimport chain_play, cost_of, payable_onto, places
from seatmate.engine.mythos.rules.query cimport Context, look_from_frame, select
from seatmate.engine.mythos.rules.unit_verbs cimport selector_of

from seatmate.engine.core.spec import counted
from seatmate.engine.mythos.content.pack import ROWS, VOCABULARY
from seatmate.engine.mythos.words.names import RANKS

# ---- What is spoken of ----

cdef str unit_name(const Mythos* state, int seat, int slot, names):
    """A character as the seat knows it, and where it stands; hidden ones by their place on the board, too."""
    whose = "your" if controller(state, slot) == seat else "the enemy"
    where = f"on mission {RANKS[state.where[slot]]}"
    if is_up(state, slot):
        return f"{whose} {names.names[state.top[slot]]} {where}"
    if state.known[slot] >> seat & 1:
        return f"{whose} hidden {names.names[state.top[slot]]} {where} (#{slot})"
    return f"{whose} hidden character {where} (#{slot})"


cdef str effect_of(const Book* t, const Mythos* state, int seat, int line, int unit, int serial, int mission, names):
    """An effect and whose it is: of a mission (unit NONE), of a character in play, copied, or of one that has left."""
    cdef int kind = t.line[line].kind
    if unit == NONE:
        return f"{names.headings[line]} of mission {RANKS[mission]} ({names.mission_titles[kind - V.MISSION_LINE]})"
    if not in_play(state, unit, serial):
        return names.effects[line]
    if state.top[unit] == kind:
        return f"{names.headings[line]} of {unit_name(state, seat, unit, names)}"
    return f"{names.effects[line]}, copied by {unit_name(state, seat, unit, names)}"


cdef str effect_name(const Book* t, const Mythos* state, int seat, const Frame* f, names):
    """The running effect; until it is accepted with its text."""
    effect = effect_of(t, state, seat, f.line, f.unit, f.serial, f.here, names)
    return effect if f.flags & V.COMMITTED else f"{effect} ({names.sentence(f.line)})"


cdef str tokens_text(const Frame* f):
    """How many tokens a step puts, removes or takes."""
    if f.args[0] == ALL_THERE:
        return "all Power tokens"
    return ("up to " if f.args[2] else "") + counted(f.args[0], "Power token")


cdef str verb_text(const Frame* f):
    """What a step does to a character, as "move {}"."""
    if f.verb == V.PICK:
        return f"choose {{}} to be {'hidden' if f.args[1] == V.R_HIDE else 'defeated' if f.args[1] == V.R_DEFEAT else 'moved'}"
    if f.verb <= V.TAKE_TOK:
        return (f"put {tokens_text(f)} on {{}}", f"remove {tokens_text(f)} from {{}}", f"take {tokens_text(f)} from {{}}")[f.verb]
    return VERBS[f.verb]


VERBS = {VOCABULARY.verbs[_name].code: _row.asks or _row.says.format(target="{}") for _name, _row in ROWS.items()
         if VOCABULARY.verbs[_name].code <= V.PICK}
"""What a step does to a character, by the number of its verb; those before and after need their arguments."""


cdef str capital(str text):
    return text[:1].upper() + text[1:]

# ---- Questions ----

cdef str question_of(const Book* t, const Mythos* state, int seat, int answers, names, str plain):
    """What is asked, with the card, character or effect it concerns; `plain`: the words of the prompt, with so many answers."""
    cdef int q = state.prompt
    cdef int kind, zone, slot, mod
    cdef const Frame* f = &state.frame[state.depth - 1] if state.depth else NULL
    titles = names.titles
    if q == V.Q_MULLIGAN:
        return plain
    if q == V.Q_TURN:
        return f"Your turn, with {state.chakra[seat]} chakra: what do you do?"
    if q in (V.Q_TURN_MISSION, V.Q_TURN_ONTO, V.Q_PLAYCARD_MISSION, V.Q_PLAYCARD_ONTO):
        chain_play(t, state, seat, f if q in (V.Q_PLAYCARD_MISSION, V.Q_PLAYCARD_ONTO) else NULL, state.chain,
                   &kind, &zone, &slot, &mod)
        if q in (V.Q_TURN_ONTO, V.Q_PLAYCARD_ONTO):
            return f"{titles[kind]} on mission {RANKS[state.chain_mission - 1]}: as a new character, or as an upgrade?"
        if V.PLAY_HIDDEN <= state.chain < V.REVEAL:
            return f"On which mission do you put {titles[kind]} face down?"
        return f"On which mission do you play {titles[kind]}?"
    if q == V.Q_ORDER:
        return f"Which of {answers} waiting effects comes first?"
    if q == V.Q_LOCK:
        return f"Which character does {unit_name(state, seat, state.frame[state.depth - 1].unit, names)} hold?"
    if q == V.Q_CARD_MISSION:
        return f"On which mission do you put {titles[state.chain - V.PLAY_UP]} face down?"
    if q == V.Q_DEST:
        return f"To which mission do you move {unit_name(state, seat, f.target, names)}?"
    if q == V.Q_REPLACE:
        return capital(f"{unit_name(state, seat, f.target, names)} is about to be {verb_past(f)}: "
                       f"is {unit_name(state, seat, f.other, names)} defeated instead?")
    if q in (V.Q_FORCED, V.Q_FORCED_ONTO):
        return (f"Do you reveal {unit_name(state, seat, f.target, names)}"
                f"{', and how' if q == V.Q_FORCED_ONTO else ', or is it defeated'}?")
    return capital(f"{effect_name(t, state, seat, f, names)}: {step_question(t, state, seat, f, names)}")


cdef str verb_past(const Frame* f):
    return {V.MOVE: "moved", V.HIDE: "hidden", V.DEFEAT: "defeated"}[f.verb]


cdef str step_question(const Book* t, const Mythos* state, int seat, const Frame* f, names):
    """What the running step of an effect asks."""
    cdef int q = state.prompt
    if q == V.Q_MAY:
        return f"do you {part_text(f)}?" if f.verb != V.NO_VERB else "do you use it?"
    if q == V.Q_TARGET:
        return target_question(t, state, f)
    if q == V.Q_AMOUNT:
        if f.verb == V.PAY_X:
            return "how much chakra do you pay?"
        return f"how many Power tokens of {unit_name(state, seat, f.target, names)}?"
    if q == V.Q_EFFECT:
        return "which effect do you copy?"
    if q == V.Q_MISSION:
        return "which mission?" if f.verb == V.PICK_MISSION else "on which mission does the card come face down?"
    if q == V.Q_POOL:
        return "which card of your discard pile do you take?"
    if q == V.Q_RAID:
        return "which card of the opponent's hand is discarded?" + more_text(f)
    if q == V.Q_CARD:
        do = "discard" if f.verb == V.DISCARD else "put on top of your deck" if f.verb == V.PUT_TOP else "put face down"
        return f"which card of your hand do you {do}?{more_text(f) if f.verb == V.DISCARD else ''}"
    return "which card do you play?"


cdef str part_text(const Frame* f):
    """A part of an effect that one may leave out."""
    if f.verb <= V.PICK:
        return verb_text(f).format("a character")
    return f"discard {counted(f.args[0], 'card')}" if f.verb == V.DISCARD and f.args[0] != ALL_THERE else "go on with its next part"


cdef str more_text(const Frame* f):
    return f" ({f.left} to go)" if f.left > 1 else ""


cdef str ask_whom(str verb):
    """`move {}` and `put 2 Power tokens on {}` as questions."""
    before, _, after = verb.partition(" {}")
    do, _, preposition = before.rpartition(" ")
    if preposition in ("on", "from", "of", "at"):
        return f"{preposition} which character do you {do}{after}?"
    return f"which character do you {before}{after}?"


cdef str target_question(const Book* t, const Mythos* state, const Frame* f):
    """Whom a step is for, and the how many-th choice it is."""
    cdef int pick = t.selector[selector_of(f)].pick
    cdef int done = bit_count(chosen(f))
    cdef Context c
    asked = ask_whom(verb_text(f))
    if pick == V.EACH:
        return f"on mission {RANKS[f.left]}, {asked}"
    if pick == V.SO_MANY and done + f.left > 1:
        return f"{asked} ({done + 1} of {done + f.left}, in this order)"
    if pick == V.SUM:
        return f"{asked} ({f.left} power left)"
    if pick == V.DOWN:
        look_from_frame(&c, t, state, f)
        return f"{asked} ({bit_count(select(&c, selector_of(f))) - pick_amount(&c, selector_of(f))} to go)"
    return asked

# ---- Answers ----

cdef str play_text(const Book* t, const Mythos* state, int seat, int kind, int slot, int mod, str verb, names):
    """Play or reveal: with the mission where there is only one, and the price, or what it may be."""
    cdef int mask = places(t, state, seat, kind, slot, mod)
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
            onto = payable_onto(t, state, seat, kind, slot, mission, mod, &fresh)
            while onto or fresh:
                price = cost_of(t, state, seat, kind, slot, mission, NONE if fresh else lowest_bit(onto), mod)
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
    onto = payable_onto(t, state, seat, kind, slot, mission, mod, &fresh)
    if bit_count(onto) + fresh != 1:
        return text
    if onto:
        text += f" as an upgrade of {names.names[state.top[lowest_bit(onto)]]}"
    return f"{text} for {cost_of(t, state, seat, kind, slot, mission, NONE if fresh else lowest_bit(onto), mod)} chakra"


cdef str onto_text(const Book* t, const Mythos* state, int seat, int kind, int slot, int mission, int mod, int action, names):
    if action == V.DECLINE:
        return f"As a new character for {cost_of(t, state, seat, kind, slot, mission, NONE, mod)} chakra"
    return (f"As an upgrade of {names.names[state.top[action]]} for "
            f"{cost_of(t, state, seat, kind, slot, mission, action, mod)} chakra")


cdef str line_text(const Book* t, const Mythos* state, int seat, const Waiting* w, names):
    """A waiting line, with its source."""
    return f"Next: {effect_of(t, state, seat, w.line, w.unit, w.serial, w.mission, names)}"


cdef str label_of(const Book* t, const Mythos* state, int seat, int action, names):
    """A short sentence; two answers may read the same (the game then numbers them)."""
    cdef int q = state.prompt
    cdef int kind, zone, slot, mod
    cdef const Frame* f = &state.frame[state.depth - 1] if state.depth else NULL
    titles = names.titles
    if q == V.Q_MULLIGAN:
        return "Draw a new hand" if action else "Keep the hand"
    if q == V.Q_TURN and action == V.PASS:
        return "Pass for this round"
    if q == V.Q_TURN and V.PLAY_HIDDEN <= action < V.REVEAL:
        return f"Put {titles[action - V.PLAY_HIDDEN]} face down for {t.hidden_cost} chakra"
    if q == V.Q_PLAYCARD and action == V.DECLINE:
        return "Play no card"
    if q == V.Q_TURN or q == V.Q_PLAYCARD:
        chain_play(t, state, seat, f if q == V.Q_PLAYCARD else NULL, action, &kind, &zone, &slot, &mod)
        verb = f"Reveal #{slot}" if slot != NONE else "Play"
        text = play_text(t, state, seat, kind, slot, mod, verb, names)
        if V.FROM_DISCARD <= action < V.FROM_LOOKED:
            return f"{text}, from your discard pile"
        return f"{text}, from the top of your deck" if action >= V.FROM_LOOKED else text
    if q == V.Q_DEST:
        return f"Move {unit_name(state, seat, f.target, names)} to mission {RANKS[action]}"
    if q in (V.Q_TURN_MISSION, V.Q_PLAYCARD_MISSION, V.Q_CARD_MISSION, V.Q_MISSION):
        return f"Mission {RANKS[action]} ({names.mission_titles[state.mission[action]]})"
    if q == V.Q_TURN_ONTO or q == V.Q_PLAYCARD_ONTO:
        chain_play(t, state, seat, f if q == V.Q_PLAYCARD_ONTO else NULL, state.chain, &kind, &zone, &slot, &mod)
        return onto_text(t, state, seat, kind, slot, state.chain_mission - 1, mod, action, names)
    if q == V.Q_ORDER:
        if action == V.PLAIN_RETURNS:
            return "Next: everybody who just returns to the hand"
        return line_text(t, state, seat, &state.queue[action] if state.depth else &state.score[action], names)
    if q == V.Q_LOCK:
        return f"Hold {unit_name(state, seat, action, names)}"
    if q == V.Q_FORCED_ONTO:
        return onto_text(t, state, seat, state.top[f.target], f.target, state.where[f.target], f.args[1], action, names)
    if q == V.Q_MAY:
        if f.verb != V.NO_VERB:
            return capital(part_text(f)) if action else "Leave this part out"
        return capital(f"{'use' if action else 'do not use'} {names.effects[f.line]}")
    if q == V.Q_TARGET:
        if action == V.DECLINE:
            if t.selector[selector_of(f)].pick == V.EACH:
                return f"Nobody on mission {RANKS[f.left]}"
            return "Nobody else" if f.flags & V.COMMITTED else f"Do not use {names.effects[f.line]}"
        return capital(verb_text(f).format(unit_name(state, seat, action, names)))
    if q == V.Q_REPLACE:
        other = unit_name(state, seat, f.other, names)
        return f"Defeat {other} instead" if action else f"Keep {other}"
    if q == V.Q_FORCED:
        target = unit_name(state, seat, f.target, names)
        if action:
            return play_text(t, state, seat, state.top[f.target], f.target, f.args[1], f"Reveal #{f.target}", names)
        return f"Let {target} be defeated"
    if q == V.Q_AMOUNT:
        if f.verb == V.PAY_X:
            return f"Pay {action} chakra" if action else f"Do not use {names.effects[f.line]}"
        return counted(action, "Power token")
    if q == V.Q_EFFECT:
        if action == V.DECLINE:
            return f"Do not use {names.effects[f.line]}"
        slot = action // 256
        kind = state.frame[f.registers].k if slot == V.COPY_OF_CARD else state.top[slot]
        zone = t.character[kind].first + action % 256
        if slot == V.COPY_OF_CARD:
            return f"Copy {names.effects[zone]}"
        return f"Copy {effect_of(t, state, seat, zone, slot, state.serial[slot], state.where[slot], names)}"
    if q == V.Q_RAID:
        return f"Discard {titles[action]} of the opponent's hand"
    if q == V.Q_POOL:
        return f"Take {titles[action]} back"
    if f.verb == V.PUT_TOP:
        return f"Put {titles[action]} on top of your deck"
    return f"Discard {titles[action]}" if f.verb == V.DISCARD else f"Put {titles[action]} face down"


cdef dict args_of(const Book* t, const Mythos* state, int seat, int action, names):
    """The answer's named values: card, mission (index), slot, amount, answer, and what the question is about.

    `about`: the slot of the character that moves, is forced, loses tokens, may go instead or holds another one; `effect`: the
    effect that asks.
    """
    cdef int q = state.prompt
    cdef int kind, zone, slot, mod
    cdef const Frame* f = &state.frame[state.depth - 1] if state.depth else NULL
    values = answer_of(t, state, seat, action, names)
    if q in (V.Q_DEST, V.Q_FORCED, V.Q_FORCED_ONTO, V.Q_REPLACE) or q == V.Q_AMOUNT and f.verb != V.PAY_X:
        values["about"] = f.target
    if q == V.Q_REPLACE:
        values["slot"] = f.other
    if q == V.Q_LOCK:
        values["about"] = f.unit
    if q in (V.Q_TURN_MISSION, V.Q_TURN_ONTO, V.Q_PLAYCARD_MISSION, V.Q_PLAYCARD_ONTO):
        chain_play(t, state, seat, f if q in (V.Q_PLAYCARD_MISSION, V.Q_PLAYCARD_ONTO) else NULL, state.chain,
                   &kind, &zone, &slot, &mod)
        values["card"] = names.cards[kind]
    if q == V.Q_CARD_MISSION:
        values["card"] = names.cards[state.chain - V.PLAY_UP]
    if q == V.Q_ORDER and action != V.PLAIN_RETURNS:
        values["effect"] = names.lines[state.queue[action].line if state.depth else state.score[action].line]
    elif f != NULL and q not in (V.Q_ORDER, V.Q_LOCK):
        values["effect"] = names.lines[f.line]
    return values


cdef dict answer_of(const Book* t, const Mythos* state, int seat, int action, names):
    cdef int q = state.prompt
    cdef int base = action // 1000 * 1000
    cards = names.cards
    if q in (V.Q_MULLIGAN, V.Q_MAY, V.Q_REPLACE, V.Q_FORCED):
        return {"answer": "yes" if action else "no"}
    if q == V.Q_TURN and action == V.PASS:
        return {"answer": "pass"}
    if q == V.Q_TURN or q == V.Q_PLAYCARD:
        if action == V.DECLINE:
            return {"answer": "decline"}
        if base == V.REVEAL:
            return {"play": "reveal", "slot": action - V.REVEAL, "card": cards[state.top[action - V.REVEAL]]}
        how = {V.PLAY_UP: "up", V.PLAY_HIDDEN: "hidden", V.FROM_DISCARD: "discard", V.FROM_LOOKED: "looked"}[base]
        return {"play": how, "card": cards[action - base]}
    if q in (V.Q_TURN_MISSION, V.Q_PLAYCARD_MISSION, V.Q_CARD_MISSION, V.Q_MISSION, V.Q_DEST):
        return {"mission": action}
    if q in (V.Q_TARGET, V.Q_LOCK, V.Q_TURN_ONTO, V.Q_PLAYCARD_ONTO, V.Q_FORCED_ONTO):
        return {"answer": "decline" if q == V.Q_TARGET else "new"} if action == V.DECLINE else {"slot": action}
    if q == V.Q_AMOUNT:
        return {"amount": action}
    if q == V.Q_EFFECT:
        return {"answer": "decline"} if action == V.DECLINE else {"slot": action // 256, "line": action % 256}
    if q == V.Q_ORDER:
        return {"answer": "returns"} if action == V.PLAIN_RETURNS else {"order": action}
    return {"card": cards[action]}
