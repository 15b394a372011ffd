"""`seatmate report`, and the report files of `seatmate tournament`."""
from __future__ import annotations

from pathlib import Path

from .conftest import CommandLine, process

SMALL = ("tournament", "kuhn", "--seats", "2", "--deals", "40", "--seed", "1", "--results", "kuhn.jsonl")


def test_files_of_both_commands_are_the_same(seatmate: CommandLine) -> None:
    files = ("--html", "a.html", "--markdown", "a.markdown", "--csv", "a.csv")
    played = seatmate(*SMALL, "--bots", "random,heuristic,search:iterations=20", "--anchor", "random", "--values", *files)
    assert played.code == 0 and played.stderr == "" and "written: a.html" in played.stdout
    assert "from what came" in played.stdout and "<h2>Calibration</h2>" in Path("a.html").read_text()
    later = seatmate("report", "kuhn.jsonl", "--html", "b.html", "--markdown", "b.markdown", "--csv", "b.csv")
    assert later.code == 0 and later.stdout == played.stdout.replace("a.", "b.")
    for kind in ("html", "markdown", "csv"):
        assert Path(f"a.{kind}").read_bytes() == Path(f"b.{kind}").read_bytes() != b""


def test_values_are_kept_where_they_are_asked_for(seatmate: CommandLine) -> None:
    bots = ("--bots", "search:iterations=20,heuristic", "--json")
    plain = seatmate(*SMALL, *bots).json()
    assert not Path("kuhn.jsonl.values").exists() and "calibration" not in plain
    Path("kuhn.jsonl").unlink()
    asked = seatmate(*SMALL, *bots, "--values").json()
    assert asked.pop("calibration") == seatmate("report", "kuhn.jsonl", "--json").json()["calibration"] and asked == plain


def test_ratings_are_anchored_at_random_if_it_plays(seatmate: CommandLine) -> None:
    seatmate(*SMALL, "--bots", "heuristic,random")
    assert seatmate("report", "kuhn.jsonl", "--json").json()["ratings"]["anchor"] == "random"
    assert seatmate("report", "kuhn.jsonl", "--anchor", "heuristic", "--json").json()["ratings"]["anchor"] == "heuristic"
    shown = seatmate("report", "kuhn.jsonl")
    assert "random = 0" in shown.stdout and "likelihood of superiority" in shown.stdout
    seatmate("report", "kuhn.jsonl", "--anchor", "search").refused(2, "the anchor 'search' is none of the bots")


def test_a_bot_against_itself_is_anchored_as_it_is_named(seatmate: CommandLine) -> None:
    named = ("--anchor", "random (2)")
    played = seatmate(*SMALL, "--bots", "random,random", *named, "--json").json()["ratings"]
    assert played["anchor"] == "random (2)" and played == seatmate("report", "kuhn.jsonl", *named, "--json").json()["ratings"]
    seatmate(*SMALL, "--bots", "random,random", "--anchor", "random (3)").refused(2, "random (3)")


def test_what_is_no_results_file_is_refused(seatmate: CommandLine) -> None:
    seatmate("report", "missing.jsonl").refused(2, "missing.jsonl")
    Path("other.txt").write_text("hello\n")
    seatmate("report", "other.txt").refused(1, "other.txt is no results file")
    seatmate("tournament", "mythos", "--decks", "leaf,sand", "--deals", "2", "--seed", "1", "--results", "decks.jsonl")
    seatmate("report", "decks.jsonl").refused(2, "compares the values of 'deck' and not bots")


def test_a_report_that_can_not_be_written_is_refused_before_play(seatmate: CommandLine) -> None:
    seatmate(*SMALL, "--bots", "random,heuristic", "--html", "nowhere/a.html").refused(2, "there is no folder nowhere")
    seatmate("tournament", "mythos", "--decks", "leaf", "--csv", "a.csv").refused(2, "no report files")
    assert not Path("kuhn.jsonl").exists()


def test_no_file_is_written_over_another(seatmate: CommandLine) -> None:
    seatmate(*SMALL, "--bots", "random,heuristic")
    kept = Path("kuhn.jsonl").read_bytes()
    Path("link.html").symlink_to("kuhn.jsonl")
    for command in (("report", "kuhn.jsonl", "--html", "kuhn.jsonl"), ("report", "kuhn.jsonl", "--html", "link.html"),
                    ("report", "kuhn.jsonl", "--html", "a.x", "--csv", "./a.x"), ("replay", "kuhn.jsonl", "--record", "kuhn.jsonl"),
                    (*SMALL, "--bots", "random,heuristic", "--markdown", "kuhn.jsonl"),
                    ("tournaments", "report", "tournaments/x", "--token", "x", "--html", "a.x", "--csv", "a.x")):
        seatmate(*command).refused(2, "named twice")
    assert Path("kuhn.jsonl").read_bytes() == kept and not Path("a.x").exists()


def test_what_bots_of_files_print_is_no_result(tmp_path: Path) -> None:
    (tmp_path / "chatty.py").write_text('from seatmate.ai.bots import bot\nprint("loaded")\n@bot("chatty")\ndef chatty(question):\n'
                                 '    print("thinking")\n    return question.actions[0]\n')
    for workers in ("1", "2"):
        played = process([*SMALL, "--bot-file", "chatty.py", "--bots", "chatty,random", "--deals", "2", "--workers", workers,
                          "--json"], cwd=tmp_path)
        assert played.json()["games"] == 4 and {"loaded", "thinking"} <= set(played.stderr.splitlines())
        assert not process(["replay", "kuhn.jsonl", "--bot-file", "chatty.py", "--json"], cwd=tmp_path).json()["deal"]
        (tmp_path / "kuhn.jsonl").unlink()
