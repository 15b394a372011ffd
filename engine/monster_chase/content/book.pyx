"""Settings, a linked pack and a track as the book of the rules core."""
from libc.string cimport memset

from seatmate.engine.monster_chase.content cimport vocabulary as V
from seatmate.engine.monster_chase.rules.model cimport Square, Tile

from seatmate.engine.monster_chase.content.pack import DECKS, EFFECTS, numbers
from seatmate.engine.monster_chase.content.track import special_of


cdef int fill_square(Square* square, one, around, int boost) except -1:
    cdef int i
    square.b = one.b
    square.slot = one.slot
    square.lane = one.lane
    square.idx = one.idx
    square.ways = len(one.ahead)
    for i in range(square.ways):
        square.ahead[i] = one.ahead[i]
    square.back = one.back
    square.sides = len(one.side)
    for i in range(square.sides):
        square.side[i] = one.side[i]
    square.rounds = len(around)
    for i, there in enumerate(sorted(around)):
        square.round[i] = there
    square.flags = one.flags
    square.boulder = one.boulder
    square.ice = one.ice
    square.number = one.number
    square.boost = boost
    return 0


cdef int fill_track(Book* book, track) except -1:
    cdef int g, i, lane
    cdef Tile* tile
    book.tiles = len(track.tiles)
    book.squares = len(track.squares)
    book.snout = V.NONE
    boosts = 0
    around = track.neighbours(False)
    for i in range(book.tiles):
        tile = &book.tile[i]
        memset(tile, V.NONE, sizeof(Tile))
        tile.special = special_of(track.tiles[i])
        tile.n = 0
        for lane in range(V.LANES):
            tile.long_lane[lane] = 0
            tile.line[lane] = track.checkpoints[i][lane]
    for g, one in enumerate(track.squares):
        boosts += one.boost
        fill_square(&book.square[g], one, around[g], boosts if one.boost else 0)
        tile = &book.tile[<int> one.slot]
        if tile.n == 0:
            tile.start = g
        tile.n += 1
        tile.at[<int> one.lane][<int> one.idx] = g
        tile.long_lane[<int> one.lane] = max(tile.long_lane[<int> one.lane], one.idx + 1)
        tile.boulder[<int> one.boulder] = g if one.boulder else V.NONE
        tile.ice[<int> one.ice] = g if one.ice else V.NONE
        if one.number and not one.flags & V.SQ_ARCH:
            tile.numbered[<int> one.number] = g
        if tile.special == V.TILE_CROSSING and one.number == 1:
            book.snout = g
    for g, row in enumerate(track.distances()):
        for i, steps in enumerate(row):
            book.distance[g][i] = steps
    return 0


cdef int fill_programs(Book* book, rows) except -1:
    """Programs, and what is changed while cards and board sides are active."""
    cdef int at = 0
    cdef int number, key
    for number, steps in sorted(rows.programs.items()):
        book.program[number].start = at
        book.program[number].n = len(steps)
        for row in steps:
            book.step[at].verb, book.step[at].n, book.step[at].place = row.verb, row.n, row.place
            book.step[at].k, book.step[at].condition, book.step[at].condition_n = row.k, row.condition, row.condition_n
            book.step[at].who.base, book.step[at].who.filters, book.step[at].who.near, book.step[at].who.pick = row.who
            at += 1
    for (place, number), changes in rows.mods.items():
        for key, n in changes.items():
            if place == "neg":
                book.negative[number][key] = n
            elif place == "pos":
                book.positive[number][key] = n
                book.with_mod[key] |= <unsigned int> 1 << number
            elif place == "always":
                book.always[key] = n
            else:
                book.state[place == "furious"][key] = n
    return 0


cdef int fill_change(Book* book, boss) except -1:
    for change, text in ((0, boss.to_furious), (1, boss.to_normal)):
        below = "<=" in text
        name, n = text.split("<=" if below else ">=")
        rule = numbers("T_")[name.upper()], below, int(n)
        if change:
            book.to_normal.trigger, book.to_normal.below, book.to_normal.n = rule
        else:
            book.to_furious.trigger, book.to_furious.below, book.to_furious.n = rule
    return 0


cdef int fill_pack(Book* book, pack, plan) except -1:
    cdef int i
    params = pack.params
    book.hearts, book.star_max, book.hand, book.shield_max = params.hearts, params.star_max, params.hand, params.shield_max
    book.manoeuvre_shields, book.conn_base = params.manoeuvre_shields, params.conn_base
    book.ram_damage, book.ram_push, book.obstacle_damage = params.ram_damage, params.ram_push, params.obstacle_damage
    book.missile_damage, book.missile_cap, book.offtrack_star = params.missile_damage, params.missile_cap, params.offtrack_star
    book.boss_heal, book.bot_star, book.boost_points = params.boss_offtrack_heal, params.bot_star_move, params.boost_points
    book.spin_cost, book.sand_extra, book.yeti_max = params.spin_cost, params.sand_extra, params.yeti_fail_max
    book.flip, book.flip_of_two, book.prey_start = params.prey_flip, params.prey_flip_if_exactly_two, params.prey_start_slot
    book.nitro_gap = params.nitro_gap
    supply = {row.name: row.count for row in pack.supply}
    book.boulders, book.bombs, book.slabs = supply["boulder"], supply["bomb"], supply["ice_slab"] if plan.winter else 0
    book.shields = supply["shield_token"]
    for i in range(V.NITROS):
        book.nitro[i] = pack.nitro[i].count if plan.winter else 0
    for i, row in enumerate(pack.prey):
        book.prey[i].hearts, book.prey[i].discards, book.prey[i].auras = row.hearts, row.discard_assault, row.auras
        book.prey_set[i] = plan.prey.get(row.kind, 0)
    for row in pack.winter_card if plan.winter else pack.card:
        for value, copies in row.copies.items():
            book.total[<int> (DECKS.index(row.deck) * V.RUSH + EFFECTS.index(row.effect) * V.VALUES + int(value) - 1)] += copies
    for row in pack.start_hand:
        for place in row.positions:
            book.sprint[<int> place - 1], book.rush[<int> place - 1] = row.sprint, row.rush
    return 0


cdef int fill(Book* book, pack, rows, track, plan) except -1:
    """Everything that the rules read; plan: game.Plan."""
    cdef int i
    book.mode, book.seats, book.winter, book.chooses, book.drafts = plan.mode, plan.seats, plan.winter, plan.chooses, plan.drafts
    book.stables, book.stable_size, book.hands, book.extras = plan.stables, plan.stable_size, plan.hands, plan.extras
    book.furbots, book.round_cap = plan.furbots, plan.round_cap
    book.vehicles = len(plan.vehicles)
    book.boss = V.NONE
    for i, (kind, seat, stable) in enumerate(plan.vehicles):
        book.kind[i], book.seat[i], book.stable[i] = kind, seat, stable
        if kind == V.K_BOSS:
            book.boss = i
    book.cars = book.vehicles - (book.boss != V.NONE)
    fill_pack(book, pack, plan)
    fill_programs(book, rows)
    fill_track(book, track)
    book.green = next(row.green for row in pack.strip if row.vehicles == book.vehicles)
    book.boss_place = book.green
    for i, spot in enumerate(pack.grid[0].positions):
        book.grid[i] = track.number[0, spot[0], spot[1]]
    if book.boss != V.NONE:
        boss = pack.boss[plan.boss]
        book.max_hp = boss.hp[<int> book.seats - 2]
        fill_change(book, boss)
        for row in pack.reserve:
            if book.tiles >= row.min_tiles:
                book.reserves |= 1 << <int> (row.tile - 1)
    return 0
