"""Every game's view refuses events that no game tells, in a sentence."""
from __future__ import annotations

import random
import re

import pytest

from seatmate.engine.core.game import Game, SeenEvent
from seatmate.engine.core.registry import list_games, new_game
from seatmate.engine.core.spec import CORE_EVENTS

GAMES = [spec.id for spec in list_games()]
MACHINE = re.compile(r"index|unpack|positional|attribute|buffer|NoneType|\\(\\)|prompts of its spec")
"""Words of the language, which nobody who sends a position has written."""


def played(game: Game, decisions: int = 60) -> list[SeenEvent]:
    """What seat 0 has seen of a random game."""
    state, choice = game.new_state(3), random.Random(3)
    for _ in range(decisions):
        if state.is_over:
            break
        seat = choice.choice(state.pending)
        state.apply_action(seat, choice.choice(state.legal_actions(seat)))
    return state.events(0)


@pytest.mark.parametrize("name", GAMES)
def test_numbers_of_an_event(name: str) -> None:
    """Each kind of event has as many numbers as it names; a real history passes."""
    game = new_game(name)
    game.new_view(0).feed(played(game))
    for kind in (*CORE_EVENTS, *game.spec.events):
        least = len(kind.args) - kind.optional
        for count in [least - 1] * (least > 0) + [least + 1] * (not kind.optional):
            with pytest.raises(ValueError, match=rf"event 1, {kind.key}, has {count} numbers, not"):
                game.new_view(0).feed([SeenEvent(1, kind.key, (0,) * count)])
    with pytest.raises(ValueError, match="is no event of"):
        game.new_view(0).feed([SeenEvent(1, "NOPE", ())])


@pytest.mark.parametrize("name", GAMES)
def test_seats_of_an_event(name: str) -> None:
    """Seats that the table has not."""
    game = new_game(name)
    forged: list[tuple[str, tuple[int, ...]]] = [("BUSY", (mask, 0)) for mask in (-1, 1 << game.seats)]
    forged += [(kind.key, tuple(seat if arg == "seat" else 0 for arg in kind.args))
               for kind in game.spec.events if "seat" in kind.args for seat in (-1, game.seats, 256)]
    for key, args in forged:
        with pytest.raises(ValueError, match=rf"event 1, {key}, (is about seat|asks seats)"):
            game.new_view(0).feed([SeenEvent(1, key, args)])


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("value", [-1, 200, 2**31 - 1])
def test_forged_numbers(name: str, value: int) -> None:
    """Whatever number of a real history is forged: the view takes it, or says which event it is, without words of the language."""
    game = new_game(name)
    events = played(game, 20)
    first = {event.key: at for at, event in reversed(list(enumerate(events)))}
    for at in sorted(first.values()):
        for place in range(len(events[at].args)):
            args = list(events[at].args)
            args[place] = value
            view = game.new_view(0)
            try:
                view.feed([*events[:at], SeenEvent(at + 1, events[at].key, tuple(args))])
            except ValueError as error:
                assert not MACHINE.search(str(error)), error
