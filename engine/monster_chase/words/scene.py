"""Monster Chase as things in places: the circuit with all that stands on its squares, ranking, vehicles with hands, Boss, piles."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from seatmate.engine.core.scene import Face, Link, Scene, Thing, Touch, Zone, facts, heap
from seatmate.engine.monster_chase.content import vocabulary as v
from seatmate.engine.monster_chase.content.circuits import Cell, laid
from seatmate.engine.monster_chase.content.pack import DECKS, EFFECTS, READS, Assault, Aura
from seatmate.engine.monster_chase.words.cards import (
    assault_lines,
    aura_lines,
    boss_lines,
    effects,
    pilot_lines,
    tile_lines,
)
from seatmate.engine.monster_chase.words.glossary import GLOSSARY
from seatmate.engine.monster_chase.words.names import LANES

if TYPE_CHECKING:
    from seatmate.engine.core.game import SeenEvent
    from seatmate.engine.monster_chase.content.track import Square
    from seatmate.engine.monster_chase.words.names import Names

_COLOURS = {"sprint": "seagreen", "rush": "firebrick"}
_OBJECTS = ("", "boulder", "bomb", "ice")
_FLAGS = {v.SQ_LIGHTNING: "lightning", v.SQ_SAND: "sand", v.SQ_WATER: "water", v.SQ_PORTAL_IN: "portal", v.SQ_SLIDE: "landslide"}
_NUMBERED = {"mirrors": "mirror", "portals": "portal", "paws": "paw", "craters": "crater", "snow": "snow", "arch": "arch"}
_SETUP = ("pick", "draft", "assign")
_TURNED = ("boss_star", "boss_move")
_VERBS = {"PILOT_PICK": "Take", "DRAFT_PICK": "Take", "DRAFT_ASSIGN": "Let drive", "GRID_CAR": "Put on the grid",
          "GRID_SLOT": "Put on a position", "AURA_DROP": "Give up", "CARD": "Play", "MAN_CARD": "Play", "FORK": "Drive",
          "LINK_CAR": "Transfer", "POWER_PICK": "Choose", "DONOR": "Let pay", "ASTRAL_OFFER": "Give", "TELEPORT": "Reappear",
          "POWER_SQUARE": "Choose", "SLAB_SQUARE": "Put ice", "DECK_PICK": "Draw", "SPIRIT_TAKE": "Take", "HAND_DISCARD": "Discard",
          "RETURN_SQUARE": "Come back", "SLIDE_SQUARE": "Drop the boulder", "SNOUT_SQUARE": "Move the Ugly-Snout",
          "ROLL_PICK": "Roll", "NITRO_DEAL": "Deal"}
_MENU = {"cognitive": "Transfer", "kinetic": "Transfer", "astral": "Transfer", "power1": "Star power", "power2": "Star power",
         "power3": "Star power", "card": "Play", "manoeuvre": "Manoeuvre"}
_PASSES = ("end", "no", "refuse", "nobody")


def faces(names: Names) -> dict[str, Face]:
    """Movement cards, pilots, nitros, tile sides; in the chase the Boss, auras and assaults."""
    pack, races, found = names.pack, not _chase(names), {}
    for number, key in enumerate(names.types):
        deck, word = DECKS[number >= v.RUSH], EFFECTS[number % v.RUSH // v.VALUES]
        meaning = next(said for entry, said in GLOSSARY.items() if word in entry.split(", "))
        found[key] = Face(names.card(number), f"{deck.capitalize()} card", (_upper(meaning),), _COLOURS[deck])
    found |= {row.id: Face(row.name, "pilot", (f"Drives the {row.car}.", *pilot_lines(pack, row, races)), row.colour)
              for row in pack.pilot}
    found |= {row.id: Face(row.id.capitalize(), "Magic-Nitro", effects(row.fx)) for row in pack.nitro}
    found |= {tile.id: Face(tile.name, "tile side", tile_lines(tile)) for tile in names.track.tiles}
    if not races:
        chaos = (_upper(GLOSSARY["Chaos"]),)
        found[names.boss.id] = Face(names.boss.name, "Boss", boss_lines(names.boss))
        cards: tuple[Aura | Assault, ...] = (*pack.aura, *pack.assault)
        for id, row in zip(names.ids, cards, strict=True):
            kind, lines = ("aura", aura_lines(row)) if isinstance(row, Aura) else ("assault", assault_lines(row))
            found[id] = Face(row.name, kind, chaos if row.chaos else lines)
    return found


def scene(names: Names, max_hp: int, view: Mapping[str, Any]) -> Scene:
    """What the observer sees. max_hp: hearts of the Boss at the start."""
    vehicles = range(len(view["cars"]))
    zones = [Zone("track", "Circuit", "map"), *_circuit(names, max_hp, view)]
    zones.append(Zone("off", "Off the track", "row", tuple(
        _car(names, max_hp, view, number) for number in vehicles if view["cars"][number]["sq"] is None)))
    zones.append(Zone("ranking", "Ranking", "row", tuple(
        Thing(f"rank/{number}", label=names.vehicle(number), shape="token", seat=_seat(names, number), value=place + 1,
              tags=("green" if place < names.green else "red",))
        for place, number in enumerate(view["rank"]) if number is not None)))
    for number in vehicles:
        zones += _belongings(names, max_hp, view, number)
    if view["phase"] in _SETUP:
        taken = [car["board"] for car in view["cars"]]
        zones.append(Zone("pilots", "Pilots to choose from", "row", tuple(
            Thing(f"pilot/{row.id}", row.id) for number, row in enumerate(names.pack.pilot) if number not in taken)))
    if _chase(names):
        zones += _boss_cards(names, view)
    zones.append(Zone("now", "Cards being played", "row", tuple(_on_table(names, view))))
    zones += [Zone(f"deck/{deck}", f"{deck.capitalize()} cards", "pile", _amount(f"deck/{deck}/cards", view[f"deck_{deck}"]))
              for deck in DECKS]
    discard = dict(zip(names.types, view["discard"], strict=True))
    zones += [heap("discard", "Movement cards discarded", Counter(discard).elements()),
              heap("unseen", "Movement cards you do not see", Counter(view["unseen"]).elements(), aside=True)]
    supplies = {"boulders": "boulders", "bombs": "bombs", "slabs": "ice", "shield_tokens": "shields"}
    zones.append(Zone("supplies", "Supplies", "row", (
        *(Thing(f"supply/{key}", label=label, shape="counter", value=view[key]) for key, label in supplies.items()),
        *(Thing(f"supply/{row.id}", row.id, shape="token", amount=left)
          for row, left in zip(names.pack.nitro, view["nitro"], strict=True) if left))))
    zones.append(_round(names, view))
    return Scene(tuple(zones), _layout(names).ways)


# ---- The circuit ----

class _Layout(NamedTuple):
    """What of a circuit never changes: tiles, the place of the zone about each, squares by number with what is printed, ways."""

    tiles: tuple[Zone, ...]
    about: tuple[Zone, ...]
    squares: dict[int, Zone]
    ways: tuple[Link, ...]


@lru_cache(16)
def _layout(names: Names) -> _Layout:
    """The circuit as it lies on the table."""
    track = names.track
    table = laid(track.entries)
    left, top = (min(at) for at in zip(*((cell.x, cell.y) for cell, _ in table), strict=True))
    grid = {_start(names, place): place + 1 for place in range(len(names.kinds))}
    sizes = {(square.slot, square.lane): square.idx + 1 for square in track.squares}        # the last one of a lane counts
    arm = max(3, *(size // 2 for size in sizes.values()))
    tiles, about, squares = [], [], {}
    for slot, (cell, turn) in enumerate(table):
        tiles.append(Zone(f"tile/{slot}", f"Tile {slot + 1}", "map", parent="track", x=2 * (cell.x - left), y=2 * (cell.y - top)))
        x, y = _turned(cell, arm, *_free(turn, arm))
        about.append(Zone(f"about/{slot}", track.tiles[slot].name, "row", (), 0, f"tile/{slot}", x, y))
    for number, square in enumerate(track.squares):
        if not square.flags & v.SQ_VOID:
            cell, turn = table[square.slot]
            x, y = _turned(cell, arm, *_spot(square, sizes[square.slot, square.lane], turn, arm))
            squares[number] = Zone(f"square/{number}", f"{LANES[square.lane]} {square.idx + 1}", "row", tuple(
                _printed(names, number, square, grid.get(number, 0))), 0, f"tile/{square.slot}", x, y)
    return _Layout(tuple(tiles), tuple(about), squares, tuple(
        Link(f"square/{number}", f"square/{there}") for number in squares
        for there in track.squares[number].ahead if there in squares))


def _circuit(names: Names, max_hp: int, view: Mapping[str, Any]) -> Iterable[Zone]:
    """Tiles, on each of them a zone about the tile and one for every square."""
    layout = _layout(names)
    yield from layout.tiles
    for slot, zone in enumerate(layout.about):
        yield zone._replace(things=tuple(_about(names, view, slot)))
    there = {car["sq"]: number for number, car in enumerate(view["cars"])}
    for number, zone in layout.squares.items():
        things = [Thing(f"object/{number}", label=_OBJECTS[kind], shape="token")] if (kind := view["objects"][number]) else []
        things += [Thing("snout", label="Ugly-Snout", shape="token")] if view["snout"] == number else []
        things += [_car(names, max_hp, view, there[number])] if number in there else []
        yield zone._replace(things=(*zone.things, *things)) if things else zone


def _start(names: Names, position: int) -> int:
    """The square of a position of the grid, from 0."""
    lane, idx = names.pack.grid[0].positions[position]
    return names.track.number[0, lane, idx]


def _spot(square: Square, size: int, turn: str, arm: int) -> tuple[int, int]:
    """Where a square lies on a tile that is entered from the left, in halves of a square; a tile is 2 * arm + 3 squares wide.

    size: squares of its lane · turn: how the road runs · arm: squares from either edge to the bend of the inmost lane.
    """
    end, mid = 4 * arm + 4, 2 * arm + 2
    if turn == "S":
        return round(end * square.idx / max(size - 1, 1)), mid + 2 * (square.lane - 1)
    lane = square.lane if turn == "R" else 2 - square.lane      # from the outmost one
    bend, row = mid + 2 * (1 - lane), mid - 2 * (1 - lane)
    half, behind = size // 2, size - 1 - square.idx             # as many squares before the bend as after it
    if square.idx < half:
        x, y = round((bend - 2) * square.idx / max(half - 1, 1)), row
    elif behind < half:
        x, y = bend, end - round((bend - 2) * behind / max(half - 1, 1))
    else:
        x, y = bend, row
    return x, y if turn == "R" else end - y


def _free(turn: str, arm: int) -> tuple[int, int]:
    """Likewise, where no square lies."""
    return {"S": (2 * arm + 2, 0), "R": (0, 4 * arm + 4), "L": (0, 0)}[turn]


def _turned(cell: Cell, arm: int, x: int, y: int) -> tuple[int, int]:
    """The same place of a tile that is entered from where its cell says."""
    mid = 2 * arm + 2
    return mid + (x - mid) * cell.dx - (y - mid) * cell.dy, mid + (x - mid) * cell.dy + (y - mid) * cell.dx


def _about(names: Names, view: Mapping[str, Any], slot: int) -> Iterable[Thing]:
    """The side of a tile, its energy, the prey if it is there."""
    yield Thing(f"side/{slot}", names.track.tiles[slot].id, shape="cell")
    if view["reserves"] >> slot & 1:
        yield Thing(f"energy/{slot}", label="energy reserve", shape="token")
    if slot == view["prey_slot"]:
        for key, tags in (("open", ()), ("sheltered", ("hidden",))):
            yield from (Thing(f"prey/{key}/{kind}", label=names.prey(kind), shape="token", amount=left, tags=tags)
                        for kind, left in enumerate(view[key]) if left)


def _printed(names: Names, number: int, square: Square, position: int) -> Iterable[Thing]:
    """What is printed on a square, if anything is. position: of the grid, 0."""
    tile = names.track.tiles[square.slot]
    tags = [word for flag, word in _FLAGS.items() if square.flags & flag] + ["boost"] * bool(square.boost)
    tags += ["checkpoint"] * (square.idx == names.track.checkpoints[square.slot][square.lane])
    kinds = [word for key, word in _NUMBERED.items() if key in READS.get(tile.special, ())]
    label = f"{kinds[0]} {square.number}" if kinds and square.number else ""
    notes = [f"position {position} of the grid"] * bool(position)
    notes += [f"place {place} for {what}" for place, what in ((square.boulder, "a boulder"), (square.ice, "ice")) if place]
    if tags or label or notes:
        yield Thing(f"cell/{number}", label=label, shape="cell", tags=tuple(tags), note=_upper(", ".join(notes)))


def _car(names: Names, max_hp: int, view: Mapping[str, Any], number: int) -> Thing:
    """A vehicle with what is left of its health."""
    car, boss = view["cars"][number], names.kinds[number] == v.K_BOSS
    most = max_hp if boss else names.pack.params.hearts
    tags = ["turn"] * (view["current"] == number) + ["acts"] * (view["actor"] == number) + ["spun"] * bool(car["spun"])
    tags += ["furious" if view["furious"] else "calm"] * boss
    return Thing(f"car/{number}", _driver(names, view, number), names.vehicle(number), "token", _seat(names, number),
                 value=view["hp"] if boss else most - car["damage"], maximum=most, tags=tuple(tags))


# ---- Vehicles and cards ----

def _chase(names: Names) -> bool:
    return names.kinds[-1] == int(v.K_BOSS)


def _seat(names: Names, number: int) -> int | None:
    return number if names.kinds[number] == v.K_PILOT else None


def _driver(names: Names, view: Mapping[str, Any], number: int) -> str:
    """The face of who drives."""
    board = view["cars"][number]["board"]
    return names.boss.id if names.kinds[number] == v.K_BOSS else names.pack.pilot[board].id if board is not None else ""


def _belongings(names: Names, max_hp: int, view: Mapping[str, Any], number: int) -> Iterable[Zone]:
    """What belongs to a vehicle: its board with counters, spirit and nitro; its hand."""
    car, params, seat = view["cars"][number], names.pack.params, _seat(names, number)
    counters: dict[str, tuple[int, int | None]] = {"shields": (car["shields"], params.shield_max)}
    if names.kinds[number] == v.K_BOSS:
        told = {"hearts lost in this turn": view["lost_turn"], "hearts lost in this round": view["lost_round"],
                "squares driven in its turn": view["turn_squares"]}
        counters |= {"hearts": (view["hp"], max_hp), **{label: (value, None) for label, value in told.items() if value}}
    else:
        counters |= {"damage": (car["damage"], params.hearts), "stars": (car["star"], params.star_max)}
    counters["lap"] = max(car["lap"], 0) // len(names.track.tiles) + 1, None
    driver = _driver(names, view, number)
    things = [Thing(f"pilot/{driver}", driver, seat=seat)] if driver else []
    things += [Thing(f"{label}/{number}", label=label, shape="counter", seat=seat, value=value, maximum=most)
               for label, (value, most) in counters.items()]
    if car["cp"] >= 0:
        things.append(Thing(f"checkpoint/{number}", label=f"checkpoint of tile {car['cp'] % len(names.track.tiles) + 1}",
                            shape="fact", seat=seat))
    if car["spirit"] is not None:
        things.append(Thing(f"spirit/{number}", names.types[car["spirit"]], seat=seat, tags=("spirit",)))
    if car["nitro"] is not None:
        things.append(Thing(f"nitro/{number}", names.pack.nitro[car["nitro"]].id, shape="token", seat=seat))
    whose = names.vehicle(number) if seat is None else "car"        # a seat's own zones are drawn beside its name
    title = whose + (f", {names.stable(names.stables[number])}" if names.stables else "")
    yield Zone(f"vehicle/{number}", _upper(title), "row", tuple(things), seat=seat)
    if names.kinds[number] < v.K_BOT:
        held = view["hands"][number]
        cards = [Thing(f"hand/{number}/{place}", card, seat=seat) for place, card in enumerate(held or ())]
        cards += [Thing(f"hand/{number}/{deck}", label=deck.capitalize(), seat=seat, amount=car[deck])
                  for deck in DECKS if held is None and car[deck]]
        yield Zone(f"hand/{number}", "Hand" if seat is not None else f"Hand of {whose}", "row", tuple(cards), seat=seat)


def _boss_cards(names: Names, view: Mapping[str, Any]) -> Iterable[Zone]:
    """Auras and assaults: in play, discarded, and how many are left."""
    last = {names.ids[first + view[key]] for key, first in (("last_aura", 0), ("last_assault", v.CARDS)) if view[key] is not None}
    negative = [] if view["negative"] is None else [names.ids[view["negative"]]]
    assault = [] if view["assault"] is None else [names.ids[v.CARDS + view["assault"]]]
    auras = [*((id, "negative") for id in negative), *((id, "positive") for id in view["positive"])]
    for kind, shown in (("aura", auras), ("assault", [(id, "assault") for id in assault])):
        gone = [id for id in view["discards"] if id.startswith(kind)]
        halves = {id: names.aura(names.ids.index(id), tag == "positive") for id, tag in shown if kind == "aura"}
        yield Zone(f"{kind}s", f"{kind.capitalize()}s", "row", tuple(
            Thing(f"card/{id}", id, halves.get(id, ""), tags=(tag,)) for id, tag in shown))
        yield Zone(f"{kind}_discards", f"{kind.capitalize()}s discarded", "pile", tuple(
            Thing(f"card/{id}", id, tags=("last",) if id in last else ()) for id in gone))
        left = v.CARDS - len(gone) - len(shown)
        yield Zone(f"{kind}_deck", f"{kind.capitalize()}s left", "pile", _amount(f"{kind}_deck/cards", left))


def _on_table(names: Names, view: Mapping[str, Any]) -> Iterable[Thing]:
    """Movement cards that lie neither in a hand nor on a pile: see secrets.view.on_table."""
    for depth, frame in enumerate(view["frames"]):
        if frame["card"] is not None and (frame["kind"] == "boss" or (frame["kind"] == "card" and frame["how"] != v.BY_MANOEUVRE)):
            yield Thing(f"now/{depth}", names.types[frame["card"]], names.vehicle(frame["v"]), seat=_seat(names, frame["v"]))
    if view["phase"] in _TURNED and view["chosen"] < v.TYPES:
        yield Thing("now/turned", names.types[view["chosen"]], names.vehicle(view["current"]))


def _round(names: Names, view: Mapping[str, Any]) -> Zone:
    values: dict[str, Any] = {"step": view["phase"].replace("_", " ")}
    if view["current"] is not None:
        values["turn"] = names.vehicle(view["current"])
    values["order of turns"] = [names.vehicle(number) for number in view["order"] if number is not None] or None
    if view["power"]:
        values["star power"] = f"level {view['power']}"
    return facts("round", f"Round {view['round']}" if view["round"] else "Setup", values)


def _amount(id: str, amount: int) -> tuple[Thing, ...]:
    return (Thing(id, amount=amount),) if amount > 0 else ()


def _upper(said: str) -> str:
    return said[:1].upper() + said[1:]


# ---- Answers and events ----

def touch(names: Names, view: Mapping[str, Any], seat: int, prompt: str, args: Mapping[str, int | str]) -> Touch:
    """How an answer with these arguments is given: by the card, the square, the vehicle, the deck."""
    mine = view["asker"] if view["asker"] is not None else seat
    driver, answer = _driver(names, view, mine), str(args.get("answer", ""))
    found: list[str] = []
    for key, value in args.items():
        match key:
            case "square" | "deck" | "pilot":
                found.append(f"{key}/{value}")
            case "vehicle":
                found.append(f"car/{value}")
            case "aura":
                found.append(f"card/{value}")
            case "card":
                found += [f"hand/{mine}/{place}" for place, card in enumerate(view["hands"][mine] or ()) if card == value][:1]
            case "number" if prompt == "GRID_SLOT":
                found.append(f"square/{_start(names, int(value))}")
            case "number" if prompt in ("SHIELD_BOOST", "SHIELD_BLOCK"):
                found.append(f"shields/{mine}")
    if prompt == "EFFECT" and answer == "yes":
        found += _used(names, view)
    if prompt == "SPIRIT_USE" and answer == "yes":
        found.append(f"spirit/{mine}")
    if answer in ("card", "manoeuvre"):
        found.append(f"hand/{mine}")
    elif answer.startswith("power") and driver:
        found.append(f"pilot/{driver}")
    elif answer in ("spirit", "nitro"):
        found.append(f"{answer}/{mine}")
    elif answer == "shield":
        found.append(f"shields/{mine}")
    usual = answer == "card" or (prompt == "EFFECT" and answer == "yes")
    return Touch(tuple(found), _MENU.get(answer, _VERBS.get(prompt, "") if found else ""),
                 "primary" if usual else "pass" if answer in _PASSES else "")


def _used(names: Names, view: Mapping[str, Any]) -> Iterable[str]:
    """The card on the table whose effect is asked about; none when it is a manoeuvre."""
    depths = [depth for depth, frame in enumerate(view["frames"])
              if frame["kind"] in ("card", "boss") and frame["card"] is not None]
    return [thing.id for thing in _on_table(names, view) if depths and thing.id == f"now/{depths[-1]}"]


def touched(names: Names, event: SeenEvent, args: Mapping[str, int]) -> tuple[str, ...]:
    """What an event moved or changed. Of cards the zones: one can go on before anybody looks."""
    match event.key:
        case "HAND" | "DRAW" | "PLAY" | "DISCARD":
            return (f"hand/{args['vehicle']}",)
        case "PILOT":
            return (f"pilot/{names.pack.pilot[args['board']].id}",)
        case "RANK":
            return ("ranking",)
        case "AURA":
            return ("aura_discards" if args["kind"] == 2 else "auras",)
        case "ASSAULT":
            return ("assault_discards" if args["discarded"] else "assaults",)
        case "BOSS":
            return (f"car/{len(names.kinds) - 1}",)
        case "STRIKE":
            return ("assaults",)
        case "RAM":
            return (f"car/{args['vehicle']}", f"car/{args['rammed']}")
        case "LINK":
            return (f"car/{args['vehicle']}", f"car/{args['other']}")
        case "OBJECT" | "SNOUT":
            return (f"square/{args['square']}",)
        case "RESERVE" | "PREY_MOVE":
            return (f"about/{args['slot']}",)
        case "PREY_FLIP" | "CHAOS" | "STATE" | "ROUND" | "END":
            return ()
        case "ROLL":
            return (f"about/{args['slot']}",) if args["slot"] != v.NONE else ()
    return (f"car/{args['vehicle']}",) if "vehicle" in args else ()
