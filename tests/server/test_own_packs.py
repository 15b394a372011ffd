"""Content packs of one's own on a server: `serve --pack FILE`."""
from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from grpc import StatusCode

from playing import House, refused
from seatmate.client import connect
from seatmate.engine.core.registry import game_spec, list_games
from seatmate.server.config import ServerConfig
from seatmate.server.options import StartupError
from seatmate.server.service import running_server
from seatmate.v1 import catalog_service_pb2 as catalog
from seatmate.v1 import settings_pb2, table_pb2
from seatmate.v1 import table_service_pb2 as pb

GAMES = [spec.id for spec in list_games() if spec.packs]


def own_pack(folder: Path, game: str, name: str, title: str = "Mine") -> Path:
    """A pack of one's own with nothing new but its name and title."""
    file = folder / f"{name}.toml"
    file.write_text(f'[pack]\ngame = "{game}"\nname = "{name}"\nversion = "1.0"\ntitle = "{title}"\nextends = "standard"\n')
    return file


def config(folder: Path, *packs: Path) -> ServerConfig:
    return ServerConfig(address="127.0.0.1:0", database=str(folder / "t.sqlite3"), workers=1, packs=packs)


async def create(house: House, game: str, pack: str) -> pb.CreateTableResponse:
    seats = [table_pb2.SeatPlan(seat=seat, bot="heuristic") for seat in range(2)]
    return await house.client.tables.CreateTable(pb.CreateTableRequest(
        settings=settings_pb2.GameSettings(game=f"games/{game}", pack=pack, seat_count=2), bots=seats,
        access=table_pb2.ACCESS_OPEN))


@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_played_with_a_pack_that_the_server_was_started_with(tmp_path: Path, game: str) -> None:
    files = [own_pack(tmp_path, game, f"{game}-first"), own_pack(tmp_path, game, f"{game}-second", "Other")]

    async def with_packs() -> tuple[str, str]:
        async with running_server(config(tmp_path, *files)) as address, connect(address) as client:
            house = House(client, address)
            listed = (await client.catalog.GetGame(catalog.GetGameRequest(name=f"games/{game}"))).packs
            assert [pack.name for pack in listed] == [*shipped, f"{game}-first", f"{game}-second"]
            assert listed[-1].title == "Other" and len({pack.hash for pack in listed}) == len(listed)
            made = await create(house, game, f"{game}-second")
            assert (made.table.settings.pack, made.table.settings.pack_hash) == (f"{game}-second", listed[-1].hash)
            other = await create(house, game, "")
            async with refused(StatusCode.INVALID_ARGUMENT, "BAD_SETTING", f"did you mean '{game}-first'?", field="settings.pack"):
                await create(house, game, f"{game}-firts")
            for path in (str(files[0]), f"{game}-first.toml"):
                async with refused(StatusCode.INVALID_ARGUMENT, "BAD_SETTING", field="settings.pack"):
                    await create(house, game, path)
            return made.table.name, other.table.name

    async def finished(house: House, name: str) -> bool:
        stream = house.client.tables.WatchTable(pb.WatchTableRequest(observer=name))
        async with asyncio.timeout(120):
            async for _ in stream:
                pass
        return (await house.client.tables.GetTable(pb.GetTableRequest(name=name))).state == table_pb2.Table.STATE_FINISHED

    async def without(mine: str, other: str) -> None:
        async with running_server(config(tmp_path)) as address, connect(address) as client:
            found = await client.tables.GetTable(pb.GetTableRequest(name=mine))
            assert found.state == table_pb2.Table.STATE_UNREADABLE and f"'{game}-second'" in found.unreadable_reason
            assert "--pack FILE" in found.unreadable_reason and found.settings.pack == f"{game}-second"
            async with refused(StatusCode.FAILED_PRECONDITION, "OTHER_RULES_OR_CONTENT", "--pack FILE"):
                await client.tables.GetObservation(pb.GetObservationRequest(observer=mine))
            assert await finished(House(client, address), other)
            async with refused(StatusCode.INVALID_ARGUMENT, "BAD_SETTING", field="settings.pack"):
                await create(House(client, address), game, f"{game}-second")

    async def again(mine: str) -> None:
        async with running_server(config(tmp_path, *files)) as address, connect(address) as client:
            assert await finished(House(client, address), mine)

    shipped = game_spec(game).packs
    mine, other = asyncio.run(with_packs())
    assert game_spec(game).packs == shipped
    asyncio.run(without(mine, other))
    asyncio.run(again(mine))


def test_packs_that_cannot_be_used(tmp_path: Path) -> None:
    async def start(*packs: Path) -> None:
        async with running_server(config(tmp_path, *packs)):
            pass

    good, twice = own_pack(tmp_path, "hyde", "good-one"), tmp_path / "twice.toml"
    twice.write_text(good.read_text().replace("Mine", "Another"))
    taken = tmp_path / "taken.toml"
    whole = Path(game_spec("hyde").load_pack("standard").file).read_text()  # type: ignore[misc]
    taken.write_text(whole)
    broken = tmp_path / "broken.toml"
    broken.write_text(good.read_text() + "\n[[place]]\nkey = \"crypt\"\neffects = [\"score_place: ZERRO()\"]\nsource = \"house\"\n")
    no_game = tmp_path / "none.toml"
    no_game.write_text(good.read_text().replace('game = "hyde"\n', ""))
    kuhn = tmp_path / "kuhn.toml"
    kuhn.write_text(good.read_text().replace("hyde", "kuhn"))
    odd = tmp_path / "odd.toml"
    odd.write_text(good.read_text().replace("good-one", "../odd"))
    for file, words in ((tmp_path / "missing.toml", "there is no such file"), (tmp_path / "pack.txt", "ends in .toml"),
                        (taken, "'standard' already"), (broken, "did you mean 'ZERO'"), (no_game, "for which game"),
                        (kuhn, "kuhn has no content packs"), (odd, "no name for others"), (twice, "'good-one' already")):
        with pytest.raises(StartupError, match=re.escape(words)) as caught:
            asyncio.run(start(good, file))
        assert str(file) in str(caught.value)
        assert "good-one" not in game_spec("hyde").packs
    with pytest.raises(StartupError, match="another pack of hyde"):     # what a process has read stays read
        asyncio.run(start(twice))
