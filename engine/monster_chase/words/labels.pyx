"""Answers and questions in words."""
from seatmate.engine.monster_chase.content cimport vocabulary as V
from seatmate.engine.monster_chase.rules.model cimport Frame, occupant
from seatmate.engine.monster_chase.rules.query cimport card_value

from seatmate.engine.monster_chase.content.pack import EFFECTS
from seatmate.engine.monster_chase.words.names import PROMPTS

MENU = ("End the turn", "Play a card", "Advanced Manoeuvre: two cards", "Cognitive Transfer: another car does the effect",
        "Kinetic Transfer: another car moves", "Astral Transfer: ask for a card", "Star power of level 1", "Star power of level 2",
        "Star power of level 3", "Use the spirit", "Use the Magic-Nitro", "Give the Magic-Nitro away", "Swap Magic-Nitros")
MENU_WORDS = ("end", "card", "manoeuvre", "cognitive", "kinetic", "astral", "power1", "power2", "power3", "spirit", "nitro",
              "give", "swap")
DOING = {V.X_STEER: "Change lanes", V.X_MISSILE: "Fire a missile", V.X_BOMB: "Put down a bomb", V.X_REPAIR: "Repair",
         V.X_STAR: "Take a star", V.X_FREEZE: "Use the freeze gun", V.X_POWER: "Take shields"}
SQUARES = (V.Q_FORK, V.Q_RETURN_SQUARE, V.Q_SLIDE_SQUARE, V.Q_SNOUT_SQUARE, V.Q_ROLL_PICK)
VEHICLES = (V.Q_LINK_CAR, V.Q_POWER_PICK, V.Q_DONOR, V.Q_NITRO_DEAL, V.Q_GRID_CAR)


cdef const Frame* top(const Chase* chase):
    return &chase.frame[chase.depth - 1] if chase.depth else NULL


cdef int asked_of(const Chase* chase):
    """The prompt; for a tie of the Boss the one it could not decide."""
    return chase.flow.tied_prompt if chase.flow.prompt == V.Q_BOSS_TIE else chase.flow.prompt


cdef str where(const Book* book, const Chase* chase, int sq, names):
    """A square and who or what is there."""
    said = names.square(sq)
    there = occupant(book, chase, sq)
    if there >= 0:
        return f"{said} ({names.vehicle(there)})"
    return f"{said} ({('', 'boulder', 'bomb', 'ice')[chase.object[sq]]})" if chase.object[sq] else said


cdef str doing(const Book* book, const Frame* frame):
    """What a vehicle does with the effect of a card. A drone takes no stars: it drives on (5.10)."""
    if frame.card == V.X_STAR and book.kind[frame.v] == V.K_DRONE:
        return f"Drive {book.bot_star} squares more"
    return DOING[frame.card]


cdef str effect_question(const Book* book, const Chase* chase, const Frame* frame, int seat, names):
    """Do you fire a missile? Where does the drone change lanes to?"""
    cdef const Frame* below = &chase.frame[chase.depth - 2] if chase.depth > 1 else NULL
    cdef bint of_card = below != NULL and below.kind == V.C_CARD
    who = "do you" if chase.flow.asker in (V.NONE, seat) else f"does {names.vehicle(chase.flow.asker)}"
    does = doing(book, frame)
    said = f"{who} {does[0].lower()}{does[1:]}"
    if frame.card == V.X_STEER or frame.card == V.X_BOMB:
        said = f"where {said}"
    if of_card and (frame.flags & V.FREE or below.flags & V.USED):
        said = f"{said} once more"
    return f"{said[0].upper()}{said[1:]}?"


cdef str question_of(const Book* book, const Chase* chase, int seat, names):
    """What the seat is asked, with the vehicle and card it is about; empty where the prompt says all."""
    cdef const Frame* frame = top(chase)
    cdef int prompt = chase.flow.prompt
    cdef int asker = chase.flow.asker
    text = PROMPTS[prompt].question
    if prompt == V.Q_EFFECT:
        return effect_question(book, chase, frame, seat, names)
    if prompt in (V.Q_POWER_SQUARE, V.Q_SLAB_SQUARE, V.Q_HAND_DISCARD, V.Q_AURA_DROP) and frame.left:
        text = f"{text} ({frame.left} left)"
    elif prompt == V.Q_MAN_CARD and frame.stage:
        text = "Which second card of the manoeuvre?"
    elif prompt == V.Q_SHIELD_BLOCK or prompt == V.Q_SHIELD_BOOST:
        text = f"{text} ({frame.left} damage to {names.vehicle(frame.v)})"
    elif prompt == V.Q_BOSS_TIE:
        text = f"The Boss can't decide: {PROMPTS[chase.flow.tied_prompt].question.lower()}"
    if asker != V.NONE and asker != seat and prompt != V.Q_BOSS_TIE:
        return f"For {names.vehicle(asker)}: {text[0].lower()}{text[1:]}"
    return text


