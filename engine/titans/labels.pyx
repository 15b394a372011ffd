"""Answers in words, as the asked seat sees them."""
from seatmate.engine.titans.model cimport MONSTER_TARGET, NONE, Frame
from seatmate.engine.titans.query cimport members
from seatmate.engine.titans.rounds cimport first_piece, next_return
from seatmate.engine.titans.rules cimport prompt
from seatmate.engine.titans.turns cimport slot_tier
from seatmate.engine.titans.vocabulary cimport (
    DECLINE, NO_OBSTACLE, PLAY_CARD, Q_ABILITY, Q_COMP_CARD, Q_COMP_CHAR, Q_CYBORG, Q_DEST, Q_DICE_MASK, Q_DIE,
    Q_DIE_SLOT, Q_DRAFT, Q_ESCAPE, Q_FIRST_PLACE, Q_GO_PIECE, Q_GO_PLACE, Q_MOVE, Q_OBST_EDGE, Q_OBST_SRC, Q_PIECE,
    Q_REMOVE, Q_REPLACE, Q_SETASIDE, Q_TARGET, Q_TRAP_PLACE, Q_VICTIM, Q_WINDOW, STAY, USE_INNATE, USE_SLOT, V_DAMAGE,
    V_DISPLACE, V_ESCAPE, V_HEAL, V_IGNITE, V_MELEE, V_MOVE, V_PULL, V_PUSH, V_RANGED, V_SHIELD, V_STUN,
)
from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.core.zones cimport lowest_bit

from seatmate.engine.core.spec import words as listed

VERBS = {V_MELEE: "Hit", V_RANGED: "Shoot", V_DAMAGE: "Hurt", V_HEAL: "Heal", V_IGNITE: "Ignite", V_STUN: "Stun",
         V_SHIELD: "Give a shield to", V_ESCAPE: "Give an escape token to", V_PULL: "Pull", V_PUSH: "Push"}
TIERS = ("", " (special)", " (special and star)")


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
        ability = names.abilities[h.pc[h.active].ctype][action & 1]
        return f"{piece_name(h, h.active, names)}: {ability} with the {h.team[h.acting].dice[action >> 1]}"
    if q == Q_MOVE:
        return f"Stay on {place_name(h, h.pc[h.active].place, names)}" if action == STAY else (
            f"Move to {place_name(h, action, names)}")
    if q == Q_ABILITY:
        ctype = h.pc[h.active].ctype
        if action == USE_SLOT:
            return f"Use {names.abilities[ctype][h.slot]}{TIERS[slot_tier(t, h, h.active, h.slot)]}"
        return f"Use {names.innates[ctype]}" if action == USE_INNATE else "End the turn"
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
        return f"{verb} {mover} to {place_name(h, action, names)}" if action != DECLINE else f"Leave {mover} there"
    if q == Q_OBST_SRC:
        if action == NO_OBSTACLE:
            return "No obstacle"
        return f"Relocate the obstacle {border_name(t, h, action - 1, names)}" if action else "Place a new obstacle"
    if q == Q_OBST_EDGE:
        return f"Obstacle {border_name(t, h, action, names)}"
    if q == Q_TRAP_PLACE:
        return "No trap" if action == DECLINE else f"Trap on {place_name(h, action, names)}"
    if q == Q_GO_PLACE:
        return f"Put {names.tokens[f.args[0]]} on {place_name(h, action, names)}"
    team = f.team if not f.who else 1 - f.team
    if q == Q_DICE_MASK:
        return f"Roll the {listed([str(h.team[team].dice[i]) for i in range(2) if action >> i & 1])} again"
    return f"Turn the {h.team[team].dice[action]} to {f.args[0]}"


cdef dict args_of(const Tables* t, const Titans* h, int seat, int action, names):
    """The answer's named values: character, card, place, piece, border, die, slot, answer."""
    cdef int q = prompt(t, h, seat)
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
