"""What one observer of Titans knows, folded from its events: the same values as TitansGame.observation.

Everything on the table is public; hidden are hands, cards set aside, and the picks of the competitive mode until both seats
have made theirs. Characters, tiles and cards appear by the keys and ids of the pack; places are 0..9, borders numbers of
`Map.edges`, pieces 0..3 (0 and 1 black, 2 and 3 white; free-for-all: piece i of seat i, 3 is Cyborg), teams 0 black and
1 white (free-for-all: team i is seat i). The values, beside `asked`, `question` and `prompt` of every game:

    mode            "duel", "team3", "team4", "ffa3", "comp"
    round           0 during setup, then from 1
    phase           "setup", "start", "recovery", "activation", "end", "over"
    turn            activations that have begun to be counted in this round, 0..3
    first           the team (free-for-all: seat) that drafts first; None before CONFIG was seen
    initiative      the team with the initiative; None before the first round
    active          the piece whose turn it is, or None
    mayhem          {"face": 0..5, "value": 1..6, "star": bool}, None before the first roll
    tiles           per place the key of its tile; None: face down, or not laid yet
    removed         places that have left the game (free-for-all)
    obstacles       borders with an obstacle
    pizza           place of the pizza token; None: carried (see pieces) or not in play
    clues           places with a clue token
    traps           [black, white] per place: trap tokens; free-for-all: all in the first number
    teams           per team {"points", "go": id or None, "delivered": [icons], "gifts": still to deliver, "clues": collected,
                    "monster": {"place", "damage"} or None, "dice": [value, ...] ([] before the first roll),
                    "dice_used": [die, ...], "played": Mayhem card on the table or None,
                    "attack_bonus": bool, "trap_stun": bool (both until the end of the round)}
    pieces          per piece {"character": key or None, "team": None for Cyborg of the free-for-all, "seat": likewise,
                    "place": None off the map, "damage", "fire", "stunned", "stun_team", "shield", "escape", "pizza",
                    "ko": in this round, "eliminated", "innate_spent": once per game, "acts": activations in this round,
                    "slots": [value of the die on each ability, 0 none], "ghost", "locked" (until the end of the round)}
    hands           per seat ids ascending, or None where the observer does not know them (an empty hand everybody knows)
    hand_counts     per seat; a seat that sets cards aside in secret still counts with all it has drawn
    aside           likewise ids set aside, or None ([] where nobody sets cards aside)
    used            per seat the ids it has played in this game
    go_deck, go_done    ids of GO! cards: still to come (in no order), completed
    supplies        {"fire", "shields", "escapes", "obstacles", "gifts", "clues", "traps": [per team]}: tokens left
    turn_state      {"team": whose turn, "slot": die slot of this turn, "die": the die on it, "stood": place where the slot
                    ability was activated or None, and the flags "moved", "forfeited", "slot_used", "innate_used",
                    "special_on", "special_off", "next2", "flame"}
    progress        {"step": key, "at": number, "burning": [pieces], "frames": [frame, ...]}: what is being carried out, the
                    innermost last; a frame has "kind" (words.FRAME_KINDS) and the numbers of Frame in model.pxd
    result          teams that share the win, None before the end
"""
from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.view import View
from seatmate.engine.titans.words.words import ENTRIES, FLAGS, FRAME_KINDS, NONE, PHASES, STEPS

if TYPE_CHECKING:
    from seatmate.engine.titans.game import TitansGame

FRAME_KEYS = ("kind", "stage", "team", "seat", "actor", "tgt", "other", "place", "mode", "source", "verb", "who", "may", "asked",
              "a", "b", "at", "arg0", "arg1")
_FRAME = struct.Struct("<16BH2b")
_WORDS = struct.Struct("<5i")


def frame_of(words: tuple[int, ...]) -> dict[str, Any]:
    """A frame as plain values, from the words of its event. Raises ValueError."""
    try:
        values: dict[str, Any] = dict(zip(FRAME_KEYS, _FRAME.unpack(_WORDS.pack(*words)), strict=True))
        values["kind"] = FRAME_KINDS[values["kind"]]
    except (struct.error, IndexError) as error:
        raise ValueError(f"this is no frame: {words}") from error
    return values


def optional(number: int) -> int | None:
    """A number of the rules core in which 255 stands for none."""
    return None if number == NONE else number


