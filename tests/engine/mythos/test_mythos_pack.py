"""Mythos's content: what ships, what a pack of one's own can do without code, and what its errors say."""
from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from mythos_table import Table
from seatmate.engine.core.errors import PackError
from seatmate.engine.core.packs import provenance
from seatmate.engine.core.registry import game_spec, new_game
from seatmate.engine.mythos.content import decks, pack
from seatmate.engine.mythos.content.link import compile_pack
from seatmate.engine.mythos.content.vocabulary import MISSION_LINE

STANDARD = (Path(pack.__file__).parents[1] / "packs" / "standard.toml").read_text()

NEWCOMER = """
[[character]]
id = "KS-149"
name = "rock_lee"
version = "Newcomer"
rarity = "C"
cost = 2
power = 1
keywords = ["team_guy"]
group = "leaf"
effects = [
  "MAIN when(edge): pay {DISCARD(1)>K.card} HIDE(@enemy.up.here.max(pow)) -> TOK(cost(K)); both: DRAW(1)",
  "on PLAYED(@enemy.up.here) may: MOVE(@self)",
  "while: POWER(count(@enemy.hidden.here))",
]
source = "house"

[[mission]]"""


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

def test_the_first_set_is_complete() -> None:
    content = pack.read("standard").content
    assert [card.id for card in content.character] == [f"KS-{number:03d}" for number in range(1, 149)]
    assert Counter(card.rarity for card in content.character) == {"C": 55, "UC": 48, "R": 27, "S": 10, "M": 8}
    assert Counter(card.group for card in content.character) == {"leaf": 76, "sound": 30, "independent": 18, "sand": 16,
                                                                 "akatsuki": 8}
    assert Counter(card.cost for card in content.character) == {0: 1, 1: 9, 2: 19, 3: 37, 4: 34, 5: 28, 6: 11, 7: 7, 8: 2}
    assert len(content.name) == 61 and len(content.keyword) == 19 and len(content.mission) == 10
    assert [card.id for card in content.character if not card.effects] == ["KS-009", "KS-086"]
    assert provenance(pack.read("standard")) == {"rulebook": 1, "public": 243, "house": 6}


def test_the_limits_are_the_rulebooks() -> None:
    limits = pack.read("standard").content.limits
    assert (limits.deck_min, limits.copies_max, limits.deck_missions, limits.rounds) == (30, 2, 3, 4)
    assert (limits.start_hand, limits.round_draw, limits.base_chakra, limits.hidden_cost) == (5, 2, 5, 1)
    assert limits.rank_bonus == (1, 2, 3, 4)


def test_every_line_is_compiled() -> None:
    loaded, compiled = compile_pack("standard")
    content = loaded.content
    lines = [line for card in content.character for line in card.effects]
    lines += [line for mission in content.mission for line in mission.effects]
    assert len(compiled.lines) == len(lines) == 221
    assert compiled.first[MISSION_LINE] == compiled.first[147] + compiled.count[147]


def test_the_catalog_checks_the_ready_decks(tmp_path: Path) -> None:
    load = game_spec("mythos").load_pack
    assert load is not None
    assert load("standard").content.deck[0].key == "leaf"
    with pytest.raises(PackError, match=r"\[\[deck\]\] #1 \(\"leaf\"\): it has 3 x KS-001 \(Hiruzen Sarutobi, The Professor\)"):
        load(str(changed(tmp_path, ('"2 KS-001"', '"3 KS-001"'))))


# ---- Cards of one's own ----

def test_reactions_that_chase_each_other_come_to_an_end(tmp_path: Path) -> None:
    """R94: two cards of a pack that move whenever another one moves; nothing is asked with two missions, so no limit of
    questions would end it."""
    chaser = NEWCOMER.replace(NEWCOMER[NEWCOMER.index("effects = ["):NEWCOMER.index("source =")],
                              'effects = ["on MOVED(@any.up.other): MOVE(@self)"]\n')
    file = str(changed(tmp_path, ("\n[[mission]]", chaser)))
    table = Table("149", "149 086", hand_a="060", missions=2, pack=file).run("play 060 1; TARGET A060")
    for _ in range(250):
        if table.prompt == "B TURN":
            break
        table.answer(table.options()[0])
    assert table.prompt == "B TURN" and table.values["progress"]["reactions"] == []


def test_a_card_with_known_verbs_needs_no_code(tmp_path: Path) -> None:
    """A pack with one card more, written in TOML: it plays, and its lines do what they say."""
    file = str(changed(tmp_path, ("\n[[mission]]", NEWCOMER)))
    table = Table("h:009", "086 h:011", hand_a="149 016", deck_a="013", deck_b="014", pack=file)
    table.run("play 149 0; MAY yes; CARD 016")
    assert table.says("A0=h:009,149+4 B0=h:086,h:011 A.hand=013 B.hand=014 A149=7 A.discard=016")
    table = Table("149", "", hand_b="009", turn="B", missions=3, pack=file).run("play 009 0; MAY yes; DEST 2")
    assert table.says("A2=149 B0=009 A149=1")


