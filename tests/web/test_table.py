"""The points that people love in such pages, one after the other."""
from __future__ import annotations

import re

import pytest

from people import MINE, OVER, answer, play_on


def names(locator):
    """Accessible names of elements."""
    return [one.get_attribute("aria-label") or one.inner_text() for one in locator.all()]


def test_one_glance_says_whose_turn_it_is_and_what_is_asked(served, new_page):
    dealt = served.deal("tic_tac_toe")
    first, second, watcher = new_page(), new_page(), new_page()
    first.goto(dealt.link(0))
    second.goto(dealt.link(1))
    watcher.goto(dealt.link())
    first.wait_for_selector(MINE)
    assert first.locator(".status .mine").inner_text() == "You play X: which cell?"
    assert second.locator(".status [role=status]").inner_text() == "1\nPerson 0 thinks …".replace("\n", "")
    assert "You are watching." in watcher.locator(".status").inner_text()
    assert watcher.locator(".actions").count() == 0
    answer(first)
    second.wait_for_selector(MINE)
    assert second.locator(".status .mine").inner_text() == "You play O: which cell?"
    assert "Person 1 thinks" in first.locator(".status").inner_text()
    watcher.wait_for_selector(".status:has-text('Person 1')")


def test_source_then_target_and_escape_takes_it_back(served, new_page):
    """In Titans a move names a piece or a die first, then where to."""
    page = new_page()
    page.goto(served.deal("titans", bots={1: "random"}, seed=3).link(0))
    for _ in range(80):
        page.wait_for_selector(MINE)
        targets = page.locator(".board button[data-target]")
        if targets.count() > 2 and page.locator(".actions [data-action]").count() > 2:
            everything = page.locator(".actions [data-action]").count()
            targets.first.click()
            page.wait_for_timeout(30)
            if page.locator(".chosen").count():
                break
        else:
            answer(page)
    else:
        pytest.fail("no question with more than one step")
    assert 1 < page.locator(".actions [data-action]").count() <= everything
    chosen = page.locator("[aria-pressed=true][data-target]")
    assert chosen.count() == 1
    page.keyboard.press("Escape")
    assert page.locator("[aria-pressed=true][data-target]").count() == 0
    assert page.locator(".actions [data-action]").count() == everything


def test_only_what_cannot_be_undone_is_asked_once_more(served, new_page):
    dealt = served.deal("leduc")
    first, second = new_page(), new_page()
    first.goto(dealt.link(0))
    second.goto(dealt.link(1))
    first.wait_for_selector(MINE)
    first.locator(".actions [data-action]", has_text=re.compile("raise|bet", re.IGNORECASE)).first.click()
    second.wait_for_selector(MINE)
    second.locator(".actions .irreversible").first.click()
    assert "can't be undone" in second.locator("[role=alertdialog]").inner_text()
    second.keyboard.press("Escape")
    assert second.locator("[role=alertdialog]").count() == 0
    assert second.locator(OVER).count() == 0
    second.locator(".actions .irreversible").first.click()
    second.locator("[data-confirm]").click()
    second.wait_for_selector(OVER)


def test_the_last_move_stands_out_and_things_move(served, new_page):
    page = new_page(reduced_motion="no-preference")
    page.goto(served.deal("goofspiel", bots={1: "random"}).link(0))
    page.wait_for_selector(".actions [data-group]")
    page.locator(".actions [data-group]").click()
    page.wait_for_selector(".actions [data-action]")
    moved = page.evaluate("""() => new Promise((resolve) => {
      const plain = Element.prototype.animate;
      Element.prototype.animate = function (...wanted) { resolve(this.dataset.id); return plain.apply(this, wanted); };
      document.querySelector(".actions [data-action]").click();
      setTimeout(() => resolve(""), 5000);
    })""")
    assert moved
    assert page.locator(".fresh").count() > 0


