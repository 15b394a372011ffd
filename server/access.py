"""Who may know a table, and who may take or play its seats: told by the token a call came with."""
from __future__ import annotations

from seatmate.engine.core.game import SPECTATORS
from seatmate.server import auth
from seatmate.server.errors import ApiError, Code
from seatmate.server.live import LiveTable
from seatmate.server.rows import SeatRow


def require_view(table: LiveTable, token: str | None) -> None:
    """Raises ApiError unless the caller may see what everybody sees of the table: a private one is seen with one of its tokens."""
    if not table.row.is_open:
        seats = (known for seat in table.seats for known in (seat.token_hash, seat.return_hash))
        _require(table, token, "this private table (its own, its invitation, or one of its seats')", table.row.token_hash,
                 table.row.invitation_hash, *seats)


def require_observer(table: LiveTable, observer: int, token: str | None) -> None:
    """Raises ApiError unless the caller may see what this observer sees: after the end, who may see the table sees all of it."""
    if observer == SPECTATORS or table.is_over:
        require_view(table, token)
    if observer != SPECTATORS:
        seat = find_seat(table, observer, token)
        if not table.is_over:
            _require(table, token, f"seat {observer}", seat.token_hash)


def find_seat(table: LiveTable, number: int, token: str | None) -> SeatRow:
    """The seat. Raises ApiError when there is none of this number, which is told to who may see the table."""
    if not 0 <= number < table.game.seats:
        require_view(table, token)
    return table.seat(number)


def require_player(table: LiveTable, number: int, token: str | None) -> None:
    """Raises ApiError unless the caller plays the seat."""
    _require(table, token, f"seat {number}", find_seat(table, number, token).token_hash)


def require_player_or_owner(table: LiveTable, number: int, token: str | None) -> None:
    """Raises ApiError unless the caller plays the seat, or has made the table."""
    _require(table, token, f"seat {number}", find_seat(table, number, token).token_hash, table.row.token_hash)


def require_somebody(table: LiveTable, token: str | None) -> None:
    """Raises ApiError unless the caller plays one of the seats, or has made the table."""
    _require(table, token, "this table or one of its seats", table.row.token_hash, *(seat.token_hash for seat in table.seats))


def require_claim(table: LiveTable, number: int, token: str | None) -> None:
    """Raises ApiError unless the caller may take the seat, which nobody plays.

    Of an open table anybody may take a seat that has never been left: what a seat holds that was left has been seen.
    """
    seat, row = find_seat(table, number, token), table.row
    if seat.holder == "player":
        require_view(table, token)
        raise ApiError(Code.FAILED_PRECONDITION, "SEAT_TAKEN", f"seat {number} is taken by another player")
    if seat.holder == "bot":
        _require(table, token, "this bot's seat (the table's token, or the one LeaveSeat answered)", row.token_hash,
                 seat.return_hash)
    elif not row.is_open or seat.return_hash is not None:
        what = f"seat {number}, which was left and" if row.is_open else "this private table, which"
        _require(table, token, f"{what} is for its invitation, the table's token, or the one LeaveSeat answered", row.token_hash,
                 row.invitation_hash, seat.return_hash)


def _require(table: LiveTable, token: str | None, what: str, *hashes: bytes | None) -> None:
    """As `auth.require`; who had a seat and has lost it hears that."""
    if not auth.opens(token, *hashes) and auth.opens(token, *table.lost):
        if auth.opens(token, *(seat.return_hash for seat in table.seats)):
            raise ApiError(Code.PERMISSION_DENIED, "SEAT_LOST", "the time of this token's seat was up, and a bot plays on; "
                           "ClaimSeat with this token gives it back")
        raise ApiError(Code.PERMISSION_DENIED, "SEAT_LOST", "this token's seat has been given up, by its player or by the table's "
                       "owner; the token has ended")
    auth.require(token, what, *hashes)
