"""Positions, rows, cards in words, packs that are refused, and views that no game can show."""
from __future__ import annotations

import copy
import functools
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from seatmate.engine.core.errors import PackError
from seatmate.engine.core.game import State
from seatmate.engine.core.registry import new_game
from seatmate.engine.monster_chase.content import vocabulary as v
from seatmate.engine.monster_chase.content.link import link
from seatmate.engine.monster_chase.content.pack import read
from seatmate.engine.monster_chase.content.track import entries_of, track_of
from seatmate.engine.monster_chase.game import MonsterChaseGame
from seatmate.engine.monster_chase.secrets.fields import FIELDS
from seatmate.engine.monster_chase.words.cards import effect

PACK = Path(__file__).parents[3] / "engine" / "monster_chase" / "packs" / "standard.toml"


def a_game(mode: str, seats: int, **options: Any) -> MonsterChaseGame:
    game = new_game("monster_chase", mode=mode, seats=seats, options=options)
    assert isinstance(game, MonsterChaseGame)
    return game


def some_states(game: MonsterChaseGame, seed: int) -> list[State]:
    """Positions of a random game."""
    state, chooser, found = game.new_state(seed), random.Random(seed), []
    while not state.is_over:
        seat = chooser.choice(state.pending)
        state.apply_action(seat, chooser.choice(state.legal_actions(seat)))
        if chooser.random() < 0.1:
            found.append(state.clone())
    return found


def test_the_rows_cover_the_state() -> None:
    """What they leave out is padding before words of 8 bytes."""
    assert all(len(gap) < 8 and gap.stop % 8 == 0 for gap in FIELDS.gaps())
    assert FIELDS.size == a_game("coop", 2).state_bytes <= 1184


@pytest.mark.parametrize(("mode", "seats"), [("coop", 2), ("coop", 8), ("team", 5), ("race", 3)])
def test_everything_is_read_back(mode: str, seats: int) -> None:
    game = a_game(mode, seats)
    for state in some_states(game, seats):
        again = game.position(game.everything(state))
        assert again.to_bytes() == state.to_bytes() and game.everything(again) == game.everything(state)


def test_every_circuit_is_driven_around() -> None:
    """Distances, links and neighbours of all circuits of the pack: every square leads around, on land or over it."""
    pack = read("standard").content
    for row in pack.circuit:
        track = track_of(pack, entries_of(pack, row.id))
        assert len(track.squares) <= 240 and all(len(around) <= 8 for around in track.neighbours(False))
        for lane in range(3):
            here, laps = track.number[0, lane, 0], 0
            for _step in range(200):
                there = track.squares[here].ahead[0]
                laps += track.squares[there].slot == 0 and track.squares[here].slot != 0
                here = there
            assert laps >= 2
        for number, square in enumerate(track.squares):
            assert square.back == 255 or number in track.squares[square.back].ahead


def test_every_effect_is_said_in_words() -> None:
    pack = read("standard").content
    lines = [line for row in pack.pilot for line in (*row.mc_l1, *row.mc_l3, *row.race_l1, *row.race_l3)]
    lines += [line for row in pack.aura for line in (*row.neg, *row.pos)]
    lines += [line for row in pack.assault for line in (*row.green, *row.red)]
    lines += [line for row in pack.boss for line in (*row.always, *row.normal, *row.furious)]
    for line in lines:
        text = effect(str(line))
        assert "so many" not in text and "@" not in text and "(" not in text.split(" (")[0] and text.endswith("."), text


@pytest.mark.parametrize(("old", "new", "problem"), [
    ('red = ["MOVE(3)"]', 'red = ["MOVE(3); MOVE(1)"]', "one step"),
    ('red = ["MOVE(3)"]', 'red = ["start: MOVE(3)"]', "another head"),
    ('red = ["MOVE(3)"]', 'red = ["MOD(value_all, 1)"]', "MOD stands on auras"),
    ('red = ["MOVE(3)"]', 'red = ["BOULDER(1, before)"]', "before needs"),
    ('red = ["MOVE(3)"]', 'red = ["TURN(hand, 1)"]', "TURN changes"),
    ('pos = ["MOD(value_all, 1)"]', 'pos = ["HEAL(1, @self)"]', "needs a head"),
])
def test_what_the_rules_do_not_carry_out_is_refused(tmp_path: Path, old: str, new: str, problem: str) -> None:
    text = PACK.read_text()
    assert old in text
    file = tmp_path / "own.toml"
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(PackError, match=problem):
        link(str(file))


