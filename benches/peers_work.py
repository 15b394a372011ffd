"""What is measured against OpenSpiel: the same work from the same position on both sides, with neither side held up.

A side's work is a function of an amount that returns what it did (simulations or games). Everything a side can prepare once
(games, bots, positions) is prepared outside the clock.

* ISMCTS: the same root, the same number of simulations per decision, one uniformly random rollout per simulation, a world
  sampled anew for each. Theirs is pyspiel.ISMCTSBot with RandomRolloutEvaluator(n_rollouts=1): one call of `step` from Python
  runs the whole search in C++. Ours is Search with SearchParams.plain(), the making of the search included.
* Random playouts: clone the position after the deal, play uniformly random actions to the end, add up the utilities.
  pyspiel exports no loop of playouts, and the loops it has over bots (`evaluate_bots`) pay for virtual calls and move lists: 6 to
  25 times slower. The fastest way in is MCTSBot with one simulation: its only simulation evaluates the root itself, and the
  evaluator plays n_rollouts games from there in C++ without coming back, clone and Returns() per game, exactly the
  work above. A root that is a chance node would crash it, so both sides start after the deal; what is dealt later (Leduc's
  public card) is drawn in every game on both sides. That both play the same game is checked: the mean utilities must agree.
* Python-driven playouts: one plain loop that asks for the legal actions and applies a random one, a new game (and deal) each time.
* Two threads: the same work as two searches at once in two threads against one of them; both cores must be free. Two processes
  instead of the threads show what the machine can give.
"""
from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from math import sqrt
from multiprocessing import get_context
from typing import Any

import pyspiel

from open_spiel_native import NATIVE, follow
from seatmate.ai.search import Limits, Search, SearchParams
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.playout import playouts_from
from seatmate.engine.core.registry import new_game

Run = Callable[[int], int]
"""amount -> simulations or games done."""

ITERATIONS = 10_000     # simulations per decision on both sides
UCT = 2.0               # OpenSpiel's exploration constant; the speed hardly depends on it
SEED = 1                # of the deals both sides start from


@dataclass(frozen=True, kw_only=True)
class Work:
    """One row of the table.

    group: what is done, and counted per second · bar: the ratio ours / theirs to reach, None: there is nothing to reach ·
    threads: how many cores it needs.
    """

    name: str
    group: str
    game: str
    bar: float | None
    ours: Run
    theirs: Run
    sides: tuple[str, str] = ("Seatmate", "OpenSpiel")
    threads: int = 1
    check: Callable[[], None] = lambda: None
    """Raises AssertionError when the two sides do not do the same work."""


# ---- Information-set MCTS ----

def ismcts(name: str, bar: float) -> Work:
    ours, theirs = follow(NATIVE[name], SEED)
    seat = ours.pending[0]
    bot = pyspiel.ISMCTSBot(SEED, pyspiel.RandomRolloutEvaluator(1, SEED), UCT, ITERATIONS)

    def search(decisions: int) -> int:
        done = 0
        for seed in range(decisions):
            decision = Search(ours, seat, seed=seed, params=SearchParams.plain())
            done += decision.simulate(Limits(iterations=ITERATIONS))
            assert decision.best_action >= 0
        return done

    def their_search(decisions: int) -> int:
        for _ in range(decisions):
            bot.step(theirs)
        return decisions * ITERATIONS

    return Work(name=f"ismcts-{name}", group="ISMCTS simulations/s", game=name, bar=bar,
                ours=search, theirs=their_search)


# ---- Random playouts ----

@cache
def _playing(peer: str, games: int) -> Any:
    """Their bot whose one simulation plays `games` random games from the root."""
    return pyspiel.MCTSBot(pyspiel.load_game(peer), pyspiel.RandomRolloutEvaluator(games, SEED), UCT, 1, 10, False, SEED, False)


def their_playouts(peer: str, position: Any, games: int) -> float:
    """Play `games` random games from a position in C++; the mean return of the seat to move."""
    return float(_playing(peer, games).mcts_search(position).total_reward)


def playouts(name: str, bar: float) -> Work:
    native = NATIVE[name]
    ours, theirs = follow(native, SEED)
    seat = ours.pending[0]

    def play(games: int) -> int:
        playouts_from(ours, games, SEED)
        return games

    def their_play(games: int) -> int:
        their_playouts(native.peer, theirs, games)
        return games

    def check() -> None:
        games = 20_000
        mine = native.to_theirs(playouts_from(ours, games, SEED)[0][seat])
        far = abs(native.to_theirs(1) - native.to_theirs(0)) / 2 * sqrt(2 / games)     # at least the standard error
        found = their_playouts(native.peer, theirs, games)
        assert abs(mine - found) < 5 * far, f"{name}: random play is worth {mine:.3f} here and {found:.3f} there"

    return Work(name=f"playouts-{native.game_id}", group="random playouts/s", game=native.game_id, bar=bar,
                ours=play, theirs=their_play, check=check)