def test_nothing_moves_for_who_does_not_want_it(served, new_page):
    page = new_page(reduced_motion="reduce")
    page.goto(served.deal("goofspiel", bots={1: "random"}).link(0))
    page.wait_for_selector(MINE)
    page.evaluate("() => { Element.prototype.animate = () => { throw new Error('it moves'); }; }")
    answer(page)
    assert page.locator(".fresh").count() > 0


# How many pixels of the best suggestion with its reasons can't be seen, and which of the log's last lines lie below the hint.
BELOW_THE_HINT = """() => {
  const box = (one) => one.getBoundingClientRect();
  const [advice, best] = [document.querySelector(".advice"), document.querySelector(".best-ones > li .reasons")];
  advice.scrollTop = 0;
  const inner = [...document.querySelectorAll(".advice *")].filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY));
  const over = ["bottom", "right"].map((side) => box(best)[side] - box(advice)[side]);
  const cut = Math.max(...over, best.scrollHeight - best.clientHeight, 0);
  const hint = box(document.querySelector(".hint")).bottom;
  const covered = [...document.querySelectorAll(".log .line")].slice(-3).filter((line) => box(line).top < hint - 1);
  return { inner: inner.length, cut: Math.round(cut), covered: covered.map((line) => line.textContent) };
}"""
ALL_SEEN = {"inner": 0, "cut": 0, "covered": []}


def test_a_hint_is_drawn_on_the_board_with_its_reasons_and_why_not_mine(served, new_page, shot):
    page = new_page(viewport={"width": 1280, "height": 800})
    page.goto(served.deal("connect_four", bots={1: "random"}).link(0))
    answer(page)
    page.wait_for_selector(MINE)
    page.keyboard.press("h")
    page.wait_for_selector(".hint li")
    best = page.locator(".board .hinted")
    best.wait_for()
    assert best.count() == 1
    assert page.locator(".actions .best").count() == 1
    page.wait_for_selector(".hint.open[aria-busy=false]", timeout=10_000)
    assert page.locator(".hint .reasons li").count() > 0
    assert re.search(r"\d", page.locator(".hint .worth").first.inner_text())
    asked = page.locator(".whynot select")
    other = asked.locator("option").nth(2)
    asked.select_option(other.get_attribute("value"))
    assert other.inner_text() in page.locator(".hint .why").inner_text()
    edge, why = page.locator(".advice").bounding_box(), page.locator(".hint .why").bounding_box()
    assert edge["y"] - 1 <= why["y"] < edge["y"] + edge["height"] / 2
    assert page.evaluate(BELOW_THE_HINT) == ALL_SEEN
    shot(page, "hint")
    answer(page)
    assert page.locator(".hint.open").count() == 0


@pytest.mark.parametrize("width", [375, 1280])
def test_nothing_jumps_when_a_hint_comes(width, served, new_page):
    page = new_page(viewport={"width": width, "height": 800}, reduced_motion="reduce")
    page.goto(served.deal("hyde", bots={1: "random"}).link(0))
    play_on(page, presses=6)
    page.wait_for_selector(MINE)
    page.wait_for_timeout(200)          # what may be touched comes into sight
    where = """() => [...document.querySelectorAll(".status, .board [data-id], .actions button:not(#hint), .log, .replay, .owner")]
      .map((one) => one.getBoundingClientRect())
      .map(({ left, top, width, height }) => [left, top, width, height].map(Math.round))"""
    before = page.evaluate(where)
    page.keyboard.press("h")
    page.wait_for_selector(".hint.open li")
    assert page.evaluate(where) == before
    page.wait_for_selector(".hint.open[aria-busy=false]")
    assert page.evaluate(where) == before
    assert width < 960 or page.evaluate(BELOW_THE_HINT) == ALL_SEEN


