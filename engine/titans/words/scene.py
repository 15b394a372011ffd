"""Titans as things in places: the map with pieces, traps, tokens and obstacles, the teams with dice and missions, hands, piles."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.scene import Face, Link, Scene, Thing, Touch, Zone, cards, heap, unmarked
from seatmate.engine.titans.words.cards import (
    TitansWords,
    board_lines,
    card_lines,
    go_lines,
    monster_health,
    tile_lines,
)
from seatmate.engine.titans.words.names import COLOURS

if TYPE_CHECKING:
    from seatmate.engine.core.game import SeenEvent
    from seatmate.engine.titans.content.pack import TitansPack
    from seatmate.engine.titans.words.names import Names

_VERBS = {"DRAFT": "Take", "COMP_CHAR": "Take", "COMP_CARD": "Take", "SETASIDE": "Set aside", "MOVE": "Move", "DEST": "Teleport",
          "PIECE": "Activate", "DIE_SLOT": "Use a die", "TARGET": "Shoot", "OBST_EDGE": "Put an obstacle"}
_STATES = ("stunned", "shield", "escape", "pizza", "ghost", "locked", "ko", "eliminated")


def faces(pack: TitansPack, names: Names) -> dict[str, Face]:
    """Characters, Mayhem cards, missions and places."""
    said = TitansWords(pack, names.arena)
    return {
        **{board.key: Face(board.title, "character", unmarked(board_lines(said, board))) for board in pack.board},
        **{card.id: Face(card.title, "Mayhem card", unmarked(card_lines(said, card))) for card in pack.mayhem},
        **{go.id: Face(go.title, "mission", unmarked(go_lines(said, go))) for go in pack.go},
        **{tile.key: Face(tile.title, "place", unmarked(tile_lines(said, pack, tile))) for tile in pack.tile}}


def scene(pack: TitansPack, names: Names, view: Mapping[str, Any], observer: int) -> Scene:
    """What the observer sees."""
    zones = [Zone("map", "Map", "map"), *_places(pack, names, view)]
    pieces = [_piece(names, view, number) for number, piece in enumerate(view["pieces"])
              if piece["place"] is None and piece["character"] is not None]
    for team, values in enumerate(view["teams"]):
        zones.append(Zone(f"team/{team}", f"Seat {team}" if names.arena else f"Team {COLOURS[team]}", "row",
                          tuple(_team(names, view, team, values))))
    for seat, hand in enumerate(view["hands"]):
        zones.append(cards(f"hand/{seat}", "Hand", hand if hand is not None else [""] * view["hand_counts"][seat], seat))
    zones += [cards(f"aside/{seat}", "Set aside", aside, seat) for seat, aside in enumerate(view["aside"]) if aside]
    zones += [heap(f"used/{team}", "Mayhem cards played", used) for team, used in enumerate(view["used"]) if used]
    zones += [Zone("away", "Not on the map", "row", tuple(pieces)), heap("missions", "Missions to come", view["go_deck"]),
              heap("done", "Missions completed", view["go_done"]), Zone("box", "Left in the box", "row", tuple(_box(view)))]
    if view["prompt"] == "DRAFT":
        taken = {piece["character"] for piece in view["pieces"]}
        zones.append(Zone("characters", "Characters", "row", tuple(
            Thing(f"character/{key}", key) for key in names.characters
            if key not in taken and not (names.arena and key == "cyborg"))))    # out of control there, and nobody's
    borders = [names.map.edges[border] for border in view["obstacles"]]
    obstacles = [Link(f"place/{one}", f"place/{other}", "obstacle") for one, other in borders]
    return Scene(tuple(zones), tuple(obstacles))


def _places(pack: TitansPack, names: Names, view: Mapping[str, Any]) -> Iterable[Zone]:
    """The hexagons that are still there, each with its tile and all that is on it."""
    for place, (row, left) in enumerate(names.map.positions):
        if place in view["removed"]:
            continue
        tile = view["tiles"][place]
        things = [Thing(f"tile/{place}", tile or "", shape="cell")]
        things += [_piece(names, view, number) for number, piece in enumerate(view["pieces"]) if piece["place"] == place]
        things += [Thing(f"traps/{place}/{team}", label=f"traps of {COLOURS[team]}" if not names.arena else "traps", shape="token",
                         amount=count) for team, count in enumerate(view["traps"][place]) if count]
        things += [Thing("pizza", label="pizza", shape="token")] if view["pizza"] == place else []
        things += [Thing(f"clue/{place}", label="clue", shape="token")] if place in view["clues"] else []
        for team, values in enumerate(view["teams"]):
            if values["monster"] is not None and values["monster"]["place"] == place:
                full = monster_health(pack.go[names.go_number[values["go"]]])
                things.append(Thing(f"monster/{team}", label="monster", shape="token", value=full - values["monster"]["damage"],
                                    maximum=full))
        title = f"Place {place}" if tile is None else names.tile_titles[names.tile_number[tile]]
        yield Zone(f"place/{place}", title, "row", tuple(things), parent="map", x=left, y=2 * row)


def _piece(names: Names, view: Mapping[str, Any], number: int) -> Thing:
    """A character with what is left of its health, and all that lies on its board."""
    piece = view["pieces"][number]
    if piece["character"] is None:
        return Thing(f"piece/{number}", shape="token", seat=piece["seat"])
    kind = names.character_number[piece["character"]]
    dice = [f"{title}: a {die}" for title, die in zip(names.abilities[kind], piece["slots"], strict=True) if die]
    dice += [f"{names.innates[kind]} is used"] if piece["innate_spent"] else []
    tags = ["acts"] * (view["active"] == number) + [state for state in _STATES if piece[state]] + ["fire"] * piece["fire"]
    full = names.health[kind]
    return Thing(f"piece/{number}", piece["character"], shape="token", seat=piece["seat"], value=full - piece["damage"],
                 maximum=full, tags=tuple(tags), note="; ".join(dice))


def _team(names: Names, view: Mapping[str, Any], team: int, values: Mapping[str, Any]) -> Iterable[Thing]:
    if not names.arena:
        yield Thing(f"points/{team}", label="points", shape="counter", value=values["points"], maximum=5)
    if values["go"] is not None:
        yield Thing(f"go/{team}", values["go"], tags=("mission",))
    for die, value in enumerate(values["dice"] or ()):
        yield Thing(f"die/{team}/{die}", shape="die", value=value, tags=("used",) if die in values["dice_used"] else ())
    if values["played"] is not None:
        yield Thing(f"played/{team}", values["played"], tags=("played",))
    for key, label in (("gifts", "gifts"), ("clues", "clues found")):
        if values[key]:
            yield Thing(f"{key}/{team}", label=label, shape="counter", value=values[key])


def _box(view: Mapping[str, Any]) -> Iterable[Thing]:
    for key, left in view["supplies"].items():
        for number, amount in enumerate(left if isinstance(left, list) else [left]):
            label = key if not isinstance(left, list) else f"{key} of {COLOURS[number]}"
            yield Thing(f"box/{key}/{number}", label=label, shape="counter", value=amount)
    if view["mayhem"] is not None:
        yield Thing("mayhem", label="Mayhem die", shape="die", value=view["mayhem"]["value"],
                    tags=("star",) if view["mayhem"]["star"] else ())


def touch(names: Names, view: Mapping[str, Any], seat: int, prompt: str, args: Mapping[str, int | str]) -> Touch:
    """How an answer with these arguments is given: the piece, then what it uses, then where."""
    own = {piece["seat"]: piece["team"] for piece in view["pieces"]}.get(seat, seat)
    hand = view["hands"][seat] or []
    found: list[str] = []
    for key, value in args.items():
        match key:
            case "piece" if view["pieces"][int(value)]["character"] is not None:
                found.append(f"piece/{value}")
            case "place" if value not in view["removed"]:
                found.append(f"place/{value}")
            case "die":
                found.append(f"die/{own}/{value}")
            case "border":
                found += [f"place/{place}" for place in names.map.edges[int(value)]]
            case "character" if prompt == "DRAFT":
                found.append(f"character/{value}")
            case "card" if value in hand:
                found.append(f"hand/{seat}/{hand.index(value)}")
    return Touch(tuple(found), _VERBS.get(prompt, ""),
                 "pass" if args.get("answer") in ("pass", "decline", "stay", "end") else "")


def touched(event: SeenEvent, args: Mapping[str, int]) -> tuple[str, ...]:
    """What an event moved or changed."""
    if event.key in ("FLOW", "FRAME", "WINDOW", "PASS", "DECLINE", "CONFIG", "TILES", "TURN_END", "ROUND_END", "DRAFT"):
        return ()
    found = [f"piece/{args['who'] & 3}"] if "who" in args and args["who"] >= 0 else []
    if event.key == "ATTACK" and args["target"] >= 0:
        found.append(f"piece/{args['target'] & 3}")
    match event.key:
        case "ENTER" | "TRAP" | "TRAP_TRIGGER":
            found.append(f"place/{args['place']}")
        case "DIE_CHANGE":
            found.append(f"die/{args['team']}/{args['die']}")
        case "GO_REVEAL":
            found.append(f"go/{args['team']}")
        case "VP":
            found.append(f"points/{args['team']}")
    return tuple(found)
