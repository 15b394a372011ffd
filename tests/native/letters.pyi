from enum import IntEnum

from seatmate.engine.core.game import Game
from seatmate.engine.core.spec import GameSpec

class Fault(IntEnum):
    NONE = 0
    DRAW_ANNOUNCED = 1
    LOOK_FORGOTTEN = 2
    GUESS_FORGOTTEN = 3
    TIE_FORGOTTEN = 4
    GIFT_FORGOTTEN = 5
    EVENT_NOT_IN_SPEC = 6
    CHANCE_FOR_LISTENERS = 7
    PROMPT_NOT_IN_SPEC = 8
    NO_PRIVATE_KEY = 9
    NO_EVALUATE = 10
    NO_RULES = 11
    DRAW_SHOWN_LATER = 12
    KINDER_DEALS = 13
    LOOK_TOLD = 14

class LettersGame(Game): ...

def letters_spec(fault: Fault = Fault.NONE) -> GameSpec: ...
