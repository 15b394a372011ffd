"""The content pack of Monster Chase: its schema and its words in the effect notation."""
from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import Field, model_validator

from seatmate.engine.core.effects_vocabulary import Param, Pick, Signature, Trigger, Vocabulary
from seatmate.engine.core.errors import SettingsError, suggest, unlisted
from seatmate.engine.core.packs import Component, Effect, LoadedPack, PackProblem, PackSchema, Source, linker, load_pack
from seatmate.engine.core.spec import words
from seatmate.engine.monster_chase.content import circuits
from seatmate.engine.monster_chase.content import vocabulary as v


def numbers(prefix: str) -> dict[str, int]:
    """The words of vocabulary.pxd with this prefix and their numbers, in ascending order."""
    found = {name.removeprefix(prefix): number for name, number in vars(v).items() if name.startswith(prefix)}
    return dict(sorted(found.items(), key=lambda item: item[1]))


def small(prefix: str) -> dict[str, int]:
    """Likewise, in small letters."""
    return {name.lower(): number for name, number in numbers(prefix).items()}


EFFECTS = tuple(name for name, number in small("X_").items() if name != "shields")
SPECIALS = tuple(small("TILE_"))
STEP_WORDS, FRAME_WORDS = tuple(small("S_")), tuple(small("C_"))
"""The steps of a round, and what can be carried out, by their numbers."""
DECKS = ("sprint", "rush")
DIFFICULTIES = ("normal", "easy_a", "easy_b", "hard_a", "hard_b", "harsh_a", "harsh_b")
MODS = small("M_")

_N = Param.number("n", low=1, high=9)
_WHO = Param.selector("who")
_PLACED = (_N, Param.word("place", "place"), Param.number("k", 0, low=0, high=9), Param.selector("of", -1))
_MOD = (Param.word("key", "mod"), Param.number("n", low=-9, high=9))

# Parameters and meaning.
_VERBS: dict[str, tuple[tuple[Param, ...], str]] = {
    "DMG": ((_N, _WHO), "so much damage to somebody"),
    "HEAL": ((_N, _WHO), "repair so much damage of somebody; the Boss gets so many hearts back"),
    "STAR": ((Param.number("n", low=-3, high=3), _WHO), "so many stars for somebody"),
    "SHIELD": ((_N, _WHO), "so many shields for somebody"),
    "STRIP": ((_N, _WHO), "take up to so many shields from somebody"),
    "DISCARD": ((_N, _WHO), "discard so many cards from the hand of somebody (the owner chooses)"),
    "DRAW": ((_N, _WHO), "so many cards for somebody"),
    "SPIN": ((_WHO,), "spin somebody"),
    "MOVE": ((_N,), "advance so many squares"),
    "STEP": ((), "change lanes"),
    "TELEPORT": ((_N,), "jump to a free square at most so many squares away"),
    "SWAP": ((_WHO,), "change places with somebody"),
    "MISSILE": ((_N,), "fire so many missiles straight ahead"),
    "MISSILE_BACK": ((_N,), "fire so many missiles straight back"),
    "SALVO": ((_N,), "fire a missile of so much damage in each lane"),
    "BOMB": (_PLACED, "put so many bombs"),
    "BOULDER": (_PLACED, "put so many boulders"),
    "EXPLODE": ((), "the bombs just put down explode"),
    "EXTRA": ((), "play one more card of your hand, with its effect and movement"),
    "DISCARD_ASSAULT": ((), "discard the assault card"),
    "AURAS": ((_N,), "draw so many positive auras"),
    "DROP_AURA": ((_N,), "discard so many positive auras"),
    "EXPOSE": ((_N,), "turn so many hidden prey tokens up again, by chance"),
    "FURIOUS": ((), "the Boss becomes furious"),
    "TURN": (_MOD, "until the end of the turn the number is changed"),
    "MOD": (_MOD, "as long as the card or board side is active the number is changed"),
}
VERBS = numbers("V_")
_BASES = {"self": "whoever does it", "boss": "the Boss", "pilots": "each car",
          "foes": "each opponent",
          "team": "each car of the own side"}
