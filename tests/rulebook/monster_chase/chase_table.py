"""Positions of Monster Chase, and what can be done in them.

A table is described by what differs from an empty one on `test_plain`, six plain tiles of 6 squares in each lane. A square is
written (c, lane) with c = 6 * slot + index. Answers are words: what `action_args` calls them (`card`, `missile-4r`, `yes`, a seat,
a number), squares as (c, lane). Pilots whose hand is not given hold three cards, so that they are asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from seatmate.engine.core.game import SeenEvent, State
from seatmate.engine.core.registry import new_game
from seatmate.engine.monster_chase.content import vocabulary as v
from seatmate.engine.monster_chase.game import MonsterChaseGame
from seatmate.engine.monster_chase.secrets.fields import FIELDS

Spot = tuple[int, int]
OBJECTS = ("", "boulder", "bomb", "slab")


@cache
def a_game(seats: int = 4, mode: str = "coop", circuit: str = "test_plain", **options: Any) -> MonsterChaseGame:
    """The game with these settings."""
    game = new_game("monster_chase", mode=mode, seats=seats, options={"circuit": circuit, **options})
    assert isinstance(game, MonsterChaseGame)
    return game


class Table:
    """A position that is played on: in the turn of `current`, unless `phase` says otherwise."""

    def __init__(
        self,
        cars: Sequence[Spot] = (),
        *,
        seats: int = 4,
        mode: str = "coop",
        boss: Spot | None = None,
        hands: Mapping[int, str] | None = None,
        deck: str | None = None,
        rank: Sequence[int] = (),
        current: int = 0,
        phase: str = "before",
        objects: Mapping[Spot, str] | None = None,
        prey: str | None = None,
        hidden: str = "",
        stars: Mapping[int, int] | None = None,
        damage: Mapping[int, int] | None = None,
        seed: int = 1,
        shields: Mapping[int, int] | None = None,
        spun: Sequence[int] = (),
        laps: Mapping[int, int] | None = None,
        boards: Mapping[int, str] | None = None,
        cps: Mapping[int, int] | None = None,
        circuit: str = "test_plain",
        spirits: Mapping[int, str] | None = None,
        nitros: Mapping[int, str] | None = None,
        options: Mapping[str, Any] | None = None,
        **flow: Any,
    ) -> None:
        self.game = game = a_game(seats, mode, circuit, **(options or {}))
        values = FIELDS.show(FIELDS.read(game.blank), None, seats, game.names.ids)
        names, track = game.names, game.track
        n, tiles = game.vehicles, len(track.tiles)
        order = list(rank) or list(range(n))
        spots = list(cars)
        parked = [
            (4 * 6 - 1 - i // 3, i % 3)
            for i in range(18)
            if (4 * 6 - 1 - i // 3, i % 3) not in spots and boss != (4 * 6 - 1 - i // 3, i % 3)
        ]
        while len(spots) < n:
            spots.append(parked.pop(0))
        if boss is not None:
            spots[n - 1] = boss
        values.update(
            round=2,
            phase=phase,
            rank=order + [None] * (9 - n),
            order=order + [None] * (9 - n),
            current=current,
            actor=current,
            rolled=2**tiles - 1,
            prey_slot=5,
            turn=order.index(current) + 1,
        )
        if phase == "next":
            values.update(current=None, turn=order.index(current))
        boards_of = [row.id for row in game.pack.pilot]
        for number, (c, lane) in enumerate(spots):
            lap = (laps or {}).get(number, c // 6)
            slot, idx = c // 6, c % 6
            car = values["cars"][number]
            car.update(
                sq=track.number[slot, lane, idx],
                lap=lap,
                damage=(damage or {}).get(number, 0),
                star=(stars or {}).get(number, 0),
                shields=(shields or {}).get(number, 0),
                spun=int(number in spun),
            )
            car["cp"] = (cps or {}).get(number, max(lap - (idx < track.checkpoints[slot][lane]), 0))
            values["shield_tokens"] -= car["shields"] > 0
            if game.kinds[number] < v.K_BOT:
                car["board"] = number
            if number in (spirits or {}):
                car["spirit"] = names.type_number[(spirits or {})[number]]
            if number in (nitros or {}):
                car["nitro"] = [row.id for row in game.pack.nitro].index((nitros or {})[number])
                values["nitro"][car["nitro"]] -= 1
        for number, board in (boards or {}).items():
            wanted = boards_of.index(board)
            for car in values["cars"]:
                if car["board"] == wanted:
                    car["board"] = values["cars"][number]["board"]
            values["cars"][number]["board"] = wanted
        self._deal(values, hands or {}, deck)
        for spot, name in (objects or {}).items():
            values["objects"][self.number(spot)] = OBJECTS.index(name)
            values[("", "boulders", "bombs", "slabs")[OBJECTS.index(name)]] -= 1
        if prey is not None:
            kinds = [row.kind for row in game.pack.prey]
            values["open"] = [prey.split().count(kind) for kind in kinds]
            values["sheltered"] = [hidden.split().count(kind) for kind in kinds]
        values.update(flow)
        self.state: State = game.position(values, seed=seed, record_events=True)

    def _deal(self, values: dict[str, Any], hands: Mapping[int, str], deck: str | None) -> None:
        """Hands, and the deck: what it holds, or all the rest."""
        names = self.game.names
        left = list(self.game.total)
        for car in values["cars"]:
            if car["spirit"] is not None:
                left[car["spirit"]] -= 1
        for number, text in hands.items():
            types = sorted(names.type_number[one] for one in text.split())
            values["hand"][number] = types + [None] * (v.HAND - len(types))
            values["cars"][number].update(sprint=sum(one < v.RUSH for one in types), rush=sum(one >= v.RUSH for one in types))
            for one in types:
                left[one] -= 1
        reserved = [0] * v.TYPES if deck is None else [deck.split().count(one) for one in names.types]
        for number, kind in enumerate(self.game.kinds):
            if kind < v.K_BOT and number not in hands:
                free = [one for one in range(v.TYPES) if left[one] > reserved[one]][: 1 if kind == v.K_DRONE else 3]
                values["hand"][number] = free + [None] * (v.HAND - len(free))
                values["cars"][number].update(sprint=sum(one < v.RUSH for one in free), rush=sum(one >= v.RUSH for one in free))
                for one in free:
                    left[one] -= 1
        wanted = left if deck is None else [deck.split().count(one) for one in names.types]
        values["deck"] = wanted
        values["discard"] = [a - b for a, b in zip(left, wanted, strict=True)]
        values["deck_sprint"], values["deck_rush"] = sum(wanted[: v.RUSH]), sum(wanted[v.RUSH :])

    def number(self, spot: Spot) -> int:
        """The number of a square."""
        return self.game.track.number[spot[0] // 6, spot[1], spot[0] % 6]

    @property
    def asks(self) -> str:
        """The prompt."""
        return str(self.state.prompt(self.seat))

    @property
    def seat(self) -> int:
        """Who is asked."""
        return self.state.pending[0]

    def options(self) -> list[Any]:
        """The answers in words."""
        found = []
        for action in self.state.legal_actions(self.seat):
            args = self.state.action_args(self.seat, action)
            value = next(iter(args.values()))
            found.append(self.spot(int(value)) if "square" in args else value)
        return found

    def say(self, *answers: Any) -> Table:
        """Answer one question after the other."""
        for answer in answers:
            found = self.options()
            assert answer in found, f"{self.asks}: {answer!r} is not among {found}"
            self.state.apply_action(self.seat, self.state.legal_actions(self.seat)[found.index(answer)])
        return self

    def spot(self, number: int) -> Spot:
        """A square as (c, lane)."""
        square = self.game.track.squares[number]
        return 6 * square.slot + square.idx, square.lane

    @property
    def all(self) -> dict[str, Any]:
        """Everything."""
        return self.game.everything(self.state)

    def car(self, number: int) -> dict[str, Any]:
        """A vehicle."""
        found: dict[str, Any] = self.all["cars"][number]
        return found

    def at(self, number: int) -> Spot:
        """Where a vehicle is."""
        return self.spot(self.car(number)["sq"])

    def boss(self) -> int:
        """Its number."""
        assert self.game.boss is not None
        return self.game.boss

    @property
    def hp(self) -> int:
        """The Boss's hearts."""
        return int(self.all["hp"])

    def object(self, spot: Spot) -> str:
        """What lies on a square."""
        return OBJECTS[self.all["objects"][self.number(spot)]]

    def hand(self, number: int) -> list[str]:
        """The cards of a vehicle."""
        return [self.game.names.types[one] for one in self.all["hand"][number] if one is not None]

    def prey(self) -> tuple[int, str, str]:
        """Its tile, the open and the hidden tokens."""
        kinds = [row.kind for row in self.game.pack.prey]
        open_, hidden = (
            " ".join(kind for kind, n in zip(kinds, self.all[key], strict=True) for _token in range(n))
            for key in ("open", "sheltered")
        )
        return self.all["prey_slot"], open_, hidden

    def events(self, key: str) -> list[tuple[int, ...]]:
        """What has been told of this kind."""
        return [event.args for event in self.told() if event.key == key]

    def told(self) -> list[SeenEvent]:
        """All that has been told to everybody."""
        return self.state.events(0)

    def until(self, *prompts: str, limit: int = 60) -> Table:
        """Take the first answer until one of these questions is asked."""
        while self.state.pending and self.asks not in prompts and limit:
            limit -= 1
            self.state.apply_action(self.seat, self.state.legal_actions(self.seat)[0])
        return self


def rolling(wanted: Sequence[int], make: Any) -> Table:
    """The table, made with a seed for which these dice come first."""
    for seed in range(2000):
        table: Table = make(seed)
        faces = [args[0] for args in table.events("ROLL")][: len(wanted)]
        if faces == list(wanted):
            return table
    raise AssertionError(f"no seed rolls {wanted}")