@pytest.mark.parametrize(("effect", "script", "facts", "position"), [
    # Reactions that give tokens and lines that return a unit are carried out as a whole; with conditions they are not.
    ("on PLAYED(@enemy.up.here): TOK(1) if edge", "play 009 0", "A0=009 B0=149", {"b": "149", "hand_a": "009"}),
    ("on PLAYED(@enemy.up.here): TOK(1) if edge", "play 009 0", "B0=149+1", {"b": "149", "hand_a": "009", "edge": "B"}),
    ("on PLAYED(@enemy.up.here): may TOK(1)", "play 009 0; MAY no", "B0=149", {"b": "149", "hand_a": "009"}),
    ("on PLAYED(@enemy.up.here): TOK(1, @self.tok>=1)", "play 009 0", "B0=149", {"b": "149", "hand_a": "009"}),
    ("on ROUND_END: RETURN(@self) if !edge", "pass; pass", "A0=149", {"a": "149", "missions": "MSS-02"}),
    ("on ROUND_END: RETURN(@self.pow<=1)", "pass; pass", "A0=149", {"a": "149", "missions": "MSS-02"}),
    ("on ROUND_END: may RETURN(@self)", "pass; pass; MAY no", "A0=149", {"a": "149", "missions": "MSS-02"}),
    # What stands in "when" holds for replacements and upgrades, too.
    ("replace DEFEAT(@self) when(edge): HIDE(@self)", "play 119 0; TARGET B149", "B.discard=149", {"b": "149", "hand_a": "119"}),
    ("replace DEFEAT(@self) when(edge): HIDE(@self)", "play 119 0; TARGET B149", "B0=h:149",
     {"b": "149", "hand_a": "119", "edge": "B"}),
    ("while when(edge): UPGRADE_OVER(@card.name=tonton)", "play 149 0", "A0=101,149", {"a": "101", "hand_a": "149", "edge": "B"}),
    ("while when(edge): UPGRADE_OVER(@card.name=tonton)", "play 149 0 on 101", "A0=149<101", {"a": "101", "hand_a": "149"}),
    # An amount that is not positive does nothing, and nobody's chakra falls below 0 by an income.
    ("on PLAYED(@enemy.up.here): TOK(-count(@friendly))", "play 009 0", "B0=011,149+1",
     {"b": "149+1 011", "hand_a": "009"}),
    ("on PLAYED(@enemy.up.here): CHAKRA(-count(@friendly))", "play 009 0", "B.chakra=20", {"b": "149 011", "hand_a": "009"}),
    ("while: CHAKRA(-count(@any.up)-20)", "pass; pass", "A.chakra=0 B.chakra=5", {"a": "149", "missions": "MSS-02"}),
    ("MAIN: STEAL(-count(@any.up))", "play 149 0", "asked=B.TURN A.chakra=18 B.chakra=20", {"hand_a": "149"}),
    ("MAIN: DRAW(1); RAID(X)", "play 149 0; MAY yes", "asked=B.TURN B.hand=009,010",
     {"hand_a": "149", "hand_b": "009 010", "deck_a": "011"}),
    ("MAIN: DRAW(1); HIDE(@enemy.up.sum(-count(@any.up)))", "play 149 0; MAY yes", "asked=B.TURN B0=009",
     {"b": "009", "hand_a": "149", "deck_a": "011"}),
    # Cards can be told apart wherever a card is taken.
    ("MAIN: RECOVER(@card.name=tonton)", "play 149 0; MAY yes", "A.hand=101 A.discard=086,009",
     {"hand_a": "149", "discard_a": "086 101 009"}),
    ("MAIN: RECOVER(@card.name=tonton)", "play 149 0", "asked=B.TURN", {"hand_a": "149", "discard_a": "086 009"}),
    # A hidden character has no text to copy, whatever the selector says (R43).
    ("MAIN: COPY(@any.other, MAIN)", "play 149 0; ? EFFECT A017.0 no; EFFECT A017.0", "A0=h:001,017,149+3 B0=h:017",
     {"a": "h:001 017", "b": "h:017", "hand_a": "149"}),
    # What a cost fills counts as possible, in a copy, too.
    ("MAIN: pay {PAY_X()>X.done} TOK(X)", "play 149 0; MAY yes; AMOUNT 3", "A0=149+3", {"hand_a": "149"}),
    ("MAIN: pay {DISCARD(all)>X.done} DRAW(X)", "play 149 0; MAY yes", "A.hand=010,012",
     {"hand_a": "149 009 011", "deck_a": "010 012 013"}),
    ("MAIN: pay {PAY_X()>X.done} TOK(X)", "play 016 0; EFFECT B149.0; AMOUNT 2", "A0=016+2", {"b": "149", "hand_a": "016"}),
    # So does it in what the rest looks for: with any card, amount, character or mission the cost may bring.
    ("MAIN: pay {DISCARD(1)>K.card} HIDE(@enemy.up.cost<=cost(K))", "play 149 0; MAY yes; CARD 016; TARGET B009",
     "A.discard=016 B0=011,h:009", {"b": "009 011", "hand_a": "149 016 086"}),
    ("MAIN: pay {PAY_X()>X.done} HIDE(@enemy.up.cost<=X)", "play 149 0; MAY yes; AMOUNT 4", "B0=h:011",
     {"b": "011", "hand_a": "149"}),
    ("MAIN: pay {HIDE(@friendly.up)>A} MOVE(@A)", "play 149 0; MAY yes", "A0=149 A1=h:009",
     {"a": "009", "hand_a": "149", "missions": 2}),
    ("MAIN: pay {PICK_MISSION()>M} HIDE(@enemy.up.atM)", "play 149 0; MAY yes; MISSION 1", "B1=h:009",
     {"b": " | 009", "hand_a": "149", "missions": 2}),
    ("MAIN: pay {DEFEAT(@friendly.up)>K.card} HIDE(@enemy.up.cost<=cost(K))", "play 149 0; MAY yes; TARGET A016",
     "A.discard=016 A0=086,149 B0=h:016", {"a": "016 086", "b": "016", "hand_a": "149"}),
    # Whether it is offered is public, so it does not depend on the hand: a poor card buys nothing.
    ("MAIN: pay {DISCARD(1)>K.card} HIDE(@enemy.up.cost<=cost(K))", "play 149 0; MAY yes; CARD 086",
     "asked=B.TURN A.discard=086 B0=016", {"b": "016", "hand_a": "149 086"}),
    # What no card, amount or character can bring is not offered.
    ("MAIN: pay {DISCARD(1)>K.card} HIDE(@enemy.up.cost>cost(K))", "play 149 0", "asked=B.TURN A.hand=016",
     {"b": "h:009", "hand_a": "149 016"}),
    ("MAIN: pay {PAY_X()>X.done} HIDE(@enemy.up.cost<=X)", "play 149 0", "asked=B.TURN A.chakra=1",
     {"b": "011", "hand_a": "149", "chakra": 3}),
    ("MAIN: pay {DEFEAT(@friendly.up)>K.card} HIDE(@enemy.up.cost<=cost(K))", "play 149 0", "asked=B.TURN A0=086,149 B0=016",
     {"a": "086", "b": "016", "hand_a": "149"}),
    ("MAIN: pay {DISCARD(1)>K.card} TOK(cost(K), @enemy.up)", "play 149 0", "asked=B.TURN A.hand=016",
     {"b": "h:009", "hand_a": "149 016"}),
])
def test_conditions_of_a_card_hold_wherever_they_stand(tmp_path: Path, effect: str, script: str, facts: str,
                                                       position: dict[str, Any]) -> None:
    card = NEWCOMER.replace(NEWCOMER[NEWCOMER.index("effects = ["):NEWCOMER.index("source =")], f'effects = ["{effect}"]\n')
    assert Table(**position, pack=str(changed(tmp_path, ("\n[[mission]]", card)))).run(script).says(facts)


