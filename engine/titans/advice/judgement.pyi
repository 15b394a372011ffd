from seatmate.engine.core.game import State
from seatmate.engine.core.terms import Terms

def terms(state: State) -> Terms | None: ...