cdef str label_of(const Book* book, const Chase* chase, int a, names):
    """A short sentence; no two answers read the same. a: what the answer means."""
    cdef const Frame* frame = top(chase)
    cdef int q = asked_of(chase)
    if q == V.Q_TURN_MENU:
        return MENU[a]
    if q == V.Q_CARD or q == V.Q_MAN_CARD or q == V.Q_HAND_DISCARD:
        colour = ("Sprint", "Rush")[a >= V.RUSH]
        return f"{names.card(a)} ({colour})"
    if q == V.Q_ASTRAL_OFFER:
        return f"Give {names.card(a - 1)} ({('Sprint', 'Rush')[a > V.RUSH]})" if a else "Refuse"
    if q == V.Q_SHIELD_UPKEEP:
        return f"Discard {names.card(a - 1)} ({('Sprint', 'Rush')[a > V.RUSH]})" if a else "Lose a shield"
    if q == V.Q_EFFECT:
        if a >= V.SQUARE:
            verb = "Change lanes to" if frame.card == V.X_STEER else "Put a bomb on"
            return f"{verb} {where(book, chase, a - V.SQUARE, names)}"
        return doing(book, frame) if a else "Don't use it"
    if q == V.Q_TELEPORT or q == V.Q_POWER_SQUARE or q == V.Q_SLAB_SQUARE:
        return names.square(a - V.SQUARE).capitalize() if a else "Nowhere"
    if q in SQUARES:
        said = where(book, chase, a, names)
        return said[0].upper() + said[1:]
    if q in VEHICLES:
        if a == V.NOBODY_SEAT:
            return "Nobody"
        said = names.vehicle(a)
        return f"{said[0].upper()}{said[1:]}" + (f" ({names.square(chase.car[a].sq)})" if chase.car[a].sq != V.NONE else "")
    if q == V.Q_PILOT_PICK or q == V.Q_DRAFT_PICK or q == V.Q_DRAFT_ASSIGN:
        row = names.pack.pilot[a]
        return f"{row.name} ({row.car})"
    if q == V.Q_GRID_SLOT:
        return f"Position {a + 1}"
    if q == V.Q_AURA_DROP:
        return f"Give up {names.aura(a, True)}"
    if q == V.Q_MAN_EFFECT:
        return "Two shields" if a == V.X_SHIELDS else EFFECTS[a].capitalize()
    if q == V.Q_KIN_POINTS:
        return f"{a} of {card_value(book, chase, frame.v, frame.card)} squares"
    if q == V.Q_DECK_PICK or q == V.Q_SPIRIT_TAKE:
        return ("Sprint", "Rush")[a]
    if q == V.Q_SHIELD_BOOST or q == V.Q_SHIELD_BLOCK:
        return f"{a} shield{'' if a == 1 else 's'}"
    return "Yes" if a else "No"


cdef dict args_of(const Book* book, const Chase* chase, int a, names):
    """The answer's named values: answer, card, square, vehicle, pilot, number."""
    cdef int q = asked_of(chase)
    if q == V.Q_TURN_MENU:
        return {"answer": MENU_WORDS[a]}
    if q == V.Q_CARD or q == V.Q_MAN_CARD or q == V.Q_HAND_DISCARD:
        return {"card": names.types[a]}
    if q == V.Q_ASTRAL_OFFER or q == V.Q_SHIELD_UPKEEP:
        return {"card": names.types[a - 1]} if a else {"answer": "refuse" if q == V.Q_ASTRAL_OFFER else "shield"}
    if a >= V.SQUARE:
        return {"square": a - V.SQUARE}
    if q in SQUARES:
        return {"square": a}
    if q in VEHICLES:
        return {"vehicle": a} if a != V.NOBODY_SEAT else {"answer": "nobody"}
    if q == V.Q_PILOT_PICK or q == V.Q_DRAFT_PICK or q == V.Q_DRAFT_ASSIGN:
        return {"pilot": names.pack.pilot[a].id}
    if q == V.Q_AURA_DROP:
        return {"aura": names.ids[a]}
    if q == V.Q_MAN_EFFECT:
        return {"effect": "shields" if a == V.X_SHIELDS else EFFECTS[a]}
    if q == V.Q_DECK_PICK or q == V.Q_SPIRIT_TAKE:
        return {"deck": ("sprint", "rush")[a]}
    if q in (V.Q_EFFECT, V.Q_TELEPORT, V.Q_POWER_SQUARE, V.Q_SLAB_SQUARE, V.Q_SPIRIT_USE):
        return {"answer": "yes" if a else "no"}
    return {"number": a}
