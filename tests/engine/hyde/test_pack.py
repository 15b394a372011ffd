"""Hyde's content: the shipped pack is the box of the rulebook, and what the errors say about broken packs."""
from __future__ import annotations

from pathlib import Path

import pytest

from seatmate.engine.core.errors import PackError
from seatmate.engine.core.packs import provenance
from seatmate.engine.core.registry import new_game
from seatmate.engine.hyde.content import pack
from seatmate.engine.hyde.content.pack import SIX, Content, compile_content, load

STANDARD = (Path(pack.__file__).parents[1] / "packs" / "standard.toml").read_text()
CRYPT, JERICHO, PILGRIM_WORLD, SHED, FOREST = range(1, 6)
TWIN, LONE, GORGON, BAT, EYE = range(5)


def kind(symbol: str, number: int) -> int:
    return 5 * pack.SYMBOLS.index(symbol) + number - 1


def content(level: str = "beginner", *, strict: bool = False) -> Content:
    return compile_content(load("standard"), level, strict=strict)


def changed(tmp_path: Path, *changes: tuple[str, str]) -> Path:
    """The shipped pack with some texts replaced."""
    text = STANDARD
    for old, new in changes:
        assert old in text, f"{old!r} is not in the pack"
        text = text.replace(old, new, 1)
    file = tmp_path / "changed.toml"
    file.write_text(text.replace('name = "standard"', 'name = "changed"', 1))
    return file


# ---- The shipped pack ----

def test_the_deck_is_the_box() -> None:
    cards = content().deck
    assert len(cards) == 60 and content().sixes == 2
    assert sum(card % 5 + 1 for card in cards) == 156
    assert [sum(card % 5 + 1 == number for card in cards) for number in range(1, 6)] == [18, 12, 12, 12, 6]


@pytest.mark.parametrize(("level", "per_seat"), [
    ("beginner", (7, 8, 9, 10, 11)), ("expert", (7, 9, 11, 13, 15)), ("nightmare", (8, 11, 13, 15, 17))])
def test_needs(level: str, per_seat: tuple[int, ...]) -> None:
    assert content(level).needs == {seats: [seats * need for need in per_seat] for seats in (2, 3, 4)}


