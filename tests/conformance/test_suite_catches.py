"""The conformance checks can fail: each one is run on a game with the very mistake it is there for.

The games are Kuhn poker behind a wrapper that breaks one promise. `honest` shows that the wrapper itself passes.
"""
from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import checks
import scene_checks
from history_checks import check_shares
from lists_checks import DealtFromThePrior, check_sampled_lists, list_of
from positions import Player, real
from search_checks import check_bots, check_no_peek
from seatmate.engine.core.errors import ActionError, GameOverError, RecordError, SeatNotPendingError
from seatmate.engine.core.game import SPECTATORS, State
from seatmate.engine.core.registry import new_game
from seatmate.engine.core.spec import CHANCE, GameSpec, Unit
from seatmate.engine.core.view import View
from seatmate.engine.mythos.game import MythosGame
from statistics_checks import check_frequencies, check_sampled_like_dealt
from wrappers import WrappedGame, WrappedState, caught

OTHER_TWO = {"J": ("Q", "K"), "Q": ("J", "K"), "K": ("J", "Q")}


def card_of(state: Any, seat: int) -> str:
    """The card a Kuhn seat really holds."""
    return str(state.observation(seat)["cards"][seat])


PLAIN_CHECKS = [
    checks.check_random_game, checks.check_refusals, checks.check_clones, checks.check_record,
    checks.check_determinism, checks.check_view, checks.check_same_information,
    checks.check_resample_is_function_of_view, checks.check_resample_varies, checks.check_private_key,
    checks.check_resample_plays_on, checks.check_reading_changes_nothing,
    scene_checks.check_scene, scene_checks.check_scenes_of_sampled_worlds,
]


@pytest.mark.parametrize("check", PLAIN_CHECKS, ids=lambda check: check.__name__)
def test_an_honest_wrapper_passes(check: Callable[..., object]) -> None:
    for seed in range(4):
        check(WrappedGame(), seed)


# ---- Decisions ----

class UnsortedActions(WrappedState):
    def legal_actions(self, seat: int) -> list[int]:
        return self.wrapped.legal_actions(seat)[::-1]


class NothingToDo(WrappedState):
    def legal_actions(self, seat: int) -> list[int]:
        return [] if len(self.wrapped.actions) == 1 else self.wrapped.legal_actions(seat)


class SameLabels(WrappedState):
    def action_label(self, seat: int, action: int) -> str:
        return "Do it"


class NeverOver(WrappedState):
    """Asks on when the game is over."""

    @property
    def is_over(self) -> bool:
        return False

    @property
    def pending(self) -> tuple[int, ...]:
        return self.wrapped.pending or (0,)


class WrongEstimateAtTheEnd(WrappedState):
    def evaluate(self, observer: int | None = None) -> list[float]:
        return [0.5, 0.5]


class BeyondOne(WrappedState):
    def evaluate(self, observer: int | None = None) -> list[float]:
        return [2 * value for value in self.wrapped.evaluate()]


@pytest.mark.parametrize("broken", [UnsortedActions, NothingToDo, SameLabels, WrongEstimateAtTheEnd, BeyondOne])
def test_a_broken_decision_is_caught(broken: type[WrappedState]) -> None:
    assert caught(checks.check_random_game, WrappedGame(broken))


class OneActionAnnounced(WrappedGame):
    @property
    def spec(self) -> GameSpec:
        return replace(self.wrapped.spec, action_limit=1)


def test_an_action_beyond_the_limit_is_caught() -> None:
    assert caught(checks.check_random_game, OneActionAnnounced())


class SpeaksOfAChanceToWin(WrappedGame):
    """Kuhn poker is about chips: some are won with two, some with one."""

    def unit(self) -> Unit:
        return CHANCE


def test_a_chance_to_win_where_more_than_that_counts_is_caught() -> None:
    assert caught(checks.check_random_game, SpeaksOfAChanceToWin())


class ClaimsPublicChoices(WrappedGame):
    def __init__(self) -> None:
        super().__init__()
        self.wrapped = new_game("goofspiel", seats=2)

    @property
    def spec(self) -> GameSpec:
        return replace(self.wrapped.spec, public_choices=True)


