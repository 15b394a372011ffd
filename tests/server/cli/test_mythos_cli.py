"""Mythos on the command line: the board and cards in the terminal, decks, a matrix of decks, hints."""
from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from .conftest import CommandLine

RULE = [f"2 KS-{number:03d}" for number in range(20, 35)]
LIST = "\n".join([*RULE, "MSS-01", "MSS-02", "MSS-03"])

# ---- Terminal ----


def board_of(shown: str, after: str) -> list[str]:
    """The lines of the first board after a text."""
    lines = shown.split(after, 1)[1].splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("Round "))
    return lines[start:start + 20]


def test_a_game_in_the_terminal(seatmate: CommandLine) -> None:
    script = ["keep", "put anko", *["1"] * 300]
    shown = seatmate("play", "mythos", "--seed", "2", "--bots", "random", stdin="\n".join(script) + "\n")
    assert shown.code == 0 and shown.stderr == ""
    board = board_of(shown.stdout, "Seat 1 puts a card face down on mission D as #0")
    assert board[:9] == [
        "Round 1: turns", "Missions", "  Mission D: Rescue a Friend (2 points); you: power 0; seat 1: power 0", "    you     -",
        "    seat 1  #0 ? 0 (hidden)",      # nobody tells which card it is
        "seat 1  Points and chakra: points 0, chakra 4, the Edge · Hand: 6 × ?", "    Deck: 23",
        "you     Points and chakra: points 0, chakra 5, turn · Deck: 23", "you     Hand:"]
    assert "    Sasuke Uchiha (Last of the Uchiha Clan) 4 (2 chakra)" in board
    later = board_of(shown.stdout, "You put Anko Mitarashi (Chunin Exams Proctor) face down on mission D as #1")
    assert "    you     #1 Anko Mitarashi 0 (hidden)" in later      # one's own hidden character
    assert "Round 4: the game is over" in shown.stdout and " wins, " in shown.stdout.splitlines()[-2]


def test_four_missions_are_shown_with_both_sides(seatmate: CommandLine) -> None:
    """One below the other, within 80 columns."""
    shown = seatmate("play", "mythos", "--seed", "4", "--bots", "random", stdin="1\n" * 300)
    final = shown.stdout.split("the game is over")[1].split("Hand:")[0].splitlines()
    assert [line[:12] for line in final if line.startswith("  Mission ")] == [f"  Mission {rank}:" for rank in "DCBA"]
    assert all(len(line.rstrip()) <= 80 for line in final) and sum(line[:10] == "    you   " for line in final) == 4


def test_cards_are_looked_up_while_playing(seatmate: CommandLine) -> None:
    shown = seatmate("play", "mythos", "--seed", "4", "--bots", "random",
                     stdin="1\ni zabuza\ni #0\ni hand\ni pizza\ni\nh\nq\ny\n")
    assert shown.code == 0
    assert "    2 × Sasuke Uchiha (Original Team 7) 3 (3 chakra)" in shown.stdout.splitlines()
    assert "Zabuza Momochi, The Executioner's Blade" in shown.stdout.split("h for help): i zabuza")[1].split("i #0")[0]
    assert "Temari, Wind Scythe Jutsu" in shown.stdout.split("h for help): i #0")[1].split("i hand")[0]
    hand = shown.stdout.split("h for help): i hand")[1].split("i pizza")[0]
    assert "Sakura Haruno, Genin of Team 7 (KS-011): 2 chakra, power 2" in hand
    assert "MAIN: if there is another face-up Team 7 character in this mission, draw 1 card." in hand
    assert "There is nothing to look up for 'pizza'." in shown.stdout
    assert "Say what to look up: i NAME." in shown.stdout and "i NAME" in shown.stdout.split("h for help): h")[1]


def test_a_hint_has_reasons_and_a_record_can_be_judged(seatmate: CommandLine, tmp_path: Path) -> None:
    shown = seatmate("play", "mythos", "--seed", "3", "--bots", "random", "--hint-ms", "300", "--record", "game.json",
                     stdin="1\n?\nq\ny\n")
    assert "your odds on mission D: " in shown.stdout
    hint = seatmate("hint", "game.json", "--iterations", "300", "--seed", "1")
    assert hint.code == 0 and "Your turn, with " in hint.stdout
    data = seatmate("hint", "game.json", "--iterations", "300", "--seed", "1", "--json").json()
    reasons = [reason for one in data["candidates"] for reason in one["reasons"]]
    assert any("your odds on mission D: " in reason for reason in reasons)
    assert tmp_path.joinpath("game.json").exists()


def test_games_shows_the_decks_and_open_decklists(seatmate: CommandLine) -> None:
    shown = seatmate("games", "mythos", "--json").json()
    options = {option["key"]: option for option in shown["options"]}
    assert options["deck0"]["default"] == "leaf" and "random" in options["deck1"]["values"]
    assert options["open_decklists"]["default"] is True


