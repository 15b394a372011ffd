"""`seatmate play`: you at a table with bots, in the terminal."""
from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from seatmate.server.cli.arguments import (
    BotFiles,
    GameId,
    ModeKey,
    NoColor,
    Options,
    Pack,
    Seats,
    Seed,
    between,
    check_seat,
    choose_seed,
    example,
    make_game,
)
from seatmate.server.cli.console import interruptible

if TYPE_CHECKING:
    from seatmate.engine.core.game import Game, State


def play(
    game: GameId,
    seat: Annotated[int, typer.Option("--seat", metavar="N", min=0, help="Your seat; seats count from 0.")] = 0,
    bots: Annotated[str, typer.Option("--bots", metavar="A,B,...", help=(
        "One bot for all other seats, or one for each of them in seat order: random, heuristic, search:time_ms=500, "
        "search:time_ms=500,threads=2."
    ))] = "heuristic",
    bot_file: BotFiles = None,
    seats: Seats = None,
    mode: ModeKey = None,
    option: Options = None,
    pack: Pack = None,
    seed: Seed = None,
    hint_ms: Annotated[float, typer.Option("--hint-ms", callback=between(1, 1e9), metavar="MS",
                                           help="Thinking time for a hint.")] = 1000.0,
    record: Annotated[Path | None, typer.Option("--record", metavar="FILE", show_default=False,
                                                help=(
        "Write the record of the game here when you stop, finished or not. If the file holds an unfinished game, that game "
        "goes on."))] = None,
    force: Annotated[bool, typer.Option("--force", help="Begin a new game, and overwrite whatever --record FILE holds.")] = False,
    no_color: NoColor = False,
) -> None:
    """Play in the terminal, you against (or together with) bots.

    Answer with a number, or with some text that fits only one answer. ? gives a hint with reasons, h lists all commands.
    """
    from seatmate.ai.bots import make_bot, parse_bots
    from seatmate.engine.core.rng import Stream, random_words
    from seatmate.server.cli.table import Quit, Table

    table_game = make_game(game, mode, seats, option, pack)
    you = check_seat(seat, table_game.seats)
    others = [number for number in range(table_game.seats) if number != you]
    names = [str(bot) for bot in parse_bots(bots)]
    if len(names) == 1:
        names *= len(others)
    if len(names) != len(others):
        raise typer.BadParameter(f"{len(names)} bots for {len(others)} other seats; give one bot, or {len(others)}")
    begun = None if record is None or force else unfinished(record, table_game, seed)
    if record is not None:
        record.open("a").close()        # better to hear now that it can't be written than after the game
    seed = choose_seed(seed) if begun is None else begun.seed
    assert seed is not None
    words = random_words(seed, (int(Stream.POLICY),), table_game.seats + 1)     # never the stream of the deal
    table = Table(
        state=begun or table_game.new_state(seed), you=you, names=dict(zip(others, names, strict=True)),
        bots={other: make_bot(name, words[other]) for other, name in zip(others, names, strict=True)},
        hint_ms=hint_ms, hint_seed=words[-1], seed=seed, kept=record is not None,
    )
    kept = f"without --record FILE nothing is kept. The same deal again: --seed {seed}" if record is None else (
        f"the game so far is kept in {record}; the same command goes on with it, seatmate hint {record} looks at it. "
        f"The same deal from the start: --force --seed {seed}")
    try:
        with interruptible(kept):
            table.run()
    except Quit:
        pass
    finally:
        if record is not None:
            record.write_text(table.state.record.to_json() + "\n", encoding="utf-8")
            table.say_saved(record)


def unfinished(file: Path, game: Game, seed: int | None) -> State | None:
    """The game of the file, to go on with; None where there is no file, or an empty one.

    Raises typer.BadParameter where the file holds anything but an unfinished game with these settings: nothing is overwritten.
    """
    from seatmate.engine.core.errors import RecordError
    from seatmate.engine.core.record import Record

    def refuse(what: str) -> NoReturn:
        raise typer.BadParameter(f"{file} {what} and is left as it is; name another file, or overwrite this one with --force")

    if not file.is_file() or not file.stat().st_size:
        return None
    try:
        record = Record.from_json(file.read_text(encoding="utf-8"))
    except (RecordError, UnicodeDecodeError):
        refuse("is not the record of a game")
    wanted = json.loads(json.dumps(game.settings.to_json()))
    if record.settings.get("game") != wanted["game"]:
        refuse(f"is a record of another game, {record.settings.get('game')},")
    for field, value in wanted.items():
        if record.settings.get(field) != value:
            refuse(f"holds a game with other settings: there {field} is {record.settings.get(field)}, here it is {value}")
    if seed not in (None, record.seed):
        refuse(f"holds a game with seed {record.seed}")
    try:
        state = record.replay()
    except RecordError as error:
        refuse(f"can't be played on ({error})")
    if state.is_over:
        refuse("holds a finished game")
    return state


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=example("seatmate play kuhn --seat 1 --bots search:iterations=500 --record game.json"))(play)
