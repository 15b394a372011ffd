"""Why a hint suggests something: the numbers behind the reasons, their words, and how often a suggestion has none."""
from __future__ import annotations

from collections import Counter

import pytest

from mythos_table import Table
from seatmate.ai.bots import make_bot
from seatmate.ai.search import Limits, Search
from seatmate.engine.core.game import State
from seatmate.engine.core.registry import new_game
from seatmate.engine.mythos.advice.features import CHEAP, FEATURES
from seatmate.engine.mythos.content import decks, pack

ROWS = {row.key: row for row in FEATURES}


def features(state: State, seat: int = 0) -> dict[str, float]:
    """The features in their own units, without rounds."""
    found = zip(FEATURES, state.features(seat), strict=True)
    return {row.key: (value % row.stamp if row.stamp else value) / row.scale for row, value in found}


# ---- Numbers ----

def test_hidden_characters_wait_where_points_are() -> None:
    """A mission's points and what its rank adds."""
    table = Table("h:009", "", missions=2)
    first, second = (mission["points"] + mission["bonus"] for mission in table.state.observation(0)["missions"])
    assert features(table.state)["waiting"] == pytest.approx(first)
    assert features(Table("009 | h:009 h:011", "h:009", missions=2).state)["waiting"] == pytest.approx(2 * second)
    assert features(Table("009", "", missions=2).state)["waiting"] == 0


def test_own_cards_are_those_one_knows() -> None:
    """Hand and characters by printed power, tokens aside; what lies below an upgrade no longer counts."""
    state = Table("108<009+2 h:011", "086", hand_a="016").state
    assert features(state)["own_cards"] == pytest.approx(5 + 2 + 4)
    assert features(state, 1)["own_cards"] == pytest.approx(5)


def test_cards_one_was_shown_count_as_long_as_one_can_tell() -> None:
    """KS-091 shows the hand and, as an upgrade, takes a card of it."""
    table = Table("", "", hand_a="091", hand_b="009 010").run("play 091 0; MAY yes")
    assert features(table.state)["seen"] == pytest.approx(2) and features(table.state, 1)["seen"] == 0
    assert features(table.run("put 010 0; pass").state)["seen"] == pytest.approx(2)
    assert features(table.run("play 009 0").state)["seen"] == pytest.approx(1)


def test_a_card_that_has_to_be_discarded_counts_no_more() -> None:
    """MSS-03: the opponent is asked which one, so the hand is as large as before."""
    table = Table("009", "", hand_b="010 011 013", missions="MSS-03")
    assert features(table.state)["enemy_hand"] == pytest.approx(3 - 2)      # without the two cards of round 1
    table.run("pass; pass; MAY yes")
    assert table.prompt == "B CARD" and features(table.state)["enemy_hand"] == pytest.approx(2 - 2)


def test_cards_are_counted_without_those_of_every_round() -> None:
    state = new_game("mythos").new_state(3)
    rounds = Counter[int]()
    while not state.is_over:
        seat = state.pending[0]
        if state.prompt(seat) == "TURN":
            rounds[state.observation(seat)["round"]] += 1
            assert features(state, seat)["hand"] == pytest.approx(5) == features(state, seat)["enemy_hand"]
        state.apply_action(seat, state.legal_actions(seat)[0])              # keep, then pass
    assert set(rounds) == {1, 2, 3, 4}


@pytest.mark.parametrize("seed", range(4))
def test_the_opening_hand_is_set_against_the_other_answer(seed: int) -> None:
    """Cheap characters kept, against as many as a new hand has on average; a new hand may bring the same cards again."""
    content = pack.read("standard").content
    cheap = {card.id: card.cost <= CHEAP for card in content.character}
    deck = decks.random_deck(content, seed)
    state = new_game("mythos", options={"deck0": f"random:{seed}"}).new_state(seed)
    kept = sum(cheap[card] for card in state.observation(0)["hands"][0])
    redrawn = 5 * sum(cheap[content.character[kind].id] for kind in deck.cards) / len(deck.cards)
    assert features(state)["opening"] == 0
    for answer, difference in enumerate((kept - redrawn, redrawn - kept)):
        decided = state.clone()
        decided.apply_action(0, answer)
        assert features(decided)["opening"] == pytest.approx(difference) and features(decided, 1)["opening"] == 0
        decided.apply_action(1, 0)
        assert features(decided)["opening"] == 0