_FILTERS = {"ahead": "ahead", "behind": "behind", "lane": "in the same lane", "linked": "with a connection",
            "lone": "without a connection", "linked_me": "connected to whoever does it", "near": "at most so many squares away"}
_PICKS = {"one": "one of them, by choice", "nearest": "the nearest of them", "first": "the best ranked of them",
          "last": "the worst ranked of them"}
_CONDITIONS = {"linked": "it is connected to a car", "lone": "it is connected to no car",
               "boss_near": "the Boss is at most so many squares away",
               "rank_best": "it is the best ranked car", "rank_worst": "it is the worst ranked car",
               "hand_ge": "it holds at least so many cards", "hand_le": "it holds at most so many cards",
               "boss_hurt": "the Boss has at most so many percent of its hearts"}
_MOD_WORDS = {
    "value_all": "cards are worth so much more", "value_sprint": "Sprint cards are worth so much more",
    "value_rush": "Rush cards are worth so much more", "value_cap": "cards are worth at most so much",
    "value_floor": "cards are worth at least so much", "no_steer": "cards change no lanes",
    "no_missile": "cards fire no missiles", "no_bomb": "cards put no bombs", "no_repair": "cards repair nothing",
    "no_star": "cards bring no stars", "twice_bomb": "bombs of cards count twice", "twice_repair": "repairs of cards count twice",
    "twice_star": "stars of cards count twice", "effect_tax": "who uses the effect of a card drives so many squares less",
    "skip_bonus": "who uses no effect of a card drives so many squares more", "free_steer": "one more lane change before driving",
    "missile_dmg": "missiles do so much more damage", "missile_range": "missiles fly so many squares only",
    "missile_pass_ally": "missiles fly past allies", "missile_pierce_obstacle": "missiles clear obstacles and fly on",
    "obstacle_dmg": "obstacles do so much more damage", "obstacle_safe": "obstacles do no damage",
    "spin_on_hit": "obstacles spin the car", "unstoppable": "obstacles don't end a move", "ram_dmg": "rams do so much more damage",
    "ram_self": "who rams takes so much damage", "ram_push": "a ram pushes so many squares",
    "ally_ram_dmg": "rams on allies do so much more damage", "conn": "connections have so much more range",
    "no_cog": "no Cognitive Transfer", "no_kin": "no Kinetic Transfer", "no_ast": "no Astral Transfer",
    "no_man": "no Advanced Manoeuvre", "kin_bonus": "the other car of a Kinetic Transfer drives so many squares more",
    "ast_keep": "the hand is kept after an Astral Transfer", "man_draw": "cards are drawn after a manoeuvre, too",
    "no_power": "no star powers", "power_cost": "star powers cost so much more", "hand": "hands hold so many more cards",
    "draw_sprint": "only Sprint cards are drawn", "draw_choice": "who draws chooses the deck",
    "no_shield": "cars gain no shields", "shield_keep": "shields are not lost at the end of a turn",
    "dodge": "the Boss drives around obstacles", "immovable": "the Boss is never pushed",
    "thorns": "who rams the Boss takes so much damage",
    "armor_red": "on a red position the first damage of a turn is so much less", "crush": "the Boss crushes obstacles"}

VOCABULARY = Vocabulary(
    game="monster_chase",
    triggers={"start": Trigger(v.H_START, doc="as the turn begins"), "end": Trigger(v.H_END, doc="as the turn ends")},
    verbs={name: Signature(VERBS[name], params, doc) for name, (params, doc) in _VERBS.items()},
    bases={name: Signature(number, doc=_BASES[name]) for name, number in small("B_").items()},
    atoms={name: Signature(number, (Param.number("n", low=0, high=9),) if name == "near" else (), doc=_FILTERS[name])
           for name, number in small("F_").items()},
    picks={name: Pick(number, doc=_PICKS[name]) for name, number in small("PICK_").items() if name != "all"},
    conditions={name: Signature(number, (Param.number("n", low=0, high=100),) if name[:4] in ("boss", "hand") else (),
                                doc=_CONDITIONS[name])
                for name, number in small("IF_").items() if number},
    words={"place": small("PLACE_"), "mod": MODS},
    word_docs={"place": {"": "where an object goes", "adj": "beside, before or behind", "rear": "behind, else beside",
                         "back": "so many squares behind", "before": "in front of somebody",
                         "near": "at most so many squares away"},
               "mod": {"": "what is changed", **_MOD_WORDS}},
)

