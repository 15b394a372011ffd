"""A table in memory: the state rebuilt from the log, and what belongs to it."""
from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from seatmate.engine.core.errors import RecordError, SeatmateError, SettingsError
from seatmate.engine.core.game import SPECTATORS, Game, State
from seatmate.engine.core.registry import game_from_settings, game_spec
from seatmate.server.errors import ApiError, Code
from seatmate.server.games import shared_game
from seatmate.server.rows import MOST_CHILDREN, RESIGNS, ActionRow, Damage, SeatRow, StoredTable, TableRow, TimeRow
from seatmate.server.storage import now_us

MOST_TOLD = 48
_MOST_LOST = 32


@dataclass(frozen=True, slots=True)
class Step:
    """One acknowledged action and what its seat's sequence was right before and right after."""

    seat: int
    action: int
    before: int
    after: int


class LiveTable:
    """A table that is being used. The log on disk is the truth; this is its replay.

    `lock` is held while something is decided and written; readers need no lock, since the state changes only after the
    write, in one go on the event loop.
    """

    def __init__(self, stored: StoredTable, clock: Callable[[], float]) -> None:
        """Replay. Raises RecordError when the log was written under other rules or content, Damage when it is none.

        clock: the event loop's; this may run in a thread.
        """
        if stored.damage:
            raise Damage(stored.damage)
        self._now = clock
        self.row: TableRow = stored.table
        self.game: Game = _game_of(stored.table)
        self.state: State = self.game.new_state(stored.table.seed)
        self._public = self.state.observation_key(SPECTATORS)
        self.seats = [SeatRow(seat=seat) for seat in range(self.game.seats)]
        self.lost: deque[bytes] = deque(maxlen=_MOST_LOST)      # hashes of the tokens that seats had before, the latest ones
        self.steps: list[Step] = []
        self.requests: dict[tuple[int, str], int] = {}          # numbers of actions, by seat and request_id
        self.lock = asyncio.Lock()
        self.users = 0
        self.left_at = clock()      # when the last of them had gone
        self.doubtful = False       # a write failed half-way: read the log again before the next decision
        self.deleted = False
        self.shared = False         # do other servers play it, too?
        self.broken: ApiError | None = None     # why its log can't be followed any more
        self._shown_us = stored.table.created_us
        self.shown = 0              # changes that everybody could see
        self.shown_at = self._now()     # when bots have to count from: the last of them, or what has come in between
        self.opened_at = self._now()    # when that change was, also when the server has been down since
        self.holding = [0] * self.game.seats    # answers that wait for the end of a window, by seat
        self.resigned: int | None = None        # the seat that has given up the game
        self.children: list[tuple[str, str]] = []       # (id, kind): the rematch, then the newest branches
        self.times: list[TimeRow] = []      # of the seats, where the table has a clock
        self.served_from = float("-inf")    # when this server began
        self._epoch_us = now_us() - self._now() * 1e6       # the beginning of the clock's time
        self.watchers = 0           # streams of its events
        self._looked_until = 0.0
        self._changed = asyncio.Event()
        self.told: dict[Hashable, Any] = {}     # the last messages of its streams, all of the present state
        self.take(stored)
        shown_us = self._shown_us or now_us()
        self.opened_at = self.shown_at = self._now()
        self.opened_at -= max(0, now_us() - shown_us) / 1e6

    @property
    def id(self) -> str:
        """The table's id."""
        return self.row.id

    @property
    def is_over(self) -> bool:
        """Is the game over, by its rules or because somebody has resigned?"""
        return self.state.is_over or self.resigned is not None

    @property
    def is_duel(self) -> bool:
        """Does one seat win what the other loses? Then who resigns ends the game; else it has to be played on for him."""
        return self.game.seats == 2 and not self.game.cooperative

    def take(self, stored: StoredTable) -> None:
        """Take the next actions of the log, and who sits where. Raises Damage."""
        if stored.damage:
            raise Damage(stored.damage)
        if len(stored.seats) != self.game.seats:
            raise Damage(f"it has the rows of {len(stored.seats)} seats, not of {self.game.seats}")
        for row in stored.actions:
            number = len(self.steps)
            if row.request_id is not None and (row.seat, row.request_id) in self.requests:
                raise Damage(f"action {number} of its log has the request_id of an earlier one")
            try:
                self.apply(row)
            except (SeatmateError, ValueError) as error:    # its text may say what a seat was asked in secret
                raise Damage(f"action {number} of its log is not possible there", f"action {number} of its log: {error}") from None
        if stored.table.finished and not self.is_over:
            raise Damage(f"its game was over, and its log ends before that, after {len(self.steps)} actions")
        if stored.table.clock is not None and len(stored.times) != self.game.seats:
            raise Damage(f"it has the times of {len(stored.times)} seats, not of {self.game.seats}")
        self.sit(stored.seats)
        self.times = list(stored.times)
        self.children = list(stored.children)

    def sit(self, rows: Iterable[SeatRow]) -> None:
        """Who sits on these seats now."""
        for row in rows:
            before, self.seats[row.seat] = self.seats[row.seat].token_hash, row
            if before is not None and before != row.token_hash:
                self.lost.append(before)

    def apply(self, row: ActionRow) -> Step:
        """Take one action of the log. Raises SeatmateError or ValueError when it is not possible now."""
        before = self.state.sequence(row.seat)
        if self.resigned is not None:
            raise ValueError("the game was given up before")
        if row.action == RESIGNS:
            if self.is_over or not self.is_duel or row.seat >= self.game.seats:
                raise ValueError("nobody can give up here")
            self.resigned = row.seat
        else:
            self.state.apply_action(row.seat, row.action)
        self.told.clear()
        public, self._public = self._public, self.state.observation_key(SPECTATORS)
        if public != self._public or self.resigned is not None:
            self.shown += 1
            self.shown_at = self.opened_at = self._now()
            self._shown_us = row.written_us
        step = Step(row.seat, row.action, before, self.state.sequence(row.seat))
        self.steps.append(step)
        if row.request_id is not None:
            self.requests[row.seat, row.request_id] = len(self.steps) - 1
        return step

    def child(self, kind: str) -> str:
        """The id of the first of this kind that descends from it; "": there is none."""
        return next((child for child, its_kind in self.children if its_kind == kind), "")

    def add_child(self, table_id: str, kind: str) -> None:
        """A table descends from it."""
        known = [(table_id, kind), *self.children]
        self.children = sorted(known, key=lambda child: child[1] != "rematch")[:MOST_CHILDREN]

    def keep_time(self, times: Iterable[TimeRow]) -> None:
        """What these seats have left now."""
        for row in times:
            self.times[row.seat] = row

    def moment(self, wall_us: int) -> float:
        """A time in microseconds since 1970, on the event loop's clock."""
        return (wall_us - self._epoch_us) / 1e6

    def wall_us(self, moment: float) -> int:
        """A moment of the event loop's clock, in microseconds since 1970, to the millisecond."""
        return round((self._epoch_us + moment * 1e6) / 1000) * 1000

    def tell(self, key: Hashable, message: Any) -> None:
        """Keep a message for others who are to be told the same, until the state changes."""
        if len(self.told) >= MOST_TOLD:
            self.told.clear()
        self.told[key] = message

    @property
    def observed(self) -> bool:
        """Can anybody be there who sees when something happens? Where bots play among themselves, only who looks.

        Who looks at another server is not known here.
        """
        people = any(seat.holder != "bot" for seat in self.seats)
        return people or self.shared or self.watchers > 0 or self._now() < self._looked_until

    def look(self, seconds: float) -> None:
        """Somebody looks, and may look again. At a table that nobody watched the step starts again with it."""
        if not self.observed:
            self.shown_at = self._now()
        self._looked_until = max(self._looked_until, self._now() + seconds)

    @contextmanager
    def watched(self, seconds: float) -> Iterator[None]:
        """Somebody watches until this ends, and may come back so soon."""
        self.watchers += 1
        try:
            yield
        finally:
            self.watchers -= 1
            self.look(seconds)

    @property
    def changed(self) -> asyncio.Event:
        """Is set at the next change. Take it before reading the state, then wait for it."""
        return self._changed

    def notify(self) -> None:
        """Wake everybody who waits for a change."""
        self._changed.set()
        self._changed = asyncio.Event()

    def seat(self, number: int) -> SeatRow:
        """The seat. Raises ApiError when there is none of this number."""
        if not 0 <= number < self.game.seats:
            raise ApiError(Code.NOT_FOUND, "SEAT_NOT_FOUND", f"this table has no seat {number}; its seats are "
                           f"0..{self.game.seats - 1}", metadata={"seat": number, "seat_count": self.game.seats})
        return self.seats[number]


async def wait_for(changed: asyncio.Event, seconds: float) -> None:
    """Until something changes, so long at most."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await changed.wait()


def _game_of(row: TableRow) -> Game:
    """The game of a stored table. Raises RecordError when rules or content are others now."""
    game_id = str(row.settings.get("game"))
    try:
        version = game_spec(game_id).rules_version
        if version != row.rules_version:
            raise RecordError(f"this table was played under rules version {row.rules_version} of {game_id}; "
                              f"this service has version {version}")
        pack = row.settings["pack"]
        if pack and pack not in game_spec(game_id).packs:
            raise RecordError(f"this table is played with the content pack {pack!r} of {game_id}, which this service does not "
                              "have; it can be played again when the service is started with this pack (--pack FILE)")
        return game_from_settings(row.settings, make=shared_game)
    except RecordError:
        raise
    except SettingsError as error:      # its text may quote a secret option, such as a deck
        raise RecordError(f"this table does not fit the games of this service: {error.field} can't be played any more") from None
    except SeatmateError as error:
        raise RecordError(f"this table does not fit the games of this service: {error}") from None
