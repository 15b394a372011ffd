"""The checks of scenes can fail: each one is run on Kuhn poker drawn with the very mistake it is there for."""
from __future__ import annotations

from typing import Any

import pytest

import scene_checks
from seatmate.engine.core.game import SeenEvent, State
from seatmate.engine.core.registry import new_game
from seatmate.engine.core.scene import Link, Scene, Touch, Zone
from wrappers import WrappedGame, caught


class DrawnWrongly(WrappedGame):
    """Kuhn poker whose scene has one fault."""

    def __init__(self, fault: str) -> None:
        super().__init__()
        self.fault = fault

    def scene(self, observation: Any, observer: int) -> Scene:
        first, second, _moves = self.wrapped.scene(observation, observer).zones
        card, chips = first.things
        return {
            "twice": Scene((first, first)),
            "hidden": Scene((first._replace(things=(card._replace(face=""), chips)), second)),
            "told": Scene((first._replace(things=(card._replace(face="K"), chips)), second)),
            "no face": Scene((first._replace(things=(card._replace(face="A"), chips)), second)),
            "lost": Scene((first._replace(parent="table"), second)),
            "round": Scene((first._replace(parent=second.id), second._replace(parent=first.id))),
            "loose": Scene((first, second), (Link(first.id, "nowhere"),)),
            "untitled": Scene((first._replace(title=""), second)),
            "nameless": Scene((first._replace(things=(card, chips._replace(label=""))), second)),
            "unexplained": Scene((first._replace(things=(card._replace(tags=("bent",)), chips)), second)),
            "same": Scene((first._replace(seat=None), second._replace(seat=None, title=first.title))),
            "said twice": Scene((first._replace(title=f"Chips of seat {first.seat}"), second)),
            "nobody's": Scene((first._replace(seat=2), second)),
            "together": Scene((Zone("map", "Map", "map"), first._replace(parent="map"), second._replace(parent="map"))),
            "empty": Scene((first._replace(things=(card, chips._replace(value=None))), second)),
        }.get(self.fault, Scene((first, second)))

    def touch(self, state: State, seat: int, action: int, observation: Any) -> Touch:
        touch = self.wrapped.touch(state, seat, action, observation)
        return {"touch": Touch(("board/1",)), "pass": touch._replace(prominence="pass"),
                "usual": touch._replace(prominence="primary")}.get(self.fault, touch)

    def touched(self, state: State, event: SeenEvent, observer: int) -> tuple[str, ...]:
        return {"touched": ("card/9",), "still": ()}.get(self.fault, self.wrapped.touched(state, event, observer))


@pytest.mark.parametrize("fault", ["twice", "hidden", "told", "no face", "lost", "round", "loose", "empty",
                                   "untitled", "nameless", "unexplained", "nobody's", "together", "touch", "pass", "touched",
                                   "still", "same", "said twice", "usual"])
def test_scenes_that_are_not_whole_or_show_something_else_are_caught(fault: str) -> None:
    assert caught(scene_checks.check_scene, DrawnWrongly(fault))


def test_a_face_that_is_meant_by_a_number_and_not_shown_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not caught(scene_checks.check_scene, DrawnWrongly(""))
    monkeypatch.setitem(scene_checks.NUMBERED, "kuhn", lambda game, seen: {"J", "Q", "K"})
    assert caught(scene_checks.check_scene, DrawnWrongly(""))


class AsksInOneWay(WrappedGame):
    """Goofspiel whose bids are all given by the same targets: none, or the hand."""

    def __init__(self, *targets: str) -> None:
        super().__init__(wrapped=new_game("goofspiel"))
        self.targets = targets

    def touch(self, state: State, seat: int, action: int, observation: Any) -> Touch:
        return Touch(self.targets, "Bid")


def test_many_answers_that_are_given_in_one_way_are_caught() -> None:
    assert not caught(scene_checks.check_scene, WrappedGame(wrapped=new_game("goofspiel")))
    assert caught(scene_checks.check_scene, AsksInOneWay("hand/0"))


def test_answers_that_do_not_touch_what_they_name_are_caught() -> None:
    with pytest.raises(AssertionError, match="touches nothing"):
        scene_checks.check_scene(AsksInOneWay(), 0)     # type: ignore[arg-type]


class TouchesTheColumn(WrappedGame):
    """An event that lights up more cells than it changed."""

    def touched(self, state: State, event: SeenEvent, observer: int) -> tuple[str, ...]:
        return ("board/0", *self.wrapped.touched(state, event, observer))


def test_an_event_that_touches_cells_that_did_not_change_is_caught() -> None:
    assert not caught(scene_checks.check_scene, WrappedGame(wrapped=new_game("connect_four")))
    assert caught(scene_checks.check_scene, TouchesTheColumn(wrapped=new_game("connect_four")))


class DrawsTheTruth(WrappedGame):
    """Numbers in a scene that come from somewhere else than the observation."""

    scenes = 0

    def scene(self, observation: Any, observer: int) -> Scene:
        self.scenes += 1
        return Scene((Zone("table", f"Table {self.scenes}"),))


def test_scenes_of_one_information_set_that_differ_are_caught() -> None:
    assert caught(scene_checks.check_scenes_of_sampled_worlds, DrawsTheTruth())
