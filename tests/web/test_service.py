"""What must not be lost, seen or broken: restarts, networks, several people at once, secrets, strange addresses."""
from __future__ import annotations

import signal

import pytest

from people import MINE, OVER, answer, play_on
from seatmate.v1 import table_service_pb2

LOST = "ERR_|Failed to load resource"


def lines(page):
    """The log."""
    return page.locator(".log .line").all_inner_texts()


def test_a_restart_of_the_server_loses_nothing(own_server, new_page):
    dealt = own_server.deal("connect_four", bots={1: "random"})
    page, watcher = new_page(allow=LOST), new_page(allow=LOST)
    page.goto(dealt.link(0))
    watcher.goto(dealt.link())
    for _ in range(3):
        answer(page)
    page.wait_for_selector(MINE)
    assert own_server.stop(signal.SIGKILL) != 0
    page.wait_for_selector("main.table[data-link=reconnecting]")
    assert "reconnecting" in page.locator(".status").inner_text()
    page.locator(".actions [data-action]").first.click()        # sent into the void
    page.wait_for_selector(".failed:has-text('sent again')")
    own_server.start()
    page.wait_for_selector("main.table[data-link=live]", timeout=30_000)
    page.wait_for_selector(MINE, timeout=30_000)
    assert sum("You drop" in line for line in lines(page)) == 4
    play_on(page)
    watcher.wait_for_selector(OVER, timeout=30_000)
    ours = [line.replace("You drop", "Person 0 drops") for line in lines(page)]
    assert ours == lines(watcher)


def test_a_lost_network_loses_nothing(served, new_page):
    page = new_page(allow=LOST)
    page.goto(served.deal("connect_four", bots={1: "random"}).link(0))
    page.wait_for_selector(MINE)
    page.context.set_offline(True)
    page.locator(".actions [data-action]").first.click()
    page.wait_for_selector(".failed")
    page.context.set_offline(False)
    page.wait_for_selector(MINE, timeout=20_000)
    assert sum("You drop" in line for line in lines(page)) == 1
    assert page.locator(".failed").count() == 0
    play_on(page)


def test_reloading_and_a_second_device_go_on(served, new_page):
    dealt = served.deal("connect_four", bots={1: "random"})
    page = new_page()
    page.goto(dealt.link(0))
    answer(page)
    page.wait_for_selector(MINE)
    assert "token" not in page.url                              # out of the address, and of the history
    page.reload()
    page.wait_for_selector(MINE)
    phone = new_page(viewport={"width": 375, "height": 720})
    phone.goto(dealt.link(0))
    phone.wait_for_selector(MINE)
    answer(phone)
    page.wait_for_function("() => document.querySelectorAll('.log .line').length >= 4")
    play_on(page)
    phone.wait_for_selector(OVER)
    assert lines(page) == lines(phone)


def test_two_players_and_a_spectator_at_once(served, new_page):
    dealt = served.deal("connect_four")
    pages = [new_page(), new_page()]
    watcher = new_page()
    for seat, page in enumerate(pages):
        page.goto(dealt.link(seat))
    watcher.goto(dealt.link())
    for turn in range(42):
        page = pages[turn % 2]
        page.wait_for_selector(f"{MINE}, {OVER}")
        if page.locator(OVER).count():
            break
        answer(page)
    for page in (*pages, watcher):
        page.wait_for_selector(OVER)
    assert len({page.locator(".status b").inner_text() for page in (*pages, watcher)}) == 1
    assert len(lines(watcher)) == len(lines(pages[0])) == len(lines(pages[1]))


def told(stream, table):
    """The messages of a gRPC-Web stream in words, without what tells one table from another: its name, its age."""
    while len(stream) >= 5 and not stream[0] & 0x80:
        size = int.from_bytes(stream[1:5], "big")
        message = table_service_pb2.WatchTableResponse.FromString(stream[5:5 + size])
        message.table.ClearField("create_time")
        yield str(message).replace(table, "tables/ID")
        stream = stream[5 + size:]