def test_secret_choices_declared_public_are_caught() -> None:
    assert caught(checks.check_public_choices, ClaimsPublicChoices())


def test_a_game_without_end_is_caught() -> None:
    with pytest.raises((AssertionError, IndexError)):
        checks.check_random_game(WrappedGame(NeverOver), 0)  # type: ignore[arg-type]


def test_a_lost_component_is_caught() -> None:
    class LosesACard(WrappedGame):
        def check_invariants(self, state: State) -> None:
            assert len(state.actions) < 2, "a card is gone"

    assert caught(checks.check_random_game, LosesACard())
    assert caught(checks.check_resample_plays_on, LosesACard())

    class SamplesLoseACard(WrappedGame):
        def check_invariants(self, state: State) -> None:
            assert real(state).seed is not None, "a card is gone"

    assert not caught(checks.check_random_game, SamplesLoseACard())
    assert caught(checks.check_sampled_worlds_keep_every_rule, SamplesLoseACard())


def test_a_word_that_moves_many_shares_a_little_is_caught() -> None:
    """An odd card or an even one: none of sixteen cards comes much too often."""
    odd: Counter[Hashable] = Counter({("card", card): 25 for card in range(1, 16, 2)})
    every: Counter[Hashable] = Counter({("card", card): 12 + card % 2 for card in range(16)})
    check_shares([every, every], (200, 200), 0, "here")
    with pytest.raises(AssertionError, match="wrong frequencies: card in 200"):
        check_shares([odd, every], (200, 200), 0, "here")


# ---- Refusals, clones, reading ----

class AcceptsAnything(WrappedState):
    def apply_action(self, seat: int, action: int) -> None:
        legal = self.wrapped.legal_actions(seat)
        self.wrapped.apply_action(seat, action if action in legal or not legal else legal[0])


class RefusalActs(WrappedState):
    """A refused action is refused and still moves the game on."""

    def apply_action(self, seat: int, action: int) -> None:
        try:
            self.wrapped.apply_action(seat, action)
        except ActionError:
            if self.wrapped.pending:
                acting = self.wrapped.pending[0]
                self.wrapped.apply_action(acting, self.wrapped.legal_actions(acting)[0])
            raise


@pytest.mark.parametrize("broken", [AcceptsAnything, RefusalActs])
def test_a_refusal_that_is_none_is_caught(broken: type[WrappedState]) -> None:
    assert caught(checks.check_refusals, WrappedGame(broken))


class SharedClone(WrappedState):
    def clone(self) -> WrappedState:
        return self


def test_a_clone_that_shares_its_state_is_caught() -> None:
    assert caught(checks.check_clones, WrappedGame(SharedClone))


class LookingActs(WrappedState):
    """evaluate() plays a move."""

    def evaluate(self, observer: int | None = None) -> list[float]:
        if self.wrapped.pending:
            acting = self.wrapped.pending[0]
            self.wrapped.apply_action(acting, self.wrapped.legal_actions(acting)[0])
        return self.wrapped.evaluate()


def test_a_look_that_changes_the_table_is_caught() -> None:
    assert caught(checks.check_reading_changes_nothing, WrappedGame(LookingActs))


class ForgetsAnAction(WrappedState):
    @property
    def record(self) -> Any:
        record = self.wrapped.record
        return type(record)(record.settings, record.rules_version, record.seed, record.actions[:-1], record.digest)


def test_an_incomplete_record_is_caught() -> None:
    with pytest.raises(RecordError):
        checks.check_record(WrappedGame(ForgetsAnAction), 0)  # type: ignore[arg-type]


def test_a_deal_that_depends_on_who_listens_is_caught() -> None:
    class DealsForTheRecord(WrappedGame):
        def new_state(self, seed: int, *, record_events: bool = True) -> WrappedState:
            return super().new_state(seed if record_events else seed + 1, record_events=record_events)

    assert caught(checks.check_determinism, DealsForTheRecord())


# ---- Information ----

