"""Small Hanabi as one seat sees it, and the names of its cards."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seatmate.engine.core.spec import GameSpec
from seatmate.engine.core.view import View

LETTERS = "RYGWB"
"""The colours: red, yellow, green, white, blue."""

RANKS = 5


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