def test_the_demo_plays_it(seatmate: CommandLine) -> None:
    shown = seatmate("demo", "--game", "mythos", "--fast", "--seed", "2", "--hint-ms", "5", "--bots", "heuristic")
    assert shown.code == 0 and "Mission A: " in shown.stdout and " wins " in shown.stdout

def test_before_the_first_round_it_is_the_mulligan(seatmate: CommandLine) -> None:
    shown = seatmate("play", "mythos", "--seed", "2", "--bots", "random", stdin="q\ny\n")
    assert "Before round 1: mulligan" in shown.stdout and "Round 0" not in shown.stdout


def test_a_card_says_what_its_x_is(seatmate: CommandLine) -> None:
    shown = seatmate("play", "mythos", "--seed", "2", "--bots", "random", stdin="i KS-108\ni KS-104\nq\ny\n").stdout
    said = " ".join(shown.split())
    assert "put X Power tokens on this character (if this is an upgrade), where X is the power that character had." in said
    assert "UPGRADE: put X Power tokens on this character, where X is that of MAIN." in said


@pytest.mark.parametrize("position", [{"settings": {"game": "games/mythos"}, "seat": 0},
                                      {"settings": {"game": "games/mythos"}, "seat": 0, "events": []}])
def test_a_position_without_events_says_so(seatmate: CommandLine, position: dict[str, object]) -> None:
    seatmate("hint", "-", stdin=json.dumps(position)).refused(1, "the position has no events")


def test_an_unknown_deck_is_no_deck_to_play(seatmate: CommandLine) -> None:
    for command in (("play", "mythos"), ("tournament", "mythos", "--seats", "2", "--bots", "heuristic,random", "--deals", "2")):
        seatmate(*command, "-o", "deck1=unknown:30", "-o", "open_decklists=no").refused(2, "cannot be played")

# ---- Decks ----


def test_a_deck_is_exported_and_imported_again(seatmate: CommandLine, tmp_path: Path) -> None:
    exported = seatmate("decks", "export", "mythos", "leaf")
    assert exported.stdout.splitlines()[0] == "2 KS-001" and exported.stdout.splitlines()[-1].startswith("MSS-")
    tmp_path.joinpath("leaf.txt").write_text(exported.stdout)
    option = seatmate("decks", "import", "mythos", "leaf.txt").stdout.strip()
    assert option == ", ".join(exported.stdout.split("\n")).strip(", ")
    assert seatmate("decks", "import", "mythos", "-", stdin=exported.stdout).stdout.strip() == option
    assert seatmate("decks", "export", "mythos", option).stdout == exported.stdout
    assert seatmate("decks", "export", "mythos", "@leaf.txt").stdout == exported.stdout
    played = seatmate("play", "mythos", "-o", "deck0=@leaf.txt", "--seed", "1", "--record", "r.json", stdin="q\ny\n")
    assert played.code == 0
    assert json.loads(tmp_path.joinpath("r.json").read_text())["settings"]["options"]["deck0"] == exported.stdout.strip()


def test_a_deck_is_checked_by_name(seatmate: CommandLine, tmp_path: Path) -> None:
    shown = seatmate("decks", "check", "mythos", LIST.replace("\n", ", "))
    assert shown.code == 0 and shown.stdout.startswith("# ok  30 characters, 3 missions\n")
    assert "2 KS-020  # Ino Yamanaka (Mind Transfer Jutsu)" in shown.stdout
    tmp_path.joinpath("shown.txt").write_text(shown.stdout)
    assert seatmate("decks", "check", "mythos", "@shown.txt").stdout == shown.stdout, "what is printed can be read again"
    cards = seatmate("decks", "check", "mythos", "random:17", "--json").json()["cards"]
    assert sum(entry["count"] for entry in cards) == 33
    assert [line.split()[0] for line in seatmate("decks", "list", "mythos").stdout.splitlines()] == [
        "leaf", "sand", "sound", "rogue", "sannin", "hunters"]


@pytest.mark.parametrize(("deck", "words"), [
    ("3 KS-020, " + ", ".join(RULE[1:]) + ", MSS-01, MSS-02, MSS-03", "3 x KS-020"),
    ("2 Naruto", "'2 Naruto' is not a card"),
    ("2 KS-0009", "did you mean 'KS-009'"),
    ("2 Naruto, " + ", ".join(f"KS-{number}" for number in range(900, 920)) + ", 2xKS-0009", "there is no card KS-0009"),
    ("\n".join(["a letter to a friend"] * 20), "this is no deck list: 'a letter to a friend' is not a card"),
    ("unknown:30", "has not been told"),
    (", ".join(RULE), "it has 0 missions; it must have 3"),
    ("leef", "did you mean 'leaf'"),
])
def test_what_is_wrong_with_a_deck_is_named(seatmate: CommandLine, deck: str, words: str) -> None:
    seatmate("decks", "check", "mythos", deck).refused(2, words)


def test_decks_of_other_games_and_missing_files(seatmate: CommandLine) -> None:
    seatmate("decks", "check", "kuhn", "leaf").refused(2, "kuhn has no decks")
    seatmate("decks", "check", "mythos", "@nowhere.txt").refused(1, "nowhere.txt")

