"""The options of a table, and what is drawn at random."""
from __future__ import annotations

from collections import Counter

import pytest

from mythos_table import Table
from seatmate.engine.core.game import State
from seatmate.engine.core.registry import new_game


def play_passing(state: State) -> State:
    """Everybody passes and declines as soon as it is possible, to the end."""
    while not state.is_over:
        seat = state.pending[0]
        legal = state.legal_actions(seat)
        state.apply_action(seat, legal[0] if state.prompt(seat) in ("TURN", "MULLIGAN", "MAY") else legal[-1])
    return state


@pytest.mark.parametrize("first", ["0", "1"])
def test_r5_the_first_edge_is_the_options(first: str) -> None:
    for seed in range(5):
        state = new_game("mythos", options={"first": first}).new_state(seed)
        assert state.observation(0)["edge"] == state.observation(0)["starter"] == int(first)


def test_r5_the_first_edge_is_random() -> None:
    game = new_game("mythos")
    edges = Counter(game.new_state(seed).observation(0)["edge"] for seed in range(300))
    assert min(edges.values()) > 110


def missions(state: State) -> list[str]:
    """The open missions in their order."""
    return [mission["id"] for mission in state.observation(0)["missions"]]


def test_r6_casual_missions_are_two_of_each_seat_in_any_order() -> None:
    game = new_game("mythos", options={"deck0": "leaf", "deck1": "sand"})     # missions 02 06 09 and 04 07 08
    firsts: Counter[str] = Counter()
    origins: Counter[str] = Counter()
    for seed in range(600):
        ids = missions(play_passing(game.new_state(seed)))
        assert len(set(ids)) == 4
        order = "".join("A" if mission in ("MSS-02", "MSS-06", "MSS-09") else "B" for mission in ids)
        assert order.count("A") == 2
        origins[order] += 1
        firsts[ids[0]] += 1
    assert len(firsts) == 6 and min(firsts.values()) > 70 and max(firsts.values()) < 130
    assert len(origins) == 6 and min(origins.values()) > 70 and max(origins.values()) < 130


def test_r3_missions_that_both_seats_bring_come_as_often_as_they_should() -> None:
    """Both bring 03: it is open twice with probability 4/9, once with 4/9, never with 1/9."""
    game = new_game("mythos", options={"deck0": "sound", "deck1": "rogue"})   # missions 01 03 10 and 03 04 05
    twice = Counter(missions(play_passing(game.new_state(seed))).count("MSS-03") for seed in range(900))
    assert abs(twice[2] - 400) < 60 and abs(twice[1] - 400) < 60 and abs(twice[0] - 100) < 40


def test_r6_alternating_missions() -> None:
    """R6: the seat without the first Edge brings the missions of rounds 1 and 3."""
    game = new_game("mythos", options={"mission_setup": "alternate", "deck0": "leaf", "deck1": "sand"})
    for seed in range(60):
        state = game.new_state(seed)
        starter = state.observation(0)["starter"]
        triples = state.observation(0)["triples"]
        for index, mission in enumerate(missions(play_passing(state))):
            assert mission in triples[starter if index % 2 else 1 - starter]


def test_r7_reveal_wait() -> None:
    """R7: with the option a hidden character waits for the next round."""
    table = Table(hand_a="009", missions=2).run("put 009 0; pass")
    assert "Ah:009" in table.options()
    table = Table(hand_a="009", missions=2, reveal_wait=True).run("put 009 0; pass")
    assert "Ah:009" not in table.options()
    table.run("pass; pass")         # A passes, too; in the next round B begins, and passes
    assert table.values["round"] == 3 and "Ah:009" in table.options()


def test_r44_hidden_cost_attribute() -> None:
    """R44: hidden characters cost 0, or 1, for effects."""
    assert Table(a=" | h:011", b="h:009", hand_a="139").run("play 139 0").options() == ["Bh:009", "no"]
    assert Table(a=" | h:011", b="h:009", hand_a="139", hidden_cost_attr="1").run("play 139 0").prompt == "B TURN"
    assert Table(b="h:009", hand_a="020", hidden_cost_attr="1").run("play 020 0").options() == ["Bh:009", "no"]


def test_r31_skip_gain() -> None:
    """R31: pure gains are taken without asking, the rest is not."""
    assert Table(hand_a="017", skip_gain=True).run("play 017 0").says("A0=017+3 asked=B.TURN")
    assert Table(hand_a="088", deck_a="009", skip_gain=True).run("play 088 0").prompt == "A MAY"
