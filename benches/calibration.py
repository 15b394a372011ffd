"""Is the value a hint shows what comes? And, with --fit, the Calibration of a GameSpec that makes it so.

Games are played in turn by the heuristic and by a search of 100 iterations, and a few positions of each are searched in which
a seat has a choice. said: the value that a hint shows for its best answer · came: the mean utility of the seat when that
answer is played and all seats play on with 100 iterations, from worlds sampled for the seat · truly: how much more came from
the true world, which the other seats' choices have made likelier than a sampled one (--true-games). Goals: an error of at
most 0.02 on average, and of 0.05 in every quarter of the said values; a quarter with few positions is joined to its
neighbour. met, missed: beyond doubt; within, open: what the means alone say. Intervals are 95 %, over games, as positions of
one game are akin.

The results file keeps what simulations said before any calibration, one line a game, and the same command goes on where it
ends. A fit and the check of it want different seeds.
"""
from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.progress import Progress
from rich.table import Table
from scipy.optimize import minimize
from scipy.special import expit

import command_line
import machine
from seatmate.ai.arena.match import play_on
from seatmate.ai.bots import make_bot, make_policy, parse_bot
from seatmate.ai.search import Limits, Search
from seatmate.engine.core.errors import SeatmateError
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.registry import list_games, new_game
from seatmate.engine.core.spec import Calibration

Numbers = NDArray[np.float64]

PLAYERS = ("heuristic", "search:iterations=100")    # of the games the positions are from, in turn
MEAN_GOAL, QUARTER_GOAL = 0.02, 0.05
FEW = 40                # positions a quarter needs to stand alone
IN_DOUBT = 5.99         # of chi-squared with two degrees of freedom: below it the values may stay as they are
BEND_GAIN = 4.0         # in log-likelihood, for which a bend is worth its two numbers; less where results scatter less


# ---- Measuring ----

def positions(game: Game, deal: int, seed: int, count: int) -> tuple[int, list[tuple[State, int]]]:
    """The decisions of one game, and so many of its positions in which the seat has a choice, in the order of the game."""
    chance = random.Random(f"{seed} {deal}")
    state = game.new_state(chance.getrandbits(64), record_events=False)
    bots = [make_bot(PLAYERS[deal % len(PLAYERS)], chance.getrandbits(64)) for _ in range(game.seats)]
    kept: list[tuple[int, State, int]] = []
    met = 0
    while not state.is_over:
        seat = state.pending[0 if chance.random() < 0.5 else -1]
        if len(state.legal_actions(seat)) > 1:
            met += 1
            place = len(kept) if len(kept) < count else chance.randrange(met)
            if place < count:
                kept[place:place + 1] = [(met, state.clone(), seat)]
        state.apply_action(state.pending[0], bots[state.pending[0]].choose(state, state.pending[0]))
    return len(state.actions), [(state, seat) for _, state, seat in sorted(kept, key=lambda one: one[0])]


class Measured:
    """One game, mode, seat count and set of options; `key` determines all that is measured."""

    def __init__(self, key: Mapping[str, Any]) -> None:
        self.key = key
        self.game = new_game(key["game"], mode=key["mode"], seats=key["seats"],
                             options=dict(text.split("=", 1) for text in key["options"]))
        self.player = make_policy(self.game, parse_bot(f"search:iterations={key['play']}").resolve(self.game.spec))

    def goes_on(self, world: State, seat: int, action: int, chance: random.Random) -> float:
        """The seat's utility when it plays this in the world and all play on."""
        world.apply_action(seat, action)
        if world.is_over:
            return world.returns()[seat]
        words = [chance.getrandbits(64) for _ in range(self.game.seats + 1)]
        return play_on(world, [self.player] * self.game.seats, words)[seat]

    def deal(self, deal: int) -> list[dict[str, Any]]:
        """The positions of one game. said: (value, Search.settled) for each number of iterations."""
        key, found = self.key, []
        length, taken = positions(self.game, deal, key["seed"], key["per_game"])
        for number, (state, seat) in enumerate(taken):
            chance = random.Random(f"{key['seed']} {deal} {number}")
            search = Search(state, seat, seed=chance.getrandbits(63))
            search.calibration = None
            looks = {}
            for goal in sorted(key["iterations"]):
                best = search.run(Limits(iterations=goal - search.iterations)).best
                looks[goal] = best.action, (best.value, search.settled)
            action = looks[key["iterations"][0]][0]
            worlds = [state.resample_from_infostate(seat, chance.getrandbits(63)) for _ in range(key["games"])]
            found.append({
                "after": len(state.actions), "of": length, "seat": seat, "said": [looks[goal][1] for goal in key["iterations"]],
                "came": [self.goes_on(world, seat, action, chance) for world in worlds],
                "true": [self.goes_on(state.clone(), seat, action, chance) for _ in range(key["true_games"])]})
        return found


