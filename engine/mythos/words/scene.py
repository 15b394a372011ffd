"""Mythos as things in places: missions with both sides' characters, hands, decks, discard piles, what is known of the rest."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.scene import (
    Face,
    Link,
    Prominence,
    Scene,
    Thing,
    Touch,
    Zone,
    cards,
    heap,
    known_to,
    unmarked,
)
from seatmate.engine.mythos.content import vocabulary as v
from seatmate.engine.mythos.words.cards import MythosWords, card_lines, mission_lines
from seatmate.engine.mythos.words.names import RANKS

if TYPE_CHECKING:
    from seatmate.engine.core.game import SeenEvent
    from seatmate.engine.mythos.content.pack import MythosPack

_GROUPS = {"TURN_MISSION": "Play", "TARGET": "Choose", "DEST": "Move", "CARD": "Choose", "RAID": "Choose", "POOL": "Choose"}
_PLAYS = {"up": "Play", "hidden": "Put face down", "reveal": "Reveal", "discard": "Play", "looked": "Play"}
_PHASES = {"mulligan": "mulligan", "action": "turns", "mission": "missions are evaluated", "end": "the round ends",
           "over": "the game is over"}
_PASSES = ("pass", "no", "decline")
_USUAL = {"MULLIGAN": "no", "MAY": "yes", "FORCED": "yes"}
_COSTLY = {"MULLIGAN": "yes", "TURN": "pass", "FORCED": "no"}


def faces(pack: MythosPack) -> dict[str, Face]:
    """All characters and missions of the pack."""
    effects = MythosWords(pack)
    return {
        **{card.id: Face(f"{effects.titles['name', card.name]} ({card.version})", "character",
                         unmarked(card_lines(pack, effects, card)), cost=f"{card.cost} chakra") for card in pack.character},
        **{mission.id: Face(mission.title, "mission", unmarked(mission_lines(effects, mission))) for mission in pack.mission}}


def scene(pack: MythosPack, view: Mapping[str, Any], observer: int) -> Scene:
    """What the observer sees. A hidden character lies open for whoever knows it, with the tag `hidden`."""
    powers = {card.id: card.power for card in pack.character}
    when = f"Round {view['round']}" if view["round"] else "Before round 1"
    zones = [Zone("round", when, "facts", (Thing("round/phase", label=_PHASES[view["phase"]], shape="fact"),)),
             Zone("missions", "Missions", "map")]
    for number, mission in enumerate(view["missions"]):
        points = mission["points"] + mission["bonus"]
        zones.append(Zone(f"mission/{number}", f"Mission {RANKS[number]}", "row", (
            Thing(f"mission/{number}/card", mission["id"], label=f"{points} points", tags=("mission",)),
            *(Thing(f"power/{number}/{seat}", label="power", shape="counter", seat=seat, value=mission["power"][seat])
              for seat in range(2))), parent="missions", x=2 * number))
        for seat in range(2):
            units = tuple(thing for unit in view["units"] if (unit["mission"], unit["seat"]) == (number, seat)
                          for thing in _unit(unit, observer))
            zones.append(Zone(f"side/{number}/{seat}", "Characters", "row", units, parent=f"mission/{number}", seat=seat))
    for seat in range(2):
        zones += _belongings(view, seat, powers)
    for seat, ids in enumerate(view["triples"]):
        if ids:
            zones.append(heap(f"box/{seat}", f"Missions of seat {seat} that may come", ids, aside=True))
    looked = [card for card in (*view["looked"], *view["shown"]) if isinstance(card, str)]
    zones.append(heap("looked", "Cards looked at", looked))
    zones.append(heap("tracked", "Cards lost from sight", _cards_in(view["tracked"]), aside=True))
    zones.append(heap("now", "Cards this is about", _cards_in([view["progress"], view["chain"]])))
    slots = {unit["slot"] for unit in view["units"]}
    links = [Link(f"slot/{unit['slot']}", f"slot/{unit[key]['slot']}", tag) for unit in view["units"]
             for key, tag in (("link", "controls"), ("lock", "holds")) if unit[key] is not None and unit[key]["slot"] in slots]
    return Scene(tuple(zones), tuple(links))


def _unit(unit: Mapping[str, Any], observer: int) -> Iterable[Thing]:
    """A character and the cards below it."""
    slot = unit["slot"]
    tags = [] if unit["up"] else ["hidden"]
    tags += ["stolen"] if unit["owner"] != unit["seat"] else []
    note = "" if unit["up"] else known_to(unit["known_by"], observer, unit["seat"])
    label = f"#{slot} +{unit['tokens']}" if unit["tokens"] else f"#{slot}"
    yield Thing(f"slot/{slot}", unit["card"] or "", label, seat=unit["seat"], value=unit["power"], tags=tuple(tags), note=note)
    for number, below in enumerate(unit["below"]):
        yield Thing(f"slot/{slot}/below/{number}", below["card"] or "", seat=below["owner"], tags=("below",))


def _belongings(view: Mapping[str, Any], seat: int, powers: Mapping[str, int]) -> Iterable[Zone]:
    """A seat's points and chakra, hand (with the printed power), deck and discard pile."""
    counters = {"points": view["points"][seat], "chakra": view["chakra"][seat]}
    things = [Thing(f"{key}/{seat}", label=key, shape="counter", seat=seat, value=value) for key, value in counters.items()]
    things += [Thing("turn", label="turn", shape="token", seat=seat)] if (view["phase"], view["active"]) == ("action", seat) else []
    things += [Thing("edge", label="the Edge", shape="token", seat=seat)] if view["edge"] == seat else []
    things += [Thing(f"passed/{seat}", label="passed", shape="fact", seat=seat)] if seat in view["passed"] else []
    yield Zone(f"seat/{seat}", "Points and chakra", "row", tuple(things), seat=seat)
    hand = view["hands"][seat]
    held = cards(f"hand/{seat}", "Hand", hand if hand is not None else [""] * view["hand_counts"][seat], seat)
    yield held._replace(things=tuple(thing._replace(value=powers.get(thing.face)) for thing in held.things))
    deck = [Thing(f"deck/{seat}/cards", seat=seat, amount=view["deck"][seat])] if view["deck"][seat] else []
    deck += [Thing(f"deck/{seat}/top/{number}", card or "", seat=seat, tags=("top",))
             for number, card in enumerate(_top(top) for top in view["tops"][seat])]
    yield Zone(f"deck/{seat}", "Deck", "pile", tuple(deck), seat=seat)
    yield Zone(f"discard/{seat}", "Discard pile", "pile", tuple(
        Thing(f"discard/{seat}/{number}", card, seat=seat) for number, card in enumerate(view["discards"][seat])), seat=seat)
    yield heap(f"unseen/{seat}", f"Cards of seat {seat} that you have not seen", view["unseen"][seat], aside=True)