class TitansView(View):
    """Folds Titans's events; the module's docstring has the values."""

    def __init__(self, game: TitansGame, observer: int) -> None:
        super().__init__(game.spec, game.seats, observer)
        self.game = game
        self.names = game.names
        content, mode = game.pack, game.settings.mode
        self.limits = content.limits
        arena = self.arena = mode == "ffa3"
        teams = 3 if arena else 2
        self.round = 0
        self.first: int | None = None
        self.initiative: int | None = None
        self.mayhem: dict[str, Any] | None = None
        self.tiles: list[int | None] = [None] * 10
        self.removed: set[int] = set()
        self.obstacles: set[int] = set()
        self.pizza: int | None = None
        self.clues: set[int] = set()
        self.traps = [[0, 0] for _ in range(10)]
        self.teams: list[dict[str, Any]] = [
            {"points": 0, "go": None, "delivered": set(), "gifts": 0, "clues": 0, "monster": None, "dice": [],
             "dice_used": set(), "played": None, "attack_bonus": False, "trap_stun": False} for _ in range(teams)]
        self.pieces: list[dict[str, Any]] = [self._new_piece(piece) for piece in range(4)]
        self.hands: list[set[int] | None] = [set() if seat == observer else None for seat in range(game.seats)]
        self.aside: list[set[int] | None] = [set() if seat == observer else None for seat in range(game.seats)]
        if game.settings.options["first_game"]:
            self.hands = [set() for _ in range(game.seats)]
            self.aside = [set() for _ in range(game.seats)]
        if mode == "comp":
            self.aside = [set() for _ in range(game.seats)]
        self.hand_counts = [0] * game.seats
        self.used: list[set[int]] = [set() for _ in range(game.seats)]
        self.go_deck = set() if arena else set(range(len(content.go)))
        self.go_done: set[int] = set()
        self.flow: tuple[int, ...] = (STEPS.index("comp" if mode == "comp" else "draft"), 0, 0, NONE, 0, 0, 0, 0, 0, NONE)
        self.frames: list[dict[str, Any]] = []
        self.coming: list[dict[str, Any]] = []
        self.result: list[int] | None = None

    def _new_piece(self, piece: int) -> dict[str, Any]:
        team, seat = self.game.piece_team(piece), self.game.piece_seat(piece)
        return {"character": None, "team": team, "seat": seat, "place": None, "damage": 0, "fire": 0,
                "stunned": False, "stun_team": None, "shield": False, "escape": False, "pizza": False, "ko": False,
                "eliminated": False, "innate_spent": False, "acts": 0, "slots": [0, 0], "ghost": False, "locked": False}

    # ---- Events ----

    def apply(self, key: str, args: tuple[int, ...]) -> None:
        """One event of the game; those without a method change nothing that is observed."""
        handler = getattr(self, f"on_{key.lower()}", None)
        if handler is not None:
            handler(*args)

    def piece_of(self, who: int) -> dict[str, Any]:
        """The piece an event is about."""
        return self.pieces[who & 3]

    def on_config(self, mode: int, options: int, first: int) -> None:
        """The game begins."""
        self.first = first

    def on_draft(self, seat: int, who: int) -> None:
        """A character is taken."""
        self.piece_of(who)["character"] = who >> 2

    def on_comp_pick(self, seat: int, kind: int, number: int) -> None:
        """The observer's own secret pick."""
        if kind:
            self._own(self.hands, seat).add(number)
            self.hand_counts[seat] += 1
        else:
            mine = [piece for piece in self.pieces if piece["seat"] == seat and piece["character"] is None]
            mine[0]["character"] = number

    def on_comp_reveal(self, seat: int, *characters: int) -> None:
        """The characters of a seat become public."""
        mine = [piece for piece in self.pieces if piece["seat"] == seat]
        for piece, character in zip(mine, characters, strict=True):
            piece["character"] = character

    def on_tiles(self, *tiles: int) -> None:
        """The map is laid."""
        self.tiles = list(tiles)

    @staticmethod
    def _own(cards: list[set[int] | None], seat: int) -> set[int]:
        found = cards[seat]
        if found is None:
            raise ValueError(f"the observer does not know the cards of seat {seat}")
        return found

    def on_mayhem_draw(self, seat: int, *cards: int) -> None:
        """The observer draws."""
        self._own(self.hands, seat).update(cards)
        self.hand_counts[seat] = len(cards)

    def on_mayhem_count(self, seat: int, count: int) -> None:
        """Another seat has cards."""
        if seat != self.observer:
            self.hand_counts[seat] = count

    def on_setaside(self, seat: int, card: int) -> None:
        """The observer sets a card aside."""
        self._own(self.hands, seat).remove(card)
        self._own(self.aside, seat).add(card)
        self.hand_counts[seat] -= 1

    def on_setaside_count(self, seat: int, count: int) -> None:
        """All have set their cards aside."""
        if seat != self.observer:
            self.hand_counts[seat] -= count

    def on_deal_fixed(self, seat: int, card: int) -> None:
        """A hand all know."""
        self._own(self.hands, seat).add(card)
        self.hand_counts[seat] += 1

    def on_round(self, number: int) -> None:
        """A round begins."""
        self.round = number
        if self.arena:
            for team, piece in zip(self.teams, self.pieces, strict=False):
                if piece["eliminated"]:
                    team["dice"] = []

    def on_roll_act(self, team: int, value0: int, value1: int) -> None:
        """Activation dice."""
        self.teams[team]["dice"] = [value0, value1] if value1 else [value0]

    def on_initiative(self, team: int) -> None:
        """Who begins."""
        self.initiative = team

    def on_roll_mayhem(self, face: int, value: int, star: int) -> None:
        """The Mayhem die."""
        self.mayhem = {"face": face, "value": value, "star": bool(star)}

    def on_go_reveal(self, team: int, card: int) -> None:
        """A GO! card comes into play."""
        self.go_deck.remove(card)
        self.teams[team]["go"] = card

    def on_go_done(self, team: int, card: int) -> None:
        """It is completed; its tokens go back."""
        self.go_done.add(card)
        self.teams[team].update(go=None, delivered=set(), gifts=0, clues=0, monster=None)
        if self.game.pack.go[card].family == "pizza":
            self.pizza = None
            for piece in self.pieces:
                piece["pizza"] = False
        if self.game.pack.go[card].family == "clues":
            self.clues = set()

    def on_go_shuffle(self) -> None:
        """Completed cards become the deck."""
        self.go_deck, self.go_done = self.go_done, set()

    def on_card(self, seat: int, card: int) -> None:
        """A Mayhem card is played."""
        self.used[seat].add(card)
        hand = self.hands[seat]
        if hand is not None:
            hand.remove(card)
        self.hand_counts[seat] -= 1
        self.teams[self.game.seat_team(seat)]["played"] = card

    def on_die_slot(self, who: int, die: int, slot: int, value: int) -> None:
        """A die is placed."""
        piece = self.piece_of(who)
        piece["acts"] += 1
        piece["slots"][slot] = value
        self.teams[piece["team"]]["dice_used"].add(die)

    def on_die_change(self, team: int, die: int, value: int) -> None:
        """A die shows something else; if it lies on the active piece's slot, there, too."""
        self.teams[team]["dice"][die] = value
        _, _, _, active, acting, _, slot, placed, _, _ = self.flow
        if active != NONE and acting == team and placed == die and die in self.teams[team]["dice_used"]:
            self.pieces[active]["slots"][slot] = value

    def on_enter(self, who: int, place: int, mode: int, tile: int) -> None:
        """A piece comes to a place."""
        self.piece_of(who)["place"] = place
        if ENTRIES[mode] == "place" and self.arena and who & 3 == 3:
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
        self.teams[team]["monster"]["damage"] = total

    def on_heal(self, who: int, amount: int, total: int) -> None:
        """Damage is removed."""
        self.piece_of(who)["damage"] = total

    def on_token(self, who: int, kind: int, change: int, team: int) -> None:
        """A token comes or goes."""
        piece = self.piece_of(who)
        if kind == 0:
            piece["fire"] += change
        elif kind == 1:
            piece["stunned"] = change > 0
            piece["stun_team"] = team if change > 0 else None
        elif kind == 4:
            piece["pizza"] = change > 0
            self.pizza = None
        else:
            piece["shield" if kind == 2 else "escape"] = change > 0

    def on_trap(self, place: int, team: int, change: int, tile: int) -> None:
        """Traps are placed or leave."""
        self.traps[place][0 if self.arena else team] += change

    def on_obst(self, start: int, to: int, tile0: int, tile1: int, team: int) -> None:
        """An obstacle is placed or relocated."""
        self.obstacles.discard(start)
        self.obstacles.add(to)

    def on_flag(self, flag: int, who: int, team: int) -> None:
        """Something that lasts until the end of the round (marks of the turn come with FLOW)."""
        if flag < 2:
            self.piece_of(who)["ghost" if flag == 0 else "locked"] = True
        elif flag < 4:
            self.teams[team]["attack_bonus" if flag == 2 else "trap_stun"] = True

    def on_ko(self, who: int, eliminated: int) -> None:
        """A piece leaves the map; what lies on its board goes, except the pizza and the mark of an innate ability."""
        self.piece_of(who).update(place=None, damage=0, fire=0, stunned=False, stun_team=None, shield=False, escape=False,
                                  ko=True, ghost=False, locked=False, eliminated=bool(eliminated))

    def on_vp(self, team: int, total: int) -> None:
        """Points."""
        self.teams[team]["points"] = total

    def on_mission_token(self, kind: int, team: int, start: int, to: int, tile: int) -> None:
        """Pizza, clue, monster, or gift."""
        if kind == 0:
            self.pizza = to
        elif kind == 1:
            if start >= 0:
                self.clues.remove(start)
                self.teams[team]["clues"] += 1
            else:
                self.clues.add(to)
        elif kind == 2:
            self.teams[team]["monster"] = {"place": to, "damage": 0}
        elif to < 0:
            self.teams[team]["gifts"] = start
        else:
            self.teams[team]["gifts"] -= 1
            self.teams[team]["delivered"].add(self.game.pack.tile[tile].icon)

    def on_tile_removed(self, place: int) -> None:
        """A place leaves the game."""
        self.removed.add(place)

    def on_round_end(self, number: int) -> None:
        """What lasted for the round ends."""
        for team in self.teams:
            team.update(dice_used=set(), played=None, attack_bonus=False, trap_stun=False)
        for piece in self.pieces:
            piece.update(ko=False, acts=0, slots=[0, 0], ghost=False, locked=False)

    def on_game_end(self, winners: int) -> None:
        """The game is over."""
        self.result = [team for team in range(len(self.teams)) if winners >> team & 1]

    def on_flow(self, *numbers: int) -> None:
        """Where the game stands, before a question."""
        self.flow = numbers
        self.frames = []

    def on_frame(self, *words: int) -> None:
        """... what is being carried out."""
        self.frames.append(frame_of(words))

    # ---- Snapshot ----

    def supplies(self) -> dict[str, Any]:
        """Tokens left, which follow from where all others are."""
        limits, pieces = self.limits, self.pieces
        placed = [sum(place[team] for place in self.traps) for team in range(2)]
        stuns = [sum(piece["stunned"] and piece["stun_team"] == team for piece in pieces) for team in range(2)]
        traps = ([limits.arena_traps - placed[0] - stuns[0]] if self.arena
                 else [limits.traps - placed[team] - stuns[team] for team in range(2)])
        return {
            "fire": limits.fire - sum(piece["fire"] for piece in pieces),
            "shields": limits.shields - sum(piece["shield"] for piece in pieces),
            "escapes": limits.escapes - sum(piece["escape"] for piece in pieces),
            "obstacles": limits.obstacles - len(self.obstacles),
            "gifts": limits.gifts - sum(team["gifts"] + len(team["delivered"]) for team in self.teams),
            "clues": limits.clues - len(self.clues) - sum(team["clues"] for team in self.teams),
            "traps": traps,
        }

    def body(self) -> dict[str, Any]:
        """The observation; its keys are those of the module's docstring."""
        names = self.names
        step, at, turn, active, acting, flags, slot, die, burning, stood = self.flow
        icons = [tile.icon for tile in self.game.pack.tile]
        return {
            "mode": self.game.settings.mode, "round": self.round, "phase": PHASES.get(STEPS[step], "activation"), "turn": turn,
            "first": self.first, "initiative": self.initiative, "active": optional(active), "mayhem": self.mayhem,
            "tiles": [None if tile is None or tile < 0 else names.tiles[tile] for tile in self.tiles],
            "removed": sorted(self.removed), "obstacles": sorted(self.obstacles), "pizza": self.pizza,
            "clues": sorted(self.clues), "traps": [list(place) for place in self.traps],
            "teams": [{**team, "go": None if team["go"] is None else names.goes[team["go"]],
                       "delivered": sorted(team["delivered"], key=icons.index), "dice": list(team["dice"]),
                       "dice_used": sorted(team["dice_used"]),
                       "played": None if team["played"] is None else names.cards[team["played"]],
                       "monster": None if team["monster"] is None else dict(team["monster"])} for team in self.teams],
            "pieces": [{**piece, "character": None if piece["character"] is None else names.characters[piece["character"]],
                        "slots": list(piece["slots"])} for piece in self.pieces],
            "hands": [[names.cards[card] for card in sorted(hand)] if hand is not None
                      else [] if count == 0 and self.round else None
                      for hand, count in zip(self.hands, self.hand_counts, strict=True)],
            "hand_counts": list(self.hand_counts),
            "aside": [None if aside is None else [names.cards[card] for card in sorted(aside)] for aside in self.aside],
            "used": [[names.cards[card] for card in sorted(used)] for used in self.used],
            "go_deck": [names.goes[card] for card in sorted(self.go_deck)],
            "go_done": [names.goes[card] for card in sorted(self.go_done)],
            "supplies": self.supplies(),
            "turn_state": {"team": acting, "slot": slot, "die": die, "stood": optional(stood),
                           **{flag: bool(flags >> number & 1) for number, flag in enumerate(FLAGS)}},
            "progress": {"step": STEPS[step], "at": at, "burning": [piece for piece in range(4) if burning >> piece & 1],
                         "frames": [dict(frame) for frame in self.frames]},
            "result": None if self.result is None else list(self.result),
        }
