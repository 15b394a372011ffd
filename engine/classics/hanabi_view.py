"""Hanabi as one seat sees it, and in words."""
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from seatmate.engine.core.errors import SettingsError
from seatmate.engine.core.game import SeenEvent
from seatmate.engine.core.meanings import FLAG, SEAT, Meaning
from seatmate.engine.core.scene import Face, Scene, Thing, Zone, heap
from seatmate.engine.core.spec import GameSpec, Settings, acts, counted, words
from seatmate.engine.core.view import View

LETTERS = "RYGWB"
"""The colours: red, yellow, green, white, blue."""

COLOUR_NAMES = ("red", "yellow", "green", "white", "blue")

FULL_GAME = {"colours": 5, "ranks": 5, "information": 8, "lives": 3}
"""The options of the full game, but for the hand."""

RANKS = FULL_GAME["ranks"]

GLOSSARY = {
    **{f"{letter}, {name}": f"{name}, a colour; {letter}3 is its 3. {letter}2 among the fireworks means: its 1 and 2 are played."
       for letter, name in zip(LETTERS, COLOUR_NAMES, strict=True)},
    "?": "Unknown: ? is a card about which nothing is known, R? is a red card, ?3 is a 3.",
    "what its owner knows, knows": "In brackets after a card: its colour and rank as far as its owner knows them. "
                                   "Below the hand: the colours and ranks it can't be.",
    "firework": "The cards played in one colour, from 1 up; each is worth a point.",
    "information token, token": "You pay one to tell somebody something. A discard or a finished firework brings one back.",
    "life, lives": "Playing a card that doesn't fit costs one; when none is left, all points are lost.",
    "deck": "The cards nobody has drawn yet. When it is empty, everybody has one more turn.",
    "discard": "Give up a card to get an information token back; the card is out of the game.",
    "discarded": "Cards that are out of the game, including wrong plays.",
    "play": "Lay down a card; it must be the next one of its colour's firework.",
    "tell, hint": "Pay a token to point out all cards of one colour or one rank in a hand.",
    "rank": "The number of a card. Each colour has three 1s, one card of the highest rank, and two of each other rank.",
    "hand": "You see every hand but your own; the oldest card is number 1.", "card": "A colour and a rank, such as R1.",
    "turn": "Turns left are counted once the deck is empty.",
    "colour": "Red, yellow, green, white or blue; small games have fewer.",
}


def full_game(spec: GameSpec, settings: Settings) -> Settings:
    """The settings of the full game. Raises SettingsError for an option that says something else."""
    options = dict(settings.options)
    for key, value in {**FULL_GAME, "hand": 5 if settings.seats < 4 else 4}.items():
        default = next(option.default for option in spec.options if option.key == key)
        if options[key] not in (value, default):
            raise SettingsError(f"options.{key}", f"the full game has {value}; leave it out, or choose mode standard")
        options[key] = value
    return replace(settings, options=options)


def card_name(kind: int) -> str:
    """Colour and rank: R1."""
    return f"{LETTERS[kind // RANKS]}{kind % RANKS + 1}"


def card_kind(name: str) -> int:
    """The inverse of card_name."""
    return RANKS * LETTERS.index(name[0]) + int(name[1]) - 1


def copies(options: Mapping[str, Any]) -> list[int]:
    """Cards of each kind: three 1s, one of the highest rank, two of the others."""
    colours, ranks = int(options["colours"]), int(options["ranks"])
    per_rank = [3, *[2] * (ranks - 2), 1] + [0] * (RANKS - ranks)
    return per_rank * colours + [0] * (RANKS * (len(LETTERS) - colours))


def hint_text(places: int, of_rank: bool, value: int, whose: str) -> str:
    """What a hint says of the cards in a mask of places: `your cards 1 and 3 are red`."""
    numbers = [str(place + 1) for place in range(RANKS) if places >> place & 1]
    one = len(numbers) == 1
    what = COLOUR_NAMES[value] if not of_rank else f"a {value + 1}" if one else f"{value + 1}s"
    return f"{whose} card{'' if one else 's'} {words(numbers)} {'is' if one else 'are'} {what}"


