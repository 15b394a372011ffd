"""Small Hanabi: tokens, lives, hints, the last round, and what a seat can know of its own hand."""
from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import pytest

from seatmate.ai.bots import make_bot
from seatmate.engine.core.errors import SettingsError
from seatmate.engine.core.game import SPECTATORS, Game, State
from seatmate.engine.core.registry import new_game
from statistics_checks import check_frequencies

DISCARD, PLAY = 0, 2                # + place, in hands of two
COLOUR, RANK = 4, 6                 # + colour or rank, with two seats and two colours

COPIES = Counter({f"{colour}{rank}": n for colour in "RY" for rank, n in zip("12345", (3, 2, 2, 2, 1), strict=True)})


def small(**options: int) -> Game:
    return new_game("hanabi", seats=2, options=options)


def position(mine: tuple[str, ...] = ("RY12345", "RY12345"), theirs: tuple[str, ...] = ("R1", "Y2"), *,
             told: tuple[str, ...] = ("RY12345", "RY12345"), fireworks: tuple[int, int] = (0, 0),
             discards: tuple[str, ...] = (), deck: int | None = None, seed: int = 0, **changes: Any) -> State:
    """Seat 0 to act; what it knows of its own hand (a card name: exactly), the other's hand and what that was told."""
    played = [f"R{rank + 1}" for rank in range(fireworks[0])] + [f"Y{rank + 1}" for rank in range(fireworks[1])]
    options = changes.pop("options", {})
    game = small(**options)
    view = {"fireworks": {"R": fireworks[0], "Y": fireworks[1]}, "information": 3, "lives": 1, "turns_left": 2, "turn": 0,
            "deck": 20 - len(mine) - len(theirs) - len(played) - len(discards) if deck is None else deck,
            "discards": sorted(discards), "hands": [None, list(theirs)], "known": [list(mine), list(told)], **changes}
    return game.state_from_view(view, 0, seed)


def test_the_default_is_hanabi_small() -> None:
    state = small().new_state(1)
    seen = state.observation(0)
    assert seen["fireworks"] == {"R": 0, "Y": 0} and seen["deck"] == 16
    assert (seen["information"], seen["lives"]) == (3, 1)
    assert state.game.spec.cooperative and state.game.state_bytes <= 256


def test_everybody_sees_all_hands_but_their_own() -> None:
    state = new_game("hanabi", seats=3).new_state(1)
    hands = [state.observation(seat)["hands"] for seat in range(3)]
    for owner in range(3):
        assert hands[owner][owner] is None
        seen = [hands[seat][owner] for seat in range(3) if seat != owner]
        assert seen[0] == seen[1] and len(seen[0]) == 2
    assert state.observation(SPECTATORS)["hands"] == [None, None, None]


def test_the_next_rank_of_a_colour_can_be_played() -> None:
    state = position(("R2", "Y1"), fireworks=(1, 0))
    state.apply_action(0, PLAY)
    seen = state.observation(1)
    assert seen["fireworks"] == {"R": 2, "Y": 0} and seen["lives"] == 1 and seen["information"] == 3
    assert len(seen["hands"][0]) == 2 and seen["hands"][0][0] == "Y1"       # the new card is the last
    assert seen["known"][0] == ["Y1", "RY12345"]
    assert seen["deck"] == 14


@pytest.mark.parametrize("card", ["R1", "R3", "Y2"])
def test_another_card_costs_a_life_and_the_last_one_all_points(card: str) -> None:
    state = position((card, "RY12345"), ("R4", "Y4"), fireworks=(1, 0), lives=2, options={"lives": 2})
    state.apply_action(0, PLAY)
    assert not state.is_over
    assert state.observation(1)["lives"] == 1 and state.observation(1)["discards"] == [card]
    state = position((card, "RY12345"), ("R4", "Y4"), fireworks=(1, 0))
    state.apply_action(0, PLAY)
    assert state.is_over and state.returns() == [0.0, 0.0]
    assert len(state.observation(1)["hands"][0]) == 1       # no card is drawn once the game is over


