"""Replays: any game of a results file, as a record that can be looked at."""
from __future__ import annotations

import os
from dataclasses import dataclass

from seatmate.ai.arena.deal import Actions
from seatmate.ai.arena.pool import DealPlayer, table_seed
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.arena.store import ResultsError, load_results
from seatmate.engine.core.errors import ActionError
from seatmate.engine.core.game import State
from seatmate.engine.core.record import Record, other_rules
from seatmate.engine.core.registry import game_spec


@dataclass(frozen=True, slots=True)
class Replay:
    """A game of a tournament. bots: in each seat · record: with all its actions · utilities: by seat, as the results have them."""

    deal: int
    game: int
    bots: tuple[str, ...]
    record: Record
    utilities: tuple[float, ...]


def replay(path: str | os.PathLike[str], deal: int, game: int = 0) -> Replay:
    """One game of a deal in a results file: from its actions where they are kept, else played once more.

    Deals and games count from 0; the games of a deal are the lineups of the tournament. Raises ResultsError where there is no such
    game, or where it can't be played again: a bot watches the clock, or bots or rules are others now (another `rules_version` is
    refused, however the game comes out). OSError, BotError.
    """
    spec, deals = load_results(path)
    if not 0 <= deal < len(deals):
        raise ResultsError(f"{path} has no deal {deal}; it has {len(deals)}, and the first is 0")
    if not 0 <= game < len(spec.lineups):
        raise ResultsError(f"{path} has no game {game} of a deal; each deal has {len(spec.lineups)}, and the first is 0")
    if said := other_rules(game_spec(spec.settings["game"]), spec.rules_version):
        raise ResultsError(f"{path} {said}")
    played = deals[deal]
    actions = played.actions
    if actions is None:
        state, utilities = _played_again(spec, deal, game, str(path))
    else:
        state = _followed(spec, deal, game, actions[game], str(path))
        utilities = state.returns() if state.is_over else played[game] if spec.early is not None else []
    if utilities != played[game]:
        raise ResultsError(f"{path}: game {game} of deal {deal} comes out otherwise now; the bots or the rules have changed since, "
                           "or a bot does not play the same when it is asked the same")
    return Replay(deal, game, tuple(spec.labels[bot] for bot in spec.lineups[game]), Record.of(state), tuple(played[game]))


def _followed(spec: TournamentSpec, deal: int, game: int, actions: Actions, name: str) -> State:
    """The end of a game by its actions. Raises ResultsError."""
    state = spec.game_of(game).new_state(table_seed(spec, deal), record_events=False)
    try:
        for seat, action in actions:
            state.apply_action(seat, action)
    except (ActionError, ValueError, OverflowError) as error:
        raise ResultsError(f"{name}: the actions of game {game} of deal {deal} don't fit the rules: {error}") from None
    return state


def _played_again(spec: TournamentSpec, deal: int, game: int, name: str) -> tuple[State, list[float]]:
    if not spec.reproducible:
        raise ResultsError(f"{name} does not keep its games, and a bot in it watches the clock: it would play otherwise now; "
                           "keep games with --keep-games")
    return DealPlayer(spec).play_again(deal, game)
