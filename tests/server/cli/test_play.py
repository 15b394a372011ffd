"""`seatmate play`, driven through a pipe as a person would type."""
from __future__ import annotations

from pathlib import Path

import pytest

from seatmate.engine.core.record import Record
from seatmate.engine.core.registry import list_games

from .conftest import CommandLine

QUESTION = "Your answer (1-2"


def test_a_game_is_played_to_its_end(seatmate: CommandLine) -> None:
    shown = seatmate("play", "kuhn", "--seed", "3", stdin="2\n1\n")
    assert shown.code == 0 and shown.stderr == ""
    assert "you are seat 0 of 2" in shown.stdout
    assert "Pass or bet?" in shown.stdout and "1  Pass" in shown.stdout and "2  Bet one chip" in shown.stdout
    assert "You bet." in shown.stdout
    assert " wins " in shown.stdout
    assert "--seed 3" in shown.stdout


def test_the_same_seed_deals_the_same_game(seatmate: CommandLine) -> None:
    first, second = (seatmate("play", "kuhn", "--seed", "5", "--bots", "random", stdin="1\n1\n") for _ in range(2))
    assert first == second
    others = {seatmate("play", "kuhn", "--seed", str(seed), "--bots", "random", stdin="1\n1\n").stdout
              for seed in range(8)}
    assert len(others) > 1


def test_nobody_elses_card_is_shown(seatmate: CommandLine) -> None:
    """Before the showdown the transcript names one card only: one's own."""
    for seed in range(6):
        shown = seatmate("play", "kuhn", "--seed", str(seed), "--bots", "heuristic", stdin="1\n1\n").stdout
        before = shown.split("Showdown")[0]
        own = before.split("You get the ")[1][0]
        for card in set("JQK") - {own}:
            assert f"'{card}'" not in before.split("wins")[0].split("Showdown")[0]


def test_the_second_seat(seatmate: CommandLine) -> None:
    shown = seatmate("play", "kuhn", "--seat", "1", "--seed", "1", stdin="2\n")
    assert shown.code == 0
    assert "you are seat 1 of 2" in shown.stdout and "seat 0 heuristic" in shown.stdout
    assert shown.stdout.index("Seat 0 ") < shown.stdout.index(QUESTION)


def test_answers_in_words(seatmate: CommandLine) -> None:
    shown = seatmate("play", "kuhn", "--seed", "3", stdin="BET\n")
    assert "You bet." in shown.stdout and "wins" in shown.stdout


@pytest.mark.parametrize(("typed", "answer"), [
    ("9", "There is no answer 9; the answers are 1 to 2."),
    ("0", "There is no answer 0; the answers are 1 to 2."),
    ("-1", "There is no answer -1; the answers are 1 to 2."),
    ("pizza", "No answer contains 'pizza'"),
    ("[bold]", "No answer contains '[bold]'"),
    ("b2", "No answer contains 'b2'"),
])
def test_a_wrong_answer_is_explained_and_asked_again(seatmate: CommandLine, typed: str, answer: str) -> None:
    shown = seatmate("play", "kuhn", "--seed", "3", stdin=f"{typed}\n2\n")
    assert shown.code == 0
    assert answer in shown.stdout
    assert shown.stdout.count(QUESTION) == 2
    assert "wins" in shown.stdout


def test_a_number_without_end_is_no_answer(seatmate: CommandLine) -> None:
    shown = seatmate("play", "kuhn", "--seed", "1", stdin=f"{'7' * 5000}\n1\nq\ny\n")
    assert shown.stderr == "" and "There is no answer 777777777...; the answers are 1 to 2." in shown.stdout


def test_an_empty_line_asks_again(seatmate: CommandLine) -> None:
    shown = seatmate("play", "kuhn", "--seed", "3", stdin="\n\n2\n")
    assert shown.stdout.count(QUESTION) == 3 and "wins" in shown.stdout


def test_a_hint_names_the_number_to_type(seatmate: CommandLine) -> None:
    shown = seatmate("play", "kuhn", "--seed", "3", "--hint-ms", "30", stdin="?\n2\n")
    assert shown.code == 0
    hint = shown.stdout.split("Suggestion")[1].split(QUESTION)[0]
    rows = [line.split() for line in hint.splitlines() if line.split()[:1] in (["1"], ["2"])]
    assert {(row[0], row[1]) for row in rows} == {("1", "Pass"), ("2", "Bet")}


