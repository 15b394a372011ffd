"""What a person reads fits a terminal of 80 columns, in every game and mode, and every word of it can be looked up."""
from __future__ import annotations

import functools
import re
from collections.abc import Iterator

import pytest
from rich.cells import cell_len
from rich.text import Text

from seatmate.engine.core.game import Game, State
from seatmate.engine.core.glossary import MOST, look_up
from seatmate.engine.core.playout import play_randomly
from seatmate.engine.core.registry import list_games, new_game

from .conftest import CommandLine

WIDTH = 80
MODES = [(spec.id, mode.key) for spec in list_games() for mode in spec.modes]
TABLES = [pytest.param(game, mode, id=f"{game}-{mode}") for game, mode in MODES]
FIRST_MODE = dict(reversed(MODES))
GAMES = [spec.id for spec in list_games()]


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch, seatmate: CommandLine) -> CommandLine:
    """A command line on 80 columns."""
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    return seatmate


def too_wide(text: str) -> list[str]:
    return [line for line in text.splitlines() if cell_len(line.rstrip()) > WIDTH and len(line.split()) > 1]


@pytest.mark.parametrize(("game", "mode"), TABLES)
def test_a_whole_game_fits(narrow: CommandLine, game: str, mode: str) -> None:
    """Boards, questions, answers, events, help, legends and hints."""
    shown = narrow("play", game, "--mode", mode, "--seed", "1", "--bots", "random", "--hint-ms", "1",
                   stdin="h\nl\n?\n" + "1\n2\n3\n" * 700)
    assert shown.code == 0 and shown.stderr == ""
    assert too_wide(shown.stdout) == []


@pytest.mark.parametrize("game", GAMES)
def test_what_is_looked_up_fits(narrow: CommandLine, game: str) -> None:
    """Whatever a game says in one line is folded, and hangs below its beginning."""
    state = new_game(game).new_state(1)
    asked = [f"i {word}" for word in sorted(words_of(state.game, state, state.pending[0]))]
    shown = narrow("play", game, "--seed", "1", "--bots", "random", "--seat", str(state.pending[0]),
                   stdin="\n".join([*asked, "q", "y"]))
    assert shown.code == 0 and too_wide(shown.stdout) == []


@pytest.mark.parametrize("game", GAMES)
def test_other_commands_fit(narrow: CommandLine, game: str) -> None:
    """What the game is, and how bots fare in it."""
    for arguments in (["games"], ["games", game], ["tournament", game, "--bots", "random,heuristic", "--deals", "2",
                                                   "--seed", "1", "--ratings"]):
        shown = narrow(*arguments)
        assert shown.code == 0 and too_wide(shown.stdout) == []


def test_a_demonstration_fits(narrow: CommandLine) -> None:
    shown = narrow("demo", "--fast", "--seed", "1", "--hint-ms", "2", "--bots", "random")
    assert shown.code == 0 and too_wide(shown.stdout) == []


# ---- Looking up ----

PLAIN = frozenset("""
    a about after again against all already also among an and another any are as ask at away back be been before begin begins
    being below beside between both by can can't carry choose choosing come coming do does don't down each effort empty end ends
    every everybody far find first for from get gets give go goes has have help here here's higher his how if in into is it its keep
    keeps known last least leave left less let lie look made make many may me more most move moves must my need needs new next no
    nobody none not nothing now of off on once one or other others out over own pay play points's put say says seat seats second see
    send show small somebody something stay still take taken than that the their them then there these they third this three to
    together too turned two up was well were what where which while who whom whose will with without work would yes yet you your
""".split())      # noqa: SIM905
"""Words of everyday English, which need no explanation."""


def words_of(game: Game, state: State, seat: int) -> set[str]:
    """The words a person at this seat reads: on the board, in the question, in the answers."""
    board = [Text.from_markup(line).plain for line in game.board_lines(state.observation(seat), seat)]
    answers = [state.action_label(seat, action) for action in state.legal_actions(seat)]
    text = " ".join([*board, state.question_text(seat), *answers])
    found = {word.removesuffix("'s") for word in re.findall(r"[^\W\d_]+(?:['-][^\W\d_]+)*", text)}
    return {word for word in found if len(word) > 2}


