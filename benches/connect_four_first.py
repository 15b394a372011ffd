"""Does the search ever lose at connect four when it moves first? With best play the first seat wins (Allis 1988).

Every game is a new seed, with the search in seat 0: the other seat's bot, and the search's own worlds, differ from game to
game. `seatmate tournament` would exchange the seats.
"""
from __future__ import annotations

import sys
from collections.abc import Sequence

import command_line
import machine
from seatmate.ai.arena.match import play_game
from seatmate.ai.bots import make_policy, parse_bot
from seatmate.engine.core.registry import new_game
from seatmate.engine.core.rng import random_words


def main(arguments: Sequence[str] | None = None) -> int:
    parser = command_line.command(__doc__ or "", ["python benches/connect_four_first.py --bot search:time_ms=100"])
    parser.add_argument("--bot", type=command_line.bot, default="search:time_ms=2000", help="who moves first (%(default)s)")
    parser.add_argument("--opponents", type=command_line.bots, default="random,heuristic", metavar="BOT,BOT",
                        help="separated by commas (%(default)s)")
    parser.add_argument("--games", type=command_line.whole(1), default=100, metavar="N", help="against each of them (%(default)s)")
    parser.add_argument("--seed", type=command_line.seed, default=1, metavar="SEED", help="of all chance (%(default)s)")
    options = parser.parse_args(arguments)
    game = new_game("connect_four", seats=2)
    first = make_policy(game, parse_bot(options.bot).resolve(game.spec))
    rows = []
    for name in options.opponents:
        second = make_policy(game, parse_bot(name).resolve(game.spec))
        results = []
        for number in range(options.games):
            table, *words = random_words(options.seed, (number,), 3)
            results.append(play_game(game, [first, second], table, words)[0])
        rows.append({"opponent": name, "games": options.games, "won": results.count(1.0), "drawn": results.count(0.5),
                     "lost": results.count(0.0)})
        machine.console(options.json).print(f"{options.bot} first against {name}: " + ", ".join(
            f"{rows[-1][what]} {what}" for what in ("won", "drawn", "lost")))
    machine.write_json(options.json, {"machine": machine.facts(), "bot": options.bot, "seed": options.seed, "results": rows})
    return 0


if __name__ == "__main__":
    sys.exit(main())
