"""Hundred Days as things in places: the map with tiles, pawns and die, what is being carried out, seats, cards, supplies."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.scene import Face, Link, Scene, Thing, Touch, Zone, facts, known_to
from seatmate.engine.core.spec import counted
from seatmate.engine.hundred_days.content import vocabulary as v
from seatmate.engine.hundred_days.words.board import PHASES
from seatmate.engine.hundred_days.words.cards import card_lines, card_text, tile_lines
from seatmate.engine.hundred_days.words.glossary import GLOSSARY
from seatmate.engine.hundred_days.words.names import resources, several

if TYPE_CHECKING:
    from seatmate.engine.core.game import SeenEvent
    from seatmate.engine.hundred_days.words.names import Names

MAP = ((4, 4), (4, 0), (8, 2), (8, 6), (4, 8), (0, 6), (0, 2),          # the Smith house, the ring
       (6, 1), (8, 4), (6, 7), (2, 7), (0, 4), (2, 1),                  # between two of the ring
       (4, 2), (6, 3), (6, 5), (4, 6), (2, 5), (2, 3))                  # between one of them and the Smith house
"""Where the spaces of a Rick lie, in halves of a space."""
COLOURS = {"action": "steelblue", "place": "steelblue", "reaction": "darkorange", "item": "seagreen", "character": "seagreen"}
_RUNNING = {"blue": "plays", "green": "plays", "item": "uses", "react": "reacts with"}
_EVENTS = (*_RUNNING, "move", "close", "reveal", "harvest")
_PAWNS = (("rick", "ricks"), ("morty", "morties"))
_VERBS = {"PLACE_RICK": "Place", "PLACE_MORTY": "Place", "SPACE": "Move", "MPLACE": "Move", "REACT": "React", "PAY": "Pay",
          "OVERFLOW": "Give up", "HAND_DROP": "Give up", "HAND_TAKE": "Take", "TYPE_GAIN": "Take", "TYPE_TAKE": "Take",
          "TYPE_LEAVE": "Leave", "TYPE_STEAL": "Steal", "TYPE_GIVE": "Give away", "TYPE_HALVE": "Halve", "TRADE_OUT": "Give back",
          "TRADE_IN": "Take", "WAIVE": "Don't pay", "close": "Close", "play": "Play", "use": "Use", "guard": "Guard",
          "move": "Move"}
_OWN = ("PAY", "TRADE_OUT", "TYPE_GIVE", "WAIVE")
"""Questions about resources of the asked seat; those of _OTHERS are about another seat's, the rest about the Federation's."""
_OTHERS = ("TYPE_STEAL", "TYPE_HALVE")


def faces(names: Names) -> dict[str, Face]:
    """Cards and tiles."""
    cards = {card.id: Face(card.title, card.kind, card_lines(card), COLOURS[card.kind]) for card in names.pack.card}
    return {**cards, **{tile.id: Face(tile.title, "dimension", tile_lines(tile), cost=resources(tile.cost))
                        for tile in names.pack.tile}}


def scene(names: Names, view: Mapping[str, Any], scores: Sequence[int]) -> Scene:
    """What the view shows. scores: points of each seat as the game stands."""
    zones = [Zone("map", "Board", "map")]
    zones += [_space(names, view, space) for space in range(v.SPACES)]
    for seat, score in enumerate(scores):
        zones += _belongings(names, view, seat, score)
    limits = names.pack.limits
    supply = [Thing(f"federation/{type_}", label=several(type_), shape="counter", value=left, maximum=limits.resources)
              for type_, left in enumerate(view["federation"])]
    garage = Thing("federation/garage", label="garage tokens", shape="counter", value=view["garage_supply"], maximum=limits.garage)
    lying = [
        Zone("federation", "Federation", "row", (*supply, garage)),
        Zone("deck", "Deck", "pile", _amount("deck/cards", view["deck_count"])),
        Zone("stack", "Tiles left", "pile", _amount("stack/tiles", view["stack"])),
        Zone("general", "General pile", "pile", tuple(_card(view, card) for card in view["general"])),
        Zone("banished", "Tiles that have left the game", "row", tuple(_gone(names, view, v.BANISHED)), aside=True),
        facts("round", f"Round {view['round']}", _round(view))]
    now, links = _running(names, view, {thing.id for zone in (*zones, *lying) for thing in zone.things})
    return Scene((*zones, now, *lying), links)


def _round(view: Mapping[str, Any]) -> dict[str, Any]:
    """How far the round is. What is nought or not so yet goes without saying."""
    told = {"actions left": view["actions_left"], "passes in a row": view["passes"], "taxes": view["taxes"],
            "last adventure phase": view["ending"] and "yes"}
    return {"phase": PHASES[view["phase"]] or "begins or ends", **{key: value for key, value in told.items() if value}}


def _space(names: Names, view: Mapping[str, Any], space: int) -> Zone:
    """A place or what lies between two: its tile and all that stands there."""
    tile = view["places"][space] if space <= 6 else None
    things = [_tile(names, tile)] if tile is not None else []
    if space and view["die"] == space:
        things.append(Thing("die", label="die", shape="die", value=space, note=GLOSSARY["die"]))
    for secret in ("", "secret_"):
        things += [Thing(f"{secret}{pawn}/{seat}", label=pawn.capitalize(), shape="token", seat=seat,
                         tags=("secret",) if secret else ())
                   for pawn, pawns in _PAWNS for seat, at in enumerate(view[secret + pawns]) if at == space]
    things += [Thing(f"barred/{seat}", label="closed to others", shape="token", seat=seat)
               for seat, at in enumerate(view["barred"]) if at == space]
    limits, x, y = names.pack.limits, *MAP[space]
    title = names.space(space)
    if 1 <= space <= 6:
        title = f"{space}: {'a black hole' if tile is None else names.tile_titles[tile]}"
    note = f"cards {limits.centre_single} for Rick alone, {limits.centre_between:+d} between." if space == 0 else ""
    return Zone(f"space/{space}", title[0].upper() + title[1:], "row", tuple(things), parent="map", x=x, y=y, note=note)


def _belongings(names: Names, view: Mapping[str, Any], seat: int, score: int) -> Iterable[Zone]:
    """A seat's points and resources, its cards and the dimensions it has closed."""
    counters = {f"points/{seat}": ("points", score), f"garage/{seat}": ("garage tokens", view["garage"][seat]),
                **{f"resource/{seat}/{type_}": (several(type_), held) for type_, held in enumerate(view["tokens"][seat])}}
    if view["discounts"][seat]:
        counters[f"discount/{seat}"] = ("waivers of the next closing", view["discounts"][seat])
    things = [Thing(id, label=label, shape="counter", seat=seat, value=value) for id, (label, value) in counters.items()]
    things += [Thing(key, label=label, shape="token", seat=seat)
               for key, label, whose in (("first", "initiative", "first"), ("turn", "turn", "current"))
               if view[whose] == seat and view["phase"] == "turn"]
    yield Zone(f"seat/{seat}", "Points and resources", "row", tuple(things), seat=seat)
    hand = view["hands"][seat]
    cards = sorted({*view["open_cards"][seat], *view["known"][seat]}) if hand is None else hand
    hidden = [Thing(f"hand/{seat}/{number}", seat=seat) for number in range(view["hand_counts"][seat] - len(cards))]
    yield Zone(f"hand/{seat}", "Hand", "row", (*(_card(view, card, seat) for card in cards), *hidden), seat=seat)
    for key, title in (("play", "In play"), ("pile", "Personal pile")):
        yield Zone(f"{key}/{seat}", title, "row" if key == "play" else "pile",
                   tuple(_card(view, card, seat) for card in view[key][seat]), seat=seat)
    yield Zone(f"closed/{seat}", "Dimensions closed", "row", tuple(_gone(names, view, seat)), seat=seat)


