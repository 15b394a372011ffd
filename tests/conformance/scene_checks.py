"""What must hold of the scenes by which front ends draw a game: one plain function per promise."""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from positions import positions, random_game, real
from seatmate.engine.core.game import SPECTATORS, Game, State
from seatmate.engine.core.scene import Face, Scene, Thing, Touch
from seatmate.engine.hundred_days.content.vocabulary import NONE
from seatmate.engine.hundred_days.game import HundredDaysGame
from seatmate.engine.monster_chase.content import vocabulary as chase
from seatmate.engine.monster_chase.game import MonsterChaseGame


def chase_numbers(game: MonsterChaseGame, seen: Mapping[str, Any]) -> set[str]:
    """The faces that an observation of Monster Chase means by numbers, or its circuit: all but hands and discarded auras."""
    names, pack = game.names, game.pack
    cars, frames = seen["cars"], seen["frames"]
    types = [car["spirit"] for car in cars] + [type_ for type_, amount in enumerate(seen["discard"]) if amount]
    types += [frame["card"] for frame in frames
              if frame["kind"] == "boss" or (frame["kind"] == "card" and frame["how"] != chase.BY_MANOEUVRE)]
    types += [seen["chosen"]] * (seen["phase"] in ("boss_star", "boss_move") and seen["chosen"] < chase.TYPES)
    nitros = {car["nitro"] for car in cars} | {nitro for nitro, amount in enumerate(seen["nitro"]) if amount}
    pilots = range(chase.PILOTS) if seen["phase"] in ("pick", "draft", "assign") else [car["board"] for car in cars]
    return {*[names.types[type_] for type_ in types if type_ is not None], *[entry.side for entry in game.track.entries],
            *[pack.pilot[pilot].id for pilot in pilots if pilot is not None],
            *[pack.nitro[nitro].id for nitro in nitros if nitro is not None],
            *[f"aura{seen['negative'] + 1}" for _ in range(seen["negative"] is not None)],
            *[f"assault{seen['assault'] + 1}" for _ in range(seen["assault"] is not None)],
            *[str(game.settings.options["boss"])] * (game.boss is not None)}


def days_numbers(game: HundredDaysGame, seen: Mapping[str, Any]) -> set[str]:
    """The faces that an observation of Hundred Days means by numbers: tiles that have been seen, cards that are carried out."""
    names = game.names
    return {*[names.tiles[tile] for tile, owner in enumerate(seen["owners"]) if owner != NONE],
            *[names.cards[frame["card"]] for frame in seen["frames"] if frame["card"] is not None]}


MANY = 8
"""Of more answers than these no two are given in the same way."""
NAMELESS = ("card", "cell", "die")
"""Shapes that say enough where nothing is known of a thing."""
NUMBERED: dict[str, Callable[[Any, Mapping[str, Any]], set[str]]] = {"hundred_days": days_numbers, "monster_chase": chase_numbers}
"""By game: the faces that an observation means by numbers."""


def check_scene(game: Game, seed: int) -> None:
    """Scenes are whole, say what the observation shows and no more, and answers and events point at what is there."""
    faces, numbered = game.faces(), NUMBERED.get(game.spec.id)
    opening = {row.key for row in game.spec.events if row.turn}
    past: dict[int, tuple[int, list[str], dict[str, Thing]]] = {}
    for step, state in enumerate(random_game(game, seed)):
        if step > 20 and step % 10 > 1:     # of long games two positions in ten
            past.clear()
            continue
        for observer in {*state.pending, SPECTATORS}:
            seen = state.observation(observer)
            scene = game.scene(seen, observer)
            check_whole(scene, faces)
            check_said(game, scene)
            shown = {thing.face for zone in scene.zones for thing in zone.things if thing.face}
            answers = state.legal_actions(observer) if observer in state.pending else []
            meant = numbered(game, seen) if numbered else set()
            texts, numbers = words_in(seen)
            args = [state.action_args(observer, action) for action in answers]
            known = texts.union(numbers, *words_in([game.settings.to_json(), args]))
            assert shown <= known | meant, f"{shown - known - meant} is nowhere in the observation"
            missing = (texts & faces.keys() | meant) - shown
            assert not missing, f"the scene does not show {missing}"
            ids, now = scene.ids(), cells(scene)
            since, before, then = past.get(observer, (0, [], {}))
            for event in state.events(observer, since) if since else ():
                touched = set(game.touched(real(state), event, observer))
                assert touched <= {*ids, *before}, f"{event} touches {touched - {*ids, *before}}"
                still = {name for name in touched if name in now and now[name] == then.get(name)}
                assert not still, f"{event} touches {still}, where nothing has changed"
                assert touched or event.key not in opening or not game.event_text(event, observer), f"{event} touches nothing"
            past[observer] = state.sequence(observer), ids, now
            if answers:
                touches = {action: game.touch(real(state), observer, action, seen) for action in answers}
                check_touches(real(state), observer, touches, {*ids}, shown)


