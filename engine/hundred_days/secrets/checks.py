"""Is this view one that a game can show? Views come from anybody; the rules core trusts what is loaded into it."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.view_checks import need, whole
from seatmate.engine.hundred_days.content import vocabulary as v
from seatmate.engine.hundred_days.content.pack import FRAME_WORDS, STEP_WORDS
from seatmate.engine.hundred_days.rules.chains import QUESTIONS
from seatmate.engine.hundred_days.secrets.fields import BOARD, FIELDS, GONE, UNSEEN
from seatmate.engine.hundred_days.words.names import PROMPT_NUMBER, PROMPTS

if TYPE_CHECKING:
    from seatmate.engine.hundred_days.game import HundredDaysGame

NONE = v.NONE
_EVENTS = range(v.C_BLUE, v.C_GAINING)
_DECLARE = ("SEAT", "CARD", "PLACE", "PLACE2", "PAY")
_QUESTIONS_OF = {
    v.C_BLUE: _DECLARE, v.C_GREEN: _DECLARE, v.C_ITEM: _DECLARE, v.C_REACT: _DECLARE, v.C_MOVE: ("SPACE", "PAY"),
    v.C_CLOSE: ("WAIVE",), v.C_REVEAL: (), v.C_HARVEST: (),
    **{kind: (PROMPTS[question].key,) for kind, question in QUESTIONS.items()}, v.C_TRADING: ("TRADE_OUT", "TRADE_IN")}
"""What is asked while something is carried out, beside REACT."""
_SECRET = ("PLACE_RICK", "REACT", "OVERFLOW")


def limbo(raw: Mapping[str, Any]) -> list[int]:
    """The cards that are being carried out and lie nowhere else."""
    played = set().union(*raw["play"])
    return [frame["card"] for frame in raw["frames"]
            if frame["kind"] in (v.C_BLUE, v.C_GREEN, v.C_REACT) and frame["card"] not in played]


def check_invariants(game: HundredDaysGame, raw: Mapping[str, Any]) -> None:
    """What holds in every true position. Raises AssertionError."""
    try:
        _components(game, raw)
    except ValueError as error:
        raise AssertionError(str(error)) from error
    zones = [raw["deck"], raw["general"], *raw["hand"], *raw["play"], *raw["pile"], limbo(raw)]
    cards = [card for zone in zones for card in zone]
    assert sorted(cards) == list(range(len(game.names.cards))), "a card is in two places, or nowhere"
    hands = set().union(*raw["hand"])
    assert raw["shown"] <= hands and all(seen <= hands - raw["shown"] for seen in raw["seen"])
    assert all(not seen & hand for seen, hand in zip(raw["seen"], raw["hand"], strict=True)), "a seat looks at its own hand"
    assert raw["marked"] <= hands and all(raw["epochs"][card] == raw["epoch"] for card in raw["deck"])


def _components(game: HundredDaysGame, raw: Mapping[str, Any]) -> None:
    """Resources, garage tokens, tiles: nothing gets lost, and the Federation has something of each type."""
    limits = game.pack.limits
    for type_ in range(4):
        held = sum(tokens[type_] for tokens in raw["tokens"])
        need(raw["federation"][type_] + held == limits.resources and raw["federation"][type_] >= 1, "the resources")
    played = set().union(*raw["play"])
    need(raw["guarded"] <= played, "a garage token on a card that is not in play")
    need(raw["garage_supply"] + sum(raw["garage"]) + len(raw["guarded"]) == limits.garage, "the garage tokens")
    owners = raw["owners"]
    need(all(owner in (UNSEEN, BOARD, GONE) or owner < game.seats for owner in owners), "the owners of tiles")
    board = [tile for tile in raw["places"] if tile != NONE]
    need(raw["places"][0] == NONE and len(set(board)) == len(board), "the tiles")
    need(all((owner == BOARD) == (tile in board) for tile, owner in enumerate(owners)), "the tiles")
    drawn = sum(owner != UNSEEN for owner in owners)
    need(raw["stack"] == game.tile_count - drawn, "the stack")
    need(len(board) == 6 or raw["ending"], "a black hole before the end")


def raw_of_view(game: HundredDaysGame, view: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """The raw values of a position that shows the seat this view, the others' cards in any order. Raises ValueError."""
    blank = FIELDS.read(game.blank)
    try:
        raw = FIELDS.parse({key: value for key, value in view.items() if key in FIELDS.rows and FIELDS.rows[key].sees != "nobody"},
                           blank, game.seats, game.names.cards)
        raw["depth"] = len(raw["frames"])
        _components(game, raw)
        _flow(game, raw)
        _cards(game, view, raw, seat)
        for index in range(raw["depth"]):
            _frame(game, raw, index)
        _question(game, view, raw, seat)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(f"no game looks like this: {error!r}") from error
    return raw


