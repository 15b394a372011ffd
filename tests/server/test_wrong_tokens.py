"""Guessing tokens: an address may be wrong so often in a minute, and whoever has the right one goes on."""
from __future__ import annotations

import asyncio
from collections import Counter

import grpc
import pytest
from google.rpc import error_details_pb2

from figures import measured, scrape
from seatmate.client import error_reason, read_detail
from seatmate.server import wrong_tokens
from seatmate.server.wrong_tokens import WrongTokens
from seatmate.v1 import table_service_pb2 as pb
from web import OTHER_HOST, by_web

pytestmark = pytest.mark.asyncio

REFUSED = ("seatmate_refusals_total", (("reason", "TOO_MANY_WRONG_TOKENS"),))


async def test_an_address_may_be_wrong_so_often(tmp_path):
    async with measured(tmp_path, wrong_tokens=5) as (server, house):
        table = await house.table("kuhn")
        player = await table.claim(0)
        answers = await asyncio.gather(
            *(table.as_seen_with(f"guess-{number}").get() for number in range(8)),
            house.client.tables.GetTable(pb.GetTableRequest(name=table.name), metadata=(("authorization", "Guess 1"),)),
            return_exceptions=True)
        reasons = Counter(map(error_reason, answers))
        assert reasons["TOO_MANY_WRONG_TOKENS"] == 4 and reasons["WRONG_TOKEN"] + reasons["BAD_TOKEN"] == 5
        for answer in answers:
            retry = error_details_pb2.RetryInfo()
            if error_reason(answer) == "TOO_MANY_WRONG_TOKENS":
                assert answer.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
                assert read_detail(answer, retry) and 0 < retry.retry_delay.ToMilliseconds() <= 12_000
        assert (await table.get()).name == table.name       # tokens that fit, from the same address
        await player.legal()
        assert (await scrape(server))[0][REFUSED] == 4
        # Who has no token at all is told so, and another address has its own share.
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await table.as_seen_with("").get()
        assert error_reason(caught.value) == "TOKEN_MISSING"
        assert await asyncio.to_thread(by_web, server.address, OTHER_HOST) == 200


async def test_who_has_lost_a_seat_is_not_counted(tmp_path):
    async with measured(tmp_path, wrong_tokens=1) as (_, house):
        table = await house.table("kuhn")
        player = await table.claim(0)
        await player.leave()
        reasons: Counter[str] = Counter()
        for _ in range(3):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await player.legal()
            reasons[error_reason(caught.value)] += 1
        assert reasons == {"SEAT_LOST": 3}


async def test_a_minute_brings_as_many_again(monkeypatch):
    now = 0.0
    monkeypatch.setattr(wrong_tokens.time, "monotonic", lambda: now)
    tokens = WrongTokens(60)
    assert [tokens.take("a") for _ in range(60)] == [0.0] * 60
    assert tokens.take("a") == pytest.approx(1.0)
    assert tokens.take("b") == 0.0
    now = 0.5
    assert tokens.take("a") == pytest.approx(0.5)
    now = 1.0
    assert tokens.take("a") == 0.0 and tokens.take("a") > 0
    now = 1000.0
    assert [tokens.take("a") > 0 for _ in range(61)] == [False] * 60 + [True]
    assert not any(WrongTokens(0).take("a") for _ in range(100))


async def test_addresses_are_forgotten_at_last(monkeypatch):
    monkeypatch.setattr(wrong_tokens, "_MOST_ADDRESSES", 2)
    tokens = WrongTokens(1)
    assert [tokens.take(caller) > 0 for caller in "abac"] == [False, False, True, False]
    assert [tokens.take(caller) > 0 for caller in "ab"] == [True, False]       # b was wrong before a
