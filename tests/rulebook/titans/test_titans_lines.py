"""Every effect line of the pack is shown: without a step, with another number, condition, side or place, an example fails."""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from seatmate.engine.core.errors import PackError
from seatmate.engine.titans.content import pack
from titans_lines import EXAMPLES
from titans_table import Example, a_game, designed_pack

CONTENT = pack.read("standard").content
ROWS = [*(board.key for board in CONTENT.board), *(ability.title for board in CONTENT.board for ability in board.ability),
        *(card.id for card in CONTENT.mayhem), *(go.id for go in CONTENT.go)]
TEXT = Path(designed_pack()).read_text()
ICONS = ("TV", "SLICE", "JOY", "ANCHOR", "MASK", "GEAR")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example.row}-{example.what}")
def test_example(example: Example) -> None:
    example.check()


def test_every_row_has_examples() -> None:
    assert {example.row for example in EXAMPLES} == set(ROWS) and len(ROWS) == 4 + 8 + 22 + 12
    assert max(Counter((example.row, example.what) for example in EXAMPLES).values()) == 1, "two examples with one name"
    for example in EXAMPLES:
        assert "?" in example.script or example.after, f"{example.row}: {example.what}: says nothing"

# ---- Changed lines ----

def entry(row: str) -> tuple[int, int]:
    """Where a row stands in the pack's text: a card, a character without its abilities, or an ability."""
    start = re.search(rf'^(?:id|key|title) = "{re.escape(row)}"$', TEXT, re.MULTILINE)
    assert start, row
    end = re.compile(r"\n\n|\Z").search(TEXT, start.start())
    assert end
    return start.start(), end.start()


def changed(line: str) -> Iterator[str]:
    """The line with one thing changed; some of these the loader refuses."""
    for step in re.finditer(r"\b[A-Z_]+\d?\([^()]*(?:\([^()]*\)[^()]*)*\)(?: if \w+)?", line):
        before, after = line[:step.start()], line[step.end():]
        yield f"{before}{step[0].split(' if ')[0]} if die_below(1){after}"              # it never happens
        if " if " in step[0]:
            yield f"{before}{step[0].split(' if ')[0]}{after}"                          # it always happens
    for number in re.finditer(r"(?<![\w])\d+", line):
        for n in (int(number[0]) - 1, int(number[0]) + 1):
            yield f"{line[:number.start()]}{n}{line[number.end():]}"
    when = re.search(r" when\(((?:[^()]|\([^()]*\))*)\)", line)
    if when:
        parts = when[1].split(" & ")
        for part in parts:
            rest = " & ".join(other for other in parts if other != part)
            yield line.replace(when[0], f" when({rest})" if rest else "")
    for icon in ICONS:
        if re.search(rf"\b{icon}\b", line):
            other = next(other for other in ICONS if other not in line)
            yield re.sub(rf"\b{icon}\b", other, line)
    for old, new in (("opp: ", "own: "), ("own: ", "opp: "), ("opp: ", ""), ("may ", ""), (", compelled", ""), (".each", ".one"),
                     (".one", ".each"), ("@own", "@enemy"), ("@near", "@any"), ("@any", "@border(TV)"), ("@ownbase", "@special"),
                     ("@special", "@at(TV)"), ("MELEE", "RANGED"), ("RANGED", "MELEE")):
        if old in line:
            yield line.replace(old, new, 1)


def variants(row: str) -> Iterator[tuple[str, str]]:
    """(What is changed, the whole pack's text) for each change to the row."""
    start, end = entry(row)
    text = TEXT[start:end]
    for field in re.finditer(r'^(effect|std|spc|star|reveal|mission|aura|slot|health|limit) = (.*)$', text, re.MULTILINE):
        name, value = field.groups()
        if name in ("slot", "health"):
            others = [str(int(value) - 1), str(int(value) + 1)]
        elif name == "limit":
            others = ['"game"' if value == '"turn"' else '"turn"']
        elif value == '"TRAP_IMMUNE()"':
            others = ['"HEAL(1, @self)"\nlimit = "turn"']
        elif value == '"NOHEAL()"':
            others = ['""']
        else:
            others = [f'"{line}"' for line in changed(value.strip('"'))]
            if "DMG(" in value:                 # what is bound to an attack is never skipped
                others = [other for other in others if "DMG(1) if" not in other and "DMG(2) if" not in other]
                others.append(f'"{re.sub(r"DMG.[0-9].(; )?", "", value.strip(chr(34)))}"')
        for other in others:
            whole = text[:field.start(2)] + other + text[field.end(2):]
            if "\nlimit" in other:
                whole = whole.replace('limit = "passive"\n', "", 1)
            yield f"{name} = {other}", TEXT[:start] + whole + TEXT[end:]


IMPLIED = {
    'effect = "ko: IGNITE(2, @act)"': "the window opens only if the active piece is on the map",
    'reveal = "PLACE(pizza, @at(SLICE)); opp: OBST(@any)"': "an obstacle may always be declined",
    'reveal = "opp: OBST(@border(TV))"': "the same",
}
"""Changes that change nothing: what they leave out holds anyway."""


@pytest.mark.parametrize("row", ROWS)
def test_every_step_number_condition_side_and_place_is_shown(row: str, tmp_path: Path) -> None:
    tried = 0
    unnoticed = []
    for number, (change, text) in enumerate(variants(row)):
        file = tmp_path / f"changed{number}.toml"
        file.write_text(text.replace('name = "designed"', f'name = "changed{number}"', 1))
        try:
            a_game(pack=str(file))
        except PackError:
            continue
        tried += 1
        if not any(fails(example, str(file)) for example in EXAMPLES if example.row == row):
            unnoticed.append(change)
    assert tried
    assert not [change for change in unnoticed if change not in IMPLIED]


def fails(example: Example, changed_pack: str) -> bool:
    """Is the example wrong with another pack?"""
    try:
        example.check(changed_pack)
    except AssertionError:
        return True
    return False
