"""Packs that extend another one: in every game, one card is one table."""
from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from seatmate.engine.core.errors import PackError
from seatmate.engine.core.packs import LoadedPack, provenance
from seatmate.engine.core.registry import game_spec, new_game

HEADER = '[pack]\ngame = "{game}"\nname = "{name}"\nversion = "1.2"\ntitle = "Mine"\nextends = "{base}"\n'

OWN = {
    # per game: an extension that changes a row, changes a table, removes a row and adds one; what it says;
    # how many more components are of the house
    "hyde": ('[deck]\nsixes = 1\nsource = "house"\n'
             '[[place]]\nkey = "crypt"\neffects = ["score_place: ZERO(@card.num=5)"]\nsource = "house"\n'
             '[remove]\nplace = ["painting_shed"]\n'
             '[[place]]\nid = {shed}\nkey = "barn"\ntitle = "Barn"\nsource = "house"\n',
             (("place barn",), ("place crypt", "deck"), ("place painting_shed",)), 3),
    "titans": ('[limits]\npoints = 4\nsource = "house"\n'
               '[[mayhem]]\nid = "M08"\nworth = 2.5\nsource = "house"\n'
               '[remove]\nmayhem = ["M04"]\n'
               '[[mayhem]]\nid = "M99"\ntitle = "Own card"\neffect = "start: FLAG(ATK1)"\nduration = "round"\narena = true\n'
               'source = "house"\n',
               (("mayhem M99",), ("mayhem M08", "limits"), ("mayhem M04",)), 1),
    "mythos": ('[limits]\nstart_hand = 6\nsource = "house"\n'
               '[[character]]\nid = "KS-002"\ncost = 4\nsource = "house"\n'
               '[[character]]\nid = "KS-149"\nname = "rock_lee"\nversion = "Newcomer"\nrarity = "C"\ncost = 2\npower = 1\n'
               'keywords = ["team_guy"]\ngroup = "leaf"\neffects = ["MAIN: DRAW(1)"]\nsource = "house"\n'
               '[remove]\ndeck = ["hunters"]\n',
               (("character KS-149",), ("character KS-002", "limits"), ("deck hunters",)), 2),
}


def load(game: str, file: Path) -> LoadedPack[Any]:
    """A pack from a file."""
    loader = game_spec(game).load_pack
    assert loader is not None
    return loader(str(file))


def written(folder: Path, game: str, body: str, *, name: str = "mine", base: str = "standard") -> Path:
    """An extension as a file."""
    file = folder / f"{name}.toml"
    file.write_text(HEADER.format(game=game, name=name, base=base) + body, encoding="utf-8")
    return file


def own(folder: Path, game: str) -> Path:
    """The extension of the table above."""
    loader = game_spec("hyde").load_pack
    assert loader is not None
    shed = next(row.id for row in loader("standard").content.place if row.key == "painting_shed")
    return written(folder, game, OWN[game][0].replace("{shed}", str(shed)))


@pytest.mark.parametrize("game", OWN)
def test_an_extension_adds_changes_and_removes(game: str, tmp_path: Path) -> None:
    _, (added, changed, removed), house = OWN[game]
    loader = game_spec(game).load_pack
    assert loader is not None
    base, pack = loader("standard"), load(game, own(tmp_path, game))
    assert pack.changes is not None and base.changes is None
    assert (pack.changes.base, pack.changes.added, pack.changes.changed, pack.changes.removed) == (
        "standard", added, changed, removed)
    assert (pack.name, pack.version, pack.content.pack.title) == ("mine", "1.2", "Mine")
    assert pack.hash != base.hash
    assert provenance(pack)["house"] == provenance(base)["house"] + house
    state = new_game(game, pack=str(tmp_path / "mine.toml")).new_state(1)
    while not state.is_over:
        state.apply_action(state.pending[0], state.legal_actions(state.pending[0])[-1])
    assert state.record.replay() == state


@pytest.mark.parametrize("game", OWN)
def test_the_hash_is_that_of_the_result(game: str, tmp_path: Path) -> None:
    """An extension and the whole file that it stands for are the same content; another base is other content."""
    loader = game_spec(game).load_pack
    assert loader is not None
    body = '[limits]\npoints = 4\nsource = "house"\n' if game == "titans" else (
        '[limits]\nstart_hand = 6\nsource = "house"\n' if game == "mythos" else '[deck]\nsixes = 1\nsource = "house"\n')
    table, key = body.partition("\n")[0], body.splitlines()[1].partition(" = ")[0]
    extension = load(game, written(tmp_path, game, body))
    text = Path(loader("standard").file).read_text(encoding="utf-8")
    start = text.index(f"\n{table}\n")
    end = text.index("\n[", start + 1)
    part = re.sub(rf"(?m)^{key} = .*$", body.splitlines()[1], text[start:end])
    part = re.sub(r'(?m)^source = .*$', 'source = "house"', re.sub(r"(?m)^(source_note|address) = .*\n?", "", part))
    whole = text[:start] + part + text[end:]
    header = tomllib.loads(HEADER.format(game=game, name="mine", base="standard"))["pack"]
    del header["extends"]
    rows = "".join(f"{name} = {json.dumps(value)}\n" for name, value in header.items())
    whole = re.sub(r"(?s)\[pack\]\n.*?\n\n", lambda _: f"[pack]\n{rows}\n", whole, count=1)
    copy = tmp_path / "copy.toml"
    copy.write_text(whole, encoding="utf-8")
    assert load(game, copy).sha256 == extension.sha256
    other = written(tmp_path, game, "", name="other", base="copy.toml")
    assert load(game, other).content.model_dump(exclude={"pack"}) == extension.content.model_dump(exclude={"pack"})


