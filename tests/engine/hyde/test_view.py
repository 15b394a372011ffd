"""HydeView: what an observer is told adds up to what it may see, and is enough to sample its worlds.

Every answer at a test table compares the two; here are the situations in which that is hardest, and whole games.
"""
from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

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


@pytest.mark.parametrize("situation", [situation for situation in SITUATIONS if situation is not the_hyde_has_won])
def test_a_view_is_enough_to_sample_worlds(situation: Callable[[], Table]) -> None:
    """A table run by others is rebuilt from the asked seat's view: the same worlds, bit for bit, as from the true state."""
    table = situation()
    snapshot = table.views[table.asked].snapshot()
    for seed in range(5):
        world = table.game.state_from_view(snapshot, table.asked, seed)
        assert world.to_bytes() == table.state.resample_from_infostate(table.asked, seed).to_bytes()
        assert world.observation(table.asked) == snapshot


def test_whole_games_with_every_kind_of_event() -> None:
    """From the deal to the end, drafts included; together they contain every event there is. Views suffice to sample."""
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
            for seat in state.pending:
                world = game.state_from_view(views[seat].snapshot(), seat, seed)
                assert world.to_bytes() == state.resample_from_infostate(seat, seed).to_bytes()
    assert told == {event.key for event in game.spec.events} | {"CHOICE", "ASK", "BUSY"}


def test_a_missing_event_is_noticed() -> None:
    state = new_game("hyde", seats=2).new_state(1)
    with pytest.raises(ValueError, match="event 2 does not follow event 0"):
        new_game("hyde", seats=2).new_view(0).feed(state.events(0)[1:])


# ---- Views that no seat can have ----

def set_at(*path: str | int, to: Any) -> Callable[[dict[str, Any]], None]:
    """Replace the value at a path."""
    def change(view: dict[str, Any]) -> None:
        at: Any = view
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = to
    return change


def without(key: str) -> Callable[[dict[str, Any]], None]:
    return lambda view: view.__delitem__(key)


IMPOSSIBLE: dict[str, Callable[[dict[str, Any]], None]] = {
    "a ring of four": set_at("ring", to=["crypt", "jericho", "pilgrim_world", "forest"]),
    "a place twice in the ring": set_at("ring", to=["crypt", "crypt", "jericho", "pilgrim_world", "forest"]),
    "a pawn nowhere": set_at("pawns", 0, to="library"),
    "a seat too many": set_at("asked", to=[7]),
    "another seat is asked": set_at("asked", to=[1]),
    "a question of another game": set_at("prompt", to="BET"),
    "a question to another outcast": set_at("prompt", to="YOKO"),
    "a sixth attack": set_at("attack", to=6),
    "a card too many": set_at("hands", 0, to=["BAT-1", "BAT-1", "BAT-2", "EYE-5"]),
    "a hand of eighty": set_at("hand_counts", 1, to=80),
    "another hand in sight": set_at("hands", 1, to=["BAT-1", "BAT-1", "BAT-2"]),
    "an unknown card": set_at("hands", 0, to=["BAT-1", "BAT-1", "BAT-9"]),
    "a card of a later shuffle": set_at("hands", 0, 0, to="SIREN-1@3"),
    "a fourth copy": set_at("discard", to=["EYE-5", "EYE-5"]),
    "a deck too large": set_at("deck", to=59),
    "a deck below nothing": set_at("deck", to=-1),
    "a slot beyond the table": set_at("piles", "crypt", 0, "slot", to=62),
    "a slot used twice": set_at("piles", "crypt", 0, "slot", to=1),
    "a face nobody showed": set_at("piles", "crypt", 0, "card", to="BEE-5"),
    "a followed card on no slot": set_at("tracked", 0, "slots", to=[40]),
    "a followed card nowhere": set_at("tracked", 0, "hands", to=[]),
    "a followed card in the own hand": set_at("tracked", 0, "hands", to=[0]),
    "more sixes than two": set_at("sixes_left", to=3),
    "Thing with nobody": set_at("thing", "seat", to=4),
    "too many reshuffles": set_at("shuffles", to=10**9),
    "a token in the bag and beside it": set_at("shown", to=["crypt"]),
    "a text for a number": set_at("cycles", to="two"),
    "a yes for a number": set_at("cycles", to=True),
    "a swap in another's turn": set_at("thing", "swapped", to=True),
    "a missing value": without("deck"),
    "no piles": set_at("piles", to=None),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_an_impossible_view_is_refused(name: str) -> None:
    """What comes from outside fills a C struct, so all of it is checked first."""
    table = Table("enid", "bianca", hands={1: "EYE-4 BAT-1 BAT-2"}, thing_at=1,
                  piles={"crypt": [Down("EYE-5", by=1), Down("BEE-4", by=1)]},
                  tracks={0: [{"card": "EYE-4", "hands": [1], "thing": False, "slots": []}]})
    view = table.views[0].snapshot()
    table.game.state_from_view(copy.deepcopy(view), 0, 1)
    changed = copy.deepcopy(view)
    IMPOSSIBLE[name](changed)
    with pytest.raises(ValueError, match=r"no game looks like this|the view is broken|is not a card"):
        table.game.state_from_view(changed, 0, 1)