# ---- Schema ----

Title = Annotated[str, Field(min_length=1, max_length=50)]
Small = Annotated[int, Field(ge=0, le=9)]
Spot = Annotated[tuple[int, ...], Field(min_length=2, max_length=2)]
Numbered = Annotated[tuple[int, ...], Field(min_length=3, max_length=3)]
Link = Annotated[tuple[int, ...], Field(min_length=4, max_length=4)]
Copies = dict[Annotated[str, Field(pattern="^[1-5]$")], Annotated[int, Field(ge=1, le=9)]]
Programs = tuple[Effect, ...]
KEYS = {"supply": ("name",), "strip": ("vehicles",), "start_hand": ("positions",), "reserve": ("min_tiles",), "prey": ("kind",),
        "card": ("deck", "effect"), "winter_card": ("deck", "effect")}
"""What tells the rows of a table apart, where they have no id."""
Change = Annotated[str, Field(pattern=r"^(lost_turn|lost_round|healed|turn_squares|pilot_offtrack|own_turn_end_furious|rank_first)"
                                      r"(<=|>=)[0-9]$")]


class Params(Component):
    """The numbers of the rules."""

    hearts: Annotated[int, Field(ge=1, le=6)]
    star_max: Annotated[int, Field(ge=1, le=3)]
    hand: Annotated[int, Field(ge=1, le=5)]
    shield_max: Annotated[int, Field(ge=1, le=4)]
    manoeuvre_shields: Small
    conn_base: Annotated[int, Field(ge=1, le=7)]
    ram_damage: Small
    ram_push: Small
    obstacle_damage: Small
    missile_damage: Small
    missile_cap: Annotated[int, Field(ge=1, le=60)]
    offtrack_star: Small
    boss_offtrack_heal: Small
    bot_star_move: Small
    boost_points: Small
    spin_cost: Small
    sand_extra: Small
    yeti_fail_max: Annotated[int, Field(ge=0, le=6)]
    prey_flip: Small
    prey_flip_if_exactly_two: Small
    prey_start_slot: Annotated[int, Field(ge=0, le=5)]
    nitro_gap: Annotated[int, Field(ge=1, le=12)]


class Supply(Component):
    """How many of a component there are."""

    name: Literal["boulder", "bomb", "boost", "shield_token", "reserve", "prey", "snout", "ice_slab", "magic_nitro"]
    count: Annotated[int, Field(ge=1, le=40)]


class Strip(Component):
    """Green positions of the ranking strip."""

    vehicles: Annotated[int, Field(ge=2, le=9)]
    green: Annotated[int, Field(ge=1, le=8)]


class StartHand(Component):
    """Cards of the first hand, by position."""

    positions: tuple[int, ...]
    sprint: Small
    rush: Small


class Grid(Component):
    """[lane, index] of each position on the start tile."""

    positions: Annotated[tuple[Spot, ...], Field(min_length=9, max_length=9)]


class Reserve(Component):
    """An energy reserve: on a circuit of at least so many tiles it lies on this tile, counted from 1."""

    min_tiles: Annotated[int, Field(ge=6, le=12)]
    tile: Annotated[int, Field(ge=2, le=12)]


class Card(Component):
    """Movement cards of an effect; copies by value."""

    deck: Literal["sprint", "rush"]
    effect: Literal["steer", "missile", "bomb", "repair", "star", "freeze", "power"]
    copies: Copies