def test_a_hint_changes_nothing(seatmate: CommandLine) -> None:
    """The game after a hint is the game without it."""
    with_hint = seatmate("play", "kuhn", "--seed", "4", "--bots", "random", "--hint-ms", "10", stdin="?\n1\n1\n").stdout
    without = seatmate("play", "kuhn", "--seed", "4", "--bots", "random", stdin="1\n1\n").stdout
    assert with_hint.splitlines()[-4:] == without.splitlines()[-4:]


def test_undo_says_why_not(seatmate: CommandLine) -> None:
    shown = seatmate("play", "kuhn", "--seed", "3", stdin="u\n2\n")
    assert "no undo" in shown.stdout and "can't be unseen" in shown.stdout and "wins" in shown.stdout


def test_help_lists_the_commands(seatmate: CommandLine) -> None:
    shown = seatmate("play", "kuhn", "--seed", "3", stdin="h\n2\n")
    for line in ("a hint, with reasons", "why there is no undo", "quit"):
        assert line in shown.stdout


def test_quitting_asks_first(seatmate: CommandLine) -> None:
    stayed = seatmate("play", "kuhn", "--seed", "3", stdin="q\nn\n2\n")
    assert "can't be resumed" in stayed.stdout and "wins" in stayed.stdout
    left = seatmate("play", "kuhn", "--seed", "3", stdin="q\ny\n2\n")
    assert left.code == 0 and "wins" not in left.stdout


def test_the_end_of_the_input_ends_quietly(seatmate: CommandLine) -> None:
    for stdin in ("", "q\n"):
        shown = seatmate("play", "kuhn", "--seed", "3", stdin=stdin)
        assert shown.code == 0 and shown.stderr == "" and "wins" not in shown.stdout