def check_touches(state: State, seat: int, touches: Mapping[int, Touch], ids: set[str], shown: set[str]) -> None:
    """Answers touch what is there and what they name; many of them can be told apart by hand; what passes says so.

    ids, shown: of the things of the scene and of their faces.
    """
    for action, touch in touches.items():
        label = state.action_label(seat, action)
        assert set(touch.targets) <= ids, f"{label} touches {touch.targets}"
        assert touch.targets or not shown & set(map(str, state.action_args(seat, action).values())), f"{label} touches nothing"
    alike = Counter((touch.targets, touch.group) for touch in touches.values())
    assert len(touches) <= MANY or alike.total() == len(alike), f"one of {len(touches)} answers by {alike.most_common(1)}"
    assert Counter(touch.prominence for touch in touches.values())["primary"] <= 1, "two answers are the usual one"
    assert len(touches) > 1 or {touch.prominence for touch in touches.values()} <= {"", "pass"}, "what must be done is no choice"
    passing = {action for action, touch in touches.items() if touch.prominence == "pass"}
    known = next(prompt.passing for prompt in state.game.spec.prompts if prompt.key == state.prompt(seat))
    assert len(passing) <= 1, f"{passing} pass all"
    assert known is None or passing == {known}, f"{known} passes"


def check_said(game: Game, scene: Scene) -> None:
    """Zones have titles, what has no face has a label, the glossary explains every tag."""
    words = {word.lower() for entry in game.glossary() for word in entry.split(", ")}
    for zone in scene.zones:
        assert zone.title, f"the zone {zone.id} has no title"
        assert zone.seat is None or 0 <= zone.seat < game.seats
        for thing in zone.things:
            assert thing.face or thing.label or thing.shape in NAMELESS, f"{thing.id} is no thing a person knows"
            assert thing.seat is None or 0 <= thing.seat < game.seats
    named = Counter((zone.parent, zone.seat, zone.title) for zone in scene.zones)
    assert named.total() == len(named), f"two zones side by side are called {named.most_common(1)}"
    owned = [zone for zone in scene.zones if zone.seat is not None and re.search(rf"\bseat {zone.seat}\b", zone.title, re.I)]
    assert not owned, f"{owned[0].title} says whose it is, as its place does"
    tags = {tag for zone in scene.zones for thing in zone.things for tag in thing.tags} | {link.tag for link in scene.links} - {""}
    unsaid = {tag for tag in tags if tag.replace("_", " ").lower() not in words}
    assert not unsaid, f"the glossary does not explain {unsaid}"
    maps = {zone.id for zone in scene.zones if zone.layout == "map"}
    lie = Counter((zone.parent, zone.x, zone.y) for zone in scene.zones if zone.parent in maps)
    assert lie.total() == len(lie), f"two zones of a map lie at {lie.most_common(1)}"


def cells(scene: Scene) -> dict[str, Thing]:
    """The cells of all grids."""
    return {thing.id: thing for zone in scene.zones if zone.layout == "grid" for thing in zone.things}


def check_whole(scene: Scene, faces: Mapping[str, Face]) -> None:
    """Ids are unique, parents and ends of links exist, faces are known."""
    ids = scene.ids()
    assert ids and "" not in ids and len(set(ids)) == len(ids), f"ids: {sorted(name for name in set(ids) if ids.count(name) > 1)}"
    zones = {zone.id: zone for zone in scene.zones}
    for zone in scene.zones:
        above = zone.id
        for _ in zones:
            assert above in zones, f"zone {zone.id} lies in {above}, which is not there"
            above = zones[above].parent
            if not above:
                break
        assert not above, f"zone {zone.id} lies in itself"
        assert zone.layout != "grid" or zone.columns > 0, f"the grid {zone.id} has no columns"
        for thing in zone.things:
            assert not thing.face or thing.face in faces, f"{thing.id} shows {thing.face!r}, which is no face"
            assert thing.shape != "fact" or thing.label, f"the fact {thing.id} says nothing"
            assert thing.shape != "counter" or thing.value is not None, f"the counter {thing.id} shows no number"
            assert thing.amount > 0, f"{thing.id} is not there"
    loose = {name for link in scene.links for name in (link.start, link.end)} - set(ids)
    assert not loose, f"links end at {loose}, nowhere"


def words_in(value: Any) -> tuple[set[str], set[str]]:
    """All texts in plain values, and all numbers, with R3 for {"R": 3}."""
    texts, numbers, rest = set(), set(), [value]
    while rest:
        item = rest.pop()
        if isinstance(item, str):
            texts.add(item.partition("@")[0])       # what stands behind it is not on the face: which shuffle a card came from
        elif isinstance(item, dict):
            rest += [*item, *item.values()]
            numbers |= {f"{key}{one}" for key, one in item.items() if isinstance(one, int)}
        elif isinstance(item, list | tuple | set | frozenset):
            rest += item
        else:
            numbers.add(str(item))
    return texts, numbers


def check_scenes_of_sampled_worlds(game: Game, seed: int) -> None:
    """What a seat can't tell apart is drawn alike, byte for byte, and so are its answers."""
    for number, state in enumerate(positions(game, seed, 4)):
        for seat in range(game.seats):
            world = state.resample_from_infostate(seat, number)
            views = [one.observation(seat) for one in (state, world)]
            assert game.scene(views[0], seat) == game.scene(views[1], seat)
            if seat in state.pending:
                for action in state.legal_actions(seat):
                    assert game.touch(real(state), seat, action, views[0]) == game.touch(real(world), seat, action, views[1])