def event_text(event: SeenEvent, observer: int) -> str:
    """One of Hanabi's events as a sentence."""
    seat = event.args[0]
    match event.key:
        case "DEALT":
            return acts(seat, observer, "draw") + f" {card_name(event.args[1])}."
        case "DREW":
            return acts(seat, observer, "draw") + " a card."
        case "TOLD":
            _, target, of_rank, value, places = event.args
            whom, whose = ("you", "your") if target == observer else (f"seat {target}", "its")
            return acts(seat, observer, "tell") + f" {whom}: {hint_text(places, bool(of_rank), value, whose)}."
        case "DISCARDED":
            return acts(seat, observer, "discard") + f" {card_name(event.args[2])}."
    return acts(seat, observer, "play") + f" {card_name(event.args[2])}" \
        + ("." if event.args[3] else ", which does not fit: a life is lost.")


def known_text(options: Mapping[str, Any], possible: str) -> str:
    """What the owner of a card knows of it: R? for a red card, ?3 for a 3, R3 for both, ? for nothing."""
    colours = [letter for letter in possible if letter in LETTERS]
    ranks = [rank for rank in possible if rank not in LETTERS]
    told = (colours[0] if len(colours) == 1 else "?") + (ranks[0] if len(ranks) == 1 else "?")
    return "?" if told == "??" else told


def excluded_text(options: Mapping[str, Any], possible: str) -> str:
    """What a card can't be, where that says more than `known_text`: `not red or green, no 1 or 2`."""
    colours = [name for letter, name in zip(LETTERS[:options["colours"]], COLOUR_NAMES, strict=False) if letter not in possible]
    ranks = [rank for rank in "12345"[:options["ranks"]] if rank not in possible]
    more = ["not " + words(colours, "or")] if 0 < len(colours) < options["colours"] - 1 else []
    more += ["no " + words(ranks, "or")] if 0 < len(ranks) < options["ranks"] - 1 else []
    return ", ".join(more)


def card_lines(options: Mapping[str, Any], observation: Mapping[str, Any], text: str) -> list[str]:
    """What everybody knows of a card by its short name, R1 or ?3 or R?, in rich markup; empty for any other text."""
    name = text.strip().upper()
    if not re.fullmatch(f"[{LETTERS[:options['colours']]}?][1-{options['ranks']}?]", name):
        return []
    colour = "of any colour" if name[0] == "?" else COLOUR_NAMES[LETTERS.index(name[0])]
    what = ("a card about which nothing is known" if name == "??" else f"a {colour} card of unknown rank" if name[1] == "?"
            else f"a {name[1]} {colour}" if name[0] == "?" else f"the {colour} {name[1]}")
    if "?" in name:
        return [f"[bold]{name}[/bold]: {what}."]
    gone = observation["discards"].count(name)
    played, rank = observation["fireworks"][name[0]], int(name[1])
    state = "already played" if rank <= played else "the next one of its firework" if rank == played + 1 else "can't be played yet"
    return [f"[bold]{name}[/bold]: {what}, {state}; {counted(copies(options)[card_kind(name)], 'copy').replace('copys', 'copies')} "
            f"in the whole deck, {gone} discarded."]


MEANINGS = {"kind": Meaning("card", tuple(card_name(kind) for kind in range(len(LETTERS) * RANKS))), "target": SEAT,
            "of_rank": FLAG, "success": FLAG}
"""Of the integers of events."""