class Prey(Component):
    """A kind of prey token."""

    kind: Literal["heart", "double_heart", "discard", "auras", "heart_discard"]
    hearts: Small
    discard_assault: Annotated[int, Field(ge=0, le=1)]
    auras: Small
    count: Small


class PreyBase(Component):
    """The tokens of the standard set."""

    kinds: dict[str, int]
    heart_per_player_above: Small


class Difficulty(Component):
    """What is put out of and into the set."""

    id: str
    removes: tuple[str, ...]
    adds: tuple[str, ...]


class Boss(Component):
    """A Boss; hp for 2 to 8 seats. spirit: what the rulebook says of it."""

    id: Literal["truck", "bike", "jeep", "loco"]
    name: Title
    hp: Annotated[tuple[Annotated[int, Field(ge=1, le=60)], ...], Field(min_length=7, max_length=7)]
    always: Programs
    normal: Programs
    furious: Programs
    to_furious: Change
    to_normal: Change
    spirit: str = ""
    source_always: Source | None = None
    source_normal: Source | None = None
    source_furious: Source | None = None
    source_conditions: Source | None = None
    source_hp: Source | None = None


class Pilot(Component):
    """A pilot's board: powers of the levels 1 and 3, in the chase and in races."""

    id: str
    name: Title
    car: Title
    colour: str
    mc_l1: Programs
    mc_l3: Programs
    race_l1: Programs
    race_l3: Programs
    name_source: Source | None = None


class CommonPower(Component):
    """The power of level 2, which all boards share."""

    level: Literal[2]
    fx: Programs


class Aura(Component):
    """An aura card: negative and positive half."""

    id: int
    name: Title
    neg: Programs
    pos: Programs
    chaos: bool = False


class Assault(Component):
    """An assault card: green and red half."""

    id: int
    name: Title
    green: Programs
    red: Programs
    chaos: bool = False


class Nitro(Component):
    """Magic-Nitro tokens."""

    id: str
    count: Annotated[int, Field(ge=0, le=16)]
    fx: Programs


class Geometry(Component):
    """Where the lanes of a tile are cut into squares, in units of its length."""

    id: Annotated[str, Field(pattern="^[A-Z][A-Z0-9]*$")]
    shape: Literal["S", "C"]
    cuts: Annotated[tuple[tuple[int, ...], ...], Field(min_length=3, max_length=3)]


class Tile(Component):
    """A tile side. Squares are [lane, index], numbered ones [lane, index, number], links [lane, index, to lane, to index]."""

    id: Annotated[str, Field(pattern="^[0-9]{2}[A-Z]$")]
    name: Title
    test: bool = False
    needs: Literal["base", "winter", "mc", "test"]
    mc: bool = False
    geo: str
    start: bool = False
    special: Literal["none", "landslide", "volcano", "portal", "crossing", "snow", "penguin", "lake", "ridge", "yeti", "mirror",
                     "spirits", "rolling"]
    checkpoint: Annotated[tuple[int, ...], Field(min_length=3, max_length=3)]
    removed: tuple[Spot, ...] = ()
    lightning: tuple[Spot, ...] = ()
    boost: tuple[Spot, ...] = ()
    portal_in: tuple[Spot, ...] = ()
    sand: tuple[Spot, ...] = ()
    water: tuple[Spot, ...] = ()
    void: tuple[Spot, ...] = ()
    slide: tuple[Spot, ...] = ()
    boulders: tuple[Numbered, ...] = ()
    ice: tuple[Numbered, ...] = ()
    mirrors: tuple[Numbered, ...] = ()
    portals: tuple[Numbered, ...] = ()
    paws: tuple[Numbered, ...] = ()
    craters: tuple[Numbered, ...] = ()
    snow: tuple[Numbered, ...] = ()
    arch: tuple[Numbered, ...] = ()
    arrows: tuple[Link, ...] = ()
    forks: tuple[Link, ...] = ()


