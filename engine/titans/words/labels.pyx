"""Answers in words, as the asked seat sees them."""
from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.core.zones cimport lowest_bit
from seatmate.engine.titans.content.vocabulary cimport (
    DECLINE, NO_OBSTACLE, PLAY_CARD, Q_ABILITY, Q_COMP_CARD, Q_COMP_CHAR, Q_CYBORG, Q_DEST, Q_DICE_MASK, Q_DIE,
    Q_DIE_SLOT, Q_DRAFT, Q_ESCAPE, Q_FIRST_PLACE, Q_GO_PIECE, Q_GO_PLACE, Q_MOVE, Q_OBST_EDGE, Q_OBST_SRC, Q_PIECE,
    Q_REMOVE, Q_REPLACE, Q_SETASIDE, Q_TARGET, Q_TRAP_PLACE, Q_VICTIM, Q_WINDOW, STAY, USE_INNATE, USE_SLOT, V_DAMAGE,
    V_DISPLACE, V_ESCAPE, V_HEAL, V_IGNITE, V_MELEE, V_MOVE, V_PULL, V_PUSH, V_RANGED, V_SHIELD, V_STUN, V_TELEPORT,
    W_ACT1, W_ATTACKED, W_ENTER, W_KO, W_START,
)
from seatmate.engine.titans.rules.legal cimport first_piece, next_return, prompt, slot_tier
from seatmate.engine.titans.rules.model cimport CYBORG, MONSTER_TARGET, NONE, PIECES, PROG, SLOT_USED, Frame
from seatmate.engine.titans.rules.query cimport members

from seatmate.engine.core.spec import words as listed

VERBS = {V_MELEE: "Hit", V_RANGED: "Shoot", V_DAMAGE: "Hurt", V_HEAL: "Heal", V_IGNITE: "Ignite", V_STUN: "Stun",
         V_SHIELD: "Give a shield to", V_ESCAPE: "Give an escape token to", V_PULL: "Pull", V_PUSH: "Push"}
ENTERED = ("has moved to", "was pulled to", "was pushed to", "has teleported to", "was brought to", "has entered")
TIERS = ("", " (special effect)", " (special and star effects)")


cdef str piece_name(const Titans* h, int piece, names):
    return names.piece(4 * h.pc[piece].ctype + piece)


cdef str place_name(const Titans* h, int place, names):
    """A place; beside equal names (none in our pack) the number tells."""
    return names.place(place, h.tile[place] if h.tile[place] != NONE else -1)


cdef str border_name(const Tables* t, const Titans* h, int edge, names):
    return f"between {place_name(h, t.edge_a[edge], names)} and {place_name(h, t.edge_b[edge], names)}"


cdef int moved_piece(const Tables* t, const Titans* h, const Frame* f):
    """Whom the question DEST is about."""
    if f.verb == V_PUSH:
        return f.a
    return lowest_bit(<uint64_t> members(t, h, f, &t.row[f.args[0]]))


cdef str window_text(const Tables* t, const Titans* h, names):
    """What has happened, or is about to, where seats may play a card."""
    cdef const Frame* f = &h.frame[h.depth - 1]
    cdef const Frame* below = &h.frame[h.depth - 2] if h.depth > 1 else NULL
    if f.mode == W_START:
        return f"The start of round {h.round} is over"
    about = piece_name(h, f.tgt, names)
    if f.mode == W_ENTER and below != NULL:
        return f"{about} {ENTERED[below.mode]} {place_name(h, f.place, names)}"
    if f.mode == W_ATTACKED and below != NULL:
        return f"{piece_name(h, f.other, names)} {'shoots' if below.mode else 'hits'} {about}"
    if f.mode == W_KO:
        return f"{about} is KO in the turn of {piece_name(h, h.active, names)}"
    with_die = f"{names.abilities[h.pc[h.active].ctype][h.slot]} ({h.pc[h.active].slot_die[h.slot]})"
    if f.mode == W_ACT1:
        return f"{about} acts with {with_die}"
    if f.mode == W_ACT1:
        return f"{about} acts with {with_die}"
    return f"{about} goes on, {with_die} {'used' if h.flags & SLOT_USED else 'still to come'}"


