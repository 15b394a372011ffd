"""Titans on the command line: the map and cards in the terminal, hints, options, the balance of characters and initiative."""
from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from rich.console import Console

from seatmate.engine.core.game import SPECTATORS, State
from seatmate.engine.core.registry import new_game
from seatmate.engine.titans.game import TitansGame

from .conftest import CommandLine

MODES = {"duel": 2, "team3": 3, "team4": 4, "ffa3": 3, "comp": 2}

# ---- Terminal ----


def maps_of(shown: str) -> list[list[str]]:
    """The lines of every map in a transcript."""
    found: list[list[str]] = []
    current: list[str] = []
    for line in shown.splitlines():
        if re.match(r" *[+|]", line):
            current.append(line)
        elif current:
            found.append(current)
            current = []
    return found


def test_a_game_in_the_terminal(seatmate: CommandLine) -> None:
    shown = seatmate("play", "titans", "--seed", "5", "--bots", "random", stdin="robin\n" + "1\n" * 600)
    assert shown.code == 0 and shown.stderr == ""
    assert "You take Robin." in shown.stdout and "Which die goes on which ability of Robin?" in shown.stdout
    assert re.search(r"Team (black|white) wins( with a KO of both opponents)?, \d to \d points?\.", shown.stdout.splitlines()[-2])
    board = maps_of(shown.stdout)[1]
    assert [line.index("+") for line in board if line.lstrip().startswith("+-")] == [0, 0]
    names = [cell.strip() for line in board for cell in line.split("|")]
    assert {"Docks", "Arcade", "Museum", "Junkyard", "Tower Lounge", "Pizza Parlour", "Black Base A", "White Base B"} <= set(names)


@pytest.mark.parametrize("mode", MODES)
def test_the_table_fits_a_terminal_and_shows_what_lies_where(mode: str) -> None:
    seen: dict[str, int] = dict.fromkeys(("obstacle", "trap", "monster", "pizza", "clue", "gone", "mission", "token", "die"), 0)
    for seed in range(6):
        game, choice = new_game("titans", mode=mode), random.Random(seed)
        state = game.new_state(seed)
        while not state.is_over:
            for observer in (0, game.seats - 1, SPECTATORS) if choice.random() < 0.1 else ():
                check_screen(state, observer, choice.choice((80, 120)), seen)
            seat = choice.choice(state.pending)
            legal, scores = state.legal_actions(seat), state.score_actions(seat)
            state.apply_action(seat, legal[scores.index(max(scores))] if choice.random() < 0.5 else choice.choice(legal))
        check_screen(state, SPECTATORS, 80, seen)
    missing = {case for case, count in seen.items() if not count}
    if mode == "ffa3":
        assert missing == {"monster", "pizza", "clue", "mission"}
    else:
        assert missing == {"gone"} if mode == "duel" else missing <= {"gone", "clue", "pizza"}, seen


def check_screen(state: State, observer: int, columns: int, seen: dict[str, int]) -> None:
    """Everything on the table is on the screen, in lines that fit, without colours."""
    game, view = state.game, state.observation(observer)
    assert isinstance(game, TitansGame)
    names = game.names
    console = Console(width=columns, color_system=None, no_color=True, highlight=False, emoji=False)
    with console.capture() as capture:
        for line in game.board_lines(view, observer):
            console.print(line)
    lines = capture.get().splitlines()
    assert all(len(line) <= 80 and "[/" not in line for line in lines), lines
    text = " ".join(" ".join(lines).split())
    board = [line for line in lines if re.match(r" *[+|]", line)]
    if not board:
        assert view["round"] == 0
        return
    drawn = "\n".join(board)
    for place, tile in enumerate(view["tiles"]):
        title = str(place) if tile is None else names.tile_titles[names.tile_number[tile]]
        there = re.search(rf"[|#] {re.escape(title)}(?: (?:pizza|clue|traps)[^|#]*)? *[|#]", drawn)
        assert (there is None) == (place in view["removed"])
    assert bool("#" in drawn) == bool(view["obstacles"])
    for team, row in enumerate(view["teams"]):
        if row["go"]:
            assert f" {names.go_titles[names.go_number[row['go']]]}: " in text
            seen["mission"] += 1
        if row["monster"]:
            letter = "bw"[team]
            assert f" monster {letter} " in drawn
            seen["monster"] += 1
    for row in view["pieces"]:
        if row["character"] and row["team"] is not None:
            kind = names.character_number[row["character"]]
            letter = str(row["team"]) if names.arena else "bw"[row["team"]]
            left = f"{letter} {names.titles[kind]} {names.health[kind] - row['damage']}/{names.health[kind]}"
            assert row["eliminated"] or text.count(left) == (row["place"] is not None), left
            assert row["place"] is not None or f"{names.titles[kind]}: " in text or not view["round"]
            for key in ("stunned", "shield", "escape"):
                seen["token"] += bool(row[key])
                assert not row[key] or re.search(rf"[:,] {key}\b", text)
            seen["die"] += any(row["slots"])
            assert row["eliminated"] or all(
                not die or f"{title} {die}" in text for title, die in zip(names.abilities[kind], row["slots"], strict=True))
    seen["obstacle"] += bool(view["obstacles"])
    seen["gone"] += bool(view["removed"])
    seen["trap"] += any(map(any, view["traps"]))
    assert bool(re.search(r"\btraps [bw]?\d", drawn)) == any(map(any, view["traps"]))
    seen["pizza"] += view["pizza"] is not None
    seen["clue"] += bool(view["clues"])
    assert (view["pizza"] is None) == ("pizza" not in drawn) and drawn.count("clue") == len(view["clues"])
    if observer != SPECTATORS:
        assert "Your hand:" in lines[[line.startswith("Your hand:") for line in lines].index(True)]
        hand = text.partition("Your hand:")[2]
        assert all(f" {names.card_titles[names.card_number[card]]}" in hand for card in view["hands"][observer])
    else:
        assert "hand:" not in text