SPOTS = tuple(key for key, info in Tile.model_fields.items() if info.default == () and key != "removed")
"""Fields of a tile side that name squares."""
NUMBERED = tuple(key for key in SPOTS if Tile.model_fields[key].annotation == tuple[Numbered, ...])
LINKS = ("arrows", "forks")
READS = {"landslide": ("lightning", "slide"), "volcano": ("lightning", "craters"), "portal": ("portal_in", "portals"),
         "crossing": ("lightning", "paws"), "snow": ("lightning", "snow"), "penguin": ("arch",), "lake": ("water",),
         "ridge": ("lightning",), "yeti": ("lightning",), "mirror": ("lightning", "mirrors"), "spirits": ("lightning",),
         "rolling": ("lightning",)}
"""The fields that the rules read for a special; those of one special alone stand on no other side."""
OWN = {key: special for special, keys in READS.items() for key in keys if key not in ("lightning", "water")}
ROLLED = ("craters", "portals", "paws", "snow", "mirrors")
"""Fields in which a die finds one square for each of its faces."""
DIE = range(1, 7)
WAYS = 3
"""Squares ahead of a square, at most; see Square in model.pxd."""


def wrong_side(tile: Tile, squares: circuits.Squares, geometry: Geometry) -> Iterator[tuple[str, str]]:
    """What is wrong with a tile side whose squares exist: the field and the problem."""
    printed = {(lane, idx) for lane, cuts in enumerate(geometry.cuts) for idx in range(len(cuts) - 1)}
    if tile.start and geometry.shape != "S":
        yield "start", "a starting grid is straight"
    for spot in tile.removed:
        if spot not in printed:
            yield "removed", f"there is no square {list(spot)}"
    for lane in range(v.LANES):
        if (lane, 0) not in squares:
            yield "removed", f"lane {lane} needs its first square, [{lane}, 0]: the tile before leads there"
        if tile.checkpoint[lane] not in range(last := len(geometry.cuts[lane]) - 1):
            yield "checkpoint", f"lane {lane} has the squares 0 to {last - 1}, not {tile.checkpoint[lane]}"
    for key in READS.get(tile.special, ()):
        if not getattr(tile, key):
            yield "special", f"{tile.special} needs {key}"
    for key, special in OWN.items():
        if getattr(tile, key) and tile.special != special:
            yield key, f'these squares are for special = "{special}"'
    wet = tile.water + tile.void
    for key in SPOTS:
        spots = [spot[:2] for spot in getattr(tile, key)]
        if key not in LINKS and (double := [spot for spot, count in Counter(spots).items() if count > 1]):
            yield key, f"square {list(double[0])} is there twice"
        if key in (*NUMBERED, "boost", "portal_in", "slide") and (drowned := [spot for spot in spots if spot in wet]):
            yield key, f"square {list(drowned[0])} is water or void"
    for key in NUMBERED:
        numbered = [row[2] for row in getattr(tile, key)]
        if off := set(numbered) - set(DIE):
            yield key, f"squares are numbered from 1 to {DIE[-1]}, not {min(off)}"
        if key != "arch" and (double := [number for number in numbered if numbered.count(number) > 1]):
            yield key, f"number {double[0]} is there twice"
        if key in ROLLED and numbered and (lacking := set(DIE) - set(numbered)):
            yield key, f"a die chooses the square: number {min(lacking)} is missing"
    for entry, exits in (("portal_in", "portals"), ("lightning", "mirrors")):
        if back := [row[:2] for row in getattr(tile, exits) if row[:2] in getattr(tile, entry)]:
            yield exits, f"square {list(back[0])} is one of {entry}, too: who comes there would be carried on and on"
    yield from wrong_links(tile)


def wrong_links(tile: Tile) -> Iterator[tuple[str, str]]:
    """Likewise, of its arrows and forks."""
    for key, most in (("arrows", 1), ("forks", WAYS - 1)):
        rows: tuple[tuple[int, ...], ...] = getattr(tile, key)
        for row in rows:
            if row[:2] == row[2:]:
                yield key, f"square {list(row[:2])} leads to itself"
            if rows.count(row) > 1:
                yield key, f"{list(row)} is there twice"
            if sum(row[:2] == other[:2] for other in rows) > most:
                yield key, f"a square has at most {most} of them, not more, like {list(row[:2])}"