# ---- Games played from Python ----

def play_from_python(game: Game, games: int) -> int:
    """One random game after the other through State, events recorded as by default."""
    chance = random.Random(SEED).random
    for seed in range(games):
        state = game.new_state(seed)
        while pending := state.pending:
            seat = pending[0]
            actions = state.legal_actions(seat)
            state.apply_action(seat, actions[int(chance() * len(actions))])
        state.returns()
    return games


def play_theirs_from_python(game: Any, games: int) -> int:
    """The same loop over pyspiel.State. Chance outcomes are drawn like actions: in these games they are equally likely."""
    chance = random.Random(SEED).random
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(chance() * len(actions))])
        state.returns()
    return games


def python_playouts(name: str, bar: float) -> Work:
    game, peer = NATIVE[name].new_game(), NATIVE[name].load_peer()
    return Work(name=f"python-{NATIVE[name].game_id}", group="Python-driven playouts/s", game=game.spec.id, bar=bar,
                ours=lambda games: play_from_python(game, games), theirs=lambda games: play_theirs_from_python(peer, games))


# ---- Threads ----

def simulate(state: State, threads: int, decisions: int, iterations: int) -> int:
    """`decisions` searches, each with so many threads and iterations for each of them; the simulations of all.

    With the game's own knobs, except that all games are searched by PUCT: by regret a simulation is several playouts.
    """
    own = SearchParams.for_game(state.game.spec)
    params = own if own.selection == "puct" else SearchParams.plain()
    return sum(Search(state, state.pending[0], seed=seed, params=params, threads=threads).simulate(
        Limits(iterations=threads * iterations)) for seed in range(decisions))


def opening(game_id: str, seats: int) -> State:
    """Where the searches of two threads or processes begin."""
    return new_game(game_id, seats=seats).new_state(SEED, record_events=False)


def two_threads(game_id: str, seats: int, bar: float, iterations: int) -> Work:
    """Decisions of about 0.1 s: in one of milliseconds the making and freeing of the trees, which one thread does, has a share."""
    state = opening(game_id, seats)
    return Work(name=f"threads-{game_id}", group="threads 2 : 1, simulations/s", game=game_id, bar=bar,
                ours=lambda decisions: simulate(state, 2, decisions, iterations),
                theirs=lambda decisions: simulate(state, 1, decisions, iterations),
                sides=("two threads", "one thread"), threads=2)


def in_process(game_id: str, seats: int, decisions: int, iterations: int) -> int:
    """`simulate` with one thread, for a process of its own."""
    return simulate(opening(game_id, seats), 1, decisions, iterations)


def two_processes(game_id: str, seats: int, iterations: int) -> Work:
    """What two threads are measured by: they can't do better than this."""
    state = opening(game_id, seats)
    pool = ProcessPoolExecutor(2, mp_context=get_context("spawn"))

    def both(decisions: int) -> int:
        return sum(pool.map(in_process, [game_id] * 2, [seats] * 2, [decisions] * 2, [iterations] * 2))

    return Work(name=f"processes-{game_id}", group="processes 2 : 1, simulations/s", game=game_id, bar=None,
                ours=both, theirs=lambda decisions: simulate(state, 1, decisions, iterations),
                sides=("two processes", "one thread"), threads=2)


WORKS: dict[str, Callable[[], Work]] = {
    "ismcts-leduc": lambda: ismcts("leduc", 8.0),
    "ismcts-kuhn": lambda: ismcts("kuhn", 3.5),
    "playouts-connect_four": lambda: playouts("connect_four", 5.0),
    "playouts-tic_tac_toe": lambda: playouts("tic_tac_toe", 5.0),
    "playouts-leduc": lambda: playouts("leduc", 5.0),
    "playouts-kuhn": lambda: playouts("kuhn", 3.0),
    "playouts-liars_dice": lambda: playouts("liars_dice-2", 3.0),
    "python-connect_four": lambda: python_playouts("connect_four", 1.5),
    "python-tic_tac_toe": lambda: python_playouts("tic_tac_toe", 1.5),
    "python-leduc": lambda: python_playouts("leduc", 1.5),
    "python-kuhn": lambda: python_playouts("kuhn", 1.5),
    "python-liars_dice": lambda: python_playouts("liars_dice-2", 1.5),
    "threads-leduc": lambda: two_threads("leduc", 2, 1.9, 500_000),
    "processes-leduc": lambda: two_processes("leduc", 2, 500_000),
    "threads-hyde": lambda: two_threads("hyde", 4, 1.9, 10_000),
    "processes-hyde": lambda: two_processes("hyde", 4, 10_000),
}
"""By name, made when asked for."""