def test_a_game_with_a_pack_of_ones_own_plays_to_the_end(tmp_path: Path) -> None:
    file = str(changed(tmp_path, ("\n[[mission]]", NEWCOMER)))
    game = new_game("mythos", pack=file, options={"deck0": "random:1", "deck1": "random:2"})
    state = game.new_state(1)
    while not state.is_over:
        state.apply_action(state.pending[0], state.legal_actions(state.pending[0])[-1])
    assert state.record.replay() == state


@pytest.mark.parametrize(("old", "new", "problem"), [
    ("MAIN: TOK(2, @friendly", "MAIN: TIK(2, @friendly", "unknown verb 'TIK'"),
    ("kw=team_7.here.other", "kw=team_77.here.other", "unknown kw word 'team_77'"),
    ('name = "tsunade"\nversion', 'name = "nobody"\nversion', r"KS-003: there is no \[\[name\]\] 'nobody'"),
    ('id = "KS-002"', 'id = "KS-001"', r"\[\[character\]\] #2 \(\"KS-001\"\): \"KS-001\" is used twice"),
    ("while: CHAKRA(1)", "while: DRAW(1)", "KS-005: DRAW cannot stand in this line"),
    ("MAIN: TOK(3)", "MAIN: POWER(3)", "KS-017: POWER cannot stand in this line"),
    ("on DEFEATED(@friendly): CHAKRA(2)", "on DEFEATED(@friendly.up): CHAKRA(2)", "KS-003: DEFEATED asks for a side only"),
    ("on ROUND_END may", "on ROUND_END(@self) may", "KS-028: PLAYED, MOVED and DEFEATED name a unit"),
    ("while when(edge): POWER(2)", "while when(has(@enemy.pow>=4)): POWER(2)", "KS-079: a POWER line does not look at power"),
    ("replace DEFEAT(@self): HIDE(@self)", "replace DEFEAT(@self): TOK(1)", "KS-048: a 'replace' line names a unit"),
    ("PLAY(discard_top, mod=-3)", "PLAY(deck, mod=-3)", "KS-053: PLAY takes from hand"),
    ("MOVE(@enemy.pow<=3)", "MOVE(@enemy.min(pow).up)", "KS-006: min(...) and max(...) come behind".replace("(", r"\(").replace(
        ")", r"\)").replace("...", r"\.\.\.")),
    ("MAIN must: opp: CHAKRA(1)", "MAIN must: opp: STEAL(1)", "KS-070: STEAL cannot be done by"),
    ('"SCORE: TOK(2, @any)"', '"MAIN: TOK(2, @any)"', "MSS-01: a mission has SCORE and while lines only"),
    ("MAIN: TOK(3)", "MAIN: after TOK(3)", "KS-017: 'after' is not used in Mythos"),
    ("while: CHAKRA(1)", "while: CHAKRA(1) if edge", r"KS-005: a 'while' line has exactly one modifier; .* 'when\(...\)'"),
    ("while: CHAKRA(1)", "while: may CHAKRA(1)", "KS-005: a 'while' line has exactly one modifier"),
    ("POWER(1, @any.up.kw=team_7.here.other)", "POWER(1, @any.up.kw=team_7.other)", "KS-015: a POWER line reaches units in its"),
    ("ZERO(@enemy.here.max(pow))", "ZERO(@enemy.here.min(pow))", "KS-067: ZERO holds the strongest enemy in its mission"),
    ("while: ZERO", "while when(edge): ZERO", "KS-067: ZERO holds as long as the unit is face-up"),
    ("replace DEFEAT(@self): HIDE(@self)", "replace DEFEAT(@self): HIDE(@self) if edge", "KS-048: a 'replace' line names a unit"),
    ("replace DEFEAT(@self): HIDE(@self)", "replace DEFEAT(@self): HIDE(@self.tok>=1)", "KS-048: a 'replace' line names a unit"),
    ("replace DEFEAT(@self): HIDE(@self)", "replace DEFEAT(@self): may HIDE(@self)", "KS-048: a 'replace' line names a unit"),
    ("replace DEFEAT(@self)", "replace DEFEAT(@self) may", "KS-048: a unit that hides instead is not asked"),
    ("MAIN: TOK(3)", "MAIN: DEFEAT(@enemy.hidden.pcost<=3)", "KS-017: pcost looks at a hidden card"),
    ("MAIN: TOK(3)", "MAIN when(has(@enemy.pcost<=3)): TOK(3)", "KS-017: pcost looks at a hidden card"),
    ("MAIN: TOK(3)", "MAIN: PICK(@enemy.hidden, DEFEAT)>A -> DEFEAT(@A.pcost<=3)", "KS-017: pcost looks at a hidden card"),
    ("MAIN: TOK(3)", "MAIN: TOK(1, @any.down(1))", "KS-017: TOK would never come to an end with 'down'"),
    ("MAIN: TOK(3)", "MAIN: MOVE(@any.down(1))", "KS-017: MOVE would never come to an end with 'down'"),
    ("rounds = 4", "rounds = 5", "rounds"),
    ("cost = 3\npower = 3", "cost = 99\npower = 3", "cost"),
])
def test_errors_name_the_card_and_the_trouble(tmp_path: Path, old: str, new: str, problem: str) -> None:
    card, colon, sentence = problem.partition(": ")
    where = rf'\d+:\d+: \[\[\w+\]\] #\d+ \("{card}"\), .*{sentence}' if colon and "-" in card and card.isupper() else problem
    with pytest.raises(PackError, match=where):
        compile_pack(str(changed(tmp_path, (old, new))))


def test_an_own_pack_brings_its_own_decks(tmp_path: Path) -> None:
    content = pack.read(str(changed(tmp_path, ('key = "leaf"\ntitle = "Leaf: Team', 'key = "mine"\ntitle = "Leaf: Team')))).content
    assert decks.deck_of_option("mine", content) == decks.ready_deck("mine", content)
    with pytest.raises(decks.DeckError, match="no deck is called 'leaf'"):
        decks.deck_of_option("leaf", content)
