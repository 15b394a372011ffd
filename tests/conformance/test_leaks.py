"""Leaks are caught: in a small game that is written with each of them, and in every registered game, kind by kind."""
from __future__ import annotations

import copy
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import checks
from history_checks import Step, check_deals_keep_their_secrets, check_history, check_kinds
from positions import play_random_game, positions
from seatmate.engine.core.errors import ActionError
from seatmate.engine.core.game import SPECTATORS, Game, State
from seatmate.engine.core.registry import list_games, new_game
from seatmate.engine.core.spec import make_settings
from seatmate.engine.core.view import View
from seatmate.tests.native import helpers as _testing
from seatmate.tests.native.letters import Fault, letters_spec
from statistics_checks import check_sampled_like_dealt
from wrappers import WrappedGame, WrappedState, caught

Check = Callable[[Any, int], object]

# ---- Letters ----

def letters(fault: Fault, seats: int = 3) -> Game:
    """The small game with this fault."""
    spec = letters_spec(fault)
    return spec.create(make_settings(spec, seats=seats))


def history(game: Any, seed: int) -> int:
    """The check of steps, in a few of one game."""
    return check_history(game, seed, 8)


def deals(game: Any, seed: int) -> None:
    """The check of the deal, for the last seat."""
    check_deals_keep_their_secrets(game, game.seats - 1, seed)


def frequencies(game: Any, seed: int) -> None:
    """The check of sampled worlds against deals, for a seat."""
    check_sampled_like_dealt(game, seed % game.seats, 1000 * seed, 400)


def kinds(game: Any, seed: int) -> None:
    """The check of the spec's lists."""
    check_kinds(game, seed, 400)