def _flow(game: HundredDaysGame, raw: Mapping[str, Any]) -> None:
    seats = game.seats
    need(raw["first"] < seats and raw["current"] < seats, "whose turn it is")
    need(raw["harvested"] >> seats == 0 and raw["passes"] <= seats, "the seats")
    placed = [*raw["ricks"][:seats], *raw["morties"][:seats]]
    need(all(space != NONE for space in placed) or (set(placed) == {NONE} and raw["round"] <= 1), "the pawns")
    step = STEP_WORDS[raw["phase"]]
    need(NONE not in placed or step in ("round", "mission"), "pawns that were never placed")
    need(1 <= raw["die"] <= 6 and raw["round"] >= 1, "the die")
    need(raw["initiative_place"] != 0, "the initiative")


def _cards(game: HundredDaysGame, view: Mapping[str, Any], raw: dict[str, Any], seat: int) -> None:
    """Hands: what is known, filled up with cards that may be there; the rest is the deck."""
    ids = game.names.card_number

    def numbers(cards: Sequence[str]) -> set[int]:
        need(isinstance(cards, list | tuple) and all(card in ids for card in cards) and len(set(cards)) == len(cards), "the cards")
        return {ids[card] for card in cards}
    seats, every = game.seats, range(game.seats)
    for key in ("hands", "open_cards", "known", "held"):
        need(len(view[key]) == seats, key)
    need(all((view["hands"][other] is None) == (other != seat) for other in every), "whose hand is seen")
    hands = [numbers(view["hands"][seat]) if other == seat else numbers(view["open_cards"][other]) | numbers(view["known"][other])
             for other in every]
    shown = set().union(*(numbers(cards) for cards in view["open_cards"]))
    need(numbers(view["open_cards"][seat]) <= hands[seat] and not view["known"][seat], "the cards of the own hand")
    zones = [raw["general"], *raw["play"], *raw["pile"], limbo(raw), *hands]
    placed = [card for zone in zones for card in zone]
    need(len(set(placed)) == len(placed) and NONE not in placed, "a card in two places")
    free = sorted(set(range(len(ids))) - set(placed))
    for other, counts in enumerate(view["held"]):
        need(len(counts) == raw["epoch"] + 1, "the epochs of hands")
        for epoch, count in enumerate(counts):
            whole(count, 0, len(ids), "a hand")
            missing = count - sum(raw["epochs"][card] == epoch for card in hands[other])
            need(missing == 0 or (missing > 0 and other != seat), "a hand")
            fitting = [card for card in free if raw["epochs"][card] == epoch][:missing]
            need(len(fitting) == missing, "a hand without cards")
            hands[other] |= set(fitting)
            free = [card for card in free if card not in fitting]
    need(all(raw["epochs"][card] == raw["epoch"] for card in free), "the deck")
    need(all(epoch <= raw["epoch"] for epoch in raw["epochs"]), "the epochs")
    raw["deck"], raw["shown"] = set(free), shown
    raw["hand"][:seats] = hands
    raw["seen"] = [set() for _ in raw["seen"]]
    raw["seen"][seat] = set().union(*(numbers(cards) for cards in view["known"])) - shown
    for card, watchers in view["seen_by"].items():
        need(ids.get(card) in hands[seat] - shown, "a card that was looked at")
        for other in watchers:
            need(whole(other, 0, seats - 1, "who looked") != seat, "who looked")
            raw["seen"][other].add(ids[card])
    raw["marked"] = numbers(view["marked"])
    need(raw["marked"] <= hands[seat], "the marked cards")
    green = {number for number, card in enumerate(game.pack.card) if card.green}
    places = {number for number, card in enumerate(game.pack.card) if card.kind == "place"}
    need(all(cards <= green | places for cards in raw["play"]) and all(cards <= green for cards in raw["pile"]), "cards in play")
    need(raw["guarded"] <= green, "a garage token on a blue card")


