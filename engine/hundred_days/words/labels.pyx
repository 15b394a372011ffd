"""Answers and questions in words, as the asked seat sees them."""
from seatmate.engine.core.cardset cimport has
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.cards cimport player_of
from seatmate.engine.hundred_days.rules.model cimport Frame
from seatmate.engine.hundred_days.rules.query cimport prompt

from seatmate.engine.hundred_days.content.pack import TYPES
from seatmate.engine.hundred_days.words.names import PROMPTS, QUESTIONS, one, resources, several

ROWS = tuple(QUESTIONS[prompt.key] for prompt in PROMPTS)
CARD_ANSWERS = ((V.JUMP, "react", "Play {}, a reaction"), (V.GUARD, "guard", "Put a garage token on {}"), (V.USE, "use", "Use {}"),
                (V.PLAY, "play", "Play {}"))
"""Answers to TURN and AFTER that name a card, from this number on."""


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
        if frame.P == V.NONE:
            return "Rick's move"
        return f"Rick's move {'' if frame.P > 6 else 'to '}{names.space(frame.P)}"
    return "the harvest" if frame.kind < V.C_GAINING and days.flow.round and days.flow.step > 5 else "the reveal"


cdef str source(const Days* days, names):
    """What asks: the card, the closing or the move that is being carried out, or what the pawns bring; empty where
    nothing is."""
    cdef int i
    for i in range(days.depth - 1, -1, -1):
        if days.frame[i].kind < V.C_GAINING:
            return what(days, &days.frame[i], names)
    if not days.depth:
        return ""
    return "the Smith house" if days.flow.step == V.S_GARAGE else "the harvest"


cdef str question_of(const Book* book, const Days* days, int seat, names):
    """What the seat is asked, with the card or what else it is about; empty where the prompt says all."""
    cdef int q = prompt(book, days, seat)
    cdef const Frame* frame = top(days)
    if q == V.Q_REACT:
        said = what(days, frame, names)
        if frame.seat != V.NONE:
            return f"Seat {frame.seat}: {said}. Do you react?"
        return f"Before {said}: do you play a reaction?" if "harvest" in said else f"After {said}: do you play a reaction?"
    if q == V.Q_TURN:
        return f"What do you do? ({days.flow.actions_left} action{'s' if days.flow.actions_left > 1 else ''} left)"
    text = PROMPTS[q].question
    if q == V.Q_SPACE and frame.kind == V.C_MOVING_RICK:
        whose = "your" if frame.X == seat else f"seat {frame.X}'s"
        text = f"Where does {whose} Rick go?"
    if frame != NULL and frame.left > 1:
        text = f"{text} ({frame.left} left)"
    about = source(days, names)
    return f"{about[0].upper()}{about[1:]}: {text[0].lower()}{text[1:]}" if about else text


cdef str card_and_owner(const Book* book, const Days* days, int seat, int card, names):
    cdef int owner = player_of(book, days, card)
    title = names.titles[card]
    if owner == V.NONE:
        return title
    whose = "your" if owner == seat else f"seat {owner}'s"
    return f"{whose} {title}{' (guarded)' if has(&days.guarded, card) else ''}"


cdef tuple card_answer(int action):
    """(word, label, card) of an answer to TURN that names a card."""
    for first, word, label in CARD_ANSWERS:
        if action >= first:
            return word, label, action - first


cdef str turn_label(const Days* days, int action, names):
    if action == 0:
        return "Pass" if not days.flow.acted and days.prompt == V.Q_TURN else "End the turn"
    if action == V.MOVE_RICK:
        return "Pay to move Rick"
    if action < V.MOVE_RICK:
        tile = names.pack.tile[days.board[action]]
        return f"Close {action}: {tile.title} ({tile.points} points for {resources(tile.cost)})"
    _word, label, card = card_answer(action)
    return label.format(names.titles[card])


cdef str label_of(const Book* book, const Days* days, int seat, int action, names):
    """A short sentence; no two answers read the same."""
    cdef int q = prompt(book, days, seat)
    cdef int i
    row = ROWS[q]
    if q == V.Q_TURN or q == V.Q_AFTER:
        return turn_label(days, action, names)
    if q == V.Q_REACT:
        return row.label.format(names.titles[action - 1]) if action else "Don't react"
    if row.answer == "resource":
        if action == V.STOP:
            return "Pay all the rest" if q == V.Q_WAIVE else "Trade no more"
        return row.label.format(one(action), all=several(action))
    if row.answer == "seat":
        said = f"{action} ({resources([days.tokens[action][i] for i in range(V.TYPES)])})"
    elif row.answer == "card":
        said = card_and_owner(book, days, seat, action, names) if q == V.Q_CARD else names.titles[action]
    elif action >= V.PLACES:
        said = names.space(action)
    else:
        said = ("on " if row.answer == "space" else "") + names.place(action, days.board[action])
    said = row.label.format(said)
    return f"{said[0].upper()}{said[1:]}"


cdef dict args_of(const Book* book, const Days* days, int seat, int action, names):
    """The answer's named values: answer, card, place, space, seat, resource."""
    cdef int q = prompt(book, days, seat)
    kind = ROWS[q].answer
    if q == V.Q_TURN or q == V.Q_AFTER:
        if action == 0 or action == V.MOVE_RICK:
            return {"answer": "move" if action else "end"}
        if action < V.MOVE_RICK:
            return {"answer": "close", "place": action}
        word, _label, card = card_answer(action)
        return {"answer": word, "card": names.cards[card]}
    if q == V.Q_REACT:
        return {"answer": "react", "card": names.cards[action - 1]} if action else {"answer": "decline"}
    if kind == "resource":
        return {"answer": "stop"} if action == V.STOP else {kind: TYPES[action]}
    return {kind: names.cards[action] if kind == "card" else action}