def measure(path: Path | None, keys: Sequence[Mapping[str, Any]], wanted: int,
            advance: Callable[[str, int], None]) -> list[dict[str, Any]]:
    """The rows of the file and those that lack for so many positions of every key, which are added to it."""
    rows = stored(path)
    known = {json.dumps(row["key"], sort_keys=True) + str(row["deal"]): row for row in rows}
    chosen = []
    for key in keys:
        name, done, deal, empty, measured = title(key), 0, 0, 0, Measured(key)
        while done < wanted and empty < 100:    # a hundred games in which nobody ever had a choice
            row = known.get(json.dumps(key, sort_keys=True) + str(deal))
            if row is None:
                row = {"key": dict(key), "deal": deal, "positions": measured.deal(deal)}
                if path is not None:
                    with path.open("a") as out:
                        out.write(json.dumps(row) + "\n")
            chosen.append(row)
            done += len(row["positions"])
            empty = 0 if row["positions"] else empty + 1
            deal += 1
            advance(name, len(row["positions"]))
    return chosen


def stored(path: Path | None) -> list[dict[str, Any]]:
    """The rows of a results file; a last line that was cut short is dropped from it. Ends the program for another file."""
    if path is None or not path.exists():
        return []
    text = path.read_text()
    whole = text[:text.rfind("\n") + 1]
    try:
        rows = [json.loads(line) for line in whole.splitlines()]
        for row in rows:
            row["key"]["game"], row["deal"], row["positions"]
    except (ValueError, KeyError, TypeError):
        sys.exit(f"error: {path} holds something else than results of this tool")
    if whole != text:
        path.write_text(whole)
    return rows


def title(key: Mapping[str, Any]) -> str:
    """Game, mode, seats and options in words."""
    return " ".join([key["game"], key["mode"], str(key["seats"]), *key["options"]])


# ---- What it says ----

@dataclass
class Sample:
    """The positions of one table as arrays. shown: said with the game's Calibration · games: which game each is from."""

    key: Mapping[str, Any]
    said: Numbers
    settled: Numbers
    came: Numbers
    true: Numbers
    games: NDArray[np.signedinteger[Any]]
    shown: Numbers

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, Any]], look: int = 0) -> Sample:
        """Of rows with one key; look: which of its numbers of iterations."""
        key = rows[0]["key"]
        flat = [(*one["said"][look], np.mean(one["came"]), np.mean(one["true"]) if one["true"] else np.nan, number)
                for number, row in enumerate(rows) for one in row["positions"]]
        said, settled, came, true, games = np.array(flat, dtype=np.float64).T
        game = Measured(key).game
        found = game.spec.calibration_for(game.settings)
        shown = np.array([found(*pair) for pair in zip(said, settled, strict=True)]) if found else said
        return cls(key, said, settled, came, true, games.astype(int), shown)

    def error(self, part: NDArray[np.intp] | slice = slice(None), came: Numbers | None = None) -> tuple[float, float]:
        """(mean of what came less what was shown, half width of its interval) over some of the positions."""
        gaps = ((self.came if came is None else came) - self.shown)[part]
        games = self.games[part]
        mean = float(gaps.mean())
        sums = [(gaps[games == game] - mean).sum() for game in np.unique(games)]
        return mean, 1.96 * float(np.sqrt(np.square(sums).sum())) / len(gaps) if len(sums) > 1 else 1.0

    def quarters(self) -> list[NDArray[np.intp]]:
        """The positions by quarter of the shown values; those with few join the neighbour that has fewer."""
        numbers = np.minimum((self.shown * 4).astype(int), 3)
        found = [np.flatnonzero(numbers == quarter) for quarter in range(4)]
        while len(found) > 1 and min(map(len, found)) < FEW:
            least = min(range(len(found)), key=lambda i: len(found[i]))
            other = min((i for i in (least - 1, least + 1) if 0 <= i < len(found)), key=lambda i: len(found[i]))
            found[min(least, other)] = np.concatenate([found[least], found[other]])
            del found[max(least, other)]
        return found


def verdict(errors: Sequence[tuple[float, float, float]]) -> str:
    """Of (error, half width, goal): met and missed where the intervals leave no doubt, else within or open by the means alone."""
    if any(abs(error) - half > goal for error, half, goal in errors):
        return "missed"
    if all(abs(error) + half <= goal for error, half, goal in errors):
        return "met"
    return "within" if all(abs(error) <= goal for error, _, goal in errors) else "open"