def test_the_record_replays(seatmate: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    assert "Record with" in seatmate("play", "kuhn", "--seed", "3", "--record", str(path), stdin="2\n").stdout
    record = Record.from_json(path.read_text())
    assert record.seed == 3 and record.replay().is_over


def test_an_unfinished_record_goes_on(seatmate: CommandLine, tmp_path: Path) -> None:
    """... with the deal and the actions of the file, and nothing is told twice."""
    path, line = tmp_path / "game.json", ("play", "leduc", "--bots", "heuristic", "--record")
    begun = seatmate(*line, str(path), "--seed", "3", stdin="call\ncheck\nq\ny\n")
    assert "The same command goes on with it" in begun.stdout and "can't be resumed" not in begun.stdout
    half = Record.from_json(path.read_text())
    assert half.actions and not half.replay().is_over
    ended = seatmate(*line, str(path), stdin="1\n" * 9)
    whole = Record.from_json(path.read_text())
    assert whole.seed == 3 and whole.actions[:len(half.actions)] == half.actions and whole.replay().is_over
    assert f"goes on after {len(half.actions)} actions" in ended.stdout and "You get" not in ended.stdout


@pytest.mark.parametrize(("more", "reason"), [
    (["kuhn"], "is a record of another game, leduc,"),
    (["leduc", "--seed", "4"], "holds a game with seed 3"),
    (["tic_tac_toe"], "is a record of another game, leduc,"),
    (["leduc"], "holds a finished game"),
])
def test_a_record_is_not_overwritten(seatmate: CommandLine, tmp_path: Path, more: list[str], reason: str) -> None:
    path = tmp_path / "game.json"
    seatmate("play", "leduc", "--seed", "3", "--record", str(path), stdin="1\n" * 9 if "finished" in reason else "")
    before = path.read_bytes()
    seatmate("play", *more, "--record", str(path)).refused(2, reason, "--force")
    assert path.read_bytes() == before
    assert seatmate("play", *more, "--force", "--record", str(path), stdin="").code == 0 and path.read_bytes() != before


def test_a_file_that_is_no_record_is_not_overwritten(seatmate: CommandLine, tmp_path: Path) -> None:
    for content in (b"a letter", b"\xff\xfe", b'{"a": 1}', b"[]"):
        (tmp_path / "mine").write_bytes(content)
        seatmate("play", "kuhn", "--record", str(tmp_path / "mine")).refused(2, "is not the record of a game")
        assert (tmp_path / "mine").read_bytes() == content
    (tmp_path / "mine").write_bytes(b"")
    assert seatmate("play", "kuhn", "--record", str(tmp_path / "mine"), stdin="").code == 0


def test_a_record_with_other_settings_is_not_overwritten(seatmate: CommandLine, tmp_path: Path) -> None:
    path = str(tmp_path / "game.json")
    seatmate("play", "liars_dice", "--seats", "2", "-o", "dice=2", "--record", path, stdin="")
    seatmate("play", "liars_dice", "--seats", "3", "-o", "dice=2", "--record", path).refused(2, "other settings", "seats")
    seatmate("play", "liars_dice", "--seats", "2", "-o", "dice=3", "--record", path).refused(2, "other settings", "dice")
    assert "goes on" not in seatmate("play", "liars_dice", "--seats", "2", "-o", "dice=2", "--record", path, stdin="").stdout


def test_a_record_that_cannot_be_written_is_refused_before_the_game(seatmate: CommandLine, tmp_path: Path) -> None:
    shown = seatmate("play", "kuhn", "--record", str(tmp_path / "no" / "game.json"), stdin="2\n")
    shown.refused(1, "game.json", "no such file or directory")
    assert shown.stdout == ""


@pytest.mark.parametrize(("arguments", "parts"), [
    (["khun"], ["'khun'", "did you mean 'kuhn'?"]),
    (["kuhn", "--seat", "2"], ["there is no seat 2", "0..1"]),
    (["kuhn", "--seats", "3"], ["seats: 3 is not possible", "it takes 2"]),
    (["kuhn", "--mode", "long"], ["mode: 'long'", "standard"]),
    (["kuhn", "-o", "level=expert"], ["options.level", "no such option"]),
    (["kuhn", "-o", "level"], ["KEY=VALUE"]),
    (["kuhn", "--pack", "x"], ["pack: kuhn has no content packs"]),
    (["kuhn", "--bots", "genius"], ["genius"]),
    (["kuhn", "--bots", "search:iterations=lots"], ["lots"]),
    (["kuhn", "--bots", "random,random"], ["2 bots for 1 other seat"]),
    (["kuhn", "--seed", "-1"], ["'--seed': it must be at least 0"]),
    (["kuhn", "--seed", "abc"], ["'--seed': a whole number is needed"]),
    (["kuhn", "--hint-ms", "abc"], ["'--hint-ms': a number is needed"]),
    (["games/khun"], ["did you mean 'kuhn'?"]),
    (["hyde", "--seats", "2", "-o", "outcasts=yoko"], ["1 id for 2 seats"]),
    *((["liars_dice", "-o", f"dice={number}"], ["is not a whole number"])
      for number in ("\u0663", "\uff13", "1_0", "0x3", "3.0", "")),
    *((["kuhn", "--bots", f"search:iterations={number}"], ["is not a whole number"]) for number in ("\u0663", "1_0", "1e3")),
    *((["kuhn", "--bots", f"search:time_ms={number}"], ["is not a number"]) for number in ("\u0663", "1_0")),
    ([], ["Missing argument 'GAME'"]),
])
def test_bad_command_lines(seatmate: CommandLine, arguments: list[str], parts: list[str]) -> None:
    seatmate("play", *arguments, stdin="1\n1\n").refused(2, *parts)


@pytest.mark.parametrize("game", [spec.id for spec in list_games()])
@pytest.mark.parametrize("bots", ["random", "heuristic", "search:iterations=5"])
def test_every_game_can_be_played_to_its_end(seatmate: CommandLine, tmp_path: Path, game: str, bots: str) -> None:
    shown = seatmate("play", game, "--seed", "1", "--bots", bots, "--record", "game.json", stdin="1\n" * 2000)
    assert shown.code == 0 and shown.stderr == ""
    state = Record.from_json((tmp_path / "game.json").read_text()).replay()
    assert state.is_over
    assert state.game.result_text(state) in shown.stdout


def test_hints_at_every_decision_of_hyde(seatmate: CommandLine) -> None:
    """A hint can be followed and read at whatever question is asked."""
    shown = seatmate("play", "hyde", "--seats", "2", "--seed", "2", "--hint-ms", "2", stdin="?\n1\n" * 400)
    assert shown.code == 0 and shown.stderr == ""
    assert shown.stdout.count("Suggestion") > 20