def test_escape_stops_a_hint(served, new_page):
    page = new_page()
    page.goto(served.deal("connect_four", bots={1: "random"}).link(0))
    page.wait_for_selector(MINE)
    page.keyboard.press("h")
    page.wait_for_selector("#hint[aria-pressed=true]")
    page.keyboard.press("Escape")
    page.wait_for_selector("#hint[aria-pressed=false]")
    page.wait_for_selector(".hint.open[aria-busy=false]")
    page.keyboard.press("Escape")                               # and once more closes it
    page.wait_for_selector(".hint.open", state="detached")


def test_the_log_folds_detail_and_jumps(served, new_page):
    page = new_page()
    page.goto(served.deal("hyde", bots={1: "random"}, seed=5).link(0))
    play_on(page, presses=6)
    page.wait_for_selector(MINE)
    folded = page.locator(".log .fold[aria-expanded=false]")
    assert folded.count() > 0
    before = page.locator(".log .line").count()
    folded.first.click()
    assert page.locator(".log .line").count() > before
    line = page.locator(".log .line").nth(1)
    line.click()
    page.wait_for_selector("main.past")
    assert line.get_attribute("aria-current") == "step"
    assert "Looking back" in page.locator(".status").inner_text()
    page.keyboard.press("Escape")
    page.wait_for_selector("main:not(.past)")


def test_arrow_keys_look_back_during_the_game_and_a_link_shows_a_moment(served, new_page):
    dealt = served.deal("tic_tac_toe", bots={1: "random"})
    page = new_page()
    page.goto(dealt.link(0))
    page.wait_for_selector(MINE)
    empty = names(page.locator(".board .cell"))
    answer(page)
    page.wait_for_selector(MINE)
    now = names(page.locator(".board .cell"))
    assert now != empty
    page.keyboard.press("Home")
    page.wait_for_selector("main.past[data-at]")
    assert names(page.locator(".board .cell")) == empty
    assert "You were asked" in page.locator(".status").inner_text()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("h")                                    # before the moment is there, and after: it was another's turn
    page.wait_for_selector("main.past[data-at]")
    page.keyboard.press("h")
    page.wait_for_timeout(50)
    assert page.locator("#hint").count() == page.locator(".hint.open").count() == 0
    assert "Bot 1 was to act" in page.locator(".status").inner_text()
    before = names(page.locator(".board .cell"))
    assert before not in (now, empty)
    assert page.locator(".actions").count() == 0               # nothing can be done in the past
    moment = page.url
    assert "@" in moment
    page.reload()
    page.wait_for_selector("main.past[data-at]")
    assert names(page.locator(".board .cell")) == before
    page.keyboard.press("End")
    page.wait_for_selector(MINE)
    assert names(page.locator(".board .cell")) == now


def test_a_moment_past_says_who_was_to_act(served, new_page):
    dealt = served.deal("tic_tac_toe")
    first, watcher = new_page(), new_page()
    first.goto(dealt.link(0))
    watcher.goto(dealt.link())
    first.wait_for_selector(MINE)
    answer(first)
    second = new_page()
    second.goto(dealt.link(1))
    second.wait_for_selector(MINE)
    answer(second)
    first.wait_for_selector(MINE)
    seen = set()
    for page, observer in ((first, "/seats/0"), (watcher, "")):
        for moment in range(1, 6):
            page.goto(f"{served.url}/#/{dealt.name}{observer}@{moment}")
            page.reload()
            page.wait_for_selector(f"main.past[data-at='{moment}']")
            seen.add(page.locator(".status [role=status]").inner_text())
            assert page.get_by_text("to act", exact=True).count() == 0
    assert {"You were asked: You play X: which cell?", "1Person 0 was to act", "2Person 1 was to act"} <= seen