def summary(sample: Sample) -> dict[str, Any]:
    """One line of the table."""
    mean, half = sample.error()
    quarters = [(*sample.error(part), float(sample.shown[part].min()), float(sample.shown[part].max()), len(part))
                for part in sample.quarters()]
    worst = max(quarters, key=lambda quarter: abs(quarter[0]))
    goals = [(mean, half, MEAN_GOAL), *[(quarter[0], quarter[1], QUARTER_GOAL) for quarter in quarters]]
    true = sample.error(came=sample.true) if not np.isnan(sample.true).any() else None
    return {**{name: sample.key[name] for name in ("game", "mode", "seats", "options")}, "positions": len(sample.said),
            "raw": float(sample.said.mean()), "said": float(sample.shown.mean()), "came": float(sample.came.mean()), "error": mean,
            "ci95": half, "truly": true, "worst": worst, "quarters": quarters, "verdict": verdict(goals)}


# ---- Fitting ----

def fit(sample: Sample) -> Calibration | None:
    """The likeliest line in log-odds, with a bend where that is much likelier; None where the values may stay as they are."""
    inside = (sample.said > 0) & (sample.said < 1)
    said, settled, came, games = (column[inside] for column in (sample.said, sample.settled, sample.came, sample.games))
    odds = np.log(said / (1 - said))
    gradients = ((came - said) * (1 - settled))[:, None] * np.stack([np.ones_like(odds), odds], axis=1)
    sums = np.stack([gradients[games == game].sum(axis=0) for game in np.unique(games)])
    total, spread = sums.sum(axis=0), sums.T @ sums
    if np.linalg.cond(spread) > 1e12 or total @ np.linalg.solve(spread, total) < IN_DOUBT:
        return None

    def foretold(line: Numbers, at: float) -> Numbers:
        """line: shift, log of the slope, and with a bend the log of the slope beyond it."""
        low = np.exp(line[1])
        grown = line[0] + low * odds + (np.exp(line[-1]) - low) * np.maximum(odds - at, 0)
        share: Numbers = np.clip(settled * said + (1 - settled) * expit(grown), 1e-9, 1 - 1e-9)
        return share

    def loss(line: Numbers, at: float) -> float:
        """Less the log-likelihood, and drawn a little to the identity."""
        share = foretold(line, at)
        return float(-(came * np.log(share) + (1 - came) * np.log(1 - share)).sum() + line @ line)

    best, at = minimize(loss, np.zeros(2), (0.0,)), 0.0
    share = foretold(best.x, at)
    scatter = float(((came - share) ** 2).sum() / (share * (1 - share)).sum())      # of what came, where 1 is that of a coin
    for place in np.quantile(odds, (0.25, 0.5, 0.75)):
        bent = minimize(loss, np.array([*best.x[:2], best.x[1]]), (float(place),))
        if bent.fun < best.fun - (BEND_GAIN * scatter if len(best.x) == 2 else 0):
            best, at = bent, float(place)
    low, high = np.exp(best.x[1]), np.exp(best.x[-1])
    settings = Measured(sample.key).game.settings
    options = {text.partition("=")[0]: settings.options[text.partition("=")[0]] for text in sample.key["options"]}
    bend = {"bend": round(float(high - low), 2), "at": round(at, 2)} if len(best.x) == 3 else {}
    return Calibration(mode=sample.key["mode"], seats=sample.key["seats"], options=options, shift=round(float(best.x[0]), 2),
                       slope=round(float(low), 2), **bend)


def line_of(one: Calibration) -> str:
    """As it stands in a GameSpec, without what is the default."""
    values = {field.name: getattr(one, field.name) for field in fields(one)}
    shown = [f"{name}={value!r}" for name, value in values.items() if value or name in ("shift", "slope")]
    return f"Calibration({', '.join(shown)}),"


# ---- The command ----

def keys_of(options: Any) -> list[dict[str, Any]]:
    """What is to be measured: every game, mode and seat count that was asked for."""
    return [{"game": spec.id, "rules_version": spec.rules_version, "mode": mode.key, "seats": seats, "options": options.option,
             "iterations": options.iterations, "play": options.play, "games": options.playouts, "true_games": options.true_games,
             "per_game": options.per_game, "seed": options.seed}
            for spec in list_games() if not options.games or spec.id in options.games
            for mode in spec.modes if options.mode in (None, mode.key)
            for seats in mode.seats if options.seats in (None, seats)]


