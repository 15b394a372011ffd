"""Observers: what OpenSpiel's algorithms see of a state, as text and as numbers."""
from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from seatmate.ai.adapters.encoding import HistoryEncoder
from seatmate.ai.adapters.openspiel.position import Table
from seatmate.engine.core.game import SPECTATORS


def make_observer(table: Table, kind: Any) -> Any:
    """An observer of an IIGObservationType; None for what our model does not have (all seats' cards at once)."""
    single = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
    if not single and kind.private_info != pyspiel.PrivateInfoType.NONE:
        return None
    if kind.perfect_recall:
        return HistoryObserver(table, public_only=not single) if kind.public_info else None
    if kind.public_info:
        return SnapshotObserver(public_only=not single)
    return PrivateObserver() if single else None


class HistoryObserver:
    """Perfect recall: all events of the seat (or of the public) since the deal.

    tensor: the seat (one of n), then the history matrix of HistoryEncoder.
    """

    def __init__(self, table: Table, public_only: bool) -> None:
        self._public_only = public_only
        self._encoder = HistoryEncoder(table.game)
        seats = table.game.seats
        rows, columns = self._encoder.shape
        self.tensor: NDArray[np.float32] = np.zeros(seats + rows * columns, np.float32)
        self.dict = {"player": self.tensor[:seats], "history": self.tensor[seats:].reshape(rows, columns)}

    def set_from(self, state: Any, player: int) -> None:
        """Write `tensor`."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if state.position.state is not None:
            self.dict["history"][:] = self._encoder.encode(state.position.state, SPECTATORS if self._public_only else player)

    def string_from(self, state: Any, player: int) -> str:
        """The history in words."""
        if self._public_only:
            return str(state.position.history(SPECTATORS))
        return f"seat {player}: {state.position.history(player)}"


class SnapshotObserver:
    """What the seat (or everybody) may see now, as JSON; no tensor."""

    tensor = None

    def __init__(self, public_only: bool) -> None:
        self._public_only = public_only
        self.dict: dict[str, NDArray[np.float32]] = {}

    def set_from(self, state: Any, player: int) -> None:
        """There is no tensor."""

    def string_from(self, state: Any, player: int) -> str:
        """One JSON object."""
        return json.dumps(state.position.observation(SPECTATORS if self._public_only else player))


class PrivateObserver(SnapshotObserver):
    """What of its observation only the seat sees, as JSON; empty text where that is nothing."""

    def __init__(self) -> None:
        super().__init__(public_only=False)

    def string_from(self, state: Any, player: int) -> str:
        """One JSON object or ""."""
        private = state.position.private(player)
        return json.dumps(private) if private else ""