def test_a_finished_game_is_replayed_by_who_comes_later(served, new_page):
    dealt = served.deal("connect_four", bots={0: "random", 1: "random"})
    page = new_page()
    page.goto(dealt.link())
    page.wait_for_selector(OVER)
    page.keyboard.press("Home")
    seen = []
    for _ in range(4):
        page.wait_for_selector("main.past[data-at]")
        stones = sum(bool(re.match("[XO]", name)) for name in names(page.locator(".board .cell")))
        seen.append((stones, page.locator(".status [role=status]").inner_text()))
        moment = page.locator("main.table").get_attribute("data-at")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f"main.past[data-at]:not([data-at='{moment}'])")
    assert seen == [(number, f"{number % 2 + 1}Bot {number % 2} was to act") for number in range(4)]
    page.locator(".log .line").first.click()                    # where it has led to, with the same words
    page.wait_for_selector("main.past[data-at]")
    page.wait_for_selector(".status:has-text('Bot 1 was to act')")
    assert page.locator(".log .line").first.get_attribute("aria-current") == "step"


def test_a_whole_game_by_the_keyboard_alone(served, new_page):
    page = new_page()
    page.goto(served.deal("tic_tac_toe", bots={1: "random"}).link(0))
    while True:
        page.wait_for_selector(f"{MINE}, {OVER}")
        if page.locator(OVER).count():
            break
        for _ in range(40):         # to the board with the tabulator, over it with the arrows
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.matches('.board button')"):
                break
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.matches('.board [data-id]')")
        before = page.locator("main.table").get_attribute("data-sequence")
        page.keyboard.press("1")
        page.wait_for_selector(f"main.table:not([data-sequence='{before}'])")
    assert page.locator(".log[aria-label] [aria-live=polite]").count() == 1
    assert page.locator(".status [role=status]").count() == 1


def test_number_keys_press_the_buttons_that_show_them(served, new_page):
    """Where there are many answers, buttons stand for verbs: a key opens its verb, and a key that no button shows does nothing."""
    page = new_page()
    page.goto(served.deal("mythos", bots={1: "random"}).link(0))
    answer(page)
    page.wait_for_selector(".actions [data-group]")
    shown = [one.inner_text() for one in page.locator(".actions kbd").all()]
    groups = page.locator(".actions [data-group]")
    before = page.locator("main.table").get_attribute("data-sequence")
    unused = next(key for key in "987654321" if key not in shown)
    page.keyboard.press(unused)
    page.wait_for_timeout(200)
    assert page.locator("main.table").get_attribute("data-sequence") == before
    key, verb = groups.first.locator("kbd").inner_text(), groups.first.get_attribute("data-group")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.keyboard.press(key)
    page.wait_for_selector(".actions [data-action]")
    page.keyboard.press("h")                                    # among many answers, and long words
    page.wait_for_selector(".hint.open[aria-busy=false]")
    assert page.evaluate(BELOW_THE_HINT)["cut"] == 0
    page.keyboard.press("Escape")
    page.keyboard.press(key)
    page.wait_for_selector(".actions [data-action]")
    assert all(verb in text for text in page.locator(".actions [data-action] span").all_inner_texts())
    assert page.locator("main.table").get_attribute("data-sequence") == before
    assert page.evaluate("document.activeElement !== document.body")


@pytest.mark.parametrize("game", ["mythos", "titans", "hundred_days", "monster_chase", "hyde"])
def test_something_that_may_be_touched_is_in_sight(game, served, new_page):
    page = new_page(reduced_motion="reduce")
    page.goto(served.deal(game, bots={1: "random"}).link(0))
    for _ in range(6):
        page.wait_for_selector(f"{MINE}, {OVER}")
        if page.locator(OVER).count():
            break
        if page.locator(".board .next").count():
            page.wait_for_function("""() => [...document.querySelectorAll(".board .next")].some((one) => {
              const { top, bottom } = one.getBoundingClientRect();
              const { top: bar, left } = document.querySelector(".actions").getBoundingClientRect();
              return top >= 0 && bottom <= (left > 100 ? innerHeight : bar + 1);      // they stand below the board, or beside it
            })""")
        answer(page)
    inside = """() => [...document.querySelectorAll(".map .map")].flatMap((tile) => {
      const edge = tile.getBoundingClientRect().right + 2;
      return [...tile.children].filter((one) => one.getBoundingClientRect().right > edge).map((one) => one.textContent);
    })"""
    assert page.evaluate(inside) == []


