"""Stand-ins for seatmate.ai, until the real one is there."""
from __future__ import annotations

import sys
import threading
import time
import types
from dataclasses import dataclass, field

from seatmate.engine.core.errors import SeatmateError
from seatmate.engine.core.rng import random_words


class StopFlag:
    def __init__(self):
        self._event = threading.Event()

    def set(self):
        self._event.set()

    @property
    def is_set(self):
        return self._event.is_set()


@dataclass(frozen=True)
class Limits:
    iterations: int | None = None
    time_ms: float | None = None
    nodes: int = 200_000


@dataclass(frozen=True)
class SearchParams:
    pass


@dataclass(frozen=True, kw_only=True)
class Candidate:
    action: int
    label: str
    args: dict
    visits: int
    visit_share: float
    value: float
    standard_error: float
    win_probability: float | None
    prior: float
    principal_variation: tuple = ()
    reasons: tuple = ()


@dataclass(frozen=True, kw_only=True)
class Analysis:
    game: str
    seat: int
    prompt: str
    iterations: int
    nodes: int
    depth: int
    elapsed_s: float = field(compare=False)
    seed: int
    value: float
    candidates: tuple


class Search:
    def __init__(self, state, seat, *, seed, params=None):
        self.state, self.seat, self.seed = state.clone(), seat, seed
        self.iterations = 0
        self.elapsed = 0.0
        self.totals = {action: 0.0 for action in state.legal_actions(seat)}

    def run(self, limits, stop=None):
        began = time.monotonic()
        done = 0
        actions = list(self.totals)
        while ((limits.iterations is None or done < limits.iterations) and not (stop is not None and stop.is_set)
               and (limits.time_ms is None or (time.monotonic() - began) * 1000 < limits.time_ms)):
            action = actions[self.iterations % len(actions)]
            world = self.state.resample_from_infostate(self.seat, random_words(self.seed, (2, self.iterations), 1)[0])
            self.totals[action] += world.score_actions(self.seat)[actions.index(action)]
            self.iterations += 1
            done += 1
        self.elapsed += time.monotonic() - began
        count = max(1, self.iterations // len(actions))
        candidates = [Candidate(action=a, label=self.state.action_label(self.seat, a), args=self.state.action_args(self.seat, a),
                                visits=count, visit_share=1 / len(actions), value=min(1.0, max(0.0, self.totals[a] / count)),
                                standard_error=0.1, win_probability=0.5, prior=0.5,
                                principal_variation=(self.state.action_label(self.seat, a),)) for a in actions]
        candidates.sort(key=lambda one: -one.value)
        return Analysis(game=self.state.game.spec.id, seat=self.seat, prompt=self.state.prompt(self.seat),
                        iterations=self.iterations, nodes=1, depth=1, elapsed_s=self.elapsed, seed=self.seed,
                        value=candidates[0].value, candidates=tuple(candidates))


class BotError(SeatmateError):
    pass


@dataclass(frozen=True)
class BotSpec:
    id: str
    parameters: tuple = ()

    def __str__(self):
        return ":".join([self.id, *(f"{k}={v}" for k, v in self.parameters)])


@dataclass(frozen=True)
class BotParameter:
    key: str
    doc: str
    default: str = ""


@dataclass(frozen=True)
class BotInfo:
    id: str
    title: str
    summary: str
    parameters: tuple


def list_bots():
    return [BotInfo("heuristic", "Heuristic", "Best score.", ()), BotInfo("random", "Random", "Anything.", ()),
            BotInfo("search", "Search", "Thinks.", (BotParameter("iterations", "Simulations"), BotParameter("time_ms", "Time")))]


def parse_bot(text):
    kind, *rest = text.split(":")
    if kind not in ("heuristic", "random", "search"):
        raise BotError(f"no bot is called {kind!r}")
    return BotSpec(kind, tuple((part.split("=")[0], int(part.split("=")[1])) for part in rest))


class Bot:
    def __init__(self, spec, seed):
        self.spec, self.seed = parse_bot(str(spec)), seed

    def choose(self, state, seat, *, stop=None):
        legal = state.legal_actions(seat)
        if self.spec.id == "random":
            return legal[random_words(self.seed, (3, len(state.actions)), 1)[0] % len(legal)]
        if self.spec.id == "heuristic":
            scores = state.score_actions(seat)
            return legal[scores.index(max(scores))]
        return Search(state, seat, seed=self.seed).run(Limits(**dict(self.spec.parameters)), stop).candidates[0].action


def make_bot(spec, seed):
    return Bot(spec, seed)


def install():
    try:
        import seatmate.ai.search  # noqa: F401
        import seatmate.ai.bots  # noqa: F401
        return
    except ImportError:
        pass
    search = types.ModuleType("seatmate.ai.search")
    bots = types.ModuleType("seatmate.ai.bots")
    for name in ("StopFlag", "Limits", "SearchParams", "Candidate", "Analysis", "Search"):
        setattr(search, name, globals()[name])
    for name in ("BotError", "BotSpec", "BotInfo", "BotParameter", "list_bots", "parse_bot", "make_bot", "Bot"):
        setattr(bots, name, globals()[name])
    sys.modules["seatmate.ai.search"] = search
    sys.modules["seatmate.ai.bots"] = bots
