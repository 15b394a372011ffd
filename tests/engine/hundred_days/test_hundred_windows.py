"""Windows: each that opens ends, and none opens where what it brings would not fit."""
from __future__ import annotations

import random
from pathlib import Path

import pytest

from seatmate.engine.core.game import SPECTATORS
from seatmate.engine.core.registry import new_game
from seatmate.engine.hundred_days.content import vocabulary as v
from seatmate.engine.hundred_days.content.pack import read
from seatmate.engine.hundred_days.secrets.fields import FIELDS


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_window_ends_before_the_game_goes_on(seats: int) -> None:
    """R65: WINDOW comes again after a reaction, WINDOW_END once, for the innermost that is open."""
    game = new_game("hundred_days", seats=seats)
    again = 0
    for seed in range(3):
        state, chooser, opened = game.new_state(seed), random.Random(seed), list[tuple[int, ...]]()
        while not state.is_over:
            seat = chooser.choice(state.pending)
            state.apply_action(seat, chooser.choice(state.legal_actions(seat)))
        for event in state.events(SPECTATORS):
            if event.key == "WINDOW" and event.args[:2] in opened[-1:]:
                again += 1
            elif event.key == "WINDOW":
                opened.append(event.args[:2])
            elif event.key == "WINDOW_END":
                assert opened.pop()[0] == event.args[0]
            elif event.key in ("PASS", "END_TURN", "PLACES", "FIRST", "SCORE"):
                assert not opened, f"{event.key} while a window is open"
    assert again > 5


def test_no_pack_carries_out_more_at_once_than_there_is_room_for(tmp_path: Path) -> None:
    """Thirty cards answer everything and ask all the others for a card: as deep as it goes (RULES.md, 4.2)."""
    effect = "react blue|green|item|move|close|react|any: DROP(opps, 1)"
    rows = [card.id for card in read("standard").content.card if card.kind == "reaction" or "A06" <= card.id <= "A19"]
    file = tmp_path / "deep.toml"
    file.write_text('[pack]\ngame = "hundred_days"\nname = "deep"\nversion = 1\ntitle = "Deep"\nextends = "standard"\n'
                    '[limits]\nstart_hand = 10\nsource = "house"\n' + "".join(
                        f'[[card]]\nid = "{card}"\nkind = "reaction"\neffects = ["{effect}"]\nsource = "house"\n' for card in rows))
    game = new_game("hundred_days", seats=4, pack=str(file))
    depth, deepest = FIELDS.rows["depth"].offset, 0
    for seed in range(3):
        state, chooser = game.new_state(seed, record_events=False), random.Random(seed)
        for _decision in range(250):
            seat = chooser.choice(state.pending)
            legal = state.legal_actions(seat)
            state.apply_action(seat, chooser.choice(legal[1:] if state.prompt(seat) == "REACT" and legal[1:] else legal))
            deepest = max(deepest, state.to_bytes()[depth])
    assert v.FRAMES - 3 < deepest <= v.FRAMES