def by_the_book(card: int, place: int, target: int, strict: bool) -> int:
    """The effective value of a card, written out from the rulebook (R19, R20, R26)."""
    if card == SIX:
        return 6
    symbol, number = pack.SYMBOLS[card // 5], card % 5 + 1
    zeroed = {CRYPT: 3, JERICHO: 4}
    if number == zeroed.get(place):
        return 0
    if (place == PILGRIM_WORLD and symbol in ("SIREN", "WEREWOLF")) or (place == SHED and symbol == "BEE"):
        return 0
    become = {TWIN: {2: 4}, LONE: {1: 3}}.get(target, {})
    if number in become:
        return 0 if strict and zeroed.get(place) == become[number] else become[number]
    return number + (symbol == {GORGON: "MEDUSA", BAT: "BAT", EYE: "EYE"}.get(target))


@pytest.mark.parametrize("strict", [False, True])
def test_what_every_card_counts_everywhere(strict: bool) -> None:
    value = content(strict=strict).value
    for place in range(1, 6):
        for target in range(5):
            assert value[place][target] == [by_the_book(card, place, target, strict) for card in range(31)]


def test_zero_masks_are_of_printed_faces() -> None:
    zero = content(strict=True).zero
    assert zero[0] == zero[FOREST] == 0
    assert [card for card in range(31) if zero[CRYPT] >> card & 1] == [kind(symbol, 3) for symbol in pack.SYMBOLS]
    assert [card for card in range(31) if zero[SHED] >> card & 1] == [kind("BEE", number) for number in range(1, 6)]


def test_powers_of_places_and_outcasts() -> None:
    rules = content()
    assert rules.must_leave == [False] * 5 + [True] and rules.no_play == [True] + [False] * 5
    assert {verb: [(at, number) for at, number in enumerate(numbers) if number]
            for verb, numbers in rules.abilities.items()} == {
        "SWAP_SYM": [(0, 1)], "SWAP_NUM": [(0, 1)], "BONUS": [(1, 2)], "SUBST": [(2, 6)], "MULTI": [(3, 1)],
        "REACH": [(4, 1)], "DRAW_TO": [(5, 4)], "TRIM": [(5, 3)]}


def test_every_fact_says_where_it_comes_from() -> None:
    counts = provenance(load("standard"))
    assert counts["public"] == 1 and counts["house"] == 2, "the split of the deck; two levels"
    assert counts["rulebook"] == 6 + 5 + 6 + 1


# ---- A pack of one's own ----

def test_new_numbers_need_no_code(tmp_path: Path) -> None:
    """Another pack with the known verbs is played like the shipped one, and tables tell the two apart."""
    file = changed(tmp_path, ("need_2 = [14, 16, 18, 20, 22]", "need_2 = [1, 2, 3, 4, 5]"),
                   ("ZERO(@card.num=3)", "ZERO(@card.num=5)"), ("BONUS(2)", "BONUS(4)"))
    game = new_game("hyde", seats=2, pack=str(file), options={"outcasts": "random"})
    assert game.settings.pack_hash != new_game("hyde", seats=2).settings.pack_hash
    state = game.new_state(1)
    assert state.observation(0)["needs"] == [1, 2, 3, 4, 5]
    rules = compile_content(load(str(file)), "beginner", strict=False)
    assert rules.value[CRYPT][BAT][kind("EYE", 5)] == 0 and rules.value[CRYPT][BAT][kind("EYE", 3)] == 3
    assert rules.abilities["BONUS"][1] == 4


BROKEN: dict[str, tuple[tuple[str, str], tuple[str, ...]]] = {
    "another game's pack": (('game = "hyde"', 'game = "chess"'), ('"chess"', '"hyde"')),
    "not TOML": (("[deck]", "[deck"), (":13:6: not valid TOML",)),
    "a missing table": (("[deck]", "[other]"), ("deck",)),
    "four numbers": (("split = [3, 2, 2, 2, 1]", "split = [3, 2, 2, 2]"), ("deck", "split", "5")),
    "too many cards": (("split = [3, 2, 2, 2, 1]", "split = [9, 9, 9, 9, 9]"), ("[deck], split: ", "270", "60")),
    "too few cards": (("split = [3, 2, 2, 2, 1]", "split = [1, 1, 1, 0, 0]"), ("[deck], split: ", "18", "20")),
    "three sixes": (("sixes = 2", "sixes = 3"), ("deck", "sixes", "2")),
    "text for a number": (("sixes = 2", 'sixes = "two"'), ("deck", "sixes")),
    "an unknown field": (("sixes = 2", "sixes = 2\njokers = 1"), ("deck", "jokers")),
    "no source": (('source = "public"\nsource_note', "source_note"), ("deck", "source")),
    "an unknown verb": (("ZERO(@card.num=3)", "ZER0(@card.num=3)"), ("place", "crypt", "ZER0", "ZERO")),
    "an unknown symbol": (("ZERO(@card.sym=BEE)", "ZERO(@card.sym=WASP)"), ("place", "WASP")),
    "an unknown attribute": (("ZERO(@card.num=3)", "ZERO(@card.size=3)"), ("place", "size")),
    "an unknown trigger": (("turn_start: MUST_LEAVE()", "turn_end: MUST_LEAVE()"), ("place", "turn_end")),
    "a missing argument": (("BONUS(2)", "BONUS()"), ("outcast", "BONUS")),
    "a verb where it does nothing": (("turn_start: MUST_LEAVE()", "play: REACH(1)"), ('("forest"), effects #1: ', "REACH")),
    "a target with a place's verb": (("SETV(@card.num=2, 4)", "ZERO(@card.num=2)"), ('("twin_target"), effects #1: ', "ZERO")),
    "an outcast with a target's verb": (("play: REACH(1)", "score_target: ADDV(@card.sym=EYE, 1)"),
                                        ('("eugene"), effects #1: ', "ADDV")),
    "a seven in the reserve": (("SUBST(6)", "SUBST(5)"), ('("bianca"), effects: ', "six")),
    "2s played together": (("MULTI(1)", "MULTI(2)"), ('("ajax"), effects: ', "only 1s")),
    "a hand of four": (("DRAW_TO(4) ; TRIM(3)", "DRAW_TO(4)"), ('("yoko"), effects: ', "TRIM(3)")),
    "ids out of order": (('id = 1\nkey = "crypt"', 'id = 7\nkey = "crypt"'), ("[[place]]", "0, 1, 2")),
    "a key twice": (('key = "jericho"', 'key = "crypt"'), ("[[place]]", "used twice")),
    "a key with capitals": (('key = "jericho"', 'key = "Jericho"'), ("place", "key")),
    "a need of nothing": (("need_2 = [14, 16, 18, 20, 22]", "need_2 = [0, 16, 18, 20, 22]"), ("level", "need_2")),
    "four attacks": (("need_2 = [14, 16, 18, 20, 22]", "need_2 = [14, 16, 18, 20]"), ("level", "need_2", "5")),
    "an appeal above one": (("appeal = 0.45", "appeal = 45"), ("outcast", "appeal")),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_pack_is_refused_with_a_clear_sentence(tmp_path: Path, name: str) -> None:
    """The message names the pack, the place in it, and what is wrong."""
    change, expected = BROKEN[name]
    file = changed(tmp_path, change)
    with pytest.raises(PackError) as caught:
        load(str(file))
    message = str(caught.value)
    for part in ("changed", *expected):
        assert part in message, message
    with pytest.raises(PackError):
        new_game("hyde", seats=2, pack=str(file))


def test_a_pack_that_does_not_exist() -> None:
    with pytest.raises(PackError, match=r"there is no pack named 'standart'.*standard"):
        new_game("hyde", pack="standart")
    with pytest.raises(PackError, match="no such file"):
        new_game("hyde", pack="/nowhere/hyde.toml")


def test_a_level_the_pack_does_not_have(tmp_path: Path) -> None:
    file = changed(tmp_path, ('key = "nightmare"', 'key = "hopeless"'))
    with pytest.raises(PackError, match="no level 'nightmare'; it has beginner, expert, hopeless"):
        new_game("hyde", pack=str(file), options={"level": "nightmare"})
