"""Positions of Hundred Days, and what can be done in them.

A table is described by what differs from an empty one in the adventure phase: hands `{0: "A01 O01"}`, tokens
`{0: "3M 1T"}`, pawns `ricks=(1, 14)`, tiles `"t01 t02 ..."` of places 1 to 6. Answers are words: `close 3`, `play A01`,
`use I02`, `guard C12`, `react O13`, `move`, `end`, `decline`, a seat, a place, a space, a card, a resource, `stop`.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from seatmate.engine.core.game import SeenEvent, State
from seatmate.engine.core.registry import new_game
from seatmate.engine.hundred_days.content import vocabulary as v
from seatmate.engine.hundred_days.game import HundredDaysGame
from seatmate.engine.hundred_days.secrets.fields import BOARD, FIELDS, UNSEEN

TILES = "t05 t06 t07 t08 t09 t10"
"""Of places 1 to 6, unless a test says otherwise."""


@cache
def a_game(seats: int = 2, tiles: str = "20") -> HundredDaysGame:
    """The game for so many seats."""
    game = new_game("hundred_days", seats=seats, options={"tiles": tiles})
    assert isinstance(game, HundredDaysGame)
    return game


def bag(text: str) -> list[int]:
    """`3M 1T` as numbers of each type."""
    counts = [0, 0, 0, 0]
    for part in text.split():
        counts["MSTD".index(part[-1])] += int(part[:-1])
    return counts


class Table:
    """A position that is played on."""

    def __init__(self, seats: int = 2, *, tiles: str = TILES, ricks: Sequence[int] = (), morties: Sequence[int] = (),
                 hands: Mapping[int, str] | None = None, play: Mapping[int, str] | None = None,
                 pile: Mapping[int, str] | None = None, tokens: Mapping[int, str] | None = None, garage: Sequence[int] = (),
                 guarded: str = "", general: str = "", closed: Mapping[int, str] | None = None, stack: int | None = None,
                 deck: str | None = None, seed: int = 1, shown: str = "", game: HundredDaysGame | None = None,
                 **flow: Any) -> None:
        self.game = game = game or a_game(seats)
        values = FIELDS.show(FIELDS.read(game.blank), None, seats, game.names.cards)
        numbers = game.names.tiles
        values.update(round=1, die=1, phase="turn", actions_left=1, phase_turns=1, ricks=[*ricks, *[0] * seats][:seats],
                      morties=[*morties, *[0] * seats][:seats], garage=[*garage, *[0] * seats][:seats])
        values["places"] = [None, *[None if tile == "-" else numbers.index(tile) for tile in tiles.split()]]
        values["owners"] = [BOARD if number in values["places"] else UNSEEN for number in range(20)]
        for seat, names in (closed or {}).items():
            for tile in names.split():
                values["owners"][numbers.index(tile)] = seat
        unseen = values["owners"].count(UNSEEN)
        values["stack"] = unseen if stack is None else stack
        while values["owners"].count(UNSEEN) > values["stack"]:
            values["owners"][values["owners"].index(UNSEEN)] = 253
        for key, zone in (("hand", hands), ("play", play), ("pile", pile)):
            values[key] = [(zone or {}).get(seat, "").split() for seat in range(seats)]
        values["general"], values["shown"], values["guarded"] = general.split(), shown.split(), guarded.split()
        placed = {card for zone in (*values["hand"], *values["play"], *values["pile"], values["general"]) for card in zone}
        rest = [card for card in game.names.cards if card not in placed]
        if deck is not None:        # the others lie where they are in nobody's way
            values["deck"] = deck.split()
            values["general"] = values["general"] or []
            values["pile"][seats - 1] = values["pile"][seats - 1] + [card for card in rest if card not in values["deck"]]
        else:
            values["deck"] = rest
        for seat, text in (tokens or {}).items():
            values["tokens"][seat] = bag(text)
        values["federation"] = [15 - sum(row[type_] for row in values["tokens"]) for type_ in range(4)]
        values["garage_supply"] = 20 - sum(values["garage"]) - len(values["guarded"])
        values.update(question_number=v.Q_NOTHING, **flow)
        self.state: State = game.position(values, seed=seed, record_events=True)
        self.seats = seats

    # ---- Playing ----

    def answers(self, seat: int) -> list[str]:
        """What the seat can answer now."""
        return [" ".join(map(str, self.state.action_args(seat, action).values())) for action in self.state.legal_actions(seat)]

    def say(self, seat: int, *words: str | int) -> Table:
        """The seat's answers, one after the other."""
        for word in words:
            assert str(word) in self.answers(seat), f"{self.state.prompt(seat)}: {self.answers(seat)}, not {word}"
            self.state.apply_action(seat, self.state.legal_actions(seat)[self.answers(seat).index(str(word))])
        return self

    def asked(self) -> str:
        """`0 TURN`: who is asked what."""
        return " ".join([*map(str, self.state.asked), *dict.fromkeys(str(self.state.prompt(seat)) for seat in self.state.pending)])

    def decline(self) -> Table:
        """Nobody reacts."""
        while self.state.pending and self.state.prompt(self.state.pending[0]) == "REACT":
            self.state.apply_action(self.state.pending[0], 0)
        return self

    # ---- What is ----

    @property
    def raw(self) -> dict[str, Any]:
        """All raw values."""
        return FIELDS.read(self.state.to_bytes())

    def tokens(self, seat: int) -> str:
        """`3M 1T`."""
        return " ".join(f"{n}{'MSTD'[type_]}" for type_, n in enumerate(self.raw["tokens"][seat]) if n)

    def cards(self, zone: str, seat: int | None = None) -> str:
        """Ids of a zone."""
        cards = self.raw[zone] if seat is None else self.raw[zone][seat]
        return " ".join(self.game.names.cards[card] for card in sorted(cards))

    def count(self, zone: str, seat: int) -> int:
        """Cards of a zone of a seat."""
        return len(self.raw[zone][seat])

    def tile(self, place: int) -> str | None:
        """The tile of a place."""
        number = self.raw["places"][place]
        return None if number == 255 else self.game.names.tiles[number]

    def owner(self, tile: str) -> int:
        """Who closed a tile."""
        return int(self.raw["owners"][self.game.names.tiles.index(tile)])

    def events(self, observer: int = 8) -> list[SeenEvent]:
        """The observer's events since the position."""
        return self.state.events(observer)

    def told(self, key: str, observer: int = 8) -> list[tuple[int, ...]]:
        """Arguments of all events of a kind."""
        return [event.args for event in self.events(observer) if event.key == key]

    def scores(self) -> list[int]:
        """As the game stands, or ended."""
        return [args[4] for args in self.told("SCORE")]

    def to_round(self, number: int) -> Table:
        """Likewise until a round begins."""
        while self.raw["round"] < number:
            seat = self.state.pending[0]
            self.state.apply_action(seat, self.state.legal_actions(seat)[0])
        return self

    def to_end(self) -> Table:
        """Everybody passes, declines and takes the first answer."""
        while self.state.pending:
            seat = self.state.pending[0]
            self.state.apply_action(seat, self.state.legal_actions(seat)[0])
        return self
