from seatmate.engine.core.game import Game
from seatmate.engine.core.spec import GameSpec
from seatmate.engine.core.view import View

CARDS: str
SPEC: GameSpec

class KuhnView(View): ...
class KuhnGame(Game): ...