def test_a_discard_brings_a_token_back_but_only_when_one_is_missing() -> None:
    state = position(("R2", "Y1"), information=1)
    state.apply_action(0, DISCARD + 1)
    assert state.observation(1)["information"] == 2 and state.observation(1)["discards"] == ["Y1"]
    assert DISCARD not in position().legal_actions(0)


@pytest.mark.parametrize(("tokens", "after"), [(1, 2), (3, 3)])
def test_a_finished_firework_brings_a_token_back(tokens: int, after: int) -> None:
    state = position(("R5", "Y1"), fireworks=(4, 0), information=tokens)
    state.apply_action(0, PLAY)
    assert state.observation(1)["information"] == after


def test_a_hint_names_all_cards_of_its_kind_and_no_others() -> None:
    state = position(theirs=("R1", "Y1"))
    told = state.clone()
    told.apply_action(0, COLOUR + 0)
    assert told.observation(0)["known"][1] == ["R12345", "Y12345"] and told.observation(0)["information"] == 2
    told = state.clone()
    told.apply_action(0, RANK + 0)
    assert told.observation(0)["known"][1] == ["RY1", "RY1"]


def test_hints_need_a_token_and_a_card() -> None:
    assert position(theirs=("R1", "R4")).legal_actions(0) == [PLAY, PLAY + 1, COLOUR, RANK, RANK + 3]
    assert position(theirs=("R1", "R4"), information=0).legal_actions(0) == [DISCARD, DISCARD + 1, PLAY, PLAY + 1]


def test_every_seat_has_one_turn_after_the_last_card_is_drawn() -> None:
    # 20 cards: two in each hand, one in the deck, the others discarded.
    gone = COPIES - Counter(["R1", "Y1", "R2", "Y2", "R3"])
    state = position(("R1", "Y1"), ("R2", "Y2"), deck=1, discards=tuple(gone.elements()), information=2)
    state.apply_action(0, PLAY)
    assert state.observation(1)["deck"] == 0 and state.observation(1)["turns_left"] == 2
    state.apply_action(1, PLAY)
    assert not state.is_over and len(state.observation(0)["known"][1]) == 1
    state.apply_action(0, PLAY)
    assert state.is_over and state.returns() == [0.3, 0.3]


def test_all_fireworks_end_the_game() -> None:
    state = position(("Y5", "RY12345"), fireworks=(5, 4))
    deck = state.observation(0)["deck"]
    state.apply_action(0, PLAY)
    assert state.is_over and state.returns() == [1.0, 1.0]
    assert state.observation(0)["deck"] == deck > 0 and len(state.observation(1)["hands"][0]) == 1


def test_a_finished_game_is_rebuilt_from_its_view() -> None:
    state = position(("R3", "RY12345"), ("R4", "Y4"), fireworks=(1, 0))
    state.apply_action(0, PLAY)
    view = state.observation(1)
    assert state.game.state_from_view(view, 1, 0).observation(1) == view
    full = [list(state.observation(1)["hands"][0]) + ["R5"], None]
    for change in ({"hands": full, "known": [["RY12345"] * 2, view["known"][1]], "deck": view["deck"] - 1}, {"lives": 1}):
        with pytest.raises(ValueError, match="no game of Hanabi looks like this"):
            state.game.state_from_view({**view, **change}, 1, 0)


def hands(state: State, known: tuple[str, ...]) -> dict[Any, float]:
    """All own hands that fit, with their probabilities: from the single cards seat 0 does not see."""
    seen = state.observation(0)
    used = Counter(seen["discards"]) + Counter(seen["hands"][1])
    used += Counter(f"{colour}{rank + 1}" for colour, n in seen["fireworks"].items() for rank in range(n))
    cards = [(name, i) for name, n in (COPIES - used).items() for i in range(n)]
    counts = Counter(tuple(name for name, _ in hand) for hand in itertools.permutations(cards, len(known))
                     if all(name[0] in possible and name[1] in possible for (name, _), possible in zip(hand, known, strict=True)))
    return {hand: n / counts.total() for hand, n in counts.items()}


