"""Setup, phases and the end of a round (RULES.md, 5.1, 5.2, 5.12, 5.13)."""
from libc.string cimport memcpy, memset

from seatmate.engine.core.cardset cimport some
from seatmate.engine.core.rng cimport rng_below, shuffle_u8
from seatmate.engine.core.sink cimport PUBLIC, emit, emit1, emit2, emit3
from seatmate.engine.core.types cimport int32_t, uint8_t
from seatmate.engine.monster_chase.content cimport vocabulary as V
from seatmate.engine.monster_chase.rules.cards cimport discard_assault, discard_aura, draw, draw_assault, draw_negative, random_of
from seatmate.engine.monster_chase.rules.driving cimport scatter
from seatmate.engine.monster_chase.rules.harm cimport watch
from seatmate.engine.monster_chase.rules.model cimport go_to, green, pose_seat, progress, push
from seatmate.engine.monster_chase.rules.programs cimport strike
from seatmate.engine.monster_chase.rules.query cimport ally


cdef void clear_table(const Book* book, Chase* chase) noexcept nogil:
    """The table before anything is dealt or drawn."""
    cdef int v, type
    memset(chase, 0, sizeof(Chase))
    chase.flow.vehicles = book.vehicles
    chase.flow.current = V.NONE
    chase.flow.actor = V.NONE
    chase.flow.prompt = V.Q_NOTHING
    chase.flow.asker = V.NONE
    chase.flow.tied_prompt = V.Q_NOTHING
    chase.flow.negative = V.NONE
    chase.flow.assault = V.NONE
    chase.flow.last_aura = V.NONE
    chase.flow.last_assault = V.NONE
    chase.flow.snout = book.snout
    chase.flow.boulders = book.boulders
    chase.flow.bombs = book.bombs
    chase.flow.slabs = book.slabs
    chase.flow.shields = book.shields
    chase.flow.hp = <signed char> book.max_hp
    chase.flow.reserves = book.reserves
    chase.flow.prey_slot = book.prey_start if book.boss != V.NONE else 0
    memset(chase.flow.placed, V.NONE, 3)
    memset(chase.flow.rank, V.NONE, V.VEHICLES)
    memset(chase.flow.order, V.NONE, V.VEHICLES)
    memcpy(chase.flow.open, book.prey_set, V.PREY)
    memcpy(chase.flow.nitro, book.nitro, V.NITROS)
    memset(chase.hand, V.NONE, sizeof(chase.hand))
    for v in range(book.vehicles):
        chase.car[v].sq = V.NONE
        chase.car[v].arch = V.NONE
        chase.car[v].spirit = V.NONE
        chase.car[v].nitro = V.NONE
        chase.car[v].board = V.NONE
    for type in range(V.TYPES):
        chase.deck[type] = book.total[type]
        if type < V.RUSH:
            chase.flow.deck_sprint += book.total[type]
        else:
            chase.flow.deck_rush += book.total[type]


cdef int boards(const Book* book) noexcept nogil:
    """Cars with a pilot's board: all but bots and the Boss."""
    cdef int n = 0
    while n < book.vehicles and book.kind[n] < V.K_BOT:
        n += 1
    return n


