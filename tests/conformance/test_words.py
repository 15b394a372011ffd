"""What a person reads, in every game, mode and seat count: no words of the machine, no wrong plurals, no question twice.

The texts are those of whole random games as each seat and a spectator read them: events, questions, labels, results.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from cases import Case, default_cases
from positions import Player
from seatmate.engine.core.game import SPECTATORS, State
from seatmate.engine.core.registry import list_games, new_game
from seatmate.engine.core.spec import CORE_EVENTS, GameSpec

GAMES = 2

DECLINED = ("No ", "Leave ", "Stay ")
"""Answers after which the same may be asked once more: an effect that does something up to two times."""

FAULTS = {
    "the number of an instance": re.compile(r"#\d+\)"),
    "the number of a ruling": re.compile(r"\bR\d\d\b|\([RKXT]\d"),
    "a word of the machine": re.compile(r"\b[A-Z]+_[A-Z_]+\b|\b[a-z]+_[a-z_]+\b|\bNone\b|\bTrue\b|\bFalse\b|<[a-z]+ object"),
    "a word in capitals": re.compile(r"\b(?!KO\b|KOs\b|GO\b|AMBUSH\b|MAIN\b|UPGRADE\b|SCORE\b|EMP\b|DNA\b)[A-Z]{3,}\b"),
    "a plural of one": re.compile(r"(?<!to )(?<![\d.,/-])\b1 (?:[a-z]+ )?(?:lives|points|cards|chips|tokens|turns|targets|steps|"
                                  r"places|seats|copies|borders|traps|clues|gifts|missions|characters|rounds|hints|sixes)\b"),
    "a blank too many": re.compile(r"\S {2,}\S|^ | $| [.,;:!?](?: |$)"),
    "a word twice": re.compile(r"\b(the|a|an|to|of|and|at|you) \1\b", re.IGNORECASE),
}
"""What no text says; but for the number of a place in a question or an answer, which tells equal hidden cards apart."""

UNSAID = re.compile(r"_|^[^A-Z]|^(Auto|Own)$|\b[a-z]$|[a-z]\d")
"""What is a key and not a title."""


def observers(state: State) -> list[int]:
    return [*range(state.game.seats), SPECTATORS]


def texts(table: Case) -> Iterator[str]:
    """All that is read in some random games, the events by everybody."""
    game = table.new_game()
    for seed in range(1, GAMES + 1):
        state = game.new_state(seed)
        player = Player(seed)
        while not state.is_over:
            seat, action = player.choose(state)
            for text in (state.question_text(seat), *(state.action_label(seat, answer) for answer in state.legal_actions(seat))):
                yield re.sub(r" \(#\d+\)", "", text)
            state.apply_action(seat, action)
        for observer in observers(state):
            yield from (game.event_text(event, observer) for event in state.events(observer))
        yield game.result_text(state)


@pytest.mark.parametrize("table", default_cases(), ids=lambda table: table.name)
def test_texts_are_for_people(table: Case) -> None:
    found = {(fault, text) for text in set(texts(table)) for fault, pattern in FAULTS.items() if text and pattern.search(text)}
    assert not found, "\n".join(f"{fault}: {text}" for fault, text in sorted(found)[:12])


@pytest.mark.parametrize("table", default_cases(), ids=lambda table: table.name)
def test_events_of_the_reader_say_you(table: Case) -> None:
    """Nobody is called by the number of the own seat, and nobody else is called you."""
    game = table.new_game()
    state = game.new_state(1)
    player = Player(1)
    while not state.is_over:
        state.apply_action(*player.choose(state))
    for seat in range(game.seats):
        for event in state.events(seat):
            text = game.event_text(event, seat)
            assert not re.match(rf"Seat {seat}\b", text), f"seat {seat} reads: {text}"
    for event in state.events(SPECTATORS):
        text = game.event_text(event, SPECTATORS)
        assert not re.match(r"Your?\b", text), f"a spectator reads: {text}"


@pytest.mark.parametrize("table", default_cases(), ids=lambda table: table.name)
def test_two_questions_are_not_the_same(table: Case) -> None:
    """A seat that is asked twice running, and sees nothing happen in between, reads another question or other answers."""
    game = table.new_game()
    for seed in range(1, GAMES + 1):
        state = game.new_state(seed)
        player = Player(seed)
        before: tuple[int, str, list[str], list[int]] | None = None
        while not state.is_over:
            seat, action = player.choose(state)
            mark = state.sequence(seat)
            legal = state.legal_actions(seat)
            now = seat, state.question_text(seat), [state.action_label(seat, answer) for answer in legal], legal
            assert now[:3] != (before and before[:3]), f"{now[1]} {now[2]}"
            state.apply_action(seat, action)
            told = any(game.event_text(event, seat) for event in state.events(seat, mark))
            before = None if told or now[2][now[3].index(action)].startswith(DECLINED) else now


@pytest.mark.parametrize("spec", list_games(), ids=lambda spec: spec.id)
def test_options_are_called_by_words(spec: GameSpec) -> None:
    """A key is for programs: people read titles, of values as well."""
    for option in spec.options:
        for key, title in {option.key: option.title, **option.called()}.items():
            assert UNSAID.search(title) is None, f"{option.key}: {key} is called {title!r}"
        assert len(set(option.called().values())) == len(option.called()), f"{option.key}: two values are called the same"


@pytest.mark.parametrize("spec", list_games(), ids=lambda spec: spec.id)
def test_kinds_of_events_have_words_or_say_why_not(spec: GameSpec) -> None:
    """Bookkeeping never has a text; of every other kind that comes up in a game of each mode, some event has one."""
    silent = {row.key for row in (*CORE_EVENTS, *spec.events) if row.bookkeeping}
    seen, told = set(), set()
    for mode in spec.modes:
        game = new_game(spec.id, mode=mode.key)
        state = game.new_state(1)
        player = Player(1)
        while not state.is_over:
            state.apply_action(*player.choose(state))
        for observer in observers(state):
            events = state.events(observer)
            seen |= {event.key for event in events}
            told |= {event.key for event in events if game.event_text(event, observer)}
    assert told == seen - silent


def test_the_faults_are_seen() -> None:
    """Each pattern finds what it is for, and lets what is right pass."""
    wrong = {"the number of an instance": "Seat 1 moves Raven (#0).", "the number of a ruling": "Nothing happens (R70).",
             "a word of the machine": "You play play_nothing.", "a word in capitals": "Seat 0: SIGNAL.",
             "a plural of one": "You have 1 lives.", "a blank too many": "You play  a card.",
             "a word twice": "Go to the the Crypt."}
    assert wrong.keys() == FAULTS.keys()
    for fault, text in wrong.items():
        assert FAULTS[fault].search(text), fault
    for text in ("You play R1.", "3 to 1 points", "Seat 1 wins.", "Seat 1 has Thing.", "You need 11 points.", "KO!"):
        assert not [fault for fault, pattern in FAULTS.items() if pattern.search(text)], text