# ---- Words ----

@pytest.mark.parametrize(("key", "theirs", "mine", "text"), [
    ("odds_d", 0.2, 0.9, "your odds on mission D: 90 % instead of 20 %"), ("odds_a", 0.49, 0.47, ""),
    ("seen", 1, 3, "shows you 2 hidden cards more of the opponent"),
    ("seen", 3, 1, "shows you 2 hidden cards less of the opponent"),
    ("own_cards", 20, 17, "power of your hand and characters: 17 instead of 20"), ("own_cards", 20, 20.4, ""),
    ("waiting", 0, 4, "points where your hidden characters wait: 4 instead of 0"),
    ("opening", 0, 0.5, "begins with 0.5 more characters for 3 chakra or less than the other answer"),
    ("opening", 0, -1.25, "begins with 1.2 fewer characters for 3 chakra or less than the other answer"),
    ("opening", 0, 0.1, ""), ("hand", 5, 6, "leaves you 1 card more"), ("hand", 5, 4, "leaves you 1 card less"),
    ("enemy_hand", 5, 4, "leaves the opponent 1 card less"), ("edge", 0, 1, "you have the Edge"),
    ("chakra", 5, 3, "costs 2 chakra (3 left, not 5)"), ("chakra", 3, 5, "saves 2 chakra (5 left, not 3)"),
])
def test_numbers_in_words(key: str, theirs: float, mine: float, text: str) -> None:
    assert ROWS[key].says(ROWS[key].scale * theirs, ROWS[key].scale * mine) == text


# ---- Hints ----

def test_a_pass_is_told_what_it_gives_up() -> None:
    """A card that wins a mission costs chakra: that is its price, and what passing loses comes first."""
    table = Table("", "108 | 108", hand_b="013", missions=2, chakra_b=1, turn="B", edge="B")
    found = Search(table.state, 1, seed=1).run(Limits(iterations=100))
    for one in found.candidates:
        assert all(reason.favourable == (one is found.best) for reason in one.why[:1]), found.candidates


def test_most_suggestions_have_a_reason() -> None:
    """In games of the heuristic; what is left without one is mostly the order of effects and targets that do the same."""
    asked, silent = Counter[str](), Counter[str]()
    for seed in range(8):
        state = new_game("mythos", options={f"deck{seat}": f"random:{2 * seed + seat}" for seat in range(2)}).new_state(seed)
        bots = [make_bot("heuristic", 2 * seed + seat) for seat in range(2)]
        while not state.is_over:
            seat = state.pending[0]
            if len(state.legal_actions(seat)) > 1:
                best = Search(state, seat, seed=seed).run(Limits(iterations=40)).best
                prompt = str(state.prompt(seat))
                asked[prompt] += 1
                silent[prompt] += not best.reasons
                if best.label == "Pass for this round":
                    asked["pass"] += 1
                    silent["pass"] += not best.reasons
            state.apply_action(seat, bots[seat].choose(state, seat))
    turns = [asked.pop("pass"), silent.pop("pass")]
    assert asked["MULLIGAN"] == 16 and silent["MULLIGAN"] <= 2          # where both hands are as good
    assert turns[1] <= 0.2 * turns[0] > 1
    assert silent["TURN"] <= 0.05 * asked["TURN"] and silent["MAY"] <= 0.25 * asked["MAY"]
    assert silent.total() <= 0.17 * asked.total() and asked.total() > 400
