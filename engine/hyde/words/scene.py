"""Hyde as things in places: the ring of places with their targets, pawns and cards, hands, Thing, and where cards have gone."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.scene import Face, Scene, Thing, Touch, Zone, cards, heap, known_to
from seatmate.engine.hyde.content.pack import NUMBERS, SYMBOLS
from seatmate.engine.hyde.words.words import Names, kind_title

if TYPE_CHECKING:
    from seatmate.engine.core.game import SeenEvent

COLOURS = dict(zip(SYMBOLS, ("steelblue", "saddlebrown", "goldenrod", "seagreen", "slategray", "purple"), strict=False))
_PASSES = ("stop", "pass", "keep", "play_nothing", "silence")
_SIGNALS = {"covering": "Leave it to me", "focus_here": "It needs more effort", "weak_here": "My help was small"}
RING = ((4, 0), (8, 3), (6, 7), (2, 7), (0, 3))
"""Where the five places of the ring lie on the map, in halves of a place; the Academy lies amid them."""


def faces(names: Names) -> dict[str, Face]:
    """Cards, targets and outcasts."""
    printed = {f"{symbol}-{number}": Face(kind_title(NUMBERS * row + number - 1), "card", colour=COLOURS.get(symbol, ""))
               for row, symbol in enumerate(SYMBOLS) for number in range(1, NUMBERS + 1)}
    return {**printed, "SIX": Face("Six", "card"),
            **{key: Face(names.titles[key], "target", (names.target_rules[key],) if names.target_rules[key] else ())
               for key in names.targets},
            **{key: Face(names.titles[key], "outcast") for key in names.outcasts}}


def scene(names: Names, view: Mapping[str, Any], observer: int) -> Scene:
    """What the observer sees. A card lies open if the observer knows it; who else knows it stands in its note."""
    zones = [Zone("town", "Places", "map")]
    for key, (x, y) in zip(("academy", *view["ring"]), ((4, 4), *RING), strict=False):
        zones.append(Zone(f"place/{key}", names.titles[key], "row", tuple(_at(view, key, observer)), parent="town", x=x, y=y,
                          note=_rule_of(names, view, key)))
    for seat, held in enumerate(view["hands"]):
        shown = held if held is not None else [None] * view["hand_counts"][seat]
        zones.append(cards(f"hand/{seat}", "Hand", map(_face, shown), seat))
    if view["thing"] is not None:
        zones.append(Zone("thing", "Thing", "row", tuple(_carried(view["thing"])), seat=view["thing"]["seat"]))
    if view["prompt"] == "DRAFT":
        zones.append(Zone("outcasts", "Outcasts to choose from", "row", tuple(
            Thing(f"outcast/{key}", key, shape="token") for key in names.outcasts if key not in view["outcasts"])))
    table = {"attack": ("attack", len(view["needs"])), "deck": ("cards in the deck", None), "lost": ("targets lost", None),
             "sixes_left": ("sixes left", None)}
    counters = [Thing(f"table/{key}", label=label, shape="counter", value=view[key], maximum=most)
                for key, (label, most) in table.items()]
    counters += [Thing("table/need", label=f"points needed at attack {number}", shape="counter", value=need)
                 for number, need in enumerate(view["needs"], start=1) if number == view["attack"]]
    needs = Thing("table/needs", label=f"points needed, attack by attack: {', '.join(map(str, view['needs']))}", shape="fact")
    return Scene((*zones, Zone("table", "Attacks", "row", (*counters, needs)),
                  heap("discard", "Discarded", map(_face, view["discard"])),
                  heap("unplaced", "Cards you have not seen", map(_face, view["unplaced"]), aside=True)))


def _rule_of(names: Names, view: Mapping[str, Any], key: str) -> str:
    target = view["targets"].get(key)
    return ", ".join(rule for rule in (names.place_rules.get(key), target and names.target_rules[target]) if rule)


def _at(view: Mapping[str, Any], key: str, observer: int) -> Iterable[Thing]:
    """The target of a place with what has become of it, the pawns that stand there, and the cards played there."""
    target = view["targets"].get(key)
    if target is not None:
        state = ("attacked" if key == view["under_attack"] else "saved" if key in view["saved"]
                 else "lost" if key in view["attacked"] else "in_the_bag" if key in view["bag"] else "seen")
        yield Thing(f"target/{key}", target, tags=(state,))
    for seat, at in enumerate(view["pawns"]):
        if at == key:
            yield Thing(f"pawn/{seat}", view["outcasts"][seat] or "", "" if view["outcasts"][seat] else "pawn", "token", seat)
    for entry in view["piles"].get(key, ()):
        yield Thing(f"slot/{entry['slot']}", _face(entry["card"]), label="1" if entry["one"] and not entry["card"] else "",
                    seat=entry["by"], tags=("revealed",) if entry["open"] else (),
                    note="" if entry["open"] else known_to(entry["known_by"], observer, entry["by"]))


def _carried(thing: Mapping[str, Any]) -> Iterable[Thing]:
    if thing["filled"]:
        yield Thing("thing/card", _face(thing["card"]), seat=thing["seat"])


def _face(card: str | None) -> str:
    """The face of a card; which shuffle brought it does not show on it."""
    return "" if card is None else card.partition("@")[0]


def touch(view: Mapping[str, Any], seat: int, prompt: str, args: Mapping[str, int | str], others: bool) -> Touch:
    """How an answer with these arguments is given. A card is touched where the question says that it lies. others: there are other
    answers."""
    if "outcast" in args:
        return Touch((f"outcast/{args['outcast']}",), "Play")
    if "seat" in args:
        return Touch((f"hand/{args['seat']}",), "Send Thing")
    if "place" in args:
        verb = _SIGNALS[str(args["signal"])] if prompt == "SIGNAL" else "Move" if prompt == "MOVE" else "Play"
        return Touch((f"place/{args['place']}",), verb)
    if "card" in args:
        card = str(args["card"])
        if prompt == "WED_TAKE":
            found = [f"slot/{entry['slot']}" for pile in view["piles"].values() for entry in pile
                     if entry["open"] and _face(entry["card"] or "") == card]
        else:
            found = [f"hand/{seat}/{number}" for number, held in enumerate(view["hands"][seat]) if _face(held) == card]
            found += ["table/sixes_left"] * (card == "SIX")
        return Touch(tuple(found[:1]), "Swap" if args.get("answer") == "swap" else "")
    answer = args.get("answer", args.get("signal"))
    if answer == "play_nothing" and others:
        return Touch(prominence="irreversible")
    return Touch(("thing/card",) if answer == "thing" else (), prominence="pass" if answer in _PASSES else "")


def touched(names: Names, event: SeenEvent, args: Mapping[str, int]) -> tuple[str, ...]:
    """What an event moved."""
    match event.key:
        case "MOVE" | "PICK" | "NOPLAY":
            return (f"pawn/{args['seat']}",)
        case "PLAYED" | "PLAYED_CARD":
            return (f"slot/{args['slot']}",)
        case "REVEAL":
            return (f"slot/{args['slot']}",)
        case "WED_SWAP":
            return (f"slot/{args['slot']}", f"hand/{args['seat']}")
        case "THING_TO" | "THING_SET" | "THING_SET_CARD" | "THING_SEEN":
            return ("thing",)
        case "DISCARD":
            return (f"hand/{args['seat']}", "discard")
        case "THING_DISCARD":
            return ("thing", "discard")
        case "DRAW" | "DRAW_CARDS":
            return (f"hand/{args['seat']}",)
        case "TOKEN" | "ATTACK":
            return (f"target/{names.places[args['place']]}",)
    return ()