CHECKS: list[Check] = [
    checks.check_random_game, checks.check_refusals, checks.check_clones, checks.check_determinism, checks.check_view,
    checks.check_same_information, checks.check_resample_is_function_of_view, checks.check_resample_varies,
    checks.check_private_key, checks.check_resample_plays_on, checks.check_reading_changes_nothing, history, deals, frequencies,
    kinds,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_letters_are_honest(check: Check) -> None:
    for seats in (3, 4):
        for seed in range(2):
            check(letters(Fault.NONE, seats), seed)


FAULTS: list[tuple[Fault, Check, str]] = [
    (Fault.DRAW_ANNOUNCED, history, r"answers ACT: seat \d (can exclude|samples with wrong)"),
    (Fault.DRAW_SHOWN_LATER, history, r"answers RANK: seat \d (can exclude|samples with wrong)"),
    (Fault.LOOK_TOLD, history, r"answers ACT: seat \d (can exclude|samples with wrong)"),
    (Fault.LOOK_FORGOTTEN, history, r"(can exclude|samples with wrong)"),
    (Fault.GUESS_FORGOTTEN, history, r"answers RANK: seat \d can exclude what its sampled worlds show"),
    (Fault.TIE_FORGOTTEN, history, r"seat \d (can exclude|samples with wrong|never samples)"),
    (Fault.GIFT_FORGOTTEN, history, r"answers ACT: seat \d (can exclude|samples with wrong)"),
    (Fault.KINDER_DEALS, frequencies, r"sampled worlds differ from dealt ones"),
    (Fault.EVENT_NOT_IN_SPEC, kinds, r"event 10 is not in the spec of letters, which has 10"),
    (Fault.PROMPT_NOT_IN_SPEC, kinds, r"prompt 1 is not in the spec of letters, which has 1"),
    (Fault.CHANCE_FOR_LISTENERS, checks.check_determinism, r"draws other random numbers when nobody listens"),
]


@pytest.mark.parametrize(("fault", "check", "why"), FAULTS, ids=lambda value: getattr(value, "name", ""))
def test_a_fault_of_letters_is_caught(fault: Fault, check: Check, why: str) -> None:
    with pytest.raises(AssertionError, match=why):
        for seed in range(30):
            check(letters(fault), seed)


# ---- Every registered game ----

def held(state: State, seat: int) -> list[int]:
    """What the other seats hold."""
    return [state.private_key(other) for other in range(state.game.seats) if other != seat]


def odd(keys: list[int]) -> int:
    """1 for about half of what the keys can be, even if all of them are even."""
    return zlib.crc32(repr(keys).encode()) & 1


class Truth(WrappedState):
    """The sampled world is the true one."""

    def resample_from_infostate(self, seat: int, seed: int) -> WrappedState:
        return self.clone()


class ChosenByTheTruth(WrappedState):
    """Which world comes depends on what the others hold."""

    def resample_from_infostate(self, seat: int, seed: int) -> WrappedState:
        return super().resample_from_infostate(seat, seed + sum(held(self.wrapped, seat)) % 2**20)


class NearTheTruth(WrappedState):
    """Of twelve worlds the one comes in which another seat sees most of what it really sees."""

    def resample_from_infostate(self, seat: int, seed: int) -> WrappedState:
        other = (seat + 1) % self.wrapped.game.seats
        truth = self.wrapped.observation(other)
        worlds = [self.wrapped.resample_from_infostate(seat, seed + 1000 * number) for number in range(12)]
        return self.again(min(worlds, key=lambda world: len([*checks.differences(world.observation(other), truth, "")])))


class OneWorld(WrappedState):
    """The seed is ignored."""

    def resample_from_infostate(self, seat: int, seed: int) -> WrappedState:
        return super().resample_from_infostate(seat, 1)


class Favours(WrappedState):
    """Of three worlds the one comes in which the next seat sees what sorts first: low cards."""

    def resample_from_infostate(self, seat: int, seed: int) -> WrappedState:
        other = (seat + 1) % self.wrapped.game.seats
        worlds = [self.wrapped.resample_from_infostate(seat, seed + 10**7 * number) for number in range(3)]
        return self.again(min(worlds, key=lambda world: (repr(world.observation(other)), world.to_bytes())))


class WrongSeat(WrappedState):
    """The world is sampled for another seat, so that what the seat holds changes."""

    def resample_from_infostate(self, seat: int, seed: int) -> WrappedState:
        return super().resample_from_infostate((seat + 1) % self.wrapped.game.seats, seed)


def forgetful_view(game_id: str, view: dict[str, Any], seat: int) -> dict[str, Any]:
    """The view without what play has told the seat of cards it can't see."""
    match game_id:
        case "hanabi":
            alphabet = "".join(sorted(view["fireworks"], key="RYGWB".index)) + "12345"
            known = [["R"] if other != seat else [alphabet] * len(places) for other, places in enumerate(view["known"])]
            view["known"][seat] = known[seat]
        case "goofspiel":       # in which order the prizes were won
            for notes in (view["prizes"], view["winners"], view["bids"][seat]):
                notes[:] = notes[::-1]
        case "hundred_days":    # cards of others that were looked at, or went to the hand openly
            for other, hand in enumerate(view["open_cards"]):
                view["known"][other] = []
                view["open_cards"][other] = hand if other == seat else []
        case "hyde":
            view["tracked"] = []
        case "mythos":          # hidden cards of the other seat that it was shown
            for unit in view["units"]:
                if not unit["up"] and unit["owner"] != seat and unit["card"] is not None:
                    view["unseen"][unit["owner"]] = sorted([*view["unseen"][unit["owner"]], unit["card"]])
                    unit["card"] = None
                    unit["known_by"].remove(seat)
                    unit["open"] = False
    return view


class Forgets(WrappedState):
    """Sampling knows nothing of what the seat has learnt of hidden cards in play."""

    def resample_from_infostate(self, seat: int, seed: int) -> WrappedState:
        game = self.wrapped.game
        try:
            return self.again(game.state_from_view(forgetful_view(game.spec.id, self.wrapped.observation(seat), seat), seat, seed))
        except ValueError:
            return super().resample_from_infostate(seat, seed)


def forgotten(game: Any, seed: int) -> int:
    """The check of steps, in some of one game after which there is something to forget."""
    def only(step: Step) -> bool:
        view = step.after.observation(step.seat)
        return bool(forgetful_view(game.spec.id, copy.deepcopy(view), step.seat) != view)

    return check_history(game, seed, 4, only=only)


def same_view(game: Any, seed: int) -> None:
    """The part of `check_same_information` about the own view: worlds that are rebuilt from views have no history to compare."""
    for state in positions(game, seed, 8):
        for seat in range(game.seats):
            assert state.resample_from_infostate(seat, 1).observation(seat) == state.observation(seat)


class ObservationPeeks(WrappedState):
    def observation(self, observer: int) -> dict[str, Any]:
        return {**self.wrapped.observation(observer), "theirs": held(self.wrapped, observer)}


class ScoresPeek(WrappedState):
    def score_actions(self, seat: int) -> list[float]:
        return [score + sum(held(self.wrapped, seat)) % 97 for score in self.wrapped.score_actions(seat)]


class LegalPeeks(WrappedState):
    def legal_actions(self, seat: int) -> list[int]:
        legal = self.wrapped.legal_actions(seat)
        return legal[:-1] if len(legal) > 1 and odd(held(self.wrapped, seat)) else legal


class EstimatePeeks(WrappedState):
    def evaluate(self, observer: int | None = None) -> list[float]:
        shift = sum(held(self.wrapped, observer)) % 97 / 1e6 if observer is not None and not self.wrapped.is_over else 0.0
        return [value + shift for value in self.wrapped.evaluate(observer)]


class LabelsPeek(WrappedState):
    def action_label(self, seat: int, action: int) -> str:
        return f"{self.wrapped.action_label(seat, action)} ({sum(held(self.wrapped, seat)) % 97})"


class ErrorsPeek(WrappedState):
    def apply_action(self, seat: int, action: int) -> None:
        try:
            self.wrapped.apply_action(seat, action)
        except ActionError as error:
            raise type(error)(f"{error} {sum(held(self.wrapped, seat)) % 97}") from None


class OneKey(WrappedState):
    def private_key(self, seat: int) -> int:
        return 7


class KeyOfAll(WrappedState):
    def private_key(self, seat: int) -> int:
        return sum(self.wrapped.private_key(other) for other in range(self.wrapped.game.seats))


class Deaf(View):
    """A view that does not hear the events of one kind."""

    def __init__(self, inner: View, key: str) -> None:
        super().__init__(inner.spec, inner.seats, inner.observer)
        self.inner, self.key = inner, key

    def feed(self, events: Any) -> None:
        events = list(events)
        self.inner.feed([event._replace(sequence=number) for number, event in
                         enumerate((event for event in events if event.key != self.key), start=self.inner.sequence + 1)])
        self.sequence += len(events)

    def snapshot(self) -> dict[str, Any]:
        return self.inner.snapshot()


class DeafGame(WrappedGame):
    """Its views don't hear the most common event of a game."""

    def new_view(self, seat: int) -> View:
        keys = [event.key for event in play_random_game(self.wrapped, 1).events(SPECTATORS) if event.key in self.own]
        return Deaf(self.wrapped.new_view(seat), max(sorted(set(keys)), key=keys.count))

    @property
    def own(self) -> set[str]:
        return {event.key for event in self.wrapped.spec.events}


HIDES: dict[str, dict[str, Any]] = {"monster_chase": {"mode": "race"}}
"""Where the first mode hides nothing: one that does, from the deal on."""


def fresh(game_id: str) -> Game:
    """The game with the fewest seats of its first mode, or of the one that hides something."""
    wishes = HIDES.get(game_id, {})
    return new_game(game_id, seats=list_games_by_id()[game_id].mode(wishes.get("mode")).seats[0], **wishes)


def list_games_by_id() -> dict[str, Any]:
    """The registered specs."""
    return {spec.id: spec for spec in list_games()}


def state_kind(kind: type[WrappedState]) -> Callable[[str], Any]:
    """Games whose states are of this broken kind."""
    return lambda game_id: WrappedGame(kind, fresh(game_id))


DEALT_AT_ONCE = {"hyde": {"outcasts": "random"}, "titans": {"team0": "robin+raven", "team1": "cyborg+starfire"}}
"""Options with which cards are dealt before anything is chosen; else that comes after a draft."""


def leaky(leak: str) -> Callable[[str], Any]:
    """Games whose events say too much."""
    def make(game_id: str) -> Game:
        game = fresh(game_id) if game_id not in DEALT_AT_ONCE or leak == "holdings" else \
            new_game(game_id, seats=fresh(game_id).seats, options=DEALT_AT_ONCE[game_id])
        _testing.make_leaky(game, leak)
        return game
    return make


def lacks(what: str) -> Callable[[str], Any]:
    """Games whose spec ends before one of its events or prompts that is not rare."""
    def make(game_id: str) -> Game:
        game = fresh(game_id)
        listed = getattr(game.spec, what)
        rare = check_kinds(game, 0, 100)
        last = max(number for number, kind in enumerate(listed) if kind.key not in rare)
        return _testing.with_spec(game, replace(game.spec, **{what: listed[:last]}))
    return make


OPEN = dict.fromkeys(("connect_four", "tic_tac_toe"), "all see everything")
NOTHING_PRIVATE_TO_TELL = {**OPEN, "goofspiel": "nothing private is told: a seat knows its bids because it made them"}
ONE_AT_A_TIME = dict.fromkeys(("connect_four", "tic_tac_toe", "kuhn", "leduc", "liars_dice", "hanabi", "hyde", "monster_chase"),
                              "seats never choose at the same time")
NOTHING_LEARNT = {
    **OPEN,
    **dict.fromkeys(("kuhn", "leduc", "liars_dice"), "what is learnt before the end is seen by all, and says nothing of one place"),
    **dict.fromkeys(("titans", "monster_chase"), "no card that was seen is hidden again"),
}

KINDS: dict[str, tuple[Callable[[str], Any], list[Check], dict[str, str]]] = {
    "sampling returns the true world": (state_kind(Truth), [checks.check_resample_is_function_of_view], OPEN),
    "sampling is seeded by the truth": (state_kind(ChosenByTheTruth), [checks.check_resample_is_function_of_view], OPEN),
    "sampling keeps much of a secret": (state_kind(NearTheTruth), [checks.check_resample_is_function_of_view], OPEN),
    "sampling ignores its seed": (state_kind(OneWorld), [checks.check_resample_varies], OPEN),
    "sampling favours some worlds": (state_kind(Favours), [frequencies, history], OPEN),
    "sampling changes what the seat holds": (state_kind(WrongSeat), [checks.check_same_information], OPEN),
    "sampling forgets what was learnt": (state_kind(Forgets), [same_view, forgotten], NOTHING_LEARNT),
    "the observation shows what others hold": (state_kind(ObservationPeeks), [checks.check_same_information], OPEN),
    "scores depend on it": (state_kind(ScoresPeek), [checks.check_same_information], OPEN),
    "legal actions depend on it": (state_kind(LegalPeeks), [checks.check_same_information], OPEN),
    "estimates depend on it": (state_kind(EstimatePeeks), [checks.check_same_information], OPEN),
    "labels depend on it": (state_kind(LabelsPeek), [checks.check_same_information], OPEN),
    "error texts depend on it": (state_kind(ErrorsPeek), [checks.check_same_information], OPEN),
    "the private key is always the same": (state_kind(OneKey), [checks.check_private_key], OPEN),
    "the private key knows of others": (state_kind(KeyOfAll), [checks.check_same_information], OPEN),
    "a public event carries what seats hold": (leaky("holdings"), [history], OPEN),
    "a public event carries what a seat was told": (leaky("private events"), [history, deals], NOTHING_PRIVATE_TO_TELL),
    "it is carried at the deal alone": (leaky("private events at the deal"), [deals], NOTHING_PRIVATE_TO_TELL),
    "a secret choice is announced": (leaky("commitments"), [checks.check_commitments_are_secret], ONE_AT_A_TIME),
    "chance is drawn for listeners": (leaky("chance for listeners"), [checks.check_determinism], {}),
    "an event is not in the spec": (lacks("events"), [kinds], {}),
    "a prompt is not in the spec": (lacks("prompts"), [kinds], {}),
    "a view does not hear an event": (lambda game_id: DeafGame(WrappedState, fresh(game_id)), [checks.check_view], {}),
}
"""The kind of leak or fault: how a game gets it, the checks of which one must catch it, and where it can't be and why."""

HINTS = {"a secret choice is announced": "ONE_AT_A_TIME", "a public event carries what a seat was told": "NOTHING_PRIVATE_TO_TELL",
         "it is carried at the deal alone": "NOTHING_PRIVATE_TO_TELL",
         "sampling forgets what was learnt": "NOTHING_LEARNT (or what it learns into forgetful_view)"}
"""The table that says of which games a kind is left out."""


@pytest.mark.parametrize("game_id", list_games_by_id())
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_caught_in_every_game(kind: str, game_id: str) -> None:
    make, tried, not_there = KINDS[kind]
    if game_id in not_there:
        assert not_there[game_id]
        return
    game = make(game_id)
    assert any(caught(check, game, range(12)) for check in tried), (
        f"{game_id}: nothing notices that {kind}. If that can't be in this game, put it into {HINTS.get(kind, 'OPEN')} in this "
        "file, with the reason; if it can, a check must see it")


def test_the_table_leaves_out_only_what_is_not_there() -> None:
    """Games that are left out of a row really lack what it is about."""
    for game_id in list_games_by_id():
        game = fresh(game_id)
        states = [state.clone() for seed in range(6) for state in positions(game, seed, 10)]
        private = any(checks.private_part(state, seat) for state in states for seat in range(game.seats))
        assert private == (game_id not in OPEN), f"{game_id} has {'' if private else 'no '}private parts: see OPEN"
        together = any(len(state.pending) > 1 for state in states)
        assert not (together and game_id in ONE_AT_A_TIME), f"seats of {game_id} choose together: take it out of ONE_AT_A_TIME"


def test_a_peek_at_even_keys_is_a_peek() -> None:
    """Keys such as `mix(card, other)` may all be even: half of the hands must look different all the same."""
    found = [odd([2 * card]) for card in range(40)]
    assert 10 < sum(found) < 30
