"""Settings and a compiled pack as the C tables of the rules core."""
from seatmate.engine.core.types cimport int32_t
from seatmate.engine.titans.content cimport vocabulary as V

from seatmate.engine.titans.content.maps import ARENA, STANDARD
from seatmate.engine.titans.content.pack import ICONS
from seatmate.engine.titans.words.names import MODES

SEATS_OF_MODE = {"duel": 2, "team3": 3, "team4": 4, "ffa3": 3, "comp": 2}
PIECE_SEATS = {"duel": (0, 0, 1, 1), "team3": (0, 0, 1, 2), "team4": (0, 2, 1, 3), "ffa3": (0, 1, 2, None), "comp": (0, 0, 1, 1)}
"""Who owns the pieces 0 to 3 (section 1)."""


def piece_team(mode: str, piece: int) -> int | None:
    """The team of a piece; None for Cyborg of the free-for-all."""
    if mode == "ffa3":
        return piece if piece < 3 else None
    return piece // 2


cdef int fill_pack(Book* t, pack, compiled) except -1:
    """All that depends on the pack only."""
    cdef int i, j, k
    limits = pack.limits
    for i in range(6):
        t.face_value[i] = pack.die.value[i]
        t.face_star[i] = pack.die.star[i]
    seen = [0] * len(ICONS)
    for i, tile in enumerate(pack.tile):
        k = ICONS.index(tile.icon)
        t.icon_of[i] = k
        if seen[k]:
            t.twin_of[k - 6] = i
        else:
            t.tile_of[k] = i
        seen[k] += 1
    t.obstacles = limits.obstacles
    t.fire = limits.fire
    t.shields = limits.shields
    t.escapes = limits.escapes
    t.gifts = limits.gifts
    t.clues = limits.clues
    t.points = limits.points
    cards = {card.id: number for number, card in enumerate(pack.mayhem)}
    t.same_icons = len({board.icons for board in pack.board}) == 1
    for i, board in enumerate(pack.board):
        row = compiled.boards[i]
        t.board[i].health = board.health
        t.board[i].icons = board.icons
        t.board[i].limit = ("turn", "game", "passive").index(board.limit)
        t.board[i].trap_immune = row.trap_immune
        t.board[i].innate = row.innate
        t.board[i].worth = board.worth
        t.board[i].first_game = sum(1 << cards[card] for card in board.first_game)
        if board.key == "cyborg":
            t.is_cyborg = 1 << i
        for j in range(2):
            t.board[i].ability[j].slot = board.ability[j].slot
            for k in range(3):
                t.board[i].ability[j].body[k] = row.bodies[j][k]
    for i, card in enumerate(pack.mayhem):
        row = compiled.cards[i]
        t.card[i].trigger = row.trigger
        t.card[i].arena = card.arena
        t.card[i].when = row.when
        t.card[i].pay = row.pay
        t.card[i].body = row.body
        t.card[i].worth = card.worth
        t.of_trigger[<int> row.trigger] |= 1 << i
    for i, go in enumerate(pack.go):
        row = compiled.goes[i]
        t.go[i].kind = row.kind
        t.go[i].icon = row.icon
        t.go[i].number = row.number
        t.go[i].icons = row.icons
        t.go[i].points = go.points
        t.go[i].no_heal = row.no_heal
        t.go[i].reveal = row.reveal
    for i, row in enumerate(compiled.rows):
        t.row[i].base = row.base
        t.row[i].each = row.each
        t.row[i].here = row.here
        t.row[i].icon = row.icon
        t.row[i].close = row.close
    for i, word in enumerate(compiled.code):
        t.code[i] = <int32_t> word
    return 0


cdef int fill_settings(Book* t, pack, mode, options, given) except -1:
    """Mode, options, seats and the map. `given`: per piece its character without a draft, or nothing."""
    cdef int i, e
    owners = PIECE_SEATS[mode]
    limits = pack.limits
    where = ARENA if mode == "ffa3" else STANDARD
    t.mode = MODES.index(mode)
    t.seats = SEATS_OF_MODE[mode]
    t.wild = t.common_traps = mode == "ffa3"
    t.teams, t.pieces, t.dice = (3, 3, 1) if t.wild else (2, 4, 2)
    t.drafted = ((1 << V.BOARDS) - 1) & ~(t.is_cyborg if t.wild else 0)
    t.go_deck = 0 if t.wild else (1 << V.GOS) - 1
    t.recovery = V.S_BURN if t.wild else V.S_RETURN
    t.fallen = V.KO_NOW | (V.ELIMINATED if t.wild else 0)
    t.first_game = options["first_game"]
    t.flame_every_turn = options["flame_every_turn"]
    t.begins = V.NONE if options["initiative"] == "dice" else int(options["initiative"])
    for i in range(V.PIECES):
        t.given[i] = given[i] if given else V.NONE
    t.traps = limits.arena_traps if t.wild else limits.traps
    t.rounds = limits.arena_rounds if t.wild else limits.rounds
    for i in range(V.PIECES):
        team = piece_team(mode, i)
        t.seat_of[i] = V.NONE if owners[i] is None else owners[i]
        t.piece_team[i] = V.TEAMS if team is None else team
        t.mate[i] = V.NONE if t.wild else i ^ 1
        t.foes_row[i] = 0 if t.wild else 1 - team
        if owners[i] is not None:
            t.team_of[<int> owners[i]] = team
            t.seats_of[<int> team] |= 1 << <int> owners[i]
            t.trap_row[<int> team] = 0 if t.wild else team
    for i in range(t.seats):
        t.draw[i] = limits.draw if owners.count(i) == 2 else limits.draw_one
    for i, card in enumerate(pack.mayhem):
        if card.arena or not t.wild:
            t.deck |= 1 << i
    t.edges = len(where.edges)
    for i in range(10):
        t.adjacent[i] = where.adjacent[i]
    for e, (a, b) in enumerate(where.edges):
        t.edge_a[e] = a
        t.edge_b[e] = b
        t.edge_at[<int> a][<int> b] = e
        t.edge_at[<int> b][<int> a] = e
        t.edges_of[<int> a] |= 1 << e
        t.edges_of[<int> b] |= 1 << e
    return 0
