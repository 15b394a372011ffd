"""What one observer of Titans knows, folded from its events: the same values as TitansGame.observation.

Everything on the table is public; hidden are hands, cards set aside, and the picks of the competitive mode until both seats
have made theirs. Beside the rows of fields.pyx, which are changed a little, an observation has:

    mode            "duel", "team3", "team4", "ffa3", "comp"
    phase           "setup", "start", "recovery", "activation", "end", "over"
    mayhem          {"face": 0..5, "value": 1..6, "star": bool}, None before the first roll
    traps           [black, white] per place: trap tokens; free-for-all: all in the first number
    teams           "monster": {"place", "damage"} or None; "dice": [value, ...] ([] before the first roll)
    pieces          "team" (None for Cyborg of the free-for-all), "seat" (likewise); "stun_team" is None without a stun
    hands           per seat ids ascending, or None where the observer does not know them (an empty hand everybody knows)
    hand_counts     per seat; a seat that sets cards aside in secret still counts with all it has drawn
    aside           likewise ids set aside, or None ([] where nobody sets cards aside)
    supplies        {"fire", "shields", "escapes", "obstacles", "gifts", "clues", "traps": [per team]}: tokens left
    result          teams that share the win, None before the end
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.events import FoldingView
from seatmate.engine.core.fields import NOBODY, bits
from seatmate.engine.titans.content import vocabulary as v
from seatmate.engine.titans.content.pack import ICONS
from seatmate.engine.titans.secrets.fields import FIELDS, FLAGS, FRAME
from seatmate.engine.titans.words.names import PHASES

if TYPE_CHECKING:
    from seatmate.engine.titans.game import TitansGame
@dataclass
class Hands:
    """Who holds and has set aside what, as one observer knows it. Cards are numbers; None: not known."""

    hands: list[set[int] | None]
    aside: list[set[int] | None]
    counts: list[int]


def hands_of(game: TitansGame, raw: Mapping[str, Any], observer: int | None) -> Hands:
    """What the observer knows of the hands of a true state; None: everything."""
    known = [game.open_hands or observer in (seat, None) for seat in range(game.seats)]
    hands, aside = raw["hand"][:game.seats], raw["aside"][:game.seats]
    counts = [len(cards) for cards in hands]
    for seat in range(game.seats):
        if not known[seat] and raw["step"] == v.S_SET_ASIDE:
            counts[seat] += len(aside[seat])
        elif not known[seat] and raw["step"] == v.S_COMP:
            counts[seat] = 0
    return Hands([cards if yes else None for cards, yes in zip(hands, known, strict=True)],
                 [cards if yes or game.settings.mode == "comp" else None for cards, yes in zip(aside, known, strict=True)], counts)


def unseen_picks(game: TitansGame, raw: Mapping[str, Any], observer: int | None) -> Mapping[str, Any]:
    """The raw values without the characters that others are picking in secret."""
    if observer is None or raw["step"] != v.S_COMP or raw["at"] != 1:
        return raw
    return {**raw, "pieces": [piece if game.piece_seat(number) == observer else {**piece, "character": v.NONE}
                              for number, piece in enumerate(raw["pieces"])]}


def shown(game: TitansGame, raw: Mapping[str, Any], hands: Hands, rows: dict[str, Any] | None = None) -> dict[str, Any]:
    """The observation of raw values. rows: what everybody sees of them if it is made already; they become part of it."""
    values = game.fields.show(raw, NOBODY, game.seats) if rows is None else rows
    face, die = raw["face"], game.pack.die
    ids = game.names.cards
    teams = values["teams"][:game.team_count]
    for team in teams:
        place, damage = team.pop("monster_place"), team.pop("monster_damage")
        team["monster"] = None if place is None else {"place": place, "damage": damage}
        team["dice"] = [value for value in team["dice"] if value]
    for number, piece in enumerate(values["pieces"]):
        piece.update(team=game.piece_team(number), seat=game.piece_seat(number))
        if not piece["stunned"]:
            piece["stun_team"] = None
    values["traps"] = [list(place) for place in zip(*raw["traps"], strict=True)]
    started = raw["round"] or (game.arena and raw["pieces"][2]["place"] != v.NONE)
    return {
        **values, "mode": game.settings.mode, "phase": PHASES.get(values["progress"]["step"], "activation"), "teams": teams,
        "initiative": raw["initiative"] if started else None,
        "mayhem": None if face == v.NONE else {"face": face, "value": die.value[face], "star": die.star[face]},
        "hands": [[ids[card] for card in sorted(hand)] if hand is not None else None if count or not raw["round"] else []
                  for hand, count in zip(hands.hands, hands.counts, strict=True)],
        "hand_counts": list(hands.counts),
        "aside": [None if aside is None else [ids[card] for card in sorted(aside)] for aside in hands.aside],
        "supplies": supplies(game, values), "result": values["result"] or None}


def supplies(game: TitansGame, values: Mapping[str, Any]) -> dict[str, Any]:
    """Tokens left, which follow from where all others are."""
    limits, pieces, teams = game.pack.limits, values["pieces"], values["teams"]
    used = [sum(place[row] for place in values["traps"]) + sum(piece["stunned"] and piece["stun_team"] == row for piece in pieces)
            for row in range(1 if game.arena else 2)]
    return {
        "fire": limits.fire - sum(piece["fire"] for piece in pieces),
        "shields": limits.shields - sum(piece["shield"] for piece in pieces),
        "escapes": limits.escapes - sum(piece["escape"] for piece in pieces),
        "obstacles": limits.obstacles - len(values["obstacles"]),
        "gifts": limits.gifts - sum(team["gifts"] + len(team["delivered"]) for team in teams),
        "clues": limits.clues - len(values["clues"]) - sum(team["clues"] for team in teams),
        "traps": [(limits.arena_traps if game.arena else limits.traps) - count for count in used]}


class TitansView(FoldingView):
    """Folds Titans's events; the module's docstring has the values."""

    SAYS_ONLY = frozenset({"WINDOW", "PASS", "PIECE", "STAY", "ABILITY", "ATTACK", "ATTACK_FAILED", "TRAP_TRIGGER",
                           "DECLINE", "FLAME", "TURN_END"})

    def __init__(self, game: TitansGame, observer: int) -> None:
        super().__init__(game.spec, game.seats, observer)
        self.game = game
        self.raw: dict[str, Any] = FIELDS.read(game.blank)
        self.teams: list[dict[str, Any]] = self.raw["teams"]
        self.pieces: list[dict[str, Any]] = self.raw["pieces"]
        known = [game.open_hands or seat == observer for seat in range(game.seats)]
        self.cards = Hands([set() if yes else None for yes in known],
                           [set() if yes or game.settings.mode == "comp" else None for yes in known], [0] * game.seats)

    # ---- Events ----

    def piece_of(self, who: int) -> dict[str, Any]:
        """The piece an event is about."""
        return self.pieces[who & 3]

    def on_config(self, mode: int, options: int, first: int) -> None:
        """The game begins."""
        self.raw["first"] = first

    def on_draft(self, seat: int, who: int) -> None:
        """A character is taken."""
        self.piece_of(who)["character"] = who >> 2

    def on_comp_pick(self, seat: int, kind: int, number: int) -> None:
        """The observer's own secret pick."""
        if kind:
            self._own(self.cards.hands, seat).add(number)
            self.cards.counts[seat] += 1
        else:
            self.pieces[2 * seat + (self.pieces[2 * seat]["character"] != v.NONE)]["character"] = number

    def on_comp_reveal(self, seat: int, *characters: int) -> None:
        """The characters of a seat become public."""
        for piece, character in zip(self.pieces[2 * seat:2 * seat + 2], characters, strict=True):
            piece["character"] = character

    def on_tiles(self, *tiles: int) -> None:
        """The map is laid."""
        self.raw["tiles"] = list(tiles)

    @staticmethod
    def _own(cards: list[set[int] | None], seat: int) -> set[int]:
        found = cards[seat]
        if found is None:
            raise ValueError(f"the observer does not know the cards of seat {seat}")
        return found

    def on_mayhem_draw(self, seat: int, *cards: int) -> None:
        """The observer draws."""
        self._own(self.cards.hands, seat).update(cards)
        self.cards.counts[seat] = len(cards)

    def on_mayhem_count(self, seat: int, count: int) -> None:
        """Another seat has cards."""
        if seat != self.observer:
            self.cards.counts[seat] = count

    def on_setaside(self, seat: int, card: int) -> None:
        """The observer sets a card aside."""
        self._own(self.cards.hands, seat).remove(card)
        self._own(self.cards.aside, seat).add(card)
        self.cards.counts[seat] -= 1

    def on_setaside_count(self, seat: int, count: int) -> None:
        """All have set their cards aside."""
        if seat != self.observer:
            self.cards.counts[seat] -= count

    def on_deal_fixed(self, seat: int, card: int) -> None:
        """A hand all know."""
        self._own(self.cards.hands, seat).add(card)
        self.cards.counts[seat] += 1

    def on_round(self, number: int) -> None:
        """A round begins."""
        self.raw["round"] = number
        for team, piece in zip(self.teams, self.pieces, strict=False):
            if piece["eliminated"]:
                team["dice"] = [0, 0]

    def on_roll_act(self, team: int, value0: int, value1: int) -> None:
        """Activation dice."""
        self.teams[team]["dice"] = [value0, value1]

    def on_initiative(self, team: int) -> None:
        """Who begins."""
        self.raw["initiative"] = team

    def on_roll_mayhem(self, face: int, value: int, star: int) -> None:
        """The Mayhem die."""
        self.raw["face"] = face

    def on_go_reveal(self, team: int, card: int) -> None:
        """A GO! card comes into play."""
        self.raw["go_deck"].remove(card)
        self.teams[team]["go"] = card

    def on_go_done(self, team: int, card: int) -> None:
        """It is completed; its tokens go back."""
        self.raw["go_done"].add(card)
        self.teams[team].update(go=v.NONE, delivered=set(), gifts=0, clues=0, monster_place=v.NONE, monster_damage=0)
        if self.game.pack.go[card].family == "pizza":
            self.raw["pizza"] = v.NONE
            for piece in self.pieces:
                piece["pizza"] = False
        if self.game.pack.go[card].family == "clues":
            self.raw["clues"] = set()

    def on_go_shuffle(self) -> None:
        """Completed cards become the deck."""
        self.raw.update(go_deck=self.raw["go_done"], go_done=set())

    def on_card(self, seat: int, card: int) -> None:
        """A Mayhem card is played."""
        self.raw["used"][seat].add(card)
        hand = self.cards.hands[seat]
        if hand is not None:
            hand.remove(card)
        self.cards.counts[seat] -= 1
        self.teams[self.game.seat_team(seat)]["played"] = card

    def on_die_slot(self, who: int, die: int, slot: int, value: int) -> None:
        """A die is placed."""
        piece = self.piece_of(who)
        piece["acts"] += 1
        piece["slots"][slot] = value
        self.teams[self.game.piece_team(who & 3) or 0]["dice_used"].add(die)

    def on_die_change(self, team: int, die: int, value: int) -> None:
        """A die shows something else; if it lies on the active piece's slot, there, too."""
        self.teams[team]["dice"][die] = value
        raw = self.raw
        if raw["active"] != v.NONE and raw["team"] == team and raw["die"] == die and die in self.teams[team]["dice_used"]:
            self.pieces[raw["active"]]["slots"][raw["slot"]] = value

    def on_enter(self, who: int, place: int, mode: int, tile: int) -> None:
        """A piece comes to a place."""
        self.piece_of(who)["place"] = place
        if mode == v.BY_PLACE and self.game.arena and who & 3 == v.CYBORG:
            self.piece_of(who)["character"] = who >> 2

    def on_innate(self, who: int) -> None:
        """An innate ability is used."""
        if self.game.pack.board[who >> 2].limit == "game":
            self.piece_of(who)["innate_spent"] = True

    def on_damage(self, who: int, amount: int, absorbed: int, source: int, total: int) -> None:
        """Damage; a shield takes its part and goes."""
        piece = self.piece_of(who)
        piece["damage"] = total
        if absorbed:
            piece["shield"] = False

    def on_monster_damage(self, team: int, amount: int, total: int) -> None:
        """A monster is hit."""
        self.teams[team]["monster_damage"] = total

    def on_heal(self, who: int, amount: int, total: int) -> None:
        """Damage is removed."""
        self.piece_of(who)["damage"] = total

    def on_token(self, who: int, kind: int, change: int, team: int) -> None:
        """A token comes or goes."""
        piece = self.piece_of(who)
        if kind == v.TK_FIRE:
            piece["fire"] += change
            return
        piece[{v.TK_STUN: "stunned", v.TK_SHIELD: "shield", v.TK_ESCAPE: "escape", v.TK_PIZZA: "pizza"}[kind]] = change > 0
        if kind == v.TK_STUN:
            piece["stun_team"] = team if change > 0 else 0
        elif kind == v.TK_PIZZA:
            self.raw["pizza"] = v.NONE

    def on_trap(self, place: int, team: int, change: int, tile: int) -> None:
        """Traps are placed or leave."""
        self.raw["traps"][0 if self.game.arena else team][place] += change

    def on_obst(self, start: int, to: int, tile0: int, tile1: int, team: int) -> None:
        """An obstacle is placed or relocated."""
        self.raw["obstacles"].discard(start)
        self.raw["obstacles"].add(to)

    def on_flag(self, flag: int, who: int, team: int) -> None:
        """Something that lasts until the end of the round (marks of the turn come with FLOW)."""
        if flag in (v.F_GHOST, v.F_LOCK):
            self.piece_of(who)["ghost" if flag == v.F_GHOST else "locked"] = True
        elif flag in (v.F_ATK1, v.F_TRAPSTUN):
            self.teams[team]["attack_bonus" if flag == v.F_ATK1 else "trap_stun"] = True

    def on_ko(self, who: int, eliminated: int) -> None:
        """A piece leaves the map; what lies on its board goes, except the pizza and the mark of an innate ability."""
        self.piece_of(who).update(place=v.NONE, damage=0, fire=0, stunned=False, stun_team=0, shield=False, escape=False,
                                  ko=True, ghost=False, locked=False, eliminated=bool(eliminated))

    def on_vp(self, team: int, total: int) -> None:
        """Points."""
        self.teams[team]["points"] = total

    def on_mission_token(self, kind: int, team: int, start: int, to: int, tile: int) -> None:
        """Pizza, clue, monster, or gift."""
        if kind == v.MISSION_PIZZA:
            self.raw["pizza"] = to
        elif kind == v.MISSION_CLUE and start >= 0:
            self.raw["clues"].remove(start)
            self.teams[team]["clues"] += 1
        elif kind == v.MISSION_CLUE:
            self.raw["clues"].add(to)
        elif kind == v.MISSION_MONSTER:
            self.teams[team].update(monster_place=to, monster_damage=0)
        elif to < 0:
            self.teams[team]["gifts"] = start
        else:
            self.teams[team]["gifts"] -= 1
            self.teams[team]["delivered"].add(ICONS.index(self.game.pack.tile[tile].icon))

    def on_tile_removed(self, place: int) -> None:
        """A place leaves the game."""
        self.raw["removed"].add(place)

    def on_round_end(self, number: int) -> None:
        """What lasted for the round ends."""
        for team in self.teams:
            team.update(dice_used=set(), played=v.NONE, attack_bonus=False, trap_stun=False)
        for piece in self.pieces:
            piece.update(ko=False, acts=0, slots=[0, 0], ghost=False, locked=False)

    def on_game_end(self, winners: int) -> None:
        """The game is over."""
        self.raw["result"] = bits(winners)

    def on_flow(self, step: int, at: int, turn: int, active: int, acting: int, flags: int, slot: int, die: int, burning: int,
                stood: int) -> None:
        """Where the game stands, before a question."""
        self.raw.update(step=step, at=at, turn=turn, active=active, team=acting, slot=slot, die=die, burning=bits(burning),
                        stood=stood, frames=[], **{name: flags >> bit & 1 for bit, name in enumerate(FLAGS)})

    def on_frame(self, *words: int) -> None:
        """... what is being carried out."""
        self.raw["frames"].append(FRAME.read_words(words))

    def body(self) -> dict[str, Any]:
        """The rows, and the hands."""
        return shown(self.game, self.raw, self.cards)
