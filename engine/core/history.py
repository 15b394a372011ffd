"""What a seat says it has seen: a history is believed as long as some world fits it, and else its first bad event is named."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from seatmate.engine.core.errors import SeatmateError
from seatmate.engine.core.game import Game, SeenEvent, State
from seatmate.engine.core.view import View


class HistoryError(SeatmateError):
    """No game has this history.

    possible_to: the last event up to which it is possible, 0 if it never is · impossible_from: the event from which it isn't ·
    first_bad: the first of the events after the one and up to the other that can be the bad one.
    """

    def __init__(self, game_id: str, why: str, possible_to: int, impossible_from: int, first_bad: int) -> None:
        several = impossible_from > possible_to + 1
        which = f"events {possible_to + 1} to {impossible_from}" if several else f"event {impossible_from}"
        after = f" after the {possible_to} before" if possible_to else ""
        super().__init__(f"no game of {game_id} gives {which}{after}{f' ({why})' if why else ''}")
        self.possible_to = possible_to
        self.impossible_from = impossible_from
        self.first_bad = first_bad


class History:
    """All events of a seat, folded up to one moment after the other."""

    def __init__(self, game: Game, seat: int, events: Sequence[SeenEvent], *, hurry: Callable[[], bool] = lambda: False) -> None:
        """hurry: is there no time any more to look for the first bad event?"""
        self.game = game
        self.seat = seat
        self.events = events
        self._hurry = hurry
        self._view: View = game.new_view(seat)

    def seen_after(self, sequence: int) -> Mapping[str, Any]:
        """What the seat knew right after its event of this number, not before the last call's. Raises HistoryError."""
        try:
            self._view.feed(self.events[self._view.sequence:sequence])
            return self._view.snapshot()
        except Exception as error:      # whatever a made-up history does to the fold
            raise self._blame(sequence, str(error)) from None

    def world_after(self, sequence: int, seed: int) -> State:
        """A world that the seat could not tell from the true one then, while somebody was asked. Raises HistoryError."""
        seen = self.seen_after(sequence)
        try:
            world = self.game.state_from_view(seen, self.seat, seed)
            if world.observation(self.seat) == seen:
                return world
            why = ""
        except Exception as error:
            why = str(error)
        raise self._blame(sequence, why)

    def impossible(self, sequence: int, why: str) -> HistoryError:
        """That the event of this number, the first after those that have been folded, can't be."""
        return HistoryError(self.game.spec.id, why, sequence - 1, sequence, sequence)

    def _blame(self, sequence: int, why: str) -> HistoryError:
        """Find the first bad one of the first events, no longer possible after `sequence` of them: `why`.

        A world is looked for where a step ends, with the seat's own question or with others being asked: there every true history
        has one. In a hurry no more worlds are looked for; an event that can't be told at all is found all the same.
        """
        view, possible_to, hurried = self.game.new_view(self.seat), 0, False
        for number, event in enumerate(self.events[:sequence], start=1):
            try:
                view.feed((event,))
            except Exception as error:
                return self._bad(str(error), possible_to, number, named=number)
            if event.key != "ASK" and (event.key != "BUSY" or self.seat in view.asked):
                continue
            if number == sequence or (hurried := hurried or self._hurry()):
                continue
            wrong = self._wrong_with(view)
            if wrong is not None:
                return self._bad(wrong, possible_to, number)
            possible_to = number
        return self._bad(why, possible_to, sequence)

    def _bad(self, why: str, possible_to: int, impossible_from: int, named: int = 0) -> HistoryError:
        """While a step is on its way a true history need not have a world; but where there is one it is possible."""
        view = self.game.new_view(self.seat)
        view.feed(self.events[:possible_to])
        for number, event in enumerate(self.events[possible_to:impossible_from - 1], start=possible_to + 1):
            view.feed((event,))
            if self._wrong_with(view) is None:
                possible_to = number
            if self._hurry():
                break
        return HistoryError(self.game.spec.id, why, possible_to, impossible_from, named or possible_to + 1)

    def _wrong_with(self, view: View) -> str | None:
        """Why no world fits what the seat knows; None: one does."""
        try:
            seen = view.snapshot()
            world = self.game.state_from_view(seen, self.seat, 0)
            return None if world.observation(self.seat) == seen else ""
        except Exception as error:
            return str(error)