@pytest.mark.parametrize(("game", "seeds"), [("kuhn", (1, 2, 3)), ("liars_dice", (1, 2))])
def test_a_spectator_is_told_the_same_whatever_is_dealt(game, seeds, served, new_page):
    """Before anything is shown, deals differ in hidden cards alone: a spectator's page holds none of them, nor do its messages."""
    dom, messages, hands = set(), set(), set()
    for seed in seeds:
        dealt = served.deal(game, seed=seed)
        player, watcher = new_page(), new_page(record=True)
        player.goto(dealt.link(0))
        player.wait_for_selector(MINE)
        hands.add(str([one.get_attribute("aria-label") for one in player.locator(".mine .thing").all()]))
        watcher.goto(dealt.link())
        watcher.wait_for_selector(".board .zone")
        watcher.wait_for_timeout(300)
        id = dealt.name.partition("/")[2]
        dom.add(watcher.locator("main").evaluate("(one) => one.outerHTML").replace(id, "ID"))
        stream = b"".join(bytes(part) for call, part in watcher.evaluate("window.received") if call == "WatchTable")
        messages.add(tuple(told(stream, dealt.name)))
        assert "observation {" in "".join(told(stream, dealt.name))
    assert len(hands) > 1                # the deals do differ
    assert len(dom) == 1
    assert len(messages) == 1


def test_a_tab_out_of_sight_gives_its_stream_back_and_catches_up(served, new_page):
    """Seven tabs of one browser would otherwise use up its six connections, and the next one would not load."""
    dealt = served.deal("tic_tac_toe")
    pages, watcher = [new_page(), new_page()], new_page()
    for seat, page in enumerate(pages):
        page.goto(dealt.link(seat))
    watcher.clock.install()
    watcher.goto(dealt.link())
    watcher.wait_for_selector(".board .zone")
    hide = """hidden => { Object.defineProperty(document, 'hidden', {configurable: true, get: () => hidden});
                         document.dispatchEvent(new Event('visibilitychange')); }"""
    watcher.evaluate(hide, True)
    watcher.clock.run_for(11_000)
    answer(pages[0])
    pages[1].wait_for_selector(MINE)
    assert watcher.locator(".log .line").count() == 0
    watcher.evaluate(hide, False)
    watcher.wait_for_selector(".log .line")


def test_what_is_not_there_is_said(served, new_page):
    page = new_page(allow="404")
    page.goto(f"{served.url}/#/tables/nothing")
    page.wait_for_selector(".failed")
    assert "There is no such table" in page.locator(".failed").inner_text()
    page.goto(f"{served.url}/#/new/nothing")
    page.wait_for_selector(".failed")
    page.goto(f"{served.url}/#/what/is/this")
    page.wait_for_selector(".failed:has-text('what/is/this')")


def test_a_seat_of_somebody_else_is_refused_in_words(served, new_page):
    dealt = served.deal("kuhn")
    page = new_page(allow="401|403")
    page.goto(f"{served.url}/#/{dealt.name}/seats/0")
    page.wait_for_selector(".failed")
    assert "those who are invited, or sit there" in page.locator(".failed").inner_text()
    assert page.locator(".card").count() == 0


def test_a_link_with_a_wrong_token_leaves_the_good_one_alone(served, new_page):
    dealt = served.deal("kuhn", bots={1: "random"})
    page = new_page(allow="401|403")
    page.goto(dealt.link(0))
    page.wait_for_selector(MINE)
    page.goto("about:blank")
    page.goto(f"{served.url}/#/{dealt.name}/seats/0?token=wrong")
    page.wait_for_selector(".failed")
    assert "wrong" not in page.url
    assert page.locator("main a").inner_text() == "Go on"       # by the good one
    page.reload()
    page.wait_for_selector(MINE)
    stranger = new_page(allow="401|403")
    stranger.goto(f"{served.url}/#/{dealt.name}/seats/0?token=wrong")
    stranger.wait_for_selector(".failed")
    assert stranger.locator("main a").inner_text() == "Lobby"


def test_a_link_with_a_token_outlives_a_reload_before_the_service_answers(served, new_page):
    dealt = served.deal("kuhn", bots={1: "random"})
    page = new_page(allow="Failed to load resource|ERR_FAILED")
    page.route("**/GetObservation", lambda route: route.abort())
    page.goto(dealt.link(0))
    page.wait_for_selector("main [role=status]")
    page.unroute("**/GetObservation")
    page.reload()
    page.wait_for_selector(MINE)
    assert "token" not in page.url


def test_native_grpc_and_the_page_share_one_port(served, new_page):
    """All tables of these tests are dealt by native gRPC at the address of the page; this one is seen from both sides."""
    dealt = served.deal("tic_tac_toe", bots={1: "random"})
    page = new_page()
    page.goto(dealt.link(0))
    play_on(page)
    assert served.tables().GetTable(served.request("GetTable", name=dealt.name)).state == 2