def moments(game_id: str, mode: str, games: int = 4) -> Iterator[tuple[Game, State, int]]:
    """A seat that is asked, at many moments of some games."""
    spec = next(spec for spec in list_games() if spec.id == game_id)
    for seats in {spec.mode(mode).seats[0], spec.mode(mode).seats[-1]}:
        game = new_game(game_id, mode=mode, seats=seats)
        for seed in range(games):
            state = game.new_state(seed, record_events=False)
            for step in range(40):
                if state.is_over:
                    break
                yield game, state, state.pending[0]
                play_randomly(state, 1 + step // 4, 100 * seed + step)


@pytest.mark.parametrize(("game_id", "mode"), TABLES)
def test_every_word_can_be_looked_up(game_id: str, mode: str) -> None:
    """Every word of the board, of questions and of answers, where it is read."""
    unknown = {word for game, state, seat in moments(game_id, mode) for seen in [state.observation(seat)]
               for word in words_of(game, state, seat)
               if word.lower() not in PLAIN and not game.describe(seen, seat, word)}
    assert not unknown, f"there is nothing to look up under {', '.join(sorted(unknown))}"


@functools.cache
def words_read(game_id: str, mode: str) -> frozenset[str]:
    """What is read in a game or two of the mode, but for everyday words."""
    return frozenset(word for game, state, seat in moments(game_id, mode, 1) for word in words_of(game, state, seat)
                     if word.lower() not in PLAIN)


@pytest.mark.parametrize(("game_id", "mode"), [row for row in MODES if [game for game, _ in MODES].count(row[0]) > 1])
def test_words_of_other_modes_can_be_looked_up_as_well(game_id: str, mode: str) -> None:
    """Who knows the game from another mode asks for what is not in this one: missions in Titans' free-for-all."""
    words = {word for game, other in MODES if game == game_id and other != mode for word in words_read(game, other)}
    game, state, seat = next(moments(game_id, mode))
    assert words
    seen = state.observation(seat)
    unknown = {word for word in words if not game.describe(seen, seat, word)}
    assert not unknown, f"there is nothing to look up under {', '.join(sorted(unknown))}"


def glossary_at_start(game_id: str, mode: str) -> tuple[Game, State, dict[str, str]]:
    game = new_game(game_id, mode=mode)
    return game, game.new_state(1), dict(game.glossary())


@pytest.mark.parametrize(("game_id", "mode"), TABLES)
def test_every_name_finds_its_own_entry_first(game_id: str, mode: str) -> None:
    """Words, aliases, signs, titles and ids: the first line is theirs, says the name, and no longer name hides it."""
    game, state, glossary = glossary_at_start(game_id, mode)
    for key, meaning in glossary.items():
        for name in key.split(", "):
            first = game.describe(state.observation(0), 0, name)[0]
            assert first.endswith(f": {meaning}") and name.lower() in first.lower(), f"{name!r} finds {first!r}"


NO_SENTENCE = re.compile(r"\b1 (?:[a-z]+ )?(?:point|card|resource|colour|token|square|star|heart|bomb|missile|shield)s\b|"
                         r"\bso (?:many|much)\b|\bwhen at\b|an opponent an? |\{")


@pytest.mark.parametrize(("game_id", "mode"), TABLES)
def test_what_is_looked_up_is_a_sentence(game_id: str, mode: str) -> None:
    """Numbers are filled in and agree with their nouns, clauses have verbs."""
    glossary = glossary_at_start(game_id, mode)[2]
    assert not {name: found.group() for name, said in glossary.items() if (found := NO_SENTENCE.search(said))}


def test_rules_come_before_names_and_whole_words_before_parts() -> None:
    glossary = {"end": "of a turn", "garage token, garage": "a token", "M, mega seed": "a resource", "DIM1, DIM": "an icon",
                "*, guarded": "with a token", "Blender": "a card", "Garage Sale": "a card",
                **{f"Sale {letter}": "a card" for letter in "ABCDEFGHI"}}

    def names(text: str) -> list[str]:
        return [line.partition("[/bold]")[0].removeprefix("[bold]") for line in look_up(glossary, text)]

    assert names("End") == ["end"] and names("garages") == ["garage, garage token"] and names("the mega seed") == ["mega seed, M"]
    assert names("m") == names("3M") == ["M"] and names("*") == ["*"] and names("DIM4") == ["DIM, DIM1"]
    assert names("blend") == ["Blender"] and names("lender") == [] == names("") == names("nonsense") == names("?")
    assert names("end blender") == ["end", "Blender"]
    assert len(look_up(glossary, "sale")) == MOST + 1 and "... and 4 more" in look_up(glossary, "sale")[-1]


@pytest.mark.parametrize(("game_id", "word", "said"), [
    ("monster_chase", "07B", "Sand costs one more"), ("monster_chase", "11B", "in the chase only the Boss"),
    ("hundred_days", "garage token", "If an opponent's card destroys"),
    ("hundred_days", "O04", "when an opponent plays a green card:"),
    ("hundred_days", "C11", "hand limit is 2 higher"), ("hundred_days", "O13", "React at any time:")])
def test_what_is_looked_up_says_what_the_rules_say(game_id: str, word: str, said: str) -> None:
    game, state, _ = glossary_at_start(game_id, FIRST_MODE[game_id])
    assert said in game.describe(state.observation(0), 0, word)[0]


def test_a_place_is_looked_up_by_its_number() -> None:
    """As the help of the command line promises."""
    for game_id, names in (("hundred_days", ("#3", "place 3")), ("monster_chase", ("#3", "tile 3"))):
        game, state, _ = glossary_at_start(game_id, FIRST_MODE[game_id])
        lines = [game.describe(state.observation(0), 0, name) for name in names]
        first, second = [line.partition("[/bold]")[2] for (line,) in lines]
        assert first == second != ""


def test_what_a_word_finds(seatmate: CommandLine) -> None:
    """A name is found by each of its words, whatever the case; the whole name before parts of others; `l` names the rules."""
    asked = ["i Ajax", "i TARGETS", "i jericho", "i the six", "i bat", "i twin", "i nonsense", "l", "q", "y"]
    shown = seatmate("play", "hyde", "--seed", "1", stdin="\n".join(asked) + "\n").stdout
    for line in ("Ajax: Outcast:", "target: Lies on an outer place", "Jericho: Place: 4s count 0", "six: Bianca's extra card",
                 "Bat: Symbol of ten cards", "Twin Target: Target: 2s count 4", "nothing to look up for 'nonsense'",
                 "seatmate games hyde --rules"):
        assert line in shown, line
    assert "Bat Target: Target" not in shown


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_rules(seatmate: CommandLine, game: str) -> None:
    """In short where the game is shown, and all of them with --rules."""
    spec = next(spec for spec in list_games() if spec.id == game)
    assert len(spec.rules) > 80 and " ".join(spec.rules.split())[:40] in " ".join(seatmate("games", game).stdout.split())
    whole = seatmate("games", game, "--rules")
    assert whole.code == 0 and len(whole.stdout) >= len(spec.rules)
