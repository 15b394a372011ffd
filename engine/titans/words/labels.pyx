"""Answers in words, as the asked seat sees them."""
from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.core.zones cimport lowest_bit
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.legal cimport first_piece, next_return, prompt, slot_tier
from seatmate.engine.titans.rules.model cimport Frame
from seatmate.engine.titans.rules.query cimport members

from seatmate.engine.core.spec import words as listed
from seatmate.engine.titans.content.pack import VERB_CODES, VERBS

ORDERS = [VERBS[name].order for name in VERB_CODES]
"""What whoever chooses a piece does to it, by verb."""
ENTERED = ("has moved to", "was pulled to", "was pushed to", "has teleported to", "was brought to", "has entered")
TIERS = ("", " (special effect)", " (special and star effects)")


cdef str piece_name(const Titans* state, int piece, names):
    return names.piece(4 * state.piece[piece].character + piece)


cdef str place_name(const Titans* state, int place, names):
    """A place; beside equal names (none in our pack) the number tells."""
    return names.place(place, state.tile[place] if state.tile[place] != V.NONE else -1)


cdef str border_name(const Book* t, const Titans* state, int edge, names):
    return f"between {place_name(state, t.edge_a[edge], names)} and {place_name(state, t.edge_b[edge], names)}"


cdef int moved_piece(const Book* t, const Titans* state, const Frame* f):
    """Whom the question DEST is about."""
    if f.verb == V.V_PUSH:
        return f.a
    return lowest_bit(<uint64_t> members(t, state, f, &t.row[f.args[0]]))


cdef str window_text(const Book* t, const Titans* state, names):
    """What has happened, or is about to, where seats may play a card."""
    cdef const Frame* f = &state.frame[state.depth - 1]
    cdef const Frame* below = &state.frame[state.depth - 2] if state.depth > 1 else NULL
    if f.mode == V.W_ROUND_START:
        return f"The start of round {state.round} is over"
    about = piece_name(state, f.target, names)
    if f.mode == V.W_ENTER and below != NULL:
        return f"{about} {ENTERED[below.mode]} {place_name(state, f.place, names)}"
    if f.mode == V.W_ATTACKED and below != NULL:
        return f"{piece_name(state, f.other, names)} {'shoots' if below.mode else 'hits'} {about}"
    if f.mode == V.W_KO:
        return f"{about} is KO in {names.whose(4 * state.piece[state.active].character + state.active, 'turn')}"
    with_die = (f"{names.abilities[state.piece[state.active].character][state.slot]} "
                f"({state.piece[state.active].slot_die[state.slot]})")
    if f.mode == V.W_ACTIVATION:
        return f"{about} acts with {with_die}"
    return f"{about} goes on, {with_die} {'used' if state.flags & V.SLOT_USED else 'still to come'}"


cdef str question_of(const Book* t, const Titans* state, int seat, names):
    """What the seat is asked, with the piece, the card or the ability it is about; empty where the prompt says all."""
    cdef int q = prompt(t, state, seat)
    cdef const Frame* f = &state.frame[state.depth - 1] if state.depth else NULL
    if q == V.Q_FIRST_PLACE or q == V.Q_REPLACE:
        piece = first_piece(state) if q == V.Q_FIRST_PLACE else next_return(state)
        return f"On which base does {piece_name(state, piece, names)} {'begin' if q == V.Q_FIRST_PLACE else 'return'}?"
    if q == V.Q_DIE_SLOT:
        return f"Which die goes on which ability of {piece_name(state, state.active, names)}?"
    if q == V.Q_MOVE or q == V.Q_ABILITY:
        return (f"{'Where' if q == V.Q_MOVE else 'What'} does {piece_name(state, state.active, names)} "
                f"{'move' if q == V.Q_MOVE else 'do'}?")
    if q == V.Q_WINDOW:
        return f"{window_text(t, state, names)}: do you play a card?"
    if q == V.Q_ESCAPE:
        return f"{piece_name(state, f.actor, names)} has moved: does {piece_name(state, f.target, names)} use the escape token?"
    if q == V.Q_CYBORG:
        return "Where does Cyborg go?" if f == NULL else f"Where does Cyborg go (step {f.place} of 2)?"
    if f == NULL or f.kind != V.K_PROGRAM:
        return ""
    source = names.source(f.source, [state.piece[i].character for i in range(V.PIECES)])
    if q == V.Q_TARGET and (f.verb == V.V_MELEE or f.verb == V.V_RANGED) or q == V.Q_VICTIM:
        return f"{source}: whom does {piece_name(state, f.actor, names)} {ORDERS[f.verb].lower()}?"
    if q == V.Q_TARGET or q == V.Q_GO_PIECE:
        return f"{source}: whom do you {ORDERS[f.verb][0].lower()}{ORDERS[f.verb][1:]}?"
    if q == V.Q_DEST:
        mover = piece_name(state, moved_piece(t, state, f), names)
        if f.verb == V.V_MOVE or f.verb == V.V_TELEPORT:
            return f"{source}: where does {mover} {'move' if f.verb == V.V_MOVE else 'teleport'}?"
        return f"{source}: where is {mover} pushed?"
    if q == V.Q_TRAP_PLACE:
        return f"{source}: where {'does the trap' if f.args[0] == 1 else f'do the {f.args[0]} traps'} go?"
    if q == V.Q_GO_PLACE:
        return f"{source}: on which place is {names.tokens[f.args[0]]} put?"
    said = {V.Q_OBST_SRC: "which obstacle do you use?", V.Q_OBST_EDGE: "on which border does the obstacle go?",
            V.Q_DICE_MASK: "which dice do you roll again?", V.Q_DIE: "which die do you turn?"}.get(q)
    return f"{source}: {said}" if said else ""