def _card(view: Mapping[str, Any], card: str, seat: int | None = None) -> Thing:
    """An open card, which exists once and keeps its id wherever it lies."""
    tags = [tag for tag, cards in (("guarded", view["guarded"]), ("secret", view["marked"] or ())) if card in cards]
    return Thing(f"card/{card}", card, seat=seat, tags=tuple(tags), note=known_to(view["seen_by"].get(card, ()), seat))


def _tile(names: Names, number: int, seat: int | None = None) -> Thing:
    """A tile, wherever it lies."""
    tile = names.pack.tile[number]
    return Thing(f"tile/{tile.id}", tile.id, counted(tile.points, "point"), "cell", seat)


def _gone(names: Names, view: Mapping[str, Any], owner: int) -> Iterable[Thing]:
    """Tiles that a seat has closed, or that were banished."""
    return (_tile(names, number, owner if owner < v.SEATS else None)
            for number, whose in enumerate(view["owners"]) if whose == owner)


def _amount(id: str, amount: int) -> tuple[Thing, ...]:
    return (Thing(id, amount=amount),) if amount else ()


def _running(names: Names, view: Mapping[str, Any], placed: set[str]) -> tuple[Zone, tuple[Link, ...]]:
    """What is being carried out, the innermost last, and what it is aimed at. A card that lies nowhere else is here."""
    things: list[Thing] = []
    links: list[Link] = []
    for depth, frame in enumerate(view["frames"]):
        kind, card, seat = frame["kind"], frame["card"], frame["seat"]
        if kind not in _EVENTS:
            continue
        lies = f"card/{names.cards[card]}" if card is not None else ""
        id = f"now/{depth}" if not lies or lies in placed else lies
        face = names.cards[card] if card is not None and id == lies else ""
        said = (f"{_RUNNING[kind]} {names.titles[card]}" if kind in _RUNNING and card is not None else
                f"closes {names.place(frame['P'], view['places'][frame['P']])}" if kind == "close" else
                "moves Rick" if kind == "move" else f"the {kind}")
        things.append(Thing(id, face, said if seat is None else f"Seat {seat} {said}", "card" if face else "fact", seat,
                            note=card_text(names.pack.card[card]) if card is not None else ""))
        placed.add(id)
        aims = {f"{zone}/{frame[key]}" for key, zone in (("X", "seat"), ("P", "space"), ("Q", "space")) if frame[key] is not None}
        aims |= {f"card/{names.cards[frame['C']]}"} & placed - {id} if frame["C"] is not None else set()
        links += [Link(id, aim, "aimed_at") for aim in sorted(aims)]
    return Zone("now", "Being carried out", "row", tuple(things)), tuple(links)