def faces(options: Mapping[str, Any]) -> dict[str, Face]:
    """Every kind of card by its short name."""
    return {card_name(kind): Face(f"{COLOUR_NAMES[kind // RANKS]} {kind % RANKS + 1}", "card",
                                  colour=COLOUR_NAMES[kind // RANKS]) for kind, number in enumerate(copies(options)) if number}


def scene(options: Mapping[str, Any], observation: Mapping[str, Any], observer: int) -> Scene:
    """Fireworks, tokens, the discarded cards and all hands. A card in a hand says below it what its owner knows."""
    tokens = [Thing(f"table/{key}", label=label, shape="counter", value=observation[key], maximum=most) for key, label, most in (
        ("information", "information tokens", options["information"]), ("lives", "lives", options["lives"]),
        ("deck", "cards in the deck", None), ("turns_left", "turns left", None))
        if key != "turns_left" or observation["deck"] == 0]
    built = [Thing(f"firework/{letter}", f"{letter}{n}" if n else "", label=COLOUR_NAMES[LETTERS.index(letter)],
                   value=n, maximum=options["ranks"]) for letter, n in observation["fireworks"].items()]
    hands = [Zone(f"hand/{seat}", "Hand", "row", tuple([
        Thing(f"hand/{seat}/{place}", card or (possible if len(possible) == 2 else ""), label=known_text(options, possible),
              seat=seat, note=excluded_text(options, possible))
        for place, (card, possible) in enumerate(zip(hand or [None] * len(known), known, strict=True))]), seat=seat)
        for seat, (hand, known) in enumerate(zip(observation["hands"], observation["known"], strict=True))]
    return Scene((Zone("fireworks", "Fireworks", "row", tuple(built)), Zone("table", "Tokens", "row", tuple(tokens)),
                  heap("discard", "Discarded", observation["discards"]), *hands))


def touched(event: SeenEvent) -> tuple[str, ...]:
    """What an event moved or changed in the scene."""
    match event.key:
        case "TOLD":
            return tuple(f"hand/{event.args[1]}/{place}" for place in range(RANKS) if event.args[4] >> place & 1)
        case "PLAYED" if event.args[3]:
            return (f"firework/{LETTERS[event.args[2] // RANKS]}",)
        case "PLAYED" | "DISCARDED":
            return (f"discard/{card_name(event.args[2])}",)
    return (f"hand/{event.args[0]}",)


class HanabiView(View):
    """What one seat knows: all hands but its own, what the hints leave possible of every card, and the table."""

    def __init__(self, spec: GameSpec, seats: int, observer: int, options: Mapping[str, Any]) -> None:
        super().__init__(spec, seats, observer)
        self.most_tokens = options["information"]
        self.colours = LETTERS[:options["colours"]]
        self.ranks = "12345"[:options["ranks"]]
        self.hands: list[list[str | None]] = [[] for _ in range(seats)]
        self.known: list[list[tuple[str, str]]] = [[] for _ in range(seats)]    # possible colours, possible ranks
        self.fireworks = dict.fromkeys(self.colours, 0)
        self.discards: list[str] = []
        self.information = self.most_tokens
        self.lives = options["lives"]
        self.deck = sum(copies(options))
        self.turns_left = seats
        self.turn = 0

    def apply(self, key: str, args: tuple[int, ...]) -> None:
        seat = args[0]
        if key in ("DEALT", "DREW"):
            self.hands[seat].append(card_name(args[1]) if key == "DEALT" else None)
            self.known[seat].append((self.colours, self.ranks))
            self.deck -= 1
            return
        self.turn = (seat + 1) % self.seats
        self.turns_left -= self.deck == 0
        if key == "TOLD":
            _, target, of_rank, value, places = args
            self._hear(target, bool(of_rank), value, places)
            return
        place, kind = args[1:3]
        name = card_name(kind)
        del self.hands[seat][place], self.known[seat][place]
        if key == "PLAYED" and args[3]:
            self.fireworks[name[0]] += 1
            self._gain(name[1] == self.ranks[-1])
        else:
            self.discards.append(name)
            self.lives -= key == "PLAYED"
            self._gain(key == "DISCARDED")

    def _gain(self, token: bool) -> None:
        self.information = min(self.most_tokens, self.information + token)

    def _hear(self, target: int, of_rank: bool, value: int, places: int) -> None:
        told = self.ranks[value] if of_rank else self.colours[value]
        self.information -= 1
        for place, (colours, ranks) in enumerate(self.known[target]):
            possible = told if places >> place & 1 else (ranks if of_rank else colours).replace(told, "")
            self.known[target][place] = (colours, possible) if of_rank else (possible, ranks)

    def body(self) -> dict[str, Any]:
        seated = self.observer < self.seats
        return {"fireworks": dict(self.fireworks), "information": self.information, "lives": self.lives, "deck": self.deck,
                "turns_left": self.turns_left, "turn": self.turn, "discards": sorted(self.discards, key=card_kind),
                "hands": [list(hand) if seated and seat != self.observer else None for seat, hand in enumerate(self.hands)],
                "known": [["".join(card) for card in cards] for cards in self.known]}