class TrueWorld(WrappedState):
    """The mistake peers shipped: the sampled world is the true one."""

    def resample_from_infostate(self, seat: int, seed: int) -> WrappedState:
        return self.clone()


class OftenTrueWorld(WrappedState):
    """Returns the true world half of the time."""

    def resample_from_infostate(self, seat: int, seed: int) -> WrappedState:
        return self.clone() if seed % 2 else super().resample_from_infostate(seat, seed)


class OneWorld(WrappedState):
    """Ignores its seed."""

    def resample_from_infostate(self, seat: int, seed: int) -> WrappedState:
        return super().resample_from_infostate(seat, 1)


class SeedFromTheTruth(WrappedState):
    """Varies, and has the right frequencies, but which world comes depends on the hidden card."""

    def resample_from_infostate(self, seat: int, seed: int) -> WrappedState:
        mine, theirs = card_of(self.wrapped, seat), card_of(self.wrapped, 1 - seat)
        return super().resample_from_infostate(seat, 2 * seed + (theirs == OTHER_TWO[mine][0]))


class Favours(WrappedState):
    """Gives the other seat the higher of the two possible cards three times out of four."""

    def resample_from_infostate(self, seat: int, seed: int) -> WrappedState:
        world = self.wrapped.resample_from_infostate(seat, seed)
        low, high = OTHER_TWO[card_of(world, seat)]
        if card_of(world, 1 - seat) == low and seed % 2:
            for retry in range(seed + 1, seed + 100):
                world = self.wrapped.resample_from_infostate(seat, retry)
                if card_of(world, 1 - seat) == high:
                    break
        return self.again(world)


class ShufflesOwnHand(WrappedState):
    """Resamples for the wrong seat, so that the asker's own card changes."""

    def resample_from_infostate(self, seat: int, seed: int) -> WrappedState:
        return super().resample_from_infostate(1 - seat, seed)


def test_sampling_the_true_world_is_caught() -> None:
    for broken in (TrueWorld, OftenTrueWorld):
        assert caught(checks.check_resample_is_function_of_view, WrappedGame(broken))
    assert caught(checks.check_resample_varies, WrappedGame(TrueWorld))


def test_sampling_that_knows_the_truth_is_caught() -> None:
    assert caught(checks.check_resample_is_function_of_view, WrappedGame(SeedFromTheTruth))


def test_sampling_one_world_only_is_caught() -> None:
    assert caught(checks.check_resample_varies, WrappedGame(OneWorld))


def test_sampling_that_changes_what_the_seat_knows_is_caught() -> None:
    assert caught(checks.check_same_information, WrappedGame(ShufflesOwnHand))


def frequencies(kind: type[WrappedState], seat: int, expected: dict[str, float]) -> None:
    """Check the frequencies of seat 1's card in the worlds of a seat."""
    state: Any = WrappedGame(kind).new_state(3)
    check_frequencies(state, seat, lambda world: card_of(world, 1), expected)


def test_wrong_frequencies_are_caught() -> None:
    state = new_game("kuhn").new_state(3)
    expected = dict.fromkeys(OTHER_TWO[card_of(state, 0)], 0.5)
    frequencies(WrappedState, 0, expected)
    with pytest.raises(AssertionError, match="wrong frequencies"):
        frequencies(Favours, 0, expected)
    frequencies(WrappedState, 1, {card_of(state, 1): 1.0})
    with pytest.raises(AssertionError, match="can exclude"):
        frequencies(ShufflesOwnHand, 1, {card_of(state, 1): 1.0})


def test_a_skewed_sampler_is_caught_without_enumeration() -> None:
    check_sampled_like_dealt(WrappedGame(), 0, 0, 400)  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="differ from dealt ones"):
        check_sampled_like_dealt(WrappedGame(Favours), 0, 0, 400)  # type: ignore[arg-type]


# ---- Hidden lists ----

def closed_table(deck: str) -> MythosGame:
    """Mythos with closed lists."""
    game = new_game("mythos", options={"deck1": deck, "open_decklists": False, "first": "0"})
    assert isinstance(game, MythosGame)
    return game


