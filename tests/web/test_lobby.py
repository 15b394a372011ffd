"""The lobby: games with pictures, a form of all options, tables to go on with, to join and to watch."""
from __future__ import annotations

import re

import pytest

from people import MINE, OVER, play_on, start
from seatmate.engine.core.registry import list_games

REFUSED = "Failed to load resource"
LOST = "ERR_|Failed to load resource"

GAMES = {spec.id: spec for spec in list_games()}


def called(text: str) -> str:
    """A text of a game as the page says it: seats count from 1."""
    return re.sub(r"\b[Ss]eat (\d)\b", lambda seat: f"Seat {int(seat[1]) + 1}", text)


def test_all_games_are_there_with_pictures_from_their_scenes(served, new_page, shot):
    page = new_page()
    page.goto(served.url)
    for game in GAMES:
        page.wait_for_selector(f"form[data-game='games/{game}'] .picture .board .zone:visible")
    assert page.locator("form.game").count() == len(GAMES)
    shot(page, "lobby")


@pytest.mark.parametrize("game", GAMES)
def test_the_form_has_every_option_of_the_schema_and_deals_with_them(game, served, new_page):
    spec = GAMES[game]
    page = new_page()
    page.goto(f"{served.url}/#/new/{game}")
    page.wait_for_selector("form.start")
    assert page.locator("input[name=mode]").count() == (len(spec.modes) if len(spec.modes) > 1 else 0)
    for option in spec.options:
        assert page.locator(f".option [name='{option.key}']").count() == 1, option.key
        field = page.locator(f".option:has([name='{option.key}'])")
        assert field.locator("label > span").text_content() == called(option.title)
        assert called(option.doc)[:30] in field.text_content()
        said = [one.text_content() for one in field.locator("option").all()]
        assert {called(title) for title in option.called().values()} <= {*said}, option.key
    if page.locator("form details").count():
        page.locator("form details summary").click()
    changed: dict[str, bool | int] = {}
    for option in spec.options:
        field = page.locator(f".option [name='{option.key}']")
        if option.kind == "flag":
            changed[option.key] = not option.default
            field.select_option(str(changed[option.key]).lower())
        elif option.kind == "int" and option.maximum > option.minimum:
            changed[option.key] = option.minimum if option.default != option.minimum else option.minimum + 1
            field.fill(str(changed[option.key]))
        if changed:
            break
    page.locator("select[name=pace]").select_option("0")
    page.locator("form.start > button").click()
    page.wait_for_selector("main.table, form .failed")
    assert page.locator(".failed").count() == 0, page.locator(".failed").inner_text()
    name = page.url.partition("#/")[2].partition("/seats")[0]
    token = page.evaluate(f"localStorage['seatmate:{name}']")
    found = served.tables().GetTable(served.request("GetTable", name=name), metadata=(("authorization", f"Bearer {token}"),))
    options = found.settings.options
    for key, value in changed.items():
        assert getattr(options[key], options[key].WhichOneof("kind")) == value


def test_a_wrong_option_is_called_by_its_title(served, new_page):
    page = new_page()
    page.goto(f"{served.url}/#/new/mythos")
    page.locator("form details summary").click()
    page.locator(".option [name=deck1]").fill("7 KS-999")
    page.locator("form.start > button").click()
    page.wait_for_selector(".failed:has-text('Deck of Seat 2: ')")
    assert "KS-999" in page.locator(".failed").inner_text()


@pytest.mark.parametrize("address", ["#/garbage", "#garbage", "#/?at=9", "#/new/", "#/tables/x?at=9", "#/tables/x/seats/one"])
def test_an_address_of_no_page_is_called_so(address, served, new_page):
    page = new_page()
    page.goto(f"{served.url}/{address}")
    assert address in page.locator(".failed").inner_text()
    page.locator("main a").click()
    page.wait_for_selector("form.game")


def test_a_seat_that_is_not_there_is_counted_as_the_page_counts(served, new_page):
    page = new_page()
    page.goto(f"{served.url}/#/{served.deal('tic_tac_toe').name}/seats/4")
    page.wait_for_selector(".failed")
    assert page.locator(".failed").inner_text() == "This table has no seat 5; it has 2 seats."


