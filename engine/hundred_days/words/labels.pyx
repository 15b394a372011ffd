"""Answers and questions in words, as the asked seat sees them."""
from seatmate.engine.core.cardset cimport has
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.cards cimport player_of
from seatmate.engine.hundred_days.rules.model cimport Frame
from seatmate.engine.hundred_days.rules.query cimport prompt

from seatmate.engine.hundred_days.content.pack import TYPES
from seatmate.engine.hundred_days.words.names import PROMPTS, one, resources, several

VERBS = {V.Q_PAY: "Pay with", V.Q_TYPE_LEAVE: "Leave", V.Q_TYPE_STEAL: "Steal", V.Q_TYPE_GIVE: "Give away",
         V.Q_TYPE_HALVE: "Halve the", V.Q_TRADE_OUT: "Give back", V.Q_TRADE_IN: "Take", V.Q_WAIVE: "Don't pay"}


cdef const Frame* top(const Days* days):
    return &days.frame[days.depth - 1] if days.depth else NULL


cdef str what(const Days* days, const Frame* frame, names):
    """What is answered, or done."""
    if frame == NULL:
        return ""
    if frame.card != V.NONE:
        return names.titles[frame.card]
    if frame.kind == V.C_CLOSE:
        return f"closing {names.place(frame.P, days.board[frame.P])}"
    if frame.kind == V.C_MOVE:
        return f"Rick's move {names.space(frame.P)}" if frame.P != V.NONE else "the move"
    return "the harvest" if frame.kind < V.C_GAINING and days.flow.round and days.flow.step > 5 else "the reveal"


cdef str source(const Days* days, names):
    """The card whose effect asks; empty."""
    cdef int i
    for i in range(days.depth - 1, -1, -1):
        if days.frame[i].kind < V.C_GAINING:
            return names.titles[days.frame[i].card] if days.frame[i].card != V.NONE else ""
    return ""


cdef str question_of(const Book* book, const Days* days, int seat, names):
    """What the seat is asked, with the card it is about; empty where the prompt says all."""
    cdef int q = prompt(book, days, seat)
    cdef const Frame* frame = top(days)
    if q == V.Q_REACT:
        said = what(days, frame, names)
        if frame.seat != V.NONE:
            return f"Seat {frame.seat}: {said}. Do you react?"
        return f"Before {said}: do you play a reaction?" if "harvest" in said else f"After {said}: do you play a reaction?"
    if q == V.Q_SPACE and frame.kind == V.C_MOVING_RICK:
        whose = "your" if frame.X == seat else f"seat {frame.X}'s"
        return f"{source(days, names)}: where does {whose} Rick go?"
    if frame != NULL and frame.left > 1 and q != V.Q_REACT:
        return f"{PROMPTS[q].question} ({frame.left} left)"
    if q == V.Q_TURN:
        return f"What do you do? ({days.flow.actions_left} action{'s' if days.flow.actions_left > 1 else ''} left)"
    return ""


cdef str card_and_owner(const Book* book, const Days* days, int seat, int card, names):
    cdef int owner = player_of(book, days, card)
    title = names.titles[card]
    if owner == V.NONE:
        return title
    whose = "your" if owner == seat else f"seat {owner}'s"
    return f"{whose} {title}{' (guarded)' if has(&days.guarded, card) else ''}"


cdef str turn_label(const Book* book, const Days* days, int action, names):
    if action == 0:
        return "Pass" if not days.flow.acted and days.prompt == V.Q_TURN else "End the turn"
    if action == V.MOVE_RICK:
        return "Pay to move Rick"
    if action < V.MOVE_RICK:
        tile = names.pack.tile[days.board[action]]
        return f"Close {action}: {tile.title} ({tile.points} points for {' '.join(f'{n}{t}' for t, n in tile.cost.items())})"
    if action < V.USE:
        return f"Play {names.titles[action - V.PLAY]}"
    if action < V.GUARD:
        return f"Use {names.titles[action - V.USE]}"
    if action < V.JUMP:
        return f"Put a garage token on {names.titles[action - V.GUARD]}"
    return f"Play {names.titles[action - V.JUMP]}, a reaction"


cdef str label_of(const Book* book, const Days* days, int seat, int action, names):
    """A short sentence; no two answers read the same."""
    cdef int q = prompt(book, days, seat)
    cdef int i
    if q == V.Q_TURN or q == V.Q_AFTER:
        return turn_label(book, days, action, names)
    if q == V.Q_REACT:
        return f"React with {names.titles[action - 1]}" if action else "Don't react"
    if q == V.Q_PLACE_RICK or q == V.Q_SPACE:
        where = names.space(action) if action > 6 else names.place(action, days.board[action])
        return f"Rick {where}" if action > 6 else f"Rick on {where}"
    if q == V.Q_PLACE_MORTY or q == V.Q_MPLACE:
        return f"Morty on {names.place(action, days.board[action])}"
    if q == V.Q_SEAT:
        return f"Seat {action} ({resources([days.tokens[action][i] for i in range(4)])})"
    if q == V.Q_CARD:
        title = card_and_owner(book, days, seat, action, names)
        return f"{title[0].upper()}{title[1:]}"
    if q == V.Q_PLACE or q == V.Q_PLACE2:
        return f"Place {names.place(action, days.board[action])}"
    if q == V.Q_HAND_DROP or q == V.Q_OVERFLOW:
        return f"Give up {names.titles[action]}"
    if q == V.Q_HAND_TAKE:
        return f"Take {names.titles[action]}"
    if action == V.STOP:
        return "Pay all the rest" if q == V.Q_WAIVE else "Trade no more"
    if q == V.Q_TYPE_HALVE or q == V.Q_PAY:
        return f"{VERBS[q]} {several(action)}"
    return f"{VERBS.get(q, 'Take')} {one(action)}"


cdef dict args_of(const Book* book, const Days* days, int seat, int action, names):
    """The answer's named values: answer, card, place, space, seat, resource."""
    cdef int q = prompt(book, days, seat)
    if q == V.Q_TURN or q == V.Q_AFTER:
        if action == 0 or action == V.MOVE_RICK:
            return {"answer": "move" if action else "end"}
        if action < V.MOVE_RICK:
            return {"answer": "close", "place": action}
        kind, first = max((first, kind) for kind, first in (("play", V.PLAY), ("use", V.USE), ("guard", V.GUARD), ("react", V.JUMP))
                          if first <= action)[::-1]
        return {"answer": kind, "card": names.cards[action - first]}
    if q == V.Q_REACT:
        return {"answer": "react", "card": names.cards[action - 1]} if action else {"answer": "decline"}
    if q == V.Q_PLACE_RICK or q == V.Q_SPACE:
        return {"space": action}
    if q in (V.Q_PLACE_MORTY, V.Q_MPLACE, V.Q_PLACE, V.Q_PLACE2):
        return {"place": action}
    if q == V.Q_SEAT:
        return {"seat": action}
    if q in (V.Q_CARD, V.Q_HAND_DROP, V.Q_OVERFLOW, V.Q_HAND_TAKE):
        return {"card": names.cards[action]}
    return {"answer": "stop"} if action == V.STOP else {"resource": TYPES[action]}
