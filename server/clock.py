"""The clock of people who think: since when a seat's time runs, when it is up, and what an answer costs of its reserve.

All of it follows from what everybody can see: which seats are publicly asked, and when that last changed. Who has answered in
secret meanwhile is charged like who has not, and hidden questions within a step have no time of their own. Moments are seconds of
the event loop's clock.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seatmate.engine.core.game import SPECTATORS
from seatmate.server.live import LiveTable
from seatmate.server.rows import SeatRow, TimeRow


def runs(table: LiveTable, seat: int) -> bool:
    """Does the seat's time run? It does for who is publicly asked; also when the player has left and no bot sits there."""
    return (table.row.clock is not None and not table.is_over and seat in table.state.asked and table.seats[seat].holder != "bot"
            and table.times[seat].since_us > 0)


def asked_at(table: LiveTable, seat: int) -> float:
    """The moment from which the seat's time runs in this step: never before this server was there to take its answer."""
    return max(table.opened_at, table.served_from, table.moment(table.times[seat].since_us))


def time_up(table: LiveTable, seat: int) -> float:
    """The moment its time of this step and its reserve are used up."""
    clock = table.row.clock
    assert clock is not None
    return asked_at(table, seat) + (clock.move_ms + table.times[seat].left_ms) / 1000


def charged(table: LiveTable, seat: int, action: int, now: float) -> list[TimeRow]:
    """What this action does to the times of the seats: if everybody can see it, the step of all who were asked is over."""
    clock = table.row.clock
    if clock is None or not (running := [other for other in table.state.asked if runs(table, other)]):
        return []
    after = table.state.clone()
    after.apply_action(seat, action)
    if after.observation_key(SPECTATORS) == table.state.observation_key(SPECTATORS):
        return []
    spent = (replace(time, left_ms=time.left_ms + clock.increment_ms) for time in (_spent(table, other, now) for other in running))
    return [time for time in spent if time != table.times[time.seat]]


def reseated(table: LiveTable, rows: Sequence[SeatRow], now: float, now_us: int) -> list[TimeRow]:
    """What these new holders do to the times of their seats: a clock begins with the first player, and a bot stops it.

    Who comes back takes up the time as it stands, or leaving and coming back would wind up the clock.
    """
    if table.row.clock is None:
        return []
    begun = [replace(table.times[row.seat], since_us=now_us) for row in rows
             if row.holder == "player" and not table.times[row.seat].since_us]
    return begun + [_spent(table, row.seat, now) for row in rows if row.holder == "bot" and runs(table, row.seat)]


def _spent(table: LiveTable, seat: int, now: float) -> TimeRow:
    """The seat's time without what the present step has taken of its reserve."""
    clock, time = table.row.clock, table.times[seat]
    assert clock is not None
    beyond = max(0, round((now - asked_at(table, seat)) * 1000) - clock.move_ms)
    return replace(time, left_ms=max(0, time.left_ms - beyond))


def taken_over(table: LiveTable, seat: int) -> SeatRow:
    """The seat as its clock hands it to a bot; the player's token, or the one that was left for him, takes it back."""
    clock, old = table.row.clock, table.seats[seat]
    assert clock is not None
    return SeatRow(seat=seat, holder="bot", bot=clock.bot, display_name=clock.bot, return_hash=old.token_hash or old.return_hash)