# ---- Matrix ----

MATRIX = ("tournament", "mythos", "--decks", "leaf,sand", "--deals", "6", "--seed", "1", "--workers", "1")


def test_a_matrix_of_decks(seatmate: CommandLine) -> None:
    shown = seatmate(*MATRIX)
    assert shown.code == 0 and "Win rate of the deck on the left" in shown.stdout
    assert "mirror match leaf: " in shown.stdout and "all others" in shown.stdout
    data = seatmate(*MATRIX, "--json").json()
    assert data["varied"] == "deck" and data["values"] == ["leaf", "sand"] and data["games"] == 6 * 4
    cells = {(cell["row"], cell["column"]): cell for cell in data["cells"]}
    assert cells["leaf", "sand"]["win_rate"] == pytest.approx(1 - cells["sand", "leaf"]["win_rate"])
    assert cells["leaf", "sand"]["ci95"] == pytest.approx(cells["sand", "leaf"]["ci95"])
    assert sum(cells["leaf", "leaf"]["seat_rates"]) == pytest.approx(1)


def test_intervals_of_few_deals_stay_within_0_and_1(seatmate: CommandLine) -> None:
    few = (*MATRIX[:4], "--deals", "3", "--seed", "1", "--workers", "1")
    data = seatmate(*few, "--json").json()
    for one in (*data["cells"], *data["totals"]):
        low, high = one["win_rate"] - one["ci95"], one["win_rate"] + one["ci95"]
        assert (one["low"], one["high"]) == (pytest.approx(max(0, low)), pytest.approx(min(1, high)))
    assert any(one["win_rate"] + one["ci95"] > 1 for one in data["cells"]), "three deals are few enough to need the cut"
    shown = seatmate(*few).stdout
    assert "(cut off at 0 and 100)" in shown and "(0..100)" in shown
    assert all(0 <= int(end) <= 100 for ends in re.findall(r"\((-?\d+)\.\.(-?\d+)\)", shown) for end in ends)


def test_a_matrix_is_resumed_to_the_same_result(seatmate: CommandLine, tmp_path: Path) -> None:
    whole = seatmate(*MATRIX, "--json", "--results", "whole.jsonl").json()
    seatmate(*MATRIX[:4], "--deals", "3", "--seed", "1", "--workers", "1", "--results", "parts.jsonl")
    assert seatmate(*MATRIX[:4], "--deals", "6", "--workers", "1", "--results", "parts.jsonl", "--json").json() == whole
    assert tmp_path.joinpath("whole.jsonl").read_bytes() == tmp_path.joinpath("parts.jsonl").read_bytes()
    other = seatmate("tournament", "mythos", "--decks", "leaf,rogue", "--deals", "6", "--results", "parts.jsonl")
    other.refused(1, "belongs to another tournament")


def test_two_bots_meet_in_both_seats(seatmate: CommandLine) -> None:
    data = seatmate(*MATRIX, "--bots", "heuristic,random", "--json").json()
    assert data["bots"] == ["heuristic", "random"] and data["games"] == 6 * 8
    assert all(cell["win_rate"] > 0.6 and cell["games"] == 12 for cell in data["cells"])
    assert "heuristic has the deck on the left, random the one above." in seatmate(*MATRIX, "--bots", "heuristic,random").stdout


def test_decks_from_files(seatmate: CommandLine, tmp_path: Path) -> None:
    tmp_path.joinpath("mine.txt").write_text(LIST)
    shown = seatmate("tournament", "mythos", "--vary", "deck=@mine.txt,leaf", "--deals", "2", "--seed", "1")
    assert shown.code == 0 and "mirror match mine.txt" in shown.stdout


@pytest.mark.parametrize(("arguments", "code", "words"), [
    (("mythos", "--decks", "leaf,leef"), 2, "did you mean 'leaf'"),
    (("mythos", "--decks", "leaf,leaf"), 2, "named twice"),
    (("mythos", "--decks", "leaf", "--vary", "deck=sand"), 2, "give only one of them"),
    (("mythos", "--vary", "deck"), 2, "NAME=A,B"),
    (("mythos", "--vary", "hat=a,b"), 2, "no option 'hat0'"),
    (("mythos", "--decks", "leaf,sand", "--ratings"), 2, "ratings"),
    (("mythos", "--decks", "leaf,sand", "-o", "deck0=rogue"), 2, "the option deck0 is varied"),
    (("mythos", "--vary", "deck=leaf,sand", "-o", "deck1=rogue"), 2, "cannot be set as well"),
    (("mythos", "--decks", "leaf,sand", "--bots", "random,heuristic,search:iterations=1"), 2, "two bots, not 3"),
    (("mythos", "--decks", "leaf,sand", "--seats", "3"), 2, "two seats"),
    (("mythos",), 2, "--bots"),
    (("kuhn", "--decks", "all"), 2, "kuhn has no decks"),
])
def test_what_can_not_be_varied(seatmate: CommandLine, arguments: tuple[str, ...], code: int, words: str) -> None:
    seatmate("tournament", *arguments).refused(code, words)
