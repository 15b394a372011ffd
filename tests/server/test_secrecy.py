"""One seat's calls say nothing of what the others hold."""
from __future__ import annotations

import grpc
import pytest
from google.protobuf.message import Message

from playing import GAMES, Player, TableAt, play_on, sent_with
from seatmate.engine.core.registry import new_game
from seatmate.v1 import analysis_pb2, settings_pb2, table_pb2
from seatmate.v1 import table_service_pb2 as pb

pytestmark = pytest.mark.asyncio


def twin_seeds(game: str, seat: int, seats: int) -> tuple[int, int]:
    """Two deals that this seat cannot tell apart, though the world behind is another one."""
    found: dict[str, tuple[int, bytes]] = {}
    for seed in range(200_000):
        state = new_game(game, seats=seats).new_state(seed)
        seen = repr(state.events(seat))
        if seen in found and found[seen][1] != state.to_bytes():
            return found[seen][0], seed
        found.setdefault(seen, (seed, state.to_bytes()))
    raise AssertionError("no twins")


async def whole_view(table: TableAt, player: Player, others: list[Player]) -> list[str]:
    """The text of every answer the seat can get, with the names of the table taken out."""
    answers: list[Message | str] = [await player.observe(), await player.legal(), await player.export(),
                                    await table.get(), await table.export()]
    stream = player.watch(include_observation=True)
    answers.append(await stream.read())
    stream.cancel()
    sequence = (await player.observe()).sequence
    for at in range(1, sequence + 1):
        answers += [await player.observe(at), await player.legal(at)]
    budget = analysis_pb2.Budget(iterations=200)
    for call in (player.suggest(budget=budget, seed=9), player.suggest(budget=budget, seed=9, at_sequence=sequence),
                 player.submit(10_000, sequence), player.submit(0, sequence + 5),
                 player.submit(0, sequence - 1), Player(player.client, others[0].seat, player.token).observe(),
                 Player(player.client, others[0].seat, player.token).submit(0, 1)):
        try:
            answer = await call
            if isinstance(answer, analysis_pb2.Analysis):
                answer.elapsed_ms = 0
            answers.append(answer)
        except grpc.aio.AioRpcError as error:
            answers.append(f"{error.code()} {error.details()} {sent_with(error)}")
    texts = [str(answer).replace(table.name, "tables/x") for answer in answers]
    return ["\n".join(line for line in text.splitlines() if "seconds" not in line and "nanos" not in line)
            for text in texts]


@pytest.mark.parametrize("seat", [0, 1])
async def test_worlds_a_seat_cannot_tell_apart_give_the_same_answers(house, seat):
    views = []
    for seed in twin_seeds("kuhn", seat, 2):
        table = await house.table("kuhn", seed=seed)
        players = await table.claim_all()
        await play_on(players, decisions=seat)
        views.append(await whole_view(table, players[seat], [players[1 - seat]]))
    assert views[0] == views[1]
    assert any("analysis" in line or "visits" in line for line in views[0])


@pytest.mark.parametrize("game", GAMES)
async def test_seeds_and_tokens_never_appear_before_the_end(house, game, caplog):
    caplog.set_level("DEBUG")
    seed = 1234567890123456789
    table = await house.table(game, seed=seed, seats=2, access=table_pb2.ACCESS_OPEN)
    players = await table.claim_all()
    await play_on(players, decisions=1)
    answers = [await table.get(), await table.export(),
               await house.client.tables.ListTables(pb.ListTablesRequest())]
    for player in players:
        answers += [await player.observe(), await player.legal(), await player.export()]
    said = "\n".join(map(str, answers)) + caplog.text
    for secret in (str(seed), hex(seed), table.token, table.invitation, *(player.token for player in players)):
        assert secret not in said
    await play_on(players)
    assert str(seed) in (await table.export()).record


async def test_hints_and_bots_never_change_the_deal(house):
    records = []
    for asks in (False, True):
        table = await house.table("kuhn", seed=77)
        players = await table.claim_all()
        if asks:
            for _ in range(3):
                await players[0].suggest(budget=analysis_pb2.Budget(iterations=50))
        await play_on(players)
        records.append((await table.export()).record)
    assert records[0] == records[1]


# ---- Secret settings: decks with closed lists ----

MISSIONS = ("MSS-01", "MSS-02", "MSS-03")
LIST, OTHER = (", ".join([*(f"2 KS-{number:03d}" for number in cards), *MISSIONS]) for cards in (range(20, 35), range(60, 75)))


def deck_of(settings: settings_pb2.GameSettings, seat: int) -> str:
    return settings.options[f"deck{seat}"].text


async def test_tables_that_differ_in_the_other_deck_look_the_same_until_its_cards_are_seen(house):
    """In observations, events, legal actions, hints, errors, records and the table's own settings; to seat 0 and to everybody."""
    views: list[list[list[str]]] = []
    for deck in (LIST, OTHER, "random:3"):
        if deck == "random:3":
            missions = new_game("mythos", options={"deck1": deck}).new_state(1).observation(0)["triples"][1]
            assert set(missions) != set(MISSIONS)
        table = (await house.table("mythos", seed=11, access=table_pb2.ACCESS_OPEN, options={
            "deck0": "leaf", "deck1": deck, "open_decklists": "no", "first": "0"})).as_seen_with("")
        players = await table.claim_all()
        shown = [await whole_view(table, players[0], [players[1]])]
        if deck != "random:3":                          # with other missions the first of them may tell
            await play_on(players, decisions=2)         # both keep their hands; seat 0 has its first turn
            assert (await players[0].legal()).prompt == "TURN"
            shown.append(await whole_view(table, players[0], [players[1]]))
        views.append(shown)
        spectators = [await table.get(), await table.export()]
        assert all("KS-" not in str(answer) for answer in spectators)
    assert views[0] == views[1]
    assert views[0][0] == views[2][0]
    assert any("visits" in answer for answer in views[0][1])


async def test_who_sees_which_deck_and_when(house):
    table = (await house.table("mythos", seed=3, access=table_pb2.ACCESS_OPEN, options={
        "deck0": "leaf", "deck1": LIST, "open_decklists": "no"})).as_seen_with("")
    players = await table.claim_all()
    listed = await house.client.tables.ListTables(pb.ListTablesRequest(game="games/mythos"))
    hidden = [(await table.get()).settings, listed.tables[0].settings, (await table.export()).settings]
    for settings in hidden:
        assert [deck_of(settings, seat) for seat in range(2)] == ["unknown:30", "unknown:30"]
    for player in players:
        settings = (await player.export()).settings
        assert deck_of(settings, player.number) == ("leaf", LIST)[player.number]
        assert deck_of(settings, 1 - player.number) == "unknown:30"
    await play_on(players, choose=max)
    for settings in ((await table.get()).settings, (await table.export()).settings):
        assert [deck_of(settings, seat) for seat in range(2)] == ["leaf", LIST]
    assert (await table.export()).complete
