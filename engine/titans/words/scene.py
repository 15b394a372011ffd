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
          "PIECE": "Activate", "DIE_SLOT": "Put a die", "TARGET": "Shoot", "OBST_EDGE": "Put an obstacle"}
_PASSES = ("pass", "decline", "stay", "end")
_STATES = {"pizza": "pizza_token", **{key: key for key in ("stunned", "shield", "escape", "ghost", "locked", "ko", "eliminated")}}


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
        seats = {piece["seat"] for piece in view["pieces"] if piece["team"] == team}
        members = f" ({', '.join(f'seat {seat}' for seat in sorted(seats))})" if len(seats) > 1 else ""
        zones.append(Zone(f"team/{team}", "Mission and dice" if names.arena else f"{names.team(team)}{members}", "row",
                          tuple(_team(names, view, team, values)), seat=seats.pop() if len(seats) == 1 else None))
    zones += [_board(names, number, piece) for number, piece in enumerate(view["pieces"]) if piece["character"] is not None]
    for seat, hand in enumerate(view["hands"]):
        zones.append(cards(f"hand/{seat}", "Hand", hand if hand is not None else [""] * view["hand_counts"][seat], seat))
    zones += [cards(f"aside/{seat}", "Set aside", aside, seat) for seat, aside in enumerate(view["aside"]) if aside]
    zones += [heap(f"used/{seat}", "Mayhem cards played", used)._replace(seat=seat)
              for seat, used in enumerate(view["used"]) if used]
    die = view["mayhem"]
    zones.append(Zone("mayhem", "Mayhem die", "row", () if die is None else (
        Thing("mayhem/die", label="Mayhem die", shape="die", value=die["value"], tags=("star",) if die["star"] else ()),)))
    zones += [Zone("away", "Not on the map", "row", tuple(pieces)),
              heap("missions", "Missions to come", view["go_deck"], aside=True),
              heap("done", "Missions completed", view["go_done"], aside=True),
              Zone("box", "Left in the box", "row", tuple(_box(view)), aside=True)]
    zones += _offered(names, view, observer)
    borders = [names.map.edges[border] for border in view["obstacles"]]
    obstacles = [Link(f"place/{one}", f"place/{other}", "obstacle") for one, other in borders]
    return Scene(tuple(zones), tuple(obstacles))


def _offered(names: Names, view: Mapping[str, Any], observer: int) -> Iterable[Zone]:
    """What the observer chooses from before the game; in the arena Cyborg is out of control, and nobody's."""
    secret = view["prompt"] in ("COMP_CHAR", "COMP_CARD")
    taken = {piece["character"] for piece in view["pieces"] if not secret or piece["seat"] == observer}
    if view["prompt"] in ("DRAFT", "COMP_CHAR"):
        offered = [key for key in names.characters if key not in taken and not (names.arena and key == "cyborg")]
        yield Zone("characters", "Characters", "row", tuple(Thing(f"character/{key}", key) for key in offered))
    if view["prompt"] == "COMP_CARD":
        yield Zone("cards", "Mayhem cards", "row", tuple(
            Thing(f"card/{card}", card) for card in names.cards if card not in (view["hands"][observer] or ())))


def _board(names: Names, number: int, piece: Mapping[str, Any]) -> Zone:
    """A character's abilities with the dice on them."""
    kind = names.character_number[piece["character"]]
    things = [Thing(f"ability/{number}/{slot}", label=title, shape="cell", seat=piece["seat"], value=die or None)
              for slot, (title, die) in enumerate(zip(names.abilities[kind], piece["slots"], strict=True))]
    things.append(Thing(f"innate/{number}", label=names.innates[kind], shape="cell", seat=piece["seat"],
                        tags=("innate", "used") if piece["innate_spent"] else ("innate",)))
    return Zone(f"board/{number}", names.piece(4 * kind + number), "row", tuple(things), seat=piece["seat"])


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
    tags = ["acts"] * (view["active"] == number) + [tag for key, tag in _STATES.items() if piece[key]] + ["fire"] * piece["fire"]
    full = names.health[kind]
    return Thing(f"piece/{number}", piece["character"], shape="token", seat=piece["seat"], value=full - piece["damage"],
                 maximum=full, tags=tuple(tags))


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


def touch(names: Names, view: Mapping[str, Any], seat: int, prompt: str, args: Mapping[str, int | str], left: bool) -> Touch:
    """How an answer with these arguments is given: the piece, then what it uses, then where. left: it has an ability to use."""
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
            case "dice":
                found += [f"die/{own}/{die}" for die in range(int(value).bit_length()) if int(value) >> die & 1]
            case "slot":
                found.append(f"ability/{args['piece']}/{value}")
            case "border":
                found += [f"place/{place}" for place in names.map.edges[int(value)]]
            case "character":
                found.append(f"character/{value}")
            case "card":
                found.append(f"hand/{seat}/{hand.index(value)}" if value in hand else f"card/{value}")
            case "answer" if value == "ability":
                slots = view["pieces"][int(args["piece"])]["slots"]
                found += [f"ability/{args['piece']}/{slot}" for slot, die in enumerate(slots) if die]
            case "answer" if value == "innate":
                found.append(f"innate/{args['piece']}")
            case "answer" if value == "monster":
                found.append(f"monster/{own}")
            case "answer" if value == "new":
                found.append("box/obstacles/0")
    answer = args.get("answer")
    if answer in _PASSES:
        return Touch(tuple(found), prominence="irreversible" if answer == "end" and left else "pass")
    return Touch(tuple(found), _VERBS.get(prompt, ""), "primary" if answer == "ability" else "")


def touched(event: SeenEvent, args: Mapping[str, int]) -> tuple[str, ...]:
    """What an event moved or changed."""
    if event.key in ("FLOW", "FRAME", "WINDOW", "PASS", "DECLINE", "CONFIG", "TILES", "TURN_END", "ROUND_END"):
        return ()
    found = [f"piece/{args['who'] & 3}"] if "who" in args and args["who"] >= 0 else []
    if event.key == "ATTACK" and args["target"] >= 0:
        found.append(f"piece/{args['target'] & 3}")
    match event.key:
        case "ENTER" | "TRAP" | "TRAP_TRIGGER":
            found.append(f"place/{args['place']}")
        case "DIE_CHANGE":
            found.append(f"die/{args['team']}/{args['die']}")
        case "CARD" | "MAYHEM_DRAW" | "MAYHEM_COUNT" | "SETASIDE" | "SETASIDE_COUNT":
            found.append(f"hand/{args['seat']}")
        case "ROLL_ACT" | "INITIATIVE" | "GO_DONE" | "MONSTER_DAMAGE":
            found.append(f"team/{args['team']}")
        case "ROLL_MAYHEM":
            found.append("mayhem")
        case "FLAME":
            found.append(f"place/{args['place']}")
        case "TILE_REMOVED":
            found.append("map")
        case "GO_REVEAL":
            found.append(f"go/{args['team']}")
        case "VP":
            found.append(f"points/{args['team']}")
    return tuple(found)
