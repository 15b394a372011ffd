"""Looking back on a game: what each decision of a seat was worth, by what the seat knew then.

A decision is searched like any other. Where the answer that was given seems worse than the best one by more than a trifle, these
two are searched once more alone: all simulations are theirs, the best one has no luck from having been chosen among many, and
the reasons say what it gains over the other. An answer that the search hardly tries even then is searched by itself.
"""
from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import hypot

from seatmate.ai.search.analysis import Analysis, Candidate
from seatmate.ai.search.limits import Limits
from seatmate.ai.search.search import Search
from seatmate.ai.search.stop import StopFlag
from seatmate.engine.core.game import Game, SeenEvent, State
from seatmate.engine.core.history import History

LEAST = 0.02
"""Utility below which nothing is a mistake."""

RARELY = 0.1
"""Share of the best one's visits below which an answer has hardly been tried."""

SURE = 1.96
"""Standard errors within which luck may explain a loss."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A seat's answer. number: which of its decisions, from 1 · sequence: its event right after which it was asked."""

    number: int
    sequence: int
    action: int


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision and what is thought of it.

    analysis: the search of all answers · played, best: the answer that was given and the best one; if they were compared, as the
    search of these two found them, or of the first by itself · loss: by how much the first is worth less, in utility; 0 where
    it isn't, or is tied ·
    standard_error: of the loss.
    """

    decision: Decision
    analysis: Analysis
    played: Candidate
    best: Candidate
    compared: bool
    loss: float
    standard_error: float

    @property
    def is_mistake(self) -> bool:
        """Is the loss worth a word, and more than luck?"""
        return self.loss >= LEAST and self.loss > SURE * self.standard_error

    @property
    def loss_text(self) -> str:
        """-12 %, in the game's own unit; empty where nothing was lost."""
        return self.analysis.unit.change(-self.loss) if self.loss else ""


def judging(decision: Decision) -> Generator[tuple[int, ...] | None, Analysis | None, Judged]:
    """The searches of a judgement: yields the actions to look at (None: all), is sent what was found, returns the judgement.

    After the first one None may be sent: there is no time for that.
    """
    analysis = yield None
    assert analysis is not None
    played = _of(analysis, decision.action)
    if played.tied or analysis.best.value is None or (played.value is not None and analysis.best.value - played.value < LEAST):
        return _judge(decision, analysis, played, analysis.best, compared=False)
    compared = yield decision.action, analysis.best.action
    if compared is None:
        return _judge(decision, analysis, played, analysis.best, compared=False)
    played = _of(compared, decision.action)
    if not played.tied and played.visits < RARELY * compared.best.visits:     # so bad for the heuristic that it is hardly tried
        alone = yield (decision.action,)
        if alone is not None:
            found = alone.best
            played = replace(played, value=found.value, standard_error=found.standard_error, visits=found.visits,
                             win_probability=found.win_probability)
    return _judge(decision, analysis, played, compared.best, compared=True)


def _judge(decision: Decision, analysis: Analysis, played: Candidate, best: Candidate, *, compared: bool) -> Judged:
    if played.tied or played.value is None or best.value is None:
        return Judged(decision, analysis, played, best, compared, 0.0, 0.0)
    error = hypot(best.standard_error, played.standard_error)
    return Judged(decision, analysis, played, best, compared, max(0.0, best.value - played.value), error)


def largest_mistakes(judged: Sequence[Judged], most: int) -> list[Judged]:
    """The largest mistakes, the largest first."""
    return sorted((one for one in judged if one.is_mistake), key=lambda one: -one.loss)[:most]


class Review:
    """All decisions of a seat's history in which it had a choice, and the positions in which they were made.

    Raises HistoryError for events that no game gives.
    """

    def __init__(self, game: Game, seat: int, events: Sequence[SeenEvent], *, seed: int,
                 hurry: Callable[[], bool] = lambda: False) -> None:
        """seed: of the worlds, as of the searches · hurry: see History."""
        self.game = game
        self.seat = seat
        self.seed = seed
        self._history = History(game, seat, events, hurry=hurry)
        self.decisions = tuple(self._choices(History(game, seat, events, hurry=hurry)))

    def _choices(self, history: History) -> Iterator[Decision]:
        answers = [event for event in history.events if event.key == "CHOICE"]
        for number, event in enumerate(answers, start=1):
            decision = Decision(number, event.sequence - 1, event.args[-1] if event.args else -1)
            world = history.world_after(decision.sequence, self.seed)
            legal = world.legal_actions(self.seat) if self.seat in world.pending else []
            if decision.action not in legal:
                raise history.impossible(event.sequence, "the seat can't answer this")
            if len(legal) > 1:
                yield decision
        if history.seen_after(len(history.events))["asked"]:
            history.world_after(len(history.events), self.seed)

    def world_of(self, decision: Decision) -> State:
        """A world that the seat could not tell from the true one when it decided; one decision after the other."""
        return self._history.world_after(decision.sequence, self.seed)

    def search(self, world: State, only: Iterable[int] | None = None) -> Search:
        """The search of a decision's world; of only some actions, by `judging`, with the next seed: its luck is another."""
        seed = self.seed if only is None else (self.seed + 1) % 2**64
        return Search(world, self.seat, seed=seed, only=only)


def review(game: Game, seat: int, events: Sequence[SeenEvent], *, seed: int, limits: Limits,
           stop: StopFlag | None = None) -> Iterator[Judged]:
    """Look back on a seat's whole history, with these limits for each search that a decision takes.

    Decisions without a choice are left out. Ends early when `stop` is raised. Raises HistoryError for events that no game gives.
    """
    looked_at = Review(game, seat, events, seed=seed)
    for decision in looked_at.decisions:
        world, judgement = looked_at.world_of(decision), judging(decision)
        only = next(judgement)
        while True:
            analysis = looked_at.search(world, only).run(limits, stop)
            if stop is not None and stop.is_set:
                return
            try:
                only = judgement.send(analysis)
            except StopIteration as done:
                yield done.value
                break


def _of(analysis: Analysis, action: int) -> Candidate:
    return next(one for one in analysis.candidates if one.action == action)
