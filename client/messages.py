"""Requests out of Python's own values."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from seatmate.v1 import settings_pb2, table_pb2

Metadata = tuple[tuple[str, str], ...]

OptionValue = str | int | bool | Sequence[str]
"""Of a table's option; a sequence is one id for each seat."""


def bearer(token: str) -> Metadata:
    """The metadata of a call that needs a token."""
    return (("authorization", f"Bearer {token}"),)


def settings(game: str, *, mode: str = "", seats: int = 0, options: Mapping[str, OptionValue] | None = None,
             pack: str = "") -> settings_pb2.GameSettings:
    """A game by its id, such as `hyde`, and how it is played. What is left out is as the game has it."""
    return settings_pb2.GameSettings(game=f"games/{game}", mode=mode, seat_count=seats, pack=pack, options={
        key: option_value(value) for key, value in (options or {}).items()})


def option_value(value: OptionValue) -> settings_pb2.OptionValue:
    """The value of one option."""
    match value:
        case bool():
            return settings_pb2.OptionValue(flag=value)
        case int():
            return settings_pb2.OptionValue(number=value)
        case str():
            return settings_pb2.OptionValue(text=value)
        case _:
            return settings_pb2.OptionValue(ids=settings_pb2.OptionValue.Ids(ids=value))


def plans(bots: Mapping[int, str | table_pb2.SeatPlan], pace_ms: int) -> list[table_pb2.SeatPlan]:
    """The bot of each seat: as text, all with the same pace; or as a plan, with its own pace and name."""
    plans = []
    for seat, bot in bots.items():
        plan = table_pb2.SeatPlan(bot=bot, pace_ms=pace_ms) if isinstance(bot, str) else table_pb2.SeatPlan.FromString(
            bot.SerializeToString())
        plan.seat = seat
        plans.append(plan)
    return plans
