"""Our reference games beside OpenSpiel's own: which game is which, and whose cards lie where.

OpenSpiel deals through chance nodes, we deal inside `apply_action`; here each of our deals becomes the chance outcomes
that give the same deal there, so that both can be played side by side, action for action. Action numbers are the same
on both sides. Nothing here imports OpenSpiel before a game is loaded.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from seatmate.engine.core.game import Game, State
from seatmate.engine.core.registry import new_game

Chance = Callable[[State, Any], Iterator[int]]
"""OpenSpiel's chance outcomes that give our deal, one after the other; asked with our state after each of its steps."""


@dataclass(frozen=True, kw_only=True)
class NativeGame:
    """One of our games and OpenSpiel's of the same rules.

    peer: what pyspiel.load_game takes · chance: from our state and theirs to their chance outcomes · to_theirs: from a
    utility in [0, 1] to theirs · hides: something is hidden, so that information states are worth comparing there.
    """

    game_id: str
    peer: str
    seats: int = 2
    options: Mapping[str, Any] = field(default_factory=dict)
    chance: Chance = lambda state, theirs: iter(())
    to_theirs: Callable[[float], float] = lambda utility: 2 * utility - 1
    hides: bool = True

    def new_game(self) -> Game:
        """Our game."""
        return new_game(self.game_id, seats=self.seats, options=self.options)

    def load_peer(self, *, turn_based: bool = False) -> Any:
        """OpenSpiel's game; `turn_based`: simultaneous choices are asked one seat after the other, as its bots need it."""
        import pyspiel

        game = pyspiel.load_game(self.peer)
        simultaneous = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
        return pyspiel.convert_to_turn_based(game) if turn_based and simultaneous else game


# ---- Their chance outcomes from our deals ----

def kuhn_chance(state: State, theirs: Any) -> Iterator[int]:
    for seat in range(2):
        yield "JQK".index(state.observation(seat)["cards"][seat])


def leduc_chance(state: State, theirs: Any) -> Iterator[int]:
    cards = ["J1", "J2", "Q1", "Q2", "K1", "K2"]
    for seat in range(2):
        yield cards.index(state.observation(seat)["cards"][seat])
    while True:
        yield cards.index(state.observation(0)["public_card"])


def dice_chance(state: State, theirs: Any) -> Iterator[int]:
    for seat in range(state.game.seats):
        for face in state.observation(seat)["dice"][seat]:
            yield face - 1


def prize_chance(state: State, theirs: Any) -> Iterator[int]:
    number = 0
    while True:
        yield state.observation(0)["prizes"][number] - 1
        number += 1


def hanabi_chance(state: State, theirs: Any) -> Iterator[int]:
    """Hands first, seat by seat; then always the newest card of the seat that moved last."""
    def named(card: str) -> int:
        return next(int(outcome) for outcome, _ in theirs.chance_outcomes() if f"{card})" in theirs.action_to_string(outcome))

    def hand(seat: int) -> Any:
        return state.observation((seat + 1) % state.game.seats)["hands"][seat]

    for seat in range(state.game.seats):
        for card in hand(seat):
            yield named(card)
    while True:
        yield named(hand(state.actions[-1][0])[-1])


NATIVE: Mapping[str, NativeGame] = {
    "tic_tac_toe": NativeGame(game_id="tic_tac_toe", peer="tic_tac_toe", hides=False),
    "connect_four": NativeGame(game_id="connect_four", peer="connect_four", hides=False),
    "kuhn": NativeGame(game_id="kuhn", peer="kuhn_poker", chance=kuhn_chance, to_theirs=lambda utility: 4 * utility - 2),
    "leduc": NativeGame(game_id="leduc", peer="leduc_poker", chance=leduc_chance, to_theirs=lambda utility: 26 * utility - 13),
    "liars_dice-2": NativeGame(game_id="liars_dice", peer="liars_dice", chance=dice_chance),
    "liars_dice-2x3": NativeGame(game_id="liars_dice", options={"dice": 3}, peer="liars_dice(numdice=3)", chance=dice_chance),
    "goofspiel-2x4": NativeGame(game_id="goofspiel", options={"cards": 4}, peer="goofspiel(imp_info=True,num_cards=4)",
                                chance=prize_chance),
    "goofspiel-2x6": NativeGame(game_id="goofspiel", options={"cards": 6}, peer="goofspiel(imp_info=True,num_cards=6)",
                                chance=prize_chance),
    # With three seats and more their winners share 1 as ours do, but their losers share -1: utilities differ.
    "goofspiel-4x5": NativeGame(game_id="goofspiel", seats=4, options={"cards": 5, "order": "descending"},
                                peer="goofspiel(imp_info=True,num_cards=5,players=4,points_order=descending)",
                                to_theirs=lambda utility: utility),
    # Their hanabi gives no perfect-recall strings, only observations.
    "hanabi-2": NativeGame(game_id="hanabi", chance=hanabi_chance, to_theirs=lambda utility: 10 * utility, hides=False,
                           peer="hanabi(players=2,colors=2,ranks=5,hand_size=2,max_information_tokens=3,max_life_tokens=1)"),
    "hanabi-5": NativeGame(game_id="hanabi", seats=5, options={"colours": 5, "hand": 4, "information": 8, "lives": 3},
                           peer="hanabi(players=5,colors=5,ranks=5,hand_size=4,max_information_tokens=8,max_life_tokens=3)",
                           chance=hanabi_chance, to_theirs=lambda utility: 25 * utility, hides=False),
}
"""By name; where a game comes in sizes the name says the seats and the size."""


def follow(native: NativeGame, seed: int, actions: Sequence[int] = ()) -> tuple[State, Any]:
    """Our state and theirs after the deal of `seed` and the same actions, of whichever seat is asked; chance is resolved.

    For games in which one seat is asked at a time.
    """
    ours, theirs = native.new_game().new_state(seed, record_events=False), native.load_peer(turn_based=True).new_initial_state()
    outcomes = native.chance(ours, theirs)
    for action in (*actions, None):
        while theirs.is_chance_node():
            theirs.apply_action(next(outcomes))
        if action is not None:
            ours.apply_action(ours.pending[0], action)
            theirs.apply_action(action)
    return ours, theirs


# ---- Their searches ----

def search_bot(*, simulations: int = 1_000_000_000, seconds: float = -1.0, exploration: float | None = None,
               sees_everything: bool = False) -> Callable[[Any, int, int], Any]:
    """OpenSpiel's own search in C++ as the peer of a match: ISMCTS, or MCTS where nothing is hidden.

    It stops after `simulations`, or after `seconds` of wall time where these are given. Every simulation ends in one random
    playout. exploration: the constant of UCT, None: their usual 2 for utilities in -1..1, scaled to the game's.

    Their ISMCTS plays where their game can sample the worlds of a seat: of ours kuhn and leduc. It can't in liar's dice, in
    Goofspiel and in Hanabi; `sees_everything` lets MCTS play there, which looks at all cards: an opponent that cheats.
    """
    import pyspiel

    def make(game: Any, seat: int, seed: int) -> Any:
        playout = pyspiel.RandomRolloutEvaluator(1, seed)
        constant = 2.0 * game.max_utility() if exploration is None else exploration
        hidden = game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
        if hidden and not sees_everything:
            return pyspiel.ISMCTSBot(seed, playout, constant, simulations, -1,
                                     pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, False, seconds)
        return pyspiel.MCTSBot(game, playout, constant, simulations, 1000, False, seed, False,
                               pyspiel.ChildSelectionPolicy.UCT, seconds)

    return make