def _top(top: Any) -> str | None:
    """A card on a deck, as far as it is known."""
    if isinstance(top, Mapping):
        top = top.get("card")
    return top if isinstance(top, str) else None


def _cards_in(value: Any) -> list[str]:
    """The ids of cards anywhere in plain values."""
    if isinstance(value, str):
        return [value] if "-" in value else []
    if isinstance(value, Mapping):
        return [card for item in value.values() for card in _cards_in(item)]
    return [card for item in value for card in _cards_in(item)] if isinstance(value, list | tuple) else []


def touch(view: Mapping[str, Any], seat: int, prompt: str, args: Mapping[str, int | str], others: bool) -> Touch:
    """How an answer with these arguments is given: the card, then the mission or the character. others: there
    are other answers."""
    found: list[str] = []
    answer = str(args.get("answer", ""))
    if prompt == "ORDER" or (prompt == "MAY" and answer == "yes"):
        found += _source(view["progress"], args)
    card = args.get("card")
    if isinstance(card, str):
        for zone, held in ((f"hand/{seat}", view["hands"][seat] or []), (f"discard/{seat}", view["discards"][seat])):
            if card in held:
                found.append(f"{zone}/{held.index(card)}")
                break
    slots = {unit["slot"] for unit in view["units"]}
    for key in ("about", "slot", "onto"):
        if args.get(key) in slots:
            found.append(f"slot/{args[key]}")
    if isinstance(args.get("mission"), int) and int(args["mission"]) < len(view["missions"]):
        found.append(f"mission/{args['mission']}")
    group = _PLAYS.get(str(args.get("play")), "" if answer in _PASSES else _GROUPS.get(prompt, ""))
    return Touch(tuple(found), group, _prominence(prompt, answer, others))


def _prominence(prompt: str, answer: str, others: bool) -> Prominence:
    """To keep the hand, to use an effect, to reveal who would be defeated is usual; who passes has no more turns in the round."""
    if answer == _COSTLY.get(prompt) and others:
        return "irreversible"
    if answer == _USUAL.get(prompt):
        return "primary"
    return "pass" if answer in _PASSES else ""


def _source(progress: Mapping[str, Any], args: Mapping[str, int | str]) -> Iterable[str]:
    """The character or the mission whose effect comes next, or asks."""
    if "order" in args:
        effect = progress["waiting"][int(args["order"])]
    elif progress["frames"]:
        effect = progress["frames"][-1]
        effect = {"unit": effect["unit"], "mission": effect["here"]}
    else:
        return ()
    if effect["unit"] is not None:
        return (f"slot/{effect['unit']}",)
    return (f"mission/{effect['mission']}",) if effect["mission"] is not None else ()


def touched(event: SeenEvent, args: Mapping[str, int]) -> tuple[str, ...]:
    """What an event moved or changed."""
    match event.key:
        case ("PLAYED" | "PUT" | "PUT_CARD" | "MOVED" | "HIDDEN" | "CONTROL" | "LOCKED" | "LEFT" | "PEELED" | "TOKENS"
              | "LOOKED_CARD"):
            return (f"slot/{args['slot']}",)
        case "DRAW" | "DRAW_CARDS" | "RECOVERED" | "MULLIGAN":
            return (f"hand/{args['seat']}",)
        case "DISCARD" | "MILL" | "DUMPED":
            return (f"discard/{args['seat']}",)
        case "POINTS" | "CHAKRA":
            return (f"{event.key.lower()}/{args['seat']}",)
        case "PASS" | "EDGE":
            return (f"seat/{args['seat']}",)
        case "LINE" if args["slot"] == v.NONE:
            return (f"mission/{args['mission']}",)
        case "LINE":
            return (f"slot/{args['slot']}",)
        case "MISSION":
            return (f"mission/{args['index']}",)
        case "EVALUATED":
            return (f"mission/{args['mission']}",)
    return ()