def favours_leaf(state: State, seat: int, seed: int) -> State:
    """A second try where the first one is not the leaf deck."""
    world = state.resample_from_infostate(seat, seed)
    is_leaf = "KS-146" in list_of(world, 1 - seat)[0]
    return world if is_leaf else state.resample_from_infostate(seat, seed + 100_000)


def test_wrongly_drawn_lists_are_caught() -> None:
    state = closed_table("random:5").new_state(1)
    assert check_sampled_lists(state, 0, 400)
    with pytest.raises(AssertionError, match="not drawn uniformly"):
        check_sampled_lists(state, 0, 400, favours_leaf)
    with pytest.raises(AssertionError, match="does not fit"):
        check_sampled_lists(state, 0, 5, lambda state, seat, seed: state.clone())


def test_a_list_without_the_seen_cards_is_caught() -> None:
    game, early = closed_table("random:6"), closed_table("random:6").new_state(3)
    late, player = game.new_state(3), Player(1)
    while not [unit for unit in late.observation(0)["units"] if unit["owner"] == 1 and unit["up"]]:
        acting = late.pending[0]
        late.apply_action(acting, player.action(late, acting))
    check_sampled_lists(late, 0, 200)
    with pytest.raises(AssertionError, match="has seen cards"):
        check_sampled_lists(late, 0, 200, lambda state, seat, seed: early.resample_from_infostate(seat, seed))


def test_a_prior_of_one_deck_is_not_that_of_all() -> None:
    deals = DealtFromThePrior(closed_table("sand"), 0)
    check_sampled_like_dealt(deals, 0, 0, 150)
    deals.games = deals.games[:1]
    with pytest.raises(AssertionError, match="differ from dealt ones"):
        check_sampled_like_dealt(deals, 0, 0, 150)


class ObservationPeeks(WrappedState):
    def observation(self, observer: int) -> dict[str, Any]:
        seen = self.wrapped.observation(observer)
        return {**seen, "cards": [card_of(self.wrapped, seat) for seat in range(2)]}


class ScorePeeks(WrappedState):
    def score_actions(self, seat: int) -> list[float]:
        theirs = card_of(self.wrapped, 1 - seat)
        return [value + "JQK".index(theirs) for value in self.wrapped.score_actions(seat)]


class ErrorPeeks(WrappedState):
    def apply_action(self, seat: int, action: int) -> None:
        try:
            self.wrapped.apply_action(seat, action)
        except ActionError as error:
            raise type(error)(f"{error}; they hold {card_of(self.wrapped, 1 - seat)}") from None


class LegalPeeks(WrappedState):
    def legal_actions(self, seat: int) -> list[int]:
        legal = self.wrapped.legal_actions(seat)
        return legal[:1] if card_of(self.wrapped, 1 - seat) == "K" else legal


@pytest.mark.parametrize("broken", [ObservationPeeks, ScorePeeks, ErrorPeeks, LegalPeeks])
def test_a_peek_is_caught(broken: type[WrappedState]) -> None:
    assert caught(checks.check_same_information, WrappedGame(broken))


class OneKeyForAll(WrappedState):
    def private_key(self, seat: int) -> int:
        return 7


class KeyOfTheOtherCard(WrappedState):
    def private_key(self, seat: int) -> int:
        return self.wrapped.private_key(0) + 10 * self.wrapped.private_key(1)


def test_wrong_private_keys_are_caught() -> None:
    assert caught(checks.check_private_key, WrappedGame(OneKeyForAll))
    assert caught(checks.check_same_information, WrappedGame(KeyOfTheOtherCard))


def test_a_view_that_misses_an_event_is_caught() -> None:
    class Deaf(View):
        """A view that does not hear what the seats do."""

        def __init__(self, inner: View) -> None:
            super().__init__(inner.spec, inner.seats, inner.observer)
            self.inner = inner

        def apply(self, key: str, args: tuple[int, ...]) -> None:
            if key != "ACTED":
                self.inner.apply(key, args)

        def body(self) -> dict[str, Any]:
            return self.inner.body()

    class DeafGame(WrappedGame):
        def new_view(self, seat: int) -> View:
            return Deaf(self.wrapped.new_view(seat))

    assert caught(checks.check_view, DeafGame())


