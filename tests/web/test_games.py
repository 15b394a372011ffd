"""Every game can be played to its end by clicking what the page shows."""
from __future__ import annotations

import pytest

from people import MINE, OVER, play_on
from seatmate.engine.core.registry import list_games

GAMES = [spec.id for spec in list_games()]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_played_to_its_end(game, served, new_page, shot):
    spec = next(spec for spec in list_games() if spec.id == game)
    seats = spec.modes[0].seats[0]
    dealt = served.deal(game, seats=seats, bots=dict.fromkeys(range(1, seats), "random"))
    page = new_page(color_scheme="dark" if GAMES.index(game) % 2 else "light")
    page.goto(dealt.link(0))
    page.wait_for_selector("main.table[data-ready=true]")
    play_on(page, presses=12)
    page.wait_for_selector(f"{MINE}, {OVER}")
    shot(page, game)        # what the documentation shows is what the page draws
    assert play_on(page) > 0 or page.locator("main.table[data-link=over]").count()
    assert page.locator(".status b").inner_text()
    assert page.locator(".log [role=log] li").count() > 1
    assert page.locator("[data-rematch]").count() == 1
