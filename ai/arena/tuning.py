"""Which settings of the search suit a game: about two dozen play rounds of paired deals, and the better half of each goes on.

Every setting plays the heuristic, and the search with the game's own settings, on the same deals with the seats exchanged; where
all seats win together, each fills all seats. After each round the better half goes on to twice as many deals; the best of all is
then measured once more, on deals that had no say in choosing it (of many settings one always looks good where it was chosen).
"""
from __future__ import annotations

import itertools
import operator
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seatmate.ai.arena.backends import BackendName
from seatmate.ai.arena.deal import Deal
from seatmate.ai.arena.plans import TournamentError, seat_plans
from seatmate.ai.arena.pool import DealPlayer, default_workers
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.arena.statistics import bounded, mean_and_interval
from seatmate.ai.arena.tournament import MAX_DEALS, Progress, check_amounts, play_spec
from seatmate.ai.search.params import KNOBS, SearchParams
from seatmate.engine.core.registry import game_spec, new_game
from seatmate.engine.core.rng import Stream, random_words
from seatmate.engine.core.spec import GameSpec

OWN = "the game's own"
"""Name of the setting in which every knob is as the game has it."""

FINALISTS = 3
"""Settings of the last round before the best one is measured once more."""

HEURISTIC, DEFAULT = 0, 1
"""The first two bots of every round."""

Knobs = Mapping[str, Any]

Differences = NDArray[np.float64]
"""By deal: utility less that of the heuristic, and less that of the search as the game has it, each in the games with that."""

TOGETHER: tuple[Knobs, ...] = (
    {"simple_others": 1.0, "rollout_epsilon": 1.0, "prior_visits": 5.0}, {"rollout_depth": 0, "rollout_quiets": 0},
    {"rollout_depth": 8, "evaluate_open": True}, {"exploration": 2.0, "prior_visits": 5.0},
)
"""What is tried of several knobs at once, as changes to the game's own settings; the rows of SearchParams have those of one."""

REGRET: tuple[Knobs, ...] = tuple({"selection": "regret", "start_share": share, "regret_prior": 1.0, "open_until": until}
                                  for share, until in ((0.0, 0), (0.6, 0), (0.6, 5000), (0.9, 1000)))
"""Tried where the game allows it (public_choices)."""


@dataclass(frozen=True, slots=True)
class Against:
    """Mean difference in utility on the same deals, -1..1, with the ends of its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TunedSetting:
    """One setting on the deals of the rounds it was in.

    knobs: what it changes in the game's own settings · rounds: how far it came · heuristic, default: against the heuristic, and
    against the search as the game has it (all 0 for that itself) · score: by what settings are ranked, the mean of both · alike: it
    scored on every deal as the game's own settings.
    """

    name: str
    knobs: dict[str, Any]
    rounds: int
    deals: int
    heuristic: Against
    default: Against
    score: float
    alike: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningResult:
    """Settings, best first, and the best one measured once more.

    confirmed: `best` on deals of its own; own: the game's own settings on the same deals · beats_heuristic: the whole interval of
    `confirmed` against the heuristic is above 0 · better: so is it against the game's own settings, or it beats the heuristic while
    they don't · hints: the line for the GameSpec, of `best` where it is better and else of the game's own settings.
    """

    game: str
    mode: str
    seats: int
    options: dict[str, Any]
    pack: str
    iterations: int
    deals: int
    seed: int
    games: int
    settings: tuple[TunedSetting, ...]
    best: str
    confirmed: TunedSetting
    own: TunedSetting
    beats_heuristic: bool
    better: bool
    hints: str

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningProgress:
    """Round of rounds (the last is the confirmation), with so many settings; games of games_total in all; the best so far."""

    round: int
    rounds: int
    settings: int
    games: int
    games_total: int
    best: str


def settings_for(spec: GameSpec) -> dict[str, Knobs]:
    """Name: knobs. The game's own settings, and all others that differ from them and from each other."""
    own = SearchParams.for_game(spec)
    found: dict[SearchParams, tuple[str, Knobs]] = {own: (OWN, {})}
    wanted: list[Knobs] = [{name: value} for name, knob in KNOBS.items() for value in knob.tries]
    wanted += [*TOGETHER, *(REGRET if spec.public_choices else ())]
    if own.selection == "regret":       # which has no use for the other knobs
        wanted = [{"selection": "puct"}, *[{"selection": "puct", **knobs} for knobs in wanted]]
    for knobs in wanted:
        knobs = {key: value for key, value in knobs.items() if value != getattr(own, key)}
        found.setdefault(replace(own, **knobs), (", ".join(knob_texts(knobs)), knobs))
    return dict(found.values())