def _frame(game: HundredDaysGame, raw: Mapping[str, Any], index: int) -> None:
    """One thing that is being carried out: its numbers lead nowhere they should not."""
    frame, seats = raw["frames"][index], game.seats
    kind, card = frame["kind"], frame["card"]
    pack = game.pack.card
    phase = kind in (v.C_REVEAL, v.C_HARVEST)
    need(kind != v.C_NONE, "nothing is carried out")
    need(raw["ricks"][0] != NONE, "something is carried out too early")
    need((frame["seat"] == NONE) == phase and (phase or frame["seat"] < seats), "whose event it is")
    for key in ("X", "src"):
        need(frame[key] == NONE or frame[key] < seats, f"{key} of what is carried out")
    need(frame["victims"] >> seats == 0, "the victims")
    need(index == 0 or raw["frames"][index - 1]["kind"] in (*_EVENTS, kind), "a question within a question")   # one for each seat
    if kind not in _EVENTS:
        need(frame["extra"] < 7 and sum(frame["pool"]) <= 15, FRAME_WORDS[kind])
        of_two = kind in (v.C_STEALING, v.C_GIVING, v.C_HALVING, v.C_LOOKING)
        need(not of_two or frame["X"] not in (NONE, frame["seat"]), FRAME_WORDS[kind])
        need(kind not in (v.C_MOVING_RICK, v.C_MOVING_MORTY) or frame["X"] != NONE, FRAME_WORDS[kind])
        need(kind == v.C_TRADING or frame["least"] < 4, FRAME_WORDS[kind])
        return
    kinds = {v.C_BLUE: ("action", "place"), v.C_GREEN: ("item", "character"), v.C_ITEM: ("item",), v.C_REACT: ("reaction",)}
    need((card != NONE) == (kind in kinds) and (card == NONE or pack[card].kind in kinds[kind]), "the card that is carried out")
    need((frame["program"] != NONE) == (card != NONE), "the program that is carried out")
    need(kind != v.C_ITEM or card in set().union(*raw["play"]), "an item that is not in play")
    need(frame["flags"] & v.MIRRORED == 0 or (index > 0 and frame["src"] != NONE), "what is turned around")
    need(kind != v.C_CLOSE or 1 <= frame["P"] <= 6, "the place that is closed")
    need(kind == v.C_MOVE or frame["P"] == NONE or 1 <= frame["P"] <= 6, "a place")
    need(kind != v.C_MOVE or frame["P"] != NONE or frame["stage"] == v.DECLARING, "where Rick goes")
    need(frame["stage"] != v.PAYING or (kind == v.C_CLOSE and raw["places"][frame["P"]] != NONE), "what is paid")
    if frame["stage"] in (v.OPENING, v.ASKING, v.REOPENING, v.RUNNING) and card != NONE and not frame["flags"] & v.VOID:
        for target in game.targets[frame["program"]]:
            need(frame["XCPQ"[target]] != NONE, "a target that was not chosen")


def _question(game: HundredDaysGame, view: Mapping[str, Any], raw: dict[str, Any], seat: int) -> None:
    """Who is asked what."""
    raw["question_number"], raw["asked_mask"], raw["answered_mask"] = v.Q_NOTHING, 0, 0
    over = STEP_WORDS[raw["phase"]] == "over"
    need(over == (not view["asked"]) and (not over or not raw["frames"]), "a question after the end")
    if over:
        need(raw["at"] == 1, "the end")
        return
    for other in view["asked"]:
        raw["asked_mask"] |= 1 << whole(other, 0, game.seats - 1, "who is asked")
    key = view["prompt"] or view["question"]
    key = "PLACE_RICK" if key == "PLACE_MORTY" else key
    need(key in PROMPT_NUMBER, "the question")
    raw["question_number"] = PROMPT_NUMBER[key]
    top = raw["frames"][-1] if raw["frames"] else None
    need((top is None) == (key in ("PLACE_RICK", "OVERFLOW", "TURN", "AFTER")), "the question")
    need(top is None or (key == "REACT") == (top["stage"] == v.ASKING and top["kind"] in _EVENTS), key)
    need(top is None or key == "REACT" or key in _QUESTIONS_OF[top["kind"]], key)
    need(key in ("PLACE_RICK", "OVERFLOW", "REACT") or top is None or view["asked"] == [top["seat"]], "who is asked")
    need(top is not None or key not in ("TURN", "AFTER") or view["asked"] == [raw["current"]], "who is asked")
    step = {"PLACE_RICK": "mission", "OVERFLOW": "discard"}.get(key, "turn")
    need(top is not None or STEP_WORDS[raw["phase"]] == step, "the step")
    need(key in _SECRET or len(view["asked"]) == 1, "who is asked")
    if (key == "PLACE_RICK" and raw["secret_morties"][seat] != NONE) or (key == "REACT" and raw["answers"][seat] != NONE):
        raw["answered_mask"] = 1 << seat
    if key == "OVERFLOW" and view["prompt"] is None and seat in view["asked"]:
        raw["answered_mask"] = 1 << seat
