"""OpenSpiel: our games for its algorithms, and matches of our bots against its bots.

Importing this package registers every game as `seatmate_<id>` with the parameters `players` (0, the default: the most the
mode takes), `mode`, `pack`, `chance_samples` and the game's options (a list of ids is written `a+b+c`):

    import pyspiel
    import seatmate.ai.adapters.openspiel
    game = pyspiel.load_game("seatmate_<id>(players=3)")

How our model becomes theirs:

* **Chance** is explicit. Our chance happens inside a transition; here a transition that draws random numbers is followed by
  a chance node whose outcomes are the different results among `chance_samples` fixed generators. Few equally likely
  results (a deal of small poker) are found exactly; many (a shuffled deck) are sampled. See `position.py`.
* **Simultaneous** secret commitments are made one after the other, lowest seat first, and nobody sees them before
  the reveal: the games are sequential, which all their algorithms can play.
* **Utilities**: cooperative games are IDENTICAL, in [0, 1]. Games whose utilities add up to a constant are ZERO_SUM:
  twice the distance to the fair share, -1 and 1 for two seats. Others are GENERAL_SUM, in [0, 1].
* **Information state**: the seat's event history, as text and as a matrix. **Observation**: the seat's observation as JSON.
  Both, and the public and the private part of the observation, depend on what the seat has seen and on nothing else.
* **States** clone, pickle and serialize (settings and history, replayed). `resample_from_infostate` works from Python.

What OpenSpiel 2.0 can't do with any game written in Python: its C++ searches (`pyspiel.MCTSBot`, `pyspiel.ISMCTSBot`) end the
process, and C++ code can't call `resample_from_infostate`. Its searches in Python and its solvers in C++ work. To meet the
C++ searches, let them play on OpenSpiel's own version of a game: `PeerMatch`.
"""
try:
    import pyspiel  # noqa: F401
except ImportError as error:
    raise ImportError("seatmate.ai.adapters.openspiel needs OpenSpiel: pip install 'seatmate[adapters]'") from error

from seatmate.ai.adapters.openspiel.game import SeatmateGame, SeatmateState, game_name, register_games
from seatmate.ai.adapters.openspiel.match import MatchError, MatchResult, PeerMatch, play_match

__all__ = ["MatchError", "MatchResult", "PeerMatch", "SeatmateGame", "SeatmateState", "game_name", "play_match", "register_games"]

register_games()