def hints_line(spec: GameSpec, knobs: Knobs) -> str:
    """`search={...}` for a GameSpec: the game's own settings with these changes, without what is the default anyway."""
    values = {key: value for key, value in {**spec.search, **knobs}.items() if value != KNOBS[key].default}
    return f"search={values},".replace("'", '"')


def knob_texts(knobs: Knobs) -> list[str]:
    """key=value, as the text of a bot has it."""
    return [f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in knobs.items()]


class _Tuning:
    """The rounds of one game. plan: how many settings beside the game's own each round has, and how many deals."""

    def __init__(self, game_id: str, iterations: int, deals: int, seed: int, table: Mapping[str, Any]) -> None:
        if iterations < 2:
            raise TournamentError(f"{iterations} iterations are no search; at least 2 are needed")
        self.spec = game_spec(game_id)
        self.game_id, self.iterations, self.seed, self.table = game_id, iterations, seed, table
        self.settings = settings_for(self.spec)
        self.plan = [(len(self.settings) - 1, deals)]
        while self.plan[-1][0] > FINALISTS:
            count, amount = self.plan[-1]
            self.plan.append((max(FINALISTS, -(-count // 2)), 2 * amount))
        self.plan.append((1, 2 * self.plan[-1][1]))
        self.totals = [amount * len(self.round(number, self.others[:count]).lineups)
                       for number, (count, amount) in enumerate(self.plan)]

    @property
    def others(self) -> list[str]:
        """All settings but the game's own."""
        return [name for name in self.settings if name != OWN]

    def round(self, number: int, others: Sequence[str]) -> TournamentSpec:
        """The tournament of one round; its deals are not those of another round. Bots: heuristic, default, others."""
        bots = ["heuristic", *[self.bot(name) for name in (OWN, *others)]]
        seed = self.seed if number == 0 else random_words(self.seed, (int(Stream.DEALS), MAX_DEALS + number), 1)[0]
        create = partial(TournamentSpec.create, self.game_id, bots=bots, seed=seed, **self.table)
        game = new_game(self.game_id, **self.table)
        if game.cooperative:
            return create(lineups=[(bot,) * game.seats for bot in range(len(bots))])
        pairs = [(HEURISTIC, DEFAULT), *itertools.product((HEURISTIC, DEFAULT), range(2, len(bots)))]
        plans = seat_plans(2, game.seats, False, "auto")
        return create(lineups=[tuple(pair[bot] for bot in plan) for pair in pairs for plan in plans])

    def bot(self, name: str) -> str:
        """The bot that plays a setting."""
        return ":".join(["search", f"iterations={self.iterations}", *knob_texts(self.settings[name])])


def run_tuning(
    game_id: str, *, deals: int, iterations: int, seed: int, seats: int | None = None, mode: str | None = None,
    options: Mapping[str, Any] | None = None, pack: str | None = None, results: str | os.PathLike[str] | None = None,
    workers: int | None = None, backend: BackendName = "local", progress: Callable[[TuningProgress], None] | None = None,
) -> TuningResult:
    """Try settings of the search in rounds, of which the first has so many deals and each later one twice as many. Blocks.

    iterations: of every search, per decision · results: a file for the deals of the first round; those of round n are beside it in
    NAME.n.SUFFIX. Each is the results file of a tournament, and the same call goes on where they end. The rest, and the errors,
    are as in `run_tournament`. What is found depends on the other arguments and not on `workers`, `backend` and interruptions.
    """
    check_amounts(deals, workers)
    tuning = _Tuning(game_id, iterations, deals, operator.index(seed),
                     {"seats": seats, "mode": mode, "options": options, "pack": pack})

    def play(number: int, others: Sequence[str], best: str) -> tuple[TournamentSpec, dict[str, Differences]]:
        def tell(now: Progress) -> None:
            if progress is not None:
                progress(TuningProgress(round=number + 1, rounds=len(tuning.plan), settings=1 + len(others), best=best,
                                        games=sum(tuning.totals[:number]) + now.games, games_total=sum(tuning.totals)))

        spec = tuning.round(number, others)
        played = play_spec(spec, tuning.plan[number][1], results=_file(results, number), workers=workers, backend=backend,
                           progress=tell).deals
        return spec, dict(zip((OWN, *others), _differences(spec, played), strict=True))

    seen: dict[str, list[Differences]] = {name: [] for name in tuning.settings}
    others = tuning.others
    games, best = 0, OWN
    for number in range(len(tuning.plan) - 1):
        spec, found = play(number, others, best)
        games += tuning.plan[number][1] * len(spec.lineups)
        for name, differences in found.items():
            seen[name].append(differences)
        ranked = _ranked(tuning, seen)
        best = ranked[0].name
        others = _survivors([row.name for row in ranked if row.name in others], seen, tuning.plan[number + 1][0])
    last = len(tuning.plan) - 1
    spec, found = play(last, [best] if best != OWN else [], best)
    confirmed, own = (_row(tuning, name, {name: [found[name]], OWN: [found[OWN]]}) for name in (best, OWN))
    beats = confirmed.heuristic.low > 0
    better = best != OWN and (confirmed.default.low > 0 or (beats and own.heuristic.low <= 0))
    settings = spec.settings
    return TuningResult(
        game=game_id, mode=settings["mode"], seats=spec.seats, options=dict(settings["options"]), pack=settings["pack"],
        iterations=iterations, deals=deals, seed=seed, games=games + tuning.plan[last][1] * len(spec.lineups),
        settings=tuple(ranked), best=best, confirmed=confirmed, own=own, beats_heuristic=beats, better=better,
        hints=hints_line(tuning.spec, tuning.settings[best] if better else {}))


def deals_for(game_id: str, minutes: float, *, iterations: int, seed: int, workers: int | None = None, **table: Any) -> int:
    """Deals of the first round with which `run_tuning` lasts about so long, as one deal tells. Raises as `run_tuning`."""
    tuning = _Tuning(game_id, iterations, 2, seed, table)
    spec = tuning.round(0, tuning.others)
    began = time.monotonic()
    DealPlayer(spec).play(0)
    seconds = (time.monotonic() - began) / len(spec.lineups) * sum(tuning.totals) / 2
    return max(2, min(MAX_DEALS, int(60 * minutes * (workers or default_workers(spec, MAX_DEALS)) / seconds)))


def _file(results: str | os.PathLike[str] | None, number: int) -> Path | None:
    if results is None:
        return None
    path = Path(results)
    return path if number == 0 else path.with_suffix(f".{number + 1}{path.suffix}")


def _survivors(others: Sequence[str], seen: Mapping[str, Sequence[Differences]], most: int) -> list[str]:
    """The first so many; of those that scored alike on every deal only one, and none that scored as the game's own settings."""
    kept = [OWN]
    for name in others:
        if not any(np.array_equal(seen[name][-1], seen[other][-1]) for other in kept):
            kept.append(name)
    return kept[1:most + 1]


def _differences(spec: TournamentSpec, deals: Sequence[Deal]) -> list[Differences]:
    """For each search of a round, the game's own first."""
    utilities = np.array(deals, dtype=np.float64)

    def mean(bot: int, rival: int) -> NDArray[np.float64]:
        """By deal, of the bot in its games with the rival."""
        chosen = np.array([[seat == bot and (spec.cooperative or set(lineup) == {bot, rival}) for seat in lineup]
                           for lineup in spec.lineups])
        found: NDArray[np.float64] = utilities[:, chosen].mean(axis=1)
        return found

    nothing = np.zeros(len(utilities))
    return [np.stack([mean(bot, rival) - mean(rival, bot) if bot != rival else nothing for rival in (HEURISTIC, DEFAULT)], axis=1)
            for bot in range(1, len(spec.bots))]


def _row(tuning: _Tuning, name: str, seen: Mapping[str, Sequence[Differences]]) -> TunedSetting:
    rounds, own = seen[name], seen[OWN]
    deals = np.concatenate(rounds)
    against = []
    for rival in (HEURISTIC, DEFAULT):
        mean, half = mean_and_interval(deals[:, rival].tolist(), span=2.0) if rival == HEURISTIC or name != OWN else (0.0, 0.0)
        against.append(Against(mean, *bounded(mean, half, -1.0, 1.0)))
    return TunedSetting(
        name=name, knobs=dict(tuning.settings[name]), rounds=len(rounds), deals=len(deals), heuristic=against[HEURISTIC],
        default=against[DEFAULT], score=(against[HEURISTIC].mean + against[DEFAULT].mean) / 2,
        alike=name != OWN and all(np.array_equal(one, other) for one, other in zip(rounds, own, strict=False)))


def _ranked(tuning: _Tuning, seen: Mapping[str, Sequence[Differences]]) -> list[TunedSetting]:
    """Who came further is better, then who scores more. (The game's own settings are in every round.)"""
    return sorted([_row(tuning, name, seen) for name in tuning.settings], key=lambda row: (-row.rounds, -row.score))
