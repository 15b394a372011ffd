"""HydeView: what an observer is told adds up to what it may see, and is enough to sample its worlds.

Every answer at a test table compares the two; here are the situations in which that is hardest, and whole games.
"""
from __future__ import annotations

from collections.abc import Callable

import pytest

from hyde_table import Down, Table
from seatmate.engine.core.game import SPECTATORS
from seatmate.engine.core.registry import new_game
from seatmate.engine.hyde.game import HydeGame
from test_random_games import steps


def ajax_plays_three_1s() -> Table:
    table = Table("enid", "ajax", "bianca", hands={1: "BAT-1 BEE-1 EYE-1"}, thing="SIREN-1", thing_at=1,
                  thing_known=[0, 1], turn=1, tracks={0: [{"card": "BEE-1", "hands": [1], "thing": False, "slots": []}]})
    return table.move("forest").play("BEE-1").more("BAT-1").more("EYE-1")


def the_six_in_the_middle_of_its_payment() -> Table:
    return Table("bianca", "ajax", thing_at=1).move("forest").play("SIX")


def the_six_on_the_table() -> Table:
    table = the_six_in_the_middle_of_its_payment()
    return table.pay(table.offers()[0])


def thing_went_round() -> Table:
    table = Table("enid", "ajax", "bianca", hands={0: "BAT-2 BAT-5 BAT-4", 1: "EYE-1 EYE-2 EYE-3"}, thing_at=0)
    return table.move("academy").give("BAT-5").send(1).move("academy").give("EYE-2").send(0)


def thing_is_empty() -> Table:
    return Table("yoko", "ajax", thing_at=0).move("forest").play("thing")


def wednesday_chooses() -> Table:
    table = Table("wednesday", "enid", hands={0: "EYE-4 BAT-4 SIREN-1"}, last="crypt",
                  piles={"crypt": [Down("BEE-4", by=1), Down("SIREN-3", by=0)]})
    return table.strike().take("BEE-4")


def wednesday_has_swapped() -> Table:
    return wednesday_chooses().swap_for("EYE-4")


def the_deck_ran_out() -> Table:
    table = Table("yoko", "ajax", hands={0: "BAT-2 BAT-4 BEE-5"}, deck="BAT-1", discard="EYE-1 EYE-2 EYE-3",
                  rest="jericho", piles={"crypt": [Down("EYE-4", by=1)]})
    return table.move("forest").play("BEE-5")


def after_two_reshuffles() -> Table:
    table = Table("yoko", "ajax", hands={0: "BAT-2 BAT-4@1 BEE-5"}, deck="", discard="EYE-1 EYE-2 EYE-3", shuffles=1,
                  rest="jericho", piles={"crypt": [Down("EYE-4@1", by=1, shuffle=1)]}, attacked="pilgrim_world")
    return table.move("forest").play("BEE-5")


def eugene_ponders() -> Table:
    return Table("eugene", "ajax").move("crypt")


def the_hyde_has_won() -> Table:
    return Table("enid", "ajax", attacked="crypt jericho", last="forest", piles={"forest": "SIREN-2"}).strike()


SITUATIONS: list[Callable[[], Table]] = [
    ajax_plays_three_1s, the_six_in_the_middle_of_its_payment, the_six_on_the_table, thing_went_round, thing_is_empty,
    wednesday_chooses, wednesday_has_swapped, the_deck_ran_out, after_two_reshuffles, eugene_ponders, the_hyde_has_won]


@pytest.mark.parametrize("situation", SITUATIONS)
def test_told_is_seen(situation: Callable[[], Table]) -> None:
    table = situation()
    for observer, view in table.views.items():
        assert view.sequence == table.state.sequence(observer) > 0
        assert view.snapshot() == table.state.observation(observer)


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_view_is_enough_to_sample_worlds(situation: Callable[[], Table]) -> None:
    """A table run by others is rebuilt from the view: the same worlds, bit for bit, as with the true state."""
    table = situation()
    for seat in range(table.seats):
        snapshot = table.views[seat].snapshot()
        for seed in range(5):
            world = table.game.state_from_view(snapshot, seat, seed)
            assert world.to_bytes() == table.state.resample_from_infostate(seat, seed).to_bytes()
            assert world.observation(seat) == snapshot


def test_whole_games_with_every_kind_of_event() -> None:
    """From the deal to the end, drafts included; together the games contain every event there is."""
    told: set[str] = set()
    for seed in range(6):
        game = new_game("hyde", seats=4, options={"level": "nightmare", "loss_limit": 4, "signals": seed % 2 == 1,
                                                  "outcasts": ["yoko", "ajax", "wednesday", "bianca"] if seed else "draft"})
        assert isinstance(game, HydeGame)
        state = game.new_state(seed)
        views = {observer: game.new_view(observer) for observer in (*range(4), SPECTATORS)}
        for _ in steps(state, seed):
            for observer, view in views.items():
                new = state.events(observer, since=view.sequence)
                told |= {event.key for event in new}
                view.feed(new)
                assert view.snapshot() == state.observation(observer)
    assert told == {event.key for event in game.spec.events} | {"CHOICE", "ASK", "BUSY"}


def test_a_missing_event_is_noticed() -> None:
    state = new_game("hyde", seats=2).new_state(1)
    with pytest.raises(ValueError, match="event 2 does not follow event 0"):
        new_game("hyde", seats=2).new_view(0).feed(state.events(0)[1:])