def test_bots_of_several_levels_and_a_free_seat_that_is_joined_by_link(served, new_page):
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{served.url}/#/new/liars_dice")
    page.wait_for_selector("form.start")
    page.locator("select[name=seats]").select_option("3")
    page.locator("select[name=seat]").select_option("1")
    strongest = page.locator("select[name=bot0] option[value='level:master']").inner_text()
    assert re.fullmatch(r"Master \(\d+, \d+ to \d+\)", strongest), strongest      # its rating and the ends of the interval
    page.locator("select[name=bot0]").select_option("level:skilled")
    page.locator("select[name=bot2]").select_option("")
    page.get_by_label("Your name").fill("Ada")
    page.locator("form.start > button").click()
    page.wait_for_selector("main.table")
    assert [one.inner_text().split("\n")[0] for one in page.locator(".board .owner > span").all()] == ["Skilled", "Seat 3", "Ada"]
    page.locator(".side .owner summary").click()
    page.get_by_role("button", name="Copy invitation: Seat 3").click()
    link = page.evaluate("navigator.clipboard.readText()")
    guest = new_page()
    guest.goto(link)
    guest.get_by_label("Your name").fill("Grace")
    guest.get_by_role("button", name="Join").click()
    guest.wait_for_selector("main.table")
    assert guest.url.endswith("/seats/2")
    page.wait_for_selector(".board .owner:has-text('Grace')")       # names come with the stream


def test_a_link_to_a_table_by_invitation_carries_it(served, new_page):
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{served.url}/#/new/tic_tac_toe")
    page.wait_for_selector("form.start")
    page.locator("select[name=bot1]").select_option("")
    page.locator("form.start > button").click()
    page.wait_for_selector("main.table")
    name = page.url.partition("#/")[2].partition("/seats")[0]
    page.locator(".side .owner summary").click()
    page.locator("[data-watch-link]").click()
    watch = page.evaluate("navigator.clipboard.readText()")
    stranger, watcher, guest = (new_page(allow=REFUSED) for _ in range(3))
    stranger.goto(f"{served.url}/#/{name}")
    stranger.wait_for_selector(".failed:has-text('ask them for a link')")
    stranger.goto(f"{served.url}/#/")
    watcher.goto(watch)
    watcher.wait_for_selector("main.table")
    watcher.reload()
    watcher.wait_for_selector(".status:has-text('You are watching')")
    assert "invitation" not in watcher.url
    page.get_by_role("button", name="Copy invitation: Seat 2").click()
    guest.goto(page.evaluate("navigator.clipboard.readText()"))
    guest.get_by_role("button", name="Join").click()
    guest.wait_for_selector("main.table")
    guest.wait_for_selector(".status:has-text('thinks')")
    kept = guest.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('seatmate:'))")
    assert {*kept} == {f"seatmate:{name}/invitation", f"seatmate:{name}/seats/1"}
    guest.goto(f"{served.url}/#/")
    guest.locator(f"[data-table='{name}']").get_by_role("link", name="Go on").wait_for()
    stranger.wait_for_selector("form.game")
    assert stranger.locator(f"[data-table='{name}']").count() == 0


def test_going_on_watching_and_looking_back_from_the_list(served, new_page):
    page = new_page()
    page.goto(f"{served.url}/#/new/tic_tac_toe")
    page.locator("select[name=access]").select_option(label="Anybody: it stands in the list")
    page.locator("form.start > button").click()
    page.wait_for_selector(MINE)
    name = page.url.partition("#/")[2].partition("/seats")[0]
    page.goto(f"{served.url}/#/")
    line = page.locator(f"[data-table='{name}']")
    assert "Your turn" in line.inner_text()
    line.get_by_role("link", name="Go on").click()
    page.wait_for_selector(MINE)
    stranger = new_page()
    stranger.goto(served.url)
    line = stranger.locator(f"[data-table='{name}']")
    line.wait_for()
    assert line.get_by_role("link", name="Go on").count() == 0
    line.get_by_role("link", name="Watch").click()
    stranger.wait_for_selector("main.table")
    play_on(page)
    stranger.wait_for_selector(OVER)
    page.goto(f"{served.url}/#/")
    page.locator(f"[data-table='{name}']").get_by_role("link", name="Look back").wait_for()


def test_who_loses_a_seat_is_told(served, new_page):
    dealt = served.deal("connect_four")
    page = new_page(allow=REFUSED)
    page.goto(dealt.link(0))
    page.wait_for_selector(MINE)
    token = (("authorization", f"Bearer {dealt.token}"),)
    served.tables().LeaveSeat(served.request("LeaveSeat", name=f"{dealt.name}/seats/0"), metadata=token)
    page.wait_for_selector(".status .failed:has-text('You no longer have this seat')")
    assert page.locator(".actions [data-action]").count() == 0
    page.reload()
    page.wait_for_selector(".failed")
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.includes('/seats/'))") == []