class EventsForTheWrongSeat(WrappedState):
    def events(self, observer: int, since: int = 0) -> Any:
        return self.wrapped.events(1 - observer if observer < 2 else observer, since)


def test_events_to_the_wrong_seat_are_caught() -> None:
    assert caught(checks.check_view, WrappedGame(EventsForTheWrongSeat))


# ---- Commitments ----

class Pennies:
    """Two seats put down a coin in secret; a toy with nothing but what the commitment check asks for."""

    def __init__(self, leak: str = "") -> None:
        self.leak = leak
        self.seats = 2
        self.spec = SimpleNamespace(max_decisions=2)

    def new_state(self, seed: int) -> PenniesState:
        return PenniesState(self, {})


class PenniesState:
    def __init__(self, game: Pennies, coins: dict[int, int]) -> None:
        self.game = game
        self.coins = coins

    @property
    def pending(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(2) if seat not in self.coins)

    @property
    def is_over(self) -> bool:
        return not self.pending

    @property
    def asked(self) -> tuple[int, ...]:
        return self.pending if self.game.leak == "asked" or self.is_over else (0, 1)

    def legal_actions(self, seat: int) -> list[int]:
        return [0, 1] if seat in self.pending else []

    def score_actions(self, seat: int) -> list[float]:
        return [0.0, 0.0]

    def private_key(self, seat: int) -> int:
        return self.coins.get(seat, -1)

    def observation(self, observer: int) -> dict[str, Any]:
        shown = self.is_over or (self.game.leak == "coin" and observer == SPECTATORS)
        return {"coins": sorted(self.coins.items()) if shown else []}

    def observation_key(self, observer: int) -> int:
        return len(self.coins) if self.game.leak == "key" or self.is_over else 0

    def apply_action(self, seat: int, action: int) -> None:
        self.coins[seat] = action

    def clone(self) -> PenniesState:
        return PenniesState(self.game, dict(self.coins))


def test_secret_commitments_pass() -> None:
    game: Any = Pennies()
    assert checks.check_commitments_are_secret(game, 0) == 4


@pytest.mark.parametrize("leak", ["asked", "coin", "key"])
def test_a_commitment_that_shows_is_caught(leak: str) -> None:
    assert caught(checks.check_commitments_are_secret, Pennies(leak))


def test_the_wrapper_is_not_what_is_caught() -> None:
    """The honest wrapper in the statistics, too, with another seed and seat."""
    check_sampled_like_dealt(WrappedGame(), 1, random.Random(0).randrange(10**6), 300)  # type: ignore[arg-type]


# ---- Search ----

def peeking_analysis(state: Any, seat: int, seed: int, iterations: int) -> Any:
    """A search that looks at the other card."""
    return card_of(state, 1 - seat)


def test_a_peeking_search_is_caught() -> None:
    game = new_game("kuhn")
    check_no_peek(game, 0)
    with pytest.raises(AssertionError, match="can't see"):
        for seed in range(4):
            check_no_peek(game, seed, search=peeking_analysis)


class PeekingBot:
    """Bets when the other seat holds the J."""

    def choose(self, state: State, seat: int) -> int:
        return int(card_of(state, 1 - seat) == "J")


def test_a_peeking_bot_is_caught() -> None:
    with pytest.raises(AssertionError, match="can't see"):
        for seed in range(4):
            check_bots(new_game("kuhn"), seed, make=lambda kind, seed: PeekingBot())


class MeddlingBot:
    """Plays on the table itself instead of answering."""

    def choose(self, state: State, seat: int) -> int:
        action = state.legal_actions(seat)[0]
        state.apply_action(seat, action)
        return action


def test_a_bot_that_plays_on_the_table_is_caught() -> None:
    with pytest.raises((AssertionError, SeatNotPendingError, GameOverError)):
        check_bots(new_game("kuhn"), 0, make=lambda kind, seed: MeddlingBot())
