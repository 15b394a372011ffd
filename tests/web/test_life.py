"""Seats in real life, by the page: giving up, taking back, the next game, and a clock."""
from __future__ import annotations

import re

from people import MINE, OVER, answer, play_on
from seatmate.v1 import table_pb2


def menu(page):
    page.locator("section.owner summary").click()


def resign(page):
    menu(page)
    page.locator("[data-resign]").click()
    page.locator("[data-resign-sure]").click()


def test_who_gives_up_is_asked_once_more_and_the_other_one_wins(served, new_page):
    dealt = served.deal("connect_four")
    first, second = new_page(), new_page()
    first.goto(dealt.link(0))
    second.goto(dealt.link(1))
    first.wait_for_selector(MINE)
    menu(first)
    first.locator("[data-resign]").click()
    first.locator("[role=alertdialog] button:not([data-resign-sure])").click()
    assert first.locator("[data-resign-sure]").count() == 0
    first.locator("[data-resign]").click()
    first.locator("[data-resign-sure]").click()
    for page in (first, second):
        page.wait_for_selector(OVER)
        assert "Person 0 gives up; Person 1 wins." in page.locator(".status [role=status]").inner_text()


def test_where_more_than_two_play_a_bot_goes_on_and_one_watches(served, new_page):
    dealt = served.deal("liars_dice", seats=3, bots={1: "random", 2: "random"}, pace_ms=60_000)
    page = new_page()
    page.goto(dealt.link(0))
    page.wait_for_selector("main.table")
    resign(page)
    page.wait_for_url(re.compile(f"/#/{dealt.name}$"))
    page.wait_for_selector(".status:has-text('You are watching.')")
    assert page.locator(".failed").count() == 0


def test_the_last_move_is_taken_back_and_any_other_while_looking_back(served, new_page):
    page = new_page()
    page.goto(served.deal("connect_four", bots={1: "random"}, take_back=True).link(0))
    page.wait_for_selector(MINE)
    assert page.locator("[data-take-back]").count() == 0       # nothing to take back
    asked = []
    for _ in range(3):
        page.wait_for_selector(MINE)
        asked.append(page.locator("main.table").get_attribute("data-sequence"))
        answer(page, 0)
    page.wait_for_selector(MINE)
    old = page.url
    page.locator("[data-take-back]").click()
    page.wait_for_url(lambda url: url != old)
    page.wait_for_selector(f"{MINE}[data-sequence='{asked[2]}']")
    answer(page, 1)
    page.goto(old)                                              # which has stayed as it was
    page.wait_for_selector(MINE)
    page.keyboard.press("Home")
    page.wait_for_selector("main.past")
    assert page.locator("[data-take-back]").inner_text() == "Play on from here"
    page.locator("[data-take-back]").click()
    page.wait_for_selector(f"{MINE}[data-sequence='{asked[0]}']")
    assert page.url.partition("@")[0] != old


def test_only_where_it_is_allowed_and_bots_play_can_moves_be_taken_back(served, new_page):
    page = new_page()
    for more in ({"bots": {1: "random"}}, {"take_back": True}):
        page.goto(served.deal("tic_tac_toe", **more).link(0))
        answer(page)
        page.wait_for_selector(".replay")
        assert page.locator("[data-take-back]").count() == 0


def test_the_other_players_and_watchers_hear_of_the_rematch_and_go_there(served, new_page):
    dealt = served.deal("tic_tac_toe")
    first, second, watcher = new_page(), new_page(), new_page()
    first.goto(dealt.link(0))
    second.goto(dealt.link(1))
    watcher.goto(dealt.link())
    resign(first)
    for page in (first, second, watcher):
        page.wait_for_selector(OVER)
        assert page.locator("[data-rematch-there]").count() == 0
    first.locator("[data-rematch-moved]").click()
    first.wait_for_url(lambda url: dealt.name not in url)
    table, _, seat = first.url.partition("/#/")[2].partition("/seats/")
    assert seat == "1"
    for page in (second, watcher):
        page.wait_for_selector("[data-rematch-there]")
    second.locator("[data-rematch]").click()
    second.wait_for_url(f"{served.url}/#/{table}/seats/0")
    watcher.locator(".again a", has_text="Watch").click()
    watcher.wait_for_url(f"{served.url}/#/{table}")
    answer(second)
    first.wait_for_selector(MINE)
    second.goto(f"{served.url}/#/{dealt.name}/seats/1")         # back, and once more to the same seat
    second.locator("[data-rematch]").click()
    second.wait_for_url(f"{served.url}/#/{table}/seats/0")


def seconds(page, seat):
    minutes, rest = page.locator(f"[data-clock='{seat}']").inner_text().split()[-1].split(":")
    return 60 * int(minutes) + int(rest)


def test_a_clock_is_chosen_with_the_table_and_runs_for_who_is_asked(served, new_page):
    page = new_page()
    page.goto(f"{served.url}/#/new/connect_four")
    assert page.locator("[name=timeUp]").count() == 0
    page.locator("[name=clock]").select_option(label="5 min for the game, and 3 s more each step")
    page.locator("[name=timeUp]").select_option("true")
    page.locator("form .primary").click()
    page.wait_for_selector(MINE)
    before = seconds(page, 0)
    assert 290 < before <= 300
    page.wait_for_selector("[data-clock='0'].runs")
    page.wait_for_timeout(1500)
    assert before - 8 < seconds(page, 0) < before
    assert page.locator("[data-clock='1']").count() == 0        # bots have none
    answer(page)
    page.wait_for_selector(MINE)
    assert page.locator("[data-take-back]").count() == 1        # as the form offers it


def test_the_clock_of_a_computer_that_goes_wrong_shows_the_time_there_is(served, new_page):
    page = new_page()
    page.clock.install(time="2020-01-01T00:00:00Z")
    page.goto(served.deal("connect_four", clock=table_pb2.Clock(move_ms=90_000)).link(0))
    page.wait_for_selector(MINE)
    assert 80 < seconds(page, 0) <= 90


def test_who_lost_the_seat_to_the_clock_comes_back(served, new_page):
    page = new_page()
    page.goto(served.deal("connect_four", bots={1: "random"}, pace_ms=2000, clock=table_pb2.Clock(
        move_ms=2500, bot="heuristic", hands_over=True)).link(0))
    page.wait_for_selector(MINE)
    page.locator("[data-come-back]").click(timeout=20_000)
    page.wait_for_selector(MINE)
    answer(page)


def test_the_course_of_a_game_is_one_call(served, new_page):
    page = new_page()
    page.goto(served.deal("tic_tac_toe", bots={1: "random"}).link(0))
    play_on(page)
    calls = []
    page.on("request", lambda request: calls.append(request.url.rpartition("/")[2]))
    page.locator("#course").click()
    page.wait_for_selector(".graph circle")
    page.wait_for_selector(".course progress", state="detached", timeout=60_000)
    assert [call for call in calls if call in ("ReviewGame", "SuggestActions")] == ["ReviewGame"]