def test_a_table_that_is_made_while_the_answer_is_lost_is_made_once(served, new_page):
    page = new_page(allow=LOST)
    page.goto(served.url)
    failed: list[str] = []

    def lose(route):
        if len(failed) < 2:
            route.fetch()           # the service has carried it out
            failed.append(route.request.url)
            route.abort()
        else:
            route.fallback()

    page.route("**/CreateTable", lose)
    page.route("**/ClaimSeat", lose)
    start(page, served.url, "kuhn")
    page.wait_for_selector("main.table")
    assert len(failed) == 2
    assert page.evaluate("JSON.parse(localStorage['seatmate-tables']).length") == 1


def test_who_plays_without_a_network_is_told_at_once(served, new_page):
    page = new_page(allow=LOST)
    page.goto(served.url)
    form = page.locator("form[data-game='games/kuhn']")
    form.wait_for()
    page.context.set_offline(True)
    form.locator("[data-play]").click()
    form.locator(".failed:has-text(\"can't be reached; it is tried again\")").wait_for(timeout=400)
    page.context.set_offline(False)
    page.wait_for_selector("main.table")


def test_older_tables_come_with_the_first_click_and_each_is_named_once(own_server, new_page):
    for seed in range(60):
        own_server.deal("kuhn", bots={0: "random", 1: "random"}, seed=seed)
    page = new_page()
    page.goto(own_server.url)
    page.wait_for_function("() => document.querySelectorAll('.tables li').length === 50")
    page.get_by_role("button", name="Older").click()
    page.wait_for_function("() => document.querySelectorAll('.tables li').length === 60")
    page.wait_for_selector("form.game")
    assert page.locator(".tables li").first.inner_text().count(GAMES["kuhn"].title) == 1
    page.locator(".tables li a").first.click()
    page.wait_for_selector(f"h1:has-text('{GAMES['kuhn'].title}')", state="attached")
    assert page.title().startswith(GAMES["kuhn"].title)


def test_whoever_plays_for_all_plays_with_bots_and_not_against_them(served, new_page):
    page = new_page()
    page.goto(served.url)
    page.wait_for_selector("form.game")
    for game, spec in GAMES.items():
        said = page.locator(f"form[data-game='games/{game}'] label").inner_text()
        assert said.startswith("With" if spec.cooperative else "Against"), game


def test_leaving_hands_the_seat_to_a_bot_and_one_may_come_back(served, new_page):
    page = new_page()
    start(page, served.url, "connect_four")
    page.wait_for_selector(MINE)
    name = page.url.partition("#/")[2].partition("/seats")[0]
    page.locator(".side .owner summary").click()
    page.locator(".owner select").select_option("3000")
    page.get_by_role("button", name="Let a bot go on for me").click()
    page.wait_for_selector(".status:has-text('You are watching')")
    page.goto(f"{served.url}/#/")
    assert "Regular, Casual" in page.locator(f"[data-table='{name}']").inner_text()     # by its level, as bots are from the start
    page.locator(f"[data-table='{name}']").get_by_role("button", name="Come back").click()
    page.wait_for_url("**/seats/0")
    page.wait_for_selector("main.table")


def test_the_page_speaks_italian(served, new_page, shot):
    page = new_page(locale="it-IT")
    page.goto(served.url)
    page.wait_for_selector("h1:has-text('Gioca una partita')")
    assert page.evaluate("document.documentElement.lang") == "it"
    assert page.locator("form.game h2").first.get_attribute("lang") == "en"      # the games' own words
    page.locator("header select").select_option("en")
    page.wait_for_selector("h1:has-text('Play a game')")
    page.reload()
    page.wait_for_selector("h1:has-text('Play a game')")


def test_both_languages_have_the_same_words(served, new_page):
    """TypeScript asks for every key; this asks that none was left in English."""
    texts = []
    for locale in ("en-GB", "it-IT"):
        page = new_page(locale=locale)
        page.goto(f"{served.url}/#/new/hyde")
        page.wait_for_selector("form.start")
        texts.append(page.evaluate(OWN_WORDS))
    english, italian = texts
    assert len(english) == len(italian) > 5
    assert not set(english) & set(italian)


# What is not marked as English: the games speak it, whatever the page speaks.
OWN_WORDS = """() => {
  for (const one of document.querySelectorAll("[lang=en]:not(html), header, option")) one.remove();
  const [walker, said] = [document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), []];
  while (walker.nextNode()) if (/[a-z]{3}/i.test(walker.currentNode.data)) said.push(walker.currentNode.data.trim());
  return said;
}"""