cdef str label_of(const Book* t, const Titans* state, int seat, int action, names):
    """A short sentence; two answers may read the same (the game then numbers them)."""
    cdef int q = prompt(t, state, seat)
    cdef const Frame* f = &state.frame[state.depth - 1] if state.depth else NULL
    if q == V.Q_DRAFT or q == V.Q_COMP_CHAR:
        return f"Take {names.titles[action]}"
    if q == V.Q_SETASIDE:
        return f"Set {names.card_titles[action]} aside"
    if q == V.Q_COMP_CARD:
        return f"Take {names.card_titles[action]}"
    if q == V.Q_FIRST_PLACE or q == V.Q_REPLACE:
        piece = first_piece(state) if q == V.Q_FIRST_PLACE else next_return(state)
        return f"{piece_name(state, piece, names)} on {place_name(state, action, names)}"
    if q == V.Q_WINDOW:
        return f"Play {names.card_titles[action - 1]}" if action else "Play no card"
    if (q == V.Q_MOVE or q == V.Q_ABILITY) and action >= V.PLAY_CARD:
        return f"Play {names.card_titles[action - V.PLAY_CARD]}"
    if q == V.Q_PIECE:
        return f"Activate {piece_name(state, action, names)}"
    if q == V.Q_DIE_SLOT:
        character = state.piece[state.active].character
        die = state.team[state.acting].dice[action >> 1]
        tier = 0 if die < names.slots[character][action & 1] else 2 if t.face_star[state.face] else 1
        return f"{piece_name(state, state.active, names)}: {names.abilities[character][action & 1]} with the {die}{TIERS[tier]}"
    if q == V.Q_MOVE:
        mover = piece_name(state, state.active, names)
        return f"{mover} stays on {place_name(state, state.piece[state.active].place, names)}" if action == V.STAY else (
            f"Move {mover} to {place_name(state, action, names)}")
    if q == V.Q_ABILITY:
        character = state.piece[state.active].character
        mover = piece_name(state, state.active, names)
        if action == V.USE_SLOT:
            return f"{mover} uses {names.abilities[character][state.slot]}{TIERS[slot_tier(t, state, state.active, state.slot)]}"
        if action == V.USE_INNATE:
            return f"{mover} uses {names.innates[character]}"
        return f"End {names.whose(4 * character + state.active, 'turn')}"
    if q == V.Q_REMOVE:
        return f"Remove {place_name(state, action, names)}"
    if q == V.Q_CYBORG:
        return "Leave Cyborg where he is" if action == V.DECLINE else f"Move Cyborg to {place_name(state, action, names)}"
    if q == V.Q_ESCAPE:
        holder = piece_name(state, f.target, names)
        if action == V.DECLINE:
            return f"{holder}: keep the escape token"
        return f"{holder}: escape to {place_name(state, action, names)}"
    if q == V.Q_TARGET or q == V.Q_GO_PIECE or q == V.Q_VICTIM:
        verb = ORDERS[f.verb]
        if action == V.DECLINE:
            return "Nobody"
        return f"{verb} {'the monster' if action == V.MONSTER_TARGET and q == V.Q_TARGET else piece_name(state, action, names)}"
    if q == V.Q_DEST:
        mover = piece_name(state, moved_piece(t, state, f), names)
        verb = ORDERS[f.verb]
        if action == V.DECLINE:
            return f"Leave {mover} on {place_name(state, state.piece[moved_piece(t, state, f)].place, names)}"
        return f"{verb} {mover} to {place_name(state, action, names)}"
    if q == V.Q_OBST_SRC:
        if action == V.NO_OBSTACLE:
            return "No obstacle"
        return f"Move the obstacle {border_name(t, state, action - 1, names)}" if action else "Place a new obstacle"
    if q == V.Q_OBST_EDGE:
        return f"Put it {border_name(t, state, action, names)}"
    if q == V.Q_TRAP_PLACE:
        return "No trap" if action == V.DECLINE else f"Trap on {place_name(state, action, names)}"
    if q == V.Q_GO_PLACE:
        return f"Put {names.tokens[f.args[0]]} on {place_name(state, action, names)}"
    team = f.team if not f.who else 1 - f.team
    if q == V.Q_DICE_MASK:
        return f"Roll the {listed([str(state.team[team].dice[i]) for i in range(2) if action >> i & 1])} again"
    return f"Turn the {state.team[team].dice[action]} to {f.args[0]}"