cdef str question_of(const Tables* t, const Titans* h, int seat, names):
    """What the seat is asked, with the piece, the card or the ability it is about; empty where the prompt says all."""
    cdef int q = prompt(t, h, seat)
    cdef const Frame* f = &h.frame[h.depth - 1] if h.depth else NULL
    if q == Q_FIRST_PLACE or q == Q_REPLACE:
        piece = first_piece(h) if q == Q_FIRST_PLACE else next_return(h)
        return f"On which base does {piece_name(h, piece, names)} {'begin' if q == Q_FIRST_PLACE else 'return'}?"
    if q == Q_DIE_SLOT:
        return f"Which die goes on which ability of {piece_name(h, h.active, names)}?"
    if q == Q_MOVE or q == Q_ABILITY:
        return f"{'Where' if q == Q_MOVE else 'What'} does {piece_name(h, h.active, names)} {'move' if q == Q_MOVE else 'do'}?"
    if q == Q_WINDOW:
        return f"{window_text(t, h, names)}: do you play a card?"
    if q == Q_ESCAPE:
        return f"{piece_name(h, f.actor, names)} has moved: does {piece_name(h, f.tgt, names)} use the escape token?"
    if q == Q_CYBORG:
        return "Where does Cyborg go?" if f == NULL else f"Where does Cyborg go (step {f.place} of 2)?"
    if f == NULL or f.kind != PROG:
        return ""
    source = names.source(f.source, [h.pc[i].ctype for i in range(PIECES)])
    if q == Q_TARGET and (f.verb == V_MELEE or f.verb == V_RANGED) or q == Q_VICTIM:
        return f"{source}: whom does {piece_name(h, f.actor, names)} {VERBS[f.verb].lower()}?"
    if q == Q_TARGET or q == Q_GO_PIECE:
        return f"{source}: whom do you {VERBS[f.verb][0].lower()}{VERBS[f.verb][1:]}?"
    if q == Q_DEST:
        mover = piece_name(h, moved_piece(t, h, f), names)
        if f.verb == V_MOVE or f.verb == V_TELEPORT:
            return f"{source}: where does {mover} {'move' if f.verb == V_MOVE else 'teleport'}?"
        return f"{source}: where is {mover} pushed?"
    if q == Q_TRAP_PLACE:
        return f"{source}: where {'does the trap' if f.args[0] == 1 else f'do the {f.args[0]} traps'} go?"
    if q == Q_GO_PLACE:
        return f"{source}: on which place is {names.tokens[f.args[0]]} put?"
    said = {Q_OBST_SRC: "which obstacle do you use?", Q_OBST_EDGE: "on which border does the obstacle go?",
            Q_DICE_MASK: "which dice do you roll again?", Q_DIE: "which die do you turn?"}.get(q)
    return f"{source}: {said}" if said else ""


cdef str label_of(const Tables* t, const Titans* h, int seat, int action, names):
    """A short sentence; two answers may read the same (the game then numbers them)."""
    cdef int q = prompt(t, h, seat)
    cdef const Frame* f = &h.frame[h.depth - 1] if h.depth else NULL
    if q == Q_DRAFT or q == Q_COMP_CHAR:
        return f"Take {names.titles[action]}"
    if q == Q_SETASIDE:
        return f"Set {names.card_titles[action]} aside"
    if q == Q_COMP_CARD:
        return f"Take {names.card_titles[action]}"
    if q == Q_FIRST_PLACE or q == Q_REPLACE:
        piece = first_piece(h) if q == Q_FIRST_PLACE else next_return(h)
        return f"{piece_name(h, piece, names)} on {place_name(h, action, names)}"
    if q == Q_WINDOW:
        return f"Play {names.card_titles[action - 1]}" if action else "Play no card"
    if (q == Q_MOVE or q == Q_ABILITY) and action >= PLAY_CARD:
        return f"Play {names.card_titles[action - PLAY_CARD]}"
    if q == Q_PIECE:
        return f"Activate {piece_name(h, action, names)}"
    if q == Q_DIE_SLOT:
        ctype = h.pc[h.active].ctype
        die = h.team[h.acting].dice[action >> 1]
        tier = 0 if die < names.slots[ctype][action & 1] else 2 if t.face_star[h.face] else 1
        return f"{piece_name(h, h.active, names)}: {names.abilities[ctype][action & 1]} with the {die}{TIERS[tier]}"
    if q == Q_MOVE:
        mover = piece_name(h, h.active, names)
        return f"{mover} stays on {place_name(h, h.pc[h.active].place, names)}" if action == STAY else (
            f"Move {mover} to {place_name(h, action, names)}")
    if q == Q_ABILITY:
        ctype = h.pc[h.active].ctype
        mover = piece_name(h, h.active, names)
        if action == USE_SLOT:
            return f"{mover} uses {names.abilities[ctype][h.slot]}{TIERS[slot_tier(t, h, h.active, h.slot)]}"
        return f"{mover} uses {names.innates[ctype]}" if action == USE_INNATE else f"End the turn of {mover}"
    if q == Q_REMOVE:
        return f"Remove {place_name(h, action, names)}"
    if q == Q_CYBORG:
        return "Leave Cyborg where he is" if action == DECLINE else f"Move Cyborg to {place_name(h, action, names)}"
    if q == Q_ESCAPE:
        holder = piece_name(h, f.tgt, names)
        return f"{holder}: keep the escape token" if action == DECLINE else f"{holder}: escape to {place_name(h, action, names)}"
    if q == Q_TARGET or q == Q_GO_PIECE or q == Q_VICTIM:
        verb = VERBS.get(f.verb, "Choose")
        if action == DECLINE:
            return "Nobody"
        return f"{verb} {'the monster' if action == MONSTER_TARGET and q == Q_TARGET else piece_name(h, action, names)}"
    if q == Q_DEST:
        mover = piece_name(h, moved_piece(t, h, f), names)
        verb = "Move" if f.verb == V_MOVE else "Push" if f.verb in (V_PUSH, V_DISPLACE) else "Teleport"
        if action == DECLINE:
            return f"Leave {mover} on {place_name(h, h.pc[moved_piece(t, h, f)].place, names)}"
        return f"{verb} {mover} to {place_name(h, action, names)}"
    if q == Q_OBST_SRC:
        if action == NO_OBSTACLE:
            return "No obstacle"
        return f"Move the obstacle {border_name(t, h, action - 1, names)}" if action else "Place a new obstacle"
    if q == Q_OBST_EDGE:
        return f"Put it {border_name(t, h, action, names)}"
    if q == Q_TRAP_PLACE:
        return "No trap" if action == DECLINE else f"Trap on {place_name(h, action, names)}"
    if q == Q_GO_PLACE:
        return f"Put {names.tokens[f.args[0]]} on {place_name(h, action, names)}"
    team = f.team if not f.who else 1 - f.team
    if q == Q_DICE_MASK:
        return f"Roll the {listed([str(h.team[team].dice[i]) for i in range(2) if action >> i & 1])} again"
    return f"Turn the {h.team[team].dice[action]} to {f.args[0]}"