FORGED: list[tuple[str, Callable[[dict[str, Any]], None]]] = [
    ("a boulder more", lambda view: view["objects"].__setitem__(3, 1)),
    ("two on a square", lambda view: view["cars"][1].update(sq=view["cars"][0]["sq"], lap=view["cars"][0]["lap"])),
    ("no such square", lambda view: view["cars"][0].update(sq=239)),
    ("another lap", lambda view: view["cars"][0].update(lap=view["cars"][0]["lap"] + 1)),
    ("too many hearts", lambda view: view.update(hp=99)),
    ("a prey token more", lambda view: view["open"].__setitem__(0, view["open"][0] + 1)),
    ("a card more", lambda view: view["hands"][0].append("missile-1s")),
    ("an unknown card", lambda view: view["hands"][0].append("wheel-9x")),
    ("a hand that nobody sees", lambda view: view["hands"].__setitem__(0, None)),
    ("two first", lambda view: view["rank"].__setitem__(0, view["rank"][1])),
    ("a shield too many", lambda view: view.update(shield_tokens=view["shield_tokens"] + 1)),
    ("an aura twice", lambda view: view.update(positive=["aura1", "aura1"])),
    ("an unknown question", lambda view: view.update(question="WHY")),
    ("nobody asked", lambda view: view.update(asked=[])),
    ("over too early", lambda view: view.update(phase="over")),
    ("no such frame", lambda view: view["frames"].append({"kind": "card"})),
    ("a row is missing", lambda view: view.pop("cars")),
]


@pytest.mark.parametrize(("what", "forge"), FORGED, ids=[what for what, _ in FORGED])
def test_views_that_no_game_can_show_are_refused(what: str, forge: Callable[[dict[str, Any]], None]) -> None:
    game = a_game("coop", 4)
    for state in some_states(game, 5)[3:9]:
        view = copy.deepcopy(state.observation(0))
        game.state_from_view(view, 0, 1)
        forge(view)
        with pytest.raises(ValueError):
            game.state_from_view(view, 0, 1)


HIGHEST = "star-5r"


@functools.cache
def begun_manoeuvre() -> tuple[MonsterChaseGame, list[dict[str, Any]]]:
    """A race in which seat 0 has put down the first card of a manoeuvre, a Rush one, as seats 0 and 1 see it.

    Of the two cards that are higher than all others one is in no hand that is seen.
    """
    game = a_game("race", 3, race_extras=True)
    for seed in range(20):
        for state in some_states(game, seed):
            for answer in state.legal_actions(0) if state.pending == (0,) else ():
                if state.action_args(0, answer) == {"answer": "manoeuvre"}:
                    state.apply_action(0, answer)
                    state.apply_action(0, state.legal_actions(0)[0])
                    views = [state.observation(seat) for seat in (0, 1)]
                    if views[0]["question"] == "MAN_CARD" and views[0]["frames"][0]["card"] >= v.RUSH and all(
                            view["unseen"].get(HIGHEST) == 1 for view in views):
                        return game, views
                    break
    raise AssertionError("no game has such a manoeuvre")


def pile(view: dict[str, Any], type_: int, change: int) -> None:
    """Cards more on the discard pile, or less; nobody sees where they were, or are then."""
    name = begun_manoeuvre()[0].names.types[type_]
    view["discard"][type_] += change
    view["unseen"][name] = view["unseen"].get(name, 0) - change
    view["unseen"] = {card: left for card, left in view["unseen"].items() if left}


def highest(view: dict[str, Any]) -> None:
    """The first card is one that no other beats."""
    frame = view["frames"][0]
    pile(view, frame["card"], -1)
    frame["card"] = begun_manoeuvre()[0].names.type_number[HIGHEST]
    pile(view, frame["card"], 1)