cdef int piece_asked_about(const Book* t, const Titans* state, int q):
    """The piece a question is about, where its answers do not name one themselves; -1."""
    cdef const Frame* f = &state.frame[state.depth - 1] if state.depth else NULL
    if q == V.Q_FIRST_PLACE:
        return first_piece(state)
    if q == V.Q_REPLACE:
        return next_return(state)
    if q == V.Q_MOVE or q == V.Q_ABILITY or q == V.Q_DIE_SLOT:
        return state.active
    if q == V.Q_ESCAPE:
        return f.target
    return moved_piece(t, state, f) if q == V.Q_DEST else V.CYBORG if q == V.Q_CYBORG else -1


cdef dict args_of(const Book* t, const Titans* state, int seat, int action, names):
    """The answer's named values: character, card, place, piece, border, die, slot, answer; `piece` is whom the question is about,
    or whom the answer chooses."""
    cdef int q = prompt(t, state, seat)
    cdef int piece = piece_asked_about(t, state, q)
    cdef dict args = answer_args(t, state, q, action, names)
    return args if piece < 0 else {"piece": piece, **args}


cdef dict answer_args(const Book* t, const Titans* state, int q, int action, names):
    """The answer itself."""
    if q == V.Q_DRAFT or q == V.Q_COMP_CHAR:
        return {"character": names.characters[action]}
    if q == V.Q_SETASIDE or q == V.Q_COMP_CARD:
        return {"card": names.cards[action]}
    if q == V.Q_WINDOW:
        return {"card": names.cards[action - 1]} if action else {"answer": "pass"}
    if q == V.Q_MOVE or q == V.Q_ABILITY:
        if action >= V.PLAY_CARD:
            return {"card": names.cards[action - V.PLAY_CARD]}
        if q == V.Q_MOVE:
            return {"answer": "stay"} if action == V.STAY else {"place": action}
        return {"answer": ("end", "ability", "innate")[action]}
    if q == V.Q_PIECE:
        return {"piece": action}
    if q == V.Q_DIE_SLOT:
        return {"die": action >> 1, "slot": action & 1, "value": state.team[state.acting].dice[action >> 1]}
    if q == V.Q_OBST_SRC:
        return {"answer": "decline"} if action == V.NO_OBSTACLE else {"border": action - 1} if action else {"answer": "new"}
    if q == V.Q_OBST_EDGE:
        return {"border": action}
    if q == V.Q_DICE_MASK:
        return {"dice": action}
    if q == V.Q_DIE:
        return {"die": action}
    if action == V.DECLINE:
        return {"answer": "decline"}
    if q == V.Q_TARGET and action == V.MONSTER_TARGET:
        return {"answer": "monster"}
    return {"piece": action} if q in (V.Q_TARGET, V.Q_GO_PIECE, V.Q_VICTIM) else {"place": action}