def touch(view: Mapping[str, Any], seat: int, prompt: str, args: Mapping[str, int | str], others: bool) -> Touch:
    """How an answer with these arguments is given: by the card, the space, the seat or the resource. others: there are
    other answers."""
    other = view["frames"][-1]["X"] if prompt in _OTHERS else None
    whose = f"resource/{seat if prompt in _OWN else other}" if prompt in (*_OWN, *_OTHERS) else "federation"
    answer = str(args.get("answer", ""))
    found = [f"rick/{seat}"] if answer == "move" else []
    for key, value in args.items():
        match key:
            case "card" | "seat":
                found.append(f"{key}/{value}")
            case "space" | "place":
                found.append(f"space/{value}")
            case "resource":
                found.append(f"{whose}/{'MSTD'.index(str(value))}")
    if answer == "end" and prompt == "TURN" and others:
        return Touch(prominence="irreversible")
    return Touch(tuple(found), _VERBS.get(answer, "") or (_VERBS.get(prompt, "") if found else ""),
                 "pass" if answer in ("end", "decline", "stop") else "")


def touched(event: SeenEvent, args: Mapping[str, int]) -> tuple[str, ...]:
    """What an event moved or changed. Of cards the zones: one can go on before anybody looks."""
    match event.key:
        case "TILE" | "BLACK_HOLE" | "BANISH":
            return (f"space/{args['place']}",)
        case "CLOSE":
            return (f"space/{args['place']}", f"closed/{args['seat']}")
        case "SWAP_TILES":
            return (f"space/{args['first']}", f"space/{args['second']}")
        case "DIE":
            return ("die",)
        case "PLACES":
            return tuple(f"{pawn}/{seat}" for pawn in ("rick", "morty") for seat in range(len(event.args) // 2))
        case "RICK" | "MORTY" | "GARAGE":
            return (f"{event.key.lower()}/{args['seat']}",)
        case "TOKENS":
            return (f"resource/{args['seat']}/{args['type']}", f"federation/{args['type']}")
        case "TAX":
            return (f"federation/{args['type']}", *(f"resource/{seat}/{args['type']}" for seat in range(len(event.args) - 1)))
        case "GUARD":
            return (f"play/{args['seat']}",)
        case "DRAW" | "DRAW_ID":
            return (f"hand/{args['seat']}",)
        case "LOOK" | "LOOK_ID":
            return (f"hand/{args['owner']}",)
        case "RESHUFFLE":
            return ("general", "deck")
        case "PLAY" | "USE" | "REACT" | "TARGET" | "WINDOW_END":
            return ("now",)
        case "CARD":
            return (_zone(args["to"]),) if args["to"] not in (v.Z_DECK, v.Z_LIMBO) else ()
        case "FIRST" | "PASS" | "END_TURN":
            return (f"seat/{args['seat']}",)
        case "SCORE":
            return (f"points/{args['seat']}",)
    return ()


def _zone(number: int) -> str:
    """The zone of a card by its number."""
    for first, key in ((v.Z_PILE, "pile"), (v.Z_PLAY, "play"), (v.Z_HAND, "hand")):
        if number >= first:
            return f"{key}/{number - first}"
    return "general"
