"""Answers and questions in words, as the asked seat sees them."""
from seatmate.engine.core.cardset cimport has
from seatmate.engine.hundred_days.content.vocabulary cimport (
    C_CLOSE, C_GAINING, C_MOVE, C_MOVING_RICK, GUARD, JUMP, MOVE_RICK, NONE, PLAY, Q_AFTER, Q_CARD, Q_HAND_DROP,
    Q_HAND_TAKE, Q_MPLACE, Q_OVERFLOW, Q_PAY, Q_PLACE, Q_PLACE2, Q_PLACE_MORTY, Q_PLACE_RICK, Q_REACT, Q_SEAT, Q_SPACE,
    Q_TRADE_IN, Q_TRADE_OUT, Q_TURN, Q_TYPE_GIVE, Q_TYPE_HALVE, Q_TYPE_LEAVE, Q_TYPE_STEAL, Q_WAIVE, STOP, USE,
)
from seatmate.engine.hundred_days.rules.cards cimport player_of
from seatmate.engine.hundred_days.rules.machine cimport prompt
from seatmate.engine.hundred_days.rules.model cimport Frame

from seatmate.engine.hundred_days.content.pack import TYPES
from seatmate.engine.hundred_days.words.names import PROMPTS, one, resources, several

VERBS = {Q_PAY: "Pay with", Q_TYPE_LEAVE: "Leave", Q_TYPE_STEAL: "Steal", Q_TYPE_GIVE: "Give away", Q_TYPE_HALVE: "Halve the",
         Q_TRADE_OUT: "Give back", Q_TRADE_IN: "Take", Q_WAIVE: "Don't pay"}


cdef const Frame* top(const Days* days):
    return &days.frame[days.depth - 1] if days.depth else NULL


cdef str what(const Days* days, const Frame* frame, names):
    """What is answered, or done."""
    if frame == NULL:
        return ""
    if frame.card != NONE:
        return names.titles[frame.card]
    if frame.kind == C_CLOSE:
        return f"closing {names.place(frame.P, days.board[frame.P])}"
    if frame.kind == C_MOVE:
        return f"Rick's move {names.space(frame.P)}" if frame.P != NONE else "the move"
    return "the harvest" if frame.kind < C_GAINING and days.flow.round and days.flow.step > 5 else "the reveal"


cdef str source(const Days* days, names):
    """The card whose effect asks; empty."""
    cdef int i
    for i in range(days.depth - 1, -1, -1):
        if days.frame[i].kind < C_GAINING:
            return names.titles[days.frame[i].card] if days.frame[i].card != NONE else ""
    return ""


cdef str question_of(const Book* book, const Days* days, int seat, names):
    """What the seat is asked, with the card it is about; empty where the prompt says all."""
    cdef int q = prompt(book, days, seat)
    cdef const Frame* frame = top(days)
    if q == Q_REACT:
        said = what(days, frame, names)
        if frame.seat != NONE:
            return f"Seat {frame.seat}: {said}. Do you react?"
        return f"Before {said}: do you play a reaction?" if "harvest" in said else f"After {said}: do you play a reaction?"
    if q == Q_SPACE and frame.kind == C_MOVING_RICK:
        whose = "your" if frame.X == seat else f"seat {frame.X}'s"
        return f"{source(days, names)}: where does {whose} Rick go?"
    if frame != NULL and frame.left > 1 and q != Q_REACT:
        return f"{PROMPTS[q].question} ({frame.left} left)"
    if q == Q_TURN:
        return f"What do you do? ({days.flow.actions_left} action{'s' if days.flow.actions_left > 1 else ''} left)"
    return ""


cdef str card_and_owner(const Book* book, const Days* days, int seat, int card, names):
    cdef int owner = player_of(book, days, card)
    title = names.titles[card]
    if owner == NONE:
        return title
    whose = "your" if owner == seat else f"seat {owner}'s"
    return f"{whose} {title}{' (guarded)' if has(&days.guarded, card) else ''}"


cdef str turn_label(const Book* book, const Days* days, int action, names):
    if action == 0:
        return "Pass" if not days.flow.acted and days.prompt == Q_TURN else "End the turn"
    if action == MOVE_RICK:
        return "Pay to move Rick"
    if action < MOVE_RICK:
        tile = names.pack.tile[days.board[action]]
        return f"Close {action}: {tile.title} ({tile.points} points for {' '.join(f'{n}{t}' for t, n in tile.cost.items())})"
    if action < USE:
        return f"Play {names.titles[action - PLAY]}"
    if action < GUARD:
        return f"Use {names.titles[action - USE]}"
    if action < JUMP:
        return f"Put a garage token on {names.titles[action - GUARD]}"
    return f"Play {names.titles[action - JUMP]}, a reaction"


cdef str label_of(const Book* book, const Days* days, int seat, int action, names):
    """A short sentence; no two answers read the same."""
    cdef int q = prompt(book, days, seat)
    cdef int i
    if q == Q_TURN or q == Q_AFTER:
        return turn_label(book, days, action, names)
    if q == Q_REACT:
        return f"React with {names.titles[action - 1]}" if action else "Don't react"
    if q == Q_PLACE_RICK or q == Q_SPACE:
        where = names.space(action) if action > 6 else names.place(action, days.board[action])
        return f"Rick {where}" if action > 6 else f"Rick on {where}"
    if q == Q_PLACE_MORTY or q == Q_MPLACE:
        return f"Morty on {names.place(action, days.board[action])}"
    if q == Q_SEAT:
        return f"Seat {action} ({resources([days.tokens[action][i] for i in range(4)])})"
    if q == Q_CARD:
        title = card_and_owner(book, days, seat, action, names)
        return f"{title[0].upper()}{title[1:]}"
    if q == Q_PLACE or q == Q_PLACE2:
        return f"Place {names.place(action, days.board[action])}"
    if q == Q_HAND_DROP or q == Q_OVERFLOW:
        return f"Give up {names.titles[action]}"
    if q == Q_HAND_TAKE:
        return f"Take {names.titles[action]}"
    if action == STOP:
        return "Pay all the rest" if q == Q_WAIVE else "Trade no more"
    if q == Q_TYPE_HALVE or q == Q_PAY:
        return f"{VERBS[q]} {several(action)}"
    return f"{VERBS.get(q, 'Take')} {one(action)}"


cdef dict args_of(const Book* book, const Days* days, int seat, int action, names):
    """The answer's named values: answer, card, place, space, seat, resource."""
    cdef int q = prompt(book, days, seat)
    if q == Q_TURN or q == Q_AFTER:
        if action == 0 or action == MOVE_RICK:
            return {"answer": "move" if action else "end"}
        if action < MOVE_RICK:
            return {"answer": "close", "place": action}
        kind, first = max((first, kind) for kind, first in (("play", PLAY), ("use", USE), ("guard", GUARD), ("react", JUMP))
                          if first <= action)[::-1]
        return {"answer": kind, "card": names.cards[action - first]}
    if q == Q_REACT:
        return {"answer": "react", "card": names.cards[action - 1]} if action else {"answer": "decline"}
    if q == Q_PLACE_RICK or q == Q_SPACE:
        return {"space": action}
    if q in (Q_PLACE_MORTY, Q_MPLACE, Q_PLACE, Q_PLACE2):
        return {"place": action}
    if q == Q_SEAT:
        return {"seat": action}
    if q in (Q_CARD, Q_HAND_DROP, Q_OVERFLOW, Q_HAND_TAKE):
        return {"card": names.cards[action]}
    return {"answer": "stop"} if action == STOP else {"resource": TYPES[action]}
