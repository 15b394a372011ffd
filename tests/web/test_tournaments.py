"""Tournaments in the browser: only for who has the owner's token, how far they are, and the report as it is elsewhere."""
from __future__ import annotations

import json

import pytest

from seatmate.client import blocking
from seatmate.v1 import tournament_service_pb2 as pb

from .conftest import Served, running

REFUSED = "Failed to load resource"


@pytest.fixture
def with_tournaments(tmp_path):
    yield from running(Served(tmp_path, "--tournaments", str(tmp_path / "kept")))


def test_who_has_the_token_sees_the_report(with_tournaments, new_page, tmp_path):
    with blocking.connect(with_tournaments.address) as client:
        one = client.create_tournament("kuhn", ["heuristic", "random"], 20, seed=7, ratings=True)
        strangers = client.create_tournament("kuhn", ["random", "random"], 2, seed=7)
        assert [step.tournament.state for step in one.watch()][-1] == pb.TOURNAMENT_STATE_FINISHED
        told = json.loads(one.report("tables"))
        page = new_page(allow=REFUSED)
        page.goto(f"{with_tournaments.url}/#/tournaments")
        page.fill("input[name=token]", "nobody-knows-this-one")
        page.locator("form button").click()
        page.wait_for_selector("p.failed")
        assert page.locator("[data-tournament]").count() == 0
        page.fill("input[name=token]", one.token)
        page.locator("form button").click()
        page.wait_for_selector(f"[data-tournament='{one.name}']")
        assert page.locator(f"[data-tournament='{strangers.name}']").count() == 0
        assert "40 of 40 games" in page.locator("[data-tournament]").text_content()
        page.locator("[data-tournament] a").click()
        for section in told["sections"]:
            page.wait_for_selector(f"#report-{section['key']}")
            shown = page.locator(f"#report-{section['key']} tbody tr").all()
            assert [[cell.text_content() for cell in row.locator("td").all()] for row in shown] == section["rows"]
        with page.expect_download() as saved:
            page.locator("button", has_text="Save").click()
        saved.value.save_as(tmp_path / "report.html")
        assert (tmp_path / "report.html").read_text() == one.report("html")
        page.goto(f"{with_tournaments.url}/#/")
        page.locator("a[href='#/tournaments']").click()
        page.wait_for_selector(f"[data-tournament='{one.name}']")      # the token is kept here
        page.goto(f"{with_tournaments.url}/#/{strangers.name}")
        page.wait_for_selector("p.failed")
        assert page.locator("section").count() == 0


def test_a_server_without_tournaments_says_so(served, new_page):
    page = new_page(allow=REFUSED)
    page.goto(f"{served.url}/#/tournaments")
    page.fill("input[name=token]", "nobody-knows-this-one")
    page.locator("form button").click()
    page.wait_for_selector("p.failed")
    assert "plays no tournaments" in page.locator("p.failed").text_content()