def main(arguments: Sequence[str] | None = None) -> int:
    games = [spec.id for spec in list_games()]
    whole = command_line.whole
    parser = command_line.command(__doc__ or "", [
        "python benches/calibration.py --positions 300 --results said.jsonl",
        "python benches/calibration.py hyde --seats 3 --seed 2 --true-games 2 --json hyde.json",
        "python benches/calibration.py mythos --iterations 1000 300 4000",
        "python benches/calibration.py hyde -o level=expert --positions 400 --results fit.jsonl --fit"])
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(games)} (default: all)")
    parser.add_argument("--mode", metavar="MODE", help="only this mode")
    parser.add_argument("--seats", type=whole(1, 16), metavar="N", help="only with so many seats")
    parser.add_argument("-o", "--option", action="append", default=[], metavar="KEY=VALUE", help="a table option")
    parser.add_argument("--positions", type=whole(2), default=200, metavar="N", help="of each table, at least (%(default)s)")
    parser.add_argument("--per-game", type=whole(1), default=4, metavar="N", help="positions of one game (%(default)s)")
    parser.add_argument("--playouts", type=whole(1), default=3, metavar="N", help="games from each position (%(default)s)")
    parser.add_argument("--true-games", type=whole(0), default=0, metavar="N", help="and so many from the true world (%(default)s)")
    parser.add_argument("--iterations", type=whole(2), nargs="+", default=[1000], metavar="N",
                        help="of the hint; the answer of the first number is played, the others are looked at besides (1000)")
    parser.add_argument("--play", type=whole(1), default=100, metavar="N", help="iterations with which all play on (%(default)s)")
    parser.add_argument("--seed", type=command_line.seed, default=1, metavar="SEED", help="of all chance (%(default)s)")
    parser.add_argument("--results", type=command_line.result_file, metavar="FILE", help="keep every game, and go on from there")
    parser.add_argument("--fit", action="store_true", help="print the Calibration lines for the GameSpecs")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a goal is missed beyond doubt")
    options = parser.parse_args(arguments)
    for game in options.games:
        if game not in games:
            parser.error(f"{game!r} is no game; there are {', '.join(games)}")
    if any("=" not in text for text in options.option):
        parser.error("--option wants KEY=VALUE")
    keys = keys_of(options)
    if not keys:
        parser.error("no game has this mode with so many seats")
    try:
        for key in keys:
            Measured(key)
    except SeatmateError as error:
        parser.error(str(error))
    where, console = machine.facts(), machine.console(options.json)
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task("measuring", total=options.positions * len(keys))
        rows = measure(Path(options.results) if options.results else None, keys, options.positions,
                       lambda name, count: progress.update(bar, description=name, advance=count))
    table = Table(title=f"What a hint of {options.iterations[0]:,} iterations says and what comes", caption=machine.sentence(where))
    for column in ("game", "mode", "seats", "positions", "said", "came", "error", "truly", "worst quarter", ""):
        table.add_column(column, justify="left" if column in ("game", "mode", "") else "right")
    found: list[dict[str, Any]] = []
    lines: list[str] = []
    for key in keys:
        own = [row for row in rows if row["key"] == key and row["positions"]]
        if not own:
            continue
        sample = Sample.of(own)
        one = summary(sample)
        one["looks"] = {str(n): float(Sample.of(own, look).shown.mean()) for look, n in enumerate(key["iterations"])}
        fitted = fit(sample) if options.fit and summary(replace(sample, shown=sample.said))["verdict"] != "met" else None
        one["fit"] = line_of(fitted) if fitted else None
        lines += [f"{key['game']}: {one['fit'] or f'{title(key)}: shown as it is'}"] if options.fit else []
        found.append(one)
        gap, half, low, high, count = one["worst"]
        table.add_row(
            one["game"], " ".join([one["mode"], *one["options"]]), str(one["seats"]), str(one["positions"]), f"{one['said']:.3f}",
            f"{one['came']:.3f}", f"{one['error']:+.3f} ± {one['ci95']:.3f}", "{:+.3f} ± {:.3f}".format(*one["truly"])
            if one["truly"] else "", f"{low:.2f}-{high:.2f}: {gap:+.3f} ± {half:.3f} ({count})", one["verdict"])
    console.print(table)
    for one in found:
        if len(options.iterations) > 1:
            console.print(f"{one['game']} {one['mode']} {one['seats']}: " + ", ".join(
                f"{int(n):,} iterations say {value:.3f}" for n, value in one["looks"].items()), highlight=False)
    for text in lines:
        console.print(text, highlight=False, soft_wrap=True)
    machine.write_json(options.json, {"machine": where, "seed": options.seed, "rows": found})
    return 1 if options.check and any(one["verdict"] == "missed" for one in found) else 0


if __name__ == "__main__":
    sys.exit(main())