def no_hand(view: dict[str, Any]) -> None:
    car, hand = view["cars"][0], view["hands"][0]
    view.update({f"deck_{deck}": view[f"deck_{deck}"] + car[deck] for deck in ("sprint", "rush")})
    car.update(sprint=0, rush=0)
    view["unseen"] = dict(Counter(view["unseen"]) + Counter(hand or []))
    view["hands"][0] = None if hand is None else []


def in_hand_still(view: dict[str, Any]) -> None:
    pile(view, view["frames"][0]["card"], -1)
    view["deck_rush"] += 1


def no_manoeuvre(view: dict[str, Any]) -> None:
    """Somebody plays a card by itself, and is asked for the cards of a manoeuvre."""
    view["frames"][0].update(stage=0, card=None, how=v.BY_CARD)


BEGUN: list[tuple[str, Callable[[dict[str, Any]], None]]] = [
    ("the highest card first", highest), ("no hand", no_hand), ("its first card is not on the pile", in_hand_still),
    ("a card by itself", no_manoeuvre),
    ("no first card", lambda view: view["frames"][0].update(card=None)),
    ("begun twice", lambda view: view["frames"].append(dict(view["frames"][0]))),
    ("somebody else's", lambda view: view["frames"][0].update(v=1)),
    ("both cards put down", lambda view: view["frames"][0].update(stage=5)),
    ("nothing is under way", lambda view: view.update(frames=[])),
]


@pytest.mark.parametrize(("what", "forge"), BEGUN, ids=[what for what, _ in BEGUN])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_forged_view_of_a_begun_manoeuvre_is_refused(seat: int, what: str, forge: Callable[[dict[str, Any]], None]) -> None:
    game, views = begun_manoeuvre()
    game.state_from_view(views[seat], seat, 1)
    forged = copy.deepcopy(views[seat])
    forge(forged)
    with pytest.raises(ValueError):
        game.state_from_view(forged, seat, 1)


def test_a_team_race_says_whose_cars_are_whose_and_who_wins_by_what() -> None:
    game = a_game("team", 5)
    state, chooser = game.new_state(3), random.Random(3)
    while not state.is_over:
        seat = state.pending[0]
        if state.prompt(seat) == "GRID_CAR":
            assert all(label.startswith(("Seat ", "The ghost")) for label in map(functools.partial(state.action_label, seat),
                                                                                  state.legal_actions(seat)))
        if state.prompt(seat) in ("GRID_CAR", "TURN_MENU"):
            board = [line for line in game.board_lines(state.observation(0), 0) if ", stable " in line]
            assert sorted(line[0] + line.split(", stable ")[1][0] for line in board) == ["0A", "1A", "2B", "3B", "4C", "GC"]
        state.apply_action(seat, chooser.choice(state.legal_actions(seat)))
    rank, stables = game.everything(state)["rank"], [stable for _, _, stable in game.plan.vehicles]
    places = {stable: sorted(rank.index(car) + 1 for car in range(6) if stables[car] == stable) for stable in range(3)}
    best = min(places, key=lambda stable: (sum(places[stable]), places[stable][-1]))
    assert game.result_text(state).startswith(f"Stable {'ABC'[best]}, ")
    assert f"wins on positions {places[best][0]} and {places[best][1]} (" in game.result_text(state)


def test_reasons_count_cards_as_after_the_refill() -> None:
    """In the own turn a card played and one not yet played are the same: the hand is filled up before others move."""
    game = a_game("race", 3)
    number, row = next((number, row) for number, row in enumerate(game.spec.features) if row.key == "cards")
    played = 0
    for seed in range(6):
        state, chooser = game.new_state(seed), random.Random(seed)
        for _ in range(200):
            if state.is_over:
                break
            seat = state.pending[0]
            view = state.observation(seat)
            if view["prompt"] == "TURN_MENU" and set(view["turn_flags"]) <= {4}:     # neither a manoeuvre nor a Yeti
                assert state.features(seat)[number] == pytest.approx(3 * row.scale)
                played += len(view["hands"][seat]) < 3
            state.apply_action(seat, chooser.choice(state.legal_actions(seat)))
    assert played > 5