cdef int piece_asked_about(const Tables* t, const Titans* h, int q):
    """The piece a question is about, where its answers do not name one themselves; -1."""
    cdef const Frame* f = &h.frame[h.depth - 1] if h.depth else NULL
    if q == Q_FIRST_PLACE:
        return first_piece(h)
    if q == Q_REPLACE:
        return next_return(h)
    if q == Q_MOVE or q == Q_ABILITY or q == Q_DIE_SLOT:
        return h.active
    if q == Q_ESCAPE:
        return f.tgt
    return moved_piece(t, h, f) if q == Q_DEST else CYBORG if q == Q_CYBORG else -1


cdef dict args_of(const Tables* t, const Titans* h, int seat, int action, names):
    """The answer's named values: character, card, place, piece, border, die, slot, answer; `piece` is whom the question is about,
    or whom the answer chooses."""
    cdef int q = prompt(t, h, seat)
    cdef int piece = piece_asked_about(t, h, q)
    cdef dict args = answer_args(t, h, q, action, names)
    return args if piece < 0 else {"piece": piece, **args}


cdef dict answer_args(const Tables* t, const Titans* h, int q, int action, names):
    """The answer itself."""
    if q == Q_DRAFT or q == Q_COMP_CHAR:
        return {"character": names.characters[action]}
    if q == Q_SETASIDE or q == Q_COMP_CARD:
        return {"card": names.cards[action]}
    if q == Q_WINDOW:
        return {"card": names.cards[action - 1]} if action else {"answer": "pass"}
    if q == Q_MOVE or q == Q_ABILITY:
        if action >= PLAY_CARD:
            return {"card": names.cards[action - PLAY_CARD]}
        if q == Q_MOVE:
            return {"answer": "stay"} if action == STAY else {"place": action}
        return {"answer": ("end", "ability", "innate")[action]}
    if q == Q_PIECE:
        return {"piece": action}
    if q == Q_DIE_SLOT:
        return {"die": action >> 1, "slot": action & 1, "value": h.team[h.acting].dice[action >> 1]}
    if q == Q_OBST_SRC:
        return {"answer": "decline"} if action == NO_OBSTACLE else {"border": action - 1} if action else {"answer": "new"}
    if q == Q_OBST_EDGE:
        return {"border": action}
    if q == Q_DICE_MASK:
        return {"dice": action}
    if q == Q_DIE:
        return {"die": action}
    if action == DECLINE:
        return {"answer": "decline"}
    if q == Q_TARGET and action == MONSTER_TARGET:
        return {"answer": "monster"}
    return {"piece": action} if q in (Q_TARGET, Q_GO_PIECE, Q_VICTIM) else {"place": action}
