"""Is this view one that a game can show? Views come from anybody; the rules core trusts what is loaded into it."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.view_checks import need
from seatmate.engine.monster_chase.content import vocabulary as v
from seatmate.engine.monster_chase.content.pack import FRAME_WORDS, STEP_WORDS
from seatmate.engine.monster_chase.secrets.fields import FIELDS
from seatmate.engine.monster_chase.secrets.view import on_table, unseen
from seatmate.engine.monster_chase.words.names import PROMPT_NUMBER

if TYPE_CHECKING:
    from seatmate.engine.monster_chase.game import MonsterChaseGame

NONE = v.NONE
_ASKS = {
    "card": {"CARD", "MAN_CARD", "LINK_CAR", "KIN_POINTS", "ASTRAL_OFFER", "MAN_EFFECT", "TELEPORT"},
    "effect": {"EFFECT"}, "move": {"FORK", "SPIRIT_USE"}, "damage": {"SHIELD_BOOST", "SHIELD_BLOCK"}, "return": {"RETURN_SQUARE"},
    "list": {"POWER_PICK", "TELEPORT", "POWER_SQUARE", "DECK_PICK"}, "special": {"SLIDE_SQUARE", "SNOUT_SQUARE", "ROLL_PICK"},
    "discard": {"HAND_DISCARD"}, "drop": {"AURA_DROP"}, "slabs": {"SLAB_SQUARE"}, "donor": {"DONOR", "NITRO_DEAL"}}
"""What is asked while something is carried out."""
_STEPS = {
    "pick": {"PILOT_PICK"}, "draft": {"DRAFT_PICK"}, "assign": {"DRAFT_ASSIGN"}, "grid": {"GRID_CAR", "GRID_SLOT"},
    "start": {"DECK_PICK"}, "before": {"TURN_MENU"}, "after": {"TURN_MENU"}, "refill": {"DECK_PICK"}, "upkeep": {"SHIELD_UPKEEP"},
    "spirit": {"SPIRIT_TAKE"}}
"""... and by the turn or the round itself."""
_CARD_ASKS = {
    "CARD": ((0,), (v.BY_CARD, v.BY_COG, v.BY_KIN, v.BY_EXTRA)), "MAN_CARD": ((0, 1), (v.BY_MANOEUVRE,)),
    "LINK_CAR": ((2,), (v.BY_COG, v.BY_KIN, v.BY_AST)), "KIN_POINTS": ((3,), (v.BY_KIN,)), "ASTRAL_OFFER": ((4,), (v.BY_AST,)),
    "MAN_EFFECT": ((5,), (v.BY_MANOEUVRE,)), "TELEPORT": ((10,), (v.BY_AST,))}
"""At which stages of a card, and of which ways to play it, its questions are asked."""
_STAGES = {v.C_CARD: 11, v.C_MOVE: 6, v.C_LIST: 4, v.C_DAMAGE: 2, v.C_BOSS: 2}


def check_invariants(game: MonsterChaseGame, raw: Mapping[str, Any]) -> None:
    """What holds in every true position. Raises AssertionError."""
    try:
        _components(game, raw)
    except ValueError as error:
        raise AssertionError(str(error)) from error
    hands = [[type_ for type_ in raw["hand"][car] if type_ != NONE] for car in range(game.vehicles)]
    assert unseen(game.total, raw, hands) == raw["deck"], "movement cards"
    for hand, car in zip(hands, raw["cars"], strict=True):
        assert hand == sorted(hand) and car["rush"] == sum(type_ >= v.RUSH for type_ in hand) == len(hand) - car["sprint"]
    assert [raw["deck_sprint"], raw["deck_rush"]] == [sum(raw["deck"][:v.RUSH]), sum(raw["deck"][v.RUSH:])]
    second = _second(raw)
    assert second is None or hands[second[0]][-1] >= second[1], "a second card for the manoeuvre"
    assert raw["scratch"] == raw["dealt"] == 0 and raw["spare"] == 0
    assert raw["question_number"] != v.Q_NOTHING or STEP_WORDS[raw["phase"]] == "over"


def _components(game: MonsterChaseGame, raw: Mapping[str, Any]) -> None:
    """Supplies, tokens, squares: nothing gets lost, nothing is where nothing can be."""
    squares = len(game.track.squares)
    objects = raw["objects"]
    need(raw["vehicles"] == game.vehicles == len(raw["cars"]), "the vehicles")
    need(not any(objects[squares:]), "objects beside the track")
    for kind, name in enumerate(("boulders", "bombs", "slabs"), 1):
        need(raw[name] + objects.count(kind) == game.supply[name], name)
    need(raw["shield_tokens"] + sum(car["shields"] > 0 for car in raw["cars"]) == game.supply["shields"], "the shield tokens")
    nitros = list(raw["nitro"])
    for car in raw["cars"]:
        if car["nitro"] != NONE:
            nitros[car["nitro"]] += 1
    need(nitros == game.supply["nitro"], "the Magic-Nitros")
    need([a + b for a, b in zip(raw["open"], raw["sheltered"], strict=True)] == game.supply["prey"], "the prey")
    places = [car["sq"] for car in raw["cars"] if car["sq"] != NONE]
    need(len(set(places)) == len(places) and all(sq < squares for sq in places), "the squares of the vehicles")
    tiles = len(game.track.tiles)
    for car in raw["cars"]:
        need(car["sq"] == NONE or game.track.squares[car["sq"]].slot == car["lap"] % tiles, "the lap of a vehicle")
        need(car["shields"] <= game.pack.params.shield_max and car["star"] <= game.pack.params.star_max, "shields and stars")
        need(car["damage"] < game.pack.params.hearts and _is_square(car["arch"], squares), "the damage of a vehicle")
        need(car["lap"] <= 5 * tiles and car["cp"] <= 5 * tiles and car["marks"] >> tiles == 0, "the lap of a vehicle")
    need(_is_square(raw["snout"], squares), "the Ugly-Snout")
    need(raw["rolled"] >> tiles == 0 and raw["reserves"] >> tiles == 0 and raw["prey_slot"] < tiles, "the tiles")
    boss = game.boss is not None
    need(boss or (not raw["positive"] | raw["discards"] and raw["negative"] == raw["assault"] == NONE), "auras and assaults")
    auras = raw["positive"] | ({raw["negative"]} - {NONE})
    need(not auras & raw["discards"] and all(one < v.CARDS for one in raw["positive"]), "the auras")
    need(raw["assault"] + v.CARDS not in raw["discards"], "the assaults")
    need(raw["negative"] not in raw["positive"], "the auras")
    for last, first in ((raw["last_aura"], 0), (raw["last_assault"], v.CARDS)):
        need(last == NONE or last + first in raw["discards"] or last in auras or last == raw["assault"], "the card discarded last")
    need(not boss or raw["hp"] <= game.max_hp + game.seats, "the hearts of the Boss")


def _is_square(number: int, squares: int) -> bool:
    """Of the track, or none."""
    return 0 <= number < squares or number == NONE


def raw_of_view(game: MonsterChaseGame, view: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """The raw values of a position that shows the seat this view, hidden cards in any order. Raises ValueError."""
    try:
        rows = {name: row for name, row in FIELDS.rows.items() if row.sees != "nobody"}
        raw = FIELDS.parse({key: view[key] for key in rows}, FIELDS.read(game.blank), game.seats, game.names.ids)
        raw["depth"] = len(raw["frames"])
        _components(game, raw)
        _flow(game, raw)
        _cards(game, view, raw, seat)
        for index in range(raw["depth"]):
            _frame(game, raw, index)
        _question(game, view, raw)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(f"no game looks like this: {error!r}") from error
    return raw


def _flow(game: MonsterChaseGame, raw: Mapping[str, Any]) -> None:
    cars = set(range(game.vehicles))
    before = STEP_WORDS[raw["phase"]] in ("pick", "draft", "assign", "grid")
    for key in ("current", "actor", "asker"):
        need(raw[key] in cars | {NONE}, key)
    used, unused = raw["rank"][:game.vehicles], raw["rank"][game.vehicles:]
    need(set(unused) <= {NONE} and set(raw["order"][game.vehicles:]) <= {NONE}, "the strip")
    need(before or (set(used) == cars and set(raw["order"][:game.vehicles]) == cars), "the strip")
    need(not before or len(set(used) - {NONE}) == sum(one != NONE for one in used), "the strip")
    need(before or raw["round"] >= 1, "the round")
    need(raw["turn"] <= game.vehicles, "the turn")
    need(not before or all(car["sq"] == NONE for car in raw["cars"]), "vehicles before the start")
    need(raw["done"] >> game.vehicles == 0 and raw["tied"] < 256, "what is done")
    boards = [car["board"] for car in raw["cars"] if car["board"] != NONE]
    need(len(set(boards)) == len(boards), "the pilots")
    missing = [number for number, car in enumerate(raw["cars"]) if car["sq"] == NONE]
    back = [frame["v"] for frame in raw["frames"] if frame["kind"] == v.C_RETURN]
    need(before or sorted(missing) == sorted(back), "a vehicle off the track")
    need(before or all((car["board"] != NONE) == (game.kinds[number] < v.K_BOT) for number, car in enumerate(raw["cars"])),
         "the pilots")
    need(raw["chosen"] < v.TYPES or raw["chosen"] == NONE, "what was chosen")


def _second(raw: Mapping[str, Any]) -> tuple[int, int] | None:
    """The car that has put down the first card of a manoeuvre, and this card; the second one is not lower."""
    top = raw["frames"][-1] if raw["frames"] else {"kind": v.C_NONE}
    return (top["v"], top["card"]) if top["kind"] == v.C_CARD and top["stage"] == 1 else None


def _cards(game: MonsterChaseGame, view: Mapping[str, Any], raw: dict[str, Any], seat: int) -> None:
    """Hands: those that are seen, and any cards for the others; the rest is the deck."""
    numbers = game.names.type_number
    need(len(view["hands"]) == game.vehicles, "the hands")
    hands: list[list[int] | None] = []
    for car, shown in enumerate(view["hands"]):
        need((shown is not None) == game.sees(seat, car), "whose hand is seen")
        need(shown is None or all(one in numbers for one in shown), "the cards")
        hands.append(None if shown is None else sorted(numbers[one] for one in shown))
    need(all(type_ < v.TYPES for type_ in on_table(raw)), "a card on the table")
    left = unseen(game.total, raw, hands)
    need(min(left) >= 0 and {numbers[key]: n for key, n in view["unseen"].items()} ==
         {type_: n for type_, n in enumerate(left) if n}, "the cards nobody sees")
    second = _second(raw)
    for car in sorted(range(len(hands)), key=lambda car: second is None or car != second[0]):
        hand = hands[car]
        colours = raw["cars"][car]["sprint"], raw["cars"][car]["rush"]
        need(sum(colours) <= v.HAND, "a hand")
        found = hand if hand is not None else []
        for colour in (0, 1):
            if hand is None:
                kinds = range(v.RUSH * colour, v.RUSH * (colour + 1))
                pool = [type_ for type_ in kinds for _copy in range(left[type_])]
                pool = pool[len(pool) - colours[colour]:] if colours[colour] <= len(pool) else []
                for type_ in pool:
                    left[type_] -= 1
                found += pool
            need(sum((type_ >= v.RUSH) == colour for type_ in found) == colours[colour], "a hand")
        need(second is None or car != second[0] or max(found, default=-1) >= second[1], "the manoeuvre")
        raw["hand"][car] = found + [NONE] * (v.HAND - len(found))
    raw["deck"] = left
    need([raw["deck_sprint"], raw["deck_rush"]] == [sum(left[:v.RUSH]), sum(left[v.RUSH:])], "the decks")


def _frame(game: MonsterChaseGame, raw: Mapping[str, Any], index: int) -> None:
    """One thing that is being carried out: its numbers lead nowhere they should not."""
    frame = raw["frames"][index]
    kind = frame["kind"]
    what = FRAME_WORDS[kind]
    squares, cars = len(game.track.squares), game.vehicles
    need(kind != v.C_NONE and frame["stage"] <= _STAGES.get(kind, 1), what)
    need(frame["v"] < cars or kind == v.C_DROP or (kind == v.C_BLAST and frame["v"] == NONE), what)
    need(frame["w"] in (NONE, *range(cars)) and _is_square(frame["sq"], squares), what)
    need(_is_square(frame["old"], squares) and frame["mask"] >> 9 == 0, what)
    need(kind == v.C_MOVE or frame["mask"] >> cars == 0, what)
    if kind == v.C_CARD:
        need(game.kinds[frame["v"]] < v.K_BOT and frame["v"] == raw["current"], what)
        need(frame["stage"] == 0 or frame["card"] != NONE or (frame["how"] == v.BY_AST and frame["stage"] in (2, 4)), what)
        need(frame["stage"] >= 7 or index == raw["depth"] - 1, what)        # before its effect it brings about nothing else
        need(frame["stage"] not in (4, 6) or frame["w"] != NONE, what)
        need(frame["how"] != v.BY_COG or frame["stage"] < 7 or frame["w"] != NONE, what)
        need(frame["step"] <= v.X_SHIELDS, what)
    elif kind == v.C_EFFECT:
        need(frame["card"] < v.EFFECTS, what)
    elif kind == v.C_BOSS:
        need(frame["card"] != NONE, what)
    elif kind in (v.C_MISSILE, v.C_BLAST, v.C_ROLL):
        need(frame["sq"] != NONE, what)
    elif kind == v.C_MOVE:
        need(frame["stage"] in (0, 1) or frame["sq"] != NONE, what)
    elif kind == v.C_LIST:
        need(frame["step"] <= game.program_lengths[frame["program"]], what)
        need(frame["stage"] == 0 or frame["step"] < game.program_lengths[frame["program"]], what)
        need(game.kinds[frame["v"]] != v.K_BOT, what)
    elif kind == v.C_SPECIAL:
        need(frame["n"] < len(game.track.tiles), what)
    elif kind == v.C_DONOR:
        need(1 <= frame["n"] <= 3 or frame["n"] in (v.DO_NITRO_GIVE, v.DO_NITRO_SWAP), what)


def _question(game: MonsterChaseGame, view: Mapping[str, Any], raw: dict[str, Any]) -> None:
    """Who is asked what."""
    step = STEP_WORDS[raw["phase"]]
    raw["question_number"], raw["asked_mask"] = v.Q_NOTHING, 0
    need((step == "over") == (not view["asked"]) and (raw["result"] != 0) == (step == "over"), "a question after the end")
    if step == "over":
        need(not raw["frames"], "the end")
        return
    need(len(view["asked"]) == 1 and view["asked"][0] in range(game.seats), "who is asked")
    key = view["question"]
    need(key in PROMPT_NUMBER and view["prompt"] in (None, key), "the question")
    raw["asked_mask"] = 1 << view["asked"][0]
    raw["question_number"] = PROMPT_NUMBER[key]
    if key == "BOSS_TIE":
        need(raw["tied"] and raw["asker"] == game.boss, "the Boss's question")
        key = next((name for name, number in PROMPT_NUMBER.items() if number == raw["tied_prompt"]), "")
    else:
        need(not raw["tied"] and raw["tied_prompt"] == v.Q_NOTHING, "the Boss's question")
    if raw["frames"]:
        top = raw["frames"][-1]
        need(key in _ASKS.get(FRAME_WORDS[top["kind"]], ()), "the question")
        need(top["kind"] == v.C_DROP or top["kind"] == v.C_RETURN or raw["cars"][top["v"]]["sq"] != NONE, "the question")
        _asks(game, raw, top, key)
    else:
        need(key in _STEPS.get(step, ()), "the question")
        need(step in ("pick", "draft", "assign", "grid") or raw["current"] != NONE, "whose turn it is")
        if step in ("pick", "draft", "assign", "grid"):
            need(raw["at"] < game.seats + 1 if step == "pick" else raw["at"] < 2 * game.vehicles, "the setup")


def _asks(game: MonsterChaseGame, raw: Mapping[str, Any], top: Mapping[str, Any], key: str) -> None:
    """What a question needs of the innermost thing that is carried out."""
    if top["kind"] == v.C_CARD:
        stages, ways = _CARD_ASKS[key]
        need(top["stage"] in stages and top["how"] in ways, key)
        need(ways != (v.BY_MANOEUVRE,) or top["stage"] == 0 or raw["discard"][top["card"]] > 0, "the cards of a manoeuvre")
        held = [type_ for type_ in raw["hand"][top["v"]] if type_ != NONE]
        need(key != "MAN_CARD" or len(held) >= 2 - (top["stage"] == 1), key)
    elif top["kind"] == v.C_LIST:
        need(top["stage"] == (4 if key == "DECK_PICK" else 1) and (top["stage"] == 1 or top["w"] != NONE), key)
        need(raw["power"] + (raw["current"] is not None) > 0, key)
    elif key == "SHIELD_BOOST":
        need(top["stage"] == 1 and top["w"] != NONE, key)
    elif key == "FORK":
        need(top["sq"] != NONE, key)