@pytest.mark.parametrize(("known", "changes"), [
    (("RY12345", "RY12345"), {}),
    (("R12345", "Y12345"), {}),
    (("RY1", "RY2345"), {"theirs": ("R1", "R1")}),
    (("RY345", "R1345"), {"fireworks": (2, 1)}),
    (("RY45", "R5"), {"theirs": ("R4", "Y4")}),                                 # the one R5 lies at the second place
    (("RY15", "RY5"), {"theirs": ("R1", "Y1"), "discards": ("R1", "R1", "Y1")}),
    (("RY5", "RY5"), {}),
])
def test_the_own_hand_is_sampled_as_often_as_it_is_dealt(known: tuple[str, ...], changes: dict[str, Any]) -> None:
    state = position(known, **changes)
    check_frequencies(state, 0, lambda world: tuple(world.observation(1)["hands"][0]), hands(state, known))


def test_sampling_keeps_the_other_hands() -> None:
    state = new_game("hanabi", seats=4).new_state(3)
    for seed in range(20):
        world = state.resample_from_infostate(2, seed)
        assert world.observation(2)["hands"] == state.observation(2)["hands"]


def test_views_that_no_game_gives_are_refused() -> None:
    for changes in ({"lives": 2}, {"information": 4}, {"deck": 3}, {"theirs": ("R5", "R5")}, {"turns_left": 1},
                    {"mine": ("R5", "R5")}, {"mine": ("R12345",)}, {"told": ("Y12345", "RY12345")}):
        with pytest.raises(ValueError, match="no game of Hanabi looks like this"):
            position(**changes)


def test_hands_must_fit_the_deck() -> None:
    with pytest.raises(SettingsError, match=r"options\.hand"):
        new_game("hanabi", seats=5, options={"hand": 5})
    assert new_game("hanabi", seats=5, options={"hand": 4}).new_state(1).observation(0)["deck"] == 0
    assert new_game("hanabi", seats=4, options={"colours": 5, "hand": 4, "information": 8, "lives": 3}).seats == 4


def mean_score(bot: str, games: int) -> float:
    total = 0.0
    game = small()
    for seed in range(games):
        state = game.new_state(seed, record_events=False)
        players = [make_bot(bot, 2 * seed + seat) for seat in range(2)]
        while not state.is_over:
            seat = state.pending[0]
            state.apply_action(seat, players[seat].choose(state, seat))
        total += 10 * state.returns()[0]
    return total / games


def test_the_heuristic_plays_sensibly() -> None:
    assert mean_score("random", 200) < 1
    assert mean_score("heuristic", 200) > 3


@pytest.mark.parametrize(("text", "said"), [
    ("R1", "the red 1, already played; 3 copies in the whole deck, 1 discarded"),
    ("r2", "the red 2, the next one of its firework; 2 copies"), ("y2", "the yellow 2, can't be played yet"),
    ("Y5", "the yellow 5, can't be played yet; 1 copy in"), ("?3", "a 3 of any colour"), ("R?", "a red card of unknown rank"),
    ("??", "nothing is known"), ("R9", "red, a colour"), ("G1", "green, a colour"), ("X1", None)])     # no such cards
def test_a_card_is_looked_up_by_its_short_name(text: str, said: str | None) -> None:
    state = position(fireworks=(1, 0), discards=("R1",))
    lines = state.game.describe(state.observation(0), 0, text)
    assert len(lines) == 1 and said in lines[0] if said else not lines


def test_the_question_offers_what_can_be_answered() -> None:
    state = small().new_state(1)
    assert state.question_text(0) == "Play or tell?"        # all tokens are there, and a discard would bring none back
    state.apply_action(0, state.legal_actions(0)[-1])
    assert state.question_text(1) == "Discard, play or tell?"
