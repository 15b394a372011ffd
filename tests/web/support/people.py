"""What people do with the page."""
from __future__ import annotations

from typing import Any

MINE = "main.table[data-ready=true]"
OVER = "main.table[data-link=over]"

# Presses one of the buttons, by a fixed sequence of numbers, until the game is over: a game of a thousand answers would take
# minutes with a round trip to the test for each of them. Every press is one that a person can make.
PLAY_ON = """async ([limit, seed, most]) => {
  let [done, random] = [0, seed];
  const pause = () => new Promise((resolve) => setTimeout(resolve, 0));
  const until = performance.now() + limit;
  while (performance.now() < until) {
    const main = document.querySelector("main.table");
    if (main?.dataset.link === "over" || done >= most) return done;
    const buttons = [...document.querySelectorAll(".actions [data-confirm], .actions [data-action], .actions [data-group]")];
    if (buttons.length) {
      random = (random * 48271) % 2147483647;
      buttons[random % buttons.length].click();
      done++;
    }
    const failed = document.querySelector(".failed");
    if (failed) throw new Error(failed.textContent);
    await pause();
  }
  throw new Error(`no end after ${done} presses: ${document.querySelector(".status")?.textContent}`);
}"""


def start(page: Any, url: str, game: str, bot: str = "level:casual") -> None:
    """From the lobby to a table, as somebody new does."""
    page.goto(url)
    form = page.locator(f"form[data-game='games/{game}']")
    form.locator("select[name=bot]").select_option(bot)
    form.locator("[data-play]").click()
    page.wait_for_selector("main.table")


def play_on(page: Any, *, presses: int = 100_000, seconds: float = 200, seed: int = 7) -> int:
    """To the end of the game, or so many presses; returns their number."""
    page.set_default_timeout(seconds * 1000 + 5000)
    done: int = page.evaluate(PLAY_ON, [seconds * 1000, seed, presses])
    page.set_default_timeout(15_000)
    return done


def answer(page: Any, number: int = 0) -> None:
    """Press an answer and wait until it has been carried out."""
    page.wait_for_selector(MINE)
    before = page.locator("main.table").get_attribute("data-sequence")
    while not page.locator(".actions [data-action]").count():
        page.locator(".actions [data-group]").first.click()
    page.locator(".actions [data-action]").nth(number).click()
    if page.locator("[data-confirm]").count():
        page.locator("[data-confirm]").click()
    page.wait_for_selector(f"main.table:not([data-sequence='{before}'])")