class Circuit(Component):
    """Tile sides with their turns, S straight, L left, R right."""

    id: str
    test: bool = False
    closed: bool
    tiles: Annotated[tuple[str, ...], Field(min_length=6, max_length=12)]


class ChasePack(PackSchema):
    """The whole file."""

    params: Params
    supply: tuple[Supply, ...]
    strip: tuple[Strip, ...]
    start_hand: tuple[StartHand, ...]
    grid: Annotated[tuple[Grid, ...], Field(min_length=1, max_length=1)]
    reserve: tuple[Reserve, ...]
    card: tuple[Card, ...]
    winter_card: tuple[Card, ...]
    prey: Annotated[tuple[Prey, ...], Field(min_length=v.PREY, max_length=v.PREY)]
    prey_base: Annotated[tuple[PreyBase, ...], Field(min_length=1, max_length=1)]
    difficulty: tuple[Difficulty, ...]
    boss: Annotated[tuple[Boss, ...], Field(min_length=4, max_length=4)]
    pilot: Annotated[tuple[Pilot, ...], Field(min_length=v.PILOTS, max_length=v.PILOTS)]
    common_power: Annotated[tuple[CommonPower, ...], Field(min_length=1, max_length=1)]
    aura: Annotated[tuple[Aura, ...], Field(min_length=v.CARDS, max_length=v.CARDS)]
    assault: Annotated[tuple[Assault, ...], Field(min_length=v.CARDS, max_length=v.CARDS)]
    nitro: Annotated[tuple[Nitro, ...], Field(min_length=v.NITROS, max_length=v.NITROS)]
    geometry: tuple[Geometry, ...]
    tile: tuple[Tile, ...]
    circuit: tuple[Circuit, ...]

    @functools.cached_property
    def sides(self) -> dict[str, Tile]:
        """Tile sides by their ids."""
        return {tile.id: tile for tile in self.tile}

    @functools.cached_property
    def geometries(self) -> dict[str, Geometry]:
        """By their ids."""
        return {row.id: row for row in self.geometry}

    def vocabulary(self) -> Vocabulary:
        """The words of Monster Chase in the notation."""
        return VOCABULARY

    @model_validator(mode="after")
    def _check_keys(self) -> ChasePack:
        for table, names in KEYS.items():
            seen = set()
            for number, row in enumerate(getattr(self, table)):
                key = tuple(getattr(row, name) for name in names)
                if key in seen:
                    raise PackProblem(f"two rows have the same {words(names)}", table, number, names[-1])
                seen.add(key)
        lacking = set(get_args(Supply.model_fields["name"].annotation)) - {row.name for row in self.supply}
        if lacking:
            raise PackProblem(f"there is no row for {words(sorted(lacking))}", "supply", 0)
        if sorted(position for row in self.start_hand for position in row.positions) != list(range(1, 10)):
            raise PackProblem("the rows are for the positions 1 to 9, each once", "start_hand", 0, "positions")
        return self

    @model_validator(mode="after")
    def _check_rows(self) -> ChasePack:
        for name, rows in (("card", self.card), ("winter_card", self.winter_card)):
            totals = Counter[str]()
            for number, card in enumerate(rows):
                totals[card.deck] += sum(card.copies.values())
                if card.effect in ("freeze", "power") and name == "card":
                    raise PackProblem("freeze and power are cards of the Winter module", name, number, "effect")
            if totals != {"sprint": 30, "rush": 25}:
                raise PackProblem("there are 30 Sprint and 25 Rush cards", name, 0)
        for table in ("aura", "assault"):
            cards: tuple[Aura | Assault, ...] = getattr(self, table)
            for number, one in enumerate(cards):
                if one.id != number + 1:
                    raise PackProblem(f"the cards are numbered from 1, so this one has the id {number + 1}", table, number, "id")
                if one.chaos != (number == v.CARDS - 1):
                    raise PackProblem("the last card is Chaos, and no other", table, number, *["chaos"] * one.chaos)
        if {row.vehicles for row in self.strip} != set(range(2, 10)):
            raise PackProblem("there is a strip for 2 to 9 vehicles each", "strip", 0)
        for number, strip in enumerate(self.strip):
            if strip.green >= strip.vehicles:
                raise PackProblem(f"{strip.vehicles} vehicles have at most {strip.vehicles - 1} green positions",
                                  "strip", number, "green")
        kinds = [row.kind for row in self.prey]
        for kind, count in self.prey_base[0].kinds.items():
            if kind not in kinds:
                raise PackProblem(f"there is no such prey token{suggest(kind, kinds)}", "prey_base", 0, "kinds", kind)
            most = self.prey[kinds.index(kind)].count
            if not 0 <= count <= most:
                raise PackProblem(f"there are 0 to {most} of these tokens, not {count}", "prey_base", 0, "kinds", kind)
        if {row.id for row in self.difficulty} != set(DIFFICULTIES):
            raise PackProblem(f"the rows are {words(DIFFICULTIES)}", "difficulty", 0, "id")
        for number, row in enumerate(self.difficulty):
            for name in ("removes", "adds"):
                for at, kind in enumerate(getattr(row, name)):
                    if kind not in kinds:
                        raise PackProblem(f"there is no such prey token{suggest(kind, kinds)}", "difficulty", number, name, at)
        self._check_tiles()
        return self

    def _check_tiles(self) -> None:
        for number, row in enumerate(self.geometry):
            for lane, cuts in enumerate(row.cuts):
                if list(cuts) != sorted(set(cuts)) or len(cuts) not in range(2, v.ROW + 2) or (cuts[0], cuts[-1]) != (0, v.LENGTH):
                    raise PackProblem(f"a lane is cut into 1 to {v.ROW} squares, by ascending numbers from 0 to {v.LENGTH}",
                                      "geometry", number, "cuts", lane)
        if double := [at for at, spot in enumerate(self.grid[0].positions) if spot in self.grid[0].positions[:at]]:
            raise PackProblem("two positions have this square", "grid", 0, "positions", double[0])
        for number, tile in enumerate(self.tile):
            if tile.geo not in self.geometries:
                raise PackProblem(unlisted(tile.geo, self.geometries), "tile", number, "geo")
            squares = circuits.squares(tile, self.geometries)
            for key in SPOTS:
                spots = [spot[at:at + 2] for spot in getattr(tile, key) for at in range(0, len(spot), 3 if len(spot) == 3 else 2)]
                if lost := [spot for spot in spots if spot not in squares]:
                    raise PackProblem(f"there is no square {list(lost[0])}", "tile", number, key)
            for key, problem in wrong_side(tile, squares, self.geometries[tile.geo]):
                raise PackProblem(problem, "tile", number, *[key] * (key in tile.model_fields_set))
            if tile.start and (outside := [at for at, spot in enumerate(self.grid[0].positions)
                                           if spot not in squares or spot in tile.void + tile.water]):
                raise PackProblem(f"{tile.id} has no dry square {list(self.grid[0].positions[outside[0]])}",
                                  "grid", 0, "positions", outside[0])
        for number, circuit in enumerate(self.circuit):
            try:
                entries = circuits.read(circuit.tiles)
                circuits.check(entries, self.sides, self.geometries)
            except SettingsError as error:
                raise PackProblem(str(error).partition(": ")[2], "circuit", number, "tiles") from error
            if circuit.closed != circuits.closed(entries):
                raise PackProblem(f"on the table it {'does not close' if circuit.closed else 'closes'}",
                                  "circuit", number, "closed")


@linker
def read(path_or_name: str) -> LoadedPack[ChasePack]:
    """Load a shipped pack by name or a file that ends in .toml. Raises PackError."""
    return load_pack(path_or_name, ChasePack, "monster_chase", Path(__file__).parents[1])