BIG = {"mythos": 2, "titans": 2, "hundred_days": 4, "monster_chase": 4, "hyde": 4}
"""Games with much on the table, and seats."""

# How many pixels of each part lie outside of the window, of the board below one's own cards, and beside what they lie in.
OUT_OF_SIGHT = """() => {
  const box = (what) => document.querySelector(what).getBoundingClientRect();
  const parts = { question: ".status", answers: ".actions", board: ".middle .map", own: ".mine[data-seat]" };
  const outside = ({ left, top, right, bottom }) => Math.round(Math.max(-left, -top, right - innerWidth, bottom - innerHeight, 0));
  const found = Object.entries(parts).map(([part, what]) => [part, outside(box(what))]);
  const below = Math.round(Math.max(box(".middle .map").bottom - box(".mine[data-seat]").top, 0));
  const wide = [...document.querySelectorAll(".middle .map, .mine .zones")].map((one) => one.scrollWidth - one.clientWidth);
  return Object.fromEntries([...found, ["covered", below], ["cut", Math.max(...wide)]].filter(([, far]) => far > 1));
}"""


@pytest.mark.parametrize("game", BIG)
def test_question_answers_board_and_own_cards_are_seen_without_scrolling(game, served, new_page):
    page = new_page(reduced_motion="reduce")
    page.goto(served.deal(game, seats=BIG[game], bots=dict.fromkeys(range(1, BIG[game]), "random"), seed=7).link(0))
    page.wait_for_selector(MINE)
    play_on(page, presses=15)
    page.wait_for_selector(MINE)
    for width, height in ((1280, 800), (1366, 768), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(50)
        assert page.evaluate(OUT_OF_SIGHT) == {}, (width, height)


# Words of names on the board that stand on two lines or reach out of what they lie on, and how much of the window the answers take.
BROKEN = """() => {
  const broken = [];
  for (const name of document.querySelectorAll(".board .map > .zone > .head .title, .board .card .name")) {
    if (name.closest(".map .map") || !name.checkVisibility()) continue;          // in initials there; folded
    const edge = name.closest(".card, .zone").getBoundingClientRect();
    const walker = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      for (const { index, 0: { length } } of walker.currentNode.data.matchAll(/[^\\s-]+/g)) {
        const range = document.createRange();
        range.setStart(walker.currentNode, index);
        range.setEnd(walker.currentNode, index + length);
        const boxes = [...range.getClientRects()];
        const out = boxes.some((one) => one.left < edge.left - 1 || one.right > edge.right + 1 || one.bottom > edge.bottom + 1);
        const opens = getComputedStyle(name).textOverflow === "ellipsis";           // where one points
        if (new Set(boxes.map((one) => one.top)).size !== 1 || (out && !opens) || !name.clientHeight) broken.push(range.toString());
      }
    }
  }
  return broken;
}"""


def test_a_phone_shows_what_one_may_do(served, new_page, shot):
    page = new_page(viewport={"width": 375, "height": 720}, has_touch=True, is_mobile=True)
    for game in ("connect_four", "mythos", "titans", "monster_chase", "hundred_days", "hyde"):
        page.goto(served.deal(game, bots={1: "random"}).link(0))
        page.wait_for_selector(MINE)
        if game in ("mythos", "hyde"):
            play_on(page, presses=10)
            page.wait_for_selector(MINE)
        assert page.evaluate(BROKEN) == [], game
        assert page.evaluate("document.documentElement.scrollWidth") <= 375, game
        assert page.locator(".actions").bounding_box()["height"] <= .4 * 720, game
        box = page.locator(".actions").bounding_box()
        assert box["y"] + box["height"] <= 721, game                # they stick to the bottom
        small = page.evaluate("""() => [...document.querySelectorAll(".actions button, button[data-target]")].filter((one) => {
          const { width, height } = one.getBoundingClientRect();
          return width < 44 || height < 44;
        }).map((one) => one.outerHTML.slice(0, 120))""")
        assert small == [], game
    shot(page, "phone")


def test_a_card_grows_and_says_its_rules(served, new_page):
    page = new_page()
    page.goto(served.deal("mythos", bots={1: "random"}).link(0))
    page.wait_for_selector(MINE)
    card = page.locator(".mine .card").first
    card.hover()
    page.wait_for_selector(".look p")
    assert card.locator(".name").inner_text() in page.locator(".look").inner_text()
    assert len(page.locator(".look p").first.inner_text()) > 10
    page.mouse.move(2, 2)
    page.wait_for_selector(".look", state="detached")
    card.focus()                # by the keyboard, too
    page.wait_for_selector(".look p")


def test_waiting_can_be_skipped_and_the_pace_changed(served, new_page):
    dealt = served.deal("tic_tac_toe", bots={1: "random"}, pace_ms=30_000)
    page = new_page()
    page.goto(dealt.link(0))
    page.wait_for_selector(MINE)
    page.evaluate("([name, token]) => localStorage.setItem(`seatmate:${name}`, token)", [dealt.name, dealt.token])     # who dealt
    page.reload()
    answer(page)
    page.locator("[data-skip]").click()
    page.wait_for_selector(MINE)            # long before 30 s


def test_the_title_says_and_blinks_when_it_is_your_turn(served, new_page):
    page = new_page()
    page.goto(served.deal("tic_tac_toe").link(0))
    page.wait_for_selector(MINE)
    assert page.title().startswith("● Your turn")
    page.evaluate("""() => {
      Object.defineProperty(document, 'hidden', {configurable: true, get: () => true});
      window.titles = new Set();
      new MutationObserver(() => window.titles.add(document.title)).observe(document.querySelector('title'), {childList: true});
    }""")
    page.wait_for_timeout(2200)
    assert page.evaluate("window.titles.size") == 2
    page.evaluate("() => { Object.defineProperty(document, 'hidden', {configurable: true, get: () => false}); }")
    answer(page)
    page.wait_for_timeout(100)
    assert "turn" not in page.title()


def test_after_the_game_its_course_and_the_largest_mistakes(served, new_page, shot):
    page = new_page(viewport={"width": 1280, "height": 800})
    page.goto(served.deal("connect_four", bots={1: "heuristic"}, seed=4).link(0))
    play_on(page)
    page.locator("#course").click()
    page.wait_for_selector(".mistakes li", timeout=60_000)
    page.wait_for_selector(".course progress", state="detached", timeout=60_000)
    assert page.locator(".graph circle").count() > 3
    graph, mistakes = page.locator(".graph").bounding_box(), page.locator(".mistakes").bounding_box()
    assert graph["height"] > 60
    assert graph["y"] + graph["height"] <= mistakes["y"]
    assert mistakes["height"] > 90
    assert mistakes["y"] + mistakes["height"] <= 800
    worst = page.locator(".mistakes button").first
    assert "better:" in worst.inner_text()
    worst.click()
    page.wait_for_selector(f"main.past[data-at='{worst.get_attribute('data-at')}']")
    page.wait_for_selector(".hint li")                          # what the hint would have been, drawn on the board of that moment
    page.wait_for_selector(".board .hinted")
    shot(page, "course")


def test_rematch_and_the_next_level(served, new_page):
    page = new_page()
    page.goto(served.deal("tic_tac_toe", bots={1: "level:novice"}).link(0))
    play_on(page)
    before = page.url
    page.locator("[data-next-level]").click()
    page.wait_for_url(lambda url: url != before)
    page.wait_for_selector(MINE)
    assert page.locator(".board").count() == 1
    play_on(page)
    before = page.url
    page.locator("[data-rematch]").click()
    page.wait_for_url(lambda url: url != before)
    page.wait_for_selector(MINE)