cdef void set_up(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil:
    cdef uint8_t order[V.PILOTS]
    cdef int i
    clear_table(book, chase)
    if book.drafts:
        chase.flow.first_stable = <uint8_t> rng_below(rng, book.stables)
        chase.flow.step = V.S_DRAFT
    elif book.chooses:
        chase.flow.step = V.S_PICK
    else:
        for i in range(V.PILOTS):
            order[i] = <uint8_t> i
        shuffle_u8(order, V.PILOTS, rng)
        for i in range(boards(book)):
            assign(chase, i, order[i], sink)
        chase.flow.step = V.S_DEAL


cdef void assign(Chase* chase, int v, int board, Sink* sink) noexcept nogil:
    chase.car[v].board = <uint8_t> board
    emit2(sink, V.E_PILOT, PUBLIC, v, board)


cdef void draw_ranks(const Book* book, Chase* chase, Rng* rng) noexcept nogil:
    """The Boss on the first red position, the others in random order (R9)."""
    cdef uint8_t order[V.VEHICLES]
    cdef int i
    cdef int n = 0
    for i in range(book.cars):
        order[i] = <uint8_t> i
    shuffle_u8(order, book.cars, rng)
    for i in range(book.vehicles):
        if book.boss != V.NONE and i == book.boss_place:
            chase.flow.rank[i] = book.boss
        else:
            chase.flow.rank[i] = order[n]
            n += 1


cdef void tell_ranks(const Book* book, const Chase* chase, Sink* sink) noexcept nogil:
    cdef int32_t args[V.VEHICLES]
    cdef int i
    for i in range(book.vehicles):
        args[i] = chase.flow.rank[i]
    emit(sink, V.E_RANK, PUBLIC, book.vehicles, args)


cdef void deal(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil:
    """Ranks, grid, hands, the Boss's cards: then the first round begins with its turns (R8)."""
    cdef int i, v, _card, sprint, rush
    if chase.flow.rank[0] == V.NONE:
        draw_ranks(book, chase, rng)
    tell_ranks(book, chase, sink)
    if book.boss != V.NONE:
        draw_negative(book, chase, rng, sink)
        draw_assault(book, chase, rng, sink)
    for i in range(book.vehicles):
        v = chase.flow.rank[i]
        chase.car[v].sq = book.grid[i]
        if book.kind[v] >= V.K_BOT:
            continue
        sprint = book.sprint[i]
        rush = book.rush[i]
        if book.kind[v] == V.K_DRONE:
            sprint = green(book, chase, v)
            rush = 1 - sprint
        for _card in range(sprint):
            draw(book, chase, v, 0, rng, sink)
        for _card in range(rush):
            draw(book, chase, v, 1, rng, sink)
    scatter(book, chase, 1, rng, sink)
    begin_round(book, chase, 1, sink)


cdef void begin_round(const Book* book, Chase* chase, int number, Sink* sink) noexcept nogil:
    chase.flow.round = <uint8_t> number
    chase.flow.turn = 0
    go_to(chase, V.S_NEXT)
    memcpy(chase.flow.order, chase.flow.rank, V.VEHICLES)
    emit1(sink, V.E_ROUND, PUBLIC, number)

# ---- Choosing pilots and places ----

cdef int snake(const Book* book, const Chase* chase, int pick, bint backwards) noexcept nogil:
    """The stable whose pick it is; the grid is taken in the other direction, from the stable that picked last."""
    cdef int turn = pick // book.stables
    cdef int place = pick % book.stables
    if turn & 1:
        place = book.stables - 1 - place
    if backwards:           # with an even size the last pick was the first stable's
        place = (book.stables - 1 if book.stable_size & 1 else book.stables) - place
    return (chase.flow.first_stable + place) % book.stables


cdef int chooser(const Book* book, int stable, int member) noexcept nogil:
    """The seat of the stable's n-th member; a ghost's is the first one's (R49)."""
    cdef int v = stable * book.stable_size + member
    return book.seat[v] if book.kind[v] == V.K_PILOT else book.seat[stable * book.stable_size]


cdef bint taken(const Book* book, const Chase* chase, int board) noexcept nogil:
    cdef int v
    for v in range(book.vehicles):
        if chase.car[v].board == board:
            return True
    return False


cdef int setup_seat(const Book* book, const Chase* chase) noexcept nogil:
    """The seat that is asked next before the start; -1: this step of the setup is done."""
    cdef int step = chase.flow.step
    cdef int at = chase.flow.at // 2 if step == V.S_GRID else chase.flow.at     # on the grid: a car, then its place
    if at >= (boards(book) if step == V.S_PICK else book.stables * book.stable_size):
        return -1
    if step == V.S_PICK:
        return at if at < book.seats else 0
    if step == V.S_ASSIGN:
        return chooser(book, at // book.stable_size, at % book.stable_size)
    return chooser(book, snake(book, chase, at, step == V.S_GRID), at // book.stables)


cdef void ask_setup(const Book* book, Chase* chase) noexcept nogil:
    """The next question before the start, in the order of the steps, or the next step."""
    cdef int step = chase.flow.step
    cdef int seat = setup_seat(book, chase)
    if seat >= 0:
        pose_seat(chase, seat, V.Q_PILOT_PICK + step - V.S_PICK + (chase.flow.at & 1 if step == V.S_GRID else 0))
    else:
        chase.flow.chosen = 0
        go_to(chase, V.S_DEAL if step == V.S_PICK else step + 1)


cdef int round_options(const Book* book, const Chase* chase, action_t* out) noexcept nogil:
    """Answers to the questions before the start."""
    cdef int prompt = chase.flow.prompt
    cdef int at = chase.flow.at
    cdef int n = 0
    cdef int i, v, first
    if prompt == V.Q_DRAFT_ASSIGN:
        first = at // book.stable_size * book.stable_size
        for i in range(V.PILOTS):
            for v in range(at, first + book.stable_size):
                if chase.car[v].board == i:
                    out[n] = i
                    n += 1
        return n
    if prompt == V.Q_GRID_CAR:
        first = snake(book, chase, at // 2, True) * book.stable_size
        for v in range(first, first + book.stable_size):
            for i in range(book.vehicles):
                if chase.flow.rank[i] == v:
                    break
            else:
                out[n] = v
                n += 1
        return n
    for i in range(book.vehicles if prompt == V.Q_GRID_SLOT else V.PILOTS):
        if chase.flow.rank[i] == V.NONE if prompt == V.Q_GRID_SLOT else not taken(book, chase, i):
            out[n] = i
            n += 1
    return n


cdef void answer_round(const Book* book, Chase* chase, int action, Rng* rng, Sink* sink) noexcept nogil:
    cdef int prompt = chase.flow.prompt
    cdef int at = chase.flow.at
    cdef int v
    if prompt == V.Q_PILOT_PICK:
        assign(chase, at, action, sink)
    elif prompt == V.Q_DRAFT_PICK:
        assign(chase, snake(book, chase, at, False) * book.stable_size + at // book.stables, action, sink)
    elif prompt == V.Q_DRAFT_ASSIGN:
        for v in range(at, book.vehicles):
            if chase.car[v].board == action:
                chase.car[v].board = chase.car[at].board
                break
        assign(chase, at, action, sink)
    elif prompt == V.Q_GRID_CAR:
        chase.flow.chosen = <uint8_t> action
    else:
        chase.flow.rank[action] = chase.flow.chosen
    chase.flow.at += 1

# ---- Phases ----

cdef void renew(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil:
    """Phase 1: an aura is dropped; assault and negative aura are renewed, the latter discarded last (R2)."""
    if chase.flow.at == 0:
        chase.flow.at = 1
        if some(&chase.flow.positive):
            push(chase, V.C_DROP, V.NONE).left = 1
            return
    discard_assault(chase, sink)
    if chase.flow.negative != V.NONE:
        discard_aura(chase, chase.flow.negative, sink)
    draw_assault(book, chase, rng, sink)
    draw_negative(book, chase, rng, sink)
    chase.flow.lost_round = 0
    begin_round(book, chase, chase.flow.round + 1, sink)


cdef void rank_all(const Book* book, Chase* chase, Sink* sink) noexcept nogil:
    """Phase 3: by progress; equals keep their order (R11)."""
    cdef uint8_t* rank = chase.flow.rank
    cdef int i, j, v
    for i in range(1, book.vehicles):
        v = rank[i]
        j = i
        while j and progress(book, chase, rank[j - 1]) < progress(book, chase, v):
            rank[j] = rank[j - 1]
            j -= 1
        rank[j] = <uint8_t> v
    tell_ranks(book, chase, sink)
    if book.boss != V.NONE:
        watch(book, chase, V.T_RANK_FIRST, rank[0] == book.boss, sink)


cdef void award(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil:
    """A Magic-Nitro for the worst ranked car that lies far behind (6.11, R64)."""
    cdef int i, j, v, w
    cdef int left = chase.flow.nitro[0] + chase.flow.nitro[1] + chase.flow.nitro[2] + chase.flow.nitro[3]
    if not left:
        return
    for i in range(book.vehicles - 1, 0, -1):
        v = chase.flow.rank[i]
        if book.kind[v] >= V.K_BOT or chase.car[v].nitro != V.NONE:
            continue
        for j in range(i - 1, -1, -1):
            w = chase.flow.rank[j]
            if not ally(book, v, w) and progress(book, chase, w) > progress(book, chase, v):
                if progress(book, chase, w) - progress(book, chase, v) >= 70 * book.nitro_gap:
                    w = random_of(chase.flow.nitro, left, rng)
                    chase.flow.nitro[w] -= 1
                    chase.car[v].nitro = <uint8_t> w
                    emit3(sink, V.E_NITRO, PUBLIC, v, w, 0)
                    return
                break


cdef void attack(const Book* book, Chase* chase, Sink* sink) noexcept nogil:
    """Phase 4: the assault in play."""
    chase.flow.step = V.S_ROUND_END
    chase.flow.current = book.boss
    chase.flow.lost_turn = 0
    chase.flow.armour_used = 0
    strike(book, chase, book.boss, sink)


cdef void end_round(const Book* book, Chase* chase, Sink* sink) noexcept nogil:
    """Phase 5: the hearts first, then the line (5.2)."""
    cdef int v
    cdef bint crossed = False
    chase.flow.current = V.NONE
    if book.boss != V.NONE:
        if chase.flow.hp <= 0:
            chase.flow.result = V.R_WON
        elif chase.car[book.boss].flags & V.CAR_CROSSED:
            chase.flow.result = V.R_ESCAPED
        elif chase.flow.round >= book.round_cap:
            chase.flow.result = V.R_CAP
        else:
            go_to(chase, V.S_AURA)
        return
    for v in range(book.vehicles):
        crossed = crossed or chase.car[v].flags & V.CAR_CROSSED
    if crossed or chase.flow.round >= book.round_cap:
        chase.flow.result = V.R_RACED
    else:
        begin_round(book, chase, chase.flow.round + 1, sink)


cdef void run_round(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil:
    """One step that is no part of a turn."""
    cdef int step = chase.flow.step
    if step < V.S_DEAL:
        ask_setup(book, chase)
    elif step == V.S_DEAL:
        deal(book, chase, rng, sink)
    elif step == V.S_AURA:
        renew(book, chase, rng, sink)
    elif step == V.S_RANK:
        rank_all(book, chase, sink)
        if book.winter:
            award(book, chase, rng, sink)
        chase.flow.step = V.S_ASSAULT if book.boss != V.NONE else V.S_ROUND_END
    elif step == V.S_ASSAULT:
        attack(book, chase, sink)
    else:
        end_round(book, chase, sink)
