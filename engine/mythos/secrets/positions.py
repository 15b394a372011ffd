"""Positions as plain values and back: observations, whole positions, and worlds that fit a view. Fields.pyx has the rows."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.view_checks import need, whole
from seatmate.engine.mythos.content import vocabulary as v
from seatmate.engine.mythos.words.names import PROMPT_NUMBER

if TYPE_CHECKING:
    from seatmate.engine.mythos.game import MythosGame

BOTH, EVERYBODY = {0, 1}, {0, 1, 2}
"""Who knows a card: the seats, and the spectators, too."""
_UNIT = {"mission": "where", "owner": "owner", "tokens": "tokens", "turn": "turn_of", "serial": "serial", "arrival": "arrival"}
_REFERENCES = ("link", "lock")


def sees(known: set[int], seat: int | None) -> bool:
    """Does the observer know a card that these know? None sees everything, spectators what is open."""
    return seat is None or (known == EVERYBODY if seat > 1 else seat in known)

# ---- To values ----


def _reference(slot: int, serial: int) -> dict[str, int] | None:
    return {"slot": slot, "serial": serial} if serial else None


def frame_values(game: MythosGame, raw: Mapping[str, Any]) -> dict[str, Any]:
    """A frame as an observation has it."""
    return _with_references(game.frame_fields.show(raw, None, 2), raw)


def _with_references(shown: dict[str, Any], raw: Mapping[str, Any]) -> dict[str, Any]:
    """Registers with their serials, chosen characters in the order chosen, where there is one."""
    for register in "ab":
        shown[register] = _reference(raw[register], shown.pop(f"{register}_serial"))
    picked = raw["picked"]
    shown["picked"] = ([(picked >> at & 63) - 1 for at in range(0, 6 * v.CHOICES, 6) if picked >> at & 63]
                       if raw["call"] & v.IN_ORDER else [slot for slot in range(64) if picked >> slot & 1])
    return shown


def _looked(raw: Mapping[str, Any]) -> list[tuple[int, list[int]]]:
    """Who looks at cards of its deck, and at which, by frame."""
    found, at = [], 0
    for frame in raw["frames"]:
        if frame["looked"]:
            found.append((frame["you"], raw["looked_kinds"][at:at + frame["looked"]]))
            at += frame["looked"]
    return found


def _unseen(raw: Mapping[str, Any], owner: int, seat: int | None) -> list[int]:
    """Kinds of the owner's cards that the observer can't place; None places all but the unordered deck."""
    kinds: list[int] = raw["deck_kinds"][owner][:raw["deck"][owner]]
    if seat is None:
        return kinds
    tops = zip(raw["top_kind"][owner][:raw["top_n"][owner]], raw["top_known"][owner], strict=False)
    kinds = kinds + [kind for kind, known in tops if seat > 1 or seat not in known]
    kinds += [raw["top"][slot] for slot in raw["side"][0] | raw["side"][1]
              if raw["owner"][slot] == owner and not sees(raw["known"][slot], seat)]
    if seat != owner:
        kinds += raw["hand"][owner][:raw["hand_counts"][owner]]
        kinds += [kind for looker, looked in _looked(raw) if looker == owner for kind in looked]
    return kinds


def values_of(game: MythosGame, raw: Mapping[str, Any], seat: int | None) -> dict[str, Any]:
    """The position as the observer sees it: a seat, SPECTATORS, or None for all cards open; the game adds the power."""
    cards, missions, pack = game.names.cards, game.names.missions, game.pack

    def named(kinds: Iterable[int]) -> list[str]:
        return [cards[kind] for kind in kinds]

    frames = raw["frames"]
    if seat is not None and seat > 1:
        frames = [{**frame, "k": frame["k"] if frame["flags"] & v.K_OPEN else v.NONE,
                   "card": frame["card"] if frame["call"] & v.CARD_OPEN else v.NONE} for frame in frames]
    values = game.fields.show({**raw, "frames": frames}, 2, 2)
    for shown, frame in zip(values["progress"]["frames"], frames, strict=True):
        _with_references(shown, frame)
    mine = [seat in (None, owner) for owner in range(2)]
    lists = [own or game.settings.options["open_decklists"] for own in mine]
    has_chain = raw["chain_play"] and seat in (None, raw["asked_seat"])
    chain = {"play": raw["chain_play"], "mission": raw["chain_mission"] - 1 if raw["chain_mission"] else None}
    return {
        **values,
        "mulligan": [raw["mulligan"][owner] if mine[owner] or raw["phase"] != v.P_MULLIGAN else None for owner in range(2)],
        "missions": [{"id": missions[number], "points": pack.mission[number].points, "bonus": pack.limits.rank_bonus[index]}
                     for index, number in enumerate(raw["mission"][:raw["mission_n"]])],
        "triples": [[missions[number] for number in raw["triple"][owner]] if lists[owner] else None for owner in range(2)],
        "hands": [named(raw["hand"][owner][:raw["hand_counts"][owner]]) if mine[owner] else None for owner in range(2)],
        "tops": [_tops(game, raw, seat, owner) for owner in range(2)],
        "discards": [named(raw["discard"][owner][:raw["discard_n"][owner]]) for owner in range(2)],
        "units": [_unit(game, raw, seat, slot) for slot in sorted(raw["side"][0] | raw["side"][1])],
        "unseen": [sorted(named(_unseen(raw, owner, seat))) if lists[owner] else None for owner in range(2)],
        "tracked": track_values(game, raw, seat) if seat in (0, 1) else [],
        "shown": track_values(game, raw, 1 - seat) if seat is not None and seat < 2 else [],
        "looked": [{"seat": looker, "cards": named(looked) if mine[looker] else None} for looker, looked in _looked(raw)],
        "chain": chain if has_chain else None,
    }


def _tops(game: MythosGame, raw: Mapping[str, Any], seat: int | None, owner: int) -> list[dict[str, Any]]:
    top = zip(raw["top_kind"][owner][:raw["top_n"][owner]], raw["top_known"][owner], raw["top_not"][owner], strict=False)
    return [{"known_by": sorted(known), "not": excluded,
             "card": game.names.cards[kind] if seat is None or seat in known else None} for kind, known, excluded in top]


def _unit(game: MythosGame, raw: Mapping[str, Any], seat: int | None, slot: int) -> dict[str, Any]:
    cards, known = game.names.cards, raw["known"][slot]
    under = zip(raw["under_unit"][:raw["under_n"]], raw["under_kind"], raw["under_owner"], strict=False)
    return {
        "slot": slot, "seat": int(slot in raw["side"][1]), "up": slot in raw["up"],
        **{key: raw[field][slot] for key, field in _UNIT.items()},
        "card": cards[raw["top"][slot]] if sees(known, seat) else None,
        "below": [{"card": cards[kind], "owner": owner} for unit, kind, owner in under if unit == slot],
        "known_by": sorted(known & BOTH), "open": known == EVERYBODY,
        **{key: _reference(raw[key][slot], raw[f"{key}_serial"][slot]) for key in _REFERENCES},
    }


def track_values(game: MythosGame, raw: Mapping[str, Any], seat: int) -> list[dict[str, Any]]:
    """What a seat keeps track of."""
    tracks = zip(raw[f"track_kind{seat}"][:raw[f"track_n{seat}"]], raw[f"track_where{seat}"], strict=False)
    return [{"card": game.names.cards[kind], "slots": sorted(where - {v.IN_TOP, v.IN_HAND}), "top": v.IN_TOP in where,
             "hand": v.IN_HAND in where} for kind, where in tracks]

# ---- From values ----


def raw_of(game: MythosGame, values: Mapping[str, Any], seat: int | None) -> dict[str, Any]:
    """The rows of a position from its values; what a view (of `seat`) leaves open gets the cards it can't place, in order.

    Of hidden lists nothing is known to fill in: kind 0 stands in until the world is sampled. Raises ValueError where a number is
    out of its range, a card does not exist, or the parts contradict each other.
    """
    try:
        return _Reader(game, values).run(seat)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError(f"the view is broken: {type(error).__name__} {error}") from None


def _padded(rows: Sequence[Sequence[Any]], size: int, empty: Any = 0) -> list[list[Any]]:
    return [[*row, *[empty] * (size - len(row))] for row in rows]


class _Reader:
    def __init__(self, game: MythosGame, values: Mapping[str, Any]) -> None:
        self.game, self.values = game, values
        self.numbers = game.names.card_number
        self.slots = {unit["slot"] for unit in values["units"]}
        self.rest: list[list[int] | None] = []
        self.raw: dict[str, Any] = {}

    def run(self, seat: int | None) -> dict[str, Any]:
        values, progress = self.values, self.values["progress"]
        mission_number = self.game.names.mission_number
        need(len(self.slots) == len(values["units"]), "a slot that is used twice")
        need(len(values["missions"]) <= v.MISSIONS, "the missions")
        shown = {**values, "mulligan": [0 if answer is None else answer for answer in values["mulligan"]],
                 "progress": {**progress, "frames": [self.frame(frame) for frame in progress["frames"]]}}
        rows = self.game.fields
        self.raw = raw = rows.parse(shown, rows.read(bytes(rows.size)), 2)
        raw["depth"], raw["queue_n"], raw["score_n"] = (len(progress[key]) for key in ("frames", "reactions", "waiting"))
        need(raw["passed"] <= BOTH and raw["arrived"] <= self.slots, "who has passed, what has arrived")
        need(seat is None or values["phase"] == "over" or raw["turn"] + raw["asks"] <= v.QUESTIONS, "the number of questions")
        raw["mission"], raw["mission_n"] = [mission_number[row["id"]] for row in values["missions"]], len(values["missions"])
        need(all(len(values[key]) == 2 for key in ("triples", "hands", "tops", "discards", "unseen")), "the seats")
        raw["triple"] = [[0] * 3 if triple is None else [mission_number[key] for key in triple] for triple in values["triples"]]
        need(all(len(triple) == 3 for triple in raw["triple"]), "the missions of a seat")
        self.cards()
        for entry in (*progress["reactions"], *progress["waiting"]):
            need(entry["line"] < len(self.game.compiled.lines), "a waiting line")
            line = self.game.compiled.lines[entry["line"]]
            need(line.trigger in (v.SCORE, v.ON) and (entry["unit"] is None) == (line.kind >= v.MISSION_LINE), "a waiting line")
        self.tracks(seat)
        if values["chain"] is not None:
            mission = values["chain"]["mission"]
            raw["chain_play"] = whole(values["chain"]["play"], 0, 9999, "an unfinished play")
            raw["chain_mission"] = 0 if mission is None else 1 + whole(mission, 0, raw["mission_n"] - 1, "the mission of a play")
        asked = values.get("asked", ())
        raw["question_number"] = v.Q_OVER
        if asked and values["phase"] != "over":
            raw["asked_seat"] = whole(asked[0], 0, 1, "who is asked")
            raw["question_number"] = PROMPT_NUMBER[values["prompt"] or values["question"]]
        return raw

    def kind(self, owner: int, card: str | None) -> int:
        """A card that is known, or one of those that can't be placed."""
        if card is not None:
            return self.numbers[card]
        rest = self.rest[owner]
        return 0 if rest is None else rest.pop()

    def cards(self) -> None:
        values, raw = self.values, self.raw
        for unseen in values["unseen"]:
            need(unseen is None or len(unseen) <= v.CARDS, "the cards that are not seen")
            self.rest.append(None if unseen is None else sorted([self.numbers[card] for card in unseen], reverse=True))
        counts = [frame["looked"] for frame in raw["frames"] if frame["looked"]]
        need(sum(counts) <= v.LOOKED, "the looked-at cards")
        looked = []
        for entry, count in zip(values["looked"], counts, strict=False):
            shown = [None] * count if entry["cards"] is None else entry["cards"]
            need(len(shown) == count, "the looked-at cards")
            owner = whole(entry["seat"], 0, 1, "who looks at cards")
            looked += [self.kind(owner, card) for card in shown]
        need(len(values["looked"]) == len(counts), "the looked-at cards")
        raw["looked_kinds"], raw["looked_n"] = looked, len(looked)
        tops, filters = values["tops"], len(self.game.compiled.filters)
        need(all(len(top) <= v.TOPS for top in tops) and all(len(pile) <= v.CARDS for pile in values["discards"]), "a pile")
        need(all(set(card["known_by"]) <= BOTH for top in tops for card in top), "the top of a deck")
        raw["top_kind"] = _padded([[self.kind(owner, card["card"]) for card in top] for owner, top in enumerate(tops)], v.TOPS)
        raw["top_known"] = _padded([[set(card["known_by"]) for card in top] for top in tops], v.TOPS, set())
        raw["top_not"] = _padded([[whole(card["not"], 0, filters, "what a card is not") for card in top] for top in tops], v.TOPS)
        raw["top_n"] = [len(top) for top in tops]
        raw["discard"] = _padded([[self.numbers[card] for card in pile] for pile in values["discards"]], v.CARDS)
        raw["discard_n"] = [len(pile) for pile in values["discards"]]
        self.units()
        hands, decks = [], []
        for owner, hand in enumerate(values["hands"]):
            shown = [None] * raw["hand_counts"][owner] if hand is None else hand
            need(len(shown) == raw["hand_counts"][owner], "a hand")
            hands.append(sorted(self.kind(owner, card) for card in shown))
            decks.append([self.kind(owner, None) for _ in range(raw["deck"][owner])])
        raw["hand"], raw["deck_kinds"] = _padded(hands, v.CARDS), _padded(decks, v.CARDS)

    def units(self) -> None:
        raw, rows, under = self.raw, self.game.fields.rows, []
        for unit in self.values["units"]:
            slot = whole(unit["slot"], 0, v.UNITS - 1, "a slot")
            for key, field in _UNIT.items():
                raw[field][slot] = rows[field].parse_one(unit[key], {})
            need(unit["mission"] < raw["mission_n"] and 0 < unit["serial"] <= raw["serials"], "a character")
            need(unit["arrival"] <= raw["arrivals"], "a character")
            known = EVERYBODY if unit["open"] else set(unit["known_by"])
            need(isinstance(unit["up"], bool) and isinstance(unit["open"], bool) and unit["up"] <= unit["open"], "a character")
            side = whole(unit["seat"], 0, 1, "the seat of a character")
            need(set(unit["known_by"]) <= BOTH and side in unit["known_by"], "who knows a character")
            need(not unit["open"] or len(unit["known_by"]) == 2, "who knows a character")
            raw["side"][side].add(slot)
            raw["at"][unit["mission"]].add(slot)
            raw["known"][slot] = known
            raw["top"][slot] = self.kind(unit["owner"], unit["card"])
            if unit["up"]:
                raw["up"].add(slot)
            for key in _REFERENCES:
                raw[key][slot], raw[f"{key}_serial"][slot] = self.reference(unit[key])
            if unit["link"] is not None:
                raw["linked"].add(slot)
            raw["below"][slot] = len(unit["below"])
            under += [(slot, self.numbers[card["card"]], whole(card["owner"], 0, 1, "a card of a pile")) for card in unit["below"]]
        need(len({unit["serial"] for unit in self.values["units"]}) == len(self.slots), "the characters")
        need(len(under) <= v.UNDER, "the cards of piles")
        under.sort(key=lambda card: card[0])
        raw["under_unit"], raw["under_kind"], raw["under_owner"] = ([card[part] for card in under] for part in range(3))
        raw["under_n"] = len(under)
        for slot in raw["up"]:
            held, serial = raw["lock"][slot], raw["lock_serial"][slot]
            if serial and raw["serial"][held] == serial:
                raw["locked"].add(held)
            elif serial:
                raw["arrived"].add(slot)

    def reference(self, value: Mapping[str, Any] | None) -> tuple[int, int]:
        if value is None:
            return 0, 0
        return whole(value["slot"], 0, v.UNITS - 1, "a slot"), whole(value["serial"], 1, 65535, "a serial number")

    def frame(self, shown: Mapping[str, Any]) -> dict[str, Any]:
        """A frame as its rows have it."""
        picked, packed = shown["picked"], 0
        need(set(picked) | set(shown["taxed"]) <= self.slots, "the chosen characters")
        need(not shown["call"] & v.IN_ORDER or len(picked) <= v.CHOICES, "the chosen characters")
        need(shown["here"] < max(len(self.values["missions"]), 1), "the mission of a frame")
        whole(shown["not"], 0, len(self.game.compiled.filters), "what looked-at cards are not")
        for place, slot in enumerate(picked):
            packed |= slot + 1 << 6 * place if shown["call"] & v.IN_ORDER else 1 << slot
        found = {**shown, "picked": packed}
        for register in "ab":
            found[register], found[f"{register}_serial"] = self.reference(shown[register])
        return found

    def tracks(self, seat: int | None) -> None:
        tracks = self.values.get("tracks", ([], []))
        if seat in (0, 1):
            tracks = (self.values["tracked"], self.values["shown"])[::-1 if seat else 1]
        for owner, rows in enumerate(tracks):
            need(len(rows) <= v.TRACKS and all(set(track["slots"]) <= self.slots for track in rows), "the tracked cards")
            where = [{*track["slots"], *[v.IN_TOP] * bool(track["top"]), *[v.IN_HAND] * bool(track["hand"])} for track in rows]
            need(all(where), "a tracked card")
            self.raw[f"track_kind{owner}"] = [self.numbers[track["card"]] for track in rows]
            self.raw[f"track_where{owner}"], self.raw[f"track_n{owner}"] = where, len(rows)