def test_obstacles_stand_on_their_borders() -> None:
    """Every border of both maps, one at a time: the screen changes between the two places and nowhere else."""
    for mode in ("duel", "ffa3"):
        game = new_game("titans", mode=mode)
        assert isinstance(game, TitansGame)
        names = game.names
        state = game.new_state(1)
        while not any(piece["place"] is not None for piece in state.observation(0)["pieces"]):
            state.apply_action(state.pending[0], state.legal_actions(state.pending[0])[0])
        view = state.observation(SPECTATORS)
        for piece, place in zip(view["pieces"], (0, 3, 7, 9) if mode == "duel" else (0, 1, 4, 6), strict=True):
            piece["place"] = place          # somebody in every row: all are as high with obstacles as without
        free = [re.sub(r"\[[^\]]*\]", "", line) for line in game.board_lines({**view, "obstacles": []}, SPECTATORS)]
        for border, (a, b) in enumerate(names.map.edges):
            closed = [re.sub(r"\[[^\]]*\]", "", line) for line in game.board_lines({**view, "obstacles": [border]}, SPECTATORS)]
            changed = [(x, y) for y, (one, two) in enumerate(zip(free, closed, strict=True))
                       for x, (old, new) in enumerate(zip(one.ljust(80), two.ljust(80), strict=True)) if old != new]
            assert len(changed) >= 2 and all(closed[y][x] == "#" for x, y in changed)
            rows, lefts = zip(*(names.map.positions[place] for place in (a, b)), strict=True)
            side_by_side = rows[0] == rows[1]
            assert len({x for x, _ in changed}) == (1 if side_by_side else 8) and len({y for _, y in changed}) == (
                len(changed) if side_by_side else 1)
            middle = sum(x for x, _ in changed) / len(changed)
            assert middle == 9 * (sum(lefts) / 2 + 1)                  # halfway between the middles of both places


def test_cards_are_looked_up_while_playing(seatmate: CommandLine) -> None:
    shown = seatmate("play", "titans", "--seed", "5", "--bots", "random",
                     stdin="1\ni robin\ni m07\ni movie\ni hand\ni sonic cannon\ni nothing\nq\ny\n")
    assert shown.code == 0
    robin = shown.stdout.split("h for help): i robin")[1].split("h for help)")[0]
    assert "Robin: health 7; " in robin
    robin = " ".join(robin.split())
    assert "Staff Meeting: Attack an opponent on the same place. Special effect, with a die of 4 or more: +2 damage." in robin
    assert "Pizza Time (M07): " in shown.stdout
    assert "Movie Night (G05), a mission: have both characters on the Tower Lounge" in shown.stdout
    hand = shown.stdout.split("h for help): i hand")[1].split("h for help)")[0]
    assert len(re.findall(r"\(M\d\d\): ", hand)) == 7 and "Lucky Socks (M02)" in hand
    assert "Cyborg: health 10" in shown.stdout.split("i sonic cannon")[1]
    assert "There is nothing to look up for 'nothing'." in shown.stdout