FAULTS = {
    # what is wrong: (extension, text of the line that is named, what is said)
    "a misspelt field": ('[[character]]\nid = "KS-002"\ncosts = 4\nsource = "house"\n', "costs = 4", "did you mean 'cost'"),
    "no source": ('[[character]]\nid = "KS-002"\ncost = 4\n', "[[character]]", "source: the field is missing"),
    "a wrong value": ('[[character]]\nid = "KS-002"\ncost = "4"\nsource = "house"\n', 'cost = "4"', "should be an integer"),
    "an unknown verb": ('[[character]]\nid = "KS-002"\neffects = ["MAIN: DRAV(1)"]\nsource = "house"\n',
                        'effects = ["MAIN: DRAV(1)"]', "did you mean 'DRAW'"),
    "what the rules don't do": ('[[character]]\nid = "KS-002"\neffects = ["while: DRAW(1)"]\nsource = "house"\n',
                                'effects = ["while: DRAW(1)"]', "DRAW cannot stand in this line"),
    "an unknown row to remove": ('[remove]\ncharacter = ["KS-001", "KS-999"]\n', 'character = ["KS-001", "KS-999"]', "'KS-999'"),
    "an unknown table to remove from": ('[remove]\ncharakter = ["KS-001"]\n', 'charakter = ["KS-001"]', "'character'"),
    "remove is no table": ("remove = 1\n", "remove = 1", "remove"),
    "remove has no list": ('[remove]\ncharacter = "KS-001"\n', 'character = "KS-001"', "an array of the keys"),
    "no key": ('[[deck]]\nkey = ["leaf"]\nstyle = "a"\nsource = "house"\n', 'key = ["leaf"]', "should be text"),
    "one row twice": ('[[deck]]\nkey = "leaf"\nstyle = "a"\nsource = "house"\n[[deck]]\nkey = "leaf"\nstyle = "b"\n'
                      'source = "house"\n', "[[deck]]", "'leaf' stands here twice"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_an_error_of_the_extension_names_its_file(fault: str, tmp_path: Path) -> None:
    body, line, said = FAULTS[fault]
    file = written(tmp_path, "mythos", body)
    with pytest.raises(PackError) as caught:
        load("mythos", file)
    message = str(caught.value)
    place = re.match(rf"{re.escape(str(file))}:(\d+):\d+: ", message)
    assert place, message
    assert file.read_text(encoding="utf-8").splitlines()[int(place[1]) - 1] == line, message
    assert said in message


def test_an_error_of_the_base_names_its_file(tmp_path: Path) -> None:
    """A deck of the base lists a card that the extension removes; a base of one's own may be wrong by itself."""
    file = written(tmp_path, "mythos", '[remove]\ncharacter = ["KS-009"]\n')
    with pytest.raises(PackError, match=r"packs/standard\.toml:\d+:1: \[\[deck\]\] #\d+ .*KS-009"):
        load("mythos", file)
    base = written(tmp_path, "mythos", '[[character]]\nid = "KS-002"\ncost = 99\nsource = "house"\n', name="base")
    same_row = '[[character]]\nid = "KS-002"\npower = 1\nsource = "house"\n'
    top = written(tmp_path, "mythos", same_row, name="top", base="base.toml")
    with pytest.raises(PackError, match=rf"{base}:9:8: \[\[character\]\] #1 \(\"KS-002\"\), cost: should be 15 or less, not 99"):
        load("mythos", top)


@pytest.mark.parametrize(("base", "said"), [
    ("standart", "there is no pack named 'standart'; did you mean 'standard'?"),
    ("nowhere.toml", "there is no file nowhere.toml beside this one"),
    ("a/b", "neither a pack's name"),
    ("mine.toml", "a circle"),
    ("", "neither a pack's name"),
])
def test_a_base_that_is_none_is_refused(base: str, said: str, tmp_path: Path) -> None:
    file = written(tmp_path, "hyde", "", base=base)
    with pytest.raises(PackError) as caught:
        load("hyde", file)
    assert str(caught.value).startswith(f"{file}:6:11: [pack], extends: ") and said in str(caught.value)


def test_circles_and_towers_are_refused(tmp_path: Path) -> None:
    written(tmp_path, "hyde", "", name="a", base="b.toml")
    written(tmp_path, "hyde", "", name="b", base="a.toml")
    with pytest.raises(PackError, match=r"b\.toml:6:11: \[pack\], extends: a\.toml extends this pack, too: a circle"):
        load("hyde", tmp_path / "a.toml")
    for number in range(12):
        written(tmp_path, "hyde", "", name=f"t{number}", base=f"t{number - 1}.toml" if number else "standard")
    assert load("hyde", tmp_path / "t5.toml").content.place == load("hyde", tmp_path / "t0.toml").content.place
    with pytest.raises(PackError, match="one upon the other"):
        load("hyde", tmp_path / "t11.toml")


@pytest.mark.parametrize(("old", "new", "said"), [
    ('name = "mine"', 'name = "standard"', "must be another one than that of the pack it extends"),
    ('extends = "standard"', "extends = 7", "must be the name of a pack"),
    ('extends = "standard"', 'extend = "standard"', "unknown field 'extend'; did you mean 'extends'?"),
    ('extends = "standard"', 'remove = "x"', "[pack], remove: 'remove' belongs at the top level: write [remove]"),
    ('version = "1.2"\n', "", "version: the field is missing"),
    ('game = "hyde"', 'game = "titans"', 'this is a pack of "titans"; it must be "hyde"'),
])
def test_headers_of_extensions(old: str, new: str, said: str, tmp_path: Path) -> None:
    file = written(tmp_path, "hyde", "")
    file.write_text(file.read_text().replace(old, new))
    with pytest.raises(PackError) as caught:
        load("hyde", file)
    assert said in str(caught.value) and re.match(rf"{re.escape(str(file))}:\d+:\d+: ", str(caught.value))


@pytest.mark.parametrize(("old", "new", "said"), [
    ("[pack]", 'extends = "standard"\n[pack]', "1:1: extends: 'extends' belongs in [pack]"),
    ("[deck]", '[deck]\nextends = "standard"', "7:1: [deck], extends: 'extends' belongs in [pack]"),
    ("[deck]", '[extends]\npack = "standard"\n[deck]', "6:1: [extends]: 'extends' belongs in [pack]"),
    ("[pack]\n", 'extends = "standard"\n', "1:1: extends: 'extends', 'game', 'name', 'title' and 'version' belong in [pack]"),
    ("[pack]", '[packs]\nextends = "standard"', "1:1: [packs]: unknown table 'packs'; did you mean 'pack'?"),
    ("[pack]", '[[pack]]\nextends = "standard"', "1:1: [[pack]]: should be a table, not an array"),
    ("[pack]", '[pack]\nextend = "standard"', "2:1: [pack], extend: unknown field 'extend'; did you mean 'extends'?"),
    ("[deck]", 'extends = "standard"\nremove = {place = ["crypt"]}\n[deck]',
     "7:1: [pack.remove]: 'remove' belongs at the top level: write [remove]"),
])
def test_an_extension_that_is_none_has_one_error(old: str, new: str, said: str, tmp_path: Path) -> None:
    """If `extends` is misspelt, or not in [pack], nothing that the base would bring is reported as missing."""
    file = written(tmp_path, "hyde", '[deck]\nsixes = 1\nsource = "house"\n')
    file.write_text(file.read_text().replace('extends = "standard"\n', "").replace(old, new))
    with pytest.raises(PackError) as caught:
        load("hyde", file)
    assert str(caught.value) == f"{file}:{said}"


def test_only_extensions_remove(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[pack]\ngame = "hyde"\nname = "mine"\nversion = 1\ntitle = "Mine"\n[remove]\nplace = ["crypt"]\n')
    with pytest.raises(PackError, match=r"mine\.toml:6:1: \[remove\] is for packs that extend another"):
        load("hyde", file)


def test_the_example_of_the_documentation_holds(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "effects.md").read_text(encoding="utf-8")
    (example,) = [block for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL) if "extends" in block]
    file = tmp_path / "mine.toml"
    file.write_text(example, encoding="utf-8")
    changes = load("hyde", file).changes
    assert changes is not None
    assert (changes.added, changes.changed, changes.removed) == (("place barn",), ("place crypt", "deck"), ("place painting_shed",))


def test_rows_without_an_id_cannot_be_removed(tmp_path: Path) -> None:
    """The error says so, and lists no rows that have no name."""
    load = game_spec("monster_chase").load_pack
    assert load is not None
    (tmp_path / "own.toml").write_text('[pack]\ngame = "monster_chase"\nname = "own"\nversion = 1\ntitle = "Own"\n'
                                       'extends = "standard"\n\n[remove]\nsupply = ["bomb"]\n')
    with pytest.raises(PackError, match=r"own\.toml:9:11: \[remove\]: the rows of \[\[supply\]\] have no id"):
        load(str(tmp_path / "own.toml"))