def test_a_hint_has_reasons_and_a_record_can_be_judged(seatmate: CommandLine, tmp_path: Path) -> None:
    shown = seatmate("play", "titans", "--seed", "5", "--bots", "random", "--hint-ms", "300", "--record", "game.json",
                     "-o", "team0=cyborg+starfire", "-o", "team1=raven+robin", stdin="1\n" * 7 + "?\n1\n?\n1\n?\nq\ny\n")
    assert shown.code == 0
    assert re.search(r"[+-] .* \S+ instead\s+of", shown.stdout)
    assert shown.stdout.count("speaks for a suggestion") == 1, "what the columns mean is said once"
    hint = seatmate("hint", "game.json", "--iterations", "200", "--seed", "1", "--json").json()
    assert hint["candidates"] and any(one["reasons"] for one in hint["candidates"])
    assert tmp_path.joinpath("game.json").exists()


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_is_played_to_the_end(seatmate: CommandLine, mode: str) -> None:
    shown = seatmate("play", "titans", "--mode", mode, "--seed", "3", "--bots", "heuristic", "--no-color", stdin="1\n" * 600)
    assert shown.code == 0 and "he game is over" in shown.stdout and "\x1b" not in shown.stdout
    if mode == "ffa3":
        sizes = [sum(bool(re.search(rf"[|#] {place} *[|#]", "\n".join(board))) for place in range(10))
                 for board in maps_of(shown.stdout)]
        assert sizes[0] == 10 and sizes[-1] < 10 and sizes == sorted(sizes, reverse=True)      # the arena shrinks


def test_the_demo_plays_it(seatmate: CommandLine) -> None:
    shown = seatmate("demo", "--game", "titans", "--fast", "--seed", "2", "--hint-ms", "5", "--bots", "heuristic")
    assert shown.code == 0 and "Tower Lounge" in shown.stdout and " wins" in shown.stdout


def test_games_shows_modes_and_options(seatmate: CommandLine) -> None:
    shown = seatmate("games", "titans", "--json").json()
    assert {mode["key"]: mode["seats"] for mode in shown["modes"]} == {mode: [seats] for mode, seats in MODES.items()}
    options = {option["key"]: option for option in shown["options"]}
    assert options["team0"]["default"] == "draft" and options["initiative"]["values"] == "dice, 0, 1"

# ---- Balance ----

BALANCE = ("tournament", "titans", "--balance", "--bots", "heuristic", "--deals", "6", "--seed", "1", "--workers", "1")
PAIRS = {"cyborg+raven": "robin+starfire", "cyborg+robin": "raven+starfire", "cyborg+starfire": "raven+robin"}


def test_the_balance_of_pairs_and_initiative(seatmate: CommandLine) -> None:
    data = seatmate(*BALANCE, "--json").json()
    assert data["games"] == 6 * 12 and data["bot"] == "heuristic" and data["mode"] == "duel"
    assert set(data["values"]) == {*PAIRS, *PAIRS.values()}
    for a, b in PAIRS.items():
        assert data["values"][a]["win_rate"] == pytest.approx(1 - data["values"][b]["win_rate"])
        assert data["values"][a]["games"] == 6 * 4 and data["values"][a]["bar"] == [0.4, 0.6]
    assert [(match["a"], match["b"]) for match in data["matches"]] == list(PAIRS.items())
    assert data["first"]["games"] == 6 * 12 and data["first"]["bar"] == [0.45, 0.55]
    assert not {"team0", "team1", "initiative"} & set(data["options"])


def test_the_table_for_a_person(seatmate: CommandLine) -> None:
    shown = seatmate(*BALANCE)
    assert shown.code == 0 and shown.stderr == ""
    for part in ("Pair of characters", "Wins %", "40 to 60: ", "initiative", "45 to 55: ", "cyborg+raven against robin+starfire",
                 "72 games, seed 1"):
        assert part in shown.stdout, part


def test_a_balance_is_resumed_to_the_same_result(seatmate: CommandLine, tmp_path: Path) -> None:
    whole = seatmate(*BALANCE, "--json", "--results", "whole.jsonl").json()
    seatmate(*BALANCE[:5], "--deals", "3", "--seed", "1", "--workers", "1", "--results", "parts.jsonl")
    assert seatmate(*BALANCE[:5], "--deals", "6", "--workers", "2", "--results", "parts.jsonl", "--json").json() == whole
    assert tmp_path.joinpath("whole.jsonl").read_bytes() == tmp_path.joinpath("parts.jsonl").read_bytes()
    other = seatmate("tournament", "titans", "--bots", "heuristic,random", "--seats", "2", "--results", "parts.jsonl")
    other.refused(1, "belongs to another tournament")


@pytest.mark.parametrize(("arguments", "words"), [
    (("kuhn", "--balance"), "kuhn does not say what should be equally strong"),
    (("titans", "--balance", "--bots", "heuristic,random"), "one bot"),
    (("titans", "--balance", "--vary", "team=a,b"), "leave out --vary"),
    (("titans", "--balance", "--ratings"), "ratings"),
    (("titans", "--balance", "--seats", "4"), "two seats"),
    (("titans", "--balance", "--mode", "comp"), "comp"),
    (("titans", "--balance", "--mode", "ffa3"), "2 is not possible"),
])
def test_what_has_no_balance(seatmate: CommandLine, arguments: tuple[str, ...], words: str) -> None:
    seatmate("tournament", *arguments).refused(2, words)


def test_help_has_an_example(seatmate: CommandLine) -> None:
    shown = seatmate("tournament", "--help")
    assert "--balance" in shown.stdout and "seatmate tournament titans --balance" in shown.stdout
